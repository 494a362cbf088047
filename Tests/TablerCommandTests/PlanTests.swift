import Testing

@testable import TablerCommand
@testable import TablerEngine

/// What a command line means, and what it cannot mean.
@Suite struct PlanTests {
  @Test func aBareLineIsAListOfStandardInput() throws {
    let plan = try Plan.reading("")
    #expect(plan.sources == [.standardInput])
    #expect(plan.layout.kind == .list)
    #expect(plan.output.form == .text)
    #expect(plan.head == nil)
    #expect(plan.columns == nil)
    #expect(plan.input.form == .auto)
  }

  @Test func readsTheStepsInTheirOrder() throws {
    let plan = try Plan.reading(
      words: [
        "fruit.csv", "--arg", "who=me", "--filter", "weight > 1", "-f", "id = $who", "-s", "-weight",
        "--sort",
        "name", "--nulls", "first", "--order", "color=red,green", "--move", "1 to bottom", "--can-move",
        "id != 'x'", "--skip", "2", "-n", "-3", "--tail", "5", "-c", "id,name", "--hide", "a", "--hide", "b",
        "-eq",
      ])
    #expect(plan.sources == [.file("fruit.csv")])
    #expect(plan.variables == ["who": "me"])
    #expect(plan.filters.map(\.text) == ["weight > 1", "id = $who"])
    #expect(plan.sortKeys.map(\.shape) == ["-weight @1-7", "name @8-12"])
    #expect(plan.nulls == .first)
    #expect(
      plan.valueOrders == [ValueOrder(column: .name("color", isQuoted: false), values: ["red", "green"])])
    #expect(plan.moves.map(\.shape) == ["1 to bottom"])
    #expect(plan.canMove?.text == "id != 'x'")
    #expect(plan.skip == 2)
    #expect(plan.head == .allButLast(3))
    #expect(plan.tail == 5)
    #expect(plan.columns?.shape == "id name")
    #expect(plan.hidden.shape == "a b")
    #expect(plan.failsWhenEmpty && plan.isQuiet)
  }

  @Test func readsHowInputIsWritten() throws {
    let input = try Plan.reading(
      words: [
        "-d", ";", "--quote", "none", "--escape", "\\", "--lazy-quotes", "--comment", "#", "--skip-lines",
        "2", "-H",
        "--names", "a,b", "--auto-names", "C{n}", "--ragged", "fill", "--null", "NA", "--null", "-",
        "--quoted-empty", "text", "--decimal", ",", "--thousands", "\u{A0}", "--encoding", "latin1",
      ]
    ).input
    #expect(input.form == .csv)
    #expect(input.delimiter == UInt8(ascii: ";"))
    #expect(input.quote == .off)
    #expect(input.escape == .byte(UInt8(ascii: "\\")))
    #expect(input.hasLazyQuotes && input.hasNoHeader && input.quotedEmptyIsText)
    #expect(input.comment == UInt8(ascii: "#"))
    #expect(input.skippedLines == 2)
    #expect(input.names == ["a", "b"])
    #expect(input.autoNames == "C{n}")
    #expect(input.ragged == .fill)
    #expect(input.nullWords == ["NA", "-"])
    #expect(input.decimalMark == UInt8(ascii: ","))
    #expect(input.thousandsMark == [0xC2, 0xA0])
    #expect(input.encoding == .latin1)
  }

  @Test func readsHowTheTableLooks() throws {
    let layout = try Plan.reading(
      words: [
        "-g", "--border", "round", "--separator", "line", "--row-rules", "--item-padding", "1 2", "--title",
        "T",
        "--caption", "C", "--footer", "titles", "--footer", "a={count()}", "--align", "a:r,b*:c", "--format",
        "a={:.1f}",
        "--missing", "-", "--row-names", "Row {n}", "--row-numbers", "--header-style", "bold fg=red",
        "--sort-rank",
        "--no-sort-indicators", "--sort-indicator-forward", "up", "--min-row-height", "2",
        "--ambiguous-width", "2",
        "--overflow", "truncate", "--single-line", "--no-header", "--header-spacing", "1px",
        "--span", "a..b=T", "--span", "c=\"U, V\",d=W", "--merge-repeats", "a,b",
      ]
    ).layout
    #expect(layout.kind == .grid)
    #expect(layout.border == .round)
    #expect(layout.separator == .line)
    #expect(layout.hasRowRules && layout.isSingleLine && !layout.hasHeader && layout.hasRowNumbers)
    #expect(layout.cellPadding.shape == "1.0 2.0 1.0 2.0")
    #expect(layout.title == "T" && layout.caption == "C" && layout.missing == "-")
    #expect(layout.footers.count == 2)
    #expect(layout.alignments.map { "\($0.column.shape) \($0.alignment)" } == ["a trailing", "~b* center"])
    #expect(layout.formats.map(\.columns.shape) == ["a"])
    #expect(layout.headerStyle?.foreground == .terminal(1))
    #expect(layout.indicators == SortIndicators(forward: "up", showsRank: true, areShown: false))
    #expect(layout.minimumRowHeight == 2 && layout.ambiguousWidth == 2)
    #expect(layout.overflow == .truncate)
    #expect(layout.headerSpacing == Length(1, .pixels))
    #expect(layout.spans.map(\.title) == ["T", "U, V", "W"])
    #expect(layout.spans.map(\.columns.entries.count) == [1, 1, 1])
    #expect(layout.merged?.entries.count == 2)
    guard case .template(let template)? = layout.rowNames else { throw PlanError.nothingToRead }
    #expect(template.text == "Row {n}")
  }

  @Test(arguments: [
    ("name,id", true), ("Row {n}", false),
  ])
  func rowNamesWithABraceAreATemplate(_ value: String, _ areColumns: Bool) throws {
    let names = try Plan.reading(words: ["--row-names", value]).layout.rowNames
    if case .columns? = names { #expect(areColumns) } else { #expect(!areColumns) }
  }

  /// R57: the suffix of `-o` decides, an option decides before it, and standard output follows no suffix.
  @Test(arguments: [
    ("-o a.csv", OutputForm.csv, 0), ("-o a.TSV", .tsv, 0), ("-o a.json", .json, 0),
    ("-o a.jsonl", .jsonl, 0),
    ("-o a.ndjson", .jsonl, 0), ("-o a.md", .markdown, 0), ("-o a.html", .html, 0), ("-o a.HTM", .html, 0),
    ("-o a.txt", .text, 0), ("-o a.csv/b", .text, 0), ("-o a", .text, 0), ("a.csv", .text, 0),
    ("-o a.csv --json", .json, 1), ("--grid -o a.csv", .csv, 0), ("--text -o a.jsonl", .text, 1),
    ("-o a.md --html", .html, 0), ("-o a.csv --csv", .csv, 0), ("-t md", .markdown, 0),
    ("--csv --json", .json, 0), ("-o a.tab", .tsv, 0), ("-o A.MARKDOWN", .markdown, 0),
    ("-o a.tab --csv", .csv, 1), ("-o -", .text, 0), ("-o - --csv", .csv, 0), ("-o ./html", .text, 0),
    ("-o html --json", .json, 0), ("-o a.xlsx --csv", .csv, 0), ("-o html/a", .text, 0),
  ])
  func theSuffixDecidesTheForm(_ line: String, _ form: OutputForm, _ warnings: Int) throws {
    var notices: [PlanNotice] = []
    let words = line.split(separator: " ").map(String.init)
    let plan = try Plan(Arguments(words), Environment(), notices: &notices)
    #expect(plan.output.form == form)
    #expect(notices.count == warnings)
  }

  @Test(arguments: [
    ("--item-padding=1", "--item-padding: not for List, only for Grid (--grid)"),
    (
      "--grid --row-padding=1",
      "--row-padding: not for Grid, only for Stack and Detail (--stack, --detail)"
    ),
    (
      "--row-padding=1",
      "--row-padding: not for List, only for Stack and Detail (--stack, --detail)"
    ),
    ("-o html", "--output: -t html writes HTML; -o ./html names a file"),
    ("-o md", "--output: -t markdown writes Markdown; -o ./md names a file"),
    ("--grid -o CSV", "--output: -t csv writes csv; -o ./CSV names a file"),
    (
      "-o a.xlsx",
      "--output: tabler does not write .xlsx; with a format such as -t csv the suffix does not matter"
    ),
    (
      "-o a.csv.GZ",
      "--output: tabler does not write .gz; with a format such as -t csv the suffix does not matter"
    ),
    (
      "--detail --row-rules",
      "--row-rules: not for Detail, only for List, Stack and Grid (--list, --stack, --grid)"
    ),
    (
      "--align=a:l --detail",
      "--align: not for Detail, only for List, Stack and Grid (--list, --stack, --grid)"
    ),
    (
      "--detail --sort-rank --html",
      "--sort-rank: not for Detail, only for List, Stack and Grid (--list, --stack, --grid)"
    ),
    (
      "--detail --merge-repeats=a",
      "--merge-repeats: not for Detail, only for List, Stack and Grid (--list, --stack, --grid)"
    ),
    (
      "--html --follow --merge-repeats=a",
      "--merge-repeats: needs all rows, but --follow shows each row as it comes"
    ),
    ("--title-of={name}", "--title-of: not for List, only for Detail (--detail)"),
    ("--fragment", "--fragment: not for text, only for html (--html)"),
    ("--markdown --lang=en", "--lang: not for markdown, only for html (--html)"),
    ("--markdown-raw", "--markdown-raw: not for text, only for markdown and pandoc (--markdown, -t pandoc)"),
    (
      "-t pandoc --grid --follow",
      "--follow: -t pandoc --grid must measure all rows; use --list"
    ),
    (
      "-t pandoc --stack --lookahead=5",
      "--lookahead: -t pandoc --stack must measure all rows; use --list"
    ),
    ("--markdown --blend", "--blend: not for markdown, only for text and html (--text, --html)"),
    ("--preamble=-", "--preamble: cannot read standard input; name a file"),
    ("--csv --postamble=-", "--postamble: cannot read standard input; name a file"),
    ("-o pandoc", "--output: -t pandoc writes pandoc's Markdown; -o ./pandoc names a file"),
    ("--hover", "--hover: not for text, only for html (--html)"),
    (
      "--html --hover --html-style=inline",
      "--hover: needs a style sheet, and --html-style inline has none"
    ),
    ("--interactive", "--interactive: not for text, only for html (--html)"),
    ("--html --interactive --fragment", "--interactive and --fragment cannot be used together"),
    ("--html --interactive --html-style=none", "--interactive and --html-style cannot be used together"),
    ("--html --interactive --follow", "--interactive and --follow cannot be used together"),
    (
      "--html --interactive --detail",
      "--interactive: not for Detail, only for List, Stack and Grid (--list, --stack, --grid)"
    ),
    ("--html --editable a", "--editable: needs --interactive, which makes the page interactive"),
    ("--html --interactive --editable a", "--editable: needs --id, which says which row is which"),
    (
      "--html --interactive --id a --editable b --set c=1",
      "--editable and --set cannot be used together"
    ),
    (
      "--html --interactive --id a --editable b --from words",
      "--editable: needs one file of csv, tsv, json or jsonl that --apply can write back"
    ),
    ("--output-delimiter=;", "--output-delimiter: not for text, only for csv (--csv)"),
    ("--tsv --output-delimiter=;", "--output-delimiter: not for tsv, only for csv (--csv)"),
    (
      "--json --formula-guard",
      "--formula-guard: not for json, only for csv and tsv (--csv, --tsv)"
    ),
    ("--from=json -d;", "--delimiter: not for json, only for csv (--from csv)"),
    ("--decimal=, --thousands=,", "--decimal and --thousands are both ','"),
    ("--thousands=.", "--decimal and --thousands are both '.'"),
    ("--decimal=5", "--decimal: '5' cannot be a mark in a number"),
    ("-d' --quote='", "--delimiter and --quote are both '''"),
    ("-d# --comment=#", "--delimiter and --comment are both '#'"),
    ("--sort=a --sorted-by=a", "--sorted-by and --sort cannot be used together"),
    ("--follow --sort=a", "--sort: needs all rows, but --follow shows each row as it comes"),
    ("--having=a", "--having: needs --group-by or --aggregate, which make groups; --filter keeps rows"),
    ("--summary --aggregate n=count()", "--summary and --aggregate cannot be used together"),
    ("--unpivot=a --in-place t.csv", "--in-place and --unpivot cannot be used together"),
    ("--sample=3 --follow", "--sample: '3' needs all rows, but --follow shows each row as it comes"),
    ("--sample=3 --in-place t.csv", "--in-place and --sample cannot be used together"),
    ("--ends=3 --follow", "--ends: '3' needs all rows, but --follow shows each row as it comes"),
    ("--ends=3 --in-place t.csv", "--in-place and --ends cannot be used together"),
    ("--pivot=a --summary", "--pivot and --summary cannot be used together"),
    ("--pivot=a --validate a>1", "--pivot and --validate cannot be used together"),
    ("--pivot=a --diff t.csv", "--pivot and --diff cannot be used together"),
    ("--pivot=a --in-place t.csv", "--in-place and --pivot cannot be used together"),
    ("--pivot-total=a", "--pivot-total: needs --pivot"),
    (
      "--pivot=a,b",
      "--pivot: the values of one column make columns, not of several; a call joins some: concat(a, b)\n  a,b\n  ^~~"
    ),
    ("--compute=s=share(a) --follow", "--compute: needs all rows, but --follow shows each row as it comes"),
    ("--compute=s=1 --diff t.csv", "--diff and --compute cannot be used together"),
    ("--ends=3 --head=1", "--ends and --head cannot be used together"),
    ("--ends=3 --html --interactive", "--ends and --interactive cannot be used together"),
    ("--tail=3 --follow", "--tail: needs all rows, but --follow shows each row as it comes"),
    ("--head=-3 --follow", "--head: '-3' needs all rows, but --follow shows each row as it comes"),
    (
      "--follow --lookahead=all", "--lookahead: 'all' needs all rows, but --follow shows each row as it comes"
    ),
    ("-H --header-lines=2", "--header-lines and --no-header-in cannot be used together"),
  ])
  func refusesWhatCannotStandTogether(_ line: String, _ message: String) throws {
    let error = #expect(throws: PlanError.self) { try Plan.reading(line) }
    #expect(Messages(Environment()).text(try #require(error)) == "tabler: \(message)\n")
    #expect(Messages.status(of: try #require(error)) == 2)
  }

  @Test(arguments: [
    ("", LookAhead.all, false), ("--lookahead all", .all, false), ("--lookahead 0", .first(0), false),
    ("--lookahead 7", .first(7), false), ("--follow", .first(100), true),
    ("--follow --lookahead 7 --head 3 --skip 2", .first(7), true), ("--follow --no-follow", .all, false),
  ])
  func readsHowFarIsLookedAhead(_ line: String, _ lookAhead: LookAhead, _ isFollowed: Bool) throws {
    let plan = try Plan.reading(line)
    #expect(plan.lookAhead == lookAhead)
    #expect(plan.input.isFollowed == isFollowed)
  }

  /// `--csv` may end any command.
  @Test(arguments: [
    "--item-padding=1 --csv", "--detail --row-rules --sort-rank --tsv", "--html --fragment --lang=en --csv",
    "--hover --html-style=inline --csv",
    "--title-of={name} --jsonl",
  ])
  func dataFormsPassOverLayout(_ line: String) throws {
    #expect(!(try Plan.reading(line).output.form.isDisplay))
  }

  /// R2.
  @Test func rawControlGoesToNoTerminal() throws {
    #expect(throws: PlanError.rawControlToTerminal) {
      try Plan.reading("--raw-control", isTerminal: true)
    }
    #expect(try Plan.reading("--raw-control").layout.passesControl)
    #expect(try Plan.reading("--raw-control -o x.txt", isTerminal: true).layout.passesControl)
  }

  @Test func withoutAnythingToReadThereIsHelp() throws {
    var notices: [PlanNotice] = []
    let environment = Environment(standardInputIsTerminal: true)
    let error = #expect(throws: PlanError.nothingToRead) {
      try Plan(Arguments([String]()), environment, notices: &notices)
    }
    let help = Messages(environment).text(try #require(error))
    #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= 25)
    #expect(help.hasPrefix("Usage: tabler"))
    #expect(try Plan(Arguments(["-"]), environment, notices: &notices).sources == [.standardInput])
  }

  @Test func aGuardWithoutMovesIsAWarning() throws {
    var notices: [PlanNotice] = []
    _ = try Plan(Arguments(["--can-move", "a > 1"]), Environment(), notices: &notices)
    #expect(
      notices.map(Messages(Environment()).text) == [
        "tabler: warning: --can-move: has no effect without --move\n"
      ])
  }
}

extension SortIndicators {
  fileprivate init(forward: String, showsRank: Bool, areShown: Bool) {
    self.init()
    self.forward = forward
    self.showsRank = showsRank
    self.areShown = areShown
  }
}
