/// The steps that look at rows: filter, order, moves, window (SPEC §4).
///
/// Bound once the columns are known; from then on nothing about them can be refused.
struct RowStages {
  private var filters: [Program]
  private var states: [EvaluationState]

  /// The rows kept by `--skip`, `--head` and `--tail`.
  var window: RowWindow

  /// Whether all rows must be at hand before the first goes on.
  let needsAll: Bool

  /// Binds the steps of a plan.
  init(_ plan: Plan, _ binder: inout Binder) throws(Failure) {
    filters = []
    states = []
    for filter in plan.filters {
      do { filters.append(try binder.bind(condition: filter)) } catch { throw .expression(error) }
    }
    states = filters.map(\.freshState)
    window = RowWindow(plan)
    needsAll = window.needsAll
  }

  /// The rows of a batch that the filters keep.
  mutating func kept(_ batch: Batch) -> Rows {
    var rows = Rows(batch)
    if !filters.isEmpty {
      var numbers = (0..<UInt32(truncatingIfNeeded: batch.rowCount)).map { $0 }
      for index in filters.indices where !numbers.isEmpty {
        filters[index].filter(batch, rows: &numbers, state: &states[index])
      }
      rows = Rows(batch, numbers)
    }
    if !needsAll { window.take(&rows) }
    return rows
  }

  /// Puts all rows in order and keeps those wanted at the end.
  mutating func finish(_ rows: inout Rows) throws(Failure) {
    if needsAll {
      window.take(&rows)
      window.finish(&rows)
    }
  }

  /// Whether no more rows are wanted.
  var isFull: Bool { !needsAll && window.isFull }

  /// The place of each column in the sort order.
  var sortStates: [(column: ResolvedColumn, state: ShownColumn.SortState)] { [] }

  /// The cells that did not convert, of all steps.
  var tallies: [ConversionTally] { states.map(\.tally) }

  /// The first `must()` that failed.
  var mustFailure: MustFailure? { states.lazy.compactMap(\.failure).first }
}

extension RowWindow {
  /// The window that a plan asks for.
  fileprivate init(_ plan: Plan) {
    switch plan.head {
    case .first(let count)?: self.init(skip: plan.skip, first: count, allBut: 0, tail: plan.tail)
    case .allButLast(let count)?: self.init(skip: plan.skip, first: nil, allBut: count, tail: plan.tail)
    case nil: self.init(skip: plan.skip, first: nil, allBut: 0, tail: plan.tail)
    }
  }
}
