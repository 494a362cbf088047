/// The rules of what compares: none of it chains.
extension Parser {
  /// `coal [ compop coal | … ]`, which does not chain.
  mutating func comparison() throws(ExpressionError) -> Expression {
    let left = try coalescence()
    guard let result = try comparison(of: left) else { return left }
    if startsComparison { throw try chained(result) }
    return result
  }

  /// Reads what is asked of `left`; `nil` where nothing is.
  mutating func comparison(of left: Expression) throws(ExpressionError) -> Expression? {
    if let symbol = takeComparison() {
      let right = try coalescence()
      return join(.comparison(symbol, left, right), left, right)
    }
    if take(.matches) { return try match(left, isNegated: false) }
    if take(.notMatches) { return try match(left, isNegated: true) }
    if take(.is) { return try test(left) }
    let isNegated = peeksNegatedComparison && take(.not)
    if take(.in) { return try membership(left, isNegated: isNegated) }
    if take(.between) { return try between(left, isNegated: isNegated) }
    if take(.like) { return try like(left, ignoresCase: false, isNegated: isNegated) }
    if take(.ilike) { return try like(left, ignoresCase: true, isNegated: isNegated) }
    return nil
  }

  /// Reads the pattern after `=~` or `!~`.
  mutating func match(_ left: Expression, isNegated: Bool) throws(ExpressionError) -> Expression {
    let pattern = try coalescence()
    return join(.match(left, pattern: pattern, isNegated: isNegated), left, pattern)
  }

  /// Reads the text after `like` or `ilike`.
  mutating func like(
    _ left: Expression, ignoresCase: Bool, isNegated: Bool
  ) throws(ExpressionError) -> Expression {
    let pattern = try coalescence()
    return join(
      .like(left, pattern: pattern, ignoresCase: ignoresCase, isNegated: isNegated), left, pattern)
  }

  /// Reads both bounds after `between`.
  mutating func between(_ left: Expression, isNegated: Bool) throws(ExpressionError) -> Expression {
    let low = try coalescence()
    try expect(.and, after: "between")
    let high = try coalescence()
    return join(.between(left, low: low, high: high, isNegated: isNegated), left, high)
  }

  /// Parentheses directly after `in` are always the list.
  mutating func membership(_ left: Expression, isNegated: Bool) throws(ExpressionError) -> Expression {
    let start = token.range
    let list: Expression
    if take(.openParenthesis) {
      let items = try items(before: .closeParenthesis, openedAt: start, mayBeEmpty: false)
      list = Expression(form: .list(items), range: start.lowerBound..<previousEnd)
    } else {
      list = try coalescence()
    }
    if case .list(let items) = list.form, let null = items.first(where: { $0.form == .null }) {
      throw error(.nullInList(subject: text(left.range)), null.range)
    }
    return join(.membership(left, in: list, isNegated: isNegated), left, list)
  }

  /// What stands after `is`.
  mutating func test(_ left: Expression) throws(ExpressionError) -> Expression {
    let isNegated = take(.not)
    let place = token
    if takeName("distinct") {
      guard takeName("from") else { throw expected("from", after: "distinct") }
      let right = try coalescence()
      return join(.distinct(left, from: right, isNegated: isNegated), left, right)
    }
    guard case .name(let name) = place.kind else { throw expectedValue() }
    let test: Expression.Test
    switch name.lowercased() {
    case "null": test = .null
    case "empty": test = .empty
    case "true": test = .bool(true)
    case "false": test = .bool(false)
    case let word:
      guard let type = Expression.TypeName(rawValue: word) else {
        let words =
          ["null", "empty", "true", "false", "distinct"] + Expression.TypeName.allCases.map(\.rawValue)
        throw error(.unknownType(name, suggestion: name.nearest(among: words)), place.range)
      }
      test = .type(type)
    }
    index += 1
    return Expression(
      form: .test(left, test, isNegated: isNegated),
      range: left.range.lowerBound..<place.range.upperBound)
  }
}
