/// Finds the row of an old table that each row of a new one was.
///
/// Rows are matched by the cells of `--id`, which no two rows of a table share. Without them whole rows are
/// matched: they are numbered, equal ones alike, and `WholeRowMatching` chooses between those.
///
/// 1. `addOld` is called with the rows of the old table in order: it keeps the key of each, and a digest of its cells.
/// 2. `addNew` is called with the rows of the new table in order: it looks up their keys, and compares the digests.
/// 3. If the keys outgrow their part of the budget, they are divided by their hashes, and those of both tables go to a
///    temporary file; `finish` then matches one part after another (a hash join, as in Kitsuregawa, Tanaka and Moto-oka,
///    "Application of hash to data base machine and its architecture", 1983).
///
/// - Complexity: O(*n*) on average in the cells of both tables; in memory some 50 bytes and the key for each old row, or
///   a part of them, and 4 for each new one; some 20 more for each row of both tables if whole rows are compared.
struct RowMatcher: ~Copyable {
  /// The cells of the rows of one table that are read.
  struct ComparedCells {
    /// The cells that identify a row; empty if rows are compared whole.
    var keys: [ResolvedColumn]

    /// The cells that are compared, in the same order for both tables.
    var compared: [ResolvedColumn]

    /// How records are written that have the same cells if they have the same bytes; `nil` if cells are compared.
    var dialect: Dialect?

    /// Whether an empty text differs from null: both tables tell them apart.
    var marksEmpty: Bool

    /// The compared cells that a row has.
    let present: PresentColumns

    /// What cells are as declared, by the numbers of those that are compared, if rows are compared whole.
    var declared: [Int: CellValue]

    /// Whether records of a batch have the same cells if they have the same bytes.
    func takesRecords(of batch: Batch) -> Bool { dialect.map { batch.hasRecords(in: $0) } ?? false }
  }

  /// Marks that there is no row.
  static let none = UInt32.max

  private let old: ComparedCells
  private let new: ComparedCells
  private let matchesWholeRows: Bool

