import TablerEngine

/// All messages on stderr: the one place where errors become words.
///
/// A message is one line, `tabler: place: what`, lower case and without a final period; below it the source
/// and a caret if the mistake is in an option. Names and cells are escaped like cells.
struct Messages {
  /// The arguments; some messages quote them.
  let arguments: Arguments

  /// The longest line of a source shown above its caret, in display cells.
  let width: Int

  /// Creates the messages about a run.
  init(_ arguments: Arguments, _ environment: Environment) {
    self.arguments = arguments
    width = environment.standardErrorIsTerminal ? max(environment.width, 20) : 240
  }

  /// Creates the messages about words that could not be parsed.
  init(_ environment: Environment) {
    self.init(Arguments(occurrences: [], sources: [], request: .table), environment)
  }
}

// MARK: - Parts

extension Messages {
  /// An error, including its final newline.
  func error(_ place: String?, _ what: String, _ caret: String = "") -> String {
    "tabler: " + (place.map { $0 + ": " } ?? "") + what + "\n" + caret
  }

  /// A warning, including its final newline.
  func warning(_ place: String?, _ what: String) -> String {
    error("warning", (place.map { $0 + ": " } ?? "") + what)
  }

  /// A note, including its final newline.
  func note(_ place: String?, _ what: String) -> String {
    error("note", (place.map { $0 + ": " } ?? "") + what)
  }

  /// The source of a mistake with a caret below, if there is anything to show.
  func caret(_ source: String, _ range: Range<Int>) -> String {
    Caret(source, range).lines(width: width).map { "  " + $0 + "\n" }.joined()
  }

  /// A text of the user or the data, harmless, on one line and not too long.
  static func escaped(_ text: String) -> String { escaped(Array(text.utf8)) }

  /// A text of the user or the data, harmless and on one line, however long it is.
  static func harmless(_ text: String) -> String { harmless(Array(text.utf8)) }

  private static func harmless(_ bytes: [UInt8]) -> String {
    var buffer = ByteBuffer()
    Escaper(newlines: .escaped).append(bytes.span, to: &buffer)
    return buffer.string()
  }

  /// Bytes of the data, harmless, on one line and not too long.
  static func escaped(_ bytes: [UInt8]) -> String {
    let text = harmless(bytes)
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

  /// A word as it must be typed in a shell, made harmless for a terminal.
  static func typed(_ word: String) -> String { typed(word, spelled: escaped) }

  /// A word as it must be typed in a shell, of any length and with all its characters: not for a terminal.
  static func exactlyTyped(_ word: String) -> String { typed(word) { $0 } }

  private static func typed(_ word: String, spelled: (String) -> String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || (byte >= 0x30 && byte <= 0x39)
        || "-_./,:=@%+".utf8.contains(byte) || byte >= 0x80
    }
    let hasBlank = word.unicodeScalars.contains(where: \.properties.isWhitespace)
    if isPlain, !hasBlank, !word.isEmpty { return spelled(word) }
    if word == "'" { return "\"'\"" }
    return "'"
      + spelled(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))
      + "'"
  }

  /// `data.csv:14:7`, `<stdin>:2000`.
  static func place(_ place: InputError.Location) -> String {
    name(place.path) + ":\(place.line)" + (place.column.map { ":\($0)" } ?? "")
  }

  /// The name of an input.
  static func name(_ path: FilePath?) -> String { path.map { escaped($0.bytes) } ?? "<stdin>" }
}

/// A line of a source with a mark below the mistake.
///
///     wieght > 10 and color = "red"
///     ^~~~~~
struct Caret {
  /// A character of the line and its display cells.
  private struct Glyph {
    var text: String
    var width: Int
  }

  private var glyphs: [Glyph] = []

  /// The glyphs that are marked.
  private var marked = 0..<0

  /// The line of `source` that contains the beginning of `range`, which counts bytes.
  init(_ source: String, _ range: Range<Int>) {
    let bytes = Array(source.utf8)
    let low = min(range.lowerBound, bytes.count)
    let start = bytes[..<low].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let end = bytes[low...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    let high = max(low, min(range.upperBound, end))
    append(bytes[start..<low])
    let first = glyphs.count
    append(bytes[low..<high])
    marked = first..<glyphs.count
    append(bytes[high..<end])
  }

  /// Adds a piece of the line, escaped; a tab is a blank.
  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    var buffer = ByteBuffer()
    let line = bytes.map { $0 == UInt8(ascii: "\t") ? UInt8(ascii: " ") : $0 }
    Escaper(newlines: .escaped).append(line.span, to: &buffer)
    for character in buffer.string() {
      let text = String(character)
      glyphs.append(Glyph(text: text, width: displayWidth(of: Array(text.utf8).span)))
    }
  }

