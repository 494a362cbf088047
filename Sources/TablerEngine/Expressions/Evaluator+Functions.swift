/// The functions of expressions, by family.
extension Evaluator {
  /// The value of a call.
  mutating func call(_ function: Function, _ arguments: [Node]) -> Value {
    switch function {
    case .lower, .upper, .capitalize, .length, .width, .trim, .ltrim, .rtrim, .squeeze, .substr, .left,
      .right,
      .truncate, .replace, .splitPart, .contains, .startsWith, .endsWith, .position, .lpad, .rpad, .repeat,
      .reverse,
      .levenshtein, .regexEscape:
      return callText(function, arguments)
    case .abs, .sign, .floor, .ceil, .round, .trunc, .roundTo, .mod, .pow, .sqrt, .cbrt, .exp, .ln, .log10,
      .log2,
      .log, .pi, .sin, .cos, .tan, .asin, .acos, .atan, .atan2, .isNaN:
      return callNumber(function, arguments)
    case .concat: return .optional(joined(arguments, nulls: true))
    case .concatWithSeparator: return concatenated(arguments)
    case .least: return extreme(arguments, sign: -1)
    case .greatest: return extreme(arguments, sign: 1)
    case .clamp: return clamped(arguments)
    case .nullif: return nullIf(arguments)
    case .number, .int, .decimal, .double, .bool, .text, .size:
      guard let type = Expression.TypeName(rawValue: function.rawValue) else { return .null }
      return convert(value(arguments[0]), to: type)
    case .typeof: return .text(type(of: value(arguments[0]))?.rawValue ?? "null")
    case .isNumber: return .bool(!convert(value(arguments[0]), to: .number).isNull)
    case .isInt: return .bool(!convert(value(arguments[0]), to: .int).isNull)
    case .isBool: return .bool(!convert(value(arguments[0]), to: .bool).isNull)
    case .isEmpty: return .bool(isEmpty(value(arguments[0])))
    case .format: return formatted(arguments)
    case .percent: return formatted(arguments[0], by: .percent)
    case .bytesText: return formatted(arguments[0], by: .bytes)
    case .thousands: return formatted(arguments[0], by: .thousands)
    // Bound as nodes of their own.
    case .coalesce, .if, .must, .matches, .extract, .sub, .gsub, .rowNumber, .lineNumber, .fileName:
      return .null
    }
  }

  // MARK: - Text

  private mutating func callText(_ function: Function, _ arguments: [Node]) -> Value {
    guard let text = text(arguments[0]) else { return .null }
    let batch = batch
    let bytes = text.bytes(in: batch)
    switch function {
    case .lower: return .text(CaseMapping.lowercased(bytes))
    case .upper: return .text(CaseMapping.uppercased(bytes))
    case .capitalize: return .text(CaseMapping.capitalized(bytes))
    case .length: return .int(UTF8Walk.count(bytes))
    case .width: return .int(context.metrics.width(of: bytes))
    case .squeeze: return .text(TextFunctions.squeezed(bytes))
    case .reverse: return .text(TextFunctions.reversed(bytes))
    case .regexEscape: return .text(TextFunctions.escapedForPattern(bytes))
    case .trim, .ltrim, .rtrim: return trimmed(bytes, function, arguments)
    case .substr, .left, .right, .truncate, .repeat, .lpad, .rpad, .splitPart:
      return callSized(function, bytes, arguments)
    default: break
    }
    guard let other = self.text(arguments[1]) else { return .null }
    let second = other.bytes(in: batch)
    switch function {
    case .contains: return .bool(bytes.firstRange(of: second, from: 0) != nil)
    case .startsWith: return .bool(bytes.hasPrefix(second))
    case .endsWith: return .bool(bytes.hasSuffix(second))
    case .position:
      guard let place = bytes.firstRange(of: second, from: 0) else { return .int(0) }
      return .int(UTF8Walk.count(bytes.extracting(0..<place)) + 1)
    case .levenshtein: return distance(arguments, bytes, second)
    case .replace:
      guard let new = self.text(arguments[2]) else { return .null }
      return .optional(TextFunctions.replaced(bytes, second, by: new.bytes(in: batch)))
    default: return .null
    }
  }

  private mutating func distance(_ arguments: [Node], _ left: Span<UInt8>, _ right: Span<UInt8>) -> Value {
    if let distance = TextFunctions.distance(left, right) { return .int(distance) }
    for (node, length) in zip(arguments, [UTF8Walk.count(left), UTF8Walk.count(right)])
    where length > TextFunctions.longestCompared {
      if let cell = node.firstCell { noteMisfit(value(cell), from: cell, wanted: .comparedText) }
    }
    return .null
  }

  private mutating func trimmed(_ bytes: Span<UInt8>, _ function: Function, _ arguments: [Node]) -> Value {
    let sides = (start: function != .rtrim, end: function != .ltrim)
    guard arguments.count > 1 else { return .text(TextFunctions.trimmed(bytes, of: .blank, sides)) }
    guard let set = text(arguments[1]) else { return .null }
    return .text(TextFunctions.trimmed(bytes, ofAny: set.bytes(in: batch), sides))
  }

