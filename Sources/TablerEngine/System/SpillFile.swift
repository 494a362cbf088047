/// A temporary file without a name: data that does not fit into memory is appended to it and read back.
///
/// It disappears when the program ends, however that happens, because no folder ever lists it, or only for
/// the moment between opening and unlinking, when all signals are blocked. One thread appends; then any
/// thread may read.
@safe
final class SpillFile: ByteStore, @unchecked Sendable {
  // Why it may be shared: everything except `count` is constant. `count` belongs to the thread that appends;
  // reading does not use it, and only reads bytes that were appended before the reader was told about them.

  /// The folder whose file system holds the file.
  let directory: FilePath

  /// The number of bytes appended so far.
  private(set) var count = 0

  private let descriptor: Descriptor

  /// Opens an empty file.
  ///
  /// - Parameters:
  ///   - directory: the folder; by default that of the environment (`TMPDIR`), otherwise `/var/tmp`.
  ///   - isNameless: whether to try first a file that never has a name.
  init(in directory: FilePath? = nil, isNameless: Bool = true) throws(SystemError) {
    let directory = directory ?? Self.standardDirectory
    self.directory = directory
    var number = isNameless ? Shortcuts.openWithoutName(directory) : -1
    if number < 0 { number = try Self.openAndUnlink(directory) }
    descriptor = Descriptor(number: number, path: directory, closesAtEnd: true)
  }

  /// The folder of temporary files: `TMPDIR`, otherwise `/var/tmp`.
  static var standardDirectory: FilePath {
    guard let directory = Process.path(ofVariable: "TMPDIR"), !directory.bytes.isEmpty else {
      return "/var/tmp"
    }
    return directory
  }

  /// The error for bytes that differ from what was appended.
  var damage: SystemError { SystemError(.readTemporary, path: directory, code: EIO) }

  /// The number of the open file, from whose beginning a program may read.
  var number: Int32 { descriptor.number }

  /// Appends all of `bytes`.
  func append(_ bytes: Span<UInt8>) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let rest = bytes.extracting(done...)
      let written = unsafe rest.withUnsafeBytes {
        unsafe pwrite(descriptor.number, $0.baseAddress, $0.count, off_t(count))
      }
      if written > 0 {
        done += written
        count += written
      } else if written == 0 || errno != EINTR {
        throw SystemError(.writeTemporary, path: directory, code: written == 0 ? ENOSPC : errno)
      }
    }
  }

  /// A block of the bytes of a range.
  func read(_ range: Range<Int>) throws(SystemError) -> ByteBlock {
    do {
      return try descriptor.read(range)
    } catch {
      throw error.operation == .readAgain
        ? damage : SystemError(.readTemporary, path: directory, code: error.code)
    }
  }
}

extension SpillFile {
  /// A file whose name is removed as soon as it is open; no signal can come between.
  private static func openAndUnlink(_ directory: FilePath) throws(SystemError) -> Int32 {
    try Interruption.holding { () throws(SystemError) in
      for _ in 0..<100 {
        let path = directory.appending(.temporary("/tabler-"))
        let number = unsafe path.withCString {
          unsafe open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        if number >= 0 {
          if unsafe path.withCString({ unsafe unlink($0) }) == 0 { return number }
          let code = errno
          _ = close(number)
          throw SystemError(.writeTemporary, path: directory, code: code)
        }
        if errno != EEXIST, errno != EINTR { break }
      }
      throw SystemError(.writeTemporary, path: directory, code: errno)
    }
  }
}
