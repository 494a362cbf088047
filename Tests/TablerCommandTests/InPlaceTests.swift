import Foundation
import Testing

/// R12, R51: a file that is written back is the old one or the whole new one.
@Suite struct InPlaceTests {
  /// Runs over a file, and gives what it holds then.
  private func edit(
    _ text: String, as name: String = "f.csv", _ arguments: [String], in folder: URL
  ) throws -> (run: Run, text: String) {
    let file = folder.appending(path: name)
    try Data(text.utf8).write(to: file)
    let run = try Run(arguments + ["--in-place", name], input: URL(fileURLWithPath: "/dev/null"), in: folder)
    return (run, try Data(contentsOf: file).text)
  }

  @Test(arguments: [
    ("f.csv", "a,b\n1,x\n2,y\n", "a,b\n10,x\n2,y\n"),
    (
      "f.csv", "\u{FEFF}\"a\";\"b\"\r\n\"1\";\" x \"\r\n2;y",
      "\u{FEFF}\"a\";\"b\"\r\n\"10\";\" x \"\r\n2;y"
    ),
    ("f.csv", "sep=;\r\na;b\r\n1;x\r\n", "sep=;\r\na;b\r\n10;x\r\n"),
    ("f.csv", "\u{FEFF}\"sep=,\"\na,b\n1,x\n", "\u{FEFF}\"sep=,\"\na,b\n10,x\n"),
    ("f.tsv", "a\tb\n1\t\\tx\n2\ty\n", "a\tb\n10\t\\tx\n2\ty\n"),
    ("f.jsonl", "{\"b\": \"x\" , \"a\":1}\n{\"a\":2}\n", "{\"b\":\"x\",\"a\":10}\n{\"a\":2}\n"),
    ("f.json", "[{\"a\":1},\n {\"a\":2.50}]\n", "[\n{\"a\":10},\n{\"a\":2.50}\n]\n"),
    ("f.json", "{\"a\":1} {\"a\":2}", "{\"a\":10}\n{\"a\":2}\n"),
    ("f.json", "[]", "[]\n"), ("f.csv", "", ""),
  ])
  func `R12 only what is set changes`(_ name: String, _ text: String, _ expected: String) throws {
    try inFolder { folder in
      let arguments = text.isEmpty || text == "[]" ? [] : ["--set", "a = 10 where a = 1"]
      let (run, written) = try edit(text, as: name, arguments, in: folder)
      #expect(run.status == 0 && run.output.isEmpty && run.errors.text == "" || text.isEmpty)
      #expect(written == expected)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
    }
  }

  /// Of many rows another thread writes the first while the last are read: it must not keep what it has written.
  @Test(arguments: [
    ("9,9,9\n", ["f.csv", "-o", "o.csv"], 3), ("9,9,9\n", ["f.csv", "--in-place", "--set", "a = 1"], 3),
    ("-1,x\n", ["f.csv", "-o", "o.csv", "--validate", "a >= 0"], 1),
    ("-1,x\n", ["f.csv", "-o", "o.jsonl", "--validate", "a >= 0"], 1),
  ])
  func `R51 a file that is not written whole leaves nothing behind`(
    _ last: String, _ arguments: [String], _ status: Int32
  ) throws {
    let text = "a,b\n" + String(repeating: "1,some text that is as good as any\n", count: 30_000) + last
    try inFolder { folder in
      try Data(text.utf8).write(to: folder.appending(path: "f.csv"))
      for _ in 0..<25 {
        let run = try Run(arguments, input: URL(fileURLWithPath: "/dev/null"), in: folder)
        #expect(run.status == status)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files == ["f.csv"])
        if files.count > 1 { return }
      }
    }
  }

