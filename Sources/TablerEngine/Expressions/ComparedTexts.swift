/// Cells that an operation compared as text although they may be values, such as `10%` and `9%`.
///
/// It holds a sample of them, which does not depend on the pieces and the order in which rows come. They are
/// interpreted after all rows have come.
struct ComparedTexts: Sendable {
  /// The operation that compares them.
  enum Operation: Hashable, Sendable {
    /// An operator.
    case comparison(Expression.ComparisonOperator)
    /// `least()` of a row, and whether it has more than two arguments.
    case least(hasMore: Bool)
    /// `greatest()` of a row.
    case greatest(hasMore: Bool)
    /// `clamp()`.
    case clamp
    /// `min()` or `max()` over rows.
    case extreme(isLargest: Bool)

    /// Whether it asks which of two comes first.
    var isOrder: Bool { self != .comparison(.equal) && self != .comparison(.notEqual) }
  }

  /// What the cells of a column are compared with.
  enum Other: Hashable, Sendable {
    /// The cells of another column, by their slot.
    case cells(Int)
    /// A text of the expression.
    case literal
    /// Other cells of the same column.
    case rows

    /// Whether both are cells, texts of an expression, or other rows.
    fileprivate func isAlike(_ other: Self) -> Bool {
      switch (self, other) {
      case (.cells, .cells), (.literal, .literal), (.rows, .rows): true
      default: false
      }
    }
  }

  /// Two texts that were compared, and the row of the first.
  struct Pair: Sendable {
    /// The text on the left.
    let left: [UInt8]
    /// The text on the right; empty if it is that of any other row.
    let right: [UInt8]
    /// The row.
    let place: TextSample.SourceRow
  }

  /// The operation that compares them.
  let operation: Operation

  /// The slot of the column.
  let slot: Int

  /// What they are compared with.
  let other: Other

  /// The columns, as addressed.
  let columns: [String]

  /// Whether the result depends on the order of texts: not if the order of numbers counts.
  var isDecisive: Bool

  private var sample = TextSample(mostMembers: 48, mostShapes: 24)
  private var first: Pair?
  private var joined: [UInt8] = []

  /// Begins without texts.
  init(_ operation: Operation, slot: Int, _ other: Other, columns: [String], isDecisive: Bool = true) {
    (self.operation, self.slot, self.other, self.columns) = (operation, slot, other, columns)
    self.isDecisive = isDecisive
  }

  /// The row of the first pair; the largest number if there is none yet.
  var firstRow: Int { first?.place.row ?? .max }

  /// The pairs that it holds, by their rows.
  var pairs: [Pair] {
    let held = sample.all.compactMap { member -> Pair? in
      guard let place = member.place, let end = member.text.firstIndex(of: 0) else { return nil }
      return Pair(left: Array(member.text[..<end]), right: Array(member.text[(end + 1)...]), place: place)
    }
    return (held + (first.map { [$0] } ?? [])).sorted { $0.place.row < $1.place.row }
  }

  /// Whether it holds all pairs that were recorded.
  var isComplete: Bool { sample.isComplete }

  /// Its approximate size in bytes.
  var byteCount: Int { MemoryLayout<Self>.stride + sample.byteCount }

  /// Whether the texts of a row are examined: all of the first rows, then one of many.
  @inline(__always)
  static func areExamined(inRow row: Int) -> Bool { row <= 200 || row & 127 == 0 }

  /// The longest text that is examined.
  static var longest: Int { 40 }

  /// Records two texts.
  mutating func recordTexts(_ left: Span<UInt8>, _ right: Span<UInt8>, at place: TextSample.SourceRow) {
    joined.removeAll(keepingCapacity: true)
    for index in left.indices { joined.append(left[index]) }
    joined.append(0)
    for index in right.indices { joined.append(right[index]) }
    let text = joined
    sample.addText(text.span, at: place)
  }

  /// Records two texts if no earlier row has any.
  mutating func recordTexts(ifFirst left: Span<UInt8>, _ right: Span<UInt8>, at place: TextSample.SourceRow) {
    guard place.row < firstRow else { return }
    first = Pair(left: Array(copying: left), right: Array(copying: right), place: place)
  }

  /// Adds the texts that the same operation compared in other rows.
  mutating func merge(_ other: ComparedTexts) {
    isDecisive = isDecisive || other.isDecisive
    if other.firstRow < firstRow { first = other.first }
    sample.merge(other.sample)
  }

  /// Whether it is the same operation on columns of the same names.
  func isAlike(_ other: ComparedTexts) -> Bool {
    operation == other.operation && columns == other.columns && self.other.isAlike(other.other)
  }

