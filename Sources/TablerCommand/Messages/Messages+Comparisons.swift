import TablerEngine

/// Remedies for cells that were compared as text, in words.
extension Messages {
  /// The note on cells that were compared as text.
  func text(_ notice: ComparisonNotice) -> String {
    let names = Self.list(notice.columns.map { Self.quoted($0) }, last: "and")
    let isOne = notice.columns.count == 1
    let said =
      "\(names) \(isOne ? "was" : "were") compared as text" + (notice.remedy == nil ? ", not by value " : " ")
      + "(line \(notice.place.line): '\(Self.escaped(notice.left))' \(notice.relation) "
      + "'\(Self.escaped(notice.right))')"
    return note(Self.name(notice.place.path), said + (notice.remedy.map { "; " + words($0, notice) } ?? ""))
  }

  private func words(_ remedy: ComparisonRemedy, _ notice: ComparisonNotice) -> String {
    switch remedy {
    case .null(let words):
      return Self.nullOptions(words)
        + (words.count == 1 ? " makes that word" : " make those words") + " null everywhere"
    case .reader(.time): return comparing(notice, as: "times") { reading($0, remedy) }
    case .reader(.date(let patterns)): return dateFormats(patterns, notice.columns[0])
    case .reader(.marks(let marks)):
      let options = Self.options(marks)
      guard notice.operations.contains(where: { $0.literal != nil }) else {
        return options + (marks.decimal == nil ? " reads thousands" : " reads decimal commas")
      }
      return options + " and " + comparing(notice, as: "numbers") { reading($0, remedy) }
    case .reader(.flag(let flag, let marks)):
      let options = flag == .amount ? "" : Self.options(marks)
      return (options.isEmpty ? "" : options + " and ")
        + comparing(notice, as: flag.noun) { reading($0, remedy) }
    case .number: return comparing(notice, as: "numbers") { reading($0, remedy) }
    case .blanks: return comparing(notice, as: "without blanks at the ends") { reading($0, remedy) }
    case .padding: return comparing(notice, as: "times of a clock") { reading($0, remedy) }
    case .reader(.leadingNumber):
      return comparing(notice, as: "their numbers") { reading($0, remedy) }
    case .reader(.yearless): return comparing(notice, as: "days of one year") { reading($0, remedy) }
    case .reader(.duration): return comparing(notice, as: "durations") { reading($0, remedy) }
    }
  }

  /// The operations on values that are read, and what they compare: `size(a) > size(b) compares sizes`.
  private func comparing(
    _ notice: ComparisonNotice, as noun: String, _ reading: (Operand) -> String
  ) -> String {
    let operations = notice.operations.map { operation -> String in
      var operands = operation.columns.map { reading(.column(Self.named($0))) }
      if let literal = operation.literal { operands.append(reading(.literal(Self.escaped(literal)))) }
      switch operation.kind {
      case .comparison(let symbol): return operands.joined(separator: " \(symbol) ")
      case .function(let name, let hasMore):
        return "\(name)(\((operands + (hasMore ? ["…"] : [])).joined(separator: ", ")))"
      }
    }
    return Self.list(operations, last: "and") + (operations.count == 1 ? " compares " : " compare ") + noun
  }

  /// An operand of an operation.
  private enum Operand {
    /// A column, as expressions write it.
    case column(String)
    /// A text of the expression.
    case literal(String)
  }

  /// The expression that reads an operand as a value.
  private func reading(_ operand: Operand, _ remedy: ComparisonRemedy) -> String {
    let text: String
    switch (operand, remedy) {
    case (.literal(let literal), .blanks): return Self.literal(literal)
    case (.literal(let literal), .number): return literal
    case (.literal(let literal), .reader(.marks(let marks))),
      (.literal(let literal), .reader(.flag(.amount, let marks))):
      return Self.number(in: literal, marks)
    case (.literal(let literal), _): text = Self.literal(literal)
    case (.column(let name), _): text = name
    }
    switch remedy {
    case .reader(.flag(.amount, let marks)): return amount(text, marks.decimal != nil)
    case .reader(.flag(.duration, _)), .reader(.duration): return "duration(\(text))"
    case .reader(.leadingNumber(let isWord)): return Self.leadingNumber(text, isWord: isWord)
    case .reader(.yearless(let pattern)): return Self.yearless(text, pattern)
    case .reader(.flag): return "size(\(text))"
    case .reader(.time): return "datetime(\(text))"
    case .blanks(let haveNoBreakSpaces): return Self.trimmed(text, haveNoBreakSpaces)
    case .padding(let count): return "lpad(\(text), \(count), \"0\")"
    case .reader(.marks), .reader(.date), .number, .null: return text
    }
  }

  /// The call that takes blanks off the ends of a value, in expression syntax.
  static func trimmed(_ value: String, _ haveNoBreakSpaces: Bool) -> String {
    "trim(\(value)" + (haveNoBreakSpaces ? ", \" \\u00a0\\u202f\")" : ")")
  }

  /// The options that make words null; one that begins like an option follows an equals sign.
  static func nullOptions(_ words: [String]) -> String {
    words.map { "--null\($0.hasPrefix("--") ? "=" : " ")\(typed($0))" }.joined(separator: " ")
  }

  /// A text in expression syntax.
  static func literal(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
  }

  /// A number from a text with other marks, in expression syntax.
  private static func number(in text: String, _ marks: SortRemedy.Marks) -> String {
    let decimal: Character = marks.decimal?.first ?? "."
    return String(
      text.filter { $0 == decimal || $0 == "-" || $0.isASCII && $0.isNumber }.map { $0 == decimal ? "." : $0 }
    )
  }
}
