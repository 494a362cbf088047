/// The bound `--section-by`, `--section-header` and `--section-footer`: the step that divides rows into
/// sections.
struct BoundSections: Step {
  /// What stands below the rows of a section.
  private enum Foot {
    case columns(BoundFooter)
    case text(FooterTemplate)
  }

  private let breaks: SectionBreaks
  private let header: FooterTemplate?
  private let footer: Foot?
  private let source: SourceExpression
  private let context: EvaluationContext
  private let budget: Int

  /// Whether sections are drawn.
  ///
  /// Data forms ignore them.
  private let isDrawn: Bool

  /// Binds what was asked for.
  init(_ options: SectionOptions, _ plan: borrowing Plan, _ binder: inout Binder) throws(Failure) {
    source = options.value
    context = binder.context
    budget = plan.memory
    isDrawn = plan.output.form.isDisplay
    do {
      breaks = SectionBreaks(try binder.bind(options.value), missing: plan.layout.missing)
      header =
        if let header = options.header {
          try binder.bind(footer: header, given: SectionOptions.name)
        } else { nil }
      if case .text(let template)? = options.footer {
        footer = .text(try binder.bind(footer: template, given: SectionOptions.name))
        return
      }
    } catch { throw .expression(error) }
    guard case .columns(let lines)? = options.footer else {
      footer = nil
      return
    }
    footer = .columns(
      try BoundFooter(lines, option: "--section-footer", given: SectionOptions.name, &binder))
  }

  /// Templates and the expression may ask for the position of a row.
  var demands: StepDemands { isDrawn ? .places : [] }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    guard isDrawn else { return [] }
    var parting = PlannedStep.Holding.batch
    if header?.needsRows ?? false { parting = schedule.recordsSections ? .headings : .spilled(.section) }
    var steps = [PlannedStep(work: .sections, holding: parting)]
    if let header, header.holding != .little {
      steps.append(PlannedStep(work: .sectionHeader, holding: header.holding.planned))
    }
    let below: AggregateHolding =
      switch footer {
      case .columns(let footer): footer.holding
      case .text(let template): template.holding
      case nil: .little
      }
    if below != .little { steps.append(PlannedStep(work: .sectionFooter, holding: below.planned)) }
    return steps
  }

  /// The sections of a table.
  func sections(of table: borrowing ShownTable) throws(Failure) -> any TableSections {
    guard isDrawn else { return OneSection() }
    var foot = Sections.Foot.none
    switch footer {
    case .columns(let footer):
      var schema = table.schema
      do { foot = .lines(try FooterLines([footer], table.columns, &schema, context)) } catch {
        throw .column(option: "--section-footer", error)
      }
    case .text(let template): foot = .text(template)
    case nil: break
    }
    return Sections(breaks, source, header: header, foot: foot, budget: budget)
  }
}

/// The sections of a table while its rows go by.
///
/// If the header uses aggregates, the rows of a section are held until it ends. Beyond the budget they are
/// spilled.
struct Sections: TableSections {
  /// What stands below the rows of a section.
  enum Foot: Sendable {
    /// Nothing.
    case none
    /// A text over all columns.
    case text(FooterTemplate)
    /// Texts under their columns.
    case lines(FooterLines)
  }

  /// The open section.
  private struct Section {
    var header: FooterTemplate?
    var foot: Foot

    /// Whether its heading has been sent.
    var isBegun = false

    /// Its rows, as long as they wait for the heading.
    var held: StoredRows?

    /// The range of current rows that wait for the heading.
    var waiting = 0..<0
  }

  private var breaks: SectionBreaks
  private let source: SourceExpression
  private let header: FooterTemplate?
  private let foot: Foot
  private let budget: Int
  private var section: Section?
  private var isOutline = false
  private var templateFailure: EvaluationFailure?

  /// The cells that did not convert in headers and footers, by column.
  private var misfits: [String: ConversionTally.Entry] = [:]

  /// The texts in headers and footers that are too long.
  private var others = ConversionTally(entries: [])

