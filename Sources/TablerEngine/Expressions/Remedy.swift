/// What reads cells that are not what was asked for.
public enum Remedy: Equatable, Sendable {
  /// The words are to be null: `--null NA`; whether the cells are all such words.
  case null(words: [String], areAll: Bool)
  /// Numbers have other marks; no thousands mark is empty.
  case marks(decimal: String, thousands: String)
  /// The signs and letters of an amount of money are to go.
  case amount(hasDecimalComma: Bool)
  /// They are sizes, or percentages.
  case size(isPercent: Bool)
  /// They are durations.
  case duration
  /// They are dates, of which one part is a number; in these formats, or as ISO 8601 has them.
  case datePart(formats: [String])
  /// They are dates in one of these formats.
  case dateFormat([String])
  /// They are seconds, or milliseconds, since 1970.
  case epoch(isMilliseconds: Bool)
  /// They are numbers of seconds.
  case seconds
  /// They are compared with a duration, such as `5m`, but are sizes, as `5M` is.
  case sizeLiteral
  /// The number before other text is to be cut out.
  case leadingNumber(hasDecimals: Bool)
  /// They are texts such as `yes`.
  case text(String)
}

/// What asks for the values of a column.
public enum ValueUse: Equatable, Sendable {
  /// An expression.
  case expression
  /// A sort key, which is a column or an expression.
  case key(isExpression: Bool, isDescending: Bool)
  /// A declared type.
  case type
  /// A total of the column, which it does not have if most of its cells are no numbers.
  case total(isLeftOut: Bool)
}

extension ConversionTally.Entry {
  /// What reads most of the cells that did not convert; empty where nothing is known to.
  var remedies: [Remedy] {
    guard let first = misfits.first else { return [] }
    return misfits.looks.remedies(for: first.wanted, first: first.text, count: misfits.count)
  }

  /// The formats that read most of the dates that are compared as text.
  var dateFormats: [String] { dates.looks.dateFormats }
}

extension CellLooks {
  /// What reads most of the cells as what was wanted.
  fileprivate func remedies(
    for wanted: ExpressionError.ValueKind, first: [UInt8], count: Int
  ) -> [Remedy] {
    var remedies: [Remedy] = []
    for look in most {
      guard let remedy = remedy(look, wanted, first, count), !remedies.contains(remedy) else { continue }
      remedies.append(remedy)
    }
    // What reads decimals reads whole numbers too.
    if remedies.contains(.leadingNumber(hasDecimals: true)) {
      remedies.removeAll { $0 == .leadingNumber(hasDecimals: false) }
    }
    // Sizes have plain numbers among them.
    return remedies.contains(.sizeLiteral) ? [.sizeLiteral] : remedies
  }

  private func remedy(_ look: Look, _ wanted: ExpressionError.ValueKind, _ first: [UInt8], _ count: Int)
    -> Remedy?
  {
    if look == .nothing { return .null(words: nullWords, areAll: areAllNothing(of: count)) }
    return switch wanted {
    case .number, .wholeNumber, .size: numberRemedy(look)
    case .date:
      switch look {
      case .date: .dateFormat(dateFormats)
      case .seconds: .epoch(isMilliseconds: false)
      case .milliseconds: .epoch(isMilliseconds: true)
      default: nil
      }
    case .duration:
      switch look {
      case .number, .seconds, .milliseconds: .seconds
      case .size: .sizeLiteral
      default: nil
      }
    case .bool: look == .answer ? .text(String(decoding: first, as: UTF8.self)) : nil
    default: nil
    }
  }

  private func numberRemedy(_ look: Look) -> Remedy? {
    switch look {
    case .marked: numberMarks.map { .marks(decimal: $0.decimal, thousands: $0.thousands) }
    case .currency: .amount(hasDecimalComma: false)
    case .currencyWithComma: .amount(hasDecimalComma: true)
    case .size: .size(isPercent: false)
    case .percent: .size(isPercent: true)
    case .duration: .duration
    case .date: .datePart(formats: dateFormats)
    case .standardDate: .datePart(formats: [])
    case .leadingWhole: .leadingNumber(hasDecimals: false)
    case .leadingDecimal: .leadingNumber(hasDecimals: true)
    case .nothing, .number, .seconds, .milliseconds, .answer: nil
    }
  }
}
