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
  /// How rows are collected.
  private enum Mode {
    /// All or the last of them, in the order in which they came.
    case inOrder(StoredRows)

    /// The first in the order of keys.
    case first(TopRows)

    /// All, to be sorted.
    case sorted(Sorting)

    /// None any more: a key has no order. It is reported at the end, because damage of the input is reported first,
    /// wherever it is.
    case failed(Failure, SortFindings)

    /// None any more: they were handed on.
    case finished(SortFindings)
  }

  /// The rows to be sorted: those held, and the runs of those before them.
  private struct Sorting {
    var sorter: Sorter
    var notes = Notes.all
    var rows = Rows()
    var heldBytes = 0

    /// The rows that were written, if there are any.
    var runs: SortedRuns?

    /// What keys found in rows that `sorter` never saw: the first in order, until they outgrew the budget.
    var earlier: SortFindings?

    /// What keys found.
    var found: SortFindings { earlier?.merged(with: sorter.found) ?? sorter.found }
  }

  /// The notes on cells with which rows to be sorted are held.
  private enum Notes {
    /// All of them.
    case all

    /// Only those on the columns of the keys, if the first rows can be cut again.
    case undecided(SortOrder, columns: [Int])

    /// Only those on these columns. The cutter of the batches that the row steps returned cuts the rows again.
    case ofKeys([Int], any BatchCutter)

    /// The cutter of rows that hold only the notes on their keys.
    var cutter: (any BatchCutter)? { if case .ofKeys(_, let cutter) = self { cutter } else { nil } }
  }

  /// The order of the rows.
  let order: SortOrder

  private var mode: Mode
  private let sources: [Source]
  private let budget: Int

  /// Whether rows are brought together in another order once all are known.
  private var isReordered = false
  private var mayCopy: Bool
  private let tuning: Tuning

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
    mode =
      order.keys.isEmpty
      ? .inOrder(
        StoredRows(
          mostHeld: tuning.smallInput, mostHeldIfSlow: min(tuning.heldInput, plan.memory / 8),
          fetchesFew: plan.comparison != nil, mostUnpacked: plan.onlyDrawsRows ? tuning.unpackedInput : .max))
      : .sorted(Sorting(sorter: Sorter(order)))
    self.order = order
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
    switch schedule.holding {
    case .first(let count): mode = .first(TopRows(order, count: count, budget: budget))
    case .last(let count):
      mode = .inOrder(StoredRows(last: count))
      mayCopy = true
      isReordered = false
    case .batch, .delayed, .all: break
    case .sorted:
      guard schedule.holdsKeysOnly, let keys = order.ofKeysOnly else { return }
      mode = .sorted(Sorting(sorter: Sorter(order), notes: .undecided(keys.order, columns: keys.columns)))
    }
  }

  /// What keys found in the rows so far.
  private var found: SortFindings {
    switch mode {
    case .inOrder: SortFindings()
    case .first(let top): top.found
    case .sorted(let sorting): sorting.found
    case .failed(_, let found), .finished(let found): found
    }
  }

  /// The cells that did not convert for a sort key.
  var tallies: [ConversionTally] { order.keys.isEmpty ? [] : [found.tally] }

  /// The notices about values that were sorted as text and may be meant otherwise.
  func notices(_ sources: [Source]) -> [Notice] { order.notices(found.values, sources) }

  /// The evaluation state of `(expr)` keys.
  var states: [EvaluationState] { found.states }

  /// Adds the next rows.
  mutating func add(_ more: Rows) throws(Failure) {
    if more.count == 0 { return }
    // What was collected has one owner while it is changed, or it would be copied.
    switch mode {
    case .inOrder(var stored):
      mode = .finished(SortFindings())
      try store(more, in: &stored)
      mode = .inOrder(stored)
    case .first(var top):
      mode = .finished(SortFindings())
      mode = try addRows(more, to: &top)
    case .sorted(var sorting):
      mode = .finished(SortFindings())
      mode = try addRows(more, to: &sorting)
    case .failed, .finished: break
    }
  }

  /// All rows, in order; they can be collected only once.
  mutating func finish() throws(Failure) -> Gathered {
    switch mode {
    case .inOrder(let stored):
      mode = .finished(SortFindings())
      return stored.held.map { .held($0) } ?? .stored(stored)
    case .first(var top):
      mode = .finished(top.found)
      do { return .held(try top.finish()) } catch { throw error.failure(option: "--sort", sources) }
    case .sorted(var sorting):
      mode = .finished(SortFindings())
      defer { mode = .finished(sorting.found) }
      if sorting.rows.count > 0 || sorting.runs == nil { try sort(&sorting) }
      guard sorting.runs != nil else {
        return sorting.notes.cutter.map { .sortedByKeys(sorting.rows, $0) } ?? .held(sorting.rows)
      }
      try writeRun(of: &sorting)
      guard var runs = sorting.runs.take() else { return .held(Rows()) }
      do { try runs.finish() } catch { throw Failure(reading: error) }
      return .runs(runs)
    case .failed(let failure, _): throw failure
    case .finished: return .held(Rows())
    }
  }
}

// Rows that stay in their order.
extension Gatherer {
  /// Stores the next rows.
  ///
  /// Rows that can be read again take no memory, but whole batches must be read for a few of them: these are copied.
  private func store(_ more: Rows, in stored: inout StoredRows) throws(Failure) {
    let isReadAgain = more.batches.first?.cutting?.place != nil
    let isSparse = mayCopy && (isReadAgain ? more.isSparse(Self.sparseBatch) : more.isSparse())
    stored.append(isSparse ? more.copied() : more)
    while stored.hasSurplus { stored.dropFirst() }
    if stored.memory < room { return }
    do { try stored.spill() } catch { throw .spill(error) }
  }

