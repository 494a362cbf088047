import TablerEngine

extension Messages {
  /// The message about options that are each valid but do not work together.
  func text(_ error: PlanError) -> String {
    switch error {
    case .grammar(let error): return text(error)
    case .nothingToRead: return Help.short
    case .foreignLayout(let option, let layout, let known):
      let names = Self.list(known.map { $0.rawValue.capitalizedFirst })
      return foreign(option, layout.rawValue.capitalizedFirst, names, known.map { "--" + $0.rawValue })
    case .foreignForm(let option, let form, let known):
      let names = Self.list(known.map(\.rawValue))
      return foreign(option, form.rawValue, names, known.map { ($0 == .pandoc ? "-t " : "--") + $0.rawValue })
    case .foreignInput(let option, let form, let known):
      let names = Self.list(known.map(\.rawValue))
      return foreign(option, form.rawValue, names, known.map { "--from " + $0.rawValue })
    case .fileNamedLikeForm(let form, let path):
      return self.error(
        "--output",
        "-t \(form.rawValue) writes \(form.title); -o ./\(Self.typed(path)) names a file")
    case .fileNamedLikeMark(let path):
      return self.error(
        "--output",
        "names a file; --csv --output-delimiter \(Self.typed(path)) separates fields by it, "
          + "and -o ./\(Self.typed(path)) writes a file of that name")
    case .inPlaceNeedsFile:
      return self.error("--in-place", "needs one file by its name")
    case .inPlaceFormUnknown(let path):
      return self.error(
        "--in-place",
        "the suffix of \(Self.quoted(Self.name(path))) does not say what it holds; --from csv, tsv, json or jsonl does"
      )
    case .unreadable(let option, let error):
      return self.error(Option[option].spelling, "\(Self.name(error.path ?? "")): \(error.reason)")
    case .tooLarge(let option, let path):
      return self.error(
        Option[option].spelling, "\(Self.quoted(Self.name(path))) is too large for a file of rules")
    case .compressed(let option, let path):
      return self.error(
        Option[option].spelling,
        "\(Self.quoted(Self.name(path))) is compressed; decompress it first")
    case .foreignSuffix(let suffix):
      return self.error(
        "--output",
        "tabler does not write .\(Self.escaped(suffix)); with a format such as -t csv the suffix does not matter"
      )
    case .rawControlToTerminal:
      return self.error(
        "--raw-control", "not to a terminal; control characters of the data may go only to a pipe or a file")
    case .hoverNeedsSheet:
      return self.error("--hover", "needs a style sheet, and --html-style inline has none")
    case .unknownWidths(let option, let layout):
      return self.error(
        Option[option].spelling,
        "-t pandoc --\(layout.rawValue) must measure all rows; use --list")
    case .needsFile(let option):
      return self.error(Option[option].spelling, "cannot read standard input; name a file")
    case .sameMarks(let first, let second, let mark):
      return self.error(
        nil,
        "\(Option[first].spelling) and \(Option[second].spelling) are both \(Self.quoted(String(mark)))")
    case .unusableMark(let option, let mark):
      return self.error(
        Option[option].spelling, "\(Self.quoted(String(mark))) cannot be a mark in a number")
    case .needsAllRows(let option, let value):
      return self.error(
        Option[option].spelling,
        (value.map { Self.quoted($0) + " " } ?? "")
          + "needs all rows, but --follow shows each row as it comes")
    case .besideAdaptive(let option):
      var hint = ", except with --detail"
      if case .layouts(let known) = Option[option].reach, !known.contains(.detail) { hint = "" }
      return self.error(
        Option[option].spelling, "cannot be used with --grid-items adaptive" + hint)
    case .adaptiveUnderFollow:
      return self.error(
        "--grid-items", "adaptive cannot be used with --follow, which shows each row as it arrives")
    case .rejectsNeedFile:
      return self.error("--rejects", "cannot write to standard output; name a file")
    case .needsPivot: return self.error("--pivot-total", "needs --pivot")
    case .needsGroups(let option):
      return self.error(
        Option[option].spelling, "needs --group-by or --aggregate, which make groups; --filter keeps rows")
    case .needsPattern: return self.error("--from", "pattern needs --pattern, as in --pattern combined")
    case .needsComparison(let option):
      return self.error(Option[option].spelling, "needs --diff, which names the table to compare with")
    case .needsKeys(let option):
      return self.error(Option[option].spelling, "needs --id, which says which row is which")
    case .needsPage(let option):
      return self.error(Option[option].spelling, "needs --interactive, which makes the page interactive")
    case .cannotWriteBack(let option):
      return self.error(
        Option[option].spelling, "needs one file of csv, tsv, json or jsonl that --apply can write back")
    case .cutsChangeList(let option, let form):
      return self.error(
        Option[option].spelling,
        "not for a list of changes (--\(form.rawValue)), which is only right as a whole")
    case .rejectsOfTwo:
      return self.error(
        "--rejects", "takes rows of --validate or changes of --apply, not both")
    case .reverseNeedsChanges:
      return self.error("--reverse", "needs --apply; --sort -KEY sorts the other way")
    case .inputTwice(let option):
      return self.error(
        Option[option].spelling, "standard input is the table already; name a file for one of them")
    case .needsRules(let option):
      return self.error(Option[option].spelling, "needs --validate, which says what rows must be like")
    case .openQuote(let option):
      return self.error(
        Option[option].spelling, "a quote in \(Self.quoted(arguments.value(option) ?? "")) is not closed")
    case .noCommand: return self.error("--via", "needs a command, such as 'psql -d shop'")
    case .knownDialect(let client, let dialect):
      return self.error("--dialect", "\(Self.escaped(client)) takes \(dialect.rawValue); leave --dialect out")
    case .unknownClient(let program):
      if let near = FilePath(program).name.text.nearest(among: EngineClient.names) {
        return self.error("--via", "unknown client \(Self.quoted(program)); did you mean \(near)?")
      }
      return self.error(
        "--via", "unknown client \(Self.quoted(program)); --dialect names its SQL, as in --dialect postgres")
    case .needsTable(let readsFiles):
      return self.error(
        "--via", "needs --table NAME\(readsFiles ? " or a file" : ""); --tables lists all tables")
    case .severalFilesOfEngine: return self.error("--via", "takes one file, or a pattern in quotes")
    case .fileBesideTable(let path, let isList):
      let advice = databaseAdvice(path) ?? ""
      return isList
        ? self.error("--tables", "takes no file" + advice)
        : self.error("--via", "takes a table or a file, not both" + advice)
    case .standardInputOfEngine: return self.error("--via", "cannot read standard input; name a file")
    case .otherDialect(let explained, let client, let dialect):
      return self.error(
        "--explain",
        "\(Self.escaped(client)) takes \(dialect.rawValue), not \(explained): --explain \(dialect.rawValue)")
    case .contradiction(let option, let other):
      return self.error(
        nil, "\(Option[option].spelling) and \(Option[other].spelling) cannot be used together")
    }
  }

