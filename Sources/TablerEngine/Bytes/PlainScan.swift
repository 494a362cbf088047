extension Span where Element == UInt8 {
  /// Whether every byte is printable ASCII, 0x20 to 0x7E.
  @inline(__always)
  var isPlain: Bool { firstNotPlain(from: 0) == count }

  /// The first place at or after `start` whose byte is not printable ASCII; `count` if there is none.
  ///
  /// Looks at 16 bytes at a time; runs shorter than that byte by byte.
  @inline(__always)
  func firstNotPlain(from start: Int) -> Int {
    precondition(start >= 0 && start <= count)
    var offset = start
    while offset &+ 16 <= count {
      // SAFETY: 16 bytes lie at `offset`, since `offset + 16 <= count`.
      let block = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD16<UInt8>.self)
      if any((block &- 0x20) .> 0x5E) { break }
      offset &+= 16
    }
    while offset < count, self[offset] &- 0x20 <= 0x5E { offset &+= 1 }
    return offset
  }
}
