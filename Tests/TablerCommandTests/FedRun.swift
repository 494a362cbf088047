import Foundation

/// A run of the binary whose standard input is fed piece by piece.
final class FedRun {
  let process = Process()

  /// What json lines of all rows fed so far say.
  var objects: String { (0..<rowCount).map { "{\"a\":\($0),\"b\":\"x\"}\n" }.joined() }

  private let input = Pipe()
  private var rowCount = 0

  /// Starts a line of bash with the binary as `$0` and feeds it a header; `unignored` is a signal that must find
  /// the program as it does on a terminal.
  init(
    _ line: String, in folder: URL? = nil, unignored: Int32? = nil, header: String = "a,b\n"
  ) throws {
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", line, Run.binary.path]
    process.currentDirectoryURL = folder
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // The program inherits which signals are ignored and, from a thread of a pool, all of them held back.
    let action = unignored.map { signal($0, SIG_DFL) }
    var none = sigset_t()
    var held = sigset_t()
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, &held)
    defer {
      unsafe pthread_sigmask(SIG_SETMASK, &held, nil)
      if let unignored, let action { signal(unignored, action) }
    }
    try process.run()
    try feed(header)
  }

  /// Feeds text; waits until there is room for it.
  func feed(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

  /// Feeds a row.
  func feedRow() throws {
    try feed("\(rowCount),x\n")
    rowCount += 1
  }

  /// Feeds rows until a temporary file appears in a folder beside the files that are there, within a while.
  func hasBegun(in folder: URL, beside count: Int = 1) throws -> Bool {
    try waits {
      try feedRow()
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).count == count + 1
    }
  }

  /// Whether a file holds a text, or begins with it, within a while, as long as the input is open.
  func shows(_ text: String, in file: URL) throws -> Bool {
    try waits { try Data(contentsOf: file).text.hasPrefix(text) && process.isRunning }
  }

  /// Whether a file has more than so many bytes within a while.
  func grows(_ file: URL, beyond size: Int) throws -> Bool {
    try waits { try Data(contentsOf: file).count > size }
  }

  /// Whether the program has read all that was fed within a while; on a busy machine it may only have started.
  func hasReadAll() throws -> Bool {
    try waits {
      var left: Int32 = 0
      return unsafe ioctl(input.fileHandleForWriting.fileDescriptor, UInt(FIONREAD), &left) == 0 && left == 0
    }
  }

  /// Ends the input.
  func closeInput() throws { try input.fileHandleForWriting.close() }

  /// Whether the program ends within a while.
  func ends() throws -> Bool {
    let ended = try waits { !process.isRunning }
    if !ended { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    return ended
  }

  /// A number that the system tells of the process, such as `VmHWM` in KiB.
  func systemNumber(_ field: String) throws -> Int? {
    let text = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
    return line?.split { $0 == "\t" || $0 == " " }.dropFirst().first.flatMap { Int($0) }
  }

  /// Asks every millisecond, a minute at most.
  private func waits(for condition: () throws -> Bool) throws -> Bool {
    for _ in 0..<30_000 {
      if try condition() { return true }
      usleep(1000)
    }
    return false
  }
}
