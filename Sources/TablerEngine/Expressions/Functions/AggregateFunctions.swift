/// The functions that see all rows.
enum AggregateFunctions {
  /// Every one, in the order of help and manual.
  static let all: [Function] = [
    Function(
      "count", [.optional(.any("x"))], gives: .number, "number of rows, or of values of x",
      example: "count()", "6", sql: .core, elsewhere: "tally counta n_rows nrow",
      .aggregate(Count.self)),
    Function(
      "sum", [.number("x")], gives: .number, "sum; exact for exact numbers", example: "sum(weight)", "404",
      sql: .core, elsewhere: "total", .aggregate(Sum.self)),
    Function(
      "min", [.any("x")], gives: .any, "smallest number, else text", example: "min(weight)", "2", sql: .core,
      elsewhere: "minimum", .aggregate(Extreme<Smallest>.self)),
    Function(
      "max", [.any("x")], gives: .any, "largest number, else text", example: "max(weight)", "190",
      sql: .core, elsewhere: "maximum", .aggregate(Extreme<Largest>.self)),
    Function(
      "mean", also: ["avg"], [.number("x")], gives: .number, "average; also avg(x)",
      example: "mean(weight / 2)", "33.666666666666664", sql: .translated,
      elsewhere: "average arithmetic_mean", .aggregate(Mean.self)),
    Function(
      "first", [.any("x")], gives: .any, "first value", example: "first(name)", "Banana", sql: .local,
      elsewhere: "first_value any_value", .aggregate(First.self)),
    Function(
      "last", [.any("x")], gives: .any, "last value", example: "last(name)", "Blueberry", sql: .local,
      elsewhere: "last_value", .aggregate(Last.self)),
  ]
}

// MARK: - Bodies

/// Counts rows, or values: `count()`, `count(x)`.
private struct Count: Accumulator {
  private var count = 0

  mutating func add(_ rows: Span<UInt32>, _ call: BoundAggregate, _ evaluator: inout Evaluator) {
    if call.argument == nil { count += rows.count } else { addEach(rows, call, &evaluator) }
  }

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    if !evaluator.value(argument).isNull { count += 1 }
  }

  mutating func merge(_ later: Count) { count += later.count }

  var result: Value { .int(count) }
}

/// Adds numbers: `sum(x)`.
private struct Sum: Accumulator {
  private var sum = ExactSum()
  private(set) var count = 0

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    guard let number = evaluator.number(argument) else { return }
    count += 1
    sum.add(number)
  }

  mutating func merge(_ later: Sum) {
    count += later.count
    sum.merge(later.sum)
  }

  var total: Number? { count > 0 ? sum.total : nil }

  var result: Value { .optional(total) }
}

/// Divides the sum by the count: `mean(x)`.
private struct Mean: Accumulator {
  private var sum = Sum()

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    sum.add(argument, further, &evaluator)
  }

  mutating func merge(_ later: Mean) { sum.merge(later.sum) }

  var result: Value { .optional(sum.total.map { .double($0.doubleValue / Double(sum.count)) }) }
}

/// Keeps the first value: `first(x)`.
private struct First: Accumulator {
  private var kept = KeptValue()

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    if kept.value.isNull { kept = KeptValue(evaluator.value(argument)) }
  }

  mutating func hold(from batch: Batch, atMost limit: Int) { kept.hold(from: batch, atMost: limit) }

  mutating func merge(_ later: First) { if kept.value.isNull { kept = later.kept } }

  var result: Value { kept.result }
}

/// Keeps the last value: `last(x)`.
private struct Last: Accumulator {
  private var kept = KeptValue()

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    let new = evaluator.value(argument)
    if !new.isNull { kept = KeptValue(new) }
  }

  mutating func hold(from batch: Batch, atMost limit: Int) { kept.hold(from: batch, atMost: limit) }

  mutating func merge(_ later: Last) { if !later.kept.value.isNull { kept = later.kept } }

  var result: Value { kept.result }
}

/// A value that is kept after its batch ends; of a very long text the beginning is, and the result is null.
private struct KeptValue {
  /// The value, or its beginning.
  private(set) var value: Value
  private var isCut = false

  init(_ value: Value = .null) { self.value = value }

  /// Copies the value from a batch that ends, as far as it has no more than `limit` bytes.
  mutating func hold(from batch: Batch, atMost limit: Int) {
    guard let text = value.text(in: batch, longerThan: limit) else {
      value = value.held(from: batch)
      return
    }
    value = .text(TextValue(text))
    isCut = true
  }

