#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where the table goes: the standard output, or a file that appears whole or not at all.
///
/// A file is written beside its target under a temporary name, keeps the target's mode, is synced and then
/// renamed; a link is followed, also one that leads to no file yet. Devices, pipes and what is open already
/// (`/dev/stdout`) are written directly. Until `commit` the target is untouched.
@safe
public final class OutputFile {
  private let descriptor: Descriptor
  private let target: String?
  private let temporary: String?
  private var isDone = false

  /// The standard output.
  public init() {
    descriptor = Descriptor(standard: 1)
    target = nil
    temporary = nil
  }

  /// Prepares to write `path`.
  public init(replacing path: String) throws(SystemError) {
    if let number = Self.openNumber(path) {
      descriptor = Descriptor(number: number, path: path, closesAtEnd: false)
      target = nil
      temporary = nil
      return
    }
    let target = try Self.followingLinks(path)
    var status = stat()
    let exists = unsafe stat(target, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      let number = unsafe open(target, O_WRONLY | O_CLOEXEC)
      guard number >= 0 else { throw SystemError(.open, path: path, code: errno) }
      descriptor = Descriptor(number: number, path: path, closesAtEnd: true)
      self.target = nil
      temporary = nil
      return
    }
    if exists, unsafe access(target, W_OK) != 0 { throw SystemError(.open, path: path, code: errno) }
    let temporary = "\(target).\(getpid()).tmp"
    let mode = exists ? status.st_mode & 0o7777 : 0o666
    let number = try Interruption.removing(temporary) { () throws(SystemError) in
      let number = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      guard number >= 0 else { throw SystemError(.open, path: path, code: errno) }
      return number
    }
    if exists {
      _ = fchmod(number, mode)
      _ = fchown(number, status.st_uid, status.st_gid)
    }
    descriptor = Descriptor(number: number, path: path, closesAtEnd: true)
    self.target = target
    self.temporary = temporary
  }

  deinit {
    guard !isDone, let temporary else { return }
    _ = unsafe unlink(temporary)
    Interruption.forgets()
  }

  /// Writes all of `bytes`.
  public func write(_ bytes: Span<UInt8>) throws(SystemError) { try descriptor.write(bytes) }

  /// Puts the file in the place of its target.
  public func commit() throws(SystemError) {
    guard let temporary, let target else { return }
    guard fsync(descriptor.number) == 0 else { throw SystemError(.write, path: target, code: errno) }
    guard unsafe rename(temporary, target) == 0 else {
      throw SystemError(.replace, path: target, code: errno)
    }
    isDone = true
    Interruption.forgets()
  }

  /// The number of the open file that `path` stands for: a name for it would be opened from its start.
  private static func openNumber(_ path: String) -> Int32? {
    switch path {
    case "/dev/stdout": 1
    case "/dev/stderr": 2
    default: path.hasPrefix("/dev/fd/") ? Int32(path.dropFirst(8)) : nil
    }
  }

  /// Where a path leads: the file there is, or the one a link names that is not there yet.
  private static func followingLinks(_ start: String) throws(SystemError) -> String {
    var path = start
    while true {
      if let resolved = unsafe realpath(path, nil) {
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
      }
      if errno == ELOOP { throw SystemError(.open, path: start, code: ELOOP) }
      guard errno == ENOENT, let link = destination(ofLink: path) else { return path }
      let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
      path = link.hasPrefix("/") ? link : folder + link
    }
  }

  /// What a symbolic link holds; `nil` where `path` is none.
  private static func destination(ofLink path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe bytes.withUnsafeMutableBytes { buffer -> Int in
      guard let start = buffer.baseAddress else { return 0 }
      return unsafe readlink(path, start, buffer.count)
    }
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }
}
