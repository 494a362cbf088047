/// The forms of input.
public enum InputForm: String, CaseIterable, Sendable {
  /// Decided by suffix, then by the first line.
  case auto
  /// Comma separated values, RFC 4180.
  case csv
  /// Tab separated values, escapes instead of quotes.
  case tsv
  /// Columns by position, as `ps` and `df` print.
  case words
  /// Fields between runs of blanks.
  case blanks
  /// Drawn tables.
  case table
  /// Lines divided by a pattern.
  case pattern
  /// One object a line.
  case jsonl
  /// An array of objects, or objects one after the other.
  case json
}

/// How input is read: one value for all sources.
public struct InputOptions: Sendable {
  /// A mark that may be given, switched off, or left to the form.
  public enum MarkChoice: Equatable, Sendable {
    /// The mark that the form has by default.
    case byForm
    /// `none`.
    case off
    /// This byte.
    case byte(UInt8)
  }

  /// What to do with records that are too short or too long.
  public enum Ragged: String, CaseIterable, Sendable {
    /// An error: status 3.
    case error
    /// Short rows get missing cells; long rows make columns.
    case fill
    /// Left out and counted.
    case skip
  }

  /// The options that not every form of input has.
  public enum FormOption: String, CaseIterable, Sendable {
    /// `--quote`.
    case quote
    /// `-H`, `--no-header-in`.
    case noHeaderIn = "no-header-in"
    /// `--names`.
    case names
    /// `--auto-names`.
    case autoNames = "auto-names"
    /// `--header-lines`.
    case headerLines = "header-lines"
    /// `--max-fields`.
    case maxFields = "max-fields"
    /// `--trim`.
    case trim
    /// `--at`.
    case at
    /// `--flatten`.
    case flatten

    /// The forms that have the option.
    public var forms: [InputForm] {
      switch self {
      case .quote, .trim, .headerLines: [.csv, .tsv]
      case .maxFields: [.csv, .tsv, .blanks]
      case .at, .flatten: [.json, .jsonl]
      case .noHeaderIn, .names, .autoNames:
        InputForm.allCases.filter { ![.auto, .json, .jsonl, .pattern].contains($0) }
      }
    }
  }

  /// How the bytes of the input are encoded.
  public enum Encoding: String, CaseIterable, Sendable {
    /// UTF-8.
    case utf8 = "utf-8"
    /// Windows-1252, as browsers read `latin1`.
    case latin1
    /// UTF-16; the byte order is given by its mark, otherwise by the positions of zero bytes.
    case utf16 = "utf-16"
    /// UTF-16, little endian unless its mark says otherwise.
    case utf16le = "utf-16le"
    /// UTF-16, big endian unless its mark says otherwise.
    case utf16be = "utf-16be"
  }

  /// `--follow`: a live stream, whose rows are not waited for.
  public var isFollowed = false
  /// Whether empty lines that are not records are counted: a file that is written back loses them.
  var countsEmptyLines = false
  /// How the client of an engine writes what it answers; `nil` for any other input.
  var answer: AnswerCells?
  /// `--from`.
  public var form = InputForm.auto
  /// `-d`, `--delimiter`; `nil` means that it is detected.
  public var delimiter: UInt8?
  /// `--quote`.
  public var quote = MarkChoice.byForm
  /// `--escape`.
  public var escape = MarkChoice.byForm
  /// `--lazy-quotes`.
  public var hasLazyQuotes = false
  /// `--comment`: lines that begin with this byte are not data.
  public var comment: UInt8?
  /// `--skip-lines`.
  public var skippedLines = 0
  /// `-H`, `--no-header-in`.
  public var hasNoHeader = false
  /// `--names`.
  public var names: [String]?
  /// `--auto-names`: a template with `{n}` and `{letter}`.
  public var autoNames: String?
  /// `--header-lines`.
  public var headerLines = 1
  /// `--max-fields`: the last of so many fields takes the rest of its line.
  public var mostFields = Int.max
  /// `--pattern`: how lines are divided.
  public var lineDivision: LineDivision?
  /// `--footer-lines`: the last records of the input are not rows.
  public var footerLines = 0
  /// `--trim`: outer blanks are not part of cells and titles.
  public var isTrimmed = false
  /// `--at`: where the rows are in JSON.
  public var at: JSONPath?
  /// `--flatten`: the members of objects become columns of their own.
  public var isFlattened = false
  /// The given options that not every form of input has.
  public var formOptions: [FormOption] = []
  /// `--ragged`.
  public var ragged = Ragged.error
  /// `--null`: the texts that are null.
  public var nullWords: [String] = []
  /// `--quoted-empty text`.
  public var quotedEmptyIsText = false
  /// `--encoding`; `nil` means what the byte order mark says, otherwise UTF-8.
  public var encoding: Encoding?
  /// `--decimal`.
  public var decimalMark = UInt8(ascii: ".")
  /// `--thousands`: the UTF-8 of the mark; empty means none.
  public var thousandsMark: [UInt8] = []

  /// Creates the defaults.
  public init() {}

  /// The given options that a form does not have.
  public func optionsUnknown(to form: InputForm) -> [FormOption] {
    form == .auto ? [] : formOptions.filter { !$0.forms.contains(form) }
  }
}

/// How the client of an engine writes rows in csv.
///
/// An empty line is a row of one cell.
struct AnswerCells: Equatable, Sendable {
  /// What an empty cell without quotes is.
  var empty = Cell.Kind.null

  /// What a word for null is, whose bytes are not those of the cell.
  var null = Cell.Kind.null

  /// Whether a word for null that stands in quotes is a text.
  var quotesProtectNull = false
}

/// The path to the rows inside a JSON document: `--at`.
public struct JSONPath: Equatable, Sendable {
  /// The path as typed.
  public let text: String

  /// The steps from the value on; empty for the value itself.
  let steps: [PathStep]

  /// Reads a path such as `items` or `pages[0].items`, where `.` is the value itself; `nil` if it is not a path.
  public init?(_ text: String) {
    self.text = text
    if text == "." {
      steps = []
      return
    }
    let start = text.hasPrefix(".") || text.hasPrefix("[") ? "" : "."
    guard let steps = PathStep.parse((start + text)[...]), !steps.isEmpty else { return nil }
    let isReachable = steps.allSatisfy { if case .item(let index) = $0 { index >= 0 } else { true } }
    guard isReachable else { return nil }
    self.steps = steps
  }

  /// The number of steps that the member `key`, which may contain dots, takes after `count` of them; `nil` if
  /// it leads elsewhere.
  func stepsTaken(by key: String, after count: Int) -> Int? {
    var name = ""
    for place in count..<steps.count {
      guard case .member(let member) = steps[place] else { return nil }
      name += place > count ? "." + member : member
      if ExactName(name) == ExactName(key) { return place + 1 - count }
      if name.utf8.count > key.utf8.count { return nil }
    }
    return nil
  }
}
