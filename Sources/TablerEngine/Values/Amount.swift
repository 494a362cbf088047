/// A number with a currency sign before or after it: `$1200.50`, `-€5`, `12 €`.
///
/// In parentheses, as accountants write it, an amount is negative, even without a currency sign:
/// `($1200.50)`, `(7.50)`. A currency sign is any character of Unicode's category Sc; letters such as `USD`
/// are not.
struct Amount {
  /// The range of the number, without the currency sign and without a minus before that.
  let digits: Range<Int>

  /// Whether a minus precedes the currency sign, or parentheses enclose it: `-$5`, `($5)`.
  let isNegated: Bool

  /// Finds the number of an amount; nil if `text` has no currency sign, or no number beside it.
  init?(_ text: Span<UInt8>, marks: NumberMarks = .standard) {
    var start = 0
    var end = text.count
    while start < end, NumberScan.isBlank(text[start]) { start += 1 }
    while end > start, NumberScan.isBlank(text[end - 1]) { end -= 1 }
    let isInParentheses =
      end - start > 2 && text[start] == UInt8(ascii: "(") && text[end - 1] == UInt8(ascii: ")")
    if isInParentheses { (start, end) = (start + 1, end - 1) }
    guard start < end else { return nil }
    let sign = text[start]
    let hasSign = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
    if isInParentheses, hasSign { return nil }
    let first = hasSign ? start + 1 : start
    let length = text.currencySignLength(at: first)
    if length > 0 {
      start = first + length
      while start < end, NumberScan.isBlank(text[start]) { start += 1 }
      if hasSign, start < end, !text[start].isDigit, text[start] != marks.decimal { return nil }
    } else {
      var last = end - 1
      while last > start, text[last] & 0xC0 == 0x80 { last -= 1 }
      let length = text.currencySignLength(at: last)
      if length > 0, last + length == end {
        end = last
      } else if !isInParentheses {
        return nil
      }
    }
    if isInParentheses, start < end, !text[start].isDigit, text[start] != marks.decimal { return nil }
    guard start < end, NumberReader.isNumber(text.extracting(start..<end), marks: marks) else { return nil }
    digits = start..<end
    isNegated = isInParentheses || length > 0 && sign == UInt8(ascii: "-")
  }

  /// The value of an amount; nil if `text` is not one.
  static func read(_ text: Span<UInt8>, marks: NumberMarks = .standard) -> Number? {
    guard let amount = Amount(text, marks: marks),
      let number = NumberReader.loose(text.extracting(amount.digits), marks: marks)
    else { return nil }
    return amount.isNegated ? number.negated : number
  }

  /// The ordered bits of the nearest double, and whether they are exact; nil if `text` is no amount.
  static func approximate(_ text: Span<UInt8>, marks: NumberMarks) -> (bits: UInt64, isExact: Bool)? {
    guard let amount = Amount(text, marks: marks),
      let number = NumberReader.approximate(text.extracting(amount.digits), marks: marks)
    else { return nil }
    let isTurned = amount.isNegated && number.bits != NumberReader.orderedBits(0)
    return (isTurned ? ~number.bits : number.bits, number.isExact)
  }
}

extension Amount {
  /// Whether a character beyond ASCII is a currency sign, by Unicode 16.
  fileprivate static func isCurrencySign(_ value: UInt32) -> Bool {
    switch value {
    case 0xA2...0xA5, 0x58F, 0x60B, 0x7FE...0x7FF, 0x9F2...0x9F3, 0x9FB, 0xAF1, 0xBF9, 0xE3F, 0x17DB,
      0x20A0...0x20C0,
      0xA838, 0xFDFC, 0xFE69, 0xFF04, 0xFFE0...0xFFE1, 0xFFE5...0xFFE6, 0x1_1FDD...0x1_1FE0, 0x1_E2FF,
      0x1_ECB0:
      true
    default: false
    }
  }
}

extension Span<UInt8> {
  /// The length of the currency sign at `offset` in bytes; 0 if there is none.
  func currencySignLength(at offset: Int) -> Int {
    guard offset < count else { return 0 }
    if self[offset] < 0x80 { return self[offset] == UInt8(ascii: "$") ? 1 : 0 }
    let decoded = scalar(at: offset)
    return decoded.isWellFormed && Amount.isCurrencySign(decoded.value) ? decoded.length : 0
  }
}
