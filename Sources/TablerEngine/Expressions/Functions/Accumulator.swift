/// What an aggregate has seen so far: the body of its function.
protocol Accumulator: Sendable {
  /// Starts before the first row.
  init()

  /// Takes in rows of the evaluator's batch, in their order.
  mutating func add(_ rows: Span<UInt32>, _ call: BoundAggregate, _ evaluator: inout Evaluator)

  /// Takes in a row of which nothing is asked.
  mutating func addRow()

  /// Takes in the row that the evaluator stands at: of it the argument, and what further arguments there are.
  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator)

  /// Copies what it keeps from a batch that ends; of a text that has more bytes than `limit` not all.
  mutating func hold(from batch: Batch, atMost limit: Int)

  /// Takes in what another one saw of later rows.
  mutating func merge(_ later: Self)

  /// The value for the rows seen, for which a temporary file may have to be read.
  var result: Value { get throws(SystemError) }

  /// The bytes that it takes, about.
  var byteCount: Int { get }

  /// Writes what it can do without for now to a temporary file.
  mutating func spill(to file: SpillFile) throws(SystemError)

  /// What it holds of the rows that it saw.
  static var holding: AggregateHolding { get }

  /// Whether it always takes the same bytes, and keeps nothing from a batch.
  static var isFixed: Bool { get }

  /// Whether its value may be a quotient.
  static var mayBeInexact: Bool { get }

  /// Takes in rows of the evaluator's batch, in their order, each for its group.
  ///
  /// - Parameter count: the number of groups.
  static func add(
    _ rows: Span<UInt32>, of groups: Span<UInt32>, count: Int, to accumulators: inout GroupAccumulators,
    _ call: BoundAggregate, _ evaluator: inout Evaluator)

  /// The values for some of `count` groups.
  ///
  /// - Parameter late: where the cells are counted that are misfits because of what other rows hold.
  static func values(
    of groups: Range<Int>, count: Int, in accumulators: inout GroupAccumulators,
    _ late: inout ConversionTally
  ) throws(SystemError) -> [Value]

  /// Writes what accumulators can do without for now to a temporary file.
  static func spill(_ accumulators: inout GroupAccumulators, to file: SpillFile) throws(SystemError)

  /// The cells that are misfits because of what other rows hold, and whether its text is too long.
  var lateMisfits: ConversionTally? { get }

  /// What is wrong with the arguments of a call, and with which of them.
  static func mistake(in call: BoundAggregate) -> (argument: Int, kind: ExpressionError.Kind)?
}

/// What an aggregate holds of the rows that it saw, the most last.
enum AggregateHolding: Int, Sendable {
  /// A value or a few.
  case little
  /// The different values; beyond its room in a temporary file.
  case keys
  /// All numbers; beyond its room in a temporary file.
  case numbers
}

/// An accumulator of numbers, which takes short ones as they are.
protocol NumberAccumulator: Accumulator {
  /// Takes in a number.
  mutating func add(_ number: ShortDecimal)

  /// Takes in rows of the evaluator's batch, in their order, each for its group.
  ///
  /// - Parameters:
  ///   - numbers: the argument in these rows.
  ///   - count: the number of groups.
  static func add(
    _ numbers: NumberColumns, _ rows: Span<UInt32>, of groups: Span<UInt32>, count: Int,
    to accumulators: inout GroupAccumulators, _ call: BoundAggregate, _ evaluator: inout Evaluator)
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
    hold(from: evaluator.batch, atMost: evaluator.context.longestText)
  }

  mutating func addRow() {}

  mutating func hold(from batch: Batch, atMost limit: Int) {}

  var byteCount: Int { MemoryLayout<Self>.stride }

  mutating func spill(to file: SpillFile) throws(SystemError) {}

  static var holding: AggregateHolding { .little }

  static var isFixed: Bool { false }

  static var mayBeInexact: Bool { false }

  var lateMisfits: ConversionTally? { nil }

  static func mistake(in call: BoundAggregate) -> (argument: Int, kind: ExpressionError.Kind)? { nil }

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

  /// What it holds of the rows that it saw.
  var holding: AggregateHolding { call.accumulator.holding }

  /// Whether it always takes the same bytes, so that its value is short.
  var isFixed: Bool { call.accumulator.isFixed }

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
  var result: Value { get throws(SystemError) { try accumulator.result } }

  /// Writes what it can do without for now to a temporary file.
  mutating func spill(to file: SpillFile) throws(SystemError) { try accumulator.spill(to: file) }

  /// The bytes that it takes, about: to be asked for after each batch, not after each row.
  var byteCount: Int { MemoryLayout<Self>.stride + accumulator.byteCount }
}

