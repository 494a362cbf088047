/// Reads numbers from the bytes of cells.
///
/// There are two grammars. *Typed* says what kind a cell has, so `007` is text there; *loose*
/// takes leading zeros as digits, for sorting and wherever a number is asked for. Both let
/// blanks stand around the number. Nothing is allocated but for numbers longer than a decimal holds.
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

  /// The value that `scan` found in `text`: a decimal where a point or an exponent stands.
  static func number(_ scan: NumberScan, _ text: Span<UInt8>) -> Number {
    if !scan.hasExponent, !scan.hasMark {
      if scan.digitCount <= 18 {
        let value = Int64(truncatingIfNeeded: scan.significand)
        return .int(scan.isNegative ? -value : value)
      }
      if let exact = exact(scan, text) { return Number(exact) }
    } else if let exact = exact(scan, text) {
      return .decimal(exact)
    }
    let digits = DigitString(scan, text)
    return digits.exact.map { .decimal($0) } ?? .long(digits, nearest: double(scan, text))
  }

  /// The exact value with the decimals written, the exponent taken into account; nil when it has too many digits.
  static func exact(_ scan: NumberScan, _ text: Span<UInt8>) -> ExactDecimal? {
    let scale = scan.scale &- scan.exponent
    guard scan.digitCount <= ExactDecimal.digitLimit, scale <= ExactDecimal.digitLimit,
      scan.digitCount == 0 || scan.digitCount &- scale <= ExactDecimal.digitLimit
    else { return nil }
    var value = Int128(scan.significand)
    if scan.digitCount > NumberScan.significandLimit {
      value = 0
      for index in scan.digits {
        let digit = NumberScan.digit(text[index])
        if digit <= 9 { value = value &* 10 &+ Int128(digit) }
      }
    }
    if scale < 0, value != 0 { value *= Int128(ExactDecimal.powerOfTen(0 &- scale)) }
    return ExactDecimal(unchecked: scan.isNegative ? 0 &- value : value, scale: max(scale, 0))
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
