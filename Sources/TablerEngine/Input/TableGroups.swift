/// What separates the sections of a drawn table without lines between columns.
struct SectionMarks: Equatable {
  /// Whether there is a heading above the rows of each.
  var hasHeadings = false
  /// Whether there is a text below them that ends with the last column.
  var hasClosings = false
}

/// The first lines of a drawn table, split at blank lines.
struct TableGroups {
  /// What separated two lines of rows.
  private enum Separation {
    case rule(isStrong: Bool)
    case blank
  }

  /// The lines of rows between two blank ones.
  private var groups: [[WordsLine]] = []

  /// The number of blank lines before each group except the first.
  private var blanks: [Int] = []

  /// The lines below a rule: of rows that are separated by rules, or of footers.
  private var belowRules: [WordsLine] = []

  /// The number of them above the first rule that is double or heavy.
  private var aboveStrongRule: Int?

  /// The contents of each section: between headings from edge to edge, or blank lines.
  private var sections: [Section] = []

  /// The contents of a section.
  private struct Section {
    /// The number of its lines, besides a heading from edge to edge.
    var lineCount = 0
    /// The first line below each rule within it that is neither double nor heavy.
    var belowRules: [WordsLine] = []
    /// Whether it had a double or heavy rule.
    var isClosed = false
  }

  private var last: Separation?
  private var openBlanks = 0
  private var innerRules = 0
  private var hasWeakRule = false
  private var hasSpans = false

  /// Whether rows of the group come below a rule.
  private var isBelowRule = false

  /// Whether there are no lines.
  var isEmpty: Bool { groups.isEmpty }

  /// The number of gaps of blank lines between rows.
  var blankCount: Int { blanks.count }

  /// Whether the number of blank lines between all rows is the same.
  var isEven: Bool { blanks.allSatisfy { $0 == blanks[0] } }

  /// Whether there are at least `least` rows, of one line each.
  func areSingleLines(atLeast least: Int) -> Bool {
    groups.count >= least && groups.allSatisfy { $0.count == 1 }
  }

  /// Adds a blank line.
  mutating func addBlank() {
    guard !groups.isEmpty, last == nil else { return }
    openBlanks += 1
    isBelowRule = false
  }

  /// Adds a rule below the header.
  mutating func add(_ rule: TableRule) {
    guard !groups.isEmpty else { return }
    last = .rule(isStrong: rule.isStrong)
    isBelowRule = true
    if rule.isStrong, aboveStrongRule == nil { aboveStrongRule = belowRules.count }
  }

  /// Forgets the last rule, which is above the repeated header.
  mutating func forgetRule() {
    last = nil
    isBelowRule = false
  }

  /// Adds a heading or a footer from edge to edge.
  mutating func addSpan() {
    hasSpans = true
    forgetRule()
    sections.append(Section())
  }

  /// Adds a line of a row, or of a footer.
  mutating func add(_ line: WordsLine) {
    if case .rule(let isStrong)? = last {
      innerRules += 1
      if !isStrong { hasWeakRule = true }
    }
    addToSection(line)
    last = nil
    if groups.isEmpty {
      groups.append([line])
    } else if openBlanks > 0 {
      blanks.append(openBlanks)
      groups.append([line])
    } else if isBelowRule {
      belowRules.append(line)
    } else {
      groups[groups.count - 1].append(line)
    }
    openBlanks = 0
  }

  /// Counts a line of a section, except after a double or heavy rule.
  private mutating func addToSection(_ line: WordsLine) {
    if sections.isEmpty || openBlanks > 0 { sections.append(Section()) }
    let place = sections.count - 1
    if case .rule(let isStrong)? = last {
      if isStrong { sections[place].isClosed = true }
      if !isStrong, !sections[place].isClosed { sections[place].belowRules.append(line) }
    }
    if !sections[place].isClosed { sections[place].lineCount += 1 }
  }

  /// Whether rules separate the rows.
  func isParted(byRules headerIsStrong: Bool, _ frame: TableFrame) -> Bool {
    if hasSpans { return haveRowRulesInSections(frame, headerIsStrong, headings: 0) }
    return headerIsStrong ? hasWeakRule : innerRules > 1
  }

