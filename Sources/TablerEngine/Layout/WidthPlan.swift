/// How wide the columns of a table are to be, and how they give way.
struct WidthPlan: Equatable, Sendable {
  /// One column's wishes.
  struct Column: Equatable, Sendable {
    /// The width with everything in one line and room for a sort indicator.
    var natural: Int

    /// The width without that room, for columns that have no indicator to show.
    var withoutRoom: Int

    /// The width below which the column does not go.
    var least: Int
  }

  /// The columns from leading to trailing.
  var columns: [Column]

  /// The widths in so many cells; more in sum only where the leasts do not fit.
  ///
  /// 1. If everything fits, all is natural.
  /// 2. The room kept for indicators goes first, from the right.
  /// 3. Then the widest column above its least gives a cell, ties from the right, until all fits.
  func widths(within room: Int?) -> [Int] {
    var widths = columns.map(\.natural)
    guard let room else { return widths }
    var excess = widths.reduce(0, +) - room
    for index in columns.indices.reversed() where excess > 0 {
      let given = min(excess, max(0, columns[index].natural - columns[index].withoutRoom))
      widths[index] -= given
      excess -= given
    }
    return excess > 0 ? level(widths, to: room) : widths
  }

  /// Step 3, done by finding the highest level to which all wider columns can be cut.
  private func level(_ widths: [Int], to room: Int) -> [Int] {
    func cut(to level: Int) -> [Int] {
      zip(widths, columns).map { width, column in min(width, max(level, min(column.least, width))) }
    }
    var low = 0
    var high = widths.max() ?? 0
    while low < high {
      let middle = (low + high + 1) / 2
      if cut(to: middle).reduce(0, +) <= room { low = middle } else { high = middle - 1 }
    }
    var result = cut(to: low)
    var left = room - result.reduce(0, +)
    for index in result.indices where left > 0 && result[index] == low && widths[index] > low {
      result[index] += 1
      left -= 1
    }
    return result
  }

  /// The widths with `extra` cells more, given evenly, the odd ones from the left.
  static func widened(_ widths: [Int], by extra: Int) -> [Int] {
    guard extra > 0, !widths.isEmpty else { return widths }
    let (share, odd) = extra.quotientAndRemainder(dividingBy: widths.count)
    return widths.enumerated().map { $1 + share + ($0 < odd ? 1 : 0) }
  }
}