  @Test(arguments: [
    (["--set", "a = 10 where a = 1"], "a,b\r\n10,x\r\n2,y\r\n3,z"),
    (["--set", "b = 'w'"], "a,b\r\n1,w\r\n2,w\r\n3,w"),
    (["--derive", "c = 1"], "a,b,c\r\n1,x,1\r\n2,y,1\r\n3,z,1"),
    (["-c", "b"], "b\r\nx\r\ny\r\nz"), (["--filter", "a > 2"], "a,b\r\n3,z"),
    (["--filter", "a < 3"], "a,b\r\n1,x\r\n2,y\r\n"),
    (["--head", "2"], "a,b\r\n1,x\r\n2,y\r\n"), (["--head", "3"], "a,b\r\n1,x\r\n2,y\r\n3,z"),
    (["--tail", "1"], "a,b\r\n3,z"), (["--sort", "-a"], "a,b\r\n3,z\r\n2,y\r\n1,x\r\n"),
    (["--sort", "a"], "a,b\r\n1,x\r\n2,y\r\n3,z"),
    (["--move", "1 to bottom"], "a,b\r\n2,y\r\n3,z\r\n1,x\r\n"),
    (["--move", "1 to 3"], "a,b\r\n2,y\r\n1,x\r\n3,z"), (["--delete", "-1"], "a,b\r\n1,x\r\n2,y\r\n"),
    (["--delete", "-2"], "a,b\r\n1,x\r\n3,z"),
    (["--add", "a = 4, b = 'w'"], "a,b\r\n1,x\r\n2,y\r\n3,z\r\n4,w\r\n"),
    (["--footer-lines", "1", "--sort", "-a"], "a,b\r\n2,y\r\n1,x\r\n3,z"),
    (["--footer-lines", "1", "--head", "1"], "a,b\r\n1,x\r\n3,z"),
    (["--formula-guard"], "a,b\r\n1,x\r\n2,y\r\n3,z"),
  ])
  func `R12 a last record that has no end gets none where it stays the last`(
    _ options: [String], _ expected: String
  ) throws {
    let text = "a,b\r\n1,x\r\n2,y\r\n3,z"
    try inFolder { folder in
      for more in [[], ["--memory", "1K"]] {
        for (name, swap) in [
          ("f.csv", { $0 }), ("f.tsv", { (text: String) in text.replacing(",", with: "\t") }),
        ] {
          let (run, written) = try edit(swap(text), as: name, options + more, in: folder)
          let notes = run.errors.text
          #expect(run.status == 0 && (notes.isEmpty || notes.hasSuffix(" left out\n")), "\(notes)")
          #expect(written == swap(expected), "\(name)")
          let (_, ended) = try edit(swap(text) + "\r\n", as: name, options + more, in: folder)
          #expect(ended == swap(expected) + (expected.hasSuffix("\r\n") ? "" : "\r\n"))
        }
      }
      // To the standard output every record has an end.
      let run = try Run(options + ["--csv"], input: text)
      #expect(run.output.text == expected + (expected.hasSuffix("\r\n") ? "" : "\r\n"))
    }
  }

  @Test(arguments: [
    ("f.csv", "a,b", "a,b"), ("f.csv", "a,b\n", "a,b\n"), ("f.tsv", "a\tb", "a\tb"),
    ("f.csv", "a,b\r1,x\r2,y", "a,b\r1,x\r2,y"),
    ("f.csv", "\u{FEFF}a,b\n1,\"x\n\"", "\u{FEFF}a,b\n1,\"x\n\""),
    ("f.jsonl", "{\"a\":1}\n{\"a\":2}", "{\"a\":1}\n{\"a\":2}"), ("f.jsonl", "{\"a\":1}", "{\"a\":1}"),
    ("f.jsonl", "{\"a\":1}\n{\"a\":2} ", "{\"a\":1}\n{\"a\":2}"),
    ("f.jsonl", "{\"a\":1}\n{\"a\":2}\n ", "{\"a\":1}\n{\"a\":2}\n"),
    ("f.json", "[{\"a\":1}]", "[\n{\"a\":1}\n]\n"),
  ])
  func `R12 the end of the file stays`(_ name: String, _ text: String, _ expected: String) throws {
    try inFolder { folder in
      let (run, written) = try edit(text, as: name, [], in: folder)
      #expect(run.status == 0 && written == expected, "\(run.errors.text)")
      let many = String(repeating: name == "f.jsonl" ? "{\"a\":0}\n" : "0,0\n", count: 70_000)
      if name != "f.jsonl" || !expected.hasSuffix("2}") { return }
      #expect(try edit(many + text, as: name, ["--sort", "a"], in: folder).text == many + expected)
    }
  }

