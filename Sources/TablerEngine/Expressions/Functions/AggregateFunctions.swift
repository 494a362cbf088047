/// The functions on all rows.
enum AggregateFunctions {
  /// All of them, in the order of help and manual.
  static let all: [Function] = [
    Function(
      "count", [.optional(.any("x"))], gives: .number, "number of rows, or of values of x",
      example: "count()", "6", sql: .core, elsewhere: "tally counta n_rows nrow",
      .aggregate(Count.self)),
    Function(
      "sum", [.amount("x")], gives: .any, "sum of numbers, sizes or durations; how often x is true",
      example: "sum(weight)", "404", sql: .core, elsewhere: "total", .aggregate(Sum.self)),
    Function(
      "min", [.any("x")], gives: .any, "smallest number, else text", example: "min(weight)", "2", sql: .core,
      elsewhere: "minimum", .aggregate(Extreme<Smallest>.self)),
    Function(
      "max", [.any("x")], gives: .any, "largest number, else text", example: "max(weight)", "190",
      sql: .core, elsewhere: "maximum", .aggregate(Extreme<Largest>.self)),
    Function(
      "mean", also: ["avg"], [.amount("x")], gives: .any, "average, or the share of true; also avg(x)",
      example: "round(mean(weight), 2)", "67.33", sql: .translated,
      elsewhere: "average arithmetic_mean", .aggregate(Mean.self)),
    Function(
      "median", [.amount("x")], gives: .any, "middle number, or the mean of the middle two",
      example: "median(weight)", "43.5", sql: .translated, elsewhere: "p50", .aggregate(Median.self)),
    Function(
      "percentile", [.amount("x"), .number("p")], gives: .any,
      "number below which the part p lies, from 0 to 1", example: "percentile(weight, 0.9)", "154",
      sql: .translated, elsewhere: "quantile percentile_cont quantile_cont perc", .aggregate(Percentile.self)),
    Function(
      "stddev", [.amount("x")], gives: .any, "standard deviation of a sample",
      example: "round(stddev(weight), 2)", "75.69", sql: .translated,
      elsewhere: "stddev_samp stdev std sd standard_deviation", .aggregate(Deviation.self)),
    Function(
      "distinct", [.any("x")], gives: .number, "number of different values", example: "distinct(color)", "6",
      sql: .core, elsewhere: "count_distinct distinct_count n_distinct nunique countunique cardinality",
      .aggregate(Distinct.self)),
    Function(
      "all", [.bool("p")], gives: .bool, "whether p is true wherever it is not null",
      example: "all(weight > 5)", "false", sql: .translated, elsewhere: "bool_and every logical_and",
      .aggregate(Conjunction.self)),
    Function(
      "any", [.bool("p")], gives: .bool, "whether p is true anywhere", example: "any(weight > 5)", "true",
      sql: .translated, elsewhere: "bool_or some logical_or", .aggregate(Disjunction.self)),
    Function(
      "join_agg", also: ["string_agg"], [.any("x"), .text("sep")], gives: .text,
      "the values joined with sep; also string_agg(x, sep)", example: "join_agg(left(name, 2), '-')",
      "Ba-St-Or-Ki-Gr-Bl", sql: .translated, elsewhere: "group_concat listagg array_agg",
      .aggregate(Joined.self)),
    Function(
      "first", [.any("x")], gives: .any, "first value", example: "first(name)", "Banana", sql: .local,
      elsewhere: "first_value any_value", .aggregate(First.self)),
    Function(
      "last", [.any("x")], gives: .any, "last value", example: "last(name)", "Blueberry", sql: .local,
      elsewhere: "last_value", .aggregate(Last.self)),
    Function(
      "spark", [.any("x")], gives: .text, "numbers, or those of a list, as a row of small bars",
      example: "spark(weight)", "▅▁█▄▁▁", sql: .local, elsewhere: "sparkline",
      .aggregate(Spark.self, orInRow: { $0.spark($1[0]) })),
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
    let value = evaluator.value(argument)
    evaluator.recordShortWord(value, from: argument)
    if !value.isNull { count += 1 }
  }

