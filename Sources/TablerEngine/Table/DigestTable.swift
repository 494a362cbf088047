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
  @inline(__always)
  func number(of digest: RowDigest) -> Int? {
    guard count > 0,
      case .found(let number) = slots.find(digest.first, where: { entries[$0].digest == digest })
    else { return nil }
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

  /// Reads the slot that tells whether a digest is in the table, so that the cache misses of many overlap.
  @inline(__always)
  func touch(_ digest: RowDigest) -> UInt64 { slots.touch(digest.first) }

  /// Reads the entry that a digest may have: both ends of it, as it may lie across two cache lines.
  ///
  /// - Parameter end: reads the end of a value.
  @inline(__always)
  func touchEntry(_ digest: RowDigest, _ end: (Value) -> UInt64) -> UInt64 {
    slots.candidate(digest.first).map { entries[$0].digest.first &+ end(entries[$0].value) } ?? 0
  }
}
