/// Looking at tokens, taking them, and making expressions of what was read.
extension Parser {
  /// The next token; the last one is of kind `end`.
  var token: Token { tokens[index] }

  /// Where the token before ends, in bytes.
  var previousEnd: Int { index > 0 ? tokens[index - 1].range.upperBound : 0 }

  /// Passes a mark if it comes next.
  mutating func take(_ symbol: Token.Symbol) -> Bool {
    guard token.kind == .symbol(symbol) else { return false }
    index += 1
    return true
  }

  /// Passes a reserved word if it comes next.
  mutating func take(_ word: ReservedWord) -> Bool { takeName(word.rawValue) }

  /// Passes a word, in any case, if it comes next.
  mutating func takeName(_ word: String) -> Bool {
    guard token.kind.isName(word) else { return false }
    index += 1
    return true
  }

  /// Passes the next token, which is all of an expression.
  mutating func take(as form: Expression.Form) -> Expression {
    defer { index += 1 }
    return Expression(form: form, range: token.range)
  }

  /// Passes a mark that compares, if one comes next.
  mutating func takeComparison() -> Expression.Comparison? {
    guard case .symbol(let symbol) = token.kind, let comparison = symbol.comparison else { return nil }
    index += 1
    return comparison
  }

  /// Passes one of some operators, if one comes next.
  mutating func takeArithmetic(_ symbols: Token.Symbol...) -> Expression.Arithmetic? {
    guard case .symbol(let symbol) = token.kind, symbols.contains(symbol) else { return nil }
    index += 1
    return Expression.Arithmetic(rawValue: symbol.rawValue)
  }

  /// Whether `not in`, `not between`, `not like` or `not ilike` comes next.
  var peeksNegatedComparison: Bool {
    guard token.kind.isName("not") else { return false }
    return ["in", "between", "like", "ilike"].contains { tokens[index + 1].kind.isName($0) }
  }

  /// Whether the next token would begin another comparison.
  var startsComparison: Bool {
    switch token.kind {
    case .symbol(let symbol): symbol.comparison != nil || symbol == .matches || symbol == .notMatches
    case .name:
      ["is", "in", "between", "like", "ilike"].contains { token.kind.isName($0) } || peeksNegatedComparison
    default: false
    }
  }

  /// Goes one level deeper, as far as expressions may nest; whoever calls it goes back.
  mutating func enter() throws(ExpressionError) {
    depth += 1
    if depth > Expression.deepestNesting {
      throw error(.nestingTooDeep(limit: Expression.deepestNesting), token.range)
    }
  }

  /// Passes a reserved word that must stand here.
  mutating func expect(_ word: ReservedWord, after context: String?) throws(ExpressionError) {
    guard take(word) else { throw expected(word.rawValue, after: context) }
  }

  /// Passes a mark that must stand here.
  mutating func expect(_ symbol: Token.Symbol) throws(ExpressionError) {
    guard take(symbol) else { throw expected(symbol.rawValue, after: nil) }
  }

  /// Passes the mark that closes what was opened at `place`.
  mutating func close(
    _ symbol: Token.Symbol, openedAt place: Range<Int>
  ) throws(ExpressionError) {
    if take(symbol) { return }
    if token.kind == .end { throw error(.unclosed(text(place)), place) }
    throw unexpectedToken(closing: symbol)
  }

  /// The expression from the beginning of `first` to the end of `last`.
  func join(_ form: Expression.Form, _ first: Expression, _ last: Expression) -> Expression {
    Expression(form: form, range: first.range.lowerBound..<last.range.upperBound)
  }

  /// The only operand, or all of them in one form.
  func flat(
    _ operands: [Expression], _ form: ([Expression]) -> Expression.Form
  ) -> Expression {
    operands.count == 1 ? operands[0] : join(form(operands), operands[0], operands[operands.count - 1])
  }

  /// The only operand, or a chain of operators of one rank.
  func chain(_ first: Expression, _ links: [Expression.Link]) -> Expression {
    guard let last = links.last else { return first }
    return join(.chain(first, links), first, last.operand)
  }
}

extension Token.Kind {
  /// Whether the token is this word, in any case.
  func isName(_ word: String) -> Bool {
    guard case .name(let name) = self, name.utf8.count == word.utf8.count else { return false }
    return name.lowercased() == word
  }
}

extension Token.Symbol {
  /// The comparison that the mark spells.
  var comparison: Expression.Comparison? {
    switch self {
    case .equal, .doubleEqual: .equal
    case .notEqual, .angleNotEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    default: nil
    }
  }

  /// Whether the mark can only stand between two values.
  var isBinary: Bool {
    switch self {
    case .openParenthesis, .closeParenthesis, .openBracket, .closeBracket, .comma, .colon, .dot, .exclamation,
      .question:
      false
    default: true
    }
  }
}
