/// What `-h` and `--help` print.
enum Help {
  /// The first line of both helps.
  static let usage = "Usage: tabler [option ...] [file ...]"

  /// The options worth knowing first.
  static let essentials: [Option.ID] = [
    .filter, .sort, .columns, .head, .stack, .grid, .detail, .to, .output, .help,
  ]

  /// At most 24 lines, examples first; also what stands on stderr when there is nothing to read.
  static var short: String {
    let lines =
      [usage, "Draws rows of csv, tsv, JSON or aligned words as a table.", ""]
      + Example.all.prefix(4).map { "  " + $0.command } + [""]
      + essentials.flatMap { entry(head(of: Option[$0], choices: false), Option[$0].brief) }
      + ["", "'tabler --help' lists all options, 'man tabler' tells more."]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Everything by group, at most 79 columns wide, the functions last.
  static var long: String {
    var lines = [
      usage, "",
      "Takes rows from a pipe or from files, keeps, orders and moves them, and draws",
      "them as a table: text, Markdown or HTML - or csv, tsv, JSON or JSON Lines when",
      "the pipe goes on.", "",
      "Options stand anywhere; -- ends them, - is standard input. A value is the next",
      "word whatever it looks like (--sort -weight), or is attached (--sort=-weight).",
      "A switch --x is taken back by --no-x; (*) marks options whose values add up.",
    ]
    for group in Option.Group.allCases {
      lines += ["", group.rawValue + ":"]
      for option in Option.all where option.group == group && !option.isHidden {
        lines += entry(head(of: option, choices: true), text(of: option))
      }
    }
    for group in Function.Group.allCases {
      lines += ["", "Functions: " + group.rawValue.lowercased()]
      for function in Function.all where function.group == group {
        lines += entry("  " + function.signature, function.brief)
      }
    }
    lines += ["", "'man tabler' tells more."]
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Help {
  private static let textColumn = 29
  private static let width = 79

  /// `  -s, --sort KEYS`; `choices` writes out what there is to choose.
  private static func head(of option: Option, choices: Bool) -> String {
    let letter = option.letter.map { "-\($0), " } ?? "    "
    var head = "  " + letter + option.spelling
    if let placeholder = option.placeholder {
      head += " " + (choices || !placeholder.contains("|") ? placeholder : "WORD")
    }
    return head
  }

  private static func text(of option: Option) -> String {
    var text = option.brief
    if option.accumulates { text += " (*)" }
    if !option.fallback.isEmpty { text += " (default: \(option.fallback))" }
    return text
  }

  /// One entry: the head, and the text beside it or, where the head is long, below.
  private static func entry(_ head: String, _ text: String) -> [String] {
    let indent = String(repeating: " ", count: textColumn)
    var lines = Wrap.lines(text, width: width - textColumn).map { indent + $0 }
    guard head.count + 2 <= textColumn, let first = lines.first else { return [head] + lines }
    lines[0] = head + String(repeating: " ", count: textColumn - head.count) + first.dropFirst(textColumn)
    return lines
  }
}
