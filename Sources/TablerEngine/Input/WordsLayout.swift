/// The columns of blank-separated words, in display cells.
struct WordsLayout: Equatable {
  /// Display cells between two boundaries, usually of one column.
  struct Segment: Equatable {
    /// The titles of the columns in it, empty if there is none.
    ///
    /// If several share it, they are split at runs of blanks.
    var titles: [String]
    /// The first occupied display cell, from 0.
    var start: Int
    /// The display cell after the last occupied one.
    var end: Int
    /// The display cells of the titles in the header.
    var titleCells = 0..<0
  }

  /// How a line fits the columns.
  enum Fit {
    /// Every text is in its column.
    case whole
    /// Text crosses a boundary, so that the line is split at runs of blanks.
    case crossed
    /// Columns that share cells have too few or too many words.
    case uneven
  }

  /// The parts, left to right.
  private(set) var parts: [Segment]

  /// The titles of the columns, left to right.
  var titles: [String] { parts.flatMap(\.titles) }

  private var columnCount: Int { parts.reduce(0) { $0 + $1.titles.count } }

  /// Whether some of the first rows cross the boundaries, so that others may.
  private var hasStrays = false

  /// Finds the columns of a header and the first rows.
  ///
  /// 1. Positions split what they can.
  /// 2. Titles two blanks apart that share a part are split at runs of blanks; so are titles above numbers,
  ///    one for each, if a long number shifted its line (`RSS TTY` of `ps`).
  /// 3. If rows do not fit that, and every row has as many words as the header, each word is a column
  ///    (`vmstat`); otherwise, if more than half of all rows agree on positions that split the titles, these
  ///    are used, and the other rows cross them.
  ///
  /// - Parameter rule: the rule below the header; if it has several parts, they determine the columns.
  init(header: WordsLine, rule: WordsLine? = nil, rows: [WordsLine]) {
    let rule = rule.flatMap { $0.words(in: 0..<$0.width).count > 1 ? [$0] : nil } ?? []
    parts = Self.parts(header, rule + rows)
    let shared = parts.indices.map { Self.sharedTitles(parts[$0], header, rows) }
    guard shared.contains(where: { $0 != nil }) else { return }
    for (index, titles) in shared.enumerated() {
      if let titles { parts[index].titles = titles.map { header.text(in: $0) } }
    }
    guard rows.contains(where: { cells(of: $0).fit != .whole }) else { return }
    let words = header.titleWords(in: 0..<header.width)
    if rows.allSatisfy({ $0.words(in: 0..<$0.width).count == words.count }) {
      parts = [.all(words.map { header.text(in: $0) })]
      return
    }
    let agreeing = Self.agreeing(rows, on: shared)
    guard agreeing.count * 2 > rows.count else { return }
    let agreed = Self.parts(header, rule + agreeing)
    if agreed.allSatisfy({ Self.sharedTitles($0, header, agreeing) == nil }) {
      parts = agreed
      hasStrays = true
    }
  }

  /// Finds the columns of rows without header: every boundary counts.
  ///
  /// - Parameter count: the number of columns, if `--names` gives it; the last gets the rest.
  init(rows: [WordsLine], count: Int?) {
    parts = Self.runs(Self.union(rows)).map {
      Segment(titles: [""], start: $0.lowerBound, end: $0.upperBound)
    }
    if let count, count > 0 {
      if parts.count > count {
        parts[count - 1].end = parts[parts.count - 1].end
        parts.removeLast(parts.count - count)
      } else if parts.count < count {
        parts = [.all(Array(repeating: "", count: count))]
      }
    }
  }

  /// Uses display cells as columns.
  init(columns: [Range<Int>]) {
    parts = columns.map { Segment(titles: [""], start: $0.lowerBound, end: $0.upperBound) }
  }

  /// Finds columns whose titles are two blanks apart, and whose cells never cross.
  init(spaced header: WordsLine, rows: [WordsLine]) {
    parts = Self.parts(header, rows, isSpaced: true)
  }

  /// Uses fields between runs of blanks as columns, without regard to positions.
  ///
  /// The titles are those two blanks apart if they are as many as the fields of the first row, otherwise
  /// single words; the last gets the surplus ones.
  ///
  /// - Parameter count: the number of columns without a header, if `--names` gives it.
  init(parting header: WordsLine?, firstRow: WordsLine?, count: Int?) {
    let fields = firstRow?.parted(into: .max).count ?? 0
    guard let header else {
      parts = [.all(Array(repeating: "", count: count ?? fields))]
      return
    }
    var titles = header.titles(in: 0..<header.width).map { header.text(in: $0) }
    if titles.count != fields {
      titles = header.parted(into: fields == 0 ? .max : fields).map { header.text(ofBytes: $0) }
    }
    parts = [.all(titles)]
  }

