/// Draws one record a card: a title rule, then a line or more for each label and its value.
///
/// Nothing is measured but the labels, so cards stream.
struct TextDetailPainter: ~Copyable, DisplayPainter {
  /// Where everything of a card stands.
  private(set) var arrangement: CardArrangement
  /// How texts are escaped, measured and cut.
  let context: TextContext
  /// The style of titles and labels.
  let style: TextStyle
  /// The style of rules and of what missing cells show.
  let lineStyle: TextStyle
  private let heading: [UInt8]
  private var fields: CardFields

  /// All that stands before the values, where that is one line.
  private(set) var lines: [[UInt8]?] = []

  /// What the card loop needs to know of the fields.
  private(set) var slots: [Slot] = []

  /// The rule of the card before, where it counts the rows.
  var countedRule: NumberedLine?

  /// A whole title rule of nothing but its character.
  let rule: [UInt8]

  /// The cells of that character, at least 1.
  let ruleUnit: Int
  /// What the cells of the fields say, escaped.
  var reader: SpelledCells<TextContext>
  /// What stands in the title rules, one after the other; none counts the rows.
  var titles: SpelledCells<TextContext>
  /// The cells of a line that may take several.
  var cells: TextCells
  /// The texts of `cells`, escaped.
  var cellText = ByteBuffer()
  /// How many rows were painted, by this painter or by others before it.
  var rowCount = 0

  /// What cells held that no text should.
  var found = FindingsTally()

  /// The labels of all fields.
  var rowSize: Int { lines.reduce(0) { $0 + ($1?.count ?? 0) + 8 } }

  /// What the card loop needs to know of one field.
  struct Slot {
    /// The column of the batch whose cells are copied; beyond all columns where it is not that simple.
    let column: Int
    /// What stands before the value, where it is short enough to be written in one step.
    let prefix: ByteSnippet?
  }

  /// Creates a painter of cards.
  ///
  /// - Parameters:
  ///   - titles: what stands in the title rules, one after the other; none counts the rows.
  ///   - keepsRecords: whether a JSON record is drawn with its own keys in its own order.
  init(
    _ columns: [ShownColumn], _ texts: [CellText], titles: [CellText], _ options: LayoutOptions,
    marks: NumberMarks = .standard, keepsRecords: Bool = false
  ) {
    arrangement = CardArrangement(columns, options)
    context = TextContext(options, marks: marks)
    style = TextStyle.header(options)
    lineStyle = TextStyle.frame(options)
    heading = TextHeading.lines(options, context)
    fields = CardFields(columns, keepsRecords: keepsRecords)
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

  /// Prepares what stands before the values.
  private mutating func prepare() {
    lines = reader.texts.indices.map { linePrefix($0) }
    slots = reader.texts.indices.map { index in
      Slot(
        column: reader.texts[index].verbatimColumn ?? .max, prefix: lines[index].flatMap { ByteSnippet($0) })
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

  /// The results of templates: cells that did not convert, a failed `must()`.
  var states: [EvaluationState] { (reader.texts + titles.texts).compactMap(\.state) }

  /// What a person should hear of so far.
  var notices: [LayoutNotice] {
    var notices: [LayoutNotice] = []
    if arrangement.excess > 0 { notices.append(.widerThanLimit(by: arrangement.excess)) }
    return notices + cells.notices + found.notices
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
      for index in reader.texts.indices {
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
  mutating func grow(by growth: KeyGrowth) {
    arrangement.add(growth.columns, context)
    reader.texts += growth.texts
    fields.grow(by: growth.columns.count)
    prepare()
  }

  /// Makes room for the labels of a record that has keys of its own.
  private mutating func makeRoom() {
    let widest = fields.indices.reduce(0) { max($0, arrangement.widths[$1]) }
    guard widest > arrangement.labelWidth else { return }
    let before = arrangement.labelWidth
    arrangement.widen(to: widest)
    if arrangement.labelWidth != before { prepare() }
  }

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
      fields.look(at: row, of: batch, reader.texts)
      makeRoom()
      for index in fields.indices { height &+= paintField(index, batch, row, into: &out) }
    }
    out.append(repeating: 0x0A, count: spacing.rowHeight - height)
    out.append(repeating: 0x0A, count: spacing.padding.bottom)
  }
}
