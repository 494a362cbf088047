/// A date, perhaps with a time of day, as expressions hold it: sixteen bytes.
///
/// With an offset from UTC it is an instant, without one civil time. If both are compared or subtracted,
/// civil time counts as UTC, and a date as its midnight. Its year is 0 to 9999; results outside of that do
/// not exist.
struct Timestamp: Hashable, Sendable {
  /// Seconds since 1970-01-01T00:00 in local time.
  private let seconds: Int64

  /// Billionths of a second.
  private let fraction: Int32

  /// Seconds east of UTC, or one of the marks below.
  private let place: Int32

  /// The mark of a date without time.
  private static var noTime: Int32 { .min }

  /// The mark of a time without offset.
  private static var noOffset: Int32 { .max }

  /// The seconds of a day.
  static var secondsOfDay: Int64 { 86_400 }

  /// The first and the last second that a timestamp can have.
  private static var first: Int64 { -62_167_219_200 }
  private static var last: Int64 { 253_402_300_799 }

  private init?(seconds: Int64, fraction: Int32, place: Int32) {
    guard seconds >= Self.first, seconds <= Self.last else { return nil }
    self.seconds = seconds
    self.fraction = fraction
    self.place = place
  }

  /// The midnight of a date.
  init(_ date: CivilDate) {
    seconds = Int64(date.daysSinceEpoch) &* Self.secondsOfDay
    fraction = 0
    place = Self.noTime
  }

  /// Creates a time of day in local time.
  ///
  /// - Parameter offset: the seconds east of UTC, less than a day; `nil` for civil time.
  init?(_ date: CivilDate, secondOfDay: Int, nanosecond: Int, offset: Int?) {
    self.init(
      seconds: Int64(date.daysSinceEpoch) &* Self.secondsOfDay &+ Int64(secondOfDay),
      fraction: Int32(truncatingIfNeeded: nanosecond), place: offset.map { Int32($0) } ?? Self.noOffset)
  }

  /// The instant `instant` seconds after 1970-01-01T00:00Z, shown at an offset of `offset` seconds east of UTC.
  init?(instant: Int64, nanosecond: Int = 0, offset: Int) {
    let (seconds, overflow) = instant.addingReportingOverflow(Int64(offset))
    if overflow { return nil }
    self.init(seconds: seconds, fraction: Int32(truncatingIfNeeded: nanosecond), place: Int32(offset))
  }

  /// Reads a whole cell in ISO 8601; `nil` if it is no date.
  @inline(__always)
  init?(_ text: Span<UInt8>) {
    if let date = CivilDate(plain: text) {
      self.init(date)
    } else {
      guard let time = Self.read(text) else { return nil }
      self = time
    }
  }

  @inline(never)
  private static func read(_ text: Span<UInt8>) -> Timestamp? {
    guard let civil = CivilDateTime(text) else { return nil }
    if !civil.hasTime { return Timestamp(civil.date) }
    return Timestamp(
      civil.date, secondOfDay: civil.secondOfDay, nanosecond: civil.nanosecond, offset: civil.offset)
  }
}

// MARK: - Parts

extension Timestamp {
  /// Whether it has no time.
  var isDate: Bool { place == Self.noTime }

  /// Seconds east of UTC; `nil` for civil time and dates.
  var offset: Int? { isDate || place == Self.noOffset ? nil : Int(place) }

  /// Seconds since 1970-01-01T00:00Z.
  var instant: Int64 { seconds &- Int64(offset ?? 0) }

  /// Billionths of a second.
  var nanosecond: Int { Int(fraction) }

  /// Seconds since midnight.
  var secondOfDay: Int { Int(seconds &- day &* Self.secondsOfDay) }

  /// The day.
  var date: CivilDate { CivilDate(daysSinceEpoch: Int(day)) }

  /// Days since 1970-01-01.
  private var day: Int64 { Self.floor(seconds, Self.secondsOfDay) }

  /// The day of the week, from 1 for Monday.
  var weekday: Int { Int(Self.modulo(day &+ 3, 7)) + 1 }

  /// The day of the year, from 1.
  var dayOfYear: Int {
    guard let first = CivilDate(year: date.year, month: 1, day: 1) else { return 1 }
    return Int(day) - first.daysSinceEpoch + 1
  }

  /// The ISO 8601 week and the year that it belongs to: the first week contains the first Thursday.
  var week: (year: Int, number: Int) {
    let thursday = day &- Int64(weekday) &+ 4
    let date = CivilDate(daysSinceEpoch: Int(thursday))
    let ordinal = Int(thursday) - CivilDate.daysSinceEpoch(year: date.year, month: 1, day: 1)
    return (date.year, ordinal / 7 + 1)
  }

  /// The date alone.
  var withoutTime: Timestamp { Timestamp(date) }

