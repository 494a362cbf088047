/// Runs a bound expression on a row of a batch.
///
/// There is one function for each kind that may be needed - `number`, `truth`, `text`, and `value` for any -
/// and a cell converts to it. Misfits are counted when the cell is read. An evaluator cannot be copied: a
/// copy for every row would cost more than most functions do. For the same reason what `mutating` functions call for every
/// value is `mutating`, too: to lend an evaluator that may be changed, the compiler copies all 430 bytes of it.
struct Evaluator: ~Copyable {
  /// The current batch.
  let batch: Batch

  /// The current row, counted from 0 in the batch.
  var row: Int

  /// The results besides values.
  var state: EvaluationState

  /// The column that `Node.field` represents.
  var field: Int

  /// What the program needs to know besides its nodes.
  let context: EvaluationContext

  /// The values of the aggregates, if there are any.
  var aggregates: [Value] = []

  /// The values of the earlier aggregates, if others use them.
  var earlier: [Value] = []

  /// The meaning of the given name.
  var given = Value.null

  /// The item of the list that is walked along.
  var listItem = Value.null

  /// The values that are the same for all items of that list, once they are known.
  private var heldValues: [Value?] = []

  /// The matchers of the patterns, by index.
  var matchers: [PatternMatcher?] = []

  /// The pattern of the last row that had its own.
  var lastPattern: (source: [UInt8], matcher: PatternMatcher?)?

  private var lastLine: (row: Int, line: Int)?

  /// Starts at a row of `batch`.
  init(_ context: EvaluationContext, batch: Batch, row: Int = 0, field: Int = 0, state: EvaluationState) {
    self.context = context
    self.batch = batch
    self.row = row
    self.field = field
    self.state = state
  }

  /// The column that a node refers to, which may be that of the field.
  @inline(__always)
  func column(_ index: Int) -> Int { index == Node.field ? field : index }

  /// The cell of a column that a node refers to.
  @inline(__always)
  func cell(_ index: Int) -> Cell { batch.cell(row: row, column: column(index)) }
}

/// What a program needs to know besides its nodes.
struct EvaluationContext: Sendable {
  /// The marks of numbers in cells.
  var marks = NumberMarks.standard

  /// The names of the inputs, by the index that batches carry.
  var sourceNames: [String] = []

  /// How text is measured.
  var metrics = TextMetrics()

  /// The instant that `now()` returns throughout a run.
  var now: Timestamp?

  /// How dates and times are spelled in cells and texts, besides ISO 8601.
  var dateFormat: DateFormat?

  /// The side tables by their names, if there are any.
  var lookups: [String: LookupTable]?

  /// Whether rows with a cell that a step could not convert are left out.
  var leavesOutMisfits = false

  /// The bytes that the different values of a function may take.
  var keyRoom = Int.max

  /// The column of notes on rows, which is not part of their text, if there is one.
  var noteColumn: Int?

  /// The longest text that may be used to make another, or that may be made, in bytes: otherwise the result
  /// is null.
  var longestText = Cell.longestMade

  /// Whether the tool itself adds no character above 127.
  var isASCII = false
}

// MARK: - Values

