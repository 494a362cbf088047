/// The scalars of a pattern, put into classes that no set of it tells apart.
struct PatternAlphabet: Sendable {
  /// The number of classes.
  private(set) var count = 0
  /// The class of each ASCII byte.
  private(set) var ascii: [Int] = []
  /// One scalar of each class.
  private(set) var representatives: [UInt32] = []

  /// Where each stretch of one class begins, and its class.
  private var starts: [UInt32] = []
  private var classes: [Int] = []

  /// Finds the classes of `sets`.
  ///
  /// 1. Every set gets a random key, entered where one of its ranges begins and left where it ends.
  /// 2. Between two such places the keys that are in force, joined by xor, name the class.
  init(_ sets: [PatternScalars]) {
    var events: [(scalar: UInt32, key: Key)] = [(0, Key())]
    for (number, set) in sets.enumerated() {
      let key = Key(number)
      for range in set.ranges {
        events.append((range.lowerBound, key))
        events.append((range.upperBound + 1, key))
      }
    }
    events.sort { $0.scalar < $1.scalar }
    var numbers: [Key: Int] = [:]
    var current = Key()
    var index = 0
    while index < events.count {
      let scalar = events[index].scalar
      while index < events.count, events[index].scalar == scalar {
        current.toggle(events[index].key)
        index += 1
      }
      guard scalar <= PatternScalars.last else { break }
      let number = numbers[current] ?? numbers.count
      if number == numbers.count {
        numbers[current] = number
        representatives.append(scalar)
      }
      starts.append(scalar)
      classes.append(number)
    }
    count = numbers.count
    ascii = (0..<128).map { find($0) }
  }

  /// The class of `scalar`.
  func find(_ scalar: UInt32) -> Int {
    var low = 0
    var high = starts.count &- 1
    while low < high {
      let middle = (low &+ high &+ 1) / 2
      if starts[middle] <= scalar { low = middle } else { high = middle &- 1 }
    }
    return classes[low]
  }

  /// 128 bits that two different collections of sets do not share but by the greatest of chances.
  private struct Key: Hashable {
    private var high: UInt64 = 0
    private var low: UInt64 = 0

    init() {}

    init(_ number: Int) {
      high = Self.mix(UInt64(number) &* 2 &+ 1)
      low = Self.mix(UInt64(number) &* 2 &+ 2)
    }

    mutating func toggle(_ other: Key) {
      high ^= other.high
      low ^= other.low
    }

    /// SplitMix64.
    private static func mix(_ seed: UInt64) -> UInt64 {
      var value = seed &* 0x9E37_79B9_7F4A_7C15
      value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }
  }
}
