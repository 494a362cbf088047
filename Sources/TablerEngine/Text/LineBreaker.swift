/// One line of a broken text.
struct TextLine: Equatable, Sendable {
  /// The bytes of the line.
  var range: Range<Int>
  /// The cells they take up.
  var width: Int
  /// Whether the line is one cluster wider than a line may be: a mark of one cell replaces it.
  var isReplaced = false
  /// Whether the line continues the one before, on which it did not fit.
  var isContinued = false
}

/// Breaks escaped text into lines of at most a given number of cells.
///
/// Blanks at the start of a line are dropped if the line is too long with them. Lines end at newlines; at
/// blanks, which vanish; where `BreakFinder` allows it; otherwise between grapheme clusters. The breaker
/// holds only offsets; the text is passed to each call:
///
///     var breaker = LineBreaker(width: 12, metrics: metrics)
///     while let line = breaker.next(in: text) { … }
///
/// An empty text is one empty line.
struct LineBreaker: Sendable {
  /// The maximum number of cells in a line; at least 1.
  private let limit: Int

  /// The maximum number of cells in a line that continues the one before.
  private let continuedLimit: Int

  private let metrics: TextMetrics
  private let isTitle: Bool
  private var offset = 0

  /// Whether there is no further line.
  private(set) var isFinished = false

  /// Whether the next line continues the last one.
  private var isContinuing = false

  /// Starts at the beginning of a text.
  ///
  /// - Parameters:
  ///   - width: the maximum number of cells in a line, at least 1; `nil` breaks at newlines only.
  ///   - indent: the cells left free at the start of a line that continues the one before.
  ///   - isTitle: whether the text is a title, which has more places to break at.
  init(width: Int?, indent: Int = 0, metrics: TextMetrics, isTitle: Bool = false) {
    self.isTitle = isTitle
    limit = max(1, width ?? .max)
    continuedLimit = max(1, limit - indent)
    self.metrics = metrics
  }

  /// The next line of `text`; `nil` after the last.
  @inline(__always)
  mutating func next(in text: Span<UInt8>) -> TextLine? {
    guard !isFinished else { return nil }
    let isContinued = isContinuing
    let limit = isContinued ? continuedLimit : limit
    if !isContinued, offset < text.count, text[offset] == 0x20 { skipIndent(in: text) }
    let rest = text.count &- offset
    if rest <= limit, text.firstNotPlain(from: offset) == text.count {
      isFinished = true
      return TextLine(range: offset..<text.count, width: rest, isContinued: isContinued)
    }
    isContinuing = true
    var line =
      plainLine(in: text, limit: limit) ?? wholeLine(in: text) ?? measuredLine(in: text, limit: limit)
    line.isContinued = isContinued
    return line
  }

  /// Skips the blanks at the start of a line that is too long with them: they are dropped before anything is
  /// broken.
  private mutating func skipIndent(in text: Span<UInt8>) {
    guard limit < .max else { return }
    var end = offset
    while end < text.count, text.newlineLength(at: end) == nil { end &+= 1 }
    guard metrics.width(of: text.extracting(offset..<end)) > limit else { return }
    var cursor = ClusterCursor(at: offset, metrics: metrics)
    while let cluster = cursor.next(in: text), cluster.range.lowerBound < end {
      if cluster.range.count > 1 || text[cluster.range.lowerBound] != 0x20 {
        offset = cluster.range.lowerBound
        return
      }
    }
  }

  /// A line of printable ASCII with more text after it; `nil` if clusters must be examined.
  ///
  /// It ends where `measuredLine` would end it: at a newline, before blanks, or at the last place for a break.
  private mutating func plainLine(in text: Span<UInt8>, limit: Int) -> TextLine? {
    let start = offset
    let full = start &+ min(limit, text.count &- start)
    // What follows the first cluster that does not fit might be part of it.
    let window = text.extracting(start..<min(full &+ 2, text.count))
    let plain = start &+ window.firstNotPlain(from: 0)
    if plain <= full, plain < text.count {
      guard let length = text.newlineLength(at: plain) else { return nil }
      offset = plain &+ length
      isContinuing = false
      return TextLine(range: start..<plain, width: plain &- start)
    }
    guard full < text.count, !isTitle, plain > full, plain == text.count || text[plain] < 0x80 else {
      return nil
    }
    if text[full] == 0x20 {
      skipBlanks(from: full, in: text)
      let trimmed = text.endBeforeBlanks(start..<full)
      let end = trimmed > start ? trimmed : full
      return TextLine(range: start..<end, width: end &- start)
    }
    let place = text.lastPlainBreak(in: start..<full)
    offset = place?.next ?? full
    let end = place?.end ?? full
    return TextLine(range: start..<end, width: end &- start)
  }

