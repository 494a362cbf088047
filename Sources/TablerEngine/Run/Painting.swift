/// Paints a table in its form: the current rows, and those still to come.
struct Painting: ~Copyable {
  private var table: ShownTable
  private let drawing: Drawing
  private let layout: LayoutOptions
  private let tuning: Tuning
  private let reader: TableReader

  /// Called with the present state if rows of a stream are written out and more are awaited.
  private let onPause: ((Outcome) -> Void)?

  /// The notices about the content of titles.
  private let titleNotices: [LayoutNotice]

  /// Takes a table and how it is drawn.
  init(
    _ table: consuming ShownTable, _ drawing: Drawing, _ layout: LayoutOptions, _ tuning: Tuning,
    _ reader: TableReader,
    onPause: ((Outcome) -> Void)?
  ) {
    self.drawing = drawing
    self.layout = layout
    self.tuning = tuning
    self.reader = reader
    self.onPause = onPause
    titleNotices =
      reader.plan.output.form.isDisplay ? table.titleNotices(reader.plan, at: reader.headerPlace) : []
    self.table = table
    if case .html(let settings) = drawing { self.table.columns.apply(settings) }
  }

  /// Paints the table with the painter for its form.
  ///
  /// - Returns: the result of the run.
  consuming func paint(into sink: inout Sink) throws(Failure) -> Outcome {
    if table.hasAllRows {
      table.styles.setRowCount(table.rows.count)
      Progress.enter(.writing, rows: table.rows.count)
    }
    if reader.plan.output.form == .html { try collectColors() }
    let (columns, texts, styles) = (table.columns, table.texts, table.styles)
    let (layout, output, marks, name) = (layout, reader.plan.output, reader.plan.marks, fileName)
    switch drawing {
    case .text(let arrangement):
      if let lineLimit = layout.pageHeight ?? layout.screenHeight {
        return try paintPages(
          of: lineLimit, &sink,
          with: TablePainter(arrangement, texts, layout, marks: marks, styles: styles))
      }
      return try paintInPieces(&sink) {
        TablePainter(arrangement, texts, layout, marks: marks, styles: styles)
      }
    case .flow(let flow):
      return try paintInPieces(&sink) {
        TextFlowPainter(
          flow, layout,
          TablePainter(
            TextRecord(columns, layout, width: flow.width, marks: marks, styles),
            marks: columns.map(\.mark), texts, styles: styles))
      }
    case .pipes(let arrangement):
      return try paintTable(&sink) { PipeTable(arrangement, texts, layout, styles) }
    case .pandoc(let arrangement):
      let merging = layout.kind == .grid ? columns.map(\.mergeRank) : []
      return try paintTable(&sink, merging: merging) { PandocTable(arrangement, layout, styles) }
    case .html:
      let page = try reader.columns.page(of: columns, isJSON: reader.profile.dialect.form == .json)
      let merging = reader.plan.mergesInHTML ? columns.map(\.mergeRank) : []
      let repeats = try findRepeats(HTMLText(layout), merging)
      return try paintTable(&sink, merging: merging) {
        HTMLTable(columns, texts, layout, output, name: name, styles, page: page, repeats: repeats)
      }
    case .textCards:
      return try paintCards(&sink) { TextCards(columns, texts, layout, marks: marks, styles) }
    case .flowingCards(let flow): return try paintCards(in: flow, &sink)
    case .markdownCards: return try paintCards(&sink) { MarkdownCards(columns, layout, styles) }
    case .pandocCards: return try paintCards(&sink) { PandocCards(columns, layout, styles) }
    case .htmlCards:
      return try paintCards(&sink) { HTMLCards(columns, layout, output, name: name, styles) }
    case .csv:
      let painter = CSVPainter(columns, output, input: reader.profile)
      return try paintInOrder(with: painter, &sink, inBackground: true)
    case .tsv:
      let painter = TSVPainter(columns, output, input: reader.profile)
      return try paintInOrder(with: painter, &sink, inBackground: true)
    case .json: return try paintJSON(&sink, isArray: reader.writesArray)
    }
  }
}

