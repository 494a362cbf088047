/// What is wrong with a pattern.
public struct PatternError: Error, Equatable, Sendable {}

/// A pattern of `=~`: plain text only, until the automaton that is being written takes this file's place.
struct Pattern: Sendable {
  private let bytes: [UInt8]

  init(_ source: String, flags: String) throws(PatternError) {
    guard !source.contains(where: { #"\.+*?()|[]{}^$"#.contains($0) }), flags.isEmpty else {
      throw PatternError()
    }
    bytes = Array(source.utf8)
  }

  /// Whether the text holds the pattern.
  func matches(_ text: Span<UInt8>) -> Bool { text.firstRange(of: bytes.span, from: 0) != nil }

  /// The places of the first match and its groups.
  func captures(in text: Span<UInt8>) -> [Range<Int>?]? {
    text.firstRange(of: bytes.span, from: 0).map { [$0..<$0 + bytes.count] }
  }

  /// The text with the first match, or all, replaced.
  func replacing(in text: Span<UInt8>, by new: Span<UInt8>, all: Bool) -> [UInt8] {
    TextFunctions.replaced(text, bytes.span, by: new) ?? []
  }
}
