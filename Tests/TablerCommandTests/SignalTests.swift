import Foundation
import Testing

/// R51: a signal at any moment leaves the target of `-o` whole.
///
/// In turn, because each test settles how its signal finds the program it starts.
@Suite(.serialized) struct SignalTests {
  @Test(arguments: [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,
    SIGPIPE,
  ])
  func `R51 a signal leaves the old file and nothing beside it, and ends the program`(_ number: Int32) throws
  {
    try inOldFolder { folder in
      let run = try FedRun("exec \"$0\" --progress never --jsonl -o out.jsonl", in: folder, unignored: number)
      #expect(try run.hasBegun(in: folder))
      kill(run.process.processIdentifier, number)
      #expect(try run.ends())
      #expect(run.process.terminationReason == .uncaughtSignal)
      #expect(run.process.terminationStatus == number)
      #expect(try contents(of: folder) == ["out.jsonl": "old"])
    }
  }

  @Test func `a signal asks how far the run has come, and does not end it`() throws {
    try inOldFolder { folder in
      let run = try FedRun(
        "exec \"$0\" --jsonl -o out.jsonl 2> errors", in: folder, unignored: SIGUSR1)
      #expect(try run.hasBegun(in: folder, beside: 2))
      kill(run.process.processIdentifier, SIGUSR1)
      #expect(try run.grows(folder.appending(path: "errors"), beyond: 20))
      try run.closeInput()
      #expect(try run.ends())
      #expect(run.process.terminationReason == .exit && run.process.terminationStatus == 0)
      let contents = try contents(of: folder)
      #expect(contents["out.jsonl"] == run.objects)
      let errors = contents["errors"] ?? ""
      #expect(errors.hasPrefix("tabler: reading ") && errors.hasSuffix("/s\n"), "\(errors)")
    }
  }

  @Test(arguments: [("INT", SIGINT), ("TERM", SIGTERM), ("HUP", SIGHUP)])
  func `R51 a signal that was ignored, as nohup does it, stays ignored`(_ name: String, _ number: Int32)
    throws
  {
    try inOldFolder { folder in
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
    try inOldFolder { folder in
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

  @Test(arguments: [
    ("--follow --list", SIGINT, late), ("--follow --grid", SIGTERM, late),
    ("--lookahead 1 --grid", SIGINT, late), ("--lookahead 1 --stack", SIGHUP, late),
    ("--follow --overflow truncate", SIGINT, late),
    (
      "--follow --csv --formula-guard", SIGINT,
      "tabler: warning: 1 cell began like a formula and got a leading '\n"
    ),
    ("--follow --list --quiet", SIGINT, ""), ("--follow --csv", SIGINT, ""),
  ])
  func `R37 late cells are counted also where a signal ends the stream`(
    _ options: String, _ number: Int32, _ errors: String
  ) throws {
    try inOldFolder { folder in
      let output = folder.appending(path: "out")
      try Data().write(to: output)
      let run = try FedRun(
        "exec \"$0\" \(options) > out 2> errors", in: folder, unignored: number, header: "a,b,c\n")
      try run.feed("1,x,y\n")
      #expect(try run.grows(output, beyond: 5))
      let size = try Data(contentsOf: output).count
      try run.feed("2,=wide wide wide,y\n")
      #expect(try run.grows(output, beyond: size))
      usleep(100_000)
      kill(run.process.processIdentifier, number)
      #expect(try run.ends())
      #expect(run.process.terminationReason == .uncaughtSignal)
      #expect(run.process.terminationStatus == number)
      #expect(try contents(of: folder)["errors"] == errors)
    }
  }

  /// Rows that come steadily are held to be measured; none has been drawn when the signal comes.
  @Test(arguments: ["--list", "--grid", "--markdown"])
  func `R67 an interrupt draws the rows that are held`(_ layout: String) throws {
    try inOldFolder { folder in
      let run = try FedRun(
        "exec \"$0\" --follow \(layout) > out 2> errors", in: folder, unignored: SIGINT, header: "a,b\n")
      for row in 1...4 {
        try run.feed("\(row),x\n")
        usleep(50_000)
      }
      #expect(try run.hasReadAll())
      usleep(50_000)
      kill(run.process.processIdentifier, SIGINT)
      #expect(try run.ends())
      let out = try contents(of: folder)["out"] ?? ""
      #expect(out.contains("1") && out.contains("x") && out.hasSuffix("\n"), "\(out)")
    }
  }

  private static let late =
    "tabler: warning: 1 cell is wider than the cells measured first; a larger --lookahead makes room\n"

  /// A folder of its own with an old file in it, gone afterwards.
  private func inOldFolder(_ body: (URL) throws -> Void) throws {
    try inFolder { folder in
      try Data("old".utf8).write(to: folder.appending(path: "out.jsonl"))
      try body(folder)
    }
  }

  private func contents(of folder: URL) throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appending(path: $0)).text) })
  }
}
