/// The steps of a run in order of execution, bound to columns; after that nothing about them can be rejected.
///
/// 1. Row steps process one batch after another.
/// 2. The rows they keep pass through a chain of steps, which hand them on or hold them until no more come.
/// 3. The chain ends with a window over rows as they come, which tells when no more are needed.
/// 4. If all rows are gathered before the first is drawn, they are sorted and moved, and the window selects
///    among them.
struct Steps {
  /// Replays changes over the rows before they come here, if there are any.
  private(set) var replayer: ChangeReplayer?

  /// Makes rows that come after those of the input, if any are added.
  private var adder: Adder?

  /// Make rows of those that come here, before all other steps.
  private(set) var makers: RowMakers

  private var rowSteps: [any RowStep] = []
  private var chain: [any PassingStep] = []

  /// The first step of the chain that may still release rows, once no more come.
  private var releasing = 0

  private var sort: Gatherer
  private var mover: Mover

  /// Compares the rows with those of an older table, if there is one.
  let comparer: Comparer?

  /// Compute columns after a step has changed the order of the rows, if some are computed.
  private var lateComputers: [SeriesComputer] = []

  /// Chooses among the rows after a step has changed their order, if some are chosen.
  private let lateSampler: Sampler?

  /// The window of `--skip`, `--head` and `--tail`.
  private var window: RowWindow

  /// Divides the shown rows into sections, if there are any.
  private var sections: BoundSections?

  /// What an interactive page must know of the steps, if one is written.
  let page: PageTerms?

  private let sources: [Source]
  private let tuning: Tuning
  private let budget: Int

  /// Whether a cell that does not convert ends the run.
  let stopsAtMisfits: Bool

  /// Whether rows after the last wanted one are examined.
  let readsOn: Bool

  /// Whether the run may end early: a step has expressions, or cells must convert.
  private(set) var mayFail = false

  /// Whether all rows must be known before the first is passed on.
  private var needsAll = false

  /// The bytes that held rows may take, in each step that holds some.
  private var heldRoom = 0

