/// The cells of a batch of records that are made of lines, while they are gathered.
struct LineRecords: ~Copyable {
  /// The most fields of a record before the last.
  private var widestBefore = 0

  private let nullWords: [[UInt8]]
  private var cells: [Cell] = []
  private var escapes: [Escape] = []
  private var decoded = ByteBuffer(capacity: 0)

  /// Where each record begins in the block, and its first cell.
  private var starts: [(offset: Int, cell: Int)] = []

  /// Creates an empty batch.
  init(nullWords: [[UInt8]]) { self.nullWords = nullWords }

  /// The most fields of a record.
  var widest: Int { starts.isEmpty ? 0 : max(widestBefore, fieldCount(ofRecord: starts.count - 1)) }

  /// Whether there is no record.
  var isEmpty: Bool { starts.isEmpty }

  /// Begins a record at a byte of the block.
  mutating func begin(at offset: Int) {
    widestBefore = widest
    starts.append((offset, cells.count))
  }

  /// Adds a cell that stands in the block.
  mutating func append(_ block: ByteBlock, _ range: Range<Int>) {
    let content = block.span(from: range.lowerBound, count: range.count)
    cells.append(
      Cell(
        offset: range.lowerBound, length: range.count, kind: kind(content),
        isPlain: content.isPrintableASCII))
  }

  /// Adds a cell that stands in the block otherwise; the spelling lies in `range`.
  mutating func append(decoded text: [UInt8], of range: Range<Int>) {
    let kind = kind(text.span)
    escapes.append(
      Escape(
        rawOffset: UInt32(truncatingIfNeeded: range.lowerBound),
        rawLength: UInt32(truncatingIfNeeded: range.count), offset: UInt32(truncatingIfNeeded: decoded.count))
    )
    decoded.append(text.span)
    cells.append(
      Cell(
        offset: escapes.count - 1, length: text.count, kind: kind, isPlain: text.span.isPrintableASCII,
        isEscaped: true))
  }

  /// Adds a cell that the record has not.
  mutating func appendMissing() { cells.append(.missing) }

  /// The records as a batch of at least as many columns as the widest has fields.
  consuming func batch(
    _ block: ByteBlock, end: Int, columnCount: Int, origin: Batch.Origin
  ) -> Batch {
    var rows = cells
    if starts.indices.contains(where: { fieldCount(ofRecord: $0) != columnCount }) {
      rows = []
      rows.reserveCapacity(starts.count * columnCount)
      for record in starts.indices {
        let first = starts[record].cell
        let count = fieldCount(ofRecord: record)
        rows += cells[first..<first + count]
        for _ in count..<max(count, columnCount) { rows.append(.missing) }
      }
    }
    var recordStarts = starts.map { UInt32(truncatingIfNeeded: $0.offset) }
    recordStarts.append(UInt32(truncatingIfNeeded: end))
    return Batch(
      block: block, decoded: ByteBlock(decoded.span), escapes: escapes, cells: rows,
      columnCount: columnCount, recordStarts: recordStarts, origin: origin)
  }

  private func fieldCount(ofRecord record: Int) -> Int {
    (record + 1 < starts.count ? starts[record + 1].cell : cells.count) - starts[record].cell
  }

  private func kind(_ content: Span<UInt8>) -> Cell.Kind {
    if nullWords.contains(where: { content.equals($0) }) { return .null }
    return content.isEmpty ? .empty : .text
  }
}

/// Lines of one kind that are counted, to be warned of at the end.
struct LineCount {
  /// How many there were.
  private(set) var count = 0

  /// The first of them.
  private(set) var first: InputError.Place?

  /// Counts a line, whose place is asked for only if it is the first.
  mutating func add(_ place: @autoclosure () -> InputError.Place) {
    if first == nil { first = place() }
    count += 1
  }

  /// What is noted of them, if there are any.
  func notice(_ make: (Int, InputError.Place) -> InputNotice) -> InputNotice? {
    first.map { make(count, $0) }
  }
}

/// What becomes of records with too few or too many fields.
struct RaggedRecords {
  /// The fewest fields of a record, and the most.
  let fieldCounts: ClosedRange<Int>

  private let context: InputContext
  private var skipped = LineCount()

  /// Takes from `--ragged` what becomes of them.
  init(_ fieldCounts: ClosedRange<Int>, _ context: InputContext) {
    self.fieldCounts = fieldCounts
    self.context = context
  }

  /// What is noted at the end.
  var notice: InputNotice? { skipped.notice(InputNotice.skippedRows) }

  /// How many fields the header has.
  private var columnCount: Int {
    fieldCounts.upperBound == .max ? fieldCounts.lowerBound : fieldCounts.upperBound
  }

  /// Whether a record with so many fields, that begins at a byte of the feed's block, is kept.
  mutating func keeps(_ fields: Int, at offset: Int, _ feed: BlockFeed) throws(InputError) -> Bool {
    if fieldCounts.contains(fields) { return true }
    switch context.options.ragged {
    case .fill where fields < fieldCounts.lowerBound || context.mayGrow: return true
    case .skip:
      skipped.add(context.place(feed, at: offset))
      return false
    case .error, .fill:
      throw .ragged(
        context.place(feed, at: offset), fields: fields, columns: columnCount, hint: nil)
    }
  }
}
