/// A way to order the values of a sort key that were sorted as text.
public enum SortRemedy: Equatable, Sendable {
  /// A flag of the key, and the marks that it also needs.
  case flag(Flag, Marks)

  /// Marks of numbers.
  case marks(Marks)

  /// `:date`, with one of the patterns; several if the values do not tell whether the day or the month comes first.
  case date([String])

  /// `:date`, for times of ISO 8601.
  case time

  /// Days without a year should get one, to be read with the pattern.
  case yearless(String)

  /// The number before the text should be extracted; whether a blank follows it.
  case leadingNumber(isWord: Bool)

  /// Durations should be numbers of seconds, like the numbers beside them.
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

  /// The marks of numbers, as given to `--decimal` and `--thousands`; nil for those in use.
  public struct Marks: Equatable, Sendable {
    /// `--decimal`.
    public var decimal: String?
    /// `--thousands`.
    public var thousands: String?

    /// The marks in use.
    public static let given = Marks()
  }
}

/// A way to compare cells by their value that were compared as text.
public enum ComparisonRemedy: Equatable, Sendable {
  /// A way to read them as values: a function for a flag, an option for marks and dates.
  case reader(SortRemedy)
  /// They are numbers, and the text beside them should be one.
  case number
  /// Leading digits, up to a number of characters, as in `9:59` and `10:00`.
  case padding(Int)
  /// The words should be null.
  case null([String])
  /// Some have blanks at their ends that the others have not; `trim()` has to be told of no-break spaces.
  case blanks(haveNoBreakSpaces: Bool)
}

/// The texts of a sort key, each once and sorted by their bytes, interpreted as values.
struct SortReading {
  /// The verdict on texts.
  enum Verdict: Equatable {
    /// Their order as text is that of their values, or they are not values.
    case ordered
    /// They begin with numbers that have another order, and no flag can read them completely.
    case unreadable
    /// There is a remedy.
    case remedy(SortRemedy)
  }

  private let texts: [[UInt8]]
  private let marks: NumberMarks

  /// Some of the numbers beside them; empty if there are none.
  private let numbers: [[UInt8]]

  private var hasNumbers: Bool { !numbers.isEmpty }

  /// Whether these are all texts, not a sample of them.
  private let areAll: Bool

  /// Whether they are those of a sort key, and not compared by an expression.
  private var isOfKey = true

  /// Signs in the text after the numbers.
  private let signs: SizeSigns

  /// Prepares to read texts.
  ///
  /// - Parameter areAll: whether these are all texts, not a sample of them.
  init(_ texts: [[UInt8]], _ marks: NumberMarks, numbers: [[UInt8]], areAll: Bool) {
    self.texts = texts
    self.areAll = areAll
    self.marks = marks
    self.numbers = numbers
    var signs = SizeSigns()
    for text in texts { signs.recordSigns(of: text.span, marks) }
    self.signs = signs
  }

  /// Whether most of the texts are values of one kind.
  var areValues: Bool {
    Self.best(in: ways.map { ($0, count($0)) }).map { $0.count * 2 > texts.count } ?? false
  }

  /// Whether most of the texts are times of ISO 8601.
  var areTimes: Bool { texts.count { CivilDateTime($0.span) != nil } * 2 > texts.count }

  /// The verdict on most of the texts.
  ///
  /// 1. Among the ways to read a text as one value, the one that reads the most wins; if there are several,
  ///    the first.
  /// 2. Otherwise texts that begin with a number are ordered by it, if that is right for all of them.
  /// 3. Beside numbers texts are always out of place; otherwise only if their values have another order than
  ///    their bytes, or are times of a sample that are written differently: others may have.
  /// 4. A remedy must not turn numbers beside the texts into texts.
  var verdict: Verdict {
    guard let best = Self.best(in: ways.map { ($0, count($0)) }), best.count * 2 > texts.count else {
      return leadingNumbers
    }
    if hasNumbers, !keepsNumbers(best.way.remedy) {
      return best.way.remedy == .flag(.duration, .given) ? .remedy(.duration) : .unreadable
    }
    let mayHideOthers = best.way.remedy == .time && !areAll && !TimeForm.isOne(of: texts)
    if !hasNumbers, !mayHideOthers, isOrdered(texts.compactMap { best.way.read($0.span) }) { return .ordered }
    return .remedy(completed(best.way.remedy, best.count))
  }
}