  /// Parts rows.
  ///
  /// - Parameters:
  ///   - source: the expression that parts them, as it was typed.
  ///   - header: what names a section.
  ///   - foot: what stands below its rows.
  ///   - budget: the bytes that rows may take in memory before they go to a temporary file.
  init(
    _ breaks: SectionBreaks, _ source: SourceExpression, header: FooterTemplate?, foot: Foot, budget: Int
  ) {
    self.breaks = breaks
    self.source = source
    self.header = header
    self.foot = foot
    self.budget = budget
  }

  var isWhole: Bool { false }

  func recorded(rowCount: Int) -> RecordedSections? { nil }

  var outline: Sections {
    var outline = self
    outline.isOutline = true
    return outline
  }

  mutating func take(_ rows: Rows, _ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    var start = 0
    for next in breaks.findStarts(in: rows) {
      try take(rows, start..<next.place, body)
      try close(rows, body)
      try open(next.value, body)
      start = next.place
    }
    try take(rows, start..<rows.count, body)
    try Failure.reading { () throws(SystemError) in try hold(rows) }
  }

  mutating func finish(_ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    guard section == nil else { return try close(Rows(), body) }
    try body(.begin(heading: nil))
    try body(.end(footers: []))
  }

  var failure: EvaluationFailure? { breaks.state.failure ?? templateFailure }

  var notices: [Notice] {
    let cuts: [Notice] = breaks.cutCount > 0 ? [.layout(.longCells(breaks.cutCount, first: nil))] : []
    guard let (count, first) = breaks.returned else { return cuts }
    let isExpression = !breaks.isColumn || source.text.utf8.first == UInt8(ascii: "$")
    return cuts
      + [.sectionsCameBack(count: count, first: first, key: source.text, isExpression: isExpression)]
  }

  var tallies: [ConversionTally] {
    let entries = misfits.values.sorted { ($0.first?.row ?? 0, $0.column) < ($1.first?.row ?? 0, $1.column) }
    return [breaks.state.tally, ConversionTally(entries: entries), others]
  }
}

extension Sections {
  /// Begins a section.
  private mutating func open(
    _ value: Value, _ body: (SectionPart) throws(Failure) -> Void
  ) throws(Failure) {
    var section = Section(header: header, foot: foot)
    section.header?.given = value
    section.foot.give(value)
    if !(header?.needsRows ?? false) {
      section.isBegun = true
      try body(.begin(heading: section.header?.text))
    }
    self.section = section
  }

  /// Takes rows of the section that is open.
  private mutating func take(
    _ rows: Rows, _ range: Range<Int>, _ body: (SectionPart) throws(Failure) -> Void
  ) throws(Failure) {
    guard section != nil, !range.isEmpty else { return }
    if section?.header?.needsRows ?? false { section?.header?.accumulate(rows, range) }
    if foot.needsRows { section?.foot.take(rows, range) }
    if isOutline || section?.isBegun ?? false {
      try body(.rows(rows, range))
    } else {
      section?.waiting = range
    }
  }

  /// Ends the section that is open.
  ///
  /// - Parameter rows: the current rows.
  private mutating func close(
    _ rows: Rows, _ body: (SectionPart) throws(Failure) -> Void
  ) throws(Failure) {
    guard let section = section.take() else { return }
    if !section.isBegun {
      try body(.begin(heading: section.header?.text))
      try section.held?.forEachPiece(failing: Failure.init(reading:)) { (held, _) throws(Failure) in
        try body(.rows(held, 0..<held.count))
      }
      if !section.waiting.isEmpty { try body(.rows(rows, section.waiting)) }
    }
    try body(.end(footers: section.foot.lines))
    templateFailure = templateFailure ?? section.header?.failure ?? section.foot.failure
    note(section.foot.tallies + (section.header.map { [$0.tally] } ?? []))
  }

