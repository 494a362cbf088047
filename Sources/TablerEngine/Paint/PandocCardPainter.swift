/// Writes Detail as pandoc's Markdown: a heading and a list of definitions for each record.
struct PandocCardPainter: ~Copyable, DisplayPainter {
  var walk = RowWalk()
  var styles: RowStyles

  private var labels: [[UInt8]]
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

  /// What stands before the title of a row that is selected.
  private let selected: [UInt8]

  /// A value, spelled.
  private var value = ByteBuffer()

  /// The labels of all fields, and what stands round them.
  var rowSize: Int { labels.reduce(0) { $0 + $1.count + 16 } }

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
    selected = Array((options.isASCII ? "\\> " : "▶ ").utf8)
    let markdown = MarkdownText(options)
    labels = shown.map { markdown.inHeading.escaped(title: $0.title) }
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
    out.append("### ")
    let number = walk.number
    let look = styles.isEmpty ? nil : styles.look(number, inSection: walk.sectionCount, batch, row)
    if look?.isSelected ?? false { out.append(selected) }
    out.append(titleOfRow: number, parts: titles.texts.indices) { part, out in
      walk.found += titles.append(part, batch, row, number: number, to: &out).ofCell
    }
    out.append("\n")
    cardFields.look(at: row, of: batch, cells.texts)
    for index in cardFields.indices {
      value.removeAll()
      walk.found += cells.append(index, batch, row, number: number, to: &value).ofCell
      if let look { styles.emphasis(index, look, number, batch, row).apply(to: &value) }
      if let mark = fieldMarks[index] {
        value.append(signs.note(on: mark, inRow: row, of: batch, blanks: value.isEmpty ? 0 : 1))
      }
      paintField(index, isFirst: false, into: &out)
    }
    if look?.isInvalid ?? false {
      out.append("\n")
      out.append(signs.note(styles.messages(batch, row)))
      out.append("\n")
    }
  }

  func paintSectionStart(heading: [UInt8]?, into out: inout ByteBuffer) {
    if walk.section > 1 { out.append("\n") }
    guard let heading else { return }
    out.append("## ")
    titles.spelling.append(heading.span, to: &out)
    out.append("\n\n")
  }

  mutating func paintSectionEnd(footers: [FooterLine], into out: inout ByteBuffer) {
    for (number, footer) in footers.enumerated() { paintFooter(footer, number: number, into: &out) }
  }

  mutating func paintFooter(_ footer: FooterLine, number: Int, into out: inout ByteBuffer) {
    switch footer {
    case .titles: break
    case .cells(let texts):
      var isFirst = walk.number + number == 0
      for index in labels.indices where index < texts.count {
        guard let text = texts[index] else { continue }
        value.removeAll()
        cells.spelling.append(bold: text.span, to: &value)
        paintField(index, isFirst: isFirst, into: &out)
        isFirst = false
      }
    case .band(let text):
      if walk.number + number > 0 { out.append("\n") }
      titles.spelling.append(bold: text.span, to: &out)
      out.append("\n")
    }
  }
}

extension PandocCardPainter {
  mutating func grow(by growth: KeyGrowth) {
    labels += growth.columns.map { titles.spelling.escaped(title: $0.title) }
    styles.grow(by: growth.styles, from: cells.texts.count)
    cells.texts += growth.texts
    fieldMarks += growth.columns.map(\.mark)
    cardFields.grow(by: growth.columns.count)
  }

  /// Writes a label and the current value, which is its definition.
  ///
  /// - Parameter isFirst: whether nothing stands above it.
  private func paintField(_ index: Int, isFirst: Bool, into out: inout ByteBuffer) {
    if !isFirst { out.append("\n") }
    out.append(labels[index].isEmpty ? PandocEscaper.nothing : labels[index])
    out.append("\n:   ")
    if value.isEmpty { out.append(PandocEscaper.nothing) } else { out.append(value.span) }
    out.append("\n")
  }
}
