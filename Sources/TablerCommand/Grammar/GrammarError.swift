import TablerEngine

/// What is wrong with the value of an option that has a grammar of its own, and where.
struct GrammarError: Error, Equatable {
  /// What a style is for.
  enum StyleSubject: String {
    case header
    case row
    case cell
  }

  /// The option.
  let option: Option.ID

  /// Its value, as typed.
  let source: String

  /// The bytes of `source` that the error is about; empty if something is missing.
  let range: Range<Int>

  /// What is wrong.
  let kind: Kind

  /// What can be wrong; texts are pieces of the value.
  enum Kind: Equatable {
    /// Something else is required here; with what is there, if anything.
    case expected(Expected, found: String?)
    /// A quote mark that is never closed.
    case unclosedQuote(Character)
    /// A mark that a name or title may contain only in quotes.
    case needsQuotes(Character)
    /// A number that is too large to mean anything.
    case numberTooLarge(String)
    /// A length that is smaller or larger than the option allows.
    case outOfRange(String, ClosedRange<Int>)

    /// `-weight:desc`.
    case twiceReversed
    /// Two flags, or a sign and a flag, only one of which can apply.
    case contradictingFlags(String, String)
    /// No such sort flag; with all that exist, and the nearest one.
    case unknownFlag(String, known: [String], suggestion: String?)

    /// A key of groups that is more than a call, without parentheses around it.
    case keyNeedsParentheses
    /// Several columns, or a pattern, where one makes columns of its values.
    case oneKey
    /// A title for a range, a glob, or columns that `!` removes.
    case titleForSeveral
    /// A range that ends in a glob, or begins with one.
    case globInRange

    /// Row 0; rows count from 1.
    case rowZero
    /// `5..2`.
    case rangeBackwards
    /// A word other than those for places of rows.
    case unknownPlace(String, suggestion: String?)

    /// A tolerance that is no number, and no percentage.
    case notATolerance(String)
    /// A rule about cells that does not say of which column.
    case namesNoColumn
    /// A message in a rule of `--same`, which would never be shown.
    case messageUnused

    /// No such alignment.
    case unknownAlignment(String, suggestion: String?)
    /// No such kind of column.
    case unknownItem(String, suggestion: String?)
    /// `adaptive` beside other items.
    case adaptiveAmongItems
    /// No such edge.
    case unknownEdge(String, suggestion: String?)
    /// More than four lengths.
    case tooManyLengths
    /// `px` or `em` is required here.
    case unknownUnit(String)

    /// A call in a template that is not in braces.
    case callWithoutBraces(String)
    /// `titel` for `titles`: a footer without `=` that is not one of the words.
    case unknownFooter(String, suggestion: String?)
    /// `%Q`: a letter that patterns of dates do not have.
    case dateFormat(String)

    /// `%.2f`: a format of `printf`.
    case printfFormat(String)
    /// A format such as `.2f` or `0.00` as the whole of a template without fields, and as it is written in braces.
    case formatWithoutBraces(String, String)
    /// `--format json`: another option sets the output form.
    case formatIsForm(String)

    /// No such style word.
    case unknownStyle(String, known: [String], suggestion: String?)
    /// A condition without `->` after it, with what may be meant.
    case noArrow(suggestion: String?)
    /// A style word that means nothing for what is styled.
    case foreignStyle(String, StyleSubject)
    /// `gradient` if no background is named.
    case gradientWithoutBackground
    /// No such color.
    case unknownColor(String, suggestion: String?)

    /// A field that the template does not have, or a brace alone; with the fields it has.
    case unknownField(String, known: [String])
    /// A control character in a text where it would break the lines of the table.
    case controlCharacter
    /// A character that no address may contain.
    case notAnAddress
    /// An invalid language tag.
    case notALanguage
    /// An unknown type.
    case unknownType(String, suggestion: String?)
    /// A pattern with which no date can be read.
    case notADateFormat
    /// A pattern of lines without a named group.
    case noNamedGroup
    /// A text that is not a path into JSON.
    case notAPath

    /// An expression or template inside the value is wrong.
    case expression(ExpressionError)
  }

  /// What may come at a position.
  enum Expected: Equatable {
    case column
    case title
    case name
    case value
    case comma
    case colon
    case equalsSign
    case flag
    case rows
    case rowNumber
    case to
    case toColumns
    /// The value of `--pattern`.
    case linePattern
    /// `on` and columns that must be equal.
    case onKeys
    case place
    case alignment
    case length
    case size
    case edge
    case colonAndStyle
    /// A column of `--grid-items`.
    case gridItem
    /// What may follow the width of such a column.
    case itemPart
    /// A number without a sign.
    case count
    case opening
    /// Nothing may follow `adaptive(…)`.
    case endOfAdaptive
    case closing
    case styleWord
    case condition
    case closingBrace
    /// `]` after a quoted name.
    case closingBracket
    case color
    case argumentName
    /// `:` before the name of a type.
    case colonAndType
    /// The name of a type.
    case type
    /// The name of a file.
    case file
    case end
  }
}
