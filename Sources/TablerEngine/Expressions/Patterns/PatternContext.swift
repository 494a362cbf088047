/// What stands to the left of a place, as far as conditions ask for it.
struct PatternContext: OptionSet, Hashable {
  /// The bits of the members.
  let rawValue: UInt8

  /// Nothing: the text begins here.
  static let textStart = Self(rawValue: 1)
  /// A line feed.
  static let newline = Self(rawValue: 2)
  /// An ASCII word character.
  static let word = Self(rawValue: 4)

  /// Creates the set of these bits.
  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The context before the scalar at `offset`.
  @inline(__always)
  init(in text: Span<UInt8>, at offset: Int) {
    self = offset == 0 ? .textStart : Self(after: UInt32(text[offset &- 1]))
  }

  /// The context after `scalar`, of which the first 128 matter.
  init(after scalar: UInt32) {
    self = scalar == 0x0A ? .newline : PatternScalars.word.contains(scalar) ? .word : []
  }

  /// Whether `assertion` holds between this and `next`; without `next` the text ends.
  func satisfies(_ assertion: PatternAssertion, before next: UInt32?) -> Bool {
    switch assertion {
    case .textStart: return contains(.textStart)
    case .textEnd: return next == nil
    case .lineStart: return !isDisjoint(with: [.textStart, .newline])
    case .lineEnd: return next == nil || next == 0x0A
    case .wordBoundary, .noWordBoundary:
      let isWordNext = next.map { $0 < 0x80 && Self(after: $0) == .word } ?? false
      return (contains(.word) != isWordNext) == (assertion == .wordBoundary)
    }
  }
}
