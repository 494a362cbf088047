import Synchronization

/// An open file, pipe or device.
///
/// It is closed with its owner unless it is one of the standard streams.
@safe
final class Descriptor: ByteStore {
  /// The system's number.
  let number: Int32

  /// The path it was opened by; `nil` for a standard stream.
  let path: FilePath?

  /// Whether it is a regular file.
  let isRegularFile: Bool

  private let closesAtEnd: Bool

  /// The state of a regular file when it was opened for reading: it must not be changed meanwhile.
  private let version: FileVersion?

  /// Whether it is a named pipe that was opened without waiting for a writer.
  private let mayLackWriter: Bool

  /// The standard input.
  static var standardInput: Descriptor {
    Descriptor(number: 0, path: nil, closesAtEnd: false, isInput: true)
  }

  /// Opens a file to read.
  ///
  /// On Linux with glibc this does not wait for the writer of a named pipe; `isReady` and `read` do.
  convenience init(reading path: FilePath) throws(SystemError) {
    let mayLackWriter = Shortcuts.opensPipesWithoutWriter && Self.isNamedPipe(path)
    let flags = O_RDONLY | O_CLOEXEC | (mayLackWriter ? O_NONBLOCK : 0)
    let number = unsafe path.withCString { unsafe open($0, flags) }
    guard number >= 0 else { throw SystemError(.open, path: path, code: errno) }
    self.init(number: number, path: path, closesAtEnd: true, isInput: true, mayLackWriter: mayLackWriter)
  }

