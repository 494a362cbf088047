/// Cuts records of csv and tsv as a reader did before.
struct DelimitedCutter: BatchCutter {
  /// How the form is written.
  var rules: DelimitedRules

  /// The fields a record must have.
  var fieldCount: Int

  /// The cells a record gets, unless longer ones come.
  var columnCount: Int

  /// What to do with records of another length.
  var ragged: InputOptions.Ragged

  /// Whether long records may add columns.
  var mayGrow: Bool

  /// A parser for one block.
  var parser: DelimitedParser<MachineVector> {
    DelimitedParser<MachineVector>(
      rules: rules, fieldCount: fieldCount, columnCount: columnCount, ragged: ragged, mayGrow: mayGrow)
  }

  /// A newline that was added must not be escaped, nor make one line end of a record's CR.
  var isOrderFree: Bool { !rules.emptyLineIsRow && (rules.marks.escape == nil || rules.decodesLetters) }

  func cut(_ block: ByteBlock, _ range: Range<Int>, origin: Batch.Origin) -> Batch? {
    var parser = parser
    let end = try? parser.parse(block, from: range.lowerBound, to: range.upperBound, isLast: true)
    guard let end, !parser.recordStarts.isEmpty else { return nil }
    return parser.batch(block, end: end, origin: origin)
  }
}
