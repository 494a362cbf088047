/// How a form spells the parts of a table.
protocol TableForm: SendableMetatype, ~Copyable {
  associatedtype Text: Spelling

  /// How cells are spelled.
  var text: Text { get }

  /// Whether rows are only counted, because there are no columns.
  var countsRows: Bool { get }

  /// The approximate bytes of a row without its cells.
  var rowSize: Int { get }

  /// Notices about the layout so far.
  var notices: [LayoutNotice] { get }

  /// Whether cells that keep their rules have a sign too.
  var showsValid: Bool { get }

  /// The index among the columns shown of a column; `nil` if it represents those that are left out.
  func shownColumn(at index: Int) -> Int?

  /// Appends what is above the table, and the titles.
  mutating func appendOpening(to out: inout ByteBuffer)
  mutating func appendTitles(to out: inout ByteBuffer)

  /// Appends what is above the rows of a section, its heading among it if it has one.
  mutating func beginSection(_ heading: [UInt8]?, _ place: RowPosition, to out: inout ByteBuffer)

  /// Gets ready to go on after rows of a section that another form began.
  mutating func resumeSection(hasHeading: Bool)

  /// Appends what is above a row.
  mutating func appendSpace(_ place: RowPosition, to out: inout ByteBuffer)

  /// Appends a row whose cells show nothing but their texts.
  ///
  /// - Parameter found: takes what its cells hold that no text should; if the row is begun again, it is reset.
  /// - Returns: whether the form draws whole rows, not only cell by cell; a form answers the same for every row.
  mutating func appendRow(
    _ cells: inout SpelledCells<Text>, _ batch: Batch, _ row: Int, number: Int, _ found: inout CellFindings,
    to out: inout ByteBuffer
  ) -> Bool

  /// Appends a row with a look of its own, whose cells have no signs.
  ///
  /// - Parameters:
  ///   - look: the look of the row; `nil` if only cells have looks.
  ///   - styles: the rules that tell the looks of its cells.
  ///   - found: as above.
  /// - Returns: as above.
  mutating func appendRow(
    _ look: SharedLook?, _ styles: inout RowStyles, _ cells: inout SpelledCells<Text>, _ batch: Batch,
    _ row: Int, number: Int, _ found: inout CellFindings, to out: inout ByteBuffer
  ) -> Bool

  /// Appends what is before the cells of a row, with a look of its own or without.
  mutating func beginRow(_ place: RowPosition, to out: inout ByteBuffer)
  mutating func beginRow(_ look: RowLook, _ place: RowPosition, to out: inout ByteBuffer)

  /// The column of the batch whose cells may be copied; beyond all columns if there is none.
  func source(of column: Int) -> Int

  /// Appends a cell as it is in its block; `false` if it is not that simple.
  func append(copying cell: Cell, of block: ByteBlock, _ column: Int, to out: inout ByteBuffer) -> Bool

