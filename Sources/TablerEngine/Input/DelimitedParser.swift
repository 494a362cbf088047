/// Cuts a block of csv or tsv into records and their cells.
///
/// 1. 64 bytes at a time are turned into bits: delimiters and newlines, quotes, bytes that are not plain.
/// 2. The set bits are visited in order by a machine of three states: outside quotes, inside, after a closing
///    quote. A quote opens only at the beginning of a cell (RFC 4180, but lenient).
/// 3. Cells with doubled quotes or escapes are decoded into `decoded`.
///
/// If 64 bytes hold only cells and quotes around them, bits alone tell what is inside quotes, and only the
/// ends of cells are visited.
struct DelimitedParser<Vector: ByteVector>: ~Copyable {
  /// The position of the machine relative to the quotes of a cell.
  enum State {
    case outside
    case inside
    case closed
  }

  /// The progress of the machine.
  struct Head {
    /// The position relative to the quotes of the current cell.
    var state = State.outside
    /// The offset of that cell.
    var cellStart: Int
    /// The offset of its record.
    var recordStart: Int
    /// The offset of its closing quote.
    var closedAt = 0
    /// Bits for bytes before this one are ignored.
    var ignoredBelow: Int
    /// Whether the cell had bytes other than printable ASCII in earlier windows.
    var isSpecial = false
    /// Whether the cell must be decoded.
    var isEscaped = false
    /// Whether text follows its closing quote.
    var isDetached = false
    /// The offset of the last cell that has a quote in unquoted text.
    var quotedText = -1

    /// Starts before the first record.
    init(at start: Int) {
      cellStart = start
      recordStart = start
      ignoredBelow = start
    }
  }

  /// How the form is written.
  let rules: DelimitedRules

  /// The cells cut so far, record by record.
  var cells = PlainBuffer<Cell>()

  /// Where the records begin in the block.
  var recordStarts: [UInt32] = []

  /// The spellings of cells that were decoded: in the block and in `decoded`.
  var escapes: [Escape] = []

  /// The decoded contents, one after another.
  var decoded = ByteBuffer(capacity: 0)

  /// The number of cells of each record.
  var widths: RecordWidths

  /// Whether records are exactly their cells, with nothing between them.
  var isVerbatim: Bool

  /// Whether a line may end within a record: in quotes, or after an escape.
  private var mayHoldLineEnds: Bool

  /// The number of line ends up to the end of the last record; `nil` if lines are not known to be records.
  var lineEnds: Int? { isVerbatim && !mayHoldLineEnds ? recordStarts.count : nil }

  /// The findings so far, in order.
  var findings: [DelimitedFinding] = []

  /// The number of fields that records must have; `nil` means that of the first record.
  let fieldCount: Int?

  /// The number of columns that are known; short records have fewer cells.
  let columnCount: Int

  /// What to do with records of another length.
  let ragged: InputOptions.Ragged

  /// Whether long records may add columns.
  let mayGrow: Bool

  /// The number of cells after which the batch ends, unless one record has more; the maximum number of bytes
  /// in a record with its notes; and the maximum number of columns it may make.
  var limits = (cells: Int.max, recordBytes: Int.max, columns: Int.max)

  /// Where the record that continues in the next block begins, or the quote in it that is not closed yet.
  private(set) var openAt: Int?

  /// Where cutting ends in the block.
  private(set) var end = 0

  /// The number of cells before the current record.
  private var recordBase = 0

  /// Creates a parser for one block.
  ///
  /// - Parameters:
  ///   - rules: how the form is written.
  ///   - fieldCount: the number of fields a record must have, or `nil` for any (headers).
  ///   - columnCount: the number of columns that are known.
  ///   - ragged: what to do with records of another length.
  ///   - mayGrow: whether long records may add columns.
  init(rules: DelimitedRules, fieldCount: Int?, columnCount: Int, ragged: InputOptions.Ragged, mayGrow: Bool)
  {
    self.rules = rules
    self.fieldCount = fieldCount
    self.columnCount = columnCount
    self.ragged = ragged
    self.mayGrow = mayGrow
    widths = RecordWidths(even: fieldCount ?? -1)
    // A null alone in its record is an empty line in an answer, but must not be one in a file.
    let hasEmptyLines = rules.answer != nil && rules.emptyLineIsRow
    isVerbatim = !rules.isTrimmed && !hasEmptyLines && (fieldCount == nil || fieldCount == columnCount)
    mayHoldLineEnds = rules.marks.escape != nil
  }

