/// The name of a file as the system uses it: bytes, which need not be UTF-8.
public struct FilePath: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The bytes; a NUL among them would end the name for the system.
  public let bytes: [UInt8]

  /// Creates a path from bytes.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Creates a path from the bytes of a text.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// Creates a path from the bytes of a text.
  public init(stringLiteral text: String) { self.init(text) }

  /// The path as text; bytes that are not UTF-8 become U+FFFD, so that it may name another file.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The part after the last dot of the file's name, in lower case; empty if there is none.
  public var suffix: String {
    let name = bytes.suffix(from: (bytes.lastIndex(of: Self.slash) ?? -1) + 1)
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  /// The name of the file without its folder and its suffix.
  var stem: String {
    let name = name.bytes
    let end = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    return String(decoding: end > 0 ? name[..<end] : name[...], as: UTF8.self)
  }

  /// A name for a temporary file that no other run uses.
  static func temporary(_ beginning: String) -> FilePath {
    FilePath("\(beginning)\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp")
  }

  /// Whether it begins at the root.
  public var isAbsolute: Bool { bytes.first == Self.slash }

  /// The folder that holds the file, with its slash; empty for the working folder.
  public var folder: FilePath { FilePath(Array(bytes.prefix((bytes.lastIndex(of: Self.slash) ?? -1) + 1))) }

  /// The name of the file in its folder.
  public var name: FilePath { FilePath(Array(bytes[((bytes.lastIndex(of: Self.slash) ?? -1) + 1)...])) }

  /// The path `name` below this folder, which ends with a slash or is empty.
  func appending(_ name: FilePath) -> FilePath { FilePath(bytes + name.bytes) }

  /// The names of the files in its folder, sorted, except hidden ones; at most some thousands are read.
  public var neighbors: [FilePath] {
    let folder = bytes.contains(Self.slash) ? folder : FilePath(".")
    guard let stream = unsafe folder.withCString({ unsafe opendir($0) }) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [FilePath] = []
    while names.count < 10_000, let entry = unsafe readdir(stream) {
      // SAFETY: the name is a string in the entry, which stays until the next is read.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
        unsafe start.withMemoryRebound(to: CChar.self, capacity: 1) { unsafe FilePath(cString: $0) }
      }
      if name.bytes.first != UInt8(ascii: ".") { names.append(name) }
    }
    return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  /// The path of a program, searched for in the folders of `PATH` if it is only a name; `nil` if it is in none of them.
  init?(program: String) {
    let name = FilePath(program)
    if program.contains("/") {
      guard name.isProgram else { return nil }
      self = name
      return
    }
    let folders = Process.path(ofVariable: "PATH") ?? "/usr/local/bin:/usr/bin:/bin"
    let paths = folders.bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).lazy.map {
      FilePath($0.isEmpty ? [] : Array($0) + [Self.slash]).appending(name)
    }
    guard let path = paths.first(where: \.isProgram) else { return nil }
    self = path
  }

  /// Whether it is a regular file that this process may run.
  var isProgram: Bool {
    guard isRegularFile else { return false }
    return unsafe withCString { unsafe access($0, X_OK) } == 0
  }

  /// Whether a regular file, or a link to one, is there.
  public var isRegularFile: Bool {
    Descriptor.status(ofFile: self).map { $0.st_mode & S_IFMT == S_IFREG } ?? false
  }

  /// The bytes of the file, at most the first `limit`.
  public func contents(atMost limit: Int) throws(SystemError) -> [UInt8] {
    let descriptor = try Descriptor(reading: self)
    var bytes = ByteBlock.Builder(capacity: limit)
    while bytes.count < limit, try descriptor.read(into: &bytes, atMost: limit - bytes.count) > 0 {}
    return [UInt8](bytes.span)
  }

  /// Calls `body` with the bytes and a NUL.
  func withCString<Result, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
    // SAFETY: the array ends with a NUL and lives until `body` returns.
    return try unsafe body(terminated)
  }

  /// Creates a path from the result of a C function; the bytes are copied.
  @unsafe init(cString: UnsafePointer<CChar>) {
    unsafe self.init([UInt8](UnsafeRawBufferPointer(start: cString, count: strlen(cString))))
  }

  private static let slash = UInt8(ascii: "/")
}
