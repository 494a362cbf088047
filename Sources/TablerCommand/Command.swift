import TablerEngine

/// The whole command: from the arguments to the exit status.
public enum Command {
  /// Runs tabler with the arguments of the process, and ends it.
  public static func main() -> Never {
    Process.prepare()
    Process.onLargeStack { run() }
  }

  /// Does what the arguments ask for, and ends the process.
  private static func run() -> Never {
    let environment = Environment.ofProcess
    var arguments: Arguments
    do { arguments = try Arguments(Process.arguments) } catch {
      fail(Messages(environment).text(error), Messages.status(of: error))
    }
    switch arguments.request {
    case .table:
      let configured = configure(&arguments, environment)
      table(arguments, environment, configured)
    case .shortHelp: print(Help.short)
    case .help: show(Help.long, arguments, environment)
    case .version: print(Release.text)
    case .generate(let kind): print(kind.text)
    case .complete(let words): print(Completion.answer(to: words, columnNames: columnNames))
    }
  }
}

extension Command {
  /// The configuration file, if one was read, and the warning about it.
  private typealias Configured = (file: FilePath?, warning: String)

  /// Adds the options of the configuration file, if there is one to read.
  private static func configure(_ arguments: inout Arguments, _ environment: Environment) -> Configured {
    guard
      let source = Configuration.source(arguments, environment, variable: Process.path(ofVariable:))
    else { return (nil, "") }
    let messages = Messages(arguments, environment)
    do {
      guard let configuration = try Configuration(source) else { return (nil, "") }
      arguments.configure(by: configuration.occurrences)
      return (configuration.path, messages.text(configuration.unknown))
    } catch {
      // A file that cannot be read and was not requested must not prevent a table.
      if case .system(let error) = error, case .found = source { return (nil, messages.warning(error)) }
      fail(messages.text(error), Messages.status(of: error))
    }
  }

  /// Makes the plan and runs it.
  private static func table(
    _ typed: Arguments, _ environment: Environment, _ configured: Configured
  ) -> Never {
    var arguments = typed
    var notices: [PlanNotice] = []
    let plan: Plan
    do { plan = try Plan(fitting: &arguments, environment, notices: &notices) } catch {
      fail(Messages(arguments, environment).text(error), Messages.status(of: error))
    }
    let messages = Messages(arguments, environment)
    environment.beginProgress(arguments)
    let isPaged = plan.output.paging != nil
    let words = Words(
      wait: isPaged || notices.contains { if case .missingPager = $0 { true } else { false } })
    if !plan.isQuiet {
      if !configured.warning.isEmpty { words.say(configured.warning) }
      var said: Set<String> = []
      for line in notices.map({ messages.text($0) }) where said.insert(line).inserted { words.say(line) }
    }
    let outcome: Outcome
    var query: EngineQuery?
    let rowCount: Int
    do {
      if let request = plan.engine {
        let asked = try EngineQuery(plan, for: request)
        if arguments.has(.explain) { print(Explanation.text(asked)) }
        if asked.fetchesAll, !plan.isQuiet { words.say(messages.warning(beforeFetching: asked)) }
        query = asked
      }
      var pipeline = if let query { try Pipeline(query) } else { try Pipeline(plan) }
      if let dialect = arguments.choice(.explain, as: Explanation.self)?.dialect {
        print(Explanation.text(try pipeline.query(in: dialect, from: arguments.value(.table)), dialect))
      } else if arguments.has(.explain) {
        print(Explanation.text(pipeline.steps, plan, configured.file))
      }
      pipeline.listener = { if !plan.isQuiet { words.say(messages.text($0)) } }
      if !isPaged {
        pipeline.onPause = {
          let text = messages.text($0, isQuiet: plan.isQuiet)
          let followsEcho = environment.standardErrorIsTerminal && !text.isEmpty
          Process.sayWhenInterrupted(followsEcho ? "\n" + text : text)
        }
      }
      outcome = try pipeline.run()
      rowCount = pipeline.readRowCount
    } catch {
      words.release()
      if case .output(let error) = error, error.isBrokenPipe { Process.endByBrokenPipe() }
      var text = messages.text(error)
      if let query, case .input(.system(let error)) = error, error.operation == .answer {
        text += messages.text(failed: query, environment)
      }
      fail(text, Messages.status(of: error))
    }
    Process.sayWhenInterrupted("")
    words.release()
    complain(messages.text(outcome, isQuiet: plan.isQuiet))
    if let query, !plan.isQuiet { complain(messages.text(query, rowCount: rowCount)) }
    Process.exit(Messages.status(of: outcome, plan))
  }

