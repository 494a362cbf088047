/// Splits the characters of an expression into tokens.
///
/// A slash begins a pattern if a value is expected and divides otherwise; the previous token decides. Bytes
/// outside the expression - the rest of a template, or of a sort key - are never read.
struct Lexer {
  /// Where reading ends.
  enum Stop: Equatable, Sendable {
    /// At the end of the source.
    case endOfSource
    /// After the parenthesis that closes the one at the start.
    case closingParenthesis
    /// Before the `}` or the `:` outside brackets that ends an expression in a template.
    case templateField
    /// Before the `;` or newline outside brackets that ends an assignment, or the comma followed by another one.
    case assignment
    /// Before the comma outside brackets that ends one of several pairs `COL = EXPR`.
    case pair
    /// Before the `->` outside brackets that ends the condition of a rule.
    case arrow
  }

  /// The longest source allowed, in bytes.
  static let longestSource = 1 << 16

  /// The bytes of the source.
  let bytes: [UInt8]
  /// The whole text, for errors.
  let source: String
  /// The option it belongs to, for errors.
  let option: String
  /// Where reading ends.
  let stop: Stop
  /// The current offset, in bytes.
  var offset: Int
  /// The tokens read so far.
  var tokens: [Token] = []
  /// The number of open parentheses and brackets.
  var depth = 0

  /// Starts at byte `start` of `source`.
  ///
  /// - Parameter bytes: those of the source, if they are known.
  init(
    source: String, bytes: [UInt8]? = nil, option: String, start: Int = 0, stop: Stop = .endOfSource
  ) {
    self.bytes = bytes ?? Array(source.utf8)
    self.source = source
    self.option = option
    self.stop = stop
    offset = min(max(start, 0), self.bytes.count)
  }

  /// All tokens, the last one of kind `end`; `offset` is then where reading ended.
  mutating func all() throws(ExpressionError) -> [Token] {
    guard bytes.count <= Self.longestSource else {
      throw error(.sourceTooLong(limit: Self.longestSource), Self.longestSource..<bytes.count)
    }
    while try advance() {}
    tokens.append(Token(kind: .end, range: offset..<offset))
    return tokens
  }
}

extension Lexer {
  /// Reads one token; false at the end.
  mutating func advance() throws(ExpressionError) -> Bool {
    skipBlanksAndComments()
    guard offset < bytes.count else { return false }
    let byte = bytes[offset]
    switch byte {
    case 10 where endsAssignment, UInt8(ascii: ";") where endsAssignment: return false
    case UInt8(ascii: ",") where stop == .pair && depth == 0: return false
    case UInt8(ascii: ",") where endsAssignment && standsBeforeAssignment: return false
    case UInt8(ascii: "-") where stop == .arrow && depth == 0 && has("->", at: offset): return false
    case UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
    case UInt8(ascii: ".") where expectsValue && offset + 1 < bytes.count && bytes[offset + 1].isDigit:
      try readNumber()
    case UInt8(ascii: "'"): try readPlainText()
    case UInt8(ascii: "\""): try readEscapedText()
    case UInt8(ascii: "`"): try readQuotedName()
    case UInt8(ascii: "$"): try readDollar()
    case UInt8(ascii: "/") where expectsValue: try readPattern()
    default:
      if let scalar = scalar(at: offset), scalar == "_" || scalar.properties.isXIDStart {
        let start = offset
        append(.name(readName()), from: start)
      } else {
        return try readSymbol()
      }
    }
    return true
  }

