/// Finds the rows at which sections begin: where the value of an expression changes.
///
/// A computed null continues the current section. A null or empty cell is a value like any other. Values are
/// compared as `=` compares them, so that numbers that sort alike are in one section.
struct SectionBreaks: Sendable {
  /// A row at which a section begins.
  struct Start {
    /// Its position among the rows that were passed in.
    var place: Int
    /// The value of the section.
    var value: Value
  }

  /// The expression whose values separate sections.
  let value: Program

  /// The evaluation state of the expression.
  private(set) var state: EvaluationState

  /// The number of sections whose value returned after another section, and the first such value.
  private var returned = Tally<[UInt8]>()

  /// Whether the value is a cell, and not computed.
  private let isColumn: Bool

  /// The column whose cells are the value directly: if two have the same bytes, the section continues.
  private let cellColumn: Int?

  /// The value that represents the null of a column.
  private let missing: Value

  /// The value of the open section, once there is one.
  private var current: Value?

  /// The length and hash of that value, if it is too long to be held.
  private var length: LongText?

  /// The number of sections whose value is too long to be held whole.
  private(set) var cutCount = 0

  /// A long text, of which only the beginning is stored.
  private struct LongText: Equatable {
    var count: Int
    var hash: Int
  }

  /// The maximum number of bytes in a value that are held: more than are drawn.
  private static let mostHeld = DrawnText.longestTitle + 4

  /// The values so far, hashed.
  private var known: Set<Int> = []

  /// The number of values that are remembered, to recognize those that return.
  private static let mostKnown = 1 << 16

  /// The maximum number of bytes in a value that a message shows.
  private static let mostShown = 200

  /// Prepares to divide rows.
  ///
  /// - Parameter missing: the name of the section of rows whose column is null or empty.
  init(_ value: Program, missing: String) {
    self.value = value
    self.missing = .text(missing)
    state = value.freshState
    isColumn =
      switch value.node {
      case .cell, .typed, .way, .path: true
      default: false
      }
    cellColumn = if case .cell(let column, _) = value.node { column } else { nil }
  }

  /// The notice about values that returned after another section, if some did.
  ///
  /// - Parameter source: the expression, as it was typed.
  func notice(_ source: SourceExpression) -> Notice? {
    returned.first.map { first in
      .sectionsCameBack(
        count: returned.count, first: first, key: source.text,
        isExpression: !isColumn || source.text.utf8.first == UInt8(ascii: "$"))
    }
  }

  /// Finds the rows at which sections begin, among the next rows.
  mutating func findStarts(in rows: Rows, _ range: Range<Int>) -> [Start] {
    var starts: [Start] = []
    var first = range.lowerBound
    var state = state
    defer { self.state = state }
    rows.forEachRun(of: range) { batch, numbers in
      let places = cellColumn.map { batch.changes(ofColumn: $0, in: numbers) }
      let changed = places.map { places in places.map { numbers[$0] } } ?? numbers
      var index = 0
      value.forEachValue(batch, rows: changed.span, state: &state) { (value, evaluator) in
        if let begun = begin(value, evaluator) {
          starts.append(Start(place: first + (places?[index] ?? index), value: begun))
        }
        index += 1
      }
      first += numbers.count
    }
    return starts
  }

  /// The value of the section that begins at a row; `nil` if none does.
  private mutating func begin(_ found: Value, _ evaluator: borrowing Evaluator) -> Value? {
    let isNull = isColumn ? evaluator.isEmpty(found) : found.isNull
    if let current {
      if isNull, !isColumn || current.isNull { return nil }
      if !isNull, !current.isNull, isSame(found, current, evaluator) { return nil }
    }
    var value = isNull ? .null : found
    countReturn(of: value, evaluator)
    length = longText(value, evaluator)
    if length != nil { cutCount += 1 }
    value = evaluator.held(value, atMost: Self.mostHeld)
    current = value
    return isNull && isColumn ? missing : evaluator.drawn(found) ?? value
  }

  /// Whether a value is that of the open section.
  private func isSame(_ found: Value, _ current: Value, _ evaluator: borrowing Evaluator) -> Bool {
    let long = longText(found, evaluator)
    return long == nil && length == nil
      ? evaluator.compare(found, current, by: .cells) == 0 : long == length
  }

  /// The length and hash of a value that is too long to be held.
  private func longText(_ value: Value, _ evaluator: borrowing Evaluator) -> LongText? {
    guard let count = evaluator.textLength(value), count > Self.mostHeld else { return nil }
    return LongText(count: count, hash: evaluator.hash(of: value))
  }

  /// Counts a value that returned.
  private mutating func countReturn(of value: Value, _ evaluator: borrowing Evaluator) {
    let key = evaluator.hash(of: value)
    guard known.contains(key) else {
      if known.count < Self.mostKnown { known.insert(key) }
      return
    }
    if returned.first != nil { return returned.recordWithoutPlace() }
    var text = ByteBuffer()
    evaluator.append(value.isNull ? missing : value, atMost: Self.mostShown, to: &text)
    returned.record(inRow: 0, text.array())
  }
}

extension Batch {
  /// The positions in some rows, including the first, at which a cell may differ from that of the previous row.
  fileprivate func changes(ofColumn column: Int, in rows: [UInt32]) -> [Int] {
    var changes: [Int] = []
    var last = Cell.missing
    for index in rows.indices {
      let cell = cell(row: Int(rows[index]), column: column)
      if index == 0 || !hasSameSpelling(cell, last) { changes.append(index) }
      last = cell
    }
    return changes
  }

  /// Whether two cells are of one kind and have the same bytes in the block.
  @inline(__always)
  private func hasSameSpelling(_ cell: Cell, _ other: Cell) -> Bool {
    cell.length == other.length && cell.kind == other.kind && cell.isQuoted == other.isQuoted
      && cell.isInBlock && other.isInBlock
      && block.hasSameBytes(at: cell.offset, other.offset, count: cell.length)
  }
}

extension Evaluator {
  /// A hash that is the same for equal values.
  fileprivate func hash(of value: Value) -> Int {
    var hasher = Hasher()
    hasher.combine(value.isNull)
    if textLength(value) ?? 0 < Self.longestNumber, let number = number(of: value) {
      hasher.combine(number.doubleValue)
    } else if let text = text(of: value) {
      let bytes = text.bytes(in: batch)
      for index in bytes.indices { hasher.combine(bytes[index]) }
    }
    return hasher.finalize()
  }

  /// The length from which on a text is not read as a number.
  private static var longestNumber: Int { 1 << 10 }

  /// The length of a value that is a text; `nil` for any other.
  fileprivate func textLength(_ value: Value) -> Int? {
    switch value {
    case .text(let text), .list(let text), .object(let text): text.bytes(in: batch).count
    case .null, .bool, .number, .time, .duration: nil
    }
  }

  /// A value that does not need a batch; of a long text only the beginning.
  fileprivate func held(_ value: Value, atMost limit: Int) -> Value {
    guard let count = textLength(value), count > limit else { return value.held(from: batch) }
    var text = ByteBuffer()
    append(value, atMost: limit, to: &text)
    return .text(text.array())
  }

  /// Appends a value as a message shows it, or the beginning of a long one; characters are not cut.
  fileprivate func append(_ value: Value, atMost limit: Int, to text: inout ByteBuffer) {
    guard let found = self.text(of: value) else { return }
    let bytes = found.bytes(in: batch)
    var end = Swift.min(bytes.count, limit)
    while end < bytes.count, end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    text.append(bytes.extracting(..<end))
  }
}
