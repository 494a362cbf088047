/// Keeps the rows of a batch for which a condition is true, or those for which it is false.
struct Selection: ~Copyable {
  /// Evaluates everything that has no loop of its own, and counts misfits.
  var evaluator: Evaluator

  private let batch: Batch

  /// Starts with the rows of `batch`.
  ///
  /// - Parameter field: the column that `Node.field` represents.
  init(_ context: EvaluationContext, batch: Batch, field: Int = 0, state: EvaluationState) {
    evaluator = Evaluator(context, batch: batch, field: field, state: state)
    self.batch = batch
  }

  /// Keeps the rows for which `condition` is `wanted`; null is neither.
  mutating func keep(_ rows: inout [UInt32], where condition: Condition, is wanted: Bool) {
    switch condition {
    case .all(let parts): keep(&rows, parts, together: wanted, is: wanted)
    case .any(let parts): keep(&rows, parts, together: !wanted, is: wanted)
    case .not(let part): keep(&rows, where: part, is: !wanted)
    case .number(let column, let slot, let symbol, let threshold):
      keepNumbers(&rows, column, slot) { symbol.holds(threshold.order(of: $0, kind: $1), is: wanted) }
    case .numbers(let column, let slot, let thresholds):
      keepNumbers(&rows, column, slot) { Self.holds(thresholds, $0, $1, is: wanted) }
    case .time(let column, let slot, let symbol, let threshold):
      keepTimes(&rows, column, slot) { symbol.holds(Timestamp.compare($0, threshold)) == wanted }
    case .dated(let column, let slot, let symbol, let text, let time):
      keepDated(&rows, column, slot, symbol, text, time, wanted)
    case .text(let column, let slot, .equal, let text):
      keepTexts(&rows, column, slot, equal: text, wanted)
    case .text(let column, let slot, .notEqual, let text):
      keepTexts(&rows, column, slot, equal: text, !wanted)
    case .text(let column, _, let symbol, let text):
      keepTexts(&rows, column) { symbol.holds($0.order(against: text.span)) == wanted }
    case .valueText(let column, let slot, let symbol, let text):
      keepValueTexts(&rows, column, slot, symbol, text, wanted)
    case .spelledDate(let column, let slot, let isEqual, let text, let dates):
      keepTexts(&rows, column, slot, equal: text, isEqual == wanted, spelled: dates)
    case .texts(let column, let slot, let set):
      keepTexts(&rows, column, slot, in: set, wanted)
    case .like(let column, let pattern):
      keepTexts(&rows, column) { pattern.matches($0) == wanted }
    case .match(let column, let pattern):
      let matcher = evaluator.matcher(pattern)
      matcher.withMatches { matches in keepTexts(&rows, column) { matches($0) == wanted } }
    case .test(let column, let test, let text):
      keepTexts(&rows, column) { test($0, text.span) == wanted }
    case .isNull(let column, let slot): keepNulls(&rows, column, slot, wanted)
    case .isEmpty(let column):
      keepCells(&rows, column) { ($0.isNull || ($0.length == 0 && $0.kind == .text)) == wanted }
    case .terms(let symbol, let left, let right, let node):
      keepTerms(&rows, symbol, left, right, node, wanted)
    case .general(let node): keepGeneral(&rows, node, wanted)
    }
  }

  /// Keeps rows that all parts keep, or rows that at least one part keeps.
  private mutating func keep(
    _ rows: inout [UInt32], _ parts: [Condition], together: Bool, is wanted: Bool
  ) {
    if together {
      for part in parts where !rows.isEmpty { keep(&rows, where: part, is: wanted) }
      return
    }
    var isKept = [Bool](repeating: false, count: batch.rowCount)
    var rest = rows
    for part in parts where !rest.isEmpty {
      var hits = rest
      keep(&hits, where: part, is: wanted)
      for row in hits { isKept[Int(row)] = true }
      if !hits.isEmpty { rest.keep { !isKept[Int($0)] } }
    }
    rows.keep { isKept[Int($0)] }
  }

