import Foundation
import Testing

@testable import TablerCommand
@testable import TablerEngine

/// Which file of options is read, and what its lines mean.
@Suite struct ConfigurationTests {
  /// A command line, variables, whether stdout is a terminal, and the file that is read.
  @Test(arguments: [
    ("", "HOME=/home/a", true, Configuration.Source.found("/home/a/.config/tabler/config")),
    ("", "HOME=/home/a XDG_CONFIG_HOME=/x", true, .found("/x/tabler/config")),
    ("", "HOME=/home/a XDG_CONFIG_HOME=", true, .found("/home/a/.config/tabler/config")),
    ("", "HOME=/home/a XDG_CONFIG_HOME=here", true, .found("/home/a/.config/tabler/config")),
    ("", "HOME=", true, nil), ("", "HOME=here", true, nil), ("", "", true, nil),
    ("", "HOME=/home/a", false, nil),
    ("-o x.txt", "HOME=/home/a", true, nil), ("-i x.csv", "HOME=/home/a", true, nil),
    ("-o -", "HOME=/home/a", true, .found("/home/a/.config/tabler/config")),
    ("", "HOME=/home/a TABLER_CONFIG_PATH=y", true, .named("y")),
    ("", "TABLER_CONFIG_PATH=y", false, .named("y")),
    ("", "HOME=/home/a TABLER_CONFIG_PATH=", true, nil),
    ("--config z", "HOME=/home/a TABLER_CONFIG_PATH=y", true, .named("z")),
    ("--config z", "", false, .named("z")),
    ("--config=", "HOME=/home/a TABLER_CONFIG_PATH=y", true, nil),
    ("--no-config", "HOME=/home/a TABLER_CONFIG_PATH=y", true, nil),
    ("--no-config --config z", "", false, .named("z")),
    ("--config z --no-config", "HOME=/home/a", true, nil),
    ("--config z --help", "", true, nil), ("--config z -h", "", true, nil),
    ("--version", "TABLER_CONFIG_PATH=y", true, nil),
    ("--generate man", "TABLER_CONFIG_PATH=y", true, nil),
    ("--complete keys -- --", "HOME=/home/a TABLER_CONFIG_PATH=y", true, nil),
  ])
  func `R55 a file is read on a terminal, or where it is named`(
    _ line: String, _ variables: String, _ isTerminal: Bool, _ source: Configuration.Source?
  ) throws {
    let environment = Environment(variables, isTerminal: isTerminal)
    let found = Configuration.source(
      try Arguments(line.split(separator: " ").map(String.init)), environment
    ) { environment.variables[$0].map { FilePath($0) } }
    #expect(found == source)
  }

  @Test func `to a pipe no variable but one is looked at`() throws {
    var asked: [String] = []
    _ = Configuration.source(try Arguments([String]()), Environment()) {
      asked.append($0)
      return nil
    }
    #expect(asked == ["TABLER_CONFIG_PATH"])
  }

  /// The text of a file, and the options in it: names, values and places.
  @Test(arguments: [
    ("", ""), ("\n\n  \n", ""), ("# nothing\n  # more", ""),
    ("grid", "+grid@1:1"), ("--grid", "+grid@1:1"), ("  --grid  \r\n\tzebra\r\n", "+grid@1:3 +zebra@2:2"),
    ("\u{FEFF}grid", "+grid@1:1"), ("grid # framed", "+grid@1:1"), ("no-zebra", "-zebra@1:1"),
    ("header", "-no-header@1:1"), ("no-header", "+no-header@1:1"),
    ("border double", "+border=double@1:8"), ("border=double", "+border=double@1:8"),
    ("--border=double", "+border=double@1:10"), ("border = double  # wide", "+border=double@1:10"),
    ("# one\nborder round\n\nborder double", "+border=round@2:8 +border=double@4:8"),
    ("header-style bold fg=#0a7 # green", "+header-style=bold fg=#0a7@1:14"),
    ("missing=", "+missing=@1:9"), ("missing ''", "+missing=@1:9"),
    ("missing = \"\" # none", "+missing=@1:11"),
    ("missing a#b", "+missing=a#b@1:9"), ("missing '#'", "+missing=#@1:9"),
    ("separator \" | \"", "+separator= | @1:11"), ("separator 'it''s'", "+separator=it's@1:11"),
    ("separator \"a\"\"b\" # x", "+separator=a\"b@1:11"), ("separator '='", "+separator==@1:11"),
    ("missing it's", "+missing=it's@1:9"), ("missing —\nmissing='—' ", "+missing=—@1:9 +missing=—@2:9"),
    ("width 100", "+width=100@1:7"), ("width none", "+width=none@1:7"),
  ])
  func `R55 a line holds an option, as it is typed or without its dashes`(_ text: String, _ options: String)
    throws
  {
    let configuration = try Configuration(Array(text.utf8), "c", isFound: false)
    let found = configuration.occurrences.map { occurrence in
      let option = Option[occurrence.option]
      let value = option.takesValue ? "=" + occurrence.value : ""
      let place = occurrence.place.map { Messages.place($0).dropFirst("c:".count) } ?? ""
      return "\(occurrence.isOn ? "+" : "-")\(option.name)\(value)@\(place)"
    }
    #expect(found.joined(separator: " ") == options)
    #expect(configuration.unknown.isEmpty)
  }

