import TablerEngine

extension GrammarCursor {
  /// Up to four lengths in CSS order, or named edges: `1 2`, `top=1,horizontal=2`.
  mutating func edges() throws(GrammarError) -> Edges {
    skipBlanks()
    if let next, next | 0x20 >= 0x61, next | 0x20 <= 0x7A { return try namedEdges() }
    var lengths = [try length()]
    while takeSeparator() {
      if lengths.count == 4 { throw error(.tooManyLengths, at: offset..<bytes.count) }
      lengths.append(try length())
    }
    let top = lengths[0]
    let trailing = lengths.count > 1 ? lengths[1] : top
    let bottom = lengths.count > 2 ? lengths[2] : top
    let leading = lengths.count > 3 ? lengths[3] : trailing
    return Edges(top: top, trailing: trailing, bottom: bottom, leading: leading)
  }

  /// Passes blanks or a comma; false at the end.
  private mutating func takeSeparator() -> Bool {
    skipBlanks()
    if take(",") {
      skipBlanks()
      return true
    }
    return !isAtEnd
  }

  private mutating func namedEdges() throws(GrammarError) -> Edges {
    var edges = Edges()
    _ = try list { (cursor) throws(GrammarError) in
      let word = cursor.word()
      let parts = Self.edges[word.text] ?? []
      if parts.isEmpty {
        if word.text.isEmpty { throw cursor.expected(.edge) }
        let suggestion = word.text.nearest(among: Self.edges.keys.sorted())
        throw cursor.error(.unknownEdge(word.text, suggestion: suggestion), at: word.range)
      }
      cursor.skipBlanks()
      guard cursor.take("=") else { throw cursor.expected(.equalsSign) }
      let length = try cursor.length()
      for part in parts { edges[keyPath: part] = length }
    }
    return edges
  }

  private static let edges: [String: [WritableKeyPath<Edges, Length?> & Sendable]] = [
    "top": [\.top], "leading": [\.leading], "bottom": [\.bottom], "trailing": [\.trailing],
    "horizontal": [\.leading, \.trailing], "vertical": [\.top, \.bottom],
  ]

  /// One length and nothing else.
  mutating func wholeLength() throws(GrammarError) -> Length {
    let length = try length()
    skipBlanks()
    guard isAtEnd else { throw expected(.end) }
    return length
  }

  /// A number of bytes, `512M`, or a part of `whole`, `25%`.
  mutating func size(of whole: Int) throws(GrammarError) -> Int {
    guard let size = Size.bytes(text, of: whole) else {
      let unit = text.drop { $0.isASCII && $0.isNumber }
      if unit != text, Size.bytes("1" + unit, of: whole) != nil {
        throw error(.numberTooLarge(text), at: 0..<bytes.count)
      }
      throw expected(.size)
    }
    offset = bytes.count
    return size
  }

  /// `[ "-" ] number [ "px" | "em" ]`.
  private mutating func length() throws(GrammarError) -> Length {
    skipBlanks()
    let start = offset
    let amount = try number()
    let unit = word()
    switch unit.text {
    case "": return Length(amount)
    case "px": return Length(amount, .pixels)
    case "em": return Length(amount, .ems)
    default:
      if offset == start { throw expected(.length) }
      throw error(.unknownUnit(unit.text), at: unit.range)
    }
  }

  /// The longest length that every layout draws, in its unit.
  private static let longest = 10_000

  /// The lengths the option takes: room inside is never less than none, room between may take away what
  /// padding added.
  private var lengths: ClosedRange<Int> {
    switch option {
    case .tablePadding, .rowPadding, .itemPadding: 0...Self.longest
    default: -Self.longest...Self.longest
    }
  }

  private mutating func number() throws(GrammarError) -> Double {
    let start = offset
    _ = take("-")
    let hasDigits = takeDigits()
    if stands("."), offset + 1 < bytes.count, isDigit(bytes[offset + 1]) {
      offset += 1
      _ = takeDigits()
    } else if !hasDigits {
      offset = start
      throw expected(.length)
    }
    let digits = bytes[start..<offset].filter { $0 != UInt8(ascii: "_") }
    let lengths = lengths
    guard let value = Double(String(decoding: digits, as: UTF8.self)), value >= Double(lengths.lowerBound),
      value <= Double(lengths.upperBound)
    else { throw error(.outOfRange(text(start..<offset), lengths), at: start..<offset) }
    return value
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// Passes digits, and `_` between them.
  private mutating func takeDigits() -> Bool {
    guard let first = next, isDigit(first) else { return false }
    while let byte = next, isDigit(byte) || byte == UInt8(ascii: "_") { offset += 1 }
    return true
  }
}
