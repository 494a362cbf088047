import Synchronization

/// The destination of the table: the standard output, or a file that appears complete or not at all.
///
/// A file is written next to its target under a temporary name that no other run can have, keeps the target's
/// mode, is synced and then renamed; a link is followed, even one that leads to no file yet. Devices, pipes
/// and descriptors that are already open (`/dev/stdout`) are written directly. Until `commit` the target is
/// unchanged.
@safe
public final class OutputFile {
  private let descriptor: Descriptor
  private let target: FilePath?
  private let temporary: FilePath?
  private var isDone = false

  /// What was written, if nothing may be seen before all is known to be right.
  private var held: HeldBytes?

  /// The size to which a file is cut if what was written turns out not to be right.
  private var sizeBefore: off_t?

  /// The required state of the target, if it may only be replaced in that state.
  private let version: FileVersion?

  /// Shows the output a screen at a time, if that is wanted.
  let paged: PagedOutput?

  /// Whether the file gets another owner or group than the one that it replaces.
  let changesOwner: Bool

  /// Whether the file appears complete or not at all.
  var replaces: Bool { temporary != nil }

  /// The standard output.
  public convenience init() { self.init(writing: Descriptor(standard: 1)) }

  /// The standard output, a terminal, shown by a pager.
  convenience init(showing paged: PagedOutput) { self.init(writing: Descriptor(standard: 1), paged) }

  /// Prepares to write `path`.
  ///
  /// - Parameter version: the state in which the file must still be when it is replaced.
  convenience init(replacing path: FilePath, if version: FileVersion? = nil) throws(SystemError) {
    if let number = Self.openNumber(path) {
      self.init(writing: try Descriptor(sharing: number, path: path))
      return
    }
    let target = try Self.followingLinks(path)
    let status = Descriptor.status(ofFile: target)
    if let status, status.st_mode & S_IFMT != S_IFREG {
      self.init(writing: try Descriptor(writing: target, as: path))
      return
    }
    try self.init(beside: target, as: path, like: status, if: version)
  }

  /// Writes directly to a descriptor.
  private init(writing descriptor: Descriptor, _ paged: PagedOutput? = nil) {
    self.descriptor = descriptor
    self.paged = paged
    target = nil
    temporary = nil
    version = nil
    changesOwner = false
  }

  /// Creates the temporary file next to a target, with the mode and owner of the existing file.
  private init(
    beside target: FilePath, as path: FilePath, like status: stat?, if version: FileVersion?
  ) throws(SystemError) {
    if status != nil {
      guard unsafe target.withCString({ unsafe access($0, W_OK) }) == 0 else {
        throw SystemError(.open, path: path, code: errno)
      }
    }
    let mode = (status?.st_mode ?? 0o666) & 0o7777
    let (temporary, number) = try Self.create(in: target.folder, mode, as: status == nil ? path : nil)
    var changesOwner = false
    if let status {
      // A user who may not give a file to its owner may still give it to its group.
      if fchown(number, status.st_uid, status.st_gid) != 0 { _ = fchown(number, uid_t.max, status.st_gid) }
      let new = Descriptor.status(of: number)
      changesOwner = new?.st_uid != status.st_uid || new?.st_gid != status.st_gid
      // A new owner may clear bits of the mode, so the mode comes last. The file must not run as another user
      // than before.
      _ = fchmod(number, changesOwner ? mode & 0o1777 : mode)
    }
    self.changesOwner = changesOwner
    paged = nil
    descriptor = Descriptor(number: number, path: path, closesAtEnd: true)
    self.target = target
    self.temporary = temporary
    self.version = version
  }

  deinit {
    if let sizeBefore {
      descriptor.cut(to: sizeBefore)
      Interruption.cutsNothing()
    }
    guard !isDone, let temporary else { return }
    Interruption.remove(temporary)
  }

  /// Writes all of `bytes`.
  public func write(_ bytes: Span<UInt8>) throws(SystemError) {
    if held != nil { return try held?.append(bytes) ?? () }
    if !descriptor.isRegularFile { Progress.end() }
    if let paged { return try paged.write(bytes) }
    try descriptor.write(bytes)
    guard temporary == nil, bytes.count > 0 else { return }
    let endsLine = bytes[bytes.count - 1] == UInt8(ascii: "\n")
    Self.openLine.store(endsLine ? -1 : descriptor.number, ordering: .relaxed)
  }

