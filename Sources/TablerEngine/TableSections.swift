/// What parts the rows of a table into sections: rows that stand together under a heading, above a footer.
///
/// Rows come in the order they are shown in. A table that nobody parts is `OneSection`.
protocol TableSections: Sendable {
  /// Whether the table is one section without heading and footer.
  var isWhole: Bool { get }

  /// The same sections, none of them begun, without their rows: of these only headings and footers are asked for.
  var outline: Self { get }

  /// Takes rows that are shown, and hands on what is to be painted by now.
  mutating func take(_ rows: Rows, _ body: (SectionPart) throws(Failure) -> Void) throws(Failure)

  /// Hands on what is left to be painted, once there are no more rows.
  mutating func finish(_ body: (SectionPart) throws(Failure) -> Void) throws(Failure)

  /// The first `must()` that failed.
  var failure: MustFailure? { get }

  /// What a person should hear of.
  var notices: [Notice] { get }

  /// The cells that did not convert.
  var tallies: [ConversionTally] { get }
}

/// A part of a table, on its way to be painted.
enum SectionPart {
  /// A section begins, with the text over all columns that names it if it has one.
  case begin(heading: [UInt8]?)
  /// Some of its rows come next.
  case rows(Rows, Range<Int>)
  /// It ends with these footer lines.
  case end(footers: [FooterLine])
}

/// All rows in one section.
struct OneSection: TableSections {
  private var isBegun = false

  var isWhole: Bool { true }

  var outline: OneSection { OneSection() }

  mutating func take(_ rows: Rows, _ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    try begin(body)
    try body(.rows(rows, 0..<rows.count))
  }

  mutating func finish(_ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    try begin(body)
    try body(.end(footers: []))
  }

  private mutating func begin(_ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    if !isBegun { try body(.begin(heading: nil)) }
    isBegun = true
  }

  var failure: MustFailure? { nil }

  var notices: [Notice] { [] }

  var tallies: [ConversionTally] { [] }
}
