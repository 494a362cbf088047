// Searches bytes, several at a time. Functions that are generic over the vector use the machine's, except in tests.

extension Span<UInt8> {
  /// Whether every byte is printable ASCII, 0x20 to 0x7E.
  @inline(__always)
  var isPlain: Bool { firstNotPlain(from: 0) == count }

  /// The first offset at or after `start` whose byte is not printable ASCII; `count` if there is none.
  ///
  /// Words are used on every machine, because most texts are short; the last word may overlap the one before.
  @inline(__always)
  func firstNotPlain<Vector: ByteVector>(from start: Int, _: Vector.Type = WordVector.self) -> Int {
    precondition(start >= 0 && start <= count)
    var offset = start
    guard count &- start >= Vector.count else {
      while offset < count, self[offset] &- 0x20 <= 0x5E { offset &+= 1 }
      return offset
    }
    while true {
      // SAFETY: there is a vector at `offset`: `offset <= count - Vector.count` is true here and after each round.
      let flags = unsafe vector(uncheckedAt: offset, as: Vector.self).isFirstNotPlain
      if flags.hasFlags { return offset &+ flags.firstFlag }
      if offset == count &- Vector.count { return count }
      offset = Swift.min(offset &+ Vector.count, count &- Vector.count)
    }
  }

  /// The first offset at or after `start` whose byte is not plain inside a JSON string; `count` if there is none.
  ///
  /// Plain bytes are printable ASCII except `"` and `\`.
  @inline(__always)
  func firstStringMark<Vector: ByteVector>(from start: Int, _: Vector.Type = MachineVector.self) -> Int {
    precondition(start >= 0 && start <= count)
    var offset = start
    while offset <= count &- Vector.count {
      // SAFETY: there is a vector at `offset`, as checked on the line above.
      let bytes = unsafe vector(uncheckedAt: offset, as: Vector.self)
      let flags = bytes.isFirstNotPlain | StringMarks.flags(in: bytes)
      if flags.hasFlags { return offset &+ flags.firstFlag }
      offset &+= Vector.count
    }
    while offset < count, self[offset] &- 0x20 < 0x5F, self[offset] != 0x22, self[offset] != 0x5C {
      offset &+= 1
    }
    return offset
  }

  /// The first offset at or after `start` whose byte is one of a few; `count` if there is none.
  func first(of marks: Span<UInt8>, from start: Int) -> Int {
    first(from: start, as: MachineVector.self) { bytes in
      var flags = bytes.equals(marks[0])
      for index in 1..<marks.count { flags = flags | bytes.equals(marks[index]) }
      return flags
    } or: { byte in
      for index in marks.indices where marks[index] == byte { return true }
      return false
    }
  }

  /// The end of the line that contains `start`: its LF or CR, or the end of the bytes.
  func lineEnd(from start: Int) -> Int {
    first(from: start, as: MachineVector.self) {
      $0.equals(10) | $0.equals(13)
    } or: {
      $0 == 10 || $0 == 13
    }
  }

  /// The first offset at or after `start` whose byte is wanted; `count` if there is none.
  ///
  /// - Parameters:
  ///   - flags: flags the bytes that are wanted.
  ///   - isWanted: whether one is.
  @inline(__always)
  private func first<Vector: ByteVector>(
    from start: Int, as _: Vector.Type, _ flags: (Vector) -> Vector, or isWanted: (UInt8) -> Bool
  ) -> Int {
    precondition(start >= 0)
    var offset = start
    while offset <= count &- Vector.count {
      // SAFETY: there is a vector at `offset`, as checked on the line above.
      let found = flags(unsafe vector(uncheckedAt: offset, as: Vector.self))
      if found.hasFlags { return offset &+ found.firstFlag }
      offset &+= Vector.count
    }
    while offset < count, !isWanted(self[offset]) { offset &+= 1 }
    return offset
  }

  /// The number of line ends in the bytes: LF, CRLF (counted once), or a lone CR.
  var lineEnds: Int { countLineEnds(MachineVector.self) }

