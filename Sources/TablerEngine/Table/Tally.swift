/// How many things of one kind were met, and the first of them in the input.
///
/// The parts of a run meet them in any order: the first is that of the row with the lowest number.
struct Tally<Detail: Sendable>: Sendable {
  /// How many there are.
  private(set) var count = 0

  private var earliest: (row: Int, detail: Detail)?

  /// What is known of the first; `nil` if its place is not known.
  var first: Detail? { earliest?.detail }

  /// The row of the first, counted from 1; the largest number if it is not known.
  var firstRow: Int { earliest?.row ?? .max }

  /// Counts things in a row, of which details are asked only if none before it has one.
  ///
  /// - Parameter row: the number of the row, or 0 if things are met in the order of the input.
  mutating func record(_ number: Int = 1, inRow row: Int, _ detail: @autoclosure () -> Detail) {
    count += number
    recordFirst(inRow: row, detail())
  }

  /// Takes down a thing that is counted already.
  mutating func recordFirst(inRow row: Int, _ detail: @autoclosure () -> Detail) {
    if row < firstRow { earliest = (row, detail()) }
  }

  /// Counts things of which it is not asked where they are.
  mutating func recordWithoutPlace(_ number: Int = 1) { count += number }

  /// Adds what another part of the same run met.
  mutating func merge(_ other: Tally) {
    count += other.count
    if other.firstRow < firstRow { earliest = other.earliest }
  }

  /// Takes over what another look at the same things met where that is more.
  mutating func widen(_ other: Tally) {
    count = max(count, other.count)
    if other.firstRow < firstRow { earliest = other.earliest }
  }

  /// Changes what is known of the first.
  mutating func changeFirst(_ change: (Detail) -> Detail) {
    if let (row, detail) = earliest { earliest = (row, change(detail)) }
  }
}
