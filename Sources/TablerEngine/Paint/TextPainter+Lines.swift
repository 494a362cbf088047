extension TextPainter {
  /// Ends a line: nothing of it but a frame may stand behind its last text.
  @inline(__always)
  func endLine(from start: Int, into out: inout ByteBuffer) {
    if !arrangement.frame.isClosed { out.trimBlanks(from: start) }
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
    cells.removeAll()
    cellText.removeAll()
    for column in arrangement.columns {
      let start = cellText.count
      cellText.append(column.title)
      let overflow: Overflow = context.overflow == .scroll ? .scroll : .truncate
      cells.append(
        cellText, from: start, width: column.width - column.signRoom, overflow: overflow,
        needsCarry: context.metrics.passesControl)
    }
    for line in 0..<max(1, cells.height) {
      let start = out.count
      out.append(arrangement.frame.lead)
      for (index, column) in arrangement.columns.enumerated() {
        paintTitle(index, column, line: line, into: &out)
        appendGap(index, into: &out)
      }
      endLine(from: start, into: &out)
    }
  }

  private mutating func paintTitle(
    _ index: Int, _ column: Arrangement.Column, line: Int, into out: inout ByteBuffer
  ) {
    let room = column.width - column.signRoom
    let width = cells.width(index, line: line) ?? 0
    let hasSign = line == 0 && !column.sign.isEmpty
    let style = column.isRowHeader ? TextStyle.plain : headerStyle
    let free = max(0, room - width)
    let before = slots[index].alignment.blanksBefore(free)
    let after = free - before + column.signRoom
    let sign = hasSign ? column.sign : []
    let isPadded = slots[index].isPadded || style.isVisibleOnBlanks
    if !style.isVisibleOnBlanks { out.append(repeating: 0x20, count: before) }
    style.apply(to: &out) { out in
      if style.isVisibleOnBlanks { out.append(repeating: 0x20, count: before) }
      if width > 0 { cells.paint(index, line: line, of: cellText, into: &out) }
      if hasSign { out.append(repeating: 0x20, count: after - context.metrics.width(of: sign.span)) }
      out.append(sign)
      if !hasSign, isPadded { out.append(repeating: 0x20, count: after) }
    }
  }

  /// Draws a line of the footer.
  mutating func paintFooter(_ footer: FooterLine, into out: inout ByteBuffer) {
    cells.removeAll()
    cellText.removeAll()
    for (index, column) in arrangement.columns.enumerated() {
      let start = cellText.count
      var findings = Escaper.Findings()
      if index < footer.cells.count, let text = footer.cells[index] {
        findings = context.escaper.append(text.span, to: &cellText)
      }
      cells.append(
        cellText, from: start, width: column.width, overflow: context.overflow,
        needsCarry: findings.needsCarry, widest: arrangement.lookAhead == .all ? nil : column.widest)
    }
    paintCells(height: 1, into: &out)
  }

  /// Draws a row whose cells may have several lines.
  mutating func paintTallRow(_ batch: Batch, _ row: Int, number: Int, into out: inout ByteBuffer) {
    cells.removeAll()
    cellText.removeAll()
    let isLate = arrangement.lookAhead.isLate(number)
    for (index, column) in arrangement.columns.enumerated() {
      let start = cellText.count
      let findings = reader.append(&texts[index], batch, row, number: number, to: &cellText)
      rare += findings.rare
      cells.append(
        cellText, from: start, width: column.width, overflow: context.overflow,
        needsCarry: findings.needsCarry, widest: isLate ? column.widest : nil)
    }
    paintCells(height: arrangement.spacing.rowHeight, into: &out)
  }

  /// Draws the cells at hand in as many lines as the tallest needs, and at least `height`.
  private mutating func paintCells(height: Int, into out: inout ByteBuffer) {
    for line in 0..<max(height, cells.height) {
      let start = out.count
      out.append(arrangement.frame.lead)
      for index in arrangement.columns.indices {
        paintLine(line, of: index, into: &out)
        appendGap(index, into: &out)
      }
      endLine(from: start, into: &out)
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
    let style = slot.isStyled ? headerStyle : .plain
    style.apply(to: &out) { cells.paint(index, line: line, of: cellText, into: &$0) }
    if slot.isPadded { out.append(repeating: 0x20, count: free - before) }
  }
}
