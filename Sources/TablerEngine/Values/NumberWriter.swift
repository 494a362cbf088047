/// Writes numbers as the text that reads back as the same number.
///
/// Exact numbers keep their digits and decimals. Doubles have the fewest digits that read back: `3`, `0.1`,
/// `1234.5`, and with an exponent from 1e16 on and below 0.0001 (`1e16`, `2.5e-7`), which is a number in JSON
/// too. Values that are no numbers are written `NaN`, `inf` and `-inf`.
enum NumberWriter {
  /// Appends `number`.
  static func append(_ number: Number, marks: NumberMarks = .standard, to buffer: inout ByteBuffer) {
    switch number {
    case .int(let value): buffer.append(decimal: Int(value))
    case .decimal(let value): append(value, marks: marks, to: &buffer)
    case .long(let value, _): append(value, marks: marks, to: &buffer)
    case .double(let value): append(value, marks: marks, to: &buffer)
    }
  }

  /// Appends `decimal` with all its decimals.
  static func append(_ decimal: ExactDecimal, marks: NumberMarks = .standard, to buffer: inout ByteBuffer) {
    if decimal.significand < 0 { buffer.append(UInt8(ascii: "-")) }
    append(decimal.significand.magnitude, scale: decimal.scale, marks, to: &buffer)
  }

  /// Appends all digits of `value`, with an exponent if it would need many zeros.
  static func append(_ value: DigitString, marks: NumberMarks = .standard, to buffer: inout ByteBuffer) {
    if value.isNegative { buffer.append(UInt8(ascii: "-")) }
    let count = value.digits.count
    let isPlain = value.wholeCount > -5 && value.wholeCount <= count + ExactDecimal.digitLimit
    let point = isPlain ? value.wholeCount : 1
    if point <= 0 { buffer.append(UInt8(ascii: "0")) }
    if point <= 0 { buffer.append(marks.decimal) }
    buffer.append(repeating: UInt8(ascii: "0"), count: max(-point, 0))
    for (place, digit) in value.digits.enumerated() {
      if place == point, place > 0 { buffer.append(marks.decimal) }
      buffer.append(UInt8(ascii: "0") + digit)
    }
    buffer.append(repeating: UInt8(ascii: "0"), count: max(point - count, 0))
    guard !isPlain else { return }
    buffer.append(UInt8(ascii: "e"))
    buffer.append(decimal: value.wholeCount - 1)
  }

  /// Appends `number` with all its digits, or as it is drawn.
  static func append(
    _ number: Number, _ digits: DrawnDigits.DigitChoice, marks: NumberMarks, to buffer: inout ByteBuffer
  ) {
    guard case .drawn(let mayBeInexact) = digits, let drawn = DrawnDigits(number, mayBeInexact: mayBeInexact)
    else {
      return append(number, marks: marks, to: &buffer)
    }
    append(drawn, marks: marks, to: &buffer)
  }

  /// Appends the digits of a number that are drawn.
  static func append(_ drawn: DrawnDigits, marks: NumberMarks, to buffer: inout ByteBuffer) {
    switch drawn {
    case .double(let digits): append(digits, marks: marks, to: &buffer)
    case .decimal(let digits): append(digits, marks: marks, to: &buffer)
    }
  }

  /// Appends `value` with the fewest digits that read back.
  static func append(_ value: Double, marks: NumberMarks = .standard, to buffer: inout ByteBuffer) {
    guard let digits = ShortestDigits(value) else {
      buffer.append(value.isNaN ? "NaN" : value < 0 ? "-inf" : "inf")
      return
    }
    append(digits, marks: marks, to: &buffer)
  }

