/// The steps of a run in the order of work, bound to columns; from then on nothing about them can be refused.
///
/// Row steps look at one batch after the other. What must see all rows gathers them: sort, moves, the end of the table.
struct Steps {
  /// What makes rows that come after those of the input, if some are added.
  private var adder: Adder?
  private var rowSteps: [any RowStep]
  private var deleter: Deleter

  /// What checks rows, if there are rules.
  private var validator: Validator?

  /// What makes rows of groups, where they are grouped; the columns of the input are others then.
  private(set) var grouper: Grouper?
  private var check: OrderVerifier
  private var keyChecker: KeyChecker?
  private var sort: Gatherer
  private var mover: Mover

  /// What moves rows to the bottom while others go on, if nothing else needs all rows.
  private var bottomMover: BottomMover?

  /// The rows that are left by `--skip`, `--head` and `--tail`.
  private var window: RowWindow

  /// What parts the rows shown into sections, if anything does.
  private var sections: BoundSections?

  /// The last row of the last batch that was needed, where the window ended with it.
  private(set) var lastNeeded: Int?

  /// How many rows of the last batch were looked at; those after them are to come again, unless none is needed.
  private(set) var lookedAtCount = 0

  private let sources: [Source]
  private let tuning: Tuning
  private let budget: Int

  /// The bytes that rows may take that are held to count from the end, at each place where some are.
  private var heldBudget: Int { budget / 4 / max(1, deleter.storeCount + (heldBack == nil ? 0 : 1)) }

  /// What the steps ask of the run.
  private(set) var demands: StepDemands = []

  /// Whether a cell that does not convert ends the run.
  let stopsAtMisfits: Bool

  /// Whether rows are looked at that come after the last one wanted.
  let readsOn: Bool

  /// Whether the run may end before its time: a step has expressions, or cells must convert.
  private(set) var mayFail = false

  /// The rows that a negative `--head` leaves out if no others come after them.
  private var heldBack: StoredRows?

  /// Whether rows come out in the order they came in, so that `--skip` and a positive `--head` need not wait for all.
  private var takesEarly = true

  /// Whether all rows must be known before the first goes on.
  private var needsAll = false

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
      let isInPlace = plan.output.isInPlace
      rowSteps = [
        try Assigner(
          plan.computations, canEdit: plan.canEdit, budget: budget, countsLosses: isInPlace, &binder),
        try Filter(plan.filters, countsLosses: isInPlace && plan.misfits == .null, &binder),
      ]
      deleter = try Deleter(plan.deletions, canDelete: plan.canDelete, &binder)
    } catch { throw .expression(error) }
    if !plan.rules.isEmpty {
      validator = try Validator(
        plan.rules, plan.invalidRowPolicy, keys: plan.rowKeys, plan.sources, budget: plan.memory / 4, &binder)
    }
    if binder.schema.hasTypes { rowSteps.insert(TypeChecker(binder.schema, binder.context), at: 0) }
    if let grouping = plan.grouping {
      let grouper = try Grouper(grouping, budget: plan.memory, tuning, &binder)
      binder.schema = grouper.schema
      self.grouper = grouper
    }
    let order = try SortOrder(plan.sortKeys, option: "--sort", plan, &binder)
    if plan.misfits == .skip { keyChecker = KeyChecker(order, binder.context) }
    sort = Gatherer(plan, order, tuning)
    check = OrderVerifier(try SortOrder(plan.sortedBy, option: "--sorted-by", plan, &binder))
    do {
      if plan.streamsMoves(isOpen: binder.schema.isOpen) {
        bottomMover = try BottomMover(plan.moves, canMove: plan.canMove, &binder)
      }
      mover = try Mover(bottomMover == nil ? plan.moves : [], canMove: plan.canMove, &binder)
    } catch { throw .expression(error) }
    window = RowWindow(plan)
    if let options = plan.layout.sections { sections = try BoundSections(options, plan, &binder) }
    mayFail = stopsAtMisfits || !mover.isEmpty || bottomMover != nil || grouper != nil
    for step in all {
      demands.formUnion(step.demands)
      if !step.states.isEmpty { mayFail = true }
    }
  }

  /// All steps in the order of work.
  private var all: [any Step] {
    // Not by +, which would cast each row step as the program runs.
    var steps: [any Step] = []
    if let adder { steps.append(adder) }
    for step in rowSteps { steps.append(step) }
    steps.append(deleter)
    if let validator { steps.append(validator) }
    if let grouper { steps.append(grouper) }
    steps += [check, sort, mover]
    if let bottomMover { steps.append(bottomMover) }
    steps.append(window)
    if let keyChecker { steps.append(keyChecker) }
    if let sections { steps.append(sections) }
    return steps
  }

  /// What `--explain plan` says of the steps.
  func planned(_ schedule: Schedule) -> [PlannedStep] { all.flatMap { $0.planned(schedule) } }

  /// Gets ready to hold rows as scheduled.
  mutating func begin(_ schedule: Schedule) {
    needsAll = schedule.needsAllRows
    takesEarly = !schedule.changesOrder
    if case .delayed(let count) = schedule.holding { heldBack = StoredRows(last: count) }
    sort.begin(schedule, isMoved: !mover.isEmpty)
  }
}