  /// Cuts records from `start` on.
  ///
  /// - Parameters:
  ///   - block: the block.
  ///   - start: where the first record begins, in bytes.
  ///   - stop: where to end; by default at the end of the block.
  ///   - isLast: whether the input ends there.
  ///   - limit: the maximum number of records to cut.
  /// - Returns: the offset of the first record that was not cut.
  mutating func parse(
    _ block: ByteBlock, from start: Int, to stop: Int? = nil, isLast: Bool, limit: Int = .max
  ) throws(DelimitedDamage) -> Int {
    let count = min(stop ?? .max, block.count)
    end = count
    if let fieldCount, limit == .max, fieldCount > 0 {
      cells.reserveCapacity(min((count - start) / 8, limits.cells))
    }
    var head = Head(at: start)
    if let comment = rules.comment {
      guard skipComments(block, comment, isLast, &head.recordStart) else { return head.recordStart }
      head = Head(at: head.recordStart)
    }
    skipRest(block, &head)
    let hasPlainWindows =
      limit == .max && rules.comment == nil && !rules.isTrimmed && rules.mostFields == .max
    let hasQuotedWindows = hasPlainWindows && rules.marks.escape == nil && !rules.isLazy
    let marks = rules.marks
    var window = start
    while window < count {
      if cells.count > limits.cells { try checkRoom(at: window, head) }
      let masks = block.masks(at: window, for: marks, Vector.self)
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
    guard isLast else { return try leaveOpen(head) }
    try finish(block, &head)
    return count
  }

  /// Ends the batch before the current record, if it is not the first; a single record may use all the room.
  @inline(never)
  private func checkRoom(at window: Int, _ head: Head) throws(DelimitedDamage) {
    guard recordStarts.isEmpty else { throw .full(recordAt: head.recordStart) }
    let bytes = window - head.recordStart + cells.count * MemoryLayout<Cell>.stride
    if bytes > limits.recordBytes { throw .recordTooLong(at: head.recordStart) }
  }

  /// Removes the record that continues in the next block, and remembers where it, or an open quote, begins.
  ///
  /// - Returns: where it begins.
  private mutating func leaveOpen(_ head: Head) throws(DelimitedDamage) -> Int {
    guard end - head.cellStart <= Cell.longest else { throw .cellTooLong(at: head.cellStart) }
    openAt = head.state == .inside ? head.cellStart : head.recordStart
    return abandon(head.recordStart)
  }

  /// Removes the cells of a record that was not cut to its end.
  ///
  /// - Returns: whether there are whole records before it.
  mutating func forgetOpenRecord() -> Bool {
    cells.removeLast(cells.count - recordBase)
    return !recordStarts.isEmpty
  }

  /// The cells of the records cut so far, as a batch.
  ///
  /// - Parameter cutting: how the records were cut, if they can be cut again.
  consuming func batch(
    _ block: ByteBlock, end: Int, origin: Batch.Origin, cutting: Batch.Cutting? = nil
  ) -> Batch {
    if !rules.nullWords.isEmpty || rules.answer != nil { markNulls(block) }
    var origin = origin
    origin.isVerbatim = isVerbatim
    origin.areLines = lineEnds != nil
    recordStarts.append(UInt32(truncatingIfNeeded: end))
    return Batch(
      block: block, decoded: ByteBlock(taking: &decoded), escapes: escapes, cells: widths.evened(cells.array),
      columnCount: widths.widest,
      recordStarts: recordStarts, origin: origin, cutting: cutting)
  }
}

/// Windows in which all marks mean the same.
extension DelimitedParser {
  /// Cuts 64 bytes without quotes and escapes, outside of both: the common case, in which every mark ends a cell.
  @inline(__always)
  private mutating func cutPlain(
    _ block: ByteBlock, _ masks: StructuralMasks, at window: Int, _ head: inout Head
  ) throws(DelimitedDamage) {
    var bits = masks.ends
    if head.ignoredBelow > window {
      bits &= UInt64.max &<< UInt64(truncatingIfNeeded: head.ignoredBelow &- window)
    }
    // Bit 0 represents what earlier windows found in the open cell.
    var special = masks.special | (head.isSpecial ? 1 : 0)
    while bits != 0 {
      let place = window &+ bits.trailingZeroBitCount
      let upToEnd = bits ^ (bits &- 1)
      bits &= bits &- 1
      let length = place &- head.cellStart
      guard length <= Cell.longest else { throw .cellTooLong(at: head.cellStart) }
      cells.append(Cell(delimited: head.cellStart, length: length, isPlain: special & upToEnd == 0))
      special &= ~upToEnd
      try pass(block, place, window, &bits, &head)
    }
    head.isSpecial = special != 0
  }