extension Painting {
  /// Paints one row after the other in Markdown, for pandoc or in HTML.
  ///
  /// - Parameter merging: as `ShownColumn.mergeRank`, by column; empty if no cells are merged.
  private mutating func paintTable<Form: TableForm & ~Copyable>(
    _ sink: inout Sink, merging: [Int] = [], making form: @escaping @Sendable () -> Form
  ) throws(Failure) -> Outcome {
    let (columns, texts, styles) = (table.columns, table.texts, table.styles)
    return try paintInPieces(&sink) {
      TablePainter(form(), marks: columns.map(\.mark), texts, styles: styles, merging: merging)
    }
  }

  /// Finds the cells that repeat those above them, for a form that must know them before it draws the first row.
  private func findRepeats<Text: Spelling>(
    _ text: Text, _ merging: [Int]
  ) throws(Failure) -> RepeatedCells? {
    if merging.allSatisfy({ $0 == 0 }) { return nil }
    var painter = TablePainter(
      RepeatRecorder(columnCount: merging.count, text), marks: table.columns.map(\.mark), table.texts,
      styles: table.styles, merging: merging)
    var sections = table.sections
    var ends = self.ends
    var out = ByteBuffer()
    func walk(_ part: SectionPart) {
      guard ends != nil else { return painter.paint(part, into: &out) }
      ends?.pass(part) { part in painter.paint(part, into: &out) }
    }
    try table.forEachPiece { (rows) throws(Failure) in
      try sections.addRows(rows) { (part) throws(Failure) in walk(part) }
    }
    try sections.finish { (part) throws(Failure) in walk(part) }
    return painter.form.cells
  }

  /// Whether a JSON record is drawn with its own keys in its own order.
  private var keepsRecords: Bool { table.schema.isOpen && reader.schedule.keepsOwnKeys }

  /// Paints one record a card.
  private mutating func paintCards<Form: CardForm & ~Copyable>(
    _ sink: inout Sink, making form: @escaping @Sendable () -> Form
  ) throws(Failure) -> Outcome {
    let (columns, texts, styles) = (table.columns, table.texts, table.styles)
    let (titles, keepsRecords) = (table.cardTitle, keepsRecords)
    return try paintInPieces(&sink) {
      CardPainter(form(), columns, texts, titles: titles, keepsRecords: keepsRecords, styles: styles)
    }
  }

  /// Paints one record a card of text, several of them side by side.
  private mutating func paintCards(in flow: FlowPlan, _ sink: inout Sink) throws(Failure) -> Outcome {
    let (columns, texts, styles) = (table.columns, table.texts, table.styles)
    let (titles, keepsRecords) = (table.cardTitle, keepsRecords)
    let (layout, marks) = (layout, reader.plan.marks)
    return try paintInPieces(&sink) {
      let form = TextCards(columns, texts, TextCards.options(layout, width: flow.width), marks: marks, styles)
      return TextFlowPainter(
        flow, layout,
        CardPainter(form, columns, texts, titles: titles, keepsRecords: keepsRecords, styles: styles))
    }
  }
}

extension Painting {
  /// Paints for people, on several threads if all rows are known and do not depend on each other.
  private mutating func paintInPieces<P: DisplayPainter & ~Copyable>(
    _ sink: inout Sink, making make: @escaping @Sendable () -> P
  ) throws(Failure) -> Outcome {
    var painter = make()
    guard painter.standsAlone, !reader.hasLargeBatches, ends == nil,
      table.rows.count >= 2 * tuning.pieceSize,
      tuning.threadCount > 1,
      let sections = table.sections.known(ofRows: table.rows.count),
      let pieces = try table.pieces(of: tuning.pieceSize, rowSize: painter.rowSize)
    else {
      return try paintInOrder(with: painter, &sink)
    }
    painter.begin(into: &sink.buffer)
    sink.pinHead()
    var cursor = SectionCursor()
    cursor.passBoundary(in: sections) { part in painter.paint(part, into: &sink.buffer) }
    let work = Piecework(pieces, making: make) { piece, painter, out in
      var cursor = painter.resume(after: piece.start, in: sections)
      cursor.advance(over: piece.rows, piece.range, in: sections) { part in painter.paint(part, into: &out) }
    }
    let (noticed, findings): ([LayoutNotice], [RowStyles.Report])
    do throws(Failure) {
      (noticed, findings) = try work.run(
        threadCount: tuning.threadCount, failing: Failure.init(reading:)
      ) { (bytes) throws(Failure) in
        try sink.write(bytes)
        Progress.advance(rows: tuning.pieceSize)
      }
    } catch {
      if sink.pagerWasQuit { return outcome([], painter) }
      throw error
    }
    painter.styles.merge(findings)
    cursor = painter.resume(after: sections.rowCount, in: sections)
    cursor.passBoundary(in: sections) { part in painter.paint(part, into: &sink.buffer) }
    try refuse(table.sections.failure ?? table.footers.failure, &sink)
    painter.end(footers: table.footers.lines, into: &sink.buffer)
    try refuse(painter.states.lazy.compactMap(\.failure).first, &sink)
    var notices = painter.notices
    notices.merge(noticed)
    return outcome(notices, painter)
  }

