/// Replays a list of changes over the rows of the input, before every other step: `--apply`.
///
/// 1. The changes of each row that comes are found by its id, or by its position if rows have none, and compared
///    with what the row holds.
/// 2. If no row moves, rows are changed as they come, and others are inserted between them: a change that does not
///    fit ends the run before anything is written.
/// 3. If rows move, or changes that do not fit are left out (`--rejects`), the rows are held as they came until the
///    last one is known.
struct ChangeReplayer: Step {
  let list: ChangeList

  /// Finds the changes of rows.
  private var checker: ChangeChecker
  private let budget: Int

  /// The number of the source that stands for the inserted rows.
  private let source: Int

  /// How the input is written.
  private let dialect: Dialect

  /// Whether an empty text is not null.
  private let quotedEmptyIsText: Bool

  /// Whether rows are held until the last one has come.
  let holdsRows: Bool

  /// The file for changes that do not fit; without one all must fit.
  private let rejects: FilePath?

  /// The number of rows that were passed on.
  private var position = 0

  /// The changes that give a row its position, and how many of them did.
  private var slots: [Int]
  private var slot = 0

  /// The rows that were made last to be inserted, their slots, and the first that was not requested.
  private var inserted: (batch: Batch, slots: [Int], next: Int)?

  /// The number of rows that were inserted.
  private(set) var insertedCount = 0

  /// The held rows, their changes and the rows that do not stay where they are, by their numbers from 0.
  private var held: StoredRows
  private var heldUpdates: [(row: Int, change: Int)] = []
  private var heldLeaving: [(row: Int, change: Int)] = []

  /// The held rows in the order in which they are passed on, once all have come.
  private var release: Release?

  /// The held rows while they are passed on.
  private struct Release {
    let rows: RowFetcher
    let count: Int
    let updates: [Int: Int]

    /// The rows that do not stay where they are, in order, and the rows of moves.
    let leaving: [Int]
    let origins: [Int: Int]
    var passedLeaving = 0
    var next = 0
  }

  /// The rows of the last batch while they are passed on, if they are not held.
  private var passing: Passing?

  /// The rows of a batch while they are passed on.
  private struct Passing {
    /// The batch, with its updates.
    let parts: [Batch]

    /// The rows that do not stay, in order.
    let leaving: [UInt32]

    /// The number of rows.
    let count: Int

    /// The next row, how many of those before it did not stay, its part, and the first row of that.
    var row = 0
    var gone = 0
    var part = 0
    var start = 0
  }

  /// The batches that can be passed on.
  private var ready: [Batch] = []
  private var readyStart = 0

  /// Whether the last row has come.
  private(set) var isOver = false

  /// The maximum number of notes on cells that are made together.
  private static let mostNotes = 1 << 20

  /// Binds the list of a plan to the columns of the input, which get those that come; `nil` if there is none.
  ///
  /// - Parameter dialect: how the input is written.
  init?(_ plan: borrowing Plan, _ dialect: Dialect, _ binder: inout Binder) throws(Failure) {
    guard let changes = plan.changes else { return nil }
    (list, source) = changes
    self.dialect = dialect
    quotedEmptyIsText = plan.input.quotedEmptyIsText
    budget = plan.memory
    rejects = plan.replay?.rejects
    // If columns may come with any row, they must not depend on how many rows were read.
    let mayGrow = binder.schema.isOpen && (plan.head != nil || plan.lookAhead != .all)
    holdsRows = rejects != nil || list.movesRows || mayGrow
    if plan.input.isFollowed, holdsRows { throw .changesUnderFollow }
    checker = try ChangeChecker(list, plan, &binder)
    slots = list.slots
    held = StoredRows()
  }

  var states: [EvaluationState] { checker.states }

  /// A message may name the line of a row.
  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands {
    plan.replay == nil ? [] : [.places, .records]
  }

  /// Nothing may be written before the last change was found to fit.
  static func optionNeedingAllRows(of plan: borrowing Plan) -> PlannedStep.Work? {
    guard let replay = plan.replay, replay.rejects == nil, plan.output.path == nil else { return nil }
    return .apply
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    [PlannedStep(work: .apply, holding: holdsRows ? .spilled(.all) : .changes)]
  }

