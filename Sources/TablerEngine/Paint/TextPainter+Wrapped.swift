extension TextPainter {
  /// A cell of a row that is drawn line by line as it stands in its batch.
  struct WrappedCell {
    /// Which of the slots it stands in.
    var slot: Int
    /// What finds its lines.
    var breaker: LineBreaker
    /// Whether a line of it was cut.
    var isCut = false
  }

  /// Draws a row whose cells stand in their batch as they are drawn, in as many lines as they need.
  ///
  /// 1. Every cell is measured; `false` if something of one must be escaped or lined up.
  /// 2. The first line has all cells; those with further lines give one after the other. No line is held, so that a
  ///    cell may have many.
  mutating func paintWrappedRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) -> Bool {
    let first = row &* batch.columnCount
    guard var open = beginParts(batch, first) else { return false }
    var height = 0
    repeat {
      if height > 0, hasBlankFrame {
        paintParts(open, batch, first, into: &out)
      } else {
        paintLine(open, batch, first, isFirst: height == 0, into: &out)
      }
      endLine(into: &out)
      open = keepParts(open)
      height &+= 1
    } while open > 0 || height < arrangement.spacing.rowHeight
    startsWrapped = height > 1
    return true
  }

  /// Draws the next line of the first `open` cells of `parts`, which stand in the order of their slots.
  ///
  /// - Parameter isFirst: whether the other cells are drawn too; else blanks stand in their place.
  private mutating func paintLine(
    _ open: Int, _ batch: Batch, _ first: Int, isFirst: Bool, into out: inout ByteBuffer
  ) {
    out.append(arrangement.frame.lead.span)
    var part = 0
    for index in slots.indices {
      let slot = slots[index]
      if part < open, parts[part].slot == index {
        paintPart(part, batch, first, into: &out)
        part &+= 1
      } else if isFirst {
        let cell = batch.cells[first &+ slot.column]
        if cell.isSimple {
          let free = slot.width &- cell.length
          let before = slot.alignment.blanksBefore(free)
          out.append(blanks: before)
          out.append(batch.block, from: cell.offset, count: cell.length)
          if slot.isPadded { out.append(blanks: free &- before) }
        } else {
          let content = batch.content(cell)
          _ = paint(content, width: context.metrics.width(of: content), in: slot, into: &out)
        }
      } else if slot.isPadded {
        out.append(blanks: slot.width)
      }
      appendGap(index, into: &out)
    }
  }

  /// The same where nothing but blanks stands between the cells.
  @inline(__always)
  private mutating func paintParts(_ open: Int, _ batch: Batch, _ first: Int, into out: inout ByteBuffer) {
    var reached = 0
    for part in 0..<open {
      let index = parts[part].slot
      out.append(blanks: starts[index] &- reached)
      paintPart(part, batch, first, into: &out)
      reached = starts[index] &+ slots[index].width
    }
  }

  /// Draws the next line of a cell in its column.
  @inline(__always)
  private mutating func paintPart(_ part: Int, _ batch: Batch, _ first: Int, into out: inout ByteBuffer) {
    let slot = slots[parts[part].slot]
    let content = batch.content(batch.cells[first &+ slot.column])
    guard let line = parts[part].breaker.next(in: content) else { return }
    if line.isReplaced || line.width > slot.width, context.overflow != .scroll {
      return paintCut(line, of: content, part, into: &out)
    }
    _ = paint(content.extracting(line.range), width: line.width, in: slot, into: &out)
  }

  /// Brings the cells with further lines to the front; says how many there are.
  @inline(__always)
  private mutating func keepParts(_ open: Int) -> Int {
    var kept = 0
    for part in 0..<open where !parts[part].breaker.isFinished {
      if kept < part { parts[kept] = parts[part] }
      kept &+= 1
    }
    return kept
  }

  /// Starts the cells with several lines of the record whose first cell is `first`.
  ///
  /// - Returns: how many there are; `nil` if a cell is not as simple.
  @inline(__always)
  private mutating func beginParts(_ batch: Batch, _ first: Int) -> Int? {
    if arrangement.lookAhead.isLate(rowCount) { return nil }
    if parts.isEmpty {
      let part = WrappedCell(slot: 0, breaker: LineBreaker(width: nil, metrics: context.metrics))
      parts = Array(repeating: part, count: slots.count)
    }
    var open = 0
    for index in slots.indices {
      let slot = slots[index]
      guard slot.column < batch.columnCount else { return nil }
      let cell = batch.cells[first &+ slot.column]
      if cell.isSimple, cell.length <= slot.width { continue }
      guard !cell.isAbsent, let extent = context.extent(of: batch.content(cell)) else { return nil }
      if extent.newlines == 0, extent.width <= slot.width { continue }
      let wraps = extent.width > slot.width && context.overflow == .wrap
      parts[open] = WrappedCell(
        slot: index, breaker: LineBreaker(width: wraps ? slot.width : nil, metrics: context.metrics))
      open &+= 1
    }
    return open
  }

  /// Draws what fits of a line, and a mark for the rest.
  private mutating func paintCut(
    _ line: TextLine, of content: Span<UInt8>, _ part: Int, into out: inout ByteBuffer
  ) {
    let slot = slots[parts[part].slot]
    var cut = TextCut(replacedBy: 1)
    if !line.isReplaced {
      cut = context.metrics.cut(content.extracting(line.range), to: slot.width, mark: context.cutMark)
    }
    let free = max(0, slot.width &- cut.width &- cut.markWidth)
    let before = slot.alignment.blanksBefore(free)
    let start = line.range.lowerBound
    out.append(blanks: before)
    out.append(content.extracting(start..<start &+ cut.count))
    context.cutMark.append(to: &out, cells: cut.markWidth)
    if slot.isPadded { out.append(blanks: free &- before) }
    if !parts[part].isCut { cells.noteCut() }
    parts[part].isCut = true
  }
}
