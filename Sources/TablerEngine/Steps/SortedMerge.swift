/// Compares two tables whose rows come in the order of `--id`, verified by `--sorted-by`, while they are read: a sort-merge
/// join (Blasgen and Eswaran, "Storage and access in relational data bases", 1977).
///
/// A row is passed once the other table has been read beyond its id: its partner can no longer come. Rows that were read
/// but not passed are held; rows that tie are matched by the texts of their ids. Deleted rows stand where their ids belong,
/// not after their predecessors, which may have been passed long ago.
///
/// - Complexity: O(*n*) in the rows of both tables, O(*n* log *n*) in rows that tie; held are the rows of a batch or two of
///   each table, all that tie, the first 10,000, and twice as many as `--context` shows before a change.
struct SortedMerge: ~Copyable {
  /// The rows of one table that were read and not passed yet, in order.
  fileprivate struct Side {
    /// The order of the rows, and the columns of `--id`.
    let order: SortOrder
    let keys: [ResolvedColumn]

    private var deriver: KeyDeriver
    private(set) var rows = Rows()
    private(set) var columns: [KeyColumn] = []

    /// The index of the first row that was not passed.
    var start = 0

    /// The number of rows of the table before `rows`.
    private(set) var earlierCount = 0

    /// The first rows of the table, to name columns that would identify rows if `--id` does not.
    private var sample = StoredRows()

    /// The number of these, and the bytes that they may take but for the last batch.
    private static let sampleSize = 10_000
    private static let mostSampled = 1 << 22

    /// Whether the last row has been read.
    var isOver = false

    /// Whether the row after `rows` is out of order.
    var isBroken = false

    /// Whether more rows must be read before others can be passed: the other table has been read at least as far.
    var isAwaited = true

    /// Begins without rows.
    init(_ order: SortOrder, _ keys: [ResolvedColumn]) {
      self.order = order
      self.keys = keys
      deriver = KeyDeriver(order)
    }

    /// The number of rows that were not passed yet.
    var count: Int { rows.count - start }

    /// Takes the next rows, and forgets those that were passed.
    mutating func append(_ more: Rows, _ sources: [Source]) throws(Failure) {
      earlierCount += start
      rows = rows.suffix(count)
      start = 0
      if earlierCount + rows.count + more.count >= Int(RowMatcher.none) { throw .tooManyRows }
      rows.append(more)
      if sample.count < Self.sampleSize, sample.memory < Self.mostSampled { sample.append(more) }
      do { columns = try order.columns(of: rows, &deriver) } catch {
        throw error.failure(option: "--sorted-by", sources)
      }
    }

    /// The first rows of the table, and those that are held, each once.
    var examples: StoredRows {
      var examples = sample
      examples.append(rows.suffix(max(0, min(rows.count, earlierCount + rows.count - sample.count))))
      return examples
    }

    /// The batch of a row, and its number there.
    func place(_ index: Int) -> (batch: Batch, row: Int) {
      (rows.batches[rows.ids[index].batch], rows.ids[index].row)
    }

    /// Whether a row ties with the one before it.
    func ties(_ index: Int) -> Bool {
      for place in columns.indices {
        let code = columns[place].codes[index]
        if code != columns[place].codes[index - 1] { return false }
        let tie = columns[place].tie(code)
        if columns[place].order(rows.ids[index - 1], rows.ids[index], tie: tie) != 0 { return false }
      }
      return true
    }

    /// Below 0, 0 or above 0, as a row comes before one of the other table, ties with it, or comes after.
    func order(_ index: Int, against other: Int, of side: Side) -> Int {
      for place in columns.indices {
        let (code, otherCode) = (columns[place].codes[index], side.columns[place].codes[other])
        if code != otherCode { return code < otherCode ? -1 : 1 }
        let order = columns[place].order(
          rows.ids[index], against: side.rows.ids[other], of: side.columns[place], code: code)
        if order != 0 { return order }
      }
      return 0
    }

    /// The index after the rows that come before a row of `side`, which may be this table itself, in O(log *n*).
    func end(before other: Int, of side: Side) -> Int {
      var (low, high) = (start, rows.count)
      while low < high {
        let middle = (low + high) / 2
        if order(middle, against: other, of: side) < 0 { low = middle + 1 } else { high = middle }
      }
      return low
    }

    /// The end of the rows that tie with the one at `start`, before `end`.
    func endOfTies(from start: Int, before end: Int) -> Int {
      var next = start + 1
      while next < end, ties(next) { next += 1 }
      return next
    }
  }

