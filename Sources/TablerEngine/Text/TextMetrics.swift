/// How text is measured, in the cells of a terminal.
public struct TextMetrics: Equatable, Sendable {
  /// The cells of an East Asian ambiguous character, 1 or 2.
  public var ambiguousWidth: Int

  /// Whether the text may contain control sequences: they take no cells and are not split.
  public var passesControl: Bool

  /// Creates metrics.
  public init(ambiguousWidth: Int = 1, passesControl: Bool = false) {
    self.ambiguousWidth = ambiguousWidth
    self.passesControl = passesControl
  }

  /// The cells `text` takes on one line.
  ///
  /// Bytes that are not UTF-8 count as the U+FFFD that will replace them.
  public func width(of text: Span<UInt8>) -> Int {
    let plain = text.firstNotPlain(from: 0)
    if plain == text.count { return plain }
    return extent(of: text, keepsNewlines: false)?.width ?? mixedWidth(of: text, plain: plain)
  }

  /// The cells of the widest line of `text`.
  func widestLine(of text: Span<UInt8>) -> Int {
    let plain = text.firstNotPlain(from: 0)
    if plain == text.count { return plain }
    if let extent = extent(of: text, keepsNewlines: true) { return extent.width }
    var widest = 0
    var start = 0
    for offset in plain..<text.count where text[offset] == UInt8(ascii: "\n") {
      widest = max(widest, width(of: text.extracting(start..<offset)))
      start = offset &+ 1
    }
    return max(widest, width(of: text.extracting(start..<text.count)))
  }

  /// The width of a text whose first `plain` bytes are printable ASCII.
  ///
  /// 1. Scalars that do not interact with others are only added up; the last one is remembered.
  /// 2. Only a scalar that affects clusters reaches the counter, which is then told the last one.
  private func mixedWidth(of text: Span<UInt8>, plain: Int) -> Int {
    var counter = CellCounter(ambiguous: ambiguousWidth)
    var remembered: UInt32 = 0
    var offset = max(0, plain &- 1)
    var width = offset
    while offset < text.count {
      let scalar = text.scalar(at: offset)
      let traits = UnicodeTables.traits(of: scalar.value)
      if traits.isOrdinary || scalar.value &- 0x20 <= 0x5E {
        width &+= traits.cells(ambiguous: ambiguousWidth)
        remembered = scalar.value
        offset &+= scalar.length
        continue
      }
      if passesControl, let length = text.controlSequenceLength(at: offset) {
        counter.restart()
        offset &+= length
      } else {
        if remembered != 0 {
          counter.restart(after: UnicodeTables.traits(of: remembered))
        }
        width &+= counter.count(scalar.value, traits).cells
        offset &+= scalar.length
      }
      remembered = 0
    }
    return width
  }
}

/// The cells `text` takes on one line of a terminal.
///
/// - Parameter ambiguous: the cells of an East Asian ambiguous character, 1 or 2.
public func displayWidth(of text: Span<UInt8>, ambiguous: Int = 1) -> Int {
  TextMetrics(ambiguousWidth: ambiguous).width(of: text)
}

/// The room that a text takes if it is drawn unchanged.
struct TextExtent: Equatable, Sendable {
  /// The cells of its widest line.
  var width: Int
  /// The number of its newlines.
  var newlines = 0
}

extension TextMetrics {
  /// The room `text` takes if `Escaper` passes every byte of it; `nil` if it would not.
  ///
  /// Escaping and then measuring gives the same result; this is one pass over the bytes.
  ///
  /// 1. Scalars that do not interact with others are only added up; the last one is remembered.
  /// 2. A mark without width changes nothing for what follows it, unless it follows a part of a syllable.
  /// 3. Only another scalar that affects clusters reaches the counter, which is then told the last one.
  ///
  /// - Parameter keepsNewlines: whether a newline or CRLF separates lines; otherwise such a text has no extent.
  @inline(__always)
  func extent(of text: Span<UInt8>, keepsNewlines: Bool) -> TextExtent? {
    let plain = text.firstNotPlain(from: 0)
    if plain == text.count { return TextExtent(width: plain) }
    return mixedExtent(of: text, plain: plain, keepsNewlines: keepsNewlines)
  }

  /// The room of a text whose first `plain` bytes are printable ASCII.
  private func mixedExtent(of text: Span<UInt8>, plain: Int, keepsNewlines: Bool) -> TextExtent? {
    var extent = TextExtent(width: 0)
    var counter = CellCounter(ambiguous: ambiguousWidth)
    var remembered: UInt32 = plain > 0 ? UInt32(text[plain &- 1]) : 0
    var offset = plain
    var width = plain
    while offset < text.count {
      let lead = text[offset]
      if lead < 0x80 {
        let end = text.firstNotPlain(from: offset)
        if end > offset {
          width &+= end &- offset
          remembered = UInt32(text[end &- 1])
          offset = end
          continue
        }
        guard keepsNewlines, let length = text.newlineLength(at: offset) else { return nil }
        extent.width = max(extent.width, width)
        extent.newlines &+= 1
        width = 0
        counter.restart()
        remembered = 0
        offset &+= length
        continue
      }
      let wide = text.plainWideScalars(from: offset)
      if wide > 0 {
        width &+= 2 &* wide
        offset &+= 3 &* wide
        remembered = text.scalar(at: offset &- 3).value
        continue
      }
      let scalar = text.scalar(at: offset)
      guard scalar.isWellFormed else { return nil }
      let traits = UnicodeTables.traits(of: scalar.value)
      if traits.isOrdinary {
        width &+= traits.cells(ambiguous: ambiguousWidth)
        remembered = scalar.value
        offset &+= scalar.length
        continue
      }
      guard scalar.value >= 0xA0, scalar.value &- 0x2028 > 0x2069 &- 0x2028 else { return nil }
      if remembered != 0 {
        if traits.isBareMark, scalar.value != CellCounter.emojiSelector, !remembered.mayBeHangul {
          offset &+= scalar.length
          continue
        }
        counter.restart(after: UnicodeTables.traits(of: remembered))
        remembered = 0
      }
      width &+= counter.count(scalar.value, traits).cells
      offset &+= scalar.length
    }
    extent.width = max(extent.width, width)
    return extent
  }
}