  /// The descriptor to which the start of a line was written but not yet its end; -1 if there is none.
  private static let openLine = Atomic<Int32>(-1)

  /// Whether a message would continue a line of the table, if a terminal or file shows both; true only once
  /// for each line.
  static func continuesLine(of message: Descriptor) -> Bool {
    let number = openLine.exchange(-1, ordering: .relaxed)
    guard number >= 0, let mine = Descriptor.status(of: number),
      let other = Descriptor.status(of: message.number)
    else { return false }
    return mine.st_dev == other.st_dev && mine.st_ino == other.st_ino
  }

  /// Removes the last bytes written from a file that appears complete.
  func takeBack(_ count: Int) throws(SystemError) {
    let end = lseek(descriptor.number, 0, SEEK_CUR)
    guard end >= 0, ftruncate(descriptor.number, end - off_t(count)) == 0 else {
      throw SystemError(.write, path: descriptor.path, code: errno)
    }
  }

  /// Leaves nothing of what is written unless it is committed.
  ///
  /// A regular file to which only this run writes is cut back then. What is written elsewhere is held until then; the
  /// null device, which nobody reads, is written at once.
  ///
  /// - Parameter room: the bytes that are held in memory; if there are more, they go to a temporary file.
  func takeBackUnlessCommitted(room: Int) {
    if replaces || descriptor.isNullDevice { return }
    sizeBefore = descriptor.ownEnd
    if let sizeBefore {
      Interruption.cuts(descriptor.number, to: sizeBefore)
    } else {
      held = HeldBytes(room: room)
    }
  }

  /// Moves the file to its target.
  ///
  /// - Throws: `readAgain` if the target was changed meanwhile although it must not be.
  public func commit() throws(SystemError) {
    if let held = held.take() { try held.write(to: self) }
    if sizeBefore.take() != nil { Interruption.cutsNothing() }
    guard let temporary, let target else { return }
    guard fsync(descriptor.number) == 0 else { throw SystemError(.write, path: descriptor.path, code: errno) }
    if let version {
      // If two runs read the same state, the second must see what the first made of it.
      let lock = try? Descriptor(reading: target)
      lock?.lock()
      guard FileVersion(at: target) == version else {
        throw SystemError(.readAgain, path: descriptor.path, code: 0)
      }
      try replace(target, by: temporary)
      withExtendedLifetime(lock) {}
    } else {
      try replace(target, by: temporary)
    }
  }

  private func replace(_ target: FilePath, by temporary: FilePath) throws(SystemError) {
    let renamed = unsafe temporary.withCString { old in unsafe target.withCString { unsafe rename(old, $0) } }
    guard renamed == 0 else { throw SystemError(.replace, path: descriptor.path, code: errno) }
    isDone = true
    Interruption.forget(temporary)
  }

  /// Whether two files that are replaced are the same, whatever they were called.
  func replacesSameFile(as other: OutputFile) -> Bool {
    guard let target, let path = other.target else { return false }
    if target == path || replacesFile(at: path) { return true }
    // Neither may exist yet.
    let here = FilePath(".")
    guard target.name == path.name,
      let mine = Descriptor.status(ofFile: target.folder.appending(here)),
      let its = Descriptor.status(ofFile: path.folder.appending(here))
    else { return false }
    return mine.st_dev == its.st_dev && mine.st_ino == its.st_ino
  }

  /// Whether the file at a path, or that of the standard input, is the one that is replaced, whatever it was
  /// called.
  func replacesFile(at path: FilePath?) -> Bool {
    let status = path.map { Descriptor.status(ofFile: $0) } ?? Descriptor.status(of: 0)
    guard let target, let mine = Descriptor.status(ofFile: target), let other = status else { return false }
    return mine.st_dev == other.st_dev && mine.st_ino == other.st_ino
  }