  @Test(arguments: ["--columns=b", "--hide=*"])
  func `R70 a file of which no column would be left stays as it is`(_ option: String) throws {
    let text = "{\"a\":1}\n{\"a\":\"x\"}\n"
    try inFolder { folder in
      let (run, written) = try edit(text, as: "f.jsonl", [option], in: folder)
      #expect(run.status == 1 && written == text)
      #expect(run.errors.text.contains("f.jsonl: not written: none of its columns would be left"))
    }
  }

  @Test(
    "R12 a cell that a function does not convert is not emptied without a word",
    arguments: [
      "number(b)", "int(b)", "decimal(b)", "double(b)", "bool(b)", "date(b)", "datetime(b)", "duration(b)",
      "size(b)",
      "date(b, '%d.%m.%Y')", "datetime(b, '%d.%m.%Y')", "strptime(b, '%H:%M')", "round(number(b), 1)",
      "-number(b)",
      "number(b) * 2", "date(b) + 1d", "year(date(b))", "epoch(datetime(b))", "[number(b)][0]",
      "if(a > 0, number(b), 1)", "DATE(b)", "number(trim(b))", "number(gsub(lower(b), /,/, ''))",
      "int('-' ++ b)", "parse_json(b)",
    ], ["f.csv", "f.tsv", "f.jsonl", "f.json"])
  func conversions(_ value: String, _ name: String) throws {
    let isList = name == "f.json"
    let text =
      name.contains("json")
      ? (isList ? "[\n" : "") + "{\"a\":1,\"b\":\"02/03/x\"}\(isList ? "," : "")\n{\"a\":2,\"b\":null}\n"
        + (isList ? "]\n" : "")
      : ["a,b", "1,02/03/x", "2,", ""].joined(separator: "\n").replacing(
        ",", with: name == "f.csv" ? "," : "\t")
    try inFolder { folder in
      let (run, written) = try edit(text, as: name, ["--set", "b = \(value)"], in: folder)
      #expect(run.status == 3 && written == text, "\(run.errors.text)")
      #expect(run.errors.text.contains("1 cell of 'b' is not "), "\(run.errors.text)")
      let nothing = URL(fileURLWithPath: "/dev/null")
      for form in ["--csv", "--list", "--jsonl"] {
        let plain = ["--set", "b = \(value)", form, name]
        let run = try Run(plain, input: nothing, in: folder)
        #expect(run.status == 0 && run.errors.text.contains("1 cell of 'b' is not "), "\(run.errors.text)")
        let stopped = try Run(plain + ["--on-error", "stop"], input: nothing, in: folder)
        #expect(stopped.status == 3, "\(stopped.errors.text)")
        let skipped = try Run(plain + ["--on-error", "skip", "-c", "a", "--csv"], input: nothing, in: folder)
        #expect(skipped.output.text == "a\n2\n")
        #expect(skipped.errors.text.contains("row was left out"), "\(skipped.errors.text)")
      }
      for kept in ["coalesce(\(value), b)", "if((\(value)) is null, b, 1)"] {
        let (run, _) = try edit(text, as: name, ["--set", "b = \(kept)"], in: folder)
        #expect(run.status == 0 && !run.errors.text.contains(" is not "), "\(kept): \(run.errors.text)")
      }
      let (derived, _) = try edit(text, as: name, ["--derive", "c = \(value)"], in: folder)
      let said = derived.errors.text
      let isNoted = said.hasPrefix(
        "tabler: note: \(name): the only cell of 'b' that was read could not be converted to ")
      // What is computed from a cell is not the cell.
      let isComputed = ["trim", "gsub", "++", "if("].contains { value.contains($0) }
      #expect(derived.status == 0 && (isComputed ? said.isEmpty : isNoted), "\(said)")
    }
  }

  @Test(arguments: [
    (["--set", "p = p + 0", "--set", "p = coalesce(p, 0)"], "p,q\n0,b\n7,a\n"),
    (["--set", "p = p + 0", "--filter", "q != 'b'"], "p,q\n7,a\n"),
  ])
  func `what a later assignment fills, or a row that is left out, is not lost`(
    _ arguments: [String], _ expected: String
  ) throws {
    try inFolder { folder in
      let (run, written) = try edit("p,q\n$5,b\n7,a\n", as: "f.csv", arguments, in: folder)
      #expect(run.status == 0 && written == expected, "\(run.errors.text)")
    }
  }

