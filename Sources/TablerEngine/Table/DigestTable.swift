/// 128 bits that differ, but for a chance of 2^-128, if the bytes they are made from do.
struct RowDigest: Equatable, BitwiseCopyable {
  var first: UInt64
  var second: UInt64

  /// Stands for what there is no digest of.
  static let none = RowDigest(first: 0, second: 0)
}

/// What a row is compared by with those of another table.
struct ComparisonKey: BitwiseCopyable {
  /// The digest of the cells that identify it; `none` if one of them is null.
  var identity: RowDigest

  /// The digest of its cells.
  var cells: RowDigest
}

/// Different digests, each with a number, counted from 0 in order of first appearance, and a value.
///
/// - Complexity: O(1) on average to find a digest, or to add one; besides its slots 16 bytes and the value for each.
struct DigestTable<Value: BitwiseCopyable> {
  private struct Entry {
    let digest: RowDigest
    var value: Value
  }

  private var slots = HashSlots()
  private var entries: [Entry] = []

  /// The number that is expected next: the one after that which was found last.
  private var expected = 0

  /// How many numbers in a row were found where they were expected, or were not.
  private var run = 0
  private var misses = 0

  /// More digests than are usually changed, inserted or deleted together.
  private static var longRun: Int { 32 }

  /// The number of digests.
  var count: Int { entries.count }

  /// The bytes that the table takes in memory.
  var memory: Int { slots.memory + entries.capacity * MemoryLayout<Entry>.stride }

  /// The value of a digest.
  subscript(number: Int) -> Value {
    get { entries[number].value }
    set { entries[number].value = newValue }
  }

  /// The digest with a number.
  func digest(_ number: Int) -> RowDigest { entries[number].digest }

  /// The number of a digest; `nil` if the table does not contain it.
  ///
  /// Most come in the order in which they were added.
  @inline(__always)
  mutating func number(of digest: RowDigest) -> Int? {
    // In another order, to look where one is expected is a cache miss for nothing: that is tried at times.
    if misses < Self.longRun || misses % Self.longRun == 0,
      expected < count, entries[expected].digest == digest
    {
      expected &+= 1
      run &+= 1
      misses = 0
      return expected &- 1
    }
    run = 0
    misses &+= 1
    guard count > 0,
      case .found(let number) = slots.find(digest.first, where: { entries[$0].digest == digest })
    else { return nil }
    expected = number &+ 1
    return number
  }

  /// Finds a digest, or adds it with a value.
  @inline(__always)
  mutating func insert(_ digest: RowDigest, _ value: @autoclosure () -> Value) -> (number: Int, isNew: Bool) {
    slots.reserve(count + 1)
    switch slots.find(digest.first, where: { entries[$0].digest == digest }) {
    case .found(let number): return (number, false)
    case .free(let slot):
      entries.append(Entry(digest: digest, value: value()))
      slots.insert(count - 1, digest.first, at: slot)
      return (count - 1, true)
    }
  }

  /// Reads what tells whether rows are in the table, so that the cache misses overlap.
  ///
  /// A processor overlaps only what is near. If the rows come in order nothing is gained, and nothing is read.
  ///
  /// - Parameters:
  ///   - keys: the rows, by their identities.
  ///   - areAdded: whether they will be added: what is in the slot of such a row is not that row.
  ///   - end: reads the end of a value: an entry may lie across two cache lines.
  /// - Returns: what was read, which must be kept, or the compiler would not read it.
  @inline(__always)
  func touch(_ keys: [ComparisonKey], areAdded: Bool, _ end: (Value) -> UInt64) -> UInt64 {
    if run > Self.longRun { return 0 }
    var touched: UInt64 = 0
    for key in keys { touched &+= slots.touch(key.identity.first) }
    if areAdded { return touched }
    for key in keys {
      guard let number = slots.candidate(key.identity.first) else { continue }
      touched &+= entries[number].digest.first &+ end(entries[number].value)
    }
    return touched
  }
}
