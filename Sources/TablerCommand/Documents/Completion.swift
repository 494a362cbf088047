import TablerEngine

/// Completions of what only the input knows: the names of its columns.
///
/// The shells request them through the hidden `--complete KIND PREFIX -- WORDS`. Whatever goes wrong, the
/// answer is empty: a prompt is no place for messages.
enum Completion {
  /// What is being completed.
  enum Kind: String, CaseIterable {
    /// Sort keys: names with signs, and flags after a colon.
    case keys
    /// A list of columns.
    case columns
    /// A list of columns, each with an alignment after a colon.
    case alignments
    /// A list of columns, each with a type after a colon.
    case types
    /// A list of columns, each with a template after `=` that has expressions in braces.
    case templates
    /// An expression, or something that contains one.
    case expression
    /// The columns of two tables, after a file and `on`.
    case join
  }

  /// The names of the columns of a file, or nil if it is no regular file.
  ///
  /// It reads at most 64 KiB, in the way the arguments specify: a delimiter, a form, names.
  typealias ColumnNames = (_ file: String, _ arguments: Arguments) -> [String]?

  /// The possible replacements of the prefix, one a line; `request` is KIND PREFIX -- WORDS.
  static func answer(to request: [String], columnNames: ColumnNames) -> String {
    guard request.count > 3, let kind = Kind(rawValue: request[0]), request[2] == "--" else { return "" }
    let words = request.dropFirst(4)
    let (arguments, _) = Arguments.lenient(words.map { Array($0.utf8) })
    if kind == .join {
      guard let (before, name, file) = joined(request[1]) else { return "" }
      let names =
        if let file { columnNames(file, arguments) } else {
          names(in: words, but: request[1], arguments, columnNames)
        }
      return candidates(for: .columns, prefix: name, names: names ?? []).map { "\(before)\($0)\n" }.joined()
    }
    let names = names(in: words, but: request[1], arguments, columnNames) ?? []
    return candidates(for: kind, prefix: request[1], names: names).map { $0 + "\n" }.joined()
  }

  /// The columns of the last word that is a file.
  private static func names(
    in words: ArraySlice<String>, but prefix: String, _ arguments: Arguments, _ columnNames: ColumnNames
  ) -> [String]? {
    for word in words.reversed() where word != prefix {
      if let found = columnNames(word, arguments) { return found }
    }
    return nil
  }

  /// The parts of a value of `--join` up to the name that is being typed, that name, and the file if it is
  /// one of its columns; `nil` before `on`.
  private static func joined(_ prefix: String) -> (before: Substring, name: String, file: String?)? {
    let mark = Array(" on ".utf8)
    let bytes = Array(prefix.utf8)
    guard bytes.count >= mark.count,
      let place = (0...bytes.count - mark.count).last(where: { bytes[$0...].starts(with: mark) })
    else { return nil }
    let on = prefix.utf8.index(prefix.startIndex, offsetBy: place + mark.count)
    let start = prefix[on...].lastIndex { ",=".contains($0) }.map { prefix.index(after: $0) } ?? on
    let name = prefix[start...].drop { $0 == " " }
    let isOther = start > on && prefix[prefix.index(before: start)] == "="
    let file = String(decoding: bytes[..<place], as: UTF8.self)
    return (prefix[..<name.startIndex], String(name), isOther ? file : nil)
  }