  /// A date as its midnight; anything else unchanged.
  var withTime: Timestamp {
    isDate ? Timestamp(seconds: seconds, fraction: 0, place: Self.noOffset) ?? self : self
  }

  /// The same instant shown at an offset of `offset` seconds east of UTC.
  func moved(toOffset offset: Int) -> Timestamp? {
    Timestamp(instant: instant, nanosecond: nanosecond, offset: offset)
  }

  /// Billionths of a second since 1970-01-01T00:00Z.
  private var nanoseconds: Int128 { Int128(instant) * 1_000_000_000 + Int128(fraction) }

  /// Seconds since 1970-01-01T00:00Z.
  var epoch: Number {
    if fraction == 0 { return .int(instant) }
    return .decimal(ExactDecimal(unchecked: nanoseconds, scale: 9).withoutTrailingZeros)
  }

  /// The instant `epoch` seconds after 1970-01-01T00:00Z, in UTC.
  init?(epoch: ExactDecimal) {
    guard let whole = epoch.wholeNanoseconds else { return nil }
    let seconds = Self.floor(whole, 1_000_000_000)
    guard let instant = Int64(exactly: seconds) else { return nil }
    self.init(instant: instant, nanosecond: Int(whole - seconds * 1_000_000_000), offset: 0)
  }

  /// The quotient, rounded down.
  private static func floor<Integer: FixedWidthInteger>(_ value: Integer, _ divisor: Integer) -> Integer {
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }

  private static func modulo(_ value: Int64, _ divisor: Int64) -> Int64 {
    value - floor(value, divisor) * divisor
  }
}

extension Timestamp: Comparable {
  /// Whether the left one is earlier.
  static func < (left: Self, right: Self) -> Bool { compare(left, right) < 0 }

  /// Below 0, 0 or above 0, as the left one is earlier, at the same time, or later.
  static func compare(_ left: Self, _ right: Self) -> Int {
    let (first, second) = (left.instant, right.instant)
    if first != second { return first < second ? -1 : 1 }
    return Int(left.fraction) - Int(right.fraction)
  }
}

// MARK: - Arithmetic

extension ExactDecimal {
  /// Seconds as whole billionths; `nil` if there are too many.
  fileprivate var wholeNanoseconds: Int128? { truncated(to: 9)?.rescaled(to: 9)?.significand }
}

extension Timestamp {
  /// The time a duration later; `nil` if it does not exist.
  ///
  /// A date stays one if whole days are added.
  func adding(_ duration: Duration) -> Timestamp? {
    guard let length = duration.seconds.wholeNanoseconds else { return nil }
    let (sum, overflow) = length.addingReportingOverflow(Int128(fraction))
    if overflow { return nil }
    let carried = Self.floor(sum, 1_000_000_000)
    guard let distance = Int64(exactly: carried) else { return nil }
    let (seconds, isTooFar) = seconds.addingReportingOverflow(distance)
    if isTooFar { return nil }
    let rest = Int32(truncatingIfNeeded: sum - carried * 1_000_000_000)
    let isWhole = rest == 0 && distance % Self.secondsOfDay == 0
    return Timestamp(seconds: seconds, fraction: rest, place: isDate && !isWhole ? Self.noOffset : place)
  }

  /// The time from another one to this one.
  func since(_ other: Timestamp) -> Duration {
    let length = ExactDecimal(unchecked: nanoseconds - other.nanoseconds, scale: 9)
    return Duration(seconds: length.withoutTrailingZeros)
  }

  /// The time `count` units later; `nil` if it does not exist.
  ///
  /// If the month has no day of that number, its last day is used. A date stays a date if days are added.
  func adding(_ count: Int, _ unit: TimeUnit) -> Timestamp? {
    if let months = unit.months {
      let (distance, overflow) = count.multipliedReportingOverflow(by: months)
      let (month, isTooFar) = distance.addingReportingOverflow(date.year * 12 + date.month - 1)
      guard !overflow, !isTooFar, month >= 0, month < 120_000 else { return nil }
      let (year, number) = month.quotientAndRemainder(dividingBy: 12)
      let day = min(date.day, CivilDate.days(inMonth: number + 1, of: year))
      let days = Int64(CivilDate.daysSinceEpoch(year: year, month: number + 1, day: day))
      return Timestamp(
        seconds: days &* Self.secondsOfDay &+ Int64(secondOfDay), fraction: fraction, place: place)
    }
    let (distance, overflow) = Int64(count).multipliedReportingOverflow(by: Int64(unit.seconds))
    let (seconds, isTooFar) = seconds.addingReportingOverflow(distance)
    if overflow || isTooFar { return nil }
    let isWhole = distance % Self.secondsOfDay == 0
    return Timestamp(seconds: seconds, fraction: fraction, place: isDate && !isWhole ? Self.noOffset : place)
  }

