/// What draws a table of a form in a layout: this is decided here only.
enum DrawingKind {
  /// Text, in columns whose widths depend on their cells.
  case text

  /// Text, with whole records or cards next to each other.
  case flow(FlowWidth)
  case flowingCards(FlowWidth)

  /// Tables of Markdown, of GitHub's or of pandoc's.
  case markdown
  case html

  /// One record a card.
  case textCards
  case markdownCards
  case pandocCards
  case htmlCards

  /// Data, row by row.
  case csv
  case tsv
  case json

  /// Decides for the form and the layout of a plan.
  init(_ plan: borrowing Plan) {
    let isCards = plan.layout.kind == .detail
    switch plan.output.form {
    case .text:
      if let width = plan.layout.flow {
        self = isCards ? .flowingCards(width) : .flow(width)
      } else {
        self = isCards ? .textCards : .text
      }
    case .markdown: self = isCards ? .markdownCards : .markdown
    case .pandoc: self = isCards ? .pandocCards : .markdown
    case .html: self = isCards ? .htmlCards : .html
    case .csv: self = .csv
    case .tsv: self = .tsv
    case .json, .jsonl: self = .json
    }
  }
}

/// How a table is drawn, after everything was measured: its form and layout, and numbers.
///
/// Each case has its own painter.
enum Drawing {
  /// Text with everything at its position.
  case text(Arrangement)

  /// Text, with whole records or cards next to each other.
  case flow(FlowPlan)
  case flowingCards(FlowPlan)

  /// A pipe table of Markdown; if its cells are bare, in columns that align by what the first rows hold.
  case pipes(MarkdownArrangement)

  /// A multiline table or a grid table of pandoc.
  case pandoc(MarkdownArrangement)

  /// HTML, in columns whose alignment and breaks depend on the first rows.
  case html([ColumnSetting])

  /// One record a card.
  case textCards
  case markdownCards
  case pandocCards
  case htmlCards

  /// Data, row by row.
  case csv
  case tsv
  case json

  /// Arranges a table.
  ///
  /// - Parameters:
  ///   - layout: the layout of the plan, or another one instead.
  ///   - fitted: the layout to use if unlimited lines are hardly longer than it allows.
  init(
    _ table: inout ShownTable, _ layout: inout LayoutOptions, orFitted fitted: LayoutOptions? = nil,
    _ plan: Plan, _ schedule: Schedule, _ tuning: Tuning
  ) throws(Failure) {
    if table.styles.drawsByExtent { try table.measureExtents(schedule, tuning) }
    switch try table.measuredWhole(schedule, tuning) {
    case .text(var measurement):
      table.measureGap(&measurement, layout)
      let titles = try table.measureSections(&measurement)
      let footers = table.measuredFooters + titles
      var arrangement = Arrangement(
        table.columns, measurement, footers: footers, layout, lookAhead: table.lookAhead)
      if let fitted, arrangement.isHardlyWider(than: fitted.width) {
        let narrow = Arrangement(
          table.columns, measurement, footers: footers, fitted, lookAhead: table.lookAhead)
        // A table that cannot be fitted without a loss is scrolled anyway.
        if narrow.notices.isEmpty { (arrangement, layout) = (narrow, fitted) }
      }
      self = .text(arrangement)
    case .markdown(var measurement):
      if table.lookAhead != .all { measurement.expectEscapes() }
      table.measureGap(&measurement, layout)
      let titles = try table.measureSections(&measurement)
      let footers = table.measuredFooters + titles
      // Without rows, pandoc has no other tables.
      let isPiped = plan.output.form != .pandoc || layout.kind == .list || table.rows.count == 0
      let ruler: MarkdownArrangement.Ruler = isPiped ? .pipes : layout.kind == .grid ? .grid : .lines
      let arrangement = MarkdownArrangement(
        table.columns, measurement, footers: footers, layout, table.styles, ruler, in: isPiped ? .pipes : nil)
      self = isPiped ? .pipes(arrangement) : .pandoc(arrangement)
    case .nothing: self = try Drawing(unmeasured: table, layout, plan)
    }
  }

  /// Arranges a table whose widths do not depend on its cells.
  private init(
    unmeasured table: borrowing ShownTable, _ layout: LayoutOptions, _ plan: Plan
  ) throws(Failure) {
    switch DrawingKind(plan) {
    case .flow(let width): self = .flow(FlowPlan(table.columns, layout, width))
    case .flowingCards(let width): self = .flowingCards(FlowPlan(table.columns, layout, width))
    // A text table was measured.
    case .text, .textCards: self = .textCards
    case .markdownCards: self = .markdownCards
    case .pandocCards: self = .pandocCards
    case .htmlCards: self = .htmlCards
    case .markdown:
      var columns = table.columns
      columns.apply(try table.settings(plan))
      self = .pipes(MarkdownArrangement(columns, nil, layout, table.styles))
    case .html: self = .html(try table.settings(plan))
    case .csv: self = .csv
    case .tsv: self = .tsv
    case .json: self = .json
    }
  }
}

