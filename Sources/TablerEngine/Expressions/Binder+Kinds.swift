/// What operands must be, and what is said of those that are not.
extension Binder {
  /// A value that is neither a list nor a pattern.
  func single(_ bound: Bound, _ source: SourceExpression) throws(ExpressionError) -> Bound {
    if bound.kind == .list { throw source.error(.listNotAllowed, at: bound.expression.range) }
    return bound
  }

  /// An operand that must be a number, or a text that converts when its row comes.
  mutating func number(
    _ expression: Expression, _ user: String, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    try number(try bind(expression, source), user, source)
  }

  /// A bound operand that must be a number, or a text that converts when its row comes.
  func number(_ bound: Bound, _ user: String, _ source: SourceExpression) throws(ExpressionError) -> Node {
    switch bound.kind {
    case .any, .null, .number: return bound.node
    case .text where !bound.isLiteral: return bound.node
    case .text, .bool: throw wrongKind(bound, user: user, needs: .number, source)
    case .list: throw source.error(.listNotAllowed, at: bound.expression.range)
    }
  }

  /// An operand that must be true or false, or a cell that says so.
  mutating func truth(
    _ expression: Expression, _ user: String, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    let bound = try bind(expression, source)
    switch bound.kind {
    case .any, .null, .bool: return bound.node
    case .text, .number: throw wrongKind(bound, user: user, needs: .bool, source)
    case .list: throw source.error(.listNotAllowed, at: expression.range)
    }
  }

  /// An operand that must be text: a cell, or something that is text or was computed.
  mutating func text(
    _ expression: Expression, _ user: String, _ source: SourceExpression
  ) throws(ExpressionError) -> Bound {
    try text(try bind(expression, source), user, source)
  }

  /// A bound operand that must be text.
  func text(_ bound: Bound, _ user: String, _ source: SourceExpression) throws(ExpressionError) -> Bound {
    switch bound.kind {
    case .number where bound.isLiteral, .bool where bound.isLiteral:
      throw wrongKind(bound, user: user, needs: .text, source)
    case .list: throw source.error(.listNotAllowed, at: bound.expression.range)
    default: return bound
    }
  }

  /// Binds an expression that stands where a value is compared with or chosen: a name that is no column, nor
  /// near one, is there rather a text without its quote marks.
  mutating func bind(value expression: Expression, _ source: SourceExpression) throws(ExpressionError)
    -> Bound
  {
    do { return try bind(expression, source) } catch {
      guard case .unknownColumn(_, nil, _) = error.kind else { throw error }
      let text = source.text.bytes(expression.range)
      guard text.isBareText else { throw error }
      throw source.error(.unquotedText(text), at: expression.range)
    }
  }

  /// The error for an operand of the wrong kind; a text that spells a column has its own.
  func wrongKind(
    _ bound: Bound, user: String, needs kind: ExpressionError.ValueKind, _ source: SourceExpression
  ) -> ExpressionError {
    let range = bound.expression.range
    if let column = spelledColumn(bound) {
      return source.error(.textIsColumn(literal: source.text.bytes(range), column: column), at: range)
    }
    return source.error(
      .wrongKind(user: user, needs: kind, operand: source.text.bytes(range), is: bound.kind.valueKind),
      at: range)
  }

  /// The column that a literal text spells.
  func spelledColumn(_ bound: Bound) -> String? {
    guard case .text(let text) = bound.expression.form, let index = schema.index(of: text) else { return nil }
    return schema.columns[index].name
  }

  /// Refuses a literal text that spells a column: a test of a text that is always the same says nothing, so that the
  /// column was meant.
  func refuseSpelledColumn(_ bound: Bound, _ source: SourceExpression) throws(ExpressionError) {
    guard let column = spelledColumn(bound) else { return }
    let range = bound.expression.range
    throw source.error(.textIsColumn(literal: source.text.bytes(range), column: column), at: range)
  }

  /// Computes a node whose parts are all constant.
  func fold(_ node: Node) -> Node {
    guard node.isFoldable else { return node }
    var evaluator = Evaluator(context, batch: .empty, state: EvaluationState(slots: []))
    let value = evaluator.value(node)
    // A long text is made again where it is needed rather than kept many times over.
    if case .text(let text) = value, text.held.count > Lexer.longestSource { return node }
    return .constant(value)
  }
}

extension String {
  /// Whether the text is one word that may stand for itself: letters, digits, `_`, `-` and `.`.
  fileprivate var isBareText: Bool {
    unicodeScalars.allSatisfy { $0 == "-" || $0 == "." || $0.properties.isXIDContinue }
  }
}
