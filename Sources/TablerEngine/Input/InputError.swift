/// Damage in the input, with its place; status 3.
public enum InputError: Error, Equatable, Sendable {
  /// Where in the input: file, line and column, each counted from 1, columns in display cells.
  public struct Location: Equatable, Sendable {
    /// The file, or `nil` for the standard input.
    public var path: FilePath?
    /// The line.
    public var line: Int
    /// The display column, if it is known.
    public var column: Int?

    /// Creates a place.
    public init(path: FilePath?, line: Int, column: Int? = nil) {
      self.path = path
      self.line = line
      self.column = column
    }

    /// The place of a row.
    init(_ place: RowPlace, _ sources: [Source]) {
      self.init(path: sources[place.source].path, line: place.line)
    }
  }

  /// A better way to read the input, which a message suggests.
  public enum Hint: Equatable, Sendable {
    /// `--from FORM`.
    case from(InputForm)
    /// `-d CHAR`.
    case delimiter(UInt8)
    /// `--quote '"'`.
    case quote
    /// `--encoding utf-16`.
    case utf16
    /// `--skip-lines N`.
    case skipLines(Int)
    /// `--from blanks -H`, after some lines, and the number of names if the last one is to get the rest of
    /// each line.
    case headless(skipping: Int, names: Int?)
    /// `--at PATH`.
    case at
    /// `--at .`, for one list after another.
    case items
    /// `--at PATH` with the path of an array deeper inside.
    case within(String)
    /// `--ragged skip`, for a line that is not JSON, or a card of other columns.
    case leaveOut
    /// `--pattern NAME`, for the lines of a log.
    case pattern(String)
    /// `--comment '#'`.
    case comment
    /// `--trim`.
    case trim
    /// Nothing to type: a delimiter at the end of the line adds an empty field.
    case delimiterAtEnd(UInt8)
  }

  /// What bytes are that are not text.
  public enum Foreign: Equatable, Sendable {
    /// Compressed; the program that decompresses them.
    case packed(Unpacker)
    /// In another format, by its name.
    case format(String)
    /// A database of SQLite.
    case sqlite
    /// A database of DuckDB.
    case duckdb
    /// What `git log` prints for people.
    case gitLog
    /// A program that the machine runs.
    case program
  }

  /// The system failed to provide the bytes; status 4.
  case system(SystemError)
  /// There is text after a closing quote.
  case textAfterQuote(Location)
  /// A quote that opens here is never closed.
  case unclosedQuote(Location)
  /// A record with another number of fields than the header; whether `--ragged fill` would keep it.
  case ragged(Location, fields: Int, columns: Int, hint: Hint?, fillHelps: Bool = true)
  /// A record so long that it exceeds every limit.
  case recordTooLong(Location, hint: Hint? = nil)
  /// A header whose names take more than their share of the memory budget.
  case namesTooLong(Location)
  /// A cell of more than 64 MiB.
  case cellTooLong(Location)
  /// A line that `--pattern` does not match, and where it stopped matching, if that is known.
  case unmatchedLine(Location)
  /// No rule of a drawn table was found below its first lines.
  case noTable(Location)
  /// Invalid JSON, with what was expected.
  case json(Location, JSONDamage, hint: Hint?)
  /// `--at` leads nowhere in any value, and the nearest name that was found.
  case pathNotFound(path: FilePath?, at: String, suggestion: String?)
  /// Options that the form of the input, detected from its first bytes, does not have; status 2.
  case foreignOptions(path: FilePath?, [InputOptions.FormOption], InputForm)
  /// A file that was truncated or changed before it was read the second time.
  case changed(path: FilePath?)
  /// The input is packed or in another format.
  case notText(path: FilePath?, Foreign)
  /// A later file or record has a column that the table, already begun, lacks; whether `--ragged fill` would
  /// add it.
  case newColumn(Location, name: String, fillHelps: Bool = true)
}

