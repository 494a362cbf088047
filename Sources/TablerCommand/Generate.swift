/// A text that is printed from the option table and committed beside it.
enum Generate: String, CaseIterable {
  case man
  case help
  case bash
  case zsh
  case fish
  case markdownOptions = "markdown-options"

  /// The text itself, its last newline included.
  var text: String {
    switch self {
    case .man: Manual.page
    case .help: Help.long
    case .bash: CompletionBash.script
    case .zsh: CompletionZsh.script
    case .fish: CompletionFish.script
    case .markdownOptions: Self.optionTable
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
          letter + "`\(option.spelling)`" + (option.accumulates ? " \\*" : ""),
          option.placeholder.map(code) ?? "", plain(option.fallback), plain(option.brief),
        ]
        lines.append("| " + cells.joined(separator: " | ") + " |")
      }
      lines.append("")
    }
    lines.append("\\* may be given several times; every occurrence counts.")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func code(_ text: String) -> String { "`" + piped(text) + "`" }

  private static func plain(_ text: String) -> String {
    String(text.flatMap { "\\|*_<>`".contains($0) ? ["\\", $0] : [$0] })
  }

  /// The text with its pipes escaped, as a table needs it even in code.
  private static func piped(_ text: String) -> String {
    String(text.flatMap { $0 == "|" ? ["\\", $0] : [$0] })
  }
}