  /// The text of a named file, and why it is refused.
  @Test(arguments: [
    ("\nbordr round", "2:1: unknown option '--bordr'; did you mean '--border'?  ('tabler --help' lists all)"),
    ("style round", "1:1: unknown option '--style'; did you mean '--border'?  ('tabler --help' lists all)"),
    ("-g", "1:1: unknown option '-g'; did you mean '--grid'?  ('tabler --help' lists all)"),
    ("border doubel", "1:8: --border: unknown value 'doubel'; did you mean 'double'?"),
    ("grid\n  border  ", "2:3: --border needs a value"), ("border # x", "1:1: --border needs a value"),
    ("zebra on", "1:1: --zebra takes no value"), ("no-zebra=", "1:1: --no-zebra takes no value"),
    ("width wide", "1:7: --width: 'wide' is not a whole number, auto or none"),
    ("width 99999", "1:7: --width: 99999 is not between 0 and 10000"),
    ("missing \"a", "1:9: this \" is never closed; inside quotes it is written twice"),
    ("missing 'ä' b", "1:13: text after a closing quote"),
    (
      "\tfilter 'a > 1'",
      "1:2: --filter cannot stand in a configuration file, only options that change looks"
    ),
    (
      "--config other",
      "1:1: --config cannot stand in a configuration file, only options that change looks"
    ),
    ("help", "1:1: --help cannot stand in a configuration file, only options that change looks"),
  ])
  func `R55 a line that is wrong is refused with its place`(_ text: String, _ message: String) throws {
    let error = try #require(throws: ConfigurationError.self) {
      _ = try Configuration(Array(text.utf8), "c", isFound: false)
    }
    let words = Messages(Environment()).text(error)
    #expect(
      words.components(separatedBy: "  (none ascii")[0].trimmingSuffix { $0 == "\n" } == "tabler: c:"
        + message)
    #expect(Messages.status(of: error) == 2)
  }

  @Test func `a value that is no UTF-8 is refused`() {
    #expect(throws: ConfigurationError.self) {
      _ = try Configuration(Array("missing ".utf8) + [0xFF], "c", isFound: true)
    }
  }

  @Test func `R55 names of another version are passed over in a file that was found`() throws {
    let configuration = try Configuration(Array("bordr x\ngrid\nnew = 2\n".utf8), "c", isFound: true)
    #expect(configuration.occurrences.map(\.option) == [.grid])
    #expect(
      Messages(Environment()).text(configuration.unknown)
        == "tabler: warning: c:1:1: unknown option '--bordr' and 1 other ignored; did you mean '--border'?\n")
  }

  @Test(arguments: ["border doubel", "filter a", "missing 'a"])
  func `R55 other mistakes are refused in a file that was found, too`(text: String) {
    #expect(throws: ConfigurationError.self) {
      _ = try Configuration(Array(text.utf8), "c", isFound: true)
    }
  }
}

/// What configured options mean beside those that were typed.
@Suite struct ConfiguredPlanTests {
  /// The plan of a line with a configuration, and what was said.
  private func plan(_ line: String, _ text: String) throws -> (plan: Plan, notices: [PlanNotice]) {
    var arguments = try Arguments(line.split(separator: " ").map(String.init))
    arguments.configure(by: try Configuration(Array(text.utf8), "c", isFound: true).occurrences)
    var notices: [PlanNotice] = []
    let plan = try Plan(fitting: &arguments, Environment("", isTerminal: true), notices: &notices)
    return (plan, notices)
  }

