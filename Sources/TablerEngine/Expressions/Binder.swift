/// Turns syntax into a program: names become columns, kinds are checked, constants computed.
///
/// Everything that can be refused is refused here, before any row is read.
struct Binder {
  /// The columns; an open schema takes note of names that may still come.
  var schema: Schema

  /// The texts of `--arg`.
  let arguments: NamedTexts

  /// What programs know besides their nodes.
  let context: EvaluationContext

  /// What the name `n` means in templates of rows.
  enum RowNumberName {
    /// A column like any other.
    case column
    /// The number of the row shown, unless a column has that name.
    case unlessColumn
    /// The number of the row shown; a column of that name stands in backquotes.
    case always
  }

  /// What the name `n` means here.
  var rowNumberName = RowNumberName.column

  /// The column `n` that may still come, where a template has the name and nothing else asked for it.
  var columnN: Int?

  /// The aggregates met, where they are allowed; nil where rows are seen one by one.
  var aggregates: [BoundAggregate]?

  /// Whether an aggregate is being bound, inside which rows are seen one by one.
  var isInsideAggregate = false

  /// How many patterns were compiled.
  var patternCount = 0

  /// The names of the columns whose misfits are counted, by slot.
  var slots: [String] = []

  /// Creates a binder for expressions over `schema`.
  init(schema: Schema, arguments: NamedTexts = NamedTexts(), context: EvaluationContext = EvaluationContext())
  {
    self.schema = schema
    self.arguments = arguments
    self.context = context
  }

  /// Binds an expression of any kind: a sort key, a derived value.
  mutating func bind(_ source: SourceExpression) throws(ExpressionError) -> Program {
    slots = []
    patternCount = 0
    let bound = try bind(source.expression, source)
    let value = try single(bound, source)
    return Program(node: value.node, context: context, slots: slots)
  }

  /// Binds an expression that must yield true or false.
  mutating func bind(condition source: SourceExpression) throws(ExpressionError) -> Program {
    slots = []
    patternCount = 0
    let bound = try single(try bind(source.expression, source), source)
    switch bound.kind {
    case .any, .bool, .null: return Program(node: bound.node, context: context, slots: slots)
    case .number, .text, .list:
      if let column = spelledColumn(bound) {
        let range = source.expression.range
        throw source.error(.textIsColumn(literal: source.text.bytes(range), column: column), at: range)
      }
      throw source.error(.conditionNeeded(is: bound.kind.valueKind), at: source.expression.range)
    }
  }
}

/// A bound expression with what is known of its value.
struct Bound {
  /// The program.
  var node: Node
  /// What kind of value it yields.
  var kind: StaticKind
  /// The expression it comes from.
  var expression: Expression

  /// Whether the expression is a text, number, true or false as written.
  var isLiteral: Bool {
    switch expression.form {
    case .text, .number, .bool, .null: true
    case .negation(let operand), .plus(let operand):
      if case .number = operand.form { true } else { false }
    default: false
    }
  }
}
