/// The lines that the rows of several batches begin on, for rows taken in any order.
///
/// Costs one scan of the batches, instead of one of half a block for each row.
struct RowLines: Sendable {
  /// What is known of the lines of one batch.
  private enum Lines {
    /// Every record is one line; the line of the first.
    case single(Int)

    /// The lines from the block's first byte to each record.
    case counted([UInt32], from: Int)

    /// The batch knows them.
    case known(Batch)
  }

  private let lines: [Lines]

  /// Counts the lines of all rows of `batches`.
  init(_ batches: [Batch]) {
    lines = batches.map { batch in
      if !batch.places.isEmpty || batch.rowCount == 0 { return .known(batch) }
      if batch.hasSingleLines { return .single(batch.line(ofRow: 0)) }
      return .counted(batch.linesFromFirst, from: batch.origin.line)
    }
  }

  /// The line a row begins on, counted from 1.
  @inline(__always)
  subscript(_ id: RowID) -> Int {
    switch lines[id.batch] {
    case .single(let first): first &+ id.row
    case .counted(let lines, let first): first &+ Int(lines[id.row])
    case .known(let batch): batch.line(ofRow: id.row)
    }
  }
}

extension Batch {
  /// Whether each record but the last ends with a line end and holds no other.
  fileprivate var hasSingleLines: Bool {
    let recordStarts = recordStarts
    let starts = recordStarts.span
    for row in 1..<max(rowCount, 1) where !hasRecordEnd(before: Int(starts[row])) { return false }
    let first = Int(starts[0])
    let length = Int(starts[rowCount &- 1]) &- first
    return block.span(from: first, count: length, heldBy: self).lineEnds == rowCount &- 1
  }

  /// How many lines lie between the first byte of the block and each record.
  fileprivate var linesFromFirst: [UInt32] {
    var lines: [UInt32] = []
    lines.reserveCapacity(rowCount)
    var line = 0
    var end = 0
    for row in 0..<rowCount {
      let start = Int(recordStarts[row])
      line &+= block.span(from: end, count: start &- end, heldBy: self).lineEnds
      end = start
      lines.append(UInt32(truncatingIfNeeded: line))
    }
    return lines
  }
}
