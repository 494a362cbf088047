/// The double nearest to decimal digits.
enum DoubleReading {
  /// `10^exponent`, exact, for an exponent of 0 to 22.
  @inline(__always)
  static func powerOfTen(_ exponent: Int) -> Double { powers[exponent] }

  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// The double nearest to `significand × 10^exponent`.
  ///
  /// Up to 2^53 and with a power that is a double itself, one operation rounds once and is right.
  /// Up to 19 decimals one division of integers is; everything else goes through the standard library.
  @inline(__always)
  static func double(significand: UInt64, exponent: Int) -> Double {
    if significand <= 1 << 53 {
      if exponent == 0 { return Double(significand) }
      if exponent < 0, exponent >= -22 { return Double(significand) / powers[0 &- exponent] }
      if exponent > 0, exponent <= 22 { return Double(significand) * powers[exponent] }
    }
    if exponent == 0 { return Double(significand) }
    if exponent < 0, exponent >= -19, significand > 0 { return quotient(significand, tens: 0 &- exponent) }
    return double(significand: UInt128(significand), exponent: exponent)
  }

  /// The double nearest to `significand / 10^tens`, for up to 19 tens and a significand above zero.
  ///
  /// 1. Both are moved left until their first bit is set, so that the quotient has 63 bits or more.
  /// 2. A remainder sets the quotient's last bit, ten places below the one that rounding looks at.
  /// 3. What they were moved by is a power of two, which changes no digit.
  private static func quotient(_ significand: UInt64, tens: Int) -> Double {
    let unit = UInt64(truncatingIfNeeded: ExactDecimal.powerOfTen(tens))
    let shift = significand.leadingZeroBitCount
    let unitShift = unit.leadingZeroBitCount
    let numerator = significand &<< UInt64(shift)
    let (quotient, rest) = (unit &<< UInt64(unitShift))
      .dividingFullWidth((numerator &>> 1, numerator &<< 63))
    let power = unitShift &- shift &- 63
    let scale = Double(bitPattern: UInt64(truncatingIfNeeded: 1023 &+ power) &<< 52)
    return Double(rest == 0 ? quotient : quotient | 1) * scale
  }

  /// The double nearest to `significand × 10^exponent`, by way of its text.
  @inline(never)
  static func double(significand: UInt128, exponent: Int) -> Double {
    read("\(significand)e\(exponent)")
  }

  /// The digits that decide a double: what lies midway between two has at most 767, and of those after them it only
  /// matters whether one is above zero.
  private static let decidingDigits = 800

  /// The double nearest to the digits within `range` of `text`, without their point, times `10^exponent`.
  @inline(never)
  static func double(digits range: Range<Int>, of text: Span<UInt8>, exponent: Int) -> Double {
    var plain = ByteBuffer(capacity: min(range.count, decidingDigits) + 24)
    var left = 0
    var hasRest = false
    for index in range {
      let digit = NumberScan.digit(text[index])
      guard digit <= 9, digit > 0 || !plain.isEmpty else { continue }
      if plain.count < decidingDigits {
        plain.append(text[index])
      } else {
        left &+= 1
        hasRest = hasRest || digit > 0
      }
    }
    if hasRest {
      plain.append(UInt8(ascii: "1"))
      left &-= 1
    }
    if plain.isEmpty { return 0 }
    plain.append(UInt8(ascii: "e"))
    plain.append(decimal: exponent + left)
    return read(plain.string())
  }

  private static func read(_ text: String) -> Double { Double(text) ?? .nan }
}
