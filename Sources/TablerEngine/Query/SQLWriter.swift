/// Writes expressions in SQL so that an engine finds the values that they have here, or refuses them.
///
/// An expression was checked when it was bound: only what differs between here and there is decided now. Types are those
/// of columns and follow from part to part, because SQL converts nothing by its use.
struct SQLWriter {
  /// The dialect.
  let dialect: SQLDialect

  /// Where the expression was typed, for messages.
  let source: SourceExpression

  /// What the columns of the schema are in the query, by their numbers.
  let columns: [Int: QueryColumn]

  /// What keys and earlier aggregates are, in the value of a group outside of aggregates.
  var group: (keys: [SQLFragment], aggregates: [SQLFragment])?

  /// The value of an expression.
  func value(_ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    let value = try written(typed)
    // A template may write an argument several times, which doubles it again and again.
    if value.text.utf8.count > Query.mostBytes { throw refusal(.tooLong, typed) }
    return value
  }

  private func written(_ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    if let constant = typed.node.constant { return try literal(constant, typed) }
    if let function = typed.function { return try call(function, typed) }
    switch typed.expression.kind {
    // A literal is a constant.
    case .null, .bool, .number, .text, .typed: throw refusal(.notConstant, typed)
    case .column, .position, .path: return try reference(typed)
    case .record: throw refusal(.wholeRow, typed)
    case .pattern, .list: throw refusal(.kind(.list), typed)
    case .argument:
      guard case .argument(let text, _) = typed.node else { throw refusal(.notConstant, typed) }
      return try self.text(String(decoding: text.held.span), typed)
    case .negation: return try negation(typed)
    case .plus: return try number(typed.parts[0])
    case .power: return try operation("^", try number(typed.parts[0]), try number(typed.parts[1]), typed)
    case .chain(_, let links): return try chain(links, typed)
    case .logical(let word, _, _): return try logical(word, typed)
    case .not:
      let operand = try truth(typed.parts[0])
      return SQLFragment(text: "NOT " + operand.text(.whole), type: .bool, rank: .not)
    case .coalesce: return try coalesce(typed.parts, typed)
    case .conditional, .choice: return try choice(typed.parts, typed)
    case .comparison, .between, .membership, .like, .match, .test, .distinct: return try test(typed)
    case .call(let name, _): throw refusal(.untranslated(name.text + "()", dialect: dialect.rawValue), typed)
    }
  }

  /// The error for a part that cannot be asked.
  func refusal(_ reason: QueryRefusal, _ typed: TypedExpression) -> ExpressionError {
    source.error(.notInQuery(reason), at: typed.expression.range)
  }
}

// MARK: - Literals and columns

extension SQLWriter {
  private func literal(_ value: Value, _ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    switch value {
    case .null: return .null
    case .bool(let truth): return SQLFragment(text: dialect.bool(truth), type: .bool)
    case .number(let number): return try self.number(number, typed)
    case .text(let text): return try self.text(String(decoding: text.held.span), typed)
    case .time(let time): return try self.time(time, typed)
    case .duration: throw refusal(.kind(.duration), typed)
    case .list, .object: throw refusal(.kind(.list), typed)
    }
  }

  private func text(_ text: String, _ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    guard let written = dialect.text(text) else { throw refusal(.nul, typed) }
    return SQLFragment(text: written, type: .text, literal: text)
  }

  private func number(_ number: Number, _ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    var digits = ByteBuffer()
    NumberWriter.append(number, to: &digits)
    let text = String(decoding: digits.span)
    let rank: SQLFragment.Rank = text.hasPrefix("-") ? .sign : .whole
    switch number {
    case .int(.min): return SQLFragment(text: dialect.cast("'\(text)'", to: .int), type: .int)
    case .int(let value):
      let isLong = dialect == .spark && Int32(exactly: value) == nil
      return SQLFragment(text: isLong ? text + "L" : text, type: .int, rank: rank)
    case .decimal(let decimal):
      let type = SQLType.decimal(scale: decimal.scale)
      switch dialect {
      case .clickhouse: return SQLFragment(text: "toDecimal128('\(text)', \(decimal.scale))", type: type)
      case .sqlite: return SQLFragment(text: dialect.double(decimal.doubleValue), type: .double, rank: rank)
      case .spark: return SQLFragment(text: text + "BD", type: type, rank: rank)
      case .duckdb, .postgres, .trino, .ansi, .portable:
        return SQLFragment(text: text, type: type, rank: rank)
      }
    case .long(_, let value), .double(let value):
      return SQLFragment(text: dialect.double(value), type: .double, rank: rank)
    }
  }

