/// The steps that look at rows: filter, order, moves, window.
///
/// Bound once the columns are known; from then on nothing about them can be refused.
struct RowStages {
  private var filters: [Program]
  private var states: [EvaluationState]
  private var gatherer: Gatherer
  private var verifier: OrderVerifier
  private var mover: Mover

  /// The rows kept by `--skip`, `--head` and `--tail`.
  var window: RowWindow

  /// The last row of the last batch that was needed, where the window ended with it.
  private(set) var lastNeeded: Int?

  private let sources: [Source]
  private let tuning: Tuning
  private let budget: Int

  /// The rows that a negative `--head` leaves out if no others come after them.
  private var heldBack: LastRows?

  /// Whether rows come out in the order they came in, so that `--skip` and a positive `--head` need not wait for all.
  private let takesEarly: Bool

  /// Whether all rows must be at hand before the first goes on.
  let needsAll: Bool

  /// Whether rows that were kept are shown, and in the order in which they came.
  var keepsOrder: Bool { !needsAll }

  /// Whether every row that was kept is shown, wherever that may be.
  var keepsAll: Bool { !needsAll || window.isOpen }

  /// Binds the steps of a plan.
  init(_ plan: Plan, _ schedule: Schedule, _ binder: inout Binder, _ tuning: Tuning) throws(Failure) {
    sources = plan.sources
    self.tuning = tuning
    budget = plan.memory
    filters = []
    states = []
    for filter in plan.filters {
      do { filters.append(try binder.bind(condition: filter)) } catch { throw .expression(error) }
    }
    states = filters.map(\.freshState)
    gatherer = Gatherer(
      plan, schedule, try SortOrder(plan.sortKeys, option: "--sort", plan, &binder), tuning)
    verifier = OrderVerifier(try SortOrder(plan.sortedBy, option: "--sorted-by", plan, &binder))
    do { mover = try Mover(plan.moves, canMove: plan.canMove, &binder) } catch { throw .expression(error) }
    window = RowWindow(plan)
    needsAll = schedule.needsAllRows
    takesEarly = !schedule.changesOrder
    if case .delayed(let count) = schedule.holding { heldBack = LastRows(limit: count) }
  }

  /// The rows of a batch that the filters keep.
  ///
  /// Where the window ends among them, the rows after its last were never looked at: nothing depends on how many of
  /// them were read.
  mutating func kept(_ batch: Batch) throws(Failure) -> Rows {
    let before = states
    var rows = filtered(batch, count: batch.rowCount)
    if !needsAll, let count = window.countNeeded, count > 0, count <= rows.count {
      let last = rows.ids[count - 1].row
      if last + 1 < batch.rowCount {
        states = before
        rows = filtered(batch, count: last + 1)
      }
      lastNeeded = last
    }
    do { try verifier.verify(rows) } catch { throw error.failure(option: "--sorted-by", sources) }
    if takesEarly { window.take(&rows) }
    return try Failure.reading { () throws(SystemError) in try held(rows) }
  }

  /// Holds rows back, and gives those before them that are sure to be shown.
  private mutating func held(_ rows: Rows) throws(SystemError) -> Rows {
    guard heldBack != nil else { return rows }
    heldBack?.append(rows)
    var shown = Rows()
    while heldBack?.hasSurplus ?? false {
      if let rows = try heldBack?.first() { shown.append(rows) }
      heldBack?.dropFirst()
    }
    if heldBack?.memory ?? 0 >= budget { try heldBack?.spill() }
    return shown
  }

  /// The rows that the filters keep of the first `count` of a batch.
  private mutating func filtered(_ batch: Batch, count: Int) -> Rows {
    if filters.isEmpty, count == batch.rowCount { return Rows(batch) }
    var numbers = (0..<UInt32(truncatingIfNeeded: count)).map { $0 }
    for index in filters.indices where !numbers.isEmpty {
      filters[index].filter(batch, rows: &numbers, state: &states[index])
    }
    return Rows(batch, numbers)
  }

  /// What is left of the rows held back, once no others come; `nil` where none are.
  mutating func lastKept() throws(Failure) -> Rows? {
    guard let held = heldBack.take() else { return nil }
    return try Failure.reading { () throws(SystemError) in try held.surplus() }
  }

