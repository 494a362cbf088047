/// What is wrong with a piece of JSON.
public enum JSONDamage: Equatable, Sendable {
  /// Something other than a value was found.
  case expectedValue
  /// A record that is no object.
  case expectedObject
  /// The rows of an array are arrays.
  case listOfLists
  /// There is no key in quotes.
  case expectedKey
  /// There is no colon after a key.
  case expectedColon
  /// There is neither a comma nor an end after a member or item.
  case expectedCommaOrEnd
  /// The input ends inside a value.
  case unexpectedEnd
  /// A raw control character in a string.
  case controlCharacter
  /// A backslash with a letter that means nothing.
  case badEscape
  /// Digits, signs or points out of place.
  case badNumber
  /// `NaN`, `Infinity`.
  case notANumber
  /// Deeper than 512 levels.
  case tooDeep
  /// A value of more than 64 MiB.
  case tooLong
  /// A key or item that makes more columns than fit into memory.
  case tooManyKeys
  /// Keys that take more than their share of the memory budget.
  case namesTooLong
  /// The place of the rows has neither an array nor an object of objects.
  case expectedRows
  /// A record that is no list, among lists.
  case expectedList
  /// A list with more or fewer items than the first.
  case ragged(fields: Int, columns: Int)
  /// There is something else after the array that holds the records.
  case textAfterArray
  /// Bytes that are not UTF-8 where JSON does not allow them.
  case badEncoding
}

/// A place where text is not valid JSON.
struct JSONError: Error, Equatable {
  /// The offset of the byte where it shows.
  var offset: Int
  /// What is wrong there.
  var damage: JSONDamage
}

/// A cursor over strict JSON (RFC 8259): it skips values and records their properties, and builds nothing.
///
/// Inside strings any byte from 0x20 on is accepted, so that ill-formed UTF-8 is left for the painters to count.
struct JSONScanner {
  /// What a value is and where it is.
  struct Value: Equatable {
    /// The kind of value.
    var kind: Cell.Kind
    /// The first byte of the value; inside the quotes for a string.
    var start: Int
    /// The byte after the value; the closing quote for a string.
    var end: Int
    /// Whether a string has escapes, or a list or object has white space between its tokens.
    var isEscaped: Bool
    /// Whether all bytes are printable ASCII.
    var isPlain: Bool
  }

  /// How deep values may nest.
  static let deepest = 512

  /// Whether a newline between tokens is damage (one object a line).
  var isLineBound = false

  /// Whether a carriage return between tokens was skipped: it ends a line in messages, but not a record.
  private(set) var hasSkippedReturn = false

  /// The offset of the next byte.
  var offset: Int

  /// Creates a cursor at an offset.
  init(at offset: Int, isLineBound: Bool = false) {
    self.offset = offset
    self.isLineBound = isLineBound
  }

  /// Skips white space.
  @inline(__always)
  mutating func skipSpace(_ text: Span<UInt8>) {
    while offset < text.count, text[offset].isJSONSpace {
      if isLineBound, text[offset] == 10 { return }
      if text[offset] == 13 { hasSkippedReturn = true }
      offset &+= 1
    }
  }

  /// Skips one value.
  mutating func value(_ text: Span<UInt8>, depth: Int = 0) throws(JSONError) -> Value {
    guard offset < text.count else { throw damage(.unexpectedEnd) }
    switch text[offset] {
    case UInt8(ascii: "\""): return try string(text)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return try container(text, depth: depth)
    case UInt8(ascii: "t"): return try word("true", .bool, text)
    case UInt8(ascii: "f"): return try word("false", .bool, text)
    case UInt8(ascii: "n"): return try word("null", .null, text)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(text)
    case UInt8(ascii: "N"), UInt8(ascii: "I"): throw damage(.notANumber)
    default: throw damage(.expectedValue)
    }
  }

  /// Skips a string of printable ASCII without escapes, as most are; `nil` if something else is at the cursor.
  @inline(__always)
  mutating func plainString(_ text: Span<UInt8>) -> Value? {
    guard offset < text.count, text[offset] == UInt8(ascii: "\"") else { return nil }
    let start = offset &+ 1
    let end = text.firstStringMark(from: start)
    guard end < text.count, text[end] == UInt8(ascii: "\"") else { return nil }
    offset = end &+ 1
    return Value(kind: .text, start: start, end: end, isEscaped: false, isPlain: true)
  }

