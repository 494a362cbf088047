/// Makes cells null that are not of the type that is declared for their column: `--types`.
///
/// Such a cell keeps its bytes: it is drawn and written as it came.
struct TypeChecker: RowStep {
  /// A column whose cells are checked.
  fileprivate struct Column {
    var index: Int
    var type: ValueType
    /// Where its misfits are counted.
    var slot: Int
  }

  private var columns: [Column] = []
  private let context: EvaluationContext
  private var tally = ConversionTally(entries: [])

  /// Where the misfits of a column are counted.
  private var slots: [Int: Int] = [:]

  /// Prepares to check the columns of a schema.
  init(_ schema: Schema, _ context: EvaluationContext) {
    self.context = context
    if context.leavesOutMisfits { tally.leaveOut() }
    know(schema)
  }

  /// Takes note of columns that came, where some may.
  mutating func know(_ schema: Schema) {
    columns = schema.typedColumns.map { column in
      let slot = slots[column.index] ?? tally.entries.count
      if slot == tally.entries.count {
        slots[column.index] = slot
        tally.entries.append(
          ConversionTally.Entry(column: column.name, use: .type, marks: context.marks))
      }
      return Column(index: column.index, type: column.type, slot: slot)
    }
  }

  var tallies: [ConversionTally] { columns.isEmpty ? [] : [tally] }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    columns.isEmpty ? [] : [PlannedStep(work: .types, holding: .batch)]
  }

  mutating func apply(to rows: inout BatchRows) {
    if columns.isEmpty { return }
    rows.batch = check(rows.batch, count: rows.count)
    rows.leaveOut(tally.takeRows())
  }

  /// The batch with null in place of the misfits among its first `count` rows.
  fileprivate mutating func check(_ batch: Batch, count: Int) -> Batch {
    let evaluator = Evaluator(context, batch: batch, state: EvaluationState(slots: []))
    var cells: [Cell]?
    for column in columns where column.index < batch.columnCount {
      var numberCount = 0
      for row in 0..<count {
        let cell = batch.cell(row: row, column: column.index)
        if cell.isNull || cell.length == 0 { continue }
        if column.type == .size { tally.noteUnit(column.slot, batch.content(cell), batch: batch, row: row) }
        if !evaluator.value(of: cell, as: column.type).isNull {
          numberCount &+= 1
          continue
        }
        tally.note(column.slot, wanted: column.type.valueKind, cell: cell, batch: batch, row: row)
        var changed = cells.take() ?? batch.cells
        changed[row * batch.columnCount + column.index] = cell.asMisfit
        cells = changed
      }
      tally.entries[column.slot].numberCount += numberCount
    }
    guard batch.cutting != nil || cells != nil else { return batch }
    return Batch(
      block: batch.block, decoded: batch.decoded, escapes: batch.escapes, cells: cells ?? batch.cells,
      columnCount: batch.columnCount, recordStarts: batch.recordStarts, origin: batch.origin,
      places: batch.places,
      cutting: batch.cutting.map {
        var cutting = $0
        cutting.cutter = CheckingCutter(cutter: $0.cutter, checker: self)
        return cutting
      })
  }
}

/// Cuts records and checks their cells again.
private struct CheckingCutter: BatchCutter {
  let cutter: any BatchCutter
  let checker: TypeChecker

  var columnCount: Int { cutter.columnCount }

  var isOrderFree: Bool { cutter.isOrderFree }

  func cut(_ block: ByteBlock, _ range: Range<Int>, origin: Batch.Origin) -> Batch? {
    // What is found out was found out before.
    var checker = checker
    guard let batch = cutter.cut(block, range, origin: origin) else { return nil }
    return checker.check(batch, count: batch.rowCount)
  }
}

extension ValueType {
  /// What cells of the type are called in warnings.
  var valueKind: ExpressionError.ValueKind {
    switch self {
    case .number, .decimal, .double: .number
    case .int: .wholeNumber
    case .text: .text
    case .bool: .bool
    case .date, .datetime: .date
    case .duration: .duration
    case .size: .size
    case .list: .list
    case .object: .object
    }
  }
}
