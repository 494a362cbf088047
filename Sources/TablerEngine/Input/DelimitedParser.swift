/// Cuts a block of csv or tsv into records and notes its cells.
///
/// 1. 64 bytes at a time are turned into bits: delimiters and newlines, quotes, bytes that are not plain.
/// 2. The set bits are visited in order by a machine of three states: outside quotes, inside, behind a
///    closing quote. A quote opens only at the beginning of a cell (RFC 4180 with the leniency of SPEC §3.2).
/// 3. Cells with doubled quotes or escapes get a second spelling in `decoded`.
///
/// Where nothing but cells and their quotes are in 64 bytes, bits alone tell what lies inside quotes, and only the
/// ends of cells are visited.
struct DelimitedParser: ~Copyable {
  /// Where the machine stands to the quotes of a cell.
  enum State {
    case outside
    case inside
    case behind
  }

  /// How far the machine has come.
  struct Head {
    /// Where it stands to the quotes of the cell at hand.
    var state = State.outside
    /// Where that cell begins, in bytes.
    var cellStart: Int
    /// Where its record begins.
    var recordStart: Int
    /// Where its closing quote stands.
    var closedAt = 0
    /// Bits for bytes before this one are passed over.
    var ignoredBelow: Int
    /// Whether bytes other than printable ASCII were seen in it, in the windows before.
    var isSpecial = false
    /// Whether it needs a second spelling.
    var isEscaped = false
    /// Whether text stands behind its closing quote.
    var isDetached = false

    /// Stands before the first record.
    init(at start: Int) {
      cellStart = start
      recordStart = start
      ignoredBelow = start
    }
  }

  /// How the form is written.
  let rules: Rules

  /// The cells cut so far, record by record.
  var cells: [Cell] = []

  /// Where the records begin in the block.
  var recordStarts: [UInt32] = []

  /// Where cells with a second spelling stand in the block and in `decoded`.
  var escapes: [Escape] = []

  /// The second spellings, one behind the other.
  var decoded = ByteBuffer(capacity: 0)

  /// The number of cells of a record; grows with `fill`.
  var columnCount: Int

  /// Whether records are exactly their cells, with nothing between them.
  var isVerbatim = true

  /// Records left out because their length was wrong.
  var skipped: [Int] = []

  /// The first quote mark that stands inside an unquoted cell.
  var quoteInText: Int?

  /// The number of fields that records must have; `nil` takes the first record's.
  let fieldCount: Int?

  /// What to do with records of another length.
  let ragged: InputOptions.Ragged

  /// Whether long records may add columns.
  let mayGrow: Bool

  /// The number of cells before the record at hand.
  var recordBase = 0

  /// Creates a parser for one block.
  ///
  /// - Parameters:
  ///   - rules: how the form is written.
  ///   - fieldCount: the fields a record must have, or `nil` to take any (headers).
  ///   - columnCount: the cells a record gets; more than fields makes missing cells.
  ///   - ragged: what to do with records of another length.
  ///   - mayGrow: whether long records may add columns.
  init(rules: Rules, fieldCount: Int?, columnCount: Int, ragged: InputOptions.Ragged, mayGrow: Bool) {
    self.rules = rules
    self.fieldCount = fieldCount
    self.columnCount = columnCount
    self.ragged = ragged
    self.mayGrow = mayGrow
  }