  /// Whether it is the same operation on the same cells of one expression.
  func isAlike(_ operation: Operation, _ slot: Int, _ other: Other) -> Bool {
    self.slot == slot && self.other == other && self.operation == operation
  }
}

// MARK: - Meeting texts

extension Evaluator {
  /// Records two values that were compared as text, and the nodes that gave them.
  ///
  /// One of many rows is examined; a number beside a text always, until there is one.
  ///
  /// - Parameter areMixed: whether one of them is a number.
  @inline(__always)
  mutating func recordTexts(
    _ left: Value, of leftNode: Node, _ right: Value, of rightNode: Node, areMixed: Bool,
    _ operation: ComparedTexts.Operation
  ) {
    if areMixed || isExamined { examine(left, leftNode, right, rightNode, areMixed: areMixed, operation) }
  }

  /// Records a cell that was compared with a text of the expression.
  @inline(__always)
  mutating func recordText(
    _ text: Span<UInt8>, slot: Int, _ literal: Span<UInt8>, _ symbol: Expression.ComparisonOperator
  ) {
    // Texts of other lengths are those whose values may have another order.
    guard
      text.count != literal.count && text.beginsAsNumber && literal.beginsAsNumber
        && !text.hasSameOrder(asDate: literal) || isExamined
    else { return }
    examine(text, slot: slot, literal, .literal, .comparison(symbol))
  }

  /// Records a time that was compared as text with another, if their order may be another one.
  @inline(__always)
  mutating func recordTime(
    _ text: Span<UInt8>, slot: Int, _ literal: Span<UInt8>, _ symbol: Expression.ComparisonOperator
  ) {
    let operation = ComparedTexts.Operation.comparison(symbol)
    if operation.isOrder, isDoubtful(text, literal, symbol) {
      examine(text, slot: slot, literal, .literal, operation)
    }
  }

  /// Records a cell that would be equal to a text of the expression if it had no blanks at its ends.
  ///
  /// - Parameter equal: the text that is equal to the cell without them; `nil` if none is.
  @inline(never)
  mutating func recordPadded(
    _ text: Span<UInt8>, slot: Int, isEqual: Bool, _ equal: ([UInt8]) -> [UInt8]?
  ) {
    let inner = text.unpadded
    guard inner.count < text.count, text.count <= ComparedTexts.longest,
      let literal = equal(Array(copying: text.extracting(inner)))
    else { return }
    recordTwin(text, slot: slot, literal.span, isEqual: isEqual)
  }

  /// Records a cell that was compared with a text of the expression which means the same, but is another text.
  @inline(never)
  mutating func recordTwin(_ text: Span<UInt8>, slot: Int, _ literal: Span<UInt8>, isEqual: Bool) {
    guard batch.rowCount > 0 else { return }
    let operation = ComparedTexts.Operation.comparison(isEqual ? .equal : .notEqual)
    let number = batch.rowNumber(ofRow: row)
    let isFirst = number < state.tally.firstRow(ofTexts: operation, slot, .literal)
    guard isFirst || ComparedTexts.areExamined(inRow: number) else { return }
    let place = TextSample.SourceRow(source: batch.source(ofRow: row), line: line(), row: number)
    state.tally.recordTexts(text, literal, operation, slot, .literal, areMixed: isFirst, at: place)
  }

  /// Records two values that were compared as text, and the nodes that gave them, if they are times whose
  /// order may be another one.
  mutating func recordTimes(
    _ left: Value, of leftNode: Node, _ right: Value, of rightNode: Node, _ operation: ComparedTexts.Operation
  ) {
    guard operation.isOrder, case .text(let first) = left, case .text(let second) = right else { return }
    let batch = batch
    guard isDoubtful(first.bytes(in: batch), second.bytes(in: batch), operation.symbol) else { return }
    examine(left, leftNode, right, rightNode, areMixed: false, operation)
  }

  /// Records a cell that `min()` or `max()` compares with the one that is kept of the rows before.
  mutating func recordText(_ text: Span<UInt8>, slot: Int, beside kept: Value, isLargest: Bool) {
    let (batch, operation) = (batch, ComparedTexts.Operation.extreme(isLargest: isLargest))
    if text.isSpelledAsISODate, !isExamined {
      guard case .text(let other) = kept, isDoubtful(text, other.bytes(in: batch)) else { return }
      examine(other.bytes(in: batch), slot: slot, batch.content(.missing), .rows, operation)
    }
    examine(text, slot: slot, batch.content(.missing), .rows, operation)
  }

