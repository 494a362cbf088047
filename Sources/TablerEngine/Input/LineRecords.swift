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

  /// The cells that the record has not, as long as none that it has comes after them.
  private var missingCount = 0

  /// Creates an empty batch.
  init(nullWords: [[UInt8]]) { self.nullWords = nullWords }

  /// The most fields of a record.
  var widest: Int { starts.isEmpty ? 0 : max(widestBefore, fieldCount(ofRecord: starts.count - 1)) }

  /// How many records there are.
  var count: Int { starts.count }

  /// Whether there is no record.
  var isEmpty: Bool { starts.isEmpty }

  /// Begins a record at a byte of the block.
  mutating func begin(at offset: Int) {
    widestBefore = widest
    missingCount = 0
    starts.append((offset, cells.count))
  }

  /// Adds a cell that stands in the block.
  mutating func append(_ block: ByteBlock, _ range: Range<Int>) {
    let content = block.span(from: range.lowerBound, count: range.count)
    appendMissing()
    cells.append(
      Cell(
        offset: range.lowerBound, length: range.count, kind: kind(content),
        isPlain: content.isPrintableASCII))
  }

  /// Adds a cell that stands in the block otherwise; the spelling lies in `range`.
  mutating func append(decoded text: [UInt8], of range: Range<Int>) {
    let kind = kind(text.span)
    appendMissing()
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

  /// Leaves out a cell that the record has not.
  mutating func skipCell() { missingCount += 1 }

  private mutating func appendMissing() {
    for _ in 0..<missingCount { cells.append(.missing) }
    missingCount = 0
  }

  /// The records as batches, each with as many columns as its widest record has fields and no more cells than
  /// `cellLimit`, unless it is a single record.
  ///
  /// - Parameter leastWidth: the cells that a record may be given later.
  consuming func batches(
    _ block: ByteBlock, end: Int, cellLimit: Int, leastWidth: Int, origin: Batch.Origin
  ) -> [Batch] {
    let decoded = ByteBlock(taking: &decoded)
    var batches: [Batch] = []
    var first = 0
    while first < starts.count {
      var last = first
      var width = fieldCount(ofRecord: first)
      while last + 1 < starts.count {
        let wider = max(width, fieldCount(ofRecord: last + 1))
        if (last + 2 - first) * max(wider, leastWidth) > cellLimit { break }
        width = wider
        last += 1
      }
      var origin = origin
      origin.row += first
      var recordStarts = starts[first...last].map { UInt32(truncatingIfNeeded: $0.offset) }
      recordStarts.append(UInt32(truncatingIfNeeded: last + 1 < starts.count ? starts[last + 1].offset : end))
      batches.append(
        Batch(
          block: block, decoded: decoded, escapes: escapes, cells: cells(first...last, width: width),
          columnCount: width, recordStarts: recordStarts, origin: origin))
      first = last + 1
    }
    return batches
  }

  /// The cells of some records, to each as many as the widest has.
  private func cells(_ records: ClosedRange<Int>, width: Int) -> [Cell] {
    var wide: [Cell] = []
    wide.reserveCapacity(records.count * width)
    for record in records {
      let count = fieldCount(ofRecord: record)
      wide += cells[starts[record].cell..<starts[record].cell + count]
      for _ in count..<width { wide.append(.missing) }
    }
    return wide
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
    try context.check(columns: fields, of: context.place(feed, at: offset))
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
