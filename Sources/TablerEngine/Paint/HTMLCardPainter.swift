/// Writes Detail as HTML: an article with a list of fields for each record.
struct HTMLCardPainter: ~Copyable, Painter {
  private let document: HTMLDocument
  private let caption: [UInt8]
  private let article: [UInt8]
  private let heading: [UInt8]
  private let fields: [UInt8]
  private let labels: [[UInt8]]
  private let valueTag: [UInt8]
  private let nullTag: [UInt8]
  private var cells: HTMLCells
  private var cardTitle: CellText?
  private var rowCount: Int

  /// How many stretches of bytes were drawn as U+FFFD.
  var replacementCount: Int { cells.replacementCount }

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
    func tag(_ name: String, _ element: HTMLStyle.Element, isNull: Bool = false) -> String {
      var place = HTMLStyle.Place(element: element)
      place.isNull = isNull
      return "<\(name)\(style.attribute(place))>"
    }
    let html = HTMLText(options)
    article = Array("<article\(style.attribute(root: .card, options.kind))>\(tag("h2", .cardTitle))".utf8)
    heading = Array("</h2>\n".utf8)
    fields = Array(tag("dl", .fields).utf8)
    labels = columns.map { column in
      var label = ByteBuffer()
      label.append(tag("dt", .label))
      let title = Array(column.title.utf8)
      html.append(title.span, to: &label)
      label.append("</dt>")
      return label.array()
    }
    valueTag = Array(tag("dd", .value).utf8)
    nullTag = Array(tag("dd", .value, isNull: true).utf8)
    caption = Self.caption(options, output, html)
    cells = HTMLCells(texts, options)
    cardTitle = options.cardTitle.map { CellText(ShownColumn(source: .template($0), title: "", name: "")) }
    rowCount = rowsBefore
  }

  mutating func begin(into out: inout ByteBuffer) {
    out.append(document.opening())
    out.append(caption)
  }

  mutating func paint(_ rows: Rows, _ range: Range<Int>, into out: inout ByteBuffer) {
    for index in range {
      let id = rows.ids[index]
      if rowCount > 0 { out.append(UInt8(ascii: "\n")) }
      rowCount &+= 1
      paintCard(rows.batches[id.batch], id.row, into: &out)
    }
  }

  mutating func end(footers: [FooterLine], into out: inout ByteBuffer) {
    out.append(document.closing())
  }
}

extension HTMLCardPainter {
  private static func caption(_ options: LayoutOptions, _ output: OutputOptions, _ html: HTMLText) -> [UInt8]
  {
    guard let caption = options.caption, !output.isFragment else { return [] }
    var out = ByteBuffer()
    out.append("<p>")
    let bytes = Array(caption.utf8)
    html.append(bytes.span, to: &out)
    out.append("</p>\n")
    return out.array()
  }

  private mutating func paintCard(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    out.append(article)
    if var title = cardTitle {
      cells.append(&title, batch, row, number: rowCount, to: &out)
      cardTitle = title
    } else {
      out.append("(row ")
      out.append(decimal: rowCount)
      out.append(")")
    }
    out.append(heading)
    out.append(fields)
    for index in labels.indices {
      out.append(labels[index])
      cells.append(index, batch, row, number: rowCount, tag: valueTag, nullTag: nullTag, to: &out)
      out.append("</dd>")
    }
    out.append("</dl></article>")
  }
}
