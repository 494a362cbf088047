import Foundation
import Testing

/// R45: styles change nothing but the style.
@Suite struct StyleTests {
  private static let fruit =
    "id,name,weight,color\n🍊,Orange,190,orange\n🍌,Banana,118,\n🥝,Kiwi,,green\n🍓,Straw berry,12,red\n"
    + "🫐,\"Blue\nberry\",2,none\n"

  private static let rules = [
    ["--zebra"], ["--row-background", "weight > 100 -> bg=red"], ["--row-background", "bg={color} gradient"],
    ["--row-overlay", "weight < 50 -> fg=white bg=#123456 underline"], ["--cell", "*: italic"],
    ["--cell", "name: fg={color}", "--cell", "weight: value > 100 -> inverse"],
    ["--select", "2,-1", "--selection-style", "background"],
    [
      "--zebra", "--select", "weight > 10", "--selection-style", "background", "--cell",
      "color: bg={value} bold",
    ],
    ["--cell", "weight: heat(blue, white, red)"],
    ["--cell", "name: length(value) > 5 -> bold", "--validate", "weight: value > 10", "--zebra"],
  ]

  private static let layouts = [
    ["--list"], ["--stack", "--row-spacing", "1"], ["--grid"], ["--grid", "--width", "24"],
    ["--grid", "--grid-wrap", "--width", "20"], ["--grid", "--grid-items", "adaptive(16)", "--width", "60"],
    ["--list", "--section-by", "length(name) > 5"], ["--stack", "--lookahead", "2"],
    ["--grid", "--row-names", "name"],
    ["--list", "--overflow", "truncate", "-w", "20"], ["--grid", "--border", "none"], ["--detail"],
    ["--detail", "-w", "18"], ["--list", "--align", "weight:decimal"],
  ]

  /// A layout with rules for its rows and cells.
  struct Styled: CustomTestStringConvertible, Sendable {
    var layout: [String]
    var rules: [String]
    var testDescription: String { (layout + rules).joined(separator: " ") }
  }

  /// Every layout with all rules that apply to it: cards have no stripes.
  private static let styled = layouts.flatMap { layout in
    rules.map { rules in
      Styled(layout: layout, rules: layout.contains("--detail") ? rules.filter { $0 != "--zebra" } : rules)
    }
  }.filter { !$0.rules.isEmpty }

