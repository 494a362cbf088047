/// A pattern of `like` and `ilike`: `%` is any run of characters, `_` is one character.
struct LikePattern: Sendable {
  /// A piece of the pattern between two `%`.
  private struct Piece: Sendable {
    /// The bytes to find; 0xFF, which UTF-8 never holds, is any one character.
    var bytes: [UInt8]

    /// Whether it stands where its bytes do: none of them stands for others, and they do not begin within a character.
    var isLiteral = false
  }

  private let pieces: [Piece]
  private let ignoresCase: Bool
  /// Whether the pattern holds a `_`.
  private let hasWildcard: Bool

  private static let anyCharacter: UInt8 = 0xFF

  /// Reads a pattern.
  init(_ pattern: Span<UInt8>, ignoresCase: Bool) {
    let folded = ignoresCase ? CaseMapping.lowercased(pattern) : Array(copying: pattern)
    var pieces = [Piece(bytes: [])]
    var hasWildcard = false
    for byte in folded {
      switch byte {
      case UInt8(ascii: "%"): pieces.append(Piece(bytes: []))
      case UInt8(ascii: "_"):
        hasWildcard = true
        pieces[pieces.count - 1].bytes.append(Self.anyCharacter)
      // Bytes that no UTF-8 holds match as the first of them.
      case Self.anyCharacter: pieces[pieces.count - 1].bytes.append(0xFE)
      default: pieces[pieces.count - 1].bytes.append(byte)
      }
    }
    for index in pieces.indices {
      let bytes = pieces[index].bytes
      pieces[index].isLiteral =
        (bytes.first ?? 0) & 0xC0 != 0x80 && !bytes.contains { $0 >= Self.anyCharacter - 1 }
    }
    self.pieces = pieces
    self.ignoresCase = ignoresCase
    self.hasWildcard = hasWildcard
  }

  /// Whether the whole text fits the pattern.
  func matches(_ text: Span<UInt8>) -> Bool {
    if ignoresCase {
      let folded = CaseMapping.lowercased(text)
      return fits(folded.span)
    }
    return fits(text)
  }

  /// Fits the first piece to the start, the last to the end, and each between as early as it goes.
  private func fits(_ text: Span<UInt8>) -> Bool {
    guard var offset = end(of: pieces[0], in: text, at: 0) else { return false }
    if pieces.count == 1 { return offset == text.count }
    for index in 1..<pieces.count - 1 {
      guard let next = firstEnd(of: pieces[index], in: text, from: offset) else { return false }
      offset = next
    }
    return fitsEnd(pieces[pieces.count - 1], text, from: offset)
  }

  private func fitsEnd(_ piece: Piece, _ text: Span<UInt8>, from start: Int) -> Bool {
    if !hasWildcard {
      let place = text.count - piece.bytes.count
      return place >= start && end(of: piece, in: text, at: place) == text.count
    }
    // Counted back from the end in characters, so that `_` takes whole ones.
    var place = text.count
    for byte in piece.bytes.reversed() {
      guard place > start else { return false }
      place -= 1
      if byte == Self.anyCharacter { while place > start, text[place] & 0xC0 == 0x80 { place -= 1 } }
    }
    return end(of: piece, in: text, at: place) == text.count
  }

  private func firstEnd(of piece: Piece, in text: Span<UInt8>, from start: Int) -> Int? {
    guard let first = piece.bytes.first else { return start }
    if piece.isLiteral {
      return text.firstRange(of: piece.bytes.span, from: start).map { $0 + piece.bytes.count }
    }
    var place = start
    while place <= text.count {
      if first == Self.anyCharacter || (place < text.count && text[place] == first),
        let end = end(of: piece, in: text, at: place)
      {
        return end
      }
      place += 1
      while place < text.count, text[place] & 0xC0 == 0x80 { place += 1 }
    }
    return nil
  }

  /// Where the piece ends if it stands at `start`.
  private func end(of piece: Piece, in text: Span<UInt8>, at start: Int) -> Int? {
    var offset = start
    for byte in piece.bytes {
      guard offset < text.count else { return nil }
      if byte == Self.anyCharacter {
        offset += 1
        while offset < text.count, text[offset] & 0xC0 == 0x80 { offset += 1 }
      } else {
        guard text[offset] == byte || (byte == 0xFE && text[offset] == 0xFF) else { return nil }
        offset += 1
      }
    }
    return offset
  }
}
