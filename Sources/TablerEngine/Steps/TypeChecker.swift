/// Makes cells null that are not of the type declared for their column: `--types`.
///
/// Such a cell keeps its bytes: it is drawn and written as it was read.
struct TypeChecker: RowStep {
  /// A column whose cells are checked.
  fileprivate struct CheckedColumn {
    var index: Int
    var type: ValueType
    /// The slot that counts its misfits.
    var slot: Int
  }

  private var columns: [CheckedColumn] = []
  private let context: EvaluationContext
  private var tally = ConversionTally(entries: [])

  /// The slots that count the misfits of columns.
  private var slots: [Int: Int] = [:]

  /// Prepares to check the columns of a schema.
  init(_ schema: Schema, _ context: EvaluationContext) {
    self.context = context
    if context.leavesOutMisfits { tally.leaveOut() }
    adoptColumns(of: schema)
  }

  /// Records new columns, if any may come.
  mutating func adoptColumns(of schema: Schema) {
    columns = schema.typedColumns.map { column in
      let slot = slots[column.index] ?? tally.entries.count
      if slot == tally.entries.count {
        slots[column.index] = slot
        tally.entries.append(
          ConversionTally.ColumnMisfits(column: column.name, use: .type, marks: context.marks))
      }
      return CheckedColumn(index: column.index, type: column.type, slot: slot)
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
    var evaluator = Evaluator(context, batch: batch, state: EvaluationState(slots: []))
    var cells: [Cell]?
    var lines: RowLines?
    if batch.sparse != nil {
      for row in 0..<count {
        for index in batch.cellIndices(ofRow: row) {
          guard let column = column(of: batch.column(ofCell: index, row: row)), column.type != .text else {
            continue
          }
          let isNumber = checkCell(index, row: row, of: batch, as: column, &evaluator, &lines, &cells)
          if isNumber { tally.entries[column.slot].numberCount += 1 }
        }
      }
    }
    // Every cell is a text.
    for column in columns where column.index < batch.columnCount && column.type != .text {
      var numberCount = 0
      for row in 0..<count {
        let index = row &* batch.columnCount &+ column.index
        if checkCell(index, row: row, of: batch, as: column, &evaluator, &lines, &cells) { numberCount &+= 1 }
      }
      tally.entries[column.slot].numberCount += numberCount
    }
    guard batch.cutting != nil || cells != nil else { return batch }
    return Batch(
      block: batch.block, decoded: batch.decoded, escapes: batch.escapes, cells: cells ?? batch.cells,
      columnCount: batch.columnCount, sparse: batch.sparse, recordStarts: batch.recordStarts,
      origin: batch.origin, places: batch.places,
      cutting: batch.cutting.map {
        var cutting = $0
        cutting.cutter = CheckingCutter(cutter: $0.cutter, checker: self)
        return cutting
      })
  }
}

extension TypeChecker {
  /// Checks a cell, and records it if it is not of the type of its column.
  ///
  /// - Parameters:
  ///   - index: that of its note in the batch.
  ///   - lines: the lines of the rows, once they were counted.
  ///   - cells: the notes of the batch, once one was changed.
  /// - Returns: whether it has content that is of the type.
  @inline(__always)
  private mutating func checkCell(
    _ index: Int, row: Int, of batch: Batch, as column: CheckedColumn, _ evaluator: inout Evaluator,
    _ lines: inout RowLines?, _ cells: inout [Cell]?
  ) -> Bool {
    let cell = batch.cells[index]
    if cell.isNull || cell.length == 0 { return false }
    if cell.kind == .text, isCommon(batch.content(cell), column.type) { return true }
    if column.type == .size { tally.recordUnit(column.slot, batch.content(cell), batch: batch, row: row) }
    if !evaluator.value(of: cell, as: column.type).isNull { return true }
    var line: Int?
    if tally.entries[column.slot].first == nil {
      // There may be very many columns: the lines are counted once for all of them.
      let known = lines ?? RowLines([batch])
      lines = known
      line = known[RowID(batch: 0, row: row)]
    }
    tally.recordMisfit(
      column.slot, wanted: column.type.valueKind, cell: cell, batch: batch, row: row, line: line)
    var changed = cells.take() ?? batch.cells
    changed[index] = cell.asMisfit
    cells = changed
    return false
  }

  /// Whether a text is of a type in its most common spelling, which is told without making a value.
  @inline(__always)
  private func isCommon(_ text: Span<UInt8>, _ type: ValueType) -> Bool {
    switch type {
    case .number, .decimal, .double: context.marks == .standard && ShortDecimal(text) != nil
    case .int: context.marks == .standard && ShortDecimal(text)?.scale == 0
    case .date, .datetime: context.time(text) != nil
    case .text, .bool, .duration, .size, .list, .object: false
    }
  }

  /// The column of an index, if its cells are checked: the columns are sorted by index.
  private func column(of index: Int) -> CheckedColumn? {
    var (low, high) = (0, columns.count)
    while low < high {
      let middle = (low + high) / 2
      if columns[middle].index < index { low = middle + 1 } else { high = middle }
    }
    return low < columns.count && columns[low].index == index ? columns[low] : nil
  }
}

/// Cuts records and checks their cells again.
private struct CheckingCutter: BatchCutter {
  let cutter: any BatchCutter
  let checker: TypeChecker

  var columnCount: Int { cutter.columnCount }

  var isOrderFree: Bool { cutter.isOrderFree }

  var isSlow: Bool { cutter.isSlow }

  func cut(_ block: ByteBlock, _ range: Range<Int>, origin: Batch.Origin) -> Batch? {
    // The counts have already been made.
    var checker = checker
    guard let batch = cutter.cut(block, range, origin: origin) else { return nil }
    return checker.check(batch, count: batch.rowCount)
  }
}

extension ValueType {
  /// The name for cells of the type in warnings.
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

extension PlannedStep.Work {
  static let types = Self(rawValue: "--types")
}

extension TypeChecker {
  /// The columns of an engine have types.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    if plan.misfits != .null { throw .query(.option("--on-error \(plan.misfits.rawValue)")) }
  }
}
