/// What orders the values of a sort key that were sorted as text.
public enum SortRemedy: Equatable, Sendable {
  /// A flag of the key, and the marks that it needs besides.
  case flag(Flag, Marks)

  /// Marks of numbers.
  case marks(Marks)

  /// `:date`, with one of the patterns; several where the values leave open which comes first, day or month.
  case date([String])

  /// The number before the text is to be cut out; whether a blank follows it.
  case leadingNumber(isWord: Bool)

  /// Durations are to be numbers of seconds, as the numbers beside them are.
  case duration

  /// A flag of a sort key that reads values.
  public enum Flag: CaseIterable, Sendable {
    /// `:size`, which reads `1.5G`.
    case size
    /// `:size`, which reads `45%`.
    case percent
    /// `:number`, which reads `$12`.
    case amount
    /// `:duration`, which reads `1m30s`.
    case duration
    /// `:version`, which reads `1.10.0`.
    case version
    /// `:natural`, which reads `2 (3h ago)`.
    case natural
  }

  /// The marks of numbers, as `--decimal` and `--thousands` take them; nil for those that are in force.
  public struct Marks: Equatable, Sendable {
    /// `--decimal`.
    public var decimal: String?
    /// `--thousands`.
    public var thousands: String?

    /// Those that are in force.
    public static let given = Marks()
  }
}

/// What the texts of a sort key, each once and by their bytes, are as values.
struct SortReading {
  /// What is to be said of texts.
  enum Verdict: Equatable {
    /// Their order as text is that of their values, or they are no values.
    case ordered
    /// They begin with numbers that have another order, and no flag reads all there is to them.
    case unreadable
    /// Something orders them.
    case remedy(SortRemedy)
  }

  private let texts: [[UInt8]]
  private let marks: NumberMarks

  /// Some of the numbers beside them; none if there are none.
  private let numbers: [[UInt8]]

  private var hasNumbers: Bool { !numbers.isEmpty }

  /// Prepares to read texts.
  init(_ texts: [[UInt8]], _ marks: NumberMarks, numbers: [[UInt8]]) {
    self.texts = texts
    self.marks = marks
    self.numbers = numbers
  }

  /// What orders most of the texts.
  ///
  /// 1. Of the ways to read a text as one value, the one that reads the most wins; the first of these, if several do.
  /// 2. Else texts that begin with a number are ordered by it, if that is right for all of it.
  /// 3. Beside numbers texts are always out of place; else only if their values have another order than their bytes.
  /// 4. What makes texts of numbers that are beside them is no remedy.
  var verdict: Verdict {
    guard let best = Self.best(in: ways.map { ($0, count($0)) }), best.count * 2 > texts.count else {
      return leadingNumbers
    }
    if let remedy = best.way.remedy, hasNumbers, !keepsNumbers(remedy) {
      return remedy == .flag(.duration, .given) ? .remedy(.duration) : .unreadable
    }
    if best.way.remedy == nil || !hasNumbers && isOrdered(texts.compactMap { best.way.read($0.span) }) {
      return .ordered
    }
    return best.way.remedy.map { .remedy(completed($0, best.count)) } ?? .ordered
  }
}

// MARK: - Letters before numbers

extension SortReading {
  /// What orders most of texts that begin with letters: durations, dates, versions, or the numbers after words.
  var letteredVerdict: Verdict {
    let ways =
      [Way(remedy: .flag(.duration, .given)) { Duration($0).map { .number(.decimal($0.seconds)) } }]
      + dateWays
      + [
        Way(remedy: .flag(.version, .given)) {
          LetteredNumber($0)?.isVersion == true ? .bytes(Self.sequence($0, .version)) : nil
        }
      ]
    if let best = Self.best(in: ways.map { ($0, count($0)) }), best.count * 2 > texts.count,
      let remedy = best.way.remedy
    {
      return isOrdered(texts.compactMap { best.way.read($0.span) })
        ? .ordered : .remedy(completed(remedy, best.count))
    }
    return serialVerdict
  }

