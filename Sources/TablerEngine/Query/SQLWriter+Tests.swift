/// Comparisons and other tests. How two sides are compared was decided when they were bound.
extension SQLWriter {
  /// A test, which is true, false or null.
  func test(_ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    var (node, isNegated) = (typed.node, false)
    if case .not(let inner) = node { (node, isNegated) = (inner, true) }
    switch node {
    case .isNull:
      return isNull(try value(tested(typed)), isNegated: isNegated)
    case .isEmpty:
      return isEmpty(try value(tested(typed)), isNegated: isNegated)
    case .isBool(_, let wanted):
      let word = "IS \(isNegated ? "NOT " : "")\(wanted ? "TRUE" : "FALSE")"
      return comparison("\(try truth(typed.parts[0]).text(.sum)) \(word)")
    case .comparison(let symbol, _, _, let sides):
      return try comparison(symbol, try side(typed.parts[0]), try side(typed.parts[1]), sides, typed)
    case .between(_, _, let low, _, let high):
      let subject = try side(typed.parts[0])
      let lower = try comparison(.greaterOrEqual, subject, try side(typed.parts[1]), low, typed)
      let upper = try comparison(.lessOrEqual, subject, try side(typed.parts[2]), high, typed)
      return negated(
        SQLFragment(text: "\(lower.text) AND \(upper.text)", type: .bool, rank: .and), isNegated)
    case .membership(_, let items): return try membership(items.map(\.sides), isNegated, typed)
    case .distinct(_, _, let sides):
      let (left, right) = try self.sides(try side(typed.parts[0]), try side(typed.parts[1]), sides, typed)
      return comparison("\(left.text(.sum)) IS \(isNegated ? "NOT " : "")DISTINCT FROM \(right.text(.sum))")
    case .like:
      guard case .like(_, _, let ignoresCase, _) = typed.expression.kind else {
        throw refusal(.undecidedComparison, typed)
      }
      return try like(ignoresCase: ignoresCase, isNegated: isNegated, typed)
    case .isType, .dynamicLike, .listMembership:
      throw refusal(.untranslated(name(of: typed), dialect: dialect.rawValue), typed)
    case .match, .dynamicMatch:
      guard case .match(_, let pattern, _) = typed.expression.kind else {
        throw refusal(.pattern(dialect: dialect.rawValue), typed)
      }
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
    case .match(_, _, let isNegated): isNegated ? "!~" : "=~"
    case .test(_, .type(let type), _): "is \(type.rawValue)"
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

  private func isNull(_ value: SQLFragment, isNegated: Bool) -> SQLFragment {
    comparison("\(value.text(.sum)) IS \(isNegated ? "NOT " : "")NULL")
  }

  /// Whether a value is null or a text without characters.
  func isEmpty(_ value: SQLFragment, isNegated: Bool) -> SQLFragment {
    guard value.type?.isText ?? false else { return isNull(value, isNegated: isNegated) }
    let text = value.text(.sum)
    return isNegated
      ? SQLFragment(text: "\(text) IS NOT NULL AND \(text) <> ''", type: .bool, rank: .and)
      : SQLFragment(text: "\(text) IS NULL OR \(text) = ''", type: .bool, rank: .or)
  }

  /// A part and what it is in SQL, which is written once however often it is compared.
  private typealias Side = (value: SQLFragment, typed: TypedExpression)

  private func side(_ typed: TypedExpression) throws(ExpressionError) -> Side { (try value(typed), typed) }

  /// Both sides of a comparison, as what they are compared.
  private func sides(
    _ left: Side, _ right: Side, _ sides: Node.Sides, _ typed: TypedExpression
  ) throws(ExpressionError) -> (SQLFragment, SQLFragment) {
    let (first, second) = (left.value, right.value)
    switch sides {
    case .numbers:
      return alike(
        double(try number(first, left.typed), left.typed, beside: second),
        double(try number(second, right.typed), right.typed, beside: first))
    case .texts: return (try text(first, left.typed), try text(second, right.typed))
    case .bools: return (try truth(first, left.typed), try truth(second, right.typed))
    case .times, .dated: return times(try time(first, left.typed), try time(second, right.typed))
    case .durations, .sizes: throw refusal(.kind(sides == .sizes ? .size : .duration), typed)
    case .cells:
      guard let one = first.type, let other = second.type else { return (first, second) }
      if one.isNumber, other.isNumber { return alike(first, second) }
      if one.isTime, other.isTime { return times(first, second) }
      if one == .undeclared || other == .undeclared { throw refusal(.undeclared, typed) }
      if one == other, one != .other { return (first, second) }
      throw refusal(.undecidedComparison, typed)
    }
  }

  /// Two numbers as they are compared.
  private func alike(_ first: SQLFragment, _ second: SQLFragment) -> (SQLFragment, SQLFragment) {
    guard case .decimal(let one)? = first.type, case .decimal(let other)? = second.type else {
      return (first, second)
    }
    let type = SQLType.decimal(scale: max(one, other))
    return (alike(first, type), alike(second, type))
  }

  /// A number; a literal with decimals beside a double is a double.
  private func double(_ value: SQLFragment, _ typed: TypedExpression, beside other: SQLFragment)
    -> SQLFragment
  {
    guard other.type == .double, case .decimal = value.type, case .number(let number)? = typed.node.constant
    else {
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
    _ symbol: Expression.ComparisonOperator, _ left: Side, _ right: Side, _ sides: Node.Sides,
    _ typed: TypedExpression
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
    let subject = try side(typed.parts[0])
    var written: String?
    var items: [String] = []
    for (item, kind) in zip(typed.parts.dropFirst(), sides) {
      let (left, right) = try self.sides(subject, try side(item), kind, typed)
      let text = left.text(.sum)
      guard written == nil || written == text else { throw refusal(.mixedTypes, typed) }
      written = text
      items.append(right.text(.or))
    }
    return comparison("\(written ?? "") \(isNegated ? "NOT " : "")IN (\(items.joined(separator: ", ")))")
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
      written = pattern.unicodeScalars.map { character in
        switch character {
        case "%": "*"
        case "_": "?"
        case "*", "?", "[": "[\(character)]"
        default: String(character)
        }
      }.joined()
    case .postgres: ending = " ESCAPE ''"
    case .clickhouse, .spark:
      written = pattern.unicodeScalars.map { $0 == "\\" ? "\\\\" : String($0) }.joined()
    case .duckdb, .trino, .ansi, .portable: break
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