  /// Binds the steps of a plan.
  init(_ plan: borrowing Plan, _ binder: inout Binder, _ tuning: Tuning) throws(Failure) {
    sources = plan.sources
    self.tuning = tuning
    budget = plan.memory
    stopsAtMisfits = plan.misfits == .stop
    // A live stream ends with the last row shown.
    readsOn = !plan.rules.isEmpty && !plan.input.isFollowed
    do {
      if !plan.additions.isEmpty {
        adder = try Adder(plan.additions, source: plan.sources.count - 1, &binder)
      }
    } catch { throw .expression(error) }
    makers = RowMakers(try Self.makers(plan, &binder))
    do { try binder.schema.checkAwaitedTypes() } catch { throw .column(option: "--types", error) }
    do {
      let isInPlace = plan.output.isInPlace
      rowSteps = [
        try Assigner(
          plan.computations, canEdit: plan.canEdit, budget: budget, refusesLosses: isInPlace,
          hidesNulls: plan.hidesNulls, &binder),
        try Filter(plan.filters, countsLosses: isInPlace && plan.misfits == .null, &binder),
      ]
      let deleter = try Deleter(plan.deletions, canDelete: plan.canDelete, &binder)
      if deleter.holdsRows { chain.append(deleter) } else { rowSteps.append(deleter) }
    } catch { throw .expression(error) }
    if !plan.rules.isEmpty {
      chain.append(
        try Validator(
          plan.rules, plan.invalidRowPolicy, keys: plan.rowKeys, plan.sources, budget: plan.memory / 4,
          &binder))
    }
    if binder.schema.hasTypes { rowSteps.insert(TypeChecker(binder.schema, binder.context), at: 0) }
    if let checker = try IdentityChecker(plan, &binder) {
      rowSteps.insert(checker, at: 0)
      mayFail = true
    }
    if let unpivoting = plan.unpivoting { chain.append(try Unpivoter(unpivoting, &binder)) }
    if let totals = try PivotTotals(plan, tuning, binder) { chain.append(totals) }
    if let grouping = plan.grouping {
      let grouper = try Grouper(grouping, budget: plan.memory, tuning, &binder)
      binder.schema = grouper.schema
      chain.append(grouper)
    }
    if let table = plan.pivoted { chain.append(PivotStep(table.rows)) }
    do {
      if let having = plan.having { chain.append(try GroupFilter(having, &binder)) }
    } catch { throw .expression(error) }
    if let summarizer = Summarizer(plan, tuning, binder) {
      binder.schema = summarizer.schema
      chain.append(summarizer)
    }
    try SeriesComputer.refuseEarlierUse(of: plan, binder.schema)
    let order = try SortOrder(plan.sortKeys, option: "--sort", plan, &binder)
    sort = Gatherer(plan, order, tuning)
    if !plan.sortedBy.isEmpty {
      let verified = try SortOrder(plan.sortedBy, option: "--sorted-by", plan, &binder)
      chain.append(OrderVerifier(verified, plan.sources))
    }
    if plan.misfits == .skip { chain.append(KeyChecker(order, binder.context)) }
    do {
      let isStreamed = plan.streamsMoves(isOpen: binder.schema.isOpen)
      if isStreamed { chain.append(try BottomMover(plan.moves, canMove: plan.canMove, &binder)) }
      mover = try Mover(isStreamed ? [] : plan.moves, canMove: plan.canMove, &binder)
    } catch { throw .expression(error) }
    let computers = try Self.computers(plan, tuning, &binder)
    if plan.computesEarly(isOpen: binder.schema.isOpen) {
      for computer in computers { chain.append(computer) }
    } else {
      lateComputers = computers
    }
    comparer = plan.comparison.map { Comparer($0, budget: plan.memory, &binder.schema) }
    let isEarly = plan.samplesEarly(isOpen: binder.schema.isOpen)
    let sampler = Sampler(plan)
    if isEarly, let sampler { chain.append(sampler) }
    lateSampler = isEarly ? nil : sampler
    window = RowWindow(plan)
    if let options = plan.layout.sections { sections = try BoundSections(options, plan, &binder) }
    page = try PageTerms(plan, &binder)
    mayFail =
      mayFail || stopsAtMisfits || !plan.joins.isEmpty || !mover.isEmpty || !computers.isEmpty
      || chain.contains(where: \.holdsRows)
      || all.contains { !$0.states.isEmpty }
  }

  /// Binds the steps that make rows of rows, each of which sees the columns of those before it.
  private static func makers(
    _ plan: borrowing Plan, _ binder: inout Binder
  ) throws(Failure) -> [any RowMaker] {
    var makers: [any RowMaker] = []
    if let explosion = plan.explosion {
      for path in explosion.paths { makers.append(try Exploder(path, explosion, &binder)) }
    }
    for (join, table) in zip(plan.joins, plan.joined) {
      let columns = try JoinColumns(join, plan.joinKind, table, &binder)
      switch table.rows {
      case .held(let batches): makers.append(Joiner(columns, batches))
      case .stored(let stored): makers.append(try SpilledJoiner(columns, stored, table))
      }
    }
    return makers
  }

  /// Binds the columns of `--compute`, each of which those after it may use.
  private static func computers(
    _ plan: borrowing Plan, _ tuning: Tuning, _ binder: inout Binder
  ) throws(Failure) -> [SeriesComputer] {
    if plan.computed.isEmpty { return [] }
    var computers: [SeriesComputer] = []
    do {
      let breaks = try plan.layout.sections.map { (sections) throws(ExpressionError) in
        SectionBreaks(try binder.bind(sections.value), missing: plan.layout.missing)
      }
      for assignment in plan.computed {
        // Each finds the same sections.
        let areUndrawn = !plan.output.form.isDisplay && computers.isEmpty
        computers.append(
          try SeriesComputer(
            assignment, breaks, undrawnSections: areUndrawn ? plan.layout.sections?.value : nil,
            budget: plan.memory, tuning, &binder))
      }
    } catch { throw .expression(error) }
    return computers
  }

