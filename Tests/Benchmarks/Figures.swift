/// What one run used.
struct Run {
  /// Seconds from the start of the first program to the end of the last.
  var wall: Double
  /// User and system time of the program that is measured, without the `cat` before it.
  var cpu: Double
  /// The most memory that program held, in bytes.
  var peak: Int
  var status: Int32
}

/// The runs of one command, a list for each round.
struct Figures {
  private(set) var rounds: [[Run]] = []

  /// Adds a round.
  mutating func append(_ runs: [Run]) {
    rounds.append(runs)
  }

  /// The median wall time of each round.
  var walls: [Double] { rounds.map { Self.median($0.map(\.wall)) } }
  var wall: Double { Self.median(walls) }
  var cpu: Double { Self.median(rounds.map { Self.median($0.map(\.cpu)) }) }
  var peak: Int { rounds.joined().map(\.peak).max() ?? 0 }

  /// This one's wall time over another's: of each round, the median of them all.
  func ratio(to other: Figures) -> Double {
    Self.median(zip(walls, other.walls).map { $0 / $1 })
  }

  /// The middle of the values, 0 without any.
  static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
