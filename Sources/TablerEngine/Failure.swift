/// The reason a run ends early: one case for each stage that can fail.
public enum Failure: Error, Sendable {
  /// Damage in the input, or an input that the system failed to provide.
  case input(InputError)
  /// An expression or a template that means nothing for these columns.
  case expression(ExpressionError)
  /// A column that an option names and the input lacks.
  case column(option: String, ColumnError)
  /// An unknown column without a similar one, along with those that exist.
  indirect case unknown(Failure, columns: [String])
  /// An option that must know its columns before the first row, with a pattern or a range of JSON keys.
  case lateColumns(option: String)
  /// A column that an option would make, but that there is.
  case columnExists(option: String, String)
  /// `--grid-items` has more items than the table has columns.
  case tooManyGridItems(count: Int, columns: Int)
  /// A column of `--editable` whose cells a page cannot let people change.
  case notEditable(String, FixedColumn)
  /// A key that would be repeated in the JSON objects written.
  case repeatedKey(String)
  /// A column that is missing because the input should be read in another way.
  indirect case misread(Failure, path: FilePath?, hint: InputError.Hint)
  /// A column that is missing because there is nothing to read, of which the notice tells.
  indirect case nothingToRead(Failure, InputNotice)
  /// A key of `--sort` or `--sorted-by` has a list or an object as a value, which have no order.
  ///
  /// `column` is the column as addressed, or the text of the expression; `members` the names of the first
  /// members of an object.
  case noOrder(option: String, column: String, isList: Bool, members: [String], place: InputError.Location)
  /// A value that `must()` rejected; without a line if it is a value of all rows.
  case must(path: FilePath?, line: Int?, text: [UInt8], type: String)
  /// Texts that are too long, if nothing may be lost.
  case textTooLong(LongTextUse, count: Int, first: InputError.Location?)
  /// The data that a file that is written back would lose because cells did not convert: the number of cells
  /// or rows.
  indirect case loss(LostPart, count: Int, MisfitReport)
  /// A cell that does not convert, if none may (`--on-error stop`).
  case misfit(
    column: String, InputError.Location, text: [UInt8], wanted: ExpressionError.ValueKind,
    remedies: [Remedy] = [], use: ValueUse = .expression)
  /// A name that options use and no record of JSON had, with the columns if none is similar, under
  /// `--on-error stop`.
  case neverSeen(String, suggestion: String?, NamesThere)
  /// A table of `--lookup` that does not fit into the memory budget.
  case lookupTooLarge(name: String, path: FilePath)
  /// A table of `--join` that does not fit into the memory budget.
  case joinTooLarge(path: FilePath?)
  /// A column that `--join` names and its table lacks, and some that it has.
  case joinColumn(path: FilePath?, ColumnError, columns: [String])
  /// A key of JSON that came after its name was given to a column of a table of `--join`.
  case lateJoinedName(String, InputError.Location, path: FilePath?)
  /// A form above or below the table that does not fit into the memory budget.
  case formTooLarge(path: FilePath)
  /// A list of changes that no table could make sense of.
  case changes(ChangeListDamage, InputError.Location)
  /// A change of the position of a row, in a list whose positions are not those of the tables.
  case changesOfView(InputError.Location)
  /// A list of changes, or what is there instead of them, that does not fit into the memory budget.
  case changesTooLarge(path: FilePath?)
  /// Changes under `--follow` for which rows must be held.
  case changesUnderFollow
  /// Too many different values for the memory budget.
  case tooManyKeys(function: String)
  /// Aggregates of groups that do not fit into the memory budget.
  case groupsTooLarge
  /// `--pivot` of a key.
  case pivotedKey
  /// A column that `--pivot` would make too many columns of.
  case manyPivotedValues(String)
  /// Aggregates of an option's templates that do not fit into the memory budget.
  case footerTooLarge(option: String)
  /// A file that cannot be written back.
  case inPlace(InPlaceMistake, path: FilePath)
  /// A failure about the older table of `--diff`.
  indirect case old(Failure, path: FilePath?)
  /// More rows than can be compared with those of another table.
  case tooManyRows
  /// Two rows of a table that is compared have the same `--id`; and columns that would identify rows.
  case repeatedID([RowKey], first: InputError.Location, second: InputError.Location, remedy: [String])
  /// A row of a table that is compared is not in the order of `--sorted-by`.
  case outOfOrder(InputError.Location)
  /// A row of a table that is compared has a null in its `--id`.
  case emptyID(InputError.Location, remedy: [String])
  /// A page that lets readers change a file which cannot be written back, because it is not UTF-8.
  case notEditableFile(path: FilePath?)
  /// The identities of rows do not fit into the memory for them.
  case identitiesTooLarge
  /// `--rejects` with the file that the table goes to.
  case rejectsOverOutput
  /// `--rejects` with a file that is read.
  case rejectsOverInput(path: FilePath?)
  /// Something that neither an engine nor this program after it can do.
  case query(QueryMistake)
  /// Rows beyond the memory budget could not be stored in a temporary file.
  case spill(SystemError)
  /// The output could not be written.
  case output(SystemError)
}

