/// List, Stack and Grid as an HTML table, in a document of its own or as a fragment.
///
/// All tags are prepared before the first row. A row alternates tags and cells.
struct HTMLTable: ~Copyable, TableForm {
  /// A column, prepared for the row loop.
  private struct Slot {
    /// The batch column to copy from, or `.max` if cells cannot be copied.
    let column: Int
    /// The tag before a text.
    let tag: ByteSnippet

    init(_ text: CellText, _ tags: HTMLTags, isCopied: Bool) {
      let snippet = ByteSnippet(tags[[]])
      column = snippet == nil || !isCopied ? .max : text.verbatimColumn ?? .max
      tag = snippet ?? ByteSnippet("")
    }
  }

  private let opening: [UInt8]
  private let closing: [UInt8]
  private let tags: HTMLTableTags

  /// Spells marks, signs and swatches.
  private let parts: HTMLParts

  /// What is before a cell: the closing tag of the cell before it, and its own.
  ///
  /// Many columns share them.
  private let leads: Shared<HTMLTags>
  private let slots: [Slot]
  private let rowEnd: [UInt8]
  private let footTags: Shared<HTMLTags>
  private let sections: HTMLSections?

  /// What is before the messages about a record, and whether they are in its own row.
  private let messageRow: (tag: [UInt8], isInRow: Bool)

  /// Whether the section has a heading, and whether the row before the next one is in place of others.
  private var hasHeading = false
  private var isAfterGap = false

  /// The cells that repeat those above them, which are drawn over several rows, if such are merged.
  private let repeats: RepeatedCells?

  /// The number of the row among those drawn, from 0, and its last cell so far, if it has one.
  private var row = -1
  private var lastCell: Int?

  /// What the script of an interactive page is told, if there is one.
  private var page: Page?

  /// The traits of the current row.
  private var traits: HTMLTraits = []

  /// Prepares a table of `columns`.
  ///
  /// - Parameters:
  ///   - name: the name of the file, for the page's title.
  ///   - repeats: the cells that repeat those above them, if such are merged.
  init(
    _ columns: [ShownColumn], _ texts: [CellText], _ options: LayoutOptions, _ output: OutputOptions,
    name: String? = nil, _ styles: RowStyles = RowStyles(), page: Page? = nil, repeats: RepeatedCells? = nil
  ) {
    let style = HTMLStyle(columns, options, output, styles)
    parts = HTMLParts(style, options)
    let document = HTMLDocument(options, output, style, name: name)
    let tags = HTMLTableTags(columns, options, style)
    self.tags = tags
    opening = document.opening()
    closing = Array("</table>".utf8) + document.closing()
    let leads = Shared(
      columns.indices.lazy.map { index in
        let before = index == 0 ? "<tr>" : "</\(tags.name(index - 1))>"
        let traits: HTMLTraits =
          columns[index].mark == nil ? [.null, .firstRow] : [.null, .firstRow, .invalid]
        return HTMLTags(traits) { before + tags.bodyTag(index, $0) }
      })
    self.leads = leads
    slots = columns.indices.map { index in
      let isCopied =
        columns[index].mark == nil && repeats == nil && page?.copiesCells(of: index) ?? true
      return Slot(texts[index], leads[index], isCopied: isCopied)
    }
    self.page = page
    self.repeats = repeats
    messageRow = (Array(tags.messageTag.utf8), options.flow != nil)
    rowEnd = Array((columns.isEmpty ? "<tr></tr>" : "</\(tags.name(columns.count - 1))></tr>").utf8)
    footTags = Shared(
      columns.indices.lazy.map { index in HTMLTags(.firstRow) { tags.footTag(index, $0) } })
    sections = options.hasSections ? HTMLSections(tags) : nil
  }

  var text: HTMLText { parts.text }
  var notices: [LayoutNotice] { [] }

  /// Cells that keep their rules have room for a sign.
  var showsValid: Bool { true }

