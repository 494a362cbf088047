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
