/// How two sides are compared follows from their kinds; literals that can never match are rejected.
extension Binder {
  /// Binds a form that tests its operands and yields true or false.
  mutating func comparison(
    _ expression: Expression, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    switch expression.kind {
    case .comparison(let symbol, let left, let right):
      return try comparison(symbol, try bind(left, source), try bind(value: right, source), source)
    case .between(let subject, let low, let high, let isNegated):
      return negated(isNegated, try between(subject, low, high, source))
    case .membership(let subject, let list, let isNegated):
      return negated(isNegated, try membership(subject, list, source))
    case .like(let subject, let pattern, let ignoresCase, let isNegated):
      return negated(isNegated, try like(subject, pattern, ignoresCase, source))
    case .match(let subject, let pattern, let isNegated):
      let text = try text(subject, isNegated ? "!~" : "=~", source)
      try refuseSpelledColumn(text, source)
      return negated(isNegated, try match(text.node, pattern, isNegated ? "!~" : "=~", source))
    case .test(let operand, let test, let isNegated):
      return negated(isNegated, try self.test(operand, test, source))
    case .distinct(let left, let right, let isNegated):
      let left = try single(try bind(left, source), source)
      let right = try single(try bind(right, source), source)
      return negated(isNegated, .distinct(left.node, right.node, by: try sides(left, right, source)))
    default: return .constant(.null)
    }
  }

  private mutating func negated(_ isNegated: Bool, _ node: Node) -> Node {
    isNegated ? .not(fold(node)) : node
  }

  /// Binds a comparison; with `null` and `""` it tests what was surely meant.
  private mutating func comparison(
    _ symbol: Expression.ComparisonOperator, _ left: Bound, _ right: Bound, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    let left = try single(left, source)
    let right = try single(right, source)
    let isOrder = symbol != .equal && symbol != .notEqual
    let sides = try sides(left, right, isOrder: isOrder, source)
    guard !isOrder else {
      return .comparison(
        symbol, operand(left, by: sides, beside: right), operand(right, by: sides, beside: left), by: sides)
    }
    for (one, other) in [(right, left), (left, right)] {
      if case .null = one.expression.kind { return negated(symbol == .notEqual, .isNull(other.node)) }
      if isEmptyText(one) { return negated(symbol == .notEqual, .isEmpty(other.node)) }
    }
    return .comparison(
      symbol, number(left, beside: right) ?? left.node, number(right, beside: left) ?? right.node, by: sides)
  }

  /// Whether the operand is `""`, or an `--arg` without text.
  private func isEmptyText(_ bound: Bound) -> Bool {
    switch bound.expression.kind {
    case .text(let text): text.isEmpty
    case .argument(let name): variables[name]?.isEmpty ?? false
    default: false
    }
  }

  /// A number with decimals beside a column that is declared double, as the double that its cells are read as.
  private func number(_ bound: Bound, beside other: Bound) -> Node? {
    guard case .typed(_, _, .double) = other.node, case .number(.decimal(let number))? = bound.node.constant
    else { return nil }
    return .constant(.number(.double(number.doubleValue)))
  }

  /// The operand of a comparison; a text that spells a date is read once.
  private func operand(_ bound: Bound, by sides: Node.Sides, beside other: Bound) -> Node {
    if let number = number(bound, beside: other) { return number }
    guard sides == .times, case .text(let text) = bound.node.constant, let time = context.time(text.held.span)
    else { return bound.node }
    return .constant(.time(time))
  }

  /// Whether the operand is a text, or an `--arg`, that spells a date.
  private func spellsDate(_ bound: Bound) -> Bool {
    switch bound.expression.kind {
    case .text(let text): spellsDate(text)
    case .argument(let name): variables[name].map(spellsDate) ?? false
    default: false
    }
  }

  /// Whether a text is a date in `--date-format`, or without one in the spelling whose dates sort as text.
  private func spellsDate(_ text: String) -> Bool {
    let text = text.utf8.span
    return (context.dateFormat != nil || text.isSpelledAsISODate) && context.time(text) != nil
  }

