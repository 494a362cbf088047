/// Stack as pandoc's multiline tables and Grid as its grid tables.
///
/// Pandoc identifies columns by position, so all cells must be measured. There is at least one row.
struct PandocTable: ~Copyable, TableForm {
  private let parts: MarkdownParts
  private let arrangement: MarkdownArrangement
  private let isGrid: Bool

  /// The widths of all columns, that of marks among them, and the alignment of their texts.
  private let columns: [(width: Int, alignment: Alignment)]

  /// The columns of each cell of a row.
  private let areas: [Range<Int>]

  /// The cells of a row, spelled, one after the other.
  private var texts = ByteBuffer()

  /// The unwritten rest of each cell.
  private var rests: [Range<Int>] = []

  /// The columns of the row whose cells are one with those above them.
  private var repeats: Set<Int> = []

  /// Whether no row of data is above the row.
  private var isFirst = true

  /// Whether the table ends with a foot.
  private var hasFoot = false

  /// Whether the table body has a row yet.
  private var hasRows = false

  /// The cells between the texts of columns of Grid.
  private static let gridGap = MarkdownArrangement.Ruler.gridGap

  /// The blanks between columns of Stack.
  private static let gap = 2

  /// Prepares a table.
  init(_ arrangement: MarkdownArrangement, _ options: LayoutOptions, _ styles: RowStyles = RowStyles()) {
    self.arrangement = arrangement
    parts = MarkdownParts(options, styles)
    isGrid = options.kind == .grid
    columns =
      (arrangement.hasMarks ? [(arrangement.markWidth, .leading)] : [])
      + arrangement.columns.map { ($0.width + $0.gutter, $0.alignment) }
    areas = columns.indices.map { $0..<$0 + 1 }
  }

  var text: MarkdownText { parts.text }
  var countsRows: Bool { columns.isEmpty }
  var showsValid: Bool { !parts.signs.valid.isEmpty }

  /// Grid tables have rules between rows, multiline tables an empty line.
  var notices: [LayoutNotice] { isGrid ? parts.notices : [] }

  /// All columns at their widths, and what is between them, twice.
  var rowSize: Int { columns.reduce(0) { $0 + 2 * $1.width + 6 } }

  func appendOpening(to out: inout ByteBuffer) { out.append(parts.opening) }

  func appendEnding(to out: inout ByteBuffer) { out.append(parts.closing) }

  mutating func appendTitles(to out: inout ByteBuffer) {
    let hasHeader = arrangement.hasHeader
    if isGrid, hasHeader, let first = arrangement.header.lines.first {
      appendSpanRule(nil, above: first, to: &out)
      appendSpans(to: &out)
    } else if isGrid {
      appendRule(UInt8(ascii: "-"), isAligned: !hasHeader, to: &out)
    } else if hasHeader {
      let width = columns.reduce(-Self.gap) { $0 + $1.width + Self.gap }
      out.append(repeating: UInt8(ascii: "-"), count: width)
      out.append("\n")
    }
    if hasHeader {
      beginLine(nil)
      for column in arrangement.columns { appendCell { $0.append(column.title) } }
      appendLines(to: &out)
    }
    if !isGrid {
      appendRule(UInt8(ascii: "-"), to: &out)
    } else if hasHeader {
      appendRule(UInt8(ascii: "="), isAligned: true, to: &out)
    }
  }

  mutating func resumeSection(hasHeading: Bool) { hasRows = hasHeading }

  mutating func beginRow(_ place: RowPosition, to out: inout ByteBuffer) {
    isFirst = place.number == 1
    beginLine(nil)
  }

  mutating func beginRow(_ look: RowLook, _ place: RowPosition, to out: inout ByteBuffer) {
    isFirst = place.number == 1
    beginLine(look)
  }

  mutating func append(
    _ column: Int, _ cells: inout SpelledCells<MarkdownText>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    var found = CellFindings()
    appendCell { found = cells.append(column, batch, row, number: number, to: &$0).ofCell }
    return found
  }

