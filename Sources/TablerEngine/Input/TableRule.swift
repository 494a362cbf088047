/// A horizontal line of a drawn table, such as `+----+-----+`, `|:--|--:|`, `──  ────` or `╞════╪═════╡`.
struct TableRule: Equatable {
  /// The display cells of the lines above columns, left to right.
  private(set) var parts: [Range<Int>] = []

  /// The characters between and around the parts, except blanks, with their positions.
  private(set) var junctions: [Junction] = []

  /// Whether there are blanks between the parts.
  private(set) var hasGaps = false

  /// Whether it is double or heavy.
  private(set) var isStrong = false

  /// Whether it is made of ASCII characters.
  private(set) var isASCII = true

  /// Whether its parts are made of ASCII characters, whatever is between them.
  private(set) var hasASCIIParts = false

  /// Whether it is made of dots.
  private(set) var isDotted = false

  /// Whether colons in it tell how columns are aligned.
  private(set) var hasColons = false

  /// The rule as drawn, if lines between columns do not cross it: those of `--separator`.
  private var uncrossed: [Range<Int>]?

  /// A character where lines cross, or end at an edge.
  struct Junction: Equatable {
    /// The display cell.
    var cell: Int
    /// The character.
    var scalar: UInt32
  }

  /// The display cells from the first to the last.
  var extent: Range<Int> {
    let first = min(parts[0].lowerBound, junctions.first?.cell ?? .max)
    return first..<max(parts[parts.count - 1].upperBound, (junctions.last?.cell ?? 0) + 1)
  }

  /// Whether there is a vertical line before the first part.
  var isClosedBefore: Bool { junctions.first.map { $0.cell < parts[0].lowerBound } ?? false }

  /// Whether there is a vertical line after the last part.
  var isClosedAfter: Bool { junctions.last.map { $0.cell >= parts[parts.count - 1].upperBound } ?? false }

  /// The rule as a line of `-` under its parts.
  var line: WordsLine {
    var text = [UInt8](repeating: 32, count: extent.upperBound)
    for part in parts { for cell in part { text[cell] = UInt8(ascii: "-") } }
    return WordsLine(text.span)
  }

  /// Whether it is the upper edge of a frame: closed at both ends, of several parts, and not of Markdown.
  var isFramed: Bool { parts.count > 1 && isClosedBefore && isClosedAfter && !hasGaps && !isMarkdown }

  /// Whether it is one of Markdown.
  var isMarkdown: Bool { !junctions.isEmpty && junctions.allSatisfy { $0.scalar == 0x7C } }

  /// Recognizes a rule; `nil` if the line is none.
  ///
  /// - Parameters:
  ///   - least: the least length of each part.
  ///   - dots: whether it may be made of dots.
  init?(_ line: Span<UInt8>, least: Int, dots: Bool = false) {
    if let parts = Self.partsOfPackageList(line) {
      self.parts = parts
      isStrong = true
      return
    }
    isASCII = line.isPrintableASCII
    var offset = 0
    var cell = 0
    var length = 0
    var wasBlank = false
    while offset < line.count {
      let scalar = line.scalar(at: offset)
      let mark = Self.mark(scalar.value, dots: dots)
      switch mark {
      case nil: return nil
      case .line(let isStrong):
        if length == 0 {
          if wasBlank, !parts.isEmpty { hasGaps = true }
          let hasColon = scalar.value != 0x2E && junctions.last == Junction(cell: cell - 1, scalar: 0x3A)
          if hasColon {
            junctions.removeLast()
            hasColons = true
          }
          parts.append((hasColon ? cell - 1 : cell)..<cell + 1)
        } else {
          parts[parts.count - 1] = parts[parts.count - 1].lowerBound..<cell + 1
        }
        if isStrong { self.isStrong = true }
        if scalar.value == 0x2E { isDotted = true }
        if scalar.value < 0x80 { hasASCIIParts = true }
        length += 1
      case .junction:
        guard length == 0 || length >= least else { return nil }
        if length > 0, scalar.value == 0x3A, !isDotted {
          parts[parts.count - 1] = parts[parts.count - 1].lowerBound..<cell + 1
          hasColons = true
        } else {
          junctions.append(Junction(cell: cell, scalar: scalar.value))
        }
        length = 0
      case .blank:
        guard length == 0 || length >= least else { return nil }
        length = 0
      }
      wasBlank = mark == .blank
      offset += scalar.length
      cell += 1
    }
    let isLoneColon = junctions.contains { $0.scalar == 0x3A } && !isDotted
    guard !parts.isEmpty, !isLoneColon, length == 0 || length >= least else { return nil }
  }

  /// The rule crossed by the lines between columns that the header and all rows have, if any: they are in its
  /// gaps, or between blanks above a lone part.
  func crossed(by header: WordsLine, _ rows: [WordsLine]) -> TableRule? {
    guard junctions.isEmpty else { return nil }
    let cells = extent.clamped(to: 0..<header.width).filter { cell in
      guard let line = header.vertical(at: cell, isDotted: false) else { return false }
      let isFree =
        parts.count == 1
        ? cell > 0 && header.isBlank(cell - 1) && header.isBlank(cell + 1) && !rows.isEmpty
        : !parts.contains { $0.contains(cell) }
      return isFree && rows.allSatisfy { $0.vertical(at: cell, isDotted: false) == line }
    }
    guard !cells.isEmpty, parts.count == 1 || cells.count == parts.count - 1 else { return nil }
    var rule = self
    rule.uncrossed = parts
    rule.junctions = cells.map { Junction(cell: $0, scalar: 0x2B) }
    let starts = [extent.lowerBound] + cells.map { $0 + 1 }
    rule.parts = zip(starts, cells + [extent.upperBound]).map { $0..<max($0 + 1, $1) }
    return rule
  }

