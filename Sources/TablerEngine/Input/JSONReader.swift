/// Reads JSON lines, arrays of objects, and objects in sequence.
final class JSONReader: RecordReader {
  let titles: [String]? = nil
  let header: Batch? = nil
  let hasHeader = true
  let dialect = Dialect(form: .json)
  private(set) var notices: [InputNotice] = []
  private(set) var isArray = false
  private var findings = InputFindings()

  let feed: BlockFeed
  private let context: InputContext
  private let isLineBound: Bool

  /// Whether lines that are not objects are left out and counted.
  private let skipsDamagedLines: Bool
  private let nullWords: [[UInt8]]
  private var depth = Depth.start
  private var needsMore = false

  /// A record that continues in the next block.
  private var openRow: JSONOpenRow?
  private var isDone = false

  /// The number of bytes of an unfinished line that were already searched for its end.
  private var searchedLength = 0
  private var repeated: Set<String> = []
  private var rowCount = 0

  /// The contents of the only object so far: its one member that is an array of objects.
  private var loneObject: LoneObject?

  /// Records that are cut ahead.
  private var pieces: JSONPieces

  /// Damage after records that are delivered first: it counts only if more is requested.
  private var pending: InputError?

  /// The member of an object that contains rows, the path to it, and its number of rows.
  private struct LoneObject {
    var key: String
    var path: String
    var count: Int
  }

  /// Whether records are in an array, and what may come next there.
  private enum Depth {
    case start
    case outside
    case afterLine
    case beforeFirst
    case beforeItem
    case afterItem
    case afterArray

    /// Whether the input may end here.
    var mayEnd: Bool {
      switch self {
      case .start, .outside, .afterLine, .afterArray: true
      case .beforeFirst, .beforeItem, .afterItem: false
      }
    }
  }

  /// Creates a reader of one object a line, or of JSON in any lines.
  init(_ feed: BlockFeed, isLineBound: Bool, _ context: InputContext) {
    self.feed = feed
    self.isLineBound = isLineBound
    skipsDamagedLines = isLineBound && context.options.ragged == .skip
    self.context = context
    nullWords = context.options.nullWords.map { Array($0.utf8) }
    pieces = JSONPieces(context, nullWords)
  }

  func next(_ schema: inout Schema, row: Int) throws(InputError) -> Batch? {
    if let pending { throw pending }
    while !isDone {
      if let batch = try pieces.next(from: feed, row: row) {
        rowCount += batch.rowCount
        loneObject = nil
        return batch
      }
      if needsMore, try !context.advance(feed, over: &openRow, hint: .at) { return nil }
      if let boundary, pieces.begin(feed, at: boundary, schema) {
        needsMore = false
        continue
      }
      var records = JSONRecords(
        columnCount: schema.count, nullWords: nullWords, limits: context.columnLimits,
        isFlattened: context.options.isFlattened)
      let block = feed.block
      let line = feed.line
      needsMore = true
      let end = try cutWhole(&records, &schema)
      isDone = feed.isLast && needsMore
      pieces.consume(feed, to: end)
      if !records.starts.isEmpty {
        let origin = Batch.Origin(
          source: context.source, line: line, row: row, isVerbatim: false, dialect: dialect)
        let batch = records.batch(block, end: end, origin: origin)
        rowCount += batch.rowCount
        loneObject = rowCount == 1 ? self.loneObject(batch, schema) : nil
        return batch
      }
    }
    if let found = loneObject.take() {
      notices.append(.loneObject(key: found.key, path: found.path, count: found.count))
    }
    return nil
  }
}

extension JSONReader {
  func takeFindings() -> InputFindings {
    defer { findings = InputFindings() }
    return findings
  }
}

extension JSONReader {
  /// What ends a record, if the next one begins here, and records may be cut ahead.
  private var boundary: JSONPiece.Boundary? {
    switch depth {
    case .outside where isLineBound && !skipsDamagedLines: return .line
    case .beforeItem:
      let block = feed.block
      return JSONPiece.Boundary(inArray: block.span, at: feed.start)
    default: return nil
    }
  }
}

