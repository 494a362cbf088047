/// The columns of a record, folded into several lines because they do not fit into one: `--grid-wrap`.
///
///     ┌──────┬────────┐
///     │ id   │ name   │
///     │ size │ color  │
///     ╞══════╪════════╡
///     │ 🍊   │ Orange │
///     │  190 │ orange │
///     └──────┴────────┘
///
/// All lines have the same places. The columns fill them from left to right, and a place is as wide as its
/// widest column. Row names are only drawn on the first line.
struct ColumnFold {
  /// The columns in the places of each line of a record, as indices into the shown columns; `nil` if there is none.
  let lines: [[Int?]]
  /// The widths of the places.
  let plan: WidthPlan
  /// The frame around them.
  let builder: FrameBuilder

  /// Puts as many columns into a line as their minimum widths allow, but at least one besides the row names.
  ///
  /// - Returns: `nil` if there are fewer than two columns to fold.
  /// - Complexity: O(*n* log *n*) for *n* columns.
  init?(
    _ shown: [ShownColumn], _ plan: WidthPlan, within limit: Int, _ spacing: Spacing, _ options: LayoutOptions
  ) {
    let nameCount = shown.prefix { $0.isRowHeader }.count
    let others = shown.count - nameCount
    guard others > 1 else { return nil }

    func folded(_ count: Int) -> (plan: WidthPlan, builder: FrameBuilder) {
      var columns = Array(plan.columns[..<(nameCount + count)])
      var places = Array(shown[..<(nameCount + count)])
      for index in (nameCount + count)..<shown.count {
        let place = nameCount + (index - nameCount) % count
        columns[place].merge(plan.columns[index])
        places[place].mark = places[place].mark ?? shown[index].mark
        places[place].barRoom = max(places[place].barRoom, shown[index].barRoom)
      }
      return (WidthPlan(columns: columns), FrameBuilder(places, spacing, options))
    }

    var (low, high) = (1, min(others - 1, max(1, limit)))
    while low < high {
      let middle = (low + high + 1) / 2
      let (plan, builder) = folded(middle)
      if builder.fixedWidth + plan.least <= limit { low = middle } else { high = middle - 1 }
    }
    (self.plan, builder) = folded(low)
    lines = stride(from: nameCount, to: shown.count, by: low).map { start in
      let names = (0..<nameCount).map { start == nameCount ? $0 : nil }
      return names + (start..<start + low).map { $0 < shown.count ? $0 : nil }
    }
  }
}

extension WidthPlan.ColumnWishes {
  /// Merges a column that shares the place.
  fileprivate mutating func merge(_ other: Self) {
    natural = max(natural, other.natural)
    titled = max(titled, other.titled)
    data = max(data, other.data)
    least = max(least, other.least)
    kept = max(kept, other.kept)
    smallest = max(smallest, other.smallest)
    whole = max(whole, other.whole)
    titlePiece = max(titlePiece, other.titlePiece)
    widest = max(widest, other.widest)
    hasText = hasText || other.hasText
    hasOwnWidth = hasOwnWidth && other.hasOwnWidth
    most = if let most, let otherMost = other.most { max(most, otherMost) } else { nil }
  }
}
