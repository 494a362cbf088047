/// Turns syntax into a program: names become columns, kinds are checked, constants computed.
///
/// Everything that can be rejected is rejected here, before any row is read.
struct Binder {
  /// The columns; an open schema records names that may still come.
  var schema: Schema

  /// The texts of `--arg`.
  let variables: NamedTexts

  /// What programs need to know besides their nodes.
  let context: EvaluationContext

  /// The meaning of the name `n` in templates of rows.
  enum RowNumberName {
    /// A column like any other.
    case column
    /// The number of the shown row, unless a column has that name.
    case unlessColumn
    /// The number of the shown row; a column of that name needs backquotes.
    case always
  }

  /// The meaning of the name `n` here.
  var rowNumberName = RowNumberName.column

  /// The column `n` that may still come, if a template has the name and nothing else uses it.
  var columnN: Int?

  /// The aggregates found, if they are allowed; nil if rows are processed one by one.
  var aggregates: [BoundAggregate]?

  /// How `selected()` is answered.
  enum SelectedAnswer {
    /// By the painter, for each of its rows.
    case found
    /// By the options that select rows: their numbers, counted from 0, and conditions.
    case chosen(rows: [Range<Int>], conditions: [SourceExpression])
    /// Not at all, because rows are counted from the end.
    case fromEnd
  }

  /// How `selected()` is answered here; `nil` if it is not allowed.
  var selection: SelectedAnswer?

  /// Whether `selected()` was used.
  var asksSelected = false

  /// The keys of the calls of `unique()`, if it is allowed; nil if rows are processed one by one.
  var uniques: [[Node]]?

  /// What may also be used outside of aggregates.
  var groupRow = GroupRow()

  /// The earlier aggregates that the value uses, by their indices.
  var earlier: Set<Int> = []

  /// A name of a value that comes with the rows, except in backquotes or in an aggregate.
  var givenName: String?

  /// The cell that a field rule calls `value`.
  enum FieldCell {
    /// The cell of a column, or a part of it.
    case column(ResolvedColumn)
    /// The cell of a column that each run specifies; all columns have the same declared type.
    case exchanged(ValueType?)
    /// The cell of a column that does not exist.
    case unknown
  }

  /// The cell that the name `value` means, except in backquotes; `nil` if it is a column like any other.
  var fieldCell: FieldCell?

  /// The slot for misfits of the column that each run specifies, once it has been used.
  var fieldSlot: Int?

  /// The parts of the expression that is being bound, if they are kept.
  var parts: [TypedExpression]?

  /// Whether an aggregate is being bound, inside which rows are processed one by one.
  var isInsideAggregate = false

  /// How the list is written that an aggregate walks along, while its argument is bound.
  var walkedPath: String?

  /// The number of values that are the same for all items of the lists that aggregates walk along.
  private var heldCount = 0

  /// The calls found that look at other rows, if they are allowed.
  var series: [BoundSeries]?

  /// Whether the argument of such a call is being bound.
  var isInsideSeries = false

  /// Whether something was found that may give a number more digits than are useful: `/`, `sqrt()`, `mean()`,
  /// or a column that is computed with them.
  var mayBeInexact = false

  /// The number of compiled patterns.
  var patternCount = 0

  /// The names of the columns whose misfits are counted, by slot.
  var slots: [String] = []

  /// Creates a binder for expressions over `schema`.
  init(schema: Schema, variables: NamedTexts = NamedTexts(), context: EvaluationContext = EvaluationContext())
  {
    self.schema = schema
    self.variables = variables
    self.context = context
  }

  /// Binds an expression of any kind: a sort key, a derived value.
  mutating func bind(_ source: SourceExpression) throws(ExpressionError) -> Program {
    begin()
    mayBeInexact = false
    let value = try bind(source.expression, source)
    return Program(
      node: value.node, kind: value.kind, context: context, slots: slots, mayBeInexact: mayBeInexact,
      zone: zoneName(of: source.expression), fieldSlot: fieldSlot,
      expectsConversions: source.expression.expectsConversions)
  }

