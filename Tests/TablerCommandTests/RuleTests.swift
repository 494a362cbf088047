import Foundation
import Testing

/// Rules that several runs prove together.
@Suite struct RuleTests {
  static let fruit = (try? Data(contentsOf: CaseFolder.root.appending(path: "fruit.csv")))?.text ?? ""

  @Test func r08ColoursAPipeOnlyWhenAlwaysIsSaid() throws {
    for variables in [[:], ["CLICOLOR_FORCE": "1"], ["FORCE_COLOR": "3", "COLORTERM": "truecolor"]] {
      let run = try Run(["--grid"], input: Self.fruit, environment: variables)
      #expect(!run.output.contains(0x1B))
    }
    #expect(try Run(["--grid", "--color", "always"], input: Self.fruit).output.contains(0x1B))
    for form in Choice.documents + Choice.data {
      #expect(try !Run([form, "--color", "always"], input: Self.fruit).output.contains(0x1B), "\(form)")
    }
  }

  @Test func r11KeepsRowsBeforeDamageAndErrorsOffTheOutput() throws {
    let run = try Run(["--csv"], input: "a,b\n1,2\n3\n")
    #expect(run.status == 3)
    #expect(run.errors.text.hasPrefix("tabler: <stdin>:3: 1 field"))
    #expect(!run.output.text.contains("tabler"))
    let table = try Run(["--grid"], input: "a,b\n1,2\n3\n")
    #expect(table.status == 3 && table.output.isEmpty)
  }

  @Test(arguments: [
    "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n{\"a\":4,\"b\":x}\n{\"a\":5}\n",
    "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n{\"a\":4,\"b\":",
    "[{\"a\":1},\n{\"a\":2},\n{\"a\":3},\n{\"a\":4,\"b\":x},{\"a\":5}]",
    "[{\"a\":1},\n{\"a\":2},\n{\"a\":3},\n {\"a\":4 \"b\"",
    "{\"a\":\n1} {\"a\":2} {\"a\":3}\n\n  ]",
  ]) func r11KeepsJSONRowsBeforeDamage(_ input: String) throws {
    let run = try Run(["--jsonl"], input: input)
    #expect(run.status == 3)
    #expect(run.output.text == "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n")
    #expect(run.errors.text.hasPrefix("tabler: <stdin>:4:"))
    let table = try Run(["--list"], input: input)
    #expect(table.status == 3 && table.output.isEmpty && table.errors.text == run.errors.text)
    let head = try Run(["--head", "2", "--list"], input: input)
    #expect(head.status == 0 && head.errors.text == "")
    #expect(head.output.text == "a\n─\n1\n2\n")
  }

  @Test func r17NamesTheLineWhereAQuoteOpened() throws {
    let run = try Run([], input: "a,b\n1,2\n3,\"x\ny\nz\n")
    #expect(run.status == 3)
    #expect(run.errors.text.hasPrefix("tabler: <stdin>:3: "))
    let huge = try Run(["--csv"], input: "a\n" + String(repeating: "x", count: 70 << 20) + "\n")
    #expect(huge.status == 3)
    #expect(huge.errors.text.hasPrefix("tabler: <stdin>:2: "))
  }

  @Test(arguments: ["C", "de_DE.UTF-8", "tr_TR.UTF-8", "ja_JP.SJIS"])
  func r30WritesTheSameBytesInEveryLocale(_ locale: String) throws {
    let arguments = ["--grid", "--sort", "name:nocase,-weight", "--filter", "upper(name) != 'x'"]
    let plain = try Run(arguments, input: Self.fruit)
    let other = try Run(arguments, input: Self.fruit, environment: ["LC_ALL": locale, "LANG": locale])
    #expect(plain.output == other.output && plain.status == 0 && other.status == 0)
  }

  @Test(arguments: [
    String(repeating: "(", count: 65_000), String(repeating: "-", count: 65_000),
    String(repeating: "not ", count: 16_000), "1" + String(repeating: "+1", count: 32_000),
    "name =~ /(a*)*b/", "name =~ /" + String(repeating: "(a|", count: 2000) + "/",
    "name =~ /(x+x+)+y/", "name =~ /a{1000}{1000}/",
  ])
  func r46EndsWithAnyExpression(_ expression: String) throws {
    let input =
      "name\n" + String(repeating: "a", count: 20_000) + String(repeating: "x", count: 20_000) + "\n"
    let run = try Run(["--csv", "--filter", expression], input: input)
    #expect(run.status == 0 || run.status == 2)
  }

  @Test(arguments: Choice.layouts, Choice.forms)
  func r45RunsEveryLayoutInEveryForm(_ layout: String, _ form: String) throws {
    for rest in [
      [], ["--filter", "weight > 10"], ["--sort", "-weight", "--move", "1 to bottom", "--head", "3"],
      ["--select", "2", "--select-mode", "none"], ["--select", "2", "--select-mode", "single"],
      ["--filter", "weight > 10", "--select", "weight > 100", "--select-mode", "multi"],
      ["--set", "weight = weight + 1", "--select", "2", "--select-mode", "single", "--sort", "weight"],
    ] {
      let run = try Run([layout, "--to", form] + rest, input: Self.fruit)
      #expect(run.status == 0 && !run.output.isEmpty && run.errors.text == "")
    }
  }

  @Test func `R41 a wide cell in the last row widens the lines of all`() throws {
    let rows = (0..<40_000).map { "\($0),x\n" }.joined()
    let run = try Run(["--grid"], input: "a,b\n" + rows + "1,the widest of all cells\n")
    let widths = Set(run.output.text.split(separator: "\n").map(\.count))
    #expect(run.status == 0 && widths == [35])
  }
}
