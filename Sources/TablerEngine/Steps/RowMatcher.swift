/// Finds the row of an old table that each row of a new one was.
///
/// Rows are matched by the cells of `--id`, which no two rows of a table share. Without them whole rows are
/// matched, and of equal ones the first with the first, the second with the second, and so on.
///
/// 1. `addOld` is called with the rows of the old table in order: it keeps the key of each, and a digest of its cells.
/// 2. `addNew` is called with the rows of the new table in order: it looks up their keys, and compares the digests.
///
/// - Complexity: O(*n*) on average in the cells of both tables; 40 bytes and the key for each old row, and 4 for each
///   new one.
struct RowMatcher: ~Copyable {
  /// The cells of the rows of one table that are read.
  struct ComparedCells {
    /// The cells that identify a row; empty if rows are compared whole.
    var keys: [ResolvedColumn]

    /// The cells that are compared, in the same order for both tables.
    var compared: [ResolvedColumn]

    /// How records are written that have the same cells if they have the same bytes; `nil` if cells are compared.
    var dialect: Dialect?

    /// Whether null differs from an empty text: both tables tell them apart.
    var marksNull: Bool

    /// Whether records of a batch have the same cells if they have the same bytes.
    func takesRecords(of batch: Batch) -> Bool {
      guard let dialect else { return false }
      return batch.origin.isVerbatim && batch.origin.dialect.matches(dialect)
    }
  }

  /// A key that does not identify a row.
  enum Mistake: Equatable {
    /// Two rows with the same key, counted from 0.
    case repeated(first: Int, second: Int)
    /// A row with a null in its key.
    case empty(Int)
  }

  /// 128 bits that differ, but for a chance of 2^-128, if cells do.
  private struct Digest: Equatable {
    var first: UInt64
    var second: UInt64
  }

  /// Marks that there is no row.
  static let none = UInt32.max

  private let old: ComparedCells
  private let new: ComparedCells
  private let matchesWholeRows: Bool