  /// Whether the file at a path, or that of the standard input, is written to while it is read.
  ///
  /// Each row written would be read again.
  func isFed(by path: FilePath?) -> Bool { temporary == nil && descriptor.isFile(at: path) }

  /// The number of the open file that `path` denotes: opening it by name would begin at its start.
  private static func openNumber(_ path: FilePath) -> Int32? {
    switch path.text {
    case "/dev/stdout": 1
    case "/dev/stderr": 2
    case let text where text.hasPrefix("/dev/fd/"): Int32(text.dropFirst(8))
    default: nil
    }
  }
}

extension OutputFile {
  /// Creates a file with a random name: files left behind by a killed run are never in the way.
  ///
  /// The length of the name does not depend on that of the target, which may be as long as names can be.
  ///
  /// - Parameter path: the file named in an error if it cannot be created: the new file, or else the folder.
  private static func create(
    in folder: FilePath, _ mode: mode_t, as path: FilePath?
  ) throws(SystemError) -> (FilePath, Int32) {
    while true {
      let temporary = folder.appending(.temporary(".tabler-"))
      let number = Interruption.removing(temporary) {
        unsafe temporary.withCString {
          unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        }
      }
      if number >= 0 { return (temporary, number) }
      guard errno == EEXIST || errno == EINTR else {
        throw path.map { SystemError(.open, path: $0, code: errno) }
          ?? SystemError(.writeTemporary, path: folder, code: errno)
      }
    }
  }

  /// The destination of a path: the existing file, or the one that a link names and that does not exist yet.
  private static func followingLinks(_ start: FilePath) throws(SystemError) -> FilePath {
    var path = start
    while true {
      if let resolved = unsafe path.withCString({ unsafe realpath($0, nil) }) {
        defer { unsafe free(resolved) }
        return unsafe FilePath(cString: resolved)
      }
      if errno == ELOOP { throw SystemError(.open, path: start, code: ELOOP) }
      guard errno == ENOENT, let link = destination(ofLink: path) else { return path }
      path = link.isAbsolute ? link : path.folder.appending(link)
    }
  }

  /// The destination of a symbolic link; `nil` if `path` is not one.
  private static func destination(ofLink path: FilePath) -> FilePath? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe path.withCString { name in
      unsafe bytes.withUnsafeMutableBytes { buffer -> Int in
        guard let start = buffer.baseAddress else { return 0 }
        return unsafe readlink(name, start, buffer.count)
      }
    }
    return count > 0 ? FilePath(Array(bytes.prefix(count))) : nil
  }
}

/// Bytes that wait until they may be written; if there are many, in a temporary file.
private struct HeldBytes: ~Copyable {
  /// Those in memory: full parts, and the last one.
  private var parts: [ByteBlock] = []
  private var last = ByteBuffer(capacity: 0)

  private var file: SpillFile?
  private let room: Int

  /// The bytes in full parts.
  private var fullCount = 0

  /// The number of bytes that are read back together.
  private static let readSize = 1 << 20

  /// The bytes of a part in memory: every part but the first is allocated whole, so that it is never moved.
  private static let partSize = Memory.hugeSize

  /// Holds no bytes.
  ///
  /// - Parameter room: the bytes that are held in memory.
  init(room: Int) { self.room = room }

  /// Appends bytes.
  mutating func append(_ bytes: Span<UInt8>) throws(SystemError) {
    if !last.isEmpty, last.count + bytes.count > Self.partSize {
      fullCount += last.count
      parts.append(ByteBlock(taking: &last))
      last = ByteBuffer(capacity: Self.partSize)
    }
    last.append(bytes)
    guard fullCount + last.count > room else { return }
    let file = if let file { file } else { try SpillFile() }
    self.file = file
    for part in parts { try file.append(part.span) }
    try file.append(last.span)
    parts = []
    fullCount = 0
    last.removeAll()
  }

  /// Writes all bytes, in order.
  func write(to output: OutputFile) throws(SystemError) {
    if let file {
      for start in stride(from: 0, to: file.count, by: Self.readSize) {
        let part = try file.read(start..<min(start + Self.readSize, file.count))
        try output.write(part.span)
      }
    }
    for part in parts { try output.write(part.span) }
    try output.write(last.span)
  }
}
