/// The sum of the numbers in a column: of `--footer totals`.
///
/// There may be very many columns, so a tally is held only once there is a misfit.
struct ColumnTotal: Sendable {
  private var sum = ExactSum()

  /// How many values were numbers.
  private var count = 0

  /// How many other values there were, null aside.
  private var misfits = 0

  /// The cells that did not convert; without an entry as long as there is none.
  private var tally = ConversionTally(entries: [])

  /// Takes in rows of a batch.
  ///
  /// - Parameter name: the name of the column in warnings.
  mutating func add(
    _ batch: Batch, rows: Span<UInt32>, of column: ResolvedColumn, name: String, _ context: EvaluationContext
  ) {
    let node: Node = column.path.isEmpty ? .cell(column: column.index, slot: 0) : .way(column, slot: 0)
    var evaluator = Evaluator(context, batch: batch, state: EvaluationState(slots: []))
    evaluator.state.tally = tally.entries.isEmpty ? EvaluationState(slots: [name]).tally : tally
    tally.entries = []
    for index in rows.indices {
      evaluator.row = Int(rows[index])
      if let number = evaluator.number(node) {
        count += 1
        sum.add(number)
      } else if !evaluator.value(node).isNull {
        misfits += 1
      }
    }
    if evaluator.state.tally.entries[0].count > 0 { tally = evaluator.state.tally }
  }

  /// The sum; `nil` where there are no numbers, or no more than other values.
  var result: Number? { count > misfits ? sum.total : nil }

  /// The cells that the sum leaves out; `nil` where there is no sum.
  var misfitCells: ConversionTally? { result == nil ? nil : tally }
}
