/// What is wrong with an expression or a template, and where.
///
/// The wording is chosen where messages are written; this type only has the facts.
public struct ExpressionError: Error, Equatable, Sendable {
  /// The option that contained the source, as typed: `--filter`.
  public let option: String

  /// The whole text given to the option.
  public let source: String

  /// The bytes of `source` (UTF-8) that the error is about; empty if something is missing.
  public let range: Range<Int>

  /// What is wrong.
  public let kind: Kind

  /// The error with another reason.
  func because(of kind: Kind) -> ExpressionError {
    ExpressionError(option: option, source: source, range: range, kind: kind)
  }

  /// The kinds of mistakes, stage by stage; texts are pieces of the source as written.
  public enum Kind: Equatable, Sendable {
    // Reading characters.

    /// The source has more bytes than the limit.
    case sourceTooLong(limit: Int)
    /// A character that begins nothing: `;`, `&`, a curly quote mark.
    case unexpectedCharacter(Unicode.Scalar)
    /// A string whose closing mark (`'` or `"`) is missing.
    case unclosedText(mark: Character)
    /// A name in backticks whose closing backtick is missing.
    case unclosedName
    /// An empty name in backticks.
    case emptyName
    /// A pattern `/…` whose closing slash is missing.
    case unclosedPattern
    /// A letter after a pattern that is not one of `i s x`.
    case unknownPatternFlag(Character)
    /// A backslash in `"…"` that does not begin a JSON escape; `'…'` and `/…/` take it literally.
    case unknownEscape(String)
    /// A `\u` escape that does not name a character.
    case invalidCodePoint(String)
    /// A number that runs into letters: `10kg`, `0x`.
    case malformedNumber(String)
    /// A date, or a date and a time, without its quote marks: `2025-06-01`.
    case unquotedDate(UnquotedDate)
    /// A number that ends in its point, `1.`; and how it is written.
    case pointWithoutDecimals(String)
    /// A `$` without digits or a name after it.
    case loneDollar

    // Reading the shape.

    /// Nothing but blanks.
    case empty
    /// A value is missing; `after` is the text before the position, `found` the text that is there instead,
    /// `column` the name with a punctuation mark that was surely meant: `Use%`.
    case expectedValue(after: String?, found: String?, column: String? = nil)
    /// The same after a number and `%`: `20%`.
    case percentage(String, after: String?, found: String?)
    /// `.species`, as columns are written in other languages; with its name.
    case leadingDot(column: String)
    /// A text without its quote marks after `like`: `K%`.
    case unquotedPattern(String, after: String?, found: String?)
    /// A reserved word in the position of a column; such a column needs backticks.
    case reservedWord(String)
    /// Something follows a complete expression; `column` is the name with a blank that may be meant: `net weight`.
    case expectedOperator(found: String, column: String?)
    /// Several words after a comparison, probably a text without its quote marks.
    case unquotedWords(String, found: String)
    /// `name.upper()`; a function precedes its arguments.
    case methodCall(String)
    /// `if x then y else z`, as in other languages; how it is written here, if that is known.
    case ifThen(String?)
    /// `weight: number`, `email: /@/`, `weight: > 0`: a field rule that is no condition; and what to write instead.
    case fieldRule(String)
    /// `x ? y : z` in a field of a template, where the `:` begins a format.
    case conditionalInField
    /// A word or mark that is required: `and` after `between x`, `then`, `end`, `:` after `?`, `)`.
    case expected(String, after: String?, found: String?)
    /// A `(` or `[` that is never closed.
    case unclosed(String)
    /// A `)` or `]` that was never opened.
    case unopened(String)
    /// No type follows `is`; with the nearest one.
    case unknownType(String, suggestion: String?)
    /// Two comparisons in a row; what is to be written instead, `x between 1 and 5`, if they fit that.
    case chainedComparison(String?)
    /// Two signs that are no operator, and the one that is meant: "'=>' is written '>='".
    case otherOperator(String, written: String)
    /// A literal `null` in an `in` list; add `or x is null`.
    case nullInList(subject: String)
    /// Parentheses, functions or signs nested beyond the limit.
    case nestingTooDeep(limit: Int)
    /// A list or call with more items than the limit.
    case listTooLong(limit: Int)

    // Templates.

    /// A `{` that is never closed.
    case unclosedBrace
    /// A `}` that was never opened; a literal one is doubled.
    case unopenedBrace
    /// The text after the `:` is no format.
    case malformedFormat(String)
    /// A format with more cells or digits than the limit.
    case formatTooLarge(String, limit: Int)

    /// `{}` if there is no cell: in footers and titles.
    case noCell

    // Assignments.

    /// An assignment without a column on its left.
    case assignmentNeedsColumn
    /// A number on its left, which would be a name in backquotes.
    case numberAsName(String)
    /// A new column named by a position, `$9`.
    case newColumnNeedsName(String)
    /// A new column with the name of an existing one: it must be changed by `--set`.
    case derivedColumnExists(String)
    /// A column to be changed that does not exist: a new one is made by `--derive`.
    case nothingToSet(ColumnError)
    /// A literal that is not of the type declared for the column it is assigned to.
    case constantOfOtherType(String, column: String, ValueType)
    /// A record without a column before its value.
    case recordNeedsColumn
    /// A value of a record that is not constant but refers to a column.
    case notConstant(String)
    /// A message of `--validate` that is not a text.
    case messageNotText
    /// A column that a record has twice.
    case columnTwice(String)
    /// A key of groups with the name of another one.
    case columnExists(String)
    /// Two aggregates of the same name.
    case aggregateTwice(String)
    /// An aggregate without a name on its left.
    case aggregateNeedsColumn
    /// An aggregate with the name of a key.
    case aggregateIsKey(String)