  private func foreign(_ option: Option.ID, _ name: String, _ known: String, _ switches: [String]) -> String {
    error(
      Option[option].spelling,
      "not for \(name), only for \(known) (\(switches.joined(separator: ", ")))")
  }

  /// The warning about the options.
  func text(_ notice: PlanNotice) -> String {
    switch notice {
    case .formAgainstSuffix(let form, let path):
      warning("--output", "'\(Self.name(path))' will hold \(form.rawValue), not what its suffix says")
    case .missingPager(let name):
      warning(nil, "the pager '\(Self.escaped(name))' is not found; TABLER_PAGER or PAGER names another")
    case .lostColumn(let name):
      warning("--derive", "no key and no aggregate uses \(Self.quoted(name)), so the groups do not have it")
    case .oneRow(let option):
      note(
        option,
        "takes rows of the answer, which has one; a first tabler with \(option) and --csv takes those of the input"
      )
    case .firstBeforeSorting:
      note(
        "--filter",
        "unique() keeps the first rows of the input, before they are sorted; "
          + "of sorted rows a second tabler after --csv | keeps the first")
    case .listOfNulls(let list):
      note(
        "--null",
        "\(Self.quoted(list)) is one text, with its commas; several are "
          + Self.nullOptions(list.split(separator: ",").map { String($0).trimmingBlanks }))
    case .idleOption(let option, let operation):
      warning(Option[option].spelling, "has no effect without \(Option[operation].spelling)")
    }
  }
}

