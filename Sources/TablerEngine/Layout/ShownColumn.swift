/// A column as it is shown: where its cells come from, its title, and what was asked of it.
struct ShownColumn: Sendable {
  /// Where the cells come from.
  enum Source: Sendable {
    /// A column of the input, or a path into one.
    case column(ResolvedColumn)

    /// The number of the row shown, from 1.
    case rowNumber

    /// A template over the row.
    indirect case template(RowTemplate)

    /// The same text in every row.
    case constant([UInt8])
  }

  /// The place of a column in the sort order.
  struct SortState: Equatable, Sendable {
    /// Whether it sorts from high to low.
    var isDescending: Bool

    /// The place among the keys, from 1.
    var rank: Int
  }

  /// Where the cells come from.
  var source: Source

  /// The title to draw.
  var title: String

  /// The name in JSON and for options; empty where there is none.
  var name: String

  /// Whether the cells are headers of their rows (`--row-names`, `--row-numbers`).
  var isRowHeader = false

  /// Whether a title was given with `=Title`; then csv and JSON use it too.
  var hasOwnTitle = false

  /// Whether `--columns` names it by itself, so that it is never left out for lack of room.
  var isNamed = false

  /// The alignment asked for; `nil` is decided by what the column holds.
  var alignment: Alignment?

  /// Where its cells may break; only HTML asks, which decides it by its first rows.
  var breaking = Breaking.words

  /// The template of `--format`, if one was given.
  var format: RowTemplate?

  /// Its place in the sort order, if it has one.
  var sort: SortState?

  /// Whether its cells are the numbers of the rows shown.
  var isRowNumber: Bool {
    if case .rowNumber = source { true } else { false }
  }
}
