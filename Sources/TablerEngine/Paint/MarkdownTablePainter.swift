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
  private let rowMarks: MarkdownRowMarks

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
    rowMarks = MarkdownRowMarks(options, styles, markdown, isPadded: measurement != nil)
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
    _ index: Int, _ batch: Batch, _ row: Int, trail: Int, emphasis: MarkdownEmphasis? = nil,
    into out: inout ByteBuffer
  ) {
    escaped.removeAll()
    walk.found += cells.append(index, batch, row, number: walk.number, to: &escaped).ofCell
    if let emphasis { emphasis.apply(to: &escaped) }
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
    let look = hasStyles ? styles.look(walk.number, inSection: walk.sectionCount, batch, row) : nil
    let showsValid = signs.map { !$0.valid.isEmpty } ?? false
    let showsSigns = hasSigns && (showsValid || firstMark?.isNoted(inRow: row, of: batch) ?? false)
    guard look != nil || showsSigns else { return false }
    rowMarks.append(look, to: &out)
    for index in columns.indices {
      var emphasis: MarkdownEmphasis?
      if let look { emphasis = styles.emphasis(index, look, walk.number, batch, row) }
      guard let mark = columns[index].mark, let signs, showsSigns else {
        paintCell(index, batch, row, trail: slots[index].trail, emphasis: emphasis, into: &out)
        continue
      }
      paintCell(index, batch, row, trail: 0, emphasis: emphasis, into: &out)
      let isInvalid = mark.isInvalid(inRow: row, of: batch)
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

/// What Markdown shows of styles: bold, italic and strike.
struct MarkdownEmphasis: Equatable {
  private let isBold: Bool
  private let isItalic: Bool
  private let isStruck: Bool

  /// Combines styles.
  init(_ styles: [Style]) {
    isBold = styles.contains(where: \.isBold)
    isItalic = styles.contains(where: \.isItalic)
    isStruck = styles.contains(where: \.isStruck)
  }

  /// The number of bytes that it adds to a text.
  var room: Int { (isBold ? 4 : 0) + (isItalic ? 2 : 0) + (isStruck ? 4 : 0) }

  /// Emphasizes an escaped text.
  ///
  /// Outer blanks stay outside the marks, as Markdown requires.
  func apply(to text: inout ByteBuffer) {
    let inner = text.span.trimmingBlankScalars
    if inner.isEmpty || room == 0 { return }
    // A final backslash would escape the closing mark. Only raw Markdown can end in one.
    let backslashes = inner.reversed().prefix { text.span[$0] == UInt8(ascii: "\\") }.count
    if backslashes & 1 == 1 { return }
    let before = (isStruck ? "~~" : "") + (isBold ? "**" : "") + (isItalic ? "*" : "")
    let bytes = text.array()
    text.removeAll()
    text.append(bytes.span.extracting(..<inner.lowerBound))
    text.append(before)
    text.append(bytes.span.extracting(inner))
    text.append(String(before.reversed()))
    text.append(bytes.span.extracting(inner.upperBound...))
  }
}

extension RowStyles {
  /// The emphasis of a cell of an evaluated row.
  mutating func emphasis(
    _ place: Int, _ look: RowLook, _ number: Int, _ batch: Batch, _ row: Int
  ) -> MarkdownEmphasis {
    let cell = look.hasCells ? self.cell(place, number, batch, row) : nil
    return MarkdownEmphasis([look.background, look.overlay, cell].compactMap { $0?.style })
  }
}

/// The column of marks before the rows of a table: of those that are selected, and of those that are not valid.
struct MarkdownRowMarks: Sendable {
  /// What stands in the column, by whether the row is selected (1) and not valid (2); empty if there is no column.
  private let cells: [[UInt8]]

  /// What says where the head ends.
  private let rule: [UInt8]

  /// Prepares the marks of `options`.
  init(_ options: LayoutOptions, _ styles: RowStyles, _ markdown: MarkdownText, isPadded: Bool) {
    let marks = Self.marks(options, styles, markdown)
    let width = max(3, marks.map { markdown.metrics.width(of: $0.span) }.max() ?? 0)
    cells = marks.map { mark in
      let free = isPadded ? width - markdown.metrics.width(of: mark.span) + 1 : 1
      return Array("| ".utf8) + mark + Array(repeating: 0x20, count: free)
    }
    let dashes = String(repeating: "-", count: isPadded ? width : 4)
    rule = marks.isEmpty ? [] : Array("| \(dashes) ".utf8)
  }

  /// The marks of rows, by whether they are selected (1) and not valid (2); none if no row may have one.
  static func marks(_ options: LayoutOptions, _ styles: RowStyles, _ markdown: MarkdownText) -> [[UInt8]] {
    let isSelecting = styles.selectionStyle != nil
    if !isSelecting, !options.hasRecordMarks { return [] }
    let selected = isSelecting ? Array((options.isASCII ? "\\>" : "▶").utf8) : []
    let invalid = DrawnFieldSigns(options, markdown.escaped(label:)).invalid
    return [[], selected, invalid, selected + invalid]
  }

  /// Which of the marks a row has that looks so.
  static func index(of look: RowLook?) -> Int {
    guard let look else { return 0 }
    return (look.isSelected ? 1 : 0) + (look.isInvalid ? 2 : 0)
  }

  /// Appends the cell before a row, or before a row of the head or the foot.
  func append(_ look: RowLook?, to out: inout ByteBuffer) {
    if !cells.isEmpty { out.append(cells[Self.index(of: look)]) }
  }

  /// Appends the cell between the head and the rows.
  func appendRule(to out: inout ByteBuffer) { out.append(rule) }
}
