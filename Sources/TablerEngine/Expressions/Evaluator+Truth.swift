/// Conditions, in three-valued logic: an operator with a null gives null.
extension Evaluator {
  /// Whether `node` is true or false; nil if it is null.
  mutating func truth(_ node: Node) -> Bool? {
    switch node {
    case .constant(.bool(let truth)): return truth
    case .logical(let word, let operands): return logical(operands, decidedBy: word == .or)
    case .not(let operand): return truth(operand).map { !$0 }
    case .comparison(let symbol, let left, let right, let sides):
      return order(left, right, by: sides, for: symbol, named: left).map { symbol.holds($0) }
    case .between(let subject, let low, let lowSides, let high, let highSides):
      return isBetween(subject, low, lowSides, high, highSides)
    case .distinct(let left, let right, let sides): return areDistinct(left, right, by: sides)
    case .membership(let subject, let items): return isMember(subject, of: items)
    case .listMembership(let subject, let list): return isMember(subject, ofList: list)
    case .like(let subject, let pattern):
      return text(subject).map { pattern.matches($0.bytes(in: batch)) }
    case .dynamicLike(let subject, let pattern, let ignoresCase):
      guard let subject = text(subject), let pattern = text(pattern) else { return nil }
      return LikePattern(pattern.bytes(in: batch), ignoresCase: ignoresCase).matches(subject.bytes(in: batch))
    case .match(let subject, let pattern):
      let matcher = matcher(pattern)
      return text(subject).map { matcher.matches($0.bytes(in: batch)) }
    case .dynamicMatch(let subject, let pattern):
      guard let subject = text(subject), let matcher = matcher(of: .dynamic(pattern)) else { return nil }
      return matcher.matches(subject.bytes(in: batch))
    case .isNull(let operand):
      let value = value(operand)
      recordShortWord(value, from: operand)
      return value.isNull
    case .isEmpty(let operand):
      let value = value(operand)
      recordShortWord(value, from: operand)
      return isEmpty(value)
    case .isBool(let operand, let wanted): return truth(operand) == wanted
    case .isType(let operand, let type): return has(value(operand), type: type)
    case .choice(let branches, let otherwise): return truth(choose(branches, otherwise))
    case .call(let computation, let arguments): return truth(of: computation, arguments)
    default:
      let value = value(node)
      let truth = value.truth(in: batch)
      if truth == nil { recordMisfit(value, from: node, wanted: .bool) }
      return truth
    }
  }

  /// Whether a call yields true or false; nil if it yields null.
  mutating func truth(of computation: Function.ArgumentComputation, _ arguments: [Node]) -> Bool? {
    switch computation {
    case .test(let test):
      guard let first = text(arguments[0]), let second = text(arguments[1]) else { return nil }
      return test(first.bytes(in: batch), second.bytes(in: batch))
    case .text, .count, .number, .real, .part, .value: return call(computation, arguments).truth(in: batch)
    }
  }

  /// Whether a value is null or an empty text.
  func isEmpty(_ value: Value) -> Bool {
    switch value {
    case .null: true
    case .text(let text): text.bytes(in: batch).isEmpty
    case .bool, .number, .list, .object, .time, .duration: false
    }
  }

  /// Records the value of a cell that may be a word such as `NA`, where it matters whether it is null.
  @inline(__always)
  mutating func recordShortWord(_ value: Value, from node: Node) {
    guard case .text(let text) = value else { return }
    let batch = batch
    let content = text.bytes(in: batch)
    guard content.count <= NullLikeWord.longest, let slot = node.cellSlot else { return }
    state.tally.recordShortWord(slot, content, batch: batch, row: row)
  }

  /// `and` and `or`: one operand of the deciding truth decides, otherwise one null makes the result null.
  private mutating func logical(_ operands: [Node], decidedBy decision: Bool) -> Bool? {
    var result: Bool? = !decision
    for operand in operands {
      switch truth(operand) {
      case decision: return decision
      case nil: result = nil
      default: continue
      }
    }
    return result
  }

