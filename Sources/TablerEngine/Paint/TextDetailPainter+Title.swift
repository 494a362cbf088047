extension TextDetailPainter {
  /// Draws the title of a card in its rule; one that counts rows is that of the card before with another number.
  @inline(__always)
  mutating func paintTitle(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    if let countedRule, countedRule.fits(rowCount) { return countedRule.append(rowCount, to: &out) }
    guard titles.texts.isEmpty else { return paintAnyTitle(batch, row, into: &out) }
    out.pin()
    let start = out.count
    paintAnyTitle(batch, row, into: &out)
    countedRule = NumberedLine(out.text(from: start), before: "(row ", rowCount)
    out.unpin()
  }

  /// Draws any title of a card in its rule.
  private mutating func paintAnyTitle(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    cells.removeAll()
    cellText.removeAll()
    var needsCarry = false
    var cuts = CellFindings()
    let number = rowCount
    cellText.append(titleOfRow: number, parts: titles.texts.indices) { part, text in
      let findings = titles.append(
        part, batch, row, number: number, room: DrawnText.longestTitle, to: &text)
      needsCarry = needsCarry || findings.needsCarry
      cuts.cut += findings.cuts
    }
    found.note(cuts, batch, row)
    cells.append(
      cellText, from: 0, width: arrangement.titleWidth ?? .max,
      overflow: arrangement.titleWidth == nil ? .scroll : context.overflow, needsCarry: needsCarry)
    _ = cells.advance(to: 0, of: cellText)
    paintTitleRule(into: &out)
    var line = 1
    while cells.advance(to: line, of: cellText) {
      paintTitleLine(line, into: &out)
      line += 1
    }
  }

  /// Draws a line that a title goes on with, below the first.
  private mutating func paintTitleLine(_ line: Int, into out: inout ByteBuffer) {
    out.append(repeating: 0x20, count: arrangement.spacing.table.leading + (arrangement.fill.isEmpty ? 0 : 3))
    style.apply(to: &out) { cells.paint(0, line: line, of: cellText, into: &$0) }
    out.append(0x0A)
  }

  /// Draws a rule with the title in it.
  private mutating func paintTitleRule(into out: inout ByteBuffer) {
    let width = cells.width(0, line: 0) ?? 0
    out.append(repeating: 0x20, count: arrangement.spacing.table.leading)
    let hasRule = !arrangement.fill.isEmpty
    if hasRule { fill(2, into: &out) }
    if hasRule, width > 0 { out.append(0x20) }
    if width > 0 {
      style.apply(to: &out) { cells.paint(0, line: 0, of: cellText, into: &$0) }
    }
    if hasRule {
      if width > 0 { out.append(0x20) }
      let done = width > 0 ? width + 4 : 2
      fill(max(2, arrangement.ruleWidth - done), into: &out)
    }
    out.trimBlanks()
    out.append(0x0A)
  }

  /// Draws a rule without a title.
  func paintPlainRule(into out: inout ByteBuffer) {
    out.append(repeating: 0x20, count: arrangement.spacing.table.leading)
    fill(arrangement.ruleWidth, into: &out)
    out.append(0x0A)
  }

  /// Appends rule characters for so many cells.
  private func fill(_ cells: Int, into out: inout ByteBuffer) {
    guard cells >= ruleUnit else { return }
    let count = min(rule.count, cells / ruleUnit * arrangement.fill.utf8.count)
    lineStyle.apply(to: &out) { $0.append(rule.span.extracting(0..<count)) }
  }
}
