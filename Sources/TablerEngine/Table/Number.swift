/// A number as cells and expressions know it: exact where the text was exact, else a double.
///
/// Exact numbers, long ones among them, compare with one another by value and with a double by the double's
/// exact value; NaN comes after all numbers and equals itself, so that the order is total.
enum Number: Sendable {
  /// A whole number of 64 bits.
  case int(Int64)
  /// A number with decimals, or a whole one beyond 64 bits.
  case decimal(ExactDecimal)
  /// A number with more digits than a decimal holds: it compares digit by digit and calculates as a double.
  indirect case long(DigitString, nearest: Double)
  /// An IEEE double.
  case double(Double)
}

extension Number {
  /// The nearest double.
  var doubleValue: Double {
    switch self {
    case .int(let value): Double(value)
    case .decimal(let value): value.doubleValue
    case .long(_, let nearest): nearest
    case .double(let value): value
    }
  }

  /// The value to calculate with exactly; nil for a double, and for a number too long.
  var exact: ExactDecimal? {
    switch self {
    case .int(let value): ExactDecimal(value)
    case .decimal(let value): value
    case .long, .double: nil
    }
  }

  /// The value as a 64-bit integer; nil when it is not whole or too large.
  var integer: Int64? {
    switch self {
    case .int(let value): value
    case .decimal(let value): value.integer
    case .long: nil
    case .double(let value): Int64(exactly: value)
    }
  }

  /// Whether this is the double that is no number.
  var isNaN: Bool {
    if case .double(let value) = self { value.isNaN } else { false }
  }

  /// Whether the value is below zero.
  var isNegative: Bool {
    switch self {
    case .int(let value): value < 0
    case .decimal(let value): value.significand < 0
    case .long(let digits, _): digits.isNegative
    case .double(let value): value < 0
    }
  }

  /// Whether the value is zero.
  var isZero: Bool {
    switch self {
    case .int(let value): value == 0
    case .decimal(let value): value.significand == 0
    case .long: false
    case .double(let value): value == 0
    }
  }

  /// A whole number, as an int if 64 bits hold it, else as it is.
  init(_ decimal: ExactDecimal) {
    if decimal.scale == 0, let integer = Int64(exactly: decimal.significand) {
      self = .int(integer)
    } else {
      self = .decimal(decimal)
    }
  }
}

extension Number: Comparable, Hashable {
  /// Whether the value on the left is smaller; a NaN is larger than everything else.
  static func < (left: Self, right: Self) -> Bool { compare(left, right) < 0 }

  /// Whether both have the same value, whatever their kinds.
  static func == (left: Self, right: Self) -> Bool { compare(left, right) == 0 }

  /// -1, 0 or 1, as `left` is below, equal to or above `right`.
  static func compare(_ left: Self, _ right: Self) -> Int {
    switch (left, right) {
    case (.int(let left), .int(let right)):
      return left < right ? -1 : left > right ? 1 : 0
    case (.double(let left), .double(let right)):
      if left.isNaN || right.isNaN { return (left.isNaN ? 1 : 0) - (right.isNaN ? 1 : 0) }
      return left < right ? -1 : left > right ? 1 : 0
    case (.long, _), (_, .long):
      if left.isNaN || right.isNaN { return (left.isNaN ? 1 : 0) - (right.isNaN ? 1 : 0) }
      return DigitString.compare(DigitString(left), DigitString(right))
    case (.double(let left), _):
      return -ExactDecimal.compare(right.exact ?? ExactDecimal(0), with: left)
    case (_, .double(let right)):
      return ExactDecimal.compare(left.exact ?? ExactDecimal(0), with: right)
    default:
      return ExactDecimal.compare(left.exact ?? ExactDecimal(0), right.exact ?? ExactDecimal(0))
    }
  }

  /// Feeds the nearest double: equal numbers have the same one.
  func hash(into hasher: inout Hasher) {
    let value = doubleValue
    hasher.combine(value.isNaN ? Double.nan.bitPattern : (value == 0 ? 0 : value.bitPattern))
  }
}

extension ExactDecimal {
  /// -1, 0 or 1, as `left` is below, equal to or above the exact value of `right`; -1 against a NaN.
  static func compare(_ left: Self, with right: Double) -> Int {
    if right.isNaN { return -1 }
    let sign = left.significand.signum()
    let otherSign: Int128 = right > 0 ? 1 : right < 0 ? -1 : 0
    guard sign == otherSign else { return sign < otherSign ? -1 : 1 }
    return sign < 0
      ? -compareMagnitudes(left, -right) : sign == 0 ? 0 : compareMagnitudes(left, right)
  }

  private static func compareMagnitudes(_ left: Self, _ right: Double) -> Int {
    guard right < 1e38 else { return -1 }
    let unit = powerOfTen(left.scale)
    var (whole, rest) = left.significand.magnitude.quotientAndRemainder(dividingBy: unit)
    let otherWhole = UInt128(right)
    guard whole == otherWhole else { return whole < otherWhole ? -1 : 1 }
    // Both fractions are written out in binary, one digit a turn, until they differ or the double's ends.
    var fraction = right - right.rounded(.towardZero)
    while fraction > 0 {
      rest &*= 2
      fraction *= 2
      whole = rest >= unit ? 1 : 0
      let bit: UInt128 = fraction >= 1 ? 1 : 0
      guard whole == bit else { return whole < bit ? -1 : 1 }
      if bit == 1 {
        rest &-= unit
        fraction -= 1
      }
    }
    return rest > 0 ? 1 : 0
  }

  /// The nearest double.
  var doubleValue: Double {
    if significand.magnitude <= 1 << 53, scale <= 22 {
      // Both are exact doubles, so that one division rounds once.
      return Double(Int64(truncatingIfNeeded: significand)) / DoubleReading.powerOfTen(scale)
    }
    return DoubleReading.double(significand: significand.magnitude, exponent: -scale)
      * (significand < 0 ? -1 : 1)
  }
}
