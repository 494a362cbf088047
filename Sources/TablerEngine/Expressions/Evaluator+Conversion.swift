/// Conversion by use: a text is read as what is asked for, and a cell that does not fit is counted.
extension Evaluator {
  /// The number that `node` yields.
  mutating func number(_ node: Node) -> Number? {
    switch node {
    case .constant(.number(let number)): return number
    case .argument(_, let number): return number
    case .cell(let column, let slot): return number(in: batch.cell(row: row, column: column), slot: slot)
    case .arithmetic(let first, let links): return arithmetic(first, links)
    case .negation(let operand): return number(operand)?.negated
    case .power(let base, let exponent):
      guard let base = number(base), let exponent = number(exponent) else { return nil }
      return base.power(exponent)
    case .coalesce(let nodes):
      for node in nodes {
        let value = value(node)
        if !value.isNull { return number(of: value, from: node) }
      }
      return nil
    case .choice(let branches, let otherwise): return number(chosen(branches, otherwise))
    case .call(let computation, let arguments): return number(of: computation, arguments)
    default: return number(of: value(node), from: node)
    }
  }

  /// The number that a call yields.
  mutating func number(of computation: Function.Computation, _ arguments: [Node]) -> Number? {
    switch computation {
    case .count(let compute):
      guard let text = text(arguments[0]) else { return nil }
      return .int(Int64(compute(text.bytes(in: batch))))
    case .number(let compute):
      guard let number = number(arguments[0]) else { return nil }
      return compute(number)
    case .real(let compute):
      guard let number = number(arguments[0]), let real = compute(number.doubleValue) else { return nil }
      return .double(real)
    case .text, .test, .value: return number(of: call(computation, arguments))
    }
  }

  /// The whole number that a node yields, cut toward zero.
  mutating func integer(_ node: Node) -> Int? {
    guard let number = number(node) else { return nil }
    return number.truncated(to: 0).integer.map { Int($0) }
  }

  /// The number a cell holds, where a number is asked for.
  @inline(__always)
  mutating func number(in cell: Cell, slot: Int) -> Number? {
    switch cell.kind {
    case .text, .number:
      if let number = NumberReader.loose(batch.content(cell), marks: context.marks(of: cell)) {
        return number
      }
    case .null, .missing, .empty: return nil
    case .bool, .list, .object: break
    }
    if cell.length > 0 { state.tally.note(slot, wanted: .number, cell: cell, batch: batch, row: row) }
    return nil
  }

  /// The number a value is.
  func number(of value: Value) -> Number? {
    switch value {
    case .number(let number): number
    case .text(let text): NumberReader.loose(text.bytes(in: batch), marks: context.marks)
    case .null, .bool, .list, .object: nil
    }
  }

  private mutating func number(of value: Value, from node: Node) -> Number? {
    let number = number(of: value)
    if number == nil { noteMisfit(value, from: node, wanted: .number) }
    return number
  }

  /// Whether a value is true or false.
  func truth(of value: Value) -> Bool? {
    switch value {
    case .bool(let truth): return truth
    case .text(let text):
      let bytes = text.bytes(in: batch)
      return bytes.equals("true") ? true : bytes.equals("false") ? false : nil
    case .null, .number, .list, .object: return nil
    }
  }

  /// Counts a value that did not convert, if it is that of a cell.
  mutating func noteMisfit(_ value: Value, from node: Node, wanted: ExpressionError.ValueKind) {
    guard !value.isNull else { return }
    switch node {
    case .cell(let column, let slot):
      let cell = batch.cell(row: row, column: column)
      if cell.length > 0 { state.tally.note(slot, wanted: wanted, cell: cell, batch: batch, row: row) }
    case .way(_, let slot):
      guard let text = text(of: value)?.held(from: batch), !text.held.isEmpty else { return }
      state.tally.note(slot, wanted: wanted, text.held.span, batch: batch, row: row)
    default: return
    }
  }

  /// The text that `node` yields: cells exactly as in the input.
  mutating func text(_ node: Node) -> TextValue? { text(of: value(node)) }

