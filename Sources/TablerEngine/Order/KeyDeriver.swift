/// Derives the values of sort keys that cannot be compared as the cells stand.
struct KeyDeriver: Sendable {
  /// What the programs of `(expr)` keys left behind, by the slot of the key.
  private(set) var states: [EvaluationState?]

  /// Prepares to derive the keys of an order.
  init(_ order: SortOrder) {
    states = order.keys.map { key in
      if case .program(let program) = key.origin { program.freshState } else { nil }
    }
  }

  /// The batch that holds the values of `key` for `rows` of `batch`, in its only column.
  mutating func derive(_ key: BoundKey, _ batch: Batch, _ rows: [UInt32]) -> Batch {
    var builder = KeyBuilder(rowCount: batch.rowCount)
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
    return builder.batch(of: batch)
  }
}

extension BoundKey {
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
    case .auto, .number, .text: builder.append(text, row: row, kind: kind)
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
    case .date: builder.append(CivilDateTime(text)?.sortValue, or: text, row: row)
    case .duration:
      builder.append(TablerEngine.Duration(text).map { .decimal($0.seconds) }, or: text, row: row)
    case .size: builder.append(Size.read(text, marks: marks), or: text, row: row)
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

  /// Derives the value of what an expression yields.
  fileprivate func derive(_ value: Value, _ evaluator: borrowing Evaluator, into builder: inout KeyBuilder) {
    let kind: Cell.Kind
    switch value {
    case .null: return
    case .number(let number) where comparison == .auto || comparison == .number:
      return builder.append(number, row: evaluator.row)
    case .number: kind = .number
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
  /// Makes `number` the value of a row, or `text` a misfit where there is none.
  fileprivate mutating func append(_ number: Number?, or text: Span<UInt8>, row: Int) {
    if let number { append(number, row: row) } else { append(misfit: text, row: row) }
  }
}

extension CivilDateTime {
  /// The seconds since 1970, with decimals where there are some.
  fileprivate var sortValue: Number {
    if nanosecond == 0 { return .int(secondsSinceEpoch) }
    let value = Int128(secondsSinceEpoch) * 1_000_000_000 + Int128(nanosecond)
    return .decimal(ExactDecimal(unchecked: value, scale: 9))
  }
}
