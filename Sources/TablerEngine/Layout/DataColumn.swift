/// A column as the data forms write it: without format, alignment or place among row names.
struct DataColumn: Sendable {
  /// The column of the batch, or a path into it.
  var source: ResolvedColumn

  /// The title in csv and tsv.
  var title: String

  /// The name that options use.
  var name: String

  /// The declared type of the cells, if they have one.
  var type: ValueType?

  /// Its rank among the columns that steps write cells to, if it is one of them.
  var rank: UInt32?

  /// The key in JSON.
  var key: String

  /// Whether the title is that of the whole column, as the header may spell it.
  var keepsTitle: Bool

  /// Whether the title was given with `=Title`.
  var hasOwnTitle: Bool
}

extension DataColumn {
  /// The column of the batch.
  @inline(__always)
  var index: Int { source.index }

  /// Whether the whole column is shown, not only the value of a path.
  @inline(__always)
  var isWhole: Bool { source.path.isEmpty }

  /// The columns that data forms write: row numbers and templates are only for display, and left out.
  static func columns(of shown: [ShownColumn], _ schema: Schema) -> [DataColumn] {
    var columns: [DataColumn] = []
    columns.reserveCapacity(shown.count)
    for column in shown {
      guard case .column(let source) = column.source else { continue }
      let isWhole = source.path.isEmpty
      let address = column.name.isEmpty ? "@\(source.index + 1)" : column.name
      columns.append(
        DataColumn(
          source: source, title: column.title, name: column.name, type: column.type,
          rank: column.rank,
          key: column.hasOwnTitle ? column.title : address,
          keepsTitle: isWhole && !column.hasOwnTitle, hasOwnTitle: column.hasOwnTitle))
    }
    return columns
  }
}

extension [DataColumn] {
  /// The number of columns, from the first, that are the first columns of the input, whole and in order.
  var leadingCount: Int {
    for (place, column) in enumerated() where column.index != place || !column.isWhole { return place }
    return count
  }
}
