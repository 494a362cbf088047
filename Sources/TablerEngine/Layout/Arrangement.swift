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
    /// The cells of the widest text that was looked at.
    var widest = 0
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
  /// The rows that were looked at.
  let lookAhead: LookAhead
  /// By how many cells the lines are longer than they may be because the leasts do not fit.
  let excess: Int

  /// Arranges what was measured.
  ///
  /// 1. Footers are measured like cells.
  /// 2. Every column says what it wants and what is its least.
  /// 3. The width plan finds the widths; the least width of the table widens them.
  /// 4. Titles and signs settle in what their columns got, and the frame is put round it.
  ///
  /// - Parameter lookAhead: the rows that were measured.
  init(
    _ shown: [ShownColumn], _ measurement: Measurement, footers: [FooterLine], _ options: LayoutOptions,
    lookAhead: LookAhead = .all
  ) {
    self.lookAhead = lookAhead
    let context = TextContext(options)
    let lateRoom = lookAhead != .all && context.overflow == .wrap ? LateMark.leastWidth : 0
    var measured = measurement
    for footer in footers { measured.measure(footer) }
    let measures = measured.columns

    let signs = HeaderSigns(shown, options)
    var columns = shown.indices.map { Column(shown[$0], measures[$0], sign: signs.signs[$0], context) }
    let hasTitles = options.hasHeader || footers.contains { $0.repeatsTitles }
    let plan = WidthPlan(
      columns: columns.indices.map { index in
        WidthPlan.Column(
          columns[index], measures[index], titleRoom: hasTitles ? signs.room : nil, lateRoom: lateRoom,
          context)
      })

    spacing = Spacing(options)
    hasHeader = options.hasHeader
    let builder = FrameBuilder(shown, spacing, options)
    var widths = plan.widths(within: context.limit.map { $0 - builder.fixedWidth })
    let width = builder.fixedWidth + widths.reduce(0, +)
    excess = context.limit.map { max(0, width - $0) } ?? 0
    widths = WidthPlan.widened(widths, by: min(max(0, options.minimumWidth ?? 0), 10_000) - width)
    if context.limit == nil { widths = builder.filled(widths) }

    for index in columns.indices {
      columns[index].widest = max(widths[index], plan.columns[index].natural)
      columns[index].settle(in: widths[index], room: signs.room, context.metrics)
    }
    self.columns = columns
    frame = builder.frame(widths)
  }
}

extension Arrangement.Column {
  /// A column that has no width yet.
  fileprivate init(
    _ shown: ShownColumn, _ measure: ColumnMeasure, sign: [UInt8], _ context: TextContext
  ) {
    width = 0
    alignment = shown.alignment(measure)
    fromPoint = measure.fromPoint
    title = shown.isRowHeader ? [] : context.escaped(shown.title)
    self.sign = sign
    isRowHeader = shown.isRowHeader
  }

  /// Takes its width; under pressure a neutral title uses the room of the sign, and a sign gives way to its title.
  fileprivate mutating func settle(in width: Int, room: Int, _ metrics: TextMetrics) {
    self.width = width
    if sign.isEmpty {
      signRoom = min(room, max(0, width - metrics.widestLine(of: title.span)))
    } else if room < width {
      signRoom = room
    } else {
      sign = []
    }
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
  ///
  /// - Parameters:
  ///   - titleRoom: the room titles keep for a sign; `nil` where titles are not drawn.
  ///   - lateRoom: the cells that a wider text of a later row needs at least.
  fileprivate init(
    _ column: Arrangement.Column, _ measure: ColumnMeasure, titleRoom: Int?, lateRoom: Int,
    _ context: TextContext
  ) {
    let title = titleRoom == nil ? [] : column.title
    let room = column.isRowHeader ? 0 : titleRoom ?? 0
    var cells = max(measure.width, lateRoom)
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
