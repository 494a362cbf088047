import Testing

@testable import TablerCommand
@testable import TablerEngine

/// What is decided by variables and terminals: colour, width, characters.
@Suite struct EnvironmentTests {
  /// A command line, variables, whether a terminal watches, and the colours that come of it.
  @Test(arguments: [
    ("", "TERM=xterm", true, ColorDepth.basic),
    ("", "", true, .basic),
    ("", "TERM=xterm-256color", true, .palette),
    ("", "TERM=xterm-256color COLORTERM=truecolor", true, .full),
    ("", "COLORTERM=24bit", true, .full),
    ("", "TERM=xterm", false, .none),
    ("", "NO_COLOR=1 FORCE_COLOR=1", true, .none),
    ("", "NO_COLOR=", true, .basic),
    ("--color always", "NO_COLOR=1 TERM=dumb", false, .basic),
    ("--color never", "FORCE_COLOR=1", true, .none),
    ("--color auto", "FORCE_COLOR=1 CLICOLOR_FORCE=1", false, .none),
    ("", "CLICOLOR=0", true, .none),
    ("", "CLICOLOR=0 CLICOLOR_FORCE=1", true, .basic),
    ("", "CLICOLOR=0 FORCE_COLOR=0", true, .none),
    ("", "CLICOLOR=0 FORCE_COLOR=", true, .none),
    ("", "TERM=dumb", true, .none),
    ("", "TERM=dumb FORCE_COLOR=1", true, .basic),
    ("--markdown --color always", "", true, .none),
    ("--csv --color always", "", true, .none),
    ("--html --color always", "", true, .none),
    ("-o x.txt", "TERM=xterm", true, .none),
    ("-o x.txt --color always", "TERM=xterm", true, .basic),
  ])
  func colourFollowsItsOrder(_ line: String, _ variables: String, _ isTerminal: Bool, _ depth: ColorDepth)
    throws
  {
    #expect(try Plan.reading(line, variables, isTerminal: isTerminal).layout.colorDepth == depth)
  }

  @Test(arguments: [
    ("", "COLUMNS=50", true, WidthLimit.atMost(50)),
    ("", "", true, .atMost(100)),
    ("", "COLUMNS=0", true, .atMost(100)),
    ("", "COLUMNS=wide", true, .atMost(100)),
    ("", "COLUMNS=50", false, .unlimited),
    ("-w 40", "COLUMNS=50", true, .atMost(40)),
    ("-w 40", "COLUMNS=50", false, .atMost(40)),
    ("-w auto", "COLUMNS=50", true, .atMost(50)),
    ("-w none", "COLUMNS=50", true, .unlimited),
    ("-o x.txt", "COLUMNS=50", true, .unlimited),
    ("--html", "COLUMNS=50", true, .unlimited),
    ("--markdown -w 40", "", false, .unlimited),
  ])
  func widthIsTheTerminalsButIntoAPipeNone(
    _ line: String, _ variables: String, _ isTerminal: Bool, _ width: WidthLimit
  ) throws {
    #expect(try Plan.reading(line, variables, isTerminal: isTerminal).layout.width == width)
  }

  @Test(arguments: [
    ("", "", ["less"]), ("", "PAGER=", nil), ("", "PAGER=cat", nil), ("", "PAGER=/bin/cat", nil),
    ("", "PAGER=more", ["less"]), ("", "PAGER=/usr/bin/most", ["less"]), ("", "TABLER_PAGER=more", ["more"]),
    ("", "TABLER_PAGER=ov PAGER=more", ["ov"]), ("", "TABLER_PAGER= PAGER=ov", nil),
    ("", "TERM=dumb", nil), ("-P", "", nil), ("--paging never", "", nil), ("-P --paging auto", "", ["less"]),
    ("--paging always -P", "", nil), ("-P --paging always", "", ["less"]), ("-P --pager", "", ["less"]),
    ("--follow", "", nil), ("-o x.txt", "", nil), ("--csv", "", nil), ("--markdown", "", nil),
    ("--html", "", nil), ("--explain plan", "", nil), ("--paging always --follow", "", nil),
    ("--validate w=1 --rejects x.csv", "", nil),
  ])
  func thePagerIsChosenByOptionsThenVariables(_ line: String, _ variables: String, _ words: [String]?) throws
  {
    #expect(try Plan.reading(line, variables, isTerminal: true).output.paging?.pager.words == words)
    #expect(try Plan.reading(line, variables).output.paging == nil)
  }

