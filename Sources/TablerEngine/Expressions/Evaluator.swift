/// Runs a bound expression on a row of a batch.
///
/// There is one function for each kind a user may ask for - `number`, `truth`, `text`, and `value` for what
/// takes any - and a cell converts to what is asked. Misfits are counted where the cell is read. It cannot be copied: a
/// copy for every row costs more than most functions do.
struct Evaluator: ~Copyable {
  /// The batch at hand.
  let batch: Batch

  /// The row at hand, counted from 0 in the batch.
  var row: Int

  /// What is left behind.
  var state: EvaluationState

  /// What the program knows besides its nodes.
  let context: EvaluationContext

  /// The values of the aggregates, where there are some.
  var aggregates: [Value] = []

  /// The patterns at work, by their index.
  var matchers: [PatternMatcher?] = []

  /// The pattern that the last row brought.
  var lastPattern: (source: [UInt8], matcher: PatternMatcher?)?

  private var lastLine: (row: Int, line: Int)?

  /// Starts at a row of `batch`.
  init(_ context: EvaluationContext, batch: Batch, row: Int = 0, state: EvaluationState) {
    self.context = context
    self.batch = batch
    self.row = row
    self.state = state
  }
}

/// What a program knows besides its nodes.
struct EvaluationContext: Sendable {
  /// The marks of numbers in cells.
  var marks = NumberMarks.standard

  /// The names of the inputs, by the index that batches carry.
  var sourceNames: [String] = []

  /// How text is measured.
  var metrics = TextMetrics()
}

// MARK: - Values

extension Evaluator {
  /// The value of `node`, of whatever kind it is.
  mutating func value(_ node: Node) -> Value {
    switch node {
    case .constant(let value): return value
    case .argument(let text, _): return .text(text)
    case .cell(let column, _): return value(of: batch.cell(row: row, column: column))
    case .record: return .text(record())
    case .way(let column, _): return value(of: batch.value(of: column, row: row))
    case .path, .item, .slice: return member(node)
    case .shownRow(let column):
      if let column, state.hasColumnN { return value(column) }
      return .int(state.shownRow)
    case .row(let reading): return reading(&self)
    case .aggregate(let index): return aggregates.indices.contains(index) ? aggregates[index] : .null
    case .arithmetic, .negation, .power: return .optional(number(node))
    case .join(let nodes): return .optional(joined(nodes))
    case .logical, .not, .comparison, .between, .distinct, .membership, .listMembership, .like, .dynamicLike,
      .match,
      .dynamicMatch, .isNull, .isEmpty, .isBool, .isType:
      return .optional(truth(node))
    case .coalesce(let nodes):
      for node in nodes {
        let value = value(node)
        if !value.isNull { return value }
      }
      return .null
    case .choice(let branches, let otherwise): return value(chosen(branches, otherwise))
    case .call(let computation, let arguments): return call(computation, arguments)
    case .patternCall(let matching, let subject, let pattern, let rest):
      return call(matching, subject, pattern, rest)
    case .must(let node, let type): return must(node, type)
    case .format(let text, let arguments): return .text(text.filled(by: values(arguments), self))
    }
  }

  /// The value of a call.
  mutating func call(_ computation: Function.Computation, _ arguments: [Node]) -> Value {
    switch computation {
    case .value(let compute): return compute(&self, arguments)
    case .text(let compute):
      guard let text = text(arguments[0]) else { return .null }
      return .text(compute(text.bytes(in: batch)))
    case .test: return .optional(truth(of: computation, arguments))
    case .count, .number, .real: return .optional(number(of: computation, arguments))
    }
  }

  /// The values of several nodes.
  mutating func values(_ nodes: [Node]) -> [Value] {
    var values: [Value] = []
    for node in nodes { values.append(value(node)) }
    return values
  }

  /// The value of a cell, before anybody asks it to convert.
  func value(of cell: Cell) -> Value {
    switch cell.kind {
    case .null, .missing, .empty: .null
    case .list: .list(TextValue(cell))
    case .object: .object(TextValue(cell))
    case .text: .text(TextValue(cell, isString: batch.origin.dialect.form == .json))
    case .number, .bool: .text(TextValue(cell))
    }
  }

  /// The branch of a `case` or `if` that the row takes.
  mutating func chosen(_ branches: [Node.Branch], _ otherwise: Node) -> Node {
    for branch in branches where truth(branch.condition) == true { return branch.value }
    return otherwise
  }

  /// The row as text: its cells joined by tabs, up to the last that it has.
  private func record() -> [UInt8] {
    var bytes: [UInt8] = []
    for column in 0..<batch.fieldCount(ofRow: row) {
      if column > 0 { bytes.append(9) }
      let content = batch.content(batch.cell(row: row, column: column))
      for index in content.indices { bytes.append(content[index]) }
    }
    return bytes
  }

  /// The line of the row; counted on from the row asked for before, where that lies above.
  mutating func line() -> Int {
    guard batch.rowCount > 0 else { return batch.origin.line }
    let line = lastLine.map { batch.line(ofRow: row, from: $0) } ?? batch.line(ofRow: row)
    lastLine = (row, line)
    return line
  }

  /// The name of the input that the row comes from.
  var fileName: String {
    let source = batch.source(ofRow: row)
    return context.sourceNames.indices.contains(source) ? context.sourceNames[source] : ""
  }

  private mutating func must(_ node: Node, _ type: Expression.TypeName) -> Value {
    let value = value(node)
    if value.isNull { return .null }
    let converted = convert(value, to: type)
    if converted.isNull, state.failure == nil {
      let text = text(of: value).map { Array(copying: $0.bytes(in: batch)) }
      state.failure = MustFailure(
        source: batch.rowCount > 0 ? batch.source(ofRow: row) : 0, line: batch.rowCount > 0 ? line() : nil,
        text: text ?? [], type: type)
    }
    return converted
  }
}
