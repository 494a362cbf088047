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

  /// The cells of the widest number, date or time, where there is a limit.
  var whole = 0

  /// The cells of the longest word of other texts, as far as anybody needs to know.
  var longestWord = 0

  /// Whether a cell is neither a number nor a date or time, where there is a limit.
  var hasText = false

  /// Whether a character of a cell is two cells wide, where there is a limit.
  var hasWide = false

  /// Whether a simple cell is spelled otherwise than it stands.
  var hasEscapes = false

  /// No word longer than this makes a column's least width larger.
  static let longestLeast = 12

  /// Whether the column is one of numbers.
  var isNumeric: Bool { hasNumbers && !hasOthers }

  /// Takes over what is larger in `other`.
  mutating func merge(_ other: ColumnMeasure) {
    width = max(width, other.width)
    hasNumbers = hasNumbers || other.hasNumbers
    hasOthers = hasOthers || other.hasOthers
    beforePoint = max(beforePoint, other.beforePoint)
    fromPoint = max(fromPoint, other.fromPoint)
    whole = max(whole, other.whole)
    longestWord = max(longestWord, other.longestWord)
    hasText = hasText || other.hasText
    hasWide = hasWide || other.hasWide
    hasEscapes = hasEscapes || other.hasEscapes
  }
}
