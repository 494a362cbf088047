/// Writes List, Stack and Grid as a pipe table of GitHub Flavored Markdown.
///
/// With a measurement, cells are padded. Without one they are not, and rows stream.
struct MarkdownTablePainter: ~Copyable, DisplayPainter {
  var walk = RowWalk()
  var styles: RowStyles

  /// One column of the table.
  private struct Column {
    var title: [UInt8]
    var width: Int
    var alignment: Alignment
    var mark: FieldMark?
  }

  /// What the row loop needs to know of one column.
  private struct Slot {
    /// The column of the batch whose cells are copied; beyond all columns where it is not that simple.
    let column: Int
    /// The cells of its texts; 0 if they stand bare.
    let width: Int
    /// Where texts stand in it.
    let alignment: Alignment
    /// Whether plain cells need no escaping.
    let isBare: Bool
    /// The blanks after a padded text: one, plus the room for a mark.
    let trail: Int
  }

  private let columns: [Column]
  private let slots: [Slot]
  private let heading: [UInt8]
  private let ending: [UInt8]
  private let hasHeader: Bool
  private let isPadded: Bool
  private let ignoresRowSpacing: Bool

  /// The validation notes.
  ///
  /// All columns of a batch share them, so one mark is enough.
  private let firstMark: FieldMark?

  /// Whether a rule is about cells of a column, and the signs of such cells.
  private let hasSigns: Bool
  private let signs: DrawnFieldSigns?
  private var cells: SpelledCells<MarkdownText>

  /// Whether rows or cells may have a look of their own.
  private let hasStyles: Bool

  /// The cells before the rows, if rows may have marks.
  private let rowMarks: MarkdownMarkColumn

  /// What stands before every cell.
  private let lead = ByteSnippet("| ")

  /// What stands after the last cell.
  private let close = ByteSnippet("|\n")

  /// A cell, escaped.
  private var escaped = ByteBuffer()

  var countsRows: Bool { columns.isEmpty }

  var layoutNotices: [LayoutNotice] { ignoresRowSpacing ? [.ignoredRowSpacing] : [] }

  var templateStates: [EvaluationState] { cells.texts.compactMap(\.state) }

  /// Creates a painter.
  ///
  /// - Parameters:
  ///   - measurement: the widths of all cells; `nil` for bare cells.
  ///   - footers: the footer lines, where cells are padded.
  init(
    _ shown: [ShownColumn], _ texts: [CellText], _ options: LayoutOptions,
    measurement: Measurement<MarkdownText>?,
    footers: [FooterLine] = [], styles: RowStyles = RowStyles()
  ) {
    self.styles = styles
    let markdown = MarkdownText(options, in: .pipes)
    let titles = MarkdownHeading.titles(shown, options, markdown)
    var columns: [Column] = []
    for (index, column) in shown.enumerated() {
      let measure = measurement?.columns[index] ?? ColumnMeasure()
      var width = max(3, measure.width)
      let title = titles[index]
      if options.hasHeader { width = max(width, markdown.metrics.width(of: title.span)) }
      for footer in footers {
        var text = ByteBuffer()
        markdown.append(footer, index, title: title, to: &text)
        width = max(width, markdown.metrics.width(of: text.span))
      }
      width += MarkdownEmphasis(styles.styles(ofColumn: index)).room
      columns.append(
        Column(title: title, width: width, alignment: column.alignment(measure), mark: column.mark))
    }
    self.columns = columns
    hasStyles = !styles.isEmpty
    rowMarks = MarkdownMarkColumn(
      MarkdownRowMarks(options, styles, markdown), markdown.metrics, isPadded: measurement != nil)
    firstMark = columns.first { $0.mark != nil }?.mark
    hasSigns = firstMark != nil
    let signs = hasSigns ? DrawnFieldSigns(options, markdown.escaped(label:)) : nil
    let gutter = measurement == nil ? 0 : signs?.gutter ?? 0
    self.signs = signs
    slots = columns.indices.map { index in
      Slot(
        column: markdown.copiesCells ? texts[index].verbatimColumn ?? .max : .max,
        width: measurement == nil ? 0 : columns[index].width,
        alignment: columns[index].alignment,
        isBare: measurement.map { !$0.columns[index].hasEscapes } ?? false,
        trail: columns[index].mark == nil ? 1 : 1 + gutter)
    }
    cells = SpelledCells(texts, markdown)
    heading = MarkdownHeading.paragraphs(options)
    ending = MarkdownHeading.ending(options)
    hasHeader = options.hasHeader
    isPadded = measurement != nil
    ignoresRowSpacing = (options.rowSpacing?.lines ?? 0) > 0
  }