  /// What is to be said of texts that are words with numbers after them: `node-10`, `img9.png`, `USD 5`.
  ///
  /// Several codes of currencies have no common order, and what differs in all but the number is no series.
  private var serialVerdict: Verdict {
    let read = texts.compactMap { text in
      LetteredNumber(text.span).flatMap { number in
        number.value.map { (text: text, number: number, value: Value.number($0)) }
      }
    }
    guard read.count * 2 > texts.count else { return .ordered }
    let groups = Dictionary(grouping: read, by: \.number.prefix)
    guard groups.count * 2 <= read.count, groups.values.contains(where: { !isOrdered($0.map(\.value)) })
    else { return .ordered }
    if groups.count > 1, groups.values.contains(where: { $0[0].number.isCurrency }) { return .unreadable }
    let units = Set(read.compactMap(\.number.unit))
    let keyed = groups.values.map { group in
      group.map { (key: Self.sequence($0.text.span, .natural), value: $0.value) }
        .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }
    return units.count <= 1 && keyed.allSatisfy { isOrdered($0.map(\.value)) }
      ? .remedy(.flag(.natural, .given)) : .unreadable
  }
}

extension SortReading {
  /// A way to read texts.
  private struct Way {
    /// What makes tabler read them so; nil for what needs nothing.
    let remedy: SortRemedy?

    /// The value of a text.
    let read: (Span<UInt8>) -> Value?
  }

  /// What texts are compared by.
  private enum Value {
    case number(Number)
    case bytes([UInt8])

    /// Whether the left one is above the right one.
    static func follows(_ left: Self, _ right: Self) -> Bool {
      switch (left, right) {
      case (.number(let left), .number(let right)): Number.compare(left, right) > 0
      case (.bytes(let left), .bytes(let right)): right.lexicographicallyPrecedes(left)
      case (.number, .bytes), (.bytes, .number): false
      }
    }
  }

  /// The marks that numbers may be written with, the more likely ones first.
  private static let guesses: [SortRemedy.Marks] = [
    SortRemedy.Marks(thousands: ","), SortRemedy.Marks(decimal: ","),
    SortRemedy.Marks(decimal: ",", thousands: "."),
    SortRemedy.Marks(thousands: "'"), SortRemedy.Marks(thousands: "’"), SortRemedy.Marks(thousands: "_"),
    SortRemedy.Marks(thousands: " "), SortRemedy.Marks(thousands: "\u{A0}"),
    SortRemedy.Marks(thousands: "\u{202F}"), SortRemedy.Marks(decimal: ",", thousands: " "),
    SortRemedy.Marks(decimal: ",", thousands: "\u{A0}"),
    SortRemedy.Marks(decimal: ",", thousands: "\u{202F}"),
  ]

  /// The marks to try, and what names them.
  private var markings: [(names: SortRemedy.Marks, marks: NumberMarks)] {
    guard marks == .standard, texts.count(where: { Address($0.span) != nil }) * 2 < texts.count else {
      return []
    }
    return Self.guesses.compactMap { names in Self.marks(names).map { (names, $0) } }
  }

  /// All ways, the more likely ones first.
  private var ways: [Way] {
    let mayBeBoth = texts.allSatisfy { Size.unit(of: $0.span) == .thousandth }
    let durations = Way(remedy: .flag(.duration, .given)) { text in
      Duration(text).map { .number(.decimal($0.seconds)) }
    }
    // `5m` may be a size, too; but no duration is a bare number.
    return [Way(remedy: nil) { CivilDateTime($0).map { .number(.int($0.secondsSinceEpoch)) } }]
      + (mayBeBoth && !hasNumbers ? [durations] : [])
      + markings.map { names, marks in
        Way(remedy: .marks(names)) { NumberReader.loose($0, marks: marks).map { .number($0) } }
      }
      + ([(SortRemedy.Marks.given, marks)] + markings).flatMap { names, marks in
        [
          Way(remedy: .flag(.size, names)) { text in
            Size.read(text, marks: marks).map { .number($0) }
          },
          Way(remedy: .flag(.amount, names)) { text in
            (NumberReader.loose(text, marks: marks) ?? Amount.read(text, marks: marks)).map { .number($0) }
          },
        ]
      }
      + [durations] + dateWays
      + [
        Way(remedy: .flag(.version, .given)) {
          DottedNumbers($0) == nil ? nil : .bytes(Self.sequence($0, .version))
        }
      ]
  }

  private func count(_ way: Way) -> Int {
    texts.count { way.read($0.span) != nil }
  }

  private static func best(in counted: [(way: Way, count: Int)]) -> (way: Way, count: Int)? {
    var best: (way: Way, count: Int)?
    for found in counted where found.count > best?.count ?? 0 { best = found }
    return best
  }

