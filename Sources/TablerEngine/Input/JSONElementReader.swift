/// Reads the elements of arrays, or the members of objects, inside larger JSON values: `--at`.
///
/// Elements are streamed; whatever surrounds them is skipped and never held.
final class JSONElementReader: RecordReader {
  let titles: [String]? = nil
  let header: Batch? = nil
  let hasHeader = true
  let dialect = Dialect(form: .json)

  let feed: BlockFeed
  private let context: InputContext
  private let path: JSONPath
  private let nullWords: [[UInt8]]
  private var findings = InputFindings()
  private var repeated: Set<String> = []

  /// The open arrays and objects, outermost first.
  private var frames: [Frame] = []
  private var expectation = Expectation.between

  /// Skips the current value, which leads nowhere.
  private var skipper: JSONSkipper?

  /// The name of the member that holds an array of objects, if it was found instead of a row.
  private var rowsWithin: String?

  /// The kind of elements, once there is one.
  private var shape: Shape?

  private var needsMore = false

  /// Rows that are cut ahead.
  private var pieces: JSONPieces

  /// A row that continues in the next block.
  private var openRow: JSONOpenRow?

  private var isDone = false
  private var hasValue = false
  private var wasThere = false

  /// Whether there is something at the path in the current value of the stream; and how many before had nothing, as long as
  /// none has something, with the place of the first.
  private var isThere = false
  private var missing = Tally<InputError.Location>()

  /// The names of the members of the first object that lacked the next step of the path.
  private var nearby: [String] = []

  /// Damage after rows that are delivered first: it counts only if more is requested.
  private var pending: InputError?

  /// An array or object that is open.
  private struct Frame {
    var isObject: Bool

    /// The number of steps of the path that lead here; `nil` if its elements are rows.
    var taken: Int?

    /// The number of elements before the current one.
    var count = 0

    /// The bracket that closes it.
    var close: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }
  }

  /// What comes next.
  private enum Expectation {
    /// Nothing, or another value of the stream.
    case between
    /// A value that `taken` steps of the path lead to.
    case value(taken: Int)
    /// The first element, or the end of the array or object.
    case first
    /// An element after a comma.
    case next
    /// A comma or the end.
    case comma
  }

  /// The kind of elements.
  private enum Shape {
    case objects
    /// Lists, the first of which was the header: its columns.
    case lists([Int])
    /// Values that are not objects, in a column of their own.
    case values

    /// The kind of elements whose first one begins with this byte; the columns of lists are still unknown.
    init(beginningWith byte: UInt8) {
      switch byte {
      case UInt8(ascii: "{"): self = .objects
      case UInt8(ascii: "["): self = .lists([])
      default: self = .values
      }
    }
  }

  /// The maximum number of names that are remembered as suggestions.
  private static let mostNames = 1000

  /// Creates a reader of the rows at a path.
  init(_ feed: BlockFeed, at path: JSONPath, _ context: InputContext) {
    self.feed = feed
    self.path = path
    self.context = context
    nullWords = context.options.nullWords.map { Array($0.utf8) }
    pieces = JSONPieces(context, nullWords)
  }

  func takeFindings() -> InputFindings {
    defer { findings = InputFindings() }
    return findings
  }

  func next(_ schema: inout Schema, row: Int) throws(InputError) -> Batch? {
    if let pending { throw pending }
    while !isDone {
      if let batch = try pieces.next(from: feed, row: row) { return batch }
      if needsMore, try !context.advance(feed, over: &openRow) { return nil }
      if let boundary, pieces.begin(feed, at: boundary, schema) {
        needsMore = false
        continue
      }
      var records = JSONRecords(
        columnCount: schema.count, nullWords: nullWords, limits: context.columnLimits,
        isFlattened: context.options.isFlattened)
      let block = feed.block
      let line = feed.line
      var done = feed.start
      needsMore = true
      do throws(JSONError) {
        try cut(&records, &schema, &done)
      } catch {
        let failure = failure(error)
        guard !records.starts.isEmpty else { throw failure }
        pending = failure
      }
      isDone = feed.isLast && needsMore
      pieces.consume(feed, to: done)
      if !records.starts.isEmpty {
        let origin = Batch.Origin(
          source: context.source, line: line, row: row, isVerbatim: false, dialect: dialect)
        return records.batch(block, end: done, origin: origin)
      }
    }
    if hasValue, !wasThere {
      throw .pathNotFound(path: context.path, at: path.text, suggestion: suggestion)
    }
    return nil
  }

  /// What ends an element, if the next one begins here, and is an object in an array of rows.
  private var boundary: JSONPiece.Boundary? {
    guard skipper == nil, case .next = expectation, case .objects? = shape, let frame = frames.last,
      frame.taken == nil, !frame.isObject
    else { return nil }
    let block = feed.block
    return JSONPiece.Boundary(inArray: block.span, at: feed.start)
  }
}

// MARK: - Around the elements

