/// List, Stack and Grid as text.
///
/// The layouts differ only in their arrangement. A row is drawn in the first of these ways that it allows:
/// 1. In one line, its cells copied from their block; if it has a look, between the styled pieces of its frame
///    (`appendStyledCell`).
/// 2. In several lines, straight from its batch (`WrappedRow`); first if the row before was.
/// 3. In any other case, from `TextCells`, which escapes, wraps, cuts and styles.
///
/// If a row with a look is not drawn between the pieces of its frame, its lines are drawn first and styled afterwards
/// (`StyledLines`).
///
/// A table without columns is one line with the number of rows.
struct TextTable: ~Copyable, TableForm {
  /// Column widths, spacing and frame.
  private let arrangement: Arrangement
  /// How texts are escaped, measured and cut.
  let text: TextContext
  /// The style of titles and row headers.
  private let headerStyle: TextStyle
  /// The style of missing cells.
  private let missingStyle: TextStyle
  /// The style of row headers.
  private let nameStyle: Style
  /// The columns, prepared for the row loop.
  private let slots: [TextSlot]

  /// Writes the rules and blank lines.
  private var frame: FrameWriter
  /// Draws headings and footers of sections, and forms.
  private let band: TextBand
  private var heading: TextHeading
  /// The lines of the forms in the frame.
  private let blended: (above: [FormText.Line], below: [FormText.Line])

  /// Draws rows directly from their batch, in several lines.
  private var wrappedRow: WrappedRow
  /// The cells of a row that may need several lines, and their texts, escaped.
  private var cells: TextCells
  private var cellText = ByteBuffer()
  /// What these cells show beside their texts, by column; empty if they show nothing else.
  private var extras: [CellExtras] = []

  /// The signs of cells that `--validate` checks; `nil` if it checks none.
  private let signs: DrawnFieldSigns?
  /// Draws the bars beside numbers.
  private let bars: BarText
  /// The cells for a bar at the end of a line without a frame, with the blank before it; 0 if there is none.
  private let lastBarRoom: Int
  /// Styles the lines of rows; `nil` if no row has a look.
  private var styledLines: StyledLines?
  /// The lines of a row before they are styled.
  private var drawn = ByteBuffer()
  /// The text of a swatch.
  private let swatch: [UInt8]
  /// The line in which the row is drawn, as long as it fits into one.
  private var line: OpenLine?

  /// Whether the columns of a record are folded into several lines.
  private let isFolded: Bool
  /// Whether lines may be too long to be drawn tentatively.
  private let hasLongLines: Bool

  /// The longest line, in bytes, that is drawn tentatively.
  private static let longestTry = 1 << 20

  /// What a cell shows beside its text.
  private struct CellExtras {
    /// Its style, if it has one of its own.
    @Rare var style: TextStyle?
    /// Whether it is drawn as a swatch.
    var isSwatch = false
    /// Whether it is left blank, as the one above it is the same.
    var isRepeat = false
    /// Whether it violates a rule; `nil` if it has no sign.
    var isInvalid: Bool?
    /// The bar after it, if it has one.
    @Rare var bar: CellBar?
  }

  /// A row that is drawn tentatively in one line, in its style.
  private struct OpenLine {
    let frame: StyledLines.RowFrame
    /// Where it begins in the output.
    let start: Int
    /// The number of late cells before it.
    let lateCount: Int
  }

