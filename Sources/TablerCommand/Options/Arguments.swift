import TablerEngine

/// What was typed: the options in their order, and the files.
///
/// Words are taken apart here and checked as far as an option by itself can be wrong.
/// What they mean together is said by the plan.
struct Arguments {
  /// One option as it was typed.
  struct Occurrence: Equatable {
    /// Which option.
    let option: Option.ID
    /// The value, with aliases resolved; empty for switches.
    let value: String
    /// Whether a switch is on: false in its negated spelling.
    let isOn: Bool
    /// The value when it stood in a word of its own and reads like an option: `-g` in `--sort -g`.
    ///
    /// Nothing is wrong with that; but if no column is called so, a value may be missing.
    let lookAlike: String?
    /// The value of an option that names a file, byte for byte.
    var path: FilePath?
    /// Where it stands in the configuration file; `nil` if it was typed.
    var place: InputError.Place?

    /// Whether it was configured, not typed.
    var isConfigured: Bool { place != nil }
  }

  /// What is to be done.
  enum Request: Equatable {
    case table
    case shortHelp
    case help
    case version
    case generate(Generate)
    /// Print completions; the words are those after `--complete`.
    case complete([String])
  }

  /// Every option typed, in order; those of the configuration file stand before them.
  private(set) var occurrences: [Occurrence]
  /// The files named, in order; none means standard input.
  let sources: [Source]
  /// What is to be done; a request for help stands before everything else.
  let request: Request

  /// Puts configured options before those typed, so that these win.
  mutating func configure(by configured: [Occurrence]) { occurrences.insert(contentsOf: configured, at: 0) }

  /// Leaves out what was configured of an option.
  ///
  /// - Returns: whether there was something.
  mutating func dropConfigured(_ option: Option.ID) -> Bool {
    let count = occurrences.count
    occurrences.removeAll { $0.isConfigured && $0.option == option }
    return occurrences.count < count
  }

  /// What was found on a command line.
  init(occurrences: [Occurrence], sources: [Source], request: Request) {
    self.occurrences = occurrences
    self.sources = sources
    self.request = request
  }

  /// Takes apart the words after the name of the program.
  init(_ words: [[UInt8]]) throws(ArgumentError) {
    let (arguments, error) = Self.lenient(words)
    if let error, arguments.request.isWork { throw error }
    self = arguments
  }

  /// Takes apart words that are known to be text.
  init(_ words: [String]) throws(ArgumentError) { try self.init(words.map { Array($0.utf8) }) }

  /// Takes apart what can be taken apart, and says what was wrong first.
  static func lenient(_ words: [[UInt8]]) -> (Arguments, ArgumentError?) {
    var parser = ArgumentsParser(words)
    parser.parse()
    return (parser.arguments, parser.firstError)
  }
}

// MARK: - Asking

extension Arguments {
  /// The last occurrence of an option: the one that counts for scalars.
  func last(_ option: Option.ID) -> Occurrence? { occurrences.last { $0.option == option } }

  /// Every occurrence of an option, in order.
  func all(_ option: Option.ID) -> [Occurrence] { occurrences.filter { $0.option == option } }

  /// Every value of an option, in order.
  func values(_ option: Option.ID) -> [String] { all(option).map(\.value) }

  /// The value that counts for a scalar.
  func value(_ option: Option.ID) -> String? { last(option)?.value }

  /// The name of a file that counts.
  func path(_ option: Option.ID) -> FilePath? { last(option)?.path }

  /// Whether the option was given at all.
  func has(_ option: Option.ID) -> Bool { last(option) != nil }

  /// Whether what counts of an option comes from the configuration file.
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

  /// The choice that counts, as the enumeration it was made from.
  func choice<Word: RawRepresentable<String>>(_ option: Option.ID, as type: Word.Type) -> Word? {
    value(option).flatMap { Word(rawValue: $0) }
  }

  /// When a pager is wanted: what was said last counts.
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
  /// Whether a wrong word matters to it; not to who asks for help.
  var isWork: Bool {
    switch self {
    case .table, .generate: true
    case .shortHelp, .help, .version, .complete: false
    }
  }
}

/// What is wrong with a command line, and with which word.
enum ArgumentError: Error, Equatable {
  /// No option is so called; `typed` has its dashes, `nearest` too.
  case unknownOption(typed: String, nearest: String?)
  /// No option is so called, and its value is a condition that belongs into the value of another, which is given.
  case looseCondition(typed: String, of: Option.ID, condition: String)
  /// An option of other tools, with its value or the word after it; it is done in another way here.
  case foreignOption(typed: String, value: String?)
  /// The line ends where the value of the option should stand.
  case missingValue(Option.ID)
  /// The next word begins with two dashes, so it is taken for an option.
  case optionForValue(Option.ID, next: String)
  /// `-s=KEY`: after a letter the value follows at once, and `=` would be part of it.
  case equalsSignAfterLetter(Option.ID, value: String)
  /// The option is a switch, and a value was attached to it.
  case unexpectedValue(typed: String)
  /// The value is none of the words the option knows.
  case notAChoice(Option.ID, value: String, nearest: String?)
  /// The value is no whole number, nor one of the words the option knows.
  case notANumber(Option.ID, value: String)
  /// The number is smaller or larger than the option takes.
  case outOfRange(Option.ID, value: String, ClosedRange<Int>)
  /// The value is not one character, nor one of the words the option knows.
  case notACharacter(Option.ID, value: String, Option.CharacterSet)
  /// A value that must name something is empty.
  case emptyValue(Option.ID)
  /// The value of the option is not UTF-8; `repaired` shows what can be shown.
  case notUTF8(Option.ID, repaired: String)
  /// `-` stands twice among the files.
  case standardInputTwice
}
