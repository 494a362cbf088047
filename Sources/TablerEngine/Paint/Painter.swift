/// What writes a table in one form.
///
/// A table is one section, or several: rows that stand together. The pipeline calls `begin` once, then for each section
/// `beginSection`, `paint` for its rows as they come, and `endSection`; and `end` once. A painter that needs widths is
/// created with them; it never asks where rows come from.
protocol Painter: ~Copyable {
  /// Writes what stands before the first section.
  mutating func begin(into out: inout ByteBuffer)

  /// Writes what stands above the rows of a section.
  ///
  /// - Parameter heading: the text over all columns that names the section.
  mutating func beginSection(heading: [UInt8]?, into out: inout ByteBuffer)

  /// Writes some of the rows of a section, in order.
  mutating func paint(_ rows: Rows, _ range: Range<Int>, into out: inout ByteBuffer)

  /// Writes what stands below the rows of a section.
  ///
  /// - Parameter footers: the footer lines of the section.
  mutating func endSection(footers: [FooterLine], into out: inout ByteBuffer)

  /// Writes what stands after the last section.
  ///
  /// - Parameter footers: the footer lines of the table, each with a text per shown column.
  mutating func end(footers: [FooterLine], into out: inout ByteBuffer)

  /// Sets the total number of rows, before the last are painted.
  ///
  /// Needed if rows are selected from the end.
  mutating func settle(total: Int)

  /// Takes keys that were not known before, where records are drawn with their own.
  mutating func grow(by growth: KeyGrowth)

  /// The approximate bytes of a row without its cells.
  var rowSize: Int { get }

  /// The bytes that end a record which has no end of its own.
  var recordEndSize: Int { get }

  /// Notices for the user so far.
  var notices: [LayoutNotice] { get }

  /// How many cells `--formula-guard` changed so far.
  var guardedCells: Int { get }

  /// The evaluation state of templates: cells that did not convert, a failed `must()`.
  var states: [EvaluationState] { get }
}

extension Painter where Self: ~Copyable {
  /// Nothing, unless a form shows where sections begin.
  mutating func beginSection(heading: [UInt8]?, into out: inout ByteBuffer) {}

  /// Nothing, unless a form shows where sections end.
  mutating func endSection(footers: [FooterLine], into out: inout ByteBuffer) {}

  /// Nothing to do, unless rows are marked.
  mutating func settle(total: Int) {}

  /// Nothing to do, unless a painter draws records with their own keys.
  mutating func grow(by growth: KeyGrowth) {}

  /// Next to nothing, unless a painter draws columns that rows lack.
  var rowSize: Int { 0 }

  /// A newline, unless the input decides.
  var recordEndSize: Int { 1 }

  /// Nothing, unless a painter may notice something.
  var notices: [LayoutNotice] { [] }

  /// None, but in csv and tsv.
  var guardedCells: Int { 0 }

  /// None, but in forms for people.
  var states: [EvaluationState] { [] }
}

/// What records of JSON that keep their own keys brought after painting had begun.
struct KeyGrowth: Sendable {
  /// The columns of the keys that are new and shown, to stand after those known.
  var columns: [ShownColumn]

  /// What the cells of these columns say.
  var texts: [CellText]

  /// All keys, new ones among them, that are not shown.
  var hidden: [String]

  /// The styles of their cells.
  var styles = RowStyles()
}

/// What the data forms know of the input, so that they can give it back as it came.
struct InputProfile: Sendable {
  /// How the first input is written; what csv and tsv output follows.
  var dialect: Dialect

  /// The columns of the input.
  let schema: Schema

  /// Whether the titles were given, by a header or by an option, and are not just the positions of `-H`.
  var hasTitles = true

  /// The marks that numbers in cells are written with.
  var marks = NumberMarks.standard

  /// The texts that are null (`--null`).
  var nullWords: [[UInt8]] = []

  /// Whether the members of JSON objects are columns of their own.
  var isFlattened = false
}

/// A column as the data forms write it: without format, alignment or place among row names.
struct DataColumn: Sendable {
  /// The column of the batch, or a way into it.
  var source: ResolvedColumn

  /// The title in csv and tsv.
  var title: String

  /// The name that options use.
  var name: String

  /// The declared type of the cells, if they have one.
  var type: ValueType?

  /// Its place among the columns that steps put cells into, if it is one of them.
  var rank: UInt32?

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
  /// How many, from the first, are the first columns of the input, whole and in their order.
  var leadingCount: Int {
    for (place, column) in enumerated() where column.index != place || !column.isWhole { return place }
    return count
  }
}
