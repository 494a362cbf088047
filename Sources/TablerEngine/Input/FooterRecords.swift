/// The last records of the input while it is being read: `--footer-lines`.
///
/// A batch is passed on when enough records have followed that none of its own can be among the last.
struct FooterRecords {
  /// The number of last records, unless the input has fewer.
  private let count: Int

  /// The maximum number of bytes that may be held.
  private let room: Int

  /// The batches whose records may be among the last.
  private var held: [Batch] = []

  /// The number of their records, and their size in bytes.
  private var heldCount = 0
  private var heldBytes = 0

  /// Whether the input has ended: the last records are then known.
  private(set) var isOver = false

  /// The last records, once the input has ended.
  private(set) var last: [Batch] = []

  /// The bytes that may be held with almost no budget.
  private static let leastRoom = 64 << 20

  /// Waits for the last `count` records; `nil` if there should be none.
  init?(_ count: Int, budget: Int) {
    if count == 0 { return nil }
    self.count = count
    room = max(budget / 4, Self.leastRoom)
  }

  /// Adds the next batch.
  ///
  /// - Returns: whether there is room for it.
  mutating func add(_ batch: Batch) -> Bool {
    held.append(batch)
    heldCount += batch.rowCount
    heldBytes += batch.memory
    return heldBytes <= room || held.count == 1 || heldCount - held[0].rowCount >= count
  }

  /// The next records that are not among the last, if any are known.
  mutating func next() -> Batch? {
    guard let first = held.first, isOver || heldCount - first.rowCount >= count else { return nil }
    held.removeFirst()
    heldCount -= first.rowCount
    heldBytes -= first.memory
    return first
  }

  /// Ends the input: the batches held are passed on except for the last records.
  mutating func finish() {
    if isOver { return }
    isOver = true
    var missing = count
    while missing > 0, let batch = held.popLast() {
      let start = max(batch.rowCount - missing, 0)
      last.insert(start == 0 ? batch : batch.extracting(start..<batch.rowCount), at: 0)
      missing -= batch.rowCount - start
      if start > 0 { held.append(batch.extracting(0..<start)) }
    }
  }
}
