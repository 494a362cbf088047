/// Draws rows directly from their batch, in as many lines as their cells need.
struct WrappedRow: Sendable {
  /// Whether the last row that was tried was wrapped.
  ///
  /// If so, the next row is tried as a wrapped row first.
  private(set) var isExpected = false

  private let slots: [TextSlot]
  private let frame: TextFrame
  private let rowHeight: Int
  private let lookAhead: LookAhead
  private let context: TextContext

  /// The wrapped cells of the current row.
  ///
  /// Those with lines left come first.
  private var parts: [Part] = []

  /// The wrapped cells of the current row that are not of printable ASCII, at the indices of their slots.
  private var mixedCells: [WrappedCell] = []

  /// A line whose cells are all blank; empty if it would be long, and before the first wrapped row.
  private var blankLine = ByteBlock.empty

  /// The place of the cell of each slot in that line, in bytes.
  private var places: [Range<Int>] = []

  /// The number of bytes of that line without trailing blanks that are removed.
  private var drawnLength = 0

  /// The number of slots after which only such blanks follow.
  private let drawnCount: Int

  /// Whether no column is aligned at decimal points, or shows anything but cells.
  private let isPossible: Bool

  /// The size up to which a line is held, in bytes.
  private static let mostHeld = 1 << 12

  /// The most bytes of a batch whose rows are drawn before it is known that they can be.
  private static let mostTakenBack = 1 << 20

  /// A wrapped cell.
  private struct Part {
    /// The index of its slot.
    var slot: Int

    /// Finds its lines in the block, if it is of printable ASCII.
    var plain: PlainLineBreaker

    /// Whether it is; otherwise it is among `mixedCells`.
    var isPlain: Bool
  }

  /// Prepares the rows of an arrangement.
  init(_ arrangement: Arrangement, _ slots: [TextSlot], _ context: TextContext) {
    self.slots = slots
    frame = arrangement.frame
    rowHeight = arrangement.spacing.rowHeight
    lookAhead = arrangement.lookAhead
    self.context = context
    let lastDrawn = frame.gaps.lastIndex { $0.contains { $0 != 0x20 } } ?? -1
    drawnCount = frame.isClosed ? slots.count : lastDrawn + 1
    isPossible = slots.allSatisfy { $0.column < Int32.max }
  }
}

extension WrappedRow {
  /// Draws a row directly from its batch, in as many lines as its cells need.
  ///
  /// 1. Draw the first line of every cell. If one must be escaped or aligned at its decimal point, take the line back and
  ///    return `false`; if the line may be too long for that, examine its cells first.
  /// 2. Draw line after line of the cells that have more. Lines are not stored, so a cell may have millions.
  mutating func paint(
    _ batch: Batch, _ row: Int, number: Int, _ cells: inout TextCells, into out: inout ByteBuffer
  ) -> Bool {
    let (block, batchCells) = (batch.block, batch.cells)
    let first = row &* batch.columnCount
    let record = batchCells.span.extracting(first..<first &+ batch.columnCount)
    if parts.isEmpty { prepareParts() }
    let mayTakeBack = blankLine.count > 0 && block.count &+ batch.decoded.count <= Self.mostTakenBack
    let (start, counts) = (out.count, cells.counts)
    var openCount: Int?
    if isPossible, !lookAhead.isLate(number), mayTakeBack || canPaint(batch, record) {
      if mayTakeBack { out.pin() }
      openCount = paintFirstLine(batch, record, &cells, into: &out)
      if mayTakeBack { out.unpin() }
    }
    guard var open = openCount else {
      if mayTakeBack { out.truncate(to: start) }
      cells.counts = counts
      isExpected = false
      return false
    }
    frame.endLine(to: &out)
    var height = 1
    while open > 0 || height < rowHeight {
      if open == 1, parts[0].isPlain, blankLine.count > 0 {
        height &+= copyFurtherLines(of: parts[0], block, into: &out)
        open = 0
      } else if blankLine.count > 0 {
        open = copyFurtherLine(open, batch, record, &cells, into: &out)
        height &+= 1
      } else {
        open = paintFurtherLine(open, batch, record, &cells, into: &out)
        height &+= 1
      }
    }
    isExpected = height > 1
    return true
  }