  mutating func addRow() { count += 1 }

  static var isFixed: Bool { true }

  mutating func merge(_ later: Count) { count += later.count }

  var result: Value { .int(count) }
}

/// Adds numbers, or counts what is true: `sum(x)`.
private struct Sum: NumberAccumulator {
  static var adds: Bool { true }
  private var sum = ExactSum()
  private(set) var count = 0

  /// The cells or items that are true or false, if there are any: misfits in case there are numbers.
  private var truths: [Truths] = []

  /// Values that are true or false.
  ///
  /// There may be some for each group, so that they are few bytes.
  private struct Truths: Sendable {
    var count = 0
    var trueCount = 0

    /// The slot that counts them, if they come from a cell or an item, and the first of them.
    let slot: Int?
    var first: ConversionTally.Misfit

    /// Their size in bytes, with that of their array; they share two texts.
    static let byteCount = MemoryLayout<Self>.stride + 48
    static let texts = [Array("false".utf8), Array("true".utf8)]
  }

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    switch argument {
    case .cell, .way, .listItem, .path, .held:
      let value = evaluator.value(argument)
      if let number = value.number(in: evaluator.batch, evaluator.context.marks) { return add(number) }
      if let truth = evaluator.truth(of: value) { return add(truth, argument.valueSlot, &evaluator) }
    default: break
    }
    if let number = evaluator.number(argument) { add(number) }
  }

  private mutating func add(_ number: Number) {
    count += 1
    sum.add(number)
  }

  private mutating func add(_ truth: Bool, _ slot: Int?, _ evaluator: inout Evaluator) {
    if truths.isEmpty {
      let first = ConversionTally.Misfit(
        source: evaluator.batch.source(ofRow: evaluator.row), line: evaluator.line(),
        row: evaluator.batch.rowNumber(ofRow: evaluator.row), text: Truths.texts[truth ? 1 : 0],
        wanted: .number)
      truths.append(Truths(slot: slot, first: first))
    }
    truths[0].count += 1
    if truth { truths[0].trueCount += 1 }
  }

  @inline(__always)
  mutating func add(_ number: ShortDecimal) {
    count += 1
    sum.add(number)
  }

  static var isFixed: Bool { true }

  mutating func merge(_ later: Sum) {
    count += later.count
    sum.merge(later.sum)
    guard let more = later.truths.first else { return }
    if truths.isEmpty {
      truths = later.truths
    } else {
      truths[0].count += more.count
      truths[0].trueCount += more.trueCount
      if more.first.row < truths[0].first.row { truths[0].first = more.first }
    }
  }

  var byteCount: Int { MemoryLayout<Self>.stride + (truths.isEmpty ? 0 : Truths.byteCount) }

  /// The sum, and of how many values it is.
  var total: (sum: Number, count: Int)? {
    if count > 0 { return (sum.total, count) }
    return truths.first.map { (.int(Int64($0.trueCount)), $0.count) }
  }

  var result: Value { .optional(total?.sum) }

  var lateMisfits: ConversionTally? {
    guard count > 0, let truths = truths.first, let slot = truths.slot else { return nil }
    return ConversionTally(truths.count, inSlot: slot, first: truths.first)
  }
}

/// Divides the sum by the count: `mean(x)`.
private struct Mean: NumberAccumulator {
  static var adds: Bool { true }
  private var sum = Sum()

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    sum.add(argument, further, &evaluator)
  }

  @inline(__always)
  mutating func add(_ number: ShortDecimal) { sum.add(number) }

  static var isFixed: Bool { true }

  static var mayBeInexact: Bool { true }

  mutating func merge(_ later: Mean) { sum.merge(later.sum) }

  var result: Value {
    guard let (sum, count) = sum.total else { return .null }
    return .optional(sum.divided(by: .int(Int64(count))))
  }

  var byteCount: Int { sum.byteCount }

  var lateMisfits: ConversionTally? { sum.lateMisfits }
}

