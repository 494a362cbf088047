/// Derives the values of sort keys that cannot be compared as cells.
struct KeyDeriver: Sendable {
  /// The evaluation state of the programs of `(expr)` keys, by the slot of the key.
  private(set) var states: [EvaluationState?]

  /// Prepares to derive the keys of an order.
  init(_ order: SortOrder) {
    states = order.keys.map { key in
      if case .program(let program) = key.origin { program.freshState } else { nil }
    }
  }

  /// The batch with the values of `key` for `rows` of `batch`, in its only column; `units` are those of sizes.
  mutating func derive(
    _ key: BoundKey, _ batch: Batch, _ rows: [UInt32], _ units: inout UnitFindings
  ) -> Batch {
    var builder = KeyBuilder(batch, units)
    defer { units = builder.units }
    switch key.origin {
    case .cells(let column):
      for row in rows {
        let cell = batch.cell(row: Int(row), column: column)
        key.derive(cell.kind, batch.content(cell), row: Int(row), into: &builder)
      }
    case .way(let column):
      for row in rows {
        key.derive(batch.value(of: column, row: Int(row)), batch, row: Int(row), into: &builder)
      }
    case .program(let program):
      guard var state = states[key.slot] else { break }
      program.forEachValue(batch, rows: rows.span, state: &state) { value, evaluator in
        key.derive(value, evaluator, into: &builder)
      }
      states[key.slot] = state
    }
    return builder.batch()
  }
}

extension BoundKey {
  /// The number by which a text of the given kind is ordered; `nil` if it is ordered otherwise, or not at all.
  func number(of text: Span<UInt8>, _ kind: Cell.Kind) -> Number? {
    guard kind == .text || kind == .number || comparison == .length else { return nil }
    let marks = kind == .number ? .standard : coder.marks
    switch comparison {
    case .auto:
      if let number = NumberReader.loose(text, marks: marks) { return number }
      return kind == .text ? dateFormat?.readOrISO(text)?.epoch : nil
    case .number: return coder.number(text, marks)
    case .date: return dateFormat.map { $0.readOrISO(text)?.epoch } ?? CivilDateTime(text)?.sortValue
    case .duration: return TablerEngine.Duration(text, isOfKey: true).map { .decimal($0.seconds) }
    case .size: return Size.read(text, marks: marks)
    case .length: return .int(Int64(UTF8Walk.count(text)))
    case .text, .natural, .nocase, .version: return nil
    }
  }

  /// The text by which a text is ordered, if that is another one.
  func derivedText(_ text: Span<UInt8>) -> ByteBlock? {
    var derived = ByteBuffer(capacity: text.count + 8)
    switch comparison {
    case .natural: SequenceText.append(text, as: .natural, to: &derived)
    case .version: SequenceText.append(text, as: .version, to: &derived)
    case .nocase: CaseMapping.appendLowercased(text, to: &derived)
    case .auto, .number, .text, .date, .duration, .size, .length: return nil
    }
    return ByteBlock(taking: &derived)
  }

  /// Derives the value of a text of the given kind.
  fileprivate func derive(
    _ kind: Cell.Kind, _ text: Span<UInt8>, row: Int, into builder: inout KeyBuilder
  ) {
    switch kind {
    case .null, .missing, .empty: return
    case .list, .object: return builder.append(text, row: row, kind: kind)
    case .text, .number, .bool: break
    }
    let marks = kind == .number ? .standard : coder.marks
    switch comparison {
    case .auto:
      // A number is a number, whatever date it may also spell.
      if let dateFormat, kind == .text, coder.ranks?[text] == nil, !NumberReader.isNumber(text, marks: marks),
        let time = dateFormat.readOrISO(text)
      {
        builder.append(time.epoch, row: row)
      } else {
        builder.append(text, row: row, kind: kind)
      }
    case .number, .text: builder.append(text, row: row, kind: kind)
    case .natural:
      SequenceText.append(text, as: .natural, to: &builder.bytes)
      builder.finish(row: row, kind: .text)
    case .version:
      SequenceText.append(text, as: .version, to: &builder.bytes)
      builder.finish(row: row, kind: .text)
    case .nocase:
      CaseMapping.appendLowercased(text, to: &builder.bytes)
      builder.finish(row: row, kind: .text)
    case .length: builder.append(.int(Int64(UTF8Walk.count(text))), row: row)
    case .date, .duration: builder.append(number(of: text, kind), or: text, row: row)
    case .size:
      builder.units.recordUnit(of: text, from: builder.origin, row: row)
      builder.append(number(of: text, kind), or: text, row: row)
    }
  }

