/// Parses tokens as an expression: one function for each rule of the grammar, loosest first.
struct Parser {
  /// The tokens, the last one of kind `end`.
  let tokens: [Token]
  /// The whole text, for errors.
  let source: String
  /// The option it belongs to, for errors.
  let option: String
  /// The index of the next token.
  var index = 0
  /// The nesting depth of the expression being read.
  var depth = 0

  /// Where reading ended, in bytes of the source.
  let end: Int

  /// Whether reading ended at a colon: only in the field of a template, where it begins a format.
  let endsBeforeFormat: Bool

  /// Prepares to parse `source` from byte `start` on.
  init(
    source: String, bytes: [UInt8]? = nil, option: String, start: Int = 0,
    stop: Lexer.Stop = .endOfSource
  ) throws(ExpressionError) {
    var lexer = Lexer(source: source, bytes: bytes, option: option, start: start, stop: stop)
    tokens = try lexer.all()
    end = lexer.offset
    endsBeforeFormat = stop == .templateField && lexer.has(":", at: end)
    self.source = source
    self.option = option
  }

  /// Reads tokens that a lexer has read.
  init(tokens: [Token], of lexer: Lexer) {
    self.tokens = tokens
    end = lexer.offset
    endsBeforeFormat = false
    source = lexer.source
    option = lexer.option
  }

  /// The whole source as one expression.
  mutating func whole() throws(ExpressionError) -> Expression {
    if token.kind == .end { throw error(.empty, token.range) }
    let result = try expression()
    if token.kind != .end { throw unexpectedToken() }
    return result
  }

  /// Whether there is nothing to read.
  var isEmpty: Bool { token.kind == .end }
}

extension Parser {
  /// Reads `or [ "?" expr ":" expr ]`.
  mutating func expression() throws(ExpressionError) -> Expression {
    try enter()
    defer { depth -= 1 }
    let condition = try disjunction()
    let mark = token.range
    guard consume(.question) else { return condition }
    let then = try expression()
    if token.kind == .end, endsBeforeFormat { throw error(.conditionalInField, mark) }
    try expect(.colon)
    let otherwise = try expression()
    return join(.conditional(condition, then: then, else: otherwise), condition, otherwise)
  }

  /// Reads `and { ( "or" | "||" ) and }`.
  mutating func disjunction() throws(ExpressionError) -> Expression {
    var operands = [try conjunction()]
    var isMark = false
    while true {
      if consume(.doubleBar) { isMark = true } else if !consume(.or) { break }
      operands.append(try conjunction())
    }
    return flat(operands) { .logical(.or, $0, isMark: isMark) }
  }

  /// Reads `not { ( "and" | "&&" ) not }`.
  mutating func conjunction() throws(ExpressionError) -> Expression {
    var operands = [try negation()]
    var isMark = false
    while true {
      if consume(.doubleAmpersand) { isMark = true } else if !consume(.and) { break }
      operands.append(try negation())
    }
    return flat(operands) { .logical(.and, $0, isMark: isMark) }
  }

  /// Reads `"not" not | compare`.
  mutating func negation() throws(ExpressionError) -> Expression {
    let start = token.range.lowerBound
    guard consume(.not) else { return try comparison() }
    try enter()
    defer { depth -= 1 }
    let operand = try negation()
    return Expression(kind: .not(operand, isMark: false), range: start..<operand.range.upperBound)
  }

  /// Reads `sum { "??" sum }`.
  mutating func coalescence() throws(ExpressionError) -> Expression {
    var operands = [try sum()]
    while consume(.doubleQuestion) { operands.append(try sum()) }
    return flat(operands) { .coalesce($0) }
  }

  /// Reads `term { ( "+" | "-" | "++" ) term }`.
  mutating func sum() throws(ExpressionError) -> Expression {
    let first = try term()
    var links: [Expression.Link] = []
    while let symbol = consumeArithmetic(.plus, .minus, .doublePlus) {
      links.append(Expression.Link(symbol: symbol, operand: try term()))
    }
    return chain(first, links)
  }

  /// Reads `unary { ( "*" | "/" | "//" | "%" ) unary }`.
  mutating func term() throws(ExpressionError) -> Expression {
    let first = try unary()
    var links: [Expression.Link] = []
    while let symbol = consumeArithmetic(.star, .slash, .doubleSlash, .percent) {
      links.append(Expression.Link(symbol: symbol, operand: try unary()))
    }
    return chain(first, links)
  }

