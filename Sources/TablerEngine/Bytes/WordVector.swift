/// Eight bytes in a word, the first of them lowest: what any machine can do.
///
/// But where only the first is looked for, no sum of two bytes carries into the next one, so that each flag is exact.
/// After Warren, Hacker's Delight (2012), section 6-1, and Mycroft's test for a zero byte.
struct WordVector: ByteVector {
  private var word: UInt64

  /// The highest bit of each byte.
  @inline(__always)
  private static var high: UInt64 { 0x8080_8080_8080_8080 }

  /// All bits of each byte but the highest.
  @inline(__always)
  private static var low: UInt64 { 0x7F7F_7F7F_7F7F_7F7F }

  @inline(__always)
  static var count: Int { 8 }

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
  func equals(_ byte: UInt8) -> WordVector {
    // A byte of zeros is the only one without a bit, low or high.
    let difference = word ^ WordVector(repeating: byte).word
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
