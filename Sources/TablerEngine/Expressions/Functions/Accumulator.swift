/// The state of an aggregate: it implements the function.
protocol Accumulator: Sendable {
  /// Starts before the first row.
  init()

  /// Adds rows of the evaluator's batch, in order.
  mutating func add(_ rows: Span<UInt32>, _ call: BoundAggregate, _ evaluator: inout Evaluator)

  /// Adds a row of which nothing is read.
  mutating func addRow()

  /// Adds the evaluator's current row: its argument, and further arguments if there are any.
  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator)

  /// Copies what it keeps from a batch that ends; a text of more than `limit` bytes only in part.
  mutating func hold(from batch: Batch, atMost limit: Int)

  /// Adds the state of another one that saw later rows.
  mutating func merge(_ later: Self)

  /// The value for the rows so far, which may have to be read from a temporary file.
  var result: Value { get throws(SystemError) }

  /// Its approximate size in bytes.
  var byteCount: Int { get }

  /// Writes the data that it does not need for now to a temporary file.
  mutating func spill(to file: SpillFile) throws(SystemError)

  /// How much it holds of the rows that it saw.
  static var holding: AggregateHolding { get }

  /// Whether its size never changes, and it keeps nothing from a batch.
  static var isFixed: Bool { get }

  /// Whether its value may be a quotient.
  static var mayBeInexact: Bool { get }

  /// Whether it adds values, so that one that is the total of others counts twice.
  static var adds: Bool { get }

  /// Adds rows of the evaluator's batch, in order, each to its group.
  ///
  /// - Parameter count: the number of groups.
  static func add(
    _ rows: Span<UInt32>, of groups: Span<UInt32>, count: Int, to accumulators: inout GroupAccumulators,
    _ call: BoundAggregate, _ evaluator: inout Evaluator)

  /// The values of some of `count` groups.
  ///
  /// - Parameter late: counts the cells that are misfits because of what other rows contain.
  static func values(
    of groups: Range<Int>, count: Int, in accumulators: inout GroupAccumulators,
    _ late: inout ConversionTally
  ) throws(SystemError) -> [Value]

  /// Writes the data that accumulators do not need for now to a temporary file.
  static func spill(_ accumulators: inout GroupAccumulators, to file: SpillFile) throws(SystemError)

  /// The cells that are misfits because of what other rows contain, and whether its text is too long.
  var lateMisfits: ConversionTally? { get }

  /// The mistake in the arguments of a call, and the argument that has it.
  static func mistake(in call: BoundAggregate) -> (argument: Int, kind: ExpressionError.Kind)?
}

/// How much an aggregate holds of the rows that it saw, in ascending order.
enum AggregateHolding: Int, Sendable {
  /// One value or a few.
  case little
  /// The different values; in a temporary file if they exceed the room.
  case keys
  /// All numbers; in a temporary file if they exceed the room.
  case numbers
}

/// An accumulator of numbers, which can add short ones directly.
protocol NumberAccumulator: Accumulator {
  /// Adds a number.
  mutating func add(_ number: ShortDecimal)

  /// Adds rows of the evaluator's batch, in order, each to its group.
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

  /// Adds rows one by one; there is an argument.
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
  static var adds: Bool { false }

  var lateMisfits: ConversionTally? { nil }

  static func mistake(in call: BoundAggregate) -> (argument: Int, kind: ExpressionError.Kind)? { nil }

  /// Adds the state of another accumulator of the same aggregate that saw later rows.
  fileprivate mutating func merge(any later: any Accumulator) {
    if let later = later as? Self { merge(later) }
  }
}

/// A call of an aggregate, bound.
struct BoundAggregate: Sendable {
  /// The type that accumulates the rows.
  let accumulator: any Accumulator.Type

  /// The argument that it reads from each row; nil in `count()`.
  let argument: Node?

  /// The arguments after the first.
  let further: [Node]

  /// Whether cells are passed over that functions such as `number()` should convert.
  let dropsCells: Bool

  /// Creates a bound call.
  init(_ accumulator: any Accumulator.Type, _ arguments: [Node], dropsCells: Bool = false) {
    self.accumulator = accumulator
    self.dropsCells = dropsCells
    argument = arguments.first
    further = Array(arguments.dropFirst())
  }
}

/// A running call of an aggregate: its state, and the cells that did not convert.
struct Aggregator: Sendable {
  private let call: BoundAggregate

  /// How much it holds of the rows that it saw.
  var holding: AggregateHolding { call.accumulator.holding }

