/// Tells which printable characters of a text Markdown would treat as its own signs.
///
/// It is called for the characters of one text in order.
///
/// - Complexity: O(*n*) for all calls together, on a text of *n* bytes.
struct MarkdownSigns {
  private var underscores = UnderscoreRun()

  /// Whether the text has two `$` or more, so that they could enclose a formula; determined when it is needed.
  private var hasFormulas: Bool?

  /// Whether the printable character of ASCII at `offset` gets a backslash.
  mutating func isSign(_ byte: UInt8, _ text: Span<UInt8>, _ offset: Int) -> Bool {
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "|"), UInt8(ascii: "*"), UInt8(ascii: "~"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "`"):
      return true
    case UInt8(ascii: "_"): return !underscores.isInWord(text, offset)
    case UInt8(ascii: "["): return text.hasCaret(offset &- 1) || text.hasCaret(offset &+ 1)
    case UInt8(ascii: "]"): return text.holds("](", at: offset) || text.holds("][", at: offset)
    case UInt8(ascii: "$"):
      if hasFormulas == nil { hasFormulas = text.hasTwoDollars }
      return hasFormulas == true
    case UInt8(ascii: ":"): return text.holds("://", at: offset) || text.beginsEmoji(offset)
    case UInt8(ascii: "."): return text.followsWWW(offset)
    case UInt8(ascii: "@"): return text.isInAddress(offset)
    default: return false
    }
  }
}

/// A run of underscores, which is not emphasis if letters or digits are at both of its ends.
///
/// Some readers only know ASCII letters: for them, a run after another letter could begin emphasis that is
/// ended by a later run at the edge of a word, escaped or not.
struct UnderscoreRun {
  private var end = 0
  private var isInWord = false

  /// The offset of the last run at the edge of a word, or -1; determined when it is needed.
  private var lastEdge: Int?

  /// Whether the underscore at `offset` belongs to a run within a word; it must be called for each underscore
  /// in order.
  mutating func isInWord(_ text: Span<UInt8>, _ offset: Int) -> Bool {
    if offset < end { return isInWord }
    end = offset &+ 1
    while end < text.count, text[end] == text[offset] { end &+= 1 }
    isInWord = text.hasLetter(before: offset) && text.hasLetter(at: end)
    if isInWord, text[offset &- 1] >= 0x80 {
      let edge = lastEdge ?? text.lastUnderscoreAtEdge
      lastEdge = edge
      isInWord = edge < offset
    }
    return isInWord
  }
}

extension Span<UInt8> {
  /// Whether a letter or digit of any script begins at `offset`.
  fileprivate func hasLetter(at offset: Int) -> Bool {
    guard offset < count else { return false }
    guard self[offset] >= 0x80 else { return self[offset].isLetterOrDigit }
    let scalar = scalar(at: offset)
    return scalar.isWellFormed && Unicode.Scalar(scalar.value)?.isLetterOrDigit == true
  }

  /// Whether a letter or digit of any script ends before `offset`.
  fileprivate func hasLetter(before offset: Int) -> Bool {
    var start = offset &- 1
    while start > 0, offset &- start < 4, self[start] & 0xC0 == 0x80 { start &-= 1 }
    return start >= 0 && hasLetter(at: start)
  }

  /// The offset of the last run of underscores with no word on one side, or -1.
  fileprivate var lastUnderscoreAtEdge: Int {
    var end = count
    while end > 0 {
      var start = end
      while start > 0, self[start &- 1] == UInt8(ascii: "_") { start &-= 1 }
      if start < end, !hasLetter(before: start) || !hasLetter(at: end) { return start }
      end = start &- 1
    }
    return -1
  }

  /// Whether there is a `^`: after a bracket it makes a footnote.
  fileprivate func hasCaret(_ offset: Int) -> Bool {
    offset >= 0 && offset < count && self[offset] == UInt8(ascii: "^")
  }

  /// Whether the text has `$` twice or more.
  fileprivate var hasTwoDollars: Bool {
    var dollars = 0
    for index in indices where self[index] == UInt8(ascii: "$") { dollars &+= 1 }
    return dollars > 1
  }

  /// Whether `www` precedes `offset`.
  fileprivate func followsWWW(_ offset: Int) -> Bool {
    guard offset >= 3 else { return false }
    for index in (offset &- 3)..<offset where self[index] | 0x20 != UInt8(ascii: "w") { return false }
    return true
  }

  /// Whether the `:` at `offset` begins a name between colons that readers replace by an emoji, such as
  /// `:smile:` and `:100:`; times such as `10:20:30` do not count.
  fileprivate func beginsEmoji(_ offset: Int) -> Bool {
    var end = offset &+ 1
    var isNumber = true
    while end < count, self[end] != UInt8(ascii: ":") {
      guard self[end].isLetterOrDigit || "_+-".utf8.contains(self[end]) else { return false }
      if self[end] &- UInt8(ascii: "0") > 9 { isNumber = false }
      end &+= 1
    }
    guard end < count, end > offset &+ 1 else { return false }
    return !isNumber || holds(":100:", at: offset) || holds(":1234:", at: offset)
  }

  /// Whether the `@` at `offset` is between a name and a host with a dot.
  fileprivate func isInAddress(_ offset: Int) -> Bool {
    guard offset > 0, self[offset &- 1].isLetterOrDigit || "._+-".utf8.contains(self[offset &- 1]) else {
      return false
    }
    for index in (offset &+ 1)..<count {
      switch self[index] {
      case UInt8(ascii: "."): return true
      case UInt8(ascii: "-"), UInt8(ascii: "_"): continue
      case let byte where byte.isLetterOrDigit: continue
      default: return false
      }
    }
    return false
  }
}

extension Unicode.Scalar {
  /// Whether the character is a letter or a number of any script.
  fileprivate var isLetterOrDigit: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber:
      true
    default: false
    }
  }
}