extension Evaluator {
  /// The value of `node`, of whatever kind.
  mutating func value(_ node: Node) -> Value {
    switch node {
    case .constant(let value): return value
    case .argument(let text, _): return .text(text)
    case .cell(let column, _): return value(of: cell(column))
    case .typed(let column, let slot, let type):
      let cell = cell(column)
      let value = value(of: cell, as: type)
      if value.isNull, cell.isMisfit, state.countsDeclared {
        state.tally.recordDeclared(slot, wanted: type.valueKind, cell: cell, batch: batch, row: row)
      }
      return value
    case .each(let list, let value): return each(list, value)
    case .listAggregate(let list, let aggregate, let held): return self.aggregate(list, aggregate, held)
    case .listItem: return listItem
    case .held(let place, let node): return held(place, node)
    case .record: return record().map { .text($0) } ?? tooLong("$0")
    case .way(var column, _):
      column.index = self.column(column.index)
      return value(of: batch.value(of: column, row: row))
    case .path, .item, .slice: return member(node)
    case .shownRow(let column):
      if let column, state.hasColumnN { return value(column) }
      return .int(state.shownRow)
    case .row(let reading): return reading(&self)
    case .aggregate(let index): return aggregates.indices.contains(index) ? aggregates[index] : .null
    case .earlier(let index): return earlier.indices.contains(index) ? earlier[index] : .null
    case .given: return given
    case .arithmetic, .negation, .power, .size: return .optional(number(node))
    case .join(let nodes): return .optional(joined(nodes))
    case .list(let items): return list(items)
    case .logical, .not, .comparison, .between, .distinct, .membership, .listMembership, .like, .dynamicLike,
      .match,
      .dynamicMatch, .isNull, .isEmpty, .isBool, .isType:
      return .optional(truth(node))
    case .temporal(let first, let links): return temporal(first, links)
    case .coalesce(let nodes):
      for (index, node) in nodes.enumerated() {
        let value = value(node)
        if !value.isNull {
          if index < nodes.count - 1 { recordShortWord(value, from: node) }
          return value
        }
      }
      return .null
    case .choice(let branches, let otherwise): return value(choose(branches, otherwise))
    case .call(let computation, let arguments): return call(computation, arguments)
    case .patternCall(let matching, let function, let subject, let pattern, let rest):
      return call(matching, of: function, subject, pattern, rest)
    case .must(let node, let type): return must(node, type)
    case .format(let text, let arguments):
      return text.filled(by: values(arguments), self).map { .text($0) } ?? tooLong("format()")
    }
  }

  /// The value of a call.
  mutating func call(_ computation: Function.ArgumentComputation, _ arguments: [Node]) -> Value {
    switch computation {
    case .value(let compute): return compute(&self, arguments)
    case .text(let compute, let function):
      guard let text = material(arguments[0], of: function) else { return .null }
      let made = compute(text.bytes(in: batch))
      return made.count > context.longestText ? tooLong(function) : .text(made)
    case .test: return .optional(truth(of: computation, arguments))
    case .count, .number, .real, .part: return .optional(number(of: computation, arguments))
    }
  }

  /// The values of several nodes.
  mutating func values(_ nodes: [Node]) -> [Value] {
    var values: [Value] = []
    for node in nodes { values.append(value(node)) }
    return values
  }

  /// The value of a cell, before it is converted.
  mutating func value(of cell: Cell) -> Value {
    switch cell.kind {
    case .null, .missing, .empty: .null
    case .list: .list(TextValue(cell))
    case .object: .object(TextValue(cell))
    case .text: .text(TextValue(cell, isString: batch.isText(cell)))
    case .number, .bool: .text(TextValue(cell))
    }
  }

  /// The value of a cell whose column is declared to be of a type; null if it is not.
  mutating func value(of cell: Cell, as type: ValueType) -> Value {
    switch type {
    case .text:
      if cell.isNull { return .null }
      return .text(TextValue(cell, isString: true))
    case .list, .object: return convert(container(value(of: cell)), to: type)
    case .number, .int, .decimal, .double:
      switch cell.kind {
      case .text, .number:
        let number = NumberReader.loose(batch.content(cell), marks: context.marks(of: cell))
        guard let number else { return .null }
        return type == .number ? .number(number) : convert(.number(number), to: type)
      case .null, .missing, .empty, .bool, .list, .object: return .null
      }
    case .bool, .date, .datetime, .duration, .size: return convert(value(of: cell), to: type)
    }
  }

  /// The branch of a `case` or `if` that the row takes.
  mutating func choose(_ branches: [Node.Branch], _ otherwise: Node) -> Node {
    for branch in branches where truth(branch.condition) == true { return branch.value }
    return otherwise
  }

  /// The row as text: its cells joined by tabs, up to the last that it has; null if it is too long.
  private func record() -> [UInt8]? {
    var bytes: [UInt8] = []
    var count = batch.fieldCount(ofRow: row)
    if let note = context.noteColumn, count == note + 1 {
      count = note
      while count > 0, batch.cell(row: row, column: count - 1).kind == .missing { count -= 1 }
    }
    for column in 0..<count where column != context.noteColumn {
      if column > 0 { bytes.append(9) }
      let content = batch.content(batch.cell(row: row, column: column))
      if content.count > context.longestText - bytes.count { return nil }
      for index in content.indices { bytes.append(content[index]) }
    }
    return bytes
  }

