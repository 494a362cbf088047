/// A day of the Gregorian calendar, also before it was introduced (as ISO 8601 has it).
struct CivilDate: Hashable, Sendable {
  /// The year, 0 to 9999.
  let year: Int
  /// The month, 1 to 12.
  let month: Int
  /// The day of the month, from 1.
  let day: Int

  /// Creates a date; nil when there is no such day.
  init?(year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.days(inMonth: month, of: year)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
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
  /// Years begin in March here, so that the leap day ends them; 400 of them have 146097 days.
  var daysSinceEpoch: Int {
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
