/// A number in an expression that does not refer to a column, although a column has that number as its name:
/// `sum(2024)`.
public struct NumberName: Sendable {
  /// The option that contains the expression, as typed.
  public let option: String
  /// The number, as typed and as the name of the column.
  public let number: String
  /// The text of the expression.
  public let expression: String
}

extension NumberName {
  /// Finds the first of a plan.
  ///
  /// - Parameter schema: the columns of the input, if they have names.
  init?(in plan: Plan, _ schema: Schema) {
    let found = (plan.computing + plan.drawing).lazy.compactMap { NumberName($0, schema) }.first
    guard let found else { return nil }
    self = found
  }

  /// Examines one expression: a name, `$2`, and a call without arguments, such as `row_number()`, are unambiguous.
  private init?(_ source: SourceExpression, _ schema: Schema) {
    var number: String?
    var place = Int.max
    var parts = [source.expression]
    while let part = parts.popLast() {
      switch part.kind {
      case .column, .position, .record, .call(_, []): return nil
      case .number(let digits):
        guard part.range.lowerBound < place, schema.index(of: digits) != nil else { continue }
        (number, place) = (digits, part.range.lowerBound)
      default: parts += part.operands
      }
    }
    guard let number else { return nil }
    option = source.option
    self.number = number
    expression = source.text.bytes(source.expression.range)
  }
}

extension Plan {
  /// The expressions that compute cells, groups and the order of rows, or that choose rows.
  var computing: [SourceExpression] {
    var sources = computations.flatMap(\.assignments).flatMap { [$0.value, $0.condition].compactMap(\.self) }
    sources += filters
    for case .matching(let source) in deletions { sources.append(source) }
    if let grouping { sources += grouping.values.map(\.source) + grouping.aggregates.map(\.value) }
    sources += computed.flatMap { [$0.value, $0.condition].compactMap(\.self) }
    if let having { sources.append(having) }
    for key in sortKeys { if case .expression(let source) = key.target { sources.append(source) } }
    return sources
  }
}

extension Plan {
  /// The expressions that check, move, mark and draw rows.
  fileprivate var drawing: [SourceExpression] {
    var sources = rules.map(\.condition)
    var choices = layout.selections
    for move in moves {
      choices.append(move.what)
      switch move.place {
      case .beforeMatch(let source), .afterMatch(let source): sources.append(source)
      case .top, .bottom, .beforeRow, .afterRow: break
      }
    }
    for case .matching(let source) in choices { sources.append(source) }
    for rule in layout.rowBackgrounds + layout.rowOverlays + layout.cellStyles.map(\.rule) {
      sources += [rule.condition, rule.foreground, rule.background].compactMap(\.self)
    }
    var templates = layout.formats.map(\.template) + [layout.cardTitle].compactMap(\.self)
    if case .template(let template)? = layout.rowNames { templates.append(template) }
    var footers = layout.footers
    if let sections = layout.sections {
      sources.append(sections.value)
      if let header = sections.header { templates.append(header) }
      switch sections.footer {
      case .text(let template): templates.append(template)
      case .columns(let footer): footers.append(footer)
      case nil: break
      }
    }
    for case .templates(let parts) in footers { templates += parts.map(\.template) }
    return sources + templates.flatMap(\.expressions)
  }
}

extension SourceTemplate {
  /// The expressions in its braces.
  fileprivate var expressions: [SourceExpression] {
    template.pieces.compactMap { piece in
      guard case .field(let expression?, _, _) = piece else { return nil }
      return SourceExpression(expression, in: text, option: option)
    }
  }
}