  /// Whether its size never changes, so that its value is short.
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
    tally.merge(late)
    return tally
  }

  /// Adds rows of the evaluator's batch.
  mutating func add(_ rows: Span<UInt32>, _ evaluator: inout Evaluator) {
    swap(&evaluator.state.tally, &tally)
    defer { swap(&evaluator.state.tally, &tally) }
    accumulator.add(rows, call, &evaluator)
  }

  /// Adds the state of another aggregator that saw later rows.
  mutating func merge(_ later: Aggregator) {
    tally.merge(later.tally)
    accumulator.merge(any: later.accumulator)
  }

  /// The value for the rows so far.
  var result: Value { get throws(SystemError) { try accumulator.result } }

  /// Writes the data that it does not need for now to a temporary file.
  mutating func spill(to file: SpillFile) throws(SystemError) { try accumulator.spill(to: file) }

  /// Its approximate size in bytes: to be read after each batch, not after each row.
  var byteCount: Int { MemoryLayout<Self>.stride + accumulator.byteCount }
}

/// A value that holds aggregates: a footer, a heading.
protocol AggregateKeeper {
  /// The approximate size of its aggregates in bytes.
  var byteCount: Int { get }

  /// Writes the data that they do not need for now to a temporary file.
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

  /// The reason aggregates cannot continue.
  enum SpillError: Error {
    /// They keep too much that cannot be written to a file.
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
  mutating func spillIfFull(_ keeper: inout some AggregateKeeper) throws(SpillError) {
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

  /// The sum of the short numbers that have not been added to the others yet.
  private var short = ShortDecimal(digits: 0, scale: 0)
  private var double = 0.0
  private var compensation = 0.0
  private var hasDoubles = false

  /// Adds a number.
  mutating func add(_ number: Number) {
    guard number.exact != nil else { return add(number.doubleValue) }
    let sum = exact.adding(number)
    if case .double = sum {
      // It has more digits than an exact number: both parts continue as doubles.
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

  /// Neumaier's summation: what rounding removes from the sum is kept separately.
  private mutating func add(_ value: Double) {
    hasDoubles = true
    let sum = double + value
    if sum.isFinite {
      compensation += abs(double) >= abs(value) ? (double - sum) + value : (value - sum) + double
    }
    double = sum
  }
}

/// The exact sums of numbers and of their squares: their mean, and how far they are from it.
struct NumberSpread: Sendable {
  private var count = 0
  private var sum = ExactSum()
  private var squares = ExactSum()

  /// Adds a number that comes several times.
  mutating func add(_ number: Number, times: Int = 1) {
    let exact = number.decimal
    let square = exact.multiplied(by: exact)
    count += times
    sum.add(times == 1 ? exact : exact.multiplied(by: .int(Int64(times))))
    squares.add(times == 1 ? square : square.multiplied(by: .int(Int64(times))))
  }

  /// Adds a short number that comes several times.
  @inline(__always)
  mutating func add(_ number: ShortDecimal, times: Int) {
    let (part, isLong) = number.digits.multipliedReportingOverflow(by: Int64(times))
    let (square, isLarge) = number.digits.multipliedReportingOverflow(by: part)
    if isLong || isLarge || 2 * number.scale > ShortDecimal.mostDecimals {
      return add(number.withoutTrailingZeros().number, times: times)
    }
    count += times
    sum.add(ShortDecimal(digits: part, scale: number.scale))
    squares.add(ShortDecimal(digits: square, scale: 2 * number.scale))
  }

  /// Adds other numbers.
  mutating func merge(_ other: NumberSpread) {
    count += other.count
    sum.merge(other.sum)
    squares.merge(other.squares)
  }

  /// The mean; `nil` of no numbers.
  var mean: Number? { count == 0 ? nil : sum.total.divided(by: .int(Int64(count))) }

  /// The standard deviation of a sample; `nil` of fewer than two numbers.
  var deviation: Number? {
    guard count > 1 else { return nil }
    let variance = spread / Double(count) / Double(count - 1)
    return .double(variance < 0 ? 0 : variance.squareRoot())
  }

  /// The sum of the squares times the count, minus the square of the sum.
  private var spread: Double {
    guard let sum = sum.total.exact, let squares = squares.total.exact, squares.scale == 2 * sum.scale else {
      let sum = sum.total.doubleValue
      return squares.total.doubleValue * Double(count) - sum * sum
    }
    let left = squares.significand.magnitude.multipliedFullWidth(by: UInt128(count))
    let right = sum.significand.magnitude.multipliedFullWidth(by: sum.significand.magnitude)
    let (low, borrow) = left.low.subtractingReportingOverflow(right.low)
    // It is never negative: the mean of the squares is not below the square of the mean.
    let high = left.high &- right.high &- (borrow ? 1 : 0)
    let digits = Double(high) * 0x1p128 + Double(low)
    return digits / Double(ExactDecimal.powerOfTen(squares.scale))
  }
}

extension Number {
  /// The number as a decimal: for a double the one that it prints as, if the digits suffice.
  fileprivate var decimal: Number {
    if case .double(let value) = self, let exact = ShortestDigits(value)?.exact { return .decimal(exact) }
    return self
  }
}
