/// Keeps the rows for which all expressions are true: `--filter`.
struct Filter: RowStep {
  private let conditions: [Program]
  private(set) var states: [EvaluationState]

  /// The keys of the calls of `unique()` in each expression.
  private let uniques: [[UniqueKeys]]

  /// How many rows each expression was asked about.
  private var seenCounts: [Int]

  /// The bytes that keys may take.
  private let room: Int

  /// Binds the expressions.
  init(_ conditions: [SourceExpression], _ binder: inout Binder) throws(ExpressionError) {
    var programs: [Program] = []
    var uniques: [[UniqueKeys]] = []
    for condition in conditions {
      let (program, keys) = try binder.bind(stepCondition: condition)
      programs.append(program)
      uniques.append(keys.map { UniqueKeys($0) })
    }
    self.conditions = programs
    self.uniques = uniques
    room = binder.context.keyRoom
    seenCounts = programs.map { _ in 0 }
    states = programs.map(\.stepState)
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    if conditions.isEmpty { return [] }
    let holdsKeys = uniques.contains { !$0.isEmpty }
    return [PlannedStep(work: .filter, holding: holdsKeys ? .keys : .batch)]
  }

  mutating func apply(to rows: inout BatchRows) {
    let batch = rows.batch
    for index in conditions.indices where rows.count > 0 {
      if !uniques[index].isEmpty { findFirsts(rows, index) }
      rows.keep { numbers in conditions[index].filter(batch, rows: &numbers, state: &states[index]) }
      rows.leaveOut(states[index].tally.takeRows())
    }
  }

  /// Finds the rows that are the first with their key, before an expression is asked about them.
  private mutating func findFirsts(_ rows: BatchRows, _ index: Int) {
    let (batch, numbers) = (rows.batch, rows.numbersOfRows)
    var evaluator = Evaluator(conditions[index].context, batch: batch, state: states[index])
    var firsts = RowBits(rowCount: batch.rowCount * uniques[index].count)
    for (call, keys) in uniques[index].enumerated() {
      // A key may ask a call before it.
      evaluator.state.firsts = firsts
      keys.find(numbers, from: seenCounts[index], &evaluator, into: &firsts, offset: call * batch.rowCount)
    }
    states[index] = evaluator.state
    states[index].firsts = firsts
    seenCounts[index] += numbers.count
    let memory = uniques.reduce(0) { $1.reduce($0) { $0 + $1.memory } }
    if memory > room, states[index].failure == nil {
      states[index].failure = .tooManyKeys(function: "unique")
    }
  }
}
