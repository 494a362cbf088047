extension Batch {
  /// The bytes that the batch holds in memory.
  var memory: Int {
    block.capacity + decoded.capacity + cells.capacity * MemoryLayout<Cell>.stride
      + recordStarts.capacity * MemoryLayout<UInt32>.stride + escapes.capacity * MemoryLayout<Escape>.stride
      + places.capacity * MemoryLayout<RowPlace>.stride
  }
}

extension Rows {
  /// The bytes that the rows and their batches hold in memory.
  var memory: Int {
    batches.reduce(ids.capacity * MemoryLayout<RowID>.stride) { $0 + $1.memory }
  }
}
