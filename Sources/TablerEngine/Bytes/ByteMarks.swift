#if arch(x86_64)
  import _Builtin_intrinsics.intel.sse2
#endif

/// Printable bytes that a form cannot take as they are.
protocol ByteMarks {
  /// Whether a printable byte is marked.
  static func contains(_ byte: UInt8) -> Bool

  /// Which of sixteen printable bytes are marked: one bit a byte, lowest first.
  @unsafe static func marks(_ start: UnsafeRawPointer) -> UInt32
}

extension ByteMarks {
  /// Looks at the bytes one at a time, on every machine: what the vector code must agree with.
  @unsafe static func marks(portable start: UnsafeRawPointer) -> UInt32 {
    var marks: UInt32 = 0
    for index in 0..<16 where contains(unsafe start.load(fromByteOffset: index, as: UInt8.self)) {
      marks |= 1 &<< UInt32(truncatingIfNeeded: index)
    }
    return marks
  }
}

/// What HTML text cannot take: `& < > " '`.
enum HTMLMarks: ByteMarks {
  static func contains(_ byte: UInt8) -> Bool {
    byte == 0x22 || byte == 0x26 || byte == 0x27 || byte == 0x3C || byte == 0x3E
  }

  @inline(__always)
  @unsafe static func marks(_ start: UnsafeRawPointer) -> UInt32 {
    #if arch(x86_64)
      // `&` and `'` differ in their lowest bit alone, `<` and `>` in the next.
      let bytes = unsafe start.loadUnaligned(as: __m128i.self)
      let quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x22))
      let ampersands = _mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8(1)), _mm_set1_epi8(0x27))
      let angles = _mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8(2)), _mm_set1_epi8(0x3E))
      return UInt32(bitPattern: _mm_movemask_epi8(_mm_or_si128(quotes, _mm_or_si128(ampersands, angles))))
    #else
      return unsafe marks(portable: start)
    #endif
  }
}

/// What a JSON string cannot take, and tsv in part: `"` and `\`.
enum StringMarks: ByteMarks {
  static func contains(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x5C }

  @inline(__always)
  @unsafe static func marks(_ start: UnsafeRawPointer) -> UInt32 {
    #if arch(x86_64)
      let bytes = unsafe start.loadUnaligned(as: __m128i.self)
      let quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x22))
      let slashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x5C))
      return UInt32(bitPattern: _mm_movemask_epi8(_mm_or_si128(quotes, slashes)))
    #else
      return unsafe marks(portable: start)
    #endif
  }
}

/// What a Markdown cell cannot take: `` \ | * _ ~ [ ] < > & ` $ ``.
enum MarkdownMarks: ByteMarks {
  static func contains(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x24, 0x26, 0x2A, 0x3C, 0x3E, 0x5B...0x5D, 0x5F, 0x60, 0x7C, 0x7E: true
    default: false
    }
  }

  @inline(__always)
  @unsafe static func marks(_ start: UnsafeRawPointer) -> UInt32 {
    #if arch(x86_64)
      // Pairs that differ in one bit are met with that bit set.
      let bytes = unsafe start.loadUnaligned(as: __m128i.self)
      let twos = _mm_or_si128(bytes, _mm_set1_epi8(2))
      let bars = _mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), _mm_set1_epi8(0x7C))
      let lines = _mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8(4)), _mm_set1_epi8(0x5F))
      let angles = _mm_cmpeq_epi8(twos, _mm_set1_epi8(0x3E))
      let ampersands = _mm_cmpeq_epi8(twos, _mm_set1_epi8(0x26))
      let stars = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x2A))
      let brackets = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x5D))
      let ticks = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x60))
      let tildes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7E))
      let left = _mm_or_si128(_mm_or_si128(bars, lines), _mm_or_si128(angles, ampersands))
      let right = _mm_or_si128(_mm_or_si128(stars, brackets), _mm_or_si128(ticks, tildes))
      return UInt32(bitPattern: _mm_movemask_epi8(_mm_or_si128(left, right)))
    #else
      return unsafe marks(portable: start)
    #endif
  }
}

extension ByteBlock {
  /// Whether some of these printable bytes are marked; looks at sixteen at a time.
  @inline(__always)
  func hasMarks<Marks: ByteMarks>(_ kind: Marks.Type, from start: Int, count length: Int) -> Bool {
    var rest = length
    var place = start
    while rest >= 16 {
      if marks(kind, at: place) != 0 { return true }
      place &+= 16
      rest &-= 16
    }
    guard rest > 0 else { return false }
    let inside = (UInt32(1) &<< UInt32(truncatingIfNeeded: rest)) &- 1
    return marks(kind, at: place) & inside != 0
  }
}

extension ByteBuffer {
  /// Appends printable bytes of a sealed block unless some of them are marked; says whether it did.
  @inline(__always)
  mutating func append<Marks: ByteMarks>(
    _ block: ByteBlock, from start: Int, count length: Int, unless kind: Marks.Type
  ) -> Bool {
    guard !block.hasMarks(kind, from: start, count: length) else { return false }
    append(block, from: start, count: length)
    return true
  }
}