// MARK: - Letters before numbers

extension SortReading {
  /// The verdict on texts that begin with letters: durations, dates, versions, or the numbers after words.
  var letteredVerdict: Verdict {
    let ways =
      [Way(remedy: .flag(.duration, .given)) { Duration($0).map { .number(.decimal($0.seconds)) } }]
      + dateWays + yearlessWays
      + [
        Way(remedy: .flag(.version, .given)) {
          LetteredNumber($0)?.isVersion == true ? .bytes(Self.sequence($0, .version)) : nil
        }
      ]
    if let best = Self.best(in: ways.map { ($0, count($0)) }), best.count * 2 > texts.count {
      return isOrdered(texts.compactMap { best.way.read($0.span) })
        ? .ordered : .remedy(completed(best.way.remedy, best.count))
    }
    return serialVerdict
  }

  /// The verdict on texts that are words with numbers after them: `node-10`, `img9.png`, `USD 5`.
  ///
  /// Several currencies have no common order, and texts that differ in more than the number are not a series.
  private var serialVerdict: Verdict {
    let read = texts.compactMap { text in
      LetteredNumber(text.span).flatMap { number in
        number.value.map { (text: text, number: number, value: ComparedValue.number($0)) }
      }
    }
    guard read.count * 2 > texts.count else { return .ordered }
    let groups = Dictionary(grouping: read, by: \.number.prefix)
    guard groups.count * 2 <= read.count, groups.values.contains(where: { !isOrdered($0.map(\.value)) })
    else { return .ordered }
    let areAmounts = groups.values.contains { $0[0].number.isCurrency || $0[0].number.hasCurrencySign }
    if areAmounts, groups.count > 1 || read.contains(where: { $0.text.hasGroups }) { return .unreadable }
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
    /// The remedy that makes tabler read them so.
    let remedy: SortRemedy

    /// The value of a text.
    let read: (Span<UInt8>) -> ComparedValue?
  }

  /// A value that texts are compared by.
  private enum ComparedValue {
    case number(Number)
    case bytes([UInt8])
    case time(CivilDateTime)