  /// Appends the digits of a double.
  static func append(_ digits: ShortestDigits, marks: NumberMarks, to buffer: inout ByteBuffer) {
    if digits.isNegative { buffer.append(UInt8(ascii: "-")) }
    let count = digitCount(digits.significand)
    let power = digits.exponent + count - 1
    switch power {
    case 16... where digits.significand != 0, ..<(-4):
      append(UInt128(digits.significand), scale: count - 1, marks, to: &buffer)
      buffer.append(UInt8(ascii: "e"))
      buffer.append(decimal: power)
    case _ where digits.exponent >= 0:
      buffer.append(decimal: Int(truncatingIfNeeded: digits.significand))
      buffer.append(repeating: UInt8(ascii: "0"), count: digits.exponent)
    default:
      append(UInt128(digits.significand), scale: -digits.exponent, marks, to: &buffer)
    }
  }

  /// The number of digits of `value`; 1 for zero.
  static func digitCount(_ value: UInt64) -> Int {
    var count = 1
    var rest = value
    while rest >= 10 {
      rest /= 10
      count += 1
    }
    return count
  }
}

extension NumberWriter {
  /// Appends `significand / 10^scale`.
  private static func append(
    _ significand: UInt128, scale: Int, _ marks: NumberMarks, to buffer: inout ByteBuffer
  ) {
    let unit = ExactDecimal.powerOfTen(scale)
    if scale > 0, scale <= ShortDecimal.mostDecimals, let short = UInt64(exactly: significand) {
      // Dividing 64 bits takes one instruction.
      let (whole, fraction) = short.quotientAndRemainder(dividingBy: UInt64(truncatingIfNeeded: unit))
      buffer.append(decimal: Int(truncatingIfNeeded: whole))
      buffer.append(marks.decimal)
      return buffer.append(UInt(fraction), digitCount: scale)
    }
    let (whole, fraction) = scale == 0 ? (significand, 0) : significand.quotientAndRemainder(dividingBy: unit)
    append(digits: whole, paddedTo: 1, to: &buffer)
    guard scale > 0 else { return }
    buffer.append(marks.decimal)
    append(digits: fraction, paddedTo: scale, to: &buffer)
  }

  /// Appends the digits of `value`, padded with zeros to `count` digits; nothing for zero without padding.
  static func append(digits value: UInt128, paddedTo count: Int, to buffer: inout ByteBuffer) {
    let block: UInt128 = 1_000_000_000_000_000_000
    if value >= block || count > 18 {
      let (high, low) = value.quotientAndRemainder(dividingBy: block)
      append(digits: high, paddedTo: max(count - 18, 0), to: &buffer)
      append(digits: low, paddedTo: 18, to: &buffer)
      return
    }
    if value == 0, count == 0 { return }
    let low = UInt64(truncatingIfNeeded: value)
    buffer.append(UInt(low), digitCount: max(count, digitCount(low)))
  }
}

/// The digits that are drawn of a number that has more: at most 15, but all before the point.
///
/// The digits after them are mostly noise of binary arithmetic, as in `6.587999999999999`, or useful to no one.
enum DrawnDigits {
  case double(ShortestDigits)
  case decimal(ExactDecimal)

  /// Which digits of a number are written.
  enum DigitChoice: Equatable {
    /// All.
    case all
    /// Those that are drawn; an exact number has all unless it comes from a division.
    case drawn(mayBeInexact: Bool)
  }

  /// The drawn digits of a double, or of a quotient; nil if all are drawn.
  ///
  /// - Parameter most: how many are drawn, unless more precede the point.
  init?(_ number: Number, mayBeInexact: Bool, most: Int = most) {
    switch number {
    case .double(let value):
      guard let digits = ShortestDigits(value)?.drawn(atMost: most) else { return nil }
      self = digits
    case .decimal(let value) where mayBeInexact:
      let count = value.digitCount
      let kept = max(most, count - value.scale)
      guard count > kept, let digits = value.rounded(to: value.scale - (count - kept)) else { return nil }
      self = .decimal(digits.withoutTrailingZeros)
    case .int, .decimal, .long: return nil
    }
  }

  /// How many are drawn, unless more precede the point.
  static let most = 15
}

extension ExactDecimal {
  /// The number of digits, without leading zeros.
  fileprivate var digitCount: Int {
    var count = 0
    while count <= Self.digitLimit, significand.magnitude >= Self.powerOfTen(count) { count += 1 }
    return count
  }
}

