/// One key of `--sort` or `--sorted-by`.
public struct SortKey: Sendable {
  /// What is compared.
  public enum Target: Sendable {
    /// A column, or a path into one.
    case column(ColumnReference)

    /// The value of an expression, written in parentheses.
    case expression(SourceExpression)
  }

  /// How texts are compared.
  public enum Comparison: String, CaseIterable, Sendable {
    /// Numbers by value, then everything else as text.
    case auto
    /// Numbers; values that do not convert count as null.
    case number
    /// UTF-8 bytes.
    case text
    /// Digit runs by value.
    case natural
    /// Lower-cased text.
    case nocase
    /// ISO 8601 dates; values that do not convert count as null.
    case date
    /// Durations; values that do not convert count as null.
    case duration
    /// Sizes such as `1.5G`; values that do not convert count as null.
    case size
    /// The number of characters.
    case length
    /// As natural, but `1.0-rc1` before `1.0`.
    case version
  }

  /// What is compared.
  public var target: Target
  /// How it is compared.
  public var comparison: Comparison
  /// Whether the order is descending; equal rows keep their order nevertheless.
  public var isDescending: Bool
  /// The position of nulls, if the key specifies it.
  public var nulls: NullPlacement?
  /// The range of the key in its option's text, in bytes, for messages.
  public var place: Range<Int>

  /// Creates a key.
  public init(
    target: Target, comparison: Comparison = .auto, isDescending: Bool = false, nulls: NullPlacement? = nil,
    place: Range<Int> = 0..<0
  ) {
    self.target = target
    self.comparison = comparison
    self.isDescending = isDescending
    self.nulls = nulls
    self.place = place
  }
}

/// The position of nulls in a sorted table, both ascending and descending.
public enum NullPlacement: String, CaseIterable, Sendable {
  /// Before all values.
  case first
  /// After all values.
  case last
}

/// `--order COL=V,…`: listed values first, in that order.
public struct ValueOrder: Equatable, Sendable {
  /// The column.
  public var column: ColumnReference
  /// The values, first to last.
  public var values: [String]

  /// Creates an order.
  public init(column: ColumnReference, values: [String]) {
    self.column = column
    self.values = values
  }
}