/// Keeps the first value: `first(x)`.
private struct First: Accumulator {
  private var kept = KeptValue()

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    if kept.value.isNull { kept = KeptValue(evaluator.value(argument)) }
  }

  mutating func hold(from batch: Batch, atMost limit: Int) {
    kept.hold(from: batch, atMost: limit)
    kept.forgetCut()
  }

  var byteCount: Int { kept.byteCount }

  mutating func merge(_ later: First) { if kept.value.isNull { kept = later.kept } }

  var result: Value { kept.result }

  var lateMisfits: ConversionTally? { kept.misfit(of: "first()") }
}

/// Keeps the last value: `last(x)`.
private struct Last: Accumulator {
  private var kept = KeptValue()

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    let new = evaluator.value(argument)
    if !new.isNull { kept = KeptValue(new) }
  }

  mutating func hold(from batch: Batch, atMost limit: Int) {
    kept.hold(from: batch, atMost: limit)
    kept.forgetCut()
  }

  var byteCount: Int { kept.byteCount }

  mutating func merge(_ later: Last) { if !later.kept.value.isNull { kept = later.kept } }

  var result: Value { kept.result }

  var lateMisfits: ConversionTally? { kept.misfit(of: "last()") }
}

/// Draws numbers in their order: `spark(x)`.
private struct Spark: Accumulator {
  private var series = NumberSeries()
  private var isASCII = false

  static var holding: AggregateHolding { .numbers }

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    isASCII = evaluator.context.isASCII
    let value = evaluator.value(argument)
    if case .duration(let duration) = value {
      series.append(duration.seconds.doubleValue)
    } else if let number = value.number(in: evaluator.batch, evaluator.context.marks)
      ?? evaluator.number(argument)
    {
      series.append(number.doubleValue)
    }
  }

  mutating func merge(_ later: Spark) {
    series.merge(later.series)
    isASCII = isASCII || later.isASCII
  }

  var result: Value {
    get throws(SystemError) {
      guard let text = try series.drawn(isASCII: isASCII) else { return .null }
      return .text(text)
    }
  }

  var byteCount: Int { MemoryLayout<Self>.stride + series.byteCount }

  mutating func spill(to file: SpillFile) throws(SystemError) { try series.spill(to: file) }
}

extension Evaluator {
  /// Draws the numbers of a list; other items are skipped.
  fileprivate mutating func spark(_ argument: Node) -> Value {
    guard case .list(let list) = container(argument) else { return .null }
    let bytes = list.bytes(in: batch)
    guard let whole = JSONText.find([], in: bytes) else { return .null }
    var series = NumberSeries()
    JSONText.forEachItem(of: whole, bytes) { item in
      if item.kind == .number || item.kind == .text,
        let number = NumberReader.loose(bytes.extracting(item.start..<item.end), marks: .standard)
      {
        series.append(number.doubleValue)
      }
      return true
    }
    // A series that was never written needs no file.
    guard let text = try? series.drawn(isASCII: context.isASCII) else { return .null }
    return .text(text)
  }
}

/// A value that is kept after its batch ends; of a very long text only the beginning is kept, and the result
/// is null.
private struct KeptValue {
  /// The value, or its beginning.
  private(set) var value: Value
  private var isCut = false

  init(_ value: Value = .null) { self.value = value }

  /// Copies the value from a batch that ends, up to `limit` bytes of it.
  mutating func hold(from batch: Batch, atMost limit: Int) {
    guard let text = value.text(in: batch, longerThan: limit) else {
      value = value.held(from: batch)
      return
    }
    value = .text(TextValue(text))
    isCut = true
  }

  var result: Value { isCut ? .null : value }

  /// Drops the beginning of a text that was cut, if nothing is compared with it.
  mutating func forgetCut() { if isCut { value = .text(TextValue([])) } }

  /// The misfit if it was too long for an aggregate to keep.
  func misfit(of function: String) -> ConversionTally? {
    guard isCut else { return nil }
    var tally = ConversionTally(entries: [])
    tally.recordLongText(.read(by: function), batch: .empty, row: 0)
    return tally
  }

