/// All digits of a number of any length, for the comparisons that no fixed size can decide.
struct DigitString: Sendable {
  /// Whether the number is below zero.
  private(set) var isNegative: Bool
  /// The digits, 0 to 9, without zeros at either end; empty for zero.
  private(set) var digits: [UInt8]
  /// How many digits stand before the point; below zero when zeros follow it.
  private(set) var wholeCount: Int

  /// The number that `scan` found in `text`.
  init(_ scan: NumberScan, _ text: Span<UInt8>) {
    isNegative = scan.isNegative
    digits = []
    digits.reserveCapacity(scan.digitCount)
    for index in scan.digits {
      let digit = NumberScan.digit(text[index])
      if digit <= 9, digit > 0 || !digits.isEmpty { digits.append(digit) }
    }
    wholeCount = digits.count - scan.scale + scan.exponent
    dropZerosAtEnd()
    isNegative = isNegative && !digits.isEmpty
  }

  /// The exact value of `number`; an infinity has more digits than any text.
  init(_ number: Number) {
    isNegative = number.isNegative
    digits = []
    wholeCount = 0
    switch number {
    case .double(let value): take(value.magnitude)
    case .long(let long, _): self = long
    default:
      let exact = number.exact ?? ExactDecimal(0)
      var rest = exact.significand.magnitude
      while rest > 0 {
        digits.append(UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
      }
      digits.reverse()
      wholeCount = digits.count - exact.scale
    }
    dropZerosAtEnd()
  }

  /// -1, 0 or 1, as `left` is below, equal to or above `right`.
  static func compare(_ left: Self, _ right: Self) -> Int {
    let leftSign = left.digits.isEmpty ? 0 : left.isNegative ? -1 : 1
    let rightSign = right.digits.isEmpty ? 0 : right.isNegative ? -1 : 1
    guard leftSign == rightSign, leftSign != 0 else { return (leftSign - rightSign).signum() }
    if left.wholeCount != right.wholeCount {
      return left.wholeCount < right.wholeCount ? -leftSign : leftSign
    }
    for index in 0..<min(left.digits.count, right.digits.count)
    where left.digits[index] != right.digits[index] {
      return left.digits[index] < right.digits[index] ? -leftSign : leftSign
    }
    return (left.digits.count - right.digits.count).signum() * leftSign
  }
}

extension DigitString {
  /// The number with the other sign.
  var negated: Self {
    var result = self
    result.isNegative = !isNegative && !digits.isEmpty
    return result
  }

  /// The number as an exact decimal; nil where it has too many digits.
  var exact: ExactDecimal? {
    let scale = max(digits.count - wholeCount, 0)
    let limit = ExactDecimal.digitLimit
    guard !digits.isEmpty else { return ExactDecimal(0) }
    guard digits.count <= limit, wholeCount <= limit, scale <= limit else { return nil }
    var significand: Int128 = 0
    for digit in digits { significand = significand * 10 + Int128(digit) }
    for _ in digits.count..<max(wholeCount, digits.count) { significand *= 10 }
    return ExactDecimal(significand: isNegative ? -significand : significand, scale: scale)
  }

  private mutating func dropZerosAtEnd() {
    while digits.last == 0 { digits.removeLast() }
  }

  /// Takes the digits of `value`, which is a whole number times a power of two.
  ///
  /// Below zero the power becomes one of five, over one of ten that only moves the point.
  private mutating func take(_ value: Double) {
    guard value.isFinite else {
      (digits, wholeCount) = ([1], .max)
      return
    }
    guard value > 0 else { return }
    let power = Int(value.exponent) - 52
    var limbs: [UInt32] = []
    var significand = UInt64(value.significand * 0x1p52)
    while significand > 0 {
      limbs.append(UInt32(significand % Self.limb))
      significand /= Self.limb
    }
    for _ in 0..<abs(power) { Self.multiply(&limbs, by: power < 0 ? 5 : 2) }
    for limb in limbs {
      var rest = limb
      for _ in 0..<9 {
        digits.append(UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
      }
    }
    while digits.last == 0 { digits.removeLast() }
    digits.reverse()
    wholeCount = digits.count - (power < 0 ? -power : 0)
  }

  private static var limb: UInt64 { 1_000_000_000 }

  private static func multiply(_ limbs: inout [UInt32], by factor: UInt64) {
    var carry: UInt64 = 0
    for index in limbs.indices {
      let product = UInt64(limbs[index]) * factor + carry
      limbs[index] = UInt32(product % limb)
      carry = product / limb
    }
    if carry > 0 { limbs.append(UInt32(carry)) }
  }
}