  /// The next rows of a table.
  struct OrderedPiece {
    let rows: Rows

    /// Whether the row after them is out of order.
    let isBroken: Bool
  }

  /// A row of one table, or of both, by its indices into the rows that are held.
  private struct RowPair {
    var old: Int?
    var new: Int?
    var isMoved = false
  }

  private var old: Side
  private var new: Side

  /// The ids of the two rows that are being matched.
  private var oldKey = ByteBuffer()
  private var newKey = ByteBuffer()

  private let tables: (old: ComparedTable, new: ComparedTable)
  private let options: ComparisonOptions
  private let columns: ComparedColumns
  private var cells: CellComparison

  /// The sources of both tables; the last one of the new table stands for the old.
  private let oldSources: [Source]
  private let newSources: [Source]

  /// Whether a row that has cells in columns that came or went is shown for their sake.
  private let listsLoneColumns: Bool

  /// How records are written that have the same cells if they have the same bytes; `nil` if cells are compared.
  private let dialect: Dialect?

  /// What became of the table, once all rows have been passed.
  private(set) var summary = ComparisonSummary(oldCount: 0, newCount: 0)
  private var found: ComparisonSummary.Tallies

  /// The failure at the first row that could not be matched or compared; thrown after the rows before it were returned.
  private var failure: Failure?

  /// The number of unchanged rows that are still shown after the last change.
  private var contextAfter = 0

  /// The last unchanged rows, which are shown if a change follows.
  private var contextBefore = Rows()

  /// Prepares to compare two tables of which no row has come.
  ///
  /// - Parameters:
  ///   - old: the old table, and the order of its rows.
  ///   - new: the new one.
  init(
    _ old: (table: ComparedTable, order: SortOrder), _ new: (table: ComparedTable, order: SortOrder),
    _ columns: ComparedColumns, _ options: ComparisonOptions, comparing cells: consuming CellComparison,
    listsLoneColumns: Bool
  ) {
    self.old = Side(old.order, old.table.keys.map(\.column))
    self.new = Side(new.order, new.table.keys.map(\.column))
    tables = (old.table, new.table)
    self.columns = columns
    self.options = options
    self.cells = cells
    self.listsLoneColumns = listsLoneColumns && !(columns.inserted.isEmpty && columns.deleted.isEmpty)
    (oldSources, newSources) = (old.table.sources, new.table.sources)
    dialect = columns.dialectOfEqualRecords(old.table)
    found = ComparisonSummary.Tallies(columnCount: columns.pairs.count)
    summary.insertedColumns = columns.inserted.map(\.name)
    summary.deletedColumns = columns.deleted.map(\.name)
    summary.reordersColumns = columns.areReordered
    if options.context == .all { contextAfter = .max }
  }

  /// The cells that did not convert, and the failure with which an expression ended the comparison.
  var tallies: [ConversionTally] { cells.tallies }
  var failures: (old: EvaluationFailure?, new: EvaluationFailure?) { cells.failures }

  /// Whether a row that is needed next is out of order in the old table, or in the new one.
  var isStoppedByOld: Bool { old.isBroken && old.isAwaited }
  var isStoppedByNew: Bool { new.isBroken && new.isAwaited }