  /// The bytes that the value takes.
  var byteCount: Int {
    switch value {
    case .null, .bool, .number, .time, .duration: MemoryLayout<Self>.stride
    case .text(let text), .list(let text), .object(let text): MemoryLayout<Self>.stride + text.held.count
    }
  }
}

extension Value {
  /// The beginning of a text that is longer than `limit` bytes; `nil` for anything else.
  fileprivate func text(in batch: Batch, longerThan limit: Int) -> [UInt8]? {
    switch self {
    case .null, .bool, .number, .time, .duration: return nil
    case .text(let text), .list(let text), .object(let text):
      let bytes = text.bytes(in: batch)
      return bytes.count > limit ? Array(copying: bytes.extracting(..<limit)) : nil
    }
  }
}

/// `min(x)`, `max(x)`: of the numbers if there are any, otherwise of the texts.
private struct Extreme<Side: ExtremeSide>: Accumulator {
  private var number: Number?

  /// The text that spells the number, if it is a text by its own look: `00501`, or a text that was made.
  private var spelled = KeptValue()
  private var text = KeptValue()

  /// The cells that are texts: misfits in case there are numbers.
  private var texts = ConversionTally(entries: [])

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    let value = evaluator.value(argument)
    if value.isNull { return }
    if case .typed(_, _, .text) = argument {
      if isBeyond(value, evaluator) { text = KeptValue(value) }
    } else if let number = value.number(in: evaluator.batch, evaluator.context.marks) {
      if isBeyond(number) { (self.number, spelled) = (number, KeptValue(evaluator.spelling(of: value))) }
    } else {
      // Compared with the text that is kept so far.
      recordText(of: argument, &evaluator)
      if isBeyond(value, evaluator) { text = KeptValue(value) }
    }
  }

  mutating func hold(from batch: Batch, atMost limit: Int) {
    text.hold(from: batch, atMost: limit)
    spelled.hold(from: batch, atMost: limit)
  }

  var byteCount: Int {
    MemoryLayout<Self>.stride + text.byteCount + spelled.byteCount + texts.byteCount
  }

  mutating func merge(_ later: Extreme) {
    if let number = later.number, isBeyond(number) { (self.number, spelled) = (number, later.spelled) }
    if !later.text.value.isNull {
      let evaluator = Evaluator(EvaluationContext(), batch: .empty, state: EvaluationState(slots: []))
      if isBeyond(later.text.value, evaluator) { text = later.text }
    }
    if texts.entries.isEmpty { texts = later.texts } else { texts.merge(later.texts) }
  }

  var result: Value {
    guard let number else { return text.result }
    let spelling = spelled.result
    return spelling.isNull ? .number(number) : spelling
  }

  var lateMisfits: ConversionTally? { number == nil ? decisiveTexts : texts }

  /// The findings that texts were compared, and that the one kept is too long.
  private var decisiveTexts: ConversionTally? {
    let misfit = text.misfit(of: Side.name)
    guard let slot = texts.entries.firstIndex(where: { $0.count > 1 }) else { return misfit }
    var tally = texts.emptied
    tally.recordDecisiveTexts(slot, isLargest: Side.sign > 0)
    if let misfit { tally.add(longTextsOf: misfit) }
    return tally
  }

  @inline(__always)
  private func isBeyond(_ new: Number) -> Bool {
    number.map { Number.compare(new, $0).signum() == Side.sign } ?? true
  }

  @inline(__always)
  private func isBeyond(_ new: Value, _ evaluator: borrowing Evaluator) -> Bool {
    if text.value.isNull { return true }
    let sides: Node.Sides =
      switch new {
      case .time: .times
      case .duration: .durations
      default: .dated
      }
    return evaluator.compare(new, text.value, by: sides)?.signum() == Side.sign
  }

  private mutating func recordText(of argument: Node, _ evaluator: inout Evaluator) {
    if texts.entries.isEmpty { texts = evaluator.state.tally.emptied }
    let batch = evaluator.batch
    switch argument {
    case .cell(let column, let slot):
      let cell = batch.cell(row: evaluator.row, column: column)
      if cell.length > 0 { recordText(batch.content(cell), slot, &evaluator) }
    case .way(let column, let slot):
      let value = evaluator.value(of: batch.value(of: column, row: evaluator.row))
      guard let text = evaluator.text(of: value)?.held(from: batch), !text.held.isEmpty else { return }
      recordText(text.held.span, slot, &evaluator)
    default: return
    }
  }

  /// Records a text; each row comes once, and the line of the first is counted from that of the previous row.
  private mutating func recordText(_ text: Span<UInt8>, _ slot: Int, _ evaluator: inout Evaluator) {
    guard texts.entries.indices.contains(slot) else { return }
    let line = texts.entries[slot].misfits.first == nil ? evaluator.line() : nil
    texts.entries[slot].misfits.recordNewCell(
      text, wanted: .number, batch: evaluator.batch, row: evaluator.row, line: line)
    if evaluator.context.dateFormat != nil, evaluator.context.time(text) != nil { return }
    evaluator.recordText(text, slot: slot, beside: self.text.value, isLargest: Side.sign > 0)
  }
}

