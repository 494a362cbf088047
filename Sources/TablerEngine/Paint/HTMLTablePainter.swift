/// Writes List, Stack and Grid as an HTML table, in a document of its own or as a fragment.
///
/// All tags are prepared before the first row. A row alternates tags and cells.
struct HTMLTablePainter: ~Copyable, DisplayPainter {
  var walk = RowWalk()
  var styles: RowStyles

  /// A column, prepared for the row loop.
  private struct Slot {
    /// The batch column to copy from, or `.max` if cells cannot be copied.
    let column: Int
    /// The tag before a text.
    let tag: ByteSnippet

    init(_ text: CellText, _ tags: HTMLTags, hasMark: Bool) {
      let snippet = ByteSnippet(tags[[]])
      column = snippet == nil || hasMark ? .max : text.verbatimColumn ?? .max
      tag = snippet ?? ByteSnippet("")
    }
  }

  private let documentOpening: [UInt8]
  private let table: HTMLTable
  private let closing: [UInt8]

  /// What stands before a cell: the closing tag of the cell before it, and its own.
  ///
  /// Many columns share them.
  private let leads: Shared<HTMLTags>
  private let slots: [Slot]
  private let rowEnd: [UInt8]

  /// The validation notes of each column.
  ///
  /// Empty without `--validate`.
  private let fieldMarks: [FieldMark?]
  private let footTags: Shared<HTMLTags>
  private let sections: HTMLSections?

  /// Whether rows or cells may have a style of their own.
  private let hasStyles: Bool

  /// Spells marks, signs and swatches.
  private let parts: HTMLParts

  /// What stands before the messages about a record, and whether they stand in its own row.
  private let messageRow: (tag: [UInt8], isInRow: Bool)

  /// Whether the section has a heading.
  private var hasHeading = false
  private var cells: SpelledCells<HTMLText>

  var templateStates: [EvaluationState] { cells.texts.compactMap(\.state) }

  /// Creates a painter.
  ///
  /// - Parameters:
  ///   - name: the name of the file, for the page's title.
  init(
    _ columns: [ShownColumn], _ texts: [CellText], _ options: LayoutOptions, _ output: OutputOptions,
    name: String? = nil, styles: RowStyles = RowStyles()
  ) {
    self.styles = styles
    let style = HTMLStyle(columns, options, output, styles)
    hasStyles = !styles.isEmpty
    parts = HTMLParts(style, options)
    let document = HTMLDocument(options, output, style, name: name)
    let table = HTMLTable(columns, options, style)
    documentOpening = document.opening()
    self.table = table
    closing = Array("</table>".utf8) + document.closing()
    let leads = Shared(
      columns.indices.lazy.map { index in
        let before = index == 0 ? "<tr>" : "</\(table.name(index - 1))>"
        let traits: HTMLTraits =
          columns[index].mark == nil ? [.null, .firstRow] : [.null, .firstRow, .invalid]
        return HTMLTags(traits) { before + table.bodyTag(index, $0) }
      })
    self.leads = leads
    slots = columns.indices.map { Slot(texts[$0], leads[$0], hasMark: columns[$0].mark != nil) }
    fieldMarks = columns.contains { $0.mark != nil } ? columns.map(\.mark) : []
    messageRow = (Array(table.messageTag.utf8), options.flow != nil)
    rowEnd = Array((columns.isEmpty ? "<tr></tr>" : "</\(table.name(columns.count - 1))></tr>").utf8)
    footTags = Shared(
      columns.indices.lazy.map { index in HTMLTags(.firstRow) { table.footTag(index, $0) } })
    sections = options.hasSections ? HTMLSections(table) : nil
    cells = SpelledCells(texts, HTMLText(options))
  }

  /// The tags of all columns, of which most are short.
  var rowSize: Int { 16 * slots.count }

  func paintOpening(into out: inout ByteBuffer) {
    out.append(documentOpening)
    table.appendOpening(to: &out)
  }

  func paintTitles(into out: inout ByteBuffer) { table.appendHead(to: &out) }

