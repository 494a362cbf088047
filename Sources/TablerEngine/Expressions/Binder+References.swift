/// Names become columns: the exact name, otherwise the longest prefix that is a column and a path into it.
extension Binder {
  /// Binds a column, the row, or a path into one of them.
  mutating func reference(
    _ expression: Expression, _ source: SourceExpression
  ) throws(ExpressionError) -> (Node, StaticKind) {
    let found: (node: Node, kind: StaticKind)
    switch expression.kind {
    case .column(let name): found = (try column(name, [], expression.range, source).node, .any)
    case .position(let position): found = (try column(position, expression.range, source), .any)
    case .record:
      if isOutsideAggregate { throw source.error(.columnOutsideAggregate("$0"), at: expression.range) }
      found = (.record, .text)
    case .path(let base, let steps): found = try path(base, steps, expression.range, source)
    default: found = (.constant(.null), .null)
    }
    // The key of a group was recorded when it was bound, and so was the column of a field rule.
    if !isOutsideAggregate, !isField(expression, source) { expect(found.node) }
    guard !isOutsideAggregate, case .cell(let column, let slot) = found.node else { return found }
    if column != Node.field, schema.columns[column].isInexact { mayBeInexact = true }
    guard let type = declaredType(of: column) else { return found }
    return (.typed(column: column, slot: slot, type), StaticKind(type))
  }

  /// The type that is declared for a column, or for all columns that a field may be.
  private func declaredType(of column: Int) -> ValueType? {
    if column != Node.field { return schema.columns[column].valueType }
    if case .exchanged(let type)? = fieldCell { return type }
    return nil
  }

  /// Records the column that a reference begins with: it may never come.
  private mutating func expect(_ node: Node) {
    switch node {
    case .cell(let column, _): schema.expect(ResolvedColumn(index: column))
    case .way(let column, _): schema.expect(column)
    case .path(let base, _), .item(let base, _), .slice(let base, _, _): expect(base)
    default: break
    }
  }

  private mutating func path(
    _ base: Expression, _ steps: [Expression.AccessStep], _ range: Range<Int>, _ source: SourceExpression
  ) throws(ExpressionError) -> (Node, StaticKind) {
    if let walk = Expression.Walk(base, steps) {
      let item = Node.listItem(slot: slot(source.text.bytes(range)))
      if walk.spelling(in: source) == walkedPath { return (try follow(walk.rest, from: item, source), .any) }
      let list = try self.list(of: walk, source)
      return (.each(list, try follow(walk.rest, from: item, source)), .list)
    }
    var rest = steps[...]
    let start: Node
    switch base.kind {
    case .column(let name):
      let members = Self.leadingMembers(of: rest)
      let found = try column(name, members, base.range, source)
      rest = rest.dropFirst(found.used)
      start = found.node
    case .record:
      (start, rest) = try recordMember(rest, base.range, source)
    default:
      start = try bind(base, source).node
    }
    return (try follow(rest, from: start, source), .any)
  }

  /// The list that a path walks along.
  mutating func list(
    of walk: Expression.Walk, _ source: SourceExpression
  ) throws(ExpressionError) -> Node.WalkedList {
    let bound = try list(try bind(walk.list, source), "[*]", source)
    return Node.WalkedList(node: bound.node, isNested: walk.isNested)
  }

  /// `$0.weight`, `$0["any name"]`.
  private mutating func recordMember(
    _ steps: ArraySlice<Expression.AccessStep>, _ range: Range<Int>, _ source: SourceExpression
  ) throws(ExpressionError) -> (Node, ArraySlice<Expression.AccessStep>) {
    switch steps.first {
    case .member(let name):
      let members = Self.leadingMembers(of: steps.dropFirst())
      let found = try column(name.text, members, name.range, source, isOfRecord: true)
      return (found.node, steps.dropFirst(found.used + 1))
    case .item(let index):
      switch index.kind {
      case .text(let name):
        return (try column(name, [], index.range, source, isOfRecord: true).node, steps.dropFirst())
      case .argument(let name):
        guard case .argument = try bind(index, source).node else { break }
        let column = try column(variables[name] ?? "", [], index.range, source, isOfRecord: true)
        return (column.node, steps.dropFirst())
      default: break
      }
      throw source.error(.recordMemberNeedsText, at: index.range)
    case .slice, .each, nil: throw source.error(.recordMemberNeedsText, at: range)
    }
  }

