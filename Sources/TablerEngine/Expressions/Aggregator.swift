/// What one aggregate has seen so far.
struct Aggregator: Sendable {
  private let kind: Aggregate
  private let argument: Node?
  private var count = 0
  private var sum = ExactSum()
  /// The extreme among numbers, the extreme among texts; or the first or last value.
  private var number: Number?
  private var value = Value.null

  /// The cells that did not convert.
  private var tally: ConversionTally

  /// The cells that were texts where there may be numbers: misfits if there are.
  private var texts: ConversionTally

  /// Starts before the first row.
  ///
  /// - Parameter slots: the names of the columns whose misfits are counted.
  init(_ bound: BoundAggregate, slots: [String]) {
    kind = bound.kind
    argument = bound.argument
    tally = EvaluationState(slots: slots).tally
    texts = tally
  }

  /// The cells that did not convert; texts among numbers are some, texts among texts none.
  var misfitCells: ConversionTally {
    guard number != nil else { return tally }
    var tally = tally
    tally.widen(texts)
    return tally
  }

  /// Takes in rows of the evaluator's batch.
  mutating func add(_ rows: Span<UInt32>, _ evaluator: inout Evaluator) {
    guard let argument else {
      count += rows.count
      return
    }
    swap(&evaluator.state.tally, &tally)
    defer { swap(&evaluator.state.tally, &tally) }
    for index in rows.indices {
      evaluator.row = Int(rows[index])
      switch kind {
      case .count: if !evaluator.value(argument).isNull { count += 1 }
      case .sum, .mean:
        if let number = evaluator.number(argument) {
          count += 1
          sum.add(number)
        }
      case .min, .max:
        if keep(evaluator.value(argument), evaluator) { noteText(of: argument, evaluator) }
      case .first: if value.isNull { value = evaluator.value(argument) }
      case .last:
        let new = evaluator.value(argument)
        if !new.isNull { value = new }
      }
    }
    value = value.held(from: evaluator.batch)
  }

  /// Takes in what another aggregator saw of later rows.
  mutating func merge(_ other: Aggregator) {
    count += other.count
    tally.merge(other.tally)
    texts.merge(other.texts)
    sum.merge(other.sum)
    let evaluator = Evaluator(EvaluationContext(), batch: .empty, state: EvaluationState(slots: []))
    switch kind {
    case .min, .max:
      if let number = other.number { _ = keep(.number(number), evaluator) }
      _ = keep(other.value, evaluator)
    case .first: if value.isNull { value = other.value }
    case .last: if !other.value.isNull { value = other.value }
    case .count, .sum, .mean: return
    }
  }

  /// The result: null without values, but for counts.
  var result: Value {
    switch kind {
    case .count: .int(count)
    case .sum: count > 0 ? .number(sum.total) : .null
    case .mean: count > 0 ? .number(.double(sum.total.doubleValue / Double(count))) : .null
    case .min, .max: number.map { .number($0) } ?? value
    case .first, .last: value
    }
  }
}

extension Aggregator {
  /// Keeps the more extreme value: of numbers if there is any, else of texts.
  ///
  /// - Returns: whether the value is a text.
  private mutating func keep(_ new: Value, _ evaluator: Evaluator) -> Bool {
    if new.isNull { return false }
    if let new = evaluator.number(of: new) {
      if number.map({ isMore(Number.compare(new, $0)) }) ?? true { number = new }
      return false
    }
    if value.isNull || isMore(evaluator.compare(new, value, by: .texts) ?? 0) { value = new }
    return true
  }

  /// Whether a value that compares so with the one kept takes its place.
  private func isMore(_ order: Int) -> Bool { kind == .min ? order < 0 : order > 0 }

  /// Notes a text that is a misfit should there be numbers.
  private mutating func noteText(of argument: Node, _ evaluator: Evaluator) {
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
