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
  /// Up to 2^53 and with a power that is a double itself, one operation rounds once and is right;
  /// everything else goes through the standard library.
  @inline(__always)
  static func double(significand: UInt64, exponent: Int) -> Double {
    if significand <= 1 << 53 {
      if exponent == 0 { return Double(significand) }
      if exponent < 0, exponent >= -22 { return Double(significand) / powers[0 &- exponent] }
      if exponent > 0, exponent <= 22 { return Double(significand) * powers[exponent] }
    }
    if exponent == 0 { return Double(significand) }
    return double(significand: UInt128(significand), exponent: exponent)
  }

  /// The double nearest to `significand × 10^exponent`, by way of its text.
  @inline(never)
  static func double(significand: UInt128, exponent: Int) -> Double {
    read("\(significand)e\(exponent)")
  }

  /// The double nearest to the digits within `range` of `text`, without their point, times `10^exponent`.
  @inline(never)
  static func double(digits range: Range<Int>, of text: Span<UInt8>, exponent: Int) -> Double {
    var plain = ByteBuffer(capacity: range.count + 24)
    for index in range where NumberScan.digit(text[index]) <= 9 { plain.append(text[index]) }
    plain.append(UInt8(ascii: "e"))
    plain.append(decimal: exponent)
    return read(plain.string())
  }

  private static func read(_ text: String) -> Double { Double(text) ?? .nan }
}
