/// An exact decimal number of up to 38 digits, up to all of them after the point.
///
/// The value is `significand / 10^scale`. Two decimals are equal if their values are; the scale says how many
/// decimals are written: `2.10` is `210` with scale 2.
struct ExactDecimal: Sendable {
  /// All digits as one integer.
  let significand: Int128

  /// The number of digits after the point, 0 to 38.
  let scale: Int

  /// The maximum number of digits in a decimal, and the largest scale.
  static let digitLimit = 38

  /// Creates a decimal; nil if it needs more than 38 digits or its scale is not 0 to 38.
  init?(significand: Int128, scale: Int) {
    guard scale >= 0, scale <= Self.digitLimit, significand.magnitude < Self.powerOfTen(Self.digitLimit)
    else { return nil }
    self.init(unchecked: significand, scale: scale)
  }

  /// Creates a decimal with the value of `integer`, without decimals.
  init(_ integer: Int64) { self.init(unchecked: Int128(integer), scale: 0) }

  /// Creates a decimal from parts that are known to be within the limits.
  init(unchecked significand: Int128, scale: Int) {
    self.significand = significand
    self.scale = scale
  }

  /// `10^exponent` for an exponent of 0 to 38.
  @inline(__always)
  static func powerOfTen(_ exponent: Int) -> UInt128 { powers[exponent] }

  private static let powers: [UInt128] = (0...digitLimit).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}

extension ExactDecimal: Comparable, Hashable {
  /// Whether the value on the left is smaller, whatever the scales.
  static func < (left: Self, right: Self) -> Bool { compare(left, right) < 0 }

  /// Whether both have the same value, whatever the scales.
  static func == (left: Self, right: Self) -> Bool { compare(left, right) == 0 }

  /// -1, 0 or 1, as `left` is below, equal to or above `right`.
  static func compare(_ left: Self, _ right: Self) -> Int {
    if left.scale == right.scale {
      return left.significand < right.significand ? -1 : left.significand > right.significand ? 1 : 0
    }
    if left.scale > right.scale { return -compare(right, left) }
    // A left side that overflows when brought to the scale of the right one is beyond every right side.
    guard let scaled = left.rescaled(to: right.scale) else { return left.significand < 0 ? -1 : 1 }
    return scaled.significand < right.significand ? -1 : scaled.significand > right.significand ? 1 : 0
  }

  /// Hashes the value, so that `2.10` and `2.1` have the same hash.
  func hash(into hasher: inout Hasher) {
    let value = withoutTrailingZeros
    hasher.combine(value.significand)
    hasher.combine(value.scale)
  }
}

extension ExactDecimal {
  /// The exact sum with the larger of both scales; nil if it does not fit.
  func adding(_ other: Self) -> Self? {
    let scale = max(scale, other.scale)
    guard let left = rescaled(to: scale), let right = other.rescaled(to: scale) else { return nil }
    return Self(significand: left.significand &+ right.significand, scale: scale)
  }

  /// The exact difference with the larger of both scales; nil if it does not fit.
  func subtracting(_ other: Self) -> Self? { adding(other.negated) }

  /// The exact product, whose scale is the sum of both; nil if it does not fit.
  func multiplied(by other: Self) -> Self? {
    let (product, overflow) = significand.multipliedReportingOverflow(by: other.significand)
    return overflow ? nil : Self(significand: product, scale: scale + other.scale)
  }

  /// The value with the other sign.
  var negated: Self { Self(unchecked: 0 &- significand, scale: scale) }

  /// The absolute value.
  var magnitude: Self { significand < 0 ? negated : self }

  /// The quotient truncated toward zero, without decimals; nil if it does not fit or `divisor` is zero.
  func quotient(by divisor: Self) -> Self? {
    guard divisor.significand != 0 else { return nil }
    let shift = divisor.scale - scale
    // A divisor that overflows is larger than the dividend.
    if shift < 0 {
      guard let scaled = divisor.rescaled(to: scale) else { return Self(0) }
      return Self(unchecked: significand / scaled.significand, scale: 0)
    }
    let numerator = significand.magnitude.multipliedFullWidth(by: Self.powerOfTen(shift))
    let denominator = divisor.significand.magnitude
    guard numerator.high < denominator else { return nil }
    let quotient = denominator.dividingFullWidth(numerator).quotient
    guard quotient < Self.powerOfTen(Self.digitLimit) else { return nil }
    let isNegative = (significand < 0) != (divisor.significand < 0)
    return Self(unchecked: isNegative ? 0 &- Int128(quotient) : Int128(quotient), scale: 0)
  }

  /// The exact quotient with as few decimals as it needs; nil if none fits, or `divisor` is zero.
  func divided(by divisor: Self) -> Self? {
    let isNegative = (significand < 0) != (divisor.significand < 0)
    let (left, right) = (significand.magnitude, divisor.significand.magnitude)
    let shift = scale - divisor.scale
    // Most numbers fit into 64 bits, where a division takes far less time.
    if let left = UInt64(exactly: left), let right = UInt64(exactly: right) {
      return Self.quotient(left, right, shift, isNegative: isNegative)
    }
    return Self.quotient(left, right, shift, isNegative: isNegative)
  }