  mutating func append(
    _ cell: CellParts, _ cells: inout SpelledCells<MarkdownText>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    var found = CellFindings()
    let sign = !cell.hasRules ? [] : cell.isInvalid ? parts.signs.invalid : parts.signs.valid
    appendCell { texts in
      let start = texts.count
      found = cell.append(&cells, batch, row, number: number, to: &texts)
      if !sign.isEmpty, texts.count > start { texts.append(blanks: 1) }
      texts.append(sign)
    }
    return found
  }

  mutating func appendRepeat(
    _ column: Int, _ cells: inout SpelledCells<MarkdownText>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    repeats.insert(rests.count)
    appendCell { _ in }
    return CellFindings()
  }

  mutating func endRow(to out: inout ByteBuffer) {
    appendSeparator(isFirst: isFirst, to: &out)
    repeats.removeAll(keepingCapacity: true)
    appendLines(to: &out)
  }

  /// Pandoc accepts a foot only if there is a head.
  mutating func beginFooter(to out: inout ByteBuffer) {
    hasFoot = isGrid && arrangement.hasHeader
    if hasFoot { appendRule(UInt8(ascii: "="), to: &out) }
  }

  mutating func append(_ footer: FooterLine, number: Int, _ place: RowPosition, to out: inout ByteBuffer) {
    if !hasFoot {
      appendSeparator(isFirst: place.number == 0, to: &out)
    } else if number > 0 {
      appendRule(UInt8(ascii: "-"), to: &out)
    }
    beginLine(nil)
    for (index, column) in arrangement.columns.enumerated() {
      let text = text
      appendCell { text.append(footer, index, title: column.title, to: &$0) }
    }
    appendLines(to: &out)
  }

  func appendClosing(to out: inout ByteBuffer) {
    if !isGrid { out.append("\n") }
    appendRule(hasFoot ? UInt8(ascii: "=") : UInt8(ascii: "-"), to: &out)
  }
}

// MARK: - Titles over several columns

extension PandocTable {
  /// Appends the lines above the titles of columns, each with the rule below it.
  private mutating func appendSpans(to out: inout ByteBuffer) {
    let lines = arrangement.header.lines
    for (number, line) in lines.enumerated() {
      texts.removeAll()
      rests.removeAll(keepingCapacity: true)
      if arrangement.hasMarks { appendCell { _ in } }
      for segment in line.segments { appendCell { $0.append((segment.title ?? "").utf8.span) } }
      let offset = arrangement.hasMarks ? 1 : 0
      appendLines(of: (0..<offset).map { $0..<1 } + line.segments.map { shifted($0.columns) }, to: &out)
      appendSpanRule(line, above: number + 1 < lines.count ? lines[number + 1] : nil, to: &out)
    }
  }

  /// Columns of the table as they are numbered with that of marks.
  private func shifted(_ columns: Range<Int>) -> Range<Int> {
    let offset = arrangement.hasMarks ? 1 : 0
    return columns.lowerBound + offset..<columns.upperBound + offset
  }

  /// Appends the rule below a line of titles over several columns, which is only below these titles.
  ///
  /// - Parameters:
  ///   - line: the line; `nil` at the top of the table.
  ///   - next: the one below it; `nil` if the titles of columns come next.
  private func appendSpanRule(
    _ line: SpannedHeader.Line?, above next: SpannedHeader.Line?, to out: inout ByteBuffer
  ) {
    let offset = arrangement.hasMarks ? 1 : 0
    func isRuled(_ column: Int) -> Bool {
      guard let line else { return true }
      return column >= offset && line.title(over: column - offset) != nil
    }
    func isShared(_ column: Int, _ line: SpannedHeader.Line?) -> Bool {
      column > offset && (line?.isShared(column - offset - 1, column - offset) ?? false)
    }
    for (index, column) in columns.enumerated() {
      if index == 0 {
        out.append(isRuled(index) ? "+" : "|")
      } else if !isRuled(index), !isRuled(index - 1) {
        out.append("|")
      } else {
        out.append(isShared(index, next) ? "-" : "+")
      }
      out.append(repeating: isRuled(index) ? UInt8(ascii: "-") : 0x20, count: column.width + 2)
    }
    out.append(isRuled(columns.count - 1) ? "+\n" : "|\n")
  }
}