  func notices(_ sources: [Source]) -> [Notice] {
    list.notices.map(Notice.input) + checker.notices(sources)
  }

  /// The changes that do not fit.
  var misfits: ChangeMisfits { checker.misfits }

  /// The number of changes that do not fit, of all, if there are any; and the file that has them.
  var unfit: (count: Int, total: Int, rejects: FilePath?)? {
    misfits.count == 0 ? nil : (misfits.count, misfits.total, rejects)
  }

  /// The changes that do not fit, in the order of the list: as they came, and what is there instead.
  var rejected: [(record: [UInt8], ours: [UInt8])] {
    misfits.ours.keys.sorted().map { (list.record(of: $0), misfits.ours[$0] ?? []) }
  }
}

// MARK: - Passing rows on

extension ChangeReplayer {
  /// Takes the next rows.
  mutating func add(_ batch: Batch) throws(Failure) {
    let first = checker.rowCount
    let found = try checker.check(batch)
    if !holdsRows {
      passing = Passing(
        parts: try changed(batch, found.updates[...]), leaving: found.leaving, count: batch.rowCount)
      return
    }
    heldUpdates += found.updates.map { (first + Int($0.row), $0.change) }
    heldLeaving += (found.moves + found.deletions).map { (first + Int($0.row), $0.change) }
    heldLeaving += found.misfits.map { (first + Int($0), -1) }
    held.append(Rows(list.movesRows ? batch.withPlaces : batch))
    if held.memory >= budget / 4 { try Failure.reading { () throws(SystemError) in try held.spill() } }
  }

  /// Ends the input: changes whose rows did not come do not fit.
  mutating func finish() throws(Failure) {
    if isOver { return }
    isOver = true
    try checker.finish()
    if misfits.count > 0, rejects == nil { return slots = [] }
    guard holdsRows else {
      if let last = slots.last { try refuse(last, beyond: position + slots.count - slot) }
      return
    }
    try beginRelease()
  }

  /// Refuses a position beyond the last row.
  private func refuse(_ change: Int, beyond count: Int) throws(Failure) {
    let position = list.changes[change].to
    if position > count {
      throw .changes(.positionTooLarge(position, rowCount: count), list.place(of: change))
    }
  }

  /// The next batch that can be passed on.
  mutating func next() throws(Failure) -> Batch? {
    while true {
      if readyStart < ready.count {
        defer {
          // What was passed on is not held.
          ready[readyStart] = .empty
          readyStart += 1
        }
        return ready[readyStart]
      }
      ready.removeAll(keepingCapacity: true)
      readyStart = 0
      if try passSome() { continue }
      guard isOver, try releaseSome() else { return nil }
    }
  }

  /// Whether a batch can be passed on.
  var isReady: Bool { readyStart < ready.count }

  /// Makes some of the rows ready that the last batch leaves, as they are now, and those that are inserted between
  /// them.
  ///
  /// - Returns: whether there may be others.
  private mutating func passSome() throws(Failure) -> Bool {
    guard var passing = passing.take() else { return false }
    if passing.row == 0, passing.leaving.isEmpty, nextSlot > position + passing.count {
      ready += passing.parts
      position += passing.count
      return true
    }
    var rows = BatchRanges()
    let most = insertedCount + max(1, Self.mostNotes / checker.width)
    while passing.row < passing.count {
      let nextLeaving =
        passing.gone < passing.leaving.count ? Int(passing.leaving[passing.gone]) : passing.count
      if nextLeaving == passing.row {
        passing.gone += 1
        passing.row += 1
        continue
      }
      if nextSlot == position + 1 {
        if insertedCount == most {
          self.passing = passing
          break
        }
        try appendInserted(to: &rows)
        continue
      }
      // Rows up to the next one that leaves, the next one that is inserted, or the end of their part.
      while passing.row >= passing.start + passing.parts[passing.part].rowCount {
        passing.start += passing.parts[passing.part].rowCount
        passing.part += 1
      }
      let part = passing.parts[passing.part]
      let (row, left) = (passing.row - passing.start, nextLeaving - passing.row)
      let count = min(left, part.rowCount - row, nextSlot - position - 1)
      rows.append(row..<row + count, of: part)
      position += count
      passing.row += count
    }
    ready += rows.batches()
    return true
  }