/// Why the cells of a column cannot be changed in a page.
public enum FixedColumn: Sendable {
  /// They identify rows.
  case identifiesRows
  /// They are computed.
  case isComputed
  /// They are parts of other cells.
  case isPart
  /// They are not shown.
  case isHidden
  /// They are shown under another title.
  case isRenamed
}

/// Why there is no query that asks for what is wanted.
public enum QueryMistake: Equatable, Sendable {
  /// An option that no engine is asked for.
  case option(String)
  /// Rows by their numbers.
  case rowNumbers(String)
  /// Rows counted from the end.
  case fromEnd(String)
  /// An option that comes before groups, and is not asked.
  case beforeGroups(String)
  /// A part of a cell.
  case partOfCell(String)
  /// `--move` with `--head`.
  case moveWithHead
  /// An order that no engine has, and the column.
  case order(String, String)
  /// No table is named, and no file.
  case noTable
  /// Several files.
  case severalFiles
  /// A column without a name.
  case unnamedColumn
  /// Two columns whose names differ only in case.
  case namesAlike(String)
  /// No column is left.
  case noColumns
  /// The name of a file or a column with a carriage return or NUL.
  case oddText
  /// More bytes than engines read.
  case tooLong(Int)
  /// A column whose type an engine cannot be asked to change as `--types` says.
  case conversion(column: String, from: String, to: ValueType)
  /// A file that a client does not read as a table; perhaps a database.
  case readsNoFiles(String, FilePath)
  /// A csv with one column, whose name holds what may be its delimiter.
  case oneColumn(String, delimiter: Character)
  /// A table that is not there.
  case noSuchTable(String)
}

/// The cells of a column that did not convert.
public struct MisfitReport: Sendable {
  /// The column, as addressed.
  public var column: String
  /// The number of cells.
  public var count: Int
  /// The place of the first of them.
  public var first: InputError.Location
  /// The content of the first.
  public var text: [UInt8]
  /// What it should have been.
  public var wanted: ExpressionError.ValueKind
  /// Ways to read them.
  public var remedies: [Remedy]
  /// The use of the column's values.
  public var use: ValueUse
  /// Whether they are values to be assigned to a column of a declared type.
  public var isPutIn: Bool
}

/// The reason a file cannot be written back: `--in-place`.
public enum InPlaceMistake: Equatable, Sendable {
  /// It is a device or a pipe.
  case noFile
  /// It is not UTF-8, but would be after writing.
  case encoding
  /// It is of another form than its name or `--from` tells.
  case otherForm(OutputForm)
}

