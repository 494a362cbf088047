/// What is wrong with an expression or a template, and where.
///
/// The words are chosen where messages are written; here are only the facts.
public struct ExpressionError: Error, Equatable, Sendable {
  /// The option that held the source, as typed: `--filter`.
  public let option: String

  /// The whole text given to the option.
  public let source: String

  /// The bytes of `source` (UTF-8) that the error is about; empty if something is missing.
  public let range: Range<Int>

  /// What is wrong.
  public let kind: Kind

  /// What can be wrong, stage by stage; texts are pieces of the source as written.
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
    /// A letter after a pattern that is none of `i s x`.
    case unknownPatternFlag(Character)
    /// A backslash in `"…"` that begins no JSON escape; `'…'` and `/…/` take it literally.
    case unknownEscape(String)
    /// A `\u` escape that names no character.
    case invalidCodePoint(String)
    /// A number that runs into letters: `10kg`, `0x`.
    case malformedNumber(String)
    /// A date, or a date and a time, without its quote marks: `2025-06-01`.
    case unquotedDate(UnquotedDate)
    /// A number that ends in its point, `1.`; how it is written.
    case pointWithoutDecimals(String)
    /// A `$` without digits or a name after it.
    case loneDollar

    // Reading the shape.

    /// Nothing but blanks.
    case empty
    /// A value is missing; `after` is the text before the place, `found` what stands there instead, `column`
    /// the name with a mark in it that was surely meant: `Use%`.
    case expectedValue(after: String?, found: String?, column: String? = nil)
    /// The same after a number and `%`: `20%`.
    case percentage(String, after: String?, found: String?)
    /// `.species`, as other languages write a column; with its name.
    case leadingDot(column: String)
    /// A text without its quote marks after `like`: `K%`.
    case unquotedPattern(String, after: String?, found: String?)
    /// A reserved word where a column is meant; such a column needs backticks.
    case reservedWord(String)
    /// Something follows a complete expression; `column` is the name with a blank it may be: `net weight`.
    case expectedOperator(found: String, column: String?)
    /// Several words after a comparison, which are rather a text without its quote marks.
    case unquotedWords(String, found: String)
    /// `name.upper()`; a function stands before its arguments.
    case methodCall(String)
    /// `if x then y else z`, as other languages have it; how it is written, where that is known.
    case ifThen(String?)
    /// `weight: number`, `email: /@/`, `weight: > 0`: a field rule that is no condition; what is written instead.
    case fieldRule(String)
    /// `x ? y : z` in a field of a template, where the `:` begins a format.
    case conditionalInField
    /// A word or mark that must come: `and` after `between x`, `then`, `end`, `:` after `?`, `)`.
    case expected(String, after: String?, found: String?)
    /// A `(` or `[` that is never closed.
    case unclosed(String)
    /// A `)` or `]` that was never opened.
    case unopened(String)
    /// After `is` stands no type; with the nearest one.
    case unknownType(String, suggestion: String?)
    /// Two comparisons in a row; the three texts of `x between 1 and 5` where they fit that.
    case chainedComparison(Between?)
    /// A literal `null` in an `in` list; add `or x is null`.
    case nullInList(subject: String)
    /// Parentheses, functions or signs inside one another beyond the limit.
    case nestingTooDeep(limit: Int)
    /// A list or call with more items than the limit.
    case listTooLong(limit: Int)

    // Templates.

    /// A `{` that is never closed.
    case unclosedBrace
    /// A `}` that was never opened; a literal one is doubled.
    case unopenedBrace
    /// What stands after the `:` is no format.
    case malformedFormat(String)
    /// A format with more cells or digits than the limit.
    case formatTooLarge(String, limit: Int)

    /// `{}` if there is no cell: in footers and titles.
    case noCell

    // Assignments.

    /// An assignment without a column on its left.
    case assignmentNeedsColumn
    /// A new column named by a position, `$9`.
    case newColumnNeedsName(String)
    /// A new column with the name of one that exists: it is to be changed by `--set`.
    case derivedColumnExists(String)
    /// A column that is to be changed and that there is not: a new one is made by `--derive`.
    case nothingToSet(ColumnError)
    /// A literal that is not of the type declared for the column it is put into.
    case constantOfOtherType(String, column: String, ValueType)
    /// A record without a column before its value.
    case recordNeedsColumn
    /// A value of a record that is no constant but names a column.
    case notConstant(String)
    /// A message of `--validate` that is no text.
    case messageNotText
    /// A column that a record has twice.
    case columnTwice(String)
    /// A key of groups with the name of another.
    case columnExists(String)
    /// Two aggregates of the same name.
    case aggregateTwice(String)
    /// An aggregate without a name on its left.
    case aggregateNeedsColumn
    /// An aggregate with the name of a key.
    case aggregateIsKey(String)