  /// The text without what switches styles, each line without blanks at its end.
  private func plain(_ text: String) -> String {
    text.replacingOccurrences(of: "\u{1B}\\[[0-9;]*m", with: "", options: .regularExpression)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.replacingOccurrences(of: " +$", with: "", options: .regularExpression) }
      .joined(separator: "\n")
  }

  @Test(arguments: styled)
  func `a style changes no character`(_ styled: Styled) throws {
    let arguments = styled.layout + ["--color", "always"]
    let validated = styled.rules.contains("--validate") ? ["--validate", "weight: value > 10"] : []
    let plainRun = try Run(arguments + validated, input: Self.fruit)
    let run = try Run(arguments + styled.rules, input: Self.fruit)
    #expect(plain(run.output.text) == plain(plainRun.output.text))
    #expect(run.output.text != plainRun.output.text)
    #expect(run.status == plainRun.status)
    // No style reaches beyond its line.
    for line in run.output.text.split(separator: "\n") where line.contains("\u{1B}") {
      let last = line.range(of: "\u{1B}[", options: .backwards).map { line[$0.upperBound...] } ?? ""
      #expect(last.hasPrefix("0m"), "\(line)")
    }
  }

  @Test(arguments: layouts)
  func `without color nothing is seen of colors`(_ layout: [String]) throws {
    for rules in Self.rules where !rules.contains("--select") && !rules.contains("--validate") {
      if layout.contains("--detail"), rules.contains("--zebra") { continue }
      let run = try Run(layout + rules, input: Self.fruit)
      #expect(try Run(layout, input: Self.fruit).output == run.output)
      #expect(!run.errors.text.contains("color"))
    }
  }

  @Test func `the layers cover one another in their order`() throws {
    let layers = [
      ["--zebra"], ["--row-background", "bg=red fg=black"],
      ["--select", "2", "--selection-style", "background"], ["--cell", "a: bg=green"],
      ["--row-overlay", "bg=blue"],
    ]
    let codes = ["97;100", "30;41", "7;30;41", "30;42", "30;44"]
    for count in layers.indices {
      let run = try Run(["--color", "always"] + layers[...count].flatMap { $0 }, input: "a\n1\n2\n")
      let line = try #require(run.output.text.split(separator: "\n").last)
      let wanted = "\u{1B}[\(codes[count])m2\u{1B}[0m"
      #expect(line.contains(wanted), "\(count): \(line)")
    }
  }

  @Test(arguments: Choice.layouts)
  func `rows counted from the end are marked however rows come`(_ layout: String) throws {
    let input = "a\n" + (1...500).map { "\($0)\n" }.joined()
    for form in ["text", "markdown", "html"] {
      for ahead in ["all", "7", "400", "0"] where form != "markdown" || ahead == "all" {
        let arguments = [layout, "-t", form, "--select", "-3..-2,5", "--lookahead", ahead]
        let run = try Run(arguments + ["--fragment"].filter { _ in form == "html" }, input: input)
        #expect(Self.selectedRows(run.output.text, form) == ["5", "498", "499"], "\(arguments)")
      }
    }
  }

  /// The first number after the mark of each selected row; in HTML the one before it.
  private static func selectedRows(_ output: String, _ form: String) -> [String] {
    let parts = output.components(separatedBy: form == "html" ? " (selected)" : "▶")
    func number(_ characters: some Sequence<Character>) -> String {
      String(characters.drop { !$0.isNumber }.prefix { $0.isNumber })
    }
    if form == "html" { return parts.dropLast().map { String(number($0.reversed()).reversed()) } }
    return parts.dropFirst().map(number)
  }

  @Test func `only one row may be selected`() throws {
    let input = "a\n1\n2\n3\n"
    for (rows, status) in [("2", 0), ("a > 1", 1), ("a > 5", 0), ("1..2", 1)] {
      let run = try Run(["--select", rows, "--select-mode", "single"], input: input)
      #expect(run.status == Int32(status))
      #expect(run.output == (try Run(["--select", rows], input: input).output))
      #expect(
        run.errors.text
          == (status == 0 ? "" : "tabler: 2 rows are selected; --select-mode single allows one\n"))
    }
  }

  @Test func `styles count what does not convert once, on all threads`() throws {
    let rows = (1...60_000).map { $0 % 7 == 0 ? "x,\($0)\n" : "\($0),\($0)\n" }.joined()
    let rules = ["--cell", "b: a + 1 > 5 -> bold", "--color", "always", "--zebra"]
    let run = try Run(rules, input: "a,b\n" + rows)
    #expect(
      run.errors.text.contains("8571 cells of 'a' are not numbers (first: line 8, 'x')"), "\(run.errors.text)"
    )
    let few = try Run(rules, input: "a,b\n" + (1...100).map { "\($0),\($0)\n" }.joined())
    #expect(few.errors.isEmpty)
  }

  @Test(arguments: ["--list", "--stack", "--grid"])
  func `the style of a page with all kinds of things is at most 3 KB`(_ layout: String) throws {
    let run = try Run(
      [
        layout, "--html", "--section-by", "b", "--section-footer", "totals", "--validate", "a: value > 1",
        "--hover", "--zebra", "--select", "1", "--preamble",
        CaseFolder.root.appending(path: "fruit.csv").path, "--caption", "C", "--title", "T", "--sort", "-a",
        "--row-numbers", "--separator", "line",
      ], input: "a,b\n1,x\n2,y\n")
    let style = try #require(
      run.output.text.split(separator: "<style>").last?.split(separator: "</style>").first)
    #expect(style.utf8.count <= 3072)
  }

  @Test func `a value that is no color is counted, and null is not`() throws {
    let input = "a,b\nred,1\nrot,2\n,3\n#1234,4\nGREEN,5\n"
    for form in [
      ["--color", "always"], ["--html"], ["--html", "--lookahead", "1"], ["--html", "--detail"],
    ] {
      let run = try Run(form + ["--cell", "b: fg={a}"], input: input)
      #expect(
        run.errors.text
          == "tabler: warning: <stdin>: 2 values are not colors (first: line 3, 'rot' for --cell b); ignored\n",
        "\(form)")
    }
    #expect(try Run(["--cell", "b: fg={a}"], input: input).errors.isEmpty)
  }
}
