/// The widths of all cells of a table as Markdown spells them.
///
/// Rows are measured piece by piece, in any order; measurements merge by maximum.
struct MarkdownMeasurement: Measuring {
  /// What was found out so far, column by column.
  private(set) var columns: [ColumnMeasure]

  /// Whether all plain cells of a column are spelled as they stand; column by column.
  private(set) var areBare: [Bool]

  private let texts: [CellText]
  private let options: LayoutOptions
  private let marks: NumberMarks

  /// What spells the cells that are not plain, and the one spelled last.
  private struct Reader: ~Copyable {
    var cells: MarkdownCells
    var escaped = ByteBuffer()

    init(cells: consuming MarkdownCells) { self.cells = cells }
  }

  /// Starts without rows.
  init(
    _ columns: [ShownColumn], _ texts: [CellText], _ options: LayoutOptions, marks: NumberMarks = .standard
  ) {
    self.columns = Array(repeating: ColumnMeasure(), count: columns.count)
    areBare = Array(repeating: true, count: columns.count)
    self.texts = texts
    self.options = options
    self.marks = marks
  }

  /// Takes over what is larger in `other`, a measurement of the same columns.
  mutating func merge(_ other: MarkdownMeasurement) {
    for index in columns.indices where index < other.columns.count {
      columns[index].merge(other.columns[index])
      areBare[index] = areBare[index] && other.areBare[index]
    }
  }

  /// Measures some of the rows.
  ///
  /// - Parameter number: the number of the first of them among the rows shown, from 1.
  mutating func measure(_ rows: Rows, _ range: Range<Int>, firstNumber number: Int) {
    var reader = Reader(cells: MarkdownCells(texts, options))
    let ids = rows.ids.span.extracting(range)
    let piece = 256
    var start = 0
    while start < ids.count {
      let batch = ids[start].batch
      var end = start &+ 1
      while end < ids.count, end &- start < piece, ids[end].batch == batch { end &+= 1 }
      let rowsOfBatch = ids.extracting(start..<end)
      for column in columns.indices {
        measure(column, rows.batches[batch], rowsOfBatch, firstNumber: number &+ start, &reader)
      }
      start = end
    }
  }
}

extension MarkdownMeasurement {
  /// Measures a column in rows that lie in one batch.
  private mutating func measure(
    _ column: Int, _ batch: Batch, _ ids: Span<RowID>, firstNumber: Int, _ reader: inout Reader
  ) {
    guard let source = texts[column].verbatimColumn, source < batch.columnCount else {
      for index in ids.indices {
        measure(column, batch, ids[index].row, number: firstNumber &+ index, &reader)
      }
      return
    }
    var width = 0
    var hasOthers = columns[column].hasOthers
    let notes = batch.cells
    let cells = notes.span
    let stride = batch.columnCount
    for index in ids.indices {
      let row = ids[index].row
      let cell = cells[row &* stride &+ source]
      guard cell.isSimple else {
        measure(column, batch, row, number: firstNumber &+ index, &reader)
        hasOthers = columns[column].hasOthers
        continue
      }
      if batch.block.hasMarks(MarkdownMarks.self, from: cell.offset, count: cell.length) {
        areBare[column] = false
        measure(column, batch, row, number: firstNumber &+ index, &reader)
        hasOthers = columns[column].hasOthers
        continue
      }
      if cell.length > width { width = cell.length }
      if !hasOthers {
        note(cell, of: batch, in: column)
        hasOthers = columns[column].hasOthers
      }
    }
    columns[column].width = max(columns[column].width, width)
  }

  /// Measures a cell that is spelled otherwise than it stands.
  private mutating func measure(
    _ column: Int, _ batch: Batch, _ row: Int, number: Int, _ reader: inout Reader
  ) {
    if !columns[column].hasOthers { noteValue(column, batch, row) }
    reader.escaped.removeAll()
    reader.cells.append(column, batch, row, number: number, to: &reader.escaped)
    let width = reader.cells.metrics.width(of: reader.escaped.span)
    columns[column].width = max(columns[column].width, width)
  }

  /// Notes whether the value a column shows is a number.
  private mutating func noteValue(_ column: Int, _ batch: Batch, _ row: Int) {
    switch texts[column].value(batch, row) {
    case .cell(let cell): note(cell, of: batch, in: column)
    case .number: columns[column].hasNumbers = true
    case .text: columns[column].hasOthers = true
    case .none: break
    }
  }

  /// Notes whether a cell is a number.
  @inline(__always)
  private mutating func note(_ cell: Cell, of batch: Batch, in column: Int) {
    if cell.isNull { return }
    let content = batch.content(cell)
    if cell.kind == .number || content.isDigits(decimal: marks.decimal)
      || NumberReader.isNumber(content, marks: marks)
    {
      columns[column].hasNumbers = true
    } else if !content.isNullLike {
      columns[column].hasOthers = true
    }
  }
}
