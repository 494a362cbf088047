/// Where the table of a run goes.
protocol Destination: ~Copyable {
  /// Has the table arranged and painted.
  mutating func show(_ table: consuming ShownTable, _ drawer: Drawer) throws(Failure) -> Outcome

  /// Ends what was written, as the outcome allows, and adds to it what there is to say of it.
  mutating func finish(_ outcome: inout Outcome, _ reader: TableReader) throws(Failure)

  /// Ends a run whose input has nothing to make a table of.
  mutating func finish(without reader: TableReader) throws(Failure) -> Outcome
}

/// The last two stages of a run: arranges a table and paints it.
struct Drawer {
  fileprivate let reader: TableReader
  private let tuning: Tuning
  private let onPause: ((Outcome) -> Void)?

  /// Creates the stages for what a reader reads.
  ///
  /// - Parameter onPause: called with the present state while more rows of a stream are awaited.
  init(_ reader: TableReader, _ tuning: Tuning, onPause: ((Outcome) -> Void)?) {
    self.reader = reader
    self.tuning = tuning
    self.onPause = onPause
  }

  /// Draws a table.
  ///
  /// - Parameter fitted: the layout whose width is used if the table is hardly wider.
  func draw(
    _ table: consuming ShownTable, _ layout: LayoutOptions, orFitted fitted: LayoutOptions? = nil,
    into sink: inout Sink
  ) throws(Failure) -> Outcome {
    var layout = layout
    if let comparison = reader.comparison, reader.plan.output.form.carriesCaption {
      layout.caption = layout.caption ?? comparison.caption
    }
    let drawing = try Drawing(&table, &layout, orFitted: fitted, reader.plan, reader.schedule, tuning)
    if case .text(let arrangement) = drawing { sink.pinColumns(arrangement.rowHeaderWidth) }
    let painting = Painting(table, drawing, layout, tuning, reader, onPause: onPause)
    var outcome = try painting.paint(into: &sink)
    outcome.notices += reader.steps.missingRows
    outcome.unfit = reader.steps.replayer?.unfit
    for case .rows(let ranges) in layout.selections where reader.plan.output.form.isDisplay {
      outcome.notices += ranges.missing(among: outcome.rowCount, option: "--select")
    }
    return outcome
  }
}

/// The standard output or a file, and the file of the rows that `--validate` takes away.
struct FileDestination: Destination, ~Copyable {
  private var sink: Sink
  private var rejects: OutputFile?

  /// Opens the files, before any row is read.
  ///
  /// - Parameter version: the state of the input that is written back, before it was opened.
  init(_ reader: TableReader, _ version: FileVersion?) throws(Failure) {
    let output = try reader.plan.openOutput(version)
    rejects = try reader.plan.openRejects()
    if let rejects, output.replacesSameFile(as: rejects) { throw .rejectsOverOutput }
    sink = Sink(output)
    if reader.plan.output.isInPlace, reader.hasMark { sink.buffer.append([0xEF, 0xBB, 0xBF]) }
    sink.buffer.append(reader.delimiterLine)
  }

  mutating func show(_ table: consuming ShownTable, _ drawer: Drawer) throws(Failure) -> Outcome {
    try drawer.draw(table, drawer.reader.plan.layout, into: &sink)
  }

  mutating func finish(_ outcome: inout Outcome, _ reader: TableReader) throws(Failure) {
    if reader.steps.stopsAtMisfits, let misfit = outcome.misfit {
      try sink.flush()
      throw misfit
    }
    if let unfit = outcome.unfit, unfit.rejects == nil { return }
    if reader.plan.writesDataFile, let failure = outcome.textTooLong { throw failure }
    if outcome.invalidCount > 0, reader.plan.isGated, sink.replacesFile {
      outcome.unwritten = reader.plan.output.path
      return
    }
    if let loss = reader.steps.loss { throw loss }
    if reader.plan.output.isInPlace, let path = reader.plan.output.path {
      try recordLosses(&outcome, path, reader)
      if outcome.emptied != nil { return }
    }
    try commit(reader)
    if sink.changesOwner, let path = reader.plan.output.path {
      outcome.notices.append(.changedOwner(path: path))
    }
  }

  mutating func finish(without reader: TableReader) throws(Failure) -> Outcome {
    if reader.writesArray { sink.buffer.append("[]\n") }
    try commit(reader)
    return Outcome(notices: reader.inputNotices)
  }

  /// Adds what a file that is written back loses; if that is everything, it is not to be written.
  private func recordLosses(
    _ outcome: inout Outcome, _ path: FilePath, _ reader: TableReader
  ) throws(Failure) {
    let rows = reader.leftOutRows(writing: outcome.rowCount)
    if outcome.rowCount == 0, rows.count > 0 {
      outcome.emptied = (path, rows.total)
    } else if rows.total > 0, try reader.columns.areNone() {
      outcome.emptied = (path, nil)
    } else {
      outcome.notices += try reader.losses(rows, path)
    }
  }

