/// What one pass over the bytes of a number finds: its sign, digits, scale and exponent.
///
/// Reads `[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?` between outer blanks, with the marks given; a thousands
/// mark stands between groups of three digits of the whole part, in all places or in none.
struct NumberScan {
  /// Whether a minus stands in front.
  private(set) var isNegative = false

  /// All digits as one integer, if `digitCount` is at most 19.
  private(set) var significand: UInt64 = 0

  /// The number of digits from the first that is not 0.
  private(set) var digitCount = 0

  /// The number of digits after the decimal mark.
  private(set) var scale = 0

  /// Whether there is a decimal mark; decimals need not follow it.
  private(set) var hasMark = false

  /// The number after `e`, 0 without one, cut at 10^17.
  private(set) var exponent = 0

  /// Whether there is an `e`.
  private(set) var hasExponent = false

  /// Whether a zero leads other digits of the whole part, as in `007`.
  private(set) var hasLeadingZero = false

  /// Where the number lies without sign, blanks and exponent.
  private(set) var digits: Range<Int> = 0..<0

  private static let exponentLimit = 100_000_000_000_000_000

  /// The most digits that `significand` holds.
  static let significandLimit = 19

  /// Scans all of `text`; nil when it is no number.
  @inline(__always)
  init?(_ text: Span<UInt8>, marks: NumberMarks = .standard) {
    var index = 0
    var end = text.count
    while index < end, Self.isBlank(text[index]) { index &+= 1 }
    while end > index, Self.isBlank(text[end &- 1]) { end &-= 1 }
    guard let rest = scan(text, from: index, to: end, marks), rest == end else { return nil }
  }

  /// Scans the number at the start of `text`, which has no blanks before it; `length` is what it takes.
  init?(prefixOf text: Span<UInt8>, marks: NumberMarks = .standard, length: inout Int) {
    guard let end = scan(text, from: 0, to: text.count, marks) else { return nil }
    length = end
  }

  /// Whether `byte` is a space or a tab.
  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// The value of `byte` as a digit, 0 to 9; larger when it is none.
  @inline(__always)
  static func digit(_ byte: UInt8) -> UInt8 { byte &- 0x30 }
}

extension NumberScan {
  /// Scans from `start` and gives the place after the number.
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
    takeDigits(text, &index, end)
    if marks.thousandsLength > 0 {
      takeGroups(text, &index, end, marks, wholeDigits: index &- first)
    }
    let wholeCount = index &- first
    hasLeadingZero = firstSignificant > first && wholeCount > 1
    takeFraction(text, &index, end, marks)
    guard wholeCount > 0 || scale > 0 else { return nil }
    digits = first..<index
    takeExponent(text, &index, end)
    return index
  }

  @inline(__always)
  private mutating func takeDigits(_ text: Span<UInt8>, _ index: inout Int, _ end: Int) {
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

  /// Takes groups of a thousands mark and three digits; leaves `index` at the first that is ill formed.
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
        takeDigits(text, &next, groupEnd)
      } else {
        takeDigits(text, &next, next &+ 3)
      }
      index = next
    }
  }

  @inline(__always)
  private mutating func takeFraction(
    _ text: Span<UInt8>, _ index: inout Int, _ end: Int, _ marks: NumberMarks
  ) {
    guard index < end, text[index] == marks.decimal else { return }
    hasMark = true
    index &+= 1
    let first = index
    if digitCount == 0 {
      while index < end, text[index] == UInt8(ascii: "0") { index &+= 1 }
    }
    takeDigits(text, &index, end)
    scale = index &- first
  }

  @inline(__always)
  private mutating func takeExponent(_ text: Span<UInt8>, _ index: inout Int, _ end: Int) {
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
