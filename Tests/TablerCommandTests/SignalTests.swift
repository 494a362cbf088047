import Foundation
import Testing

/// R51: a signal at any moment leaves the target of `-o` whole.
///
/// In turn, because each test settles how its signal finds the program it starts.
@Suite(.serialized) struct SignalTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `R51 a signal leaves the old file and nothing beside it, and ends the program`(_ number: Int32) throws
  {
    try inFolder { folder in
      let writing = try Writing(in: folder, line: "exec \"$0\" --jsonl -o out.jsonl", unignored: number)
      #expect(try writing.hasBegun())
      kill(writing.process.processIdentifier, number)
      #expect(try writing.ends())
      #expect(writing.process.terminationReason == .uncaughtSignal)
      #expect(writing.process.terminationStatus == number)
      #expect(try contents(of: folder) == ["out.jsonl": "old"])
    }
  }

  @Test(arguments: [("INT", SIGINT), ("TERM", SIGTERM), ("HUP", SIGHUP)])
  func `R51 a signal that was ignored, as nohup does it, stays ignored`(_ name: String, _ number: Int32)
    throws
  {
    try inFolder { folder in
      let writing = try Writing(in: folder, line: "trap '' \(name); exec \"$0\" --jsonl -o out.jsonl")
      #expect(try writing.hasBegun())
      kill(writing.process.processIdentifier, number)
      try writing.closeInput()
      #expect(try writing.ends())
      #expect(writing.process.terminationReason == .exit && writing.process.terminationStatus == 0)
      #expect(try contents(of: folder) == ["out.jsonl": writing.objects])
    }
  }

  @Test(arguments: 0..<30)
  func `R51 a signal at any moment leaves the old file or the whole new one`(milliseconds: Int) throws {
    try inFolder { folder in
      let writing = try Writing(in: folder, line: "exec \"$0\" --jsonl -o out.jsonl", unignored: SIGTERM)
      for _ in 0..<100 { try writing.feed() }
      try writing.closeInput()
      usleep(UInt32(milliseconds) * 1000)
      kill(writing.process.processIdentifier, SIGTERM)
      #expect(try writing.ends())
      let isDone = writing.process.terminationReason == .exit
      let contents = try contents(of: folder)
      #expect(contents == ["out.jsonl": writing.objects] || (!isDone && contents == ["out.jsonl": "old"]))
    }
  }

  /// A folder of its own with an old file in it, gone afterwards.
  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("old".utf8).write(to: folder.appending(path: "out.jsonl"))
    try body(folder)
  }

  private func contents(of folder: URL) throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appending(path: $0)).text) })
  }
}

/// A run that writes rows to a file and waits for more.
private final class Writing {
  let process = Process()

  /// What the file holds when all rows fed so far are written.
  var objects: String { (0..<rowCount).map { "{\"a\":\($0),\"b\":\"x\"}\n" }.joined() }

  private let folder: URL
  private let input = Pipe()
  private var rowCount = 0

  /// Starts a line of bash with the binary as `$0`; `unignored` is a signal that must find it as a terminal does.
  init(in folder: URL, line: String, unignored: Int32? = nil) throws {
    self.folder = folder
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
    try write("a,b\n")
  }

  /// Feeds rows until the temporary file appears beside the old one, within a while.
  func hasBegun() throws -> Bool {
    try waits {
      try feed()
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2
    }
  }

  /// Feeds a row.
  func feed() throws {
    try write("\(rowCount),x\n")
    rowCount += 1
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

  private func write(_ text: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  /// Asks every millisecond, some ten seconds at most.
  private func waits(for condition: () throws -> Bool) throws -> Bool {
    for _ in 0..<5_000 {
      if try condition() { return true }
      usleep(1000)
    }
    return false
  }
}
