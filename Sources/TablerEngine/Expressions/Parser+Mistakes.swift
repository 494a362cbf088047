/// The errors of the parser: what was missing, and what was found instead.
extension Parser {
  /// The text of a range of bytes.
  func text(_ range: Range<Int>) -> String { source.bytes(range) }

  /// An error of some kind, about some bytes of the source.
  func error(_ kind: ExpressionError.Kind, _ range: Range<Int>) -> ExpressionError {
    ExpressionError(option: option, source: source, range: range, kind: kind)
  }

  /// The text of the next token, and its range; at the end the position after the last token.
  var found: (text: String?, range: Range<Int>) {
    if token.kind != .end { return (text(token.range), token.range) }
    return (nil, previousEnd..<previousEnd)
  }

  /// The text of the previous token, if there is one.
  var previousText: String? { index > 0 ? text(tokens[index - 1].range) : nil }

  /// The error for a position where a value is required.
  func expectedValue() -> ExpressionError {
    if token.kind == .symbol(.dot), let word = reservedWordBefore {
      return error(.reservedWord(word), tokens[index - 1].range)
    }
    if token.kind == .symbol(.dot), let column = dottedName {
      return error(.leadingDot(column: column), token.range)
    }
    if let pattern = unquotedPattern {
      return error(.unquotedPattern(pattern, after: previousText, found: found.text), found.range)
    }
    if let number = percentage {
      return error(.percentage(number, after: previousText, found: found.text), found.range)
    }
    if index > 0, tokens[index - 1].range.upperBound == token.range.lowerBound {
      let signs = tokens[index - 1].range.lowerBound..<token.range.upperBound
      if let written = Self.otherOperators[text(signs)] {
        return error(.otherOperator(text(signs), written: written), signs)
      }
    }
    var column = markedName
    if case .name(let name) = token.kind, let word = ReservedWord(name), word != .and, word != .or {
      column = name
    }
    return error(.expectedValue(after: previousText, found: found.text, column: column), found.range)
  }

  /// Operators as some write them.
  private static let otherOperators = ["=>": ">=", "=<": "<=", "===": "="]

  /// The reserved word directly before the next token: `not` in `not.x`.
  private var reservedWordBefore: String? {
    guard index > 0, case .name(let name) = tokens[index - 1].kind, ReservedWord(name) != nil,
      tokens[index - 1].range.upperBound == token.range.lowerBound
    else { return nil }
    return name
  }

  /// The name after a dot that begins a value, with its further members: `a.b` in `.a.b`.
  private var dottedName: String? {
    guard case .name = tokens[index + 1].kind, tokens[index + 1].range.lowerBound == token.range.upperBound
    else { return nil }
    let rest = source.utf8.dropFirst(token.range.upperBound)
    return String(Substring(rest)).prefixOfPath
  }

  /// The number before a `%` that precedes the next token: `20` in `x > 20%`.
  private var percentage: String? {
    guard index > 1, tokens[index - 1].range.lowerBound == tokens[index - 2].range.upperBound,
      tokens[index - 1].kind == .symbol(.percent),
      case .number(let number) = tokens[index - 2].kind
    else { return nil }
    return number
  }

  /// The name that contains an operator whose second operand is missing: `Use%` before `>`, `%CPU`.
  private var markedName: String? {
    let mark = token.kind == .symbol(.percent) ? index : index - 1
    guard mark >= 0, tokens[mark].kind == .symbol(.percent) else { return nil }
    let place = tokens[mark].range
    var name = place
    if mark > 0, case .name = tokens[mark - 1].kind, tokens[mark - 1].range.upperBound == place.lowerBound {
      name = tokens[mark - 1].range.lowerBound..<name.upperBound
    }
    if mark == index, case .name = tokens[mark + 1].kind,
      tokens[mark + 1].range.lowerBound == place.upperBound
    {
      name = name.lowerBound..<tokens[mark + 1].range.upperBound
    }
    return name == place ? nil : text(name)
  }

  /// The words and marks after `like` that are probably a text: `K%` in `name like K%`.
  private var unquotedPattern: String? {
    guard let like = tokens[..<index].lastIndex(where: { $0.kind.isName("like") || $0.kind.isName("ilike") })
    else { return nil }
    var end = like + 1
    while tokens[end].kind.isPartOfPattern,
      end == like + 1 || tokens[end].range.lowerBound == tokens[end - 1].range.upperBound
    { end += 1 }
    let pieces = tokens[like + 1..<end]
    guard index <= end, let first = pieces.first, let last = pieces.last,
      pieces.contains(where: { $0.kind == .symbol(.percent) })
    else { return nil }
    return text(first.range.lowerBound..<last.range.upperBound)
  }

  /// The error for a position where `what` is required.
  func expected(_ what: String, after context: String?) -> ExpressionError {
    error(.expected(what, after: context ?? previousText, found: found.text), found.range)
  }

