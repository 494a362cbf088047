import TablerEngine

extension Messages {
  /// What is wrong with the value of an option that has a grammar of its own.
  func text(_ error: GrammarError) -> String {
    if case .expression(let error) = error.kind { return text(error) }
    return self.error(
      Option[error.option].spelling, words(error.kind, Option[error.option]),
      caret(error.source, error.range))
  }

  private func words(_ kind: GrammarError.Kind, _ option: Option) -> String {
    switch kind {
    case .expected(let wanted, let found):
      "expected " + Self.words(wanted) + (found.map { ", not \(Self.quoted($0))" } ?? "")
    case .unclosedQuote(let mark): "this \(mark) is never closed; inside quotes it is doubled"
    case .needsQuotes(let mark):
      "a name or title with '\(mark)' stands in quotes" + (mark == "`" ? "" : quotesHint(mark, option))
    case .numberTooLarge(let digits): "\(Self.escaped(digits)) is too large"
    case .outOfRange(let length, let range):
      "\(Self.escaped(length)) is " + Self.outOf(range, isLess: length.hasPrefix("-"))
    case .formatIsForm(let form):
      "\(Self.quoted(form)) is a form, and COL=FORMAT stands here; did you mean '--to \(form)'?"
    case .twiceReversed: "twice reversed"
    case .contradictingFlags(let first, let second):
      first == second
        ? "\(Self.quoted(first)) stands twice"
        : "\(Self.quoted(first)) and \(Self.quoted(second)) exclude each other"
    case .unknownFlag(let flag, let suggestion):
      "unknown flag \(Self.quoted(flag))\(Self.suggestion(suggestion))"
        + (suggestion == nil ? "; a name with ':' stands in quotes" : "")
    case .titleForSeveral: "a title belongs to one column; a range, a glob or '!' has none"
    case .globInRange: "a range goes from one column to another, not to a pattern"
    case .rowZero: "rows count from 1, and from -1 at the end"
    case .rangeBackwards: "this range ends before it begins"
    case .unknownPlace(let word, let suggestion):
      "unknown place \(Self.quoted(word))\(Self.suggestion(suggestion))  (top, bottom, before or after a row)"
    case .unknownAlignment(let word, let suggestion):
      "unknown alignment \(Self.quoted(word))\(Self.suggestion(suggestion))  (leading center trailing decimal)"
    case .unknownEdge(let word, let suggestion):
      "unknown edge \(Self.quoted(word))\(Self.suggestion(suggestion))"
        + "  (top leading bottom trailing horizontal vertical)"
    case .tooManyLengths: "at most four lengths: top, right, bottom, left"
    case .unknownUnit(let unit):
      "unknown unit \(Self.quoted(unit)); a length is a number alone, or with px or em"
    case .unknownFooter(let word, let suggestion):
      "\(Self.quoted(word)) is neither titles nor totals nor COL=TEMPLATE\(Self.suggestion(suggestion))"
    case .dateFormat(let mark):
      "\(Self.quoted(mark)) would format a date, which this version does not; numbers are formatted in braces: {:.2f}"
    case .printfFormat(let mark):
      "\(Self.quoted(mark)) formats nothing here; numbers are formatted in braces: {:.2f}"
    case .unknownStyle(let word, let suggestion):
      "unknown style \(Self.quoted(word))\(Self.suggestion(suggestion))"
        + "  (bold dim italic underline strike inverse fg= bg=)"
    case .styleNotForHeaders(let word): "\(Self.quoted(word)) does not style a header"
    case .unknownColor(let name, let suggestion):
      "unknown color \(Self.quoted(name))\(Self.suggestion(suggestion))"
    case .unknownField(let field, let known):
      field == "{" || field == "}"
        ? "this brace is alone; as text it is doubled"
        : "unknown field \(Self.quoted(field))  (\(known.joined(separator: " ")))"
    case .controlCharacter: "a control character would break the lines of the table"
    case .notAnAddress: "this character cannot stand in an address"
    case .notAPath:
      "this is no path; it is written as in items, data.rows, pages[0].items, or . for the whole"
    case .notALanguage: "this is no language tag, such as en or pt-BR"
    case .expression: ""
    }
  }

  /// How the quotes are written, where that helps.
  private func quotesHint(_ mark: Character, _ option: Option) -> String {
    guard mark == "(", case .keys = option.value else {
      return mark == "\"" ? ", and the mark is doubled" : ""
    }
    return "; an expression stands in parentheses as a whole: (len(name))"
  }

  private static func words(_ wanted: GrammarError.Expected) -> String {
    switch wanted {
    case .column: "a column"
    case .title: "a title"
    case .name: "a name"
    case .value: "a value"
    case .comma: "a comma"
    case .colon: "':' and an alignment, as in weight:trailing"
    case .equalsSign: "'='"
    case .flag: "a flag"
    case .rows: "row numbers or an expression in parentheses"
    case .rowNumber: "a row number or an expression in parentheses"
    case .to: "'to' and a place, as in '5,6 to top'"
    case .place: "top, bottom, before, after or a row number"
    case .alignment: "leading, center, trailing or decimal"
    case .length: "a length"
    case .size: "a size such as 512M, 2G or 25%"
    case .edge: "an edge"
    case .styleWord: "a style such as bold or fg=red"
    case .color: "a color"
    case .argumentName: "a name of letters and digits before '='"
    case .end: "nothing more"
    }
  }
}
