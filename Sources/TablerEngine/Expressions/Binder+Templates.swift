/// Templates are bound field by field; all fields share their counts of misfits.
extension Binder {
  /// Binds a template that each row fills.
  ///
  /// - Parameters:
  ///   - source: the template.
  ///   - hasCell: whether there is a cell that `{}` stands for, as in `--format`.
  ///   - rowNumberName: what `{n}` means.
  mutating func bind(
    row source: SourceTemplate, hasCell: Bool, rowNumberName: RowNumberName = .unlessColumn
  ) throws(ExpressionError) -> RowTemplate {
    slots = []
    patternCount = 0
    aggregates = nil
    self.rowNumberName = rowNumberName
    defer { self.rowNumberName = .column }
    return RowTemplate(try pieces(source, hasCell: hasCell), context, slots: slots, columnN: columnN)
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