extension JSONReader {
  /// Makes records from the complete objects in the block; damage after them waits until they are delivered.
  ///
  /// - Returns: the first byte that is not part of a record yet.
  private func cutWhole(_ records: inout JSONRecords, _ schema: inout Schema) throws(InputError) -> Int {
    var done = feed.start
    do {
      try cut(&records, &schema, &done)
    } catch {
      guard !records.starts.isEmpty else { throw error }
      pending = error
    }
    return done
  }

  /// Makes records from the complete objects in the block; `done` is the first byte that is not part of a
  /// record yet.
  private func cut(
    _ records: inout JSONRecords, _ schema: inout Schema, _ done: inout Int
  ) throws(InputError) {
    let block = feed.block
    let text = block.span
    var scanner = JSONScanner(at: feed.start)
    while true {
      scanner.isLineBound = depth == .afterLine
      scanner.skipSpace(text)
      guard scanner.offset < text.count else {
        if feed.isLast, !depth.mayEnd {
          throw failure(JSONError(offset: scanner.offset, damage: .unexpectedEnd))
        }
        done = scanner.offset
        return
      }
      if try step(&scanner, text) {
        done = scanner.offset
        continue
      }
      let start = scanner.offset
      if depth == .start { depth = .outside }
      if skipsDamagedLines {
        done = start
        let end = text.lineEnd(from: start + searchedLength)
        if end == text.count, !feed.isLast {
          searchedLength = end - start
          openRow = JSONOpenRow(at: 0, isLineBound: true)
          return
        }
        searchedLength = 0
        if !JSONScanner.isWholeObject(text.extracting(start..<end)) {
          findings.add(.damagedLine, row: records.starts.count) { context.place(feed, at: start) }
          scanner.offset = end
          depth = .outside
          continue
        }
      }
      guard text[start] == UInt8(ascii: "{") else {
        if let error = notObject(text, start) { throw failure(error) }
        openRow = JSONOpenRow(at: start - done)
        return
      }
      scanner.isLineBound = isLineBound
      do {
        try records.add(text, &scanner, &schema)
      } catch {
        records.abandon()
        if error.damage == .unexpectedEnd, error.offset == text.count, !feed.isLast {
          openRow = JSONOpenRow(at: start - done, isLineBound: isLineBound)
          return
        }
        throw failure(error)
      }
      if records.cellCount > context.cellLimit, records.starts.count > 1 {
        // The record becomes the first of the next batch.
        records.abandon()
        records.repeatedKey = nil
        needsMore = false
        return
      }
      if let key = records.repeatedKey, repeated.insert(key).inserted {
        findings.add(.repeatedKey, row: records.starts.count - 1, key: key) {
          context.place(feed, at: start)
        }
      }
      records.repeatedKey = nil
      depth = depth != .outside ? .afterItem : isLineBound ? .afterLine : .outside
      done = scanner.offset
    }
  }

  /// Skips a bracket or comma between records, or the end of a record's line.
  ///
  /// - Returns: whether there was one.
  private func step(_ scanner: inout JSONScanner, _ text: Span<UInt8>) throws(InputError) -> Bool {
    let byte = text[scanner.offset]
    switch (depth, byte) {
    case (.start, UInt8(ascii: "[")) where !isLineBound: (depth, isArray) = (.beforeFirst, true)
    case (.beforeFirst, UInt8(ascii: "]")), (.afterItem, UInt8(ascii: "]")): depth = .afterArray
    case (.afterItem, UInt8(ascii: ",")): depth = .beforeItem
    // Pages of an API come as arrays one after another.
    case (.afterArray, UInt8(ascii: "[")): depth = .beforeFirst
    case (.afterLine, 10): depth = .outside
    case (.afterItem, _), (.afterLine, _):
      throw failure(JSONError(offset: scanner.offset, damage: .expectedCommaOrEnd))
    case (.afterArray, _):
      throw failure(JSONError(offset: scanner.offset, damage: .textAfterArray))
    default: return false
    }
    scanner.offset += 1
    return true
  }

