/// Functions on JSON that is known to be well-formed.
enum JSONText {
  /// Appends the content of a string: the bytes between its quotes with the escapes resolved.
  ///
  /// A surrogate without its other half becomes U+FFFD.
  static func decode(_ text: Span<UInt8>, into out: inout ByteBuffer) {
    var index = 0
    while index < text.count {
      let byte = text[index]
      guard byte == UInt8(ascii: "\\"), index + 1 < text.count else {
        out.append(byte)
        index += 1
        continue
      }
      let mark = text[index + 1]
      index += 2
      switch mark {
      case UInt8(ascii: "b"): out.append(8)
      case UInt8(ascii: "f"): out.append(12)
      case UInt8(ascii: "n"): out.append(10)
      case UInt8(ascii: "r"): out.append(13)
      case UInt8(ascii: "t"): out.append(9)
      case UInt8(ascii: "u"):
        let unit = hexadecimal(text, index)
        index += 4
        if unit & 0xFC00 == 0xD800, index + 1 < text.count, text[index] == UInt8(ascii: "\\"),
          text[index + 1] == UInt8(ascii: "u"), hexadecimal(text, index + 2) & 0xFC00 == 0xDC00
        {
          let low = hexadecimal(text, index + 2)
          index += 6
          out.append(scalar: Unicode.Scalar(0x10000 + ((unit & 0x3FF) << 10 | (low & 0x3FF))) ?? "\u{FFFD}")
        } else {
          out.append(scalar: Unicode.Scalar(unit) ?? "\u{FFFD}")
        }
      default: out.append(mark)
      }
    }
  }

  /// Appends a value without the white space between its tokens.
  ///
  /// - Parameter nullWords: the strings in it that become null.
  static func compact(_ text: Span<UInt8>, nulls nullWords: [[UInt8]] = [], into out: inout ByteBuffer) {
    var index = 0
    while index < text.count {
      let start = index
      if text[start] == UInt8(ascii: "\"") {
        index = stringEnd(text, from: start)
        if !nullWords.isEmpty, !isKey(text, endingAt: index),
          isNullWord(text.extracting(start + 1..<max(index - 1, start + 1)), nullWords)
        {
          out.append("null")
        } else {
          out.append(text.extracting(start..<index))
        }
      } else {
        if !text[start].isJSONSpace { out.append(text[start]) }
        index += 1
      }
    }
  }

  /// Whether a string, given as it is spelled between its quotes, is one of a list of words.
  static func isNullWord(_ spelled: Span<UInt8>, _ words: [[UInt8]]) -> Bool {
    if words.isEmpty { return false }
    guard spelled.contains(UInt8(ascii: "\\")) else {
      for word in words where spelled.equals(word.span) { return true }
      return false
    }
    var decoded = ByteBuffer(capacity: spelled.count)
    decode(spelled, into: &decoded)
    return words.contains(decoded.array())
  }

  /// The end of the string whose opening quote is at `start`.
  private static func stringEnd(_ text: Span<UInt8>, from start: Int) -> Int {
    var index = start + 1
    while index < text.count, text[index] != UInt8(ascii: "\"") {
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, text.count)
  }

  /// Whether a colon follows the string that ends at `end`.
  private static func isKey(_ text: Span<UInt8>, endingAt end: Int) -> Bool {
    var scanner = JSONScanner(at: end)
    scanner.skipSpace(text)
    return scanner.offset < text.count && text[scanner.offset] == UInt8(ascii: ":")
  }

  /// The value that a path leads to, or `nil` if there is none; the last one of a repeated key.
  static func find(_ path: [PathStep], in text: Span<UInt8>) -> JSONScanner.Value? {
    var scanner = JSONScanner(at: 0)
    scanner.skipSpace(text)
    guard var found = try? scanner.value(text) else { return nil }
    for step in path {
      switch (step, found.kind) {
      case (.member(let name), .object):
        guard let next = member(name, of: found, text) else { return nil }
        found = next
      case (.item(let index), .list):
        guard let next = item(index, of: found, text) else { return nil }
        found = next
      default: return nil
      }
    }
    return found
  }

  /// The items of a list, in order; no more than `limit`.
  static func items(
    of list: JSONScanner.Value, _ text: Span<UInt8>, limit: Int = .max
  ) -> [JSONScanner.Value] {
    var items: [JSONScanner.Value] = []
    if limit == 0 { return items }
    forEachItem(of: list, text) { item in
      items.append(item)
      return items.count < limit
    }
    return items
  }

  /// Calls `body` with the items of a list, in order, until it returns `false`.
  static func forEachItem(
    of list: JSONScanner.Value, _ text: Span<UInt8>, _ body: (JSONScanner.Value) -> Bool
  ) {
    var items = JSONItems(ofListAt: list.start..<list.end, text)
    while let item = items.next(text), body(item) {}
  }

