/// The bytes round the texts of a table that do not change from row to row.
///
/// A rule is empty where there is none.
struct TextFrame: Equatable, Sendable {
  /// Before the first column of every line.
  var lead: [UInt8] = []
  /// After each column but the last.
  var gaps: [[UInt8]] = []
  /// After the last column; empty where lines end with their text.
  var tail: [UInt8] = []
  /// A line of nothing but the frame.
  var blankLine = FrameLine()
  /// Above the table.
  var top = FrameLine()
  /// Between header and rows, and between rows and footer.
  var edge = FrameLine()
  /// Between rows.
  var rowRule = FrameLine()
  /// Below the table.
  var bottom = FrameLine()
  /// What stands round headings and footers of sections, if there are sections.
  var sections: SectionFrame?

  /// Whether lines end in the frame.
  var isClosed: Bool { !tail.isEmpty }
}