  /// Keeps rows until all are known.
  mutating func gather(_ rows: Rows) throws(Failure) { try gatherer.add(rows) }

  /// Puts all rows in order and keeps those wanted at the end.
  mutating func finish() throws(Failure) -> Pipeline.Supply {
    switch try gatherer.finish() {
    case .held(var rows):
      if needsAll {
        rows.reorder(try order(of: rows))
        cut(&rows)
      }
      return .held(rows)
    case .lean(var lean):
      lean.rows.reorder(try order(of: lean))
      cut(&lean.rows)
      return .stored(lean)
    case .kept(let kept): return needsAll ? .stored(try moved(kept)) : .stored(kept)
    case .spilled(let runs):
      guard mover.isEmpty else {
        return .stored(try moved(try Failure.reading { () throws(SystemError) in try KeptRows(runs) }))
      }
      return .spilled(SpilledTable(runs, window.range(of: runs.rowCount)))
    }
  }

  /// Moves rows that are kept, and keeps those wanted at the end.
  private mutating func moved(_ kept: KeptRows) throws(Failure) -> MovedRows {
    let shown = takesEarly ? window.range(ofTaken: kept.count) : window.range(of: kept.count)
    return MovedRows(kept, try order(of: kept), shown, pieceSize: tuning.pieceSize)
  }

  /// The order that the moves leave rows in.
  private mutating func order(of rows: some RowStore) throws(Failure) -> RowOrder {
    if mover.isEmpty { return RowOrder(count: rows.count) }
    return try Failure.reading { () throws(SystemError) in try mover.order(of: rows) }
  }

  /// Keeps the rows wanted at the end.
  private mutating func cut(_ rows: inout Rows) {
    if !takesEarly { window.take(&rows) }
    window.finish(&rows)
  }

  /// Whether no more rows are wanted.
  var isFull: Bool { !needsAll && window.isFull }

  /// The place of each column in the sort order.
  var sortStates: [(column: ResolvedColumn, state: ShownColumn.SortState)] {
    let order = gatherer.order.keys.isEmpty ? verifier.order : gatherer.order
    return order.keys.enumerated().compactMap { index, key in
      guard let column = key.column else { return nil }
      return (column, ShownColumn.SortState(isDescending: key.coder.isDescending, rank: index + 1))
    }
  }

  /// The first row that `--sorted-by` found out of order.
  var disorder: InputError.Place? {
    verifier.disorder.map { InputError.Place(path: sources[$0.source].path, line: $0.line) }
  }

  /// What moves did not do as asked, and what was sorted as text that may be meant otherwise.
  var notices: [Notice] { mover.notices(sources) + gatherer.notices + verifier.notices }

  /// The cells that did not convert, of all steps.
  var tallies: [ConversionTally] { [gatherer.tally, verifier.tally] + allStates.map(\.tally) }

  /// The first `must()` that failed.
  var mustFailure: MustFailure? { allStates.lazy.compactMap(\.failure).first }

  private var allStates: [EvaluationState] { states + gatherer.states + verifier.states + mover.states }
}

extension RowWindow {
  /// The window that a plan asks for.
  init(_ plan: Plan) {
    switch plan.head {
    case .first(let count)?: self.init(skip: plan.skip, first: count, allBut: 0, tail: plan.tail)
    case .allButLast(let count)?: self.init(skip: plan.skip, first: nil, allBut: count, tail: plan.tail)
    case nil: self.init(skip: plan.skip, first: nil, allBut: 0, tail: plan.tail)
    }
  }
}

extension SortOrder {
  /// Binds the keys of an option.
  fileprivate init(
    _ keys: [SortKey], option: String, _ plan: Plan, _ binder: inout Binder
  ) throws(Failure) {
    let surroundings = Surroundings(
      nulls: plan.nulls, valueOrders: plan.valueOrders, arguments: plan.arguments, context: binder.context)
    do {
      try self.init(keys, schema: &binder.schema, surroundings)
    } catch { throw error.failure(option: option, plan.sources) }
  }
}
