/// A painter for human readers.
///
/// It writes the parts of a table or its cards. The loop over rows is the same for text, Markdown and HTML, so it is
/// written once, below, and calls each part in turn.
protocol DisplayPainter: Painter, SendableMetatype, ~Copyable {
  /// How far the rows were painted.
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

  /// Writes what stands above the rows of a section, its heading among it if it has one.
  mutating func paintSectionStart(heading: [UInt8]?, into out: inout ByteBuffer)

  /// Gets ready to go on after rows of a section that another painter began.
  mutating func resumeSection(hasHeading: Bool)

  /// Writes the space above the current row.
  func paintSpace(into out: inout ByteBuffer)

  /// Writes the row the walk is at, and adds to the walk what its cells hold that no text should.
  mutating func paintRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer)

  /// Writes what stands below the rows of a section, its footer lines among it.
  mutating func paintSectionEnd(footers: [FooterLine], into out: inout ByteBuffer)

  /// Writes what stands above the first line of a footer.
  mutating func paintFooterStart(into out: inout ByteBuffer)

  /// Writes a line of the footer.
  ///
  /// - Parameter number: how many lines of the footer stand above it.
  mutating func paintFooter(_ footer: FooterLine, number: Int, into out: inout ByteBuffer)

  /// Writes what stands below the last line of a footer.
  func paintFooterEnd(into out: inout ByteBuffer)

  /// Writes the form that stands in the frame of the table, below its rows and footer.
  mutating func paintJoinedForm(into out: inout ByteBuffer)

  /// Writes what stands below the table.
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
  /// The number of the row the walk is at, from 1: how many were painted, by this painter or by others before it.
  var number = 0

  /// How many rows stand above the section.
  fileprivate var sectionStart = 0

  /// The number of the section the walk is in, from 1.
  fileprivate(set) var section = 0

  /// How many rows of the section were painted, the one the walk is at among them.
  @inline(__always)
  var sectionCount: Int { number &- sectionStart }

  /// Where the walk is.
  @inline(__always)
  var position: RowPosition { RowPosition(number: number, section: section, sectionCount: sectionCount) }

  /// What the cells of the row the walk is at hold that no text should.
  var found = CellFindings()

  /// What the cells of the rows before it do.
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

  /// Goes on after so many rows that other painters painted.
  ///
  /// - Parameters:
  ///   - section: the number of the section that the last of them is in, from 1.
  ///   - start: how many rows stand above that section.
  mutating func resume(at number: Int, inSection section: Int, from start: Int) {
    self.number = number
    self.section = section
    sectionStart = start
  }

  /// Keeps nothing of large batches, once their rows are painted.
  mutating func endRows() { tally.releaseLargeBatches() }

  /// Takes note of what the cells of the row hold, before the walk goes on.
  @inline(__always)
  mutating func endRow(_ batch: Batch, _ row: Int) {
    if found.isEmpty { return }
    tally.recordFindings(found, batch, row)
    found = CellFindings()
  }
}

// What not every form and layout has.
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

  mutating func settle(total: Int) { styles.settle(total: total) }

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

  mutating func paint(_ rows: Rows, _ range: Range<Int>, into out: inout ByteBuffer) {
    if countsRows {
      walk.number &+= range.count
      return
    }
    if !styles.isEmpty { styles.look(at: rows, range, firstNumber: walk.number &+ 1) }
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

  /// Writes how many rows were painted: all that there is to say of rows without columns.
  private func paintRowCount(into out: inout ByteBuffer) {
    let count = walk.number
    if count > 0 { out.append("(\(count) row\(count == 1 ? "" : "s") without columns)\n") }
  }
}
