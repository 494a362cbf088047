/// Where everything of a text table stands: widths, paddings and the bytes that do not change.
///
/// It holds numbers and fixed bytes only; painters turn it and the cells into text.
struct Arrangement: Sendable {
  /// One column as it is drawn.
  struct Column: Equatable, Sendable {
    /// The cells of its texts.
    var width: Int
    /// Where they stand in it.
    var alignment: Alignment
    /// The cells from the decimal point on, where points are lined up.
    var fromPoint = 0
    /// The cells the title leaves free for its sign.
    var signRoom = 0
    /// The title, harmless; empty in the corner above row names.
    var title: [UInt8]
    /// The sign of its sort order; empty where there is none to draw.
    var sign: [UInt8] = []
    /// Whether its cells are headers of their rows.
    var isRowHeader: Bool
  }

  /// The columns, from leading to trailing.
  let columns: [Column]
  /// What stands round the texts.
  let frame: TextFrame
  /// The lines between things.
  let spacing: Spacing
  /// Whether there is a header.
  let hasHeader: Bool
  /// By how many cells the lines are longer than they may be because the leasts do not fit.
  let excess: Int

  /// Arranges what was measured.
  init(
    _ shown: [ShownColumn], _ measurement: Measurement, footers: [FooterLine], _ options: LayoutOptions
  ) {
    let context = TextContext(options)
    let signs = HeaderSigns(shown, options)
    var measured = measurement
    for footer in footers { measured.measure(footer) }
    let showsTitles = options.hasHeader || footers.contains { $0.repeatsTitles }
    var plan = WidthPlan(columns: [])
    var columns: [Column] = []
    for (index, column) in shown.enumerated() {
      let measure = measured.columns[index]
      let title = column.isRowHeader ? [] : context.escaped(column.title)
      let arranged = Column(
        width: 0, alignment: column.alignment(measure), fromPoint: measure.fromPoint, title: title,
        sign: signs.signs[index], isRowHeader: column.isRowHeader)
      columns.append(arranged)
      let room = showsTitles && !column.isRowHeader ? signs.room : 0
      plan.columns.append(
        WidthPlan.Column(measure, title: showsTitles ? title : [], room: room, arranged, context))
    }
    spacing = Spacing(options)
    hasHeader = options.hasHeader
    let builder = FrameBuilder(shown, spacing, options)
    let fixed = builder.fixedWidth
    var widths = plan.widths(within: context.limit.map { $0 - fixed })
    let wanted = min(max(0, options.minimumWidth ?? 0), 10_000)
    excess = context.limit.map { max(0, fixed + widths.reduce(0, +) - $0) } ?? 0
    widths = WidthPlan.widened(widths, by: wanted - fixed - widths.reduce(0, +))
    if context.limit == nil { widths = builder.filled(widths) }
    for index in columns.indices {
      columns[index].width = widths[index]
      let room = min(signs.room, max(0, widths[index] - 1))
      let title = columns[index].title
      let titleWidth = context.metrics.widestLine(of: title.span)
      columns[index].signRoom =
        columns[index].sign.isEmpty ? min(room, max(0, widths[index] - titleWidth)) : room
      if room < signs.room { columns[index].sign = [] }
    }
    self.columns = columns
    frame = builder.frame(widths)
  }
}

extension ShownColumn {
  /// What was asked for; else numbers stand at the trailing edge and the rest at the leading one.
  func alignment(_ measure: ColumnMeasure) -> Alignment {
    alignment ?? (measure.isNumeric ? .trailing : .leading)
  }
}

extension WidthPlan.Column {
  /// The wishes of a column as measured.
  fileprivate init(
    _ measure: ColumnMeasure, title: [UInt8], room: Int, _ column: Arrangement.Column, _ context: TextContext
  ) {
    var cells = measure.width
    if column.alignment == .decimal { cells = max(cells, measure.beforePoint + measure.fromPoint) }
    let titleWidth = context.metrics.widestLine(of: title.span)
    natural = max(cells, titleWidth + room)
    withoutRoom = column.sign.isEmpty ? max(cells, titleWidth) : natural
    guard context.limit != nil else {
      least = natural
      return
    }
    let titleWord = context.metrics.longestWord(in: title.span) + (column.sign.isEmpty ? 0 : room)
    let word = max(measure.longestWord, titleWord)
    least = min(withoutRoom, max(3, min(word, Measurement.longestLeast)))
  }
}
