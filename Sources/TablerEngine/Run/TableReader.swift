/// Reads the rows of a table through the steps of its plan.
///
/// It alone knows how far the input was read; it owns the columns, which grow with it.
final class TableReader {
  /// The plan.
  let plan: Plan

  /// When rows are taken, held and measured.
  let schedule: Schedule

  /// The steps that process rows.
  private(set) var steps: Steps

  /// The columns.
  private(set) var columns: Columns

  /// Whether records are so long that only a few of them may be drawn at once.
  private(set) var hasLargeBatches = false

  /// Called at once with notices that would come too late at the end of a live stream.
  var listener: ((Notice) -> Void)?

  /// The notices that were not reported at once.
  private(set) var lateNotices: [Notice] = []

  private let tuning: Tuning

  /// The reader of the older table, if rows are compared with one.
  private let old: TableReader?

  /// What `--diff` found.
  private(set) var comparison: ComparisonSummary?

  /// Compares rows while both tables are read; `nil` unless they are merged, and after the merge.
  private var merge: SortedMerge?

  /// The side tables, if there are any.
  let lookups: LookupTables?

  /// The last records, which are not rows, if some are wanted.
  private var footerRecords: FooterRecords?

  /// The beginning of the input.
  let beginning: InputReader.Beginning

  /// The number of the last record of a file that is written back, if it has no line end: 0 is the header.
  private(set) var openRecord: Int?

  /// The source of the batches: from the first on it alone has the reader.
  private let reading: ReadAhead
  /// The batch whose rows come before those of the next one read: those from `start` on.
  private var rest: (batch: Batch, start: Int)?

  /// The batch of whose rows others are made, if some are, and those that were made last.
  private var source: Batch?
  private var made: RowMakers.Made?

  /// The first batch, if changes are replayed over its rows.
  private var first: Batch?

  /// The rows that were added after the last one read.
  private var added: Batch?
  private var isAtEnd = false

  /// The number of notices reported while rows passed.
  private var saidCount = 0

  /// Whether an interrupt waits until the current rows are drawn.
  private var holdsInterrupts = false

  /// Creates the reader of a resolved plan.
  ///
  /// - Parameter old: the reader of the older table, if rows are compared with one.
  init(_ resolution: consuming Resolution, old: TableReader? = nil) {
    self.old = old
    plan = resolution.plan
    tuning = resolution.tuning
    schedule = resolution.schedule
    steps = resolution.steps
    columns = resolution.columns
    lookups = resolution.lookups
    beginning = resolution.input.beginning
    if let table = plan.pivoted { lateNotices += table.notices }
    if let name = resolution.numberName { lateNotices.append(.numberIsName(name)) }
    footerRecords = resolution.footerRecords
    if footerRecords == nil {
      if steps.replayer == nil { rest = resolution.first.map { ($0, 0) } } else { first = resolution.first }
    }
    reading = ReadAhead(resolution.input, resolution.waitsForPauses ? tuning.onOneThread : tuning)
    if let first = resolution.first { _ = footerRecords?.add(first) }
    if let header = beginning.header { lookAtEnd(of: header, count: 0) }
    if let first = resolution.first { lookAtEnd(of: first, count: first.rowCount) }
    if steps.isFull, let rest {
      if !steps.readsOn, !readsAll { reading.endInput(after: 0, of: rest.batch) }
      columns.adopt(steps.readsOn ? reading.schema(through: 0, of: rest.batch) : reading.schema)
    }
    if !steps.makers.isEmpty, let first = rest.take() { make(of: first.batch) }
  }

  /// Whether records are read that no shown row needs: the last of them, or to count them.
  private var readsAll: Bool { footerRecords != nil || plan.output.isInPlace || steps.replayer != nil }

  /// The threads of the run.
  var crew: Crew { reading.crew }

  /// Whether the input had no bytes from which to make a table.
  var isWithoutTable: Bool { beginning.isEmpty && columns.known.count == 0 }

  /// Whether the first input begins with a byte order mark of UTF-8.
  var hasMark: Bool { beginning.hasMark }

  /// The line that names the delimiter for Excel, which a file that is written back keeps along with its delimiter.
  var delimiterLine: [UInt8] {
    let output = plan.output
    let keepsDelimiter = output.delimiter ?? beginning.dialect.delimiter == beginning.dialect.delimiter
    return output.isInPlace && output.form == .csv && keepsDelimiter ? beginning.delimiterLine : []
  }