    // Names.

    /// No such column; with the nearest one, and whether that differs only in case.
    case unknownColumn(String, suggestion: String?, differsOnlyInCase: Bool)
    /// No such column where a text is rather meant: `Kiwi` in `name = Kiwi`.
    case unquotedText(String)
    /// `net-weight`, read as a subtraction, if no column `net` but one `net-weight` exists.
    case subtractionOfColumn(String, missing: String)
    /// `$9` of a table with fewer columns.
    case unknownPosition(Int, count: Int)
    /// `$name` without such an `--arg`.
    case unknownArgument(String, suggestion: String?)
    /// `$name` without such an `--arg`, but with such a column.
    case argumentIsColumn(String)
    /// No such function; with the nearest one.
    case unknownFunction(String, suggestion: String?)
    /// Too few or too many arguments; `most` is nil if there is no upper limit.
    case argumentCount(function: String, least: Int, most: Int?, given: Int)
    /// `log(x)`: engines disagree on the base.
    case logarithmNeedsBase
    /// `$0[…]` with something else than a text.
    case recordMemberNeedsText

    // Kinds.

    /// An operand that is statically of another kind than its user needs: "'+' needs numbers, but "a" is text".
    case wrongKind(user: String, needs: ValueKind, operand: String, is: ValueKind)
    /// `x = "a" or "b"`; written `x in ("a", "b")`.
    case valueAfterOr(operand: String, is: ValueKind, subject: String, first: String)
    /// `a || b` over text; written `left ++ right`.
    case joinedByOr(operand: String, left: String, right: String)
    /// Two sides that never compare: `5 = "5"`.
    case incomparable(left: String, leftKind: ValueKind, right: String, rightKind: ValueKind)
    /// A text that spells a column, where a text makes no sense; written with backticks.
    case textIsColumn(literal: String, column: String)
    /// A filter that yields something else than true or false.
    case conditionNeeded(is: ValueKind)
    /// A number on the right of `in` without parentheses.
    case inNeedsParentheses(subject: String, item: String)
    /// A text on the right of `in` without parentheses; `contains()` searches in text.
    case inNeedsList(subject: String, text: String)
    /// A list where something is put in order.
    case listHasNoOrder
    /// A list, or a slice of one, where a single value is needed.
    case listNotAllowed
    /// A pattern that is none.
    case invalidPattern(PatternError.Kind)
    /// A pattern `/…/` where a value is needed.
    case patternNotAllowed
    /// An aggregate where rows are seen one by one, or inside another aggregate.
    case aggregateNotAllowed(String)
    /// `unique()` where the rows before are not known.
    case uniqueNotAllowed
    /// `selected()` if no rows are drawn.
    case selectedNotAllowed
    /// `selected()` in a template, where rows counted from the end are selected.
    case selectedFromEnd
    /// A part of all rows that is not from 0 to 1: `percentile(x, 90)`.
    case partNeeded(function: String)
    /// A date, time or duration as written that is none.
    case malformedLiteral(ValueKind, String)
    /// A unit of time that there is not.
    case unknownUnit(String, suggestion: String?)
    /// A pattern of dates that is none, and what is wrong with it.
    case malformedDateFormat(String)
    /// A time zone that there is not.
    case unknownZone(String)
    /// A time zone where the system has no data on them; the folder looked into.
    case noZones(folder: String)
    /// A time zone that is not known before any row.
    case zoneNeedsLiteral
    /// A table that no `--lookup` names.
    case unknownTable(String, suggestion: String?)
    /// A column that the table of a `--lookup` has not.
    case unknownTableColumn(String, table: String, suggestion: String?)
    /// A table of fewer than two columns, if no column is named.
    case noSecondColumn(table: String)
    /// `lookup()` with a table or a column that is not known before any row.
    case lookupNeedsLiteral
    /// A column outside an aggregate where rows are seen all at once.
    case columnOutsideAggregate(String)
    /// `must(x, "type")`, `is`: a type given by something else than a literal.
    case typeNeedsLiteral(function: String)
  }

  /// The texts of `subject between low and high`.
  public struct Between: Equatable, Sendable {
    /// What lies between.
    public let subject: String
    /// The lower end.
    public let low: String
    /// The upper end.
    public let high: String
  }

  /// The kinds of value that messages tell apart.
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
    /// A text that is not too long to be compared letter by letter.
    case comparedText
  }
}