  /// The column that `get($0, "name")` names.
  mutating func column(ofRecord call: Call) throws(ExpressionError) -> Node {
    let steps = [Expression.AccessStep.item(call.arguments[1])]
    let node = try recordMember(steps[...], call.arguments[0].range, call.source).0
    expect(node)
    return node
  }

  private static func leadingMembers(of steps: ArraySlice<Expression.AccessStep>) -> [String] {
    var members: [String] = []
    for step in steps {
      guard case .member(let name) = step else { break }
      members.append(name.text)
    }
    return members
  }

  /// The column of `name` and as many of `members` as form a longer name of one; and how many were used.
  private mutating func column(
    _ name: String, _ members: [String], _ range: Range<Int>, _ source: SourceExpression,
    isOfRecord: Bool = false
  ) throws(ExpressionError) -> (node: Node, used: Int) {
    if isOfRecord {
      // A name after `$0` is always that of a column.
    } else if name == givenName, !isInsideAggregate, !source.text.bytes(range).hasPrefix("`") {
      return (.given, 0)
    } else if name == "value", let fieldCell, !source.text.bytes(range).hasPrefix("`") {
      return (field(fieldCell), 0)
    }
    if isOutsideAggregate, !isOfRecord, let value = groupRow.values[ExactName(name)] {
      return (groupValue(value, name), 0)
    }
    if name == "n", members.isEmpty, isRowNumber(range, source) {
      guard rowNumberName == .unlessColumn, schema.isOpen else { return (.shownRow(unless: nil), 0) }
      let column = schema.want(name: name)
      columnN = column
      return (.shownRow(unless: try cell(column, name, range, source)), 0)
    }
    if schema.isOpen {
      if schema.isTurned(name) { throw unknownColumn(name, members, range, source) }
      if members.isEmpty { return (try cell(schema.want(name: name), name, range, source), 0) }
      let way = schema.wantPath(to: name, members)
      if isOutsideAggregate, let key = groupRow.columns[way] {
        return (.cell(column: key, slot: slot(schema.name(of: way))), members.count)
      }
      if isOutsideAggregate, let key = groupRow.columns[ResolvedColumn(index: way.index)] {
        let column = ResolvedColumn(index: key, path: way.path)
        return (.way(column, slot: slot(schema.name(of: way))), members.count)
      }
      guard case .cell(_, let slot) = try cell(way.index, schema.name(of: way), range, source) else {
        return (.constant(.null), members.count)
      }
      return (.way(way, slot: slot), members.count)
    }
    for used in stride(from: min(members.count, Schema.mostDots), through: 0, by: -1) {
      let full = ([name] + members[..<used]).joined(separator: ".")
      if let index = schema.index(of: full) {
        return (try cell(index, full, range, source), used)
      }
    }
    throw unknownColumn(name, members, range, source)
  }

  /// Whether an expression begins with the cell that a field rule checks.
  private func isField(_ expression: Expression, _ source: SourceExpression) -> Bool {
    switch expression.kind {
    case .column("value"): fieldCell != nil && !source.text.bytes(expression.range).hasPrefix("`")
    case .path(let base, _): isField(base, source)
    default: false
    }
  }

  /// The meaning of a name in the row of a group.
  private mutating func groupValue(_ value: GroupRow.NameMeaning, _ name: String) -> Node {
    switch value {
    case .key(let place): return .cell(column: place, slot: slot(name))
    case .aggregate(let place):
      earlier.insert(place)
      return .earlier(place)
    }
  }

