/// A length of time in exact seconds: `1d2h`, `1h 05m`, `90s`, `1min 20.5s`, `3 days`, `P1DT2H`, `1-02:03:04`.
///
/// Units are `w d h m s ms us ns`, each at most once and in this order; blanks may separate them. The first five may
/// be words, after a blank or not: `day`, `days`, `hr`, `min`. The last one may have decimals. Months and years have no
/// fixed length and are refused, and so is a number without a unit. With colons they are `[D-]H:M:S`, as ps and Slurm write them, `1 day 02:03:04` of PostgreSQL, or
/// `1:23.45`; `9:59` may be hours and minutes, or minutes and seconds.
struct Duration: Hashable, Comparable, Sendable {
  /// The length; negative after a minus.
  let seconds: ExactDecimal

  /// Whether the left one is shorter.
  static func < (left: Self, right: Self) -> Bool { left.seconds < right.seconds }

  /// Creates a duration of `seconds`.
  init(seconds: ExactDecimal) { self.seconds = seconds }

  /// Reads a whole cell; nil if it is no duration.
  ///
  /// - Parameter isOfKey: whether the text is only brought in order: then `9:59` is minutes and seconds, as it is
  ///   beside `1:02:03`, alone it makes no difference; and `2y45d` is what kubectl prints, with years of 365 days.
  init?(_ text: Span<UInt8>, isOfKey: Bool = false) {
    var index = 0
    var end = text.count
    while index < end, NumberScan.isBlank(text[index]) { index += 1 }
    while end > index, NumberScan.isBlank(text[end - 1]) { end -= 1 }
    let start = index
    var isNegative = false
    if index < end, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
      isNegative = text[index] == UInt8(ascii: "-")
      index += 1
    }
    guard index < end else { return nil }
    let inner = text.extracting(index..<end)
    let isStandard = inner[0] | 0x20 == UInt8(ascii: "p")
    guard
      let sum = isStandard
        ? Self.standard(inner)
        : Self.short(inner, hasYears: isOfKey)
          ?? Self.clock(inner, isSigned: index > start, readsMinutes: isOfKey)
    else { return nil }
    seconds = isNegative ? sum.negated : sum
  }
}

extension Duration {
  /// One unit: its length, and its rank in the order of units.
  private typealias Unit = (rank: Int, length: ExactDecimal)

  /// Reads `1d2h` and `1 day 2 hours`.
  private static func short(_ text: Span<UInt8>, hasYears: Bool) -> ExactDecimal? {
    var reading = Reading()
    var index = 0
    while index < text.count {
      guard let amount = reading.amount(text, &index) else { return nil }
      let amountEnd = index
      while index < text.count, NumberScan.isBlank(text[index]) { index += 1 }
      let start = index
      while index < text.count, text[index] > 0x39 { index += 1 }
      let name = text.extracting(start..<index)
      let isYears = hasYears && name.equals("y")
      // A letter follows at once.
      let lettered = start == amountEnd ? unit(name) : nil
      guard let unit = isYears ? (0, second(365 * 86_400)) : lettered ?? word(name), reading.add(amount, unit)
      else { return nil }
      while index < text.count, NumberScan.isBlank(text[index]) { index += 1 }
    }
    return reading.rank < 0 ? nil : reading.sum
  }

  /// Reads `P1DT2H`, including the `P`.
  private static func standard(_ text: Span<UInt8>) -> ExactDecimal? {
    var reading = Reading()
    var index = 1
    var isTime = false
    while index < text.count {
      if text[index] | 0x20 == UInt8(ascii: "t") {
        index += 1
        guard !isTime, index < text.count else { return nil }
        isTime = true
      }
      guard let amount = reading.amount(text, &index), index < text.count,
        let unit = standardUnit(text[index] | 0x20, isTime: isTime), reading.add(amount, unit)
      else { return nil }
      index += 1
    }
    return reading.rank < 0 ? nil : reading.sum
  }

  /// Reads `2:03:04.5`, `3:04.5`, `1-02:03:04`, `1 day 02:03:04` and `2 days, 2:03:04`, and perhaps `3:04`.
  ///
  /// A sign before days is that of all in some programs, that of the days alone in others, and is refused.
  private static func clock(_ text: Span<UInt8>, isSigned: Bool, readsMinutes: Bool) -> ExactDecimal? {
    var reading = Reading()
    var index = 0
    let colons = text.indices.count { text[$0] == UInt8(ascii: ":") }
    let areSeconds = readsMinutes || text.contains(UInt8(ascii: "."))
    guard colons == 2 || colons == 1 && areSeconds, var amount = reading.amount(text, &index),
      index < text.count
    else { return nil }
    if text[index] != UInt8(ascii: ":") {
      guard let day = standardTime(UInt8(ascii: "d")), reading.add(amount, day), skipDays(text, &index),
        let hours = reading.amount(text, &index)
      else { return nil }
      guard colons == 2, !isSigned else { return nil }
      amount = hours
    }
    for letter in (colons == 1 ? "ms" : "hms").utf8 {
      guard let unit = standardTime(letter), reading.add(amount, unit) else { return nil }
      if letter == UInt8(ascii: "s") { break }
      guard index < text.count, text[index] == UInt8(ascii: ":") else { return nil }
      index += 1
      guard text.extracting(index...).hasSixtieths, let next = reading.amount(text, &index) else {
        return nil
      }
      amount = next
    }
    return index == text.count ? reading.sum : nil
  }

