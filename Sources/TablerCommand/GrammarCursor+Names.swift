import TablerEngine

extension GrammarCursor {
  /// Marks that end a bare name besides `,` and `:`.
  struct Stops: OptionSet {
    /// One bit for each mark.
    let rawValue: Int

    /// `=`.
    static let equalsSign = Stops(rawValue: 1)
    /// `..`.
    static let range = Stops(rawValue: 2)
  }

  /// A name as it was written.
  struct Name {
    /// The name without its quotes.
    var text: String
    /// Whether it stood in quotes, so that nothing in it is syntax.
    var isQuoted: Bool
    /// Where it stands in the value, in bytes.
    var range: Range<Int>

    /// Whether the name is a pattern with `*` and `?`.
    var isGlob: Bool { !isQuoted && text.contains { $0 == "*" || $0 == "?" } }

    /// The column so written: `@2` is a position, everything else a name.
    var column: ColumnReference {
      if !isQuoted, text.hasPrefix("@"), let position = Int(text.dropFirst()) { return .position(position) }
      return .name(text, isQuoted: isQuoted)
    }
  }

  /// A bare or quoted name; blanks round it do not belong to it.
  mutating func name(_ wanted: GrammarError.Expected, stops: Stops = []) throws(GrammarError) -> Name {
    skipBlanks()
    defer { skipBlanks() }
    if let mark = next, mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "`") {
      let start = offset
      return Name(text: try quoted(), isQuoted: true, range: start..<offset)
    }
    let range = try bareRange(stops)
    guard !range.isEmpty else { throw expected(wanted) }
    return Name(text: text(range), isQuoted: false, range: range)
  }

  /// A text between quote marks, which are doubled inside.
  mutating func quoted() throws(GrammarError) -> String {
    let start = offset
    let mark = bytes[start]
    var content: [UInt8] = []
    offset += 1
    while let byte = next {
      offset += 1
      if byte == mark {
        guard next == mark else { return String(decoding: content, as: UTF8.self) }
        offset += 1
      }
      content.append(byte)
    }
    throw error(.unclosedQuote(Character(Unicode.Scalar(mark))), at: start..<start + 1)
  }

  /// Passes a bare name, and tells where it stands without the blanks after it.
  private mutating func bareRange(_ stops: Stops) throws(GrammarError) -> Range<Int> {
    let start = offset
    var end = offset
    scan: while let byte = next {
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: ":"): break scan
      case UInt8(ascii: "=") where stops.contains(.equalsSign): break scan
      case UInt8(ascii: ".") where stops.contains(.range) && stands(".."): break scan
      case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\""), UInt8(ascii: "`"):
        throw needsQuotes()
      default:
        offset += 1
        if byte != 32, byte != 9 { end = offset }
      }
    }
    return start..<end
  }
}