  /// The next rows that show changes; `nil` at the end, and before a row that is out of order.
  ///
  /// - Parameters:
  ///   - readOld: the next rows of the old table; `nil` at the end.
  ///   - readNew: the same for the new table.
  /// - Throws: `repeatedID`, `emptyID` or `tooManyRows`, after what comes before those rows; and what reading throws.
  mutating func next(
    old readOld: () throws(Failure) -> OrderedPiece?, new readNew: () throws(Failure) -> OrderedPiece?
  ) throws(Failure) -> Rows? {
    while true {
      if let failure { throw failure }
      if isStoppedByOld || isStoppedByNew && !old.isAwaited { return nil }
      try Self.read(&old, readOld, oldSources)
      // Whichever of two damaged tables came first, the same is said.
      if isStoppedByOld || isStoppedByNew { return nil }
      try Self.read(&new, readNew, newSources)
      if isStoppedByNew || old.count + new.count == 0 && old.isOver && new.isOver { return nil }
      let (oldEnd, newEnd) = ends()
      let shown = pass(oldEnd, newEnd)
      (old.start, new.start) = (oldEnd, newEnd)
      if shown.count > 0 { return shown }
    }
  }

  /// Reads the next rows of a table if they are needed: at least as many as are held, so that many ties do not take
  /// quadratic time.
  private static func read(
    _ side: inout Side, _ next: () throws(Failure) -> OrderedPiece?, _ sources: [Source]
  ) throws(Failure) {
    if side.isOver || side.isBroken || !side.isAwaited && side.count > 0 { return }
    var more = Rows()
    repeat {
      guard let piece = try next() else {
        side.isOver = true
        break
      }
      more.append(piece.rows)
      side.isBroken = piece.isBroken
    } while more.count < max(side.count, 1) && !side.isBroken
    side.isAwaited = side.isBroken && more.count == 0
    if more.count > 0 { try side.append(more, sources) }
  }

  /// The ends of the rows of both tables that can be passed.
  ///
  /// These are all rows before the last one of the table that is behind, which is read next.
  private mutating func ends() -> (old: Int, new: Int) {
    if old.isOver, new.isOver { return (old.rows.count, new.rows.count) }
    let (lastOld, lastNew) = (old.rows.count - 1, new.rows.count - 1)
    let order = old.isOver ? 1 : new.isOver ? -1 : old.order(lastOld, against: lastNew, of: new)
    if order <= 0 {
      old.isAwaited = true
      if order == 0 { new.isAwaited = true }
      return (old.end(before: lastOld, of: old), new.end(before: lastOld, of: old))
    }
    new.isAwaited = true
    return (old.end(before: lastNew, of: new), new.end(before: lastNew, of: new))
  }

  /// Compares the next rows of both tables, up to some.
  ///
  /// - Returns: those that show changes.
  private mutating func pass(_ oldEnd: Int, _ newEnd: Int) -> Rows {
    let pairs = pairs(oldEnd, newEnd)
    let rows = TableComparison.MatchedPortion(
      old: old.rows, new: new.rows, oldPlaces: pairs.map { $0.old ?? -1 },
      newPlaces: pairs.map { $0.new ?? -1 })
    var (shown, unchanged): ([ChangedRow], [ChangedRow]) = ([], [])
    let context = options.context.count
    var before = Rows()
    for (index, pair) in pairs.enumerated() {
      let row = changedRow(pair, rows, index)
      if let failure = cells.failures.old?.failure(oldSources) ?? cells.failures.new?.failure(newSources) {
        self.failure = failure
        break
      }
      if row.change != nil {
        // Before the first change of these rows there may be some that were passed with earlier ones.
        if shown.isEmpty { before = contextBefore.suffix(context - min(context, unchanged.count)) }
        shown += unchanged.suffix(context)
        shown.append(row)
        unchanged = []
        contextAfter = max(contextAfter, context)
      } else if contextAfter > 0 {
        shown.append(row)
        contextAfter -= contextAfter == .max ? 0 : 1
      } else if context > 0 {
        unchanged.append(row)
      }
    }
    summary.updated = found.rowCount
    summary.updatedColumns = zip(columns.pairs, found.counts).filter { $1 > 0 }.map { ($0.name, $1) }
    let builder = ChangedRowBuilder(
      columns, rows, oldSource: newSources.count - 1, listsLoneColumns: listsLoneColumns)
    if !shown.isEmpty { contextBefore = Rows() }
    if !unchanged.isEmpty {
      contextBefore.append(builder.rows(unchanged.suffix(context)))
      // Not each time, or it would take the time of all of them.
      if contextBefore.count / 2 >= context { contextBefore = contextBefore.suffix(context) }
    }
    if shown.isEmpty { return Rows() }
    before.append(builder.rows(shown))
    return before
  }

