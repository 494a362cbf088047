import Foundation
import Testing

/// What is too large is refused, or done piece by piece: in memory and in time.
@Suite struct LimitRuleTests {
  /// What ended a run, and the most memory it had, in KiB, if the program itself has no more than a release has.
  private struct End {
    var status: Int32
    var peak: Int
    var errors: String
  }

  /// Feeds a run with an input that goes on with the same bytes for ever, until it ends.
  ///
  /// - Parameters:
  ///   - times: how often the bytes and the tail come; `%` in the tail is another digit each time.
  ///   - end: what comes after the last tail.
  private func endless(
    _ head: String, _ body: String, _ options: [String], tail: String = "", mebibytes: Int = 400,
    times: Int = 1, end: String = ""
  ) throws -> End {
    let program = """
      import resource, subprocess, sys
      head, body, tail, end = [text.encode() for text in sys.argv[1:5]]
      chunk = body * (1 + (1 << 20) // max(len(body), 1))
      def peak(): return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
      # A debug build has more code, of which pages are resident, too.
      subprocess.run(sys.argv[7:8], input=b'a\\n1\\n', stdout=subprocess.DEVNULL)
      excess = max(0, peak() - (12 << 10))
      run = subprocess.Popen(sys.argv[7:], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
      try:
          run.stdin.write(head)
          for time in range(int(sys.argv[6])):
              for _ in range(int(sys.argv[5])): run.stdin.write(chunk)
              run.stdin.write(tail.replace(b'%', str(time * 7 % 5).encode()))
          run.stdin.write(end)
          run.stdin.close()
      except BrokenPipeError: pass
      errors = run.stderr.read().decode()
      print(run.wait(), peak() - excess, errors, end='')
      """
    let file = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["python3", "-c", program, head, body, tail, end, String(mebibytes), String(times), Run.binary.path]
      + options
    process.standardOutput = try FileHandle(forWritingTo: file)
    try process.run()
    process.waitUntilExit()
    let words = try String(contentsOf: file, encoding: .utf8).split(separator: " ", maxSplits: 2)
    try #require(words.count > 1)
    return End(
      status: Int32(words[0]) ?? -1, peak: Int(words[1]) ?? .max,
      errors: words.count > 2 ? String(words[2]) : "")
  }

  @Test(arguments: [
    ("a,b\n1,\"", "1,2\n", ["--csv"], "<stdin>:2: the cell that begins here is longer than 64 MiB"),
    ("a,b\n\"\n\n\",\"", "1,2\n", [], "<stdin>:4: the cell that begins here is longer than 64 MiB"),
    ("a,b\n1,", "x,", ["--csv"], "<stdin>:2: the record that begins here is larger than the memory budget"),
    ("a\tb\n1\t", "xy ", ["--tsv"], "<stdin>:2: the cell that begins here is longer than 64 MiB"),
    ("[\n{\"a\":\"", "xy ", ["--csv"], "<stdin>:2:6: a value is longer than 64 MiB"),
    (
      "[\n{\"a\":[\"", "xy ", ["--csv"],
      "<stdin>:2:6: a value is longer than 64 MiB (rows inside of it? --at PATH)"
    ),
    ("{\"a\":1}\n{\"a\":\"", "xy ", ["--jsonl"], "<stdin>:2:6: a value is longer than 64 MiB"),
    (
      "PID CMD\n1 x\n", "xy ", ["--from", "words"],
      "<stdin>:3: the record that begins here is larger than the memory budget"
    ),
  ])
  func `R52 a record without end is refused where its limit is passed`(
    _ head: String, _ body: String, _ options: [String], _ message: String
  ) throws {
    let end = try endless(head, body, options + ["--memory", "64M"])
    #expect(end.status == 3)
    #expect(end.errors.hasPrefix("tabler: " + message), "\(end.errors)")
    #expect(end.peak < 164 << 10, "\(end.peak) KiB")
  }

