/// What is known of every code point, read from tables that lie in the program.
///
/// Numbers in the tables are letters of six bits, counted from `0` (48).
enum UnicodeTables {
  /// The traits of a code point; those of an unassigned one if there is no such code point.
  @inline(__always)
  static func traits(of scalar: UInt32) -> ScalarTraits {
    guard scalar < 0x11_0000 else { return ScalarTraits(rawValue: 1) }
    let stretch = Int(scalar >> 6) &* 2
    let block = Int(stretches[stretch] &- 48) &<< 6 | Int(stretches[stretch &+ 1] &- 48)
    let word = Int(blocks[block &<< 6 | Int(scalar & 63)] &- 48) &* 2
    return ScalarTraits(rawValue: UInt16(words[word] &- 48) &<< 6 | UInt16(words[word &+ 1] &- 48))
  }
}