    /// Whether the left one is greater than the right one.
    static func follows(_ left: Self, _ right: Self) -> Bool {
      switch (left, right) {
      case (.number(let left), .number(let right)): Number.compare(left, right) > 0
      case (.bytes(let left), .bytes(let right)): right.lexicographicallyPrecedes(left)
      case (.time(let left), .time(let right)): left > right
      case (.number, _), (.bytes, _), (.time, _): false
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

  /// The marks to try, and the names of these marks.
  private var markings: [(names: SortRemedy.Marks, marks: NumberMarks)] {
    guard marks == .standard, texts.count(where: { Address($0.span) != nil }) * 2 < texts.count else {
      return []
    }
    return Self.guesses.compactMap { names in Self.marks(names).map { (names, $0) } }
  }

  /// All ways, the more likely ones first.
  private var ways: [Way] {
    let mayBeBoth = texts.allSatisfy { Size.unit(of: $0.span) == .thousandth }
    // `9:59` has its place among `1:02:03` and `2y45d` beside `45d`, but alone they may be anything.
    let hasDurations = isOfKey && texts.contains { Duration($0.span) != nil }
    let durations = Way(remedy: .flag(.duration, .given)) { text in
      // Beside bare numbers, `3 days` is a number of days, too.
      hasNumbers && text.isCountOfUnits
        ? nil : Duration(text, isOfKey: hasDurations).map { .number(.decimal($0.seconds)) }
    }
    // `5m` may be a size, too, but a duration is never a bare number.
    return [Way(remedy: .time) { CivilDateTime($0).map { .time($0) } }]
      + (mayBeBoth && !hasNumbers ? [durations] : [])
      + markings.map { names, marks in
        Way(remedy: .marks(names)) { NumberReader.loose($0, marks: marks).map { .number($0) } }
      }
      + ([(SortRemedy.Marks.given, marks)] + markings).flatMap { names, marks in
        [
          Way(remedy: .flag(.size, names)) { text in
            signs.areSizes ? Size.read(text, marks: marks).map { .number($0) } : nil
          },
          Way(remedy: .flag(.amount, names)) { text in
            (NumberReader.loose(text, marks: marks) ?? Amount.read(text, marks: marks)).map { .number($0) }
          },
        ]
      }
      + [durations] + dateWays + yearlessWays
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

  /// Whether no value is greater than the next one.
  private func isOrdered(_ values: [ComparedValue]) -> Bool {
    !zip(values, values.dropFirst()).contains { ComparedValue.follows($0, $1) }
  }

  /// The bytes by which `text` is compared if digits count by their value.
  private static func sequence(_ text: Span<UInt8>, _ kind: SequenceText.Kind) -> [UInt8] {
    var buffer = ByteBuffer(capacity: text.count * 2)
    SequenceText.append(text, as: kind, to: &buffer)
    return Array(copying: buffer.span)
  }

  /// Whether the numbers beside the texts are still numbers with a remedy; a thousands mark may change them.
  private func keepsNumbers(_ remedy: SortRemedy) -> Bool {
    switch remedy {
    case .marks(let names), .flag(.size, let names), .flag(.percent, let names), .flag(.amount, let names):
      guard let other = Self.marks(names) else { return true }
      return numbers.allSatisfy { NumberReader.isNumber($0.span, marks: other) }
    case .flag(.version, _): return numbers.allSatisfy { $0.first?.isDigit ?? false }
    case .flag(.duration, _), .flag(.natural, _), .date, .time, .yearless: return false
    case .leadingNumber, .duration: return true
    }
  }

  /// Marks other than those in use; nil if these are meant.
  private static func marks(_ names: SortRemedy.Marks) -> NumberMarks? {
    if names == .given { return nil }
    return NumberMarks(
      decimal: names.decimal?.utf8.first ?? UInt8(ascii: "."),
      thousands: names.thousands.map { Array($0.utf8) })
  }

  /// The remedy with all details.
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
      // `%b` and `%B` read names of months alike.
      return .date(patterns.prefix(1) + patterns.filter { !$0.hasPrefix(patterns[0].prefix(2)) })
    case .flag, .marks, .time, .yearless, .leadingNumber, .duration: return remedy
    }
  }
}

// MARK: - Comparisons

extension ComparedTexts.Pair {
  /// Whether both are times of ISO 8601, and one of them has an offset from UTC.
  fileprivate var hasOneOffset: Bool {
    guard let left = CivilDateTime(left.span), let right = CivilDateTime(right.span) else { return false }
    return left.hasTime && right.hasTime && (left.offset == nil) != (right.offset == nil)
  }
}

extension SortReading {
  /// A doubtful comparison of texts, and an example.
  struct ComparisonDoubt {
    /// A way to compare the values; `nil` if nothing can read them.
    let remedy: ComparisonRemedy?

    /// Two texts whose values have another order.
    let pair: ComparedTexts.Pair
  }

  /// A way to compare texts by their values.
  private struct Reader {
    /// The remedy that makes tabler compare so.
    var remedy: ComparisonRemedy?

    /// Whether the value represents the whole text.
    var isWhole = true

    /// The value of a text.
    let read: (Span<UInt8>) -> ComparedValue?
  }