  /// Whether JSON is written as one array: as it was read if it is written back, otherwise as requested.
  var writesArray: Bool { plan.output.isInPlace ? beginning.isArray : plan.output.form == .json }

  /// What painters of data need to know about the input.
  var profile: InputProfile { profile(columns.begun) }

  /// What painters of data need to know about the input, if they write other columns.
  func profile(_ schema: Schema) -> InputProfile {
    InputProfile(
      dialect: beginning.dialect, schema: schema, hasTitles: beginning.hasTitles, marks: plan.marks,
      nullWords: plan.input.nullWords.map { Array($0.utf8) }, isFlattened: plan.input.isFlattened,
      quotedEmptyIsText: plan.input.quotedEmptyIsText)
  }

  /// The columns of everything that was read so far.
  func schemaSoFar() -> Schema { reading.schema }

  /// The place of the titles, if the input has a header.
  var headerPlace: RowPlace? {
    beginning.header.map { RowPlace(source: 0, line: $0.line(ofRow: 0), number: 0) }
  }

  /// Whether rows are written as they come, and the next may take long.
  var awaitsInput: Bool { awaitsRows || merge != nil && old?.awaitsRows ?? false }

  /// Whether the next rows of this table may take long.
  private var awaitsRows: Bool {
    rest == nil && reading.isLive && !reading.isReady && !(steps.replayer?.isReady ?? false)
  }

  /// Reads what must be known before the first row is drawn: all rows, or the first ones.
  func read() throws(Failure) -> ShownTable {
    switch schedule.taking {
    case .asTheyCome(let count): try readFirstRows(count)
    case .all: try readAllRows()
    case .allForWidths: try readAllRowsMeasuring()
    }
  }

  /// The table with its first `count` rows; the others are read while these are painted.
  private func readFirstRows(_ count: Int) throws(Failure) -> ShownTable {
    if let old, let comparer = steps.comparer { columns.show(try beginMerge(old, comparer), changed: []) }
    let (rows, lookAhead) = try firstRows(count)
    var table = try newTable()
    table.rows = rows
    table.hasAllRows = false
    // Whether they are known must not depend on how much was read.
    if rows.count < count, let footerRecords, footerRecords.isOver {
      table.showFooterRows(footerRows)
    } else {
      table.expectFooterRows(schedule.keepsColumns ? plan.input.footerLines : 0)
    }
    table.lookAhead = lookAhead
    try table.forEachPiece { rows in reportLateKeys(of: rows) }
    try table.recordAllRows()
    return table
  }

  /// The table with all its rows, of which not all may be measured later.
  private func readAllRows() throws(Failure) -> ShownTable {
    let rows: any RowStore
    if let comparer = steps.comparer, let old {
      rows = try gatherChanges(old, comparer)
    } else {
      rows = try gather()
    }
    var table = try newTable()
    table.rows = rows
    table.showFooterRows(footerRows)
    if let limit = schedule.measuring.limit, rows.count > limit { table.lookAhead = schedule.measuring }
    if table.lookAhead == .all, table.measuresSections || !rows.isMerged {
      table.beginFindingSections()
    }
    try table.recordAllRows()
    table.endFindingSections()
    return table
  }

  /// The table with all its rows, measured as they come if they are shown as they come.
  private func readAllRowsMeasuring() throws(Failure) -> ShownTable {
    if !schedule.needsAllRows { Progress.measuresOnly() }
    var table = try newTable()
    table.beginFindingSections()
    let inOrder = steps.showsRowsAsGathered
    table.isMeasured = inOrder || steps.showsAllRows && !table.texts.contains(where: \.dependsOnOrder)
    let isMeasured = table.isMeasured && table.measuresRows
    var measuring = MeasuringCrew(table.measures, reading.crew, tuning)
    table.rows = try gather { (rows, count) throws(Failure) in
      if isMeasured { measuring.measure(rows, firstNumber: count + 1) }
      if inOrder { try table.recordRows(rows) }
    }
    table.measures = measuring.finish()
    table.showFooterRows(footerRows)
    if !inOrder { try table.recordAllRows() }
    table.endFindingSections()
    return table
  }

  /// A table of the known columns, without rows.
  private func newTable() throws(Failure) -> ShownTable {
    var table = try ShownTable(&columns, plan, schedule)
    table.sections = try steps.sections(of: table.columns, table.schema)
    return table
  }

