/// A table that is about to be drawn: its columns, its rows, its footer, and the measurements so far.
struct ShownTable: ~Copyable {
  /// The columns, except those in the titles of cards.
  var columns: [ShownColumn]

  /// The texts of the cells of each column; only for display forms.
  let texts: [CellText]

  /// The content of each card's title.
  let cardTitle: [CellText]

  /// The styles of rows and cells.
  var styles: RowStyles

  /// The columns that were known when the table was begun.
  let schema: Schema

  /// The rows known so far.
  var rows: any RowStore = Rows()

  /// Whether all rows are known; otherwise the rest is read while these are painted.
  var hasAllRows = true

  /// The number of rows recorded so far.
  private(set) var rowCount = 0

  /// The rows that were examined before the first is drawn.
  var lookAhead = LookAhead.all

  /// The footer lines, which record the shown rows.
  private(set) var footers: FooterLines

  /// The room for the footer's data.
  private var footerRoom: AggregateRoom

  /// The sections of the rows.
  var sections = Sections()

  /// Whether sections are found as rows are recorded, which must be all.
  private var findsSections = false

  /// The measurements of the cells.
  var measured: Measured

  /// The smallest and the largest numbers of columns with bars or heat.
  private(set) var extents: ExtentMeasure

  /// Whether all cells were measured on the way.
  var isMeasured = false

  /// What is measured of rows on the way.
  struct Measures: RowMeasure {
    fileprivate var cells: Measured
    fileprivate var extents: ExtentMeasure
    fileprivate let drawsByExtent: Bool

    mutating func measure(_ rows: Rows, _ range: Range<Int>, firstNumber number: Int) {
      cells.measure(rows, range, firstNumber: number)
      if drawsByExtent { extents.measure(rows, range, firstNumber: number) }
    }

    mutating func merge(_ other: Measures) {
      cells.merge(other.cells)
      extents.merge(other.extents)
    }
  }

  /// The measurements of the cells of a table whose widths depend on them.
  enum Measured: RowMeasure {
    /// Nothing, if no width depends on cells.
    case nothing

    /// Their widths as text.
    case text(Measurement<TextContext>)

    /// Their widths as Markdown.
    case markdown(Measurement<MarkdownText>)

    mutating func measure(_ rows: Rows, _ range: Range<Int>, firstNumber number: Int) {
      switch self {
      case .text(var measurement):
        // The measurement has one owner while it is changed, or it would be copied.
        self = .nothing
        measurement.measure(rows, range, firstNumber: number)
        self = .text(measurement)
      case .markdown(var measurement):
        self = .nothing
        measurement.measure(rows, range, firstNumber: number)
        self = .markdown(measurement)
      case .nothing: break
      }
    }

    mutating func merge(_ other: Measured) {
      switch (self, other) {
      case (.text(var measurement), .text(let other)):
        measurement.merge(other)
        self = .text(measurement)
      case (.markdown(var measurement), .markdown(let other)):
        measurement.merge(other)
        self = .markdown(measurement)
      default: break
      }
    }
  }

  /// Begins a table with the columns known so far.
  init(_ columns: inout Columns, _ plan: Plan, _ schedule: Schedule) throws(Failure) {
    let (choice, footers, templates) = try columns.chooseShownColumns()
    let styles = try columns.styles(of: choice.fields)
    self.styles = styles
    extents = ExtentMeasure(styles)
    self.columns = choice.fields
    self.footers = footers
    footerRoom = AggregateRoom(schedule.roomForFooter)
    schema = columns.begun
    let isDisplay = plan.output.form.isDisplay
    texts = isDisplay ? choice.fields.map { CellText($0) } : []
    cardTitle =
      isDisplay ? choice.names.map { CellText($0) } + (templates.cardTitle.map { [CellText($0)] } ?? []) : []
    measured =
      switch DrawingKind(plan) {
      case .text: .text(Measurement(choice.fields, texts, TextContext(plan.layout, marks: plan.marks)))
      case .markdown where schedule.measuring != .first(0):
        .markdown(Measurement(choice.fields, texts, MarkdownText(plan.layout, marks: plan.marks)))
      default: .nothing
      }
  }

