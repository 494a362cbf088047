/// How a table is shown a screen at a time, if it has more lines than the screen.
public struct Paging: Sendable, Equatable {
  /// The program that shows it.
  public var pager: Pager
  /// The lines of the screen.
  public var lines: Int
  /// Its display columns.
  public var columns: Int
  /// Whether the program also shows a table that fits on the screen.
  public var isForced: Bool
  /// Whether lines keep their length, to be scrolled sideways.
  public var scrolls: Bool
  /// The rows that are measured before the first is drawn, if no number was given.
  ///
  /// All rows would have to be read before the first is seen. This many take 10 ms, and a later cell that is
  /// wider only shifts what follows it in its own row.
  public var measuredRows: Int?

  /// The rows that are measured unless something else is asked for.
  public static let standardMeasuredRows = 10_000

  /// The maximum number of rows in a table that may have fewer lines than a screen.
  static let mostShortRows = standardMeasuredRows

  /// Creates a description of paging.
  public init(
    _ pager: Pager, lines: Int, columns: Int, isForced: Bool, scrolls: Bool, measuredRows: Int?
  ) {
    self.pager = pager
    self.lines = lines
    self.columns = columns
    self.isForced = isForced
    self.scrolls = scrolls
    self.measuredRows = measuredRows
  }
}

/// The lines and display columns at the beginning of a table that stay in view while the rest is scrolled.
struct PinnedHead: Equatable, Sendable {
  /// Lines at the top.
  var lines = 0
  /// Display columns at the leading side.
  var columns = 0
}

/// A program that shows text a screen at a time.
public struct Pager: Sendable, Equatable {
  /// Its name or path, and its arguments.
  public let words: [String]

  /// Whether a variable of the environment names it; otherwise it is the usual one, which may be missing.
  public let isChosen: Bool

  /// The program that is used if no other is named.
  public static let standard = Pager(["less"], isChosen: false)

  /// Names a program.
  public init(_ words: [String], isChosen: Bool = true) {
    self.words = words
    self.isChosen = isChosen
  }

  /// Reads a command.
  ///
  /// - Returns: `nil` if there is no word.
  public init?(command: String) {
    let words = Self.words(of: command).words
    if words.isEmpty { return nil }
    self.init(words)
  }

  /// The words of a command: blanks separate them; quotes and backslashes protect blanks as in a shell, and nothing else
  /// is special.
  ///
  /// - Returns: the words, and whether the last one lacks the quote that ends it.
  public static func words(of command: String) -> (words: [String], isOpen: Bool) {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in command {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " || character == "\t" || character == "\n" {
        if let ended = word { words.append(ended) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return (words, quote != nil)
  }

  /// The name of the program without its folder.
  public var name: String { words[0].split(separator: "/").last.map(String.init) ?? words[0] }

  /// Whether it is `less`, or `busybox less`.
  var isLess: Bool { name == "less" || name == "busybox" && words.dropFirst().first == "less" }

  /// The path of the program, searched for in the folders of `PATH`; `nil` if it is in none of them.
  var path: FilePath? { FilePath(program: words[0]) }

  /// Whether the program exists.
  public var isThere: Bool { path != nil }
}

/// A version of `less`: each knows other options.
enum LessVersion: Equatable {
  /// That of BusyBox, or one that does not report a version.
  case busyBox
  /// The version with this number.
  case number(Int)

  /// Reads the output of `less --version`, such as `less 590 (GNU regular expressions)`.
  init(_ text: String) {
    let words = text.split { $0 == " " || $0 == "\n" }
    let digits = words.count > 1 && words[0] == "less" ? words[1].prefix { $0 >= "0" && $0 <= "9" } : ""
    self = Int(digits).map { .number($0) } ?? .busyBox
  }

  /// Whether it can keep lines and columns in view.
  ///
  /// Headers were introduced in 600; up to 607 they hide rows.
  var pinsHead: Bool { if case .number(let number) = self { number >= 608 } else { false } }

  /// The options added to the user's own, so that colors are shown, lines stay whole, and a short text stays
  /// visible.
  ///
  /// Before 530 a short text is lost if the terminal has a second screen, and `-X` avoids that screen.
  ///
  /// - Parameter head: the part that stays in view.
  func options(pinning head: PinnedHead) -> [String] {
    guard case .number(let number) = self else { return ["-R", "-S"] }
    var options = ["-R", "-S", "-+F"]
    if number < 530 { options.append("-X") }
    if pinsHead, head != PinnedHead() { options.append("--header=\(head.lines),\(head.columns)") }
    return options
  }
}