  /// The line of the row; counted from the previous row requested, if that comes before it.
  mutating func line() -> Int {
    guard batch.rowCount > 0 else { return batch.origin.line }
    let line = lastLine.map { batch.line(ofRow: row, from: $0) } ?? batch.line(ofRow: row)
    lastLine = (row, line)
    return line
  }

  /// The name of the input that the row comes from.
  var fileName: String {
    let source = batch.source(ofRow: row)
    return context.sourceNames.indices.contains(source) ? context.sourceNames[source] : ""
  }

  private mutating func must(_ node: Node, _ type: Expression.TypeName) -> Value {
    let value = value(node)
    if value.isNull { return .null }
    let converted = convert(value, to: type)
    if converted.isNull, state.failure == nil {
      let text = text(of: value).map { Array(copying: $0.bytes(in: batch)) }
      state.failure = .must(
        source: batch.rowCount > 0 ? batch.source(ofRow: row) : 0, line: batch.rowCount > 0 ? line() : nil,
        text: text ?? [], type: type)
    }
    return converted
  }
}

// MARK: - Conversion

/// Conversion by use: a text is read as what is needed, and a cell that does not fit is counted.
extension Evaluator {
  /// The number that `node` yields.
  mutating func number(_ node: Node) -> Number? {
    switch node {
    case .constant(.number(let number)): return number
    case .argument(_, let number): return number
    case .cell(let column, let slot): return number(in: cell(column), slot: slot)
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
    case .choice(let branches, let otherwise): return number(choose(branches, otherwise))
    case .size(let operand): return size(operand)
    case .call(let computation, let arguments): return number(of: computation, arguments)
    default: return number(of: value(node), from: node)
    }
  }

  /// The number that a call yields.
  mutating func number(of computation: Function.ArgumentComputation, _ arguments: [Node]) -> Number? {
    switch computation {
    case .count(let compute):
      let value = value(arguments[0])
      switch value {
      case .text(let text): return .int(Int64(compute(text.bytes(in: batch))))
      case .list(let text): return .int(Int64(count(of: text, isList: true)))
      case .object(let text): return .int(Int64(count(of: text, isList: false)))
      case .null, .bool, .number, .time, .duration:
        return text(of: value).map { .int(Int64(compute($0.bytes(in: batch)))) }
      }
    case .number(let compute):
      guard let number = number(arguments[0]) else { return nil }
      return compute(number)
    case .real(let compute):
      guard let number = number(arguments[0]), let real = compute(number.doubleValue) else { return nil }
      return .double(real)
    case .part(let compute):
      guard let time = time(arguments[0]) else { return nil }
      return .int(Int64(compute(time)))
    case .text, .test, .value: return call(computation, arguments).number(in: batch, context.marks)
    }
  }

  /// The whole number that a node yields, truncated toward zero.
  mutating func integer(_ node: Node) -> Int? {
    guard let number = number(node) else { return nil }
    if let whole = number.truncated(to: 0).integer { return Int(whole) }
    return Number.compare(number, .int(0)).signum() < 0 ? -Int.max : Int.max
  }

