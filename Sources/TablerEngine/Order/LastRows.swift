/// The last rows of those that come, held in pieces: one is let go once enough rows stand after it.
///
/// They are kept in segments with as little as brings them back, so that what was let go is given back bit by bit, and
/// what lies in temporary files too.
struct LastRows {
  /// The number of rows that are sure to be held, if there are so many.
  private let limit: Int

  /// The number of rows held.
  private(set) var count = 0

  /// The bytes that the rows hold in memory.
  private(set) var memory = 0

  private var segments: [KeptRows] = []

  /// The pieces of the first segment that were let go.
  private var goneCount = 0

  /// How many times more rows than are held a batch may have before they are copied and the batch let go.
  private static let looseBatch = 4

  /// The bytes of a segment before notes on its cells are let go.
  private static let foldingSize = 1 << 23

  /// The segments that so many rows make.
  private static let segmentCount = 8

  /// Holds the last `limit` rows, and at times some before them.
  init(limit: Int) { self.limit = limit }

  /// All rows held, in order.
  var kept: KeptRows {
    var kept = KeptRows(foldingSize: Self.foldingSize)
    for (index, segment) in segments.enumerated() { kept.append(segment, from: index == 0 ? goneCount : 0) }
    return kept
  }

  /// Takes rows that come after those held.
  mutating func append(_ more: Rows) {
    guard more.count > 0 else { return }
    let readCount = more.batches.reduce(0) { $0 + $1.rowCount }
    let piece = more.count * Self.looseBatch < readCount ? more.copied() : more
    if segments.last.map({ $0.count >= limit / Self.segmentCount }) ?? true {
      segments.append(KeptRows(foldingSize: Self.foldingSize))
    }
    memory -= segments[segments.count - 1].memory
    segments[segments.count - 1].append(piece)
    memory += segments[segments.count - 1].memory
    count += piece.count
  }

  /// Whether enough rows stand after the first piece held.
  var hasSurplus: Bool { segments.first.map { count - $0.count(ofPiece: goneCount) >= limit } ?? false }

  /// The first piece held.
  func first() throws(SystemError) -> Rows { try segments.first?.rows(ofPiece: goneCount) ?? Rows() }

  /// Lets the first piece held go.
  mutating func dropFirst() {
    guard let first = segments.first else { return }
    count -= first.count(ofPiece: goneCount)
    goneCount += 1
    guard goneCount == first.pieceCount else { return }
    memory -= first.memory
    segments.removeFirst()
    goneCount = 0
  }

  /// The rows held before the last `limit` of them, once no others come.
  func surplus() throws(SystemError) -> Rows {
    guard count > limit else { return Rows() }
    var rows = try first()
    rows.ids.removeLast(max(0, rows.count - (count - limit)))
    return rows
  }

  /// Puts all that is held in memory into temporary files.
  mutating func spill() throws(SystemError) {
    for index in segments.indices { try segments[index].spill() }
    memory = 0
  }
}
