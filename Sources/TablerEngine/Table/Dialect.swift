/// The marks a file was written with.
struct Dialect: Equatable, Sendable {
  /// The forms a batch can come from.
  enum Syntax: UInt8, Sendable {
    case csv
    case tsv
    case words
    case json
  }

  /// The form of the file.
  var form: Syntax

  /// The byte between cells; csv output uses it unless told otherwise.
  var delimiter = UInt8(ascii: ",")

  /// The quote mark, if there is one.
  var quote: UInt8? = UInt8(ascii: "\"")

  /// The escape mark, if there is one.
  var escape: UInt8?

  /// Whether each record of JSON is an object that holds only its cells.
  var holdsObjects = true

  /// How the header record ends; used for records that have no end of their own.
  var recordEnd: [UInt8] = [10]

  /// Csv, the default.
  static let csv = Dialect(form: .csv)

  /// Tsv: tabs, no quotes, and `\` before letters that encode characters which would separate cells.
  static let tsv = Dialect(form: .tsv, delimiter: UInt8(ascii: "\t"), quote: nil, escape: UInt8(ascii: "\\"))

  /// Whether both write every cell alike; the way records end does not matter.
  @inline(__always)
  func matches(_ other: Dialect) -> Bool {
    form == other.form && delimiter == other.delimiter && quote == other.quote && escape == other.escape
  }
}