  /// The note on a plain value, and the offset after it.
  ///
  /// Plain values are strings of printable ASCII without escapes, literals, and numbers without an exponent that are
  /// shorter than a vector.
  ///
  /// - Returns: `nil` for anything else, and for a value that may be damaged, too long, or continued in the next block.
  @inline(__always)
  static func plainCell<Vector: ByteVector>(
    _ text: Span<UInt8>, at start: Int, _: Vector.Type = MachineVector.self
  ) -> (cell: Cell, end: Int)? {
    guard start >= 0, start < text.count &- Vector.count else { return nil }
    let first = text[start]
    if first == UInt8(ascii: "\"") {
      let end = text.firstStringMark(from: start &+ 1, Vector.self)
      let length = end &- start &- 1
      guard end < text.count, text[end] == UInt8(ascii: "\""), length <= Cell.longest else { return nil }
      return (Cell(offset: start &+ 1, length: length, facts: Cell.plainTextFacts), end &+ 1)
    }
    if first >= UInt8(ascii: "a") { return plainLiteral(text, at: start) }
    var nonDigits = text.vector(at: start, as: Vector.self).isNotDigit.bits
    let sign = first == UInt8(ascii: "-") ? 1 : 0
    nonDigits &= ~UInt64(truncatingIfNeeded: sign)
    let integerEnd = nonDigits.trailingZeroBitCount
    guard nonDigits != 0, integerEnd > sign else { return nil }
    if integerEnd > sign &+ 1, text[start &+ sign] == UInt8(ascii: "0") { return nil }
    var length = integerEnd
    if text[start &+ integerEnd] == UInt8(ascii: ".") {
      nonDigits &= nonDigits &- 1
      length = nonDigits.trailingZeroBitCount
      guard nonDigits != 0, length > integerEnd &+ 1 else { return nil }
    }
    // An exponent is left to the scanner.
    if text[start &+ length] | 0x20 == UInt8(ascii: "e") { return nil }
    return (Cell(offset: start, length: length, facts: Cell.plainFacts(of: .number)), start &+ length)
  }

  /// The note on `true`, `false` or `null`, and the offset after it; `nil` if none is at `start`, from which there must
  /// be a vector.
  @inline(__always)
  private static func plainLiteral(_ text: Span<UInt8>, at start: Int) -> (cell: Cell, end: Int)? {
    let (kind, length): (Cell.Kind, Int)
    switch text.word(at: start) {
    // The letters of "true", of "fals" and of "null", the first lowest.
    case 0x6575_7274: (kind, length) = (.bool, 4)
    case 0x736C_6166 where text[start &+ 4] == UInt8(ascii: "e"): (kind, length) = (.bool, 5)
    case 0x6C6C_756E: (kind, length) = (.null, 4)
    default: return nil
    }
    return (Cell(offset: start, length: length, facts: Cell.plainFacts(of: kind)), start &+ length)
  }

  /// Skips a string; the cursor is at its opening quote.
  mutating func string(_ text: Span<UInt8>) throws(JSONError) -> Value {
    let start = offset &+ 1
    var index = start
    var isEscaped = false
    var isPlain = true
    while true {
      index = text.firstStringMark(from: index)
      guard index < text.count else { break }
      let byte = text[index]
      if byte == UInt8(ascii: "\"") {
        offset = index &+ 1
        return Value(kind: .text, start: start, end: index, isEscaped: isEscaped, isPlain: isPlain)
      }
      if byte == UInt8(ascii: "\\") {
        isEscaped = true
        index = try escapeEnd(text, index)
        continue
      }
      if byte < 0x20 {
        offset = index
        throw damage(isLineBound && byte == 10 ? .unexpectedEnd : .controlCharacter)
      }
      isPlain = false
      repeat { index &+= 1 } while index < text.count && text[index] >= 0x7F
    }
    offset = text.count
    throw damage(.unexpectedEnd)
  }

  /// Skips a member's name and colon; the cursor is then at its value.
  mutating func key(_ text: Span<UInt8>) throws(JSONError) -> Value {
    guard offset < text.count else { throw damage(.unexpectedEnd) }
    guard text[offset] == UInt8(ascii: "\"") else { throw damage(.expectedKey) }
    let name = try string(text)
    skipSpace(text)
    guard offset < text.count else { throw damage(.unexpectedEnd) }
    guard text[offset] == UInt8(ascii: ":") else { throw damage(.expectedColon) }
    offset &+= 1
    skipSpace(text)
    return name
  }

  /// Whether `text` is exactly one object.
  static func isWholeObject(_ text: Span<UInt8>) -> Bool {
    var scanner = JSONScanner(at: 0)
    guard let value = try? scanner.value(text), value.kind == .object else { return false }
    scanner.skipSpace(text)
    return scanner.offset == text.count
  }
}

extension JSONScanner {
  private func damage(_ damage: JSONDamage) -> JSONError { JSONError(offset: offset, damage: damage) }

