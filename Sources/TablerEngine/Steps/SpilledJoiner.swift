/// Puts the columns of a table that does not fit into memory beside each row: `--join`.
///
/// 1. The rows of that table, and then those that come, are divided by the hashes of their keys (a hash join, as in
///    Kitsuregawa, Tanaka and Moto-oka, "Application of hash to data base machine and its architecture", 1983). Both go to
///    temporary files; the part of each row is noted.
/// 2. After the last row one part after another is joined, and how many rows were made of each is noted.
/// 3. The rows that were made are brought back into the order in which those that they were made of came.
///
/// - Complexity: O(*n*) in the bytes of both tables and of what is made of them, each of which is written once or twice.
struct SpilledJoiner: RowMaker {
  private var columns: JoinColumns

  /// The rows of the other table, those that came, and those that were made of them.
  private var others: RowDivision
  private var rows: RowDivision
  private var made: RowDivision

  /// The part of each row that came; and for the rows of each part, how many were made of each.
  private var order: StoredNumbers
  private var counts: [StoredNumbers]

  /// Reads the rows that were made, once all were.
  private var readers: [StoredRowReader] = []

  /// How many rows come next that were made of one, their part, and whether that one had no match; the first of them, if it
  /// was read.
  private var left: (count: Int, part: Int, isUnmatched: Bool) = (0, 0, false)
  private var waiting: (batch: Batch, row: Int)?

  /// The rows that were passed on last, and whether each had no match, until they are counted.
  private var passed: (batch: Batch, isUnmatched: [Bool])?
  private var settledCount = 0

  private var repeated: RepeatedKeys?
  private var unmatched = Tally<RowPlace>()

  /// The first row with a cell of its own in a column of the other table, and the name of that; and whether rows so far
  /// reach to it.
  private var collision: (name: String, place: RowPlace)?
  private var isCollisionMet = false

  /// What went wrong with the rows that were taken.
  private var problem: SystemError?

  /// Whether no more rows come.
  private var isOver = false

  /// The bytes that a part of the other table may take.
  private let room: Int

  private static let leastRoom = 1 << 20
  private static let mostParts = 256

  /// The parts are made as much smaller than there is room: hashes divide keys unevenly.
  private static let slack = 2

  /// The rows that are passed on together, and their bytes.
  private static let mostRows = 4096
  private static let mostBytes = 1 << 20

  /// Divides the rows of the other table.
  ///
  /// - Throws: `spill` if there is no room for a temporary file.
  init(_ columns: JoinColumns, _ stored: StoredRows, _ table: JoinedTable) throws(Failure) {
    self.columns = columns
    room = table.room
    var count = 2
    while count < Self.mostParts, count * table.room < Self.slack * table.size { count *= 2 }
    do {
      (others, rows, made) = (
        try RowDivision(count: count, room: room / 2), try RowDivision(count: count, room: room / 2),
        try RowDivision(count: count, room: room / 2)
      )
      let file = try SpillFile()
      order = StoredNumbers(in: file)
      counts = Array(repeating: StoredNumbers(in: file), count: count)
      for piece in 0..<stored.pieceCount {
        for batch in try stored.rows(ofPiece: piece).batches {
          try others.append(batch, to: Self.parts(of: batch, count, &self.columns.otherKey))
        }
      }
      try others.finish()
    } catch { throw Failure(reading: error) }
  }

