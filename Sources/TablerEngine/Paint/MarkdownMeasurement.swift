/// The widths of all cells of a table as Markdown spells them.
///
/// Rows are measured piece by piece, in any order; measurements merge by maximum.
struct MarkdownMeasurement: Measuring {
  /// What was found out so far, column by column.
  private(set) var columns: [ColumnMeasure]

  private let texts: [CellText]
  private let options: LayoutOptions
  private let marks: NumberMarks

  /// Starts without rows.
  init(
    _ columns: [ShownColumn], _ texts: [CellText], _ options: LayoutOptions, marks: NumberMarks = .standard
  ) {
    self.columns = Array(repeating: ColumnMeasure(), count: columns.count)
    self.texts = texts
    self.options = options
    self.marks = marks
  }

  /// Takes over what is larger in `other`, a measurement of the same columns.
  mutating func merge(_ other: MarkdownMeasurement) {
    for index in columns.indices where index < other.columns.count {
      columns[index].merge(other.columns[index])
    }
  }

  /// Measures some of the rows.
  ///
  /// - Parameter number: the number of the first of them among the rows shown, from 1.
  mutating func measure(_ rows: Rows, _ range: Range<Int>, firstNumber number: Int) {
    var cells = MarkdownCells(texts, options)
    var escaped = ByteBuffer()
    for index in range {
      let id = rows.ids[index]
      let batch = rows.batches[id.batch]
      let rowNumber = number &+ (index &- range.lowerBound)
      for column in columns.indices {
        if !columns[column].hasOthers { noteValue(column, batch, id.row) }
        if let cell = cells.plainCell(column, batch, id.row) {
          if cell.length > columns[column].width { columns[column].width = cell.length }
          continue
        }
        escaped.removeAll()
        cells.append(column, batch, id.row, number: rowNumber, to: &escaped)
        columns[column].width = max(columns[column].width, cells.metrics.width(of: escaped.span))
      }
    }
  }
}

extension MarkdownMeasurement {
  /// Notes whether the value a column shows is a number.
  private mutating func noteValue(_ column: Int, _ batch: Batch, _ row: Int) {
    switch texts[column].value(batch, row) {
    case .cell(let cell):
      if cell.kind == .empty { return }
      if cell.kind == .number || NumberReader.isNumber(batch.content(cell), marks: marks) {
        columns[column].hasNumbers = true
      } else {
        columns[column].hasOthers = true
      }
    case .number: columns[column].hasNumbers = true
    case .text: columns[column].hasOthers = true
    case .none: break
    }
  }
}
