/// Where everything of a card stands in Detail; no cell needs to be measured for it.
struct CardArrangement: Sendable {
  /// The labels, harmless.
  let labels: [[UInt8]]
  /// The cells labels stand in.
  let labelWidth: Int
  /// Blanks before the labels.
  let indent: [UInt8]
  /// What stands between label and value.
  let gap: [UInt8]
  /// The cells of values; `nil` where they may be as long as they are.
  let valueWidth: Int?
  /// The cells of a title rule.
  let ruleWidth: Int
  /// The cells a title may take; `nil` where it may be as long as it is.
  let titleWidth: Int?
  /// The character of rules; empty where there are none.
  let fill: String
  /// The lines between things.
  let spacing: Spacing
  /// By how many cells lines may be longer than they should.
  let excess: Int

  /// The width of cards unless told otherwise.
  static let standardWidth = 38

  /// The cells of a value below which long labels give way, down to half of the room.
  private static let leastValue = 12

  /// Arranges cards of `columns`.
  init(_ columns: [ShownColumn], _ options: LayoutOptions) {
    let context = TextContext(options)
    let spacing = Spacing(options)
    self.spacing = spacing
    let labels = columns.map { options.hasHeader ? context.escaped($0.title) : [] }
    self.labels = labels
    let widest = labels.reduce(0) { max($0, context.metrics.widestLine(of: $1.span)) }
    let style = BorderStyle(options.border, isASCII: options.isASCII)
    var between = ColumnGap(before: 0, after: 0)
    between.widen(by: max(0, spacing.columns))
    between.fill(options.separator, line: style.innerLine, context.metrics)
    let gap = options.hasHeader ? Array(between.spelled.utf8) : []
    self.gap = gap
    let leading = spacing.table.leading + spacing.padding.leading + 1
    indent = Array(repeating: 0x20, count: leading)
    let fixed = leading + context.metrics.width(of: gap.span) + spacing.padding.trailing
    if let limit = context.limit {
      let room = limit - spacing.table.trailing - fixed
      labelWidth = min(widest, max(3, room / 2, room - Self.leastValue))
      let value = room - labelWidth
      valueWidth = max(3, value)
      excess = max(0, 3 - value)
    } else {
      labelWidth = widest
      valueWidth = nil
      excess = 0
    }
    let asked = options.minimumWidth.map { min(max(0, $0), 10_000) }
    let edges = spacing.table.leading + spacing.table.trailing
    ruleWidth = asked ?? min(Self.standardWidth, context.limit.map { max(0, $0 - edges) } ?? .max)
    titleWidth = context.limit.map { max(1, $0 - edges - 6) }
    let isOutside = options.headerPosition == .outside
    fill = style.hasHorizontals ? (isOutside ? style.doubleRule : style.singleRule) : ""
  }
}
