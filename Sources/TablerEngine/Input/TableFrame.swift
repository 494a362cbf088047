/// How the lines of a drawn table are split into fields.
struct TableFrame {
  /// The number of columns.
  private(set) var columnCount: Int

  /// Whether it is Markdown, which escapes marks with a backslash and has only one rule.
  let isMarkdown: Bool

  /// Whether it is drawn for pandoc, so that cells have escapes too.
  let isPandoc: Bool

  /// A field of a line.
  struct LineField {
    /// The bytes of the line between two column lines, or those of a column.
    var range: Range<Int>

    /// How it continues in the next line.
    var mark = ContinuationMark.none
  }

  /// The mark that psql draws at the end of a field that continues in the next line.
  enum ContinuationMark {
    case none
    /// `+` or `↵`: a new line.
    case newline
    /// `.` or `…`: the same line.
    case wrap
  }

  private let structure: TableRule
  private var verticals: Set<UInt32> = []
  private var layout: WordsLayout?

  /// Whether fields may have the marks of psql.
  private var takesMarksOfPsql = false

  /// Whether the two cells before the first column are reserved for the mark of selected rows.
  private var hasGutter = false

  /// For each column the mark of invalid cells, and its display cell, if any.
  private(set) var marks: [FailureMark?] = []

  /// Finds the columns from a rule and the current lines.
  ///
  /// - Parameters:
  ///   - structure: the rule.
  ///   - isMarkdown: whether the rule is one of Markdown.
  ///   - isPandoc: whether cells have the escapes of pandoc.
  ///   - header: the lines of the header; empty if the first of the rows is one.
  ///   - rows: the first rows.
  ///   - body: the first rows without the footer.
  init(
    _ structure: TableRule, isMarkdown: Bool, isPandoc: Bool = false, header: [WordsLine], rows: [WordsLine],
    body: [WordsLine] = []
  ) {
    self.structure = structure
    self.isMarkdown = isMarkdown
    self.isPandoc = isPandoc
    var columnCount = structure.parts.count
    if !structure.junctions.isEmpty {
      for line in (header + rows).prefix(2) {
        verticals.formUnion(
          structure.junctions.compactMap { line.vertical(at: $0.cell, isDotted: structure.isDotted) })
      }
      if verticals.isEmpty { verticals = [0x7C, 0x2502, 0x2503, 0x2551] }
      // Rows may have lighter lines than the header.
      if rows.isEmpty, !verticals.contains(0x7C) { verticals.formUnion([0x2502, 0x2503, 0x2551]) }
      hasGutter = !structure.isClosedBefore && Self.hasGutter(structure, header, rows)
    } else {
      hasGutter = Self.hasGutter(structure, header, rows)
      let layout = Self.layout(structure, header, hasGutter ? rows.map(\.withoutGutter) : rows)
      self.layout = layout
      columnCount = layout.titles.count
    }
    self.columnCount = columnCount
    if !isMarkdown, let last = header.last { marks = failureMarks(below: last, body) }
    takesMarksOfPsql = !isMarkdown && !structure.isStrong && areMarksOfPsql(body)
    // A title beyond the end of the rule is still a title.
    for line in header {
      self.columnCount = max(self.columnCount, fields(line.text.span, isParted: false)?.fields.count ?? 0)
    }
  }

  /// The positions of columns that are not separated by lines.
  private static func layout(
    _ structure: TableRule, _ header: [WordsLine], _ rows: [WordsLine]
  ) -> WordsLayout {
    guard structure.parts.count == 1 else {
      let layout = WordsLayout(columns: structure.parts)
      // Other tools draw rules that are shorter than cells.
      guard let last = header.last,
        rows.contains(where: { layout.cells(of: $0).fit == .crossed && $0.titleCount > 1 })
      else {
        return layout
      }
      let placed = WordsLayout(header: last, rule: structure.line, rows: rows)
      return placed.parts.count == structure.parts.count ? placed : layout
    }
    guard let last = header.last else { return WordsLayout(rows: rows, count: nil) }
    if last.titleCount == 1, rows.allSatisfy({ $0.titleCount < 2 }) {
      return WordsLayout(columns: structure.parts)
    }
    return WordsLayout(spaced: last, rows: header.dropLast() + rows)
  }

