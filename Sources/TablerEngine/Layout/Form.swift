/// The records of a file that are drawn as labels and values above or below a table.
struct Form: Sendable {
  /// A label and what stands beside it; no value is null.
  struct Field: Sendable {
    var label: String
    var value: [UInt8]?
  }

  /// The fields of each record.
  var records: [[Field]] = []

  /// What was noticed while its file was read.
  var notices: [InputNotice] = []

  /// The form, if there is anything to draw.
  var drawn: Form? { records.isEmpty ? nil : self }
}