  /// Holds the current rows that wait for the heading of their section.
  private mutating func hold(_ rows: Rows) throws(SystemError) {
    guard let waiting = section?.waiting, !waiting.isEmpty else { return }
    section?.waiting = 0..<0
    var own = rows
    own.ids = Array(rows.ids[waiting])
    if section?.held == nil { section?.held = StoredRows() }
    section?.held?.append(own.isSparse() ? own.copied() : own)
    if section?.held?.memory ?? 0 >= budget { try section?.held?.spill() }
  }

  /// Counts the cells that did not convert, each once however many templates of a section saw it.
  private mutating func note(_ tallies: [ConversionTally]) {
    for tally in tallies {
      others.add(longTextsOf: tally)
      others.add(comparedTextsOf: tally)
    }
    var found: [String: ConversionTally.Entry] = [:]
    for entry in tallies.lazy.flatMap(\.entries) where !entry.isEmpty {
      found[entry.column, default: ConversionTally.Entry(column: entry.column, use: entry.use)].widen(entry)
    }
    for (column, entry) in found {
      misfits[column, default: ConversionTally.Entry(column: column, use: entry.use)].merge(entry)
    }
  }
}

extension Sections.Foot {
  /// Whether it depends on the rows.
  fileprivate var needsRows: Bool {
    switch self {
    case .none: false
    case .text(let template): template.needsRows
    case .lines(let lines): lines.needsRows
    }
  }

  /// Sets the value of the name `section`.
  fileprivate mutating func give(_ value: Value) {
    switch self {
    case .none: break
    case .text(var template):
      template.given = value
      self = .text(template)
    case .lines(var lines):
      lines.give(value)
      self = .lines(lines)
    }
  }

  /// Takes in some rows, in their order.
  fileprivate mutating func take(_ rows: Rows, _ range: Range<Int>) {
    switch self {
    case .none: break
    case .text(var template):
      self = .none
      template.accumulate(rows, range)
      self = .text(template)
    case .lines(var lines):
      self = .none
      lines.take(rows, range)
      self = .lines(lines)
    }
  }

  /// The lines of a section, filled by what was seen.
  fileprivate var lines: [FooterLine] {
    switch self {
    case .none: []
    case .text(let template): template.text.map { [.band($0)] } ?? []
    case .lines(let lines): lines.lines
    }
  }

  /// What an expression ended the run for.
  fileprivate var failure: EvaluationFailure? {
    switch self {
    case .none: nil
    case .text(let template): template.failure
    case .lines(let lines): lines.failure
    }
  }

  /// The cells that did not convert.
  fileprivate var tallies: [ConversionTally] {
    switch self {
    case .none: []
    case .text(let template): [template.tally]
    case .lines(let lines): lines.tallies
    }
  }
}

extension FooterTemplate {
  /// What it says by now; `nil` where that is nothing.
  fileprivate var text: [UInt8]? {
    var text = ByteBuffer()
    render(into: &text)
    return text.count == 0 ? nil : text.array()
  }

  /// Takes in some rows, in their order.
  fileprivate mutating func accumulate(_ rows: Rows, _ range: Range<Int>) {
    rows.forEachRun(of: range) { batch, numbers in accumulate(batch, rows: numbers.span) }
  }
}

extension FooterLines {
  /// Takes in some rows, in their order.
  fileprivate mutating func take(_ rows: Rows, _ range: Range<Int>) {
    var own = rows
    if range.count < rows.count { own.ids = Array(rows.ids[range]) }
    take(own)
  }
}

/// Divides the rows of a table into sections, each with an optional heading and footer.
///
/// Rows come in the order they are shown in. A table that nobody parts is `OneSection`.
protocol TableSections: Sendable {
  /// Whether the table is one section without heading and footer.
  var isWhole: Bool { get }

  /// A copy that holds no rows, for measuring: the heading of a section may come after its rows.
  var outline: Self { get }

  /// The sections of all rows, if they are known before the rows go by.
  ///
  /// - Parameter rowCount: the number of rows.
  func recorded(rowCount: Int) -> RecordedSections?

