/// What stands between the sections of a drawn table without lines between columns.
struct SectionMarks: Equatable {
  /// Whether a heading stands above the rows of each.
  var hasHeadings = false
  /// Whether a text that ends with the last column stands below them.
  var hasClosings = false
}

/// The first lines of a drawn table, parted at blank lines.
struct TableGroups {
  /// What stood between two lines of rows.
  private enum Separation {
    case rule(isStrong: Bool)
    case blank
  }

  /// The lines of rows between two blank ones.
  private var groups: [[WordsLine]] = []

  /// How many blank lines stood before each group but the first.
  private var blanks: [Int] = []

  /// The lines below a rule: of rows that rules part, or of footers.
  private var belowRules: [WordsLine] = []

  /// How many of them stand above the first rule that is double or heavy.
  private var aboveStrongRule: Int?

  /// What is in each section: between headings from edge to edge, or blank lines.
  private var sections: [Section] = []

  /// What is in a section.
  private struct Section {
    /// How many lines it has, beside a heading from edge to edge.
    var lineCount = 0
    /// The first line below each rule within it that is neither double nor heavy.
    var belowRules: [WordsLine] = []
    /// Whether a double or heavy rule stood in it.
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

  /// How many gaps of blank lines there are between rows.
  var blankCount: Int { blanks.count }

  /// Whether as many blank lines stand between all rows.
  var isEven: Bool { blanks.allSatisfy { $0 == blanks[0] } }

  /// Whether there are so many rows or more, of one line each.
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

  /// Forgets the last rule, which is above the header that comes again.
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

  /// Counts a line of a section, but for those behind a double or heavy rule.
  private mutating func addToSection(_ line: WordsLine) {
    if sections.isEmpty || openBlanks > 0 { sections.append(Section()) }
    let place = sections.count - 1
    if case .rule(let isStrong)? = last {
      if isStrong { sections[place].isClosed = true }
      if !isStrong, !sections[place].isClosed { sections[place].belowRules.append(line) }
    }
    if !sections[place].isClosed { sections[place].lineCount += 1 }
  }

  /// Whether rules part the rows.
  func isParted(byRules headerIsStrong: Bool, _ frame: TableFrame) -> Bool {
    if hasSpans { return haveRowRulesInSections(frame, headerIsStrong, headings: 0) }
    return headerIsStrong ? hasWeakRule : innerRules > 1
  }

  /// Whether rules part the rows of sections, and not only what stands below these.
  ///
  /// All lines of a section have a rule between them then; if none has more than one, either sections of one row have
  /// none, or the lines below them are rows: these begin in the first column.
  ///
  /// - Parameters:
  ///   - headerIsStrong: whether a footer of all rows stands below another kind of rule.
  ///   - headings: how many lines of a section are its heading.
  func haveRowRulesInSections(_ frame: TableFrame, _ headerIsStrong: Bool, headings: Int) -> Bool {
    guard hasWeakRule else { return false }
    let sections = sections.filter { $0.lineCount > 0 }
    if sections.contains(where: { $0.belowRules.count > 1 }) { return true }
    if sections.contains(where: { $0.belowRules.isEmpty && $0.lineCount > 1 + headings }) { return false }
    return headerIsStrong && sections.contains { $0.belowRules.isEmpty }
      || sections.allSatisfy { $0.belowRules.allSatisfy(frame.beginsInFirstColumn) }
  }

  /// The lines without those of a footer below a rule, unless sections are parted by rules.
  func body(headerIsStrong: Bool, isParted: Bool) -> [WordsLine] {
    let lines = groups.flatMap { $0 }
    if headerIsStrong { return lines + belowRules.prefix(aboveStrongRule ?? belowRules.count) }
    return isParted ? lines + belowRules : lines
  }

  /// The rows, without headings and footers of sections.
  ///
  /// There are such if without the first lines of all groups, and the last ones, every other line lies in its column,
  /// and with them not; or if the first lines have nothing but a first cell.
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

  /// Whether groups are the rows of one column with room between them: of one line each that is no wider than the rule.
  private func isSpacedColumn(below structure: TableRule) -> Bool {
    isEven
      && groups.allSatisfy { lines in
        lines.count == 1 && lines[0].width <= structure.extent.upperBound
      }
  }

  /// The lines but for the first of each group, and the last.
  private func rows(with marks: SectionMarks) -> [WordsLine] {
    groups.flatMap { lines in
      let body = lines.dropFirst(marks.hasHeadings && lines.count > 1 ? 1 : 0)
      return Array(body.dropLast(marks.hasClosings && body.count > 1 ? 1 : 0))
    }
  }
}
