/// The whole tool: bytes in, rows kept and ordered, columns chosen, widths determined, bytes out.
///
///     resolve ──► read ─────────────► arrange ──► paint
///     names to    rows through        widths      bytes
///     columns     steps, measured
///                 on the way
///
/// Rows pass through batch by batch. Only operations that must see all of them hold them: sort, moves, the
/// last rows, exact widths, and the columns of JSON that were not named. A stream is painted while it is
/// read: the first rows are read first, and painting requests the others.
public struct Pipeline {
  private let tuning: Tuning
  private let reader: TableReader

  /// The state of the input that is written back, before it was opened.
  private let version: FileVersion?

  /// Called at once with notices that would come too late at the end of a live stream.
  public var listener: ((Notice) -> Void)?

  /// Called with the present state if rows of a stream are written out and more are awaited: a signal may end
  /// the wait.
  public var onPause: ((Outcome) -> Void)?

  /// Opens the input, reads its header and binds the plan to its columns.
  ///
  /// Nothing has been written when this fails.
  public init(_ plan: consuming Plan) throws(Failure) {
    try self.init(plan, Tuning()) { (source) throws(SystemError) in
      try source.open()
    }
  }

  /// Opens the input through `open`; for tests.
  init(
    _ plan: consuming Plan, _ tuning: Tuning, open: @escaping (Source) throws(SystemError) -> ByteSource
  ) throws(Failure) {
    self.tuning = tuning
    if plan.output.isInPlace, plan.output.form != .json, let path = plan.output.path {
      plan.output.endsOpen = Descriptor.endsInsideLine(path)
    }
    if plan.output.form == .pandoc { plan.layout.markdownDialect = .pandoc }
    plan.layout.marksRecords = plan.marksRecords
    plan.input.countsEmptyLines = plan.output.isInPlace
    version = plan.output.isInPlace ? plan.output.path.flatMap { FileVersion(at: $0) } : nil
    let resolution = try Resolution(plan, tuning, open)
    let output = resolution.plan.output
    if output.isInPlace, let path = output.path { try resolution.input.beginning.refuse(output.form, path) }
    reader = TableReader(resolution)
  }

  /// The steps in order of execution, as they were scheduled.
  public var steps: [PlannedStep] {
    let schedule = reader.schedule
    var beginning = [PlannedStep(work: .read, holding: .batch)]
    if reader.plan.input.isFlattened { beginning.append(PlannedStep(work: .flatten, holding: .batch)) }
    if let lookups = reader.lookups { beginning.append(lookups.planned) }
    if reader.plan.input.footerLines > 0 {
      beginning.append(PlannedStep(work: .footerLines, holding: .rows(reader.plan.input.footerLines)))
    }
    return beginning + reader.steps.planned(schedule) + reader.columns.planned + [
      PlannedStep(work: .write, holding: schedule.writing)
    ]
  }

  /// Runs the plan and writes the table.
  public func run() throws(Failure) -> Outcome {
    if let paging = reader.plan.output.paging { return try page(paging) }
    var sink = Sink(try reader.plan.openOutput(version))
    let rejects = try reader.plan.openRejects()
    if let rejects, sink.replacesSameFile(as: rejects) { throw .rejectsOverOutput }
    reader.listener = listener
    if reader.plan.output.isInPlace, reader.hasMark { sink.buffer.append([0xEF, 0xBB, 0xBF]) }
    sink.buffer.append(reader.delimiterLine)
    guard !reader.isWithoutTable else {
      if reader.writesArray { sink.buffer.append("[]\n") }
      try write(rejects)
      try sink.finish()
      return Outcome(notices: reader.inputNotices)
    }
    let table = try reader.read()
    var outcome = try draw(table, reader.plan.layout, into: &sink)
    if reader.steps.stopsAtMisfits, let misfit = outcome.misfit {
      try sink.flush()
      throw misfit
    }
    if reader.plan.writesDataFile, let failure = outcome.textTooLong { throw failure }
    if outcome.invalidCount > 0, reader.plan.isGated, sink.replacesFile {
      outcome.unwritten = reader.plan.output.path
      return outcome
    }
    if let loss = reader.steps.loss { throw loss }
    if reader.plan.output.isInPlace, let path = reader.plan.output.path {
      let rows = reader.leftOutRows(writing: outcome.rowCount)
      if outcome.rowCount == 0, rows.count > 0 {
        outcome.emptied = (path, rows.total)
        return outcome
      }
      if rows.total > 0, try reader.columns.areNone() {
        outcome.emptied = (path, nil)
        return outcome
      }
      outcome.notices += try reader.losses(rows, path)
    }
    // The rows that are in no other place afterwards come first.
    try write(rejects)
    try sink.finish()
    if sink.changesOwner, let path = reader.plan.output.path {
      outcome.notices.append(.changedOwner(path: path))
    }
    return outcome
  }

