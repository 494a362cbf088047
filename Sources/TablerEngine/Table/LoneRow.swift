/// A row as a batch of its own, whose bytes are left where they lie in another: a copy of a very long record would take
/// as much memory again.
struct LoneRow {
  /// The notes on the row; they count bytes from the start of `decoded` and `block`.
  let notes: Batch

  /// The contents of its escaped cells, in the decoded bytes of its batch.
  let decoded: Range<Int>

  /// Its record, in the block of its batch.
  let block: Range<Int>

  /// The bytes from which on a record is better left where it lies.
  private static let longRecord = 1 << 22

  /// Notes the row of a batch, which begins on `line`; `nil` where its record is not long, or holds not all of its cells.
  init?(_ batch: Batch, row: Int, line: Int) {
    let block = Int(batch.recordStarts[row])..<Int(batch.recordStarts[row + 1])
    guard block.count >= Self.longRecord else { return nil }
    var cells: [Cell] = []
    var escapes: [Escape] = []
    var decoded: Range<Int>?
    for column in 0..<batch.fieldCount(ofRow: row) {
      let cell = batch.cell(row: row, column: column)
      if cell.kind == .missing {
        cells.append(cell)
      } else if cell.isEscaped {
        var escape = batch.escapes[cell.offset]
        let content = Int(escape.offset)..<Int(escape.offset) + cell.length
        decoded =
          decoded.map { min($0.lowerBound, content.lowerBound)..<max($0.upperBound, content.upperBound) }
          ?? content
        let spelling = Int(escape.rawOffset)..<Int(escape.rawOffset) + Int(escape.rawLength)
        guard block.lowerBound <= spelling.lowerBound, spelling.upperBound <= block.upperBound else {
          return nil
        }
        escape.rawOffset -= UInt32(truncatingIfNeeded: block.lowerBound)
        cells.append(cell.moved(by: escapes.count - cell.offset))
        escapes.append(escape)
      } else {
        guard block.lowerBound <= cell.offset, cell.offset + cell.length <= block.upperBound else {
          return nil
        }
        cells.append(cell.moved(by: -block.lowerBound))
      }
    }
    self.block = block
    self.decoded = decoded ?? 0..<0
    for index in escapes.indices {
      escapes[index].offset -= UInt32(truncatingIfNeeded: self.decoded.lowerBound)
    }
    let place = RowPlace(source: batch.source(ofRow: row), line: line, number: batch.rowNumber(ofRow: row))
    var origin = batch.origin
    (origin.source, origin.line, origin.row) = (place.source, place.line, place.number)
    origin.isVerbatim = origin.isVerbatim && batch.hasRecordEnd(before: block.upperBound)
    notes = Batch(
      block: .empty, decoded: .empty, escapes: escapes, cells: cells,
      columnCount: cells.count, recordStarts: [0, UInt32(truncatingIfNeeded: block.count)], origin: origin,
      places: [place])
  }
}
