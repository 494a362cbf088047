/// Bytes that never change: those of a batch, to which its cells refer.
///
/// `slack` zeros follow the last one, so that scans may load whole vectors. Only a `Builder` writes bytes,
/// and it is consumed when the block is made from them.
@safe
public final class ByteBlock: @unchecked Sendable {
  // Why it may be shared: `base`, `count` and `capacity` are constants, and nothing writes to the memory
  // while the block has it. `ownsMemory` changes once, in `Builder.init(owning:)`, through the only
  // reference.

  private let base: UnsafeMutablePointer<UInt8>

  /// The number of bytes in the block.
  public let count: Int

  /// The number of bytes that fit.
  let capacity: Int

  /// Whether the memory is given up with the block; otherwise a builder has taken it over.
  private var ownsMemory = true

  /// What the memory is a part of; `nil` if it was allocated for the block.
  private let slab: BlockSlab?

  /// The number of readable zero bytes after the last byte of every block.
  private static let slack = 64

  /// A block without bytes.
  static let empty = Builder(capacity: 0).finish()

  /// Takes over memory with `count` bytes in it and room for `capacity` and the slack.
  @unsafe
  private init(_ base: UnsafeMutablePointer<UInt8>, count: Int, capacity: Int, slab: BlockSlab? = nil) {
    unsafe self.base = base
    self.count = count
    self.capacity = capacity
    self.slab = slab
    // SAFETY: `slack` bytes are allocated beyond `capacity`.
    unsafe (base + count).update(repeating: 0, count: Self.slack)
  }

  /// Creates a block that holds a copy of `bytes`.
  convenience init(_ bytes: Span<UInt8>) {
    let (memory, capacity) = unsafe Self.memory(atLeast: bytes.count)
    unsafe bytes.withUnsafeBufferPointer { source in
      // SAFETY: there is room for as many bytes, and new memory overlaps nothing.
      if let start = source.baseAddress { unsafe memory.update(from: start, count: source.count) }
    }
    unsafe self.init(memory, count: bytes.count, capacity: capacity)
  }

  /// Creates a block from the bytes of a buffer, which is then empty; they are not copied.
  convenience init(taking bytes: inout ByteBuffer) {
    let count = bytes.count
    let capacity = max(count, 64)
    unsafe self.init(
      bytes.takeMemory(slack: capacity - count + Self.slack), count: count, capacity: capacity)
  }

  deinit { if ownsMemory, slab == nil { unsafe Memory.free(base) } }

  /// Memory for `wanted` bytes and the slack, and the number that fits.
  @unsafe
  private static func memory(atLeast count: Int) -> (UnsafeMutablePointer<UInt8>, capacity: Int) {
    let capacity = max(count, 64)
    return unsafe (Memory.allocate(capacity + slack), capacity)
  }

  /// All bytes of the block.
  public var span: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      // SAFETY: `count` bytes are initialized, never change and live as long as self.
      let span = unsafe Span(_unsafeStart: base, count: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The `length` bytes from `start` on.
  @inline(__always)
  @_lifetime(borrow self)
  func span(from start: Int, count length: Int) -> Span<UInt8> {
    precondition(holds(length, from: start))
    // SAFETY: checked on the line above.
    let span = unsafe Span(_unsafeStart: base + start, count: length)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// The `length` bytes from `start` on, borrowed for as long as `owner`.
  ///
  /// - Parameter owner: holds the block in a `let`, so that the block lives as long as it does.
  @inline(__always)
  @_lifetime(borrow owner)
  func span<Owner: AnyObject>(from start: Int, count length: Int, heldBy owner: borrowing Owner) -> Span<
    UInt8
  > {
    precondition(holds(length, from: start))
    // SAFETY: the range is checked on the line above; the owner keeps the block alive.
    let span = unsafe Span(_unsafeStart: base + start, count: length)
    return unsafe _overrideLifetime(span, borrowing: owner)
  }

  /// Whether there are `length` bytes from `start` on; the difference of two numbers that are not negative
  /// cannot wrap.
  @inline(__always)
  private func holds(_ length: Int, from start: Int) -> Bool {
    start >= 0 && length >= 0 && length <= count &- start
  }

  /// The byte at `index`.
  @inline(__always)
  subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < count)
    // SAFETY: checked on the line above.
    return unsafe base[index]
  }

