/// Stack as pandoc's multiline tables and Grid as its grid tables.
///
/// Pandoc identifies columns by position, so all cells must be measured. There is at least one row.
struct PandocTable: ~Copyable, TableForm {
  private let parts: MarkdownParts
  private let arrangement: MarkdownArrangement
  private let isGrid: Bool

  /// The widths of all columns, that of marks among them, and the alignment of their texts.
  private let columns: [(width: Int, alignment: Alignment)]

  /// The cells of a row, spelled, one after the other.
  private var texts = ByteBuffer()

  /// The unwritten rest of each cell.
  private var rests: [Range<Int>] = []

  /// Whether the table ends with a foot.
  private var hasFoot = false

  /// Whether the table body has a row yet.
  private var hasRows = false

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
    if isGrid {
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
    appendSeparator(isFirst: place.number == 1, to: &out)
    beginLine(nil)
  }

  mutating func beginRow(_ look: RowLook, _ place: RowPosition, to out: inout ByteBuffer) {
    appendSeparator(isFirst: place.number == 1, to: &out)
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

  mutating func endRow(to out: inout ByteBuffer) { appendLines(to: &out) }

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
    // A blank line ends a row.
    if !isGrid, texts.isEmpty {
      rests[0] = 0..<PandocEscaper.nothing.count
      texts.append(PandocEscaper.nothing)
    }
    var isFirst = true
    while isFirst || rests.contains(where: { !$0.isEmpty }) {
      isFirst = false
      out.append(isGrid ? "| " : "")
      for index in columns.indices {
        appendLine(of: index, to: &out)
        if isGrid {
          out.append(index < columns.count - 1 ? " | " : " |")
        } else if index < columns.count - 1 {
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
  private mutating func appendLine(of index: Int, to out: inout ByteBuffer) {
    let rest = rests[index]
    var end = rest.lowerBound
    while end < rest.upperBound, texts.span[end] != 10 { end += 1 }
    rests[index] = min(end + 1, rest.upperBound)..<rest.upperBound
    let line = texts.span.extracting(rest.lowerBound..<end)
    let free = max(0, columns[index].width - text.metrics.width(of: line))
    let before = isGrid ? 0 : columns[index].alignment.blanksBefore(free)
    out.append(blanks: before)
    out.append(line)
    out.append(blanks: free - before)
  }

  /// Appends a line of dashes, one piece for each column.
  ///
  /// - Parameter isAligned: whether colons say how columns are aligned.
  private func appendRule(_ mark: UInt8, isAligned: Bool = false, to out: inout ByteBuffer) {
    for (index, column) in columns.enumerated() {
      if isGrid { out.append("+") } else if index > 0 { out.append(blanks: Self.gap) }
      let count = column.width + (isGrid ? 2 : 0)
      if isAligned {
        column.alignment.appendRule(mark, count: count, to: &out)
      } else {
        out.append(repeating: mark, count: count)
      }
    }
    out.append(isGrid ? "+\n" : "\n")
  }
}