  /// All continuations of the list, each with the part already typed before it.
  static func candidates(for kind: Kind, prefix: String, names: [String]) -> [String] {
    let names = names.filter { !$0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
    if kind == .expression { return ExpressionEnd(prefix)?.candidates(names) ?? [] }
    if kind == .templates, let brace = openBrace(of: prefix) {
      let (before, field) = (prefix[...brace], prefix[prefix.index(after: brace)...])
      return ExpressionEnd(String(field))?.candidates(names).map { before + $0 } ?? []
    }
    let (list, item) = lastItem(of: prefix)
    if let colon = item.lastIndex(of: ":"), !kind.flags.isEmpty {
      let head = list + item[...colon]
      return kind.flags.filter { $0.hasPrefix(item[item.index(after: colon)...]) }.map { head + $0 }
    }
    let sign = item.prefix { kind.signs.contains($0) }.prefix(1)
    let start = item.dropFirst(sign.count)
    return names.map { written($0) }.filter { $0.hasPrefix(start) }.map { list + sign + $0 }
  }
}

extension Completion.Kind {
  /// What may follow a colon.
  fileprivate var flags: [String] {
    switch self {
    case .keys:
      ["asc", "desc"] + SortKey.Comparison.allCases.map(\.rawValue) + NullPlacement.allCases.map(\.rawValue)
    case .columns, .templates, .expression, .join: []
    case .alignments: Alignment.allCases.map(\.rawValue)
    case .types: ValueType.allCases.map(\.rawValue)
    }
  }

  /// What may precede a name.
  fileprivate var signs: String {
    switch self {
    case .keys: "-+"
    case .columns: "!"
    case .alignments, .types, .templates, .expression, .join: ""
    }
  }
}

extension Completion {
  /// The list up to its last comma outside quotes and parentheses, and what follows.
  private static func lastItem(of prefix: String) -> (list: Substring, item: Substring) {
    var quote: Character?
    var depth = 0
    var start = prefix.startIndex
    for index in prefix.indices {
      let character = prefix[index]
      if let open = quote {
        if character == open { quote = nil }
        continue
      }
      switch character {
      case "\"", "`": quote = character
      case "(": depth += 1
      case ")": depth -= 1
      case "," where depth <= 0: start = prefix.index(after: index)
      default: break
      }
    }
    return (prefix[..<start], prefix[start...])
  }

  /// The brace of a template that is not closed, outside of which none of its expression is.
  private static func openBrace(of prefix: String) -> String.Index? {
    guard let brace = prefix.lastIndex(of: "{"), !prefix[brace...].contains("}") else { return nil }
    return brace
  }

  /// A name as it is written in a list: quoted if it would be read as syntax.
  private static func written(_ name: String) -> String {
    let isPlain =
      !name.isEmpty && !name.repeats(".") && !name.contains { ",:()\"`=*?[]".contains($0) }
      && !"-+!@ ".contains(name.first ?? " ") && name.last != " "
    return isPlain
      ? name
      : "\""
        + name.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\"") + "\""
  }
}

extension Option {
  /// What a shell may offer as the value of an option.
  enum Offer: Equatable {
    case nothing
    case words([String])
    case file
    /// A name, `=` and a file.
    case namedFile
    /// A file, `on` and columns.
    case joinedFile
    case columns(Completion.Kind, or: [String])
  }

  /// The possible values.
  var offer: Offer {
    switch value {
    case .file: .file
    case .keys: .columns(.keys, or: [])
    case .columns(_, let words): .columns(listKind, or: words)
    // Rows are numbers or in parentheses.
    case .expression: id == .move ? .nothing : .columns(.expression, or: [])
    case .flag, .pick, .request, .rest: .nothing
    case .text where id == .lookup: .namedFile
    case .text where id == .join: .joinedFile
    case .choice(let words, _, _): .words(words())
    case .number, .character, .text: value.words.isEmpty ? .nothing : .words(value.words)
    }
  }
}

extension Option {
  /// What follows the columns in a list.
  private var listKind: Completion.Kind {
    switch id {
    case .align: .alignments
    case .types: .types
    case .format, .footer: .templates
    default: .columns
    }
  }
}

/// The end of an expression that is being typed: the beginning of a name.
private struct ExpressionEnd {
  /// The text before the name.
  private var head: Substring
  /// The typed part of the name.
  private var name: String
  /// Whether it is in backticks.
  private var isQuoted = false