  /// The cell that a field rule checks.
  private mutating func field(_ cell: FieldCell) -> Node {
    switch cell {
    case .unknown: return .constant(.null)
    case .column(let column):
      let slot = slot(schema.name(of: column))
      return column.path.isEmpty ? .cell(column: column.index, slot: slot) : .way(column, slot: slot)
    case .exchanged:
      if fieldSlot == nil {
        fieldSlot = slots.count
        slots.append("")
      }
      return .cell(column: Node.field, slot: fieldSlot ?? 0)
    }
  }

  /// Whether the name `n`, as written in the source, is the number of the shown row.
  private func isRowNumber(_ range: Range<Int>, _ source: SourceExpression) -> Bool {
    switch rowNumberName {
    case .column: false
    case .unlessColumn: schema.index(of: "n") == columnN
    case .always: !source.text.bytes(range).hasPrefix("`")
    }
  }

  private mutating func column(
    _ position: Int, _ range: Range<Int>, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    let columns = schema.positions
    guard position <= columns.count else {
      throw source.error(.unknownPosition(position, count: columns.count), at: range)
    }
    return try cell(columns[position - 1], "$\(position)", range, source)
  }

  private mutating func cell(
    _ index: Int, _ name: String, _ range: Range<Int>, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    if isOutsideAggregate {
      guard let key = groupRow.columns[ResolvedColumn(index: index)] else {
        throw source.error(.columnOutsideAggregate(name), at: range)
      }
      return .cell(column: key, slot: slot(name))
    }
    return .cell(column: index, slot: slot(name))
  }

  /// Whether a value of all rows is being bound, which no single row can provide.
  private var isOutsideAggregate: Bool { aggregates != nil && !isInsideAggregate }

  /// A program that reads the cell of the column that each run specifies.
  var programOfField: Program {
    Program(node: .cell(column: Node.field, slot: 0), kind: .any, context: context, slots: [""], fieldSlot: 0)
  }

  /// A program that reads the cell of a column.
  func program(ofCell column: ResolvedColumn) -> Program {
    let isWhole = column.path.isEmpty && column.longer.isEmpty
    return Program(
      node: isWhole ? .cell(column: column.index, slot: 0) : .way(column, slot: 0), kind: .any,
      context: context,
      slots: [schema.name(of: column)])
  }

  /// A program that reads the cell of a column for which a type is declared whose values have several spellings, and
  /// gives all spellings of a value the same one; `nil` for other columns.
  func program(ofTypedCell column: ResolvedColumn) -> Program? {
    guard let type = schema.columns[column.index].type, ![.text, .list, .object].contains(type) else {
      return nil
    }
    let cell = Node.typed(column: column.index, slot: 0, type)
    let value = Function.ArgumentComputation.value { evaluator, nodes in
      let value = evaluator.value(nodes[0])
      guard case .number(.decimal(let number)) = value else { return value }
      return .number(Number(number.withoutTrailingZeros))
    }
    return Program(node: .call(value, [cell]), kind: .any, context: context, slots: [schema.name(of: column)])
  }

  /// The slot that counts the misfits of a column.
  private mutating func slot(_ name: String) -> Int {
    if let slot = slots.indices.first(where: { slots[$0] == name && $0 != fieldSlot }) { return slot }
    slots.append(name)
    return slots.count - 1
  }

  /// The error for a name with members after it: for the longest part that is close to a column, otherwise
  /// for the name alone.
  private func unknownColumn(
    _ name: String, _ members: [String], _ range: Range<Int>, _ source: SourceExpression
  ) -> ExpressionError {
    for used in stride(from: min(members.count, Schema.mostDots), to: 0, by: -1) {
      let full = ([name] + members[..<used]).joined(separator: ".")
      let place = range.lowerBound..<range.lowerBound + full.utf8.count
      let error = schema.notFound(full)
      guard case .notFound(_, let nearest?, _) = error, schema.index(of: nearest) != nil,
        source.text.bytes(place) == full
      else { continue }
      return source.error(notFound: error, at: place)
    }
    return source.error(notFound: schema.notFound(name), at: range)
  }

