/// Reads numbers from the bytes of cells.
///
/// There are two grammars. *Typed* tells the type of a cell, so `007` is text there; *loose* takes leading
/// zeros as digits, for sorting and wherever a number is expected. Both allow blanks around the number.
/// Nothing is allocated except for numbers longer than a decimal holds.
enum NumberReader {
  /// The number that a cell is by its own look; nil for text, including `007`.
  static func typed(_ text: Span<UInt8>, marks: NumberMarks = .standard) -> Number? {
    guard let scan = NumberScan(text, marks: marks), !scan.hasLeadingZero else { return nil }
    return number(scan, text)
  }

  /// The number that a cell is if a number is expected: `08` is 8.
  static func loose(_ text: Span<UInt8>, marks: NumberMarks = .standard) -> Number? {
    if marks == .standard, let short = ShortDecimal(text) { return short.number }
    guard let scan = NumberScan(text, marks: marks) else { return nil }
    return number(scan, text)
  }

  /// The double nearest to the number that a cell is if a number is expected.
  @inline(__always)
  static func looseDouble(_ text: Span<UInt8>, marks: NumberMarks = .standard) -> Double? {
    if marks == .standard, let short = ShortDecimal(text) { return short.doubleValue }
    return loose(text, marks: marks)?.doubleValue
  }

  /// Whether a cell is a number in the loose grammar.
  static func isNumber(_ text: Span<UInt8>, marks: NumberMarks = .standard) -> Bool {
    NumberScan(text, marks: marks) != nil
  }

  /// The value that `scan` found in `text`: a decimal if it has a point or an exponent.
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

  /// The exact value with the decimals as written, including the exponent; nil if it has too many digits.
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

/// What sorting needs of numbers: 64 bits to compare first, and an exact answer for ties.
extension NumberReader {
  /// The ordered bits of the nearest double, and whether they are exact.
  ///
  /// Of two numbers with different bits, the smaller one has the smaller bits. With the same bits, and both
  /// exact, they are equal; otherwise `compareDigits` decides.
  @inline(__always)
  static func approximate(
    _ text: Span<UInt8>, marks: NumberMarks = .standard
  ) -> (bits: UInt64, isExact: Bool)? {
    guard let scan = NumberScan(text, marks: marks) else { return nil }
    // No two numbers of up to 15 digits share a double unless they are equal, well inside the range of doubles.
    let power = scan.exponent &- scan.scale
    let isExact = scan.digitCount <= 15 && power >= -290 && power <= 290
    return (orderedBits(double(scan, text)), isExact)
  }

  /// -1, 0 or 1, as the first number is below, equal to or above the second, for any number of digits.
  ///
  /// Texts that are no numbers come last.
  static func compareDigits(
    _ left: Span<UInt8>, _ right: Span<UInt8>, marks: NumberMarks = .standard
  ) -> Int {
    guard let leftScan = NumberScan(left, marks: marks) else {
      return NumberScan(right, marks: marks) == nil ? 0 : 1
    }
    guard let rightScan = NumberScan(right, marks: marks) else { return -1 }
    return Number.compare(number(leftScan, left), number(rightScan, right))
  }

  /// Bits that compare as unsigned integers in the order of doubles, with both zeros equal and NaN last.
  @inline(__always)
  static func orderedBits(_ value: Double) -> UInt64 {
    if value.isNaN { return .max }
    let bits = (value + 0.0).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }
}

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
  /// Up to 2^53 and with a power that is itself a double, one operation rounds once and is correct. For up to
  /// 19 decimals a division of integers is used; everything else goes through the standard library.
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
  /// 1. Both are shifted left until their first bit is set, so that the quotient has 63 bits or more.
  /// 2. A remainder sets the quotient's last bit, ten places below the one that rounding depends on.
  /// 3. The shifts are powers of two, which change no digit.
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

  /// The double nearest to `significand × 10^exponent`, parsed from its text.
  @inline(never)
  static func double(significand: UInt128, exponent: Int) -> Double {
    read("\(significand)e\(exponent)")
  }

  /// The digits that decide a double: the midpoint of two doubles has at most 767, and of the digits after
  /// them it only matters whether any is above zero.
  private static let decidingDigits = 800

  /// The double nearest to the digits within `range` of `text`, ignoring their point, times `10^exponent`.
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

/// The result of one pass over the bytes of a number: its sign, digits, scale and exponent.
///
/// It reads `[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?` between outer blanks, with the marks given; a thousands
/// mark may separate groups of three digits of the whole part, all of them or none.
struct NumberScan {
  /// Whether there is a minus.
  private(set) var isNegative = false

  /// All digits as one integer, if `digitCount` is at most 19.
  private(set) var significand: UInt64 = 0

  /// The number of digits from the first that is not 0.
  private(set) var digitCount = 0

  /// The number of digits after the decimal mark.
  private(set) var scale = 0

  /// Whether there is a decimal mark; decimals need not follow it.
  private(set) var hasMark = false