extension Steps {
  /// The rows that are added after the last of the input, once.
  ///
  /// - Parameters:
  ///   - count: the number of rows in the input.
  ///   - dialect: how it is written.
  mutating func takeAddedRows(after count: Int, _ dialect: Dialect) -> Batch? {
    adder?.take(after: count, dialect)
  }

  /// Whether a row was added.
  func hasAdded(_ row: Int, of batch: Batch) -> Bool { adder?.source == batch.source(ofRow: row) }

  /// The rows of a batch that the row steps keep.
  ///
  /// Where the window ends among them, the rows after its last were never looked at: nothing depends on how many of
  /// them were read.
  mutating func keepRows(of batch: Batch) throws(Failure) -> Rows {
    let before = (rowSteps, deleter)
    var some = applyRowSteps(to: batch, count: batch.rowCount)
    lookedAtCount = some.batch.rowCount
    if !needsAll, !holdsRows, let count = window.countNeeded, count > 0, count <= some.count {
      let last = some.row(at: count - 1)
      if last + 1 < lookedAtCount {
        (rowSteps, deleter) = before
        some = applyRowSteps(to: batch, count: last + 1)
        lookedAtCount = last + 1
      }
      lastNeeded = last
    }
    if deleter.holdsRows {
      return try goOn(
        try Failure.reading { () throws(SystemError) in try deleter.pass(some.rows, budget: heldBudget) })
    }
    guard grouper != nil, validator == nil else { return try goOn(some.rows) }
    try Failure.reading { () throws(SystemError) in try grouper?.add(some) }
    return Rows()
  }

  /// Whether a step before the window holds rows until the last has come.
  private var holdsRows: Bool { deleter.holdsRows || grouper != nil || bottomMover != nil }

  /// Whether rows go on that were held until no others came, in another order than they came in.
  var releasesMovedRows: Bool { bottomMover?.isReleasing ?? false }

  /// The rows that go on, of those that are not deleted: none yet where they are grouped.
  private mutating func goOn(_ rows: Rows) throws(Failure) -> Rows {
    var rows = rows
    do { rows = try validator?.pass(rows) ?? rows } catch { throw .spill(error) }
    guard grouper != nil else { return try pass(rows) }
    try Failure.reading { () throws(SystemError) in try grouper?.add(rows) }
    return Rows()
  }

  /// The rows that go on, of those that no step before took away.
  private mutating func pass(_ rows: Rows) throws(Failure) -> Rows {
    var rows = rows
    do { try check.verify(rows) } catch { throw error.failure(option: "--sorted-by", sources) }
    if let kept = keyChecker?.keep(rows) { rows = kept }
    let budget = heldBudget
    rows = try Failure.reading { () throws(SystemError) in
      try bottomMover?.pass(rows, budget: budget) ?? rows
    }
    return try handOn(rows)
  }

  /// The rows that go on, of those that stand where they are shown.
  private mutating func handOn(_ rows: Rows) throws(Failure) -> Rows {
    var rows = rows
    if takesEarly { window.take(&rows) }
    return try Failure.reading { () throws(SystemError) in try holdBack(rows) }
  }

  /// The rows that the row steps keep of the first `count` of a batch.
  private mutating func applyRowSteps(to batch: Batch, count: Int) -> BatchRows {
    var rows = BatchRows(batch, count: count)
    for index in rowSteps.indices { rowSteps[index].apply(to: &rows) }
    deleter.apply(to: &rows)
    for index in rowSteps.indices { rowSteps[index].settle(rows) }
    return rows
  }

  /// Holds rows back, and gives those before them that are sure to be shown.
  private mutating func holdBack(_ rows: Rows) throws(SystemError) -> Rows {
    let budget = heldBudget
    return try heldBack?.exchange(rows, budget: budget) ?? rows
  }

  /// The next of the rows held back, once no others come, some at a time; `nil` if none are left.
  mutating func releaseHeldRows() throws(Failure) -> Rows? {
    if let rest = try Failure.reading({ () throws(SystemError) in try deleter.finish(budget: heldBudget) }) {
      return try goOn(rest)
    }
    if let groups = try Failure.reading({ () throws(SystemError) in try grouper?.finish() ?? nil }) {
      return try pass(groups)
    }
    let budget = heldBudget
    if let moved = try Failure.reading({ () throws(SystemError) in
      try bottomMover?.finish(budget: budget) ?? nil
    }) {
      return try handOn(moved)
    }
    guard let held = heldBack.take() else { return nil }
    return try Failure.reading { () throws(SystemError) in try held.surplus() }
  }

  /// Whether rows are checked.
  var hasRules: Bool { validator != nil }

  /// What field rules mark of the columns shown, if marks are drawn.
  var fieldMarks: FieldMarks? { validator?.marks }