  /// Whether no cell of a record must be escaped or aligned at its decimal point.
  private func canPaint(_ batch: Batch, _ record: Span<Cell>) -> Bool {
    for slot in slots {
      guard slot.column < record.count else { return false }
      let cell = record[slot.column]
      guard cell.isSimple || !cell.isDim && context.extent(of: batch.drawn(cell)) != nil else { return false }
    }
    return true
  }

  /// Draws the first line of a row without its end, and starts the cells that have more of them.
  ///
  /// - Returns: how many there are; `nil` if a cell must be escaped or aligned.
  @inline(__always)
  private mutating func paintFirstLine(
    _ batch: Batch, _ record: Span<Cell>, _ cells: inout TextCells, into out: inout ByteBuffer
  ) -> Int? {
    let (slots, block) = (slots, batch.block)
    let wraps = context.overflow == .wrap
    var open = 0
    out.append(frame.lead.span)
    for index in slots.indices {
      let slot = slots[index]
      guard slot.column < record.count else { return nil }
      let cell = record[slot.column]
      if cell.isSimple, cell.length <= slot.width {
        slot.append(cell, of: block, to: &out)
      } else if cell.isSimple, wraps, slot.width > 0, block[cell.offset] != 0x20 {
        var plain = PlainLineBreaker(cell.offset..<cell.offset &+ cell.length)
        slot.append(plain.next(in: block.span, limit: slot.width), of: block, to: &out)
        if !plain.isFinished {
          parts[open] = Part(slot: index, plain: plain, isPlain: true)
          open &+= 1
        }
      } else {
        guard !cell.isDim, let extent = context.extent(of: batch.drawn(cell)) else { return nil }
        if extent.newlines == 0, extent.width <= slot.width {
          _ = slot.append(batch.drawn(cell), width: extent.width, context.overflow, to: &out)
        } else {
          let limit = wraps && extent.width > slot.width ? slot.width : nil
          mixedCells[index] = WrappedCell(width: limit, context.metrics)
          parts[open] = Part(slot: index, plain: PlainLineBreaker(0..<0), isPlain: false)
          if appendNextLine(of: open, batch, record, &cells, into: &out) { open &+= 1 }
        }
      }
      slot.appendGap(index, of: frame, to: &out)
    }
    return open
  }

  /// Draws a further line: the next line of the first `open` cells of `parts`, and blanks.
  ///
  /// - Returns: the number of those with lines left.
  private mutating func paintFurtherLine(
    _ open: Int, _ batch: Batch, _ record: Span<Cell>, _ cells: inout TextCells, into out: inout ByteBuffer
  ) -> Int {
    out.append(frame.lead.span)
    var (part, kept) = (0, 0)
    for index in slots.indices {
      let slot = slots[index]
      if part < open, parts[part].slot == index {
        if appendNextLine(of: part, batch, record, &cells, into: &out) { keep(part, &kept) }
        part &+= 1
      } else if part == open, index >= drawnCount {
        break
      } else if slot.isPadded {
        out.append(blanks: slot.width)
      }
      slot.appendGap(index, of: frame, to: &out)
    }
    frame.endLine(to: &out)
    return kept
  }

  /// Draws the next line of a wrapped cell in its column; returns whether it has more.
  private mutating func appendNextLine(
    of part: Int, _ batch: Batch, _ record: Span<Cell>, _ cells: inout TextCells, into out: inout ByteBuffer
  ) -> Bool {
    let index = parts[part].slot
    let slot = slots[index]
    guard parts[part].isPlain else {
      cells.appendLine(of: &mixedCells[index], batch.drawn(record[slot.column]), in: slot, to: &out)
      return !mixedCells[index].isFinished
    }
    let block = batch.block
    slot.append(parts[part].plain.next(in: block.span, limit: slot.width), of: block, to: &out)
    return !parts[part].plain.isFinished
  }

