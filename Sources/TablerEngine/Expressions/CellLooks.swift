/// The looks of cells that did not convert, and how many have each: remedies are derived from them.
///
/// Parts of an input may be merged in any order, with the same result.
struct CellLooks: Sendable {
  /// The look of one cell.
  enum Look: Int, CaseIterable, Sendable {
    /// A word for a missing value: `NA`.
    case nothing
    /// A number with other marks: `1.234,50`.
    case marked
    /// A number with a currency sign, or the code of one.
    case currency
    /// The same with a decimal comma.
    case currencyWithComma
    /// A number or an amount in parentheses, which is negative: `(7.50)`, `($7.50)`.
    case inParentheses
    /// The same with a decimal comma.
    case inParenthesesWithComma
    /// `1.5G`.
    case size
    /// `45%`.
    case percent
    /// `1h30m`.
    case duration
    /// `5m`, a duration and a size.
    case durationOrSize
    /// `26:03:04`, a duration or a time of day.
    case clock
    /// `9:59`: hours and minutes, or minutes and seconds.
    case shortClock
    /// A date in another spelling than ISO 8601.
    case date
    /// A date or a time in ISO 8601.
    case standardDate
    /// A number.
    case number
    /// A number as large as the seconds since 1970.
    case seconds
    /// A number as large as the milliseconds since 1970.
    case milliseconds
    /// A number before a blank and other text: `145 (2m ago)`.
    case leadingWord
    /// A number directly before other text: `5kg`.
    case leadingDigits
    /// A number before the name of a unit of time: `3 days ago`.
    case age
    /// `yes` or `no`.
    case answer
    /// Another text with a digit.
    case other
  }

  /// The marks that numbers are read with.
  let numberMarks: NumberMarks

  private var looks: [Int] = []
  private var words: [Int] = []
  private var marks: [Int] = []
  private var formats: [Int] = []

  /// How often each unit of time followed a number.
  private var ages: [Int] = []

  /// The number of ages that are durations: `3 days`.
  private(set) var durationAges = 0

  /// Signs that tell sizes from other numbers with a letter.
  private var signs = SizeSigns()

  /// The currency of the first amount, or the word behind the first number, and whether there are others: numbers of
  /// several units have no sum.
  private var unit: [UInt8]?
  private(set) var haveSeveralUnits = false

  /// Whether codes of two capital letters were found, such as `DE`: `NA` may be one of them, too.
  private var hasCodes = false

  /// Prepares to examine cells.
  init(_ marks: NumberMarks = .standard) { numberMarks = marks }

  /// The longest text that is examined.
  static let longest = 48

  /// Adds a cell.
  mutating func recordCell(_ text: Span<UInt8>) {
    var start = 0
    var end = text.count
    while start < end, NumberScan.isBlank(text[start]) { start += 1 }
    while end > start, NumberScan.isBlank(text[end - 1]) { end -= 1 }
    guard start < end, end - start <= Self.longest else { return }
    if looks.isEmpty { looks = [Int](repeating: 0, count: Look.allCases.count) }
    if let look = classify(text.extracting(start..<end)) { looks[look.rawValue] += 1 }
  }

  /// Adds the cells of another part of the same input.
  mutating func merge(_ other: CellLooks) {
    Self.add(other.looks, to: &looks)
    Self.add(other.words, to: &words)
    Self.add(other.marks, to: &marks)
    Self.add(other.formats, to: &formats)
    Self.add(other.ages, to: &ages)
    durationAges += other.durationAges
    signs.merge(other.signs)
    hasCodes = hasCodes || other.hasCodes
    if let unit = other.unit { recordUnit(unit) }
    haveSeveralUnits = haveSeveralUnits || other.haveSeveralUnits
  }

  private mutating func recordUnit(_ other: [UInt8]) {
    if unit == nil { unit = other } else if unit != other { haveSeveralUnits = true }
  }

  /// Their approximate size in bytes.
  var byteCount: Int {
    8 * (looks.capacity + words.capacity + marks.capacity + formats.capacity + ages.capacity)
  }

  private static func add(_ other: [Int], to counts: inout [Int]) {
    if counts.isEmpty {
      counts = other
    } else {
      for index in other.indices { counts[index] += other[index] }
    }
  }
}

// MARK: - Answers

extension CellLooks {
  /// The number of cells with one of some looks.
  func count(_ some: Look...) -> Int { some.reduce(0) { $0 + count(of: $1) } }

