/// Draws List, Stack and Grid as text.
///
/// The layouts differ only in their arrangement. Rows of plain cells are copied block by block. Rows with
/// text to wrap, cut or align at the decimal point take a slower path. A table without columns is one line
/// with the number of rows.
struct TextTablePainter: ~Copyable, DisplayPainter {
  var walk = RowWalk()
  var styles: RowStyles

  /// Column widths, spacing and frame.
  private let arrangement: Arrangement
  /// How texts are escaped, measured and cut.
  private let context: TextContext
  /// The style of titles and row headers.
  private let headerStyle: TextStyle
  /// The style of missing cells.
  private let missingStyle: TextStyle
  /// The columns, prepared for the row loop.
  private let slots: [TextSlot]
  /// Reads cells and escapes them.
  private var reader: SpelledCells<TextContext>
  /// The cells of a row that may need several lines.
  private var cells: TextCells

  /// Writes the rules and blank lines.
  private var frame: FrameWriter

  /// Draws headings and footers of sections, and forms.
  private let band: TextBand

  /// Draws rows directly from their batch, in several lines.
  private var wrappedRow: WrappedRow

  /// The texts of `cells`, escaped.
  private var cellText = ByteBuffer()

  /// Whether `--validate` checks a column, and the marks it draws.
  private let hasSigns: Bool
  private let signs: DrawnFieldSigns?

  /// Whether rows may be styled, and the value that styles their lines.
  private let hasStyles: Bool
  private var styledLines: StyledLines?

  /// The lines of a row before they are styled.
  private var drawn = ByteBuffer()

  /// The styles of the cells of a row, by column.
  ///
  /// Empty if no cell is styled.
  private var cellStyles: [TextStyle?] = []

  /// By column, whether the cell is drawn as a swatch.
  private var swatches: [Bool] = []

  /// The text of a swatch.
  private let swatch: [UInt8]

  /// The style of row headers.
  private let nameStyle: Style

  /// Whether the columns of a record are folded into several lines, and the line being drawn.
  private let isFolded: Bool
  private var foldLine = 0

  /// Whether lines may be too long to be drawn tentatively.
  private let hasLongLines: Bool

  private var heading: TextHeading

  /// The lines of the forms in the frame.
  private let blended: (above: [FormText.Line], below: [FormText.Line])

  /// The longest line, in bytes, that is drawn tentatively.
  private static let longestTry = 1 << 20

  /// Creates a painter for an arrangement.
  ///
  /// - Parameters:
  ///   - marks: the decimal and thousands marks of numbers in cells.
  init(
    _ arrangement: Arrangement, _ texts: [CellText], _ options: LayoutOptions,
    marks: NumberMarks = .standard, styles: RowStyles = RowStyles()
  ) {
    self.arrangement = arrangement
    self.styles = styles
    hasStyles = !styles.isEmpty
    styledLines =
      hasStyles
      ? StyledLines(
        options, styles, arrangement.spacing, width: arrangement.lineWidth, frame: arrangement.frame)
      : nil
    swatch = StyledLines.swatch(options)
    nameStyle = options.headerStyle ?? .bold
    context = TextContext(options, marks: marks)
    let leftOut = CellText(constant: context.cutMark.text)
    // If every column is drawn, the array is shared, because it may be very long.
    let hasAll =
      arrangement.columns.count == texts.count && arrangement.columns.allSatisfy { $0.source != nil }
    let drawn = hasAll ? texts : arrangement.columns.map { $0.source.map { texts[$0] } ?? leftOut }
    headerStyle = TextStyle.header(options)
    missingStyle = TextStyle.frame(options)
    slots = TextSlot.slots(of: arrangement, drawn, hasStyledNames: !headerStyle.opening.isEmpty)
    let frame = arrangement.frame
    let space = arrangement.spacing
    self.frame = FrameWriter(frame, space)
    band = TextBand(arrangement, context, options)
    wrappedRow = WrappedRow(arrangement, slots, context)
    isFolded = !arrangement.lines.isEmpty
    hasLongLines = arrangement.columns.reduce(0) { $0 + $1.width } > Self.longestTry
    hasSigns = arrangement.firstMark != nil
    signs = hasSigns ? DrawnFieldSigns(options) : nil
    reader = SpelledCells(drawn, context)
    cells = TextCells(context)
    heading = TextHeading(options, context, indent: arrangement.indent)
    if options.blendedForms.isEmpty {
      blended = ([], [])
    } else {
      let room = frame.isClosed ? frame.sections?.width : context.limit.map { $0 - space.edges }
      let form = FormText(options, context, indent: 0, room: room)
      var fit = TextFit()
      blended = (
        options.preamble.map { form.lines($0, &fit) } ?? [],
        options.postamble.map { form.lines($0, &fit) } ?? []
      )
      heading.add(fit)
    }
  }