  /// Whether the `length` bytes at two offsets are equal.
  @inline(__always)
  func hasSameBytes(at first: Int, _ second: Int, count length: Int) -> Bool {
    precondition(holds(length, from: first) && holds(length, from: second))
    // SAFETY: checked on the line above.
    return unsafe memcmp(base + first, base + second, length) == 0
  }

  /// Some bytes from `start` on, the first of which is in the block while others may be after its last.
  @inline(__always)
  func vector<Vector: ByteVector>(at start: Int, as _: Vector.Type = Vector.self) -> Vector {
    precondition(start >= 0 && start < count)
    // SAFETY: 64 readable bytes follow the last one.
    return unsafe Vector(base + start)
  }

  /// The bits of the 64 bytes at `start` that matter to a reader.
  @inline(__always)
  func masks<Vector: ByteVector>(
    at start: Int, for marks: StructuralMarks, _: Vector.Type = MachineVector.self
  ) -> StructuralMasks {
    precondition(start >= 0 && start < count)
    // SAFETY: 64 readable bytes follow the last one.
    return unsafe StructuralMasks(UnsafeRawPointer(base + start), marks, Vector.self)
  }

  /// Which of the 64 bytes at `start` are equal to `byte`: a bit for each, the first one's lowest.
  @inline(__always)
  func bits<Vector: ByteVector>(
    of byte: UInt8, at start: Int, _: Vector.Type = MachineVector.self
  ) -> UInt64 {
    precondition(start >= 0 && start < count)
    var bits: UInt64 = 0
    var place = 0
    while place < 64 {
      // SAFETY: 64 readable bytes follow the last one, and 64 is a multiple of the vector's bytes.
      let equal = unsafe Vector(base + (start &+ place)).equals(byte)
      bits |= equal.bits &<< UInt64(truncatingIfNeeded: place)
      place &+= Vector.count
    }
    return bits
  }

  /// Copies bytes of the block in steps of 16, of which there is at least one: most cells take no other.
  ///
  /// - Parameter target: memory for `length` + 16 bytes.
  @inline(__always)
  @unsafe
  func copyBlocks(from start: Int, count length: Int, to target: UnsafeMutablePointer<UInt8>) {
    precondition(holds(length, from: start))
    let source = unsafe UnsafeRawPointer(base + start)
    let target = UnsafeMutableRawPointer(target)
    // SAFETY: loads begin no later than at `count` and 64 readable bytes follow; the caller has room to write.
    unsafe target.storeBytes(of: source.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
    guard length > 16 else { return }
    var done = 16
    repeat {
      let bytes = unsafe source.loadUnaligned(fromByteOffset: done, as: SIMD16<UInt8>.self)
      unsafe target.storeBytes(of: bytes, toByteOffset: done, as: SIMD16<UInt8>.self)
      done &+= 16
    } while done < length
  }

  /// Copies bytes of the block in steps of at most 16, and only the first of each two quotes in them, so that
  /// up to 15 more are written than there are bytes.
  ///
  /// - Parameter target: memory for as many bytes and 15 more.
  /// - Returns: the number of bytes of the copy.
  @inline(__always)
  @unsafe
  func copyBlocks<Vector: ByteVector>(
    _ range: Range<Int>, undoubling quote: UInt8, to target: UnsafeMutablePointer<UInt8>,
    _: Vector.Type = MachineVector.self
  ) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    var start = range.lowerBound
    var copied = 0
    while start < range.upperBound {
      // SAFETY: loads begin below `count` and 64 readable bytes follow; the caller has room to write, because
      // no more bytes were copied than were read.
      let source = unsafe UnsafeRawPointer(base + start)
      let bytes = unsafe source.loadUnaligned(as: SIMD16<UInt8>.self)
      unsafe UnsafeMutableRawPointer(target + copied).storeBytes(of: bytes, as: SIMD16<UInt8>.self)
      let quotes = unsafe Vector(source).equals(quote)
      let hasQuote = quotes.hasFlags
      let plain = hasQuote ? quotes.firstFlag &+ 1 : Vector.count
      copied &+= Swift.min(plain, range.upperBound &- start)
      start &+= hasQuote ? plain &+ 1 : Vector.count
    }
    return copied
  }
}