  /// Prepares the drawing of an arrangement.
  ///
  /// - Parameters:
  ///   - texts: the texts of its columns.
  ///   - marks: the decimal and thousands marks of numbers in cells.
  init(
    _ arrangement: Arrangement, _ texts: [CellText], _ options: LayoutOptions, marks: NumberMarks,
    _ styles: RowStyles
  ) {
    self.arrangement = arrangement
    styledLines =
      styles.isEmpty
      ? nil
      : StyledLines(
        options, styles, arrangement.spacing, width: arrangement.lineWidth, frame: arrangement.frame)
    swatch = StyledLines.swatch(options)
    nameStyle = options.headerStyle ?? .bold
    text = TextContext(options, marks: marks)
    headerStyle = TextStyle.header(options)
    missingStyle = TextStyle.frame(options)
    slots = TextSlot.slots(of: arrangement, texts, hasStyledNames: !headerStyle.opening.isEmpty)
    let frame = arrangement.frame
    self.frame = FrameWriter(frame, arrangement.spacing)
    band = TextBand(arrangement, text, options)
    wrappedRow = WrappedRow(arrangement, slots, text)
    isFolded = !arrangement.lines.isEmpty
    hasLongLines = arrangement.columns.reduce(0) { $0 + $1.width } > Self.longestTry
    signs = arrangement.firstMark == nil ? nil : DrawnFieldSigns(options)
    bars = BarText(options)
    let lastRoom = frame.isClosed ? 0 : arrangement.columns.last?.barRoom ?? 0
    lastBarRoom = lastRoom == 0 ? 0 : 1 + lastRoom
    cells = TextCells(text)
    heading = TextHeading(options, text, indent: arrangement.indent)
    if options.blendedForms.isEmpty {
      blended = ([], [])
    } else {
      let edges = arrangement.spacing.edges
      let room = frame.isClosed ? frame.sections?.width : text.limit.map { $0 - edges }
      let form = FormText(options, text, indent: 0, room: room)
      var fit = TextFit()
      blended = (
        options.preamble.map { form.lines($0, &fit) } ?? [],
        options.postamble.map { form.lines($0, &fit) } ?? []
      )
      heading.add(fit)
    }
  }

  var countsRows: Bool { slots.isEmpty }

  var showsValid: Bool { !(signs?.valid.isEmpty ?? true) }

  func shownColumn(at index: Int) -> Int? { arrangement.columns[index].source }

  var notices: [LayoutNotice] {
    var notices = arrangement.notices + cells.notices
    notices.merge(heading.notices)
    return notices
  }

  /// The size of all columns at their widths, and of what separates them.
  var rowSize: Int {
    slots.reduce(0) { $0 + $1.width + 4 } * max(1, arrangement.spacing.rowHeight)
  }

  mutating func appendOpening(to out: inout ByteBuffer) { heading.paint(into: &out) }

  mutating func appendTitles(to out: inout ByteBuffer) { appendTitles(below: blended.above, to: &out) }

  /// Appends the titles.
  ///
  /// - Parameter form: the lines of the form above them.
  private mutating func appendTitles(below form: [FormText.Line], to out: inout ByteBuffer) {
    out.append(repeating: 0x0A, count: arrangement.spacing.table.top)
    if !form.isEmpty, arrangement.frame.sections != nil {
      frame.beginForm(to: &out)
      band.paint(form, to: &out)
      frame.last = .band
      if arrangement.hasHeader { frame.endForm(to: &out) }
    }
    guard arrangement.hasHeader else { return }
    frame.beginTitles(followsForm: !form.isEmpty, to: &out)
    for line in arrangement.header.lines.indices { appendSpans(ofLine: line, to: &out) }
    appendTitleLines(to: &out)
    frame.endTitles(to: &out)
  }

  mutating func beginSection(_ heading: [UInt8]?, _ place: RowPosition, to out: inout ByteBuffer) {
    frame.beginSection(hasHeading: heading != nil, to: &out)
    guard let heading else { return }
    band.paint(heading, isHeading: true, &cells, &cellText, to: &out)
    frame.endHeading(to: &out)
  }

  mutating func resumeSection(hasHeading: Bool) { frame.last = .cells }

  @inline(__always)
  mutating func appendSpace(_ place: RowPosition, to out: inout ByteBuffer) {
    let isFirst = place.sectionCount == 1
    if isFirst, frame.last == .gap { frame.endGap(to: &out) }
    frame.space(isFirst: isFirst, to: &out)
  }

  mutating func appendGap(_ text: [UInt8], _ place: RowPosition, to out: inout ByteBuffer) {
    frame.beginGap(to: &out)
    band.paint(gap: text, &cells, &cellText, to: &out)
  }

  mutating func endSection(_ footers: [FooterLine], _ place: RowPosition, to out: inout ByteBuffer) {
    if place.sectionCount > 0 { frame.bottomPadding(to: &out) }
    for (number, footer) in footers.enumerated() {
      frame.beginFooterLine(isBand: footer.isBand, to: &out)
      append(footer, number: number, place, to: &out)
    }
  }

