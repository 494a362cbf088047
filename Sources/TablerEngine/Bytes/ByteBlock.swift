/// A block of bytes that is filled once and then only looked at.
///
/// The bytes of a batch live in one; cells are notes into it. `slack` readable bytes
/// follow the last one, so scans may load whole vectors.
@safe
public final class ByteBlock: @unchecked Sendable {
  private let base: UnsafeMutablePointer<UInt8>

  /// The number of bytes in the block.
  public private(set) var count: Int

  /// The number of bytes that fit.
  let capacity: Int

  /// Readable zero bytes after the last byte of every block.
  static let slack = 64

  /// Creates an empty block with room for `capacity` bytes.
  init(capacity: Int) {
    self.capacity = max(capacity, 64)
    unsafe base = Memory.allocate(self.capacity + Self.slack)
    count = 0
  }

  /// Creates a block that holds a copy of `bytes`.
  convenience init(_ bytes: Span<UInt8>) {
    self.init(capacity: bytes.count)
    append(bytes)
    seal()
  }

  /// Creates a block of the bytes of a buffer, which is empty then; they are not copied.
  init(taking bytes: inout ByteBuffer) {
    count = bytes.count
    capacity = max(count, 64)
    unsafe base = bytes.takeMemory(slack: capacity - count + Self.slack)
    seal()
  }

  deinit { unsafe Memory.free(base) }

  /// All bytes of the block.
  public var span: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      // SAFETY: `count` bytes are initialized and live as long as self; nobody appends while a span is out.
      let span = unsafe Span(_unsafeStart: base, count: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The bytes from `start` on, `length` of them.
  @inline(__always)
  @_lifetime(borrow self)
  func span(from start: Int, count length: Int) -> Span<UInt8> {
    precondition(start >= 0 && length >= 0 && start &+ length <= count)
    // SAFETY: checked on the line above.
    let span = unsafe Span(_unsafeStart: base + start, count: length)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// The bytes from `start` on, `length` of them, lent for as long as `owner` is.
  ///
  /// - Parameter owner: what holds the block in a `let`, so that the block lives as long as it does.
  @inline(__always)
  @_lifetime(borrow owner)
  func span<Owner: AnyObject>(from start: Int, count length: Int, heldBy owner: borrowing Owner) -> Span<
    UInt8
  > {
    precondition(start >= 0 && length >= 0 && start &+ length <= count)
    // SAFETY: the range is checked on the line above; the owner keeps the block alive.
    let span = unsafe Span(_unsafeStart: base + start, count: length)
    return unsafe _overrideLifetime(span, borrowing: owner)
  }

  /// The byte at `index`.
  @inline(__always)
  subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < count)
    // SAFETY: checked on the line above.
    return unsafe base[index]
  }

  /// Appends `bytes`, which must fit.
  func append(_ bytes: Span<UInt8>) {
    precondition(bytes.count <= capacity - count)
    let target = unsafe base + count
    unsafe bytes.withUnsafeBufferPointer { source in
      // SAFETY: checked above; a block never overlaps what is appended to it.
      if let start = source.baseAddress { unsafe target.update(from: start, count: source.count) }
    }
    count += bytes.count
  }

  /// Lets `fill` write at the end of the block and adds the bytes it reports.
  func append<E: Error>(filling fill: (UnsafeMutableRawBufferPointer) throws(E) -> Int) throws(E) -> Int {
    let room = unsafe UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count)
    let added = try unsafe fill(room)
    precondition(added >= 0 && added <= capacity - count)
    count += added
    return added
  }

  /// Forgets the bytes from `newCount` on.
  func truncate(to newCount: Int) {
    precondition(newCount >= 0 && newCount <= count)
    count = newCount
  }

  /// Some bytes from `start` on, of which the first is in the block and others may lie after its last.
  @inline(__always)
  func vector<Vector: ByteVector>(at start: Int, as _: Vector.Type = Vector.self) -> Vector {
    precondition(start >= 0 && start < count)
    // SAFETY: 64 readable bytes follow every byte of a sealed block.
    return unsafe Vector(base + start)
  }

  /// The bits of the 64 bytes at `start` that matter to a reader.
  @inline(__always)
  func masks<Vector: ByteVector>(
    at start: Int, for marks: StructuralMarks, _: Vector.Type = MachineVector.self
  ) -> StructuralMasks {
    precondition(start >= 0 && start < count)
    // SAFETY: 64 readable bytes follow every byte of a sealed block.
    return unsafe StructuralMasks(UnsafeRawPointer(base + start), marks, Vector.self)
  }

  /// Copies bytes of a sealed block in steps of 16, so that up to 15 more are written.
  ///
  /// - Parameter target: where `length` + 15 bytes may be written.
  @inline(__always)
  @unsafe
  func copyBlocks(from start: Int, count length: Int, to target: UnsafeMutablePointer<UInt8>) {
    precondition(start >= 0 && length >= 0 && start &+ length <= count)
    let source = unsafe UnsafeRawPointer(base + start)
    let target = UnsafeMutableRawPointer(target)
    var done = 0
    while done < length {
      // SAFETY: loads begin below `count` and 64 readable bytes follow; the caller has room to write.
      let bytes = unsafe source.loadUnaligned(fromByteOffset: done, as: SIMD16<UInt8>.self)
      unsafe target.storeBytes(of: bytes, toByteOffset: done, as: SIMD16<UInt8>.self)
      done &+= 16
    }
  }

  /// Copies bytes of a sealed block in steps of 16 at most, and of each two quotes in them the first, so that up to 15
  /// more are written than there are bytes.
  ///
  /// - Parameter target: where as many bytes and 15 more may be written.
  /// - Returns: how many bytes the copy has.
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
      // SAFETY: loads begin below `count` and 64 readable bytes follow; the caller has room to write, as no more bytes
      // were copied than were gone over.
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

  /// Clears the slack after the last byte; done once, when the block is full.
  func seal() {
    // SAFETY: `slack` bytes are allocated beyond `capacity`.
    unsafe (base + count).update(repeating: 0, count: Self.slack)
  }
}
