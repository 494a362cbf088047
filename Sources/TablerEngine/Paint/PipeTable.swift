/// List, Stack and Grid as a pipe table of GitHub Flavored Markdown, or of pandoc's.
///
/// With a measurement, cells are padded. Without one they are not, and rows stream.
struct PipeTable: ~Copyable, TableForm {
  /// What the row loop needs to know of one column.
  private struct Slot {
    /// The column of the batch whose cells are copied; beyond all columns if it is not that simple.
    let column: Int
    /// The cells of its texts; 0 if they are not padded.
    let width: Int
    /// How its texts are aligned.
    let alignment: Alignment
    /// Whether plain cells need no escaping.
    let isPlain: Bool
    /// The blanks after a padded text: one, plus the room for a sign.
    let trail: Int
  }

  private let parts: MarkdownParts
  private let arrangement: MarkdownArrangement
  private let slots: [Slot]

  /// Whether there is a column of marks.
  private let hasMarks: Bool

  /// What is before every cell.
  private let lead = ByteSnippet("| ")

  /// What is after the last cell.
  private let close = ByteSnippet("|\n")

  /// A cell, escaped.
  private var escaped = ByteBuffer()

  /// Prepares a table of `texts`.
  init(
    _ arrangement: MarkdownArrangement, _ texts: [CellText], _ options: LayoutOptions,
    _ styles: RowStyles = RowStyles()
  ) {
    self.arrangement = arrangement
    let parts = MarkdownParts(options, styles, in: .pipes)
    self.parts = parts
    hasMarks = arrangement.hasMarks
    slots = arrangement.columns.enumerated().map { index, column in
      Slot(
        column: parts.text.copiesCells ? texts[index].verbatimColumn ?? .max : .max, width: column.width,
        alignment: column.alignment, isPlain: column.isPlain, trail: 1 + column.gutter)
    }
  }

  var text: MarkdownText { parts.text }
  var notices: [LayoutNotice] { parts.notices }
  var countsRows: Bool { slots.isEmpty }
  var showsValid: Bool { !parts.signs.valid.isEmpty }

  /// All columns at their widths, and what is between them.
  var rowSize: Int { slots.reduce(0) { $0 + $1.width + 3 } }

  func appendOpening(to out: inout ByteBuffer) { out.append(parts.opening) }

  func appendEnding(to out: inout ByteBuffer) { out.append(parts.closing) }

  func appendTitles(to out: inout ByteBuffer) {
    appendMarks(nil, to: &out)
    for (index, column) in arrangement.columns.enumerated() {
      append(arrangement.hasHeader ? column.title.span : Span(), index, trail: slots[index].trail, to: &out)
    }
    out.append(close)
    if hasMarks {
      out.append(lead)
      out.append(repeating: UInt8(ascii: "-"), count: arrangement.isPadded ? arrangement.markWidth : 4)
      out.append(blanks: 1)
    }
    for column in arrangement.columns {
      out.append(lead)
      let width = arrangement.isPadded ? column.width + column.gutter : 4
      column.alignment.appendRule(UInt8(ascii: "-"), count: width, to: &out)
      out.append(blanks: 1)
    }
    out.append(close)
  }

  @inline(__always)
  func beginRow(_ place: RowPosition, to out: inout ByteBuffer) { if hasMarks { appendMarks(nil, to: &out) } }

  func beginRow(_ look: RowLook, _ place: RowPosition, to out: inout ByteBuffer) {
    appendMarks(look, to: &out)
  }

  @inline(__always)
  func source(of column: Int) -> Int { slots[column].column }

  @inline(__always)
  func append(copying cell: Cell, of block: ByteBlock, _ column: Int, to out: inout ByteBuffer) -> Bool {
    let slot = slots[column]
    guard cell.isSimple,
      slot.isPlain || !block.hasMarks(MarkdownMarks.self, from: cell.offset, count: cell.length)
    else { return false }
    let free = max(0, slot.width &- cell.length)
    let before = slot.alignment.blanksBefore(free)
    out.append(lead)
    out.append(blanks: before)
    out.append(block, from: cell.offset, count: cell.length)
    out.append(blanks: free &- before &+ slot.trail)
    return true
  }

