/// Writes JSON lines, or one array with a row a line.
///
/// Untouched strings and numbers keep their spelling. If no columns were named, a JSON record keeps its own
/// keys in its own order; other rows have the keys of the columns, without missing cells.
struct JSONPainter: ~Copyable, Painter {
  /// The members of an object.
  enum Members: Sendable {
    /// The shown columns.
    case columns

    /// A JSON record's own, except the hidden keys.
    case own(hiding: [String])
  }

  private var columns: [DataColumn]
  private let isArray: Bool
  private let marks: NumberMarks

  /// `"key":` of each column; `nil` if it is so long that it is spelled anew each time.
  private var keys: [[UInt8]?]

  private let keepsRecords: Bool
  private var record: JSONRecord

  /// The columns that steps write cells to, in the order in which they follow the members of a record.
  private let ranked: [(place: Int, kind: Ranked)]

  /// What a step does to a column.
  private enum Ranked {
    /// All of its cells are computed.
    case computed

    /// Some of its cells are changed: in records that lack it they come after the members.
    case changed

    /// Only added records have it.
    case given
  }
  private var isFirst = true
  private var replacedInCells = 0
  private var found = FindingsTally()

  /// The size up to which keys are spelled only once, in bytes.
  private static let longestKey = 1 << 20

  /// The size of the keys of all columns.
  var rowSize: Int { keys.reduce(0) { $0 + ($1?.count ?? 0) + 1 } }

  /// Notices for the user so far.
  var notices: [LayoutNotice] { found.notices }

  /// The number of stretches of bytes that have become U+FFFD so far.
  private var replacementCount: Int { replacedInCells &+ record.replacementCount }

  /// Creates a painter of JSON lines, or of one array.
  init(_ shown: [ShownColumn], isArray: Bool, members: Members, input profile: InputProfile) {
    let columns = DataColumn.columns(of: shown, profile.schema)
    let schema = profile.schema
    self.columns = columns
    ranked = columns.indices.filter { columns[$0].rank != nil }.map { place in
      let column = schema.columns[columns[place].index]
      let isChanged = column.isChanged && columns[place].isWhole
      return (place, column.isComputed ? .computed : isChanged ? .changed : .given)
    }.sorted { (columns[$0.place].rank ?? 0, $0.place) < (columns[$1.place].rank ?? 0, $1.place) }
    self.isArray = isArray
    marks = profile.marks
    keys = columns.map { Self.spelled($0.key) }
    switch members {
    case .columns:
      keepsRecords = false
      record = JSONRecord(hiding: [], nullWords: [], isFlattened: false)
    case .own(let hidden):
      keepsRecords = true
      record = JSONRecord(
        hiding: hidden, nullWords: profile.nullWords, isFlattened: profile.isFlattened)
      record.declare(columns)
      record.change(ranked.filter { $0.kind == .changed }.map { columns[$0.place] })
    }
  }

  mutating func begin(into out: inout ByteBuffer) {
    if isArray { out.append(UInt8(ascii: "[")) }
  }

  mutating func paint(_ rows: Rows, _ range: Range<Int>, into out: inout ByteBuffer) {
    for index in range {
      let id = rows.ids[index]
      let batch = rows.batches[id.batch]
      if isArray {
        if isFirst { out.append(UInt8(ascii: "\n")) } else { out.append(",\n") }
        isFirst = false
      }
      let before = replacementCount
      if keepsRecords, batch.origin.dialect.form == .json, batch.origin.dialect.holdsObjects {
        out.append(UInt8(ascii: "{"))
        let start = out.count
        record.append(membersOfRow: id.row, of: batch, to: &out)
        let isAdded = batch.isEmptyRecord(id.row)
        for (place, kind) in ranked {
          let isWanted =
            switch kind {
            case .computed: true
            case .changed: batch.isAdded(batch.cell(row: id.row, column: columns[place].index))
            case .given: isAdded
            }
          if isWanted { appendMember(place, id.row, of: batch, after: start, to: &out) }
        }
        out.append(UInt8(ascii: "}"))
      } else {
        appendObject(id.row, of: batch, to: &out)
      }
      found.recordFindings(CellFindings(illFormed: replacementCount &- before), batch, id.row)
      if !isArray { out.append(UInt8(ascii: "\n")) }
    }
    found.releaseLargeBatches()
  }

