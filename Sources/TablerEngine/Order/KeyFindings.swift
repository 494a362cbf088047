/// What the texts of a sort key may look like that are no numbers.
public enum SortLook: Int, CaseIterable, Sendable {
  /// `1.5G`.
  case size
  /// `45%`.
  case percent
  /// `1.234,50`.
  case decimalComma
  /// `1,234.50`.
  case thousandsComma
  /// `31/12/2024`, where the year does not stand first.
  case date
}

/// What a key sorted as text though a person may take it for a value: words for nothing beside numbers, sizes, dates.
///
/// Only texts are looked at, and most of them by their first byte alone.
struct KeyFindings: Sendable {
  /// How many of the values are numbers.
  var numberCount = 0

  private var textCount = 0
  private var words = [Int](repeating: 0, count: NullLikeWord.allCases.count)
  private var looks = [Int](repeating: 0, count: SortLook.allCases.count)

  /// Notes a text that is no number.
  @inline(__always)
  mutating func note(_ text: Span<UInt8>, _ marks: NumberMarks) {
    textCount &+= 1
    guard text.count > 0, text.count <= Self.longest else { return }
    switch text[0] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "N"), UInt8(ascii: "n"), UInt8(ascii: " "):
      look(at: text, marks)
    default: return
    }
  }

  /// Takes in what was met in another part of the same key.
  mutating func merge(_ other: KeyFindings) {
    numberCount += other.numberCount
    textCount += other.textCount
    for index in words.indices { words[index] += other.words[index] }
    for index in looks.indices { looks[index] += other.looks[index] }
  }

  /// The words for nothing that stand beside numbers, and how often.
  var wordsBesideNumbers: [(word: NullLikeWord, count: Int)] {
    guard numberCount > 0 else { return [] }
    return zip(NullLikeWord.allCases, words).filter { $0.1 > 0 }.map { (word: $0.0, count: $0.1) }
  }

  /// What most of the values look like that is no number; `nil` where most are numbers, or look like nothing.
  ///
  /// `du -h` has bare numbers among its sizes.
  var look: SortLook? {
    var counts = looks
    // A comma before three digits may be either mark; where one cannot, it is the decimal one.
    let decimal = SortLook.decimalComma.rawValue
    let thousands = SortLook.thousandsComma.rawValue
    if counts[decimal] > 0 {
      counts[decimal] += counts[thousands]
      counts[thousands] = 0
    }
    let rest = textCount - words.reduce(0, +) + numberCount
    return SortLook.allCases.first { counts[$0.rawValue] > rest / 2 }
  }
}

extension KeyFindings {
  /// The longest text that is looked at.
  private static var longest: Int { 40 }

  @inline(never)
  private mutating func look(at text: Span<UInt8>, _ marks: NumberMarks) {
    if let word = NullLikeWord(text) {
      words[word.rawValue] += 1
    } else if let look = SortLook(text, marks) {
      looks[look.rawValue] += 1
    }
  }
}

extension SortLook {
  /// What `text` looks like, which is no number.
  fileprivate init?(_ text: Span<UInt8>, _ marks: NumberMarks) {
    if Size.read(text, marks: marks) != nil {
      self = text.contains(UInt8(ascii: "%")) ? .percent : .size
    } else if marks == .standard, let comma = Self.comma(text) {
      self = comma
    } else if Self.isDate(text) {
      self = .date
    } else {
      return nil
    }
  }

  /// Which mark the commas of a number are.
  private static func comma(_ text: Span<UInt8>) -> Self? {
    guard text.contains(UInt8(ascii: ",")) else { return nil }
    let comma = UInt8(ascii: ",")
    if let marks = NumberMarks(thousands: [comma]), NumberReader.isNumber(text, marks: marks) {
      return .thousandsComma
    }
    if let marks = NumberMarks(decimal: comma, thousands: [UInt8(ascii: ".")]),
      NumberReader.isNumber(text, marks: marks)
    {
      return .decimalComma
    }
    return nil
  }

  /// Whether the text begins with a day and a month, or the other way round, and a year: `31/12/2024`, `1.2.2024`.
  private static func isDate(_ text: Span<UInt8>) -> Bool {
    var index = 0
    func digits() -> Int {
      let start = index
      while index < text.count, NumberScan.digit(text[index]) <= 9 { index += 1 }
      return index - start
    }
    guard (1...2).contains(digits()), index < text.count else { return false }
    let mark = text[index]
    guard mark == UInt8(ascii: "/") || mark == UInt8(ascii: ".") || mark == UInt8(ascii: "-") else {
      return false
    }
    index += 1
    guard (1...2).contains(digits()), index < text.count, text[index] == mark else { return false }
    index += 1
    let year = digits()
    guard year == 4 || (year == 2 && mark == UInt8(ascii: "/")) else { return false }
    return index == text.count || NumberScan.isBlank(text[index]) || text[index] == UInt8(ascii: "T")
  }
}

/// A word that says that there is no value, though only `--null` makes it null.
enum NullLikeWord: Int, CaseIterable, Sendable {
  case notAvailable
  case notAvailableSlashed
  case null
  case dash

  /// The word that `text` is; nil when it is any other.
  init?(_ text: Span<UInt8>) {
    switch text.count {
    case 1 where text.equals("-"): self = .dash
    case 2 where text.equals("NA"): self = .notAvailable
    case 3 where text.equals("N/A"): self = .notAvailableSlashed
    case 4 where text.equals("null"): self = .null
    default: return nil
    }
  }

  /// The word as it is written.
  var text: String {
    switch self {
    case .notAvailable: "NA"
    case .notAvailableSlashed: "N/A"
    case .null: "null"
    case .dash: "-"
    }
  }
}

extension Span<UInt8> {
  /// Whether the text is one of the words that say that there is no value.
  var isNullLike: Bool { NullLikeWord(self) != nil }
}
