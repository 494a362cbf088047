/// All rows of a table in their order, kept so that any thread can have any piece of them, as often as need be.
protocol RowStore: Sendable {
  /// The number of rows.
  var count: Int { get }

  /// The number of pieces.
  var pieceCount: Int { get }

  /// The number of rows before a piece.
  func start(ofPiece index: Int) -> Int

  /// The rows of a piece, and no others.
  ///
  /// - Throws: what the system says of a file that cannot be read, `readAgain` where the input has changed.
  func rows(ofPiece index: Int) throws(SystemError) -> Rows
}

extension RowStore {
  /// The piece that a row lies in.
  func piece(ofRow row: Int) -> Int {
    var low = 0
    var high = pieceCount
    while high - low > 1 {
      let middle = (low + high) / 2
      if start(ofPiece: middle) <= row { low = middle } else { high = middle }
    }
    return low
  }
}

/// Rows that are had once, piece by piece, by any threads; every number is asked for, from 0 on, until there is none.
protocol RowStream: AnyObject, Sendable {
  /// The piece of that number, once those before it were had; `nil` after the last and after a failure.
  ///
  /// - Throws: what the system says of a file that cannot be read.
  func piece(_ index: Int) throws(SystemError) -> RowPieces.Piece?
}