  /// Whether the table has room for the marks of selected rows, and nothing else in that room.
  private static func hasGutter(_ structure: TableRule, _ header: [WordsLine], _ rows: [WordsLine]) -> Bool {
    let hasRoom = !header.isEmpty && header.allSatisfy { $0.isBlank(0) && $0.isBlank(1) }
    guard hasRoom, structure.extent.lowerBound > 1 || rows.contains(where: \.hasSelectionMark) else {
      return false
    }
    return rows.allSatisfy { $0.hasSelectionMark || $0.isBlank(0) && $0.isBlank(1) }
  }

  /// Whether each text of a line is in its column, and whether there is any in a column other than the first,
  /// or the last.
  func placement(of line: WordsLine) -> Placement {
    guard let layout else { return .row }
    let line = hasGutter ? line.withoutGutter : line
    let cells = layout.cells(of: line)
    let isLone = line.titleCount == 1
    let start = line.words(in: 0..<line.width).first?.lowerBound ?? 0
    let gaps = zip(layout.parts, layout.parts.dropFirst()).flatMap { $0.end..<max($0.end, $1.start) }
    let isOver = isLone && !gaps.allSatisfy(line.isBlank)
    if isOver || cells.fit == .crossed || cells.ranges.count < layout.parts.count {
      guard isLone else { return .crossed }
      return start <= layout.parts[0].start ? .heading : .closing
    }
    let filled = cells.ranges.indices.filter { cells.ranges[$0].map { !$0.isEmpty } ?? false }
    if filled == [0] { return .heading }
    return isLone && filled == [layout.parts.count - 1] ? .closing : .row
  }

  /// Whether a line has a text in the first column.
  func beginsInFirstColumn(_ line: WordsLine) -> Bool {
    guard let fields = fields(line.text.span, isParted: true)?.fields, let first = fields.first else {
      return false
    }
    return !trimmed(first, line.text.span).isEmpty
  }

  /// What a line may be, judged by the positions of its texts.
  enum Placement {
    /// Cells of several columns.
    case row
    /// A text that begins with the first column and ends in it, or crosses others.
    case heading
    /// A text that ends with the last column.
    case closing
    /// Several texts that cross columns.
    case crossed
  }

  /// Whether a line has one field from edge to edge, as headings and footers of sections do.
  func isSpan(_ line: Span<UInt8>, _ fields: [LineField]) -> Bool {
    guard layout == nil, columnCount > 1, !isMarkdown, structure.isClosedBefore, structure.isClosedAfter
    else {
      return false
    }
    let words = WordsLine(line)
    guard words.words(in: 0..<words.width).last?.upperBound == structure.extent.upperBound else {
      return false
    }
    // The text may contain a character that elsewhere is a line between columns.
    return fields.count == 1
      || fields.count != columnCount
        && structure.junctions.dropFirst().dropLast().allSatisfy {
          words.vertical(at: $0.cell, isDotted: false) == nil
        }
  }

  /// Whether a line is a lone text in a table whose rows have lines between columns, as headings of sections are.
  func isLoneHeading(_ line: Span<UInt8>) -> Bool {
    layout == nil && !isMarkdown && !structure.isClosedBefore && !structure.isClosedAfter
      && line.firstVertical == nil && WordsLine(line).titleCount == 1
  }

  /// The titles in the lines of a header, joined by a blank.
  func titles(_ header: [WordsLine]) -> [String] {
    var titles = Array(repeating: "", count: columnCount)
    for line in header {
      let text = line.text.span
      for (column, field) in (fields(text, isParted: false)?.fields ?? []).enumerated()
      where column < columnCount {
        let piece = String(decoding: self.text(of: field, text), as: UTF8.self)
        if !piece.isEmpty { titles[column] += titles[column].isEmpty ? piece : " " + piece }
      }
    }
    return titles
  }