  /// The tags of all columns, of which most are short.
  var rowSize: Int { 16 * slots.count }

  func appendOpening(to out: inout ByteBuffer) {
    out.append(opening)
    tags.appendOpening(page, to: &out)
  }

  func appendTitles(to out: inout ByteBuffer) { tags.appendHead(to: &out) }

  mutating func beginSection(_ heading: [UInt8]?, _ place: RowPosition, to out: inout ByteBuffer) {
    if place.section > 1 { out.append("\n") }
    isAfterGap = false
    out.append("<tbody>")
    hasHeading = heading != nil
    guard let heading, let sections else { return }
    out.append(place.section == 1 ? sections.firstHeading : sections.heading)
    text.append(heading.span, to: &out)
    out.append("</th></tr>\n")
  }

  mutating func resumeSection(hasHeading: Bool) { self.hasHeading = hasHeading }

  @inline(__always)
  mutating func beginRow(_ place: RowPosition, to out: inout ByteBuffer) {
    begin(place, to: &out)
    if repeats != nil { out.append(Self.rowOpening) }
  }

  /// Appends what is before the tag of a row.
  @inline(__always)
  private mutating func begin(_ place: RowPosition, to out: inout ByteBuffer) {
    if place.sectionCount > 1 || isAfterGap { out.append(UInt8(ascii: "\n")) }
    traits = place.sectionCount == 1 && place.section <= 1 && !hasHeading && !isAfterGap ? .firstRow : []
    isAfterGap = false
    if repeats != nil {
      row += 1
      lastCell = nil
    }
  }

  mutating func beginRow(_ look: RowLook, _ place: RowPosition, to out: inout ByteBuffer) {
    begin(place, to: &out)
    out.append(tags.rowTag(look))
  }

  @inline(__always)
  func source(of column: Int) -> Int { slots[column].column }

  @inline(__always)
  func append(copying cell: Cell, of block: ByteBlock, _ column: Int, to out: inout ByteBuffer) -> Bool {
    guard traits.isEmpty, cell.isSimple,
      !block.hasMarks(HTMLMarks.self, from: cell.offset, count: cell.length)
    else { return false }
    out.append(slots[column].tag)
    out.append(block, from: cell.offset, count: cell.length)
    return true
  }

  @inline(__always)
  mutating func append(
    _ column: Int, _ cells: inout SpelledCells<HTMLText>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    let shown = cells.show(column, batch, row, number: number)
    appendLead(column, shown.isDim ? traits.union(.null) : traits, batch, row, to: &out)
    if page != nil { appendAttributes(of: column, shown, cells, batch, row, to: &out) }
    return parts.append(column, shown, of: cells, batch, row, to: &out)
  }

  mutating func append(
    _ cell: CellParts, _ cells: inout SpelledCells<HTMLText>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    let index = cell.column
    let shown = cells.show(index, batch, row, number: number)
    var traits = traits
    if shown.isDim { traits.insert(.null) }
    if cell.isInvalid { traits.insert(.invalid) }
    guard let look = cell.row else {
      appendLead(index, traits, batch, row, to: &out)
      if page != nil { appendAttributes(of: index, shown, cells, batch, row, to: &out) }
      return parts.append(cell, shown, of: cells, batch, row, to: &out)
    }
    appendEnd(ofCell: repeats == nil && index > 0 ? index - 1 : lastCell, batch, row, to: &out)
    out.append(tags.bodyTag(index, traits, cell))
    if repeats != nil { appendHeight(of: index, to: &out) }
    if page != nil { appendAttributes(of: index, shown, cells, batch, row, to: &out) }
    let found = parts.append(cell, shown, of: cells, batch, row, to: &out)
    if tags.columns[index].barRoom > 0, cell.style?.bar == nil {
      out.append(HTMLParts.bar(room: tags.columns[index].barRoom))
    }
    if index == 0 { parts.append(look.marks, to: &out) }
    return found
  }

