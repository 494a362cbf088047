/// Writes Detail as HTML: an article with a list of fields for each record.
struct HTMLCardPainter: ~Copyable, DisplayPainter {
  var walk = RowWalk()
  var styles: RowStyles

  private let opening: [UInt8]
  private let closing: [UInt8]
  private let article: [UInt8]
  private let titleTag: String
  private let style: HTMLStyle
  private let options: LayoutOptions

  /// Swatches, and the text that tells screen readers that a row is selected.
  private let styledContent: HTMLStyledContent
  private let heading: [UInt8]
  private let footArticle: [UInt8]
  private let sectionHeading: [UInt8]
  private let sectionFooter: [UInt8]
  private let fields: [UInt8]
  private var labels: [Label]
  private let labelTag: [UInt8]
  private let valueTag: [UInt8]
  private let unbrokenTag: [UInt8]
  private let nullTag: [UInt8]
  private let invalidTag: [UInt8]
  private let unbrokenInvalidTag: [UInt8]
  private let nullInvalidTag: [UInt8]

  /// What stands before what is wrong with a record.
  private let noteTag: [UInt8]

  /// Where it is noted which fields do not keep a rule, by field.
  private var fieldMarks: [FieldMark?]
  private let signs: HTMLFieldSigns
  private var cells: SpelledCells<HTMLText>
  private var cardFields: CardFields
  private var titles: SpelledCells<HTMLText>

  /// The label of a field.
  private enum Label: Sendable {
    /// As it is written, with its tags.
    case written([UInt8])
    /// A long title, escaped again for each card.
    case long(String)

    /// The longest title that is stored escaped.
    static let longest = 1 << 20

    /// The approximate number of bytes.
    var size: Int {
      switch self {
      case .written(let bytes): bytes.count
      case .long(let title): title.utf8.count
      }
    }
  }

  /// The labels of all fields, and what stands round them.
  var rowSize: Int { labels.reduce(0) { $0 + $1.size + 24 } }

  static var hasTitles: Bool { false }

  var templateStates: [EvaluationState] { (cells.texts + titles.texts).compactMap(\.state) }

  /// Creates a painter.
  ///
  /// - Parameters:
  ///   - titles: what stands in the headings, one after the other; none counts the rows.
  ///   - name: the name of the file, for the page's title.
  ///   - keepsRecords: whether a JSON record is drawn with its own keys in its own order.
  init(
    _ columns: [ShownColumn], _ texts: [CellText], titles: [CellText], _ options: LayoutOptions,
    _ output: OutputOptions, name: String? = nil, keepsRecords: Bool = false, styles: RowStyles = RowStyles()
  ) {
    self.styles = styles
    let style = HTMLStyle(columns, options, output, styles)
    self.style = style
    self.options = options
    styledContent = HTMLStyledContent(style, options)
    let document = HTMLDocument(options, output, style, name: name)
    func tag(
      _ name: String, _ element: HTMLStyle.Element, isNull: Bool = false, isInvalid: Bool = false,
      _ breaking: Breaking = .words
    ) -> String {
      var place = HTMLStyle.Place(element: element, breaking: breaking, isNull: isNull)
      place.isInvalid = isInvalid
      return "<\(name)\(style.attributes(place))>"
    }
    let html = HTMLText(options)
    let card = "<article\(style.attributes(root: .card, options))>"
    let title = HTMLRules.cardTitle(options)
    article = Array((card + tag(title, .cardTitle)).utf8)
    titleTag = tag(title, .cardTitle)
    sectionHeading = Array(
      "<h2\(style.attributes(HTMLStyle.Place(element: .sectionHead), class: "section"))>".utf8)
    sectionFooter = Array("<p\(style.attributes(HTMLStyle.Place(element: .sectionFoot), class: "sum"))>".utf8)
    footArticle = Array(
      "<article\(style.attributes(HTMLStyle.Place(element: .card), class: "tabler detail"))>".utf8)
    heading = Array("</\(title)>\n".utf8)
    fields = Array(tag("dl", .fields).utf8)
    let labelTag = Array(tag("dt", .label).utf8)
    self.labelTag = labelTag
    labels = columns.map { Self.label($0, labelTag, html) }
    valueTag = Array(tag("dd", .value).utf8)
    unbrokenTag = Array(tag("dd", .value, .nowhere).utf8)
    nullTag = Array(tag("dd", .value, isNull: true).utf8)
    invalidTag = Array(tag("dd", .value, isInvalid: true).utf8)
    unbrokenInvalidTag = Array(tag("dd", .value, isInvalid: true, .nowhere).utf8)
    nullInvalidTag = Array(tag("dd", .value, isNull: true, isInvalid: true).utf8)
    noteTag = Array(tag("p", .recordNote, isInvalid: true).utf8)
    fieldMarks = columns.map(\.mark)
    signs = HTMLFieldSigns(options, style)
    opening = document.opening() + Self.caption(options, output, html, style)
    closing = document.closing()
    cells = SpelledCells(texts, html)
    self.titles = SpelledCells(titles, html)
    cardFields = CardFields(columns, keepsRecords: keepsRecords)
  }

  func paintOpening(into out: inout ByteBuffer) { out.append(opening) }

  func paintSpace(into out: inout ByteBuffer) {
    if walk.sectionCount > 1 { out.append(UInt8(ascii: "\n")) }
  }

