/// The smallest piece of an expression that means something, and where it stands.
struct Token: Equatable, Sendable {
  /// What the token is.
  var kind: Kind

  /// Its bytes in the source.
  var range: Range<Int>

  /// The kinds of token; texts and names come without their marks and escapes.
  enum Kind: Equatable, Sendable {
    case number(String)
    case text(String)
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

  /// Marks and operators, longest first where one begins another.
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
  var endsValue: Bool {
    switch self {
    case .null, .true, .false, .end: true
    default: false
    }
  }
}
