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
    let start = out.count
    out.append(prefix)
    out.append(batch.block, from: cell.offset, count: cell.length)
    out.trimBlanks(from: start)
    out.append(0x0A)
    return true
  }

  /// Draws any field; returns how many lines it took.
  ///
  /// 1. The cell is drawn behind its label: mostly it is one line.
  /// 2. If it is not, what was drawn is taken back and its lines are looked for.
  private mutating func paintRareField(
    _ index: Int, _ batch: Batch, _ row: Int, into out: inout ByteBuffer
  ) -> Int {
    let start = out.count
    if let label = lines[index] { out.append(label.span) }
    let value = out.count
    let findings = reader.append(&texts[index], batch, row, number: rowCount, to: &out)
    rareBytes.note(findings.rare, batch, row)
    let isStyled = reader.isAbsent && !lineStyle.opening.isEmpty
    if lines[index] != nil, findings.newlines == 0, !findings.needsCarry, !isStyled,
      fits(out.span.extracting(value...))
    {
      out.trimBlanks(from: start)
      out.append(0x0A)
      return 1
    }
    cells.removeAll()
    cellText.removeAll()
    cellText.append(out.span.extracting(value...))
    out.truncate(to: start)
    return paintField(index, findings, isAbsent: reader.isAbsent, into: &out)
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
    for line in 0..<cells.height {
      let start = out.count
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
      out.trimBlanks(from: start)
      out.append(0x0A)
    }
    return cells.height
  }
}