  private func time(_ time: Timestamp, _ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    if time.offset != nil { throw refusal(.offset, typed) }
    var spelling = ByteBuffer()
    time.append(to: &spelling)
    let text = String(decoding: spelling.span)
    return SQLFragment(
      text: dialect.time(text, isDate: time.isDate), type: time.isDate ? .date : .datetime)
  }

  private func reference(_ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    switch typed.node {
    case .cell(let key, _) where group?.keys.indices.contains(key) ?? false: return group?.keys[key] ?? .null
    case .earlier(let number) where group?.aggregates.indices.contains(number) ?? false:
      return group?.aggregates[number] ?? .null
    case .typed(let index, _, _), .cell(let index, _):
      guard let column = columns[index] else { throw refusal(.partOfCell, typed) }
      return column.value
    default: throw refusal(.partOfCell, typed)
    }
  }
}

// MARK: - Kinds

extension SQLWriter {
  /// A value as a number.
  func number(_ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    try number(try value(typed), typed)
  }

  /// A written value as a number.
  func number(_ value: SQLFragment, _ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    guard let type = value.type else { return value }
    if type.isNumber {
      if case .decimal = type, !dialect.hasDecimals {
        throw refusal(.decimals(dialect: dialect.rawValue), typed)
      }
      return value
    }
    if case .argument(_, let number) = typed.node {
      guard let number else { return .null }
      return try self.number(number, typed)
    }
    guard type.isText, let converted = number(ofText: value) else {
      throw refusal(.conversion(.number, dialect: dialect.rawValue), typed)
    }
    return converted
  }

  /// A value as text, as it is written here.
  func text(_ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    try text(try value(typed), typed)
  }

  /// A written value as text.
  func text(_ value: SQLFragment, _ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    switch value.type {
    case .text, nil: return value
    case .undeclared: return SQLFragment(text: value.text, type: .text, rank: value.rank)
    case .date where dialect == .sqlite: return SQLFragment(text: value.text, type: .text, rank: value.rank)
    case .int, .date:
      return SQLFragment(text: dialect.cast(value.text(.or), to: .text), type: .text)
    case .decimal where dialect != .clickhouse && dialect.hasDecimals:
      return SQLFragment(text: dialect.cast(value.text(.or), to: .text), type: .text)
    case .bool:
      let text = value.text(.not)
      return SQLFragment(
        text: "CASE WHEN \(text) THEN 'true' WHEN NOT \(value.text(.whole)) THEN 'false' END",
        type: .text)
    case .decimal, .double: throw refusal(.spelling(.number, dialect: dialect.rawValue), typed)
    case .datetime: throw refusal(.spelling(.date, dialect: dialect.rawValue), typed)
    case .other: throw refusal(.kind(typed.kind.valueKind), typed)
    }
  }

  /// A value as true or false.
  func truth(_ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    try truth(try value(typed), typed)
  }

  /// A written value as true or false.
  func truth(_ value: SQLFragment, _ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    switch value.type {
    case .bool, nil: return value
    case .text, .undeclared:
      let text = value.text(.sum)
      return SQLFragment(
        text: "CASE \(text) WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END", type: .bool)
    default: throw refusal(.conversion(.bool, dialect: dialect.rawValue), typed)
    }
  }

  /// A value as a date, or a date with a time.
  func time(_ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    try time(try value(typed), typed)
  }

  /// A written value as a date, or a date with a time.
  func time(_ value: SQLFragment, _ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    switch value.type {
    case .date, .datetime, nil: return value
    default:
      guard let literal = value.literal, let time = Timestamp(literal.utf8.span) else {
        throw refusal(.conversion(.date, dialect: dialect.rawValue), typed)
      }
      return try self.time(time, typed)
    }
  }

  /// A text as a number, null if it does not convert; `nil` where a query cannot ask that.
  func number(ofText value: SQLFragment) -> SQLFragment? {
    SQLTranslations.template("number/1@text", dialect).map { template in
      SQLFragment(text: SQLFragment.filling(template, [value]), type: .double)
    }
  }

  /// Values that become one: of one type, or numbers.
  func common(_ types: [SQLType?], _ typed: TypedExpression) throws(ExpressionError) -> SQLType? {
    var common: SQLType?
    for case let type? in types {
      switch (common, type) {
      case (nil, _): common = type
      case (let known?, _) where known == type: continue
      case (let known?, _) where known.isNumber && type.isNumber:
        common =
          known == .double || type == .double
          ? .double : .decimal(scale: max(known.scale ?? 0, type.scale ?? 0))
      case (let known?, _) where known.isTime && type.isTime: common = .datetime
      default: throw refusal(.mixedTypes, typed)
      }
    }
    return common
  }

