/// List, Stack and Grid as text.
///
/// The layouts differ only in their arrangement. A row is drawn in the first of these ways that it allows:
/// 1. In one line, its cells copied from their block; if it has a look, between the styled pieces of its frame
///    (`appendLine`).
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

  /// The columns whose cells may have looks of their own, in order, and those looks in the row.
  private let ruled: [RuledSlot]
  private var ruledLooks: [CellLook]

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

  /// Whether the columns of a record are folded into several lines.
  private let isFolded: Bool
  /// Whether lines may be too long to be drawn tentatively.
  private let hasLongLines: Bool

  /// The longest line, in bytes, that is drawn tentatively.
  private static let longestTry = 1 << 20

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
    let ruled = RuledSlot.slots(of: arrangement, styles)
    self.ruled = ruled
    ruledLooks = Array(repeating: .usual, count: ruled.count)
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
      takeBackLine(from: start, lateCount, &found, to: &out)
      return false
    }
    arrangement.frame.endLine(to: &out)
    if arrangement.spacing.rowHeight > 1 { frame.blankLines(arrangement.spacing.rowHeight - 1, to: &out) }
    return true
  }

  /// Removes what was appended of a row that does not fit into one line.
  ///
  /// - Parameter lateCount: the number of late cells before it.
  @inline(__always)
  private mutating func takeBackLine(
    from start: Int, _ lateCount: Int, _ found: inout CellFindings, to out: inout ByteBuffer
  ) {
    out.truncate(to: start)
    found = CellFindings()
    cells.lateCount = lateCount
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
      guard appendPlainCell(index, &spelled, batch, row, first: first, number: number, &found, to: &out)
      else { return false }
    }
    return true
  }

  /// Appends a cell that shows nothing but its text to a line, and the gap after it; `false` if it does not fit.
  ///
  /// - Parameter first: the index of the first cell of the row.
  @inline(__always)
  private mutating func appendPlainCell(
    _ index: Int, _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, first: Int,
    number: Int, _ found: inout CellFindings, to out: inout ByteBuffer
  ) -> Bool {
    let slot = slots[index]
    if slot.column < batch.columnCount {
      let cell = batch.cells[first &+ slot.column]
      if cell.isSimple, cell.length <= slot.width {
        slot.append(cell, of: batch.block, to: &out)
        appendGap(index, to: &out)
        return true
      }
    }
    guard appendCell(index, of: &spelled, batch, row, number: number, &found, to: &out) else {
      return false
    }
    appendGap(index, to: &out)
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
    appendTallCells(&spelled, batch, row, number: number, &found, to: &out)
  }

  /// Appends the cells of a row, which may have several lines.
  private mutating func appendTallCells(
    _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    _ found: inout CellFindings, to out: inout ByteBuffer
  ) {
    for index in slots.indices { found += readCell(index, of: &spelled, batch, row, number: number) }
    appendCells(height: arrangement.spacing.rowHeight, to: &out)
  }
}

// MARK: - Rows with a look

extension TextTable {
  mutating func appendRow(
    _ look: SharedLook?, _ styles: inout RowStyles, _ spelled: inout SpelledCells<TextContext>,
    _ batch: Batch, _ row: Int, number: Int, _ found: inout CellFindings, to out: inout ByteBuffer
  ) -> Bool {
    let isTall = isFolded || arrangement.spacing.rowHeight > 1 || hasLongLines
    let frame = isTall ? nil : look.flatMap { styledLines?.rowFrame($0.look) }
    let isTried = !isTall && (look == nil || frame != nil)
    let start = out.count
    let lateCount = cells.lateCount
    out.pin()
    let isDrawn = appendLine(
      look, in: frame, isTried: isTried, &styles, &spelled, batch, row, number: number, &found, to: &out)
    out.unpin()
    if isDrawn {
      arrangement.frame.endLine(to: &out)
      return true
    }
    takeBackLine(from: start, lateCount, &found, to: &out)
    let look = look?.look ?? .onlyCells
    appendLines(in: look, to: &out) { form, drawn in
      if look.hasCells {
        form.beginCells()
        form.takeExtras(in: look, &styles)
        form.appendTallCells(&spelled, batch, row, number: number, &found, to: &drawn)
      } else {
        _ = form.appendRow(&spelled, batch, row, number: number, &found, to: &drawn)
      }
    }
    return true
  }