  /// Derives the value that a path into a cell leads to.
  fileprivate func derive(
    _ found: NestedValue, _ batch: Batch, row: Int, into builder: inout KeyBuilder
  ) {
    let spelled = batch.content(found.cell).extracting(found.place)
    guard found.kind == .text, found.isEscaped else {
      return derive(found.kind, spelled, row: row, into: &builder)
    }
    var decoded = ByteBuffer(capacity: spelled.count)
    JSONText.decode(spelled, into: &decoded)
    derive(.text, decoded.span, row: row, into: &builder)
  }

  /// Derives a value from the result of an expression.
  @inline(__always)
  fileprivate func derive(_ value: Value, _ evaluator: borrowing Evaluator, into builder: inout KeyBuilder) {
    if case .number(let number) = value, comparison == .auto || comparison == .number {
      builder.append(number, row: evaluator.row)
    } else {
      deriveOther(value, evaluator, into: &builder)
    }
  }

  @inline(__always)
  private func deriveOther(
    _ value: Value, _ evaluator: borrowing Evaluator, into builder: inout KeyBuilder
  ) {
    let kind: Cell.Kind
    switch value {
    case .null: return
    case .number: kind = .number
    case .time(let time) where comparison == .auto || comparison == .number || comparison == .date:
      return builder.append(time.epoch, row: evaluator.row)
    case .duration(let duration)
    where comparison == .auto || comparison == .number || comparison == .duration:
      return builder.append(.decimal(duration.seconds), row: evaluator.row)
    case .time, .duration: kind = .text
    case .bool: kind = .bool
    case .text: kind = .text
    case .list: kind = .list
    case .object: kind = .object
    }
    guard let text = evaluator.text(of: value) else { return }
    derive(kind, text.bytes(in: evaluator.batch), row: evaluator.row, into: &builder)
  }
}

extension KeyBuilder {
  /// Makes `number` the value of a row, or makes `text` a misfit if there is no number.
  fileprivate mutating func append(_ number: Number?, or text: Span<UInt8>, row: Int) {
    if let number { append(number, row: row) } else { append(misfit: text, row: row) }
  }
}

extension CivilDateTime {
  /// The seconds since 1970, with decimals if there are any.
  fileprivate var sortValue: Number {
    if nanosecond == 0 { return .int(secondsSinceEpoch) }
    let value = Int128(secondsSinceEpoch) * 1_000_000_000 + Int128(nanosecond)
    return .decimal(ExactDecimal(unchecked: value, scale: 9))
  }
}

/// Makes a batch of one column: the values of a sort key that are not cells of the input.
///
/// A key's values - members of JSON values, results of an expression, dates as seconds - become cells again,
/// so that all keys are encoded and compared alike. Row N of the batch belongs to row N of the batch it was
/// made from; rows that were not requested are missing.
private struct KeyBuilder: ~Copyable {
  /// The contents; those after the last cell belong to the next one.
  var bytes = ByteBuffer(capacity: 4096)

  /// The units of sizes.
  var units: UnitFindings

  /// The batch that the values are derived from.
  let origin: Batch

  private var start = 0
  private var cells: [Cell]

  /// Begins a column for the records of `batch`.
  init(_ batch: Batch, _ units: UnitFindings) {
    origin = batch
    self.units = units
    cells = [Cell](repeating: .missing, count: batch.rowCount)
  }

