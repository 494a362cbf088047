/// Puts the columns of another table beside each row: `--join`.
///
/// A row comes once for each row of the other table that has its key, in the order of that table.
struct Joiner: RowMaker {
  private let path: FilePath?
  private let kind: Join.Kind
  private let table: JoinedTable
  private let index: JoinIndex

  /// Reads the keys of rows.
  private var key: JoinKey

  /// The column whose texts tell the key of a row, mostly; `nil` if they do not.
  private let spelledKey: Int?

  /// The columns of the other table, and those that they make.
  private let columns: [(other: Int, index: Int, name: String)]

  /// The columns of the other table that must be equal, and what they are called in notices.
  private let otherKeys: [ResolvedColumn]

  private var batch: Batch?
  private var row = 0

  /// The rows of the other table that belong to each row of the batch.
  private var matches: [Range<Int>] = []

  /// How many of those that belong to the row were added.
  private var addedCount = 0

  /// The rows that are made together at most: fewer if rows of the other table are long.
  private let mostRows: Int

  /// The bytes of rows that are made together, unless a single one has more.
  private static let mostBytes = 4 << 20

  /// The batch that was taken, until what there is to say of its rows is counted.
  private var taken: Batch?
  private var settledCount = 0

  /// The rows without a match, and the first of them.
  private var unmatched = Tally<RowPlace>()

  /// The first row that has a cell of its own in a column of the other table, and the name of that.
  private var collision: (name: String, place: RowPlace)?

  /// Binds the columns that must be equal, and adds those of the other table.
  init(_ join: Join, _ kind: Join.Kind, _ table: JoinedTable, _ binder: inout Binder) throws(Failure) {
    (path, self.kind, self.table) = (join.source.path, kind, table)
    var other = Binder(schema: table.schema, context: binder.context)
    var (own, others): ([ResolvedColumn], [ResolvedColumn]) = ([], [])
    for pair in join.keys {
      do { own.append(try binder.schema.resolve(pair.own)) } catch {
        throw .column(option: PlannedStep.Work.join.rawValue, error)
      }
      do throws(ColumnError) {
        let column = try other.schema.resolve(pair.other)
        // All rows have come: a key that none has never comes.
        guard ([column] + column.longer).contains(where: { $0.index < table.schema.count }) else {
          if case .name(let name, _) = pair.other { throw table.schema.notFound(name.trimmingBlanks) }
          throw .noPosition(0, count: table.schema.count)
        }
        others.append(column)
      } catch {
        throw .joinColumn(path: join.source.path, error, columns: table.schema.names(atMost: 20))
      }
      // What is declared for one holds for the other, or equal cells would differ.
      guard let column = own.last?.exact, let matched = others.last?.exact else { continue }
      if let type = binder.schema.columns[column].type { other.schema.declare(type, at: matched) }
    }
    otherKeys = others
    key = JoinKey(own, binder)
    var otherKey = JoinKey(others, other)
    let isWhole = own.count == 1 && own[0] == ResolvedColumn(index: own[0].index)
    let isUntyped = isWhole && binder.schema.columns[own[0].index].type == nil
    spelledKey = isUntyped && others[0].exact != nil && binder.context.marks == .standard ? own[0].index : nil
    index = JoinIndex(table.batches, key: &otherKey, column: spelledKey.flatMap { _ in others[0].exact })
    let known = Set(others.compactMap(\.exact))
    let added = kind.addsColumns ? table.schema.shown.filter { !known.contains($0) } : []
    var columns: [(other: Int, index: Int, name: String)] = []
    for column in added {
      let name = table.schema.columns[column].freeName(at: column, in: binder.schema)
      if let index = binder.schema.derive(name: name) { columns.append((column, index, name)) }
    }
    self.columns = columns
    mostRows = max(Self.mostBytes / max(table.longestRow(columns.map(\.other)), 1), 1)
  }

  var states: [EvaluationState] { [key.state] }

  func planned(_ schedule: Schedule) -> [PlannedStep] { [PlannedStep(work: .join, holding: .table)] }

  func notices(_ sources: [Source]) -> [Notice] {
    var notices = table.notices.map(Notice.input)
    if kind.addsColumns, let repeated = index.repeated {
      let batch = table.batches[Int(repeated.first.batch)]
      let place = InputError.Location(path: path, line: batch.line(ofRow: Int(repeated.first.row)))
      var text = ByteBuffer()
      for (place, column) in otherKeys.enumerated() {
        if place > 0 { text.append(", ") }
        batch.append(comparedTextOf: column, row: Int(repeated.first.row), to: &text)
      }
      notices.append(.repeatedJoinKeys(place, key: text.array(), count: repeated.count))
    }
    if let first = unmatched.first {
      notices.append(
        .unmatchedRows(path: path, count: unmatched.count, first: InputError.Location(first, sources)))
    }
    return notices
  }

  /// The failure for a key of JSON that came after its name was given to a column of the other table.
  func failure(_ sources: [Source]) -> Failure? {
    guard let collision else { return evaluationFailure(sources) }
    return .lateJoinedName(collision.name, InputError.Location(collision.place, sources), path: path)
  }

  mutating func take(_ batch: Batch) {
    (self.batch, taken) = (batch, batch)
    (row, addedCount, settledCount) = (0, 0, 0)
    matches = findMatches(in: batch)
  }