/// What is kept by aggregates: of a footer, of a heading.
protocol AggregateKeeper {
  /// The bytes that its aggregates take, about.
  var byteCount: Int { get }

  /// Writes what they can do without for now to a temporary file.
  mutating func spill(to file: SpillFile) throws(SystemError)
}

/// The memory for what aggregates keep while they see rows; what exceeds it is spilled to a temporary file.
struct AggregateRoom: Sendable {
  private let room: Int
  private var file: SpillFile?

  /// The number of kept bytes from which the next spill begins.
  private var spillSize: Int

  /// The least bytes that aggregates may keep, however small the budget is.
  private static let least = 24 << 20

  /// Why aggregates cannot go on.
  enum Overflow: Error {
    /// What they keep and cannot write has no room.
    case tooLarge
    /// A temporary file that could not be written.
    case system(SystemError)
  }

  /// Creates room for `room` bytes.
  init(_ room: Int) {
    self.room = room
    spillSize = room
  }

  /// The bytes that aggregates may keep if the memory budget is `budget` bytes.
  static func room(ofBudget budget: Int) -> Int { max(budget / 4, least) }

  /// Spills what the aggregates keep if it exceeds the room; to be called after each batch.
  ///
  /// - Throws: `tooLarge` if what cannot be spilled takes twice the room or more.
  mutating func settle(_ keeper: inout some AggregateKeeper) throws(Overflow) {
    if keeper.byteCount < spillSize { return }
    do throws(SystemError) {
      let file: SpillFile
      if let known = self.file { file = known } else { file = try SpillFile() }
      self.file = file
      try keeper.spill(to: file)
    } catch { throw .system(error) }
    let left = keeper.byteCount
    if left >= 2 * room { throw .tooLarge }
    spillSize = max(room, left + room / 4)
  }
}

/// A sum that is exact for exact numbers and compensated for doubles.
struct ExactSum: Sendable {
  private var exact = Number.int(0)

  /// The sum of the short numbers that were not added to the others yet.
  private var short = ShortDecimal(digits: 0, scale: 0)
  private var double = 0.0
  private var compensation = 0.0
  private var hasDoubles = false

  /// Adds a number.
  mutating func add(_ number: Number) {
    guard number.exact != nil else { return add(number.doubleValue) }
    let sum = exact.adding(number)
    if case .double = sum {
      // More digits than an exact number has: both parts go on as doubles.
      add(exact.doubleValue)
      exact = number
    } else {
      exact = sum
    }
  }

  /// Adds a short number.
  @inline(__always)
  mutating func add(_ number: ShortDecimal) {
    if let sum = short.adding(number) {
      short = sum
    } else {
      add(short.number)
      short = number
    }
  }

  /// Adds another sum.
  mutating func merge(_ other: ExactSum) {
    add(other.exact)
    add(other.short.number)
    guard other.hasDoubles else { return }
    add(other.double)
    add(other.compensation)
  }

  /// The sum.
  var total: Number {
    var settled = self
    settled.add(short.number)
    return settled.totalWithoutShort
  }

  private var totalWithoutShort: Number {
    guard hasDoubles else { return exact }
    guard double.isFinite else { return .double(double) }
    return .double(exact.doubleValue + (double + compensation))
  }

  /// Neumaier's summation: what rounding takes from the sum is kept beside it.
  private mutating func add(_ value: Double) {
    hasDoubles = true
    let sum = double + value
    if sum.isFinite {
      compensation += abs(double) >= abs(value) ? (double - sum) + value : (value - sum) + double
    }
    double = sum
  }
}