  @Test(arguments: [
    ("a,b\n1,\"", "1,2\n", "", 400, ["--html", "--filter", "a = 1"], "<stdin>:2: the cell that begins here"),
    (
      "a\n", "x ", "\n", 10, ["--from", "blanks", "--csv"], "<stdin>:2: the record that begins here is larger"
    ),
    ("a", ",a", "\n", 1, ["--csv"], "<stdin>:1: the record that begins here is larger"),
    (
      "a\n1\n1", ",1", "\n", 1, ["--csv", "--sort", "a", "--ragged", "fill"],
      "<stdin>:3: the record that begins here"
    ),
    ("{\"r\":[[1],[", "1,", "1]]}", 4, ["--at", "r", "--csv"], "<stdin>:1:11: more columns than the memory"),
    ("", "x", "\n1\n", 60, ["--csv"], "<stdin>:1: the names of the columns take more memory"),
    (
      "a\n\n", "\u{e9}", "\n1\n", 20, ["--header-lines", "3"], "<stdin>:1: the names of the columns take more"
    ),
    ("", "x", "\n1\n", 60, ["--from", "words"], "<stdin>:1: the names of the columns take more memory"),
    ("", "x", " y\n1\n", 60, ["--from", "blanks"], "<stdin>:1: the names of the columns take more memory"),
    ("| ", "x", " |\n|---|\n", 60, [], "<stdin>:1: the names of the columns take more memory"),
    ("{\"a\":1,\"", "x", "\":2}\n", 60, ["--jsonl"], "<stdin>:1:8: keys that take more memory"),
    ("{\"r\":[[\"", "x", "\"]]}", 60, ["--at", "r", "--csv"], "<stdin>:1:7: keys that take more memory"),
  ])
  func `R52 with next to no budget a record takes no more than 100 MiB with what is noted of it`(
    _ head: String, _ body: String, _ tail: String, _ mebibytes: Int, _ options: [String], _ message: String
  ) throws {
    let end = try endless(
      head, body, options + ["--memory", "1M"], tail: tail, mebibytes: mebibytes)
    #expect(end.status == 3)
    #expect(end.errors.hasPrefix("tabler: " + message), "\(end.errors)")
    #expect(end.peak < 110 << 10, "\(end.peak) KiB")
  }

  @Test(arguments: [
    ("a\n", "x", "\n", 60, [["--filter", "upper(a) is null"], ["--filter", "$0 is null"]]),
    (
      "a\n\"", "x\"\"", "\"\n", 30,
      [["--filter", "(a ++ a) is null"], ["--filter", "replace(a, 'x', 'yy') is null"]]
    ),
    (
      "{\"a\":\"", "\\u00e9", "\"}\n", 30,
      [["--filter", "gsub(a, /x/, 'yy') is null"], ["--format", "a={substr(a, 2)}", "--list"]]
    ),
  ])
  func `R52 of a text that is too long for the budget expressions make null`(
    _ head: String, _ body: String, _ tail: String, _ mebibytes: Int, _ expressions: [[String]]
  ) throws {
    for options in expressions {
      let end = try endless(
        head, body, ["--csv", "--memory", "1M"] + options, tail: tail, mebibytes: mebibytes)
      #expect(end.status == 0, "\(options) \(end.errors)")
      #expect(end.peak < 101 << 10, "\(options) \(end.peak) KiB")
    }
  }

  @Test func `R52 wide and short records together are held by what they have`() throws {
    // One record of 60,000 cells among short ones: made even, they would take gigabytes.
    let wide = "1" + String(repeating: ",", count: 60_000) + "w\n"
    let short = (0..<30_000).map { "\($0)\n" }.joined()
    for options in [
      ["--tail", "2"], ["--sort", "a:number", "--tail", "2"], ["--move", "1 to bottom", "--tail", "2"],
    ] {
      let run = try Run(
        options + ["--ragged", "fill", "--csv", "--memory", "1M"],
        input: "a,b\n" + short + wide + short)
      #expect(run.status == 0, "\(run.errors.text)")
      let last = options[0] == "--move" ? "0" : "29999"
      #expect(run.output.text.hasSuffix("\n\(last)\(String(repeating: ",", count: 60_000))\n"))
    }
    let lone = try Run(
      ["--from", "tsv", "--ragged", "fill", "--jsonl", "--columns", "a"],
      input: "a\tb\n" + String(repeating: "\t", count: 90_000))
    #expect(lone.output.text == "{\"a\":null}\n")
  }

