extension TextDetailPainter {
  /// Draws a field; returns how many lines it took.
  @inline(__always)
  mutating func paintField(
    _ index: Int, _ batch: Batch, _ row: Int, into out: inout ByteBuffer
  ) -> Int {
    paintPlainField(index, batch, row, into: &out) ? 1 : paintRareField(index, batch, row, into: &out)
  }

  /// Draws a field whose cell is copied as it stands, on one line; `false` if it is not that simple.
  @inline(__always)
  private func paintPlainField(
    _ index: Int, _ batch: Batch, _ row: Int, into out: inout ByteBuffer
  ) -> Bool {
    let slot = slots[index]
    guard slot.column < batch.columnCount, let prefix = slot.prefix else { return false }
    let cell = batch.cells[row &* batch.columnCount &+ slot.column]
    guard cell.isSimple, cell.length <= arrangement.valueWidth ?? .max else { return false }
    out.append(prefix)
    out.append(batch.block, from: cell.offset, count: cell.length)
    out.trimBlanks()
    out.append(0x0A)
    return true
  }

  /// Draws any field; returns how many lines it took.
  ///
  /// 1. A cell that is drawn as it stands gives its lines one after the other.
  /// 2. Another is drawn after its label: mostly it is one line.
  /// 3. If it is not, what was drawn is taken back and its lines are looked for.
  private mutating func paintRareField(
    _ index: Int, _ batch: Batch, _ row: Int, into out: inout ByteBuffer
  ) -> Int {
    if let height = paintWrappedField(index, batch, row, into: &out) { return height }
    let start = out.count
    out.pin()
    if let label = lines[index] { out.append(label.span) }
    let value = out.count
    let findings = reader.append(index, batch, row, number: rowCount, to: &out)
    found.note(findings.ofCell, batch, row)
    let isStyled = reader.isAbsent && !lineStyle.opening.isEmpty
    let isOneLine =
      lines[index] != nil && findings.newlines == 0 && !findings.needsCarry && !isStyled
      && fits(out.text(from: value))
    if !isOneLine {
      cells.removeAll()
      cellText.removeAll()
      cellText.append(out.text(from: value))
      out.truncate(to: start)
    }
    out.unpin()
    if !isOneLine { return paintField(index, findings, isAbsent: reader.isAbsent, into: &out) }
    out.trimBlanks()
    out.append(0x0A)
    return 1
  }

  /// Draws a field whose cell is drawn as it stands, in as many lines as it needs; `nil` if it is not that simple.
  private mutating func paintWrappedField(
    _ index: Int, _ batch: Batch, _ row: Int, into out: inout ByteBuffer
  ) -> Int? {
    let column = slots[index].column
    guard column < batch.columnCount, let label = lines[index] else { return nil }
    let cell = batch.cells[row &* batch.columnCount &+ column]
    guard !cell.isAbsent, let extent = context.extent(of: batch.content(cell)) else { return nil }
    if extent.newlines == 0, extent.width <= arrangement.valueWidth ?? .max {
      out.append(label.span)
      out.append(batch.content(cell))
      out.trimBlanks()
      out.append(0x0A)
      return 1
    }
    let isWide = extent.width > arrangement.valueWidth ?? .max && context.overflow != .scroll
    if isWide, context.overflow != .wrap { return nil }
    var breaker = LineBreaker(width: isWide ? arrangement.valueWidth : nil, metrics: context.metrics)
    var height = 0
    var isCut = false
    while let line = breaker.next(in: batch.content(cell)) {
      if height == 0 { out.append(label.span) } else { indentValue(into: &out) }
      out.append(batch.content(cell).extracting(line.range))
      if line.isReplaced {
        context.cutMark.append(to: &out, cells: 1)
        isCut = true
      }
      out.trimBlanks()
      out.append(0x0A)
      height &+= 1
    }
    if isCut { cells.noteCut() }
    return height
  }

  /// Appends what stands before a line that is not a value's first.
  private func indentValue(into out: inout ByteBuffer) {
    out.append(arrangement.indent)
    out.append(repeating: 0x20, count: arrangement.labelWidth)
    out.append(arrangement.gap)
  }

  /// Whether a text without newlines needs no second line.
  private func fits(_ text: Span<UInt8>) -> Bool {
    guard let room = arrangement.valueWidth else { return true }
    return context.metrics.width(of: text) <= room
  }

  /// Draws the lines of a label and the value in `cellText`; returns how many there were.
  mutating func paintField(
    _ index: Int, _ findings: Escaper.Findings, isAbsent: Bool = false, into out: inout ByteBuffer
  ) -> Int {
    let value = cellText.count
    cells.append(
      cellText, from: 0, width: arrangement.valueWidth ?? .max,
      overflow: arrangement.valueWidth == nil ? .scroll : context.overflow, needsCarry: findings.needsCarry)
    cellText.append(arrangement.labels[index])
    cells.append(
      title: cellText, from: value, width: arrangement.labelWidth, lineLimit: .max,
      needsCarry: context.metrics.passesControl)
    var line = 0
    while cells.advance(to: line, of: cellText) {
      out.append(arrangement.indent)
      let width = cells.width(1, line: line) ?? 0
      out.append(repeating: 0x20, count: arrangement.labelWidth - width)
      if width > 0 {
        style.apply(to: &out) { cells.paint(1, line: line, of: cellText, into: &$0) }
      }
      out.append(arrangement.gap)
      if cells.width(0, line: line) != nil {
        let style = isAbsent ? lineStyle : .plain
        style.apply(to: &out) { cells.paint(0, line: line, of: cellText, into: &$0) }
      }
      out.trimBlanks()
      out.append(0x0A)
      line += 1
    }
    return line
  }
}
