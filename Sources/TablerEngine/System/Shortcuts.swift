/// What Linux with glibc can do and POSIX does not promise.
///
/// All of it makes the program faster or more robust, and none changes what it prints.
///
/// Elsewhere, and in a program built with `TABLER_PORTABLE=1`, these functions do what any system does. Four other files
/// depend on the system: `ByteVector.swift` chooses a vector, `RuntimeStart.swift` has what the linker replaces,
/// `Platform.swift` spells names of C, and `BuildFacts.swift` says what was built.
enum Shortcuts {
  #if canImport(Glibc) && !TABLER_PORTABLE
    /// Whether a named pipe can be opened before it has a writer, for whom `poll` then waits.
    static let opensPipesWithoutWriter = true

    /// Lets a pipe hold more bytes.
    static func enlargePipe(_ number: Int32) { _ = fcntl(number, setPipeSize, 1 << 20) }

    /// Opens a file that never had a name, if the file system supports that; otherwise returns a negative number.
    static func openWithoutName(_ directory: FilePath) -> Int32 {
      unsafe directory.withCString { unsafe open($0, nameless | O_RDWR | O_CLOEXEC, 0o600) }
    }

    /// The strings the process was started with, and their number.
    ///
    /// The standard library reads them from `/proc`, which need not exist. On Linux they precede the
    /// environment, separated by a null pointer, and their number precedes them (System V ABI, "Initial Stack
    /// and Register State").
    @unsafe static var argumentVector: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, Int) {
      // SAFETY: at the start nothing has changed the environment, so that it is where the system put it. The
      // walk ends at the number of arguments, which is never the address of one.
      var vector = unsafe environ - 1
      var count = 0
      while unsafe Int(bitPattern: vector[-1]) != count {
        unsafe vector -= 1
        count += 1
      }
      return unsafe (vector, count)
    }

    /// Whether memory can have large pages.
    static let hasLargePages = true

    /// Requests large pages: to fetch 93 MB in small ones took 0.04 s, longer than to fill them.
    @unsafe
    static func useLargePages(_ start: UnsafeMutableRawPointer, _ count: Int) {
      let pageSize = Int(getpagesize())
      let skipped = -Int(bitPattern: start) & (pageSize - 1)
      // SAFETY: whole pages of the allocated memory; what they hold does not depend on their size.
      _ = unsafe madvise(start + skipped, count - skipped, MADV_HUGEPAGE)
    }
  #else
    /// Whether a named pipe can be opened before it has a writer, for whom `poll` then waits.
    static let opensPipesWithoutWriter = false

    /// A pipe keeps its size.
    static func enlargePipe(_ number: Int32) {}

    /// No file without a name.
    static func openWithoutName(_ directory: FilePath) -> Int32 { -1 }

    /// The strings the process was started with, and their number.
    @unsafe static var argumentVector: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, Int) {
      unsafe (CommandLine.unsafeArgv, Int(CommandLine.argc))
    }

    /// Pages keep their size.
    static let hasLargePages = false

    /// The same.
    @unsafe
    static func useLargePages(_ start: UnsafeMutableRawPointer, _ count: Int) {}
  #endif
}

#if canImport(Glibc) && !TABLER_PORTABLE
  // Of `fcntl.h`; the C library's module leaves them out.

  /// `F_SETPIPE_SZ`.
  private let setPipeSize: Int32 = 1031

  /// `O_TMPFILE`.
  private let nameless = 0o20000000 | O_DIRECTORY
#endif