  /// The remainder of division toward zero, with the sign of the dividend; nil if `divisor` is zero.
  func remainder(dividingBy divisor: Self) -> Self? {
    guard divisor.significand != 0 else { return nil }
    let shift = divisor.scale - scale
    if shift < 0 {
      guard let scaled = divisor.rescaled(to: scale) else { return self }
      return Self(unchecked: significand % scaled.significand, scale: scale)
    }
    let denominator = divisor.significand.magnitude
    var rest = significand.magnitude % denominator
    // The remainder stays below the denominator, so that each quotient here is one digit.
    for _ in 0..<shift {
      rest = denominator.dividingFullWidth(rest.multipliedFullWidth(by: 10)).remainder
    }
    return Self(unchecked: significand < 0 ? 0 &- Int128(rest) : Int128(rest), scale: divisor.scale)
  }

  /// The value with exactly `decimals` decimals, rounded half away from zero; nil if it does not fit.
  ///
  /// A negative number of decimals rounds to tens, hundreds and so on, and has scale 0.
  func rounded(to decimals: Int) -> Self? {
    if decimals >= scale { return rescaled(to: decimals) }
    guard let cut = cutting(scale &- decimals, rounds: true) else { return nil }
    return decimals >= 0 ? cut.withScale(decimals) : cut.multipliedByTens(0 &- decimals)
  }

  /// The value with exactly `decimals` decimals, truncated toward zero; nil if it does not fit.
  func truncated(to decimals: Int) -> Self? {
    if decimals >= scale { return rescaled(to: decimals) }
    guard let cut = cutting(scale &- decimals, rounds: false) else { return nil }
    return decimals >= 0 ? cut.withScale(decimals) : cut.multipliedByTens(0 &- decimals)
  }

  /// The same value with `newScale` decimals, not fewer than now; nil if it does not fit.
  func rescaled(to newScale: Int) -> Self? {
    if newScale == scale { return self }
    guard newScale > scale, newScale <= Self.digitLimit else { return nil }
    return multipliedByTens(newScale - scale)?.withScale(newScale)
  }

  /// The same value with as few decimals as it needs.
  var withoutTrailingZeros: Self {
    var significand = significand
    var scale = scale
    while scale > 0, significand % 10 == 0 {
      significand /= 10
      scale -= 1
    }
    return Self(unchecked: significand, scale: scale)
  }

  /// The value as a 64-bit integer; nil if it has decimals other than zeros or is too large.
  var integer: Int64? {
    if scale == 0 { return Int64(exactly: significand) }
    let unit = Int128(Self.powerOfTen(scale))
    return significand % unit == 0 ? Int64(exactly: significand / unit) : nil
  }
}

extension ExactDecimal {
  /// `dividend / divisor / 10^shift`; nil if it does not fit.
  ///
  /// 1. The divisor is split into `2^twos * 5^fives` and the rest. If the rest does not divide the dividend,
  ///    the decimals of the quotient never end.
  /// 2. The fraction is reduced. Its number of decimals is then the larger of both exponents.
  private static func quotient<Digits: FixedWidthInteger & UnsignedInteger>(
    _ dividend: Digits, _ divisor: Digits, _ shift: Int, isNegative: Bool
  ) -> Self? {
    if divisor == 0 { return nil }
    if dividend == 0 { return Self(0) }
    var twos = divisor.trailingZeroBitCount
    var rest = divisor >> twos
    var fives = 0
    while rest % 5 == 0 {
      rest /= 5
      fives += 1
    }
    var (numerator, remainder) = dividend.quotientAndRemainder(dividingBy: rest)
    guard remainder == 0 else { return nil }
    let common = min(twos, numerator.trailingZeroBitCount)
    numerator >>= common
    twos -= common
    while fives > 0, numerator % 5 == 0 {
      numerator /= 5
      fives -= 1
    }
    let decimals = max(twos, fives)
    guard let factor = power(of: 5, decimals - fives), let other = power(of: 2, decimals - twos) else {
      return nil
    }
    let (digits, overflow) = UInt128(numerator).multipliedReportingOverflow(by: factor * other)
    guard !overflow, digits < powerOfTen(digitLimit) else { return nil }
    let value = Self(unchecked: isNegative ? 0 &- Int128(digits) : Int128(digits), scale: 0)
    let scale = decimals + shift
    if scale <= 0 { return value.multipliedByTens(-scale) }
    if decimals > 0 { return scale <= digitLimit ? value.withScale(scale) : nil }
    return value.withScale(scale).withoutTrailingZeros
  }

  /// `base^exponent` for a base of 2 or 5; nil if it has more than 38 digits.
  private static func power(of base: UInt128, _ exponent: Int) -> UInt128? {
    guard exponent <= (base == 2 ? 126 : 54) else { return nil }
    return (0..<exponent).reduce(1) { power, _ in power * base }
  }

  private func withScale(_ newScale: Int) -> Self { Self(unchecked: significand, scale: newScale) }

  private func multipliedByTens(_ count: Int) -> Self? {
    if significand == 0 { return self }
    guard count <= Self.digitLimit else { return nil }
    let (product, overflow) =
      significand.magnitude.multipliedReportingOverflow(by: Self.powerOfTen(count))
    guard !overflow, product < Self.powerOfTen(Self.digitLimit) else { return nil }
    return Self(unchecked: significand < 0 ? 0 &- Int128(product) : Int128(product), scale: scale)
  }

  /// The significand without its last `count` digits, scale 0.
  private func cutting(_ count: Int, rounds: Bool) -> Self? {
    guard count <= Self.digitLimit else { return Self(0) }
    let unit = Self.powerOfTen(count)
    var (quotient, rest) = significand.magnitude.quotientAndRemainder(dividingBy: unit)
    if rounds, rest >= unit - rest { quotient += 1 }
    return Self(significand: significand < 0 ? 0 &- Int128(quotient) : Int128(quotient), scale: 0)
  }
}
