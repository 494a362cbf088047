/// Detail as text: a title rule, then one or more lines for each label and its value.
///
/// Only labels are measured, so cards stream.
struct TextCards: ~Copyable, CardForm {
  let text: TextContext
  let titleText: TextContext

  /// The positions of everything in a card.
  private var arrangement: CardArrangement
  /// The style of titles and labels.
  private let style: TextStyle
  /// The style of rules and of the text of missing cells.
  private let lineStyle: TextStyle
  /// The style of headings of sections.
  private let sectionStyle: TextStyle
  private var heading: TextHeading

  /// The signs of fields that rules are about.
  private let signs: DrawnFieldSigns

  /// The text of a cell that is drawn as a swatch of the color that it names.
  private let swatch: [UInt8]
  /// Draws the bars beside numbers.
  private let bars: BarText

  /// The column of the batch whose cells are copied, by field; beyond all columns if they cannot be.
  private var sources: [Int]

  /// The prefix of each field, if it is one line.
  private var lines: [[UInt8]?] = []

  /// The properties of the fields that the loop over fields needs.
  private var slots: [Slot] = []

  /// The title rule of the last card, if it has only a row number.
  private var countedRule: NumberedLine?

  /// A full title rule without a title.
  private let rule: [UInt8]

  /// The cells of the rule character, at least 1.
  private let ruleUnit: Int

  /// The cells of a line that may take several.
  private var cells: TextCells
  /// The texts of `cells`, escaped.
  private var cellText = ByteBuffer()

  /// The number of lines since the title of the card.
  private var height = 0

  /// Styles cards, if they may have a look of their own.
  private var styledLines: StyledLines?

  /// Exchanged for the output while the lines of such a card are drawn.
  private var spare = ByteBuffer()

  /// The properties of one field that the loop over fields needs.
  private struct Slot {
    /// The column of the batch whose cells are copied; beyond all columns if they cannot be.
    let column: Int
    /// The bytes before the value, if they are short enough to be written in one step.
    let prefix: ByteSnippet?
  }

  /// Prepares cards with fields of `columns`, whose cells show `texts`.
  init(
    _ columns: [ShownColumn], _ texts: [CellText], _ options: LayoutOptions,
    marks: NumberMarks = .standard, _ styles: RowStyles = RowStyles()
  ) {
    text = TextContext(options, marks: marks)
    var singleLine = options
    singleLine.isSingleLine = true
    titleText = TextContext(singleLine, marks: marks)
    arrangement = CardArrangement(columns, options)
    style = TextStyle.header(options)
    lineStyle = TextStyle.frame(options)
    sectionStyle = TextStyle(.bold, depth: options.colorDepth)
    heading = TextHeading(options, text)
    signs = DrawnFieldSigns(options)
    swatch = StyledLines.swatch(options)
    bars = BarText(options)
    sources = Self.sources(columns, texts)
    cells = TextCells(text)
    let fill = Array(arrangement.fill.utf8)
    let unit = max(1, text.metrics.width(of: fill.span))
    ruleUnit = unit
    rule = Array(repeatElement(fill, count: max(2, arrangement.ruleWidth) / unit).joined())
    styledLines =
      styles.isEmpty && !options.hasStyles
      ? nil : StyledLines(options, styles, arrangement.spacing, width: arrangement.ruleWidth)
    prepareLabels()
  }

  var cardSize: Int { lines.reduce(0) { $0 + ($1?.count ?? 0) + 8 } }

  var notices: [LayoutNotice] {
    var notices = (arrangement.excess > 0 ? [.widerThanLimit(by: arrangement.excess)] : []) + cells.notices
    notices.merge(heading.notices)
    return notices
  }

  var spacing: Int { arrangement.spacing.rows }

  mutating func appendOpening(to out: inout ByteBuffer) {
    heading.paint(into: &out)
    out.append(repeating: 0x0A, count: arrangement.spacing.table.top)
  }

  var closing: [UInt8] {
    Array(repeating: 0x0A, count: max(0, arrangement.spacing.table.bottom)) + heading.below
  }

  @inline(__always)
  mutating func beginCard(
    _ look: SharedLook?, _ titles: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    if look != nil { swap(&out, &spare) }
    let found = appendTitle(&titles, batch, row, number: number, to: &out)
    out.append(repeating: 0x0A, count: arrangement.spacing.padding.top)
    height = 0
    return found
  }

  @inline(__always)
  mutating func copyField(_ column: Int, _ batch: Batch, _ row: Int, to out: inout ByteBuffer) -> Bool {
    let slot = slots[column]
    guard slot.column < batch.columnCount, let prefix = slot.prefix else { return false }
    let cell = batch.cells[row &* batch.columnCount &+ slot.column]
    guard cell.isSimple, cell.length <= arrangement.valueWidth ?? .max else { return false }
    out.append(prefix)
    out.append(batch.block, from: cell.offset, count: cell.length)
    endLine(&out)
    return true
  }

