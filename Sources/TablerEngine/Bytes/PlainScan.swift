#if arch(x86_64)
  import _Builtin_intrinsics.intel.sse2
#endif

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

extension Span where Element == UInt8 {
  /// The first place at or after `start` whose byte is not plain inside a JSON string; `count` if there is none.
  ///
  /// Plain is printable ASCII but `"` and `\`.
  @inline(__always)
  func firstStringMark(from start: Int) -> Int {
    precondition(start >= 0 && start <= count)
    var offset = start
    #if arch(x86_64)
      while offset &+ 16 <= count {
        // SAFETY: sixteen bytes lie at `offset`, checked on the line above.
        let bytes = unsafe self.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: __m128i.self)
        // Bytes from 0x80 on are negative, and so below a blank.
        let outside = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20))
        let delete = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7F))
        let quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x22))
        let slashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x5C))
        let marks = _mm_or_si128(_mm_or_si128(outside, delete), _mm_or_si128(quotes, slashes))
        let bits = UInt32(bitPattern: _mm_movemask_epi8(marks))
        if bits != 0 { return offset &+ bits.trailingZeroBitCount }
        offset &+= 16
      }
    #endif
    return firstStringMark(portableFrom: offset)
  }

  /// What `firstStringMark(from:)` says, found out one byte at a time.
  func firstStringMark(portableFrom start: Int) -> Int {
    var offset = start
    while offset < count, self[offset] &- 0x20 < 0x5F, self[offset] != 0x22, self[offset] != 0x5C {
      offset &+= 1
    }
    return offset
  }
}

extension Span where Element == UInt8 {
  /// Whether the bytes at two places are the same, `length` of them; both places lie within the span.
  ///
  /// Looks at eight bytes at a time; the last eight may have been looked at already.
  @inline(__always)
  func repeats(_ place: Int, at other: Int, length: Int) -> Bool {
    precondition(place >= 0 && other >= 0 && length >= 0)
    precondition(place <= count &- length && other <= count &- length)
    guard length >= 8 else {
      for index in 0..<length where self[place &+ index] != self[other &+ index] { return false }
      return true
    }
    var index = 0
    while true {
      // SAFETY: eight bytes lie at both places: `index <= length - 8` holds here and after each round.
      let here = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: place &+ index, as: UInt64.self)
      // SAFETY: as above.
      let there = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: other &+ index, as: UInt64.self)
      if here != there { return false }
      if index == length &- 8 { return true }
      index = Swift.min(index &+ 8, length &- 8)
    }
  }
}
