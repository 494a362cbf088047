/// One line of the footer.
struct FooterLine: Equatable, Sendable {
  /// The text under each shown column, as UTF-8; `nil` where there is none.
  var cells: [[UInt8]?]

  /// Whether the line repeats the titles, with their indicators.
  var repeatsTitles = false
}