  /// The next rows that the steps keep, in a batch or more; `nil` at the end, and after a timeout.
  private func next() throws(Failure) -> Rows? {
    guard !isAtEnd, !steps.isFull else {
      if !isAtEnd { try readOn() }
      return nil
    }
    guard let (batch, start) = try nextRecords() else {
      if reading.isPaused { return nil }
      adoptColumnsOfFooter()
      return try heldRows()
    }
    if batch.isLarge { hasLargeBatches = true }
    if reading.schema.hasTypes || steps.hasRules { try steps.adoptColumns(of: reading.schema) }
    let passed = try steps.pass(batch.droppingRows(before: start))
    let end = start + passed.examinedCount
    let last = passed.lastNeeded.map { start + $0 }
    if made?.batch === batch, end > 0 { steps.settleMade(through: last ?? end - 1) }
    // A row that was added is in no batch that was read, nor is one that was held until all had been read.
    if batch === added || made?.batch === batch && (made?.read == nil || made?.read === added) {
      if end < batch.rowCount { rest = (batch, end) }
      columns.adopt(reading.schema)
    } else {
      keepRest(of: batch, from: end, lastNeeded: last)
      adoptColumns(of: batch, lastNeeded: last)
    }
    columns.findNames(in: batch, count: end)
    if let made, made.batch === batch, let read = made.read {
      columns.findNames(in: read, count: end == 0 ? 0 : Int(made.sources[end - 1]) + 1)
    }
    try throwFailure()
    if plan.input.isFollowed, let listener { for finding in steps.takeFindings() { listener(finding) } }
    return passed.rows
  }

  /// Ends the input if nothing after a row is needed; otherwise keeps the rows of a batch from `end` on for the next
  /// call.
  private func keepRest(of batch: Batch, from end: Int, lastNeeded last: Int?) {
    if let last, !readsAll, !steps.readsOn {
      let place = place(ofRow: last, of: batch)
      reading.endInput(after: place.row, of: place.batch)
    } else if end < batch.rowCount {
      rest = (batch, end)
      if steps.replayer == nil {
        let place = place(ofRow: end, of: batch)
        if place.row > 0 { reading.split(place.batch, at: place.row) }
      }
    }
  }

  /// Adopts the columns that were met by now: up to the last row needed if those after it are only checked, up to
  /// the end of the batch if those after it may belong to the footer, otherwise all that were read.
  private func adoptColumns(of batch: Batch, lastNeeded last: Int?) {
    if steps.replayer != nil {
      columns.adopt(reading.schema)
    } else if steps.readsOn, let last {
      columns.adopt(schema(through: last, of: batch))
    } else if let footerRecords, !footerRecords.isOver {
      let read = made?.batch === batch ? made?.read ?? batch : batch
      columns.adopt(reading.schema(through: read.rowCount - 1, of: read))
    } else {
      columns.adopt(reading.schema)
    }
  }

  /// Where a row was when it was read, if others were made of it.
  private func place(ofRow row: Int, of batch: Batch) -> (batch: Batch, row: Int) {
    guard let made, let read = made.read, made.batch.identity == batch.identity else { return (batch, row) }
    return (read, Int(made.sources[row]))
  }

  /// The columns without those that first appear after a row.
  private func schema(through row: Int, of batch: Batch) -> Schema {
    let place = place(ofRow: row, of: batch)
    return reading.schema(through: place.row, of: place.batch)
  }

  /// The records to be examined next: those of a batch from `start` on; `nil` at the end, and after a timeout.
  private func nextRecords() throws(Failure) -> (batch: Batch, start: Int)? {
    if let left = rest.take() { return left }
    while true {
      if let made = try steps.nextMade() {
        self.made = made
        return (made.batch, 0)
      }
      findNamesOfSource()
      let records = try nextReplayed().map { ($0, 0) } ?? addedRows()
      guard !steps.makers.isEmpty else { return records }
      guard let records else {
        if reading.isPaused { return nil }
        if steps.endMaking() { continue }
        steps.settleMade(through: nil)
        return nil
      }
      make(of: records.batch)
    }
  }

  /// Takes the next rows of which others are made.
  private func make(of batch: Batch) {
    source = batch
    if steps.makers.holdsRows, !steps.isFull { columns.adopt(reading.schema) }
    steps.make(of: batch)
  }

  /// Finds names in rows of which all others were made: perhaps none was.
  private func findNamesOfSource() {
    if let batch = source.take(), !steps.isFull { columns.findNames(in: batch, count: batch.rowCount) }
  }

