import Foundation
import Testing

/// R12, R31: rows are checked, marked and taken away; nothing that is not valid is saved.
@Suite struct ValidateTests {
  private static let stock = "id,name,price\n1,Kiwi,2.50\n2,,-1\n3,Fig,x\n4,Kiwi,7\n"

  private static let findings: [(String, [(line: Int, text: String)])] = [
    ("price: value > 0", [(3, "4: price: not true: value > 0"), (4, "7: price: not true: value > 0")]),
    (
      "price: value > 0, 'must be positive'",
      [(3, "4: price: must be positive"), (4, "7: price: must be positive")]
    ),
    ("price > 0, \"too \\\"low\\\"\"", [(3, "too \"low\""), (4, "too \"low\"")]),
    ("name: unique(value)", [(5, "3: name: not true: unique(value)")]),
    ("unique(name), 'again'", [(5, "again")]),
    ("*: value is not empty", [(3, "3: name: not true: value is not empty")]),
    ("n*: length(value) > 3 , 'short'", [(3, "3: name: short"), (4, "3: name: short")]),
    ("@3 : is_number(value), 'no number'", [(4, "7: price: no number")]),
    ("`price`:is_number(value),'no number'", [(4, "7: price: no number")]),
    ("price: value < id + 3 , 'row'", [(4, "7: price: row"), (5, "8: price: row")]),
    ("id > 1 ? true : name = 'Kiwi'", []),
    ("line_number() < 4, 'late'", [(4, "late"), (5, "late")]),
    ("price: true", []),
    ("$3: value > 0, ''", [(3, "4: price: not true: value > 0"), (4, "7: price: not true: value > 0")]),
    ("price: $0.id < 2 , 'row'", [(3, "4: price: row"), (4, "7: price: row"), (5, "8: price: row")]),
  ]

  @Test(arguments: findings)
  func `each finding is a line`(_ rule: String, _ findings: [(line: Int, text: String)]) throws {
    let run = try Run(["--csv", "--validate", rule], input: Self.stock)
    let lines = run.errors.text.split(separator: "\n").filter { !$0.hasPrefix("tabler: warning: ") }
    // A finding about a cell says its column first.
    let expected = findings.map {
      "tabler: <stdin>:\($0.line):" + ($0.text.first?.isNumber == true ? "" : " ") + $0.text
    }
    #expect(lines.map { String($0) } == expected)
    #expect(run.status == (findings.isEmpty ? 0 : 1))
    #expect(run.output.text == Self.stock)
    #expect(try Run(["-q", "--csv", "--validate", rule], input: Self.stock).errors.isEmpty)
  }

  @Test func `a hundred findings are told, and the others are counted`() throws {
    let input = "a\n" + (1...150).map { "\($0)\n" }.joined()
    let run = try Run(["--validate", "a: value % 2 = 0, 'odd'", "--head", "1", "--csv"], input: input)
    #expect(run.output.text == "a\n1\n" && run.status == 1)
    #expect(run.errors.text.split(separator: "\n").count == 75)
    let more = try Run(["--validate", "a: value < 0", "--validate", "a > 140", "--csv"], input: input)
    let lines = more.errors.text.split(separator: "\n")
    #expect(lines.count == 101)
    #expect(lines.last == "tabler: 290 findings in 150 rows; the first 100 are named")
  }

  @Test func `columns can name a row instead of its line`() throws {
    let arguments = ["--validate", "price: is_number(value)", "--csv", "--id"]
    let run = try Run(arguments + ["id"], input: Self.stock)
    #expect(run.errors.text == "tabler: <stdin>: id 3: price: not true: is_number(value)\n")
    let two = try Run(arguments + ["name,id"], input: Self.stock)
    #expect(two.errors.text == "tabler: <stdin>: name Fig and id 3: price: not true: is_number(value)\n")
    let footer = try Run(["--id", "id", "--footer", "totals", "--filter", "price > 2"], input: Self.stock)
    #expect(footer.output.text.split(separator: "\n").last == "           9.50")
    #expect(try Run(arguments + ["ident"], input: Self.stock).status == 2)
    // What names rows of the input is no column of groups.
    let groups = try Run(arguments + ["id", "--aggregate", "n = count()"], input: Self.stock)
    #expect(groups.output.text == "n\n4\n" && groups.errors.text == run.errors.text)
    let untitled = try Run(["--validate", "a: false", "--id", "@2", "--csv"], input: "a,\n1,\n")
    #expect(untitled.errors.text == "tabler: <stdin>: @2 NA: a: not true: false\n")
  }