  mutating func beginFooter(to out: inout ByteBuffer) { frame.beginFooter(to: &out) }

  mutating func append(_ footer: FooterLine, number: Int, _ place: RowPosition, to out: inout ByteBuffer) {
    frame.last = footer.isBand ? .band : .cells
    switch footer {
    case .titles: appendTitleLines(to: &out)
    case .cells(let texts): append(footer: texts, to: &out)
    case .band(let text): band.paint(text, isHeading: false, &cells, &cellText, to: &out)
    }
  }

  func endFooter(to out: inout ByteBuffer) { frame.endFooter(to: &out) }

  mutating func appendJoinedForm(to out: inout ByteBuffer) {
    guard !blended.below.isEmpty, arrangement.frame.sections != nil else { return }
    frame.beginFormBelow(to: &out)
    band.paint(blended.below, to: &out)
    frame.last = .band
  }

  func appendClosing(to out: inout ByteBuffer) {
    frame.end(to: &out)
    out.append(repeating: 0x0A, count: arrangement.spacing.table.bottom)
  }

  func appendEnding(to out: inout ByteBuffer) { out.append(heading.below) }
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

// MARK: - Pages

extension TextTable {
  /// The state that drawing changes, apart from rows.
  struct Checkpoint {
    fileprivate var last: FrameWriter.Line
    fileprivate var counts: TextCells.Counts
  }

  /// The current state.
  ///
  /// Restore it to discard what was drawn since.
  var checkpoint: Checkpoint {
    get { Checkpoint(last: frame.last, counts: counts) }
    set { (frame.last, counts) = (newValue.last, newValue.counts) }
  }

  /// The counts so far.
  ///
  /// Restore them after drawing something a second time.
  var counts: TextCells.Counts {
    get { cells.counts }
    set { cells.counts = newValue }
  }

  /// The blank lines below the rows of a section.
  var bottomPadding: Int { max(0, arrangement.spacing.padding.bottom) }

  /// Appends the blank lines above the first row of a section on its page.
  func appendTopPadding(to out: inout ByteBuffer) { frame.topPadding(to: &out) }

  /// Appends the titles at the top of a page that is not the first.
  mutating func appendNextTitles(to out: inout ByteBuffer) {
    frame.last = .nothing
    appendTitles(below: [], to: &out)
  }
}

// MARK: - Rows that show nothing but their texts

extension TextTable {
  @inline(__always)
  mutating func appendRow(
    _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    _ found: inout CellFindings, to out: inout ByteBuffer
  ) -> Bool {
    if isFolded || hasLongLines {
      if !isFolded, wrappedRow.paint(batch, row, number: number, &cells, into: &out) { return true }
      appendTallRow(&spelled, batch, row, number: number, &found, to: &out)
      return true
    }
    let isExpected = wrappedRow.isExpected
    if isExpected, wrappedRow.paint(batch, row, number: number, &cells, into: &out) { return true }
    if appendPlainRow(&spelled, batch, row, number: number, &found, to: &out) { return true }
    if !isExpected, wrappedRow.paint(batch, row, number: number, &cells, into: &out) { return true }
    appendTallRow(&spelled, batch, row, number: number, &found, to: &out)
    return true
  }

  mutating func appendRow(
    _ look: RowLook, _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    _ found: inout CellFindings, to out: inout ByteBuffer
  ) -> Bool {
    beginLine(look, to: &out)
    if let frame = line?.frame {
      let bytes = frame.bytes
      var isDrawn = true
      for index in slots.indices where isDrawn {
        isDrawn = appendStyledCell(
          index, nil, nil, frame, bytes.span, of: &spelled, batch, row, number: number, &found, to: &out)
      }
      if isDrawn {
        endLine(to: &out)
        return true
      }
      leaveLine(to: &out)
      found = CellFindings()
    }
    appendLines(in: look, to: &out) { form, drawn in
      _ = form.appendRow(&spelled, batch, row, number: number, &found, to: &drawn)
    }
    return true
  }

