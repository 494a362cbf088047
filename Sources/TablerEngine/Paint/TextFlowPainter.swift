/// Draws whole records next to each other as text, as many as there is room for: `--grid-items 'adaptive(20)'`.
///
///     🍊 Orange  190 g    🍌 Banana  118 g
///     🥝 Kiwi  75 g       🍓 Strawberry  12 g
///
/// Nothing is measured in advance. Only the records of one line are held.
struct TextFlowPainter<Record: DisplayPainter & ~Copyable>: ~Copyable, DisplayPainter {
  private let plan: FlowPlan
  private var heading: TextHeading

  /// Measures lines that may contain style sequences.
  private let metrics: TextMetrics

  /// Draws a record, with titles and footers of its own.
  private var record: Record

  /// The drawn records of the current line, and the lines of each.
  private var held = ByteBuffer()
  private var lines: [HeldLine] = []
  private var records: [Range<Int>] = []

  /// Whether records of the section have been drawn.
  private var isAfterRecords = false

  /// Draws the rules.
  private var frame: FrameWriter

  /// Draws headings and footers of sections, across all records of a line.
  private let band: TextBand
  private var bandCells: TextCells
  private var bandText = ByteBuffer()

  /// One line of a record.
  private struct HeldLine {
    var range: Range<Int>
    var width: Int
  }

  /// Creates a painter.
  ///
  /// - Parameter record: draws a record in the width of the plan.
  init(_ plan: FlowPlan, _ options: LayoutOptions, _ record: consuming Record) {
    self.plan = plan
    self.record = record
    let context = TextContext(options)
    heading = TextHeading(options, context, indent: plan.indent)
    metrics = TextMetrics(ambiguousWidth: context.metrics.ambiguousWidth, passesControl: true)
    frame = FrameWriter(plan.frame, plan.spacing)
    band = TextBand(plan.frame, plan.spacing, context, options)
    bandCells = TextCells(context)
  }

  var countsRows: Bool { plan.isEmpty }

  /// Always false: records share lines.
  var standsAlone: Bool { false }

  var walk: RowWalk {
    _read { yield record.walk }
    _modify { yield &record.walk }
  }

  var styles: RowStyles {
    _read { yield record.styles }
    _modify { yield &record.styles }
  }

  var templateStates: [EvaluationState] { record.templateStates }

  var layoutNotices: [LayoutNotice] {
    var notices = plan.notices + record.layoutNotices
    notices.merge(heading.notices)
    notices.merge(bandCells.notices)
    return notices
  }

  var rowSize: Int { plan.width * max(1, plan.spacing.rowHeight) }

  mutating func grow(by growth: KeyGrowth) { record.grow(by: growth) }

  mutating func paintOpening(into out: inout ByteBuffer) {
    heading.paint(into: &out)
    if !countsRows { out.append(repeating: 0x0A, count: plan.spacing.table.top) }
  }

  mutating func paintTitles(into out: inout ByteBuffer) {
    guard plan.hasHeader else { return }
    frame.beginTitles(followsForm: false, to: &out)
    paintTitleLine(into: &out)
    frame.endTitles(to: &out)
  }

  mutating func paintSectionStart(heading: [UInt8]?, into out: inout ByteBuffer) {
    frame.beginSection(hasHeading: heading != nil, to: &out)
    isAfterRecords = false
    guard let heading else { return }
    band.paint(heading, isHeading: true, &bandCells, &bandText, to: &out)
    if !plan.isCards { frame.endHeading(to: &out) }
  }

  mutating func paintRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    record.paintRow(batch, row, into: &held)
    endRecord()
    if records.count == plan.count || held.count > Self.mostHeld { endRow(into: &out) }
  }

  mutating func paintGapLine(_ text: [UInt8], into out: inout ByteBuffer) {
    endRow(into: &out)
    isAfterRecords = false
    band.paint(gap: text, &bandCells, &bandText, to: &out)
  }

  mutating func paintSectionEnd(footers: [FooterLine], into out: inout ByteBuffer) {
    endRow(into: &out)
    if walk.sectionCount > 0, !plan.isCards { frame.bottomPadding(to: &out) }
    for footer in footers {
      if !plan.isCards { frame.beginFooterLine(isBand: footer.isBand, to: &out) }
      paintFooter(footer, number: 0, into: &out)
    }
  }

  mutating func paintFooterStart(into out: inout ByteBuffer) {
    frame.beginFooter(to: &out)
  }

  mutating func paintFooter(_ footer: FooterLine, number: Int, into out: inout ByteBuffer) {
    frame.last = footer.isBand ? .band : .cells
    if case .band(let text) = footer {
      return band.paint(text, isHeading: false, &bandCells, &bandText, to: &out)
    }
    if footer.repeatsTitles { return paintTitleLine(into: &out) }
    record.paintFooter(footer, number: 0, into: &held)
    endRecord()
    endLine(into: &out)
  }

  func paintFooterEnd(into out: inout ByteBuffer) { frame.endFooter(to: &out) }

  func paintClosing(into out: inout ByteBuffer) {
    frame.end(to: &out)
    out.append(repeating: 0x0A, count: plan.spacing.table.bottom)
  }
}