  /// Takes over the looks of cells for drawing these in several lines.
  private mutating func takeExtras(in look: RowLook, _ styles: inout RowStyles) {
    for _ in slots { extras.append(CellExtras()) }
    for (column, cell) in zip(ruled, ruledLooks) {
      if let style = styles.style(of: cell) {
        extras[column.index] = extra(of: column.index, style, in: look)
      }
    }
  }

  /// What a cell with a style of its own shows beside its text.
  private mutating func extra(of index: Int, _ style: AppliedStyle, in look: RowLook) -> CellExtras {
    var extra = CellExtras()
    if style.bar != nil, arrangement.columns[index].barRoom > 0 { extra.bar = style.bar }
    if !style.isOnlyBar { extra.style = self.style(style, of: index, in: look) }
    extra.isSwatch = style.swatchColor != nil
    return extra
  }

  /// The style of a cell with one of its own, in a row with this look.
  private mutating func style(_ own: AppliedStyle, of index: Int, in look: RowLook?) -> TextStyle? {
    styledLines?.style(own, over: slots[index].isStyled ? nameStyle : Style(), in: look ?? .onlyCells)
  }

  /// Finds the looks of cells, and appends the row to a line, without its end; `false` if something does not fit.
  ///
  /// The rules count what they find, so they are evaluated once, whether the row fits or not.
  ///
  /// - Parameters:
  ///   - frame: the frame in the style of the row; `nil` if it has none.
  ///   - isTried: whether the row may fit into a line.
  @inline(__always)
  private mutating func appendLine(
    _ look: SharedLook?, in frame: StyledLines.RowFrame?, isTried: Bool, _ styles: inout RowStyles,
    _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    _ found: inout CellFindings, to out: inout ByteBuffer
  ) -> Bool {
    var fits = isTried
    if let frame {
      let bytes = frame.bytes
      out.append(bytes.span.extracting(..<frame.ends[0]))
    } else {
      out.append(arrangement.frame.lead.span)
    }
    var start = 0
    if look?.look.hasCells ?? true {
      for place in ruled.indices {
        let cell = styles.cellLook(ruled[place].shown, number, batch, row)
        ruledLooks[place] = cell
        let index = ruled[place].index
        fits =
          fits
          && appendCells(start..<index, in: frame, &spelled, batch, row, number: number, &found, to: &out)
          && appendRuledCell(
            ruled[place], cell, look, frame, &styles, &spelled, batch, row, number: number, &found, to: &out)
        start = index + 1
      }
    }
    return fits
      && appendCells(start..<slots.count, in: frame, &spelled, batch, row, number: number, &found, to: &out)
  }

  /// Appends cells without looks of their own to a line; `false` if something does not fit into it.
  @inline(__always)
  private mutating func appendCells(
    _ range: Range<Int>, in frame: StyledLines.RowFrame?, _ spelled: inout SpelledCells<TextContext>,
    _ batch: Batch, _ row: Int, number: Int, _ found: inout CellFindings, to out: inout ByteBuffer
  ) -> Bool {
    guard let frame else {
      let first = row &* batch.columnCount
      for index in range {
        guard appendPlainCell(index, &spelled, batch, row, first: first, number: number, &found, to: &out)
        else { return false }
      }
      return true
    }
    let bytes = frame.bytes
    for index in range {
      guard
        appendText(index, nil, nil, frame, &spelled, batch, row, number: number, &found, to: &out)
      else { return false }
      // The line ends with the room for bars; it cannot be part of what follows a column.
      if lastBarRoom > 0, index == slots.count - 1 { out.append(blanks: lastBarRoom) }
      out.append(bytes.span.extracting(frame.ends[index]..<frame.ends[index &+ 1]))
    }
    return true
  }

