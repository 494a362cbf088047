/// The order that moves leave rows in: a bit a row and move, whatever moves where.
struct RowOrder: Sendable {
  /// One move: some rows go before a boundary, and all keep their order among themselves.
  private struct Step: Sendable {
    let isMoving: RowBits
    let chunkStarts: [Int]
    let movingCount: Int

    /// How many of the rows that stay come before those that move.
    let stayingBefore: Int
  }

  /// The number of rows.
  let count: Int

  private var steps: [Step] = []

  /// The order rows came in.
  init(count: Int) { self.count = count }

  /// Whether no row was moved.
  var isUnchanged: Bool { steps.isEmpty }

  /// Moves some rows before the row at `boundary`; moved and other rows keep their order among themselves.
  ///
  /// - Parameter isMoving: rows by their place in the order so far.
  mutating func move(_ isMoving: RowBits, to boundary: Int) {
    let count = isMoving.count
    if count == 0 { return }
    steps.append(
      Step(
        isMoving: isMoving, chunkStarts: isMoving.chunkStarts, movingCount: count,
        stayingBefore: boundary - isMoving.count(before: boundary)))
  }

  /// Where the rows of some places were in the order they came in.
  func origins(of places: Range<Int>) -> [Int] {
    var origins = Array(places)
    for step in steps.reversed() {
      var moving = RowBits.Finder(step.isMoving, starts: step.chunkStarts, isMember: true)
      var before = RowBits.Finder(step.isMoving, starts: step.chunkStarts, isMember: false)
      var after = before
      let end = step.stayingBefore + step.movingCount
      for index in origins.indices {
        let place = origins[index]
        origins[index] =
          if place < step.stayingBefore {
            before.row(ofRank: place)
          } else if place < end {
            moving.row(ofRank: place - step.stayingBefore)
          } else {
            after.row(ofRank: place - step.movingCount)
          }
      }
    }
    return origins
  }

  /// The order as it is, a block of places at a time.
  ///
  /// - Parameter body: takes the first place of a block and where its rows were; returns whether to go on.
  func forEachBlock(_ body: (Int, [Int]) -> Bool) {
    for start in stride(from: 0, to: count, by: Self.blockSize) {
      guard body(start, origins(of: start..<min(start + Self.blockSize, count))) else { return }
    }
  }

  private static let blockSize = 1 << 14
}
