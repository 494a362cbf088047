/// Writes Stack as pandoc's multiline tables and Grid as its grid tables.
///
/// Pandoc identifies columns by position, so all cells must be measured. There is at least one row.
struct PandocTablePainter: ~Copyable, DisplayPainter {
  var walk = RowWalk()
  var styles: RowStyles

  /// One column of the table.
  private struct Column {
    var title: [UInt8]
    var width: Int
    var alignment: Alignment
    var mark: FieldMark?
  }

  /// The columns; the first is for marks where rows may have some.
  private let columns: [Column]

  /// The number of mark columns: 0 or 1.
  private let markCount: Int

  /// The marks of rows.
  private let marks: MarkdownRowMarks

  private let heading: [UInt8]
  private let ending: [UInt8]
  private let hasHeader: Bool
  private let isGrid: Bool
  private let signs: DrawnFieldSigns?
  private var cells: SpelledCells<MarkdownText>

  /// The cells of a row, spelled, one after the other.
  private var texts = ByteBuffer()

  /// The unwritten rest of each cell.
  private var parts: [Range<Int>] = []

  /// Whether the table ends with a foot.
  private var hasFoot = false

  /// Whether the table body has a row yet.
  private var hasRows = false

  /// The blanks between columns of Stack.
  private static let gap = 2

  var templateStates: [EvaluationState] { cells.texts.compactMap(\.state) }

  /// All columns at their widths, and what stands between them, twice.
  var rowSize: Int { columns.reduce(0) { $0 + 2 * $1.width + 6 } }

  var layoutNotices: [LayoutNotice] { ignoresRowSpacing ? [.ignoredRowSpacing] : [] }

  /// Whether `--row-spacing` is ignored, because grid tables have rules between rows.
  private let ignoresRowSpacing: Bool

  /// Creates a painter.
  ///
  /// - Parameters:
  ///   - measurement: the widths of all cells.
  ///   - footers: the footer lines.
  init(
    _ shown: [ShownColumn], _ texts: [CellText], _ options: LayoutOptions,
    measurement: Measurement<MarkdownText>, footers: [FooterLine], styles: RowStyles = RowStyles()
  ) {
    self.styles = styles
    let markdown = MarkdownText(options)
    let isGrid = options.kind == .grid
    self.isGrid = isGrid
    ignoresRowSpacing = isGrid && (options.rowSpacing?.lines ?? 0) > 0
    hasHeader = options.hasHeader
    let titles = MarkdownHeading.titles(shown, options, markdown)
    let signs = shown.contains { $0.mark != nil } ? DrawnFieldSigns(options, markdown.escaped(label:)) : nil
    self.signs = signs
    // Exactly three dashes would start metadata, and the title's position above its dashes sets the
    // alignment; two extra cells avoid both.
    let room = isGrid ? 0 : 2
    let marks = MarkdownRowMarks(options, styles, markdown)
    self.marks = marks
    markCount = marks.isEmpty ? 0 : 1
    let markWidth = max(6, marks.width(markdown.metrics))
    let markColumn = Column(title: [], width: markWidth, alignment: .leading)
    columns =
      [Column](repeating: markColumn, count: markCount)
      + shown.indices.map { index in
        let measure = measurement.columns[index]
        let title = titles[index]
        var width = max(isGrid ? 3 : PandocEscaper.nothing.count, measure.width)
        if options.hasHeader { width = max(width, markdown.metrics.widestLine(of: title.span) + room) }
        for footer in footers {
          var text = ByteBuffer()
          markdown.append(footer, index, title: title, to: &text)
          width = max(width, markdown.metrics.widestLine(of: text.span))
        }
        if shown[index].mark != nil { width += signs?.gutter ?? 0 }
        width += MarkdownEmphasis(styles.styles(ofColumn: index)).room
        if !options.hasHeader { width += room }
        return Column(
          title: title, width: width, alignment: shown[index].alignment(measure),
          mark: shown[index].mark)
      }
    cells = SpelledCells(texts, markdown)
    heading = MarkdownHeading.paragraphs(options)
    ending = MarkdownHeading.ending(options)
  }

  var countsRows: Bool { columns.isEmpty }

  func paintOpening(into out: inout ByteBuffer) { out.append(heading) }

  func paintEnding(into out: inout ByteBuffer) { out.append(ending) }

  mutating func paintTitles(into out: inout ByteBuffer) {
    if isGrid {
      rule(UInt8(ascii: "-"), isAligned: !hasHeader, into: &out)
    } else if hasHeader {
      let width = columns.reduce(-Self.gap) { $0 + $1.width + Self.gap }
      out.append(repeating: UInt8(ascii: "-"), count: width)
      out.append("\n")
    }
    if hasHeader {
      beginRow()
      for column in columns { append(column.title) }
      paintLines(into: &out)
    }
    if !isGrid {
      rule(UInt8(ascii: "-"), into: &out)
    } else if hasHeader {
      rule(UInt8(ascii: "="), isAligned: true, into: &out)
    }
  }

  mutating func resumeSection(hasHeading: Bool) { hasRows = hasHeading }

