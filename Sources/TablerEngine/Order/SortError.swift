/// Why rows cannot be sorted.
public enum SortError: Error, Equatable, Sendable {
  /// A key of `--sort` or `--sorted-by` names no column; the key's place in the option's text, in bytes.
  case column(ColumnError, key: Range<Int>)

  /// `--order` names no column.
  case orderColumn(ColumnError)

  /// An `(expr)` key that cannot be bound.
  case expression(ExpressionError)

  /// A key met a list or an object, which have no order.
  case noOrder(Unordered)

  /// A value that has no order, and where it was met.
  public struct Unordered: Equatable, Sendable {
    /// The key's column, as addressed, or its expression.
    public var column: String

    /// Whether it is a list; else an object.
    public var isList: Bool

    /// The names of the first members of an object, to suggest one.
    public var members: [String]

    /// The key's place in the option's text, in bytes.
    public var key: Range<Int>

    /// The input, as an index into the plan's sources.
    public var source: Int

    /// The line the record begins on, counted from 1.
    public var line: Int
  }
}
