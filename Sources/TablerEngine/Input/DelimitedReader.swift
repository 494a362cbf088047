/// Reads csv and tsv.
final class DelimitedReader: RecordReader {
  private(set) var titles: [String]?
  private(set) var spannedTitles: [SpannedTitle?] = []
  private(set) var firstRow: [String]?
  private(set) var header: Batch?
  private(set) var dialect: Dialect
  private(set) var headerNotices: [InputNotice] = []
  let hasHeader: Bool

  let feed: BlockFeed
  private let context: InputContext
  private var rules: DelimitedRules
  private var fieldCount = 0
  private var columnCount = 0

  /// The line of the header.
  private var headerLine = 0
  private var isDone = false
  private var needsMore = false

  /// Records that are cut ahead.
  private var pieces: RecordPieces<DelimitedPiece>

  /// Where a record that continues in the next block begins, or an open quote in it.
  private var openAt: Int?

  /// Damage after records that are delivered first: it counts only if more is requested.
  private var pending: InputError?
  private var findings = InputFindings()

  /// The maximum number of lines before a table that a message offers to skip.
  private static let mostPreambleLines = 100

  /// Creates a reader and reads the header.
  init(_ feed: BlockFeed, _ verdict: FormDetector.DetectedForm, _ context: InputContext) throws(InputError) {
    self.feed = feed
    self.context = context
    pieces = RecordPieces(context)
    let options = context.options
    hasHeader = !options.hasNoHeader
    rules = Self.rules(verdict, options)
    dialect = Dialect(
      form: verdict.form == .tsv ? .tsv : .csv, delimiter: rules.marks.delimiter, quote: rules.marks.quote,
      escape: rules.marks.escape)
    try readHeader()
    rules.emptyLineIsRow = (dialect.form == .tsv || rules.answer != nil) && fieldCount == 1
    // The rest of a line may have any marks, so that no output copies it.
    if options.mostFields != .max { (dialect, header) = (Dialect(form: .words), nil) }
  }

  func next(_ schema: inout Schema, row: Int) throws(InputError) -> Batch? {
    if let pending { throw try hinted(pending) }
    while !isDone {
      if let (piece, spot) = try pieces.next(from: feed), let parser = piece.takeParser() {
        return batch(parser, piece.cutter, end: piece.end, at: spot, row: row)
      }
      if needsMore, try !context.advance(feed, recordAt: openAt) { return nil }
      let cutter = cutter(schema)
      // Comments are counted as they are read.
      if rules.comment == nil, pieces.begin(feed, cutter) {
        needsMore = false
        continue
      }
      var parser = cutter.parser
      parser.limits = cutter.limits
      needsMore = true
      let end: Int
      do { end = try cutWhole(&parser, cutter) } catch { throw try hinted(error) }
      openAt = parser.openAt
      isDone = feed.isLast && needsMore
      if parser.widths.widest > columnCount { grow(to: parser.widths.widest, &schema) }
      let spot = feed.spot
      pieces.consume(feed, to: end, lineEnds: feed.isLast ? nil : parser.lineEnds)
      if let batch = batch(parser, cutter, end: end, at: spot, row: row) { return batch }
    }
    return nil
  }

  /// The records that a parser cut, as a batch; `nil` if there are none.
  private func batch(
    _ parser: consuming DelimitedParser<MachineVector>, _ cutter: DelimitedCutter, end: Int,
    at spot: BlockFeed.Spot, row: Int
  ) -> Batch? {
    addFindings(of: parser, at: spot)
    if parser.recordStarts.isEmpty { return nil }
    let origin = Batch.Origin(
      source: context.source, line: spot.line, row: row, isVerbatim: true, dialect: dialect)
    let cutting = Batch.Cutting(
      cutter: cutter, range: spot.start..<end, place: context.mayBeReadAgain ? spot.place : nil)
    return parser.batch(spot.block, end: end, origin: origin, cutting: cutting)
  }
}

extension DelimitedReader {
  func takeFindings() -> InputFindings {
    defer { findings = InputFindings() }
    return findings
  }
}

