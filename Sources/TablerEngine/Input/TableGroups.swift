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

  /// How many rules that are neither double nor heavy stand in each group, and the lines below these.
  private var weakRules: [[WordsLine]] = []

  private var last: Separation?
  private var openBlanks = 0
  private var innerRules = 0
  private var rulesOfSection = 0
  private var mostRulesOfSection = 0
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
    rulesOfSection = 0
  }

  /// Adds a line of a row, or of a footer.
  mutating func add(_ line: WordsLine) {
    if case .rule(let isStrong)? = last {
      innerRules += 1
      rulesOfSection += 1
      mostRulesOfSection = max(mostRulesOfSection, rulesOfSection)
      if !isStrong {
        hasWeakRule = true
        weakRules[weakRules.count - 1].append(line)
      }
    }
    last = nil
    if groups.isEmpty {
      groups.append([line])
      weakRules.append([])
    } else if openBlanks > 0 {
      blanks.append(openBlanks)
      groups.append([line])
      weakRules.append([])
    } else if isBelowRule {
      belowRules.append(line)
    } else {
      groups[groups.count - 1].append(line)
    }
    openBlanks = 0
  }

  /// Whether rules part the rows.
  func isParted(byRules headerIsStrong: Bool) -> Bool {
    if hasSpans { return mostRulesOfSection > 1 }
    return headerIsStrong ? hasWeakRule : innerRules > 1
  }

  /// Whether rules part the rows of sections, and not only what stands below these.
  ///
  /// A section of one row has no rule then, and others may have several; else there is a text in the first column.
  func haveRowRulesInSections(_ frame: TableFrame) -> Bool {
    guard hasWeakRule else { return false }
    return weakRules.contains { $0.count != 1 }
      || weakRules.allSatisfy { $0.allSatisfy(frame.beginsInFirstColumn) }
  }

  /// The lines without those of a footer below a rule, unless sections are parted by rules.
  func body(headerIsStrong: Bool) -> [WordsLine] {
    let lines = groups.flatMap { $0 }
    if headerIsStrong { return lines + belowRules.prefix(aboveStrongRule ?? belowRules.count) }
    return isParted(byRules: false) ? lines + belowRules : lines
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

  /// Whether the first line is the heading of the only section: the row below it begins with the same text.
  private var hasLoneSection: Bool {
    guard let lines = groups.first, lines.count > 1, lines[0].titleCount == 1, lines[1].titleCount > 1 else {
      return false
    }
    let heading = lines[0].text(in: lines[0].titles(in: 0..<lines[0].width)[0])
    return heading == lines[1].text(in: lines[1].titles(in: 0..<lines[1].width)[0])
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
