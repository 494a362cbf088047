/// Reads drawn tables: Markdown, psql, mysql, pandoc, and what tabler itself draws as Grid, List or Stack.
///
/// Lines between columns separate the cells of a line; if there are none, the parts of the rule below the
/// header do, and if that has only one, positions. Rules and a footer are not rows.
struct TableParser: LineParser {
  private(set) var titles: [String] = []
  private(set) var spannedTitles: [SpannedTitle?] = []
  let hasHeader: Bool
  private(set) var headerPlace: InputError.Location?
  private(set) var above = Tally<InputError.Location>()
  private(set) var doubtfulFooter = Tally<InputError.Location>()
  let isOver = false
  let isDrawn = true
  private(set) var isDrawnInASCII = false

  private let context: InputContext
  private var frame: TableFrame?
  private var ragged: RaggedRecords

  /// The lines of the record held back that have text across a column boundary, by their first bytes.
  private var crossedLines: [Int] = []

  /// The record that is held back.
  private var open: TableRecord?

  /// Whether the rule below the header is double or heavy.
  private var headerIsStrong = false

  /// Whether rules, or else blank lines, separate the rows, so that cells may have several lines.
  private var isParted = false

  /// Whether rules separate the rows.
  private var isPartedByRules = false

  /// Whether it is a grid or multiline table of pandoc, in which rules or blank lines separate all rows.
  private var isPandoc = false

  /// Whether a blank line belongs to the table.
  private var allowsBlankLines = false

  /// The marks of sections, if there are any.
  private var sections = SectionMarks()

  /// Whether the next line is the first after the header, or after a blank line.
  private var beginsGroup = true

  /// Whether the rows are separated only by column lines, as `│    │    │`.
  private var isSpaced = false

  /// The line of the header, if it is only one, which is repeated on each page.
  private var headerLine: [UInt8]?

  /// Whether the record held back may be a repeated header.
  private var mayBeHeader = false

  /// Whether the table has ended, until its header is repeated.
  private var isClosed = false

  /// Whether headings and footers from edge to edge separate sections.
  private var hasSpans = false

  /// Whether the last line was a heading or a footer from edge to edge.
  private var isAfterSpan = false

  /// Whether the rule below the header is still to come: the header is a row.
  private var awaitsHeaderRule = false

  /// Whether the lines belong to a footer.
  private var isFooter = false

  /// Whether a row, or the footer, has come after the last rule.
  private var hasLines = false

  /// The maximum number of lines above the first rule.
  private static let mostHeaderLines = 1000

  init(_ feed: BlockFeed, _ context: InputContext) throws(InputError) {
    self.context = context
    hasHeader = !context.options.hasNoHeader
    ragged = RaggedRecords(0...0, context)
    guard let first = try feed.firstLine(context) else { return }
    let found = try Self.header(feed, context)
    guard let structure = found.structure, found.headerRule != nil || !hasHeader || feed.isLast else {
      throw .noTable(context.place(feed, at: first.text.lowerBound))
    }
    for line in found.above { above.record(inRow: 0, context.place(feed, at: line.lowerBound)) }
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
    if hasHeader, found.lines.count == 1 { headerLine = header[0].text }
    var rule = structure
    if let last = header.last { rule = structure.crossed(by: last, try linesAhead(feed, structure)) ?? rule }
    allowsBlankLines = rule.junctions.isEmpty
    headerIsStrong = (found.headerRule ?? rule).isStrong
    isPandoc = rule.hasColons && !rule.isMarkdown || found.isMultiline
    let (rows, body) = try examineFirstRows(of: feed, rule, hasHeader ? header : [])
    if found.top == nil, !isParted, sections == SectionMarks() { allowsBlankLines = false }
    let isMarkdown = rule.isMarkdown && found.top == nil
    isDrawnInASCII = !isMarkdown && rule.isASCII
    let frame = TableFrame(
      rule, isMarkdown: isMarkdown, isPandoc: isPandoc,
      header: hasHeader ? header : [], rows: rows, body: body)
    self.frame = frame
    titles = hasHeader ? frame.titles(header) : Array(repeating: "", count: frame.columnCount)
    if let last = header.last, hasHeader, !found.spans.isEmpty {
      (titles, spannedTitles) = found.spans.joined(to: titles, at: frame.cells(of: last, titles.count))
    }
    // Cells may be missing at the end of a line of Markdown.
    ragged = RaggedRecords(
      isMarkdown ? 0...frame.columnCount : frame.columnCount...frame.columnCount, context)
  }