  /// All steps in the order in which `--explain plan` lists them.
  private var all: [any Step] {
    // `+` would cast each row step at run time.
    var steps: [any Step] = []
    if let replayer { steps.append(replayer) }
    if let adder { steps.append(adder) }
    for step in makers.steps { steps.append(step) }
    for step in rowSteps { steps.append(step) }
    for step in chain { steps.append(step) }
    steps.append(sort)
    steps.append(mover)
    for step in lateComputers { steps.append(step) }
    if let comparer { steps.append(comparer) }
    if let lateSampler { steps.append(lateSampler) }
    steps.append(window)
    if let sections { steps.append(sections) }
    return steps
  }

  /// The step of the chain of that type, if there is one.
  private func passing<Wanted: PassingStep>(_ type: Wanted.Type) -> Wanted? {
    for step in chain { if let step = step as? Wanted { return step } }
    return nil
  }

  /// The descriptions of the steps in `--explain plan`.
  func planned(_ schedule: Schedule) -> [PlannedStep] { all.flatMap { $0.planned(schedule) } }

  /// Has changes replayed over the rows before they come here, if there are any.
  mutating func replay(with replayer: ChangeReplayer?) {
    self.replayer = replayer
    mayFail = mayFail || replayer?.states.isEmpty == false
  }

  /// Takes the next rows over which changes are replayed.
  mutating func replay(over batch: Batch) throws(Failure) { try replayer?.add(batch) }

  /// Ends the rows over which changes are replayed.
  mutating func endReplay() throws(Failure) { try replayer?.finish() }

  /// The next rows over which changes were replayed, if any are known.
  mutating func nextReplayed() throws(Failure) -> Batch? { try replayer?.next() }

  /// Takes the next rows of which others are made.
  mutating func make(of batch: Batch) { makers.take(batch) }

  /// Learns that no more rows come of which others are made.
  ///
  /// - Returns: whether that is new.
  mutating func endMaking() -> Bool { makers.end() }

  /// The next rows that were made of them, perhaps none; `nil` if there are no more.
  mutating func nextMade() throws(Failure) -> RowMakers.Made? { try makers.next() }

  /// Counts what there is to say of the rows of which others are made.
  ///
  /// - Parameter row: the last row that is needed of those that were made last; `nil` for all rows.
  mutating func settleMade(through row: Int?) { makers.settle(through: row) }

  /// Prepares to hold rows as scheduled.
  ///
  /// - Parameter crew: the threads of the run.
  mutating func begin(_ schedule: Schedule, on crew: Crew) {
    needsAll = schedule.needsAllRows
    window.begin(schedule)
    sort.begin(schedule, isMoved: !mover.isEmpty || lateSampler != nil && lateComputers.isEmpty)
    let stores = lateComputers.isEmpty ? 0 : 1 + lateComputers.reduce(0) { $0 + $1.storeCount }
    heldRoom = budget / 4 / max(1, chain.reduce(window.storeCount + stores) { $0 + $1.storeCount })
    if !stopsAtMisfits { for index in chain.indices { chain[index].begin(on: crew) } }
  }
}

/// What became of the rows of a batch.
struct PassedBatch {
  /// The rows that are passed on at once.
  let rows: Rows

  /// The number of rows of the batch that were examined; those after them must come again, unless none is needed.
  let examinedCount: Int

  /// The last row of the batch that is needed, if the window ended with it.
  let lastNeeded: Int?
}

