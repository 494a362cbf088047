/// The cells of a batch of JSON objects while they are being gathered.
struct JSONRecords: ~Copyable {
  /// The offset of each record in the block.
  private(set) var starts: [UInt32] = []

  /// Whether the names of the objects are in a column of their own.
  private var isKeyed = false

  /// Whether the rows are objects, with only their members in their cells.
  private var holdsObjects = true

  /// A key that was repeated in the last object.
  var repeatedKey: String?

  /// The cells while each record has one for every column.
  private var even = PlainBuffer<Cell>()

  /// The cells that are not missing, once most would be: `sparse` holds their columns.
  private var cells: [Cell] = []
  private var escapes: [Escape] = []
  private var decoded = ByteBuffer(capacity: 0)
  private var columnCount: Int

  /// The strings that are null.
  private let nullWords: [[UInt8]]
  private let hasNullWords: Bool

  /// The number of columns that were known before the first record.
  private let leastColumns: Int

  /// The index of the first cell of the last record in `even`.
  private var firstCell = 0

  /// The index of the first cell of each record in `even`: a record has as many columns as were known when it came.
  private var firstCells: [Int] = []

  /// The number of missing cells.
  private var missingCount = 0

  /// The columns of the cells, once most of them would be missing; `firstCells` is not used then.
  private var sparse: SparseCells?

  /// What precedes a value: the brace or comma, the key, the colon and white space; in a line of a log, only the key.
  struct Lead: BitwiseCopyable {
    var start: UInt32
    var length: UInt32
    var column: UInt32
  }

  /// The lead at each position of the last object: the next object usually has the same.
  private var expected = PlainBuffer<Lead>()

  /// The limits of columns.
  private let limits: ColumnLimits

  /// The keys of nested objects, if their members become columns.
  private var keys: JSONKeyTree?

  /// Creates an empty batch with the columns known so far.
  ///
  /// - Parameter isFlattened: whether the members of objects become columns of their own.
  init(
    columnCount: Int, nullWords: [[UInt8]], limits: ColumnLimits = ColumnLimits(), isFlattened: Bool = false
  ) {
    keys = isFlattened ? JSONKeyTree(limits) : nil
    self.columnCount = columnCount
    self.limits = limits
    leastColumns = columnCount
    self.nullWords = nullWords
    hasNullWords = !nullWords.isEmpty
  }

  /// The number of cells of the records once all have as many columns as the last.
  var cellCount: Int { sparse == nil ? starts.count * columnCount : cells.count }

  // Schemas are passed `inout` throughout: one that is lent is copied for every call, all 150 bytes of it.

  /// Adds the object at the cursor.
  mutating func add(_ text: Span<UInt8>, _ scanner: inout JSONScanner, _ schema: inout Schema)
    throws(JSONError)
  {
    begin(at: scanner.offset)
    try addMembers(text, &scanner, &schema)
    end(&schema)
  }

  /// Adds the object at the cursor, with the name before it in a column `key`.
  mutating func add(
    _ key: JSONScanner.Value, at start: Int, _ text: Span<UInt8>, _ scanner: inout JSONScanner,
    _ schema: inout Schema
  ) throws(JSONError) {
    begin(at: start)
    isKeyed = true
    try set(key, in: schema.see(key: Self.keyName), text, &schema)
    try addMembers(text, &scanner, &schema)
    end(&schema)
  }

  /// Adds values as the cells of columns; there are at most as many as columns.
  mutating func add(
    _ values: [JSONScanner.Value], in columns: [Int], at start: Int, _ text: Span<UInt8>,
    _ schema: inout Schema
  ) throws(JSONError) {
    begin(at: start)
    for (value, column) in zip(values, columns) {
      if keys != nil, value.isFilledObject(text) {
        let key = try keys?.key(schema.columns[column].name, at: value.start) ?? 0
        try flatten(value, of: key, text, &schema)
      } else {
        try set(value, in: column, text, &schema)
      }
    }
    end(&schema)
    holdsObjects = false
  }

  /// The column for the names of objects that are inside an object.
  private static let keyName = "key"

  private mutating func begin(at start: Int) {
    starts.append(UInt32(truncatingIfNeeded: start))
    firstCell = even.count
    firstCells.append(firstCell)
    keys?.beginRecord()
  }

  /// Ends the record: it gets the columns it lacks, and later records get those it added.
  @inline(__always)
  private mutating func end(_ schema: inout Schema) {
    let count = even.count &- firstCell
    if sparse == nil, count >= columnCount { columnCount = count } else { endShort(&schema) }
  }

