import TablerEngine

extension LayoutOptions {
  /// Reads the options about layout, header, spacing and style.
  init(
    _ arguments: Arguments, _ environment: Environment, _ output: OutputOptions
  ) throws(PlanError) {
    self.init()
    kind = arguments.layout ?? .list
    if output.form.isDisplay { try refuseForeign(arguments) }
    readShape(arguments)
    try readHeadings(arguments)
    try readCells(arguments)
    if output.form.isDisplay, kind == .detail, !gridItems.isEmpty {
      throw .foreignLayout(.gridItems, kind, known: [.list, .stack, .grid])
    }
    try readPages(arguments, environment, output)
    try readSpans(arguments)
    try readSpacing(arguments)
    try readStyle(arguments)
    adapt(to: environment, arguments, output)
  }

  private func refuseForeign(_ arguments: Arguments) throws(PlanError) {
    for option in arguments.occurrences.lazy.map(\.option) where arguments.isOn(option) {
      guard case .layouts(let known) = Option[option].reach, !known.contains(kind) else { continue }
      throw .foreignLayout(option, kind, known: known)
    }
  }

  private mutating func readShape(_ arguments: Arguments) {
    isSingleLine = arguments.isOn(.singleLine)
    minimumWidth = arguments.number(.minWidth)
    fills = arguments.isOn(.fill)
    wrapsColumns = arguments.isOn(.gridWrap)
    place = arguments.choice(.gridAlignment, as: TablePlace.self) ?? place
    headerPosition = arguments.choice(.headerPosition, as: HeaderPosition.self)
    border = arguments.choice(.border, as: Border.self) ?? border
    hasRowRules = arguments.isOn(.rowRules)
    hasHeader = !arguments.isOn(.noHeader)
    minimumRowHeight = arguments.number(.minRowHeight) ?? minimumRowHeight
    headerHeight = arguments.number(.headerHeight) ?? headerHeight
    ambiguousWidth = arguments.number(.ambiguousWidth) ?? ambiguousWidth
    passesControl = arguments.isOn(.rawControl)
    keepsMarkdown = arguments.isOn(.markdownRaw)
  }

  /// Reads the number of lines of a page.
  private mutating func readPages(
    _ arguments: Arguments, _ environment: Environment, _ output: OutputOptions
  ) throws(PlanError) {
    guard output.form == .text, let value = arguments.value(.page), value != "none" else { return }
    if kind == .detail || !hasHeaderOutside {
      if kind != .detail, headerPosition != nil { throw .contradiction(.page, .headerPosition) }
      throw .foreignLayout(.page, kind, known: [.stack, .grid])
    }
    if flow != nil { throw .besideAdaptive(.page) }
    let toTerminal = environment.standardOutputIsTerminal && output.path == nil
    pageHeight = Int(value) ?? (toTerminal ? environment.height : nil)
  }

  private mutating func readHeadings(_ arguments: Arguments) throws(PlanError) {
    title = arguments.value(.title).flatMap { $0.isEmpty ? nil : $0 }
    caption = arguments.value(.caption).flatMap { $0.isEmpty ? nil : $0 }
    footers = try arguments.read(.footer) { (cursor) throws(GrammarError) in try cursor.footer() }
    cardTitle = try arguments.readLast(.titleOf) { (cursor) throws(GrammarError) in
      try cursor.template(cursor.text)
    }
    switch try arguments.readLast(.separator, { (cursor) throws(GrammarError) in try cursor.drawable() }) {
    case nil: separator = .byLayout
    case "none"?: separator = .none
    case "line"?: separator = .line
    case let text?: separator = .text(text)
    }
  }

  private mutating func readCells(_ arguments: Arguments) throws(PlanError) {
    let alignments = try arguments.read(.align) { (cursor) throws(GrammarError) in try cursor.alignments() }
    self.alignments = alignments.flatMap { $0 }
    let formats = try arguments.read(.format) { (cursor) throws(GrammarError) in try cursor.formats() }
    self.formats = formats.flatMap { $0 }
    missing = arguments.value(.missing) ?? missing
    hasRowNumbers = arguments.isOn(.rowNumbers)
    switch try arguments.readLast(.gridItems, { (cursor) throws(GrammarError) in try cursor.gridItems() }) {
    case .columns(let items)?: gridItems = items
    case .records(let width)?: flow = width
    case nil: break
    }
    rowNames = try arguments.readLast(.rowNames) { (cursor) throws(GrammarError) in
      cursor.text.utf8.contains(UInt8(ascii: "{"))
        ? .template(try cursor.template(cursor.text)) : .columns(try cursor.columnList())
    }
  }

  /// Reads what is drawn once for several columns or rows.
  private mutating func readSpans(_ arguments: Arguments) throws(PlanError) {
    spans = try arguments.read(.span) { (cursor) throws(GrammarError) in try cursor.spans() }
      .flatMap { $0 }
    merged = try arguments.readLast(.mergeRepeats) { (cursor) throws(GrammarError) in try cursor.columnList()
    }
  }

