extension Span where Element == UInt8 {
  /// Whether every byte is printable ASCII, 0x20 to 0x7E.
  @inline(__always)
  var isPlain: Bool { firstNotPlain(from: 0) == count }

  /// The first place at or after `start` whose byte is not printable ASCII; `count` if there is none.
  ///
  /// Looks at eight bytes at a time; the last eight may have been looked at already.
  @inline(__always)
  func firstNotPlain(from start: Int) -> Int {
    precondition(start >= 0 && start <= count)
    var offset = start
    guard count &- start >= 8 else {
      while offset < count, self[offset] &- 0x20 <= 0x5E { offset &+= 1 }
      return offset
    }
    while true {
      // SAFETY: eight bytes lie at `offset`: `offset <= count - 8` holds here and after each round.
      let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      let marks = UInt64(littleEndian: word).marksOfNotPlainBytes
      if marks != 0 { return offset &+ marks.trailingZeroBitCount / 8 }
      if offset == count &- 8 { return count }
      offset = Swift.min(offset &+ 8, count &- 8)
    }
  }
}

extension UInt64 {
  /// The highest bit of each of eight bytes that is not printable ASCII.
  ///
  /// Carries and borrows reach only bytes above a marked one, so the lowest mark is exact.
  @inline(__always)
  fileprivate var marksOfNotPlainBytes: UInt64 {
    let belowBlank = (self &- 0x2020_2020_2020_2020) & ~self
    let fromDelete = self &+ 0x0101_0101_0101_0101
    return (self | fromDelete | belowBlank) & 0x8080_8080_8080_8080
  }
}
