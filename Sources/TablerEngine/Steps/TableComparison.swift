/// Compares two tables, and makes the rows that show what became of the older one.
///
/// 1. The rows of both are matched (`RowMatcher`).
/// 2. Those that were moved are found (`Moves`), and all that came, went or may have changed are listed in the order in which
///    they are shown: that of the new table, with each deleted row after the row that was before it.
/// 3. The cells of rows that may have changed are compared, and a batch is made of each portion of the list: a row of the
///    new table, or a deleted one of the old table, with the columns `change`, `from`, `to` and `was`, and the old values of
///    cells that have changed.
struct TableComparison: ~Copyable {
  /// A row that is shown, unless its cells turn out to be equal.
  private struct Entry {
    /// The row in each table, or `RowMatcher.none`.
    var old: UInt32
    var new: UInt32

    /// The number of rows of the new table before it.
    var place: UInt32
    var isMoved = false

    /// Whether it is shown even if nothing became of it.
    var isContext = false

    /// Whether cells may have changed.
    var mayDiffer = false

    /// Whether its old cells are needed.
    var needsOld = false

    /// What became of the row; `nil` if nothing did.
    func change(isUpdated: Bool) -> RowChange? {
      if old == RowMatcher.none { return .insert }
      if new == RowMatcher.none { return .delete }
      return RowChange(isMoved: isMoved, isUpdated: isUpdated)
    }
  }

  private let old: ComparedTable
  private let new: ComparedTable
  private let options: ComparisonOptions
  private var columns: ComparedColumns
  private let tuning: Tuning
  private let budget: Int

  /// The number of the old table among the sources, for messages about its rows.
  private let oldSource: Int

  /// What became of the table.
  private(set) var summary: ComparisonSummary

  /// The first row of the new table that was moved, if changes are only counted.
  private var firstMoved: Int?

  /// The same by columns, if changes are only counted.
  private(set) var counts: [ComparisonSummary.Count] = []

  /// The number of rows that are compared at a time, and their approximate size in bytes.
  private static let portion = 1 << 16
  private static let portionSize = 1 << 25

  /// The cells of rows that are compared at a time.
  private static let mostCells = 1 << 22

  /// The number of rows for which a thread is not worth starting.
  private static let fewRows = 256

  /// The bytes of changes that are held before they go to a temporary file: they are read again only when painted.
  static func heldSize(ofBudget budget: Int) -> Int { min(budget / 4, 1 << 26) }

  /// Prepares to compare two tables.
  init(
    _ old: ComparedTable, _ new: ComparedTable, _ columns: ComparedColumns, _ options: ComparisonOptions,
    oldSource: Int, budget: Int, _ tuning: Tuning
  ) {
    summary = ComparisonSummary(oldCount: old.rows.count, newCount: new.rows.count)
    summary.insertedColumns = columns.inserted.map(\.name)
    summary.deletedColumns = columns.deleted.map(\.name)
    summary.reordersColumns = columns.areReordered
    self.old = old
    self.new = new
    self.columns = columns
    self.options = options
    self.oldSource = oldSource
    self.budget = budget
    self.tuning = tuning
  }
}

extension TableComparison {
  /// Compares the tables.
  ///
  /// - Parameters:
  ///   - matches: the matched rows.
  ///   - cells: compares cells.
  ///   - hidesMoves: whether moves are not shown if they are many.
  ///   - listsLoneColumns: whether a row that has cells in columns that came or went is shown for their sake.
  /// - Returns: the rows that show changes, in order.
  mutating func rows(
    _ matches: RowMatches, comparing cells: inout CellComparison, hidesMoves: Bool,
    listsLoneColumns: Bool
  ) throws(Failure) -> StoredRows {
    if let mistake = matches.oldMistake { throw try failure(mistake, in: old) }
    if let mistake = matches.newMistake { throw try failure(mistake, in: new) }
    let moves = options.moves == .never ? nil : Moves(matches.oldRows)
    summary.moved = moves?.count ?? 0
    let matched = matches.oldRows.count { $0 != RowMatcher.none }
    let isHidden = hidesMoves && options.moves == .auto && summary.moved > 20 && summary.moved > matched / 10
    summary.matched = matched
    summary.hidesMoves = isHidden
    let listsAll = listsLoneColumns && !(columns.inserted.isEmpty && columns.deleted.isEmpty)
    // Rows that only moved are not looked at if nothing shows them.
    var entries = entries(matches, isHidden || options.countsOnly ? nil : moves, listsAll: listsAll)
    if options.countsOnly, let moves, moves.count > 0 {
      firstMoved = matches.oldRows.indices.first { moves.contains($0) }
    }
    do {
      if old.keys.isEmpty {
        let keys = try KeyFinder(columns).keys(of: old, new)
        summary.keyColumn = keys.count == 1 ? keys.first : nil
      }
      if options.context != .rows(0) { entries = try withContext(entries, matches, &cells) }
      return try build(entries, &cells, listsLoneColumns: listsAll)
    } catch { throw Failure(reading: error) }
  }

