/// The bound `--section-by`, `--section-header` and `--section-footer`: the step that divides rows into
/// sections.
struct BoundSections: Step {
  /// The content of a section's footer.
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

  /// Binds the options.
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

  /// Templates and the expression may use the place of a row.
  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands {
    guard let sections = plan.layout.sections else { return [] }
    let held: StepDemands = sections.header == nil ? [] : .records
    return plan.output.form.isDisplay ? held.union(.places) : held
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    guard isDrawn else { return [] }
    var parting = PlannedStep.HeldAmount.batch
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
  func sections(of columns: [ShownColumn], _ schema: Schema) throws(Failure) -> any TableSections {
    guard isDrawn else { return OneSection() }
    var foot = Sections.Foot.none
    switch footer {
    case .columns(let footer):
      var schema = schema
      do { foot = .lines(try FooterLines([footer], columns, &schema, context)) } catch {
        throw .column(option: "--section-footer", error)
      }
    case .text(let template): foot = .text(template)
    case nil: break
    }
    return Sections(breaks, source, header: header, foot: foot, budget: budget)
  }
}

/// The sections of a table while its rows pass.
///
/// If the header uses aggregates, the rows of a section are held until it ends. Beyond the budget they are
/// spilled.
struct Sections: TableSections {
  /// The content of a section's footer.
  enum Foot: Sendable {
    /// Nothing.
    case none
    /// A text across all columns.
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

  /// The rooms for the data of aggregates in headings and footers.
  private var headerRoom: AggregateRoom
  private var footRoom: AggregateRoom

  private var section: Section?
  private var isOutline = false
  private var templateFailure: EvaluationFailure?

  /// The cells that did not convert in headers and footers, by column.
  private var misfits: [String: ConversionTally.ColumnMisfits] = [:]

  /// The texts in headers and footers that are too long.
  private var others = ConversionTally(entries: [])

  /// Creates the sections of a table.
  ///
  /// - Parameters:
  ///   - source: the expression that divides rows, as it was typed.
  ///   - header: the template of headings.
  ///   - foot: the content of footers.
  ///   - budget: the bytes that rows may take in memory before they go to a temporary file.
  init(
    _ breaks: SectionBreaks, _ source: SourceExpression, header: FooterTemplate?, foot: Foot, budget: Int
  ) {
    self.breaks = breaks
    self.source = source
    self.header = header
    self.foot = foot
    self.budget = budget
    headerRoom = AggregateRoom(AggregateRoom.room(ofBudget: budget))
    footRoom = headerRoom
  }

  var isWhole: Bool { false }

  func recorded(rowCount: Int) -> RecordedSections? { nil }

  var outline: Sections {
    var outline = self
    outline.isOutline = true
    return outline
  }

  mutating func addRows(_ rows: Rows, _ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    var start = 0
    for next in breaks.findStarts(in: rows) {
      try addRows(rows, start..<next.place, body)
      try close(rows, body)
      try open(next.value, body)
      start = next.place
    }
    try addRows(rows, start..<rows.count, body)
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
    guard let first = breaks.returned.first else { return cuts }
    let isExpression = !breaks.isColumn || source.text.utf8.first == UInt8(ascii: "$")
    return cuts
      + [
        .sectionsCameBack(
          count: breaks.returned.count, first: first, key: source.text, isExpression: isExpression)
      ]
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
    section.foot.setGiven(value)
    if !(header?.needsRows ?? false) {
      section.isBegun = true
      try body(.begin(heading: section.header?.text))
    }
    self.section = section
  }

  /// Adds rows to the open section.
  private mutating func addRows(
    _ rows: Rows, _ range: Range<Int>, _ body: (SectionPart) throws(Failure) -> Void
  ) throws(Failure) {
    guard section != nil, !range.isEmpty else { return }
    try rows.forEachRun(of: range) { (batch, numbers) throws(Failure) in
      try addToHeader(batch, numbers)
      try addToFoot(batch, numbers)
    }
    if isOutline || section?.isBegun ?? false {
      try body(.rows(rows, range))
    } else {
      section?.waiting = range
    }
  }

  private mutating func addToHeader(_ batch: Batch, _ rows: [UInt32]) throws(Failure) {
    guard var header = section?.header, header.needsRows else { return }
    section?.header = nil
    defer { section?.header = header }
    header.accumulate(batch, rows: rows.span)
    if header.keepsMore { try headerRoom.spillIfFull(&header, option: "--section-header") }
  }

  private mutating func addToFoot(_ batch: Batch, _ rows: [UInt32]) throws(Failure) {
    guard var foot = section?.foot, foot.needsRows else { return }
    section?.foot = .none
    defer { section?.foot = foot }
    foot.accumulate(batch, rows)
    if foot.keepsMore { try footRoom.spillIfFull(&foot, option: "--section-footer") }
  }

