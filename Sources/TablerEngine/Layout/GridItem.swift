/// The value of `--grid-items`.
public enum GridItems: Equatable, Sendable {
  /// How wide the columns are, from the first on.
  case columns([GridItem])
  /// Whole records side by side, in this width.
  case records(FlowWidth)
}

/// How wide each of the records is that stand side by side.
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
  /// The most cells; `nil` if there is no limit.
  public var most: Int?
  /// The cells if there is room; `nil` for those of the widest text.
  public var ideal: Int?
  /// Where its texts stand; `nil` if what they hold decides.
  public var alignment: Alignment?
  /// The cells of space before the next column; `nil` for that between all columns.
  public var spacing: Int?
  /// How many columns in a row are like that.
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
  /// How many columns the items are for.
  var columnCount: Int { reduce(0) { $0 + $1.count } }
}