  /// Reads what follows the last row shown: rows that must be valid, and records of the footer.
  private func readOn() throws(Failure) {
    guard steps.readsOn else {
      if readsAll { try readOtherRecords() }
      return
    }
    while let (batch, start) = try nextRecords() {
      try steps.adoptColumns(of: reading.schema)
      let end = start + (try steps.pass(batch.droppingRows(before: start))).examinedCount
      if end < batch.rowCount { rest = (batch, end) }
      try throwFailure()
    }
  }

  /// The rows that are added when the input has ended; `nil` before that, and after the first call.
  private func addedRows() -> (batch: Batch, start: Int)? {
    if reading.isPaused { return nil }
    let batch = steps.takeAddedRows(after: reading.progress.rowCount, beginning.dialect)
    added = batch ?? added
    return batch.map { ($0, 0) }
  }

  /// The first rows as they are read, before any step, and the columns that are known by the last of them.
  ///
  /// - Parameter count: the number of rows; how much is read at once makes no difference.
  func sample(_ count: Int) throws(Failure) -> (rows: [(batch: Batch, count: Int)], schema: Schema) {
    var rows: [(batch: Batch, count: Int)] = []
    var left = count
    var next = rest?.batch
    while left > 0 {
      if next == nil { do { next = try nextBatch() } catch { throw .input(error) } }
      guard let batch = next.take() else { break }
      rows.append((batch, min(left, batch.rowCount)))
      left -= batch.rowCount
    }
    guard left <= 0, let last = rows.last else { return (rows, reading.schema) }
    return (rows, reading.schema(through: last.count - 1, of: last.batch))
  }

  /// The next batch over which changes were replayed, if there are any; `nil` at the end, and after a timeout.
  private func nextReplayed() throws(Failure) -> Batch? {
    while true {
      if let batch = try steps.nextReplayed() { return batch }
      if steps.replayer?.isOver ?? false { return nil }
      let batch: Batch?
      do { batch = try nextBatch() } catch { throw .input(error) }
      guard steps.replayer != nil else { return batch }
      if let batch {
        try steps.replay(over: batch)
        try throwFailure()
      } else {
        if reading.isPaused { return nil }
        try steps.endReplay()
      }
    }
  }

  /// The next batch that does not belong to the footer; `nil` at the end, and after a timeout.
  private func nextBatch() throws(InputError) -> Batch? {
    if footerRecords == nil { return try readBatch() }
    while true {
      if let batch = footerRecords?.next() { return batch }
      if footerRecords?.isOver ?? true { return nil }
      guard let batch = try readBatch() else {
        footerRecords?.finish()
        continue
      }
      if let hasRoom = footerRecords?.add(batch), !hasRoom {
        let path = plan.sources[batch.source(ofRow: 0)].path
        throw .recordTooLong(InputError.Location(path: path, line: batch.line(ofRow: 0)))
      }
    }
  }

  /// The next batch that is read.
  private func readBatch() throws(InputError) -> Batch? {
    if let first = first.take() { return first }
    guard let batch = try reading.next() else { return nil }
    lookAtEnd(of: batch, count: batch.rowCount)
    return batch
  }

  /// Records whether the last of `count` rows of a batch, or the header, has no line end and may be written
  /// without one.
  private func lookAtEnd(of batch: Batch, count: Int) {
    guard plan.output.endsOpen else { return }
    var end = Int(batch.recordStarts[batch.rowCount])
    // Blanks after an object do not belong to it.
    while batch.origin.dialect.form == .json, end > 0, [32, 9].contains(batch.block[end - 1]) { end -= 1 }
    if batch.hasRecordEnd(before: end) { return }
    openRecord = count == 0 ? 0 : batch.rowNumber(ofRow: count - 1)
  }

  /// Reads to the end without processing any more rows.
  private func readOtherRecords() throws(Failure) {
    rest = nil
    while try nextReplayed() != nil {}
    adoptColumnsOfFooter()
  }

  /// Adopts the columns that only the last records have, which are not rows: these may come in a batch of their own.
  private func adoptColumnsOfFooter() {
    guard let footerRecords, footerRecords.isOver else { return }
    columns.adopt(reading.schema)
    for batch in footerRecords.last { columns.findNames(in: batch, count: batch.rowCount) }
  }

  /// The last records of the input, which are not rows, as lines of the footer; known once there are no more rows.
  ///
  /// None if the columns are no longer those of the input: its cells would be below others.
  var footerRows: [Rows] {
    schedule.keepsColumns ? footerRecords?.last.map { Rows($0) } ?? [] : []
  }