  /// Whether two times may have another order than their texts.
  ///
  /// If one has no offset from UTC, that depends on those of other rows: some of them are examined.
  ///
  /// - Parameter symbol: the operator that compares them, if it is one.
  @inline(__always)
  private func isDoubtful(
    _ text: Span<UInt8>, _ other: Span<UInt8>, _ symbol: Expression.ComparisonOperator? = nil
  ) -> Bool {
    guard text.isSpelledAsISODate, other.isSpelledAsISODate, !text.hasSameForm(asTime: other) else {
      return false
    }
    if text.offsetOfTime.isEmpty != other.offsetOfTime.isEmpty { return isExamined }
    return text.isReversed(asTime: other, symbol)
  }

  /// Whether texts of the row are examined.
  @inline(__always)
  private var isExamined: Bool { ComparedTexts.areExamined(inRow: batch.rowNumber(ofRow: row)) }

  @inline(never)
  private mutating func examine(
    _ left: Value, _ leftNode: Node, _ right: Value, _ rightNode: Node, areMixed: Bool,
    _ operation: ComparedTexts.Operation
  ) {
    guard case .text(let first) = left, case .text(let second) = right else { return }
    let batch = batch
    let (left, right) = (first.bytes(in: batch), second.bytes(in: batch))
    switch (leftNode.slot, rightNode.slot) {
    case (let slot?, let other?):
      examine(left, slot: slot, right, .cells(other), operation, areMixed: areMixed)
    case (let slot?, nil) where rightNode.isLiteral && operation.isOrder:
      examine(left, slot: slot, right, .literal, operation)
    case (nil, let slot?) where leftNode.isLiteral && operation.isOrder:
      examine(right, slot: slot, left, .literal, operation.mirrored)
    default: return
    }
  }

  /// Examines two texts, and holds them if they may be values.
  ///
  /// - Parameter areMixed: whether they are examined only if they are the first.
  @inline(never)
  private mutating func examine(
    _ left: Span<UInt8>, slot: Int, _ right: Span<UInt8>, _ other: ComparedTexts.Other,
    _ operation: ComparedTexts.Operation, areMixed: Bool = false
  ) {
    guard batch.rowCount > 0 else { return }
    let number = batch.rowNumber(ofRow: row)
    let isFirst = areMixed && number < state.tally.firstRow(ofTexts: operation, slot, other)
    guard isFirst || !areMixed || ComparedTexts.areExamined(inRow: number), left.mayBeValue else { return }
    switch other {
    case .cells: if !right.mayBeValue || left.hasSameOrder(asDate: right) { return }
    case .literal:
      if !right.beginsAsValue && !right.isOtherDate || left.hasSameOrder(asDate: right) { return }
    case .rows: break
    }
    let place = TextSample.SourceRow(source: batch.source(ofRow: row), line: line(), row: number)
    state.tally.recordTexts(left, right, operation, slot, other, areMixed: areMixed, at: place)
  }
}

extension ComparedTexts.Operation {
  /// The operator, if it is one.
  var symbol: Expression.ComparisonOperator? {
    if case .comparison(let symbol) = self { symbol } else { nil }
  }

  /// The same with its sides exchanged.
  fileprivate var mirrored: Self {
    if case .comparison(let symbol) = self { .comparison(symbol.mirrored) } else { self }
  }
}

extension Node {
  /// The slot that counts the misfits of a cell whose column has no type; `nil` for anything else.
  fileprivate var slot: Int? {
    switch self {
    case .cell(_, let slot), .way(_, let slot): slot
    default: nil
    }
  }

  /// Whether the value is the same in all rows.
  fileprivate var isLiteral: Bool { constant != nil || isArgument }
}

extension Span<UInt8> {
  /// Whether the first byte may begin a number: it comes before `A` in ASCII, or is not ASCII.
  @inline(__always)
  fileprivate var beginsAsNumber: Bool {
    count > 0 && (self[0] < UInt8(ascii: "A") || self[0] >= 0x80)
  }

  /// Whether the text may be a value: it is short, and is a word for a missing value or a code, or has a digit.
  fileprivate var mayBeValue: Bool {
    guard count <= ComparedTexts.longest else { return false }
    var hasDigit = false
    for index in indices {
      if self[index] == 0 { return false }
      if self[index].isDigit { hasDigit = true }
    }
    return hasDigit || isCodeOfTwoLetters || NullLikeWord(self) != nil
  }

  /// Whether the text sorts like the date that it spells, next to another such date or its beginning.
  @inline(__always)
  fileprivate func hasSameOrder(asDate other: Span<UInt8>) -> Bool {
    guard isSpelledAsISODate else { return false }
    return other.count <= 7 || other.isSpelledAsISODate && hasSameForm(asTime: other)
  }

