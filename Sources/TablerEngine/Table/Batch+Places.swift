extension Batch {
  /// The input that a row comes from, as an index into the plan's sources.
  @inline(__always)
  func source(ofRow row: Int) -> Int { places.isEmpty ? origin.source : places[row].source }

  /// The number of a row among all input rows, counted from 1.
  @inline(__always)
  func rowNumber(ofRow row: Int) -> Int { places.isEmpty ? origin.row &+ row : places[row].number }

  /// The line a record begins on, counted from 1; costs a scan of the block up to it, unless it was copied here.
  func line(ofRow row: Int) -> Int {
    if !places.isEmpty { return places[row].line }
    return origin.line + block.span(from: 0, count: Int(recordStarts[row]), heldBy: self).lineEnds
  }

  /// The line a record begins on, counted from 1; costs a scan of the records since `last`, where that lies above.
  ///
  /// - Parameter last: a row of the batch, and its line.
  func line(ofRow row: Int, from last: (row: Int, line: Int)) -> Int {
    guard places.isEmpty, last.row <= row else { return line(ofRow: row) }
    let start = Int(recordStarts[last.row])
    return last.line + block.span(from: start, count: Int(recordStarts[row]) - start, heldBy: self).lineEnds
  }
}

/// The lines that the rows of several batches begin on, for rows taken in any order.
///
/// Costs one scan of the batches, instead of one of half a block for each row.
struct RowLines: Sendable {
  private var lines: [[UInt32]] = []
  private let batches: [Batch]

  /// Counts the lines of all rows of `batches`.
  init(_ batches: [Batch]) {
    self.batches = batches
    lines.reserveCapacity(batches.count)
    for batch in batches { lines.append(batch.places.isEmpty ? batch.linesFromFirst : []) }
  }

  /// The line a row begins on, counted from 1.
  @inline(__always)
  subscript(_ id: RowID) -> Int {
    let counted = lines[id.batch]
    let batch = batches[id.batch]
    return counted.isEmpty ? batch.places[id.row].line : batch.origin.line &+ Int(counted[id.row])
  }
}

extension Batch {
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
