/// The last rows of those that come, held in pieces: one is let go once enough rows stand behind it.
struct LastRows {
  /// The number of rows that are sure to be held, if there are so many.
  private let limit: Int

  /// The number of rows held.
  private(set) var count = 0

  /// The bytes that the rows hold in memory.
  private(set) var memory = 0

  private var pieces: [Rows] = []

  /// The first piece that is held; those before it are empty.
  private var first = 0

  /// How many times more rows than are held a batch may have before they are copied and the batch let go.
  private static let looseBatch = 4

  /// Holds the last `limit` rows, and at times some before them.
  init(limit: Int) { self.limit = limit }

  /// All rows held, in order.
  var rows: Rows {
    var rows = Rows()
    for piece in pieces[first...] { rows.append(piece) }
    return rows
  }

  /// Takes rows behind those held.
  ///
  /// - Returns: the rows let go, in order; at least `limit` rows stand behind them.
  mutating func push(_ more: Rows) -> Rows {
    guard more.count > 0 else { return Rows() }
    let readCount = more.batches.reduce(0) { $0 + $1.rowCount }
    let piece = more.count * Self.looseBatch < readCount ? more.copied() : more
    pieces.append(piece)
    count += piece.count
    memory += piece.memory
    var gone = Rows()
    while first < pieces.count, count - pieces[first].count >= limit {
      let piece = pieces[first]
      pieces[first] = Rows()
      first += 1
      count -= piece.count
      memory -= piece.memory
      if gone.count == 0 { gone = piece } else { gone.append(piece) }
    }
    if first > 64, first > pieces.count / 2 {
      pieces.removeFirst(first)
      first = 0
    }
    return gone
  }
}
