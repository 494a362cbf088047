/// Writes Detail as Markdown: a heading and a table of two columns for each record.
struct MarkdownCardPainter: ~Copyable, DisplayPainter {
  var walk = RowWalk()
  var styles: RowStyles

  private var labels: [[UInt8]]

  /// The cells of the widest label so far.
  private var labelWidth: Int
  private let heading: [UInt8]
  private let ending: [UInt8]
  private let ignoresRowSpacing: Bool
  private var cells: SpelledCells<MarkdownText>
  private var cardFields: CardFields

  /// Where it is noted which fields do not keep a rule, by field.
  private var fieldMarks: [FieldMark?]

  /// The signs of such fields.
  private let signs: DrawnFieldSigns
  private var titles: SpelledCells<MarkdownText>

  /// The escaped values of a card, concatenated.
  private var values = ByteBuffer()

  /// The current value.
  private var value = ByteBuffer()

  /// What stands before the title of a row that is selected.
  private let selected: [UInt8]

  /// The fields of a card: a label, and where its value ends in `values`.
  private var fields: [(label: Int, end: Int)] = []

  /// The labels of all fields, and what stands round them.
  var rowSize: Int { labels.reduce(0) { $0 + $1.count + 24 } }

  static var hasTitles: Bool { false }

  var layoutNotices: [LayoutNotice] { ignoresRowSpacing ? [.ignoredRowSpacing] : [] }

  var templateStates: [EvaluationState] { (cells.texts + titles.texts).compactMap(\.state) }

  /// Creates a painter.
  ///
  /// - Parameters:
  ///   - titles: what stands in the headings, one after the other; none counts the rows.
  ///   - keepsRecords: whether a JSON record is drawn with its own keys in its own order.
  init(
    _ shown: [ShownColumn], _ texts: [CellText], titles: [CellText], _ options: LayoutOptions,
    keepsRecords: Bool = false, styles: RowStyles = RowStyles()
  ) {
    self.styles = styles
    let markdown = MarkdownText(options)
    selected = Array((options.isASCII ? "\\> " : "▶ ").utf8)
    labels = shown.map { markdown.escaped(title: $0.title) }
    var width = 3
    for label in labels { width = max(width, markdown.metrics.width(of: label.span)) }
    labelWidth = width
    cells = SpelledCells(texts, markdown)
    heading = MarkdownHeading.paragraphs(options)
    ending = MarkdownHeading.ending(options)
    ignoresRowSpacing = (options.rowSpacing?.lines ?? 0) > 0
    self.titles = SpelledCells(titles, markdown.inHeading)
    cardFields = CardFields(shown, keepsRecords: keepsRecords)
    fieldMarks = shown.map(\.mark)
    signs = DrawnFieldSigns(options, markdown.escaped(label:))
  }

  func paintOpening(into out: inout ByteBuffer) { out.append(heading) }

  func paintEnding(into out: inout ByteBuffer) { out.append(ending) }

  func paintSpace(into out: inout ByteBuffer) {
    if walk.sectionCount > 1 { out.append("\n") }
  }

  mutating func paintRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    let look = styles.isEmpty ? nil : styles.look(walk.number, inSection: walk.sectionCount, batch, row)
    paintTitle(batch, row, isSelected: look?.isSelected ?? false, into: &out)
    beginCard()
    cardFields.look(at: row, of: batch, cells.texts)
    for index in cardFields.indices {
      if let look {
        value.removeAll()
        walk.found += cells.append(index, batch, row, number: walk.number, to: &value).ofCell
        styles.emphasis(index, look, walk.number, batch, row).apply(to: &value)
        let text = value.array()
        values.append(text)
      } else {
        walk.found += cells.append(index, batch, row, number: walk.number, to: &values).ofCell
      }
      if let mark = fieldMarks[index] {
        values.append(signs.note(on: mark, inRow: row, of: batch, blanks: 1))
      }
      fields.append((index, values.count))
      if !cardFields.areFixed {
        let label = labels[index]
        labelWidth = max(labelWidth, cells.spelling.metrics.width(of: label.span))
      }
    }
    paintFields(into: &out)
    if look?.isInvalid ?? false {
      out.append(fields.isEmpty ? "" : "\n")
      out.append(signs.note(styles.messages(batch, row)))
      out.append("\n")
    }
  }

  func paintSectionStart(heading: [UInt8]?, into out: inout ByteBuffer) {
    if walk.section > 1 { out.append("\n") }
    guard let heading else { return }
    out.append("## ")
    titles.spelling.append(heading.span.extracting(heading.span.trimmingBlankScalars), to: &out)
    out.append("\n\n")
  }

  mutating func paintSectionEnd(footers: [FooterLine], into out: inout ByteBuffer) {
    for (number, footer) in footers.enumerated() { paintFooter(footer, number: number, into: &out) }
  }

  mutating func paintFooter(_ footer: FooterLine, number: Int, into out: inout ByteBuffer) {
    switch footer {
    case .titles: break
    case .cells(let texts):
      beginCard()
      for index in labels.indices where index < texts.count {
        guard let text = texts[index] else { continue }
        cells.spelling.append(bold: text.span, to: &values)
        fields.append((index, values.count))
      }
      if walk.number > 0, !fields.isEmpty { out.append("\n") }
      paintFields(into: &out)
    case .band(let text):
      if walk.number > 0 { out.append("\n") }
      cells.spelling.append(bold: text.span, to: &out)
      out.append("\n")
    }
  }
}

extension MarkdownCardPainter {
  mutating func grow(by growth: KeyGrowth) {
    labels += growth.columns.map { cells.spelling.escaped(title: $0.title) }
    styles.grow(by: growth.styles, from: cells.texts.count)
    cells.texts += growth.texts
    fieldMarks += growth.columns.map(\.mark)
    cardFields.grow(by: growth.columns.count)
  }

  private mutating func paintTitle(
    _ batch: Batch, _ row: Int, isSelected: Bool, into out: inout ByteBuffer
  ) {
    out.append("### ")
    if isSelected { out.append(selected) }
    let number = walk.number
    out.append(titleOfRow: number, parts: titles.texts.indices) { part, out in
      walk.found += titles.append(part, batch, row, number: number, to: &out).ofCell
    }
    out.append("\n\n")
  }

  private mutating func beginCard() {
    values.removeAll()
    fields.removeAll(keepingCapacity: true)
  }

  /// Writes the current fields as a table with an empty header.
  private func paintFields(into out: inout ByteBuffer) {
    if fields.isEmpty { return }
    var width = 3
    var start = 0
    for field in fields {
      width = max(width, cells.spelling.metrics.width(of: values.span.extracting(start..<field.end)))
      start = field.end
    }
    out.append("| ")
    out.append(blanks: labelWidth)
    out.append(" | ")
    out.append(blanks: width)
    out.append(" |\n| ")
    out.append(repeating: UInt8(ascii: "-"), count: labelWidth - 1)
    out.append(": | :")
    out.append(repeating: UInt8(ascii: "-"), count: width - 1)
    out.append(" |\n")
    paintLines(width: width, into: &out)
  }

  private func paintLines(width: Int, into out: inout ByteBuffer) {
    var start = 0
    for field in fields {
      let label = labels[field.label]
      let value = values.span.extracting(start..<field.end)
      out.append("| ")
      out.append(blanks: labelWidth - cells.spelling.metrics.width(of: label.span))
      out.append(label)
      out.append(" | ")
      out.append(value)
      out.append(blanks: width - cells.spelling.metrics.width(of: value))
      out.append(" |\n")
      start = field.end
    }
  }
}