  mutating func end(footers: [FooterLine], into out: inout ByteBuffer) {
    guard isArray else { return }
    if !isFirst { out.append(UInt8(ascii: "\n")) }
    out.append("]\n")
  }
}

extension JSONPainter {
  mutating func grow(by growth: KeyGrowth) {
    let new = DataColumn.columns(of: growth.columns, Schema(titles: []))
    columns += new
    keys += new.map { Self.spelled($0.key) }
    record.hide(growth.hidden)
    record.declare(new)
  }

  /// `"key":`; `nil` if it is too long to be kept.
  private static func spelled(_ key: String) -> [UInt8]? {
    if key.utf8.count > longestKey { return nil }
    var spelled = ByteBuffer(capacity: 32)
    spelled.appendJSON(string: key.utf8.span)
    spelled.append(UInt8(ascii: ":"))
    return spelled.array()
  }

  private mutating func appendObject(_ row: Int, of batch: Batch, to out: inout ByteBuffer) {
    out.append(UInt8(ascii: "{"))
    let start = out.count
    for place in columns.indices { appendMember(place, row, of: batch, after: start, to: &out) }
    out.append(UInt8(ascii: "}"))
  }

  /// Appends the member of a column, unless it is missing, to an object whose members begin at `start`.
  @inline(__always)
  private mutating func appendMember(
    _ place: Int, _ row: Int, of batch: Batch, after start: Int, to out: inout ByteBuffer
  ) {
    let nested = columns[place].isWhole ? nil : batch.value(of: columns[place].source, row: row)
    let cell = nested?.cell ?? batch.cell(row: row, column: columns[place].index)
    if nested?.kind ?? cell.kind == .missing { return }
    if out.count > start { out.append(UInt8(ascii: ",")) }
    if let key = keys[place] {
      out.append(key)
    } else {
      out.appendJSON(string: columns[place].key.utf8.span)
      out.append(UInt8(ascii: ":"))
    }
    if let nested, !nested.isWhole {
      replacedInCells &+= nested.appendJSON(of: batch.content(cell), to: &out)
    } else {
      append(cell, batch.content(cell), of: batch, as: columns[place].type, to: &out)
    }
  }

  @inline(__always)
  private mutating func append(
    _ cell: Cell, _ content: Span<UInt8>, of batch: Batch, as type: ValueType?, to out: inout ByteBuffer
  ) {
    if let type, append(content, cell, of: batch, as: type, to: &out) { return }
    switch batch.kindAsRead(cell) {
    case .missing: break
    case .null, .empty: out.append("null")
    case .number, .bool: out.append(content)
    case .list, .object: replacedInCells &+= out.append(repairing: content)
    case .text:
      guard batch.origin.dialect.form == .json else {
        if content.looksLikeWord, appendPlain(cell, of: batch, to: &out) { return }
        if batch.isText(cell) {
          replacedInCells &+= out.appendJSON(string: content)
          return
        }
        return append(text: content, to: &out)
      }
      if batch.isComputed(cell) {
        replacedInCells &+= out.appendJSON(string: content)
        return
      }
      out.append(UInt8(ascii: "\""))
      if cell.isPlain {
        out.append(batch.raw(cell))
      } else {
        replacedInCells &+= out.append(repairing: batch.raw(cell))
      }
      out.append(UInt8(ascii: "\""))
    }
  }

