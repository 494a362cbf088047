#if arch(x86_64)
  import _Builtin_intrinsics.intel.sse2

  /// Sixteen bytes in a register that every x86-64 processor has.
  ///
  /// A flag is the byte 0xFF.
  struct SSE2Vector: ByteVector {
    private var value: __m128i

    @inline(__always)
    static var count: Int { 16 }

    @inline(__always)
    private init(_ value: __m128i) { self.value = value }

    @inline(__always)
    @unsafe init(_ start: UnsafeRawPointer) {
      // SAFETY: the caller has sixteen bytes there, and any bits are a value.
      value = unsafe start.loadUnaligned(as: __m128i.self)
    }

    @inline(__always)
    init(repeating byte: UInt8) { value = _mm_set1_epi8(CChar(bitPattern: byte)) }

    @inline(__always)
    static func | (left: SSE2Vector, right: SSE2Vector) -> SSE2Vector {
      SSE2Vector(_mm_or_si128(left.value, right.value))
    }

    @inline(__always)
    func subtracting(_ others: SSE2Vector) -> SSE2Vector {
      SSE2Vector(_mm_andnot_si128(others.value, value))
    }

    @inline(__always)
    func equals(_ byte: UInt8) -> SSE2Vector {
      SSE2Vector(_mm_cmpeq_epi8(value, _mm_set1_epi8(CChar(bitPattern: byte))))
    }

    @inline(__always)
    var isNotPlain: SSE2Vector {
      // Bytes from 0x80 on are negative, and so below a blank.
      SSE2Vector(_mm_cmplt_epi8(value, _mm_set1_epi8(0x20))) | equals(0x7F)
    }

    @inline(__always)
    var isFirstNotPlain: SSE2Vector { isNotPlain }

    @inline(__always)
    var bits: UInt64 { UInt64(UInt32(bitPattern: _mm_movemask_epi8(value))) }

    @inline(__always)
    var hasFlags: Bool { bits != 0 }

    @inline(__always)
    var firstFlag: Int { bits.trailingZeroBitCount }

    @inline(__always)
    mutating func count(_ flags: SSE2Vector) { value = _mm_sub_epi8(value, flags.value) }

    @inline(__always)
    var sum: Int {
      let sums = _mm_sad_epu8(value, _mm_setzero_si128())
      return Int(sums[0]) &+ Int(sums[1])
    }
  }
#endif