  mutating func paintSectionStart(heading: [UInt8]?, into out: inout ByteBuffer) {
    if walk.section > 1 { out.append("\n") }
    out.append("<tbody>")
    hasHeading = heading != nil
    guard let heading, let sections else { return }
    out.append(walk.section == 1 ? sections.firstHeading : sections.heading)
    cells.spelling.append(heading.span, to: &out)
    out.append("</th></tr>\n")
  }

  mutating func resumeSection(hasHeading: Bool) { self.hasHeading = hasHeading }

  func paintSpace(into out: inout ByteBuffer) {
    if walk.sectionCount > 1 { out.append(UInt8(ascii: "\n")) }
  }

  @inline(__always)
  mutating func paintRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    let isFirst = walk.sectionCount == 1 && walk.section <= 1 && !hasHeading
    let traits: HTMLTraits = isFirst ? .firstRow : []
    if hasStyles, paintStyledRow(batch, row, traits, into: &out) { return }
    let first = row &* batch.columnCount
    for index in slots.indices {
      let slot = slots[index]
      if slot.column < batch.columnCount, !isFirst {
        let cell = batch.cells[first &+ slot.column]
        if cell.isSimple, !batch.block.hasMarks(HTMLMarks.self, from: cell.offset, count: cell.length) {
          out.append(slot.tag)
          out.append(batch.block, from: cell.offset, count: cell.length)
          continue
        }
      }
      if !fieldMarks.isEmpty, let mark = fieldMarks[index] {
        paintMarkedCell(index, mark, batch, row, traits, into: &out)
        continue
      }
      let shown = cells.show(index, batch, row, number: walk.number)
      out.append(leads[index][shown.isDim ? traits.union(.null) : traits])
      walk.found += cells.append(shown, batch, to: &out).ofCell
    }
    out.append(rowEnd.span)
  }

  func paintSectionEnd(footers: [FooterLine], into out: inout ByteBuffer) {
    for footer in footers {
      guard let sections else { continue }
      out.append("\n")
      out.append(sections.footer)
      if case .band(let text) = footer {
        out.append(sections.footerBand)
        cells.spelling.append(text.span, to: &out)
        out.append("</td></tr>")
      } else {
        paintCells(of: footer, tags: { sections.footerTags[$0] }, into: &out)
      }
    }
    out.append("</tbody>")
  }

  func paintFooterStart(into out: inout ByteBuffer) { out.append("\n<tfoot>") }

  func paintFooter(_ footer: FooterLine, number: Int, into out: inout ByteBuffer) {
    if number > 0 { out.append("\n") }
    out.append("<tr>")
    paintCells(of: footer, tags: { footTags[$0][number == 0 ? .firstRow : []] }, into: &out)
  }

  private func paintCells(of footer: FooterLine, tags: (Int) -> [UInt8], into out: inout ByteBuffer) {
    for index in slots.indices {
      out.append(tags(index))
      switch footer {
      case .titles: table.appendTitle(index, to: &out)
      case .cells(let texts):
        if index < texts.count, let text = texts[index] {
          cells.spelling.append(text.span, to: &out)
          table.appendMarkRoom(index, to: &out)
        }
      case .band: break
      }
      out.append("</td>")
    }
    out.append("</tr>")
  }

  func paintFooterEnd(into out: inout ByteBuffer) { out.append("</tfoot>") }

  func paintClosing(into out: inout ByteBuffer) { out.append(closing) }
}

extension HTMLTablePainter {
  /// Writes a row if it is styled; returns `false` otherwise.
  @inline(never)
  private mutating func paintStyledRow(
    _ batch: Batch, _ row: Int, _ traits: HTMLTraits, into out: inout ByteBuffer
  ) -> Bool {
    guard let look = look(of: batch, row) else { return false }
    out.append(table.rowTag(look))
    for index in slots.indices {
      let cell = parts(of: index, fieldMarks.isEmpty ? nil : fieldMarks[index], in: look, batch, row)
      paint(cell, batch, row, traits, into: &out)
      if index == 0 { parts.append(look.marks, to: &out) }
    }
    out.append(slots.isEmpty ? Array("</tr>".utf8) : rowEnd)
    if look.isInvalid { paintMessages(batch, row, into: &out) }
    return true
  }