  /// A value as the type that it shares with others: ClickHouse does not make doubles of decimals by itself, and Spark 4
  /// keeps the places before the point of decimals that it makes alike, not those after it.
  func alike(_ value: SQLFragment, _ type: SQLType?) -> SQLFragment {
    if dialect == .spark, case .decimal(let scale)? = type, case .decimal(let own)? = value.type, own < scale
    {
      return SQLFragment(text: "CAST(\(value.text(.or)) AS DECIMAL(38, \(scale)))", type: type)
    }
    guard dialect == .clickhouse, type == .double, value.type != .double, value.type != nil else {
      return value
    }
    return SQLFragment(text: "toFloat64(\(value.text(.or)))", type: .double)
  }
}

// MARK: - Operators

extension SQLWriter {
  private func negation(_ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    let operand = try number(typed.parts[0])
    return SQLFragment(text: "-" + operand.text(.whole), type: operand.type, rank: .sign)
  }

  private func chain(
    _ links: [Expression.Link], _ typed: TypedExpression
  ) throws(ExpressionError) -> SQLFragment {
    var result: SQLFragment?
    for (index, link) in links.enumerated() {
      let (first, right) = (typed.parts[0], typed.parts[index + 1])
      if link.symbol == .join {
        let left: SQLFragment
        if let result { left = try text(result, typed) } else { left = try text(first) }
        result = SQLFragment(
          text: left.text(.sum) + " || " + (try text(right)).text(.product), type: .text, rank: .sum)
        continue
      }
      if [typed, first, right].contains(where: \.kind.isTemporal) { throw refusal(.kind(.duration), typed) }
      let left: SQLFragment
      if let result { left = try number(result, typed) } else { left = try number(first) }
      result = try operation(link.symbol.rawValue, left, try number(right), typed)
    }
    return result ?? .null
  }

  /// The result of an operator of arithmetic on two numbers.
  func operation(
    _ symbol: String, _ left: SQLFragment, _ right: SQLFragment, _ typed: TypedExpression
  ) throws(ExpressionError) -> SQLFragment {
    guard let first = left.type, let second = right.type else { return .null }
    switch symbol {
    case "+", "-", "*": return sum(symbol, left, first, right, second)
    case "/":
      var dividend = left.text(.product)
      if first != .double { dividend = dialect.cast(left.text(.or), to: .double) }
      let divisor = dialect == .clickhouse ? "toFloat64(\(right.text(.or)))" : right.text(.or)
      return SQLFragment(text: "\(dividend) / NULLIF(\(divisor), 0)", type: .double, rank: .product)
    case "//", "%", "^":
      // An integer that was widened is a decimal to Postgres, which does not cut the quotients of these.
      let areWhole =
        first.scale == 0 && second.scale == 0
        && (dialect != .postgres || symbol != "//" || first == .int && second == .int)
      let kind = first == .double || second == .double ? "double" : areWhole ? "int" : "decimal"
      guard let template = SQLTranslations.template(symbol + "@" + kind, dialect) else {
        throw refusal(.untranslated(symbol, dialect: dialect.rawValue), typed)
      }
      let scale = max(first.scale ?? 0, second.scale ?? 0)
      let text = SQLFragment.filling(template, [left, right])
      let type: SQLType =
        symbol == "^" || kind == "double"
        ? .double
        : symbol == "//"
          ? (kind == "int" && first == .int ? .int : .decimal(scale: 0))
          : kind == "int" ? first : .decimal(scale: scale)
      return SQLFragment(text: text, type: type, rank: SQLFragment.isWhole(text) ? .whole : .product)
    default: throw refusal(.untranslated(symbol, dialect: dialect.rawValue), typed)
    }
  }

  /// A sum, a difference or a product: of 64-bit numbers in a wider type, where it would overflow or wrap around.
  private func sum(
    _ symbol: String, _ left: SQLFragment, _ first: SQLType, _ right: SQLFragment, _ second: SQLType
  ) -> SQLFragment {
    let rank: SQLFragment.Rank = symbol == "*" ? .product : .sum
    let next: SQLFragment.Rank = symbol == "*" ? .sign : .product
    func joined(_ left: String, _ right: String, _ type: SQLType) -> SQLFragment {
      SQLFragment(text: "\(left) \(symbol) \(right)", type: type, rank: rank)
    }
    if first == .double || second == .double {
      guard dialect == .clickhouse, first != second else {
        return joined(left.text(rank), right.text(next), .double)
      }
      func double(_ value: SQLFragment, _ type: SQLType, _ needed: SQLFragment.Rank) -> String {
        type == .double ? value.text(needed) : "toFloat64(\(value.text(.or)))"
      }
      return joined(double(left, first, rank), double(right, second, next), .double)
    }
    let scale =
      symbol == "*" ? (first.scale ?? 0) + (second.scale ?? 0) : max(first.scale ?? 0, second.scale ?? 0)
    let type = SQLType.decimal(scale: scale)
    if first == .int, second == .int {
      guard let wide = wide(left.text(.or)) else { return joined(left.text(rank), right.text(next), .int) }
      return joined(wide, right.text(next), type)
    }
    if symbol == "*", let (first, second) = wideFactors(left, first, right, second) {
      return joined(first, second, type)
    }
    return joined(left.text(rank), right.text(next), type)
  }