extension Steps {
  /// The rows that are added after the last of the input; only the first call returns them.
  ///
  /// - Parameters:
  ///   - count: the number of rows in the input.
  ///   - dialect: how it is written.
  mutating func takeAddedRows(after count: Int, _ dialect: Dialect) -> Batch? {
    adder?.deliverRows(after: count, dialect)
  }

  /// Whether a row was added.
  func hasAdded(_ row: Int, of batch: Batch) -> Bool { adder?.source == batch.source(ofRow: row) }

  /// Passes the rows of a batch through all steps.
  ///
  /// If the window ends among them, the rows after its last one count as never processed: nothing depends on how
  /// many of them were read.
  ///
  /// - Complexity: O(*n*) in the rows of the batch, apart from what the steps do.
  mutating func pass(_ batch: Batch) throws(Failure) -> PassedBatch {
    let before = rowSteps
    let unpivoter = passing(Unpivoter.self)
    let most = unpivoter?.rowsAtOnce(of: batch) ?? batch.rowCount
    let some = applyRowSteps(to: batch, count: min(batch.rowCount, most))
    let count = some.seenCount
    guard !needsAll, !holdsRows, let needed = countNeeded(unpivoter), needed > 0, needed <= some.count else {
      let kept = try chain.isEmpty ? some.rows : chain[0].pass(some, room: heldRoom)
      return PassedBatch(rows: try pass(kept, from: 1), examinedCount: count, lastNeeded: nil)
    }
    // The chain gets as many rows as the window still needs, again as long as it leaves some out: what it has
    // examined cannot be taken back.
    var rows = Rows()
    let numbers = some.numbersOfRows
    var end = 0
    while end < numbers.count, let needed = countNeeded(unpivoter), needed > 0 {
      let start = end
      end = needed < numbers.count - start ? start + needed : numbers.count
      rows.append(try pass(Rows(some.batch, Array(numbers[start..<end])), from: 0))
    }
    guard window.isFull else { return PassedBatch(rows: rows, examinedCount: count, lastNeeded: nil) }
    let last = Int(numbers[end - 1])
    if last + 1 < count {
      rowSteps = before
      _ = applyRowSteps(to: batch, count: last + 1)
    }
    return PassedBatch(rows: rows, examinedCount: last + 1, lastNeeded: last)
  }

  /// The number of rows of which the further rows that are needed may be made; `nil` if all are needed.
  private func countNeeded(_ unpivoter: Unpivoter?) -> Int? {
    window.countNeeded.map { unpivoter?.neededCount(for: $0) ?? $0 }
  }

  /// The rows that the row steps keep of the first `count` of a batch.
  private mutating func applyRowSteps(to batch: Batch, count: Int) -> BatchRows {
    var rows = BatchRows(batch, count: count)
    for index in rowSteps.indices { rowSteps[index].apply(to: &rows) }
    for index in rowSteps.indices { rowSteps[index].recordRemaining(rows) }
    return rows
  }

  /// The rows that are passed on, of those that reach a step of the chain.
  private mutating func pass(_ rows: Rows, from first: Int) throws(Failure) -> Rows {
    var rows = rows
    for index in chain.indices.dropFirst(first) where rows.count > 0 {
      rows = try chain[index].pass(rows, room: heldRoom)
    }
    return try window.pass(rows, room: heldRoom)
  }

  /// The next of the rows that steps held, once no more come, some at a time; `nil` if none are left.
  mutating func releaseHeldRows() throws(Failure) -> Rows? {
    while releasing < chain.count {
      if let rows = try chain[releasing].release(room: heldRoom) {
        return try pass(rows, from: releasing + 1)
      }
      releasing += 1
    }
    return try window.release(room: heldRoom)
  }

  /// Whether a step before the window holds rows until the last has come.
  private var holdsRows: Bool { chain.contains(where: \.holdsRows) }

  /// Whether rows are released that were held until no more came, in another order than they came in.
  var releasesMovedRows: Bool { chain.contains(where: \.isReordering) }

