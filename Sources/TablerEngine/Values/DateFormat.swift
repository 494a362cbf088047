/// A pattern of dates as in the C library's `strftime`, with English names: `%d %b %Y`.
public struct DateFormat: Hashable, Sendable {
  private enum DatePiece: Hashable, Sendable {
    case text(UInt8)
    case field(UInt8)
    /// `%-d`: a number without zeros or blanks before it.
    case shortField(UInt8)

    /// The letter of a field.
    var letter: UInt8? {
      switch self {
      case .text: nil
      case .field(let letter), .shortField(let letter): letter
      }
    }
  }

  private var pieces: [DatePiece] = []

  /// Whether the pattern says more than the day.
  private var hasTime = false

  /// Reads a pattern to read cells with; `nil` if it does not determine a day, or a letter after `%` means nothing.
  public init?(reading text: String) {
    self.init(text.utf8.span)
    guard canRead, has("Yys") else { return nil }
  }

  /// Reads a pattern; `nil` if a letter after `%` means nothing.
  init?(_ text: Span<UInt8>) {
    var index = 0
    while index < text.count {
      let byte = text[index]
      index += 1
      guard byte == UInt8(ascii: "%") else {
        pieces.append(.text(byte))
        continue
      }
      guard index < text.count else { return nil }
      let letter = text[index]
      index += 1
      switch letter {
      case UInt8(ascii: "%"): pieces.append(.text(letter))
      case UInt8(ascii: "n"): pieces.append(.text(10))
      case UInt8(ascii: "t"): pieces.append(.text(9))
      case UInt8(ascii: "F"): append("Y-m-d")
      case UInt8(ascii: "T"): append("H:M:S")
      case UInt8(ascii: "R"): append("H:M")
      case UInt8(ascii: "D"): append("m/d/y")
      case UInt8(ascii: "h"): pieces.append(.field(UInt8(ascii: "b")))
      case UInt8(ascii: "-"):
        guard index < text.count, Self.numbers.utf8.contains(text[index]) else { return nil }
        pieces.append(.shortField(text[index]))
        index += 1
      default:
        guard Self.letters.utf8.contains(letter) else { return nil }
        pieces.append(.field(letter))
      }
    }
    hasTime = has("HIkMSflpszZ")
  }

  /// Whether a text has a `%` with a letter after it, perhaps with `-` between.
  static func isMarked(_ text: Span<UInt8>) -> Bool {
    var index = 0
    while index + 1 < text.count {
      if text[index] == UInt8(ascii: "%") {
        let isShort = text[index + 1] == UInt8(ascii: "-") && index + 2 < text.count
        if (text[index + (isShort ? 2 : 1)] | 0x20) &- 0x61 < 26 { return true }
      }
      index += 1
    }
    return false
  }

  /// Appends fields, and the marks between them.
  private mutating func append(_ fields: StaticString) {
    for index in 0..<fields.utf8CodeUnitCount {
      let byte = fields.byte(at: index)
      let isLetter = (byte | 0x20) &- 0x61 < 26
      pieces.append(isLetter ? .field(byte) : .text(byte))
    }
  }

  /// Every field.
  private static let letters = "YmdHIMSyjbBaApekluwVGUWsfzZ"

  /// The fields that are numbers and may follow `%-`.
  private static let numbers = "YmdHIMSyjekluwVGUW"

  /// The fields that do not help to find the day, so that texts cannot be read with them.
  private static let written = "VGUW"

  /// Whether texts can be read with it.
  var canRead: Bool {
    pieces.allSatisfy { $0.letter.map { !Self.written.utf8.contains($0) } ?? true }
  }

  /// Whether the pattern has one of some fields.
  private func has(_ letters: String) -> Bool {
    pieces.contains { $0.letter.map { letters.utf8.contains($0) } ?? false }
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November",
    "December",
  ].map { Array($0.utf8) }

  private static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ].map { Array($0.utf8) }
}

// MARK: - Writing

extension DateFormat {
  /// Appends a time as the pattern spells it.
  func append(_ time: Timestamp, to buffer: inout ByteBuffer) {
    for piece in pieces {
      switch piece {
      case .text(let byte): buffer.append(byte)
      case .field(let letter):
        if let number = Self.number(letter, time, time.date, time.secondOfDay) {
          number.append(to: &buffer)
        } else {
          Self.append(letter, time, time.date, time.secondOfDay, to: &buffer)
        }
      case .shortField(let letter):
        if let number = Self.number(letter, time, time.date, time.secondOfDay) {
          buffer.append(decimal: number.value)
        }
      }
    }
  }

  /// A number of a date, and how it is written.
  private struct DateNumber {
    /// The number.
    var value: Int
    /// The least number of digits.
    var digits: Int
    /// Whether it is padded with blanks, not zeros.
    var hasBlanks = false

    func append(to buffer: inout ByteBuffer) {
      if hasBlanks {
        if value < 10 { buffer.append(32) }
        buffer.append(decimal: value)
      } else {
        buffer.append(value, digits: digits)
      }
    }
  }