  /// Skips white space and, outside templates, comments from `#` after a blank to the end of the line.
  mutating func skipBlanksAndComments() {
    let first = offset
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == 10, endsAssignment { return }
      if byte == 32 || (byte >= 9 && byte <= 13) {
        offset += 1
      } else if byte == UInt8(ascii: "#"), stop != .templateField,
        offset == 0 || offset > first || isBlank(offset - 1)
      {
        while offset < bytes.count && bytes[offset] != 10 { offset += 1 }
      } else {
        return
      }
    }
  }

  /// Whether a `;` or a newline would end an assignment here.
  private var endsAssignment: Bool { stop == .assignment && depth == 0 }

  /// Whether `column =` follows the comma at the current offset, so that another assignment begins there.
  private var standsBeforeAssignment: Bool {
    var ahead = Lexer(source: source, bytes: bytes, option: option, start: offset + 1)
    do {
      // The longest column is `$0["any name"]`.
      for _ in 0..<5 where try ahead.advance() {}
    } catch { return false }
    let parser = Parser(tokens: ahead.tokens + [Token(kind: .end, range: offset..<offset)], of: ahead)
    return parser.beginsAssignment
  }

  /// Whether there is white space at `index`.
  func isBlank(_ index: Int) -> Bool {
    let byte = bytes[index]
    return byte == 32 || (byte >= 9 && byte <= 13)
  }

  /// Whether a value, not an operator, comes next.
  var expectsValue: Bool {
    guard let last = tokens.last else { return true }
    switch last.kind {
    case .number, .text, .measure, .quotedName, .position, .argument, .pattern, .end: return false
    case .symbol(let symbol): return symbol != .closeParenthesis && symbol != .closeBracket
    case .name(let name):
      if tokens.count > 1, tokens[tokens.count - 2].kind == .symbol(.dot) { return false }
      guard let word = ReservedWord(name) else { return false }
      return !word.endsValue
    }
  }

  /// Reads a mark or operator; false if the field of a template ends before it.
  mutating func readSymbol() throws(ExpressionError) -> Bool {
    let start = offset
    if stop == .templateField, bytes[start] == UInt8(ascii: "}") { return false }
    guard
      let symbol = Token.Symbol.beginning(with: bytes[start]).first(where: { has($0.rawValue, at: start) })
    else {
      throw error(
        .unexpectedCharacter(scalar(at: start) ?? "\u{FFFD}"), start..<start + scalarLength(at: start))
    }
    if stop == .templateField, symbol == .colon, depth == 0 { return false }
    offset += symbol.rawValue.utf8.count
    append(.symbol(symbol), from: start)
    switch symbol {
    case .openParenthesis, .openBracket:
      depth += 1
    case .closeParenthesis, .closeBracket:
      depth -= 1
      if stop == .closingParenthesis, depth <= 0 { return false }
    default: break
    }
    return true
  }

  /// Reads a position such as `$2`, or the name of an `--arg`.
  mutating func readDollar() throws(ExpressionError) {
    let start = offset
    offset += 1
    if offset < bytes.count, bytes[offset].isDigit {
      while offset < bytes.count, bytes[offset].isDigit { offset += 1 }
      append(.position(Int(text(start + 1..<offset)) ?? .max), from: start)
    } else if let scalar = scalar(at: offset), scalar == "_" || scalar.properties.isXIDStart {
      append(.argument(readName()), from: start)
    } else {
      throw error(.loneDollar, start..<offset)
    }
  }

  /// Reads the longest run of characters that names may have.
  mutating func readName() -> String {
    let start = offset
    while let scalar = scalar(at: offset), scalar.properties.isXIDContinue {
      offset += scalarLength(at: offset)
    }
    return text(start..<offset)
  }
}

extension Lexer {
  /// Adds the token that extends from `start` to the current offset.
  mutating func append(_ kind: Token.Kind, from start: Int) {
    tokens.append(Token(kind: kind, range: start..<offset))
  }

  /// Whether the source has `text` at `index`.
  func has(_ text: String, at index: Int) -> Bool {
    guard index + text.utf8.count <= bytes.count else { return false }
    return text.utf8.elementsEqual(bytes[index..<index + text.utf8.count])
  }

  /// The text of a range of bytes.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// An error of some kind, about some bytes of the source.
  func error(_ kind: ExpressionError.Kind, _ range: Range<Int>) -> ExpressionError {
    ExpressionError(option: option, source: source, range: range, kind: kind)
  }

