import TablerEngine

/// Remedies for cells that did not convert, in words.
extension Messages {
  /// ` (size(Size) reads sizes)`, for all uses of the values; empty if nothing helps.
  ///
  /// - Parameter ways: other things to do.
  func advice(
    _ remedies: [Remedy], _ column: String, count: Int, uses: [ValueUse], and ways: [String] = []
  ) -> String {
    // Remedies are about how an input is read, which is not what a client writes.
    if arguments.has(.via) { return "" }
    var parts: [String] = []
    for remedy in remedies {
      for words in uses.compactMap({ self.words(remedy, column, count, $0) }) where !parts.contains(words) {
        parts.append(words)
      }
    }
    parts += ways
    if parts.isEmpty { return "" }
    let words = parts.joined(separator: "; ")
    return uses == [.total(isLeftOut: true)] || uses == [.format] ? "; " + words : " (\(words))"
  }

  /// `2 cells of 'price' are not numbers (first: line 2, '$5')`.
  static func misfits(
    _ column: String, _ count: Int, _ first: InputError.Location, _ bytes: [UInt8],
    _ wanted: ExpressionError.ValueKind
  ) -> String {
    let are =
      count == 1
      ? "1 cell of \(quoted(column)) is not " + one(wanted)
      : "\(count) cells of \(quoted(column)) are not " + several(wanted)
    return are + " (first: line \(first.line), '\(escaped(bytes))')"
  }

  /// The message about the data that a file that is written back would lose, and how to read the cells, keep
  /// them, or lose them deliberately.
  func text(lost part: LostPart, _ count: Int, _ misfits: MisfitReport) -> String {
    let (column, wanted) = (misfits.column, misfits.wanted)
    let would: String
    var ways: [String] = []
    switch part {
    case .cells(let isDerived):
      would = "--\(isDerived ? "derive" : "set") would empty \(Self.count(count, "cell"))"
      if !misfits.isPutIn, let test = Self.test(column, wanted, isMet: true) {
        ways.append("'where \(test)' keeps such cells")
      }
      ways.append("--on-error skip leaves \(count == 1 ? "its row" : "their rows") out")
    case .rows:
      would = "--filter would leave out \(Self.count(count, "row"))"
      if let test = Self.test(column, wanted, isMet: false) { ways.append("'or \(test)' keeps such rows") }
      ways.append("--on-error skip leaves \(count == 1 ? "it" : "them") out")
    }
    return error(
      Self.name(misfits.first.path),
      Self.misfits(column, misfits.count, misfits.first, misfits.text, wanted)
        + ", so that \(would); nothing is written" + advice(on: wanted, column, misfits.text)
        + advice(misfits.remedies, column, count: misfits.count, uses: [misfits.use], and: ways))
  }

  /// `price is number`, which distinguishes the cells that convert from others; `nil` if no test does.
  private static func test(_ column: String, _ wanted: ExpressionError.ValueKind, isMet: Bool) -> String? {
    let name = named(column)
    let type: ValueType
    switch wanted {
    case .number: type = .number
    case .wholeNumber: type = .int
    case .bool: type = .bool
    case .size: type = .size
    case .duration: type = .duration
    case .list: type = .list
    case .object: type = .object
    case .date: return (isMet ? "" : "not ") + "is_date(\(name))"
    case .null, .text, .container, .pattern, .comparedText: return nil
    }
    return "\(name) is \(isMet ? "" : "not ")\(type.rawValue)"
  }

  /// The note on dates that were compared as text.
  func text(
    datesAsText column: String, _ count: Int, _ first: InputError.Location, _ bytes: [UInt8],
    _ formats: [String]
  ) -> String {
    note(
      Self.name(first.path),
      "\(Self.count(count, "cell")) of \(Self.quoted(column)) \(count == 1 ? "was" : "were") compared as text with a date "
        + "(first: line \(first.line), '\(Self.escaped(bytes))'); "
        + (formats.isEmpty
          ? "datetime(\(Self.named(column))) reads them"
          : dateFormats(formats, column)))
  }

  private func words(_ remedy: Remedy, _ column: String, _ count: Int, _ use: ValueUse) -> String? {
    switch remedy {
    case .null(let words, let areAll):
      let cells = areAll ? (count == 1 ? "it" : "them") : words.count == 1 ? "that word" : "those words"
      return Self.nullOptions(words)
        + (words.count == 1 ? " makes " : " make ") + cells + " null everywhere"
    case .marks(let decimal, let thousands):
      let options =
        (decimal == "." ? [] : ["--decimal " + Self.typed(decimal)])
        + (thousands.isEmpty ? [] : ["--thousands " + Self.typed(thousands)])
      return (decimal == "." ? "thousands? " : "decimal commas? ") + options.joined(separator: " ")
    case .dateFormat(let formats):
      return arguments.has(.dateFormat) && use != .expression ? nil : dateFormats(formats, column)
    default: break
    }
    switch use {
    case .expression: return inExpression(remedy, Self.named(column))
    case .key(let isExpression, let isDescending):
      return Self.typedKey(column, isExpression: isExpression, isDescending: isDescending).flatMap {
        Self.inKey(remedy, $0)
      }
    case .type: return inType(remedy, column)
    case .total: return inTotal(remedy, column)
    case .format: return inFormat(remedy, column)
    }
  }