  /// Puts both files in their places; the rows that are in no other place afterwards come first.
  private mutating func commit(_ reader: TableReader) throws(Failure) {
    if let rejects {
      var sink = Sink(rejects)
      try writeRejects(reader, into: &sink)
      try writeChanges(reader, into: &sink)
      try sink.finish()
    }
    try sink.finish()
  }

  /// Writes the changes of `--rejects` as they came, each with what is there instead.
  private func writeChanges(_ reader: TableReader, into sink: inout Sink) throws(Failure) {
    for (record, ours) in reader.steps.replayer?.rejected ?? [] {
      sink.buffer.append(record.span.extracting(0..<max(record.count - 1, 0)))
      sink.buffer.append(",\"ours\":")
      sink.buffer.append(ours.span)
      sink.buffer.append("}\n")
      try sink.flushIfFull()
    }
  }

  /// Writes the rows of `--rejects`, as csv.
  private func writeRejects(_ reader: TableReader, into sink: inout Sink) throws(Failure) {
    guard let rejects = reader.steps.rejects else { return }
    let (plan, schema) = (reader.plan, reader.schemaSoFar())
    var options = OutputOptions()
    options.guardsFormulas = plan.output.guardsFormulas
    options.delimiter = plan.output.delimiter
    var painter = CSVPainter(schema.columns(with: rejects.columns), options, input: reader.profile(schema))
    painter.begin(into: &sink.buffer)
    try rejects.rows.forEachPiece(failing: Failure.init(reading:)) { (rows, _) throws(Failure) in
      painter.paint(rows, 0..<rows.count, into: &sink.buffer)
      try sink.flushIfFull()
    }
  }
}

/// A pager, or the screen if the table fits on it.
///
/// Whether it fits is known only after it has been drawn as the pager would show it. For the screen it is then drawn
/// again, in the screen's width; if wrapped cells then need more lines than the screen has, the pager shows the first
/// drawing after all.
struct PagerDestination: Destination, ~Copyable {
  private let paging: Paging
  private var paged: PagedOutput?

  /// Creates a destination that has shown nothing.
  init(_ paging: Paging) { self.paging = paging }

  mutating func show(_ table: consuming ShownTable, _ drawer: Drawer) throws(Failure) -> Outcome {
    var layout = drawer.reader.plan.layout
    var fitted: LayoutOptions?
    // Records next to each other and cards need a width: otherwise all would be in one line, and labels next
    // to what is scrolled.
    if paging.scrolls, layout.kind != .detail, layout.flow == nil {
      fitted = layout
      (layout.overflow, layout.width) = (.scroll, .unlimited)
    }
    var paged = PagedOutput(paging, pinsHead: layout.kind == .stack || layout.kind == .grid)
    defer { self.paged = paged }
    if paged.isWithoutPinnedHead, layout.repeatsTitles(onScreensOf: paging.lines) {
      // The last line of the screen belongs to the pager.
      layout.screenHeight = paging.lines - 1
      fitted?.screenHeight = paging.lines - 1
    }
    let isSmall = table.lookAhead == .all && table.rows.count <= Paging.mostShortRows
    let copy = isSmall ? ShownTable(copying: table) : nil
    var sink = Sink(OutputFile(showing: paged))
    var outcome: Outcome
    do throws(Failure) {
      outcome = try drawer.draw(table, layout, orFitted: fitted, into: &sink)
      if paged.pagerWasQuit { outcome.isCutShort = true } else { try sink.flush() }
      if paged.isShort, let copy {
        let fitted = PagedOutput(paging, pinsHead: false, startsPager: false)
        sink = Sink(OutputFile(showing: fitted))
        let fittedOutcome = try drawer.draw(copy, drawer.reader.plan.layout, into: &sink)
        try sink.flush()
        if fitted.isShort { (paged, outcome) = (fitted, fittedOutcome) } else { paged.mustPage = true }
      }
      do { try paged.finish() } catch { throw .output(error) }
    } catch {
      outcome = Outcome()
      let wasQuit = paged.pagerWasQuit
      try? paged.finish()
      if !wasQuit { throw error }
    }
    return outcome
  }

  mutating func finish(_ outcome: inout Outcome, _ reader: TableReader) throws(Failure) {
    if let failure = paged?.failure {
      outcome.notices.append(.pager(name: failure.name, reason: failure.reason))
    }
    if paged?.isCutShort ?? false { outcome.isCutShort = true }
    // It is not known which rows exist: later ones were not read.
    if outcome.isCutShort { outcome.notices.removeAll { if case .noRows = $0 { true } else { false } } }
    if reader.steps.stopsAtMisfits, !outcome.isCutShort, let misfit = outcome.misfit { throw misfit }
  }

  mutating func finish(without reader: TableReader) -> Outcome { Outcome(notices: reader.inputNotices) }
}