  /// A line up to the next newline, if the length of lines is not limited.
  private mutating func wholeLine(in text: Span<UInt8>) -> TextLine? {
    guard limit == .max, !metrics.passesControl else { return nil }
    let start = offset
    var end = start
    while end < text.count, text[end] != 0x0A { end &+= 1 }
    isFinished = end == text.count
    isContinuing = false
    offset = min(end &+ 1, text.count)
    if !isFinished, end > start, text[end &- 1] == 0x0D { end &-= 1 }
    return TextLine(range: start..<end, width: metrics.width(of: text.extracting(start..<end)))
  }

  /// Finds a line cluster by cluster.
  ///
  /// 1. Walks the clusters, remembering the last place where the line may end.
  /// 2. A newline ends the line.
  /// 3. The first cluster that does not fit ends it at that place.
  private mutating func measuredLine(in text: Span<UInt8>, limit: Int) -> TextLine {
    let start = offset
    var cursor = ClusterCursor(at: start, metrics: metrics)
    var finder = BreakFinder(isTitle: isTitle)
    var width = 0
    var last: TextBreak?
    while let cluster = cursor.next(in: text) {
      if text.newlineLength(at: cluster.range.lowerBound) != nil {
        offset = cluster.range.upperBound
        isContinuing = false
        return TextLine(range: start..<cluster.range.lowerBound, width: width)
      }
      if let place = finder.consume(cluster, in: text, width: width) { last = place }
      if cluster.width > limit &- width {
        if finder.isInBlanks {
          skipBlanks(from: cluster.range.lowerBound, in: text)
          return finder.lineBeforeBlanks(from: start)
            ?? TextLine(range: start..<cluster.range.lowerBound, width: width)
        }
        return overflow(cluster, from: start, width: width, last: last, in: text)
      }
      width &+= cluster.width
    }
    isFinished = true
    return TextLine(range: start..<text.count, width: width)
  }

  /// Ends a line that `cluster` does not fit on: at the last break, before it, or with it alone.
  private mutating func overflow(
    _ cluster: Cluster, from start: Int, width: Int, last: TextBreak?, in text: Span<UInt8>
  ) -> TextLine {
    if let last {
      offset = last.next
      return TextLine(range: start..<last.end, width: last.width)
    }
    if width > 0 {
      offset = cluster.range.lowerBound
      return TextLine(range: start..<offset, width: width)
    }
    offset = cluster.range.upperBound
    isFinished = offset == text.count
    return TextLine(range: start..<offset, width: 1, isReplaced: true)
  }

  /// Skips the blanks at a break, and a newline after them.
  private mutating func skipBlanks(from start: Int, in text: Span<UInt8>) {
    var cursor = ClusterCursor(at: start, metrics: metrics)
    offset = start
    while let cluster = cursor.next(in: text) {
      let isNewline = text.newlineLength(at: cluster.range.lowerBound) != nil
      guard isNewline || text[cluster.range.lowerBound] == 0x20 && cluster.range.count == 1 else { break }
      offset = cluster.range.upperBound
      if isNewline {
        isContinuing = false
        return
      }
    }
    isFinished = offset == text.count
  }
}

/// Breaks printable ASCII that does not begin with a blank, as `LineBreaker` breaks a cell.
///
/// Nothing but the bytes around the end of each line is examined.
struct PlainLineBreaker: Sendable {
  /// The bytes that are in no line yet.
  private var rest: Range<Int>

  /// Starts at the beginning of `range`, which is not empty.
  @inline(__always)
  init(_ range: Range<Int>) { rest = range }

  /// Whether there is no further line.
  @inline(__always)
  var isFinished: Bool { rest.isEmpty }