  /// The doubt about a comparison of pairs of texts; `nil` if their values have the same order.
  ///
  /// - Parameters:
  ///   - symbol: the operator that compares them, if it is one.
  ///   - isOrder: whether the comparison asks which comes first, not only whether they are equal.
  ///   - hasDateFormat: whether dates are already read in another spelling.
  static func doubt(
    in pairs: [ComparedTexts.Pair], _ marks: NumberMarks, _ symbol: Expression.ComparisonOperator?,
    isOrder: Bool, hasDateFormat: Bool
  ) -> ComparisonDoubt? {
    if !isOrder, let padded = paddingDoubt(in: pairs) { return padded }
    let readers = readers(of: pairs.flatMap { [$0.left, $0.right] }, marks, isOrder: isOrder, hasDateFormat)
    for reader in readers {
      for pair in pairs {
        guard let left = reader.read(pair.left.span), let right = reader.read(pair.right.span),
          !pair.hasOneOffset || hasSeveralOffsets(pairs)
        else { continue }
        let order = ComparedValue.follows(left, right) ? 1 : ComparedValue.follows(right, left) ? -1 : 0
        let textOrder = pair.left.span.order(against: pair.right.span).signum()
        let isSame =
          isOrder
          ? symbol.map { $0.holds(order) == $0.holds(textOrder) } ?? (order == textOrder)
            || order == 0 && !reader.isWhole
          : order != 0 || pair.left == pair.right
        if !isSame { return ComparisonDoubt(remedy: reader.remedy, pair: pair) }
      }
    }
    return isOrder ? wordDoubt(in: pairs, readers.first, marks) : nil
  }

  /// The doubt that texts were compared which differ only in blanks at their ends.
  private static func paddingDoubt(in pairs: [ComparedTexts.Pair]) -> ComparisonDoubt? {
    func inner(_ text: [UInt8]) -> ArraySlice<UInt8> { text[text.span.unpadded] }
    return pairs.first { $0.left != $0.right && inner($0.left) == inner($0.right) }.map { pair in
      let haveNoBreakSpaces = pair.left.span.hasOuterNoBreakSpaces || pair.right.span.hasOuterNoBreakSpaces
      return ComparisonDoubt(remedy: .blanks(haveNoBreakSpaces: haveNoBreakSpaces), pair: pair)
    }
  }

  /// Whether times have several offsets from UTC; of those with one beside others without, local time may be meant.
  private static func hasSeveralOffsets(_ pairs: [ComparedTexts.Pair]) -> Bool {
    Set(pairs.flatMap { [$0.left, $0.right] }.compactMap { CivilDateTime($0.span)?.offset }).count > 1
  }

  /// The doubt that words for missing values were compared with values.
  private static func wordDoubt(
    in pairs: [ComparedTexts.Pair], _ reader: Reader?, _ marks: NumberMarks
  ) -> ComparisonDoubt? {
    func isValue(_ text: [UInt8]) -> Bool {
      NullLikeWord(text.span) == nil
        && (NumberReader.isNumber(text.span, marks: marks) || reader?.read(text.span) != nil)
    }
    let hasCodes = Self.hasCodes(pairs)
    func isNothing(_ text: [UInt8]) -> Bool {
      NullLikeWord(text.span).map { !(hasCodes && $0.mayBeCode) } ?? false
    }
    let found = pairs.filter {
      isNothing($0.left) && isValue($0.right) || isNothing($0.right) && isValue($0.left)
    }
    return found.first.map { pair in
      ComparisonDoubt(remedy: .null(words(in: found.flatMap { [$0.left, $0.right] })), pair: pair)
    }
  }

