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
    /// Something else must stand here; with what does, if anything.
    case expected(Expected, found: String?)
    /// A quote mark that is never closed.
    case unclosedQuote(Character)
    /// A mark that a name or title may hold only in quotes.
    case needsQuotes(Character)
    /// A number beyond what can be meant.
    case numberTooLarge(String)
    /// A length that is smaller or larger than the option takes.
    case outOfRange(String, ClosedRange<Int>)

    /// `-weight:desc`.
    case twiceReversed
    /// Two flags, or a sign and a flag, of which one can hold.
    case contradictingFlags(String, String)
    /// No such sort flag; with all that there are, and the nearest one.
    case unknownFlag(String, known: [String], suggestion: String?)

    /// A key of groups that is more than a call, without parentheses round it.
    case keyNeedsParentheses
    /// A title for a range, a glob, or columns that `!` takes away.
    case titleForSeveral
    /// A range that ends in a glob, or begins with one.
    case globInRange

    /// Row 0; rows count from 1.
    case rowZero
    /// `5..2`.
    case rangeBackwards
    /// None of the words that say where rows go.
    case unknownPlace(String, suggestion: String?)

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
    /// `px` or `em` must stand there.
    case unknownUnit(String)

    /// A call in a template that stands in no braces.
    case callWithoutBraces(String)
    /// `titel` for `titles`: a footer without `=` that is no word of its own.
    case unknownFooter(String, suggestion: String?)
    /// `%Q`: a letter that no pattern of dates has.
    case dateFormat(String)

    /// `%.2f`: as `printf` has it.
    case printfFormat(String)
    /// `--format json`: the form of the output is another option's.
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

    /// A field that the template has not, or a brace alone; with the fields it has.
    case unknownField(String, known: [String])
    /// A control character where one would break the lines of the table.
    case controlCharacter
    /// A character that no address may hold.
    case notAnAddress
    /// A language tag that is none.
    case notALanguage
    /// A type that there is not.
    case unknownType(String, suggestion: String?)
    /// A pattern by which no date can be read.
    case notADateFormat
    /// A text that is no path into JSON.
    case notAPath

    /// An expression or template inside the value is wrong.
    case expression(ExpressionError)
  }

  /// What may stand at a place.
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
    /// Nothing may stand after `adaptive(…)`.
    case endOfAdaptive
    case closing
    case styleWord
    case condition
    case closingBrace
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
