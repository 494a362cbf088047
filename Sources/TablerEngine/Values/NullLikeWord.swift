/// A word for a missing value, though only `--null` makes it null.
enum NullLikeWord: String, CaseIterable {
  case notAvailable = "NA"
  case notAvailableSlashed = "N/A"
  case null
  case dash = "-"
  case empty = ""
  case dashes = "--"
  case lowerNotAvailableSlashed = "n/a"
  case upperNull = "NULL"
  case none
  case upperNone = "None"
  case `nil`
  case notANumber = "NaN"
  case lowerNotANumber = "nan"

  /// The bytes of the longest.
  static let longest = 4

  /// The word that `text` is; nil if it is any other.
  init?(_ text: Span<UInt8>) {
    switch text.count {
    case 0: self = .empty
    case 1 where text.equals("-"): self = .dash
    case 2 where text.equals("NA"): self = .notAvailable
    case 2 where text.equals("--"): self = .dashes
    case 3 where text.equals("N/A"): self = .notAvailableSlashed
    case 3 where text.equals("n/a"): self = .lowerNotAvailableSlashed
    case 3 where text.equals("nil"): self = .nil
    case 3 where text.equals("NaN"): self = .notANumber
    case 3 where text.equals("nan"): self = .lowerNotANumber
    case 4 where text.equals("null"): self = .null
    case 4 where text.equals("NULL"): self = .upperNull
    case 4 where text.equals("none"): self = .none
    case 4 where text.equals("None"): self = .upperNone
    default: return nil
    }
  }

  /// Whether it may be a code of two letters: it is that of Namibia.
  var mayBeCode: Bool { self == .notAvailable }

  /// Whether a column of numbers that contains it is still drawn as a column of numbers.
  fileprivate var isAmongNumbers: Bool {
    switch self {
    case .notAvailable, .notAvailableSlashed, .null, .dash: true
    case .empty, .dashes, .lowerNotAvailableSlashed, .upperNull, .none, .upperNone, .nil, .notANumber,
      .lowerNotANumber:
      false
    }
  }
}

extension Span<UInt8> {
  /// Whether the text is one of the words for a missing value that are drawn among numbers.
  var isNullLike: Bool { NullLikeWord(self)?.isAmongNumbers ?? false }

  /// Whether the text is a code of two capital letters, such as `DE`, and not a word for a missing value.
  var isCodeOfTwoLetters: Bool {
    count == 2 && self[0] &- 0x41 < 26 && self[1] &- 0x41 < 26 && NullLikeWord(self) == nil
  }
}