  /// The only value that a text spells, perhaps with blanks around it; `nil` if it spells none, or several.
  static func whole(_ text: Span<UInt8>) -> JSONScanner.Value? {
    var scanner = JSONScanner(at: 0)
    scanner.skipSpace(text)
    guard let found = try? scanner.value(text) else { return nil }
    scanner.skipSpace(text)
    return scanner.offset == text.count ? found : nil
  }

  /// The members of the object that a text spells, in the order of their names; the last value of a repeated name.
  static func members(of text: Span<UInt8>) -> [(name: JSONScanner.Value, value: JSONScanner.Value)] {
    guard let object = find([], in: text), object.kind == .object else { return [] }
    var members: [(name: JSONScanner.Value, value: JSONScanner.Value)] = []
    var places: [[UInt8]: Int] = [:]
    var scanner = JSONScanner(at: object.start + 1)
    scanner.skipSpace(text)
    while scanner.offset < object.end - 1 {
      guard let name = try? scanner.key(text), let value = try? scanner.value(text) else { break }
      let spelled = text.extracting(name.start..<name.end)
      var decoded = ByteBuffer(capacity: spelled.count)
      decode(spelled, into: &decoded)
      let key = decoded.array()
      if let place = places[key] {
        members[place].value = value
      } else {
        places[key] = members.count
        members.append((name, value))
      }
      scanner.skipSpace(text)
      scanner.offset += 1
      scanner.skipSpace(text)
    }
    return members
  }

  /// The name of a member.
  static func name(_ key: JSONScanner.Value, _ text: Span<UInt8>) -> String {
    let spelled = text.extracting(key.start..<key.end)
    guard key.isEscaped else { return String(decoding: spelled) }
    var decoded = ByteBuffer(capacity: spelled.count)
    decode(spelled, into: &decoded)
    return decoded.string()
  }

  /// Whether a member has this name.
  static func isNamed(_ name: StaticString, _ key: JSONScanner.Value, _ text: Span<UInt8>) -> Bool {
    if key.isEscaped { return Self.name(key, text) == "\(name)" }
    return text.extracting(key.start..<key.end).equals(name)
  }

  /// The title that an item of a list provides; its number if the item is empty.
  static func title(_ item: JSONScanner.Value, number: Int, _ text: Span<UInt8>) -> String {
    let title = item.kind == .null ? "" : name(item, text).trimmingBlanks
    return title.isEmpty ? String(number) : title
  }

  /// The names of the first members of an object, at most `limit`.
  static func names(_ text: Span<UInt8>, limit: Int) -> [String] {
    var names: [String] = []
    var scanner = JSONScanner(at: 1)
    scanner.skipSpace(text)
    while names.count < limit, let key = try? scanner.key(text), (try? scanner.value(text)) != nil {
      names.append(name(key, text))
      scanner.skipSpace(text)
      scanner.offset += 1
      scanner.skipSpace(text)
    }
    return names
  }

  private static func item(_ index: Int, of list: JSONScanner.Value, _ text: Span<UInt8>) -> JSONScanner
    .Value?
  {
    var left = index
    if index < 0 {
      forEachItem(of: list, text) { _ in
        left += 1
        return true
      }
      if left < 0 { return nil }
    }
    var found: JSONScanner.Value?
    forEachItem(of: list, text) { item in
      if left == 0 { found = item }
      left -= 1
      return found == nil
    }
    return found
  }

  private static func member(
    _ name: String, of object: JSONScanner.Value, _ text: Span<UInt8>
  ) -> JSONScanner.Value? {
    let wanted = Array(name.utf8)
    var found: JSONScanner.Value?
    var scanner = JSONScanner(at: object.start + 1)
    scanner.skipSpace(text)
    while scanner.offset < object.end - 1 {
      guard let key = try? scanner.key(text), let value = try? scanner.value(text) else { break }
      if says(key, wanted, text) { found = value }
      scanner.skipSpace(text)
      scanner.offset += 1
      scanner.skipSpace(text)
    }
    return found
  }

  private static func says(_ key: JSONScanner.Value, _ wanted: [UInt8], _ text: Span<UInt8>) -> Bool {
    let spelled = text.extracting(key.start..<key.end)
    guard key.isEscaped else { return spelled.equals(wanted.span) }
    var decoded = ByteBuffer(capacity: spelled.count)
    decode(spelled, into: &decoded)
    return decoded.span.equals(wanted.span)
  }

  private static func hexadecimal(_ text: Span<UInt8>, _ start: Int) -> UInt32 {
    var value: UInt32 = 0
    for index in start..<min(start + 4, text.count) { value = value << 4 | (text[index].hexDigitValue ?? 0) }
    return value
  }
}
