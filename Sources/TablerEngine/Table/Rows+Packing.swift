extension Rows {
  /// The row after those from `start` on whose records have so many bytes together; at least one.
  ///
  /// - Parameters:
  ///   - rest: the last row to look at.
  ///   - extra: the bytes that a row takes beside its record.
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

  /// The records of a range, one after the other, each with its end.
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
    // The sum is used, lest it is not made.
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

  /// Writes the record of a row, with its end, to a file.
  func write(_ index: Int, to file: SpillFile) throws(SystemError) {
    let batch = batches[ids[index].batch]
    let starts = batch.recordStarts
    let place = Int(starts[ids[index].row])..<Int(starts[ids[index].row &+ 1])
    let (block, end) = (batch.block, batch.origin.dialect.recordEnd)
    try file.append(block.span.extracting(place))
    if !batch.hasRecordEnd(before: place.upperBound) { try file.append(end.span) }
  }

  /// Whether all rows of a batch stand from `start` on, in their order.
  func holdsAll(of batch: Batch, from start: Int) -> Bool {
    guard ids[start].row == 0, start + batch.rowCount <= count else { return false }
    return (0..<batch.rowCount).allSatisfy {
      ids[start + $0].batch == ids[start].batch && ids[start + $0].row == $0
    }
  }
}
