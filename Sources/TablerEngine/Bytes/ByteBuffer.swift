/// A run of bytes that grows at its end: the sink that every stage writes into.
///
/// Owned once and freed with its owner. Bytes are copied in at the end only; what
/// was written is lent as a `Span`. At least `slack` bytes beyond `count` are always
/// allocated, so short copies may be done in whole blocks.
@safe
public struct ByteBuffer: ~Copyable, @unchecked Sendable {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int

  /// The number of bytes written so far.
  public private(set) var count = 0

  /// Bytes allocated beyond `capacity`, for copies in blocks.
  private static let slack = 32

  /// Creates an empty buffer with room for `capacity` bytes.
  public init(capacity: Int = 256) {
    precondition(capacity >= 0)
    self.capacity = max(capacity, 32)
    unsafe base = Memory.allocate(self.capacity + Self.slack)
  }

  deinit { unsafe Memory.free(base) }

  /// Whether nothing was written.
  public var isEmpty: Bool { count == 0 }

  /// The bytes written so far.
  public var span: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      // SAFETY: the first `count` bytes at `base` are initialized and live as long as self.
      let span = unsafe Span(_unsafeStart: base, count: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The byte at `index`, counted from 0.
  public subscript(index: Int) -> UInt8 {
    get {
      precondition(index >= 0 && index < count)
      // SAFETY: checked on the line above.
      return unsafe base[index]
    }
    set {
      precondition(index >= 0 && index < count)
      // SAFETY: checked on the line above.
      unsafe base[index] = newValue
    }
  }

  /// Forgets the bytes from `newCount` on; the room stays.
  @inline(__always)
  public mutating func truncate(to newCount: Int) {
    precondition(newCount >= 0 && newCount <= count)
    count = newCount
  }

  /// Takes the bytes in `range` away; those behind it move up.
  public mutating func remove(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    // SAFETY: both ranges lie within the written bytes; `update` allows them to overlap.
    unsafe (base + range.lowerBound).update(from: base + range.upperBound, count: count - range.upperBound)
    count -= range.count
  }

  /// Forgets everything; the room stays.
  @inline(__always)
  public mutating func removeAll() { count = 0 }

  /// Makes sure that `extra` more bytes fit without another allocation.
  @inline(__always)
  public mutating func reserve(_ extra: Int) {
    if extra > capacity &- count { grow(by: extra) }
  }

  /// Appends one byte.
  @inline(__always)
  public mutating func append(_ byte: UInt8) {
    reserve(1)
    // SAFETY: reserve made room for one byte at `count`.
    unsafe base[count] = byte
    count &+= 1
  }

  /// Appends all of `bytes`.
  @inline(__always)
  public mutating func append(_ bytes: Span<UInt8>) {
    let length = bytes.count
    reserve(length)
    let target = unsafe base + count
    unsafe bytes.withUnsafeBufferPointer { source in
      // SAFETY: reserve made room for `length` bytes; a span never overlaps a buffer that is being mutated.
      if let start = source.baseAddress { unsafe target.update(from: start, count: length) }
    }
    count &+= length
  }

  /// Appends the UTF-8 bytes of `text`.
  public mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { source in
      reserve(source.count)
      // SAFETY: reserve made room for `source.count` bytes.
      if let start = source.baseAddress { unsafe (base + count).update(from: start, count: source.count) }
      count &+= source.count
    }
  }