  /// Adds rows and passes on what can be painted.
  mutating func take(_ rows: Rows, _ body: (SectionPart) throws(Failure) -> Void) throws(Failure)

  /// Passes on the rest after the last row.
  mutating func finish(_ body: (SectionPart) throws(Failure) -> Void) throws(Failure)

  /// What an expression ended the run for.
  var failure: EvaluationFailure? { get }

  /// Notices for the user.
  var notices: [Notice] { get }

  /// The cells that did not convert.
  var tallies: [ConversionTally] { get }
}

/// A part of a table, on its way to be painted.
enum SectionPart {
  /// A section begins, with the text over all columns that names it if it has one.
  case begin(heading: [UInt8]?)
  /// Some of its rows come next.
  case rows(Rows, Range<Int>)
  /// It ends with these footer lines.
  case end(footers: [FooterLine])
}

/// All rows in one section.
struct OneSection: TableSections {
  private var isBegun = false

  var isWhole: Bool { true }

  var outline: OneSection { OneSection() }

  func recorded(rowCount: Int) -> RecordedSections? { RecordedSections(rowCount: rowCount) }

  mutating func take(_ rows: Rows, _ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    try begin(body)
    try body(.rows(rows, 0..<rows.count))
  }

  mutating func finish(_ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    try begin(body)
    try body(.end(footers: []))
  }

  private mutating func begin(_ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    if !isBegun { try body(.begin(heading: nil)) }
    isBegun = true
  }

  var failure: EvaluationFailure? { nil }

  var notices: [Notice] { [] }

  var tallies: [ConversionTally] { [] }
}

/// The sections of a table all of whose rows were seen: where each begins and ends, and what stands above and below it.
///
/// Nothing is evaluated a second time, no row waits for a heading, and several threads can paint the rows.
struct RecordedSections: TableSections {
  /// One section.
  struct Section {
    /// Its rows, counted from 0.
    var rows: Range<Int>

    /// The text over all columns that names it.
    var heading: [UInt8]?

    /// The lines below its rows.
    var footers: [FooterLine] = []
  }

  /// The sections in their order; none is without rows unless there are none at all.
  private let sections: [Section]

  let failure: EvaluationFailure?

  let notices: [Notice]

  let tallies: [ConversionTally]

  /// The section that comes next or is open, and how many rows went by.
  private var index = 0
  private var rowCount = 0
  private var isBegun = false

  /// The sections that were recorded.
  ///
  /// - Parameter source: what parted the rows, for all that there is to say of it.
  init(_ sections: [Section], of source: any TableSections) {
    self.sections = sections
    failure = source.failure
    notices = source.notices
    tallies = source.tallies
  }

  /// All rows in one section.
  init(rowCount: Int) { self.init([Section(rows: 0..<rowCount)], of: OneSection()) }

  var isWhole: Bool { false }

  var outline: RecordedSections { self }

  func recorded(rowCount: Int) -> RecordedSections? { self }

  mutating func take(_ rows: Rows, _ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    var start = 0
    while start < rows.count {
      try begin(body)
      let next = min(rows.count, start + sections[index].rows.upperBound - rowCount)
      try body(.rows(rows, start..<next))
      rowCount += next - start
      start = next
      if rowCount == sections[index].rows.upperBound { try end(body) }
    }
  }

  mutating func finish(_ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    while index < sections.count {
      try begin(body)
      try end(body)
    }
  }

  private mutating func begin(_ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    if !isBegun { try body(.begin(heading: sections[index].heading)) }
    isBegun = true
  }

  private mutating func end(_ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    try body(.end(footers: sections[index].footers))
    index += 1
    isBegun = false
  }
}

extension RecordedSections {
  /// Paints what stands above the first row of the table.
  func paintStart(with painter: inout some DisplayPainter & ~Copyable, into out: inout ByteBuffer) {
    painter.beginSection(heading: sections.first?.heading, into: &out)
  }

