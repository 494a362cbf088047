/// The functions that tell where the row at hand comes from.
enum RowFunctions {
  /// Every one, in the order of help and manual.
  static let all: [Function] = [
    Function(
      "row_number", gives: .number, "number of the row in the input", example: "row_number()", "1",
      sql: .local, elsewhere: "nr rownum row_num recno row rowid row_index rownumber",
      .row { .int($0.batch.rowNumber(ofRow: $0.row)) }),
    Function(
      "line_number", gives: .number, "number of its line in the file", example: "line_number()", "2",
      sql: .local, elsewhere: "lineno line_no linenumber line fnr", .row { .int($0.line()) }),
    Function(
      "filename", gives: .text, "name of its file", example: "filename()", "fruit.csv", sql: .local,
      elsewhere: "file_name input_filename file", .row { .text($0.fileName) }),
  ]
}
