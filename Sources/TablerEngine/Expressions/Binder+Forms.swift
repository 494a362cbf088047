/// The forms of expressions, one by one.
extension Binder {
  /// Binds one expression.
  mutating func bind(_ expression: Expression, _ source: SourceExpression) throws(ExpressionError) -> Bound {
    let (node, kind) = try form(expression, source)
    return Bound(node: fold(node), kind: kind, expression: expression)
  }

  private mutating func form(
    _ expression: Expression, _ source: SourceExpression
  ) throws(ExpressionError) -> (Node, StaticKind) {
    switch expression.form {
    case .null: return (.constant(.null), .null)
    case .bool(let truth): return (.constant(.bool(truth)), .bool)
    case .number(let digits): return (.constant(.optional(Self.number(digits))), .number)
    case .text(let text): return (.constant(.text(text)), .text)
    case .pattern: throw source.error(.patternNotAllowed, at: expression.range)
    case .column, .position, .record, .path: return try reference(expression, source)
    case .argument(let name): return (try argument(name, expression.range, source), .any)
    case .list: throw source.error(.listNotAllowed, at: expression.range)
    case .call(let name, let arguments): return try call(name, arguments, expression.range, source)
    case .negation(let operand):
      return (.negation(try number(operand, "-", source)), .number)
    case .plus(let operand):
      return (.arithmetic(try number(operand, "+", source), []), .number)
    case .not(let operand, let isMark):
      return (.not(try truth(operand, isMark ? "!" : "not", source)), .bool)
    case .logical(let word, let operands, let isMark):
      return (try logical(word, operands, isMark: isMark, source), .bool)
    case .coalesce(let operands):
      return try coalesce(operands, source)
    case .chain(let first, let links): return try chain(first, links, source)
    case .power(let base, let exponent):
      return (.power(try number(base, "^", source), try number(exponent, "^", source)), .number)
    case .comparison, .membership, .between, .like, .match, .test, .distinct:
      return (try comparison(expression, source), .bool)
    case .conditional(let condition, let then, let otherwise):
      let branch = Expression.Branch(condition: condition, value: then)
      return try choice([branch], else: otherwise, "? :", source)
    case .choice(let branches, let otherwise):
      return try choice(branches, else: otherwise, "case", source)
    }
  }

  /// A number as written.
  static func number(_ digits: String) -> Number? {
    guard digits.hasPrefix("0x") || digits.hasPrefix("0X") else {
      let bytes = Array(digits.utf8)
      return NumberReader.loose(bytes.span)
    }
    let hex = digits.dropFirst(2)
    if let value = Int64(hex, radix: 16) { return .int(value) }
    if let value = Int128(hex, radix: 16), let decimal = ExactDecimal(significand: value, scale: 0) {
      return Number(decimal)
    }
    return .double(hex.reduce(0) { $0 * 16 + Double($1.hexDigitValue ?? 0) })
  }

  private func argument(
    _ name: String, _ range: Range<Int>, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    guard let text = arguments[name] else {
      if schema.index(of: name) != nil { throw source.error(.argumentIsColumn(name), at: range) }
      let suggestion = name.nearest(among: arguments.names.sorted())
      throw source.error(.unknownArgument(name, suggestion: suggestion), at: range)
    }
    let bytes = Array(text.utf8)
    return .argument(TextValue(bytes), NumberReader.loose(bytes.span, marks: context.marks))
  }

  /// `??` and `coalesce()`: the first operand that is not null.
  mutating func coalesce(
    _ operands: [Expression], _ source: SourceExpression
  ) throws(ExpressionError) -> (Node, StaticKind) {
    var nodes: [Node] = []
    var kind = StaticKind.null
    for operand in operands {
      let bound = try single(
        try nodes.isEmpty ? bind(operand, source) : bind(value: operand, source), source)
      nodes.append(bound.node)
      kind = kind.or(bound.kind)
    }
    return (.coalesce(nodes), kind)
  }

