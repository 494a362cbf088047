/// All sources as one stream of batches with one schema.
final class InputReader {
  /// The columns: taken from the first header, and growing with JSON keys and `fill`.
  var schema = Schema(titles: [])

  /// The header record as spelled in the input, if csv output may copy it.
  private var header: Batch?

  /// Whether the first input has a header of its own.
  private var hasHeader = true

  /// The marks the first input was written with.
  private var dialect = Dialect.csv

  /// What is known about an input when its columns are bound.
  struct Beginning {
    /// The header record as spelled in the input, if csv output may copy it.
    var header: Batch?

    /// Whether the titles were given, by a header or an option, and are not only positions.
    var hasTitles: Bool

    /// The marks the first input was written with.
    var dialect: Dialect

    /// Whether the schema is that of an empty input.
    var isEmpty: Bool

    /// Whether the first input begins with a byte order mark of UTF-8.
    var hasMark: Bool

    /// The first line of the first input with its line end, if it names the delimiter: `sep=;`.
    var delimiterLine: [UInt8]

    /// Whether the first input is in another encoding.
    var isTranscoded: Bool

    /// Whether the first records are in a JSON array.
    var isArray: Bool
  }

  /// What is known so far.
  var beginning: Beginning {
    Beginning(
      header: header, hasTitles: hasHeader || options.names != nil || options.autoNames != nil,
      dialect: dialect, isEmpty: isEmpty, hasMark: hasMark, delimiterLine: delimiterLine,
      isTranscoded: isTranscoded, isArray: isArray)
  }

  /// Takes over what is known about an input that was read, for a table with other columns.
  func begin(like other: Beginning, _ schema: Schema) {
    self.schema = schema
    (hasHeader, dialect, isEmpty, isArray) = (true, other.dialect, false, other.isArray)
  }

  /// The number of rows read so far.
  var rowCount: Int { nextRow - 1 }

  /// Whether the schema is that of an empty input.
  private var isEmpty = false

  private var hasMark = false
  private var delimiterLine: [UInt8] = []
  private var isTranscoded = false
  private var isArray = false

  /// A better way to read the input, for a message about a missing column.
  var misreading: InputError.Hint? {
    .misreading(of: firstRow ?? schema.columns.map(\.title), dialect)
  }

  /// The notice that there is nothing to read, if that is why there is no column.
  var emptiness: InputNotice? {
    if schema.isOpen || schema.count > 0 { return nil }
    return notices.first { notice in
      switch notice {
      case .noInput, .noLinesLeft: true
      default: false
      }
    }
  }

  /// The texts of the first row of the first input, if it has no header.
  private var firstRow: [String]?

  /// The notices so far about headers and whole files.
  private(set) var notices: [InputNotice] = []

  /// The findings of the last batch.
  private(set) var findings = InputFindings()

  /// The findings before the first row, which are known however many rows are read.
  private(set) var tally = InputTally()

  /// The number of columns that were seen before the last batch.
  private(set) var shownBefore = 0

  /// Whether batches are delivered as soon as reading more would wait.
  var isLive = false {
    didSet { current?.feed.isLive = isLive }
  }

  /// The milliseconds that `next` waits for bytes, including the first of a source; `nil` waits indefinitely.
  var timeout: Int?

  /// Whether the last `next` timed out.
  private(set) var isPaused = false

  /// The approximate bytes that a column takes, and the number of columns allowed with almost no budget.
  private static let columnSize = 1 << 10
  private static let leastColumnLimit = 100 << 10

  /// The share of the budget that the names of columns may take, and the bytes they may take in any case.
  private static let nameShare = 8
  private static let leastNameBytes = 16 << 20

  /// The columns that the budget has room for.
  private var columnLimits: ColumnLimits {
    ColumnLimits(
      count: memory / Self.columnSize + Self.leastColumnLimit,
      nameBytes: memory / Self.nameShare + Self.leastNameBytes)
  }

  private let sources: [Source]
  private let options: InputOptions
  private let tuning: Tuning

  /// The threads of the run.
  let crew: Crew

  private let memory: Int
  private let recordLimit: Int
  private let mayGrow: Bool
  private let openSource: (Source) throws(SystemError) -> ByteSource
  private var current: RecordReader?
  private var nextSource = 0

  /// The next source, if it was opened and its first bytes did not come in time.
  private var awaited: Awaited?

  /// The progress of opening a source.
  private enum Awaited {
    case source(ByteSource)
    case feed(BlockFeed)
  }