  /// Appends a cell that shows nothing but its text.
  ///
  /// - Returns: what it holds that no text should.
  mutating func append(
    _ column: Int, _ cells: inout SpelledCells<Text>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings

  /// Appends a cell that shows nothing but its text, in a row with a look of its own.
  ///
  /// - Returns: what it holds that no text should.
  mutating func append(
    _ column: Int, in look: SharedLook, _ cells: inout SpelledCells<Text>, _ batch: Batch, _ row: Int,
    number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings

  /// Appends a cell with all its parts.
  ///
  /// - Returns: what it holds that no text should.
  mutating func append(
    _ cell: CellParts, _ cells: inout SpelledCells<Text>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings

  /// Leaves out a cell that repeats the one above it.
  ///
  /// - Returns: what it holds that no text should, if it is written all the same.
  mutating func appendRepeat(
    _ column: Int, _ cells: inout SpelledCells<Text>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings

  /// Appends what is after the cells of a row, with a look of its own or without.
  ///
  /// - Parameter messages: the messages of the rules that the record violates.
  mutating func endRow(to out: inout ByteBuffer)
  mutating func endRow(_ look: RowLook, _ messages: [String], to out: inout ByteBuffer)

  /// Appends a text across all columns, in place of rows that are left out.
  mutating func appendGap(_ text: [UInt8], _ place: RowPosition, to out: inout ByteBuffer)

  /// Appends what is below the rows of a section, its footer lines among it.
  mutating func endSection(_ footers: [FooterLine], _ place: RowPosition, to out: inout ByteBuffer)

  /// Appends what is above the first line of the footer, a line of it, and what is below the last.
  ///
  /// - Parameter number: how many lines of the footer are above it.
  mutating func beginFooter(to out: inout ByteBuffer)
  mutating func append(_ footer: FooterLine, number: Int, _ place: RowPosition, to out: inout ByteBuffer)
  func endFooter(to out: inout ByteBuffer)

  /// Appends the form below the rows, if it is in the frame of the table.
  mutating func appendJoinedForm(to out: inout ByteBuffer)

  /// Appends the end of the table, and what is below it.
  func appendClosing(to out: inout ByteBuffer)
  func appendEnding(to out: inout ByteBuffer)
}

// What not every form has.
extension TableForm where Self: ~Copyable {
  var countsRows: Bool { false }
  func shownColumn(at index: Int) -> Int? { index }
  mutating func appendOpening(to out: inout ByteBuffer) {}
  mutating func beginSection(_ heading: [UInt8]?, _ place: RowPosition, to out: inout ByteBuffer) {}
  func appendSpace(_ place: RowPosition, to out: inout ByteBuffer) {}
  mutating func appendRow(
    _ cells: inout SpelledCells<Text>, _ batch: Batch, _ row: Int, number: Int, _ found: inout CellFindings,
    to out: inout ByteBuffer
  ) -> Bool { false }
  mutating func appendRow(
    _ look: SharedLook?, _ styles: inout RowStyles, _ cells: inout SpelledCells<Text>, _ batch: Batch,
    _ row: Int, number: Int, _ found: inout CellFindings, to out: inout ByteBuffer
  ) -> Bool { false }
  func source(of column: Int) -> Int { .max }
  func append(copying cell: Cell, of block: ByteBlock, _ column: Int, to out: inout ByteBuffer) -> Bool {
    false
  }
  mutating func append(
    _ column: Int, _ cells: inout SpelledCells<Text>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    append(CellParts(column: column), &cells, batch, row, number: number, to: &out)
  }
  mutating func append(
    _ column: Int, in look: SharedLook, _ cells: inout SpelledCells<Text>, _ batch: Batch, _ row: Int,
    number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    append(CellParts(column: column, in: look), &cells, batch, row, number: number, to: &out)
  }
  mutating func appendRepeat(
    _ column: Int, _ cells: inout SpelledCells<Text>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings { CellFindings() }
  mutating func resumeSection(hasHeading: Bool) {}
  mutating func endRow(_ look: RowLook, _ messages: [String], to out: inout ByteBuffer) { endRow(to: &out) }
  mutating func appendGap(_ text: [UInt8], _ place: RowPosition, to out: inout ByteBuffer) {}
  mutating func endSection(_ footers: [FooterLine], _ place: RowPosition, to out: inout ByteBuffer) {}
  mutating func beginFooter(to out: inout ByteBuffer) {}
  func endFooter(to out: inout ByteBuffer) {}
  mutating func appendJoinedForm(to out: inout ByteBuffer) {}
  func appendClosing(to out: inout ByteBuffer) {}
  func appendEnding(to out: inout ByteBuffer) {}
}

/// Draws List, Stack and Grid: one row of cells after the other.
struct TablePainter<Form: TableForm & ~Copyable>: ~Copyable, DisplayPainter {
  var walk = RowWalk()
  var styles: RowStyles

  var form: Form
  private var cells: SpelledCells<Form.Text>

  /// The marks of cells that violate a rule, by column, and the first of these; all are in the same notes.
  private let marks: [FieldMark?]
  private let firstMark: FieldMark?

  /// Finds the cells that repeat those above them, if these are left out.
  private var repeats: RepeatFinder<Form.Text>

  /// Whether rows may have more or less to show than their texts.
  private let hasParts: Bool

  /// Whether the cells of a column never do, by column.
  private let areUsual: [Bool]

  /// The look of the last row that had one.
  private var lastLook: SharedLook?

  /// Creates a painter.
  ///
  /// - Parameters:
  ///   - marks: the marks of cells that violate a rule, by column.
  ///   - texts: the texts of these columns.
  ///   - merging: as `ShownColumn.mergeRank`, by column; empty if the form merges no cells.
  init(
    _ form: consuming Form, marks: [FieldMark?], _ texts: [CellText], styles: RowStyles = RowStyles(),
    merging: [Int] = []
  ) {
    let firstMark = marks.first { $0 != nil } ?? nil
    self.styles = styles
    self.marks = marks
    self.firstMark = firstMark
    repeats = RepeatFinder(merging, texts, form.text)
    hasParts = !styles.isEmpty || firstMark != nil || merging.contains { $0 > 0 }
    areUsual =
      styles.isEmpty
      ? []
      : marks.indices.map { index in
        marks[index] == nil && form.shownColumn(at: index).map { styles.areUsual(inColumn: $0) } ?? true
      }
    cells = SpelledCells(texts, form.text)
    self.form = form
  }

  var countsRows: Bool { form.countsRows }

  var rowSize: Int { form.rowSize }

  var layoutNotices: [LayoutNotice] { form.notices }

  var templateStates: [EvaluationState] { cells.texts.compactMap(\.state) }

  mutating func paintOpening(into out: inout ByteBuffer) { form.appendOpening(to: &out) }

  mutating func paintTitles(into out: inout ByteBuffer) { form.appendTitles(to: &out) }

  mutating func paintSectionStart(heading: [UInt8]?, into out: inout ByteBuffer) {
    form.beginSection(heading, walk.position, to: &out)
  }

  mutating func resumeSection(hasHeading: Bool) { form.resumeSection(hasHeading: hasHeading) }

  @inline(__always)
  mutating func paintSpace(into out: inout ByteBuffer) { form.appendSpace(walk.position, to: &out) }

  @inline(__always)
  mutating func paintRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    if hasParts, paintParts(batch, row, into: &out) { return }
    if form.appendRow(&cells, batch, row, number: walk.number, &walk.found, to: &out) { return }
    form.beginRow(walk.position, to: &out)
    let first = row &* batch.columnCount
    for index in marks.indices { paintCell(index, batch, row, first: first, into: &out) }
    form.endRow(to: &out)
  }

  /// Draws a cell that shows nothing but its text.
  @inline(__always)
  private mutating func paintCell(
    _ index: Int, _ batch: Batch, _ row: Int, first: Int, into out: inout ByteBuffer
  ) {
    let source = form.source(of: index)
    if source < batch.columnCount,
      form.append(copying: batch.cells[first &+ source], of: batch.block, index, to: &out)
    {
      return
    }
    walk.found += form.append(index, &cells, batch, row, number: walk.number, to: &out)
  }

  /// A row depends on the one above it if it may repeat its cells.
  var standsAlone: Bool { templateStates.isEmpty && repeats.columns.isEmpty }

  /// Draws the row that was drawn last once more, below titles: all its cells.
  mutating func repaintRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    // What its cells hold, and what rules and formats found in them, was counted before.
    let (styles, texts) = (styles, cells.texts)
    repeats.begin()
    paintRow(batch, row, into: &out)
    walk.found = CellFindings()
    (self.styles, cells.texts) = (styles, texts)
  }

  /// Whether the row that was drawn last repeats cells of the one above it.
  var repeatsCells: Bool { repeats.hasRepeats }

  /// Whether a cell has neither a mark nor a style of its own, nor its row a look of its own but for stripes.
  private func isPlain(
    _ index: Int, _ look: RowLook?, showsSigns: Bool, _ batch: Batch, _ row: Int
  ) -> Bool {
    if showsSigns, marks[index]?.isInvalid(inRow: row, of: batch) ?? false { return false }
    guard let look else { return true }
    if !look.marks.isEmpty || look.background != nil || look.overlay != nil { return false }
    guard look.hasCells, let shown = form.shownColumn(at: index) else { return true }
    return !styles.hasLook(shown, walk.number, batch, row)
  }

  /// Finds the cells of a row that repeat those above them; returns whether there are any.
  private mutating func findRepeats(
    _ look: RowLook?, showsSigns: Bool, _ batch: Batch, _ row: Int
  ) -> Bool {
    if repeats.columns.isEmpty { return false }
    if walk.sectionCount == 1 { repeats.begin() }
    var arePlain: [Bool] = []
    for index in repeats.columns { arePlain.append(isPlain(index, look, showsSigns: showsSigns, batch, row)) }
    repeats.examine(batch, row, number: walk.number, arePlain: arePlain)
    return repeatsCells
  }

  /// Draws a row that has more to show than its texts; `false` if it has not.
  @inline(never)
  private mutating func paintParts(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) -> Bool {
    let showsSigns = firstMark.map { form.showsValid || $0.isNoted(inRow: row, of: batch) } ?? false
    if !showsSigns, repeats.columns.isEmpty, styles.hasOnlyCells(walk.number),
      form.appendRow(nil, &styles, &cells, batch, row, number: walk.number, &walk.found, to: &out)
    {
      return true
    }
    let look = rowLook(of: batch, row)
    let hasRepeats = findRepeats(look, showsSigns: showsSigns, batch, row)
    if let look {
      paintRow(look, showsSigns: showsSigns, hasRepeats: hasRepeats, batch, row, into: &out)
      return true
    }
    guard showsSigns || hasRepeats else { return false }
    form.beginRow(walk.position, to: &out)
    let first = row &* batch.columnCount
    for index in marks.indices {
      if hasRepeats, repeats.repeats[index] {
        walk.found += form.appendRepeat(index, &cells, batch, row, number: walk.number, to: &out)
      } else if marks[index] == nil {
        paintCell(index, batch, row, first: first, into: &out)
      } else {
        paintCell(index, in: nil, showsSigns: showsSigns, batch, row, into: &out)
      }
    }
    form.endRow(to: &out)
    return true
  }

  /// Draws a row with a look of its own.
  private mutating func paintRow(
    _ look: RowLook, showsSigns: Bool, hasRepeats: Bool, _ batch: Batch, _ row: Int,
    into out: inout ByteBuffer
  ) {
    let shared: SharedLook
    if let lastLook, lastLook.look == look { shared = lastLook } else { shared = SharedLook(look) }
    lastLook = shared
    if !showsSigns, !hasRepeats,
      form.appendRow(
        shared, &styles, &cells, batch, row, number: walk.number, &walk.found, to: &out)
    {
      return
    }
    form.beginRow(look, walk.position, to: &out)
    for index in marks.indices {
      if hasRepeats, repeats.repeats[index] {
        walk.found += form.appendRepeat(index, &cells, batch, row, number: walk.number, to: &out)
      } else if areUsual[index] {
        walk.found += form.append(index, in: shared, &cells, batch, row, number: walk.number, to: &out)
      } else {
        paintCell(index, in: shared, showsSigns: showsSigns, batch, row, into: &out)
      }
    }
    form.endRow(look, look.isInvalid ? styles.messages(batch, row) : [], to: &out)
  }

  /// Draws a cell with all its parts.
  private mutating func paintCell(
    _ index: Int, in look: SharedLook?, showsSigns: Bool, _ batch: Batch, _ row: Int,
    into out: inout ByteBuffer
  ) {
    let shown = form.shownColumn(at: index)
    let cell = parts(of: index, shown: shown, showsSigns ? marks[index] : nil, in: look, batch, row)
    walk.found += form.append(cell, &cells, batch, row, number: walk.number, to: &out)
  }

  mutating func paintGapLine(_ text: [UInt8], into out: inout ByteBuffer) {
    form.appendGap(text, walk.position, to: &out)
  }

  mutating func paintSectionEnd(footers: [FooterLine], into out: inout ByteBuffer) {
    form.endSection(footers, walk.position, to: &out)
  }

  mutating func paintFooterStart(into out: inout ByteBuffer) { form.beginFooter(to: &out) }

  mutating func paintFooter(_ footer: FooterLine, number: Int, into out: inout ByteBuffer) {
    form.append(footer, number: number, walk.position, to: &out)
  }

  func paintFooterEnd(into out: inout ByteBuffer) { form.endFooter(to: &out) }

  mutating func paintJoinedForm(into out: inout ByteBuffer) { form.appendJoinedForm(to: &out) }

  func paintClosing(into out: inout ByteBuffer) { form.appendClosing(to: &out) }

  func paintEnding(into out: inout ByteBuffer) { form.appendEnding(to: &out) }
}

extension TablePainter<TextTable> {
  /// Creates a painter for an arrangement.
  ///
  /// - Parameters:
  ///   - texts: the texts of all columns, of which the arrangement may leave some out.
  ///   - marks: the decimal and thousands marks of numbers in cells.
  init(
    _ arrangement: Arrangement, _ texts: [CellText], _ options: LayoutOptions,
    marks: NumberMarks = .standard, styles: RowStyles = RowStyles()
  ) {
    // If every column is drawn, the array is shared, because it may be very long.
    let hasAll =
      arrangement.columns.count == texts.count && arrangement.columns.allSatisfy { $0.source != nil }
    let leftOut = CellText(constant: TextContext(options, marks: marks).cutMark.text)
    let drawn = hasAll ? texts : arrangement.columns.map { $0.source.map { texts[$0] } ?? leftOut }
    self.init(
      TextTable(arrangement, drawn, options, marks: marks, styles), marks: arrangement.columns.map(\.mark),
      drawn, styles: styles, merging: arrangement.columns.map(\.mergeRank))
  }
}
