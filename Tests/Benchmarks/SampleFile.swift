/// A file of sample data that tasks read.
enum SampleFile: String, CaseIterable {
  case csv = "sample.csv"
  case jsonLines = "sample.jsonl"
  case tiny = "tiny.csv"

  /// How many rows the file has when the tables have `rows` rows.
  func rowCount(of rows: Int) -> Int {
    self == .tiny ? 10 : rows
  }

  /// Writes the file into a folder.
  ///
  /// - Returns: its size, and how many rows the filter of the benchmarks keeps.
  func write(into folder: String, rows: Int) throws(SystemFailure) -> Contents {
    var file = try OutputFile(path: folder + "/" + rawValue)
    var kept = 0
    if self != .jsonLines {
      try file.write(SampleRow.columns.joined(separator: ",") + "\n")
    }
    for row in SampleRows(count: rowCount(of: rows)) {
      if row.isKeptByFilter { kept += 1 }
      try file.write(self == .jsonLines ? row.json : row.csv)
    }
    return Contents(
      path: folder + "/" + rawValue, bytes: try file.finish(), rows: rowCount(of: rows), keptByFilter: kept)
  }

  /// What was written.
  struct Contents {
    var path: String
    var bytes: Int
    var rows: Int
    var keptByFilter: Int
  }
}
