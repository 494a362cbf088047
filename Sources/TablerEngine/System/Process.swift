/// The context that the process was started in: arguments, environment, terminals.
public enum Process {
  /// The arguments after the program's name, byte for byte.
  public static var arguments: [[UInt8]] { Array(words.dropFirst()) }

  /// The name the program was started by.
  private static var programName: String {
    words.first.map { String(decoding: $0, as: UTF8.self) } ?? "tabler"
  }

  /// What starts the program from any folder: its name if it was found by that, otherwise its path.
  public static var programPath: String {
    let name = programName
    guard name.contains("/"), !name.hasPrefix("/"), let folder = workingFolder else { return name }
    return folder + "/" + name
  }

  /// The folder the process works in.
  private static var workingFolder: String? {
    guard let folder = unsafe getcwd(nil, 0) else { return nil }
    // SAFETY: `getcwd` has allocated the text, which ends with a null.
    defer { unsafe free(folder) }
    return unsafe String(cString: folder)
  }

  /// The program's name and the arguments.
  private static var words: [[UInt8]] {
    let (vector, count) = unsafe Shortcuts.argumentVector
    return (0..<max(count, 0)).map { index in
      guard let text = unsafe vector[index] else { return [] }
      // SAFETY: the array has `count` strings that live as long as the process.
      return unsafe [UInt8](UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }
  }

  /// The seconds since 1970-01-01T00:00Z.
  static var now: Int64 { Int64(time(nil)) }

  /// The value of a variable of the environment.
  public static func variable(_ name: String) -> String? {
    path(ofVariable: name)?.text
  }

  /// The value of a variable of the environment that names a file, byte for byte.
  public static func path(ofVariable name: String) -> FilePath? {
    guard let value = unsafe getenv(name) else { return nil }
    // SAFETY: the value is a string that nothing changes while the program runs.
    return unsafe FilePath(cString: value)
  }

  /// Makes the process safe to work in; a program calls it first.
  ///
  /// A standard stream that is closed gets a descriptor that fails when it is used. The first process of a
  /// container is ended by signals like any other.
  public static func prepare() {
    Descriptor.fillStandardStreams()
    Interruption.catchAsFirstProcess()
  }

  /// Runs `body` with a stack that has room for any allowed nesting, whatever `ulimit -s` says.
  public static func onLargeStack(_ body: @escaping @Sendable () -> Never) -> Never {
    Worker.onLargeStack(body)
  }

  /// Whether a standard stream (0, 1, 2) is a terminal.
  public static func isTerminal(_ stream: Int32) -> Bool { isatty(stream) == 1 }

  /// Whether the process is in the foreground of the terminal on a standard stream.
  public static func isInForeground(_ stream: Int32) -> Bool { tcgetpgrp(stream) == getpgrp() }

  /// Whether the process has a terminal that controls it.
  static var hasTerminal: Bool {
    let number = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    if number >= 0 { _ = close(number) }
    return number >= 0
  }

  /// Whether the process runs as root.
  static var isRoot: Bool { geteuid() == 0 }

  /// The memory of the machine in bytes.
  public static var memory: Int { sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)) }

  /// The display columns of the terminal on the standard output.
  public static var terminalWidth: Int? { terminalSize.flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } }

  /// The lines of the terminal on the standard output.
  public static var terminalHeight: Int? { terminalSize.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

  private static var terminalSize: winsize? {
    var size = winsize()
    return unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
  }

  /// Ends the process as a broken pipe does: by the signal, or with 141 if it is ignored.
  public static func endByBrokenPipe() -> Never {
    Progress.end()
    Interruption.endProgram()
    _ = raise(SIGPIPE)
    exit(141)
  }

  /// Ends the process.
  public static func exit(_ status: Int32) -> Never {
    Progress.end()
    Interruption.endProgram()
    leave(status)
  }

  /// Blocks or unblocks the signals by which a user ends a program.
  static func holdInterrupts(_ holds: Bool) { Interruption.hold(holds) }

  /// The milliseconds of a monotonic clock.
  static var milliseconds: Int {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }

  /// Writes a text to the standard error if a signal ends the program; nothing if `text` is empty.
  public static func sayWhenInterrupted(_ text: String) { Interruption.says(Array(text.utf8)) }

  /// Writes to the standard error, on a line of its own; a failure of that cannot be reported.
  ///
  /// If a line of the table has not ended and both go to the same place, it is ended on the standard error: a
  /// reader of the standard output gets no byte that does not belong to the table.
  public static func complain(_ bytes: Span<UInt8>) {
    Progress.erase()
    let output = Descriptor(standard: 2)
    if bytes.count > 0, OutputFile.continuesLine(of: output) { try? output.write([UInt8(ascii: "\n")].span) }
    try? output.write(bytes)
  }
}

/// `exit`, under a name that `Process.exit` does not hide.
private func leave(_ status: Int32) -> Never { exit(status) }