  @Test func aPagerScrollsUnlessAWidthIsGiven() throws {
    let plain = try #require(try Plan.reading("", isTerminal: true).output.paging)
    #expect(plain.scrolls && !plain.isForced && plain.measuredRows == 10_000 && plain.columns == 100)
    #expect(plain.lines == 24)
    for line in ["-w 40", "--overflow wrap"] {
      #expect(try Plan.reading(line, isTerminal: true).output.paging?.scrolls == false)
    }
    #expect(try Plan.reading("--lookahead all", isTerminal: true).output.paging?.measuredRows == nil)
    #expect(try Plan.reading("--paging always", "LINES=7", isTerminal: true).output.paging?.isForced == true)
  }

  @Test func aPagerThatIsMissingIsReportedIfAVariableNamesIt() throws {
    for (variables, expected) in [("PAGER=nix", [PlanNotice.missingPager("nix")]), ("", [])] {
      var environment = Environment(variables, isTerminal: true)
      environment.hasPager = false
      var notices: [PlanNotice] = []
      let plan = try Plan(try Arguments([] as [String]), environment, notices: &notices)
      #expect(plan.output.paging == nil && notices == expected)
    }
  }

  @Test func aTerminalOfUnknownWidthHasEightyCells() {
    #expect(Environment(standardOutputIsTerminal: true).width == 80)
  }

  @Test(arguments: [
    ("", "LANG=de_DE.ISO-8859-1", true, true),
    ("", "LANG=de_DE.ISO-8859-1", false, false),
    ("", "LANG=C", true, false),
    ("", "LANG=en_US.UTF-8", true, false),
    ("", "LANG=en_US.utf8@euro", true, false),
    ("", "LC_ALL=C.UTF-8 LANG=de_DE.ISO-8859-1", true, false),
    ("", "LC_ALL= LC_CTYPE=ru_RU.KOI8-R LANG=C.UTF-8", true, true),
    ("--ascii", "", false, true),
    ("--no-ascii", "LANG=de_DE.ISO-8859-1", true, false),
    ("-o x.txt", "LANG=de_DE.ISO-8859-1", true, false),
  ])
  func asciiIsForTerminalsOfOtherCharsets(
    _ line: String, _ variables: String, _ isTerminal: Bool, _ isASCII: Bool
  ) throws {
    #expect(try Plan.reading(line, variables, isTerminal: isTerminal).layout.isASCII == isASCII)
  }
}

extension Plan {
  /// The plan of a line of words, read in an environment.
  static func reading(_ line: String, _ variables: String = "", isTerminal: Bool = false) throws -> Plan {
    try reading(words: line.split(separator: " ").map(String.init), variables, isTerminal: isTerminal)
  }

  /// The plan of some words, read in an environment.
  static func reading(words: [String], _ variables: String = "", isTerminal: Bool = false) throws -> Plan {
    var notices: [PlanNotice] = []
    return try Plan(
      Arguments(words), Environment(variables, isTerminal: isTerminal), notices: &notices)
  }
}

extension Environment {
  /// Variables as `env` prints them, but on one line; the terminal has 100 columns.
  init(_ variables: String, isTerminal: Bool) {
    self.init(standardOutputIsTerminal: isTerminal, terminalWidth: isTerminal ? 100 : nil)
    isInForeground = isTerminal
    for variable in variables.split(separator: " ") {
      let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      self.variables[String(parts[0])] = String(parts[1])
    }
  }
}
