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
  /// 1. Every set has a number, entered where one of its ranges begins and left where it ends.
  /// 2. Between two such places the numbers in force, a bit each, are the class.
  init(_ sets: [PatternScalars]) {
    var events: [(scalar: UInt32, set: Int?)] = [(0, nil)]
    for (number, set) in sets.enumerated() {
      for range in set.ranges {
        events.append((range.lowerBound, number))
        events.append((range.upperBound + 1, number))
      }
    }
    events.sort { $0.scalar < $1.scalar }
    var numbers: [[UInt64]: Int] = [:]
    var current = [UInt64](repeating: 0, count: (sets.count + 63) / 64)
    var index = 0
    while index < events.count {
      let scalar = events[index].scalar
      while index < events.count, events[index].scalar == scalar {
        if let set = events[index].set { current[set / 64] ^= 1 << UInt64(set % 64) }
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
}