  /// Ends a record that lacks columns.
  @inline(never)
  private mutating func endShort(_ schema: inout Schema) {
    if sparse == nil, mostAreMissing(in: columnCount) { thin() }
    if sparse == nil {
      let count = firstCell + columnCount - even.count
      for _ in 0..<count { even.append(.missing) }
      missingCount += count
    } else if let repeated = sparse?.endRecord(&cells) {
      repeatedKey = schema.columns[repeated].name
    }
  }

  /// Whether most cells would be missing if each record had `width` columns.
  private func mostAreMissing(in width: Int) -> Bool {
    SparseCells.suit(rowCount: firstCells.count, width: width, filled: even.count &- missingCount)
  }

  /// Drops missing cells from now on.
  private mutating func thin(isOpen: Bool = true) {
    cells = even.array
    even = PlainBuffer()
    sparse = SparseCells(thinning: &cells, from: firstCells, isOpen: isOpen)
    missingCount = 0
  }

  @inline(__always)
  private mutating func set(
    _ value: JSONScanner.Value, in column: Int, _ text: Span<UInt8>, _ schema: inout Schema
  ) throws(JSONError) {
    let place = firstCell &+ column
    let cell = try cell(value, text)
    if place == even.count, sparse == nil { return even.append(cell) }
    setOther(cell, in: column, &schema)
  }

  /// Sets a cell that does not directly follow the last one.
  @inline(never)
  private mutating func setOther(_ cell: Cell, in column: Int, _ schema: inout Schema) {
    let place = firstCell &+ column
    if sparse == nil, place > even.count {
      if mostAreMissing(in: max(columnCount, column &+ 1)) {
        thin()
      } else {
        missingCount &+= place &- even.count
        while place > even.count { even.append(.missing) }
        return even.append(cell)
      }
    }
    if sparse != nil {
      cells.append(cell)
      sparse?.add(column: column)
      return
    }
    if even[place].kind != .missing { repeatedKey = schema.columns[column].name } else { missingCount &-= 1 }
    even[place] = cell
  }

  /// Adds the members of the object at the cursor.
  private mutating func addMembers(
    _ text: Span<UInt8>, _ scanner: inout JSONScanner, _ schema: inout Schema
  ) throws(JSONError) {
    if keys != nil { return try addMembers(of: 0, depth: 0, text, &scanner, &schema) }
    var position = 0
    while true {
      addPlainMembers(text, &scanner, &position)
      guard let column = try column(at: position, text, &scanner, &schema) else { return }
      try set(value(text, &scanner), in: column, text, &schema)
      position &+= 1
    }
  }

  /// Adds members from a position on, while each has the expected lead and a plain value.
  @inline(__always)
  private mutating func addPlainMembers(
    _ text: Span<UInt8>, _ scanner: inout JSONScanner, _ position: inout Int
  ) {
    guard !hasNullWords, sparse == nil else { return }
    var offset = scanner.offset
    var column = even.count &- firstCell
    while let known = lead(at: position, text, offset), Int(known.column) == column,
      let (cell, end) = JSONScanner.plainCell(text, at: offset &+ Int(known.length))
    {
      even.append(cell)
      offset = end
      position &+= 1
      column &+= 1
    }
    scanner.offset = offset
  }

  /// Removes the record that was begun last.
  mutating func abandon() {
    if sparse != nil {
      let isOpen = sparse.map { $0.rowCount < starts.count } ?? false
      if starts.popLast() != nil { sparse?.removeLast(&cells, isOpen: isOpen) }
      return
    }
    guard starts.popLast() != nil, let first = firstCells.popLast() else { return }
    for place in first..<even.count where even[place].kind == .missing { missingCount -= 1 }
    even.removeLast(even.count - first)
    columnCount = max(leastColumns, first - (firstCells.last ?? first))
  }

  /// The records as a batch.
  ///
  /// - Parameter cutting: how they were cut, if they can be cut again.
  consuming func batch(
    _ block: ByteBlock, end: Int, origin: Batch.Origin, cutting: Batch.Cutting? = nil
  ) -> Batch {
    starts.append(UInt32(truncatingIfNeeded: end))
    if sparse == nil, mostAreMissing(in: columnCount) { thin(isOpen: false) }
    if let known = sparse {
      if SparseCells.suit(rowCount: known.rowCount, width: known.width, filled: cells.count) {
        columnCount = 0
      } else {
        (cells, columnCount, sparse) = (known.evened(cells), known.width, nil)
      }
    } else {
      cells = even.count < firstCells.count * columnCount ? widened : even.array
    }
    var origin = origin
    origin.dialect.holdsObjects = holdsObjects && !isKeyed
    return Batch(
      block: block, decoded: ByteBlock(taking: &decoded), escapes: escapes, cells: cells,
      columnCount: columnCount, sparse: sparse,
      recordStarts: starts, origin: origin, cutting: cutting)
  }
}

