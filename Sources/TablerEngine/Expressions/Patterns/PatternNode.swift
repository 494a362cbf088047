/// The shape of a pattern, as it was parsed.
indirect enum PatternNode: Sendable {
  /// Matches between two scalars.
  case empty
  /// One scalar of a set.
  case scalars(PatternScalars)
  /// All, one after the other.
  case sequence([PatternNode])
  /// One of them, the first that leads to a match.
  case alternatives([PatternNode])
  /// Between `least` and `most` times; without `most` any number of times.
  case repetition(PatternNode, least: Int, most: Int?, isLazy: Bool)
  /// A group whose place is noted; 0 is the whole match.
  case group(PatternNode, number: Int)
  /// A condition on what stands to the left and right.
  case assertion(PatternAssertion)
}

/// A condition between two scalars.
enum PatternAssertion: UInt8, Sendable {
  /// `\A`, and `^` without `m`.
  case textStart
  /// `\z`, and `$` without `m`.
  case textEnd
  /// `^` with `m`.
  case lineStart
  /// `$` with `m`.
  case lineEnd
  /// `\b`, between an ASCII word character and something else.
  case wordBoundary
  /// `\B`.
  case noWordBoundary
}