/// Something that deserves a warning or a note on stderr; only the facts.
public enum Notice: Sendable {
  /// Of the input.
  case input(InputNotice)
  /// Of the drawing.
  case layout(LayoutNotice)
  /// Cells that did not convert and were treated as null, with all uses of them.
  case misfits(
    column: String, count: Int, first: InputError.Location, text: [UInt8], wanted: ExpressionError.ValueKind,
    areLeftOut: Bool, remedies: [Remedy] = [], uses: [ValueUse] = [.expression])
  /// Cells that functions such as `number()` made null: all that there are, or some whose null nobody sees.
  case unconverted(
    column: String, count: Int, first: InputError.Location, text: [UInt8], wanted: ExpressionError.ValueKind,
    areAll: Bool, remedies: [Remedy])
  /// Cells that are words such as `NA` where it was asked whether there is a value.
  case wordsAsValues(
    column: String, count: Int, first: InputError.Location, text: [UInt8], words: [String])
  /// Cells that are dates in another spelling than the date that they were compared with as text; and the
  /// formats that read them.
  case datesAsText(column: String, count: Int, first: InputError.Location, text: [UInt8], formats: [String])
  /// Cells that were compared as text although their values have another order.
  case comparedAsText(ComparisonNotice)
  /// Cells such as `512m` that were read as thousandths beside sizes in other units.
  case thousandths(column: String, count: Int, first: InputError.Location, text: [UInt8], use: ValueUse)
  /// Texts that are too long and were treated as null; without a place if they are made from many rows.
  case longTexts(LongTextUse, count: Int, first: InputError.Location?)
  /// Words for missing values that were sorted as text beside numbers, or beside texts that are values.
  case wordsBesideValues(word: String, count: Int, areNumbers: Bool, areVerified: Bool)
  /// A sort key whose order may not be the one that was meant.
  case doubtfulKey(KeyNotice)
  /// A column that was meant to select the rows in which it is true, but is true in none.
  case nothingSelected(column: String)
  /// A number in an expression that is the name of a column.
  case numberIsName(NumberName)
  /// A column of `--explode` in which no row has a list, and the first value.
  case nothingExploded(column: String, first: InputError.Location, text: [UInt8])
  /// Rows that are added with others although texts in a column call them totals: their number, the place and text of
  /// the first, and all different texts unless there are many.
  case totalsAdded(column: String, count: Int, first: InputError.Location, text: [UInt8], all: [[UInt8]])
  /// A pattern for names of columns that matched none.
  case nothingMatched(option: String, pattern: String)
  /// A name in `--hide` that is part of the cells of a column, which stays.
  case hiddenPart(option: String, name: String, column: String)
  /// A pager that did not show the table, which went to the terminal, and why.
  case pager(name: String, reason: String)
  /// No row matches what should move, or a range leaves no row; the move as typed.
  case nothingToMove(move: String)
  /// No row matches the place to move to, and nothing was moved; the move as typed.
  case noPlaceToMove(move: String)
  /// A move names a row beyond the last; the move as typed.
  case noRowToMove(move: String, number: Int, count: Int)
  /// Rows that `--delete` or `--select` names by their numbers, but the table does not have.
  case noRows(option: String, RowRange, count: Int)
  /// Rows that `--can-edit`, `--can-delete` or `--can-move` did not let an operation touch.
  case refused(GuardedOperation, count: Int, first: InputError.Location)
  /// Rows with a cell of their own in a column that `--derive` or `--compute` computes.
  case replacedByDerived(column: String, option: String, count: Int, first: InputError.Location)
  /// A column of JSON that `--set` changed although no record had it, with the nearest one.
  case changedUnseen(column: String, suggestion: String?)
  /// Sections with the value of an earlier one; the first such value, and the value of `--section-by` as typed.
  case sectionsCameBack(count: Int, first: [UInt8], key: String, isExpression: Bool)
  /// The number of keys of groups that differ from another key only in blanks at the ends, and the first cell that
  /// has some.
  case paddedKeys(
    column: String, isComputed: Bool, count: Int, first: InputError.Location, text: [UInt8],
    haveNoBreakSpaces: Bool)
  /// Rows of a `--lookup` table that have the key of an earlier row, which is the one found; the first such key.
  case repeatedLookupKey(path: FilePath, key: [UInt8], count: Int)
  /// The number of keys that several rows of a table of `--join` have, the first of these rows and its key.
  case repeatedJoinKeys(InputError.Location, key: [UInt8], count: Int)
  /// The number of rows whose key no row of a table of `--join` has, and the first of them.
  case unmatchedRows(path: FilePath?, count: Int, first: InputError.Location)

