/// Makes records from lines: the differences between forms without quotes.
protocol LineParser {
  /// Finds the columns in the first bytes, and skips the header.
  init(_ feed: BlockFeed, _ context: InputContext) throws(InputError)

  /// The titles of the columns.
  var titles: [String] { get }

  /// The titles that are over several columns, divided; empty if there are none.
  var spannedTitles: [SpannedTitle?] { get }

  /// Whether the titles are in the input.
  var hasHeader: Bool { get }

  /// The place of the header, if there is one.
  var headerPlace: InputError.Location? { get }

  /// Whether the table is drawn with rules.
  var isDrawn: Bool { get }

  /// Whether blanks split the first lines into as many cells as there are columns.
  var arePartedByBlanks: Bool { get }

  /// Whether the table is drawn with ASCII characters, but not as Markdown, so that a sorted title may end
  /// with `^` or `v`.
  var isDrawnInASCII: Bool { get }

  /// Whether the header looks like the rows below it.
  var headerIsRow: Bool { get }

  /// Whether the table has ended: lines below it are left out.
  var isOver: Bool { get }

  /// Lines above the table that do not belong to it.
  var above: Tally<InputError.Location> { get }

  /// Lines below a second rule: a footer, or more rows.
  var doubtfulFooter: Tally<InputError.Location> { get }

  /// Whether a record is held back until its last line has been read.
  var hasOpenRecord: Bool { get }

  /// Consumes a line of the feed's block; if `text` is empty, so is the line.
  ///
  /// - Returns: whether it belongs to the table.
  mutating func consumeLine(
    _ text: Range<Int>, _ feed: BlockFeed, _ records: inout LineRecords
  ) throws(InputError) -> Bool

  /// Ends the record that is held back, because the input has ended.
  mutating func endRecord(_ feed: BlockFeed, _ records: inout LineRecords) throws(InputError)

  /// Forgets the record that is held back: its lines will come again.
  mutating func forgetRecord()
}

extension LineParser {
  var spannedTitles: [SpannedTitle?] { [] }
  var isDrawn: Bool { false }
  var isDrawnInASCII: Bool { false }
  var arePartedByBlanks: Bool { false }
  var headerIsRow: Bool { false }
  var above: Tally<InputError.Location> { Tally() }
  var doubtfulFooter: Tally<InputError.Location> { Tally() }
  var hasOpenRecord: Bool { false }
  mutating func endRecord(_ feed: BlockFeed, _ records: inout LineRecords) throws(InputError) {}
  mutating func forgetRecord() {}
}

/// Reads records that consist of lines.
final class LineReader<FormParser: LineParser>: RecordReader {
  let titles: [String]?
  let header: Batch? = nil
  let hasHeader: Bool
  let spannedTitles: [SpannedTitle?]
  let dialect = Dialect(form: .words)

  let feed: BlockFeed
  private let context: InputContext
  private let nullWords: [[UInt8]]
  private var parser: FormParser
  private var columnCount: Int
  private var isDone = false
  private var needsMore = false

  /// Comments that were left out, and lines that do not fit.
  private var findings = InputFindings()

  private(set) var headerNotices: [InputNotice] = []

  /// Lines above and below the table, left out.
  private var outside: Tally<InputError.Location>

  /// Whether blanks split all lines into as many cells as there are columns.
  private var areBlanks = false

  /// The number of rows so far.
  private var rowCount = 0

  /// Batches that were cut but not yet delivered, the next one last.
  private var waiting: [Batch] = []

  /// Damage after records that are delivered first: it counts only if more is requested.
  private var pending: InputError?