  /// The number of a field; `nil` for one that is a text.
  private static func number(
    _ letter: UInt8, _ time: Timestamp, _ date: CivilDate, _ second: Int
  ) -> DateNumber? {
    let hour = second / 3600
    return switch letter {
    case UInt8(ascii: "Y"): DateNumber(value: date.year, digits: 4)
    case UInt8(ascii: "y"): DateNumber(value: date.year % 100, digits: 2)
    case UInt8(ascii: "m"): DateNumber(value: date.month, digits: 2)
    case UInt8(ascii: "d"): DateNumber(value: date.day, digits: 2)
    case UInt8(ascii: "e"): DateNumber(value: date.day, digits: 2, hasBlanks: true)
    case UInt8(ascii: "j"): DateNumber(value: time.dayOfYear, digits: 3)
    case UInt8(ascii: "H"): DateNumber(value: hour, digits: 2)
    case UInt8(ascii: "k"): DateNumber(value: hour, digits: 2, hasBlanks: true)
    case UInt8(ascii: "I"): DateNumber(value: (hour + 11) % 12 + 1, digits: 2)
    case UInt8(ascii: "l"): DateNumber(value: (hour + 11) % 12 + 1, digits: 2, hasBlanks: true)
    case UInt8(ascii: "M"): DateNumber(value: second / 60 % 60, digits: 2)
    case UInt8(ascii: "S"): DateNumber(value: second % 60, digits: 2)
    case UInt8(ascii: "u"): DateNumber(value: time.weekday, digits: 1)
    case UInt8(ascii: "w"): DateNumber(value: time.weekday % 7, digits: 1)
    case UInt8(ascii: "V"): DateNumber(value: time.week.number, digits: 2)
    case UInt8(ascii: "G"): DateNumber(value: max(time.week.year, 0), digits: 4)
    case UInt8(ascii: "U"): DateNumber(value: (time.dayOfYear + 6 - time.weekday % 7) / 7, digits: 2)
    case UInt8(ascii: "W"): DateNumber(value: (time.dayOfYear + 7 - time.weekday) / 7, digits: 2)
    default: nil
    }
  }

  /// Appends a field that is no number.
  private static func append(
    _ letter: UInt8, _ time: Timestamp, _ date: CivilDate, _ second: Int, to buffer: inout ByteBuffer
  ) {
    switch letter {
    case UInt8(ascii: "f"): buffer.append(time.nanosecond / 1000, digits: 6)
    case UInt8(ascii: "p"): buffer.append(second < 12 * 3600 ? "AM" : "PM")
    case UInt8(ascii: "b"): buffer.append(Array(months[date.month - 1].prefix(3)))
    case UInt8(ascii: "B"): buffer.append(months[date.month - 1])
    case UInt8(ascii: "a"): buffer.append(Array(weekdays[time.weekday - 1].prefix(3)))
    case UInt8(ascii: "A"): buffer.append(weekdays[time.weekday - 1])
    case UInt8(ascii: "s"): NumberWriter.append(.int(time.instant), to: &buffer)
    case UInt8(ascii: "z"):
      if let offset = time.offset { Timestamp.append(offset: offset, mark: nil, to: &buffer) }
    case UInt8(ascii: "Z"):
      guard let offset = time.offset else { break }
      if offset == 0 {
        buffer.append("UTC")
      } else {
        Timestamp.append(offset: offset, mark: 0x3A, to: &buffer)
      }
    default: break
    }
  }
}

// MARK: - Reading

extension DateFormat {
  /// The time that a whole text spells in this pattern; `nil` if it does not.
  func read(_ text: Span<UInt8>) -> Timestamp? {
    var cursor = DateCursor(text)
    for piece in pieces {
      switch piece {
      case .text(let byte):
        guard NumberScan.isBlank(byte) || byte == 10 ? cursor.skipBlanks() : cursor.consume(byte) else {
          return nil
        }
      case .field(let letter), .shortField(let letter):
        guard cursor.read(letter) else { return nil }
      }
    }
    return cursor.isAtEnd ? cursor.time : nil
  }

  /// The time that a whole text spells in this pattern or in ISO 8601: only a date if the pattern has no time.
  func readOrISO(_ text: Span<UInt8>) -> Timestamp? {
    guard let time = read(text) else { return Timestamp(text) }
    return hasTime ? time : time.withoutTime
  }

  /// A position in a text, and what was read before it.
  private struct DateCursor: ~Escapable {
    private let text: Span<UInt8>
    private var index = 0
    private var year: Int?
    private var month: Int?
    private var day: Int?
    private var dayOfYear: Int?
    private var hour = 0
    private var isAfternoon: Bool?
    private var minute = 0
    private var second = 0
    private var nanosecond = 0
    private var offset: Int?
    private var epoch: Int?

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) { self.text = text }

    var isAtEnd: Bool { index == text.count }

    mutating func consume(_ byte: UInt8) -> Bool {
      guard index < text.count, text[index] == byte else { return false }
      index += 1
      return true
    }

    /// A blank of the pattern matches any number of blanks, even none.
    mutating func skipBlanks() -> Bool {
      while index < text.count, NumberScan.isBlank(text[index]) || text[index] == 10 { index += 1 }
      return true
    }

