/// The cells of a batch of JSON objects while they are gathered.
struct JSONRecords: ~Copyable {
  /// Where each record begins in the block, in bytes.
  private(set) var starts: [UInt32] = []

  /// Whether the objects have their names in a column of their own.
  private var isKeyed = false

  /// Whether the rows are objects, with nothing in their cells but their members.
  private var holdsObjects = true

  /// A key that stood twice in the last object.
  var repeatedKey: String?

  private var cells: [Cell] = []
  private var escapes: [Escape] = []
  private var decoded = ByteBuffer(capacity: 0)
  private var columnCount: Int

  /// The strings that are null.
  private let nullWords: [[UInt8]]

  /// The columns that were known before the first record.
  private let leastColumns: Int

  /// Where the cells of each record begin in `cells`: of as many columns as were known when it came.
  private var firstCells: [Int] = []

  /// The keys of the last object as `"key":`, with their columns: the next one has mostly the same.
  private var expected: [(spelling: [UInt8], column: Int)] = []

  /// Creates an empty batch with as many columns as are known.
  init(columnCount: Int, nullWords: [[UInt8]]) {
    self.columnCount = columnCount
    leastColumns = columnCount
    self.nullWords = nullWords
  }

  /// The cells that the records have once all have as many columns as the last.
  var cellCount: Int { starts.count * columnCount }

  /// Adds the object at the cursor.
  mutating func add(_ text: Span<UInt8>, _ scanner: inout JSONScanner, _ schema: inout Schema)
    throws(JSONError)
  {
    begin(at: scanner.offset)
    try addMembers(text, &scanner, &schema)
  }

  /// Adds the object at the cursor, with the name that stands before it in a column `key`.
  mutating func add(
    _ key: JSONScanner.Value, at start: Int, _ text: Span<UInt8>, _ scanner: inout JSONScanner,
    _ schema: inout Schema
  ) throws(JSONError) {
    begin(at: start)
    isKeyed = true
    try set(key, in: schema.see(key: Self.keyName), text, schema)
    try addMembers(text, &scanner, &schema)
  }

  /// Adds values as the cells of columns; there are no more of them than columns.
  mutating func add(
    _ values: [JSONScanner.Value], in columns: [Int], at start: Int, _ text: Span<UInt8>,
    _ schema: inout Schema
  ) throws(JSONError) {
    begin(at: start)
    for (value, column) in zip(values, columns) { try set(value, in: column, text, schema) }
    holdsObjects = false
  }

  /// The column of the names of objects that stand in an object.
  private static let keyName = "key"

  private mutating func begin(at start: Int) {
    starts.append(UInt32(truncatingIfNeeded: start))
    firstCells.append(cells.count)
    for _ in 0..<columnCount { cells.append(.missing) }
  }

  private mutating func set(
    _ value: JSONScanner.Value, in column: Int, _ text: Span<UInt8>, _ schema: Schema
  ) throws(JSONError) {
    let base = firstCells[firstCells.count &- 1]
    let place = base &+ column
    while place >= cells.count { cells.append(.missing) }
    columnCount = max(columnCount, cells.count &- base)
    if cells[place].kind != .missing { repeatedKey = schema.columns[column].name }
    cells[place] = try cell(value, text)
  }

  private mutating func addMembers(
    _ text: Span<UInt8>, _ scanner: inout JSONScanner, _ schema: inout Schema
  ) throws(JSONError) {
    scanner.offset &+= 1
    try skip(text, &scanner)
    var position = 0
    guard scanner.offset < text.count else { throw JSONError(offset: text.count, damage: .unexpectedEnd) }
    if text[scanner.offset] == UInt8(ascii: "}") {
      scanner.offset &+= 1
      return
    }
    while true {
      let column = try column(at: position, text, &scanner, &schema)
      position &+= 1
      try skip(text, &scanner)
      let value = try value(text, &scanner)
      try set(value, in: column, text, schema)
      try skip(text, &scanner)
      guard scanner.offset < text.count else { throw JSONError(offset: text.count, damage: .unexpectedEnd) }
      let byte = text[scanner.offset]
      if byte == UInt8(ascii: "}") { break }
      guard byte == UInt8(ascii: ",") else {
        throw JSONError(offset: scanner.offset, damage: .expectedCommaOrEnd)
      }
      scanner.offset &+= 1
      try skip(text, &scanner)
    }
    scanner.offset &+= 1
  }

  /// Forgets the record that was begun last.
  mutating func abandon() {
    guard starts.popLast() != nil, let first = firstCells.popLast() else { return }
    cells.removeLast(cells.count - first)
    columnCount = max(leastColumns, first - (firstCells.last ?? first))
  }