  private var mapping: [Int]?
  private var nextRow = 1

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - sources: the inputs, in order.
  ///   - options: how they are read.
  ///   - mayGrow: whether columns may be added after the first batch: no header is written yet.
  ///   - memory: the bytes that may be held, which bound the columns and their names.
  ///   - recordLimit: the bytes that a record may have.
  ///   - tuning: the sizes of its portions.
  ///   - open: opens a source.
  init(
    _ sources: [Source], options: InputOptions, mayGrow: Bool, memory: Int = .max,
    recordLimit: Int = 1 << 30,
    _ tuning: Tuning = Tuning(),
    open: @escaping (Source) throws(SystemError) -> ByteSource
  ) {
    self.sources = sources
    self.options = options
    self.mayGrow = mayGrow
    self.memory = memory
    self.recordLimit = recordLimit
    self.tuning = tuning
    crew = Crew(tuning)
    openSource = open
  }

  /// Opens the first source and reads its header.
  func open() throws(InputError) {
    var opened = try openNext()
    while isEmpty, nextSource < sources.count {
      isEmpty = false
      opened = try openNext()
    }
    guard let reader = opened else { return }
    hasHeader = reader.hasHeader
    dialect = reader.dialect
    header = reader.header
    firstRow = reader.firstRow
    hasMark = reader.feed.hasMark
    isTranscoded = reader.feed.isTranscoded
    schema = Schema(
      titles: reader.titles ?? [], header: reader.header, isOpen: reader.titles == nil)
    schema.recordSpannedTitles(reader.spannedTitles)
    recordRepeatedNames(reader.titles ?? [])
    if options.ragged == .fill, !isEmpty { try uniteHeaders() }
    if schema.count > reader.titles?.count ?? schema.count { header = nil }
    mapping = nil
    current = reader
    tally.count(reader.takeFindings())
    tally.count(findings)
    findings = InputFindings()
  }

  /// The next batch of rows; `nil` at the end of the last source, and after the timeout.
  func next() throws(InputError) -> Batch? {
    findings = InputFindings()
    while true {
      current?.feed.timeout = timeout
      isPaused = false
      let count = schema.count
      shownBefore = schema.readCount
      let batch = try current?.next(&schema, row: nextRow)
      if nextRow == 1, let current { isArray = current.isArray }
      if let reader = current { findings.append(reader.takeFindings()) }
      if let reader = current, var batch {
        if reader.titles == nil { try checkKeys(from: count, batch) }
        nextRow += batch.rowCount
        Progress.read(rows: nextRow - 1)
        if let mapping { batch = batch.remapped(to: mapping, count: schema.count) }
        return batch
      }
      if let reader = current {
        isPaused = reader.feed.isPaused
        if isPaused { return nil }
        notices += reader.notices
        findings.standBeforeRows()
      }
      current = nil
      guard let reader = try openNext() else { return nil }
      if let titles = reader.titles { mapping = try map(titles) } else { mapping = nil }
      try checkNames(ofSource: nextSource - 1)
      current = reader
    }
  }
}

extension InputReader {
  /// The reader of the next source; `nil` after the last one, and after the timeout.
  private func openNext() throws(InputError) -> RecordReader? {
    guard nextSource < sources.count, let feed = try feed(nextSource) else { return nil }
    nextSource += 1
    return try reader(nextSource - 1, feed)
  }

  /// The path of a source; `nil` for the standard input.
  private func path(ofSource index: Int) -> FilePath? { sources[index].path }

  /// The bytes of a source, enough to determine its form; `nil` after the timeout.
  private func feed(_ index: Int) throws(InputError) -> BlockFeed? {
    let timeout = timeout
    do {
      let feed: BlockFeed
      if case .feed(let begun)? = awaited {
        feed = begun
      } else {
        let source = if case .source(let opened)? = awaited { opened } else { try openSource(sources[index]) }
        isPaused = timeout.map { !source.isReady(within: $0) } ?? false
        awaited = isPaused ? .source(source) : nil
        if isPaused { return nil }
        feed = try BlockFeed(
          source, blockSize: tuning.blockSize, encoding: options.encoding,
          skippingLines: options.skippedLines,
          isLive: isLive, recordLimit: recordLimit)
        let place = InputError.Location(path: path(ofSource: index), line: 1)
        // The title of an answer in JSON says nothing.
        if options.answer == nil { findings.add(.leftOutLine, count: feed.skippedLines, first: place) }
      }
      let detector = FormDetector(options: options, path: path(ofSource: index))
      feed.timeout = timeout
      if isLive {
        try feed.hold { detector.isSettled($0) && (timeout == nil || $0.lineEnds > 0) }
      } else {
        try feed.hold(lines: 2)
        try feed.hold { detector.isSettled($0) }
      }
      feed.timeout = nil
      isPaused = feed.isPaused
      awaited = isPaused ? .feed(feed) : nil
      return isPaused ? nil : feed
    } catch { throw .system(error) }
  }

