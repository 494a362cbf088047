/// How wide the columns of a table are to be, and how they give way.
struct WidthPlan: Equatable, Sendable {
  /// One column's wishes, in display columns.
  struct Column: Equatable, Sendable {
    /// The width with everything in one line.
    var natural: Int

    /// The width to which the title may be broken or cut before any cell is.
    var titled: Int

    /// The width of the cells in one line.
    var data: Int

    /// The width below which a number, a date or a word is broken.
    var least: Int

    /// The width below which a number, a date or a word of the cells is broken; titles do not count.
    var kept: Int

    /// The width below which not even a single character fits.
    var smallest: Int

    /// Whether the cells hold other texts than numbers, dates and times.
    var hasText: Bool

    /// The width below which a number, a date or a time among other texts is broken.
    var whole = 0
  }

  /// The columns from leading to trailing.
  var columns: [Column]

  /// The sum of the leasts.
  var least: Int { columns.reduce(0) { $0 + $1.least } }

  /// The widths in so many cells; more in sum only where the smallest do not fit (R65).
  ///
  /// Columns give way in steps, each only as far as it must:
  /// 1. titles wrap, where no cell has to;
  /// 2. columns of text shrink to their leasts;
  /// 3. columns of numbers, dates and times shrink to their cells;
  /// 4. then to their leasts;
  /// 5. words of titles break;
  /// 6. texts break in columns without numbers, dates and times;
  /// 7. then in all columns of text;
  /// 8. numbers, dates and times break.
  ///
  /// In each step the widest column gives a cell, ties from the right, until all fits.
  func widths(within room: Int?) -> [Int] {
    var widths = columns.map(\.natural)
    guard let room else { return widths }
    let steps: [(Column) -> Int] = [
      { $0.titled },
      { $0.hasText ? $0.least : $0.titled },
      { $0.hasText ? $0.least : max($0.data, $0.least) },
      { $0.least },
      { $0.kept },
      { $0.hasText ? max($0.smallest, min($0.whole, $0.kept)) : $0.kept },
      { $0.hasText ? $0.smallest : $0.kept },
      { $0.smallest },
    ]
    for step in steps where widths.reduce(0, +) > room {
      widths = Self.level(widths, above: columns.map(step), to: room)
    }
    return widths
  }

  /// The widths cut to the highest level at which they fit; no column goes below its floor.
  private static func level(_ widths: [Int], above floors: [Int], to room: Int) -> [Int] {
    func cut(to level: Int) -> [Int] {
      zip(widths, floors).map { width, floor in min(width, max(level, min(floor, width))) }
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