  var countsRows: Bool { slots.isEmpty }

  var templateStates: [EvaluationState] { reader.texts.compactMap(\.state) }

  var layoutNotices: [LayoutNotice] {
    var notices = arrangement.notices + cells.notices
    notices.merge(heading.notices)
    return notices
  }

  /// The size of all columns at their widths, and of what separates them.
  var rowSize: Int {
    slots.reduce(0) { $0 + $1.width + 4 } * max(1, arrangement.spacing.rowHeight)
  }

  mutating func paintOpening(into out: inout ByteBuffer) { heading.paint(into: &out) }

  mutating func paintTitles(into out: inout ByteBuffer) { paintTitles(below: blended.above, into: &out) }

  /// Draws the titles.
  ///
  /// - Parameter form: the lines of the form above them.
  private mutating func paintTitles(below form: [FormText.Line], into out: inout ByteBuffer) {
    out.append(repeating: 0x0A, count: arrangement.spacing.table.top)
    if !form.isEmpty, arrangement.frame.sections != nil {
      frame.beginForm(to: &out)
      band.paint(form, to: &out)
      frame.last = .band
      if arrangement.hasHeader { frame.endForm(to: &out) }
    }
    guard arrangement.hasHeader else { return }
    frame.beginTitles(followsForm: !form.isEmpty, to: &out)
    paintTitleLines(into: &out)
    frame.endTitles(to: &out)
  }

  mutating func paintSectionStart(heading: [UInt8]?, into out: inout ByteBuffer) {
    frame.beginSection(hasHeading: heading != nil, to: &out)
    guard let heading else { return }
    band.paint(heading, isHeading: true, &cells, &cellText, to: &out)
    frame.endHeading(to: &out)
  }

  mutating func resumeSection(hasHeading: Bool) { frame.last = .cells }

  @inline(__always)
  func paintSpace(into out: inout ByteBuffer) { frame.space(isFirst: walk.sectionCount == 1, to: &out) }

  @inline(__always)
  mutating func paintRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    if hasStyles, paintStyledRow(batch, row, into: &out) { return }
    if hasSigns, showsSigns(batch, row) { return paintTallRow(batch, row, showsSigns: true, into: &out) }
    paintUnmarkedRow(batch, row, into: &out)
  }

  /// Draws a row without signs and styles.
  @inline(__always)
  private mutating func paintUnmarkedRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    if isFolded { return paintTallRow(batch, row, into: &out) }
    let isTried = hasLongLines || wrappedRow.isExpected
    if isTried, wrappedRow.paint(batch, row, number: walk.number, &cells, into: &out) { return }
    wrappedRow.isExpected = false
    let isDrawn =
      !hasLongLines
      && (paintPlainRow(batch, row, into: &out)
        || !isTried && wrappedRow.paint(batch, row, number: walk.number, &cells, into: &out))
    if !isDrawn { paintTallRow(batch, row, into: &out) }
  }

  mutating func paintSectionEnd(footers: [FooterLine], into out: inout ByteBuffer) {
    if walk.sectionCount > 0 { frame.bottomPadding(to: &out) }
    for (number, footer) in footers.enumerated() {
      frame.beginFooterLine(isBand: footer.isBand, to: &out)
      paintFooter(footer, number: number, into: &out)
    }
  }

  mutating func paintFooterStart(into out: inout ByteBuffer) { frame.beginFooter(to: &out) }

  mutating func paintFooter(_ footer: FooterLine, number: Int, into out: inout ByteBuffer) {
    frame.last = footer.isBand ? .band : .cells
    switch footer {
    case .titles: paintTitleLines(into: &out)
    case .cells(let texts): paintFooterCells(texts, into: &out)
    case .band(let text): band.paint(text, isHeading: false, &cells, &cellText, to: &out)
    }
  }

  func paintFooterEnd(into out: inout ByteBuffer) { frame.endFooter(to: &out) }

  mutating func paintJoinedForm(into out: inout ByteBuffer) {
    guard !blended.below.isEmpty, arrangement.frame.sections != nil else { return }
    frame.beginFormBelow(to: &out)
    band.paint(blended.below, to: &out)
    frame.last = .band
  }

  func paintClosing(into out: inout ByteBuffer) {
    frame.end(to: &out)
    out.append(repeating: 0x0A, count: arrangement.spacing.table.bottom)
  }

  func paintEnding(into out: inout ByteBuffer) { out.append(heading.below) }
}