extension DelimitedReader {
  /// The cutter of records, for the columns known so far.
  private func cutter(_ schema: Schema) -> DelimitedCutter {
    DelimitedCutter(
      rules: rules, fieldCount: fieldCount, columnCount: columnCount, ragged: context.options.ragged,
      mayGrow: context.mayGrow,
      limits: (
        cells: context.cellLimit(columnCount, of: schema.count), recordBytes: feed.recordLimit,
        columns: max(columnCount, context.columnLimits.count)
      ))
  }

  private static func rules(_ verdict: FormDetector.DetectedForm, _ options: InputOptions) -> DelimitedRules {
    func byte(_ mark: InputOptions.MarkChoice, _ standard: UInt8?) -> UInt8? {
      switch mark {
      case .byForm: standard
      case .off: nil
      case .byte(let byte): byte
      }
    }
    let standard: Dialect = verdict.form == .tsv ? .tsv : .csv
    let marks = StructuralMarks(
      delimiter: verdict.delimiter, quote: byte(options.quote, standard.quote),
      escape: byte(options.escape, standard.escape))
    return DelimitedRules(
      marks: marks, decodesLetters: standard.form == .tsv && marks.escape == standard.escape,
      isLazy: options.hasLazyQuotes,
      comment: options.comment, nullWords: options.nullWords.map { Array($0.utf8) },
      quotedEmptyIsText: options.quotedEmptyIsText, emptyLineIsRow: false,
      answer: options.answer,
      countsEmptyLines: options.countsEmptyLines, isTrimmed: options.isTrimmed, mostFields: options.mostFields
    )
  }

  /// Reads the header, or the first record if there is none, and determines the number of cells of records.
  private func readHeader() throws(InputError) {
    let options = context.options
    var pieces: [[String]] = []
    var nameBytes = 0
    var headerPlace: InputError.Location?
    let wanted = hasHeader ? max(options.headerLines, 1) : 1
    while pieces.count < wanted {
      var parser = DelimitedParser<MachineVector>(
        rules: rules, fieldCount: nil, columnCount: 0, ragged: .error, mayGrow: false)
      parser.limits.cells = context.cellLimit
      parser.limits.recordBytes = feed.recordLimit
      parser.limits.columns = context.columnLimits.count
      let before = feed.start
      let end = try cut(&parser, limit: 1)
      if hasHeader || parser.recordStarts.isEmpty { addFindings(of: parser, at: feed.spot) }
      guard !parser.recordStarts.isEmpty else {
        feed.consume(to: end)
        if feed.isLast { break }
        try context.advance(feed, recordAt: parser.openAt)
        continue
      }
      let record = parser.batch(
        feed.block, end: end,
        origin: Batch.Origin(
          source: context.source, line: feed.line, row: 0, isVerbatim: true, dialect: dialect))
      nameBytes += record.cells.reduce(0) { $0 + $1.length }
      let place = headerPlace ?? InputError.Location(path: context.path, line: record.line(ofRow: 0))
      headerPlace = place
      headerLine = place.line
      if hasHeader { try context.check(nameBytes: nameBytes, of: place) }
      pieces.append(record.cells.map { hasHeader ? record.text($0) : "" })
      if !hasHeader {
        firstRow = RowLikeness.texts(of: record).map { String(decoding: $0, as: UTF8.self) }
      }
      let recordEnd = record.recordEnd(ofRow: 0)
      if !recordEnd.isEmpty { dialect.recordEnd = recordEnd.indices.map { recordEnd[$0] } }
      header = wanted == 1 && hasHeader ? record : nil
      fieldCount = max(fieldCount, record.columnCount)
      if hasHeader { feed.consume(to: end) } else { feed.consume(to: before) }
    }
    guard !pieces.isEmpty else {
      titles = options.names ?? []
      columnCount = options.names?.count ?? 0
      fieldCount = columnCount
      return
    }
    if hasHeader, let headerPlace { try recordHeader(pieces, at: headerPlace) }
    titles = Self.titles(pieces, fieldCount, options, hasHeader: hasHeader)
    columnCount = titles?.count ?? 0
    if hasHeader, options.names == nil {
      spannedTitles = SpannedTitle.titles(ofLines: pieces, columnCount: fieldCount)
    }
    if options.names != nil || options.autoNames != nil { header = nil }
  }