  /// The line and its mark, cut to `width` cells around the mark; empty if the line is blank.
  func lines(width: Int) -> [String] {
    if glyphs.allSatisfy({ $0.text == " " }) { return [] }
    let window = window(width: max(width - 2, 10))
    let leading = window.lowerBound > 0 ? "..." : ""
    let trailing = window.upperBound < glyphs.count ? "..." : ""
    let text = leading + glyphs[window].map(\.text).joined() + trailing
    let indent = leading.count + cells(window.lowerBound..<marked.lowerBound)
    let length = cells(marked.clamped(to: window))
    let mark = "^" + String(repeating: "~", count: max(length - 1, 0))
    return [text, String(repeating: " ", count: indent) + mark]
  }

  private func cells(_ range: Range<Int>) -> Int { glyphs[range].reduce(0) { $0 + $1.width } }

  /// The glyphs that fit into `width` cells and show the mistake.
  ///
  /// 1. A line that fits is shown whole.
  /// 2. Otherwise room is reserved for dots on both sides, and the mark begins at most a third of the way in.
  private func window(width: Int) -> Range<Int> {
    if cells(glyphs.indices) + (marked.isEmpty ? 1 : 0) <= width { return glyphs.indices }
    let room = width - 6
    var start = marked.lowerBound
    while start > 0, cells(start - 1..<marked.lowerBound) <= room / 3 { start -= 1 }
    if cells(0..<marked.lowerBound) <= room / 3 { start = 0 }
    var end = start
    var used = 0
    while end < glyphs.count, used + glyphs[end].width <= room {
      used += glyphs[end].width
      end += 1
    }
    return start..<max(end, min(marked.lowerBound, glyphs.count))
  }
}

/// The exit statuses, as scripts see them.
enum Status {
  /// Done; zero rows are success.
  static let done: Int32 = 0
  /// A negative answer, such as no rows with `-e`.
  static let no: Int32 = 1
  /// Usage: an option, an expression, an unknown column.
  static let usage: Int32 = 2
  /// Bad data.
  static let data: Int32 = 3
  /// A failure of the system.
  static let system: Int32 = 4
}

extension Messages {
  /// The exit status of a word that could not be parsed.
  static func status(of error: ArgumentError) -> Int32 { Status.usage }

  /// The exit status of a configuration file that cannot be used.
  static func status(of error: ConfigurationError) -> Int32 {
    if case .system = error { Status.system } else { Status.usage }
  }

  /// The exit status of options that do not work together.
  static func status(of error: PlanError) -> Int32 {
    if case .unreadable = error { Status.system } else { Status.usage }
  }

  /// The exit status of a run that failed.
  static func status(of failure: Failure) -> Int32 {
    switch failure {
    case .old(let failure, _): status(of: failure)
    case .input(.system(let error)) where error.operation == .unpack: Status.data
    case .input(.system), .spill, .output, .lookupTooLarge, .joinTooLarge, .formTooLarge, .tooManyKeys,
      .identitiesTooLarge,
      .groupsTooLarge,
      .footerTooLarge, .tooManyRows, .changesTooLarge:
      Status.system
    case .input(.foreignOptions): Status.usage
    case .repeatedID, .emptyID, .outOfOrder, .input, .changes, .must, .textTooLong, .loss, .misfit,
      .neverSeen, .manyPivotedValues, .lateJoinedName:
      Status.data
    case .expression, .column, .joinColumn, .lateColumns, .columnExists, .tooManyGridItems, .inPlace,
      .rejectsOverOutput,
      .rejectsOverInput, .repeatedKey, .notEditable, .notEditableFile, .misread, .nothingToRead, .unknown,
      .noOrder,
      .changesOfView, .pivotedKey,
      .changesUnderFollow,
      .query:
      Status.usage
    }
  }

  /// The exit status of a run that finished.
  static func status(of outcome: Outcome, _ plan: Plan) -> Int32 {
    if outcome.isCutShort { return Status.done }
    return outcome.disorder != nil || outcome.unfit != nil || outcome.emptied != nil
      || outcome.invalidCount > 0
      || outcome.selectedCount > 1
      || !plan.allowsChanges && !(outcome.comparison?.isEmpty ?? true)
      || (plan.failsWhenEmpty && outcome.rowCount == 0)
      ? Status.no : Status.done
  }
}
