/// Divides rows into sections: finds where each begins, and what is above and below it.
///
/// It holds no rows.
struct SectionDivider: Sendable {
  /// The templates of the open section, with what they have collected from its rows.
  private struct Templates {
    var header: FooterTemplate?
    var footer: FooterLines
  }

  private var breaks: SectionBreaks
  private let source: SourceExpression

  /// The templates of a section that begins.
  private let fresh: Templates

  /// The rooms for the data of aggregates in headings and footers.
  private var headerRoom: AggregateRoom
  private var footerRoom: AggregateRoom

  private var section: Templates?
  private var templateFailure: EvaluationFailure?

  /// The cells that did not convert in headers and footers, by column.
  private var misfits: [String: ConversionTally.ColumnMisfits] = [:]

  /// The texts in headers and footers that are too long.
  private var others = ConversionTally(entries: [])

  /// Creates what divides the rows of a table.
  ///
  /// - Parameters:
  ///   - source: the expression that divides rows, as it was typed.
  ///   - header: the template of headings.
  ///   - footer: the lines of footers.
  ///   - budget: the bytes that everything held may take in memory.
  init(
    _ breaks: SectionBreaks, _ source: SourceExpression, header: FooterTemplate?, footer: FooterLines,
    budget: Int
  ) {
    self.breaks = breaks
    self.source = source
    fresh = Templates(header: header, footer: footer)
    headerRoom = AggregateRoom(AggregateRoom.room(ofBudget: budget))
    footerRoom = headerRoom
  }

  /// The failure with which an expression ended the run.
  var failure: EvaluationFailure? { breaks.state.failure ?? templateFailure }

  /// Notices for the user.
  var notices: [Notice] {
    let cuts: [Notice] = breaks.cutCount > 0 ? [.layout(.longCells(breaks.cutCount, first: nil))] : []
    return cuts + (breaks.notice(source).map { [$0] } ?? [])
  }

  /// The cells that did not convert.
  var tallies: [ConversionTally] {
    let entries = misfits.values.sorted { ($0.first?.row ?? 0, $0.column) < ($1.first?.row ?? 0, $1.column) }
    return [breaks.state.tally, ConversionTally(entries: entries), others]
  }
}

extension SectionDivider {
  /// Finds the rows of a range at which sections begin.
  mutating func findStarts(in rows: Rows, _ range: Range<Int>) -> [SectionBreaks.Start] {
    breaks.findStarts(in: rows, range)
  }

  /// Begins a section with a value.
  mutating func begin(_ value: Value) {
    var section = fresh
    section.header?.given = value
    section.footer.setGiven(value)
    self.section = section
  }

  /// Whether headings depend on the rows, so that they are known only when their sections end.
  var headingNeedsRows: Bool { fresh.header?.needsRows ?? false }

  /// The heading of the open section, if it has one.
  var heading: [UInt8]? { section?.header?.text }

  /// Adds rows to the open section.
  mutating func addRows(_ rows: Rows, _ range: Range<Int>) throws(Failure) {
    let needsRows = headingNeedsRows || section?.footer.needsRows ?? false
    guard needsRows, !range.isEmpty else { return }
    try rows.forEachRun(of: range) { (batch, numbers) throws(Failure) in try addRows(batch, numbers) }
  }

  private mutating func addRows(_ batch: Batch, _ rows: [UInt32]) throws(Failure) {
    guard var section = section.take() else { return }
    defer { self.section = section }
    if var header = section.header.take() {
      defer { section.header = header }
      header.accumulate(batch, rows: rows.span)
      if header.keepsMore { try headerRoom.spillIfFull(&header, option: "--section-header") }
    }
    section.footer.accumulate(batch, rows)
    if section.footer.keepsMore { try footerRoom.spillIfFull(&section.footer, option: "--section-footer") }
  }

  /// Ends the open section.
  ///
  /// - Returns: its footer lines.
  mutating func end() -> [FooterLine] {
    guard let section = section.take() else { return [] }
    templateFailure = templateFailure ?? section.header?.failure ?? section.footer.failure
    countMisfits(of: section.footer.tallies + (section.header.map { [$0.tally] } ?? []))
    return section.footer.lines
  }

  /// Counts the cells that did not convert, each once, however many templates of a section saw it.
  private mutating func countMisfits(of tallies: [ConversionTally]) {
    for tally in tallies {
      others.add(longTextsOf: tally)
      others.add(comparedTextsOf: tally)
    }
    var found: [String: ConversionTally.ColumnMisfits] = [:]
    for entry in tallies.lazy.flatMap(\.entries) where !entry.isEmpty || entry.hasConverted {
      found[entry.column, default: ConversionTally.ColumnMisfits(column: entry.column, use: entry.use)].widen(
        entry)
    }
    for (column, entry) in found {
      misfits[column, default: ConversionTally.ColumnMisfits(column: column, use: entry.use)].merge(entry)
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
