/// Comparisons and other tests. How two sides are compared was decided when they were bound.
extension SQLWriter {
  /// A test, which is true, false or null.
  func test(_ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    var (node, isNegated) = (typed.node, false)
    if case .not(let inner) = node { (node, isNegated) = (inner, true) }
    switch node {
    case .isNull:
      return try isNull(try value(tested(typed)), isNegated: isNegated)
    case .isEmpty:
      return try isEmpty(try value(tested(typed)), isNegated: isNegated)
    case .isBool(_, let wanted):
      let word = "IS \(isNegated ? "NOT " : "")\(wanted ? "TRUE" : "FALSE")"
      return comparison("\(try truth(typed.parts[0]).text(.sum)) \(word)")
    case .comparison(let symbol, _, _, let sides):
      return try comparison(symbol, typed.parts[0], typed.parts[1], sides, typed)
    case .between(_, _, let low, _, let high):
      let lower = try comparison(.greaterOrEqual, typed.parts[0], typed.parts[1], low, typed)
      let upper = try comparison(.lessOrEqual, typed.parts[0], typed.parts[2], high, typed)
      return negated(
        SQLFragment(text: "\(lower.text) AND \(upper.text)", type: .bool, rank: .and), isNegated)
    case .membership(_, let items): return try membership(items.map(\.sides), isNegated, typed)
    case .distinct(_, _, let sides):
      let (left, right) = try self.sides(typed.parts[0], typed.parts[1], sides, typed)
      return comparison("\(left.text(.sum)) IS \(isNegated ? "NOT " : "")DISTINCT FROM \(right.text(.sum))")
    case .like(_, _):
      guard case .like(_, _, let ignoresCase, _) = typed.expression.kind else { return .null }
      return try like(ignoresCase: ignoresCase, isNegated: isNegated, typed)
    case .isType, .dynamicLike, .listMembership:
      throw refusal(.untranslated(name(of: typed), dialect: dialect.rawValue), typed)
    case .match, .dynamicMatch:
      guard case .match(_, let pattern, _) = typed.expression.kind else { return .null }
      return negated(try match(typed.parts[0], pattern, typed), isNegated)
    default: throw refusal(.undecidedComparison, typed)
    }
  }

  /// The part that is tested for null or for being empty: not the literal beside it.
  private func tested(_ typed: TypedExpression) -> TypedExpression {
    guard case .comparison(_, let left, _) = typed.expression.kind, typed.parts.count == 2 else {
      return typed.parts[0]
    }
    switch left.kind {
    case .null: return typed.parts[1]
    case .text(let text) where text.isEmpty: return typed.parts[1]
    default: return typed.parts[0]
    }
  }

  private func name(of typed: TypedExpression) -> String {
    switch typed.expression.kind {
    case .like(_, _, let ignoresCase, _): ignoresCase ? "ilike" : "like"
    case .membership: "in"
    case .match: "=~"
    default: "is"
    }
  }

  /// A test that stands between values.
  private func comparison(_ text: String) -> SQLFragment {
    SQLFragment(text: text, type: .bool, rank: .comparison)
  }

  private func negated(_ test: SQLFragment, _ isNegated: Bool) -> SQLFragment {
    isNegated ? SQLFragment(text: "NOT (\(test.text))", type: .bool, rank: .not) : test
  }

  private func isNull(_ value: SQLFragment, isNegated: Bool) throws(ExpressionError) -> SQLFragment {
    comparison("\(value.text(.sum)) IS \(isNegated ? "NOT " : "")NULL")
  }

  /// Whether a value is null or a text without characters.
  func isEmpty(_ value: SQLFragment, isNegated: Bool) throws(ExpressionError) -> SQLFragment {
    guard value.type == .text else { return try isNull(value, isNegated: isNegated) }
    let text = value.text(.sum)
    return isNegated
      ? SQLFragment(text: "\(text) IS NOT NULL AND \(text) <> ''", type: .bool, rank: .and)
      : SQLFragment(text: "\(text) IS NULL OR \(text) = ''", type: .bool, rank: .or)
  }

  /// Both sides of a comparison, as what they are compared.
  private func sides(
    _ left: TypedExpression, _ right: TypedExpression, _ sides: Node.Sides, _ typed: TypedExpression
  ) throws(ExpressionError) -> (SQLFragment, SQLFragment) {
    switch sides {
    case .numbers:
      return (
        try number(left, beside: try value(right).type), try number(right, beside: try value(left).type)
      )
    case .texts: return (try text(left), try text(right))
    case .bools: return (try truth(left), try truth(right))
    case .times, .dated: return try times(time(left), time(right))
    case .durations, .sizes: throw refusal(.kind(sides == .sizes ? .size : .duration), typed)
    case .cells:
      let (first, second) = (try value(left), try value(right))
      guard let one = first.type, let other = second.type else { return (first, second) }
      if one.isNumber, other.isNumber { return (first, second) }
      if one.isTime, other.isTime { return times(first, second) }
      if one == other, one != .other { return (first, second) }
      throw refusal(.undecidedComparison, typed)
    }
  }

  /// A number; a literal with decimals beside a double is a double.
  private func number(
    _ typed: TypedExpression, beside other: SQLType?
  ) throws(ExpressionError) -> SQLFragment {
    let value = try number(typed)
    guard other == .double, case .decimal = value.type, case .number(let number)? = typed.node.constant else {
      return value
    }
    return SQLFragment(text: dialect.double(number.doubleValue), type: .double)
  }

