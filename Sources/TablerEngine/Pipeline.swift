/// The whole tool: bytes in, rows kept and ordered, columns chosen, widths worked out, bytes out.
///
///     sources ─► batches ─► filter ─► [gather] ─► sort ─► move ─► window ─► columns ─► layout ─► paint ─► output
///
/// Rows go through batch by batch. Only what must see all of them gathers: sort, moves, the last rows, widths that
/// are exact, and the columns of JSON that nobody named.
public struct Pipeline {
  private let plan: Plan
  private let input: InputReader
  private var stages: RowStages
  private var binder: Binder
  private var first: Batch?
  private var footers = FooterLines()
  private var isDrained = false
  private var outcome = Outcome()

  /// Opens the input, reads its header and binds what the plan says to its columns.
  ///
  /// Nothing has been written when this fails.
  public init(_ plan: Plan) throws(Failure) {
    try self.init(plan, blockSize: InputReader.standardBlockSize) { (source) throws(SystemError) in
      try source.open()
    }
  }

  /// Opens the input through `supply`, in blocks of `blockSize` bytes: the door for tests.
  init(
    _ plan: Plan, blockSize: Int, supply: @escaping (Source) throws(SystemError) -> ByteSource
  ) throws(Failure) {
    self.plan = plan
    input = InputReader(
      plan.sources, options: plan.input, mayGrow: plan.gathers(isOpen: false), blockSize: blockSize,
      supply: supply)
    input.isLive = !plan.gathers(isOpen: true)
    do {
      try input.open()
      first = try input.schema.isOpen ? input.next() : nil
    } catch { throw .input(error) }
    let context = EvaluationContext(
      marks: plan.marks, sourceNames: plan.sources.map(\.name),
      metrics: TextMetrics(ambiguousWidth: plan.layout.ambiguousWidth))
    binder = Binder(schema: input.schema, arguments: plan.arguments, context: context)
    stages = try RowStages(plan, &binder)
    input.schema = binder.schema
  }

  /// Runs the plan and writes the table.
  public mutating func run() throws(Failure) -> Outcome {
    var sink = Sink(try plan.openOutput())
    if input.isEmpty, input.schema.count == 0 {
      outcome.notices += input.notices.map(Notice.input)
      try sink.finish()
      return outcome
    }
    if stages.needsAll || plan.gathers(isOpen: input.schema.isOpen) {
      try gather(&sink)
    } else {
      try stream(&sink)
    }
    try sink.finish()
    return outcome
  }
}

extension Pipeline {
  /// Reads everything, puts it in order, then draws it.
  private mutating func gather(_ sink: inout Sink) throws(Failure) {
    var rows = Rows()
    while let more = try nextRows() { rows.append(more) }
    isDrained = true
    try stages.finish(&rows)
    if let failure = stages.mustFailure { throw failure.failure(plan.sources) }
    try draw(rows, &sink)
  }

  /// Draws rows as they come; what HTML needs to know of the first hundred is waited for.
  private mutating func stream(_ sink: inout Sink) throws(Failure) {
    var rows = Rows()
    let wanted = plan.output.form == .html ? 100 : 1
    while rows.count < wanted, let more = try nextRows() { rows.append(more) }
    try draw(rows, &sink)
  }

  /// The next rows that the stages keep, in a batch or more; `nil` at the end.
  private mutating func nextRows() throws(Failure) -> Rows? {
    guard !isDrained, !stages.isFull else { return nil }
    let batch: Batch?
    if let ready = first {
      batch = ready
      first = nil
    } else {
      do { batch = try input.next() } catch { throw .input(error) }
    }
    guard let batch else { return nil }
    let rows = try stages.kept(batch)
    if let failure = stages.mustFailure { throw failure.failure(plan.sources) }
    return rows
  }
}

// MARK: - Drawing

extension Pipeline {
  /// Chooses the columns and the painter; `rows` are all rows, or the first of them.
  private mutating func draw(_ rows: Rows, _ sink: inout Sink) throws(Failure) {
    binder.schema = input.schema
    var columns = try ShownColumns(plan, &binder.schema, sortStates: stages.sortStates).columns
    do { footers = try FooterLines(plan.layout.footers, columns, &binder) } catch { throw error.failure }
    input.schema = binder.schema
    admit(rows)
    let profile = InputProfile(
      dialect: input.dialect, schema: input.schema, hasTitles: input.hasTitles, marks: plan.marks)
    let layout = plan.layout
    switch plan.output.form {
    case .text where layout.kind == .detail:
      let texts = try cellTexts(columns)
      var painter = TextDetailPainter(
        columns, texts, title: try cardTitle(), layout, marks: plan.marks,
        omitsMissing: input.schema.isOpen && plan.columns == nil)
      try paint(rows, with: &painter, &sink)
      outcome.notices += painter.notices.map(Notice.layout)
    case .text:
      let texts = try cellTexts(columns)
      var measurement = Measurement(columns, texts, layout, marks: plan.marks)
      measurement.measure(rows, 0..<rows.count, firstNumber: 1)
      let arrangement = Arrangement(columns, measurement, footers: footers.lines, layout)
      var painter = TextPainter(arrangement, texts, layout, marks: plan.marks)
      try paint(rows, with: &painter, &sink)
      outcome.notices += painter.notices.map(Notice.layout)
    case .csv:
      var painter = CSVPainter(columns, plan.output, input: profile)
      try paint(rows, with: &painter, &sink)
      if painter.guardedCells > 0 { outcome.notices.append(.guardedFormulas(painter.guardedCells)) }
    case .tsv:
      var painter = TSVPainter(columns, plan.output, input: profile)
      try paint(rows, with: &painter, &sink)
      if painter.guardedCells > 0 { outcome.notices.append(.guardedFormulas(painter.guardedCells)) }
    case .json, .jsonl:
      let hidden = try hiddenNames()
      var painter = JSONPainter(
        columns, isArray: plan.output.form == .json,
        members: plan.columns == nil ? .own(hiding: hidden) : .columns,
        input: profile)
      try paint(rows, with: &painter, &sink)
    case .markdown:
      try drawMarkdown(columns, rows, &sink)
    case .html:
      align(&columns, by: rows)
      try drawHTML(columns, rows, &sink)
    }
  }

