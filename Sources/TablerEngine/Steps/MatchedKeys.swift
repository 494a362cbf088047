/// The keys of old rows in memory, and what is needed to match new rows with them.
struct HeldKeys {
  private var keys = KeyTable()

  /// What is known of the row that has a key.
  private struct HeldRow {
    /// Its number, and that of the new row that was matched with it, or `none`.
    var row: UInt32
    var newRow: UInt32

    var digest: RowDigest
  }

  /// The row of each key; empty if whole rows are compared.
  private var rows: [HeldRow] = []

  /// The key that is expected next: the one after that which was found last.
  private var expected = 0

  /// How many keys in a row were found where they were expected.
  private var run = 0

  /// The bytes that are held.
  var memory: Int {
    keys.memory + rows.capacity * MemoryLayout<HeldRow>.stride
  }

  /// The number of keys that differ.
  var count: Int { keys.count }

  /// The number of a key, which is added if it is new.
  mutating func number(adding key: Span<UInt8>, _ hash: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: keys.insert(key, hash: hash).number)
  }

  /// The number of a key, if an old row has it.
  mutating func number(of key: Span<UInt8>, _ hash: UInt64) -> UInt32? {
    index(of: key, hash).map { UInt32(truncatingIfNeeded: $0) }
  }

  /// The key with a number.
  @_lifetime(borrow self)
  func key(_ number: UInt32) -> Span<UInt8> { keys.key(Int(number)) }

  /// Adds a row.
  ///
  /// - Returns: the row that has the key already.
  mutating func insert(_ key: Span<UInt8>, _ hash: UInt64, _ row: UInt32, _ digest: RowDigest) -> UInt32? {
    let (number, isNew) = keys.insert(key, hash: hash)
    guard isNew else { return rows[number].row }
    rows.append(HeldRow(row: row, newRow: RowMatcher.none, digest: digest))
    return nil
  }

  /// Adds a new row that no old row has the key of.
  mutating func insertNew(_ key: Span<UInt8>, _ row: UInt32, _ matches: inout RowMatches) {
    guard let first = insert(key, hash(key), row, RowDigest(first: 0, second: 0)) else { return }
    matches.record(.repeated(first: Int(first), second: Int(row)), isOld: false)
  }

  /// Matches a new row with the old one that has its key.
  ///
  /// - Returns: whether an old row has it.
  mutating func match(
    _ key: Span<UInt8>, _ hash: UInt64, _ row: UInt32, _ digest: RowDigest, _ matches: inout RowMatches
  ) -> Bool {
    guard let number = index(of: key, hash) else { return false }
    let held = rows[number]
    if held.newRow != RowMatcher.none {
      matches.record(.repeated(first: Int(held.newRow), second: Int(row)), isOld: false)
    } else {
      rows[number].newRow = row
      matches.match(row, with: held.row, differs: held.digest != digest)
    }
    return true
  }

  /// The number of a key; most rows follow the same row as before.
  @inline(__always)
  private mutating func index(of key: Span<UInt8>, _ hash: UInt64) -> Int? {
    if expected < keys.count, keys.key(expected).equals(key) {
      expected &+= 1
      run &+= 1
      return expected &- 1
    }
    run = 0
    guard let number = keys.number(of: key, hash: hash) else { return nil }
    expected = number &+ 1
    return number
  }

  /// The hash of a key.
  @inline(__always)
  func hash(_ key: Span<UInt8>) -> UInt64 { keys.hash(key) }

  /// Reads what tells whether there is a key with a hash.
  @inline(__always)
  func touch(_ hash: UInt64) -> UInt64 { keys.touch(hash) }

  /// Reads the key and the row that a slot refers to.
  ///
  /// - Parameter slot: what `touch` has read.
  @inline(__always)
  func touchRow(_ slot: UInt64) -> UInt64 {
    let number = Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) &- 1
    guard number >= 0, number < rows.count else { return 0 }
    let key = keys.key(number)
    return UInt64(rows[number].newRow) &+ UInt64(key.isEmpty ? 0 : key[0])
  }

  /// Whether keys come in the order of the old rows, so that touching them ahead gains nothing.
  var isInStep: Bool { run > Self.longRun }

  /// More keys than are usually changed, inserted or deleted together.
  private static let longRun = 32

  /// Calls `body` with all rows.
  func forEachRow(_ body: (Span<UInt8>, UInt32, RowDigest) throws(SystemError) -> Void) throws(SystemError) {
    for number in 0..<keys.count { try body(keys.key(number), rows[number].row, rows[number].digest) }
  }
}

/// Keys of rows in a temporary file, divided by their hashes.
struct KeyPartitions {
  private let file: SpillFile

  /// What is to be written of each part, and where what was written is.
  private var buffers: [[UInt8]]
  private var ranges: [[Range<Int>]]

  /// The number of parts: all values of the first 8 bits of a hash.
  static let count = 256

  /// The bytes of a part that are written together.
  private static let bufferSize = 1 << 14

  /// The bytes of a row beside its key: its number, the length of the key, and its digest.
  private static let headSize = 24

  /// Begins without keys.
  init() throws(SystemError) {
    file = try SpillFile()
    buffers = Array(repeating: [], count: Self.count)
    ranges = Array(repeating: [], count: Self.count)
  }

  /// Adds the key of a row to the part that it belongs to.
  mutating func append(
    _ key: Span<UInt8>, _ hash: UInt64, _ row: UInt32, _ digest: RowDigest
  ) throws(SystemError) {
    // The lower half of a hash is for the tables of the parts.
    let part = Int(truncatingIfNeeded: hash &>> 56)
    var head = ByteBuffer(capacity: Self.headSize)
    head.append(raw: [row, UInt32(truncatingIfNeeded: key.count)])
    head.append(raw: [digest.first, digest.second])
    buffers[part].append(head.span)
    buffers[part].append(key)
    guard buffers[part].count >= Self.bufferSize else { return }
    ranges[part].append(file.count..<file.count + buffers[part].count)
    let buffer = buffers[part]
    try file.append(buffer.span)
    buffers[part].removeAll(keepingCapacity: true)
  }

  /// Calls `body` with the keys of a part, in the order in which they were added.
  func forEach(
    in part: Int, _ body: (Span<UInt8>, UInt32, RowDigest) -> Void
  ) throws(SystemError) {
    for range in ranges[part] {
      let block = try file.read(range)
      try read(block, body)
    }
    let buffer = buffers[part]
    let rest = ByteBlock(buffer.span)
    try read(rest, body)
  }

  private func read(
    _ block: ByteBlock, _ body: (Span<UInt8>, UInt32, RowDigest) -> Void
  ) throws(SystemError) {
    var cursor = RawCursor(block)
    do {
      while cursor.offset < block.count {
        let numbers = try cursor.values(UInt32.self, count: 2)
        let digest = try cursor.values(UInt64.self, count: 2)
        let key = try cursor.block(count: Int(numbers[1]))
        body(key.span, numbers[0], RowDigest(first: digest[0], second: digest[1]))
      }
    } catch { throw file.damage }
  }
}