  /// The number in a cell, if a number is needed.
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
    if cell.length > 0 { state.tally.recordMisfit(slot, wanted: .number, cell: cell, batch: batch, row: row) }
    return nil
  }

  /// A value as a number.
  func number(of value: Value) -> Number? { value.number(in: batch, context.marks) }

  private mutating func number(of value: Value, from node: Node) -> Number? {
    let number = value.number(in: batch, context.marks)
    if number == nil { recordMisfit(value, from: node, wanted: .number) }
    return number
  }

  /// Whether a value is true or false.
  func truth(of value: Value) -> Bool? { value.truth(in: batch) }

  /// Counts a value that is not valid for the column it is written to.
  mutating func recordMisfit(_ value: Value, slot: Int, wanted: ExpressionError.ValueKind) {
    guard let text = text(of: value)?.held(from: batch) else { return }
    state.tally.recordMisfit(slot, wanted: wanted, text.held.span, batch: batch, row: row)
  }

  /// Counts a value that did not convert, if it is that of a cell.
  mutating func recordMisfit(_ value: Value, from node: Node, wanted: ExpressionError.ValueKind) {
    guard !value.isNull else { return }
    switch node {
    case .cell(let column, let slot), .typed(let column, let slot, _):
      let cell = cell(column)
      if cell.length > 0 {
        state.tally.recordMisfit(slot, wanted: wanted, cell: cell, batch: batch, row: row)
      }
    case .way(_, let slot):
      guard let text = text(of: value)?.held(from: batch), !text.held.isEmpty else { return }
      state.tally.recordMisfit(slot, wanted: wanted, text.held.span, batch: batch, row: row)
    case .path(let base, _), .held(_, let base): recordMisfit(value, from: base, wanted: wanted)
    case .listItem(let slot):
      guard let text = text(of: value)?.held(from: batch), !text.held.isEmpty else { return }
      state.tally.recordMisfit(slot, wanted: wanted, text.held.span, batch: batch, row: row)
    default: return
    }
  }

  /// The text that `node` yields: that of a cell exactly as in the input.
  mutating func text(_ node: Node) -> TextValue? { text(of: value(node)) }

  /// A text that is used to make another; null if it is too long to be held twice.
  ///
  /// - Parameter function: the function that makes it, as in messages.
  mutating func material(_ node: Node, of function: String) -> TextValue? {
    guard let text = text(node) else { return nil }
    if text.bytes(in: batch).count <= context.longestText { return text }
    state.tally.recordLongText(.read(by: function), batch: batch, row: row)
    return nil
  }

  /// Null in place of a text that would be too long, which is counted.
  ///
  /// - Parameter maker: the function or operator that would make it, as in messages.
  mutating func tooLong(_ maker: String) -> Value {
    state.tally.recordLongText(.made(by: maker), batch: batch, row: row)
    return .null
  }

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
    case .time(let time):
      var buffer = ByteBuffer(capacity: 32)
      time.append(to: &buffer)
      return TextValue(buffer.array())
    case .duration(let duration):
      var buffer = ByteBuffer(capacity: 32)
      duration.append(to: &buffer)
      return TextValue(buffer.array())
    }
  }

  /// Texts joined together; null if one is null, unless nulls are ignored.
  mutating func joined(_ nodes: [Node], nulls areNothing: Bool = false) -> [UInt8]? {
    var bytes: [UInt8] = []
    for node in nodes {
      guard let text = text(node) else {
        if areNothing { continue }
        return nil
      }
      let batch = batch
      let part = text.bytes(in: batch)
      if part.count > context.longestText - bytes.count {
        _ = tooLong(areNothing ? "concat()" : "++")
        return nil
      }
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
  /// The type of a value by its own look; nil for null.
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
    case .time(let time): time.isDate ? .date : .datetime
    case .duration: .duration
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
    switch type {
    case .size, .duration: return !convert(value, to: type).isNull
    case .date, .datetime: return time(of: value).map { $0.isDate == (type == .date) } ?? false
    default: break
    }
    guard let own = self.type(of: value) else { return false }
    return own == type || (type == .number && (own == .int || own == .decimal || own == .double))
  }

  /// A value as another type; null if it does not convert.
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
    case .text: return text(of: value).map { .text($0.asString) } ?? .null
    case .bool: return .optional(truth(of: value))
    case .size:
      return .optional(size(of: value))
    case .date: return .optional(time(of: value)?.withoutTime)
    case .datetime: return .optional(time(of: value)?.withTime)
    case .duration: return .optional(duration(of: value))
    case .list:
      if case .list = value { return value }
      return .null
    case .object:
      if case .object = value { return value }
      return .null
    }
  }

  /// The decimal that a double prints as, if the digits suffice.
  private static func decimal(of number: Number) -> Number? {
    var buffer = ByteBuffer(capacity: 32)
    NumberWriter.append(number, to: &buffer)
    guard let again = NumberReader.loose(buffer.span), let exact = again.exact else { return nil }
    return .decimal(exact)
  }
}

extension EvaluationContext {
  /// The date or time that a text spells.
  @inline(__always)
  func time(_ text: Span<UInt8>) -> Timestamp? {
    guard let dateFormat else { return Timestamp(text) }
    return dateFormat.readOrISO(text)
  }