  /// The number of rows that do not keep a rule.
  var invalidCount: Int { validator?.findings.rowCount ?? 0 }

  /// Whether `--set` made a cell another one.
  var hasChangedCells: Bool {
    rowSteps.contains { ($0 as? Assigner)?.hasChangedCells ?? false }
  }

  /// What ends the run where a file that is written back would lose cells or rows because cells did not convert.
  var loss: Failure? {
    for step in rowSteps {
      if let loss = (step as? Assigner)?.loss(sources) ?? (step as? Filter)?.loss(sources) { return loss }
    }
    return nil
  }

  /// The findings that were not told, which are told now.
  mutating func takeFindings() -> [Notice] {
    let sources = sources
    return validator?.takeFindings(sources) ?? []
  }

  /// The rows that `--rejects` takes.
  var rejects: Rejects? { validator?.rejects }

  /// Whether no more rows are wanted.
  var isFull: Bool { !needsAll && !holdsRows && window.isFull }
}

extension Steps {
  /// Whether rows that were gathered are shown in the order in which they came.
  var showsRowsAsGathered: Bool { !needsAll }

  /// Whether every row that was gathered is shown, wherever that may be.
  var showsAllRows: Bool { !needsAll || window.isOpen }

  /// Gathers rows until all are known.
  mutating func gather(_ rows: Rows) throws(Failure) { try sort.add(rows) }

  /// Puts all rows in order and keeps those wanted at the end.
  mutating func finish() throws(Failure) -> any RowStore {
    switch try sort.finish() {
    case .held(var rows):
      if needsAll {
        rows.reorder(try order(of: rows))
        let shown = shown(of: rows.count)
        if shown.count < rows.count { rows.ids = Array(rows.ids[shown]) }
      }
      return rows
    case .sortedByKeys(let rows, let cutter):
      return OrderedRows(rows, cutter: cutter, shown(of: rows.count), pieceSize: tuning.pieceSize)
    case .stored(let rows): return needsAll ? try ordered(rows) : rows
    case .runs(var runs):
      guard mover.isEmpty else {
        return try ordered(try Failure.reading { () throws(SystemError) in try runs.stored() })
      }
      runs.show(shown(of: runs.count))
      return runs
    }
  }

  /// Stored rows in the order that the moves leave them in, as far as they are wanted.
  private mutating func ordered(_ rows: StoredRows) throws(Failure) -> OrderedRows {
    OrderedRows(rows, try order(of: rows), shown(of: rows.count), pieceSize: tuning.pieceSize)
  }

  /// The order that the moves leave rows in.
  private mutating func order(of rows: some RowStore) throws(Failure) -> RowOrder {
    if mover.isEmpty { return RowOrder(count: rows.count) }
    return try Failure.reading { () throws(SystemError) in try mover.arrange(rows) }
  }

  /// Which of all rows in order are wanted.
  private func shown(of count: Int) -> Range<Int> {
    takesEarly ? window.range(ofTaken: count) : window.range(of: count)
  }
}

extension Steps {
  /// What parts the rows of a table into sections.
  func sections(of table: borrowing ShownTable) throws(Failure) -> any TableSections {
    try sections?.sections(of: table) ?? OneSection()
  }

  /// The place of each column in the sort order.
  var sortStates: [(column: ResolvedColumn, state: ShownColumn.SortState)] {
    let order = sort.order.keys.isEmpty ? check.order : sort.order
    return order.keys.enumerated().compactMap { index, key in
      guard let column = key.column else { return nil }
      return (column, ShownColumn.SortState(isDescending: key.coder.isDescending, rank: index + 1))
    }
  }

  /// The first row that `--sorted-by` found out of order.
  var disorder: InputError.Place? {
    check.disorder.map { InputError.Place(path: sources[$0.source].path, line: $0.line) }
  }

  /// What the steps did not do as asked, the last step first, and the cells that did not convert.
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

  /// The rows that were to be deleted and do not exist, once all rows came; none if there may be rows that were not
  /// read.
  var missingRows: [Notice] { isFull ? [] : deleter.missingRows }

  /// What ends the run before its time, as the first step says it.
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
      remedies: entry.remedies(ofRows: .max),
      use: entry.use)
  }

  /// Takes note of columns of JSON that came with the next batch.
  ///
  /// - Throws: what is wrong with a rule for one of them.
  mutating func know(_ schema: Schema) throws(Failure) {
    for index in rowSteps.indices { rowSteps[index].know(schema) }
    do { try validator?.know(schema) } catch { throw .expression(error) }
  }
}

extension SortOrder {
  /// Binds the keys of an option.
  fileprivate init(
    _ keys: [SortKey], option: String, _ plan: borrowing Plan, _ binder: inout Binder
  ) throws(Failure) {
    let surroundings = Surroundings(
      nulls: plan.nulls, valueOrders: plan.valueOrders, variables: plan.variables, context: binder.context)
    do {
      try self.init(keys, schema: &binder.schema, surroundings)
    } catch { throw error.failure(option: option, plan.sources) }
  }
}
