/// Records of JSON that will only be drawn, without their keys: the contents of their cells, each record on a line, and
/// then a number of 16 bits for each cell, three for a long one.
///
/// They take neither the keys nor six of the eight bytes of the note on each cell: of a stream of usual records, half of
/// the memory.
struct PackedRecords {
  /// The bytes: the contents, then the numbers.
  let block: ByteBlock

  /// Cuts them.
  let cutter: Cutter

  /// The number for a cell: the facts about it, and its length, or `longLength` if two more numbers say it.
  private typealias Note = UInt16
  private static var factBits: UInt64 { 5 }
  private static var longLength: Int { 1 << 11 - 1 }

  /// Cuts packed records: O(*n*) cells, whose bytes are not read.
  struct Cutter: BatchCutter {
    let columnCount: Int

    /// The number of records.
    fileprivate let recordCount: Int

    /// The bytes of their contents.
    fileprivate let contentCount: Int

    /// The number of cells whose length takes two more numbers.
    fileprivate let longCount: Int

    /// The numbers are in one place, in the order of the records.
    var isOrderFree: Bool { false }
  }

  /// Packs all records of a batch; `nil` if they hold anything but cells that were read, or if they are not one line
  /// each, also with their escapes resolved.
  ///
  /// 1. Add up the lengths.
  /// 2. Copy the contents and note what is known about them.
  ///
  /// - Parameter slab: where to take memory from, if there is enough left; otherwise it is replaced by another.
  init?(_ batch: Batch, in slab: inout BlockSlab?) {
    let origin = batch.origin
    guard origin.dialect.form == .json, origin.areLines, batch.sparse == nil, batch.places.isEmpty,
      !batch.hasComputed, batch.columnCount > 0
    else { return nil }
    let (cells, starts) = (batch.cells, batch.recordStarts)
    var (contentCount, longCount, escapedCount) = (batch.rowCount, 0, 0)
    for cell in cells {
      contentCount &+= cell.length
      longCount &+= cell.length >= Self.longLength ? 1 : 0
      escapedCount &+= cell.isEscaped ? 1 : 0
    }
    guard escapedCount == 0 || !cells.contains(where: { $0.isEscaped && batch.content($0).hasLineEnd }) else {
      return nil
    }
    let noteCount = cells.count + 2 * longCount
    let size = contentCount + noteCount * MemoryLayout<Note>.stride
    guard size <= BlockSlab.size / 2 else { return nil }
    var builder = Self.builder(capacity: size, in: &slab)
    var notes = PlainBuffer<Note>()
    notes.reserveCapacity(noteCount)
    let (block, columnCount) = (batch.block, batch.columnCount)
    let span = cells.span
    var index = 0
    for row in 0..<batch.rowCount {
      guard batch.hasRecordEnd(before: Int(starts[row &+ 1])) else { return nil }
      let end = index &+ columnCount
      while index < end {
        let cell = span[index]
        index &+= 1
        if cell.isEscaped {
          builder.append(batch.content(cell))
          // It was measured as a cell that is not simple, and must not become one.
          Self.add(cell.withoutPlainness, to: &notes)
        } else {
          builder.append(block, from: cell.offset, count: cell.length)
          Self.add(cell, to: &notes)
        }
      }
      builder.append(0x0A)
    }
    builder.append(raw: notes.span)
    self.block = builder.finish()
    cutter = Cutter(
      columnCount: columnCount, recordCount: batch.rowCount, contentCount: contentCount, longCount: longCount)
  }

  /// Appends the numbers for a cell.
  @inline(__always)
  private static func add(_ cell: Cell, to notes: inout PlainBuffer<Note>) {
    let length = min(cell.length, longLength)
    notes.append(Note(truncatingIfNeeded: cell.facts | UInt64(length) &<< factBits))
    guard length == longLength else { return }
    notes.append(Note(truncatingIfNeeded: cell.length))
    notes.append(Note(truncatingIfNeeded: cell.length &>> 16))
  }

  private static func builder(capacity: Int, in slab: inout BlockSlab?) -> ByteBlock.Builder {
    guard Shortcuts.hasLargePages else { return ByteBlock.Builder(capacity: capacity) }
    if let slab, let builder = ByteBlock.Builder(capacity: capacity, in: slab) { return builder }
    let next = BlockSlab()
    slab = next
    return ByteBlock.Builder(capacity: capacity, in: next) ?? ByteBlock.Builder(capacity: capacity)
  }
}

extension PackedRecords.Cutter {
  func cut(_ block: ByteBlock, _ range: Range<Int>, origin: Batch.Origin) -> Batch? {
    let (cellCount, end) = (recordCount * columnCount, range.lowerBound + contentCount)
    let noteCount = cellCount + 2 * longCount
    guard range.upperBound == end + noteCount * MemoryLayout<UInt16>.stride, range.upperBound <= block.count
    else { return nil }
    var cursor = RawCursor(block, at: end)
    guard let notes = try? cursor.values(UInt16.self, count: noteCount) else { return nil }
    let (span, columnCount, recordCount) = (notes.span, columnCount, recordCount)
    var (offset, index, longLeft) = (range.lowerBound, 0, longCount)
    var starts: [UInt32] = []
    starts.reserveCapacity(recordCount + 1)
    let cells = [Cell](capacity: cellCount) { (cells: inout OutputSpan<Cell>) in
      for _ in 0..<recordCount {
        starts.append(UInt32(truncatingIfNeeded: offset))
        for _ in 0..<columnCount {
          let note = span[index]
          let facts = UInt64(note) & (1 &<< PackedRecords.factBits &- 1)
          var length = Int(note &>> PackedRecords.factBits)
          index &+= 1
          if length == PackedRecords.longLength {
            longLeft &-= 1
            guard longLeft >= 0 else { return }
            length = Int(span[index]) | Int(span[index &+ 1]) &<< 16
            index &+= 2
          }
          let cell = Cell(offset: offset, length: length, facts: facts)
          // One that is missing is nowhere in the block, and does not move with it.
          cells.append(cell.kind == .missing ? .missing : cell)
          offset &+= length
        }
        offset &+= 1
      }
    }
    guard offset == end, longLeft == 0 else { return nil }
    starts.append(UInt32(truncatingIfNeeded: end))
    var origin = origin
    // Their keys are gone.
    origin.dialect.holdsObjects = false
    return Batch(
      block: block, decoded: .empty, escapes: [], cells: cells, columnCount: columnCount,
      recordStarts: starts, origin: origin, hasComputed: false)
  }
}

extension Span<UInt8> {
  /// Whether a line ends in the text.
  fileprivate var hasLineEnd: Bool {
    for index in indices where self[index] == 10 || self[index] == 13 { return true }
    return false
  }
}