  /// The bytes of the next line, as many as it takes cells.
  ///
  /// - Parameter limit: the maximum number of cells in a line, at least 1.
  @inline(__always)
  mutating func next(in text: Span<UInt8>, limit: Int) -> Range<Int> {
    let (start, end) = (rest.lowerBound, rest.upperBound)
    guard rest.count > limit else {
      rest = end..<end
      return start..<end
    }
    let full = start &+ limit
    var next = full
    var lineEnd = full
    if text[full] == 0x20 {
      repeat { next &+= 1 } while next < end && text[next] == 0x20
      lineEnd = text.endBeforeBlanks(start..<full)
    } else if let place = text.lastPlainBreak(in: start..<full) {
      next = place.next
      lineEnd = place.end
    }
    rest = next..<end
    return start..<lineEnd
  }
}

extension Span<UInt8> {
  /// The end of `range` without the blanks at its end.
  @inline(__always)
  fileprivate func endBeforeBlanks(_ range: Range<Int>) -> Int {
    var end = range.upperBound
    while end > range.lowerBound, self[end &- 1] == 0x20 { end &-= 1 }
    return end
  }

  /// The last break in a line of printable ASCII, or its end if there is none; no blank follows the line.
  ///
  /// It agrees with `BreakFinder`: after blanks with text before them, and after a mark between two parts of
  /// a word.
  @inline(__always)
  fileprivate func lastPlainBreak(in line: Range<Int>) -> (end: Int, next: Int)? {
    var next = line.upperBound
    while next > line.lowerBound {
      let last = self[next &- 1]
      if last == 0x20 {
        let end = endBeforeBlanks(line.lowerBound..<next)
        return end > line.lowerBound ? (end, next) : nil
      }
      if last.isBreakMark, !self[next].isBreakMark {
        var before = next &- 1
        while before > line.lowerBound, self[before &- 1].isBreakMark { before &-= 1 }
        if before > line.lowerBound, self[before &- 1] != 0x20 { return (next, next) }
        next = before
      } else {
        next &-= 1
      }
    }
    return nil
  }
}

extension UInt8 {
  /// Whether a word may break after this character.
  @inline(__always)
  fileprivate var isBreakMark: Bool { self == UInt8(ascii: "-") || self == UInt8(ascii: "/") }
}

/// A place where a line may end.
private struct TextBreak: Equatable, Sendable {
  /// Where the line ends.
  var end: Int
  /// Where the next one begins: after the blanks, if the break is at blanks.
  var next: Int
  /// The cells of the line up to `end`.
  var width: Int
}

/// Finds the places where a line may end, cluster by cluster.
///
/// Lines of cells end at blanks, after `-` and `/` within a word, and between ideographs, kana and other wide
/// characters, but not before closing punctuation nor after opening punctuation; Korean is written with blanks and
/// breaks there. Lines of titles end after `_`, `.` and `:` too, and between a small and a capital letter.
private struct BreakFinder: Sendable {
  /// Whether the text is a title.
  let isTitle: Bool

  /// The end of the text before a run of blanks and its width; `nil` outside of one.
  private var beforeBlanks: (end: Int, width: Int)?

  /// Whether anything but blanks has been seen.
  private var hasText = false

  /// Whether the word has anything but marks, so that it may break after a mark.
  private var wordHasText = false

  /// The kind of the previous cluster; clusters without width are skipped, except after blanks.
  private var previous = Kind.other

  private enum Kind {
    case blank
    case mark
    case wide
    case opening
    case closing
    case small
    case capital
    case other
  }

  /// Starts at the beginning of a text.
  init(isTitle: Bool = false) { self.isTitle = isTitle }

  /// Whether the last cluster was a blank.
  var isInBlanks: Bool { previous == .blank }

  /// The line that begins at `start` and ends before the current run of blanks; `nil` if it has only blanks.
  func lineBeforeBlanks(from start: Int) -> TextLine? {
    beforeBlanks.map { TextLine(range: start..<$0.end, width: $0.width) }
  }

  /// Consumes the next cluster; returns the place before it if a line may end there.
  ///
  /// - Parameters:
  ///   - text: the text that contains it.
  ///   - width: the cells of the line before it.
  @inline(__always)
  mutating func consume(_ cluster: Cluster, in text: Span<UInt8>, width: Int) -> TextBreak? {
    let kind = kind(of: cluster, in: text)
    if kind == .blank {
      if hasText, previous != .blank { beforeBlanks = (cluster.range.lowerBound, width) }
      previous = .blank
      wordHasText = false
      return nil
    }
    if cluster.width == 0, previous != .blank { return nil }
    let place = self.place(before: cluster, kind, width: width)
    hasText = true
    if kind != .mark { wordHasText = true }
    previous = kind
    return place
  }

