/// Computed cells of some columns, which come after those of their batch.
struct ComputedCells {
  /// The columns, and the note of each record on them: missing if the record has none, or keeps its own.
  fileprivate let columns: [(column: Int, cells: [Cell])]

  /// Whether a missing cell replaces one that was read as well.
  fileprivate let replacesAll: Bool

  /// The spellings and contents of the cells.
  fileprivate let escapes: [Escape]

  /// The contents.
  fileprivate let decoded: ByteBlock

  /// Creates computed cells.
  init(columns: [(column: Int, cells: [Cell])], replacesAll: Bool, escapes: [Escape], decoded: ByteBlock) {
    self.columns = columns
    self.replacesAll = replacesAll
    self.escapes = escapes
    self.decoded = decoded
  }
}

/// A batch to which computed columns are added, one after another: each may use those before it.
///
/// A batch does not change, but its notes and contents are moved to the one that replaces it: notes are
/// copied once, however many columns there are, unless something else holds the batch.
struct ComputedBatch {
  /// The batch with the columns so far.
  private(set) var batch: Batch

  /// The columns that may be added.
  private let columns: [Int]

  /// Whether notes have room for them; they have from the first column on.
  private var hasRoom = false

  /// The number of cells that were replaced and whose contents the batch still holds.
  private var replacedCount = 0

  /// The columns in which cells that were read were replaced.
  private var replacedColumns: Set<Int> = []

  /// Whether cells were added.
  var isChanged: Bool { hasRoom }

  /// Begins with a batch that has none of the columns yet, or only its own cells in them.
  init(_ batch: Batch, columns: [Int]) {
    self.batch = batch
    self.columns = columns
  }

  /// The maximum number of notes on each record of a batch with some columns.
  static func writtenCellCount(in batch: Batch, with columns: [Int]) -> Int {
    batch.sparse == nil ? max(batch.columnCount, (columns.max() ?? -1) + 1) : columns.count
  }

  /// Adds cells to the batch.
  mutating func put(_ computed: ComputedCells) {
    var parts = Batch.Parts(taking: &batch)
    if !hasRoom {
      parts.makeRoom(for: columns)
      hasRoom = true
    }
    for (column, cells) in computed.columns {
      replacedCount += parts.replace(column, by: cells, all: computed.replacesAll)
      guard column < parts.leadingCells else { continue }
      if computed.replacesAll { parts.leadingCells = 0 } else { replacedColumns.insert(column) }
    }
    parts.escapes.append(contentsOf: computed.escapes)
    parts.hasComputed = parts.hasComputed || !computed.escapes.isEmpty
    parts.append(computed.decoded)
    if replacedCount >= parts.rowCount, 2 * replacedCount >= parts.escapes.count {
      parts.dropReplaced()
      replacedCount = 0
    }
    batch = Batch(parts)
  }

  /// The batch with all columns.
  ///
  /// - Parameter cutting: makes it again from its bytes.
  consuming func finish(cutting: Batch.Cutting?) -> Batch {
    var parts = Batch.Parts(taking: &batch)
    parts.cutting = cutting
    if parts.leadingCells == 0 {
      parts.replacedColumns = []
    } else if !replacedColumns.isEmpty {
      parts.replacedColumns = replacedColumns.union(parts.replacedColumns).sorted()
    }
    if hasRoom { parts.giveRoomBack() }
    return Batch(parts)
  }
}

extension Batch.Parts {
  /// Pads the records with missing cells, so that each has a cell in all of `columns`.
  fileprivate mutating func makeRoom(for columns: [Int]) {
    if origin.isVerbatim { leadingCells = columnCount }
    origin.isVerbatim = false
    guard sparse == nil else {
      sparse = sparse?.adding(columns, to: &cells)
      return
    }
    let width = max(columnCount, (columns.max() ?? -1) + 1)
    if width == columnCount { return }
    (cells, columnCount) = (cells(widenedTo: width), width)
  }

  /// The notes on the cells, `width` for each record: those that are added are missing.
  private func cells(widenedTo width: Int) -> [Cell] {
    var widened = [Cell](repeating: .missing, count: rowCount * width)
    var places = widened.mutableSpan
    let known = cells.span
    for row in 0..<rowCount {
      for column in 0..<columnCount { places[row &* width &+ column] = known[row &* columnCount &+ column] }
    }
    return widened
  }

  /// Replaces the cells of a column for which there is room.
  ///
  /// - Parameters:
  ///   - others: the notes on the new cells, row by row.
  ///   - all: whether missing ones replace cells too.
  /// - Returns: how many cells were replaced whose contents are held.
  fileprivate mutating func replace(_ column: Int, by others: [Cell], all: Bool) -> Int {
    var count = 0
    for row in others.indices where all || others[row].kind != .missing {
      guard let index = cellIndex(ofRow: row, column: column) else { continue }
      if cells[index].isEscaped { count &+= 1 }
      cells[index] = others[row]
    }
    return count
  }

  private func cellIndex(ofRow row: Int, column: Int) -> Int? {
    guard let sparse else { return row &* columnCount &+ column }
    return sparse.cellIndex(ofRow: row, column: column)
  }

  /// Appends contents.
  fileprivate mutating func append(_ contents: ByteBlock) {
    if decoded.count == 0 {
      decoded = contents
      return
    }
    var builder = ByteBlock.Builder(continuing: &decoded, capacity: 0)
    builder.reserve(contents.count)
    builder.append(contents.span)
    decoded = builder.finish()
  }

  /// Drops the contents of cells that were replaced: a batch that is changed often would keep the contents of
  /// each change.
  ///
  /// - Complexity: O(*n* + *b*) for *n* cells and *b* copied bytes.
  fileprivate mutating func dropReplaced() {
    var live: [Escape] = []
    var contents = ByteBuffer(capacity: decoded.count / 2)
    let batch = Batch(self)
    for index in cells.indices where cells[index].isEscaped {
      var escape = escapes[cells[index].offset]
      escape.offset = UInt32(truncatingIfNeeded: contents.count)
      contents.append(batch.contentAndDrawn(cells[index]))
      cells[index] = cells[index].moved(by: live.count &- cells[index].offset)
      live.append(escape)
    }
    (escapes, decoded) = (live, ByteBlock(taking: &contents))
  }

  /// Releases the room that was reserved for cells that did not come, and for contents.
  fileprivate mutating func giveRoomBack() {
    sparse = sparse?.withoutMissing(&cells)
    guard decoded.capacity > decoded.count + decoded.count / 4 + 64 else { return }
    var builder = ByteBlock.Builder(continuing: &decoded, capacity: 0)
    builder.shrink()
    decoded = builder.finish()
  }
}