  /// Unknown to who made the data, so that nobody can choose cells with the same digest.
  private let seeds = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))

  /// The keys of old rows, if there is room for them.
  private var held = HeldKeys()

  /// The keys of old rows and of new ones, if there is not.
  private var parts: (old: KeyPartitions, new: KeyPartitions)?

  /// The keys of new rows that no old row has: they must differ, too; beyond the budget in a temporary file.
  private var lone = HeldKeys()
  private var loneParts: KeyPartitions?

  /// If rows are compared whole, the number of the key of each row, or `none` if no old row has it.
  private var numbers: (old: [UInt32], new: [UInt32]) = ([], [])

  private var matches = RowMatches()
  private var text = ByteBuffer()

  /// The bytes that keys may take.
  private let room: Int

  /// Prepares to match the rows of two tables.
  ///
  /// - Parameters:
  ///   - cells: what cells are as declared by `--types`.
  ///   - budget: the bytes that rows may take in memory.
  ///   - least: the bytes that keys may take in any case.
  init(
    _ old: ComparedTable, _ new: ComparedTable, _ columns: ComparedColumns,
    _ cells: borrowing CellComparison, budget: Int, least: Int
  ) {
    let compared = columns.pairs.filter(\.isCompared)
    let places = columns.pairs.indices.filter { columns.pairs[$0].isCompared }
    let declared = old.keys.isEmpty ? cells.declaredValues : [:]
    func values(_ side: (Int) -> CellValue?) -> [Int: CellValue] {
      Dictionary(uniqueKeysWithValues: places.indices.compactMap { place in side(place).map { (place, $0) } })
    }
    let marksEmpty = old.tellsNull && new.tellsNull
    let dialect = columns.haveSameRecords && !old.holdsObjects ? old.dialect : nil
    self.old = ComparedCells(
      keys: old.keys.map(\.column), compared: compared.map(\.old), dialect: dialect, marksEmpty: marksEmpty,
      present: PresentColumns(compared.map(\.old)), declared: values { declared[places[$0]]?.old })
    self.new = ComparedCells(
      keys: new.keys.map(\.column), compared: compared.map(\.new), dialect: dialect, marksEmpty: marksEmpty,
      present: PresentColumns(compared.map(\.new)), declared: values { declared[places[$0]]?.new })
    matchesWholeRows = old.keys.isEmpty
    room = max(budget / 4, least)
  }

  /// Takes all rows of both tables.
  mutating func addRows(of old: ComparedTable, _ new: ComparedTable) throws(Failure) {
    try old.rows.forEachPiece(failing: Failure.init(reading:)) { (rows, _) throws(Failure) in try addOld(rows)
    }
    try new.rows.forEachPiece(failing: Failure.init(reading:)) { (rows, _) throws(Failure) in try addNew(rows)
    }
  }

  /// Takes the next rows of the old table.
  ///
  /// - Throws: `tooManyRows`, or `spill` if there is no room for a temporary file.
  mutating func addOld(_ rows: Rows) throws(Failure) {
    let takesRecords = rows.batches.map { old.takesRecords(of: $0) }
    var group = RowKeys()
    for start in stride(from: 0, to: rows.count, by: Self.groupSize) {
      readKeys(rows, start..<min(start + Self.groupSize, rows.count), old, takesRecords, into: &group)
      for index in 0..<group.count {
        if matches.oldCount == Int(Self.none) { throw .tooManyRows }
        let row = UInt32(matches.oldCount)
        matches.oldCount += 1
        if !group.isWhole[index] {
          matches.oldMistake.record(.empty(Int(row)))
        } else if parts != nil {
          let digest = group.digests[index]
          try Failure.reading { () throws(SystemError) in
            try parts?.old.append(group.key(index), group.hashes[index], row, digest)
          }
          if matchesWholeRows { numbers.old.append(Self.none) }
        } else if matchesWholeRows {
          numbers.old.append(held.number(adding: group.key(index), group.hashes[index]))
        } else if let first = held.insert(group.key(index), group.hashes[index], row, group.digests[index]) {
          matches.oldMistake.record(.repeated(first: Int(first), second: Int(row)))
        }
      }
      if parts == nil, held.memory > room { try divide() }
    }
  }

  /// Takes the next rows of the new table.
  ///
  /// - Throws: `tooManyRows`, or `spill` if there is no room for a temporary file.
  mutating func addNew(_ rows: Rows) throws(Failure) {
    matches.expectNewRows()
    let takesRecords = rows.batches.map { new.takesRecords(of: $0) }
    var group = RowKeys()
    for start in stride(from: 0, to: rows.count, by: Self.groupSize) {
      readKeys(rows, start..<min(start + Self.groupSize, rows.count), new, takesRecords, into: &group)
      for index in 0..<group.count {
        if matches.oldRows.count == Int(Self.none) { throw .tooManyRows }
        let row = UInt32(matches.oldRows.count)
        matches.addNewRow()
        if !group.isWhole[index] {
          matches.newMistake.record(.empty(Int(row)))
        } else if parts != nil {
          let digest = group.digests[index]
          try Failure.reading { () throws(SystemError) in
            try parts?.new.append(group.key(index), group.hashes[index], row, digest)
          }
          if matchesWholeRows { numbers.new.append(Self.none) }
        } else if matchesWholeRows {
          numbers.new.append(held.number(of: group.key(index), group.hashes[index]) ?? Self.none)
        } else if !held.match(group.key(index), group.hashes[index], row, group.digests[index], &matches) {
          try addLone(group.key(index), group.hashes[index], row)
        }
      }
    }
  }

  /// The rows whose keys are read before the first is looked up.
  private static let groupSize = 256

  /// Reads the keys and digests of some rows, and touches where the keys may be, so that the cache misses overlap.
  private mutating func readKeys(
    _ rows: Rows, _ range: Range<Int>, _ reading: ComparedCells, _ takesRecords: [Bool],
    into group: inout RowKeys
  ) {
    group.removeAll()
    for id in rows.ids[range] {
      let batch = rows.batches[id.batch]
      let digest = digest(of: batch, id.row, reading, takesRecord: takesRecords[id.batch])
      let start = group.keys.count
      let isWhole = appendKey(of: batch, id.row, reading, digest, to: &group.keys)
      group.append(held.hash(group.keys.span.extracting(start...)), digest, isWhole: isWhole)
    }
    // In a loop of its own: a processor overlaps only what is near.
    for hash in group.hashes { group.touched &+= held.touch(hash) }
  }

  /// Adds the key of a new row that no old row has.
  private mutating func addLone(_ key: Span<UInt8>, _ hash: UInt64, _ row: UInt32) throws(Failure) {
    let digest = RowDigest(first: 0, second: 0)
    do {
      if loneParts != nil {
        try loneParts?.append(key, hash, row, digest)
      } else if let first = lone.insert(key, hash, row, digest) {
        matches.newMistake.record(.repeated(first: Int(first), second: Int(row)))
      } else if lone.memory > room {
        var parts = try KeyPartitions()
        try lone.forEachRow { (key, row, digest) throws(SystemError) in
          try parts.append(key, lone.hash(key), row, digest)
        }
        lone = HeldKeys()
        loneParts = parts
      }
    } catch { throw Failure(reading: error) }
  }

  /// The matches, once all rows of both tables have come.
  consuming func finish() throws(Failure) -> RowMatches {
    do {
      if matchesWholeRows {
        var count = held.count
        if let parts = parts.take() { count = try number(parts) }
        matches.oldRows = WholeRowMatching(old: numbers.old, new: numbers.new, count: count).oldRows
        return matches
      }
      if let loneParts {
        for part in 0..<KeyPartitions.count {
          var lone = HeldKeys()
          try loneParts.forEach(in: part) { key, row, digest in lone.insertNew(key, row, &matches) }
        }
      }
      guard let parts = parts.take() else { return matches }
      for part in 0..<KeyPartitions.count {
        var held = HeldKeys()
        try parts.old.forEach(in: part) { key, row, digest in
          if let first = held.insert(key, held.hash(key), row, digest) {
            matches.oldMistake.record(.repeated(first: Int(first), second: Int(row)))
          }
        }
        var lone = HeldKeys()
        try parts.new.forEach(in: part) { key, row, digest in
          if !held.match(key, held.hash(key), row, digest, &matches) { lone.insertNew(key, row, &matches) }
        }
      }
    } catch { throw Failure(reading: error) }
    return matches
  }

  /// Numbers the keys of a temporary file.
  ///
  /// - Returns: how many there are.
  private mutating func number(_ parts: (old: KeyPartitions, new: KeyPartitions)) throws(SystemError) -> Int {
    var count = 0
    for part in 0..<KeyPartitions.count {
      var held = HeldKeys()
      var numbers = self.numbers
      self.numbers = ([], [])
      try parts.old.forEach(in: part) { key, row, digest in
        numbers.old[Int(row)] = UInt32(truncatingIfNeeded: count) + held.number(adding: key, held.hash(key))
      }
      try parts.new.forEach(in: part) { key, row, digest in
        guard let number = held.number(of: key, held.hash(key)) else { return }
        numbers.new[Int(row)] = UInt32(truncatingIfNeeded: count) + number
      }
      self.numbers = numbers
      count += held.count
    }
    return count
  }

  /// Moves the keys to a temporary file.
  private mutating func divide() throws(Failure) {
    do {
      var parts = (old: try KeyPartitions(), new: try KeyPartitions())
      if matchesWholeRows {
        for (row, number) in numbers.old.enumerated() {
          let key = held.key(number)
          let digest = RowDigest(first: 0, second: 0)
          try parts.old.append(key, held.hash(key), UInt32(truncatingIfNeeded: row), digest)
        }
      } else {
        try held.forEachRow { (key, row, digest) throws(SystemError) in
          try parts.old.append(key, held.hash(key), row, digest)
        }
      }
      held = HeldKeys()
      self.parts = parts
    } catch { throw Failure(reading: error) }
  }

  /// Appends the key of a row; `false` if a cell of it is null.
  @inline(__always)
  private func appendKey(
    of batch: Batch, _ row: Int, _ reading: ComparedCells, _ digest: RowDigest, to keys: inout ByteBuffer
  ) -> Bool {
    if matchesWholeRows {
      keys.append(raw: [digest.first, digest.second])
      return true
    }
    for column in reading.keys {
      let start = keys.count
      if !batch.append(comparedTextOf: column, row: row, to: &keys) { return false }
      // The parts of a key of several cells must not run together.
      if reading.keys.count > 1 { keys.append(raw: [keys.count - start]) }
    }
    return true
  }

  @inline(__always)
  private mutating func digest(
    of batch: Batch, _ row: Int, _ reading: ComparedCells, takesRecord: Bool
  ) -> RowDigest {
    // Whole rows are equal if their cells are, however they are quoted.
    if takesRecord, !matchesWholeRows { return digest(of: batch.record(row)) }
    text.truncate(to: 0)
    if !reading.declared.isEmpty {
      appendDeclaredCells(of: batch, row, reading)
    } else if batch.sparse == nil {
      for place in reading.compared.indices { appendCell(place, of: batch, row, reading) }
    } else {
      for place in reading.present.inRow(row, of: batch) { appendCell(place, of: batch, row, reading) }
    }
    return digest(of: text.span)
  }

  /// Appends the cells that are compared, as declared if they are what is declared.
  private mutating func appendDeclaredCells(of batch: Batch, _ row: Int, _ reading: ComparedCells) {
    for place in reading.compared.indices {
      if var value = reading.declared[place], let key = value.key(in: batch, row: row) {
        text.append(key.span)
        // Not the spelling of any cell.
        text.append(raw: [key.count, ~place])
      } else {
        appendCell(place, of: batch, row, reading)
      }
    }
  }

  /// Appends a cell that is compared, unless it is null.
  @inline(__always)
  private mutating func appendCell(_ place: Int, of batch: Batch, _ row: Int, _ reading: ComparedCells) {
    let start = text.count
    batch.append(
      comparedTextOf: reading.compared[place], row: row, marksEmpty: reading.marksEmpty, to: &text)
    if text.count > start { text.append(raw: [text.count - start, place]) }
  }

  @inline(__always)
  private func digest(of bytes: Span<UInt8>) -> RowDigest {
    let hashes = bytes.hashes(seeds: seeds)
    return RowDigest(first: hashes.0, second: hashes.1)
  }
}

