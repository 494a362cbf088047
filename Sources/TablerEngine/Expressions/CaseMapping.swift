/// Upper and lower case of UTF-8 bytes; bytes that are not UTF-8 are left unchanged.
enum CaseMapping {
  /// The text in lower case.
  static func lowercased(_ text: Span<UInt8>) -> [UInt8] {
    map(text, ascii: { $0 &- 65 < 26 ? $0 | 0x20 : $0 }, other: { $0.properties.lowercaseMapping })
  }

  /// Appends the text in lower case.
  static func appendLowercased(_ text: Span<UInt8>, to buffer: inout ByteBuffer) {
    for index in text.indices where text[index] >= 0x80 { return buffer.append(lowercased(text)) }
    for index in text.indices {
      let byte = text[index]
      buffer.append(byte &- 65 < 26 ? byte | 0x20 : byte)
    }
  }

  /// The text in upper case.
  static func uppercased(_ text: Span<UInt8>) -> [UInt8] {
    map(text, ascii: { $0 &- 97 < 26 ? $0 & 0xDF : $0 }, other: { $0.properties.uppercaseMapping })
  }

  /// The text with its first character in title case and the others in lower case.
  static func capitalized(_ text: Span<UInt8>) -> [UInt8] {
    guard text.count > 0 else { return [] }
    let length = UTF8Walk.length(in: text, at: 0)
    let first = map(
      text.extracting(0..<length), ascii: { $0 &- 97 < 26 ? $0 & 0xDF : $0 },
      other: { $0.properties.titlecaseMapping })
    return first + lowercased(text.extracting(length..<text.count))
  }

  @inline(__always)
  private static func map(
    _ text: Span<UInt8>, ascii: (UInt8) -> UInt8, other: (Unicode.Scalar) -> String
  ) -> [UInt8] {
    if text.isPrintableASCII {
      return [UInt8](capacity: text.count) { (output: inout OutputSpan<UInt8>) in
        for index in text.indices { output.append(ascii(text[index])) }
      }
    }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var offset = 0
    while offset < text.count {
      let byte = text[offset]
      if byte < 0x80 {
        result.append(ascii(byte))
        offset += 1
        continue
      }
      let length = UTF8Walk.length(in: text, at: offset)
      if let scalar = UTF8Walk.scalar(in: text, at: offset) {
        result.append(contentsOf: other(scalar).utf8)
      } else {
        for index in offset..<offset + length { result.append(text[index]) }
      }
      offset += length
    }
    return result
  }
}

/// Characters of UTF-8 bytes; a byte that is not part of one counts as one.
enum UTF8Walk {
  /// The length in bytes of the character at `offset`.
  @inline(__always)
  static func length(in text: Span<UInt8>, at offset: Int) -> Int {
    text[offset] < 0x80 ? 1 : text.scalar(at: offset).length
  }

  /// The character at `offset`; nil if the bytes are not one.
  static func scalar(in text: Span<UInt8>, at offset: Int) -> Unicode.Scalar? {
    let decoded = text.scalar(at: offset)
    return decoded.isWellFormed ? Unicode.Scalar(decoded.value) : nil
  }

  /// The number of characters.
  static func count(_ text: Span<UInt8>) -> Int {
    if text.isPrintableASCII { return text.count }
    var count = 0
    var offset = 0
    while offset < text.count {
      offset &+= length(in: text, at: offset)
      count &+= 1
    }
    return count
  }

  /// The offset after `characters` characters from `offset` on, at most the end.
  static func offset(after characters: Int, in text: Span<UInt8>, from offset: Int = 0) -> Int {
    var place = offset
    var rest = characters
    while rest > 0, place < text.count {
      place &+= length(in: text, at: place)
      rest &-= 1
    }
    return place
  }
}