  /// Paints text in pages, one row after another.
  ///
  /// A footer over all rows is on every page if they are known, otherwise only on the last one.
  private mutating func paintPages(
    of lineLimit: Int, _ sink: inout Sink, with painter: consuming TablePainter<TextTable>
  ) throws(Failure) -> Outcome {
    let footers = layout.pageHeight == nil ? [] : table.footers.lines
    let painter = PagedPainter(
      painter, lineLimit: lineLimit,
      footers: table.hasAllRows ? footers : footers.filter(\.repeatsTitles), lastFooters: footers,
      holdsRows: table.hasAllRows && reader.plan.layout.sections?.footer != nil)
    return try paintInOrder(with: painter, &sink)
  }

  /// The name of the first file, without its folder.
  private var fileName: String? {
    reader.plan.sources.first?.path?.text.split(separator: "/").last.map(String.init)
  }

  /// Paints JSON, with the keys of the columns or with those of each record.
  private mutating func paintJSON(_ sink: inout Sink, isArray: Bool) throws(Failure) -> Outcome {
    if let columns = reader.columns.comparedColumns {
      let section = try reader.columns.section()
      let painter = ChangeListPainter(
        columns, section: section, isArray: isArray, isView: reader.plan.comparesView)
      return try paintInOrder(with: painter, &sink)
    }
    let hidden = try reader.columns.hiddenNames()
    let painter = JSONPainter(
      table.columns, isArray: isArray,
      members: reader.schedule.keepsOwnKeys ? .own(hiding: hidden) : .columns, input: reader.profile)
    return try paintInOrder(with: painter, &sink, inBackground: true)
  }

  /// Paints the current rows and all that come after them.
  ///
  /// - Parameter inBackground: whether other threads may paint them: the form has nothing but rows.
  private mutating func paintInOrder<P: Painter & ~Copyable>(
    with painter: consuming P, _ sink: inout Sink, inBackground: Bool = false
  ) throws(Failure) -> Outcome {
    let start = sink.buffer.count
    painter.begin(into: &sink.buffer)
    let hasHeader = sink.buffer.count > start
    sink.pinHead()
    if let growth = try reader.takeGrowth() { painter.grow(by: growth) }
    let background = BackgroundPainter(
      painter, reader.crew, tuning, mayShare: inBackground && !sink.isPaged, countsRows: table.hasAllRows)
    var sections = table.sections
    var held = heldRows
    var ends = self.ends
    do throws(Failure) {
      try table.forEachPiece { (rows) throws(Failure) in
        let rows = try hold(rows, in: &held)
        try sections.addRows(rows) { (part) throws(Failure) in
          try paintPart(part, within: &ends, with: background, &sink)
        }
      }
      // Painted rows are not needed again.
      table.rows = Rows()
      if reader.awaitsInput { table.sections = sections }
      try showLive(background, &sink)
      while let rows = try reader.rowsToPaint() {
        try table.recordRows(rows)
        if let growth = try reader.takeGrowth() {
          try background.settle()
          background.painter.grow(by: growth)
        }
        let ready = try hold(rows, in: &held)
        try sections.addRows(ready) { (part) throws(Failure) in try background.paint(part, into: &sink) }
        if reader.awaitsInput { table.sections = sections }
        try showLive(background, &sink)
      }
      try background.settle()
      background.painter.setRowCount(table.rowCount)
      while let rows = try Failure.reading({ () throws(SystemError) in try held?.takeFirst() ?? nil }) {
        try sections.addRows(rows) { (part) throws(Failure) in try background.paint(part, into: &sink) }
      }
      try sections.finish { (part) throws(Failure) in
        try paintPart(part, within: &ends, with: background, &sink)
      }
      try background.settle()
    } catch {
      if sink.pagerWasQuit { return outcome(background.painter.notices, background.painter) }
      try background.settle()
      try sink.flush()
      throw error
    }
    table.sections = sections
    try paintFooterRows(with: &background.painter, &sink)
    try refuse(sections.failure ?? table.footers.failure, &sink)
    background.painter.end(footers: table.footers.lines, into: &sink.buffer)
    if reader.openRecord == sink.lastRow, hasHeader || sink.lastRow > 0 {
      sink.surplus = background.painter.recordEndSize
    }
    let outcome = outcome(background.painter.notices, background.painter)
    try refuse(background.painter.states.lazy.compactMap(\.failure).first, &sink)
    return outcome
  }