  private mutating func keepTerms(
    _ rows: inout [UInt32], _ symbol: Expression.ComparisonOperator, _ left: NumberTerm, _ right: NumberTerm,
    _ node: Node, _ wanted: Bool
  ) {
    var numbers = NumberColumns(left, right, rows: rows.count, field: evaluator.field)
    var kept = 0
    var start = 0
    while start < rows.count {
      let end = min(start &+ NumberColumns.mostRows, rows.count)
      numbers.compute(left, rows.span.extracting(start..<end), of: batch)
      numbers.compute(right, rows.span.extracting(start..<end), of: batch, at: 1)
      for index in start..<end {
        let isKept: Bool
        switch numbers.order(ofRow: index &- start) {
        case (let order, .number): isKept = symbol.holds(order) == wanted
        case (_, .null): isKept = false
        case (_, .other):
          evaluator.row = Int(rows[index])
          isKept = evaluator.truth(node) == wanted
        }
        if isKept {
          rows[kept] = rows[index]
          kept &+= 1
        }
      }
      start = end
    }
    rows.removeLast(rows.count - kept)
  }

  private mutating func keepGeneral(_ rows: inout [UInt32], _ node: Node, _ wanted: Bool) {
    var kept = 0
    for index in rows.indices {
      evaluator.row = Int(rows[index])
      if evaluator.truth(node) == wanted {
        rows[kept] = rows[index]
        kept &+= 1
      }
    }
    rows.removeLast(rows.count - kept)
  }
}

// MARK: - Loops

extension Selection {
  /// Keeps the rows whose cell is null, or those whose cell is not, and records cells that are words such as `NA`.
  private mutating func keepNulls(_ rows: inout [UInt32], _ column: Int, _ slot: Int, _ wanted: Bool) {
    let (batch, column) = (batch, evaluator.column(column))
    rows.keep { row in
      let cell = batch.cell(row: Int(row), column: column)
      if cell.isNull { return wanted }
      if cell.kind == .text, cell.length <= NullLikeWord.longest {
        evaluator.state.tally.recordShortWord(slot, batch.content(cell), batch: batch, row: Int(row))
      }
      return !wanted
    }
  }

  @inline(__always)
  private func keepCells(_ rows: inout [UInt32], _ column: Int, where test: (Cell) -> Bool) {
    let (batch, column) = (batch, evaluator.column(column))
    rows.keep { test(batch.cell(row: Int($0), column: column)) }
  }

  @inline(__always)
  private func keepTexts(_ rows: inout [UInt32], _ column: Int, where test: (Span<UInt8>) -> Bool) {
    let (batch, column) = (batch, evaluator.column(column))
    rows.keep { row in
      let cell = batch.cell(row: Int(row), column: column)
      return !cell.isNull && test(batch.content(cell))
    }
  }

  /// Keeps the rows whose cell is a text, or those whose cell is not, and records cells that mean the same: one that
  /// has blanks at its ends, or that is one of some other spellings of it.
  private mutating func keepTexts(
    _ rows: inout [UInt32], _ column: Int, _ slot: Int, equal text: [UInt8], _ isEqual: Bool,
    spelled others: [[UInt8]] = []
  ) {
    let (batch, column) = (batch, evaluator.column(column))
    rows.keep { row in
      let cell = batch.cell(row: Int(row), column: column)
      if cell.isNull { return false }
      let content = batch.content(cell)
      if content.equals(text.span) { return isEqual }
      if content.count > text.count, content.mayHaveOuterBlanks {
        evaluator.row = Int(row)
        evaluator.recordPadded(content, slot: slot, isEqual: isEqual) { $0 == text ? text : nil }
      }
      if !others.isEmpty, others.contains(where: { content.equals($0) }) {
        evaluator.row = Int(row)
        evaluator.recordTwin(content, slot: slot, text.span, isEqual: isEqual)
      }
      return !isEqual
    }
  }

