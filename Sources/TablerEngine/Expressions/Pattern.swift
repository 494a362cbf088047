/// Flags of a pattern, until the automaton that is being written takes this file's place.
public struct PatternFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Creates flags from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The flags of `letters`; nil when one of them is none.
  public init?(letters: String) {
    guard letters.isEmpty else { return nil }
    self.init(rawValue: 0)
  }
}

/// What is wrong with a pattern.
public struct PatternError: Error, Equatable, Sendable {
  /// The kind of mistake.
  public enum Kind: Equatable, Sendable {
    /// `(` without `)`.
    case unclosedGroup
  }

  /// The kind of mistake.
  public var kind: Kind
  /// Where it is.
  public var range: Range<Int>
}

/// A pattern of `=~`: plain text only for now.
struct Pattern: Sendable {
  fileprivate let bytes: [UInt8]

  init(_ source: String, flags: PatternFlags = []) throws(PatternError) {
    if let mark = source.utf8.firstIndex(where: { #"\.+*?()|[]{}^$"#.utf8.contains($0) }) {
      let offset = source.utf8.distance(from: source.utf8.startIndex, to: mark)
      throw PatternError(kind: .unclosedGroup, range: offset..<offset + 1)
    }
    bytes = Array(source.utf8)
  }
}

/// A pattern at work.
final class PatternMatcher {
  private let pattern: Pattern
  private(set) var groups: [Range<Int>?] = []

  init(_ pattern: Pattern) { self.pattern = pattern }

  func matches(_ text: Span<UInt8>) -> Bool {
    let bytes = pattern.bytes
    return text.firstRange(of: bytes.span, from: 0) != nil
  }

  func nextCaptures(in text: Span<UInt8>, after previous: Range<Int>?) -> Range<Int>? {
    let bytes = pattern.bytes
    let place = text.firstRange(of: bytes.span, from: previous?.upperBound ?? 0)
    groups = place.map { [$0..<$0 + pattern.bytes.count] } ?? []
    return groups.first ?? nil
  }
}
