/// A run of values without owners that grows at its end.
///
/// An array asks at every append whether it has its storage for itself, which takes a call; in loops that note something
/// for every few bytes that is a third of the time. This has but one owner, and its append is a store and a comparison.
@safe
struct PlainBuffer<Element: BitwiseCopyable>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>

  /// The values that fit without another allocation.
  private var capacity = 8

  /// The number of values held.
  private(set) var count = 0

  /// Creates an empty buffer.
  init() { unsafe base = Self.bound(Memory.allocate(capacity * MemoryLayout<Element>.stride), capacity) }

  deinit { unsafe base.withMemoryRebound(to: UInt8.self, capacity: 1) { unsafe Memory.free($0) } }

  /// Bytes from the allocator, as room for values.
  @unsafe
  private static func bound(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> UnsafeMutablePointer<
    Element
  > {
    // SAFETY: the allocator aligns for anything that has no owner, and nothing else uses the bytes.
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
    // SAFETY: `count` is below `capacity`, so that the place is in the allocation.
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
    // SAFETY: `base` came from `Memory` and is given up; what comes back holds its bytes.
    unsafe base = Self.bound(Memory.reallocate(raw, wanted * MemoryLayout<Element>.stride), wanted)
    capacity = wanted
  }

  /// The values, as an array of just their size.
  ///
  /// - Complexity: O(n): they are copied.
  var array: [Element] {
    // SAFETY: the first `count` values at `base` are initialized.
    unsafe Array(UnsafeBufferPointer(start: base, count: count))
  }
}