  /// Reports a header that looks like the rows below it, or one of numbers that was replaced by `--names`;
  /// otherwise text above a table of words.
  private func recordHeader(_ pieces: [[String]], at place: InputError.Location) throws(InputError) {
    let options = context.options
    var isRow = false
    if pieces.count == 1, !options.isFollowed, RowLikeness.mayHoldValue(pieces[0]) {
      isRow = try RowLikeness(pieces[0], rows: rowsAhead(1)).isRow
      // Most headers are recognized by the first row, and there is no need to wait for more.
      if isRow, !feed.isLive {
        isRow = try RowLikeness(pieces[0], rows: rowsAhead(RowLikeness.rowCount)).isRow
      }
    }
    let notice = InputNotice.ofHeader(
      Array(pieces.joined()), isRow: isRow, isReplaced: options.names != nil, at: place)
    if let notice { headerNotices.append(notice) }
    let isGuess = options.form == .auto && options.delimiter == nil && !options.isFollowed
    guard isGuess, notice == nil || isRow, pieces.count == 1, pieces[0].count == 1 else { return }
    var hint = try colonHint(pieces[0][0])
    if hint == nil, notice == nil { hint = try preambleHint(pieces[0][0]) }
    if let hint { headerNotices.append(.oneColumn(place, hint)) }
  }

  /// The delimiter of lines with as many colons as the first, between texts without blanks: `root:x:0:0:…`.
  private func colonHint(_ text: String) throws(InputError) -> InputError.Hint? {
    let colon = UInt8(ascii: ":")
    let count = text.utf8.count { $0 == colon }
    guard count > 1, !feed.isLive, text.utf8.first.map({ ($0 | 0x20) &- 0x61 < 26 }) == true,
      !text.utf8.contains(0x20)
    else { return nil }
    let rows = try rowsAhead(RowLikeness.rowCount)
    let areAlike = !rows.isEmpty && rows.allSatisfy { $0.count == 1 && $0[0].count { $0 == colon } == count }
    return areAlike ? .delimiter(colon) : nil
  }

  /// How to read lines of one column that are a table below a line of text; the line below that has its
  /// titles, or is a message (`Listing...`) above rows that begin alike.
  private func preambleHint(_ text: String) throws(InputError) -> InputError.Hint? {
    guard let line = try feed.linesAhead(1, context).first else { return nil }
    let block = feed.block
    let titles = WordsLine(block.span.extracting(line)).titleCount
    if text.utf8.suffix(3).elementsEqual("...".utf8) {
      let lines = try feed.linesAhead(RowLikeness.rowCount, context)
      let block = feed.block
      return headlessHint(lines.map { Array(copying: block.span.extracting($0)).words(atMost: .max) })
    }
    guard titles > 2 || Array(text.utf8).words(atMost: 2).count > 1 else { return nil }
    let lines = try feed.linesAhead(2, context)
    let both = feed.block
    let words = Array(text.utf8).words(atMost: .max).count
    if lines.count == 2, lines.allSatisfy({ both.span.extracting($0).isRow(ofWords: words) }) {
      return .from(.blanks)
    }
    guard titles > 2 else { return nil }
    guard lines.count == 2, WordsLine(both.span.extracting(lines[1])).wordCount >= titles else { return nil }
    return .skipLines(context.place(feed, at: lines[0].lowerBound).line - 1)
  }

  /// The cells of the next records, up to a limit; the feed reads more for them.
  private func rowsAhead(_ count: Int) throws(InputError) -> [[[UInt8]]] {
    var records: [[[UInt8]]] = []
    func areThere() -> Bool {
      let (sample, isLast) = sampleAhead
      records = []
      var start = 0
      while records.count < count, let record = record(of: sample, at: &start, isLast: isLast) {
        records.append(RowLikeness.texts(of: record))
      }
      return records.count == count
    }
    do { try feed.hold { _ in areThere() } } catch { throw .system(error) }
    if records.count < count { _ = areThere() }
    return records
  }

