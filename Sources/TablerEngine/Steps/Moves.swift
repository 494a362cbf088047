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
    // The new row that ends the increasing subsequence of each length with the least old place, and the one before it.
    var ends: [UInt32] = []
    ends.reserveCapacity(oldRows.count)
    var previous = [UInt32](repeating: RowMatcher.none, count: oldRows.count)
    for (row, old) in oldRows.enumerated() where old != RowMatcher.none {
      var length = ends.count
      if let last = ends.last, oldRows[Int(last)] > old {
        var low = 0
        while low < length {
          let middle = (low + length) / 2
          if oldRows[Int(ends[middle])] < old { low = middle + 1 } else { length = middle }
        }
      }
      if length > 0 { previous[row] = ends[length - 1] }
      if length == ends.count { ends.append(UInt32(row)) } else { ends[length] = UInt32(row) }
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
