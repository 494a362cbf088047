/// A condition arranged for whole batches: the common shapes are told apart once, not row by row.
///
/// Each shape keeps the rows where it is true, or where it is false; together with null that is all there is
/// to three-valued logic: `not` exchanges the two, `and` keeps what all keep, `or` what one keeps.
indirect enum Condition: Sendable {
  case all([Condition])
  case any([Condition])
  case not(Condition)
  /// A cell against a number.
  case number(column: Int, slot: Int, Expression.Comparison, NumberThreshold)
  /// A cell against several numbers.
  case numbers(column: Int, slot: Int, [NumberThreshold])
  /// A cell against a text.
  case text(column: Int, Expression.Comparison, [UInt8])
  /// A cell against several texts.
  case texts(column: Int, TextSet)
  case like(column: Int, LikePattern)
  case match(column: Int, Node.BoundPattern)
  /// A cell and a text of which a function asks something: `contains(name, "x")`.
  case test(column: Int, Function.Test, [UInt8])
  case isNull(column: Int)
  case isEmpty(column: Int)
  /// Everything else, evaluated row by row.
  case general(Node)

  /// Chooses the quickest way to ask what `node` asks.
  init(_ node: Node, _ context: EvaluationContext) {
    self = Self.shape(node, context) ?? .general(node)
  }

  private static func shape(_ node: Node, _ context: EvaluationContext) -> Condition? {
    switch node {
    case .logical(.and, let nodes): return .all(nodes.map { Condition($0, context) })
    case .logical(.or, let nodes): return .any(nodes.map { Condition($0, context) })
    case .not(let node): return .not(Condition(node, context))
    case .comparison(let symbol, .cell(let column, let slot), .constant(let value), let sides):
      return comparison(symbol, column, slot, value, sides, context)
    case .comparison(let symbol, .constant(let value), .cell(let column, let slot), let sides):
      return comparison(symbol.mirrored, column, slot, value, sides, context)
    case .between(.cell(let column, let slot), .constant(let low), .numbers, .constant(let high), .numbers):
      guard let low = comparison(.greaterOrEqual, column, slot, low, .numbers, context),
        let high = comparison(.lessOrEqual, column, -1, high, .numbers, context)
      else { return nil }
      return .all([low, high])
    case .membership(.cell(let column, let slot), let items): return membership(column, slot, items, context)
    case .like(.cell(let column, _), let pattern): return .like(column: column, pattern)
    case .match(.cell(let column, _), let pattern): return .match(column: column, pattern)
    case .isNull(.cell(let column, _)): return .isNull(column: column)
    case .isEmpty(.cell(let column, _)): return .isEmpty(column: column)
    case .call(.test(let test), let arguments):
      guard case .cell(let column, _) = arguments[0], case .text(let text) = arguments[1].constant else {
        return nil
      }
      return .test(column: column, test, text.held)
    default: return nil
    }
  }

  private static func comparison(
    _ symbol: Expression.Comparison, _ column: Int, _ slot: Int, _ value: Value, _ sides: Node.Sides,
    _ context: EvaluationContext
  ) -> Condition? {
    switch (value, sides) {
    case (.number(let number), .numbers):
      .number(column: column, slot: slot, symbol, NumberThreshold(number, marks: context.marks))
    case (.text(let text), .texts):
      .text(column: column, symbol, text.held)
    default: nil
    }
  }

  private static func membership(
    _ column: Int, _ slot: Int, _ items: [Node.Item], _ context: EvaluationContext
  ) -> Condition? {
    var texts: [[UInt8]] = []
    var numbers: [NumberThreshold] = []
    for item in items {
      switch (item.node.constant, item.sides) {
      case (.number(let number), .numbers): numbers.append(NumberThreshold(number, marks: context.marks))
      case (.text(let text), .texts): texts.append(text.held)
      default: return nil
      }
    }
    if numbers.isEmpty { return .texts(column: column, TextSet(texts)) }
    return texts.isEmpty ? .numbers(column: column, slot: slot, numbers) : nil
  }
}