  /// The doubt about the text that is the smallest or the largest; `nil` if the value of no other is beyond
  /// its own.
  ///
  /// - Parameter areAll: whether these are all texts that may be beyond it, not a sample of them.
  static func doubt(
    inExtremeOf pairs: [ComparedTexts.Pair], areAll: Bool, _ marks: NumberMarks, isLargest: Bool,
    hasDateFormat: Bool
  ) -> ComparisonDoubt? {
    let ordered = pairs.sorted { $0.left.lexicographicallyPrecedes($1.left) }
    guard let kept = isLargest ? ordered.last : ordered.first else { return nil }
    for reader in readers(of: pairs.map(\.left), marks, isOrder: true, hasDateFormat) {
      guard let extreme = extreme(of: pairs, isLargest: isLargest, reader) else { continue }
      let shown = ComparedTexts.Pair(left: extreme.pair.left, right: kept.left, place: extreme.pair.place)
      if let word = NullLikeWord(kept.left.span) {
        if word.mayBeCode, hasCodes(pairs) { return nil }
        if case .reader(.flag) = reader.remedy { return ComparisonDoubt(remedy: reader.remedy, pair: shown) }
        return ComparisonDoubt(remedy: .null(words(in: pairs.map(\.left))), pair: shown)
      }
      guard let value = reader.read(kept.left.span) else { continue }
      let isBeyond =
        isLargest ? ComparedValue.follows(extreme.value, value) : ComparedValue.follows(value, extreme.value)
      if isBeyond { return ComparisonDoubt(remedy: reader.remedy, pair: shown) }
      // A time that is written differently may be beyond it.
      if !areAll, reader.remedy == .reader(.time),
        let other = pairs.first(where: { !TimeForm.isOne(of: [$0.left, kept.left]) })
      {
        let pair = ComparedTexts.Pair(left: other.left, right: kept.left, place: other.place)
        return ComparisonDoubt(remedy: reader.remedy, pair: pair)
      }
    }
    return nil
  }

  /// The text whose value is the smallest or the largest.
  private static func extreme(
    of pairs: [ComparedTexts.Pair], isLargest: Bool, _ reader: Reader
  ) -> (pair: ComparedTexts.Pair, value: ComparedValue)? {
    var extreme: (pair: ComparedTexts.Pair, value: ComparedValue)?
    for pair in pairs where NullLikeWord(pair.left.span) == nil {
      guard let value = reader.read(pair.left.span) else { continue }
      if let known = extreme?.value,
        !(isLargest ? ComparedValue.follows(value, known) : ComparedValue.follows(known, value))
      {
        continue
      }
      extreme = (pair, value)
    }
    return extreme
  }

  /// Whether codes of two letters are among the texts, so that `NA` may be one.
  private static func hasCodes(_ pairs: [ComparedTexts.Pair]) -> Bool {
    pairs.contains { $0.left.span.isCodeOfTwoLetters || $0.right.span.isCodeOfTwoLetters }
  }

  private static func words(in texts: [[UInt8]]) -> [String] {
    let met = Set(texts.compactMap { NullLikeWord($0.span) })
    return NullLikeWord.allCases.filter(met.contains).map(\.rawValue)
  }

