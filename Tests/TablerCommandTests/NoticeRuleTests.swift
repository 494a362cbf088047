import Testing

/// What is said on stderr: counted, once for each kind of problem, and wherever the same thing happens.
@Suite struct NoticeRuleTests {
  private static let names = (0..<30).map { "c\($0)" }.joined(separator: ",")

  /// Arguments, input, output, and what stands on stderr without `tabler: `.
  private static let cases: [([String], String, String, String)] = [
    (
      ["-c", "a,x*,y*,z*", "--csv"], "{\"a\":1}\n", "a\n1\n",
      "warning: --columns: no column matches 'x*' (also 'y*' and 'z*')\n"
    ),
    (
      ["-c", "a,b*,c*,d*,e*,f*,g*", "--csv"], "a\n1\n", "a\n1\n",
      "warning: --columns: no column matches 'b*' (and so for 5 other patterns)\n"
    ),
    (
      ["-c", "a,x,y", "--csv"], "{\"a\":1}\n", "a,x,y\n1,,\n",
      "warning: column 'x' is not in the input; it was read as null (also 'y'); the only column is 'a'\n"
    ),
    (
      ["--jsonl"], "{\"a\":1,\"a\":2}\n{\"b\":1,\"b\":2}\n{\"c\":1,\"c\":2}\n",
      "{\"a\":2}\n{\"b\":2}\n{\"c\":2}\n",
      "warning: <stdin>:1: key 'a' appears twice in an object; the last one wins (and so for 2 other keys)\n"
    ),
    // A cell that an expression asks for twice is one cell.
    (
      ["-f", "v = 1 or v = 2", "--csv"], "v\n1\nx\n2\n", "v\n1\n2\n",
      "warning: <stdin>: 1 cell of 'v' is not a number (first: line 3, 'x'); treated as null\n"
    ),
    (
      ["-f", "v > 5 or v < 0 or v * 2 = 4", "--csv"], "v\nx\n2\ny\n", "v\n2\n",
      "warning: <stdin>: 2 cells of 'v' are not numbers (first: line 2, 'x'); treated as null\n"
    ),
    // `du -h` has a bare 0 for an empty folder.
    (
      ["--sort", "size", "--csv"], "size\n1.5G\n0\n20K\n", "size\n0\n1.5G\n20K\n",
      "note: <stdin>: 2 cells of 'size' sorted as text beside numbers (first: line 2, '1.5G'); size:size sorts sizes\n"
    ),
    (
      ["--sorted-by", "size", "--csv"], "size\n0\n1.5G\n20K\n", "size\n0\n1.5G\n20K\n",
      "note: <stdin>: 2 cells of 'size' compared as text beside numbers (first: line 3, '1.5G'); size:size compares sizes\n"
    ),
    (
      ["--sorted-by", "v", "--csv"], "v\n1\n2\nNA\n", "v\n1\n2\nNA\n",
      "note: 1 cell 'NA' compared as text beside numbers; --null NA makes it null\n"
    ),
    (
      ["--sort", "size", "--csv"], "size\n1\n0\n20K\n", "size\n0\n1\n20K\n",
      "note: <stdin>: 1 cell of 'size' sorted as text beside numbers (first: line 4, '20K'); size:size sorts sizes\n"
    ),
    // Comments that are left out are counted in every form.
    (
      ["--from", "words", "--comment", "#", "--csv"], "#x\na  b\n#c\n1  2\n#d\n3  4\n", "a,b\n1,2\n3,4\n",
      "note: <stdin>: 3 lines left out (--comment)\n"
    ),
    (
      ["--from", "words", "--comment", "#", "--csv", "-n", "1"], "#x\na  b\n#c\n1  2\n#d\n3  4\n",
      "a,b\n1,2\n",
      "note: <stdin>: 2 lines left out (--comment)\n"
    ),
    (
      ["--from", "blanks", "--comment", "#", "--csv"], "#x\na b\n#c\n1 2\n#d\n", "a,b\n1,2\n",
      "note: <stdin>: 3 lines left out (--comment)\n"
    ),
    (
      ["--from", "table", "--comment", "#", "--csv"],
      "#x\n| a | b |\n#c\n|---|---|\n| 1 | 2 |\n#d\n| 3 | 4 |\n",
      "a,b\n1,2\n3,4\n", "note: <stdin>: 3 lines left out (--comment)\n"
    ),
    (
      ["--from", "table", "--comment", "#", "--csv"],
      "+---+\n| a |\n+===+\n| 1 |\n# c\n| 2 |\n+---+\n| 3 |\n+---+\n", "a\n\"1\n2\"\n3\n",
      "note: <stdin>: 1 line left out (--comment)\n"
    ),
    // A part of a cell cannot be hidden.
    (
      ["--hide", "user.email", "--jsonl"], "{\"user\":{\"email\":\"x\"},\"a\":2}\n",
      "{\"user\":{\"email\":\"x\"},\"a\":2}\n",
      "warning: --hide: 'user.email' is a part of 'user', which is shown whole; only whole columns are left out (with --flatten, the parts of JSON input are columns)\n"
    ),
    (
      ["--hide", "j.x", "--csv"], "a,j\n1,\"{\"\"x\"\":5}\"\n", "a,j\n1,\"{\"\"x\"\":5}\"\n",
      "warning: --hide: 'j.x' is a part of 'j', which is shown whole; only whole columns are left out (with --flatten, the parts of JSON input are columns)\n"
    ),
    (["--hide", "user.email", "--jsonl"], "{\"user.email\":\"x\",\"a\":2}\n", "{\"a\":2}\n", ""),
    (["--hide", "user.email,user", "--jsonl"], "{\"user\":{\"email\":\"x\"},\"a\":2}\n", "{\"a\":2}\n", ""),
    (
      ["--hide", "user.email", "-c", "a", "--jsonl"], "{\"user\":{\"email\":\"x\"},\"a\":2}\n", "{\"a\":2}\n",
      ""
    ),
    (
      ["--hide", "user.email", "-c", "a,user.*,user.email", "--csv"],
      "{\"user\":{\"email\":\"x\"},\"a\":2}\n", "a\n2\n",
      "warning: --columns: no column matches 'user.*'\n"
    ),
    (
      ["--hide", "user.mail", "--jsonl"], "{\"user\":{\"email\":\"x\"},\"a\":2}\n",
      "{\"user\":{\"email\":\"x\"},\"a\":2}\n",
      "warning: column 'user.mail' is not in the input; it was read as null; did you mean 'user.email'?\n"
    ),
    // The footer of what is not shown has no line.
    (["--footer", "j.x={sum(j.x)}"], "a,j\n1,\"{\"\"x\"\":5}\"\n", "a  j\n─  ───────\n1  {\"x\":5}\n", ""),
    (["--footer", "b={sum(b)}", "--hide", "b"], "a,b\n1,2\n", "a\n─\n1\n", ""),
    (
      ["--footer", "j.x={sum(j.x)}", "-c", "a,j.x"], "a,j\n1,\"{\"\"x\"\":5}\"\n",
      "a  j.x\n─  ───\n1    5\n─  ───\n     5\n", ""
    ),
    // Titles beyond the rule of a frame are not lost.
    (
      ["--from", "table", "--csv"], "+---+---+\n| a | b | c |\n+---+---+\n| 1 | 2 | 3 |\n+---+---+\n",
      "a,b,c\n1,2,3\n", ""
    ),
  ]