  /// Finds the name at the end; `nil` inside of a text or a pattern, and if an operator is expected.
  init?(_ prefix: String) {
    var index = prefix.startIndex
    while let scalar = prefix[index...].unicodeScalars.first {
      let start = index
      index = prefix.unicodeScalars.index(after: index)
      let isPattern = scalar == "/" && Self.expectsValue(prefix[..<start])
      guard isPattern || "'\"`".unicodeScalars.contains(scalar) else { continue }
      if let end = Self.end(of: scalar, prefix[index...]) {
        index = end
      } else if scalar == "`" {
        (head, name, isQuoted) = (prefix[..<start], Self.content(ofQuoted: prefix[index...]), true)
        return
      } else {
        return nil
      }
    }
    let scalars = prefix.unicodeScalars
    let start = scalars.lastIndex { !$0.properties.isXIDContinue }.map { scalars.index(after: $0) }
    head = prefix[..<(start ?? prefix.startIndex)]
    name = String(prefix[head.endIndex...])
    if let last = head.unicodeScalars.last, "$.@".unicodeScalars.contains(last) { return nil }
    guard let first = name.unicodeScalars.first else {
      if Self.expectsValue(head) { return } else { return nil }
    }
    if first != "_" && !first.properties.isXIDStart { return nil }
  }

  /// The names of columns with this beginning; if there are none, the functions.
  ///
  /// All candidates have the same beginning, because shells replace what was typed by what they have in
  /// common: names in backticks are only offered if no other name matches.
  func candidates(_ names: [String]) -> [String] {
    let spelled = names.filter { $0.hasPrefix(name) }.map(\.spelledInExpressions)
    if isQuoted { return spelled.map { head + ($0.hasPrefix("`") ? $0 : "`" + $0 + "`") } }
    let words = spelled.filter { !$0.hasPrefix("`") }
    if !words.isEmpty { return words.map { head + $0 } }
    if !spelled.isEmpty || name.isEmpty { return spelled.map { head + $0 } }
    return Function.all.map(\.name).filter { $0.hasPrefix(name) }.map { head + $0 + "(" }
  }

  /// The name typed after a backtick, inside of which a backtick is doubled.
  private static func content(ofQuoted text: Substring) -> String {
    var name = ""
    var isSecond = false
    for character in text {
      if character != "`" || isSecond { name.append(character) }
      isSecond = character == "`" && !isSecond
    }
    return name
  }

  /// The position after the mark that ends a text, a name or a pattern; `nil` if it is missing.
  private static func end(of mark: Unicode.Scalar, _ rest: Substring) -> String.Index? {
    let scalars = rest.unicodeScalars
    let hasEscapes = mark == "\"" || mark == "/"
    var index = scalars.startIndex
    while index < scalars.endIndex {
      let scalar = scalars[index]
      scalars.formIndex(after: &index)
      if hasEscapes, scalar == "\\" {
        if index < scalars.endIndex { scalars.formIndex(after: &index) }
      } else if scalar == mark {
        guard !hasEscapes, index < scalars.endIndex, scalars[index] == mark else { return index }
        scalars.formIndex(after: &index)
      }
    }
    return nil
  }

  /// Whether a value may follow a text, not an operator.
  private static func expectsValue(_ text: Substring) -> Bool {
    let scalars = text.unicodeScalars
    guard let last = scalars.last(where: { $0 != " " && $0 != "\n" }) else { return true }
    if !last.properties.isXIDContinue { return !")]}'\"`".unicodeScalars.contains(last) }
    let word = text.split { $0 == " " || $0 == "\n" }.last.map(String.init) ?? ""
    return ["and", "or", "not", "in", "between", "where", "case", "when", "then", "else"]
      .contains(word.lowercased())
  }
}

extension String {
  /// Whether a character is doubled somewhere.
  func repeats(_ character: Character) -> Bool {
    zip(self, dropFirst()).contains { $0 == character && $1 == character }
  }
}
