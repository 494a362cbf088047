/// Writes text so that pandoc's Markdown shows exactly this text; blanks and newlines at its ends are lost,
/// as in any Markdown.
///
/// Pandoc has more syntax than GitHub Flavored Markdown, so more is escaped: curly quotes, dashes and dots,
/// super- and subscripts, citations and formulas. `[x]` is a link if any heading is called x, so each `[` is
/// escaped. Where blocks are allowed, everything that would begin a list, heading or table is escaped too.
struct PandocEscaper: Sendable {
  /// The place of texts, which determines what pandoc may read into them.
  enum Place: Sendable {
    /// In a cell of a pipe table, which is one line.
    case pipes
    /// In a cell of a multiline table: lines, no blocks.
    case lines
    /// In a cell of a grid table: blocks.
    case blocks
    /// In the definition of a term, which holds blocks.
    case definition
    /// In a line of its own: a heading, a term, a caption.
    case heading
  }

  /// The place of texts.
  var place: Place

  /// The mark for newlines with `--single-line`; `nil` keeps line breaks.
  let newlineMark: [UInt8]?

  /// An empty span, for places where empty text would be misread.
  static let nothing = Array("[]{}".utf8)

  /// A newline as a character reference.
  private static let newlineReference = Array("&#10;".utf8)

  /// Appends `text`, escaped.
  ///
  /// - Parameter isRaw: whether it is already Markdown: only characters that would end a cell are escaped.
  func append(_ text: Span<UInt8>, isRaw: Bool, to out: inout ByteBuffer) -> Escaper.Findings {
    var walk = SafeText()
    var gap = Gap()
    var lineStart = 0
    var marker: Int?
    var hasAt = false
    var codeEnd = 0
    var unclosed: Set<Int> = []
    var underscores = UnderscoreRun()
    var offset = 0
    while offset < text.count {
      let byte = text[offset]
      if byte == 0x20 || byte == 9 {
        gap.blanks += 1
        offset &+= 1
        continue
      }
      if let length = text.newlineLength(at: offset), newlineMark == nil {
        gap.newlines += 1
        gap.blanks = 0
        lineStart = offset &+ length
        offset = lineStart
        continue
      }
      let isLineStart = !gap.hasText || gap.newlines > 0
      if isLineStart {
        lineStart = offset
        marker = readsBlocks && !isRaw ? text.listMarker(at: offset) : nil
      }
      append(&gap, to: &out)
      let (part, length) = walk.next(text, at: offset)
      switch part {
      case .newline: out.append(newlineMark ?? [])
      case .control, .illFormed, .reordering: out.append("\u{FFFD}")
      case .scalar(let scalar): append(scalar, text.extracting(offset..<offset &+ length), to: &out)
      case .ascii, .tab:
        if isRaw {
          if byte == UInt8(ascii: "`"), offset >= codeEnd {
            codeEnd = text.codeEnd(at: offset, unclosed: &unclosed)
          }
          let endsCell =
            byte == UInt8(ascii: "|") && place == .pipes && offset >= codeEnd
            && !text.hasOddBackslashes(before: offset)
          if endsCell { out.append(UInt8(ascii: "\\")) }
        } else if byte == UInt8(ascii: "_") {
          if !underscores.isInWord(text, offset) { out.append(UInt8(ascii: "\\")) }
        } else if offset == marker || isSpecial(byte, text, offset, from: lineStart)
          || byte == UInt8(ascii: "@") && hasAt
        {
          out.append(UInt8(ascii: "\\"))
        }
        hasAt = hasAt || byte == UInt8(ascii: "@")
        out.append(byte)
      }
      offset &+= length
    }
    appendClosers(of: walk.levels, to: &out)
    return walk.findings
  }
}

extension PandocEscaper {
  /// Pending blanks and newlines, written only when more text follows.
  private struct Gap {
    var blanks = 0
    var newlines = 0

    /// Whether text has been written.
    var hasText = false
  }

  private var readsBlocks: Bool {
    switch place {
    case .blocks, .definition, .heading: true
    case .pipes, .lines: false
    }
  }