  /// Appends a cell without a type of its own as one of a declared type; returns whether it did.
  private mutating func append(
    _ content: Span<UInt8>, _ cell: Cell, of batch: Batch, as type: ValueType, to out: inout ByteBuffer
  ) -> Bool {
    let marks = batch.origin.dialect.form == .json ? .standard : marks
    if out.append(content, cell.kind, asJSON: type, marks) { return true }
    guard cell.kind == .text, batch.origin.dialect.form != .json else { return false }
    switch type {
    case .text, .date, .datetime, .duration, .size: replacedInCells &+= out.appendJSON(string: content)
    case .list, .object:
      guard let value = JSONText.find([], in: content), value.kind == .list || value.kind == .object else {
        return false
      }
      JSONText.compact(content.extracting(value.start..<value.end), nulls: [], into: &out)
    case .number, .int, .decimal, .double, .bool: return false
    }
    return true
  }

  /// Appends a cell as a string if it needs no escapes; returns whether it did.
  @inline(__always)
  private func appendPlain(_ cell: Cell, of batch: Batch, to out: inout ByteBuffer) -> Bool {
    guard cell.isPlain, !cell.isEscaped else { return false }
    guard !batch.block.hasMarks(StringMarks.self, from: cell.offset, count: cell.length) else { return false }
    out.append(UInt8(ascii: "\""))
    out.append(batch.block, from: cell.offset, count: cell.length)
    out.append(UInt8(ascii: "\""))
    return true
  }

  /// Appends a cell without a type of its own as what it looks like.
  @inline(__always)
  private mutating func append(text content: Span<UInt8>, to out: inout ByteBuffer) {
    if content.equals("true") || content.equals("false") { return out.append(content) }
    if marks == .standard {
      if content.isJSONNumber { return out.append(content) }
    } else if out.appendJSON(number: content, marks) {
      return
    }
    replacedInCells &+= out.appendJSON(string: content)
  }
}

extension ByteBuffer {
  /// Appends a cell of JSON, or one without a type of its own, if it has another type there than is declared; returns
  /// whether it did.
  fileprivate mutating func append(
    _ content: Span<UInt8>, _ kind: Cell.Kind, asJSON type: ValueType, _ marks: NumberMarks = .standard
  ) -> Bool {
    switch (kind, type) {
    case (.number, .text), (.bool, .text): appendJSON(string: content)
    case (.text, .bool) where content.equals("true") || content.equals("false"): append(content)
    case (.text, _) where type.isNumeric: return append(declaredNumber: content, marks)
    default: return false
    }
    return true
  }

  /// Appends a text that is declared to be a number, with the same digits if JSON allows them; returns
  /// whether it is a number.
  fileprivate mutating func append(declaredNumber text: Span<UInt8>, _ marks: NumberMarks = .standard) -> Bool
  {
    guard let number = NumberReader.loose(text, marks: marks) else { return false }
    if marks == .standard, text.isJSONNumber { append(text) } else { NumberWriter.append(number, to: &self) }
    return true
  }
}

/// Writes records of JSON input unchanged: their own members in their own order, without white space.
struct JSONRecord: ~Copyable {
  /// Keys that are left out.
  private var hidden: Set<[UInt8]>

  /// The strings that are null.
  private let nullWords: [[UInt8]]

  /// The number of stretches of bytes that were not UTF-8 and became U+FFFD.
  private(set) var replacementCount = 0

  /// Whether the members of nested objects are written in their place.
  private let isFlattened: Bool

  /// The columns of declared types, by their keys.
  private var typed: [[UInt8]: DataColumn] = [:]

  /// The columns some of whose cells are changed, by their keys.
  private var changed: [[UInt8]: DataColumn] = [:]

  /// The least bytes that the key of each column takes, with quote marks and colon; 0 if it is not printable ASCII.
  ///
  /// No spelling of printable ASCII is shorter than the text.
  private var keySizes: [Int] = []

  private var members: [Member] = []

  /// The objects of the record whose members are written in their place.
  private var objects: [Nested] = []

  /// A key and its value.
  private struct Member {
    var key: JSONScanner.Value
    var value: JSONScanner.Value
    /// The object that contains it, as an index into `objects`; -1 for the record.
    var parent: Int
  }

  /// An object in an object, and its key.
  private struct Nested {
    var key: JSONScanner.Value
    var parent: Int
  }