extension OutputForm {
  /// The name of the form in a sentence.
  fileprivate var title: String {
    switch self {
    case .text: "text"
    case .markdown: "Markdown"
    case .pandoc: "pandoc's Markdown"
    case .html: "HTML"
    case .csv, .tsv: rawValue
    case .json: "JSON"
    case .jsonl: "JSON Lines"
    }
  }
}

extension String {
  /// `Grid` for `grid`.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension Messages {
  /// The message about the value of an option that has its own grammar.
  func text(_ error: GrammarError) -> String {
    if case .expression(let error) = error.kind { return text(error) }
    let place = arguments.last(error.option)?.place.map { Self.place($0) + ": " } ?? ""
    return self.error(
      place + Option[error.option].spelling, words(error, Option[error.option]),
      caret(error.source, error.range))
  }

  private func words(_ error: GrammarError, _ option: Option) -> String {
    switch error.kind {
    case .expected(let wanted, let found):
      "expected " + Self.words(wanted) + (found.map { ", not \(Self.quoted($0))" } ?? "")
    case .unclosedQuote(let mark): "this \(mark) is never closed; inside quotes it is written twice"
    case .needsQuotes(let mark):
      "a name or title with '\(mark)' needs quotes" + (mark == "`" ? "" : quotesHint(mark, error))
    case .numberTooLarge(let digits): "\(Self.escaped(digits)) is too large"
    case .outOfRange(let length, let range):
      "\(Self.escaped(length)) is " + Self.outOf(range, isLess: length.hasPrefix("-"))
    case .formatIsForm(let form):
      "\(Self.quoted(form)) is an output format, but this option takes COL=FORMAT; did you mean '--to \(form)'?"
    case .twiceReversed: "reversed twice"
    case .contradictingFlags(let first, let second):
      first == second
        ? "\(Self.quoted(first)) is given twice"
        : "\(Self.quoted(first)) and \(Self.quoted(second)) cannot be used together"
    case .unknownFlag(let flag, let known, let suggestion):
      "unknown flag \(Self.quoted(flag))\(Self.suggestion(suggestion))"
        + (suggestion == nil ? "; a name with ':' needs quotes  (\(known.joined(separator: " ")))" : "")
    case .oneKey: "the values of one column make columns, not of several; a call joins some: concat(a, b)"
    case .keyNeedsParentheses:
      "a key that is more than a column or a call stands in parentheses, as in (year(date) % 100)"
    case .titleForSeveral: "only a single column can have a title, not a range, a pattern or '!'"
    case .globInRange: "a range needs a column at both ends, not a pattern"
    case .rowZero: "the first row is 1, the last is -1; there is no row 0"
    case .rangeBackwards: "this range ends before it begins"
    case .unknownPlace(let word, let suggestion):
      "unknown place \(Self.quoted(word))\(Self.suggestion(suggestion))  (top, bottom, before or after a row)"
    case .notATolerance(let text):
      "\(Self.quoted(text)) is not a number such as 0.01, nor a percentage such as 5%"
    case .messageUnused: "there is no use for a message here: cells are equal or they are not"
    case .namesNoColumn: "begins with a column and ':', as in 'name: lower(value)'"
    case .unknownAlignment(let word, let suggestion):
      "unknown alignment \(Self.quoted(word))\(Self.suggestion(suggestion))  (leading center trailing decimal)"
    case .unknownItem(let word, let suggestion):
      "unknown width \(Self.quoted(word))\(Self.suggestion(suggestion))"
        + "  (20 10..30 10..30~18 fixed(20) flexible flexible(10,30) adaptive(20))"
    case .adaptiveAmongItems: "adaptive cannot be combined with other items: it places whole records"
    case .unknownEdge(let word, let suggestion):
      "unknown edge \(Self.quoted(word))\(Self.suggestion(suggestion))"
        + "  (top leading bottom trailing horizontal vertical)"
    case .tooManyLengths: "at most four lengths: top, right, bottom, left"
    case .unknownUnit(let unit):
      "unknown unit \(Self.quoted(unit)); a length is a number alone, or with px or em"
    case .unknownFooter(let word, let suggestion):
      "\(Self.quoted(word)) is not titles, totals or COL=TEMPLATE\(Self.suggestion(suggestion))"
    case .callWithoutBraces(let call):
      "\(Self.quoted(call)) would be shown as it is; what is computed stands in braces: {\(Self.escaped(call))}"
    case .dateFormat(let mark):
      "\(Self.quoted(mark)) belongs to no pattern such as %Y-%m-%d or %d %b %Y %H:%M; numbers are formatted with braces: {:.2f}"
    case .formatWithoutBraces(let text, let format):
      "\(Self.quoted(text)) would be shown as it is; a format is written in braces: {:\(format)}"
    case .printfFormat(let mark):
      "\(Self.quoted(mark)) is not a format here; numbers are formatted with braces: {:.2f}"
    case .unknownStyle(let word, let known, let suggestion):
      "unknown style \(Self.quoted(word))\(Self.suggestion(suggestion))  (\(known.joined(separator: " ")))"
    case .noArrow(let suggestion): "a condition ends with '->' before the style" + Self.suggestion(suggestion)
    case .foreignStyle(let word, let subject): "\(Self.quoted(word)) cannot be used for a \(subject.rawValue)"
    case .gradientWithoutBackground: "'gradient' needs a background, as in bg=red"
    case .unknownColor(let name, let suggestion):
      "unknown color \(Self.quoted(name))\(Self.suggestion(suggestion))"
    case .unknownField(let field, let known):
      field == "{" || field == "}"
        ? "this brace is alone; a brace as text is written twice"
        : "unknown field \(Self.quoted(field))  (\(known.joined(separator: " ")))"
    case .controlCharacter: "a control character would break the lines of the table"
    case .notAnAddress: "this character is not allowed in a URL"
    case .notAPath:
      "this is not a path; write it like items, data.rows or pages[0].items, or . for the whole input"
    case .unknownType(let name, let nearest):
      "unknown type \(Self.quoted(name))"
        + (nearest == nil
          ? "  (\(ValueType.allCases.map(\.rawValue).joined(separator: " ")))" : Self.suggestion(nearest))
    case .noNamedGroup: "no group has a name; (?<name>…) makes a column"
    case .notADateFormat:
      "this is not a pattern such as %Y-%m-%d or %d %b %Y %H:%M that says which day it is"
    case .notALanguage: "this is not a language tag such as en or pt-BR"
    case .expression: ""
    }
  }