  /// The readers of most of the texts that are no plain numbers: several if dates may have either the day or
  /// the month first.
  private static func readers(
    of texts: [[UInt8]], _ marks: NumberMarks, isOrder: Bool, _ hasDateFormat: Bool
  ) -> [Reader] {
    let texts = Set(texts).filter { NullLikeWord($0.span) == nil && !$0.span.isCodeOfTwoLetters }
    if texts.isEmpty { return [] }
    let numbers = texts.filter { NumberReader.isNumber($0.span, marks: marks) }
    let number: (Span<UInt8>) -> ComparedValue? = { NumberReader.loose($0, marks: marks).map { .number($0) } }
    if numbers.count == texts.count { return [Reader(remedy: .number, read: number)] }
    let values = texts.subtracting(numbers).sorted { $0.lexicographicallyPrecedes($1) }
    let beside = Self.few(of: numbers.sorted { $0.lexicographicallyPrecedes($1) })
    var reading = SortReading(Self.few(of: values), marks, numbers: beside, areAll: false)
    reading.isOfKey = false
    let counted = reading.ways.map { (way: $0, count: reading.count($0)) }
    guard let best = best(in: counted), best.count * 2 > reading.texts.count else {
      let all = SortReading(values, marks, numbers: beside, areAll: false)
      guard isOrder else { return [] }
      guard let clock = all.clock else { return [all.leadingNumber].compactMap(\.self) }
      if numbers.isEmpty { return [clock] }
      // Numbers beside clock times have no remedy: nothing can compare them.
      return [Reader(isWhole: false) { Self.clock($0).map { .number(.int(Int64($0[0]))) } ?? number($0) }]
    }
    let completed = reading.completed(best.way.remedy, best.count)
    switch completed {
    case .flag(.version, _): return [Reader { .bytes(sequence($0, .version)) }]
    case .flag(.duration, _) where !numbers.isEmpty:
      // Numbers beside durations have no remedy: their unit is not known.
      return [Reader(isWhole: false) { best.way.read($0) ?? number($0) }]
    case .flag(.amount, _):
      return [Reader(remedy: .reader(completed)) { best.way.read($0) ?? number($0) }]
    case .date(let patterns):
      return counted.compactMap { way, _ in
        guard case .date(let pattern) = way.remedy, pattern.allSatisfy(patterns.contains) else { return nil }
        return Reader(remedy: hasDateFormat ? nil : .reader(completed), read: way.read)
      }
    case .flag, .marks, .time, .yearless, .leadingNumber, .duration:
      return [Reader(remedy: .reader(completed), read: best.way.read)]
    }
  }

  /// Enough of the texts to find their reader, from all parts of their order.
  private static func few(of texts: [[UInt8]]) -> [[UInt8]] {
    let step = texts.count / 40 + 1
    return stride(from: 0, to: texts.count, by: step).map { texts[$0] }
  }

  /// Reads clock times, if all are numbers with the same number of colons.
  private var clock: Reader? {
    let counts = texts.map { Self.clock($0.span)?.count ?? 0 }
    guard let count = counts.first, count > 1, counts.allSatisfy({ $0 == count }) else { return nil }
    return Reader(remedy: .padding(texts.map(\.count).max() ?? 0)) {
      Self.clock($0).map { .bytes($0) }
    }
  }

  /// The numbers of `9:59`; `nil` if a text is something else.
  private static func clock(_ text: Span<UInt8>) -> [UInt8]? {
    var numbers: [UInt8] = []
    var start = 0
    for index in 0...text.count where index == text.count || text[index] == UInt8(ascii: ":") {
      let digits = text.extracting(start..<index)
      guard (numbers.isEmpty ? 1...2 : 2...2).contains(digits.count) else { return nil }
      var number: UInt8 = 0
      for place in digits.indices {
        guard digits[place].isDigit else { return nil }
        number = number * 10 + NumberScan.digit(digits[place])
      }
      numbers.append(number)
      start = index + 1
    }
    return numbers
  }

  /// Reads the numbers that most of the texts begin with, if they are followed by a unit, a remark or always
  /// the same text.
  private var leadingNumber: Reader? {
    let read = texts.compactMap { text in LeadingNumber(text.span).map { (text: text, number: $0) } }
    guard read.count * 2 > texts.count else { return nil }
    let units = Set(read.map { $0.number.unit ?? [] })
    let isOfUnits = !units.contains([])
    guard isOfUnits || read.allSatisfy(\.number.isBeforeRemark) else { return nil }
    let isWord = units.count == 1 ? [true, false].first { cutsOut(read, isWord: $0) } : nil
    return Reader(remedy: isWord.map { .reader(.leadingNumber(isWord: $0)) }, isWhole: false) {
      LeadingNumber($0).map { .number($0.value) }
    }
  }
}

// MARK: - Dates

extension SortReading {
  /// Patterns of days other than those of ISO 8601.
  private static let days = [
    "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%m-%d-%Y", "%d/%m/%y", "%m/%d/%y", "%d.%m.%y",
    "%Y/%m/%d",
    "%Y.%m.%d", "%Y-%m-%d", "%d %b %Y", "%d-%b-%Y", "%d-%b-%y", "%d/%b/%Y", "%d %B %Y", "%d. %B %Y",
    "%b %d, %Y", "%b %d %Y", "%b-%d-%Y", "%a, %d %b %Y", "%a %d %b %Y", "%a %b %d %Y", "%a, %b %d, %Y",
  ]

