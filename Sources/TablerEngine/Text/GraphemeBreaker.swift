/// Finds where grapheme clusters begin, scalar after scalar: the extended clusters of UAX #29.
struct GraphemeBreaker: Sendable {
  /// The scalar before; at the start of a text as after a control character.
  private var previous = GraphemeBreak.control

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

  /// Starts before a text.
  @inline(__always)
  init() {}

  /// Starts after an ordinary scalar, or one of ASCII that is no control character.
  @inline(__always)
  init(behind traits: ScalarTraits) { previous = traits.graphemeBreak }

  /// Takes the next scalar and says whether a cluster begins with it.
  @inline(__always)
  mutating func step(_ traits: ScalarTraits) -> Step {
    let next = traits.graphemeBreak
    let step = relation(of: traits, next)
    advance(traits, next, completesFlag: step == .completesFlag)
    return step
  }

  @inline(__always)
  private func relation(of traits: ScalarTraits, _ next: GraphemeBreak) -> Step {
    let before = previous
    switch next {
    case .extend, .joiner, .spacingMark: return before.isControl ? .begins : .continues
    case .carriageReturn, .control: return .begins
    case .lineFeed: return before == .carriageReturn ? .continues : .begins
    case .regionalIndicator where isHalfFlag: return .completesFlag
    case .other where traits.isPictograph && pictograph == .linked: return .joinsPictograph
    case .other where traits.conjunctRole == .consonant && conjunct == .linked: return .joinsConjunct
    case .leadingJamo, .syllable, .closedSyllable, .vowelJamo, .trailingJamo:
      return before == .prepend || next.joins(before) ? .continues : .begins
    default: return before == .prepend ? .continues : .begins
    }
  }

  @inline(__always)
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

extension GraphemeBreak {
  /// Whether it is a control character, which stands alone.
  fileprivate var isControl: Bool { self == .control || self == .carriageReturn || self == .lineFeed }

  /// Whether this part of a Hangul syllable goes on in one that has come to `before` (rules GB6 to GB8).
  fileprivate func joins(_ before: GraphemeBreak) -> Bool {
    switch self {
    case .leadingJamo, .syllable, .closedSyllable: before == .leadingJamo
    case .vowelJamo: before == .leadingJamo || before == .vowelJamo || before == .syllable
    default:
      before != .other && before.rawValue <= GraphemeBreak.trailingJamo.rawValue && before != .leadingJamo
    }
  }
}