  /// Unknown to who made the data, so that nobody can choose cells with the same digest.
  private let seeds = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))

  private var keys = KeyTable()

  /// The old row of each key; of several the next that is not matched.
  private var rowOfKey: [UInt32] = []

  /// The next old row with the same key, if rows are compared whole.
  private var following: [UInt32] = []
  private var lastOfKey: [UInt32] = []

  private var digests: [Digest] = []

  /// The old row of each new row, or `none`.
  private(set) var oldRows: [UInt32] = []

  /// Whether cells of a new row differ in their texts from those of its old row.
  private(set) var differing: [Bool] = []

  /// The new row of each old row, or `none`.
  private(set) var newRows: [UInt32] = []

  /// The first key of the old table, and of the new one, that does not identify a row.
  private(set) var oldMistake: Mistake?
  private(set) var newMistake: Mistake?

  private var text = ByteBuffer()

  /// The bytes that may be held.
  private let room: Int

  /// Prepares to match the rows of two tables.
  ///
  /// - Parameter budget: the bytes that rows may take in memory.
  init(_ old: ComparedTable, _ new: ComparedTable, _ columns: ComparedColumns, budget: Int) {
    let compared = columns.pairs.filter(\.isCompared)
    let isWhole =
      columns.inserted.isEmpty && columns.deleted.isEmpty && compared.count == columns.oldNames.count
      && columns.oldNames == columns.newNames
      && compared.allSatisfy { $0.old == $0.new && $0.old.path.isEmpty }
    let marksNull = old.holdsObjects && new.holdsObjects
    let dialect = isWhole && !old.holdsObjects ? old.dialect : nil
    self.old = ComparedCells(
      keys: old.keys.map(\.column), compared: compared.map(\.old), dialect: dialect, marksNull: marksNull)
    self.new = ComparedCells(
      keys: new.keys.map(\.column), compared: compared.map(\.new), dialect: dialect, marksNull: marksNull)
    matchesWholeRows = old.keys.isEmpty
    room = max(budget / 2, 64 << 20)
  }

  /// Takes all rows of both tables.
  mutating func addRows(of old: ComparedTable, _ new: ComparedTable) throws(Failure) {
    try old.rows.forEachPiece(failing: Failure.init(reading:)) { (rows, _) throws(Failure) in try addOld(rows)
    }
    try new.rows.forEachPiece(failing: Failure.init(reading:)) { (rows, _) throws(Failure) in try addNew(rows)
    }
  }

  /// The number of rows of the old table, and of the new one.
  var oldCount: Int { newRows.count }
  var newCount: Int { oldRows.count }

  /// The bytes that are held.
  var memory: Int {
    keys.memory + digests.capacity * MemoryLayout<Digest>.stride
      + (rowOfKey.capacity + following.capacity + lastOfKey.capacity + oldRows.capacity + newRows.capacity)
      * 4
      + differing.capacity
  }

  /// Takes the next rows of the old table.
  ///
  /// - Throws: `comparisonTooLarge`.
  mutating func addOld(_ rows: Rows) throws(Failure) {
    var key = ByteBuffer()
    let takesRecords = rows.batches.map { old.takesRecords(of: $0) }
    for id in rows.ids {
      let batch = rows.batches[id.batch]
      let row = newRows.count
      newRows.append(Self.none)
      let digest = digest(of: batch, id.row, old, takesRecord: takesRecords[id.batch])
      guard readKey(of: batch, id.row, old, digest, into: &key) else {
        oldMistake = oldMistake ?? .empty(row)
        digests.append(digest)
        continue
      }
      let (number, isNew) = keys.insert(key.span)
      if isNew {
        rowOfKey.append(UInt32(row))
        if matchesWholeRows { lastOfKey.append(UInt32(row)) }
      } else if matchesWholeRows {
        following[Int(lastOfKey[number])] = UInt32(row)
        lastOfKey[number] = UInt32(row)
      } else {
        oldMistake = oldMistake ?? .repeated(first: Int(rowOfKey[number]), second: row)
      }
      if matchesWholeRows { following.append(Self.none) } else { digests.append(digest) }
    }
    if memory > room { throw .comparisonTooLarge }
  }

  /// Takes the next rows of the new table.
  ///
  /// - Throws: `comparisonTooLarge`.
  mutating func addNew(_ rows: Rows) throws(Failure) {
    var key = ByteBuffer()
    let takesRecords = rows.batches.map { new.takesRecords(of: $0) }
    for id in rows.ids {
      let batch = rows.batches[id.batch]
      let row = oldRows.count
      let digest = digest(of: batch, id.row, new, takesRecord: takesRecords[id.batch])
      var found = Self.none
      if !readKey(of: batch, id.row, new, digest, into: &key) {
        newMistake = newMistake ?? .empty(row)
      } else if let number = keys.number(of: key.span) {
        found = rowOfKey[number]
      }
      oldRows.append(found)
      differing.append(found != Self.none && !matchesWholeRows && digests[Int(found)] != digest)
      guard found != Self.none else { continue }
      if matchesWholeRows {
        if let number = keys.number(of: key.span) { rowOfKey[number] = following[Int(found)] }
      } else if newRows[Int(found)] != Self.none {
        newMistake = newMistake ?? .repeated(first: Int(newRows[Int(found)]), second: row)
      }
      newRows[Int(found)] = UInt32(row)
    }
    if memory > room { throw .comparisonTooLarge }
  }

  /// Reads the key of a row; `false` if a cell of it is null.
  @inline(__always)
  private func readKey(
    of batch: Batch, _ row: Int, _ reading: ComparedCells, _ digest: Digest, into key: inout ByteBuffer
  ) -> Bool {
    key.truncate(to: 0)
    if matchesWholeRows {
      key.append(raw: [digest.first, digest.second])
      return true
    }
    for column in reading.keys {
      let start = key.count
      if !batch.append(comparedTextOf: column, row: row, to: &key) { return false }
      // The parts of a key of several cells must not run together.
      if reading.keys.count > 1 { key.append(raw: [key.count - start]) }
    }
    return true
  }

  @inline(__always)
  private mutating func digest(
    of batch: Batch, _ row: Int, _ reading: ComparedCells, takesRecord: Bool
  ) -> Digest {
    // Whole rows are equal if their cells are, however they are quoted.
    if takesRecord, !matchesWholeRows {
      let start = Int(batch.recordStarts[row])
      let record = batch.block.span(from: start, count: batch.endOfCells(row) - start, heldBy: batch)
      return digest(of: record)
    }
    text.truncate(to: 0)
    for column in reading.compared {
      let start = text.count
      batch.append(comparedTextOf: column, row: row, marksNull: reading.marksNull, to: &text)
      text.append(raw: [text.count - start])
    }
    return digest(of: text.span)
  }

  @inline(__always)
  private func digest(of bytes: Span<UInt8>) -> Digest {
    Digest(first: bytes.hash(seed: seeds.0), second: bytes.hash(seed: seeds.1))
  }
}

extension Batch {
  /// Appends the text by which a cell is compared with one of another table: its content; nothing for null, and JSON
  /// without white space.
  ///
  /// - Parameter marksNull: whether null differs from an empty text.
  /// - Returns: whether there is a text.
  @discardableResult
  func append(
    comparedTextOf column: ResolvedColumn, row: Int, marksNull: Bool = false, to out: inout ByteBuffer
  ) -> Bool {
    let start = out.count
    let found = column.path.isEmpty && column.longer.isEmpty ? nil : value(of: column, row: row)
    let cell = found?.cell ?? cell(row: row, column: column.index)
    switch found?.kind ?? cell.kind {
    // A byte that no text has.
    case .null, .missing: if marksNull { out.append(0xFF) }
    case .list, .object:
      if let found, !found.isWhole {
        found.appendText(of: content(cell), to: &out)
      } else {
        JSONText.compact(content(cell), into: &out)
      }
      return true
    case .text, .number, .bool, .empty:
      if let found, !found.isWhole {
        found.appendText(of: content(cell), to: &out)
      } else {
        out.append(content(cell))
      }
      return out.count > start
    }
    return false
  }
}