  /// Rows that `--join` found no match for only because of blanks at the ends of keys: the file of the other table, their
  /// number, the place of the first and its key.
  case paddedJoinKeys(path: FilePath?, count: Int, first: InputError.Location, key: [UInt8])
  /// A rule of `--validate` that a row violates; the column, of a field rule.
  case finding(InputError.Location, key: [RowKey], field: String?, message: String)
  /// The number of findings, if not all are reported one by one.
  case findings(count: Int, rowCount: Int)
  /// A change of `--apply` that does not fit, and the place of the row that it is about.
  case unfit(ChangeMisfit, InputError.Location?)
  /// The number of such changes, if not all are reported one by one.
  case unfitCount(Int)
  /// Cells of a file that is written back that `--set` or `--derive` made null without any other notice.
  case emptied(column: String, count: Int, first: InputError.Location)
  /// Rows, columns and empty lines that a file that is written back has lost.
  case leftOut(path: FilePath, rows: LeftOut, columns: LeftOut, emptyLines: Int)
  /// The number of changes shown, of all.
  case changesShown(Int, of: Int)
  /// A file was written back with all its cells unchanged.
  case unchanged(path: FilePath)
  /// A file was replaced by one of another owner or group, because the program may not give it the old one.
  case changedOwner(path: FilePath)
  /// Cells that `--formula-guard` changed.
  case guardedFormulas(Int)

  /// Rows that `--ends` left out, in a form that has no line for them.
  case betweenEnds(Int)

  /// Records of `--footer-lines` that are not shown: their cells belong to no column.
  case footerLeftOut(Int)

  /// A column of `--pivot` whose title another column has, and its name instead.
  case pivotedTwice(title: String, name: String)

  /// Records of `--footer-lines` that are not compared.
  case footerNotCompared(Int)
}

/// The number of things that are left out.
public struct LeftOut: Equatable, Sendable {
  /// The number left out.
  public var count: Int
  /// The number before.
  public var total: Int
}

/// The result of a run that did not fail.
public struct Outcome: Sendable {
  /// The number of rows in the output.
  public var rowCount = 0
  /// The number of rows that violate a rule of `--validate`.
  public var invalidCount = 0
  /// The number of selected rows, if it is more than allowed.
  public var selectedCount = 0
  /// What `--diff` found.
  public var comparison: ComparisonSummary?
  /// Whether the user quit the pager before the last row was read.
  public var isCutShort = false
  /// The file that was not written, because rows are not valid.
  public var unwritten: FilePath?
  /// The file that was not written back, because no row of it would be left, and its number of rows; `nil` if
  /// no column would be left.
  public var emptied: (path: FilePath, rowCount: Int?)?
  /// The number of changes of `--apply` that do not fit, of all, if there are any; and the file that has them.
  public var unfit: (count: Int, total: Int, rejects: FilePath?)?
  /// The first row that `--sorted-by` found out of order.
  public var disorder: InputError.Location?
  /// The notices of the run, in the order of the stages.
  public var notices: [Notice] = []
}

extension Failure {
  /// The maximum number of columns that are listed.
  static let mostTold = 200

  /// The failure with the existing columns, if it is about a missing column without a similar one.
  func listing(_ schema: Schema) -> Failure {
    switch self {
    case .column(_, .notFound(_, nil, _)): break
    case .expression(let error):
      guard case .unknownColumn(_, nil, _) = error.kind else { return self }
    default: return self
    }
    return .unknown(self, columns: schema.certainNames(atMost: Self.mostTold))
  }

