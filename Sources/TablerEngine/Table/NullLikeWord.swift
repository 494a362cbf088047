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