  /// The notice that the last records of the input are not shown, or not compared.
  var footerNotices: [Notice] {
    let count = footerRecords?.last.reduce(0) { $0 + $1.rowCount } ?? 0
    if count == 0 || schedule.keepsColumns && plan.comparison == nil { return [] }
    return [schedule.keepsColumns ? .footerNotCompared(count) : .footerLeftOut(count)]
  }

  /// Throws the failure of the steps, if there is one.
  private func throwFailure() throws(Failure) {
    if steps.mayFail, let failure = steps.failure { throw failure }
  }

  /// The next of the rows that steps held until no more came.
  private func heldRows() throws(Failure) -> Rows? {
    let rows = try steps.releaseHeldRows()
    try throwFailure()
    return rows
  }

  /// The next rows to be painted, and the keys that came with them.
  func rowsToPaint() throws(Failure) -> Rows? {
    guard let rows = try nextShown() else { return nil }
    reportLateKeys(of: rows)
    return rows
  }

  /// The keys that came with the rows to be drawn next, if records of JSON are drawn with their own.
  func takeGrowth() throws(Failure) -> KeyGrowth? { try columns.takeGrowth() }
}

extension TableReader {
  /// How long the input may pause before the current rows are drawn, in milliseconds.
  private static let pause = 300

  /// The longest time that the first row may wait, however steadily others come, in milliseconds.
  private static let longestWait = 500

  /// Reads all groups of a pivoted table, with the totals of its rows and the row of a group without any.
  func groups() throws(Failure) -> (
    rows: any RowStore, schema: Schema, keyCount: Int, totals: Rows, none: Rows
  ) {
    let rows = try gather()
    guard let grouper = steps.grouper, let known = steps.pivotTotals else {
      return (rows, reading.schema, 0, Rows(), Rows())
    }
    var totals = Rows()
    if var grouped = known.totals {
      while let more = try grouped.release(room: .max) { totals.append(more) }
      if let failure = grouped.failure(plan.sources) { throw failure }
    }
    var empty = known.none
    empty.takeTypes(of: grouper)
    return (rows, grouper.schema, grouper.keyCount, totals, try empty.release(room: .max) ?? Rows())
  }

  /// Reads everything and sorts it.
  ///
  /// - Parameter look: called with rows as they come, and the number of those before them.
  private func gather(
    _ look: (Rows, Int) throws(Failure) -> Void = { (_, _) throws(Failure) in }
  ) throws(Failure) -> any RowStore {
    var count = 0
    while let more = try next() {
      try look(more, count)
      count += more.count
      try steps.gather(more)
    }
    isAtEnd = true
    reading.stop()
    if schedule.holding == .sorted { Progress.enter(.sorting, rows: count) }
    let rows = try steps.finish()
    try throwFailure()
    return rows
  }

  /// Reads all rows, and compares them with those of an older table.
  ///
  /// If the columns of both are known, rows are matched while they are read.
  ///
  /// - Returns: the rows that show changes.
  private func gatherChanges(_ old: TableReader, _ comparer: Comparer) throws(Failure) -> any RowStore {
    if schedule.mergesChanges { return try gatherMerged(old, comparer) }
    var after = try comparedTable()
    var before = try old.comparedTable(keys: after.keys.map(\.name))
    var compared = ComparedColumns(before, after, comparer.columns)
    compared.ignore(try columns.ignored())
    var cells = try comparison(of: compared, before, after, old, comparer)
    // A list names rows as they are spelled, or they would not be found again.
    let asDeclared = !plan.output.form.isJSON
    var matcher = RowMatcher(
      before, after, compared, cells, asDeclared: asDeclared, budget: comparer.budget, least: tuning.groupRoom
    )
    let isOnTheWay = old.matchesOnTheWay && matchesOnTheWay
    let known = (before.schema.count, after.schema.count)
    if isOnTheWay {
      old.reading.keyReading = matcher.keyReading(isOld: true)
      reading.keyReading = matcher.keyReading(isOld: false)
    }
    let oldRows = try old.gather { (rows, _) throws(Failure) in
      if isOnTheWay { try matcher.addOld(rows, old.reading.keys) }
    }
    let newRows = try gather { (rows, _) throws(Failure) in
      if isOnTheWay { try matcher.addNew(rows, reading.keys) }
    }
    if let place = old.steps.disorder ?? steps.disorder { throw .outOfOrder(place) }
    after = try comparedTable()
    before = try old.comparedTable(keys: after.keys.map(\.name))
    (before.rows, after.rows) = (try old.stored(oldRows), try stored(newRows))
    if !isOnTheWay || known != (before.schema.count, after.schema.count) {
      compared = ComparedColumns(before, after, comparer.columns)
      compared.ignore(try columns.ignored())
      cells = try comparison(of: compared, before, after, old, comparer)
      matcher = RowMatcher(
        before, after, compared, cells, asDeclared: asDeclared, budget: comparer.budget,
        least: tuning.groupRoom)
      try matcher.addRows(of: before, after)
    }
    var comparison = TableComparison(
      before, after, compared, comparer.options, oldSource: plan.sources.count - 1, budget: comparer.budget,
      tuning)
    let changes = try comparison.rows(
      try matcher.finish(), comparing: &cells,
      hidesMoves: plan.output.form.isDisplay && !comparer.options.countsOnly,
      listsLoneColumns: plan.output.form.isJSON)
    try end(comparison.summary, cells.failures, cells.tallies, old)
    if comparer.options.countsOnly {
      var counts = StoredRows()
      counts.append(comparer.rows(comparison.counts, source: plan.sources.count - 1))
      return steps.wanted(of: counts)
    }
    columns.show(compared, changed: comparison.summary.updatedColumns.map(\.name))
    return wanted(of: changes)
  }