  /// Continues a path into JSON.
  private mutating func follow(
    _ steps: ArraySlice<Expression.AccessStep>, from start: Node, _ source: SourceExpression
  ) throws(ExpressionError) -> Node {
    var node = start
    var path: [PathStep] = []
    for step in steps {
      switch step {
      case .member(let name): path.append(.member(name.text))
      case .item(let index):
        let bound = try single(try bind(index, source), source)
        if let known = try knownStep(bound, source) {
          path.append(known)
        } else {
          node = .item(into(node, path), bound.node)
          path = []
        }
      case .each: break
      case .slice(let low, let high):
        let first = try low.map { expression throws(ExpressionError) in try number(expression, "[:]", source)
        }
        let last = try high.map { expression throws(ExpressionError) in try number(expression, "[:]", source)
        }
        node = .slice(into(node, path), first, last)
        path = []
      }
    }
    return into(node, path)
  }

  /// The step of a constant in brackets; nil if each row has its own.
  private func knownStep(_ bound: Bound, _ source: SourceExpression) throws(ExpressionError) -> PathStep? {
    switch bound.node.constant {
    case .number(let number):
      guard let place = number.integer else {
        throw wrongKind(bound, user: "[ ]", needs: .wholeNumber, source)
      }
      return .item(Int(place))
    case .text(let text): return .member(String(decoding: text.held, as: UTF8.self))
    case .bool: throw wrongKind(bound, user: "[ ]", needs: .number, source)
    default: return nil
    }
  }

  private func into(_ node: Node, _ path: [PathStep]) -> Node {
    if path.isEmpty { return node }
    switch node {
    case .cell(let column, let slot): return .way(ResolvedColumn(index: column, path: path), slot: slot)
    case .way(let column, let slot): return .way(column.following(path), slot: slot)
    default: return .path(node, path)
    }
  }

  /// The mistake `net-weight` without backticks, if only a column of that whole name exists.
  func subtraction(
    _ first: Expression, _ links: [Expression.Link], _ source: SourceExpression,
    instead error: ExpressionError
  ) -> ExpressionError {
    guard case .unknownColumn(let missing, _, _) = error.kind else { return error }
    let operands = [first] + links.map(\.operand)
    for start in operands.indices {
      for end in operands.indices.prefix(start + 8).dropFirst(start + 1) {
        guard links[start..<end].allSatisfy({ $0.symbol == .subtract }) else { break }
        let range = Self.lastLeaf(operands[start]).lowerBound..<Self.firstLeaf(operands[end]).upperBound
        let name = source.text.bytes(range)
        guard range.contains(error.range.lowerBound), schema.index(of: name) != nil else { continue }
        return source.error(.subtractionOfColumn(name, missing: missing), at: range)
      }
    }
    return error
  }

  private static func firstLeaf(_ expression: Expression) -> Range<Int> {
    switch expression.kind {
    case .chain(let first, _), .power(let first, _), .path(let first, _): firstLeaf(first)
    default: expression.range
    }
  }

  private static func lastLeaf(_ expression: Expression) -> Range<Int> {
    switch expression.kind {
    case .chain(_, let links): links.last.map { lastLeaf($0.operand) } ?? expression.range
    case .negation(let operand), .plus(let operand): lastLeaf(operand)
    default: expression.range
    }
  }
}

/// The things that the value of a group may be made of besides aggregates of its rows.
struct GroupRow {
  /// The meaning of a name.
  enum NameMeaning {
    /// A key, by its index.
    case key(Int)
    /// An earlier aggregate, by its index.
    case aggregate(Int)
  }

  /// The keys that are columns of the input, each with its index.
  var columns: [ResolvedColumn: Int] = [:]

  /// The keys that are computed, and the earlier aggregates, by name.
  var values: [ExactName: NameMeaning] = [:]
}