  /// The names of a file's columns, read according to the words typed so far.
  private static func columnNames(_ file: String, _ arguments: Arguments) -> [String]? {
    ColumnNames.of(file: FilePath(file), (try? InputOptions(arguments)) ?? InputOptions())
  }

  /// Shows a long text, in a pager if that is wanted, and ends the process.
  private static func show(_ text: String, _ arguments: Arguments, _ environment: Environment) -> Never {
    var notices: [PlanNotice] = []
    let paging = environment.paging(arguments.paging, scrolls: true, measuredRows: nil, notices: &notices)
    guard let paging else { print(text) }
    do { try paging.show(text) } catch { fail(Messages(environment).text(error), Status.system) }
    Process.exit(Status.done)
  }

  /// Writes a text to the standard output and ends the process.
  private static func print(_ text: String) -> Never {
    let output = OutputFile()
    do { try output.write(Array(text.utf8).span) } catch {
      if error.isBrokenPipe { Process.endByBrokenPipe() }
      fail(Messages(.ofProcess).text(error), Messages.status(of: .output(error)))
    }
    Process.exit(Status.done)
  }

  private static func fail(_ message: String, _ status: Int32) -> Never {
    complain(message)
    Process.exit(status)
  }

  private static func complain(_ text: String) {
    if !text.isEmpty { Process.complain(Array(text.utf8).span) }
  }
}

/// Messages for the standard error: written at once or, if a pager has the screen or should have it, after
/// the table.
private final class Words {
  private var waiting: [String]?

  init(wait: Bool) { waiting = wait ? [] : nil }

  func say(_ text: String) {
    if waiting == nil { Process.complain(Array(text.utf8).span) } else { waiting?.append(text) }
  }

  /// Writes the waiting messages.
  func release() {
    let texts = waiting ?? []
    waiting = nil
    for text in texts where !text.isEmpty { say(text) }
  }
}

/// The text that `--explain` prints instead of the table.
enum Explanation: String, CaseIterable {
  /// The steps, what each holds, and the memory available for rows.
  case plan
  /// The query that asks an engine for the same rows.
  case duckdb, sqlite, postgres, clickhouse, spark, trino, ansi, portable

  /// The dialect of the query.
  var dialect: SQLDialect? { SQLDialect(rawValue: rawValue) }

  /// The query that an engine would be asked.
  static func text(_ query: EngineQuery) -> String {
    var lines: [String] = []
    if !query.left.isEmpty { lines.append("not asked: " + query.left.joined(separator: ", ")) }
    if !query.isOrdered { lines.append("rows come in any order") }
    return lines.map { "-- \($0)\n" }.joined() + query.text + ";\n"
  }

  /// A query, after what has to be known of it, in comments.
  static func text(_ query: QueryText, _ dialect: SQLDialect) -> String {
    var lines: [String] = []
    if !dialect.isProved {
      lines.append("nobody tried this query on \(dialect == .ansi ? "an engine" : "Trino")")
    }
    if let table = query.table {
      lines.append("the table \(Messages.quoted(table)) has the columns of the file")
    }
    if !query.guesses.isEmpty {
      let types = query.guesses.map { "\(Messages.escaped($0.column)): \($0.type.rawValue)" }
      lines.append("types as the first rows look (--types declares others): " + types.joined(separator: ", "))
    }
    if query.guesses.contains(where: { $0.type == .double }) {
      lines.append("decimals are doubles, so their last digits may differ")
    }
    if !query.left.isEmpty { lines.append("not asked: " + query.left.joined(separator: ", ")) }
    if !query.isOrdered { lines.append("rows come in any order") }
    return lines.map { "-- \($0)\n" }.joined() + query.text + "\n"
  }

  /// The text, including its last newline; `configuration` is the file that options were read from.
  static func text(_ steps: [PlannedStep], _ plan: Plan, _ configuration: FilePath?) -> String {
    var lines = steps.map { (name(of: $0.work, plan), text($0.holding)) }
    lines.append(("--memory", size(plan.memory)))
    if let configuration { lines.append(("--config", Messages.name(configuration))) }
    let width = lines.map(\.0.count).max() ?? 0
    return lines.map { name, text in
      name + String(repeating: " ", count: width + 2 - name.count) + text + "\n"
    }.joined()
  }