  /// Reads all rows, and compares them with those of an older table that come in the same order.
  ///
  /// - Returns: the rows that show changes.
  private func gatherMerged(_ old: TableReader, _ comparer: Comparer) throws(Failure) -> any RowStore {
    let compared = try beginMerge(old, comparer)
    var changes = StoredRows()
    while let rows = try nextShown() {
      changes.append(rows)
      if changes.memory > TableComparison.heldSize(ofBudget: comparer.budget) {
        try Failure.reading { () throws(SystemError) in try changes.spill() }
      }
    }
    columns.show(compared, changed: comparison?.updatedColumns.map(\.name) ?? [])
    return wanted(of: changes)
  }

  /// The changes that are shown.
  private func wanted(of changes: StoredRows) -> any RowStore {
    let wanted = steps.wanted(of: changes)
    if wanted.count < changes.count { lateNotices.append(.changesShown(wanted.count, of: changes.count)) }
    return wanted
  }

  /// Prepares to compare cells with those of an older table.
  private func comparison(
    of compared: ComparedColumns, _ before: ComparedTable, _ after: ComparedTable, _ old: TableReader,
    _ comparer: Comparer
  ) throws(Failure) -> CellComparison {
    var (oldBinder, newBinder) = (old.columns.binder, columns.binder)
    return try CellComparison(
      comparer.options, compared, old: &oldBinder, new: &newBinder,
      marksEmpty: before.tellsNull && after.tellsNull)
  }

  /// Prepares to compare rows with those of an older table while both are read.
  private func beginMerge(_ old: TableReader, _ comparer: Comparer) throws(Failure) -> ComparedColumns {
    let after = try comparedTable()
    let before = try old.comparedTable(keys: after.keys.map(\.name))
    var compared = ComparedColumns(before, after, comparer.columns)
    compared.ignore(try columns.ignored())
    let cells = try comparison(of: compared, before, after, old, comparer)
    guard let oldOrder = old.steps.verifiedOrder, let newOrder = steps.verifiedOrder else { return compared }
    merge = SortedMerge(
      (before, oldOrder), (after, newOrder), compared, comparer.options, comparing: cells,
      listsLoneColumns: plan.output.form.isJSON)
    return compared
  }

  /// The next rows that are shown: those that the steps keep, or that show changes.
  ///
  /// - Returns: `nil` at the end, and after a timeout, which a merge never has.
  private func nextShown() throws(Failure) -> Rows? {
    guard schedule.mergesChanges, let old else { return try next() }
    if merge == nil { return nil }
    let rows = try merge?.next(
      old: { () throws(Failure) in try old.nextInOrder() }, new: { () throws(Failure) in try nextInOrder() })
    if let rows { return rows }
    defer { merge = nil }
    if merge?.isStoppedByOld ?? false, let place = old.steps.disorder { throw .outOfOrder(place) }
    if merge?.isStoppedByNew ?? false, let place = steps.disorder { throw .outOfOrder(place) }
    if let summary = merge?.summary, let failures = merge?.failures, let tallies = merge?.tallies {
      try end(summary, failures, tallies, old)
    }
    return nil
  }

