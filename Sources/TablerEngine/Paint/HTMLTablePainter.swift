/// Writes List, Stack and Grid as an HTML table, in a document of its own or as a fragment.
///
/// All tags are worked out before the first row; a row is its tags and its cells, one after the other.
struct HTMLTablePainter: ~Copyable, DisplayPainter {
  var walk = RowWalk()

  /// What stands before the cells of a column: the tag with what ends the cell before; many columns have the same.
  private struct Lead: Hashable {
    var text: [UInt8]
    var null: [UInt8]

    init(_ text: String, null: String) {
      self.text = Array(text.utf8)
      self.null = Array(null.utf8)
    }
  }

  /// What the row loop needs to know of one column.
  private struct Slot {
    /// The column of the batch whose cells are copied; beyond all columns where it is not that simple.
    let column: Int
    /// The tag before a text.
    let tag: ByteSnippet

    init(_ text: CellText, _ lead: Lead) {
      let snippet = ByteSnippet(lead.text)
      column = snippet == nil ? .max : text.verbatimColumn ?? .max
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
  private let firstFootTags: Shared<[UInt8]>
  private let footTags: Shared<[UInt8]>
  private let sections: HTMLSections?

  /// Whether a heading stands above the rows of the section.
  private var hasHeading = false
  private var cells: SpelledCells<HTMLText>

  var states: [EvaluationState] { cells.texts.compactMap(\.state) }

  /// Creates a painter.
  ///
  /// - Parameters:
  ///   - name: the name of the file, for the page's title.
  init(
    _ columns: [ShownColumn], _ texts: [CellText], _ options: LayoutOptions, _ output: OutputOptions,
    name: String? = nil
  ) {
    let style = HTMLStyle(columns, options, output)
    let document = HTMLDocument(options, output, style, name: name)
    let table = HTMLTable(columns, options, style)
    documentOpening = document.opening()
    self.table = table
    closing = Array("</table>".utf8) + document.closing()
    firstLeads = Self.leads(table, isFirstRow: true)
    let leads = Self.leads(table, isFirstRow: false)
    self.leads = leads
    slots = columns.indices.map { Slot(texts[$0], leads[$0]) }
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

  func paintSpace(into out: inout ByteBuffer) {
    if walk.sectionCount > 1 { out.append(UInt8(ascii: "\n")) }
  }

  @inline(__always)
  mutating func paintRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    let isFirst = walk.sectionCount == 1 && walk.section <= 1 && !hasHeading
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
      let lead = isFirst ? firstLeads[index] : leads[index]
      let shown = cells.show(index, batch, row, number: walk.number)
      out.append(shown == .absent ? lead.null : lead.text)
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
        if index < texts.count, let text = texts[index] { cells.spelling.append(text.span, to: &out) }
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
  private static func leads(_ table: HTMLTable, isFirstRow: Bool) -> Shared<Lead> {
    Shared(
      table.columns.indices.lazy.map { index in
        let before = index == 0 ? "<tr>" : "</\(table.name(index - 1))>"
        return Lead(
          before + table.bodyTag(index, isFirstRow: isFirstRow, isNull: false),
          null: before + table.bodyTag(index, isFirstRow: isFirstRow, isNull: true))
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
    firstHeading = Array("<tr>\(table.headingTag(isFirst: true))".utf8)
    heading = Array("<tr>\(table.headingTag(isFirst: false))".utf8)
    footerBand = Array(table.sectionFootTag(nil).utf8)
    footerTags = Shared(table.columns.indices.lazy.map { Array(table.sectionFootTag($0).utf8) })
  }
}

/// Values of which many are equal, held once.
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
