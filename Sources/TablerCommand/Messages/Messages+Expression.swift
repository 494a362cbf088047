import TablerEngine

extension Messages {
  /// The message about an expression or a template, with a caret below the mistake.
  ///
  /// - Parameter columns: the existing names, if one was not found.
  func text(_ error: ExpressionError, columns: [String] = []) -> String {
    var words =
      Self.words(error.kind) + Self.nameHint(error) + Self.commaHint(error) + Self.signHint(error)
      + Self.rowsHint(error)
    if case .unknownFunction(let name, _) = error.kind,
      let way = OtherTools.way(ofFunction: name, argument: Self.argument(of: error))
    {
      words = "unknown function \(Self.quoted(name)); " + way
    }
    if let name = Self.unknownName(error.kind) {
      if let better = self.words(ofTitle: name) ?? self.words(ofLaterColumn: name, error.option) {
        words = better
      } else if case .unknownColumn(_, nil, _) = error.kind, OtherTools.variable(name) == nil {
        words += list(columns, after: words, error.option)
      }
    }
    return self.error(error.option, words, caret(error.source, error.range))
  }

  /// The hint that a number directly followed by letters may be a name at the beginning of a condition:
  /// `1K-blocks`.
  private static func nameHint(_ error: ExpressionError) -> String {
    guard case .malformedNumber = error.kind else { return "" }
    let before = String(error.source.utf8.prefix(error.range.lowerBound)) ?? ""
    if before.hasSuffix("{"), case .malformedNumber(let format) = error.kind, format.hasPrefix(".") {
      return "; a format follows a colon: {:\(escaped(format))}"
    }
    let last = before.split { $0 == " " }.last?.lowercased()
    guard last == nil || ["and", "or", "not", "("].contains(last),
      let rest = String(error.source.utf8.dropFirst(error.range.lowerBound))
    else { return "" }
    let name = rest.prefix { $0.isLetter || $0.isNumber || "-_%".contains($0) }
    return "; a column of that name is written \(column(String(name)))"
  }

  /// The first argument of the call that an error is about, if it is a name.
  private static func argument(of error: ExpressionError) -> String? {
    let rest = String(decoding: error.source.utf8.dropFirst(error.range.upperBound), as: UTF8.self)
    guard rest.hasPrefix("(") else { return nil }
    let name = rest.dropFirst().prefix { $0 == "_" || $0.isLetter || $0.isNumber }
    return name.isEmpty || Int(name) != nil ? nil : String(name)
  }

  /// The hint that a character that begins nothing may be the beginning of a name such as `🥝`.
  private static func signHint(_ error: ExpressionError) -> String {
    guard case .unexpectedCharacter(let sign) = error.kind, !sign.isASCII, meaning(of: sign).isEmpty else {
      return ""
    }
    let rest = String(decoding: error.source.utf8.dropFirst(error.range.lowerBound), as: UTF8.self)
    let name = rest.prefix { !$0.isASCII || $0.isLetter || $0.isNumber || $0 == "_" }
    return "; a column of that name is written \(column(String(name)))"
  }