  var result: Value { isCut ? .null : value }
}

extension Value {
  /// The beginning of a text that is longer than `limit` bytes; `nil` of all else.
  fileprivate func text(in batch: Batch, longerThan limit: Int) -> [UInt8]? {
    switch self {
    case .null, .bool, .number: return nil
    case .text(let text), .list(let text), .object(let text):
      let bytes = text.bytes(in: batch)
      return bytes.count > limit ? Array(copying: bytes.extracting(..<limit)) : nil
    }
  }
}

/// `min(x)`, `max(x)`: of the numbers if there is any, else of the texts.
private struct Extreme<Side: ExtremeSide>: Accumulator {
  private var number: Number?
  private var text = KeptValue()

  /// The cells that are texts: misfits should there be numbers.
  private var texts = ConversionTally(entries: [])

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    let value = evaluator.value(argument)
    if value.isNull { return }
    if let number = evaluator.number(of: value) {
      keep(number)
    } else {
      if isBeyond(value, evaluator) { text = KeptValue(value) }
      noteText(of: argument, evaluator)
    }
  }

  mutating func hold(from batch: Batch, atMost limit: Int) { text.hold(from: batch, atMost: limit) }

  mutating func merge(_ later: Extreme) {
    if let number = later.number { keep(number) }
    if !later.text.value.isNull {
      let evaluator = Evaluator(EvaluationContext(), batch: .empty, state: EvaluationState(slots: []))
      if isBeyond(later.text.value, evaluator) { text = later.text }
    }
    if texts.entries.isEmpty { texts = later.texts } else { texts.merge(later.texts) }
  }

  var result: Value { number.map { .number($0) } ?? text.result }

  var lateMisfits: ConversionTally? { number == nil ? nil : texts }

  @inline(__always)
  private mutating func keep(_ new: Number) {
    if let number, Number.compare(new, number).signum() != Side.sign { return }
    number = new
  }

  @inline(__always)
  private func isBeyond(_ new: Value, _ evaluator: borrowing Evaluator) -> Bool {
    text.value.isNull || evaluator.compare(new, text.value, by: .texts)?.signum() == Side.sign
  }

  private mutating func noteText(of argument: Node, _ evaluator: borrowing Evaluator) {
    if texts.entries.isEmpty { texts = evaluator.state.tally.emptied }
    switch argument {
    case .cell(let column, let slot):
      let cell = evaluator.batch.cell(row: evaluator.row, column: column)
      if cell.length > 0 {
        texts.note(slot, wanted: .number, cell: cell, batch: evaluator.batch, row: evaluator.row)
      }
    case .way(let column, let slot):
      let value = evaluator.value(of: evaluator.batch.value(of: column, row: evaluator.row))
      guard let text = evaluator.text(of: value)?.held(from: evaluator.batch), !text.held.isEmpty else {
        return
      }
      texts.note(slot, wanted: .number, text.held.span, batch: evaluator.batch, row: evaluator.row)
    default: return
    }
  }
}

/// Which of two values is kept.
private protocol ExtremeSide: Sendable {
  /// The sign of a comparison of the value kept with the other one.
  static var sign: Int { get }
}

private enum Smallest: ExtremeSide {
  static var sign: Int { -1 }
}

private enum Largest: ExtremeSide {
  static var sign: Int { 1 }
}

/// What an aggregate has seen so far: the body of its function.
protocol Accumulator: Sendable {
  /// Starts before the first row.
  init()

  /// Takes in rows of the evaluator's batch, in their order.
  mutating func add(_ rows: Span<UInt32>, _ call: BoundAggregate, _ evaluator: inout Evaluator)

  /// Takes in the row that the evaluator stands at: of it the argument, and what further arguments there are.
  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator)

  /// Copies what it keeps from a batch that ends; of a text that has more bytes than `limit` not all.
  mutating func hold(from batch: Batch, atMost limit: Int)

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
    hold(from: evaluator.batch, atMost: evaluator.context.longestText)
  }

  mutating func hold(from batch: Batch, atMost limit: Int) {}

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

/// A sum that is exact for exact numbers and compensated for doubles.
struct ExactSum: Sendable {
  private var exact = Number.int(0)
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

  /// Adds another sum.
  mutating func merge(_ other: ExactSum) {
    add(other.exact)
    guard other.hasDoubles else { return }
    add(other.double)
    add(other.compensation)
  }

  /// The sum.
  var total: Number {
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
