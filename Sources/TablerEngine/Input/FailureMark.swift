/// The mark that tabler draws beside invalid cells, `⚠` or `!`, and its display cell in a column.
struct FailureMark {
  /// The display cell of the mark if a cell is invalid.
  var cell: Int

  /// Whether it is `!`, as in tables of ASCII characters.
  var isASCII: Bool

  /// The length of a mark in bytes.
  static func length(isASCII: Bool) -> Int { isASCII ? 1 : 3 }

  /// A text of a column, in display cells, and its bytes.
  fileprivate struct Text {
    var cells: Range<Int>
    var bytes: [UInt8]

    /// The text without the mark at its end; `nil` if it has no mark.
    func withoutMark(isASCII: Bool) -> Text? {
      let length = FailureMark.length(isASCII: isASCII)
      guard bytes.span.hasFailureMark(before: bytes.count, isASCII: isASCII) else { return nil }
      var rest = bytes.dropLast(length)[...]
      var end = cells.upperBound - 1
      while rest.last == 32 {
        rest = rest.dropLast()
        end -= 1
      }
      return Text(cells: cells.lowerBound..<max(end, cells.lowerBound), bytes: Array(rest))
    }
  }

  /// Finds the mark of a column: its last display cell and the one before are reserved for it.
  ///
  /// An exclamation mark may be part of a text. It is a mark if a blank separates it from a text, if it
  /// follows numbers or texts that are aligned right as numbers are, or if it is in all rows.
  /// below one another as numbers do, or in all rows.
  ///
  /// - Parameters:
  ///   - header: the last line of the header.
  ///   - texts: the texts of the column in lines of rows.
  ///   - isASCII: whether the table is drawn in ASCII.
  fileprivate init?(below header: WordsLine, _ texts: [Text], isASCII: Bool) {
    guard let end = texts.map(\.cells.upperBound).max(), end > 1, header.isBlank(end - 1),
      header.isBlank(end - 2)
    else { return nil }
    self.init(cell: end - 1, isASCII: false)
    if texts.contains(where: { $0.cells.upperBound == end && $0.withoutMark(isASCII: false) != nil }) {
      return
    }
    guard isASCII else { return nil }
    self.isASCII = true
    let marked = texts.filter { $0.cells.upperBound == end }
    let rests = marked.compactMap { $0.withoutMark(isASCII: true) }
    let others = texts.filter { $0.cells.upperBound < end }
    guard rests.count == marked.count, others.allSatisfy({ $0.cells.upperBound < end - 1 }) else {
      return nil
    }
    let standsApart = rests.contains { $0.cells.upperBound < end - 2 }
    let areNumbers = rests.allSatisfy { NumberReader.isNumber($0.bytes.span) }
    let inner = rests + others
    let areTrailing =
      inner.allSatisfy { $0.cells.upperBound == end - 2 } && Set(inner.map(\.cells.lowerBound)).count > 1
    let areAll = others.isEmpty && marked.count > 1
    guard standsApart || areNumbers || areTrailing || areAll else { return nil }
  }

  private init(cell: Int, isASCII: Bool) {
    self.cell = cell
    self.isASCII = isASCII
  }
}

extension TableFrame {
  /// The marks of the columns.
  func failureMarks(below header: WordsLine, _ rows: [WordsLine]) -> [FailureMark?] {
    var columns: [[FailureMark.Text]] = Array(repeating: [], count: columnCount)
    for row in rows {
      let line = row.text.span
      var (offset, cell) = (0, 0)
      for (index, field) in (fields(line, isParted: true)?.fields ?? []).enumerated()
      where index < columnCount {
        let range = trimmed(field, line)
        if range.isEmpty || range.lowerBound < offset { continue }
        cell += WordsLine(line.extracting(offset..<range.lowerBound)).width
        let width = WordsLine(line.extracting(range)).width
        columns[index].append(FailureMark.Text(cells: cell..<cell + width, bytes: Array(row.text[range])))
        (offset, cell) = (range.upperBound, cell + width)
      }
    }
    return columns.map { FailureMark(below: header, $0, isASCII: isDrawnInASCII) }
  }

  /// Removes the marks of invalid cells from fields.
  func takeMarksOfFailures(off fields: inout [LineField], _ line: Span<UInt8>) {
    var words: WordsLine?
    for index in fields.indices where index < marks.count {
      guard let mark = marks[index] else { continue }
      let range = trimmed(fields[index], line)
      guard line.hasFailureMark(before: range.upperBound, isASCII: mark.isASCII) else { continue }
      let start = range.upperBound - FailureMark.length(isASCII: mark.isASCII)
      let known = words ?? WordsLine(line)
      words = known
      guard start >= range.lowerBound, known.offset(ofCell: mark.cell) == start else { continue }
      fields[index].range = fields[index].range.lowerBound..<start
    }
  }
}

extension Span<UInt8> {
  /// Whether the mark of an invalid cell ends there, with nothing or a blank before it.
  fileprivate func hasFailureMark(before end: Int, isASCII: Bool) -> Bool {
    let start = end - FailureMark.length(isASCII: isASCII)
    guard start >= 0, isASCII ? self[start] == UInt8(ascii: "!") : holds("⚠", at: start) else { return false }
    return start == 0 || self[start - 1] == 32
  }
}
