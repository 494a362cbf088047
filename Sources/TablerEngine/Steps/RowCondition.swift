/// A condition that a step asks of rows; `unique()` in it asks for the first row with a key.
struct RowCondition {
  /// The condition, bound.
  let program: Program

  /// What it left behind.
  private(set) var state: EvaluationState

  /// The keys of the calls of `unique()`.
  private let uniques: [UniqueKeys]

  /// How many rows it was asked about.
  private var seenCount = 0

  /// Binds an expression.
  init(_ source: SourceExpression, _ binder: inout Binder) throws(ExpressionError) {
    let (program, keys) = try binder.bind(stepCondition: source)
    self.program = program
    uniques = keys.map { UniqueKeys($0) }
    state = program.stepState
  }

  /// Whether it holds keys, so that it depends on the rows before.
  var holdsKeys: Bool { !uniques.isEmpty }

  /// The bytes that its keys take.
  fileprivate var memory: Int { uniques.reduce(0) { $0 + $1.memory } }

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
      keys.find(rows, from: seenCount, &evaluator, into: &firsts, offset: call * batch.rowCount)
    }
    state = evaluator.state
    state.firsts = firsts
    seenCount += rows.count
  }

  /// Takes note that there is no room for the keys.
  fileprivate mutating func failForKeys() {
    if state.failure == nil { state.failure = .tooManyKeys(function: "unique") }
  }
}

extension RowCondition {
  /// Ends the run where the keys of the conditions of a step take more than so many bytes together.
  ///
  /// - Parameter path: the condition of each of `owners`.
  static func limitKeys<Owner>(
    of owners: inout [Owner], _ path: WritableKeyPath<Owner, RowCondition>, to room: Int
  ) {
    guard let first = owners.firstIndex(where: { $0[keyPath: path].holdsKeys }) else { return }
    if owners.reduce(0, { $0 + $1[keyPath: path].memory }) > room {
      owners[first][keyPath: path].failForKeys()
    }
  }
}