  private func count(of look: Look) -> Int {
    if looks.isEmpty || look == .size && !signs.areSizes { return 0 }
    return looks[look.rawValue] - (look == .nothing && hasCodes ? words.first ?? 0 : 0)
  }

  /// The number of cells that could be summed if they were read as what they are.
  var summableCount: Int {
    count(
      .marked, .currency, .currencyWithComma, .inParentheses, .inParenthesesWithComma, .size, .duration,
      .durationOrSize)
  }

  /// Whether all numbers before a unit of time have the same one.
  var haveAgesOneUnit: Bool { ages.count { $0 > 0 } == 1 }

  /// The words for missing values that were found, the most frequent first.
  var nullWords: [String] {
    let met = words.indices.filter { words[$0] > 0 && ($0 > 0 || !hasCodes) }
    return met.sorted { (words[$1], $0) < (words[$0], $1) }.prefix(3).map { "\(Self.nullLike[$0])" }
  }

  /// The marks that more than `least` of the numbers have.
  func otherMarks(ofMoreThan least: Int) -> (decimal: String, thousands: String)? {
    guard let largest = marks.max(), let index = marks.firstIndex(of: largest), largest > least else {
      return nil
    }
    return (Self.spelledMarks[index].decimal, Self.spelledMarks[index].thousands)
  }

  /// The formats that most of the dates have, if these are more than `least`: two if it is not known whether
  /// the day or the month comes first.
  func dateFormats(ofMoreThan least: Int = 0) -> [String] {
    guard let largest = formats.max(), largest > least else { return [] }
    return formats.indices.filter { formats[$0] == largest }.prefix(2).map { DateSpelling.all[$0].text }
  }
}

// MARK: - Looking

extension CellLooks {
  private mutating func classify(_ text: Span<UInt8>) -> Look? {
    if let word = Self.nullLike.firstIndex(where: { text.equals($0) }) {
      Self.count(word, of: Self.nullLike.count, in: &words)
      return .nothing
    }
    let first = text[0]
    if first == UInt8(ascii: "("), let look = lookInside(text) { return look }
    guard
      first.isDigit || first == UInt8(ascii: ".") || first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
    else { return lookAtWord(text) }
    if let number = NumberReader.loose(text, marks: numberMarks) {
      let size = abs(number.doubleValue)
      return size < 100_000_000 ? .number : size < 100_000_000_000 ? .seconds : .milliseconds
    }
    let isSize = Size.read(text, marks: numberMarks) != nil
    signs.recordSigns(of: text, numberMarks)
    if Duration(text) != nil {
      if text.isCountOfUnits, let look = leadingNumber(text), look == .age {
        durationAges += 1
        return look
      }
      return text.contains(UInt8(ascii: ":")) ? .clock : isSize ? .durationOrSize : .duration
    }
    if isSize { return text[text.count - 1] == UInt8(ascii: "%") ? .percent : .size }
    if Timestamp(text) != nil { return .standardDate }
    if recordDate(text) { return .date }
    if recordMarks(text) { return .marked }
    if let look = currency(text) ?? leadingNumber(text) { return look }
    return text.contains(UInt8(ascii: ":")) && Duration(text, isOfKey: true) != nil ? .shortClock : .other
  }

  private mutating func lookAtWord(_ text: Span<UInt8>) -> Look? {
    if text[0] | 0x20 == UInt8(ascii: "p"), Duration(text) != nil { return .duration }
    if text.equals("yes") || text.equals("no") || text.equals("Yes") || text.equals("No") { return .answer }
    if text.isCodeOfTwoLetters { hasCodes = true }
    if recordDate(text) { return .date }
    for index in text.indices where text[index].isDigit { return currency(text) ?? .other }
    return nil
  }

  /// The look of a text in parentheses.
  private mutating func lookInside(_ text: Span<UInt8>) -> Look? {
    guard text.count > 2, text[text.count - 1] == UInt8(ascii: ")") else { return nil }
    let inner = text.extracting(1..<text.count - 1)
    guard inner[0] != UInt8(ascii: "-"), inner[0] != UInt8(ascii: "+") else { return nil }
    switch currency(inner) ?? number(inner) {
    case .currency: return .inParentheses
    case .currencyWithComma: return .inParenthesesWithComma
    default: return nil
    }
  }