  var hasOpenRecord: Bool { open != nil }

  mutating func consumeLine(
    _ text: Range<Int>, _ feed: BlockFeed, _ records: inout LineRecords
  ) throws(InputError) -> Bool {
    guard let frame else { return false }
    let block = feed.block
    let line = block.span.extracting(text)
    let rule = frame.rule(line)
    if mayBeHeader {
      mayBeHeader = false
      if let rule {
        open = nil
        isClosed = false
        isFooter = false
        awaitsHeaderRule = true
        pass(rule)
        return true
      }
      try endRecord(feed, &records)
    }
    if block.isBlank(text) {
      try endRecord(feed, &records)
      if !allowsBlankLines { isClosed = true }
      if sections.hasHeadings { isFooter = false }
      beginsGroup = true
      return true
    }
    if let rule {
      try endRecord(feed, &records)
      if !isClosed { pass(rule) }
      return true
    }
    if let headerLine, open == nil || !isParted, line.equals(headerLine.span) {
      return try holdHeader(text, frame.fields(line, isParted: isParted)?.fields ?? [], feed, &records)
    }
    if isClosed { return false }
    if line.isRowCount {
      try endRecord(feed, &records)
      isClosed = true
      return true
    }
    if sections.hasHeadings, beginsGroup, frame.isLoneHeading(line) {
      try endRecord(feed, &records)
      beginsGroup = false
      return true
    }
    guard let fields = frame.fields(line, isParted: isParted) else {
      try endRecord(feed, &records)
      isClosed = true
      return false
    }
    if try isOfSections(line, fields.fields, frame) {
      try endRecord(feed, &records)
      return true
    }
    hasLines = true
    if isFooter {
      // The rule of another table cannot belong to a footer, nor can what comes after it.
      isClosed = TableRule(line, least: 3) != nil
      if !isClosed, isDrawnInASCII, !headerIsStrong {
        doubtfulFooter.record(inRow: 0, context.place(feed, at: text.lowerBound))
      }
      return !isClosed
    }
    if isSpaced, fields.fields.allSatisfy({ frame.trimmed($0, line).isEmpty }) {
      try endRecord(feed, &records)
      return true
    }
    if fields.hasCrossed { crossedLines.append(text.lowerBound) }
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

  /// Holds back a line that reads like the header, until the next one tells whether it is.
  ///
  /// - Returns: whether it belongs to the table.
  private mutating func holdHeader(
    _ text: Range<Int>, _ fields: [TableFrame.LineField], _ feed: BlockFeed, _ records: inout LineRecords
  ) throws(InputError) -> Bool {
    try endRecord(feed, &records)
    open = TableRecord(text, fields)
    mayBeHeader = true
    return true
  }

  /// Handles a line that is the heading or the footer of a section.
  private mutating func isOfSections(
    _ line: Span<UInt8>, _ fields: [TableFrame.LineField], _ frame: TableFrame
  ) throws(InputError) -> Bool {
    if frame.isSpan(line, fields) {
      isAfterSpan = true
      awaitsHeaderRule = true
      isFooter = false
      return true
    }
    guard sections != SectionMarks(), !isFooter else { return false }
    let isFirst = beginsGroup
    beginsGroup = false
    let placement = frame.placement(of: WordsLine(line))
    return sections.hasHeadings && isFirst && placement == .heading
      || sections.hasClosings && !isFirst && placement == .closing
  }

  mutating func endRecord(_ feed: BlockFeed, _ records: inout LineRecords) throws(InputError) {
    guard let frame, let record = open else { return }
    let crossed = crossedLines
    forgetRecord()
    if isFooter || isClosed { return }
    for offset in crossed { records.recordLine(.crossedBoundary, place: context.place(feed, at: offset)) }
    guard try ragged.check(record.fieldCount, at: record.text.lowerBound, feed, among: &records) else {
      return
    }
    record.append(to: &records, frame, feed.block)
  }

  mutating func forgetRecord() {
    open = nil
    mayBeHeader = false
    crossedLines = []
  }
}

extension TableParser {
  /// The lines above the rows.
  private struct Header {
    /// Lines that do not belong to the table.
    var above: [Range<Int>] = []

