/// An expression as the binder understood it: what each part means, and the parts it is made of.
///
/// It has two lowerings: the nodes that are evaluated here, and the query that an engine is sent (`SQLWriter`).
struct TypedExpression: Sendable {
  /// How it was written.
  let expression: Expression

  /// The program of its value: constants are computed, columns are numbers.
  let node: Node

  /// The kind of its value.
  let kind: StaticKind

  /// The function that it calls, if it is a call.
  let function: Function?

  /// The parts that have values, in the order in which they are written: a pattern is none, nor is a list after `in`.
  let parts: [TypedExpression]

  /// What a bound expression means.
  init(_ bound: Bound, _ parts: [TypedExpression]) {
    expression = bound.expression
    node = bound.node
    kind = bound.kind
    self.parts = parts
    function =
      if case .call(let name, _) = bound.expression.kind { Function.named(name.text.lowercased()) } else {
        nil
      }
  }

  /// What has no value.
  static let null = TypedExpression(
    Bound(node: .constant(.null), kind: .null, expression: Expression(kind: .null, range: 0..<0)), [])

  /// Whether a part of it is an aggregate.
  var hasAggregate: Bool {
    if case .aggregate? = function?.body { return true }
    return parts.contains(where: \.hasAggregate)
  }

  /// The columns whose cells it reads, by their numbers.
  var columns: Set<Int> {
    var columns = Set(parts.flatMap(\.columns))
    switch node {
    case .cell(let column, _), .typed(let column, _, _): columns.insert(column)
    case .way(let way, _): columns.insert(way.index)
    default: break
    }
    return columns
  }
}

extension Binder {
  /// Binds an expression of any kind, and keeps what was found.
  mutating func typed(_ source: SourceExpression) throws(ExpressionError) -> TypedExpression {
    try typed { (binder) throws(ExpressionError) in _ = try binder.bind(source) }
  }

  /// Binds an expression that must yield true or false, and keeps what was found.
  mutating func typed(condition source: SourceExpression) throws(ExpressionError) -> TypedExpression {
    try typed { (binder) throws(ExpressionError) in _ = try binder.bind(condition: source) }
  }

  /// Binds a value of a group, and keeps what was found.
  mutating func typed(
    aggregate source: SourceExpression, in row: GroupRow
  ) throws(ExpressionError) -> TypedExpression {
    try typed { (binder) throws(ExpressionError) in _ = try binder.bind(aggregate: source, in: row) }
  }

  /// What is found while `bind` binds one expression.
  private mutating func typed(
    _ bind: (inout Binder) throws(ExpressionError) -> Void
  ) throws(ExpressionError) -> TypedExpression {
    parts = []
    defer { parts = nil }
    try bind(&self)
    return parts?.first ?? .null
  }
}