  /// Appends a row in one line; `false`, with nothing appended, if something does not fit into it.
  @inline(__always)
  private mutating func appendPlainRow(
    _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    _ found: inout CellFindings, to out: inout ByteBuffer
  ) -> Bool {
    let start = out.count
    let lateCount = cells.lateCount
    out.pin()
    let isDrawn = appendPlainCells(&spelled, batch, row, number: number, &found, to: &out)
    out.unpin()
    guard isDrawn else {
      out.truncate(to: start)
      found = CellFindings()
      cells.lateCount = lateCount
      return false
    }
    arrangement.frame.endLine(to: &out)
    if arrangement.spacing.rowHeight > 1 { frame.blankLines(arrangement.spacing.rowHeight - 1, to: &out) }
    return true
  }

  /// Appends a row in one line, without its end; `false` if something does not fit into it.
  @inline(__always)
  private mutating func appendPlainCells(
    _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    _ found: inout CellFindings, to out: inout ByteBuffer
  ) -> Bool {
    out.append(arrangement.frame.lead.span)
    let first = row &* batch.columnCount
    for index in slots.indices {
      let slot = slots[index]
      if slot.column < batch.columnCount {
        let cell = batch.cells[first &+ slot.column]
        if cell.isSimple, cell.length <= slot.width {
          slot.append(cell, of: batch.block, to: &out)
          appendGap(index, to: &out)
          continue
        }
      }
      guard appendCell(index, of: &spelled, batch, row, number: number, &found, to: &out) else {
        return false
      }
      appendGap(index, to: &out)
    }
    return true
  }

  /// Appends any other cell to a line.
  ///
  /// Returns `false` if it does not fit on one line.
  private mutating func appendCell(
    _ index: Int, of spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    _ found: inout CellFindings, to out: inout ByteBuffer
  ) -> Bool {
    let slot = slots[index]
    guard !slot.isStyled, slot.alignment != .decimal else { return false }
    if slot.column < batch.columnCount {
      let cell = batch.cells[row &* batch.columnCount &+ slot.column]
      let content = batch.drawn(cell)
      if !cell.isDim, let extent = text.extent(of: content) {
        guard extent.newlines == 0, slot.append(content, width: extent.width, text.overflow, to: &out)
        else { return false }
        countLateCell(extent.width, in: slot, number: number)
        return true
      }
    }
    let findings = spelled.read(index, batch, row, number: number)
    found += findings.ofCell
    guard findings.newlines == 0 else { return false }
    let width = text.metrics.width(of: spelled.text.span)
    // The slower path draws styles.
    if spelled.isDim, !missingStyle.opening.isEmpty { return false }
    guard slot.append(spelled.text.span, width: width, text.overflow, to: &out) else { return false }
    countLateCell(width, in: slot, number: number)
    return true
  }

  /// Counts a text that is wider than its column because its row lies beyond the look-ahead.
  @inline(__always)
  private mutating func countLateCell(_ width: Int, in slot: TextSlot, number: Int) {
    if width > slot.width, arrangement.lookAhead.isLate(number) { cells.lateCount &+= 1 }
  }

  /// Appends the gap after a place.
  @inline(__always)
  private func appendGap(_ place: Int, to out: inout ByteBuffer) {
    slots[place].appendGap(place, of: arrangement.frame, to: &out)
  }

  /// Appends a row whose cells may have several lines, and show nothing but their texts.
  private mutating func appendTallRow(
    _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    _ found: inout CellFindings, to out: inout ByteBuffer
  ) {
    beginCells()
    for index in slots.indices { found += readCell(index, of: &spelled, batch, row, number: number) }
    appendCells(height: arrangement.spacing.rowHeight, to: &out)
  }
}

// MARK: - Rows with parts

extension TextTable {
  mutating func beginRow(_ place: RowPosition, to out: inout ByteBuffer) { beginCells() }

  mutating func beginRow(_ look: RowLook, _ place: RowPosition, to out: inout ByteBuffer) {
    beginCells()
    beginLine(look, to: &out)
  }

  mutating func append(
    _ column: Int, _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    extras.append(CellExtras())
    return readCell(column, of: &spelled, batch, row, number: number)
  }