  @Test(arguments: [
    (["--set", "b = repeat(b, 20000000) where a = 2"], "f.csv:3: 1 text that repeat() makes has"),
    (["--set", "b = lpad(b, 20000000)"], "f.csv:2: 2 texts that lpad() makes have"),
    (
      ["--derive", "c = repeat(b, 9000000) ++ repeat(b, 9000000) where a = 2"],
      "f.csv:3: 1 text that ++ makes has"
    ),
    (["--filter", "repeat(b, 20000000) is null"], "f.csv:2: 2 texts that repeat() makes have"),
    (["--sort", "(rpad(b, 20000000))"], "f.csv:2: 2 texts that rpad() makes have"),
    (["--delete", "[b, repeat(b, 16777215)] is null"], "f.csv:2: 2 texts that a list makes have"),
  ])
  func `R12 a text that grows too long leaves the file as it is`(
    _ options: [String], _ message: String
  ) throws {
    let text = "a,b\n1,x\n2,y\n"
    try inFolder { folder in
      let (run, written) = try edit(text, options, in: folder)
      #expect(run.status == 3 && written == text)
      #expect(run.errors.text == "tabler: \(message) more than 16 MiB; nothing is written\n")
      for form in ["csv", "tsv", "json", "jsonl"] {
        let run = try Run(
          options + ["-o", "new.\(form)", "f.csv"], input: URL(fileURLWithPath: "/dev/null"), in: folder)
        #expect(run.status == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["f.csv"])
      }
    }
  }

  @Test(arguments: [
    (
      ["--set", "price = price * 2"],
      """
      2 cells of 'price' are not numbers (first: line 2, '$5'), so that --set would empty 2 cells; nothing is \
      written (--null NA makes that word null everywhere; \
      coalesce(number(price), number(gsub(price, /[^-.\\d]/, ""))) reads amounts; 'where price is number' keeps such cells; --on-error skip leaves their rows out)
      """
    ),
    (
      ["--filter", "price > 6", "--null", "NA"],
      """
      1 cell of 'price' is not a number (first: line 2, '$5'), so that --filter would leave out 1 row; nothing \
      is written (coalesce(number(price), number(gsub(price, /[^-.\\d]/, ""))) reads amounts; \
      'or price is not number' keeps such rows; \
      --on-error skip leaves it out)
      """
    ),
    (
      ["--types", "price:duration", "--set", "b = price"],
      """
      3 cells of 'price' are not durations (first: line 2, '$5'), so that --set would empty 3 cells; nothing \
      is written (--null NA makes that word null everywhere; 'where price is duration' keeps such cells; \
      --on-error skip leaves their rows out)
      """
    ),
    (
      ["--types", "b:int", "--set", "b = price where b = 3"],
      """
      1 cell of 'b' is not a whole number (first: line 4, 'NA'), so that --set would empty 1 cell; nothing is \
      written (--on-error skip leaves its row out)
      """
    ),
  ])
  func `R12 a cell that does not convert leaves the file as it is`(
    _ options: [String], _ message: String
  ) throws {
    let text = "price,b\n$5,1\n7,2\nNA,3\n"
    try inFolder { folder in
      for more in [[], ["--memory", "1K"], ["-q"]] {
        let (run, written) = try edit(text, options + more, in: folder)
        #expect(run.status == 3 && written == text)
        #expect(run.errors.text == "tabler: f.csv: " + message + "\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["f.csv"])
      }
    }
  }