  mutating func settle(through row: Int?) {
    guard let batch = taken else { return }
    let rows = settledCount..<max(row.map { $0 + 1 } ?? batch.rowCount, settledCount)
    settledCount = rows.upperBound
    if row == nil { taken = nil }
    for row in rows where kind == .left && matches[row].isEmpty {
      unmatched.record(inRow: batch.rowNumber(ofRow: row), RowPlace(row, of: batch))
    }
    for column in columns where column.index < batch.width && collision == nil {
      for row in rows where batch.cell(row: row, column: column.index).kind != .missing {
        collision = (column.name, RowPlace(row, of: batch))
        break
      }
    }
  }

  mutating func next() -> (batch: Batch, sources: [UInt32])? {
    guard let batch else { return nil }
    var sources: [UInt32] = []
    var others: [Int?] = []
    if row == 0, addedCount == 0, batch.rowCount <= mostRows, matches.allSatisfy({ copyCount(of: $0) == 1 }) {
      self.batch = nil
      sources = (0..<UInt32(truncatingIfNeeded: batch.rowCount)).map(\.self)
      return (widened(batch, with: matches.map(\.first)), sources)
    }
    var copies = BatchBuilder(origin: batch.origin)
    while row < batch.rowCount, hasRoom(after: copies) {
      let rows = matches[row]
      let count = copyCount(of: rows)
      while addedCount < count, hasRoom(after: copies) {
        copies.append(batch, row: row)
        sources.append(UInt32(truncatingIfNeeded: row))
        others.append(rows.isEmpty ? nil : rows.lowerBound + addedCount)
        addedCount += 1
      }
      if addedCount == count { (row, addedCount) = (row + 1, 0) }
    }
    if row == batch.rowCount { self.batch = nil }
    return (widened(copies.finish(), with: others), sources)
  }

  /// Whether a row may be made together with those made so far.
  private func hasRoom(after copies: borrowing BatchBuilder) -> Bool {
    copies.rowCount < mostRows && copies.byteCount < Self.mostBytes || copies.rowCount == 0
  }

  /// How often a row comes with some rows of the other table.
  private func copyCount(of rows: Range<Int>) -> Int {
    switch kind {
    case .left: max(rows.count, 1)
    case .inner: rows.count
    case .semi: min(rows.count, 1)
    case .anti: rows.isEmpty ? 1 : 0
    }
  }

  /// A batch with the cells of the other table.
  ///
  /// - Parameter others: the row of that table for each row, by its number; `nil` for none.
  private func widened(_ batch: Batch, with others: [Int?]) -> Batch {
    guard kind.addsColumns, let first = columns.first else { return batch }
    var computed = ComputedColumn(at: first.index, of: batch, count: batch.rowCount, room: .max)
    let isJSON = batch.origin.dialect.form == .json
    for column in columns {
      computed.advance(toColumn: column.index)
      for (row, number) in others.enumerated() {
        let place = number.map(index.place)
        let other = place.map { table.batches[Int($0.batch)] }
        let cell = other?.cell(row: Int(place?.row ?? 0), column: column.other) ?? .missing
        guard let other, !cell.isNull else {
          computed.set(row: row, kind: .null) { _ in }
          continue
        }
        let kind = other.kind(of: cell, inJSON: isJSON)
        computed.set(row: row, kind: kind, isText: other.isText(cell)) { $0.append(other.content(cell)) }
      }
    }
    return computed.finish(cutting: nil)
  }

  /// The rows of the other table that have the key of each row.
  private mutating func findMatches(in batch: Batch) -> [Range<Int>] {
    var matches: [Range<Int>] = []
    matches.reserveCapacity(batch.rowCount)
    var bytes = ByteBuffer()
    key.read(batch) { reader in
      for row in 0..<batch.rowCount {
        if let spelledKey {
          let cell = batch.cell(row: row, column: spelledKey)
          if cell.isNull {
            matches.append(0..<0)
            continue
          }
          if cell.kind == .text || cell.kind == .number {
            let text = batch.content(cell)
            // Only a number can be spelled in another way.
            if let rows = index.rows(spelled: text) ?? (cell.kind == .text && !text.holdsDigit ? 0..<0 : nil)
            {
              matches.append(rows)
              continue
            }
          }
        }
        matches.append(reader.read(row, into: &bytes) ? index.rows(withKey: bytes.span) : 0..<0)
      }
    }
    return matches
  }
}

extension Batch {
  /// The kind that a cell has in a table of JSON, or in one of another form.
  fileprivate func kind(of cell: Cell, inJSON: Bool) -> Cell.Kind {
    switch cell.kind {
    case .list, .object: return cell.kind
    case .text where inJSON && !isText(cell):
      let content = content(cell)
      if content.isJSONNumber { return .number }
      return content.equals("true") || content.equals("false") ? .bool : .text
    case .number, .bool: return inJSON ? cell.kind : .text
    default: return .text
    }
  }
}

extension Schema.Column {
  /// The name of the column, or with `_2`, `_3` after it one that no column has.
  fileprivate func freeName(at index: Int, in schema: Schema) -> String {
    let plain = name.isEmpty ? "@\(index + 1)" : name
    var (free, number) = (plain, 2)
    while schema.isTaken(free) {
      free = "\(plain)_\(number)"
      number += 1
    }
    return free
  }
}

extension Schema {
  /// Whether a column of the first record, or one that was made, has a name.
  fileprivate func isTaken(_ name: String) -> Bool {
    guard let index = index(of: name) else { return false }
    return !isOpen || columns[index].isComputed || positions.contains(index)
  }
}

extension PlannedStep.Work {
  static let join = Self(rawValue: "--join")
}

extension Joiner {
  /// Rows are made here; what comes after that is done here, too.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    if !plan.joins.isEmpty { query.leave(PlannedStep.Work.join.rawValue) }
  }
}