  /// The position of the next slot.
  private var nextSlot: Int { slot < slots.count ? list.changes[slots[slot]].to : .max }

  /// Appends the row of the next slot, which is inserted.
  private mutating func appendInserted(to rows: inout BatchRanges) throws(Failure) {
    let (batch, row) = try insertedRow(slot)
    rows.append(row..<row + 1, of: batch)
    position += 1
    slot += 1
    insertedCount += 1
  }
}

/// Rows of batches in order, as many at a time as follow one another in a batch.
private struct BatchRanges {
  private var runs: [(batch: Batch, rows: Range<Int>)] = []
  private(set) var rowCount = 0

  /// Begins without rows.
  init() {}

  /// Finds the runs of rows.
  init(_ rows: Rows) {
    for id in rows.ids { append(id.row..<id.row + 1, of: rows.batches[id.batch]) }
  }

  /// Appends rows that follow one another.
  mutating func append(_ rows: Range<Int>, of batch: Batch) {
    rowCount += rows.count
    if let last = runs.last, last.batch === batch, last.rows.upperBound == rows.lowerBound {
      runs[runs.count - 1].rows = last.rows.lowerBound..<rows.upperBound
    } else {
      runs.append((batch, rows))
    }
  }

  /// The rows in batches that hold only them: if the runs are short, rows are copied.
  ///
  /// - Parameter rows: the same rows, if they are known.
  func batches(of rows: Rows? = nil) -> [Batch] {
    let runs = runs.count > rowCount / 8 + 1 ? BatchRanges((rows ?? self.rows).copied()).runs : runs
    return runs.map { $0.rows.count == $0.batch.rowCount ? $0.batch : $0.batch.extracting($0.rows) }
  }

  /// The rows one by one.
  private var rows: Rows {
    var rows = Rows()
    for run in runs {
      if rows.batches.last !== run.batch { rows.batches.append(run.batch) }
      for row in run.rows { rows.ids.append(RowID(batch: rows.batches.count - 1, row: row)) }
    }
    return rows
  }
}

// MARK: - Held rows

extension ChangeReplayer {
  /// Determines the order of the held rows.
  private mutating func beginRelease() throws(Failure) {
    let checker = checker
    let leaving = heldLeaving.filter { $0.change < 0 || checker.fits($0.change) }
    slots = slots.filter { checker.fits($0) }
    if rejects == nil, let last = slots.last {
      try refuse(last, beyond: checker.rowCount - leaving.count + slots.count)
    }
    let updates = heldUpdates.filter { checker.fits($0.change) }
    release = Release(
      rows: RowFetcher(held), count: checker.rowCount,
      updates: Dictionary(updates.map { ($0.row, $0.change) }) { first, _ in first },
      leaving: leaving.map(\.row).sorted(),
      origins: Dictionary(leaving.map { ($0.change, $0.row) }) { first, _ in first })
    (heldUpdates, heldLeaving) = ([], [])
  }