  /// Begins a program.
  private mutating func begin() {
    slots = []
    fieldSlot = nil
    patternCount = 0
    heldCount = 0
  }

  /// Binds a value of a group: its keys, aggregates of its rows, and earlier aggregates.
  ///
  /// - Parameter row: what is available besides aggregates of its rows.
  mutating func bind(
    aggregate source: SourceExpression, in row: GroupRow
  ) throws(ExpressionError) -> (value: Program, aggregates: [BoundAggregate], earlier: [Int]) {
    aggregates = []
    groupRow = row
    earlier = []
    defer {
      aggregates = nil
      groupRow = GroupRow()
    }
    let program = try bind(source)
    return (program, aggregates ?? [], earlier.sorted())
  }

  /// Binds a condition of a step that sees all rows and may ask for the first row with a key.
  mutating func bind(stepCondition source: SourceExpression) throws(ExpressionError) -> (
    Program, uniques: [[Node]]
  ) {
    uniques = []
    defer { uniques = nil }
    let program = try bind(condition: source)
    return (program, uniques ?? [])
  }

  /// Binds an expression that must yield true or false.
  mutating func bind(condition source: SourceExpression) throws(ExpressionError) -> Program {
    begin()
    let bound = try single(try bind(source.expression, source), source)
    switch bound.kind {
    case .any, .bool, .null:
      return Program(
        node: bound.node, kind: bound.kind, context: context, slots: slots, fieldSlot: fieldSlot,
        expectsConversions: source.expression.expectsConversions)
    case .number, .text, .list, .time, .duration, .size:
      if let column = spelledColumn(bound) {
        let range = source.expression.range
        throw source.error(.textIsColumn(literal: source.text.bytes(range), column: column), at: range)
      }
      throw source.error(.conditionNeeded(is: bound.kind.valueKind), at: source.expression.range)
    }
  }
}

/// A bound expression with what is known about its value.
struct Bound {
  /// The program.
  var node: Node
  /// The kind of its value.
  var kind: StaticKind
  /// The expression it comes from.
  var expression: Expression

  /// Whether the expression is a text, number, true or false as written.
  var isLiteral: Bool {
    switch expression.kind {
    case .text, .typed, .number, .bool, .null: true
    case .negation(let operand), .plus(let operand):
      switch operand.kind {
      case .number, .typed(.size, _): true
      default: false
      }
    default: false
    }
  }

  /// Whether the value is, or may be, a text that is read as whatever its user needs.
  var isReadByUse: Bool { kind == .any || (kind == .text && !isLiteral) }

  /// Whether the value may be that of a cell, whose look decides its type.
  var mayBeRead: Bool { kind == .any }
}

// MARK: - Forms

/// The forms of expressions, one by one.
extension Binder {
  /// Binds one expression.
  mutating func bind(_ expression: Expression, _ source: SourceExpression) throws(ExpressionError) -> Bound {
    var outer = parts.take()
    if outer != nil { parts = [] }
    let (node, kind) = try form(expression, source)
    let bound = Bound(node: held(fold(node), expression, source), kind: kind, expression: expression)
    if outer != nil {
      outer?.append(TypedExpression(bound, parts ?? []))
      parts = outer.take()
    }
    return bound
  }

  /// A node, or one that holds its value while a list is walked along, if that is the same for all items and takes time.
  private mutating func held(_ node: Node, _ expression: Expression, _ source: SourceExpression) -> Node {
    guard let walkedPath, node.constant == nil else { return node }
    switch expression.kind {
    case .path, .call, .list: break
    default: return node
    }
    if expression.walks(along: walkedPath, in: source) { return node }
    heldCount += 1
    return .held(heldCount - 1, node)
  }

