/// Finds the row of an old table that each row of a new one was.
///
/// Rows are matched by the cells of `--id`, which no two rows of a table share. Without them whole rows are
/// matched: they are numbered, equal ones alike, and `WholeRowMatching` chooses between those.
///
/// 1. `addOld` is called with the rows of the old table in order: it keeps a digest of the identity of each, and one of its
///    cells.
/// 2. `addNew` is called with the rows of the new table in order: it looks up their identities, and compares the cells.
/// 3. If the digests outgrow their part of the budget, they are divided by their bits, and those of both tables go to a
///    temporary file; `finish` then matches one part after another (a hash join, as in Kitsuregawa, Tanaka and Moto-oka,
///    "Application of hash to data base machine and its architecture", 1983).
///
/// - Complexity: O(*n*) on average in the cells of both tables; in memory some 60 bytes for each old row, or a part of
///   them, and 4 for each new one; some 20 more for each row of both tables if whole rows are compared.
struct RowMatcher: ~Copyable {
  /// Marks that there is no row.
  static let none = UInt32.max

  private let old: RowKeyReader
  private let new: RowKeyReader
  private let matchesWholeRows: Bool

  /// The old rows, if there is room for them.
  private var held = HeldKeys()

  /// The digests of old rows, if whole rows are compared and there is room for them.
  private var whole = DigestTable<Void>()

  /// The keys of old rows and of new ones, if there is not.
  private var parts: (old: KeyPartitions, new: KeyPartitions)?

  /// The new rows that no old row has the identity of: they must differ, too; beyond the budget in a temporary file.
  private var lone = LoneKeys()
  private var loneParts: KeyPartitions?

  /// If rows are compared whole, the number of the digest of each row, or `none` if no old row has it.
  private var numbers: (old: [UInt32], new: [UInt32]) = ([], [])

  private var matches = RowMatches()

  /// Room for cells.
  private var text = ByteBuffer()