  /// The decimal and thousands marks of a cell's number.
  @inline(__always)
  func marks(of cell: Cell) -> NumberMarks { cell.kind == .number ? .standard : marks }
}

// MARK: - Lists and objects

/// Paths into JSON: members, items and slices.
extension Evaluator {
  /// The value a path, an item or a slice leads to; null if it leads nowhere.
  mutating func member(_ node: Node) -> Value {
    switch node {
    case .path(let base, let steps): return member(steps, of: value(base))
    case .item(let base, let index): return item(index, of: value(base))
    case .slice(let base, let low, let high): return slice(value(base), low, high)
    default: return .null
    }
  }

  /// The items of a list.
  func items(of list: TextValue) -> [Value] {
    let bytes = list.bytes(in: batch)
    guard let whole = JSONText.find([], in: bytes), whole.kind == .list else { return [] }
    return JSONText.items(of: whole, bytes).map { Self.value($0, in: bytes) }
  }

  /// The items of a list that is walked along; `nil` if the value is no list.
  private mutating func items(of list: Node.WalkedList) -> [Value]? {
    guard case .list(let text) = container(value(list.node)) else { return nil }
    let items = items(of: text)
    if !list.isNested { return items }
    return items.flatMap { item in
      if case .list(let text) = item { self.items(of: text) } else { [Value]() }
    }
  }

  /// The values for each item of a list, as a list.
  mutating func each(_ list: Node.WalkedList, _ value: Node) -> Value {
    guard let items = items(of: list) else { return .null }
    var made = ListBuilder(limit: context.longestText)
    let outer = listItem
    for item in items where !made.isFull {
      listItem = item
      made.append(self.value(value), isRead: true, self)
    }
    listItem = outer
    return made.value ?? tooLong("[*]")
  }

  /// The aggregate of the values for each item of a list.
  mutating func aggregate(_ list: Node.WalkedList, _ aggregate: BoundAggregate, _ held: Range<Int>) -> Value {
    var accumulator = aggregate.accumulator.init()
    let outer = listItem
    while heldValues.count < held.upperBound { heldValues.append(nil) }
    for place in held { heldValues[place] = nil }
    for item in items(of: list) ?? [] {
      listItem = item
      if let argument = aggregate.argument { accumulator.add(argument, aggregate.further, &self) }
    }
    listItem = outer
    for (slot, entry) in (accumulator.lateMisfits?.entries ?? []).enumerated() {
      guard let first = entry.first else { continue }
      state.tally.recordMisfit(slot, wanted: first.wanted, first.text.span, batch: batch, row: row)
    }
    // What was never written needs no file.
    return (try? accumulator.result) ?? .null
  }

  /// The value of a part of an aggregate's argument that is the same for all items of the list.
  mutating func held(_ place: Int, _ node: Node) -> Value {
    if place < heldValues.count, let known = heldValues[place] { return known }
    let value = value(node)
    if place < heldValues.count { heldValues[place] = value }
    return value
  }

  /// The value that a path into JSON leads to.
  mutating func value(of found: NestedValue) -> Value {
    if found.isWhole { return value(of: found.cell) }
    let bytes = batch.content(found.cell).extracting(found.place)
    return Self.value(found.kind, bytes, isEscaped: found.isEscaped)
  }

  private func member(_ steps: [PathStep], of value: Value) -> Value {
    switch value {
    case .list(let text), .object(let text), .text(let text):
      let bytes = text.bytes(in: batch)
      guard let found = JSONText.find(steps, in: bytes) else { return .null }
      return Self.value(found, in: bytes)
    case .null, .bool, .number, .time, .duration: return .null
    }
  }

  /// The list or object that a text spells; any other value unchanged.
  func container(_ value: Value) -> Value {
    guard case .text(let text) = value, let found = JSONText.whole(text.bytes(in: batch)) else {
      return value
    }
    switch found.kind {
    case .list, .object: return Self.value(found, in: text.bytes(in: batch))
    case .text, .number, .bool, .null, .missing, .empty: return value
    }
  }

