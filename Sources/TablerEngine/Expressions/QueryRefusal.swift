/// Why something cannot be part of a query.
public enum QueryRefusal: Equatable, Sendable {
  /// A function that is never sent to an engine.
  case localFunction(String)
  /// A function or an operator that has no equal there.
  case untranslated(String, dialect: String)
  /// The row as text.
  case wholeRow
  /// A part of a cell.
  case partOfCell
  /// A value of a kind that has no type there.
  case kind(ExpressionError.ValueKind)
  /// A text to be read as a number, a date or a truth there.
  case conversion(ExpressionError.ValueKind, dialect: String)
  /// A value to be written as text, whose spelling differs.
  case spelling(ExpressionError.ValueKind, dialect: String)
  /// Values of different types where one is needed.
  case mixedTypes
  /// Cells of a file that may be numbers or texts.
  case undeclared
  /// A comparison whose kind is decided row by row.
  case undecidedComparison
  /// A pattern whose meaning differs.
  case pattern(dialect: String)
  /// An argument that must be written out: a unit, a pattern, a number of decimals.
  case notConstant
  /// A text with NUL.
  case nul
  /// A number with decimals where there is none.
  case decimals(dialect: String)
  /// A constant as the key of groups.
  case constantKey
  /// A time with an offset from UTC.
  case offset
  /// An expression that is longer in SQL than engines read.
  case tooLong
  /// An order that no engine has.
  case order(String)
}
