/// Writes the rules and blank lines of a frame.
///
/// The last line drawn decides which rule comes next.
struct FrameWriter: Sendable {
  /// What a rule can follow.
  enum Line: Sendable {
    case nothing
    case titles
    case cells
    /// A text across all columns.
    case band
    /// A text in place of rows.
    case gap
  }

  /// The line drawn last.
  var last = Line.nothing

  private let frame: TextFrame
  private let spacing: Spacing

  /// Whether rows are separated by rules or blank lines.
  private let hasSpace: Bool

  /// Prepares the lines of a frame.
  init(_ frame: TextFrame, _ spacing: Spacing) {
    self.frame = frame
    self.spacing = spacing
    let between = spacing.betweenRows
    hasSpace = !frame.rowRule.isEmpty || max(spacing.padding.top, between.above, between.below) > 0
  }

  /// Writes lines with only the frame.
  func blankLines(_ count: Int, to out: inout ByteBuffer) {
    for _ in 0..<max(0, count) { frame.blankLine.write(to: &out) }
  }

  /// Writes the rule above a form, which is above the titles.
  func beginForm(to out: inout ByteBuffer) { frame.sections?.top.write(to: &out) }

  /// Writes the rule between a form and the titles below it.
  func endForm(to out: inout ByteBuffer) {
    guard let sections = frame.sections else { return }
    let rule = (sections.isRuled ? sections.inside : sections.edge).fromBand
    (frame.spans?.belowForm ?? rule).write(to: &out)
  }

  /// Writes what precedes the titles.
  ///
  /// - Parameter followsForm: whether a form with its rules is above them.
  func beginTitles(followsForm: Bool, to out: inout ByteBuffer) {
    if !followsForm { (frame.spans?.top ?? frame.top).write(to: &out) }
    blankLines(spacing.aboveHeader, to: &out)
  }

  /// Writes the rule below a line of titles over several columns.
  func endSpans(ofLine line: Int, to out: inout ByteBuffer) { frame.spans?.rules[line].write(to: &out) }

  /// Writes what follows the titles.
  mutating func endTitles(to out: inout ByteBuffer) {
    blankLines(spacing.belowHeader, to: &out)
    last = .titles
  }

  /// Writes the rule or blank line above a section.
  ///
  /// - Parameter hasHeading: whether the section begins with a text across all columns.
  mutating func beginSection(hasHeading: Bool, to out: inout ByteBuffer) {
    let line = last
    last = .cells
    switch line {
    case .nothing: (hasHeading ? frame.sections?.top ?? frame.top : frame.top).write(to: &out)
    case .titles: (hasHeading ? frame.sections?.edge.toBand ?? frame.edge : frame.edge).write(to: &out)
    case .cells, .band, .gap:
      guard let sections = frame.sections else { return }
      let rule = sections.inside.rule(fromBand: line == .band || line == .gap, toBand: hasHeading)
      (sections.isRuled ? rule : sections.blankLine).write(to: &out)
    }
  }

  /// Writes the rule below the heading of a section.
  func endHeading(to out: inout ByteBuffer) { frame.sections?.inside.fromBand.write(to: &out) }

  /// Writes the rule above a text in place of rows, and the space that they would have.
  mutating func beginGap(to out: inout ByteBuffer) {
    blankLines(max(0, spacing.padding.bottom) + spaceBesideRows, to: &out)
    frame.sections?.inside.toBand.write(to: &out)
    last = .gap
  }

  /// Writes the rule between that text and a row, and the space that the row does not bring along.
  mutating func endGap(to out: inout ByteBuffer) {
    last = .cells
    frame.sections?.inside.fromBand.write(to: &out)
    blankLines(spaceBesideRows, to: &out)
  }

  /// The blank lines between rows without those that belong to the rows.
  private var spaceBesideRows: Int {
    let (padding, between) = (spacing.padding, spacing.betweenRows)
    return between.above + between.below - max(0, padding.bottom) - max(0, padding.top)
  }

  /// Writes the space above a row.
  ///
  /// - Parameter isFirst: whether it is the first row of its section.
  @inline(__always)
  func space(isFirst: Bool, to out: inout ByteBuffer) {
    guard hasSpace else { return }
    if isFirst { return topPadding(to: &out) }
    let space = spacing.betweenRows
    blankLines(space.above, to: &out)
    frame.rowRule.write(to: &out)
    blankLines(space.below, to: &out)
  }

  /// Writes the blank lines above the first row of a section.
  func topPadding(to out: inout ByteBuffer) { blankLines(spacing.padding.top, to: &out) }

  /// Writes the blank lines below the last row of a section.
  func bottomPadding(to out: inout ByteBuffer) { blankLines(spacing.padding.bottom, to: &out) }

  /// Writes the rule above a footer line of a section.
  func beginFooterLine(isBand: Bool, to out: inout ByteBuffer) {
    guard let rules = frame.sections?.inside else { return }
    let rule = rules.rule(fromBand: last == .band || last == .gap, toBand: isBand)
    // Where a text has no rule below it, rows and their footer still have one between them.
    (rule.isEmpty && last == .gap ? rules.rule(fromBand: false, toBand: isBand) : rule).write(to: &out)
  }

  /// Writes what precedes the footer of the table.
  mutating func beginFooter(to out: inout ByteBuffer) {
    let edge = last == .band ? frame.sections?.edge.fromBand : nil
    (edge ?? frame.edge).write(to: &out)
    last = .cells
    blankLines(spacing.aboveFooter, to: &out)
  }

  /// Writes what follows the footer of the table.
  func endFooter(to out: inout ByteBuffer) { blankLines(spacing.belowFooter, to: &out) }

  /// Writes the rule above a form, which is below the table.
  func beginFormBelow(to out: inout ByteBuffer) {
    guard let sections = frame.sections else { return }
    let rules = sections.isRuled ? sections.inside : sections.edge
    rules.rule(fromBand: last == .band, toBand: true).write(to: &out)
  }

  /// Writes the rule below the table.
  func end(to out: inout ByteBuffer) {
    let bottom = last == .band ? frame.sections?.bottom : nil
    (bottom ?? frame.bottom).write(to: &out)
  }
}
