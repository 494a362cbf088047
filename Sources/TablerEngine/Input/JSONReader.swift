/// Reads JSON lines, arrays of objects, and objects one after the other.
final class JSONReader: RecordReader {
  let titles: [String]? = nil
  let header: Batch? = nil
  let hasHeader = true
  let dialect = Dialect(form: .json)
  private(set) var notices: [InputNotice] = []

  private let feed: BlockFeed
  private let context: InputContext
  private let isLineBound: Bool
  private var depth = Depth.start
  private var needsMore = false
  private var isDone = false
  private var repeated: Set<String> = []

  /// Whether records stand in an array, and what may come next there.
  private enum Depth {
    case start
    case outside
    case beforeFirst
    case beforeItem
    case behindItem
    case behindArray
  }

  /// Creates a reader of one object a line, or of JSON over any lines.
  init(_ feed: BlockFeed, isLineBound: Bool, _ context: InputContext) {
    self.feed = feed
    self.isLineBound = isLineBound
    self.context = context
  }

  func next(_ schema: inout Schema, row: Int) throws(InputError) -> Batch? {
    while !isDone {
      if needsMore { try context.advance(feed) }
      var records = JSONRecords(columnCount: schema.count)
      let block = feed.block
      let line = feed.line
      let end = try cut(&records, &schema)
      needsMore = true
      isDone = feed.isLast
      feed.consume(to: end)
      if !records.starts.isEmpty {
        let origin = Batch.Origin(
          source: context.source, line: line, row: row, isVerbatim: false, dialect: dialect)
        let batch = records.batch(block, end: end, origin: origin)
        if isDone, row == 1 { noteLoneObject(batch, schema) }
        return batch
      }
    }
    return nil
  }
}

extension JSONReader {
  /// Makes records of the whole objects in the block.
  ///
  /// - Returns: the first byte that no record was made of.
  private func cut(_ records: inout JSONRecords, _ schema: inout Schema) throws(InputError) -> Int {
    let block = feed.block
    let text = block.span
    var scanner = JSONScanner(at: feed.start)
    var done = feed.start
    while true {
      scanner.isLineBound = false
      scanner.skipSpace(text)
      guard scanner.offset < text.count else {
        if feed.isLast, depth != .outside, depth != .start, depth != .behindArray {
          throw failure(JSONError(offset: scanner.offset, damage: .unexpectedEnd), done)
        }
        return scanner.offset
      }
      if try step(&scanner, text) {
        done = scanner.offset
        continue
      }
      let start = scanner.offset
      if depth == .start { depth = .outside }
      guard text[start] == UInt8(ascii: "{") else { throw failure(notObject(text, start), start) }
      scanner.isLineBound = isLineBound
      do {
        try records.add(text, &scanner, &schema)
      } catch {
        if error.damage == .unexpectedEnd, error.offset == text.count, !feed.isLast {
          records.abandon()
          return done
        }
        throw failure(error, start)
      }
      if let key = records.repeatedKey, repeated.insert(key).inserted {
        notices.append(.repeatedKey(key, context.place(feed, at: start)))
      }
      records.repeatedKey = nil
      if depth != .outside { depth = .behindItem }
      if isLineBound { try endLine(&scanner, text) }
      done = scanner.offset
    }
  }

  /// Goes over a bracket or comma between records.
  ///
  /// - Returns: whether there was one.
  private func step(_ scanner: inout JSONScanner, _ text: Span<UInt8>) throws(InputError) -> Bool {
    let byte = text[scanner.offset]
    switch (depth, byte) {
    case (.start, UInt8(ascii: "[")) where !isLineBound: depth = .beforeFirst
    case (.beforeFirst, UInt8(ascii: "]")), (.behindItem, UInt8(ascii: "]")): depth = .behindArray
    case (.behindItem, UInt8(ascii: ",")): depth = .beforeItem
    case (.behindItem, _):
      throw failure(JSONError(offset: scanner.offset, damage: .expectedCommaOrEnd), scanner.offset)
    case (.behindArray, _):
      throw failure(JSONError(offset: scanner.offset, damage: .textAfterArray), scanner.offset)
    default: return false
    }
    scanner.offset += 1
    return true
  }

  /// Makes sure that nothing but white space stands behind an object on its line.
  private func endLine(_ scanner: inout JSONScanner, _ text: Span<UInt8>) throws(InputError) {
    scanner.skipSpace(text)
    if scanner.offset < text.count, text[scanner.offset] != 10 {
      throw failure(JSONError(offset: scanner.offset, damage: .expectedCommaOrEnd), scanner.offset)
    }
  }

  /// Notes an object that stands alone and holds nothing but an array of objects.
  private func noteLoneObject(_ batch: Batch, _ schema: Schema) {
    guard batch.rowCount == 1, schema.shown.count == 1, let column = schema.shown.first,
      case let cell = batch.cell(row: 0, column: column), cell.kind == .list
    else { return }
    let content = batch.content(cell)
    guard let list = JSONText.find([], in: content) else { return }
    let items = JSONText.items(of: list, content)
    guard !items.isEmpty, items.allSatisfy({ $0.kind == .object }) else { return }
    notices.append(.loneObject(key: schema.columns[column].name, count: items.count))
  }

  private func notObject(_ text: Span<UInt8>, _ start: Int) -> JSONError {
    var scanner = JSONScanner(at: start)
    do {
      _ = try scanner.value(text)
      return JSONError(offset: start, damage: .expectedObject)
    } catch { return error }
  }

  private func failure(_ error: JSONError, _ start: Int) -> InputError {
    let isSplit = isLineBound && error.damage == .unexpectedEnd
    let isGuess = depth == .beforeFirst && context.options.form == .auto
    return .json(
      context.place(feed, at: min(error.offset, feed.block.count), withColumn: true), error.damage,
      hint: isSplit ? .from(.json) : isGuess ? .from(.csv) : nil)
  }
}