extension JSONElementReader {
  /// Makes rows of the whole elements in the block; `done` is the first byte that is still needed.
  private func cut(
    _ records: inout JSONRecords, _ schema: inout Schema, _ done: inout Int
  ) throws(JSONError) {
    let block = feed.block
    let text = block.span
    var scanner = JSONScanner(at: feed.start)
    while true {
      if skipper != nil {
        guard try skipper?.skip(text, isLast: feed.isLast, from: &scanner.offset) ?? true else {
          done = scanner.offset
          if !feed.isLast { return }
          throw Self.cutShort(text)
        }
        skipper = nil
      }
      let end = scanner.offset
      scanner.skipSpace(text)
      let start = scanner.offset
      done = start
      guard start < text.count else {
        if feed.isLast, !frames.isEmpty { throw Self.cutShort(text) }
        return
      }
      let count = records.starts.count
      do {
        try step(text, &scanner, &records, &schema)
      } catch {
        if records.starts.count > count { records.abandon() }
        guard error.damage == .unexpectedEnd, error.offset == text.count, !feed.isLast else { throw error }
        if let frame = frames.last, frame.taken == nil {
          // The blanks after a comma tell where other rows may begin.
          if case .next = expectation { done = end }
          openRow = JSONOpenRow(at: start - done, isMember: frame.isObject)
        }
        return
      }
      if records.cellCount > context.cellLimit {
        done = scanner.offset
        needsMore = false
        return
      }
    }
  }

  /// Consumes one token, or one row.
  private func step(
    _ text: Span<UInt8>, _ scanner: inout JSONScanner, _ records: inout JSONRecords, _ schema: inout Schema
  ) throws(JSONError) {
    let byte = text[scanner.offset]
    switch expectation {
    case .between:
      (hasValue, isThere) = (true, false)
      try enter(byte, taken: 0, &scanner)
      if frames.isEmpty { endWhole(at: scanner.offset, records) }
    case .value(let taken): try enter(byte, taken: taken, &scanner)
    case .first where byte == frames.last?.close, .comma where byte == frames.last?.close:
      scanner.offset += 1
      frames.removeLast()
      endValue()
      if frames.isEmpty { endWhole(at: scanner.offset - 1, records) }
    case .comma:
      guard byte == UInt8(ascii: ",") else {
        throw JSONError(offset: scanner.offset, damage: .expectedCommaOrEnd)
      }
      scanner.offset += 1
      expectation = .next
    case .first, .next: try element(text, &scanner, &records, &schema)
    }
  }

  /// Begins a value that `taken` steps of the path lead to.
  private func enter(_ byte: UInt8, taken: Int, _ scanner: inout JSONScanner) throws(JSONError) {
    let isObject = byte == UInt8(ascii: "{")
    let isList = byte == UInt8(ascii: "[")
    guard taken < path.steps.count else {
      // Null is not a row, and neither is an empty array.
      isThere = true
      if let first = missing.first, !wasThere {
        findings.add(.valueWithoutPath, count: missing.count, first: first)
      }
      wasThere = true
      if byte == UInt8(ascii: "n") { return skipValue() }
      guard isObject || isList else { throw JSONError(offset: scanner.offset, damage: .expectedRows) }
      return open(Frame(isObject: isObject, taken: nil), &scanner)
    }
    switch path.steps[taken] {
    case .member where isObject, .item where isList:
      open(Frame(isObject: isObject, taken: taken), &scanner)
    case .member, .item: skipValue()
    }
  }

  /// Ends a value of the stream.
  private func endWhole(at offset: Int, _ records: borrowing JSONRecords) {
    if isThere { return }
    if wasThere {
      findings.add(.valueWithoutPath, row: records.starts.count) { context.place(feed, at: offset) }
    } else {
      missing.record(inRow: 0, context.place(feed, at: offset))
    }
  }

  private func open(_ frame: Frame, _ scanner: inout JSONScanner) {
    frames.append(frame)
    scanner.offset += 1
    expectation = .first
  }

  private func skipValue() {
    skipper = JSONSkipper()
    endValue()
  }

  private func endValue() { expectation = frames.isEmpty ? .between : .comma }

  /// Handles an element of an open array or object: a row, a step of the path, or something else.
  private func element(
    _ text: Span<UInt8>, _ scanner: inout JSONScanner, _ records: inout JSONRecords, _ schema: inout Schema
  ) throws(JSONError) {
    let frame = frames[frames.count - 1]
    guard let taken = frame.taken else {
      try row(isMember: frame.isObject, text, &scanner, &records, &schema)
      return expectation = .comma
    }
    frames[frames.count - 1].count += 1
    var steps: Int?
    if frame.isObject {
      let key = JSONText.name(try scanner.key(text), text)
      steps = path.stepsTaken(by: key, after: taken)
      if !wasThere, nearby.count < Self.mostNames { nearby.append(key) }
      guard scanner.offset < text.count else { throw Self.cutShort(text) }
    } else if case .item(frame.count) = path.steps[taken] {
      steps = 1
    }
    if let steps { expectation = .value(taken: taken + steps) } else { skipValue() }
  }