  mutating func append(
    _ column: Int, in look: SharedLook, _ spelled: inout SpelledCells<TextContext>, _ batch: Batch,
    _ row: Int,
    number: Int, to out: inout ByteBuffer
  ) -> CellFindings {
    extras.append(CellExtras())
    guard let frame = line?.frame else { return readCell(column, of: &spelled, batch, row, number: number) }
    let bytes = frame.bytes
    var found = CellFindings()
    if appendStyledCell(
      column, nil, nil, frame, bytes.span, of: &spelled, batch, row, number: number, &found, to: &out)
    {
      return found
    }
    leaveLine(to: &out)
    // What these hold was counted in the line.
    for index in 0..<column { _ = readCell(index, of: &spelled, batch, row, number: number) }
    return readCell(column, of: &spelled, batch, row, number: number)
  }

  mutating func append(
    _ cell: CellParts, _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    var extra = CellExtras()
    if let style = cell.style, let look = cell.row {
      if style.bar != nil, arrangement.columns[cell.column].barRoom > 0 { extra.bar = style.bar }
      if !style.isOnlyBar {
        let usual = slots[cell.column].isStyled ? nameStyle : Style()
        extra.style = styledLines?.style(style, over: usual, in: look)
      }
      extra.isSwatch = style.swatchColor != nil
    }
    if cell.hasRules { extra.isInvalid = cell.isInvalid }
    extras.append(extra)
    if let frame = line?.frame {
      let bytes = frame.bytes
      var found = CellFindings()
      if !extra.isSwatch, extra.isInvalid == nil,
        appendStyledCell(
          cell.column, extra.style, extra.bar, frame, bytes.span, of: &spelled, batch, row, number: number,
          &found,
          to: &out)
      {
        return found
      }
      leaveLine(to: &out)
      // What these hold was counted in the line.
      for index in 0..<cell.column { _ = readCell(index, of: &spelled, batch, row, number: number) }
    }
    return readCell(cell.column, of: &spelled, batch, row, number: number)
  }

  mutating func appendRepeat(
    _ column: Int, _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) {
    var extra = CellExtras()
    extra.isRepeat = true
    extras.append(extra)
    if let frame = line?.frame {
      if !slots[column].isStyled {
        if slots[column].isPadded || frame.isFilled { out.append(blanks: slots[column].width) }
        let bytes = frame.bytes
        appendEnd(of: column, nil, frame, bytes.span, to: &out)
        return
      }
      leaveLine(to: &out)
      for index in 0..<column { _ = readCell(index, of: &spelled, batch, row, number: number) }
    }
    _ = readCell(column, of: &spelled, batch, row, number: number)
  }

  mutating func endRow(to out: inout ByteBuffer) {
    appendCells(height: arrangement.spacing.rowHeight, to: &out)
  }

  mutating func endRow(_ look: RowLook, _ messages: [String], to out: inout ByteBuffer) {
    if line != nil { return endLine(to: &out) }
    appendLines(in: look, to: &out) { form, drawn in form.endRow(to: &drawn) }
  }

  /// Begins a row in one line, if its look allows that.
  private mutating func beginLine(_ look: RowLook, to out: inout ByteBuffer) {
    line = nil
    if isFolded || arrangement.spacing.rowHeight > 1 || hasLongLines { return }
    guard let frame = styledLines?.rowFrame(look) else { return }
    line = OpenLine(frame: frame, start: out.count, lateCount: cells.lateCount)
    out.pin()
    let lead = frame.bytes
    out.append(lead.span.extracting(..<frame.ends[0]))
  }

  /// Removes what was appended of a row that does not fit into one line.
  private mutating func leaveLine(to out: inout ByteBuffer) {
    guard let line else { return }
    out.truncate(to: line.start)
    out.unpin()
    cells.lateCount = line.lateCount
    self.line = nil
  }

  /// Ends a row in one line.
  private mutating func endLine(to out: inout ByteBuffer) {
    out.unpin()
    arrangement.frame.endLine(to: &out)
    line = nil
  }