  /// The last rows, until their number is known, if some are selected from the end.
  private var heldRows: StoredRows? {
    let count = table.styles.endCount
    return table.hasAllRows || count == 0 ? nil : StoredRows(last: count)
  }

  /// Holds back rows that may be among the last; returns those that are not.
  private func hold(_ rows: Rows, in held: inout StoredRows?) throws(Failure) -> Rows {
    let budget = reader.schedule.roomForFirst
    return try Failure.reading { () throws(SystemError) in try held?.exchange(rows, budget: budget) ?? rows }
  }

  /// Finds the colors that rows specify: the style of a page has them before the first row.
  ///
  /// If not all rows are known then, the colors of the others must be among these, or be names.
  private mutating func collectColors() throws(Failure) {
    guard table.styles.namesColors else {
      if !table.styles.heatColors.isEmpty { table.styles.palette = table.styles.heatColors }
      return
    }
    var collector = table.styles
    var colors = table.hasAllRows ? [] : Style.Color.allNamed
    var number = 1
    try table.forEachPiece { (rows) throws(Failure) in
      collector.collectColors(of: rows, firstNumber: number, into: &colors)
      number += rows.count
    }
    table.styles.palette = colors.union(table.styles.heatColors)
  }

  /// Paints the last records of the input: as lines of the footer, or after all rows if the form has no footer.
  private mutating func paintFooterRows<P: Painter & ~Copyable>(
    with painter: inout P, _ sink: inout Sink
  ) throws(Failure) {
    if reader.plan.input.footerLines == 0 { return }
    let rows = reader.footerRows
    if reader.plan.output.form.isDisplay { return table.showFooterRows(rows) }
    for rows in rows {
      painter.paint(rows, 0..<rows.count, into: &sink.buffer)
      sink.lastRow = rows.number(at: rows.count - 1)
      try sink.flushIfFull()
    }
  }

  /// The rows between the ends of the table, if they are left out.
  private var ends: RowEnds? {
    layout.ends.flatMap { RowEnds($0, of: table.rows.count, isASCII: layout.isASCII) }
  }

  /// Paints what is shown of a part of the known rows.
  private func paintPart<P: Painter & ~Copyable>(
    _ part: SectionPart, within ends: inout RowEnds?, with background: BackgroundPainter<P>,
    _ sink: inout Sink
  ) throws(Failure) {
    guard ends != nil else { return try background.paint(part, into: &sink) }
    try ends?.pass(part) { (part) throws(Failure) in try background.paint(part, into: &sink) }
  }

  /// Ends the run if `must()` failed in a template; what was painted before is written.
  private func refuse(_ failure: EvaluationFailure?, _ sink: inout Sink) throws(Failure) {
    guard let failure else { return }
    try sink.flush()
    throw failure.failure(reader.plan.sources)
  }

