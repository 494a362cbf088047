/// A template that all rows fill through aggregates: of `--footer`.
struct FooterTemplate: Sendable {
  private let pieces: [BoundPiece]
  private let context: EvaluationContext
  private var aggregators: [Aggregator]

  /// The value of the name that is no column, where there is one.
  var given = Value.null

  /// What is left behind, but for the misfits in aggregates.
  private var state: EvaluationState

  /// Binds the template of a footer.
  init(
    _ pieces: [BoundPiece], _ aggregates: [BoundAggregate], _ context: EvaluationContext, slots: [String]
  ) {
    self.pieces = pieces
    self.context = context
    aggregators = aggregates.map { Aggregator($0, slots: slots) }
    state = EvaluationState(slots: slots)
  }

  /// Whether rows make a difference to what it says.
  var needsRows: Bool { !aggregators.isEmpty }

  /// The cells that did not convert, each counted once however many aggregates saw it.
  var tally: ConversionTally {
    var tally = state.tally
    for aggregator in aggregators { tally.widen(aggregator.misfitCells) }
    return tally
  }

  /// The first `must()` that failed, of a row or of all rows.
  var failure: MustFailure? {
    if let failure = state.failure { return failure }
    var evaluator = filled
    for case .field(let node, _) in pieces { _ = evaluator.value(node) }
    return evaluator.state.failure
  }

  /// What fills the fields by what was seen.
  private var filled: Evaluator {
    var evaluator = Evaluator(context, batch: .empty, state: state)
    evaluator.aggregates = aggregators.map(\.result)
    evaluator.given = given
    return evaluator
  }

  /// Takes in rows of a batch, in their order.
  mutating func accumulate(_ batch: Batch, rows: Span<UInt32>) {
    guard !aggregators.isEmpty else { return }
    var evaluator = Evaluator(context, batch: batch, state: state)
    for index in aggregators.indices { aggregators[index].add(rows, &evaluator) }
    state = evaluator.state
  }

  /// Takes in one row of a batch.
  mutating func accumulate(_ batch: Batch, row: Int) {
    let rows = [UInt32(truncatingIfNeeded: row)]
    accumulate(batch, rows: rows.span)
  }

  /// Takes in what another copy saw of the rows after those seen here.
  mutating func merge(_ other: FooterTemplate) {
    for index in aggregators.indices where index < other.aggregators.count {
      aggregators[index].merge(other.aggregators[index])
    }
    state = state.merged(with: other.state)
  }

  /// Appends the template filled by what was seen; nothing where more text comes out than an expression may make.
  func render(into buffer: inout ByteBuffer) {
    let start = buffer.count
    var evaluator = filled
    for piece in pieces {
      switch piece {
      case .text(let text): buffer.append(text)
      case .cell: continue
      case .field(let node, let spec): evaluator.append(evaluator.value(node), spec, to: &buffer)
      }
      if buffer.count - start > context.longestText { return buffer.truncate(to: start) }
    }
  }
}

extension Evaluator {
  /// Appends a value as a template shows it: null as nothing, what is no number for its spec as it is.
  ///
  /// - Returns: `false`, and nothing appended, where a text is longer than an expression may make.
  @discardableResult
  func append(_ value: Value, _ spec: FormatSpec?, to buffer: inout ByteBuffer) -> Bool {
    switch value {
    case .null: break
    case .number(let number):
      if let spec, spec.apply(to: number, marks: context.marks, into: &buffer) { break }
      NumberWriter.append(number, marks: context.marks, to: &buffer)
    case .bool(let truth): buffer.append(truth ? "true" : "false")
    case .text(let text), .list(let text), .object(let text):
      let bytes = text.bytes(in: batch)
      if bytes.count > context.longestText { return false }
      if let spec, spec.apply(to: bytes, marks: context.marks, into: &buffer) { break }
      buffer.append(bytes)
    }
    return true
  }
}
