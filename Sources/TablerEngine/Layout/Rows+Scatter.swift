extension Rows {
  /// Whether neighbours often lie in different batches, as after a sort.
  func isScattered(_ range: Range<Int>) -> Bool {
    var changes = 0
    var last = -1
    for index in range where ids[index].batch != last {
      last = ids[index].batch
      changes &+= 1
    }
    return changes > 2 && changes > range.count / 16
  }

  /// The rows of a range in the order they were read.
  ///
  /// One bit for each row of the batches is set and then read off: no comparison is needed.
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