  /// Cuts 64 bytes whose quotes enclose cells or are doubled in them: every mark outside quotes ends a cell.
  ///
  /// - Returns: `false`, with nothing done, if there is a quote elsewhere.
  @inline(__always)
  private mutating func cutQuoted(
    _ block: ByteBlock, _ masks: StructuralMasks, at window: Int, _ head: inout Head
  ) throws(DelimitedDamage) -> Bool {
    guard head.ignoredBelow < window &+ 64, head.state != .closed || head.closedAt == window &- 1 else {
      return false
    }
    let known = UInt64.max &<< UInt64(truncatingIfNeeded: max(0, head.ignoredBelow &- window))
    let quotes = masks.wraps & known
    let inside = quotes.prefixParity ^ (head.state == .inside ? UInt64.max : 0)
    var bits = masks.ends & known & ~inside

    // A quote opens a cell or is the second of two; after a closing one comes an end, or the second of two.
    let opening = quotes & inside
    let closing = quotes & ~inside
    let afterClosing = closing &<< 1 | (head.state == .closed ? 1 : 0)
    let doubled = opening & afterClosing
    var starts = bits &<< 1
    if head.cellStart >= window { starts |= 1 &<< UInt64(truncatingIfNeeded: head.cellStart &- window) }
    guard opening & ~(starts | doubled) == 0, afterClosing & ~(bits | doubled) == 0 else { return false }
    noteLineEnds(block, window, among: masks.ends & known & inside)

    let quote = rules.marks.quote
    var special = masks.special | masks.controls & inside | (head.isSpecial ? 1 : 0)
    var pairs = doubled
    while bits != 0 {
      let place = window &+ bits.trailingZeroBitCount
      let upToEnd = bits ^ (bits &- 1)
      bits &= bits &- 1
      let isPlain = special & upToEnd == 0
      if block[head.cellStart] != quote {
        let length = place &- head.cellStart
        guard length <= Cell.longest else { throw .cellTooLong(at: head.cellStart) }
        cells.append(Cell(delimited: head.cellStart, length: length, isPlain: isPlain))
      } else if head.isEscaped || pairs & upToEnd != 0 {
        try appendUndoubled(block, head.cellStart &+ 1, place &- 1, isPlain: isPlain)
      } else {
        let length = place &- head.cellStart &- 2
        guard length <= Cell.longest else { throw .cellTooLong(at: head.cellStart) }
        cells.append(
          Cell(
            delimited: head.cellStart &+ 1, length: length, isPlain: isPlain, isQuoted: true,
            emptyIsText: rules.quotedEmptyIsText))
      }
      special &= ~upToEnd
      pairs &= ~upToEnd
      head.isEscaped = false
      try pass(block, place, window, &bits, &head)
    }
    head.isSpecial = special != 0
    head.isEscaped = head.isEscaped || pairs != 0
    leave(block, window, isInside: inside &>> 63 != 0, hasClosed: closing &>> 63 != 0, &head)
    return true
  }

  /// Takes note of line ends among marks that are inside quotes.
  @inline(__always)
  private mutating func noteLineEnds(_ block: ByteBlock, _ window: Int, among marks: UInt64) {
    var bits = marks
    while bits != 0 {
      if block[window &+ bits.trailingZeroBitCount] != rules.marks.delimiter { mayHoldLineEnds = true }
      bits &= bits &- 1
    }
  }

  /// Continues after the end of a cell, and of the record if a newline ends it.
  ///
  /// - Parameter bits: the ends after it in the window; the LF of a CRLF is removed from them.
  @inline(__always)
  private mutating func pass(
    _ block: ByteBlock, _ place: Int, _ window: Int, _ bits: inout UInt64, _ head: inout Head
  ) throws(DelimitedDamage) {
    head.cellStart = place &+ 1
    let byte = block[place]
    if byte == rules.marks.delimiter { return }
    if byte == 13, block[place &+ 1] == 10 {
      head.cellStart = place &+ 2
      head.ignoredBelow = head.cellStart
      // The LF is the next end, if it is in this window.
      if place &- window < 63 { bits &= bits &- 1 }
    }
    try finishRecord(block, head.recordStart, lineEnd: place)
    head.recordStart = head.cellStart
  }

  /// Determines the state of the machine after a window; a quote after its last one is the second of two.
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
      head.state = .closed
      head.closedAt = window &+ 63
    }
  }
}

/// Windows that are cut mark by mark.
///
/// All of it is `mutating`: to lend a parser that may be changed, the compiler copies all 300 bytes of it for every mark.
extension DelimitedParser {
  /// Cuts 64 bytes, mark by mark.
  ///
  /// - Returns: `false` if no more can be cut, or is wanted.
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
      if head.state == .inside {
        if block[place] != rules.marks.delimiter { mayHoldLineEnds = true }
        continue
      }