  /// Creates a second table of the same rows, which may be drawn in another way.
  init(copying other: borrowing ShownTable) {
    columns = other.columns
    texts = other.texts
    cardTitle = other.cardTitle
    styles = other.styles
    schema = other.schema
    rows = other.rows
    hasAllRows = other.hasAllRows
    rowCount = other.rowCount
    lookAhead = other.lookAhead
    footers = other.footers
    footerRoom = other.footerRoom
    sections = other.sections
    measured = other.measured
    extents = other.extents
    isMeasured = other.isMeasured
  }

  /// What is measured of rows on the way: nothing at first.
  var measures: Measures {
    get { Measures(cells: measured, extents: extents, drawsByExtent: styles.drawsByExtent) }
    set { (measured, extents) = (newValue.cells, newValue.extents) }
  }

  /// Whether headings and footers of sections affect widths.
  var measuresSections: Bool { if case .nothing = measured { false } else { true } }

  /// Whether rows are measured on the way.
  var measuresRows: Bool { measuresSections || styles.drawsByExtent }

  /// Records shown rows, in order.
  mutating func recordRows(_ rows: Rows) throws(Failure) {
    rowCount += rows.count
    if footers.needsRows {
      try rows.forEachRun { (batch, numbers) throws(Failure) in
        footers.accumulate(batch, numbers)
        if footers.keepsMore { try footerRoom.spillIfFull(&footers, option: "--footer") }
      }
    }
    if findsSections, sections.keepsFound { try sections.find(in: rows) }
  }

  /// Finds the sections of the rows recorded from now on, which must be all.
  mutating func beginFindingSections() { findsSections = !sections.isWhole }

  /// Ends finding sections, once all rows have been recorded.
  mutating func endFindingSections() {
    if findsSections { sections.endFinding(isAll: true) }
    findsSections = false
  }

  /// Shows the last records of the input as lines of the footer.
  mutating func showFooterRows(_ footerRows: [Rows]) { footers.show(footerRows, columns) }

  /// Reserves `count` lines of the footer, which are not known yet.
  mutating func expectFooterRows(_ count: Int) { footers.expect(count, columns) }

  /// Records all known rows; those in a file are only read if footers or sections need them.
  mutating func recordAllRows() throws(Failure) {
    if let rows = rows.inMemory { return try recordRows(rows) }
    guard footers.needsRows || findsSections else {
      rowCount += rows.count
      return
    }
    let store = rows
    try store.forEachPiece(failing: Failure.init(reading:)) { (rows, _) throws(Failure) in
      try recordRows(rows)
    }
  }
}

extension ShownTable {
  /// Calls `body` with the first `count` known rows in order, some at a time, and the number of rows before them.
  func forEachPiece(ofFirst count: Int, _ body: (Rows, Int) throws(Failure) -> Void) throws(Failure) {
    let pieces = try Failure.reading { () throws(SystemError) in try rows.pieces(of: count, rowSize: 0) }
    var (number, start) = (0, 0)
    while start < count, let piece = try Failure.reading({ () throws(SystemError) in try pieces(number) }) {
      var rows = piece.own
      if rows.count > count - start { rows.ids.removeLast(rows.count - (count - start)) }
      try body(rows, start)
      start += rows.count
      number += 1
    }
  }

  /// Calls `body` with the known rows in order, some at a time; it may be called again.
  func forEachPiece(_ body: (Rows) throws(Failure) -> Void) throws(Failure) {
    try rows.forEachPiece(failing: Failure.init(reading:)) { (rows, _) throws(Failure) in try body(rows) }
  }

  /// The rows in pieces for several threads, of about `size` rows each, fewer if they are large; `nil` before
  /// all are known.
  ///
  /// - Parameter rowSize: the bytes that are painted of a row, whatever its cells hold.
  func pieces(of size: Int, rowSize: Int) throws(Failure) -> RowPieces? {
    guard hasAllRows else { return nil }
    return try Failure.reading { () throws(SystemError) in try rows.pieces(of: size, rowSize: rowSize) }
  }
}