  /// Reads `( "-" | "+" | "!" ) unary | power`.
  mutating func unary() throws(ExpressionError) -> Expression {
    let start = token.range.lowerBound
    let wrap: (Expression) -> Expression.Kind
    if consume(.minus) {
      wrap = { .negation($0) }
    } else if consume(.plus) {
      wrap = { .plus($0) }
    } else if consume(.exclamation) {
      wrap = { .not($0, isMark: true) }
    } else {
      return try power()
    }
    try enter()
    defer { depth -= 1 }
    let operand = try unary()
    return Expression(kind: wrap(operand), range: start..<operand.range.upperBound)
  }

  /// Reads `postfix [ ( "^" | "**" ) unary ]`, so it groups right and binds before a sign.
  mutating func power() throws(ExpressionError) -> Expression {
    let base = try postfix()
    guard consume(.caret) || consume(.doubleStar) else { return base }
    try enter()
    defer { depth -= 1 }
    let exponent = try unary()
    return join(.power(base, exponent), base, exponent)
  }
}

// MARK: - Comparisons

/// The rules for comparisons, which do not chain.
extension Parser {
  /// Reads `coal [ compop coal | … ]`, which does not chain.
  mutating func comparison() throws(ExpressionError) -> Expression {
    let left = try coalescence()
    guard let result = try comparison(of: left) else { return left }
    if startsComparison { throw try chained(result) }
    return result
  }

  /// Reads a comparison with `left`; `nil` if there is none.
  mutating func comparison(of left: Expression) throws(ExpressionError) -> Expression? {
    if let symbol = consumeComparison() {
      let right = try coalescence()
      return join(.comparison(symbol, left, right), left, right)
    }
    if consume(.matches) { return try match(left, isNegated: false) }
    if consume(.notMatches) { return try match(left, isNegated: true) }
    if consume(.is) { return try test(left) }
    let isNegated = peeksNegatedComparison && consume(.not)
    if consume(.in) { return try membership(left, isNegated: isNegated) }
    if consume(.between) { return try between(left, isNegated: isNegated) }
    if consume(.like) { return try like(left, ignoresCase: false, isNegated: isNegated) }
    if consume(.ilike) { return try like(left, ignoresCase: true, isNegated: isNegated) }
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

  /// Reads a list after `in`: parentheses directly after it are always the list.
  mutating func membership(_ left: Expression, isNegated: Bool) throws(ExpressionError) -> Expression {
    let start = token.range
    let list: Expression
    if consume(.openParenthesis) {
      let items = try items(before: .closeParenthesis, openedAt: start, mayBeEmpty: false)
      list = Expression(kind: .list(items), range: start.lowerBound..<previousEnd)
    } else {
      list = try coalescence()
    }
    if case .list(let items) = list.kind, let null = items.first(where: { $0.kind == .null }) {
      throw error(.nullInList(subject: text(left.range)), null.range)
    }
    return join(.membership(left, in: list, isNegated: isNegated), left, list)
  }

  /// Reads the test after `is`.
  mutating func test(_ left: Expression) throws(ExpressionError) -> Expression {
    let isNegated = consume(.not)
    let place = token
    if consumeName("distinct") {
      guard consumeName("from") else { throw expected("from", after: "distinct") }
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
        let isNone = ["none", "nil", "undefined"].contains(word)
        throw error(
          .unknownType(name, suggestion: isNone ? "null" : name.nearest(among: words)), place.range)
      }
      test = .type(type)
    }
    index += 1
    return Expression(
      kind: .test(left, test, isNegated: isNegated),
      range: left.range.lowerBound..<place.range.upperBound)
  }
}

// MARK: - Values

/// The rules for values: literals, names, calls, lists, and paths into them.
extension Parser {
  /// Reads `primary { "." ident | "[" expr "]" | "[" [ expr ] ":" [ expr ] "]" | "[" "*" "]" }`.
  mutating func postfix() throws(ExpressionError) -> Expression {
    let base = try primary()
    var steps: [Expression.AccessStep] = []
    while true {
      let place = token.range
      if consume(.dot) {
        guard case .name(let name) = token.kind else { throw expected("name", after: ".") }
        steps.append(.member(Expression.Name(text: name, range: token.range)))
        index += 1
      } else if consume(.openBracket) {
        steps.append(try bracketed(openedAt: place))
        if steps.count(where: \.isEach) > Self.mostWalks {
          throw error(.nestingTooDeep(limit: Self.mostWalks), place.lowerBound..<previousEnd)
        }
      } else {
        break
      }
    }
    if steps.isEmpty { return base }
    return Expression(kind: .path(base, steps), range: base.range.lowerBound..<previousEnd)
  }

