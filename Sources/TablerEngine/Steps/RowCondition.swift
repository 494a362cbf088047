/// A condition that a step asks of rows; `unique()` in it asks for the first row with a key.
struct RowCondition {
  /// The condition, bound, and what it left behind.
  private var bound: FieldProgram

  /// The keys of the calls of `unique()`.
  private let uniques: [UniqueKeys]

  /// The bytes that the keys of a call may take.
  private let room: Int

  /// How many rows it was asked about.
  private var seenCount = 0

  /// Binds an expression.
  ///
  /// - Parameter mayLeaveOut: whether rows with cells that do not convert may be left out; else such cells are null.
  init(_ source: SourceExpression, mayLeaveOut: Bool = true, _ binder: inout Binder) throws(ExpressionError) {
    let (program, keys) = try binder.bind(stepCondition: source)
    bound = FieldProgram(program, mayLeaveOut ? program.stepState : program.freshState)
    uniques = keys.map { UniqueKeys($0) }
    room = binder.context.keyRoom
  }

  /// Whether it holds keys, so that it depends on the rows before.
  var holdsKeys: Bool { !uniques.isEmpty }

  /// The condition, bound.
  var program: Program { bound.program }

  /// What it left behind, but for what it found in the cells of columns that runs named.
  var state: EvaluationState { bound.state }

  /// What it found in the cells of a column that runs named, if anything.
  func state(of column: Int) -> EvaluationState? { bound.state(of: column) }

  /// The bytes that its keys take.
  var keyMemory: Int { uniques.reduce(0) { $0 + $1.memory } }

  /// Keeps those of some rows of a batch for which it is true.
  ///
  /// - Parameter field: the column that is judged, if it was bound for columns that runs name.
  mutating func keep(_ rows: inout [UInt32], of batch: Batch, field: FieldColumn? = nil) {
    if holdsKeys { findFirsts(rows, of: batch) }
    bound.run(field) { $0.filter(batch, rows: &rows, field: $1, state: &$2) }
  }

  /// The rows with cells that did not convert, of the batch that was asked about last, where such rows are left out.
  mutating func takeMisfits() -> [UInt32] {
    var misfits: [UInt32] = []
    bound.change { misfits = $0.tally.takeRows() }
    return misfits
  }

  /// Finds the rows that are the first with their key, before the condition is asked.
  private mutating func findFirsts(_ rows: [UInt32], of batch: Batch) {
    var evaluator = Evaluator(program.context, batch: batch, state: state)
    var firsts = RowBits(rowCount: batch.rowCount * uniques.count)
    for (call, keys) in uniques.enumerated() {
      // A key may ask a call before it.
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

  /// Takes note that there is no room for the keys.
  mutating func failForKeys() {
    bound.change { $0.failure = $0.failure ?? .tooManyKeys(function: "unique") }
  }
}
