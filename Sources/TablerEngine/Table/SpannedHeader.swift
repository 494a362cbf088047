/// The lines of a header above the titles of columns: titles over several of them.
struct SpannedHeader: Equatable, Sendable {
  /// A title over neighboring columns, or a column without a title on this line.
  struct TitleSpan: Equatable, Sendable {
    /// The columns.
    var columns: Range<Int>

    /// The title over them.
    var title: String?
  }

  /// One of the lines.
  struct Line: Equatable, Sendable {
    /// The segments, which together have all columns.
    fileprivate(set) var segments: [TitleSpan] = []

    /// The segment of each column, as an index.
    fileprivate var places: [Int] = []

    /// The title over a column.
    func title(over column: Int) -> String? { segments[places[column]].title }

    /// Whether one title is over two columns.
    func isShared(_ column: Int, _ other: Int) -> Bool { places[column] == places[other] }
  }

  /// The lines, from the top.
  private(set) var lines: [Line] = []

  /// Joins equal titles of neighboring columns, if those above them are joined too.
  ///
  /// - Parameter titles: for each column those above its own, from the nearest one up.
  /// - Complexity: O(*n*) for *n* titles.
  init(_ titles: [[String?]]) {
    let count = titles.reduce(0) { max($0, $1.lastIndex { $0 != nil }.map { $0 + 1 } ?? 0) }
    for level in (0..<count).reversed() {
      var line = Line()
      for column in titles.indices {
        let title = level < titles[column].count ? titles[column][level] : nil
        let isSame =
          title != nil && line.segments.last?.title == title
          && lines.allSatisfy { line in
            line.isShared(column - 1, column)
              || line.title(over: column - 1) == nil && line.title(over: column) == nil
          }
        if isSame, let last = line.segments.indices.last {
          line.segments[last].columns = line.segments[last].columns.lowerBound..<column + 1
        } else {
          line.segments.append(TitleSpan(columns: column..<column + 1, title: title))
        }
        line.places.append(line.segments.count - 1)
      }
      lines.append(line)
    }
  }

  /// How many lines right above the title of a column have none over it.
  func freeLines(above column: Int) -> Int {
    lines.count - (lines.lastIndex { $0.title(over: column) != nil }.map { $0 + 1 } ?? 0)
  }
}

/// A title of a header of several lines, divided into those that are over several columns and the rest.
struct SpannedTitle: Equatable, Sendable {
  /// The titles above the title of the column, from the nearest one up; `nil` on a line on which it has none.
  var above: [String?]

  /// The title below them.
  var title: String

  /// Divides the titles of a header of several lines: equal neighbors in a line above the last are one title over
  /// several columns.
  ///
  /// - Parameter lines: the lines of the header, which may be shorter than the table; empty texts are no titles.
  /// - Returns: what is divided, for each column; `nil` for one that shares no line.
  static func titles(ofLines lines: [[String]], columnCount: Int) -> [SpannedTitle?] {
    if lines.count < 2 { return [] }
    func text(_ line: Int, _ column: Int) -> String? {
      guard lines[line].indices.contains(column), !lines[line][column].isEmpty else { return nil }
      return lines[line][column]
    }
    let upper = lines.indices.dropLast().reversed()
    let header = SpannedHeader((0..<columnCount).map { column in upper.map { text($0, column) } })
    // Empty lines on top are not part of it.
    let first = lines.count - 1 - header.lines.count
    return (0..<columnCount).map { column in
      var divided = SpannedTitle(above: [], title: "")
      for line in lines.indices {
        let place = line - first
        let isShared =
          header.lines.indices.contains(place) && header.lines[place].title(over: column) != nil
          && (column > 0 && header.lines[place].isShared(column - 1, column)
            || column + 1 < columnCount && header.lines[place].isShared(column, column + 1))
        if line < lines.count - 1 { divided.above.insert(isShared ? text(line, column) : nil, at: 0) }
        if !isShared, let text = text(line, column) {
          divided.title += divided.title.isEmpty ? text : " " + text
        }
      }
      return divided.above.contains { $0 != nil } ? divided : nil
    }
  }
}
