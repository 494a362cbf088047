/// A set of Unicode scalars, as ranges in order that neither touch nor overlap.
struct PatternScalars: Hashable, Sendable {
  /// The scalars, in ranges that rise and do not touch.
  private(set) var ranges: [ClosedRange<UInt32>] = []

  /// The largest scalar.
  static let last: UInt32 = 0x10FFFF

  /// Every scalar.
  static let all = Self([0...last])

  /// Creates a set from `ranges` in any order.
  init(_ ranges: [ClosedRange<UInt32>] = []) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(range) }
  }

  /// Creates the set of one scalar.
  init(scalar: UInt32) { ranges = [scalar...scalar] }

  /// Whether nothing is in the set.
  var isEmpty: Bool { ranges.isEmpty }

  /// The only scalar of the set; nil when there are none or several.
  var single: UInt32? {
    guard ranges.count == 1, let only = ranges.first, only.lowerBound == only.upperBound else { return nil }
    return only.lowerBound
  }

  /// Whether `scalar` is in the set.
  func contains(_ scalar: UInt32) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low &+ high) / 2
      if ranges[middle].upperBound < scalar { low = middle &+ 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound <= scalar
  }

  /// Adds a range that begins no earlier than the last one.
  private mutating func append(_ range: ClosedRange<UInt32>) {
    guard let before = ranges.last, range.lowerBound <= before.upperBound &+ 1 else {
      ranges.append(range)
      return
    }
    ranges[ranges.count - 1] = before.lowerBound...max(before.upperBound, range.upperBound)
  }

  /// What is in either set.
  func union(_ other: Self) -> Self { Self(ranges + other.ranges) }

  /// What is not in the set.
  var inverted: Self {
    var result = Self()
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { result.ranges.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= Self.last { result.ranges.append(next...Self.last) }
    return result
  }

  /// What is in both sets.
  func intersection(_ other: Self) -> Self { inverted.union(other.inverted).inverted }
}

extension PatternScalars {
  /// `0-9`.
  static let digits = Self([0x30...0x39])
  /// ASCII letters, digits and the underscore.
  static let word = Self([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  /// Tab, line feed, form feed, carriage return and blank.
  static let space = Self([0x09...0x0A, 0x0C...0x0D, 0x20...0x20])
  /// The line feed.
  static let newline = Self(scalar: 0x0A)

  /// The class of a POSIX name, as in `[[:alpha:]]`.
  static func posix(_ name: String) -> Self? {
    switch name {
    case "alnum": Self([0x30...0x39, 0x41...0x5A, 0x61...0x7A])
    case "alpha": Self([0x41...0x5A, 0x61...0x7A])
    case "ascii": Self([0x00...0x7F])
    case "blank": Self([0x09...0x09, 0x20...0x20])
    case "cntrl": Self([0x00...0x1F, 0x7F...0x7F])
    case "digit": digits
    case "graph": Self([0x21...0x7E])
    case "lower": Self([0x61...0x7A])
    case "print": Self([0x20...0x7E])
    case "punct": Self([0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E])
    case "space": Self([0x09...0x0D, 0x20...0x20])
    case "upper": Self([0x41...0x5A])
    case "word": word
    case "xdigit": Self([0x30...0x39, 0x41...0x46, 0x61...0x66])
    default: nil
    }
  }
}
