/// What is wrong with a pattern, and where: offsets are bytes within its source.
public struct PatternError: Error, Equatable, Sendable {
  /// The kind of mistake.
  public enum Kind: Equatable, Sendable {
    /// `(` without `)`.
    case unclosedGroup
    /// `)` without `(`.
    case unopenedGroup
    /// `[` without `]`.
    case unclosedClass
    /// A range that runs backwards, as in `[z-a]`.
    case badRange
    /// A class of a name that does not exist, as in `\p{Klingon}` or `[[:word:]]`.
    case unknownClass(String)
    /// `*`, `+`, `?` or `{…}` with nothing to repeat, or after another one.
    case nothingToRepeat
    /// A count above 1000 or a minimum above the maximum.
    case badCount
    /// A backslash before something that it gives no meaning to, or at the end.
    case badEscape
    /// A back-reference, which linear time rules out.
    case backReference
    /// A look-ahead or look-behind, or a group that does not give back.
    case lookAround
    /// An unknown letter or mark after `(?`.
    case badGroup
    /// A group name that is empty, ill formed or used twice.
    case badName
    /// Groups within groups beyond the limit.
    case tooDeep
    /// A pattern that takes too much room when its repetitions are written out.
    case tooLarge
  }

  /// The kind of mistake.
  public var kind: Kind
  /// Where it is.
  public var range: Range<Int>
}