  /// Creates a reader and finds the columns.
  init(_ feed: BlockFeed, _ context: InputContext) throws(InputError) {
    self.feed = feed
    self.context = context
    nullWords = context.options.nullWords.map { Array($0.utf8) }
    feed.commentMark = context.options.comment
    if !context.options.hasNoHeader, let first = try feed.firstLine(context) {
      try context.check(nameBytes: first.text.count, of: context.place(feed, at: first.text.lowerBound))
    }
    parser = try FormParser(feed, context)
    feed.commentMark = nil
    findings.add(.leftOutLine, count: feed.commentCount, first: context.place(feed, at: feed.start))
    try context.check(
      columns: parser.titles.count,
      of: parser.headerPlace ?? context.place(feed, at: feed.start))
    hasHeader = parser.hasHeader
    spannedTitles = context.options.names == nil ? parser.spannedTitles : []
    outside = parser.above
    areBlanks = parser.arePartedByBlanks
    if let place = parser.headerPlace {
      let notice = InputNotice.ofHeader(
        parser.titles, isRow: parser.headerIsRow, isReplaced: context.options.names != nil, at: place)
      if let notice { headerNotices = [notice] }
    }
    var names =
      parser.hasHeader
      ? parser.titles.map { [parser] in $0.withoutSortSign(isASCII: parser.isDrawnInASCII) } : parser.titles
    for (index, name) in (context.options.names ?? []).enumerated() {
      if index < names.count { names[index] = name } else { names.append(name) }
    }
    titles = names.named(by: context.options.autoNames, orNumbered: !parser.hasHeader)
    columnCount = names.count
  }

  var notices: [InputNotice] {
    var outside = outside
    // A footer of one line, such as a sum, is usual.
    if parser.doubtfulFooter.count > 1 { outside.merge(parser.doubtfulFooter) }
    guard let first = outside.first else { return [] }
    return [
      parser.isDrawn && outside.count > rowCount
        ? .mostOutsideTable(count: outside.count, rows: rowCount, first: first)
        : .outsideTable(count: outside.count, first: first, areBlanks: areBlanks)
    ]
  }

  func takeFindings() -> InputFindings {
    defer { findings = InputFindings() }
    return findings
  }

  func next(_ schema: inout Schema, row: Int) throws(InputError) -> Batch? {
    if let ready = waiting.popLast() { return ready }
    if let pending { throw pending }
    while !isDone {
      if needsMore, try !context.advance(feed) { return nil }
      var records = LineRecords(nullWords: nullWords)
      let block = feed.block
      let line = feed.line
      let end = try cutWhole(&records)
      isDone = feed.isLast
      needsMore = true
      feed.consume(to: end)
      rowCount += records.count
      findings.append(records.findings)
      if !records.isEmpty {
        let origin = Batch.Origin(
          source: context.source, line: line, row: row, isVerbatim: false, dialect: dialect)
        grow(to: records.widest, &schema)
        // In a table of more columns, the cells of later inputs may go anywhere.
        let leastWidth = context.source == 0 ? 0 : schema.count
        waiting = records.batches(
          block, end: end, cellLimit: context.cellLimit, leastWidth: leastWidth, origin: origin
        ).reversed()
        return waiting.popLast()
      }
    }
    return nil
  }
}

extension LineReader {
  /// Makes records from the complete lines in the block; damage after them waits until they are delivered.
  ///
  /// - Returns: the first byte that is not part of a record yet.
  private func cutWhole(_ records: inout LineRecords) throws(InputError) -> Int {
    var done = feed.start
    do throws(InputError) {
      try cut(&records, &done)
    } catch {
      guard !records.isEmpty else { throw error }
      pending = error
    }
    return done
  }

  /// Makes records from the complete lines in the block; `done` is the first byte that is not part of a record yet.
  private func cut(_ records: inout LineRecords, _ done: inout Int) throws(InputError) {
    let block = feed.block
    var end = done
    // Comments inside a record that is held back will come again with it.
    var comments: [(offset: Int, row: Int)] = []
    while let line = feed.wholeLine(at: end) {
      end = line.next
      if context.isComment(block, line.text) {
        comments.append((line.text.lowerBound, records.count))
      } else {
        guard line.text.count <= Cell.longest else {
          throw .cellTooLong(context.place(feed, at: line.text.lowerBound))
        }
        let isInside =
          try parser.isOver ? block.isBlank(line.text) : parser.consumeLine(line.text, feed, &records)
        if !isInside { leaveOut(line.text) }
      }
      if !parser.hasOpenRecord {
        done = end
        recordComments(&comments)
      }
    }
    if feed.isLast {
      try parser.endRecord(feed, &records)
      done = end
      recordComments(&comments)
    } else if parser.hasOpenRecord {
      parser.forgetRecord()
    }
  }