  /// Appends a cell that may have a look of its own to a line, and what follows it; `false` if it does not fit.
  private mutating func appendRuledCell(
    _ column: RuledSlot, _ cell: CellLook, _ look: SharedLook?, _ frame: StyledLines.RowFrame?,
    _ styles: inout RowStyles, _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int,
    number: Int, _ found: inout CellFindings, to out: inout ByteBuffer
  ) -> Bool {
    let index = column.index
    var bar: CellBar?
    var style: TextStyle?
    var place: Int?
    switch cell {
    case .usual: break
    case .scaled(let scaled):
      bar = scaled.bar
      if !scaled.isOnlyBar {
        let usual = slots[index].isStyled ? nameStyle : nil
        place = styledLines?.place(of: scaled, of: &styles, over: usual, in: look)
        if place == nil { style = self.style(styles.style(of: scaled), of: index, in: look?.look) }
      }
    case .styled(let applied):
      if applied.swatchColor != nil { return false }
      bar = applied.bar
      if !applied.isOnlyBar { style = self.style(applied, of: index, in: look?.look) }
    }
    guard appendText(index, style, place, frame, &spelled, batch, row, number: number, &found, to: &out)
    else { return false }
    let isLast = lastBarRoom > 0 && index == slots.count - 1
    // What follows a column begins with the blanks that are reserved for its bars.
    var taken = 0
    if let bar, column.barRoom > 0 {
      out.append(0x20)
      bars.append(bar, to: &out)
      out.append(blanks: column.barRoom - bar.room)
      if !isLast { taken = 1 + column.barRoom }
    } else if isLast {
      out.append(blanks: lastBarRoom)
    }
    if let frame {
      let bytes = frame.bytes
      out.append(bytes.span.extracting(frame.ends[index] + taken..<frame.ends[index &+ 1]))
    } else if taken == 0 {
      appendGap(index, to: &out)
    } else if let gap = column.gap {
      out.append(gap)
    } else {
      let gap = arrangement.frame.gap(after: index)
      out.append(gap.span.extracting(taken...))
    }
    return true
  }

  /// Appends the text of a cell to a line; `false` if it does not fit into it.
  ///
  /// - Parameters:
  ///   - style: its style, if it has one of its own.
  ///   - place: or the place of that in the cache.
  ///   - frame: the frame in the style of the row; `nil` if it has none.
  @inline(__always)
  private mutating func appendText(
    _ index: Int, _ style: TextStyle?, _ place: Int?, _ frame: StyledLines.RowFrame?,
    _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    _ found: inout CellFindings, to out: inout ByteBuffer
  ) -> Bool {
    let slot = slots[index]
    let isPadded = slot.isPadded || frame?.isFilled ?? false
    let isStyled = style != nil || place != nil
    guard slot.column < batch.columnCount,
      case let cell = batch.cells[row &* batch.columnCount &+ slot.column], cell.isSimple,
      cell.length <= slot.width
    else {
      return !isStyled && slot.isPadded == isPadded
        && appendCell(index, of: &spelled, batch, row, number: number, &found, to: &out)
    }
    let free = slot.width &- cell.length
    let before = slot.alignment.blanksBefore(free)
    out.append(blanks: before)
    let isOpened = isStyled && cell.length > 0
    if !isOpened {
      out.append(batch.block, from: cell.offset, count: cell.length)
    } else {
      // Most styles do not cover trailing blanks; the slower path separates them.
      if batch.block[cell.offset &+ cell.length &- 1] == 0x20 { return false }
      if let place { styledLines?.append(cell, of: batch.block, inStyleAt: place, to: &out) }
      if let style {
        out.append(style.opening)
        out.append(batch.block, from: cell.offset, count: cell.length)
        out.append(style.closing)
      }
      if let frame { out.append(frame.opening) }
    }
    if isPadded { out.append(blanks: free &- before) }
    return true
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

// MARK: - Rows with signs

extension TextTable {
  mutating func beginRow(_ place: RowPosition, to out: inout ByteBuffer) { beginCells() }

  mutating func beginRow(_ look: RowLook, _ place: RowPosition, to out: inout ByteBuffer) { beginCells() }

  mutating func append(
    _ column: Int, _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    extras.append(CellExtras())
    return readCell(column, of: &spelled, batch, row, number: number)
  }

  mutating func append(
    _ cell: CellParts, _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    var extra = CellExtras()
    if let style = cell.style, let look = cell.row { extra = self.extra(of: cell.column, style, in: look) }
    if cell.hasRules { extra.isInvalid = cell.isInvalid }
    extras.append(extra)
    return readCell(cell.column, of: &spelled, batch, row, number: number)
  }

  mutating func appendRepeat(
    _ column: Int, _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    var extra = CellExtras()
    extra.isRepeat = true
    extras.append(extra)
    _ = readCell(column, of: &spelled, batch, row, number: number)
    return CellFindings()
  }

  mutating func endRow(to out: inout ByteBuffer) {
    appendCells(height: arrangement.spacing.rowHeight, to: &out)
  }

  mutating func endRow(_ look: RowLook, _ messages: [String], to out: inout ByteBuffer) {
    appendLines(in: look, to: &out) { form, drawn in form.endRow(to: &drawn) }
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
