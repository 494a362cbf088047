/// A scalar read from UTF-8.
struct DecodedScalar: Equatable, Sendable {
  /// The scalar; U+FFFD for bytes that are not UTF-8.
  var value: UInt32
  /// How many bytes it takes in the text.
  var length: Int
  /// Whether the bytes are UTF-8.
  var isWellFormed = true

  /// Ill-formed bytes: as many as would have begun a scalar.
  @inline(__always)
  static func illFormed(_ length: Int) -> DecodedScalar {
    DecodedScalar(value: 0xFFFD, length: length, isWellFormed: false)
  }
}

extension Span where Element == UInt8 {
  /// The scalar that begins at `offset`.
  ///
  /// Each maximal subpart of ill-formed bytes becomes one U+FFFD, as in the standard library and in browsers.
  @inline(__always)
  func scalar(at offset: Int) -> DecodedScalar {
    let word = word(at: offset)
    if word & 0x80 == 0 { return DecodedScalar(value: word & 0x7F, length: 1) }
    if word & 0xC0_C0F0 == 0x80_80E0 {
      let value = (word & 0x0F) &<< 12 | (word &>> 8 & 0x3F) &<< 6 | word &>> 16 & 0x3F
      if value >= 0x800, value &- 0xD800 > 0x7FF { return DecodedScalar(value: value, length: 3) }
    } else if word & 0xC0E0 == 0x80C0 {
      let value = (word & 0x1F) &<< 6 | word &>> 8 & 0x3F
      if value >= 0x80 { return DecodedScalar(value: value, length: 2) }
    } else if word & 0xC0C0_C0F8 == 0x8080_80F0 {
      let value =
        (word & 0x07) &<< 18 | (word &>> 8 & 0x3F) &<< 12 | (word &>> 16 & 0x3F) &<< 6 | word &>> 24 & 0x3F
      if value &- 0x1_0000 <= 0xF_FFFF { return DecodedScalar(value: value, length: 4) }
    }
    return rareScalar(at: offset, lead: self[offset])
  }

  /// The scalar whose first byte is `lead`, by the table of well-formed byte sequences; if ill-formed, how
  /// many bytes to replace.
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

extension ByteBuffer {
  /// Appends `text` with U+FFFD for bytes that are not UTF-8.
  ///
  /// - Returns: how many stretches of bytes were replaced.
  mutating func append(repairing text: Span<UInt8>) -> Int {
    var count = 0
    var pending = 0
    var offset = 0
    while offset < text.count {
      if text[offset] < 0x80 {
        offset &+= 1
        continue
      }
      let scalar = text.scalar(at: offset)
      if !scalar.isWellFormed {
        append(text.extracting(pending..<offset))
        append("\u{FFFD}")
        pending = offset &+ scalar.length
        count &+= 1
      }
      offset &+= scalar.length
    }
    append(text.extracting(pending...))
    return count
  }

  /// Appends what `write` appends, with U+FFFD for bytes that are not UTF-8.
  ///
  /// - Returns: how many stretches of bytes were replaced.
  mutating func appendRepaired(_ write: (inout ByteBuffer) -> Void) -> Int {
    pin()
    defer { unpin() }
    let start = count
    write(&self)
    return repair(from: start)
  }

  private mutating func repair(from start: Int) -> Int {
    if text(from: start).isUTF8 { return 0 }
    var copy = ByteBuffer(capacity: count - start)
    copy.append(text(from: start))
    truncate(to: start)
    return append(repairing: copy.span)
  }
}

extension Span<UInt8> {
  /// Whether all bytes are UTF-8.
  fileprivate var isUTF8: Bool {
    var offset = 0
    while offset < count {
      if self[offset] < 0x80 {
        offset &+= 1
        continue
      }
      let scalar = scalar(at: offset)
      if !scalar.isWellFormed { return false }
      offset &+= scalar.length
    }
    return true
  }
}