    mutating func read(_ letter: UInt8) -> Bool {
      switch letter {
      case UInt8(ascii: "Y"):
        year = digits(4, least: 4)
        return year != nil
      case UInt8(ascii: "y"):
        guard let short = digits(2, least: 2) else { return false }
        year = short < 69 ? 2000 + short : 1900 + short
      case UInt8(ascii: "m"):
        month = digits(2)
        return month != nil
      case UInt8(ascii: "d"):
        day = digits(2)
        return day != nil
      case UInt8(ascii: "e"):
        day = skipBlanks() ? digits(2) : nil
        return day != nil
      case UInt8(ascii: "j"):
        dayOfYear = digits(3)
        return dayOfYear != nil
      case UInt8(ascii: "H"), UInt8(ascii: "k"):
        guard letter == UInt8(ascii: "H") || skipBlanks(), let found = digits(2), found < 24 else {
          return false
        }
        hour = found
      case UInt8(ascii: "I"), UInt8(ascii: "l"):
        guard letter == UInt8(ascii: "I") || skipBlanks(), let found = digits(2), (1...12).contains(found)
        else {
          return false
        }
        hour = found % 12
        isAfternoon = isAfternoon ?? false
      case UInt8(ascii: "M"):
        guard let found = digits(2), found < 60 else { return false }
        minute = found
      case UInt8(ascii: "S"):
        guard let found = digits(2), found <= 60 else { return false }
        second = found
      case UInt8(ascii: "f"):
        let start = index
        guard let found = digits(9) else { return false }
        nanosecond = found
        for _ in index - start..<9 { nanosecond *= 10 }
      case UInt8(ascii: "p"):
        guard index + 1 < text.count, text[index + 1] | 0x20 == UInt8(ascii: "m") else { return false }
        switch text[index] | 0x20 {
        case UInt8(ascii: "a"): isAfternoon = false
        case UInt8(ascii: "p"): isAfternoon = true
        default: return false
        }
        index += 2
      case UInt8(ascii: "b"), UInt8(ascii: "B"):
        month = name(of: DateFormat.months).map { $0 + 1 }
        return month != nil
      case UInt8(ascii: "a"), UInt8(ascii: "A"): return name(of: DateFormat.weekdays) != nil
      case UInt8(ascii: "u"), UInt8(ascii: "w"): return digits(1) != nil
      case UInt8(ascii: "s"):
        let isNegative = consume(UInt8(ascii: "-"))
        guard let found = digits(12) else { return false }
        epoch = isNegative ? -found : found
      case UInt8(ascii: "z"), UInt8(ascii: "Z"): return readOffset()
      default: return false
      }
      return true
    }

    private mutating func digits(_ most: Int, least: Int = 1) -> Int? {
      let start = index
      var value = 0
      while index < text.count, index - start < most, text[index].isDigit {
        value = value * 10 + Int(text[index] &- 48)
        index += 1
      }
      return index - start >= least ? value : nil
    }

    /// The index of the name that comes next, whole or its first three letters, in any case.
    private mutating func name(of names: [[UInt8]]) -> Int? {
      for (place, name) in names.enumerated() {
        for length in [name.count, 3] where index + length <= text.count {
          let isSame = (0..<length).allSatisfy { text[index + $0] | 0x20 == name[$0] | 0x20 }
          if isSame {
            index += length
            return place
          }
        }
      }
      return nil
    }

    private mutating func readOffset() -> Bool {
      if consume(UInt8(ascii: "Z")) {
        offset = 0
        return true
      }
      for name in ["UTC", "GMT"] where index + 3 <= text.count {
        if text.extracting(index..<index + 3).equals(Array(name.utf8).span) {
          index += 3
          offset = 0
          return true
        }
      }
      let isWest = consume(UInt8(ascii: "-"))
      guard isWest || consume(UInt8(ascii: "+")), let hours = digits(2, least: 2), hours < 24 else {
        return false
      }
      var minutes = 0
      let hasMark = consume(UInt8(ascii: ":"))
      if hasMark || (index < text.count && text[index].isDigit) {
        guard let found = digits(2, least: 2), found < 60 else { return false }
        minutes = found
      }
      offset = (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
      return true
    }

    /// The time that the fields give together; `nil` without a year.
    var time: Timestamp? {
      if let epoch { return Timestamp(instant: Int64(epoch), nanosecond: nanosecond, offset: offset ?? 0) }
      guard let year else { return nil }
      let seconds = (hour + (isAfternoon == true ? 12 : 0)) * 3600 + minute * 60 + second
      guard hour < 12 || isAfternoon != true else { return nil }
      var date = CivilDate(year: year, month: month ?? 1, day: day ?? 1)
      if let dayOfYear, month == nil, day == nil, let first = date {
        guard dayOfYear >= 1, dayOfYear <= 365 + (CivilDate.days(inMonth: 2, of: year) - 28) else {
          return nil
        }
        date = CivilDate(daysSinceEpoch: first.daysSinceEpoch + dayOfYear - 1)
      }
      return date.flatMap {
        Timestamp($0, secondOfDay: seconds, nanosecond: nanosecond, offset: offset)
      }
    }
  }
}