  /// A configuration, a command line, and the command line that means the same without.
  @Test(arguments: [
    ("grid\nborder double", "", "-g --border double"),
    ("grid\nborder double", "-l --border round", "-l --border round"),
    ("grid", "-x", "-x"), ("zebra", "--no-zebra", ""), ("no-header", "--header", ""),
    ("missing ''", "", "--missing="), ("width 60", "-w none", "-w none"),
    // What does not fit what was typed gives way.
    ("row-rules", "-x", "-x"), ("item-padding 1 2", "-k", "-k"),
    ("item-padding 1 2\ngrid", "", "-g --item-padding=1,2"),
    ("row-padding 1\ngrid", "", "-g"), ("row-padding 1\ngrid", "-k", "-k --row-padding 1"),
    ("page 20", "", ""), ("page 20\ngrid", "", "-g --page 20"), ("page 20\ngrid", "-x", "-x"),
    ("header-position inside", "-k --page 20", "-k --page 20"),
    ("page 20", "-k --header-position inside", "-k --header-position inside"),
    ("page 20\ngrid", "--grid-items adaptive(10)", "-g --grid-items adaptive(10)"),
    ("hover", "", ""), ("hover", "--html", "--html --hover"),
    ("hover", "--html --html-style inline", "--html --html-style inline"),
    ("stack", "-t pandoc --follow", "-t pandoc --follow"), ("stack", "--csv", "--csv -k"),
    ("selection-style overlay\ninvalid-indicator x", "", ""),
    ("selection-style overlay", "--select 1", "--select 1 --selection-style overlay"),
  ])
  func `the command line wins, and what does not fit it gives way`(
    _ text: String, _ line: String, _ alone: String
  )
    throws
  {
    let (plan, notices) = try plan(line, text)
    var expected = try Plan.reading(alone, isTerminal: true).layout
    // Indicators and styles of what is not there do no harm.
    expected.selectionStyle = plan.layout.selectionStyle
    expected.fieldSigns = plan.layout.fieldSigns
    #expect(String(describing: plan.layout) == String(describing: expected))
    #expect(notices.isEmpty)
  }

  @Test(arguments: [
    ("grid", "--row-padding 1", "--row-padding"), ("stack", "--page 20 -x", "--page"),
    ("grid", "--hover", "--hover"), ("page 20", "--page 10", "--page"),
  ])
  func `what was typed is refused as without a file`(_ text: String, _ line: String, _ option: String) throws
  {
    let error = try #require(throws: PlanError.self) { try plan(line, text) }
    let alone = try #require(throws: PlanError.self) { try Plan.reading(line, isTerminal: true) }
    #expect(error == alone && Messages(Environment()).text(error).contains(option))
  }

  @Test func `R55 a value that breaks its grammar is refused with its place`() throws {
    var arguments = try Arguments(["-n", "5"])
    arguments.configure(
      by: try Configuration(Array("grid\nheader-style = fg=bleu\n".utf8), "c", isFound: true).occurrences)
    var notices: [PlanNotice] = []
    let error = try #require(throws: PlanError.self) {
      try Plan(fitting: &arguments, Environment(), notices: &notices)
    }
    #expect(
      Messages(arguments, Environment()).text(error)
        == "tabler: c:2:16: --header-style: unknown color 'bleu'; did you mean 'blue'?\n  fg=bleu\n     ^~~~\n"
    )
  }
}

/// What may stand in a configuration file: looks.
@Suite struct ConfigurableOptionTests {
  static let options = Option.all.filter(\.isConfigurable)

  /// Values that other options would take for files, commands or expressions.
  static let values = [
    "/etc/passwd", "x.csv", "a=/etc/passwd", "link:/etc/passwd", "|touch x", "$(touch x)", "`touch x`",
    "{lookup('a', b)}",
    "1", "0",
  ]

  @Test(arguments: options)
  func `R55 an option of the file names no file and holds no expression`(option: Option) {
    switch option.value {
    case .flag, .pick, .choice, .number, .text: break
    case .character, .file, .columns, .keys, .expression, .rest, .request:
      Issue.record("\(option.spelling) is no mere look")
    }
    // Of each the last occurrence counts, so that the command line wins.
    #expect(!option.accumulates && !option.isHidden)
  }

