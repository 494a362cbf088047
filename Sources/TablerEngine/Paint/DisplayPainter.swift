/// A painter for human readers.
///
/// It writes the parts of a table or its cards. The loop over rows is the same for text, Markdown and HTML,
/// so it is written once, below, and calls each part in turn.
protocol DisplayPainter: Painter, ~Copyable {
  /// The progress of painting rows.
  var walk: RowWalk { get set }

  /// The styles of rows and cells.
  var styles: RowStyles { get set }

  /// The evaluation state of the templates of its texts.
  var templateStates: [EvaluationState] { get }

  /// Whether a footer may repeat titles.
  ///
  /// Cards have none.
  static var hasTitles: Bool { get }

  /// Whether rows are only counted, because there are no columns.
  var countsRows: Bool { get }

  /// Whether a row depends on earlier rows only through its number.
  var standsAlone: Bool { get }

  /// Notices about the layout so far.
  var layoutNotices: [LayoutNotice] { get }

  /// Writes the start of the output.
  mutating func paintOpening(into out: inout ByteBuffer)

  /// Writes the titles of the columns.
  mutating func paintTitles(into out: inout ByteBuffer)

  /// Writes what precedes the rows of a section, including its heading if it has one.
  mutating func paintSectionStart(heading: [UInt8]?, into out: inout ByteBuffer)

  /// Prepares to continue after rows of a section that another painter began.
  mutating func resumeSection(hasHeading: Bool)

  /// Writes the space above the current row.
  mutating func paintSpace(into out: inout ByteBuffer)

  /// Writes the current row of the walk, and adds the findings in its cells to the walk.
  mutating func paintRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer)

  /// Writes a text in place of rows that are left out; no space comes above the row after it.
  mutating func paintGapLine(_ text: [UInt8], into out: inout ByteBuffer)

  /// Writes what follows the rows of a section, including its footer lines.
  mutating func paintSectionEnd(footers: [FooterLine], into out: inout ByteBuffer)

  /// Writes what precedes the first line of a footer.
  mutating func paintFooterStart(into out: inout ByteBuffer)

  /// Writes a line of the footer.
  ///
  /// - Parameter number: the number of footer lines above it.
  mutating func paintFooter(_ footer: FooterLine, number: Int, into out: inout ByteBuffer)

  /// Writes what follows the last line of a footer.
  func paintFooterEnd(into out: inout ByteBuffer)

  /// Writes the form inside the frame of the table, below its rows and footer.
  mutating func paintJoinedForm(into out: inout ByteBuffer)

  /// Writes what follows the table.
  func paintClosing(into out: inout ByteBuffer)

  /// Writes the end of the output, even if rows are only counted.
  func paintEnding(into out: inout ByteBuffer)
}

/// Where a walk over rows is.
struct RowPosition {
  /// The number of the row, from 1, and that of its section.
  let number: Int
  let section: Int

  /// How many rows of the section were painted, this one among them.
  let sectionCount: Int
}

/// The progress of the row loop, and its findings.
struct RowWalk: Sendable {
  /// The number of the current row, from 1: the number of rows painted, by this painter or by earlier ones.
  var number = 0

  /// The number of rows before the section.
  fileprivate var sectionStart = 0

  /// The number of the current section, from 1.
  fileprivate(set) var section = 0

  /// The number of painted rows of the section, including the current one.
  @inline(__always)
  var sectionCount: Int { number &- sectionStart }

  /// Where the walk is.
  @inline(__always)
  var position: RowPosition { RowPosition(number: number, section: section, sectionCount: sectionCount) }

  /// What the cells of the row the walk is at hold that no text should.
  var found = CellFindings()

  /// The findings in the cells of earlier rows.
  private var tally = FindingsTally()

  /// The sum of prefetched bytes.
  ///
  /// Storing it keeps the compiler from removing the reads.
  fileprivate var warmth: UInt8 = 0

  /// Notices about the content of cells.
  fileprivate var notices: [LayoutNotice] { tally.notices }

  /// Begins the next section.
  mutating func beginSection() {
    sectionStart = number
    section += 1
  }

  /// Leaves out `count` rows; the next one is like the first of its section.
  mutating func skip(_ count: Int) {
    number += count
    sectionStart = number
  }

  /// Continues after rows that other painters painted.
  ///
  /// - Parameters:
  ///   - section: the number of the section that contains the last of them, from 1.
  ///   - start: the number of rows before that section.
  mutating func resume(at number: Int, inSection section: Int, from start: Int) {
    self.number = number
    self.section = section
    sectionStart = start
  }

  /// Releases large batches, once their rows are painted.
  mutating func endRows() { tally.releaseLargeBatches() }

