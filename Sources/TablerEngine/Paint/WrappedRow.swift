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

  /// A line whose cells are all blank; empty if it would be long, and before the first wrapped row.
  private var blankLine = ByteBlock.empty

  /// The place of the cell of each slot in that line, in bytes.
  private var places: [Range<Int>] = []

  /// The number of bytes of that line without trailing blanks that are removed.
  private var drawnLength = 0

  /// The number of slots after which only such blanks follow.
  private let drawnCount: Int

  /// The size up to which a line is held, in bytes.
  private static let mostHeld = 1 << 12

  /// A wrapped cell, and the index of its slot.
  private struct Part {
    var slot: Int
    var cell: WrappedCell
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
  }
}

extension WrappedRow {
  /// Draws a row directly from its batch, in as many lines as its cells need.
  ///
  /// 1. Measure every cell. Return `false` if one must be escaped or aligned at its decimal point.
  /// 2. Draw the first line of every cell, then line after line of the cells that have more. Lines are not stored, so a
  ///    cell may have millions.
  mutating func paint(
    _ batch: Batch, _ row: Int, number: Int, _ cells: inout TextCells, into out: inout ByteBuffer
  ) -> Bool {
    let first = row &* batch.columnCount
    guard var open = beginParts(batch, first, number: number) else {
      isExpected = false
      return false
    }
    var height = 0
    repeat {
      if height > 0, blankLine.count > 0 {
        paintParts(open, batch, first, &cells, into: &out)
      } else {
        paintLine(open, batch, first, isFirst: height == 0, &cells, into: &out)
      }
      frame.endLine(to: &out)
      open = keepParts(open)
      height &+= 1
    } while open > 0 || height < rowHeight
    isExpected = height > 1
    return true
  }

  /// Draws the next line of the first `open` cells of `parts`, which are in the order of their slots.
  ///
  /// - Parameter isFirst: whether to draw the other cells, too. Otherwise they are left blank.
  private mutating func paintLine(
    _ open: Int, _ batch: Batch, _ first: Int, isFirst: Bool, _ cells: inout TextCells,
    into out: inout ByteBuffer
  ) {
    out.append(frame.lead.span)
    var part = 0
    for index in slots.indices {
      let slot = slots[index]
      if part < open, parts[part].slot == index {
        paintPart(part, batch, first, &cells, into: &out)
        part &+= 1
      } else if isFirst {
        let cell = batch.cells[first &+ slot.column]
        if cell.isSimple {
          slot.append(cell, of: batch.block, to: &out)
        } else {
          let content = batch.drawn(cell)
          _ = slot.append(content, width: context.metrics.width(of: content), context.overflow, to: &out)
        }
      } else if part == open, index >= drawnCount {
        return
      } else if slot.isPadded {
        out.append(blanks: slot.width)
      }
      slot.appendGap(index, of: frame, to: &out)
    }
  }

  /// Does the same below the first line, with everything else copied from the blank line.
  @inline(__always)
  private mutating func paintParts(
    _ open: Int, _ batch: Batch, _ first: Int, _ cells: inout TextCells, into out: inout ByteBuffer
  ) {
    let blankLine = blankLine
    var reached = 0
    for part in 0..<open {
      let place = places[parts[part].slot]
      out.append(blankLine, from: reached, count: place.lowerBound &- reached)
      paintPart(part, batch, first, &cells, into: &out)
      reached = place.upperBound
    }
    if reached < drawnLength { out.append(blankLine, from: reached, count: drawnLength &- reached) }
  }

  /// Draws the next line of a cell in its column.
  @inline(__always)
  private mutating func paintPart(
    _ part: Int, _ batch: Batch, _ first: Int, _ cells: inout TextCells, into out: inout ByteBuffer
  ) {
    let slot = slots[parts[part].slot]
    let content = batch.drawn(batch.cells[first &+ slot.column])
    cells.appendLine(of: &parts[part].cell, content, in: slot, to: &out)
  }

  /// Moves the cells with lines left to the front and returns their number.
  @inline(__always)
  private mutating func keepParts(_ open: Int) -> Int {
    var kept = 0
    for part in 0..<open where !parts[part].cell.isFinished {
      if kept < part { parts[kept] = parts[part] }
      kept &+= 1
    }
    return kept
  }

  /// Starts the cells with several lines of the record whose first cell is `first`.
  ///
  /// - Returns: how many there are; `nil` if a cell must be escaped.
  @inline(__always)
  private mutating func beginParts(_ batch: Batch, _ first: Int, number: Int) -> Int? {
    if lookAhead.isLate(number) { return nil }
    if parts.isEmpty { prepareParts() }
    var open = 0
    for index in slots.indices {
      let slot = slots[index]
      guard slot.column < batch.columnCount else { return nil }
      let cell = batch.cells[first &+ slot.column]
      if cell.isSimple, cell.length <= slot.width { continue }
      guard !cell.isDim, let extent = context.extent(of: batch.drawn(cell)) else { return nil }
      if extent.newlines == 0, extent.width <= slot.width { continue }
      let wraps = extent.width > slot.width && context.overflow == .wrap
      parts[open] = Part(
        slot: index, cell: WrappedCell(width: wraps ? slot.width : nil, context.metrics))
      open &+= 1
    }
    return open
  }

  /// Prepares the state for wrapped rows.
  private mutating func prepareParts() {
    let part = Part(slot: 0, cell: WrappedCell(width: nil, context.metrics))
    parts = Array(repeating: part, count: slots.count)
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
