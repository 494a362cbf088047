import TablerEngine

extension GrammarCursor {
  /// `word { blank word }`, as in `bold fg=red`; nothing is plain.
  mutating func style() throws(GrammarError) -> Style {
    var style = Style()
    skipBlanks()
    while !isAtEnd {
      try styleWord(into: &style)
      if let next, next != 32, next != 9 { throw expected(.styleWord) }
      skipBlanks()
    }
    return style
  }

  private static let attributes: [(word: String, path: WritableKeyPath<Style, Bool> & Sendable)] = [
    ("bold", \.isBold), ("dim", \.isDim), ("italic", \.isItalic), ("underline", \.isUnderlined),
    ("strike", \.isStruck), ("inverse", \.isInverse),
  ]

  private mutating func styleWord(into style: inout Style) throws(GrammarError) {
    let word = word()
    if let attribute = Self.attributes.first(where: { $0.word == word.text }) {
      style[keyPath: attribute.path] = true
      return
    }
    switch word.text {
    case "": throw expected(.styleWord)
    case "fg", "bg":
      guard take("=") else { throw expected(.equalsSign) }
      if word.text == "fg" { style.foreground = try color() } else { style.background = try color() }
    case "box", "swatch", "gradient": throw error(.styleNotForHeaders(word.text), at: word.range)
    default:
      let suggestion =
        Style.Color(name: word.text) != nil
        ? "fg=" + word.text : word.text.nearest(among: Self.attributes.map(\.word) + ["fg", "bg"])
      throw error(.unknownStyle(word.text, suggestion: suggestion), at: word.range)
    }
  }

  /// `red`, `bright-blue`, `#c00`, `#cc0000`.
  private mutating func color() throws(GrammarError) -> Style.Color {
    let start = offset
    while let byte = next, byte != 32, byte != 9 { offset += 1 }
    let name = text(start..<offset)
    if name.isEmpty { throw expected(.color) }
    if let color = Style.Color(name: name.lowercased()) { return color }
    throw error(.unknownColor(name, suggestion: Style.Color.nearestName(to: name)), at: start..<offset)
  }
}

extension Style.Color {
  /// The color a name or `#rgb` means, if any.
  ///
  /// A name that a terminal has is the terminal's own color, so that it fits the user's palette.
  init?(name: String) {
    if name.hasPrefix("#") {
      self.init(hexadecimal: name.dropFirst())
    } else if let index = Self.terminalNames.firstIndex(of: name) {
      self = .terminal(index)
    } else if name.hasPrefix("bright-"),
      let index = Self.terminalNames.firstIndex(of: String(name.dropFirst("bright-".count)))
    {
      self = .terminal(index + 8)
    } else if let color = Self.named[name] {
      self = color
    } else {
      return nil
    }
  }

  private init?(hexadecimal digits: Substring) {
    let nibbles = digits.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map { UInt8($0) } }
    guard nibbles.count == digits.utf8.count else { return nil }
    switch nibbles.count {
    case 3: self = .rgb(nibbles[0] * 17, nibbles[1] * 17, nibbles[2] * 17)
    case 6:
      self = .rgb(nibbles[0] << 4 | nibbles[1], nibbles[2] << 4 | nibbles[3], nibbles[4] << 4 | nibbles[5])
    default: return nil
    }
  }

  /// The known name nearest to one that is not known.
  static func nearestName(to name: String) -> String? {
    name.nearest(among: terminalNames + named.keys.sorted() + terminalNames.map { "bright-" + $0 })
  }

  private static let terminalNames = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
  ]

  /// The CSS basic names that no terminal has, and a few more.
  private static let named: [String: Style.Color] = [
    "aqua": .terminal(6), "fuchsia": .terminal(5), "gray": .terminal(8), "grey": .terminal(8),
    "lime": .terminal(10), "maroon": .rgb(128, 0, 0), "navy": .rgb(0, 0, 128), "olive": .rgb(128, 128, 0),
    "purple": .rgb(128, 0, 128), "silver": .rgb(192, 192, 192), "teal": .rgb(0, 128, 128),
    "orange": .rgb(255, 165, 0), "brown": .rgb(165, 42, 42), "pink": .rgb(255, 192, 203),
  ]
}
