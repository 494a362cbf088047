/// Rows divided into parts, each in the order in which they came, in a temporary file.
struct RowDivision {
  private var parts: [StoredRows]

  /// The last batches, and the rows of each part among them, which are not written yet.
  private var batches: [Batch] = []
  private var pending: [[RowID]]
  private var memory = 0

  /// The bytes of the last batches.
  private let room: Int

  /// The bytes of a piece of a part, at least.
  private static let leastPiece = 1 << 12

  /// Prepares some parts, of which a few rows are held in memory: `room` bytes of all together.
  init(count: Int, room: Int) throws(SystemError) {
    let file = try SpillFile()
    let pieceSize = min(max(room / (2 * count), Self.leastPiece), StoredRows.standardPieceSize)
    parts = (0..<count).map { _ in StoredRows(in: file, pieceSize: pieceSize) }
    pending = Array(repeating: [], count: count)
    self.room = room
  }

  /// The number of parts.
  var count: Int { parts.count }

  /// Adds the rows of a batch.
  ///
  /// - Parameter numbers: the part of each row; `nil` to leave it out.
  mutating func append(_ batch: Batch, to numbers: [Int?]) throws(SystemError) {
    for (row, part) in numbers.enumerated() {
      if let part { pending[part].append(RowID(batch: batches.count, row: row)) }
    }
    // The lines of rows are counted once for all parts.
    let known = batch.places.isEmpty ? batch.placed(at: batch.rowPlaces) : batch
    batches.append(known)
    memory += known.memory
    if memory >= room { try finish() }
  }

  /// Adds all rows of a batch to a part.
  mutating func append(_ batch: Batch, to part: Int) throws(SystemError) {
    try parts[part].spill(Rows(batch))
  }

  /// Writes what is held in memory.
  mutating func finish() throws(SystemError) {
    for part in pending.indices where !pending[part].isEmpty {
      var rows = Rows()
      (rows.batches, rows.ids) = (batches, pending[part])
      try parts[part].spill(rows)
      pending[part].removeAll(keepingCapacity: true)
    }
    batches = []
    memory = 0
  }

  /// The rows of a part; all of them once `finish` was called.
  subscript(part: Int) -> StoredRows { parts[part] }

  /// Drops the rows of a part.
  mutating func drop(_ part: Int) { parts[part] = StoredRows() }
}

extension Batch {
  /// The places of all rows.
  fileprivate var rowPlaces: [RowPlace] {
    let lines = RowLines([self])
    return (0..<rowCount).map { row in
      RowPlace(
        source: source(ofRow: row), line: lines[RowID(batch: 0, row: row)], number: rowNumber(ofRow: row))
    }
  }
}

/// Reads stored rows one after another.
struct StoredRowReader {
  private let stored: StoredRows
  private var piece = 0
  private var rows = Rows()
  private var place = 0

  /// Begins before the first row.
  init(_ stored: StoredRows) { self.stored = stored }

  /// The next row; `nil` at the end.
  mutating func next() throws(SystemError) -> (batch: Batch, row: Int)? {
    while place == rows.count {
      guard piece < stored.pieceCount else { return nil }
      // Two pieces are never held at once.
      rows = Rows()
      rows = try stored.rows(ofPiece: piece)
      (piece, place) = (piece + 1, 0)
    }
    let id = rows.ids[place]
    place += 1
    return (rows.batches[id.batch], id.row)
  }
}

/// Numbers in a temporary file, which are read in the order in which they were added.
struct StoredNumbers {
  private let file: SpillFile
  private var ranges: [Range<Int>] = []

  /// Those that are not written yet, or those that were read last.
  private var held: [UInt32] = []

  /// How many ranges were read, and how many of the numbers held were taken.
  private var readCount = 0
  private var takenCount = 0

  /// The numbers that are written together.
  private static let portion = 1 << 12

  /// Begins without numbers.
  init(in file: SpillFile) { self.file = file }

  /// Adds a number; none may have been read.
  mutating func append(_ number: UInt32) throws(SystemError) {
    held.append(number)
    if held.count == Self.portion { try finish() }
  }

  /// Writes what is held in memory, before the first number is read.
  mutating func finish() throws(SystemError) {
    if held.isEmpty { return }
    var bytes = ByteBuffer()
    bytes.append(raw: held)
    ranges.append(file.count..<file.count + bytes.count)
    try file.append(bytes.span)
    held.removeAll(keepingCapacity: true)
  }

  /// The next number; `nil` at the end.
  mutating func next() throws(SystemError) -> UInt32? {
    if takenCount == held.count {
      guard readCount < ranges.count else { return nil }
      let range = ranges[readCount]
      var cursor = RawCursor(try file.read(range))
      let count = range.count / MemoryLayout<UInt32>.stride
      do { held = try cursor.values(UInt32.self, count: count) } catch { throw file.damage }
      (readCount, takenCount) = (readCount + 1, 0)
    }
    takenCount += 1
    return held[takenCount - 1]
  }
}