  /// Appends the bytes of a literal.
  @inline(__always)
  public mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { source in
      reserve(source.count)
      // SAFETY: reserve made room for `source.count` bytes.
      if let start = source.baseAddress { unsafe (base + count).update(from: start, count: source.count) }
      count &+= source.count
    }
  }

  /// Appends `array`.
  public mutating func append(_ array: [UInt8]) {
    append(array.span)
  }

  /// Appends `byte`, `times` times; not at all when `times` is negative.
  @inline(__always)
  public mutating func append(repeating byte: UInt8, count times: Int) {
    guard times > 0 else { return }
    reserve(times)
    // SAFETY: reserve made room for `times` bytes.
    unsafe (base + count).update(repeating: byte, count: times)
    count &+= times
  }

  /// Appends the UTF-8 of one character.
  public mutating func append(scalar: Unicode.Scalar) {
    let value = scalar.value
    if value < 0x80 {
      append(UInt8(truncatingIfNeeded: value))
      return
    }
    if value < 0x800 {
      append(UInt8(truncatingIfNeeded: 0xC0 | value >> 6))
    } else {
      if value < 0x10000 {
        append(UInt8(truncatingIfNeeded: 0xE0 | value >> 12))
      } else {
        append(UInt8(truncatingIfNeeded: 0xF0 | value >> 18))
        append(UInt8(truncatingIfNeeded: 0x80 | value >> 12 & 0x3F))
      }
      append(UInt8(truncatingIfNeeded: 0x80 | value >> 6 & 0x3F))
    }
    append(UInt8(truncatingIfNeeded: 0x80 | value & 0x3F))
  }

  /// Appends bytes of a sealed block, 16 at a time.
  @inline(__always)
  mutating func append(_ block: ByteBlock, from start: Int, count length: Int) {
    reserve(length)
    // SAFETY: reserve made room for `length` bytes at `count`, and the slack for 15 beyond them.
    unsafe block.copyBlocks(from: start, count: length, to: base + count)
    count &+= length
  }

  /// Appends `times` blanks, 16 at a time; not at all when `times` is negative.
  @inline(__always)
  mutating func append(blanks times: Int) {
    guard times > 0 else { return }
    reserve(times)
    let blanks = SIMD16<UInt8>(repeating: 0x20)
    var done = 0
    repeat {
      // SAFETY: reserve made room for `times` bytes at `count`, and the slack for 15 beyond them.
      unsafe UnsafeMutableRawPointer(base + count + done).storeBytes(of: blanks, as: SIMD16<UInt8>.self)
      done &+= 16
    } while done < times
    count &+= times
  }

  /// Appends a snippet in one step.
  @inline(__always)
  mutating func append(_ snippet: ByteSnippet) {
    reserve(snippet.count)
    // SAFETY: reserve made room for the snippet's bytes, and the slack for the rest of the 32.
    unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: snippet.block, as: SIMD32<UInt8>.self)
    count &+= snippet.count
  }

  /// Forgets blanks at the end, back to `start`.
  @inline(__always)
  mutating func trimBlanks(from start: Int) {
    let start = max(0, start)
    // SAFETY: the place is at least 0 and below `count`.
    while count > start, unsafe base[count &- 1] == 0x20 { count &-= 1 }
  }

  /// Appends the decimal digits of `number`.
  public mutating func append(decimal number: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    var length = 1
    var rest = number.magnitude / 10
    while rest > 0 {
      rest /= 10
      length &+= 1
    }
    reserve(length)
    rest = number.magnitude
    var place = count &+ length
    repeat {
      place &-= 1
      let digit = UInt8(truncatingIfNeeded: rest % 10)
      // SAFETY: reserve made room for `length` bytes at `count`, and the number has as many digits.
      unsafe base[place] = UInt8(ascii: "0") &+ digit
      rest /= 10
    } while rest > 0
    count &+= length
  }

  /// The bytes written so far, as an array.
  public func array() -> [UInt8] {
    // SAFETY: the first `count` bytes are initialized.
    unsafe Array(UnsafeBufferPointer(start: base, count: count))
  }

  /// The bytes written so far, as text; ill-formed UTF-8 is repaired.
  public func string() -> String {
    // SAFETY: the first `count` bytes are initialized.
    unsafe String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
  }

  @inline(never)
  private mutating func grow(by extra: Int) {
    let wanted = max(capacity * 2, count + extra)
    // SAFETY: nobody else has the address, and more bytes are asked for than were written.
    unsafe base = Memory.reallocate(base, wanted + Self.slack)
    capacity = wanted
  }
}

extension StaticString {
  /// The byte at `index` of the literal's UTF-8.
  @inline(__always)
  func byte(at index: Int) -> UInt8 {
    precondition(index >= 0 && index < utf8CodeUnitCount)
    // SAFETY: checked on the line above; a literal with pointer representation lives for ever.
    return hasPointerRepresentation ? unsafe utf8Start[index] : 0
  }
}
