/// A growing buffer of trivial values.
///
/// At every append an array checks that its storage is unique, which is a call; in loops that record
/// something for every few bytes that takes a third of the time. This buffer has a single owner: an append is
/// a comparison and a store.
@safe
struct PlainBuffer<Element: BitwiseCopyable>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>

  /// The values that fit without another allocation.
  private var capacity = 8

  /// The number of values held.
  private(set) var count = 0

  /// Creates an empty buffer.
  init() {
    precondition(MemoryLayout<Element>.alignment <= 16)
    // SAFETY: the allocation has room for `capacity` values.
    unsafe base = Self.bound(Memory.allocate(capacity * MemoryLayout<Element>.stride), capacity)
  }

  // SAFETY: `base` came from `Memory`, and the values need no deinitialization.
  deinit { unsafe base.withMemoryRebound(to: UInt8.self, capacity: 1) { unsafe Memory.free($0) } }

  /// Memory from the allocator, bound to values.
  @unsafe
  private static func bound(
    _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int
  ) -> UnsafeMutablePointer<Element> {
    // SAFETY: the allocator aligns to 16 bytes, which is checked to be enough, and nothing else uses the bytes.
    unsafe UnsafeMutableRawPointer(bytes).bindMemory(to: Element.self, capacity: count)
  }

  /// Makes sure that `wanted` values fit without another allocation.
  mutating func reserveCapacity(_ wanted: Int) {
    if wanted > capacity { grow(to: wanted) }
  }

  /// Appends a value.
  @inline(__always)
  mutating func append(_ value: Element) {
    if count == capacity { grow(to: 2 &* capacity) }
    // SAFETY: `count` is below `capacity`, so that the value is in the allocation.
    unsafe base[count] = value
    count &+= 1
  }

  /// The value at `index`.
  @inline(__always)
  subscript(index: Int) -> Element {
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

  /// Removes the last values.
  @inline(__always)
  mutating func removeLast(_ removed: Int = 1) {
    precondition(removed >= 0 && removed <= count)
    count &-= removed
  }

  @inline(never)
  private mutating func grow(to wanted: Int) {
    let raw = unsafe UnsafeMutableRawPointer(base).assumingMemoryBound(to: UInt8.self)
    // SAFETY: `base` came from `Memory` and is given up; the memory that is returned holds its bytes.
    unsafe base = Self.bound(Memory.reallocate(raw, wanted * MemoryLayout<Element>.stride), wanted)
    capacity = wanted
  }

  /// The values.
  var span: Span<Element> {
    @_lifetime(borrow self)
    get {
      // SAFETY: the first `count` values at `base` are initialized and live as long as self.
      let span = unsafe Span(_unsafeStart: base, count: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The values, as an array of exactly their number.
  ///
  /// - Complexity: O(*n*): they are copied.
  var array: [Element] {
    // SAFETY: the first `count` values at `base` are initialized.
    unsafe Array(UnsafeBufferPointer(start: base, count: count))
  }
}
