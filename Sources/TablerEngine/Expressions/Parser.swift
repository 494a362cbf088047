/// Reads tokens as an expression: one function for each rule of the grammar, loosest first.
struct Parser {
  /// The tokens, the last of kind `end`.
  let tokens: [Token]
  /// The whole text, for errors.
  let source: String
  /// The option it belongs to, for errors.
  let option: String
  /// The place of the next token.
  var index = 0
  /// How deep the expression being read is nested.
  var depth = 0

  /// Where reading ended, in bytes of the source.
  let end: Int

  /// Whether reading ended at a colon: only in the field of a template, where it begins a format.
  let endsBeforeFormat: Bool

  /// Takes apart `source` from byte `start` on.
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
    guard take(.question) else { return condition }
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
      if take(.doubleBar) { isMark = true } else if !take(.or) { break }
      operands.append(try conjunction())
    }
    return flat(operands) { .logical(.or, $0, isMark: isMark) }
  }

  /// Reads `not { ( "and" | "&&" ) not }`.
  mutating func conjunction() throws(ExpressionError) -> Expression {
    var operands = [try negation()]
    var isMark = false
    while true {
      if take(.doubleAmpersand) { isMark = true } else if !take(.and) { break }
      operands.append(try negation())
    }
    return flat(operands) { .logical(.and, $0, isMark: isMark) }
  }

  /// Reads `"not" not | compare`.
  mutating func negation() throws(ExpressionError) -> Expression {
    let start = token.range.lowerBound
    guard take(.not) else { return try comparison() }
    try enter()
    defer { depth -= 1 }
    let operand = try negation()
    return Expression(form: .not(operand, isMark: false), range: start..<operand.range.upperBound)
  }

  /// Reads `sum { "??" sum }`.
  mutating func coalescence() throws(ExpressionError) -> Expression {
    var operands = [try sum()]
    while take(.doubleQuestion) { operands.append(try sum()) }
    return flat(operands) { .coalesce($0) }
  }

  /// Reads `term { ( "+" | "-" | "++" ) term }`.
  mutating func sum() throws(ExpressionError) -> Expression {
    let first = try term()
    var links: [Expression.Link] = []
    while let symbol = takeArithmetic(.plus, .minus, .doublePlus) {
      links.append(Expression.Link(symbol: symbol, operand: try term()))
    }
    return chain(first, links)
  }

  /// Reads `unary { ( "*" | "/" | "//" | "%" ) unary }`.
  mutating func term() throws(ExpressionError) -> Expression {
    let first = try unary()
    var links: [Expression.Link] = []
    while let symbol = takeArithmetic(.star, .slash, .doubleSlash, .percent) {
      links.append(Expression.Link(symbol: symbol, operand: try unary()))
    }
    return chain(first, links)
  }

  /// Reads `( "-" | "+" | "!" ) unary | power`.
  mutating func unary() throws(ExpressionError) -> Expression {
    let start = token.range.lowerBound
    let wrap: (Expression) -> Expression.Form
    if take(.minus) {
      wrap = { .negation($0) }
    } else if take(.plus) {
      wrap = { .plus($0) }
    } else if take(.exclamation) {
      wrap = { .not($0, isMark: true) }
    } else {
      return try power()
    }
    try enter()
    defer { depth -= 1 }
    let operand = try unary()
    return Expression(form: wrap(operand), range: start..<operand.range.upperBound)
  }

  /// `postfix [ ( "^" | "**" ) unary ]`, so it groups right and binds before a sign.
  mutating func power() throws(ExpressionError) -> Expression {
    let base = try postfix()
    guard take(.caret) || take(.doubleStar) else { return base }
    try enter()
    defer { depth -= 1 }
    let exponent = try unary()
    return join(.power(base, exponent), base, exponent)
  }
}