  /// The first bytes that are not in records yet, and whether they are the last of the input: longer records
  /// are not examined, whatever pieces they arrive in.
  private var sampleAhead: (bytes: ByteBlock, isLast: Bool) {
    let block = feed.block
    let end = min(block.count, feed.start + FormDetector.sampleSize)
    return (ByteBlock(block.span.extracting(feed.start..<end)), feed.isLast && end == block.count)
  }

  /// The record at a byte of a block, if it is complete; `start` moves past it.
  private func record(of block: ByteBlock, at start: inout Int, isLast: Bool) -> Batch? {
    var parser = DelimitedParser<MachineVector>(
      rules: rules, fieldCount: nil, columnCount: 0, ragged: .error, mayGrow: false)
    parser.limits.columns = context.columnLimits.count
    guard let end = try? parser.parse(block, from: start, isLast: isLast, limit: 1),
      !parser.recordStarts.isEmpty
    else { return nil }
    start = end
    return parser.batch(
      block, end: end,
      origin: Batch.Origin(
        source: context.source, line: feed.line, row: 0, isVerbatim: true, dialect: dialect))
  }

  private static func titles(
    _ pieces: [[String]], _ fieldCount: Int, _ options: InputOptions, hasHeader: Bool
  ) -> [String] {
    var titles: [String] = []
    for column in 0..<fieldCount {
      var title = ""
      for piece in pieces where hasHeader && column < piece.count && !piece[column].isEmpty {
        title += title.isEmpty ? piece[column] : " " + piece[column]
      }
      titles.append(title)
    }
    if let names = options.names {
      for (index, name) in names.enumerated() {
        if index < titles.count { titles[index] = name } else { titles.append(name) }
      }
    }
    return titles.named(by: options.autoNames, orNumbered: !hasHeader)
  }

  /// Cuts records; damage after complete ones waits until they are delivered, and so do records for which
  /// there is no room.
  private func cutWhole(
    _ parser: inout DelimitedParser<MachineVector>, _ cutter: DelimitedCutter
  ) throws(InputError) -> Int {
    do {
      return try parser.parse(feed.block, from: feed.start, isLast: feed.isLast)
    } catch {
      if case .full(let offset) = error {
        needsMore = false
        return parser.abandon(offset)
      }
      guard parser.forgetOpenRecord() else { throw inputError(error) }
      pending = inputError(error)
      // The damage is somewhere in a record; the complete ones, cut again, tell where it begins.
      var whole = cutter.parser
      return try cut(&whole, limit: parser.recordStarts.count)
    }
  }

  private func cut(_ parser: inout DelimitedParser<MachineVector>, limit: Int = .max) throws(InputError)
    -> Int
  {
    do {
      return try parser.parse(feed.block, from: feed.start, isLast: feed.isLast, limit: limit)
    } catch {
      throw inputError(error)
    }
  }

  /// Adds to the error the number of lines to skip, if a record longer than the header, and another of the
  /// same length after it, show that the table begins there.
  private func hinted(_ error: InputError) throws(InputError) -> InputError {
    guard case .ragged(let place, let fields, let columns, let known, let fillHelps) = error,
      known?.readsWords ?? true
    else { return error }
    if let log = context.log {
      return .ragged(place, fields: fields, columns: columns, hint: .pattern(log), fillHelps: fillHelps)
    }
    let isGuess = context.options.form == .auto && context.options.delimiter == nil
    var hint = known
    if place.line <= Self.mostPreambleLines, !context.options.isFollowed {
      let words = isGuess ? try wordsHint(atFirstRow: place.line == headerLine + 1) : nil
      hint = words ?? known
      if hint == .from(.blanks), try !areBlanksEven() { hint = nil }
      // A single text above rows without titles is not one of the rows.
      if hint == nil, fields > columns, hasHeader || columns == 1, try repeats(fields) {
        hint = .skipLines(place.line - 1)
      }
    }
    // Lines of one text each: they can be kept whole only as tsv, which has no other mark.
    let isUnsure = hint == nil || hint == .from(.blanks) && context.options.isFollowed
    if isUnsure, isGuess, columns == 1 { hint = .from(.tsv) }
    return .ragged(place, fields: fields, columns: columns, hint: hint, fillHelps: fillHelps)
  }