  /// Appends a cell to the line, and what follows it; `false` if it does not fit into it.
  ///
  /// - Parameter bytes: those of the frame.
  @inline(__always)
  private mutating func appendStyledCell(
    _ index: Int, _ style: TextStyle?, _ bar: CellBar?, _ frame: StyledLines.RowFrame, _ bytes: Span<UInt8>,
    of spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    _ found: inout CellFindings, to out: inout ByteBuffer
  ) -> Bool {
    let slot = slots[index]
    let isPadded = slot.isPadded || frame.isFilled
    if slot.column < batch.columnCount,
      case let cell = batch.cells[row &* batch.columnCount &+ slot.column], cell.isSimple,
      cell.length <= slot.width
    {
      let free = slot.width &- cell.length
      let before = slot.alignment.blanksBefore(free)
      out.append(blanks: before)
      if let style, cell.length > 0 {
        // Most styles do not cover trailing blanks; the slower path separates them.
        if batch.block[cell.offset &+ cell.length &- 1] == 0x20 { return false }
        out.append(style.opening)
        out.append(batch.block, from: cell.offset, count: cell.length)
        out.append(style.closing)
        out.append(frame.opening)
      } else {
        out.append(batch.block, from: cell.offset, count: cell.length)
      }
      if isPadded { out.append(blanks: free &- before) }
    } else {
      guard style == nil, slot.isPadded == isPadded,
        appendCell(index, of: &spelled, batch, row, number: number, &found, to: &out)
      else { return false }
    }
    appendEnd(of: index, bar, frame, bytes, to: &out)
    return true
  }

  /// Appends what follows a cell in the line: its bar, and what is between it and the next.
  @inline(__always)
  private func appendEnd(
    of index: Int, _ bar: CellBar?, _ frame: StyledLines.RowFrame, _ bytes: Span<UInt8>,
    to out: inout ByteBuffer
  ) {
    var start = frame.ends[index]
    let end = frame.ends[index &+ 1]
    let isLast = lastBarRoom > 0 && index == slots.count - 1
    if let bar {
      out.append(0x20)
      bars.append(bar, to: &out)
      // What follows a column begins with the blanks that are reserved for its bars.
      let room = 1 + arrangement.columns[index].barRoom
      out.append(blanks: room - 1 - bar.room)
      if !isLast { start += room }
    } else if isLast {
      out.append(blanks: lastBarRoom)
    }
    out.append(bytes.extracting(start..<end))
  }

  /// Appends lines in the look of their row.
  private mutating func appendLines(
    in look: RowLook, to out: inout ByteBuffer, _ draw: (inout TextTable, inout ByteBuffer) -> Void
  ) {
    var drawn = ByteBuffer()
    swap(&drawn, &self.drawn)
    drawn.removeAll()
    draw(&self, &drawn)
    styledLines?.append(drawn.span, look, to: &out)
    swap(&drawn, &self.drawn)
  }
}

// MARK: - Titles, footers and rows in several lines

extension TextTable {
  /// The lines into which the columns of a record are folded.
  private var folds: Range<Int> { 0..<max(1, arrangement.lines.count) }

  /// The places of a line.
  ///
  /// Without folding, each column has one.
  private var places: Range<Int> { isFolded ? arrangement.lines[0].indices : arrangement.columns.indices }

  /// The column at a place of a line, if any.
  private func column(at place: Int, in fold: Int) -> Int? {
    isFolded ? arrangement.lines[fold][place] : place
  }

  /// The columns of a line.
  private func columns(of fold: Int) -> Range<Int> {
    guard isFolded else { return arrangement.columns.indices }
    let columns = arrangement.lines[fold].compactMap(\.self)
    return (columns.first ?? 0)..<(columns.last ?? -1) + 1
  }

  /// Forgets the cells of the row before.
  private mutating func beginCells() {
    cells.removeAll(reserving: arrangement.columns.count)
    cellText.removeAll()
    extras.removeAll(keepingCapacity: true)
  }

  /// The number of bytes of each cell that are always drawn, even after very long cells.
  private static let leastRoom = 256

  /// Takes the text of a cell, or its swatch, into `cells`; returns what it holds that no text should.
  private mutating func readCell(
    _ index: Int, of spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int
  ) -> CellFindings {
    let column = arrangement.columns[index]
    let isLate = arrangement.lookAhead.isLate(number)
    let start = cellText.count
    let room = max(Self.leastRoom, DrawnText.longest - start)
    var findings = Escaper.Findings()
    let isSwatch = index < extras.count && extras[index].isSwatch
    let isRepeat = index < extras.count && extras[index].isRepeat
    if isSwatch {
      cellText.append(swatch)
    } else if !isRepeat {
      findings = spelled.append(index, batch, row, number: number, room: room, to: &cellText)
    }
    // In the last column of an open line, a late cell that is wider may use the rest of the line.
    let isOpen = isLate && !isFolded && index == arrangement.columns.count - 1
    let width = isOpen ? max(column.width, arrangement.lastRoom) : column.width
    cells.append(
      cellText, from: start, width: width, overflow: text.overflow, needsCarry: findings.needsCarry,
      isDim: spelled.isDim && !isSwatch && !isRepeat, widest: isLate ? max(column.widest, width) : nil)
    return findings.ofCell
  }

