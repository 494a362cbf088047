/// Keeps the groups for which an expression is true: `--having`.
struct GroupFilter: PassingStep {
  private var condition: RowCondition

  /// The maximum size of the keys of `unique()`, in bytes.
  private let room: Int

  /// Binds the expression to the columns of the groups.
  init(_ source: SourceExpression, _ binder: inout Binder) throws(ExpressionError) {
    room = binder.context.keyRoom
    condition = try RowCondition(source, &binder)
  }

  var states: [EvaluationState] { [condition.state] }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    [PlannedStep(work: .having, holding: condition.holdsKeys ? .keys : .batch)]
  }

  mutating func pass(_ rows: Rows, room: Int) -> Rows {
    var left = Rows()
    rows.forEachRun { batch, run in
      var numbers = run
      condition.keep(&numbers, of: batch)
      let misfits = Set(condition.takeMisfits())
      if !misfits.isEmpty { numbers.removeAll { misfits.contains($0) } }
      if !numbers.isEmpty { left.append(Rows(batch, numbers)) }
    }
    if condition.keyMemory > self.room { condition.failForKeys() }
    return left
  }
}

extension PlannedStep.Work {
  static let having = Self(rawValue: "--having")
}

extension GroupFilter {
  /// The expression is a condition on the groups that the query makes.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    guard let having = plan.having else { return }
    let isAsked = try query.ask(PlannedStep.Work.having.rawValue) { (query) throws(ExpressionError) in
      try query.filter(having)
    }
    if isAsked { plan.having = nil }
  }
}