  /// The display cell at which the title of each column begins, in a line of the header.
  func cells(of header: WordsLine, _ count: Int) -> [Int] {
    let text = header.text.span
    let fields = fields(text, isParted: false)?.fields ?? []
    return (0..<count).map { column in
      guard fields.indices.contains(column) else { return -1 }
      return WordsLine(text.extracting(..<trimmed(fields[column], text).lowerBound)).width
    }
  }

  /// Recognizes a rule below the header; Markdown has none, and other rules are as wide as the table and made
  /// of box lines if the table is.
  func rule(_ line: Span<UInt8>) -> TableRule? {
    guard !isMarkdown, let rule = TableRule(line, least: 1, dots: structure.isDotted) else { return nil }
    // A lone dash between box lines is a cell.
    if rule.hasASCIIParts, !structure.hasASCIIParts { return nil }
    if structure.isUncrossed { return structure.isRepeated(by: rule) ? rule : nil }
    let isCrossed = structure.isMarkdown || structure.isDotted || !rule.isMarkdown
    return rule.extent == structure.extent && !rule.hasGaps && isCrossed ? rule : nil
  }

  /// Splits a line; `nil` if a line between columns is missing.
  func fields(_ line: Span<UInt8>, isParted: Bool) -> (fields: [LineField], hasCrossed: Bool)? {
    if let layout {
      let whole = WordsLine(line)
      let words = hasGutter ? whole.withoutGutter : whole
      let cells = layout.cells(of: words)
      let none = line.count..<line.count
      let shift = line.count - words.text.count
      var fields = (0..<columnCount).map { column in
        guard column < cells.ranges.count, let range = cells.ranges[column] else {
          return LineField(range: none)
        }
        return LineField(range: range.lowerBound + shift..<range.upperBound + shift)
      }
      takeMarksOfFailures(off: &fields, line)
      return (fields, cells.fit == .crossed)
    }
    guard var fields = split(line) else { return nil }
    if fields.count != columnCount, !isMarkdown, let placed = place(line) { fields = placed }
    takeMarksOfFailures(off: &fields, line)
    if !isParted, takesMarksOfPsql { takeMarks(off: &fields, line) }
    return (fields, false)
  }

  /// The bytes of a field without outer blanks and marks, its escapes resolved.
  func text(of field: LineField, _ line: Span<UInt8>) -> [UInt8] {
    let text = line.extracting(trimmed(field, line))
    return hasEscapes ? text.withoutMarkdown(breaksLines: isPandoc) : Array(copying: text)
  }

  /// The bytes of a field without outer blanks.
  func trimmed(_ field: LineField, _ line: Span<UInt8>) -> Range<Int> {
    var low = field.range.lowerBound
    var high = field.range.upperBound
    while low < high, line.isBlank(low) { low += 1 }
    while low < high, line.isBlank(high - 1) { high -= 1 }
    return low..<high
  }

  /// Whether a cell is spelled with the escapes of Markdown.
  func isEscaped(_ text: Span<UInt8>) -> Bool {
    hasEscapes
      && (text.contains(UInt8(ascii: "\\")) || text.contains(UInt8(ascii: "<"))
        || text.contains(UInt8(ascii: "&")))
  }

  private var hasEscapes: Bool { isMarkdown || isPandoc }

  /// Whether it is drawn in ASCII.
  var isDrawnInASCII: Bool { !isMarkdown && structure.isASCII }
}

extension TableFrame {
  /// Splits a line at the lines between columns.
  private func split(_ line: Span<UInt8>) -> [LineField]? {
    var fields: [LineField] = []
    // Before the first line between columns comes a cell, or the mark of a selected row and a cell.
    let first = hasGutter ? line.endOfSelectionMark : 0
    var start = first
    var offset = first
    while offset < line.count {
      let scalar = line.scalar(at: offset)
      if isMarkdown, scalar.value == 0x5C {
        offset = min(offset + 2, line.count)
        continue
      }
      let end = offset
      offset += scalar.length
      guard verticals.contains(scalar.value) else { continue }
      let isEdge =
        fields.isEmpty
        && (isMarkdown ? trimmed(LineField(range: 0..<end), line).isEmpty : structure.isClosedBefore)
      if start > first || !isEdge { fields.append(LineField(range: start..<end)) }
      start = offset
    }
    guard start > first else { return nil }
    let rest = LineField(range: start..<line.count)
    if !(isMarkdown || structure.isClosedAfter) || !trimmed(rest, line).isEmpty { fields.append(rest) }
    return fields
  }