  /// All columns at their widths, and what stands between them.
  var rowSize: Int { slots.reduce(0) { $0 + $1.width + 3 } }

  func paintOpening(into out: inout ByteBuffer) { out.append(heading) }

  func paintEnding(into out: inout ByteBuffer) { out.append(ending) }

  func paintTitles(into out: inout ByteBuffer) {
    rowMarks.append(nil, to: &out)
    for index in columns.indices {
      out.append("| ")
      pad(hasHeader ? columns[index].title : [], columns[index], to: &out)
      out.append(blanks: slots[index].trail)
    }
    out.append("|\n")
    rowMarks.appendRule(to: &out)
    for index in columns.indices {
      out.append("| ")
      rule(columns[index], gutter: slots[index].trail - 1, to: &out)
      out.append(" ")
    }
    out.append("|\n")
  }

  @inline(__always)
  mutating func paintRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    if hasStyles || hasSigns {
      if paintMarkedRow(batch, row, into: &out) { return }
      rowMarks.append(nil, to: &out)
    }
    let first = row &* batch.columnCount
    for index in slots.indices {
      let slot = slots[index]
      if slot.column < batch.columnCount {
        let cell = batch.cells[first &+ slot.column]
        if cell.isSimple,
          slot.isBare || !batch.block.hasMarks(MarkdownMarks.self, from: cell.offset, count: cell.length)
        {
          let free = max(0, slot.width &- cell.length)
          let before = slot.alignment.blanksBefore(free)
          out.append(lead)
          out.append(blanks: before)
          out.append(batch.block, from: cell.offset, count: cell.length)
          out.append(blanks: free &- before &+ slot.trail)
          continue
        }
      }
      paintCell(index, batch, row, trail: slot.trail, into: &out)
    }
    out.append(close)
  }

  mutating func paintSectionStart(heading: [UInt8]?, into out: inout ByteBuffer) {
    if let heading { paintFooter(.band(heading), number: 0, into: &out) }
  }

  mutating func paintSectionEnd(footers: [FooterLine], into out: inout ByteBuffer) {
    for (number, footer) in footers.enumerated() { paintFooter(footer, number: number, into: &out) }
  }

  mutating func paintFooter(_ footer: FooterLine, number: Int, into out: inout ByteBuffer) {
    rowMarks.append(nil, to: &out)
    for index in columns.indices {
      escaped.removeAll()
      cells.spelling.append(footer, index, title: columns[index].title, to: &escaped)
      out.append("| ")
      pad(escaped.array(), columns[index], to: &out)
      out.append(blanks: slots[index].trail)
    }
    out.append("|\n")
  }
}

extension MarkdownTablePainter {
  /// Draws a cell that must be escaped.
  private mutating func paintCell(
    _ index: Int, _ batch: Batch, _ row: Int, trail: Int, into out: inout ByteBuffer
  ) {
    escaped.removeAll()
    walk.found += cells.append(index, batch, row, number: walk.number, to: &escaped).ofCell
    paintEscaped(index, trail: trail, into: &out)
  }

