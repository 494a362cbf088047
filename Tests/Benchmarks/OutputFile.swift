#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that is written from its beginning, through a buffer, and has its name when it is whole.
struct OutputFile: ~Copyable {
  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  private static let capacity = 256 << 10
  private static let suffix = ".part"

  init(path: String) throws(SystemFailure) {
    self.path = path
    descriptor = unsafe open(path + Self.suffix, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
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

  /// Writes what is left, and gives the file its name.
  mutating func finish() throws(SystemFailure) {
    try flush()
    guard unsafe rename(path + Self.suffix, path) == 0 else {
      throw SystemFailure(call: "rename", subject: path)
    }
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
    buffer.removeAll(keepingCapacity: true)
  }
}

/// `write`, under a name that the methods of a file do not hide.
private func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