  private mutating func readSpacing(_ arguments: Arguments) throws(PlanError) {
    func edges(_ option: Option.ID) throws(PlanError) -> Edges {
      try arguments.readLast(option) { (cursor) throws(GrammarError) in try cursor.edges() } ?? Edges()
    }
    func length(_ option: Option.ID) throws(PlanError) -> Length? {
      try arguments.readLast(option) { (cursor) throws(GrammarError) in try cursor.wholeLength() }
    }
    tablePadding = try edges(.tablePadding)
    let rowPadding = try edges(.rowPadding)
    let itemPadding = try edges(.itemPadding)
    cellPadding = kind == .grid ? itemPadding : rowPadding
    headerSpacing = try length(.headerSpacing)
    footerSpacing = try length(.footerSpacing)
    rowSpacing = try length(.rowSpacing)
    columnSpacing = try length(.columnSpacing)
  }

  private mutating func readStyle(_ arguments: Arguments) throws(PlanError) {
    func mark(_ option: Option.ID) throws(PlanError) -> String? {
      try arguments.readLast(option) { (cursor) throws(GrammarError) in try cursor.drawable() }
    }
    headerStyle = try arguments.readLast(.headerStyle) { (cursor) throws(GrammarError) in try cursor.style() }
    isStriped = arguments.isOn(.zebra)
    rowBackgrounds = try arguments.read(.rowBackground) { (cursor) throws(GrammarError) in
      try cursor.styleRule(for: .row)
    }
    rowOverlays = try arguments.read(.rowOverlay) { (cursor) throws(GrammarError) in
      try cursor.styleRule(for: .row)
    }
    cellStyles = try arguments.read(.cell) { (cursor) throws(GrammarError) in try cursor.cellStyleRule() }
    selectionMode = arguments.choice(.selectMode, as: SelectionMode.self) ?? selectionMode
    selectionStyle = arguments.choice(.selectionStyle, as: SelectionStyle.self) ?? selectionStyle
    selections = try arguments.read(.select) { (cursor) throws(GrammarError) in try cursor.rowChoice() }
    if selectionMode == .none { selections = [] }
    indicators.forward = try mark(.sortIndicatorForward) ?? indicators.forward
    indicators.reverse = try mark(.sortIndicatorReverse) ?? indicators.reverse
    indicators.neutral = try mark(.sortIndicatorNeutral) ?? indicators.neutral
    indicators.areShown = !arguments.isOn(.noSortIndicators)
    indicators.showsRank = arguments.isOn(.sortRank)
    fieldSigns.invalid = try mark(.invalidIndicator) ?? fieldSigns.invalid
    fieldSigns.valid = try mark(.validIndicator) ?? fieldSigns.valid
    highlightsHover = arguments.isOn(.hover)
  }

  /// Adapts what depends on where the table is displayed: width, color, characters.
  private mutating func adapt(
    to environment: Environment, _ arguments: Arguments, _ output: OutputOptions
  ) {
    let toTerminal = environment.standardOutputIsTerminal && output.path == nil
    overflow = arguments.choice(.overflow, as: Overflow.self) ?? (toTerminal ? .fit : .wrap)
    if output.form == .text {
      width = .init(arguments.value(.width), environment, toTerminal: toTerminal)
      let choice = arguments.choice(.color, as: Environment.ColorChoice.self) ?? .auto
      colorDepth = environment.colorDepth(choice, toTerminal: toTerminal)
    }
    isASCII = arguments.last(.ascii)?.isOn ?? (toTerminal && environment.hasForeignCharset)
  }
}

extension WidthLimit {
  /// `N`, `none`, or `auto`: for a pipe or a file there is no limit, so that no cell is lost.
  fileprivate init(_ value: String?, _ environment: Environment, toTerminal: Bool) {
    if let width = value.flatMap({ Int($0) }) {
      self = .atMost(width)
    } else {
      self = value != "none" && toTerminal ? .atMost(environment.width) : .unlimited
    }
  }
}

extension LayoutOptions {
  /// Reads the options about sections.
  mutating func readSections(_ arguments: Arguments, notices: inout [PlanNotice]) throws(PlanError) {
    let header = try arguments.readLast(.sectionHeader) { (cursor) throws(GrammarError) in
      try cursor.sectionHeader()
    }
    let footer = try arguments.readLast(.sectionFooter) { (cursor) throws(GrammarError) in
      try cursor.sectionFooter()
    }
    guard let value = try arguments.expressions(.sectionBy).last else {
      for option in [Option.ID.sectionHeader, .sectionFooter] where arguments.has(option) {
        notices.append(.idleOption(option, without: .sectionBy))
      }
      return
    }
    var sections = SectionOptions(by: value)
    if let header { sections.header = header } else { sections.header = try Self.standardSectionHeader() }
    sections.footer = footer ?? nil
    self.sections = sections
  }

  /// The default heading of sections.
  private static func standardSectionHeader() throws(PlanError) -> SourceTemplate {
    let cursor = GrammarCursor(Option[.sectionHeader].fallback, of: .sectionHeader)
    do { return try cursor.template(cursor.text) } catch { throw .grammar(error) }
  }
}
