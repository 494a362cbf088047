/// Matches the rows of two tables that are compared whole, so that as few as possible count as moved.
///
/// If no row is in a table twice there is nothing to choose. Otherwise as many rows as possible are matched in order,
/// which is a longest common subsequence (Myers, "An O(ND) difference algorithm and its variations", 1986); then the
/// first that is left with the first that is equal to it. If the orders differ too much, all are matched so.
struct WholeRowMatching {
  /// The old row of each new row, or `RowMatcher.none`.
  private(set) var oldRows: [UInt32]

  /// The rows that may be left out of a common subsequence before the search is given up, and the comparisons for
  /// each row.
  private static let mostEdits = 2_048
  private static let mostComparisons = 64

  /// Matches rows.
  ///
  /// - Parameters:
  ///   - old: what each old row holds, as a number below `count`.
  ///   - new: what each new row holds, or `RowMatcher.none` if no old row holds it.
  ///   - count: how many different rows the old table has.
  /// - Complexity: O(*n*) for the *n* rows of both tables, and O(*d*²) if *d* rows are not in order, of which no more
  ///   than `mostEdits` are counted; some 16 bytes for each row, and 8 MB.
  init(old: [UInt32], new: [UInt32], count: Int) {
    oldRows = Array(repeating: RowMatcher.none, count: new.count)
    var uses = [UInt8](repeating: 0, count: count)
    var repeats = false
    for number in new where number != RowMatcher.none {
      if uses[Int(number)] != 0 { repeats = true }
      uses[Int(number)] = 1
    }
    for number in old {
      if uses[Int(number)] == 2 { repeats = true }
      if uses[Int(number)] == 1 { uses[Int(number)] = 2 }
    }
    var isMatched = RowBits(rowCount: old.count)
    if repeats { matchInOrder(old, new, isHeld: uses, &isMatched) }
    // The old rows that are left, each with the next that is equal to it.
    var firsts = [UInt32](repeating: RowMatcher.none, count: count)
    var following = [UInt32](repeating: RowMatcher.none, count: repeats ? old.count : 0)
    for (row, number) in old.enumerated().reversed() where !isMatched.contains(row) {
      if repeats { following[row] = firsts[Int(number)] }
      firsts[Int(number)] = UInt32(truncatingIfNeeded: row)
    }
    for (row, number) in new.enumerated() where number != RowMatcher.none && oldRows[row] == RowMatcher.none {
      let first = firsts[Int(number)]
      guard first != RowMatcher.none else { continue }
      oldRows[row] = first
      firsts[Int(number)] = repeats ? following[Int(first)] : RowMatcher.none
    }
  }

  /// Matches as many rows as possible in order, unless that takes too long.
  ///
  /// - Parameter isHeld: for each number whether a new row holds it, as a number that is not 0.
  private mutating func matchInOrder(
    _ old: [UInt32], _ new: [UInt32], isHeld: [UInt8], _ isMatched: inout RowBits
  ) {
    // Rows that only one table has would only be in the way.
    let olds = old.indices.filter { isHeld[Int(old[$0])] != 0 }.map { UInt32(truncatingIfNeeded: $0) }
    let news = new.indices.filter { new[$0] != RowMatcher.none }.map { UInt32(truncatingIfNeeded: $0) }
    var paths = EditPaths()
    var comparisons = 0
    for edits in 0...min(Self.mostEdits, olds.count + news.count) {
      for index in 0...edits {
        let diagonal = 2 * index - edits
        var place = paths.start(edits, index)
        let start = place
        while place < olds.count, place - diagonal < news.count,
          old[Int(olds[place])] == new[Int(news[place - diagonal])]
        {
          place += 1
        }
        comparisons += place - start
        paths.append(place)
        guard place == olds.count, place - diagonal == news.count else { continue }
        paths.forEachMatch(edits, index) { place, other in
          oldRows[Int(news[other])] = olds[place]
          isMatched.insert(Int(olds[place]))
        }
        return
      }
      if comparisons > Self.mostComparisons * (olds.count + news.count) { return }
    }
  }
}

/// How far two sequences can be followed if some items are left out, one path for each difference of their places.
private struct EditPaths {
  /// The place in the first sequence at which each path ends: one path without edits, two with one, and so on.
  private var ends: [UInt32] = []

  /// Adds where the next path ends.
  mutating func append(_ end: Int) { ends.append(UInt32(truncatingIfNeeded: end)) }

  /// The place in the first sequence at which a path goes on after its last edit.
  func start(_ edits: Int, _ index: Int) -> Int {
    guard edits > 0 else { return 0 }
    return takesFromSecond(edits, index) ? end(edits - 1, index) : end(edits - 1, index - 1) + 1
  }

  /// Calls `body` with the places of the items that a path has in common, from the last to the first.
  func forEachMatch(_ edits: Int, _ index: Int, _ body: (Int, Int) -> Void) {
    var (edits, index) = (edits, index)
    while true {
      let diagonal = 2 * index - edits
      for place in (start(edits, index)..<end(edits, index)).reversed() { body(place, place - diagonal) }
      guard edits > 0 else { return }
      if !takesFromSecond(edits, index) { index -= 1 }
      edits -= 1
    }
  }

  /// Whether the last edit of a path leaves out an item of the second sequence.
  private func takesFromSecond(_ edits: Int, _ index: Int) -> Bool {
    index == 0 || (index < edits && end(edits - 1, index - 1) < end(edits - 1, index))
  }

  private func end(_ edits: Int, _ index: Int) -> Int { Int(ends[edits * (edits + 1) / 2 + index]) }
}