  /// The part of the budget for held rows; bringing them together in another order takes some, too.
  private var room: Int { isReordered ? budget / 4 : budget }
}

// Rows that are sorted.
extension Gatherer {
  /// Adds rows that may be among the first in order.
  ///
  /// - Returns: the mode that follows.
  private func addRows(_ more: Rows, to top: inout TopRows) throws(Failure) -> Mode {
    if top.isOutgrown(by: more) {
      let mode = try writeFirstRows(of: &top)
      guard case .sorted(var sorting) = mode else { return mode }
      return try addRows(more, to: &sorting)
    }
    do { try top.add(more) } catch {
      return .failed(error.failure(option: "--sort", sources), top.found)
    }
    return top.isOutgrown ? try writeFirstRows(of: &top) : .first(top)
  }

  /// Writes the first rows so far as a run: those that come later are sorted with them.
  ///
  /// - Returns: the mode that follows.
  private func writeFirstRows(of top: inout TopRows) throws(Failure) -> Mode {
    var sorting = Sorting(sorter: Sorter(order), earlier: top.found)
    do { sorting.rows = try top.finish() } catch {
      return .failed(error.failure(option: "--sort", sources), top.found)
    }
    try writeRun(of: &sorting)
    return .sorted(sorting)
  }

  /// Adds rows to be sorted; if they are too many to hold, those held are written as a run.
  ///
  /// - Returns: the mode that follows.
  private func addRows(_ more: Rows, to sorting: inout Sorting) throws(Failure) -> Mode {
    var held = mayCopy && more.isSparse() ? more.copied() : more
    if case .undecided(let order, let columns) = sorting.notes {
      sorting.notes = .all
      if let cutter = more.batches.first?.cutting?.cutter, cutter.isOrderFree {
        sorting.notes = .ofKeys(columns, cutter)
        sorting.sorter = Sorter(order)
      }
    }
    if case .ofKeys(let columns, _) = sorting.notes {
      held.batches = held.batches.map { $0.projected(to: columns) }
    }
    sorting.rows.append(held)
    sorting.heldBytes +=
      held.memory * (order.derivesValues ? 2 : order.weight(of: held)) + held.count * bytesPerRow
    guard sorting.heldBytes >= room else { return .sorted(sorting) }
    do { try sort(&sorting) } catch { return .failed(error, sorting.found) }
    try writeRun(of: &sorting)
    return .sorted(sorting)
  }

  /// The bytes that a row takes besides its batch while it is sorted: its numbers and keys.
  private var bytesPerRow: Int { 64 + 16 * order.keys.count }

  private func sort(_ sorting: inout Sorting) throws(Failure) {
    let threadCount = sorting.rows.count < 32 * tuning.pieceSize ? 1 : tuning.threadCount
    do { try sorting.sorter.sort(&sorting.rows, threadCount: threadCount) } catch {
      throw error.failure(option: "--sort", sources)
    }
  }

  /// Writes the rows held, which are sorted, as a run.
  private func writeRun(of sorting: inout Sorting) throws(Failure) {
    let pieceSize = isReordered ? StoredRows.standardPieceSize / 4 : StoredRows.standardPieceSize
    if sorting.runs == nil { sorting.runs = SortedRuns(order, pieceSize: pieceSize) }
    let cutter = sorting.notes.cutter
    do { try sorting.runs?.add(run: sorting.rows, cutter: cutter) } catch { throw .spill(error) }
    sorting.rows = Rows()
    sorting.heldBytes = 0
  }
}

extension PlannedStep.Work {
  static let sort = Self(rawValue: "--sort")
}

extension Gatherer {
  /// Each key is one of the query's order.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    if plan.sortKeys.isEmpty { return }
    let work = PlannedStep.Work.sort.rawValue
    if !query.left.isEmpty { return query.leave(work) }
    let (keys, nulls) = (plan.sortKeys, plan.nulls)
    var values: [Int: [String]] = [:]
    do throws(ColumnError) {
      for order in plan.valueOrders {
        values[try query.binder.schema.resolve(order.column).index, default: []] += order.values
      }
    } catch { throw .column(option: "--order", error) }
    var columns: [ResolvedColumn?] = []
    do throws(ColumnError) {
      for key in keys {
        if case .column(let reference) = key.target {
          columns.append(try query.binder.schema.resolve(reference))
        } else {
          columns.append(nil)
        }
      }
    } catch { throw .column(option: "--sort", error) }
    for (key, column) in zip(keys, columns) {
      if let column, !column.path.isEmpty { throw .query(.partOfCell("--sort")) }
      guard key.comparison.isLocal else { continue }
      throw .query(.order(key.comparison.rawValue, column.map { query.binder.schema.name(of: $0) } ?? ""))
    }
    let orderKeys = zip(keys, columns).map { key, column in
      Query.OrderKey(
        key: key, column: column?.index, nulls: key.nulls ?? nulls, first: column.flatMap { values[$0.index] }
      )
    }
    if try query.ask(work, { (query) throws(ExpressionError) in try query.sort(by: orderKeys) }) {
      plan.sortKeys = []
    }
  }
}

extension SortKey.Comparison {
  /// Whether no engine has the order.
  fileprivate var isLocal: Bool {
    switch self {
    case .natural, .version, .size, .duration: true
    case .auto, .number, .text, .nocase, .date, .length: false
    }
  }
}