  /// The number of whole units from another time to this one; negative if this one is earlier.
  func count(of unit: TimeUnit, since other: Timestamp) -> Int {
    guard let months = unit.months else {
      return Int((nanoseconds - other.nanoseconds) / (Int128(unit.seconds) * 1_000_000_000))
    }
    let end = moved(toClockOf: other)
    var count = (end.date.year - other.date.year) * 12 + end.date.month - other.date.month
    // Adding months ends on the last day of a month that has no day of that number.
    let most = CivilDate.days(inMonth: end.date.month, of: end.date.year)
    let first = other.inMonth - Int128(max(other.date.day - most, 0) * 86_400) * 1_000_000_000
    let last = end.inMonth
    if count > 0, last < first { count -= 1 }
    if count < 0, last > first { count += 1 }
    return count / months
  }

  /// The beginning of the unit that contains the time, in local time.
  func truncated(to unit: TimeUnit) -> Timestamp {
    let date = date
    var days = day
    switch unit {
    case .year: days = Int64(CivilDate.daysSinceEpoch(year: date.year, month: 1, day: 1))
    case .quarter:
      days = Int64(CivilDate.daysSinceEpoch(year: date.year, month: (date.month - 1) / 3 * 3 + 1, day: 1))
    case .month: days = Int64(CivilDate.daysSinceEpoch(year: date.year, month: date.month, day: 1))
    case .week: days -= Int64(weekday - 1)
    case .day: break
    case .hour, .minute, .second:
      let second = Int64(secondOfDay / unit.seconds * unit.seconds)
      return Timestamp(seconds: days &* Self.secondsOfDay &+ second, fraction: 0, place: place) ?? self
    }
    return Timestamp(seconds: days &* Self.secondsOfDay, fraction: 0, place: place) ?? self
  }

  /// The same instant at the offset of another time.
  private func moved(toClockOf other: Timestamp) -> Timestamp {
    if offset == nil, other.offset == nil { return self }
    return moved(toOffset: other.offset ?? 0) ?? self
  }

  /// The nanoseconds since the beginning of its month.
  private var inMonth: Int128 {
    Int128(date.day * 86_400 + secondOfDay) * 1_000_000_000 + Int128(fraction)
  }
}

// MARK: - Clocks of a zone

/// The same with the length that days, months and years have on the clocks of a zone. Times without an offset have none.
extension Timestamp {
  /// The beginning of the unit that contains the instant.
  func truncated(to unit: TimeUnit, in zone: TimeZone?) -> Timestamp {
    guard let zone, offset != nil else { return truncated(to: unit) }
    let start = moved(to: zone).truncated(to: unit)
    return unit.isCountedInDays ? start.firstShown(in: zone) : start
  }

  /// The time `count` units later; `nil` if it does not exist.
  func adding(_ count: Int, _ unit: TimeUnit, in zone: TimeZone?) -> Timestamp? {
    guard let zone, offset != nil else { return adding(count, unit) }
    let time = moved(to: zone).adding(count, unit)
    return unit.isCountedInDays ? time?.shown(in: zone) : time?.moved(to: zone)
  }

  /// The time a duration later; `nil` if it does not exist.
  func adding(_ duration: Duration, in zone: TimeZone?) -> Timestamp? {
    guard let zone, offset != nil else { return adding(duration) }
    return adding(duration)?.moved(to: zone)
  }

  /// The number of whole units from another time to this one.
  func count(of unit: TimeUnit, since other: Timestamp, in zone: TimeZone?) -> Int {
    guard let zone, offset != nil, other.offset != nil, unit.isCountedInDays else {
      return count(of: unit, since: other)
    }
    return moved(to: zone).withoutOffset.count(of: unit, since: other.moved(to: zone).withoutOffset)
  }

  /// The same instant on the clocks of a zone.
  private func moved(to zone: TimeZone) -> Timestamp { moved(toOffset: zone.offset(at: instant)) ?? self }

  /// The instant at which the clocks of a zone show this time; if they never do, as much later as they are put forward.
  ///
  /// If they show it twice, it is the one with this offset, or else the first.
  private func shown(in zone: TimeZone) -> Timestamp {
    zone.offset(at: instant) == offset ? self : firstShown(in: zone)
  }

  /// The first instant at which the clocks of a zone show this time; if they never do, as much later as they are put
  /// forward.
  private func firstShown(in zone: TimeZone) -> Timestamp {
    let place = Int32(truncatingIfNeeded: zone.offset(atClock: seconds))
    return Timestamp(seconds: seconds, fraction: fraction, place: place)?.moved(to: zone) ?? self
  }

  /// The same time of the clock without its offset.
  private var withoutOffset: Timestamp {
    Timestamp(seconds: seconds, fraction: fraction, place: Self.noOffset) ?? self
  }
}