extension ByteBlock {
  /// Bytes that are appended one after another, by their only owner, and become a block.
  @safe
  struct Builder: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>

    /// The number of bytes so far.
    private(set) var count = 0

    /// The number of bytes that fit.
    private(set) var capacity: Int

    /// What the memory is a part of, retained; `nil` if it was allocated for the builder.
    private var slab: Unmanaged<BlockSlab>?

    /// Creates a builder without bytes and with room for `capacity` of them.
    init(capacity: Int) {
      let (memory, capacity) = unsafe ByteBlock.memory(atLeast: capacity)
      unsafe base = memory
      self.capacity = capacity
    }

    /// The same with memory of a slab; `nil` if it has not so much left.
    init?(capacity: Int, in slab: BlockSlab) {
      guard let memory = unsafe slab.take(capacity + ByteBlock.slack) else { return nil }
      unsafe base = memory
      self.capacity = capacity
      unsafe self.slab = Unmanaged.passRetained(slab)
    }

    /// Takes over the memory of a block that nothing else refers to, and that is released without it.
    private init(owning block: ByteBlock) {
      unsafe base = block.base
      (count, capacity) = (block.count, block.capacity)
      if let slab = block.slab { unsafe self.slab = Unmanaged.passRetained(slab) }
      block.ownsMemory = false
    }

    /// Creates a builder with the bytes of a block, and leaves an empty block behind.
    ///
    /// The bytes are not copied if nothing else holds the block and `capacity` bytes fit into it.
    init(continuing block: inout ByteBlock, capacity: Int) {
      if isKnownUniquelyReferenced(&block), capacity <= block.capacity {
        self.init(owning: block)
      } else {
        self.init(capacity: max(capacity, block.count))
        append(block.span)
      }
      block = .empty
    }

    deinit { if let slab = unsafe slab { unsafe slab.release() } else { unsafe Memory.free(base) } }

    /// The block of the appended bytes.
    consuming func finish() -> ByteBlock {
      let slab = unsafe slab?.takeRetainedValue()
      let block = unsafe ByteBlock(base, count: count, capacity: capacity, slab: slab)
      discard self
      return block
    }

    /// How many more bytes fit.
    @inline(__always)
    var room: Int { capacity &- count }

    /// The bytes so far.
    var span: Span<UInt8> {
      @_lifetime(borrow self)
      get {
        // SAFETY: `count` bytes are initialized and live as long as self; nothing is appended while a span is
        // borrowed.
        let span = unsafe Span(_unsafeStart: base, count: count)
        return unsafe _overrideLifetime(span, borrowing: self)
      }
    }

    /// Makes room for `extra` more bytes if there is none.
    @inline(__always)
    mutating func reserve(_ extra: Int) {
      if extra > room { grow(by: extra) }
    }

    @inline(never)
    private mutating func grow(by extra: Int) {
      resize(to: max(capacity * 2, count + extra))
    }

    /// Releases the unused room.
    mutating func shrink() { resize(to: max(count, 64)) }

    /// Moves the bytes to memory for `capacity` bytes; there are no more of them.
    private mutating func resize(to capacity: Int) {
      self.capacity = capacity
      guard let slab = unsafe slab.take() else {
        // SAFETY: nothing else has the address, and the new size is no less than what was written.
        unsafe base = Memory.reallocate(base, capacity + ByteBlock.slack)
        return
      }
      let memory = unsafe Memory.allocate(capacity + ByteBlock.slack)
      // SAFETY: there is room for all bytes, new memory overlaps nothing, and the slab lives until they are copied.
      unsafe memory.update(from: base, count: count)
      unsafe slab.release()
      unsafe base = memory
    }