  /// Appends the titles with their signs.
  private mutating func appendTitleLines(to out: inout ByteBuffer) {
    beginCells()
    // Usually there are no indicators, and creating this array type costs start-up time.
    let hasIndicators = arrangement.columns.contains { $0.signRoom > 0 }
    var indicators: [(line: Int, before: Int)?] = []
    if hasIndicators { indicators.reserveCapacity(arrangement.columns.count) }
    for (index, column) in arrangement.columns.enumerated() {
      let start = cellText.count
      cellText.append(arrangement.titles[index])
      cells.append(
        title: cellText, from: start, width: column.width, lineLimit: arrangement.headerHeight,
        needsCarry: text.metrics.passesControl)
      guard hasIndicators else { continue }
      indicators.append(
        cells.placeSign(
          of: cellText, room: column.signRoom, width: column.width, lineLimit: arrangement.headerHeight))
    }
    for fold in folds {
      for line in 0..<max(1, cells.titleHeight(of: columns(of: fold))) {
        out.append(arrangement.frame.lead)
        for place in places {
          if let index = column(at: place, in: fold) {
            let indicator =
              hasIndicators ? indicators[index].flatMap { $0.line == line ? $0.before : nil } : nil
            appendTitleLine(line, of: index, indicator: indicator, in: slots[index], to: &out)
          } else {
            out.append(repeating: 0x20, count: slots[place].width)
          }
          appendGap(place, to: &out)
        }
        arrangement.frame.endLine(to: &out)
      }
    }
  }

  /// Appends a line of titles over several columns, and the rule below it.
  private mutating func appendSpans(ofLine number: Int, to out: inout ByteBuffer) {
    beginCells()
    let segments = arrangement.header.lines[number].segments
    var areas: [TextSlot] = []
    for segment in segments {
      let area = TextSlot(over: segment.columns, slots, arrangement.frame, text.metrics)
      areas.append(area)
      let start = cellText.count
      cellText.append((segment.title ?? "").utf8.span)
      cells.append(
        title: cellText, from: start, width: area.width, lineLimit: arrangement.headerHeight,
        needsCarry: text.metrics.passesControl)
    }
    for line in 0..<max(1, cells.titleHeight(of: segments.indices)) {
      out.append(arrangement.frame.lead)
      for (index, segment) in segments.enumerated() {
        if segment.title == nil {
          out.append(blanks: areas[index].width)
        } else {
          appendTitleLine(line, of: index, indicator: nil, in: areas[index], to: &out)
        }
        appendGap(segment.columns.upperBound - 1, to: &out)
      }
      arrangement.frame.endLine(to: &out)
    }
    frame.endSpans(ofLine: number, to: &out)
  }

  /// Appends a line of a title.
  ///
  /// - Parameters:
  ///   - index: its place among the titles of the line.
  ///   - indicator: the cells before the sign of its order, if that is on this line.
  ///   - slot: where it is drawn.
  private mutating func appendTitleLine(
    _ line: Int, of index: Int, indicator: Int?, in slot: TextSlot, to out: inout ByteBuffer
  ) {
    let column = arrangement.columns[index]
    let width = cells.width(index, line: line) ?? 0
    let whole = indicator.map { $0 + column.signRoom } ?? width
    let free = max(0, slot.width - whole)
    let before = slot.alignment.blanksBefore(free)
    let isPadded = slot.isPadded || headerStyle.isVisibleOnBlanks
    if !headerStyle.isVisibleOnBlanks { out.append(repeating: 0x20, count: before) }
    headerStyle.apply(to: &out) { out in
      if headerStyle.isVisibleOnBlanks { out.append(repeating: 0x20, count: before) }
      if width > 0 { cells.paint(index, line: line, of: cellText, into: &out) }
      if let indicator {
        out.append(repeating: 0x20, count: indicator - width)
        out.append(column.sign)
        out.append(repeating: 0x20, count: column.signRoom - text.metrics.width(of: column.sign.span))
      }
      if isPadded, headerStyle.isVisibleOnBlanks { out.append(repeating: 0x20, count: free - before) }
    }
    if isPadded, !headerStyle.isVisibleOnBlanks { out.append(repeating: 0x20, count: free - before) }
  }

