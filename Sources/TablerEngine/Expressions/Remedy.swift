/// A way to read cells that did not convert.
///
/// Some ways would change cells that already are what was wanted; `isBesideOthers` tells that there may be
/// such cells.
public enum Remedy: Equatable, Sendable {
  /// The words should be null: `--null NA`; whether the cells are all such words.
  case null(words: [String], areAll: Bool)
  /// Numbers have other marks; an empty text means no thousands mark.
  case marks(decimal: String, thousands: String)
  /// The signs and letters of an amount of money should be removed; an amount in parentheses is negative.
  case amount(hasDecimalComma: Bool, hasParentheses: Bool, isBesideOthers: Bool)
  /// They are sizes, or percentages.
  case size(isPercent: Bool)
  /// They are durations.
  case duration(isBesideOthers: Bool)
  /// They are dates, perhaps with a time, or a part of them is used as a number; in these formats, or in ISO 8601.
  case datePart(formats: [String], hasTime: Bool, isBesideOthers: Bool)
  /// They are dates in one of these formats.
  case dateFormat([String])
  /// They are seconds, or milliseconds, since 1970.
  case epoch(isMilliseconds: Bool, isBesideOthers: Bool)
  /// They are numbers of seconds.
  case seconds(isBesideOthers: Bool)
  /// They are hours and minutes, or minutes and seconds: `9:59`.
  case shortClock(isBesideOthers: Bool)
  /// They are compared with a duration, such as `5m`, but are sizes, like `5M`.
  case sizeLiteral
  /// The number before other text should be extracted; whether a blank follows it.
  case leadingNumber(isWord: Bool)
  /// They are ages in words, `3 days ago`, which cannot be read.
  case age
  /// They are texts such as `yes`.
  case text(String)
}

/// The use of a column's values.
public enum ValueUse: Equatable, Sendable {
  /// An expression.
  case expression
  /// A sort key, which is a column or an expression.
  case key(isExpression: Bool, isDescending: Bool)
  /// A declared type.
  case type
  /// A total of the column, which is omitted if most of its cells are not numbers.
  case total(isLeftOut: Bool)
  /// A format of the column, which fits none of its cells.
  case format
}

extension ConversionTally.ColumnMisfits {
  /// The remedies for most of the cells that did not convert; empty if none is known.
  ///
  /// - Parameter rowCount: the number of rows that were read.
  func remedies(ofRows rowCount: Int) -> [Remedy] {
    guard let first = misfits.first else { return [] }
    let mayHaveOthers = use == .expression ? misfits.count < rowCount : numberCount > 0
    return misfits.looks.remedies(
      for: first.wanted, first: first.text, count: misfits.count, isBesideOthers: mayHaveOthers)
  }

  /// The remedies for the first of them alone, which ends the run: which others were read by then depends on timing, and so
  /// does whether there are cells of the type wanted.
  var remediesOfFirst: [Remedy] {
    guard let first = misfits.first else { return [] }
    var looks = CellLooks(misfits.looks.numberMarks)
    looks.recordCell(first.text.span)
    return looks.remedies(for: first.wanted, first: first.text, count: 1, isBesideOthers: true)
  }

  /// The formats that read most of the dates that are compared as text.
  var dateFormats: [String] { dates.looks.dateFormats() }
}

extension ConversionTally.Cells {
  /// The remedies for most of the cells that functions made null.
  ///
  /// - Parameter rowCount: the number of rows that were read.
  func remedies(ofRows rowCount: Int) -> [Remedy] {
    guard let first else { return [] }
    return looks.remedies(
      for: first.wanted, first: first.text, count: count, isBesideOthers: count < rowCount)
  }
}

