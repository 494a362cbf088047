/// Calls: the function is found, its arguments are counted and checked one by one.
extension Binder {
  /// A call as written, of a function that exists; the number of its arguments is right.
  struct Call {
    /// What is called.
    let function: Function
    /// The function in messages: `round()`.
    let user: String
    /// The arguments as written.
    let arguments: [Expression]
    /// Where the call stands.
    let source: SourceExpression
  }

  /// Binds a call.
  mutating func call(
    _ name: Expression.Name, _ arguments: [Expression], _ range: Range<Int>, _ source: SourceExpression
  ) throws(ExpressionError) -> (Node, StaticKind) {
    let lowered = name.text.lowercased()
    guard let function = Function.named(lowered) else {
      var names = Function.all.map(\.name)
      // Three letters of which the first is another are another word: now, pow.
      if lowered.count <= 3 { names.removeAll { $0.first != lowered.first } }
      throw source.error(
        .unknownFunction(name.text, suggestion: lowered.nearest(among: names)), at: name.range)
    }
    if case .aggregate = function.body, aggregates == nil || isInsideAggregate {
      throw source.error(.aggregateNotAllowed(name.text), at: range)
    }
    if let refused = function.refused, arguments.count == refused.count {
      throw source.error(refused.mistake, at: range)
    }
    guard arguments.count >= function.least, arguments.count <= function.most ?? .max else {
      throw source.error(
        .argumentCount(
          function: name.text, least: function.least, most: function.most, given: arguments.count), at: range)
    }
    return try bind(Call(function: function, user: lowered + "()", arguments: arguments, source: source))
  }

  private mutating func bind(_ call: Call) throws(ExpressionError) -> (Node, StaticKind) {
    switch call.function.body {
    case .form(let bind): return try bind(&self, call)
    case .row(let reading): return (.row(reading), call.function.result)
    case .call(let computation):
      let bound = try self.arguments(of: call)
      return (.call(computation, bound.nodes), bound.kind)
    case .pattern(let matching):
      let bound = try self.arguments(of: call)
      guard let pattern = bound.pattern, let subject = bound.nodes.first else {
        return (.constant(.null), .null)
      }
      return (.patternCall(matching, subject, pattern, Array(bound.nodes.dropFirst())), bound.kind)
    case .aggregate(let accumulator):
      isInsideAggregate = true
      defer { isInsideAggregate = false }
      let bound = try self.arguments(of: call)
      let index = aggregates?.count ?? 0
      aggregates?.append(BoundAggregate(accumulator, bound.nodes))
      return (.aggregate(index), bound.kind)
    }
  }

  /// The arguments of a call, each as its parameter asks.
  struct BoundArguments {
    /// All but the pattern.
    var nodes: [Node] = []
    /// The pattern, if there is one.
    var pattern: Node.PatternSource?
    /// The kind of the call's value.
    var kind = StaticKind.null
  }

  /// Binds the arguments of a call.
  mutating func arguments(of call: Call) throws(ExpressionError) -> BoundArguments {
    var bound = BoundArguments()
    for (index, argument) in call.arguments.enumerated() {
      switch call.function.parameter(at: index).kind {
      case .pattern: bound.pattern = try pattern(argument, call.user, call.source)
      case .number: bound.nodes.append(try number(argument, call.user, call.source))
      case .bool: bound.nodes.append(try truth(argument, call.user, call.source))
      case .text:
        let value = try self.argument(argument, isFirst: index == 0, call.source)
        bound.nodes.append(try text(value, call.user, call.source).node)
      case .any:
        let value = try single(try self.argument(argument, isFirst: index == 0, call.source), call.source)
        bound.kind = bound.kind.or(value.kind)
        bound.nodes.append(value.node)
      }
    }
    if call.function.result != .any { bound.kind = call.function.result }
    return bound
  }

  /// What stands after the first argument may be a text that lacks its quote marks.
  private mutating func argument(
    _ expression: Expression, isFirst: Bool, _ source: SourceExpression
  ) throws(ExpressionError) -> Bound {
    isFirst ? try bind(expression, source) : try bind(value: expression, source)
  }
}
