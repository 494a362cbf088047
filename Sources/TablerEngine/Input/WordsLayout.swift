/// Where the columns of blank-separated words lie, in display cells (SPEC §3.1 `words`).
struct WordsLayout: Equatable {
  /// A column: its title, and the cells its text occupies in the sample.
  struct Column: Equatable {
    /// The title; empty where there is none.
    var title: String
    /// The first occupied display cell, from 0.
    var start: Int
    /// The display cell behind the last occupied one.
    var end: Int
  }

  /// The columns, left to right.
  var columns: [Column]

  /// Whether fields are parted at runs of blanks, because positions do not part the titles.
  var isParted = false

  /// Finds the columns of a header and the first rows.
  ///
  /// 1. Display cells that some line occupies make segments; between them lie boundaries.
  /// 2. A segment begins a column if it has a title with two blanks before it, or a title and some cell; else it
  ///    belongs to the column before it. What stands before the first title is a column without name.
  /// 3. If two titles parted by two blanks share a column, fields are parted at runs of blanks instead; so they are if
  ///    a title of several words stands over as many words in every row (`RSS TTY` of `ps`, where a long number
  ///    moved its line).
  init(header: WordsLine, rows: [WordsLine]) {
    let rowsOccupied = Self.union(rows)
    let occupied = Self.union([header] + rows)
    columns = []
    for segment in Self.runs(occupied) {
      let title = header.text(in: segment)
      let isSpaced = title.isEmpty ? false : header.isSpaced(before: segment)
      let hasCell = segment.contains { $0 < rowsOccupied.count && rowsOccupied[$0] }
      let begins = columns.isEmpty || (!title.isEmpty && (isSpaced || hasCell))
      if begins {
        columns.append(Column(title: title, start: segment.lowerBound, end: segment.upperBound))
      } else {
        columns[columns.count - 1].end = segment.upperBound
        if !title.isEmpty {
          let before = columns[columns.count - 1].title
          columns[columns.count - 1].title = before.isEmpty ? title : before + " " + title
        }
      }
    }
    if columns.contains(where: { $0.title.containsGap || Self.hidesColumns($0, rows) }) {
      part(header, firstRow: rows.first)
    }
  }

  /// Finds the columns of rows without header: every boundary counts.
  ///
  /// - Parameter count: how many columns there are, where `--names` says it; the last takes the rest.
  init(rows: [WordsLine], count: Int?) {
    columns = Self.runs(Self.union(rows)).map { Column(title: "", start: $0.lowerBound, end: $0.upperBound) }
    guard let count, count > 0 else { return }
    if columns.count > count {
      columns[count - 1].end = columns[columns.count - 1].end
      columns.removeLast(columns.count - count)
    } else if columns.count < count {
      isParted = true
      columns = (0..<count).map { _ in Column(title: "", start: 0, end: 0) }
    }
  }

  /// Takes fields between runs of blanks for columns, without looking at positions.
  ///
  /// - Parameter count: how many columns there are without a header, where `--names` says it.
  init(parting header: WordsLine?, firstRow: WordsLine?, count: Int?) {
    columns = []
    guard let header else {
      let count = count ?? firstRow?.parted(into: .max).count ?? 0
      isParted = true
      columns = (0..<count).map { _ in Column(title: "", start: 0, end: 0) }
      return
    }
    part(header, firstRow: firstRow)
  }

  /// Parts a line into the cells of the columns.
  ///
  /// - Returns: byte ranges without outer blanks, as many as there are columns or, of a line parted by itself, fewer;
  ///   and whether text crossed a boundary.
  func cells(of line: WordsLine) -> (ranges: [Range<Int>], hasCrossed: Bool) {
    if isParted { return (line.parted(into: columns.count), false) }
    var cuts: [Int] = []
    for index in columns.indices.dropFirst() {
      guard let cut = line.boundary(between: columns[index - 1].end, and: columns[index].start) else {
        return (line.parted(into: columns.count), true)
      }
      cuts.append(cut)
    }
    var ranges: [Range<Int>] = []
    var start = 0
    for cut in cuts + [line.width] {
      ranges.append(line.trimmed(cells: start..<max(start, cut)))
      start = cut
    }
    return (ranges, false)
  }
}

extension WordsLayout {
  /// Whether a column's title has several words, and every row as many under it.
  private static func hidesColumns(_ column: Column, _ rows: [WordsLine]) -> Bool {
    func words(_ text: String) -> Int { text.split(whereSeparator: { $0 == " " || $0 == "\t" }).count }
    let count = words(column.title)
    guard count > 1, rows.count > 1 else { return false }
    return rows.allSatisfy { words($0.text(in: column.start..<column.end)) == count }
  }

  /// Takes the titles at runs of two blanks if that gives as many as the first row has fields, else at single ones.
  private mutating func part(_ header: WordsLine, firstRow: WordsLine?) {
    let fields = firstRow?.parted(into: .max).count ?? 0
    var titles = header.titles(minimumGap: 2)
    if titles.count != fields {
      let single = header.titles(minimumGap: 1)
      let count = fields == 0 ? single.count : min(fields, single.count)
      titles = Array(single.prefix(count))
      if count > 0, single.count > count { titles[count - 1] = single[(count - 1)...].joined(separator: " ") }
    }
    isParted = true
    columns = titles.map { Column(title: $0, start: 0, end: 0) }
  }

  private static func union(_ lines: [WordsLine]) -> [Bool] {
    var occupied = [Bool](repeating: false, count: lines.map(\.width).max() ?? 0)
    for line in lines {
      for cell in 0..<line.width where !line.isBlank(cell) { occupied[cell] = true }
    }
    return occupied
  }

  private static func runs(_ occupied: [Bool]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start: Int?
    for (cell, isOccupied) in (occupied + [false]).enumerated() {
      if isOccupied, start == nil { start = cell }
      if !isOccupied, let begin = start {
        runs.append(begin..<cell)
        start = nil
      }
    }
    return runs
  }
}

extension String {
  /// Whether two blanks in a row, or a tab, stand between other characters.
  fileprivate var containsGap: Bool {
    var previous: UInt8 = 0
    for byte in trimmingBlanks.utf8 {
      if byte == 9 || byte == 32 && previous == 32 { return true }
      previous = byte
    }
    return false
  }
}