    /// The rule above the header.
    var top: TableRule?

    /// The lines of the header.
    var lines: [Range<Int>] = []

    /// The titles over several columns, above them.
    var spans = SpanningTitles()

    /// The rule below it.
    var headerRule: TableRule?

    /// The offsets of the header and of the rows.
    var start: Int
    var end: Int

    /// Begins the frame below its upper edge: the lines so far are above it.
    mutating func beginFrame(below rule: TableRule, at next: Int) {
      above += lines
      lines = []
      top = rule
      start = next
    }

    /// Moves the lines above the table from the header to `above`: those that do not match the parts of the rule.
    ///
    /// Above a rule of one part: a line that begins with it while the titles begin later. Above a rule of box
    /// characters, as tabler draws it: a line no wider than the first part, while the titles are wider.
    mutating func leaveOutProse(_ block: ByteBlock, _ rule: TableRule) {
      guard top == nil, !rule.isMarkdown, lines.count > 1 else { return }
      let words = lines.map { WordsLine(block.span.extracting($0)) }
      let last = words[words.count - 1]
      func isDrawn(_ line: WordsLine) -> Bool {
        rule.junctions.allSatisfy { line.vertical(at: $0.cell, isDotted: rule.isDotted) != nil }
      }
      let isLate = last.isBlank(rule.extent.lowerBound)
      let gaps = zip(rule.parts, rule.parts.dropFirst()).flatMap { $0.upperBound..<$1.lowerBound }
      let prose = words.dropLast().lastIndex { line in
        if !rule.junctions.isEmpty { return isDrawn(last) && !isDrawn(line) }
        if line.width > rule.extent.upperBound { return true }
        if rule.parts.count == 1 { return isLate && !line.isBlank(rule.extent.lowerBound) }
        let first = rule.parts[0].upperBound
        return !gaps.allSatisfy(line.isBlank) || !rule.isASCII && line.width <= first && last.width > first
      }
      guard let prose else { return }
      above += lines[...prose]
      lines.removeFirst(prose + 1)
      start = lines[0].lowerBound
    }

    /// Whether the only line is a title from edge to edge of a frame whose lower rule has several parts, as
    /// `aws` prints it.
    func isTitled(_ block: ByteBlock, above rule: TableRule) -> Bool {
      guard lines.count == 1, let top, top.parts.count == 1, rule.isFramed else { return false }
      let line = WordsLine(block.span.extracting(lines[0]))
      let cells = rule.junctions.map(\.cell)
      return line.width == rule.extent.upperBound
        && cells.allSatisfy {
          (line.vertical(at: $0, isDotted: false) != nil) == ($0 == cells[0] || $0 == cells.last)
        }
    }

    /// Whether it is the header of a multiline table of pandoc: between a rule as wide as the table and one
    /// of columns.
    var isMultiline: Bool {
      guard let top, let headerRule, top.parts.count == 1, headerRule.parts.count > 1 else { return false }
      return [top, headerRule].allSatisfy { $0.junctions.isEmpty && $0.isASCII && !$0.isStrong }
    }

