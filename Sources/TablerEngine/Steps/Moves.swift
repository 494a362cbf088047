/// The rows that were moved, of those that two tables have in common.
///
/// Rows that were not moved are a longest increasing subsequence of the old places in the new order, so that the
/// number of moves is the least possible. It is found by patience sorting (Fredman, "On computing the length of
/// longest increasing subsequences", 1975).
struct Moves {
  /// The rows that were moved, as numbers of new rows; `nil` if none was.
  private let moved: RowBits?

  /// How many were.
  let count: Int

  /// Finds the moves.
  ///
  /// - Parameter oldRows: the old row of each new row, or `RowMatcher.none`.
  /// - Complexity: O(*n* log *n*) and 8 bytes for each row; O(*n*) and no memory if no row was moved.
  init(_ oldRows: [UInt32]) {
    if Self.areInOrder(oldRows) {
      (moved, count) = (nil, 0)
      return
    }
    // The new row that ends the increasing subsequence of each length with the least old place, that place, and the row
    // before it.
    var (ends, places): ([UInt32], [UInt32]) = ([], [])
    ends.reserveCapacity(oldRows.count)
    places.reserveCapacity(oldRows.count)
    var previous = [UInt32](repeating: RowMatcher.none, count: oldRows.count)
    for (row, old) in oldRows.enumerated() where old != RowMatcher.none {
      let length = Self.count(of: places, below: old)
      if length > 0 { previous[row] = ends[length - 1] }
      if length == ends.count {
        ends.append(UInt32(row))
        places.append(old)
      } else {
        ends[length] = UInt32(row)
        places[length] = old
      }
    }
    var moved = RowBits(rowCount: oldRows.count)
    var count = 0
    // The rows that stay are met from the last to the first.
    var staying = ends.last ?? RowMatcher.none
    for row in oldRows.indices.reversed() {
      if row == Int(staying) {
        staying = previous[row]
      } else if oldRows[row] != RowMatcher.none {
        moved.insert(row)
        count += 1
      }
    }
    (self.moved, self.count) = (moved, count)
  }

  /// The number of ascending places that are below one.
  @inline(__always)
  private static func count(of places: [UInt32], below place: UInt32) -> Int {
    guard let last = places.last, last > place else { return places.count }
    // The answer is not below `low` and not above `low + span`; a choice without a branch is not mispredicted.
    var (low, span) = (0, places.count)
    while span > 1 {
      let half = span / 2
      low = places[low &+ half &- 1] < place ? low &+ half : low
      span &-= half
    }
    return places[low] < place ? low + 1 : low
  }

  /// Whether a new row was moved.
  func contains(_ row: Int) -> Bool { moved?.contains(row) ?? false }

  /// Whether the rows that both tables have are in the same order in both.
  private static func areInOrder(_ oldRows: [UInt32]) -> Bool {
    var last: UInt32?
    for old in oldRows where old != RowMatcher.none {
      if let last, last > old { return false }
      last = old
    }
    return true
  }
}