  /// Whether no value is above the next.
  private func isOrdered(_ values: [Value]) -> Bool {
    !zip(values, values.dropFirst()).contains { Value.follows($0, $1) }
  }

  /// The bytes that `text` compares by where digits count by their value.
  private static func sequence(_ text: Span<UInt8>, _ kind: SequenceText.Kind) -> [UInt8] {
    var buffer = ByteBuffer(capacity: text.count * 2)
    SequenceText.append(text, as: kind, to: &buffer)
    return Array(copying: buffer.span)
  }

  /// Whether the numbers beside the texts are the same numbers under a remedy.
  private func keepsNumbers(_ remedy: SortRemedy) -> Bool {
    switch remedy {
    case .marks(let names), .flag(.size, let names), .flag(.percent, let names), .flag(.amount, let names):
      guard let other = Self.marks(names) else { return true }
      return numbers.allSatisfy { text in
        guard let old = NumberReader.loose(text.span, marks: marks),
          let new = NumberReader.loose(text.span, marks: other)
        else { return false }
        return Number.compare(old, new) == 0
      }
    case .flag(.version, _): return numbers.allSatisfy { $0.first?.isDigit ?? false }
    case .flag(.duration, _), .flag(.natural, _), .date: return false
    case .leadingNumber, .duration: return true
    }
  }

  /// Other marks than those in force; nil if these are meant.
  private static func marks(_ names: SortRemedy.Marks) -> NumberMarks? {
    if names == .given { return nil }
    return NumberMarks(
      decimal: names.decimal?.utf8.first ?? UInt8(ascii: "."),
      thousands: names.thousands.map { Array($0.utf8) })
  }

  /// The remedy, with all that is to be known of it.
  private func completed(_ remedy: SortRemedy, _ count: Int) -> SortRemedy {
    switch remedy {
    case .flag(.size, let marks):
      let percents = texts.count { $0.contains(UInt8(ascii: "%")) }
      return percents * 2 > count ? .flag(.percent, marks) : remedy
    case .date:
      let patterns = dateWays.compactMap { way -> String? in
        guard case .date(let patterns) = way.remedy, self.count(way) == count else { return nil }
        return patterns.first
      }
      // Names of months are read alike by `%b` and `%B`.
      return .date(patterns.prefix(1) + patterns.filter { !$0.hasPrefix(patterns[0].prefix(2)) })
    case .flag, .marks, .leadingNumber, .duration: return remedy
    }
  }
}

// MARK: - Dates

extension SortReading {
  /// Patterns of days that are not those of ISO 8601.
  private static let days = [
    "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%m-%d-%Y", "%d/%m/%y", "%m/%d/%y", "%d.%m.%y",
    "%Y/%m/%d",
    "%Y.%m.%d", "%Y-%m-%d", "%d %b %Y", "%d-%b-%Y", "%d-%b-%y", "%d/%b/%Y", "%d %B %Y", "%d. %B %Y",
    "%b %d, %Y", "%b %d %Y", "%b-%d-%Y", "%a, %d %b %Y", "%a %d %b %Y", "%a %b %d %Y", "%a, %b %d, %Y",
  ]

  /// What may follow a day.
  private static let times = [
    "", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p", ", %H:%M", ", %H:%M:%S", "T%H:%M:%S",
    ":%H:%M:%S %z",
  ]

  /// A way for each pattern that reads one of the first texts.
  private var dateWays: [Way] {
    let tried = texts.prefix(8)
    return Self.days.flatMap { day in Self.times.map { day + $0 } }.compactMap { pattern in
      guard let format = DateFormat(reading: pattern), tried.contains(where: { format.read($0.span) != nil })
      else { return nil }
      return Way(remedy: .date([pattern])) { format.read($0).map { .number($0.epoch) } }
    }
  }
}

// MARK: - Numbers at the start

extension SortReading {
  /// What is to be said of texts that begin with a number.
  private var leadingNumbers: Verdict {
    let read = texts.compactMap { text in LeadingNumber(text.span).map { (text: text, number: $0) } }
    guard read.count * 2 > texts.count else { return .ordered }
    let units = Set(read.compactMap(\.number.unit))
    let values = read.map { Value.number($0.number.value) }
    if units.count > 1 || read.contains(where: { $0.text.endsAsTime }) { return .unreadable }
    if !hasNumbers, isOrdered(values) { return .ordered }
    let besides = numbers.compactMap { text in
      NumberReader.loose(text.span, marks: marks).map { (text: text, value: Value.number($0)) }
    }
    let keyed = (zip(read.map(\.text), values).map { (text: $0, value: $1) } + besides).map {
      (key: Self.sequence($0.text.span, .natural), value: $0.value)
    }
    let sorted = keyed.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    if isOrdered(sorted.map(\.value)) { return .remedy(.flag(.natural, .given)) }
    for isWord in [true, false] where cutsOut(read, isWord: isWord) {
      return .remedy(.leadingNumber(isWord: isWord))
    }
    return .unreadable
  }
}