  private static func count(_ index: Int, of all: Int, in counts: inout [Int]) {
    if counts.isEmpty { counts = [Int](repeating: 0, count: all) }
    counts[index] += 1
  }

  /// The words for a missing value; the first may be a code of two letters.
  private static let nullLike: [StaticString] = [
    "NA", "N/A", "n/a", "na", "null", "NULL", "None", "none", "nil", "-", "--", "?", ".", "#N/A", "<none>",
    "unknown", "missing",
  ]

  /// Counts a date in all formats that can read it; `false` if none can.
  private mutating func recordDate(_ text: Span<UInt8>) -> Bool {
    var isDate = false
    for index in DateSpelling.candidates(for: text) where DateSpelling.all[index].format.read(text) != nil {
      Self.count(index, of: DateSpelling.all.count, in: &formats)
      isDate = true
    }
    return isDate
  }

  /// Counts a number with all marks that can read it; `false` if none can.
  private mutating func recordMarks(_ text: Span<UInt8>) -> Bool {
    var isNumber = false
    // Who gives a decimal comma may still lack the other mark.
    let isGiven = numberMarks != .standard
    if isGiven, !numberMarks.thousands.isEmpty { return false }
    for (index, marks) in Self.spelledMarks.enumerated()
    where (!isGiven || marks.marks.decimal == numberMarks.decimal)
      && NumberReader.isNumber(text, marks: marks.marks)
    {
      Self.count(index, of: Self.spelledMarks.count, in: &self.marks)
      isNumber = true
    }
    return isNumber
  }

  /// The marks that numbers may have, besides those that all numbers are read with.
  private static let spelledMarks: [(decimal: String, thousands: String, marks: NumberMarks)] = [
    (".", ","), (",", ""), (",", "."), (".", "'"), (".", " "), (",", " "),
  ].compactMap { decimal, thousands in
    NumberMarks(decimal: decimal.utf8.first ?? 0, thousands: Array(thousands.utf8)).map {
      (decimal, thousands, $0)
    }
  }

  /// The look of a number with a currency sign or a code of three letters before or after it.
  private mutating func currency(_ text: Span<UInt8>) -> Look? {
    var index = 0
    var sign: [UInt8]?
    var end = text.count
    if text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") { index += 1 }
    if let length = Self.currencyLength(text.extracting(index..<end), fromEnd: false) {
      sign = Array(copying: text.extracting(index..<index + length))
      index += length
    } else if let length = Self.currencyLength(text.extracting(index..<end), fromEnd: true) {
      end -= length
      sign = Array(copying: text.extracting(end..<end + length))
    }
    while index < end, NumberScan.isBlank(text[index]) { index += 1 }
    while end > index, NumberScan.isBlank(text[end - 1]) { end -= 1 }
    guard let sign, index < end, let look = number(text.extracting(index..<end)) else { return nil }
    recordUnit(sign)
    return look
  }

  /// The look of the number of an amount.
  private func number(_ text: Span<UInt8>) -> Look? {
    if NumberReader.isNumber(text, marks: numberMarks) { return .currency }
    guard numberMarks == .standard,
      let marks = Self.spelledMarks.first(where: { NumberReader.isNumber(text, marks: $0.marks) })
    else { return nil }
    return marks.decimal == "." ? .currency : .currencyWithComma
  }

  /// The bytes of a currency sign, or of a code of three capital letters, at one end of a text.
  private static func currencyLength(_ text: Span<UInt8>, fromEnd: Bool) -> Int? {
    let signs: [StaticString] = ["$", "€", "£", "¥", "₹", "₽", "₩", "kr", "zł", "R$"]
    for sign in signs {
      let count = sign.utf8CodeUnitCount
      guard text.count > count else { continue }
      if text.extracting(fromEnd ? text.count - count..<text.count : 0..<count).equals(sign) { return count }
    }
    guard text.count > 3 else { return nil }
    let code = text.extracting(fromEnd ? text.count - 3..<text.count : 0..<3)
    for index in 0..<3 where !(0x41...0x5A).contains(code[index]) { return nil }
    return 3
  }

