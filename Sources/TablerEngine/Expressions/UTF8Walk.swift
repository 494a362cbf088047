/// Characters of UTF-8 bytes; a byte that belongs to none counts as one.
enum UTF8Walk {
  /// The length in bytes of the character at `offset`.
  @inline(__always)
  static func length(in text: Span<UInt8>, at offset: Int) -> Int {
    text[offset] < 0x80 ? 1 : text.scalar(at: offset).length
  }

  /// The character at `offset`; nil where the bytes are none.
  static func scalar(in text: Span<UInt8>, at offset: Int) -> Unicode.Scalar? {
    let decoded = text.scalar(at: offset)
    return decoded.isWellFormed ? Unicode.Scalar(decoded.value) : nil
  }

  /// The number of characters.
  static func count(_ text: Span<UInt8>) -> Int {
    var count = 0
    var offset = 0
    while offset < text.count {
      offset &+= length(in: text, at: offset)
      count &+= 1
    }
    return count
  }

  /// The place after `characters` characters from `offset` on, at most the end.
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