  /// Appends a field whose cell has nothing to show but its text.
  ///
  /// 1. Append a cell that needs no escaping line by line.
  /// 2. Append any other cell after its label, assuming one line.
  /// 3. If it needs more, discard it and wrap it.
  mutating func appendField(
    _ column: Int, _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    if appendWrappedField(column, batch, row, to: &out) { return CellFindings() }
    let start = out.count
    out.pin()
    if let label = lines[column] { out.append(label.span) }
    let value = out.count
    let findings = spelled.append(column, batch, row, number: number, to: &out)
    let isStyled = spelled.isDim && !lineStyle.opening.isEmpty
    let isOneLine =
      lines[column] != nil && findings.newlines == 0 && !findings.needsCarry && !isStyled
      && fits(out.text(from: value))
    if !isOneLine {
      cells.removeAll()
      cellText.removeAll()
      cellText.append(out.text(from: value))
      out.truncate(to: start)
    }
    out.unpin()
    if isOneLine {
      endLine(&out)
    } else {
      appendLines(column, findings, spelled.isDim ? lineStyle : .plain, to: &out)
    }
    return findings.ofCell
  }

  mutating func appendField(
    _ cell: CellParts, _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    if cell.style == nil, !cell.hasRules {
      return appendField(cell.column, &spelled, batch, row, number: number, to: &out)
    }
    cells.removeAll()
    cellText.removeAll()
    var findings = Escaper.Findings()
    if cell.style?.swatchColor != nil {
      cellText.append(swatch)
    } else {
      findings = spelled.append(cell.column, batch, row, number: number, to: &cellText)
    }
    var note = cell.messages.map { signs.note($0, blanks: 2) } ?? []
    if let bar = cell.style?.bar { note += barText(bar) }
    cutValue(before: note)
    cellText.append(note)
    var style = spelled.isDim && note.isEmpty ? lineStyle : .plain
    if let own = cell.style, !own.isOnlyBar, let look = cell.row {
      style = styledLines?.style(own, over: Style(), in: look) ?? .plain
    }
    appendLines(cell.column, findings, style, to: &out)
    return findings.ofCell
  }

  @inline(__always)
  mutating func endCard(_ look: SharedLook?, _ messages: [String], to out: inout ByteBuffer) {
    if !messages.isEmpty { appendNote(messages, to: &out) }
    out.append(repeating: 0x0A, count: arrangement.spacing.rowHeight - height)
    out.append(repeating: 0x0A, count: arrangement.spacing.padding.bottom)
    guard let look else { return }
    styledLines?.append(out.span, look.look, to: &spare)
    out.removeAll()
    swap(&out, &spare)
  }

  mutating func appendFoot(
    _ texts: [(column: Int, text: [UInt8])], isFirst: Bool, to out: inout ByteBuffer
  ) {
    if !arrangement.fill.isEmpty { appendPlainRule(to: &out) }
    out.append(repeating: 0x0A, count: arrangement.spacing.footer)
    for (column, foot) in texts {
      cells.removeAll()
      cellText.removeAll()
      let findings = text.escaper.append(foot.span, to: &cellText)
      appendLines(column, findings, .plain, to: &out)
    }
    out.append(repeating: 0x0A, count: arrangement.spacing.footer)
  }

  /// Appends a footer up to the end of rules.
  mutating func appendFoot(_ foot: [UInt8], isFirst: Bool, to out: inout ByteBuffer) {
    appendBand(foot, isHeading: false, to: &out)
  }

  /// Appends a heading from the leading edge on.
  mutating func appendHeading(_ text: [UInt8], to out: inout ByteBuffer) {
    appendBand(text, isHeading: true, to: &out)
  }
}

extension TextCards {
  mutating func add(_ columns: [ShownColumn], _ texts: [CellText]) {
    arrangement.add(columns, text)
    sources += Self.sources(columns, texts)
    prepareLabels()
  }

  mutating func makeRoom(for fields: [Int]) {
    let widest = fields.reduce(0) { max($0, arrangement.widths[$1]) }
    guard widest > arrangement.labelWidth else { return }
    let before = arrangement.labelWidth
    arrangement.widen(to: widest)
    if arrangement.labelWidth != before { prepareLabels() }
  }

  /// The columns of the batch whose cells are copied: those that need no sign.
  private static func sources(_ columns: [ShownColumn], _ texts: [CellText]) -> [Int] {
    zip(columns, texts).map { $0.mark == nil ? $1.verbatimColumn ?? .max : .max }
  }

