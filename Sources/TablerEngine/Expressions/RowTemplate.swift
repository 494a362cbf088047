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

  /// The column `n` that may still come, which `{n}` means then.
  private let columnN: Int?
  private var hasColumnN = false

  /// Makes a template of its bound pieces.
  init(_ pieces: [BoundPiece], _ context: EvaluationContext, slots: [String], columnN: Int? = nil) {
    self.pieces = pieces
    self.context = context
    self.slots = slots
    self.columnN = columnN
    hasFields = pieces.contains { if case .field = $0 { true } else { false } }
  }

  /// A state in which nothing was counted yet.
  var freshState: EvaluationState {
    var state = EvaluationState(slots: slots)
    state.hasColumnN = hasColumnN
    return state
  }

  /// The template for a table of these columns, which need not all have been known when it was bound.
  func settled(_ schema: Schema) -> RowTemplate {
    var template = self
    template.hasColumnN = columnN.map { schema.columns[$0].isSeen } ?? false
    return template
  }

  /// Appends the template filled by a row; false, and nothing appended, when the cell is no number for its spec, or
  /// more text comes out than an expression may make.
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
    var isFilled = true
    for piece in pieces {
      switch piece {
      case .text(let text): buffer.append(text)
      case .cell(nil):
        isFilled = cell.count <= context.longestText
        if isFilled { buffer.append(cell) }
      case .cell(let spec?): isFilled = apply(spec, to: cell, kind, &buffer)
      case .field(let node, let spec):
        guard let value = evaluator?.value(node) else { continue }
        isFilled = evaluator?.append(value, spec, to: &buffer) ?? true
      }
      if isFilled, buffer.count - start <= context.longestText { continue }
      buffer.truncate(to: start)
      isFilled = false
      break
    }
    if let evaluator { state = evaluator.state }
    return isFilled
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
