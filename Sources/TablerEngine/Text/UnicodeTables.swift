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

  /// Whether `scalar` may begin an identifier (XID_Start).
  static func isIdentifierStart(_ scalar: UInt32) -> Bool {
    if scalar < 0x80 { return scalar | 0x20 >= 0x61 && scalar | 0x20 <= 0x7A }
    return contains(scalar, changes: identifierStart)
  }

  /// Whether `scalar` may go on an identifier (XID_Continue).
  static func isIdentifierContinue(_ scalar: UInt32) -> Bool {
    if scalar < 0x80 {
      return scalar | 0x20 >= 0x61 && scalar | 0x20 <= 0x7A || scalar >= 0x30 && scalar <= 0x39
        || scalar == 0x5F
    }
    return contains(scalar, changes: identifierContinue)
  }

  /// Whether an odd number of `changes` stands at or before `scalar`.
  private static func contains(_ scalar: UInt32, changes: StaticBytes) -> Bool {
    var low = 0
    var high = changes.count / 4
    while low < high {
      let middle = (low &+ high) / 2
      if change(middle, in: changes) <= scalar { low = middle &+ 1 } else { high = middle }
    }
    return low & 1 == 1
  }

  private static func change(_ index: Int, in changes: StaticBytes) -> UInt32 {
    var number: UInt32 = 0
    for place in 0..<4 { number = number &<< 6 | UInt32(changes[index &* 4 &+ place] &- 48) }
    return number
  }
}

extension Unicode.Scalar {
  /// Whether an identifier may begin with this scalar (XID_Start).
  public var isIdentifierStart: Bool { UnicodeTables.isIdentifierStart(value) }

  /// Whether an identifier may go on with this scalar (XID_Continue).
  public var isIdentifierContinue: Bool { UnicodeTables.isIdentifierContinue(value) }
}
