/// Writes List, Stack and Grid as an HTML table, in a document of its own or as a fragment.
///
/// All tags are worked out before the first row; a row is its tags and its cells, one after the other.
struct HTMLPainter: ~Copyable, Painter {
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

  private let document: HTMLDocument
  private let style: HTMLStyle
  private let columns: [ShownColumn]
  private let options: LayoutOptions
  private let firstTags: [Tags]
  private let tags: [Tags]
  private let rowEnd: [UInt8]
  private let titles: [[UInt8]]
  private var cells: HTMLCells
  private var rowCount: Int

  /// How many stretches of bytes were drawn as U+FFFD.
  var replacementCount: Int { cells.replacementCount }

  /// What filling templates left behind: cells that did not convert, a failed `must()`.
  var states: [EvaluationState] { cells.texts.compactMap(\.state) }

  /// Creates a painter.
  ///
  /// - Parameters:
  ///   - name: the name of the file, for the page's title.
  ///   - rowsBefore: how many rows others have painted before.
  init(
    _ columns: [ShownColumn], _ texts: [CellText], _ options: LayoutOptions, _ output: OutputOptions,
    name: String? = nil, rowsBefore: Int = 0
  ) {
    let style = HTMLStyle(columns, options, isInline: output.styleSheet == .inline)
    document = HTMLDocument(options, output, sheet: style.sheet, name: name)
    self.style = style
    self.columns = columns
    self.options = options
    cells = HTMLCells(texts, options)
    titles = HTMLTitles.titles(columns, options)
    firstTags = Self.tags(columns, style, isFirstRow: true)
    tags = Self.tags(columns, style, isFirstRow: false)
    rowEnd = Array((columns.isEmpty ? "<tr></tr>" : "</\(Self.name(columns.last))></tr>").utf8)
    rowCount = rowsBefore
  }

  mutating func begin(into out: inout ByteBuffer) {
    out.append(document.opening())
    out.append("<table")
    out.append(style.attribute(root: .table, options.kind))
    out.append(">\n")
    if let caption = options.caption {
      out.append("<caption")
      out.append(style.attribute(HTMLStyle.Place(element: .caption)))
      out.append(">")
      let bytes = Array(caption.utf8)
      cells.html.append(bytes.span, to: &out)
      out.append("</caption>\n")
    }
    out.append("<colgroup>")
    for index in columns.indices {
      out.append("<col class=\"c")
      out.append(decimal: index + 1)
      out.append("\">")
    }
    out.append("</colgroup>\n")
    if options.hasHeader { paintHeader(into: &out) }
    out.append("<tbody>")
  }

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
    out.append("</table>")
    out.append(document.closing())
  }
}

extension HTMLPainter {
  private static func name(_ column: ShownColumn?) -> String { column?.isRowHeader == true ? "th" : "td" }

  private static func tags(_ columns: [ShownColumn], _ style: HTMLStyle, isFirstRow: Bool) -> [Tags] {
    columns.indices.map { index in
      let column = columns[index]
      var place = HTMLStyle.Place(
        element: column.isRowHeader ? .rowHeader : .bodyCell, column: index, isFirstRow: isFirstRow,
        alignment: column.alignment ?? .leading)
      let before = index == 0 ? "<tr>" : "</\(name(columns[index - 1]))>"
      let opening = before + (column.isRowHeader ? "<th scope=\"row\"" : "<td")
      let text = opening + style.attribute(place) + ">"
      place.isNull = true
      return Tags(text, null: opening + style.attribute(place) + ">")
    }
  }

  @inline(__always)
  private mutating func paintRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    let isFirst = rowCount == 1
    for index in columns.indices {
      if !isFirst, let snippet = tags[index].snippet, let cell = cells.plainCell(index, batch, row) {
        let start = out.count
        out.append(snippet)
        if out.append(batch.block, from: cell.offset, count: cell.length, unless: HTMLMarks.self) { continue }
        out.truncate(to: start)
      }
      let column = isFirst ? firstTags[index] : tags[index]
      cells.append(
        index, batch, row, number: rowCount, tag: column.text, nullTag: column.null, to: &out)
    }
    out.append(rowEnd)
  }

  private func paintHeader(into out: inout ByteBuffer) {
    out.append("<thead><tr>")
    for index in columns.indices {
      let column = columns[index]
      let attribute = style.attribute(place(.headCell, index))
      guard !titles[index].isEmpty else {
        out.append("<td\(attribute)></td>")
        continue
      }
      out.append("<th scope=\"col\"\(attribute)")
      if let sort = column.sort, sort.rank == 1 {
        out.append(sort.isDescending ? " aria-sort=\"descending\"" : " aria-sort=\"ascending\"")
      }
      out.append(">")
      out.append(titles[index])
      out.append("</th>")
    }
    out.append("</tr></thead>\n")
  }

  private func paintFooter(_ footer: FooterLine, isFirst: Bool, into out: inout ByteBuffer) {
    out.append("<tr>")
    for index in columns.indices {
      out.append("<td\(style.attribute(place(.footCell, index, isFirstRow: isFirst)))>")
      if footer.repeatsTitles {
        out.append(titles[index])
      } else if index < footer.cells.count, let text = footer.cells[index] {
        cells.html.append(text.span, to: &out)
      }
      out.append("</td>")
    }
    out.append("</tr>")
  }

  private func place(_ element: HTMLStyle.Element, _ column: Int, isFirstRow: Bool = false) -> HTMLStyle.Place
  {
    HTMLStyle.Place(
      element: element, column: column, isFirstRow: isFirstRow,
      alignment: columns[column].alignment ?? .leading)
  }
}

/// The titles of the columns in HTML.
enum HTMLTitles {
  /// The titles, escaped, with their signs.
  static func titles(_ columns: [ShownColumn], _ options: LayoutOptions) -> [[UInt8]] {
    let html = HTMLText(options)
    let signs = HeaderSigns(columns, options).signs
    return columns.indices.map { index in
      var title = ByteBuffer()
      let text = Array(columns[index].title.utf8)
      html.append(text.span, to: &title)
      let sign = signs[index]
      if !sign.isEmpty {
        title.append(" <span class=\"ind\" aria-hidden=\"true\">")
        html.append(sign.span, to: &title)
        title.append("</span>")
      }
      return title.array()
    }
  }
}