  /// The script draws each row with all its cells; until it does, a cell that repeats the one above it is hidden.
  mutating func appendRepeat(
    _ column: Int, _ cells: inout SpelledCells<HTMLText>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    if page == nil { return CellFindings() }
    let shown = cells.show(column, batch, row, number: number)
    appendEnd(ofCell: lastCell, batch, row, to: &out)
    lastCell = column
    out.append(tags.bodyTag(column, shown.isDim ? traits.union(.null) : traits))
    out.truncate(to: out.count - 1)
    out.append(" hidden>")
    appendAttributes(of: column, shown, cells, batch, row, to: &out)
    return parts.append(column, shown, of: cells, batch, row, to: &out)
  }

  @inline(__always)
  func endRow(to out: inout ByteBuffer) {
    if let lastCell { out.append("</\(tags.name(lastCell))></tr>") } else { out.append(rowEnd.span) }
  }

  /// Appends the end of a row, and what is wrong with its record: in a row over all columns below its own, or in one
  /// more cell if rows flow.
  func endRow(_ look: RowLook, _ messages: [String], to out: inout ByteBuffer) {
    if slots.isEmpty { out.append("</tr>") } else { endRow(to: &out) }
    if !messages.isEmpty { append(messages, to: &out) }
  }

  mutating func appendGap(_ text: [UInt8], _ place: RowPosition, to out: inout ByteBuffer) {
    out.append("\n")
    out.append(tags.headingRow)
    out.append(tags.gapTag)
    self.text.append(text.span, to: &out)
    out.append("</td></tr>")
    isAfterGap = true
  }

  func endSection(_ footers: [FooterLine], _ place: RowPosition, to out: inout ByteBuffer) {
    for footer in footers {
      guard let sections else { continue }
      out.append("\n")
      out.append(sections.footer)
      if case .band(let footer) = footer {
        out.append(sections.footerBand)
        text.append(footer.span, to: &out)
        out.append("</td></tr>")
      } else {
        appendCells(of: footer, tags: { sections.footerTags[$0] }, to: &out)
      }
    }
    out.append("</tbody>")
  }

  func beginFooter(to out: inout ByteBuffer) { out.append("\n<tfoot>") }

  func append(_ footer: FooterLine, number: Int, _ place: RowPosition, to out: inout ByteBuffer) {
    if number > 0 { out.append("\n") }
    out.append("<tr>")
    appendCells(of: footer, tags: { footTags[$0][number == 0 ? .firstRow : []] }, to: &out)
  }

  func endFooter(to out: inout ByteBuffer) { out.append("</tfoot>") }

  func appendEnding(to out: inout ByteBuffer) { out.append(closing) }
}

extension HTMLTable {
  /// Appends what is before a cell, in a row without a look of its own.
  @inline(__always)
  private mutating func appendLead(
    _ index: Int, _ traits: HTMLTraits, _ batch: Batch, _ row: Int, to out: inout ByteBuffer
  ) {
    if repeats != nil { return appendMergedLead(index, traits, batch, row, to: &out) }
    guard index == 0, page?.marksRows ?? false else { return out.append(leads[index][traits]) }
    out.append(Self.rowOpening)
    appendRowAttributes(batch, row, to: &out)
    out.append(leads[0][traits].span.extracting(Self.rowOpening.utf8CodeUnitCount...))
  }

  private static let rowOpening: StaticString = "<tr>"

  /// Appends what is before a cell, in a row some of whose cells may be left out.
  private mutating func appendMergedLead(
    _ index: Int, _ traits: HTMLTraits, _ batch: Batch, _ row: Int, to out: inout ByteBuffer
  ) {
    appendEnd(ofCell: lastCell, batch, row, to: &out)
    out.append(tags.bodyTag(index, traits))
    appendHeight(of: index, to: &out)
  }