  /// Records the findings in the cells of the row, before the walk continues.
  @inline(__always)
  mutating func endRow(_ batch: Batch, _ row: Int) {
    if found.isEmpty { return }
    tally.recordFindings(found, batch, row)
    found = CellFindings()
  }
}

// Parts that some forms and layouts lack.
extension DisplayPainter where Self: ~Copyable {
  static var hasTitles: Bool { true }
  var countsRows: Bool { false }
  var layoutNotices: [LayoutNotice] { [] }
  mutating func paintTitles(into out: inout ByteBuffer) {}
  mutating func resumeSection(hasHeading: Bool) {}
  func paintSpace(into out: inout ByteBuffer) {}
  func paintFooterStart(into out: inout ByteBuffer) {}
  func paintFooterEnd(into out: inout ByteBuffer) {}
  mutating func paintJoinedForm(into out: inout ByteBuffer) {}
  func paintClosing(into out: inout ByteBuffer) {}
  func paintEnding(into out: inout ByteBuffer) {}
}

// The walk.
extension DisplayPainter where Self: ~Copyable {
  var notices: [LayoutNotice] { layoutNotices + walk.notices + styles.notices }

  var selectedCount: Int { styles.selectedCount }

  mutating func setRowCount(_ count: Int) { styles.setRowCount(count) }

  var states: [EvaluationState] { templateStates + styles.states }

  /// True unless a template has state.
  var standsAlone: Bool { templateStates.isEmpty }

  mutating func begin(into out: inout ByteBuffer) {
    paintOpening(into: &out)
    if !countsRows { paintTitles(into: &out) }
  }

  mutating func beginSection(heading: [UInt8]?, into out: inout ByteBuffer) {
    walk.beginSection()
    if !countsRows { paintSectionStart(heading: heading, into: &out) }
  }

  /// Prepares to continue after rows that other painters painted.
  ///
  /// - Returns: the walk over the rows that come next.
  mutating func resume(after count: Int, in list: SectionList) -> SectionCursor {
    let cursor = SectionCursor(after: count, of: list)
    let section = list[cursor.index]
    walk.resume(at: count, inSection: cursor.index + 1, from: section.rows.lowerBound)
    resumeSection(hasHeading: section.heading != nil)
    return cursor
  }

  mutating func paint(_ rows: Rows, _ range: Range<Int>, into out: inout ByteBuffer) {
    if countsRows {
      walk.number &+= range.count
      return
    }
    if !styles.isEmpty { styles.evaluateRules(for: rows, range, firstNumber: walk.number &+ 1) }
    var index = range.lowerBound
    var warm = index
    let isScattered = rows.isScattered(range)
    while index < range.upperBound {
      if isScattered, index >= warm {
        let next = min(warm &+ 32, range.upperBound)
        walk.warmth &+= rows.touch(warm..<next)
        warm = next
      }
      let number = rows.ids[index].batch
      let batch = rows.batches[number]
      repeat {
        let row = rows.ids[index].row
        walk.number &+= 1
        paintSpace(into: &out)
        paintRow(batch, row, into: &out)
        walk.endRow(batch, row)
        index &+= 1
      } while index < range.upperBound && rows.ids[index].batch == number
    }
    walk.endRows()
  }

  mutating func paintGap(_ text: [UInt8], of count: Int, into out: inout ByteBuffer) {
    if !countsRows { paintGapLine(text, into: &out) }
    walk.skip(count)
  }

  mutating func endSection(footers: [FooterLine], into out: inout ByteBuffer) {
    if countsRows { return }
    let drawn = Self.hasTitles ? footers : footers.filter { !$0.repeatsTitles }
    paintSectionEnd(footers: drawn, into: &out)
  }

  mutating func end(footers: [FooterLine], into out: inout ByteBuffer) {
    if countsRows {
      paintRowCount(into: &out)
      return paintEnding(into: &out)
    }
    paintFooters(footers, into: &out)
    paintJoinedForm(into: &out)
    paintClosing(into: &out)
    paintEnding(into: &out)
  }

  /// Writes the footer.
  mutating func paintFooters(_ footers: [FooterLine], into out: inout ByteBuffer) {
    var count = 0
    for footer in footers where Self.hasTitles || !footer.repeatsTitles {
      if count == 0 { paintFooterStart(into: &out) }
      paintFooter(footer, number: count, into: &out)
      count += 1
    }
    if count > 0 { paintFooterEnd(into: &out) }
  }

  /// Writes how many rows were painted: the whole output for rows without columns.
  private func paintRowCount(into out: inout ByteBuffer) {
    let count = walk.number
    if count > 0 { out.append("(\(count) row\(count == 1 ? "" : "s") without columns)\n") }
  }
}