    /// Appends `bytes`, which must fit.
    mutating func append(_ bytes: Span<UInt8>) {
      precondition(bytes.count <= room)
      let target = unsafe base + count
      unsafe bytes.withUnsafeBufferPointer { source in
        // SAFETY: checked above; a span never overlaps a builder that is being mutated.
        if let start = source.baseAddress { unsafe target.update(from: start, count: source.count) }
      }
      count += bytes.count
    }

    /// Appends bytes of a block, which must fit, 16 at a time.
    @inline(__always)
    mutating func append(_ block: ByteBlock, from start: Int, count length: Int) {
      precondition(length >= 0 && length <= room)
      // SAFETY: checked above, and the slack is more than the 16 bytes that are written beyond them.
      unsafe block.copyBlocks(from: start, count: length, to: base + count)
      count += length
    }

    /// Appends one byte, which must fit.
    @inline(__always)
    mutating func append(_ byte: UInt8) {
      precondition(room > 0)
      // SAFETY: checked above.
      unsafe base[count] = byte
      count += 1
    }

    /// Appends values, which must fit, as they are in memory, for `RawCursor` to read.
    mutating func append<Element: FixedWidthInteger & BitwiseCopyable>(raw values: Span<Element>) {
      unsafe values.withUnsafeBytes { bytes in
        // SAFETY: integers have no padding, so all bytes are initialized.
        unsafe append(Span(_unsafeBytes: bytes))
      }
    }

    /// Lets `fill` write at the end and adds the number of bytes that it returns.
    mutating func append<E: Error>(
      filling fill: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) -> Int {
      // SAFETY: `room` bytes are allocated after the last.
      let free = unsafe UnsafeMutableRawBufferPointer(start: base + count, count: room)
      let added = try unsafe fill(free)
      precondition(added >= 0 && added <= room)
      count += added
      return added
    }
  }
}

/// Reads values from a block that were appended raw to a buffer, by the same program on the same machine.
struct RawCursor {
  /// The bytes end too early.
  struct ShortBlock: Error {}

  /// The offset of the next value, in bytes.
  private(set) var offset: Int

  private let block: ByteBlock

  /// Creates a cursor at `offset` of a block.
  init(_ block: ByteBlock, at offset: Int = 0) {
    precondition(offset >= 0 && offset <= block.count)
    self.block = block
    self.offset = offset
  }

  /// The next `count` values.
  ///
  /// Their type must be one for which all bits are valid: integers, or structs of only such types.
  mutating func values<Element: BitwiseCopyable>(
    _ type: Element.Type, count: Int
  ) throws(ShortBlock) -> [Element] {
    let (length, isTooLong) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    guard !isTooLong else { throw ShortBlock() }
    let start = try advance(by: length)
    // The standard library would write a count of 0 into the one empty array that all threads share.
    guard count > 0 else { return [] }
    let source = block.span(from: start, count: length)
    return unsafe [Element](unsafeUninitializedCapacity: count) { values, filled in
      unsafe source.withUnsafeBytes { source in
        // SAFETY: both have `length` bytes, and all bits are values of the type.
        unsafe UnsafeMutableRawBufferPointer(values).copyMemory(from: source)
      }
      filled = count
    }
  }

  /// A block with a copy of the next `count` bytes.
  mutating func block(count: Int) throws(ShortBlock) -> ByteBlock {
    let start = try advance(by: count)
    return ByteBlock(block.span(from: start, count: count))
  }

  /// Skips `count` bytes and returns the offset of the first.
  private mutating func advance(by count: Int) throws(ShortBlock) -> Int {
    guard count >= 0, count <= block.count - offset else { throw ShortBlock() }
    offset += count
    return offset - count
  }
}

extension ByteBuffer {
  /// Appends values as they are in memory, for `RawCursor` to read.
  mutating func append<Element: BitwiseCopyable>(raw values: Span<Element>) {
    unsafe values.withUnsafeBytes { bytes in
      // SAFETY: the bytes are initialized: the values written here are structs of integers without padding.
      unsafe append(Span(_unsafeBytes: bytes))
    }
  }

  /// Appends values as they are in memory, for `RawCursor` to read.
  mutating func append<Element: BitwiseCopyable>(raw values: [Element]) { append(raw: values.span) }
}
