/// Rows in any order without the notes on their cells, but for those they were sorted by: records are brought
/// together and cut again, piece by piece.
///
/// Cutting a record that is at hand costs less than fetching its notes from anywhere in memory.
struct LeanRows: RowStore {
  /// The rows; their batches have columns of their own.
  var rows: Rows

  /// What cuts their records: one for all of them.
  let cutter: any BatchCutter

  /// The rows brought together at a time.
  private let pieceSize: Int

  /// Takes rows whose batches were all made lean.
  init(_ rows: Rows, _ cutter: any BatchCutter, pieceSize: Int) {
    self.rows = rows
    self.cutter = cutter
    let weight = rows.rowWeight + cutter.columnCount * MemoryLayout<Cell>.stride
    self.pieceSize = Tuning.pieceSize(weight, bytes: Self.largestPiece, atMost: pieceSize)
  }

  var count: Int { rows.count }

  var pieceCount: Int { (rows.count + pieceSize - 1) / pieceSize }

  func start(ofPiece index: Int) -> Int { index * pieceSize }

  func rows(ofPiece index: Int) throws(SystemError) -> Rows {
    var found = Rows()
    var start = index * pieceSize
    let end = min(start + pieceSize, rows.count)
    while start < end {
      let next = rows.end(ofBytes: Self.largestBatch, from: start, to: end)
      let origin = rows.batches[rows.ids[start].batch].origin
      let packed = rows.packed(start..<next)
      let batch = cutter.cut(packed, 0..<packed.count, origin: origin)
      guard let batch, batch.rowCount == next - start else {
        throw SystemError(.readAgain, path: nil, code: 0)
      }
      found.append(Rows(batch))
      start = next
    }
    return found
  }

  /// The bytes of the rows brought together at a time, about.
  private static let largestPiece = 1 << 22

  /// The bytes that are brought together in one batch, or a record more.
  private static let largestBatch = 1 << 26
}