// MARK: - Pages

extension TextTablePainter {
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

  /// Draws the blank lines above the first row of a section on its page.
  func paintTopPadding(into out: inout ByteBuffer) { frame.topPadding(to: &out) }

  /// Draws the titles at the top of a page that is not the first.
  mutating func paintNextTitles(into out: inout ByteBuffer) {
    frame.last = .nothing
    paintTitles(below: [], into: &out)
  }

  /// Draws the footer and the end of a page that is not the last.
  mutating func paintFoot(_ footers: [FooterLine], into out: inout ByteBuffer) {
    paintFooters(footers, into: &out)
    paintClosing(into: &out)
  }
}

// MARK: - Rows of one line

extension TextTablePainter {
  /// Draws a row in one line; `false`, with nothing drawn, if something does not fit into it.
  @inline(__always)
  private mutating func paintPlainRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) -> Bool {
    let start = out.count
    let lateCount = cells.lateCount
    out.pin()
    let isPainted = paintLine(batch, row, into: &out)
    out.unpin()
    guard isPainted else {
      out.truncate(to: start)
      walk.found = CellFindings()
      cells.lateCount = lateCount
      return false
    }
    arrangement.frame.endLine(to: &out)
    if arrangement.spacing.rowHeight > 1 { frame.blankLines(arrangement.spacing.rowHeight - 1, to: &out) }
    return true
  }

  /// Draws a row in one line, without its end; `false` if something does not fit into it.
  @inline(__always)
  private mutating func paintLine(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) -> Bool {
    out.append(arrangement.frame.lead.span)
    let first = row &* batch.columnCount
    for index in slots.indices {
      let slot = slots[index]
      if slot.column < batch.columnCount {
        let cell = batch.cells[first &+ slot.column]
        if cell.isSimple, cell.length <= slot.width {
          slot.append(cell, of: batch.block, to: &out)
          appendGap(index, into: &out)
          continue
        }
      }
      guard paintCell(index, batch, row, into: &out) else { return false }
      appendGap(index, into: &out)
    }
    return true
  }

  /// Draws any other cell.
  ///
  /// Returns `false` if it does not fit on one line.
  private mutating func paintCell(
    _ index: Int, _ batch: Batch, _ row: Int, into out: inout ByteBuffer
  ) -> Bool {
    let slot = slots[index]
    guard !slot.isStyled, slot.alignment != .decimal else { return false }
    if slot.column < batch.columnCount {
      let cell = batch.cells[row &* batch.columnCount &+ slot.column]
      let content = batch.drawn(cell)
      if !cell.isDim, let extent = context.extent(of: content) {
        guard extent.newlines == 0,
          slot.append(content, width: extent.width, context.overflow, to: &out)
        else { return false }
        noteLate(extent.width, in: slot)
        return true
      }
    }
    let findings = reader.read(index, batch, row, number: walk.number)
    walk.found += findings.ofCell
    guard findings.newlines == 0 else { return false }
    let width = context.metrics.width(of: reader.text.span)
    // The slower path draws styles.
    if reader.isDim, !missingStyle.opening.isEmpty { return false }
    guard slot.append(reader.text.span, width: width, context.overflow, to: &out) else { return false }
    noteLate(width, in: slot)
    return true
  }

  /// Counts a text that is wider than its column because its row lies beyond the look-ahead.
  @inline(__always)
  private mutating func noteLate(_ width: Int, in slot: TextSlot) {
    if width > slot.width, arrangement.lookAhead.isLate(walk.number) { cells.lateCount &+= 1 }
  }
}

