/// The functions that choose between values, or test whether there is one.
enum NullFunctions {
  /// All of them, in the order of help and manual.
  static let all: [Function] = [
    Function(
      "coalesce", also: ["ifnull"], [.repeated(.any("a"))], gives: .any,
      "the first that is not null; also a ?? b, ifnull(a, b)",
      example: "coalesce(null, weight, 0)", "118", sql: .core,
      elsewhere: "nvl nvl2 zeroifnull if_null ifna fillna default first_non_null",
      .form { (binder, call) throws(ExpressionError) in try binder.coalesce(call.arguments, call.source) }),
    Function(
      "nullif", [.any("a"), .any("b")], gives: .any, "null if a equals b, else a",
      example: "nullif(weight, 0)", "118", sql: .core,
      .value { evaluator, arguments in
        let value = evaluator.value(arguments[0])
        let other = evaluator.value(arguments[1])
        return evaluator.compare(value, other, by: .cells) == 0 ? .null : value
      }),
    Function(
      "if", [.bool("cond"), .any("a"), .any("b")], gives: .any,
      "a if cond is true, else b; also cond ? a : b",
      example: "if(weight > 100, 'heavy', 'light')", "heavy", sql: .core,
      elsewhere: "iif iff ifelse if_else cond",
      .form { (binder, call) throws(ExpressionError) in
        let branch = Expression.Branch(condition: call.arguments[0], value: call.arguments[1])
        return try binder.choice([branch], else: call.arguments[2], call.user, call.source)
      }),
    Function(
      "is_empty", [.any("x")], gives: .bool, "whether x is null or without text",
      example: "is_empty('')", "true", sql: .core, elsewhere: "isempty isblank is_blank empty blank",
      .value { evaluator, arguments in .bool(evaluator.isEmpty(evaluator.value(arguments[0]))) }),
  ]
}