  @Test(arguments: [
    ("wieght: value > 0", "--validate: column 'wieght' not found"),
    ("price: value >", "expected a value after '>'"), ("price: ", "--validate: "),
    ("price > 0, soon", "a text in quotes"), ("price > 0, 'a', 'b'", "a text in quotes"),
    ("price: price ++ 'x'", "--validate: "), ("value > 0", "column 'value' not found"),
    ("zz*: upper(value)", "--validate: "),
  ])
  func `R31 a wrong rule is refused`(_ rule: String, _ message: String) throws {
    let run = try Run(["--validate", rule], input: Self.stock)
    #expect(run.status == 2 && run.output.isEmpty && run.errors.text.contains(message), "\(run.errors.text)")
  }

  @Test func `a column that is called value stands in backquotes`() throws {
    let input = "value,a\n1,2\n3,2\n"
    let run = try Run(["--csv", "--validate", "a: value > `value`"], input: input)
    #expect(run.errors.text == "tabler: <stdin>:3:3: a: not true: value > `value`\n")
    for record in ["$0.value", "$0['value']", "get($0, 'value')"] {
      let run = try Run(["--csv", "--validate", "a: value > \(record)"], input: input)
      #expect(run.errors.text == "tabler: <stdin>:3:3: a: not true: value > \(record)\n")
    }
  }

  /// Weights with some that are missing or no numbers, names that need quotes or several lines.
  private static func table(_ count: Int) -> String {
    var text = "id,name,weight\n"
    for row in 0..<count {
      let name = ["Kiwi", "\"Ban,ana\"", "日本🍌", "\"two\nlines\"", "", "Fig"][row % 6]
      text += "\(row),\(name),\(row % 7 == 3 ? "" : "\(row * 31 % 997)")\n"
    }
    return text
  }

  private static let ways = [
    [], ["--sort", "-weight"], ["--sort", "-weight", "--memory", "1K"], ["--move", "3..5 to top"],
    ["--sort", "name,-id", "--head", "20"], ["--tail", "9"], ["--head=-4"], ["--head", "12", "--skip", "3"],
    ["--filter", "id % 3 > 0"], ["--delete", "-3", "--delete", "id % 5 = 0"],
    ["--set", "weight = weight * 2"],
    ["--derive", "double = weight * 2"], ["--move", "(id > 40) to top", "--memory", "1K"],
    ["--lookahead", "10"], ["--section-by", "id // 10"],
  ]

  @Test(arguments: ["--list", "--stack", "--grid", "--grid --border none", "--markdown", "--list --width 30"])
  func `marks shift nothing, and stand where a rule is not kept`(_ layout: String) throws {
    let words = layout.split(separator: " ").map { String($0) }
    for way in Self.ways {
      let arguments = words + way
      let input = Self.table(60)
      func lines(_ rules: [String]) throws -> [String] {
        try Run(arguments + rules.flatMap { ["--validate", $0] }, input: input).output.text
          .split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
      }
      let all = try lines(["weight: true", "name: true"])
      let found = try lines(["weight: value > 500", "name: value is not empty", "weight: value % 2 = 0"])
      #expect(all.count == found.count, "\(arguments)")
      for (line, marked) in zip(all, found) {
        let bare = marked.replacing("⚠", with: " ")
        #expect(Self.trimmed(bare) == Self.trimmed(line), "\(arguments)")
      }
      // The same as when the rule is a column.
      let rule = "!(weight > 500 and weight % 2 = 0) or weight is null"
      let counted = try Run(
        way + ["--csv", "--derive", "bad = \(rule) ? 1 : 0; none = name is empty ? 1 : 0", "-c", "bad,none"],
        input: input)
      let marks = counted.output.text.split(separator: "\n").dropFirst().joined().filter { $0 == "1" }.count
      #expect(found.joined().filter { $0 == "⚠" }.count == marks, "\(arguments)")
    }
  }