  /// Keeps the rows whose cell is one of several texts, or those whose cell is not, and records cells that would be
  /// without blanks at their ends.
  private mutating func keepTexts(
    _ rows: inout [UInt32], _ column: Int, _ slot: Int, in set: TextSet, _ wanted: Bool
  ) {
    let (batch, column) = (batch, evaluator.column(column))
    rows.keep { row in
      let cell = batch.cell(row: Int(row), column: column)
      if cell.isNull { return false }
      let content = batch.content(cell)
      if set.contains(content) { return wanted }
      if content.mayHaveOuterBlanks {
        evaluator.row = Int(row)
        evaluator.recordPadded(content, slot: slot, isEqual: wanted) { set.contains($0.span) ? $0 : nil }
      }
      return !wanted
    }
  }

  private mutating func keepValueTexts(
    _ rows: inout [UInt32], _ column: Int, _ slot: Int, _ symbol: Expression.ComparisonOperator,
    _ text: [UInt8],
    _ wanted: Bool
  ) {
    let (batch, column) = (batch, evaluator.column(column))
    rows.keep { row in
      let cell = batch.cell(row: Int(row), column: column)
      if cell.isNull { return false }
      let content = batch.content(cell)
      evaluator.row = Int(row)
      evaluator.recordText(content, slot: slot, text.span, symbol)
      return symbol.holds(content.order(against: text.span)) == wanted
    }
  }

  /// Keeps rows by a test, which returns nil for values that are not numbers.
  @inline(__always)
  private mutating func keepNumbers(
    _ rows: inout [UInt32], _ column: Int, _ slot: Int, where test: (Span<UInt8>, Cell.Kind) -> Bool?
  ) {
    let (batch, column) = (batch, evaluator.column(column))
    var kept = 0
    for index in rows.indices {
      let row = Int(rows[index])
      let cell = batch.cell(row: row, column: column)
      if cell.isNull { continue }
      if let isKept = test(batch.content(cell), cell.kind) {
        if isKept {
          rows[kept] = UInt32(truncatingIfNeeded: row)
          kept &+= 1
        }
      } else if cell.length > 0 {
        evaluator.state.tally.recordMisfit(slot, wanted: .number, cell: cell, batch: batch, row: row)
      }
    }
    rows.removeLast(rows.count - kept)
  }

  @inline(__always)
  private mutating func keepTimes(
    _ rows: inout [UInt32], _ column: Int, _ slot: Int, where test: (Timestamp) -> Bool
  ) {
    let (batch, column) = (batch, evaluator.column(column))
    var kept = 0
    for index in rows.indices {
      let row = Int(rows[index])
      let cell = batch.cell(row: row, column: column)
      if cell.isNull { continue }
      if let time = evaluator.context.time(batch.content(cell)) {
        if test(time) {
          rows[kept] = UInt32(truncatingIfNeeded: row)
          kept &+= 1
        }
      } else if cell.length > 0 {
        evaluator.state.tally.recordMisfit(slot, wanted: .date, cell: cell, batch: batch, row: row)
      }
    }
    rows.removeLast(rows.count - kept)
  }

  private mutating func keepDated(
    _ rows: inout [UInt32], _ column: Int, _ slot: Int, _ symbol: Expression.ComparisonOperator,
    _ text: [UInt8],
    _ time: Timestamp?, _ wanted: Bool
  ) {
    let (batch, column) = (batch, evaluator.column(column))
    let isOrder = symbol != .equal && symbol != .notEqual
    let others = isOrder ? [] : text.span.otherTimes
    rows.keep { row in
      let cell = batch.cell(row: Int(row), column: column)
      if cell.isNull { return false }
      let content = batch.content(cell)
      if let time, let other = evaluator.context.time(content) {
        return symbol.holds(Timestamp.compare(other, time)) == wanted
      }
      evaluator.row = Int(row)
      evaluator.recordDate(content, slot: slot)
      evaluator.recordTime(content, slot: slot, text.span, symbol)
      if !others.isEmpty, others.contains(where: { content.equals($0) }) {
        evaluator.recordTwin(content, slot: slot, text.span, isEqual: symbol == .equal)
      }
      return symbol.holds(content.order(against: text.span)) == wanted
    }
  }