  /// The hint on how to write the quotes, if that helps.
  private func quotesHint(_ mark: Character, _ error: GrammarError) -> String {
    if mark == "\"" { return ", and the quote mark is written twice" }
    let before = error.source.utf8.prefix(error.range.lowerBound)
    if mark == "(", error.option == .join,
      String(decoding: before, as: UTF8.self).split(separator: " ").contains("on")
    {
      return "; a key is a column, which a first tabler with --derive and --csv can make"
    }
    let words = String(decoding: before, as: UTF8.self).split { ",=!".contains($0) }
    if mark == "(", let call = words.last, Function.isKnown(String(call).trimmingBlanks) {
      if error.option == .columns { return "; --derive 'x = upper(name)' computes a column" }
      if error.option == .groupBy, before.contains(UInt8(ascii: "=")) {
        return "; a title comes after the call, as in year(date)=year"
      }
    }
    guard mark == "(", case .keys = Option[error.option].value else { return "" }
    let start = before.lastIndex(of: UInt8(ascii: ",")).map { before.index(after: $0) } ?? before.startIndex
    let key = before[start...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let sign = key.first == UInt8(ascii: "-") ? "-" : ""
    let name = String(decoding: key.dropFirst(sign.utf8.count), as: UTF8.self)
    guard Function.isKnown(name.trimmingBlanks) else {
      let rest = String(decoding: error.source.utf8.dropFirst(before.count), as: UTF8.self)
      guard let end = rest.firstIndex(of: ")") else { return "" }
      return ": " + Self.typed("\(sign)\"\(name)\(rest[...end])\"")
    }
    return "; put the whole expression in parentheses: (\(name)(name))"
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
    case .linePattern:
      "a pattern between slashes, as in '/^(?<name>\\S+) /', or \(LineDivision.names.joined(separator: ", "))"
    case .onKeys: "'on' and columns after the file, as in 'prices.csv on id' or 'prices.csv on id = key'"
    case .toColumns: "'to' and two titles, as in '2024,2025 to year, sales'"
    case .to: "'to' and a place, as in '5,6 to top'"
    case .place: "top, bottom, before, after or a row number"
    case .alignment: "leading, center, trailing or decimal"
    case .length: "a length"
    case .size: "a size such as 512M, 2G or 25%"
    case .edge: "an edge"
    case .colonAndStyle: "':' and a style, as in name: bold"
    case .gridItem: "a width such as 20, 10..30 or flexible"
    case .itemPart: "':' and an alignment, '+' and a space, '*' and a number, in this order, or a comma"
    case .count: "a whole number"
    case .opening: "'('"
    case .endOfAdaptive: "nothing after adaptive(...)"
    case .closing: "')'"
    case .styleWord: "a style such as bold or fg=red"
    case .condition: "a condition before '->'"
    case .closingBrace: "'}' after the expression"
    case .closingBracket: "']' after the name in quotes"
    case .color: "a color"
    case .colonAndType: "':' and a type, as in weight:number"
    case .type: "a type such as number, text or date"
    case .file: "a file after '='"
    case .argumentName: "a name of letters and digits before '='"
    case .end: "the end"
    }
  }
}

