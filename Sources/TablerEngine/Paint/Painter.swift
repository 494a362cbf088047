/// Writes a table in one form.
///
/// A table has one or more sections: rows that belong together. The pipeline calls `begin` once, then for
/// each section `beginSection`, `paint` for its rows as they come, and `endSection`; and `end` once. A
/// painter that needs widths is created with them; it never asks where rows come from.
protocol Painter: SendableMetatype, ~Copyable {
  /// Writes what precedes the first section.
  mutating func begin(into out: inout ByteBuffer)

  /// Writes what precedes the rows of a section.
  ///
  /// - Parameter heading: the text across all columns that names the section.
  mutating func beginSection(heading: [UInt8]?, into out: inout ByteBuffer)

  /// Writes some of the rows of a section, in order.
  mutating func paint(_ rows: Rows, _ range: Range<Int>, into out: inout ByteBuffer)

  /// Writes a line in place of rows that are left out.
  ///
  /// - Parameters:
  ///   - text: the line, across all columns.
  ///   - count: the number of rows.
  mutating func paintGap(_ text: [UInt8], of count: Int, into out: inout ByteBuffer)

  /// Writes what follows the rows of a section.
  ///
  /// - Parameter footers: the footer lines of the section.
  mutating func endSection(footers: [FooterLine], into out: inout ByteBuffer)

  /// Writes what follows the last section.
  ///
  /// - Parameter footers: the footer lines of the table, each with a text for each shown column.
  mutating func end(footers: [FooterLine], into out: inout ByteBuffer)

  /// Sets the total number of rows, before the last are painted.
  ///
  /// It is needed if rows are selected from the end.
  mutating func setRowCount(_ count: Int)

  /// Adds keys that were not known before, if records are drawn with their own.
  mutating func grow(by growth: KeyGrowth)

  /// The approximate bytes of a row without its cells.
  var rowSize: Int { get }

  /// The size of the end that is added to a record without one, in bytes.
  var recordEndSize: Int { get }

  /// Notices for the user so far.
  var notices: [LayoutNotice] { get }

  /// As `RowStyles.selectedCount`.
  var selectedCount: Int { get }

  /// The number of cells that `--formula-guard` has changed so far.
  var guardedCells: Int { get }

  /// The evaluation state of templates: cells that did not convert, a failed `must()`.
  var states: [EvaluationState] { get }
}

extension Painter where Self: ~Copyable {
  /// Writes nothing, unless a form shows where sections begin.
  mutating func beginSection(heading: [UInt8]?, into out: inout ByteBuffer) {}

  /// Writes nothing, unless a form is for people.
  mutating func paintGap(_ text: [UInt8], of count: Int, into out: inout ByteBuffer) {}

  /// Writes nothing, unless a form shows where sections end.
  mutating func endSection(footers: [FooterLine], into out: inout ByteBuffer) {}

  /// Does nothing, unless rows are marked.
  mutating func setRowCount(_ count: Int) {}

  /// Does nothing, unless a painter draws records with their own keys.
  mutating func grow(by growth: KeyGrowth) {}

  /// Almost nothing, unless a painter draws columns that rows lack.
  var rowSize: Int { 0 }

  /// A newline, unless the input decides.
  var recordEndSize: Int { 1 }

  /// None, unless a painter may have notices.
  var notices: [LayoutNotice] { [] }

  /// None, except in forms for people.
  var selectedCount: Int { 0 }

  /// None, except in csv and tsv.
  var guardedCells: Int { 0 }

  /// None, except in forms for people.
  var states: [EvaluationState] { [] }

  /// Writes a part of a table.
  mutating func paint(_ part: SectionPart, into out: inout ByteBuffer) {
    switch part {
    case .begin(let heading): beginSection(heading: heading, into: &out)
    case .rows(let rows, let range): paint(rows, range, into: &out)
    case .gap(let text, let count): paintGap(text, of: count, into: &out)
    case .end(let footers): endSection(footers: footers, into: &out)
    }
  }
}

/// The keys that JSON records drawn with their own keys added after painting had begun.
struct KeyGrowth: Sendable {
  /// The columns of the new keys that are shown, to come after those known.
  var columns: [ShownColumn]

  /// The texts of the cells of these columns.
  var texts: [CellText]

  /// All keys, including new ones, that are not shown.
  var hidden: [String]

  /// The styles of their cells.
  var styles = RowStyles()
}

/// What the data forms need to know about the input, so that they can write it back unchanged.
struct InputProfile: Sendable {
  /// How the first input is written; csv and tsv output follow it.
  var dialect: Dialect

  /// The columns of the input.
  let schema: Schema

  /// Whether the titles were given, by a header or by an option, and are not only the positions of `-H`.
  var hasTitles = true

  /// The decimal and thousands marks of numbers in cells.
  var marks = NumberMarks.standard

  /// The texts that are null (`--null`).
  var nullWords: [[UInt8]] = []

  /// Whether the members of JSON objects are columns of their own.
  var isFlattened = false

  /// Whether quotes tell an empty text from null (`--quoted-empty text`).
  var quotedEmptyIsText = false
}