  /// The number after `e`, 0 without one, capped at 10^17.
  private(set) var exponent = 0

  /// Whether there is an `e`.
  private(set) var hasExponent = false

  /// Whether a zero precedes other digits of the whole part, as in `007`.
  private(set) var hasLeadingZero = false

  /// The range of the number without sign, blanks and exponent.
  private(set) var digits: Range<Int> = 0..<0

  private static let exponentLimit = 100_000_000_000_000_000

  /// The maximum number of digits that `significand` holds.
  static let significandLimit = 19

  /// Scans all of `text`; nil if it is no number.
  @inline(__always)
  init?(_ text: Span<UInt8>, marks: NumberMarks = .standard) {
    var index = 0
    var end = text.count
    while index < end, Self.isBlank(text[index]) { index &+= 1 }
    while end > index, Self.isBlank(text[end &- 1]) { end &-= 1 }
    guard let rest = scan(text, from: index, to: end, marks), rest == end else { return nil }
  }

  /// Scans the number at the start of `text`, which has no blanks before it; `length` is the length of the number.
  init?(prefixOf text: Span<UInt8>, marks: NumberMarks = .standard, length: inout Int) {
    guard let end = scan(text, from: 0, to: text.count, marks) else { return nil }
    length = end
  }

  /// Whether `byte` is a space or a tab.
  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// The value of `byte` as a digit, 0 to 9; larger if it is none.
  @inline(__always)
  static func digit(_ byte: UInt8) -> UInt8 { byte &- 0x30 }
}

extension NumberScan {
  /// Scans from `start` and returns the offset after the number.
  @inline(__always)
  private mutating func scan(
    _ text: Span<UInt8>, from start: Int, to end: Int, _ marks: NumberMarks
  ) -> Int? {
    var index = start
    guard index < end else { return nil }
    let sign = text[index]
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      index &+= 1
    }
    let first = index
    while index < end, text[index] == UInt8(ascii: "0") { index &+= 1 }
    let firstSignificant = index
    consumeDigits(text, &index, end)
    if marks.thousandsLength > 0 {
      takeGroups(text, &index, end, marks, wholeDigits: index &- first)
    }
    let wholeCount = index &- first
    hasLeadingZero = firstSignificant > first && wholeCount > 1
    consumeFraction(text, &index, end, marks)
    guard wholeCount > 0 || scale > 0 else { return nil }
    digits = first..<index
    consumeExponent(text, &index, end)
    return index
  }

  @inline(__always)
  private mutating func consumeDigits(_ text: Span<UInt8>, _ index: inout Int, _ end: Int) {
    let first = index
    var value = significand
    while index < end {
      let digit = Self.digit(text[index])
      if digit > 9 { break }
      value = value &* 10 &+ UInt64(digit)
      index &+= 1
    }
    significand = value
    digitCount &+= index &- first
  }

  /// Reads groups of a thousands mark and three digits; leaves `index` at the first malformed one.
  private mutating func takeGroups(
    _ text: Span<UInt8>, _ index: inout Int, _ end: Int, _ marks: NumberMarks, wholeDigits: Int
  ) {
    guard wholeDigits > 0, wholeDigits <= 3 else { return }
    while marks.isThousands(in: text, at: index, before: end) {
      var next = index &+ marks.thousandsLength
      guard end &- next >= 3, end &- next == 3 || Self.digit(text[next &+ 3]) > 9 else { return }
      for offset in 0..<3 where Self.digit(text[next &+ offset]) > 9 { return }
      if digitCount == 0 {
        let groupEnd = next &+ 3
        while next < groupEnd, text[next] == UInt8(ascii: "0") { next &+= 1 }
        consumeDigits(text, &next, groupEnd)
      } else {
        consumeDigits(text, &next, next &+ 3)
      }
      index = next
    }
  }

  @inline(__always)
  private mutating func consumeFraction(
    _ text: Span<UInt8>, _ index: inout Int, _ end: Int, _ marks: NumberMarks
  ) {
    guard index < end, text[index] == marks.decimal else { return }
    hasMark = true
    index &+= 1
    let first = index
    if digitCount == 0 {
      while index < end, text[index] == UInt8(ascii: "0") { index &+= 1 }
    }
    consumeDigits(text, &index, end)
    scale = index &- first
  }

  @inline(__always)
  private mutating func consumeExponent(_ text: Span<UInt8>, _ index: inout Int, _ end: Int) {
    guard end &- index >= 2, text[index] | 0x20 == UInt8(ascii: "e") else { return }
    var next = index &+ 1
    let sign = text[next]
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { next &+= 1 }
    let first = next
    var value = 0
    while next < end {
      let digit = Self.digit(text[next])
      if digit > 9 { break }
      if value < Self.exponentLimit { value = min(value &* 10 &+ Int(digit), Self.exponentLimit) }
      next &+= 1
    }
    guard next > first else { return }
    exponent = sign == UInt8(ascii: "-") ? -value : value
    hasExponent = true
    index = next
  }
}