extension SortReading {
  /// Whether `number(extract(…))` makes of all texts the numbers that they begin with.
  private func cutsOut(_ read: [(text: [UInt8], number: LeadingNumber)], isWord: Bool) -> Bool {
    read.allSatisfy { text, number in
      let inner = text.drop { NumberScan.isBlank($0) }
      let part = Array(
        isWord
          ? inner.prefix { !NumberScan.isBlank($0) }
          : text.prefix { $0.isDigit || "-+.,:eE".utf8.contains($0) })
      return NumberReader.loose(part.span, marks: marks).map { Number.compare($0, number.value) == 0 }
        ?? false
    }
  }
}

extension [UInt8] {
  /// Whether a text that begins with a number ends as a time of a half day or as a date does: `9:05 PM`,
  /// `3. April 2024`.
  fileprivate var endsAsTime: Bool {
    let words = split(separator: UInt8(ascii: " "))
    guard words.count > 1, let last = words.last else { return false }
    if words[0].contains(UInt8(ascii: ":")) {
      let word = last.filter { $0 != UInt8(ascii: ".") }.map { $0 | 0x20 }
      return word == [0x61, 0x6D] || word == [0x70, 0x6D]
    }
    return words.count == 3 && words[0].count < 4 && last.count == 4 && last.allSatisfy(\.isDigit)
      && words[1].allSatisfy { !$0.isDigit }
  }
}

/// An IPv4 address: its four numbers of three digits are no groups of thousands.
private struct Address {
  /// Reads a whole text; nil when it is no address.
  init?(_ text: Span<UInt8>) {
    var (groups, value, digits) = (1, 0, 0)
    for index in text.indices {
      if text[index] == UInt8(ascii: ".") {
        guard digits > 0 else { return nil }
        (groups, value, digits) = (groups + 1, 0, 0)
      } else {
        guard text[index].isDigit, digits < 3 else { return nil }
        (value, digits) = (value * 10 + Int(NumberScan.digit(text[index])), digits + 1)
        guard value < 256 else { return nil }
      }
    }
    guard groups == 4, digits > 0 else { return nil }
  }
}

/// Numbers with points between them, and what may follow them: `1.10.2`, `10.0.0.1/24`, `1.9-rc1`.
private struct DottedNumbers {
  /// Reads a whole text; nil when it is something else.
  init?(_ text: Span<UInt8>) {
    var (index, groups) = (0, 0)
    while index < text.count, text[index].isDigit {
      while index < text.count, text[index].isDigit { index += 1 }
      groups += 1
      guard index + 1 < text.count, text[index] == UInt8(ascii: "."), text[index + 1].isDigit else { break }
      index += 1
    }
    guard groups > 1 else { return nil }
    let rest = text.extracting(index..<text.count)
    for place in rest.indices where rest[place] <= 0x20 || rest[place] == UInt8(ascii: ",") { return nil }
    switch rest.count > 0 ? rest[0] : 0 {
    case 0: guard groups > 2 else { return nil }
    case UInt8(ascii: "-"), UInt8(ascii: "~"), UInt8(ascii: "+"): break
    default: guard groups > 2 else { return nil }
    }
  }
}

/// A number after a word: `node-10`, `v1.10`, `img9.png`, `USD 1,200.00`.
private struct LetteredNumber {
  /// What is before the number.
  let prefix: [UInt8]

  /// The number; nil if it is a code or letters follow at once, as in `a1b2`.
  let value: Number?

  /// The unit after the number.
  let unit: [UInt8]?

  /// Whether the number is one with points between its parts: `v1.10`, `release-1.10.2`.
  let isVersion: Bool

  /// Whether the word is the code of a currency, as it looks: `USD`.
  var isCurrency: Bool {
    let word = prefix.last == UInt8(ascii: " ") ? prefix.dropLast() : prefix[...]
    return word.count == 3 && word.allSatisfy { $0 &- 0x41 < 26 }
  }

