/// A plan bound to the columns of its input: the first stage of a run, and the last that rejects what was typed.
struct Resolution {
  /// The plan.
  let plan: Plan

  /// The portions in which the work is done.
  let tuning: Tuning

  /// When rows are taken, held and measured.
  let schedule: Schedule

  /// The reader of the input, whose header has been read.
  let input: InputReader

  /// The first batch, if it was needed to know the columns.
  let first: Batch?

  /// The steps that process rows.
  let steps: Steps

  /// The columns.
  let columns: Columns

  /// Holds back the last records, if some are wanted.
  let footerRecords: FooterRecords?

  /// A number in an expression that is also the name of a column.
  let numberName: NumberName?

  /// The side tables, if there are any.
  let lookups: LookupTables?

  /// Whether rows are drawn when the input pauses, however few they are.
  var waitsForPauses: Bool {
    guard case .asTheyCome = schedule.taking else { return false }
    return plan.input.isFollowed || plan.output.paging != nil
  }

  /// Opens the input through `open`, reads its header and binds the names in options to its columns.
  init(
    _ plan: Plan, _ tuning: Tuning, _ open: @escaping (Source) throws(SystemError) -> ByteSource
  ) throws(Failure) {
    let sources = plan.sources
    let plan = try plan.completed(tuning, open)
    self.plan = plan
    self.tuning = tuning
    // Each row gets a cell for each computed column.
    var portions = tuning
    portions.cellLimit /= 1 + plan.computed.count + plan.computations.reduce(0) { $0 + $1.assignments.count }
    let addedColumnCount = plan.changes?.list.addedColumnCount ?? 0
    portions.cellLimit = max(portions.cellLimit / (1 + addedColumnCount), 1)
    input = InputReader(
      plan.pivoted == nil ? sources : [], options: plan.input, mayGrow: plan.mayGrow, memory: plan.memory,
      recordLimit: plan.recordLimit, portions, open: open)
    input.isLive = plan.isLive(isOpen: false)
    Progress.expect(bytes: Source.size(ofAll: sources))
    do {
      try input.open()
      first = try input.schema.isOpen ? input.next() : nil
    } catch { throw .input(error) }
    if let table = plan.pivoted { input.begin(like: table.beginning, table.schema) }
    if let names = plan.answerNames, !input.schema.isOpen, input.schema.columns.map(\.name) != names {
      let path = sources.first?.path
      throw .input(.system(SystemError(.answer, path: path, code: 0)))
    }
    if let names = plan.answerNames, input.schema.isOpen, first == nil {
      for name in names { _ = input.schema.see(key: name) }
    }
    input.schema.fixPositions(by: first)
    do { try input.schema.declare(plan.types, mayJoin: !plan.joins.isEmpty) } catch {
      throw Failure.column(option: "--types", error).listing(input.schema)
        .explained(by: input, path: sources.first?.path)
    }
    footerRecords = FooterRecords(plan.input.footerLines, budget: plan.memory)
    lookups =
      plan.lookups.isEmpty ? nil : try LookupTables(plan.lookups, SideFile.Opening(plan, tuning, open))
    let noteColumn = plan.marksFailures ? input.schema.reserve() : nil
    let context = EvaluationContext(
      marks: plan.marks, sourceNames: plan.sources.map(\.name),
      metrics: TextMetrics(ambiguousWidth: plan.layout.ambiguousWidth),
      now: Timestamp(instant: Process.now, offset: 0), dateFormat: plan.dateFormat,
      lookups: lookups?.tables,
      leavesOutMisfits: plan.misfits == .skip, keyRoom: max(plan.memory / 2, 16 << 20),
      noteColumn: noteColumn, isASCII: plan.layout.isASCII)
    var binder = Binder(schema: input.schema, variables: plan.variables, context: context)
    var columns: Columns
    do {
      let replayer = try ChangeReplayer(plan, input.beginning.dialect, &binder)
      var steps = try Steps(plan, &binder, tuning)
      steps.replay(with: replayer)
      // Every record of an answer in JSON has all columns.
      schedule = Schedule(plan, steps, isOpen: binder.schema.isOpen && plan.answerNames == nil)
      steps.begin(schedule, on: input.crew)
      self.steps = steps
      columns = try Columns(plan, schedule, steps, &binder)
    } catch {
      throw error.listing(binder.schema).explained(by: input, path: sources.first?.path)
    }
    do { try columns.chooseCompared() } catch {
      throw error.listing(columns.comparedSchema).explained(by: input, path: sources.first?.path)
    }
    self.columns = columns
    input.schema = columns.read
    numberName = input.beginning.hasTitles ? NumberName(in: plan, columns.read) : nil
    input.isLive = plan.isLive(isOpen: columns.known.isOpen) && !schedule.needsAllRows
  }
}

extension Plan {
  /// The plan with what follows from several of its options, and from its files.
  fileprivate func completed(
    _ tuning: Tuning, _ open: @escaping (Source) throws(SystemError) -> ByteSource
  ) throws(Failure) -> Plan {
    var plan = self
    if output.isInPlace, output.form != .json, let path = output.path {
      plan.output.endsOpen = Descriptor.endsInsideLine(path)
    }
    if output.form == .pandoc { plan.layout.markdownDialect = .pandoc }
    plan.layout.marksRecords = marksRecords
    plan.input.countsEmptyLines = output.isInPlace
    if let replay {
      let list = try ChangeList(replay, SideFile.Opening(plan, tuning, open))
      plan.changes = (list, plan.sources.count)
      plan.sources.append(replay.source)
      if plan.columns == nil { plan.columns = list.columnList }
    }
    if !joins.isEmpty {
      let opening = SideFile.Opening(plan, tuning, open)
      var room = opening.room(ofBudget: 2)
      for join in joins {
        plan.joined.append(try JoinedTable(join.source, opening, room: &room, mayWait: !input.isFollowed))
      }
    }
    if !additions.isEmpty { plan.sources.append(.additions) }
    if let comparison { plan.sources.append(comparison.old) }
    if preamble != nil || postamble != nil {
      let forms = try FormFiles(plan, SideFile.Opening(plan, tuning, open))
      (plan.layout.preamble, plan.layout.postamble) = (forms.preamble, forms.postamble)
    }
    return plan
  }
}

extension SideFile.Opening {
  /// Side files are read as the input of a plan is.
  fileprivate init(
    _ plan: borrowing Plan, _ tuning: Tuning, _ open: @escaping (Source) throws(SystemError) -> ByteSource
  ) {
    self.init(like: plan.input, memory: plan.memory, recordLimit: plan.recordLimit, tuning, open)
  }
}