/// Something in the input that deserves a warning, counted.
public enum InputNotice: Equatable, Sendable {
  /// A name that occurs several times in the header, how all but the first are addressed, and how many other
  /// names do.
  case repeatedName(String, addresses: [String], others: Int)
  /// `--names` replaced a header that has a number.
  case replacedNumbers(InputError.Location, text: String)
  /// A header that looks like the rows below it, and whether `--names` replaced it.
  case rowAsHeader(InputError.Location, isReplaced: Bool)
  /// Lines that were read as texts of one column, and a better way to read them.
  case oneColumn(InputError.Location, InputError.Hint)
  /// The lines of a log, and the name of the pattern that divides them.
  case log(InputError.Location, String)
  /// Unquoted fields with a quote mark in them, which is text.
  case quotesInText(count: Int, first: InputError.Location)
  /// No bytes at all.
  case noInput(path: FilePath?)
  /// There were lines, but all of them were left out.
  case noLinesLeft(path: FilePath?)
  /// NUL bytes in the header of what was read as UTF-8.
  case nulInHeader(path: FilePath?)
  /// Rows left out by `--ragged skip`.
  case skippedRows(count: Int, first: InputError.Location)
  /// Lines left out by `--ragged skip` that are not JSON objects.
  case damagedLines(count: Int, first: InputError.Location)
  /// Values of a stream of JSON that have nothing at the path of `--at`, unlike others; the first ends here.
  case valuesWithoutPath(count: Int, first: InputError.Location)
  /// Lines left out by `--comment` and `--skip-lines`.
  case leftOutLines(count: Int, path: FilePath?)
  /// A line `sep=;` that names the delimiter, and is not a row.
  case delimiterLine(path: FilePath?)
  /// Words lines with text across a column boundary.
  case crossedBoundary(count: Int, first: InputError.Location)
  /// Words lines with too few or too many words for titles that share a column.
  case unevenWords(count: Int, first: InputError.Location)
  /// Lines above or below the table, left out, and whether `--from blanks` reads them as rows.
  case outsideTable(count: Int, first: InputError.Location, areBlanks: Bool)
  /// More lines outside of a drawn table than it has rows.
  case mostOutsideTable(count: Int, rows: Int, first: InputError.Location)
  /// A JSON key that is repeated in one object, and how many other keys are.
  case repeatedKey(String, InputError.Location, others: Int)
  /// A JSON key that came after the columns were fixed, and is not shown.
  case lateKey(String, InputError.Location)
  /// A name of JSON that an option uses and that never came, and the nearest name that did, or else all that did.
  case neverSeen(String, suggestion: String?, NamesThere)
  /// A lone JSON object with one member that is an array of objects.
  case loneObject(key: String, path: String, count: Int)
}

/// The names that exist instead of one that never came.
public struct NamesThere: Equatable, Sendable {
  /// The columns, or the members of a column; as many as are listed.
  public var names: [String] = []
  /// The column that has these members.
  public var holder: String?
}

extension InputNotice {
  /// The notice for a header that looks like a row, or that `--names` replaced if one of its titles is a number.
  ///
  /// - Parameters:
  ///   - isRow: whether it looks like the rows below it.
  ///   - isReplaced: whether `--names` replaced it.
  static func ofHeader(_ titles: [String], isRow: Bool, isReplaced: Bool, at place: InputError.Location)
    -> Self?
  {
    let number = isReplaced ? titles.first { NumberReader.isNumber($0.utf8.span) } : nil
    if let number { return .replacedNumbers(place, text: number) }
    return isRow ? .rowAsHeader(place, isReplaced: isReplaced) : nil
  }
}

extension InputNotice {
  /// Whether it is about lines that are left out because they are not data, which are of no use in a display.
  var isOfOtherLines: Bool {
    switch self {
    case .leftOutLines, .delimiterLine: true
    default: false
    }
  }

  /// The number of rows that `--ragged skip` left out.
  var leftOutRows: Int {
    switch self {
    case .skippedRows(let count, _), .damagedLines(let count, _): count
    default: 0
    }
  }
}

extension InputError.Hint {
  /// Whether the lines are not records of the table, so that keeping ragged ones would not help.
  public var isOtherReading: Bool {
    switch self {
    case .skipLines, .headless, .from, .utf16, .leaveOut, .pattern, .comment, .trim: true
    case .delimiter, .quote, .at, .items, .within, .delimiterAtEnd: false
    }
  }

  /// Whether blanks separate the words of a line.
  var readsWords: Bool { self == .from(.words) || self == .from(.blanks) }

  /// The form that the input seems to have instead, judging by the titles of a header; `nil` if there is none.
  static func misreading(of titles: [String], _ dialect: Dialect) -> Self? {
    if titles.contains(where: { $0.utf8.contains(0) }) { return .utf16 }
    let isOneColumn = titles.count == 1
    switch dialect.form {
    case .csv where dialect.delimiter != 9 && titles.contains(where: { $0.utf8.contains(9) }):
      return .from(.tsv)
    case .csv where isOneColumn && titles[0].trimmingBlanks.utf8.contains(32):
      return .from(hasGap(titles[0].trimmingBlanks) ? .words : .blanks)
    case .tsv where dialect.quote == nil && !titles.isEmpty && titles.allSatisfy(isQuoted): return .quote
    default: return nil
    }
  }

  private static func hasGap(_ title: String) -> Bool {
    zip(title.utf8, title.utf8.dropFirst()).contains { $0 == 32 && $1 == 32 }
  }

