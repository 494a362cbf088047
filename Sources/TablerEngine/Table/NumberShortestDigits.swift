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
