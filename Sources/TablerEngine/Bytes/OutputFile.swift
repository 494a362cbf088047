#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where the table goes: the standard output, or a file that appears whole or not at all.
///
/// A file is written beside its target under a temporary name, keeps the target's mode, is synced and then
/// renamed; a link is followed. Devices and pipes are written directly. Until `commit` the target is untouched.
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
    let target = Self.followingLinks(path)
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

  private static func followingLinks(_ path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
