/// The positions of everything in a card of Detail; no cell needs to be measured for it.
///
/// Labels that come late widen the room for labels, from the first card that has them on.
struct CardArrangement: Sendable {
  /// The labels, harmless.
  private(set) var labels: [[UInt8]]
  /// The cells each label takes.
  private(set) var widths: [Int]
  /// The cells of the label column.
  private(set) var labelWidth: Int
  /// Blanks before the labels.
  let indent: [UInt8]
  /// The bytes between label and value.
  let gap: [UInt8]
  /// The cells of values; `nil` if their length is not limited.
  private(set) var valueWidth: Int?
  /// The cells of a title rule.
  let ruleWidth: Int
  /// The maximum number of cells in a title; `nil` if its length is not limited.
  let titleWidth: Int?
  /// The character of rules; empty if there are none.
  let fill: String
  /// The lines between things.
  let spacing: Spacing
  /// By how many cells lines exceed the width.
  private(set) var excess: Int
  /// The cells of the longest piece of a label that breaking lines keeps whole.
  private var longestPiece = 0
  /// The cells of labels and values together; `nil` if the length of lines is not limited.
  private let room: Int?
  private let hasLabels: Bool

  /// The width of cards unless told otherwise.
  static let standardWidth = 38

  /// The width of a value below which long labels give way, down to their longest piece: that of a date with
  /// its time and zone.
  private static let leastValue = 25

  /// Arranges cards of `columns`.
  init(_ columns: [ShownColumn], _ options: LayoutOptions) {
    let context = TextContext(options)
    let spacing = Spacing(options)
    self.spacing = spacing
    let style = BorderStyle(options.border, isASCII: options.isASCII)
    var between = ColumnGap(before: 0, after: 0)
    between.widen(by: max(0, spacing.columns))
    between.fill(options.separator, line: style.innerLine, context.metrics)
    gap = options.hasHeader ? between.bytes(TextStyle.frame(options)) : []
    let leading = spacing.table.leading + spacing.padding.leading + 1
    indent = Array(repeating: 0x20, count: leading)
    let fixed = leading + (options.hasHeader ? between.width : 0) + spacing.padding.trailing
    room = context.limit.map { $0 - spacing.table.trailing - fixed }
    hasLabels = options.hasHeader
    (labels, widths, labelWidth, valueWidth, excess) = ([], [], 0, nil, 0)
    let asked = options.minimumWidth.map { min(max(0, $0), 10_000) }
    let edges = spacing.table.leading + spacing.table.trailing
    let widest = context.limit.map { max(0, $0 - edges) }
    ruleWidth =
      options.fills ? widest ?? asked ?? Self.standardWidth : min(asked ?? Self.standardWidth, widest ?? .max)
    titleWidth = context.limit.map { max(1, $0 - edges - 6) }
    let isOutside = options.headerPosition == .outside
    fill = style.hasHorizontals ? (isOutside ? style.doubleRule : style.singleRule) : ""
    add(columns, context)
    widen(to: widths.max() ?? 0)
  }

  /// Adds the labels of later columns; room is made for them when they are drawn.
  mutating func add(_ columns: [ShownColumn], _ context: TextContext) {
    for column in columns {
      let label = hasLabels ? context.escaped(column.title) : []
      labels.append(label)
      widths.append(context.metrics.widestLine(of: label.span))
      if room == nil { continue }
      let piece = context.metrics.widestPart(of: label.span, isTitle: true).width
      longestPiece = max(longestPiece, min(piece, ColumnMeasure.longestLeast))
    }
  }

  /// Makes room for labels of `widest` cells, if the width allows it.
  mutating func widen(to widest: Int) {
    guard let room else {
      labelWidth = widest
      return
    }
    labelWidth = min(widest, max(2, min(room / 2, max(longestPiece, room - Self.leastValue))))
    valueWidth = max(2, room - labelWidth)
    excess = max(0, 2 - (room - labelWidth))
  }
}

/// The fields of a card, in order: all columns, or those of a JSON record in the record's own order.
struct CardFields: Sendable {
  /// The fields of the current record that were found, as indices into the shown columns.
  private(set) var indices: [Int] = []