  /// Moves past what stands between days and hours, `-` or ` day `, ` days, `; false if it is something else.
  private static func skipDays(_ text: Span<UInt8>, _ index: inout Int) -> Bool {
    let start = index
    while index < text.count, !text[index].isDigit { index += 1 }
    let mark = text.extracting(start..<index)
    return mark.equals("-") || mark.equals(" day ") || mark.equals(" days ") || mark.equals(" day, ")
      || mark.equals(" days, ")
  }

  /// The unit of a word: `day`, `days`, `min`.
  private static func word(_ name: Span<UInt8>) -> Unit? {
    guard name.count > 1 else { return nil }
    let isPlural = name[name.count - 1] == UInt8(ascii: "s")
    let word = isPlural ? name.extracting(..<(name.count - 1)) : name
    if word.equals("week") { return week }
    if word.equals("day") { return standardTime(UInt8(ascii: "d")) }
    if word.equals("hour") || word.equals("hr") { return standardTime(UInt8(ascii: "h")) }
    if word.equals("minute") || word.equals("min") { return standardTime(UInt8(ascii: "m")) }
    if word.equals("second") || word.equals("sec") { return standardTime(UInt8(ascii: "s")) }
    return nil
  }

  private static func unit(_ name: Span<UInt8>) -> Unit? {
    switch name.count {
    case 1: return name[0] == UInt8(ascii: "w") ? week : standardTime(name[0])
    case 2 where name[1] == UInt8(ascii: "s"):
      switch name[0] {
      case UInt8(ascii: "m"): return (6, ExactDecimal(unchecked: 1, scale: 3))
      case UInt8(ascii: "u"): return (7, ExactDecimal(unchecked: 1, scale: 6))
      case UInt8(ascii: "n"): return (8, ExactDecimal(unchecked: 1, scale: 9))
      default: return nil
      }
    // The micro sign and the Greek letter.
    case 3 where name[2] == UInt8(ascii: "s"):
      let isMicro = (name[0], name[1]) == (0xC2, 0xB5) || (name[0], name[1]) == (0xCE, 0xBC)
      return isMicro ? (7, ExactDecimal(unchecked: 1, scale: 6)) : nil
    default: return nil
    }
  }

  private static func standardTime(_ letter: UInt8) -> Unit? {
    switch letter {
    case UInt8(ascii: "d"): (2, second(86_400))
    case UInt8(ascii: "h"): (3, second(3_600))
    case UInt8(ascii: "m"): (4, second(60))
    case UInt8(ascii: "s"): (5, second(1))
    default: nil
    }
  }

  private static func standardUnit(_ letter: UInt8, isTime: Bool) -> Unit? {
    if letter == UInt8(ascii: "w") { return isTime ? nil : week }
    guard isTime != (letter == UInt8(ascii: "d")) else { return nil }
    return standardTime(letter)
  }

  private static var week: Unit { (1, second(604_800)) }

  private static func second(_ count: Int64) -> ExactDecimal { ExactDecimal(count) }
}

/// The sum of the units read so far.
private struct Reading {
  var sum = ExactDecimal(0)
  /// The rank of the last unit; -1 before the first.
  var rank = -1
  private var hasDecimals = false

  /// The unsigned number at `index`, which moves past it; nothing may follow one with decimals.
  mutating func amount(_ text: Span<UInt8>, _ index: inout Int) -> ExactDecimal? {
    guard !hasDecimals else { return nil }
    let start = index
    while index < text.count, NumberScan.digit(text[index]) <= 9 || text[index] == UInt8(ascii: ".") {
      index += 1
    }
    let digits = text.extracting(start..<index)
    guard let scan = NumberScan(digits), digits[0].isDigit, digits[digits.count - 1].isDigit,
      let exact = NumberReader.exact(scan, digits)
    else { return nil }
    hasDecimals = scan.scale > 0
    return exact
  }

  /// Adds `amount` units; false if the unit is out of order or the sum is too large.
  mutating func add(_ amount: ExactDecimal, _ unit: (rank: Int, length: ExactDecimal)) -> Bool {
    guard unit.rank > rank, let product = amount.multiplied(by: unit.length),
      let total = sum.adding(product)
    else { return false }
    (sum, rank) = (total, unit.rank)
    return true
  }
}

extension Span<UInt8> {
  /// Whether a duration is a number of one unit that is spelled as a word: `3 days`.
  var isCountOfUnits: Bool {
    var index = 0
    while index < count, self[index] < UInt8(ascii: "A") { index += 1 }
    return count - index > 2 && !extracting(index...).holdsDigit
  }
}

extension Span<UInt8> {
  /// Whether the text begins with exactly two digits, a number below 60: minutes or seconds of a clock.
  fileprivate var hasSixtieths: Bool {
    guard count >= 2, self[0].isDigit, self[0] < UInt8(ascii: "6"), self[1].isDigit else { return false }
    return count == 2 || !self[2].isDigit
  }
}