extension TextFlowPainter where Record: ~Copyable {
  func paintEnding(into out: inout ByteBuffer) { out.append(heading.below) }

  /// The maximum number of bytes held.
  ///
  /// A line of records that exceeds it ends early.
  private static var mostHeld: Int { 1 << 24 }

  /// Draws the titles above every record of a line.
  private mutating func paintTitleLine(into out: inout ByteBuffer) {
    if plan.isCards { return }
    for _ in 0..<plan.count {
      record.paintTitles(into: &held)
      endRecord()
    }
    endLine(into: &out)
  }

  /// Adds the text appended since the last record as the next record of the line.
  private mutating func endRecord() {
    let first = lines.count
    var start = lines.last.map { $0.range.upperBound + 1 } ?? 0
    for place in start..<held.count where held[place] == 0x0A {
      let width = metrics.width(of: held.span.extracting(start..<place))
      lines.append(HeldLine(range: start..<place, width: width))
      start = place + 1
    }
    records.append(first..<lines.count)
  }

  /// Draws the space above, then the current line of records.
  private mutating func endRow(into out: inout ByteBuffer) {
    if records.isEmpty { return }
    let spacing = plan.spacing
    if plan.isCards {
      if isAfterRecords { out.append(repeating: 0x0A, count: max(0, spacing.rows)) }
    } else {
      frame.space(isFirst: !isAfterRecords, to: &out)
    }
    isAfterRecords = true
    endLine(least: plan.isCards ? 0 : spacing.rowHeight, into: &out)
  }

  /// Draws the held records in at least `least` lines, then forgets them.
  private mutating func endLine(least: Int = 1, into out: inout ByteBuffer) {
    let height = records.reduce(least) { max($0, $1.count) }
    for number in 0..<height {
      out.append(plan.frame.lead)
      for place in 0..<plan.count {
        var free = plan.width
        if place < records.count, number < records[place].count {
          let line = lines[records[place].lowerBound + number]
          out.append(held.span.extracting(line.range))
          free = max(0, plan.width - line.width)
        }
        out.append(blanks: free)
        out.append(plan.frame.gap(after: place))
      }
      plan.frame.endLine(to: &out)
    }
    held.removeAll()
    lines.removeAll(keepingCapacity: true)
    records.removeAll(keepingCapacity: true)
  }
}

/// The number of records per line, their width, and the frame around them.
struct FlowPlan: Sendable {
  /// The cells of a record.
  let width: Int
  /// The number of records in a line.
  let count: Int
  /// The frame around them.
  let frame: TextFrame
  /// The spacing.
  let spacing: Spacing
  /// The indent that aligns the records in the line.
  let indent: Int
  /// Whether there are titles above them.
  let hasHeader: Bool
  /// Whether records are cards.
  let isCards: Bool
  /// Whether records have no columns to draw.
  let isEmpty: Bool
  /// Notices for the user.
  let notices: [LayoutNotice]

  /// The line width if none is given.
  private static let standardWidth = 80

  /// The cells between cards.
  private static let cardGap = 2