  /// The records as a batch.
  consuming func batch(_ block: ByteBlock, end: Int, origin: Batch.Origin) -> Batch {
    starts.append(UInt32(truncatingIfNeeded: end))
    if cells.count < firstCells.count * columnCount { makeEven() }
    var origin = origin
    origin.dialect.holdsObjects = holdsObjects && !isKeyed
    return Batch(
      block: block, decoded: ByteBlock(decoded.span), escapes: escapes, cells: cells,
      columnCount: columnCount,
      recordStarts: starts, origin: origin)
  }
}

extension JSONRecords {
  /// Goes over white space inside an object, which in JSON lines may not reach over the line.
  @inline(__always)
  private func skip(_ text: Span<UInt8>, _ scanner: inout JSONScanner) throws(JSONError) {
    if scanner.offset < text.count, text[scanner.offset] > 32 { return }
    scanner.skipSpace(text)
    if scanner.isLineBound, scanner.offset < text.count, text[scanner.offset] == 10 {
      throw JSONError(offset: scanner.offset, damage: .unexpectedEnd)
    }
  }

  /// Goes over a key and its colon, to the column: mostly the one in the same place of the object before.
  private mutating func column(
    at position: Int, _ text: Span<UInt8>, _ scanner: inout JSONScanner, _ schema: inout Schema
  ) throws(JSONError) -> Int {
    if position < expected.count {
      let length = expected[position].spelling.count
      if text.count &- scanner.offset >= length,
        text.extracting(scanner.offset..<scanner.offset &+ length).equals(expected[position].spelling)
      {
        scanner.offset &+= length
        return expected[position].column
      }
    }
    let key = try scanner.key(text)
    let spelled = text.extracting(key.start..<key.end)
    // Blanks before the colon: the key is known all the same.
    if position < expected.count {
      let known = expected[position].spelling
      if spelled.equals(known.span.extracting(1..<known.count &- 2)) { return expected[position].column }
    }
    var name = String(decoding: spelled)
    if key.isEscaped {
      var plain = ByteBuffer(capacity: spelled.count)
      JSONText.decode(spelled, into: &plain)
      name = plain.string()
    }
    // A member of that name is called as a repeated title would be.
    if isKeyed, name == Self.keyName { name += "_2" }
    let column = schema.see(key: name)
    let entry = (spelling: Array("\"".utf8) + [UInt8](spelled) + Array("\":".utf8), column: column)
    if position < expected.count {
      expected[position] = entry
    } else if expected.count < 4096 {
      expected.append(entry)
    }
    return column
  }

  /// The note on a value.
  private mutating func cell(_ value: JSONScanner.Value, _ text: Span<UInt8>) throws(JSONError) -> Cell {
    let length = value.end &- value.start
    guard length <= Cell.longest else { throw JSONError(offset: value.start, damage: .tooLong) }
    let isQuoted = value.kind == .text
    let raw = text.extracting(value.start..<value.end)
    let kind = isQuoted && JSONText.isNullWord(raw, nullWords) ? .null : value.kind
    let mayHoldNulls = !nullWords.isEmpty && (kind == .list || kind == .object)
    guard value.isEscaped || mayHoldNulls else {
      return Cell(offset: value.start, length: length, kind: kind, isPlain: value.isPlain, isQuoted: isQuoted)
    }
    let begin = decoded.count
    if isQuoted {
      JSONText.decode(raw, into: &decoded)
    } else {
      JSONText.compact(raw, nulls: nullWords, into: &decoded)
    }
    let isPlain = decoded.span.extracting(begin...).isPrintableASCII
    escapes.append(
      Escape(
        rawOffset: UInt32(truncatingIfNeeded: value.start), rawLength: UInt32(truncatingIfNeeded: length),
        offset: UInt32(truncatingIfNeeded: begin)))
    return Cell(
      offset: escapes.count - 1, length: decoded.count - begin, kind: kind, isPlain: isPlain,
      isQuoted: isQuoted, isEscaped: true)
  }

  /// Gives all records as many cells as the last has.
  private mutating func makeEven() {
    var wide: [Cell] = []
    wide.reserveCapacity(firstCells.count * columnCount)
    for record in firstCells.indices {
      let end = record + 1 < firstCells.count ? firstCells[record + 1] : cells.count
      wide.append(contentsOf: cells[firstCells[record]..<end])
      for _ in end - firstCells[record]..<columnCount { wide.append(.missing) }
    }
    cells = wide
  }

  /// Goes over a value; one that is longer than cells may be is not waited for.
  @inline(__always)
  private func value(_ text: Span<UInt8>, _ scanner: inout JSONScanner) throws(JSONError) -> JSONScanner.Value
  {
    let start = scanner.offset
    do { return try scanner.value(text) } catch {
      guard error.damage == .unexpectedEnd, text.count - start > Cell.longest else { throw error }
      throw JSONError(offset: start, damage: .tooLong)
    }
  }
}
