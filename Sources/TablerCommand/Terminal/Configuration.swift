import TablerEngine

/// The options of a configuration file: looks that a user wants on every terminal.
///
///     # at home
///     border round
///     --missing=''
///
/// A line has one option: its name, and after a blank or `=` its value, perhaps in quotes. `#` begins a
/// comment, at the beginning of a line or after a blank.
struct Configuration: Equatable {
  /// The file.
  let path: FilePath

  /// Its options, in order, each with its place.
  private(set) var occurrences: [Arguments.Occurrence] = []

  /// The names that this version does not know, with their places; they were ignored.
  private(set) var unknown: [UnknownName] = []

  /// A name that is unknown.
  struct UnknownName: Equatable {
    /// Its place.
    let place: InputError.Location
    /// The name with its dashes.
    let typed: String
    /// What it may mean.
    let nearest: String?
  }

  /// A file that options are read from.
  enum Source: Equatable {
    /// It was requested: its content must be valid.
    case named(FilePath)
    /// It was searched for, and may come from another version.
    case found(FilePath)
  }
}

// MARK: - Which file

extension Configuration {
  /// The file that options are read from, if any.
  ///
  /// For a pipe or a file there is no search: the same command gives the same bytes for everyone.
  ///
  /// - Parameter variable: the value of a variable of the environment.
  static func source(
    _ arguments: Arguments, _ environment: Environment, variable: (String) -> FilePath?
  ) -> Source? {
    guard arguments.request == .table else { return nil }
    if let choice = arguments.occurrences.last(where: { $0.option == .config || $0.option == .noConfig }) {
      return choice.path.flatMap { $0.bytes.isEmpty ? nil : .named($0) }
    }
    if let path = variable("TABLER_CONFIG_PATH") { return path.bytes.isEmpty ? nil : .named(path) }
    guard environment.standardOutputIsTerminal, !arguments.isOn(.inPlace),
      arguments.path(.output).map({ $0 == "-" }) ?? true
    else { return nil }
    return folder(variable).map { .found(FilePath($0 + Array("/tabler/config".utf8))) }
  }

  /// The folder of configurations.
  ///
  /// A relative one would be a different one in each folder, and is ignored.
  private static func folder(_ variable: (String) -> FilePath?) -> [UInt8]? {
    if let folder = variable("XDG_CONFIG_HOME"), folder.isAbsolute { return folder.bytes }
    guard let home = variable("HOME"), home.isAbsolute else { return nil }
    return home.bytes + Array("/.config".utf8)
  }

  /// The maximum size of a file of options, in bytes.
  static let largestSize = 1 << 20

  /// Reads a file; `nil` if one that was searched for does not exist.
  init?(_ source: Source) throws(ConfigurationError) {
    switch source {
    case .named("-"): throw .standardInput
    case .named(let path): try self.init(path, isFound: false)
    case .found(let path):
      guard path.isRegularFile else { return nil }
      try self.init(path, isFound: true)
    }
  }

  private init(_ path: FilePath, isFound: Bool) throws(ConfigurationError) {
    let bytes: [UInt8]
    do { bytes = try path.contents(atMost: Self.largestSize + 1) } catch { throw .system(error) }
    if bytes.count > Self.largestSize { throw .tooLarge(path) }
    try self.init(bytes, path, isFound: isFound)
  }

  /// Reads the bytes of a file.
  ///
  /// In one that was only found, unknown names are ignored.
  init(_ bytes: [UInt8], _ path: FilePath, isFound: Bool) throws(ConfigurationError) {
    self.path = path
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      var line = ConfigurationLine(line, place: InputError.Location(path: path, line: index + 1))
      do {
        if let occurrence = try line.option() { occurrences.append(occurrence) }
      } catch {
        guard isFound, case .argument(let place, .unknownOption(let typed, let nearest)) = error else {
          throw error
        }
        unknown.append(UnknownName(place: place, typed: typed, nearest: nearest))
      }
    }
  }
}

/// The reason a configuration file cannot be used.
enum ConfigurationError: Error, Equatable {
  /// It cannot be read.
  case system(SystemError)
  /// `--config -`: the standard input is that of the table.
  case standardInput
  /// It is larger than a file of options could be.
  case tooLarge(FilePath)
  /// An option that is wrong by itself.
  case argument(InputError.Location, ArgumentError)
  /// An option that is only for the command line.
  case notConfigurable(InputError.Location, Option.ID)
  /// A quote that is not closed in its line.
  case unclosedQuote(InputError.Location, Character)
  /// Something else after the closing quote.
  case textAfterQuote(InputError.Location)
}

// MARK: - A line

/// A cursor over a line of a configuration file.
private struct ConfigurationLine {
  private let line: ArraySlice<UInt8>
  private let place: InputError.Location
  private var rest: ArraySlice<UInt8>

