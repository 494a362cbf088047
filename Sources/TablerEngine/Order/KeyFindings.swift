/// A reason to doubt that the order of a sort key is the one that was meant.
public enum KeyDoubt: Equatable, Sendable {
  /// Texts that were sorted after numbers, their number, and a remedy if one is known.
  case textsBesideNumbers(count: Int, SortRemedy?)

  /// Texts that were sorted by their bytes among dates, and their number.
  case textsBesideDates(count: Int)

  /// Texts that look like values and were sorted by their bytes; and a remedy if one is known.
  case sortedAsText(SortRemedy?)

  /// Words of a scale, such as months, that were sorted by their letters; each once, in the order of the scale.
  case scaleAsText([String])

  /// No cell is one of the values that `--order` lists.
  case noneListed

  /// `512m`, which was read as thousandths beside values in other units.
  case thousandths(count: Int)
}

/// A notice about a sort key.
public struct KeyNotice: Sendable {
  /// The column as addressed, or the text of the expression.
  public let key: String
  /// Whether the key is an expression.
  public let isExpression: Bool
  /// Whether it is descending.
  public let isDescending: Bool
  /// Whether rows are not sorted by it, but their order is verified.
  public let isVerified: Bool
  /// The doubt.
  public let doubt: KeyDoubt
  /// The file of the first row that it is about; `nil` for the standard input.
  public let path: FilePath?
  /// The line of that row.
  public let line: Int
  /// The value of the key in that row.
  public let text: [UInt8]
}

/// Values that a key sorted as text though they may be something else: words for missing values beside
/// numbers, sizes, dates.
///
/// Only texts are examined, and most of them only by their first byte. The result does not depend on the
/// pieces in which the rows come.
struct KeyFindings: Sendable {
  /// The number of values that are numbers.
  var numberCount = 0

  /// Whether a cell is one of the values that `--order` lists.
  var hasListed = false

  /// The units of the values of `:size`.
  var units = UnitFindings()

  /// The first of the numbers, by their rows.
  private var numbers: [FoundNumber] = []

  private struct FoundNumber: Sendable {
    let row: Int
    let text: [UInt8]
  }

  private var textCount = 0

  /// The number of texts that begin like values.
  private var valueCount = 0
  private var words: [NullLikeWord: Int] = [:]

  /// Whether codes of two capital letters were found: `NA` may be one of them, too.
  private var hasCodes = false
  private var sample = TextSample()

  /// The number of texts that begin with a letter or a mark and contain a digit: `node-10`.
  private var letteredCount = 0
  private var letteredSample = TextSample()

  /// The texts that begin with a letter, if they may belong to a scale.
  private var scale = ScaleFindings()

  /// The first text that is not a word for a missing value.
  private var first: ConversionTally.Misfit?

  /// The first of these that does not begin like a value.
  private var firstOther: ConversionTally.Misfit?

  /// Records a text that is not a number.
  @inline(__always)
  mutating func recordText(_ text: Span<UInt8>) {
    textCount &+= 1
    guard text.count <= Self.longest else { return }
    switch text.count > 0 ? text[0] : UInt8(ascii: "-") {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "$"), UInt8(ascii: "("), UInt8(ascii: " "), 9, 0xC2, 0xD6, 0xD8,
      0xDF...0xE2,
      0xEA, 0xEF, 0xF0:
      classify(text)
    case UInt8(ascii: "N"), UInt8(ascii: "n"):
      if text.holdsDigit { countLettered(text) } else { classify(text) }
      if scale.isPossible, NullLikeWord(text) == nil { scale.recordText(text) }
      if text.count == 2, text.isCodeOfTwoLetters { hasCodes = true }
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "#"),
      UInt8(ascii: "/"), UInt8(ascii: "_"):
      if text.holdsDigit { countLettered(text) }
      scale.recordText(text)
      if text.count == 2, text.isCodeOfTwoLetters { hasCodes = true }
    default: return
    }
  }

  /// Whether texts were found whose first one is not known yet.
  var lacksFirst: Bool { first == nil && textCount > wordCount }

  /// Whether texts were found that do not begin like values, whose first one is not known yet.
  var lacksOther: Bool { firstOther == nil && otherCount > 0 }

  /// Records the first text, and the first that does not begin like a value.
  mutating func recordFirst(_ text: Span<UInt8>, of origin: Batch, row: Int) {
    let isOther = firstOther == nil && !Self.mayBeValue(text)
    guard first == nil || isOther else { return }
    let found = ConversionTally.Misfit(text, of: origin, row: row, wanted: .number)
    if first == nil { first = found }
    if isOther { firstOther = found }
  }

  /// Whether a text is examined, and begins like a value.
  private static func mayBeValue(_ text: Span<UInt8>) -> Bool { text.count <= longest && text.beginsAsValue }

  /// Whether numbers were found, and others before a row are still needed.
  ///
  /// - Parameter row: the number of the row.
  func lacksNumbers(before row: Int) -> Bool {
    numbers.count < min(numberCount, row <= Self.rowsWithNumbers ? Self.mostNumbers : 1)
  }

  /// Records one of the first numbers.
  mutating func recordNumber(_ text: Span<UInt8>, of origin: Batch, row: Int) {
    numbers.append(FoundNumber(row: origin.rowNumber(ofRow: row), text: Array(copying: text)))
  }

  /// Adds the findings of another part of the same key.
  mutating func merge(_ other: KeyFindings) {
    numberCount += other.numberCount
    hasListed = hasListed || other.hasListed
    textCount += other.textCount
    hasCodes = hasCodes || other.hasCodes
    valueCount += other.valueCount
    units.merge(other.units)
    words.merge(other.words) { $0 + $1 }
    sample.merge(other.sample)
    letteredCount += other.letteredCount
    letteredSample.merge(other.letteredSample)
    scale.merge(other.scale)
    if let found = other.first, found.row < first?.row ?? .max { first = found }
    if let found = other.firstOther, found.row < firstOther?.row ?? .max { firstOther = found }
    if !other.numbers.isEmpty {
      let all = (numbers + other.numbers).sorted { $0.row < $1.row }
      let early = all.prefix { $0.row <= Self.rowsWithNumbers }
      numbers = Array(early.isEmpty ? all.prefix(1) : early.prefix(Self.mostNumbers))
    }
  }

  /// The number of texts that neither begin like values nor are words for missing ones.
  private var otherCount: Int { textCount - valueCount - words.values.reduce(0, +) }

  private var wordCount: Int { words.reduce(0) { isNothing($1.key) ? $0 + $1.value : $0 } }

  /// Whether a word means a missing value.
  private func isNothing(_ word: NullLikeWord) -> Bool { !(hasCodes && word.mayBeCode) }
}

