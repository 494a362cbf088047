/// Dates, times, durations and sizes: texts are read as one if one is needed, and arithmetic with times.
extension Evaluator {
  /// The date or time that `node` yields.
  mutating func time(_ node: Node) -> Timestamp? {
    switch node {
    case .constant(.time(let time)): return time
    case .cell(let column, let slot):
      let cell = cell(column)
      switch cell.kind {
      case .null, .missing, .empty: return nil
      case .text, .number:
        if let time = context.time(batch.content(cell)) { return time }
      case .bool, .list, .object: break
      }
      if cell.length > 0 { state.tally.recordMisfit(slot, wanted: .date, cell: cell, batch: batch, row: row) }
      return nil
    case .choice(let branches, let otherwise): return time(choose(branches, otherwise))
    default:
      let value = value(node)
      let time = time(of: value)
      if time == nil { recordMisfit(value, from: node, wanted: .date) }
      return time
    }
  }

  /// The duration that `node` yields.
  mutating func duration(_ node: Node) -> Duration? {
    if case .choice(let branches, let otherwise) = node { return duration(choose(branches, otherwise)) }
    let value = value(node)
    let duration = duration(of: value)
    if duration == nil { recordMisfit(value, from: node, wanted: .duration) }
    return duration
  }

  /// The size that `node` yields, as a number.
  mutating func size(_ node: Node) -> Number? {
    switch node {
    case .cell(let column, let slot):
      let cell = cell(column)
      switch cell.kind {
      case .null, .missing, .empty: return nil
      case .text, .number:
        let batch = batch
        state.tally.recordUnit(slot, batch.content(cell), batch: batch, row: row)
        if let size = Size.read(batch.content(cell), marks: context.marks(of: cell)) { return size }
      case .bool, .list, .object: break
      }
      if cell.length > 0 { state.tally.recordMisfit(slot, wanted: .size, cell: cell, batch: batch, row: row) }
      return nil
    case .choice(let branches, let otherwise): return size(choose(branches, otherwise))
    default:
      let value = value(node)
      recordUnit(of: value, from: node)
      let size = size(of: value)
      if size == nil { recordMisfit(value, from: node, wanted: .size) }
      return size
    }
  }

  /// Records the unit of a value that is read as a size, if it is that of a cell.
  mutating func recordUnit(of value: Value, from node: Node) {
    guard case .text(let text) = value else { return }
    let batch = batch
    switch node {
    case .cell(_, let slot), .way(_, let slot):
      state.tally.recordUnit(slot, text.bytes(in: batch), batch: batch, row: row)
    default: return
    }
  }

  /// A value as a size, as a number.
  func size(of value: Value) -> Number? {
    switch value {
    case .number(let number): number
    case .text(let text): Size.read(text.bytes(in: batch), marks: context.marks)
    case .null, .bool, .list, .object, .time, .duration: nil
    }
  }

  /// The text of a side that is compared with a date as text; a cell that is a date in another spelling is counted.
  mutating func datedText(_ node: Node) -> Value {
    guard let text = text(node) else { return .null }
    let batch = batch
    switch node {
    case .cell(_, let slot), .typed(_, let slot, _), .way(_, let slot):
      recordDate(text.bytes(in: batch), slot: slot)
    default: break
    }
    return .text(text)
  }

  /// Counts a cell that is a date, but has not the order of its text beside dates such as `2024-03-01`.
  @inline(__always)
  mutating func recordDate(_ text: Span<UInt8>, slot: Int) {
    guard text.count > 5, !text.isSpelledAsISODate || context.dateFormat != nil else { return }
    recordOtherDate(text, slot: slot)
  }

  @inline(never)
  private mutating func recordOtherDate(_ text: Span<UInt8>, slot: Int) {
    guard text.count <= CellLooks.longest else { return }
    if context.time(text) != nil {
      // `20240301`; with a format, dates that it reads are compared as such.
      guard context.dateFormat == nil else { return }
    } else {
      let candidates = DateSpelling.candidates(for: text)
      guard candidates.contains(where: { DateSpelling.all[$0].format.read(text) != nil }) else { return }
    }
    state.tally.recordDate(slot, text, batch: batch, row: row)
  }

  /// The date or time of a value.
  func time(of value: Value) -> Timestamp? {
    switch value {
    case .time(let time): time
    case .text(let text): context.time(text.bytes(in: batch))
    case .null, .bool, .number, .list, .object, .duration: nil
    }
  }

  /// The duration of a value.
  func duration(of value: Value) -> Duration? {
    switch value {
    case .duration(let duration): duration
    case .text(let text): Duration(text.bytes(in: batch))
    case .null, .bool, .number, .list, .object, .time: nil
    }
  }

