/// All rows of a table in their order, kept so that any thread can have any piece of them, as often as need be.
protocol RowStore: Sendable {
  /// The number of rows.
  var count: Int { get }

  /// The number of pieces.
  var pieceCount: Int { get }

  /// The number of rows before a piece.
  func start(ofPiece index: Int) -> Int

  /// The rows of a piece, and no others.
  func rows(ofPiece index: Int) throws(SystemError) -> Rows
}
