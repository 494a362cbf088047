import TablerEngine

extension InputOptions {
  /// Reads the options under "Input".
  init(_ arguments: Arguments) throws(PlanError) {
    self.init()
    // Most runs have none of them, and reading each takes a fiftieth of the start-up time.
    let isAsked = { (option: Option.ID) in option == .flatten || Option[option].group == .input }
    guard arguments.occurrences.contains(where: { isAsked($0.option) }) else { return }
    form = arguments.choice(.from, as: InputForm.self) ?? .auto
    if let mark = arguments.character(.delimiter) {
      if form == .auto { form = .csv }
      if form != .csv { throw .foreignInput(.delimiter, form, known: [.csv]) }
      delimiter = UInt8(ascii: mark)
    }
    quote = arguments.mark(.quote)
    escape = arguments.mark(.escape)
    hasLazyQuotes = arguments.isOn(.lazyQuotes)
    comment = arguments.character(.comment).map { UInt8(ascii: $0) }
    skippedLines = arguments.number(.skipLines) ?? 0
    hasNoHeader = arguments.isOn(.noHeaderIn)
    headerLines = arguments.number(.headerLines) ?? 1
    mostFields = arguments.number(.maxFields) ?? .max
    try readPattern(arguments)
    footerLines = arguments.number(.footerLines) ?? 0
    ragged = arguments.choice(.ragged, as: Ragged.self) ?? .error
    nullWords = arguments.values(.null)
    quotedEmptyIsText = arguments.value(.quotedEmpty) == "text"
    encoding = arguments.choice(.encoding, as: Encoding.self)
    names = try arguments.readLast(.names) { (cursor) throws(GrammarError) in try cursor.names() }
    autoNames = try arguments.readLast(.autoNames) { (cursor) throws(GrammarError) in
      try cursor.text(fields: ["{n}", "{letter}"])
    }
    isTrimmed = arguments.isOn(.trim)
    at = try arguments.readLast(.at) { (cursor) throws(GrammarError) in try cursor.path() }
    isFlattened = arguments.isOn(.flatten)
    formOptions = FormOption.allCases.filter { arguments.isOn($0.id) }
    if let option = optionsUnknown(to: form).first {
      throw .foreignInput(option.id, form, known: option.forms)
    }
    try checkMarks(arguments)
    try readNumberMarks(arguments)
    if hasNoHeader, arguments.has(.headerLines) { throw .contradiction(.headerLines, .noHeaderIn) }
  }

  /// Reads how lines are divided: that alone says that they are.
  private mutating func readPattern(_ arguments: Arguments) throws(PlanError) {
    lineDivision = try arguments.readLast(.pattern) { (cursor) throws(GrammarError) in
      try cursor.lineDivision()
    }
    if lineDivision == nil {
      if form == .pattern { throw .needsPattern }
      return
    }
    if form != .auto, form != .pattern { throw .foreignInput(.pattern, form, known: [.pattern]) }
    form = .pattern
  }

  /// Rejects equal marks, which could not be distinguished.
  private func checkMarks(_ arguments: Arguments) throws(PlanError) {
    guard let delimiter else { return }
    let quoteMark = arguments.has(.quote) ? arguments.character(.quote) : "\""
    for (option, mark) in [
      (Option.ID.quote, quoteMark), (.escape, arguments.character(.escape)),
      (.comment, arguments.character(.comment)),
    ] where mark.map({ UInt8(ascii: $0) }) == delimiter {
      throw .sameMarks(.delimiter, option, Unicode.Scalar(delimiter))
    }
  }

  private mutating func readNumberMarks(_ arguments: Arguments) throws(PlanError) {
    let decimal = arguments.character(.decimal) ?? "."
    let thousands = arguments.character(.thousands)
    if decimal.isPartOfNumbers { throw .unusableMark(.decimal, decimal) }
    if let thousands, thousands.isPartOfNumbers { throw .unusableMark(.thousands, thousands) }
    if decimal == thousands { throw .sameMarks(.decimal, .thousands, decimal) }
    decimalMark = UInt8(ascii: decimal)
    thousandsMark = thousands.map { Array(String($0).utf8) } ?? []
  }
}

extension Unicode.Scalar {
  /// Whether the character is always part of numbers, or cannot be in a line.
  fileprivate var isPartOfNumbers: Bool {
    switch self {
    case "0"..."9", "a"..."z", "A"..."Z", "+", "-": true
    default: value < 0x20 || value == 0x7F
    }
  }
}

extension InputOptions.FormOption {
  /// The option of the command line.
  fileprivate var id: Option.ID {
    switch self {
    case .quote: .quote
    case .noHeaderIn: .noHeaderIn
    case .names: .names
    case .autoNames: .autoNames
    case .headerLines: .headerLines
    case .maxFields: .maxFields
    case .trim: .trim
    case .at: .at
    case .flatten: .flatten
    }
  }
}

extension Arguments {
  /// A mark that may be switched off with `none`.
  fileprivate func mark(_ option: Option.ID) -> InputOptions.MarkChoice {
    guard has(option) else { return .byForm }
    return character(option).map { .byte(UInt8(ascii: $0)) } ?? .off
  }
}