/// Members of objects as columns: `--flatten`.
extension JSONRecords {
  /// Adds the members of an object whose own key is `parent`, and those of the objects in it.
  private mutating func addMembers(
    of parent: Int, depth: Int, _ text: Span<UInt8>, _ scanner: inout JSONScanner, _ schema: inout Schema
  ) throws(JSONError) {
    guard depth < JSONScanner.deepest else { throw JSONError(offset: scanner.offset, damage: .tooDeep) }
    scanner.offset &+= 1
    try skip(text, &scanner)
    guard scanner.offset < text.count else { throw JSONError(offset: text.count, damage: .unexpectedEnd) }
    if text[scanner.offset] == UInt8(ascii: "}") {
      scanner.offset &+= 1
      return
    }
    while true {
      let key = try key(in: parent, text, &scanner)
      try skip(text, &scanner)
      if scanner.isAtFilledObject(text) {
        try addMembers(of: key, depth: depth &+ 1, text, &scanner, &schema)
      } else {
        let value = try value(text, &scanner, depth: depth)
        try set(value, in: column(of: key, at: value.start, &schema), text, &schema)
      }
      try skip(text, &scanner)
      guard scanner.offset < text.count else { throw JSONError(offset: text.count, damage: .unexpectedEnd) }
      let byte = text[scanner.offset]
      scanner.offset &+= 1
      if byte == UInt8(ascii: "}") { return }
      guard byte == UInt8(ascii: ",") else {
        throw JSONError(offset: scanner.offset &- 1, damage: .expectedCommaOrEnd)
      }
      try skip(text, &scanner)
    }
  }

  /// Adds the members of an object that is in a list.
  private mutating func flatten(
    _ value: JSONScanner.Value, of key: Int, _ text: Span<UInt8>, _ schema: inout Schema
  ) throws(JSONError) {
    var scanner = JSONScanner(at: value.start)
    try addMembers(of: key, depth: 1, text, &scanner, &schema)
  }

  /// Skips a key and its colon; if it is repeated in the object, the members of the earlier one are dropped.
  private mutating func key(
    in parent: Int, _ text: Span<UInt8>, _ scanner: inout JSONScanner
  ) throws(JSONError) -> Int {
    let start = scanner.offset
    let key: Int
    if let known = keys?.expected(in: parent, text, at: start) {
      scanner.offset = start &+ known.length
      key = known.key
    } else {
      let spelled = try scanner.key(text)
      var name = JSONText.name(spelled, text)
      if isKeyed, parent == 0, name == Self.keyName { name += "_2" }
      key = try keys?.key(name, in: parent, at: start) ?? 0
      keys?.expect(key, in: parent, at: start, length: scanner.offset &- start)
    }
    if let forgotten = keys?.enter(key, in: parent) {
      repeatedKey = keys?.name(of: key)
      for column in forgotten { forget(column) }
    }
    return key
  }

  /// Makes the cell of a column missing in the current record.
  private mutating func forget(_ column: Int) {
    if sparse != nil {
      cells.append(.missing)
      sparse?.add(column: column)
    } else if firstCell &+ column < even.count, even[firstCell &+ column].kind != .missing {
      even[firstCell &+ column] = .missing
      missingCount &+= 1
    }
  }

  /// The column of a key.
  private mutating func column(
    of key: Int, at offset: Int, _ schema: inout Schema
  ) throws(JSONError) -> Int {
    if let column = keys?.column(of: key) { return column }
    let name = keys?.name(of: key) ?? ""
    guard schema.nameBytes &+ name.utf8.count <= limits.nameBytes else {
      throw JSONError(offset: offset, damage: .namesTooLong)
    }
    let column = schema.see(key: name)
    guard column < limits.count else { throw JSONError(offset: offset, damage: .tooManyKeys) }
    keys?.setColumn(column, of: key)
    return column
  }
}

extension JSONRecords {
  /// Skips white space inside an object, which in JSON lines may not contain line ends.
  @inline(__always)
  private func skip(_ text: Span<UInt8>, _ scanner: inout JSONScanner) throws(JSONError) {
    if scanner.offset < text.count, text[scanner.offset] > 32 { return }
    scanner.skipSpace(text)
    if scanner.isLineBound, scanner.offset < text.count, text[scanner.offset] == 10 {
      throw JSONError(offset: scanner.offset, damage: .unexpectedEnd)
    }
  }

