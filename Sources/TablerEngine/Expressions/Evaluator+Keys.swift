/// Keys that are the same where `=` finds the values equal: what `distinct()` and `unique()` tell apart.
extension Evaluator {
  /// Appends a value as a part of a key.
  ///
  /// - Returns: `false`, and nothing appended, where the value is null.
  mutating func append(keyOf node: Node, to key: inout ByteBuffer) -> Bool {
    let value = value(node)
    if let number = number(of: value) {
      key.append(keyOf: number)
      return true
    }
    guard let text = text(of: value) else { return false }
    let bytes = text.bytes(in: batch)
    key.append(KeyKind.text.rawValue)
    key.append(fixed: UInt64(truncatingIfNeeded: bytes.count))
    key.append(bytes)
    return true
  }
}

/// What a part of a key begins with.
private enum KeyKind: UInt8 {
  case text, noNumber, number, longNumber
}

extension ByteBuffer {
  /// Appends a number: of equal numbers the same bytes, whatever they are made of.
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
    append(fixed: UInt64(bitPattern: Int64(string.wholeCount)))
    append(fixed: UInt64(truncatingIfNeeded: string.digits.count))
    append(string.digits.span)
  }

  /// Appends a number of few digits, without zeros at their end.
  private mutating func append(_ digits: Int64, scale: Int) {
    append(KeyKind.number.rawValue)
    append(fixed: UInt64(bitPattern: digits))
    append(fixed: UInt64(bitPattern: Int64(scale)))
  }

  /// Appends all eight bytes of a number.
  fileprivate mutating func append(fixed number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: number &>> shift))
    }
  }
}
