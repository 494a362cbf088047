/// Which rows of a file were seen: as good as a set of their positions, without the memory of one.
struct RowSet: Equatable {
  private(set) var count = 0
  /// The sum of the scrambled positions: two sets of rows that differ have the same sum by a rare chance only.
  private var sum: UInt64 = 0

  init() {}

  init(_ positions: some Sequence<Int>) {
    for position in positions { insert(position) }
  }

  /// Adds a row by its position; the first row is 1.
  mutating func insert(_ position: Int) {
    count += 1
    var generator = SeededGenerator(seed: UInt64(truncatingIfNeeded: position))
    sum &+= generator.next()
  }
}
