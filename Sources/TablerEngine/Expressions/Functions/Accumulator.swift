/// What an aggregate has seen so far: the body of its function.
protocol Accumulator: Sendable {
  /// Starts before the first row.
  init()

  /// Takes in rows of the evaluator's batch, in their order.
  mutating func add(_ rows: Span<UInt32>, _ call: BoundAggregate, _ evaluator: inout Evaluator)

  /// Takes in the row that the evaluator stands at: of it the argument, and what further arguments there are.
  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator)

  /// Copies what it keeps from a batch that ends.
  mutating func hold(from batch: Batch)

  /// Takes in what another one saw of later rows.
  mutating func merge(_ later: Self)

  /// The value for the rows seen.
  var result: Value { get }

  /// The cells that are misfits because of what other rows hold.
  var lateMisfits: ConversionTally? { get }
}

extension Accumulator {
  mutating func add(_ rows: Span<UInt32>, _ call: BoundAggregate, _ evaluator: inout Evaluator) {
    addEach(rows, call, &evaluator)
  }

  /// Takes in rows one by one; there is an argument.
  @inline(__always)
  mutating func addEach(_ rows: Span<UInt32>, _ call: BoundAggregate, _ evaluator: inout Evaluator) {
    guard let argument = call.argument else { return }
    for index in rows.indices {
      evaluator.row = Int(rows[index])
      add(argument, call.further, &evaluator)
    }
    hold(from: evaluator.batch)
  }

  mutating func hold(from batch: Batch) {}

  var lateMisfits: ConversionTally? { nil }

  /// Takes in what another one of the same aggregate saw of later rows.
  fileprivate mutating func merge(any later: any Accumulator) {
    if let later = later as? Self { merge(later) }
  }
}

/// A call of an aggregate, bound.
struct BoundAggregate: Sendable {
  /// What sees the rows.
  let accumulator: any Accumulator.Type

  /// What it sees of each row; nil in `count()`.
  let argument: Node?

  /// The arguments after the first.
  let further: [Node]

  /// Notes a call.
  init(_ accumulator: any Accumulator.Type, _ arguments: [Node]) {
    self.accumulator = accumulator
    argument = arguments.first
    further = Array(arguments.dropFirst())
  }
}

/// A call of an aggregate at work: what it has seen, and the cells that did not convert.
struct Aggregator: Sendable {
  private let call: BoundAggregate
  private var accumulator: any Accumulator
  private var tally: ConversionTally

  /// Starts before the first row.
  ///
  /// - Parameter slots: the names of the columns whose misfits are counted.
  init(_ call: BoundAggregate, slots: [String]) {
    self.call = call
    accumulator = call.accumulator.init()
    tally = EvaluationState(slots: slots).tally
  }

  /// The cells that did not convert.
  var misfitCells: ConversionTally {
    guard let late = accumulator.lateMisfits else { return tally }
    var tally = tally
    tally.widen(late)
    return tally
  }

  /// Takes in rows of the evaluator's batch.
  mutating func add(_ rows: Span<UInt32>, _ evaluator: inout Evaluator) {
    swap(&evaluator.state.tally, &tally)
    defer { swap(&evaluator.state.tally, &tally) }
    accumulator.add(rows, call, &evaluator)
  }

  /// Takes in what another aggregator saw of later rows.
  mutating func merge(_ later: Aggregator) {
    tally.merge(later.tally)
    accumulator.merge(any: later.accumulator)
  }

  /// The value for the rows seen.
  var result: Value { accumulator.result }
}