  /// The next rows, up to the first that is out of order.
  private func nextInOrder() throws(Failure) -> SortedMerge.OrderedPiece? {
    guard var rows = try next() else { return nil }
    guard let place = steps.disorder else { return SortedMerge.OrderedPiece(rows: rows, isBroken: false) }
    reading.stop()
    let end = rows.ids.firstIndex { id in
      let batch = rows.batches[id.batch]
      return batch.line(ofRow: id.row) == place.line
        && plan.sources[batch.source(ofRow: id.row)].path == place.path
    }
    rows.ids = Array(rows.ids.prefix(end ?? 0))
    return SortedMerge.OrderedPiece(rows: rows, isBroken: true)
  }

  /// Records what a comparison found.
  ///
  /// - Throws: the failure of an expression, or a misfit if these end the run.
  private func end(
    _ summary: ComparisonSummary, _ failures: (old: EvaluationFailure?, new: EvaluationFailure?),
    _ tallies: [ConversionTally], _ old: TableReader
  ) throws(Failure) {
    if let failure = failures.old?.failure(old.plan.sources) ?? failures.new?.failure(plan.sources) {
      throw failure
    }
    let misfits = GatheredMisfits(tallies).notices(
      plan.sources, rowCount: readRowCount, plan.marks, hasDateFormat: plan.dateFormat != nil)
    if steps.stopsAtMisfits, let failure = Outcome(notices: misfits).misfit { throw failure }
    lateNotices += old.notices + old.stepNotices + misfits
    comparison = summary
  }

  /// Whether columns may come with any row.
  var isOpen: Bool { columns.known.isOpen }

  /// Whether rows come in their final order, with columns that are known.
  private var matchesOnTheWay: Bool { !columns.known.isOpen && steps.gathersInOrder }

  /// The table to be compared with another one, without rows.
  ///
  /// - Parameter keys: the names of the columns that identify rows in the other table.
  private func comparedTable(keys: [String]? = nil) throws(Failure) -> ComparedTable {
    let (schema, shown, keys) = try columns.compared(keys: keys)
    return ComparedTable(
      schema: schema, shown: shown, keys: keys, dialect: beginning.dialect, sources: plan.sources,
      quotedEmptyIsText: plan.input.quotedEmptyIsText)
  }

  /// Rows that can be fetched from any places.
  private func stored(_ rows: any RowStore) throws(Failure) -> StoredRows {
    if let rows = rows as? StoredRows { return rows }
    var stored = StoredRows()
    if let rows = rows.inMemory {
      stored.append(rows)
      return stored
    }
    let budget = (steps.comparer?.budget ?? 0) / 4
    do {
      try rows.forEachPiece(failing: \.self) { (rows, _) throws(SystemError) in
        stored.append(rows)
        if stored.memory > budget { try stored.spill() }
      }
    } catch { throw Failure(reading: error) }
    return stored
  }

  /// The number of rows from which on a pause of the input is not waited for before they are drawn; `nil` if it is.
  ///
  /// A pager is started when there is more than a screen to show.
  private var rowsThatMayShow: Int? { plan.input.isFollowed ? 1 : plan.output.paging?.lines }

  /// The rows that are examined before the first is drawn, and the look-ahead.
  ///
  /// Under `--follow` the input need not have them all: from the first row on a pause is enough, or half a
  /// second. Rows held are drawn before an interrupt ends the run (R67). The columns of JSON are those of
  /// these rows, however much was read.
  private func firstRows(_ wanted: Int) throws(Failure) -> (any RowStore, LookAhead) {
    var rows = StoredRows()
    var start: Int?
    var isOverdue = false
    while rows.count < wanted {
      if rows.count >= rowsThatMayShow ?? .max {
        if start == nil, plan.input.isFollowed { holdInterrupts() }
        let since = start ?? Process.milliseconds
        start = since
        let left = Self.longestWait - (Process.milliseconds - since)
        isOverdue = left <= 0
        if isOverdue { break }
        reading.timeout = min(Self.pause, left)
      }
      if rows.memory > schedule.roomForFirst {
        do { try rows.spill() } catch { throw .spill(error) }
      }
      guard let more = try nextShown() else { break }
      let missing = wanted - rows.count
      if columns.known.isOpen, schedule.lateColumns != .none, more.count >= missing {
        let last = more.ids[missing - 1]
        let batch = more.batches[last.batch]
        let isLast =
          steps.releasesMovedRows || steps.replayer != nil || steps.hasAdded(last.row, of: batch)
        columns.begin(with: isLast ? reading.schema : schema(through: last.row, of: batch))
      }
      rows.append(more)
    }
    reading.timeout = nil
    let measured = schedule.measuring.count(of: rows.count)
    let isWhole = steps.isFull || rows.count < wanted && !reading.isPaused && !isOverdue
    return (rows.held ?? rows, isWhole && measured == rows.count ? .all : .first(measured))
  }

