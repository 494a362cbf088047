extension Expression {
  /// Whether the expression, or a part of it, calls an aggregate.
  var usesAggregates: Bool {
    if case .call(let name, _) = form, Aggregate(rawValue: name.text.lowercased()) != nil { return true }
    return parts.contains { $0.usesAggregates }
  }

  /// The expressions directly inside this one.
  var parts: [Expression] {
    switch form {
    case .null, .bool, .number, .text, .pattern, .column, .position, .record, .argument: []
    case .path(let base, let steps): [base] + steps.flatMap(\.parts)
    case .list(let items), .call(_, let items), .logical(_, let items, _), .coalesce(let items): items
    case .negation(let operand), .plus(let operand), .not(let operand, _), .test(let operand, _, _): [operand]
    case .chain(let first, let links): [first] + links.map(\.operand)
    case .power(let left, let right), .comparison(_, let left, let right),
      .membership(let left, let right, _),
      .like(let left, let right, _, _), .match(let left, let right, _), .distinct(let left, let right, _):
      [left, right]
    case .between(let subject, let low, let high, _): [subject, low, high]
    case .conditional(let condition, let then, let otherwise): [condition, then, otherwise]
    case .choice(let branches, let otherwise):
      branches.flatMap { [$0.condition, $0.value] } + (otherwise.map { [$0] } ?? [])
    }
  }
}

extension Expression.Step {
  fileprivate var parts: [Expression] {
    switch self {
    case .member: []
    case .item(let index): [index]
    case .slice(let low, let high): [low, high].compactMap { $0 }
    }
  }
}