  /// A 64-bit number in a wider type, where there is one.
  private func wide(_ text: String) -> String? {
    switch dialect {
    case .duckdb: "CAST(\(text) AS HUGEINT)"
    case .postgres: "CAST(\(text) AS NUMERIC)"
    case .clickhouse: "toInt256(\(text))"
    case .spark, .trino, .ansi: "CAST(\(text) AS DECIMAL(38, 0))"
    case .sqlite, .portable: nil
    }
  }

  /// The factors of a product of decimals, where it needs room.
  private func wideFactors(
    _ left: SQLFragment, _ first: SQLType, _ right: SQLFragment, _ second: SQLType
  ) -> (String, String)? {
    guard dialect == .clickhouse else { return nil }
    return (
      "toDecimal256(\(left.text(.or)), \(first.scale ?? 0))",
      second == .int ? right.text(.sign) : "toDecimal256(\(right.text(.or)), \(second.scale ?? 0))"
    )
  }

  private func logical(
    _ word: Expression.Logical, _ typed: TypedExpression
  ) throws(ExpressionError) -> SQLFragment {
    let rank: SQLFragment.Rank = word == .and ? .and : .or
    var texts: [String] = []
    for part in typed.parts { texts.append(try truth(part).text(word == .and ? .not : .and)) }
    return SQLFragment(
      text: texts.joined(separator: word == .and ? " AND " : " OR "), type: .bool, rank: rank)
  }

  /// The first of some values that is not null.
  func coalesce(_ parts: [TypedExpression], _ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    var values: [SQLFragment] = []
    for part in parts { values.append(try value(part)) }
    let type = try common(values.map(\.type), typed)
    if values.count == 1 { return values[0] }
    values = values.map { alike($0, type) }
    return SQLFragment(text: "COALESCE(\(values.map { $0.text(.or) }.joined(separator: ", ")))", type: type)
  }

  /// The value after the first condition that is true; the parts are conditions and values, perhaps a last value.
  func choice(_ parts: [TypedExpression], _ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    var (conditions, values): ([String], [SQLFragment]) = ([], [])
    for (index, part) in parts.enumerated() {
      if index % 2 == 0, index + 1 < parts.count {
        conditions.append(try truth(part).text(.or))
      } else {
        values.append(try value(part))
      }
    }
    let type = try common(values.map(\.type), typed)
    let texts = values.map { alike($0, type).text(.or) }
    var text = "CASE"
    for (condition, value) in zip(conditions, texts) { text += " WHEN \(condition) THEN \(value)" }
    if texts.count > conditions.count, let last = texts.last { text += " ELSE \(last)" }
    return SQLFragment(text: text + " END", type: type)
  }
}

// MARK: - Orders

extension SQLWriter {
  /// A value as a key of an order compares it.
  func ordered(_ value: SQLFragment, by comparison: SortKey.Comparison) throws(ExpressionError) -> SQLFragment
  {
    let isText = value.type?.isText ?? false
    if comparison == .auto, value.type == .undeclared {
      throw source.error(.notInQuery(.undeclared), at: source.expression.range)
    }
    let refusal = source.error(.notInQuery(.order(comparison.rawValue)), at: source.expression.range)
    switch comparison {
    case .auto where value.type != .other: return value
    case .number where value.type?.isNumber ?? true: return value
    case .text where isText: return value
    case .date where value.type?.isTime ?? true: return value
    case .nocase where isText:
      guard let lower = SQLTranslations.template("lower/1", dialect) else { throw refusal }
      return SQLFragment(text: SQLFragment.filling(lower, [value]), type: .text)
    case .length where isText:
      guard let length = SQLTranslations.template("length/1", dialect) else { throw refusal }
      return SQLFragment(text: SQLFragment.filling(length, [value]), type: .int)
    default: throw refusal
    }
  }
}