  /// Draws what was escaped in the width of a column.
  @inline(__always)
  private func paintEscaped(_ index: Int, trail: Int, into out: inout ByteBuffer) {
    let free = isPadded ? max(0, slots[index].width &- cells.spelling.metrics.width(of: escaped.span)) : 0
    let before = slots[index].alignment.blanksBefore(free)
    out.append("| ")
    out.append(blanks: before)
    out.append(escaped.span)
    out.append(blanks: free &- before &+ trail)
  }

  /// Draws a row that is selected or styled, or has a mark after a cell.
  ///
  /// Returns `false` for any other row, with nothing drawn.
  @inline(never)
  private mutating func paintMarkedRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) -> Bool {
    let look = look(of: batch, row)
    let showsValid = signs.map { !$0.valid.isEmpty } ?? false
    let showsSigns = hasSigns && (showsValid || firstMark?.isNoted(inRow: row, of: batch) ?? false)
    guard look != nil || showsSigns else { return false }
    rowMarks.append(look, to: &out)
    for index in columns.indices {
      let cell = parts(of: index, showsSigns ? columns[index].mark : nil, in: look, batch, row)
      escaped.removeAll()
      walk.found += cell.append(&cells, batch, row, number: walk.number, to: &escaped)
      guard let signs, cell.messages != nil else {
        paintEscaped(index, trail: slots[index].trail, into: &out)
        continue
      }
      paintEscaped(index, trail: 0, into: &out)
      let isInvalid = cell.isInvalid
      if isPadded {
        signs.append(isInvalid: isInvalid, to: &out)
        out.append(blanks: 1)
      } else {
        out.append(blanks: 1)
        let sign = isInvalid ? signs.invalid : signs.valid
        out.append(sign)
        out.append(blanks: sign.isEmpty ? 0 : 1)
      }
    }
    out.append("|\n")
    return true
  }

  private func pad(_ text: [UInt8], _ column: Column, to out: inout ByteBuffer) {
    let free = isPadded ? max(0, column.width - cells.spelling.metrics.width(of: text.span)) : 0
    let before = column.alignment.blanksBefore(free)
    out.append(blanks: before)
    out.append(text)
    out.append(blanks: free - before)
  }

  /// Appends what says how a column is aligned.
  private func rule(_ column: Column, gutter: Int, to out: inout ByteBuffer) {
    let width = isPadded ? column.width + gutter : 4
    let startsWithColon = column.alignment == .leading || column.alignment == .center
    let endsWithColon = column.alignment != .leading
    if startsWithColon { out.append(UInt8(ascii: ":")) }
    out.append(
      repeating: UInt8(ascii: "-"), count: width - (startsWithColon ? 1 : 0) - (endsWithColon ? 1 : 0))
    if endsWithColon { out.append(UInt8(ascii: ":")) }
  }
}

/// The column of marks before the rows of a table.
struct MarkdownMarkColumn: Sendable {
  private let marks: MarkdownRowMarks

  /// The cells of the column; 0 if marks stand bare.
  private let width: Int
  private let metrics: TextMetrics

  /// Prepares the column.
  init(_ marks: MarkdownRowMarks, _ metrics: TextMetrics, isPadded: Bool) {
    self.marks = marks
    self.metrics = metrics
    width = isPadded ? max(3, marks.width(metrics)) : 0
  }

  /// Appends the cell before a row, or before a row of the head or the foot.
  func append(_ look: RowLook?, to out: inout ByteBuffer) {
    if marks.isEmpty { return }
    let mark = marks[look]
    out.append("| ")
    out.append(mark)
    out.append(blanks: 1 + max(0, width - metrics.width(of: mark.span)))
  }

  /// Appends the cell between the head and the rows.
  func appendRule(to out: inout ByteBuffer) {
    if marks.isEmpty { return }
    out.append("| ")
    out.append(repeating: UInt8(ascii: "-"), count: width > 0 ? width : 4)
    out.append(" ")
  }
}
