/// Keeps the rows of a batch for which a condition is true, or false.
struct Selection: ~Copyable {
  /// What evaluates everything that has no loop of its own, and counts misfits.
  var evaluator: Evaluator

  private let batch: Batch

  /// Starts with the rows of `batch`.
  init(_ context: EvaluationContext, batch: Batch, state: EvaluationState) {
    evaluator = Evaluator(context, batch: batch, state: state)
    self.batch = batch
  }

  /// Keeps the rows for which `condition` is `wanted`; null is neither.
  mutating func keep(_ rows: inout [UInt32], where condition: Condition, is wanted: Bool) {
    switch condition {
    case .all(let parts): keep(&rows, parts, together: wanted, is: wanted)
    case .any(let parts): keep(&rows, parts, together: !wanted, is: wanted)
    case .not(let part): keep(&rows, where: part, is: !wanted)
    case .number(let column, let slot, let symbol, let threshold):
      keepNumbers(&rows, column, slot) { symbol.holds(threshold.order(of: $0, kind: $1), is: wanted) }
    case .numbers(let column, let slot, let thresholds):
      keepNumbers(&rows, column, slot) { Self.holds(thresholds, $0, $1, is: wanted) }
    case .text(let column, .equal, let text):
      keepTexts(&rows, column) { $0.equals(text.span) == wanted }
    case .text(let column, .notEqual, let text):
      keepTexts(&rows, column) { $0.equals(text.span) != wanted }
    case .text(let column, let symbol, let text):
      keepTexts(&rows, column) { symbol.holds($0.order(against: text.span)) == wanted }
    case .texts(let column, let set):
      keepTexts(&rows, column) { set.contains($0) == wanted }
    case .like(let column, let pattern):
      keepTexts(&rows, column) { pattern.matches($0) == wanted }
    case .match(let column, let pattern):
      let matcher = evaluator.matcher(pattern)
      keepTexts(&rows, column) { matcher.matches($0) == wanted }
    case .test(let column, let test, let text):
      keepTexts(&rows, column) { test($0, text.span) == wanted }
    case .isNull(let column):
      keepCells(&rows, column) { $0.isNull == wanted }
    case .isEmpty(let column):
      keepCells(&rows, column) { ($0.isNull || ($0.length == 0 && $0.kind == .text)) == wanted }
    case .general(let node): keepGeneral(&rows, node, wanted)
    }
  }

  /// Rows that all parts keep, or rows that one part keeps.
  private mutating func keep(
    _ rows: inout [UInt32], _ parts: [Condition], together: Bool, is wanted: Bool
  ) {
    if together {
      for part in parts where !rows.isEmpty { keep(&rows, where: part, is: wanted) }
      return
    }
    var isKept = [Bool](repeating: false, count: batch.rowCount)
    var rest = rows
    for part in parts where !rest.isEmpty {
      var hits = rest
      keep(&hits, where: part, is: wanted)
      for row in hits { isKept[Int(row)] = true }
      if !hits.isEmpty { rest.keep { !isKept[Int($0)] } }
    }
    rows.keep { isKept[Int($0)] }
  }

  private mutating func keepGeneral(_ rows: inout [UInt32], _ node: Node, _ wanted: Bool) {
    var kept = 0
    for index in rows.indices {
      evaluator.row = Int(rows[index])
      if evaluator.truth(node) == wanted {
        rows[kept] = rows[index]
        kept &+= 1
      }
    }
    rows.removeLast(rows.count - kept)
  }
}

// MARK: - Loops

extension Selection {
  @inline(__always)
  private func keepCells(_ rows: inout [UInt32], _ column: Int, where test: (Cell) -> Bool) {
    let batch = batch
    rows.keep { test(batch.cell(row: Int($0), column: column)) }
  }

  @inline(__always)
  private func keepTexts(_ rows: inout [UInt32], _ column: Int, where test: (Span<UInt8>) -> Bool) {
    let batch = batch
    rows.keep { row in
      let cell = batch.cell(row: Int(row), column: column)
      return !cell.isNull && test(batch.content(cell))
    }
  }

  /// The test gives nil for what is no number.
  @inline(__always)
  private mutating func keepNumbers(
    _ rows: inout [UInt32], _ column: Int, _ slot: Int, where test: (Span<UInt8>, Cell.Kind) -> Bool?
  ) {
    let batch = batch
    var kept = 0
    for index in rows.indices {
      let row = Int(rows[index])
      let cell = batch.cell(row: row, column: column)
      if cell.isNull { continue }
      if let isKept = test(batch.content(cell), cell.kind) {
        if isKept {
          rows[kept] = UInt32(truncatingIfNeeded: row)
          kept &+= 1
        }
      } else if cell.length > 0 {
        evaluator.state.tally.note(slot, wanted: .number, cell: cell, batch: batch, row: row)
      }
    }
    rows.removeLast(rows.count - kept)
  }

  private static func holds(
    _ thresholds: [NumberThreshold], _ text: Span<UInt8>, _ kind: Cell.Kind, is wanted: Bool
  ) -> Bool? {
    for threshold in thresholds {
      guard let order = threshold.order(of: text, kind: kind) else { return nil }
      if order == 0 { return wanted }
    }
    return !wanted
  }
}

extension Expression.Comparison {
  /// Whether the comparison has this truth for sides in this order; nil if there is no order.
  @inline(__always)
  fileprivate func holds(_ order: Int?, is wanted: Bool) -> Bool? {
    guard let order else { return nil }
    return holds(order) == wanted
  }
}

extension [UInt32] {
  /// Keeps the elements that pass the test, in their order.
  @inline(__always)
  fileprivate mutating func keep(where test: (UInt32) -> Bool) {
    var kept = 0
    for index in indices where test(self[index]) {
      self[kept] = self[index]
      kept &+= 1
    }
    removeLast(count - kept)
  }
}
