import TablerEngine

/// The manual page, in mdoc.
enum Manual {
  /// The whole page.
  static var page: String {
    let top = [
      ".\\\" Printed by 'tabler --generate man'; do not edit.",
      ".Dd \(Release.date)", ".Dt TABLER 1", ".Os",
      ".Sh NAME", ".Nm tabler", ".Nd draw rows as a table",
      ".Sh SYNOPSIS", ".Nm", ".Op Ar option ...", ".Op Ar",
    ]
    let lines = top + blocks(before) + options + blocks(grammar) + functions + blocks(after)
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Manual {
  private static var options: [String] {
    var lines = [".Sh OPTIONS"] + blocks(optionRules)
    for group in Option.Group.allCases {
      lines += [".Ss " + group.rawValue, ".Bl -tag -width Ds"]
      for option in Option.all where option.group == group && !option.isHidden {
        lines.append(item(of: option))
        lines += Mdoc.text(text(of: option))
      }
      lines.append(".El")
    }
    return lines
  }

  private static func item(of option: Option) -> String {
    let names = (option.letter.map { ["\($0)", ","] } ?? []) + [#"\-"# + option.name.mdocName]
    var item = ".It Fl " + names.joined(separator: " ")
    if let placeholder = option.placeholder { item += " Ar " + Mdoc.argument(placeholder) }
    return item
  }

  /// The brief as a sentence, then the default, then the details.
  private static func text(of option: Option) -> String {
    var brief = option.brief
    if let first = brief.first, first.isLowercase, !brief.hasPrefix("ps ") {
      brief = first.uppercased() + brief.dropFirst()
    }
    var sentences = [brief + "."]
    if !option.detail.isEmpty { sentences.append(option.detail) }
    if option.accumulates {
      sentences.append("May be given several times; every occurrence counts, in order.")
    }
    if !option.fallback.isEmpty { sentences.append("Default: \(option.fallback.endingInStop)") }
    return sentences.joined(separator: " ")
  }

  private static var functions: [String] {
    var lines: [String] = []
    for group in Function.Group.allCases {
      lines += [".Ss Functions: " + group.rawValue.lowercased(), ".Bl -tag -width Ds -compact"]
      for function in group.functions {
        lines.append(".It Li " + Mdoc.argument(function.signature))
        lines += Mdoc.text(function.brief)
      }
      lines.append(".El")
    }
    return lines
  }

  private static func blocks(_ blocks: [ManualBlock]) -> [String] {
    var lines: [String] = []
    for block in blocks {
      switch block {
      case .section(let title):
        lines.append(".Sh " + title)
      case .subsection(let title):
        lines.append(".Ss " + title)
      case .paragraph(let text):
        if let last = lines.last, !last.hasPrefix(".S") { lines.append(".Pp") }
        lines += Mdoc.text(text)
      case .terms(let terms):
        lines.append(".Bl -tag -width Ds")
        for (term, text) in terms {
          lines.append(".It Li " + Mdoc.argument(term))
          lines += Mdoc.text(text)
        }
        lines.append(".El")
      case .example(let example):
        if let last = lines.last, !last.hasPrefix(".S") { lines.append(".Pp") }
        lines += Mdoc.text(example.purpose)
        lines += display("$ " + example.command + (example.output.isEmpty ? "" : "\n" + example.output))
      case .display(let text):
        lines += display(text)
      case .reference(let author, let title, let report):
        lines += [".Rs", ".%A \(author)", ".%T \(title)", ".%R \(report)", ".Re"]
      }
    }
    return lines
  }
}

extension Manual {
  /// Lines shown unchanged.
  private static func display(_ text: String) -> [String] {
    [".Bd -literal -offset indent"]
      + text.split(separator: "\n", omittingEmptySubsequences: false).map { Mdoc.displayLine(String($0)) }
      + [".Ed"]
  }
}

extension String {
  /// A name with its hyphens as typed.
  fileprivate var mdocName: String { split(separator: "-").joined(separator: #"\-"#) }

  /// The text with a full stop after it, separated if it would be read as part of a mark.
  fileprivate var endingInStop: String {
    hasSuffix(".") ? self : self + "."
  }
}

/// A piece of the manual page; words in backquotes are literal.
enum ManualBlock {
  case section(String)
  case subsection(String)
  case paragraph(String)
  /// Terms, each literal, with their descriptions.
  case terms([(term: String, text: String)])
  /// A command and its output, after a sentence about its purpose.
  case example(Example)
  /// Lines shown unchanged.
  case display(String)
  /// A reference to a publication.
  case reference(author: String, title: String, report: String)
}

/// Writes mdoc: texts, literals and macros, fully escaped.
private enum Mdoc {
  /// A text in lines: at most one sentence a line, literals as `.Ql` macros.
  static func text(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    func flush() {
      if !line.isEmpty { lines.append(line) }
      line = ""
    }
    for token in tokens(of: text) {
      if token.isLiteral {
        flush()
        let delimiters = token.after.map { String($0) }
        lines.append(
          ([".Ql"] + (token.before.isEmpty ? [] : [token.before]) + [argument(token.word)]
            + delimiters).joined(separator: " "))
      } else {
        let word = escaped(token.word)
        if !line.isEmpty, line.count + 1 + word.count > 76 { flush() }
        line += line.isEmpty ? guarded(word) : " " + word
        if token.word.count > 1, let end = token.word.last, ".!".contains(end) { flush() }
      }
    }
    flush()
    return lines
  }

  /// A macro argument that is one literal, whatever it contains.
  static func argument(_ literal: String) -> String {
    var text = #"\&"# + escaped(literal, isLiteral: true)
    if let last = literal.last, ".,;:?!)]|".contains(last) { text += #"\&"# }
    guard text.contains(" ") || text.contains("\"") else { return text }
    return "\"" + text + "\""
  }

  /// A line of a display.
  fileprivate static func displayLine(_ line: String) -> String { guarded(escaped(line, isLiteral: true)) }

  /// Text in which no character has a meaning in roff.
  private static func escaped(_ text: String, isLiteral: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += #"\e"#
      case "-" where isLiteral: result += #"\-"#
      case "'" where isLiteral: result += #"\(aq"#
      case "`": result += #"\(ga"#
      case "^": result += #"\(ha"#
      case "~": result += #"\(ti"#
      case "\"": result += #"\(dq"#
      default:
        result +=
          scalar.isASCII
          ? String(scalar)
          : #"\[u"# + String(repeating: "0", count: max(0, 4 - hexadecimal(scalar).count))
            + hexadecimal(scalar) + "]"
      }
    }
    return result
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    String(scalar.value, radix: 16, uppercase: true)
  }

  /// A line that is not a macro, whatever it begins with.
  private static func guarded(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? #"\&"# + line : line
  }
}

extension Mdoc {
  /// A word of a text, or a literal with the punctuation that touches it.
  private struct Token {
    var word: String
    var isLiteral = false
    var before = ""
    var after = ""
  }

  private static func tokens(of text: String) -> [Token] {
    var tokens: [Token] = []
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index % 2 == 1 {
        var literal = Token(word: String(part), isLiteral: true)
        if tokens.last?.word == "(" { literal.before = tokens.removeLast().word }
        tokens.append(literal)
        continue
      }
      var rest = part
      if index > 0 {
        let marks = rest.prefix { ".,;:)?!".contains($0) }
        tokens[tokens.count - 1].after = String(marks)
        rest = rest.dropFirst(marks.count)
      }
      for word in rest.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
        if word.count > 1, word.hasSuffix("("), index + 1 < parts.count {
          tokens.append(Token(word: String(word.dropLast())))
          tokens.append(Token(word: "("))
        } else {
          tokens.append(Token(word: String(word)))
        }
      }
    }
    return tokens
  }
}
