/// A painter of csv or tsv: it copies whole records where it can, and writes the others cell by cell.
protocol DelimitedPainter: Painter, ~Copyable {
  /// What is known of the output and of untouched cells.
  var output: DelimitedOutput { get }

  /// The guard against formulas, with its count.
  var formulas: FormulaGuard { get set }

  /// Writes one record, its end included.
  mutating func paintRecord(_ row: Int, of batch: Batch, into out: inout ByteBuffer)
}

extension DelimitedPainter where Self: ~Copyable {
  /// How many cells got a leading `'` from `--formula-guard`.
  var guardedCells: Int { formulas.count }

  /// A delimiter for each column.
  var rowSize: Int { output.columns.count }

  mutating func paint(_ rows: Rows, _ range: Range<Int>, into out: inout ByteBuffer) {
    var index = range.lowerBound
    while index < range.upperBound {
      let id = rows.ids[index]
      let batch = rows.batches[id.batch]
      if !formulas.isOn, output.copiesRecords(of: batch) {
        index = output.copyRecords(rows, from: index, before: range.upperBound, into: &out)
      } else {
        paintRecord(id.row, of: batch, into: &out)
        index &+= 1
      }
    }
  }

  mutating func end(footers: [FooterLine], into out: inout ByteBuffer) {}
}
