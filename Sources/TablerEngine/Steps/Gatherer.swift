/// Collects rows until all are known: in memory within the budget, beyond it in a temporary file.
///
/// 1. With `--sort` and `--head`, rows that cannot be among the first are dropped as they come. If the others
///    outgrow the budget they are written as the first run, and rows are sorted like all others from then on.
/// 2. Rows to be sorted are held. When they, and what sorting them takes, reach the budget, they are sorted
///    and written as a run.
/// 3. At the end the rows held are sorted; if there are runs, they become the last of them, to be merged when
///    drawn.
/// 4. Rows that stay in the order in which they came are stored with as little as is needed to restore them;
///    if only the last are wanted, those before them are dropped as others come.
///
/// If rows to be sorted can be cut again, only the notes on the cells of their keys are held.
struct Gatherer: Step {
  /// The order of the rows.
  let order: SortOrder

  private var sorter: Sorter
  private var top: TopRows?

  /// The selection of the first rows, after they outgrew the budget.
  private var outgrown: TopRows?

  /// Rows that stay in the order in which they came, if they do.
  private var stored: StoredRows?
  private let sources: [Source]
  private let budget: Int

  /// Whether rows are brought together in another order once all are known.
  private var isReordered = false
  private var mayCopy: Bool
  private let tuning: Tuning

  /// The order if only the notes on these columns are held; nil if all notes are needed.
  private var keys: (order: SortOrder, columns: [Int])?

  /// The cutter that cuts the held rows again, if they hold only the notes on their keys: that of the batches
  /// which the row steps returned.
  private var cutter: (any BatchCutter)?

  private var rows = Rows()
  private var heldBytes = 0

  /// A key without an order that was found before the end: damage of the input, wherever it is, is reported first.
  private var deferred: Failure?
  private var runs: SortedRuns?

  /// How many times more rows than are held a batch that can be read again may have before they are copied.
  private static let sparseBatch = 32

  /// The collected rows.
  enum Gathered {
    /// Rows in memory, in order.
    case held(Rows)
    /// Rows in memory with only the notes on their keys, in order; and the cutter that cuts them again.
    case sortedByKeys(Rows, any BatchCutter)
    /// Rows in the order in which they came.
    case stored(StoredRows)
    /// Sorted runs.
    case runs(SortedRuns)
  }

  /// Begins without rows.
  init(_ plan: borrowing Plan, _ order: SortOrder, _ tuning: Tuning) {
    if order.keys.isEmpty { stored = StoredRows(mostHeld: tuning.smallInput) }
    self.order = order
    sorter = Sorter(order)
    sources = plan.sources
    budget = plan.memory
    self.tuning = tuning
    mayCopy = plan.head == nil
  }

  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands {
    plan.sortKeys.isEmpty ? [] : [.allRows, .order, .records]
  }

  static func optionNeedingAllRows(of plan: borrowing Plan) -> PlannedStep.Work? {
    plan.sortKeys.isEmpty ? nil : .sort
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    if order.keys.isEmpty { return [] }
    if case .first(let count) = schedule.holding { return [PlannedStep(work: .sort, holding: .rows(count))] }
    return [PlannedStep(work: .sort, holding: .sorted)]
  }

  /// Prepares to hold rows as scheduled.
  mutating func begin(_ schedule: Schedule, isMoved: Bool) {
    isReordered = schedule.needsAllRows && (order.keys.isEmpty || isMoved)
    keys = schedule.holdsKeysOnly ? order.ofKeysOnly : nil
    switch schedule.holding {
    case .first(let count): top = TopRows(order, count: count, budget: budget)
    case .last(let count):
      stored = StoredRows(last: count)
      mayCopy = true
      isReordered = false
    case .batch, .delayed, .all, .sorted: break
    }
  }

  /// The cells that did not convert for a sort key.
  var tallies: [ConversionTally] {
    if order.keys.isEmpty { return [] }
    guard var tally = outgrown?.tally else { return [top?.tally ?? sorter.tally] }
    tally.merge(sorter.tally)
    return [tally]
  }

  /// The notices about values that were sorted as text and may be meant otherwise.
  func notices(_ sources: [Source]) -> [Notice] {
    guard var findings = outgrown?.findings else {
      return order.notices(top?.findings ?? sorter.findings, sources)
    }
    for (index, more) in sorter.findings.enumerated() { findings[index].merge(more) }
    return order.notices(findings, sources)
  }

  /// The evaluation state of `(expr)` keys.
  var states: [EvaluationState] {
    let states = top?.states ?? sorter.states
    guard let earlier = outgrown?.states, earlier.count == states.count else {
      return outgrown?.states ?? states
    }
    return zip(earlier, states).map { $0.merged(with: $1) }
  }

