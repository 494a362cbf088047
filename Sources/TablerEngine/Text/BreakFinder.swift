/// A place where a line may end.
struct TextBreak: Equatable, Sendable {
  /// Where the line ends.
  var end: Int
  /// Where the next one begins: behind the blanks, if the place is one of blanks.
  var next: Int
  /// The cells of the line up to `end`.
  var width: Int
}

/// Finds the places where a line may end, cluster by cluster: at blanks, after `-` and `/`
/// within a word, between wide characters.
struct BreakFinder: Sendable {
  /// The end of the text before a run of blanks and its width; `nil` outside of one.
  private var beforeBlanks: (end: Int, width: Int)?

  /// Whether anything but blanks was seen.
  private var hasText = false

  /// Whether the word has anything but marks, so that it may break after one.
  private var wordHasText = false

  /// What the cluster before was; those without width are passed over, but behind blanks.
  private var previous = Kind.other

  private enum Kind {
    case blank
    case mark
    case wide
    case other
  }

  /// Whether the cluster taken last was a blank.
  var isInBlanks: Bool { previous == .blank }

  /// The line that begins at `start` and ends before the present run of blanks; `nil` if it is nothing else.
  func lineBeforeBlanks(from start: Int) -> TextLine? {
    beforeBlanks.map { TextLine(range: start..<$0.end, width: $0.width) }
  }

  /// Takes the next cluster; returns the place before it, if a line may end there.
  ///
  /// - Parameters:
  ///   - first: its first byte.
  ///   - width: the cells of the line before it.
  @inline(__always)
  mutating func take(_ cluster: Cluster, first: UInt8, width: Int) -> TextBreak? {
    let kind = Self.kind(of: cluster, first: first)
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
    case (.mark, _) where wordHasText: return TextBreak(end: start, next: start, width: width)
    case (.wide, .wide): return TextBreak(end: start, next: start, width: width)
    default: return nil
    }
  }

  @inline(__always)
  private static func kind(of cluster: Cluster, first: UInt8) -> Kind {
    if cluster.range.count == 1 {
      if first == 0x20 { return .blank }
      return first == UInt8(ascii: "-") || first == UInt8(ascii: "/") ? .mark : .other
    }
    return first >= 0x80 && cluster.width >= 2 ? .wide : .other
  }
}

extension TextMetrics {
  /// The cells of the widest part of `text` that a line break leaves whole.
  func longestWord(in text: Span<UInt8>) -> Int {
    var cursor = ClusterCursor(metrics: self)
    var finder = BreakFinder()
    var longest = 0
    var width = 0
    var start = 0
    while let cluster = cursor.next(in: text) {
      let first = text[cluster.range.lowerBound]
      if first == UInt8(ascii: "\n") || first == 0x20 && cluster.range.count == 1 {
        longest = max(longest, width &- start)
        finder = BreakFinder()
        start = width
        if first == 0x20 { start &+= cluster.width }
      } else if let place = finder.take(cluster, first: first, width: width) {
        longest = max(longest, place.width &- start)
        start = place.width
      }
      width &+= cluster.width
    }
    return max(longest, width &- start)
  }
}
