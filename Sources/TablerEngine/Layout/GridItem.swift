/// The value of `--grid-items`.
public enum GridItems: Equatable, Sendable {
  /// The widths of the columns, from the first on.
  case columns([GridItem])
  /// Whole records next to each other, in this width.
  case records(FlowWidth)
}

/// The width of each of the records that are drawn next to each other.
public struct FlowWidth: Equatable, Sendable {
  /// The fewest cells.
  public var least: Int
  /// The most; `nil` if there is no limit.
  public var most: Int?

  /// Creates a width.
  public init(least: Int, most: Int? = nil) {
    self.least = least
    self.most = most
  }
}

/// The width, alignment and spacing that `--grid-items` gives a column.
public struct GridItem: Equatable, Sendable {
  /// The minimum width; `nil` if the cells decide.
  public var least: Int?
  /// The maximum number of cells; `nil` if there is no limit.
  public var most: Int?
  /// The width if there is room; `nil` for that of the widest text.
  public var ideal: Int?
  /// The alignment of its texts; `nil` if their kind decides.
  public var alignment: Alignment?
  /// The cells of space before the next column; `nil` for the space between all columns.
  public var spacing: Int?
  /// The number of consecutive columns like that.
  public var count = 1

  /// Creates an item for one column.
  public init(least: Int? = nil, most: Int? = nil) {
    self.least = least
    self.most = most
  }

  /// The width of a column with room, given its natural width.
  func width(natural: Int) -> Int { min(max(natural, least ?? 0), most ?? .max) }
}

extension [GridItem] {
  /// The number of columns that the items are for.
  var columnCount: Int { reduce(0) { $0 + $1.count } }
}
