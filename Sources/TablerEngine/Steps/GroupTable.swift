/// The keys of groups, each with a number, counted from 0 in order of first appearance.
///
/// Keys are equal if their cells have the same bytes; the bytes of null cells do not count. They are found by
/// hash in a table with open addressing, at most half full, and compared in their batch.
///
/// - Complexity: O(1) on average to find the group of a row, and time linear in the length of its key.
struct GroupTable: Sendable {
  /// The part of a key in one of its columns.
  struct KeyCell: Sendable {
    /// The offset of its bytes among those of all keys.
    fileprivate var start: Int
    fileprivate var length: UInt32

    /// The number of its bytes.
    var count: Int { Int(length) }

    /// The kind of the cell in the first row of the group.
    var kind: Cell.Kind

    /// Whether it is a text whatever it looks like.
    var isText = false
  }

  /// The number of columns that make a key.
  let columnCount: Int

  /// The place of the first row of each group.
  private(set) var places: [RowPlace] = []

  private var cells: [KeyCell] = []
  private var bytes: [UInt8] = []

  private var slots = HashSlots()

  /// The maximum size of the contents of keys, in bytes, unless there is only one.
  private let room: Int

  /// The maximum number of cells in all keys; they take half the room, because they are copied when they grow.
  private let mostCells: Int

  /// Makes a table of keys of `columnCount` columns, whose contents may take `room` bytes.
  init(columnCount: Int, room: Int) {
    self.columnCount = columnCount
    self.room = room
    mostCells = max(room / 2 / MemoryLayout<KeyCell>.stride, columnCount)
  }

  /// The number of groups.
  var count: Int { places.count }

  /// The bytes that the keys take in memory.
  var memory: Int {
    slots.memory + cells.capacity * MemoryLayout<KeyCell>.stride
      + places.capacity * MemoryLayout<RowPlace>.stride + bytes.capacity
  }

  /// Removes all groups.
  mutating func removeAll() {
    places.removeAll()
    cells.removeAll()
    bytes.removeAll()
    slots.removeAll()
  }

  /// The part of the key of a group in one of its columns.
  func cell(_ column: Int, ofGroup group: Int) -> KeyCell { cells[group * columnCount + column] }

  /// The bytes of a cell of a key.
  @_lifetime(borrow self)
  func content(_ cell: KeyCell) -> Span<UInt8> {
    bytes.span.extracting(cell.start..<cell.start + Int(cell.length))
  }

  /// The bytes of the key of a group.
  func byteCount(ofGroup group: Int) -> Int {
    (0..<columnCount).reduce(0) { $0 + Int(cell($1, ofGroup: group).length) }
  }

  /// Adds the group of all rows, if the key has no columns.
  mutating func addOnly(_ place: RowPlace) { if places.isEmpty { places.append(place) } }
}

/// The numbers of rows of a batch, divided by their keys.
struct GroupedNumbers {
  /// Rows of known groups.
  var rows: [UInt32] = []

  /// The group of each of them.
  var groups: [UInt32] = []

  /// Rows of other groups, if no new groups are added, in parts: all rows of one key are in the same part.
  var rest: [[UInt32]] = []
}

extension GroupTable {
  /// Divides rows of a batch by their keys.
  ///
  /// - Parameters:
  ///   - columns: the columns of the batch that make the key.
  ///   - takesNew: whether unknown keys become groups.
  ///   - partCount: the number of parts for rows of other groups, a power of two of at most 256.
  mutating func group(
    _ rows: [UInt32], of batch: Batch, by columns: [Int], takesNew: Bool, partCount: Int
  ) -> GroupedNumbers {
    var grouped = GroupedNumbers()
    grouped.groups.reserveCapacity(rows.count)
    var last: (row: Int, line: Int)?
    var takesNew = takesNew
    let rowWeight = batch.rowWeight
    for (index, number) in rows.enumerated() {
      let row = Int(number)
      slots.reserve(count &+ 1)
      let hash = hash(row, of: batch, by: columns)
      switch slots.find(hash, where: { holds($0, row, of: batch, by: columns) }) {
      case .found(let group): grouped.groups.append(UInt32(truncatingIfNeeded: group))
      case .free(let slot):
        // Once one new key has to wait, all later new keys wait.
        takesNew =
          takesNew && count < HashSlots.most && cells.count &+ columnCount <= mostCells
          && (bytes.count &+ rowWeight <= room || hasRoom(row, of: batch, by: columns))
        guard takesNew else {
          if grouped.rest.isEmpty {
            grouped.rows = Array(rows[..<index])
            grouped.rest = Array(repeating: [], count: partCount)
          }
          // The lower half of the hash is used within the table of a part.
          grouped.rest[Int(hash &>> 56) & (partCount &- 1)].append(number)
          continue
        }
        let line = last.map { batch.line(ofRow: row, from: $0) } ?? batch.line(ofRow: row)
        last = (row, line)
        places.append(
          RowPlace(source: batch.source(ofRow: row), line: line, number: batch.rowNumber(ofRow: row)))
        append(row, of: batch, by: columns)
        slots.insert(count &- 1, hash, at: slot)
        grouped.groups.append(UInt32(truncatingIfNeeded: count &- 1))
      }
      if !grouped.rest.isEmpty { grouped.rows.append(number) }
    }
    if grouped.rest.isEmpty { grouped.rows = rows }
    return grouped
  }