  /// Makes some of the rows ready that come after the last one of the input, or that were held.
  ///
  /// - Returns: whether there were any.
  private mutating func releaseSome() throws(Failure) -> Bool {
    guard var release else {
      // The positions after the last row are those of inserted ones.
      guard slot < slots.count else { return false }
      var rows = BatchRanges()
      let most = max(1, Self.mostNotes / checker.width)
      while slot < slots.count, rows.rowCount < most { try appendInserted(to: &rows) }
      ready += rows.batches()
      return true
    }
    self.release = nil
    defer { self.release = release }
    let width = checker.width
    let size = min(Self.mostRows, max(1, Self.mostNotes / width))
    let count = Tuning.pieceSize(
      release.rows.stored.rowWeight, bytes: min(max(budget / 8, 1 << 22), 1 << 26), atMost: size)
    // Inserted rows are -1 here: they are made afterwards, in order.
    var origins: [Int] = []
    var insertedSlots: [Int] = []
    while origins.count < count {
      if slot < slots.count, list.changes[slots[slot]].to == position + 1 || release.next == release.count {
        let change = slots[slot]
        if let origin = release.origins[change] {
          origins.append(origin)
        } else {
          origins.append(-1)
          insertedSlots.append(slot)
        }
        slot += 1
      } else if release.next == release.count {
        break
      } else {
        let row = release.next
        release.next += 1
        if release.passedLeaving < release.leaving.count, release.leaving[release.passedLeaving] == row {
          release.passedLeaving += 1
          continue
        }
        origins.append(row)
      }
      position += 1
    }
    if origins.isEmpty { return false }
    try emit(origins, insertedSlots, release)
    return true
  }

  /// The maximum number of rows that are released together.
  private static let mostRows = 1 << 17

  /// Makes rows ready, by their numbers among those held; those that are inserted are -1.
  private mutating func emit(_ origins: [Int], _ insertedSlots: [Int], _ release: Release) throws(Failure) {
    let stored = try Failure.reading { () throws(SystemError) in
      try release.rows.rows(at: origins.filter { $0 >= 0 })
    }
    var updates: [[(row: UInt32, change: Int)]] = stored.batches.map { _ in [] }
    var place = 0
    for origin in origins where origin >= 0 {
      if let change = release.updates[origin] {
        let id = stored.ids[place]
        updates[id.batch].append((UInt32(truncatingIfNeeded: id.row), change))
      }
      place += 1
    }
    var rows = Rows()
    var parts: [(first: Int, starts: [Int])] = []
    for (batch, updates) in zip(stored.batches, updates) {
      let changed = try changed(batch, updates.sorted { $0.row < $1.row }[...])
      var starts: [Int] = []
      for part in changed { starts.append((starts.last ?? 0) + part.rowCount) }
      parts.append((rows.batches.count, starts))
      rows.batches += changed
    }
    var (next, nextInserted) = (0, 0)
    for origin in origins {
      if origin < 0 {
        let (batch, row) = try insertedRow(insertedSlots[nextInserted])
        nextInserted += 1
        insertedCount += 1
        if rows.batches.last !== batch { rows.batches.append(batch) }
        rows.ids.append(RowID(batch: rows.batches.count - 1, row: row))
        continue
      }
      let (id, (first, starts)) = (stored.ids[next], parts[stored.ids[next].batch])
      next += 1
      let part = starts.firstIndex { $0 > id.row } ?? 0
      rows.ids.append(RowID(batch: first + part, row: id.row - (part > 0 ? starts[part - 1] : 0)))
    }
    ready += BatchRanges(rows).batches(of: rows)
  }
}

// MARK: - Making cells

extension ChangeReplayer {
  /// A cell that a change makes.
  private struct NewCell {
    var column: Int
    var row: Int
    var change: Int
    /// Its value in the text of the change; `nil` for none.
    var value: JSONScanner.Value?
  }

  /// The parts of a batch, with the cells that the updates of its rows make.
  private func changed(
    _ batch: Batch, _ updates: ArraySlice<(row: UInt32, change: Int)>
  ) throws(Failure) -> [Batch] {
    if updates.isEmpty { return [batch] }
    var cells: [NewCell] = []
    for (row, change) in updates {
      let (source, cell) = list.cell(of: change, .cells)
      let text = source.content(cell)
      var members = JSONMembers(ofWholeText: text)
      while let (name, value) = members.next(text) {
        guard let number = list.number(ofColumn: name, text) else { continue }
        let new = list.sides(of: value, text).new
        if new == nil, !list.columns[number].isNew { continue }
        cells.append(NewCell(column: checker.indices[number], row: Int(row), change: change, value: new))
      }
    }
    cells.sort { ($0.column, $0.row) < ($1.column, $1.row) }
    var (columnCount, last) = (0, -1)
    for cell in cells where cell.column != last { (columnCount, last) = (columnCount + 1, cell.column) }
    if batch.rowCount > 1, batch.rowCount * columnCount > Self.mostNotes {
      let middle = batch.rowCount / 2
      let split = updates.firstIndex { $0.row >= middle } ?? updates.endIndex
      return try changed(batch.extracting(0..<middle), updates[..<split])
        + changed(
          batch.extracting(middle..<batch.rowCount),
          updates[split...].map { ($0.row - UInt32(middle), $0.change) }[...])
    }
    return [try made(cells, .cells, over: .cells, of: batch)]
  }

