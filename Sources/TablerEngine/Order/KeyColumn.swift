/// The values of one sort key: a code for each row, and where to find the cells that decide ties.
struct KeyColumn: Sendable {
  /// The key.
  let key: BoundKey

  /// The batches of the cells, by the index of the rows' batches.
  private(set) var batches: [Batch] = []

  /// The column of the cells.
  let column: Int

  /// A code for each row, in the order in which rows were added.
  private(set) var codes: [UInt64] = []

  /// Whether one of the numbers has digits that its code does not contain.
  private(set) var hasInexact = false

  /// The cells that did not convert.
  private(set) var misfits: ConversionTally.ColumnMisfits

  /// The bytes that are recorded of a cell that did not convert.
  static let shownMisfit = 200

  /// The findings in the texts that were sorted after numbers.
  private(set) var findings = KeyFindings()

  /// Prepares the column of a key.
  init(_ key: BoundKey) {
    self.key = key
    column = key.directColumn ?? 0
    misfits = key.freshEntry
  }

  /// Adds the batches of `rows`, or batches derived from them; their codes are added later.
  mutating func add(_ rows: Rows, _ deriver: inout KeyDeriver) {
    codes.reserveCapacity(codes.count + rows.count)
    if key.directColumn != nil {
      batches += rows.batches
    } else {
      for (batch, members) in zip(rows.batches, rows.members) {
        batches.append(deriver.derive(key, batch, members, &findings.units))
      }
    }
  }

  /// Forgets all rows but the last, which is in the batch of that index.
  mutating func keepLast(batch: Int) {
    batches = [batches[batch]]
    codes.removeFirst(codes.count - 1)
  }

  /// Adds the codes of `ids`, whose batches were added.
  ///
  /// - Parameter origins: the original batches of the rows, for the places of misfits.
  mutating func encode(_ ids: Span<RowID>, origins: [Batch]) throws(SortError) {
    let known = codes.count
    var index = 0
    while index < ids.count {
      let number = ids[index].batch
      let batch = batches[number]
      while index < ids.count, ids[index].batch == number {
        let row = ids[index].row
        let cell = batch.cell(row: row, column: column)
        switch key.coder.code(cell, in: batch) {
        case .value(let code):
          codes.append(code)
          if code != key.coder.null { findings.hasListed = true }
        case .number(let code, let isExact):
          codes.append(code)
          if !isExact { hasInexact = true }
          findings.numberCount &+= 1
        case .text(let code):
          codes.append(code)
          findings.recordText(batch.content(cell))
        case .misfit:
          codes.append(key.coder.null)
          misfits.recordMisfit(cell, in: batch, wanted: key.comparison, row: row, of: origins[number])
        case .unordered: throw .noOrder(key.unordered(cell, in: batch, row: row, of: origins[number]))
        }
        index &+= 1
      }
    }
    misfits.numberCount = findings.numberCount
    if findings.lacksFirst || findings.lacksOther { findFirstTexts(ids, origins, from: known) }
    findFirstNumbers(ids, origins)
  }

  /// Finds the first numbers in rows that have been encoded.
  private mutating func findFirstNumbers(_ ids: Span<RowID>, _ origins: [Batch]) {
    for index in ids.indices {
      let id = ids[index]
      guard findings.lacksNumbers(before: origins[id.batch].rowNumber(ofRow: id.row)) else { return }
      let batch = batches[id.batch]
      let cell = batch.cell(row: id.row, column: column)
      guard cell.kind == .number || cell.kind == .text,
        NumberReader.isNumber(batch.content(cell), marks: cell.kind == .number ? .standard : key.coder.marks)
      else { continue }
      findings.recordNumber(batch.content(cell), of: origins[id.batch], row: id.row)
    }
  }

  /// Finds the first texts among rows whose codes begin at `start`.
  private mutating func findFirstTexts(_ ids: Span<RowID>, _ origins: [Batch], from start: Int) {
    for index in 0..<ids.count where key.coder.isText(codes[start + index]) {
      let id = ids[index]
      let batch = batches[id.batch]
      let text = batch.content(batch.cell(row: id.row, column: column))
      if NullLikeWord(text) != nil { continue }
      findings.recordFirst(text, of: origins[id.batch], row: id.row)
      if !findings.lacksOther { return }
    }
  }

