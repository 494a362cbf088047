/// Draws one record a card: a title rule, then one or more lines for each label and its value.
///
/// Only labels are measured, so cards stream.
struct TextCardPainter: ~Copyable, DisplayPainter {
  var walk = RowWalk()
  var styles: RowStyles

  /// The positions of everything in a card.
  private var arrangement: CardArrangement
  /// How texts are escaped, measured and cut.
  private let context: TextContext
  /// The style of titles and labels.
  private let style: TextStyle
  /// The style of rules and of the text of missing cells.
  private let lineStyle: TextStyle
  private var heading: TextHeading

  /// The style of headings of sections.
  private let sectionStyle: TextStyle
  private var fields: CardFields

  /// The validation notes of each field.
  ///
  /// Empty without `--validate`.
  private var fieldMarks: [FieldMark?] = []

  /// The signs of such fields.
  private let signs: DrawnFieldSigns

  /// The prefix of each field, if it is one line.
  private var lines: [[UInt8]?] = []

  /// The properties of the fields that the card loop needs.
  private var slots: [Slot] = []

  /// The title rule of the last card, if it has only a row number.
  private var countedRule: NumberedLine?

  /// A full title rule without a title.
  private let rule: [UInt8]

  /// The cells of the rule character, at least 1.
  private let ruleUnit: Int
  /// Reads the cells of the fields, escaped.
  private var reader: SpelledCells<TextContext>
  /// The parts of the title rules, in order; if there are none, rows are numbered.
  private var titles: SpelledCells<TextContext>
  /// The cells of a line that may take several.
  private var cells: TextCells
  /// The texts of `cells`, escaped.
  private var cellText = ByteBuffer()

  /// The size of the labels of all fields.
  var rowSize: Int { lines.reduce(0) { $0 + ($1?.count ?? 0) + 8 } }

  /// Styles rows, if they may have a style.
  private var styledLines: StyledLines?

  /// The lines of a card before they are styled.
  private var drawn = ByteBuffer()

  /// The look of the current row, and whether its cells are styled.
  private var look: RowLook?
  private var hasCellStyles = false

  /// The messages about the current record; empty if it is valid.
  private var recordNote: [UInt8] = []

  /// Whether rows may have their own style.
  private let hasStyles: Bool

  /// The text of a cell that is drawn as a swatch of the color that it names.
  private let swatch: [UInt8]

  /// The properties of one field that the card loop needs.
  private struct Slot {
    /// The column of the batch whose cells are copied; beyond all columns if they cannot be.
    let column: Int
    /// The bytes before the value, if they are short enough to be written in one step.
    let prefix: ByteSnippet?
  }

  /// Creates a painter.
  ///
  /// - Parameters:
  ///   - titles: the parts of the title rules, in order; if there are none, rows are numbered.
  ///   - keepsRecords: whether a JSON record is drawn with its own keys in its own order.
  init(
    _ columns: [ShownColumn], _ texts: [CellText], titles: [CellText], _ options: LayoutOptions,
    marks: NumberMarks = .standard, keepsRecords: Bool = false, styles: RowStyles = RowStyles()
  ) {
    self.styles = styles
    arrangement = CardArrangement(columns, options)
    swatch = StyledLines.swatch(options)
    hasStyles = !styles.isEmpty || options.hasStyles
    styledLines =
      styles.isEmpty && !options.hasStyles
      ? nil : StyledLines(options, styles, arrangement.spacing, width: arrangement.ruleWidth)
    context = TextContext(options, marks: marks)
    style = TextStyle.header(options)
    lineStyle = TextStyle.frame(options)
    heading = TextHeading(options, context)
    sectionStyle = TextStyle(.bold, depth: options.colorDepth)
    fields = CardFields(columns, keepsRecords: keepsRecords)
    signs = DrawnFieldSigns(options)
    if columns.contains(where: { $0.mark != nil }) { fieldMarks = columns.map(\.mark) }
    reader = SpelledCells(texts, context)
    var singleLine = options
    singleLine.isSingleLine = true
    self.titles = SpelledCells(titles, TextContext(singleLine, marks: marks))
    cells = TextCells(context)
    let fill = Array(arrangement.fill.utf8)
    let unit = max(1, context.metrics.width(of: fill.span))
    ruleUnit = unit
    rule = Array(repeatElement(fill, count: max(2, arrangement.ruleWidth) / unit).joined())
    prepare()
  }

