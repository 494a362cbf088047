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
  /// Lines shown as they are.
  private static func display(_ text: String) -> [String] {
    [".Bd -literal -offset indent"]
      + text.split(separator: "\n", omittingEmptySubsequences: false).map { Mdoc.displayLine(String($0)) }
      + [".Ed"]
  }
}

extension String {
  /// A name with its hyphens as they are typed.
  fileprivate var mdocName: String { split(separator: "-").joined(separator: #"\-"#) }

  /// The text with a full stop after it, parted where it would read as part of a mark.
  fileprivate var endingInStop: String {
    hasSuffix(".") ? self : self + "."
  }
}
