/// A condition that a step tests rows with; `unique()` in it is true for the first row with a key.
struct RowCondition {
  /// The bound condition, and its state.
  private var bound: FieldProgram

  /// The keys of the calls of `unique()`.
  private let uniques: [UniqueKeys]

  /// The maximum size of the keys of a call, in bytes.
  private let room: Int

  /// The number of rows it has tested.
  private var seenCount = 0

  /// Binds an expression.
  ///
  /// - Parameters:
  ///   - mayLeaveOut: whether rows with cells that do not convert may be left out; otherwise such cells are null.
  ///   - notesDropped: whether cells are noted that functions such as `number()` make null.
  init(
    _ source: SourceExpression, mayLeaveOut: Bool = true, notesDropped: Bool = false, _ binder: inout Binder
  ) throws(ExpressionError) {
    let (program, keys) = try binder.bind(stepCondition: source)
    var state = mayLeaveOut ? program.stepState : program.passingState
    state.notesDropped = notesDropped
    bound = FieldProgram(program, state)
    uniques = keys.map { UniqueKeys($0) }
    room = binder.context.keyRoom
  }

  /// Whether it holds keys, so that it depends on earlier rows.
  var holdsKeys: Bool { !uniques.isEmpty }

  /// The bound condition.
  var program: Program { bound.program }

  /// Its state, without the findings in the cells of columns that runs specified.
  var state: EvaluationState { bound.state }

  /// The findings in the cells of a column that runs specified, if there are any.
  func state(of column: Int) -> EvaluationState? { bound.state(of: column) }

  /// The size of its keys in bytes.
  var keyMemory: Int { uniques.reduce(0) { $0 + $1.memory } }

  /// Keeps the rows of a batch for which it is true.
  ///
  /// - Parameter field: the column that is checked, if it was bound for columns that runs specify.
  mutating func keep(_ rows: inout [UInt32], of batch: Batch, field: FieldColumn? = nil) {
    if holdsKeys { findFirsts(rows, of: batch) }
    bound.run(field) { $0.filter(batch, rows: &rows, field: $1, state: &$2) }
  }

  /// The rows with cells that did not convert, in the batch that was tested last, if such rows are left out.
  mutating func takeMisfits() -> [UInt32] {
    var misfits: [UInt32] = []
    bound.change { misfits = $0.tally.takeRows() }
    return misfits
  }

  /// Finds the rows that are the first with their key, before the condition is tested.
  private mutating func findFirsts(_ rows: [UInt32], of batch: Batch) {
    var evaluator = Evaluator(program.context, batch: batch, state: state)
    var firsts = RowBits(rowCount: batch.rowCount * uniques.count)
    for (call, keys) in uniques.enumerated() {
      // A key may use an earlier call.
      evaluator.state.firsts = firsts
      let hasRoom = keys.find(
        rows, from: seenCount, &evaluator, into: &firsts, offset: call * batch.rowCount, room: room)
      if !hasRoom { evaluator.state.failure = evaluator.state.failure ?? .tooManyKeys(function: "unique") }
    }
    bound.change {
      $0 = evaluator.state
      $0.firsts = firsts
    }
    seenCount += rows.count
  }

  /// Records that there is no room for the keys.
  mutating func failForKeys() {
    bound.change { $0.failure = $0.failure ?? .tooManyKeys(function: "unique") }
  }
}
