/// The memory of blocks and buffers, which are as large as the data makes them.
///
/// A program without memory ends with words and status 4, and takes its temporary files along. The arrays of the
/// standard library do so too in the static program (`RuntimeStart.swift`).
enum Memory {
  /// Memory for `count` bytes, which nothing was written to yet.
  @unsafe
  static func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    if count > largeSize { returnsLargeBlocks }
    // SAFETY: what malloc gives is aligned for anything and belongs to nothing else.
    guard let start = unsafe malloc(count) else { fail() }
    return unsafe start.bindMemory(to: UInt8.self, capacity: count)
  }

  /// The same bytes with room for `count`; large ones are not copied but mapped elsewhere.
  @unsafe
  static func reallocate(_ start: UnsafeMutablePointer<UInt8>, _ count: Int) -> UnsafeMutablePointer<UInt8> {
    if count > largeSize { returnsLargeBlocks }
    // SAFETY: `start` came from malloc and is given up; what realloc gives holds its bytes.
    guard let larger = unsafe realloc(start, count) else { fail() }
    return unsafe larger.bindMemory(to: UInt8.self, capacity: count)
  }

  /// The bytes of what no usual input asks for.
  private static let largeSize = 1 << 20

  /// Has large blocks given back to the system as soon as they are free, once there is one.
  ///
  /// The C library keeps the next blocks of the size of one that was freed: a record of many mebibytes, which is copied
  /// as it grows, would take twice its size and more.
  private static let returnsLargeBlocks: Void = {
    #if os(Linux)
      _ = mallopt(mappingThreshold, 1 << 22)
      _ = mallopt(trimmingThreshold, 1 << 23)
    #endif
  }()

  /// Has all threads take their memory from one place where the address space is limited (`ulimit -v`).
  ///
  /// The C library keeps 64 MiB of addresses for each thread, and where it cannot, maps every allocation by itself.
  static let sharesScarceAddresses: Void = {
    #if os(Linux)
      var limit = rlimit()
      if unsafe getrlimit(__rlimit_resource_t(addressSpace), &limit) == 0, limit.rlim_cur != .max {
        _ = mallopt(arenaLimit, 1)
      }
    #endif
  }()

  /// Ends the program if there is no memory.
  static func fail() -> Never {
    Interruption.end(status: 4, saying: "tabler: out of memory; a smaller --memory holds less at a time\n")
  }

  /// Gives memory back.
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
