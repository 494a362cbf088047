/// A pattern of `like` and `ilike`: `%` is any run of characters, `_` is one character.
struct LikePattern: Sendable {
  /// A piece of the pattern between two `%`.
  private struct PatternPiece: Sendable {
    /// The bytes to find; 0xFF, which UTF-8 never contains, is any one character.
    var bytes: [UInt8]

    /// Whether the piece matches exactly where its bytes occur: none of them is a wildcard or begins within a
    /// character.
    var isLiteral = false
  }

  private let pieces: [PatternPiece]
  private let ignoresCase: Bool
  /// Whether the pattern has a `_`.
  private let hasWildcard: Bool

  private static let anyCharacter: UInt8 = 0xFF

  /// Reads a pattern.
  init(_ pattern: Span<UInt8>, ignoresCase: Bool) {
    let folded = ignoresCase ? CaseMapping.lowercased(pattern) : Array(copying: pattern)
    var pieces = [PatternPiece(bytes: [])]
    var hasWildcard = false
    for byte in folded {
      switch byte {
      case UInt8(ascii: "%"): pieces.append(PatternPiece(bytes: []))
      case UInt8(ascii: "_"):
        hasWildcard = true
        pieces[pieces.count - 1].bytes.append(Self.anyCharacter)
      // Bytes that never occur in UTF-8 match as the first of them.
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

  /// Whether the pattern matches the whole text.
  func matches(_ text: Span<UInt8>) -> Bool {
    if ignoresCase {
      let folded = CaseMapping.lowercased(text)
      return fits(folded.span)
    }
    return fits(text)
  }

  /// Matches the first piece at the start, the last at the end, and each one between as early as possible.
  private func fits(_ text: Span<UInt8>) -> Bool {
    guard var offset = end(of: pieces[0], in: text, at: 0) else { return false }
    if pieces.count == 1 { return offset == text.count }
    for index in 1..<pieces.count - 1 {
      guard let next = firstEnd(of: pieces[index], in: text, from: offset) else { return false }
      offset = next
    }
    return fitsEnd(pieces[pieces.count - 1], text, from: offset)
  }

  private func fitsEnd(_ piece: PatternPiece, _ text: Span<UInt8>, from start: Int) -> Bool {
    if !hasWildcard {
      let place = text.count - piece.bytes.count
      return place >= start && end(of: piece, in: text, at: place) == text.count
    }
    // It is counted back from the end in characters, so that `_` takes whole ones.
    var place = text.count
    for byte in piece.bytes.reversed() {
      guard place > start else { return false }
      place -= 1
      if byte == Self.anyCharacter { while place > start, text[place] & 0xC0 == 0x80 { place -= 1 } }
    }
    return end(of: piece, in: text, at: place) == text.count
  }

  /// The end of the first occurrence of the piece at `start` or after.
  ///
  /// Positions are tried one after another; if too much of that is wasted, the rest are tried together.
  private func firstEnd(of piece: PatternPiece, in text: Span<UInt8>, from start: Int) -> Int? {
    guard let first = piece.bytes.first else { return start }
    if piece.isLiteral {
      return text.firstRange(of: piece.bytes.span, from: start).map { $0 + piece.bytes.count }
    }
    var place = start
    var inVain = 0
    while place <= text.count - piece.bytes.count {
      if Self.fits(text[place], first) {
        if let end = end(of: piece, in: text, at: place) { return end }
        inVain += piece.bytes.count
        if inVain > 16 * (place - start) + 1024 {
          return firstEndTryingTogether(piece, in: text, from: start)
        }
      }
      place = Self.characterEnd(text, place)
    }
    return nil
  }

  /// The same, with all positions tried together (Baeza-Yates and Gonnet).
  ///
  /// 1. Each element of the piece has a bit: whether the bytes so far end with the piece up to that element.
  /// 2. A byte shifts the bits by one, and those stay whose elements it matches. Words after the last bit are
  ///    skipped.
  /// 3. A byte within a character belongs to the `_` before it, whose bit stays in place.
  ///
  /// - Complexity: O(*n* · *m* / 64), where *n* and *m* are the lengths of the text and the piece.
  private func firstEndTryingTogether(_ piece: PatternPiece, in text: Span<UInt8>, from start: Int) -> Int? {
    let masks = Masks(piece.bytes)
    let lastBit = UInt64(1) << UInt64((piece.bytes.count - 1) % 64)
    var bits = [UInt64](repeating: 0, count: masks.wordCount)
    var used = 0
    for offset in start..<text.count {
      let isWithin = text[offset] & 0xC0 == 0x80
      let row = masks.row(text[offset])
      var carried: UInt64 = isWithin && offset > start ? 0 : 1
      for word in 0..<min(used + 1, bits.count) {
        let staying = isWithin ? bits[word] & masks.words[word] : 0
        let moving = bits[word] ^ staying
        bits[word] = (moving << 1 | carried) & masks.words[row + word] | staying
        carried = moving >> 63
      }
      used = min(used + 1, bits.count)
      if used == bits.count, bits[used - 1] & lastBit != 0 {
        return piece.bytes.last == Self.anyCharacter ? Self.characterEnd(text, offset) : offset + 1
      }
      while used > 0, bits[used - 1] == 0 { used -= 1 }
    }
    return nil
  }

  /// The elements of a piece that each byte matches, one bit each.
  private struct Masks {
    /// The words of `_`, which are used for all bytes that are not in the piece, and then those of the others.
    private(set) var words: [UInt64]

    let wordCount: Int

    /// Where the words of each byte begin.
    private var rows = [Int](repeating: 0, count: 256)

    init(_ piece: [UInt8]) {
      wordCount = (piece.count + 63) / 64
      words = [UInt64](repeating: 0, count: wordCount)
      for (index, byte) in piece.enumerated() where byte == anyCharacter { add(index, at: 0) }
      let wild = words
      for (index, byte) in piece.enumerated() where byte != anyCharacter {
        if rows[Int(byte)] == 0 {
          rows[Int(byte)] = words.count
          words += wild
        }
        add(index, at: rows[Int(byte)])
      }
      // A byte 0xFF of the text matches like 0xFE: neither is UTF-8.
      rows[0xFF] = rows[0xFE]
    }

    func row(_ byte: UInt8) -> Int { rows[Int(byte)] }

    private mutating func add(_ index: Int, at row: Int) {
      words[row + index / 64] |= 1 << UInt64(index % 64)
    }
  }

  /// The end of the piece if it matches at `start`.
  private func end(of piece: PatternPiece, in text: Span<UInt8>, at start: Int) -> Int? {
    var offset = start
    for byte in piece.bytes {
      guard offset < text.count, Self.fits(text[offset], byte) else { return nil }
      offset = byte == Self.anyCharacter ? Self.characterEnd(text, offset) : offset + 1
    }
    return offset
  }

  /// Whether a byte of a text matches one of the pattern.
  private static func fits(_ byte: UInt8, _ element: UInt8) -> Bool {
    byte == element || element == anyCharacter || element == 0xFE && byte == 0xFF
  }

  /// The byte after the character, or part of one, at `start`.
  private static func characterEnd(_ text: Span<UInt8>, _ start: Int) -> Int {
    var end = start + 1
    while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
