/// Some records of a block, which a thread cuts by itself.
///
/// It begins where a record does if the piece before it ends with one, and ends where the last whole record of its block
/// seems to. If that is wrong, the reader cuts the records itself from there on. Only the reader reports damage and adds
/// columns: a piece that has any keeps no records.
protocol RecordPiece: AnyObject, Sendable {
  /// What cuts records.
  associatedtype Cutter: Sendable

  /// Takes some bytes of a block.
  init(_ range: Range<Int>, _ cutter: Cutter)

  /// Where it ends in the block.
  var end: Int { get }

  /// Whether its records may be taken.
  var hasRecords: Bool { get }

  /// The number of line ends in it, if it has records.
  var lineEnds: Int { get }

  /// Cuts its records.
  func cut(_ block: ByteBlock)

  /// Where the last whole record of a block seems to end; `start` if there is none.
  static func end(of block: ByteBlock, from start: Int, _ cutter: Cutter) -> Int
}

/// Cuts the records of an input on several threads, some blocks before their reader comes to them.
struct RecordPieces<Piece: RecordPiece>: ~Copyable {
  private let tuning: Tuning

  /// The pieces that are being cut, in order, each from a block of its own.
  private var ahead: [Stretch] = []

  /// What cuts them.
  private var cutter: Piece.Cutter?

  /// The threads that cut them.
  private let crew: Crew

  /// The number of line ends before the next piece in its block.
  private var linesBefore = 0

  /// Whether the reader must cut the next records, because a thread could not.
  private var needsReader = false

  /// The number of pieces that were cut less sixteen for each that only the reader could cut; if it falls to 0, the reader
  /// cuts all others.
  private var credit = 256

  /// The bytes that were made into records.
  private var byteCount = 0

  /// A piece that is being cut.
  private struct Stretch {
    let piece: Piece

    /// Where it begins; the line is known once all pieces before it were taken.
    let spot: BlockFeed.Spot
    let ticket: Crew.Ticket
  }

  init(_ context: InputContext) {
    tuning = context.tuning
    crew = context.crew
  }

  deinit { crew.drop(ahead.map(\.ticket)) }

  /// Begins to cut records ahead, if the input has proved not to be small.
  ///
  /// - Returns: whether some are being cut.
  mutating func begin(_ feed: BlockFeed, _ cutter: @autoclosure () -> Piece.Cutter) -> Bool {
    guard !needsReader, credit > 0, byteCount > tuning.smallInput, tuning.threadCount > 1, mayCut(feed) else {
      return false
    }
    self.cutter = cutter()
    linesBefore = feed.lineEndsBeforeStart
    fill(from: feed)
    return !ahead.isEmpty
  }

  /// Whether the block has so many bytes left that a thread is worth it, and not so many that only one may be in memory.
  private func mayCut(_ feed: BlockFeed) -> Bool {
    feed.held >= tuning.blockSize / 4 && feed.block.count <= 2 * tuning.blockSize
  }

  /// Has more pieces cut, as long as reading does not have to wait for bytes.
  private mutating func fill(from feed: BlockFeed) {
    guard let cutter else { return }
    while ahead.count < crew.threadCount + 2 {
      if let last = ahead.last, !feed.readAhead(after: last.spot.block) { return }
      let block = feed.block
      let end = mayCut(feed) ? Piece.end(of: block, from: feed.start, cutter) : feed.start
      guard end > feed.start else { return }
      let piece = Piece(feed.start..<end, cutter)
      ahead.append(
        Stretch(piece: piece, spot: feed.spot, ticket: crew.add { piece.cut(block) }))
      feed.passOver(to: end)
    }
  }

  /// The next piece that was cut, and where it is; `nil` if there is none, or if the reader must cut it: then the feed is
  /// where it begins.
  ///
  /// - Throws: what has ended the input, once all that was read before has been cut.
  mutating func next(from feed: BlockFeed) throws(InputError) -> (piece: Piece, spot: BlockFeed.Spot)? {
    guard !ahead.isEmpty else {
      do { try feed.throwDamage() } catch { throw .system(error) }
      return nil
    }
    fill(from: feed)
    let first = ahead.removeFirst()
    crew.finish(first.ticket)
    let piece = first.piece
    var spot = first.spot
    spot.line = feed.line
    guard piece.hasRecords else {
      crew.drop(ahead.map(\.ticket))
      needsReader = true
      credit -= 16
      feed.goBack(to: spot, over: ahead.map(\.spot))
      ahead = []
      return nil
    }
    feed.recordLineEnds(linesBefore + piece.lineEnds, of: spot)
    linesBefore = 0
    credit = min(credit + 1, 256)
    byteCount += piece.end - spot.start
    return (piece, spot)
  }

  /// Records that the reader has read the bytes before `end`.
  ///
  /// - Parameter lineEnds: the number of line ends among them, if it is known.
  mutating func consume(_ feed: BlockFeed, to end: Int, lineEnds: Int? = nil) {
    needsReader = false
    byteCount += end - feed.start
    feed.consume(to: end, lineEnds: lineEnds)
  }
}
