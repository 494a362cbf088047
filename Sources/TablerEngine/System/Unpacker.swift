/// A program that decompresses files of its format.
public enum Unpacker: String, CaseIterable, Sendable {
  case gzip
  case zstd
  case xz
  case bzip2

  /// The bytes that a file of the format begins with.
  private var magic: [UInt8] {
    switch self {
    case .gzip: [0x1F, 0x8B]
    case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
    case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]
    case .bzip2: [0x42, 0x5A, 0x68]
    }
  }

  /// The program that only reads: `zcat` and its like.
  public var reader: String {
    switch self {
    case .gzip: "zcat"
    case .zstd: "zstdcat"
    case .xz: "xzcat"
    case .bzip2: "bzcat"
    }
  }

  /// The suffixes of its files.
  private static let suffixes: Set<String> = ["gz", "zst", "xz", "bz2"]

  /// The program for a file that begins with `bytes`; `nil` if it is not compressed.
  init?(_ bytes: Span<UInt8>) {
    for unpacker in Self.allCases {
      let magic = unpacker.magic
      guard bytes.count >= magic.count, bytes.extracting(..<magic.count).equals(magic.span) else { continue }
      // A digit says how large the blocks of bzip2 are.
      if unpacker == .bzip2, bytes.count < 4 || bytes[3] < 0x31 || bytes[3] > 0x39 { return nil }
      self = unpacker
      return
    }
    return nil
  }

  /// The program for an open file; `nil` if it is not compressed, or is no regular file.
  init?(of file: Descriptor) {
    guard file.isRegularFile, let bytes = try? file.read(0..<min(file.size, Self.longestMagic)) else {
      return nil
    }
    self.init(bytes.span)
  }

  /// The program for a file; `nil` if it is not compressed, or cannot be opened.
  public init?(ofFile path: FilePath) {
    guard !Descriptor.isStream(path), let file = try? Descriptor(reading: path) else { return nil }
    self.init(of: file)
  }

  private static let longestMagic = 6

  /// The path of what is in a compressed file, whose suffix tells the form of its records.
  static func path(inside path: FilePath) -> FilePath {
    guard suffixes.contains(path.suffix) else { return path }
    var bytes = path.bytes
    bytes.removeLast(path.suffix.utf8.count + 1)
    return FilePath(bytes)
  }

  /// Starts the program on an open file.
  func start(on file: Descriptor) throws(SystemError) -> ChildProcess {
    guard let program = FilePath(program: rawValue) else { throw failure(.start, of: file, code: ENOENT) }
    do { return try ChildProcess(program, [FilePath(rawValue), "-dc"], .unpacks(file.number)) } catch {
      throw failure(.start, of: file, code: error.code)
    }
  }

  /// Throws `unpack` unless the program ended well.
  func check(_ end: ChildProcess.End, of file: Descriptor) throws(SystemError) {
    switch end {
    case .exited(0): return
    case .exited(let status): throw failure(.unpack, of: file, code: status)
    case .killed(let signal): throw failure(.unpack, of: file, code: -signal)
    }
  }

  private func failure(_ attempt: SystemError.Attempt, of file: Descriptor, code: Int32) -> SystemError {
    var error = SystemError(attempt, path: file.path, code: code)
    error.program = rawValue
    return error
  }
}
