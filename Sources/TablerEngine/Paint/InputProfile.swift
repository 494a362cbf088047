/// What the data forms know of the input, so that they can give it back as it came.
struct InputProfile: Sendable {
  /// How the first input is written; what csv and tsv output follows.
  var dialect: Dialect

  /// The columns of the input.
  var schema: Schema

  /// Whether the titles were given, by a header or by an option, and are not just the positions of `-H`.
  var hasTitles = true

  /// The marks that numbers in cells are written with.
  var marks = NumberMarks.standard

  /// The texts that are null (`--null`).
  var nullWords: [[UInt8]] = []
}

/// A column as the data forms write it: without format, alignment or place among row names.
struct DataColumn: Sendable {
  /// The column of the batch, or a way into it.
  var source: ResolvedColumn

  /// The title in csv and tsv.
  var title: String

  /// The key in JSON.
  var key: String

  /// Whether the title is that of the column it shows whole, which a header may spell.
  var keepsTitle: Bool

  /// Whether the title was given with `=Title`.
  var hasOwnTitle: Bool
}

extension DataColumn {
  /// The column of the batch.
  @inline(__always)
  var index: Int { source.index }

  /// Whether the column is shown whole rather than what a path leads to.
  @inline(__always)
  var isWhole: Bool { source.path.isEmpty }

  /// The columns that data forms write: row numbers and templates are display, and left out.
  static func columns(of shown: [ShownColumn], _ schema: Schema) -> [DataColumn] {
    var columns: [DataColumn] = []
    for column in shown {
      guard case .column(let source) = column.source else { continue }
      let isWhole = source.path.isEmpty
      let address = column.name.isEmpty ? "@\(source.index + 1)" : column.name
      columns.append(
        DataColumn(
          source: source, title: column.title,
          key: column.hasOwnTitle ? column.title : address,
          keepsTitle: isWhole && !column.hasOwnTitle, hasOwnTitle: column.hasOwnTitle))
    }
    return columns
  }
}

extension [DataColumn] {
  /// Whether these are the first columns of the input, whole and in their order.
  var areInInputOrder: Bool {
    for (place, column) in enumerated() where column.index != place || !column.isWhole { return false }
    return true
  }
}