  /// Makes the bytes appended since the last cell the value of a row.
  mutating func finish(row: Int, kind: Cell.Kind) {
    guard start <= Int(UInt32.max) else { return bytes.truncate(to: start) }
    if bytes.count - start > Cell.longest { bytes.truncate(to: start + Cell.longest) }
    cells[row] = Cell(offset: start, length: bytes.count - start, kind: kind)
    start = bytes.count
  }

  /// Makes `text` the value of a row.
  mutating func append(_ text: Span<UInt8>, row: Int, kind: Cell.Kind) {
    bytes.append(text)
    finish(row: row, kind: kind)
  }

  /// Makes `number` the value of a row; a double is the decimal that it prints as.
  mutating func append(_ number: Number, row: Int) {
    if case .double(let value) = number, value.isInfinite {
      // No number in an input has a larger exponent.
      bytes.append(value < 0 ? "-1e100000000000000000" : "1e100000000000000000")
    } else {
      NumberWriter.append(number, to: &bytes)
    }
    finish(row: row, kind: .number)
  }

  /// Makes a text that does not convert the value of a row, up to the length that is shown: it is not a
  /// number, whatever it looks like.
  mutating func append(misfit text: Span<UInt8>, row: Int) {
    append(text.extracting(..<min(text.count, KeyColumn.shownMisfit)), row: row, kind: .bool)
  }

  /// The batch; it has the origin of the batch it was made from, but not its lines.
  mutating func batch() -> Batch {
    Batch(
      block: ByteBlock(taking: &bytes), decoded: .empty, escapes: [], cells: cells,
      columnCount: 1, recordStarts: [UInt32](repeating: 0, count: cells.count + 1), origin: origin.origin)
  }
}

/// Texts in which runs of digits count by their value, transformed into bytes that compare correctly.
///
/// A run of digits becomes the digit 0, the number of its digits without leading zeros, and these digits:
/// `a12` is `a` `0` 2 `12`. So it keeps the rank of a digit among other characters, and of two runs the one
/// with more digits is larger.
enum SequenceText {
  /// The kind of text that contains the runs of digits.
  enum Kind: Sendable {
    /// Any text.
    case natural

    /// A version: `1.0-rc1` and `1.0~rc1` come before `1.0`.
    case version
  }

  /// Appends the bytes by which `text` is compared.
  static func append(_ text: Span<UInt8>, as kind: Kind, to buffer: inout ByteBuffer) {
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte.isDigit {
        index = appendRun(text, from: index, to: &buffer)
      } else {
        let isEarly = kind == .version && isPrerelease(text, at: index)
        buffer.append(isEarly ? before : byte)
        index += 1
      }
    }
    if kind == .version { buffer.append(end) }
  }

  /// The byte that represents the mark of a prerelease: below the end.
  private static var before: UInt8 { 1 }

  /// The byte that ends a version.
  private static var end: UInt8 { 2 }

  /// Whether a prerelease begins: at `~`, and at a `-` between a digit and a letter.
  private static func isPrerelease(_ text: Span<UInt8>, at index: Int) -> Bool {
    if text[index] == UInt8(ascii: "~") { return true }
    guard text[index] == UInt8(ascii: "-"), index > 0, index + 1 < text.count else { return false }
    return text[index - 1].isDigit && (text[index + 1] | 0x20) &- UInt8(ascii: "a") < 26
  }

  /// Appends a run of digits and returns the offset after it.
  private static func appendRun(_ text: Span<UInt8>, from start: Int, to buffer: inout ByteBuffer) -> Int {
    var first = start
    while first < text.count, text[first] == UInt8(ascii: "0") { first += 1 }
    var end = first
    while end < text.count, text[end].isDigit { end += 1 }
    buffer.append(UInt8(ascii: "0"))
    var length = end - first
    while length >= 255 {
      buffer.append(255)
      length -= 255
    }
    buffer.append(UInt8(truncatingIfNeeded: length))
    buffer.append(text.extracting(first..<end))
    return end
  }
}
