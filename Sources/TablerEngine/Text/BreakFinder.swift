/// A place where a line may end.
struct TextBreak: Equatable, Sendable {
  /// Where the line ends.
  var end: Int
  /// Where the next one begins: after the blanks, if the place is one of blanks.
  var next: Int
  /// The cells of the line up to `end`.
  var width: Int
}

/// Finds the places where a line may end, cluster by cluster.
///
/// Lines of cells end at blanks, after `-` and `/` within a word, and between ideographs, kana and other wide
/// characters, but not before closing punctuation nor after opening punctuation; Korean is written with blanks and
/// breaks there. Lines of titles end after `_`, `.` and `:` too, and between a small and a capital letter.
struct BreakFinder: Sendable {
  /// Whether it is a title that is broken.
  let isTitle: Bool

  /// The end of the text before a run of blanks and its width; `nil` outside of one.
  private var beforeBlanks: (end: Int, width: Int)?

  /// Whether anything but blanks was seen.
  private var hasText = false

  /// Whether the word has anything but marks, so that it may break after one.
  private var wordHasText = false

  /// What the cluster before was; those without width are passed over, but after blanks.
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

  /// Starts before a text.
  init(isTitle: Bool = false) { self.isTitle = isTitle }

  /// Whether the cluster taken last was a blank.
  var isInBlanks: Bool { previous == .blank }

  /// The line that begins at `start` and ends before the present run of blanks; `nil` if it is nothing else.
  func lineBeforeBlanks(from start: Int) -> TextLine? {
    beforeBlanks.map { TextLine(range: start..<$0.end, width: $0.width) }
  }

  /// Takes the next cluster; returns the place before it, if a line may end there.
  ///
  /// - Parameters:
  ///   - text: the text it stands in.
  ///   - width: the cells of the line before it.
  @inline(__always)
  mutating func take(_ cluster: Cluster, in text: Span<UInt8>, width: Int) -> TextBreak? {
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

/// What of a text a line break leaves whole.
struct WholePart: Equatable, Sendable {
  /// The cells of the widest part.
  var width = 0
  /// Whether a character of the text is two cells wide.
  var hasWide = false
}

extension TextMetrics {
  /// The widest part of `text` that a line break leaves whole.
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
      } else if let place = finder.take(cluster, in: text, width: width) {
        part.width = max(part.width, place.width &- start)
        start = place.width
      }
      width &+= cluster.width
    }
    part.width = max(part.width, width &- start)
    return part
  }
}