  /// Paints some rows, and what stands between the sections they are of: between two rows that are in different
  /// pieces it belongs to the later one.
  func paint(
    _ piece: RowPiece, with painter: inout some DisplayPainter & ~Copyable, into out: inout ByteBuffer
  ) {
    resume(painter: &painter, at: piece.start)
    var index = place(before: piece.start)
    let distance = piece.range.lowerBound - piece.start
    let end = piece.start + piece.range.count
    var start = piece.start
    while start < end {
      let next = min(sections[index].rows.upperBound, end)
      if start < next { painter.paint(piece.rows, start + distance..<next + distance, into: &out) }
      start = next
      if start == end { return }
      painter.endSection(footers: sections[index].footers, into: &out)
      index += 1
      painter.beginSection(heading: sections[index].heading, into: &out)
    }
  }

  /// Paints what stands below the last row of the table, with a painter that began it.
  func paintEnd(with painter: inout some DisplayPainter & ~Copyable, into out: inout ByteBuffer) {
    resume(painter: &painter, at: sections.last?.rows.upperBound ?? 0)
    painter.endSection(footers: sections.last?.footers ?? [], into: &out)
  }

  /// Gets a painter ready for what comes after so many rows.
  private func resume(painter: inout some DisplayPainter & ~Copyable, at row: Int) {
    let index = place(before: row)
    painter.walk.resume(at: row, inSection: index + 1, from: sections[index].rows.lowerBound)
    painter.resumeSection(hasHeading: sections[index].heading != nil)
  }

  /// The section of the row before another; the first section of the first row.
  private func place(before row: Int) -> Int {
    var (low, high) = (0, sections.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sections[middle].rows.upperBound < row { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Records the sections of a table while its rows are read.
///
/// It gives up where there are so many that they take too much memory.
struct SectionRecorder {
  private var outline: any TableSections
  private var record: Record

  /// What was recorded so far.
  fileprivate struct Record {
    var sections: [RecordedSections.Section] = []

    /// The section that is open.
    var open = RecordedSections.Section(rows: 0..<0)

    /// The bytes that sections may still take; negative once there are too many.
    var room: Int
  }

  /// Begins to record.
  ///
  /// - Parameters:
  ///   - sections: what parts the rows.
  ///   - room: the bytes that what is recorded may take.
  init(_ sections: any TableSections, room: Int) {
    outline = sections.outline
    record = Record(room: room)
  }

  /// Takes in the next rows.
  mutating func take(_ rows: Rows) throws(Failure) {
    if record.room < 0 { return }
    var record = Record(room: 0)
    swap(&record, &self.record)
    defer { swap(&record, &self.record) }
    try outline.take(rows) { (part) throws(Failure) in record.add(part) }
  }

  /// The sections of all rows; `nil` where there are too many.
  mutating func finish() throws(Failure) -> RecordedSections? {
    var record = record
    try outline.finish { (part) throws(Failure) in record.add(part) }
    return record.room < 0 ? nil : RecordedSections(record.sections, of: outline)
  }
}

extension SectionRecorder.Record {
  /// Takes in the next part of the table.
  mutating func add(_ part: SectionPart) {
    switch part {
    case .begin(let heading): open.heading = heading
    case .rows(_, let range): open.rows = open.rows.lowerBound..<open.rows.upperBound + range.count
    case .end(let footers):
      open.footers = footers
      room -= open.memory
      if room < 0 { sections = [] } else { sections.append(open) }
      let end = open.rows.upperBound
      open = RecordedSections.Section(rows: end..<end)
    }
  }
}

extension RecordedSections.Section {
  /// The bytes that it takes, about.
  fileprivate var memory: Int {
    var texts = [heading]
    for footer in footers {
      switch footer {
      case .band(let text): texts.append(text)
      case .cells(let line), .titles(let line): texts += line
      }
    }
    // An array takes 32 bytes for itself.
    let sizes = texts.reduce(0) { $0 + MemoryLayout<[UInt8]?>.stride + ($1.map { $0.count + 32 } ?? 0) }
    return MemoryLayout<Self>.stride + footers.count * 64 + sizes
  }
}