  /// The look of a number before other text, if it is one.
  private mutating func leadingNumber(_ text: Span<UInt8>) -> Look? {
    var index = 0
    guard NumberScan(prefixOf: text, marks: numberMarks, length: &index) != nil, index < text.count,
      text[index - 1].isDigit
    else { return nil }
    let isApart = NumberScan.isBlank(text[index])
    while index < text.count, NumberScan.isBlank(text[index]) { index += 1 }
    // A remark is none: `2 (3h ago)`.
    let unit = Array(copying: text.extracting(index...)).prefix {
      !NumberScan.isBlank($0) && $0 != UInt8(ascii: "(")
    }
    var word: [UInt8] = []
    while index < text.count, (text[index] | 0x20) &- 0x61 < 26 {
      word.append(text[index] | 0x20)
      index += 1
    }
    if word.last == UInt8(ascii: "s"), word.count > 1 { word.removeLast() }
    if let unit = Self.timeUnits.firstIndex(of: word) {
      Self.count(unit, of: Self.timeUnits.count, in: &ages)
      return .age
    }
    // `3f2a91` is a code, and digits with another mark after them are a clock time, a version or a ratio.
    if !isApart, word.isEmpty || index < text.count && text[index].isDigit { return nil }
    recordUnit(Array(unit))
    return isApart ? .leadingWord : .leadingDigits
  }

  /// The units of time that people write, except those that durations have.
  private static let timeUnits = ["second", "minute", "hour", "day", "week", "month", "year"].map {
    Array($0.utf8)
  }
}

/// A spelling of dates that people and programs use, besides ISO 8601.
struct DateSpelling: Sendable {
  /// The pattern as it is typed.
  let text: String

  /// The pattern.
  let format: DateFormat

  /// All spellings, the more usual of two that read the same texts first.
  static let all: [DateSpelling] = {
    let times = [
      "", " %H:%M", " %H:%M:%S", "T%H:%M:%S", "T%H:%M", ", %H:%M", " %I:%M %p", " %I:%M:%S %p",
      " %H:%M:%S %z",
      ":%H:%M:%S %z",
    ]
    let dates = [
      "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%Y/%m/%d", "%Y.%m.%d", "%Y-%m-%d", "%d-%m-%Y", "%m-%d-%Y",
      "%d/%m/%y",
      "%m/%d/%y", "%d.%m.%y", "%d %b %Y", "%b %d, %Y", "%b %d %Y", "%d-%b-%Y", "%d-%b-%y", "%d/%b/%Y",
      "%Y %b %d",
      "%a, %d %b %Y", "%a %d %b %Y", "%a, %b %d, %Y", "%d. %b %Y",
    ]
    let texts = dates.flatMap { date in times.map { date + $0 } } + ["%a %b %d %H:%M:%S %Y"]
    return texts.compactMap { text in
      DateFormat(reading: text).map { DateSpelling(text: text, format: $0) }
    }
  }()

  /// The spellings with the same arrangement of digits, letters and marks as `text`, by their indices among all.
  static func candidates(for text: Span<UInt8>) -> [Int] { shapes[shape(of: text)] ?? [] }

  /// The dates that a text may spell, as ISO 8601 has them.
  static func dates(_ text: Span<UInt8>) -> [[UInt8]] {
    candidates(for: text).compactMap { index in
      all[index].format.read(text).map { time in
        var date = ByteBuffer(capacity: 32)
        time.append(to: &date)
        return Array(copying: date.span.extracting(..<min(10, date.count)))
      }
    }
  }

  private static let shapes: [[UInt8]: [Int]] = Dictionary(
    grouping: all.indices, by: { index in shape(ofFormat: all[index].text) })

  /// The text with `9` for each run of digits and `a` for each run of letters; an offset from UTC begins with `+`.
  private static func shape(of text: Span<UInt8>) -> [UInt8] {
    var shape: [UInt8] = []
    for index in text.indices {
      let byte = text[index]
      var sign = byte
      if byte.isDigit { sign = UInt8(ascii: "9") }
      if (byte | 0x20) &- 0x61 < 26 { sign = UInt8(ascii: "a") }
      if byte == UInt8(ascii: "-"), shape.last == 32 { sign = UInt8(ascii: "+") }
      let isRun = sign == UInt8(ascii: "9") || sign == UInt8(ascii: "a")
      if !(isRun && shape.last == sign) { shape.append(sign) }
    }
    return shape
  }

  private static func shape(ofFormat text: String) -> [UInt8] {
    var sample = ""
    var isField = false
    for character in text {
      if isField {
        sample += character == "z" ? "+9" : "bap".contains(character) ? "a" : "9"
        isField = false
      } else if character == "%" {
        isField = true
      } else {
        sample.append(character)
      }
    }
    return shape(of: sample.utf8.span)
  }
}
