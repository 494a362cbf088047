import TablerEngine

extension Messages {
  /// What is wrong with an expression or a template, with a caret below its place.
  func text(_ error: ExpressionError) -> String {
    self.error(error.option, Self.words(error.kind), caret(error.source, error.range))
  }

  private static func words(_ kind: ExpressionError.Kind) -> String {
    syntaxWords(kind) ?? shapeWords(kind) ?? nameWords(kind) ?? kindWords(kind) ?? "cannot be read"
  }

  /// Mistakes of single characters.
  private static func syntaxWords(_ kind: ExpressionError.Kind) -> String? {
    switch kind {
    case .sourceTooLong(let limit): "longer than \(limit / 1024) KiB"
    case .unexpectedCharacter(let character): "\(quoted(String(character))) means nothing here"
    case .unclosedText(let mark): "text is never closed; \(mark) is missing"
    case .unclosedName: "column name is never closed; ` is missing"
    case .emptyName: "column name is empty"
    case .unclosedPattern: "pattern is never closed; / is missing"
    case .unknownPatternFlag(let flag): "unknown pattern flag \(quoted(String(flag)))  (i s x)"
    case .unknownEscape(let escape):
      "unknown escape \(quoted(escape)) in \"…\"; '…' and /…/ take a backslash literally"
    case .invalidCodePoint(let escape): "\(quoted(escape)) names no character"
    case .malformedNumber(let digits): "\(quoted(digits)) is no number"
    case .loneDollar: "'$' needs a column number or the name of an --arg"
    case .unclosedBrace: "this { is never closed; as text it is doubled"
    case .unopenedBrace: "this } closes nothing; as text it is doubled"
    case .malformedFormat(let format): "\(quoted(format)) is no number format, such as .2f or ,.0f"
    case .noCell: "'{}' is a cell, and there is none here; name a column, as in {weight}"
    default: nil
    }
  }

  /// Mistakes of shape: what is missing, and what is too much.
  private static func shapeWords(_ kind: ExpressionError.Kind) -> String? {
    switch kind {
    case .empty: "expected an expression"
    case .expectedValue(let after, let found): "expected a value" + context(after, found)
    case .reservedWord(let word): "'\(word)' is a reserved word; a column of that name is written `\(word)`"
    case .expectedOperator(let found, let column):
      "expected an operator, not \(quoted(found))"
        + (column.map { "; a column of that name is written `\(escaped($0))`" } ?? "")
    case .expected(let what, let after, let found): "expected \(quoted(what))" + context(after, found)
    case .unclosed(let mark): "this \(mark) is never closed"
    case .unopened(let mark): "this \(mark) closes nothing"
    case .unknownType(let type, let nearest): "unknown type \(quoted(type))\(suggestion(nearest))"
    case .chainedComparison(let between):
      "comparisons do not chain"
        + (between.map {
          "; write '\(escaped($0.subject)) between \(escaped($0.low)) and \(escaped($0.high))'"
        } ?? "; join them with 'and'")
    case .nullInList(let subject): "null in a list matches nothing; add 'or \(escaped(subject)) is null'"
    case .nestingTooDeep(let limit): "nested deeper than \(limit)"
    case .listTooLong(let limit): "more than \(limit) items"
    default: nil
    }
  }

  /// ` after 'and'`, or `, not ')'`.
  private static func context(_ after: String?, _ found: String?) -> String {
    if let after { return " after \(quoted(after))" + (found.map { ", not \(quoted($0))" } ?? "") }
    return found.map { ", not \(quoted($0))" } ?? ""
  }

  /// Mistakes of names.
  private static func nameWords(_ kind: ExpressionError.Kind) -> String? {
    switch kind {
    case .unknownColumn(let name, let nearest, let differsOnlyInCase):
      words(ColumnError.notFound(name, suggestion: nearest, differsOnlyInCase: differsOnlyInCase))
    case .subtractionOfColumn(let column, let missing):
      "column \(quoted(missing)) not found; the column \(quoted(column)) is written `\(escaped(column))`"
    case .unknownPosition(let position, let count):
      words(ColumnError.noPosition(position, count: count), mark: "$")
    case .unknownArgument(let name, let nearest):
      "no --arg is called \(quoted(name))\(suggestion(nearest))"
    case .unknownFunction(let name, let nearest): "unknown function \(quoted(name))\(suggestion(nearest))"
    case .argumentCount(let function, let least, let most, let given):
      "\(function)() takes \(range(least, most)), not \(given)"
    case .logarithmNeedsBase: "log() takes 2 arguments, the base first; or write ln(x), log10(x), log2(x)"
    case .recordMemberNeedsText: "$0[ ] needs a name, as in $0[\"weight\"]"
    default: nil
    }
  }