  /// Fits as many records of the minimum width as possible and divides the rest of the line among them.
  init(_ columns: [ShownColumn], _ options: LayoutOptions, _ flow: FlowWidth) {
    isCards = options.kind == .detail
    isEmpty = columns.isEmpty && !isCards
    hasHeader = options.hasHeader && !isCards
    var spacing = Spacing(options)
    // Records themselves reserve the room for their marks and boxes.
    spacing.table = Insets(options.tablePadding, vertical: 0, horizontal: 0)
    let rooms = spacing.markRoom + 2 * spacing.boxRoom
    if isCards {
      spacing.columns = Self.cardGap
      spacing.padding.leading = 0
      spacing.padding.trailing = 0
    }
    func builder(_ count: Int) -> FrameBuilder {
      let column = ShownColumn(source: .constant([]), title: "", name: "")
      return FrameBuilder(Array(repeating: column, count: count), spacing, options)
    }
    let edges = builder(1).fixedWidth
    let gap = builder(2).fixedWidth - edges
    let limit = if case .atMost(let limit) = options.width { limit } else { Self.standardWidth }
    let least = 1 + rooms
    let room = max(least, limit - edges)
    count = max(1, min((room + gap) / (max(1, flow.least) + rooms + gap), room))
    width = min(max(least, (room - gap * (count - 1)) / count), flow.most.map { $0 + rooms } ?? .max)
    notices = edges + least > limit ? [.widerThanLimit(by: edges + least - limit)] : []
    indent = options.place.blanksBefore(room - width * count - gap * (count - 1))
    var framed = builder(count)
    framed.spacing.table.leading += indent
    self.spacing = framed.spacing
    var frame = framed.frame(Array(repeating: width, count: count))
    if isCards {
      frame.edge = FrameLine()
      frame.rowRule = FrameLine()
      frame.sections?.edge = RuleVariants()
    }
    self.frame = frame
  }
}

/// A record of List, Stack or Grid as running text: its cells, separated by blanks.
struct TextRecord: ~Copyable, TableForm {
  let text: TextContext
  private let columns: [ShownColumn]
  /// The width of the text, and the blanks before it that are reserved for marks and boxes.
  private let width: Int
  private let lead: [UInt8]
  private let titleSigns: [[UInt8]]
  private let headerStyle: TextStyle
  private let fieldSigns: DrawnFieldSigns
  private let joint: [UInt8]

  /// The text of a record, escaped, and its lines.
  private var content = ByteBuffer()
  private var cells: TextCells

  /// Whether a style or another sequence in the text continues in its next line.
  private var needsCarry = false

  /// Styles the lines of records; `nil` without styles.
  private var styledLines: StyledLines?

  /// The lines of a record before they are styled.
  private var drawn = ByteBuffer()

  /// The text of a cell that is drawn as a swatch of the color that it names.
  private let swatch: [UInt8]

  /// Draws the bars beside numbers.
  private let bars: BarText

  /// Prepares records of `width` cells, including marks and boxes.
  init(
    _ columns: [ShownColumn], _ options: LayoutOptions, width: Int, marks: NumberMarks, _ styles: RowStyles
  ) {
    self.columns = columns
    var spacing = Spacing(options)
    spacing.table.leading = spacing.markRoom + spacing.boxRoom
    lead = Array(repeating: 0x20, count: spacing.table.leading)
    self.width = max(1, width - spacing.markRoom - 2 * spacing.boxRoom)
    styledLines =
      styles.isEmpty ? nil : StyledLines(options, styles, spacing, width: self.width)
    swatch = StyledLines.swatch(options)
    bars = BarText(options)
    var options = options
    // With `scroll`, a wide record would overlap the next one.
    if options.overflow == .scroll { options.overflow = .wrap }
    text = TextContext(options, marks: marks)
    titleSigns = HeaderSigns(columns, options).signs
    headerStyle = TextStyle.header(options)
    fieldSigns = DrawnFieldSigns(options)
    joint = Array(repeating: 0x20, count: max(1, options.columnSpacing?.cells ?? 2))
    // The text to wrap contains the style sequences of cells.
    options.passesControl = options.passesControl || !styles.isEmpty
    cells = TextCells(TextContext(options, marks: marks))
  }

  var rowSize: Int { width }

  var showsValid: Bool { !fieldSigns.valid.isEmpty }

  var notices: [LayoutNotice] { cells.notices }

  mutating func appendTitles(to out: inout ByteBuffer) {
    content.removeAll()
    for index in columns.indices {
      let title = text.escaped(columns[index].title)
      let parts = [title, titleSigns[index]].filter { !$0.isEmpty }
      if parts.isEmpty { continue }
      if content.count > 0 { content.append(joint) }
      for (number, part) in parts.enumerated() {
        if number > 0 { content.append(0x20) }
        content.append(part)
      }
    }
    needsCarry = text.metrics.passesControl
    appendLines(in: headerStyle, to: &out)
  }