  /// What was read to fetch it: it must be kept, or the compiler would not read it.
  private var touched: UInt64 = 0

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
    let seeds = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))
    self.old = RowKeyReader(
      keys: old.keys.map(\.column), compared: compared.map(\.old), dialect: dialect, marksEmpty: marksEmpty,
      declared: values { declared[places[$0]]?.old }, seeds: seeds)
    self.new = RowKeyReader(
      keys: new.keys.map(\.column), compared: compared.map(\.new), dialect: dialect, marksEmpty: marksEmpty,
      declared: values { declared[places[$0]]?.new }, seeds: seeds)
    matchesWholeRows = old.keys.isEmpty
    room = max(budget / 4, least)
  }

  /// Reads the keys of all rows of a batch of one of the tables, on any thread.
  func keyReading(isOld: Bool) -> @Sendable (Batch) -> [ComparisonKey] {
    let reader = isOld ? old : new
    return { reader.comparisonKeys(of: $0) }
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
  /// - Parameter known: the keys of the rows of a batch that are known already.
  /// - Throws: `tooManyRows`, or `spill` if there is no room for a temporary file.
  mutating func addOld(_ rows: Rows, _ known: ReadAhead.BatchKeys? = nil) throws(Failure) {
    try add(rows, known, isOld: true)
    if parts == nil, held.memory + whole.memory > room { try divide() }
  }

  /// Takes the next rows of the new table.
  ///
  /// - Parameter known: the keys of the rows of a batch that are known already.
  /// - Throws: `tooManyRows`, or `spill` if there is no room for a temporary file.
  mutating func addNew(_ rows: Rows, _ known: ReadAhead.BatchKeys? = nil) throws(Failure) {
    matches.expectNewRows()
    try add(rows, known, isOld: false)
  }

  /// The rows whose keys are read before the first is looked up.
  private static let groupSize = 256

  private mutating func add(_ rows: Rows, _ known: ReadAhead.BatchKeys?, isOld: Bool) throws(Failure) {
    let reader = isOld ? old : new
    let takesRecords = rows.batches.map { reader.takesRecords(of: $0) }
    var keys: [ComparisonKey] = []
    keys.reserveCapacity(Self.groupSize)
    for start in stride(from: 0, to: rows.count, by: Self.groupSize) {
      keys.removeAll(keepingCapacity: true)
      let ids = rows.ids[start..<min(start + Self.groupSize, rows.count)]
      if let known, rows.batches.count == 1, known.batch === rows.batches[0] {
        for id in ids { keys.append(known.keys[id.row]) }
      } else {
        for id in ids {
          let takesRecord = takesRecords[id.batch]
          keys.append(reader.key(of: rows.batches[id.batch], id.row, takesRecord: takesRecord, using: &text))
        }
      }
      try add(keys, isOld: isOld)
    }
  }

  /// Takes the next rows of a table.
  private mutating func add(_ keys: [ComparisonKey], isOld: Bool) throws(Failure) {
    touched &+=
      matchesWholeRows
      ? whole.touch(keys, areAdded: isOld) { _ in 0 } : held.touch(keys, areAdded: isOld)
    for key in keys {
      guard let row = matches.addRow(isOld: isOld) else { throw .tooManyRows }
      if key.identity == .none {
        matches.record(.empty(Int(row)), isOld: isOld)
      } else if parts != nil {
        try addToFile(key, row, isOld: isOld)
      } else if matchesWholeRows {
        addWhole(key.identity, isOld: isOld)
      } else if isOld {
        if let first = held.insert(key, row) {
          matches.record(.repeated(first: Int(first), second: Int(row)), isOld: true)
        }
      } else if !held.match(key, row, &matches) {
        try addLone(key, row)
      }
    }
  }

  /// Numbers a row that is compared whole.
  private mutating func addWhole(_ digest: RowDigest, isOld: Bool) {
    if isOld {
      numbers.old.append(UInt32(truncatingIfNeeded: whole.insert(digest, ()).number))
    } else {
      numbers.new.append(whole.number(of: digest).map { UInt32(truncatingIfNeeded: $0) } ?? Self.none)
    }
  }

  /// Adds the key of a row to those in a temporary file.
  private mutating func addToFile(_ key: ComparisonKey, _ row: UInt32, isOld: Bool) throws(Failure) {
    do {
      if isOld {
        try parts?.old.append(key, row)
        if matchesWholeRows { numbers.old.append(Self.none) }
      } else {
        try parts?.new.append(key, row)
        if matchesWholeRows { numbers.new.append(Self.none) }
      }
    } catch { throw Failure(reading: error) }
  }

  /// Adds a new row that no old row has the identity of.
  private mutating func addLone(_ key: ComparisonKey, _ row: UInt32) throws(Failure) {
    do {
      if loneParts != nil {
        try loneParts?.append(key, row)
        return
      }
      lone.insert(key.identity, row, &matches)
      guard lone.memory > room else { return }
      var parts = try KeyPartitions()
      try lone.forEachKey { (key, row) throws(SystemError) in try parts.append(key, row) }
      lone = LoneKeys()
      loneParts = parts
    } catch { throw Failure(reading: error) }
  }

  /// The matches, once all rows of both tables have come.
  consuming func finish() throws(Failure) -> RowMatches {
    do {
      if matchesWholeRows {
        var count = whole.count
        if let parts = parts.take() { count = try number(parts) }
        matches.oldRows = WholeRowMatching(old: numbers.old, new: numbers.new, count: count).oldRows
        return matches
      }
      if let loneParts {
        for part in 0..<KeyPartitions.count {
          var lone = LoneKeys()
          try loneParts.forEach(in: part) { key, row in lone.insert(key.identity, row, &matches) }
        }
      }
      guard let parts = parts.take() else { return matches }
      for part in 0..<KeyPartitions.count {
        var (held, lone) = (HeldKeys(), LoneKeys())
        try parts.old.forEach(in: part) { key, row in
          if let first = held.insert(key, row) {
            matches.record(.repeated(first: Int(first), second: Int(row)), isOld: true)
          }
        }
        try parts.new.forEach(in: part) { key, row in
          if !held.match(key, row, &matches) { lone.insert(key.identity, row, &matches) }
        }
      }
    } catch { throw Failure(reading: error) }
    return matches
  }

  /// Numbers the digests of a temporary file.
  ///
  /// - Returns: how many there are.
  private mutating func number(_ parts: (old: KeyPartitions, new: KeyPartitions)) throws(SystemError) -> Int {
    var count = 0
    for part in 0..<KeyPartitions.count {
      var whole = DigestTable<Void>()
      var numbers = self.numbers
      self.numbers = ([], [])
      try parts.old.forEach(in: part) { key, row in
        numbers.old[Int(row)] = UInt32(truncatingIfNeeded: count + whole.insert(key.identity, ()).number)
      }
      try parts.new.forEach(in: part) { key, row in
        guard let number = whole.number(of: key.identity) else { return }
        numbers.new[Int(row)] = UInt32(truncatingIfNeeded: count + number)
      }
      self.numbers = numbers
      count += whole.count
    }
    return count
  }

  /// Moves the keys to a temporary file.
  private mutating func divide() throws(Failure) {
    do {
      var parts = (old: try KeyPartitions(), new: try KeyPartitions())
      for (row, number) in numbers.old.enumerated() {
        let digest = whole.digest(Int(number))
        try parts.old.append(ComparisonKey(identity: digest, cells: digest), UInt32(truncatingIfNeeded: row))
      }
      try held.forEachKey { (key, row) throws(SystemError) in try parts.old.append(key, row) }
      (held, whole) = (HeldKeys(), DigestTable())
      self.parts = parts
    } catch { throw Failure(reading: error) }
  }
}
