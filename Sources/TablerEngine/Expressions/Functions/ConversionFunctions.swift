/// The functions that convert a value, or tell what it can be converted to.
enum ConversionFunctions {
  /// All of them, in the order of help and manual.
  static let all: [Function] = [
    Function(
      "number", [.any("x")], gives: .number, "x as a number, else null",
      example: "number('1.50')", "1.50", sql: .translated,
      elsewhere: "to_number tonumber to_num val as_number num try_number", .converted(to: .number)),
    Function(
      "int", [.any("x")], gives: .number, "x as a whole number, cut toward zero, else null",
      example: "int('12.7')", "12", sql: .translated,
      elsewhere: "to_int toint integer to_integer parseint parse_int cint as_int",
      .value { evaluator, arguments in
        let value = evaluator.value(arguments[0])
        let whole = evaluator.number(of: value)?.whole
        if evaluator.state.notesConversion(whole != nil) {
          evaluator.noteConversion(whole != nil, of: value, from: arguments[0], .wholeNumber)
        }
        return .optional(whole)
      }),
    Function(
      "decimal", [.any("x")], gives: .number, "x as an exact decimal, else null",
      example: "decimal('0.10') + 0.20", "0.30", sql: .translated,
      elsewhere: "to_decimal todecimal numeric", .converted(to: .decimal)),
    Function(
      "double", [.any("x")], gives: .number, "x as a floating-point number, else null",
      example: "double('1e3')", "1000", sql: .translated,
      elsewhere: "to_float tofloat float as_float to_double todouble real parsefloat parse_float",
      .converted(to: .double)),
    Function(
      "bool", [.any("x")], gives: .bool, "x as true or false, else null",
      example: "bool('true')", "true", sql: .translated,
      elsewhere: "boolean to_bool tobool to_boolean cbool", .converted(to: .bool)),
    Function(
      "text", [.any("x")], gives: .text, "x as text", example: "text(25)", "25", sql: .translated,
      elsewhere: "str string to_string tostring to_text to_str cstr as_text", .converted(to: .text)),
    Function(
      "must", [.any("x"), .text("\"type\"")], gives: .any, "x as that type, else an error with status 3",
      example: "must(weight, 'int')", "118", sql: .translated,
      .form { (binder, call) throws(ExpressionError) in try binder.must(call) }),
    Function(
      "typeof", [.any("x")], gives: .text, "the name of the type of x", example: "typeof(2.5)", "decimal",
      sql: .local, elsewhere: "type type_of datatype pg_typeof",
      .value { evaluator, arguments in
        let type = evaluator.type(of: evaluator.value(arguments[0]))
        return .text(type?.rawValue ?? "null")
      }),
    Function(
      "is_number", [.any("x")], gives: .bool, "whether x reads as a number",
      example: "is_number('1e3')", "true", sql: .translated,
      elsewhere: "isnumeric is_numeric isnumber isnum is_float isfloat isdigit is_digit",
      .converts(to: .number)),
    Function(
      "is_int", [.any("x")], gives: .bool, "whether x reads as a whole number",
      example: "is_int('1.5')", "false", sql: .translated, elsewhere: "isint isinteger is_integer",
      .converts(to: .int)),
    Function(
      "is_bool", [.any("x")], gives: .bool, "whether x is true or false",
      example: "is_bool('yes')", "false", sql: .translated, elsewhere: "isbool is_boolean isboolean",
      .converts(to: .bool)),
  ]
}

extension Function.Body {
  /// Converts the argument to another type.
  static func converted(to type: Expression.TypeName) -> Function.Body {
    .value { evaluator, arguments in
      let value = evaluator.value(arguments[0])
      if type == .size { evaluator.recordUnit(of: value, from: arguments[0]) }
      let converted = evaluator.convert(value, to: type)
      if evaluator.state.notesConversion(!converted.isNull) {
        evaluator.noteConversion(!converted.isNull, of: value, from: arguments[0], type.valueKind)
      }
      return converted
    }
  }

  /// Whether the argument converts to a type.
  fileprivate static func converts(to type: Expression.TypeName) -> Function.Body {
    .value { evaluator, arguments in
      .bool(!evaluator.convert(evaluator.value(arguments[0]), to: type).isNull)
    }
  }
}

extension Expression {
  /// Whether it calls a function that is null if its argument does not convert.
  var converts: Bool {
    calls {
      [
        "number", "int", "decimal", "double", "bool", "date", "datetime", "duration", "strptime", "size",
        "parse_json", "from_epoch",
      ]
      .contains($0)
    }
  }

