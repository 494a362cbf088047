@testable import TablerEngine

extension SampleTable {
  /// The table as text, measured and arranged as the pipeline does it.
  func draw(
    _ columns: [ShownColumn]? = nil, _ options: LayoutOptions, footers: [FooterLine] = [],
    notices: (([LayoutNotice]) -> Void)? = nil
  ) -> String {
    let columns = columns ?? self.columns()
    let texts = columns.map { CellText($0) }
    var measurement = Measurement(columns, texts, options)
    measurement.measure(rows, 0..<rows.count, firstNumber: 1)
    let arrangement = Arrangement(columns, measurement, footers: footers, options)
    var painter = TextPainter(arrangement, texts, options)
    var out = ByteBuffer()
    painter.begin(into: &out)
    let middle = rows.count / 2
    painter.paint(rows, 0..<middle, into: &out)
    painter.paint(rows, middle..<rows.count, into: &out)
    painter.end(footers: footers, into: &out)
    notices?(painter.notices)
    return out.string()
  }
}
