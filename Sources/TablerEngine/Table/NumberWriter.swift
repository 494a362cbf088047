/// Writes numbers as the text that reads back the same.
///
/// Exact numbers keep their digits and decimals. Doubles take the fewest digits that read back:
/// `3`, `0.1`, `1234.5`, and with an exponent from 1e16 on and below 0.0001 (`1e16`, `2.5e-7`), which is a
/// number in JSON too. What is none is written `NaN`, `inf` and `-inf`.
enum NumberWriter {
  /// Appends `number`.
  static func append(_ number: Number, marks: NumberMarks = .standard, to buffer: inout ByteBuffer) {
    switch number {
    case .int(let value): buffer.append(decimal: Int(value))
    case .decimal(let value): append(value, marks: marks, to: &buffer)
    case .long(let value, _): append(value, marks: marks, to: &buffer)
    case .double(let value): append(value, marks: marks, to: &buffer)
    }
  }

  /// Appends `decimal` with all its decimals.
  static func append(_ decimal: ExactDecimal, marks: NumberMarks = .standard, to buffer: inout ByteBuffer) {
    if decimal.significand < 0 { buffer.append(UInt8(ascii: "-")) }
    append(decimal.significand.magnitude, scale: decimal.scale, marks, to: &buffer)
  }

  /// Appends all digits of `value`, with an exponent where many zeros would stand around them.
  static func append(_ value: DigitString, marks: NumberMarks = .standard, to buffer: inout ByteBuffer) {
    if value.isNegative { buffer.append(UInt8(ascii: "-")) }
    let count = value.digits.count
    let isPlain = value.wholeCount > -5 && value.wholeCount <= count + ExactDecimal.digitLimit
    let point = isPlain ? value.wholeCount : 1
    if point <= 0 { buffer.append(UInt8(ascii: "0")) }
    if point <= 0 { buffer.append(marks.decimal) }
    buffer.append(repeating: UInt8(ascii: "0"), count: max(-point, 0))
    for (place, digit) in value.digits.enumerated() {
      if place == point, place > 0 { buffer.append(marks.decimal) }
      buffer.append(UInt8(ascii: "0") + digit)
    }
    buffer.append(repeating: UInt8(ascii: "0"), count: max(point - count, 0))
    guard !isPlain else { return }
    buffer.append(UInt8(ascii: "e"))
    buffer.append(decimal: value.wholeCount - 1)
  }

  /// Appends `value` with the fewest digits that read back.
  static func append(_ value: Double, marks: NumberMarks = .standard, to buffer: inout ByteBuffer) {
    guard let digits = ShortestDigits(value) else {
      buffer.append(value.isNaN ? "NaN" : value < 0 ? "-inf" : "inf")
      return
    }
    if digits.isNegative { buffer.append(UInt8(ascii: "-")) }
    let count = digitCount(digits.significand)
    let power = digits.exponent + count - 1
    switch power {
    case 16... where digits.significand != 0, ..<(-4):
      append(UInt128(digits.significand), scale: count - 1, marks, to: &buffer)
      buffer.append(UInt8(ascii: "e"))
      buffer.append(decimal: power)
    case _ where digits.exponent >= 0:
      buffer.append(decimal: Int(truncatingIfNeeded: digits.significand))
      buffer.append(repeating: UInt8(ascii: "0"), count: digits.exponent)
    default:
      append(UInt128(digits.significand), scale: -digits.exponent, marks, to: &buffer)
    }
  }

  /// The number of digits of `value`; 1 for zero.
  static func digitCount(_ value: UInt64) -> Int {
    var count = 1
    var rest = value
    while rest >= 10 {
      rest /= 10
      count += 1
    }
    return count
  }
}

extension NumberWriter {
  /// Appends `significand / 10^scale`.
  private static func append(
    _ significand: UInt128, scale: Int, _ marks: NumberMarks, to buffer: inout ByteBuffer
  ) {
    let unit = ExactDecimal.powerOfTen(scale)
    let (whole, fraction) = scale == 0 ? (significand, 0) : significand.quotientAndRemainder(dividingBy: unit)
    append(digits: whole, paddedTo: 1, to: &buffer)
    guard scale > 0 else { return }
    buffer.append(marks.decimal)
    append(digits: fraction, paddedTo: scale, to: &buffer)
  }

  /// Appends the digits of `value`, with zeros in front to `count` digits; nothing for zero and no digits.
  static func append(digits value: UInt128, paddedTo count: Int, to buffer: inout ByteBuffer) {
    let block: UInt128 = 1_000_000_000_000_000_000
    if value >= block || count > 18 {
      let (high, low) = value.quotientAndRemainder(dividingBy: block)
      append(digits: high, paddedTo: max(count - 18, 0), to: &buffer)
      append(digits: low, paddedTo: 18, to: &buffer)
      return
    }
    if value == 0, count == 0 { return }
    let low = UInt64(truncatingIfNeeded: value)
    buffer.append(repeating: UInt8(ascii: "0"), count: count - digitCount(low))
    buffer.append(decimal: Int(truncatingIfNeeded: low))
  }
}

/// The fewest digits that read back as the same double: `significand × 10^exponent`.
struct ShortestDigits {
  /// Whether a minus stands in front; the digits are those of the magnitude.
  let isNegative: Bool
  /// Up to 17 digits, the last of them not 0 unless it is the only one.
  let significand: UInt64
  /// The power of ten.
  let exponent: Int

  /// Finds the digits of `value`; nil for an infinity or NaN.
  init?(_ value: Double) {
    guard value.isFinite else { return nil }
    let text = value.magnitude.description
    let bytes = text.utf8.span
    var index = 0
    var digits: UInt64 = 0
    var power = 0
    var isFraction = false
    while index < bytes.count, bytes[index] != UInt8(ascii: "e") {
      let digit = NumberScan.digit(bytes[index])
      if digit <= 9 {
        digits = digits &* 10 &+ UInt64(digit)
        if isFraction { power &-= 1 }
      } else {
        isFraction = true
      }
      index &+= 1
    }
    if index < bytes.count { power += Self.exponent(bytes, after: index) }
    while digits > 0, digits % 10 == 0 {
      digits /= 10
      power += 1
    }
    isNegative = value < 0
    significand = digits
    exponent = digits == 0 ? 0 : power
  }

  private static func exponent(_ bytes: Span<UInt8>, after mark: Int) -> Int {
    var value = 0
    for index in mark + 1..<bytes.count {
      let digit = NumberScan.digit(bytes[index])
      if digit <= 9 { value = value * 10 + Int(digit) }
    }
    return bytes[mark + 1] == UInt8(ascii: "-") ? -value : value
  }

  /// The same value as an exact decimal; nil when it does not fit.
  var exact: ExactDecimal? {
    let digits = Int128(significand) * (isNegative ? -1 : 1)
    if exponent <= 0 { return ExactDecimal(significand: digits, scale: 0 - exponent) }
    guard exponent <= 20 else { return nil }
    return ExactDecimal(significand: digits * Int128(ExactDecimal.powerOfTen(exponent)), scale: 0)
  }
}
