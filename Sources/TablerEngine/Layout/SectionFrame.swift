/// The bytes round headings and footers of sections that do not change: their texts stand over all columns, so that the
/// lines between columns end above them and begin again below them.
struct SectionFrame: Equatable, Sendable {
  /// The cells between the edges of the frame.
  var width = 0
  /// A line of nothing but the edges.
  var blankLine = FrameLine()
  /// Above a table that begins with such a text.
  var top = FrameLine()
  /// Below a table that ends with one.
  var bottom = FrameLine()
  /// Below titles, and above the footer of the table.
  var edge = RuleVariants()
  /// Between sections, and round their headings and footers; in List and Stack above a footer of cells only.
  var inside = RuleVariants()
  /// Whether a rule stands between sections; else a blank line does.
  var isRuled = false
}

/// A rule by what stands above and below it.
struct RuleVariants: Equatable, Sendable {
  /// Between lines of cells.
  var columns = FrameLine()
  /// Between cells and a text over all columns.
  var toBand = FrameLine()
  /// Between a text over all columns and cells.
  var fromBand = FrameLine()
  /// Between two texts over all columns.
  var bands = FrameLine()

  /// No rules.
  init() {}

  /// Makes the rule for each case.
  ///
  /// - Parameter rule: makes a rule; says whether cells stand above it, and below it.
  init(_ rule: (Bool, Bool) -> FrameLine) {
    columns = rule(true, true)
    toBand = rule(true, false)
    fromBand = rule(false, true)
    bands = rule(false, false)
  }

  /// The rule between two kinds of lines.
  func rule(fromBand: Bool, toBand: Bool) -> FrameLine {
    switch (fromBand, toBand) {
    case (false, false): columns
    case (false, true): self.toBand
    case (true, false): self.fromBand
    case (true, true): bands
    }
  }
}

extension String {
  /// What is left of a cross in a rule where the vertical line is on one side of it only.
  func half(above: Bool) -> String {
    switch self {
    case "┼": above ? "┴" : "┬"
    case "╫": above ? "╨" : "╥"
    case "╪": above ? "╧" : "╤"
    case "╬": above ? "╩" : "╦"
    case "╂": above ? "┸" : "┰"
    case "┿": above ? "┷" : "┯"
    case "╋": above ? "┻" : "┳"
    default: self
    }
  }
}