  /// The failure with what is to be said of the input, if it is about a missing column: that there is nothing to
  /// read, or that it should be read in another way.
  func explained(by input: InputReader, path: FilePath?) -> Failure {
    switch self {
    case .unknown, .column: break
    case .expression(let error):
      switch error.kind {
      case .unknownColumn, .unknownPosition, .nothingToSet: break
      default: return self
      }
    default: return self
    }
    if let notice = input.emptiness { return .nothingToRead(self, notice) }
    return input.misreading.map { .misread(self, path: path, hint: $0) } ?? self
  }
}

extension Failure {
  /// Creates the failure for rows that could not be read a second time.
  init(reading error: SystemError) {
    switch error.operation {
    case .readAgain: self = .input(.changed(path: error.path))
    case .open, .read, .readOutput, .start, .answer, .unpack: self = .input(.system(error))
    case .write, .replace, .writeTemporary, .readTemporary: self = .spill(error)
    }
  }

  /// The result of `body`; its error means that rows could not be read a second time.
  static func reading<Yield: ~Copyable>(
    _ body: () throws(SystemError) -> Yield
  ) throws(Failure) -> Yield {
    do { return try body() } catch { throw Failure(reading: error) }
  }
}

extension AggregateRoom {
  /// Makes sure, after each batch, that the data kept for an option fits into memory.
  mutating func spillIfFull(_ keeper: inout some AggregateKeeper, option: String) throws(Failure) {
    do { try spillIfFull(&keeper) } catch {
      switch error {
      case .tooLarge: throw .footerTooLarge(option: option)
      case .system(let error): throw .spill(error)
      }
    }
  }
}

extension EvaluationFailure {
  /// The failure with the name of its file.
  func failure(_ sources: [Source]) -> Failure {
    switch self {
    case .must(let source, let line, let text, let type):
      .must(path: sources[source].path, line: line, text: text, type: type.rawValue)
    case .tooManyKeys(let function): .tooManyKeys(function: function)
    case .system(let error): .spill(error)
    }
  }
}

extension SortError {
  /// The failure with the names of option and file.
  func failure(option: String, _ sources: [Source]) -> Failure {
    switch self {
    case .column(let error, _): .column(option: option, error)
    case .orderColumn(let error): .column(option: "--order", error)
    case .expression(let error): .expression(error)
    case .noOrder(let value):
      .noOrder(
        option: option, column: value.column, isList: value.isList, members: value.members,
        place: InputError.Location(path: sources[value.source].path, line: value.line))
    }
  }
}

extension Outcome {
  /// The failure under `--on-error stop`: a cell that did not convert, or a name that never came.
  var misfit: Failure? {
    for notice in notices {
      switch notice {
      case .misfits(_, _, _, _, _, _, _, uses: [.total(isLeftOut: true)]): continue
      case .misfits(let column, _, let first, let text, let wanted, _, let remedies, let uses):
        return .misfit(column: column, first, text: text, wanted: wanted, remedies: remedies, use: uses[0])
      case .input(.neverSeen(let name, let suggestion, let names)):
        return .neverSeen(name, suggestion: suggestion, names)
      case .changedUnseen(let name, let suggestion):
        return .neverSeen(name, suggestion: suggestion, NamesThere())
      default: continue
      }
    }
    return nil
  }
}

extension Outcome {
  /// The failure if nothing may be lost: a text that is too long.
  var textTooLong: Failure? {
    for case .longTexts(let use, let count, let first) in notices {
      return .textTooLong(use, count: count, first: first)
    }
    return nil
  }
}

extension ConversionTally.Misfit {
  /// The place of the cell.
  func place(_ sources: [Source]) -> InputError.Location {
    InputError.Location(path: sources[source].path, line: line)
  }
}
