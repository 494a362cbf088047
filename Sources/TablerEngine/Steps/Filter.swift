/// Keeps the rows for which all expressions are true: `--filter`.
struct Filter: RowStep {
  private var conditions: [RowCondition] = []

  /// The maximum size of the keys, in bytes.
  private let room: Int

  /// The rows that each condition leaves out because a cell did not convert, if none may be.
  private var losses: [Losses] = []

  /// Binds the expressions.
  ///
  /// - Parameter countsLosses: whether rows left out because a cell did not convert are counted, because none
  ///   may be.
  init(
    _ conditions: [SourceExpression], countsLosses: Bool, _ binder: inout Binder
  ) throws(ExpressionError) {
    room = binder.context.keyRoom
    for condition in conditions {
      self.conditions.append(
        try RowCondition(condition, notesDropped: condition.expression.expectsConversions, &binder))
    }
    if countsLosses { losses = self.conditions.map { Losses($0.state) } }
  }

  var states: [EvaluationState] { conditions.map(\.state) }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    if conditions.isEmpty { return [] }
    return [PlannedStep(work: .filter, holding: conditions.contains(where: \.holdsKeys) ? .keys : .batch)]
  }

  mutating func apply(to rows: inout BatchRows) {
    let batch = rows.batch
    for index in conditions.indices where rows.count > 0 {
      let came = losses.isEmpty ? [] : rows.numbersOfRows
      let misfitCount = conditions[index].state.tally.misfitCount
      rows.keep { numbers in conditions[index].keep(&numbers, of: batch) }
      if !losses.isEmpty {
        let hasMisfits = conditions[index].state.tally.misfitCount > misfitCount
        recordLosses(index, came.without(rows.numbersOfRows), of: batch, hasMisfits: hasMisfits)
      }
      rows.leaveOut(conditions[index].takeMisfits())
    }
    if conditions.reduce(0, { $0 + $1.keyMemory }) > room { conditions[0].failForKeys() }
  }

  /// Counts the rows left out for which a condition is null because a cell did not convert.
  ///
  /// - Parameter hasMisfits: whether cells of the batch did not convert, apart from those not of their
  ///   declared type.
  private mutating func recordLosses(_ index: Int, _ leftOut: [UInt32], of batch: Batch, hasMisfits: Bool) {
    let condition = conditions[index]
    for row in leftOut where hasMisfits || batch.hasMisfit(row: Int(row)) {
      losses[index].countMisfits(condition.state) {
        condition.program.truth(batch, row: Int(row), state: &$0) == nil
      }
    }
  }

  /// The failure if rows would be left out because a cell did not convert.
  func loss(_ sources: [Source]) -> Failure? { losses.lazy.compactMap { $0.failure(.rows, sources) }.first }
}

extension PlannedStep.Work {
  static let filter = Self(rawValue: "--filter")
}

extension Filter {
  /// Each expression is a condition of the query.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    if plan.filters.isEmpty { return }
    let filters = plan.filters
    let isAsked = try query.ask(PlannedStep.Work.filter.rawValue) { (query) throws(ExpressionError) in
      for filter in filters { try query.filter(filter) }
    }
    if isAsked { plan.filters = [] }
  }
}
