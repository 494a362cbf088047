/// Calls of functions, by the templates of `SQLTranslations`.
extension SQLWriter {
  /// A call.
  func call(_ function: Function, _ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    if function.sqlClass == .local { throw refusal(.localFunction(function.name), typed) }
    if dialect == .portable, function.sqlClass == .translated {
      throw refusal(.untranslated(function.name + "()", dialect: dialect.rawValue), typed)
    }
    switch function.name {
    case "coalesce": return try coalesce(typed.parts, typed)
    case "if": return try choice(typed.parts, typed)
    case "is_empty": return isEmpty(try value(typed.parts[0]), isNegated: false)
    case "matches":
      guard case .call(_, let arguments) = typed.expression.kind else {
        throw refusal(.pattern(dialect: dialect.rawValue), typed)
      }
      return try match(typed.parts[0], arguments[1], typed)
    case "mod": return try operation("%", try number(typed.parts[0]), try number(typed.parts[1]), typed)
    case "pow": return try operation("^", try number(typed.parts[0]), try number(typed.parts[1]), typed)
    case "text": return try text(typed.parts[0])
    case "left", "right", "repeat", "substr", "split_part": return try withConstants(function, typed)
    case "round" where typed.parts.count > 1: return try withConstants(function, typed)
    case "trim" where typed.parts.count > 1, "ltrim" where typed.parts.count > 1,
      "rtrim" where typed.parts.count > 1:
      return try trimmed(function, typed)
    case "concat":
      var texts: [String] = []
      for part in typed.parts { texts.append("COALESCE(\(try text(part).text(.or)), '')") }
      return SQLFragment(text: texts.joined(separator: " || "), type: .text, rank: .sum)
    case "least", "greatest": return try extreme(function, typed)
    case "date_trunc": return try byUnit(function, typed.parts[1], [], typed)
    case "date_add": return try byUnit(function, typed.parts[2], [try wholeNumber(typed.parts[1])], typed)
    case "date_diff": return try byUnit(function, typed.parts[1], [try time(typed.parts[2])], typed)
    case "count" where typed.parts.isEmpty: return SQLFragment(text: "COUNT(*)", type: .int)
    default: return try translated(function, typed)
    }
  }

  /// A call that is written by a template.
  private func translated(
    _ function: Function, _ typed: TypedExpression
  ) throws(ExpressionError) -> SQLFragment {
    // A pattern is none of the parts.
    if function.parameters.contains(where: { $0.kind == .pattern }) {
      throw refusal(.untranslated(function.name + "()", dialect: dialect.rawValue), typed)
    }
    var inside = self
    if case .aggregate = function.body { inside.group = nil }
    var arguments: [SQLFragment] = []
    for (index, part) in typed.parts.enumerated() {
      var argument = try inside.argument(part, as: function.parameter(at: index).kind)
      // The part of a percentile is no value there, but belongs to the name of the function.
      if dialect == .clickhouse, function.name == "percentile", index == 1,
        case .number(let number)? = part.node.constant
      {
        argument.text = "\(number.doubleValue)"
      }
      if case .decimal = argument.type, !dialect.hasDecimals {
        throw refusal(.decimals(dialect: dialect.rawValue), part)
      }
      // Numbers may be spelled in several ways.
      if argument.type == .undeclared, function.result == .any || function.name == "distinct" {
        throw refusal(.undeclared, part)
      }
      arguments.append(argument)
    }
    if function.name == "nullif" { _ = try common(arguments.map(\.type), typed) }
    if function.name == "concat_ws", arguments.first?.literal == nil {
      throw refusal(.notConstant, typed.parts[0])
    }
    guard let template = template(function.name, arguments) else {
      throw refusal(.untranslated(function.name + "()", dialect: dialect.rawValue), typed)
    }
    let text = SQLFragment.filling(template, arguments)
    return SQLFragment(
      text: text, type: resultType(function, arguments),
      rank: SQLFragment.isWhole(text) ? .whole : .or)
  }

