import TablerEngine

/// What reads cells that are not what was asked for, in words.
extension Messages {
  /// ` (size(Size) reads sizes)`, for all that ask for the values; empty if nothing helps.
  func advice(_ remedies: [Remedy], _ column: String, count: Int, uses: [ValueUse]) -> String {
    var parts: [String] = []
    for remedy in remedies {
      for words in uses.compactMap({ self.words(remedy, column, count, $0) }) where !parts.contains(words) {
        parts.append(words)
      }
    }
    if parts.isEmpty { return "" }
    let words = parts.joined(separator: "; ")
    return uses == [.total(isLeftOut: true)] ? "; " + words : " (\(words))"
  }

  /// The note on dates that were compared as text.
  func text(
    datesAsText column: String, _ count: Int, _ first: InputError.Place, _ bytes: [UInt8], _ formats: [String]
  ) -> String {
    note(
      Self.name(first.path),
      "\(Self.count(count, "cell")) of \(Self.quoted(column)) \(count == 1 ? "was" : "were") compared as text with a date "
        + "(first: line \(first.line), '\(Self.escaped(bytes))'); "
        + Self.dateFormats(formats))
  }

  private func words(_ remedy: Remedy, _ column: String, _ count: Int, _ use: ValueUse) -> String? {
    switch remedy {
    case .null(let words, let areAll):
      let cells = areAll ? (count == 1 ? "it" : "them") : words.count == 1 ? "that word" : "those words"
      return words.map { "--null " + Self.typed($0) }.joined(separator: " ")
        + (words.count == 1 ? " makes " : " make ") + cells + " null everywhere"
    case .marks(let decimal, let thousands):
      let options =
        (decimal == "." ? [] : ["--decimal " + Self.typed(decimal)])
        + (thousands.isEmpty ? [] : ["--thousands " + Self.typed(thousands)])
      return (decimal == "." ? "thousands? " : "decimal commas? ") + options.joined(separator: " ")
    case .dateFormat(let formats): return Self.dateFormats(formats)
    default: break
    }
    switch use {
    case .expression: return Self.inExpression(remedy, Self.named(column))
    case .key(let isExpression, let isDescending):
      let key = (isDescending ? "-" : "") + (isExpression ? Self.escaped(column) : Self.target(column))
      return Self.inKey(remedy, key)
    case .type: return Self.inType(remedy, Self.target(column))
    case .total: return Self.inTotal(remedy, column)
    }
  }

  private static func inTotal(_ remedy: Remedy, _ column: String) -> String? {
    switch remedy {
    case .size(isPercent: false), .duration: inType(remedy, target(column))
    case .amount(let hasDecimalComma): "--set \(assignment(column, hasDecimalComma)) reads amounts"
    default: nil
    }
  }

  /// `--date-format %d/%m/%Y reads them`, with both formats where it is not known which.
  private static func dateFormats(_ formats: [String]) -> String {
    let options = formats.map { "--date-format " + typed($0) }
    if options.isEmpty { return "--date-format FORMAT reads them" }
    return options.joined(separator: " or ") + (options.count == 1 ? " reads" : " read") + " them"
  }

  private static func inExpression(_ remedy: Remedy, _ name: String) -> String? {
    switch remedy {
    case .size(let isPercent): return "size(\(name)) reads \(isPercent ? "percentages" : "sizes")"
    case .amount(let hasDecimalComma):
      return number(in: name, hasDecimalComma: hasDecimalComma) + " reads amounts"
    case .duration: return "duration(\(name)) / 1s reads seconds"
    case .datePart(let formats):
      guard let format = formats.first else { return "year(\(name)) reads years" }
      return "year(date(\(name), \"\(format)\")) reads years"
    case .epoch(let isMilliseconds):
      return "from_epoch(\(name)\(isMilliseconds ? " / 1000" : "")) reads times"
    case .seconds: return "\(name) * 1s reads seconds"
    case .sizeLiteral: return "sizes are written 20G or 512M"
    case .leadingNumber(hasDecimals: false): return "int(extract(\(name), /\\d+/)) reads their numbers"
    case .leadingNumber(hasDecimals: true):
      return "number(extract(\(name), /-?\\d+(\\.\\d+)?/)) reads their numbers"
    case .text(let text): return "\(name) = \"\(escaped(text))\" compares text"
    case .null, .marks, .dateFormat: return nil
    }
  }

  /// The assignment that makes numbers of amounts of money, quoted for the shell.
  private static func assignment(_ column: String, _ hasDecimalComma: Bool) -> String {
    let name = named(column)
    return typed("\(name) = \(number(in: name, hasDecimalComma: hasDecimalComma))")
  }

  /// The number of an amount of money, as an expression.
  private static func number(in name: String, hasDecimalComma: Bool) -> String {
    hasDecimalComma
      ? "number(replace(gsub(\(name), /[^-,\\d]/, \"\"), \",\", \".\"))"
      : "number(gsub(\(name), /[^-.\\d]/, \"\"))"
  }

  private static func inKey(_ remedy: Remedy, _ key: String) -> String? {
    switch remedy {
    case .size(let isPercent): "\(key):size sorts \(isPercent ? "percents" : "sizes")"
    case .duration: "\(key):duration sorts durations"
    case .datePart(formats: []): "\(key):date sorts dates"
    case .datePart(let formats): "\(key):date and \(dateFormats(formats))"
    case .leadingNumber: "\(key):natural sorts by their numbers"
    default: nil
    }
  }

  private static func inType(_ remedy: Remedy, _ name: String) -> String? {
    switch remedy {
    case .size(let isPercent): "--types \(name):size reads \(isPercent ? "percents" : "sizes")"
    case .duration: "--types \(name):duration reads durations"
    case .datePart(formats: []): "--types \(name):date reads dates"
    case .datePart(let formats): "--types \(name):date and \(dateFormats(formats))"
    default: nil
    }
  }

  /// A column as expressions write it: bare where that means the column.
  static func named(_ name: String) -> String { name.isBareColumn ? name : column(name) }
}
