/// Cuts a block of csv or tsv into records and notes its cells.
///
/// 1. 64 bytes at a time are turned into bits: delimiters and newlines, quotes, bytes that are not plain.
/// 2. The set bits are visited in order by a machine of three states: outside quotes, inside, behind a
///    closing quote. A quote opens only at the beginning of a cell (RFC 4180 with the leniency of SPEC §3.2).
/// 3. Cells with doubled quotes or escapes get a second spelling in `decoded`.
struct DelimitedParser: ~Copyable {
  /// Where the machine stands to the quotes of a cell.
  private enum State {
    case outside
    case inside
    case behind
  }

  /// How the form is written.
  let rules: Rules

  /// The cells cut so far, record by record.
  private(set) var cells: [Cell] = []

  /// Where the records begin in the block.
  private(set) var recordStarts: [UInt32] = []

  /// Where cells with a second spelling stand in the block and in `decoded`.
  private(set) var escapes: [Escape] = []

  /// The second spellings, one behind the other.
  private(set) var decoded = ByteBuffer(capacity: 0)

  /// The number of cells of a record; grows with `fill`.
  private(set) var columnCount: Int

  /// Whether records are exactly their cells, with nothing between them.
  private(set) var isVerbatim = true

  /// Records left out because their length was wrong.
  private(set) var skipped: [Int] = []

  /// The first quote mark that stands inside an unquoted cell.
  private(set) var quoteInText: Int?

  /// The number of fields that records must have; `nil` takes the first record's.
  private var fieldCount: Int?
  private let ragged: InputOptions.Ragged
  private let mayGrow: Bool
  private var recordBase = 0

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
    var state = State.outside
    var cellStart = start
    var recordStart = start
    var closedAt = 0
    var ignoredBelow = start
    var isSpecial = false
    var isEscaped = false
    var isDetached = false
    let quote = rules.marks.quote
    let delimiter = rules.marks.delimiter
    let count = block.count
    let comment = rules.comment
    if let comment, !skipComments(block, comment, isLast, &recordStart) { return recordStart }
    ignoredBelow = recordStart
    cellStart = recordStart
    var window = start
    let hasPlainWindows = limit == .max && comment == nil && rules.nullWords.isEmpty

    while window < count {
      let masks = block.masks(at: window, for: rules.marks)
      if masks.wraps == 0, hasPlainWindows, state == .outside, !isEscaped, window &+ 64 < count {
        try cutPlain(block, masks, at: window, &cellStart, &recordStart, &ignoredBelow, &isSpecial)
        window &+= 64
        continue
      }
      var bits = masks.ends | masks.wraps
      while bits != 0 {
        let place = window &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        if place < ignoredBelow { continue }
        if place >= count { break }
        let isEnd = masks.ends &>> UInt64(truncatingIfNeeded: place &- window) & 1 != 0

        // Inside quotes only quotes and escapes count.
        if state == .inside {
          if isEnd { continue }
          let byte = block[place]
          if byte != quote || rules.marks.escape == byte {
            isEscaped = true
            ignoredBelow = place &+ 2
          } else if place &+ 1 < count, block[place &+ 1] == byte {
            isEscaped = true
            ignoredBelow = place &+ 2
          } else {
            state = .behind
            closedAt = place
          }
          continue
        }

        // A quote or an escape outside quotes.
        if !isEnd {
          if state == .behind {
            if rules.isLazy {
              isDetached = true
              continue
            }
            throw .textAfterQuote(at: closedAt &+ 1)
          }
          let byte = block[place]
          if byte == quote {
            if place == cellStart {
              state = .inside
              isEscaped = false
              isDetached = false
            } else if quoteInText == nil {
              quoteInText = place
            }
          } else {
            isEscaped = true
            if !rules.decodesLetters { ignoredBelow = place &+ 2 }
          }
          continue
        }

        // The end of a cell.
        let byte = block[place]
        if byte == 13, place &+ 1 == count, !isLast { return abandon(recordStart) }
        if state == .outside {
          let low = cellStart &- window
          var seen = masks.special & ~(UInt64.max &<< UInt64(truncatingIfNeeded: place &- window))
          if low > 0 { seen &= UInt64.max &<< UInt64(truncatingIfNeeded: low) }
          try append(
            block, cellStart, place, isPlain: !isSpecial && seen == 0, isEscaped: isEscaped, recordStart)
        } else {
          if place != closedAt &+ 1 {
            guard rules.isLazy else { throw .textAfterQuote(at: closedAt &+ 1) }
            isDetached = true
          }
          try appendQuoted(block, cellStart, closedAt, place, isEscaped, isDetached, recordStart)
          state = .outside
        }
        isSpecial = false
        isEscaped = false
        cellStart = place &+ 1
        if byte == delimiter { continue }

        // The end of a record.
        if byte == 13, place &+ 1 < count, block[place &+ 1] == 10 {
          cellStart = place &+ 2
          ignoredBelow = cellStart
        }
        try finishRecord(block, recordStart, lineEnd: place)
        recordStart = cellStart
        if recordStarts.count == limit { return recordStart }
        if let comment, recordStart < count, block[recordStart] == comment {
          if !skipComments(block, comment, isLast, &recordStart) { return recordStart }
          ignoredBelow = recordStart
          cellStart = recordStart
          if recordStart >= window &+ 64 { break }
        }
      }
      if cellStart < window &+ 64 {
        let low = cellStart &- window
        isSpecial = isSpecial || (low > 0 ? masks.special & (UInt64.max &<< UInt64(low)) : masks.special) != 0
      }
      window &+= 64
      if window < recordStart { window = recordStart }
    }

