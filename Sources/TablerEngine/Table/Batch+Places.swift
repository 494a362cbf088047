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
