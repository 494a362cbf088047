/// The rows on their way through the pipeline: indices into batches; no cell moves.
///
/// A reader makes one value for each batch; a step that needs all rows appends them to one another. Filter,
/// sort and moves only change `ids`.
struct Rows: Sendable {
  /// The batches that contain the rows.
  var batches: [Batch]

  /// The rows, in order.
  var ids: [RowID]

  /// Creates an empty list of rows.
  init() {
    batches = []
    ids = []
  }

  /// All rows of a batch.
  init(_ batch: Batch) {
    batches = [batch]
    ids = []
    ids.reserveCapacity(batch.rowCount)
    for row in 0..<batch.rowCount { ids.append(RowID(batch: 0, row: row)) }
  }

  /// Some rows of a batch.
  init(_ batch: Batch, _ rows: [UInt32]) {
    batches = [batch]
    ids = rows.map { RowID(batch: 0, row: Int($0)) }
  }

  /// The number of rows.
  var count: Int { ids.count }

  /// Adds `other` after these rows.
  mutating func append(_ other: Rows) {
    guard !other.ids.isEmpty else { return }
    let base = batches.count
    batches.append(contentsOf: other.batches)
    for id in other.ids { ids.append(RowID(batch: base &+ id.batch, row: id.row)) }
  }

  /// Calls `body` with the numbers of the rows, as many at a time as are in one batch.
  ///
  /// - Parameter range: some of the rows; all by default.
  func forEachRun<Problem: Error>(
    of range: Range<Int>? = nil, _ body: (Batch, [UInt32]) throws(Problem) -> Void
  ) throws(Problem) {
    let range = range ?? 0..<count
    var start = range.lowerBound
    while start < range.upperBound {
      let batch = ids[start].batch
      var numbers: [UInt32] = []
      while start < range.upperBound, ids[start].batch == batch {
        numbers.append(UInt32(truncatingIfNeeded: ids[start].row))
        start += 1
      }
      try body(batches[batch], numbers)
    }
  }
}

extension Rows {
  /// The bytes that the rows and their batches hold in memory.
  var memory: Int {
    batches.reduce(ids.capacity * MemoryLayout<RowID>.stride) { $0 + $1.memory }
  }

  /// The memory of a row and the notes on its cells, estimated generously: there may be long records among
  /// short ones.
  var rowWeight: Int { batches.reduce(0) { max($0, $1.rowWeight) } }

  /// The same for the batches that contain a range of rows.
  func rowWeight(of range: Range<Int>) -> Int {
    var (weight, last) = (0, -1)
    for index in range where ids[index].batch != last {
      last = ids[index].batch
      weight = Swift.max(weight, batches[last].rowWeight)
    }
    return weight
  }
}

extension Rows {
  /// Whether their batches have more than `times` as many rows, so that a copy takes much less memory.
  func isSparse(_ times: Int = 4) -> Bool { count * times < batches.reduce(0) { $0 + $1.rowCount } }

  /// The rows, in order, in batches that hold only them; a new one whenever the dialect changes.
  ///
  /// A large batch is not copied if most of it is needed: the copy would take as much memory again.
  func copied() -> Rows {
    var copy = Rows()
    copy.ids.reserveCapacity(count)
    var start = 0
    while start < count {
      let first = batches[ids[start].batch]
      if first.isLarge, let end = endOfBetterPart(of: first, from: start) {
        copy.append(Rows(first, ids[start..<end].map { UInt32(truncatingIfNeeded: $0.row) }))
        start = end
        continue
      }
      var builder = BatchBuilder(origin: first.origin, capacity: min(bytes(from: start), 1 << 20))
      var known = -1
      while start < count {
        let id = ids[start]
        if id.batch != known, !builder.accepts(batches[id.batch]) { break }
        if !builder.hasRoom(for: batches[id.batch], row: id.row) { break }
        known = id.batch
        builder.append(batches[id.batch], row: id.row)
        start &+= 1
      }
      copy.append(Rows(builder.finish()))
    }
    return copy
  }

  /// Some of the rows, in order, in batches that hold only them; threads copy them if they are many.
  ///
  /// Rows that are scattered must know their places, or finding the line of each would scan its block.
  func copied(_ range: Range<Int>, _ tuning: Tuning) -> Rows {
    let threadCount = range.count < 32 * tuning.pieceSize ? 1 : tuning.threadCount
    let parts = Worker.map(range.count, onThreads: threadCount) { part in
      var copies = Rows()
      copies.ids.reserveCapacity(part.count)
      var piece = Rows()
      piece.batches = batches
      var sum: UInt8 = 0
      for start in stride(from: part.lowerBound, to: part.upperBound, by: tuning.pieceSize) {
        let end = min(start + tuning.pieceSize, part.upperBound)
        let places = range.lowerBound + start..<range.lowerBound + end
        sum &+= touch(places)
        piece.ids = Array(ids[places])
        copies.append(piece.copied())
      }
      // The sum must be used, or the compiler would not compute it.
      copies.ids.reserveCapacity(part.count + Int(sum & 1))
      return copies
    }
    var all = Rows()
    for part in parts { all.append(part) }
    return all
  }