    /// The rule that tells most about the columns.
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
    // The result if the first lines are not a title within the frame.
    var untitled: Header?
    // A blank line separates text from the table, but not titles from their rule.
    var hasGap = false
    while let line = feed.wholeLine(at: header.end), header.lines.count <= mostHeaderLines {
      header.end = line.next
      if context.isComment(block, line.text) { continue }
      let text = block.span.extracting(line.text)
      let isUnderline =
        hasGap && header.lines.last.map { TableRule.underlines(text, block.span.extracting($0)) } ?? false
      if hasGap, !isUnderline, !block.isBlank(line.text) {
        header.above += header.lines
        header.lines = []
        hasGap = false
      }
      if block.isBlank(line.text) {
        if header.top == nil { hasGap = true }
      } else if let rule = TableRule(text, least: 1, dots: true) {
        let isTitle =
          header.top == nil && !rule.junctions.isEmpty && !rule.isMarkdown
          && header.lines.allSatisfy { !isDrawn(block, $0, rule) }
        if header.lines.isEmpty || isTitle {
          header.beginFrame(below: rule, at: line.next)
        } else if untitled == nil, header.isTitled(block, above: rule) {
          untitled = header
          untitled?.headerRule = rule
          header.beginFrame(below: rule, at: line.next)
        } else {
          // Without rows below it, the rule is the edge of a table whose title is the header.
          if let untitled {
            let next = feed.wholeLine(at: line.next)
            if next == nil, !feed.isLast { return header }
            if next.map({ block.isBlank($0.text) }) ?? true { return untitled }
          }
          if !context.options.isFollowed {
            guard let next = titlesBelow(line.next, feed) else { return header }
            let upper = header.lines.map { WordsLine(block.span.extracting($0)) }
            if let next, header.spans.add(upper, rule, above: next.titles, next.rule) {
              header.lines = []
              continue
            }
          }
          header.headerRule = rule
          header.leaveOutProse(block, rule)
          return header
        }
      } else {
        if header.lines.isEmpty { header.start = line.text.lowerBound }
        header.lines.append(line.text)
      }
    }
    let isOver = feed.isLast || header.lines.count > mostHeaderLines
    return isOver ? untitled ?? header : header
  }

  /// The last line below a rule that is above another one, and that, if they are near.
  ///
  /// - Returns: `nil` if the input must be read on to know it; without titles if there is none.
  private static func titlesBelow(_ start: Int, _ feed: BlockFeed) -> (titles: WordsLine, rule: TableRule)?? {
    let block = feed.block
    var (end, last) = (start, WordsLine?.none)
    for _ in 0..<mostTitleLines {
      guard let line = feed.wholeLine(at: end) else { return feed.isLast ? .some(nil) : nil }
      let text = block.span.extracting(line.text)
      if let rule = TableRule(text, least: 1) { return .some(last.map { ($0, rule) }) }
      if block.isBlank(line.text) { break }
      (end, last) = (line.next, WordsLine(text))
    }
    return .some(nil)
  }

  /// The lines that titles below those over several columns may have, with the rule below them.
  private static let mostTitleLines = 8

  /// Whether a line has lines between columns.
  private static func isDrawn(_ block: ByteBlock, _ line: Range<Int>, _ rule: TableRule) -> Bool {
    let text = block.span.extracting(line)
    return text.firstVertical != nil || rule.isDotted && text.contains(UInt8(ascii: ":"))
  }

  /// The first lines below the header, up to a blank one or the end of the table.
  private func linesAhead(_ feed: BlockFeed, _ structure: TableRule) throws(InputError) -> [WordsLine] {
    if context.options.isFollowed { return [] }
    do { try feed.hold(lines: Self.mostLinesAhead) } catch { throw .system(error) }
    let block = feed.block
    var lines: [WordsLine] = []
    var end = feed.start
    while lines.count < Self.mostLinesAhead, let line = feed.wholeLine(at: end), !block.isBlank(line.text) {
      end = line.next
      let text = block.span.extracting(line.text)
      if text.isRowCount { break }
      let rule = TableRule(text, least: 1)
      if rule.map(structure.isRepeated) ?? false || context.isComment(block, line.text) { continue }
      lines.append(WordsLine(text))
    }
    // The heading of a section has no lines between columns.
    if lines.count > 1, lines[0].titleCount == 1 {
      let first = lines[0].text
      if first.span.firstVertical == nil { lines.removeFirst() }
    }
    return lines
  }

  /// How many lines are searched for lines between columns.
  private static let mostLinesAhead = 100

