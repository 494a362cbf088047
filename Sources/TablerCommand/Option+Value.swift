import TablerEngine

extension Option {
  /// What follows the name of an option, and what may stand there.
  enum Value: Equatable {
    /// Nothing: the option is on, or off in its negated spelling.
    case flag
    /// Nothing: the option picks one of several, and the last one picks.
    case pick
    /// Nothing: the option asks for a text about tabler instead of a table.
    case request
    /// One of a few words; `aliases` are further spellings, `open` a beginning that takes any rest.
    case choice([String], aliases: NamedTexts = NamedTexts(), open: OpenChoice? = nil)
    /// A whole number in a range, or one of a few words.
    case number(ClosedRange<Int>, or: [String] = [])
    /// One character, or one of a few words.
    case character(CharacterSet, or: [String] = [])
    /// Any text; `or` are words with a meaning of their own.
    case text(String, or: [String] = [])
    /// The name of a file to write.
    case file
    /// Names of columns, each perhaps followed by what is said of it.
    case columns(String, or: [String] = [])
    /// Sort keys: names of columns with signs and flags.
    case keys
    /// An expression, or something that holds one.
    case expression(String)
    /// All words that follow.
    case rest(String)
  }

  /// A word of a choice that goes on as the user likes: `link:URL`.
  struct OpenChoice: Equatable {
    /// What it begins with.
    let beginning: String
    /// What stands for the rest in help.
    let rest: String
  }

  /// What counts as one character.
  enum CharacterSet {
    /// One character of ASCII that ends no line, or `\t`: it is looked for in bytes.
    case ascii
    /// One Unicode scalar.
    case mark
  }
}

extension Option.Value {
  /// A choice of the raw values of an enumeration.
  static func choice<Word: CaseIterable & RawRepresentable<String>>(
    of type: Word.Type, aliases: NamedTexts = NamedTexts()
  ) -> Self {
    .choice(type.allCases.map(\.rawValue), aliases: aliases)
  }

  /// What stands for the value in help, or nil where no value follows.
  var placeholder: String? {
    switch self {
    case .flag, .pick, .request: nil
    case .choice(let words, _, let open):
      (words + (open.map { [$0.beginning + $0.rest] } ?? [])).joined(separator: "|")
    case .number(_, let words): (["N"] + words).joined(separator: "|")
    case .character(_, let words): (["CHAR"] + words).joined(separator: "|")
    case .text(let placeholder, let words): (words + [placeholder]).joined(separator: "|")
    case .file: "FILE"
    case .columns(let placeholder, let words): (words + [placeholder]).joined(separator: "|")
    case .keys: "KEYS"
    case .expression(let placeholder): placeholder
    case .rest(let placeholder): placeholder
    }
  }

  /// The words a completion may offer.
  var words: [String] {
    switch self {
    case .choice(let words, _, let open): words + (open.map { [$0.beginning] } ?? [])
    case .number(_, let words), .character(_, let words), .text(_, let words), .columns(_, let words):
      words
    case .flag, .pick, .request, .file, .keys, .expression, .rest: []
    }
  }
}
