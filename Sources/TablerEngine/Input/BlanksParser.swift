/// Splits lines into fields at runs of blanks, as awk does.
///
/// With `--max-fields` or `--names` the last field gets the rest of the line.
struct BlanksParser: LineParser {
  let titles: [String]
  let hasHeader: Bool
  private(set) var headerPlace: InputError.Location?
  private(set) var headerIsRow = false
  let isOver = false

  private let mostFields: Int
  private let context: InputContext
  private let ragged: RaggedRecords

  init(_ feed: BlockFeed, _ context: InputContext) throws(InputError) {
    self.context = context
    let options = context.options
    let hasHeader = !options.hasNoHeader
    self.hasHeader = hasHeader
    mostFields = min(options.names?.count ?? .max, options.mostFields)
    var titles: [String] = []
    if let first = try feed.firstLine(context) {
      let block = feed.block
      titles = try Self.fields(of: first.text, atMost: options.mostFields, feed, context).map { range in
        hasHeader ? String(decoding: block.span.extracting(range)) : ""
      }
      if hasHeader {
        headerPlace = context.place(feed, at: first.text.lowerBound)
        feed.consume(to: first.next)
        headerIsRow = try Self.isRow(titles, feed, context)
      }
    }
    self.titles = Array(titles.prefix(mostFields))
    let least = self.titles.count
    ragged = RaggedRecords(least...(options.names == nil ? least : .max), context)
  }

  mutating func consumeLine(
    _ text: Range<Int>, _ feed: BlockFeed, _ records: inout LineRecords
  ) throws(InputError) -> Bool {
    let block = feed.block
    let fields = try Self.fields(of: text, atMost: mostFields, feed, context)
    guard !fields.isEmpty,
      try ragged.check(fields.count, at: text.lowerBound, feed, among: &records)
    else { return true }
    records.begin(at: text.lowerBound)
    for field in fields { records.append(block, field) }
    return true
  }
}

extension BlanksParser {
  /// Whether the header looks like the rows below it.
  private static func isRow(
    _ titles: [String], _ feed: BlockFeed, _ context: InputContext
  ) throws(InputError) -> Bool {
    if context.options.isFollowed { return false }
    let rows = try feed.linesAhead(feed.isLive ? 1 : RowLikeness.rowCount, context)
    let block = feed.block
    let words = rows.map { Array(copying: block.span.extracting($0)).words(atMost: titles.count) }
    return RowLikeness(titles, rows: words).isRow
  }

  /// The fields of a line between runs of blanks and tabs; the last gets the rest.
  private static func fields(
    of line: Range<Int>, atMost count: Int, _ feed: BlockFeed, _ context: InputContext
  ) throws(InputError) -> [Range<Int>] {
    // The memory of a field besides its bytes: its range, and the note on its cell.
    let room = (feed.recordLimit - line.count) / (MemoryLayout<Range<Int>>.stride + MemoryLayout<Cell>.stride)
    let fields = feed.block.fields(of: line, atMost: min(count, max(room, 1)))
    guard count <= room || fields.count < room else {
      throw .recordTooLong(context.place(feed, at: line.lowerBound))
    }
    return fields
  }
}

extension ByteBlock {
  /// The fields of a line between runs of blanks and tabs; the last takes the rest.
  fileprivate func fields(of line: Range<Int>, atMost count: Int) -> [Range<Int>] {
    var fields: [Range<Int>] = []
    var end = line.upperBound
    while end > line.lowerBound, isBlank(end - 1) { end -= 1 }
    var offset = line.lowerBound
    while true {
      while offset < end, isBlank(offset) { offset += 1 }
      guard offset < end, fields.count < count else { return fields }
      let start = offset
      if fields.count == count - 1 {
        offset = end
      } else {
        while offset < end, !isBlank(offset) { offset += 1 }
      }
      fields.append(start..<offset)
    }
  }

  private func isBlank(_ offset: Int) -> Bool { self[offset] == 32 || self[offset] == 9 }
}
