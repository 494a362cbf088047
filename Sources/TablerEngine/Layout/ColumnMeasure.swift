/// What measuring found out about one column.
struct ColumnMeasure: Equatable, Sendable {
  /// The cells of the widest line of any cell.
  var width = 0

  /// Whether a cell is a number.
  var hasNumbers = false

  /// Whether a cell that is neither empty nor null is no number.
  var hasOthers = false

  /// The cells of the widest text before a decimal point.
  var beforePoint = 0

  /// The cells of the widest text from the decimal point on.
  var fromPoint = 0

  /// The cells of the longest word, as far as anybody needs to know.
  var longestWord = 0

  /// Whether the column is one of numbers.
  var isNumeric: Bool { hasNumbers && !hasOthers }

  /// Takes over what is larger in `other`.
  mutating func merge(_ other: ColumnMeasure) {
    width = max(width, other.width)
    hasNumbers = hasNumbers || other.hasNumbers
    hasOthers = hasOthers || other.hasOthers
    beforePoint = max(beforePoint, other.beforePoint)
    fromPoint = max(fromPoint, other.fromPoint)
    longestWord = max(longestWord, other.longestWord)
  }
}