      // The end of a cell.
      let byte = block[place]
      if byte == 13, place &+ 1 == count, !isLast { return false }
      try endCell(block, place, isPlain: isPlain(masks, window, place, head), &head)
      if byte == rules.marks.delimiter {
        skipRest(block, &head)
        continue
      }

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
        skipRest(block, &head)
        if head.recordStart >= window &+ 64 { break }
      } else {
        skipRest(block, &head)
      }
    }
    recordSpecial(masks, window, &head)
    return true
  }

  /// Ignores marks up to the end of the line if the cell that begins is the last that a record may have.
  @inline(__always)
  private mutating func skipRest(_ block: ByteBlock, _ head: inout Head) {
    if rules.mostFields == .max || cells.count &- recordBase != rules.mostFields - 1 { return }
    var place = head.cellStart
    while place < end, block[place] != 10, block[place] != 13 { place &+= 1 }
    head.ignoredBelow = max(head.ignoredBelow, place)
  }

  /// Whether a cell has no delimiter that is a control character: one that takes the rest of its line may.
  private mutating func isPlainRest(_ block: ByteBlock, _ cell: Range<Int>) -> Bool {
    rules.mostFields == .max || block.span(from: cell.lowerBound, count: cell.count).isPrintableASCII
  }

  /// Handles a quote or an escape mark.
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
        head.state = .closed
        head.closedAt = place
      }
    case .closed:
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

  /// Adds the cell that ends at `place` and continues after it.
  private mutating func endCell(
    _ block: ByteBlock, _ place: Int, isPlain: Bool, _ head: inout Head
  ) throws(DelimitedDamage) {
    if head.state == .outside {
      try append(
        block, head.cellStart, place, isPlain: isPlain && isPlainRest(block, head.cellStart..<place),
        isEscaped: head.isEscaped)
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

  /// Whether the range has only blanks that are not part of cells.
  private mutating func isBlank(_ block: ByteBlock, _ range: Range<Int>) -> Bool {
    rules.isTrimmed && range.allSatisfy { block[$0].isBlank }
  }

  /// Whether the unquoted cell that ends at `place` is only printable ASCII.
  private mutating func isPlain(_ masks: StructuralMasks, _ window: Int, _ place: Int, _ head: Head) -> Bool {
    var seen = masks.special & ~(UInt64.max &<< UInt64(truncatingIfNeeded: place &- window))
    if head.cellStart > window {
      seen &= UInt64.max &<< UInt64(truncatingIfNeeded: head.cellStart &- window)
    }
    return !head.isSpecial && seen == 0
  }

  /// Remembers whether the current cell has special bytes in a window; bytes inside quotes count too.
  private func recordSpecial(_ masks: StructuralMasks, _ window: Int, _ head: inout Head) {
    guard head.cellStart < window &+ 64 else { return }
    var seen = masks.special | (head.state == .outside ? 0 : masks.controls)
    if head.cellStart > window {
      seen &= UInt64.max &<< UInt64(truncatingIfNeeded: head.cellStart &- window)
    }
    head.isSpecial = head.isSpecial || seen != 0
  }

  /// Ends the last record, if no newline does.
  mutating func finish(_ block: ByteBlock, _ head: inout Head) throws(DelimitedDamage) {
    let count = end
    if head.state == .inside { throw .unclosedQuote(openedAt: head.cellStart) }
    guard head.recordStart < count else { return }
    try endCell(block, count, isPlain: !head.isSpecial, &head)
    try finishRecord(block, head.recordStart, lineEnd: contentEnd(block, head.recordStart..<count))
  }
}

/// Records.
extension DelimitedParser {
  /// Removes a record that continues in the next block.
  mutating func abandon(_ recordStart: Int) -> Int {
    cells.removeLast(cells.count - recordBase)
    while let last = findings.last, last.offset >= recordStart { findings.removeLast() }
    return recordStart
  }

  /// Skips lines that begin with the comment mark.
  ///
  /// - Returns: `false` if such a line continues in the next block.
  private mutating func skipComments(
    _ block: ByteBlock, _ comment: UInt8, _ isLast: Bool, _ recordStart: inout Int
  ) -> Bool {
    while recordStart < block.count, block[recordStart] == comment {
      isVerbatim = false
      var end = recordStart
      while end < block.count, block[end] != 10, block[end] != 13 { end += 1 }
      if !isLast, end + 1 >= block.count { return false }
      if end < block.count {
        end += block[end] == 13 && end + 1 < block.count && block[end + 1] == 10 ? 2 : 1
      }
      recordLine(.leftOutLine, at: recordStart)
      recordStart = end
    }
    return true
  }

  /// Records a line that is no record; consecutive ones are one finding.
  private mutating func recordLine(_ kind: InputFindings.Kind, at start: Int) {
    if let last = findings.last, last.kind == kind, last.row == recordStarts.count {
      findings[findings.count - 1].count += 1
    } else {
      findings.append(DelimitedFinding(kind: kind, offset: start, row: recordStarts.count))
    }
  }

  /// Counts the fields of the record that ends.
  @inline(__always)
  private mutating func finishRecord(_ block: ByteBlock, _ start: Int, lineEnd: Int) throws(DelimitedDamage) {
    let fields = cells.count &- recordBase
    if start == lineEnd, !rules.emptyLineIsRow {
      cells.removeLast()
      isVerbatim = false
      if rules.countsEmptyLines { recordLine(.emptyLine, at: start) }
      return
    }
    if fields != widths.even, try !checkUneven(start, fields) { return }
    recordStarts.append(UInt32(truncatingIfNeeded: start))
    recordBase = cells.count
  }

  /// The end of the content of a line that has one cell or more; a line of blanks is empty if cells are trimmed.
  private mutating func contentEnd(_ block: ByteBlock, _ line: Range<Int>) -> Int {
    let isEmpty = rules.isTrimmed && cells.count - recordBase == 1 && line.allSatisfy { block[$0].isBlank }
    return isEmpty ? line.lowerBound : line.upperBound
  }

  /// Checks a record whose number of fields differs from the header, or from the records before it.
  ///
  /// - Returns: whether it is kept.
  @inline(never)
  private mutating func checkUneven(_ start: Int, _ fields: Int) throws(DelimitedDamage) -> Bool {
    if let fieldCount {
      if fields != fieldCount {
        switch ragged {
        case .error: throw .ragged(recordAt: start, fields: fields)
        case .skip:
          findings.append(DelimitedFinding(kind: .skippedRow, offset: start, row: recordStarts.count))
          cells.removeLast(fields)
          isVerbatim = false
          return false
        case .fill where fields > columnCount && !mayGrow: throw .ragged(recordAt: start, fields: fields)
        case .fill: break
        }
      }
      if !recordStarts.isEmpty, recordStarts.count >= limits.cells / max(fields, widths.widest) {
        throw .full(recordAt: start)
      }
      isVerbatim = false
    }
    if fields > limits.columns { throw .recordTooLong(at: start) }
    widths.add(fields, at: recordBase, after: recordStarts.count)
    return true
  }
}

/// How csv or tsv is written.
struct DelimitedRules: Sendable {
  /// The bytes that structure it.
  var marks: StructuralMarks
  /// Whether a backslash and a letter are a tab or a newline (tsv), not only the letter.
  var decodesLetters: Bool
  /// Whether text is allowed after a closing quote.
  var isLazy: Bool
  /// Lines that begin with this byte are not data.
  var comment: UInt8?
  /// The texts that are null.
  var nullWords: [[UInt8]]
  /// Whether `""` is an empty text instead of null.
  var quotedEmptyIsText: Bool
  /// Whether an empty line is a row (a tsv of one column) rather than nothing.
  var emptyLineIsRow: Bool
  /// How the client of an engine writes what it answers.
  var answer: AnswerCells?
  /// Whether empty lines that are no rows are counted.
  var countsEmptyLines = false
  /// Whether outer blanks are not part of cells.
  var isTrimmed = false
  /// The most fields of a record: the last of them takes the rest of its line.
  var mostFields = Int.max
}

/// A finding in csv or tsv that is reported at the end.
struct DelimitedFinding {
  /// What was found.
  var kind: InputFindings.Kind
  /// The offset of the byte where it shows.
  var offset: Int
  /// The number of records before the one it belongs to.
  var row: Int
  /// The number of consecutive findings.
  var count = 1
}

/// Why a block of csv or tsv cannot be cut, and the byte where it shows.
enum DelimitedDamage: Error, Equatable {
  /// There is text after a closing quote.
  case textAfterQuote(at: Int)
  /// A quote that is never closed.
  case unclosedQuote(openedAt: Int)
  /// A record of another length, with its number of fields.
  case ragged(recordAt: Int, fields: Int)
  /// A cell with more bytes than allowed.
  case cellTooLong(at: Int)
  /// A record that takes too much memory: where it begins, or a quote in it that is not closed yet.
  case recordTooLong(at: Int)
  /// No damage: the batch is full before the record that begins there.
  case full(recordAt: Int)
}
