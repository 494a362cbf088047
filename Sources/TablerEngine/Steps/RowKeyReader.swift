/// Reads the keys of the rows of one table, by which they are compared with those of another.
struct RowKeyReader: Sendable {
  /// The cells that identify a row; empty if rows are compared whole.
  private let keys: [ResolvedColumn]

  /// The column of the cell that identifies a row, if it is one whole cell.
  private let wholeKey: Int?

  /// The cells that are compared, in the same order for both tables.
  private let compared: [ResolvedColumn]

  /// How records are written that have the same cells if they have the same bytes; `nil` if cells are compared.
  private let dialect: Dialect?

  /// Whether an empty text differs from null: both tables tell them apart.
  private let marksEmpty: Bool

  /// The compared cells that a row has.
  private let present: PresentColumns

  /// What computes the declared value of a cell, by its number in `compared`; empty unless rows are compared whole.
  private let declared: [Int: CellExpression]

  /// The seeds of digests, the same for both tables.
  private let seeds: (UInt64, UInt64)

  /// Prepares to read the cells of a table.
  ///
  /// - Parameter seeds: unknown to who made the data, so that nobody can choose cells with the same digest.
  init(
    keys: [ResolvedColumn], compared: [ResolvedColumn], dialect: Dialect?, marksEmpty: Bool,
    declared: [Int: CellExpression], seeds: (UInt64, UInt64)
  ) {
    self.keys = keys
    self.compared = compared
    self.dialect = dialect
    self.marksEmpty = marksEmpty
    self.declared = declared
    self.seeds = seeds
    present = PresentColumns(compared)
    wholeKey = keys.count == 1 && keys[0].path.isEmpty && keys[0].longer.isEmpty ? keys[0].index : nil
  }

  /// The keys of all rows of a batch.
  func comparisonKeys(of batch: Batch) -> [ComparisonKey] {
    var read: [ComparisonKey] = []
    var text = ByteBuffer()
    read.reserveCapacity(batch.rowCount)
    let takesRecord = takesRecords(of: batch)
    for row in 0..<batch.rowCount {
      read.append(key(of: batch, row, takesRecord: takesRecord, using: &text))
    }
    return read
  }

  /// Whether records of a batch have the same cells if they have the same bytes.
  func takesRecords(of batch: Batch) -> Bool { dialect.map { batch.hasRecords(in: $0) } ?? false }

  /// The key of a row.
  ///
  /// - Parameters:
  ///   - takesRecord: what `takesRecords` says of the batch.
  ///   - text: room for cells.
  @inline(__always)
  func key(of batch: Batch, _ row: Int, takesRecord: Bool, using text: inout ByteBuffer) -> ComparisonKey {
    let cells = digest(of: batch, row, takesRecord: takesRecord, using: &text)
    if keys.isEmpty { return ComparisonKey(identity: cells, cells: cells) }
    return ComparisonKey(identity: identity(of: batch, row, using: &text), cells: cells)
  }

  /// The digest of the cells that identify a row; `none` if one of them is null.
  @inline(__always)
  private func identity(of batch: Batch, _ row: Int, using text: inout ByteBuffer) -> RowDigest {
    // The same bytes as below, without a copy of the text on the way: most identities are one cell.
    if let wholeKey {
      let cell = batch.cell(row: row, column: wholeKey)
      if cell.kind == .text, cell.length > 0 { return digest(of: batch.content(cell)) }
    }
    text.truncate(to: 0)
    for column in keys {
      let start = text.count
      if !batch.append(comparedTextOf: column, row: row, to: &text) { return .none }
      // The parts of an identity of several cells must not run together.
      if keys.count > 1 { text.append(raw: [text.count - start]) }
    }
    return digest(of: text.span)
  }

  /// The digest of the cells of a row.
  @inline(__always)
  private func digest(
    of batch: Batch, _ row: Int, takesRecord: Bool, using text: inout ByteBuffer
  ) -> RowDigest {
    // Whole rows are equal if their cells are, however they are quoted.
    if takesRecord, !keys.isEmpty { return digest(of: batch.record(row)) }
    text.truncate(to: 0)
    if batch.sparse == nil {
      for place in compared.indices { appendCell(place, of: batch, row, to: &text) }
    } else {
      for place in present.inRow(row, of: batch) { appendCell(place, of: batch, row, to: &text) }
    }
    return digest(of: text.span)
  }

  /// Appends a cell that is compared, unless it is null: as its declared value if it has one.
  @inline(__always)
  private func appendCell(_ place: Int, of batch: Batch, _ row: Int, to text: inout ByteBuffer) {
    let start = text.count
    if !declared.isEmpty, var value = declared[place], let key = value.key(in: batch, row: row) {
      text.append(key.span)
      // The complement keeps it apart from the text of a cell.
      return text.append(raw: [key.count, ~place])
    }
    batch.append(comparedTextOf: compared[place], row: row, marksEmpty: marksEmpty, to: &text)
    if text.count > start { text.append(raw: [text.count - start, place]) }
  }

  @inline(__always)
  private func digest(of bytes: Span<UInt8>) -> RowDigest {
    let hashes = bytes.hashes(seeds: seeds)
    return RowDigest(first: hashes.0, second: hashes.1)
  }
}