    guard isLast else { return abandon(recordStart) }
    if state == .inside { throw .unclosedQuote(openedAt: cellStart) }
    guard recordStart < count else { return count }
    if state == .behind {
      if closedAt &+ 1 != count {
        guard rules.isLazy else { throw .textAfterQuote(at: closedAt &+ 1) }
        isDetached = true
      }
      try appendQuoted(block, cellStart, closedAt, count, isEscaped, isDetached, recordStart)
    } else {
      try append(block, cellStart, count, isPlain: !isSpecial, isEscaped: isEscaped, recordStart)
    }
    try finishRecord(block, recordStart, lineEnd: count)
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
  /// Cuts 64 bytes without quotes and escapes, outside of both: the common case, in which every mark ends a cell.
  @inline(__always)
  private mutating func cutPlain(
    _ block: ByteBlock, _ masks: StructuralMasks, at window: Int, _ cellStart: inout Int,
    _ recordStart: inout Int, _ ignoredBelow: inout Int, _ isSpecial: inout Bool
  ) throws(Damage) {
    let delimiter = rules.marks.delimiter
    var bits = masks.ends
    if ignoredBelow > window { bits &= UInt64.max &<< UInt64(truncatingIfNeeded: ignoredBelow &- window) }
    var special = masks.special
    while bits != 0 {
      let bit = UInt64(truncatingIfNeeded: bits.trailingZeroBitCount)
      let place = window &+ Int(truncatingIfNeeded: bit)
      let behind = UInt64.max &<< bit
      bits &= bits &- 1
      let length = place &- cellStart
      guard length <= Cell.longest else { throw .cellTooLong(recordAt: recordStart) }
      cells.append(Cell(unquoted: cellStart, length: length, isPlain: !isSpecial && special & ~behind == 0))
      special &= behind
      isSpecial = false
      cellStart = place &+ 1
      let byte = block[place]
      if byte == delimiter { continue }
      if byte == 13, block[place &+ 1] == 10 {
        cellStart = place &+ 2
        ignoredBelow = cellStart
        if bit < 63 { bits &= ~(2 &<< bit) }
      }
      try finishRecord(block, recordStart, lineEnd: place)
      recordStart = cellStart
    }
    isSpecial = isSpecial || special != 0
  }

  /// Forgets a record that goes on in the next block.
  private mutating func abandon(_ recordStart: Int) -> Int {
    cells.removeLast(cells.count - recordBase)
    return recordStart
  }