  /// The hint about `100,000`, about a comma that no further assignment follows, and about a list of columns.
  private static func commaHint(_ error: ExpressionError) -> String {
    guard case .expectedOperator(",", _) = error.kind else { return "" }
    if error.option == Option[.select].spelling { return "; --columns a,b shows only these columns" }
    let isDigit = { (byte: UInt8) in byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
    let before = error.source.utf8.prefix(error.range.lowerBound)
    let after = error.source.utf8.dropFirst(error.range.upperBound).prefix(3)
    if let last = before.last, isDigit(last), after.count == 3, after.allSatisfy(isDigit) {
      return "; a number is written without commas"
    }
    let isParted = [Option[.derive].spelling, Option[.set].spelling].contains(error.option)
    return isParted ? "; after a comma the next assignment begins, as in 'a = 1, b = 2'" : ""
  }

  /// The wording for a call after a dot.
  private static func function(insteadOf name: String) -> String {
    let other = OtherTools.function(name) ?? name
    if other != name, !Function.isKnown(other) { return "\(escaped(name))() is written \(other)" }
    return "a function is written before its arguments: \(escaped(other))(x), not x.\(escaped(name))()"
  }

  /// The hint how to compute the same from several columns of a row, or over all rows.
  private static func rowsHint(_ error: ExpressionError) -> String {
    guard case .aggregateNotAllowed(let aggregate) = error.kind else { return "" }
    switch aggregate.lowercased() {
    case "sum" where error.option == Option[.compute].spelling: return "; share(x) is x / sum(x)"
    case "sum": return "; across columns, write a + b"
    case "max": return "; across columns, write greatest(a, b)"
    case "min": return "; across columns, write least(a, b)"
    case "mean", "median", "stddev": return "; across columns, write \(aggregate)([a, b][*])"
    default: return ""
    }
  }

  /// The name that is not a column, if that is the mistake.
  private static func unknownName(_ kind: ExpressionError.Kind) -> String? {
    switch kind {
    case .unknownColumn(let name, _, _), .unquotedText(let name): name
    default: nil
    }
  }

  /// The wording of each mistake.
  private static func words(_ kind: ExpressionError.Kind) -> String {
    switch kind {
    case .numberAsName(let name): "a column named \(escaped(name)) is written `\(escaped(name))`"
    case .assignmentNeedsColumn: "assignment needs a column on the left, as in 'bmi = weight/height^2'"
    case .newColumnNeedsName(let position):
      "a new column needs a name; \(quoted(position)) is a position, by which --set changes a column"
    case .derivedColumnExists(let name): "column \(quoted(name)) exists; --set changes it"
    case .nothingToSet(.notFound(let name, let nearest, let differsOnlyInCase)):
      "column \(quoted(name)) does not exist; "
        + (differsOnlyInCase
          ? nearest.map { "\(quoted($0)) differs only in case; " } ?? ""
          : nearest.map { "did you mean \(quoted($0))? " } ?? "")
        + "--derive adds new ones"
    case .nothingToSet(.noPosition(let position, let count)):
      words(.unknownPosition(position, count: count))
    case .constantOfOtherType(let value, let column, let type):
      "column \(quoted(column)) is declared \(type.rawValue), but \(escaped(value)) is not of that type"
    case .recordNeedsColumn: "a record needs a column before each '=', as in 'id = 7, name = \"Mango\"'"
    case .notConstant(let name):
      "a record is made of constants, but \(quoted(name)) is a column; text is written \"\(escaped(name))\""
    case .messageNotText:
      "the message after the comma is a text in quotes, as in 'weight: value > 0, \"must be positive\"'"
    case .columnTwice(let name): "column \(quoted(name)) appears twice in the record"
    case .columnExists(let name):
      "two keys are called \(quoted(name)); a title after '=' gives one another name"
    case .aggregateTwice(let name):
      "two aggregates are called \(quoted(name)); one needs another name, as in 'other = sum(weight)'"
    case .aggregateNeedsColumn: "aggregate needs a name on the left, as in 'total = sum(weight)'"
    case .aggregateIsKey(let name):
      "column \(quoted(name)) is a key of --group-by; the aggregate needs another name"

    // Mistakes of single characters.
    case .sourceTooLong(let limit): "longer than \(limit / 1024) KiB"
    case .unexpectedCharacter(let character):
      "\(quoted(String(character))) means nothing here" + meaning(of: character)
    case .unclosedText(let mark): "text is never closed; \(mark) is missing"
    case .unclosedName: "column name is never closed; ` is missing"
    case .emptyName: "column name is empty"
    case .unclosedPattern: "pattern is never closed; / is missing"
    case .unknownPatternFlag(let flag): "unknown pattern flag \(quoted(String(flag)))  (i s x)"
    case .unknownEscape(let escape):
      "unknown escape \(quoted(escape)) in \"…\"; '…' and /…/ take a backslash literally"
    case .invalidCodePoint(let escape): "\(quoted(escape)) is not a character"
    case .malformedNumber(let digits): "\(quoted(digits)) is not a number"
    case .unquotedDate(let date):
      "\(quoted(date.text)) would be calculated; "
        + (date.literal.map { "the date is written " + escaped($0) }
          ?? "a date is written date \"2025-06-01\"")
    case .pointWithoutDecimals(let number): "a digit must follow the point; write \(escaped(number))"
    case .loneDollar: "'$' needs a column number or the name of an --arg"
    case .unclosedBrace: "this { is never closed; a brace as text is written {{"
    case .unopenedBrace: "this } closes nothing; a brace as text is written }}"
    case .formatTooLarge(let format, let limit):
      "\(quoted(format)) is too large; a format has at most \(limit) cells or digits"
    case .malformedFormat(let format): "\(quoted(format)) is not a format such as .2f, ,.0f or %d.%m.%Y"
    case .noCell: "'{}' stands for the cell, but there is no cell here; name a column, as in {weight}"
    // Mistakes of shape: what is missing, and what is too much.
    case .empty: "expected an expression"
    case .expectedValue(let after, let found, let column):
      "expected a value" + context(after, found)
        + (column.map { "; a column of that name is written \(self.column($0))" } ?? "")
    case .percentage(let number, let after, let found):
      "expected a value" + context(after, found)
        + "; \(escaped(number))% is written \(escaped(number)), and size(x) reads a cell such as \(escaped(number))%"
    case .unquotedPattern(let text, let after, let found):
      "expected a value" + context(after, found) + "; text is written \"\(escaped(text))\""
    case .leadingDot(let column):
      "expected a value, not '.'; a column of that name is written \(escaped(column))"
    case .reservedWord(let word): "'\(word)' is a reserved word; a column of that name is written `\(word)`"
    case .expectedOperator(let found, let column):
      "expected an operator, not \(operand(found))" + call(of: found, after: column)
    case .methodCall(let name):
      Self.function(insteadOf: name)
    case .unquotedWords(let words, let found):
      "expected an operator, not \(quoted(found)); a column is written `\(escaped(words))`, a text \"\(escaped(words))\""
    case .ifThen(let choice):
      choice.map { "a choice is written \(escaped($0))" }
        ?? "a choice is written if(test, x, y), or case when test then x else y end"
    case .fieldRule(let written): "a rule for cells calls them value; write \(quoted(written))"
    case .conditionalInField:
      "in a template, '? :' needs parentheses, as in {(x > 1 ? \"a\" : \"b\")}"
    case .expected("name", let after, let found): "expected a name" + context(after, found)
    case .expected(let what, let after, let found): "expected \(quoted(what))" + context(after, found)
    case .unclosed(let mark): "this \(mark) is never closed"
    case .unopened(let mark): "this \(mark) closes nothing"
    case .unknownType(let type, let nearest): "unknown type \(quoted(type))\(suggestion(nearest))"
    case .chainedComparison(let written):
      "comparisons do not chain; " + (written.map { "write '\(escaped($0))'" } ?? "join them with 'and'")
    case .otherOperator(let signs, let written): "\(quoted(signs)) is written \(quoted(written))"
    case .nullInList(let subject): "null in a list matches nothing; add 'or \(escaped(subject)) is null'"
    case .nestingTooDeep(let limit): "nested deeper than \(limit)"
    case .listTooLong(let limit): "more than \(limit) items"
    // Mistakes of names.
    case .unknownColumn(let name, let nearest, let differsOnlyInCase):
      words(
        ColumnError.notFound(
          name, suggestion: nearest ?? OtherTools.variable(name), differsOnlyInCase: differsOnlyInCase))
    case .unquotedText(let text): "column \(quoted(text)) not found; text is written \"\(escaped(text))\""
    case .argumentIsColumn(let name):
      "no --arg is called \(quoted(name)); the column is \(escaped(name))"
    case .subtractionOfColumn(let column, let missing):
      "column \(quoted(missing)) not found; the column \(quoted(column)) is written `\(escaped(column))`"
    case .unknownPosition(.max, let count):
      "there is no column of that number; the input has \(self.count(count, "column"))"
    case .unknownPosition(let position, let count):
      words(ColumnError.noPosition(position, count: count), mark: "$")
    case .unknownArgument(let name, let nearest):
      "no --arg is called \(quoted(name))\(suggestion(nearest))"
    case .unknownFunction(let name, let nearest):
      "unknown function \(quoted(name))\(suggestion(OtherTools.function(name) ?? nearest))"
    case .argumentCount(let function, let least, let most, let given):
      "\(function)() takes \(range(least, most)), not \(given)"
    case .logarithmNeedsBase: "log() takes 2 arguments, the base first; or write ln(x), log10(x), log2(x)"
    case .recordMemberNeedsText: "$0[ ] needs a name, as in $0[\"weight\"]"
    // Mistakes of kinds: text in the place of a number.
    case .wrongKind(let user, let needs, let operand, let kind):
      "\(self.user(user)) needs \(plural(needs)), but \(self.operand(operand)) is \(singular(kind))"
        + (user == "+" && needs == .number && kind == .text ? "; texts are joined by ++" : "")
    case .joinedByOr(let operand, let left, let right):
      "'or' needs true or false, but \(self.operand(operand)) is text; to join text write \(escaped(left)) ++ \(escaped(right))"
    case .valueAfterOr(let operand, let kind, let subject, let first):
      "'or' needs true or false, but \(self.operand(operand)) is \(singular(kind)); "
        + "for several values write \(escaped(subject)) in (\(escaped(first)), \(escaped(operand)))"
    case .incomparable(let left, let leftKind, let right, let rightKind):
      "\(operand(left)) is \(singular(leftKind)), but \(operand(right)) is \(singular(rightKind))"
    case .textIsColumn(let literal, let column):
      "\(escaped(literal)) is text; the column is written \(Self.column(column))"
    case .conditionNeeded(let kind): "expected a condition, true or false, but this is \(singular(kind))"
    case .inNeedsList(let subject, let text):
      "'in' needs a list, but \(operand(text)) is text; write contains(\(escaped(text)), \(escaped(subject)))"
    case .inNeedsParentheses(let subject, let item):
      "'in' needs a list; write \(escaped(subject)) in (\(escaped(item)))"
    case .listHasNoOrder: "a list has no order; its length is len(x), and an item x[0]"
    case .listNotAllowed: "a list is not allowed here"
    case .invalidPattern(let kind): words(kind)
    case .patternNotAllowed: "a pattern is allowed only after =~ or !~ and in functions that take one"
    case .uniqueNotAllowed: "unique() needs the rows before as well, which only --filter and --validate know"
    case .selectedNotAllowed:
      "selected() can be used only in style rules and in templates that are filled for each row"
    case .selectedFromEnd: "selected() cannot be used in a template if --select counts rows from the end"
    case .listOfOneRow(let call, let name):
      "\(Self.escaped(call)) is the value of one row; \(name)(\(Self.escaped(call))) is that of all rows"
    case .aggregateNotAllowed(let name): "\(name)() needs all rows, but here there is one row at a time"
    case .seriesNotAllowed(let user):
      "\(user) looks at other rows, in their final order: use it in --compute"
    case .seriesInSeries(let user):
      "\(user) cannot stand in a function that looks at other rows, too: compute it as a column of its own before"
    case .computedTooLate(let name):
      "\(name) is computed after rows are filtered, sorted and divided into sections: they cannot use it; "
        + "a second tabler after --csv | can"
    case .distanceNotWhole(let user):
      "\(user) needs a whole number of rows from 1 to 1000000, as in prior(x, 2)"
    case .aggregateInHaving(let name):
      "\(name)() is computed by --aggregate, as in --aggregate 'n = count()' --having 'n > 1'"
    case .partNeeded(let function):
      "\(function)() needs a part from 0 to 1, the same in all rows, as in \(function)(x, 0.95)"
    case .malformedLiteral(let kind, let text):
      "\(quoted(text)) is not \(singular(kind)); one is written "
        + (kind == .duration
          ? "1d2h, or duration \"90m\"" : "date \"2025-06-01\" or datetime \"2025-06-01T12:30\"")
    case .unknownUnit(let unit, let nearest):
      "unknown unit \(quoted(unit))\(nearest == nil ? "  (year quarter month week day hour minute second)" : suggestion(nearest))"
    case .malformedDateFormat(let format):
      "\(quoted(format)) is not a pattern such as %Y-%m-%d or %d %b %Y %H:%M"
    case .unknownZone(let zone):
      "unknown time zone \(quoted(zone)); zones are called as in Europe/Berlin, UTC or +02:00"
    case .noZones(let folder):
      "no time zones on this system: \(escaped(folder)) has none (the package tzdata has them)"
    case .zoneNeedsLiteral:
      "a time zone is written as a text, as in to_zone(t, \"Europe/Berlin\"), or given by --arg"
    case .unknownTable(let name, let nearest):
      "no table is called \(quoted(name))"
        + (nearest == nil ? "; --lookup \(escaped(name))=FILE loads one" : suggestion(nearest))
    case .unknownTableColumn(let name, let table, let nearest):
      "the table \(quoted(table)) has no column \(quoted(name))" + suggestion(nearest)
    case .noSecondColumn(let table):
      "the table \(quoted(table)) has no second column; lookup() finds rows by the first"
    case .lookupNeedsLiteral:
      "lookup() needs the names of table and column as texts, as in lookup('prices', ticker, 'price')"
    case .columnOutsideAggregate(let name):
      "column \(quoted(name)) is outside an aggregate; write sum(\(escaped(name))) or first(\(escaped(name)))"
    case .typeNeedsLiteral(let function): "\(function)() needs the name of a type in quotes, as in \"number\""
    case .notInQuery(let refusal): Self.text(refusal)
    }
  }

  /// Why something cannot be part of a query.
  private static func text(_ refusal: QueryRefusal) -> String {
    switch refusal {
    case .localFunction(let name): "\(name)() is computed here only; no query can ask for it"
    case .untranslated(let name, "portable"):
      "engines differ in \(quoted(name)); --explain with the name of one asks it"
    case .untranslated(let name, let dialect):
      "no query asks \(dialect) for \(quoted(name)): it lacks that, or it would answer in another way"
    case .wholeRow: "no query can ask for a row as text"
    case .partOfCell: "no query asks for a part of a cell"
    case .kind(let kind): "no query asks for \(singular(kind))"
    case .conversion(let kind, let dialect):
      "a text is not read as \(singular(kind)) in \(dialect); --types declares the type of a column"
    case .spelling(let kind, let dialect):
      "\(singular(kind)) is spelled in another way in \(dialect)"
    case .mixedTypes: "a query needs values of one type here"
    case .undeclared:
      "these cells have no type; --types declares it, as in --types id:int,name:text"
    case .undecidedComparison: "a query compares values of one type; --types declares the type of a column"
    case .pattern(let dialect): "the pattern may have another meaning in \(dialect)"
    case .notConstant: "a query needs a constant here"
    case .constantKey: "a query cannot group by a constant"
    case .offset: "no query asks for a time with an offset from UTC"
    case .tooLong: "in SQL this is longer than engines read"
    case .nul: "no query can ask for a text with NUL"
    case .decimals(let dialect): "\(dialect) has no exact decimals; --types declares double"
    case .order(let name): "no query sorts such values by \(escaped(name))"
    }
  }

  /// The meaning in other languages of a character that begins nothing here.
  private static func meaning(of character: Unicode.Scalar) -> String {
    switch character {
    case "~": "; a pattern is matched with =~, as in name =~ /x/"
    case "&": "; write 'and', or ++ to join text"
    case "|": "; write 'or', or ++ to join text"
    case "@": "; a column is written by its position as $2"
    case ";": "; conditions are joined with 'and', aggregates and the cells of --add with ','"
    case "{", "}": "; a list is written in brackets, as in [1, 2]"
    case "\\": "; a backslash is allowed only in text and patterns"
    case "\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}", "\u{AB}", "\u{BB}":
      "; text is written in straight quotes, as in \"text\""
    case "\u{2264}": "; write <="
    case "\u{2265}": "; write >="
    case "\u{2260}": "; write !="
    case "\u{2212}", "\u{2013}": "; a minus is written -"
    case "\u{D7}": "; write *"
    case "\u{F7}": "; write /"
    default: ""
    }
  }

  /// What a word after a value may mean: a function that other languages write between its arguments, or part
  /// of a name with a blank.
  private static func call(of word: String, after column: String?) -> String {
    if word == ":" { return "; a cell is converted by a function, as in number(x)" }
    if word.lowercased() == "as" { return "; a name comes first, as in 'n = count()'" }
    guard let column else { return "" }
    if column.lowercased().hasPrefix("distinct ") {
      return "; different values are counted by distinct(\(escaped(word)))"
    }
    let known = Function.all.contains { $0.name == word && $0.takesSeveral }
    let words = column.split(separator: " ")
    guard let function = known ? word : OtherTools.function(word),
      let place = words.dropFirst().firstIndex(of: Substring(word))
    else { return "; a column of that name is written \(self.column(column))" }
    let before = words[..<place].joined(separator: " ")
    let after = words[(place + 1)...].joined(separator: " ")
    let subject = before.contains(" ") ? self.column(before) : escaped(before)
    let text = after.isEmpty ? "" : "; text is written \"\(escaped(after))\""
    if function.hasPrefix("x ") { return "; write \(subject)\(function.dropFirst())" + text }
    if function.contains(" ") { return "; write \(function)" + text }
    return "; write \(function)(\(subject), x)" + text
  }

  /// ` after 'and'`, or `, not ')'`.
  private static func context(_ after: String?, _ found: String?) -> String {
    if let after { return " after \(operand(after))" + (found.map { ", not \(operand($0))" } ?? "") }
    return found.map { ", not \(operand($0))" } ?? ""
  }

  /// `1 or 2 arguments`, `at least 1 argument`.
  private static func range(_ least: Int, _ most: Int?) -> String {
    guard let most else { return "at least " + count(least, "argument") }
    if least == most { return least == 0 ? "no arguments" : count(least, "argument") }
    return "\(least) \(most == least + 1 ? "or" : "to") \(count(most, "argument"))"
  }

  /// `'+'` for an operator, `round()` for a function.
  private static func user(_ name: String) -> String {
    if name.hasSuffix("()") { return name }
    let operators: Set<String> = ["and", "or", "not", "in", "between", "like", "ilike", "is", "when", "case"]
    let isName = name.utf8.first.map { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A } ?? false
    return isName && !operators.contains(name) ? name + "()" : "'\(name)'"
  }

  /// A piece of the source; texts are already in quotes.
  private static func operand(_ text: String) -> String {
    text.hasPrefix("\"") || text.hasPrefix("'") || text.hasPrefix("`") ? escaped(text) : quoted(text)
  }

  /// A column as expressions write it.
  static func column(_ name: String) -> String {
    // What stands for the items of a list is spelled as it was typed.
    if name.split(separator: "[").dropFirst().contains(where: { $0.hasPrefix("*]") }) { return escaped(name) }
    return "`" + escaped(name).split(separator: "`", omittingEmptySubsequences: false).joined(separator: "``")
      + "`"
  }

  private static func plural(_ kind: ExpressionError.ValueKind) -> String {
    switch kind {
    case .number: "numbers"
    case .list: "a list"
    case .container: "a list or an object"
    case .pattern: "a pattern"
    case .date: "dates"
    case .duration: "durations"
    case .size: "sizes"
    case .wholeNumber: "whole numbers"
    case .object: "an object"
    case .null, .bool, .text, .comparedText: singular(kind)
    }
  }

  private static func singular(_ kind: ExpressionError.ValueKind) -> String {
    switch kind {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .wholeNumber: "a whole number"
    case .object: "an object"
    case .text: "text"
    case .list: "a list"
    case .container: "a list or an object"
    case .pattern: "a pattern"
    case .date: "a date"
    case .duration: "a duration"
    case .size: "a size"
    case .comparedText: "a text of at most 4,096 characters"
    }
  }

  private static func words(_ kind: PatternError.Kind) -> String {
    switch kind {
    case .unclosedGroup: "this ( in the pattern is never closed"
    case .unopenedGroup: "this ) in the pattern closes nothing"
    case .unclosedClass: "this [ in the pattern is never closed"
    case .badRange: "this range in the pattern runs backwards"
    case .unknownClass(let name): "unknown class \(quoted(name)) in the pattern"
    case .nothingToRepeat: "there is nothing to repeat here"
    case .badCount: "a repeat count is at most 1000, and the first number is not above the second"
    case .badEscape: "unknown escape in the pattern"
    case .backReference: "patterns have no back-references: they match in linear time"
    case .lookAround: "patterns have no look-around: they match in linear time"
    case .badGroup: "this kind of group does not exist in patterns"
    case .badName: "this group name is empty, malformed or used twice"
    case .tooDeep: "the groups of the pattern are nested too deep"
    case .tooLarge: "the pattern is too large when its repetitions are written out"
    }
  }
}
