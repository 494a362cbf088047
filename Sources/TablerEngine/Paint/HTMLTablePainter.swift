/// Writes List, Stack and Grid as an HTML table, in a document of its own or as a fragment.
///
/// All tags are prepared before the first row. A row alternates tags and cells.
struct HTMLTablePainter: ~Copyable, DisplayPainter {
  var walk = RowWalk()
  var styles: RowStyles

  /// The bytes before a cell: the closing tag of the cell before it and its own opening tag.
  ///
  /// Many columns share them.
  private struct Lead: Hashable {
    var text: [UInt8]
    var null: [UInt8]

    /// The same for cells that fail a validation rule.
    var invalid: [UInt8]
    var invalidNull: [UInt8]

    /// Creates the bytes from a prefix and a function that makes the tag.
    init(_ before: String, _ tag: (_ isNull: Bool, _ isInvalid: Bool) -> String, hasMark: Bool) {
      text = Array((before + tag(false, false)).utf8)
      null = Array((before + tag(true, false)).utf8)
      invalid = hasMark ? Array((before + tag(false, true)).utf8) : []
      invalidNull = hasMark ? Array((before + tag(true, true)).utf8) : []
    }
  }

  /// A column, prepared for the row loop.
  private struct Slot {
    /// The batch column to copy from, or `.max` if cells cannot be copied.
    let column: Int
    /// The tag before a text.
    let tag: ByteSnippet

    init(_ text: CellText, _ lead: Lead, hasMark: Bool) {
      let snippet = ByteSnippet(lead.text)
      column = snippet == nil || hasMark ? .max : text.verbatimColumn ?? .max
      tag = snippet ?? ByteSnippet("")
    }
  }

  private let documentOpening: [UInt8]
  private let table: HTMLTable
  private let closing: [UInt8]
  private let firstLeads: Shared<Lead>
  private let leads: Shared<Lead>
  private let slots: [Slot]
  private let rowEnd: [UInt8]

  /// The validation notes of each column.
  ///
  /// Empty without `--validate`.
  private let fieldMarks: [FieldMark?]
  private let signs: HTMLFieldSigns
  private let firstFootTags: Shared<[UInt8]>
  private let footTags: Shared<[UInt8]>
  private let sections: HTMLSections?

  /// Whether rows or cells may have a style of their own.
  private let hasStyles: Bool

