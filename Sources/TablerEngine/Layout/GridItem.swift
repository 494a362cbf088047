/// What `--grid-items` says.
public enum GridItems: Equatable, Sendable {
  /// How wide the columns are, from the first on.
  case columns([GridItem])
  /// That whole records stand side by side, and how wide they are.
  case records(FlowWidth)
}

/// How wide each of the records is that stand side by side.
public struct FlowWidth: Equatable, Sendable {
  /// The fewest cells.
  public var least: Int
  /// The most; `nil` where there is no limit.
  public var most: Int?

  /// Creates a width.
  public init(least: Int, most: Int? = nil) {
    self.least = least
    self.most = most
  }
}

/// What `--grid-items` asks of a column: how wide it may be, where its texts stand, what space follows it.
public struct GridItem: Equatable, Sendable {
  /// The fewest cells of its texts; `nil` where what they hold decides.
  public var least: Int?
  /// The most cells; `nil` where there is no limit.
  public var most: Int?
  /// The cells where there is room; `nil` for those of the widest text.
  public var ideal: Int?
  /// Where its texts stand; `nil` where what they hold decides.
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

  /// The width of a column where there is room, which would be so wide by itself.
  func width(natural: Int) -> Int { min(max(natural, least ?? 0), most ?? .max) }
}

extension [GridItem] {
  /// How many columns the items are for.
  var columnCount: Int { reduce(0) { $0 + $1.count } }
}
