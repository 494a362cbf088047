/// Draws a text table in pages: each has the header, the heading of its section and the footer, so that it
/// can be read alone.
///
/// A page has as many rows as fit, but at least one. A row is divided only if it is taller than a page.
/// Title, caption and forms are drawn once.
struct PagedPainter: ~Copyable, Painter {
  private var table: TablePainter<TextTable>

  /// The most lines of a page.
  private let lineLimit: Int

  /// The footer lines of every page except the last.
  private let footers: [FooterLine]

  /// Whether each row is held until the next one arrives, so that the footer of a section stays on the page
  /// of its last row.
  private let holdsRows: Bool

  /// The lines below the rows of a page.
  private var footHeight = 0

  /// The lines and the rows of the page so far.
  private var lineCount = 0
  private var rowCount = 0

  /// The heading of the section.
  private var heading: [UInt8]?

  /// Whether the section has begun, and whether it has begun on this page.
  private var isBegun = false
  private var isOnPage = false

  /// The last row, drawn, and where it is, if it is still held.
  private var row = ByteBuffer()
  private var heldRow: (batch: Batch, row: Int)?

  /// A buffer for lines whose page is not known yet.
  private var part = ByteBuffer()

  /// Makes pages of a table.
  ///
  /// - Parameters:
  ///   - lineLimit: the most lines of a page.
  ///   - footers: the footer lines of every page except the last.
  ///   - lastFooters: the footer of the last page, if it is known. Every page reserves room for it.
  ///   - holdsRows: whether a row may wait for the next one.
  init(
    _ table: consuming TablePainter<TextTable>, lineLimit: Int, footers: [FooterLine],
    lastFooters: [FooterLine],
    holdsRows: Bool
  ) {
    self.table = table
    self.lineLimit = lineLimit
    self.footers = footers
    self.holdsRows = holdsRows
    if self.table.countsRows { return }
    let checkpoint = self.table.form.checkpoint
    for lines in [footers, lastFooters] {
      part.removeAll()
      paintFoot(lines)
      footHeight = max(footHeight, part.lineCount + self.table.form.bottomPadding)
    }
    self.table.form.checkpoint = checkpoint
  }

  mutating func begin(into out: inout ByteBuffer) {
    part.removeAll()
    table.begin(into: &part)
    append(to: &out)
  }

  mutating func beginSection(heading: [UInt8]?, into out: inout ByteBuffer) {
    table.walk.beginSection()
    self.heading = heading
    (isBegun, isOnPage) = (false, false)
  }

  mutating func paint(_ rows: Rows, _ range: Range<Int>, into out: inout ByteBuffer) {
    if table.countsRows { return table.paint(rows, range, into: &out) }
    if heldRow != nil { placeRow(above: 0, into: &out) }
    if !table.styles.isEmpty {
      table.styles.evaluateRules(for: rows, range, firstNumber: table.walk.number &+ 1)
    }
    for index in range {
      if heldRow != nil { placeRow(above: 0, into: &out) }
      let id = rows.ids[index]
      let batch = rows.batches[id.batch]
      table.walk.number &+= 1
      row.removeAll()
      table.paintRow(batch, id.row, into: &row)
      table.walk.endRow(batch, id.row)
      heldRow = (batch, id.row)
      if !holdsRows { placeRow(above: 0, into: &out) }
    }
    table.walk.endRows()
  }

  mutating func paintGap(_ text: [UInt8], of count: Int, into out: inout ByteBuffer) {
    if table.countsRows { return table.paintGap(text, of: count, into: &out) }
    if heldRow != nil { placeRow(above: 0, into: &out) }
    part.removeAll()
    table.paintGapLine(text, into: &part)
    if rowCount > 0, lineCount + part.lineCount + footHeight > lineLimit {
      endPage(into: &out)
      beginSectionOnPage(into: &out)
      part.removeAll()
      table.paintGapLine(text, into: &part)
    }
    append(to: &out)
    rowCount += 1
    table.walk.skip(count)
  }

  mutating func endSection(footers: [FooterLine], into out: inout ByteBuffer) {
    if table.countsRows { return }
    let height = footers.isEmpty ? 0 : height(of: footers)
    if heldRow != nil { placeRow(above: height, into: &out) }
    if !holdsRows, height > 0, rowCount > 0, lineCount + height + footHeight > lineLimit {
      endPage(into: &out)
    }
    if !isOnPage { beginSectionOnPage(into: &out) }
    part.removeAll()
    table.paintSectionEnd(footers: footers, into: &part)
    append(to: &out)
    isOnPage = false
  }

  mutating func end(footers: [FooterLine], into out: inout ByteBuffer) {
    table.end(footers: footers, into: &out)
  }

