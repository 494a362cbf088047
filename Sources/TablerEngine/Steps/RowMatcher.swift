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
    let keys: [ResolvedColumn]

    /// The column of the cell that identifies a row, if it is one whole cell.
    let wholeKey: Int?

    /// The cells that are compared, in the same order for both tables.
    let compared: [ResolvedColumn]

    /// How records are written that have the same cells if they have the same bytes; `nil` if cells are compared.
    let dialect: Dialect?

    /// Whether an empty text differs from null: both tables tell them apart.
    let marksEmpty: Bool

    /// The compared cells that a row has.
    let present: PresentColumns

    /// What computes the declared value of a cell, by its number in `compared`; empty unless rows are compared whole.
    let declared: [Int: CellExpression]

    /// Prepares to read the cells of a table.
    init(
      keys: [ResolvedColumn], compared: [ResolvedColumn], dialect: Dialect?, marksEmpty: Bool,
      declared: [Int: CellExpression]
    ) {
      self.keys = keys
      self.compared = compared
      self.dialect = dialect
      self.marksEmpty = marksEmpty
      self.declared = declared
      present = PresentColumns(compared)
      wholeKey = keys.count == 1 && keys[0].path.isEmpty && keys[0].longer.isEmpty ? keys[0].index : nil
    }

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
  ///   - cells: knows the declared types.
  ///   - asDeclared: whether whole rows are equal if their cells are what was declared, however these are spelled.
  ///   - budget: the bytes that rows may take in memory.
  ///   - least: the bytes that keys may take in any case.
  init(
    _ old: ComparedTable, _ new: ComparedTable, _ columns: ComparedColumns,
    _ cells: borrowing CellComparison, asDeclared: Bool, budget: Int, least: Int
  ) {
    let compared = columns.pairs.filter(\.isCompared)
    let places = columns.pairs.indices.filter { columns.pairs[$0].isCompared }
    let declared = asDeclared && old.keys.isEmpty ? cells.declaredValues : [:]
    func values(_ side: (Int) -> CellExpression?) -> [Int: CellExpression] {
      Dictionary(uniqueKeysWithValues: places.indices.compactMap { place in side(place).map { (place, $0) } })
    }
    let marksEmpty = old.tellsNull && new.tellsNull
    let dialect = columns.dialectOfEqualRecords(old)
    self.old = ComparedCells(
      keys: old.keys.map(\.column), compared: compared.map(\.old), dialect: dialect, marksEmpty: marksEmpty,
      declared: values { declared[places[$0]]?.old })
    self.new = ComparedCells(
      keys: new.keys.map(\.column), compared: compared.map(\.new), dialect: dialect, marksEmpty: marksEmpty,
      declared: values { declared[places[$0]]?.new })
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
    try add(rows, isOld: true)
    if parts == nil, held.memory > room { try divide() }
  }

  /// Takes the next rows of the new table.
  ///
  /// - Throws: `tooManyRows`, or `spill` if there is no room for a temporary file.
  mutating func addNew(_ rows: Rows) throws(Failure) {
    matches.expectNewRows()
    try add(rows, isOld: false)
  }

  private mutating func add(_ rows: Rows, isOld: Bool) throws(Failure) {
    let reading = isOld ? old : new
    let takesRecords = rows.batches.map { reading.takesRecords(of: $0) }
    var group = RowKeys()
    for start in stride(from: 0, to: rows.count, by: Self.groupSize) {
      let range = start..<min(start + Self.groupSize, rows.count)
      readKeys(rows, range, reading, takesRecords, into: &group)
      touch(&group, isOld: isOld)
      for index in 0..<group.count {
        guard let row = matches.addRow(isOld: isOld) else { throw .tooManyRows }
        let (known, key) = (group.rows[index], group.key(index))
        if !known.isWhole {
          matches.record(.empty(Int(row)), isOld: isOld)
        } else if parts != nil {
          try addToFile(key, known.hash, row, known.digest, isOld: isOld)
        } else if isOld {
          hold(key, known.hash, row, known.digest)
        } else if matchesWholeRows {
          numbers.new.append(held.number(of: key, known.hash) ?? Self.none)
        } else if !held.match(key, known.hash, row, known.digest, &matches) {
          try addLone(key, known.hash, row)
        }
      }
    }
  }

  /// Adds the key of a row to those in a temporary file.
  private mutating func addToFile(
    _ key: Span<UInt8>, _ hash: UInt64, _ row: UInt32, _ digest: RowDigest, isOld: Bool
  ) throws(Failure) {
    do {
      if isOld {
        try parts?.old.append(key, hash, row, digest)
        if matchesWholeRows { numbers.old.append(Self.none) }
      } else {
        try parts?.new.append(key, hash, row, digest)
        if matchesWholeRows { numbers.new.append(Self.none) }
      }
    } catch { throw Failure(reading: error) }
  }

  /// Keeps the key of an old row.
  private mutating func hold(_ key: Span<UInt8>, _ hash: UInt64, _ row: UInt32, _ digest: RowDigest) {
    if matchesWholeRows {
      numbers.old.append(held.number(adding: key, hash))
    } else if let first = held.insert(key, hash, row, digest) {
      matches.record(.repeated(first: Int(first), second: Int(row)), isOld: true)
    }
  }

  /// The rows whose keys are read before the first is looked up.
  private static let groupSize = 256

  /// Reads the keys and digests of some rows.
  private mutating func readKeys(
    _ rows: Rows, _ range: Range<Int>, _ reading: ComparedCells, _ takesRecords: [Bool],
    into group: inout RowKeys
  ) {
    group.removeAll()
    // Most rows are in the same batch as the row before.
    var number = rows.ids[range.lowerBound].batch
    var batch = rows.batches[number]
    for id in rows.ids[range] {
      if id.batch != number { (number, batch) = (id.batch, rows.batches[id.batch]) }
      let digest = digest(of: batch, id.row, reading, takesRecord: takesRecords[number])
      let start = group.keys.count
      let isWhole = appendKey(of: batch, id.row, reading, digest, to: &group.keys)
      group.append(held.hash(group.keys.span.extracting(start...)), digest, isWhole: isWhole)
    }
  }

  /// Reads what the keys of some rows will be compared with, so that the cache misses overlap: a processor overlaps only
  /// what is near.
  private func touch(_ group: inout RowKeys, isOld: Bool) {
    if held.isInStep { return }
    group.slots.removeAll(keepingCapacity: true)
    for row in group.rows { group.slots.append(held.touch(row.hash)) }
    // What is in the slot of an old row is not that row.
    if isOld { return }
    for slot in group.slots { group.touched &+= held.touchRow(slot) }
  }

  /// Adds the key of a new row that no old row has.
  private mutating func addLone(_ key: Span<UInt8>, _ hash: UInt64, _ row: UInt32) throws(Failure) {
    let digest = RowDigest(first: 0, second: 0)
    do {
      if loneParts != nil {
        try loneParts?.append(key, hash, row, digest)
      } else if let first = lone.insert(key, hash, row, digest) {
        matches.record(.repeated(first: Int(first), second: Int(row)), isOld: false)
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
            matches.record(.repeated(first: Int(first), second: Int(row)), isOld: true)
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
    // The same bytes as below, without a copy of the text on the way: most keys are one cell.
    if let column = reading.wholeKey {
      let cell = batch.cell(row: row, column: column)
      if cell.kind == .text, cell.length > 0 {
        keys.append(batch.content(cell))
        return true
      }
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
    if batch.sparse == nil {
      for place in reading.compared.indices { appendCell(place, of: batch, row, reading) }
    } else {
      for place in reading.present.inRow(row, of: batch) { appendCell(place, of: batch, row, reading) }
    }
    return digest(of: text.span)
  }

  /// Appends a cell that is compared, unless it is null: as its declared value if it has one.
  @inline(__always)
  private mutating func appendCell(_ place: Int, of batch: Batch, _ row: Int, _ reading: ComparedCells) {
    let start = text.count
    if !reading.declared.isEmpty, var value = reading.declared[place],
      let key = value.key(in: batch, row: row)
    {
      text.append(key.span)
      // The complement keeps it apart from the text of a cell.
      return text.append(raw: [key.count, ~place])
    }
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
  /// A row.
  struct Row {
    /// The end of its key among the keys.
    let end: Int

    /// The hash of its key.
    let hash: UInt64

    /// The digest of its cells.
    let digest: RowDigest

    /// Whether no cell of its key is null.
    let isWhole: Bool
  }

  /// The keys, one after the other.
  var keys = ByteBuffer()

  /// What is known of each row.
  private(set) var rows: [Row] = []

  /// The slots in which the keys may be.
  var slots: [UInt64] = []

  /// What was read to fetch it: it must be kept, or the compiler would not read it.
  var touched: UInt64 = 0

  /// The number of rows.
  var count: Int { rows.count }

  /// The key of a row.
  @_lifetime(borrow self)
  func key(_ index: Int) -> Span<UInt8> {
    keys.span.extracting((index == 0 ? 0 : rows[index - 1].end)..<rows[index].end)
  }

  /// Adds what there is to know of the key that was appended to `keys`.
  mutating func append(_ hash: UInt64, _ digest: RowDigest, isWhole: Bool) {
    rows.append(Row(end: keys.count, hash: hash, digest: digest, isWhole: isWhole))
  }

  /// Removes all keys.
  mutating func removeAll() {
    keys.truncate(to: 0)
    rows.removeAll(keepingCapacity: true)
  }
}

/// 128 bits that differ, but for a chance of 2^-128, if the cells of rows do.
struct RowDigest: Equatable {
  var first: UInt64
  var second: UInt64
}
