/// The bytes round the texts of a table that do not change from row to row.
///
/// A rule is a whole line with its newline, empty where there is none.
struct TextFrame: Equatable, Sendable {
  /// Before the first column of every line.
  var lead: [UInt8] = []
  /// Behind each column but the last.
  var gaps: [[UInt8]] = []
  /// Behind the last column; empty where lines end with their text.
  var tail: [UInt8] = []
  /// A line of nothing but the frame.
  var blankLine: [UInt8] = []
  /// Above the table.
  var top: [UInt8] = []
  /// Between header and rows, and between rows and footer.
  var edge: [UInt8] = []
  /// Between rows.
  var rowRule: [UInt8] = []
  /// Below the table.
  var bottom: [UInt8] = []

  /// Whether lines end in the frame.
  var isClosed: Bool { !tail.isEmpty }
}