  private mutating func container(_ text: Span<UInt8>, depth: Int) throws(JSONError) -> Value {
    guard depth < Self.deepest else { throw damage(.tooDeep) }
    let start = offset
    let isObject = text[offset] == UInt8(ascii: "{")
    let close = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    var result = Value(
      kind: isObject ? .object : .list, start: start, end: start, isEscaped: false, isPlain: true)
    offset &+= 1
    try space(text, &result)
    if offset < text.count, text[offset] == close {
      offset &+= 1
      result.end = offset
      return result
    }
    while true {
      if isObject {
        guard offset < text.count else { throw damage(.unexpectedEnd) }
        guard text[offset] == UInt8(ascii: "\"") else { throw damage(.expectedKey) }
        let name = try string(text)
        if !name.isPlain { result.isPlain = false }
        try space(text, &result)
        guard offset < text.count else { throw damage(.unexpectedEnd) }
        guard text[offset] == UInt8(ascii: ":") else { throw damage(.expectedColon) }
        offset &+= 1
        try space(text, &result)
      }
      let item = try value(text, depth: depth + 1)
      if !item.isPlain { result.isPlain = false }
      if item.isEscaped, item.kind != .text { result.isEscaped = true }
      try space(text, &result)
      guard offset < text.count else { throw damage(.unexpectedEnd) }
      if text[offset] == close {
        offset &+= 1
        result.end = offset
        return result
      }
      guard text[offset] == UInt8(ascii: ",") else { throw damage(.expectedCommaOrEnd) }
      offset &+= 1
      try space(text, &result)
    }
  }

  /// Skips white space between tokens and records that there was some.
  private mutating func space(_ text: Span<UInt8>, _ value: inout Value) throws(JSONError) {
    let before = offset
    skipSpace(text)
    if offset != before { value.isEscaped = true }
    if isLineBound, offset < text.count, text[offset] == 10 { throw damage(.unexpectedEnd) }
  }

  private mutating func word(_ word: StaticString, _ kind: Cell.Kind, _ text: Span<UInt8>) throws(JSONError)
    -> Value
  {
    let start = offset
    let length = word.utf8CodeUnitCount
    for index in 0..<length {
      guard start + index < text.count else {
        offset = text.count
        throw damage(.unexpectedEnd)
      }
      guard text[start + index] == word.byte(at: index) else { throw damage(.expectedValue) }
    }
    offset = start + length
    return Value(kind: kind, start: start, end: offset, isEscaped: false, isPlain: true)
  }

  private mutating func number(_ text: Span<UInt8>) throws(JSONError) -> Value {
    let start = offset
    if text[offset] == UInt8(ascii: "-") { offset &+= 1 }
    let leading = offset
    try digits(text)
    if text[leading] == UInt8(ascii: "0"), offset > leading &+ 1 {
      offset = leading &+ 1
      throw damage(.badNumber)
    }
    if offset < text.count, text[offset] == UInt8(ascii: ".") {
      offset &+= 1
      try digits(text)
    }
    if offset < text.count, text[offset] | 0x20 == UInt8(ascii: "e") {
      offset &+= 1
      if offset < text.count, text[offset] == UInt8(ascii: "+") || text[offset] == UInt8(ascii: "-") {
        offset &+= 1
      }
      try digits(text)
    }
    return Value(kind: .number, start: start, end: offset, isEscaped: false, isPlain: true)
  }

  @inline(__always)
  private mutating func digits(_ text: Span<UInt8>) throws(JSONError) {
    let start = offset
    var end = start
    while end < text.count, text[end] &- UInt8(ascii: "0") < 10 { end &+= 1 }
    offset = end
    guard end > start else { throw damage(end < text.count ? .badNumber : .unexpectedEnd) }
  }

  /// The byte after the escape at `index`.
  mutating func escapeEnd(_ text: Span<UInt8>, _ index: Int) throws(JSONError) -> Int {
    offset = index
    guard index &+ 1 < text.count else { throw JSONError(offset: text.count, damage: .unexpectedEnd) }
    switch text[index &+ 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return index &+ 2
    case UInt8(ascii: "u"):
      for place in (index &+ 2)..<(index &+ 6) {
        guard place < text.count else { throw JSONError(offset: text.count, damage: .unexpectedEnd) }
        guard text[place].hexDigitValue != nil else { throw damage(.badEscape) }
      }
      return index &+ 6
    default:
      throw damage(.badEscape)
    }
  }
}

extension UInt8 {
  /// Whether the byte is white space in JSON.
  @inline(__always)
  var isJSONSpace: Bool { self == 32 || self == 9 || self == 10 || self == 13 }

  /// The value of a hexadecimal digit.
  var hexDigitValue: UInt32? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self) - 48
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self) - 87
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self) - 55
    default: nil
    }
  }
}