  /// Whether no more rows are wanted.
  var isFull: Bool { !needsAll && window.isFull && !holdsRows }
}

extension Steps {
  /// The step that turns groups into rows, if rows are grouped; the columns are then not those of the input.
  var grouper: Grouper? { passing(Grouper.self) }

  /// The columns of the input, if the rows that are shown have others.
  func input() -> Schema? { grouper?.input ?? passing(Summarizer.self)?.input }

  /// What a pivoted table needs besides its groups.
  var pivotTotals: PivotTotals? { passing(PivotTotals.self) }

  /// Whether rows are checked.
  var hasRules: Bool { passing(Validator.self) != nil }

  /// The marks of field rules for the shown columns, if marks are drawn.
  var fieldMarks: FieldMarks? { passing(Validator.self)?.marks }

  /// The number of rows that violate a rule.
  var invalidCount: Int { passing(Validator.self)?.findings.rowCount ?? 0 }

  /// The rows of `--rejects`.
  var rejects: Rejects? { passing(Validator.self)?.rejects }

  /// Whether `--set` changed a cell.
  var hasChangedCells: Bool {
    rowSteps.contains { ($0 as? Assigner)?.hasChangedCells ?? false }
  }

  /// The failure that ends the run if a file written back would lose cells or rows because cells did not convert.
  var loss: Failure? {
    for step in rowSteps { if let loss = step.loss(sources) { return loss } }
    return nil
  }

  /// The findings that have not been reported yet; the call marks them as reported.
  mutating func takeFindings() -> [Notice] {
    for index in chain.indices {
      guard var validator = chain[index] as? Validator else { continue }
      defer { chain[index] = validator }
      return validator.takeFindings(sources)
    }
    return []
  }
}

extension Steps {
  /// Whether collected rows are shown in the order in which they came.
  var showsRowsAsGathered: Bool { !needsAll }

  /// Whether every collected row is shown, at whatever position.
  var showsAllRows: Bool { !needsAll || window.isOpen && !needsUncut && lateSampler == nil }

  /// Whether rows are collected in the order in which they are compared with others.
  var gathersInOrder: Bool { sort.order.keys.isEmpty && mover.isEmpty }

  /// Collects rows until all are known.
  mutating func gather(_ rows: Rows) throws(Failure) { try sort.add(rows) }

  /// Sorts and moves all rows, computes their columns, and keeps those wanted at the end.
  mutating func finish() throws(Failure) -> any RowStore {
    let rows = try finishOrder()
    if lateComputers.isEmpty { return rows }
    let computed = try compute(over: rows)
    return comparer == nil ? wanted(of: computed) : computed
  }

  /// The columns that are computed over all rows in order.
  private mutating func compute(over rows: any RowStore) throws(Failure) -> StoredRows {
    var computed = StoredRows()
    func take(_ rows: Rows, from first: Int) throws(Failure) {
      var rows = rows
      for index in lateComputers.indices.dropFirst(first) where rows.count > 0 {
        rows = try lateComputers[index].pass(rows, room: heldRoom)
      }
      if rows.count == 0 { return }
      computed.append(rows)
      if computed.memory >= heldRoom {
        try Failure.reading { () throws(SystemError) in try computed.spill() }
      }
    }
    if let rows = rows.inMemory, rows.count >= 32 * tuning.pieceSize, rows.isScattered(0..<rows.count) {
      // Rows far apart are brought together: they are read by each call, for its column, and to be drawn.
      let rows = rows.placed
      let cellsOfRow = rows.batches.reduce(0) { max($0, $1.width) } * MemoryLayout<Cell>.stride
      var start = 0
      while start < rows.count {
        let most = min(start + 64 * tuning.pieceSize, rows.count)
        let end = rows.end(ofBytes: max(heldRoom / 4, 1 << 20), from: start, to: most, extra: cellsOfRow)
        try take(rows.copied(start..<end, tuning), from: 0)
        start = end
      }
    } else {
      try rows.forEachPiece(failing: Failure.init(reading:)) { (rows, _) throws(Failure) in
        try take(rows, from: 0)
      }
    }
    for index in lateComputers.indices {
      while let rows = try lateComputers[index].release(room: heldRoom) { try take(rows, from: index + 1) }
    }
    return computed
  }