  /// Leaves out a line that does not belong to the table.
  private func leaveOut(_ text: Range<Int>) {
    outside.record(inRow: 0, context.place(feed, at: text.lowerBound))
    guard areBlanks else { return }
    let block = feed.block
    areBlanks = WordsLine(block.span.extracting(text)).wordCount == columnCount
  }

  private func recordComments(_ comments: inout [(offset: Int, row: Int)]) {
    for (offset, row) in comments {
      findings.add(.leftOutLine, row: row) { context.place(feed, at: offset) }
    }
    comments.removeAll(keepingCapacity: true)
  }

  private func grow(to count: Int, _ schema: inout Schema) {
    while columnCount < count {
      columnCount += 1
      if schema.count < columnCount { schema.append(title: String(columnCount)) }
    }
  }
}

extension BlockFeed {
  /// The line at a byte of the block, without its end, and the start of the next one; `nil` if it continues
  /// in the next block.
  func wholeLine(at start: Int) -> (text: Range<Int>, next: Int)? {
    let block = block
    guard start < block.count else { return nil }
    let end = block.span.lineEnd(from: start)
    let isWhole = end < block.count && (block[end] == 10 || end + 1 < block.count)
    guard isWhole || isLast else { return nil }
    let isPair = end + 1 < block.count && block[end] == 13 && block[end + 1] == 10
    return (start..<end, min(end + (isPair ? 2 : 1), block.count))
  }

  /// Reads until the block has the first line that is neither a comment nor blank, however long it is.
  ///
  /// - Returns: that line and the start of the next one; `nil` if there is none.
  func firstLine(_ context: InputContext) throws(InputError) -> (text: Range<Int>, next: Int)? {
    while true {
      var end = start
      while let line = wholeLine(at: end) {
        if !context.isComment(block, line.text), !block.isBlank(line.text) { return line }
        end = line.next
      }
      consume(to: end)
      if isLast { return nil }
      try context.advance(self)
    }
  }
}

extension BlockFeed {
  /// The next lines that are neither comments nor blank, up to a limit; the feed reads more for them.
  func linesAhead(_ count: Int, _ context: InputContext) throws(InputError) -> [Range<Int>] {
    func lines() -> [Range<Int>] {
      var lines: [Range<Int>] = []
      var end = start
      while lines.count < count, let line = wholeLine(at: end) {
        end = line.next
        if !context.isComment(block, line.text), !block.isBlank(line.text) { lines.append(line.text) }
      }
      return lines
    }
    do { try hold { _ in lines().count == count } } catch { throw .system(error) }
    return lines()
  }
}

extension InputContext {
  /// Whether a line of a block is a comment.
  func isComment(_ block: ByteBlock, _ line: Range<Int>) -> Bool {
    !line.isEmpty && options.comment == block[line.lowerBound]
  }
}

extension ByteBlock {
  /// Whether the line has only blanks and tabs.
  func isBlank(_ line: Range<Int>) -> Bool { line.allSatisfy { self[$0] == 32 || self[$0] == 9 } }
}

extension String {
  /// A title without the sort sign and rank that a drawn table adds to it (R68).
  fileprivate func withoutSortSign(isASCII: Bool) -> String {
    var title = Substring(self)
    while let last = title.last, "¹²³⁴⁵⁶⁷⁸⁹⁰".contains(last) { title.removeLast() }
    guard let sign = title.last, isASCII ? sign == "^" || sign == "v" : sign == "▲" || sign == "▼" else {
      return self
    }
    title.removeLast()
    guard title.last == " " else { return self }
    return String(title).trimmingBlanks
  }
}