  var states: [EvaluationState] { [columns.key.state] }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    [PlannedStep(work: .join, holding: .spilled(.bothTables))]
  }

  func notices(_ sources: [Source]) -> [Notice] { columns.notices(repeated, unmatched, sources) }

  func failure(_ sources: [Source]) -> Failure? {
    guard let collision, isCollisionMet else { return evaluationFailure(sources) }
    return .lateJoinedName(collision.name, InputError.Location(collision.place, sources), path: columns.path)
  }

  /// The part that each row of a batch belongs to, by the hash of its key; `nil` for a key that is null.
  private static func parts(of batch: Batch, _ count: Int, _ key: inout JoinKey) -> [Int?] {
    var bytes = ByteBuffer()
    let hashes = HashSlots()
    var parts: [Int?] = []
    key.read(batch) { reader in
      for row in 0..<batch.rowCount {
        let isKey = reader.read(row, into: &bytes)
        // The lower half of a hash is for the tables of the parts.
        parts.append(isKey ? Int(truncatingIfNeeded: hashes.hash(bytes.span) &>> 40) & (count - 1) : nil)
      }
    }
    return parts
  }

  mutating func take(_ batch: Batch) {
    if problem != nil { return }
    if collision == nil { collision = columns.collision(with: batch, 0..<batch.rowCount) }
    let parts = Self.parts(of: batch, rows.count, &columns.key).map { $0 ?? 0 }
    do throws(SystemError) {
      for part in parts { try order.append(UInt32(truncatingIfNeeded: part)) }
      try rows.append(batch, to: parts)
    } catch { problem = error }
  }

  var holdsRows: Bool { true }

  mutating func end() { isOver = true }

  mutating func settle(through row: Int?) {
    guard let passed else { return }
    let rows = settledCount..<max(row.map { $0 + 1 } ?? passed.isUnmatched.count, settledCount)
    settledCount = rows.upperBound
    if let collision, let last = rows.last, passed.batch.rowNumber(ofRow: last) >= collision.place.number {
      isCollisionMet = true
    }
    for row in rows where columns.kind == .left && passed.isUnmatched[row] {
      unmatched.record(inRow: passed.batch.rowNumber(ofRow: row), RowPlace(row, of: passed.batch))
    }
  }

  mutating func next() throws(Failure) -> (batch: Batch, sources: [UInt32])? {
    settle(through: nil)
    passed = nil
    if let problem { throw Failure(reading: problem) }
    if !isOver { return nil }
    if readers.isEmpty { try joinParts() }
    do { passed = try nextInOrder() } catch { throw Failure(reading: error) }
    settledCount = 0
    if passed == nil { isCollisionMet = true }
    return passed.map { ($0.batch, $0.isUnmatched.indices.map { UInt32(truncatingIfNeeded: $0) }) }
  }

  /// Joins one part after another.
  ///
  /// - Throws: `joinTooLarge` if a part does not fit into memory, as most rows have the same key.
  private mutating func joinParts() throws(Failure) {
    do throws(SystemError) {
      try order.finish()
      try rows.finish()
    } catch { throw Failure(reading: error) }
    for part in counts.indices {
      let joiner: Joiner?
      do { joiner = try self.joiner(ofPart: part) } catch { throw Failure(reading: error) }
      guard let joiner else { throw .joinTooLarge(path: columns.path) }
      do { try join(part, by: joiner) } catch { throw Failure(reading: error) }
    }
    readers = counts.indices.map { StoredRowReader(made[$0]) }
  }

  /// What joins a part of the other table; `nil` if that does not fit into memory.
  private func joiner(ofPart part: Int) throws(SystemError) -> Joiner? {
    var (batches, size) = ([Batch](), 0)
    for piece in 0..<others[part].pieceCount {
      for batch in try others[part].rows(ofPiece: piece).batches {
        size += batch.memory + batch.rowCount * JoinIndex.rowSize
        batches.append(batch)
      }
      if size > max(Self.slack * room, Self.leastRoom) { return nil }
    }
    return Joiner(columns, batches)
  }

  private mutating func join(_ part: Int, by joiner: Joiner) throws(SystemError) {
    var joiner = joiner
    if let found = joiner.repeatedKeys {
      if repeated == nil { repeated = found } else { repeated?.merge(found) }
    }
    for piece in 0..<rows[part].pieceCount {
      for batch in try rows[part].rows(ofPiece: piece).batches {
        joiner.take(batch)
        for row in 0..<batch.rowCount {
          let (count, isUnmatched) = joiner.made(ofRow: row)
          try counts[part].append(UInt32(truncatingIfNeeded: count << 1 | (isUnmatched ? 1 : 0)))
        }
        while let more = joiner.next() { try made.append(more.batch, to: part) }
      }
    }
    try counts[part].finish()
    rows.drop(part)
    others.drop(part)
  }

  /// The next rows that were made, and whether each had no match; `nil` at the end.
  private mutating func nextInOrder() throws(SystemError) -> (batch: Batch, isUnmatched: [Bool])? {
    var isUnmatched: [Bool] = []
    var copies: BatchBuilder?
    while isUnmatched.count < Self.mostRows, copies?.byteCount ?? 0 < Self.mostBytes {
      if left.count == 0 {
        guard let part = try order.next().map({ Int($0) }), let number = try counts[part].next() else {
          break
        }
        left = (Int(number >> 1), part, number & 1 != 0)
        continue
      }
      if waiting == nil { waiting = try readers[left.part].next() }
      guard let (batch, row) = waiting else { throw made[left.part].damage }
      if copies == nil { copies = BatchBuilder(origin: batch.origin) }
      // Rows of another dialect are passed on alone.
      guard copies?.accepts(batch) ?? false, copies?.hasRoom(for: batch, row: row) ?? false else { break }
      copies?.append(batch, row: row)
      isUnmatched.append(left.isUnmatched)
      (waiting, left.count) = (nil, left.count - 1)
    }
    guard let copies = copies.take() else { return nil }
    return (copies.finish(), isUnmatched)
  }
}

extension SpilledJoiner {
  /// Which of both joins a table is known once that was read: `Joiner` answers.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {}
}