extension ShownTable {
  /// The footer lines that are measured.
  ///
  /// Unless all rows are known, these are only the lines that repeat the titles. It must make no difference
  /// how many rows happen to have been read.
  fileprivate var measuredFooters: [FooterLine] {
    hasAllRows || lookAhead == .all ? footers.lines : footers.lines.filter(\.repeatsTitles)
  }

  /// Finds the smallest and the largest number of columns with bars or heat, in the rows that are measured; columns
  /// without numbers need no room for bars.
  fileprivate mutating func measureExtents(_ schedule: Schedule, _ tuning: Tuning) throws(Failure) {
    var extents = extents
    if !isMeasured || schedule.measuring.limit != nil {
      extents = ExtentMeasure(styles)
      try measure(&extents, schedule, tuning)
    }
    extents.give(to: &styles)
    for index in columns.indices { columns[index].barRoom = styles.barRoom(ofColumn: index) }
  }

  /// The measurement of the cells, including those that were not measured on the way.
  fileprivate func measuredWhole(_ schedule: Schedule, _ tuning: Tuning) throws(Failure) -> Measured {
    if isMeasured { return measured }
    switch measured {
    case .text(var measurement):
      try measure(&measurement, schedule, tuning)
      return .text(measurement)
    case .markdown(var measurement):
      try measure(&measurement, schedule, tuning)
      return .markdown(measurement)
    case .nothing: return measured
    }
  }

  private func measure(
    _ measure: inout some RowMeasure, _ schedule: Schedule, _ tuning: Tuning
  ) throws(Failure) {
    if let limit = schedule.measuring.limit {
      return try forEachPiece(ofFirst: limit) { rows, start in
        measure.measure(rows, 0..<rows.count, firstNumber: start + 1)
      }
    }
    do { try measure.measure(rows, tuning) } catch { throw Failure(reading: error) }
  }

  /// Measures the line in place of rows that are left out.
  fileprivate func measureGap(
    _ measurement: inout Measurement<some MeasuredSpelling>, _ layout: LayoutOptions
  ) {
    guard let ends = layout.ends, let ends = RowEnds(ends, of: rows.count, isASCII: layout.isASCII) else {
      return
    }
    measurement.measure(.band(ends.text))
  }

  /// Measures headings and footers of sections, for the rows that were measured.
  ///
  /// - Returns: a footer line that repeats the titles, if sections have one.
  fileprivate mutating func measureSections(
    _ measurement: inout Measurement<some MeasuredSpelling>
  ) throws(Failure) -> [FooterLine] {
    if sections.isWhole { return [] }
    var titles: [FooterLine] = []
    func measure(_ section: SectionList.Section) {
      if let heading = section.heading { measurement.measure(.band(heading)) }
      for footer in section.footers {
        if !footer.repeatsTitles {
          measurement.measure(footer)
        } else if titles.isEmpty {
          titles = [footer]
        }
      }
    }
    if let known = sections.known(ofRows: rowCount) {
      for index in 0..<known.count { measure(known[index]) }
      return titles
    }
    var sections = sections
    if let limit = lookAhead.limit {
      try forEachPiece(ofFirst: limit) { (rows, _) throws(Failure) in try sections.find(in: rows, measure) }
    } else {
      try forEachPiece { (rows) throws(Failure) in try sections.find(in: rows, measure) }
    }
    sections.endFinding(isAll: lookAhead == .all, measure)
    self.sections = sections
    return titles
  }

  /// The alignment of each column, and its breaks in HTML, based on the first rows unless given.
  fileprivate func settings(_ plan: Plan) throws(Failure) -> [ColumnSetting] {
    let texts = columns.map { CellText(plain: $0) }
    var measurement = Measurement(columns, texts, TextContext(plan.layout, marks: plan.marks))
    let breaks = plan.output.form == .html
    var dates = texts.map { DateColumn($0) }
    var scratch = ByteBuffer()
    try forEachPiece(ofFirst: Schedule.alignedRows) { rows, start in
      measurement.measure(rows, 0..<rows.count, firstNumber: start + 1)
      guard breaks else { return }
      for index in dates.indices { dates[index].examineRows(rows, firstNumber: start + 1, &scratch) }
    }
    return columns.indices.map { index in
      let measure = measurement.columns[index]
      var setting = ColumnSetting(alignment: columns[index].alignment(measure))
      if breaks {
        let breaking = Breaking(columns[index], measure, holdsDates: dates[index].holdsDates)
        // A column with its own width keeps that width, however long its texts are.
        setting.breaking = breaking == .paragraphs && columns[index].item != nil ? .words : breaking
      }
      return setting
    }
  }
}

/// How a column is drawn, based on its first rows.
struct ColumnSetting {
  /// The alignment of its texts.
  var alignment: Alignment?

  /// Where its cells may break; `nil` in forms that do not break them.
  var breaking: Breaking?
}

extension [ShownColumn] {
  /// Applies what was judged, one setting for each column.
  mutating func apply(_ settings: [ColumnSetting]) {
    for (index, setting) in settings.enumerated() {
      self[index].alignment = setting.alignment
      if let breaking = setting.breaking { self[index].breaking = breaking }
    }
  }
}