extension Messages {
  /// The message about a word of the command line.
  func text(_ error: ArgumentError) -> String { self.error(nil, words(error)) }

  private func words(_ error: ArgumentError) -> String {
    switch error {
    case .unknownOption(let typed, let nearest):
      return "unknown option \(Self.quoted(typed))\(Self.suggestion(nearest))  ('tabler --help' lists all)"
    case .looseCondition(let typed, let option, let condition):
      return "unknown option \(Self.quoted(typed)); the condition is part of the assignment: "
        + "\(Option[option].spelling) " + Self.typed("… where " + condition)
    case .foreignOption(let typed, let value):
      let way = OtherTools.way(String(typed.dropFirst(2)), value: value)
      return "unknown option \(Self.quoted(typed))" + (way.map { "; " + $0 } ?? "")
    case .missingValue(.diff): return "--diff needs a value, the older file: tabler new.csv --diff old.csv"
    case .missingValue(let option): return "\(Option[option].spelling) needs a value"
    case .optionForValue(let option, let next): return optionForValue(Option[option], next)
    case .equalsSignAfterLetter(let option, let value): return equalsSign(Option[option], value)
    case .unexpectedValue(let typed): return "\(Self.escaped(typed)) takes no value"
    case .standardInputTwice: return "-: standard input can be read only once"
    case .notUTF8(let option, let repaired): return wrong(option, "\(Self.quoted(repaired)) is not UTF-8")
    case .notAChoice(let option, let value, let nearest):
      let words = Option[option].placeholder?.split(separator: "|").joined(separator: " ") ?? ""
      return wrong(
        option,
        "unknown value \(Self.quoted(value))\(Self.suggestion(nearest))\(Self.elsewhere(value, option))  (\(words))"
      )
    case .notANumber(let option, let value):
      return wrong(option, "\(Self.quoted(value)) is not " + alternatives("a whole number", option))
    case .outOfRange(let option, let value, let range):
      let isLess = value.hasPrefix("-") || Int(value).map { $0 < range.lowerBound } ?? false
      return wrong(option, "\(Self.escaped(value)) is " + Self.outOf(range, isLess: isLess))
    case .notACharacter(let option, let value, let set):
      let one = set == .ascii ? "one ASCII character" : "one character"
      return wrong(option, "\(Self.quoted(value)) is not " + alternatives(one, option))
    case .emptyValue(let option):
      return wrong(option, "needs a value, but it is empty")
        + (option == .groupBy ? "; without --group-by, --aggregate takes all rows together" : "")
    }
  }

