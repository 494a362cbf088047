/// The rows that were moved, of those that two tables have in common.
///
/// Rows that were not moved are a longest increasing subsequence of the old places in the new order, so that the number of
/// moves is the least possible. It is found by patience sorting (Fredman, "On computing the length of longest increasing
/// subsequences", 1975).
struct Moves {
  /// Whether each new row was moved.
  private(set) var isMoved: [Bool]

  /// How many were.
  private(set) var count = 0

  /// Finds the moves.
  ///
  /// - Parameter oldRows: the old row of each new row, or `RowMatcher.none`.
  /// - Complexity: O(*n* log *n*), and O(*n*) if no row was moved; 9 bytes for each row.
  init(_ oldRows: [UInt32]) {
    isMoved = [Bool](repeating: false, count: oldRows.count)
    // The new row that ends the increasing subsequence of each length with the least old place, and the one before it.
    var ends: [UInt32] = []
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
      isMoved[row] = true
      count += 1
    }
    count -= ends.count
    var row = ends.last ?? RowMatcher.none
    while row != RowMatcher.none {
      isMoved[Int(row)] = false
      row = previous[Int(row)]
    }
  }
}