  /// The number of bytes of the character at `index`; 0 at the end.
  func scalarLength(at index: Int) -> Int {
    guard index < bytes.count else { return 0 }
    return switch bytes[index] {
    case ..<0x80: 1
    case ..<0xE0: min(2, bytes.count - index)
    case ..<0xF0: min(3, bytes.count - index)
    default: min(4, bytes.count - index)
    }
  }

  /// The character at `index`, if there is one.
  func scalar(at index: Int) -> Unicode.Scalar? {
    guard index < bytes.count else { return nil }
    if bytes[index] < 0x80 { return Unicode.Scalar(bytes[index]) }
    return text(index..<index + scalarLength(at: index)).unicodeScalars.first
  }
}

extension UInt8 {
  /// Whether the byte is one of `0`-`9`.
  @inline(__always)
  var isDigit: Bool { self &- 48 < 10 }

  /// Whether the byte is a hexadecimal digit.
  var isHexDigit: Bool { isDigit || (self | 0x20) &- 97 < 6 }
}

// MARK: - Literals

/// Numbers, texts, quoted names and patterns.
extension Lexer {
  /// Reads a number: decimal with `_`, decimals and an exponent, or hexadecimal; `.5` needs no whole part.
  mutating func readNumber() throws(ExpressionError) {
    let start = offset
    if let length = UnquotedDate.length(in: bytes, at: start) {
      offset += length
      throw error(.unquotedDate(UnquotedDate(text(start..<offset))), start..<offset)
    }
    if has("0x", at: offset) || has("0X", at: offset) {
      offset += 2
      while offset < bytes.count, bytes[offset].isHexDigit { offset += 1 }
      if offset == start + 2 { throw malformedNumber(from: start) }
    } else {
      skipDigits()
      if has(".", at: offset) {
        offset += 1
        guard offset < bytes.count, bytes[offset].isDigit else {
          throw error(.pointWithoutDecimals(text(start..<offset) + "0"), start..<offset)
        }
        skipDigits()
      }
      if has("e", at: offset) || has("E", at: offset) {
        let sign = has("+", at: offset + 1) || has("-", at: offset + 1) ? 1 : 0
        if offset + 1 + sign < bytes.count, bytes[offset + 1 + sign].isDigit {
          offset += 1 + sign
          skipDigits()
        }
      }
    }
    if let next = scalar(at: offset), next.properties.isXIDContinue {
      if readMeasure(from: start) { return }
      throw malformedNumber(from: start)
    }
    append(.number(text(start..<offset).filter { $0 != "_" }), from: start)
  }

  /// Reads the rest of a duration such as `1d2h`, or of a size such as `20G`, after its first number; `false`
  /// if it is neither.
  mutating func readMeasure(from start: Int) -> Bool {
    let rest = offset
    _ = readName()
    let text = text(start..<offset)
    if Duration(text.utf8.span) != nil {
      append(.measure(.duration, text), from: start)
      return true
    }
    let digits = text.filter { $0 != "_" }
    if Size.read(digits.utf8.span) != nil, !beginsName {
      append(.measure(.size, digits), from: start)
      return true
    }
    offset = rest
    return false
  }

  /// Whether the text read so far is actually the beginning of a name, as in `1K-blocks > 5`.
  private var beginsName: Bool {
    guard has("-", at: offset), scalar(at: offset + 1)?.properties.isXIDStart == true else { return false }
    guard let last = tokens.last else { return true }
    return last.kind == .symbol(.openParenthesis) || ["and", "or", "not"].contains { last.kind.isName($0) }
  }

  /// Skips digits and the `_` between them.
  mutating func skipDigits() {
    while offset < bytes.count, bytes[offset].isDigit || bytes[offset] == UInt8(ascii: "_") { offset += 1 }
  }

  /// The error for a number followed by letters, including all of them.
  mutating func malformedNumber(from start: Int) -> ExpressionError {
    _ = readName()
    return error(.malformedNumber(text(start..<offset)), start..<offset)
  }

  /// Reads `'…'`, whose only escape is `''`.
  mutating func readPlainText() throws(ExpressionError) {
    let start = offset
    let content = try readDoubled(UInt8(ascii: "'"), else: .unclosedText(mark: "'"))
    append(.text(content), from: start)
  }