  /// Prepares the bytes before the values.
  private mutating func prepareLabels() {
    lines = sources.indices.map { linePrefix($0) }
    slots = zip(sources, lines).map { Slot(column: $0, prefix: $1.flatMap { ByteSnippet($0) }) }
  }

  /// The label of a field, aligned; `nil` if it wraps or is cut.
  private func linePrefix(_ index: Int) -> [UInt8]? {
    let label = arrangement.labels[index]
    let width = text.metrics.width(of: label.span)
    guard width <= arrangement.labelWidth, !label.contains(0x0A), !text.metrics.passesControl else {
      return nil
    }
    var line = ByteBuffer()
    line.append(arrangement.indent)
    line.append(repeating: 0x20, count: arrangement.labelWidth - width)
    style.apply(to: &line) { $0.append(label) }
    line.append(arrangement.gap)
    return line.array()
  }
}

extension TextCards {
  /// Ends a line without its trailing blanks.
  @inline(__always)
  private mutating func endLine(_ out: inout ByteBuffer) {
    out.trimBlanks()
    out.append(0x0A)
    height &+= 1
  }

  /// Appends the title of a card; one that is only a number reuses the last rule.
  @inline(__always)
  private mutating func appendTitle(
    _ titles: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    if let countedRule, countedRule.fits(number) {
      countedRule.append(number, to: &out)
      return CellFindings()
    }
    guard titles.texts.isEmpty else { return appendAnyTitle(&titles, batch, row, number: number, to: &out) }
    out.pin()
    let start = out.count
    let found = appendAnyTitle(&titles, batch, row, number: number, to: &out)
    countedRule = NumberedLine(out.text(from: start), before: "(row ", number)
    out.unpin()
    return found
  }

  /// Appends any title of a card in its rule.
  private mutating func appendAnyTitle(
    _ titles: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    cells.removeAll()
    cellText.removeAll()
    var needsCarry = false
    var found = CellFindings()
    cellText.append(titleOfRow: number, parts: titles.texts.indices) { part, title in
      let findings = titles.append(
        part, batch, row, number: number, room: DrawnText.longestTitle, to: &title)
      needsCarry = needsCarry || findings.needsCarry
      found.cut += findings.cuts
    }
    cells.append(
      cellText, from: 0, width: arrangement.titleWidth ?? .max,
      overflow: arrangement.titleWidth == nil ? .scroll : text.overflow, needsCarry: needsCarry)
    _ = cells.advance(to: 0, of: cellText)
    appendTitleRule(to: &out)
    var line = 1
    while cells.advance(to: line, of: cellText) {
      appendTitleLine(line, to: &out)
      line += 1
    }
    return found
  }

  /// Appends a further line of a title.
  private mutating func appendTitleLine(_ line: Int, to out: inout ByteBuffer) {
    out.append(repeating: 0x20, count: arrangement.spacing.table.leading + (arrangement.fill.isEmpty ? 0 : 3))
    style.apply(to: &out) { cells.paint(0, line: line, of: cellText, into: &$0) }
    endLine(&out)
  }

  /// Appends a rule with the title in it.
  private mutating func appendTitleRule(to out: inout ByteBuffer) {
    let width = cells.width(0, line: 0) ?? 0
    out.append(repeating: 0x20, count: arrangement.spacing.table.leading)
    let hasRule = !arrangement.fill.isEmpty
    if hasRule { fill(2, to: &out) }
    if hasRule, width > 0 { out.append(0x20) }
    if width > 0 {
      style.apply(to: &out) { cells.paint(0, line: 0, of: cellText, into: &$0) }
    }
    if hasRule {
      if width > 0 { out.append(0x20) }
      let done = width > 0 ? width + 4 : 2
      fill(max(2, arrangement.ruleWidth - done), to: &out)
    }
    endLine(&out)
  }

  /// Appends a text that belongs to several cards.
  private mutating func appendBand(_ band: [UInt8], isHeading: Bool, to out: inout ByteBuffer) {
    cells.removeAll()
    cellText.removeAll()
    let findings = text.escaper.append(
      band.span, room: DrawnText.longestTitle, mark: text.cutMark, to: &cellText)
    let spacing = arrangement.spacing
    let room = text.limit.map { max(1, $0 - spacing.table.leading - spacing.table.trailing) }
    cells.append(
      cellText, from: 0, width: room ?? .max, overflow: room == nil ? .scroll : text.overflow,
      needsCarry: findings.needsCarry)
    var line = 0
    while cells.advance(to: line, of: cellText) {
      let free = max(0, arrangement.ruleWidth - (cells.width(0, line: line) ?? 0))
      out.append(blanks: spacing.table.leading + (isHeading ? 0 : free))
      (isHeading ? sectionStyle : .plain).apply(to: &out) {
        cells.paint(0, line: line, of: cellText, into: &$0)
      }
      endLine(&out)
      line += 1
    }
  }