  /// What may follow a day.
  private static let times = [
    "", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p", ", %H:%M", ", %H:%M:%S", "T%H:%M:%S",
    ":%H:%M:%S %z", " %H:%M:%S %z",
  ]

  /// Patterns of times with the year at the end, and of months.
  private static let others = [
    "%a %b %d %H:%M:%S %Y", "%a %b %d %H:%M:%S %Y %z", "%a %b %d %H:%M:%S %Z %Y", "%b %d %H:%M:%S %Y",
    "%b %d %H:%M:%S %Y %Z", "%b %Y", "%b-%Y", "%b/%Y", "%b-%y", "%m/%Y", "%m-%Y",
  ]

  /// Patterns of days and times without a year.
  private static let yearless = [
    "%b %d", "%b %d %H:%M", "%b %d %H:%M:%S", "%d %b", "%d %b %H:%M", "%d-%b",
  ]

  /// Whether a text has several numbers of up to four digits, or one beside a month, and no single letters except those
  /// of a time: a cheap test.
  private static func mayBeDate(_ text: Span<UInt8>) -> Bool {
    var (numbers, digits, letters) = (0, 0, 0)
    for index in text.indices {
      let isLetter = (text[index] | 0x20) &- 0x61 < 26
      if letters == 1, !isLetter, ![0x54, 0x5A].contains(text[index - 1]) { return false }
      letters = isLetter ? letters + 1 : 0
      digits = text[index].isDigit ? digits + 1 : 0
      if digits == 1 { numbers += 1 }
      if digits > 4 { return false }
    }
    return numbers > 1 || numbers == 1 && namesMonth(text)
  }

  /// Whether the first word of a text begins like a month.
  private static func namesMonth(_ text: Span<UInt8>) -> Bool {
    var letters: [UInt8] = []
    for index in text.indices {
      let isLetter = (text[index] | 0x20) &- 0x61 < 26
      if isLetter { letters.append(text[index] | 0x20) } else if !letters.isEmpty { break }
    }
    return months.contains(Array(letters.prefix(3)))
  }

  private static let months = Set(
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"].map {
      Array($0.utf8)
    })

  /// A way of reading for each pattern that reads one of the first texts.
  private var dateWays: [Way] {
    let tried = texts.prefix(8).filter { Self.mayBeDate($0.span) }
    if tried.isEmpty { return [] }
    let patterns = Self.days.flatMap { day in Self.times.map { day + $0 } } + Self.others
    return patterns.compactMap { pattern in
      guard let format = DateFormat(reading: pattern), tried.contains(where: { format.read($0.span) != nil })
      else { return nil }
      return Way(remedy: .date([pattern])) { format.readOrISO($0).map { .number($0.epoch) } }
    }
  }

