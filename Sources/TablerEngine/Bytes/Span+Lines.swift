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

  /// The first byte after the last end of a line; `nil` where no line ends.
  var lastLineStart: Int? {
    var start = count
    while start > 0 {
      if self[start - 1] == 10 || self[start - 1] == 13 { return start }
      start -= 1
    }
    return nil
  }

  #if arch(x86_64)
    /// Sixteen bytes at a time: an LF or a CR counts one, and an LF after a CR nothing.
    ///
    /// The counts of sixteen columns of bytes stand beside one another and are added up before one overflows.
    @unsafe private static func lineEnds(_ bytes: UnsafeRawBufferPointer) -> Int {
      guard let base = bytes.baseAddress, bytes.count > 0 else { return 0 }
      let newline = _mm_set1_epi8(10)
      let carriageReturn = _mm_set1_epi8(13)
      // SAFETY: there is a first byte.
      let first = unsafe base.load(as: UInt8.self)
      var ends = first == 10 || first == 13 ? 1 : 0
      var offset = 1
      while offset &+ 16 <= bytes.count {
        let limit = Swift.min(bytes.count &- 16, offset &+ 254 &* 16)
        var counts = _mm_setzero_si128()
        while offset <= limit {
          // SAFETY: sixteen bytes lie between `offset` and the end, and one before them.
          let part = unsafe base.loadUnaligned(fromByteOffset: offset, as: __m128i.self)
          let before = unsafe base.loadUnaligned(fromByteOffset: offset &- 1, as: __m128i.self)
          let feeds = _mm_andnot_si128(
            _mm_cmpeq_epi8(before, carriageReturn), _mm_cmpeq_epi8(part, newline))
          counts = _mm_sub_epi8(counts, _mm_or_si128(feeds, _mm_cmpeq_epi8(part, carriageReturn)))
          offset &+= 16
        }
        let sums = _mm_sad_epu8(counts, _mm_setzero_si128())
        ends &+= Int(sums[0]) &+ Int(sums[1])
      }
      while offset < bytes.count {
        // SAFETY: `offset` is below the count, and above 0.
        let byte = unsafe base.load(fromByteOffset: offset, as: UInt8.self)
        let before = unsafe base.load(fromByteOffset: offset &- 1, as: UInt8.self)
        if byte == 13 || (byte == 10 && before != 13) { ends &+= 1 }
        offset &+= 1
      }
      return ends
    }
  #endif
}