  /// Splits a line at the same positions as the rule, if there is a line between columns at each of them.
  private func place(_ line: Span<UInt8>) -> [LineField]? {
    let cells = WordsLine(line)
    let places = structure.parts.dropFirst().map { $0.lowerBound - 1 }
    let isPlaced = places.allSatisfy { place in
      cells.vertical(at: place, isDotted: structure.isDotted).map { verticals.contains($0) } ?? false
    }
    guard isPlaced, !structure.isClosedAfter || isClosed(line, cells) else { return nil }
    return structure.parts.indices.map { index in
      let part = structure.parts[index]
      let isOpen = index == structure.parts.count - 1 && !structure.isClosedAfter
      let low = min(part.lowerBound, cells.width)
      let high = isOpen ? cells.width : max(low, min(part.upperBound, cells.width))
      return LineField(range: cells.offset(ofCell: low)..<cells.offset(ofCell: high))
    }
  }

  /// Whether only the line that closes the table follows the last column.
  private func isClosed(_ line: Span<UInt8>, _ cells: WordsLine) -> Bool {
    let end = structure.parts.last.map { min($0.upperBound, cells.width) } ?? 0
    let rest = trimmed(LineField(range: cells.offset(ofCell: end)..<line.count), line)
    guard !rest.isEmpty else { return true }
    let scalar = line.scalar(at: rest.lowerBound)
    return scalar.length == rest.count && verticals.contains(scalar.value)
  }

  /// Whether apparent marks of psql are marks: below a line that continues, the columns without a mark are blank.
  private func areMarksOfPsql(_ rows: [WordsLine]) -> Bool {
    zip(rows, rows.dropFirst()).allSatisfy { line, next in
      let (line, next) = (line.text.span, next.text.span)
      guard var fields = split(line), let below = split(next) else { return true }
      takeMarks(off: &fields, line)
      if fields.allSatisfy({ $0.mark == .none }) { return true }
      return zip(fields, below).allSatisfy { $0.mark != .none || trimmed($1, next).isEmpty }
    }
  }

  /// Removes the marks from fields that continue in the next line, or began in the one before.
  ///
  /// They are where a blank is otherwise, so that a field with a mark is as wide as its column.
  private func takeMarks(off fields: inout [LineField], _ line: Span<UInt8>) {
    for index in fields.indices where index < structure.parts.count {
      let range = fields[index].range
      guard range.count > 2, let end = line.mark(endingAt: range.upperBound) else { continue }
      let field = line.extracting(range)
      let isOpened = line.isBlank(range.lowerBound) || line.startOfWrap(at: range.lowerBound) != nil
      guard isOpened, WordsLine(field).width == structure.parts[index].count else { continue }
      fields[index] = LineField(range: range.lowerBound..<range.upperBound - end.length, mark: end.mark)
    }
  }
}

/// A record of a drawn table whose lines are being read.
struct TableRecord {
  /// The first line.
  let text: Range<Int>

  /// The fields of the first line.
  let fields: [TableFrame.LineField]

  /// Whether psql marks that another line belongs to it.
  private(set) var goesOn: Bool

  /// The cells of several lines.
  private var cells: [[UInt8]] = []

  /// The number of empty lines at the end of each cell.
  private var emptyLines: [Int] = []

  private var marks: [TableFrame.ContinuationMark]

  /// Begins with a line of a block.
  init(_ text: Range<Int>, _ fields: [TableFrame.LineField]) {
    self.text = text
    self.fields = fields
    marks = fields.map(\.mark)
    goesOn = marks.contains { $0 != .none }
  }

