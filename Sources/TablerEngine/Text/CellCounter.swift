/// Adds up the cells of scalar after scalar, aware of grapheme clusters.
///
/// A cluster is as wide as its parts, but for these: the second half of a flag, a joined
/// pictograph and a skin tone add nothing to the emoji before them; a variation selector 16
/// widens a narrow emoji to two cells; the first spacing mark, and the further consonants of
/// a conjunct together, add one cell.
struct CellCounter: Sendable {
  private var breaker = GraphemeBreaker()

  /// The cells of East Asian ambiguous characters.
  private let ambiguous: Int

  /// Whether a spacing mark or selector has something to change: what was counted last.
  private var hasBase = false

  /// The cells a variation selector 16 adds to what was counted last.
  private var widening = 0

  /// Whether what was counted last takes a skin tone.
  private var isEmoji = false

  /// Whether a conjunct added its cell already.
  private var hasConjunct = false

  /// The variation selector that asks for an emoji.
  static let emojiSelector: UInt32 = 0xFE0F

  /// Starts before a text.
  ///
  /// - Parameter ambiguous: the cells of East Asian ambiguous characters, 1 or 2.
  @inline(__always)
  init(ambiguous: Int) { self.ambiguous = ambiguous }

  /// Takes the next scalar; returns whether a cluster begins with it and the cells it adds.
  @inline(__always)
  mutating func count(_ scalar: UInt32, _ traits: ScalarTraits) -> (beginsCluster: Bool, cells: Int) {
    let step = breaker.step(traits)
    switch step {
    case .begins:
      forget()
    case .completesFlag, .joinsPictograph:
      return (false, 0)
    case .joinsConjunct:
      let cells = hasConjunct ? 0 : 1
      base(traits, cells: 1)
      hasConjunct = true
      return (false, cells)
    case .continues:
      if hasBase, scalar == Self.emojiSelector { return (false, widen()) }
      if hasBase, traits.isSpacingMark { return (false, lengthen()) }
      if isEmoji, traits.isEmojiModifier { return (false, 0) }
    }
    let cells = traits.cells(ambiguous: ambiguous)
    if cells > 0 { base(traits, cells: cells) }
    return (step == .begins, cells)
  }

  /// Starts again after a control sequence.
  @inline(__always)
  mutating func forget() {
    hasBase = false
    widening = 0
    isEmoji = false
    hasConjunct = false
  }

  /// Starts again as before a text.
  @inline(__always)
  mutating func restart() {
    forget()
    breaker = GraphemeBreaker()
  }

  /// Starts again after an ordinary scalar, or one of ASCII that is no control character.
  @inline(__always)
  mutating func restart(behind traits: ScalarTraits) {
    breaker = GraphemeBreaker(behind: traits)
    base(traits, cells: traits.cells(ambiguous: ambiguous))
  }

  @inline(__always)
  private mutating func base(_ traits: ScalarTraits, cells: Int) {
    hasBase = cells > 0
    widening = traits.isWidenedByEmojiSelector ? max(0, 2 &- cells) : 0
    isEmoji = traits.isPictograph || traits.graphemeBreak == .regionalIndicator
    hasConjunct = false
  }

  @inline(__always)
  private mutating func widen() -> Int {
    hasBase = false
    return widening
  }

  @inline(__always)
  private mutating func lengthen() -> Int {
    hasBase = false
    defer { hasConjunct = false }
    return hasConjunct ? 0 : 1
  }
}