  /// The error for a token after a complete expression, or before the mark that must close one.
  func unexpectedToken(closing symbol: Token.Symbol? = nil) -> ExpressionError {
    let place = token.range
    if let choice = unfinishedChoice { return choice }
    let word = text(place)
    if word == ")" || word == "]" {
      if let symbol { return error(.expected(symbol.rawValue, after: previousText, found: word), place) }
      return error(.unopened(word), place)
    }
    if word == "(", index > 1, case .name(let name) = tokens[index - 1].kind,
      tokens[index - 2].kind == .symbol(.dot)
    {
      return error(.methodCall(name), tokens[index - 1].range)
    }
    let words = words
    if words.count > 1, let before = tokens.prefix(words.lowerBound).last, before.kind.isComparison {
      let range = tokens[words.lowerBound].range.lowerBound..<tokens[words.upperBound - 1].range.upperBound
      return error(.unquotedWords(text(range), found: word), range)
    }
    let column = tokens[words].map { text($0.range) }.joined(separator: " ")
    return error(.expectedOperator(found: word, column: words.count > 1 ? column : nil), place)
  }

  /// The mistake `if x then y else z`, or `y if x else z`.
  private var unfinishedChoice: ExpressionError? {
    guard let start = tokens[...index].lastIndex(where: { $0.kind.isName("if") }) else { return nil }
    let end = tokens[start...].firstIndex { $0.kind.isName("end") } ?? tokens.count - 1
    guard let then = tokens[start..<end].firstIndex(where: { $0.kind.isName("then") }), then > start + 1
    else {
      return start == index ? error(.ifThen(nil), tokens[start].range) : nil
    }
    let otherwise = tokens[then..<end].firstIndex { $0.kind.isName("else") } ?? end
    let range =
      tokens[start].range.lowerBound..<tokens[end == tokens.count - 1 ? end - 1 : end].range.upperBound
    func text(_ tokens: ArraySlice<Token>) -> String? {
      guard let first = tokens.first, let last = tokens.last else { return nil }
      return self.text(first.range.lowerBound..<last.range.upperBound)
    }
    guard let test = text(tokens[(start + 1)..<then]), let value = text(tokens[(then + 1)..<otherwise]),
      !tokens[(then + 1)..<end].contains(where: { $0.kind.isName("if") })
    else { return error(.ifThen(nil), range) }
    let last = otherwise < end ? text(tokens[(otherwise + 1)..<end]) : "null"
    return error(.ifThen(last.map { "if(\(test), \(value), \($0))" }), range)
  }

  /// The adjacent tokens before and after the current position that are words, as in a name with blanks.
  private var words: Range<Int> {
    let isWord = { (token: Token) in
      if case .name(let name) = token.kind { ReservedWord(name) == nil } else { false }
    }
    guard isWord(token), index > 0, isWord(tokens[index - 1]) else { return index..<index }
    let start = tokens[..<index].lastIndex { !isWord($0) }.map { $0 + 1 } ?? 0
    let end = tokens[index...].firstIndex { !isWord($0) } ?? tokens.endIndex
    return start..<end
  }

  /// The mistake `1 < x < 5`, with what is to be written instead, if both point the same way.
  mutating func chained(_ first: Expression) throws(ExpressionError) -> ExpressionError {
    let place = token.range
    guard let second = consumeComparison() else { return error(.chainedComparison(nil), place) }
    let last = try coalescence()
    guard case .comparison(let comparison, let outer, let subject) = first.kind else {
      return error(.chainedComparison(nil), place)
    }
    let (start, middle, end) = (text(outer.range), text(subject.range), text(last.range))
    let written: String? =
      switch (comparison, second) {
      case (.lessOrEqual, .lessOrEqual): "\(middle) between \(start) and \(end)"
      case (.greaterOrEqual, .greaterOrEqual): "\(middle) between \(end) and \(start)"
      case (.less, .less), (.less, .lessOrEqual), (.lessOrEqual, .less), (.greater, .greater),
        (.greater, .greaterOrEqual), (.greaterOrEqual, .greater):
        "\(start) \(comparison.rawValue) \(middle) and \(middle) \(second.rawValue) \(end)"
      default: nil
      }
    return error(.chainedComparison(written), place)
  }
}

extension Token.Kind {
  /// Whether the token is a word, a number or `%`, as in `K%`.
  fileprivate var isPartOfPattern: Bool {
    switch self {
    case .name, .number, .symbol(.percent): true
    default: false
    }
  }

  /// Whether the token compares, so that a value must follow it.
  fileprivate var isComparison: Bool {
    if case .symbol(let symbol) = self { return symbol.comparison != nil }
    return isName("like") || isName("ilike")
  }
}

extension String {
  /// The letters, digits and dots at the beginning of the text.
  fileprivate var prefixOfPath: String {
    let path = unicodeScalars.prefix { $0 == "." || $0.properties.isXIDContinue }
    return String(String.UnicodeScalarView(path))
  }
}
