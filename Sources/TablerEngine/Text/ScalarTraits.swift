/// How a scalar takes part in grapheme clusters (Grapheme_Cluster_Break).
///
/// The raw values are those of the generated tables.
enum GraphemeBreak: UInt8, Sendable {
  case other
  case leadingJamo
  case syllable
  case closedSyllable
  case vowelJamo
  case trailingJamo
  case carriageReturn
  case lineFeed
  case control
  case extend
  case joiner
  case regionalIndicator
  case prepend
  case spacingMark
}

/// How a scalar takes part in Indic conjuncts (Indic_Conjunct_Break).
enum ConjunctRole: UInt8, Sendable {
  case none
  case consonant
  case linker
  case extend
}

/// What measuring and clustering need to know about one scalar, in twelve bits.
///
///     11       10       9    8           7 6       5 … 2  1 0
///     widened modifier mark pictograph  conjunct  break  cells
struct ScalarTraits: Equatable, Sendable {
  /// The bits.
  let rawValue: UInt16

  /// The traits of a control character.
  static let control = ScalarTraits(rawValue: UInt16(GraphemeBreak.control.rawValue) &<< 2)

  /// Whether the scalar begins a cluster, adds its cells and does not affect the scalars after it.
  @inline(__always)
  var isOrdinary: Bool { rawValue < 16 }

  /// Whether the scalar is ordinary and does not take another ordinary one into its cluster, as a leading
  /// jamo does.
  @inline(__always)
  var standsAlone: Bool { isOrdinary && rawValue &>> 2 != GraphemeBreak.leadingJamo.rawValue }

  /// The cells the scalar takes by itself.
  ///
  /// - Parameter ambiguous: the cells of an East Asian ambiguous character.
  @inline(__always)
  func cells(ambiguous: Int) -> Int {
    let cells = Int(rawValue & 3)
    return cells == 3 ? ambiguous : cells
  }

  /// How it takes part in clusters.
  @inline(__always)
  var graphemeBreak: GraphemeBreak {
    switch rawValue &>> 2 & 15 {
    case 1: .leadingJamo
    case 2: .syllable
    case 3: .closedSyllable
    case 4: .vowelJamo
    case 5: .trailingJamo
    case 6: .carriageReturn
    case 7: .lineFeed
    case 8: .control
    case 9: .extend
    case 10: .joiner
    case 11: .regionalIndicator
    case 12: .prepend
    case 13: .spacingMark
    default: .other
    }
  }

  /// How it takes part in conjuncts.
  @inline(__always)
  var conjunctRole: ConjunctRole {
    switch rawValue &>> 6 & 3 {
    case 1: .consonant
    case 2: .linker
    case 3: .extend
    default: .none
    }
  }

  /// Whether it is Extended_Pictographic.
  @inline(__always)
  var isPictograph: Bool { rawValue & 1 &<< 8 != 0 }

  /// Whether it is a spacing combining mark (category Mc).
  @inline(__always)
  var isSpacingMark: Bool { rawValue & 1 &<< 9 != 0 }

  /// Whether it is one of the five skin tones.
  @inline(__always)
  var isEmojiModifier: Bool { rawValue & 1 &<< 10 != 0 }

  /// Whether it is narrow, but wide if a variation selector 16 follows.
  @inline(__always)
  var isWidenedByEmojiSelector: Bool { rawValue & 1 &<< 11 != 0 }
}

/// The traits of every code point, read from tables in the program.
///
/// Numbers in the tables are characters of six bits, counted from `0` (48).
enum UnicodeTables {
  /// The traits of a code point; those of an unassigned one if it does not exist.
  @inline(__always)
  static func traits(of scalar: UInt32) -> ScalarTraits {
    guard scalar < 0x11_0000 else { return ScalarTraits(rawValue: 1) }
    let stretch = Int(scalar >> 6) &* 2
    let block = Int(stretches[stretch] &- 48) &<< 6 | Int(stretches[stretch &+ 1] &- 48)
    let word = Int(blocks[block &<< 6 | Int(scalar & 63)] &- 48) &* 2
    return ScalarTraits(rawValue: UInt16(words[word] &- 48) &<< 6 | UInt16(words[word &+ 1] &- 48))
  }
}
