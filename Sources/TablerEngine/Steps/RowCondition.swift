/// A condition that a step asks of rows; `unique()` in it asks for the first row with a key.
struct RowCondition {
  /// The condition, bound.
  let program: Program

  /// What it left behind.
  private(set) var state: EvaluationState

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
    self.program = program
    uniques = keys.map { UniqueKeys($0) }
    state = mayLeaveOut ? program.stepState : program.freshState
    room = binder.context.keyRoom
  }

  /// Whether it holds keys, so that it depends on the rows before.
  var holdsKeys: Bool { !uniques.isEmpty }

  /// Whether something was found in cells, or the run is to end for it.
  var hasFindings: Bool { state.failure != nil || !state.tally.isEmpty }

  /// The bytes that its keys take.
  var keyMemory: Int { uniques.reduce(0) { $0 + $1.memory } }

  /// Keeps those of some rows of a batch for which it is true.
  mutating func keep(_ rows: inout [UInt32], of batch: Batch) {
    if holdsKeys { findFirsts(rows, of: batch) }
    program.filter(batch, rows: &rows, state: &state)
  }

  /// The rows with cells that did not convert, of the batch that was asked about last, where such rows are left out.
  mutating func takeMisfits() -> [UInt32] { state.tally.takeRows() }

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
    state = evaluator.state
    state.firsts = firsts
    seenCount += rows.count
  }

  /// Takes note that there is no room for the keys.
  mutating func failForKeys() {
    if state.failure == nil { state.failure = .tooManyKeys(function: "unique") }
  }
}
