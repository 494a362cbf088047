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
    var digits: UInt64 = 0
    var power = 0
    var isFraction = false
    var written: Int?
    var isWrittenNegative = false
    for byte in text.utf8 {
      switch (byte, written) {
      case (UInt8(ascii: "e"), _): written = 0
      case (UInt8(ascii: "-"), _): isWrittenNegative = true
      case (UInt8(ascii: "."), _): isFraction = true
      case (UInt8(ascii: "0")...UInt8(ascii: "9"), let exponent?):
        written = exponent * 10 + Int(NumberScan.digit(byte))
      case (UInt8(ascii: "0")...UInt8(ascii: "9"), nil):
        digits = digits &* 10 &+ UInt64(NumberScan.digit(byte))
        if isFraction { power -= 1 }
      default: break
      }
    }
    power += isWrittenNegative ? -(written ?? 0) : written ?? 0
    while digits > 0, digits % 10 == 0 {
      digits /= 10
      power += 1
    }
    isNegative = value < 0
    significand = digits
    exponent = digits == 0 ? 0 : power
  }

  /// The same value as an exact decimal; nil when it does not fit.
  var exact: ExactDecimal? {
    let digits = Int128(significand) * (isNegative ? -1 : 1)
    if exponent <= 0 { return ExactDecimal(significand: digits, scale: 0 - exponent) }
    guard exponent <= 20 else { return nil }
    return ExactDecimal(significand: digits * Int128(ExactDecimal.powerOfTen(exponent)), scale: 0)
  }
}