  /// Swatches, and the text that tells screen readers that a row is selected.
  private let styledContent: HTMLStyledContent

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
    styledContent = HTMLStyledContent(style, options)
    let document = HTMLDocument(options, output, style, name: name)
    let table = HTMLTable(columns, options, style)
    documentOpening = document.opening()
    self.table = table
    closing = Array("</table>".utf8) + document.closing()
    firstLeads = Self.leads(table, isFirstRow: true)
    let leads = Self.leads(table, isFirstRow: false)
    self.leads = leads
    slots = columns.indices.map { Slot(texts[$0], leads[$0], hasMark: columns[$0].mark != nil) }
    fieldMarks = columns.contains { $0.mark != nil } ? columns.map(\.mark) : []
    signs = HTMLFieldSigns(options, style)
    messageRow = (Array(table.messageTag.utf8), options.flow != nil)
    rowEnd = Array((columns.isEmpty ? "<tr></tr>" : "</\(table.name(columns.count - 1))></tr>").utf8)
    firstFootTags = Shared(columns.indices.lazy.map { Array(table.footTag($0, isFirstRow: true).utf8) })
    footTags = Shared(columns.indices.lazy.map { Array(table.footTag($0, isFirstRow: false).utf8) })
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
    if hasStyles, paintStyledRow(batch, row, isFirst: isFirst, into: &out) { return }
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
        paintCell(index, mark, batch, row, isFirst: isFirst, into: &out)
        continue
      }
      let lead = isFirst ? firstLeads[index] : leads[index]
      let shown = cells.show(index, batch, row, number: walk.number)
      out.append(shown.isDim ? lead.null : lead.text)
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
    paintCells(of: footer, tags: { number == 0 ? firstFootTags[$0] : footTags[$0] }, into: &out)
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
    _ batch: Batch, _ row: Int, isFirst: Bool, into out: inout ByteBuffer
  ) -> Bool {
    guard let look = styles.look(walk.number, inSection: walk.sectionCount, batch, row) else { return false }
    out.append(table.rowTag(look))
    for index in slots.indices {
      if index > 0 { out.append("</\(table.name(index - 1))>") }
      let cell = look.hasCells ? styles.cell(index, walk.number, batch, row) : nil
      let shown = cells.show(index, batch, row, number: walk.number)
      let mark = fieldMarks.isEmpty ? nil : fieldMarks[index]
      out.append(
        table.bodyTag(
          index, isFirstRow: isFirst, isNull: shown.isDim,
          isInvalid: mark?.isInvalid(inRow: row, of: batch) ?? false, cell, in: look))
      let color = cell?.swatchColor
      if let color { styledContent.appendSwatch(color, to: &out) }
      walk.found += cells.append(shown, batch, to: &out).ofCell
      if color != nil { styledContent.appendSwatchEnd(to: &out) }
      if let mark { signs.append(mark, row, of: batch, isMessageSeen: false, cells.spelling, to: &out) }
      if index == 0, look.isSelected { out.append(styledContent.selected) }
    }
    out.append(slots.isEmpty ? Array("</tr>".utf8) : rowEnd)
    if look.isInvalid { paintMessages(batch, row, into: &out) }
    return true
  }

  /// Writes what is wrong with a record: a row over all columns below its own, or one more cell where rows flow.
  private func paintMessages(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    if messageRow.isInRow {
      out.truncate(to: out.count - Self.rowClosing.count)
    } else {
      out.append("\n<tr>")
    }
    out.append(messageRow.tag)
    signs.append(styles.messages(batch, row), cells.spelling, to: &out)
    out.append("</td></tr>")
  }

  private static let rowClosing = "</tr>".utf8

  /// Writes a validated cell with its mark.
  @inline(never)
  private mutating func paintCell(
    _ index: Int, _ mark: FieldMark, _ batch: Batch, _ row: Int, isFirst: Bool, into out: inout ByteBuffer
  ) {
    let lead = isFirst ? firstLeads[index] : leads[index]
    let shown = cells.show(index, batch, row, number: walk.number)
    let isDim = shown.isDim
    if mark.isInvalid(inRow: row, of: batch) {
      out.append(isDim ? lead.invalidNull : lead.invalid)
    } else {
      out.append(isDim ? lead.null : lead.text)
    }
    walk.found += cells.append(shown, batch, to: &out).ofCell
    signs.append(mark, row, of: batch, isMessageSeen: false, cells.spelling, to: &out)
  }

  private static func leads(_ table: HTMLTable, isFirstRow: Bool) -> Shared<Lead> {
    Shared(
      table.columns.indices.lazy.map { index in
        let before = index == 0 ? "<tr>" : "</\(table.name(index - 1))>"
        return Lead(
          before, { table.bodyTag(index, isFirstRow: isFirstRow, isNull: $0, isInvalid: $1) },
          hasMark: table.columns[index].mark != nil)
      })
  }
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

/// The marks and messages of validated cells.
struct HTMLFieldSigns: Sendable {
  private let invalid: [UInt8]
  private let valid: [UInt8]
  private let signTag: [UInt8]
  private let messageTag: [UInt8]

  /// Prepares the signs.
  init(_ options: LayoutOptions, _ style: HTMLStyle) {
    let html = HTMLText(options)
    func escaped(_ text: String) -> [UInt8] {
      var out = ByteBuffer()
      html.append(text.utf8.span, to: &out)
      return out.array()
    }
    invalid = escaped(DrawnFieldSigns.spelled(options.fieldSigns.invalid, isASCII: options.isASCII))
    valid = escaped(options.fieldSigns.valid)
    let sign = style.attributes(HTMLStyle.Place(element: .fieldSign), class: "mark")
    signTag = Array("<span\(sign) aria-hidden=\"true\">".utf8)
    messageTag = Array(
      "<span\(style.attributes(HTMLStyle.Place(element: .hidden), class: "hide"))> ".utf8)
  }