  /// The reader of a source, whose form is determined by its first bytes.
  private func reader(_ index: Int, _ feed: BlockFeed) throws(InputError) -> RecordReader {
    let path = path(ofSource: index)
    var context = InputContext(
      options: options, source: index, path: path, mayGrow: mayGrow, tuning: tuning, crew: crew,
      columnLimits: columnLimits)
    let detector = FormDetector(options: options, path: path)
    let block = feed.block
    let sample = block.span.extracting(feed.start...)
    if let format = FormDetector.foreignFormat(sample) { throw .notText(path: path, format) }
    let verdict = detector.verdict(sample, isWhole: feed.isLast)
    if options.form == .auto, verdict.form == .csv, sample.isGitLog { throw .notText(path: path, .gitLog) }
    // The form of an empty input cannot be determined.
    let isGuess = options.form == .auto && feed.isLast && sample.isEmpty
    let foreign = isGuess ? [] : options.optionsUnknown(to: verdict.form)
    if !foreign.isEmpty { throw .foreignOptions(path: path, foreign, verdict.form) }
    if verdict.skipped > 0 {
      if index == 0 { delimiterLine = Array(copying: sample.extracting(..<verdict.skipped)) }
      feed.consume(to: feed.start + verdict.skipped)
      notices.append(.delimiterLine(path: path))
    }
    let isJSON = verdict.form == .json || verdict.form == .jsonl
    let hasBytes = !feed.isLast || !(sample.isEmpty || isJSON && sample.isWhiteSpace)
    if !hasBytes, options.answer == nil { recordNoInput(path, hasLines: feed.skippedLines > 0) }
    let hasLines = feed.skippedLines > 0 || !sample.isWhiteSpace
    if options.form == .auto, !isJSON, options.delimiter == nil, options.names == nil {
      context.log = LineDivision.name(ofLog: sample)
    }
    let reader: RecordReader
    switch verdict.form {
    case .json, .jsonl:
      if let path = options.at { return JSONElementReader(feed, at: path, context) }
      return JSONReader(feed, isLineBound: verdict.form == .jsonl, context)
    case .words: reader = try LineReader<WordsParser>(feed, context)
    case .table where sample.beginsWithCard: reader = try LineReader<CardsParser>(feed, context)
    case .table: reader = try LineReader<TableParser>(feed, context)
    case .blanks: reader = try LineReader<BlanksParser>(feed, context)
    case .pattern:
      if case .logfmt? = options.lineDivision { return LogfmtReader(feed, context) }
      reader = try LineReader<PatternLineParser>(feed, context)
    case .csv, .tsv, .auto: reader = try DelimitedReader(feed, verdict, context)
    }
    if hasBytes, reader.titles?.isEmpty ?? true { recordNoInput(path, hasLines: hasLines) }
    recordNUL(reader.titles ?? [], path)
    if let log = context.log {
      notices.append(.log(InputError.Location(path: path, line: 1), log))
    } else {
      notices += reader.headerNotices
    }
    return reader
  }

  /// Reports a header of UTF-16 that was read as UTF-8, and may include all rows.
  private func recordNUL(_ titles: [String], _ path: FilePath?) {
    guard let first = titles.first?.utf8 else { return }
    if first.first == 0 || titles.count == 1 && first.contains(0) {
      notices.append(.nulInHeader(path: path))
    }
  }

  /// Reports that a file is empty, or has only empty lines and lines that are left out.
  private func recordNoInput(_ path: FilePath?, hasLines: Bool) {
    notices.append(hasLines ? .noLinesLeft(path: path) : .noInput(path: path))
    if current == nil, nextRow == 1 { isEmpty = true }
  }

