/// A cursor over the members of an object that is known to be well-formed.
struct JSONMembers {
  private var scanner: JSONScanner
  private let end: Int

  /// Begins at the first member of an object.
  init(of object: JSONScanner.Value, _ text: Span<UInt8>) {
    scanner = JSONScanner(at: object.start + 1)
    scanner.skipSpace(text)
    end = object.end
  }

  /// Begins at the first member of an object; the text is that object and nothing else, without blanks around it.
  init(ofWholeText text: Span<UInt8>) {
    scanner = JSONScanner(at: 1)
    scanner.skipSpace(text)
    end = text.count
  }

  /// The next member; `nil` after the last.
  mutating func next(_ text: Span<UInt8>) -> (name: JSONScanner.Value, value: JSONScanner.Value)? {
    guard scanner.offset < end - 1, let name = try? scanner.key(text), let value = try? scanner.value(text)
    else { return nil }
    scanner.skipSpace(text)
    scanner.offset += 1
    scanner.skipSpace(text)
    return (name, value)
  }
}

extension ByteBuffer {
  /// Appends the text that a value of JSON has as a cell: nothing for null, lists and objects without white space.
  mutating func append(textOf value: JSONScanner.Value, _ text: Span<UInt8>) {
    let spelled = text.extracting(value.start..<value.end)
    switch value.kind {
    case .null, .missing, .empty: break
    case .text where value.isEscaped: JSONText.decode(spelled, into: &self)
    case .list where value.isEscaped, .object where value.isEscaped: JSONText.compact(spelled, into: &self)
    case .text, .number, .bool, .list, .object: append(spelled)
    }
  }
}

/// A cursor over the elements of a list that is known to be well-formed.
struct JSONItems {
  private var scanner: JSONScanner
  private let end: Int

  /// Begins at the first element of the list in a range of a text.
  init(ofListAt range: Range<Int>, _ text: Span<UInt8>) {
    scanner = JSONScanner(at: range.lowerBound + 1)
    scanner.skipSpace(text)
    end = range.upperBound - 1
  }

  /// Whether no elements are left.
  var isAtEnd: Bool { scanner.offset >= end }

  /// The next element; `nil` after the last.
  mutating func next(_ text: Span<UInt8>) -> JSONScanner.Value? {
    guard scanner.offset < end, let item = try? scanner.value(text) else { return nil }
    scanner.skipSpace(text)
    scanner.offset += 1
    scanner.skipSpace(text)
    return item
  }
}
