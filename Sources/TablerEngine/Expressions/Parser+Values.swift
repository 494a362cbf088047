/// The rules of values: literals, names, calls, lists, and ways into them.
extension Parser {
  /// Reads `primary { "." ident | "[" expr "]" | "[" [ expr ] ":" [ expr ] "]" }`.
  mutating func postfix() throws(ExpressionError) -> Expression {
    let base = try primary()
    var steps: [Expression.Step] = []
    while true {
      let place = token.range
      if take(.dot) {
        guard case .name(let name) = token.kind else { throw expected("name", after: ".") }
        steps.append(.member(Expression.Name(text: name, range: token.range)))
        index += 1
      } else if take(.openBracket) {
        steps.append(try bracketed(openedAt: place))
      } else {
        break
      }
    }
    if steps.isEmpty { return base }
    return Expression(form: .path(base, steps), range: base.range.lowerBound..<previousEnd)
  }

  /// Reads an item or a slice after `[`.
  mutating func bracketed(openedAt place: Range<Int>) throws(ExpressionError) -> Expression.Step {
    let low: Expression? = token.kind == .symbol(.colon) ? nil : try expression()
    guard take(.colon) else {
      try close(.closeBracket, openedAt: place)
      guard let low else { throw expectedValue() }
      return .item(low)
    }
    let high: Expression? = token.kind == .symbol(.closeBracket) ? nil : try expression()
    try close(.closeBracket, openedAt: place)
    return .slice(low, high)
  }

  /// Reads `literal | list | column | call | regex | "(" expr ")" | case`.
  mutating func primary() throws(ExpressionError) -> Expression {
    let place = token.range
    switch token.kind {
    case .number(let digits): return take(as: .number(digits))
    case .text(let content): return take(as: .text(content))
    case .quotedName(let name): return take(as: .column(name))
    case .position(let number): return take(as: number == 0 ? .record : .position(number))
    case .argument(let name): return take(as: .argument(name))
    case .pattern(let content, let flags): return take(as: .pattern(content, flags: flags))
    case .symbol(.openParenthesis): return try parenthesized()
    case .symbol(.openBracket):
      index += 1
      let items = try items(before: .closeBracket, openedAt: place, mayBeEmpty: true)
      return Expression(form: .list(items), range: place.lowerBound..<previousEnd)
    case .name(let name):
      if let word = ReservedWord(name) { return try reserved(word, name) }
      index += 1
      let name = Expression.Name(text: name, range: place)
      let open = token.range
      guard take(.openParenthesis) else { return Expression(form: .column(name.text), range: place) }
      let arguments = try items(before: .closeParenthesis, openedAt: open, mayBeEmpty: true)
      return Expression(form: .call(name, arguments), range: place.lowerBound..<previousEnd)
    case .symbol, .end: throw expectedValue()
    }
  }

  /// A reserved word where a value stands: a literal or `case`, else a mistake.
  mutating func reserved(_ word: ReservedWord, _ name: String) throws(ExpressionError) -> Expression {
    switch word {
    case .null: return take(as: .null)
    case .true: return take(as: .bool(true))
    case .false: return take(as: .bool(false))
    case .case where tokens[index + 1].kind.isName("when"): return try choice()
    default:
      if case .symbol(let symbol) = tokens[index + 1].kind, symbol.isBinary {
        throw error(.reservedWord(name), token.range)
      }
      if word == .case, tokens[index + 1].kind != .end {
        index += 1
        throw expected("when", after: name)
      }
      throw expectedValue()
    }
  }

  /// `"(" expr ")"`, or a list of two and more.
  mutating func parenthesized() throws(ExpressionError) -> Expression {
    let place = token.range
    index += 1
    var items = try items(before: .closeParenthesis, openedAt: place, mayBeEmpty: false)
    let range = place.lowerBound..<previousEnd
    if items.count == 1, let only = items.popLast() {
      return Expression(form: only.form, range: range)
    }
    return Expression(form: .list(items), range: range)
  }

  /// `expr { "," expr }` and the closing mark.
  mutating func items(
    before closing: Token.Symbol, openedAt place: Range<Int>, mayBeEmpty: Bool
  ) throws(ExpressionError) -> [Expression] {
    var items: [Expression] = []
    if mayBeEmpty, take(closing) { return items }
    repeat {
      if items.count == Expression.longestList {
        throw error(.listTooLong(limit: Expression.longestList), token.range)
      }
      items.append(try expression())
    } while take(.comma)
    try close(closing, openedAt: place)
    return items
  }

  /// Reads `"case" "when" expr "then" expr { … } [ "else" expr ] "end"`.
  mutating func choice() throws(ExpressionError) -> Expression {
    let start = token.range.lowerBound
    index += 1
    var branches: [Expression.Branch] = []
    while take(.when) {
      let condition = try expression()
      try expect(.then, after: nil)
      branches.append(Expression.Branch(condition: condition, value: try expression()))
    }
    var otherwise: Expression?
    if take(.else) { otherwise = try expression() }
    try expect(.end, after: nil)
    return Expression(form: .choice(branches, else: otherwise), range: start..<previousEnd)
  }
}