  /// A key in an object of the record.
  private struct Place: Hashable {
    var parent: Int
    var name: [UInt8]
  }

  /// Creates a writer that leaves out some keys and knows some strings as null.
  init(hiding hidden: [String], nullWords: [[UInt8]], isFlattened: Bool) {
    self.isFlattened = isFlattened
    self.hidden = Set(hidden.map { Array($0.utf8) })
    self.nullWords = nullWords
  }

  /// Records the keys and the declared types of columns.
  mutating func declare(_ columns: [DataColumn]) {
    for column in columns where column.isWhole {
      if column.type != nil { typed[Array(column.name.utf8)] = column }
      let name = column.name.utf8.span
      guard name.isPrintableASCII else { continue }
      while keySizes.count <= column.index { keySizes.append(0) }
      keySizes[column.index] = name.count + 3
    }
  }

  /// Records columns some of whose cells are changed.
  mutating func change(_ columns: [DataColumn]) {
    for column in columns { changed[Array(column.name.utf8)] = column }
  }

  /// Leaves out these keys from now on.
  mutating func hide(_ keys: [String]) { hidden = Set(keys.map { Array($0.utf8) }) }

  /// Appends the members of the record, without the braces around them; the last one of a repeated key.
  mutating func append(membersOfRow row: Int, of batch: Batch, to out: inout ByteBuffer) {
    if let (range, isPlain) = unchangedMembers(ofRow: row, of: batch) {
      if isPlain { return out.append(batch.block, from: range.lowerBound, count: range.count) }
      let text = batch.block.span(from: range.lowerBound, count: range.count, heldBy: batch)
      replacementCount &+= out.append(repairing: text)
      return
    }
    let start = Int(batch.recordStarts[row])
    let text = batch.block.span(from: start, count: Int(batch.recordStarts[row &+ 1]) &- start, heldBy: batch)
    findMembers(text)
    let repeated = mayRepeat(row, of: batch) ? earlierOfRepeated(text) : []
    let begin = out.count
    for (place, member) in members.enumerated() {
      if isHidden(member, text) || repeated.contains(place) { continue }
      if out.count > begin { out.append(UInt8(ascii: ",")) }
      if member.parent < 0 {
        append(member.key, text, to: &out)
      } else {
        appendPath(of: member, text, to: &out)
      }
      out.append(UInt8(ascii: ":"))
      if !changed.isEmpty, appendChanged(member, text, row, of: batch, to: &out) { continue }
      if !typed.isEmpty, appendTyped(member, text, row, of: batch, to: &out) { continue }
      append(member.value, text, to: &out)
    }
  }
}

extension JSONRecord {
  /// The bytes between the braces of a record, and whether they are printable ASCII; `nil` if they may have to be changed.
  ///
  /// The cells, their keys and the marks between them take a least number of bytes. If the record has no more, it has no
  /// white space, no escaped key and no repeated key.
  // `mutating`, as the compiler would copy a record that is lent.
  private mutating func unchangedMembers(
    ofRow row: Int, of batch: Batch
  ) -> (range: Range<Int>, isPlain: Bool)? {
    guard hidden.isEmpty, nullWords.isEmpty, typed.isEmpty, changed.isEmpty, !isFlattened, batch.sparse == nil
    else { return nil }
    let (block, start) = (batch.block, Int(batch.recordStarts[row]))
    // The opening brace; each member adds the comma or brace after it.
    var (length, end, isPlain) = (1, 0, true)
    for column in 0..<batch.columnCount {
      let cell = batch.cell(row: row, column: column)
      if cell.kind == .missing || cell.isEscaped && batch.isAdded(cell) { continue }
      guard column < keySizes.count, keySizes[column] > 0 else { return nil }
      // An escaped list or object has white space, which is not written.
      if cell.isEscaped, cell.kind != .text { return nil }
      let spelling = batch.spellingRange(of: cell)
      length &+= keySizes[column] &+ spelling.count &+ 1
      end = max(end, spelling.upperBound)
      if !cell.isPlain { isPlain = false }
    }
    guard length &- 1 == end &- start, end < Int(batch.recordStarts[row &+ 1]),
      block[end] == UInt8(ascii: "}"), block[start] == UInt8(ascii: "{")
    else { return nil }
    return (start &+ 1..<end, isPlain)
  }