  /// A batch with new cells, which are in the order of their columns.
  private func made(
    _ cells: [NewCell], _ role: ChangeRole, over ground: ComputedColumn.Ground, of batch: Batch
  ) throws(Failure) -> Batch {
    guard let first = cells.first else { return batch }
    let isJSON = batch.origin.dialect.form == .json
    var computed = ComputedColumn(at: first.column, over: ground, of: batch, count: cells.count, room: .max)
    var scratch = ByteBuffer()
    for cell in cells {
      computed.advance(toColumn: cell.column)
      scratch.removeAll()
      if let value = cell.value {
        let (source, text) = list.cell(of: cell.change, role)
        scratch.append(textOf: value, source.content(text))
        if value.kind == .number, !isJSON, checker.marks.decimal != NumberMarks.standard.decimal {
          for index in scratch.span.indices where scratch[index] == NumberMarks.standard.decimal {
            scratch[index] = checker.marks.decimal
          }
        }
      }
      let isText = !scratch.isEmpty || quotedEmptyIsText && cell.value?.kind == .text
      let kind: Cell.Kind = if isJSON { cell.value?.kind ?? .null } else { isText ? .text : .empty }
      computed.set(row: cell.row, kind: kind, count: scratch.count) { $0.append(scratch.span) }
    }
    if computed.room < 0 {
      throw .input(.recordTooLong(list.place(of: first.change)))
    }
    return computed.changesNothing ? batch : computed.finish(cutting: nil)
  }

  /// The row that is inserted at a slot: some are made together, because they are needed in order.
  private mutating func insertedRow(_ slot: Int) throws(Failure) -> (batch: Batch, row: Int) {
    if let known = inserted, known.next < known.slots.count {
      inserted?.next += 1
      return (known.batch, known.next)
    }
    let width = checker.width
    let most = max(1, Self.mostNotes / 4 / width)
    var cells: [NewCell] = []
    var places: [RowPlace] = []
    var slots: [Int] = []
    for slot in slot..<self.slots.count {
      let change = self.slots[slot]
      guard list.changes[change].kind == .insert else { continue }
      if slots.count == most { break }
      let (source, cell) = list.cell(of: change, .row)
      let text = source.content(cell)
      slots.append(slot)
      places.append(
        RowPlace(source: self.source, line: list.changes[change].line, number: list.changes[change].to))
      var members = JSONMembers(ofWholeText: text)
      while let (name, value) = members.next(text) {
        guard let number = list.number(ofColumn: name, text) else { continue }
        cells.append(
          NewCell(column: checker.indices[number], row: places.count - 1, change: change, value: value))
      }
    }
    cells.sort { ($0.column, $0.row) < ($1.column, $1.row) }
    let rows = Batch(
      block: .empty, decoded: .empty, escapes: [], cells: [], columnCount: 0,
      recordStarts: Array(repeating: 0, count: places.count + 1),
      origin: Batch.Origin(
        source: self.source, line: places[0].line, row: places[0].number, isVerbatim: false, dialect: dialect),
      places: places)
    let batch = try made(cells, .row, over: .nothing, of: rows)
    inserted = (batch, slots, 1)
    return (batch, 0)
  }
}

extension PlannedStep.Work {
  static let apply = Self(rawValue: "--apply")
}

extension ChangeReplayer {
  /// Changes are not sent to an engine.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    if plan.replay != nil { throw .query(.option("--apply")) }
  }
}
