#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that is written from its beginning, through a buffer.
struct OutputFile: ~Copyable {
  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var written = 0

  private static let capacity = 256 << 10

  init(path: String) throws(SystemFailure) {
    self.path = path
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SystemFailure(call: "open", subject: path) }
    buffer.reserveCapacity(Self.capacity + 4096)
  }

  deinit {
    close(descriptor)
  }

  mutating func write(_ text: String) throws(SystemFailure) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Writes what is left.
  ///
  /// - Returns: the size of the file.
  mutating func finish() throws(SystemFailure) -> Int {
    try flush()
    return written
  }

  private mutating func flush() throws(SystemFailure) {
    var start = 0
    while start < buffer.count {
      let count = unsafe buffer.withUnsafeBytes { bytes in
        unsafe send(descriptor, UnsafeRawBufferPointer(rebasing: bytes[start...]))
      }
      guard count > 0 else { throw SystemFailure(call: "write", subject: path) }
      start += count
    }
    written += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }
}

/// `write`, under a name that the methods of a file do not hide.
private func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
