/// One column as an option names it: by name, position, or path; resolved against a `Schema`.
public enum ColumnReference: Hashable, Sendable {
  /// A bare or quoted name, possibly with a path after it (`a.b.c`, `tags[0]`).
  ///
  /// A bare integer is the column of that name, else the position. A quoted name is only a name.
  case name(String, isQuoted: Bool)

  /// `@2` is the second column, `@-1` the last.
  case position(Int)
}

/// The columns an option lists: `--columns`, `--hide`, `--row-names`.
public struct ColumnList: Equatable, Sendable {
  /// One item of the list.
  public enum Item: Equatable, Sendable {
    /// A column, perhaps under another title.
    case column(ColumnReference, title: String?)

    /// From one column to another; an open end reaches to the first or the last.
    case range(from: ColumnReference?, through: ColumnReference?)

    /// All columns whose names match a pattern with `*` and `?`.
    case glob(String)
  }

  /// An item and whether `!` takes it away.
  public struct Entry: Equatable, Sendable {
    /// The columns meant.
    public var item: Item

    /// Whether the item takes columns away from the list.
    public var isExcluded: Bool

    /// Creates an entry.
    public init(_ item: Item, isExcluded: Bool = false) {
      self.item = item
      self.isExcluded = isExcluded
    }
  }

  /// The entries as written.
  public var entries: [Entry]

  /// Creates a list.
  public init(_ entries: [Entry]) { self.entries = entries }
}

/// What a `COL:…` option names: a column or a glob.
public enum ColumnSelector: Equatable, Sendable {
  /// One column.
  case column(ColumnReference)

  /// All columns whose names match a pattern with `*` and `?`.
  case glob(String)
}
