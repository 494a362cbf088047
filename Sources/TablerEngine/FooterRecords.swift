/// The last records of the input while it is read: `--footer-lines`.
///
/// A batch goes on once so many records have come after it that none of its own can be among the last.
struct FooterRecords {
  /// How many there are, unless the input has fewer.
  private let count: Int

  /// The bytes that may be held.
  private let room: Int

  /// The batches whose records may be among the last.
  private var held: [Batch] = []

  /// How many records they have, and their bytes.
  private var heldCount = 0
  private var heldBytes = 0

  /// Whether the input has ended: then the last records are known.
  private(set) var isOver = false

  /// The last records, once the input has ended.
  private(set) var last: [Batch] = []

  /// The bytes that may be held with next to no budget.
  private static let leastRoom = 64 << 20

  /// Waits for the last `count` records; `nil` if there are to be none.
  init?(_ count: Int, budget: Int) {
    if count == 0 { return nil }
    self.count = count
    room = max(budget / 4, Self.leastRoom)
  }

  /// Takes in the next batch.
  ///
  /// - Returns: whether there is room for it.
  mutating func add(_ batch: Batch) -> Bool {
    held.append(batch)
    heldCount += batch.rowCount
    heldBytes += batch.memory
    return heldBytes <= room || held.count == 1 || heldCount - held[0].rowCount >= count
  }

  /// The next records that go on, if some are known to.
  mutating func next() -> Batch? {
    guard let first = held.first, isOver || heldCount - first.rowCount >= count else { return nil }
    held.removeFirst()
    heldCount -= first.rowCount
    heldBytes -= first.memory
    return first
  }

  /// Ends the input: what is held goes on but for the last records.
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