  @Test(arguments: [
    // A title, control characters that are drawn as four bytes each, escapes of JSON.
    ("a,", "x", "\n1,2\n", 14, ["--html"], ""),
    ("a,", "x", "\n1,2\n", 14, ["--jsonl"], ""),
    (
      "a,b\n1,", "\u{1}", "\n", 24, ["--grid"],
      "<stdin>: 1 cell cut, too long to be drawn (first: line 2); --csv or --json writes all"
    ),
    ("{\"a\":\"", "\\n", "\"}\n", 24, ["--csv"], ""),
    // Marks of Markdown, and a control of direction.
    (
      "a,b\n1,", "*", "\n", 24, ["--markdown"],
      "<stdin>: 1 cell cut, too long to be drawn (first: line 2); --csv or --json writes all"
    ),
    (
      "a,b\n1,", "\u{202E}", "\n", 24, ["--grid"],
      "<stdin>: 1 cell cut, too long to be drawn (first: line 2); --csv or --json writes all"
    ),
    (
      "a,", "\u{1}", "\n1,2\n", 14, ["--grid"],
      "1 title cut, too long to be drawn; --csv or --json writes all"
    ),
    // Lines of words that are not ASCII, many tabs, a long title.
    ("PID  CMD\n1    ", "\u{E9}", "\n2    y\n", 8, ["--from", "words", "--csv"], ""),
    ("PID  CMD\n1    \u{E9}", "x", "\n2    y\n", 8, ["--from", "words", "--list"], ""),
    ("A", "\t", "B\n1\t2\n", 10, ["--from", "words", "--csv"], ""),
    ("A  ", "x", " B\n1 2\n", 8, ["--from", "words", "--csv"], ""),
    // Sort keys of escaped text, and rows on their way to the end.
    (
      "{\"a\":\"", "x", "\\n\"}\n{\"a\":\"b\"}\n", 8, ["--csv", "--sort", "a:natural"], ""
    ),
    ("{\"a\":\"", "x", "\\n\"}\n{\"a\":\"b\"}\n", 8, ["--csv", "--sort", "(a)"], ""),
    ("{\"a\":\"", "x", "\\n\"}\n{\"a\":\"b\"}\n", 8, ["--csv", "--head=-1"], ""),
    ("a,b\n1,\"", "x", "\"\"\"\n2,x\n", 8, ["--csv", "--sort", "b:nocase"], ""),
    ("a,b\n1,\"", "x", "\"\"\"\n2,x\n", 8, ["--csv", "--sort", "b", "--head", "1"], ""),
    // Titles that are trimmed, quoted or repeated, and a total.
    ("a,\"", "x\n", "\"\n1,2\n", 8, ["--csv"], ""),
    ("a,\"", "\"\"", "\"\n1,2\n", 8, ["--html", "-x"], ""),
    (
      "a,", "x", "\n1,2\n", 14, ["--grid", "--footer", "titles"],
      "1 title cut, too long to be drawn; --csv or --json writes all"
    ),
    ("a,b\n1,", "9", "\n2,3\n", 8, ["--list", "--footer", "totals"], ""),
    // Texts of templates, and what is kept of cells for them.
    (
      "a,b\n", "x", ",1\ny,3\n", 24, ["--html", "--footer", "a={first(a)}{first(a)}{min(a)}{min(a)}"],
      "2 texts that first() reads have more than 16 MiB; treated as null\n"
        + "tabler: warning: 2 texts that min() reads have more than 16 MiB; treated as null"
    ),
    (
      "a,b\n", "x", ",1\n2,3\n", 9,
      ["--html", "--section-by", "b", "--section-header", "{min(a)}{first(a)}"],
      "1 text that fills a template has more than 16 MiB; not filled in"
    ),
    (
      "a,b\n", "x", ",1\n2,3\n", 24, ["--html", "--detail", "--title-of", "{a}{a}{a}"],
      "<stdin>: 1 text that fills a template has more than 16 MiB (first: line 2); not filled in"
    ),
    (
      "a,b\n", "x", ",1\n2,3\n", 24,
      ["--html", "--row-names", "{a}{a}{a}{a}{a}", "--format", "b={a}{}{a}{a}{a}{a}"],
      "<stdin>: 2 texts that fill a template have more than 16 MiB (first: line 2); not filled in"
    ),
  ])
  func `R52 long titles, cells and lines are held four times at most`(
    _ head: String, _ body: String, _ tail: String, _ mebibytes: Int, _ options: [String], _ message: String
  ) throws {
    let end = try endless(head, body, options + ["--memory", "1M"], tail: tail, mebibytes: mebibytes)
    #expect(end.status == 0)
    #expect(end.errors == (message.isEmpty ? "" : "tabler: warning: \(message)\n"))
    // The program itself takes up to 24 MiB: its code, its stacks, what is read ahead.
    #expect(end.peak < (24 + 4 * mebibytes) << 10, "\(end.peak) KiB")
  }

