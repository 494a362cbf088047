import TablerEngine

/// What the command learns from where it was started: variables and terminals.
///
/// A value, so that tests say what they need.
struct Environment: Equatable {
  /// The variables that are looked at.
  var variables = NamedTexts()
  /// Whether a terminal is written to.
  var standardOutputIsTerminal = false
  /// Whether messages go to a terminal.
  var standardErrorIsTerminal = false
  /// Whether a terminal is read from.
  var standardInputIsTerminal = false
  /// The display columns of the terminal, if there is one.
  var terminalWidth: Int?
  /// Its lines.
  var terminalHeight: Int?
  /// Whether that terminal listens to this process, which does not run in the background.
  var isInForeground = false
  /// Whether the pager that is asked for can be found.
  var hasPager = true

  /// Every variable that has a meaning.
  static let variableNames = [
    "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "COLORTERM", "TERM", "COLUMNS", "LINES",
    "LC_ALL", "LC_CTYPE", "LANG",
  ]

  /// The variables that name a pager, the first that is set before the others.
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
  /// When colour is wanted, as `--color` says.
  enum ColorChoice: String, CaseIterable {
    case auto
    case always
    case never
  }

  /// How finely colour is written to a stream.
  ///
  /// In this order: `--color`, `NO_COLOR`, none into a pipe or file, `CLICOLOR_FORCE` and `FORCE_COLOR`,
  /// `CLICOLOR=0`, `TERM=dumb`, else colour.
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

  /// When a pager is wanted, as `--paging` says.
  enum PagingChoice: String, CaseIterable {
    case auto
    case always
    case never
  }

  /// How text on the standard output is shown where it has more lines than the screen; `nil` if it is just written.
  ///
  /// - Parameter notices: a warning is added here where the pager that a variable names is missing.
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

  /// The pager that is asked for; `nil` if the output is to be seen without one.
  ///
  /// `more` and `most` of `PAGER` cannot scroll sideways, or not back.
  private var pager: Pager? {
    guard let name = Self.pagerNames.first(where: { variables[$0] != nil }), let command = variables[name]
    else { return .standard }
    guard let pager = Pager(command: command), pager.name != "cat" else { return nil }
    return name == "PAGER" && ["more", "most"].contains(pager.name) ? .standard : pager
  }

  /// Begins to tell how far the run has come, as `--progress` says; a live stream has no end to come to.
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

  /// Whether a variable is set to some text.
  private func has(_ name: String) -> Bool { variables[name].map { !$0.isEmpty } ?? false }

  private func isForced(_ name: String) -> Bool { has(name) && variables[name] != "0" }

  /// The display columns of a terminal: `COLUMNS`, else what the terminal says, else 80.
  var width: Int {
    if let columns = variables["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return min(columns, 10_000) }
    return terminalWidth ?? 80
  }

  /// The lines of a terminal: `LINES`, else what the terminal says; `nil` if that is nothing.
  var height: Int? {
    if let lines = variables["LINES"].flatMap({ Int($0) }), lines > 0 { return min(lines, 10_000) }
    return terminalHeight
  }

  /// Whether the locale names a charset other than UTF-8; one that names none does not.
  var hasForeignCharset: Bool {
    guard let locale = ["LC_ALL", "LC_CTYPE", "LANG"].first(where: has).flatMap({ variables[$0] }),
      let dot = locale.firstIndex(of: ".")
    else { return false }
    let charset = locale[locale.index(after: dot)...].prefix { $0 != "@" }
    return charset.lowercased().filter { $0 != "-" && $0 != "_" } != "utf8"
  }
}