  mutating func append(
    _ column: Int, _ cells: inout SpelledCells<MarkdownText>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    escaped.removeAll()
    let found = cells.append(column, batch, row, number: number, to: &escaped).ofCell
    append(escaped.span, column, trail: slots[column].trail, to: &out)
    return found
  }

  mutating func append(
    _ cell: CellParts, _ cells: inout SpelledCells<MarkdownText>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    escaped.removeAll()
    let found = cell.append(&cells, batch, row, number: number, to: &escaped)
    let hasSign = cell.hasRules
    append(escaped.span, cell.column, trail: hasSign ? 0 : slots[cell.column].trail, to: &out)
    if !hasSign { return found }
    if arrangement.isPadded {
      parts.signs.append(isInvalid: cell.isInvalid, to: &out)
      out.append(blanks: 1)
    } else {
      let sign = cell.isInvalid ? parts.signs.invalid : parts.signs.valid
      out.append(blanks: 1)
      out.append(sign)
      out.append(blanks: sign.isEmpty ? 0 : 1)
    }
    return found
  }

  @inline(__always)
  func endRow(to out: inout ByteBuffer) { out.append(close) }

  mutating func append(_ footer: FooterLine, number: Int, _ place: RowPosition, to out: inout ByteBuffer) {
    appendMarks(nil, to: &out)
    for (index, column) in arrangement.columns.enumerated() {
      escaped.removeAll()
      text.append(footer, index, title: column.title, to: &escaped)
      append(escaped.span, index, trail: slots[index].trail, to: &out)
    }
    out.append(close)
  }
}

extension PipeTable {
  /// Appends the cell of marks before a row, or before a row of the head or the foot.
  private func appendMarks(_ look: RowLook?, to out: inout ByteBuffer) {
    if !hasMarks { return }
    let marks = parts.marks[look]
    out.append(lead)
    out.append(marks)
    out.append(blanks: 1 + max(0, arrangement.markWidth - text.metrics.width(of: marks.span)))
  }

  /// Appends an escaped text in the width of a column.
  @inline(__always)
  private func append(_ escaped: Span<UInt8>, _ column: Int, trail: Int, to out: inout ByteBuffer) {
    let slot = slots[column]
    let free = arrangement.isPadded ? max(0, slot.width &- parts.text.metrics.width(of: escaped)) : 0
    let before = slot.alignment.blanksBefore(free)
    out.append(lead)
    out.append(blanks: before)
    out.append(escaped)
    out.append(blanks: free &- before &+ trail)
  }
}

// Sections of Markdown are rows of their own.
extension TableForm where Self: ~Copyable, Text == MarkdownText {
  mutating func beginSection(_ heading: [UInt8]?, _ place: RowPosition, to out: inout ByteBuffer) {
    if let heading { append(.band(heading), number: 0, place, to: &out) }
  }

  mutating func appendGap(_ text: [UInt8], _ place: RowPosition, to out: inout ByteBuffer) {
    append(.band(text), number: 0, place, to: &out)
  }

  mutating func endSection(_ footers: [FooterLine], _ place: RowPosition, to out: inout ByteBuffer) {
    for (number, footer) in footers.enumerated() { append(footer, number: number, place, to: &out) }
  }
}

extension Alignment {
  /// Appends a line of `count` characters, with the colons that say how a column is aligned.
  func appendRule(_ mark: UInt8, count: Int, to out: inout ByteBuffer) {
    let startsWithColon = self == .leading || self == .center
    let endsWithColon = self != .leading
    if startsWithColon { out.append(UInt8(ascii: ":")) }
    out.append(repeating: mark, count: count - (startsWithColon ? 1 : 0) - (endsWithColon ? 1 : 0))
    if endsWithColon { out.append(UInt8(ascii: ":")) }
  }
}
