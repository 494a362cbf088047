extension Pipeline {
  /// Binds what is drawn once before anything is read, so that mistakes show at once.
  mutating func check() throws(Failure) {
    let columns = try ShownColumns(plan, &binder.schema, sortStates: stages.sortStates).columns
    try checkKeys(columns)
    do { _ = try FooterLines(plan.layout.footers, columns, &binder) } catch { throw error.failure }
    for column in columns where column.isFilled {
      do { _ = try CellText(column, &binder) } catch { throw .expression(error) }
    }
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

  /// Chooses the columns and the painter, and paints.
  mutating func draw(_ supply: Supply, _ sink: inout Sink) throws(Failure) {
    binder.schema = schema
    let shown = try ShownColumns(plan, &binder.schema, sortStates: stages.sortStates).columns
    try checkKeys(shown)
    let (names, columns) = cardParts(shown)
    do { footers = try FooterLines(plan.layout.footers, columns, &binder) } catch { throw error.failure }
    lateKeys?.settle(shown)
    settleOwnKeys(shown)
    try admit(supply)
    let profile = InputProfile(
      dialect: input.dialect, schema: schema, hasTitles: input.hasTitles, marks: plan.marks,
      nullWords: plan.input.nullWords.map { Array($0.utf8) })
    switch plan.output.form {
    case .text, .markdown, .html: try drawForPeople(columns, names: names, supply, &sink)
    case .csv:
      var painter = CSVPainter(columns, plan.output, input: profile)
      try paint(supply, with: &painter, &sink)
    case .tsv:
      var painter = TSVPainter(columns, plan.output, input: profile)
      try paint(supply, with: &painter, &sink)
    case .json, .jsonl:
      let hidden = try hiddenNames()
      var painter = JSONPainter(
        columns, isArray: plan.output.form == .json,
        members: schedule.keepsOwnKeys ? .own(hiding: hidden) : .columns,
        input: profile)
      try paint(supply, with: &painter, &sink)
    }
  }

  /// The columns that stand in the titles of cards, and all others, which are fields.
  ///
  /// Row names are the title unless `--title-of` is given; row numbers stand before either. Without both, the painter
  /// counts the rows.
  func cardParts(_ columns: [ShownColumn]) -> (names: [ShownColumn], fields: [ShownColumn]) {
    guard plan.layout.kind == .detail, plan.output.form.isDisplay else { return ([], columns) }
    let hasTitle = plan.layout.cardTitle != nil
    var (names, fields): ([ShownColumn], [ShownColumn]) = ([], [])
    for column in columns {
      if column.isRowHeader, column.isRowNumber || !hasTitle {
        names.append(column)
      } else {
        fields.append(column)
      }
    }
    return (!hasTitle && names.allSatisfy(\.isRowNumber) ? [] : names, fields)
  }

  /// Chooses the painter for text, Markdown or HTML, and paints.
  ///
  /// - Parameter names: the columns that stand in the titles of cards.
  private mutating func drawForPeople(
    _ columns: [ShownColumn], names: [ShownColumn], _ supply: Supply, _ sink: inout Sink
  ) throws(Failure) {
    let texts = try cellTexts(columns)
    let titles = try cellTexts(names) + cardTitle()
    titleNotices = rareTitles(columns)
    let layout = plan.layout
    let output = plan.output
    let marks = plan.marks
    let keepsRecords = schema.isOpen && schedule.keepsOwnKeys
    let name = plan.sources.first?.path?.text.split(separator: "/").last.map(String.init)
    switch (output.form, layout.kind) {
    case (.html, .detail):
      try paint(supply, &sink) {
        HTMLCardPainter(
          columns, texts, titles: titles, layout, output, name: name, keepsRecords: keepsRecords)
      }
    case (.html, _):
      let aligned = try aligned(columns, by: supply)
      try paint(supply, &sink) { HTMLPainter(aligned, texts, layout, output, name: name) }
    case (.markdown, .detail):
      try paint(supply, &sink) {
        MarkdownCardPainter(columns, texts, titles: titles, layout, keepsRecords: keepsRecords)
      }
    case (.markdown, _):
      guard schedule.measuring != .first(0) else {
        let aligned = try aligned(columns, by: supply)
        return try paint(supply, &sink) { MarkdownPainter(aligned, texts, layout, measurement: nil) }
      }
      var measurement = MarkdownMeasurement(columns, texts, layout, marks: marks)
      let rows = try measured(supply, texts, with: &measurement)
      let lines = footers.lines
      try paint(rows, &sink) { [measurement] in
        MarkdownPainter(columns, texts, layout, measurement: measurement, footers: lines)
      }
    case (_, .detail):
      try paint(supply, &sink) {
        TextDetailPainter(columns, texts, titles: titles, layout, marks: marks, keepsRecords: keepsRecords)
      }
    default:
      var measurement = Measurement(columns, texts, layout, marks: marks)
      let rows = try measured(supply, texts, with: &measurement)
      let arrangement = Arrangement(
        columns, measurement, footers: footers.lines, layout, lookAhead: lookAhead)
      try paint(rows, &sink) { TextPainter(arrangement, texts, layout, marks: marks) }
    }
  }

  /// What a person should hear of the titles drawn: they are counted with the cells.
  private func rareTitles(_ columns: [ShownColumn]) -> [LayoutNotice] {
    let isDetail = plan.layout.kind == .detail
    guard isDetail || plan.layout.hasHeader else { return [] }
    let context = TextContext(plan.layout, marks: plan.marks)
    var rare = RareBytes()
    var longCount = 0
    var escaped = ByteBuffer()
    for column in columns where !column.hasOwnTitle && (isDetail || !column.isRowHeader) {
      guard case .column(let source) = column.source, source.path.isEmpty else { continue }
      escaped.removeAll()
      let room = DrawnText.longestTitle
      let title = column.title.utf8.span
      if DrawnText.end(of: title, room: room) < title.count { longCount += 1 }
      // A title that is not UTF-8 was repaired: how it is spelled tells how often.
      let isRepaired = column.title.unicodeScalars.contains("\u{FFFD}")
      if isRepaired, let spelling = schema.spelling(of: source.index) {
        rare += context.escaper.append(spelling.span, room: room, mark: context.cutMark, to: &escaped).rare
      } else {
        rare += context.escaper.append(title, room: room, mark: context.cutMark, to: &escaped).rare
      }
    }
    let place = input.header.map { RowPlace(source: 0, line: $0.line(ofRow: 0), number: 0) }
    return (rare.illFormed > 0 ? [.replacedBytes(rare.illFormed, first: place)] : [])
      + (rare.nul > 0 ? [.nulBytes(rare.nul, first: place)] : [])
      + (longCount > 0 && plan.output.form != .html ? [.longTitles(longCount)] : [])
  }

  /// All rows in their order, measured: on the way where it makes no difference.
  ///
  /// With a limit, the rows at hand, of which as many are measured.
  private mutating func measured<M: Measuring>(
    _ supply: Supply, _ texts: [CellText], with measurement: inout M
  ) throws(Failure) -> Supply {
    if let limit = schedule.measuring.limit {
      if let rows = try supply.firstRows(limit) {
        measurement.measure(rows, 0..<min(limit, rows.count), firstNumber: 1)
      }
      if schedule.needsAllRows, outcome.rowCount > limit { lookAhead = schedule.measuring }
      return supply
    }
    var supply = supply
    var isMeasured = false
    if case .open = supply {
      isMeasured = stages.keepsOrder || stages.keepsAll && !texts.contains(where: \.dependsOnOrder)
      supply = try gather(admits: stages.keepsOrder) { (rows, count) in
        if isMeasured { measurement.measure(rows, 0..<rows.count, firstNumber: count + 1) }
      }
      if !stages.keepsOrder { try admit(supply) }
    }
    if isMeasured { return supply }
    switch supply {
    case .open: break
    case .begun(let rows), .held(let rows): measurement.measure(rows, tuning)
    case .stored(let rows):
      do { try measurement.measure(rows, tuning) } catch { throw Failure(reading: error) }
    case .spilled:
      var count = 0
      try supply.play { (rows) throws(Failure) in
        measurement.measure(rows, 0..<rows.count, firstNumber: count + 1)
        count += rows.count
      }
    }
    return supply
  }

  /// What the cells of each column say, with the templates bound.
  mutating func cellTexts(_ columns: [ShownColumn]) throws(Failure) -> [CellText] {
    var texts: [CellText] = []
    texts.reserveCapacity(columns.count)
    for column in columns {
      do { texts.append(try CellText(column, &binder)) } catch { throw .expression(error) }
    }
    return texts
  }

  /// The title of each card, if one was asked for.
  private mutating func cardTitle() throws(Failure) -> [CellText] {
    guard let template = plan.layout.cardTitle else { return [] }
    do { return [try CellText(template, &binder)] } catch { throw .expression(error) }
  }

  /// The names that `--hide` and `!` items take out of JSON records that keep their own keys.
  mutating func hiddenNames() throws(Failure) -> [String] {
    let excluded = ColumnList((plan.columns?.entries ?? []).map { ColumnList.Entry($0.item) })
    do {
      var hidden = try binder.schema.resolveAll(plan.hidden)
      if schedule.keepsOwnKeys { hidden.formUnion(try binder.schema.resolveAll(excluded)) }
      return hidden.compactMap(\.exact).map { binder.schema.columns[$0].name }
    } catch { throw .column(option: "--hide", error) }
  }

  /// Settles how columns align where nobody said it, by the first rows.
  private func aligned(_ columns: [ShownColumn], by supply: Supply) throws(Failure) -> [ShownColumn] {
    guard let rows = try supply.firstRows(Schedule.alignedRows) else { return columns }
    let texts = columns.map { CellText($0) }
    let range = 0..<min(rows.count, Schedule.alignedRows)
    var measurement = Measurement(columns, texts, plan.layout, marks: plan.marks)
    measurement.measure(rows, range, firstNumber: 1)
    var aligned = columns
    for index in columns.indices {
      let measure = measurement.columns[index]
      aligned[index].alignment = columns[index].alignment(measure)
      if plan.output.form == .html {
        aligned[index].breaking = Breaking(columns[index], measure, texts[index], rows, range)
      }
    }
    return aligned
  }
}
