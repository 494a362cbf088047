/// A date with its time of day and, if one was written, the offset from UTC.
///
/// With an offset it is an instant, without one civil time. If both occur in one column, civil time counts as
/// UTC, and a date as its midnight.
struct CivilDateTime: Hashable, Sendable {
  /// The day.
  let date: CivilDate
  /// Seconds since midnight, up to 86400 (24:00, or a leap second at the day's end).
  let secondOfDay: Int
  /// Billionths of a second; finer digits are cut.
  let nanosecond: Int
  /// Seconds east of UTC; nil for civil time.
  let offset: Int?
  /// Whether a time was written.
  let hasTime: Bool

  /// Seconds since 1970-01-01T00:00Z; with `nanosecond` the key to sort by.
  var secondsSinceEpoch: Int64 { Int64(date.daysSinceEpoch * 86_400 + secondOfDay - (offset ?? 0)) }
}

extension CivilDateTime: Comparable {
  /// Whether the left one is earlier.
  static func < (left: Self, right: Self) -> Bool {
    (left.secondsSinceEpoch, left.nanosecond) < (right.secondsSinceEpoch, right.nanosecond)
  }
}

extension CivilDateTime {
  /// Reads a whole cell in ISO 8601; nil if it is no date.
  ///
  /// `2026-11-21`, `20261121`; then, after `T` or one blank, `09`, `09:05`, `09:05:07.25`, `0905`, `090507`;
  /// then `Z`, `+01`, `+01:00`, `+0100`, `+00:53:28`. Week and ordinal dates are not read.
  init?(_ text: Span<UInt8>) {
    var cursor = Cursor(text)
    guard let (date, isExtended) = cursor.date() else { return nil }
    var time: (second: Int, nanosecond: Int) = (0, 0)
    var offset: Int?
    let hasTime = cursor.consumeTimeMark()
    if hasTime {
      guard let found = cursor.time(isExtended: isExtended) else { return nil }
      time = found
      if !cursor.isAtEnd {
        guard let found = cursor.offset() else { return nil }
        offset = found
      }
    }
    guard cursor.isAtEnd else { return nil }
    self.init(
      date: date, secondOfDay: time.second, nanosecond: time.nanosecond, offset: offset, hasTime: hasTime)
  }
}

/// A position in the bytes of a date.
private struct Cursor: ~Escapable {
  private let text: Span<UInt8>
  private var index = 0
  private var end: Int

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) {
    self.text = text
    end = text.count
    while index < end, NumberScan.isBlank(text[index]) { index += 1 }
    while end > index, NumberScan.isBlank(text[end - 1]) { end -= 1 }
  }

  var isAtEnd: Bool { index == end }

  mutating func date() -> (CivilDate, isExtended: Bool)? {
    guard let year = digits(4) else { return nil }
    let isExtended = consume("-")
    guard let month = digits(2), !isExtended || consume("-"), let day = digits(2),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    return (date, isExtended)
  }

  mutating func consumeTimeMark() -> Bool { consume("T") || consume("t") || consume(" ") }

  mutating func time(isExtended: Bool) -> (second: Int, nanosecond: Int)? {
    guard let hour = digits(2), hour <= 24 else { return nil }
    var minute = 0
    var second = 0
    var nanosecond = 0
    if isExtended ? consume(":") : isAtDigit {
      guard let found = digits(2), found < 60 else { return nil }
      minute = found
      if isExtended ? consume(":") : isAtDigit {
        guard let found = digits(2), found <= 60 else { return nil }
        second = found
        if consume(".") || consume(",") {
          guard let found = fraction() else { return nil }
          nanosecond = found
        }
      }
    }
    if hour == 24, minute + second + nanosecond > 0 { return nil }
    return (hour * 3600 + minute * 60 + second, nanosecond)
  }

  mutating func offset() -> Int? {
    if consume("Z") || consume("z") { return 0 }
    let isWest = consume("-")
    guard isWest || consume("+"), let hour = digits(2), hour < 24 else { return nil }
    var minute = 0
    var second = 0
    if consume(":") || isAtDigit {
      guard let found = digits(2), found < 60 else { return nil }
      minute = found
      // Local time of towns, before there were zones.
      if consume(":") || isAtDigit {
        guard let found = digits(2), found < 60 else { return nil }
        second = found
      }
    }
    return (hour * 3600 + minute * 60 + second) * (isWest ? -1 : 1)
  }

  private var isAtDigit: Bool { index < end && NumberScan.digit(text[index]) <= 9 }

  private mutating func consume(_ mark: Unicode.Scalar) -> Bool {
    guard index < end, UInt32(text[index]) == mark.value else { return false }
    index += 1
    return true
  }

  private mutating func digits(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard isAtDigit else { return nil }
      value = value * 10 + Int(NumberScan.digit(text[index]))
      index += 1
    }
    return value
  }

  /// The digits after the point as billionths; those beyond the ninth are ignored.
  private mutating func fraction() -> Int? {
    guard isAtDigit else { return nil }
    var value = 0
    var unit = 100_000_000
    while isAtDigit {
      value += Int(NumberScan.digit(text[index])) * unit
      unit /= 10
      index += 1
    }
    return value
  }
}

/// A day of the Gregorian calendar, even before it was introduced (as in ISO 8601).
struct CivilDate: Hashable, Sendable {
  /// The year, 0 to 9999.
  let year: Int
  /// The month, 1 to 12.
  let month: Int
  /// The day of the month, from 1.
  let day: Int

  /// Creates a date; nil if there is no such day.
  init?(year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.days(inMonth: month, of: year)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Reads exactly `2026-11-21`.
  @inline(__always)
  init?(plain text: Span<UInt8>) {
    guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else { return nil }
    var digits: (year: UInt32, month: UInt32, day: UInt32, largest: UInt8) = (0, 0, 0, 0)
    for index in 0..<4 {
      let digit = text[index] &- 48
      digits.largest = max(digits.largest, digit)
      digits.year = digits.year &* 10 &+ UInt32(digit)
    }
    for index in 5..<7 {
      let digit = text[index] &- 48
      digits.largest = max(digits.largest, digit)
      digits.month = digits.month &* 10 &+ UInt32(digit)
    }
    for index in 8..<10 {
      let digit = text[index] &- 48
      digits.largest = max(digits.largest, digit)
      digits.day = digits.day &* 10 &+ UInt32(digit)
    }
    guard digits.largest <= 9 else { return nil }
    self.init(year: Int(digits.year), month: Int(digits.month), day: Int(digits.day))
  }

  /// The day `days` days after 1970-01-01; it must be in the years 0 to 9999.
  init(daysSinceEpoch days: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * month + 2) / 5 + 1
    self.month = month < 10 ? month + 3 : month - 9
    year = yearOfEra + era * 400 + (month < 10 ? 0 : 1)
  }

  /// The number of days in `month` of `year`.
  static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The number of days since 1970-01-01.
  ///
  /// Years begin in March here, so that the leap day comes last; 400 of them have 146097 days.
  var daysSinceEpoch: Int { Self.daysSinceEpoch(year: year, month: month, day: day) }

  /// The number of days from 1970-01-01 to a day that exists.
  static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