  /// The hash of a key.
  @inline(__always)
  private func hash(_ row: Int, of batch: Batch, by columns: [Int]) -> UInt64 {
    var hash = slots.seed
    for column in columns {
      let cell = batch.cell(row: row, column: column)
      hash = cell.isNull ? hash &* 3 &+ 1 : batch.content(cell).hash(seed: hash)
    }
    return hash
  }

  /// Whether a row has the key of a group.
  @inline(__always)
  private func holds(_ group: Int, _ row: Int, of batch: Batch, by columns: [Int]) -> Bool {
    for index in columns.indices {
      let known = cells[group &* columnCount &+ index]
      let cell = batch.cell(row: row, column: columns[index])
      if cell.isNull || known.kind == .null {
        if cell.isNull, known.kind == .null { continue }
        return false
      }
      guard cell.length == Int(known.length),
        batch.content(cell).isSame(as: bytes.span, at: known.start)
      else { return false }
    }
    return true
  }

  /// Whether there is room for the key of a row; for the only key there always is.
  private func hasRoom(_ row: Int, of batch: Batch, by columns: [Int]) -> Bool {
    let length = columns.reduce(0) { $0 &+ batch.cell(row: row, column: $1).length }
    return bytes.isEmpty || bytes.count &+ length <= room
  }

  private mutating func append(_ row: Int, of batch: Batch, by columns: [Int]) {
    cells.makeRoom(for: columns.count)
    for column in columns {
      let cell = batch.cell(row: row, column: column)
      guard !cell.isNull else {
        cells.append(KeyCell(start: bytes.count, length: 0, kind: .null))
        continue
      }
      cells.append(
        KeyCell(
          start: bytes.count, length: UInt32(truncatingIfNeeded: cell.length), kind: cell.kind,
          isText: batch.isText(cell)))
      let content = batch.content(cell)
      bytes.makeRoom(for: content.count)
      for index in content.indices { bytes.append(content[index]) }
    }
  }
}

// MARK: - Blanks

extension GroupTable {
  /// Keys that differ from another key only in blanks at the ends of their cells.
  struct PaddedKeys {
    /// How many there are.
    var count: Int

    /// The place of the first row of the first of them.
    var place: RowPlace

    /// The first column of the key in which it has blanks, and the bytes of its cell.
    var column: Int
    var content: [UInt8]

    /// Whether they are no-break spaces, or some are.
    var haveNoBreakSpaces: Bool { content.span.hasOuterNoBreakSpaces }
  }

  /// Keys that differ from another key only in blanks at the ends; `nil` if there are none.
  ///
  /// If all keys have such blanks, they belong to the data.
  ///
  /// - Complexity: O(*n*) for *n* groups; if some have such blanks, in the size of all keys.
  var paddedKeys: PaddedKeys? {
    let padded = (0..<count).filter { group in
      (0..<columnCount).contains { isPadded(cell($0, ofGroup: group)) }
    }
    if padded.isEmpty || padded.count == count { return nil }
    var counts: [[UInt8]: Int] = [:]
    for group in padded { counts[trimmedKey(ofGroup: group)] = 0 }
    for group in 0..<count { counts[trimmedKey(ofGroup: group)]? += 1 }
    let found = padded.filter { counts[trimmedKey(ofGroup: $0), default: 0] > 1 }
    guard let first = found.first,
      let column = (0..<columnCount).first(where: { isPadded(cell($0, ofGroup: first)) })
    else { return nil }
    let content = Array(copying: content(cell(column, ofGroup: first)))
    return PaddedKeys(count: found.count, place: places[first], column: column, content: content)
  }

  /// Whether a cell has blanks at an end.
  private func isPadded(_ cell: KeyCell) -> Bool {
    let content = content(cell)
    return content.isPadded
  }

  /// The cells of a key without blanks at their ends, with a byte that no text has between them.
  private func trimmedKey(ofGroup group: Int) -> [UInt8] {
    var key: [UInt8] = []
    for column in 0..<columnCount {
      let cell = cell(column, ofGroup: group)
      if column > 0 { key.append(0xFF) }
      if cell.kind == .null { key.append(0xFE) }
      let content = content(cell)
      key += Array(copying: content.extracting(content.unpadded))
    }
    return key
  }
}

extension Array {
  /// The size from which on an array no longer doubles when it grows, in bytes.
  private static var doubled: Int { 4 << 20 }

  /// Makes room for more elements: beyond some size for a quarter more than there are.
  @inline(__always)
  fileprivate mutating func makeRoom(for added: Int) {
    let needed = count &+ added
    guard needed > capacity, needed &* MemoryLayout<Element>.stride > Self.doubled else { return }
    reserveCapacity(Swift.max(needed, count &+ count / 4))
  }
}
