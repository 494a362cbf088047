/// The memory of blocks and buffers, whose size depends on the data.
///
/// A program that runs out of memory ends with a message and status 4, and removes its temporary files. In
/// the static program the arrays of the standard library do so too (`RuntimeStart.swift`).
enum Memory {
  /// Uninitialized memory for `count` bytes.
  @unsafe
  static func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    if count > largeSize { returnsOnlyLargeBlocks }
    // SAFETY: memory from malloc is aligned for any type and belongs to nothing else.
    guard let start = unsafe malloc(count) else { fail() }
    if count >= hugeSize { unsafe Shortcuts.useLargePages(start, count) }
    return unsafe start.bindMemory(to: UInt8.self, capacity: count)
  }

  /// Uninitialized memory for `count` bytes that begins with a page of 2 MiB and has as many of them as the system gives.
  @unsafe
  static func allocateLargePages(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    var memory: UnsafeMutableRawPointer?
    guard unsafe posix_memalign(&memory, 1 << 21, count) == 0, let start = unsafe memory else { fail() }
    unsafe Shortcuts.useLargePages(start, count)
    // SAFETY: it belongs to nothing else, and is aligned for any type.
    return unsafe start.bindMemory(to: UInt8.self, capacity: count)
  }

  /// The same bytes with room for `count`; large ones are not copied but remapped.
  @unsafe
  static func reallocate(_ start: UnsafeMutablePointer<UInt8>, _ count: Int) -> UnsafeMutablePointer<UInt8> {
    if count > largeSize { returnsOnlyLargeBlocks }
    // SAFETY: `start` came from malloc and is given up; the memory from realloc holds its bytes.
    guard let larger = unsafe realloc(start, count) else { fail() }
    return unsafe larger.bindMemory(to: UInt8.self, capacity: count)
  }

  /// A size that usual input never needs, in bytes.
  private static let largeSize = 1 << 20

  /// The least allocation, in bytes, for which pages of 2 MiB are requested.
  static let hugeSize = 1 << 24

  /// Makes the C library return large blocks to the system and keep a few mebibytes of others, once there is a large
  /// block or a second thread.
  private static let returnsOnlyLargeBlocks: Void = Allocator.returnOnlyLargeBlocks()

  /// Prepares the C library for several threads: if the address space is limited, all allocate from the same memory.
  static let expectsThreads: Void = {
    Allocator.shareScarceAddresses()
    returnsOnlyLargeBlocks
  }()

  /// Ends the program because there is no memory.
  static func fail() -> Never {
    Interruption.end(status: 4, saying: "tabler: out of memory; a smaller --memory holds less at a time\n")
  }

  /// Frees memory.
  @unsafe
  static func free(_ start: UnsafeMutablePointer<UInt8>) { unsafe freeMemory(start) }
}

@unsafe private func freeMemory(_ start: UnsafeMutablePointer<UInt8>) { unsafe free(start) }