  private static func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }

  @Test(arguments: ["--csv", "--tsv", "--jsonl", "--grid"])
  func `invalid rows are kept alone, or go to a file`(_ form: String) throws {
    try inFolder { folder in
      let input = Self.table(200)
      let file = folder.appending(path: "in.csv")
      try Data(input.utf8).write(to: file)
      let rules = ["--validate", "weight: value > 500", "--validate", "name is not empty, 'no name'"]
      let test = "weight > 500 and name is not empty"
      for extra in [[], ["--memory", "1K"], ["--sort", "weight"]] {
        let only = try Run([form] + rules + extra + ["--invalid-only", "in.csv"], input: file, in: folder)
        let bad = try Run([form, "--filter", "not coalesce(\(test), false)"] + extra, input: input)
        #expect(only.status == 1)
        if form != "--grid" { #expect(only.output.text == bad.output.text) }
        let rejecting = try Run(
          [form] + rules + extra + ["--rejects", "bad.csv", "in.csv"], input: file, in: folder)
        let good = try Run([form, "--filter", test] + extra, input: input)
        #expect(rejecting.status == 1)
        if form != "--grid" { #expect(rejecting.output.text == good.output.text) }
        let rejects = try Run(["-c", "id,name,weight", "--csv", "bad.csv"], input: file, in: folder)
        let all = try Run(["--csv", "--filter", "not coalesce(\(test), false)"], input: input)
        #expect(rejects.output.text == all.output.text)
        let reasons = try Run(
          ["-c", "column,message", "--csv", "--no-header", "--head", "4", "bad.csv"], input: file, in: folder)
        #expect(
          reasons.output.text
            == "weight,not true: value > 500\nweight,not true: value > 500\n"
            + "weight,not true: value > 500\nweight,not true: value > 500\n")
      }
    }
  }

  @Test func `rejects say where they come from, and JSON and several files have them too`() throws {
    try inFolder { folder in
      try Data("a,b\n1,x\n,y\n".utf8).write(to: folder.appending(path: "1.csv"))
      try Data("a,b\n\"\",\"q\"\"\"\n3,z\n".utf8).write(to: folder.appending(path: "2.csv"))
      let null = URL(fileURLWithPath: "/dev/null")
      let run = try Run(
        ["--csv", "--validate", "a: value is not empty, 'empty'", "--rejects", "bad.csv", "1.csv", "2.csv"],
        input: null, in: folder)
      #expect(run.output.text == "a,b\n1,x\n3,z\n")
      let text = try Data(contentsOf: folder.appending(path: "bad.csv")).text
      #expect(text == "a,b,line,column,message\n,y,1.csv:3,a,empty\n\"\",\"q\"\"\",2.csv:2,a,empty\n")
      let lines = folder.appending(path: "3.jsonl")
      try Data("{\"a\":1,\"b\":[1]}\n{\"a\":2,\"b\":1}\n{\"b\":2,\"c\":\"x\"}\n".utf8).write(to: lines)
      let json = try Run(
        ["--jsonl", "--validate", "a: value > 1", "--validate", "b = 1, 'b'", "--rejects", "bad.csv"],
        input: lines, in: folder)
      #expect(json.output.text == "{\"a\":2,\"b\":1}\n")
      #expect(
        try Data(contentsOf: folder.appending(path: "bad.csv")).text
          == "a,b,c,line,column,message\n1,[1],,1,a; ,not true: value > 1; b\n"
          + ",2,x,3,a; ,not true: value > 1; b\n")
    }
  }

  @Test func `R12 nothing is saved that is not valid`() throws {
    try inFolder { folder in
      let null = URL(fileURLWithPath: "/dev/null")
      let file = folder.appending(path: "f.csv")
      func text(_ name: String = "f.csv") throws -> String {
        try Data(contentsOf: folder.appending(path: name)).text
      }
      try Data(Self.stock.utf8).write(to: file)
      let edit = ["--set", "price = price * 2", "--validate", "price: value > 0, \"must be positive\""]
      for save in [["-i", "f.csv"], ["-o", "f.csv", "f.csv"], ["--jsonl", "-o", "f.csv", "f.csv"]] {
        let run = try Run(edit + save, input: null, in: folder)
        #expect(run.status == 1)
        #expect(run.errors.text.contains("tabler: f.csv: not written: 2 rows are not valid\n"))
        #expect(try text() == Self.stock)
      }
      let report = try Run(edit + ["-o", "f.md", "f.csv"], input: null, in: folder)
      #expect(report.status == 1 && !report.errors.text.contains("not written"))
      #expect(try text("f.md").contains("-2 ⚠ |"))
      let direct = try Run(edit + ["--csv", "-o", "/dev/stdout", "f.csv"], input: null, in: folder)
      #expect(direct.status == 1 && direct.output.text.contains("2,,-2\n"))
      let losing = try Run(edit + ["-i", "--rejects", "bad.csv", "f.csv"], input: null, in: folder)
      #expect(try losing.status == 3 && text() == Self.stock)
      let guarded = ["--set", "price = price * 2 where price is number"] + edit.dropFirst(2)
      let rejecting = try Run(guarded + ["-i", "--rejects", "bad.csv", "f.csv"], input: null, in: folder)
      #expect(rejecting.status == 1 && !rejecting.errors.text.contains("not written"))
      #expect(try text() == "id,name,price\n1,Kiwi,5.00\n4,Kiwi,14\n")
      #expect(try text("bad.csv").hasPrefix("id,name,price,line,column,message\n2,,-2,3,price,"))
      let valid = try Run(edit + ["-i", "f.csv"], input: null, in: folder)
      #expect(valid.status == 0 && valid.errors.isEmpty)
      #expect(try text() == "id,name,price\n1,Kiwi,10.00\n4,Kiwi,28\n")
      let before = try text()
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: "link.csv"), withDestinationURL: file)
      try FileManager.default.linkItem(at: file, to: folder.appending(path: "hard.csv"))
      for same in [
        ["-o", "g.csv", "--rejects", "g.csv", "f.csv"], ["--rejects", "f.csv", "f.csv"],
        ["-o", "g.csv", "--rejects", "./g.csv", "f.csv"], ["-i", "--rejects", "./f.csv", "f.csv"],
        ["-i", "--rejects", "link.csv", "f.csv"], ["--rejects", "hard.csv", "f.csv"],
        ["--rejects", "f.csv", "link.csv"], ["--lookup", "l=f.csv", "--rejects", "f.csv", "bad.csv"],
      ] {
        let run = try Run(edit + same, input: null, in: folder)
        #expect(run.status == 2 && run.errors.text.contains("--rejects"), "\(same) \(run.errors.text)")
        #expect(try text() == before)
      }
      let fed = try Run(["--csv", "--rejects", "f.csv"] + edit, input: file, in: folder)
      #expect(fed.status == 2 && fed.errors.text.contains("'<stdin>' is an input"))
      let skipping = try Run(
        ["-i", "f.csv", "--on-error", "skip", "--validate", "name > 5"], input: null, in: folder)
      #expect(try skipping.status == 1 && text() == before)
      let wanted = try Run(
        ["-o", "no.csv", "f.csv", "--invalid-only", "--validate", "price > 20"], input: null, in: folder)
      #expect(try wanted.status == 1 && text("no.csv") == "id,name,price\n1,Kiwi,10.00\n")
      for name in ["link.csv", "hard.csv", "no.csv"] {
        try FileManager.default.removeItem(at: folder.appending(path: name))
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
          "bad.csv", "f.csv", "f.md",
        ])
    }
  }

  @Test func `notes on a row are no part of it`() throws {
    let run = try Run(
      ["--validate", "b: false", "--detail", "--title-of", "{$0}", "--format", "b={length($0)}"],
      input: "a,b,c\n1,x,\n")
    #expect(run.output.text.hasPrefix("── 1    x     ──"))
    #expect(run.output.text.contains("b  4  ⚠"))
    let sorted = try Run(
      ["--validate", "*: false", "--jsonl", "--sort", "($0)", "--rejects", "/dev/null"], input: "{\"a\":1}\n")
    #expect(sorted.status == 1)
  }

  @Test func `a pattern that means a column of another type is refused`() throws {
    let run = try Run(
      ["--types", "b:number,a:bool", "--validate", "*: value + 1 > 5", "--csv"], input: "a,b\ntrue,1\n")
    #expect(run.status == 2 && run.output.isEmpty)
    let none = try Run(["--validate", "zz*: value > 0", "--csv"], input: "a\n1\n")
    #expect(none.errors.text == "tabler: warning: --validate: no column matches 'zz*'\n")
  }

  @Test func `a mark stays where a value is cut`() throws {
    let run = try Run(
      ["--validate", "b: false, 'bad'", "--detail", "--overflow", "truncate", "--width", "30"],
      input: "a,b\n1,long words long words long words\n")
    #expect(run.output.text.contains("…  ⚠ bad\n"))
  }

  @Test func `rejects are guarded like the output`() throws {
    let run = try Run(
      ["--validate", "a: false", "--rejects", "/dev/stdout", "--csv", "--formula-guard"], input: "a\n=x\n")
    #expect(run.output.text == "a\na,line,column,message\n'=x,2,a,not true: false\n")
  }

  @Test(arguments: [
    (["--invalid-only"], "--invalid-only: needs --validate, which says what rows must be like"),
    (["--rejects", "x.csv"], "--rejects: needs --validate, which says what rows must be like"),
    (["--invalid-only", "--rejects", "x", "--validate", "true"], "cannot be used together"),
    (["--rejects", "-", "--validate", "true"], "name a file"),
  ])
  func `options that do nothing are told`(_ arguments: [String], _ message: String) throws {
    #expect(try Run(arguments + ["--csv"], input: "a\n1\n").errors.text.contains(message))
  }
}
