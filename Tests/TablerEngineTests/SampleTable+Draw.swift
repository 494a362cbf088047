@testable import TablerEngine

extension SampleTable {
  /// The table as text, measured and arranged as the pipeline does it.
  func draw(
    _ columns: [ShownColumn]? = nil, _ options: LayoutOptions, footers: [FooterLine] = [],
    title: String? = nil
  ) throws -> String {
    try drawing(columns, options, footers: footers, title: title).text
  }

  /// The table as text, and what was noticed on the way.
  func drawing(
    _ columns: [ShownColumn]? = nil, _ options: LayoutOptions, footers: [FooterLine] = [],
    title: String? = nil
  ) throws -> (text: String, notices: [LayoutNotice]) {
    let columns = columns ?? self.columns()
    let texts = columns.map { CellText($0) }
    var out = ByteBuffer()
    if options.kind == .detail {
      let title = try title.map { CellText(try template($0, option: "--title-of", hasCell: false)) }
      var painter = CardPainter(
        TextCards(columns, texts, options), columns, texts, titles: title.map { [$0] } ?? [])
      paint(&painter, footers, into: &out)
      return (out.string(), painter.notices)
    }
    var measurement = Measurement(columns, texts, TextContext(options))
    var rest = Measurement(columns, texts, TextContext(options))
    let middle = rows.count / 2
    measurement.measure(rows, 0..<middle, firstNumber: 1)
    rest.measure(rows, middle..<rows.count, firstNumber: middle + 1)
    measurement.merge(rest)
    let arrangement = Arrangement(columns, measurement, footers: footers, options)
    var painter = TablePainter<TextTable>(arrangement, texts, options)
    paint(&painter, footers, into: &out)
    return (out.string(), painter.notices)
  }

  /// A template over rows of the table.
  func template(
    _ text: String, option: String = "--format", hasCell: Bool = true
  ) throws -> RowTemplate {
    var binder = Binder(schema: profile.schema)
    return try binder.bind(row: try SourceTemplate(text, option: option), hasCell: hasCell)
  }

  private func paint(
    _ painter: inout some Painter & ~Copyable, _ footers: [FooterLine], into out: inout ByteBuffer
  ) {
    painter.begin(into: &out)
    painter.beginSection(heading: nil, into: &out)
    let middle = rows.count / 2
    painter.paint(rows, 0..<middle, into: &out)
    painter.paint(rows, middle..<rows.count, into: &out)
    painter.endSection(footers: [], into: &out)
    painter.end(footers: footers, into: &out)
  }
}

extension FooterLine {
  /// A footer of these texts.
  init(_ texts: [String?]) {
    self = .cells(texts.map { $0.map { Array($0.utf8) } })
  }
}
