/// Finds the cells that repeat the ones above them, which are drawn once: `--merge-repeats`.
///
/// A cell repeats the one above it if both show the same text, and so do the pairs in the columns named before its
/// own. It is drawn all the same if it or the one above it has a mark or a style, and if nothing else of its row would
/// be drawn.
///
/// - Complexity: O(*n*) in the bytes of these cells.
struct RepeatFinder<Text: Spelling>: ~Copyable {
  /// The columns, as indices into those drawn, in the order in which they were named.
  let columns: [Int]

  /// The number of columns that are drawn.
  private let columnCount: Int

  /// The cells as they are shown.
  private var cells: SpelledCells<Text>

  /// What the cells of the row above show, and whether they have no value.
  private var texts: [(bytes: [UInt8], isAbsent: Bool)]

  /// Whether the cells of the row above have neither marks nor styles.
  private var arePlain: [Bool]

  /// Whether there is a row above.
  private var hasRow = false

  /// Whether each drawn column repeats the cell above it, in the row that was examined last.
  private(set) var repeats: [Bool]

  /// Whether any does.
  private(set) var hasRepeats = false

  /// Prepares to examine rows.
  ///
  /// - Parameters:
  ///   - ranks: for each column drawn, its place among those named, from 1; 0 if it is not merged.
  ///   - texts: the texts of the columns drawn.
  init(_ ranks: [Int], _ texts: [CellText], _ text: Text) {
    columns = ranks.indices.filter { ranks[$0] > 0 }.sorted { ranks[$0] < ranks[$1] }
    columnCount = ranks.count
    cells = SpelledCells(texts, text)
    self.texts = columns.map { _ in ([], false) }
    arePlain = columns.map { _ in true }
    repeats = ranks.map { _ in false }
  }

  /// Begins anew: the next row has none above it.
  mutating func begin() { hasRow = false }

  /// Examines the next row.
  ///
  /// - Parameters:
  ///   - number: its number among the rows shown, from 1.
  ///   - arePlain: for each of `columns`, whether its cell has neither a mark nor a style.
  mutating func examine(_ batch: Batch, _ row: Int, number: Int, arePlain plain: [Bool]) {
    var isSame = hasRow
    hasRepeats = false
    var count = 0
    for (place, column) in columns.enumerated() {
      let shown = cells.show(column, batch, row, number: number)
      let isAbsent = cells.isAbsent
      let above = texts[place]
      let isKnown = cells.withText(of: shown, batch) { text in
        let bytes = above.bytes.span
        return bytes.count == text.count && bytes.isSame(as: text, at: 0) && above.isAbsent == isAbsent
      }
      if !isKnown {
        isSame = false
        texts[place] = (cells.withText(of: shown, batch) { Array(copying: $0) }, isAbsent)
      }
      repeats[column] = isSame && plain[place] && arePlain[place]
      if repeats[column] { count += 1 }
    }
    hasRow = true
    arePlain = plain
    if count == columnCount {
      for column in columns { repeats[column] = false }
      count = 0
    }
    hasRepeats = count > 0
  }
}

/// Which cells of a table repeat the ones above them: a bit for each.
struct RepeatedCells: Sendable {
  /// The bytes of a row.
  private let width: Int

  private var bits: [UInt8] = []

  /// Knows no rows of a table of that many columns.
  init(columnCount: Int) { width = (columnCount + 7) / 8 }

  /// Adds a row.
  mutating func addRow() { bits.append(contentsOf: repeatElement(0, count: width)) }

  /// Marks a cell of the row added last.
  mutating func insert(_ column: Int) { bits[bits.count - width + column / 8] |= 1 << UInt8(column % 8) }

  /// How many rows a cell is drawn over: its own, and those below it that repeat it.
  ///
  /// - Complexity: O(*n*) for *n* such rows.
  func height(ofRow row: Int, _ column: Int) -> Int {
    var next = (row + 1) * width + column / 8
    while next < bits.count, bits[next] & 1 << UInt8(column % 8) != 0 { next += width }
    return (next - column / 8) / width - row
  }
}

/// Draws nothing, but learns which cells repeat the ones above them.
struct RepeatRecorder<Text: Spelling>: ~Copyable, TableForm {
  let text: Text

  /// What was learned.
  private(set) var cells: RepeatedCells

  /// Prepares to walk over a table of that many columns.
  init(columnCount: Int, _ text: Text) {
    self.text = text
    cells = RepeatedCells(columnCount: columnCount)
  }

  var rowSize: Int { 0 }
  var notices: [LayoutNotice] { [] }
  var showsValid: Bool { false }

  func appendTitles(to out: inout ByteBuffer) {}

  mutating func appendRow(
    _ spelled: inout SpelledCells<Text>, _ batch: Batch, _ row: Int, number: Int, _ found: inout CellFindings,
    to out: inout ByteBuffer
  ) -> Bool {
    cells.addRow()
    return true
  }

  mutating func appendRow(
    _ look: SharedLook?, _ styles: inout RowStyles, _ spelled: inout SpelledCells<Text>, _ batch: Batch,
    _ row: Int,
    number: Int, _ found: inout CellFindings, to out: inout ByteBuffer
  ) -> Bool {
    cells.addRow()
    return true
  }

  mutating func beginRow(_ place: RowPosition, to out: inout ByteBuffer) { cells.addRow() }

  mutating func beginRow(_ look: RowLook, _ place: RowPosition, to out: inout ByteBuffer) { cells.addRow() }

  mutating func append(
    _ cell: CellParts, _ spelled: inout SpelledCells<Text>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings { CellFindings() }

  mutating func appendRepeat(
    _ column: Int, _ spelled: inout SpelledCells<Text>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    cells.insert(column)
    return CellFindings()
  }

  func endRow(to out: inout ByteBuffer) {}

  func append(_ footer: FooterLine, number: Int, _ place: RowPosition, to out: inout ByteBuffer) {}

  func appendClosing(to out: inout ByteBuffer) {}
}