  /// Reads a column name in backquotes.
  mutating func readQuotedName() throws(ExpressionError) {
    let start = offset
    let name = try readDoubled(UInt8(ascii: "`"), else: .unclosedName)
    if name.isEmpty { throw error(.emptyName, start..<offset) }
    append(.quotedName(name), from: start)
  }

  /// Reads up to the closing mark; a doubled one is one of its characters.
  mutating func readDoubled(
    _ mark: UInt8, else kind: ExpressionError.Kind
  ) throws(ExpressionError) -> String {
    let start = offset
    var content: [UInt8] = []
    offset += 1
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte == mark {
        guard offset < bytes.count, bytes[offset] == mark else {
          return String(decoding: content, as: UTF8.self)
        }
        offset += 1
      }
      content.append(byte)
    }
    throw error(kind, start..<start + 1)
  }

  /// Reads `"…"`, with the escapes of JSON.
  mutating func readEscapedText() throws(ExpressionError) {
    let start = offset
    var content: [UInt8] = []
    offset += 1
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") {
        offset += 1
        append(.text(String(decoding: content, as: UTF8.self)), from: start)
        return
      }
      if byte == UInt8(ascii: "\\") {
        content.append(contentsOf: Array(String(try readEscape()).utf8))
      } else {
        content.append(byte)
        offset += 1
      }
    }
    throw error(.unclosedText(mark: "\""), start..<start + 1)
  }

  /// Reads the character that a backslash and the next characters represent.
  mutating func readEscape() throws(ExpressionError) -> Unicode.Scalar {
    let start = offset
    offset += 1
    guard offset < bytes.count else { throw error(.unknownEscape("\\"), start..<offset) }
    let byte = bytes[offset]
    offset += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"): return try readCodePoint(from: start)
    default:
      offset = start + 1 + scalarLength(at: start + 1)
      throw error(.unknownEscape(text(start..<offset)), start..<offset)
    }
  }

  /// Reads the character after `\u`: `{hex…}`, four digits, or a pair of surrogates.
  mutating func readCodePoint(from start: Int) throws(ExpressionError) -> Unicode.Scalar {
    var value: UInt32?
    if has("{", at: offset) {
      offset += 1
      value = readHex(atMost: 8)
      if has("}", at: offset) { offset += 1 } else { value = nil }
    } else {
      value = readHex(exactly: 4)
      if let high = value, high & 0xFC00 == 0xD800, has("\\u", at: offset) {
        offset += 2
        let low = readHex(exactly: 4) ?? 0
        value = low & 0xFC00 == 0xDC00 ? 0x10000 + (high & 0x3FF) << 10 + low & 0x3FF : nil
      }
    }
    guard let value, let scalar = Unicode.Scalar(value) else {
      throw error(.invalidCodePoint(text(start..<offset)), start..<offset)
    }
    return scalar
  }

  /// Reads the number of exactly `count` hexadecimal digits.
  mutating func readHex(exactly count: Int) -> UInt32? {
    let start = offset
    let value = readHex(atMost: count)
    return offset == start + count ? value : nil
  }

  /// Reads the number of the hexadecimal digits that come next, at most `count` of them.
  mutating func readHex(atMost count: Int) -> UInt32? {
    let start = offset
    while offset < bytes.count, offset < start + count, bytes[offset].isHexDigit { offset += 1 }
    return UInt32(text(start..<offset), radix: 16)
  }

  /// Reads `/…/flags`; of its backslashes only that of `\/` is removed.
  mutating func readPattern() throws(ExpressionError) {
    let start = offset
    var content: [UInt8] = []
    offset += 1
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "/") {
      if bytes[offset] == UInt8(ascii: "\\"), offset + 1 < bytes.count {
        if bytes[offset + 1] != UInt8(ascii: "/") { content.append(bytes[offset]) }
        offset += 1
      }
      content.append(bytes[offset])
      offset += 1
    }
    guard offset < bytes.count else { throw error(.unclosedPattern, start..<start + 1) }
    offset += 1
    let flagStart = offset
    let flags = readName()
    for (index, flag) in flags.enumerated() where !"isx".contains(flag) {
      throw error(.unknownPatternFlag(flag), flagStart + index..<flagStart + index + String(flag).utf8.count)
    }
    append(.pattern(String(decoding: content, as: UTF8.self), flags: flags), from: start)
  }
}

