/// Lines of titles over several columns, above the titles of a drawn table, as `--span` and `--pivot` draw them.
struct SpanningTitles {
  /// The titles of each line, from the top, and the display cells that they stand over.
  private var lines: [[(cells: Range<Int>, text: String)]] = []

  /// Whether there are none.
  var isEmpty: Bool { lines.isEmpty }

  /// Adds lines of titles, if the rule below them has a part for each that is over several columns.
  ///
  /// - Parameters:
  ///   - titles: the line of titles below the rule.
  ///   - lower: the rule below that, which all columns have.
  /// - Returns: whether they were added.
  mutating func add(
    _ upper: [WordsLine], _ rule: TableRule, above titles: WordsLine, _ lower: TableRule
  ) -> Bool {
    guard let last = upper.last, let spans = Self.spans(of: last, rule, above: titles, lower) else {
      return false
    }
    lines.append(
      spans.map { cells in
        let pieces = upper.map { line in
          let cells = cells.clamped(to: 0..<line.width)
          let bytes = line.offset(ofCell: cells.lowerBound)..<line.offset(ofCell: cells.upperBound)
          return String(decoding: line.text[bytes], as: UTF8.self).trimmingBlanks
        }
        return (cells, pieces.filter { !$0.isEmpty }.joined(separator: " "))
      })
    return true
  }

  /// The cells of the titles of a line; `nil` if they are no titles over several columns.
  private static func spans(
    of line: WordsLine, _ rule: TableRule, above titles: WordsLine, _ lower: TableRule
  ) -> [Range<Int>]? {
    let isOver =
      rule.extent.lowerBound >= lower.extent.lowerBound
      && rule.extent.upperBound <= lower.extent.upperBound
    guard isOver, !rule.isStrong, rule.junctions.isEmpty == lower.junctions.isEmpty else { return nil }
    if rule.junctions.isEmpty {
      let hasOthers = line.titles(in: 0..<line.width).contains { title in
        !rule.parts.contains { $0.clamped(to: title) == title }
      }
      if hasOthers { return nil }
      guard lower.parts.count > 1 else {
        let isPart = rule.parts.count > 1 || rule.extent != lower.extent
        return lower.isStrong && isPart ? rule.parts : nil
      }
      let inside = lower.parts.filter { part in rule.parts.contains { part.clamped(to: $0) == part } }
      let areDivided = lower.parts.allSatisfy { part in
        inside.contains(part) || !rule.parts.contains { $0.overlaps(part) }
      }
      let isFull = rule.parts.allSatisfy { part in inside.contains { $0.overlaps(part) } }
      return areDivided && isFull && inside != rule.parts ? rule.parts : nil
    }
    // Lines between columns that begin at the rule.
    let cells = rule.junctions.map(\.cell)
    func isCrossed(_ line: WordsLine, _ cell: Int) -> Bool { line.vertical(at: cell, isDotted: false) != nil }
    let begun = cells.filter { !isCrossed(line, $0) }
    guard !begun.isEmpty, begun.allSatisfy({ isCrossed(titles, $0) }) else { return nil }
    let edges = cells.filter { isCrossed(line, $0) }
    return zip([rule.extent.lowerBound - 1] + edges, edges + [rule.extent.upperBound]).compactMap {
      $0 + 1 < $1 ? $0 + 1..<$1 : nil
    }
  }

  /// The titles of columns with those over them before, joined by blanks, and how they are divided.
  ///
  /// - Parameter cells: the display cell at which the title of each column begins.
  func joined(to titles: [String], at cells: [Int]) -> (titles: [String], divided: [SpannedTitle?]) {
    let upper = lines.map { line in
      cells.map { cell in line.first { $0.cells.contains(cell) }?.text ?? "" }
    }
    let pieces = upper + [titles]
    let joined = titles.indices.map { column in
      pieces.map { $0[column] }.filter { !$0.isEmpty }.joined(separator: " ")
    }
    return (joined, SpannedTitle.titles(ofLines: pieces, columnCount: titles.count))
  }
}