  /// Whether all cards have all fields in the same order.
  let areFixed: Bool

  /// The number of columns that are row headers, which come first in any record.
  private let headerCount: Int

  private var columnCount: Int

  /// The order of columns that steps write cells to; columns that come late are never among them.
  private let ranks: [Int]
  private var found: [Field] = []

  /// The places of each column whose cells are whole fields, and the fields that are not such cells; late
  /// columns are added when they are needed.
  private var places: [Int: [Int]] = [:]
  private var others: [Int] = []
  private var placedCount = 0

  /// A field and the offset of its value in the record.
  private struct Field {
    var start: Int
    var rank: Int
    var index: Int
  }

  /// Determines the fields of cards with these columns.
  ///
  /// - Parameter keepsRecords: whether a JSON record has only its own keys, in its own order.
  init(_ columns: [ShownColumn], keepsRecords: Bool) {
    areFixed = !keepsRecords
    headerCount = columns.prefix(while: \.isRowHeader).count
    columnCount = columns.count
    ranks = columns.map { $0.rank.map { Int($0) } ?? .max }
  }

  /// Adds `count` columns after those known.
  mutating func grow(by count: Int) { columnCount += count }

  /// Finds the fields of a JSON record, which has only its own keys, in its own order.
  mutating func findFields(ofRow row: Int, of batch: Batch, _ texts: [CellText]) {
    found.removeAll(keepingCapacity: true)
    if batch.sparse == nil {
      for index in 0..<columnCount { find(index, row, of: batch, texts) }
    } else {
      placeColumns(texts)
      for index in others + ownFields(row, of: batch) { find(index, row, of: batch, texts) }
    }
    found.sort { ($0.start, $0.rank, $0.index) < ($1.start, $1.rank, $1.index) }
    indices.removeAll(keepingCapacity: true)
    for field in found { indices.append(field.index) }
  }

  /// Finds a field, if the record has it.
  @inline(__always)
  private mutating func find(_ index: Int, _ row: Int, of batch: Batch, _ texts: [CellText]) {
    if texts[index].isMissing(batch, row) { return }
    var start = -1
    let dialect = batch.origin.dialect
    // A record that a step made has no order of its own.
    let hasOrder = dialect.form == .json && dialect.holdsObjects
    if hasOrder, index >= headerCount, case .column(let source) = texts[index].source {
      start = batch.rawStart(of: batch.cell(row: row, column: source.index))
    }
    let rank = start == .max && index < ranks.count ? ranks[index] : .max
    found.append(Field(start: start, rank: rank, index: index))
  }
}

extension CardFields {
  /// Finds the places of each column.
  private mutating func placeColumns(_ texts: [CellText]) {
    for index in placedCount..<columnCount {
      if case .column(let source) = texts[index].source, source.path.isEmpty {
        places[source.index, default: []].append(index)
      } else {
        others.append(index)
      }
    }
    placedCount = columnCount
  }

  /// The fields of a record's own cells.
  private func ownFields(_ row: Int, of batch: Batch) -> [Int] {
    batch.cellIndices(ofRow: row).flatMap { places[batch.column(ofCell: $0, row: row)] ?? [] }
  }
}

extension Batch {
  /// The offset of a cell's spelling in the block, or of the cell that it replaces; after all others if there
  /// is none.
  fileprivate func rawStart(of cell: Cell) -> Int {
    if isAdded(cell) { return .max }
    return cell.isEscaped ? Int(escapes[cell.offset].rawOffset) : cell.offset
  }
}

extension ByteBuffer {
  /// Appends the parts of a card's title that are not empty, separated by blanks; the row's number if there
  /// are none.
  ///
  /// - Parameter part: appends the part with this index.
  mutating func append(titleOfRow number: Int, parts: Range<Int>, _ part: (Int, inout ByteBuffer) -> Void) {
    pin()
    defer { unpin() }
    let start = count
    for index in parts {
      let end = count
      if end > start { append(" ") }
      let begin = count
      part(index, &self)
      if count == begin { truncate(to: end) }
    }
    guard count == start else { return }
    append("(row ")
    append(decimal: number)
    append(")")
  }
}