  /// Functions with a number after the text.
  private mutating func callSized(_ function: Function, _ bytes: Span<UInt8>, _ arguments: [Node]) -> Value {
    if function == .splitPart {
      guard let separator = text(arguments[1]), let index = integer(arguments[2]) else { return .null }
      return .text(TextFunctions.part(index, of: bytes, separator: separator.bytes(in: batch)))
    }
    guard let size = integer(arguments[1]) else { return .null }
    switch function {
    case .left: return .text(TextFunctions.part(of: bytes, from: 1, count: max(size, 0)))
    case .right: return .text(TextFunctions.lastPart(of: bytes, count: max(size, 0)))
    case .truncate: return .text(TextFunctions.truncated(bytes, to: size))
    case .repeat: return .optional(TextFunctions.repeated(bytes, size))
    case .substr:
      guard arguments.count > 2 else { return .text(TextFunctions.part(of: bytes, from: size, count: nil)) }
      guard let count = integer(arguments[2]) else { return .null }
      return .text(TextFunctions.part(of: bytes, from: size, count: max(count, 0)))
    case .lpad, .rpad:
      var filler: [UInt8] = [32]
      if arguments.count > 2 {
        guard let text = text(arguments[2]) else { return .null }
        filler = Array(copying: text.bytes(in: batch))
      }
      return .optional(
        TextFunctions.padded(bytes, to: size, with: filler, isLeft: function == .lpad, context.metrics))
    default: return .null
    }
  }

  /// Texts joined by the first argument, nulls left out.
  private mutating func concatenated(_ arguments: [Node]) -> Value {
    guard let separator = text(arguments[0]) else { return .null }
    let between = Array(copying: separator.bytes(in: batch))
    var bytes: [UInt8] = []
    var isFirst = true
    for node in arguments.dropFirst() {
      guard let text = text(node) else { continue }
      if !isFirst { bytes.append(contentsOf: between) }
      isFirst = false
      let part = text.bytes(in: batch)
      if part.count > TextFunctions.longestResult - bytes.count { return .null }
      for index in part.indices { bytes.append(part[index]) }
    }
    return .text(bytes)
  }

  /// `format()` with a text that each row brings.
  private mutating func formatted(_ arguments: [Node]) -> Value {
    guard let text = text(arguments[0]), let format = FormatText(text.bytes(in: batch)) else { return .null }
    let values = values(Array(arguments.dropFirst()))
    return .text(format.filled(by: values, self))
  }

  private mutating func formatted(_ node: Node, by spec: FormatSpec?) -> Value {
    guard let spec, let number = number(node) else { return .null }
    var buffer = ByteBuffer()
    return spec.apply(to: number, marks: context.marks, into: &buffer) ? .text(buffer.array()) : .null
  }

  // MARK: - Numbers

  /// The whole number that a node yields, cut toward zero.
  mutating func integer(_ node: Node) -> Int? {
    guard let number = number(node) else { return nil }
    return number.truncated(to: 0).integer.map { Int($0) }
  }

  private mutating func callNumber(_ function: Function, _ arguments: [Node]) -> Value {
    if function == .pi { return .number(.double(.pi)) }
    guard let first = number(arguments[0]) else { return .null }
    switch function {
    case .abs: return .number(first.magnitude)
    case .sign: return .number(first.signum)
    case .floor: return .number(first.floor)
    case .ceil: return .number(first.ceiling)
    case .isNaN: return .bool(first.isNaN)
    case .round, .trunc:
      var decimals = 0
      if arguments.count > 1 {
        guard let asked = integer(arguments[1]) else { return .null }
        decimals = min(max(asked, -400), 400)
      }
      return .number(function == .round ? first.rounded(to: decimals) : first.truncated(to: decimals))
    default: break
    }
    if arguments.count == 1 { return Self.real(NumberFunctions.value(function, first.doubleValue)) }
    guard let second = number(arguments[1]) else { return .null }
    switch function {
    case .mod: return .optional(first.remainder(dividingBy: second))
    case .roundTo: return .optional(NumberFunctions.rounded(first, toMultipleOf: second))
    case .pow: return first.power(second).map { .number(.double($0.doubleValue)) } ?? .null
    default: return Self.real(NumberFunctions.value(function, first.doubleValue, second.doubleValue))
    }
  }

  private static func real(_ value: Double?) -> Value { .optional(value.map { .double($0) }) }

  // MARK: - Any kind

  /// The smallest or the largest argument, nulls left out: of the numbers where one is a number.
  private mutating func extreme(_ arguments: [Node], sign: Int) -> Value {
    let values = values(arguments)
    let hasNumbers = values.contains { number(of: $0) != nil }
    var best = Value.null
    for (value, node) in zip(values, arguments) where !value.isNull {
      if hasNumbers, number(of: value) == nil {
        noteMisfit(value, from: node, wanted: .number)
      } else if best.isNull
        || (compare(value, best, by: hasNumbers ? .numbers : .cells) ?? 0).signum() == sign
      {
        best = value
      }
    }
    return best
  }

  private mutating func clamped(_ arguments: [Node]) -> Value {
    let value = value(arguments[0])
    let low = self.value(arguments[1])
    let high = self.value(arguments[2])
    guard let below = compare(value, low, by: .cells), let above = compare(value, high, by: .cells) else {
      return .null
    }
    return below < 0 ? low : above > 0 ? high : value
  }

  private mutating func nullIf(_ arguments: [Node]) -> Value {
    let value = value(arguments[0])
    let other = self.value(arguments[1])
    return compare(value, other, by: .cells) == 0 ? .null : value
  }
}

extension FormatSpec? {
  /// `0.25` as `25 %`.
  fileprivate static let percent = try? FormatSpec([UInt8(ascii: "%")].span)
  /// `1234567` as `1.2 MiB`.
  fileprivate static let bytes = try? FormatSpec([UInt8(ascii: "B")].span)
  /// `1234567` as `1,234,567`.
  fileprivate static let thousands = try? FormatSpec([UInt8(ascii: ",")].span)
}