extension TextTablePainter {
  /// Appends the gap after a place.
  @inline(__always)
  private func appendGap(_ place: Int, into out: inout ByteBuffer) {
    slots[place].appendGap(place, of: arrangement.frame, to: &out)
  }

  /// The places of a line.
  ///
  /// Without folding, each column has one.
  private var places: Range<Int> {
    isFolded ? arrangement.lines[0].indices : arrangement.columns.indices
  }

  /// The column at a place of the current line, if any.
  private func column(in place: Int) -> Int? { isFolded ? arrangement.lines[foldLine][place] : place }

  /// Draws the titles with their signs.
  private mutating func paintTitleLines(into out: inout ByteBuffer) {
    for line in 0..<max(1, arrangement.lines.count) {
      foldLine = line
      paintTitlesOfLine(into: &out)
    }
  }

  private mutating func paintTitlesOfLine(into out: inout ByteBuffer) {
    cells.removeAll(reserving: places.count)
    cellText.removeAll()
    // Usually there are no signs, and creating this array type costs start-up time.
    let hasSigns = arrangement.columns.contains { $0.signRoom > 0 }
    var signs: [(line: Int, before: Int)?] = []
    if hasSigns { signs.reserveCapacity(arrangement.columns.count) }
    for place in places {
      let start = cellText.count
      guard let index = column(in: place) else {
        appendNoCell()
        if hasSigns { signs.append(nil) }
        continue
      }
      let column = arrangement.columns[index]
      cellText.append(arrangement.titles[index])
      cells.append(
        title: cellText, from: start, width: column.width, lineLimit: arrangement.headerHeight,
        needsCarry: context.metrics.passesControl)
      guard hasSigns else { continue }
      signs.append(
        cells.placeSign(
          of: cellText, room: column.signRoom, width: column.width, lineLimit: arrangement.headerHeight))
    }
    for line in 0..<max(1, cells.titleHeight) {
      out.append(arrangement.frame.lead)
      for place in places {
        let sign = hasSigns ? signs[place].flatMap { $0.line == line ? $0.before : nil } : nil
        if let index = column(in: place) {
          paintTitle(index, in: place, line: line, sign: sign, into: &out)
        } else {
          out.append(repeating: 0x20, count: slots[place].width)
        }
        appendGap(place, into: &out)
      }
      arrangement.frame.endLine(to: &out)
    }
  }

  /// Draws a line of a title.
  ///
  /// - Parameter sign: the cells before the sign, if it is on this line.
  private mutating func paintTitle(
    _ index: Int, in place: Int, line: Int, sign: Int?, into out: inout ByteBuffer
  ) {
    let column = arrangement.columns[index]
    let width = cells.width(place, line: line) ?? 0
    let whole = sign.map { $0 + column.signRoom } ?? width
    let free = max(0, column.width - whole)
    let before = slots[index].alignment.blanksBefore(free)
    let isPadded = slots[index].isPadded || headerStyle.isVisibleOnBlanks
    if !headerStyle.isVisibleOnBlanks { out.append(repeating: 0x20, count: before) }
    headerStyle.apply(to: &out) { out in
      if headerStyle.isVisibleOnBlanks { out.append(repeating: 0x20, count: before) }
      if width > 0 { cells.paint(place, line: line, of: cellText, into: &out) }
      if let sign {
        out.append(repeating: 0x20, count: sign - width)
        out.append(column.sign)
        out.append(repeating: 0x20, count: column.signRoom - context.metrics.width(of: column.sign.span))
      }
      if isPadded, headerStyle.isVisibleOnBlanks { out.append(repeating: 0x20, count: free - before) }
    }
    if isPadded, !headerStyle.isVisibleOnBlanks { out.append(repeating: 0x20, count: free - before) }
  }

  /// Draws the cells of a line of the footer.
  private mutating func paintFooterCells(_ texts: [[UInt8]?], into out: inout ByteBuffer) {
    for line in 0..<max(1, arrangement.lines.count) {
      foldLine = line
      paintFooterLine(texts, into: &out)
    }
  }

