/// Which columns are drawn where not all of them fit: those in the middle are left out, and one column stands for them.
struct KeptColumns {
  /// The columns that are drawn, as indices into those shown; `nil` where the first was left out.
  let places: [Int?]
  /// Their widths.
  let plan: WidthPlan
  /// Their frame.
  let builder: FrameBuilder

  /// Leaves out as few columns as possible, from the middle, until the leasts fit or only those are left that stay.
  ///
  /// Row names, the first and the last column, sort keys, and columns that were named one by one stay.
  ///
  /// - Returns: `nil` where every column stays.
  init?(
    _ shown: [ShownColumn], _ plan: WidthPlan, mark: CutMark, within limit: Int, _ spacing: Spacing,
    _ options: LayoutOptions
  ) {
    let first = shown.firstIndex { !$0.isRowHeader }
    let candidates = shown.indices.filter { index in
      let column = shown[index]
      let isAtEdge = index == first || index == shown.count - 1
      return !(isAtEdge || column.isRowHeader || column.isNamed || column.sort != nil)
    }
    let fromMiddle = candidates.sorted { left, right in
      let distances = (abs(2 * left - shown.count + 1), abs(2 * right - shown.count + 1))
      return distances.0 == distances.1 ? left > right : distances.0 < distances.1
    }
    guard !candidates.isEmpty else { return nil }

    func kept(leavingOut count: Int) -> (places: [Int?], plan: WidthPlan, builder: FrameBuilder) {
      let leftOut = Set(fromMiddle.prefix(count))
      let firstLeftOut = leftOut.min()
      let places: [Int?] = shown.indices.compactMap { index in
        leftOut.contains(index) ? (index == firstLeftOut ? .some(nil) : nil) : .some(index)
      }
      let columns = places.map { $0.map { plan.columns[$0] } ?? WidthPlan.Column(fixed: mark.width) }
      let drawn = places.map {
        $0.map { shown[$0] } ?? ShownColumn(source: .constant([]), title: "", name: "")
      }
      return (places, WidthPlan(columns: columns), FrameBuilder(drawn, spacing, options))
    }

    var (low, high) = (1, candidates.count)
    while low < high {
      let middle = (low + high) / 2
      let (_, plan, builder) = kept(leavingOut: middle)
      if builder.fixedWidth + plan.least <= limit { high = middle } else { low = middle + 1 }
    }
    (places, self.plan, builder) = kept(leavingOut: low)
  }
}

extension WidthPlan.Column {
  /// A column that is always as wide.
  fileprivate init(fixed width: Int) {
    self.init(
      natural: width, titled: width, data: width, least: width, kept: width, smallest: width, hasText: true)
  }
}