  /// What became of a row.
  private mutating func changedRow(
    _ pair: RowPair, _ rows: TableComparison.MatchedPortion, _ index: Int
  ) -> ChangedRow {
    let from = pair.old.map { UInt32(old.earlierCount + $0) } ?? RowMatcher.none
    let to = pair.new.map { UInt32(new.earlierCount + $0) } ?? RowMatcher.none
    var row = ChangedRow(change: nil, from: from, to: to, index: index)
    if pair.old != nil { summary.oldCount += 1 }
    if pair.new != nil { summary.newCount += 1 }
    guard let oldIndex = pair.old else {
      summary.inserted += 1
      row.change = .insert
      return row
    }
    guard let newIndex = pair.new else {
      summary.deleted += 1
      row.change = .delete
      return row
    }
    summary.matched += 1
    if pair.isMoved { summary.moved += 1 }
    if !haveSameRecord(old.place(oldIndex), new.place(newIndex)) {
      row.changes = cells.changed(rows, index, columns)
      if !row.changes.isEmpty { found.record(row.changes, to) }
    }
    row.change = RowChange(isMoved: pair.isMoved, isUpdated: !row.changes.isEmpty)
    if row.change == nil, listsLoneColumns, columns.haveLoneCells(rows, index) { row.change = .update }
    return row
  }

  /// Whether two rows have the same bytes, and so the same cells.
  private func haveSameRecord(_ old: (batch: Batch, row: Int), _ new: (batch: Batch, row: Int)) -> Bool {
    guard let dialect, old.batch.hasRecords(in: dialect), new.batch.hasRecords(in: dialect) else {
      return false
    }
    return old.batch.record(old.row).equals(new.batch.record(new.row))
  }
}

// MARK: - Matching

extension SortedMerge {
  /// What became of the next rows of both tables, up to some, in the order of their ids.
  private mutating func pairs(_ oldEnd: Int, _ newEnd: Int) -> [RowPair] {
    var pairs: [RowPair] = []
    pairs.reserveCapacity(max(oldEnd - old.start, newEnd - new.start))
    var (oldNext, newNext) = (old.start, new.start)
    while oldNext < oldEnd || newNext < newEnd {
      let order =
        oldNext == oldEnd ? 1 : newNext == newEnd ? -1 : old.order(oldNext, against: newNext, of: new)
      let olds = oldNext..<(order > 0 ? oldNext : old.endOfTies(from: oldNext, before: oldEnd))
      let news = newNext..<(order < 0 ? newNext : new.endOfTies(from: newNext, before: newEnd))
      do {
        if olds.count <= 1, news.count <= 1 {
          try match(oldIn: olds, newIn: news, into: &pairs)
        } else {
          try matchTies(olds, news, into: &pairs)
        }
      } catch {
        failure = withRemedy(error)
        break
      }
      (oldNext, newNext) = (olds.upperBound, news.upperBound)
    }
    return pairs
  }

  /// The failure to identify a row, with columns that would.
  private func withRemedy(_ failure: Failure) -> Failure {
    var (oldTable, newTable) = (tables.old, tables.new)
    (oldTable.rows, newTable.rows) = (old.examples, new.examples)
    let remedy = (try? KeyFinder(columns).key(of: oldTable, newTable)) ?? []
    return switch failure {
    case .emptyID(let place, _): .emptyID(place, remedy: remedy)
    case .repeatedID(let key, let first, let second, _):
      .repeatedID(key, first: first, second: second, remedy: remedy)
    default: failure
    }
  }

  /// Matches at most one row of each table.
  private mutating func match(
    oldIn olds: Range<Int>, newIn news: Range<Int>, into pairs: inout [RowPair]
  ) throws(Failure) {
    oldKey.truncate(to: 0)
    newKey.truncate(to: 0)
    for row in olds { try old.appendKey(row, oldSources, to: &oldKey) }
    for row in news { try new.appendKey(row, newSources, to: &newKey) }
    if let oldRow = olds.first, let newRow = news.first, oldKey.span.equals(newKey.span) {
      pairs.append(RowPair(old: oldRow, new: newRow))
    } else {
      for row in olds { pairs.append(RowPair(old: row)) }
      for row in news { pairs.append(RowPair(new: row)) }
    }
  }