  /// The same: an LF or a CR counts one, and an LF after a CR nothing.
  ///
  /// The counts of columns of bytes are kept side by side and added up before one overflows.
  func countLineEnds<Vector: ByteVector>(_: Vector.Type) -> Int {
    guard count > 0 else { return 0 }
    var ends = self[0] == 10 || self[0] == 13 ? 1 : 0
    var offset = 1
    while offset <= count &- Vector.count {
      let last = Swift.min(count &- Vector.count, offset &+ 254 &* Vector.count)
      var counts = Vector(repeating: 0)
      while offset <= last {
        // SAFETY: there is a vector at `offset`, as `last` is no larger, and one a byte earlier, as `offset`
        // is not 0.
        let bytes = unsafe vector(uncheckedAt: offset, as: Vector.self)
        let before = unsafe vector(uncheckedAt: offset &- 1, as: Vector.self)
        counts.count(bytes.equals(10).subtracting(before.equals(13)) | bytes.equals(13))
        offset &+= Vector.count
      }
      ends &+= counts.sum
    }
    while offset < count {
      let byte = self[offset]
      if byte == 13 || (byte == 10 && self[offset &- 1] != 13) { ends &+= 1 }
      offset &+= 1
    }
    return ends
  }

  /// The first byte after the last line end; `nil` if no line ends.
  var lastLineStart: Int? {
    var start = count
    while start > 0 {
      if self[start - 1] == 10 || self[start - 1] == 13 { return start }
      start -= 1
    }
    return nil
  }
}

extension Span<UInt8> {
  /// Whether the `length` bytes at two offsets are equal; both ranges must be in the span.
  ///
  /// It compares a vector at a time; the last may overlap the one before, or reach past the `length` bytes.
  @inline(__always)
  func repeats<Vector: ByteVector>(
    _ place: Int, at other: Int, length: Int, _: Vector.Type = MachineVector.self
  ) -> Bool {
    precondition(place >= 0 && other >= 0 && length >= 0 && length <= count)
    precondition(place <= count &- length && other <= count &- length)
    if length >= Vector.count {
      var index = 0
      while true {
        // SAFETY: both ranges are in the span, and `index <= length - Vector.count` here and after each round.
        guard unsafe differences(place &+ index, other &+ index, as: Vector.self) == 0 else { return false }
        if index == length &- Vector.count { return true }
        index = Swift.min(index &+ Vector.count, length &- Vector.count)
      }
    }
    if Swift.max(place, other) > count &- Vector.count {
      for index in 0..<length where self[place &+ index] != self[other &+ index] { return false }
      return true
    }
    // SAFETY: there is a vector at both offsets, as checked above.
    let differences = unsafe differences(place, other, as: Vector.self)
    return differences & (1 &<< UInt64(truncatingIfNeeded: length) &- 1) == 0
  }

