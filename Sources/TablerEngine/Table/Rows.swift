/// The rows on their way through the pipeline: numbers into batches; no cell moves.
///
/// A reader makes one of each batch; a step that must see everything appends them to one
/// another. Filter, sort and moves only change `ids`.
struct Rows: Sendable {
  /// The batches the rows lie in.
  var batches: [Batch]

  /// The rows, in their order.
  var ids: [RowID]

  /// No rows.
  init() {
    batches = []
    ids = []
  }

  /// All rows of a batch.
  init(_ batch: Batch) {
    batches = [batch]
    ids = []
    ids.reserveCapacity(batch.rowCount)
    for row in 0..<batch.rowCount { ids.append(RowID(batch: 0, row: row)) }
  }

  /// Some rows of a batch.
  init(_ batch: Batch, _ rows: [UInt32]) {
    batches = [batch]
    ids = rows.map { RowID(batch: 0, row: Int($0)) }
  }

  /// The number of rows.
  var count: Int { ids.count }

  /// Adds `other` after these rows.
  mutating func append(_ other: Rows) {
    guard !other.ids.isEmpty else { return }
    let base = batches.count
    batches.append(contentsOf: other.batches)
    for id in other.ids { ids.append(RowID(batch: base &+ id.batch, row: id.row)) }
  }
}

/// Rows in memory are one piece.
extension Rows: RowStore {
  var pieceCount: Int { min(count, 1) }

  func start(ofPiece index: Int) -> Int { 0 }

  func rows(ofPiece index: Int) -> Rows { self }

  /// Puts rows into the order that moves leave them in.
  mutating func reorder(_ order: RowOrder) {
    if order.isUnchanged { return }
    var ids: [RowID] = []
    ids.reserveCapacity(count)
    order.forEachBlock { _, origins in
      for origin in origins { ids.append(self.ids[origin]) }
      return true
    }
    self.ids = ids
  }
}

/// A row of one of several batches.
struct RowID: Hashable, Sendable {
  private var bits: UInt64

  @inline(__always)
  init(batch: Int, row: Int) {
    bits = UInt64(UInt32(truncatingIfNeeded: batch)) &<< 32 | UInt64(UInt32(truncatingIfNeeded: row))
  }

  /// The batch, as an index into `Rows.batches`.
  @inline(__always)
  var batch: Int { Int(truncatingIfNeeded: bits &>> 32) }

  /// The row in its batch, counted from 0.
  @inline(__always)
  var row: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }
}
