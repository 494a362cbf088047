/// All rows of a table in order, wherever they are: whatever draws them asks for them piece by piece.
protocol RowStore: Sendable {
  /// The number of rows.
  var count: Int { get }

  /// The rows, if all of them are in memory with all their notes.
  var inMemory: Rows? { get }

  /// Whether the rows come from many places of a file on each pass, which takes longer than painting them.
  var isMerged: Bool { get }

  /// Begins a pass over the rows, from the first to the last, in pieces of about `size` rows, fewer if they
  /// are large; it may be called again.
  ///
  /// - Parameter rowSize: the bytes that are painted of a row, whatever its cells hold.
  /// - Throws: the system's error for a file that cannot be read.
  func pieces(of size: Int, rowSize: Int) throws(SystemError) -> RowPieces
}

/// The piece with a given number, for any thread; every number is requested once, from 0 on, until there is
/// no piece.
///
/// It is `nil` after the last piece and after a failure. It throws the system's error for a file that cannot
/// be read, `readAgain` if the input has changed.
typealias RowPieces = @Sendable (Int) throws(SystemError) -> RowPiece?

/// Some consecutive rows.
struct RowPiece {
  /// The rows, perhaps with others.
  var rows: Rows

  /// Which of them belong to the piece.
  var range: Range<Int>

  /// The number of rows in the pieces before.
  var start: Int

  /// The rows of the piece, and no others.
  var own: Rows {
    var own = rows
    if range.count < rows.count { own.ids = Array(rows.ids[range]) }
    return own
  }
}

extension RowStore {
  /// None: some rows may not be in memory.
  var inMemory: Rows? { nil }

  /// Not merged, unless they are runs.
  var isMerged: Bool { false }

  /// Calls `body` with all rows in order, some at a time.
  ///
  /// - Parameters:
  ///   - problem: turns the error for a file that cannot be read into another one.
  ///   - body: receives some rows, and the number of rows before them.
  func forEachPiece<Problem: Error>(
    failing problem: (SystemError) -> Problem, _ body: (Rows, Int) throws(Problem) -> Void
  ) throws(Problem) {
    if let rows = inMemory { return try body(rows, 0) }
    let pieces: RowPieces
    do { pieces = try self.pieces(of: .max, rowSize: 0) } catch { throw problem(error) }
    var number = 0
    while true {
      let piece: RowPiece?
      do { piece = try pieces(number) } catch { throw problem(error) }
      guard let piece else { return }
      try body(piece.own, piece.start)
      number += 1
    }
  }

  /// Calls `body` with all rows in order, some at a time, and the number of rows before them.
  func forEachPiece(_ body: (Rows, Int) -> Void) throws(SystemError) {
    try forEachPiece(failing: \.self) { (rows, start) throws(SystemError) in body(rows, start) }
  }
}
