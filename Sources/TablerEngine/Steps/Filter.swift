/// Keeps the rows for which all expressions are true: `--filter`.
struct Filter: RowStep {
  private let conditions: [Program]
  private(set) var states: [EvaluationState]

  /// Binds the expressions.
  init(_ conditions: [SourceExpression], _ binder: inout Binder) throws(ExpressionError) {
    var programs: [Program] = []
    for condition in conditions { programs.append(try binder.bind(condition: condition)) }
    self.conditions = programs
    states = programs.map(\.stepState)
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    conditions.isEmpty ? [] : [PlannedStep(work: .filter, holding: .batch)]
  }

  mutating func apply(to rows: inout BatchRows) {
    let batch = rows.batch
    for index in conditions.indices where rows.count > 0 {
      rows.keep { numbers in conditions[index].filter(batch, rows: &numbers, state: &states[index]) }
      rows.leaveOut(states[index].tally.takeRows())
    }
  }
}