  /// Adds a line.
  mutating func add(
    _ text: Range<Int>, _ fields: [TableFrame.LineField], _ frame: TableFrame, isParted: Bool,
    _ block: ByteBlock
  ) {
    if cells.isEmpty {
      let first = block.span.extracting(self.text)
      for field in self.fields { cells.append(first.piece(of: field, frame)) }
      emptyLines = Array(repeating: 0, count: cells.count)
    }
    while cells.count < fields.count {
      cells.append([])
      emptyLines.append(0)
      marks.append(.none)
    }
    let line = block.span.extracting(text)
    for (column, field) in fields.enumerated() {
      let piece = line.piece(of: field, frame, goingOn: marks[column])
      if !isParted {
        if marks[column] == .newline { cells[column].append(10) }
        if marks[column] != .none { cells[column] += piece }
      } else if piece.isEmpty {
        emptyLines[column] += 1
      } else {
        if !cells[column].isEmpty { cells[column] += Array(repeating: 10, count: emptyLines[column] + 1) }
        cells[column] += piece
        emptyLines[column] = 0
      }
      marks[column] = field.mark
    }
    goesOn = fields.contains { $0.mark != .none }
  }

  /// The number of fields.
  var fieldCount: Int { max(fields.count, cells.count) }

  /// Adds the cells to a batch.
  func append(to records: inout LineRecords, _ frame: TableFrame, _ block: ByteBlock) {
    records.begin(at: text.lowerBound)
    guard cells.isEmpty else {
      for cell in cells { records.append(decoded: cell.trimmingBlanks, of: text) }
      return
    }
    let line = block.span.extracting(text)
    for field in fields {
      let range = frame.trimmed(field, line)
      let place = text.lowerBound + range.lowerBound..<text.lowerBound + range.upperBound
      if frame.isEscaped(line.extracting(range)) {
        records.append(decoded: frame.text(of: field, line), of: place)
      } else {
        records.append(block, place)
      }
    }
  }
}

extension [UInt8] {
  /// The bytes without outer blanks.
  fileprivate var trimmingBlanks: [UInt8] {
    guard let first = firstIndex(where: { $0 != 32 }), let last = lastIndex(where: { $0 != 32 }) else {
      return []
    }
    return Array(self[first...last])
  }
}

extension Span<UInt8> {
  fileprivate func isBlank(_ offset: Int) -> Bool { self[offset] == 32 || self[offset] == 9 }

  /// The text that a field of this line adds to its cell, whose previous line ended with a mark.
  fileprivate func piece(
    of field: TableFrame.LineField, _ frame: TableFrame, goingOn mark: TableFrame.ContinuationMark = .none
  ) -> [UInt8] {
    guard mark == .wrap || field.mark == .wrap, !field.range.isEmpty else {
      return frame.text(of: field, self)
    }
    // Blanks at a break of the line belong to the cell, except the one before it, or the mark in its place.
    let start = field.range.lowerBound
    let width = mark == .wrap ? startOfWrap(at: start) ?? 1 : 1
    let text = extracting(Swift.min(start + width, field.range.upperBound)..<field.range.upperBound)
    return Array(copying: text)
  }

  /// The mark of psql that ends before `end`.
  fileprivate func mark(endingAt end: Int) -> (mark: TableFrame.ContinuationMark, length: Int)? {
    if self[end - 1] == UInt8(ascii: "+") { return (.newline, 1) }
    if self[end - 1] == UInt8(ascii: ".") { return (.wrap, 1) }
    guard end >= 3 else { return nil }
    if holds("↵", at: end - 3) { return (.newline, 3) }
    if holds("…", at: end - 3) { return (.wrap, 3) }
    return nil
  }

  /// The length of the mark before a line that was wrapped.
  fileprivate func startOfWrap(at offset: Int) -> Int? {
    if self[offset] == UInt8(ascii: ".") { return 1 }
    return holds("…", at: offset) ? 3 : nil
  }
}