/// The keys of some rows.
private struct RowKeys: ~Copyable {
  /// The keys, one after the other, and where each ends.
  var keys = ByteBuffer()
  private var ends: [Int] = []

  private(set) var hashes: [UInt64] = []
  private(set) var digests: [RowDigest] = []

  /// Whether no cell of a key is null.
  private(set) var isWhole: [Bool] = []

  /// What was read to fetch it: it must be kept, or the compiler would not read it.
  var touched: UInt64 = 0

  /// The number of rows.
  var count: Int { ends.count }

  /// The key of a row.
  @_lifetime(borrow self)
  func key(_ index: Int) -> Span<UInt8> {
    keys.span.extracting((index == 0 ? 0 : ends[index - 1])..<ends[index])
  }

  /// Adds what there is to know of the key that was appended to `keys`.
  mutating func append(_ hash: UInt64, _ digest: RowDigest, isWhole: Bool) {
    ends.append(keys.count)
    hashes.append(hash)
    digests.append(digest)
    self.isWhole.append(isWhole)
  }

  /// Removes all keys.
  mutating func removeAll() {
    keys.truncate(to: 0)
    ends.removeAll(keepingCapacity: true)
    hashes.removeAll(keepingCapacity: true)
    digests.removeAll(keepingCapacity: true)
    isWhole.removeAll(keepingCapacity: true)
  }
}