  private func inTotal(_ remedy: Remedy, _ column: String) -> String? {
    switch remedy {
    case .size(isPercent: false) where isMade(column): adding("size", column, "sizes")
    case .duration where isMade(column): adding("duration", column, "durations")
    case .size(isPercent: false), .duration: inType(remedy, column)
    case .amount: setting(remedy, column).map { $0 + " reads amounts" }
    default: nil
    }
  }

  /// The footer that adds the values of a column that is made, for which no type can be declared.
  private func adding(_ function: String, _ column: String, _ noun: String) -> String {
    let footer = "\(Self.target(column))={sum(\(function)(\(Self.named(column))))}"
    return "--footer \(Self.typed(footer)) adds \(noun)"
  }

  /// Whether an option makes the column, so that `--types`, which comes first, cannot name it.
  private func isMade(_ column: String) -> Bool {
    let isDerived = (try? arguments.computations)?.contains { $0.makes(column) } ?? false
    return isDerived || [.groupBy, .aggregate, .compute, .unpivot, .pivot].contains { arguments.has($0) }
  }

  private func inFormat(_ remedy: Remedy, _ column: String) -> String? {
    switch remedy {
    case .amount: setting(remedy, column).map { $0 + " reads amounts" }
    case .leadingNumber: setting(remedy, column).map { $0 + " reads their numbers" }
    case .epoch: setting(remedy, column).map { $0 + " reads times" }
    default: nil
    }
  }

  /// `--date-format %d/%m/%Y reads them`, with both formats if it is not known which; if a format for other
  /// dates is already given, a function.
  func dateFormats(_ formats: [String], _ column: String) -> String {
    if let given = arguments.value(.dateFormat), let format = formats.first {
      // Then the other cells may be read so, too, and mean other days.
      if format == given.withDayAndMonthExchanged { return "--date-format \(Self.typed(format)) reads them" }
      let name = Self.named(column)
      return "coalesce(date(\(name)), date(\(name), \"\(format)\")) reads them"
    }
    let options = formats.map { "--date-format " + Self.typed($0) }
    if options.isEmpty { return "--date-format FORMAT reads them" }
    return options.joined(separator: " or ") + (options.count == 1 ? " reads" : " read") + " them"
  }

  /// ` --date-format %d/%m/%Y (or %m/%d/%Y)`; empty for dates of ISO 8601.
  static func dateOption(_ formats: [String]) -> String {
    guard let first = formats.first else { return "" }
    return " --date-format " + typed(first) + formats.dropFirst().map { " (or \(typed($0)))" }.joined()
  }

  private func inExpression(_ remedy: Remedy, _ name: String) -> String? {
    switch remedy {
    case .size(let isPercent): "size(\(name)) reads \(isPercent ? "percentages" : "sizes")"
    case .amount: reader(remedy, name).map { $0 + " reads amounts" }
    case .duration, .seconds: reader(remedy, name).map { $0 + " reads seconds" }
    case .epoch: reader(remedy, name).map { $0 + " reads times" }
    case .datePart(let formats, let hasTime, let isBesideOthers):
      dates(name, formats, hasTime: hasTime, isBesideOthers: isBesideOthers)
    case .leadingNumber: reader(remedy, name).map { $0 + " reads their numbers" }
    case .sizeLiteral: "sizes are written 20G or 512M"
    case .shortClock(isBesideOthers: true):
      "coalesce(duration(\(name)), duration(\"0:\" ++ \(name))) reads minutes and seconds"
    case .shortClock(isBesideOthers: false):
      "duration(\(name) ++ \":00\") reads hours and minutes; duration(\"0:\" ++ \(name)) reads minutes and seconds"
    case .age: "no function reads ages in words"
    case .text(let text): "\(name) = \"\(Self.escaped(text))\" compares text"
    case .null, .marks, .dateFormat: nil
    }
  }

  /// The expression that reads cells; those that already are what was wanted stay unchanged.
  private func reader(_ remedy: Remedy, _ name: String) -> String? {
    switch remedy {
    case .amount(let hasDecimalComma, let hasParentheses, let isBesideOthers):
      let reader = amount(hasParentheses ? "replace(\(name), \"(\", \"-\")" : name, hasDecimalComma)
      return isBesideOthers ? "coalesce(number(\(name)), \(reader))" : reader
    case .duration(let isBesideOthers):
      return isBesideOthers ? "coalesce(number(\(name)), duration(\(name)) / 1s)" : "duration(\(name)) / 1s"
    case .epoch(let isMilliseconds, let isBesideOthers):
      let reader = "from_epoch(\(name)\(isMilliseconds ? " / 1000" : ""))"
      return isBesideOthers ? "coalesce(date(\(name)), \(reader))" : reader
    case .seconds(let isBesideOthers):
      return isBesideOthers ? "coalesce(duration(\(name)), \(name) * 1s)" : "\(name) * 1s"
    case .leadingNumber(let isWord): return Self.leadingNumber(name, isWord: isWord)
    case .null, .marks, .size, .dateFormat, .datePart, .sizeLiteral, .shortClock, .age, .text: return nil
    }
  }