  /// Appends the value of a member that is changed; returns whether it is.
  private mutating func appendChanged(
    _ member: Member, _ text: Span<UInt8>, _ row: Int, of batch: Batch, to out: inout ByteBuffer
  ) -> Bool {
    guard let column = changed[name(of: member, text)] else { return false }
    let cell = batch.cell(row: row, column: column.index)
    guard batch.isComputed(cell) else { return false }
    let content = batch.content(cell)
    switch cell.kind {
    case .missing, .null, .empty: out.append("null")
    case .list, .object: replacementCount &+= out.append(repairing: content)
    case .number, .bool, .text:
      if let type = column.type, out.append(content, cell.kind, asJSON: type) { return true }
      if cell.kind == .text {
        replacementCount &+= out.appendJSON(string: content)
      } else {
        out.append(content)
      }
    }
    return true
  }

  /// Appends the value of a member whose type is declared, if it is not written unchanged; returns whether it did.
  private func appendTyped(
    _ member: Member, _ text: Span<UInt8>, _ row: Int, of batch: Batch, to out: inout ByteBuffer
  ) -> Bool {
    guard let column = typed[name(of: member, text)] else { return false }
    let cell = batch.cell(row: row, column: column.index)
    if cell.kind == .null {
      out.append("null")
      return true
    }
    guard let type = column.type else { return false }
    return out.append(batch.content(cell), cell.kind, asJSON: type)
  }

  /// Finds the members of the object in `text`, which may have the commas and brackets of an array around it.
  private mutating func findMembers(_ text: Span<UInt8>) {
    members.removeAll(keepingCapacity: true)
    if isFlattened { objects.removeAll(keepingCapacity: true) }
    var start = 0
    while start < text.count, text[start] != UInt8(ascii: "{") { start &+= 1 }
    guard start < text.count else { return }
    var scanner = JSONScanner(at: start)
    findMembers(text, &scanner, of: -1)
  }

  /// Finds the members of the object at the cursor, and skips the object.
  private mutating func findMembers(_ text: Span<UInt8>, _ scanner: inout JSONScanner, of parent: Int) {
    scanner.offset += 1
    scanner.skipSpace(text)
    while scanner.offset < text.count, text[scanner.offset] == UInt8(ascii: "\"") {
      guard let key = try? scanner.key(text) else { return }
      if isFlattened, scanner.isAtFilledObject(text) {
        objects.append(Nested(key: key, parent: parent))
        findMembers(text, &scanner, of: objects.count - 1)
      } else {
        guard let value = try? scanner.value(text) else { return }
        members.append(Member(key: key, value: value, parent: parent))
      }
      scanner.skipSpace(text)
      guard scanner.offset < text.count else { return }
      scanner.offset += 1
      guard text[scanner.offset - 1] == UInt8(ascii: ",") else { return }
      scanner.skipSpace(text)
    }
  }

  /// The objects that contain a member, outermost first.
  private func path(to member: Member) -> [JSONScanner.Value] {
    var path: [JSONScanner.Value] = []
    var object = member.parent
    while object >= 0 {
      path.append(objects[object].key)
      object = objects[object].parent
    }
    return path.reversed()
  }

  /// Appends the keys that lead to a member, joined by dots.
  private mutating func appendPath(of member: Member, _ text: Span<UInt8>, to out: inout ByteBuffer) {
    out.append(UInt8(ascii: "\""))
    for key in path(to: member) {
      append(whole: text.extracting(key.start..<key.end), isPlain: key.isPlain, to: &out)
      out.append(UInt8(ascii: "."))
    }
    append(whole: text.extracting(member.key.start..<member.key.end), isPlain: member.key.isPlain, to: &out)
    out.append(UInt8(ascii: "\""))
  }