/// The fewest digits that read back as the same double: `significand × 10^exponent`.
struct ShortestDigits {
  /// Whether there is a minus; the digits are those of the absolute value.
  let isNegative: Bool
  /// Up to 17 digits, the last of them not 0 unless it is the only one.
  let significand: UInt64
  /// The power of ten.
  let exponent: Int

  /// Finds the digits of `value`; nil for an infinity or NaN.
  init?(_ value: Double) {
    guard value.isFinite else { return nil }
    let text = value.magnitude.description
    let bytes = text.utf8.span
    var index = 0
    var digits: UInt64 = 0
    var power = 0
    var isFraction = false
    while index < bytes.count, bytes[index] != UInt8(ascii: "e") {
      let digit = NumberScan.digit(bytes[index])
      if digit <= 9 {
        digits = digits &* 10 &+ UInt64(digit)
        if isFraction { power &-= 1 }
      } else {
        isFraction = true
      }
      index &+= 1
    }
    if index < bytes.count { power += Self.exponent(bytes, after: index) }
    while digits > 0, digits % 10 == 0 {
      digits /= 10
      power += 1
    }
    isNegative = value < 0
    significand = digits
    exponent = digits == 0 ? 0 : power
  }

  private init(isNegative: Bool, significand: UInt64, exponent: Int) {
    self.isNegative = isNegative
    self.significand = significand
    self.exponent = exponent
  }

  /// The digits that are drawn; nil if all are.
  var drawn: DrawnDigits? { drawn(atMost: DrawnDigits.most) }

  /// The digits that are drawn if they are at most so many, unless more precede the point; nil if all are.
  func drawn(atMost most: Int) -> DrawnDigits? {
    let count = NumberWriter.digitCount(significand)
    let power = exponent + count - 1
    let kept = power < 16 ? max(most, power + 1) : most
    guard count > kept else { return nil }
    let unit = UInt64(ExactDecimal.powerOfTen(count - kept))
    var digits = significand / unit + (2 * (significand % unit) >= unit ? 1 : 0)
    var exponent = exponent + count - kept
    while digits % 10 == 0 {
      digits /= 10
      exponent += 1
    }
    return .double(ShortestDigits(isNegative: isNegative, significand: digits, exponent: exponent))
  }

  private static func exponent(_ bytes: Span<UInt8>, after mark: Int) -> Int {
    var value = 0
    for index in mark + 1..<bytes.count {
      let digit = NumberScan.digit(bytes[index])
      if digit <= 9 { value = value * 10 + Int(digit) }
    }
    return bytes[mark + 1] == UInt8(ascii: "-") ? -value : value
  }

  /// The same value as an exact decimal; nil if it does not fit.
  var exact: ExactDecimal? {
    let digits = Int128(significand) * (isNegative ? -1 : 1)
    if exponent <= 0 { return ExactDecimal(significand: digits, scale: 0 - exponent) }
    guard exponent <= 20 else { return nil }
    return ExactDecimal(significand: digits * Int128(ExactDecimal.powerOfTen(exponent)), scale: 0)
  }
}

/// All digits of a number of any length, for the comparisons that no fixed size can decide.
struct DigitString: Sendable {
  /// Whether the number is negative.
  private(set) var isNegative: Bool
  /// The digits, 0 to 9, without zeros at either end; empty for zero.
  private(set) var digits: [UInt8]
  /// The number of digits before the point; negative if zeros follow it.
  private(set) var wholeCount: Int

  /// A number of digits without zeros at either end.
  init(isNegative: Bool, digits: [UInt8], wholeCount: Int) {
    self.isNegative = isNegative
    self.digits = digits
    self.wholeCount = wholeCount
  }

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
    case .double(let value): storeDigits(of: value.magnitude)
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

  /// The number as an exact decimal; nil if it has too many digits.
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

  /// Stores the digits of `value`, which is a whole number times a power of two.
  ///
  /// A negative power becomes one of five, divided by one of ten that only moves the point.
  private mutating func storeDigits(of value: Double) {
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