/// The cells of a batch of records that consist of lines, while they are being gathered.
struct LineRecords: ~Copyable {
  /// The maximum number of fields in a record, except the last record.
  private var widestBefore = 0

  private let nullWords: [[UInt8]]
  private var cells: [Cell] = []
  private var escapes: [Escape] = []
  private var decoded = ByteBuffer(capacity: 0)

  /// The offset of each record in the block, and its first cell.
  private var starts: [(offset: Int, cell: Int)] = []

  /// The number of missing cells at the end of the record so far.
  private var missingCount = 0

  /// The findings in the lines.
  private(set) var findings = InputFindings()

  /// Creates an empty batch.
  init(nullWords: [[UInt8]]) { self.nullWords = nullWords }

  /// The maximum number of fields in a record.
  var widest: Int { starts.isEmpty ? 0 : max(widestBefore, fieldCount(ofRecord: starts.count - 1)) }

  /// How many records there are.
  var count: Int { starts.count }

  /// Whether there is no record.
  var isEmpty: Bool { starts.isEmpty }

  /// Records a line whose record comes next; its place is determined if it is the first of its kind.
  mutating func recordLine(_ kind: InputFindings.Kind, place: @autoclosure () -> InputError.Location) {
    findings.add(kind, row: count, place: place)
  }

  /// Begins a record at a byte of the block.
  mutating func begin(at offset: Int) {
    widestBefore = widest
    missingCount = 0
    starts.append((offset, cells.count))
  }

  /// Adds a cell that is in the block.
  mutating func append(_ block: ByteBlock, _ range: Range<Int>) {
    let content = block.span(from: range.lowerBound, count: range.count)
    appendMissing()
    cells.append(
      Cell(
        offset: range.lowerBound, length: range.count, kind: kind(content),
        isPlain: content.isPrintableASCII))
  }

  /// Adds a cell whose content differs from its spelling, which is in `range`.
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

  /// Skips a cell that the record lacks.
  mutating func skipCell() { missingCount += 1 }

  private mutating func appendMissing() {
    for _ in 0..<missingCount { cells.append(.missing) }
    missingCount = 0
  }

  /// The records as batches, each with as many columns as its widest record has fields and at most
  /// `cellLimit` cells, unless it is a single record.
  ///
  /// - Parameter leastWidth: the number of cells that a record may be padded to later.
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

  /// The cells of some records, each padded to `width`.
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

/// What to do with records that have too few or too many fields.
struct RaggedRecords {
  /// The allowed numbers of fields of a record.
  let fieldCounts: ClosedRange<Int>

  private let context: InputContext

  /// Takes from `--ragged` what to do with them.
  init(_ fieldCounts: ClosedRange<Int>, _ context: InputContext) {
    self.fieldCounts = fieldCounts
    self.context = context
  }

  /// The number of fields of the header.
  private var columnCount: Int {
    fieldCounts.upperBound == .max ? fieldCounts.lowerBound : fieldCounts.upperBound
  }

  /// Checks the number of fields of the next record, which begins at a byte of the feed's block.
  ///
  /// - Returns: whether it is kept.
  func check(
    _ fields: Int, at offset: Int, _ feed: BlockFeed, among records: inout LineRecords
  ) throws(InputError) -> Bool {
    if fieldCounts.contains(fields) { return true }
    try context.check(columns: fields, of: context.place(feed, at: offset))
    switch context.options.ragged {
    case .fill where fields < fieldCounts.lowerBound || context.mayGrow: return true
    case .skip:
      records.recordLine(.skippedRow, place: context.place(feed, at: offset))
      return false
    case .error, .fill:
      throw .ragged(
        context.place(feed, at: offset), fields: fields, columns: columnCount, hint: nil,
        fillHelps: fields < fieldCounts.lowerBound || context.mayGrow)
    }
  }
}
