import Foundation
import Testing

/// Live streams: rows are on the screen while the pipe they come through is open.
@Suite struct FollowTests {
  static let list = "  a  b\n───  ───\n  1  x\n  2  yy\n  3  z\n"

  @Test(arguments: [
    ("--list", list),
    ("--stack", "   a  b\n══════════\n   1  x\n   2  yy\n   3  z\n"),
    (
      "--grid",
      "┌─────┬─────┐\n│   a │ b   │\n╞═════╪═════╡\n│   1 │ x   │\n│   2 │ yy  │\n│   3 │ z   │\n"
    ),
    ("--markdown", "|   a | b   |\n| --: | :-- |\n|   1 | x   |\n|   2 | yy  |\n|   3 | z   |\n"),
    ("--to=pandoc --lookahead 0", "| a | b |\n| ---: | :--- |\n| 1 | x |\n| 2 | yy |\n| 3 | z |\n"),
    ("--markdown --lookahead 0", "| a | b |\n| ---: | :--- |\n| 1 | x |\n| 2 | yy |\n| 3 | z |\n"),
    ("--csv", "a,b\n1,x\n2,yy\n3,z\n"),
    ("--tsv", "a\tb\n1\tx\n2\tyy\n3\tz\n"),
    ("--jsonl", "{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"b\":\"yy\"}\n{\"a\":3,\"b\":\"z\"}\n"),
    ("--json", "[\n{\"a\":1,\"b\":\"x\"},\n{\"a\":2,\"b\":\"yy\"},\n{\"a\":3,\"b\":\"z\"}"),
  ])
  func `R61 three rows and a pause are on the screen, though 100 were looked for`(
    _ options: String, _ table: String
  ) throws {
    try following(options) { run, file in
      try run.feed("1,x\n2,yy\n3,z\n")
      #expect(try run.shows(table, in: file))
    }
  }

  @Test(arguments: ["--html", "--detail", "--markdown --detail", "--html --detail"])
  func `R61 three rows and a pause are on the screen in forms with much around them`(_ options: String) throws
  {
    var whole = ""
    try following(options) { run, file in
      try run.feed("1,x\n2,yy\n3,z\n")
      try run.closeInput()
      #expect(try run.ends())
      whole = try Data(contentsOf: file).text
    }
    let end = try #require(whole.range(of: "z", options: .backwards)).upperBound
    try following(options) { run, file in
      try run.feed("1,x\n2,yy\n3,z\n")
      #expect(try run.shows(String(whole[..<end]), in: file))
    }
  }

  @Test(arguments: ["--list", "--grid", "--markdown", "--csv", "--jsonl"])
  func `R67 rows that come steadily are on the screen long before 100 of them`(_ options: String) throws {
    try following(options) { run, file in
      var count = 0
      while count < 60, try Data(contentsOf: file).isEmpty {
        try run.feed("\(count),x\n")
        count += 1
        usleep(50_000)
      }
      #expect(count < 60)
    }
  }