  /// The lead expected at a position, if it is at `start`.
  @inline(__always)
  private func lead(at position: Int, _ text: Span<UInt8>, _ start: Int) -> Lead? {
    guard position < expected.count else { return nil }
    let known = expected[position]
    let length = Int(known.length)
    guard text.count &- start >= length else { return nil }
    return text.repeats(Int(known.start), at: start, length: length) ? known : nil
  }

  /// Skips a lead and finds its column; at the end of the object, skips the brace and returns `nil`.
  @inline(__always)
  private mutating func column(
    at position: Int, _ text: Span<UInt8>, _ scanner: inout JSONScanner, _ schema: inout Schema
  ) throws(JSONError) -> Int? {
    if let known = lead(at: position, text, scanner.offset) {
      scanner.offset &+= Int(known.length)
      // More white space may follow than in the earlier object.
      try skip(text, &scanner)
      return Int(known.column)
    }
    return try otherColumn(at: position, text, &scanner, &schema)
  }

  /// The same for an unexpected lead, which the next object is then expected to have.
  @inline(never)
  private mutating func otherColumn(
    at position: Int, _ text: Span<UInt8>, _ scanner: inout JSONScanner, _ schema: inout Schema
  ) throws(JSONError) -> Int? {
    let start = scanner.offset
    if position > 0 { try skip(text, &scanner) }
    guard scanner.offset < text.count else { throw JSONError(offset: text.count, damage: .unexpectedEnd) }
    let mark = text[scanner.offset]
    if position > 0, mark != UInt8(ascii: ","), mark != UInt8(ascii: "}") {
      throw JSONError(offset: scanner.offset, damage: .expectedCommaOrEnd)
    }
    scanner.offset &+= 1
    if mark == UInt8(ascii: "}") { return nil }
    try skip(text, &scanner)
    guard scanner.offset < text.count else { throw JSONError(offset: text.count, damage: .unexpectedEnd) }
    if position == 0, text[scanner.offset] == UInt8(ascii: "}") {
      scanner.offset &+= 1
      return nil
    }
    let keyStart = scanner.offset
    let key = try scanner.key(text)
    let spelled = text.extracting(key.start..<key.end)
    guard schema.nameBytes &+ spelled.count <= limits.nameBytes else {
      throw JSONError(offset: keyStart, damage: .namesTooLong)
    }
    var name = JSONText.name(key, text)
    // A member of that name is renamed like a repeated title.
    if isKeyed, name == Self.keyName { name += "_2" }
    let column = schema.see(key: name)
    guard column < limits.count else { throw JSONError(offset: keyStart, damage: .tooManyKeys) }
    try skip(text, &scanner)
    expect(column, at: position, start, length: scanner.offset &- start)
    return column
  }

  /// Expects the next object to have a lead at the same position.
  private mutating func expect(_ column: Int, at position: Int, _ start: Int, length: Int) {
    let lead = Lead(
      start: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: length),
      column: UInt32(truncatingIfNeeded: column))
    if position < expected.count {
      expected[position] = lead
    } else if expected.count < 4096 {
      expected.append(lead)
    }
  }

  /// The note on a value.
  @inline(__always)
  private mutating func cell(_ value: JSONScanner.Value, _ text: Span<UInt8>) throws(JSONError) -> Cell {
    let length = value.end &- value.start
    guard length <= Cell.longest else { throw JSONError(offset: value.start, damage: .tooLong) }
    let isQuoted = value.kind == .text
    guard value.isEscaped || hasNullWords else {
      return Cell(
        offset: value.start, length: length, kind: value.kind, isPlain: value.isPlain, isQuoted: isQuoted)
    }
    return special(value, text)
  }

  /// The note on a value that has escapes or white space, or that may be a null word or contain some.
  private mutating func special(_ value: JSONScanner.Value, _ text: Span<UInt8>) -> Cell {
    let length = value.end &- value.start
    let isQuoted = value.kind == .text
    let raw = text.extracting(value.start..<value.end)
    let kind = isQuoted && JSONText.isNullWord(raw, nullWords) ? .null : value.kind
    let mayHoldNulls = hasNullWords && (kind == .list || kind == .object)
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

  /// The cells of all records, each padded to as many as the last has.
  private var widened: [Cell] {
    var wide = [Cell](repeating: .missing, count: firstCells.count * columnCount)
    for record in firstCells.indices {
      let first = firstCells[record]
      let end = record + 1 < firstCells.count ? firstCells[record + 1] : even.count
      for place in first..<end { wide[record * columnCount + place - first] = even[place] }
    }
    return wide
  }

  /// Skips a value; one that is longer than cells may be is not waited for.
  @inline(__always)
  private func value(
    _ text: Span<UInt8>, _ scanner: inout JSONScanner, depth: Int = 0
  ) throws(JSONError) -> JSONScanner.Value {
    if let string = scanner.plainString(text) { return string }
    let start = scanner.offset
    do { return try scanner.value(text, depth: depth) } catch {
      guard error.damage == .unexpectedEnd, text.count - start > Cell.longest else { throw error }
      throw JSONError(offset: start, damage: .tooLong)
    }
  }
}