  private mutating func place(before cluster: Cluster, _ kind: Kind, width: Int) -> TextBreak? {
    let start = cluster.range.lowerBound
    switch (previous, kind) {
    case (.blank, _):
      defer { beforeBlanks = nil }
      return beforeBlanks.map { TextBreak(end: $0.end, next: start, width: $0.width) }
    case (.mark, .mark): return nil
    case (.mark, _) where wordHasText, (.wide, .wide), (.closing, .wide), (.wide, .opening),
      (.closing, .opening), (.small, .capital):
      return TextBreak(end: start, next: start, width: width)
    default: return nil
    }
  }

  @inline(__always)
  private func kind(of cluster: Cluster, in text: Span<UInt8>) -> Kind {
    let first = text[cluster.range.lowerBound]
    if cluster.range.count == 1 {
      if first == 0x20 { return .blank }
      if first == UInt8(ascii: "-") || first == UInt8(ascii: "/") { return .mark }
      return isTitle ? Self.titleKind(of: first) : .other
    }
    if first < 0x80 { return .other }
    if isTitle { return Self.titleKind(of: text.scalar(at: cluster.range.lowerBound).value, cluster.width) }
    return cluster.width >= 2 ? Self.wideKind(of: text.scalar(at: cluster.range.lowerBound).value) : .other
  }

  private static func titleKind(of byte: UInt8) -> Kind {
    switch byte {
    case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"): .mark
    case UInt8(ascii: "a")...UInt8(ascii: "z"): .small
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): .capital
    default: .other
    }
  }

  private static func titleKind(of scalar: UInt32, _ width: Int) -> Kind {
    if width >= 2 { return wideKind(of: scalar) }
    guard let properties = Unicode.Scalar(scalar)?.properties else { return .other }
    return properties.isLowercase ? .small : properties.isUppercase ? .capital : .other
  }

  /// How a wide character takes part in breaks, after the classes of UAX #14 (OP; CL, EX and NS; ID; H2 and H3).
  private static func wideKind(of scalar: UInt32) -> Kind {
    switch scalar {
    case 0xAC00...0xD7A3: .other
    case 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0x3018, 0x301A, 0x301D, 0xFF08, 0xFF3B,
      0xFF5B,
      0xFF5F:
      .opening
    case 0x3001, 0x3002, 0x3005, 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x3019, 0x301B,
      0x301E,
      0x301F, 0x303B, 0x309D, 0x309E, 0x30A0, 0x30FB...0x30FE, 0xFF01, 0xFF09, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B,
      0xFF1F, 0xFF3D, 0xFF5D, 0xFF60:
      .closing
    default: .wide
    }
  }
}

/// The widest part of a text that breaking lines keeps whole.
struct WholePart: Equatable, Sendable {
  /// The cells of the widest part.
  var width = 0
  /// Whether a character of the text is two cells wide.
  var hasWide = false
}

extension TextMetrics {
  /// The widest part of `text` that breaking lines keeps whole.
  func widestPart(of text: Span<UInt8>, isTitle: Bool = false) -> WholePart {
    var cursor = ClusterCursor(metrics: self)
    var finder = BreakFinder(isTitle: isTitle)
    var part = WholePart()
    var width = 0
    var start = 0
    while let cluster = cursor.next(in: text) {
      let first = text[cluster.range.lowerBound]
      if cluster.width > 1 { part.hasWide = true }
      if text.newlineLength(at: cluster.range.lowerBound) != nil || first == 0x20 && cluster.range.count == 1
      {
        part.width = max(part.width, width &- start)
        finder = BreakFinder(isTitle: isTitle)
        start = width
        if first == 0x20 { start &+= cluster.width }
      } else if let place = finder.consume(cluster, in: text, width: width) {
        part.width = max(part.width, place.width &- start)
        start = place.width
      }
      width &+= cluster.width
    }
    part.width = max(part.width, width &- start)
    return part
  }
}
