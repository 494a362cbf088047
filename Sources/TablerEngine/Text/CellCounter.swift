/// Adds up the cells of one scalar after another, aware of grapheme clusters.
///
/// A cluster is as wide as the sum of its parts, with these exceptions: the second half of a flag, a joined
/// pictograph and a skin tone add nothing to the emoji before them; a variation selector 16 widens a narrow
/// emoji to two cells; the first spacing mark adds one cell, and so do the further consonants of a conjunct,
/// together.
struct CellCounter: Sendable {
  private var breaker = GraphemeBreaker()

  /// The cells of East Asian ambiguous characters.
  private let ambiguous: Int

  /// Whether a spacing mark or selector has something to change: the scalar counted last.
  private var hasBase = false

  /// The cells that a variation selector 16 adds to the scalar counted last.
  private var widening = 0

  /// Whether the scalar counted last takes a skin tone.
  private var isEmoji = false

  /// Whether a conjunct has already added its cell.
  private var hasConjunct = false

  /// The variation selector that asks for the emoji form.
  static let emojiSelector: UInt32 = 0xFE0F

  /// Starts at the beginning of a text.
  ///
  /// - Parameter ambiguous: the cells of East Asian ambiguous characters, 1 or 2.
  @inline(__always)
  init(ambiguous: Int) { self.ambiguous = ambiguous }

  /// Consumes the next scalar; returns whether a cluster begins with it and the cells it adds.
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

  /// Starts again, as at the beginning of a text.
  @inline(__always)
  mutating func restart() {
    forget()
    breaker = GraphemeBreaker()
  }