  private static func holds(
    _ thresholds: [NumberThreshold], _ text: Span<UInt8>, _ kind: Cell.Kind, is wanted: Bool
  ) -> Bool? {
    for threshold in thresholds {
      guard let order = threshold.order(of: text, kind: kind) else { return nil }
      if order == 0 { return wanted }
    }
    return !wanted
  }
}

extension Node {
  /// The comparison of a cell instead of its value as declared, if the result is the same: cells that are not
  /// of the type are already null.
  fileprivate var comparingCells: Node {
    switch self {
    case .comparison(let symbol, .typed(let column, let slot, let type), let value, let sides)
    where type.compares(sides):
      .comparison(symbol, .cell(column: column, slot: slot), value, by: sides)
    case .comparison(let symbol, let value, .typed(let column, let slot, let type), let sides)
    where type.compares(sides):
      .comparison(symbol, value, .cell(column: column, slot: slot), by: sides)
    default: self
    }
  }
}

extension ValueType {
  /// Whether values of the type compare like their cells.
  fileprivate func compares(_ sides: Node.Sides) -> Bool {
    switch (self, sides) {
    case (.number, .numbers), (.int, .numbers), (.decimal, .numbers), (.datetime, .times), (.text, .texts):
      true
    default: false
    }
  }
}

extension Expression.ComparisonOperator {
  /// Whether the comparison has this truth value for sides in this order; nil if there is no order.
  @inline(__always)
  fileprivate func holds(_ order: Int?, is wanted: Bool) -> Bool? {
    guard let order else { return nil }
    return holds(order) == wanted
  }
}

extension [UInt32] {
  /// Keeps the elements that pass the test, in order.
  @inline(__always)
  fileprivate mutating func keep(where test: (UInt32) -> Bool) {
    var kept = 0
    for index in indices where test(self[index]) {
      self[kept] = self[index]
      kept &+= 1
    }
    removeLast(count - kept)
  }
}