  /// Writes a cell that rules are about, in a row that is not styled.
  @inline(never)
  private mutating func paintMarkedCell(
    _ index: Int, _ mark: FieldMark, _ batch: Batch, _ row: Int, _ traits: HTMLTraits,
    into out: inout ByteBuffer
  ) {
    let cell = parts(of: index, mark, in: nil, batch, row)
    paint(cell, batch, row, traits, into: &out)
  }

  /// Writes a cell with all its parts.
  ///
  /// - Parameter traits: those of its row.
  private mutating func paint(
    _ cell: CellParts, _ batch: Batch, _ row: Int, _ traits: HTMLTraits, into out: inout ByteBuffer
  ) {
    let index = cell.column
    let shown = cells.show(index, batch, row, number: walk.number)
    var traits = traits
    if shown.isDim { traits.insert(.null) }
    if cell.isInvalid { traits.insert(.invalid) }
    if cell.row == nil {
      out.append(leads[index][traits])
    } else {
      if index > 0 { out.append("</\(table.name(index - 1))>") }
      out.append(table.bodyTag(index, traits, cell))
    }
    walk.found += parts.append(cell, shown, of: cells, batch, to: &out)
  }

  /// Writes what is wrong with a record: a row over all columns below its own, or one more cell where rows flow.
  private func paintMessages(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    if messageRow.isInRow {
      out.truncate(to: out.count - Self.rowClosing.count)
    } else {
      out.append("\n<tr>")
    }
    out.append(messageRow.tag)
    parts.append(record: styles.messages(batch, row), to: &out)
    out.append("</td></tr>")
  }

  private static let rowClosing = "</tr>".utf8
}

/// The tags of headings and footers of sections.
private struct HTMLSections {
  /// What stands before the heading of the first section.
  let firstHeading: [UInt8]
  /// What stands before any other heading.
  let heading: [UInt8]
  /// The row of a footer.
  let footer = Array("<tr class=\"sum\">".utf8)
  /// What stands before the text of a footer over all columns.
  let footerBand: [UInt8]
  /// What stands before the cell of a footer.
  let footerTags: Shared<[UInt8]>