  private mutating func item(_ index: Node, of base: Value) -> Value {
    let base = container(base)
    switch (base, value(index)) {
    case (.list, let index):
      guard let place = number(of: index)?.integer, let place = Int(exactly: place) else { return .null }
      return member([.item(place)], of: base)
    case (.object, .null): return .null
    case (.object, let name):
      guard let name = text(of: name) else { return .null }
      let bytes = Array(copying: name.bytes(in: batch))
      return member([.member(String(decoding: bytes, as: UTF8.self))], of: base)
    default: return .null
    }
  }

  /// The items from `low` up to but not including `high`; either may count from the end.
  private mutating func slice(_ base: Value, _ low: Node?, _ high: Node?) -> Value {
    guard case .list(let list) = container(base) else { return .null }
    let batch = batch
    let bytes = list.bytes(in: batch)
    guard let whole = JSONText.find([], in: bytes) else { return .null }
    let items = JSONText.items(of: whole, bytes)
    guard let first = bound(low, count: items.count, else: 0),
      let last = bound(high, count: items.count, else: items.count)
    else { return .null }
    var result: [UInt8] = [UInt8(ascii: "[")]
    for place in first..<max(first, last) {
      if place > first { result.append(UInt8(ascii: ",")) }
      let quote = items[place].kind == .text ? 1 : 0
      for index in items[place].start - quote..<items[place].end + quote { result.append(bytes[index]) }
    }
    result.append(UInt8(ascii: "]"))
    return .list(TextValue(result))
  }

  private mutating func bound(_ node: Node?, count: Int, else missing: Int) -> Int? {
    guard let node else { return missing }
    guard let place = number(node)?.integer, let place = Int(exactly: place) else { return nil }
    return min(max(place < 0 ? place &+ count : place, 0), count)
  }

  /// The value that a piece of JSON spells.
  static func value(_ found: JSONScanner.Value, in bytes: Span<UInt8>) -> Value {
    value(found.kind, bytes.extracting(found.start..<found.end), isEscaped: found.isEscaped)
  }

  private static func value(_ kind: Cell.Kind, _ span: Span<UInt8>, isEscaped: Bool) -> Value {
    switch kind {
    case .null, .missing, .empty: return .null
    case .bool: return .bool(span.equals("true"))
    case .number: return .text(TextValue(Array(copying: span)))
    case .list: return .list(TextValue(Array(copying: span)))
    case .object: return .object(TextValue(Array(copying: span)))
    case .text:
      guard isEscaped else { return .text(TextValue(Array(copying: span), isString: true)) }
      var decoded = ByteBuffer(capacity: span.count)
      JSONText.decode(span, into: &decoded)
      return .text(TextValue(decoded.array(), isString: true))
    }
  }
}

// MARK: - Patterns

/// The functions on patterns.
extension Evaluator {
  /// The matcher of a compiled pattern; it is created once for all rows.
  mutating func matcher(_ bound: Node.BoundPattern) -> PatternMatcher {
    while matchers.count <= bound.index { matchers.append(nil) }
    if let matcher = matchers[bound.index] { return matcher }
    let matcher = PatternMatcher(bound.pattern)
    matchers[bound.index] = matcher
    return matcher
  }

  /// The matcher of a pattern that may come from the row; nil if that is not a pattern.
  mutating func matcher(of source: Node.PatternSource) -> PatternMatcher? {
    switch source {
    case .compiled(let bound): return matcher(bound)
    case .dynamic(let node):
      guard let text = text(node) else { return nil }
      let bytes = Array(copying: text.bytes(in: batch))
      if let last = lastPattern, last.source == bytes { return last.matcher }
      let pattern = try? Pattern(String(decoding: bytes, as: UTF8.self))
      lastPattern = (bytes, pattern.map { PatternMatcher($0) })
      return lastPattern?.matcher
    }
  }

  /// The value of a function on a pattern.
  mutating func call(
    _ matching: Function.Matching, of function: String, _ subject: Node, _ source: Node.PatternSource,
    _ rest: [Node]
  ) -> Value {
    guard let text = material(subject, of: function), let matcher = matcher(of: source) else { return .null }
    let batch = batch
    return matching(&self, text.bytes(in: batch), matcher, rest)
  }
}
