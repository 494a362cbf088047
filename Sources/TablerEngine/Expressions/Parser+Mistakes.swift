/// The errors of the parser: what was missing, and what stood there instead.
extension Parser {
  /// The text of a range of bytes.
  func text(_ range: Range<Int>) -> String { source.bytes(range) }

  /// The error of a kind, about some bytes of the source.
  func error(_ kind: ExpressionError.Kind, _ range: Range<Int>) -> ExpressionError {
    ExpressionError(option: option, source: source, range: range, kind: kind)
  }

  /// The text of the next token, and its place; at the end the place behind the last token.
  var found: (text: String?, range: Range<Int>) {
    if token.kind != .end { return (text(token.range), token.range) }
    return (nil, previousEnd..<previousEnd)
  }

  /// The text of the token before, if there is one.
  var previousText: String? { index > 0 ? text(tokens[index - 1].range) : nil }

  /// The error for a place where a value must stand.
  func expectedValue() -> ExpressionError {
    error(.expectedValue(after: previousText, found: found.text), found.range)
  }

  /// The error for a place where `what` must stand.
  func expected(_ what: String, after context: String?) -> ExpressionError {
    error(.expected(what, after: context ?? previousText, found: found.text), found.range)
  }

  /// A token behind a complete expression, or before the mark that must close one.
  func unexpectedToken(closing symbol: Token.Symbol? = nil) -> ExpressionError {
    let place = token.range
    let word = text(place)
    if word == ")" || word == "]" {
      if let symbol { return error(.expected(symbol.rawValue, after: previousText, found: word), place) }
      return error(.unopened(word), place)
    }
    var column: String?
    if index > 0, case .name(let left) = tokens[index - 1].kind, case .name(let right) = token.kind,
      ReservedWord(left) == nil, ReservedWord(right) == nil
    {
      column = "\(left) \(right)"
    }
    return error(.expectedOperator(found: word, column: column), place)
  }

  /// The mistake `1 < x < 5`, with the texts of `x between 1 and 5` where they fit.
  mutating func chained(_ first: Expression) throws(ExpressionError) -> ExpressionError {
    let place = token.range
    guard let second = takeComparison() else { return error(.chainedComparison(nil), place) }
    let last = try coalescence()
    guard case .comparison(let comparison, let low, let subject) = first.form else {
      return error(.chainedComparison(nil), place)
    }
    let between: ExpressionError.Between? =
      switch (comparison, second) {
      case (.less, .less), (.less, .lessOrEqual), (.lessOrEqual, .less), (.lessOrEqual, .lessOrEqual):
        .init(subject: text(subject.range), low: text(low.range), high: text(last.range))
      case (.greater, .greater), (.greater, .greaterOrEqual), (.greaterOrEqual, .greater),
        (.greaterOrEqual, .greaterOrEqual):
        .init(subject: text(subject.range), low: text(last.range), high: text(low.range))
      default: nil
      }
    return error(.chainedComparison(between), place)
  }
}
