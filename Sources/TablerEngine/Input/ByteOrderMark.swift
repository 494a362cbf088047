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