  /// How a text that spells a date is compared with a cell; `nil` for other operands.
  ///
  /// Only with `--date-format` are texts dates. A cell that is no date then has no order, but is unequal.
  private func datedSides(_ left: Bound, _ right: Bound, isOrder: Bool) -> Node.Sides? {
    for (one, other) in [(left, right), (right, left)]
    where spellsDate(one) && other.isReadByUse && !spellsDate(other) {
      // A cell that is declared to be text is compared as text.
      if case .typed = other.node { return nil }
      return isOrder && context.dateFormat != nil ? .times : .dated
    }
    return nil
  }

  /// How two operands are compared.
  ///
  /// - Parameter isOrder: whether the comparison asks which comes first.
  func sides(
    _ left: Bound, _ right: Bound, isOrder: Bool = false, _ source: SourceExpression
  ) throws(ExpressionError) -> Node.Sides {
    if let dated = datedSides(left, right, isOrder: isOrder) { return dated }
    if left.isLiteral, right.isLiteral {
      for bound in [left, right] where left.kind != .null && right.kind != .null {
        try refuseSpelledColumn(bound, source)
      }
    }
    switch (left.kind, right.kind) {
    case (.null, _), (_, .null), (.any, .any): return .cells
    case (.number, .number), (.number, .any), (.any, .number): return .numbers
    case (.size, .size), (.size, .number), (.number, .size): return .numbers
    case (.size, .any), (.any, .size): return .sizes
    case (.text, .text), (.text, .any), (.any, .text): return .texts
    case (.bool, .bool), (.bool, .any), (.any, .bool): return .bools
    case (.text, .number) where !left.isLiteral, (.number, .text) where !right.isLiteral: return .numbers
    case (.time, .time), (.time, .any), (.any, .time): return .times
    case (.duration, .duration), (.duration, .any), (.any, .duration): return .durations
    case (.time, .text) where right.isTime(context), (.text, .time) where left.isTime(context): return .times
    case (.duration, .text) where right.isDuration, (.text, .duration) where left.isDuration:
      return .durations
    case (.duration, .text) where isUndeclared(left), (.text, .duration) where isUndeclared(right):
      return .texts
    case (.size, .text) where right.isSize, (.text, .size) where left.isSize: return .sizes
    case (.text, .bool) where !left.isLiteral, (.bool, .text) where !right.isLiteral: return .bools
    default: throw incomparable(left, right, source)
    }
  }

  /// Whether an operand is a column that is known to hold durations because they are computed, not by a declared type.
  private func isUndeclared(_ bound: Bound) -> Bool {
    guard case .typed(let column, _, _) = bound.node, column != Node.field else { return false }
    return schema.columns[column].type == nil
  }

  private func incomparable(_ left: Bound, _ right: Bound, _ source: SourceExpression) -> ExpressionError {
    for bound in [left, right] {
      guard let column = spelledColumn(bound) else { continue }
      let range = bound.expression.range
      return source.error(.textIsColumn(literal: source.text.bytes(range), column: column), at: range)
    }
    return source.error(
      .incomparable(
        left: source.text.bytes(left.expression.range), leftKind: left.kind.valueKind,
        right: source.text.bytes(right.expression.range), rightKind: right.kind.valueKind),
      at: left.expression.range.lowerBound..<right.expression.range.upperBound)
  }

  private mutating func between(
    _ subject: Expression, _ low: Expression, _ high: Expression, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    let subject = try single(try bind(subject, source), source)
    try refuseSpelledColumn(subject, source)
    let low = try single(try bind(value: low, source), source)
    let high = try single(try bind(value: high, source), source)
    let lowSides = try sides(subject, low, isOrder: true, source)
    let highSides = try sides(subject, high, isOrder: true, source)
    return .between(
      subject.node, low: operand(low, by: lowSides, beside: subject), lowSides: lowSides,
      high: operand(high, by: highSides, beside: subject), highSides: highSides)
  }