  /// Examines the first rows: whether rules or blank lines separate them, and what separates sections.
  ///
  /// - Returns: the rows read so far, and those above a footer.
  private mutating func examineFirstRows(
    of feed: BlockFeed, _ structure: TableRule, _ header: [WordsLine]
  ) throws(InputError) -> (rows: [WordsLine], body: [WordsLine]) {
    if context.options.isFollowed { return ([], []) }
    do { try feed.hold { _ in false } } catch { throw .system(error) }
    let block = feed.block
    let frame = TableFrame(
      structure, isMarkdown: false, header: structure.junctions.isEmpty ? [] : header, rows: [])
    var end = feed.start
    var groups = TableGroups()
    var isHeader = awaitsHeaderRule
    var hasLoneHeadings = false
    var hasOpenLines = false
    while let line = feed.wholeLine(at: end), line.next - feed.start <= FormDetector.sampleSize {
      end = line.next
      if context.isComment(block, line.text) { continue }
      let text = block.span.extracting(line.text)
      if block.isBlank(line.text) {
        guard allowsBlankLines else { break }
        groups.addBlank()
      } else if let rule = frame.rule(text) {
        if !isHeader { groups.add(rule) }
        isHeader = false
      } else if text.isRowCount {
        break
      } else if hasLoneHeadings || groups.isEmpty, frame.isLoneHeading(text) {
        hasLoneHeadings = true
        allowsBlankLines = true
      } else if let headerLine, text.equals(headerLine.span) {
        groups.forgetRule()
        isHeader = true
      } else if let fields = structure.junctions.isEmpty ? nil : frame.fields(text, isParted: true)?.fields,
        frame.isSpan(text, fields)
      {
        groups.addSpan()
        isHeader = true
      } else if let fields = structure.junctions.isEmpty ? nil : frame.fields(text, isParted: true)?.fields,
        !structure.isMarkdown, fields.allSatisfy({ frame.trimmed($0, text).isEmpty })
      {
        hasOpenLines = true
        groups.addBlank()
      } else if !structure.junctions.isEmpty, frame.fields(text, isParted: true) == nil {
        break
      } else {
        groups.add(WordsLine(text))
      }
    }
    let rows = groups.rows(structure, header)
    sections = hasLoneHeadings ? SectionMarks(hasHeadings: true) : rows.marks
    let isBlankParted = groups.blankCount > 0 && !sections.hasHeadings
    // Rows of nulls are drawn like the space between rows, but hardly below each row.
    let isCertain =
      headerIsStrong || structure.isUncrossed || groups.areSingleLines(atLeast: structure.isASCII ? 3 : 2)
    isSpaced =
      hasLoneHeadings
      ? hasOpenLines : !structure.junctions.isEmpty && isBlankParted && groups.isEven && isCertain
    let placed = TableFrame(structure, isMarkdown: false, header: header, rows: rows.lines)
    isPartedByRules =
      sections.hasHeadings
      ? headerIsStrong && groups.haveRowRulesInSections(placed, true, headings: hasLoneHeadings ? 0 : 1)
      : groups.isParted(byRules: headerIsStrong, placed)
    isParted =
      isPartedByRules || isBlankParted && (isSpaced || structure.junctions.isEmpty && rows.fit)
      || isPandoc && !sections.hasHeadings
    return (rows.lines, groups.body(headerIsStrong: headerIsStrong, isParted: isPartedByRules))
  }

  /// Consumes a rule below the header.
  private mutating func pass(_ rule: TableRule) {
    if isAfterSpan, rule.isStrong, headerIsStrong {
      isFooter = true
    } else if awaitsHeaderRule {
      awaitsHeaderRule = false
    } else if !hasLines || isFooter && !sections.hasHeadings && !hasSpans {
      isClosed = true
    } else if sections.hasHeadings {
      isFooter = rule.isStrong || !isPartedByRules
    } else if hasSpans && !isPartedByRules {
      isFooter = true
    } else {
      isFooter = headerIsStrong ? rule.isStrong : !isPartedByRules
    }
    if isAfterSpan { hasSpans = true }
    isAfterSpan = false
    awaitsHeaderRule = false
    hasLines = false
  }
}