  /// Prepares the bytes before the values.
  private mutating func prepare() {
    lines = reader.texts.indices.map { linePrefix($0) }
    slots = reader.texts.indices.map { index in
      Slot(
        column: mark(of: index) == nil ? reader.texts[index].verbatimColumn ?? .max : .max,
        prefix: lines[index].flatMap { ByteSnippet($0) })
    }
  }

  /// The validation notes of a field.
  private func mark(of index: Int) -> FieldMark? { index < fieldMarks.count ? fieldMarks[index] : nil }

  /// The label of a field, aligned; `nil` if it wraps or is cut.
  private func linePrefix(_ index: Int) -> [UInt8]? {
    let label = arrangement.labels[index]
    let width = context.metrics.width(of: label.span)
    guard width <= arrangement.labelWidth, !label.contains(0x0A), !context.metrics.passesControl else {
      return nil
    }
    var line = ByteBuffer()
    line.append(arrangement.indent)
    line.append(repeating: 0x20, count: arrangement.labelWidth - width)
    style.apply(to: &line) { $0.append(label) }
    line.append(arrangement.gap)
    return line.array()
  }

  static var hasTitles: Bool { false }

  var templateStates: [EvaluationState] { (reader.texts + titles.texts).compactMap(\.state) }

  var layoutNotices: [LayoutNotice] {
    var notices = (arrangement.excess > 0 ? [.widerThanLimit(by: arrangement.excess)] : []) + cells.notices
    notices.merge(heading.notices)
    return notices
  }

  mutating func paintOpening(into out: inout ByteBuffer) {
    heading.paint(into: &out)
    out.append(repeating: 0x0A, count: arrangement.spacing.table.top)
  }

  func paintSpace(into out: inout ByteBuffer) {
    if walk.sectionCount > 1 { out.append(repeating: 0x0A, count: max(0, arrangement.spacing.rows)) }
  }

  mutating func paintRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    if hasStyles, paintStyledCard(batch, row, into: &out) { return }
    paintCard(batch, row, into: &out)
  }

  /// Draws a card that has its own style; `false` if it has none.
  @inline(never)
  private mutating func paintStyledCard(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) -> Bool {
    guard let look = styles.look(walk.number, inSection: walk.sectionCount, batch, row) else { return false }
    var drawn = ByteBuffer()
    swap(&drawn, &self.drawn)
    drawn.removeAll()
    (self.look, hasCellStyles) = (look, look.hasCells)
    if look.isInvalid { recordNote = signs.note(styles.messages(batch, row)) }
    paintCard(batch, row, into: &drawn)
    hasCellStyles = false
    recordNote = []
    styledLines?.append(drawn.span, look, to: &out)
    swap(&drawn, &self.drawn)
    return true
  }

  @inline(__always)
  private mutating func paintCard(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    let spacing = arrangement.spacing
    paintTitle(batch, row, into: &out)
    out.append(repeating: 0x0A, count: spacing.padding.top)
    var height = 0
    if fields.areFixed {
      for index in slots.indices { height &+= paintField(index, batch, row, into: &out) }
    } else {
      fields.findFields(ofRow: row, of: batch, reader.texts)
      makeRoom()
      for index in fields.indices { height &+= paintField(index, batch, row, into: &out) }
    }
    if !recordNote.isEmpty { height &+= paintRecordNote(into: &out) }
    out.append(repeating: 0x0A, count: spacing.rowHeight - height)
    out.append(repeating: 0x0A, count: spacing.padding.bottom)
  }

  mutating func paintSectionStart(heading: [UInt8]?, into out: inout ByteBuffer) {
    if walk.section > 1 { out.append(0x0A) }
    if let heading { paintBand(heading, isHeading: true, into: &out) }
  }

  mutating func paintSectionEnd(footers: [FooterLine], into out: inout ByteBuffer) {
    for (number, footer) in footers.enumerated() { paintFooter(footer, number: number, into: &out) }
  }

  mutating func paintFooter(_ footer: FooterLine, number: Int, into out: inout ByteBuffer) {
    switch footer {
    case .titles: break
    case .cells(let texts): paintCells(texts, into: &out)
    case .band(let text): paintBand(text, isHeading: false, into: &out)
    }
  }

  /// Draws the texts that belong to columns in the footer.
  private mutating func paintCells(_ texts: [[UInt8]?], into out: inout ByteBuffer) {
    if !arrangement.fill.isEmpty { paintPlainRule(into: &out) }
    out.append(repeating: 0x0A, count: max(0, arrangement.spacing.footer))
    for index in reader.texts.indices {
      guard index < texts.count, let text = texts[index] else { continue }
      cells.removeAll()
      cellText.removeAll()
      let findings = context.escaper.append(text.span, to: &cellText)
      _ = paintField(index, findings, into: &out)
    }
    out.append(repeating: 0x0A, count: max(0, arrangement.spacing.footer))
  }

  func paintClosing(into out: inout ByteBuffer) {
    out.append(repeating: 0x0A, count: arrangement.spacing.table.bottom)
  }

  func paintEnding(into out: inout ByteBuffer) { out.append(heading.below) }
}