extension Span<UInt8> {
  /// The number of scalars from `start` on that take two cells and three bytes each and do not affect clusters.
  ///
  /// Only the most frequent ones: unified ideographs, kana, Hangul syllables.
  @inline(__always)
  fileprivate func plainWideScalars(from start: Int) -> Int {
    var scalars = 0
    var offset = start
    while offset < count {
      let word = word(at: offset)
      guard word & 0xC0_C0F0 == 0x80_80E0 else { break }
      let value = (word & 0x0F) &<< 12 | (word &>> 8 & 0x3F) &<< 6 | word &>> 16 & 0x3F
      guard value.isPlainWide else { break }
      scalars &+= 1
      offset &+= 3
    }
    return scalars
  }
}

extension ScalarTraits {
  /// Whether the scalar is a mark without width and without further effect: no spacing mark, skin tone or joiner.
  @inline(__always)
  fileprivate var isBareMark: Bool {
    cells(ambiguous: 1) == 0 && graphemeBreak == .extend && !isSpacingMark && !isPictograph
      && !isEmojiModifier
  }
}

extension UInt32 {
  /// Whether the scalar may be a Hangul syllable or a part of one.
  @inline(__always)
  fileprivate var mayBeHangul: Bool {
    self &- 0x1100 <= 0x11FF &- 0x1100 || self &- 0xA960 <= 0xA97F &- 0xA960
      || self &- 0xAC00 <= 0xD7FF &- 0xAC00
  }

  /// Whether the scalar is a unified ideograph of the first block, a Hangul syllable or a letter of kana.
  @inline(__always)
  var isPlainWide: Bool {
    self &- 0x4E00 <= 0x9FFF &- 0x4E00 || self &- 0xAC00 <= 0xD7A3 &- 0xAC00
      || self &- 0x3041 <= 0x3096 &- 0x3041
      || self &- 0x30A1 <= 0x30FA &- 0x30A1
  }
}

/// The mark that replaces omitted text: `…`, or dots if that may not be used or does not fit.
struct CutMark: Equatable, Sendable {
  private let isEllipsis: Bool

  /// The cells of the whole mark.
  let width: Int

  /// Creates the mark.
  ///
  /// - Parameter isASCII: whether nothing above 127 may be added.
  init(isASCII: Bool, metrics: TextMetrics) {
    isEllipsis = !isASCII
    width = isASCII ? 3 : metrics.ambiguousWidth
  }

  /// The mark.
  var text: [UInt8] { Array((isEllipsis ? "…" : "...").utf8) }

  /// Appends the mark, in at most `cells` cells.
  func append(to output: inout ByteBuffer, cells: Int) {
    if isEllipsis, width <= cells {
      output.append("…")
    } else {
      output.append(repeating: UInt8(ascii: "."), count: min(width, cells))
    }
  }
}

/// The part of a text that fits into a number of cells.
struct TextCut: Equatable, Sendable {
  /// How many bytes are kept, from the start.
  var count: Int
  /// The cells they take up.
  var width: Int
  /// The cells of the mark after them; 0 if nothing was cut.
  var markWidth = 0

  /// Whether something was cut.
  var isCut: Bool { count < total }

  /// The bytes of the whole text.
  fileprivate var total: Int
}

extension TextCut {
  /// Keeps nothing of the text: only a mark of `markWidth` cells.
  init(replacedBy markWidth: Int) {
    self.init(count: 0, width: 0, markWidth: markWidth, total: 1)
  }
}

extension TextMetrics {
  /// Cuts one line of escaped text to `width` cells, including the mark, between clusters.
  func cut(_ text: Span<UInt8>, to width: Int, mark: CutMark) -> TextCut {
    let limit = max(0, width)
    let plain = text.firstNotPlain(from: 0)
    if plain == text.count, plain <= limit { return TextCut(count: plain, width: plain, total: plain) }
    let room = max(0, limit &- mark.width)
    var cursor = ClusterCursor(metrics: self)
    var kept = TextCut(count: 0, width: 0, markWidth: min(mark.width, limit), total: text.count)
    var reached = 0
    while let cluster = cursor.next(in: text) {
      reached &+= cluster.width
      if reached > limit { return kept }
      if reached <= room {
        kept.count = cluster.range.upperBound
        kept.width = reached
      }
    }
    return TextCut(count: text.count, width: reached, total: text.count)
  }
}