  /// Takes an exclusive lock, held until the file is closed, against other runs of tabler, which only hold it
  /// for a moment.
  ///
  /// Gives up silently after a second, or if the file system has no locks.
  func lock() {
    for _ in 0..<100 {
      if flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return }
      usleep(10_000)
    }
  }

  /// Opens a device or pipe to write; `path` is what the user called it.
  convenience init(writing target: FilePath, as path: FilePath) throws(SystemError) {
    let number = unsafe target.withCString { unsafe open($0, O_WRONLY | O_CLOEXEC) }
    guard number >= 0 else { throw SystemError(.open, path: path, code: errno) }
    self.init(number: number, path: path, closesAtEnd: true)
  }

  /// Writes to where a descriptor leads that was open for writing before the program began.
  ///
  /// The number is copied, so that no file opened later can take its place.
  convenience init(sharing number: Int32, path: FilePath) throws(SystemError) {
    let flags = fcntl(number, F_GETFL)
    guard flags >= 0, flags & O_ACCMODE != O_RDONLY else { throw SystemError(.open, path: path, code: EBADF) }
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw SystemError(.open, path: path, code: errno) }
    self.init(number: copy, path: path, closesAtEnd: true)
  }

  /// Whether a path leads to something that can be read only once: a pipe or a device.
  static func isStream(_ path: FilePath) -> Bool {
    status(ofFile: path).map { $0.st_mode & S_IFMT != S_IFREG } ?? false
  }

  /// Whether a path leads to a named pipe.
  static func isNamedPipe(_ path: FilePath) -> Bool {
    status(ofFile: path).map { $0.st_mode & S_IFMT } == S_IFIFO
  }

  /// Whether the file at a path is a regular one whose last byte does not end a line.
  static func endsInsideLine(_ path: FilePath) -> Bool {
    guard let status = status(ofFile: path), status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
      let last = try? Descriptor(reading: path).read(Int(status.st_size) - 1..<Int(status.st_size))
    else { return false }
    return last[0] != 10 && last[0] != 13
  }

  /// The size of a regular file in bytes; `nil` for anything else.
  static func size(ofFile path: FilePath) -> Int? {
    guard let status = status(ofFile: path), status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// The system's information about the file at a path; `nil` if there is none.
  static func status(ofFile path: FilePath) -> stat? {
    var status = stat()
    return unsafe path.withCString({ unsafe stat($0, &status) }) == 0 ? status : nil
  }

  /// Gives the standard streams that are closed a descriptor that fails when it is used.
  ///
  /// Otherwise the next file opened would get the number, and messages or tables would be written to that file.
  static func fillStandardStreams() {
    for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
      let mode = number == 0 ? O_WRONLY : O_RDONLY
      // Without devices the root will do: a folder can be neither read nor written.
      if unsafe open("/dev/null", mode) < 0 { _ = unsafe open("/", O_RDONLY) }
    }
  }

  /// One of the standard streams.
  convenience init(standard number: Int32) {
    self.init(number: number, path: nil, closesAtEnd: false)
  }

  /// Takes over an open descriptor.
  init(
    number: Int32, path: FilePath?, closesAtEnd: Bool, isInput: Bool = false, mayLackWriter: Bool = false
  ) {
    self.number = number
    self.mayLackWriter = mayLackWriter
    self.path = path
    self.closesAtEnd = closesAtEnd
    let status = Self.status(of: number)
    let type = status.map { $0.st_mode & S_IFMT }
    isRegularFile = type == S_IFREG
    version = isInput && isRegularFile ? status.map(FileVersion.init) : nil
    if type == S_IFIFO { Shortcuts.enlargePipe(number) }
  }

  deinit { if closesAtEnd { _ = close(number) } }

  /// Whether it is a terminal.
  var isTerminal: Bool { isatty(number) == 1 }

  /// Whether a descriptor is a pipe or a socket.
  static func isPipe(_ number: Int32) -> Bool {
    let type = status(of: number).map { $0.st_mode & S_IFMT }
    return type == S_IFIFO || type == S_IFSOCK
  }

  /// Whether a read would find bytes, or the end, at once or within `milliseconds`; a negative number waits
  /// indefinitely.
  func isReady(within milliseconds: Int) -> Bool {
    var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    while true {
      let count = unsafe poll(&request, 1, Int32(clamping: milliseconds))
      if count >= 0 || errno != EINTR { return count != 0 }
    }
  }

  /// The pager that shows what is made from the input.
  struct Viewer: Sendable {
    /// The number of the pipe that it reads.
    var pipeNumber: Int32

    /// Called when it has stopped reading: shows on the terminal what it did not show, and returns whether
    /// input is still wanted.
    var isReplaced: @Sendable () -> Bool
  }

  /// The pager while there is one: a wait for bytes ends when it stops reading.
  static var viewer: Viewer? {
    get { currentViewer.access { $0 } }
    set { currentViewer.access { $0 = newValue } }
  }

  private static let currentViewer = Monitor<Viewer?>(nil)

  /// Whether a wait for bytes ends once nobody reads the standard output: others compute for what is read.
  static let watchesOutput = Atomic(false)

  /// The size of a regular file in bytes, when it was opened or since.
  var size: Int { Self.status(of: number).map { Int($0.st_size) } ?? 0 }

  /// Waits until there are bytes to read, if the wait must be shown or may be ended.
  ///
  /// - Throws: a broken pipe if the user quits the pager first.
  private func waitForBytes() throws(SystemError) {
    let viewer = Self.viewer
    var timeout = Progress.wait()
    let watchesOutput = Self.watchesOutput.load(ordering: .relaxed)
    if viewer == nil, timeout < 0, !Progress.countsLines, !watchesOutput { return }
    defer { Progress.stopWaiting() }
    var requests = [
      pollfd(fd: number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: viewer?.pipeNumber ?? (watchesOutput ? 1 : -1), events: 0, revents: 0),
    ]
    while true {
      let count = unsafe poll(&requests, 2, Int32(clamping: timeout))
      if count == 0 {
        timeout = -1
        Progress.waitOn()
      } else if count < 0 {
        if errno != EINTR { return }
      } else if requests[0].revents != 0 {
        return
      } else if viewer?.isReplaced() ?? false {
        requests[1].fd = -1
      } else if viewer == nil {
        Process.endByBrokenPipe()
      } else {
        throw SystemError(.write, path: nil, code: EPIPE)
      }
    }
  }

  /// Appends the available bytes, at most `limit`, to the end of `builder`.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  func read(into builder: inout ByteBlock.Builder, atMost limit: Int = .max) throws(SystemError) -> Int {
    // Without a writer a read would find the end, which has not come yet.
    if mayLackWriter { _ = isReady(within: -1) }
    if !isRegularFile { try waitForBytes() }
    return try unsafe builder.append { (room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int in
      while true {
        let count = unsafe posixRead(number, room.baseAddress, min(room.count, limit))
        if count >= 0 {
          if !isRegularFile, Progress.countsLines {
            let new = unsafe Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(rebasing: room[..<count]))
            Progress.read(lines: new.lineEnds)
          }
          Progress.read(bytes: count)
          return count
        }
        if errno == EAGAIN {
          _ = isReady(within: -1)
        } else if errno != EINTR {
          throw SystemError(.read, path: path, code: errno)
        }
      }
    }
  }

  /// The place where reading continues in a regular file that has bytes, so that they can be read again;
  /// `nil` for anything else.
  var place: StoredPlace? {
    guard isRegularFile, let status, status.st_size > 0 else { return nil }
    let offset = lseek(number, 0, SEEK_CUR)
    return offset < 0 ? nil : StoredPlace(store: self, offset: Int(offset))
  }

  /// Whether this is the regular file at a path, or that of the standard input, and is not empty.
  func isFile(at path: FilePath?) -> Bool {
    let other = path.map(Self.status(ofFile:)) ?? Self.status(of: 0)
    guard isRegularFile, let status, let other else { return false }
    return status.st_dev == other.st_dev && status.st_ino == other.st_ino && status.st_size > 0
  }

  /// Whether what is written to it is thrown away.
  var isNullDevice: Bool {
    guard let status, let null = Self.status(ofFile: FilePath("/dev/null")) else { return false }
    return status.st_mode & S_IFMT == S_IFCHR && status.st_rdev == null.st_rdev
  }

  /// The size of a regular file to which only this run writes; `nil` if it is anything else, is open for appending, is not
  /// at its end, or is the standard error, too.
  var ownEnd: off_t? {
    guard isRegularFile, let status, fcntl(number, F_GETFL) & O_APPEND == 0,
      lseek(number, 0, SEEK_CUR) == status.st_size
    else { return nil }
    let messages = Self.status(of: 2)
    return messages?.st_dev == status.st_dev && messages?.st_ino == status.st_ino ? nil : status.st_size
  }

  /// Cuts a file to a size, where writing then goes on.
  func cut(to size: off_t) {
    _ = ftruncate(number, size)
    _ = lseek(number, size, SEEK_SET)
  }

  private var status: stat? { Self.status(of: number) }

  /// The system's information about an open file; `nil` if there is none.
  static func status(of number: Int32) -> stat? {
    var status = stat()
    return unsafe fstat(number, &status) == 0 ? status : nil
  }

  /// The error for a file that was changed since it was opened.
  var damage: SystemError { SystemError(.readAgain, path: path, code: 0) }

  /// A block of the bytes of a range of a regular file.
  ///
  /// - Throws: `readAgain` if the file was changed since it was opened, even if only its times were.
  func read(_ range: Range<Int>) throws(SystemError) -> ByteBlock {
    var builder = ByteBlock.Builder(capacity: range.count)
    while builder.count < range.count {
      let start = range.lowerBound + builder.count
      _ = try unsafe builder.append { (room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int in
        let count = unsafe pread(number, room.baseAddress, range.upperBound - start, off_t(start))
        if count > 0 { return count }
        if count < 0, errno == EINTR { return 0 }
        throw SystemError(count == 0 ? .readAgain : .read, path: path, code: count == 0 ? 0 : errno)
      }
    }
    if let version, status.map(FileVersion.init) != version { throw damage }
    return builder.finish()
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

/// The state of a file: its size and the times at which it was changed.
struct FileVersion: Equatable {
  private let file: [Int]
  private let size: Int
  private let changes: [Int]

  /// The state of the file at a path; `nil` if there is none.
  init?(at path: FilePath) {
    guard let status = Descriptor.status(ofFile: path) else { return nil }
    self.init(status)
  }

  /// The state of a file.
  init(_ status: stat) {
    file = [Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino)]
    size = Int(status.st_size)
    changes = status.changeTimes.flatMap { [Int($0.tv_sec), Int($0.tv_nsec)] }
  }
}

@unsafe private func posixRead(_ number: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(number, start, count)
}

@unsafe private func posixWrite(_ number: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(number, start, count)
}

/// A file whose bytes can be read again, at any offset and by any thread.
protocol ByteStore: AnyObject, Sendable {
  /// The error for bytes that have changed.
  var damage: SystemError { get }

  /// A block of the bytes of a range.
  func read(_ range: Range<Int>) throws(SystemError) -> ByteBlock
}

/// A place in a file that can be read again.
struct StoredPlace: Sendable {
  /// The file.
  var store: any ByteStore

  /// The number of bytes before the place.
  var offset: Int

  /// The place in the same file, `distance` bytes further on.
  func advanced(by distance: Int) -> StoredPlace {
    StoredPlace(store: store, offset: offset + distance)
  }
}