  /// A call whose numbers must be constants, because engines differ in what those outside of the text mean.
  private func withConstants(
    _ function: Function, _ typed: TypedExpression
  ) throws(ExpressionError) -> SQLFragment {
    let untranslated = refusal(.untranslated(function.name + "()", dialect: dialect.rawValue), typed)
    var numbers: [Int] = []
    for (index, part) in typed.parts.enumerated().dropFirst()
    where function.parameter(at: index).kind == .number {
      guard case .number(let number)? = part.node.constant, let value = number.integer,
        let constant = Int32(exactly: value)
      else { throw refusal(.notConstant, part) }
      numbers.append(Int(constant))
    }
    let name = "\(function.name)/\(typed.parts.count)"
    func call(_ name: String, _ arguments: [SQLFragment], _ type: SQLType?) throws(ExpressionError)
      -> SQLFragment
    {
      guard let template = SQLTranslations.template(name, dialect) else { throw untranslated }
      let text = SQLFragment.filling(template, arguments)
      return SQLFragment(text: text, type: type, rank: SQLFragment.isWhole(text) ? .whole : .or)
    }
    func written(_ number: Int) -> SQLFragment { SQLFragment(text: "\(number)", type: .int) }
    switch function.name {
    case "round":
      let value = try number(typed.parts[0])
      let digits = numbers[0]
      guard digits >= 0, digits <= 20 else { throw untranslated }
      switch value.type {
      case .int: return try call(name + "@int", [value, written(digits)], .decimal(scale: digits))
      case .decimal:
        if !dialect.hasDecimals { throw refusal(.decimals(dialect: dialect.rawValue), typed) }
        return try call(name + "@decimal", [value, written(digits)], .decimal(scale: digits))
      case .double: return try call(name + "@double", [value, written(digits)], .double)
      case .text, .undeclared, .bool, .date, .datetime, .other, nil: return value
      }
    case "split_part":
      let separator = try value(typed.parts[1])
      guard let literal = separator.literal, !literal.isEmpty, numbers[0] != 0 else { throw untranslated }
      return try call(name, [try text(typed.parts[0]), separator, written(numbers[0])], .text)
    case "substr":
      let subject = try text(typed.parts[0])
      let start = numbers[0]
      guard numbers.count > 1 else {
        return start < 0
          ? try call("right/2", [subject, written(-start)], .text)
          : try call(name, [subject, written(max(start, 1))], .text)
      }
      let count = max(start == 0 ? numbers[1] - 1 : numbers[1], 0)
      guard start >= 0 else { throw untranslated }
      return try call(name, [subject, written(max(start, 1)), written(count)], .text)
    case "right" where numbers[0] < 1:
      return try call("left/2", [try text(typed.parts[0]), written(0)], .text)
    default: return try call(name, [try text(typed.parts[0]), written(max(numbers[0], 0))], .text)
    }
  }

  /// A call about a time in a unit, which is its first argument and must be a constant.
  private func byUnit(
    _ function: Function, _ part: TypedExpression, _ rest: [SQLFragment], _ typed: TypedExpression
  ) throws(ExpressionError) -> SQLFragment {
    guard case .text(let text)? = typed.parts[0].node.constant, let unit = TimeUnit(text.held.span) else {
      throw refusal(.notConstant, typed.parts[0])
    }
    let time = try time(part)
    if function.name == "date_diff", rest.contains(where: { $0.type != nil && $0.type != time.type }) {
      throw refusal(.mixedTypes, typed)
    }
    let key = "\(function.name)/\(unit.rawValue)@\(time.type == .date ? "date" : "datetime")"
    guard let template = SQLTranslations.template(key, dialect) else {
      throw refusal(.untranslated("\(function.name)(\"\(unit.rawValue)\")", dialect: dialect.rawValue), typed)
    }
    let filled = SQLFragment.filling(template, [time] + rest)
    return SQLFragment(
      text: filled, type: function.name == "date_diff" ? .int : time.type,
      rank: SQLFragment.isWhole(filled) ? .whole : .or)
  }