extension Evaluator {
  /// The text that a number was read from, if it is a text by its own look; otherwise null.
  fileprivate func spelling(of value: Value) -> Value {
    guard case .text(let text) = value,
      text.isString || NumberReader.typed(text.bytes(in: batch), marks: context.marks) == nil
    else { return .null }
    return value
  }
}

/// Which of two values is kept.
private protocol ExtremeSide: Sendable {
  /// The sign of a comparison of the value kept with the other one.
  static var sign: Int { get }

  /// The function that keeps it, as in messages.
  static var name: String { get }
}

private enum Smallest: ExtremeSide {
  static var sign: Int { -1 }
  static var name: String { "min()" }
}

private enum Largest: ExtremeSide {
  static var sign: Int { 1 }
  static var name: String { "max()" }
}

/// The middle number: `median(x)`.
private struct Median: NumberAccumulator {
  private var sample = NumberSample()

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    if let number = evaluator.number(argument) { sample.add(number) }
  }

  mutating func add(_ number: ShortDecimal) { sample.add(number.number) }

  mutating func merge(_ later: Median) { sample.merge(later.sample) }

  static var holding: AggregateHolding { .numbers }

  var result: Value { get throws(SystemError) { .optional(try sample.percentile(Self.half)) } }

  var byteCount: Int { sample.byteCount }

  mutating func spill(to file: SpillFile) throws(SystemError) { try sample.spill(to: file) }

  private static var half: Number { .decimal(ExactDecimal(unchecked: 5, scale: 1)) }
}

/// The number below which a given fraction of all numbers lies: `percentile(x, p)`.
private struct Percentile: Accumulator {
  private var sample = NumberSample()
  private var part: Number?

  static var holding: AggregateHolding { .numbers }

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    if let part = evaluator.number(further[0]) { self.part = part }
    if let number = evaluator.number(argument) { sample.add(number) }
  }

  mutating func merge(_ later: Percentile) {
    sample.merge(later.sample)
    part = later.part ?? part
  }

  var result: Value {
    get throws(SystemError) {
      guard let part else { return .null }
      return .optional(try sample.percentile(part))
    }
  }

  var byteCount: Int { sample.byteCount }

  mutating func spill(to file: SpillFile) throws(SystemError) { try sample.spill(to: file) }

  static func mistake(in call: BoundAggregate) -> (argument: Int, kind: ExpressionError.Kind)? {
    guard let part = call.further.first else { return nil }
    let isOutside =
      if case .number(let part) = part.constant { !NumberSample.parts.contains(part) } else { false }
    return isOutside || part.dependsOnRow ? (1, .partNeeded(function: "percentile")) : nil
  }
}

