/// A failed call to the system, with what it was about.
public struct SystemError: Error, Equatable, Sendable {
  /// The attempted operation.
  public enum Attempt: String, Sendable {
    /// Opening a file to read.
    case open
    /// Reading.
    case read
    /// Writing.
    case write
    /// Replacing an old file by a new one.
    case replace
    /// Creating or writing a temporary file; its folder is named.
    case writeTemporary
    /// Reading a temporary file; its folder is named.
    case readTemporary
    /// Reading the file that the table is written to.
    case readOutput
    /// Reading an input a second time that was truncated or changed meanwhile.
    case readAgain
    /// Starting a program.
    case start
    /// Decompressing a file, by a program that ended with the status `code`, or by the signal `-code`.
    case unpack
    /// Reading what a program writes, which ended with the status `code`, or by the signal `-code`; with 0 it wrote
    /// something else, or nothing.
    case answer
  }

  /// The attempted operation.
  public var operation: Attempt

  /// The file, or `nil` for a standard stream.
  public var path: FilePath?

  /// The system's number for the reason.
  public var code: Int32

  /// The program that should have read the file; empty if none should.
  public var program = ""

  /// Creates an error.
  public init(_ operation: Attempt, path: FilePath?, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// The system's text for the reason, such as `No such file or directory`.
  public var reason: String {
    // SAFETY: strerror returns a string that stays valid until the next call on this thread.
    unsafe String(cString: strerror(code))
  }

  /// Whether there is no file of that name.
  public var isMissingFile: Bool { operation == .open && code == ENOENT }

  /// Whether the reader at the other end of a pipe has gone.
  public var isBrokenPipe: Bool { operation == .write && code == EPIPE }
}