  @Test(arguments: [
    (["--html"], (8, 10)), (["--list", "--lookahead", "9"], (12, 7)), (["--csv", "--sort", "-a"], (8, 10)),
    (["--jsonl", "--sort", "b", "--head", "9"], (12, 7)), (["--csv", "--delete=-4"], (8, 10)),
    (["--csv", "--sorted-by", "a"], (12, 7)),
    (["--list", "--section-by", "a", "--section-header", "{count()}"], (8, 10)),
    (["--csv", "--sort", "a,b,-a,a"], (12, 7)),
  ])
  func `R52 of several long records few are in memory at once`(
    _ options: [String], _ size: (mebibytes: Int, count: Int)
  ) throws {
    for (head, tail) in [("a,b\n", ",%\n"), ("{\"a\":\"", "\",\"b\":%}\n{\"a\":\"")] {
      let isJSON = head.hasPrefix("{")
      let end = try endless(
        head, "x", options + ["--memory", "1M"], tail: tail, mebibytes: size.mebibytes, times: size.count,
        end: isJSON ? "~\"}\n" : "")
      #expect(end.status == 0, "\(end.errors)")
      // All of them take 80 MiB and more, beside the 24 of the program.
      #expect(end.peak < 80 << 10, "\(end.peak) KiB")
    }
  }

  @Test
  func `R52 a record with a finding is not held while the next is drawn`() throws {
    for options in [["--grid", "--names", "a,b,c"], ["--jsonl"]] {
      let end = try endless(
        "a,b\n\u{E9}", "x", options + ["--memory", "1M"], tail: ",%\n", mebibytes: 50, times: 2)
      #expect(end.status == 0, "\(end.errors)")
      #expect(end.peak < 101 << 10, "\(end.peak) KiB")
    }
  }

