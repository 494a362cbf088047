/// A grapheme cluster, or a control sequence: what is never split.
struct Cluster: Equatable, Sendable {
  /// Where its bytes lie.
  var range: Range<Int>
  /// The cells it takes.
  var width: Int
}

/// Walks over a text cluster by cluster.
///
/// The cursor holds places only; the text is handed to each call.
struct ClusterCursor: Sendable {
  /// Where the next cluster begins.
  private(set) var offset: Int
  private let metrics: TextMetrics
  private var counter: CellCounter

  /// Starts at `offset`, where a cluster begins.
  @inline(__always)
  init(at offset: Int = 0, metrics: TextMetrics) {
    self.offset = offset
    self.metrics = metrics
    counter = CellCounter(ambiguous: metrics.ambiguousWidth)
  }

  /// The next cluster of `text`; `nil` at its end.
  @inline(__always)
  mutating func next(in text: Span<UInt8>) -> Cluster? {
    guard offset < text.count else { return nil }
    let start = offset
    if text.isPlain(at: start), start &+ 1 == text.count || text.isPlain(at: start &+ 1) {
      offset = start &+ 1
      return Cluster(range: start..<offset, width: 1)
    }
    return nextRare(in: text)
  }

  private mutating func nextRare(in text: Span<UInt8>) -> Cluster {
    let start = offset
    if metrics.passesControl, let length = text.controlSequenceLength(at: start) {
      offset = start &+ length
      return Cluster(range: start..<offset, width: 0)
    }
    let first = text.scalar(at: start)
    let traits = UnicodeTables.traits(of: first.value)
    if traits.standsAlone, text.isOrdinary(at: start &+ first.length) {
      offset = start &+ first.length
      return Cluster(range: start..<offset, width: traits.cells(ambiguous: metrics.ambiguousWidth))
    }
    return nextOfSeveral(in: text)
  }

  /// The next cluster, where it may have several scalars.
  private mutating func nextOfSeveral(in text: Span<UInt8>) -> Cluster {
    let start = offset
    counter.restart()
    var width = 0
    repeat {
      let scalar = text.scalar(at: offset)
      let traits = UnicodeTables.traits(of: scalar.value)
      let (begins, cells) = counter.count(scalar.value, traits)
      if begins, offset > start { break }
      width &+= cells
      offset &+= scalar.length
    } while offset < text.count && !(metrics.passesControl && text.controlSequenceLength(at: offset) != nil)
    return Cluster(range: start..<offset, width: width)
  }
}

extension Span where Element == UInt8 {
  /// Whether the byte at `offset` is printable ASCII.
  @inline(__always)
  fileprivate func isPlain(at offset: Int) -> Bool { self[offset] &- 0x20 <= 0x5E }

  /// Whether the text ends at `offset` or goes on with a scalar that has no say in clusters.
  @inline(__always)
  fileprivate func isOrdinary(at offset: Int) -> Bool {
    offset == count || isPlain(at: offset) || UnicodeTables.traits(of: scalar(at: offset).value).isOrdinary
  }
}