  /// Appends the texts of a footer, one for each shown column.
  private mutating func append(footer texts: [[UInt8]?], to out: inout ByteBuffer) {
    beginCells()
    for column in arrangement.columns {
      let start = cellText.count
      var findings = Escaper.Findings()
      if let source = column.source, source < texts.count, let foot = texts[source] {
        findings = text.escaper.append(foot.span, to: &cellText)
      }
      cells.append(
        cellText, from: start, width: column.width, overflow: text.overflow,
        needsCarry: findings.needsCarry, widest: arrangement.lookAhead == .all ? nil : column.widest)
    }
    appendCells(height: 1, to: &out)
  }

  /// Appends the current cells in as many lines as the tallest needs, but at least `height`.
  private mutating func appendCells(height: Int, to out: inout ByteBuffer) {
    for fold in folds {
      let columns = columns(of: fold)
      let height = fold == 0 ? height : 1
      var line = 0
      while cells.advance(columns, to: line, of: cellText) || line < height {
        out.append(arrangement.frame.lead)
        for place in places {
          if let index = column(at: place, in: fold) {
            appendLine(line, of: index, to: &out)
            if line == 0, index < extras.count {
              let count = appendExtras(of: index, to: &out)
              if count > 0 {
                let gap = arrangement.frame.gap(after: place)
                out.append(gap.span.extracting(min(count, gap.count)...))
                continue
              }
            }
          } else {
            out.append(repeating: 0x20, count: slots[place].width)
          }
          appendGap(place, to: &out)
        }
        arrangement.frame.endLine(to: &out)
        line += 1
      }
    }
  }

  /// Appends the sign of a cell and its bar; returns the cells that they take.
  private func appendExtras(of index: Int, to out: inout ByteBuffer) -> Int {
    var count = 0
    let bar = extras[index].bar
    if let signs, arrangement.columns[index].mark != nil {
      if let isInvalid = extras[index].isInvalid {
        signs.append(isInvalid: isInvalid, to: &out)
        count = signs.gutter
      } else if bar != nil {
        out.append(blanks: signs.gutter)
        count = signs.gutter
      }
    }
    guard let bar else { return count }
    out.append(0x20)
    bars.append(bar, to: &out)
    return count + 1 + bar.room
  }

  /// Appends a line of a cell in its column.
  private mutating func appendLine(_ line: Int, of index: Int, to out: inout ByteBuffer) {
    let slot = slots[index]
    let usual = slot.isStyled ? headerStyle : cells.isDim(index) ? missingStyle : .plain
    let style = index < extras.count ? extras[index].style ?? usual : usual
    // A row header has its background over the whole width, as a title has.
    let isFilled = slot.isStyled && headerStyle.isVisibleOnBlanks
    guard let width = cells.width(index, line: line) else {
      if isFilled {
        headerStyle.apply(to: &out) { $0.append(repeating: 0x20, count: slot.width) }
      } else if slot.isPadded {
        out.append(repeating: 0x20, count: slot.width)
      }
      return
    }
    let free = max(0, slot.width - width)
    var before = slot.alignment.blanksBefore(free)
    if slot.alignment == .decimal {
      let point = slot.width - arrangement.columns[index].fromPoint
      before = min(free, max(0, point - cells.widthBeforePoint(index, line: line, in: cellText)))
    }
    if isFilled {
      style.apply(to: &out) {
        $0.append(repeating: 0x20, count: before)
        cells.paint(index, line: line, of: cellText, into: &$0)
        $0.append(repeating: 0x20, count: free - before)
      }
      return
    }
    out.append(repeating: 0x20, count: before)
    style.apply(to: &out) { cells.paint(index, line: line, of: cellText, into: &$0) }
    if slot.isPadded { out.append(repeating: 0x20, count: free - before) }
  }
}
