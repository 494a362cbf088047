#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The name of a file as the system has it: bytes, which need not be UTF-8.
public struct FilePath: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The bytes; a NUL among them would end the name for the system.
  public let bytes: [UInt8]

  /// Creates a path of bytes.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Creates a path of the bytes of a text.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// Creates a path of the bytes of a text.
  public init(stringLiteral text: String) { self.init(text) }

  /// The path as text; bytes that are not UTF-8 become U+FFFD, so it may name another file.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether it begins at the root.
  var isAbsolute: Bool { bytes.first == Self.slash }

  /// The folder that holds the file, with its slash; empty for the working folder.
  var folder: FilePath { FilePath(Array(bytes.prefix((bytes.lastIndex(of: Self.slash) ?? -1) + 1))) }

  /// The path `name` below this folder, which ends with a slash or is empty.
  func appending(_ name: FilePath) -> FilePath { FilePath(bytes + name.bytes) }

  /// Calls `body` with the bytes and a NUL.
  func withCString<Result, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
    // SAFETY: the array ends with a NUL and lives until `body` returns.
    return try unsafe terminated.withUnsafeBufferPointer { (buffer) throws(Failure) in
      guard let start = buffer.baseAddress else {
        preconditionFailure("an array that is not empty has an address")
      }
      return try unsafe body(start)
    }
  }

  /// Creates a path of what a C function answered; the bytes are copied.
  @unsafe init(cString: UnsafePointer<CChar>) {
    unsafe self.init([UInt8](UnsafeRawBufferPointer(start: cString, count: strlen(cString))))
  }

  private static let slash = UInt8(ascii: "/")
}
