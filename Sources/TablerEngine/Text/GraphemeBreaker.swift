/// Finds where grapheme clusters begin, scalar after scalar: the extended clusters of UAX #29.
struct GraphemeBreaker: Sendable {
  /// The break property of the scalar before; `nil` at the start of the text.
  private(set) var previous: GraphemeBreak?

  /// What a pictograph before would need to take the next one into its cluster (rule GB11).
  private var pictograph = Chain.none

  /// What a consonant before would need to take the next one into its cluster (rule GB9c).
  private var conjunct = Chain.none

  /// Whether the scalar before is a regional indicator without a partner (rules GB12, GB13).
  private var isHalfFlag = false

  /// How far two scalars with something between them have come to be one cluster.
  private enum Chain: UInt8 {
    case none
    case begun
    case linked
  }

  /// What makes a scalar go on in the cluster before it.
  enum Step: UInt8 {
    /// It does not: a cluster begins.
    case begins
    /// It goes on in the cluster.
    case continues
    /// It is the second half of a flag.
    case completesFlag
    /// It is joined to the pictograph before.
    case joinsPictograph
    /// It is a consonant in a conjunct.
    case joinsConjunct
  }

  /// Takes the next scalar and says whether a cluster begins with it.
  mutating func step(_ traits: ScalarTraits) -> Step {
    let next = traits.graphemeBreak
    let step = relation(of: traits, next)
    advance(traits, next, completesFlag: step == .completesFlag)
    return step
  }

  /// Takes an ordinary scalar without asking whether a cluster begins with it.
  @inline(__always)
  mutating func skip(ordinary traits: ScalarTraits) {
    previous = traits.graphemeBreak
    pictograph = .none
    conjunct = .none
    isHalfFlag = false
  }

  private func relation(of traits: ScalarTraits, _ next: GraphemeBreak) -> Step {
    guard let previous else { return .begins }
    switch (previous, next) {
    case (.carriageReturn, .lineFeed): return .continues
    case (.carriageReturn, _), (.lineFeed, _), (.control, _): return .begins
    case (_, .carriageReturn), (_, .lineFeed), (_, .control): return .begins
    case (.leadingJamo, .leadingJamo), (.leadingJamo, .vowelJamo), (.leadingJamo, .syllable),
      (.leadingJamo, .closedSyllable):
      return .continues
    case (.syllable, .vowelJamo), (.vowelJamo, .vowelJamo), (.syllable, .trailingJamo),
      (.vowelJamo, .trailingJamo), (.closedSyllable, .trailingJamo), (.trailingJamo, .trailingJamo):
      return .continues
    case (_, .extend), (_, .joiner), (_, .spacingMark): return .continues
    case (.prepend, _): return .continues
    case (.regionalIndicator, .regionalIndicator): return isHalfFlag ? .completesFlag : .begins
    default: break
    }
    if conjunct == .linked, traits.conjunctRole == .consonant { return .joinsConjunct }
    if pictograph == .linked, traits.isPictograph { return .joinsPictograph }
    return .begins
  }

  private mutating func advance(_ traits: ScalarTraits, _ next: GraphemeBreak, completesFlag: Bool) {
    switch traits.conjunctRole {
    case .consonant: conjunct = .begun
    case .linker: if conjunct == .begun { conjunct = .linked }
    case .extend: break
    case .none: conjunct = .none
    }
    if traits.isPictograph {
      pictograph = .begun
    } else if pictograph == .begun, next == .joiner {
      pictograph = .linked
    } else if next != .extend || pictograph == .linked {
      pictograph = .none
    }
    isHalfFlag = next == .regionalIndicator && !completesFlag
    previous = next
  }
}