  init(_ line: ArraySlice<UInt8>, place: InputError.Location) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    self.line = place.line == 1 && line.starts(with: mark) ? line.dropFirst(mark.count) : line
    self.place = place
    rest = self.line
  }

  /// The option of the line; `nil` if there is none.
  mutating func option() throws(ConfigurationError) -> Arguments.Occurrence? {
    skipBlanks()
    guard let first = rest.first, first != UInt8(ascii: "#") else { return nil }
    let namePlace = here
    let word = rest.prefix { !Self.isBlank($0) && $0 != UInt8(ascii: "=") }
    rest = rest.dropFirst(word.count)
    let typed = String(decoding: word, as: UTF8.self)
    let name = typed.utf8.starts(with: "--".utf8) ? String(typed.dropFirst(2)) : typed
    guard let option = Option.named(name) else { throw .argument(namePlace, Self.unknown(name)) }
    guard option.isConfigurable else { throw .notConfigurable(namePlace, option.id) }
    skipBlanks()
    let hasSign = rest.first == UInt8(ascii: "=")
    if hasSign { rest = rest.dropFirst() }
    skipBlanks()
    let valuePlace = here
    guard let value = try value() ?? (hasSign ? [] : nil) else {
      if option.takesValue { throw .argument(namePlace, .missingValue(option.id)) }
      return .init(
        option: option.id, value: "", isOn: name == option.name, lookAlike: nil, place: namePlace)
    }
    do { return try Self.occurrence(option, name, value, valuePlace) } catch {
      throw .argument(option.takesValue ? valuePlace : namePlace, error)
    }
  }

  private static func occurrence(
    _ option: Option, _ name: String, _ value: [UInt8], _ place: InputError.Location
  ) throws(ArgumentError) -> Arguments.Occurrence {
    guard option.takesValue else { throw .unexpectedValue(typed: "--" + name) }
    let text = String(decoding: value, as: UTF8.self)
    guard String(validating: value, as: UTF8.self) != nil else { throw .notUTF8(option.id, repaired: text) }
    return .init(
      option: option.id, value: try option.checked(text), isOn: true, lookAlike: nil, place: place)
  }

  /// The value in the rest of the line; `nil` if that is empty or a comment.
  private mutating func value() throws(ConfigurationError) -> [UInt8]? {
    guard let first = rest.first, first != UInt8(ascii: "#") else { return nil }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return try quoted(by: first) }
    var end = rest.startIndex
    for index in rest.indices where !Self.isBlank(rest[index]) {
      if rest[index] == UInt8(ascii: "#"), Self.isBlank(rest[index - 1]) { break }
      end = index + 1
    }
    return Array(rest[..<end])
  }

  /// The text between quotes, in which the quote itself is doubled.
  private mutating func quoted(by quote: UInt8) throws(ConfigurationError) -> [UInt8] {
    let start = here
    var value: [UInt8] = []
    rest = rest.dropFirst()
    while let byte = rest.popFirst() {
      if byte != quote {
        value.append(byte)
      } else if rest.first == quote {
        value.append(quote)
        rest = rest.dropFirst()
      } else {
        skipBlanks()
        if let next = rest.first, next != UInt8(ascii: "#") { throw .textAfterQuote(here) }
        return value
      }
    }
    throw .unclosedQuote(start, Character(Unicode.Scalar(quote)))
  }

  private mutating func skipBlanks() { rest = rest.drop { Self.isBlank($0) } }

  /// The place of the rest of the line, in display cells; a tab is one.
  private var here: InputError.Location {
    let before = line[..<rest.startIndex].map { $0 == UInt8(ascii: "\t") ? UInt8(ascii: " ") : $0 }
    return InputError.Location(
      path: place.path, line: place.line, column: displayWidth(of: before.span) + 1)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  /// The error for an unknown name: short forms are not allowed here.
  private static func unknown(_ name: String) -> ArgumentError {
    if name.utf8.first == UInt8(ascii: "-"), let letter = name.dropFirst().first {
      return .unknownOption(typed: name, nearest: Option.lettered(letter)?.spelling)
    }
    return .unknownOption(typed: "--" + name, nearest: Option.nearestSpelling(to: name))
  }
}

// MARK: - Beside what was typed

extension Plan {
  /// Reads the typed and the configured options; configured ones that do not fit the rest are dropped.
  ///
  /// Typed options are rejected as they would be without a file. `arguments` are those that remain.
  init(
    fitting arguments: inout Arguments, _ environment: Environment, notices: inout [PlanNotice]
  ) throws(PlanError) {
    while true {
      do {
        var found: [PlanNotice] = []
        try self.init(arguments, environment, notices: &found)
        notices += found.filter { notice in
          guard case .idleOption(let option, _) = notice else { return true }
          return !arguments.isConfigured(option)
        }
        return
      } catch {
        guard error.refused.contains(where: { arguments.dropConfigured($0) }) else { throw error }
      }
    }
  }
}

extension PlanError {
  /// The options that do not fit the others, in the order in which to drop them.
  fileprivate var refused: [Option.ID] {
    switch self {
    case .foreignLayout(let option, let layout, _):
      [option] + (Option.ID(rawValue: layout.rawValue).map { [$0] } ?? [])
    case .unknownWidths(_, let layout): Option.ID(rawValue: layout.rawValue).map { [$0] } ?? []
    case .foreignForm(let option, _, _), .besideAdaptive(let option): [option]
    case .contradiction(let option, let other): [option, other]
    case .hoverNeedsSheet: [.hover]
    case .grammar, .nothingToRead, .foreignInput, .fileNamedLikeForm, .fileNamedLikeMark, .inPlaceNeedsFile,
      .inPlaceFormUnknown, .compressed, .unreadable, .tooLarge,
      .foreignSuffix, .rawControlToTerminal, .needsFile, .sameMarks, .unusableMark, .adaptiveUnderFollow,
      .rejectsNeedFile, .rejectsOfTwo, .reverseNeedsChanges, .inputTwice, .needsRules, .needsAllRows,
      .needsComparison, .needsGroups, .needsPivot, .needsPattern,
      .needsKeys, .needsPage, .cannotWriteBack, .cutsChangeList, .openQuote, .noCommand, .unknownClient,
      .needsTable, .severalFilesOfEngine,
      .fileBesideTable, .standardInputOfEngine, .otherDialect, .knownDialect:
      []
    }
  }
}