  /// Appends the mark of a cell and the messages of the rules that it fails.
  ///
  /// - Parameter isMessageSeen: whether the messages are visible, not only for screen readers.
  func append(
    _ mark: FieldMark, _ row: Int, of batch: Batch, isMessageSeen: Bool, _ html: HTMLText,
    to out: inout ByteBuffer
  ) {
    let messages = mark.messages(inRow: row, of: batch)
    out.append(signTag)
    out.append(messages.isEmpty ? valid : invalid)
    out.append("</span>")
    if messages.isEmpty { return }
    if isMessageSeen { out.append(" ") } else { out.append(messageTag) }
    html.append(messages.joined(separator: "; ").utf8.span, to: &out)
    if !isMessageSeen { out.append("</span>") }
  }
}

extension HTMLFieldSigns {
  /// Appends the mark and the messages of a record that does not keep rules, all of it to be seen and heard.
  func append(_ messages: [String], _ html: HTMLText, to out: inout ByteBuffer) {
    if !invalid.isEmpty {
      out.append("<span aria-hidden=\"true\">")
      out.append(invalid)
      out.append("</span> ")
    }
    html.append(messages.joined(separator: "; ").utf8.span, to: &out)
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
  /// - Parameters:
  ///   - cell: the style of its own, if it has one.
  ///   - look: the look of its row, if it has one.
  func bodyTag(
    _ index: Int, isFirstRow: Bool, isNull: Bool, isInvalid: Bool, _ cell: AppliedStyle? = nil,
    in look: RowLook? = nil
  ) -> String {
    let isHeader = isRowHeader(index)
    var place = place(isHeader ? .rowHeader : .bodyCell, index)
    if let look { style.rowStyles.add(cell, in: look, to: &place) }
    place.isFirstRow = isFirstRow
    place.isNull = isNull
    place.isInvalid = isInvalid
    return (isHeader ? "<th scope=\"row\"" : "<td") + style.attributes(place) + ">"
  }

  /// The tag of a cell with what is wrong with a record.
  var messageTag: String {
    var place = HTMLStyle.Place(element: .bodyCell, column: columns.count - 1)
    (place.spansColumns, place.isInvalid) = (true, true)
    let span = options.flow == nil ? " colspan=\"\(max(columns.count, 1))\"" : ""
    return "<td\(span)\(style.attributes(place, class: "note"))>"
  }

  /// The tag of a cell in the foot.
  func footTag(_ index: Int, isFirstRow: Bool) -> String {
    var place = place(.footCell, index)
    place.isFirstRow = isFirstRow
    return "<td\(style.attributes(place))>"
  }

  /// The row tag of a section heading.
  ///
  /// With `adaptive`, it spans the whole line.
  var headingRow: String { options.flow == nil ? "<tr>" : "<tr class=\"section\">" }

  /// The tag of the cell over all columns in which the heading of a section stands.
  func headingTag(isFirst: Bool) -> String {
    var place = HTMLStyle.Place(element: .sectionHead, column: columns.count - 1)
    place.isFirstRow = isFirst
    place.spansColumns = true
    return "<th colspan=\"\(max(columns.count, 1))\" scope=\"rowgroup\"\(style.attributes(place))>"
  }

  /// The tag of a cell in the footer of a section; of the one over all columns, if no column is given.
  func sectionFootTag(_ index: Int?) -> String {
    if let index { return "<td\(style.attributes(place(.sectionFoot, index)))>" }
    let place = HTMLStyle.Place(
      element: .sectionFoot, column: columns.count - 1, spansColumns: true, alignment: .trailing)
    return "<td colspan=\"\(max(columns.count, 1))\"\(style.attributes(place))>"
  }

  private func place(_ element: HTMLStyle.Element, _ index: Int) -> HTMLStyle.Place {
    HTMLStyle.Place(
      element: element, column: index, alignment: columns[index].alignment ?? .leading,
      breaking: columns[index].breaking)
  }
}