  /// Goes over lines that begin with the comment mark.
  ///
  /// - Returns: `false` where such a line goes on in the next block.
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
      recordStart = end
    }
    return true
  }

  /// Notes a cell without quotes.
  @inline(__always)
  private mutating func append(
    _ block: ByteBlock, _ start: Int, _ end: Int, isPlain: Bool, isEscaped: Bool, _ recordStart: Int
  ) throws(Damage) {
    let length = end &- start
    if isEscaped {
      try appendDecoded(block, start, end, .outside, recordStart)
      return
    }
    guard length <= Cell.longest else { throw .cellTooLong(recordAt: recordStart) }
    var kind = length == 0 ? Cell.Kind.empty : .text
    if !rules.nullWords.isEmpty, isNullWord(block.span(from: start, count: length)) { kind = .null }
    cells.append(Cell(offset: start, length: length, kind: kind, isPlain: isPlain))
  }

  /// Notes a cell in quotes: `start` is the opening quote, `closedAt` the closing one, `end` the cell's end.
  private mutating func appendQuoted(
    _ block: ByteBlock, _ start: Int, _ closedAt: Int, _ end: Int, _ isEscaped: Bool, _ isDetached: Bool,
    _ recordStart: Int
  ) throws(Damage) {
    if isDetached {
      isVerbatim = false
      try appendDecoded(block, start, end, .behind, recordStart)
      return
    }
    if isEscaped {
      try appendDecoded(block, start + 1, closedAt, .inside, recordStart)
      return
    }
    let length = closedAt - start - 1
    guard length <= Cell.longest else { throw .cellTooLong(recordAt: recordStart) }
    let content = block.span(from: start + 1, count: length)
    var kind = length == 0 && !rules.quotedEmptyIsText ? Cell.Kind.empty : .text
    if !rules.nullWords.isEmpty, isNullWord(content) { kind = .null }
    cells.append(
      Cell(offset: start + 1, length: length, kind: kind, isPlain: content.isPrintableASCII, isQuoted: true))
  }

  /// Notes a cell whose content is spelled otherwise than it reads.
  ///
  /// `state` says where the bytes lie: outside quotes, inside one pair, or partly behind one (lazy quotes).
  private mutating func appendDecoded(
    _ block: ByteBlock, _ start: Int, _ end: Int, _ state: State, _ recordStart: Int
  ) throws(Damage) {
    guard end - start <= Cell.longest else { throw .cellTooLong(recordAt: recordStart) }
    let begin = decoded.count
    var index = start
    var isInside = state == .inside
    var hasClosed = false
    var window = start
    while window < end {
      var bits = block.masks(at: window, for: rules.marks).wraps
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
    let length = decoded.count - begin
    let isPlain = decoded.span.extracting(begin...).isPrintableASCII
    escapes.append(
      Escape(
        rawOffset: UInt32(truncatingIfNeeded: start), rawLength: UInt32(truncatingIfNeeded: end - start),
        offset: UInt32(truncatingIfNeeded: begin)))
    cells.append(
      Cell(
        offset: escapes.count - 1, length: length, isPlain: isPlain, isQuoted: state == .inside,
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

  private func isNullWord(_ content: Span<UInt8>) -> Bool {
    for word in rules.nullWords where content.equals(word.span) { return true }
    return false
  }

  /// Counts the fields of the record that ends and makes its cells as many as the others'.
  @inline(__always)
  private mutating func finishRecord(_ block: ByteBlock, _ start: Int, lineEnd: Int) throws(Damage) {
    let fields = cells.count &- recordBase
    if start == lineEnd, !rules.emptyLineIsRow {
      cells.removeLast()
      isVerbatim = false
      return
    }
    if fields != fieldCount || fields != columnCount { try makeEven(start, fields) }
    if cells.count > recordBase || columnCount == 0 {
      recordStarts.append(UInt32(truncatingIfNeeded: start))
      recordBase = cells.count
    }
  }

  @inline(never)
  private mutating func makeEven(_ start: Int, _ fields: Int) throws(Damage) {
    guard let fieldCount else {
      columnCount = fields
      return
    }
    if fields != fieldCount {
      switch ragged {
      case .error: throw .ragged(recordAt: start, fields: fields)
      case .skip:
        skipped.append(start)
        cells.removeLast(fields)
        isVerbatim = false
        return
      case .fill: break
      }
      if fields > columnCount {
        guard mayGrow else { throw .ragged(recordAt: start, fields: fields) }
        widen(to: fields)
      }
    }
    isVerbatim = false
    for _ in (cells.count - recordBase)..<max(columnCount, cells.count - recordBase) {
      cells.append(.missing)
    }
  }

  /// Gives all records before the current one the same, larger number of cells.
  private mutating func widen(to wider: Int) {
    var wide: [Cell] = []
    wide.reserveCapacity(cells.count / max(columnCount, 1) * wider)
    for record in recordStarts.indices {
      wide.append(contentsOf: cells[record * columnCount..<(record + 1) * columnCount])
      for _ in columnCount..<wider { wide.append(.missing) }
    }
    let base = wide.count
    wide.append(contentsOf: cells[recordBase...])
    cells = wide
    recordBase = base
    columnCount = wider
  }
}