  /// Whether pandoc finds the ends of columns by counting characters.
  private var countsCells: Bool { place == .lines || place == .blocks }

  private func append(_ gap: inout Gap, to out: inout ByteBuffer) {
    if gap.hasText {
      for _ in 0..<gap.newlines {
        switch place {
        case .pipes, .heading: out.append(Self.newlineReference)
        case .lines, .blocks: out.append("\\\n")
        case .definition: out.append("\\\n    ")
        }
      }
      if gap.newlines == 0 { out.append(blanks: gap.blanks) }
    }
    gap = Gap(hasText: true)
  }

  /// Whether a printable character of ASCII gets a backslash.
  ///
  /// - Parameter lineStart: the start of the text of its line.
  private func isSpecial(
    _ byte: UInt8, _ text: Span<UInt8>, _ offset: Int, from lineStart: Int
  ) -> Bool {
    let before = offset > 0 ? text[offset &- 1] : 0x20
    let after = offset &+ 1 < text.count ? text[offset &+ 1] : 0x20
    let isFirst = readsBlocks && offset == lineStart
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "|"), UInt8(ascii: "*"), UInt8(ascii: "~"),
      UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"),
      UInt8(ascii: "`"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "^"), UInt8(ascii: "$"):
      return true
    case UInt8(ascii: "-"):
      return before == byte || after == byte || place != .pipes && offset == lineStart && after.isBlank
    case UInt8(ascii: "+"):
      return isFirst
        && (after.isBlank || after == UInt8(ascii: "-") || after == UInt8(ascii: "=")
          || after == UInt8(ascii: ":"))
    case UInt8(ascii: "="), UInt8(ascii: "%"): return isFirst
    case UInt8(ascii: "."):
      return before == byte || after == byte
        || after.isBlank && text.isAbbreviation(endingAt: offset)
    case UInt8(ascii: ":"):
      return isFirst || readsBlocks && text.extracting(lineStart..<offset).isTableWord
    case UInt8(ascii: "#"): return isFirst || place == .heading
    case UInt8(ascii: "{"): return place == .heading
    case UInt8(ascii: "@"): return !before.isLetterOrDigit
    default: return false
    }
  }

  /// Whether all versions of pandoc agree on the width of a character.
  ///
  /// Others are written as references.
  private static func hasKnownWidth(_ scalar: UInt32) -> Bool {
    let traits = UnicodeTables.traits(of: scalar)
    if traits.isEmojiModifier || traits.graphemeBreak == .regionalIndicator { return false }
    switch traits.cells(ambiguous: 1) {
    case 0: return scalar >= 0x300 && scalar <= 0x36F
    case 1:
      switch scalar {
      // Blanks at the ends of a cell would be dropped.
      case 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F: return false
      case 0xAD, 0x600...0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2: return false
      case ..<0x231C, 0x2328...0x23F3, 0x2400...0x25FE, 0x2600...0x2615, 0x2692...0x26A1, 0x2708...0x2728,
        0x2E80...0x302D, 0x3030...0xFFFD, 0x10000...0x110BC, 0x1D400...0x1EEFF:
        return true
      default: return false
      }
    default:
      switch scalar {
      case 0x2630...0x2637, 0x3000, 0x268A...0x268F, 0x4DC0...0x4DFF, 0xFFE0...0xFFE6, 0x16FE0...0x1AFFE,
        0x1D300...0x1D376:
        return false
      default: return true
      }
    }
  }

  /// Appends a non-ASCII character, as a reference if its width matters and is uncertain.
  private func append(_ scalar: UInt32, _ spelling: Span<UInt8>, to out: inout ByteBuffer) {
    if countsCells, !Self.hasKnownWidth(scalar) {
      out.append("&#x\(String(scalar, radix: 16, uppercase: true));")
    } else {
      out.append(spelling)
    }
  }

  /// Appends closers for the bidi controls that a text leaves open.
  private func appendClosers(of bidi: BidiStack, to out: inout ByteBuffer) {
    if bidi.isEmpty { return }
    var closers = ByteBuffer()
    bidi.appendClosers(to: &closers)
    var offset = 0
    while offset < closers.count {
      let scalar = closers.span.scalar(at: offset)
      append(scalar.value, closers.span.extracting(offset..<offset &+ scalar.length), to: &out)
      offset &+= scalar.length
    }
  }

  /// Abbreviations after which pandoc inserts a non-breaking space.
  fileprivate static let abbreviations: Set<String> = [
    "aet", "aetat", "al", "Apr", "Aug", "bk", "Bros", "c", "Capt", "cf", "ch", "chap", "chs", "Co", "col",
    "Corp", "cp", "d", "Dec", "Dr", "e.g", "ed", "eds", "esp", "f", "fasc", "Feb", "ff", "fig", "fl", "fol",
    "fols", "Fr", "Gen", "Gov", "Hon", "i.e", "ill", "Inc", "incl", "Jan", "Jr", "Jul", "Jun", "Ltd", "M.A",
    "M.D", "Mar", "Mr", "Mrs", "Ms", "n", "n.b", "nn", "No", "Nov", "Oct", "p", "Ph.D", "pp", "Pres", "Prof",
    "pt", "q.v", "Rep", "Rev", "s.v", "s.vv", "saec", "sec", "Sen", "Sep", "Sept", "Sgt", "Sr", "St", "univ",
    "viz", "vol", "vs",
  ]
}