  /// The expressions that read the years of dates, or these numbers, and dates.
  private func dates(_ name: String, _ formats: [String], hasTime: Bool, isBesideOthers: Bool) -> String {
    let format = arguments.has(.dateFormat) ? nil : formats.first
    let reader = (hasTime ? "datetime(" : "date(") + name + (format.map { ", \"\($0)\"" } ?? "") + ")"
    let year = "year(\(format == nil ? name : reader))"
    return (isBesideOthers ? "coalesce(number(\(name)), \(year))" : year) + " reads years, \(reader) "
      + (hasTime ? "times" : "dates")
  }

  /// The number before other text: everything before a blank, or all characters that may belong to a number.
  ///
  /// A number alone stays unchanged, and times and dates do not count.
  static func leadingNumber(_ name: String, isWord: Bool) -> String {
    "number(extract(\(name), \(isWord ? #"/\S+/"# : #"/^[-+.,:\deE]+/"#)))"
  }

  /// The number of an amount of money, as an expression; if marks are given, they are used to read it.
  func amount(_ name: String, _ hasDecimalComma: Bool) -> String {
    let decimal = arguments.value(.decimal) ?? "."
    let thousands = arguments.value(.thousands) ?? ""
    if decimal != "." || !thousands.isEmpty {
      let marks = (decimal + thousands).map { #"]\^/"#.contains($0) ? "\\\($0)" : String($0) }.joined()
      return "number(gsub(\(name), /[^-\(marks)\\d]/, \"\"))"
    }
    return hasDecimalComma
      ? "number(replace(gsub(\(name), /[^-,\\d]/, \"\"), \",\", \".\"))"
      : "number(gsub(\(name), /[^-.\\d]/, \"\"))"
  }

  /// `--set 'price = …'`, quoted for the shell; nil for a column without a name.
  private func setting(_ remedy: Remedy, _ column: String) -> String? {
    let name = Self.named(column)
    return column.isEmpty
      ? nil : reader(remedy, name).map { "--set " + Self.typed("\(name) = \($0)") }
  }

  private static func inKey(_ remedy: Remedy, _ key: (String) -> String) -> String? {
    switch remedy {
    case .size(let isPercent): key("size") + " sorts \(isPercent ? "percents" : "sizes")"
    case .duration(isBesideOthers: false): key("duration") + " sorts durations"
    case .datePart(let formats, _, isBesideOthers: false): key("date") + dateOption(formats) + " sorts dates"
    default: nil
    }
  }

  private func inType(_ remedy: Remedy, _ column: String) -> String? {
    switch remedy {
    case .size(let isPercent):
      Self.typing(column, "size").map { $0 + " reads \(isPercent ? "percents" : "sizes")" }
    case .duration(isBesideOthers: false): Self.typing(column, "duration").map { $0 + " reads durations" }
    case .datePart(let formats, _, isBesideOthers: false):
      Self.typing(column, "date").map { $0 + Self.dateOption(formats) + " reads dates" }
    case .amount: setting(remedy, column).map { "without its type, \($0) reads amounts" }
    default: nil
    }
  }

  /// `--types COLUMN:TYPE`, quoted for the shell; nil for a column without a name.
  private static func typing(_ column: String, _ type: String) -> String? {
    column.isEmpty ? nil : "--types " + typed(target(column) + ":" + type)
  }

  /// A sort key with a flag, quoted for the shell; nil for a column without a name, which only its position
  /// addresses.
  static func typedKey(_ key: String, isExpression: Bool, isDescending: Bool) -> ((String) -> String)? {
    if key.isEmpty { return nil }
    return { flag in
      typed((isDescending ? "-" : "") + (isExpression ? key : target(key)) + (flag.isEmpty ? "" : ":" + flag))
    }
  }

  /// A column in expression syntax: bare if that means the column, or a position.
  static func named(_ name: String) -> String {
    let digits = name.dropFirst()
    let isPosition = name.hasPrefix("$") && !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
    return isPosition || name.isBareColumn ? name : column(name)
  }

  /// The same with all characters of the name: not for a terminal.
  static func exactlyNamed(_ name: String) -> String {
    named(name) == name
      ? name
      : "`" + name.split(separator: "`", omittingEmptySubsequences: false).joined(separator: "``") + "`"
  }
}

extension String {
  /// A format of dates with the day in place of the month, and the month in place of the day.
  fileprivate var withDayAndMonthExchanged: String {
    var isLetter = false
    return String(
      map { character in
        defer { isLetter = character == "%" && !isLetter }
        switch character {
        case "d" where isLetter: return "m"
        case "m" where isLetter: return "d"
        default: return character
        }
      })
  }
}
