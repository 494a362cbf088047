/// Writes List, Stack and Grid as an HTML table, in a document of its own or as a fragment.
///
/// All tags are worked out before the first row; a row is its tags and its cells, one after the other.
struct HTMLPainter: ~Copyable, DisplayPainter {
  /// The tags before the cells of one column, with what ends the cell before.
  private struct Tags {
    var text: [UInt8]
    var null: [UInt8]

    /// `text` where it is short enough to be written in one step.
    var snippet: ByteSnippet?

    init(_ text: String, null: String) {
      self.text = Array(text.utf8)
      self.null = Array(null.utf8)
      snippet = ByteSnippet(self.text)
    }
  }

  private let opening: [UInt8]
  private let closing: [UInt8]
  private let firstTags: [Tags]
  private let tags: [Tags]
  private let rowEnd: [UInt8]
  private let footTags: [(first: [UInt8], other: [UInt8])]
  private let titles: [[UInt8]]
  private var cells: HTMLCells
  /// How many rows were painted, by this painter or by others before it.
  var rowCount = 0

  /// What a person should hear of so far.
  var notices: [LayoutNotice] { cells.notices }

  /// What filling templates left behind: cells that did not convert, a failed `must()`.
  var states: [EvaluationState] { cells.texts.compactMap(\.state) }

  /// Creates a painter.
  ///
  /// - Parameters:
  ///   - name: the name of the file, for the page's title.
  init(
    _ columns: [ShownColumn], _ texts: [CellText], _ options: LayoutOptions, _ output: OutputOptions,
    name: String? = nil
  ) {
    let style = HTMLStyle(columns, options, isInline: output.styleSheet == .inline)
    let document = HTMLDocument(options, output, sheet: style.sheet, name: name)
    let table = HTMLTable(columns, options, style)
    opening = document.opening() + table.opening()
    closing = Array("</table>".utf8) + document.closing()
    firstTags = Self.tags(table, isFirstRow: true)
    tags = Self.tags(table, isFirstRow: false)
    rowEnd = Array((columns.isEmpty ? "<tr></tr>" : "</\(table.name(columns.count - 1))></tr>").utf8)
    footTags = columns.indices.map { index in
      (
        Array(table.footTag(index, isFirstRow: true).utf8),
        Array(table.footTag(index, isFirstRow: false).utf8)
      )
    }
    titles = table.titles
    cells = HTMLCells(texts, options)
  }

  mutating func begin(into out: inout ByteBuffer) { out.append(opening) }

  mutating func paint(_ rows: Rows, _ range: Range<Int>, into out: inout ByteBuffer) {
    for index in range {
      let id = rows.ids[index]
      if rowCount > 0 { out.append(UInt8(ascii: "\n")) }
      rowCount &+= 1
      paintRow(rows.batches[id.batch], id.row, into: &out)
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
  private static func tags(_ table: HTMLTable, isFirstRow: Bool) -> [Tags] {
    table.columns.indices.map { index in
      let before = index == 0 ? "<tr>" : "</\(table.name(index - 1))>"
      return Tags(
        before + table.bodyTag(index, isFirstRow: isFirstRow, isNull: false),
        null: before + table.bodyTag(index, isFirstRow: isFirstRow, isNull: true))
    }
  }

  @inline(__always)
  private mutating func paintRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    let isFirst = rowCount == 1
    for index in tags.indices {
      if !isFirst, let snippet = tags[index].snippet, let cell = cells.plainCell(index, batch, row) {
        let start = out.count
        out.append(snippet)
        if out.append(batch.block, from: cell.offset, count: cell.length, unless: HTMLMarks.self) { continue }
        out.truncate(to: start)
      }
      let tag = isFirst ? firstTags[index] : tags[index]
      cells.append(index, batch, row, number: rowCount, tag: tag.text, nullTag: tag.null, to: &out)
    }
    out.append(rowEnd)
  }

  private func paintFooter(_ footer: FooterLine, isFirst: Bool, into out: inout ByteBuffer) {
    out.append("<tr>")
    for index in footTags.indices {
      out.append(isFirst ? footTags[index].first : footTags[index].other)
      if footer.repeatsTitles {
        out.append(titles[index])
      } else if index < footer.cells.count, let text = footer.cells[index] {
        cells.html.append(text.span, to: &out)
      }
      out.append("</td>")
    }
    out.append("</tr>")
  }
}