extension CellLooks {
  /// The remedies that read most of the cells as what was wanted, apart from words for missing values.
  fileprivate func remedies(
    for wanted: ExpressionError.ValueKind, first: [UInt8], count: Int, isBesideOthers: Bool
  ) -> [Remedy] {
    let nothings = self.count(.nothing)
    let least = (count - nothings) / 2
    let remedy: Remedy? =
      switch wanted {
      case .number, .wholeNumber, .size:
        numberRemedy(least, hasTime: first.contains(UInt8(ascii: ":")), isBesideOthers)
      case .date: dateRemedy(least, isBesideOthers)
      case .duration: durationRemedy(least, isBesideOthers)
      case .bool: self.count(.answer) > least ? .text(String(decoding: first, as: UTF8.self)) : nil
      default: nil
      }
    let isFirst = nothings > least
    let null: [Remedy] = nothings > 0 ? [.null(words: nullWords, areAll: nothings == count)] : []
    var known = remedy.map { [$0] } ?? []
    // Beside numbers, `12m` is more often thousandths than minutes.
    if case .duration(isBesideOthers: true)? = remedy, self.count(.duration, .clock) == 0 {
      known.insert(.size(isPercent: false), at: 0)
    }
    return (isFirst ? null : []) + known + (isFirst ? [] : null)
  }

  private func dateRemedy(_ least: Int, _ isBesideOthers: Bool) -> Remedy? {
    let formats = dateFormats(ofMoreThan: least)
    if !formats.isEmpty { return .dateFormat(formats) }
    let areSeconds = count(.seconds) > least
    guard areSeconds || count(.milliseconds) > least else { return nil }
    return .epoch(isMilliseconds: !areSeconds, isBesideOthers: isBesideOthers)
  }

  private func durationRemedy(_ least: Int, _ isBesideOthers: Bool) -> Remedy? {
    if count(.size) > 0, count(.size, .number, .durationOrSize) > least { return .sizeLiteral }
    if count(.number, .seconds, .milliseconds) > least { return .seconds(isBesideOthers: isBesideOthers) }
    if count(.shortClock) > least { return .shortClock(isBesideOthers: isBesideOthers) }
    return count(.age) > least ? .age : nil
  }

  private func numberRemedy(_ least: Int, hasTime: Bool, _ isBesideOthers: Bool) -> Remedy? {
    if let marks = otherMarks(ofMoreThan: least) {
      return .marks(decimal: marks.decimal, thousands: marks.thousands)
    }
    if let amount = amountRemedy(least, isBesideOthers) { return amount }
    if count(.duration, .durationOrSize, .clock) > least { return .duration(isBesideOthers: isBesideOthers) }
    if count(.size, .percent, .durationOrSize) > least { return .size(isPercent: count(.percent) > least) }
    let formats = dateFormats(ofMoreThan: least)
    if !formats.isEmpty || count(.standardDate) > least {
      let isTimed = formats.first?.contains(":") ?? hasTime
      return .datePart(formats: formats, hasTime: isTimed, isBesideOthers: isBesideOthers)
    }
    let ages = haveAgesOneUnit ? count(.age) : 0
    if count(.leadingWord, .leadingDigits) + ages > least, !haveSeveralUnits {
      return .leadingNumber(isWord: count(.leadingDigits) == 0)
    }
    if count(.age) <= least { return nil }
    return durationAges == count(.age) ? .duration(isBesideOthers: isBesideOthers) : .age
  }

  /// The remedy for amounts; it would turn other texts with digits into numbers, too.
  private func amountRemedy(_ least: Int, _ isBesideOthers: Bool) -> Remedy? {
    let commas = count(.currencyWithComma, .inParenthesesWithComma)
    let parentheses = count(.inParentheses, .inParenthesesWithComma)
    let amounts = count(.currency, .inParentheses) + commas
    let texts = count(
      .marked, .size, .percent, .duration, .durationOrSize, .date, .standardDate, .leadingWord,
      .leadingDigits, .age,
      .other)
    guard amounts > least, texts == 0, !haveSeveralUnits else { return nil }
    return .amount(
      hasDecimalComma: commas > 0, hasParentheses: parentheses > 0, isBesideOthers: isBesideOthers)
  }
}