  private mutating func form(
    _ expression: Expression, _ source: SourceExpression
  ) throws(ExpressionError) -> (Node, StaticKind) {
    switch expression.kind {
    case .null: return (.constant(.null), .null)
    case .bool(let truth): return (.constant(.bool(truth)), .bool)
    case .number(let digits): return (.constant(.optional(Self.number(digits))), .number)
    case .text(let text): return (.constant(.text(text)), .text)
    case .typed(let type, let text): return try literal(type, text, expression.range, source)
    case .pattern: throw source.error(.patternNotAllowed, at: expression.range)
    case .column, .position, .record, .path: return try reference(expression, source)
    case .argument(let name): return (try variable(name, expression.range, source), .any)
    case .list(let items): return (try list(items, source), .list)
    case .call(let name, let arguments): return try call(name, arguments, expression.range, source)
    case .negation(let operand):
      let bound = try bind(operand, source)
      if bound.kind == .duration {
        let none = Node.constant(.duration(Duration(seconds: ExactDecimal(0))))
        return (.temporal(none, [Node.Link(symbol: .subtract, operand: bound.node)]), .duration)
      }
      return (.negation(try number(bound, "-", source)), bound.kind == .size ? .size : .number)
    case .plus(let operand):
      let bound = try bind(operand, source)
      return (.arithmetic(try number(bound, "+", source), []), bound.kind == .size ? .size : .number)
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

  private func variable(
    _ name: String, _ range: Range<Int>, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    guard let text = variables[name] else {
      if schema.index(of: name) != nil { throw source.error(.argumentIsColumn(name), at: range) }
      let suggestion = name.nearest(among: variables.names.sorted())
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
      let bound = try nodes.isEmpty ? bind(operand, source) : bind(value: operand, source)
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
      let value = try bind(value: branch.value, source)
      kind = kind.or(value.kind)
      bound.append(Node.Branch(condition: condition, value: value.node))
    }
    var last = Node.constant(.null)
    if let otherwise {
      let value = try bind(value: otherwise, source)
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
      if ![.any, .null, .bool].contains(bound.kind) {
        guard word == .or else { throw wrongKind(bound, user: word.rawValue, needs: .bool, source) }
        throw wrongOperand(bound, ofOr: operands, at: index, source)
      }
      nodes.append(bound.node)
    }
    return .logical(word, nodes)
  }

  /// The error for a value that `or` cannot take: for two texts that were meant to be joined, or for another
  /// value that a column was meant to be compared with.
  private func wrongOperand(
    _ bound: Bound, ofOr operands: [Expression], at index: Int, _ source: SourceExpression
  ) -> ExpressionError {
    let operand = operands[index]
    let text = source.text.bytes(operand.range)
    if bound.isLiteral, index > 0, case .comparison(.equal, let subject, let first) = operands[index - 1].kind
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
    if first.kind.isTemporal { return try temporal(first, [], links, source) }
    var start = try number(first, links.first?.symbol.rawValue ?? "", source)
    var operands: [Bound] = []
    var steps: [Node.Link] = []
    for link in links {
      let operand = try bind(link.operand, source)
      operands.append(operand)
      if link.symbol == .divide { mayBeInexact = true }
      if operand.kind.isTemporal {
        return try temporal(first, operands, links, source)
      }
      let node = try number(operand, link.symbol.rawValue, source)
      steps.append(Node.Link(symbol: link.symbol, operand: node))
    }
    guard first.kind == .size || operands.contains(where: { $0.kind == .size }) else {
      return computed(.arithmetic(start, steps), .number, first, links)
    }
    if first.isReadByUse { start = .size(start) }
    for (index, operand) in operands.enumerated() where operand.isReadByUse {
      steps[index].operand = .size(steps[index].operand)
    }
    // The quotient of two sizes is not a size.
    let isRatio = zip(links, operands).contains { $0.symbol == .divide && $1.kind == .size }
    return computed(.arithmetic(start, steps), isRatio ? .number : .size, first, links)
  }

  /// The result of a part of a chain: it is no longer a literal, whatever it began with.
  func computed(
    _ node: Node, _ kind: StaticKind, _ first: Bound, _ links: ArraySlice<Expression.Link>
  ) -> Bound {
    let end = links.last?.operand.range.upperBound ?? first.expression.range.upperBound
    let range = first.expression.range.lowerBound..<end
    return Bound(node: node, kind: kind, expression: Expression(kind: .record, range: range))
  }
}

// MARK: - Calls

/// Calls: the function is found, its arguments are counted and checked one by one.
extension Binder {
  /// A call as written, of a function that exists; the number of its arguments is right.
  struct Call {
    /// The function that is called.
    let function: Function
    /// The function in messages: `round()`.
    let user: String
    /// The arguments as written.
    let arguments: [Expression]
    /// The range of the call in its source.
    let range: Range<Int>
    /// The source that contains it.
    let source: SourceExpression
  }

  /// Binds a call.
  mutating func call(
    _ name: Expression.Name, _ arguments: [Expression], _ range: Range<Int>, _ source: SourceExpression
  ) throws(ExpressionError) -> (Node, StaticKind) {
    let lowered = name.text.lowercased()
    guard let function = Function.named(lowered) else {
      var names = Function.all.map(\.name)
      // A word of three letters with another first letter is a different word: now, pow.
      if lowered.count <= 3 { names.removeAll { $0.first != lowered.first } }
      throw source.error(
        .unknownFunction(name.text, suggestion: lowered.nearest(among: names)), at: name.range)
    }
    var walk: Expression.Walk?
    if case .aggregate = function.body { walk = arguments.lazy.compactMap(\.walk).first }
    if case .aggregate(_, nil) = function.body, walk == nil, aggregates == nil || isInsideAggregate {
      let isOfGroups = source.option == "--having"
      throw source.error(
        isOfGroups ? .aggregateInHaving(name.text) : .aggregateNotAllowed(name.text), at: range)
    }
    if let refused = function.refused, arguments.count == refused.count {
      throw source.error(refused.mistake, at: range)
    }
    guard arguments.count >= function.least, arguments.count <= function.most ?? .max else {
      throw source.error(
        .argumentCount(
          function: name.text, least: function.least, most: function.most, given: arguments.count), at: range)
    }
    let call = Call(
      function: function, user: lowered + "()", arguments: arguments, range: range, source: source)
    if let walk, case .aggregate(let accumulator, _) = function.body {
      return try aggregate(accumulator, of: call, over: walk)
    }
    return try bind(call)
  }

  /// Binds an aggregate of the items of a list in one row.
  private mutating func aggregate(
    _ accumulator: any Accumulator.Type, of call: Call, over walk: Expression.Walk
  ) throws(ExpressionError) -> (Node, StaticKind) {
    if aggregates != nil, !isInsideAggregate {
      throw call.source.error(
        .listOfOneRow(call.source.text.bytes(call.range), call.function.name), at: call.range)
    }
    let list = try list(of: walk, call.source)
    let outer = walkedPath
    walkedPath = walk.spelling(in: call.source)
    defer { walkedPath = outer }
    let firstHeld = heldCount
    let bound = try self.arguments(of: call)
    let aggregate = BoundAggregate(accumulator, bound.nodes)
    let node = Node.listAggregate(list, aggregate, held: firstHeld..<heldCount)
    return (try result(node, aggregate, bound, call), bound.kind)
  }

  /// The value of an aggregate, whose arguments are checked.
  private mutating func result(
    _ node: Node, _ aggregate: BoundAggregate, _ bound: BoundArguments, _ call: Call
  ) throws(ExpressionError) -> Node {
    if let (argument, mistake) = aggregate.accumulator.mistake(in: aggregate) {
      throw call.source.error(mistake, at: call.arguments[argument].range)
    }
    if aggregate.accumulator.mayBeInexact { mayBeInexact = true }
    return bound.kind == .duration && bound.isInSeconds ? .call(.durationOfSeconds, [node]) : node
  }

  private mutating func bind(_ call: Call) throws(ExpressionError) -> (Node, StaticKind) {
    switch call.function.body {
    case .form(let bind): return try bind(&self, call)
    case .row(let reading): return (.row(reading), call.function.result)
    case .call(let computation):
      let bound = try self.arguments(of: call)
      if case .real = computation { mayBeInexact = true }
      return (.call(computation.named(call.user), bound.nodes), bound.kind)
    case .pattern(let matching):
      let bound = try self.arguments(of: call)
      guard let pattern = bound.pattern, let subject = bound.nodes.first else {
        return (.constant(.null), .null)
      }
      return (.patternCall(matching, call.user, subject, pattern, Array(bound.nodes.dropFirst())), bound.kind)
    case .series(let function): return try bind(function, call)
    case .aggregate(_, let compute?) where aggregates == nil || isInsideAggregate:
      return (.call(.value(compute), try self.arguments(of: call).nodes), call.function.result)
    case .aggregate(let accumulator, _):
      isInsideAggregate = true
      defer { isInsideAggregate = false }
      let bound = try self.arguments(of: call)
      let index = aggregates?.count ?? 0
      // Who counts the values of a function knows that it gives some.
      let dropsCells = call.function.name != "count" && call.arguments.contains(where: \.expectsConversions)
      let aggregate = BoundAggregate(accumulator, bound.nodes, dropsCells: dropsCells)
      let node = try result(.aggregate(index), aggregate, bound, call)
      aggregates?.append(aggregate)
      return (node, bound.kind)
    }
  }

  /// The arguments of a call, each bound as its parameter requires.
  struct BoundArguments {
    /// All but the pattern.
    var nodes: [Node] = []
    /// The pattern, if there is one.
    var pattern: Node.PatternSource?
    /// The kind of the call's value.
    var kind = StaticKind.null
    /// Whether durations are read as their seconds.
    var isInSeconds = false
  }

  /// Binds the arguments of a call.
  mutating func arguments(of call: Call) throws(ExpressionError) -> BoundArguments {
    var bound = BoundArguments()
    for (index, argument) in call.arguments.enumerated() {
      switch call.function.parameter(at: index).kind {
      case .pattern: bound.pattern = try pattern(argument, call.user, call.source)
      case .number: bound.nodes.append(try number(argument, call.user, call.source))
      case .amount:
        let value = try amount(argument, call.user, call.source)
        bound.kind = value.kind
        bound.isInSeconds = value.kind == .duration
        bound.nodes.append(value.node)
      case .bool: bound.nodes.append(try truth(argument, call.user, call.source))
      case .text:
        let value = try self.argument(argument, isFirst: index == 0, call.source)
        bound.nodes.append(try text(value, call.user, call.source).node)
      case .any:
        let value = try self.argument(argument, isFirst: index == 0, call.source)
        bound.kind = bound.kind.or(value.kind)
        bound.nodes.append(value.node)
      case .time: bound.nodes.append(try time(argument, call.user, call.source))
      case .list:
        bound.nodes.append(try list(try bind(argument, call.source), call.user, call.source).node)
      case .textOrList:
        let value = try self.argument(argument, isFirst: index == 0, call.source)
        bound.nodes.append(value.kind == .list ? value.node : try text(value, call.user, call.source).node)
      }
    }
    let takesAny = call.arguments.indices.contains {
      [.any, .amount].contains(call.function.parameter(at: $0).kind)
    }
    if call.function.result != .any || !takesAny { bound.kind = call.function.result }
    return bound
  }

  /// An argument after the first may be a text that lacks its quote marks.
  private mutating func argument(
    _ expression: Expression, isFirst: Bool, _ source: SourceExpression
  ) throws(ExpressionError) -> Bound {
    isFirst ? try bind(expression, source) : try bind(value: expression, source)
  }
}

// MARK: - Kinds

/// The kinds that operands must have, and the errors for those that do not.
extension Binder {
  /// A value that is neither a list nor a pattern.
  ///
  /// It changes nothing, but is `mutating`, like others below that take a bound operand: otherwise the
  /// binder, with all its columns, would be copied while the operand is bound.
  mutating func single(_ bound: Bound, _ source: SourceExpression) throws(ExpressionError) -> Bound {
    if bound.kind == .list { throw source.error(.listNotAllowed, at: bound.expression.range) }
    return bound
  }

  /// An operand that must be a number, or a text that converts when its row is read.
  mutating func number(
    _ expression: Expression, _ user: String, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    try number(try bind(expression, source), user, source)
  }

  /// A bound operand that must be a number, or a text that converts when its row is read.
  mutating func number(
    _ bound: Bound, _ user: String, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    switch bound.kind {
    case .any, .null, .number, .size: return bound.node
    case .text where !bound.isLiteral: return bound.node
    case .text, .bool, .time, .duration: throw wrongKind(bound, user: user, needs: .number, source)
    case .list: throw source.error(.listNotAllowed, at: bound.expression.range)
    }
  }

  /// What is summed, as a number: the seconds of a duration, 1 and 0 for true and false; and the kind of the sum.
  private mutating func amount(
    _ expression: Expression, _ user: String, _ source: SourceExpression
  ) throws(ExpressionError) -> (node: Node, kind: StaticKind) {
    let bound = try bind(expression, source)
    switch bound.kind {
    case .bool: return (fold(.call(.oneOfTruth, [bound.node])), .number)
    case .duration: return (fold(.call(.secondsOfDuration, [bound.node])), .duration)
    case .size: return (bound.node, .size)
    case .any, .null, .number, .text, .list, .time: return (try number(bound, user, source), .number)
    }
  }

  /// An operand that must be true or false, or a cell that says so.
  mutating func truth(
    _ expression: Expression, _ user: String, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    let bound = try bind(expression, source)
    switch bound.kind {
    case .any, .null, .bool: return bound.node
    case .text, .number, .time, .duration, .size: throw wrongKind(bound, user: user, needs: .bool, source)
    case .list: throw source.error(.listNotAllowed, at: expression.range)
    }
  }

  /// An operand that must be text: a cell, or something that is text or was computed.
  mutating func text(
    _ expression: Expression, _ user: String, _ source: SourceExpression
  ) throws(ExpressionError) -> Bound {
    try text(try bind(expression, source), user, source)
  }

  /// A bound operand that must be a list or an object, or a text that spells one when its row is read.
  mutating func list(
    _ bound: Bound, _ user: String, _ source: SourceExpression
  ) throws(ExpressionError) -> Bound {
    switch bound.kind {
    case .any, .null, .list: return bound
    case .text where !bound.isLiteral && !isRecord(bound): return bound
    case .text, .number, .bool, .time, .duration, .size:
      throw wrongKind(bound, user: user, needs: .container, source)
    }
  }

  private func isRecord(_ bound: Bound) -> Bool {
    if case .record = bound.expression.kind { true } else { false }
  }

  /// A bound operand that must be text.
  mutating func text(
    _ bound: Bound, _ user: String, _ source: SourceExpression
  ) throws(ExpressionError) -> Bound {
    switch bound.kind {
    case .number where bound.isLiteral, .size where bound.isLiteral, .bool where bound.isLiteral:
      throw wrongKind(bound, user: user, needs: .text, source)
    case .list: throw source.error(.listNotAllowed, at: bound.expression.range)
    default: return bound
    }
  }

  /// Binds an expression that a value is compared with or chosen from: a name that is neither a column nor
  /// close to one is treated as a text without its quote marks.
  mutating func bind(value expression: Expression, _ source: SourceExpression) throws(ExpressionError)
    -> Bound
  {
    do { return try bind(expression, source) } catch {
      guard case .unknownColumn(_, nil, _) = error.kind else { throw error }
      let text = source.text.bytes(expression.range)
      guard text.isBareText else { throw error }
      throw source.error(.unquotedText(text), at: expression.range)
    }
  }

  /// The error for an operand of the wrong kind; a text that spells a column has its own error.
  func wrongKind(
    _ bound: Bound, user: String, needs kind: ExpressionError.ValueKind, _ source: SourceExpression
  ) -> ExpressionError {
    let range = bound.expression.range
    if let column = spelledColumn(bound) {
      return source.error(.textIsColumn(literal: source.text.bytes(range), column: column), at: range)
    }
    return source.error(
      .wrongKind(user: user, needs: kind, operand: source.text.bytes(range), is: bound.kind.valueKind),
      at: range)
  }

  /// The column that a literal text spells.
  func spelledColumn(_ bound: Bound) -> String? {
    guard case .text(let text) = bound.expression.kind, let index = schema.index(of: text) else { return nil }
    return schema.columns[index].name
  }

  /// Rejects a literal text that spells a column: testing a constant text is pointless, so that the column
  /// was meant.
  func refuseSpelledColumn(_ bound: Bound, _ source: SourceExpression) throws(ExpressionError) {
    guard let column = spelledColumn(bound) else { return }
    let range = bound.expression.range
    throw source.error(.textIsColumn(literal: source.text.bytes(range), column: column), at: range)
  }

  /// Computes a node whose parts are all constant.
  func fold(_ node: Node) -> Node {
    guard node.isFoldable else { return node }
    var evaluator = Evaluator(context, batch: .empty, state: EvaluationState(slots: []))
    let value = evaluator.value(node)
    // A long text is made again whenever it is needed rather than kept many times over.
    if case .text(let text) = value, text.held.count > Lexer.longestSource { return node }
    // A text that is too long is counted in each row.
    if !evaluator.state.tally.longTexts.isEmpty { return node }
    return .constant(value)
  }
}

extension String {
  /// Whether the text is one word that may be a text without quote marks: letters, digits, `_`, `-` and `.`.
  fileprivate var isBareText: Bool {
    unicodeScalars.allSatisfy { $0 == "-" || $0 == "." || $0.properties.isXIDContinue }
  }
}

// MARK: - Templates

/// Templates are bound field by field; all fields share their counts of misfits.
extension Binder {
  /// Binds a template that each row fills.
  ///
  /// - Parameters:
  ///   - source: the template.
  ///   - hasCell: whether there is a cell that `{}` represents, as in `--format`.
  ///   - rowNumberName: what `{n}` means.
  mutating func bind(
    row source: SourceTemplate, hasCell: Bool, rowNumberName: RowNumberName = .unlessColumn
  ) throws(ExpressionError) -> RowTemplate {
    begin()
    aggregates = nil
    self.rowNumberName = rowNumberName
    defer { self.rowNumberName = .column }
    return RowTemplate(try pieces(source, hasCell: hasCell), context, slots: slots, columnN: columnN)
  }

  /// Binds a template that all rows fill.
  ///
  /// - Parameter name: the name of the value given along with the rows.
  mutating func bind(
    footer source: SourceTemplate, given name: String? = nil
  ) throws(ExpressionError) -> FooterTemplate {
    begin()
    aggregates = []
    givenName = name
    defer {
      aggregates = nil
      givenName = nil
    }
    let pieces = try pieces(source, hasCell: false)
    return FooterTemplate(pieces, aggregates ?? [], context, slots: slots)
  }

  private mutating func pieces(
    _ source: SourceTemplate, hasCell: Bool
  ) throws(ExpressionError) -> [BoundPiece] {
    var pieces: [BoundPiece] = []
    for piece in source.template.pieces {
      switch piece {
      case .text(let text): pieces.append(.text(text))
      case .field(nil, let spec, let range):
        guard hasCell else {
          throw ExpressionError(option: source.option, source: source.text, range: range, kind: .noCell)
        }
        pieces.append(.cell(spec))
      case .field(let expression?, let spec, _):
        let expression = source.expression(expression)
        mayBeInexact = false
        let bound = try bind(expression.expression, expression)
        pieces.append(.field(bound.node, spec, mayBeInexact: mayBeInexact))
      }
    }
    return pieces
  }
}