  /// The file may say when a pager is used; which one is said by the environment alone.
  @Test(arguments: [
    ("paging never", "", Environment.PagingChoice.never), ("no-pager", "", .never),
    ("no-pager", "--paging always", .always), ("paging always", "-P", .never), ("paging always", "", .always),
  ])
  func `the pager is asked for by the last word`(
    _ text: String, _ line: String, _ choice: Environment.PagingChoice
  ) throws {
    var arguments = try Arguments(line.split(separator: " ").map(String.init))
    arguments.configure(by: try Configuration(Array(text.utf8), "c", isFound: true).occurrences)
    #expect(arguments.paging == choice)
  }

  @Test(arguments: options)
  func `R55 no option of the file starts a program or touches a file`(option: Option) throws {
    let plain = try Plan.reading("")
    let words = option.takesValue ? Self.values + option.value.words : [""]
    for word in words {
      var arguments = try Arguments([String]())
      guard (try? option.checked(word)) != nil else { continue }
      arguments.configure(by: [
        .init(option: option.id, value: word, isOn: true, lookAlike: nil, place: .init(path: "c", line: 1))
      ])
      var notices: [PlanNotice] = []
      guard let plan = try? Plan(fitting: &arguments, Environment(), notices: &notices) else { continue }
      // All that a plan knows of files, and of what is computed from their rows.
      #expect(plan.sources == plain.sources && plan.lookups.isEmpty && plan.additions.isEmpty)
      #expect(plan.preamble == nil && plan.postamble == nil)
      #expect(plan.output.path == nil && !plan.output.isInPlace && plan.output.form == .text)
      #expect(plan.output.paging == nil && plan.output.styleSheet == plain.output.styleSheet)
      #expect(
        plan.computations.isEmpty && plan.filters.isEmpty && plan.rules.isEmpty && plan.sortKeys.isEmpty)
      #expect(plan.memory == plain.memory && plan.layout.formats.isEmpty && plan.layout.footers.isEmpty)
    }
  }

  @Test func `the options of the file are those that are known to be looks`() {
    #expect(
      Self.options.map(\.name)
        == """
        missing list stack grid width overflow single-line fill min-width header-position border separator \
        row-rules page no-header header-height table-padding row-padding item-padding header-spacing \
        footer-spacing row-spacing column-spacing min-row-height color sort-indicator-forward \
        sort-indicator-reverse sort-indicator-neutral no-sort-indicators sort-rank invalid-indicator \
        valid-indicator hover header-style zebra selection-style ascii ambiguous-width paging no-pager
        """.split(separator: " ").map(String.init))
  }
}

/// The program with a file of options, on a terminal and into a pipe.
@Suite struct ConfiguredRunTests {
  private static let input = "id,name\n1,Kiwi\n"
  private static let list = "id  name\n──  ────\n 1  Kiwi\n"