  mutating func paintRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    paintSeparator(isFirst: walk.number == 1, into: &out)
    beginRow()
    let look = look(of: batch, row)
    if markCount > 0 { append(marks[look]) }
    for index in columns.indices.dropFirst(markCount) {
      let start = texts.count
      let cell = parts(of: index - markCount, columns[index].mark, in: look, batch, row)
      walk.found += cell.append(&cells, batch, row, number: walk.number, to: &texts)
      if cell.messages != nil, let signs {
        let sign = cell.isInvalid ? signs.invalid : signs.valid
        if !sign.isEmpty {
          if texts.count > start { texts.append(blanks: 1) }
          texts.append(sign)
        }
      }
      parts.append(start..<texts.count)
    }
    paintLines(into: &out)
  }

  mutating func paintSectionStart(heading: [UInt8]?, into out: inout ByteBuffer) {
    if let heading { paintBodyLine(.band(heading), into: &out) }
  }

  mutating func paintSectionEnd(footers: [FooterLine], into out: inout ByteBuffer) {
    for footer in footers { paintBodyLine(footer, into: &out) }
  }

  /// Pandoc accepts a foot only if there is a head.
  mutating func paintFooterStart(into out: inout ByteBuffer) {
    hasFoot = isGrid && hasHeader
    if hasFoot { rule(UInt8(ascii: "="), into: &out) }
  }

  mutating func paintFooter(_ footer: FooterLine, number: Int, into out: inout ByteBuffer) {
    guard hasFoot else { return paintBodyLine(footer, into: &out) }
    if number > 0 { rule(UInt8(ascii: "-"), into: &out) }
    paintTexts(of: footer, into: &out)
  }

  func paintClosing(into out: inout ByteBuffer) {
    if !isGrid { out.append("\n") }
    rule(hasFoot ? UInt8(ascii: "=") : UInt8(ascii: "-"), into: &out)
  }
}

extension PandocTablePainter {
  /// Writes a heading or footer of a section as a body row.
  private mutating func paintBodyLine(_ footer: FooterLine, into out: inout ByteBuffer) {
    paintSeparator(isFirst: walk.number == 0, into: &out)
    paintTexts(of: footer, into: &out)
  }

  private mutating func paintTexts(of footer: FooterLine, into out: inout ByteBuffer) {
    beginRow()
    if markCount > 0 { append([]) }
    for index in columns.indices.dropFirst(markCount) {
      let start = texts.count
      cells.spelling.append(footer, index - markCount, title: columns[index].title, to: &texts)
      parts.append(start..<texts.count)
    }
    paintLines(into: &out)
  }

  /// Writes the separator above a body row.
  ///
  /// - Parameter isFirst: whether no row of data stands above it.
  private mutating func paintSeparator(isFirst: Bool, into out: inout ByteBuffer) {
    if hasRows || !isFirst {
      if isGrid { rule(UInt8(ascii: "-"), into: &out) } else { out.append("\n") }
    }
    hasRows = true
  }

  private mutating func beginRow() {
    texts.removeAll()
    parts.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ text: [UInt8]) {
    let start = texts.count
    texts.append(text)
    parts.append(start..<texts.count)
  }

  /// Writes the current row, in as many lines as its highest cell has.
  private mutating func paintLines(into out: inout ByteBuffer) {
    // A blank line ends a row.
    if !isGrid, texts.isEmpty {
      parts[0] = 0..<PandocEscaper.nothing.count
      texts.append(PandocEscaper.nothing)
    }
    var isFirst = true
    while isFirst || parts.contains(where: { !$0.isEmpty }) {
      isFirst = false
      out.append(isGrid ? "| " : "")
      for index in columns.indices {
        paintLine(of: index, into: &out)
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

  /// Writes the next line of a cell at the width of its column.
  ///
  /// In Grid, leading blanks could turn it into a code block.
  private mutating func paintLine(of index: Int, into out: inout ByteBuffer) {
    let column = columns[index]
    let part = parts[index]
    var end = part.lowerBound
    while end < part.upperBound, texts.span[end] != 10 { end += 1 }
    let rest = min(end + 1, part.upperBound)..<part.upperBound
    parts[index] = rest
    let line = texts.span.extracting(part.lowerBound..<end)
    let free = max(0, column.width - cells.spelling.metrics.width(of: line))
    let before = isGrid ? 0 : column.alignment.blanksBefore(free)
    out.append(blanks: before)
    out.append(line)
    out.append(blanks: free - before)
  }

  /// Writes a line of dashes, one piece for each column.
  ///
  /// - Parameter isAligned: whether colons say how columns are aligned.
  private func rule(_ mark: UInt8, isAligned: Bool = false, into out: inout ByteBuffer) {
    for (index, column) in columns.enumerated() {
      if isGrid { out.append("+") } else if index > 0 { out.append(blanks: Self.gap) }
      let startsWithColon = isAligned && (column.alignment == .leading || column.alignment == .center)
      let endsWithColon = isAligned && column.alignment != .leading
      let count = column.width + (isGrid ? 2 : 0)
      if startsWithColon { out.append(":") }
      out.append(repeating: mark, count: count - (startsWithColon ? 1 : 0) - (endsWithColon ? 1 : 0))
      if endsWithColon { out.append(":") }
    }
    out.append(isGrid ? "+\n" : "\n")
  }
}