  /// Moves a cell with lines left to the front.
  @inline(__always)
  private mutating func keep(_ part: Int, _ kept: inout Int) {
    if kept < part { parts[kept] = parts[part] }
    kept &+= 1
  }

  /// Draws a further line as `paintFurtherLine` does, with everything but the texts copied from the blank line.
  private mutating func copyFurtherLine(
    _ open: Int, _ batch: Batch, _ record: Span<Cell>, _ cells: inout TextCells, into out: inout ByteBuffer
  ) -> Int {
    let block = batch.block
    var (reached, kept) = (0, 0)
    for part in 0..<open {
      let index = parts[part].slot
      if parts[part].isPlain {
        var plain = parts[part].plain
        reached = copyNextLine(of: &plain, index, from: reached, block, into: &out)
        parts[part].plain = plain
        if !plain.isFinished { keep(part, &kept) }
      } else {
        let place = places[index]
        out.append(blankLine, from: reached, count: place.lowerBound &- reached)
        if appendNextLine(of: part, batch, record, &cells, into: &out) { keep(part, &kept) }
        reached = place.upperBound
      }
    }
    if reached < drawnLength { out.append(blankLine, from: reached, count: drawnLength &- reached) }
    frame.endLine(to: &out)
    return kept
  }

  /// Draws all further lines of a row in which only one cell has any, of printable ASCII; returns their number.
  private mutating func copyFurtherLines(of part: Part, _ block: ByteBlock, into out: inout ByteBuffer) -> Int
  {
    var plain = part.plain
    var height = 0
    repeat {
      let reached = copyNextLine(of: &plain, part.slot, from: 0, block, into: &out)
      if reached < drawnLength { out.append(blankLine, from: reached, count: drawnLength &- reached) }
      frame.endLine(to: &out)
      height &+= 1
    } while !plain.isFinished
    return height
  }

  /// Draws the next line of a cell of printable ASCII after the blank line's bytes from `reached` on.
  ///
  /// - Returns: where the blank line goes on, with the blanks after the text.
  @inline(__always)
  private mutating func copyNextLine(
    of plain: inout PlainLineBreaker, _ index: Int, from reached: Int, _ block: ByteBlock,
    into out: inout ByteBuffer
  ) -> Int {
    let (slot, place) = (slots[index], places[index])
    let line = plain.next(in: block.span, limit: slot.width)
    let before = slot.alignment.blanksBefore(slot.width &- line.count)
    out.append(blankLine, from: reached, count: place.lowerBound &- reached)
    out.append(blanks: before)
    out.append(block, from: line.lowerBound, count: line.count)
    return min(place.upperBound, place.lowerBound &+ before &+ line.count)
  }

  /// Prepares the state for wrapped rows.
  private mutating func prepareParts() {
    parts = Array(
      repeating: Part(slot: 0, plain: PlainLineBreaker(0..<0), isPlain: false), count: slots.count)
    mixedCells = Array(repeating: WrappedCell(width: nil, context.metrics), count: slots.count)
    let length = slots.indices.reduce(frame.lead.count) { sum, index in
      sum + (slots[index].isPadded ? slots[index].width : 0) + frame.gap(after: index).count
    }
    guard length <= Self.mostHeld else { return }
    var line = ByteBuffer(capacity: length)
    line.append(frame.lead)
    for (index, slot) in slots.enumerated() {
      let start = line.count
      if slot.isPadded { line.append(blanks: slot.width) }
      places.append(start..<line.count)
      line.append(frame.gap(after: index))
    }
    drawnLength = line.count
    blankLine = ByteBlock(taking: &line)
    while !frame.isClosed, drawnLength > 0, blankLine[drawnLength - 1] == 0x20 { drawnLength -= 1 }
  }
}