  /// Matches rows that tie by the texts of their ids; deleted rows come after the row before them, as without a merge.
  private func matchTies(
    _ olds: Range<Int>, _ news: Range<Int>, into pairs: inout [RowPair]
  ) throws(Failure) {
    let numbers = try keys(of: olds, in: old, oldSources)
    let newNumbers = try keys(of: news, in: new, newSources)
    var partners = [UInt32](repeating: RowMatcher.none, count: news.count)
    var places = [Int?](repeating: nil, count: olds.count)
    for (key, place) in newNumbers {
      guard let partner = numbers[key] else { continue }
      partners[place] = UInt32(partner)
      places[partner] = place
    }
    let moves = options.moves == .never ? nil : Moves(partners)
    var deleted: [[Int]] = Array(repeating: [], count: news.count + 1)
    var after = 0
    for (place, partner) in places.enumerated() {
      if let partner { after = partner + 1 } else { deleted[after].append(olds.lowerBound + place) }
    }
    for row in deleted[0] { pairs.append(RowPair(old: row)) }
    for (place, partner) in partners.enumerated() {
      let old = partner == RowMatcher.none ? nil : olds.lowerBound + Int(partner)
      pairs.append(
        RowPair(old: old, new: news.lowerBound + place, isMoved: moves?.contains(place) ?? false))
      for row in deleted[place + 1] { pairs.append(RowPair(old: row)) }
    }
  }

  /// The ids of some rows, which must differ, and their places among these.
  private func keys(
    of rows: Range<Int>, in side: Side, _ sources: [Source]
  ) throws(Failure) -> [[UInt8]: Int] {
    var keys: [[UInt8]: Int] = [:]
    for (place, row) in rows.enumerated() {
      var key = ByteBuffer()
      try side.appendKey(row, sources, to: &key)
      if let first = keys.updateValue(place, forKey: key.array()) {
        throw side.repeated(rows.lowerBound + first, row, columns.keys.map(\.name), sources)
      }
    }
    return keys
  }
}

extension SortedMerge.Side {
  /// Appends the text of the id of a row.
  fileprivate func appendKey(_ index: Int, _ sources: [Source], to text: inout ByteBuffer) throws(Failure) {
    let (batch, row) = place(index)
    for column in keys {
      let start = text.beginPart(ofKey: keys.count)
      guard batch.append(comparedTextOf: column, row: row, to: &text) else {
        throw .emptyID(location(index, sources), remedy: [])
      }
      text.endPart(from: start)
    }
  }

  /// The failure for two rows with the same id.
  fileprivate func repeated(_ first: Int, _ second: Int, _ names: [String], _ sources: [Source]) -> Failure {
    let (batch, row) = place(second)
    let key = zip(names, keys).map { name, column in
      var text = ByteBuffer()
      batch.append(comparedTextOf: column, row: row, to: &text)
      return RowKey(column: name, text: text.array())
    }
    return .repeatedID(
      key, first: location(first, sources), second: location(second, sources), remedy: [])
  }

  private func location(_ index: Int, _ sources: [Source]) -> InputError.Location {
    let (batch, row) = place(index)
    return InputError.Location(path: sources[batch.source(ofRow: row)].path, line: batch.line(ofRow: row))
  }
}

extension Rows {
  /// The last rows.
  fileprivate func suffix(_ count: Int) -> Rows {
    var last = Rows()
    for id in ids.suffix(count) {
      let batch = batches[id.batch]
      if last.batches.last !== batch { last.batches.append(batch) }
      last.ids.append(RowID(batch: last.batches.count - 1, row: id.row))
    }
    return last
  }
}

extension ComparisonOptions.Context {
  /// The number of rows before and after each change.
  fileprivate var count: Int {
    switch self {
    case .rows(let count): count
    case .all: .max
    }
  }
}