  /// Starts again after an ordinary scalar, or one of ASCII that is no control character.
  @inline(__always)
  mutating func restart(after traits: ScalarTraits) {
    breaker = GraphemeBreaker(after: traits)
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

/// The cells of a text that arrives in pieces: the same wherever it is split, even within a cluster or a character.
struct RunningWidth {
  private var width = 0
  private var counter = CellCounter(ambiguous: 1)

  /// The bytes of the last character, if some of its bytes have not arrived yet.
  private var rest: [UInt8] = []

  /// The cells of everything so far; bytes that are not UTF-8 count as the U+FFFD that will replace them.
  var cells: Int { width + (rest.isEmpty ? 0 : displayWidth(of: rest.span)) }

  /// Appends the next piece.
  mutating func append(_ text: Span<UInt8>) {
    guard rest.isEmpty else {
      let whole = rest + Array(copying: text)
      rest = []
      return append(whole.span)
    }
    guard let last = text.isEmpty ? nil : text[text.count &- 1] else { return }
    if text.isPlain {
      width += text.count
      return counter.restart(after: UnicodeTables.traits(of: UInt32(last)))
    }
    let end = text.count &- text.cutScalarLength
    var offset = 0
    while offset < end {
      let scalar = text.scalar(at: offset)
      width += counter.count(scalar.value, UnicodeTables.traits(of: scalar.value)).cells
      offset &+= scalar.length
    }
    rest = Array(copying: text.extracting(end...))
  }
}

extension Span<UInt8> {
  /// The number of bytes at the end that begin a character of UTF-8 without completing it.
  fileprivate var cutScalarLength: Int {
    for length in 1...Swift.max(1, Swift.min(3, count)) where length <= count {
      let byte = self[count &- length]
      if byte & 0xC0 == 0x80 { continue }
      let whole = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length < whole ? length : 0
    }
    return 0
  }
}

/// Finds where grapheme clusters begin, one scalar after another: the extended clusters of UAX #29.
private struct GraphemeBreaker: Sendable {
  /// The previous scalar; at the start of a text the same as after a control character.
  private var previous = GraphemeBreak.control

  /// How far a pictograph and what follows it match rule GB11, which joins the next pictograph.
  private var pictograph = Chain.none

  /// How far a consonant and what follows it match rule GB9c, which joins the next consonant.
  private var conjunct = Chain.none

  /// Whether the previous scalar is a regional indicator without a partner (rules GB12, GB13).
  private var isHalfFlag = false

  /// How much has been seen of a sequence that joins two scalars with something between them.
  private enum Chain: UInt8 {
    case none
    case begun
    case linked
  }

  /// Why a scalar belongs to the cluster before it.
  enum Attachment: UInt8 {
    /// It does not: a new cluster begins.
    case begins
    /// It extends the cluster.
    case continues
    /// It is the second half of a flag.
    case completesFlag
    /// It is joined to the previous pictograph.
    case joinsPictograph
    /// It is a consonant in a conjunct.
    case joinsConjunct
  }

  /// Starts at the beginning of a text.
  @inline(__always)
  init() {}

  /// Starts after an ordinary scalar, or one of ASCII that is no control character.
  @inline(__always)
  init(after traits: ScalarTraits) { previous = traits.graphemeBreak }

  /// Consumes the next scalar and returns whether a cluster begins with it.
  @inline(__always)
  mutating func step(_ traits: ScalarTraits) -> Attachment {
    let next = traits.graphemeBreak
    let step = relation(of: traits, next)
    advance(traits, next, completesFlag: step == .completesFlag)
    return step
  }

  @inline(__always)
  private func relation(of traits: ScalarTraits, _ next: GraphemeBreak) -> Attachment {
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
  /// Whether it is a control character, which is always a cluster of its own.
  fileprivate var isControl: Bool { self == .control || self == .carriageReturn || self == .lineFeed }

  /// Whether this part of a Hangul syllable continues one that ends with `before` (rules GB6 to GB8).
  fileprivate func joins(_ before: GraphemeBreak) -> Bool {
    switch self {
    case .leadingJamo, .syllable, .closedSyllable: before == .leadingJamo
    case .vowelJamo: before == .leadingJamo || before == .vowelJamo || before == .syllable
    default:
      before != .other && before.rawValue <= GraphemeBreak.trailingJamo.rawValue && before != .leadingJamo
    }
  }
}

/// A grapheme cluster, or a control sequence: it is never split.
struct Cluster: Equatable, Sendable {
  /// Where its bytes lie.
  var range: Range<Int>
  /// The cells it takes up.
  var width: Int
}

/// Walks over a text cluster by cluster.
///
/// The cursor holds only offsets; the text is passed to each call.
struct ClusterCursor: Sendable {
  /// Where the next cluster begins.
  private(set) var offset: Int
  private let metrics: TextMetrics
  private var counter: CellCounter

  /// Starts at `offset`, where a cluster begins.
  @inline(__always)
  init(at offset: Int = 0, metrics: TextMetrics) {
    self.offset = offset
    self.metrics = metrics
    counter = CellCounter(ambiguous: metrics.ambiguousWidth)
  }

  /// The next cluster of `text`; `nil` at its end.
  @inline(__always)
  mutating func next(in text: Span<UInt8>) -> Cluster? {
    guard offset < text.count else { return nil }
    let start = offset
    if text.isPlain(at: start), start &+ 1 == text.count || text.isPlain(at: start &+ 1) {
      offset = start &+ 1
      return Cluster(range: start..<offset, width: 1)
    }
    return nextRare(in: text)
  }

  private mutating func nextRare(in text: Span<UInt8>) -> Cluster {
    let start = offset
    if metrics.passesControl, let length = text.controlSequenceLength(at: start) {
      offset = start &+ length
      return Cluster(range: start..<offset, width: 0)
    }
    let first = text.scalar(at: start)
    let traits = UnicodeTables.traits(of: first.value)
    if traits.standsAlone, text.isOrdinary(at: start &+ first.length) {
      offset = start &+ first.length
      return Cluster(range: start..<offset, width: traits.cells(ambiguous: metrics.ambiguousWidth))
    }
    return nextOfSeveral(in: text)
  }

  /// The next cluster if it may have several scalars.
  private mutating func nextOfSeveral(in text: Span<UInt8>) -> Cluster {
    let start = offset
    counter.restart()
    var width = 0
    repeat {
      let scalar = text.scalar(at: offset)
      let traits = UnicodeTables.traits(of: scalar.value)
      let (begins, cells) = counter.count(scalar.value, traits)
      if begins, offset > start { break }
      width &+= cells
      offset &+= scalar.length
    } while offset < text.count && !(metrics.passesControl && text.controlSequenceLength(at: offset) != nil)
    return Cluster(range: start..<offset, width: width)
  }
}

extension Span where Element == UInt8 {
  /// Whether the byte at `offset` is printable ASCII.
  @inline(__always)
  fileprivate func isPlain(at offset: Int) -> Bool { self[offset] &- 0x20 <= 0x5E }

  /// Whether the text ends at `offset` or continues with a scalar that does not affect clusters.
  @inline(__always)
  fileprivate func isOrdinary(at offset: Int) -> Bool {
    offset == count || isPlain(at: offset) || UnicodeTables.traits(of: scalar(at: offset).value).isOrdinary
  }
}
