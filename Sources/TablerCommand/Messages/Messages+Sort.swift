import TablerEngine

extension Messages {
  /// The message about a sort key whose order may not be the one that was meant, and how to sort it instead.
  func text(_ notice: KeyNotice) -> String {
    let key = Self.quoted(notice.key)
    let spelled = Self.typedKey(
      notice.key, isExpression: notice.isExpression, isDescending: notice.isDescending)
    let first = "(first: line \(notice.line), '\(Self.escaped(notice.text))')"
    let place = Self.name(notice.path)
    let sorted = notice.isVerified ? "compared" : "sorted"
    switch notice.doubt {
    case .textsBesideNumbers(let count, let remedy):
      let isHeader = !notice.isExpression && notice.key.utf8.elementsEqual(notice.text)
      let advice: String? =
        isHeader
        ? repeatedHeader(notice.key) : remedy.flatMap { words($0, beside: notice, spelled) }
      return note(
        place,
        "\(Self.count(count, "cell")) of \(key) \(sorted) as text beside numbers \(first)"
          + (advice.map { "; " + $0 } ?? ""))
    case .textsBesideDates(let count):
      return note(
        place,
        "\(Self.count(count, "cell")) of \(key) \(sorted) as text beside dates \(first)"
          + (spelled.map { "; \($0("date")) puts \(count == 1 ? "it" : "them") last" } ?? ""))
    case .sortedAsText(let remedy):
      if let words = remedy.flatMap({ words($0, of: notice, spelled) }) {
        return note(nil, "\(key) was \(sorted) as text; " + words)
      }
      return note(place, "\(key) was \(sorted) as text, not by its numbers \(first)")
    case .noneListed: return note(place, "no cell of \(key) is in --order \(first)")
    case .scaleAsText(let words):
      let order = Self.item(notice.key) + "=" + words.joined(separator: ",")
      return note(
        notice.isExpression ? place : nil,
        "\(key) was \(sorted) by its letters"
          + (notice.isExpression
            ? " " + first : "; --order \(Self.typed(order)) keeps the usual order of its words"))
    case .thousandths(let count):
      let upper = notice.isExpression ? "upper" + notice.key : "upper(\(Self.column(notice.key)))"
      return note(
        place,
        Self.thousandths(in: key, count, line: notice.line, notice.text)
          + Self.typed("\(notice.isDescending ? "-" : "")(\(upper)):size") + " reads 'm' as 'M'")
    }
  }

  /// The message about cells that an expression, or a declared type, reads as thousandths, and how to read
  /// them otherwise.
  func text(
    thousandths column: String, _ count: Int, _ first: InputError.Location, _ bytes: [UInt8], _ use: ValueUse
  ) -> String {
    let name = Self.named(column)
    let reader = "size(upper(\(name)))"
    return note(
      Self.name(first.path),
      Self.thousandths(in: Self.quoted(column), count, line: first.line, bytes)
        + (use == .type ? "without its type, --set \(Self.typed("\(name) = \(reader)"))" : reader)
        + " reads 'm' as 'M'")
  }

  /// The message that values were read as thousandths, with the first of them and its line.
  private static func thousandths(in name: String, _ count: Int, line: Int, _ text: [UInt8]) -> String {
    "'\(escaped(text))' was read as thousandths beside other units in \(name) "
      + "(\(count == 1 ? "first" : "first of \(count)"): line \(line)); "
  }

  /// The wording for a remedy for a key without numbers.
  private func words(
    _ remedy: SortRemedy, of notice: KeyNotice, _ key: ((String) -> String)?
  ) -> String? {
    guard case .marks(let marks) = remedy else { return words(remedy, beside: notice, key) }
    return Self.options(marks) + (marks.decimal == nil ? " reads its thousands" : " reads its decimal commas")
  }

  /// The wording for a remedy for texts beside the numbers of a key.
  private func words(
    _ remedy: SortRemedy, beside notice: KeyNotice, _ key: ((String) -> String)?
  ) -> String? {
    let sorts = notice.isVerified ? "compares" : "sorts"
    switch remedy {
    case .marks(let marks): return Self.options(marks)
    case .flag(let flag, let marks):
      let options = Self.options(marks)
      return key.map { $0(flag.name) + (options.isEmpty ? "" : " " + options) + " \(sorts) " + flag.noun }
    case .time: return key.map { $0("date") + " \(sorts) by time" }
    case .date(let patterns): return key.map { $0("date") + Self.dateOption(patterns) + " \(sorts) dates" }
    case .yearless(let pattern):
      let reader = Self.yearless(operand(of: notice), pattern)
      return key.map { _ in computed(notice, reader) + " \(sorts) days of one year" }
    case .leadingNumber(let isWord):
      let reader = Self.leadingNumber(operand(of: notice), isWord: isWord)
      return key.map { _ in computed(notice, reader) + " \(sorts) by the numbers before the texts" }
    case .duration:
      let operand = operand(of: notice)
      return key.map { _ in
        computed(notice, "coalesce(number(\(operand)), duration(\(operand)) / 1s)")
          + " \(sorts) durations as seconds"
      }
    }
  }

  /// The key as part of an expression.
  private func operand(of notice: KeyNotice) -> String {
    notice.isExpression ? notice.key : Self.named(notice.key)
  }

  /// An expression as a key that replaces another, quoted for the shell.
  private func computed(_ notice: KeyNotice, _ expression: String) -> String {
    Self.typed((notice.isDescending ? "-" : "") + "(\(expression))")
  }

  /// The expression that reads a day without a year by a pattern.
  static func yearless(_ operand: String, _ pattern: String) -> String {
    "strptime(\"2000 \" ++ \(operand), \"%Y \(pattern)\")"
  }

  /// The options that set the marks of numbers.
  static func options(_ marks: SortRemedy.Marks) -> String {
    [
      marks.decimal.map { "--decimal " + typed($0) }, marks.thousands.map { "--thousands " + typed($0) },
    ].compactMap(\.self).joined(separator: " ")
  }
}

extension SortRemedy.Flag {
  /// The flag as typed.
  fileprivate var name: String {
    switch self {
    case .size, .percent: "size"
    case .amount: "number"
    case .duration: "duration"
    case .version: "version"
    case .natural: "natural"
    }
  }

  /// What it reads.
  var noun: String {
    switch self {
    case .size: "sizes"
    case .percent: "percents"
    case .amount: "amounts of money"
    case .duration: "durations"
    case .version: "by the numbers between its points"
    case .natural: "by the numbers in it"
    }
  }
}