/// A condition arranged for whole batches: common shapes are recognized once, not row by row.
///
/// Each shape keeps the rows for which it is true, or those for which it is false; together with null this
/// covers three-valued logic: `not` swaps the two, `and` keeps what all parts keep, `or` what at least one
/// keeps.
indirect enum Condition: Sendable {
  case all([Condition])
  case any([Condition])
  case not(Condition)
  /// Compares a cell with a number.
  case number(column: Int, slot: Int, Expression.ComparisonOperator, NumberThreshold)
  /// Compares a cell with several numbers.
  case numbers(column: Int, slot: Int, [NumberThreshold])
  /// Compares a cell with a date or a time.
  case time(column: Int, slot: Int, Expression.ComparisonOperator, Timestamp)
  /// Compares a cell with a text.
  case text(column: Int, slot: Int, Expression.ComparisonOperator, [UInt8])
  /// Orders a cell and a text that may be a value, such as `10K`.
  case valueText(column: Int, slot: Int, Expression.ComparisonOperator, [UInt8])
  /// Tests whether a cell is, or is not, a text that spells a date, given the dates as ISO 8601 has them: `15.01.2024`.
  case spelledDate(column: Int, slot: Int, isEqual: Bool, [UInt8], [[UInt8]])
  /// Compares a cell with a text that spells a date, and with the date if texts are compared as times.
  case dated(column: Int, slot: Int, Expression.ComparisonOperator, [UInt8], Timestamp?)
  /// Compares a cell with several texts.
  case texts(column: Int, slot: Int, TextSet)
  case like(column: Int, LikePattern)
  case match(column: Int, Node.BoundPattern)
  /// Tests a cell and a text with a function: `contains(name, "x")`.
  case test(column: Int, Function.TextTest, [UInt8])
  case isNull(column: Int, slot: Int)
  case isEmpty(column: Int)
  /// Compares computed numbers; the node is for rows in which one is not short.
  case terms(Expression.ComparisonOperator, NumberTerm, NumberTerm, Node)
  /// Everything else, evaluated row by row.
  case general(Node)

  /// Chooses the fastest way to evaluate `node`.
  init(_ node: Node, _ context: EvaluationContext) {
    self = Self.shape(node, context) ?? .general(node)
  }

  private static func shape(_ node: Node, _ context: EvaluationContext) -> Condition? {
    switch node.comparingCells {
    case .logical(.and, let nodes): return .all(nodes.map { Condition($0, context) })
    case .logical(.or, let nodes): return .any(nodes.map { Condition($0, context) })
    case .not(let node): return .not(Condition(node, context))
    case .comparison(let symbol, .cell(let column, let slot), .constant(let value), let sides):
      return comparison(symbol, column, slot, value, sides, context)
    case .comparison(let symbol, .constant(let value), .cell(let column, let slot), let sides):
      return comparison(symbol.mirrored, column, slot, value, sides, context)
    case .comparison(let symbol, let left, let right, .numbers):
      guard let leftTerm = NumberTerm(left, context), let rightTerm = NumberTerm(right, context) else {
        return nil
      }
      return .terms(symbol, leftTerm, rightTerm, node)
    case .between(.cell(let column, let slot), .constant(let low), .numbers, .constant(let high), .numbers):
      guard let low = comparison(.greaterOrEqual, column, slot, low, .numbers, context),
        let high = comparison(.lessOrEqual, column, -1, high, .numbers, context)
      else { return nil }
      return .all([low, high])
    case .between(.cell(let column, let slot), .constant(let low), .times, .constant(let high), .times):
      guard let low = comparison(.greaterOrEqual, column, slot, low, .times, context),
        let high = comparison(.lessOrEqual, column, -1, high, .times, context)
      else { return nil }
      return .all([low, high])
    case .membership(.cell(let column, let slot), let items): return membership(column, slot, items, context)
    case .like(.cell(let column, _), let pattern): return .like(column: column, pattern)
    case .match(.cell(let column, _), let pattern): return .match(column: column, pattern)
    case .isNull(.cell(let column, let slot)): return .isNull(column: column, slot: slot)
    case .isEmpty(.cell(let column, _)): return .isEmpty(column: column)
    case .call(.test(let test), let arguments):
      guard case .cell(let column, _) = arguments[0], case .text(let text) = arguments[1].constant else {
        return nil
      }
      return .test(column: column, test, text.held)
    default: return nil
    }
  }

  private static func comparison(
    _ symbol: Expression.ComparisonOperator, _ column: Int, _ slot: Int, _ value: Value, _ sides: Node.Sides,
    _ context: EvaluationContext
  ) -> Condition? {
    switch (value, sides) {
    case (.number(let number), .numbers):
      .number(column: column, slot: slot, symbol, NumberThreshold(number, marks: context.marks))
    case (.time(let time), .times): .time(column: column, slot: slot, symbol, time)
    case (.text(let text), .texts)
    where symbol != .equal && symbol != .notEqual
      && (text.held.span.beginsAsValue || text.held.span.isOtherDate):
      .valueText(column: column, slot: slot, symbol, text.held)
    case (.text(let text), .texts):
      equality(symbol, column, slot, text.held, context)
    case (.text(let text), .dated):
      .dated(
        column: column, slot: slot, symbol, text.held,
        context.dateFormat == nil ? nil : context.time(text.held.span))
    default: nil
    }
  }

  private static func equality(
    _ symbol: Expression.ComparisonOperator, _ column: Int, _ slot: Int, _ text: [UInt8],
    _ context: EvaluationContext
  ) -> Condition {
    guard context.dateFormat == nil, symbol == .equal || symbol == .notEqual else {
      return .text(column: column, slot: slot, symbol, text)
    }
    let dates = text.span.isOtherDate ? DateSpelling.dates(text.span) : []
    if dates.isEmpty { return .text(column: column, slot: slot, symbol, text) }
    return .spelledDate(column: column, slot: slot, isEqual: symbol == .equal, text, dates)
  }

  private static func membership(
    _ column: Int, _ slot: Int, _ items: [Node.ComparedItem], _ context: EvaluationContext
  ) -> Condition? {
    var texts: [[UInt8]] = []
    var numbers: [NumberThreshold] = []
    for item in items {
      switch (item.node.constant, item.sides) {
      case (.number(let number), .numbers): numbers.append(NumberThreshold(number, marks: context.marks))
      case (.text(let text), .texts): texts.append(text.held)
      default: return nil
      }
    }
    if numbers.isEmpty { return .texts(column: column, slot: slot, TextSet(texts)) }
    return texts.isEmpty ? .numbers(column: column, slot: slot, numbers) : nil
  }
}