  /// The rows that may show a change, in the order in which they are shown.
  private mutating func entries(_ matches: RowMatches, _ moves: Moves?, listsAll: Bool) -> [Entry] {
    var entries: [Entry] = []
    let deleted = deletedRows(matches)
    var next = 0
    func addDeleted(after new: Int) {
      while next < deleted.count, deleted[next].after == new {
        entries.append(Entry(old: deleted[next].row, new: RowMatcher.none, place: UInt32(new + 1)))
        next += 1
      }
    }
    addDeleted(after: -1)
    for (row, old) in matches.oldRows.enumerated() {
      let isMoved = moves?.contains(row) ?? false
      if old == RowMatcher.none {
        summary.inserted += 1
        entries.append(Entry(old: old, new: UInt32(row), place: UInt32(row)))
      } else if isMoved || matches.differs(row) || listsAll {
        entries.append(
          Entry(
            old: old, new: UInt32(row), place: UInt32(row), isMoved: isMoved,
            mayDiffer: matches.differs(row),
            needsOld: matches.differs(row) || listsAll))
      }
      addDeleted(after: row)
    }
    summary.deleted = deleted.count
    return entries
  }

  /// The deleted rows, each with the new row after which it is shown: that of the nearest row before it in the old table
  /// that is still there, or -1.
  private func deletedRows(_ matches: RowMatches) -> [(row: UInt32, after: Int)] {
    var deleted: [(row: UInt32, after: Int)] = []
    var after = -1
    for (row, new) in matches.newRows.enumerated() {
      if new == RowMatcher.none { deleted.append((UInt32(row), after)) } else { after = Int(new) }
    }
    // Rows that were moved put their followers out of order; the sort must keep the order of those with one predecessor.
    return deleted.sorted { ($0.after, $0.row) < ($1.after, $1.row) }
  }

  /// Adds unchanged rows around those that have changed.
  private func withContext(
    _ entries: [Entry], _ matches: RowMatches, _ cells: inout CellComparison
  ) throws(SystemError) -> [Entry] {
    var changed: [Entry] = []
    try forEachPortion(of: entries) { (portion, rows) throws(SystemError) in
      for (index, entry) in portion.enumerated()
      where entry.isMoved || !entry.mayDiffer || !cells.changed(rows, index, columns).isEmpty {
        changed.append(entry)
      }
    }
    var isShown = RowBits(rowCount: matches.oldRows.count)
    if case .rows(let count) = options.context {
      var shownEnd = 0
      for entry in changed {
        let place = Int(entry.place)
        let after = entry.new == RowMatcher.none ? place : place + 1
        let end = after + min(count, matches.oldRows.count - after)
        // Changes come in the order of their places: what lies before `shownEnd` is already decided.
        let start = max(shownEnd, place - count)
        if start < end { isShown.insert(start..<end) }
        shownEnd = max(shownEnd, end)
      }
    } else {
      isShown.insert(0..<matches.oldRows.count)
    }
    var all: [Entry] = []
    var row = 0
    func addContext(before end: Int) {
      while row < end {
        if isShown.contains(row) {
          all.append(Entry(old: matches.oldRows[row], new: UInt32(row), place: UInt32(row), isContext: true))
        }
        row += 1
      }
    }
    for entry in changed {
      addContext(before: Int(entry.place))
      if entry.new != RowMatcher.none { row += 1 }
      all.append(entry)
    }
    addContext(before: matches.oldRows.count)
    return all
  }
}

