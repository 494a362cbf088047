/// Rows in another order than they are stored in: the rows of a piece are brought together when it is requested.
struct OrderedRows: RowStore {
  /// Where the rows come from.
  private enum RowSource: Sendable {
    /// Records in memory, in order, with the notes on their keys only; and the cutter that cuts all of them again.
    ///
    /// Cutting a record that was just read takes less time than fetching its notes from random places in memory.
    case records(Rows, any BatchCutter)

    /// Rows that are stored in the order in which they came, and their present order.
    case stored(RowFetcher, RowOrder)
  }

  private let source: RowSource

  /// The positions of the order that are shown.
  private let shown: Range<Int>

  /// The number of rows brought together at a time.
  private let pieceSize: Int

  /// The approximate size of the rows brought together at a time, in bytes.
  private static let largestPiece = 1 << 22

  /// Shows sorted rows that hold only the notes on their keys, in pieces of at most `pieceSize` rows.
  ///
  /// - Parameter cutter: the cutter of the records of all of them.
  init(_ rows: Rows, cutter: any BatchCutter, _ shown: Range<Int>, pieceSize: Int) {
    source = .records(rows, cutter)
    self.shown = shown
    let weight = rows.rowWeight + cutter.columnCount * MemoryLayout<Cell>.stride
    self.pieceSize = Tuning.pieceSize(weight, bytes: Self.largestPiece, atMost: pieceSize)
  }

  /// Shows some rows of an order of others, in pieces of at most `pieceSize` rows.
  init(_ rows: StoredRows, _ order: RowOrder, _ shown: Range<Int>, pieceSize: Int) {
    source = .stored(RowFetcher(rows), order)
    self.shown = shown
    self.pieceSize = Tuning.pieceSize(rows.rowWeight, bytes: Self.largestPiece, atMost: pieceSize)
  }

  var count: Int { shown.count }

  func pieces(of size: Int, rowSize: Int) -> RowPieces {
    let size = min(pieceSize, Tuning.pieceSize(rowSize, atMost: size))
    return { (number) throws(SystemError) in
      let start = number * size
      guard start < count else { return nil }
      let end = min(start + size, count)
      let rows = try rows(at: shown.lowerBound + start..<shown.lowerBound + end)
      return RowPiece(rows: rows, range: 0..<rows.count, start: start)
    }
  }

  /// The rows at some positions of the order.
  private func rows(at places: Range<Int>) throws(SystemError) -> Rows {
    switch source {
    case .records(let rows, let cutter):
      guard let found = rows.cutAgain(places, by: cutter) else {
        throw SystemError(.readAgain, path: nil, code: 0)
      }
      return found
    case .stored(let stored, let order): return try stored.rows(at: order.origins(of: places))
    }
  }
}

/// Stored rows that are fetched from any places, some at a time.
struct RowFetcher: Sendable {
  /// Where they are stored.
  let stored: StoredRows

  /// The stored piece that was requested last, and its rows if all were restored: several of the rows that are fetched
  /// next may be in it.
  private let last = Monitor<(index: Int, rows: Rows?)?>(nil)

  /// Fetches rows of `stored`.
  init(_ stored: StoredRows) { self.stored = stored }

  /// The rows at some places, in this order; only those rows of their pieces are kept.
  ///
  /// - Complexity: O(*m*) for the *m* rows of all pieces that have one of them; if few rows are requested of a piece that
  ///   can be cut again, its other rows are read but not cut.
  func rows(at origins: [Int]) throws(SystemError) -> Rows {
    var places: [Int: [Int]] = [:]
    for (place, origin) in origins.enumerated() {
      places[stored.piece(ofRow: origin), default: []].append(place)
    }
    var found = Rows()
    found.ids = Array(repeating: RowID(batch: 0, row: 0), count: origins.count)
    for (piece, places) in places.sorted(by: { $0.key < $1.key }) {
      let first = stored.start(ofPiece: piece)
      // In the order of their records, in which their lines are counted once.
      let places = places.sorted { origins[$0] < origins[$1] }
      let some = try rows(at: places.map { origins[$0] - first }, ofPiece: piece)
      for (place, id) in zip(places, some.ids) {
        found.ids[place] = RowID(batch: found.batches.count + id.batch, row: id.row)
      }
      found.batches += some.batches
    }
    return found
  }

