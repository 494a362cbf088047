import Foundation
import Testing

@testable import TablerEngine

/// What a page of `--interactive` holds besides the table.
///
/// What its script does is tried in a browser.
@Suite struct InteractiveTests {
  private static let fruit = """
    id,name,weight,color
    🍊,Orange,190,orange
    🥝,Kiwi,75,
    🍓,Strawberry,12,red

    """

  /// The page that a command makes of a text.
  private func page(_ text: String, _ arguments: [String], as name: String = "fruit.csv") throws -> String {
    var page = ""
    try inFolder { folder in
      try Data(text.utf8).write(to: folder.appending(path: name))
      let run = try Run([name, "--html"] + arguments, input: URL(fileURLWithPath: "/dev/null"), in: folder)
      #expect(run.status == 0, "\(run.errors.text)")
      page = run.output.text
    }
    return page
  }

  /// What is between two marks.
  private func part(_ text: String, _ start: String, _ end: String) throws -> String {
    let tail = try #require(text.components(separatedBy: start).dropFirst().first)
    return try #require(tail.components(separatedBy: end).first)
  }

  /// The page without what `--interactive` adds, and without what names it.
  private func bare(_ page: String) -> String {
    page.replacing(#/<style>(.|\n)*</head>/#, with: "").replacing(#/ content="default-src[^"]*"/#, with: "")
      .replacing(#/</?main>/#, with: "")
      .replacing(#/ data-(page|v|k|id|keep)="[^"]*"/#, with: "")
  }

  /// The description of the table.
  private func description(_ page: String) throws -> [String: Any] {
    let text = try part(page, " data-page=\"", "\"").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&amp;", with: "&")
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func `the policy names the script and the style, and nothing else`() throws {
    let page = try page(Self.fruit, ["--interactive"])
    let script = try part(page, "<script>", "</script>")
    let style = try part(page, "<style>", "</style>")
    let hashes = [style, script].map { SHA256.digest(of: Array($0.utf8)).base64 }
    let policy = try part(page, "Policy\" content=\"", "\"")
    #expect(
      policy == "default-src 'none'; style-src 'sha256-\(hashes[0])'; script-src 'sha256-\(hashes[1])'")
    #expect(page.components(separatedBy: "<script").count == 2)
  }

  /// As they are in the page, in bytes: one that people mail should stay small.
  @Test func `the script and its style are small`() throws {
    let (plain, page) = (try page(Self.fruit, []), try page(Self.fruit, ["--interactive"]))
    #expect(try part(page, "<script>", "</script>").utf8.count <= 37 << 10)
    let styles = try [page, plain].map { try part($0, "<style>", "</style>").utf8.count }
    #expect(styles[0] - styles[1] <= 2560)
  }

  /// The lines of a text that spans them would lose their beginnings in the page.
  @Test func `no text of the script spans lines`() throws {
    let source = String(decoding: PackageResources.page_js, as: UTF8.self)
    for line in source.split(separator: "\n") {
      #expect(line.count { $0 == "`" }.isMultiple(of: 2) && !line.hasSuffix("\\"), "\(line)")
      #expect(!line.contains("/*"), "\(line)")
    }
    let code = source.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
      .filter { !$0.isEmpty && !$0.hasPrefix("//") }
    #expect(String(decoding: Page.script, as: UTF8.self) == code.joined(separator: "\n") + "\n")
  }

  /// Apart from attributes for the script, the table is the same.
  @Test(arguments: [
    [], ["--grid", "--sort", "-weight"], ["--stack", "--zebra", "--footer", "titles"],
    ["--select", "weight > 50"], ["--section-by", "color", "--section-footer", "{count()}"],
    ["--format", "weight={:.1f} g", "--row-names", "name"], ["--validate", "weight: value < 200"],
    ["--row-numbers", "--types", "weight:text", "--id", "id", "--hide", "id"],
    ["--can-move", "weight < 100", "--row-background", "weight > 50 -> bg=red"],
    ["--grid-items", "adaptive(20)"], ["--span", "name,weight=Both", "--footer", "titles"],
  ])
  func `the table is that of a page without the option`(_ arguments: [String]) throws {
    let plain = try page(Self.fruit, arguments)
    let interactive = try page(Self.fruit, arguments + ["--interactive"])
    #expect(bare(interactive) == bare(plain))
  }

  @Test(arguments: [
    // A text says its value, whatever is drawn around it.
    ("a\nx\n", [], "<td>x</td>"), ("a\n5\n", [], "<td class=\"r\">5</td>"),
    ("a\n5\n", ["--format", "a={} g"], "<td class=\"r\" data-v=\"5\">5 g</td>"),
    ("a\n5\n", ["--types", "a:text"], "<td class=\"d\" data-v=\"&quot;5&quot;\">5</td>"),
    ("a\nx\n", ["--types", "a:int"], "<td class=\"e null\" data-v=\"&quot;x&quot;\">x</td>"),
    ("a\n\"x\u{1}\"\n", [], "<td data-v=\"&quot;x\\u0001&quot;\">x\u{FFFD}</td>"),
    // The number that a date, duration or size is ordered by.
    ("a\n1970-01-02\n", ["--types", "a:date"], "<td class=\"d\" data-k=\"86400\">1970-01-02</td>"),
    ("a\n2K\n", ["--sort", "a:size"], "<td data-k=\"2048\">2K</td>"),
    ("a\n1h\n", ["--types", "a:duration"], "<td class=\"e\" data-k=\"3600\">1h</td>"),
    ("a;b\n1,5;x\n", ["--decimal", ","], "<td class=\"r\" data-k=\"1.5\">1,5</td><td>x</td>"),
    ("a\n$5\n", ["--sort", "a:number"], "<td data-k=\"5\">$5</td>"),
  ])
  func `cells say what their texts do not`(_ text: String, _ arguments: [String], _ row: String) throws {
    let page = try page(text, arguments + ["--interactive"])
    #expect(try part(page, "<tbody><tr>", "</tr>") == row)
  }

  @Test(arguments: [
    (#"{"a":"5"}"#, "<td class=\"d\" data-v=\"&quot;5&quot;\">5</td>"),
    (#"{"a":5}"#, "<td class=\"r\">5</td>"),
    (#"{"a":true}"#, "<td>true</td>"), (#"{"a":"true"}"#, "<td data-v=\"&quot;true&quot;\">true</td>"),
    (#"{"a":""}"#, "<td data-v=\"&quot;&quot;\"></td>"), (#"{"a":null}"#, "<td class=\"null\">NA</td>"),
    (#"{"a":[1,2]}"#, "<td data-v=\"[1,2]\">[1,2]</td>"), (#"{"a":"é"}"#, "<td>é</td>"),
  ])
  func `values of JSON keep their kinds`(_ text: String, _ row: String) throws {
    let page = try page(text + "\n", ["--interactive"], as: "f.jsonl")
    #expect(try part(page, "<tbody><tr>", "</tr>") == row)
  }

  @Test func `rows say what guards refuse, and who they are if that is not shown`() throws {
    let arguments = [
      "--interactive", "--id", "id", "--editable", "name,weight", "--hide", "id", "--can-edit",
      "weight < 100",
      "--can-delete", "weight < 50", "--can-move", "color is not null",
    ]
    let rows = try page(Self.fruit, arguments).components(separatedBy: "<tr").dropFirst(2)
    let tags = rows.map { String($0.prefix { $0 != ">" }) }
    #expect(
      tags == [
        " data-id=\"{&quot;id&quot;:&quot;🍊&quot;}\" data-keep=\"ed\"",
        " data-id=\"{&quot;id&quot;:&quot;🥝&quot;}\" data-keep=\"md\"",
        " data-id=\"{&quot;id&quot;:&quot;🍓&quot;}\"",
      ])
  }

  @Test(arguments: [
    (["--sort", "-weight,name"], "sort", "[[2,1],[1,0]]"),
    (["--sort", "-(weight / 2)"], "sort", "[\"-(weight / 2)\"]"),
    (["--sorted-by", "-weight"], "sort", "[[2,1]]"), (["--nulls", "first"], "nulls", "\"first\""),
    (["--select-mode", "single"], "select", "\"single\""), ([], "missing", "\"\""),
    (["--footer", "totals", "--footer", "titles"], "titles", "1"),
    (["--sort-rank"], "ranks", "\"⁰¹²³⁴⁵⁶⁷⁸⁹\""),
    ([], "moves", "true"),
    (["--sort", "name"], "moves", "null"),
    ([], "command", "\"tabler fruit.csv\""),
    (["--filter", "weight > 5", "--sort", "-name"], "command", "\"tabler fruit.csv --filter 'weight > 5'\""),
    (
      ["--sort", "name", "--head", "2"], "command", "\"tabler fruit.csv --sort name --head 2 --csv | tabler\""
    ),
    (
      ["--types", "weight:text", "--head", "2"], "command",
      "\"tabler fruit.csv --types weight:text --head 2 --csv | tabler --types weight:text\""
    ),
    (
      ["--decimal", ",", "--types", "weight:text", "--group-by", "color"], "command",
      "\"tabler fruit.csv --decimal , --types weight:text --group-by color --csv | tabler --decimal ,\""
    ),
    (
      ["--validate", "weight: value > 0"], "apply",
      "\"tabler fruit.csv --validate 'weight: value > 0' --apply\""
    ),
    (["--id", "id"], "id", "[\"id\"]"),
    (["--hide", "color", "--derive", "x = 1"], "old", "[\"id\",\"name\",\"weight\"]"),
    (["--group-by", "color"], "apply", "null"), ([], "name", "\"fruit.csv\""),
  ])
  func `the script is told of the command`(_ arguments: [String], _ member: String, _ wanted: String) throws {
    let found = try description(try page(Self.fruit, ["--interactive"] + arguments))[member]
    let text = try found.map {
      String(
        decoding: try JSONSerialization.data(
          withJSONObject: $0, options: [.fragmentsAllowed, .withoutEscapingSlashes]), as: UTF8.self)
    }
    #expect(text ?? "null" == wanted)
  }

  @Test(arguments: [
    ("csv", ["--editable", "id"], "'id' says which row is which (--id); its cells cannot be changed"),
    ("csv", ["--derive", "x = 1", "--editable", "x"], "'x' is computed; it is not in the file"),
    ("csv", ["--hide", "color", "--editable", "color"], "'color' is not shown"),
    (
      "csv", ["-c", "id,color=Hue", "--editable", "color"],
      "'color' is shown under another title; only columns under their own names can be changed"
    ),
    (
      "jsonl", ["--id", "a.id", "--editable", "b"],
      "'a.id' is a part of cells; only whole cells can be changed"
    ),
    ("csv", ["--derive", "x = 1", "--validate", "x > 0", "--editable", "name"], "--editable and --derive"),
    ("csv", ["--add", "id = 7", "--editable", "name"], "--editable and --add"),
  ])
  func `columns that cannot be changed are refused`(
    _ form: String, _ arguments: [String], _ message: String
  ) throws {
    try inFolder { folder in
      let text = form == "csv" ? Self.fruit : #"{"a":{"id":1},"b":2}"#
      try Data(text.utf8).write(to: folder.appending(path: "fruit.\(form)"))
      let given = ["fruit.\(form)", "--html", "--interactive"] + (form == "csv" ? ["--id", "id"] : [])
      let run = try Run(given + arguments, input: URL(fileURLWithPath: "/dev/null"), in: folder)
      #expect(run.status == 2)
      #expect(run.errors.text.contains(message), "\(run.errors.text)")
    }
  }

  /// However long it is, and whatever its characters are.
  @Test func `what was typed is in the commands as it was`() throws {
    let rule = "weight: value > 0 and value < 1000, \"" + String(repeating: "so it is, ", count: 20) + "\""
    let page = try page(Self.fruit, ["--interactive", "--filter", "name\n!= 'x'", "--validate", rule])
    let found = try description(page)
    let filter = "--filter 'name\n!= '\\''x'\\'''"
    #expect(found["command"] as? String == "tabler fruit.csv \(filter) --validate '\(rule)'")
    #expect(found["apply"] as? String == "tabler fruit.csv --validate '\(rule)' --apply")
  }

  @Test(arguments: [
    ([], #"{"name":"weight"}"#), (["--types", "weight:int"], #"{"name":"weight","sort":"number"}"#),
    (
      ["--sort", "weight:size:first"],
      #"{"key":"weight:size:first","name":"weight","nulls":"first","sort":"size"}"#
    ),
    (["--order", "weight=75,12"], #"{"name":"weight","order":["75","12"]}"#),
    (["--id", "id", "--editable", "weight"], #"{"editable":true,"name":"weight"}"#),
    (["--id", "id", "--editable", "*"], #"{"editable":true,"name":"weight"}"#),
  ])
  func `the script is told how a column is ordered`(_ arguments: [String], _ wanted: String) throws {
    let page = try page(Self.fruit, ["--interactive"] + arguments)
    let columns = try #require(try description(page)["columns"] as? [[String: Any]])
    let data = try JSONSerialization.data(withJSONObject: columns[2], options: .sortedKeys)
    #expect(data.text == wanted)
  }
}
