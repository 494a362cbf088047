import TablerEngine

/// The context in which the command was started: variables and terminals.
///
/// It is a value, so that tests can set it.
struct Environment: Equatable {
  /// The variables that are used.
  var variables = NamedTexts()
  /// Whether the standard output is a terminal.
  var standardOutputIsTerminal = false
  /// Whether messages go to a terminal.
  var standardErrorIsTerminal = false
  /// Whether the standard input is a terminal.
  var standardInputIsTerminal = false
  /// The display columns of the terminal, if there is one.
  var terminalWidth: Int?
  /// Its lines.
  var terminalHeight: Int?
  /// Whether this process is in the foreground of that terminal.
  var isInForeground = false
  /// Whether the requested pager can be found.
  var hasPager = true

  /// All variables that have a meaning.
  static let variableNames = [
    "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "COLORTERM", "TERM", "COLUMNS", "LINES",
    "LC_ALL", "LC_CTYPE", "LANG",
  ]

  /// The variables that name a pager; the first that is set counts.
  static let pagerNames = ["TABLER_PAGER", "PAGER"]

  /// The environment of this process.
  static var ofProcess: Environment {
    var environment = Environment(
      standardOutputIsTerminal: Process.isTerminal(1), standardErrorIsTerminal: Process.isTerminal(2),
      standardInputIsTerminal: Process.isTerminal(0), terminalWidth: Process.terminalWidth,
      terminalHeight: Process.terminalHeight)
    for name in variableNames { environment.variables[name] = Process.variable(name) }
    if environment.standardOutputIsTerminal {
      environment.isInForeground = Process.isInForeground(1)
      for name in pagerNames { environment.variables[name] = Process.variable(name) }
      environment.hasPager = environment.pager?.isThere ?? true
    }
    return environment
  }
}

// MARK: - Decisions

extension Environment {
  /// When color is wanted: `--color`.
  enum ColorChoice: String, CaseIterable {
    case auto
    case always
    case never
  }

  /// The depth of color for a stream.
  ///
  /// In this order: `--color`, `NO_COLOR`, no color for a pipe or file, `CLICOLOR_FORCE` and `FORCE_COLOR`,
  /// `CLICOLOR=0`, `TERM=dumb`, otherwise color.
  func colorDepth(_ choice: ColorChoice, toTerminal: Bool) -> ColorDepth {
    switch choice {
    case .always: return finestDepth
    case .never: return .none
    case .auto: break
    }
    if has("NO_COLOR") || !toTerminal { return .none }
    if isForced("CLICOLOR_FORCE") || isForced("FORCE_COLOR") { return finestDepth }
    if variables["CLICOLOR"] == "0" || variables["TERM"] == "dumb" { return .none }
    return finestDepth
  }

  /// When a pager is wanted: `--paging`.
  enum PagingChoice: String, CaseIterable {
    case auto
    case always
    case never
  }

  /// How text on the standard output is shown if it has more lines than the screen; `nil` if it is only written.
  ///
  /// - Parameter notices: receives a warning if the pager that a variable names is missing.
  func paging(
    _ choice: PagingChoice, scrolls: Bool, measuredRows: Int?, notices: inout [PlanNotice]
  ) -> Paging? {
    guard choice != .never, standardOutputIsTerminal, isInForeground, variables["TERM"] != "dumb", let pager
    else { return nil }
    guard hasPager else {
      if pager.isChosen { notices.append(.missingPager(pager.name)) }
      return nil
    }
    return Paging(
      pager, lines: height ?? 24, columns: width, isForced: choice == .always, scrolls: scrolls,
      measuredRows: measuredRows)
  }

  /// The requested pager; `nil` if the output should be seen without one.
  ///
  /// `more` and `most` of `PAGER` cannot scroll sideways, or cannot scroll back.
  private var pager: Pager? {
    guard let name = Self.pagerNames.first(where: { variables[$0] != nil }), let command = variables[name]
    else { return .standard }
    guard let pager = Pager(command: command), pager.name != "cat" else { return nil }
    return name == "PAGER" && ["more", "most"].contains(pager.name) ? .standard : pager
  }

  /// Begins to report progress, as `--progress` asks; a live stream has no end to reach.
  func beginProgress(_ arguments: Arguments) {
    let choice = arguments.choice(.progress, as: Progress.Choice.self) ?? .auto
    let mayShow =
      switch choice {
      case .auto: standardErrorIsTerminal && variables["TERM"] != "dumb" && !arguments.isOn(.quiet)
      case .always: true
      case .never: false
      }
    Progress.begin(
      choice, showsLines: mayShow && !arguments.isOn(.follow), isTerminal: standardErrorIsTerminal)
  }

  private var finestDepth: ColorDepth {
    if let colors = variables["COLORTERM"], colors == "truecolor" || colors == "24bit" { return .full }
    return variables["TERM"]?.hasSuffix("256color") == true ? .palette : .basic
  }

  /// Whether a variable is set and not empty.
  private func has(_ name: String) -> Bool { variables[name].map { !$0.isEmpty } ?? false }

  private func isForced(_ name: String) -> Bool { has(name) && variables[name] != "0" }

  /// The display columns of a terminal: `COLUMNS`, otherwise what the terminal reports, otherwise 80.
  var width: Int {
    if let columns = variables["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return min(columns, 10_000) }
    return terminalWidth ?? 80
  }

  /// The lines of a terminal: `LINES`, otherwise what the terminal reports; `nil` if neither does.
  var height: Int? {
    if let lines = variables["LINES"].flatMap({ Int($0) }), lines > 0 { return min(lines, 10_000) }
    return terminalHeight
  }

  /// Whether the locale names a charset other than UTF-8; if it names none, it does not.
  var hasForeignCharset: Bool {
    guard let locale = ["LC_ALL", "LC_CTYPE", "LANG"].first(where: has).flatMap({ variables[$0] }),
      let dot = locale.firstIndex(of: ".")
    else { return false }
    let charset = locale[locale.index(after: dot)...].prefix { $0 != "@" }
    return charset.lowercased().filter { $0 != "-" && $0 != "_" } != "utf8"
  }
}
