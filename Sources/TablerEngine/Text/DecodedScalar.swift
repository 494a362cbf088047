/// A scalar as it was read from UTF-8.
struct DecodedScalar: Equatable, Sendable {
  /// The scalar; U+FFFD for bytes that are not UTF-8.
  var value: UInt32
  /// How many bytes it takes in the text.
  var length: Int
  /// Whether the bytes are UTF-8.
  var isWellFormed = true

  /// Bytes that are no UTF-8, as many as would have begun a scalar.
  @inline(__always)
  static func illFormed(_ length: Int) -> DecodedScalar {
    DecodedScalar(value: 0xFFFD, length: length, isWellFormed: false)
  }
}

extension Span where Element == UInt8 {
  /// The scalar that begins at `offset`.
  ///
  /// Ill-formed bytes become one U+FFFD for each maximal subpart, as the standard library
  /// and browsers repair them.
  @inline(__always)
  func scalar(at offset: Int) -> DecodedScalar {
    let lead = self[offset]
    if lead < 0x80 { return DecodedScalar(value: UInt32(lead), length: 1) }
    if lead >= 0xE1, lead <= 0xEC, offset &+ 2 < count {
      let second = self[offset &+ 1]
      let third = self[offset &+ 2]
      if second & 0xC0 == 0x80, third & 0xC0 == 0x80 {
        let value = UInt32(lead & 0x0F) &<< 12 | UInt32(second & 0x3F) &<< 6 | UInt32(third & 0x3F)
        return DecodedScalar(value: value, length: 3)
      }
    }
    return rareScalar(at: offset, lead: lead)
  }

  /// The scalar whose first byte is `lead`, by the table of well-formed byte sequences.
  private func rareScalar(at offset: Int, lead: UInt8) -> DecodedScalar {
    guard lead >= 0xC2, lead <= 0xF4 else { return .illFormed(1) }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    var low: UInt8 = 0x80
    var high: UInt8 = 0xBF
    switch lead {
    case 0xE0: low = 0xA0
    case 0xED: high = 0x9F
    case 0xF0: low = 0x90
    case 0xF4: high = 0x8F
    default: break
    }
    var value = UInt32(lead & (0xFF &>> UInt8(truncatingIfNeeded: length &+ 1)))
    for place in 1..<length {
      guard offset &+ place < count else { return .illFormed(place) }
      let byte = self[offset &+ place]
      guard byte >= low, byte <= high else { return .illFormed(place) }
      value = value &<< 6 | UInt32(byte & 0x3F)
      low = 0x80
      high = 0xBF
    }
    return DecodedScalar(value: value, length: length)
  }
}
