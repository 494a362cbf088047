/// The old rows in memory, and what is needed to match new rows with them.
struct HeldKeys {
  /// What is known of a row.
  private struct HeldRow: BitwiseCopyable {
    /// The digest of its cells.
    let cells: RowDigest

    /// Its number, and that of the new row that was matched with it, or `none`.
    let row: UInt32
    var newRow: UInt32
  }

  private var rows = DigestTable<HeldRow>()

  /// The bytes that are held.
  var memory: Int { rows.memory }

  /// Adds a row.
  ///
  /// - Returns: the row that has the identity already.
  @inline(__always)
  mutating func insert(_ key: ComparisonKey, _ row: UInt32) -> UInt32? {
    let (number, isNew) = rows.insert(
      key.identity, HeldRow(cells: key.cells, row: row, newRow: RowMatcher.none))
    return isNew ? nil : rows[number].row
  }

  /// Matches a new row with the old one that has its identity.
  ///
  /// - Returns: whether an old row has it.
  @inline(__always)
  mutating func match(_ key: ComparisonKey, _ row: UInt32, _ matches: inout RowMatches) -> Bool {
    guard let number = rows.number(of: key.identity) else { return false }
    let held = rows[number]
    if held.newRow != RowMatcher.none {
      matches.record(.repeated(first: Int(held.newRow), second: Int(row)), isOld: false)
    } else {
      rows[number].newRow = row
      matches.match(row, with: held.row, differs: held.cells != key.cells)
    }
    return true
  }

  /// Reads what some rows will be compared with.
  @inline(__always)
  func touch(_ keys: [ComparisonKey], areAdded: Bool) -> UInt64 {
    rows.touch(keys, areAdded: areAdded) { UInt64($0.newRow) }
  }

  /// Calls `body` with all rows.
  func forEachKey(_ body: (ComparisonKey, UInt32) throws(SystemError) -> Void) throws(SystemError) {
    for number in 0..<rows.count {
      try body(ComparisonKey(identity: rows.digest(number), cells: rows[number].cells), rows[number].row)
    }
  }
}

/// The new rows that no old row has the identity of: no two may have the same.
struct LoneKeys {
  private var rows = DigestTable<UInt32>()

  /// The bytes that are held.
  var memory: Int { rows.memory }

  /// Adds a row.
  mutating func insert(_ identity: RowDigest, _ row: UInt32, _ matches: inout RowMatches) {
    let (number, isNew) = rows.insert(identity, row)
    if !isNew { matches.record(.repeated(first: Int(rows[number]), second: Int(row)), isOld: false) }
  }

  /// Calls `body` with all rows.
  func forEachKey(_ body: (ComparisonKey, UInt32) throws(SystemError) -> Void) throws(SystemError) {
    for number in 0..<rows.count {
      try body(ComparisonKey(identity: rows.digest(number), cells: .none), rows[number])
    }
  }
}

/// Keys of rows in a temporary file, divided by their digests.
struct KeyPartitions {
  /// The key of a row, as it is written.
  private struct NumberedKey: BitwiseCopyable {
    let key: ComparisonKey
    let row: Int
  }

  private let file: SpillFile

  /// What is to be written of each part, and where what was written is.
  private var pending: [[NumberedKey]]
  private var ranges: [[Range<Int>]]

  /// The number of parts: all values of the first 8 bits of a digest.
  static let count = 256

  /// The keys of a part that are written together.
  private static let portion = 512

  /// Begins without keys.
  init() throws(SystemError) {
    file = try SpillFile()
    pending = Array(repeating: [], count: Self.count)
    ranges = Array(repeating: [], count: Self.count)
  }

  /// Adds the key of a row to the part that it belongs to.
  mutating func append(_ key: ComparisonKey, _ row: UInt32) throws(SystemError) {
    // The lower half of a digest is for the tables of the parts.
    let part = Int(truncatingIfNeeded: key.identity.first &>> 56)
    pending[part].append(NumberedKey(key: key, row: Int(row)))
    guard pending[part].count >= Self.portion else { return }
    var bytes = ByteBuffer()
    bytes.append(raw: pending[part])
    ranges[part].append(file.count..<file.count + bytes.count)
    try file.append(bytes.span)
    pending[part].removeAll(keepingCapacity: true)
  }

  /// Calls `body` with the keys of a part, in the order in which they were added.
  func forEach(in part: Int, _ body: (ComparisonKey, UInt32) -> Void) throws(SystemError) {
    for range in ranges[part] {
      var cursor = RawCursor(try file.read(range))
      let keys: [NumberedKey]
      do { keys = try cursor.values(NumberedKey.self, count: Self.portion) } catch { throw file.damage }
      for key in keys { body(key.key, UInt32(truncatingIfNeeded: key.row)) }
    }
    for key in pending[part] { body(key.key, UInt32(truncatingIfNeeded: key.row)) }
  }
}