  /// Adds the columns of the headers of all other regular files, which are read again, with their notices,
  /// when their turn comes.
  ///
  /// Sources that can be read only once add their columns then.
  private func uniteHeaders() throws(InputError) {
    let noticed = notices
    for index in sources.indices.dropFirst(nextSource) {
      guard !sources[index].isStream, let feed = try feed(index) else { continue }
      let reader = try reader(index, feed)
      for title in reader.titles ?? [] where schema.index(of: title) == nil {
        schema.append(title: title)
      }
      try checkNames(ofSource: index)
    }
    (notices, isEmpty) = (noticed, false)
  }

  /// The schema's column for each column of a later file.
  private func map(_ titles: [String]) throws(InputError) -> [Int] {
    var mapping: [Int] = []
    let own = Schema(titles: titles)
    for column in own.columns {
      if let index = schema.index(of: column.name), !column.name.isEmpty {
        mapping.append(index)
      } else if schema.isOpen {
        mapping.append(schema.see(key: column.name))
      } else if options.ragged == .fill, mayGrow {
        mapping.append(schema.count)
        schema.append(title: column.title)
      } else {
        let place = InputError.Location(path: path(ofSource: nextSource - 1), line: 1)
        let isUnited = !sources[nextSource - 1].isStream
        throw .newColumn(place, name: column.title, fillHelps: mayGrow || isUnited)
      }
    }
    return mapping
  }

  /// Rejects the columns of another file if all names together take too much memory.
  private func checkNames(ofSource index: Int) throws(InputError) {
    if schema.nameBytes > columnLimits.nameBytes {
      throw .namesTooLong(InputError.Location(path: path(ofSource: index), line: 1))
    }
  }

  /// Rejects keys of a later JSON file for which the table, whose header is already fixed, has no column.
  private func checkKeys(from count: Int, _ batch: Batch) throws(InputError) {
    guard !schema.isOpen, schema.count > count, options.ragged != .fill || !mayGrow else { return }
    let row = (0..<batch.rowCount).first { batch.cell(row: $0, column: count).kind != .missing }
    let place = InputError.Location(path: path(ofSource: nextSource - 1), line: batch.line(ofRow: row ?? 0))
    throw .newColumn(place, name: schema.columns[count].name, fillHelps: mayGrow)
  }

  private func recordRepeatedNames(_ titles: [String]) {
    let repeated = zip(schema.columns, titles).filter {
      !$0.name.utf8.elementsEqual($1.utf8.trimmingBlanks)
    }
    guard let first = repeated.first?.1.trimmingBlanks else { return }
    let names = Set(repeated.map { ExactName($1.trimmingBlanks) })
    let addresses = repeated.filter { ExactName($1.trimmingBlanks) == ExactName(first) }.map(\.0.name)
    notices.append(.repeatedName(first, addresses: addresses, others: names.count - 1))
  }
}

extension Span<UInt8> {
  /// Whether this is only the white space of JSON.
  fileprivate var isWhiteSpace: Bool { indices.allSatisfy { self[$0].isJSONSpace } }
}

extension Batch {
  /// The same records with their cells in other columns.
  ///
  /// - Parameters:
  ///   - count: the number of columns now.
  ///   - count: the number of columns there are now.
  func remapped(to mapping: [Int], count: Int) -> Batch {
    if columnCount == count, mapping.count == count, mapping.enumerated().allSatisfy({ $0 == $1 }) {
      return self
    }
    precondition(sparse == nil)
    let width = max(count, columnCount)
    var moved = [Cell](repeating: .missing, count: rowCount * width)
    for row in 0..<rowCount {
      for column in 0..<columnCount {
        let target = column < mapping.count ? mapping[column] : column
        moved[row * width + target] = cells[row * columnCount + column]
      }
    }
    var origin = origin
    origin.isVerbatim = false
    return Batch(
      block: block, decoded: decoded, escapes: escapes, cells: moved, columnCount: width,
      recordStarts: recordStarts, origin: origin, places: places,
      cutting: cutting.map {
        var cutting = $0
        cutting.cutter = Remapper(cutter: $0.cutter, mapping: mapping, columnCount: count)
        return cutting
      })
  }
}

/// Cuts records and moves their cells to other columns.
private struct Remapper: BatchCutter {
  let cutter: any BatchCutter
  let mapping: [Int]
  let columnCount: Int

  var isOrderFree: Bool { cutter.isOrderFree }

  var isSlow: Bool { cutter.isSlow }

  func cut(_ block: ByteBlock, _ range: Range<Int>, origin: Batch.Origin) -> Batch? {
    cutter.cut(block, range, origin: origin)?.remapped(to: mapping, count: columnCount)
  }
}
