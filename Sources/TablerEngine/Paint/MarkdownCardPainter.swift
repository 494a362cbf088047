/// Writes Detail as Markdown: a heading and a table of two columns for each record.
struct MarkdownCardPainter: ~Copyable, Painter {
  private let labels: [[UInt8]]
  private let labelWidth: Int
  private let heading: [UInt8]
  private var cells: MarkdownCells
  private var cardTitle: CellText?
  private var rowCount: Int

  /// The values of a card, escaped, one after the other.
  private var values = ByteBuffer()

  /// Where each value ends in `values`.
  private var ends: [Int] = []

  /// How many stretches of bytes were drawn as U+FFFD.
  var replacementCount: Int { cells.replacementCount }

  /// Creates a painter.
  ///
  /// - Parameter rowsBefore: how many rows others have painted before.
  init(_ shown: [ShownColumn], _ texts: [CellText], _ options: LayoutOptions, rowsBefore: Int = 0) {
    let cells = MarkdownCells(texts, options)
    labels = shown.map { cells.markdown.escaped($0.title) }
    var width = 3
    for label in labels { width = max(width, cells.metrics.width(of: label.span)) }
    labelWidth = width
    self.cells = cells
    heading = MarkdownHeading.paragraphs(options)
    cardTitle = options.cardTitle.map { CellText(ShownColumn(source: .template($0), title: "", name: "")) }
    rowCount = rowsBefore
  }

  mutating func begin(into out: inout ByteBuffer) { out.append(heading) }

  mutating func paint(_ rows: Rows, _ range: Range<Int>, into out: inout ByteBuffer) {
    for index in range {
      let id = rows.ids[index]
      if rowCount > 0 { out.append("\n") }
      rowCount &+= 1
      paintTitle(rows.batches[id.batch], id.row, into: &out)
      if !labels.isEmpty { paintCard(rows.batches[id.batch], id.row, into: &out) }
    }
  }

  mutating func end(footers: [FooterLine], into out: inout ByteBuffer) {}
}

extension MarkdownCardPainter {
  private mutating func paintTitle(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    out.append("### ")
    if var title = cardTitle {
      cells.append(heading: &title, batch, row, number: rowCount, to: &out)
      cardTitle = title
    } else {
      out.append("(row ")
      out.append(decimal: rowCount)
      out.append(")")
    }
    out.append("\n\n")
  }

  private mutating func paintCard(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) {
    values.removeAll()
    ends.removeAll(keepingCapacity: true)
    var width = 3
    for index in labels.indices {
      let start = values.count
      cells.append(index, batch, row, number: rowCount, to: &values)
      ends.append(values.count)
      width = max(width, cells.metrics.width(of: values.span.extracting(start...)))
    }
    out.append("| ")
    out.append(blanks: labelWidth)
    out.append(" | ")
    out.append(blanks: width)
    out.append(" |\n| ")
    out.append(repeating: UInt8(ascii: "-"), count: labelWidth - 1)
    out.append(": | :")
    out.append(repeating: UInt8(ascii: "-"), count: width - 1)
    out.append(" |\n")
    paintLines(width: width, into: &out)
  }

  private func paintLines(width: Int, into out: inout ByteBuffer) {
    var start = 0
    for index in labels.indices {
      let label = labels[index]
      let value = values.span.extracting(start..<ends[index])
      out.append("| ")
      out.append(blanks: labelWidth - cells.metrics.width(of: label.span))
      out.append(label)
      out.append(" | ")
      out.append(value)
      out.append(blanks: width - cells.metrics.width(of: value))
      out.append(" |\n")
      start = ends[index]
    }
  }
}
