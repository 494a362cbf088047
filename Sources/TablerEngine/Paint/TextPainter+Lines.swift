extension TextPainter {
  /// Ends a line: nothing of it but a frame may stand after its last text.
  @inline(__always)
  func endLine(into out: inout ByteBuffer) {
    if !arrangement.frame.isClosed { out.trimBlanks() }
    out.append(0x0A)
  }

  /// Appends what follows a column.
  @inline(__always)
  func appendGap(_ index: Int, into out: inout ByteBuffer) {
    if let gap = slots[index].gap { return out.append(gap) }
    let frame = arrangement.frame
    out.append(index < frame.gaps.count ? frame.gaps[index] : frame.tail)
  }

  /// Draws the titles with their signs.
  mutating func paintTitles(into out: inout ByteBuffer) {
    cells.removeAll(reserving: arrangement.columns.count)
    cellText.removeAll()
    var signs: [(line: Int, before: Int)?] = []
    signs.reserveCapacity(arrangement.columns.count)
    for column in arrangement.columns {
      let start = cellText.count
      cellText.append(column.title)
      cells.append(
        title: cellText, from: start, width: column.width, lineLimit: arrangement.headerHeight,
        needsCarry: context.metrics.passesControl)
      signs.append(
        cells.placeSign(
          of: cellText, room: column.signRoom, width: column.width, lineLimit: arrangement.headerHeight))
    }
    for line in 0..<max(1, cells.titleHeight) {
      out.append(arrangement.frame.lead)
      for index in arrangement.columns.indices {
        let sign = signs[index].flatMap { $0.line == line ? $0.before : nil }
        paintTitle(index, line: line, sign: sign, into: &out)
        appendGap(index, into: &out)
      }
      endLine(into: &out)
    }
  }

  /// Draws a line of a title.
  ///
  /// - Parameter sign: the cells of the line before the sign; `nil` where it stands elsewhere.
  private mutating func paintTitle(_ index: Int, line: Int, sign: Int?, into out: inout ByteBuffer) {
    let column = arrangement.columns[index]
    let width = cells.width(index, line: line) ?? 0
    let whole = sign.map { $0 + column.signRoom } ?? width
    let style = column.isRowHeader ? TextStyle.plain : headerStyle
    let free = max(0, column.width - whole)
    let before = slots[index].alignment.blanksBefore(free)
    let isPadded = slots[index].isPadded || style.isVisibleOnBlanks
    if !style.isVisibleOnBlanks { out.append(repeating: 0x20, count: before) }
    style.apply(to: &out) { out in
      if style.isVisibleOnBlanks { out.append(repeating: 0x20, count: before) }
      if width > 0 { cells.paint(index, line: line, of: cellText, into: &out) }
      if let sign {
        out.append(repeating: 0x20, count: sign - width)
        out.append(column.sign)
        out.append(repeating: 0x20, count: column.signRoom - context.metrics.width(of: column.sign.span))
      }
      if isPadded, style.isVisibleOnBlanks { out.append(repeating: 0x20, count: free - before) }
    }
    if isPadded, !style.isVisibleOnBlanks { out.append(repeating: 0x20, count: free - before) }
  }

  /// Draws a line of the footer.
  mutating func paintFooter(_ footer: FooterLine, into out: inout ByteBuffer) {
    cells.removeAll(reserving: arrangement.columns.count)
    cellText.removeAll()
    for column in arrangement.columns {
      let start = cellText.count
      var findings = Escaper.Findings()
      if let source = column.source, source < footer.cells.count, let text = footer.cells[source] {
        findings = context.escaper.append(text.span, to: &cellText)
      }
      cells.append(
        cellText, from: start, width: column.width, overflow: context.overflow,
        needsCarry: findings.needsCarry, widest: arrangement.lookAhead == .all ? nil : column.widest)
    }
    paintCells(height: 1, into: &out)
  }

  /// The bytes that are drawn of each cell, however long the cells before it in the row are.
  private static let leastRoom = 256

  /// Draws a row whose cells may have several lines.
  mutating func paintTallRow(_ batch: Batch, _ row: Int, number: Int, into out: inout ByteBuffer) {
    cells.removeAll(reserving: arrangement.columns.count)
    cellText.removeAll()
    let isLate = arrangement.lookAhead.isLate(number)
    for (index, column) in arrangement.columns.enumerated() {
      let start = cellText.count
      let room = max(Self.leastRoom, DrawnText.longest - start)
      let findings = reader.append(index, batch, row, number: number, room: room, to: &cellText)
      // What is wider than all cells looked at takes, in the last column of an open line, what is left of it.
      let isOpen = isLate && index == arrangement.columns.count - 1
      let width = isOpen ? max(column.width, arrangement.lastRoom) : column.width
      cells.append(
        cellText, from: start, width: width, overflow: context.overflow, needsCarry: findings.needsCarry,
        isAbsent: reader.isAbsent, widest: isLate ? max(column.widest, width) : nil)
    }
    paintCells(height: arrangement.spacing.rowHeight, into: &out)
  }

  /// Draws the cells at hand in as many lines as the tallest needs, and at least `height`.
  private mutating func paintCells(height: Int, into out: inout ByteBuffer) {
    var line = 0
    while cells.advance(to: line, of: cellText) || line < height {
      out.append(arrangement.frame.lead)
      for index in arrangement.columns.indices {
        paintLine(line, of: index, into: &out)
        appendGap(index, into: &out)
      }
      endLine(into: &out)
      line += 1
    }
  }

  private mutating func paintLine(_ line: Int, of index: Int, into out: inout ByteBuffer) {
    let slot = slots[index]
    guard let width = cells.width(index, line: line) else {
      if slot.isPadded { out.append(repeating: 0x20, count: slot.width) }
      return
    }
    let free = max(0, slot.width - width)
    var before = slot.alignment.blanksBefore(free)
    if slot.alignment == .decimal {
      let point = slot.width - arrangement.columns[index].fromPoint
      before = min(free, max(0, point - cells.widthBeforePoint(index, line: line, in: cellText)))
    }
    out.append(repeating: 0x20, count: before)
    let style = slot.isStyled ? headerStyle : cells.isAbsent(index) ? missingStyle : .plain
    style.apply(to: &out) { cells.paint(index, line: line, of: cellText, into: &$0) }
    if slot.isPadded { out.append(repeating: 0x20, count: free - before) }
  }
}