/// A set of texts that can be searched without allocating: sorted by length and bytes.
struct TextSet: Sendable {
  private let texts: [[UInt8]]

  /// Makes a set of some texts.
  init(_ texts: [[UInt8]]) {
    self.texts = texts.sorted { Self.order($0.span, $1.span) < 0 }
  }

  /// Whether the text is in the set.
  ///
  /// - Complexity: O(log *n*) comparisons for a set of *n* texts.
  func contains(_ text: Span<UInt8>) -> Bool {
    var low = 0
    var high = texts.count
    while low < high {
      let middle = (low + high) / 2
      let candidate = texts[middle]
      let order = Self.order(candidate.span, text)
      if order == 0 { return true }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return false
  }

  private static func order(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
    left.count != right.count ? left.count - right.count : left.order(against: right)
  }
}

/// A number that the cells of a column are compared with.
///
/// Cells of up to 18 digits are compared as integers: for each number of decimals that a cell may have, the
/// threshold is kept with as many, rounded down.
struct NumberThreshold: Sendable {
  private let number: Number
  private let floors: [Int64]
  private let exact: [Bool]
  private let marks: NumberMarks

  private static let mostDecimals = 17

  /// Prepares comparisons with `number`.
  init(_ number: Number, marks: NumberMarks) {
    self.number = number
    self.marks = marks
    var floors: [Int64] = []
    var exact: [Bool] = []
    if let decimal = number.exact, marks == .standard {
      for decimals in 0...Self.mostDecimals {
        let (floor, isExact) = Self.floor(decimal, decimals)
        floors.append(floor)
        exact.append(isExact)
      }
    }
    self.floors = floors
    self.exact = exact
  }

  /// Below 0, 0 or above 0, as the number in `text` is below, equal to or above this one; nil if it is not a
  /// number.
  @inline(__always)
  func order(of text: Span<UInt8>, kind: Cell.Kind) -> Int? {
    guard !floors.isEmpty, let short = ShortDecimal(text) else { return slowOrder(of: text, kind: kind) }
    let (value, decimals) = (short.digits, Int(short.scale))
    let floor = floors[decimals]
    return value < floor ? -1 : value > floor ? 1 : exact[decimals] ? 0 : -1
  }

  @inline(never)
  private func slowOrder(of text: Span<UInt8>, kind: Cell.Kind) -> Int? {
    let marks = kind == .number ? NumberMarks.standard : marks
    return NumberReader.loose(text, marks: marks).map { Number.compare($0, number) }
  }

  /// The largest integer that is not above `number` times `10^decimals`, and whether it is equal; values
  /// beyond 64 bits are clamped to the largest, which no cell of 18 digits reaches.
  private static func floor(_ number: ExactDecimal, _ decimals: Int) -> (Int64, Bool) {
    var value = number.significand
    if decimals >= number.scale {
      let factor = Int128(ExactDecimal.powerOfTen(decimals - number.scale))
      let (product, overflow) = value.multipliedReportingOverflow(by: factor)
      value = overflow ? (value < 0 ? .min : .max) : product
      return (Int64(clamping: value), true)
    }
    let unit = Int128(ExactDecimal.powerOfTen(number.scale - decimals))
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: unit)
    return (Int64(clamping: rest < 0 ? quotient - 1 : quotient), rest == 0)
  }
}
