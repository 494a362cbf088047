/// A sequence of bytes that grows at its end: the sink that every stage writes to.
///
/// It has one owner and is freed with it. Bytes are only copied in at the end; what was written is borrowed
/// as a `Span`. At least `slack` bytes beyond those held are always allocated, so that short copies may be
/// made in whole blocks.
///
/// With an outlet, the buffer holds at most about 2 MiB and writes the rest there. Trailing blanks are kept
/// back, because they may still be trimmed: they are counted, and written before the next other byte.
@safe
public struct ByteBuffer: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int

  /// The number of bytes held.
  private var held = 0

  /// The number of bytes before those held: they were written to the outlet, except for the pending blanks.
  private var drained = 0

  /// The number of blanks after the bytes written out that have only been counted so far.
  private var pendingBlanks = 0

  /// The number of callers that may still take back what they write.
  private var pins = 0

  /// The file for bytes if there are many; without one all of them are held.
  private let outlet: OutputFile?

  /// The reason bytes could not be written to the outlet; they are lost.
  private(set) var damage: SystemError?

  /// The size from which on a buffer with an outlet does not grow.
  private static let largest = 1 << 21

  /// The number of bytes written so far.
  public var count: Int {
    @inline(__always) get { drained &+ held }
  }

  /// The bytes allocated beyond `capacity`, for copies in blocks.
  private static let slack = 32

  /// Creates an empty buffer with room for `capacity` bytes.
  public init(capacity: Int = 256) { self.init(capacity: capacity, outlet: nil) }

  /// Creates an empty buffer; bytes that do not fit into a few MiB go to `outlet`.
  init(capacity: Int, outlet: OutputFile?) {
    precondition(capacity >= 0)
    self.outlet = outlet
    self.capacity = max(capacity, 32)
    unsafe base = Memory.allocate(self.capacity + Self.slack)
  }

  deinit { unsafe Memory.free(base) }

  /// Whether nothing has been written.
  public var isEmpty: Bool { count == 0 }

  /// The bytes written so far, except those that went to the outlet.
  public var span: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      // SAFETY: the first `held` bytes at `base` are initialized and live as long as self.
      let span = unsafe Span(_unsafeStart: base, count: held)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The bytes written from `start` on, none of which may have gone to the outlet.
  @_lifetime(borrow self)
  func text(from start: Int) -> Span<UInt8> { span.extracting((start - drained)...) }

  /// The byte at `index`, counted from 0, among those that did not go to the outlet.
  public subscript(index: Int) -> UInt8 {
    get {
      precondition(index >= 0 && index < held)
      // SAFETY: checked on the line above.
      return unsafe base[index]
    }
    set {
      precondition(index >= 0 && index < held)
      // SAFETY: checked on the line above.
      unsafe base[index] = newValue
    }
  }

  /// Removes the bytes from `newCount` on, none of which may have gone to the outlet; the capacity stays.
  @inline(__always)
  public mutating func truncate(to newCount: Int) {
    precondition(newCount >= drained &- pendingBlanks && newCount <= count)
    let kept = newCount &- drained
    held = max(0, kept)
    if kept < 0 { dropBlanks(-kept) }
  }

  /// Removes the bytes in `range` and closes the gap; not allowed after bytes went to the outlet.
  public mutating func remove(_ range: Range<Int>) {
    precondition(drained == 0 && range.lowerBound >= 0 && range.upperBound <= held)
    // SAFETY: both ranges lie within the written bytes; `update` allows them to overlap.
    unsafe (base + range.lowerBound).update(from: base + range.upperBound, count: held - range.upperBound)
    held -= range.count
  }

  /// Removes all bytes; the capacity stays.
  @inline(__always)
  public mutating func removeAll() {
    held = 0
    drained = 0
    pendingBlanks = 0
  }

  /// Makes sure that `extra` more bytes fit without another allocation.
  @inline(__always)
  public mutating func reserve(_ extra: Int) {
    if extra > capacity &- held { grow(by: extra) }
  }

  /// Appends one byte.
  @inline(__always)
  public mutating func append(_ byte: UInt8) {
    reserve(1)
    // SAFETY: reserve made room for one byte after those held.
    unsafe base[held] = byte
    held &+= 1
  }

  /// Appends all of `bytes`.
  @inline(__always)
  public mutating func append(_ bytes: Span<UInt8>) {
    let length = bytes.count
    if length > capacity &- held, pour(bytes) { return }
    let target = unsafe base + held
    unsafe bytes.withUnsafeBufferPointer { source in
      // SAFETY: reserve made room for `length` bytes; a span never overlaps a buffer that is being mutated.
      if let start = source.baseAddress { unsafe target.update(from: start, count: length) }
    }
    held &+= length
  }

  /// Appends the UTF-8 bytes of `text`.
  public mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { source in
      reserve(source.count)
      // SAFETY: reserve made room for `source.count` bytes.
      if let start = source.baseAddress { unsafe (base + held).update(from: start, count: source.count) }
      held &+= source.count
    }
  }

  /// Appends the bytes of a literal.
  @inline(__always)
  public mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { source in
      reserve(source.count)
      // SAFETY: reserve made room for `source.count` bytes.
      if let start = source.baseAddress { unsafe (base + held).update(from: start, count: source.count) }
      held &+= source.count
    }
  }

  /// Appends `array`.
  public mutating func append(_ array: [UInt8]) {
    append(array.span)
  }

  /// Appends `byte`, `times` times; nothing if `times` is negative.
  @inline(__always)
  public mutating func append(repeating byte: UInt8, count times: Int) {
    guard times > 0 else { return }
    if times > capacity &- held, pour(byte, count: times) { return }
    // SAFETY: there is room for `times` bytes.
    unsafe (base + held).update(repeating: byte, count: times)
    held &+= times
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

  /// Appends bytes of a block, 16 at a time.
  @inline(__always)
  mutating func append(_ block: ByteBlock, from start: Int, count length: Int) {
    if length > capacity &- held, pour(block, from: start, count: length) { return }
    // SAFETY: there is room for `length` bytes after those held, and the slack for 16 beyond them.
    unsafe block.copyBlocks(from: start, count: length, to: base + held)
    held &+= length
  }

  /// Appends `times` blanks, 16 at a time; nothing if `times` is negative.
  @inline(__always)
  mutating func append(blanks times: Int) {
    guard times > 0 else { return }
    if times > capacity &- held, pour(0x20, count: times) { return }
    let blanks = SIMD16<UInt8>(repeating: 0x20)
    let end = unsafe UnsafeMutableRawPointer(base + held)
    held &+= times
    // SAFETY: there is room for `times` bytes after those held, and the slack for 15 beyond them.
    unsafe end.storeBytes(of: blanks, as: SIMD16<UInt8>.self)
    guard times > 16 else { return }
    var done = 16
    repeat {
      unsafe end.storeBytes(of: blanks, toByteOffset: done, as: SIMD16<UInt8>.self)
      done &+= 16
    } while done < times
  }

  /// Appends a snippet in one step.
  @inline(__always)
  mutating func append(_ snippet: ByteSnippet) {
    reserve(snippet.count)
    // SAFETY: reserve made room for the snippet's bytes, and the slack for the rest of the 32.
    unsafe UnsafeMutableRawPointer(base + held).storeBytes(of: snippet.block, as: SIMD32<UInt8>.self)
    held &+= snippet.count
  }

  /// Appends a short snippet in one step.
  @inline(__always)
  mutating func append(_ snippet: ShortSnippet) {
    let count = Int(snippet.count)
    reserve(count)
    // SAFETY: reserve made room for the bytes of the snippet, and the slack holds the rest of the 16.
    let end = unsafe UnsafeMutableRawPointer(base + held)
    unsafe end.storeBytes(of: snippet.words.0.littleEndian, as: UInt64.self)
    unsafe end.storeBytes(of: snippet.words.1.littleEndian, toByteOffset: 8, as: UInt64.self)
    held &+= count
  }

  /// Removes trailing blanks.
  @inline(__always)
  mutating func trimBlanks() {
    // SAFETY: the index is below `held`.
    while held > 0, unsafe base[held &- 1] == 0x20 { held &-= 1 }
    if held == 0 { dropBlanks(pendingBlanks) }
  }

  /// Appends the decimal digits of `number`.
  public mutating func append(decimal number: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    var length = 1
    var rest = number.magnitude
    while rest >= 100 {
      rest /= 100
      length &+= 2
    }
    append(number.magnitude, digitCount: rest >= 10 ? length &+ 1 : length)
  }

  /// Appends the last digits of `number`, after zeros if it has fewer.
  mutating func append(_ number: UInt, digitCount: Int) {
    precondition(digitCount >= 0)
    reserve(digitCount)
    var rest = number
    var place = held &+ digitCount
    while place >= held &+ 2 {
      let (hundreds, pair) = rest.quotientAndRemainder(dividingBy: 100)
      let tens = UInt8(truncatingIfNeeded: pair) / 10
      place &-= 2
      // SAFETY: reserve made room for `digitCount` bytes after those held, and `place + 1` is one of these.
      unsafe base[place] = UInt8(ascii: "0") &+ tens
      // SAFETY: as above.
      unsafe base[place &+ 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: pair) &- tens &* 10
      rest = hundreds
    }
    if place > held {
      // SAFETY: as above; one byte is left.
      unsafe base[held] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
    }
    held &+= digitCount
  }

  /// The bytes held, as an array.
  public func array() -> [UInt8] {
    // SAFETY: the first `held` bytes are initialized.
    unsafe Array(UnsafeBufferPointer(start: base, count: held))
  }

  /// The bytes held, as text; ill-formed UTF-8 is repaired.
  public func string() -> String {
    // SAFETY: the first `held` bytes are initialized.
    unsafe String(decoding: UnsafeBufferPointer(start: base, count: held), as: UTF8.self)
  }

  @inline(never)
  private mutating func grow(by extra: Int) {
    if drains, held + extra > Self.largest { drain() }
    if extra <= capacity - held { return }
    let wanted = max(capacity * 2, held + extra)
    // SAFETY: nothing else has the address, and the new size is larger than what was written.
    unsafe base = Memory.reallocate(base, wanted + Self.slack)
    capacity = wanted
  }
}