  /// The text of a value.
  func text(of value: Value) -> TextValue? {
    switch value {
    case .null: return nil
    case .bool(let truth): return TextValue(Array((truth ? "true" : "false").utf8))
    case .number(let number):
      var buffer = ByteBuffer(capacity: 32)
      NumberWriter.append(number, to: &buffer)
      return TextValue(buffer.array())
    case .text(let text), .list(let text), .object(let text): return text
    }
  }

  /// Texts one after the other; null where one is null, unless nulls count as nothing.
  mutating func joined(_ nodes: [Node], nulls areNothing: Bool = false) -> [UInt8]? {
    var bytes: [UInt8] = []
    for node in nodes {
      guard let text = text(node) else {
        if areNothing { continue }
        return nil
      }
      let part = text.bytes(in: batch)
      if part.count > TextFunctions.longestResult - bytes.count { return nil }
      for index in part.indices { bytes.append(part[index]) }
    }
    return bytes
  }

  private mutating func arithmetic(_ first: Node, _ links: [Node.Link]) -> Number? {
    var result = number(first)
    for link in links {
      let right = number(link.operand)
      guard let left = result, let right else {
        result = nil
        continue
      }
      result =
        switch link.symbol {
        case .add: left.adding(right)
        case .subtract: left.subtracting(right)
        case .multiply: left.multiplied(by: right)
        case .divide: left.divided(by: right)
        case .quotient: left.quotient(by: right)
        case .remainder: left.remainder(dividingBy: right)
        case .join: nil
        }
    }
    return result
  }
}

// MARK: - Types

extension Evaluator {
  /// The type a value has by its own look; nil for null.
  func type(of value: Value) -> Expression.TypeName? {
    switch value {
    case .null: nil
    case .bool: .bool
    case .number(let number): Self.type(of: number)
    case .text(let text):
      if text.isString {
        .text
      } else if let number = NumberReader.typed(text.bytes(in: batch), marks: context.marks) {
        Self.type(of: number)
      } else {
        truth(of: value) == nil ? .text : .bool
      }
    case .list: .list
    case .object: .object
    }
  }

  private static func type(of number: Number) -> Expression.TypeName {
    switch number {
    case .int: .int
    case .decimal, .long: .decimal
    case .double: .double
    }
  }

  /// Whether a value is of a type.
  func has(_ value: Value, type: Expression.TypeName) -> Bool {
    if type == .size { return !convert(value, to: .size).isNull }
    guard let own = self.type(of: value) else { return false }
    return own == type || (type == .number && (own == .int || own == .decimal || own == .double))
  }

  /// A value as another type; null where it does not convert.
  func convert(_ value: Value, to type: Expression.TypeName) -> Value {
    switch type {
    case .number: return .optional(number(of: value))
    case .int:
      guard let number = number(of: value) else { return .null }
      return .optional(number.integer.map { .int($0) })
    case .decimal:
      guard let number = number(of: value) else { return .null }
      if case .long = number { return .number(number) }
      return .optional(number.exact.map { .decimal($0) } ?? Self.decimal(of: number))
    case .double: return .optional(number(of: value).map { .double($0.doubleValue) })
    case .text: return text(of: value).map { .text($0) } ?? .null
    case .bool: return .optional(truth(of: value))
    case .size:
      guard let text = text(of: value) else { return .null }
      return .optional(Size.read(text.bytes(in: batch), marks: context.marks))
    case .list:
      if case .list = value { return value }
      return .null
    case .object:
      if case .object = value { return value }
      return .null
    }
  }

  /// The decimal that a double prints as, where the digits suffice.
  private static func decimal(of number: Number) -> Number? {
    var buffer = ByteBuffer(capacity: 32)
    NumberWriter.append(number, to: &buffer)
    guard let again = NumberReader.loose(buffer.span), let exact = again.exact else { return nil }
    return .decimal(exact)
  }
}

extension EvaluationContext {
  /// The marks a cell's number is written with.
  @inline(__always)
  func marks(of cell: Cell) -> NumberMarks { cell.kind == .number ? .standard : marks }
}
