/// Writes List, Stack and Grid as an HTML table, in a document of its own or as a fragment.
///
/// All tags are worked out before the first row; a row is its tags and its cells, one after the other.
struct HTMLPainter: ~Copyable, DisplayPainter {
  /// The tags before the cells of a column, with what ends the cell before; many columns have the same.
  private struct Tags: Hashable {
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

    init(_ text: CellText, _ tags: Tags) {
      let snippet = ByteSnippet(tags.text)
      column = snippet == nil ? .max : text.verbatimColumn ?? .max
      tag = snippet ?? ByteSnippet("")
    }
  }

  private let documentOpening: [UInt8]
  private let table: HTMLTable
  private let closing: [UInt8]
  private let firstTags: Shared<Tags>
  private let tags: Shared<Tags>
  private let slots: [Slot]
  private let rowEnd: [UInt8]
  private let firstFootTags: Shared<[UInt8]>
  private let footTags: Shared<[UInt8]>
  private var cells: SpelledCells<HTMLText>
  private var found = FindingsTally()
  /// How many rows were painted, by this painter or by others before it.
  var rowCount = 0

  /// What a person should hear of so far.
  var notices: [LayoutNotice] { found.notices }

  /// The results of templates: cells that did not convert, a failed `must()`.
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
    firstTags = Self.tags(table, isFirstRow: true)
    let tags = Self.tags(table, isFirstRow: false)
    self.tags = tags
    slots = columns.indices.map { Slot(texts[$0], tags[$0]) }
    rowEnd = Array((columns.isEmpty ? "<tr></tr>" : "</\(table.name(columns.count - 1))></tr>").utf8)
    firstFootTags = Shared(columns.indices.lazy.map { Array(table.footTag($0, isFirstRow: true).utf8) })
    footTags = Shared(columns.indices.lazy.map { Array(table.footTag($0, isFirstRow: false).utf8) })
    cells = SpelledCells(texts, HTMLText(options))
  }

  /// The tags of all columns, of which most are short.
  var rowSize: Int { 16 * slots.count }

  mutating func begin(into out: inout ByteBuffer) {
    out.append(documentOpening)
    table.appendOpening(to: &out)
  }

  mutating func paint(_ rows: Rows, _ range: Range<Int>, into out: inout ByteBuffer) {
    var index = range.lowerBound
    while index < range.upperBound {
      let number = rows.ids[index].batch
      let batch = rows.batches[number]
      repeat {
        if rowCount > 0 { out.append(UInt8(ascii: "\n")) }
        rowCount &+= 1
        paintRow(batch, rows.ids[index].row, into: &out)
        index &+= 1
      } while index < range.upperBound && rows.ids[index].batch == number
    }
  }

  mutating func end(footers: [FooterLine], into out: inout ByteBuffer) {
    out.append("</tbody>")
    if !footers.isEmpty {
      out.append("\n<tfoot>")
      for (line, footer) in footers.enumerated() {
        if line > 0 { out.append("\n") }
        paintFooter(footer, isFirst: line == 0, into: &out)
      }
      out.append("</tfoot>")
    }
    out.append(closing)
  }
}

extension HTMLPainter {
  private static func tags(_ table: HTMLTable, isFirstRow: Bool) -> Shared<Tags> {
    Shared(
      table.columns.indices.lazy.map { index in
        let before = index == 0 ? "<tr>" : "</\(table.name(index - 1))>"
        return Tags(
          before + table.bodyTag(index, isFirstRow: isFirstRow, isNull: false),
          null: before + table.bodyTag(index, isFirstRow: isFirstRow, isNull: true))
      })
  }

  @inline(__always)
  private mutating func paintRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    let isFirst = rowCount == 1
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
      let tag = isFirst ? firstTags[index] : tags[index]
      let shown = cells.show(index, batch, row, number: rowCount)
      out.append(shown == .absent ? tag.null : tag.text)
      found.note(cells.append(shown, batch, to: &out).ofCell, batch, row)
    }
    out.append(rowEnd.span)
  }

  private func paintFooter(_ footer: FooterLine, isFirst: Bool, into out: inout ByteBuffer) {
    out.append("<tr>")
    for index in slots.indices {
      out.append(isFirst ? firstFootTags[index] : footTags[index])
      if footer.repeatsTitles {
        table.appendTitle(index, to: &out)
      } else if index < footer.cells.count, let text = footer.cells[index] {
        cells.spelling.append(text.span, to: &out)
      }
      out.append("</td>")
    }
    out.append("</tr>")
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