extension Span<UInt8> {
  /// Whether the word before the dot is an abbreviation that pandoc knows.
  fileprivate func isAbbreviation(endingAt dot: Int) -> Bool {
    let point = UInt8(ascii: ".")
    var start = dot
    while start > 0, dot &- start < 7, self[start &- 1].isLetterOrDigit || self[start &- 1] == point {
      // Consecutive dots are all escaped, so that a word cannot span them.
      if self[start &- 1] == point, start > 1, self[start &- 2] == point { break }
      start &-= 1
    }
    return PandocEscaper.abbreviations.contains(
      String(decoding: Array(copying: extracting(start..<dot)), as: UTF8.self))
  }

  /// Whether the text is the word that begins a caption.
  fileprivate var isTableWord: Bool {
    guard count == 5 else { return false }
    for (index, letter) in "table".utf8.enumerated() where self[index] | 0x20 != letter { return false }
    return true
  }

  /// The offset of the dot or parenthesis that would make the text at `start` a list marker.
  fileprivate func listMarker(at start: Int) -> Int? {
    var offset = start
    if self[offset] == UInt8(ascii: "(") { offset &+= 1 }
    let word = offset
    while offset < count, self[offset].isLetterOrDigit { offset &+= 1 }
    guard offset > word, offset < count,
      self[offset] == UInt8(ascii: ".") || self[offset] == UInt8(ascii: ")"),
      offset &+ 1 == count || self[offset &+ 1].isBlank || newlineLength(at: offset &+ 1) != nil
    else { return nil }
    return offset
  }

  /// The end of the code span that starts here, or the end of its backquotes if it is not closed.
  ///
  /// - Parameter unclosed: the lengths of backquote runs known to open no code span.
  fileprivate func codeEnd(at start: Int, unclosed: inout Set<Int>) -> Int {
    let opening = runLength(at: start)
    var offset = start &+ opening
    if unclosed.contains(opening) || hasOddBackslashes(before: start) { return offset }
    while offset < count {
      let run = runLength(at: offset)
      if run == opening, self[offset] == self[start] { return offset &+ run }
      offset &+= run
    }
    unclosed.insert(opening)
    return start &+ opening
  }

  /// The length of the run of equal bytes.
  private func runLength(at start: Int) -> Int {
    var end = start &+ 1
    while end < count, self[end] == self[start] { end &+= 1 }
    return end &- start
  }
}

extension UInt8 {
  /// Whether the byte is an ASCII letter or digit.
  var isLetterOrDigit: Bool {
    self &- UInt8(ascii: "0") < 10 || (self | 0x20) &- UInt8(ascii: "a") < 26
  }
}