  /// Runs the program with a file of options that is found.
  private func run(
    _ arguments: [String], _ text: String, toTerminal: Bool = true, variables: [String: String] = [:],
    then check: (_ output: String, _ errors: String, _ status: Int32, _ folder: URL) throws -> Void
  ) throws {
    try inFolder { folder in
      let own = folder.appending(path: ".config/tabler")
      try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: own.appending(path: "config"))
      let input = folder.appending(path: "input.csv")
      try Data(Self.input.utf8).write(to: input)
      var environment = ["HOME": folder.path, "TERM": "dumb"].merging(variables) { $1 }
      environment = environment.mapValues { $0.replacing("~", with: folder.path) }
      let words = arguments.map { $0.replacing("~", with: folder.path) }
      let run = try Run(
        words, input: input, in: folder, environment: environment, toTerminal: toTerminal)
      try check(
        run.output.text.replacing("\r\n", with: "\n"), run.errors.text.replacing(folder.path, with: "~"),
        run.status, folder)
    }
  }

  private let place = "~/.config/tabler/config"

  @Test func `R55 a terminal has the looks of the file, a pipe has not`() throws {
    let text = "ascii\nheader-position outside\n"
    try run([], text) { output, errors, status, _ in
      #expect(output == "id  name\n==  ====\n 1  Kiwi\n" && errors.isEmpty && status == 0)
    }
    try run([], text, toTerminal: false) { output, errors, _, _ in
      #expect(output == Self.list && errors.isEmpty)
    }
  }

  @Test(arguments: [["--no-config"], ["--config="]])
  func `R55 none is read where none is wanted`(arguments: [String]) throws {
    try run(arguments, "wrong in every way") { output, errors, status, _ in
      #expect(output == Self.list && errors.isEmpty && status == 0)
    }
    try run([], "wrong in every way", variables: ["TABLER_CONFIG_PATH": ""]) { output, errors, _, _ in
      #expect(output == Self.list && errors.isEmpty)
    }
  }

  @Test(arguments: [["--help"], ["-h"], ["--version"], ["--generate", "help"]])
  func `R55 a request for help reads none`(arguments: [String]) throws {
    try run(arguments + ["--config", "nowhere"], "wrong in every way") { output, errors, status, _ in
      #expect(!output.isEmpty && errors.isEmpty && status == 0)
    }
  }

  @Test func `R55 a file that is named is read into a pipe, too`() throws {
    for (arguments, variables) in [
      (["--config", "~/.config/tabler/config"], [:]), ([], ["TABLER_CONFIG_PATH": "~/.config/tabler/config"]),
    ] as [([String], [String: String])] {
      try run(arguments, "--grid\nborder=ascii", toTerminal: false, variables: variables) {
        output, errors, _, _ in
        #expect(output.hasPrefix("+") && errors.isEmpty)
      }
      try run(arguments, "grid\nnew 1", toTerminal: false, variables: variables) {
        output, errors, status, _ in
        #expect(output.isEmpty && status == 2)
        #expect(errors == "tabler: \(place):2:1: unknown option '--new'  ('tabler --help' lists all)\n")
      }
    }
  }

  @Test func `R55 the output file is the same on a terminal`() throws {
    try run(["-o", "out.txt"], "grid") { output, errors, status, folder in
      #expect(output.isEmpty && errors.isEmpty && status == 0)
      let written = try String(contentsOf: folder.appending(path: "out.txt"), encoding: .utf8)
      #expect(written == Self.list)
    }
  }

  @Test func `R55 a name of another version is a warning, an option of the command line an error`() throws {
    try run([], "newer 1\nmissing -\n") { output, errors, status, _ in
      #expect(output == Self.list && status == 0)
      #expect(errors == "tabler: warning: \(place):1:1: unknown option '--newer' ignored\n")
    }
    try run(["-q"], "newer 1\n") { _, errors, status, _ in #expect(errors.isEmpty && status == 0) }
    try run([], "grid\n sort name\n") { output, errors, status, _ in
      #expect(output.isEmpty && status == 2)
      #expect(
        errors
          == "tabler: \(place):2:2: --sort cannot stand in a configuration file, only options that change looks\n"
      )
    }
  }

  @Test func `a mistake on the command line is told before the file is read`() throws {
    try run(["--wrong-word"], "wrong in every way") { _, errors, status, _ in
      #expect(errors.contains("'--wrong-word'") && status == 2)
    }
  }

  @Test func `R55 the plan names the file`() throws {
    try run(["--explain", "plan"], "zebra") { output, _, _, folder in
      #expect(output.replacing(folder.path, with: "~").contains("\n--config  \(place)\n"))
    }
    try run(["--explain", "plan"], "zebra", toTerminal: false) { output, _, _, _ in
      #expect(!output.contains("--config"))
    }
  }

  @Test(arguments: [
    ("~/nowhere", "tabler: ~/nowhere: No such file or directory\n", 4),
    ("~", "tabler: ~: read error: Is a directory\n", 4),
    ("-", "tabler: --config: cannot read standard input; name a file\n", 2),
    ("/dev/zero", "tabler: /dev/zero: too large to be a configuration file\n", 2),
  ])
  func `R55 a file that is named must be one`(path: String, message: String, status: Int32) throws {
    try run(["--config", path], "", toTerminal: false) { output, errors, found, _ in
      #expect(output.isEmpty && errors == message && found == status)
    }
  }
}

extension Run {
  /// Runs the binary with a file on its standard input, and a terminal of 80 columns or a file as its standard output.
  fileprivate init(
    _ arguments: [String], input: URL, in folder: URL, environment: [String: String], toTerminal: Bool
  ) throws {
    if toTerminal {
      try self.init(onTerminal: arguments, input: input, in: folder, environment: environment)
    } else {
      try self.init(arguments, input: input, in: folder, environment: environment)
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
    var text = self[...]
    while let last = text.last, isTrimmed(last) { text = text.dropLast() }
    return String(text)
  }
}