extension PandocTable {
  /// Appends the separator above a body row.
  ///
  /// - Parameter isFirst: whether no row of data is above it.
  private mutating func appendSeparator(isFirst: Bool, to out: inout ByteBuffer) {
    if hasRows || !isFirst {
      if isGrid { appendRule(UInt8(ascii: "-"), to: &out) } else { out.append("\n") }
    }
    hasRows = true
  }

  /// Begins a line of cells with the marks of a row.
  private mutating func beginLine(_ look: RowLook?) {
    texts.removeAll()
    rests.removeAll(keepingCapacity: true)
    let marks = parts.marks[look]
    if arrangement.hasMarks { appendCell { $0.append(marks) } }
  }

  /// Takes a cell of the current line.
  @inline(__always)
  private mutating func appendCell(_ spell: (inout ByteBuffer) -> Void) {
    let start = texts.count
    spell(&texts)
    rests.append(start..<texts.count)
  }

  /// Appends the current cells, in as many lines as the highest has.
  private mutating func appendLines(to out: inout ByteBuffer) {
    appendLines(of: areas, to: &out)
  }

  /// Appends the current cells, each over some columns, in as many lines as the highest has.
  private mutating func appendLines(of areas: [Range<Int>], to out: inout ByteBuffer) {
    // A blank line ends a row.
    if !isGrid, texts.isEmpty {
      rests[0] = 0..<PandocEscaper.nothing.count
      texts.append(PandocEscaper.nothing)
    }
    var isFirst = true
    while isFirst || rests.contains(where: { !$0.isEmpty }) {
      isFirst = false
      out.append(isGrid ? "| " : "")
      for index in areas.indices {
        appendLine(of: index, over: areas[index], to: &out)
        if isGrid {
          out.append(index < areas.count - 1 ? " | " : " |")
        } else if index < areas.count - 1 {
          out.append(blanks: Self.gap)
        }
      }
      if !isGrid { out.trimBlanks() }
      out.append("\n")
    }
  }

  /// Appends the next line of a cell at the width of its column.
  ///
  /// In Grid, leading blanks could turn it into a code block.
  private mutating func appendLine(of index: Int, over area: Range<Int>, to out: inout ByteBuffer) {
    let rest = rests[index]
    var end = rest.lowerBound
    while end < rest.upperBound, texts.span[end] != 10 { end += 1 }
    rests[index] = min(end + 1, rest.upperBound)..<rest.upperBound
    let line = texts.span.extracting(rest.lowerBound..<end)
    let width = area.reduce(-Self.gridGap) { $0 + columns[$1].width + Self.gridGap }
    let free = max(0, width - text.metrics.width(of: line))
    let before = isGrid ? 0 : columns[area.lowerBound].alignment.blanksBefore(free)
    out.append(blanks: before)
    out.append(line)
    out.append(blanks: free - before)
  }

  /// Appends a line of dashes, one piece for each column; in Grid none between a cell and the one that repeats it.
  ///
  /// - Parameter isAligned: whether colons say how columns are aligned.
  private func appendRule(_ mark: UInt8, isAligned: Bool = false, to out: inout ByteBuffer) {
    var isOpen = true
    for (index, column) in columns.enumerated() {
      let wasOpen = isOpen
      isOpen = isGrid && repeats.contains(index)
      if isGrid {
        out.append(wasOpen && isOpen ? "|" : "+")
      } else if index > 0 {
        out.append(blanks: Self.gap)
      }
      let count = column.width + (isGrid ? 2 : 0)
      if isOpen {
        out.append(blanks: count)
      } else if isAligned {
        column.alignment.appendRule(mark, count: count, to: &out)
      } else {
        out.append(repeating: mark, count: count)
      }
    }
    out.append(isGrid ? isOpen ? "|\n" : "+\n" : "\n")
  }
}
