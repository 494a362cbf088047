/// One record of the sample table.
struct SampleRow {
  static let columns = ["id", "name", "weight", "date", "category", "city", "note", "active"]

  var id: Int
  var name: String
  /// The weight in ten-thousandths, so that its text is the same everywhere.
  var weight: Int
  var isWholeWeight: Bool
  var date: String
  var category: String
  var city: String
  var note: String
  var isActive: Bool

  /// Whether the filter of the benchmarks keeps the row: `weight > 500 and category = "delta"`.
  var isKeptByFilter: Bool {
    weight > 500 * 10_000 && category == "delta"
  }

  /// The record as a line of csv; only `note` may need quotes.
  var csv: String {
    "\(id),\(name),\(weightText),\(date),\(category),\(city),\(quoted(note)),\(isActive)\n"
  }

  /// The record as a line of JSON; only `note` may hold something to escape.
  var json: String {
    #"{"id":\#(id),"name":"\#(name)","weight":\#(weightText),"date":"\#(date)","#
      + #""category":"\#(category)","city":"\#(city)","note":"\#(escaped(note))","active":\#(isActive)}"#
      + "\n"
  }
}

extension SampleRow {
  private var weightText: String {
    let whole = weight.magnitude / 10_000
    if isWholeWeight { return String(whole) }
    let digits = String(weight.magnitude % 10_000)
    let zeros = String(repeating: "0", count: 4 - digits.utf8.count)
    return "\(weight < 0 ? "-" : "")\(whole).\(zeros)\(digits)"
  }

  private func quoted(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }) else {
      return text
    }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  private func escaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\"")) else { return text }
    return text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
  }
}
