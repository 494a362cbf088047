extension DelimitedParser {
  /// Cuts 64 bytes without quotes and escapes, outside of both: the common case, in which every mark ends a cell.
  @inline(__always)
  mutating func cutPlain(
    _ block: ByteBlock, _ masks: StructuralMasks, at window: Int, _ head: inout Head
  ) throws(DelimitedDamage) {
    var bits = masks.ends
    if head.ignoredBelow > window {
      bits &= UInt64.max &<< UInt64(truncatingIfNeeded: head.ignoredBelow &- window)
    }
    var special = masks.special
    while bits != 0 {
      let bit = UInt64(truncatingIfNeeded: bits.trailingZeroBitCount)
      let place = window &+ Int(truncatingIfNeeded: bit)
      let behind = UInt64.max &<< bit
      bits &= bits &- 1
      let length = place &- head.cellStart
      guard length <= Cell.longest else { throw .cellTooLong(at: head.cellStart) }
      let isPlain = !head.isSpecial && special & ~behind == 0
      cells.append(Cell(delimited: head.cellStart, length: length, isPlain: isPlain))
      special &= behind
      try pass(block, place, bit, &bits, &head)
    }
    head.isSpecial = head.isSpecial || special != 0
  }

  /// Cuts 64 bytes in which quotes stand round cells, and doubled in them: every mark outside quotes ends a cell.
  ///
  /// - Returns: `false`, with nothing done, where a quote stands elsewhere.
  @inline(__always)
  mutating func cutQuoted(
    _ block: ByteBlock, _ masks: StructuralMasks, at window: Int, _ head: inout Head
  ) throws(DelimitedDamage) -> Bool {
    guard head.ignoredBelow < window &+ 64, head.state != .behind || head.closedAt == window &- 1 else {
      return false
    }
    let known = UInt64.max &<< UInt64(truncatingIfNeeded: max(0, head.ignoredBelow &- window))
    let quotes = masks.wraps & known
    let inside = quotes.prefixParity ^ (head.state == .inside ? UInt64.max : 0)
    var bits = masks.ends & known & ~inside

    // A quote opens a cell or is the second of two; after a closing one stands an end, or the second of two.
    let opening = quotes & inside
    let closing = quotes & ~inside
    let behindClosing = closing &<< 1 | (head.state == .behind ? 1 : 0)
    let doubled = opening & behindClosing
    var starts = bits &<< 1
    if head.cellStart >= window { starts |= 1 &<< UInt64(truncatingIfNeeded: head.cellStart &- window) }
    guard opening & ~(starts | doubled) == 0, behindClosing & ~(bits | doubled) == 0 else { return false }

    let quote = rules.marks.quote
    var special = masks.special | masks.controls & inside
    var pairs = doubled
    while bits != 0 {
      let bit = UInt64(truncatingIfNeeded: bits.trailingZeroBitCount)
      let place = window &+ Int(truncatingIfNeeded: bit)
      let behind = UInt64.max &<< bit
      bits &= bits &- 1
      let isPlain = !head.isSpecial && special & ~behind == 0
      if block[head.cellStart] != quote {
        let length = place &- head.cellStart
        guard length <= Cell.longest else { throw .cellTooLong(at: head.cellStart) }
        cells.append(Cell(delimited: head.cellStart, length: length, isPlain: isPlain))
      } else if head.isEscaped || pairs & ~behind != 0 {
        try appendUndoubled(block, head.cellStart &+ 1, place &- 1, isPlain: isPlain)
      } else {
        let length = place &- head.cellStart &- 2
        guard length <= Cell.longest else { throw .cellTooLong(at: head.cellStart) }
        cells.append(
          Cell(
            delimited: head.cellStart &+ 1, length: length, isPlain: isPlain, isQuoted: true,
            emptyIsText: rules.quotedEmptyIsText))
      }
      special &= behind
      pairs &= behind
      head.isEscaped = false
      try pass(block, place, bit, &bits, &head)
    }
    head.isSpecial = head.isSpecial || special != 0
    head.isEscaped = head.isEscaped || pairs != 0
    leave(block, window, isInside: inside &>> 63 != 0, hasClosed: closing &>> 63 != 0, &head)
    return true
  }

  /// Goes on after the end of a cell, and of the record if a newline ends it.
  ///
  /// - Parameter bits: the ends after it in the window; the LF of a CRLF is taken from them.
  @inline(__always)
  private mutating func pass(
    _ block: ByteBlock, _ place: Int, _ bit: UInt64, _ bits: inout UInt64, _ head: inout Head
  ) throws(DelimitedDamage) {
    head.isSpecial = false
    head.cellStart = place &+ 1
    let byte = block[place]
    if byte == rules.marks.delimiter { return }
    if byte == 13, block[place &+ 1] == 10 {
      head.cellStart = place &+ 2
      head.ignoredBelow = head.cellStart
      if bit < 63 { bits &= ~(2 &<< bit) }
    }
    try finishRecord(block, head.recordStart, lineEnd: place)
    head.recordStart = head.cellStart
  }

  /// Settles how the machine stands after a window; a quote after its last one is the second of two.
  @inline(__always)
  private func leave(
    _ block: ByteBlock, _ window: Int, isInside: Bool, hasClosed: Bool, _ head: inout Head
  ) {
    head.state = isInside ? .inside : .outside
    guard hasClosed else { return }
    if block[window &+ 64] == rules.marks.quote {
      head.state = .inside
      head.isEscaped = true
      head.ignoredBelow = window &+ 65
    } else {
      head.state = .behind
      head.closedAt = window &+ 63
    }
  }
}