extension TableComparison {
  /// The rows of some entries, side by side.
  struct MatchedPortion {
    /// Those of the old table and of the new one, in order.
    let old: Rows
    let new: Rows

    /// For each entry, its row among those; -1 if it has none.
    let oldPlaces: [Int]
    let newPlaces: [Int]
  }

  /// Calls `body` with some entries at a time, and their rows.
  private func forEachPortion(
    of entries: [Entry], _ body: (ArraySlice<Entry>, MatchedPortion) throws(SystemError) -> Void
  ) throws(SystemError) {
    let (oldRows, newRows) = (RowFetcher(old.rows), RowFetcher(new.rows))
    let weight = max(old.rows.rowWeight, new.rows.rowWeight)
    let most = max(1, min(Self.portion, Self.mostCells / max(columns.width, 1)))
    let size = Tuning.pieceSize(weight, bytes: Self.portionSize, atMost: most)
    for start in stride(from: 0, to: entries.count, by: size) {
      let portion = entries[start..<min(start + size, entries.count)]
      var (oldOrigins, newOrigins): ([Int], [Int]) = ([], [])
      var (oldPlaces, newPlaces): ([Int], [Int]) = ([], [])
      for entry in portion {
        // Cells that are not compared are not fetched.
        let needsOld = entry.old != RowMatcher.none && (entry.new == RowMatcher.none || entry.needsOld)
        oldPlaces.append(needsOld ? oldOrigins.count : -1)
        if needsOld { oldOrigins.append(Int(entry.old)) }
        newPlaces.append(entry.new == RowMatcher.none ? -1 : newOrigins.count)
        if entry.new != RowMatcher.none { newOrigins.append(Int(entry.new)) }
      }
      let (oldPart, newPart) = try Self.fetch(oldRows, oldOrigins, newRows, newOrigins)
      try body(
        portion, MatchedPortion(old: oldPart, new: newPart, oldPlaces: oldPlaces, newPlaces: newPlaces))
    }
  }

  /// The rows at some places in two tables: if they are many, those of both are cut at once.
  private static func fetch(
    _ old: RowFetcher, _ oldOrigins: [Int], _ new: RowFetcher, _ newOrigins: [Int]
  ) throws(SystemError) -> (old: Rows, new: Rows) {
    guard min(oldOrigins.count, newOrigins.count) > fewRows else {
      return (try old.rows(at: oldOrigins), try new.rows(at: newOrigins))
    }
    let fetched = Monitor<[Result<Rows, SystemError>?]>([nil, nil])
    Worker.concurrently(2) { number in
      let (rows, origins) = number == 0 ? (old, oldOrigins) : (new, newOrigins)
      let result = Result { () throws(SystemError) in try rows.rows(at: origins) }
      fetched.access { $0[number] = result }
    }
    let results = fetched.access { $0 }
    return (try results[0]?.get() ?? Rows(), try results[1]?.get() ?? Rows())
  }

  /// Makes the rows that show the changes.
  private mutating func build(
    _ entries: [Entry], _ cells: inout CellComparison, listsLoneColumns: Bool
  ) throws(SystemError) -> StoredRows {
    var built = StoredRows()
    var found = ComparisonSummary.Tallies(columnCount: columns.pairs.count)
    try forEachPortion(of: entries) { (portion, rows) throws(SystemError) in
      var shown: [ChangedRow] = []
      for (index, entry) in portion.enumerated() {
        var changes: [Int] = []
        if entry.mayDiffer { changes = cells.changed(rows, index, columns) }
        var row = ChangedRow(
          change: entry.change(isUpdated: !changes.isEmpty), from: entry.old, to: entry.new, index: index)
        if !changes.isEmpty { found.record(changes, entry.new) }
        if options.countsOnly { continue }
        if row.change == nil, listsLoneColumns, columns.haveLoneCells(rows, index) { row.change = .update }
        guard row.change != nil || entry.isContext else { continue }
        row.changes = changes
        shown.append(row)
      }
      built.append(
        ChangedRowBuilder(
          columns, rows, oldSource: oldSource, listsLoneColumns: listsLoneColumns
        ).rows(shown))
      if built.memory > Self.heldSize(ofBudget: budget) { try built.spill() }
    }
    summary.updated = found.rowCount
    summary.updatedColumns = zip(columns.pairs, found.counts).filter { $1 > 0 }.map { ($0.name, $1) }
    if options.countsOnly { counts = try counts(found, entries) }
    return built
  }