  /// Whether such a function should convert some cells: nothing else is done with those that it makes null.
  var expectsConversions: Bool { converts && passesNulls(of: \.converts) }

  /// Whether rows in which a column is null are passed over, as nothing else is done with null.
  func drops(_ column: String) -> Bool { names(column) && passesNulls { $0.names(column) } }

  /// Whether null in some parts makes the whole null or false: nothing asks for null, or has another value for it.
  private func passesNulls(of isMeant: (Expression) -> Bool) -> Bool {
    var rest = [self]
    while let expression = rest.popLast() {
      switch expression.kind {
      case .coalesce, .test, .distinct, .conditional, .choice, .logical(.or, _, isMark: _): return false
      case .call(let name, let arguments)
      where Function.named(name.text.lowercased())?.takesNulls ?? false:
        if arguments.contains(where: isMeant) { return false }
      default: rest += expression.operands
      }
    }
    return true
  }

  /// Whether it uses a column.
  private func names(_ column: String) -> Bool {
    var rest = [self]
    while let expression = rest.popLast() {
      if case .column(let name) = expression.kind, name == column { return true }
      rest += expression.operands
    }
    return false
  }
}

extension Evaluator {
  /// Notes whether a function converted the cell that its argument is made from.
  @inline(never)
  mutating func noteConversion(
    _ isConverted: Bool, of value: Value, from node: Node, _ wanted: ExpressionError.ValueKind
  ) {
    if value.isNull { return }
    if isConverted {
      guard state.expectsConversions, let slot = source(of: node)?.cellSlot else { return }
      if state.tally.recordConverted(slot) { state.expectsConversions = false }
      return
    }
    guard let source = source(of: node), let slot = source.cellSlot else { return }
    if state.countsConversions { recordMisfit(value, slot: slot, wanted: wanted) }
    let batch = batch
    if state.notesDropped, let made = text(of: value), made.bytes(in: batch).count > 0,
      let cell = text(of: self.value(source))
    {
      state.tally.recordDropped(
        slot, wanted: wanted, cell.bytes(in: batch), isArgument: node.cellSlot != nil, batch: batch, row: row)
    }
    // What is computed from a cell is not the cell.
    guard state.expectsConversions, node.cellSlot != nil, state.tally.awaitsConversion(slot),
      let text = text(of: value)
    else {
      return
    }
    let content = text.bytes(in: batch)
    if content.count > 0 {
      state.tally.recordUnconverted(slot, wanted: wanted, content, batch: batch, row: row)
    }
  }

  /// The first cell that a value is made from in this row.
  private mutating func source(of node: Node) -> Node? {
    switch node {
    case .coalesce(let nodes):
      for node in nodes where !value(node).isNull { return source(of: node) }
      return nil
    case .choice(let branches, let otherwise):
      for branch in branches where truth(branch.condition) == true { return source(of: branch.value) }
      return source(of: otherwise)
    case .call(_, let nodes), .join(let nodes), .format(_, let nodes):
      for node in nodes { if let found = source(of: node) { return found } }
      return nil
    case .patternCall(_, _, let subject, _, _): return source(of: subject)
    case .path(let base, _), .held(_, let base): return source(of: base)
    default: return node.firstCell
    }
  }
}

extension Node {
  /// The slot that counts the misfits of a cell.
  var cellSlot: Int? {
    switch self {
    case .cell(_, let slot), .typed(_, let slot, _), .way(_, let slot): slot
    default: nil
    }
  }
}

extension Binder {
  /// `must(x, "type")`; the type is known before the first row.
  fileprivate mutating func must(_ call: Call) throws(ExpressionError) -> (Node, StaticKind) {
    let value = try single(try bind(call.arguments[0], call.source), call.source)
    let range = call.arguments[1].range
    guard case .text(let name) = call.arguments[1].kind else {
      throw call.source.error(.typeNeedsLiteral(function: call.function.name), at: range)
    }
    guard let type = Expression.TypeName(rawValue: name.lowercased()) else {
      let names = Expression.TypeName.allCases.map(\.rawValue)
      throw call.source.error(.unknownType(name, suggestion: name.nearest(among: names)), at: range)
    }
    let kind: StaticKind =
      switch type {
      case .number, .int, .decimal, .double: .number
      case .size: .size
      case .bool: .bool
      case .text: .text
      case .date, .datetime: .time
      case .duration: .duration
      case .list, .object: .any
      }
    return (.must(value.node, type), kind)
  }
}
