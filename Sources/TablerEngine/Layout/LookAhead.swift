/// How many rows are looked at before the first is drawn.
public enum LookAhead: Equatable, Sendable {
  /// Every row: widths and alignment are exact.
  case all

  /// The first so many; later cells may be wider.
  case first(Int)

  /// The number of rows, where it is bounded.
  var limit: Int? { if case .first(let count) = self { count } else { nil } }

  /// How many of so many rows are looked at.
  func count(of total: Int) -> Int { min(total, limit ?? total) }

  /// Whether the row of a number, from 1, came after the rows looked at.
  @inline(__always)
  func isLate(_ number: Int) -> Bool { if case .first(let count) = self { number > count } else { false } }
}
