/// Calls: the function is found, its arguments are counted and checked one by one.
extension Binder {
  /// Binds a call.
  mutating func call(
    _ name: Expression.Name, _ arguments: [Expression], _ expression: Expression, _ source: SourceExpression
  ) throws(ExpressionError) -> (Node, StaticKind) {
    let lowered = name.text.lowercased()
    if let kind = Aggregate(name: lowered) {
      return try aggregate(kind, name, arguments, expression, source)
    }
    guard let function = Function(name: lowered) else {
      var names = Function.allCases.map(\.rawValue) + Aggregate.allCases.map(\.rawValue)
      // Three letters of which the first is another are another word: now, pow.
      if lowered.count <= 3 { names.removeAll { $0.first != lowered.first } }
      throw source.error(
        .unknownFunction(name.text, suggestion: lowered.nearest(among: names)), at: name.range)
    }
    let signature = function.signature
    if function == .log, arguments.count == 1 {
      throw source.error(.logarithmNeedsBase, at: expression.range)
    }
    try check(arguments.count, name, least: signature.least, most: signature.most, expression, source)
    return try call(function, named: lowered, signature, arguments, source)
  }

  private func check(
    _ given: Int, _ name: Expression.Name, least: Int, most: Int?, _ expression: Expression,
    _ source: SourceExpression
  ) throws(ExpressionError) {
    guard given < least || given > most ?? .max else { return }
    throw source.error(
      .argumentCount(function: name.text, least: least, most: most, given: given), at: expression.range)
  }

  private mutating func call(
    _ function: Function, named name: String, _ signature: Function.Signature, _ arguments: [Expression],
    _ source: SourceExpression
  ) throws(ExpressionError) -> (Node, StaticKind) {
    let user = name + "()"
    switch function {
    case .rowNumber: return (.rowNumber, .number)
    case .lineNumber: return (.lineNumber, .number)
    case .fileName: return (.fileName, .text)
    case .if:
      let branch = Expression.Branch(condition: arguments[0], value: arguments[1])
      return try choice([branch], else: arguments[2], user, source)
    case .must: return try must(arguments, source)
    default: break
    }
    var nodes: [Node] = []
    var kind = StaticKind.null
    var pattern: Node.PatternSource?
    for (index, argument) in arguments.enumerated() {
      let parameter = signature.parameters[min(index, signature.parameters.count - 1)]
      switch parameter {
      case .pattern: pattern = try self.pattern(argument, user, source)
      case .number: nodes.append(try number(argument, user, source))
      case .bool: nodes.append(try truth(argument, user, source))
      case .text:
        let bound = try index == 0 ? bind(argument, source) : bind(value: argument, source)
        nodes.append(try text(bound, user, source).node)
      case .any:
        let bound = try single(
          try index == 0 ? bind(argument, source) : bind(value: argument, source), source)
        kind = kind.or(bound.kind)
        nodes.append(bound.node)
      }
    }
    if let pattern {
      return (.patternCall(function, nodes[0], pattern, Array(nodes.dropFirst())), signature.result)
    }
    if function == .format, case .text(let text) = nodes[0].constant {
      guard let format = FormatText(text.held.span) else {
        let spelled = String(decoding: text.held, as: UTF8.self)
        throw source.error(.malformedFormat(spelled), at: arguments[0].range)
      }
      return (.format(format, Array(nodes.dropFirst())), .text)
    }
    if function == .coalesce { return (.coalesce(nodes), kind) }
    return (.call(function, nodes), signature.result == .any ? kind : signature.result)
  }

  /// `must(x, "type")`; the type is known before any row is.
  private mutating func must(
    _ arguments: [Expression], _ source: SourceExpression
  ) throws(ExpressionError) -> (Node, StaticKind) {
    let value = try single(try bind(arguments[0], source), source)
    guard case .text(let name) = arguments[1].form else {
      throw source.error(.typeNeedsLiteral(function: "must"), at: arguments[1].range)
    }
    guard let type = Expression.TypeName(rawValue: name.lowercased()) else {
      let names = Expression.TypeName.allCases.map(\.rawValue)
      throw source.error(.unknownType(name, suggestion: name.nearest(among: names)), at: arguments[1].range)
    }
    let kind: StaticKind =
      switch type {
      case .number, .int, .decimal, .double, .size: .number
      case .bool: .bool
      case .text: .text
      case .list, .object: .any
      }
    return (.must(value.node, type), kind)
  }

  private mutating func aggregate(
    _ kind: Aggregate, _ name: Expression.Name, _ arguments: [Expression], _ expression: Expression,
    _ source: SourceExpression
  ) throws(ExpressionError) -> (Node, StaticKind) {
    guard aggregates != nil, !isInsideAggregate else {
      throw source.error(.aggregateNotAllowed(name.text), at: expression.range)
    }
    try check(arguments.count, name, least: kind == .count ? 0 : 1, most: 1, expression, source)
    isInsideAggregate = true
    defer { isInsideAggregate = false }
    var bound = BoundAggregate(kind: kind, argument: nil)
    var result = StaticKind.number
    if let argument = arguments.first {
      let value = try single(try bind(argument, source), source)
      if kind == .sum || kind == .mean { _ = try number(value, name.text.lowercased() + "()", source) }
      bound.argument = value.node
      if kind == .min || kind == .max || kind == .first || kind == .last { result = value.kind }
    }
    aggregates?.append(bound)
    return (.aggregate((aggregates?.count ?? 1) - 1), result)
  }
}