  /// Reads a whole text; nil if it begins with a digit or holds none.
  init?(_ text: Span<UInt8>) {
    var start = 0
    while start < text.count, !text[start].isDigit { start += 1 }
    guard start > 0, start < text.count else { return nil }
    prefix = Array(copying: text.extracting(0..<start))
    let rest = text.extracting(start..<text.count)
    let mark = prefix[start - 1]
    let mayBeVersion = mark | 0x20 == UInt8(ascii: "v") || [0x2D, 0x5F, 0x2F].contains(mark)
    isVersion = DottedNumbers(rest) != nil || mayBeVersion && Self.isPair(rest)
    var end = start
    while end < text.count, text[end].isDigit { end += 1 }
    let isSerial = end == text.count || (text[end] | 0x20) &- 0x61 >= 26 && text[end] < 0x80
    let number = isSerial ? LeadingNumber(rest) : nil
    (value, unit) = (number?.value, number?.unit)
  }

  /// Whether a text is two numbers with a point between them.
  private static func isPair(_ text: Span<UInt8>) -> Bool {
    var (points, index) = (0, 0)
    while index < text.count {
      if text[index] == UInt8(ascii: "."), index + 1 < text.count, text[index + 1].isDigit {
        points += 1
      } else if !text[index].isDigit {
        return false
      }
      index += 1
    }
    return points == 1
  }
}

/// The number at the start of a text that goes on: `2 (3h ago)`, `12 Main St`, `1st`, `9:30`.
///
/// Codes begin with digits, too, but their order means nothing: `3f2a91`, `978-0-306-40615-2`, `555-1234`, `+1 555`.
private struct LeadingNumber {
  /// The number.
  let value: Number

  /// The unit of time or size after it, in lower case; nil for other words.
  let unit: [UInt8]?

  /// Reads the start of a text; nil where it is a code or no number.
  init?(_ text: Span<UInt8>) {
    var start = 0
    while start < text.count, NumberScan.isBlank(text[start]) { start += 1 }
    let inner = text.extracting(start..<text.count)
    guard inner.count > 0, inner[0] != UInt8(ascii: "+"), !inner.holds("0x", at: 0), !Self.isCode(inner),
      let marks = NumberMarks(thousands: [UInt8(ascii: ",")])
    else { return nil }
    var length = 0
    guard let scan = NumberScan(prefixOf: inner, marks: marks, length: &length), !scan.hasExponent else {
      return nil
    }
    value = NumberReader.number(scan, inner)
    while length < inner.count, NumberScan.isBlank(inner[length]) { length += 1 }
    var word: [UInt8] = []
    while length < inner.count, (inner[length] | 0x20) &- 0x61 < 26 {
      word.append(inner[length] | 0x20)
      length += 1
    }
    unit = Self.units.contains(word) ? word : nil
  }

  /// Whether a text is a code: letters among digits, or several numbers with dashes between them.
  private static func isCode(_ text: Span<UInt8>) -> Bool {
    var (digits, dashes, hexes, others) = (0, 0, 0, 0)
    var index = 0
    while index < text.count, !NumberScan.isBlank(text[index]) {
      let byte = text[index]
      if byte.isDigit {
        // `640x480` is none.
        if hexes + others > 0, text[index - 1] | 0x20 != UInt8(ascii: "x"),
          (text[index - 1] | 0x20) &- 0x61 < 26
        {
          return true
        }
        digits += 1
      } else if byte == UInt8(ascii: "-") {
        dashes += 1
      } else if (byte | 0x20) &- 0x61 < 6 {
        hexes += 1
      } else {
        others += 1
      }
      index += 1
    }
    if others == 0, hexes > 0, digits + hexes > 5 { return true }
    return others + hexes == 0 && (dashes > 1 || dashes == 1 && digits > 6)
  }

  private static let units = Set(
    [
      "ns", "us", "ms", "s", "sec", "secs", "second", "seconds", "m", "min", "mins", "minute", "minutes", "h",
      "hr",
      "hrs", "hour", "hours", "d", "day", "days", "w", "week", "weeks", "mo", "month", "months", "y", "yr",
      "yrs",
      "year", "years", "b", "byte", "bytes", "k", "kb", "kib", "mb", "mib", "g", "gb", "gib", "t", "tb",
      "tib", "mm",
      "cm", "km", "mg", "kg", "ml", "l", "hz", "khz", "mhz", "ghz",
    ].map { Array($0.utf8) })
}