  /// Whether rules separate the rows of sections, and not only what comes below these.
  ///
  /// Then all lines of a section have a rule between them; if no section has more than one line, either
  /// sections of one row have no rules, or the lines below them are rows: these begin in the first column.
  ///
  /// - Parameters:
  ///   - headerIsStrong: whether a footer of all rows comes below another kind of rule.
  ///   - headings: the number of lines of a section that are its heading.
  func haveRowRulesInSections(_ frame: TableFrame, _ headerIsStrong: Bool, headings: Int) -> Bool {
    guard hasWeakRule else { return false }
    let sections = sections.filter { $0.lineCount > 0 }
    if sections.contains(where: { $0.belowRules.count > 1 }) { return true }
    if sections.contains(where: { $0.belowRules.isEmpty && $0.lineCount > 1 + headings }) { return false }
    return headerIsStrong && sections.contains { $0.belowRules.isEmpty }
      || sections.allSatisfy { $0.belowRules.allSatisfy(frame.beginsInFirstColumn) }
  }

  /// The lines without those of a footer below a rule, unless sections are separated by rules.
  func body(headerIsStrong: Bool, isParted: Bool) -> [WordsLine] {
    let lines = groups.flatMap { $0 }
    if headerIsStrong { return lines + belowRules.prefix(aboveStrongRule ?? belowRules.count) }
    return isParted ? lines + belowRules : lines
  }

  /// The rows, without headings and footers of sections.
  ///
  /// There are headings and footers if every line other than the first and last ones of groups is in its
  /// column, and not all of the first and last ones are; or if the first lines have only a first cell.
  func rows(
    _ structure: TableRule, _ header: [WordsLine]
  ) -> (lines: [WordsLine], marks: SectionMarks, fit: Bool) {
    let all = groups.flatMap { $0 } + belowRules
    guard structure.junctions.isEmpty else { return (all, SectionMarks(), true) }
    guard blanks.count > 0 else {
      return hasLoneSection
        ? (Array(all.dropFirst()), SectionMarks(hasHeadings: true), true) : (all, SectionMarks(), true)
    }
    if header.allSatisfy({ $0.titleCount < 2 }), isSpacedColumn(below: structure) {
      return (all, SectionMarks(), true)
    }
    let variants = [
      SectionMarks(), SectionMarks(hasHeadings: true), SectionMarks(hasHeadings: true, hasClosings: true),
    ]
    for marks in variants {
      let rows = rows(with: marks)
      guard !rows.isEmpty else { continue }
      let frame = TableFrame(structure, isMarkdown: false, header: header, rows: rows)
      guard frame.columnCount > 1, !rows.contains(where: { frame.placement(of: $0) == .crossed }) else {
        continue
      }
      let others = rows.filter { frame.placement(of: $0) != .row }
      if marks.hasHeadings {
        guard groups.allSatisfy({ $0.count < 2 || frame.placement(of: $0[0]) == .heading }) else { continue }
        if others.isEmpty || marks.hasClosings { return (rows, marks, true) }
      } else if !groups.allSatisfy({ frame.placement(of: $0[0]) == .heading }), others.isEmpty {
        return (rows, marks, true)
      }
    }
    return (groups[0], SectionMarks(), false)
  }

  /// Whether the first line is the heading of the only section: the row below it begins with the same words.
  private var hasLoneSection: Bool {
    guard let lines = groups.first, lines.count > 1 else { return false }
    let row = lines[1].hasSelectionMark ? lines[1].withoutGutter : lines[1]
    let (heading, words) = (lines[0].text.words(atMost: .max), row.text.words(atMost: .max))
    return lines[0].titleCount == 1 && words.count > heading.count && words.starts(with: heading)
  }

  /// Whether groups are the rows of one column with space between them: of one line each that is no wider
  /// than the rule.
  private func isSpacedColumn(below structure: TableRule) -> Bool {
    isEven
      && groups.allSatisfy { lines in
        lines.count == 1 && lines[0].width <= structure.extent.upperBound
      }
  }

  /// The lines except the first of each group, and the last.
  private func rows(with marks: SectionMarks) -> [WordsLine] {
    groups.flatMap { lines in
      let body = lines.dropFirst(marks.hasHeadings && lines.count > 1 ? 1 : 0)
      return Array(body.dropLast(marks.hasClosings && body.count > 1 ? 1 : 0))
    }
  }
}
