/// An IPv4 address: its four numbers of three digits are not groups of thousands.
struct Address {
  /// Reads a whole text; nil if it is no address.
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

/// Numbers separated by points, and what may follow them: `1.10.2`, `10.0.0.1/24`, `1.9-rc1`.
struct DottedNumbers {
  /// Reads a whole text; nil if it is something else.
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
struct LetteredNumber {
  /// The text before the number.
  let prefix: [UInt8]

  /// The number; nil if it is a code or letters follow directly, as in `a1b2`.
  let value: Number?

  /// The unit after the number.
  let unit: [UInt8]?

  /// Whether the number has several parts separated by points: `v1.10`, `release-1.10.2`.
  let isVersion: Bool

  /// Whether the word looks like the code of a currency: `USD`.
  var isCurrency: Bool {
    let word = prefix.last == UInt8(ascii: " ") ? prefix.dropLast() : prefix[...]
    return word.count == 3 && word.allSatisfy { $0 &- 0x41 < 26 }
  }

  /// Whether the text before the number ends with the sign of a currency: `R$`.
  var hasCurrencySign: Bool { prefix.last == UInt8(ascii: "$") }

  /// Reads a whole text; nil if it begins with a digit or has none.
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

  /// Whether a text is two numbers separated by a point.
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

/// A length of time whose parts are separated by colons: `3:45`, `1:02:03`, `2-03:04:05`.
struct StopwatchTime {
  /// The number of its parts.
  let partCount: Int

  /// Its length; the first of two parts is minutes.
  let seconds: Int64

  /// Reads a whole text; nil if it is something else.
  init?(_ text: Span<UInt8>) {
    var (parts, digits, hasDays): ([Int64], Int, Bool) = ([0], 0, false)
    for index in text.indices {
      let byte = text[index]
      if byte.isDigit {
        digits += 1
        guard digits < 7 else { return nil }
        parts[parts.count - 1] = parts[parts.count - 1] * 10 + Int64(NumberScan.digit(byte))
        continue
      }
      let endsDays = byte == UInt8(ascii: "-") && parts.count == 1 && !hasDays
      guard byte == UInt8(ascii: ":") || endsDays, digits > 0, parts.count < 4 else { return nil }
      if endsDays { hasDays = true }
      parts.append(0)
      digits = 0
    }
    guard digits > 0, parts.count == 4 || !hasDays && (2...3).contains(parts.count) else { return nil }
    partCount = parts.count
    let lengths: [Int64] = [1, 60, 3_600, 86_400]
    seconds = zip(parts.reversed(), lengths).reduce(0) { $0 + $1.0 * $1.1 }
  }
}

/// The number at the start of a longer text: `2 (3h ago)`, `12 Main St`, `1st`, `9:30`.
///
/// Codes begin with digits, too, but their order means nothing: `3f2a91`, `978-0-306-40615-2`, `555-1234`,
/// `+1 555`.
struct LeadingNumber {
  /// The number.
  let value: Number

  /// The unit of time or size after it, in lower case; nil for other words.
  let unit: [UInt8]?

  /// Whether a remark in parentheses follows, as in `2 (3h ago)`.
  let isBeforeRemark: Bool

  /// Reads the start of a text; nil if it is a code or not a number.
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
    isBeforeRemark = length < inner.count && inner[length] == UInt8(ascii: "(")
    var word: [UInt8] = []
    while length < inner.count, (inner[length] | 0x20) &- 0x61 < 26 {
      word.append(inner[length] | 0x20)
      length += 1
    }
    unit = Self.units.contains(word) ? word : nil
  }

  /// Whether a text is a code: letters mixed with digits, or several numbers separated by dashes.
  private static func isCode(_ text: Span<UInt8>) -> Bool {
    var (digits, dashes, hexes, others) = (0, 0, 0, 0)
    var index = 0
    while index < text.count, !NumberScan.isBlank(text[index]) {
      let byte = text[index]
      if byte.isDigit {
        // `640x480` is not a code.
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