  /// The number of lists that one path may walk along, each inside of the one before.
  private static let mostWalks = 16

  /// Reads an item, a slice or `*` after `[`.
  mutating func bracketed(openedAt place: Range<Int>) throws(ExpressionError) -> Expression.AccessStep {
    var low: Expression?
    if consume(.star) {
      try close(.closeBracket, openedAt: place)
      return .each(place.lowerBound..<previousEnd)
    }
    if !consume(.colon) {
      let first = try expression()
      guard consume(.colon) else {
        try close(.closeBracket, openedAt: place)
        return .item(first)
      }
      low = first
    }
    let high: Expression? = token.kind == .symbol(.closeBracket) ? nil : try expression()
    try close(.closeBracket, openedAt: place)
    return .slice(low, high)
  }

  /// Reads `literal | list | column | call | regex | "(" expr ")" | case`.
  mutating func primary() throws(ExpressionError) -> Expression {
    let place = token.range
    switch token.kind {
    case .number(let digits): return consumeToken(as: .number(digits))
    case .text(let content): return consumeToken(as: .text(content))
    case .measure(let type, let text): return consumeToken(as: .typed(type, text))
    case .quotedName(let name): return consumeToken(as: .column(name))
    case .position(let number): return consumeToken(as: number == 0 ? .record : .position(number))
    case .argument(let name): return consumeToken(as: .argument(name))
    case .pattern(let content, let flags): return consumeToken(as: .pattern(content, flags: flags))
    case .symbol(.openParenthesis): return try parenthesized()
    case .symbol(.openBracket):
      index += 1
      let items = try items(before: .closeBracket, openedAt: place, mayBeEmpty: true)
      return Expression(kind: .list(items), range: place.lowerBound..<previousEnd)
    case .name(let name):
      if let word = ReservedWord(name) { return try reserved(word, name) }
      if let typed = typedLiteral(name) { return typed }
      index += 1
      let name = Expression.Name(text: name, range: place)
      let open = token.range
      guard consume(.openParenthesis) else { return Expression(kind: .column(name.text), range: place) }
      if consumeAllRows(of: name) {
        return Expression(kind: .call(name, []), range: place.lowerBound..<previousEnd)
      }
      let arguments = try items(before: .closeParenthesis, openedAt: open, mayBeEmpty: true)
      return Expression(kind: .call(name, arguments), range: place.lowerBound..<previousEnd)
    case .symbol, .end: throw expectedValue()
    }
  }

  /// Consumes `*)` after `count(`: the rows, as SQL counts them.
  private mutating func consumeAllRows(of function: Expression.Name) -> Bool {
    guard function.text.lowercased() == "count", token.kind == .symbol(.star),
      tokens[index + 1].kind == .symbol(.closeParenthesis)
    else { return false }
    index += 2
    return true
  }

  /// `date "2025-06-01"`: a word with a meaning only directly before a text.
  private mutating func typedLiteral(_ word: String) -> Expression? {
    guard let type = Expression.TypeName(rawValue: word.lowercased()),
      [.date, .datetime, .duration].contains(type), case .text(let content) = tokens[index + 1].kind
    else { return nil }
    let start = token.range.lowerBound
    index += 2
    return Expression(kind: .typed(type, content), range: start..<previousEnd)
  }

