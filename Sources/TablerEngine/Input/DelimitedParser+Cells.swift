extension DelimitedParser {
  /// Adds a cell without quotes.
  @inline(__always)
  mutating func append(
    _ block: ByteBlock, _ start: Int, _ end: Int, isPlain: Bool, isEscaped: Bool
  ) throws(DelimitedDamage) {
    let (start, end) = rules.isTrimmed ? block.trimmed(start, end) : (start, end)
    let length = end &- start
    if isEscaped {
      try appendDecoded(block, start, end, .outside)
      return
    }
    guard length <= Cell.longest else { throw .cellTooLong(at: start) }
    cells.append(Cell(delimited: start, length: length, isPlain: isPlain))
  }

  /// Adds a cell in quotes: `start` is the opening quote, `closedAt` the closing one, `end` the cell's end.
  mutating func appendQuoted(
    _ block: ByteBlock, _ start: Int, _ closedAt: Int, _ end: Int, _ isEscaped: Bool, _ isDetached: Bool
  ) throws(DelimitedDamage) {
    if isDetached {
      isVerbatim = false
      try appendDecoded(block, start, end, .closed)
      return
    }
    var (start, closedAt) = (start + 1, closedAt)
    if rules.isTrimmed { (start, closedAt) = block.trimmed(start, closedAt) }
    if isEscaped {
      try appendDecoded(block, start, closedAt, .inside)
      return
    }
    let length = closedAt - start
    guard length <= Cell.longest else { throw .cellTooLong(at: start) }
    let isPlain = block.span(from: start, count: length).isPrintableASCII
    cells.append(
      Cell(
        delimited: start, length: length, isPlain: isPlain, isQuoted: true,
        emptyIsText: rules.quotedEmptyIsText))
  }

  /// Adds a cell whose content differs from its spelling.
  ///
  /// `state` tells where the bytes are: outside quotes, inside one pair, or partly after one (lazy quotes).
  private mutating func appendDecoded(
    _ block: ByteBlock, _ start: Int, _ end: Int, _ state: State
  ) throws(DelimitedDamage) {
    guard end - start <= Cell.longest else { throw .cellTooLong(at: start) }
    let begin = decoded.count
    var index = start
    var isInside = state == .inside
    var hasClosed = false
    var window = start
    while window < end {
      var bits = block.masks(at: window, for: rules.marks, Vector.self).wraps
      while bits != 0 {
        let place = window &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        if place < index { continue }
        if place >= end { break }
        decoded.append(block, from: index, count: place &- index)
        let byte = block[place]
        index = place &+ 1
        if byte == rules.marks.escape, index < end {
          append(escaped: block[index])
          index &+= 1
        } else if byte == rules.marks.quote, state != .outside, !hasClosed {
          if isInside, index < end, block[index] == byte {
            decoded.append(byte)
            index &+= 1
          } else {
            hasClosed = isInside
            isInside.toggle()
          }
        } else {
          decoded.append(byte)
        }
      }
      window &+= 64
    }
    if index < end { decoded.append(block, from: index, count: end &- index) }
    let isPlain = decoded.span.extracting(begin...).isPrintableASCII
    recordDecoded(start, end, from: begin, isPlain: isPlain, isQuoted: state == .inside)
  }

  /// The room for decoded bytes that is reserved at once: that of a block of the usual size.
  private static var decodedRoom: Int { 1 << 18 }

  /// Adds a cell in quotes in which quotes are doubled and nothing else is escaped.
  mutating func appendUndoubled(
    _ block: ByteBlock, _ start: Int, _ end: Int, isPlain: Bool
  ) throws(DelimitedDamage) {
    guard end &- start <= Cell.longest else { throw .cellTooLong(at: start) }
    if escapes.isEmpty {
      let room = min(block.count, Self.decodedRoom)
      decoded.reserve(room)
      escapes.reserveCapacity(room / 256)
    }
    let begin = decoded.count
    decoded.append(block, start..<end, undoubling: rules.marks.quote ?? 0, Vector.self)
    recordDecoded(start, end, from: begin, isPlain: isPlain, isQuoted: true)
  }

  /// Adds the cell whose content was decoded from `begin` on.
  private mutating func recordDecoded(
    _ start: Int, _ end: Int, from begin: Int, isPlain: Bool, isQuoted: Bool
  ) {
    escapes.append(
      Escape(
        rawOffset: UInt32(truncatingIfNeeded: start), rawLength: UInt32(truncatingIfNeeded: end &- start),
        offset: UInt32(truncatingIfNeeded: begin)))
    cells.append(
      Cell(
        offset: escapes.count &- 1, length: decoded.count &- begin, isPlain: isPlain, isQuoted: isQuoted,
        isEscaped: true))
  }

  private mutating func append(escaped byte: UInt8) {
    guard rules.decodesLetters else {
      decoded.append(byte)
      return
    }
    switch byte {
    case UInt8(ascii: "t"): decoded.append(9)
    case UInt8(ascii: "n"): decoded.append(10)
    case UInt8(ascii: "r"): decoded.append(13)
    case UInt8(ascii: "\\"): decoded.append(byte)
    default:
      decoded.append(UInt8(ascii: "\\"))
      decoded.append(byte)
    }
  }

}

extension DelimitedParser {
  /// Makes nulls of the cells that are a word for it, and what an engine means of empty ones.
  ///
  /// Decoded cells are texts, except those without quotes that are spelled like a word: `\N`.
  mutating func markNulls(_ block: ByteBlock) {
    // Most cells are told from the words by their length; bit 63 stands for all longer ones.
    var lengths: UInt64 = 0
    for word in rules.nullWords { lengths |= 1 &<< UInt64(min(word.count, 63)) }
    let answer = rules.answer
    let mayBeEscaped = rules.marks.escape != nil && lengths != 0
    for index in 0..<cells.count {
      var cell = cells[index]
      if mayBeEscaped, cell.isEscaped, !cell.isQuoted {
        let spelling = escapes[cell.offset]
        let (start, count) = (Int(spelling.rawOffset), Int(spelling.rawLength))
        guard isNullWord(block.span(from: start, count: count)) else { continue }
        cell = Cell(delimited: start, length: count, isPlain: false)
      }
      let length = cell.length
      if lengths &>> UInt64(min(length, 63)) & 1 != 0, !cell.isEscaped,
        !(cell.isQuoted && answer?.quotesProtectNull ?? false),
        isNullWord(block.span(from: cell.offset, count: length))
      {
        if let answer {
          cells[index] = Cell(offset: cell.offset, length: 0, kind: answer.null)
          isVerbatim = false
        } else {
          cells[index] = cell.ofKind(.null)
        }
      } else if length == 0, let answer, !cell.isQuoted {
        cells[index] = cell.ofKind(answer.empty)
        if answer.empty == .text { isVerbatim = false }
      }
    }
  }

  private func isNullWord(_ content: Span<UInt8>) -> Bool {
    for word in rules.nullWords where content.equals(word.span) { return true }
    return false
  }
}

extension ByteBlock {
  /// The bytes from `start` to `end` without the blanks at both ends.
  fileprivate func trimmed(_ start: Int, _ end: Int) -> (Int, Int) {
    var (start, end) = (start, end)
    while start < end, self[start].isBlank { start += 1 }
    while end > start, self[end - 1].isBlank { end -= 1 }
    return (start, end)
  }
}

extension UInt8 {
  /// Whether the byte is a space or a tab.
  @inline(__always)
  var isBlank: Bool { self == 32 || self == 9 }
}