  /// Whether another rule belongs to the same table without lines between columns.
  func isRepeated(by other: TableRule) -> Bool {
    let isWhole = other.parts.count == 1 && other.extent == extent
    return other.junctions.isEmpty && (other.parts == uncrossed ?? parts || isWhole)
  }

  /// Whether no line between columns crosses it.
  var isUncrossed: Bool { junctions.isEmpty || uncrossed != nil }

  /// Whether the first lines of an input are those of a drawn table.
  static func begins(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
    if TableRule(first, least: 3) != nil { return true }
    if first.firstVertical != nil, TableRule(second, least: first[0] == 0x7C ? 1 : 3) != nil { return true }
    return crosses(second, first) || underlines(second, first)
  }

  /// Whether a line is a rule that crosses each line between columns of the line above.
  static func crosses(_ line: Span<UInt8>, _ header: Span<UInt8>) -> Bool {
    guard let rule = TableRule(line, least: 1), !rule.junctions.isEmpty, !rule.isMarkdown else {
      return false
    }
    let header = WordsLine(header)
    return rule.junctions.allSatisfy { header.vertical(at: $0.cell, isDotted: false) != nil }
  }

  /// Whether a line is a rule without lines between columns, with some part of it under each title of the
  /// line above.
  ///
  /// There must be two or more `-` or `=` under each, or as many as it has cells; box lines are hardly
  /// anything else. A lone part is as long as all titles. A mark between all columns, such as `|`, is not a
  /// title.
  static func underlines(_ line: Span<UInt8>, _ header: Span<UInt8>) -> Bool {
    guard let rule = TableRule(line, least: 1), rule.junctions.isEmpty, !header.contains(9) else {
      return false
    }
    let header = WordsLine(header)
    let titles = header.titles(in: 0..<header.width).filter {
      $0.count > 1 || header.vertical(at: $0.lowerBound, isDotted: false) == nil
    }
    guard let first = titles.first, let last = titles.last else { return false }
    let isASCII = line.contains(UInt8(ascii: "-")) || line.contains(UInt8(ascii: "="))
    if rule.parts.count == 1 {
      let part = rule.parts[0]
      return part.lowerBound <= first.lowerBound && part.upperBound >= last.upperBound
        && (!isASCII || part.count > 2 && (titles.count == 1 || !line.contains(UInt8(ascii: "-"))))
    }
    let least = isASCII ? 2 : 1
    return titles.allSatisfy { title in
      rule.parts.contains {
        $0.clamped(to: title).count >= min(least, title.count) && ($0.count >= least || $0 == title)
      }
    }
  }

  /// The parts of the rule of `dpkg -l`, `+++-=====-====`, whose first three characters are above the states.
  private static func partsOfPackageList(_ line: Span<UInt8>) -> [Range<Int>]? {
    guard line.holds("+++-=", at: 0) else { return nil }
    var parts = [0..<3]
    for cell in 4..<line.count {
      switch (line[cell], line[cell - 1]) {
      case (UInt8(ascii: "="), UInt8(ascii: "-")): parts.append(cell..<cell + 1)
      case (UInt8(ascii: "="), _): parts[parts.count - 1] = parts[parts.count - 1].lowerBound..<cell + 1
      case (UInt8(ascii: "-"), UInt8(ascii: "=")): break
      default: return nil
      }
    }
    return parts
  }

  /// Whether a character draws a line between columns.
  static func isVertical(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x7C, 0x2502, 0x2503, 0x2551, 0x2506, 0x2507, 0x250A, 0x250B, 0x254E, 0x254F: true
    default: false
    }
  }

  private enum Mark: Equatable {
    case line(isStrong: Bool)
    case junction
    case blank
  }

  private static func mark(_ scalar: UInt32, dots: Bool) -> Mark? {
    switch scalar {
    case 0x20, 0x09: .blank
    case 0x2D, 0x2500, 0x2504, 0x2508, 0x254C, 0x2574, 0x2576: .line(isStrong: false)
    case 0x3D, 0x2550, 0x2501, 0x2505, 0x2509, 0x254D, 0x2578, 0x257A: .line(isStrong: true)
    case 0x2E where dots: .line(isStrong: false)
    case 0x2B, 0x3A, 0x7C, 0x2502...0x257F: .junction
    default: nil
    }
  }
}

extension Span<UInt8> {
  /// The first `|` or `│`, or another line between columns, if there is one.
  var firstVertical: UInt32? {
    var offset = 0
    while offset < count {
      let scalar = scalar(at: offset)
      if TableRule.isVertical(scalar.value) { return scalar.value }
      offset += scalar.length
    }
    return nil
  }

  /// Whether this is the line that psql and mysql print below a table: `(2 rows)`, `2 rows in set (0.00 sec)`.
  var isRowCount: Bool {
    var offset = 0
    while offset < count, self[offset] == 32 { offset += 1 }
    let isBraced = offset < count && self[offset] == UInt8(ascii: "(")
    if isBraced { offset += 1 }
    let digits = offset
    while offset < count, self[offset] >= 0x30, self[offset] <= 0x39 { offset += 1 }
    guard offset > digits, holds(" row", at: offset) else { return false }
    offset += 4
    if offset < count, self[offset] == UInt8(ascii: "s") { offset += 1 }
    return holds(isBraced ? ")" : " in set", at: offset)
  }
}