  /// A number without decimals.
  private func wholeNumber(_ typed: TypedExpression) throws(ExpressionError) -> SQLFragment {
    let number = try number(typed)
    guard number.type == .int || number.type == nil else { throw refusal(.mixedTypes, typed) }
    return number
  }

  /// A text without some characters at its ends; ClickHouse takes bytes.
  private func trimmed(_ function: Function, _ typed: TypedExpression) throws(ExpressionError) -> SQLFragment
  {
    let characters = try value(typed.parts[1])
    guard let literal = characters.literal, !literal.isEmpty,
      dialect != .clickhouse || literal.utf8.allSatisfy({ $0 < 0x80 }),
      let template = SQLTranslations.template("\(function.name)/2", dialect)
    else { throw refusal(.untranslated(function.name + "()", dialect: dialect.rawValue), typed) }
    return SQLFragment(
      text: SQLFragment.filling(template, [try text(typed.parts[0]), characters]), type: .text)
  }

  /// The least or the greatest of some values; nulls do not count.
  private func extreme(_ function: Function, _ typed: TypedExpression) throws(ExpressionError) -> SQLFragment
  {
    var values: [SQLFragment] = []
    for part in typed.parts { values.append(try value(part)) }
    let type = try common(values.map(\.type), typed)
    values = values.map { alike($0, type) }
    if type == .undeclared { throw refusal(.undeclared, typed) }
    guard let template = SQLTranslations.template(function.name, dialect), type != .text, type != .other,
      type?.scale == nil || type == .int || dialect.hasDecimals, dialect != .sqlite || values.count == 2
    else { throw refusal(.untranslated(function.name + "()", dialect: dialect.rawValue), typed) }
    var text = SQLFragment.filling(template, values)
    // There a null makes the result null.
    if dialect == .sqlite {
      text = "COALESCE(\(text), \(values.map { $0.text(.or) }.joined(separator: ", ")))"
    }
    return SQLFragment(text: text, type: type)
  }

  /// The template of a function for its arguments: for their number and the kind of the first if there is one for these.
  private func template(_ name: String, _ arguments: [SQLFragment]) -> String? {
    let kind =
      switch arguments.lazy.compactMap(\.type).first {
      case .int: "int"
      case .decimal: "decimal"
      case .double: "double"
      case .text, .undeclared: "text"
      case .bool: "bool"
      case .date: "date"
      case .datetime: "datetime"
      case .other, nil: ""
      }
    let call = "\(name)/\(arguments.count)"
    return SQLTranslations.template("\(call)@\(kind)", dialect) ?? SQLTranslations.template(call, dialect)
      ?? SQLTranslations.template(name, dialect)
  }

  /// An argument as its parameter needs it.
  private func argument(
    _ part: TypedExpression, as kind: Function.Parameter.Kind
  ) throws(ExpressionError) -> SQLFragment {
    switch kind {
    case .text, .textOrList: return try text(part)
    case .number: return try number(part)
    case .amount:
      let value = try value(part)
      guard value.type == .bool else { return try number(value, part) }
      return SQLFragment(
        text: "CASE WHEN \(value.text(.or)) THEN 1 WHEN NOT \(value.text(.whole)) THEN 0 END", type: .int)
    case .bool: return try truth(part)
    case .time: return try time(part)
    case .any: return try value(part)
    case .pattern, .list: throw refusal(.kind(.list), part)
    }
  }

  /// The type of the value of a call.
  private func resultType(_ function: Function, _ arguments: [SQLFragment]) -> SQLType? {
    let first = arguments.lazy.compactMap(\.type).first
    if let known = SQLTranslations.results[function.name] {
      return known
    }
    return switch function.result {
    case .number where function.name == "double" || first == .text: .double
    case .bool: .bool
    case .text: .text
    case .number where function.name == "sum" && first == .int: .decimal(scale: 0)
    case .time: first == .date || first == .datetime ? first : .datetime
    case .any, .null, .number, .list, .duration, .size: first
    }
  }
}