  /// Whether the next lines have as many words as the first, so that blanks may separate them.
  private func areBlanksEven() throws(InputError) -> Bool {
    let count = headerWords.count
    let lines = try feed.linesAhead(Self.mostPreambleLines, context)
    let block = feed.block
    return lines.allSatisfy { WordsLine(block.span.extracting($0)).wordCount == count }
  }

  /// Whether the next two records have `fields` fields.
  private func repeats(_ fields: Int) throws(InputError) -> Bool {
    let isMet = { (_: Span<UInt8>) in self.nextLengths(2).count == 2 }
    do { try feed.hold(until: isMet) } catch { throw .system(error) }
    return nextLengths(2) == [fields, fields]
  }

  /// How to read words that were taken for csv: the lines above their header are skipped, or the first line
  /// is a row; or how to read the names of files, which are no words.
  ///
  /// - Parameter atFirstRow: whether no line below the header has been read yet.
  private func wordsHint(atFirstRow: Bool) throws(InputError) -> InputError.Hint? {
    do { try feed.hold(lines: Self.mostPreambleLines + 2) } catch { throw .system(error) }
    let block = feed.block
    let detector = FormDetector(options: context.options, path: nil)
    var lines: [(start: Int, words: WordsLine)] = []
    var end = feed.start
    while lines.count < Self.mostPreambleLines + 2, let line = feed.wholeLine(at: end) {
      end = line.next
      if !block.isBlank(line.text) {
        lines.append((line.text.lowerBound, WordsLine(block.span.extracting(line.text))))
      }
    }
    if RowLikeness.areFiles(lines.map { $0.words.text.words(atMost: .max) } + [headerWords]) {
      return .from(.tsv)
    }
    for (index, line) in lines.enumerated() {
      let titles = line.words.titleCount
      // Titles without rows end the input: `w` if no one is logged in.
      let isLast = index == lines.count - 1 && feed.isLast && end == block.count
      let sample = block.span.extracting(line.start...)
      if titles > 2, isLast || index + 1 < lines.count && lines[index + 1].words.wordCount >= titles,
        detector.verdict(sample, isWhole: feed.isLast).form == .words
      {
        return .skipLines(context.place(feed, at: line.start).line - 1)
      }
    }
    let hint = headlessHint(lines.map { $0.words.text.words(atMost: .max) })
    // The number of words is not known for lines that are already consumed.
    if case .headless(let skipped, names: nil) = hint, skipped > 0, !atFirstRow { return nil }
    return hint
  }

  /// How to read lines without titles that were taken for csv: all have as many words, or their first words
  /// are alike.
  private func headlessHint(_ lines: [[[UInt8]]]) -> InputError.Hint? {
    // If a delimiter split the first line, its words are those of all its titles.
    let delimiter = UInt8(ascii: ",")
    guard !lines.isEmpty, rules.marks.delimiter == delimiter else { return nil }
    let fieldCounts = lines.map { line in 1 + line.reduce(0) { $0 + $1.count { $0 == delimiter } } }
    // Rows of csv may lack some of the last fields.
    let records = fieldCounts.count { $0 > 1 && $0 * 2 > fieldCount && $0 <= fieldCount }
    let first = headerWords
    // Titles with punctuation and without blanks are not those of words.
    let counts = Set(lines.map(\.count))
    let areEven = lines.count > 2 && counts == [first.count]
    guard fieldCount == 1 || areEven || first.count > 1 && records * 2 < lines.count else { return nil }
    let above = hasHeader ? headerLine : 0
    if lines.count > 1, counts.count == 1, let count = counts.first, count > 2,
      hasHeader || first.count == count
    {
      return .headless(skipping: first.count == count ? 0 : above, names: nil)
    }
    let below = RowLikeness.commonWords(lines)
    let all = RowLikeness.commonWords(lines + [first])
    let isAlike = all > 0 && all >= below
    let common = isAlike ? all : below
    let least = (isAlike ? lines + [first] : lines).map(\.count).min() ?? 0
    guard common > 0, least > 1 else { return nil }
    return .headless(skipping: isAlike ? 0 : above, names: min(common + 1, least))
  }