  /// `1 or 2 arguments`, `at least 1 argument`.
  private static func range(_ least: Int, _ most: Int?) -> String {
    guard let most else { return "at least " + count(least, "argument") }
    if least == most { return least == 0 ? "no arguments" : count(least, "argument") }
    return "\(least) \(most == least + 1 ? "or" : "to") \(count(most, "argument"))"
  }

  /// Mistakes of kinds: text where a number must stand.
  private static func kindWords(_ kind: ExpressionError.Kind) -> String? {
    switch kind {
    case .wrongKind(let user, let needs, let operand, let kind):
      "\(self.user(user)) needs \(plural(needs)), but \(self.operand(operand)) is \(singular(kind))"
    case .joinedByOr(let operand, let left, let right):
      "'or' needs true or false, but \(self.operand(operand)) is text; to join text write \(escaped(left)) ++ \(escaped(right))"
    case .incomparable(let left, let leftKind, let right, let rightKind):
      "\(operand(left)) is \(singular(leftKind)), but \(operand(right)) is \(singular(rightKind))"
    case .textIsColumn(let literal, let column):
      "\(escaped(literal)) is text; the column is written \(Self.column(column))"
    case .conditionNeeded(let kind): "expected a condition, true or false, but this is \(singular(kind))"
    case .inNeedsList(let subject, let text):
      "'in' needs a list, but \(operand(text)) is text; write contains(\(escaped(text)), \(escaped(subject)))"
    case .listNotAllowed: "a list cannot stand here"
    case .invalidPattern(let kind): words(kind)
    case .patternNotAllowed: "a pattern stands only after =~ or !~ and in functions that take one"
    case .aggregateNotAllowed(let name): "\(name)() is over all rows; here there is one at a time"
    case .columnOutsideAggregate(let name):
      "column \(quoted(name)) is outside an aggregate; write sum(\(escaped(name))) or first(\(escaped(name)))"
    case .typeNeedsLiteral(let function): "\(function)() needs the name of a type in quotes, as in \"number\""
    default: nil
    }
  }

  /// `'+'` for an operator, `round()` for a function.
  private static func user(_ name: String) -> String {
    let operators: Set<String> = ["and", "or", "not", "in", "between", "like", "ilike", "is", "when", "case"]
    let isName = name.utf8.first.map { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A } ?? false
    return isName && !operators.contains(name) && !name.hasSuffix(")") ? name + "()" : "'\(name)'"
  }

  /// A piece of the source; texts already stand in quotes.
  private static func operand(_ text: String) -> String {
    text.hasPrefix("\"") || text.hasPrefix("'") || text.hasPrefix("`") ? escaped(text) : quoted(text)
  }

  /// A column as expressions write it.
  static func column(_ name: String) -> String {
    "`" + escaped(name).split(separator: "`", omittingEmptySubsequences: false).joined(separator: "``") + "`"
  }

  private static func plural(_ kind: ExpressionError.ValueKind) -> String {
    switch kind {
    case .number: "numbers"
    case .list: "a list"
    case .pattern: "a pattern"
    case .date: "dates"
    case .duration: "durations"
    case .size: "sizes"
    case .null, .bool, .text: singular(kind)
    }
  }

  private static func singular(_ kind: ExpressionError.ValueKind) -> String {
    switch kind {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .text: "text"
    case .list: "a list"
    case .pattern: "a pattern"
    case .date: "a date"
    case .duration: "a duration"
    case .size: "a size"
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
    case .badCount: "a pattern repeats at most 1000 times, and at least as often as it must"
    case .badEscape: "this escape means nothing in a pattern"
    case .backReference: "patterns have no back-references: they match in linear time"
    case .lookAround: "patterns have no look-around: they match in linear time"
    case .badGroup: "this kind of group does not exist in patterns"
    case .badName: "this name of a group is empty, ill-formed or stands twice"
    case .tooDeep: "the groups of the pattern are nested too deep"
    case .tooLarge: "the pattern is too large when its repetitions are written out"
    }
  }
}