  /// Makes an interrupt wait until the current rows are drawn.
  private func holdInterrupts() {
    holdsInterrupts = true
    Process.holdInterrupts(true)
  }

  /// Lets an interrupt end the run again, once the rows it waited for are drawn.
  func releaseInterrupts() {
    guard holdsInterrupts else { return }
    holdsInterrupts = false
    Process.holdInterrupts(false)
  }
}

extension TableReader {
  /// The notices about the input and the columns.
  var notices: [Notice] {
    lateNotices + inputNotices + columns.notices(hasRows: reading.progress.rowCount > 0)
  }

  /// The notices about the input; that lines were left out as requested matters only if rows are written as data.
  var inputNotices: [Notice] {
    // What a lone object holds has become rows.
    let explodes = steps.makers.steps.contains { $0 is Exploder }
    let notices = reading.notices.filter { if case .loneObject = $0 { !explodes } else { true } }
    let ofForms = [plan.layout.preamble, plan.layout.postamble].flatMap { $0?.notices ?? [] }
    let ofTables = ofForms.map(Notice.input) + (lookups?.notices ?? [])
    if notices.isEmpty { return ofTables }
    return ofTables
      + notices.filter { notice in
        if case .delimiterLine = notice, !delimiterLine.isEmpty { return false }
        return !(notice.isOfOtherLines && plan.output.form.isDisplay)
      }.map(Notice.input)
  }

  /// The notices of the steps about rows that are only compared.
  var stepNotices: [Notice] {
    let found = steps.findings
    // What is not valid in an old table need not be said any more.
    let notices = found.notices.filter { notice in
      switch notice {
      case .finding, .findings: false
      default: true
      }
    }
    return notices
      + GatheredMisfits(found.tallies).notices(
        plan.sources, rowCount: readRowCount, plan.marks, hasDateFormat: plan.dateFormat != nil)
  }

  /// The number of rows read.
  var readRowCount: Int { reading.progress.rowCount }

  /// The rows of a file that is written back that it no longer has.
  ///
  /// - Parameter count: the number of rows written, besides the last records of the input.
  func leftOutRows(writing count: Int) -> LeftOut {
    var total = reading.progress.rowCount + (added?.rowCount ?? 0) + (steps.replayer?.insertedCount ?? 0)
    for notice in reading.notices { total += notice.leftOutRows }
    let footerCount = footerRows.reduce(0) { $0 + $1.count }
    return LeftOut(count: total - footerCount - count, total: total - footerCount)
  }

  /// The notices about what a file that is written back lost, or that it is unchanged.
  func losses(_ rows: LeftOut, _ path: FilePath) throws(Failure) -> [Notice] {
    let columns = try columns.leftOut()
    var notices: [Notice] = []
    let emptyLines = reading.emptyLineCount
    if rows.count + columns.count + emptyLines > 0 {
      notices.append(.leftOut(path: path, rows: rows, columns: columns, emptyLines: emptyLines))
    }
    if rows.total > 0, !steps.hasChangedCells,
      plan.changesCells && !plan.input.isTrimmed || plan.changesNothing,
      notices.isEmpty || plan.changesCells
    {
      notices.append(.unchanged(path: path))
    }
    return notices
  }

  /// The number of keys that are reported at once; if there are more, the others are counted at the end.
  private static let mostReports = 10

  /// Reports the keys of rows for which the table, begun without them, has no column.
  private func reportLateKeys(of rows: Rows) {
    for key in columns.takeLateKeys(of: rows) {
      let place = InputError.Location(path: plan.sources[key.source].path, line: key.line)
      let notice = Notice.input(.lateKey(key.name, place))
      if let listener, saidCount < Self.mostReports {
        saidCount += 1
        listener(notice)
      } else {
        lateNotices.append(notice)
      }
    }
  }
}
