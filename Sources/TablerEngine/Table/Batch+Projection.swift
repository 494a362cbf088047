extension Batch {
  /// The batch with notes on a few columns only, in the order given.
  func leaned(to columns: [Int]) -> Batch {
    // A copy of what a very long cell says would take as much again.
    let sharesDecoded = isLarge
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
        if !sharesDecoded {
          escape.offset = UInt32(truncatingIfNeeded: decoded.count)
          decoded.append(content(cell))
        }
        lean.append(cell.moved(by: escapes.count &- cell.offset))
        escapes.append(escape)
      }
    }
    return Batch(
      block: block, decoded: sharesDecoded ? self.decoded : ByteBlock(taking: &decoded), escapes: escapes,
      cells: lean, columnCount: columns.count, recordStarts: recordStarts, origin: origin, places: places)
  }

  /// The batch with the places its rows were copied from.
  func placed(at places: [RowPlace]) -> Batch {
    Batch(
      block: block, decoded: decoded, escapes: escapes, cells: cells, columnCount: columnCount,
      recordStarts: recordStarts, origin: origin, places: places)
  }
}
