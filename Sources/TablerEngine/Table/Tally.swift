/// The number of occurrences of one kind, and the first of them in the input.
///
/// The parts of a run find them in any order: the first is the one in the row with the lowest number.
struct Tally<Detail: Sendable>: Sendable {
  /// The number of occurrences.
  private(set) var count = 0

  private var earliest: (row: Int, detail: Detail)?

  /// The details of the first; `nil` if its place is not known.
  var first: Detail? { earliest?.detail }

  /// The row of the first, counted from 1; the largest number if it is not known.
  var firstRow: Int { earliest?.row ?? .max }

  /// Counts occurrences in a row; details are requested only for the earliest so far.
  ///
  /// - Parameter row: the number of the row, or 0 if occurrences are found in the order of the input.
  mutating func record(_ number: Int = 1, inRow row: Int, _ detail: @autoclosure () -> Detail) {
    count += number
    recordFirst(inRow: row, detail())
  }

  /// Records the first of occurrences that are already counted.
  mutating func recordFirst(inRow row: Int, _ detail: @autoclosure () -> Detail) {
    if row < firstRow { earliest = (row, detail()) }
  }

  /// Counts occurrences without recording where they are.
  mutating func recordWithoutPlace(_ number: Int = 1) { count += number }

  /// Adds the occurrences that another part of the same run found.
  mutating func merge(_ other: Tally) {
    count += other.count
    if other.firstRow < firstRow { earliest = other.earliest }
  }

  /// Takes over the results of another pass over the same rows if there are more.
  mutating func widen(_ other: Tally) {
    count = max(count, other.count)
    if other.firstRow < firstRow { earliest = other.earliest }
  }

  /// Changes the details of the first.
  mutating func changeFirst(_ change: (Detail) -> Detail) {
    if let (row, detail) = earliest { earliest = (row, change(detail)) }
  }
}