  /// Sorts and moves all rows and keeps those wanted at the end, unless steps after it need all of them.
  private mutating func finishOrder() throws(Failure) -> any RowStore {
    switch try sort.finish() {
    case .held(var rows):
      if needsAll {
        let (order, shown) = try order(of: rows)
        rows.reorder(order)
        if shown.count < rows.count { rows.ids = Array(rows.ids[shown]) }
      }
      return rows
    case .sortedByKeys(let rows, let cutter):
      return OrderedRows(rows, cutter: cutter, shown(of: rows.count), pieceSize: tuning.pieceSize)
    case .stored(let rows): return needsAll && !(needsUncut && mover.isEmpty) ? try ordered(rows) : rows
    case .runs(var runs):
      guard mover.isEmpty, lateSampler == nil || needsUncut else {
        return try ordered(try Failure.reading { () throws(SystemError) in try runs.stored() })
      }
      runs.show(shown(of: runs.count))
      return runs
    }
  }

  /// Stored rows in the order that the moves leave them in, without unwanted ones.
  private mutating func ordered(_ rows: StoredRows) throws(Failure) -> OrderedRows {
    let (order, shown) = try order(of: rows)
    return OrderedRows(rows, order, shown, pieceSize: tuning.pieceSize)
  }

  /// The order that the moves leave rows in, and the part of it that is wanted.
  private mutating func order(of rows: some RowStore) throws(Failure) -> (RowOrder, shown: Range<Int>) {
    var order = RowOrder(count: rows.count)
    if !mover.isEmpty {
      order = try Failure.reading { () throws(SystemError) in try mover.arrange(rows) }
    }
    let chosen = !needsUncut ? lateSampler?.bringUp(in: &order) : nil
    return (order, shown(of: chosen ?? rows.count))
  }

  /// The parts of gathered rows that are held.
  ///
  /// - Parameter taking: how many of them are read before the first is drawn.
  func holding(_ taking: Schedule.Taking) -> Schedule.Holding {
    if comparer != nil { return sort.order.keys.isEmpty ? .all : .sorted }
    if !sort.order.keys.isEmpty {
      guard mover.isEmpty, lateSampler == nil, !needsUncut, let count = window.firstCount,
        count < Self.mostFirstRows
      else {
        return .sorted
      }
      return .first(count)
    }
    if !mover.isEmpty { return .all }
    if let count = window.endCount { return window.keepsEnd ? .last(count) : .delayed(count) }
    if case .asTheyCome = taking { return .batch }
    return .all
  }

  /// The number of rows of `--skip` and `--head` from which on rows are no longer selected as they come, but
  /// sorted like all others.
  private static let mostFirstRows = 1 << 17

  /// Whether steps after the order of rows need all of them.
  private var needsUncut: Bool { comparer != nil || !lateComputers.isEmpty }

  /// The range of all rows in order that is wanted: all of them if steps after the order need them.
  private func shown(of count: Int) -> Range<Int> { needsUncut ? 0..<count : window.range(of: count) }

  /// The rows that are wanted of those that show changes.
  func wanted(of changes: StoredRows) -> any RowStore {
    var order = RowOrder(count: changes.count)
    let range = window.range(of: lateSampler?.bringUp(in: &order) ?? changes.count)
    if range.count == changes.count { return changes.held ?? changes }
    return OrderedRows(changes, order, range, pieceSize: tuning.pieceSize)
  }
}

