import TablerEngine

/// Everything that is said on stderr: the one place where errors become words.
///
/// A message is one line, `tabler: place: what`, lower case and without a final period; below it the source and
/// a caret where an option holds the mistake. Names and cells are escaped like cells.
struct Messages {
  /// What was typed; some messages quote it.
  let arguments: Arguments

  /// The longest line of a source shown above its caret, in display cells.
  let width: Int

  /// Creates the messages about a run.
  init(_ arguments: Arguments, _ environment: Environment) {
    self.arguments = arguments
    width = environment.standardErrorIsTerminal ? max(environment.width, 20) : 240
  }

  /// Creates the messages about words that could not be taken apart.
  init(_ environment: Environment) {
    self.init(Arguments(occurrences: [], sources: [], request: .table), environment)
  }
}

// MARK: - Parts

extension Messages {
  /// An error, its final newline included.
  func error(_ place: String?, _ what: String, _ caret: String = "") -> String {
    "tabler: " + (place.map { $0 + ": " } ?? "") + what + "\n" + caret
  }

  /// Something that stops nothing, its final newline included.
  func warning(_ place: String?, _ what: String) -> String {
    error("warning", (place.map { $0 + ": " } ?? "") + what)
  }

  /// Something good to know, its final newline included.
  func note(_ place: String?, _ what: String) -> String {
    error("note", (place.map { $0 + ": " } ?? "") + what)
  }

  /// The source of a mistake with a caret below, if there is anything to show.
  func caret(_ source: String, _ range: Range<Int>) -> String {
    Caret(source, range).lines(width: width).map { "  " + $0 + "\n" }.joined()
  }

  /// A text of the user or the data, harmless, on one line and not too long.
  static func escaped(_ text: String) -> String { escaped(Array(text.utf8)) }

  /// Bytes of the data, harmless, on one line and not too long.
  static func escaped(_ bytes: [UInt8]) -> String {
    var buffer = ByteBuffer()
    Escaper(newlines: .escaped).append(bytes.span, to: &buffer)
    let text = buffer.string()
    return text.count > longestQuote ? text.prefix(longestQuote - 1) + "…" : text
  }

  private static let longestQuote = 120

  /// A name or cell between quote marks: `'weight'`.
  static func quoted(_ text: String) -> String { "'" + escaped(text) + "'" }

  /// `; did you mean 'weight'?`, or nothing.
  static func suggestion(_ text: String?) -> String { text.map { "; did you mean \(quoted($0))?" } ?? "" }

  /// `1 row`, `2 rows`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)" + (number == 1 ? "" : "s")
  }

  /// `csv`, `csv and tsv`, `a, b and c`.
  static func list(_ words: [String], last joint: String = "and") -> String {
    words.count < 2
      ? words.first ?? "" : words.dropLast().joined(separator: ", ") + " \(joint) " + (words.last ?? "")
  }

  /// A word as it must be typed to a shell.
  static func typed(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || (byte >= 0x30 && byte <= 0x39)
        || "-_./,:=@%+".utf8.contains(byte) || byte >= 0x80
    }
    if isPlain, !word.isEmpty { return escaped(word) }
    return "'"
      + escaped(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))
      + "'"
  }

  /// `data.csv:14:7`, `<stdin>:2000`.
  static func place(_ place: InputError.Place) -> String {
    name(place.path) + ":\(place.line)" + (place.column.map { ":\($0)" } ?? "")
  }

  /// The name of an input.
  static func name(_ path: FilePath?) -> String { path.map { escaped($0.bytes) } ?? "<stdin>" }
}