  /// The same for patterns without a year: days are compared as those of one year.
  private var yearlessWays: [Way] {
    let tried = texts.prefix(8).filter { Self.mayBeDate($0.span) && Self.namesMonth($0.span) }
    if tried.isEmpty { return [] }
    return Self.yearless.compactMap { pattern in
      guard let format = DateFormat(reading: "%Y " + pattern) else { return nil }
      func read(_ text: Span<UInt8>) -> Timestamp? {
        let text = Array("2000 ".utf8) + Array(copying: text)
        return format.read(text.span)
      }
      guard tried.contains(where: { read($0.span) != nil }) else { return nil }
      return Way(remedy: .yearless(pattern)) { read($0).map { .number($0.epoch) } }
    }
  }
}

// MARK: - Numbers at the start

extension SortReading {
  /// The verdict on texts that begin with a number.
  private var leadingNumbers: Verdict {
    let read = texts.compactMap { text in LeadingNumber(text.span).map { (text: text, number: $0) } }
    guard read.count * 2 > texts.count else {
      if let verdict = scaledAmounts { return verdict }
      return !hasNumbers && isSeries(texts) ? .remedy(.flag(.natural, .given)) : .ordered
    }
    let units = signs.areLetters ? [] : Set(read.compactMap(\.number.unit))
    let values = read.map { ComparedValue.number($0.number.value) }
    if units.count > 1 || read.contains(where: { $0.text.endsAsTime || $0.text.last == UInt8(ascii: "-") }) {
      return .unreadable
    }
    let clocks = read.compactMap { StopwatchTime($0.text.span) }
    if clocks.count == read.count, Set(clocks.map(\.partCount)).count > 1 {
      return !hasNumbers && isOrdered(clocks.map { .number(.int($0.seconds)) }) ? .ordered : .unreadable
    }
    if !hasNumbers, isOrdered(values) {
      // What comes after the number matters only between equal ones: `2025-W4`, but not `1.25 mg`.
      let haveTies = zip(read, read.dropFirst()).contains {
        Number.compare($0.number.value, $1.number.value) == 0
      }
      return haveTies && isSeries(read.map(\.text)) ? .remedy(.flag(.natural, .given)) : .ordered
    }
    let besides = numbers.compactMap { text in
      NumberReader.loose(text.span, marks: marks).map { (text: text, value: ComparedValue.number($0)) }
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
  /// The verdict on amounts with a unit, such as `$1.2M`, if most texts are such; they have an order if all have the same.
  private var scaledAmounts: Verdict? {
    let read = texts.compactMap { text -> LeadingNumber? in
      let length = text.span.currencySignLength(at: 0)
      return length > 0 ? LeadingNumber(text.span.extracting(length...)) : nil
    }
    let units = Set(read.map(\.unit))
    guard read.count * 2 > texts.count, units != [nil] else { return nil }
    return units.count == 1 && isOrdered(read.map { .number($0.value) }) ? .ordered : .unreadable
  }

  /// Whether texts differ only in numbers, between which there are letters or of which the first is a year, and have
  /// another order by these: `2025-W4` and `2025-W10`.
  private func isSeries(_ texts: [[UInt8]]) -> Bool {
    func pattern(_ text: [UInt8]) -> [UInt8] {
      var pattern: [UInt8] = []
      for byte in text where !byte.isDigit || pattern.last != UInt8(ascii: "0") {
        pattern.append(byte.isDigit ? UInt8(ascii: "0") : byte)
      }
      return pattern
    }
    guard let first = texts.first.map(pattern), texts.allSatisfy({ pattern($0) == first }),
      first.contains(where: { ($0 | 0x20) &- 0x61 < 26 })
        || first.count == 3 && texts.allSatisfy({ $0.prefix { $0.isDigit }.count == 4 })
    else { return false }
    return !isOrdered(texts.map { .bytes(Self.sequence($0.span, .natural)) })
  }

  /// Whether `number(extract(…))` turns all texts into the numbers that they begin with.
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
  /// Whether there are groups of digits with marks between them, or a decimal comma: `CHF 3'495.91`, `R$10,11`.
  fileprivate var hasGroups: Bool {
    indices.contains { index in
      index > 0 && index + 1 < count && self[index - 1].isDigit && self[index + 1].isDigit
        && (self[index] == UInt8(ascii: ",") || self[index] == UInt8(ascii: "'"))
    }
  }

  /// Whether a text that begins with a number ends like a 12-hour time or a date: `9:05 PM`, `3. April 2024`.
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