/// Fields of lines as members of objects: `--pattern logfmt`.
extension JSONRecords {
  /// Adds the fields of a line.
  ///
  /// - Parameter keyless: the name of the column of a field without a key.
  mutating func add(
    _ fields: [LogField], at start: Int, _ text: Span<UInt8>, _ schema: inout Schema, keyless: String
  ) throws(JSONError) {
    begin(at: start)
    for (position, field) in fields.enumerated() {
      let column = try column(at: position, of: field, text, &schema, keyless: keyless)
      let cell = cell(of: field, text)
      if firstCell &+ column == even.count, sparse == nil {
        even.append(cell)
      } else {
        setOther(cell, in: column, &schema)
      }
    }
    end(&schema)
    holdsObjects = false
  }

  /// The column of a field, usually that at the same position of the line before.
  private mutating func column(
    at position: Int, of field: LogField, _ text: Span<UInt8>, _ schema: inout Schema, keyless: String
  ) throws(JSONError) -> Int {
    guard let key = field.key else { return schema.see(key: keyless) }
    if let known = lead(at: position, text, key.lowerBound), Int(known.length) == key.count {
      return Int(known.column)
    }
    guard schema.nameBytes &+ key.count <= limits.nameBytes else {
      throw JSONError(offset: key.lowerBound, damage: .namesTooLong)
    }
    let column = schema.see(key: String(decoding: text.extracting(key)))
    guard column < limits.count else { throw JSONError(offset: key.lowerBound, damage: .tooManyKeys) }
    expect(column, at: position, key.lowerBound, length: key.count)
    return column
  }

  /// The note on the value of a field.
  private mutating func cell(of field: LogField, _ text: Span<UInt8>) -> Cell {
    guard let place = field.value else { return computed(.bool, at: field.key) { $0.append("true") } }
    let value = text.extracting(place)
    if field.isQuoted, value.contains(UInt8(ascii: "\\")) {
      let cell = computed(.text, at: place) { $0.append(unquoting: value) }
      let text = decoded.span.extracting((decoded.count - cell.length)...)
      return nullWords.contains { text.equals($0) } ? note(place, .null) : cell
    }
    if nullWords.contains(where: { value.equals($0) }) { return note(place, .null) }
    if !field.isQuoted {
      if value.isJSONNumber { return note(place, .number) }
      if value.equals("true") || value.equals("false") { return note(place, .bool) }
      if value.equals("null") { return note(place, .null) }
    }
    // What could not stand between quotes of JSON is spelled anew.
    if !value.standsInQuotes { return computed(.text, at: place) { $0.append(value) } }
    return note(place, .text, isPlain: value.isPrintableASCII)
  }

  private func note(_ place: Range<Int>, _ kind: Cell.Kind, isPlain: Bool = true) -> Cell {
    Cell(
      offset: place.lowerBound, length: place.count, kind: kind, isPlain: isPlain, isQuoted: kind == .text)
  }

  /// The note on a value that the block does not hold as JSON spells it.
  private mutating func computed(
    _ kind: Cell.Kind, at place: Range<Int>?, _ write: (inout ByteBuffer) -> Void
  ) -> Cell {
    let begin = decoded.count
    write(&decoded)
    escapes.append(
      Escape(computedAt: begin, replacing: place, inRecordAt: starts.last ?? 0, isText: kind == .text))
    return Cell(
      offset: escapes.count - 1, length: decoded.count - begin, kind: kind,
      isPlain: decoded.span.extracting(begin...).isPrintableASCII, isEscaped: true)
  }
}

extension Span<UInt8> {
  /// Whether the bytes may stand between quotes of JSON as they are.
  fileprivate var standsInQuotes: Bool {
    for place in indices
    where self[place] < 32 || self[place] == UInt8(ascii: "\"") || self[place] == UInt8(ascii: "\\") {
      return false
    }
    return true
  }
}