  /// Some rows of a piece; if they are few, they are copied, so that the piece can be freed.
  ///
  /// - Parameter positions: the rows, ascending, counted from 0 in the piece.
  private func rows(at positions: [Int], ofPiece index: Int) throws(SystemError) -> Rows {
    let known = last.access { last in
      // Two are never held at once: a piece may be one very long record.
      defer { if last?.index != index { last = (index, nil) } }
      return last?.index == index ? last : nil
    }
    let areFew = positions.count * 4 < stored.count(ofPiece: index)
    // A piece that is requested again is worth restoring.
    if areFew, known == nil, let few = try stored.rows(at: positions, ofPiece: index) { return few }
    let all: Rows
    if let rows = known?.rows {
      all = rows
    } else {
      all = try stored.rows(ofPiece: index)
      last.access { $0 = (index, all) }
    }
    var some = all
    some.ids = positions.map { all.ids[$0] }
    return areFew ? some.copied() : some
  }
}

/// The order that moves leave rows in: one bit per row and move, in any pattern, until one number per row
/// takes less.
struct RowOrder: Sendable {
  /// One move: some rows go before a boundary, and all keep their relative order.
  private struct RowMove: Sendable {
    let isMoving: RowBits
    let chunkStarts: [Int]
    let movingCount: Int

    /// The number of rows that stay and come before those that move.
    let stayingBefore: Int
  }

  /// The number of rows.
  let count: Int

  /// The original positions of the rows before the steps, if any move came before these.
  private var settled: [UInt32] = []

  /// The moves since then.
  private var steps: [RowMove] = []

  /// The number of moves whose bits take as much as numbers do.
  private static let mostSteps = 32

  /// The number of rows up to which numbers are small and pay off after a few moves.
  private static let fewRows = 1 << 20
  private static let fewSteps = 4

  /// The order in which rows came.
  init(count: Int) { self.count = count }

  /// Whether no row was moved.
  var isUnchanged: Bool { steps.isEmpty && settled.isEmpty }

  /// Moves some rows before the row at `boundary`; both moved and other rows keep their relative order.
  ///
  /// - Parameter isMoving: rows by their position in the order so far.
  mutating func move(_ isMoving: RowBits, to boundary: Int) {
    let count = isMoving.count
    if count == 0 { return }
    steps.append(
      RowMove(
        isMoving: isMoving, chunkStarts: isMoving.chunkStarts, movingCount: count,
        stayingBefore: boundary - isMoving.count(before: boundary)))
    let most = self.count <= Self.fewRows ? Self.fewSteps : Self.mostSteps
    if steps.count >= most, self.count <= Int(UInt32.max) {
      var order: [UInt32] = []
      order.reserveCapacity(self.count)
      forEachBlock { _, origins in
        for origin in origins { order.append(UInt32(truncatingIfNeeded: origin)) }
        return true
      }
      (settled, steps) = (order, [])
    }
  }

  /// The original positions of the rows at some positions.
  ///
  /// - Complexity: O(*m* · *s*) for *m* consecutive positions after *s* moves.
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
    return settled.isEmpty ? origins : origins.map { Int(settled[$0]) }
  }

  /// The present order, one block of positions at a time.
  ///
  /// - Parameter body: receives the first position of a block and the original positions of its rows; returns
  ///   whether to continue.
  func forEachBlock(_ body: (Int, [Int]) -> Bool) {
    for start in stride(from: 0, to: count, by: Self.blockSize) {
      guard body(start, origins(of: start..<min(start + Self.blockSize, count))) else { return }
    }
  }

  private static let blockSize = 1 << 14
}