  /// The changes by columns, and by what became of rows.
  private func counts(
    _ found: ComparisonSummary.Tallies, _ entries: [Entry]
  ) throws(SystemError) -> [ComparisonSummary.Count] {
    let (oldRows, newRows) = (RowFetcher(old.rows), RowFetcher(new.rows))
    func first(_ row: UInt32?, _ table: ComparedTable, _ rows: RowFetcher) throws(SystemError) -> [UInt8]? {
      guard let row else { return nil }
      return try key(of: Int(row), in: table, rows)
    }
    var counts: [ComparisonSummary.Count] = []
    for (place, pair) in columns.pairs.enumerated()
    where pair.isCompared && !isKey(pair) && !columns.keys.isEmpty {
      counts.append(
        ComparisonSummary.Count(
          name: pair.name, count: found.counts[place], total: summary.matched,
          first: try first(found.firsts[place], new, newRows)))
    }
    let inserted = entries.first { $0.old == RowMatcher.none }?.new
    let deleted = entries.first { $0.new == RowMatcher.none }?.old
    counts.append(
      ComparisonSummary.Count(
        name: "inserted", count: summary.inserted, total: summary.newCount,
        first: try first(inserted, new, newRows)))
    counts.append(
      ComparisonSummary.Count(
        name: "deleted", count: summary.deleted, total: summary.oldCount,
        first: try first(deleted, old, oldRows)))
    counts.append(
      ComparisonSummary.Count(
        name: "moved", count: summary.moved, total: summary.matched,
        first: try first(firstMoved.map { UInt32($0) }, new, newRows)))
    return counts
  }

  private func isKey(_ pair: ComparedColumns.CommonColumn) -> Bool {
    columns.keys.contains { $0.column.identity == pair.new.identity }
  }

  /// What identifies a row: its `--id`, or its number.
  private func key(
    of row: Int, in table: ComparedTable, _ rows: RowFetcher
  ) throws(SystemError) -> [UInt8] {
    if table.keys.isEmpty { return Array("\(row + 1)".utf8) }
    let found = try rows.rows(at: [row])
    var text = ByteBuffer()
    for (place, key) in table.keys.enumerated() {
      if place > 0 { text.append(",") }
      found.batches[found.ids[0].batch].append(comparedTextOf: key.column, row: found.ids[0].row, to: &text)
    }
    return text.array()
  }
}

extension TableComparison {
  /// The failure for a key that does not identify a row.
  private func failure(
    _ mistake: RowMatches.Mistake, in table: ComparedTable
  ) throws(Failure) -> Failure {
    let rows = RowFetcher(table.rows)
    func place(_ row: Int) throws(Failure) -> (batch: Batch, row: Int, InputError.Location) {
      let found = try Failure.reading { () throws(SystemError) in try rows.rows(at: [row]) }
      let (batch, row) = (found.batches[found.ids[0].batch], found.ids[0].row)
      let path = table.sources[batch.source(ofRow: row)].path
      return (batch, row, InputError.Location(path: path, line: batch.line(ofRow: row)))
    }
    func remedy() throws(Failure) -> [String] {
      try Failure.reading { () throws(SystemError) in try KeyFinder(columns).key(of: old, new) }
    }
    switch mistake {
    case .empty(let row): return .emptyID(try place(row).2, remedy: try remedy())
    case .repeated(let first, let second):
      let (batch, row, location) = try place(second)
      let key = table.keys.map { key in
        var text = ByteBuffer()
        batch.append(comparedTextOf: key.column, row: row, to: &text)
        return RowKey(column: key.name.isEmpty ? "@\(key.column.index + 1)" : key.name, text: text.array())
      }
      return .repeatedID(key, first: try place(first).2, second: location, remedy: try remedy())
    }
  }
}
