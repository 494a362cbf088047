#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The memory of blocks and buffers, which are as large as the data makes them.
///
/// The standard library ends a program without memory by a trap; here it ends with words and status 4, and takes its
/// temporary files along.
enum Memory {
  /// Memory for `count` bytes, which nothing was written to yet.
  @unsafe
  static func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    // SAFETY: what malloc gives is aligned for anything and nobody else's.
    guard let start = unsafe malloc(count) else {
      Interruption.end(status: 4, saying: "tabler: out of memory; a smaller --memory holds less at a time\n")
    }
    return unsafe start.bindMemory(to: UInt8.self, capacity: count)
  }

  /// Gives memory back.
  @unsafe
  static func free(_ start: UnsafeMutablePointer<UInt8>) { unsafe freeMemory(start) }
}

@unsafe private func freeMemory(_ start: UnsafeMutablePointer<UInt8>) { unsafe free(start) }