/// The smallest meaningful piece of an expression, and its range.
struct Token: Equatable, Sendable {
  /// The kind of token.
  var kind: Kind

  /// Its bytes in the source.
  var range: Range<Int>

  /// The kinds of tokens; texts and names are stored without their marks and escapes.
  enum Kind: Equatable, Sendable {
    case number(String)
    case text(String)
    /// A length of time or a size as written: `1d2h`, `20G`.
    case measure(Expression.TypeName, String)
    case name(String)
    case quotedName(String)
    /// `$2`; `$0` is the row.
    case position(Int)
    /// `$who`, an `--arg`.
    case argument(String)
    case pattern(String, flags: String)
    case symbol(Symbol)
    case end
  }

  /// Marks and operators, longest first if one begins another.
  enum Symbol: String, CaseIterable, Sendable {
    case doubleEqual = "=="
    case matches = "=~"
    case notMatches = "!~"
    case notEqual = "!="
    case angleNotEqual = "<>"
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case doubleQuestion = "??"
    case doublePlus = "++"
    case doubleStar = "**"
    case doubleSlash = "//"
    case doubleAmpersand = "&&"
    case doubleBar = "||"
    case equal = "="
    case less = "<"
    case greater = ">"
    case question = "?"
    case plus = "+"
    case minus = "-"
    case star = "*"
    case slash = "/"
    case percent = "%"
    case caret = "^"
    case exclamation = "!"
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBracket = "["
    case closeBracket = "]"
    case comma = ","
    case dot = "."
    case colon = ":"

    /// The symbols that begin with a byte, longest first.
    static func beginning(with byte: UInt8) -> [Symbol] { byte < 128 ? byFirstByte[Int(byte)] : [] }

    private static let byFirstByte: [[Symbol]] = (0..<128).map { byte in
      allCases.filter { $0.rawValue.utf8.first == UInt8(byte) }
    }
  }
}

extension String {
  /// The column name as it must be written in expressions: in backticks, unless it is a single word without
  /// another meaning.
  public var spelledInExpressions: String {
    let isWord =
      unicodeScalars.first.map { $0 == "_" || $0.properties.isXIDStart } ?? false
      && unicodeScalars.allSatisfy(\.properties.isXIDContinue) && ReservedWord(self) == nil
    if isWord { return self }
    return "`" + split(separator: "`", omittingEmptySubsequences: false).joined(separator: "``") + "`"
  }
}

/// Words that are never columns, in any case, unless in backticks.
enum ReservedWord: String, Sendable {
  case and
  case or
  case not
  case `in`
  case between
  case like
  case ilike
  case `is`
  case null
  case `true`
  case `false`
  case `case`
  case when
  case then
  case `else`
  case end

  /// The reserved word that `name` spells, in any case.
  init?(_ name: String) {
    guard name.utf8.count <= 7 else { return nil }
    self.init(rawValue: name.lowercased())
  }

  /// Whether the word ends a value, so that a slash after it divides.
  fileprivate var endsValue: Bool {
    switch self {
    case .null, .true, .false, .end: true
    default: false
    }
  }
}

extension String {
  /// Whether the text can be used in an expression unchanged and means the column of that name, or a member of one.
  public var isBareColumn: Bool {
    split(separator: ".", omittingEmptySubsequences: false).allSatisfy { name in
      guard let first = name.unicodeScalars.first, first == "_" || first.properties.isXIDStart else {
        return false
      }
      return name.unicodeScalars.allSatisfy(\.properties.isXIDContinue) && ReservedWord(String(name)) == nil
    }
  }
}
