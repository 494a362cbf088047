#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An open file, pipe or device.
///
/// Closed with its owner unless it is one of the standard streams.
@safe
final class Descriptor: ByteStore {
  /// The system's number.
  let number: Int32

  /// The path it was opened by; `nil` for a standard stream.
  let path: String?

  /// Whether it is a regular file.
  let isRegularFile: Bool

  private let closesAtEnd: Bool

  /// Whether it is a named pipe that was opened without waiting for somebody to write into it.
  private let mayLackWriter: Bool

  /// The standard input.
  static var standardInput: Descriptor { Descriptor(standard: 0) }

  /// Opens a file to read; on Linux a named pipe nobody writes into yet is waited for by `isReady` and `read` only.
  convenience init(reading path: String) throws(SystemError) {
    #if os(Linux)
      let mayLackWriter = Self.type(ofFile: path) == S_IFIFO
    #else
      let mayLackWriter = false
    #endif
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | (mayLackWriter ? O_NONBLOCK : 0))
    guard number >= 0 else { throw SystemError(.open, path: path, code: errno) }
    self.init(number: number, path: path, closesAtEnd: true, mayLackWriter: mayLackWriter)
  }

  /// Whether there is something at a path that can be read only once: a pipe or a device.
  static func isStream(_ path: String) -> Bool { type(ofFile: path).map { $0 != S_IFREG } ?? false }

  private static func type(ofFile path: String) -> mode_t? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// One of the standard streams.
  convenience init(standard number: Int32) {
    self.init(number: number, path: nil, closesAtEnd: false)
  }

  /// Takes over an open descriptor.
  init(number: Int32, path: String?, closesAtEnd: Bool, mayLackWriter: Bool = false) {
    self.number = number
    self.mayLackWriter = mayLackWriter
    self.path = path
    self.closesAtEnd = closesAtEnd
    var status = stat()
    let known = unsafe fstat(number, &status) == 0
    isRegularFile = known && status.st_mode & S_IFMT == S_IFREG
    #if os(Linux)
      if known && status.st_mode & S_IFMT == S_IFIFO { _ = fcntl(number, setPipeSize, 1 << 20) }
    #endif
  }

  deinit { if closesAtEnd { _ = close(number) } }

  /// Whether it is a terminal.
  var isTerminal: Bool { isatty(number) == 1 }

  /// Whether a read would find bytes, or the end, at once or within so many milliseconds; less than 0 waits on.
  func isReady(within milliseconds: Int) -> Bool {
    var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    while true {
      let count = unsafe poll(&request, 1, Int32(clamping: milliseconds))
      if count >= 0 || errno != EINTR { return count != 0 }
    }
  }

  /// Reads what is there, at most `limit` bytes, to the end of `block`.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  func read(into block: ByteBlock, atMost limit: Int = .max) throws(SystemError) -> Int {
    // Without a writer a read would find the end, which has not come yet.
    if mayLackWriter { _ = isReady(within: -1) }
    return try unsafe block.append { (room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int in
      while true {
        let count = unsafe posixRead(number, room.baseAddress, min(room.count, limit))
        if count >= 0 { return count }
        if errno == EAGAIN {
          _ = isReady(within: -1)
        } else if errno != EINTR {
          throw SystemError(.read, path: path, code: errno)
        }
      }
    }
  }

  /// Where reading goes on in a regular file that has bytes, so that they can be read again; `nil` for anything else.
  var place: StoredPlace? {
    var status = stat()
    guard isRegularFile, unsafe fstat(number, &status) == 0, status.st_size > 0 else { return nil }
    let offset = lseek(number, 0, SEEK_CUR)
    return offset < 0 ? nil : StoredPlace(store: self, offset: Int(offset))
  }

  /// Appends the `length` bytes from `offset` of a regular file on to `block`, which must have room for them.
  func read(at offset: Int, count length: Int, into block: ByteBlock) throws(SystemError) {
    var done = 0
    while done < length {
      done += try unsafe block.append { (room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int in
        let wanted = min(room.count, length - done)
        let count = unsafe pread(number, room.baseAddress, wanted, off_t(offset + done))
        if count > 0 { return count }
        if count < 0, errno == EINTR { return 0 }
        throw SystemError(count == 0 ? .readAgain : .read, path: path, code: count == 0 ? 0 : errno)
      }
    }
  }

  /// Writes all of `bytes`.
  func write(_ bytes: Span<UInt8>) throws(SystemError) {
    var offset = 0
    while offset < bytes.count {
      let rest = bytes.extracting(offset...)
      let count = unsafe rest.withUnsafeBytes { unsafe posixWrite(number, $0.baseAddress, $0.count) }
      if count >= 0 {
        offset += count
      } else if errno == EAGAIN {
        var request = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&request, 1, -1)
      } else if errno != EINTR {
        throw SystemError(.write, path: path, code: errno)
      }
    }
  }
}

#if os(Linux)
  /// `F_SETPIPE_SZ`, which the C library's module does not export.
  private let setPipeSize: Int32 = 1031
#endif

@unsafe private func posixRead(_ number: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(number, start, count)
}

@unsafe private func posixWrite(_ number: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(number, start, count)
}
