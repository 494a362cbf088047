/// What stands for text that was left out: `…`, or dots where that may not or cannot stand.
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

  /// Appends the mark, in `cells` cells if it is wider than that.
  func append(to output: inout ByteBuffer, cells: Int) {
    if isEllipsis, width <= cells {
      output.append("…")
    } else {
      output.append(repeating: UInt8(ascii: "."), count: min(width, cells))
    }
  }
}

/// What is left of a text that has so many cells at most.
struct TextCut: Equatable, Sendable {
  /// How many bytes are kept, from the start.
  var count: Int
  /// The cells they take.
  var width: Int
  /// The cells of the mark after them; 0 if nothing was cut.
  var markWidth = 0

  /// Whether something was cut.
  var isCut: Bool { count < total }

  /// The bytes of the whole text.
  fileprivate var total: Int
}

extension TextCut {
  /// Nothing but a mark of so many cells.
  init(replacedBy markWidth: Int) {
    self.init(count: 0, width: 0, markWidth: markWidth, total: 1)
  }
}

extension TextMetrics {
  /// Cuts one line of escaped text to `width` cells, the mark included, between clusters.
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