/// How far numbers are from their mean: `stddev(x)`, that of a sample.
///
/// The sums of the numbers and of their squares are exact, so that nothing is lost when they are subtracted,
/// and it makes no difference how rows were divided among threads.
private struct Deviation: NumberAccumulator {
  private var spread = NumberSpread()

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    if let number = evaluator.number(argument) { spread.add(number) }
  }

  mutating func add(_ number: ShortDecimal) { spread.add(number, times: 1) }

  static var isFixed: Bool { true }

  mutating func merge(_ later: Deviation) { spread.merge(later.spread) }

  var result: Value { .optional(spread.deviation) }
}

/// Counts values that `=` finds different: `distinct(x)`.
private struct Distinct: Accumulator {
  private var keys = DistinctKeys()

  static var holding: AggregateHolding { .keys }

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    var key = ByteBuffer(capacity: 0)
    if evaluator.append(keyOf: argument, numbers: .none, to: &key) { keys.insert(key.span) }
  }

  mutating func merge(_ later: Distinct) { keys.merge(later.keys) }

  var result: Value { get throws(SystemError) { .int(try keys.count) } }

  var byteCount: Int { MemoryLayout<Self>.stride + keys.byteCount }

  mutating func spill(to file: SpillFile) throws(SystemError) { try keys.spill(to: file) }
}

/// Whether all values that are not null are true: `all(p)`.
private struct Conjunction: Accumulator {
  private var truth = true

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    if evaluator.truth(argument) == false { truth = false }
  }

  static var isFixed: Bool { true }

  mutating func merge(_ later: Conjunction) { truth = truth && later.truth }

  var result: Value { .bool(truth) }
}

/// Whether at least one is true: `any(p)`.
private struct Disjunction: Accumulator {
  private var truth = false

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    if evaluator.truth(argument) == true { truth = true }
  }

  static var isFixed: Bool { true }

  mutating func merge(_ later: Disjunction) { truth = truth || later.truth }

  var result: Value { .bool(truth) }
}

/// Joins texts: `join_agg(x, sep)`; null if the text is longer than an expression may make.
private struct Joined: Accumulator {
  private var text: [UInt8]?

  /// The separator before the first text, in case others come before it.
  private var separator: [UInt8] = []
  private var longTexts = ConversionTally(entries: [])
  private var limit = Int.max

  mutating func add(_ argument: Node, _ further: [Node], _ evaluator: inout Evaluator) {
    guard longTexts.longTexts.isEmpty, let found = evaluator.text(argument),
      let mark = evaluator.text(further[0])
    else {
      return
    }
    limit = evaluator.context.longestText
    let batch = evaluator.batch
    let (bytes, separator) = (found.bytes(in: batch), mark.bytes(in: batch))
    let known = text?.count ?? 0
    if bytes.count > limit - known || separator.count > limit - known - bytes.count {
      return giveUp(at: evaluator.batch, evaluator.row)
    }
    if text == nil {
      self.separator = Array(copying: separator)
    } else {
      for index in separator.indices { text?.append(separator[index]) }
    }
    if text == nil { text = [] }
    for index in bytes.indices { text?.append(bytes[index]) }
  }

  mutating func merge(_ later: Joined) {
    limit = min(limit, later.limit)
    if !longTexts.longTexts.isEmpty { return }
    if !later.longTexts.longTexts.isEmpty { return giveUp() }
    guard let next = later.text else { return }
    guard let known = text else {
      (text, separator) = (next, later.separator)
      return
    }
    if later.separator.count + next.count > limit - known.count { return giveUp() }
    text?.append(contentsOf: later.separator)
    text?.append(contentsOf: next)
  }

  /// Drops the text, because one row or several make it too long.
  private mutating func giveUp(at batch: Batch = .empty, _ row: Int = 0) {
    longTexts.recordLongText(.made(by: "join_agg()"), batch: batch, row: row)
    text = nil
  }

  var result: Value { .optional(text) }

  var lateMisfits: ConversionTally? { longTexts.longTexts.isEmpty ? nil : longTexts }

  var byteCount: Int { MemoryLayout<Self>.stride + (text?.capacity ?? 0) + separator.count }
}
