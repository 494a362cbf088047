import TablerEngine

/// The command line: the options in order, and the files.
///
/// Words are parsed here, and checked if an option can be wrong by itself. What they mean together is
/// determined by the plan.
struct Arguments {
  /// One option as it was typed.
  struct Occurrence: Equatable {
    /// The option.
    let option: Option.ID
    /// The value, with aliases resolved; empty for switches.
    let value: String
    /// Whether a switch is on: false in its negated spelling.
    let isOn: Bool
    /// The value if it was a separate word and looks like an option: `-g` in `--sort -g`.
    ///
    /// That is not an error; but if no column has that name, a value may be missing.
    let lookAlike: String?
    /// The value of an option that names a file, byte for byte.
    var path: FilePath?
    /// Its place in the configuration file; `nil` if it was typed.
    var place: InputError.Location?

    /// Whether it was configured, not typed.
    var isConfigured: Bool { place != nil }
  }

  /// The requested action.
  enum Request: Equatable {
    case table
    case shortHelp
    case help
    case version
    case generate(Generate)
    /// Print completions; the words are those after `--complete`.
    case complete([String])
  }

  /// All options, in order; those of the configuration file come first.
  private(set) var occurrences: [Occurrence]
  /// The files named, in order; none means standard input.
  let sources: [Source]
  /// The requested action; a request for help has priority.
  let request: Request

  /// Inserts configured options before those typed, so that the latter win.
  mutating func configure(by configured: [Occurrence]) { occurrences.insert(contentsOf: configured, at: 0) }

  /// Removes the configured occurrences of an option.
  ///
  /// - Returns: whether there were any.
  mutating func dropConfigured(_ option: Option.ID) -> Bool {
    let count = occurrences.count
    occurrences.removeAll { $0.isConfigured && $0.option == option }
    return occurrences.count < count
  }

  /// Creates arguments.
  init(occurrences: [Occurrence], sources: [Source], request: Request) {
    self.occurrences = occurrences
    self.sources = sources
    self.request = request
  }

  /// Parses the words after the name of the program.
  init(_ words: [[UInt8]]) throws(ArgumentError) {
    let (arguments, error) = Self.lenient(words)
    if let error, arguments.request.isWork { throw error }
    self = arguments
  }

  /// Parses words that are known to be text.
  init(_ words: [String]) throws(ArgumentError) { try self.init(words.map { Array($0.utf8) }) }

  /// Parses as much as possible, and returns the first error.
  static func lenient(_ words: [[UInt8]]) -> (Arguments, ArgumentError?) {
    var parser = ArgumentsParser(words)
    parser.parse()
    return (parser.arguments, parser.firstError)
  }
}

// MARK: - Asking

extension Arguments {
  /// The last occurrence of an option, which counts for scalars.
  func last(_ option: Option.ID) -> Occurrence? { occurrences.last { $0.option == option } }

  /// Every occurrence of an option, in order.
  func all(_ option: Option.ID) -> [Occurrence] { occurrences.filter { $0.option == option } }

  /// Every value of an option, in order.
  func values(_ option: Option.ID) -> [String] { all(option).map(\.value) }

  /// The value that counts for a scalar.
  func value(_ option: Option.ID) -> String? { last(option)?.value }

  /// The file name that counts.
  func path(_ option: Option.ID) -> FilePath? { last(option)?.path }

  /// Whether the option was given at all.
  func has(_ option: Option.ID) -> Bool { last(option) != nil }

  /// Whether the occurrence of an option that counts comes from the configuration file.
  func isConfigured(_ option: Option.ID) -> Bool { last(option)?.isConfigured ?? false }

  /// Whether a switch is on.
  func isOn(_ option: Option.ID) -> Bool { last(option)?.isOn ?? false }

  /// The number that counts, or nil if there is none or it is one of the option's words.
  func number(_ option: Option.ID) -> Int? { value(option).flatMap { Int($0) } }

  /// The character that counts, with `\t` as a tab, or nil if there is none or it is a word.
  func character(_ option: Option.ID) -> Unicode.Scalar? {
    guard let value = value(option) else { return nil }
    return Option.scalar(of: value)
  }

  /// The choice that counts, as a case of its enumeration.
  func choice<Word: RawRepresentable<String>>(_ option: Option.ID, as type: Word.Type) -> Word? {
    value(option).flatMap { Word(rawValue: $0) }
  }

  /// When a pager is wanted: the last occurrence counts.
  var paging: Environment.PagingChoice {
    guard let last = occurrences.last(where: { $0.option == .paging || $0.option == .noPager }) else {
      return .auto
    }
    if last.option == .noPager { return last.isOn ? .never : .auto }
    return Environment.PagingChoice(rawValue: last.value) ?? .auto
  }

  /// The layout picked last, if one was.
  var layout: LayoutKind? {
    occurrences.last { LayoutKind(rawValue: $0.option.rawValue) != nil }
      .flatMap { LayoutKind(rawValue: $0.option.rawValue) }
  }

  /// The form of output picked last, by `--to` or by a switch, if one was.
  var form: OutputForm? {
    let picked = occurrences.last { $0.option == .to || OutputForm(rawValue: $0.option.rawValue) != nil }
    return picked.flatMap { OutputForm(rawValue: $0.option == .to ? $0.value : $0.option.rawValue) }
  }
}

extension Arguments.Request {
  /// Whether an invalid word matters; not for a request for help.
  var isWork: Bool {
    switch self {
    case .table, .generate: true
    case .shortHelp, .help, .version, .complete: false
    }
  }
}

/// A mistake in a command line, and the word that has it.
enum ArgumentError: Error, Equatable {
  /// No option has that name; both `typed` and `nearest` include the dashes.
  case unknownOption(typed: String, nearest: String?)
  /// No option has that name, and its value is a condition that belongs in the value of another option, which
  /// is given.
  case looseCondition(typed: String, of: Option.ID, condition: String)
  /// An option of other tools, with its value or the word after it; here it is done in another way.
  case foreignOption(typed: String, value: String?)
  /// The line ends before the value of the option.
  case missingValue(Option.ID)
  /// The next word begins with two dashes, so it is taken for an option.
  case optionForValue(Option.ID, next: String)
  /// `-s=KEY`: after a letter the value follows directly, and `=` would be part of it.
  case equalsSignAfterLetter(Option.ID, value: String)
  /// The option is a switch, and a value was attached to it.
  case unexpectedValue(typed: String)
  /// The value is not one of the words of the option.
  case notAChoice(Option.ID, value: String, nearest: String?)
  /// The value is neither a whole number nor one of the words of the option.
  case notANumber(Option.ID, value: String)
  /// The number is smaller or larger than the option allows.
  case outOfRange(Option.ID, value: String, ClosedRange<Int>)
  /// The value is neither one character nor one of the words of the option.
  case notACharacter(Option.ID, value: String, Option.CharacterSet)
  /// A value that must name something is empty.
  case emptyValue(Option.ID)
  /// The value of the option is not UTF-8; `repaired` is a displayable version.
  case notUTF8(Option.ID, repaired: String)
  /// `-` is repeated among the files.
  case standardInputTwice
}
