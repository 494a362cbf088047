/// Which rows of two tables are the same.
struct RowMatches {
  /// A key that does not identify a row.
  enum Mistake {
    /// Two rows with the same key, counted from 0.
    case repeated(first: Int, second: Int)
    /// A row with a null in its key.
    case empty(Int)

    /// The row at which it is noticed.
    var row: Int {
      switch self {
      case .repeated(_, let second): second
      case .empty(let row): row
      }
    }
  }

  /// The old row of each new row, or `RowMatcher.none`.
  var oldRows: [UInt32] = []

  /// A bit for each new row whose cells differ in their texts from those of its old row.
  private var differing: [UInt64] = []

  /// The number of old rows.
  private(set) var oldCount = 0

  /// The first key of the old table, and of the new one, that does not identify a row.
  private(set) var oldMistake: Mistake?
  private(set) var newMistake: Mistake?

  /// Whether cells of a new row differ in their texts from those of its old row.
  func differs(_ row: Int) -> Bool { differing[row / 64] &>> UInt64(truncatingIfNeeded: row % 64) & 1 != 0 }

  /// The new row of each old row, or `RowMatcher.none`.
  ///
  /// - Complexity: O(*n*) in the rows of both tables.
  var newRows: [UInt32] {
    var newRows = [UInt32](repeating: RowMatcher.none, count: oldCount)
    for (row, old) in oldRows.enumerated() where old != RowMatcher.none {
      newRows[Int(old)] = UInt32(truncatingIfNeeded: row)
    }
    return newRows
  }

  /// Reserves room for as many new rows as there are old ones, so that it need not be copied as it grows.
  mutating func expectNewRows() {
    if oldRows.isEmpty { oldRows.reserveCapacity(oldCount) }
  }

  /// Adds the next row of a table; `nil` if there are too many.
  @inline(__always)
  mutating func addRow(isOld: Bool) -> UInt32? {
    let row = isOld ? oldCount : oldRows.count
    guard row < Int(RowMatcher.none) else { return nil }
    if isOld {
      oldCount += 1
    } else {
      if row % 64 == 0 { differing.append(0) }
      oldRows.append(RowMatcher.none)
    }
    return UInt32(row)
  }

  /// Records a mistake in a table, if none was noticed at an earlier row.
  mutating func record(_ mistake: Mistake, isOld: Bool) {
    if let known = isOld ? oldMistake : newMistake, known.row <= mistake.row { return }
    if isOld { oldMistake = mistake } else { newMistake = mistake }
  }

  /// Records that a new row is an old one.
  ///
  /// - Parameter differs: whether their cells differ in their texts.
  mutating func match(_ new: UInt32, with old: UInt32, differs: Bool) {
    oldRows[Int(new)] = old
    if differs { differing[Int(new) / 64] |= 1 &<< UInt64(new % 64) }
  }
}