/// 128 bits that differ, but for a chance of 2^-128, if the cells of rows do.
struct RowDigest: Equatable {
  var first: UInt64
  var second: UInt64
}

/// Which rows of two tables are the same.
struct RowMatches {
  /// A key that does not identify a row.
  enum Mistake {
    /// Two rows with the same key, counted from 0.
    case repeated(first: Int, second: Int)
    /// A row with a null in its key.
    case empty(Int)

    /// The row at which it is noticed.
    var row: Int {
      switch self {
      case .repeated(_, let second): second
      case .empty(let row): row
      }
    }
  }

  /// The old row of each new row, or `RowMatcher.none`.
  fileprivate(set) var oldRows: [UInt32] = []

  /// A bit for each new row whose cells differ in their texts from those of its old row.
  private var differing: [UInt64] = []

  /// The number of old rows.
  fileprivate(set) var oldCount = 0

  /// The first key of the old table, and of the new one, that does not identify a row.
  fileprivate(set) var oldMistake: Mistake?
  fileprivate(set) var newMistake: Mistake?

  /// Whether cells of a new row differ in their texts from those of its old row.
  func differs(_ row: Int) -> Bool { differing[row / 64] &>> UInt64(truncatingIfNeeded: row % 64) & 1 != 0 }

  /// The new row of each old row, or `RowMatcher.none`.
  ///
  /// - Complexity: O(*n*) in the rows of both tables.
  var newRows: [UInt32] {
    var newRows = [UInt32](repeating: RowMatcher.none, count: oldCount)
    for (row, old) in oldRows.enumerated() where old != RowMatcher.none {
      newRows[Int(old)] = UInt32(truncatingIfNeeded: row)
    }
    return newRows
  }