  private static func cutShort(_ text: Span<UInt8>) -> JSONError {
    JSONError(offset: text.count, damage: .unexpectedEnd)
  }

  private func failure(_ error: JSONError) -> InputError {
    let offset = min(error.offset, feed.block.count)
    if case .ragged(let fields, let columns) = error.damage {
      return .ragged(context.place(feed, at: offset), fields: fields, columns: columns, hint: nil)
    }
    return .json(
      context.place(feed, at: offset, withColumn: true), error.damage, hint: pathWithin.map { .within($0) })
  }

  /// Whether an array of objects begins at a byte.
  private static func beginsRows(_ text: Span<UInt8>, _ start: Int) -> Bool {
    var scanner = JSONScanner(at: start)
    guard text[start] == UInt8(ascii: "["), let list = try? scanner.value(text) else { return false }
    return JSONText.items(of: list, text, limit: 1).first?.kind == .object
  }

  /// The path to the member that holds rows.
  private var pathWithin: String? {
    guard let key = rowsWithin else { return nil }
    let text = path.steps.isEmpty ? key : path.text + "." + key
    guard let longer = JSONPath(text), longer.steps.count > path.steps.count,
      longer.stepsTaken(by: key, after: path.steps.count) != nil
    else { return nil }
    return text
  }

  /// The path with its last name replaced by the nearest name that was found.
  private var suggestion: String? {
    guard case .member(let name)? = path.steps.last, path.steps.count == 1 else { return nil }
    return name.nearest(among: nearby)
  }
}

// MARK: - Rows

extension JSONElementReader {
  /// Makes a row from an element.
  private func row(
    isMember: Bool, _ text: Span<UInt8>, _ scanner: inout JSONScanner, _ records: inout JSONRecords,
    _ schema: inout Schema
  ) throws(JSONError) {
    let start = scanner.offset
    if isMember {
      let key = try scanner.key(text)
      guard scanner.offset < text.count else { throw Self.cutShort(text) }
      guard text[scanner.offset] == UInt8(ascii: "{") else {
        rowsWithin = Self.beginsRows(text, scanner.offset) ? JSONText.name(key, text) : nil
        throw JSONError(offset: scanner.offset, damage: .expectedObject)
      }
      try records.add(key, at: start, text, &scanner, &schema)
    } else {
      switch shape ?? Shape(beginningWith: text[start]) {
      case .objects:
        guard text[start] == UInt8(ascii: "{") else {
          throw JSONError(offset: start, damage: .expectedObject)
        }
        shape = .objects
        try records.add(text, &scanner, &schema)
      case .lists(let columns): try list(columns, text, &scanner, &records, &schema)
      case .values:
        let value = try scanner.value(text)
        guard scanner.offset < text.count || feed.isLast else { throw Self.cutShort(text) }
        shape = .values
        try records.add([value], in: [schema.see(key: "value")], at: start, text, &schema)
      }
    }
    if let key = records.repeatedKey, repeated.insert(key).inserted {
      findings.add(.repeatedKey, row: records.starts.count - 1, key: key) {
        context.place(feed, at: start)
      }
    }
    records.repeatedKey = nil
  }

  /// Makes a row from a list, or the header from the first of them.
  private func list(
    _ columns: [Int], _ text: Span<UInt8>, _ scanner: inout JSONScanner, _ records: inout JSONRecords,
    _ schema: inout Schema
  ) throws(JSONError) {
    let start = scanner.offset
    guard text[start] == UInt8(ascii: "[") else { throw JSONError(offset: start, damage: .expectedList) }
    let list = try scanner.value(text)
    let limit = context.columnLimits.count
    let items = JSONText.items(of: list, text, limit: limit == .max ? limit : limit + 1)
    if items.count > limit { throw JSONError(offset: start, damage: .tooManyKeys) }
    guard shape != nil else {
      if list.end - list.start > context.columnLimits.nameBytes {
        throw JSONError(offset: start, damage: .namesTooLong)
      }
      let names = Schema(titles: items.enumerated().map { JSONText.title($1, number: $0 + 1, text) })
      return shape = .lists(names.columns.map { schema.see(key: $0.name) })
    }
    var columns = columns
    if items.count != columns.count {
      switch context.options.ragged {
      case .error:
        throw JSONError(offset: start, damage: .ragged(fields: items.count, columns: columns.count))
      case .skip:
        return findings.add(.skippedRow, row: records.starts.count) { context.place(feed, at: start) }
      case .fill:
        while columns.count < items.count {
          columns.append(schema.see(key: String(columns.count + 1)))
        }
        shape = .lists(columns)
      }
    }
    try records.add(items, in: columns, at: start, text, &schema)
  }
}
