/// How a form spells the parts of a card.
protocol CardForm: SendableMetatype, ~Copyable {
  associatedtype Text: Spelling

  /// How values are spelled, and what stands in the title of a card.
  var text: Text { get }
  var titleText: Text { get }

  /// The approximate bytes of a card without its values.
  var cardSize: Int { get }

  /// Notices about the layout so far.
  var notices: [LayoutNotice] { get }

  /// Takes the labels of columns after those known.
  mutating func add(_ columns: [ShownColumn])

  /// What stands above the first card, and below the last.
  var opening: [UInt8] { get }
  var closing: [UInt8] { get }

  /// Appends the heading of a section.
  func appendHeading(_ text: [UInt8], to out: inout ByteBuffer)

  /// Appends the title of a card, and what stands between it and the fields.
  ///
  /// - Returns: what the cells in it hold that no text should.
  mutating func appendTitle(
    _ look: RowLook?, _ titles: inout SpelledCells<Text>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings

  /// Appends a label and its value.
  ///
  /// - Returns: what the cell holds that no text should.
  mutating func appendField(
    _ cell: CellParts, _ cells: inout SpelledCells<Text>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings

  /// Appends a label and its value, which has nothing to show but its text.
  mutating func appendField(
    _ column: Int, _ cells: inout SpelledCells<Text>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings

  /// Appends the end of a card.
  ///
  /// - Parameter messages: what the rules say that the record does not keep.
  mutating func endCard(_ messages: [String], to out: inout ByteBuffer)

  /// Appends the texts of a footer, each under the label of a column.
  ///
  /// - Parameter isFirst: whether nothing stands above it.
  mutating func appendFoot(
    _ texts: [(column: Int, text: [UInt8])], isFirst: Bool, to out: inout ByteBuffer)

  /// Appends a footer that is about no column.
  ///
  /// - Parameter isFirst: whether nothing stands above it.
  func appendFoot(_ text: [UInt8], isFirst: Bool, to out: inout ByteBuffer)
}

// What not every form does in another way.
extension CardForm where Self: ~Copyable {
  mutating func appendField(
    _ column: Int, _ cells: inout SpelledCells<Text>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    appendField(CellParts(column: column), &cells, batch, row, number: number, to: &out)
  }
}

/// Draws one record a card: a title, then a label and a value for each field.
struct CardPainter<Form: CardForm & ~Copyable>: ~Copyable, DisplayPainter {
  var walk = RowWalk()
  var styles: RowStyles

  private var form: Form
  private var cells: SpelledCells<Form.Text>
  private var titles: SpelledCells<Form.Text>
  private var fields: CardFields

  /// Where it is noted which fields do not keep a rule, by field.
  private var marks: [FieldMark?]

  /// Creates a painter.
  ///
  /// - Parameters:
  ///   - titles: what stands in the titles, one after the other; none counts the rows.
  ///   - keepsRecords: whether a JSON record is drawn with its own keys in its own order.
  init(
    _ form: consuming Form, _ columns: [ShownColumn], _ texts: [CellText], titles: [CellText],
    keepsRecords: Bool = false, styles: RowStyles = RowStyles()
  ) {
    self.styles = styles
    cells = SpelledCells(texts, form.text)
    self.titles = SpelledCells(titles, form.titleText)
    fields = CardFields(columns, keepsRecords: keepsRecords)
    marks = columns.map(\.mark)
    self.form = form
  }

  var rowSize: Int { form.cardSize }

  static var hasTitles: Bool { false }

  var layoutNotices: [LayoutNotice] { form.notices }

  var templateStates: [EvaluationState] { (cells.texts + titles.texts).compactMap(\.state) }

  mutating func grow(by growth: KeyGrowth) {
    form.add(growth.columns)
    styles.grow(by: growth.styles, from: cells.texts.count)
    cells.texts += growth.texts
    marks += growth.columns.map(\.mark)
    fields.grow(by: growth.columns.count)
  }

  func paintOpening(into out: inout ByteBuffer) { out.append(form.opening) }

  func paintClosing(into out: inout ByteBuffer) { out.append(form.closing) }

  func paintSpace(into out: inout ByteBuffer) {
    if walk.sectionCount > 1 { out.append("\n") }
  }

  mutating func paintRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    let look = look(of: batch, row)
    let number = walk.number
    walk.found += form.appendTitle(look, &titles, batch, row, number: number, to: &out)
    let shared = look.map { SharedLook($0) }
    fields.findFields(ofRow: row, of: batch, cells.texts)
    for index in fields.indices {
      if shared == nil, marks[index] == nil {
        walk.found += form.appendField(index, &cells, batch, row, number: number, to: &out)
      } else {
        let cell = parts(of: index, shown: index, marks[index], in: shared, batch, row)
        walk.found += form.appendField(cell, &cells, batch, row, number: number, to: &out)
      }
    }
    let isInvalid = look?.isInvalid ?? false
    form.endCard(isInvalid ? styles.messages(batch, row) : [], to: &out)
  }

  func paintSectionStart(heading: [UInt8]?, into out: inout ByteBuffer) {
    if walk.section > 1 { out.append("\n") }
    if let heading { form.appendHeading(heading, to: &out) }
  }

  mutating func paintSectionEnd(footers: [FooterLine], into out: inout ByteBuffer) {
    for (number, footer) in footers.enumerated() { paintFooter(footer, number: number, into: &out) }
  }

  mutating func paintFooter(_ footer: FooterLine, number: Int, into out: inout ByteBuffer) {
    let isFirst = walk.number + number == 0
    switch footer {
    case .titles: break
    case .cells(let texts):
      let known = texts.prefix(cells.texts.count).enumerated()
      form.appendFoot(
        known.compactMap { place, text in text.map { (place, $0) } }, isFirst: isFirst, to: &out)
    case .band(let text): form.appendFoot(text, isFirst: isFirst, to: &out)
    }
  }
}

extension SpelledCells where S: Spelling {
  /// Appends the title of a card.
  ///
  /// - Parameter room: about how many bytes of each part may be drawn.
  /// - Returns: what the cells in it hold that no text should.
  mutating func appendTitle(
    _ batch: Batch, _ row: Int, number: Int, room: Int = DrawnText.longest, to out: inout ByteBuffer
  ) -> CellFindings {
    var found = CellFindings()
    out.append(titleOfRow: number, parts: texts.indices) { part, out in
      found += append(part, batch, row, number: number, room: room, to: &out).ofCell
    }
    return found
  }
}
