/// Turns Windows-1252 or UTF-16 into UTF-8, piece by piece.
///
/// A piece may end inside a character; the rest comes with the next one.
struct Transcoder {
  private enum Encoding {
    case latin1
    case utf16(isBigEndian: Bool)
  }

  private let encoding: Encoding
  private var pendingByte: UInt8?
  private var pendingSurrogate: UInt16?

  /// How many bytes of UTF-16 without a mark are looked at.
  static let sampleSize = 4096

  /// A transcoder for what `--encoding` and the mark say, or `nil` for UTF-8.
  ///
  /// - Parameter raw: the first bytes; of UTF-16 without a mark as many as are looked at.
  init?(encoding: InputOptions.Encoding?, mark: ByteOrderMark, _ raw: Span<UInt8>) {
    switch (encoding, mark) {
    case (.latin1?, _): self.encoding = .latin1
    case (.utf8?, _): return nil
    case (_, .utf16BigEndian): self.encoding = .utf16(isBigEndian: true)
    case (_, .utf16LittleEndian): self.encoding = .utf16(isBigEndian: false)
    case (.utf16?, _): self.encoding = .utf16(isBigEndian: Self.isBigEndian(raw))
    case (.utf16le?, _): self.encoding = .utf16(isBigEndian: false)
    case (.utf16be?, _): self.encoding = .utf16(isBigEndian: true)
    case (nil, _): return nil
    }
  }

  /// Appends `raw` as UTF-8 to `builder`, which must have room for three bytes each.
  mutating func transcode(_ raw: Span<UInt8>, into builder: inout ByteBlock.Builder) {
    var out = ByteBuffer(capacity: raw.count * 3)
    for index in raw.indices {
      switch encoding {
      case .latin1: out.append(scalar: Self.windows1252(raw[index]))
      case .utf16(let isBigEndian): take(raw[index], isBigEndian: isBigEndian, into: &out)
      }
    }
    builder.append(out.span)
  }

  /// Appends U+FFFD for a character that the input ends in.
  ///
  /// - Returns: whether there was room for it.
  mutating func finish(into builder: inout ByteBlock.Builder) -> Bool {
    guard pendingByte != nil || pendingSurrogate != nil else { return true }
    guard builder.room >= 3 else { return false }
    var out = ByteBuffer(capacity: 3)
    out.append(scalar: "\u{FFFD}")
    builder.append(out.span)
    pendingByte = nil
    pendingSurrogate = nil
    return true
  }

  /// Whether bytes of UTF-16 hold more zeros in the first than in the second halves of their units.
  private static func isBigEndian(_ raw: Span<UInt8>) -> Bool {
    var zeros = [0, 0]
    for index in 0..<min(raw.count, sampleSize) where raw[index] == 0 { zeros[index % 2] += 1 }
    return zeros[0] > zeros[1]
  }

  private mutating func take(_ byte: UInt8, isBigEndian: Bool, into out: inout ByteBuffer) {
    guard let first = pendingByte else {
      pendingByte = byte
      return
    }
    pendingByte = nil
    let unit = isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
    if let high = pendingSurrogate {
      pendingSurrogate = nil
      if unit & 0xFC00 == 0xDC00 {
        let value = 0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(unit & 0x3FF))
        out.append(scalar: Unicode.Scalar(value) ?? "\u{FFFD}")
        return
      }
      out.append(scalar: "\u{FFFD}")
    }
    if unit & 0xFC00 == 0xD800 {
      pendingSurrogate = unit
    } else {
      out.append(scalar: Unicode.Scalar(unit) ?? "\u{FFFD}")
    }
  }

  /// The character of a byte in Windows-1252, by the WHATWG Encoding Standard.
  private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
    guard byte >= 0x80, byte < 0xA0 else { return Unicode.Scalar(byte) }
    let upper: [UInt16] = [
      0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
      0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
      0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]
    return Unicode.Scalar(upper[Int(byte) - 0x80]) ?? "\u{FFFD}"
  }
}

/// The mark at the beginning of a text that says how it is encoded.
enum ByteOrderMark {
  case none
  case utf8
  case utf16LittleEndian
  case utf16BigEndian

  /// Looks at the first bytes of an input.
  init(_ bytes: Span<UInt8>) {
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      self = .utf8
    } else if bytes.count >= 2, bytes[0] == 0xFF, bytes[1] == 0xFE {
      self = .utf16LittleEndian
    } else if bytes.count >= 2, bytes[0] == 0xFE, bytes[1] == 0xFF {
      self = .utf16BigEndian
    } else {
      self = .none
    }
  }

  /// The length of the mark in bytes.
  var length: Int {
    switch self {
    case .none: 0
    case .utf8: 3
    case .utf16LittleEndian, .utf16BigEndian: 2
    }
  }
}