  /// Adds the codes of all rows, whose batches were added; each thread encodes a part.
  ///
  /// - Complexity: O(*n*) cells are encoded for *n* rows, divided among the threads.
  mutating func encode(_ rows: Rows, threadCount: Int) throws(SortError) {
    let empty = self
    let parts = Worker.map(rows.count, onThreads: threadCount) { range in
      var column = empty
      do throws(SortError) {
        try column.encode(rows.ids.span.extracting(range), origins: rows.batches)
        return Result<KeyColumn, SortError>.success(column)
      } catch { return .failure(error) }
    }
    for part in parts {
      let column = try part.get()
      codes += column.codes
      hasInexact = hasInexact || column.hasInexact
      misfits.merge(column.misfits)
      findings.merge(column.findings)
    }
  }

  /// How rows with this code are related.
  @inline(__always)
  func tie(_ code: UInt64) -> KeyCoder.Tie { key.coder.tie(code, hasInexact: hasInexact) }

  /// Below 0, 0 or above 0, as one row comes before the other, ties with it, or comes after; both have the
  /// same code.
  func order(_ left: RowID, _ right: RowID, tie: KeyCoder.Tie, from offset: Int = 0) -> Int {
    let leftBatch = batches[left.batch]
    let rightBatch = batches[right.batch]
    return key.coder.order(
      leftBatch.cell(row: left.row, column: column), in: leftBatch,
      rightBatch.cell(row: right.row, column: column), in: rightBatch, tie: tie, from: offset)
  }

  /// Below 0, 0 or above 0, as a row comes before another column's, ties with it, or comes after; both have
  /// the same code.
  func order(_ row: RowID, against otherRow: RowID, of other: KeyColumn, code: UInt64) -> Int {
    let tie = key.coder.tie(code, hasInexact: hasInexact || other.hasInexact)
    if tie == .settled { return 0 }
    return key.coder.order(
      cell(row), in: batches[row.batch], other.cell(otherRow), in: other.batches[otherRow.batch], tie: tie)
  }

  /// The cell of a row.
  @inline(__always)
  func cell(_ id: RowID) -> Cell { batches[id.batch].cell(row: id.row, column: column) }

  /// The code of a row's text from `offset` on.
  @inline(__always)
  func code(_ id: RowID, from offset: Int) -> UInt64 {
    let batch = batches[id.batch]
    return key.coder.code(batch.content(batch.cell(row: id.row, column: column)), from: offset)
  }
}

extension Rows {
  /// The rows of each batch, in their present order.
  var members: [[UInt32]] {
    var members = [[UInt32]](repeating: [], count: batches.count)
    for id in ids { members[id.batch].append(UInt32(truncatingIfNeeded: id.row)) }
    return members
  }
}

extension ConversionTally.ColumnMisfits {
  /// Records a cell that did not convert; an empty text does not count.
  fileprivate mutating func recordMisfit(
    _ cell: Cell, in batch: Batch, wanted: SortKey.Comparison, row: Int, of origin: Batch
  ) {
    guard cell.length > 0 else { return }
    misfits.recordNewCell(batch.content(cell), wanted: wanted.valueKind, batch: origin, row: row)
  }
}

extension SortKey.Comparison {
  /// The kind of value that cells are converted to.
  var valueKind: ExpressionError.ValueKind {
    switch self {
    case .date: .date
    case .duration: .duration
    case .size: .size
    case .number: .number
    case .auto, .text, .natural, .nocase, .length, .version: .text
    }
  }
}

extension BoundKey {
  /// The error for a list or object among the values.
  fileprivate func unordered(
    _ cell: Cell, in batch: Batch, row: Int, of origin: Batch
  ) -> SortError.Unordered {
    SortError.Unordered(
      column: name, isList: cell.kind == .list,
      members: cell.kind == .object ? JSONText.names(batch.content(cell), limit: 3) : [], key: place,
      source: origin.source(ofRow: row), line: origin.line(ofRow: row))
  }
}
