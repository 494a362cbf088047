/// Dates, times, durations and sizes: literals, and the kinds of arithmetic with times.
extension Binder {
  /// `date "2025-06-01"`, `1d2h`, `20G`: they are read before any row.
  func literal(
    _ type: Expression.TypeName, _ text: String, _ range: Range<Int>, _ source: SourceExpression
  ) throws(ExpressionError) -> (Node, StaticKind) {
    if type == .duration {
      guard let duration = Duration(text.utf8.span) else {
        throw source.error(.malformedLiteral(.duration, text), at: range)
      }
      return (.constant(.duration(duration)), .duration)
    }
    if type == .size { return (.constant(.optional(Size.read(text.utf8.span))), .size) }
    guard let time = Timestamp(text.utf8.span), type == .datetime || time.isDate else {
      throw source.error(.malformedLiteral(.date, text), at: range)
    }
    return (.constant(.time(type == .datetime ? time.withTime : time)), .time)
  }

  /// An operand that must be a date or a time, or a text that converts when its row is read.
  mutating func time(
    _ expression: Expression, _ user: String, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    let bound = try bind(expression, source)
    switch bound.kind {
    case .any, .null, .time: return bound.node
    case .text where !bound.isLiteral || bound.isTime(context): return bound.node
    case .text, .number, .bool, .duration, .size: throw wrongKind(bound, user: user, needs: .date, source)
    case .list: throw source.error(.listNotAllowed, at: expression.range)
    }
  }

  /// Part of a chain that contains times or durations.
  ///
  /// - Parameter known: the operands after the first that are already bound.
  mutating func temporal(
    _ first: Bound, _ known: [Bound], _ links: ArraySlice<Expression.Link>, _ source: SourceExpression
  ) throws(ExpressionError) -> Bound {
    var kind = try temporalKind(first, first, links.first?.symbol ?? .add, source)
    var steps: [Node.Link] = []
    for (place, link) in links.enumerated() {
      let operand = place < known.count ? known[place] : try bind(link.operand, source)
      let right = try temporalKind(operand, first, link.symbol, source)
      guard let result = Self.result(kind, link.symbol, right) else {
        let needed = Self.needed(kind, link.symbol)
        // If the right side has the kind that is needed, the error is about the left side.
        let left = computed(first.node, kind, first, links.prefix(place))
        let misfit = operand.kind.valueKind == needed ? left : operand
        throw wrongKind(misfit, user: link.symbol.rawValue, needs: needed, source)
      }
      kind = result
      steps.append(Node.Link(symbol: link.symbol, operand: operand.node))
    }
    return computed(.temporal(first.node, steps), kind, first, links)
  }

  /// The kind of an operand: a text from a row may be anything.
  private func temporalKind(
    _ bound: Bound, _ first: Bound, _ symbol: Expression.Arithmetic, _ source: SourceExpression
  ) throws(ExpressionError) -> StaticKind {
    switch bound.kind {
    case .any, .null, .number, .time, .duration: return bound.kind
    case .size: return .number
    case .text where !bound.isLiteral: return .any
    case .text, .bool:
      throw wrongKind(bound, user: symbol.rawValue, needs: Self.needed(first.kind, symbol), source)
    case .list: throw source.error(.listNotAllowed, at: bound.expression.range)
    }
  }

  /// The kind that the operator needs on its right.
  private static func needed(
    _ left: StaticKind, _ symbol: Expression.Arithmetic
  ) -> ExpressionError.ValueKind {
    switch symbol {
    case .add, .subtract: left == .number ? .number : .duration
    default: .number
    }
  }

  /// The kind of an operator's result; `nil` if the kinds do not fit.
  private static func result(
    _ left: StaticKind, _ symbol: Expression.Arithmetic, _ right: StaticKind
  ) -> StaticKind? {
    switch (left, symbol, right) {
    case (.null, _, _), (_, _, .null): .null
    case (.time, .add, .duration), (.duration, .add, .time), (.time, .add, .any), (.any, .add, .time),
      (.time, .subtract, .duration):
      .time
    case (.time, .subtract, .time), (.duration, .add, .duration), (.duration, .subtract, .duration),
      (.any, .subtract, .time), (.duration, .subtract, .any), (.duration, .multiply, .number),
      (.number, .multiply, .duration), (.duration, .multiply, .any), (.any, .multiply, .duration),
      (.duration, .divide, .number):
      .duration
    case (.duration, .divide, .duration), (.any, .divide, .duration): .number
    case (.duration, .divide, .any), (.time, .subtract, .any), (.duration, .add, .any),
      (.any, .add, .duration), (.any, .subtract, .duration), (.any, .add, .any), (.any, .subtract, .any):
      .any
    case (.number, _, .number): .number
    case (.number, _, .any), (.any, _, .number), (.any, .multiply, .any), (.any, .divide, .any): .any
    default: nil
    }
  }
}

extension StaticKind {
  /// Whether it is a date, a time or a duration.
  var isTemporal: Bool { self == .time || self == .duration }
}

extension Bound {
  /// Whether it is, or may be when its row is read, a text that spells a date.
  func isTime(_ context: EvaluationContext) -> Bool {
    guard case .text(let text) = expression.kind else { return true }
    return context.time(text.utf8.span) != nil
  }

  /// Whether it is, or may be when its row is read, a text that spells a size.
  var isSize: Bool {
    guard case .text(let text) = expression.kind else { return true }
    return Size.read(text.utf8.span) != nil
  }

  /// Whether it is, or may be when its row is read, a text that spells a duration.
  var isDuration: Bool {
    guard case .text(let text) = expression.kind else { return true }
    return Duration(text.utf8.span) != nil
  }
}