  private mutating func append(_ value: JSONScanner.Value, _ text: Span<UInt8>, to out: inout ByteBuffer) {
    let spelled = text.extracting(value.start..<value.end)
    if value.kind == .text {
      if JSONText.isNullWord(spelled, nullWords) { return out.append("null") }
      out.append(UInt8(ascii: "\""))
      append(whole: spelled, isPlain: value.isPlain, to: &out)
      out.append(UInt8(ascii: "\""))
    } else if value.isEscaped || !nullWords.isEmpty {
      if value.isPlain { return JSONText.compact(spelled, nulls: nullWords, into: &out) }
      replacementCount &+= out.appendRepaired { JSONText.compact(spelled, nulls: nullWords, into: &$0) }
    } else {
      append(whole: spelled, isPlain: value.isPlain, to: &out)
    }
  }

  private mutating func append(whole text: Span<UInt8>, isPlain: Bool, to out: inout ByteBuffer) {
    if isPlain { out.append(text) } else { replacementCount &+= out.append(repairing: text) }
  }

  /// Whether a key may be repeated: the reader found fewer cells than there are members, or cannot tell.
  private func mayRepeat(_ row: Int, of batch: Batch) -> Bool {
    guard members.count > 1 else { return false }
    return members.count < batch.columnCount / 16 || members.count != knownMembers(row, of: batch)
  }

  /// The number of cells that the reader found in the record.
  private func knownMembers(_ row: Int, of batch: Batch) -> Int {
    var count = 0
    for index in batch.cellIndices(ofRow: row) {
      let cell = batch.cells[index]
      if cell.kind != .missing, !batch.isAdded(cell) { count &+= 1 }
    }
    return count
  }

  private func isHidden(_ member: Member, _ text: Span<UInt8>) -> Bool {
    if hidden.isEmpty { return false }
    let name = name(of: member, text)
    return hidden.contains(name)
  }

  /// The keys that lead to a member, decoded and joined by dots.
  private func name(of member: Member, _ text: Span<UInt8>) -> [UInt8] {
    if member.parent < 0 { return decoded(member.key, text) }
    var name: [UInt8] = []
    for key in path(to: member) { name += decoded(key, text) + [UInt8(ascii: ".")] }
    return name + decoded(member.key, text)
  }

  /// The members that have the key of a later one, and those of such an object.
  private func earlierOfRepeated(_ text: Span<UInt8>) -> Set<Int> {
    let isLost = objects.isEmpty ? [] : lostMembers(text)
    var last: [[UInt8]: Int] = [:]
    var repeated: Set<Int> = []
    for (place, member) in members.enumerated() {
      if !isLost.isEmpty, isLost[place] {
        repeated.insert(place)
      } else if let earlier = last.updateValue(place, forKey: name(of: member, text)) {
        repeated.insert(earlier)
      }
    }
    return repeated
  }

  /// For each member, whether it, or an object that contains it, has the key of a later one in the same object.
  private func lostMembers(_ text: Span<UInt8>) -> [Bool] {
    // The last one of a key begins last.
    var last: [Place: Int] = [:]
    let places = objects.map { Place(parent: $0.parent, name: decoded($0.key, text)) }
    let names = members.map { Place(parent: $0.parent, name: decoded($0.key, text)) }
    for (place, object) in zip(places, objects) { last[place] = max(last[place] ?? 0, object.key.start) }
    for (place, member) in zip(names, members) { last[place] = max(last[place] ?? 0, member.key.start) }
    var isLost: [Bool] = []
    for (place, object) in zip(places, objects) {
      isLost.append(last[place] != object.key.start || (object.parent >= 0 && isLost[object.parent]))
    }
    return zip(names, members).map { place, member in
      last[place] != member.key.start || (member.parent >= 0 && isLost[member.parent])
    }
  }

  private func decoded(_ key: JSONScanner.Value, _ text: Span<UInt8>) -> [UInt8] {
    var name = ByteBuffer(capacity: key.end - key.start)
    JSONText.decode(text.extracting(key.start..<key.end), into: &name)
    return name.array()
  }
}