  /// The words of the line of titles, or of the first row.
  private var headerWords: [[UInt8]] {
    Array((firstRow ?? titles ?? []).joined(separator: ",").utf8).words(atMost: .max)
  }

  /// The numbers of fields of the next complete records, at most `count` of them.
  private func nextLengths(_ count: Int) -> [Int] {
    var lengths: [Int] = []
    var start = feed.start
    while lengths.count < count, let record = record(of: feed.block, at: &start, isLast: feed.isLast) {
      lengths.append(record.columnCount)
    }
    return lengths
  }

  private func inputError(_ damage: DelimitedDamage) -> InputError {
    switch damage {
    case .textAfterQuote(let offset):
      return .textAfterQuote(context.place(feed, at: offset, withColumn: true))
    case .unclosedQuote(let offset):
      return .unclosedQuote(context.place(feed, at: offset))
    case .cellTooLong(let offset):
      return .cellTooLong(context.place(feed, at: offset))
    case .recordTooLong(let offset), .full(let offset):
      return .recordTooLong(context.place(feed, at: offset))
    case .ragged(let offset, let fields):
      let block = feed.block
      let line = block.span.extracting(offset..<block.span.lineEnd(from: offset))
      var hint = InputError.Hint.misreading(of: titles ?? [], dialect)
      // A line of fewer words than the first is no row of words below titles.
      let wordCount = titles?.first?.split(separator: " ").count ?? 0
      if hint?.readsWords ?? false, String(decoding: line).split(separator: " ").count < wordCount {
        hint = nil
      }
      if hint == nil, dialect.form == .csv { hint = otherDelimiter(line, fieldCount).map { .delimiter($0) } }
      if hint == nil, context.options.comment == nil, line.count > 0, line[0] == UInt8(ascii: "#"),
        !(titles?.first?.hasPrefix("#") ?? false)
      {
        hint = .comment
      }
      let opening = [dialect.delimiter, UInt8(ascii: " "), UInt8(ascii: "\"")]
      if hint == nil, dialect.form == .csv, fields > fieldCount, !rules.isTrimmed,
        line.firstRange(of: opening.span, from: 0) != nil
      {
        hint = .trim
      }
      if hint == nil, fields == fieldCount + 1, fieldCount > 1, line.count > 0,
        line[line.count - 1] == dialect.delimiter, dialect.form == .csv,
        !line.contains(UInt8(ascii: "\""))
      {
        hint = .delimiterAtEnd(dialect.delimiter)
      }
      return .ragged(
        context.place(feed, at: offset), fields: fields, columns: fieldCount, hint: hint,
        fillHelps: fields < fieldCount || context.mayGrow)
    }
  }

  /// The delimiter that a line has as often as the header, if another one was used.
  ///
  /// Colons, as in `/etc/passwd`, count only if nothing else separates the header and no blank follows them:
  /// they are common in times and texts, too.
  private func otherDelimiter(_ line: Span<UInt8>, _ fieldCount: Int) -> UInt8? {
    let header = Array((titles ?? []).joined(separator: ",").utf8)
    func count(of mark: UInt8) -> Int {
      let count = header.count { $0 == mark }
      return dialect.delimiter != mark && line.indices.count { line[$0] == mark } == count ? count : 0
    }
    if count(of: UInt8(ascii: ";")) > 0 { return UInt8(ascii: ";") }
    let isText = header.span.firstRange(of: Array(": ".utf8).span, from: 0) != nil
    return fieldCount <= 1 && !isText && count(of: UInt8(ascii: ":")) > 1 ? UInt8(ascii: ":") : nil
  }

