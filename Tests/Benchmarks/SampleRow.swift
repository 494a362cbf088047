/// One record of the sample table.
struct SampleRow {
  /// The titles, as a line of csv.
  static let header = "id,name,weight,date,category,city,note,active\n"

  /// Where the record stands; the first is 1.
  var position: Int
  var name: String
  /// The weight in ten-thousandths, so that its text is the same everywhere.
  var weight: Int
  var isWholeWeight: Bool
  var date: String
  var category: String
  var city: String
  var note: String
  var isActive: Bool

  /// The number that the record begins with: unlike its neighbours', but no two records have the same.
  var id: Int { position * 7_919 % Self.modulus }

  /// The position of the record with this `id`.
  static func position(of id: Int) -> Int { id % modulus * 84_088_906 % modulus }

  /// A prime, beyond all positions; 7 919 times 84 088 906 is 1 modulo it.
  private static let modulus = 100_000_007

  /// The record as a line of csv; only `note` may need quotes.
  var csv: String {
    "\(id),\(name),\(weightText),\(date),\(category),\(city),\(Self.quoted(note)),\(isActive)\n"
  }

  /// The record as a line of JSON; only `note` may hold something to escape.
  var json: String {
    #"{"id":\#(id),"name":"\#(name)","weight":\#(weightText),"date":"\#(date)","#
      + #""category":"\#(category)","city":"\#(city)","note":"\#(escaped(note))","active":\#(isActive)}"#
      + "\n"
  }
}

extension SampleRow {
  /// The weight as csv has it.
  var weightText: String {
    isWholeWeight ? String(weight.magnitude / 10_000) : Self.text(ofWeight: weight)
  }

  /// The weight times 1.1, with one decimal more.
  var raisedWeightText: String {
    isWholeWeight
      ? Self.text(weight / 10_000 * 11, decimals: 1) : Self.text(weight * 11, decimals: 5)
  }

  /// A weight, or a sum of some, with four decimals.
  static func text(ofWeight weight: Int) -> String { text(weight, decimals: 4) }

  /// A number of tenths, hundredths and so on.
  private static func text(_ number: Int, decimals: Int) -> String {
    let unit = (0..<decimals).reduce(UInt(1)) { unit, _ in unit * 10 }
    let digits = String(number.magnitude % unit)
    let zeros = String(repeating: "0", count: decimals - digits.utf8.count)
    return "\(number < 0 ? "-" : "")\(number.magnitude / unit).\(zeros)\(digits)"
  }

  /// A text as a cell of csv.
  static func quoted(_ text: String) -> String {
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
