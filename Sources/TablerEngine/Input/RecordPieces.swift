/// Some records of a block, which a thread cuts by itself.
///
/// A block is divided where records seem to end. The first piece begins where a record does. If it ends as it should, so
/// does the next one, and so on; the reader cuts the others again. Only the reader reports damage and adds columns: a piece
/// that has any keeps no records.
protocol RecordPiece: AnyObject, Sendable {
  /// Where it ends in the block.
  var end: Int { get }

  /// Whether its records may be taken.
  var hasRecords: Bool { get }
}

/// Cuts the records of a block on several threads, before their reader comes to them.
struct RecordPieces<Piece: RecordPiece> {
  private let tuning: Tuning

  /// The pieces that were cut, the next one last.
  private var cut: [Piece] = []

  /// How many more blocks may have pieces that only the reader can cut, before it cuts all of them.
  private var remainingFailures = 16

  /// The bytes that were made into records.
  private var byteCount = 0

  /// The most pieces that a block is divided into.
  private static var mostPieces: Int { 8 }

  init(_ tuning: Tuning) { self.tuning = tuning }

  /// Cuts the records of the block, if it has many of them; later blocks have one of the usual size for each thread.
  ///
  /// - Parameters:
  ///   - divide: divides the rest of the block into at most so many pieces.
  ///   - body: cuts the records of a piece.
  /// - Returns: whether there are records now.
  mutating func cut(
    _ feed: BlockFeed, _ divide: (ByteBlock, Int) -> [Piece],
    _ body: @escaping @Sendable (Piece, ByteBlock) -> Void
  ) -> Bool {
    guard remainingFailures > 0, byteCount > tuning.smallInput else { return false }
    let threadCount = min(tuning.threadCount, Self.mostPieces)
    let count = min(threadCount, feed.held / max(tuning.blockSize / 4, 1))
    feed.blockSize = tuning.blockSize * threadCount
    guard count > 1 else { return false }
    let block = feed.block
    let all = divide(block, count)
    Worker.concurrently(all.count) { body(all[$0], block) }
    cut = all.prefix { $0.hasRecords }.reversed()
    if cut.count < all.count { remainingFailures -= 1 }
    return !cut.isEmpty
  }

  /// The next piece that was cut.
  mutating func next() -> Piece? { cut.popLast() }

  /// Records that the bytes before `end` are read.
  ///
  /// - Parameter lineEnds: the number of line ends among them, if it is known.
  mutating func consume(_ feed: BlockFeed, to end: Int, lineEnds: Int? = nil) {
    byteCount += end - feed.start
    feed.consume(to: end, lineEnds: lineEnds)
  }
}