  /// The same rows in batches that know the places of their rows.
  var placed: Rows {
    var placed = self
    placed.batches = batches.map(\.withPlaces)
    return placed
  }

  /// The position after the rows of a batch from `start` on; `nil` if they are less than half of it.
  private func endOfBetterPart(of batch: Batch, from start: Int) -> Int? {
    var bytes = 0
    var end = start
    while end < count, ids[end].batch == ids[start].batch {
      bytes &+= Int(batch.recordStarts[ids[end].row &+ 1]) &- Int(batch.recordStarts[ids[end].row])
      end &+= 1
    }
    return bytes >= batch.block.count / 2 ? end : nil
  }

  /// The size of the records from a position on, in bytes.
  private func bytes(from start: Int) -> Int {
    var sum = 0
    for index in start..<count {
      let starts = batches[ids[index].batch].recordStarts
      sum &+= Int(starts[ids[index].row &+ 1]) &- Int(starts[ids[index].row])
    }
    return sum
  }
}

extension Rows {
  /// The row after those from `start` on whose records together have `limit` bytes; at least one.
  ///
  /// - Parameters:
  ///   - rest: the row at which to stop.
  ///   - extra: the bytes that a row takes besides its record.
  func end(ofBytes limit: Int, from start: Int, to rest: Int, extra: Int = 0) -> Int {
    var sum = 0
    var end = start
    while end < rest, sum < limit {
      let starts = batches[ids[end].batch].recordStarts
      sum &+= Int(starts[ids[end].row &+ 1]) &- Int(starts[ids[end].row]) &+ extra
      end &+= 1
    }
    return end
  }

  /// The records of a range, one after another, each with its record end.
  ///
  /// Their offsets are read first, then a few bytes of each, so that the cache misses of many rows overlap.
  func packed(_ range: Range<Int>) -> ByteBlock {
    var places: [Range<Int>] = []
    places.reserveCapacity(range.count)
    var length = 0
    for index in range {
      let starts = batches[ids[index].batch].recordStarts
      let place = Int(starts[ids[index].row])..<Int(starts[ids[index].row &+ 1])
      places.append(place)
      length &+= place.count &+ 2
    }
    var sum: UInt8 = 0
    for (index, place) in zip(range, places) {
      let block = batches[ids[index].batch].block
      if place.count > 0 { sum &+= block[place.lowerBound] }
      if place.count > 64 { sum &+= block[place.lowerBound &+ 64] }
    }
    // The sum must be used, or the compiler would not compute it.
    var packed = ByteBlock.Builder(capacity: length &+ Int(sum & 1))
    for (index, place) in zip(range, places) {
      let batch = batches[ids[index].batch]
      packed.append(batch.block.span(from: place.lowerBound, count: place.count, heldBy: batch))
      if !batch.hasRecordEnd(before: place.upperBound) {
        let end = batch.origin.dialect.recordEnd
        packed.append(end.span)
      }
    }
    return packed.finish()
  }

  /// The rows of a range, with all notes on their cells, in batches made of copies of their records.
  ///
  /// - Parameter cutter: the cutter of the records of all of them.
  /// - Returns: `nil` if a record is not cut as it was before.
  func cutAgain(_ range: Range<Int>, by cutter: any BatchCutter) -> Rows? {
    var found = Rows()
    var start = range.lowerBound
    while start < range.upperBound {
      let next = end(ofBytes: Self.largestCopy, from: start, to: range.upperBound)
      let origin = batches[ids[start].batch].origin
      let packed = self.packed(start..<next)
      let batch = cutter.cut(packed, 0..<packed.count, origin: origin)
      guard let batch, batch.rowCount == next - start else { return nil }
      found.append(Rows(batch))
      start = next
    }
    return found
  }

  /// The size up to which records are brought together in one batch, in bytes; the last record may exceed it.
  private static let largestCopy = 1 << 26

