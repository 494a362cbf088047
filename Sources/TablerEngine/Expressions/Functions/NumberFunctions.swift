/// The functions on numbers.
enum NumberFunctions {
  /// All of them, in the order of help and manual.
  static let all: [Function] = [
    Function(
      "abs", [.number("x")], gives: .number, "x without its sign", example: "abs(-3)", "3", sql: .core,
      elsewhere: "fabs absolute", .number { $0.magnitude }),
    Function(
      "sign", [.number("x")], gives: .number, "-1, 0 or 1", example: "sign(-3)", "-1", sql: .core,
      elsewhere: "sgn signum", .number { $0.signum }),
    Function(
      "floor", [.number("x")], gives: .number, "rounded down to a whole number", example: "floor(-2.5)", "-3",
      sql: .core, elsewhere: "rounddown round_down", .number { $0.floor }),
    Function(
      "ceil", also: ["ceiling"], [.number("x")], gives: .number,
      "rounded up to a whole number; also ceiling(x)", example: "ceil(2.1)", "3", sql: .core,
      elsewhere: "roundup round_up", .number { $0.ceiling }),
    Function(
      "round", [.number("x"), .optional(.number("d"))], gives: .number,
      "rounded to d decimals, halves away from zero", example: "round(2.345, 2)", "2.35", sql: .translated,
      .decimals { $0.rounded(to: $1) }),
    Function(
      "trunc", [.number("x"), .optional(.number("d"))], gives: .number, "cut to d decimals, toward zero",
      example: "trunc(-2.5)", "-2", sql: .translated, elsewhere: "fix truncate_number",
      .decimals { $0.truncated(to: $1) }),
    Function(
      "round_to", [.number("x"), .number("m")], gives: .number, "rounded to a multiple of m",
      example: "round_to(118, 25)", "125", sql: .translated, elsewhere: "mround roundm",
      .numbers { rounded($0, toMultipleOf: $1) }),
    Function(
      "mod", [.number("a"), .number("b")], gives: .number, "the same as a % b", example: "mod(7, 3)", "1",
      sql: .core, elsewhere: "modulo modulus rem remainder fmod",
      .numbers { $0.remainder(dividingBy: $1) }),
    Function(
      "pow", also: ["power"], [.number("a"), .number("b")], gives: .number,
      "a to the power of b; also power(a, b)", example: "pow(2, 10)", "1024", sql: .translated,
      elsewhere: "exponent pwr", .numbers { $0.power($1).map { .double($0.doubleValue) } }),
    Function(
      "sqrt", [.number("x")], gives: .number, "square root", example: "sqrt(16)", "4", sql: .translated,
      .real { $0 < 0 ? nil : $0.squareRoot() }),
    Function(
      "cbrt", [.number("x")], gives: .number, "cube root", example: "cbrt(27)", "3", sql: .translated,
      .real { cubeRoot($0) }),
    Function(
      "exp", [.number("x")], gives: .number, "e to the power of x", example: "exp(0)", "1",
      sql: .translated, .real { Mathematics.exponential($0) }),
    Function(
      "ln", [.number("x")], gives: .number, "natural logarithm", example: "ln(1)", "0", sql: .translated,
      elsewhere: "loge log_e", .real { $0 <= 0 ? nil : Mathematics.logarithm($0) }),
    Function(
      "log10", [.number("x")], gives: .number, "logarithm to base 10", example: "log10(1000)", "3",
      sql: .translated, .real { $0 <= 0 ? nil : Mathematics.logarithm10($0) }),
    Function(
      "log2", [.number("x")], gives: .number, "logarithm to base 2", example: "log2(8)", "3",
      sql: .translated, .real { $0 <= 0 ? nil : Mathematics.logarithm2($0) }),
    Function(
      "log", [.number("base"), .number("x")], gives: .number, "logarithm to a base",
      example: "log(3, 9)", "2", sql: .translated, refuses: (count: 1, mistake: .logarithmNeedsBase),
      .reals { base, x in
        guard base > 0, base != 1, x > 0 else { return nil }
        return Mathematics.logarithm(x) / Mathematics.logarithm(base)
      }),
    Function(
      "pi", gives: .number, "3.141592653589793", example: "round(pi(), 4)", "3.1416", sql: .translated,
      .value { _, _ in .number(.double(.pi)) }),
    Function(
      "sin", [.number("x")], gives: .number, "sine", example: "sin(0)", "0", sql: .translated,
      .real { $0.isInfinite ? nil : Mathematics.sine($0) }),
    Function(
      "cos", [.number("x")], gives: .number, "cosine", example: "cos(0)", "1", sql: .translated,
      .real { $0.isInfinite ? nil : Mathematics.cosine($0) }),
    Function(
      "tan", [.number("x")], gives: .number, "tangent", example: "tan(0)", "0", sql: .translated,
      .real { $0.isInfinite ? nil : Mathematics.tangent($0) }),
    Function(
      "asin", [.number("x")], gives: .number, "arc sine", example: "asin(0)", "0", sql: .translated,
      .real { Swift.abs($0) > 1 ? nil : Mathematics.arcSine($0) }),
    Function(
      "acos", [.number("x")], gives: .number, "arc cosine", example: "acos(1)", "0", sql: .translated,
      .real { Swift.abs($0) > 1 ? nil : Mathematics.arcCosine($0) }),
    Function(
      "atan", [.number("x")], gives: .number, "arc tangent", example: "atan(0)", "0", sql: .translated,
      .real { Mathematics.arcTangent($0) }),
    Function(
      "atan2", [.number("y"), .number("x")], gives: .number, "angle of the point (x, y)",
      example: "atan2(0, 1)", "0", sql: .translated, .reals { Mathematics.arcTangent($0, $1) }),
    Function(
      "least", [.repeated(.any("a"))], gives: .any, "the smallest number, else text; nulls are skipped",
      example: "least(weight, 100, null)", "100", sql: .translated, elsewhere: "minimum_of min_of",
      .value { extreme($1, sign: -1, &$0) }),
    Function(
      "greatest", [.repeated(.any("a"))], gives: .any, "the largest number, else text; nulls are skipped",
      example: "greatest(weight, 100, null)", "118", sql: .translated, elsewhere: "maximum_of max_of",
      .value { extreme($1, sign: 1, &$0) }),
    Function(
      "clamp", [.any("x"), .any("lo"), .any("hi")], gives: .any, "x, but at least lo and at most hi",
      example: "clamp(118, 0, 100)", "100", sql: .translated, elsewhere: "clip constrain bound",
      .value { clamped($1, &$0) }),
    Function(
      "is_nan", [.number("x")], gives: .bool, "whether x is not a number", example: "is_nan(1)", "false",
      sql: .translated, elsewhere: "isnan",
      .value { evaluator, arguments in .optional(evaluator.number(arguments[0])?.isNaN) }),
    Function(
      "percent", [.number("x")], gives: .text, "0.25 as 25%", example: "percent(0.25)", "25%", sql: .local,
      elsewhere: "pct to_percent", .formatted("%")),
    Function(
      "bytes_text", [.number("n")], gives: .text, "1258291 as 1.2 MiB", example: "bytes_text(1258291)",
      "1.2 MiB", sql: .local,
      elsewhere: "pg_size_pretty filesizeformat format_bytes humanize pretty_size human_size",
      .formatted("B")),
    Function(
      "thousands", [.number("n")], gives: .text, "1234567 as 1,234,567", example: "thousands(1234567)",
      "1,234,567", sql: .local, elsewhere: "format_number commas comma", .formatted(",")),
    Function(
      "size", [.any("x")], gives: .number, "the number that 1.5G, 512Mi or 45% stands for",
      example: "size('1.5G')", "1610612736", sql: .local, .converted(to: .size)),
  ]

