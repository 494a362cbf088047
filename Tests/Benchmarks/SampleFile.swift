/// A file of sample data that tasks read; the same rows on every machine.
enum SampleFile: String, CaseIterable {
  /// Eight mixed columns.
  case csv
  /// The rows of `csv` as JSON lines.
  case jsonLines
  /// The first ten rows of `csv`.
  case tiny
  /// 300 columns.
  case wide
  /// Every field quoted, with quotes, commas and newlines in them.
  case quoted
  /// CJK, emoji and combining marks.
  case unicode
  /// More rows of `csv`.
  case big
  /// The rows of `csv`, a hundredth of them changed.
  case changed
  /// The rows of `csv` from the last to the first.
  case reversed
  /// A price for one row of `csv` in twenty.
  case prices

  /// The edition of the rows, raised when what they hold changes.
  private static let edition = 1

  private static let rowsForPrice = 20

  /// How many rows the file has when the tables have `rows` rows.
  func rowCount(of rows: Int) -> Int {
    switch self {
    case .csv, .jsonLines, .changed, .reversed: rows
    case .tiny: 10
    case .wide: max(rows / 50, 1)
    case .quoted: max(rows / 5 * 2, 1)
    case .unicode: max(rows / 5, 1)
    case .prices: max(rows / Self.rowsForPrice, 1)
    case .big: rows * 10
    }
  }

  /// The name of the file; it tells files of other sizes and editions apart.
  func name(rows: Int) -> String {
    "\(rawValue)-\(rowCount(of: rows))-\(Self.edition).\(self == .jsonLines ? "jsonl" : "csv")"
  }

  /// Where the record stands in the file that begins with this number; the first is 1.
  func position(of number: Int) -> Int {
    switch self {
    case .csv, .jsonLines, .tiny, .big, .changed, .reversed, .prices: SampleRow.position(of: number)
    case .wide, .quoted, .unicode: number
    }
  }

  /// Writes the file.
  func write(to path: String, rows: Int) throws(SystemFailure) {
    let count = rowCount(of: rows)
    var file = try OutputFile(path: path)
    switch self {
    case .csv, .tiny, .big:
      try file.write(SampleRow.header)
      for row in SampleRows(count: count) { try file.write(row.csv) }
    case .changed:
      try file.write(SampleRow.header)
      for row in ChangedRows(count: count) { try file.write(row.csv) }
    case .reversed:
      try file.write(SampleRow.header)
      for row in Array(SampleRows(count: count)).reversed() { try file.write(row.csv) }
    case .prices:
      try file.write("id,price,since\n")
      for row in SampleRows(count: rows) where row.position % Self.rowsForPrice == 0 {
        try file.write("\(row.id),\(row.weightText),\(row.date)\n")
      }
    case .jsonLines:
      for row in SampleRows(count: count) { try file.write(row.json) }
    case .wide:
      try file.write(WideRows.header)
      for line in WideRows(count: count) { try file.write(line) }
    case .quoted:
      try file.write(QuotedRows.header)
      for line in QuotedRows(count: count) { try file.write(line) }
    case .unicode:
      try file.write(UnicodeRows.header)
      for line in UnicodeRows(count: count) { try file.write(line) }
    }
    try file.finish()
  }
}