  private mutating func isBetween(
    _ subject: Node, _ low: Node, _ lowSides: Node.Sides, _ high: Node, _ highSides: Node.Sides
  ) -> Bool? {
    let known = value(subject, as: lowSides == highSides ? lowSides : .cells)
    if lowSides != highSides, lowSides == .dated || highSides == .dated { _ = datedText(subject) }
    let isAbove = order(.constant(known), low, by: lowSides, for: .greaterOrEqual, named: subject)
      .map { $0 >= 0 }
    if isAbove == false { return false }
    let isBelow = order(.constant(known), high, by: highSides, for: .lessOrEqual, named: subject)
      .map { $0 <= 0 }
    if isBelow == false { return false }
    if isAbove != nil, isBelow != nil { return true }
    if lowSides != highSides { recordMisfit(known, from: subject, as: isAbove == nil ? lowSides : highSides) }
    return nil
  }

  private mutating func areDistinct(
    _ leftNode: Node, _ rightNode: Node, by sides: Node.Sides
  ) -> Bool {
    let left = value(leftNode, as: sides)
    let right = value(rightNode, as: sides)
    if left.isNull || right.isNull { return left.isNull != right.isNull }
    return compare(left, of: leftNode, right, of: rightNode, by: sides, for: .comparison(.notEqual)) != 0
  }

  private mutating func isMember(_ subject: Node, of items: [Node.ComparedItem]) -> Bool? {
    guard let sides = items.first?.sides else { return false }
    let areAlike = items.allSatisfy { $0.sides == sides }
    let known = value(subject, as: areAlike ? sides : .cells)
    if known.isNull { return nil }
    var result: Bool? = false
    var unfit: Node.Sides?
    for item in items {
      let other = value(item.node, as: item.sides)
      switch compare(known, of: subject, other, of: item.node, by: item.sides, for: .comparison(.equal)) {
      case 0: return true
      case nil:
        result = nil
        if !areAlike, !other.isNull { unfit = unfit ?? item.sides }
      default: continue
      }
    }
    if let unfit { recordMisfit(known, from: subject, as: unfit) }
    return result
  }

  /// Counts the cell of a value that does not convert to what it is compared as.
  private mutating func recordMisfit(_ value: Value, from node: Node, as sides: Node.Sides) {
    guard let wanted = sides.valueKind, self.value(.constant(value), as: sides).isNull else { return }
    recordMisfit(value, from: node, wanted: wanted)
  }

  private mutating func isMember(_ subject: Node, ofList list: Node) -> Bool? {
    let subject = value(subject)
    let right = value(list)
    guard case .list(let list) = right else {
      recordMisfit(right, from: list, wanted: .list)
      return nil
    }
    if subject.isNull { return nil }
    var result: Bool? = false
    for item in items(of: list) {
      if item.isNull {
        result = nil
      } else if compare(subject, item, by: .cells) == 0 {
        return true
      }
    }
    return result
  }
}

// MARK: - Order

extension Evaluator {
  /// The value of a side, converted for the comparison.
  mutating func value(_ node: Node, as sides: Node.Sides) -> Value {
    switch sides {
    case .numbers: .optional(number(node))
    case .texts: text(node).map { .text($0) } ?? .null
    case .dated: datedText(node)
    case .bools: .optional(truth(node))
    case .times: .optional(time(node))
    case .durations: .optional(duration(node))
    case .sizes: .optional(size(node))
    case .cells: value(node)
    }
  }

  /// Below 0, 0 or above 0, as the left side is below, equal to or above the right; nil if one is null.
  ///
  /// - Parameters:
  ///   - symbol: the operator of the comparison.
  ///   - named: the left side, or the expression that its value comes from.
  mutating func order(
    _ left: Node, _ right: Node, by sides: Node.Sides, for symbol: Expression.ComparisonOperator, named: Node
  ) -> Int? {
    if case .numbers = sides {
      let left = number(left)
      let right = number(right)
      guard let left, let right else { return nil }
      return Number.compare(left, right)
    }
    let leftValue = value(left, as: sides)
    let rightValue = value(right, as: sides)
    return compare(leftValue, of: named, rightValue, of: right, by: sides, for: .comparison(symbol))
  }

  /// Compares the values of nodes as `sides` says, and records cells that are compared as text.
  @inline(__always)
  mutating func compare(
    _ left: Value, of leftNode: Node, _ right: Value, of rightNode: Node, by sides: Node.Sides,
    for operation: ComparedTexts.Operation
  ) -> Int? {
    switch sides {
    case .cells:
      let (order, look) = compareByLook(left, right)
      if look != .values, order != 0 {
        recordTexts(left, of: leftNode, right, of: rightNode, areMixed: look == .mixed, operation)
      }
      return order
    case .texts:
      let order = compare(left, right, by: .texts)
      if operation.isOrder {
        recordTexts(left, of: leftNode, right, of: rightNode, areMixed: false, operation)
      }
      return order
    case .dated:
      if context.dateFormat == nil { recordTimes(left, of: leftNode, right, of: rightNode, operation) }
      return compare(left, right, by: .dated)
    case .numbers, .bools, .times, .durations, .sizes: return compare(left, right, by: sides)
    }
  }