  private mutating func paintFooterLine(_ texts: [[UInt8]?], into out: inout ByteBuffer) {
    cells.removeAll(reserving: places.count)
    cellText.removeAll()
    for place in places {
      guard let index = column(in: place) else {
        appendNoCell()
        continue
      }
      let column = arrangement.columns[index]
      let start = cellText.count
      var findings = Escaper.Findings()
      if let source = column.source, source < texts.count, let text = texts[source] {
        findings = context.escaper.append(text.span, to: &cellText)
      }
      cells.append(
        cellText, from: start, width: column.width, overflow: context.overflow,
        needsCarry: findings.needsCarry, widest: arrangement.lookAhead == .all ? nil : column.widest)
    }
    paintCells(height: 1, into: &out)
  }

  /// The number of bytes of each cell that are always drawn, even after very long cells.
  private static let leastRoom = 256

  /// Draws a row whose cells may have several lines.
  ///
  /// - Parameter showsSigns: whether to draw validation marks.
  private mutating func paintTallRow(
    _ batch: Batch, _ row: Int, showsSigns: Bool = false, into out: inout ByteBuffer
  ) {
    for line in 0..<max(1, arrangement.lines.count) {
      foldLine = line
      paintTallLine(batch, row, showsSigns: showsSigns, into: &out)
    }
  }

  private mutating func paintTallLine(
    _ batch: Batch, _ row: Int, showsSigns: Bool, into out: inout ByteBuffer
  ) {
    cells.removeAll(reserving: places.count)
    cellText.removeAll()
    let isLate = arrangement.lookAhead.isLate(walk.number)
    for place in places {
      guard let index = column(in: place) else {
        appendNoCell()
        continue
      }
      let column = arrangement.columns[index]
      let start = cellText.count
      let room = max(Self.leastRoom, DrawnText.longest - start)
      var findings = Escaper.Findings()
      let isSwatch = index < swatches.count && swatches[index]
      if isSwatch {
        cellText.append(swatch)
      } else {
        findings = reader.append(index, batch, row, number: walk.number, room: room, to: &cellText)
        walk.found += findings.ofCell
      }
      // In the last column of an open line, a late cell that is wider may use the rest of the line.
      let isOpen = isLate && !isFolded && index == arrangement.columns.count - 1
      let width = isOpen ? max(column.width, arrangement.lastRoom) : column.width
      cells.append(
        cellText, from: start, width: width, overflow: context.overflow, needsCarry: findings.needsCarry,
        isDim: reader.isDim && !isSwatch, widest: isLate ? max(column.widest, width) : nil)
    }
    let height = foldLine == 0 ? arrangement.spacing.rowHeight : 1
    paintCells(height: height, signsOf: showsSigns ? row : nil, of: batch, into: &out)
  }

