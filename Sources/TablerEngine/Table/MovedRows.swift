/// Rows that are kept piece by piece, in another order.
struct MovedRows: RowStore {
  /// The rows in their order; the batch of each is a piece, its row the place in that.
  var rows: Rows

  private let kept: KeptRows

  /// The kept piece that was asked for last: several pieces of rows in their new order may lie in it.
  private let last = Monitor<(index: Int, rows: Rows)?>(nil)

  private let pieceSize: Int

  /// The bytes of the rows brought together at a time, about.
  private static let largestPiece = 1 << 22

  /// Takes all rows in the order in which they are kept, in pieces of `pieceSize`.
  init(_ kept: KeptRows, pieceSize: Int) {
    self.kept = kept
    self.pieceSize = Tuning.pieceSize(kept.rowWeight, bytes: Self.largestPiece, atMost: pieceSize)
    rows = Rows()
    rows.ids.reserveCapacity(kept.count)
    for piece in 0..<kept.pieceCount {
      let end = piece + 1 < kept.pieceCount ? kept.start(ofPiece: piece + 1) : kept.count
      for row in 0..<end - kept.start(ofPiece: piece) { rows.ids.append(RowID(batch: piece, row: row)) }
    }
  }

  var count: Int { rows.count }

  var pieceCount: Int { (rows.count + pieceSize - 1) / pieceSize }

  func start(ofPiece index: Int) -> Int { index * pieceSize }

  /// Brings the rows of a piece together; of pieces they lie in only those rows stay.
  func rows(ofPiece index: Int) throws(SystemError) -> Rows {
    let ids = rows.ids[index * pieceSize..<min((index + 1) * pieceSize, rows.count)]
    var places: [Int: [Int]] = [:]
    for (place, id) in ids.enumerated() { places[id.batch, default: []].append(place) }
    var found = Rows()
    found.ids = Array(repeating: RowID(batch: 0, row: 0), count: ids.count)
    for (piece, places) in places {
      var some = try rows(ofKeptPiece: piece)
      let all = some.count
      some.ids = places.map { some.ids[ids[ids.startIndex + $0].row] }
      if some.count * 4 < all { some = some.copied() }
      for (place, id) in zip(places, some.ids) {
        found.ids[place] = RowID(batch: found.batches.count + id.batch, row: id.row)
      }
      found.batches += some.batches
    }
    return found
  }

  private func rows(ofKeptPiece index: Int) throws(SystemError) -> Rows {
    let known = last.access { last in
      // Two are not held at once: a piece may be one very long record.
      if last?.index != index { last = nil }
      return last?.rows
    }
    if let known { return known }
    let rows = try kept.rows(ofPiece: index)
    last.access { $0 = (index, rows) }
    return rows
  }
}
