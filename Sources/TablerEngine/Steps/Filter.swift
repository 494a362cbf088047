/// Keeps the rows for which all expressions are true: `--filter`.
struct Filter: RowStep {
  private var conditions: [RowCondition] = []

  /// The bytes that keys may take.
  private let room: Int

  /// Binds the expressions.
  init(_ conditions: [SourceExpression], _ binder: inout Binder) throws(ExpressionError) {
    room = binder.context.keyRoom
    for condition in conditions { self.conditions.append(try RowCondition(condition, &binder)) }
  }

  var states: [EvaluationState] { conditions.map(\.state) }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    if conditions.isEmpty { return [] }
    return [PlannedStep(work: .filter, holding: conditions.contains(where: \.holdsKeys) ? .keys : .batch)]
  }

  mutating func apply(to rows: inout BatchRows) {
    let batch = rows.batch
    for index in conditions.indices where rows.count > 0 {
      rows.keep { numbers in conditions[index].keep(&numbers, of: batch) }
      rows.leaveOut(conditions[index].takeMisfits())
    }
    if conditions.reduce(0, { $0 + $1.keyMemory }) > room { conditions[0].failForKeys() }
  }
}
