/// Reads drawn tables: Markdown, psql, mysql, pandoc, and what tabler itself draws as Grid, List or Stack.
///
/// Lines between columns part the cells of a line; where there are none, the parts of the rule below the header do,
/// and where that has only one, positions. Rules and a footer are no rows.
struct TableParser: LineParser {
  private(set) var titles: [String] = []
  let hasHeader: Bool
  private(set) var headerPlace: InputError.Place?
  private(set) var above = LineCount()
  private(set) var isOver = false

  private let context: InputContext
  private var frame: TableFrame?
  private var ragged: RaggedRecords
  private var crossed = LineCount()

  /// The record held back.
  private var open: TableRecord?

  /// Whether the rule below the header is double or heavy.
  private var headerIsStrong = false

  /// Whether rules part the rows, or else blank lines, so that cells may have several lines.
  private var isParted = false

  /// Whether a blank line is of the table.
  private var allowsBlankLines = false

  /// Whether the rule below the header is still to come: the header is a row.
  private var awaitsHeaderRule = false

  /// Whether lines are those of a footer.
  private var isFooter = false

  /// Whether a row, or the footer, has come after the last rule.
  private var hasLines = false

  /// How many lines there may be above the first rule.
  private static let mostHeaderLines = 1000

  init(_ feed: BlockFeed, _ context: InputContext) throws(InputError) {
    self.context = context
    hasHeader = !context.options.hasNoHeader
    ragged = RaggedRecords(0...0, context)
    guard let first = try feed.firstLine(context) else { return }
    let found = try Self.header(feed, context)
    guard let rule = found.structure, found.headerRule != nil || !hasHeader || feed.isLast else {
      throw .noTable(context.place(feed, at: first.text.lowerBound))
    }
    for line in found.above { above.add(context.place(feed, at: line.lowerBound)) }
    if hasHeader {
      let place = context.place(feed, at: found.start)
      try context.check(nameBytes: found.lines.reduce(0) { $0 + $1.count }, of: place)
      headerPlace = place
    }
    feed.consume(to: hasHeader ? found.end : found.start)
    awaitsHeaderRule = !hasHeader && found.headerRule != nil
    let block = feed.block
    let header = found.lines.map { WordsLine(block.span.extracting($0)) }
    for (line, words) in zip(found.lines, header) where hasHeader {
      try context.check(columns: words.wordCount, of: context.place(feed, at: line.lowerBound))
    }
    allowsBlankLines = rule.junctions.isEmpty && found.top != nil
    headerIsStrong = (found.headerRule ?? rule).isStrong
    let rows = try look(at: feed, rule)
    let isMarkdown = rule.isMarkdown && found.top == nil
    let frame = TableFrame(rule, isMarkdown: isMarkdown, header: hasHeader ? header : [], rows: rows)
    self.frame = frame
    titles = hasHeader ? frame.titles(header) : Array(repeating: "", count: frame.columnCount)
    // Cells may be left out at the end of a line of Markdown.
    ragged = RaggedRecords(
      isMarkdown ? 0...frame.columnCount : frame.columnCount...frame.columnCount, context)
  }

  var notices: [InputNotice] {
    [crossed.notice(InputNotice.crossedBoundary), ragged.notice].compactMap { $0 }
  }

  var hasOpenRecord: Bool { open != nil }

  mutating func take(
    _ text: Range<Int>, _ feed: BlockFeed, _ records: inout LineRecords
  ) throws(InputError) -> Bool {
    guard let frame else { return false }
    let block = feed.block
    if block.isBlank(text) {
      try endRecord(feed, &records)
      isOver = !allowsBlankLines
      return true
    }
    let line = block.span.extracting(text)
    if let rule = frame.rule(line) {
      try endRecord(feed, &records)
      pass(rule)
      return true
    }
    if line.isRowCount {
      try endRecord(feed, &records)
      isOver = true
      return true
    }
    guard let fields = frame.fields(line, isParted: isParted) else {
      try endRecord(feed, &records)
      isOver = true
      return false
    }
    hasLines = true
    if isFooter { return true }
    if fields.hasCrossed { crossed.add(context.place(feed, at: text.lowerBound)) }
    if let start = open?.text.lowerBound {
      guard text.upperBound - start <= Cell.longest else {
        throw .cellTooLong(context.place(feed, at: start))
      }
      open?.add(text, fields.fields, frame, isParted: isParted, block)
    } else {
      open = TableRecord(text, fields.fields)
    }
    if !isParted, open?.goesOn == false { try endRecord(feed, &records) }
    return true
  }

  mutating func endRecord(_ feed: BlockFeed, _ records: inout LineRecords) throws(InputError) {
    guard let frame, let record = open else { return }
    open = nil
    guard try ragged.check(record.fieldCount, at: record.text.lowerBound, feed) else { return }
    record.append(to: &records, frame, feed.block)
  }

