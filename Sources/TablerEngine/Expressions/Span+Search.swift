extension Span<UInt8> {
  /// Where `other` stands first, at `start` or after; nil where it does not.
  func firstRange(of other: Span<UInt8>, from start: Int) -> Int? {
    guard other.count > 0 else { return start <= count ? start : nil }
    guard other.count <= count else { return nil }
    let first = other[0]
    let last = count &- other.count
    var place = start
    while place <= last {
      if self[place] == first {
        var index = 1
        while index < other.count, self[place &+ index] == other[index] { index &+= 1 }
        if index == other.count { return place }
      }
      place &+= 1
    }
    return nil
  }

  /// Whether the text begins with `other`.
  func hasPrefix(_ other: Span<UInt8>) -> Bool {
    other.count <= count && extracting(0..<other.count).equals(other)
  }

  /// Whether the text ends with `other`.
  func hasSuffix(_ other: Span<UInt8>) -> Bool {
    other.count <= count && extracting(count &- other.count..<count).equals(other)
  }
}