  /// Ends the open section.
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
    countMisfits(of: section.foot.tallies + (section.header.map { [$0.tally] } ?? []))
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

  /// Counts the cells that did not convert, each once, however many templates of a section saw it.
  private mutating func countMisfits(of tallies: [ConversionTally]) {
    for tally in tallies {
      others.add(longTextsOf: tally)
      others.add(comparedTextsOf: tally)
    }
    var found: [String: ConversionTally.ColumnMisfits] = [:]
    for entry in tallies.lazy.flatMap(\.entries) where !entry.isEmpty {
      found[entry.column, default: ConversionTally.ColumnMisfits(column: entry.column, use: entry.use)].widen(
        entry)
    }
    for (column, entry) in found {
      misfits[column, default: ConversionTally.ColumnMisfits(column: column, use: entry.use)].merge(entry)
    }
  }
}

extension Sections.Foot: AggregateKeeper {
  var byteCount: Int {
    switch self {
    case .none: 0
    case .text(let template): template.byteCount
    case .lines(let lines): lines.byteCount
    }
  }

  mutating func spill(to file: SpillFile) throws(SystemError) {
    switch self {
    case .none: break
    case .text(var template):
      self = .none
      defer { self = .text(template) }
      try template.spill(to: file)
    case .lines(var lines):
      self = .none
      defer { self = .lines(lines) }
      try lines.spill(to: file)
    }
  }

  /// Whether the memory of its aggregates may grow with the rows.
  fileprivate var keepsMore: Bool {
    switch self {
    case .none: false
    case .text(let template): template.keepsMore
    case .lines(let lines): lines.keepsMore
    }
  }

  /// Whether it depends on the rows.
  fileprivate var needsRows: Bool {
    switch self {
    case .none: false
    case .text(let template): template.needsRows
    case .lines(let lines): lines.needsRows
    }
  }

  /// Sets the value of the name `section`.
  fileprivate mutating func setGiven(_ value: Value) {
    switch self {
    case .none: break
    case .text(var template):
      template.given = value
      self = .text(template)
    case .lines(var lines):
      lines.setGiven(value)
      self = .lines(lines)
    }
  }

  /// Adds some rows, in order.
  fileprivate mutating func accumulate(_ batch: Batch, _ rows: [UInt32]) {
    switch self {
    case .none: break
    case .text(var template):
      self = .none
      template.accumulate(batch, rows: rows.span)
      self = .text(template)
    case .lines(var lines):
      self = .none
      lines.accumulate(batch, rows)
      self = .lines(lines)
    }
  }

  /// The lines of a section, filled with the results so far.
  fileprivate var lines: [FooterLine] {
    switch self {
    case .none: []
    case .text(let template): template.text.map { [.band($0)] } ?? []
    case .lines(let lines): lines.lines
    }
  }

  /// The failure with which an expression ended the run.
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
  /// Its text so far; `nil` if it is empty.
  fileprivate var text: [UInt8]? {
    var text = ByteBuffer()
    render(into: &text)
    return text.count == 0 ? nil : text.array()
  }
}

/// Divides the rows of a table into sections, each with an optional heading and footer.
///
/// Rows come in the order in which they are shown. A table without sections is `OneSection`.
protocol TableSections: Sendable {
  /// Whether the table is one section without heading and footer.
  var isWhole: Bool { get }

  /// A copy that holds no rows, for measuring: the heading of a section may come after its rows.
  var outline: Self { get }

  /// The sections of all rows, if they are known before the rows pass.
  ///
  /// - Parameter rowCount: the number of rows.
  func recorded(rowCount: Int) -> RecordedSections?

  /// Adds rows and passes on what can be painted.
  mutating func addRows(_ rows: Rows, _ body: (SectionPart) throws(Failure) -> Void) throws(Failure)

  /// Passes on the rest after the last row.
  mutating func finish(_ body: (SectionPart) throws(Failure) -> Void) throws(Failure)

  /// The failure with which an expression ended the run.
  var failure: EvaluationFailure? { get }

  /// Notices for the user.
  var notices: [Notice] { get }

  /// The cells that did not convert.
  var tallies: [ConversionTally] { get }
}

/// A part of a table that is passed on to be painted.
enum SectionPart {
  /// A section begins, with the text across all columns that names it if it has one.
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

  mutating func addRows(_ rows: Rows, _ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
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

extension PlannedStep.Work {
  static let sections = Self(rawValue: "--section-by")
  static let sectionHeader = Self(rawValue: "--section-header")
  static let sectionFooter = Self(rawValue: "--section-footer")
}