extension ByteBuffer {
  /// Holds all further bytes until `unpin`: they may be taken back or changed.
  @inline(__always)
  mutating func pin() { pins &+= 1 }

  /// Ends what `pin` began.
  @inline(__always)
  mutating func unpin() { pins &-= 1 }

  /// Writes the blanks that have only been counted.
  mutating func writePendingBlanks() {
    write(0x20, count: pendingBlanks)
    pendingBlanks = 0
  }

  /// Whether bytes may go to the outlet.
  private var drains: Bool { outlet != nil && pins == 0 }

  /// Writes the bytes held and then many more; `false`, with room for them, if they are few or must be held.
  @inline(never)
  private mutating func pour(_ bytes: Span<UInt8>) -> Bool {
    guard drains, bytes.count > Self.largest else {
      grow(by: bytes.count)
      return false
    }
    drain()
    var end = bytes.count
    while end > 0, bytes[end &- 1] == 0x20 { end &-= 1 }
    if end > 0 {
      writePendingBlanks()
      write(bytes.extracting(..<end))
    }
    drained += bytes.count
    pendingBlanks += bytes.count - end
    return true
  }

  /// The same with bytes of a block.
  @inline(never)
  private mutating func pour(_ block: ByteBlock, from start: Int, count: Int) -> Bool {
    pour(block.span.extracting(start..<start + count))
  }

