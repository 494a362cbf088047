/// Which texts are numbers in a key.
enum KeyNumbers {
  /// None: `1.0` is not `1`, as for groups. `distinct()` and `unique()` count and keep such texts.
  case none
  /// Those that are numbers by themselves: `1.0` is `1`, but `01` is not.
  case typed
  /// Those that `=` reads as numbers.
  case all
}

/// Keys of values that are to be found equal. A value that is a text because of a type or a function is one, whatever it
/// looks like.
extension Evaluator {
  /// Appends a value as a part of a key.
  ///
  /// - Returns: `false`, with nothing appended, if the value is null.
  mutating func append(keyOf node: Node, numbers: KeyNumbers, to key: inout ByteBuffer) -> Bool {
    let value = value(node)
    if !isMadeText(value, of: node), let number = number(of: value, numbers) {
      key.append(keyOf: number)
      return true
    }
    guard let text = text(of: value) else { return false }
    let bytes = text.bytes(in: batch)
    key.append(KeyKind.text.rawValue)
    key.append(number: bytes.count)
    key.append(bytes)
    return true
  }

  /// The number that a value is in a key; by themselves, `0E1` and `0E2` are codes.
  private mutating func number(of value: Value, _ numbers: KeyNumbers) -> Number? {
    guard case .text(let text) = value, numbers != .all else { return value.number(in: batch, context.marks) }
    if numbers == .none { return nil }
    let content = text.bytes(in: batch)
    let isZero = content.count > 2 && content[0] == UInt8(ascii: "0")
    if isZero, content[1] | 0x20 == UInt8(ascii: "e") { return nil }
    return NumberReader.typed(content, marks: context.marks)
  }

  /// Whether a value is a text because of a type or a function.
  private mutating func isMadeText(_ value: Value, of node: Node) -> Bool {
    guard case .text(let text) = value, text.isString else { return false }
    switch node {
    case .typed, .call: return true
    default: return false
    }
  }
}

/// The first byte of a part of a key.
private enum KeyKind: UInt8 {
  case text, noNumber, number, longNumber
}

extension ByteBuffer {
  /// Appends a number: equal numbers give the same bytes, whatever their representation.
  fileprivate mutating func append(keyOf number: Number) {
    if let exact = number.exact, var digits = Int64(exactly: exact.significand) {
      var scale = exact.scale
      while digits != 0, digits % 10 == 0 {
        digits /= 10
        scale -= 1
      }
      return append(digits, scale: digits == 0 ? 0 : scale)
    }
    if number.isNaN { return append(KeyKind.noNumber.rawValue) }
    let string = DigitString(number)
    var digits: Int64? = 0
    for digit in string.digits {
      guard let known = digits else { break }
      let (tens, isLong) = known.multipliedReportingOverflow(by: 10)
      let (sum, isLonger) = tens.subtractingReportingOverflow(Int64(digit))
      digits = isLong || isLonger ? nil : sum
    }
    if let digits, string.isNegative || digits != .min {
      return append(string.isNegative ? digits : -digits, scale: string.digits.count - string.wholeCount)
    }
    append(KeyKind.longNumber.rawValue)
    append(string.isNegative ? 1 : 0)
    append(number: string.wholeCount)
    append(number: string.digits.count)
    append(string.digits.span)
  }

  /// Appends a number of few digits, without its trailing zeros.
  private mutating func append(_ digits: Int64, scale: Int) {
    append(KeyKind.number.rawValue)
    append(number: Int(digits))
    append(number: scale)
  }

  /// Appends a whole number in as few bytes as it needs: seven bits in each, the lowest first, and a bit that
  /// tells whether others follow; the sign is the lowest bit of all.
  fileprivate mutating func append(number: Int) {
    var rest = UInt(bitPattern: number &<< 1 ^ number &>> (Int.bitWidth - 1))
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest &>>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}
