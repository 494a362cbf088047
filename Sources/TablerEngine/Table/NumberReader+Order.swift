/// What sorting asks of numbers: 64 bits that compare first, and an exact answer for ties.
extension NumberReader {
  /// The ordered bits of the nearest double, and whether they say all.
  ///
  /// Of two numbers with different bits, the smaller bits belong to the smaller number. With the same
  /// bits and both exact, they are equal; otherwise `compareDigits` decides.
  @inline(__always)
  static func approximate(
    _ text: Span<UInt8>, marks: NumberMarks = .standard
  ) -> (bits: UInt64, isExact: Bool)? {
    guard let scan = NumberScan(text, marks: marks) else { return nil }
    // No two texts of up to 15 digits share a double unless they are equal; with an
    // exponent the double itself is the value, which is only the same thing for whole numbers.
    let isExact =
      scan.hasExponent
      ? scan.exponent >= scan.scale && scan.digitCount &+ scan.exponent &- scan.scale <= 15
      : scan.digitCount <= 15 && scan.scale <= 300
    return (orderedBits(double(scan, text)), isExact)
  }

  /// -1, 0 or 1, as the first number is below, equal to or above the second, for any number of digits.
  ///
  /// A number without exponent is what its digits say; one with an exponent is its double (§3.6).
  /// What is no number comes last.
  static func compareDigits(
    _ left: Span<UInt8>, _ right: Span<UInt8>, marks: NumberMarks = .standard
  ) -> Int {
    guard let leftScan = NumberScan(left, marks: marks) else {
      return NumberScan(right, marks: marks) == nil ? 0 : 1
    }
    guard let rightScan = NumberScan(right, marks: marks) else { return -1 }
    let leftNumber = number(leftScan, left)
    let rightNumber = number(rightScan, right)
    let isLeftLong = !leftScan.hasExponent && isDouble(leftNumber)
    let isRightLong = !rightScan.hasExponent && isDouble(rightNumber)
    guard isLeftLong || isRightLong else { return Number.compare(leftNumber, rightNumber) }
    return DigitString.compare(
      isLeftLong ? DigitString(leftScan, left) : DigitString(leftNumber),
      isRightLong ? DigitString(rightScan, right) : DigitString(rightNumber))
  }

  /// Bits that compare as unsigned integers the way doubles do, both zeros alike and NaN last.
  @inline(__always)
  static func orderedBits(_ value: Double) -> UInt64 {
    if value.isNaN { return .max }
    let bits = (value + 0.0).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }

  private static func isDouble(_ number: Number) -> Bool {
    if case .double = number { true } else { false }
  }
}