  /// Draws a row if it is styled.
  ///
  /// Returns `false` otherwise.
  @inline(never)
  private mutating func paintStyledRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) -> Bool {
    guard let look = styles.look(walk.number, inSection: walk.sectionCount, batch, row) else { return false }
    let showsSigns = hasSigns && self.showsSigns(batch, row)
    if look.hasCells { findCellStyles(look, batch, row) }
    defer {
      cellStyles.removeAll(keepingCapacity: true)
      swatches.removeAll(keepingCapacity: true)
    }
    if !showsSigns, let frame = styledLines?.rowFrame(look), paintStyledLine(batch, row, frame, into: &out) {
      return true
    }
    var drawn = ByteBuffer()
    swap(&drawn, &self.drawn)
    drawn.removeAll()
    if showsSigns || look.hasCells {
      paintTallRow(batch, row, showsSigns: showsSigns, into: &drawn)
    } else {
      paintUnmarkedRow(batch, row, into: &drawn)
    }
    styledLines?.append(drawn.span, look, to: &out)
    swap(&drawn, &self.drawn)
    return true
  }

  /// Draws a row of one line in its style; `false`, with nothing drawn, if something does not fit into it.
  private mutating func paintStyledLine(
    _ batch: Batch, _ row: Int, _ frame: StyledLines.RowFrame, into out: inout ByteBuffer
  ) -> Bool {
    if isFolded || arrangement.spacing.rowHeight > 1 || hasLongLines || swatches.contains(true) {
      return false
    }
    let start = out.count
    let lateCount = cells.lateCount
    out.pin()
    defer { out.unpin() }
    guard paintStyledCells(batch, row, frame, into: &out) else {
      out.truncate(to: start)
      walk.found = CellFindings()
      cells.lateCount = lateCount
      return false
    }
    arrangement.frame.endLine(to: &out)
    return true
  }

  /// Draws a row in one line in its style, without its end; `false` if something does not fit into it.
  @inline(__always)
  private mutating func paintStyledCells(
    _ batch: Batch, _ row: Int, _ frame: StyledLines.RowFrame, into out: inout ByteBuffer
  ) -> Bool {
    let first = row &* batch.columnCount
    let bytes = frame.bytes.span
    var end = frame.ends[0]
    out.append(bytes.extracting(..<end))
    for index in slots.indices {
      let slot = slots[index]
      let style = cellStyles.isEmpty ? nil : cellStyles[index]
      let isPadded = slot.isPadded || frame.isFilled
      if slot.column < batch.columnCount, batch.cells[first &+ slot.column].isSimple,
        batch.cells[first &+ slot.column].length <= slot.width
      {
        let cell = batch.cells[first &+ slot.column]
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
        guard style == nil, slot.isPadded == isPadded, paintCell(index, batch, row, into: &out) else {
          return false
        }
      }
      let next = frame.ends[index &+ 1]
      out.append(bytes.extracting(end..<next))
      end = next
    }
    return true
  }

  /// Finds the styles of the cells of a row.
  private mutating func findCellStyles(_ look: RowLook, _ batch: Batch, _ row: Int) {
    for index in slots.indices {
      let cell = arrangement.columns[index].source.flatMap { styles.cell($0, walk.number, batch, row) }
      let usual = slots[index].isStyled ? nameStyle : Style()
      cellStyles.append(cell.flatMap { styledLines?.style($0, over: usual, in: look) })
      swatches.append(cell?.swatchColor != nil)
    }
  }

  /// Whether a row has validation marks to draw.
  @inline(never)
  private func showsSigns(_ batch: Batch, _ row: Int) -> Bool {
    !(signs?.valid.isEmpty ?? true)
      || arrangement.firstMark?.isNoted(inRow: row, of: batch) ?? false
  }

  /// Draws the current cells in as many lines as the tallest needs, but at least `height`.
  ///
  /// - Parameter row: the row whose marks are drawn on the first line, if any.
  private mutating func paintCells(
    height: Int, signsOf row: Int? = nil, of batch: Batch = .empty, into out: inout ByteBuffer
  ) {
    var line = 0
    while cells.advance(to: line, of: cellText) || line < height {
      out.append(arrangement.frame.lead)
      for place in places {
        guard let index = column(in: place) else {
          out.append(repeating: 0x20, count: slots[place].width)
          appendGap(place, into: &out)
          continue
        }
        paintLine(line, of: index, in: place, into: &out)
        if line == 0, let row, let signs, let mark = arrangement.columns[index].mark {
          signs.append(isInvalid: mark.isInvalid(inRow: row, of: batch), to: &out)
          let frame = arrangement.frame
          let gap = frame.gap(after: place)
          out.append(gap.span.extracting(min(signs.gutter, gap.count)...))
        } else {
          appendGap(place, into: &out)
        }
      }
      arrangement.frame.endLine(to: &out)
      line += 1
    }
  }

  /// Adds an empty cell for a place without a column.
  private mutating func appendNoCell() {
    cells.append(
      cellText, from: cellText.count, width: 1, overflow: context.overflow, needsCarry: false)
  }

  private mutating func paintLine(_ line: Int, of index: Int, in place: Int, into out: inout ByteBuffer) {
    let slot = slots[index]
    let usual = slot.isStyled ? headerStyle : cells.isDim(place) ? missingStyle : .plain
    let style = index < cellStyles.count ? cellStyles[index] ?? usual : usual
    // A row header has its background over the whole width, as a title has.
    let isFilled = slot.isStyled && headerStyle.isVisibleOnBlanks
    guard let width = cells.width(place, line: line) else {
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
      before = min(free, max(0, point - cells.widthBeforePoint(place, line: line, in: cellText)))
    }
    if isFilled {
      style.apply(to: &out) {
        $0.append(repeating: 0x20, count: before)
        cells.paint(place, line: line, of: cellText, into: &$0)
        $0.append(repeating: 0x20, count: free - before)
      }
      return
    }
    out.append(repeating: 0x20, count: before)
    style.apply(to: &out) { cells.paint(place, line: line, of: cellText, into: &$0) }
    if slot.isPadded { out.append(repeating: 0x20, count: free - before) }
  }
}