  mutating func paintRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    let number = walk.number
    let look = styles.isEmpty ? nil : styles.look(number, inSection: walk.sectionCount, batch, row)
    if let look {
      out.append("<article\(style.attributes(root: style.rowStyles.place(.card, look), options))>")
      out.append(titleTag)
    } else {
      out.append(article)
    }
    out.append(titleOfRow: number, parts: titles.texts.indices) { part, out in
      walk.found += titles.append(part, batch, row, number: number, to: &out).ofCell
    }
    if look?.isSelected ?? false { out.append(styledContent.selected) }
    out.append(heading)
    out.append(fields)
    cardFields.look(at: row, of: batch, cells.texts)
    for index in cardFields.indices {
      appendLabel(index, to: &out)
      let shown = cells.show(index, batch, row, number: number)
      let mark = fieldMarks[index]
      if let look, look.hasCells, let cell = styles.cell(index, number, batch, row) {
        appendStyled(cell, in: look, shown, batch, row, mark, to: &out)
        continue
      }
      if let mark, mark.isInvalid(inRow: row, of: batch) {
        out.append(
          cells.isDim
            ? nullInvalidTag : cells.isDateOrTime(shown, batch) ? unbrokenInvalidTag : invalidTag)
      } else {
        out.append(cells.isDim ? nullTag : cells.isDateOrTime(shown, batch) ? unbrokenTag : valueTag)
      }
      walk.found += cells.append(shown, batch, to: &out).ofCell
      if let mark { signs.append(mark, row, of: batch, isMessageSeen: true, cells.spelling, to: &out) }
      out.append("</dd>")
    }
    out.append("</dl>")
    if look?.isInvalid ?? false {
      out.append(noteTag)
      signs.append(styles.messages(batch, row), cells.spelling, to: &out)
      out.append("</p>")
    }
    out.append("</article>")
  }

  func paintSectionStart(heading: [UInt8]?, into out: inout ByteBuffer) {
    if walk.section > 1 { out.append("\n") }
    guard let heading else { return }
    out.append(sectionHeading)
    cells.spelling.append(heading.span, to: &out)
    out.append("</h2>\n")
  }

  func paintSectionEnd(footers: [FooterLine], into out: inout ByteBuffer) {
    for (number, footer) in footers.enumerated() { paintFooter(footer, number: number, into: &out) }
  }

  func paintFooter(_ footer: FooterLine, number: Int, into out: inout ByteBuffer) {
    if walk.number + number > 0 { out.append(UInt8(ascii: "\n")) }
    switch footer {
    case .titles: break
    case .cells(let texts):
      out.append(footArticle)
      out.append(fields)
      for index in labels.indices where index < texts.count {
        guard let text = texts[index] else { continue }
        appendLabel(index, to: &out)
        out.append(valueTag)
        cells.spelling.append(text.span, to: &out)
        out.append("</dd>")
      }
      out.append("</dl></article>")
    case .band(let text):
      out.append(sectionFooter)
      cells.spelling.append(text.span, to: &out)
      out.append("</p>")
    }
  }

  func paintClosing(into out: inout ByteBuffer) { out.append(closing) }
}

extension HTMLCardPainter {
  /// Writes a value that has a style of its own.
  private mutating func appendStyled(
    _ cell: AppliedStyle, in look: RowLook, _ shown: CellText.Shown, _ batch: Batch, _ row: Int,
    _ mark: FieldMark?, to out: inout ByteBuffer
  ) {
    var place = HTMLStyle.Place(
      element: .value, breaking: cells.isDateOrTime(shown, batch) ? .nowhere : .words, isNull: cells.isDim)
    place.isInvalid = mark?.isInvalid(inRow: row, of: batch) ?? false
    style.rowStyles.add(cell, in: look, to: &place)
    out.append("<dd\(style.attributes(place))>")
    let color = cell.swatchColor
    if let color { styledContent.appendSwatch(color, to: &out) }
    walk.found += cells.append(shown, batch, to: &out).ofCell
    if color != nil { styledContent.appendSwatchEnd(to: &out) }
    if let mark { signs.append(mark, row, of: batch, isMessageSeen: true, cells.spelling, to: &out) }
    out.append("</dd>")
  }

  mutating func grow(by growth: KeyGrowth) {
    labels += growth.columns.map { Self.label($0, labelTag, cells.spelling) }
    styles.grow(by: growth.styles, from: cells.texts.count)
    cells.texts += growth.texts
    fieldMarks += growth.columns.map(\.mark)
    cardFields.grow(by: growth.columns.count)
  }

  private static func label(_ column: ShownColumn, _ tag: [UInt8], _ html: HTMLText) -> Label {
    guard column.title.utf8.count <= Label.longest else { return .long(column.title) }
    var label = ByteBuffer()
    append(column.title, tag, html, to: &label)
    return .written(label.array())
  }

  private static func append(_ title: String, _ tag: [UInt8], _ html: HTMLText, to out: inout ByteBuffer) {
    out.append(tag)
    html.append(title.utf8.span, to: &out)
    out.append("</dt>")
  }

  private func appendLabel(_ index: Int, to out: inout ByteBuffer) {
    switch labels[index] {
    case .written(let bytes): out.append(bytes)
    case .long(let title): Self.append(title, labelTag, cells.spelling, to: &out)
    }
  }

  private static func caption(
    _ options: LayoutOptions, _ output: OutputOptions, _ html: HTMLText, _ style: HTMLStyle
  ) -> [UInt8] {
    guard let caption = options.caption, !output.isFragment else { return [] }
    var out = ByteBuffer()
    out.append("<p\(style.attributes(HTMLStyle.Place(element: .caption), class: "caption"))>")
    let bytes = Array(caption.utf8)
    html.append(bytes.span, to: &out)
    out.append("</p>\n")
    return out.array()
  }
}
