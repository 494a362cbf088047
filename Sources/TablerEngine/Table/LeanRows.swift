/// Rows in any order without the notes on their cells, but for those they were sorted by: records are brought
/// together and cut again, piece by piece.
///
/// Cutting a record that is at hand costs less than fetching its notes from anywhere in memory.
struct LeanRows: RowStore {
  /// The rows; their batches have columns of their own.
  var rows: Rows

  /// What cuts their records: one for all of them.
  let cutter: any BatchCutter

  /// The rows brought together at a time.
  private let pieceSize: Int

  /// Takes rows whose batches were all made lean.
  init(_ rows: Rows, _ cutter: any BatchCutter, pieceSize: Int) {
    self.rows = rows
    self.cutter = cutter
    self.pieceSize = pieceSize
  }

  var count: Int { rows.count }

  var pieceCount: Int { (rows.count + pieceSize - 1) / pieceSize }

  func start(ofPiece index: Int) -> Int { index * pieceSize }

  func rows(ofPiece index: Int) throws(SystemError) -> Rows {
    let range = index * pieceSize..<min((index + 1) * pieceSize, rows.count)
    guard let first = rows.ids[range].first, let batch = cutter.batch(of: rows.packed(range), rows, first)
    else {
      throw SystemError(.readAgain, path: nil, code: 0)
    }
    return Rows(batch)
  }
}

extension BatchCutter {
  /// Cuts records that were brought together.
  fileprivate func batch(of block: ByteBlock, _ rows: Rows, _ first: RowID) -> Batch? {
    cut(block, from: 0, isLast: true, origin: rows.batches[first.batch].origin)
  }
}

extension Rows {
  /// The records of a range, one behind the other, each with its end.
  ///
  /// Where they lie is read first, then a few bytes of each, so that the cache misses of many rows overlap.
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
    let packed = ByteBlock(capacity: length &+ Int(sum & 1))
    for (index, place) in zip(range, places) {
      let batch = batches[ids[index].batch]
      packed.append(batch.block.span(from: place.lowerBound, count: place.count, heldBy: batch))
      if !batch.hasRecordEnd(before: place.upperBound) {
        let end = batch.origin.dialect.recordEnd
        packed.append(end.span)
      }
    }
    packed.seal()
    return packed
  }
}

extension Batch {
  /// The batch with notes on a few columns only, in the order given.
  func leaned(to columns: [Int]) -> Batch {
    var lean: [Cell] = []
    var escapes: [Escape] = []
    var decoded = ByteBuffer(capacity: 0)
    lean.reserveCapacity(rowCount * columns.count)
    for row in 0..<rowCount {
      for column in columns {
        let cell = cell(row: row, column: column)
        guard cell.isEscaped else {
          lean.append(cell)
          continue
        }
        var escape = self.escapes[cell.offset]
        escape.offset = UInt32(truncatingIfNeeded: decoded.count)
        decoded.append(content(cell))
        lean.append(cell.moved(by: escapes.count &- cell.offset))
        escapes.append(escape)
      }
    }
    return Batch(
      block: block, decoded: ByteBlock(decoded.span), escapes: escapes, cells: lean,
      columnCount: columns.count,
      recordStarts: recordStarts, origin: origin, places: places)
  }

  /// The batch with the places its rows were copied from.
  func placed(at places: [RowPlace]) -> Batch {
    Batch(
      block: block, decoded: decoded, escapes: escapes, cells: cells, columnCount: columnCount,
      recordStarts: recordStarts, origin: origin, places: places)
  }
}
