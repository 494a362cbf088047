/// How a form spells the parts of a card.
protocol CardForm: SendableMetatype, ~Copyable {
  associatedtype Text: Spelling

  /// How values are spelled, and what is in the title of a card.
  var text: Text { get }
  var titleText: Text { get }

  /// The approximate bytes of a card without its values.
  var cardSize: Int { get }

  /// Notices about the layout so far.
  var notices: [LayoutNotice] { get }

  /// The number of blank lines between cards.
  var spacing: Int { get }

  /// Adds columns after those known, and the texts of their cells.
  mutating func add(_ columns: [ShownColumn], _ texts: [CellText])

  /// Appends what is above the first card.
  mutating func appendOpening(to out: inout ByteBuffer)

  /// What is below the last card.
  var closing: [UInt8] { get }

  /// Appends the heading of a section.
  mutating func appendHeading(_ text: [UInt8], to out: inout ByteBuffer)

  /// Begins a card, with a look of its own or without: appends its title, and what is between it and the fields.
  ///
  /// - Returns: what the cells in the title hold that no text should.
  mutating func beginCard(
    _ look: SharedLook?, _ titles: inout SpelledCells<Text>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings

  /// Makes room for the labels of the fields of a record that is drawn with its own.
  mutating func makeRoom(for fields: [Int])

  /// Appends a label and its value if the cell is copied as it is; `false`, with nothing appended, if it is not.
  mutating func copyField(_ column: Int, _ batch: Batch, _ row: Int, to out: inout ByteBuffer) -> Bool

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

  /// Ends a card, with the look that it was begun with.
  ///
  /// - Parameter messages: the messages of the rules that the record violates.
  mutating func endCard(_ look: SharedLook?, _ messages: [String], to out: inout ByteBuffer)

  /// Appends the texts of a footer, each under the label of a column.
  ///
  /// - Parameter isFirst: whether nothing is above it.
  mutating func appendFoot(
    _ texts: [(column: Int, text: [UInt8])], isFirst: Bool, to out: inout ByteBuffer)

  /// Appends a footer that is about no column.
  ///
  /// - Parameter isFirst: whether nothing is above it.
  mutating func appendFoot(_ text: [UInt8], isFirst: Bool, to out: inout ByteBuffer)
}

// What not every form does in another way.
extension CardForm where Self: ~Copyable {
  var spacing: Int { 1 }

  mutating func makeRoom(for fields: [Int]) {}

  func copyField(_ column: Int, _ batch: Batch, _ row: Int, to out: inout ByteBuffer) -> Bool { false }

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

  /// The marks of fields that violate a rule, by field.
  private var marks: [FieldMark?]

  /// Creates a painter.
  ///
  /// - Parameters:
  ///   - titles: what is in the titles, one after the other; none counts the rows.
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
    form.add(growth.columns, growth.texts)
    styles.grow(by: growth.styles, from: cells.texts.count)
    cells.texts += growth.texts
    marks += growth.columns.map(\.mark)
    fields.grow(by: growth.columns.count)
  }

  mutating func paintOpening(into out: inout ByteBuffer) { form.appendOpening(to: &out) }

  func paintClosing(into out: inout ByteBuffer) { out.append(form.closing) }

  func paintSpace(into out: inout ByteBuffer) {
    if walk.sectionCount > 1 { out.append(repeating: 0x0A, count: form.spacing) }
  }

  mutating func paintRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    if !styles.isEmpty, paintStyledCard(batch, row, into: &out) { return }
    paintCard(nil, batch, row, into: &out)
  }

  /// Draws a card that has a look of its own; `false` if it has none.
  @inline(never)
  private mutating func paintStyledCard(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) -> Bool {
    guard let look = rowLook(of: batch, row) else { return false }
    paintCard(SharedLook(look), batch, row, into: &out)
    return true
  }

  @inline(__always)
  private mutating func paintCard(
    _ look: SharedLook?, _ batch: Batch, _ row: Int, into out: inout ByteBuffer
  ) {
    walk.found += form.beginCard(look, &titles, batch, row, number: walk.number, to: &out)
    if fields.areFixed {
      for index in marks.indices { paintField(index, look, batch, row, into: &out) }
    } else {
      fields.findFields(ofRow: row, of: batch, cells.texts)
      form.makeRoom(for: fields.indices)
      for index in fields.indices { paintField(index, look, batch, row, into: &out) }
    }
    let isInvalid = look?.look.isInvalid ?? false
    form.endCard(look, isInvalid ? styles.messages(batch, row) : [], to: &out)
  }

  @inline(__always)
  private mutating func paintField(
    _ index: Int, _ look: SharedLook?, _ batch: Batch, _ row: Int, into out: inout ByteBuffer
  ) {
    let hasStyle = look?.look.hasCells ?? false
    if !hasStyle, form.copyField(index, batch, row, to: &out) { return }
    if look == nil, marks[index] == nil {
      walk.found += form.appendField(index, &cells, batch, row, number: walk.number, to: &out)
    } else {
      let cell = parts(of: index, shown: index, marks[index], in: look, batch, row)
      walk.found += form.appendField(cell, &cells, batch, row, number: walk.number, to: &out)
    }
  }

  mutating func paintSectionStart(heading: [UInt8]?, into out: inout ByteBuffer) {
    if walk.section > 1 { out.append("\n") }
    if let heading { form.appendHeading(heading, to: &out) }
  }

  mutating func paintGapLine(_ text: [UInt8], into out: inout ByteBuffer) {
    form.appendFoot(text, isFirst: false, to: &out)
    out.append(repeating: 0x0A, count: form.spacing)
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
