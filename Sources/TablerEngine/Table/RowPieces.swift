/// All rows of a table, in pieces that several threads share out among them.
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
    case coming(any RowSequence)
  }

  private let source: Source

  /// Cuts rows into pieces of `size` rows.
  init(_ rows: Rows, size: Int) { source = .held(rows, size: size) }

  /// Takes the pieces in which rows are kept.
  init(_ rows: any RowStore) { source = .kept(rows) }

  /// Takes pieces as they come.
  init(_ rows: any RowSequence) { source = .coming(rows) }

  /// The piece of that number, each asked for once; `nil` behind the last.
  func piece(_ index: Int) throws(SystemError) -> Piece? {
    switch source {
    case .held(let rows, let size):
      let start = index * size
      guard start < rows.count else { return nil }
      return Piece(rows: rows, range: start..<min(start + size, rows.count), start: start)
    case .kept(let kept):
      guard index < kept.pieceCount else { return nil }
      let rows = try kept.rows(ofPiece: index)
      return Piece(rows: rows, range: 0..<rows.count, start: kept.start(ofPiece: index))
    case .coming(let sequence): return try sequence.piece(index)
    }
  }
}