  /// Splits a line into the cells of the columns.
  ///
  /// - Returns: byte ranges without outer blanks, `nil` for cells that a line lacks; and how the line fits.
  func cells(of line: WordsLine) -> (ranges: [Range<Int>?], fit: Fit) {
    var ranges: [Range<Int>?] = []
    var fit = Fit.whole
    var start = 0
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      var end = max(start, line.width)
      if !isLast {
        guard let cut = line.boundary(between: part.end, and: parts[index + 1].start) else {
          let fields = line.parted(into: columnCount)
          return (fields, hasStrays && fields.count == columnCount ? .whole : .crossed)
        }
        end = max(start, cut)
      }
      if part.titles.count == 1 {
        ranges.append(line.trimmed(cells: start..<end))
      } else {
        let count = part.titles.count
        let fields = line.parted(start..<end, into: count)
        let isSurplus = !isLast && line.parted(start..<end, into: count + 1).count > count
        if isSurplus || !fields.isEmpty && fields.count < count { fit = .uneven }
        for field in 0..<count { ranges.append(field < fields.count ? fields[field] : nil) }
      }
      start = end
    }
    return (ranges, fit)
  }
}

extension WordsLayout.Segment {
  /// A whole line.
  fileprivate static func all(_ titles: [String]) -> Self { Self(titles: titles, start: 0, end: .max) }
}

extension WordsLayout {
  /// Splits lines by positions.
  ///
  /// 1. Display cells that some line occupies make segments; between them are boundaries. A boundary may be
  ///    one cell after the blank between two titles, if the cells of every row have it there, after a number
  ///    (`PCPU WHAT` of `w`), or if a title begins without a blank before it (`Peer Address:PortProcess` of
  ///    `ss`).
  /// 2. A segment begins a column if it has a title with two blanks before it, or a title and some cell;
  ///    otherwise it belongs to the column before it. Whatever precedes the first title is a column without
  ///    name.
  ///
  /// - Parameter isSpaced: whether titles are always two blanks apart.
  private static func parts(
    _ header: WordsLine, _ rows: [WordsLine], isSpaced: Bool = false
  ) -> [Segment] {
    let rowsOccupied = union(rows)
    func isOccupied(_ cell: Int) -> Bool { cell < rowsOccupied.count && rowsOccupied[cell] }
    let (segments, late) = segments(header, rows, isSpaced: isSpaced, isOccupied)
    let known =
      isSpaced ? [] : header.titleWords(in: 0..<header.width).filter { header.words(in: $0).count > 1 }
    // A date whose title is above its end.
    var date: Int?
    var parts: [Segment] = []
    for segment in segments {
      let start = late.contains(segment.lowerBound) ? segment.lowerBound - 1 : segment.lowerBound
      let cells = start..<segment.upperBound
      let title = header.text(in: cells)
      let hasCell = !isSpaced && segment.contains(where: isOccupied)
      if title.isEmpty, date == nil, !isSpaced, beginsDate(segment, header, rows) {
        date = segment.lowerBound
      }
      if date != nil, title.isEmpty { continue }
      let isAfterKnown = known.contains { $0.upperBound + 1 == segment.lowerBound }
      if parts.isEmpty || !title.isEmpty && (hasCell || isAfterKnown || header.isSpaced(before: cells)) {
        let start = date ?? segment.lowerBound
        date = nil
        parts.append(Segment(titles: [title], start: start, end: segment.upperBound, titleCells: cells))
      } else {
        let last = parts.count - 1
        parts[last].end = segment.upperBound
        parts[last].titleCells = parts[last].titleCells.lowerBound..<segment.upperBound
        if !title.isEmpty { parts[last].titles[0] += parts[last].titles[0].isEmpty ? title : " " + title }
      }
    }
    return parts
  }