  /// Reserves room for as many new rows as there are old ones, so that it need not be copied as it grows.
  fileprivate mutating func expectNewRows() {
    if oldRows.isEmpty { oldRows.reserveCapacity(oldCount) }
  }

  fileprivate mutating func addNewRow() {
    if oldRows.count % 64 == 0 { differing.append(0) }
    oldRows.append(RowMatcher.none)
  }

  fileprivate mutating func match(_ new: UInt32, with old: UInt32, differs: Bool) {
    oldRows[Int(new)] = old
    if differs { differing[Int(new) / 64] |= 1 &<< UInt64(new % 64) }
  }
}

extension RowMatches.Mistake? {
  /// Records a mistake, if none was noticed at an earlier row.
  fileprivate mutating func record(_ mistake: RowMatches.Mistake) {
    if let known = self, known.row <= mistake.row { return }
    self = mistake
  }
}

/// The keys of old rows in memory, and what is needed to match new rows with them.
private struct HeldKeys {
  private var keys = KeyTable()

  /// What each row is known by: its number, its digest, and the row that was matched with it.
  ///
  /// All are empty if whole rows are compared.
  private var rows: [UInt32] = []
  private var digests: [RowDigest] = []
  private var newRows: [UInt32] = []

  /// The key after the one that was found last.
  private var expected = 0

  /// The bytes that are held.
  var memory: Int {
    keys.memory + digests.capacity * MemoryLayout<RowDigest>.stride + 4 * (rows.capacity + newRows.capacity)
  }

  /// The number of keys that differ.
  var count: Int { keys.count }

  /// The number of a key, which is added if it is new.
  mutating func number(adding key: Span<UInt8>, _ hash: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: keys.insert(key, hash: hash).number)
  }

  /// The number of a key, if an old row has it.
  mutating func number(of key: Span<UInt8>, _ hash: UInt64) -> UInt32? {
    guard let number = index(of: key, hash) else { return nil }
    expected = number + 1
    return UInt32(truncatingIfNeeded: number)
  }

  /// The key with a number.
  @_lifetime(borrow self)
  func key(_ number: UInt32) -> Span<UInt8> { keys.key(Int(number)) }

  /// Adds a row.
  ///
  /// - Returns: the row that has the key already.
  mutating func insert(_ key: Span<UInt8>, _ hash: UInt64, _ row: UInt32, _ digest: RowDigest) -> UInt32? {
    let (number, isNew) = keys.insert(key, hash: hash)
    guard isNew else { return rows[number] }
    rows.append(row)
    digests.append(digest)
    newRows.append(RowMatcher.none)
    return nil
  }

  /// Adds a new row that no old row has the key of.
  mutating func insertNew(_ key: Span<UInt8>, _ row: UInt32, _ matches: inout RowMatches) {
    guard let first = insert(key, hash(key), row, RowDigest(first: 0, second: 0)) else { return }
    matches.newMistake.record(.repeated(first: Int(first), second: Int(row)))
  }

  /// Matches a new row with the old one that has its key.
  ///
  /// - Returns: whether an old row has it.
  mutating func match(
    _ key: Span<UInt8>, _ hash: UInt64, _ row: UInt32, _ digest: RowDigest, _ matches: inout RowMatches
  ) -> Bool {
    guard let number = index(of: key, hash) else { return false }
    expected = number + 1
    if newRows[number] != RowMatcher.none {
      matches.newMistake.record(.repeated(first: Int(newRows[number]), second: Int(row)))
    } else {
      newRows[number] = row
      matches.match(row, with: rows[number], differs: digests[number] != digest)
    }
    return true
  }

  /// The number of a key; most rows follow the same row as before.
  @inline(__always)
  private func index(of key: Span<UInt8>, _ hash: UInt64) -> Int? {
    if expected < keys.count, keys.key(expected).equals(key) { return expected }
    return keys.number(of: key, hash: hash)
  }

  /// The hash of a key.
  @inline(__always)
  func hash(_ key: Span<UInt8>) -> UInt64 { keys.hash(key) }

  /// Reads what tells whether there is a key with a hash.
  @inline(__always)
  func touch(_ hash: UInt64) -> UInt64 { keys.touch(hash) }

  /// Calls `body` with all rows.
  func forEachRow(_ body: (Span<UInt8>, UInt32, RowDigest) throws(SystemError) -> Void) throws(SystemError) {
    for number in 0..<keys.count { try body(keys.key(number), rows[number], digests[number]) }
  }
}

