/// A number in a cell or an expression: exact if the text was exact, otherwise a double.
///
/// Exact numbers, including long ones, compare with one another by value and with a double by the double's
/// exact value; NaN comes after all numbers and equals itself, so that the order is total.
enum Number: Sendable {
  /// A whole number of 64 bits.
  case int(Int64)
  /// A number with decimals, or a whole one of more than 64 bits.
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

  /// The value for exact calculation; nil for a double, and for a number that is too long.
  var exact: ExactDecimal? {
    switch self {
    case .int(let value): ExactDecimal(value)
    case .decimal(let value): value
    case .long, .double: nil
    }
  }

  /// The value as a 64-bit integer; nil if it is not whole or too large.
  var integer: Int64? {
    switch self {
    case .int(let value): value
    case .decimal(let value): value.integer
    case .long: nil
    case .double(let value): Int64(exactly: value)
    }
  }

  /// Whether this is the double NaN.
  var isNaN: Bool {
    if case .double(let value) = self { value.isNaN } else { false }
  }

  /// Whether the value is negative.
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

  /// A whole number, as an int if 64 bits hold it, otherwise unchanged.
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

  /// Hashes the nearest double: equal numbers have the same one.
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
    // Both fractions are written out in binary, digit by digit, until they differ or the double's ends.
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

/// `+ - * / // % ^`: exact if both sides are exact, a double if one side is or if the digits do not suffice.
/// Arithmetic.
extension Number {
  /// The sum.
  func adding(_ other: Self) -> Self {
    if case .int(let left) = self, case .int(let right) = other {
      let (sum, overflow) = left.addingReportingOverflow(right)
      if !overflow { return .int(sum) }
    }
    guard let left = exact, let right = other.exact, let sum = left.adding(right)
    else { return .double(doubleValue + other.doubleValue) }
    return .decimal(sum)
  }

  /// The difference.
  func subtracting(_ other: Self) -> Self {
    if case .int(let left) = self, case .int(let right) = other {
      let (difference, overflow) = left.subtractingReportingOverflow(right)
      if !overflow { return .int(difference) }
    }
    guard let left = exact, let right = other.exact, let difference = left.subtracting(right)
    else { return .double(doubleValue - other.doubleValue) }
    return .decimal(difference)
  }

  /// The product.
  func multiplied(by other: Self) -> Self {
    if case .int(let left) = self, case .int(let right) = other {
      let (product, overflow) = left.multipliedReportingOverflow(by: right)
      if !overflow { return .int(product) }
    }
    guard let left = exact, let right = other.exact, let product = left.multiplied(by: right)
    else { return .double(doubleValue * other.doubleValue) }
    return .decimal(product)
  }

  /// The true quotient: exact if it is a decimal of at most 38 digits, otherwise a double; nil if `divisor`
  /// is zero.
  func divided(by divisor: Self) -> Self? {
    if divisor.isZero { return nil }
    if let left = exact, let right = divisor.exact, let quotient = left.divided(by: right) {
      return Self(quotient)
    }
    return .double(doubleValue / divisor.doubleValue)
  }

  /// The quotient truncated toward zero, exact for exact numbers; nil if `divisor` is zero.
  func quotient(by divisor: Self) -> Self? {
    if divisor.isZero { return nil }
    if let left = exact, let right = divisor.exact, let quotient = left.quotient(by: right) {
      return Self(quotient)
    }
    return .double((doubleValue / divisor.doubleValue).rounded(.towardZero))
  }

  /// The remainder of `quotient`, with the sign of the dividend; nil if `divisor` is zero.
  func remainder(dividingBy divisor: Self) -> Self? {
    if divisor.isZero { return nil }
    if case .int(let left) = self, case .int(let right) = divisor {
      // The smallest integer divided by -1 does not fit, and leaves no remainder.
      return .int(right == -1 ? 0 : left % right)
    }
    if let left = exact, let right = divisor.exact, let rest = left.remainder(dividingBy: right) {
      return .decimal(rest)
    }
    return .double(doubleValue.truncatingRemainder(dividingBy: divisor.doubleValue))
  }

  /// The number with the other sign.
  var negated: Self {
    switch self {
    case .int(let value) where value != .min: .int(-value)
    case .int(let value): .decimal(ExactDecimal(value).negated)
    case .decimal(let value): .decimal(value.negated)
    case .long(let digits, let nearest): .long(digits.negated, nearest: -nearest)
    case .double(let value): .double(-value)
    }
  }

  /// The absolute value.
  var magnitude: Self { isNegative ? negated : self }

