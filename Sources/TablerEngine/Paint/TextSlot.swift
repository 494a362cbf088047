/// The properties of one column that the row loop needs.
struct TextSlot: Sendable {
  /// The bytes after the column in every line; `nil` if they are long.
  let gap: ShortSnippet?
  private let columnNumber: Int32
  private let cellCount: Int32
  /// The alignment of its texts.
  let alignment: Alignment
  /// Whether blanks follow a text that does not fill the column.
  let isPadded: Bool
  /// Whether its cells are styled.
  let isStyled: Bool

  /// The column of the batch whose cells are copied; beyond all columns if they cannot be.
  @inline(__always)
  var column: Int { Int(columnNumber) }

  /// The cells of the column.
  @inline(__always)
  var width: Int { Int(cellCount) }

  /// The slots of an arrangement.
  static func slots(of arrangement: Arrangement, _ texts: [CellText], hasStyledNames: Bool) -> [TextSlot] {
    let frame = arrangement.frame
    let isFolded = !arrangement.lines.isEmpty
    return arrangement.columns.indices.map { index in
      let column = arrangement.columns[index]
      let isStyled = hasStyledNames && column.isRowHeader
      let isSimple = column.alignment != .decimal && !isStyled
      return TextSlot(
        gap: ShortSnippet(index < frame.gaps.count ? frame.gaps[index] : frame.tail),
        columnNumber: Int32(clamping: isSimple ? texts[index].verbatimColumn ?? .max : .max),
        cellCount: Int32(clamping: column.width),
        alignment: column.alignment,
        isPadded: index < frame.gaps.count || frame.isClosed || column.mark != nil || column.barRoom > 0
          || isFolded,
        isStyled: isStyled)
    }
  }
}

extension TextSlot {
  /// What is drawn over several columns, in the middle.
  init(over columns: Range<Int>, _ slots: [TextSlot], _ frame: TextFrame, _ metrics: TextMetrics) {
    // Lines between columns may be styled.
    let metrics = TextMetrics(ambiguousWidth: metrics.ambiguousWidth, passesControl: true)
    let width = columns.dropLast().reduce(slots[columns].reduce(0) { $0 + $1.width }) {
      $0 + metrics.width(of: frame.gap(after: $1).span)
    }
    self.init(
      gap: nil, columnNumber: .max, cellCount: Int32(clamping: width), alignment: .center,
      isPadded: true, isStyled: false)
  }

  /// A column at the end of a line, of this many cells; no cell is copied into it.
  init(width: Int) {
    self.init(
      gap: nil, columnNumber: .max, cellCount: Int32(clamping: width), alignment: .leading, isPadded: false,
      isStyled: false)
  }

  /// Appends a simple cell that fits into the column.
  @inline(__always)
  func append(_ cell: Cell, of block: ByteBlock, to out: inout ByteBuffer) {
    append(cell.offset..<cell.offset &+ cell.length, of: block, to: &out)
  }

  /// Appends printable ASCII that fits into the column: bytes of a block.
  @inline(__always)
  func append(_ range: Range<Int>, of block: ByteBlock, to out: inout ByteBuffer) {
    let free = width &- range.count
    let before = alignment.blanksBefore(free)
    out.append(blanks: before)
    out.append(block, from: range.lowerBound, count: range.count)
    if isPadded { out.append(blanks: free &- before) }
  }

  /// Appends a text of one line; `false`, with nothing appended, if it does not fit.
  @inline(__always)
  func append(_ text: Span<UInt8>, width: Int, _ overflow: Overflow, to out: inout ByteBuffer) -> Bool {
    guard width <= self.width || overflow == .scroll else { return false }
    let free = max(0, self.width &- width)
    let before = alignment.blanksBefore(free)
    out.append(blanks: before)
    out.append(text)
    if isPadded { out.append(blanks: free &- before) }
    return true
  }

  /// Appends the bytes after the column at `place`.
  @inline(__always)
  func appendGap(_ place: Int, of frame: TextFrame, to out: inout ByteBuffer) {
    if let gap { return out.append(gap) }
    out.append(frame.gap(after: place))
  }
}

/// A column whose cells may have looks of their own.
struct RuledSlot: Sendable {
  /// Its index.
  let index: Int
  /// Its index among the columns shown.
  let shown: Int
  /// The cells for the bars after it; 0 if there are none.
  let barRoom: Int
  /// The bytes after a bar, if no style is around them; `nil` if they are long.
  let gap: ShortSnippet?

  /// The columns of an arrangement with rules, in order.
  static func slots(of arrangement: Arrangement, _ styles: RowStyles) -> [RuledSlot] {
    arrangement.columns.enumerated().compactMap { index, column in
      guard let shown = column.source, !styles.areUsual(inColumn: shown) else { return nil }
      let gap = arrangement.frame.gap(after: index).dropFirst(1 + column.barRoom)
      return RuledSlot(index: index, shown: shown, barRoom: column.barRoom, gap: ShortSnippet(Array(gap)))
    }
  }
}

/// What a cell of a row that may need several lines shows beside its text.
struct CellExtras {
  /// Its style, if it has one of its own.
  @Rare var style: TextStyle?
  /// Whether it is drawn as a swatch.
  var isSwatch = false
  /// Whether it is left blank, as the one above it is the same.
  var isRepeat = false
  /// Whether it violates a rule; `nil` if it has no sign.
  var isInvalid: Bool?
  /// The bar after it, if it has one.
  @Rare var bar: CellBar?
}