  /// A reserved word in the position of a value: a literal or `case`, otherwise a mistake.
  mutating func reserved(_ word: ReservedWord, _ name: String) throws(ExpressionError) -> Expression {
    switch word {
    case .null: return consumeToken(as: .null)
    case .true: return consumeToken(as: .bool(true))
    case .false: return consumeToken(as: .bool(false))
    case .case where tokens[index + 1].kind.isName("when"): return try choice()
    default:
      if case .symbol(let symbol) = tokens[index + 1].kind, symbol.isBinary || symbol == .dot {
        throw error(.reservedWord(name), token.range)
      }
      if word == .case, ![.end, .symbol(.closeParenthesis), .symbol(.comma)].contains(tokens[index + 1].kind)
      {
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
      return Expression(kind: only.kind, range: range)
    }
    return Expression(kind: .list(items), range: range)
  }

  /// Reads `expr { "," expr }` and the closing mark.
  mutating func items(
    before closing: Token.Symbol, openedAt place: Range<Int>, mayBeEmpty: Bool
  ) throws(ExpressionError) -> [Expression] {
    var items: [Expression] = []
    if mayBeEmpty, consume(closing) { return items }
    repeat {
      if items.count == Expression.longestList {
        throw error(.listTooLong(limit: Expression.longestList), token.range)
      }
      items.append(try expression())
    } while consume(.comma)
    try close(closing, openedAt: place)
    return items
  }

  /// Reads `"case" "when" expr "then" expr { … } [ "else" expr ] "end"`.
  mutating func choice() throws(ExpressionError) -> Expression {
    let start = token.range.lowerBound
    index += 1
    var branches: [Expression.Branch] = []
    while consume(.when) {
      let condition = try expression()
      try expect(.then, after: nil)
      branches.append(Expression.Branch(condition: condition, value: try expression()))
    }
    var otherwise: Expression?
    if consume(.else) { otherwise = try expression() }
    try expect(.end, after: nil)
    return Expression(kind: .choice(branches, else: otherwise), range: start..<previousEnd)
  }
}

// MARK: - Tokens

/// Examining tokens, consuming them, and making expressions from them.
extension Parser {
  /// The next token; the last one is of kind `end`.
  var token: Token { tokens[index] }

  /// The end of the previous token, in bytes.
  var previousEnd: Int { index > 0 ? tokens[index - 1].range.upperBound : 0 }

  /// Consumes a mark if it comes next.
  mutating func consume(_ symbol: Token.Symbol) -> Bool {
    guard token.kind == .symbol(symbol) else { return false }
    index += 1
    return true
  }

  /// Consumes a reserved word if it comes next.
  mutating func consume(_ word: ReservedWord) -> Bool { consumeName(word.rawValue) }

  /// Consumes a word, in any case, if it comes next.
  mutating func consumeName(_ word: String) -> Bool {
    guard token.kind.isName(word) else { return false }
    index += 1
    return true
  }

  /// Consumes the next token, which is a whole expression.
  mutating func consumeToken(as form: Expression.Kind) -> Expression {
    defer { index += 1 }
    return Expression(kind: form, range: token.range)
  }

  /// Consumes a comparison mark, if one comes next.
  mutating func consumeComparison() -> Expression.ComparisonOperator? {
    guard case .symbol(let symbol) = token.kind, let comparison = symbol.comparison else { return nil }
    index += 1
    return comparison
  }

  /// Consumes one of some operators, if one comes next.
  mutating func consumeArithmetic(_ symbols: Token.Symbol...) -> Expression.Arithmetic? {
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

  /// Enters a nested level, if the limit allows; the caller must leave it.
  mutating func enter() throws(ExpressionError) {
    depth += 1
    if depth > Expression.deepestNesting {
      throw error(.nestingTooDeep(limit: Expression.deepestNesting), token.range)
    }
  }

  /// Consumes a reserved word that is required here.
  mutating func expect(_ word: ReservedWord, after context: String?) throws(ExpressionError) {
    guard consume(word) else { throw expected(word.rawValue, after: context) }
  }

  /// Consumes a mark that is required here.
  mutating func expect(_ symbol: Token.Symbol) throws(ExpressionError) {
    guard consume(symbol) else { throw expected(symbol.rawValue, after: nil) }
  }

  /// Consumes the mark that closes what was opened at `place`.
  mutating func close(
    _ symbol: Token.Symbol, openedAt place: Range<Int>
  ) throws(ExpressionError) {
    if consume(symbol) { return }
    if token.kind == .end { throw error(.unclosed(text(place)), place) }
    throw unexpectedToken(closing: symbol)
  }

  /// The expression from the beginning of `first` to the end of `last`.
  func join(_ form: Expression.Kind, _ first: Expression, _ last: Expression) -> Expression {
    Expression(kind: form, range: first.range.lowerBound..<last.range.upperBound)
  }

  /// The only operand, or all of them in one form.
  func flat(
    _ operands: [Expression], _ form: ([Expression]) -> Expression.Kind
  ) -> Expression {
    operands.count == 1 ? operands[0] : join(form(operands), operands[0], operands[operands.count - 1])
  }

  /// The only operand, or a chain of operators of the same precedence.
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
  /// The comparison that the mark means.
  var comparison: Expression.ComparisonOperator? {
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

  /// Whether the mark can only be between two values.
  var isBinary: Bool {
    switch self {
    case .openParenthesis, .closeParenthesis, .openBracket, .closeBracket, .comma, .colon, .dot, .exclamation,
      .question:
      false
    default: true
    }
  }
}
