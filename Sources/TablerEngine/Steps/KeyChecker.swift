/// Leaves out rows in which a sort key does not convert: `--on-error skip`.
struct KeyChecker: PassingStep {
  private let keys: [BoundKey]
  private let context: EvaluationContext
  private var tally: ConversionTally
  private(set) var states: [EvaluationState]

  /// Prepares to check the keys of an order.
  init(_ order: SortOrder, _ context: EvaluationContext) {
    self.context = context
    keys = order.keys
    tally = order.freshTally
    tally.leaveOut()
    states = keys.map { key in
      if case .program(let program) = key.origin { program.stepState } else { EvaluationState(slots: []) }
    }
  }

  var tallies: [ConversionTally] { [tally] }

  /// Nothing: the sort that comes after it describes itself.
  func planned(_ schedule: Schedule) -> [PlannedStep] { [] }

  /// The rows in which all keys convert.
  mutating func pass(_ rows: Rows, room: Int) -> Rows {
    if keys.isEmpty { return rows }
    var left = Rows()
    rows.forEachRun { batch, run in
      var numbers = run
      for index in keys.indices { check(index, batch, run) }
      let misfits = Set(tally.takeRows() + states.indices.flatMap { states[$0].tally.takeRows() })
      if !misfits.isEmpty { numbers.removeAll { misfits.contains($0) } }
      if !numbers.isEmpty { left.append(Rows(batch, numbers)) }
    }
    return left
  }

  private mutating func check(_ index: Int, _ batch: Batch, _ rows: [UInt32]) {
    let key = keys[index]
    switch key.origin {
    case .cells(let column): check(index, ResolvedColumn(index: column), batch, rows)
    case .way(let column): check(index, column, batch, rows)
    case .program(let program):
      var misfits: [(row: Int, text: [UInt8])] = []
      program.forEachValue(batch, rows: rows.span, state: &states[index]) { value, evaluator in
        guard let type = key.comparison.type, !value.isNull, evaluator.convert(value, to: type).isNull else {
          return
        }
        let text = evaluator.text(of: value).map { Array(copying: $0.bytes(in: batch)) } ?? []
        if key.coder.isAmount(text.span) { return }
        misfits.append((evaluator.row, text))
      }
      for (row, text) in misfits {
        tally.recordMisfit(index, wanted: key.comparison.valueKind, text.span, batch: batch, row: row)
      }
    }
  }

  private mutating func check(_ index: Int, _ column: ResolvedColumn, _ batch: Batch, _ rows: [UInt32]) {
    guard let type = keys[index].comparison.type else { return }
    var evaluator = Evaluator(context, batch: batch, state: EvaluationState(slots: []))
    for row in rows {
      evaluator.row = Int(row)
      let value = evaluator.value(.way(column, slot: -1))
      guard let text = evaluator.text(of: value), evaluator.convert(value, to: type).isNull else { continue }
      let bytes = text.bytes(in: batch)
      if bytes.count == 0 || keys[index].coder.isAmount(bytes) { continue }
      tally.recordMisfit(index, wanted: keys[index].comparison.valueKind, bytes, batch: batch, row: Int(row))
    }
  }
}

extension SortKey.Comparison {
  /// The type that values are converted to.
  fileprivate var type: ValueType? {
    switch self {
    case .number: .number
    case .date: .datetime
    case .duration: .duration
    case .size: .size
    case .auto, .text, .natural, .nocase, .length, .version: nil
    }
  }
}

extension KeyChecker {
  /// It has nothing to do if misfits are null.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {}
}