  @Test(arguments: [["--sort", "b"], ["--sorted-by", "b"], ["--head=-1"], ["--move", "1 to bottom"]])
  func `R52 a record is refused that is too long for several of its length`(_ options: [String]) throws {
    for (memory, status) in [("1M", 3), ("300M", 0)] as [(String, Int32)] {
      let end = try endless(
        "a,b\n", "x", options + ["--csv", "--memory", memory], tail: ",%\n", mebibytes: 30, times: 2)
      #expect(end.status == status, "\(end.errors)")
      if status == 3 {
        #expect(
          end.errors
            == "tabler: <stdin>:2: the record that begins here is larger than the memory budget allows; "
            + "a larger --memory may help\n")
      }
    }
  }

  @Test
  func `R52 a long cell is not copied where there is no room for the copy`() throws {
    let options = ["--csv", "--derive", "x = a", "--memory", "1M"]
    let end = try endless("a,b\n", "x", options, tail: ",1\n", mebibytes: 48)
    #expect(end.status == 3)
    #expect(end.peak < 90 << 10, "\(end.peak) KiB")
  }

  @Test(arguments: [
    (["--derive", "b = repeat(a, 20000000)"], "2 texts that repeat() makes have", " (first: line 2)"),
    (["--derive", "b = repeat(a, 1e20)"], "2 texts that repeat() makes have", " (first: line 2)"),
    (["--derive", "b = lpad(a, 9e18 * 10)"], "2 texts that lpad() makes have", " (first: line 2)"),
    (
      ["--derive", "b = upper(repeat('\u{149}', 8000000 + length(a)))"], "2 texts that upper() makes have",
      " (first: line 2)"
    ),
    (
      ["--derive", "b = rpad(a, 20000000) where a = 'y'"], "1 text that rpad() makes has", " (first: line 3)"
    ),
    (
      ["--derive", "b = a ++ repeat(a, 16777216)", "--memory", "1G"], "2 texts that ++ makes have",
      " (first: line 2)"
    ),
    (
      ["--filter", "join([repeat(a, 9000000), a, repeat(a, 9000000)], '') is null"], "LIST",
      " (first: line 2)"
    ),
    (
      ["--filter", "join(split(repeat(a, 4000000), a), '-----') is null"], "2 texts that join() makes have",
      " (first: line 2)"
    ),
    (["--filter", "json([repeat('\"', 9000000)]) is null"], "LIST", " (first: line 2)"),
    (
      ["--filter", "json(repeat('\"', 9000000)) is null"], "2 texts that json() makes have",
      " (first: line 2)"
    ),
    (["--sort", "(repeat(a, 20000000))"], "2 texts that repeat() makes have", " (first: line 2)"),
    (["--group-by", "(repeat(a, 20000000))"], "2 texts that repeat() makes have", " (first: line 2)"),
    (
      ["--aggregate", "j = join_agg(repeat(a, 9000000), ',')"], "1 text that join_agg() makes has",
      " (first: line 3)"
    ),
  ])
  func `R52 texts that grow too long are counted`(
    _ options: [String], _ texts: String, _ place: String
  ) throws {
    let texts = texts == "LIST" ? "2 texts that a list makes have" : texts
    for form in ["--csv", "--list", "--html", "--json"] {
      let run = try Run(options + [form], input: "a\nx\ny\n")
      #expect(run.status == 0)
      #expect(
        run.errors.text
          == "tabler: warning: <stdin>: \(texts) more than 16 MiB\(place); treated as null\n")
    }
  }

  @Test(arguments: [
    ["--footer", "a={repeat(first(a), 20000000)}"], ["--footer", "a={join_agg(repeat(a, 9000000), ',')}"],
    ["--format", "a={repeat(a, 9000000)}{repeat(a, 9000000)}"],
    ["--section-by", "a", "--section-header", "{repeat(first(a), 20000000)}"],
    ["--detail", "--title-of", "{repeat(a, 20000000)}"],
  ])
  func `R52 templates that grow too long are counted`(_ options: [String]) throws {
    let run = try Run(options + ["--html"], input: "a\nx\n" + (options[0] == "--format" ? "" : "x\n"))
    #expect(run.status == 0)
    #expect(run.errors.text.contains("more than 16 MiB"), "\(run.errors.text)")
    #expect(run.errors.text.filter { $0 == "\n" }.count == 1)
  }

  @Test(arguments: [
    ("first(a)", ["LONG", "y"], ""), ("first(a)", ["", "LONG", "y"], ""), ("first(a)", ["x", "LONG"], "x"),
    ("last(a)", ["x", "LONG"], ""), ("last(a)", ["LONG", "y"], "y"),
    ("max(a)", ["x", "LONG", "k"], "x"), ("max(a)", ["k", "LONG", "k"], ""),
    ("min(a)", ["k", "LONG", "n"], "k"),
    ("min(a)", ["n", "LONG", "x"], ""), ("max(a)", ["LONG", "7"], "7"),
  ])
  func `R52 an aggregate is null where its text is longer than an expression may make`(
    _ call: String, _ cells: [String], _ result: String
  ) throws {
    let long = String(repeating: "m", count: 17 << 20)
    let input = "a,b\n" + cells.map { ($0 == "LONG" ? long : $0) + ",1\n" }.joined()
    let footer = "b={\(call)}."
    // The long text itself is not drawn.
    for options in [["--footer", footer], ["--section-by", "b", "--section-footer", footer]] {
      let run = try Run(["--html", "--columns", "b", "--memory", "64M"] + options, input: input)
      #expect(run.status == 0)
      #expect(run.output.text.contains(">\(result).<"), "\(call) \(cells) \(options)")
    }
  }

  @Test(arguments: [
    ["--sort", "a"], ["--sort", "-b:nocase"], ["--sort", "(upper(b))"], ["--sort", "a", "--head", "3"],
    ["--head=-1"], ["--tail", "3"], ["--sort", "b", "--move", "1 to bottom"],
  ])
  func `R52 long records are spilled without a copy, and come out the same`(_ options: [String]) throws {
    let long = String(repeating: "z", count: 9 << 19)
    let rows = ["7,\"\(long)\"\"\"", "2,y", "9,\"x\ny\"", "1,z", "\"\"\"3\",\"\"", "4,zz", "5"]
    let objects = (0..<6).map {
      "{\"a\":\(7 * $0 % 5),\"b\":\"\($0 == 2 ? long : "")\\n\($0)\",\"c\":[\($0)]}"
    }
    for (input, others) in [
      ("a,b\n" + rows.joined(separator: "\n"), ["--from", "csv", "--ragged", "fill", "--csv"]),
      (objects.joined(separator: "\n"), ["--from", "jsonl", "--jsonl"]),
    ] {
      let whole = try Run(options + others, input: input)
      #expect(whole.status == 0 && whole.output.count > 2)
      #expect(try Run(options + others + ["--memory", "1K"], input: input).output == whole.output)
    }
  }

  @Test func `R52 words are parted at blanks however long the line is`() throws {
    let long = String(repeating: "\u{E9}", count: 1_200_000)
    let run = try Run(["--from", "words", "--csv"], input: "A  B  C\n1  2  \(long) \u{E9} x\n3  4  y\n")
    #expect(run.output.text == "A,B,C\n1,2,\(long) \u{E9} x\n3,4,y\n")
    let tabs = String(repeating: "\t", count: 300_000)
    let spread = try Run(["--from", "words", "--csv"], input: "A\(tabs)B\n1\(tabs)2\n3\(tabs)4\n")
    #expect(spread.output.text == "A,B\n1,2\n3,4\n")
  }

  @Test(arguments: [["--markdown"], ["--markdown", "-x"], ["--html"], ["--html", "-x"], ["-x"], ["--list"]])
  func `R10 a title is cut where a warning says so, and only there`(_ options: [String]) throws {
    for length in [3_000_000, 5_000_000] {
      let title = String(repeating: "x", count: length)
      let run = try Run(["--from", "csv"] + options, input: "a,\(title)\n1,2\n")
      let isCut = length > 4 << 20 && !options.contains("--html")
      let text = run.output.text
      #expect(text.unicodeScalars.contains("…") == isCut)
      #expect((text.utf8.count { $0 == UInt8(ascii: "x") } >= length) == !isCut)
      #expect(
        run.errors.text
          == (isCut ? "tabler: warning: 1 title cut, too long to be drawn; --csv or --json writes all\n" : "")
      )
    }
  }

  @Test(arguments: ["--grid", "--html", "--csv"])
  func `R52 the totals of very many columns take little`(_ form: String) throws {
    let titles = (0..<60_000).map { "c\($0)" }.joined(separator: ",")
    let numbers = (0..<60_000).map { "\($0)" }.joined(separator: ",")
    let file = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    try Data("\(titles)\n\(numbers)\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let end = try endless("", "", [form, "--footer", "totals", "--memory", "1M", file.path])
    #expect(end.status == 0)
    #expect(end.peak < 110 << 10, "\(end.peak) KiB")
  }

  /// The end of a run over a file.
  private func end(of text: String, _ options: [String]) throws -> End {
    let file = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try endless("", "", options + ["--memory", "1M", file.path])
  }

  @Test
  func `R52 what footers keep of very many values is spilled`() throws {
    let texts = "c,s\n" + (0..<1_100_000).map { "text \($0),\($0 >> 19)\n" }.joined()
    let foot = "c={distinct(c)} {last(c)}"
    for options in [
      ["--html", "--footer", foot], ["--html", "--section-by", "'x'", "--section-footer", foot],
      ["--csv", "--aggregate", "d = distinct(c)"],
    ] {
      let end = try end(of: texts, options)
      #expect(end.status == 0, "\(end.errors)")
      #expect(end.peak < 103 << 10, "\(options) \(end.peak) KiB")
    }
    let columns = (0..<12).map { "c\($0)" }
    let numbers = (0..<250_000).map { number in
      columns.indices.map { "\(number * ($0 + 7919) % 250_007)" }.joined(separator: ",") + "\n"
    }
    let medians = columns.map { "\($0)={median(\($0))}" }.joined(separator: ",")
    let end = try end(
      of: columns.joined(separator: ",") + "\n" + numbers.joined(), ["--html", "--footer", medians])
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.peak < 103 << 10, "\(end.peak) KiB")
    // Numbers of more digits than a double has are kept whole.
    let long = "c\n" + (0..<1_200_000).map { "\($0)00000000000001234567\n" }.joined()
    let middle = try self.end(of: long, ["--html", "--footer", "c={median(c)}"])
    #expect(middle.status == 0, "\(middle.errors)")
    #expect(middle.peak < 103 << 10, "\(middle.peak) KiB")
  }

  @Test
  func `R52 what footers keep and cannot spill ends the reading where it has no room`() throws {
    let texts = "c\n" + (0..<500_000).map { "a text of number \($0)\n" }.joined()
    let joined = (0..<3).map { "{join_agg(c, '\($0)')}" }.joined()
    let end = try end(of: texts, ["--html", "--footer", "c=\(joined)"])
    #expect(end.status == 4)
    #expect(
      end.errors
        == "tabler: --footer: what its aggregates keep does not fit into the memory (--memory gives it more)\n"
    )
  }

  @Test func `R52 rows of very many columns take little`() throws {
    let count = 100_000
    let titles = (0..<count).map { "c\($0)" }.joined(separator: ",")
    let rows = (0..<24).map { row in
      (0..<count).map { "\(($0 * 7 + row * 13) % 100)" }.joined(separator: ",") + "\n"
    }
    let end = try end(of: titles + "\n" + rows.joined(), ["--html", "--sort", "c5"])
    #expect(end.status == 0, "\(end.errors)")
    // 96 MiB alone; beside other tests, more rows are read ahead of those that are written.
    #expect(end.peak < 110 << 10, "\(end.peak) KiB")
  }

  @Test(arguments: [["--move", "1 to 3"], ["--group-by", "t"]])
  func `R52 of several long computed texts few are in memory at once`(_ options: [String]) throws {
    let rows = (0..<8).map { "\($0 * 5 % 8),\(["a", "b", "c", "d", "e", "f", "g", "h"][$0])\n" }
    let end = try end(
      of: "k,a\n" + rows.joined(), ["--csv", "--derive", "t = repeat(a, 16000000)"] + options)
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.peak < 103 << 10, "\(end.peak) KiB")
  }

  @Test
  func `R52 a single object with a very long list is read once`() throws {
    let items = (0..<1_500_000).map { "{\"a\":\($0),\"b\":\"some text \($0)\"}" }
    let end = try end(of: "{\"x\":[" + items.joined(separator: ",") + "]}\n", ["--csv"])
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.peak < 103 << 10, "\(end.peak) KiB")
  }

  @Test(arguments: ["a:number", "(number(a) + 1)", "b,-c"])
  func `R52 the first rows in order are held within the budget`(_ keys: String) throws {
    let text = String(repeating: "y", count: 12_000)
    let rows = (0..<3000).map { "\($0 % 7 == 0 ? "x\($0)" : "\($0 * 7919 % 3001)"),\(text),\($0)\n" }
    let input = "a,b,c\n" + rows.joined()
    let options = ["--sort", keys, "--csv", "--columns", "c,a"]
    let whole = try Run(options + ["--head", "2500"], input: input)
    let spilled = try Run(options + ["--head", "2500", "--memory", "1M"], input: input)
    #expect(whole.output == spilled.output)
    #expect(whole.errors == spilled.errors)
    let all = try Run(options, input: input)
    #expect(all.output.text.hasPrefix(whole.output.text))
    #expect(all.errors == whole.errors)
  }

  @Test func `R52 the first rows in order take no more than the budget and 100 MiB`() throws {
    let text = String(repeating: "y", count: 4000)
    let input = "a,b\n" + (0..<40_000).map { "\(40_000 - $0),\(text)\n" }.joined()
    let file = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    try Data(input.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let end = try endless("", "", ["--sort", "a", "--head", "30000", "--csv", "--memory", "1M", file.path])
    #expect(end.status == 0)
    #expect(end.peak < 110 << 10, "\(end.peak) KiB")
  }

  @Test func `R52 the first rows in order are found where many are alike`() throws {
    let input = "a\n" + (0..<20_000).map { "\($0 % 4)\n" }.joined()
    let run = try Run(["--sort", "a", "--head", "500", "--memory", "1K", "--csv"], input: input)
    #expect(run.output.text == "a\n" + String(repeating: "0\n", count: 500))
  }

  @Test func `R52 wide rows are painted a few at a time`() throws {
    let long = String(repeating: "x", count: 300_000)
    let input = "a\n\(long)\n" + String(repeating: "1\n", count: 1000)
    let file = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    try Data(input.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    for form in ["--grid", "--markdown", "--list"] {
      let run = try endless("", "", [form, "--memory", "1M", file.path])
      #expect(run.status == 0)
      #expect(run.peak < 110 << 10, "\(form): \(run.peak) KiB")
    }
  }

  @Test func `R52 keys without end are refused where their limit is passed`() throws {
    let keys = (0..<110_000).map { "\"k\($0)\":1" }.joined(separator: ",")
    let run = try Run(["--csv", "--memory", "1M"], input: "{\(keys)}\n")
    #expect(run.status == 3)
    #expect(run.errors.text.contains("more columns than the memory budget has room for"))
  }

  @Test func `R52 a line that is left out may be without end`() throws {
    let end = try endless("", "xy ", ["--skip-lines", "1", "--csv", "--memory", "64M"])
    #expect(end.status == 0)
    #expect(end.peak < 100 << 10, "\(end.peak) KiB")
  }

  @Test func `R52 many columns and short rows do not make a batch of all`() throws {
    let header = (0..<5000).map { "c\($0)" }.joined(separator: ",") + "\n"
    let short = try endless(
      header + String(repeating: "1\n", count: 10_000), "", ["--ragged", "fill", "--jsonl"])
    #expect(short.status == 0)
    #expect(short.peak < 150 << 10, "\(short.peak) KiB")
    let keys = "{" + (0..<5000).map { "\"k\($0)\":1" }.joined(separator: ",") + "}\n"
    let objects = try endless(keys + String(repeating: "{}\n", count: 10_000), "", ["--jsonl"])
    #expect(objects.status == 0)
    #expect(objects.peak < 150 << 10, "\(objects.peak) KiB")
  }

  @Test func `R33 batches that end by their cells give the same rows`() throws {
    // 3,000 columns make batches of 87 rows, whatever stands in them.
    let header = (0..<3000).map { "c\($0)" }.joined(separator: ",") + "\n"
    let rows = (0..<900).map { $0 % 300 == 7 ? "\"\($0)\n\",x\n" : "\($0)\n" }.joined() + "1" + "\n# x\n2\n"
    let options = ["--ragged", "fill", "--columns", "c1,c0", "--comment", "#"]
    let run = try Run(options + ["--csv"], input: header + rows)
    let expected = (0..<900).map { $0 % 300 == 7 ? "x,\"\($0)\n\"\n" : ",\($0)\n" }.joined() + ",1\n,2\n"
    #expect(run.output.text == "c1,c0\n" + expected)
    let table = try Run(options + ["--memory", "1K", "--overflow", "truncate"], input: header + rows)
    #expect(
      table.output.text == (try Run(options + ["--overflow", "truncate"], input: header + rows)).output.text)
    let keys = "{" + (0..<3000).map { "\"k\($0)\":1" }.joined(separator: ",") + "}\n"
    let objects = (0..<900).map { "{\"k2\":\($0),\"n\($0 / 100)\":\($0)}\n" }.joined()
    #expect(try Run(["--jsonl"], input: keys + objects).output.text == keys + objects)
    let few = try Run(["--csv", "--columns", "k2,n8"], input: keys + objects)
    #expect(
      few.output.text == "k2,n8\n1,\n" + (0..<900).map { "\($0),\($0 / 100 == 8 ? "\($0)" : "")\n" }.joined())
  }

  @Test(arguments: ["--head -70000", "--tail 70000", "--head -3", "--head -100000", "--tail 100000"])
  func `R52 the last rows are held within the budget`(_ option: String) throws {
    let words = option.split(separator: " ").map(String.init)
    let rows = (0..<90_000).map { "\($0 % 7),\($0)\n" }
    for filter in [[], ["--filter", "a = 3"]] {
      let kept = filter.isEmpty ? rows : rows.filter { $0.hasPrefix("3,") }
      let count = Int(words[1]) ?? 0
      let expected = count < 0 ? kept.dropLast(min(-count, kept.count)) : kept.suffix(count)
      for memory in ["1K", "1G"] {
        let run = try Run(
          words + filter + ["--csv", "--memory", memory], input: "a,b\n" + rows.joined())
        #expect(run.output.text == "a,b\n" + expected.joined())
      }
    }
  }

  @Test func `R46 many names are found quickly, and said in one line`() throws {
    let names = String(repeating: "x,", count: 20_000) + "x\n"
    let run = try Run(["--csv", "--columns", "x_20001"], input: names + names)
    #expect(run.output.text == "x\nx\n")
    #expect(
      run.errors.text
        == "tabler: warning: column 'x' appears 20001 times; the others are called 'x_2', 'x_3', 'x_4', 'x_5' ... 'x_20001'\n"
    )
    let twice = (0..<20_000).map { "\"k\($0)\":1" }.joined(separator: ",")
    #expect(try Run(["--jsonl"], input: "{\"k7\":2,\(twice)}\n").output.text == "{\(twice)}\n")
  }

  @Test func `R46 patterns with many sets are compiled at once`() throws {
    let pattern = "'" + String(repeating: #"\pL"#, count: 3000) + "'"
    let run = try Run(["--csv", "--filter", "matches(a, \(pattern))"], input: "a\nx\n")
    #expect(run.output.text == "a\n" && run.status == 0)
    let folded = "'(?i)" + (0..<2000).map { #"[\x{\#(String($0, radix: 16))}-\x{10FFFF}]"# }.joined() + "'"
    #expect(try Run(["--csv", "--filter", "matches(a, \(folded))"], input: "a\nx\n").output.text == "a\n")
  }
}
