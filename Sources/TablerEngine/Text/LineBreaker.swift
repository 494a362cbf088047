/// One line of a broken text.
struct TextLine: Equatable, Sendable {
  /// The bytes of the line.
  var range: Range<Int>
  /// The cells they take.
  var width: Int
  /// Whether the line is one cluster wider than a line may be: a mark of one cell stands for it.
  var isReplaced = false
  /// Whether the line goes on with what did not fit on the one before.
  var isContinued = false
}

/// Breaks escaped text into lines of at most so many cells.
///
/// Lines end at newlines; at blanks, which vanish; where `BreakFinder` finds a place; else between grapheme
/// clusters. The breaker holds places only; the text is handed to each call:
///
///     var breaker = LineBreaker(width: 12, metrics: metrics)
///     while let line = breaker.next(in: text) { … }
///
/// An empty text is one empty line.
struct LineBreaker: Sendable {
  /// The cells of a line; at least 1.
  private let limit: Int

  /// The cells of a line that goes on with the one before.
  private let continuedLimit: Int

  private let metrics: TextMetrics
  private let isTitle: Bool
  private var offset = 0
  private var isFinished = false

  /// Whether the next line goes on with the last.
  private var isContinuing = false

  /// Starts before a text.
  ///
  /// - Parameters:
  ///   - width: the cells of a line, at least 1; `nil` breaks at newlines only.
  ///   - indent: the cells that a line that goes on with the one before leaves free.
  ///   - isTitle: whether the text is a title, which has more places to break at.
  init(width: Int?, indent: Int = 0, metrics: TextMetrics, isTitle: Bool = false) {
    self.isTitle = isTitle
    limit = max(1, width ?? .max)
    continuedLimit = max(1, limit - indent)
    self.metrics = metrics
  }

  /// The next line of `text`; `nil` after the last.
  mutating func next(in text: Span<UInt8>) -> TextLine? {
    guard !isFinished else { return nil }
    let isContinued = isContinuing
    let limit = isContinued ? continuedLimit : limit
    let rest = text.count &- offset
    if rest <= limit, text.firstNotPlain(from: offset) == text.count {
      isFinished = true
      return TextLine(range: offset..<text.count, width: rest, isContinued: isContinued)
    }
    isContinuing = true
    var line = measuredLine(in: text, limit: limit)
    line.isContinued = isContinued
    return line
  }

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
      let first = text[cluster.range.lowerBound]
      if first == UInt8(ascii: "\n") {
        offset = cluster.range.upperBound
        isContinuing = false
        return TextLine(range: start..<cluster.range.lowerBound, width: width)
      }
      if let place = finder.take(cluster, in: text, width: width) { last = place }
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

  /// Ends a line that `cluster` no longer fits on: at the last place, before it, or with it alone.
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

  /// Goes on behind the blanks at a break, and behind the newline they lead to.
  private mutating func skipBlanks(from start: Int, in text: Span<UInt8>) {
    var cursor = ClusterCursor(at: start, metrics: metrics)
    offset = start
    while let cluster = cursor.next(in: text), cluster.range.count == 1 {
      let byte = text[cluster.range.lowerBound]
      guard byte == 0x20 || byte == UInt8(ascii: "\n") else { break }
      offset = cluster.range.upperBound
      if byte != 0x20 {
        isContinuing = false
        return
      }
    }
    isFinished = offset == text.count
  }
}
