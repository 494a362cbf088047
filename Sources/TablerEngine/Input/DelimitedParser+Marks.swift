extension DelimitedParser {
  /// Cuts 64 bytes, mark by mark.
  ///
  /// - Returns: `false` where no more can be cut, or is wanted.
  mutating func cut(
    _ block: ByteBlock, _ masks: StructuralMasks, at window: Int, _ isLast: Bool, _ limit: Int,
    _ head: inout Head
  ) throws(DelimitedDamage) -> Bool {
    let count = end
    var bits = masks.ends | masks.wraps
    while bits != 0 {
      let place = window &+ bits.trailingZeroBitCount
      bits &= bits &- 1
      if place < head.ignoredBelow { continue }
      if place >= count { break }
      guard masks.ends &>> UInt64(truncatingIfNeeded: place &- window) & 1 != 0 else {
        try meetWrap(block, place, &head)
        continue
      }
      if head.state == .inside { continue }

      // The end of a cell.
      let byte = block[place]
      if byte == 13, place &+ 1 == count, !isLast { return false }
      try endCell(block, place, isPlain: isPlain(masks, window, place, head), &head)
      if byte == rules.marks.delimiter { continue }

      // The end of a record.
      if byte == 13, place &+ 1 < count, block[place &+ 1] == 10 {
        head.cellStart = place &+ 2
        head.ignoredBelow = head.cellStart
      }
      try finishRecord(block, head.recordStart, lineEnd: contentEnd(block, head.recordStart..<place))
      head.recordStart = head.cellStart
      if recordStarts.count == limit { return false }
      if let comment = rules.comment, head.recordStart < count, block[head.recordStart] == comment {
        guard skipComments(block, comment, isLast, &head.recordStart) else { return false }
        head = Head(at: head.recordStart)
        if head.recordStart >= window &+ 64 { break }
      }
    }
    noteSpecial(masks, window, &head)
    return true
  }

  /// Meets a quote or an escape mark.
  private mutating func meetWrap(_ block: ByteBlock, _ place: Int, _ head: inout Head) throws(DelimitedDamage)
  {
    let byte = block[place]
    let isQuote = byte == rules.marks.quote
    switch head.state {
    case .inside:
      if !isQuote || rules.marks.escape == byte || place &+ 1 < block.count && block[place &+ 1] == byte {
        head.isEscaped = true
        head.ignoredBelow = place &+ 2
      } else {
        head.state = .behind
        head.closedAt = place
      }
    case .behind:
      guard rules.isLazy else { throw .textAfterQuote(at: head.closedAt &+ 1) }
      head.isDetached = true
    case .outside where !isQuote:
      head.isEscaped = true
      if !rules.decodesLetters { head.ignoredBelow = place &+ 2 }
    case .outside where place == head.cellStart || isBlank(block, head.cellStart..<place):
      head.cellStart = place
      head.state = .inside
      head.isEscaped = false
      head.isDetached = false
    case .outside:
      if head.quotedText != head.cellStart {
        head.quotedText = head.cellStart
        findings.append(DelimitedFinding(kind: .quoteInText, offset: place, row: recordStarts.count))
      }
    }
  }

  /// Notes the cell that ends at `place` and goes on after it.
  private mutating func endCell(
    _ block: ByteBlock, _ place: Int, isPlain: Bool, _ head: inout Head
  ) throws(DelimitedDamage) {
    if head.state == .outside {
      try append(
        block, head.cellStart, place, isPlain: isPlain, isEscaped: head.isEscaped)
    } else {
      if place != head.closedAt &+ 1, !isBlank(block, head.closedAt &+ 1..<place) {
        guard rules.isLazy else { throw .textAfterQuote(at: head.closedAt &+ 1) }
        head.isDetached = true
      }
      try appendQuoted(
        block, head.cellStart, head.closedAt, place, head.isEscaped, head.isDetached)
      head.state = .outside
    }
    head.isSpecial = false
    head.isEscaped = false
    head.cellStart = place &+ 1
  }

  /// Whether nothing but blanks stands there, and they are no part of cells.
  private func isBlank(_ block: ByteBlock, _ range: Range<Int>) -> Bool {
    rules.isTrimmed && range.allSatisfy { block[$0].isBlank }
  }

  /// Whether the unquoted cell that ends at `place` is nothing but printable ASCII.
  private func isPlain(_ masks: StructuralMasks, _ window: Int, _ place: Int, _ head: Head) -> Bool {
    var seen = masks.special & ~(UInt64.max &<< UInt64(truncatingIfNeeded: place &- window))
    if head.cellStart > window {
      seen &= UInt64.max &<< UInt64(truncatingIfNeeded: head.cellStart &- window)
    }
    return !head.isSpecial && seen == 0
  }

  /// Keeps in mind what the cell at hand has in a window; what it may have in quotes counts too.
  private func noteSpecial(_ masks: StructuralMasks, _ window: Int, _ head: inout Head) {
    guard head.cellStart < window &+ 64 else { return }
    var seen = masks.special | (head.state == .outside ? 0 : masks.controls)
    if head.cellStart > window {
      seen &= UInt64.max &<< UInt64(truncatingIfNeeded: head.cellStart &- window)
    }
    head.isSpecial = head.isSpecial || seen != 0
  }

  /// Ends the last record, where no newline does.
  mutating func finish(_ block: ByteBlock, _ head: inout Head) throws(DelimitedDamage) {
    let count = end
    if head.state == .inside { throw .unclosedQuote(openedAt: head.cellStart) }
    guard head.recordStart < count else { return }
    try endCell(block, count, isPlain: !head.isSpecial, &head)
    try finishRecord(block, head.recordStart, lineEnd: contentEnd(block, head.recordStart..<count))
  }
}