  /// Writes the bytes held and then a byte many times; `false`, with room for them, if they must be held.
  @inline(never)
  private mutating func pour(_ byte: UInt8, count times: Int) -> Bool {
    guard drains, held + times > Self.largest else {
      grow(by: times)
      return false
    }
    drain()
    if byte == 0x20 {
      pendingBlanks += times
    } else {
      writePendingBlanks()
      write(byte, count: times)
    }
    drained += times
    return true
  }

  /// Writes the bytes held, except trailing blanks.
  private mutating func drain() {
    var end = held
    // SAFETY: the index is below `held`.
    while end > 0, unsafe base[end - 1] == 0x20 { end -= 1 }
    if end > 0 {
      writePendingBlanks()
      // SAFETY: the first `held` bytes at `base` are initialized, and nothing changes them meanwhile.
      write(unsafe Span(_unsafeStart: base, count: end))
    }
    drained += held
    pendingBlanks += held - end
    held = 0
  }

  /// Removes some of the blanks that have only been counted.
  @inline(__always)
  private mutating func dropBlanks(_ count: Int) {
    drained &-= count
    pendingBlanks &-= count
  }

  private mutating func write(_ byte: UInt8, count: Int) {
    guard count > 0 else { return }
    let some = [UInt8](repeating: byte, count: min(count, 1 << 16))
    var rest = count
    while rest > 0 {
      write(some.span.extracting(..<min(rest, some.count)))
      rest -= some.count
    }
  }