  /// `if`, `? :` and `case`: the first branch whose condition is true.
  mutating func choice(
    _ branches: [Expression.Branch], else otherwise: Expression?, _ user: String, _ source: SourceExpression
  ) throws(ExpressionError) -> (Node, StaticKind) {
    var bound: [Node.Branch] = []
    var kind = StaticKind.null
    for branch in branches {
      let condition = try truth(branch.condition, user, source)
      let value = try single(try bind(value: branch.value, source), source)
      kind = kind.or(value.kind)
      bound.append(Node.Branch(condition: condition, value: value.node))
    }
    var last = Node.constant(.null)
    if let otherwise {
      let value = try single(try bind(value: otherwise, source), source)
      kind = kind.or(value.kind)
      last = value.node
    }
    return (.choice(bound, else: last), kind)
  }

  private mutating func logical(
    _ word: Expression.Logical, _ operands: [Expression], isMark: Bool, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    var nodes: [Node] = []
    for (index, operand) in operands.enumerated() {
      let bound = try single(try bind(operand, source), source)
      if bound.kind == .text || bound.kind == .number {
        guard word == .or else { throw wrongKind(bound, user: word.rawValue, needs: .bool, source) }
        throw wrongOperand(bound, ofOr: operands, at: index, source)
      }
      nodes.append(bound.node)
    }
    return .logical(word, nodes)
  }

  /// The error for a value that `or` cannot take: of two texts that were to be joined, or of one more value
  /// that a column may have.
  private func wrongOperand(
    _ bound: Bound, ofOr operands: [Expression], at index: Int, _ source: SourceExpression
  ) -> ExpressionError {
    let operand = operands[index]
    let text = source.text.bytes(operand.range)
    if bound.isLiteral, index > 0, case .comparison(.equal, let subject, let first) = operands[index - 1].form
    {
      return source.error(
        .valueAfterOr(
          operand: text, is: bound.kind.valueKind, subject: source.text.bytes(subject.range),
          first: source.text.bytes(first.range)), at: operand.range)
    }
    guard bound.kind == .text, spelledColumn(bound) == nil else {
      return wrongKind(bound, user: "or", needs: .bool, source)
    }
    let first = max(index - 1, 0)
    return source.error(
      .joinedByOr(
        operand: text, left: source.text.bytes(operands[first].range),
        right: source.text.bytes(operands[first + 1].range)), at: operand.range)
  }

  private mutating func chain(
    _ first: Expression, _ links: [Expression.Link], _ source: SourceExpression
  ) throws(ExpressionError) -> (Node, StaticKind) {
    do {
      var result = try bind(first, source)
      var rest = links[...]
      while let link = rest.first {
        let isJoin = link.symbol == .join
        let run = rest.prefix { ($0.symbol == .join) == isJoin }
        result = isJoin ? try joined(result, run, source) : try arithmetic(result, run, source)
        rest = rest.dropFirst(run.count)
      }
      return (result.node, result.kind)
    } catch {
      throw subtraction(first, links, source, instead: error)
    }
  }

  private mutating func joined(
    _ first: Bound, _ links: ArraySlice<Expression.Link>, _ source: SourceExpression
  ) throws(ExpressionError) -> Bound {
    var nodes = [try single(first, source).node]
    for link in links { nodes.append(try single(try bind(link.operand, source), source).node) }
    return computed(.join(nodes), .text, first, links)
  }

  private mutating func arithmetic(
    _ first: Bound, _ links: ArraySlice<Expression.Link>, _ source: SourceExpression
  ) throws(ExpressionError) -> Bound {
    let start = try number(first, links.first?.symbol.rawValue ?? "", source)
    var steps: [Node.Link] = []
    for link in links {
      let operand = try number(link.operand, link.symbol.rawValue, source)
      steps.append(Node.Link(symbol: link.symbol, operand: operand))
    }
    return computed(.arithmetic(start, steps), .number, first, links)
  }

  /// What a run of a chain yields: no literal any more, whatever it began with.
  private func computed(
    _ node: Node, _ kind: StaticKind, _ first: Bound, _ links: ArraySlice<Expression.Link>
  ) -> Bound {
    let end = links.last?.operand.range.upperBound ?? first.expression.range.upperBound
    let range = first.expression.range.lowerBound..<end
    return Bound(node: node, kind: kind, expression: Expression(form: .record, range: range))
  }
}