  /// Cuts records from `start` on.
  ///
  /// - Parameters:
  ///   - block: the block; sealed.
  ///   - start: where the first record begins, in bytes.
  ///   - isLast: whether the input ends with the block.
  ///   - limit: the most records to cut.
  /// - Returns: where the first record begins that was not cut.
  mutating func parse(
    _ block: ByteBlock, from start: Int, isLast: Bool, limit: Int = .max
  ) throws(Damage) -> Int {
    if let fieldCount, limit == .max, fieldCount > 0 { cells.reserveCapacity((block.count - start) / 8) }
    var head = Head(at: start)
    let count = block.count
    if let comment = rules.comment {
      guard skipComments(block, comment, isLast, &head.recordStart) else { return head.recordStart }
      head = Head(at: head.recordStart)
    }
    let hasPlainWindows = limit == .max && rules.comment == nil && rules.nullWords.isEmpty
    let hasQuotedWindows = hasPlainWindows && rules.marks.escape == nil && !rules.isLazy
    var window = start
    while window < count {
      let masks = block.masks(at: window, for: rules.marks)
      if hasPlainWindows, window &+ 64 < count {
        if masks.wraps == 0, head.state == .outside, !head.isEscaped {
          try cutPlain(block, masks, at: window, &head)
          window &+= 64
          continue
        }
        if hasQuotedWindows, try cutQuoted(block, masks, at: window, &head) {
          window &+= 64
          continue
        }
      }
      guard try cut(block, masks, at: window, isLast, limit, &head) else { return abandon(head.recordStart) }
      window = max(window &+ 64, head.recordStart)
    }
    guard isLast else { return abandon(head.recordStart) }
    try finish(block, &head)
    return count
  }

  /// Forgets the cells of a record that was not cut to its end.
  ///
  /// - Returns: whether whole records stand before it.
  mutating func forgetOpenRecord() -> Bool {
    cells.removeLast(cells.count - recordBase)
    return !recordStarts.isEmpty
  }

  /// The cells of the records cut so far, as a batch.
  ///
  /// - Parameter recipe: how the batch is made again, if it can be.
  consuming func batch(
    _ block: ByteBlock, end: Int, origin: Batch.Origin, recipe: Batch.Recipe? = nil
  ) -> Batch {
    var origin = origin
    origin.isVerbatim = isVerbatim
    recordStarts.append(UInt32(truncatingIfNeeded: end))
    return Batch(
      block: block, decoded: ByteBlock(decoded.span), escapes: escapes, cells: cells,
      columnCount: columnCount,
      recordStarts: recordStarts, origin: origin, recipe: recipe)
  }
}

extension DelimitedParser {
  /// Cuts 64 bytes, mark by mark.
  ///
  /// - Returns: `false` where no more can be cut, or is wanted.
  private mutating func cut(
    _ block: ByteBlock, _ masks: StructuralMasks, at window: Int, _ isLast: Bool, _ limit: Int,
    _ head: inout Head
  ) throws(Damage) -> Bool {
    let count = block.count
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
      try finishRecord(block, head.recordStart, lineEnd: place)
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
  private mutating func meetWrap(_ block: ByteBlock, _ place: Int, _ head: inout Head) throws(Damage) {
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
    case .outside where place == head.cellStart:
      head.state = .inside
      head.isEscaped = false
      head.isDetached = false
    case .outside:
      if quoteInText == nil { quoteInText = place }
    }
  }

  /// Notes the cell that ends at `place` and goes on behind it.
  private mutating func endCell(
    _ block: ByteBlock, _ place: Int, isPlain: Bool, _ head: inout Head
  ) throws(Damage) {
    if head.state == .outside {
      try append(
        block, head.cellStart, place, isPlain: isPlain, isEscaped: head.isEscaped, head.recordStart)
    } else {
      if place != head.closedAt &+ 1 {
        guard rules.isLazy else { throw .textAfterQuote(at: head.closedAt &+ 1) }
        head.isDetached = true
      }
      try appendQuoted(
        block, head.cellStart, head.closedAt, place, head.isEscaped, head.isDetached, head.recordStart)
      head.state = .outside
    }
    head.isSpecial = false
    head.isEscaped = false
    head.cellStart = place &+ 1
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
  private mutating func finish(_ block: ByteBlock, _ head: inout Head) throws(Damage) {
    let count = block.count
    if head.state == .inside { throw .unclosedQuote(openedAt: head.cellStart) }
    guard head.recordStart < count else { return }
    try endCell(block, count, isPlain: !head.isSpecial, &head)
    try finishRecord(block, head.recordStart, lineEnd: count)
  }
}