  private mutating func membership(
    _ subject: Expression, _ list: Expression, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    let left = try single(try bind(subject, source), source)
    guard case .list(let items) = list.kind else {
      let right = try bind(value: list, source)
      if right.kind.isNumeric || right.kind == .bool {
        throw source.error(
          .inNeedsParentheses(
            subject: source.text.bytes(subject.range), item: source.text.bytes(list.range)), at: list.range)
      }
      guard right.kind == .any || right.kind == .list, !right.node.isArgument else {
        throw source.error(
          .inNeedsList(subject: source.text.bytes(subject.range), text: source.text.bytes(list.range)),
          at: list.range)
      }
      return .listMembership(left.node, list: right.node)
    }
    try refuseSpelledColumn(left, source)
    var bound: [Node.ComparedItem] = []
    for item in items {
      let right = try single(try bind(value: item, source), source)
      bound.append(
        Node.ComparedItem(
          node: number(right, beside: left) ?? right.node, sides: try sides(left, right, source)))
    }
    if bound.contains(where: { $0.sides == .dated }) {
      for index in bound.indices where bound[index].sides == .texts { bound[index].sides = .dated }
    }
    return .membership(left.node, bound)
  }

  private mutating func like(
    _ subject: Expression, _ pattern: Expression, _ ignoresCase: Bool, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    let user = ignoresCase ? "ilike" : "like"
    let subject = try text(subject, user, source)
    try refuseSpelledColumn(subject, source)
    let pattern = try text(try bind(value: pattern, source), user, source)
    if case .text(let text) = pattern.node.constant {
      return .like(subject.node, LikePattern(text.held.span, ignoresCase: ignoresCase))
    }
    return .dynamicLike(subject.node, pattern: pattern.node, ignoresCase: ignoresCase)
  }

  /// `=~` and `matches()`.
  mutating func match(
    _ subject: Node, _ pattern: Expression, _ user: String, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    switch try self.pattern(pattern, user, source) {
    case .compiled(let pattern): .match(subject, pattern)
    case .dynamic(let node): .dynamicMatch(subject, pattern: node)
    }
  }

  /// Binds a pattern: it is compiled if it is written down or a constant text.
  mutating func pattern(
    _ expression: Expression, _ user: String, _ source: SourceExpression
  ) throws(ExpressionError) -> Node.PatternSource {
    if case .pattern(let text, let flags) = expression.kind {
      return .compiled(try compile(text, flags, expression.range, source))
    }
    let bound = try text(try bind(value: expression, source), user, source)
    let constant: TextValue
    switch bound.node {
    case .constant(.text(let text)), .argument(let text, _): constant = text
    default: return .dynamic(bound.node)
    }
    let text = String(decoding: constant.held, as: UTF8.self)
    return .compiled(try compile(text, "", expression.range, source))
  }

  private mutating func compile(
    _ text: String, _ flags: String, _ range: Range<Int>, _ source: SourceExpression
  ) throws(ExpressionError) -> Node.BoundPattern {
    do {
      let pattern = try Pattern(text, flags: PatternFlags(letters: flags) ?? [])
      patternCount += 1
      return Node.BoundPattern(pattern: pattern, index: patternCount - 1)
    } catch {
      throw source.error(.invalidPattern(error.kind), at: place(of: error.range, in: text, range, source))
    }
  }

  /// The range of a mistake in a pattern within the source: its bytes, or the whole of a text with escapes.
  private func place(
    of mistake: Range<Int>, in text: String, _ range: Range<Int>, _ source: SourceExpression
  ) -> Range<Int> {
    let written = Array(source.text.bytes(range).utf8)
    let isPattern = written.first == UInt8(ascii: "/")
    var places: [Int] = []
    var index = 1
    while places.count < text.utf8.count, index < written.count {
      // `\/` is one byte of the pattern.
      if isPattern, written[index] == UInt8(ascii: "\\"), index + 1 < written.count,
        written[index + 1] == UInt8(ascii: "/")
      {
        index += 1
      }
      places.append(range.lowerBound + index)
      index += 1
    }
    places.append(range.lowerBound + index)
    guard isPattern || Array(text.utf8) == written.dropFirst().dropLast(),
      places.indices.contains(mistake.upperBound)
    else { return range }
    return places[mistake.lowerBound]..<places[mistake.upperBound]
  }

  private mutating func test(
    _ operand: Expression, _ test: Expression.Test, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    if case .bool(let wanted) = test { return .isBool(try truth(operand, "is", source), wanted) }
    let operand = try bind(operand, source)
    try refuseSpelledColumn(operand, source)
    switch test {
    case .bool(let wanted): return .isBool(operand.node, wanted)
    case .null: return .isNull(operand.node)
    case .empty: return .isEmpty(operand.node)
    case .type(let type): return .isType(operand.node, type)
    }
  }
}