  mutating func setRowCount(_ count: Int) { table.setRowCount(count) }

  var rowSize: Int { table.rowSize }

  var notices: [LayoutNotice] { table.notices }

  var selectedCount: Int { table.selectedCount }

  var states: [EvaluationState] { table.states }
}

extension PagedPainter {
  /// Writes what was drawn.
  private mutating func append(to out: inout ByteBuffer) {
    lineCount += part.lineCount
    out.append(part.span)
  }

  /// The number of lines that the footer of the section takes.
  private mutating func height(of footers: [FooterLine]) -> Int {
    let checkpoint = table.form.checkpoint
    part.removeAll()
    table.paintSectionEnd(footers: footers, into: &part)
    table.form.checkpoint = checkpoint
    return part.lineCount - table.form.bottomPadding
  }

  /// Writes the held row.
  ///
  /// Starts a new page if it does not fit.
  ///
  /// - Parameter height: the number of lines below it that must be on the same page.
  private mutating func placeRow(above height: Int, into out: inout ByteBuffer) {
    let held = heldRow.take()
    if rowCount > 0 {
      let checkpoint = table.form.checkpoint
      part.removeAll()
      drawSpace()
      let needed = part.lineCount + row.lineCount + height + footHeight
      table.form.checkpoint = checkpoint
      if lineCount + needed > lineLimit { endPage(into: &out) }
    }
    // Nothing is above the first row of a page that its cells could repeat.
    if rowCount == 0, table.repeatsCells, let held {
      let counts = table.form.counts
      row.removeAll()
      table.repaintRow(held.batch, held.row, into: &row)
      table.form.counts = counts
    }
    if isOnPage {
      part.removeAll()
      table.paintSpace(into: &part)
      append(to: &out)
    } else {
      beginSectionOnPage(into: &out)
      appendBlankLines(into: &out)
    }
    placeLines(into: &out)
    rowCount += 1
  }

  /// Writes the lines of the row: all on this page, unless it is taller than a page.
  private mutating func placeLines(into out: inout ByteBuffer) {
    var left = row.lineCount
    var start = 0
    while rowCount == 0 || start > 0 {
      let room = lineLimit - lineCount - footHeight
      guard left > room, room > 0 else { break }
      let end = row.span.end(ofLines: room, from: start)
      out.append(row.span.extracting(start..<end))
      left -= room
      start = end
      endPage(into: &out)
      beginSectionOnPage(into: &out)
      appendBlankLines(into: &out)
    }
    out.append(row.span.extracting(start...))
    lineCount += left
  }

  /// Draws the footer and the end of a page.
  private mutating func paintFoot(_ footers: [FooterLine]) {
    table.paintFooters(footers, into: &part)
    table.paintClosing(into: &part)
  }

  /// Draws the space above the held row.
  private mutating func drawSpace() {
    if isOnPage { return table.paintSpace(into: &part) }
    table.paintSectionStart(heading: heading, into: &part)
    table.form.appendTopPadding(to: &part)
  }

  /// Writes the start of the section on this page.
  ///
  /// Repeats it if the section began on an earlier page.
  private mutating func beginSectionOnPage(into out: inout ByteBuffer) {
    let counts = table.form.counts
    part.removeAll()
    table.paintSectionStart(heading: heading, into: &part)
    if isBegun { table.form.counts = counts }
    append(to: &out)
    (isBegun, isOnPage) = (true, true)
  }

  private mutating func appendBlankLines(into out: inout ByteBuffer) {
    part.removeAll()
    table.form.appendTopPadding(to: &part)
    append(to: &out)
  }

  /// Ends the page with the footer, and begins the next one with the header.
  private mutating func endPage(into out: inout ByteBuffer) {
    let counts = table.form.counts
    part.removeAll()
    if isOnPage { table.paintSectionEnd(footers: [], into: &part) }
    paintFoot(footers)
    append(to: &out)
    (lineCount, rowCount, isOnPage) = (0, 0, false)
    part.removeAll()
    table.form.appendNextTitles(to: &part)
    append(to: &out)
    table.form.counts = counts
  }
}

extension ByteBuffer {
  /// The number of lines that end in it.
  fileprivate var lineCount: Int {
    let bytes = span
    var count = 0
    for index in bytes.indices where bytes[index] == 0x0A { count &+= 1 }
    return count
  }
}

extension Span<UInt8> {
  /// The end of the `count` lines that begin at `start`.
  fileprivate func end(ofLines count: Int, from start: Int) -> Int {
    var (offset, left) = (start, count)
    while offset < self.count, left > 0 {
      if self[offset] == 0x0A { left &-= 1 }
      offset &+= 1
    }
    return offset
  }
}