  private mutating func write(_ bytes: Span<UInt8>) {
    guard damage == nil, let outlet, !bytes.isEmpty else { return }
    do { try outlet.write(bytes) } catch { damage = error }
  }
}

extension StaticString {
  /// The byte at `index` of the literal's UTF-8.
  @inline(__always)
  func byte(at index: Int) -> UInt8 {
    precondition(index >= 0 && index < utf8CodeUnitCount)
    // SAFETY: checked on the line above; a literal with pointer representation lives forever.
    return hasPointerRepresentation ? unsafe utf8Start[index] : 0
  }
}

extension ByteBuffer {
  /// Appends bytes of a block, and only the first of each two quotes in them.
  @inline(__always)
  mutating func append<Vector: ByteVector>(
    _ block: ByteBlock, _ range: Range<Int>, undoubling quote: UInt8, _: Vector.Type = MachineVector.self
  ) {
    reserve(range.count)
    // SAFETY: reserve made room for all bytes of the range after those held, and the slack for 15 beyond them.
    held &+= unsafe block.copyBlocks(range, undoubling: quote, to: base + held, Vector.self)
  }

  /// Gives away the memory with the bytes in it, shrunk to their number plus `slack`; the buffer is then empty.
  @unsafe
  mutating func takeMemory(slack: Int) -> UnsafeMutablePointer<UInt8> {
    precondition(drained == 0 && pendingBlanks == 0)
    // SAFETY: nothing else has the address, and the buffer forgets it.
    let taken = unsafe Memory.reallocate(base, held + slack)
    held = 0
    capacity = 32
    unsafe base = Memory.allocate(capacity + Self.slack)
    return unsafe taken
  }
}

/// A sequence of at most 32 bytes that is written often, in one store.
struct ByteSnippet: Sendable {
  /// The bytes, with zeros after them.
  let block: SIMD32<UInt8>

  /// The number of bytes.
  let count: Int

  /// Creates a snippet; `nil` if there are too many bytes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= 32 else { return nil }
    count = bytes.count
    var block = SIMD32<UInt8>()
    for index in bytes.indices { block[index] = bytes[index] }
    self.block = block
  }

  /// Creates a snippet of a literal; bytes that do not fit are left out.
  init(_ text: StaticString) {
    count = min(text.utf8CodeUnitCount, 32)
    var block = SIMD32<UInt8>()
    for index in 0..<count { block[index] = text.byte(at: index) }
    self.block = block
  }
}

/// At most 16 bytes that are written in one step, for snippets of which there may be very many.
struct ShortSnippet: Sendable {
  /// The bytes, padded with zeros; the first of each eight is the least significant.
  ///
  /// They are not a vector: debug builds of Swift 6.3.1 read an optional vector from addresses where none may
  /// be.
  fileprivate let words: (UInt64, UInt64)
  fileprivate let count: UInt8

  /// Creates a snippet; `nil` if there are too many bytes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= 16 else { return nil }
    count = UInt8(bytes.count)
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    words = (word(bytes.prefix(8)), word(bytes.dropFirst(8)))
  }
}