/// A unit in which times are counted.
enum TimeUnit: String, CaseIterable, Sendable {
  case year
  case quarter
  case month
  case week
  case day
  case hour
  case minute
  case second

  /// The unit of a name, in any case, singular or plural.
  init?(_ name: Span<UInt8>) {
    guard name.count < 10 else { return nil }
    let word = String(decoding: name).lowercased()
    self.init(rawValue: word.hasSuffix("s") ? String(word.dropLast()) : word)
  }

  /// The number of its months, if it is no fixed number of seconds.
  var months: Int? {
    switch self {
    case .year: 12
    case .quarter: 3
    case .month: 1
    case .week, .day, .hour, .minute, .second: nil
    }
  }

  /// Whether it is a number of days, which are not equally long where clocks are changed.
  var isCountedInDays: Bool {
    switch self {
    case .year, .quarter, .month, .week, .day: true
    case .hour, .minute, .second: false
    }
  }

  /// The number of its seconds; 0 if it is counted in months.
  var seconds: Int {
    switch self {
    case .week: 604_800
    case .day: 86_400
    case .hour: 3_600
    case .minute: 60
    case .second: 1
    case .year, .quarter, .month: 0
    }
  }
}

// MARK: - Text

extension Timestamp {
  /// Appends the time in ISO 8601: `2025-06-01`, `2025-06-01T12:30:00.25+02:00`.
  func append(to buffer: inout ByteBuffer) {
    let date = date
    buffer.append(date.year, digits: 4)
    buffer.append(UInt8(ascii: "-"))
    buffer.append(date.month, digits: 2)
    buffer.append(UInt8(ascii: "-"))
    buffer.append(date.day, digits: 2)
    if isDate { return }
    let second = secondOfDay
    buffer.append(UInt8(ascii: "T"))
    buffer.append(second / 3600, digits: 2)
    buffer.append(UInt8(ascii: ":"))
    buffer.append(second / 60 % 60, digits: 2)
    buffer.append(UInt8(ascii: ":"))
    buffer.append(second % 60, digits: 2)
    if fraction > 0 {
      buffer.append(UInt8(ascii: "."))
      var (rest, digits) = (Int(fraction), 9)
      while rest % 10 == 0 { (rest, digits) = (rest / 10, digits - 1) }
      buffer.append(rest, digits: digits)
    }
    guard let offset else { return }
    if offset == 0 { return buffer.append(UInt8(ascii: "Z")) }
    Self.append(offset: offset, mark: UInt8(ascii: ":"), to: &buffer)
  }

  /// Appends `+02:00`, or `+0200` without a mark; seconds only if there are any.
  static func append(offset: Int, mark: UInt8?, to buffer: inout ByteBuffer) {
    buffer.append(UInt8(ascii: offset < 0 ? "-" : "+"))
    let distance = Int(offset.magnitude)
    buffer.append(distance / 3600, digits: 2)
    if let mark { buffer.append(mark) }
    buffer.append(distance / 60 % 60, digits: 2)
    guard distance % 60 != 0 else { return }
    if let mark { buffer.append(mark) }
    buffer.append(distance % 60, digits: 2)
  }
}

extension ByteBuffer {
  /// Appends a number that is not negative with at least `digits` digits.
  mutating func append(_ number: Int, digits: Int) {
    var unit = 1
    for _ in 1..<max(digits, 1) { unit *= 10 }
    while unit > 1, number < unit {
      append(UInt8(ascii: "0"))
      unit /= 10
    }
    append(decimal: number)
  }
}

extension Duration {
  /// Appends the length in days, hours, minutes and seconds: `1d2h`, `1h30m`, `0.25s`.
  func append(to buffer: inout ByteBuffer) {
    guard let whole = seconds.truncated(to: 0)?.significand,
      let rest = seconds.subtracting(ExactDecimal(unchecked: whole, scale: 0))
    else {
      NumberWriter.append(.decimal(seconds), to: &buffer)
      return buffer.append(UInt8(ascii: "s"))
    }
    if seconds.significand < 0 { buffer.append(UInt8(ascii: "-")) }
    var count = whole.magnitude
    let start = buffer.count
    for (unit, length) in [("d", 86_400), ("h", 3_600), ("m", 60)] as [(StaticString, UInt128)]
    where count >= length {
      NumberWriter.append(Number(ExactDecimal(unchecked: Int128(count / length), scale: 0)), to: &buffer)
      buffer.append(unit)
      count %= length
    }
    if count == 0, rest.significand == 0, buffer.count > start { return }
    let last = ExactDecimal(unchecked: Int128(count), scale: 0).adding(
      rest.significand < 0 ? rest.negated : rest)
    NumberWriter.append(Number(last?.withoutTrailingZeros ?? ExactDecimal(0)), to: &buffer)
    buffer.append(UInt8(ascii: "s"))
  }
}
