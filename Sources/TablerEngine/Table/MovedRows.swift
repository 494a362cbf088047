/// Rows that are kept piece by piece, in another order.
struct MovedRows: RowStore {
  private let kept: KeptRows
  private let order: RowOrder

  /// The places of the order that are shown.
  private let shown: Range<Int>

  private let pieceSize: Int

  /// The kept piece that was asked for last: several pieces of rows in their new order may lie in it.
  private let last = Monitor<(index: Int, rows: Rows)?>(nil)

  /// The bytes of the rows brought together at a time, about.
  private static let largestPiece = 1 << 22

  /// Takes some rows of an order, in pieces of at most `pieceSize` rows.
  init(_ kept: KeptRows, _ order: RowOrder, _ shown: Range<Int>, pieceSize: Int) {
    self.kept = kept
    self.order = order
    self.shown = shown
    self.pieceSize = Tuning.pieceSize(kept.rowWeight, bytes: Self.largestPiece, atMost: pieceSize)
  }

  var count: Int { shown.count }

  var pieceCount: Int { (count + pieceSize - 1) / pieceSize }

  func start(ofPiece index: Int) -> Int { index * pieceSize }

  /// Brings the rows of a piece together; of pieces they lie in only those rows stay.
  func rows(ofPiece index: Int) throws(SystemError) -> Rows {
    let start = shown.lowerBound + index * pieceSize
    let origins = order.origins(of: start..<min(start + pieceSize, shown.upperBound))
    var places: [Int: [Int]] = [:]
    for (place, origin) in origins.enumerated() {
      places[kept.piece(ofRow: origin), default: []].append(place)
    }
    var found = Rows()
    found.ids = Array(repeating: RowID(batch: 0, row: 0), count: origins.count)
    for (piece, places) in places {
      var some = try rows(ofKeptPiece: piece)
      let all = some.count
      let first = kept.start(ofPiece: piece)
      some.ids = places.map { some.ids[origins[$0] - first] }
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
