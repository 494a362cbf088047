/// Reads numbers from the bytes of cells.
///
/// There are two grammars. *Typed* (§3.6) says what kind a cell has, so `007` is text there; *loose*
/// (§5) takes leading zeros as digits, for sorting and wherever a number is asked for. Both let
/// blanks stand around the number. Nothing is allocated but for numbers of 16 digits and more.
enum NumberReader {
  /// The number that a cell is by its own look; nil for text, `007` included.
  static func typed(_ text: Span<UInt8>, marks: NumberMarks = .standard) -> Number? {
    guard let scan = NumberScan(text, marks: marks), !scan.hasLeadingZero else { return nil }
    return number(scan, text)
  }

  /// The number that a cell is where a number is asked for: `08` is 8.
  static func loose(_ text: Span<UInt8>, marks: NumberMarks = .standard) -> Number? {
    guard let scan = NumberScan(text, marks: marks) else { return nil }
    return number(scan, text)
  }

  /// Whether a cell is a number in the loose grammar.
  static func isNumber(_ text: Span<UInt8>, marks: NumberMarks = .standard) -> Bool {
    NumberScan(text, marks: marks) != nil
  }

  /// The value that `scan` found in `text`.
  static func number(_ scan: NumberScan, _ text: Span<UInt8>) -> Number {
    if !scan.hasExponent {
      if scan.digitCount <= 18, scan.scale == 0 {
        let value = Int64(truncatingIfNeeded: scan.significand)
        return .int(scan.isNegative ? -value : value)
      }
      if let exact = exact(scan, text) { return Number(exact) }
    }
    return .double(double(scan, text))
  }

  /// The exact value of a number without exponent; nil when it has too many digits.
  static func exact(_ scan: NumberScan, _ text: Span<UInt8>) -> ExactDecimal? {
    guard !scan.hasExponent, scan.digitCount <= ExactDecimal.digitLimit,
      scan.scale <= ExactDecimal.digitLimit
    else { return nil }
    var value = Int128(scan.significand)
    if scan.digitCount > NumberScan.significandLimit {
      value = 0
      for index in scan.digits {
        let digit = NumberScan.digit(text[index])
        if digit <= 9 { value = value &* 10 &+ Int128(digit) }
      }
    }
    return ExactDecimal(unchecked: scan.isNegative ? 0 &- value : value, scale: scan.scale)
  }

  /// The double nearest to what `scan` found in `text`.
  static func double(_ scan: NumberScan, _ text: Span<UInt8>) -> Double {
    let exponent = scan.exponent &- scan.scale
    let magnitude =
      scan.digitCount <= NumberScan.significandLimit
      ? DoubleReading.double(significand: scan.significand, exponent: exponent)
      : DoubleReading.double(digits: scan.digits, of: text, exponent: exponent)
    return scan.isNegative ? -magnitude : magnitude
  }
}
