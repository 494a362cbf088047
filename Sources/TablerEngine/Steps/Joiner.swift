/// Puts the columns of another table beside each row: `--join`.
///
/// A row comes once for each row of the other table that has its key, in the order of that table.
struct Joiner: RowMaker {
  private var columns: JoinColumns
  private let others: [Batch]
  private let index: JoinIndex

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

  /// Those that have none only because of blanks.
  private var padded: MissedMatches?

  /// The first row that has a cell of its own in a column of the other table, and the name of that.
  private var collision: (name: String, place: RowPlace)?

  /// Joins rows of another table.
  init(_ columns: JoinColumns, _ others: [Batch]) {
    (self.columns, self.others) = (columns, others)
    index = JoinIndex(others, key: &self.columns.otherKey, column: columns.spelledKey?.other)
    mostRows = max(Self.mostBytes / max(others.longestRow(columns.added.map(\.other)), 1), 1)
  }

  var states: [EvaluationState] { [columns.key.state] }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    [PlannedStep(work: .join, holding: .spilled(.otherTable))]
  }

  func notices(_ sources: [Source]) -> [Notice] {
    columns.notices(repeatedKeys, unmatched, sources)
      + (padded.map { padded in
        [
          .paddedJoinKeys(
            path: columns.path, count: padded.count, first: InputError.Location(padded.first, sources),
            key: padded.key)
        ]
      } ?? [])
  }

  /// The keys that several rows of the other table have.
  var repeatedKeys: RepeatedKeys? {
    guard let (count, first) = index.repeated else { return nil }
    let (batch, row) = (others[Int(first.batch)], Int(first.row))
    return RepeatedKeys(
      count: count, key: columns.text(ofKeyIn: batch, row: row), number: batch.rowNumber(ofRow: row),
      line: batch.line(ofRow: row))
  }

  /// The failure for a key of JSON that came after its name was given to a column of the other table.
  func failure(_ sources: [Source]) -> Failure? {
    guard let collision else { return evaluationFailure(sources) }
    return .lateJoinedName(collision.name, InputError.Location(collision.place, sources), path: columns.path)
  }

  /// How many rows are made of a row that was taken, and whether no row of the other table has its key.
  func made(ofRow row: Int) -> (count: Int, isUnmatched: Bool) {
    (copyCount(of: matches[row]), matches[row].isEmpty)
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
    for row in rows where matches[row].isEmpty {
      if columns.kind == .left {
        unmatched.record(inRow: batch.rowNumber(ofRow: row), RowPlace(row, of: batch))
      }
      if let column = columns.spelledKey?.own { countPadded(batch, row, column) }
    }
    if collision == nil { collision = columns.collision(with: batch, rows) }
  }

  /// Counts a row without a match, if there is none only because of blanks at the ends of keys.
  private mutating func countPadded(_ batch: Batch, _ row: Int, _ column: Int) {
    let cell = batch.cell(row: row, column: column)
    guard cell.kind == .text, index.differsInBlanks(batch.content(cell)) else { return }
    if padded == nil {
      padded = MissedMatches(first: RowPlace(row, of: batch), key: Array(copying: batch.content(cell)))
    }
    padded?.count += 1
  }

  mutating func next() -> (batch: Batch, sources: [UInt32])? {
    guard let batch else { return nil }
    var sources: [UInt32] = []
    var numbers: [Int?] = []
    if row == 0, addedCount == 0, batch.rowCount <= mostRows, matches.allSatisfy({ copyCount(of: $0) == 1 }) {
      self.batch = nil
      sources = Array(0..<UInt32(truncatingIfNeeded: batch.rowCount))
      return (widened(batch, with: matches.map { $0.isEmpty ? nil : $0.lowerBound }), sources)
    }
    var copies = BatchBuilder(origin: batch.origin)
    while row < batch.rowCount, hasRoom(after: copies) {
      let rows = matches[row]
      let count = copyCount(of: rows)
      while addedCount < count, hasRoom(after: copies) {
        copies.append(batch, row: row)
        sources.append(UInt32(truncatingIfNeeded: row))
        numbers.append(rows.isEmpty ? nil : rows.lowerBound + addedCount)
        addedCount += 1
      }
      if addedCount == count { (row, addedCount) = (row + 1, 0) }
    }
    if row == batch.rowCount { self.batch = nil }
    return (widened(copies.finish(), with: numbers), sources)
  }

  /// Whether a row may be made together with those made so far.
  private func hasRoom(after copies: borrowing BatchBuilder) -> Bool {
    copies.rowCount < mostRows && copies.byteCount < Self.mostBytes || copies.rowCount == 0
  }

  /// How often a row comes with some rows of the other table.
  private func copyCount(of rows: Range<Int>) -> Int {
    switch columns.kind {
    case .left: max(rows.count, 1)
    case .inner: rows.count
    case .semi: min(rows.count, 1)
    case .anti: rows.isEmpty ? 1 : 0
    }
  }

  /// A batch with the cells of the other table.
  ///
  /// - Parameter numbers: the row of that table for each row, by its number; `nil` for none.
  private func widened(_ batch: Batch, with numbers: [Int?]) -> Batch {
    guard let first = columns.added.first else { return batch }
    var computed = ComputedColumn(at: first.index, of: batch, count: batch.rowCount, room: .max)
    let isJSON = batch.origin.dialect.form == .json
    for column in columns.added {
      computed.advance(toColumn: column.index)
      for (row, number) in numbers.enumerated() {
        guard let number else {
          computed.setNull(row: row)
          continue
        }
        let place = index.place(number)
        let other = others[Int(place.batch)]
        let cell = other.cell(row: Int(place.row), column: column.other)
        if cell.isNull {
          computed.setNull(row: row)
          continue
        }
        let kind = other.kind(of: cell, inJSON: isJSON)
        computed.set(row: row, kind: kind, isText: isJSON ? kind == .text : other.isText(cell)) {
          $0.append(other.content(cell))
        }
      }
    }
    return computed.finish(cutting: nil)
  }

  /// The rows of the other table that have the key of each row.
  private mutating func findMatches(in batch: Batch) -> [Range<Int>] {
    var matches: [Range<Int>] = []
    matches.reserveCapacity(batch.rowCount)
    var bytes = ByteBuffer()
    let spelledKey = columns.spelledKey?.own
    columns.key.read(batch) { reader in
      for row in 0..<batch.rowCount {
        if let spelledKey {
          let cell = batch.cell(row: row, column: spelledKey)
          if cell.isNull {
            matches.append(0..<0)
            continue
          }
          if cell.kind == .text || cell.kind == .number {
            if let rows = index.rows(spelled: batch.content(cell)) {
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

extension JoinColumns {
  /// The notices about keys that several rows of the other table have, and rows whose keys none has.
  func notices(_ repeated: RepeatedKeys?, _ unmatched: Tally<RowPlace>, _ sources: [Source]) -> [Notice] {
    var notices = tableNotices
    if kind.addsColumns, let repeated {
      let place = InputError.Location(path: path, line: repeated.line)
      notices.append(.repeatedJoinKeys(place, key: repeated.key, count: repeated.count))
    }
    if let first = unmatched.first {
      notices.append(
        .unmatchedRows(path: path, count: unmatched.count, first: InputError.Location(first, sources)))
    }
    return notices
  }

  /// The first of some rows that has a cell of its own in a column of the other table, and the name of that.
  func collision(with batch: Batch, _ rows: Range<Int>) -> (name: String, place: RowPlace)? {
    for column in added where column.index < batch.width {
      for row in rows where batch.cell(row: row, column: column.index).kind != .missing {
        return (column.name, RowPlace(row, of: batch))
      }
    }
    return nil
  }
}

extension [Batch] {
  /// The bytes that the cells of some columns have in the row in which they have most.
  fileprivate func longestRow(_ columns: [Int]) -> Int {
    var longest = 0
    for batch in self {
      for row in 0..<batch.rowCount {
        longest = Swift.max(longest, columns.reduce(0) { $0 + batch.cell(row: row, column: $1).length })
      }
    }
    return longest
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