extension Steps {
  /// Divides the rows of a table into sections.
  func sections(of columns: [ShownColumn], _ schema: Schema) throws(Failure) -> Sections {
    try sections?.sections(of: columns, schema) ?? Sections()
  }

  /// The rank of each column in the sort order.
  var sortStates: [(column: ResolvedColumn, state: ShownColumn.SortState)] {
    let verified = sort.order.keys.isEmpty ? verifiedOrder : nil
    return (verified ?? sort.order).keys.enumerated().compactMap { index, key in
      guard let column = key.column else { return nil }
      return (column, ShownColumn.SortState(isDescending: key.coder.isDescending, rank: index + 1))
    }
  }

  /// The order that `--sorted-by` verifies.
  var verifiedOrder: SortOrder? { passing(OrderVerifier.self)?.order }

  /// The first row that `--sorted-by` found out of order.
  var disorder: InputError.Location? {
    passing(OrderVerifier.self)?.disorder.map {
      InputError.Location(path: sources[$0.source].path, line: $0.line)
    }
  }

  /// The notices of the steps, the last step first, and the cells that did not convert.
  var findings: (notices: [Notice], tallies: [ConversionTally]) {
    let all = all
    var notices: [Notice] = []
    var tallies: [ConversionTally] = []
    for step in all.reversed() {
      notices += step.notices(sources)
      tallies += step.tallies
    }
    for step in all { tallies += step.states.map(\.tally) }
    return (notices, tallies)
  }

  /// The rows that should be deleted but do not exist, once all rows came; none if there may be rows that
  /// were not read.
  var missingRows: [Notice] { isFull ? [] : all.flatMap(\.missingRows) }

  /// The failure that ends the run early, as reported by the first step that has one.
  var failure: Failure? {
    if stopsAtMisfits, let misfit { return misfit }
    for step in all { if let failure = step.failure(sources) { return failure } }
    return nil
  }

  /// The first cell that did not convert, in the order of the rows.
  private var misfit: Failure? {
    let all = all
    let tallies = all.flatMap(\.tallies) + all.flatMap { $0.states.map(\.tally) }
    let found = tallies.flatMap(\.entries).compactMap { entry in entry.first.map { (entry, $0) } }
    guard let (entry, first) = found.min(by: { $0.1.row < $1.1.row }) else { return nil }
    return .misfit(
      column: entry.column, first.place(sources), text: first.text, wanted: first.wanted,
      remedies: entry.remediesOfFirst, use: entry.use)
  }

  /// Records columns of JSON that came with the next batch.
  ///
  /// - Throws: the mistake in a rule about one of them.
  mutating func adoptColumns(of schema: Schema) throws(Failure) {
    do {
      for index in rowSteps.indices { try rowSteps[index].adoptColumns(of: schema) }
      for index in chain.indices { try chain[index].adoptColumns(of: schema) }
    } catch { throw .expression(error) }
  }
}

extension SortOrder.Surroundings {
  /// Takes the options of a plan that keys depend on.
  init(_ plan: borrowing Plan, _ binder: borrowing Binder) {
    self.init(
      nulls: plan.nulls, valueOrders: plan.valueOrders, variables: plan.variables, context: binder.context)
  }
}

extension SortOrder {
  /// Binds the keys of an option.
  init(
    _ keys: [SortKey], option: String, _ plan: borrowing Plan, _ binder: inout Binder
  ) throws(Failure) {
    var surroundings = Surroundings(plan, binder)
    surroundings.emptyIsNull = plan.sortsEmptyAsNull && option == "--sorted-by"
    do {
      try self.init(keys, schema: &binder.schema, surroundings)
    } catch { throw error.failure(option: option, plan.sources) }
  }
}

extension Plan {
  /// Whether nobody sees the nulls of a derived column: rows are left out because of them, or only groups are shown.
  fileprivate func hidesNulls(of column: String) -> Bool {
    filters.contains { $0.expression.drops(column) } || grouping?.aggregates.isEmpty == false
  }
}
