extension Batch {
  /// The bytes that the batch holds in memory.
  var memory: Int {
    block.capacity + decoded.capacity + cells.capacity * MemoryLayout<Cell>.stride
      + recordStarts.capacity * MemoryLayout<UInt32>.stride + escapes.capacity * MemoryLayout<Escape>.stride
      + places.capacity * MemoryLayout<RowPlace>.stride
  }

  /// Whether the block is larger than 4 MiB, as only a very long record makes it; few such batches are held at once.
  var isLarge: Bool { block.count > 1 << 22 }
}

extension Rows {
  /// The bytes that the rows and their batches hold in memory.
  var memory: Int {
    batches.reduce(ids.capacity * MemoryLayout<RowID>.stride) { $0 + $1.memory }
  }
}

extension Rows {
  /// The bytes that a row and the notes on its cells take, guessed on the large side: long records may stand among
  /// short ones.
  var rowWeight: Int { batches.reduce(0) { max($0, $1.rowWeight) } }
}

extension Batch {
  fileprivate var rowWeight: Int {
    let bytes = Int(recordStarts[rowCount]) - Int(recordStarts[0])
    return min(bytes, 4 * bytes / max(rowCount, 1)) + columnCount * MemoryLayout<Cell>.stride
  }
}
