import TablerEngine

/// The output of `-h` and `--help`.
enum Help {
  /// The first line of both helps.
  static let usage = "Usage: tabler [option ...] [file ...]"

  /// The options worth knowing first.
  static let essentials: [Option.ID] = [
    .filter, .sort, .columns, .head, .stack, .grid, .detail, .to, .output, .help,
  ]

  /// At most 24 lines, examples first; also printed to stderr if there is nothing to read.
  static var short: String {
    let lines =
      [usage, "Draws rows of csv, tsv, JSON or aligned words as a table.", ""]
      + Example.all.prefix(4).map { "  " + $0.command } + [""]
      + essentials.flatMap { entry(head(of: Option[$0], choices: false), Option[$0].brief) }
      + ["", "'tabler --help' shows all options, SORT KEYS, EXPRESSIONS and functions."]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Examples, everything by group, at most 79 columns wide, then sort keys and expressions, the functions last.
  static var long: String {
    var lines =
      [usage, ""] + Example.all.prefix(3).map { "  " + $0.command } + [
        "",
        "tabler reads rows from a pipe or from files. It can filter, sort and move them.",
        "Then it draws them as a table: text, Markdown or HTML. It can also write csv,",
        "tsv, JSON or JSON Lines for the next program.", "",
        "Options may stand anywhere; -- ends them, - is standard input. A value is the",
        "next word, even if it begins with - (--sort -weight), or follows = (--sort=-x).",
        "--no-x turns a switch --x off. Of options marked (*), every occurrence counts.",
      ]
    for group in Option.Group.allCases {
      lines += ["", group.rawValue + ":"]
      for option in Option.all where option.group == group && !option.isHidden {
        lines += entry(head(of: option, choices: true), text(of: option))
      }
    }
    lines += [
      "", "SORT KEYS, separated by commas: NAME, -NAME (descending), NAME:FLAG, @2 (second",
      "column), a.b (into JSON), (EXPR). The flags are:",
    ]
    for (term, text) in Manual.sortFlags { lines += entry("  " + term, plain(text)) }
    lines += [
      "", "EXPRESSIONS: a column is written as its name, `in backquotes` if it is not a",
      "single word, or as $2 by its position. $name is the text of --arg name=TEXT.",
    ]
    for (term, text) in Manual.operators { lines += entry("  " + term, plain(text)) }
    for group in Function.Group.allCases {
      lines += ["", "Functions: " + group.rawValue.lowercased()]
      for function in group.functions {
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

  /// `  -s, --sort KEYS`; `choices` lists the possible values.
  private static func head(of option: Option, choices: Bool) -> String {
    let letter = option.letter.map { "-\($0), " } ?? "    "
    var head = "  " + letter + option.spelling
    if let placeholder = option.placeholder {
      let isLong = head.count + 1 + placeholder.count > width
      head += " " + (choices && !isLong || !placeholder.contains("|") ? placeholder : "WORD")
    }
    return head
  }

  private static func text(of option: Option) -> String {
    var text = option.brief
    if option.accumulates { text += " (*)" }
    if !option.fallback.isEmpty { text += " (default: \(option.fallback))" }
    return text
  }

  /// A sentence of the manual as in the help: without backquotes, a capital at the start, and a final period.
  private static func plain(_ text: String) -> String {
    let text = text.filter { $0 != "`" }
    let isCapital = text.first?.isUppercase == true && text.dropFirst().first?.isUppercase != true
    let start = isCapital ? text.prefix(1).lowercased() + text.dropFirst() : text
    return start.hasSuffix(".") ? String(start.dropLast()) : start
  }

  /// One entry: the head, and the text next to it or, if the head is long, below.
  private static func entry(_ head: String, _ text: String) -> [String] {
    let indent = String(repeating: " ", count: textColumn)
    var lines = Wrap.lines(text, width: width - textColumn).map { indent + $0 }
    guard head.count + 2 <= textColumn, let first = lines.first else { return [head] + lines }
    lines[0] = head + String(repeating: " ", count: textColumn - head.count) + first.dropFirst(textColumn)
    return lines
  }
}

/// Wrapping of our own texts.
private enum Wrap {
  /// The words of `text` in lines of at most `width` characters; a longer word has its own line.
  static func lines(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " " + word
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }
}