  /// Adds the findings of a parser, with the place of the first of each kind.
  private func addFindings(
    of parser: borrowing DelimitedParser<MachineVector>, at spot: BlockFeed.Spot
  ) {
    for finding in parser.findings {
      let withColumn = finding.kind == .quoteInText
      findings.add(finding.kind, row: finding.row, count: finding.count) {
        context.place(spot, at: finding.offset, withColumn: withColumn)
      }
    }
  }

  private func grow(to count: Int, _ schema: inout Schema) {
    while columnCount < count {
      columnCount += 1
      if schema.count < columnCount { schema.append(title: String(columnCount)) }
    }
  }
}

/// Some records of a block of csv or tsv.
///
/// It ends with a line. If that line end is in quotes, the last record does not end there.
private final class DelimitedPiece: RecordPiece, @unchecked Sendable {
  // Why it may be shared: one thread cuts it, and its records are taken only after that thread has finished.

  /// The bytes of the block that it takes.
  private let range: Range<Int>

  /// What cuts its records.
  let cutter: DelimitedCutter

  /// What has cut the records, if they may be taken.
  private var parser: DelimitedParser<MachineVector>?

  private(set) var hasRecords = false

  private(set) var lineEnds = 0

  init(_ range: Range<Int>, _ cutter: DelimitedCutter) {
    self.range = range
    self.cutter = cutter
  }

  var end: Int { range.upperBound }

  static func end(of block: ByteBlock, from start: Int, _ cutter: DelimitedCutter) -> Int {
    var end = block.count
    while end > start, block[end - 1] != 10 { end -= 1 }
    return end
  }

  /// Cuts its records; they may be taken if the last one ends where the piece does, and none has more fields than there are
  /// columns.
  func cut(_ block: ByteBlock) {
    var parser = cutter.parser
    parser.limits = cutter.limits
    let end = try? parser.parse(block, from: range.lowerBound, to: range.upperBound, isLast: false)
    guard end == range.upperBound, !parser.recordStarts.isEmpty, parser.widths.widest <= cutter.columnCount
    else { return }
    (hasRecords, lineEnds) = (true, parser.lineEnds ?? block.span.extracting(range).lineEnds)
    self.parser = consume parser
  }

  /// What has cut the records; `nil` if they may not be taken.
  func takeParser() -> DelimitedParser<MachineVector>? { parser.take() }
}

/// Cuts records of csv and tsv again as a reader did before.
private struct DelimitedCutter: BatchCutter {
  /// How the form is written.
  var rules: DelimitedRules

  /// The number of fields of a record.
  var fieldCount: Int

  /// The number of cells of a record, unless longer ones come.
  var columnCount: Int

  /// What to do with records of another length.
  var ragged: InputOptions.Ragged

  /// Whether long records may add columns.
  var mayGrow: Bool

  /// The limits of a batch while it is read; it can be cut again without any.
  var limits: (cells: Int, recordBytes: Int, columns: Int)

  /// A parser for one block, without limits.
  var parser: DelimitedParser<MachineVector> {
    DelimitedParser<MachineVector>(
      rules: rules, fieldCount: fieldCount, columnCount: columnCount, ragged: ragged, mayGrow: mayGrow)
  }

  /// An added newline must not be escaped, nor make one line end of a record's CR.
  var isOrderFree: Bool { !rules.emptyLineIsRow && (rules.marks.escape == nil || rules.decodesLetters) }

  func cut(_ block: ByteBlock, _ range: Range<Int>, origin: Batch.Origin) -> Batch? {
    var parser = parser
    let end = try? parser.parse(block, from: range.lowerBound, to: range.upperBound, isLast: true)
    guard let end, !parser.recordStarts.isEmpty else { return nil }
    return parser.batch(block, end: end, origin: origin)
  }
}

extension Span<UInt8> {
  /// Whether a line has so many words, which blanks align: it begins with one, or has two next to each other.
  fileprivate func isRow(ofWords count: Int) -> Bool {
    let isAligned =
      self.count > 0 && self[0] == 32 || indices.dropFirst().contains { self[$0] == 32 && self[$0 - 1] == 32 }
    return isAligned && WordsLine(self).wordCount == count
  }
}