/// Texts to be found among, without allocating: ordered by length and bytes.
struct TextSet: Sendable {
  private let texts: [[UInt8]]

  /// Makes the set of some texts.
  init(_ texts: [[UInt8]]) {
    self.texts = texts.sorted { Self.order($0.span, $1.span) < 0 }
  }

  /// Whether the text is one of the set.
  func contains(_ text: Span<UInt8>) -> Bool {
    var low = 0
    var high = texts.count
    while low < high {
      let middle = (low + high) / 2
      let candidate = texts[middle]
      let order = Self.order(candidate.span, text)
      if order == 0 { return true }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return false
  }

  private static func order(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
    left.count != right.count ? left.count - right.count : left.order(against: right)
  }
}

/// A number that the cells of a column are compared with.
///
/// Cells of up to 18 digits are compared as integers: for each number of decimals a cell may have, the
/// threshold is kept with that many, rounded down.
struct NumberThreshold: Sendable {
  private let number: Number
  private let floors: [Int64]
  private let exact: [Bool]
  private let marks: NumberMarks

  private static let mostDecimals = 17

  /// Prepares comparisons with `number`.
  init(_ number: Number, marks: NumberMarks) {
    self.number = number
    self.marks = marks
    var floors: [Int64] = []
    var exact: [Bool] = []
    if let decimal = number.exact, marks == .standard {
      for decimals in 0...Self.mostDecimals {
        let (floor, isExact) = Self.floor(decimal, decimals)
        floors.append(floor)
        exact.append(isExact)
      }
    }
    self.floors = floors
    self.exact = exact
  }

  /// Below 0, 0 or above 0, as the number in `text` is below, equal to or above this one; nil if it is none.
  @inline(__always)
  func order(of text: Span<UInt8>, kind: Cell.Kind) -> Int? {
    let count = text.count
    guard count > 0, count <= 18, !floors.isEmpty else { return slowOrder(of: text, kind: kind) }
    var index = text[0] == UInt8(ascii: "-") ? 1 : 0
    let isNegative = index == 1
    let start = index
    var value: Int64 = 0
    while index < count {
      let digit = text[index] &- 48
      if digit > 9 { break }
      value = value &* 10 &+ Int64(digit)
      index &+= 1
    }
    guard index > start else { return slowOrder(of: text, kind: kind) }
    var decimals = 0
    if index < count {
      guard text[index] == UInt8(ascii: "."), index &+ 1 < count else {
        return slowOrder(of: text, kind: kind)
      }
      index &+= 1
      decimals = count &- index
      while index < count {
        let digit = text[index] &- 48
        if digit > 9 { return slowOrder(of: text, kind: kind) }
        value = value &* 10 &+ Int64(digit)
        index &+= 1
      }
    }
    if isNegative { value = 0 &- value }
    let floor = floors[decimals]
    return value < floor ? -1 : value > floor ? 1 : exact[decimals] ? 0 : -1
  }

  @inline(never)
  private func slowOrder(of text: Span<UInt8>, kind: Cell.Kind) -> Int? {
    let marks = kind == .number ? NumberMarks.standard : marks
    return NumberReader.loose(text, marks: marks).map { Number.compare($0, number) }
  }

  /// The largest integer that is not above `number` times `10^decimals`, and whether it is the same; values
  /// beyond 64 bits are cut to the largest, which no cell of 18 digits reaches.
  private static func floor(_ number: ExactDecimal, _ decimals: Int) -> (Int64, Bool) {
    var value = number.significand
    if decimals >= number.scale {
      let factor = Int128(ExactDecimal.powerOfTen(decimals - number.scale))
      let (product, overflow) = value.multipliedReportingOverflow(by: factor)
      value = overflow ? (value < 0 ? .min : .max) : product
      return (Int64(clamping: value), true)
    }
    let unit = Int128(ExactDecimal.powerOfTen(number.scale - decimals))
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: unit)
    return (Int64(clamping: rest < 0 ? quotient - 1 : quotient), rest == 0)
  }
}
