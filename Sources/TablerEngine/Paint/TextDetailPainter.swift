/// Draws one record a card: a title rule, then a line or more for each label and its value.
///
/// Nothing is measured but the labels, so cards stream.
struct TextDetailPainter: ~Copyable, DisplayPainter {
  /// Where everything of a card stands.
  let arrangement: CardArrangement
  /// How texts are escaped, measured and cut.
  let context: TextContext
  /// The style of titles and labels.
  let style: TextStyle
  private let heading: [UInt8]
  private var fields: CardFields

  /// All that stands before the values, where that is one line.
  private var lines: [[UInt8]?] = []
  private var slots: [Slot] = []

  /// The rule of the card before, where it counts the rows.
  var countedRule: NumberedLine?

  /// A whole title rule of nothing but its character.
  let rule: [UInt8]

  /// The cells of that character, at least 1.
  let ruleUnit: Int
  private var texts: [CellText]
  /// What stands in the title rules; `nil` counts the rows.
  var title: CellText?
  private var reader: CellReader
  /// What escapes titles.
  var titleReader: CellReader
  /// The cells of a line that may take several.
  var cells: TextCells
  /// The texts of `cells`, escaped.
  var cellText = ByteBuffer()
  /// How many rows were painted, by this painter or by others before it.
  var rowCount = 0

  private var replacementCount = 0

  /// What the card loop needs to know of one field.
  private struct Slot {
    /// The column of the batch whose cells are copied; beyond all columns where it is not that simple.
    let column: Int
    /// What stands before the value, where it is short enough to be written in one step.
    let prefix: ByteSnippet?
  }

  /// Creates a painter of cards.
  ///
  /// - Parameters:
  ///   - title: what stands in the title rules; `nil` counts the rows.
  ///   - keepsRecords: whether a JSON record is drawn with its own keys in its own order.
  init(
    _ columns: [ShownColumn], _ texts: [CellText], title: CellText?, _ options: LayoutOptions,
    marks: NumberMarks = .standard, keepsRecords: Bool = false
  ) {
    arrangement = CardArrangement(columns, options)
    context = TextContext(options, marks: marks)
    style = TextStyle.header(options)
    heading = TextHeading.lines(options, context)
    self.texts = texts
    self.title = title
    fields = CardFields(columns, keepsRecords: keepsRecords)
    reader = CellReader(context)
    var singleLine = options
    singleLine.isSingleLine = true
    titleReader = CellReader(TextContext(singleLine, marks: marks))
    cells = TextCells(context)
    let fill = Array(arrangement.fill.utf8)
    let unit = max(1, context.metrics.width(of: fill.span))
    ruleUnit = unit
    rule = Array(repeatElement(fill, count: max(2, arrangement.ruleWidth) / unit).joined())
    lines = columns.indices.map { linePrefix($0) }
    slots = columns.indices.map { index in
      Slot(column: texts[index].verbatimColumn ?? .max, prefix: lines[index].flatMap { ByteSnippet($0) })
    }
  }

  /// The label of a field as it stands before a value; `nil` where it takes more than a line or is cut.
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

  /// What filling templates left behind: cells that did not convert, a failed `must()`.
  var states: [EvaluationState] { (texts + (title.map { [$0] } ?? [])).compactMap(\.state) }

  /// What a person should hear of so far.
  var notices: [LayoutNotice] {
    var notices: [LayoutNotice] = []
    if arrangement.excess > 0 { notices.append(.widerThanLimit(by: arrangement.excess)) }
    if cells.cutCount > 0 { notices.append(.cutCells(cells.cutCount)) }
    if replacementCount > 0 { notices.append(.replacedBytes(replacementCount)) }
    return notices
  }

  mutating func begin(into out: inout ByteBuffer) {
    out.append(heading)
    out.append(repeating: 0x0A, count: arrangement.spacing.table.top)
  }

  mutating func paint(_ rows: Rows, _ range: Range<Int>, into out: inout ByteBuffer) {
    for index in range {
      let id = rows.ids[index]
      paintCard(rows.batches[id.batch], id.row, into: &out)
    }
  }

  mutating func end(footers: [FooterLine], into out: inout ByteBuffer) {
    for footer in footers where !footer.repeatsTitles {
      if !arrangement.fill.isEmpty { paintPlainRule(into: &out) }
      out.append(repeating: 0x0A, count: max(0, arrangement.spacing.footer))
      for index in texts.indices {
        guard index < footer.cells.count, let text = footer.cells[index] else { continue }
        cells.removeAll()
        cellText.removeAll()
        let findings = context.escaper.append(text.span, to: &cellText)
        _ = paintField(index, findings, into: &out)
      }
      out.append(repeating: 0x0A, count: max(0, arrangement.spacing.footer))
    }
    out.append(repeating: 0x0A, count: arrangement.spacing.table.bottom)
  }
}

extension TextDetailPainter {
  private mutating func paintCard(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    let spacing = arrangement.spacing
    if rowCount > 0 { out.append(repeating: 0x0A, count: max(0, spacing.rows)) }
    rowCount &+= 1
    paintTitle(batch, row, into: &out)
    out.append(repeating: 0x0A, count: spacing.padding.top)
    var height = 0
    if fields.areFixed {
      for index in slots.indices { height &+= paintField(index, batch, row, into: &out) }
    } else {
      fields.look(at: row, of: batch, texts)
      for index in fields.indices { height &+= paintField(index, batch, row, into: &out) }
    }
    out.append(repeating: 0x0A, count: spacing.rowHeight - height)
    out.append(repeating: 0x0A, count: spacing.padding.bottom)
  }

  /// Draws a field; returns how many lines it took.
  @inline(__always)
  private mutating func paintField(
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
    replacementCount &+= findings.replacements
    if lines[index] != nil, findings.newlines == 0, !findings.needsCarry, fits(out.span.extracting(value...))
    {
      out.trimBlanks(from: start)
      out.append(0x0A)
      return 1
    }
    cells.removeAll()
    cellText.removeAll()
    cellText.append(out.span.extracting(value...))
    out.truncate(to: start)
    return paintField(index, findings, into: &out)
  }

  /// Whether a text without newlines needs no second line.
  private func fits(_ text: Span<UInt8>) -> Bool {
    guard let room = arrangement.valueWidth else { return true }
    return context.metrics.width(of: text) <= room
  }

  /// Draws the lines of a label and the value in `cellText`; returns how many there were.
  private mutating func paintField(
    _ index: Int, _ findings: Escaper.Findings, into out: inout ByteBuffer
  ) -> Int {
    let value = cellText.count
    cells.append(
      cellText, from: 0, width: arrangement.valueWidth ?? .max,
      overflow: arrangement.valueWidth == nil ? .scroll : context.overflow, needsCarry: findings.needsCarry)
    cellText.append(arrangement.labels[index])
    cells.append(
      cellText, from: value, width: arrangement.labelWidth,
      overflow: context.overflow == .scroll ? .scroll : .truncate,
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
      if cells.width(0, line: line) != nil { cells.paint(0, line: line, of: cellText, into: &out) }
      out.trimBlanks(from: start)
      out.append(0x0A)
    }
    return cells.height
  }
}