  /// Appends a rule without a title.
  private mutating func appendPlainRule(to out: inout ByteBuffer) {
    out.append(repeating: 0x20, count: arrangement.spacing.table.leading)
    fill(arrangement.ruleWidth, to: &out)
    endLine(&out)
  }

  /// Appends rule characters for `cells` cells.
  private func fill(_ cells: Int, to out: inout ByteBuffer) {
    guard cells >= ruleUnit else { return }
    let count = min(rule.count, cells / ruleUnit * arrangement.fill.utf8.count)
    lineStyle.apply(to: &out) { $0.append(rule.span.extracting(0..<count)) }
  }
}

extension TextCards {
  /// A bar, with a blank before it and none after it.
  private func barText(_ bar: CellBar) -> [UInt8] {
    var text = ByteBuffer()
    text.append(0x20)
    bars.append(bar, to: &text)
    text.trimBlanks()
    return text.array()
  }

  /// Cuts the value in `cellText` to leave room for a note, if values do not wrap.
  private mutating func cutValue(before note: [UInt8]) {
    guard !note.isEmpty, text.overflow == .truncate, let room = arrangement.valueWidth else { return }
    let width = max(1, room - text.metrics.width(of: note.span))
    guard text.metrics.width(of: cellText.span) > width else { return }
    let cut = text.metrics.cut(cellText.span, to: width, mark: text.cutMark)
    cellText.truncate(to: cut.count)
    text.cutMark.append(to: &cellText, cells: cut.markWidth)
    cells.countCut()
  }

  /// Appends a field whose cell is drawn unchanged, in as many lines as it needs; `false` if it cannot be.
  private mutating func appendWrappedField(
    _ column: Int, _ batch: Batch, _ row: Int, to out: inout ByteBuffer
  ) -> Bool {
    let source = sources[column]
    guard source < batch.columnCount, let label = lines[column] else { return false }
    let cell = batch.cells[row &* batch.columnCount &+ source]
    guard !cell.isDim, let extent = text.extent(of: batch.drawn(cell)) else { return false }
    if extent.newlines == 0, extent.width <= arrangement.valueWidth ?? .max {
      out.append(label.span)
      out.append(batch.drawn(cell))
      endLine(&out)
      return true
    }
    let isWide = extent.width > arrangement.valueWidth ?? .max
    if isWide, text.overflow == .truncate { return false }
    let slot = TextSlot(width: arrangement.valueWidth ?? .max)
    var wrapped = WrappedCell(width: isWide ? arrangement.valueWidth : nil, text.metrics)
    out.append(label.span)
    while true {
      cells.appendLine(of: &wrapped, batch.drawn(cell), in: slot, to: &out)
      endLine(&out)
      if wrapped.isFinished { return true }
      indentValue(in: &out)
    }
  }

  /// Appends the indent of a line that is not a value's first.
  private func indentValue(in out: inout ByteBuffer) {
    out.append(arrangement.indent)
    out.append(repeating: 0x20, count: arrangement.labelWidth)
    out.append(arrangement.gap)
  }

  /// Whether a text without newlines needs no second line.
  private func fits(_ value: Span<UInt8>) -> Bool {
    guard let room = arrangement.valueWidth else { return true }
    return text.metrics.width(of: value) <= room
  }

  /// Appends the messages about the record, below its values.
  @inline(never)
  private mutating func appendNote(_ messages: [String], to out: inout ByteBuffer) {
    let note = signs.note(messages)
    if note.isEmpty { return }
    cells.removeAll()
    cellText.removeAll()
    cellText.append(note)
    appendLines(nil, Escaper.Findings(), .plain, to: &out)
  }

  /// Appends the lines of the label of a field, if there is one, and of the value in `cellText`.
  private mutating func appendLines(
    _ column: Int?, _ findings: Escaper.Findings, _ valueStyle: TextStyle, to out: inout ByteBuffer
  ) {
    let value = cellText.count
    cells.append(
      cellText, from: 0, width: arrangement.valueWidth ?? .max,
      overflow: arrangement.valueWidth == nil ? .scroll : text.overflow, needsCarry: findings.needsCarry)
    if let column { cellText.append(arrangement.labels[column]) }
    cells.append(
      title: cellText, from: value, width: arrangement.labelWidth, lineLimit: .max,
      needsCarry: text.metrics.passesControl)
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
        valueStyle.apply(to: &out) { cells.paint(0, line: line, of: cellText, into: &$0) }
      }
      endLine(&out)
      line += 1
    }
  }
}