  @Test(arguments: [
    (["--set", "price = price * 2", "--on-error", "skip"], "price,b\n14,2\n"),
    (["--set", "price = price * 2", "--null", "NA", "--null", "$5"], "price,b\n$5,1\n14,2\nNA,3\n"),
    (["--set", "price = price * 2 where price is number"], "price,b\n$5,1\n14,2\nNA,3\n"),
    (["--set", "b = price * 2 ?? b"], "price,b\n$5,1\n7,14\nNA,3\n"),
    (["--set", "b = 9 where price > 6"], "price,b\n$5,1\n7,9\nNA,3\n"),
    (["--derive", "c = price * 2"], "price,b,c\n$5,1,\n7,2,14\nNA,3,\n"),
    (["--filter", "price > 6", "--on-error", "skip"], "price,b\n7,2\n"),
    (["--filter", "price > 6", "--null", "NA", "--null", "$5"], "price,b\n7,2\n"),
    (["--filter", "price > 6 or price is not number"], "price,b\n$5,1\n7,2\nNA,3\n"),
    (["--filter", "(price > 6 and b < 3) ?? false"], "price,b\n7,2\n"),
    (["--filter", "(price > 6 and b < 3) ?? (b > 2)"], "price,b\n7,2\n"),
    (["--delete", "price > 6"], "price,b\n$5,1\nNA,3\n"),
    (["--types", "price:number"], "price,b\n$5,1\n7,2\nNA,3\n"),
    (["--types", "price:number", "--filter", "b > 1"], "price,b\n7,2\nNA,3\n"),
    (["--set", "price = null where b = 1"], "price,b\n,1\n7,2\nNA,3\n"),
  ])
  func `R12 what becomes of cells that do not convert may be said`(
    _ options: [String], _ expected: String
  ) throws {
    try inFolder { folder in
      let (run, written) = try edit("price,b\n$5,1\n7,2\nNA,3\n", options, in: folder)
      #expect(
        run.status == 0 && written == expected && !run.errors.text.contains("empt"), "\(run.errors.text)")
    }
  }

  @Test(arguments: [["--no-header"], ["--hide", "*"]])
  func `R12 a header without end that is not written takes nothing with it`(_ options: [String]) throws {
    try inFolder { folder in
      let (run, written) = try edit("\u{FEFF}a,b", options, in: folder)
      #expect(run.status == 0 && written == "\u{FEFF}", "\(run.errors.text)")
    }
  }

  @Test(arguments: [
    (["-n", "2", "-c", "a"], "3 of 5 rows and 1 of 2 columns left out"),
    (["--head=-2"], "2 of 5 rows left out"), (["--tail", "1"], "4 of 5 rows left out"),
    (["--skip", "4"], "4 of 5 rows left out"), (["--filter", "a > 4"], "4 of 5 rows left out"),
    (["--delete", "1,-1"], "2 of 5 rows left out"), (["--delete", "a = 1"], "1 of 5 rows left out"),
    (["--hide", "b"], "1 of 2 columns left out"),
    (["--footer-lines", "1", "-n", "1"], "3 of 4 rows left out"),
    (["--validate", "a > 1", "--rejects", "no.csv"], "1 of 5 rows left out"),
    (["--types", "b:number", "--on-error", "skip", "-n", "9", "--add", "b = 1"], "5 of 6 rows left out"),
    (["--set", "b = 'y'", "-c", "b"], "1 of 2 columns left out"),
    (["--set", "b = 'x' where a = 9"], "0 cells changed"),
    (["--set", "a = a"], "0 cells changed"), ([], "0 cells changed"),
    (["--format", "a={:.2f}"], "0 cells changed"),
    (["--set", "b = if(is_number(b), b, null) where a > 3"], "2 cells of 'b' emptied (first: line 5)"),
    (["--set", "a = nullif(a, 2)", "--on-error", "skip"], "1 cell of 'a' emptied (first: line 3)"),
    (["--sort", "-a"], ""), (["--set", "b = 'z' where a = 1"], ""), (["--derive", "c = 1"], ""),
    (["--move", "1 to bottom"], ""), (["-q", "-n", "2"], ""),
  ])
  func `R70 what is left out is told`(_ options: [String], _ expected: String) throws {
    try inFolder { folder in
      let (run, _) = try edit("a,b\n1,x\n2,x\n3,x\n4,x\n5,x\n", options, in: folder)
      let notes = run.errors.text.split(separator: "\n").filter { $0.contains(": note: ") }
      #expect(
        notes.joined() == (expected.isEmpty ? "" : "tabler: note: f.csv: " + expected), "\(run.errors.text)")
    }
  }

  @Test func `R70 what the input leaves out is told, too`() throws {
    try inFolder { folder in
      let short = try edit("a,b\n1,x\n2\n3,x\n", ["--ragged", "skip"], in: folder).run
      #expect(short.errors.text.hasSuffix("tabler: note: f.csv: 1 of 3 rows left out\n"))
      let lines = "\na,b\n1,x\n\n\n2,x\n\n"
      let empty = try edit(lines, ["--head", "1"], in: folder)
      #expect(empty.text == "a,b\n1,x\n")
      #expect(empty.run.errors.text == "tabler: note: f.csv: 1 of 2 rows and 4 empty lines left out\n")
      let one = try edit("a\r\n\r\n1\r\n", ["--hide", "a", "--derive", "b = a"], in: folder).run
      #expect(one.errors.text == "tabler: note: f.csv: 1 of 1 column and 1 empty line left out\n")
      let rows = try edit("a\n1\n\n2\n", as: "f.tsv", ["--sort", "-a"], in: folder)
      #expect(rows.run.errors.text == "" && rows.text == "a\n2\n1\n\n")
      let keys = try edit("{\"a\":1}\n{\"a\":2,\"b\":3}\n", as: "f.jsonl", ["--hide", "b"], in: folder).run
      #expect(keys.errors.text == "tabler: note: f.jsonl: 1 of 2 columns left out\n")
      let json = "{\"a\":1}\n{\"a\":\"x\",\"b\":3}\n"
      let (derived, written) = try edit(json, as: "f.jsonl", ["--derive", "b = a * 2"], in: folder)
      #expect(derived.status == 3 && written == json)
      #expect(derived.errors.text.contains("so that --derive would empty 1 cell; nothing is written"))
    }
  }

  @Test(arguments: [
    ("f.csv", ["--trim"]), ("f.csv", ["--names", "x,y"]), ("f.tsv", ["--quote", "\""]),
    ("f.jsonl", ["--flatten"]), ("f.jsonl", ["--null", "NA"]),
  ])
  func `R70 what is read otherwise is not said to be unchanged`(_ name: String, _ options: [String]) throws {
    try inFolder { folder in
      let text =
        name == "f.jsonl" ? "{\"a\":{\"b\":\"NA\"}}\n" : name == "f.csv" ? "a,b\n 1,2\n" : "a\tb\n\"1\"\t2\n"
      let (run, written) = try edit(text, as: name, options, in: folder)
      #expect(run.status == 0 && run.errors.text == "", "\(run.errors.text)")
      #expect(options == ["--null", "NA"] || written != text)
    }
  }

  @Test(arguments: [["--filter", "a > 3"], ["--head", "0"], ["--delete", "1..-1"], ["-q", "--skip", "9"]])
  func `R70 a file does not lose all rows`(_ options: [String]) throws {
    try inFolder { folder in
      let text = "a,b\n1,x\n2,y\n"
      let (run, written) = try edit(text, options, in: folder)
      #expect(run.status == 1 && written == text)
      #expect(
        run.errors.text.hasSuffix(
          "tabler: f.csv: not written: none of its 2 rows would be left; -o f.csv writes it so\n"))
      let wanted = try Run(
        options + ["-o", "f.csv", "f.csv"], input: URL(fileURLWithPath: "/dev/null"), in: folder)
      #expect(try wanted.status == 0 && Data(contentsOf: folder.appending(path: "f.csv")).text == "a,b\n")
    }
  }

  @Test func `R12 rows that are filtered away are gone, and links are followed`() throws {
    try inFolder { folder in
      let manager = FileManager.default
      let target = folder.appending(path: "target.csv")
      try Data("a,b\n1,x\n2,y\n".utf8).write(to: target)
      try manager.setAttributes([.posixPermissions: 0o604], ofItemAtPath: target.path)
      try manager.createSymbolicLink(
        atPath: folder.appending(path: "link").path, withDestinationPath: "target.csv")
      let run = try Run(
        ["-i", "--from", "csv", "--filter", "a > 1", "link"], input: URL(fileURLWithPath: "/dev/null"),
        in: folder)
      #expect(run.status == 0)
      #expect(try Data(contentsOf: target).text == "a,b\n2,y\n")
      #expect(try manager.attributesOfItem(atPath: target.path)[.posixPermissions] as? Int == 0o604)
      #expect(
        try manager.destinationOfSymbolicLink(atPath: folder.appending(path: "link").path) == "target.csv")
    }
  }

  @Test(arguments: [
    (["-"], "needs one file by its name"), (["f.csv", "g.csv"], "needs one file by its name"),
    (["--from", "words", "f.csv"], "not for words"), (["--to", "json", "f.csv"], "cannot be used together"),
    (["-o", "g.csv", "f.csv"], "cannot be used together"), (["f.txt"], "does not say what it holds"),
    (["--group-by", "a", "f.csv"], "cannot be used together"),
    (["--at", "a", "f.csv"], "cannot be used together"),
    (["--from", "jsonl", "f.csv"], "f.csv"), (["--comment", "#", "f.csv"], "cannot be used together"),
    (["--from", "csv", "/dev/null"], "is no regular file"), (["utf16.csv"], "is not UTF-8"),
    (["--filter", "nothing = 1", "f.csv"], "column 'nothing' not found"),
  ])
  func `R12 what cannot be written back is refused`(_ arguments: [String], _ message: String) throws {
    try inFolder { folder in
      let text = "a,b\n1,x\n"
      for name in ["f.csv", "g.csv", "f.txt"] {
        try Data(text.utf8).write(to: folder.appending(path: name))
      }
      let wide = folder.appending(path: "utf16.csv")
      try Data([0xFF, 0xFE] + text.utf8.flatMap { [$0, 0] }).write(to: wide)
      let run = try Run(["--in-place"] + arguments, input: URL(fileURLWithPath: "/dev/null"), in: folder)
      #expect(
        run.status != 0 && run.output.isEmpty && run.errors.text.contains(message), "\(run.errors.text)")
      #expect(try Data(contentsOf: folder.appending(path: "f.csv")).text == text)
      #expect(try Data(contentsOf: wide).count == 2 + 2 * text.utf8.count)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 4)
    }
  }

  @Test func `R12 damage in the last record leaves the file as it was`() throws {
    try inFolder { folder in
      let text = "a,b\n" + String(repeating: "1,x\n", count: 100_000) + "1,x,3\n"
      let (run, written) = try edit(text, ["--set", "a = 2"], in: folder)
      #expect(run.status == 3 && written == text)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["f.csv"])
    }
  }

  @Test func `R12 a file that was changed meanwhile is not replaced`() throws {
    try inFolder { folder in
      let file = folder.appending(path: "f.csv")
      let text = "a,b\n" + String(repeating: "1,x\n", count: 2_000_000)
      try Data(text.utf8).write(to: file)
      let process = Process()
      process.executableURL = Run.binary
      process.arguments = ["-i", "--sort", "a", "f.csv"]
      process.currentDirectoryURL = folder
      let pipe = Pipe()
      process.standardError = pipe
      try process.run()
      // The temporary file is there: the input was opened before.
      while try FileManager.default.contentsOfDirectory(atPath: folder.path).count < 2, process.isRunning {
        usleep(200)
      }
      let handle = try FileHandle(forWritingTo: file)
      try handle.seekToEnd()
      try handle.write(contentsOf: Data("9,z\n".utf8))
      try handle.close()
      let errors = pipe.fileHandleForReading.readDataToEndOfFile().text
      process.waitUntilExit()
      #expect(process.terminationStatus == 3 && errors.contains("changed"), "\(errors)")
      #expect(try Data(contentsOf: file).text == text + "9,z\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["f.csv"])
    }
  }

  @Test func `R51 a run that is killed leaves the old file or the new one`() throws {
    try inFolder { folder in
      let file = folder.appending(path: "f.csv")
      let old = "a,b\n" + String(repeating: "1,x\n", count: 100_000)
      let new = "a,b\n" + String(repeating: "2,x\n", count: 100_000)
      for round in 0..<50 {
        try Data(old.utf8).write(to: file)
        let process = Process()
        process.executableURL = Run.binary
        process.arguments = ["-i", "--set", "a = 2", "f.csv"]
        process.currentDirectoryURL = folder
        try process.run()
        usleep(UInt32(round * 700))
        kill(process.processIdentifier, round % 2 == 0 ? SIGKILL : SIGTERM)
        process.waitUntilExit()
        let text = try Data(contentsOf: file).text
        #expect(text == old || text == new)
        let others = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "f.csv" }
        // Nobody can clean up after SIGKILL.
        if round % 2 == 1 { #expect(others.isEmpty) }
        for name in others { try FileManager.default.removeItem(at: folder.appending(path: name)) }
      }
    }
  }
}
