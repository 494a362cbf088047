import Foundation
import Testing

/// What numbers, words for nothing and texts among numbers do in every option and form (R26, R27, R31, R69, R71).
@Suite struct NumberRuleTests {
  /// A run: arguments, input, output and what is said on stderr.
  struct Case: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var input: String
    var output: String
    var errors = ""
    var status: Int32 = 0

    var testDescription: String { arguments.joined(separator: " ") + " < " + input }
  }

  @Test(arguments: [
    ("0.6", "3", "0.2"), ("1", "8", "0.125"), ("1", "1024", "0.0009765625"), ("-0.001", "0.0005", "-2"),
    ("12345678901234567890123456789012345678", "2", "6172839450617283945061728394506172839"),
    ("99999999999999999999", "0.5", "199999999999999999998"),
    ("1", "3", "0.3333333333333333"), ("2", "0.7", "2.857142857142857"),
  ])
  func `R71 a quotient is the decimal that it is, or the nearest double`(
    _ dividend: String, _ divisor: String, _ quotient: String
  ) throws {
    let run = try Run(
      ["--csv", "--derive", "q = a / b", "--columns", "q"], input: "a,b\n\(dividend),\(divisor)\n")
    #expect(run.output.text == "q\n\(quotient)\n")
  }

  @Test func `R71 a mean is the decimal that it is`() throws {
    let run = try Run(["--csv", "--aggregate", "m = mean(a)"], input: "a\n0.1\n0.2\n0.3\n")
    #expect(run.output.text == "m\n0.2\n")
  }

  /// Sums and means of groups in which numbers, truths, texts and nothing come in any order.
  @Test("true and false among numbers are no numbers, whatever adds them", arguments: 0..<12)
  func truths(seed: Int) throws {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let cells = [["10", "true", "false"], ["true", "false", ""], ["1", "-3", "true", "x", ""]][seed % 3]
    let rows = (0..<(seed < 6 ? 40 : 3_000)).map { _ in (key: "k\(next(6))", cell: cells[next(cells.count)]) }
    let keys = rows.reduce(into: [String]()) { if !$0.contains($1.key) { $0.append($1.key) } }
    var misfits = 0
    let expected = keys.map { key -> String in
      let values = rows.filter { $0.key == key }.map(\.cell).filter { !$0.isEmpty }
      let numbers = values.compactMap { Int($0) }
      let truths = values.filter { $0 == "true" || $0 == "false" }
      misfits += values.count - numbers.count - (numbers.isEmpty ? truths.count : 0)
      let added = numbers.isEmpty ? truths.map { $0 == "true" ? 1 : 0 } : numbers
      return added.isEmpty ? "\(key),," : "\(key),\(added.reduce(0, +)),\(added.count)"
    }
    let sums = "s = sum(x), n = round(sum(x) / mean(x))"
    let csv = "g,x\n" + rows.map { "\($0.key),\($0.cell)\n" }.joined()
    let json = rows.map { row in
      let bare = Int(row.cell) != nil || row.cell == "true" || row.cell == "false"
      return
        "{\"g\":\"\(row.key)\",\"x\":\(row.cell.isEmpty ? "null" : bare ? row.cell : "\"\(row.cell)\"")}\n"
    }.joined()
    for (text, more) in [(csv, []), (csv, ["--memory", "1K"]), (json, ["--from", "jsonl"])]
      as [(String, [String])]
    {
      let run = try Run(["--group-by", "g", "--aggregate", sums, "--csv"] + more, input: text)
      let lines = run.output.text.split(separator: "\n").dropFirst().map(String.init)
      // A sum of 0 tells nothing of the count.
      #expect(
        zip(lines, expected).allSatisfy { $0 == $1 || $1.contains(",0,") && $0.hasSuffix(",0,") }
          && lines.count == expected.count, "\(lines) \(expected)")
      #expect(run.errors.text.contains(": \(misfits) cell") == (misfits > 0), "\(run.errors.text) \(misfits)")
    }
  }

  static let exponents: [Case] = [
    Case(arguments: ["--filter", "v = 8.7e0", "--csv"], input: "v\n8.7e0\n", output: "v\n8.7e0\n"),
    Case(arguments: ["--filter", "v > 2.73e1", "--csv"], input: "v\n2.73e1\n", output: "v\n"),
    Case(
      arguments: ["--filter", "v in (0.001, .05)", "--csv"], input: "v\n1e-3\n5.0e-2\n2\n",
      output: "v\n1e-3\n5.0e-2\n"),
    Case(
      arguments: ["--filter", "v < 0.1e0", "--jsonl"], input: "{\"v\":1e-1}\n{\"v\":9.9E-2}\n",
      output: "{\"v\":9.9E-2}\n"),
    Case(
      arguments: ["--filter", "a = b", "--csv"], input: "a,b\n1e-3,0.001\n.5,5.e-1\n5.,5\n1e1,11\n",
      output: "a,b\n1e-3,0.001\n.5,5.e-1\n5.,5\n"),
    Case(
      arguments: ["--decimal", ",", "--filter", "v between .5 and 5", "--csv"],
      input: "v\n\",5\"\n\"5,\"\n\"5,1\"\n",
      output: "v\n\",5\"\n\"5,\"\n"),
    Case(
      arguments: ["--sort", "v", "--csv"], input: "v\n5.\n1e1\n.5\n0.7e1\n", output: "v\n.5\n5.\n0.7e1\n1e1\n"
    ),
    Case(
      arguments: ["--sort", "(v * 1)", "--csv"], input: "v\n1e400\n2\n1e2\n", output: "v\n2\n1e2\n1e400\n"),
    Case(
      arguments: ["--sorted-by", "v", "--csv"], input: "v\n1e-1\n0.1\n.1\n", output: "v\n1e-1\n0.1\n.1\n"),
    Case(
      arguments: ["--move", "(v = 1.5e3) to top", "--csv"], input: "v\n2\n1500\n", output: "v\n1500\n2\n"),
    Case(
      arguments: ["--footer", "v={sum(v)} {max(v)}"], input: "v\n1.5e3\n.5\n1e-2\n",
      output:
        "           v\n────────────\n       1.5e3\n          .5\n        1e-2\n────────────\n1500.51 1500\n"),
    Case(
      arguments: ["--footer", "v={round(2, 2)} {round(sum(v), 1)}"], input: "v\n2\n",
      output: "       v\n────────\n       2\n────────\n2.00 2.0\n"),
    Case(
      arguments: ["--format", "v={:.1f}"], input: "v\n1.25e1\n.06\n5.\n",
      output: "   v\n────\n12.5\n 0.1\n 5.0\n"),
    Case(
      arguments: ["--align", "v:decimal"], input: "v\n.5\n5.\n10.25\n",
      output: "    v\n─────\n  .5\n 5.\n10.25\n"),
    Case(
      arguments: ["--jsonl"], input: "v,w\n.5,1e2\n5.,-.5\n",
      output: "{\"v\":\".5\",\"w\":1e2}\n{\"v\":\"5.\",\"w\":\"-.5\"}\n"),
    Case(
      arguments: ["--decimal", ",", "--jsonl"], input: "v;w\n,5;1,5e2\n5,;-,5\n5,e1;2\n",
      output: "{\"v\":\",5\",\"w\":1.5e2}\n{\"v\":\"5,\",\"w\":\"-,5\"}\n{\"v\":\"5,e1\",\"w\":2}\n"),
    Case(
      arguments: ["--formula-guard", "--csv"], input: "v\n-.5\n+5.\n-x\n", output: "v\n-.5\n+5.\n'-x\n",
      errors: "tabler: warning: 1 cell began like a formula and got a leading '\n"),
    Case(
      arguments: ["--filter", "1. < v", "--csv"], input: "v\n2\n", output: "",
      errors: "tabler: --filter: a digit must follow the point; write 1.0\n  1. < v\n  ^~\n", status: 2),
    Case(
      arguments: ["--filter", "v = 12345678901234567890123456789012345678901234567890", "--csv"],
      input:
        "v\n12345678901234567890123456789012345678901234567890\n12345678901234567890123456789012345678901234567891\n",
      output: "v\n12345678901234567890123456789012345678901234567890\n"),
  ]

  static let extremes: [Case] = [
    Case(
      arguments: ["--footer", "v={min(v)} {max(v)}"], input: "v\nA1\nB2\n77\n",
      output: "v\n─────\nA1\nB2\n77\n─────\n77 77\n",
      errors:
        "tabler: warning: <stdin>: 2 cells of 'v' are not numbers (first: line 2, 'A1'); treated as null\n"),
    Case(
      arguments: ["--footer", "v={min(v)} {max(v)}"], input: "v\nA1\nB2\n",
      output: "v\n─────\nA1\nB2\n─────\nA1 B2\n"),
    Case(
      arguments: ["--footer", "v={min(v)}"], input: "{\"v\":\"x\"}\n{\"v\":10}\n{\"v\":9}\n",
      output: "v\n──\nx\n10\n9\n──\n9\n",
      errors:
        "tabler: warning: <stdin>: 1 cell of 'v' is not a number (first: line 1, 'x'); treated as null\n"),
    Case(
      arguments: ["--filter", "greatest(b, a) > 4", "--csv"], input: "a,b\nx,5\n7,10\n",
      output: "a,b\nx,5\n7,10\n",
      errors:
        "tabler: warning: <stdin>: 1 cell of 'a' is not a number (first: line 2, 'x'); treated as null\n"),
    Case(
      arguments: ["--row-names", "{greatest(a, b)}", "--columns", "a"], input: "a,b\nx,5\n7,10\n",
      output: "    a\n──  ─\n5   x\n10  7\n",
      errors:
        "tabler: warning: <stdin>: 1 cell of 'a' is not a number (first: line 2, 'x'); treated as null\n"),
    Case(
      arguments: ["--sort", "(least(a, b))", "--csv"], input: "a,b\n7,10\nx,5\n", output: "a,b\nx,5\n7,10\n",
      errors:
        "tabler: warning: <stdin>: 1 cell of 'a' is not a number (first: line 3, 'x'); treated as null\n"),
    Case(
      arguments: ["--footer", "totals"], input: "a,b,c\n1,x,1\n2,y,x\nq,3,\n4,z,y\n",
      output: "a  b  c\n─  ─  ─\n1  x  1\n2  y  x\nq  3\n4  z  y\n─  ─  ─\n7\n",
      errors:
        "tabler: warning: <stdin>: 1 cell of 'a' is not a number (first: line 4, 'q'); treated as null\n"),
    Case(
      arguments: ["--footer", "a={must(sum(a), \"int\")}"], input: "a\n1\n1.5\n",
      output: "  a\n───\n  1\n1.5\n",
      errors: "tabler: <stdin>: must(): '2.5' is not of type int\n", status: 3),
    Case(
      arguments: ["--footer", "a={sum(must(a, \"int\"))}", "--markdown"], input: "a\n1\nx\n",
      output: "| a     |\n| :---- |\n| 1     |\n| x     |\n",
      errors: "tabler: <stdin>:3: must(): 'x' is not of type int\n",
      status: 3),
    Case(
      arguments: ["--sort", "v:number", "--head", "1", "--csv"], input: "v\nx\n2\n1\n", output: "v\n1\n",
      errors:
        "tabler: warning: <stdin>: 1 cell of 'v' is not a number (first: line 2, 'x'); treated as null\n"),
  ]

  static let nulls: [Case] = [
    Case(
      arguments: ["--null", "NA", "--jsonl"],
      input: "{\"v\":\"NA\",\"l\":[\"NA\", {\"NA\":\"N\\u0041\"}]}\n{\"v\":\"x\"}\n",
      output: "{\"v\":null,\"l\":[null,{\"NA\":null}]}\n{\"v\":\"x\"}\n"),
    Case(
      arguments: ["--null", "NA", "--columns", "v", "--jsonl"], input: "{\"v\":\"NA\"}\n{\"v\":\"x\"}\n",
      output: "{\"v\":null}\n{\"v\":\"x\"}\n"),
    Case(
      arguments: ["--null", "NA", "--csv"], input: "[{\"v\":\"NA\"},{\"v\":null},{\"v\":1}]",
      output: "v\nNA\n\"\"\n1\n"),
    Case(
      arguments: ["--null", "NA", "--tsv"], input: "[{\"v\":\"NA\"},{\"v\":null},{\"v\":1}]",
      output: "v\nNA\n\n1\n"),
    Case(
      arguments: ["--null", "-", "--missing", "?"], input: "{\"v\":\"-\"}\n{\"v\":\"x\"}\n",
      output: "v\n─\n?\nx\n"),
    Case(
      arguments: ["--null", "NA", "--filter", "v.w is null", "--jsonl"],
      input: "{\"v\":{\"w\":\"NA\"}}\n{\"v\":{\"w\":1}}\n",
      output: "{\"v\":{\"w\":null}}\n"),
    Case(
      arguments: ["--null", "NA", "--sort", "v.w:first", "--columns", "v.w", "--jsonl"],
      input: "{\"v\":{\"w\":1}}\n{\"v\":{\"w\":\"NA\"}}\n", output: "{\"v.w\":null}\n{\"v.w\":1}\n"),
    Case(
      arguments: ["--null", "NA", "--footer", "v={sum(v)} {count(v)}"],
      input: "{\"v\":\"NA\"}\n{\"v\":12345}\n",
      output: "      v\n───────\n     NA\n  12345\n───────\n12345 1\n"),
  ]

  static let rowNumbers: [Case] = [
    Case(
      arguments: ["-H", "--auto-names", "{{n}} {{{n}}} {letter}}}", "--csv"], input: "1,2\n",
      output: "{n} {1} A},{n} {2} B}\n1,2\n"),
    Case(
      arguments: ["--row-names", "{n}: {`n`} {{n}}"], input: "n,m\n30,4\n50,6\n",
      output: "            n  m\n─────────  ──  ─\n1: 30 {n}  30  4\n2: 50 {n}  50  6\n"),
    Case(
      arguments: ["--format", "m={n}/{}"], input: "n,m\n30,4\n", output: " n     m\n──  ────\n30  30/4\n"),
  ]

  static let notes: [Case] = [
    Case(
      arguments: ["--sort", "-v", "--csv"], input: "v\nNA\n3\nNA\n10\n", output: "v\nNA\nNA\n10\n3\n",
      errors: "tabler: note: 2 cells 'NA' sorted as text beside numbers; --null NA makes them null\n"),
    Case(
      arguments: ["--sort", "v", "--csv"],
      input: "{\"v\":\"N/A\"}\n{\"v\":2}\n{\"v\":\"null\"}\n{\"v\":\"-\"}\n",
      output: "v\n2\n-\nN/A\nnull\n",
      errors: "tabler: note: 1 cell 'N/A' sorted as text beside numbers; --null N/A makes it null\n"
        + "tabler: note: 1 cell 'null' sorted as text beside numbers; --null null makes it null\n"
        + "tabler: note: 1 cell '-' sorted as text beside numbers; --null - makes it null\n"),
    Case(arguments: ["--sort", "v", "--csv"], input: "v\nNA\nUS\n", output: "v\nNA\nUS\n"),
    Case(
      arguments: ["--null", "NA", "--sort", "-v", "--csv"], input: "v\nNA\n3\n10\n", output: "v\n10\n3\nNA\n"),
    Case(
      arguments: ["--sort", "-size", "--head", "1", "--csv"], input: "size\n1.5G\n900K\n12M\n",
      output: "size\n900K\n",
      errors: "tabler: note: 'size' was sorted as text; -size:size sorts sizes\n"),
    Case(
      arguments: ["--sort", "\"a:b\"", "--csv"], input: "a:b\n9%\n15%\n", output: "a:b\n15%\n9%\n",
      errors: "tabler: note: 'a:b' was sorted as text; '\"a:b\":size' sorts percents\n"),
    Case(
      arguments: ["--sort", "-(trim(v))", "--csv"], input: "v\n9K\n15K\n", output: "v\n9K\n15K\n",
      errors: "tabler: note: '(trim(v))' was sorted as text; '-(trim(v)):size' sorts sizes\n"),
    Case(
      arguments: ["--sort", "v", "--csv"], input: "v\n\"9,25\"\n\"15,200\"\n",
      output: "v\n\"15,200\"\n\"9,25\"\n",
      errors: "tabler: note: 'v' was sorted as text; --decimal , reads its decimal commas\n"),
    Case(
      arguments: ["--sort", "v", "--csv"], input: "v\n\"9,250\"\n\"15,200.5\"\n",
      output: "v\n\"15,200.5\"\n\"9,250\"\n",
      errors: "tabler: note: 'v' was sorted as text; --thousands , reads its thousands\n"),
    Case(
      arguments: ["--sort", "v", "--csv"], input: "v\n12/31/2024\n1/5/2025\n",
      output: "v\n1/5/2025\n12/31/2024\n",
      errors: "tabler: note: 'v' was sorted as text; v:date --date-format %m/%d/%Y sorts dates\n"),
    Case(
      arguments: ["--sort", "v", "--csv"], input: "v\n2025-01-05\n2024-12-31\n",
      output: "v\n2024-12-31\n2025-01-05\n"),
    Case(arguments: ["--sort", "v", "--csv"], input: "v\nabc\n5K\ndef\n", output: "v\n5K\nabc\ndef\n"),
    Case(
      arguments: ["--sort", "v", "--csv"], input: "v\n5K\n4\n", output: "v\n4\n5K\n",
      errors: "tabler: note: <stdin>: 1 cell of 'v' sorted as text beside numbers (first: line 2, '5K'); "
        + "v:size sorts sizes\n"),
    Case(arguments: ["--sort", "-v:size", "--csv"], input: "v\n900K\n1.5G\n", output: "v\n1.5G\n900K\n"),
    Case(arguments: ["--sort", "v:text", "--csv"], input: "v\n900K\n1.5G\n", output: "v\n1.5G\n900K\n"),
    Case(
      arguments: ["--sort", "-v", "--quiet", "--csv"], input: "v\nNA\n3\n", output: "v\nNA\n3\n"),
    Case(
      arguments: [], input: "v\nNA\n3\nnull\nN/A\n10\n-\n",
      output: "   v\n────\n  NA\n   3\nnull\n N/A\n  10\n   -\n"),
    Case(arguments: [], input: "v\nNA\n3\nNAN\n", output: "v\n───\nNA\n3\nNAN\n"),
    Case(
      arguments: ["--columns", "v,w.x"],
      input: "{\"v\":300,\"w\":{\"x\":100}}\n{\"v\":\"NA\",\"w\":{\"x\":\"-\"}}\n",
      output: "  v  w.x\n───  ───\n300  100\n NA    -\n"),
    Case(arguments: ["--markdown"], input: "v\nNA\n3\n", output: "|   v |\n| --: |\n|  NA |\n|   3 |\n"),
    Case(
      arguments: ["--html", "--fragment"], input: "v\nNA\n3\n",
      output: "<table class=\"tabler list\">\n<colgroup><col class=\"c1\"></colgroup>\n"
        + "<thead><tr><th scope=\"col\" class=\"r\">v</th></tr></thead>\n<tbody><tr><td class=\"r\">NA</td></tr>\n"
        + "<tr><td class=\"r\">3</td></tr></tbody></table>\n"),
  ]

  @Test(arguments: exponents + extremes + nulls + rowNumbers + notes)
  func printsWhatTheRuleSays(_ test: Case) throws {
    let run = try Run(test.arguments, input: test.input)
    #expect(run.output.text == test.output)
    #expect(run.errors.text == test.errors)
    #expect(run.status == test.status)
  }
}