  private static func isQuoted(_ title: String) -> Bool {
    title.utf8.count > 1 && title.utf8.first == UInt8(ascii: "\"") && title.utf8.last == UInt8(ascii: "\"")
  }
}

/// What a reader found in one batch that deserves a warning at the end, each with the number of rows before it.
///
/// Findings after the last row needed are not reported, however much was read with it (R66).
struct InputFindings: Sendable {
  /// What was found.
  enum Kind: Hashable, Sendable {
    /// A field with a quote mark in its unquoted text.
    case quoteInText
    /// A row left out by `--ragged skip`.
    case skippedRow
    /// A line left out by `--ragged skip` that is not a JSON object.
    case damagedLine
    /// A value of a stream of JSON that has nothing at the path of `--at`.
    case valueWithoutPath
    /// A line left out by `--comment` or `--skip-lines`.
    case leftOutLine
    /// A line of words with text across a column boundary.
    case crossedBoundary
    /// A line with too few or too many words for titles that share a column.
    case unevenWords
    /// An empty line that is not a record.
    case emptyLine
    /// A JSON key that is repeated in an object, once for each key.
    case repeatedKey
  }

  /// All findings of one kind.
  struct FindingsOfKind: Sendable {
    /// What was found.
    var kind: Kind
    /// The place of the first.
    var first: InputError.Location
    /// For each, or for several, the number of rows of the batch before the row they belong to.
    var rows: [(row: Int, count: Int)]
    /// The key of the first, if it is about a key.
    var key: String?

    /// The number of findings.
    var count: Int { rows.reduce(0) { $0 + $1.count } }

    /// Adds findings.
    mutating func add(row: Int, count: Int) {
      if let last = rows.last, last.row == row {
        rows[rows.count - 1].count += count
      } else {
        rows.append((row, count))
      }
    }
  }

  /// The findings, by kind.
  private(set) var entries: [FindingsOfKind] = []

  /// Adds several findings before the first row.
  mutating func add(_ kind: Kind, count: Int, first: InputError.Location) {
    if count > 0 { entries.append(FindingsOfKind(kind: kind, first: first, rows: [(0, count)])) }
  }

  /// Adds a finding, or several of one row; the place is determined only for the first of its kind.
  mutating func add(
    _ kind: Kind, row: Int, count: Int = 1, key: String? = nil, place: () -> InputError.Location
  ) {
    if let index = entries.firstIndex(where: { $0.kind == kind }) {
      entries[index].add(row: row, count: count)
    } else {
      entries.append(FindingsOfKind(kind: kind, first: place(), rows: [(row, count)], key: key))
    }
  }

  /// Adds the findings of what follows, or of another file.
  mutating func append(_ more: InputFindings) { entries += more.entries }

  /// Moves all findings before the first row of what follows.
  mutating func standBeforeRows() {
    for index in entries.indices { entries[index].rows = [(0, entries[index].count)] }
  }
}

/// What all readers found, counted.
struct InputTally: Sendable {
  private var entries: [(kind: InputFindings.Kind, first: InputError.Location, count: Int, key: String?)] = []

  /// Creates an empty tally.
  init() {}

  /// Counts findings.
  ///
  /// - Parameter last: the last row of the batch that was needed; `nil` counts the whole batch.
  mutating func count(_ findings: InputFindings, through last: Int? = nil) {
    for entry in findings.entries {
      let rows = last.map { last in entry.rows.prefix { $0.row <= last } } ?? entry.rows[...]
      let count = rows.reduce(0) { $0 + $1.count }
      guard count > 0 else { continue }
      let index = entries.firstIndex { $0.kind == entry.kind && $0.first.path == entry.first.path }
      if let index {
        entries[index].count += count
      } else {
        entries.append((entry.kind, entry.first, count, entry.key))
      }
    }
  }

  /// The number of empty lines that are not records.
  var emptyLineCount: Int { entries.reduce(0) { $0 + ($1.kind == .emptyLine ? $1.count : 0) } }

  /// The notices for the findings; empty lines are left to those who write the file back.
  var notices: [InputNotice] {
    entries.compactMap { kind, first, count, key in
      switch kind {
      case .quoteInText: .quotesInText(count: count, first: first)
      case .skippedRow: .skippedRows(count: count, first: first)
      case .damagedLine: .damagedLines(count: count, first: first)
      case .valueWithoutPath: .valuesWithoutPath(count: count, first: first)
      case .crossedBoundary: .crossedBoundary(count: count, first: first)
      case .unevenWords: .unevenWords(count: count, first: first)
      case .leftOutLine: .leftOutLines(count: count, path: first.path)
      case .emptyLine: nil
      case .repeatedKey: .repeatedKey(key ?? "", first, others: count - 1)
      }
    }
  }
}
