import TablerEngine

/// Completions of what only the input knows: the names of its columns.
///
/// The shells ask for them through the hidden `--complete KIND PREFIX -- WORDS`. Whatever
/// goes wrong, the answer is nothing: a prompt is no place for messages.
enum Completion {
  /// What is being typed.
  enum Kind: String, CaseIterable {
    /// Sort keys: names with signs, and flags after a colon.
    case keys
    /// A list of columns.
    case columns
    /// A list of columns, each with an alignment after a colon.
    case alignments
  }

  /// The names of the columns of a file, or nil if it is no regular file.
  ///
  /// It reads at most 64 KiB, as the arguments say: a delimiter, a form, names.
  typealias ColumnNames = (_ file: String, _ arguments: Arguments) -> [String]?

  /// What may stand in place of the prefix, a line each; `request` is KIND PREFIX -- WORDS.
  static func answer(to request: [String], columnNames: ColumnNames) -> String {
    guard request.count > 3, let kind = Kind(rawValue: request[0]), request[2] == "--" else { return "" }
    let words = request.dropFirst(4)
    let (arguments, _) = Arguments.lenient(words.map { Array($0.utf8) })
    var names: [String] = []
    for word in words.reversed() where word != request[1] {
      guard let found = columnNames(word, arguments) else { continue }
      names = found
      break
    }
    return candidates(for: kind, prefix: request[1], names: names).map { $0 + "\n" }.joined()
  }

  /// Everything the list may go on with, each with the part typed already before it.
  static func candidates(for kind: Kind, prefix: String, names: [String]) -> [String] {
    let (list, item) = lastItem(of: prefix)
    if let colon = item.lastIndex(of: ":"), !kind.flags.isEmpty {
      let head = list + item[...colon]
      return kind.flags.filter { $0.hasPrefix(item[item.index(after: colon)...]) }.map { head + $0 }
    }
    let sign = item.prefix { kind.signs.contains($0) }.prefix(1)
    let start = item.dropFirst(sign.count)
    return names.filter { !$0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
      .map { written($0) }.filter { $0.hasPrefix(start) }.map { list + sign + $0 }
  }
}

extension Completion.Kind {
  /// What may stand after a colon.
  fileprivate var flags: [String] {
    switch self {
    case .keys:
      ["asc", "desc"] + SortKey.Comparison.allCases.map(\.rawValue) + NullPlacement.allCases.map(\.rawValue)
    case .columns: []
    case .alignments: Alignment.allCases.map(\.rawValue)
    }
  }

  /// What may stand before a name.
  fileprivate var signs: String {
    switch self {
    case .keys: "-+"
    case .columns: "!"
    case .alignments: ""
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

  /// A name as it is written in a list: quoted where it would be read as syntax.
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
  /// What a shell may offer for the value of an option.
  enum Offer: Equatable {
    case nothing
    case words([String])
    case file
    case columns(Completion.Kind, or: [String])
  }

  /// What may stand as the value.
  var offer: Offer {
    switch value {
    case .file: .file
    case .keys: .columns(.keys, or: [])
    case .columns(_, let words): .columns(id == .align ? .alignments : .columns, or: words)
    case .flag, .pick, .request, .rest, .expression: .nothing
    case .choice(let words, _, _): .words(words())
    case .number, .character, .text: value.words.isEmpty ? .nothing : .words(value.words)
    }
  }
}

extension String {
  /// Whether a character stands twice in a row.
  func repeats(_ character: Character) -> Bool {
    zip(self, dropFirst()).contains { $0 == character && $1 == character }
  }
}
