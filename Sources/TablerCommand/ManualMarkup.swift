/// The writing of mdoc: texts, literals and macros with nothing left to chance.
enum Mdoc {
  /// A text in lines: one sentence a line at most, literals as `.Ql` macros.
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

  /// A macro argument that is one literal, whatever stands in it.
  static func argument(_ literal: String) -> String {
    var text = #"\&"# + escaped(literal, isLiteral: true)
    if let last = literal.last, ".,;:?!)]|".contains(last) { text += #"\&"# }
    guard text.contains(" ") || text.contains("\"") else { return text }
    return "\"" + text + "\""
  }

  /// A line of a display.
  static func displayLine(_ line: String) -> String { guarded(escaped(line, isLiteral: true)) }

  /// Text in which no character has a meaning for roff.
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

  /// A line that is no macro, whatever it begins with.
  private static func guarded(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? #"\&"# + line : line
  }
}

extension Mdoc {
  /// A word of a text, or a literal with the marks that touch it.
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
