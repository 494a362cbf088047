/// The memory of blocks and buffers, whose size depends on the data.
///
/// A program that runs out of memory ends with a message and status 4, and removes its temporary files. In
/// the static program the arrays of the standard library do so too (`RuntimeStart.swift`).
enum Memory {
  /// Uninitialized memory for `count` bytes.
  @unsafe
  static func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    if count > largeSize { returnsLargeBlocks }
    // SAFETY: memory from malloc is aligned for any type and belongs to nothing else.
    guard let start = unsafe malloc(count) else { fail() }
    if count >= hugeSize { unsafe useLargePages(start, count) }
    return unsafe start.bindMemory(to: UInt8.self, capacity: count)
  }

  /// The same bytes with room for `count`; large ones are not copied but remapped.
  @unsafe
  static func reallocate(_ start: UnsafeMutablePointer<UInt8>, _ count: Int) -> UnsafeMutablePointer<UInt8> {
    if count > largeSize { returnsLargeBlocks }
    // SAFETY: `start` came from malloc and is given up; the memory from realloc holds its bytes.
    guard let larger = unsafe realloc(start, count) else { fail() }
    return unsafe larger.bindMemory(to: UInt8.self, capacity: count)
  }

  /// A size that usual input never needs, in bytes.
  private static let largeSize = 1 << 20

  /// The least allocation, in bytes, for which pages of 2 MiB are requested.
  static let hugeSize = 1 << 24

  /// Requests large pages: to fetch 93 MB in small ones took 0.04 s, longer than to fill them.
  @unsafe
  private static func useLargePages(_ start: UnsafeMutableRawPointer, _ count: Int) {
    #if os(Linux)
      let pageSize = Int(getpagesize())
      let skipped = -Int(bitPattern: start) & (pageSize - 1)
      // SAFETY: whole pages of the allocated memory; what they hold does not depend on their size.
      _ = unsafe madvise(start + skipped, count - skipped, MADV_HUGEPAGE)
    #endif
  }

  /// Makes the C library return large blocks to the system as soon as they are freed, once there is one.
  ///
  /// It keeps the next blocks of the size of one that was freed: a record of many mebibytes, which is copied
  /// as it grows, would take twice its size and more.
  private static let returnsLargeBlocks: Void = {
    #if os(Linux)
      _ = mallopt(mappingThreshold, 1 << 22)
      _ = mallopt(trimmingThreshold, 1 << 23)
    #endif
  }()

  /// Makes all threads allocate from one arena if the address space is limited (`ulimit -v`).
  ///
  /// The C library reserves 64 MiB of addresses for each thread and, if it cannot, maps every allocation
  /// separately.
  static let sharesScarceAddresses: Void = {
    #if os(Linux)
      var limit = rlimit()
      if unsafe getrlimit(__rlimit_resource_t(addressSpace), &limit) == 0, limit.rlim_cur != .max {
        _ = mallopt(arenaLimit, 1)
      }
    #endif
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

#if os(Linux)
  /// `mallopt`, `M_ARENA_MAX`, `M_MMAP_THRESHOLD` and `M_TRIM_THRESHOLD` of `malloc.h`, which the C library's module leaves out.
  @_silgen_name("mallopt")
  private func mallopt(_ option: CInt, _ value: CInt) -> CInt

  private let arenaLimit: CInt = -8

  /// `RLIMIT_AS` of `sys/resource.h`.
  private let addressSpace: UInt32 = 9

  private let mappingThreshold: CInt = -3
  private let trimmingThreshold: CInt = -1
#endif