  /// Writes the record of a row, with its record end, to a file.
  func write(_ index: Int, to file: SpillFile) throws(SystemError) {
    let batch = batches[ids[index].batch]
    let starts = batch.recordStarts
    let place = Int(starts[ids[index].row])..<Int(starts[ids[index].row &+ 1])
    let (block, end) = (batch.block, batch.origin.dialect.recordEnd)
    try file.append(block.span.extracting(place))
    if !batch.hasRecordEnd(before: place.upperBound) { try file.append(end.span) }
  }

  /// The number of the row at a position among all rows of the input, counted from 1.
  func number(at place: Int) -> Int { batches[ids[place].batch].rowNumber(ofRow: ids[place].row) }

  /// Whether all rows of a batch follow from `start` on, in order.
  func holdsAll(of batch: Batch, from start: Int) -> Bool {
    guard ids[start].row == 0, start + batch.rowCount <= count else { return false }
    return (0..<batch.rowCount).allSatisfy {
      ids[start + $0].batch == ids[start].batch && ids[start + $0].row == $0
    }
  }
}

extension Rows {
  /// Whether adjacent rows are often in different batches, as after a sort.
  func isScattered(_ range: Range<Int>) -> Bool {
    if batches.count == 1 { return false }
    var changes = 0
    var last = -1
    for index in range where ids[index].batch != last {
      last = ids[index].batch
      changes &+= 1
    }
    return changes > 2 && changes > range.count / 16
  }

  /// The rows of a range in the order in which they were read.
  ///
  /// One bit for each row of the batches is set and then read off: no comparisons are needed.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows of the batches.
  func ordered(_ range: Range<Int>) -> [RowID] {
    var starts: [Int] = []
    var count = 0
    for batch in batches {
      starts.append(count)
      count += batch.rowCount
    }
    var isIncluded = [UInt64](repeating: 0, count: (count + 63) / 64)
    for index in range {
      let place = starts[ids[index].batch] &+ ids[index].row
      isIncluded[place / 64] |= 1 &<< UInt64(place % 64)
    }
    var ordered: [RowID] = []
    ordered.reserveCapacity(range.count)
    var batch = 0
    for (word, bits) in isIncluded.enumerated() {
      var bits = bits
      while bits != 0 {
        let place = word &* 64 &+ bits.trailingZeroBitCount
        while batch &+ 1 < starts.count, starts[batch &+ 1] <= place { batch &+= 1 }
        ordered.append(RowID(batch: batch, row: place &- starts[batch]))
        bits &= bits &- 1
      }
    }
    return ordered
  }

  /// Reads the notes of each row, then a few bytes of its text, so that the cache misses of many rows overlap.
  func touch(_ range: Range<Int>) -> UInt8 {
    var sum: UInt8 = 0
    for index in range {
      let batch = batches[ids[index].batch]
      if batch.columnCount > 0 {
        sum &+= UInt8(truncatingIfNeeded: batch.cells[ids[index].row &* batch.columnCount].length)
      }
    }
    for index in range {
      let batch = batches[ids[index].batch]
      guard batch.columnCount > 0 else { continue }
      let place = batch.cells[ids[index].row &* batch.columnCount].offset
      if place < batch.block.count { sum &+= batch.block[place] }
      if place &+ 64 < batch.block.count { sum &+= batch.block[place &+ 64] }
    }
    return sum
  }
}

/// Rows in memory are one piece.
extension Rows: RowStore {
  var inMemory: Rows? { self }

  func pieces(of size: Int, rowSize: Int) -> RowPieces {
    let size = Tuning.pieceSize(rowWeight + rowSize, atMost: size)
    return { number in
      let start = number * size
      guard start < count else { return nil }
      return RowPiece(rows: self, range: start..<Swift.min(start + size, count), start: start)
    }
  }
}

extension Rows {
  /// Puts rows into the order that moves leave them in.
  mutating func reorder(_ order: RowOrder) {
    if order.isUnchanged { return }
    var ids: [RowID] = []
    ids.reserveCapacity(count)
    order.forEachBlock { _, origins in
      for origin in origins { ids.append(self.ids[origin]) }
      return true
    }
    self.ids = ids
  }
}

/// A row of one of several batches.
struct RowID: Hashable, Sendable {
  private var bits: UInt64

  @inline(__always)
  init(batch: Int, row: Int) {
    bits = UInt64(UInt32(truncatingIfNeeded: batch)) &<< 32 | UInt64(UInt32(truncatingIfNeeded: row))
  }

  /// The batch, as an index into `Rows.batches`.
  @inline(__always)
  var batch: Int { Int(truncatingIfNeeded: bits &>> 32) }

  /// The row in its batch, counted from 0.
  @inline(__always)
  var row: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }
}
