/// Different keys, each a sequence of bytes with a number, counted from 0 in order of first appearance.
struct KeyTable: Sendable {
  private var slots = HashSlots()
  private var bytes: [UInt8] = []

  /// The end of each key.
  private var ends: [Int] = []

  /// Makes a table without keys.
  init() {}

  /// The number of keys.
  var count: Int { ends.count }

  /// The bytes that the keys take in memory.
  var memory: Int { slots.memory + bytes.capacity + ends.capacity * MemoryLayout<Int>.stride }

  /// The bytes of a key.
  @_lifetime(borrow self)
  func key(_ number: Int) -> Span<UInt8> {
    bytes.span.extracting((number == 0 ? 0 : ends[number - 1])..<ends[number])
  }

  /// The hash of a key, the same in all tables of a run.
  func hash(ofKey number: Int) -> UInt64 { slots.hash(key(number)) }

  /// The number of a key; `nil` if the table does not contain it.
  func number(of key: Span<UInt8>) -> Int? {
    guard count > 0,
      case .found(let number) = slots.find(slots.hash(key), where: { self.key($0).equals(key) })
    else { return nil }
    return number
  }

  /// The hash of a key, the same in all tables of a run.
  @inline(__always)
  func hash(_ key: Span<UInt8>) -> UInt64 { slots.hash(key) }

  /// The number of a key with a hash; `nil` if the table does not contain it.
  func number(of key: Span<UInt8>, hash: UInt64) -> Int? {
    guard count > 0, case .found(let number) = slots.find(hash, where: { self.key($0).equals(key) }) else {
      return nil
    }
    return number
  }

  /// Reads the first byte of the key that probably has a hash.
  @inline(__always)
  func touch(_ hash: UInt64) -> (number: Int, byte: UInt8)? {
    guard let number = slots.candidate(hash) else { return nil }
    let start = number == 0 ? 0 : ends[number - 1]
    return (number, start < bytes.count ? bytes[start] : 0)
  }

  /// Finds a key, or adds it.
  mutating func insert(_ key: Span<UInt8>) -> (number: Int, isNew: Bool) {
    let hash = slots.hash(key)
    slots.reserve(count + 1)
    switch slots.find(hash, where: { self.key($0).equals(key) }) {
    case .found(let number): return (number, false)
    case .free(let slot):
      bytes.append(key)
      ends.append(bytes.count)
      slots.insert(count - 1, hash, at: slot)
      return (count - 1, true)
    }
  }

  /// Adds the keys of another table.
  mutating func merge(_ other: KeyTable) {
    for number in 0..<other.count { _ = insert(other.key(number)) }
  }
}

/// Rules out most keys that a table does not contain, from one or two bytes a key.
///
/// One bit is set for each key, by its hash (B. H. Bloom, "Space/time trade-offs in hash coding with allowable errors",
/// 1970): of the keys that the table does not contain, an eighth or less pass.
struct KeyFilter: Sendable {
  private var bits: [UInt64]

  /// A filter for the keys of a table.
  init(_ keys: KeyTable) {
    var count = 1
    // One of 32 keys that are not there passes, or fewer.
    while count * UInt64.bitWidth < 32 * keys.count { count *= 2 }
    bits = Array(repeating: 0, count: count)
    for number in 0..<keys.count {
      let (word, bit) = place(keys.hash(ofKey: number))
      bits[word] |= bit
    }
  }

  /// Whether the table may contain a key with a hash.
  @inline(__always)
  func passes(_ hash: UInt64) -> Bool {
    let (word, bit) = place(hash)
    return bits[word] & bit != 0
  }

  /// The bit of a hash: by its upper half, as tables use the lower one.
  @inline(__always)
  private func place(_ hash: UInt64) -> (word: Int, bit: UInt64) {
    (Int(truncatingIfNeeded: hash &>> 38) & (bits.count &- 1), 1 &<< (hash &>> 32 & 63))
  }
}

/// A hash table of numbers from 0 on, with open addressing, at most half full; its user stores what the
/// numbers mean.
struct HashSlots: Sendable {
  /// The result of a search for a hash.
  enum SearchResult {
    /// The number that was searched for.
    case found(Int)
    /// Nothing was found: a new number belongs in this slot.
    case free(Int)
  }

  /// The slots: the lower half of a hash above its number, counted from 1; 0 if the slot is empty.
  private var slots: [UInt64] = []

  /// The seed of hashes: another number in each run, so that no one can choose keys that collide.
  let seed = HashSlots.runSeed

  private static let runSeed = UInt64.random(in: 0 ... .max)

  private static let leastSlots = 8

  /// The maximum number of numbers that fit into 32 bits.
  static let most = Int(UInt32.max) - 1

  /// The bytes that the table takes.
  var memory: Int { slots.capacity * MemoryLayout<UInt64>.stride }

  /// The hash of some bytes.
  @inline(__always)
  func hash(_ bytes: Span<UInt8>) -> UInt64 { bytes.hash(seed: seed) }

  /// Reads the first slot in which a hash may be.
  @inline(__always)
  func touch(_ hash: UInt64) -> UInt64 {
    slots.isEmpty ? 0 : slots[Int(truncatingIfNeeded: hash & 0xFFFF_FFFF) & (slots.count &- 1)]
  }

  /// The first number that has the half of a hash that slots hold.
  @inline(__always)
  func candidate(_ hash: UInt64) -> Int? {
    if slots.isEmpty { return nil }
    var slot = Int(truncatingIfNeeded: hash & 0xFFFF_FFFF) & (slots.count &- 1)
    while slots[slot] != 0 {
      if slots[slot] &>> 32 == hash & 0xFFFF_FFFF {
        return Int(truncatingIfNeeded: slots[slot] & 0xFFFF_FFFF) &- 1
      }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    return nil
  }

  /// Makes room for numbers below `count`, before `find` is called and `insert` adds them.
  @inline(__always)
  mutating func reserve(_ count: Int) { if 2 &* count > slots.count { grow() } }

  /// Finds the number that has a hash and passes a test.
  ///
  /// - Complexity: O(1) on average.
  @inline(__always)
  func find(_ hash: UInt64, where isSought: (Int) -> Bool) -> SearchResult {
    var slot = Int(truncatingIfNeeded: hash & 0xFFFF_FFFF) & (slots.count &- 1)
    while slots[slot] != 0 {
      if slots[slot] &>> 32 == hash & 0xFFFF_FFFF {
        let number = Int(truncatingIfNeeded: slots[slot] & 0xFFFF_FFFF) &- 1
        if isSought(number) { return .found(number) }
      }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    return .free(slot)
  }

  /// Stores a number where `find` found a free slot.
  @inline(__always)
  mutating func insert(_ number: Int, _ hash: UInt64, at slot: Int) {
    slots[slot] = hash &<< 32 | UInt64(truncatingIfNeeded: number &+ 1)
  }

  /// Removes all numbers.
  mutating func removeAll() { slots = [] }

  private mutating func grow() {
    let known = slots
    slots = [UInt64](repeating: 0, count: max(Self.leastSlots, 2 * known.count))
    for entry in known where entry != 0 {
      var slot = Int(truncatingIfNeeded: entry &>> 32) & (slots.count &- 1)
      while slots[slot] != 0 { slot = (slot &+ 1) & (slots.count &- 1) }
      slots[slot] = entry
    }
  }
}