  /// The option that asks for a step.
  private static func name(of work: PlannedStep.Work, _ plan: Plan) -> String {
    guard work == .write else { return work.rawValue }
    return switch plan.output.form {
    case .text: "--\(plan.layout.kind.rawValue)"
    case .markdown, .pandoc, .html, .csv, .tsv, .json, .jsonl: "--to \(plan.output.form.rawValue)"
    }
  }

  private static func text(_ holding: PlannedStep.HeldAmount) -> String {
    switch holding {
    case .batch: "streams"
    case .rows(let count): "holds \(count) \(count == 1 ? "row" : "rows")"
    case .changes: "streams, and holds its changes, which must fit into half of the memory"
    case .keys: "streams, and holds its keys, which must fit into half of the memory"
    case .groups: "holds its keys and aggregates; beyond the memory rows in a temporary file"
    case .sorted: "holds all rows; beyond the memory in sorted runs in a temporary file"
    case .spilled(let portion): "holds \(portion.rawValue); beyond the memory in a temporary file"
    case .headings: "holds the headers of all sections"
    case .table: "holds all rows of its file, which must fit into half of the memory"
    case .allForWidths: "measures all rows; a file is read twice, other rows are held"
    case .allForColumns: "holds all rows until their columns are known"
    }
  }

  /// A number of bytes in binary units, rounded down; at least ten of the unit.
  ///
  /// Not by a loop over the units: the compiler unrolled it in one of two ways, so that builds differed.
  private static func size(_ bytes: Int) -> String {
    let units = ["", "K", "M", "G", "T"]
    let tenth = max(bytes / 10, 1)
    let unit = min((tenth.bitWidth - 1 - tenth.leadingZeroBitCount) / 10, units.count - 1)
    return "\(bytes >> (10 * unit))\(units[unit])"
  }
}

/// A text that is generated from the option table and committed along with it.
enum Generate: String, CaseIterable {
  case man
  case help
  case bash
  case zsh
  case fish
  case markdownOptions = "markdown-options"
  case changelog
  case git

  /// The text itself, including its last newline.
  var text: String {
    switch self {
    case .man: Manual.page
    case .help: Help.long
    case .bash: CompletionBash.script
    case .zsh: CompletionZsh.script
    case .fish: CompletionFish.script
    case .markdownOptions: Self.optionTable
    case .changelog: Self.historyText
    case .git: GitSetup.text(GitSetup.word(Process.programPath))
    }
  }
}

extension Generate {
  /// The options as Markdown tables, one a group.
  private static var optionTable: String {
    var lines: [String] = []
    for group in Option.Group.allCases {
      lines += [
        "**\(group.rawValue)**", "", "| option | argument | default | meaning |", "| --- | --- | --- | --- |",
      ]
      for option in Option.all where option.group == group && !option.isHidden {
        let letter = option.letter.map { "`-\($0)`, " } ?? ""
        let cells = [
          letter + "`\(option.spelling)`" + (option.accumulates ? " \\*" : "")
            + (option.isConfigurable ? " P" : ""),
          option.placeholder.map(code) ?? "", plain(option.fallback), plain(option.brief),
        ]
        lines.append("| " + cells.joined(separator: " | ") + " |")
      }
      lines.append("")
    }
    lines.append(
      "\\* may be given several times; every occurrence counts. P may stand in the configuration file.")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The changes under HISTORY of the manual page, as Markdown.
  ///
  /// Each is one line, because the page of a release shows line breaks as such.
  private static var historyText: String {
    let changes = Manual.changes.map { "- **\(plain($0.term)).** \(marked($0.text))\n" }
    return "<!-- Printed by 'tabler --generate changelog'; do not edit. -->\n# Changes\n\n"
      + marked(Manual.beforeChanges) + "\n\n" + changes.joined()
  }

  /// A text of the manual page: words in backquotes are code in both.
  private static func marked(_ text: String) -> String {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .map { $0.offset.isMultiple(of: 2) ? plain(String($0.element)) : "`\($0.element)`" }.joined()
  }

  private static func code(_ text: String) -> String { "`" + piped(text) + "`" }

  private static func plain(_ text: String) -> String {
    String(text.flatMap { "\\|*_<>`".contains($0) ? ["\\", $0] : [$0] })
  }

  /// The text with its pipes escaped, as a table requires even in code.
  private static func piped(_ text: String) -> String {
    String(text.flatMap { $0 == "|" ? ["\\", $0] : [$0] })
  }
}