extension TextCardPainter {
  mutating func grow(by growth: KeyGrowth) {
    arrangement.add(growth.columns, context)
    styles.grow(by: growth.styles, from: reader.texts.count)
    reader.texts += growth.texts
    fields.grow(by: growth.columns.count)
    if !fieldMarks.isEmpty || growth.columns.contains(where: { $0.mark != nil }) {
      while fieldMarks.count < reader.texts.count - growth.columns.count { fieldMarks.append(nil) }
      fieldMarks += growth.columns.map(\.mark)
    }
    prepare()
  }

  /// Makes room for the labels of a record that has its own keys.
  private mutating func makeRoom() {
    let widest = fields.indices.reduce(0) { max($0, arrangement.widths[$1]) }
    guard widest > arrangement.labelWidth else { return }
    let before = arrangement.labelWidth
    arrangement.widen(to: widest)
    if arrangement.labelWidth != before { prepare() }
  }
}

extension TextCardPainter {
  /// Draws the title of a card; one that is only a number reuses the last rule.
  @inline(__always)
  private mutating func paintTitle(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    if let countedRule, countedRule.fits(walk.number) { return countedRule.append(walk.number, to: &out) }
    guard titles.texts.isEmpty else { return paintAnyTitle(batch, row, into: &out) }
    out.pin()
    let start = out.count
    paintAnyTitle(batch, row, into: &out)
    countedRule = NumberedLine(out.text(from: start), before: "(row ", walk.number)
    out.unpin()
  }

