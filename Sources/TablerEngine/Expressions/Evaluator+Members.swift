/// The way into JSON: members, items and slices.
extension Evaluator {
  /// The value a path, an item or a slice leads to; null where it leads nowhere.
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

  /// The value that a way into JSON leads to.
  func value(of found: NestedValue) -> Value {
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
    case .null, .bool, .number: return .null
    }
  }

  /// The list or object that a text spells; any other value as it is.
  private func container(_ value: Value) -> Value {
    guard case .text(let text) = value, let found = JSONText.find([], in: text.bytes(in: batch)) else {
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

  private static func value(_ found: JSONScanner.Value, in bytes: Span<UInt8>) -> Value {
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
