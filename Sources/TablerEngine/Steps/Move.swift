/// A range of row numbers as typed: 1-based, -1 is the last, `nil` is open.
public struct RowRange: Equatable, Sendable {
  /// The first row, or `nil` for the beginning.
  public var first: Int?
  /// The last row, or `nil` for the end.
  public var last: Int?

  /// Creates a range.
  public init(first: Int?, last: Int?) {
    self.first = first
    self.last = last
  }

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

/// The rows that an option names.
public enum RowChoice: Sendable {
  /// Rows by number.
  case rows([RowRange])
  /// Rows for which an expression is true.
  case matching(SourceExpression)
}

/// `--move 'WHAT to WHERE'`.
public struct Move: Sendable {
  /// Where they go.
  public enum Place: Sendable {
    /// Before all rows.
    case top
    /// After all rows.
    case bottom
    /// Before row N of the order before the move.
    case beforeRow(Int)
    /// After row N of the order before the move.
    case afterRow(Int)
    /// Before the first row for which an expression is true.
    case beforeMatch(SourceExpression)
    /// After the last row for which an expression is true.
    case afterMatch(SourceExpression)
  }

  /// The rows that move.
  public var what: RowChoice
  /// Where they go.
  public var place: Place
  /// The move as typed, for messages.
  public var source: String

  /// Creates a move.
  public init(what: RowChoice, place: Place, source: String) {
    self.what = what
    self.place = place
    self.source = source
  }
}