  mutating func beginRow(_ place: RowPosition, to out: inout ByteBuffer) {
    content.removeAll()
    needsCarry = false
  }

  mutating func beginRow(_ look: RowLook, _ place: RowPosition, to out: inout ByteBuffer) {
    beginRow(place, to: &out)
  }

  mutating func append(
    _ column: Int, _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    readCell(column, style: nil, isSwatch: false, sign: [], &spelled, batch, row, number: number)
  }

  mutating func append(
    _ cell: CellParts, _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    var style: TextStyle?
    if let own = cell.style, !own.isOnlyBar, let look = cell.row {
      style = styledLines?.style(own, over: Style(), in: look)
    }
    let sign = !cell.hasRules ? [] : cell.isInvalid ? fieldSigns.invalid : fieldSigns.valid
    let isSwatch = cell.style?.swatchColor != nil
    let found = readCell(
      cell.column, style: style, isSwatch: isSwatch, sign: sign, &spelled, batch, row, number: number)
    if let bar = cell.style?.bar {
      content.append(0x20)
      bars.append(bar, to: &content)
      content.trimBlanks()
    }
    return found
  }

  /// Takes the text of a cell, or its swatch, into that of the record; returns what it holds that no text should.
  @inline(__always)
  private mutating func readCell(
    _ column: Int, style: TextStyle?, isSwatch: Bool, sign: [UInt8],
    _ spelled: inout SpelledCells<TextContext>, _ batch: Batch, _ row: Int, number: Int
  ) -> CellFindings {
    let end = content.count
    if end > 0 { content.append(joint) }
    let start = content.count
    if let style {
      needsCarry = true
      content.append(style.opening)
    }
    let opened = content.count
    var findings = Escaper.Findings()
    if isSwatch {
      content.append(swatch)
    } else {
      findings = spelled.append(
        column, batch, row, number: number, room: max(256, Self.longest - opened), to: &content)
    }
    needsCarry = needsCarry || findings.needsCarry
    if let style {
      if content.count > opened { content.append(style.closing) } else { content.truncate(to: start) }
    }
    if !sign.isEmpty {
      if content.count > start { content.append(0x20) }
      content.append(sign)
    }
    // Cells without text are skipped.
    if content.count == start { content.truncate(to: end) }
    return findings.ofCell
  }

  mutating func endRow(to out: inout ByteBuffer) { appendLines(in: .plain, to: &out) }

  mutating func endRow(_ look: RowLook, _ messages: [String], to out: inout ByteBuffer) {
    var drawn = ByteBuffer()
    swap(&drawn, &self.drawn)
    drawn.removeAll()
    appendLines(in: .plain, to: &drawn)
    styledLines?.append(drawn.span, look, to: &out)
    swap(&drawn, &self.drawn)
  }

  mutating func append(_ footer: FooterLine, number: Int, _ place: RowPosition, to out: inout ByteBuffer) {
    switch footer {
    case .titles: appendTitles(to: &out)
    case .cells(let texts):
      content.removeAll()
      let joined = Array(texts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: joint))
      let findings = text.escaper.append(
        joined.span, room: DrawnText.longestTitle, mark: text.cutMark, to: &content)
      needsCarry = findings.needsCarry
      appendLines(in: .plain, to: &out)
    case .band: break
    }
  }

  /// The maximum number of bytes drawn of a record.
  ///
  /// Less than for a cell, because a line has several records.
  private static let longest = DrawnText.longest / 4

  /// Appends the lines of the current text.
  private mutating func appendLines(in style: TextStyle, to out: inout ByteBuffer) {
    cells.removeAll()
    cells.append(content, from: 0, width: width, overflow: text.overflow, needsCarry: needsCarry)
    var line = 0
    while cells.advance(to: line, of: content) {
      if cells.width(0, line: line) ?? 0 > 0 {
        out.append(lead)
        style.apply(to: &out) { cells.paint(0, line: line, of: content, into: &$0) }
      }
      out.append(0x0A)
      line += 1
    }
  }
}

extension TextCards {
  /// The options for cards of `width` cells.
  static func options(_ options: LayoutOptions, width: Int) -> LayoutOptions {
    var options = options
    options.width = .atMost(width)
    if options.overflow == .scroll { options.overflow = .wrap }
    options.tablePadding = Edges(
      top: options.tablePadding.top, trailing: Length(0), bottom: options.tablePadding.bottom,
      leading: Length(0))
    options.fills = true
    return options
  }
}