  /// Draws a table.
  ///
  /// - Parameter fitted: the layout whose width is used if the table is hardly wider.
  private func draw(
    _ table: consuming ShownTable, _ layout: LayoutOptions, orFitted fitted: LayoutOptions? = nil,
    into sink: inout Sink
  ) throws(Failure) -> Outcome {
    var layout = layout
    let drawing = try Drawing(table, &layout, orFitted: fitted, reader.plan, reader.schedule, tuning)
    if case .text(let arrangement) = drawing { sink.pinColumns(arrangement.rowHeaderWidth) }
    let form = reader.plan.output.form
    let painting = Painting(table, drawing, layout, tuning, reader, onPause: onPause)
    var outcome = try painting.paint(into: &sink)
    outcome.notices += reader.steps.missingRows
    for case .rows(let ranges) in layout.selections where form.isDisplay {
      outcome.notices += ranges.missing(among: outcome.rowCount, option: "--select")
    }
    return outcome
  }

  /// Runs the plan and shows the table in a pager or, if it fits, directly on the screen.
  ///
  /// Whether it fits is known only after it has been drawn as the pager would show it. For the screen it is
  /// then drawn again, in the screen's width; if wrapped cells then need more lines than the screen has, the
  /// pager shows the first drawing after all.
  private func page(_ paging: Paging) throws(Failure) -> Outcome {
    reader.listener = listener
    if reader.isWithoutTable { return Outcome(notices: reader.inputNotices) }
    let table = try reader.read()
    var layout = reader.plan.layout
    var fitted: LayoutOptions?
    // Records next to each other and cards need a width: otherwise all would be in one line, and labels next
    // to what is scrolled.
    if paging.scrolls, layout.kind != .detail, layout.flow == nil {
      fitted = layout
      (layout.overflow, layout.width) = (.scroll, .unlimited)
    }
    var paged = PagedOutput(paging, pinsHead: layout.kind == .stack || layout.kind == .grid)
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
      outcome = try draw(table, layout, orFitted: fitted, into: &sink)
      if paged.isLeft { outcome.isCutShort = true } else { try sink.flush() }
      if paged.isShort, let copy {
        let fitted = PagedOutput(paging, pinsHead: false, startsPager: false)
        sink = Sink(OutputFile(showing: fitted))
        let fittedOutcome = try draw(copy, reader.plan.layout, into: &sink)
        try sink.flush()
        if fitted.isShort { (paged, outcome) = (fitted, fittedOutcome) } else { paged.mustPage = true }
      }
      do { try paged.finish() } catch { throw .output(error) }
    } catch {
      outcome = Outcome()
      let isLeft = paged.isLeft
      try? paged.finish()
      if !isLeft { throw error }
    }
    if let failure = paged.failure {
      outcome.notices.append(.pager(name: failure.name, reason: failure.reason))
    }
    if paged.isCutShort { outcome.isCutShort = true }
    // It is not known which rows exist: later ones were not read.
    if outcome.isCutShort { outcome.notices.removeAll { if case .noRows = $0 { true } else { false } } }
    if reader.steps.stopsAtMisfits, !outcome.isCutShort, let misfit = outcome.misfit { throw misfit }
    return outcome
  }

  /// Writes the rows that are not valid to their file, if there is one.
  private func write(_ rejects: OutputFile?) throws(Failure) {
    guard let rejects else { return }
    var sink = Sink(rejects)
    try reader.writeRejects(into: &sink)
    try sink.finish()
  }
}

extension InputReader.Beginning {
  /// Rejects an input that cannot be written back in its form.
  fileprivate func refuse(_ form: OutputForm, _ path: FilePath) throws(Failure) {
    if isTranscoded { throw .inPlace(.encoding, path: path) }
    if isEmpty { return }
    let fits =
      switch dialect.form {
      case .csv: form == .csv
      case .tsv: form == .tsv
      case .json: form.isJSON
      case .words: false
      }
    if !fits { throw .inPlace(.otherForm(form), path: path) }
  }
}