  /// A date beside a date with a time is the begin of the day.
  private func times(_ left: SQLFragment, _ right: SQLFragment) -> (SQLFragment, SQLFragment) {
    guard dialect == .sqlite, left.type != right.type else { return (left, right) }
    func whole(_ value: SQLFragment) -> SQLFragment {
      value.type == .date
        ? SQLFragment(text: "\(value.text(.sum)) || ' 00:00:00'", type: .datetime, rank: .sum) : value
    }
    return (whole(left), whole(right))
  }

  private func comparison(
    _ symbol: Expression.ComparisonOperator, _ left: TypedExpression, _ right: TypedExpression,
    _ sides: Node.Sides, _ typed: TypedExpression
  ) throws(ExpressionError) -> SQLFragment {
    let (first, second) = try self.sides(left, right, sides, typed)
    let sign = symbol == .notEqual ? "<>" : symbol.rawValue
    // Postgres orders texts by its locale, not by their bytes.
    let isOrder = symbol != .equal && symbol != .notEqual
    let collation = dialect == .postgres && isOrder && first.type == .text ? " COLLATE \"C\"" : ""
    return comparison("\(first.text(.sum)) \(sign) \(second.text(.sum))\(collation)")
  }

  private func membership(
    _ sides: [Node.Sides], _ isNegated: Bool, _ typed: TypedExpression
  ) throws(ExpressionError) -> SQLFragment {
    var subject: String?
    var items: [String] = []
    for (item, kind) in zip(typed.parts.dropFirst(), sides) {
      let (left, right) = try self.sides(typed.parts[0], item, kind, typed)
      let text = left.text(.sum)
      guard subject == nil || subject == text else { throw refusal(.mixedTypes, typed) }
      subject = text
      items.append(right.text(.or))
    }
    return comparison("\(subject ?? "") \(isNegated ? "NOT " : "")IN (\(items.joined(separator: ", ")))")
  }

  /// `like` and `ilike`: `%` and `_` are the only signs with a meaning, and both take line ends.
  private func like(
    ignoresCase: Bool, isNegated: Bool, _ typed: TypedExpression
  ) throws(ExpressionError) -> SQLFragment {
    guard let pattern = try value(typed.parts[1]).literal else {
      throw refusal(.untranslated(ignoresCase ? "ilike" : "like", dialect: dialect.rawValue), typed)
    }
    var subject = try text(typed.parts[0])
    if ignoresCase {
      guard let lower = SQLTranslations.template("lower/1", dialect) else {
        throw refusal(.untranslated("ilike", dialect: dialect.rawValue), typed)
      }
      subject = SQLFragment(text: SQLFragment.filling(lower, [subject]), type: .text)
      let lowered = String(decoding: CaseMapping.lowercased(pattern.utf8.span).span)
      return try like(subject, lowered, isNegated, typed)
    }
    return try like(subject, pattern, isNegated, typed)
  }

  private func like(
    _ subject: SQLFragment, _ pattern: String, _ isNegated: Bool, _ typed: TypedExpression
  ) throws(ExpressionError) -> SQLFragment {
    var written = pattern
    var (word, ending) = ("LIKE", "")
    switch dialect {
    case .sqlite:
      // Its LIKE takes upper and lower case of ASCII for the same.
      word = "GLOB"
      written = pattern.map { character in
        switch character {
        case "%": "*"
        case "_": "?"
        case "*", "?", "[": "[\(character)]"
        default: String(character)
        }
      }.joined()
    case .postgres, .trino, .ansi, .portable: ending = dialect == .postgres ? " ESCAPE ''" : ""
    case .clickhouse, .spark: written = pattern.map { $0 == "\\" ? "\\\\" : String($0) }.joined()
    case .duckdb: break
    }
    guard let literal = dialect.text(written) else { throw refusal(.nul, typed) }
    return comparison("\(subject.text(.sum)) \(isNegated ? "NOT " : "")\(word) \(literal)\(ending)")
  }

  /// `=~`: whether a pattern fits somewhere in a text.
  func match(
    _ subject: TypedExpression, _ pattern: Expression, _ typed: TypedExpression
  ) throws(ExpressionError) -> SQLFragment {
    guard let template = SQLTranslations.template("matches/2", dialect) else {
      throw refusal(.untranslated("=~", dialect: dialect.rawValue), typed)
    }
    let text = SQLFragment.filling(template, [try text(subject), try self.pattern(pattern, typed)])
    return SQLFragment(text: text, type: .bool, rank: SQLFragment.isWhole(text) ? .whole : .comparison)
  }

  /// A pattern as the dialect spells it, if it means the same there.
  func pattern(
    _ expression: Expression, _ typed: TypedExpression
  ) throws(ExpressionError) -> SQLFragment {
    let text: String?
    switch expression.kind {
    case .pattern(let source, let flags):
      text = SQLPattern.text(source, flags: PatternFlags(letters: flags) ?? [], dialect)
    case .text(let source): text = SQLPattern.text(source, flags: [], dialect)
    default: throw refusal(.notConstant, typed)
    }
    guard let text, let literal = dialect.text(text) else {
      throw refusal(.pattern(dialect: dialect.rawValue), typed)
    }
    return SQLFragment(text: literal, type: .text)
  }
}
