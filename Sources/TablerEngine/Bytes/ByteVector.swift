#if arch(x86_64)
  import _Builtin_intrinsics.intel.sse2
#endif

/// Some bytes that are examined together: as many as fit into a register.
///
/// A test of them results in a vector of flags: the highest bit of each byte is the answer, and the others
/// mean nothing. Tests are generic over the vector, so that they are written once and mean the same on every
/// machine.
protocol ByteVector {
  /// The number of bytes; 64 is a multiple of it.
  static var count: Int { get }

  /// What it is called by `--version`.
  static var name: String { get }

  /// Loads the bytes at `start`; `count` bytes must be readable there.
  @unsafe init(_ start: UnsafeRawPointer)

  /// Creates a vector that repeats one byte.
  init(repeating byte: UInt8)

  /// Bytes with these bits set, or the flags of either test.
  static func | (left: Self, right: Self) -> Self

  /// The flags that are not among `others`.
  func subtracting(_ others: Self) -> Self

  /// Flags the bytes that are equal to `byte`.
  func equals(_ byte: UInt8) -> Self

  /// Flags the bytes that equal those at the same positions of another vector.
  func equals(_ other: Self) -> Self

  /// Flags the bytes that are not printable ASCII, 0x20 to 0x7E.
  var isNotPlain: Self { get }

  /// The same, except that bytes after the first one may also be flagged: cheaper if only the first is needed.
  var isFirstNotPlain: Self { get }

  /// Flags the bytes that are not digits, 0x30 to 0x39.
  var isNotDigit: Self { get }

  /// The flags as bits, the first byte's lowest.
  var bits: UInt64 { get }

  /// Whether any byte is flagged.
  var hasFlags: Bool { get }

  /// The number of bytes before the first that is flagged; one must be.
  var firstFlag: Int { get }

  /// Adds one to each byte that is flagged in `flags`; a byte counts to 255.
  mutating func count(_ flags: Self)

  /// The sum of all bytes.
  var sum: Int { get }
}

#if arch(x86_64) && !TABLER_PORTABLE
  /// The vector that is used on this machine.
  typealias MachineVector = SSE2Vector
#else
  /// The vector that is used on this machine.
  typealias MachineVector = WordVector
#endif

extension Span<UInt8> {
  /// The bytes from `offset` on, all of which must be in the span.
  @inline(__always)
  func vector<Vector: ByteVector>(at offset: Int, as _: Vector.Type = Vector.self) -> Vector {
    precondition(offset >= 0 && offset <= count - Vector.count)
    // SAFETY: checked on the line above.
    return unsafe vector(uncheckedAt: offset)
  }

  /// The same for callers that have checked that they are.
  @inline(__always)
  @unsafe
  func vector<Vector: ByteVector>(uncheckedAt offset: Int, as _: Vector.Type = Vector.self) -> Vector {
    unsafe withUnsafeBytes { bytes in
      // SAFETY: the span is not empty, because there are bytes at `offset`.
      unsafe Vector(bytes.baseAddress.unsafelyUnwrapped + offset)
    }
  }
}

#if arch(x86_64)
  /// Sixteen bytes in a register that every x86-64 processor has.
  ///
  /// A flag is the byte 0xFF.
  struct SSE2Vector: ByteVector {
    private var value: __m128i

    @inline(__always)
    static var count: Int { 16 }

    static var name: String { "SSE2" }

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
    func equals(_ other: SSE2Vector) -> SSE2Vector { SSE2Vector(_mm_cmpeq_epi8(value, other.value)) }

    @inline(__always)
    var isNotPlain: SSE2Vector {
      // Bytes from 0x80 on are negative, and so less than a blank.
      SSE2Vector(_mm_cmplt_epi8(value, _mm_set1_epi8(0x20))) | equals(0x7F)
    }

    @inline(__always)
    var isFirstNotPlain: SSE2Vector { isNotPlain }

    @inline(__always)
    var isNotDigit: SSE2Vector {
      // Bytes from 0x80 on are negative, and so less than a digit.
      SSE2Vector(_mm_cmplt_epi8(value, _mm_set1_epi8(0x30)))
        | SSE2Vector(_mm_cmpgt_epi8(value, _mm_set1_epi8(0x39)))
    }

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

/// Eight bytes in a word, the first of them lowest: for any machine.
///
/// Except if only the first flag is needed, no sum of two bytes carries into the next one, so that each flag
/// is exact. After Warren, Hacker's Delight (2012), section 6-1, and Mycroft's test for a zero byte.
struct WordVector: ByteVector {
  private var word: UInt64

  /// The highest bit of each byte.
  @inline(__always)
  private static var high: UInt64 { 0x8080_8080_8080_8080 }

  /// All bits of each byte except the highest.
  @inline(__always)
  private static var low: UInt64 { 0x7F7F_7F7F_7F7F_7F7F }

  @inline(__always)
  static var count: Int { 8 }

  static var name: String { "64-bit words" }

  @inline(__always)
  private init(_ word: UInt64) { self.word = word }

  @inline(__always)
  @unsafe init(_ start: UnsafeRawPointer) {
    // SAFETY: the caller has eight bytes there, and any bits are a value.
    word = unsafe UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  init(repeating byte: UInt8) { word = UInt64(byte) &* 0x0101_0101_0101_0101 }

  @inline(__always)
  static func | (left: WordVector, right: WordVector) -> WordVector { WordVector(left.word | right.word) }

  @inline(__always)
  func subtracting(_ others: WordVector) -> WordVector { WordVector(word & ~others.word) }

  @inline(__always)
  func equals(_ byte: UInt8) -> WordVector { equals(WordVector(repeating: byte)) }

  @inline(__always)
  func equals(_ other: WordVector) -> WordVector {
    // A byte of zeros is the only one without a bit, low or high.
    let difference = word ^ other.word
    return WordVector(~((difference & Self.low) &+ Self.low | difference))
  }

  @inline(__always)
  var isNotPlain: WordVector {
    let rest = word & Self.low
    let isFromBlank = rest &+ 0x6060_6060_6060_6060
    let isDelete = rest &+ 0x0101_0101_0101_0101
    return WordVector(word | isDelete | ~isFromBlank)
  }

  @inline(__always)
  var isFirstNotPlain: WordVector {
    // A carry or borrow comes only from a byte that is flagged.
    WordVector(word | (word &+ 0x0101_0101_0101_0101) | (word &- 0x2020_2020_2020_2020))
  }

  @inline(__always)
  var isNotDigit: WordVector {
    let rest = word & Self.low
    let isFromZero = rest &+ 0x5050_5050_5050_5050
    let isAboveNine = rest &+ 0x4646_4646_4646_4646
    return WordVector(word | isAboveNine | ~isFromZero)
  }

  @inline(__always)
  var bits: UInt64 {
    // Bit 7 of byte N comes to bit 56 + N, and no two products meet below it.
    ((word & Self.high) &* 0x0002_0408_1020_4081) &>> 56
  }

  @inline(__always)
  var hasFlags: Bool { word & Self.high != 0 }

  @inline(__always)
  var firstFlag: Int { (word & Self.high).trailingZeroBitCount &>> 3 }

  @inline(__always)
  mutating func count(_ flags: WordVector) { word &+= (flags.word & Self.high) &>> 7 }

  @inline(__always)
  var sum: Int {
    let even = word & 0x00FF_00FF_00FF_00FF
    let odd = (word &>> 8) & 0x00FF_00FF_00FF_00FF
    return Int(truncatingIfNeeded: ((even &+ odd) &* 0x0001_0001_0001_0001) &>> 48)
  }
}