  /// The value of a chain that contains times or durations.
  mutating func temporal(_ first: Node, _ links: [Node.Link]) -> Value {
    var result = operand(first, links.first?.symbol ?? .add)
    for (place, link) in links.enumerated() {
      let right = operand(link.operand, link.symbol)
      if result.isNull || right.isNull {
        result = .null
      } else if let combined = Self.combined(result, link.symbol, right) {
        result = combined
      } else {
        // A cell can be read as something, but not as what the operator accepts together with the other side.
        recordMisfit(link.operand, link.symbol)
        let before = links[..<place].reversed().map(\.operand) + [first]
        if let last = before.first(where: \.isRead), place == 0 || !link.operand.isRead {
          recordMisfit(last, link.symbol)
        }
        result = .null
      }
    }
    return result
  }

  /// The value of an operand: a text becomes the number, time or duration that it spells.
  private mutating func operand(_ node: Node, _ symbol: Expression.Arithmetic) -> Value {
    let value = value(node)
    guard case .text = value else { return value }
    if symbol == .multiply || symbol == .divide, let number = number(of: value) { return .number(number) }
    if let time = time(of: value) { return .time(time) }
    if let duration = duration(of: value) { return .duration(duration) }
    recordMisfit(node, symbol)
    return .null
  }

  /// Counts a cell that the operator does not accept.
  private mutating func recordMisfit(_ node: Node, _ symbol: Expression.Arithmetic) {
    guard node.isRead else { return }
    let value = value(node)
    let wanted: ExpressionError.ValueKind =
      symbol == .add || symbol == .subtract ? .date : number(of: value) == nil ? .number : .duration
    recordMisfit(value, from: node, wanted: wanted)
  }

  /// The result of an operator; `nil` if it does not accept such values.
  private static func combined(_ left: Value, _ symbol: Expression.Arithmetic, _ right: Value) -> Value? {
    switch (left, symbol, right) {
    case (.time(let time), .add, .duration(let duration)), (.duration(let duration), .add, .time(let time)):
      .optional(time.adding(duration))
    case (.time(let time), .subtract, .duration(let duration)):
      .optional(time.adding(Duration(seconds: duration.seconds.negated)))
    case (.time(let time), .subtract, .time(let other)): .duration(time.since(other))
    case (.duration(let left), .add, .duration(let right)):
      .optional(left.seconds.adding(right.seconds).map { Duration(seconds: $0) })
    case (.duration(let left), .subtract, .duration(let right)):
      .optional(left.seconds.subtracting(right.seconds).map { Duration(seconds: $0) })
    case (.duration(let duration), .multiply, .number(let number)),
      (.number(let number), .multiply, .duration(let duration)):
      .optional(duration.multiplied(by: number))
    case (.duration(let duration), .divide, .number(let number)): .optional(duration.divided(by: number))
    case (.duration(let left), .divide, .duration(let right)):
      .optional(Number.decimal(left.seconds).divided(by: .decimal(right.seconds)))
    case (.number(let left), .multiply, .number(let right)): .number(left.multiplied(by: right))
    case (.number(let left), .divide, .number(let right)): .optional(left.divided(by: right))
    default: nil
    }
  }
}

extension Node {
  /// Whether the value is that of a cell.
  fileprivate var isRead: Bool {
    switch self {
    case .cell, .typed, .way: true
    default: false
    }
  }
}

extension Function.ArgumentComputation {
  /// The seconds of a duration.
  static var secondsOfDuration: Function.ArgumentComputation {
    .value { evaluator, arguments in .optional(evaluator.duration(arguments[0]).map { .decimal($0.seconds) })
    }
  }

  /// The duration of a number of seconds.
  static var durationOfSeconds: Function.ArgumentComputation {
    .value { evaluator, arguments in .optional(evaluator.number(arguments[0]).flatMap { Duration($0) }) }
  }

  /// 1 for true, 0 for false.
  static var oneOfTruth: Function.ArgumentComputation {
    .value { evaluator, arguments in .optional(evaluator.truth(arguments[0]).map { .int($0 ? 1 : 0) }) }
  }
}

extension Duration {
  /// The duration of a number of seconds, to the billionth; `nil` if it is too long.
  init?(_ seconds: Number) {
    guard let exact = seconds.exact else {
      self.init(nearest: seconds.doubleValue)
      return
    }
    guard let rounded = exact.rounded(to: min(exact.scale, 9)) else { return nil }
    self.init(seconds: rounded.withoutTrailingZeros)
  }

  /// The duration multiplied by a number; `nil` if it is too long.
  fileprivate func multiplied(by number: Number) -> Duration? {
    if let exact = number.exact, let product = seconds.multiplied(by: exact) {
      return Duration(seconds: product.withoutTrailingZeros)
    }
    return Duration(nearest: Number.decimal(seconds).doubleValue * number.doubleValue)
  }

  /// The duration divided by a number; `nil` if that is 0.
  fileprivate func divided(by number: Number) -> Duration? {
    guard let quotient = Number.decimal(seconds).divided(by: number) else { return nil }
    return Duration(nearest: quotient.doubleValue)
  }

  /// The duration of a number of seconds, to the billionth; `nil` if it is too long.
  private init?(nearest seconds: Double) {
    guard let exact = ShortestDigits(seconds)?.exact, let rounded = exact.rounded(to: min(exact.scale, 9))
    else {
      return nil
    }
    self.init(seconds: rounded.withoutTrailingZeros)
  }
}