  /// Writes out what is painted, if the next rows may take long, and reports the present state.
  private func showLive<P: Painter & ~Copyable>(
    _ background: BackgroundPainter<P>, _ sink: inout Sink
  ) throws(Failure) {
    guard reader.awaitsInput else { return }
    try background.settle()
    try sink.flush()
    onPause?(outcome(background.painter.notices, background.painter))
    reader.releaseInterrupts()
  }

  /// The result of the run, or the result if the input ended here.
  private func outcome<P: Painter & ~Copyable>(_ drawn: [LayoutNotice], _ painter: borrowing P) -> Outcome {
    let steps = reader.steps
    let found = steps.findings
    var outcome = Outcome(
      rowCount: table.rowCount, invalidCount: steps.invalidCount, disorder: steps.disorder,
      notices: reader.notices + found.notices)
    let tallies = found.tallies + table.sections.tallies + table.footers.tallies + painter.states.map(\.tally)
    outcome.notices += GatheredMisfits(tallies).notices(
      reader.plan.sources, rowCount: reader.readRowCount, reader.plan.marks,
      hasDateFormat: reader.plan.dateFormat != nil)
    var drawn = drawn
    drawn.merge(titleNotices)
    for notice in table.sections.notices {
      if case .layout(let notice) = notice { drawn.merge([notice]) } else { outcome.notices.append(notice) }
    }
    if reader.plan.output.form.isDisplay { outcome.notices += table.footers.notices(reader.plan.sources) }
    let selectedCount = painter.selectedCount
    let options = reader.plan.layout
    if options.selectionMode == .single, selectedCount > 1 { outcome.selectedCount = selectedCount }
    if let column = options.selectingColumn, selectedCount == 0, table.rowCount > 0,
      reader.plan.output.form.isDisplay
    {
      outcome.notices.append(.nothingSelected(column: column))
    }
    outcome.notices += drawn.inOrder.map { .layout(reader.schedule.holdsKeysOnly ? $0.withoutPlace : $0) }
    if let ends = layout.ends, !reader.plan.output.form.isDisplay, table.rowCount - ends > ends {
      outcome.notices.append(.betweenEnds(table.rowCount - 2 * ends))
    }
    outcome.notices += reader.footerNotices
    if painter.guardedCells > 0 { outcome.notices.append(.guardedFormulas(painter.guardedCells)) }
    outcome.comparison = reader.comparison
    return outcome
  }
}

extension ShownTable {
  /// The notices about the drawn titles, which are counted with the cells.
  ///
  /// - Parameter place: the place of the titles in the input.
  fileprivate func titleNotices(_ plan: Plan, at place: RowPlace?) -> [LayoutNotice] {
    let isDetail = plan.layout.kind == .detail
    guard isDetail || plan.layout.hasHeader else { return [] }
    let context = TextContext(plan.layout, marks: plan.marks)
    var found = CellFindings()
    var longCount = 0
    var escaped = ByteBuffer()
    for column in columns where !column.hasOwnTitle {
      guard case .column(let source) = column.source, source.path.isEmpty else { continue }
      escaped.removeAll()
      let room = DrawnText.longestTitle
      let title = column.title.utf8.span
      if DrawnText.end(of: title, room: room) < title.count { longCount += 1 }
      // A title that is not UTF-8 was repaired: its spelling tells how often.
      let isRepaired = column.title.unicodeScalars.contains("\u{FFFD}")
      if isRepaired, let header = schema.header(naming: source.index) {
        let spelling = header.raw(header.cell(row: 0, column: source.index))
        found += context.escaper.append(spelling, room: room, mark: context.cutMark, to: &escaped).ofCell
      } else {
        found += context.escaper.append(title, room: room, mark: context.cutMark, to: &escaped).ofCell
      }
    }
    return (found.illFormed > 0 ? [.replacedBytes(found.illFormed, first: place)] : [])
      + (found.nul > 0 ? [.nulBytes(found.nul, first: place)] : [])
      + (longCount > 0 && plan.output.form != .html ? [.longTitles(longCount)] : [])
  }
}