  @Test func `R41 a file is read on at its end, and so is one that takes its place`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (log, shown) = (folder.appending(path: "-a b.log"), folder.appending(path: "shown"))
    try Data().write(to: shown)
    func write(_ text: String) throws {
      if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
      let file = try FileHandle(forWritingTo: log)
      try file.seekToEnd()
      try file.write(contentsOf: Data(text.utf8))
      try file.close()
    }
    try write("a,b\n1,x\n")
    let run = try FedRun("exec \"$0\" --follow --csv --head 4 -- '-a b.log' > shown", in: folder)
    try #require(try run.shows("a,b\n1,x\n", in: shown))
    try write("2,y\n")
    #expect(try run.shows("a,b\n1,x\n2,y\n", in: shown))
    try FileManager.default.moveItem(at: log, to: folder.appending(path: "old"))
    try write("3,z\n")
    #expect(try run.shows("a,b\n1,x\n2,y\n3,z\n", in: shown))
    try write("4,z\n")
    #expect(try run.ends())
    #expect(run.process.terminationStatus == 0)
    #expect(try Data(contentsOf: shown).text == "a,b\n1,x\n2,y\n3,z\n4,z\n")
  }

  @Test func `R41 a section begins with its first row and ends with the first of the next`() throws {
    let options = "-c a --lookahead 0 --section-by b --section-footer '{count()} rows' --section-header"
    try following(options + " '{section}'") { run, file in
      try run.feed("1,x\n")
      #expect(try run.shows("a\n───\nx\n1\n", in: file))
      try run.feed("2,x\n")
      #expect(try run.shows("a\n───\nx\n1\n2\n", in: file))
      try run.feed("3,y\n")
      #expect(try run.shows("a\n───\nx\n1\n2\n2 rows\n\ny\n3\n", in: file))
    }
    try following(options + " '{count()} of {section}'") { run, file in
      try run.feed("1,x\n2,x\n3,y\n")
      #expect(try run.shows("a\n───\n2 of x\n1\n2\n2 rows\n", in: file))
    }
  }

  @Test func `R61 a row that stops in its middle holds none before it back`() throws {
    try following("--list") { run, file in
      try run.feed("1,x\n2,")
      #expect(try run.shows("  a  b\n───  ───\n  1  x\n", in: file))
      try run.feed("y\n")
      #expect(try run.shows("  a  b\n───  ───\n  1  x\n  2  y\n", in: file))
    }
  }

  @Test(arguments: [
    ("csv", "a,b\n", ["1,x\n", "2,\"y\ny\"\n", "3,z\r\n", "4,\n"]),
    ("tsv", "a\tb\n", ["1\tx\n", "2\ty\\ny\n", "3\tz\r\n", "4\t\n"]),
    (
      "jsonl", "", ["{\"a\":1,\"b\":\"x\"}\n", "{\"a\":2,\"b\":\"y\\ny\"}\n", "{\"a\":3}\r\n", "{\"a\":4}\n"]
    ),
    ("words", "a   b\n", ["1   x\n", "2 y\n", "333 z\r\n", "4\n"]),
  ])
  func `R41 each row is there before the next one comes`(
    _ form: String, _ header: String, _ rows: [String]
  ) throws {
    for options in ["--csv", "--from \(form) --list", "--detail --columns a,b", "--jsonl --filter 'a > 0'"] {
      try following(options, header: header) { run, file in
        var size = 0
        for row in rows {
          try run.feed(row)
          #expect(try run.grows(file, beyond: size), "\(options): \(row)")
          size = try Data(contentsOf: file).count
        }
        try run.closeInput()
        #expect(try run.ends())
        #expect(run.process.terminationStatus == 0)
      }
    }
  }

  @Test(arguments: [
    ("--csv", "a,b\n", "1,x\n2,x\n", "a,b\n1,x\n2,x\n"),
    ("--tsv", "a,b\n", "1,x\n2,x\n", "a\tb\n1\tx\n2\tx\n"),
    ("--jsonl", "a,b\n", "1,x\n2,x\n", "{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"b\":\"x\"}\n"),
    ("--csv", "a\tb\n", "1\tx\n", "a,b\n1,x\n"),
    ("--jsonl", "", "{\"a\":1}\n", "{\"a\":1}\n"),
    ("--jsonl --hide 'c*'", "", "{\"a\":1,\"c1\":2}\n", "{\"a\":1}\n"),
    ("--jsonl --columns '!c*'", "", "{\"c1\":1,\"a\":2}\n", "{\"a\":2}\n"),
    (
      "--detail --markdown --lookahead 1", "", "{\"a\":1}\n",
      "### (row 1)\n\n|     |     |\n| --: | :-- |\n|   a | 1   |\n"
    ),
    ("--list --lookahead 1", "a,b\n", "1,x\n", "  a  b\n───  ───\n  1  x\n"),
    ("--list --lookahead 0", "a,b\n", "1,x\n", "a    b\n───  ───\n1    x\n"),
  ])
  func `R41 what streams hands on what it has, also without --follow`(
    _ options: String, _ header: String, _ rows: String, _ table: String
  ) throws {
    try following(options, isFollowed: false, header: header) { run, file in
      try run.feed(rows)
      #expect(try run.shows(table, in: file))
    }
  }

  @Test(arguments: [
    ("-t csv", "change,from,to,a,b,was\nupdate,3,3,2,x,\"{\"\"b\"\":\"\"y\"\"}\"\n"),
    ("--jsonl", "{\"op\":\"columns\",\"old\":[\"a\",\"b\"],\"new\":[\"a\",\"b\"]}\n{\"op\":\"update\""),
    ("--detail", "── ~ ──"),
  ])
  func `sorted tables show the first change while both go on`(_ options: String, _ table: String) throws {
    let old = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString).csv")
    #expect(unsafe mkfifo(old.path, 0o600) == 0)
    defer { try? FileManager.default.removeItem(at: old) }
    let words = "--diff \(old.path) --id a --sorted-by a \(options)"
    try following(words, isFollowed: false) { run, file in
      let input = try FileHandle(forWritingTo: old)
      try input.write(contentsOf: Data("a,b\n0,x\n1,x\n2,y\n3,x\n".utf8))
      for _ in 0..<4 { try run.feedRow() }
      #expect(try run.shows(table, in: file))
      try run.closeInput()
      try input.close()
      #expect(try run.ends())
    }
  }

  @Test(arguments: [
    ("--list", "  a  b\n───  ───\n  1  x\n"), ("--csv", "a,b\n1,x\n"),
    ("--jsonl", "{\"a\":1,\"b\":\"x\"}\n"), ("--markdown", "|   a | b   |\n| --: | :-- |\n|   1 | x   |\n"),
  ])
  func `R61 the rows of one source wait for no other that is not there yet`(
    _ options: String, _ table: String
  ) throws {
    let pipe = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    #expect(unsafe mkfifo(pipe.path, 0o600) == 0)
    defer { try? FileManager.default.removeItem(at: pipe) }
    try following("\(options) - \(pipe.path)") { run, file in
      try run.feed("1,x\n")
      try run.closeInput()
      #expect(try run.shows(table, in: file))
      let input = try FileHandle(forWritingTo: pipe)
      for piece in ["a", ",b\n", "2,", "y\n"] {
        try input.write(contentsOf: Data(piece.utf8))
        usleep(20_000)
      }
      #expect(try run.grows(file, beyond: table.utf8.count))
      let size = try Data(contentsOf: file).count
      try input.write(contentsOf: Data("3,z\n".utf8))
      #expect(try run.grows(file, beyond: size))
      try input.close()
      #expect(try run.ends())
      #expect(run.process.terminationStatus == 0)
    }
  }

  @Test func `R19 a pipe among files is not read for its header in advance`() throws {
    try following("--list --ragged fill - <(printf 'a,b\\n3,4\\n')", isFollowed: false, header: "a\n") {
      run, file in
      try run.feed("1\n")
      try run.closeInput()
      #expect(try run.ends())
      #expect(try Data(contentsOf: file).text == "a   b\n─  ──\n1  NA\n3   4\n")
    }
  }

  @Test(arguments: ["--list", "--csv", "--grid", "--jsonl", "--html"], [true, false])
  func `R41 --head ends the program as soon as its rows are out`(_ form: String, _ isFollowed: Bool) throws {
    try following("\(form) --head 2", isFollowed: isFollowed) { run, file in
      try run.feed("1,x\n2,yy\n3,zzz\n")
      #expect(try run.ends())
      #expect(run.process.terminationReason == .exit && run.process.terminationStatus == 0)
      let text = try Data(contentsOf: file).text
      #expect(text.contains("yy") && !text.contains("zzz"))
    }
  }

  @Test func `R37 a key that comes late is named at once`() throws {
    try following("--list 2>&1", header: "") { run, file in
      try run.feed("{\"a\":1}\n")
      let table = "  a\n───\n  1\n"
      #expect(try run.shows(table, in: file))
      try run.feed("{\"a\":2,\"b\":0}\n")
      let warning = "tabler: warning: <stdin>:2: key 'b' came after the columns were fixed"
      #expect(try run.shows(table + warning, in: file))
      try run.feed("{\"a\":3,\"b\":1}\n")
      try run.closeInput()
      #expect(try run.ends())
      let text = try Data(contentsOf: file).text
      #expect(text.hasSuffix("  2\n  3\n") && text.components(separatedBy: "key 'b'").count == 2)
    }
  }

  /// Runs the binary over a pipe that stays open and a file for its output, gone afterwards.
  @Test func `a finding is told while the input is open`() throws {
    try following("--csv --validate 'a > 1, \"small\"' 2>&1") { run, file in
      try run.feed("1,x\n2,y\n")
      #expect(try run.shows("tabler: <stdin>:2: small\na,b\n1,x\n2,y\n", in: file))
    }
  }

  private func following(
    _ options: String, isFollowed: Bool = true, header: String = "a,b\n", _ body: (FedRun, URL) throws -> Void
  ) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let line = "exec \"$0\" \(isFollowed ? "--follow " : "")> \(file.path) \(options)"
    let run = try FedRun(line, header: header)
    defer { if run.process.isRunning { run.process.terminate() } }
    try body(run, file)
  }
}