  @Test(arguments: cases)
  func `what is said is said once, and everywhere`(
    _ arguments: [String], _ input: String, _ output: String, _ errors: String
  ) throws {
    let run = try Run(arguments, input: input)
    #expect(run.output.text == output && run.status == 0)
    #expect(run.errors.text == (errors.isEmpty ? "" : "tabler: " + errors))
  }

  @Test func `many columns with misfits are ten lines and a count`() throws {
    let input =
      Self.names + "\n" + String(repeating: "1,", count: 29) + "1\n" + String(repeating: "x,", count: 29)
      + "x\n"
    let filter = (0..<30).map { "c\($0) > 0" }.joined(separator: " or ")
    let lines = try Run(["-f", filter, "--csv"], input: input).errors.text.split(separator: "\n")
    #expect(lines.count == 10)
    #expect(lines.last?.hasSuffix("'x'); treated as null (and so for 20 other columns)") == true)
  }

  @Test func `levenshtein() compares 4,096 characters, and counts what is longer`() throws {
    let (x, y) = (String(repeating: "é", count: 4096), String(repeating: "y", count: 4096))
    let arguments = ["-f", "levenshtein(upper(a), b) is null", "--csv", "-c", "n"]
    let run = try Run(arguments, input: "n,a,b\n1,\(x),\(y)\n2,\(x)é,y\n3,y,y\(y)\n")
    #expect(run.output.text == "n\n2\n3\n" && run.status == 0)
    let lines = run.errors.text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines.first?.hasPrefix(
        "tabler: warning: <stdin>: 1 cell of 'a' is not a text of at most 4,096 characters (first: line 3, 'éé"
      ) == true)
    #expect(
      lines.last?.hasPrefix(
        "tabler: warning: <stdin>: 1 cell of 'b' is not a text of at most 4,096 characters (first: line 4, 'yy"
      ) == true)
  }

  @Test(arguments: ["words", "blanks", "table"])
  func `a header of several lines is of csv and tsv`(_ form: String) throws {
    let run = try Run(["--from", form, "--header-lines", "2"], input: "a  b\nc  d\n1  2\n")
    #expect(run.status == 2)
    #expect(
      run.errors.text
        == "tabler: --header-lines: not for \(form), only for csv and tsv (--from csv, --from tsv)\n"
    )
  }

  @Test(arguments: [
    ("qow() > 1", "unknown function 'qow'"), ("pwo(v, 2) > 1", "unknown function 'pwo'; did you mean 'pow'?"),
  ])
  func `a function of three other letters is not proposed`(_ filter: String, _ words: String) throws {
    let run = try Run(["-f", filter], input: "v\n1\n")
    #expect(run.status == 2 && run.errors.text.hasPrefix("tabler: --filter: \(words)\n"))
  }

  @Test func `what --at goes over may not be nested without end`() throws {
    let run = try Run(["--at", "items", "--csv"], input: "{\"x\":" + String(repeating: "[\n", count: 600))
    #expect(run.status == 3 && run.output.text.isEmpty)
    #expect(run.errors.text == "tabler: <stdin>:513:1: nested deeper than 512 levels\n")
  }

  /// Formats of dates, and whether `date()` reads them without one.
  private static let spellings: [(format: String, isRead: Bool)] = [
    ("%Y-%m-%d", true), ("%Y%m%d", true), ("%Y%m%dT%H%M%S", true), ("%Y%m%dT%H%M%SZ", true),
    ("%d/%m/%Y", false),
    ("%d.%m.%Y", false), ("%Y/%m/%d", false), ("%d %b %Y", false), ("%b %d, %Y", false), ("%d-%b-%Y", false),
    ("%a, %d %b %Y %H:%M:%S", false),
  ]

  private static let comparisons = [
    "D > '2024-02-15'", "D >= '2024-02-15'", "D < '2024-02-15'", "D <= '2024-02-15'", "D = '2024-02-15'",
    "'2024-02-15' < D", "not (D < '2024-02-15')", "D between '2024-02-01' and '2024-03-01'",
    "D in ('2024-02-15', '2024-12-31')", "case when D > '2024-02-15' then true else false end",
    "D > '2024-02-15T12:00'", "D > $day",
  ]

  /// Texts of dates are compared as such; if that is not the order of the dates, a note says so.
  @Test(arguments: spellings, comparisons) func `Dates as text are noted if their order is another`(
    _ spelling: (format: String, isRead: Bool), _ comparison: String
  ) throws {
    let days = ["2023-12-31", "2024-01-20", "2024-02-15", "2024-02-16", "2024-11-02", "2025-01-01"]
    let spelled = try Run(
      ["--set", "d = strftime(datetime(d), '\(spelling.format)')", "--jsonl"],
      input: "d\n" + days.joined(separator: "\n") + "\n")
    #expect(spelled.status == 0, "\(spelled.errors.text)")
    let reader = "datetime(d\(spelling.isRead ? "" : ", '\(spelling.format)'"))"
    let values = comparison.replacing("D", with: reader)
    let comparison = comparison.replacing("D", with: "d")
    let wanted = try Run(
      ["--filter", values, "--csv", "--arg", "day=2024-02-15"], input: spelled.output.text)
    let text = try Run(
      ["--filter", comparison, "--csv", "--arg", "day=2024-02-15"], input: spelled.output.text)
    let isNoted =
      text.errors.text.contains(" of 'd' ") && text.errors.text.contains("compared as text with a date")
    #expect(text.output.text == wanted.output.text || isNoted, "\(spelling.format), \(comparison): \(text)")
  }

  /// One day, spelled otherwise than in ISO 8601, or as its midnight.
  private static let otherSpellings = [
    "15.02.2024", "02/15/2024", "2024/02/15", "2024-2-15", "Feb 15, 2024", "15 Feb 2024", "15-Feb-2024",
    "2024-02-15T00:00", "2024-02-15 00:00:00",
  ]

  private static let operators = ["> %", ">= %", "< %", "<= %", "= %", "<> %"]

  /// The cells are dates in ISO 8601, the text is not, and is compared as a text.
  @Test(arguments: otherSpellings, operators) func `A date spelled otherwise than the cells is noted`(
    _ spelling: String, _ comparison: String
  ) throws {
    let input = "d\n2023-12-31\n2024-01-20\n2024-02-15\n2024-02-16\n2024-11-02\n2025-01-01\n"
    let wanted = try Run(
      ["--filter", "date(d) " + comparison.replacing("%", with: "date '2024-02-15'"), "--csv"], input: input)
    for filter in ["d " + comparison, "not (d \(comparison))", "d \(comparison) and d > '2020'"] {
      let isNegated = filter.hasPrefix("not")
      let text = try Run(
        ["--filter", filter.replacing("%", with: "'\(spelling)'"), "--csv"], input: input)
      let rows = Set(wanted.output.text.split(separator: "\n").dropFirst())
      let other = input.split(separator: "\n").dropFirst().filter { rows.contains($0) != isNegated }
      let isRight = Array(text.output.text.split(separator: "\n").dropFirst()) == other
      #expect(isRight || text.errors.text.contains("compared as text"), "\(filter), \(spelling): \(text)")
    }
  }

  /// Functions that convert a cell, one that they do, and one that they do not.
  private static let conversions = [
    ("number(x)", "10", "'1,200'"), ("int(x)", "10", "n/a"), ("number(gsub(x, '[$]', ''))", "$10", "10-"),
    ("date(x)", "2024-01-05", "5/2/2024"), ("date(x, '%d.%m.%Y')", "05.01.2024", "2024-01-05"),
    ("duration(x)", "1h", "9:59"), ("size(x)", "1G", "'1,5 GB'"),
  ]

  private static let uses: [[String]] = [
    ["--aggregate", "s = max(%)"], ["--group-by", "k", "--aggregate", "s = max(%)"],
    ["--derive", "y = %", "--aggregate", "s = max(y)"], ["--footer", "x={max(%)}"],
    ["--filter", "% is not null or % > %"], ["--filter", "% >= %"], ["--filter", "not % > %"],
    ["--section-by", "k", "--section-footer", "x={max(%)}"],
  ]

  /// `number(x)` is null for other cells by definition, but nobody sees that in a sum or a filter.
  @Test(arguments: conversions, uses) func `Cells that a function drops are noted`(
    _ conversion: (call: String, good: String, bad: String), _ use: [String]
  ) throws {
    let input = "k,x\na,\(conversion.good)\na,\(conversion.bad)\n".replacing("'", with: "\"")
    let run = try Run(use.map { $0.replacing("%", with: conversion.call) }, input: input)
    // Whoever asks whether it is null knows that it may be.
    let isWanted = !use.joined().contains("null")
    #expect(run.status == 0)
    #expect(
      run.errors.text.contains("1 cell of 'x' could not be converted") == isWanted,
      "\(conversion.call), \(use): \(run)")
  }

  private static let numbersAsNames: [[String]] = [
    ["--filter", "2024 > 5"], ["--derive", "x = 2024 + 1"], ["--set", "id = 2024"],
    ["--aggregate", "s = sum(2024)"], ["--compute", "x = running(2024)"], ["--sort", "(2024 * 2)"],
    ["--footer", "2024={sum(2024)}"], ["--section-by", "id", "--section-footer", "2024={sum(2024)}"],
    ["--section-by", "id", "--section-header", "{sum(2024)}"], ["--detail", "--title-of", "{2024}"],
    ["--row-names", "{2024}"], ["--format", "2024={2024}"], ["--select", "2024 > 5"],
    ["--delete", "2024 > 5000"], ["--move", "(2024 > 5) to top"], ["--move", "1 to before (2024 > 5)"],
    ["--row-background", "2024 > 5 -> bold"], ["--cell", "id: 2024 > 5 -> bold"],
    ["--validate", "2024 > 5"],
  ]

  @Test(arguments: numbersAsNames) func `A number that is the name of a column is noted`(
    _ options: [String]
  ) throws {
    let run = try Run(options, input: "id,2023,2024\nA,2,3\nB,5,6\n")
    #expect(run.status == 0, "\(run)")
    #expect(run.errors.text.contains("the column is written `2024`"), "\(run)")
  }
}
