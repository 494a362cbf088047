/// The values of `--order COL=V,…` and the place of each.
struct ValueRanks: Sendable {
  private let values: [(bytes: [UInt8], rank: Int)]

  /// Ranks `values`, first to last; of a repeated one the first place counts.
  init(_ values: [String]) {
    var ranked: [[UInt8]: Int] = [:]
    for (rank, value) in values.enumerated() {
      let bytes = Array(value.utf8)
      if ranked[bytes] == nil { ranked[bytes] = rank }
    }
    self.values = ranked.map { (bytes: $0.key, rank: $0.value) }
      .sorted { Self.order($0.bytes.span, $1.bytes.span) < 0 }
  }

  /// The place of a listed value, from 0; nil for any other.
  subscript(_ text: Span<UInt8>) -> Int? {
    var low = 0
    var high = values.count
    while low < high {
      let middle = (low + high) / 2
      let candidate = values[middle]
      let order = Self.order(candidate.bytes.span, text)
      if order == 0 { return candidate.rank }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// Any total order does: shorter ones first.
  private static func order(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
    left.count != right.count ? left.count - right.count : left.order(against: right)
  }
}