  /// The power: exact for an exact base and a whole exponent from 0 on if the digits suffice, otherwise a double.
  ///
  /// Nil if it has no value: `0 ^ -1`, `(-8) ^ 0.5`.
  func power(_ exponent: Self) -> Self? {
    if let base = exact, case .int(let times) = exponent, times >= 0,
      let power = Self.exactPower(of: base, times)
    {
      return isDecimal ? .decimal(power) : Self(power)
    }
    let result = Mathematics.power(doubleValue, exponent.doubleValue)
    if result.isNaN, !isNaN, !exponent.isNaN { return nil }
    if result.isInfinite, isZero { return nil }
    return .double(result)
  }
}

extension Number {
  private var isDecimal: Bool {
    if case .decimal = self { true } else { false }
  }

  /// `base` to the power `times` by squaring; nil if it does not fit.
  ///
  /// - Complexity: O(log *times*) multiplications.
  private static func exactPower(of base: ExactDecimal, _ times: Int64) -> ExactDecimal? {
    var result = ExactDecimal(1)
    var square = base
    var rest = times
    while rest > 0 {
      if rest & 1 == 1 {
        guard let product = result.multiplied(by: square) else { return nil }
        result = product
      }
      rest >>= 1
      if rest > 0 {
        guard let product = square.multiplied(by: square) else { return nil }
        square = product
      }
    }
    return result
  }
}

/// Rounding that keeps the kind of a number: an int stays an int, a decimal gets the decimals requested.
/// Rounding.
extension Number {
  /// The number with `decimals` decimals, rounded half away from zero: `2.1000` to 2 is `2.10`.
  ///
  /// An int without decimals stays an int. Doubles are rounded by the digits that they print, so that `2.675`
  /// gives `2.68`.
  func rounded(to decimals: Int) -> Self {
    switch self {
    case .int(let value):
      return ExactDecimal(value).rounded(to: decimals).map(Self.init) ?? self
    case .decimal(let value):
      return value.rounded(to: decimals).map(Self.decimal) ?? self
    case .long(_, let value), .double(let value):
      return .double(Self.changed(value, decimals) { $0.rounded(to: $1) })
    }
  }

  /// The number with `decimals` decimals, truncated toward zero.
  func truncated(to decimals: Int) -> Self {
    switch self {
    case .int(let value):
      return ExactDecimal(value).truncated(to: decimals).map(Self.init) ?? self
    case .decimal(let value):
      return value.truncated(to: decimals).map(Self.decimal) ?? self
    case .long(_, let value), .double(let value):
      return .double(Self.changed(value, decimals) { $0.truncated(to: $1) })
    }
  }

  /// Whether it is neither an infinity nor NaN.
  var isFinite: Bool {
    if case .double(let value) = self { value.isFinite } else { true }
  }

  /// The number without its decimals, exact if its digits suffice; nil for an infinity and NaN.
  var whole: Self? {
    switch self {
    case .int: self
    case .decimal(let value): value.truncated(to: 0).map(Self.init)
    case .long(let digits, let nearest):
      digits.wholeCount < digits.digits.count ? Self.double(nearest).whole : self
    case .double(let value):
      value.isFinite
        ? ShortestDigits(value.rounded(.towardZero))?.exact.map(Self.init) ?? .double(value) : nil
    }
  }

  /// The largest whole number that is not above this one.
  var floor: Self { whole(.down) }

  /// The smallest whole number that is not below this one.
  var ceiling: Self { whole(.up) }

  /// -1, 0 or 1 by the sign; NaN stays NaN.
  var signum: Self {
    if isNaN { return self }
    return .int(isNegative ? -1 : isZero ? 0 : 1)
  }
}

extension Number {
  private func whole(_ rule: FloatingPointRoundingRule) -> Self {
    switch self {
    case .int: return self
    case .long(_, let value), .double(let value): return .double(value.rounded(rule))
    case .decimal(let value):
      guard value.scale > 0, let cut = value.truncated(to: 0) else { return self }
      let isShort = rule == .down ? value < cut : cut < value
      guard isShort else { return .decimal(cut) }
      return cut.adding(ExactDecimal(rule == .down ? -1 : 1)).map(Self.decimal) ?? self
    }
  }

  /// `value` changed as the decimal that it prints as; values beyond a decimal's digits have nothing to round.
  private static func changed(
    _ value: Double, _ decimals: Int, by change: (ExactDecimal, Int) -> ExactDecimal?
  ) -> Double {
    guard value.isFinite, let digits = ShortestDigits(value) else { return value }
    if 0 &- digits.exponent <= decimals { return value }
    guard let exact = digits.exact else { return digits.exponent < 0 && decimals <= 20 ? 0 : value }
    return change(exact, decimals)?.doubleValue ?? value
  }
}
