/// All rows of a table, in pieces that any thread can have in any order.
struct RowPieces: Sendable {
  /// Some rows that follow one another.
  struct Piece {
    /// The rows, perhaps with others.
    var rows: Rows

    /// Which of them belong to the piece.
    var range: Range<Int>

    /// The number of rows in the pieces before.
    var start: Int
  }

  private enum Source: Sendable {
    case held(Rows, size: Int)
    case kept(any RowStore)
  }

  private let source: Source

  /// Cuts rows into pieces of `size` rows.
  init(_ rows: Rows, size: Int) { source = .held(rows, size: size) }

  /// Takes the pieces in which rows are kept.
  init(_ rows: any RowStore) { source = .kept(rows) }

  /// The number of pieces.
  var count: Int {
    switch source {
    case .held(let rows, let size): (rows.count + size - 1) / size
    case .kept(let rows): rows.pieceCount
    }
  }

  /// A piece.
  subscript(index: Int) -> Piece {
    get throws(SystemError) {
      switch source {
      case .held(let rows, let size):
        let start = index * size
        return Piece(rows: rows, range: start..<min(start + size, rows.count), start: start)
      case .kept(let kept):
        let rows = try kept.rows(ofPiece: index)
        return Piece(rows: rows, range: 0..<rows.count, start: kept.start(ofPiece: index))
      }
    }
  }
}
