extension Span<UInt8> {
  /// The four bytes at `offset`, the first of them lowest; zeros stand for those after the end.
  @inline(__always)
  func word(at offset: Int) -> UInt32 {
    precondition(offset >= 0 && offset < count)
    guard offset &+ 4 <= count else { return lastWord(at: offset) }
    // SAFETY: four bytes lie at `offset`, as checked above.
    return unsafe UInt32(
      littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
  }

  /// The same for fewer than four bytes.
  @inline(__always)
  private func lastWord(at offset: Int) -> UInt32 {
    if count >= 4 {
      // SAFETY: four bytes lie before the end.
      let word = unsafe UInt32(
        littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: count &- 4, as: UInt32.self))
      return word &>> UInt32(truncatingIfNeeded: (offset &+ 4 &- count) &* 8)
    }
    var word = UInt32(self[offset])
    if offset &+ 1 < count { word |= UInt32(self[offset &+ 1]) &<< 8 }
    if offset &+ 2 < count { word |= UInt32(self[offset &+ 2]) &<< 16 }
    return word
  }
}