extension KeyFindings {
  /// Something that may not be meant, and its first row.
  struct Doubt {
    let doubt: KeyDoubt
    let first: ConversionTally.Misfit
  }

  /// A word for a missing value, how many cells have it, and whether it is beside numbers or beside texts that are values.
  struct WordBesideValues: Equatable {
    let word: NullLikeWord
    var count: Int
    let areNumbers: Bool
  }

  /// The words for missing values that are beside values.
  func wordsBesideValues(_ marks: NumberMarks) -> [WordBesideValues] {
    guard !words.isEmpty, numberCount > 0 || textsAreValues(marks) else { return [] }
    return NullLikeWord.allCases.compactMap { word in
      guard isNothing(word), let count = words[word] else { return nil }
      return WordBesideValues(word: word, count: count, areNumbers: numberCount > 0)
    }
  }

  /// Whether most texts are values of one kind, such as dates or sizes.
  private func textsAreValues(_ marks: NumberMarks) -> Bool {
    guard valueCount > (textCount - wordCount) / 2 else { return false }
    return SortReading(sample.texts, marks, numbers: [], areAll: sample.isComplete).areValues
  }

  /// The remaining doubt.
  ///
  /// Beside numbers all texts are out of place, except names a few of which are numbers. Without numbers,
  /// texts count as values if most of them begin with a digit or a currency sign, or have a digit after
  /// letters.
  ///
  /// - Parameters:
  ///   - areDeclared: whether the values are declared to be sizes, whose units are recorded where they are read.
  ///   - areListed: whether `--order` lists values.
  func doubt(
    _ marks: NumberMarks, ofDeclaredSizes areDeclared: Bool = false, areListed: Bool = false
  ) -> Doubt? {
    if !areDeclared, let first = units.doubtful {
      return Doubt(doubt: .thousandths(count: units.thousandthCount), first: first)
    }
    let count = textCount - wordCount
    guard count > 0, let first else { return nil }
    if areListed, !hasListed, numberCount == 0 { return Doubt(doubt: .noneListed, first: first) }
    if numberCount == 0, scale.count == count, let words = WordScale.ordered(scale.texts) {
      return Doubt(doubt: .scaleAsText(words), first: first)
    }
    let areValues = valueCount > count / 2
    let hasNumbers = numberCount > 0
    guard areValues || numberCount > count / 10 else { return letteredDoubt(marks, count, first) }
    let reading =
      areValues
      ? SortReading(sample.texts, marks, numbers: numbers.map(\.text), areAll: sample.isComplete) : nil
    let verdict = reading?.verdict ?? .ordered
    var remedy: SortRemedy?
    if case .remedy(let found) = verdict { remedy = found }
    if hasNumbers { return Doubt(doubt: .textsBesideNumbers(count: count, remedy), first: first) }
    if verdict != .ordered { return Doubt(doubt: .sortedAsText(remedy), first: first) }
    guard otherCount > 0, let firstOther, reading?.areTimes ?? false else { return nil }
    return Doubt(doubt: .textsBesideDates(count: otherCount), first: firstOther)
  }
}

extension KeyFindings {
  /// The doubt about texts that begin with letters, for `count` of all texts and the first.
  private func letteredDoubt(_ marks: NumberMarks, _ count: Int, _ first: ConversionTally.Misfit) -> Doubt? {
    guard numberCount == 0, letteredCount > count / 2 else { return nil }
    let reading = SortReading(letteredSample.texts, marks, numbers: [], areAll: letteredSample.isComplete)
    switch reading.letteredVerdict {
    case .ordered: return nil
    case .unreadable: return Doubt(doubt: .sortedAsText(nil), first: first)
    case .remedy(let remedy): return Doubt(doubt: .sortedAsText(remedy), first: first)
    }
  }

  /// The longest text that is examined.
  private static var longest: Int { 40 }

  /// The maximum number of numbers that are kept, and the number of first rows they are taken from: if these
  /// have none, one is kept.
  private static var mostNumbers: Int { 64 }
  private static var rowsWithNumbers: Int { 1000 }

  @inline(never)
  private mutating func classify(_ text: Span<UInt8>) {
    if let word = NullLikeWord(text) {
      words[word, default: 0] += 1
    } else if text.beginsAsValue {
      valueCount += 1
      sample.addText(text)
    }
  }

  @inline(never)
  private mutating func countLettered(_ text: Span<UInt8>) {
    letteredCount += 1
    letteredSample.addText(text)
  }
}