/// Keys of rows in a temporary file, divided by their hashes.
private struct KeyPartitions {
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
    for index in head.span.indices { buffers[part].append(head.span[index]) }
    for index in key.indices { buffers[part].append(key[index]) }
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

extension Batch {
  /// Whether its records are as they were read, in a dialect.
  func hasRecords(in dialect: Dialect) -> Bool { origin.isVerbatim && origin.dialect.matches(dialect) }

  /// The bytes of the cells of a row, as they were read.
  @inline(__always)
  @_lifetime(borrow self)
  func record(_ row: Int) -> Span<UInt8> {
    let start = Int(recordStarts[row])
    return block.span(from: start, count: endOfCells(row) - start, heldBy: self)
  }

  /// Appends the text by which a cell is compared with one of another table: its content; nothing for null, and JSON
  /// without white space.
  ///
  /// - Parameter marksEmpty: whether an empty text differs from null.
  /// - Returns: whether there is a text.
  @discardableResult
  func append(
    comparedTextOf column: ResolvedColumn, row: Int, marksEmpty: Bool = false, to out: inout ByteBuffer
  ) -> Bool {
    let start = out.count
    let found = column.path.isEmpty && column.longer.isEmpty ? nil : value(of: column, row: row)
    let cell = found?.cell ?? cell(row: row, column: column.index)
    switch found?.kind ?? cell.kind {
    case .null, .missing: return false
    case .list, .object:
      if let found, !found.isWhole {
        found.appendText(of: content(cell), to: &out)
      } else {
        JSONText.compact(content(cell), into: &out)
      }
    case .text, .number, .bool, .empty:
      if let found, !found.isWhole {
        found.appendText(of: content(cell), to: &out)
      } else {
        out.append(content(cell))
      }
      // A byte that is in no text of UTF-8.
      if marksEmpty, out.count == start, (found?.kind ?? cell.kind) == .text { out.append(0xFF) }
    }
    return out.count > start
  }
}

/// Finds those of some columns that a row has a cell in: in sparse batches without asking for each.
struct PresentColumns: Sendable {
  private let columns: [ResolvedColumn]

  /// The numbers of the columns that are whole, by their indices, and of all others.
  private let numbers: [Int: [Int]]
  private let others: [Int]

  /// Prepares to find some columns.
  init(_ columns: [ResolvedColumn]) {
    self.columns = columns
    let isWhole = columns.map { $0.path.isEmpty && $0.longer.isEmpty }
    numbers = Dictionary(grouping: columns.indices.filter { isWhole[$0] }) { columns[$0].index }
    others = columns.indices.filter { !isWhole[$0] }
  }

  /// The numbers of the columns in which a row may have a cell, in order.
  ///
  /// - Complexity: O(*m* log *m*) for the *m* cells of the row if the batch is sparse, otherwise O(*n*) for *n* columns.
  func inRow(_ row: Int, of batch: Batch) -> [Int] {
    guard batch.sparse != nil else { return Array(columns.indices) }
    var found = others
    for index in batch.cellIndices(ofRow: row) {
      found += numbers[batch.column(ofCell: index, row: row)] ?? []
    }
    return found.sorted()
  }
}
