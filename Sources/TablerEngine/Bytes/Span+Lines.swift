#if arch(x86_64)
  import _Builtin_intrinsics.intel.sse2
#endif

extension Span<UInt8> {
  /// How many lines end in the bytes: at LF, at CRLF once, at a lone CR.
  var lineEnds: Int {
    #if arch(x86_64)
      return unsafe withUnsafeBytes { unsafe Self.lineEnds($0) }
    #else
      return lineEnds(from: 0, before: count)
    #endif
  }

  /// The same, one byte at a time, on every machine: what the vector code must agree with.
  func lineEnds(from start: Int, before end: Int) -> Int {
    var ends = 0
    var previous: UInt8 = start > 0 ? self[start - 1] : 0
    for index in start..<end {
      let byte = self[index]
      if byte == 13 || (byte == 10 && previous != 13) { ends &+= 1 }
      previous = byte
    }
    return ends
  }

  #if arch(x86_64)
    /// Sixteen bytes at a time; the bit of a CR is carried to the next sixteen.
    @unsafe private static func lineEnds(_ bytes: UnsafeRawBufferPointer) -> Int {
      guard let base = bytes.baseAddress else { return 0 }
      let newline = _mm_set1_epi8(10)
      let carriageReturn = _mm_set1_epi8(13)
      var ends = 0
      var carry: UInt32 = 0
      var offset = 0
      while offset &+ 16 <= bytes.count {
        // SAFETY: sixteen bytes lie between `offset` and the end.
        let part = unsafe base.loadUnaligned(fromByteOffset: offset, as: __m128i.self)
        let feeds = UInt32(bitPattern: _mm_movemask_epi8(_mm_cmpeq_epi8(part, newline)))
        let returns = UInt32(bitPattern: _mm_movemask_epi8(_mm_cmpeq_epi8(part, carriageReturn)))
        ends &+= (feeds & ~(returns &<< 1 | carry)).nonzeroBitCount &+ returns.nonzeroBitCount
        carry = returns &>> 15
        offset &+= 16
      }
      while offset < bytes.count {
        // SAFETY: `offset` is below the count.
        let byte = unsafe base.load(fromByteOffset: offset, as: UInt8.self)
        if byte == 13 || (byte == 10 && carry == 0) { ends &+= 1 }
        carry = byte == 13 ? 1 : 0
        offset &+= 1
      }
      return ends
    }
  #endif
}