  /// The cube root; that of a cube is whole, which not every C library ensures.
  private static func cubeRoot(_ x: Double) -> Double {
    let root = Mathematics.cubeRoot(x)
    let whole = root.rounded()
    return whole * whole * whole == x ? whole : root
  }

  /// The multiple of `unit` nearest to `value`, half away from zero; nil if `unit` is zero.
  static func rounded(_ value: Number, toMultipleOf unit: Number) -> Number? {
    let unit = unit.magnitude
    guard !unit.isZero, let quotient = value.quotient(by: unit), let rest = value.remainder(dividingBy: unit)
    else {
      return nil
    }
    let isFar = rest.magnitude.adding(rest.magnitude) >= unit
    let steps = isFar ? quotient.adding(.int(value.isNegative ? -1 : 1)) : quotient
    return steps.multiplied(by: unit)
  }

  /// The smallest or the largest argument, ignoring nulls: that of the numbers if any argument is a number.
  private static func extreme(_ arguments: [Node], sign: Int, _ evaluator: inout Evaluator) -> Value {
    let values = evaluator.values(arguments)
    let hasNumbers = values.contains { evaluator.number(of: $0) != nil }
    let hasMore = arguments.count > 2
    let operation: ComparedTexts.Operation =
      sign < 0 ? .least(hasMore: hasMore) : .greatest(hasMore: hasMore)
    var best: (value: Value, node: Node)?
    for (value, node) in zip(values, arguments) where !value.isNull {
      if hasNumbers, evaluator.number(of: value) == nil {
        evaluator.recordMisfit(value, from: node, wanted: .number)
        continue
      }
      if let known = best {
        let order = evaluator.compare(
          known.value, of: known.node, value, of: node, by: hasNumbers ? .numbers : .cells, for: operation)
        if (order ?? 0).signum() != -sign { continue }
      }
      best = (value, node)
    }
    return best?.value ?? .null
  }