  private mutating func drawMarkdown(_ columns: [ShownColumn], _ rows: Rows, _ sink: inout Sink)
    throws(Failure)
  {
    let texts = try cellTexts(columns)
    if plan.layout.kind == .detail {
      var painter = MarkdownCardPainter(
        columns, texts, title: try cardTitle(), plan.layout,
        omitsMissing: input.schema.isOpen && plan.columns == nil)
      try paint(rows, with: &painter, &sink)
      outcome.notices += painter.notices.map(Notice.layout)
      return
    }
    var measurement = MarkdownMeasurement(columns, texts, plan.layout, marks: plan.marks)
    measurement.measure(rows, 0..<rows.count, firstNumber: 1)
    var painter = MarkdownPainter(
      columns, texts, plan.layout, measurement: measurement, footers: footers.lines)
    try paint(rows, with: &painter, &sink)
    outcome.notices += painter.notices.map(Notice.layout)
  }

  private mutating func drawHTML(_ columns: [ShownColumn], _ rows: Rows, _ sink: inout Sink) throws(Failure) {
    let texts = try cellTexts(columns)
    let name = plan.sources.first?.path?.split(separator: "/").last.map(String.init)
    if plan.layout.kind == .detail {
      var painter = HTMLCardPainter(
        columns, texts, title: try cardTitle(), plan.layout, plan.output, name: name,
        omitsMissing: input.schema.isOpen && plan.columns == nil)
      try paint(rows, with: &painter, &sink)
      outcome.notices += painter.notices.map(Notice.layout)
      return
    }
    var painter = HTMLPainter(columns, texts, plan.layout, plan.output, name: name)
    try paint(rows, with: &painter, &sink)
    outcome.notices += painter.notices.map(Notice.layout)
  }

  /// What the cells of each column say, with the templates bound.
  private mutating func cellTexts(_ columns: [ShownColumn]) throws(Failure) -> [CellText] {
    var texts: [CellText] = []
    for column in columns {
      do { texts.append(try CellText(column, &binder)) } catch { throw .expression(error) }
    }
    return texts
  }

  /// The title of each card, if one was asked for.
  private mutating func cardTitle() throws(Failure) -> CellText? {
    guard let template = plan.layout.cardTitle else { return nil }
    do { return try CellText(template, &binder) } catch { throw .expression(error) }
  }

  /// The names that `--hide` takes out of JSON records that keep their own keys.
  private mutating func hiddenNames() throws(Failure) -> [String] {
    do {
      return try binder.schema.resolveAll(plan.hidden).filter(\.path.isEmpty).map {
        binder.schema.columns[$0.index].name
      }
    } catch { throw .column(option: "--hide", error) }
  }

  /// Settles how columns align where nobody said it, by the first rows.
  private func align(_ columns: inout [ShownColumn], by rows: Rows) {
    var measurement = Measurement(columns, columns.map { CellText($0) }, plan.layout, marks: plan.marks)
    measurement.measure(rows, 0..<min(rows.count, 100), firstNumber: 1)
    for index in columns.indices {
      columns[index].alignment = columns[index].alignment(measurement.columns[index])
    }
  }

  /// Paints the rows at hand and all that come behind them.
  private mutating func paint<P: Painter & ~Copyable>(
    _ rows: Rows, with painter: inout P, _ sink: inout Sink
  ) throws(Failure) {
    painter.begin(into: &sink.buffer)
    try paintPieces(rows, with: &painter, &sink)
    do {
      while let more = try nextRows() {
        admit(more)
        try paintPieces(more, with: &painter, &sink)
        if input.isLive { try sink.flush() }
      }
    } catch {
      try sink.flush()
      throw error
    }
    painter.end(footers: footers.lines, into: &sink.buffer)
    finishNotices()
  }

  private func paintPieces<P: Painter & ~Copyable>(
    _ rows: Rows, with painter: inout P, _ sink: inout Sink
  ) throws(Failure) {
    let piece = 256
    var start = 0
    while start < rows.count {
      let end = min(start + piece, rows.count)
      painter.paint(rows, start..<end, into: &sink.buffer)
      try sink.relieve()
      start = end
    }
  }

  /// Takes note of rows that are shown.
  private mutating func admit(_ rows: Rows) {
    outcome.rowCount += rows.count
    footers.take(rows)
  }

  private mutating func finishNotices() {
    outcome.notices += input.notices.map(Notice.input)
    outcome.notices += stages.notices
    outcome.disorder = stages.disorder
    for tally in stages.tallies + footers.tallies { outcome.notices += tally.notices(plan.sources) }
  }
}
