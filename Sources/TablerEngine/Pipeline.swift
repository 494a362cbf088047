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

  /// Asks an engine, reads the header of its answer, and binds what is left of the plan to the columns.
  public init(_ query: EngineQuery) throws(Failure) {
    try self.init(query.plan, Tuning(), oldPlan: query.oldPlan) { (source) throws(SystemError) in
      try source.open()
    }
  }

  /// Opens the input through `open`; for tests.
  ///
  /// - Parameter oldPlan: the steps that an older table takes, if they are others.
  init(
    _ plan: consuming Plan, _ tuning: Tuning, oldPlan: Plan? = nil,
    open: @escaping (Source) throws(SystemError) -> ByteSource
  ) throws(Failure) {
    self.tuning = tuning
    var plan = try plan.pivoted(tuning, open)
    version = plan.output.isInPlace ? plan.output.path.flatMap { FileVersion(at: $0) } : nil
    let old =
      if let oldPlan { try OldTable.reader(oldPlan, tuning, open) } else {
        try OldTable.reader(plan, tuning, open)
      }
    plan.comparison?.isOldOpen = old?.isOpen ?? false
    let resolution = try Resolution(plan, tuning, open)
    let output = resolution.plan.output
    if output.isInPlace, let path = output.path { try resolution.input.beginning.refuse(output.form, path) }
    if output.page?.editable != nil, resolution.input.beginning.isTranscoded {
      throw .notEditableFile(path: resolution.plan.sources.first?.path)
    }
    reader = TableReader(resolution, old: old)
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

  /// The query that asks an engine for the rows of this run.
  ///
  /// - Parameter table: the name of the table that is asked; `nil` for the file that is read.
  /// - Throws: what no query can ask for.
  public func query(in dialect: SQLDialect, from table: String?) throws(Failure) -> QueryText {
    try reader.query(dialect, from: table)
  }

  /// The number of rows that were read.
  public var readRowCount: Int { reader.readRowCount }

  /// Runs the plan: reads the table, and shows it where it goes.
  public func run() throws(Failure) -> Outcome {
    reader.listener = listener
    let drawer = Drawer(reader, tuning, onPause: onPause)
    if let paging = reader.plan.output.paging { return try run(into: PagerDestination(paging), drawer) }
    return try run(into: FileDestination(reader, version), drawer)
  }

  private func run(
    into destination: consuming some Destination & ~Copyable, _ drawer: Drawer
  ) throws(Failure) -> Outcome {
    guard !reader.isWithoutTable else { return try destination.finish(without: reader) }
    let table = try reader.read()
    var outcome = try destination.show(table, drawer)
    try destination.finish(&outcome, reader)
    return outcome
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