  /// Whether two dates have the order of their texts: a cheap test, which finds most of those that have.
  ///
  /// They have if one has no time and the other is not its midnight, or if the times begin with the same mark and two
  /// digits of hours, and are equally long and end with the same offset from UTC, or none has one.
  fileprivate func hasSameForm(asTime other: Span<UInt8>) -> Bool {
    if count == 10 { return other.count == 10 || !other.isMidnight(of: self) }
    if other.count == 10 { return !isMidnight(of: other) }
    if self[10] != other[10] || !hasHoursOfTwoDigits || !other.hasHoursOfTwoDigits { return false }
    let (offset, otherOffset) = (offsetOfTime, other.offsetOfTime)
    if offset.isEmpty, otherOffset.isEmpty { return true }
    return count == other.count && extracting(offset).equals(other.extracting(otherOffset))
  }

  /// Whether the hours of a time have two digits, or a text that begins with a date has no time.
  private var hasHoursOfTwoDigits: Bool {
    count < 13 || !self[11].isDigit || self[12].isDigit
  }

  /// Whether a time is the first of a date: no digit of it is another than 0.
  private func isMidnight(of date: Span<UInt8>) -> Bool {
    guard extracting(..<10).equals(date) else { return false }
    for index in 11..<Swift.max(11, count) where self[index].isDigit && self[index] != UInt8(ascii: "0") {
      return false
    }
    return true
  }

  /// Whether two times, written differently, have another order than their texts, which makes a difference to an
  /// operator.
  @inline(never)
  fileprivate func isReversed(
    asTime other: Span<UInt8>, _ symbol: Expression.ComparisonOperator? = nil
  ) -> Bool {
    let (offset, otherOffset) = (extracting(offsetOfTime), other.extracting(other.offsetOfTime))
    if offset.equals(otherOffset), differsToTheSecond(asTime: other) { return false }
    guard let time = CivilDateTime(self), let otherTime = CivilDateTime(other) else { return true }
    let order = time < otherTime ? -1 : otherTime < time ? 1 : 0
    let textOrder = self.order(against: other).signum()
    if order == 0, let symbol { return symbol.holds(0) != symbol.holds(textOrder) }
    return order != textOrder
  }

  /// Whether two times are written to the second or finer, with the same mark, and differ before fractions.
  private func differsToTheSecond(asTime other: Span<UInt8>) -> Bool {
    let length = 19
    guard count >= length, other.count >= length, self[10] == other[10],
      [self[13], self[16], other[13], other[16]].allSatisfy({ $0 == UInt8(ascii: ":") })
    else { return false }
    return !extracting(..<length).equals(other.extracting(..<length))
  }

  /// The range of the offset from UTC at the end: `Z`, `+01`, `+0100`, `+01:00`; empty if there is none.
  fileprivate var offsetOfTime: Range<Int> {
    if (self[count - 1] | 0x20) == UInt8(ascii: "z") { return (count - 1)..<count }
    for length in [3, 5, 6] where count > 10 + length {
      if "+-".utf8.contains(self[count - length]) { return (count - length)..<count }
    }
    return count..<count
  }

  /// Whether the text is a date in another spelling.
  var isOtherDate: Bool {
    guard count >= 6, count <= CellLooks.longest, holdsDigit, !isSpelledAsISODate else { return false }
    return DateSpelling.candidates(for: self).contains { DateSpelling.all[$0].format.read(self) != nil }
  }

  /// Other spellings of a time in ISO 8601, with `T` or a blank, with or without seconds, and the date at midnight.
  var otherTimes: [[UInt8]] {
    guard count == 10 || count > 15, isSpelledAsISODate, CivilDateTime(self) != nil, offsetOfTime.isEmpty
    else { return [] }
    let date = Array(copying: extracting(..<10))
    let time = count == 10 ? Array("00:00".utf8) : Array(copying: extracting(11...))
    let seconds = Array(":00".utf8)
    var times = [time]
    if time.count == 5 { times.append(time + seconds) }
    if time.count == 8, time.suffix(3) == seconds[...] { times.append(Array(time.dropLast(3))) }
    var spellings = times.flatMap { time in [[0x20], [UInt8(ascii: "T")]].map { date + $0 + time } }
    if time.allSatisfy({ !$0.isDigit || $0 == UInt8(ascii: "0") }) { spellings.append(date) }
    return spellings.filter { !equals($0) }
  }

  /// Whether the text is spelled like `2024-03-01`: such dates sort as text in the same order.
  @inline(__always)
  var isSpelledAsISODate: Bool {
    count >= 10 && self[4] == UInt8(ascii: "-") && self[7] == UInt8(ascii: "-")
  }
}