  /// Appends the end of the cell before the next one; before the first one the tag of the row is completed.
  private mutating func appendEnd(
    ofCell index: Int?, _ batch: Batch, _ row: Int, to out: inout ByteBuffer
  ) {
    if let index {
      out.append("</\(tags.name(index))>")
    } else if page?.marksRows ?? false {
      appendRowAttributes(batch, row, to: &out)
    }
  }

  /// Puts into the tag of a cell over how many rows it is drawn.
  private mutating func appendHeight(of index: Int, to out: inout ByteBuffer) {
    lastCell = index
    guard tags.columns[index].mergeRank > 0, let height = repeats?.height(ofRow: row, index), height > 1
    else { return }
    out.truncate(to: out.count - 1)
    out.append(" rowspan=\"\(height)\">")
  }

  /// Puts what the script is told of a row into the tag before its cells.
  private mutating func appendRowAttributes(_ batch: Batch, _ row: Int, to out: inout ByteBuffer) {
    out.truncate(to: out.count - 1)
    page?.append(attributesOf: row, batch, to: &out)
    out.append(UInt8(ascii: ">"))
  }

  /// Puts what the script is told of a cell into the tag before it.
  @inline(never)
  private mutating func appendAttributes(
    of column: Int, _ shown: CellText.Shown, _ cells: borrowing SpelledCells<HTMLText>, _ batch: Batch,
    _ row: Int,
    to out: inout ByteBuffer
  ) {
    out.truncate(to: out.count - 1)
    page?.append(attributesOf: column, shown, of: cells, batch, row, to: &out)
    out.append(UInt8(ascii: ">"))
  }

  private func appendCells(of footer: FooterLine, tags: (Int) -> [UInt8], to out: inout ByteBuffer) {
    for index in slots.indices {
      out.append(tags(index))
      switch footer {
      case .titles: self.tags.appendTitle(index, to: &out)
      case .cells(let texts):
        if index < texts.count, let foot = texts[index] {
          text.append(foot.span, to: &out)
          self.tags.appendMarkRoom(index, to: &out)
        }
      case .band: break
      }
      out.append("</td>")
    }
    out.append("</tr>")
  }

  private func append(_ messages: [String], to out: inout ByteBuffer) {
    if messageRow.isInRow {
      out.truncate(to: out.count - Self.rowClosing.count)
    } else {
      out.append("\n<tr>")
    }
    out.append(messageRow.tag)
    parts.append(record: messages, to: &out)
    out.append("</td></tr>")
  }

  private static let rowClosing = "</tr>".utf8
}

/// The tags of headings and footers of sections.
private struct HTMLSections {
  /// What is before the heading of the first section.
  let firstHeading: [UInt8]
  /// What is before any other heading.
  let heading: [UInt8]
  /// The row of a footer.
  let footer = Array("<tr class=\"sum\">".utf8)
  /// What is before the text of a footer over all columns.
  let footerBand: [UInt8]
  /// What is before the cell of a footer.
  let footerTags: Shared<[UInt8]>

  init(_ table: HTMLTableTags) {
    firstHeading = Array((table.headingRow + table.headingTag(isFirst: true)).utf8)
    heading = Array((table.headingRow + table.headingTag(isFirst: false)).utf8)
    footerBand = Array(table.sectionFootTag(nil).utf8)
    footerTags = Shared(table.columns.indices.lazy.map { Array(table.sectionFootTag($0).utf8) })
  }
}

/// An array that stores equal values once.
private struct Shared<Value: Hashable & Sendable>: Sendable {
  private var values: [Value] = []
  private var numbers: [UInt32] = []

  init(_ all: some Sequence<Value>) {
    var known: [Value: UInt32] = [:]
    for value in all {
      let number = known[value] ?? UInt32(truncatingIfNeeded: values.count)
      if Int(number) == values.count {
        known[value] = number
        values.append(value)
      }
      numbers.append(number)
    }
  }

  subscript(index: Int) -> Value { values[Int(numbers[index])] }
}
