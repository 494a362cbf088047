/// A piece of a template, ready to be filled.
enum BoundPiece: Sendable {
  case text([UInt8])
  /// `{}` or `{:spec}`: the cell.
  case cell(FormatSpec?)
  case field(Node, FormatSpec?)
}

/// A template that each row fills: of `--format`, `--title-of`, `--row-names`.
struct RowTemplate: Sendable {
  private let pieces: [BoundPiece]
  private let context: EvaluationContext
  private let slots: [String]
  private let hasFields: Bool

  init(_ pieces: [BoundPiece], _ context: EvaluationContext, slots: [String]) {
    self.pieces = pieces
    self.context = context
    self.slots = slots
    hasFields = pieces.contains { if case .field = $0 { true } else { false } }
  }

  /// A state in which nothing was counted yet.
  var freshState: EvaluationState { EvaluationState(slots: slots) }

  /// Appends the template filled by a row; false, and nothing appended, when the cell is no number for its spec.
  ///
  /// - Parameters:
  ///   - batch: where the row lies.
  ///   - row: the row, counted from 0 in the batch.
  ///   - cell: what the cell shown says.
  ///   - kind: what the cell shown is.
  ///   - buffer: where the text goes.
  ///   - state: what is left behind, and the number of the row shown.
  func render(
    _ batch: Batch, row: Int, cell: Span<UInt8>, kind: Cell.Kind, into buffer: inout ByteBuffer,
    state: inout EvaluationState
  ) -> Bool {
    let start = buffer.count
    var evaluator: Evaluator?
    if hasFields { evaluator = Evaluator(context, batch: batch, row: row, state: state) }
    for piece in pieces {
      switch piece {
      case .text(let text): buffer.append(text)
      case .cell(nil): buffer.append(cell)
      case .cell(let spec?):
        guard apply(spec, to: cell, kind, &buffer) else {
          buffer.truncate(to: start)
          return false
        }
      case .field(let node, let spec):
        guard let value = evaluator?.value(node) else { continue }
        evaluator?.append(value, spec, to: &buffer)
      }
    }
    if let evaluator { state = evaluator.state }
    return true
  }

  /// Appends the template filled by a row, where there is no cell to stand for.
  func render(_ batch: Batch, row: Int, into buffer: inout ByteBuffer, state: inout EvaluationState) {
    _ = render(
      batch, row: row, cell: batch.content(.missing), kind: .missing, into: &buffer, state: &state)
  }

  private func apply(
    _ spec: FormatSpec, to cell: Span<UInt8>, _ kind: Cell.Kind, _ buffer: inout ByteBuffer
  ) -> Bool {
    guard kind == .number, context.marks != .standard else {
      return spec.apply(to: cell, marks: context.marks, into: &buffer)
    }
    guard let number = NumberReader.loose(cell) else { return false }
    return spec.apply(to: number, marks: context.marks, into: &buffer)
  }
}

/// A template that all rows fill through aggregates: of `--footer`.
struct FooterTemplate: Sendable {
  private let pieces: [BoundPiece]
  private let context: EvaluationContext
  private var aggregators: [Aggregator]

  /// What is left behind: misfits, a failed `must()`.
  private(set) var state: EvaluationState

  init(
    _ pieces: [BoundPiece], _ aggregates: [BoundAggregate], _ context: EvaluationContext, slots: [String]
  ) {
    self.pieces = pieces
    self.context = context
    aggregators = aggregates.map { Aggregator($0) }
    state = EvaluationState(slots: slots)
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

  /// Takes in what another copy saw of the rows behind those seen here.
  mutating func merge(_ other: FooterTemplate) {
    for index in aggregators.indices where index < other.aggregators.count {
      aggregators[index].merge(other.aggregators[index])
    }
    state.tally.merge(other.state.tally)
    if state.failure == nil { state.failure = other.state.failure }
  }

  /// Appends the template filled by what was seen.
  func render(into buffer: inout ByteBuffer) {
    var evaluator = Evaluator(context, batch: .empty, state: state)
    evaluator.aggregates = aggregators.map(\.result)
    for piece in pieces {
      switch piece {
      case .text(let text): buffer.append(text)
      case .cell: continue
      case .field(let node, let spec): evaluator.append(evaluator.value(node), spec, to: &buffer)
      }
    }
  }
}

extension Evaluator {
  /// Appends a value as a template shows it: null as nothing, what is no number for its spec as it is.
  func append(_ value: Value, _ spec: FormatSpec?, to buffer: inout ByteBuffer) {
    switch value {
    case .null: return
    case .number(let number):
      if let spec, spec.apply(to: number, marks: context.marks, into: &buffer) { return }
      NumberWriter.append(number, marks: context.marks, to: &buffer)
    case .bool(let truth): buffer.append(truth ? "true" : "false")
    case .text(let text), .list(let text), .object(let text):
      let bytes = text.bytes(in: batch)
      if let spec, spec.apply(to: bytes, marks: context.marks, into: &buffer) { return }
      buffer.append(bytes)
    }
  }
}

// MARK: - Binding

extension Binder {
  /// Binds a template that each row fills.
  ///
  /// - Parameters:
  ///   - source: the template.
  ///   - hasCell: whether there is a cell that `{}` stands for, as in `--format`.
  mutating func bind(row source: SourceTemplate, hasCell: Bool) throws(ExpressionError) -> RowTemplate {
    slots = []
    patternCount = 0
    aggregates = nil
    knowsShownRow = true
    defer { knowsShownRow = false }
    return RowTemplate(try pieces(source, hasCell: hasCell), context, slots: slots)
  }

  /// Binds a template that all rows fill.
  mutating func bind(footer source: SourceTemplate) throws(ExpressionError) -> FooterTemplate {
    slots = []
    patternCount = 0
    aggregates = []
    defer { aggregates = nil }
    let pieces = try pieces(source, hasCell: false)
    return FooterTemplate(pieces, aggregates ?? [], context, slots: slots)
  }

  private mutating func pieces(
    _ source: SourceTemplate, hasCell: Bool
  ) throws(ExpressionError) -> [BoundPiece] {
    var pieces: [BoundPiece] = []
    for piece in source.template.pieces {
      switch piece {
      case .text(let text): pieces.append(.text(text))
      case .field(nil, let spec, let range):
        guard hasCell else {
          throw ExpressionError(option: source.option, source: source.text, range: range, kind: .noCell)
        }
        pieces.append(.cell(spec))
      case .field(let expression?, let spec, _):
        let expression = source.expression(expression)
        let bound = try single(try bind(expression.expression, expression), expression)
        pieces.append(.field(bound.node, spec))
      }
    }
    return pieces
  }
}
