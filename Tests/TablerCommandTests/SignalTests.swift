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
      let run = try FedRun("exec \"$0\" --jsonl -o out.jsonl", in: folder, unignored: number)
      #expect(try run.hasBegun(in: folder))
      kill(run.process.processIdentifier, number)
      #expect(try run.ends())
      #expect(run.process.terminationReason == .uncaughtSignal)
      #expect(run.process.terminationStatus == number)
      #expect(try contents(of: folder) == ["out.jsonl": "old"])
    }
  }

  @Test(arguments: [("INT", SIGINT), ("TERM", SIGTERM), ("HUP", SIGHUP)])
  func `R51 a signal that was ignored, as nohup does it, stays ignored`(_ name: String, _ number: Int32)
    throws
  {
    try inFolder { folder in
      let run = try FedRun("trap '' \(name); exec \"$0\" --jsonl -o out.jsonl", in: folder)
      #expect(try run.hasBegun(in: folder))
      kill(run.process.processIdentifier, number)
      try run.closeInput()
      #expect(try run.ends())
      #expect(run.process.terminationReason == .exit && run.process.terminationStatus == 0)
      #expect(try contents(of: folder) == ["out.jsonl": run.objects])
    }
  }

  @Test(arguments: 0..<30)
  func `R51 a signal at any moment leaves the old file or the whole new one`(milliseconds: Int) throws {
    try inFolder { folder in
      let run = try FedRun("exec \"$0\" --jsonl -o out.jsonl", in: folder, unignored: SIGTERM)
      for _ in 0..<100 { try run.feedRow() }
      try run.closeInput()
      usleep(UInt32(milliseconds) * 1000)
      kill(run.process.processIdentifier, SIGTERM)
      #expect(try run.ends())
      let isDone = run.process.terminationReason == .exit
      let contents = try contents(of: folder)
      #expect(contents == ["out.jsonl": run.objects] || (!isDone && contents == ["out.jsonl": "old"]))
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
