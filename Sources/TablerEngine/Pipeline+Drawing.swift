extension Pipeline {
  /// Binds what is drawn once before anything is read, so that mistakes show at once.
  mutating func check() throws(Failure) {
    let columns = try ShownColumns(plan, &binder.schema, sortStates: stages.sortStates).columns
    try checkKeys(columns)
    do { _ = try FooterLines(plan.layout.footers, columns, &binder) } catch { throw error.failure }
    _ = try cellTexts(columns)
    _ = try cardTitle()
  }

  /// Refuses columns that would give an object of JSON the same key twice.
  private func checkKeys(_ columns: [ShownColumn]) throws(Failure) {
    switch plan.output.form {
    case .json, .jsonl: break
    case .text, .markdown, .html, .csv, .tsv: return
    }
    var keys: Set<ExactName> = []
    for column in DataColumn.columns(of: columns, binder.schema)
    where !keys.insert(ExactName(column.key)).inserted {
      throw .repeatedKey(column.key)
    }
  }

  /// Chooses the columns and the painter; `rows` are all rows, or the first of them.
  mutating func draw(_ rows: Rows, _ sink: inout Sink) throws(Failure) {
    binder.schema = schema
    var columns = try ShownColumns(plan, &binder.schema, sortStates: stages.sortStates).columns
    try checkKeys(columns)
    do { footers = try FooterLines(plan.layout.footers, columns, &binder) } catch { throw error.failure }
    admit(rows)
    let profile = InputProfile(
      dialect: input.dialect, schema: schema, hasTitles: input.hasTitles, marks: plan.marks)
    let layout = plan.layout
    switch plan.output.form {
    case .text where layout.kind == .detail:
      let texts = try cellTexts(columns)
      var painter = TextDetailPainter(
        columns, texts, title: try cardTitle(), layout, marks: plan.marks,
        keepsRecords: schema.isOpen && plan.keepsOwnKeys)
      try paint(rows, forPeople: &painter, &sink)
    case .text:
      let texts = try cellTexts(columns)
      var measurement = Measurement(columns, texts, layout, marks: plan.marks)
      measurement.measure(rows, 0..<rows.count, firstNumber: 1)
      let arrangement = Arrangement(columns, measurement, footers: footers.lines, layout)
      var painter = TextPainter(arrangement, texts, layout, marks: plan.marks)
      try paint(rows, forPeople: &painter, &sink)
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
        members: plan.keepsOwnKeys ? .own(hiding: hidden) : .columns,
        input: profile)
      try paint(rows, with: &painter, &sink)
      outcome.notices += painter.notices.map(Notice.layout)
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
        keepsRecords: schema.isOpen && plan.keepsOwnKeys)
      try paint(rows, forPeople: &painter, &sink)
      return
    }
    var measurement = MarkdownMeasurement(columns, texts, plan.layout, marks: plan.marks)
    measurement.measure(rows, 0..<rows.count, firstNumber: 1)
    var painter = MarkdownPainter(
      columns, texts, plan.layout, measurement: measurement, footers: footers.lines)
    try paint(rows, forPeople: &painter, &sink)
  }

  private mutating func drawHTML(_ columns: [ShownColumn], _ rows: Rows, _ sink: inout Sink) throws(Failure) {
    let texts = try cellTexts(columns)
    let name = plan.sources.first?.path?.split(separator: "/").last.map(String.init)
    if plan.layout.kind == .detail {
      var painter = HTMLCardPainter(
        columns, texts, title: try cardTitle(), plan.layout, plan.output, name: name,
        keepsRecords: schema.isOpen && plan.keepsOwnKeys)
      try paint(rows, forPeople: &painter, &sink)
      return
    }
    var painter = HTMLPainter(columns, texts, plan.layout, plan.output, name: name)
    try paint(rows, forPeople: &painter, &sink)
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

  /// The names that `--hide` and `!` items take out of JSON records that keep their own keys.
  private mutating func hiddenNames() throws(Failure) -> [String] {
    let excluded = ColumnList((plan.columns?.entries ?? []).map { ColumnList.Entry($0.item) })
    do {
      var hidden = try binder.schema.resolveAll(plan.hidden)
      if plan.keepsOwnKeys { hidden.formUnion(try binder.schema.resolveAll(excluded)) }
      return hidden.filter(\.path.isEmpty).map { binder.schema.columns[$0.index].name }
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
        if input.isLive, !reading.isReady { try sink.flush() }
      }
    } catch {
      try sink.flush()
      throw error
    }
    painter.end(footers: footers.lines, into: &sink.buffer)
    finishNotices()
  }

  /// Paints with a painter that tells what a person should hear of.
  private mutating func paint<P: DisplayPainter & ~Copyable>(
    _ rows: Rows, forPeople painter: inout P, _ sink: inout Sink
  ) throws(Failure) {
    try paint(rows, with: &painter, &sink)
    outcome.notices += painter.notices.map(Notice.layout)
    let states = painter.states
    for state in states { outcome.notices += state.tally.notices(plan.sources) }
    guard let failure = states.lazy.compactMap(\.failure).first else { return }
    try sink.flush()
    throw failure.failure(plan.sources)
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
    outcome.notices += reading.progress.notices.map(Notice.input)
    if reading.progress.rowCount > 0 {
      for column in schema.columns where !column.isSeen {
        outcome.notices.append(.input(.neverSeen(column.name)))
      }
    }
    outcome.notices += stages.notices
    outcome.disorder = stages.disorder
    for tally in stages.tallies + footers.tallies { outcome.notices += tally.notices(plan.sources) }
  }
}