  private static func clamped(_ arguments: [Node], _ evaluator: inout Evaluator) -> Value {
    let value = evaluator.value(arguments[0])
    let low = evaluator.value(arguments[1])
    let high = evaluator.value(arguments[2])
    guard
      let below = evaluator.compare(
        value, of: arguments[0], low, of: arguments[1], by: .cells, for: .clamp),
      let above = evaluator.compare(
        value, of: arguments[0], high, of: arguments[2], by: .cells, for: .clamp)
    else { return .null }
    return below < 0 ? low : above > 0 ? high : value
  }
}

extension Function.Body {
  /// Computes a number from two; nil for null.
  fileprivate static func numbers(
    _ compute: @escaping @Sendable (Number, Number) -> Number?
  ) -> Function.Body {
    .value { evaluator, arguments in
      guard let first = evaluator.number(arguments[0]), let second = evaluator.number(arguments[1]) else {
        return .null
      }
      return .optional(compute(first, second))
    }
  }

  /// Computes a double from two; nil outside the domain.
  fileprivate static func reals(
    _ compute: @escaping @Sendable (Double, Double) -> Double?
  ) -> Function.Body {
    .numbers { compute($0.doubleValue, $1.doubleValue).map { .double($0) } }
  }

  /// Computes a number from a number and a number of decimals, by default 0.
  fileprivate static func decimals(
    _ compute: @escaping @Sendable (Number, Int) -> Number
  ) -> Function.Body {
    .value { evaluator, arguments in
      guard let number = evaluator.number(arguments[0]) else { return .null }
      var decimals = 0
      if arguments.count > 1 {
        guard let asked = evaluator.integer(arguments[1]) else { return .null }
        decimals = min(max(asked, -400), 400)
      }
      return .number(compute(number, decimals))
    }
  }

  /// Writes a number in a format of templates.
  fileprivate static func formatted(_ format: String) -> Function.Body {
    let spec = try? FormatSpec(Array(format.utf8).span)
    return .value { evaluator, arguments in
      guard let spec, let number = evaluator.number(arguments[0]) else { return .null }
      var buffer = ByteBuffer()
      return spec.apply(to: number, marks: evaluator.context.marks, into: &buffer)
        ? .text(buffer.array()) : .null
    }
  }
}