  /// Compares values as `sides` says; nil if one is null or does not convert.
  func compare(_ left: Value, _ right: Value, by sides: Node.Sides) -> Int? {
    switch sides {
    case .numbers:
      guard let left = left.number(in: batch, context.marks),
        let right = right.number(in: batch, context.marks)
      else { return nil }
      return Number.compare(left, right)
    case .texts:
      guard let left = text(of: left), let right = text(of: right) else { return nil }
      return left.bytes(in: batch).order(against: right.bytes(in: batch))
    case .dated:
      if context.dateFormat != nil, let left = time(of: left), let right = time(of: right) {
        return Timestamp.compare(left, right)
      }
      return compare(left, right, by: .texts)
    case .bools:
      guard let left = truth(of: left), let right = truth(of: right) else { return nil }
      return (left ? 1 : 0) - (right ? 1 : 0)
    case .times:
      guard let left = time(of: left), let right = time(of: right) else { return nil }
      return Timestamp.compare(left, right)
    case .sizes:
      guard let left = size(of: left), let right = size(of: right) else { return nil }
      return Number.compare(left, right)
    case .durations:
      guard let left = duration(of: left), let right = duration(of: right) else { return nil }
      return left < right ? -1 : right < left ? 1 : 0
    case .cells:
      return compareByLook(left, right).order
    }
  }

  /// How values of any kind are compared.
  private enum Look {
    /// Texts, one of which is a number.
    case mixed
    case texts
    case values
  }

  /// Numbers if both look like numbers, bools if one is a bool, otherwise texts.
  @inline(__always)
  private func compareByLook(_ left: Value, _ right: Value) -> (order: Int?, look: Look) {
    switch (left, right) {
    case (.null, _), (_, .null): return (nil, .values)
    case (.number, _), (_, .number): return (compare(left, right, by: .numbers), .values)
    case (.bool, _), (_, .bool): return (compare(left, right, by: .bools), .values)
    case (.time, _), (_, .time): return (compare(left, right, by: .times), .values)
    case (.duration, _), (_, .duration): return (compare(left, right, by: .durations), .values)
    case (.text(let first), .text(let second)):
      let (left, right) = (first.bytes(in: batch), second.bytes(in: batch))
      if context.dateFormat != nil, let left = context.time(left), let right = context.time(right) {
        return (Timestamp.compare(left, right), .values)
      }
      let isNumber = left.mayBeNumber(context.marks) && NumberReader.isNumber(left, marks: context.marks)
      let isOther =
        right.mayBeNumber(context.marks) && !left.isSpelledAsISODate
        && NumberReader.isNumber(right, marks: context.marks)
      if isNumber, isOther {
        return (NumberReader.compareDigits(left, right, marks: context.marks), .values)
      }
      return (left.order(against: right), isNumber || isOther ? .mixed : .texts)
    default: return (compare(left, right, by: .texts), .values)
    }
  }
}

extension Node.Sides {
  /// The kind that both sides are converted to; `nil` if every value fits.
  fileprivate var valueKind: ExpressionError.ValueKind? {
    switch self {
    case .numbers: .number
    case .bools: .bool
    case .times: .date
    case .durations: .duration
    case .sizes: .size
    case .texts, .dated, .cells: nil
    }
  }
}

extension Expression.ComparisonOperator {
  /// Whether the comparison is true for sides in this order.
  @inline(__always)
  func holds(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}

extension Span<UInt8> {
  /// Below 0, 0 or above 0, as these bytes come before the others, are equal, or come after.
  @inline(__always)
  func order(against other: Span<UInt8>) -> Int {
    let shared = Swift.min(count, other.count)
    for index in 0..<shared where self[index] != other[index] { return self[index] < other[index] ? -1 : 1 }
    return count &- other.count
  }

  /// Whether the text ends in a digit, a decimal mark or a blank, as numbers do: a cheap test before reading it.
  @inline(__always)
  func mayBeNumber(_ marks: NumberMarks) -> Bool {
    guard count > 0 else { return false }
    let last = self[count &- 1]
    return last.isDigit || last == 32 || last == 9 || last == marks.decimal
  }
}
