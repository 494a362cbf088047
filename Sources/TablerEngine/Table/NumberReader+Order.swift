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
    // No two numbers of up to 15 digits share a double unless they are equal, far from where doubles end.
    let power = scan.exponent &- scan.scale
    let isExact = scan.digitCount <= 15 && power >= -290 && power <= 290
    return (orderedBits(double(scan, text)), isExact)
  }

  /// -1, 0 or 1, as the first number is below, equal to or above the second, for any number of digits.
  ///
  /// What is no number comes last.
  static func compareDigits(
    _ left: Span<UInt8>, _ right: Span<UInt8>, marks: NumberMarks = .standard
  ) -> Int {
    guard let leftScan = NumberScan(left, marks: marks) else {
      return NumberScan(right, marks: marks) == nil ? 0 : 1
    }
    guard let rightScan = NumberScan(right, marks: marks) else { return -1 }
    return Number.compare(number(leftScan, left), number(rightScan, right))
  }

  /// Bits that compare as unsigned integers the way doubles do, both zeros alike and NaN last.
  @inline(__always)
  static func orderedBits(_ value: Double) -> UInt64 {
    if value.isNaN { return .max }
    let bits = (value + 0.0).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }
}
