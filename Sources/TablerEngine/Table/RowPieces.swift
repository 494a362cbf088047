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
    case stored(any RowStore, [Slice], Monitor<[Int: Rows]>)
    case coming(any RowStream)
  }

  /// Some rows of a piece of a store.
  private struct Slice: Sendable {
    var piece: Int
    var range: Range<Int>
  }

  private let source: Source

  /// Cuts rows into pieces of `size` rows.
  init(_ rows: Rows, size: Int) { source = .held(rows, size: size) }

  /// Takes the pieces in which rows are stored, those of more than 2 `size` rows in slices.
  init(_ rows: any RowStore, size: Int) {
    var slices: [Slice] = []
    for piece in 0..<rows.pieceCount {
      let end = piece + 1 < rows.pieceCount ? rows.start(ofPiece: piece + 1) : rows.count
      let count = end - rows.start(ofPiece: piece)
      let step = count > 2 * size ? size : max(count, 1)
      for start in stride(from: 0, to: count, by: step) {
        slices.append(Slice(piece: piece, range: start..<min(start + step, count)))
      }
    }
    source = .stored(rows, slices, Monitor([:]))
  }

  /// Takes pieces as they come.
  init(_ rows: any RowStream) { source = .coming(rows) }

  /// The piece of that number, each asked for once; `nil` after the last.
  ///
  /// - Throws: what `RowStore` and `RowStream` throw.
  func piece(_ index: Int) throws(SystemError) -> Piece? {
    switch source {
    case .held(let rows, let size):
      let start = index * size
      guard start < rows.count else { return nil }
      return Piece(rows: rows, range: start..<min(start + size, rows.count), start: start)
    case .stored(let stored, let slices, let known):
      guard index < slices.count else { return nil }
      let slice = slices[index]
      let isShared =
        slice.range.lowerBound > 0 || index + 1 < slices.count && slices[index + 1].piece == slice.piece
      let rows =
        try isShared ? Self.rows(ofPiece: slice.piece, of: stored, known) : stored.rows(ofPiece: slice.piece)
      return Piece(
        rows: rows, range: slice.range, start: stored.start(ofPiece: slice.piece) + slice.range.lowerBound)
    case .coming(let stream): return try stream.piece(index)
    }
  }

  /// The rows of a piece of which several slices are asked for; those of a few pieces are at hand.
  private static func rows(
    ofPiece piece: Int, of stored: any RowStore, _ known: Monitor<[Int: Rows]>
  ) throws(SystemError) -> Rows {
    if let rows = known.access({ $0[piece] }) { return rows }
    let rows = try stored.rows(ofPiece: piece)
    known.access { known in
      known[piece] = rows
      if let oldest = known.keys.min(), known.count > 2 { known[oldest] = nil }
    }
    return rows
  }
}
