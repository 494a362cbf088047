/// A word that says that there is no value, though only `--null` makes it null.
enum NullLikeWord: String, CaseIterable, Sendable {
  case notAvailable = "NA"
  case notAvailableSlashed = "N/A"
  case null
  case dash = "-"

  /// The word that `text` is; nil when it is any other.
  init?(_ text: Span<UInt8>) {
    guard let word = Self.allCases.first(where: { $0.rawValue.utf8.count == text.count }) else { return nil }
    for (index, byte) in word.rawValue.utf8.enumerated() where text[index] != byte { return nil }
    self = word
  }
}

extension Span<UInt8> {
  /// Whether the text is one of the words that say that there is no value.
  var isNullLike: Bool { count <= 4 && NullLikeWord(self) != nil }
}