  /// Adds the next rows.
  mutating func add(_ more: Rows) throws(Failure) {
    guard more.count > 0, deferred == nil else { return }
    if top?.isOutgrown(by: more) ?? false { try spillTop() }
    guard deferred == nil else { return }
    if top != nil {
      do { try top?.add(more) } catch { deferred = error.failure(option: "--sort", sources) }
      if deferred == nil, top?.isOutgrown ?? false { try spillTop() }
      return
    }
    let close = isSparse(more) ? more.copied() : more
    if stored != nil { return try store(close) }
    let held = withKeysOnly(close, more.batches.first?.cutting)
    rows.append(held)
    heldBytes += held.memory * (order.derivesValues ? 2 : 1) + held.count * bytesPerRow
    if heldBytes >= room { try spill() }
  }

  /// All rows, in order.
  mutating func finish() throws(Failure) -> Gathered {
    if let deferred { throw deferred }
    do {
      if let rows = try top?.finish() { return .held(rows) }
    } catch { throw error.failure(option: "--sort", sources) }
    if let stored { return stored.held.map { .held($0) } ?? .stored(stored) }
    guard runs != nil else {
      try sort()
      return cutter.map { .sortedByKeys(rows, $0) } ?? .held(rows)
    }
    if rows.count > 0 { try spill() }
    if let deferred { throw deferred }
    guard var runs = runs.take() else { return .held(Rows()) }
    do { try runs.finish() } catch { throw Failure(reading: error) }
    return .runs(runs)
  }
}

extension Gatherer {
  /// Whether so few rows of their batches are left that it is better to copy them than to hold the batches.
  ///
  /// Rows that can be read again take no memory, but whole batches must be read for a few of them.
  private func isSparse(_ more: Rows) -> Bool {
    guard mayCopy else { return false }
    let isReadAgain = stored != nil && more.batches.first?.cutting?.place != nil
    return isReadAgain ? more.isSparse(Self.sparseBatch) : more.isSparse()
  }

  /// The rows with only the notes on the cells of their keys, if they can be cut again.
  private mutating func withKeysOnly(_ more: Rows, _ cutting: Batch.Cutting?) -> Rows {
    guard let keys else { return more }
    if cutter == nil, rows.count == 0, runs == nil, let cutting, cutting.cutter.isOrderFree {
      cutter = cutting.cutter
      sorter = Sorter(keys.order)
    }
    guard cutter != nil else { return more }
    var held = more
    held.batches = more.batches.map { $0.projected(to: keys.columns) }
    return held
  }

  /// Stores rows that stay in their order.
  private mutating func store(_ more: Rows) throws(Failure) {
    stored?.append(more)
    while stored?.hasSurplus ?? false { stored?.dropFirst() }
    if stored?.memory ?? 0 < room { return }
    do { try stored?.spill() } catch { throw .spill(error) }
  }

  /// The part of the budget for held rows; bringing them together in another order takes some, too.
  private var room: Int { isReordered ? budget / 4 : budget }

  /// The bytes that a row takes besides its batch while it is sorted: its numbers and keys.
  private var bytesPerRow: Int { 64 + 16 * order.keys.count }

  private mutating func sort() throws(Failure) {
    do {
      try sorter.sort(&rows, threadCount: rows.count < 32 * tuning.pieceSize ? 1 : tuning.threadCount)
    } catch {
      throw error.failure(option: "--sort", sources)
    }
  }

  /// Writes the first rows so far as a run: those that come later are sorted with them.
  private mutating func spillTop() throws(Failure) {
    outgrown = top
    top = nil
    do { rows = try outgrown?.finish() ?? Rows() } catch {
      deferred = error.failure(option: "--sort", sources)
      return
    }
    defer { rows = Rows() }
    try writeRun()
  }

  /// Sorts the rows held and writes them as a run.
  private mutating func spill() throws(Failure) {
    defer {
      rows = Rows()
      heldBytes = 0
    }
    do { try sort() } catch {
      deferred = error
      return
    }
    try writeRun()
  }

  /// Writes the rows held, which are sorted, as a run.
  private mutating func writeRun() throws(Failure) {
    do {
      let pieceSize = isReordered ? StoredRows.standardPieceSize / 4 : StoredRows.standardPieceSize
      if runs == nil { runs = SortedRuns(order, pieceSize: pieceSize) }
      try runs?.add(run: rows, cutter: cutter)
    } catch { throw .spill(error) }
  }
}

extension PlannedStep.Work {
  static let sort = Self(rawValue: "--sort")
}