  /// Whether a segment without a title has the name of a day in each row, and the next title ends with the
  /// cells below it (`ps -o lstart`).
  private static func beginsDate(_ segment: Range<Int>, _ header: WordsLine, _ rows: [WordsLine]) -> Bool {
    let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    guard segment.count == 3, !rows.isEmpty, rows.allSatisfy({ names.contains($0.text(in: segment)) }),
      let title = header.words(in: segment.upperBound..<header.width).first
    else { return false }
    return rows.allSatisfy { !$0.isBlank(title.upperBound - 1) && $0.isBlank(title.upperBound) }
  }

  /// The display cells between boundaries, and the first cells of those that begin late.
  private static func segments(
    _ header: WordsLine, _ rows: [WordsLine], isSpaced: Bool, _ isOccupied: (Int) -> Bool
  ) -> (segments: [Range<Int>], late: Set<Int>) {
    var occupied = union([header] + rows)
    for title in header.titleWords(in: 0..<header.width) { for cell in title { occupied[cell] = true } }
    var late: Set<Int> = []
    for cell in 0..<max(0, header.width - 1)
    where !isSpaced && header.isBlank(cell) && !header.isBlank(cell + 1) {
      guard cell > 0, isOccupied(cell - 1), isOccupied(cell), !isOccupied(cell + 1), isOccupied(cell + 2),
        rows.allSatisfy({ $0.isBlank(cell) || $0.holdsValue(endingAt: cell) })
      else { continue }
      occupied[cell + 1] = false
      late.insert(cell + 2)
    }
    if !isSpaced, let cell = header.gluedTitle,
      let start = (cell...cell + 1).first(where: { !isOccupied($0) && isOccupied($0 + 1) })
    {
      occupied[start] = false
      late.insert(start + 1)
    }
    return (runs(occupied), late)
  }

  /// The display cells of the titles that share it; `nil` if it has only one.
  private static func sharedTitles(
    _ part: Segment, _ header: WordsLine, _ rows: [WordsLine]
  ) -> [Range<Int>]? {
    let cells = part.start..<part.end
    let spaced = header.titles(in: part.titleCells)
    let words = header.titleWords(in: part.titleCells)
    guard words.count > 1 else { return nil }
    let counts = rows.map { $0.words(in: cells).count }
    if spaced.count > 1 {
      let rowsOfWords = counts.count { $0 == words.count }
      return rowsOfWords > counts.count { $0 == spaced.count } ? words : spaced
    }
    guard rows.count > 1, counts.allSatisfy({ $0 == words.count }) else { return nil }
    return standOverNumbers(words, rows.map { ($0, $0.words(in: cells)) }) ? words : nil
  }

  /// Whether single words of a header are titles: all but the last are above a number or `-` in every row.
  ///
  /// Of two, the first or a number under the last is flush with the end of its title in most rows.
  private static func standOverNumbers(
    _ titles: [Range<Int>], _ rows: [(line: WordsLine, words: [Range<Int>])]
  ) -> Bool {
    func isNumber(_ row: (line: WordsLine, words: [Range<Int>]), _ word: Int) -> Bool {
      let text = row.line.text(in: row.words[word])
      return text.utf8.first.map { $0 >= 0x30 && $0 <= 0x39 } ?? false
    }
    let last = titles.count - 1
    guard
      rows.allSatisfy({ row in
        (0..<last).allSatisfy { isNumber(row, $0) || row.line.text(in: row.words[$0]) == "-" }
      })
    else { return false }
    let flush = rows.count { row in
      row.words[0].upperBound == titles[0].upperBound
        || row.words[last].upperBound == titles[last].upperBound && isNumber(row, last)
    }
    return titles.count > 2 || flush * 2 > rows.count
  }

  /// The rows with a blank where most rows have one between two titles that share a part.
  private static func agreeing(_ rows: [WordsLine], on shared: [[Range<Int>]?]) -> [WordsLine] {
    var agreeing = rows
    for case let titles? in shared {
      for (title, next) in zip(titles, titles.dropFirst()) {
        let blanks = (title.upperBound..<next.lowerBound).map { cell in
          (cell: cell, rowCount: agreeing.count { $0.isBlank(cell) })
        }
        guard let best = blanks.max(by: { $0.rowCount < $1.rowCount }) else { continue }
        agreeing.removeAll { !$0.isBlank(best.cell) }
      }
    }
    return agreeing
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
    for cell in occupied.indices {
      if occupied[cell], start == nil { start = cell }
      if !occupied[cell], let begin = start {
        runs.append(begin..<cell)
        start = nil
      }
    }
    if let start { runs.append(start..<occupied.count) }
    return runs
  }
}
