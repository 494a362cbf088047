extension RowRange {
  /// The rows meant among `count` rows, as indices from 0; ends that lie outside are cut, and may leave nothing.
  func indices(count: Int) -> Range<Int> {
    let lower = max(Self.number(first ?? 1, of: count), 1)
    let upper = min(Self.number(last ?? -1, of: count), count)
    return lower <= upper ? lower - 1..<upper : 0..<0
  }

  /// A row number counted from 1 at the top; -1 is the last.
  private static func number(_ number: Int, of count: Int) -> Int {
    number < 0 ? count + 1 + number : number
  }
}