  mutating func forgetRecord() { open = nil }
}

extension TableParser {
  /// What stands above the rows.
  private struct Header {
    /// Lines that are not of the table.
    var above: [Range<Int>] = []

    /// The rule above the header.
    var top: TableRule?

    /// The lines of the header.
    var lines: [Range<Int>] = []

    /// The rule below it.
    var headerRule: TableRule?

    /// Where the header begins, and where the rows do.
    var start: Int
    var end: Int

    /// The rule that says most of the columns.
    var structure: TableRule? {
      guard let headerRule, let top else { return headerRule ?? top }
      return headerRule.parts.count >= top.parts.count ? headerRule : top
    }
  }

  /// Finds the header, which ends at the first rule below a line.
  private static func header(_ feed: BlockFeed, _ context: InputContext) throws(InputError) -> Header {
    while true {
      let header = header(in: feed, context)
      let isLong = header.lines.count + header.above.count > mostHeaderLines
      if header.headerRule != nil || feed.isLast || isLong { return header }
      try context.advance(feed)
    }
  }

  private static func header(in feed: BlockFeed, _ context: InputContext) -> Header {
    let block = feed.block
    var header = Header(start: feed.start, end: feed.start)
    while let line = feed.wholeLine(at: header.end), header.lines.count <= mostHeaderLines {
      header.end = line.next
      if context.isComment(block, line.text) { continue }
      let text = block.span.extracting(line.text)
      if block.isBlank(line.text) {
        if header.top == nil {
          header.above += header.lines
          header.lines = []
        }
      } else if let rule = TableRule(text, least: 1, dots: true) {
        let isTitle =
          header.top == nil && !rule.junctions.isEmpty && !rule.isMarkdown
          && header.lines.allSatisfy { !isDrawn(block, $0, rule) }
        if header.lines.isEmpty || isTitle {
          header.above += header.lines
          header.lines = []
          header.top = rule
          header.start = line.next
        } else {
          header.headerRule = rule
          return header
        }
      } else {
        if header.lines.isEmpty { header.start = line.text.lowerBound }
        header.lines.append(line.text)
      }
    }
    return header
  }

  /// Whether a line has lines between columns.
  private static func isDrawn(_ block: ByteBlock, _ line: Range<Int>, _ rule: TableRule) -> Bool {
    let text = block.span.extracting(line)
    return text.firstVertical != nil || rule.isDotted && text.contains(UInt8(ascii: ":"))
  }

  /// Looks at the first rows: whether rules or blank lines part them.
  ///
  /// - Returns: the rows, as far as they are there.
  private mutating func look(
    at feed: BlockFeed, _ structure: TableRule
  ) throws(InputError) -> [WordsLine] {
    if context.options.isFollowed { return [] }
    do { try feed.hold { _ in false } } catch { throw .system(error) }
    let block = feed.block
    let frame = TableFrame(structure, isMarkdown: false, header: [], rows: [])
    var end = feed.start
    var rows: [WordsLine] = []
    var innerRules = 0
    var hasWeakRule = false
    var hasInnerBlank = false
    var last: Separation?
    var isHeader = awaitsHeaderRule
    while let line = feed.wholeLine(at: end), line.next - feed.start <= FormDetector.sampleSize {
      end = line.next
      if context.isComment(block, line.text) { continue }
      let text = block.span.extracting(line.text)
      if block.isBlank(line.text) {
        guard allowsBlankLines else { break }
        if last == nil, !rows.isEmpty { last = .blank }
      } else if let rule = frame.rule(text) {
        if isHeader {
          isHeader = false
        } else if !rows.isEmpty {
          last = .rule(isStrong: rule.isStrong)
        }
      } else if text.isRowCount {
        break
      } else {
        switch last {
        case .rule(let isStrong)?:
          innerRules += 1
          if !isStrong { hasWeakRule = true }
        case .blank?: hasInnerBlank = true
        case nil: break
        }
        last = nil
        rows.append(WordsLine(text))
      }
    }
    isParted = hasInnerBlank || (headerIsStrong ? hasWeakRule : innerRules > 1)
    return rows
  }

  /// What stood between two lines of rows.
  private enum Separation {
    case rule(isStrong: Bool)
    case blank
  }

  /// Goes over a rule below the header.
  private mutating func pass(_ rule: TableRule) {
    if awaitsHeaderRule {
      awaitsHeaderRule = false
    } else if !hasLines || isFooter {
      isOver = true
    } else {
      isFooter = headerIsStrong ? rule.isStrong : !isParted
    }
    hasLines = false
  }
}