  init(_ table: HTMLTable) {
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

/// The tags and titles of an HTML table.
struct HTMLTable {
  /// The columns.
  let columns: [ShownColumn]

  /// The signs of the sort order, by column.
  private let signs: HeaderSigns

  private let options: LayoutOptions
  private let style: HTMLStyle

  /// Works out the signs.
  init(_ columns: [ShownColumn], _ options: LayoutOptions, _ style: HTMLStyle) {
    self.columns = columns
    self.options = options
    self.style = style
    signs = HeaderSigns(columns, options)
  }

  /// Appends everything from the table's tag to its head.
  func appendOpening(to out: inout ByteBuffer) {
    out.append("<table\(style.attributes(root: .table, options))>\n")
    if let caption = options.caption {
      out.append("<caption\(style.attributes(HTMLStyle.Place(element: .caption)))>")
      let bytes = Array(caption.utf8)
      HTMLText(options).append(bytes.span, to: &out)
      out.append("</caption>\n")
    }
    out.append("<colgroup>")
    for index in columns.indices {
      var place = HTMLStyle.Place(element: .column)
      place.column = index
      place.breaking = columns[index].breaking
      out.append("<col\(style.attributes(place, class: "c\(index + 1)"))>")
    }
    out.append("</colgroup>\n")
  }

  /// Appends the head of the table, if it has one.
  func appendHead(to out: inout ByteBuffer) {
    guard options.hasHeader else { return }
    out.append("<thead><tr>")
    for index in columns.indices {
      let attribute = style.attributes(place(.headCell, index))
      guard !columns[index].title.isEmpty || !signs.signs[index].isEmpty else {
        out.append("<td\(attribute)></td>")
        continue
      }
      out.append("<th scope=\"col\"\(attribute)")
      if let sort = columns[index].sort, sort.rank == 1 {
        out.append(sort.isDescending ? " aria-sort=\"descending\"" : " aria-sort=\"ascending\"")
      }
      out.append(">")
      appendTitle(index, to: &out)
      out.append("</th>")
    }
    out.append("</tr></thead>\n")
  }

  /// Appends a title, escaped, with its sign.
  func appendTitle(_ index: Int, to out: inout ByteBuffer) {
    let html = HTMLText(options)
    let title = columns[index].title
    html.append(title.utf8.span, to: &out)
    if signs.rooms[index] > 0 {
      let indicator = style.attributes(HTMLStyle.Place(element: .indicator), class: "ind")
      out.append("\(title.isEmpty ? "" : " ")<span\(indicator) aria-hidden=\"true\">")
      let sign = signs.signs[index]
      html.append(sign.span, to: &out)
      out.append("</span>")
    }
    appendMarkRoom(index, to: &out)
  }

  /// Appends the room that marks of invalid cells have in the column.
  func appendMarkRoom(_ index: Int, to out: inout ByteBuffer) {
    guard columns[index].mark != nil else { return }
    out.append(
      "<span\(style.attributes(HTMLStyle.Place(element: .fieldSign), class: "mark")) aria-hidden=\"true\"></span>"
    )
  }

  /// The name of the elements in a column of the body.
  func name(_ index: Int) -> String { isRowHeader(index) ? "th" : "td" }

  /// Whether the cells of a column are row headers.
  private func isRowHeader(_ index: Int) -> Bool { columns[index].isRowHeader || columns[index].isGroupKey }

  /// The tag of a row with this look.
  func rowTag(_ look: RowLook) -> String { "<tr\(style.attributes(style.rowStyles.place(.row, look)))>" }

  /// The tag of a cell in the body.
  ///
  /// - Parameter cell: the look of its row and its own, if its row has one.
  func bodyTag(_ index: Int, _ traits: HTMLTraits, _ cell: CellParts? = nil) -> String {
    let isHeader = isRowHeader(index)
    var place = place(isHeader ? .rowHeader : .bodyCell, index, traits)
    if let cell, let look = cell.row { style.rowStyles.add(cell.style, in: look, to: &place) }
    return (isHeader ? "<th scope=\"row\"" : "<td") + style.attributes(place) + ">"
  }

  /// The tag of a cell with what is wrong with a record.
  var messageTag: String {
    let place = HTMLStyle.Place(
      element: .bodyCell, column: columns.count - 1, spansColumns: true, traits: .invalid)
    let span = options.flow == nil ? " colspan=\"\(max(columns.count, 1))\"" : ""
    return "<td\(span)\(style.attributes(place, class: "note"))>"
  }

  /// The tag of a cell in the foot.
  func footTag(_ index: Int, _ traits: HTMLTraits) -> String {
    "<td\(style.attributes(place(.footCell, index, traits)))>"
  }

  /// The row tag of a section heading.
  ///
  /// With `adaptive`, it spans the whole line.
  var headingRow: String { options.flow == nil ? "<tr>" : "<tr class=\"section\">" }

  /// The tag of the cell over all columns in which the heading of a section stands.
  func headingTag(isFirst: Bool) -> String {
    let place = HTMLStyle.Place(
      element: .sectionHead, column: columns.count - 1, spansColumns: true, traits: isFirst ? .firstRow : [])
    return "<th colspan=\"\(max(columns.count, 1))\" scope=\"rowgroup\"\(style.attributes(place))>"
  }

  /// The tag of a cell in the footer of a section; of the one over all columns, if no column is given.
  func sectionFootTag(_ index: Int?) -> String {
    if let index { return "<td\(style.attributes(place(.sectionFoot, index)))>" }
    let place = HTMLStyle.Place(
      element: .sectionFoot, column: columns.count - 1, spansColumns: true, alignment: .trailing)
    return "<td colspan=\"\(max(columns.count, 1))\"\(style.attributes(place))>"
  }

  private func place(
    _ element: HTMLStyle.Element, _ index: Int, _ traits: HTMLTraits = []
  ) -> HTMLStyle.Place {
    HTMLStyle.Place(
      element: element, column: index, alignment: columns[index].alignment ?? .leading,
      breaking: columns[index].breaking, traits: traits)
  }
}