  /// Draws any title of a card in its rule.
  private mutating func paintAnyTitle(
    _ batch: Batch, _ row: Int, into out: inout ByteBuffer
  ) {
    cells.removeAll()
    cellText.removeAll()
    var needsCarry = false
    var cuts = 0
    let number = walk.number
    cellText.append(titleOfRow: number, parts: titles.texts.indices) { part, text in
      let findings = titles.append(
        part, batch, row, number: number, room: DrawnText.longestTitle, to: &text)
      needsCarry = needsCarry || findings.needsCarry
      cuts += findings.cuts
    }
    walk.found.cut += cuts
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

  /// Draws a further line of a title.
  private mutating func paintTitleLine(_ line: Int, into out: inout ByteBuffer) {
    out.append(repeating: 0x20, count: arrangement.spacing.table.leading + (arrangement.fill.isEmpty ? 0 : 3))
    style.apply(to: &out) { cells.paint(0, line: line, of: cellText, into: &$0) }
    out.trimBlanks()
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

  /// Draws a text that belongs to several cards: a heading from the leading edge on, a footer up to the end
  /// of rules.
  private mutating func paintBand(_ text: [UInt8], isHeading: Bool, into out: inout ByteBuffer) {
    cells.removeAll()
    cellText.removeAll()
    let findings = context.escaper.append(
      text.span, room: DrawnText.longestTitle, mark: context.cutMark, to: &cellText)
    let spacing = arrangement.spacing
    let room = context.limit.map { max(1, $0 - spacing.table.leading - spacing.table.trailing) }
    cells.append(
      cellText, from: 0, width: room ?? .max, overflow: room == nil ? .scroll : context.overflow,
      needsCarry: findings.needsCarry)
    var line = 0
    while cells.advance(to: line, of: cellText) {
      let free = max(0, arrangement.ruleWidth - (cells.width(0, line: line) ?? 0))
      out.append(blanks: spacing.table.leading + (isHeading ? 0 : free))
      (isHeading ? sectionStyle : .plain).apply(to: &out) {
        cells.paint(0, line: line, of: cellText, into: &$0)
      }
      out.trimBlanks()
      out.append(0x0A)
      line += 1
    }
  }

  /// Draws a rule without a title.
  private func paintPlainRule(into out: inout ByteBuffer) {
    out.append(repeating: 0x20, count: arrangement.spacing.table.leading)
    fill(arrangement.ruleWidth, into: &out)
    out.trimBlanks()
    out.append(0x0A)
  }

  /// Appends rule characters for `cells` cells.
  private func fill(_ cells: Int, into out: inout ByteBuffer) {
    guard cells >= ruleUnit else { return }
    let count = min(rule.count, cells / ruleUnit * arrangement.fill.utf8.count)
    lineStyle.apply(to: &out) { $0.append(rule.span.extracting(0..<count)) }
  }
}

extension TextCardPainter {
  /// Draws a field; returns how many lines it took.
  @inline(__always)
  private mutating func paintField(
    _ index: Int, _ batch: Batch, _ row: Int, into out: inout ByteBuffer
  ) -> Int {
    if hasCellStyles, let height = paintStyledField(index, batch, row, into: &out) { return height }
    return paintPlainField(index, batch, row, into: &out)
      ? 1 : paintRareField(index, batch, row, into: &out)
  }

  /// Draws a field whose cell is copied unchanged, on one line; `false` if it cannot be.
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
  /// 1. Draw a cell that needs no escaping line by line.
  /// 2. Draw any other cell after its label, assuming one line.
  /// 3. If it needs more, discard it and wrap it.
  private mutating func paintRareField(
    _ index: Int, _ batch: Batch, _ row: Int, into out: inout ByteBuffer
  ) -> Int {
    if let mark = mark(of: index) { return paintMarkedField(index, mark, batch, row, into: &out) }
    if let height = paintWrappedField(index, batch, row, into: &out) { return height }
    let start = out.count
    out.pin()
    if let label = lines[index] { out.append(label.span) }
    let value = out.count
    let findings = reader.append(index, batch, row, number: walk.number, to: &out)
    walk.found += findings.ofCell
    let isStyled = reader.isDim && !lineStyle.opening.isEmpty
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
    if !isOneLine { return paintField(index, findings, isDim: reader.isDim, into: &out) }
    out.trimBlanks()
    out.append(0x0A)
    return 1
  }

  /// Draws a field whose value has its own style; returns how many lines it took, `nil` if it has none.
  @inline(never)
  private mutating func paintStyledField(
    _ index: Int, _ batch: Batch, _ row: Int, into out: inout ByteBuffer
  ) -> Int? {
    guard let look, let cell = styles.cell(index, walk.number, batch, row) else { return nil }
    let style = styledLines?.style(cell, over: Style(), in: look)
    cells.removeAll()
    cellText.removeAll()
    var findings = Escaper.Findings()
    if cell.isSwatch, cell.namedForeground != nil {
      cellText.append(swatch)
    } else {
      findings = reader.append(index, batch, row, number: walk.number, to: &cellText)
      walk.found += findings.ofCell
    }
    if let mark = mark(of: index) {
      let note = signs.note(mark.messages(inRow: row, of: batch), blanks: 2)
      cutValue(before: note)
      cellText.append(note)
    }
    return paintField(index, findings, style: style, into: &out)
  }

  /// Draws a field with its sign after it; returns how many lines it took.
  private mutating func paintMarkedField(
    _ index: Int, _ mark: FieldMark, _ batch: Batch, _ row: Int, into out: inout ByteBuffer
  ) -> Int {
    cells.removeAll()
    cellText.removeAll()
    let findings = reader.append(index, batch, row, number: walk.number, to: &cellText)
    walk.found += findings.ofCell
    let note = signs.note(mark.messages(inRow: row, of: batch), blanks: 2)
    cutValue(before: note)
    cellText.append(note)
    return paintField(index, findings, isDim: reader.isDim && note.isEmpty, into: &out)
  }

  /// Cuts the value in `cellText` to leave room for a note, if values do not wrap.
  private mutating func cutValue(before note: [UInt8]) {
    guard !note.isEmpty, context.overflow == .truncate, let room = arrangement.valueWidth else { return }
    let width = max(1, room - context.metrics.width(of: note.span))
    guard context.metrics.width(of: cellText.span) > width else { return }
    let cut = context.metrics.cut(cellText.span, to: width, mark: context.cutMark)
    cellText.truncate(to: cut.count)
    context.cutMark.append(to: &cellText, cells: cut.markWidth)
    cells.noteCut()
  }

  /// Draws a field whose cell is drawn unchanged, in as many lines as it needs; `nil` if it cannot be.
  private mutating func paintWrappedField(
    _ index: Int, _ batch: Batch, _ row: Int, into out: inout ByteBuffer
  ) -> Int? {
    let column = slots[index].column
    guard column < batch.columnCount, let label = lines[index] else { return nil }
    let cell = batch.cells[row &* batch.columnCount &+ column]
    guard !cell.isDim, let extent = context.extent(of: batch.drawn(cell)) else { return nil }
    if extent.newlines == 0, extent.width <= arrangement.valueWidth ?? .max {
      out.append(label.span)
      out.append(batch.drawn(cell))
      out.trimBlanks()
      out.append(0x0A)
      return 1
    }
    let isWide = extent.width > arrangement.valueWidth ?? .max && context.overflow != .scroll
    if isWide, context.overflow != .wrap { return nil }
    var breaker = LineBreaker(width: isWide ? arrangement.valueWidth : nil, metrics: context.metrics)
    var height = 0
    var isCut = false
    while let line = breaker.next(in: batch.drawn(cell)) {
      if height == 0 { out.append(label.span) } else { indentValue(into: &out) }
      out.append(batch.drawn(cell).extracting(line.range))
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

  /// Appends the indent of a line that is not a value's first.
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

  /// Draws the messages about the record, below its values; returns how many lines they took.
  @inline(never)
  private mutating func paintRecordNote(into out: inout ByteBuffer) -> Int {
    cells.removeAll()
    cellText.removeAll()
    cellText.append(recordNote)
    return paintField(nil, Escaper.Findings(), into: &out)
  }

  /// Draws the lines of a label, if there is one, and the value in `cellText`; returns how many lines there were.
  private mutating func paintField(
    _ index: Int?, _ findings: Escaper.Findings, isDim: Bool = false, style valueStyle: TextStyle? = nil,
    into out: inout ByteBuffer
  ) -> Int {
    let value = cellText.count
    cells.append(
      cellText, from: 0, width: arrangement.valueWidth ?? .max,
      overflow: arrangement.valueWidth == nil ? .scroll : context.overflow, needsCarry: findings.needsCarry)
    if let index { cellText.append(arrangement.labels[index]) }
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
        let style = valueStyle ?? (isDim ? lineStyle : .plain)
        style.apply(to: &out) { cells.paint(0, line: line, of: cellText, into: &$0) }
      }
      out.trimBlanks()
      out.append(0x0A)
      line += 1
    }
    return line
  }
}

/// A line that is reused with another number of the same length.
struct NumberedLine: Sendable {
  private let before: [UInt8]
  private let after: [UInt8]

  /// The numbers that fit into the line without changing its length.
  private let numbers: Range<Int>

  /// Stores a line that contains `number`; `nil` if the whole number does not follow `mark`.
  ///
  /// - Parameters:
  ///   - mark: the text before the number, which occurs there first.
  ///   - number: at least 0.
  init?(_ line: Span<UInt8>, before mark: StaticString, _ number: Int) {
    var spelled = ByteBuffer()
    spelled.append(mark)
    let head = spelled.count
    spelled.append(decimal: number)
    guard let place = line.firstRange(of: spelled.span, from: 0) else { return nil }
    before = [UInt8](line.extracting(0..<place + head))
    after = [UInt8](line.extracting((place + spelled.count)...))
    let digits = spelled.count - head
    let least = (1..<digits).reduce(1) { power, _ in power * 10 }
    guard let digit = after.first, digit &- 0x30 > 9, number >= least else { return nil }
    numbers = least..<(least.multipliedReportingOverflow(by: 10).overflow ? .max : least * 10)
  }

  /// Whether `number` has as many digits.
  @inline(__always)
  func fits(_ number: Int) -> Bool { numbers.contains(number) }

  /// Appends the line with another number, one that fits.
  @inline(__always)
  func append(_ number: Int, to out: inout ByteBuffer) {
    out.append(before.span)
    out.append(decimal: number)
    out.append(after.span)
  }
}
