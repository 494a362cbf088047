/// A call to the system that failed, with what it was about.
public struct SystemError: Error, Equatable, Sendable {
  /// What was tried.
  public enum Operation: String, Sendable {
    /// Opening a file to read.
    case open
    /// Reading.
    case read
    /// Writing.
    case write
    /// Putting a new file in the place of an old one.
    case replace
    /// Creating or writing a temporary file; its folder is named.
    case writeTemporary
    /// Reading a temporary file back; its folder is named.
    case readTemporary
    /// Reading the file that the table is written to.
    case readOutput
    /// Reading an input a second time, which was cut short or changed meanwhile.
    case readAgain
  }

  /// What was tried.
  public var operation: Operation

  /// The file, or `nil` for a standard stream.
  public var path: FilePath?

  /// The system's number for the reason.
  public var code: Int32

  /// Creates an error.
  public init(_ operation: Operation, path: FilePath?, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// The system's words for the reason, as in `No such file or directory`.
  public var reason: String {
    // SAFETY: strerror answers with a string that stays valid until the next call on this thread.
    unsafe String(cString: strerror(code))
  }

  /// Whether there is no file of that name.
  public var isMissingFile: Bool { operation == .open && code == ENOENT }

  /// Whether the reader at the other end of a pipe has gone.
  public var isBrokenPipe: Bool { operation == .write && code == EPIPE }
}