  /// What is written here for a word that other tools have: `-t ,`, `-t FILE`, `--join-type right`.
  private static func elsewhere(_ value: String, _ option: Option.ID) -> String {
    if option == .joinType {
      switch value.lowercased() {
      case "right": return "; 'left' with the two files exchanged keeps all rows of the other"
      case "full", "outer":
        return "; 'left' keeps all rows of this table, "
          + "'anti' with the two files exchanged the rest of the other"
      default: return ""
      }
    }
    guard option == .to else { return "" }
    if value.count == 1, value.allSatisfy({ $0.isPunctuation || $0.isSymbol }) || value == "\t" {
      return "; -d \(typed(value)) says what separates fields"
    }
    return value.contains(where: { "./".contains($0) })
      ? "; a file that is read is named alone, and -o FILE writes one" : ""
  }

  /// The message about a value that can be checked by the option table alone.
  private func wrong(_ option: Option.ID, _ words: String) -> String {
    Option[option].spelling + ": " + words
  }

  /// `not between 0 and 10000`; if only one end is relevant, that one.
  private static func outOf(_ range: ClosedRange<Int>, isLess: Bool) -> String {
    if range.upperBound < .max { return "not between \(range.lowerBound) and \(range.upperBound)" }
    return isLess && range.lowerBound > -.max ? "less than \(range.lowerBound)" : "too large"
  }

  /// `a whole number, auto or none`: what is expected, and the words that an option also accepts.
  private func alternatives(_ expected: String, _ option: Option.ID) -> String {
    Self.list([expected] + Option[option].value.words, last: "or")
  }

  private func optionForValue(_ option: Option, _ next: String) -> String {
    let meaning: String
    switch option.value {
    case .keys, .columns: meaning = "for a column of that name"
    case .file: meaning = "for a file of that name"
    default: meaning = "for that text"
    }
    return "\(option.spelling) needs a value, but the next word is \(Self.quoted(next)); "
      + "\(meaning) write \(option.spelling)=\(Self.typed(next))"
  }

  private func equalsSign(_ option: Option, _ value: String) -> String {
    let letter = "-" + (option.letter.map(String.init) ?? "")
    let word = Self.typed(value)
    return "\(letter): no '=' after a letter; write \(letter) \(word) or \(option.spelling)=\(word)"
  }
}

extension Messages {
  /// The message about the configuration file.
  func text(_ error: ConfigurationError) -> String {
    switch error {
    case .system(let error): text(error)
    case .standardInput: self.error("--config", "cannot read standard input; name a file")
    case .tooLarge(let path): self.error(Self.name(path), "too large to be a configuration file")
    case .argument(let place, let error): self.error(Self.place(place), words(error))
    case .notConfigurable(let place, let option):
      self.error(
        Self.place(place),
        "\(Option[option].spelling) cannot stand in a configuration file, only options that change looks")
    case .unclosedQuote(let place, let mark):
      self.error(Self.place(place), "this \(mark) is never closed; inside quotes it is written twice")
    case .textAfterQuote(let place): self.error(Self.place(place), "text after a closing quote")
    }
  }

  /// The unknown names of a configuration file: the first, and how many others there are.
  func text(_ unknown: [Configuration.UnknownName]) -> String {
    guard let first = unknown.first else { return "" }
    let others = unknown.count > 1 ? " and \(Self.count(unknown.count - 1, "other"))" : ""
    return warning(
      Self.place(first.place),
      "unknown option \(Self.quoted(first.typed))\(others) ignored\(Self.suggestion(first.nearest))")
  }
}