  /// The only member of a lone object that is an array of objects; `nil` also if no path leads to it.
  private func loneObject(_ batch: Batch, _ schema: Schema) -> LoneObject? {
    let isInArray = depth != .outside && depth != .afterLine
    var found: LoneObject?
    for column in schema.shown {
      let cell = batch.cell(row: 0, column: column)
      guard cell.kind == .list else { continue }
      let content = batch.content(cell)
      guard let list = JSONText.find([], in: content) else { continue }
      var (count, hasOthers) = (0, false)
      JSONText.forEachItem(of: list, content) { item in
        count += 1
        hasOthers = item.kind != .object
        return !hasOthers
      }
      guard count > 0, !hasOthers else { continue }
      guard found == nil else { return nil }
      let key = schema.columns[column].name
      found = LoneObject(key: key, path: isInArray ? "[0].\(key)" : key, count: count)
    }
    guard let found, let path = JSONPath(found.path) else { return nil }
    let before = isInArray ? 1 : 0
    return path.stepsTaken(by: found.key, after: before) == path.steps.count - before ? found : nil
  }

  /// The error for a record that is not an object; `nil` if a number or word may continue in the next block.
  private func notObject(_ text: Span<UInt8>, _ start: Int) -> JSONError? {
    var found = JSONError(offset: start, damage: .expectedObject)
    if text[start] == UInt8(ascii: "["), depth == .beforeFirst {
      return JSONError(offset: start, damage: .listOfLists)
    }
    if text[start] == UInt8(ascii: "[") || text[start] == UInt8(ascii: "\"") { return found }
    var scanner = JSONScanner(at: start)
    do { _ = try scanner.value(text) } catch { found = error }
    return scanner.offset == text.count && !feed.isLast ? nil : found
  }

  /// Whether a number, a string or a word that is an item of a list begins at `start`.
  private static func isItem(_ text: Span<UInt8>, _ start: Int) -> Bool {
    var scanner = JSONScanner(at: start)
    guard (try? scanner.value(text)) != nil else { return false }
    var end = scanner.offset
    while end < text.count, NumberScan.isBlank(text[end]) { end += 1 }
    guard end < text.count, text[end] == UInt8(ascii: "]") else {
      return end < text.count && text[end] == UInt8(ascii: ",")
    }
    // If there is more text on the line, it is not JSON.
    end += 1
    while end < text.count, NumberScan.isBlank(text[end]) { end += 1 }
    return end == text.count || text[end] == 10 || text[end] == 13
  }

  private func failure(_ error: JSONError) -> InputError {
    let isSplit = isLineBound && error.damage == .unexpectedEnd && goesOn(before: error.offset)
    let isGuess = depth == .beforeFirst && context.options.form == .auto && error.damage != .listOfLists
    let block = feed.block
    let isItem = isGuess && error.damage == .expectedObject && Self.isItem(block.span, error.offset)
    let holdsRows =
      error.damage == .tooLong && error.offset < block.count
      && (block[error.offset] == UInt8(ascii: "[") || block[error.offset] == UInt8(ascii: "{"))
    return .json(
      context.place(feed, at: min(error.offset, feed.block.count), withColumn: true), error.damage,
      hint: isSplit
        ? .from(.json)
        : holdsRows
          ? .at : isItem ? .items : isGuess ? .from(.csv) : isLineBound ? .leaveOut : nil)
  }

  /// Whether the line that ends at `end` is part of an object over several lines: it is blank or ends with
  /// `{`, `[`, `,` or `:`.
  private func goesOn(before end: Int) -> Bool {
    let block = feed.block
    let text = block.span
    var last = end - 1
    while last >= 0, text[last] == 32 || text[last] == 9 || text[last] == 13 { last -= 1 }
    return last < 0 || "{[,:".utf8.contains(text[last])
  }
}