    // Queries.

    /// Something that no query can ask.
    case notInQuery(QueryRefusal)

    // Names.

    /// No such column; with the nearest one, and whether that differs only in case.
    case unknownColumn(String, suggestion: String?, differsOnlyInCase: Bool)
    /// No such column, but a text is probably meant: `Kiwi` in `name = Kiwi`.
    case unquotedText(String)
    /// `net-weight`, read as a subtraction, if there is no column `net` but one named `net-weight`.
    case subtractionOfColumn(String, missing: String)
    /// `$9` of a table with fewer columns.
    case unknownPosition(Int, count: Int)
    /// `$name` without such an `--arg`.
    case unknownArgument(String, suggestion: String?)
    /// `$name` without such an `--arg`, though there is such a column.
    case argumentIsColumn(String)
    /// No such function; with the nearest one.
    case unknownFunction(String, suggestion: String?)
    /// Too few or too many arguments; `most` is nil if there is no upper limit.
    case argumentCount(function: String, least: Int, most: Int?, given: Int)
    /// `log(x)`: engines disagree on the base.
    case logarithmNeedsBase
    /// `$0[…]` with something other than a text.
    case recordMemberNeedsText

    // Kinds.

    /// An operand that is always of another kind than its user needs: "'+' needs numbers, but "a" is text".
    case wrongKind(user: String, needs: ValueKind, operand: String, is: ValueKind)
    /// `x = "a" or "b"`; it is written `x in ("a", "b")`.
    case valueAfterOr(operand: String, is: ValueKind, subject: String, first: String)
    /// `a || b` with texts; it is written `left ++ right`.
    case joinedByOr(operand: String, left: String, right: String)
    /// Two sides that can never be equal: `5 = "5"`.
    case incomparable(left: String, leftKind: ValueKind, right: String, rightKind: ValueKind)
    /// A text that spells a column, where a text makes no sense; it is written with backticks.
    case textIsColumn(literal: String, column: String)
    /// A filter that yields something other than true or false.
    case conditionNeeded(is: ValueKind)
    /// A number on the right of `in` without parentheses.
    case inNeedsParentheses(subject: String, item: String)
    /// A text on the right of `in` without parentheses; `contains()` searches in text.
    case inNeedsList(subject: String, text: String)
    /// A list where an order is needed.
    case listHasNoOrder
    /// A list, or a slice of one, where a single value is needed.
    case listNotAllowed
    /// An invalid pattern.
    case invalidPattern(PatternError.Kind)
    /// A pattern `/…/` where a value is needed.
    case patternNotAllowed
    /// An aggregate where rows are processed one by one, or inside another aggregate.
    case aggregateNotAllowed(String)
    /// An aggregate of a list in one row where those of all rows are needed, as written; and its function.
    case listOfOneRow(String, String)
    /// A function that looks at other rows, outside of `--compute`.
    case seriesNotAllowed(String)
    /// Such a function in the argument of another.
    case seriesInSeries(String)
    /// A column of `--compute` that an earlier step already names.
    case computedTooLate(String)
    /// A number of rows up or down that is not a constant, or not in range.
    case distanceNotWhole(String)
    /// An aggregate in `--having`, which knows those of `--aggregate` by their names.
    case aggregateInHaving(String)
    /// `unique()` where earlier rows are not known.
    case uniqueNotAllowed
    /// `selected()` if no rows are drawn.
    case selectedNotAllowed
    /// `selected()` in a template if selected rows are counted from the end.
    case selectedFromEnd
    /// A fraction that is not from 0 to 1: `percentile(x, 90)`.
    case partNeeded(function: String)
    /// An invalid date, time or duration literal.
    case malformedLiteral(ValueKind, String)
    /// An unknown unit of time.
    case unknownUnit(String, suggestion: String?)
    /// An invalid pattern of dates, and what is wrong with it.
    case malformedDateFormat(String)
    /// An unknown time zone.
    case unknownZone(String)
    /// A time zone on a system without data about time zones; with the folder that was searched.
    case noZones(folder: String)
    /// A time zone that is not known before the first row.
    case zoneNeedsLiteral
    /// A table that no `--lookup` names.
    case unknownTable(String, suggestion: String?)
    /// A column that the table of a `--lookup` lacks.
    case unknownTableColumn(String, table: String, suggestion: String?)
    /// A table of fewer than two columns, if no column is named.
    case noSecondColumn(table: String)
    /// `lookup()` with a table or a column that is not known before the first row.
    case lookupNeedsLiteral
    /// A column outside an aggregate where all rows are processed at once.
    case columnOutsideAggregate(String)
    /// `must(x, "type")`, `is`: a type that is not given by a literal.
    case typeNeedsLiteral(function: String)
  }

  /// The kinds of values that messages distinguish.
  public enum ValueKind: Hashable, Sendable {
    /// `null`.
    case null
    /// True or false.
    case bool
    /// A number of any kind.
    case number
    /// A whole number.
    case wholeNumber
    /// Text.
    case text
    /// An object.
    case object
    /// A list.
    case list
    /// A list or an object.
    case container
    /// A pattern.
    case pattern
    /// A date or a time.
    case date
    /// A length of time.
    case duration
    /// A size such as `1.5G`.
    case size
    /// A text that is short enough to be compared letter by letter.
    case comparedText
  }
}

extension ExpressionError {
  /// The error for a pattern that is a part of an option's value.
  ///
  /// - Parameter offset: where the pattern begins, in bytes.
  public init(_ error: PatternError, after offset: Int, of source: String, option: String) {
    let end = source.utf8.count
    let range = min(error.range.lowerBound + offset, end)..<min(error.range.upperBound + offset, end)
    self.init(option: option, source: source, range: range, kind: .invalidPattern(error.kind))
  }
}