  /// The bytes that differ between two vectors, as bits; both must be in the span.
  @inline(__always)
  @unsafe
  private func differences<Vector: ByteVector>(_ place: Int, _ other: Int, as _: Vector.Type) -> UInt64 {
    // SAFETY: the caller has checked that there is a vector at both offsets.
    let there: Vector = unsafe vector(uncheckedAt: other)
    // SAFETY: as above.
    let equals = unsafe vector(uncheckedAt: place, as: Vector.self).equals(there).bits
    return equals ^ (UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- Vector.count))
  }

  /// The four bytes at `offset`, the first of them lowest; bytes after the end count as zeros.
  @inline(__always)
  func word(at offset: Int) -> UInt32 {
    precondition(offset >= 0 && offset < count)
    guard offset <= count &- 4 else { return lastWord(at: offset) }
    // SAFETY: there are four bytes at `offset`, as checked above.
    return unsafe UInt32(
      littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
  }

  /// The same for fewer than four bytes.
  @inline(__always)
  private func lastWord(at offset: Int) -> UInt32 {
    if count >= 4 {
      // SAFETY: there are four bytes before the end.
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

extension Span<UInt8> {
  /// Whether the bytes are equal to those of `other` from `start` on, if there are as many.
  ///
  /// It compares eight bytes at a time, or four; the last of these may overlap those before.
  @inline(__always)
  func isSame(as other: Span<UInt8>, at start: Int) -> Bool {
    precondition(start >= 0 && start <= other.count &- count)
    if count < 4 {
      for index in 0..<count where self[index] != other[start &+ index] { return false }
      return true
    }
    if count < 8 {
      return word(at: 0) == other.word(at: start)
        && word(at: count &- 4) == other.word(at: start &+ count &- 4)
    }
    var index = 0
    while true {
      // SAFETY: there are eight bytes at both offsets: `index <= count - 8` is true here and after each round.
      let here = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
      // SAFETY: as above, and `other` has `count` bytes from `start` on.
      let there = unsafe other.bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: start &+ index, as: UInt64.self)
      if here != there { return false }
      if index == count &- 8 { return true }
      index = Swift.min(index &+ 8, count &- 8)
    }
  }

  /// The first eight bytes and the last eight; if there are fewer, the first four and the last four.
  ///
  /// Up to 16 bytes are equal to as many others if both are.
  @inline(__always)
  var ends: (first: UInt64, last: UInt64) {
    guard count >= 8 else {
      if count == 0 { return (0, 0) }
      return (UInt64(word(at: 0)), UInt64(word(at: Swift.max(0, count &- 4))))
    }
    // SAFETY: there are eight bytes at 0.
    let first = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: UInt64.self)
    // SAFETY: there are eight bytes before the end.
    let last = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: count &- 8, as: UInt64.self)
    return (first, last)
  }

  /// A hash of the bytes: without knowing the seed no one can choose bytes that collide.
  @inline(__always)
  func hash(seed: UInt64) -> UInt64 {
    var state = Self.folded(
      seed ^ 0x9E37_79B9_7F4A_7C15, UInt64(truncatingIfNeeded: count) ^ 0xA076_1D64_78BD_642F)
    var offset = 0
    while offset &+ 8 <= count {
      // SAFETY: there are eight bytes at `offset`.
      let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      state = Self.folded(state ^ word, 0xE703_7ED1_A0B4_28DB)
      offset = offset &+ 8
    }
    if offset < count {
      var word = UInt64(self.word(at: offset))
      if offset &+ 4 < count { word |= UInt64(self.word(at: offset &+ 4)) &<< 32 }
      state = Self.folded(state ^ word, 0xE703_7ED1_A0B4_28DB)
    }
    return Self.folded(state, seed ^ 0x8EBC_6AF0_9C88_C6E3)
  }

  /// Two hashes by different seeds, in little more time than one.
  ///
  /// The seeds must be secret: whoever knows them can make bytes that collide. One product mixes in sixteen bytes, as in
  /// wyhash (Wang Yi, public domain), because each product waits for the one before.
  @inline(__always)
  func hashes(seeds: (UInt64, UInt64)) -> (UInt64, UInt64) {
    let length = UInt64(truncatingIfNeeded: count) ^ 0xA076_1D64_78BD_642F
    var first = Self.folded(seeds.0 ^ 0x9E37_79B9_7F4A_7C15, length)
    var second = Self.folded(seeds.1 ^ 0x9E37_79B9_7F4A_7C15, length)
    var offset = 0
    while offset &+ 16 <= count {
      // SAFETY: there are sixteen bytes at `offset`.
      let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      let next = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ 8, as: UInt64.self)
      first = Self.folded(first ^ word, seeds.1 ^ next)
      second = Self.folded(second ^ word, seeds.0 ^ next)
      offset = offset &+ 16
    }
    if offset &+ 8 <= count {
      // SAFETY: there are eight bytes at `offset`.
      let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      first = Self.folded(first ^ word, 0xE703_7ED1_A0B4_28DB)
      second = Self.folded(second ^ word, 0x8EBC_6AF0_9C88_C6E3)
      offset = offset &+ 8
    }
    if offset < count {
      var word = UInt64(self.word(at: offset))
      if offset &+ 4 < count { word |= UInt64(self.word(at: offset &+ 4)) &<< 32 }
      first = Self.folded(first ^ word, 0xE703_7ED1_A0B4_28DB)
      second = Self.folded(second ^ word, 0x8EBC_6AF0_9C88_C6E3)
    }
    return (
      Self.folded(first, seeds.0 ^ 0x8EBC_6AF0_9C88_C6E3),
      Self.folded(second, seeds.1 ^ 0xE703_7ED1_A0B4_28DB)
    )
  }

  /// Both halves of a product, combined by exclusive or.
  @inline(__always)
  private static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}

extension String {
  /// Text of UTF-8 bytes; ill-formed ones are repaired.
  public init(decoding bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}

extension [UInt8] {
  /// A copy of `bytes`.
  init(_ bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// Appends all of `bytes`.
  @inline(__always)
  mutating func append(_ bytes: Span<UInt8>) {
    // SAFETY: the bytes are only read while the span lends them.
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
