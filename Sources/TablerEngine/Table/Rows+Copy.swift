extension Rows {
  /// The rows, in their order, in batches that hold nothing else; a new one where the dialect changes.
  ///
  /// A large batch of which they are the better part is not copied, which would take as much memory again.
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

  /// The place after the rows of a batch from `start` on; `nil` where they are less than half of it.
  private func endOfBetterPart(of batch: Batch, from start: Int) -> Int? {
    var bytes = 0
    var end = start
    while end < count, ids[end].batch == ids[start].batch {
      bytes &+= Int(batch.recordStarts[ids[end].row &+ 1]) &- Int(batch.recordStarts[ids[end].row])
      end &+= 1
    }
    return bytes >= batch.block.count / 2 ? end : nil
  }

  /// The bytes of the records from a place on.
  private func bytes(from start: Int) -> Int {
    var sum = 0
    for index in start..<count {
      let starts = batches[ids[index].batch].recordStarts
      sum &+= Int(starts[ids[index].row &+ 1]) &- Int(starts[ids[index].row])
    }
    return sum
  }
}
