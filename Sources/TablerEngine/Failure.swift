/// What ends a run before its time: one case for each stage that can fail.
public enum Failure: Error, Sendable {
  /// Damage in the input, or an input that the system would not give.
  case input(InputError)
  /// An expression or a template that means nothing for these columns.
  case expression(ExpressionError)
  /// A column that an option names and the input has not.
  case column(option: String, ColumnError)
  /// A column that no other is near, with those that there are.
  indirect case unknown(Failure, columns: [String])
  /// An option that must know its columns before the first row, with a pattern or a range over keys of JSON.
  case lateColumns(option: String)
  /// `--grid-items` has more items than the table has columns.
  case tooManyGridItems(count: Int, columns: Int)
  /// A key that would stand twice in the JSON objects written.
  case repeatedKey(String)
  /// A column that is missing because the input was rather to be read in another way.
  indirect case misread(Failure, path: FilePath?, hint: InputError.Hint)
  /// A key of `--sort` or `--sorted-by` met a list or an object, which have no order.
  ///
  /// `column` is the column as addressed, or the text of the expression; `members` the names of the first
  /// members of an object.
  case noOrder(option: String, column: String, isList: Bool, members: [String], place: InputError.Place)
  /// A value that `must()` did not let pass; without a line where it is one of all rows.
  case must(path: FilePath?, line: Int?, text: [UInt8], type: String)
  /// Texts that are longer than may be, if nothing may be lost.
  case textTooLong(LongTextUse, count: Int, first: InputError.Place?)
  /// What a file that is written back would lose because cells did not convert: so many cells or rows.
  indirect case loss(LostPart, count: Int, MisfitReport)
  /// A cell that does not convert, if none may (`--on-error stop`).
  case misfit(
    column: String, InputError.Place, text: [UInt8], wanted: ExpressionError.ValueKind,
    remedies: [Remedy] = [], use: ValueUse = .expression)
  /// A name that options use and no record of JSON had, with the columns if none is near, under `--on-error stop`.
  case neverSeen(String, suggestion: String?, NamesThere)
  /// A table of `--lookup` for which the memory budget has no room.
  case lookupTooLarge(name: String, path: FilePath)
  /// A form above or below the table for which the memory budget has no room.
  case formTooLarge(path: FilePath)
  /// Different values for which the memory budget has no room.
  case tooManyKeys(function: String)
  /// Aggregates of groups for which the memory budget has no room.
  case groupsTooLarge
  /// Aggregates of an option's templates for which the memory budget has no room.
  case footerTooLarge(option: String)
  /// A file that cannot be written back.
  case inPlace(InPlaceMistake, path: FilePath)
  /// `--rejects` with the file that the table goes to.
  case rejectsOverOutput
  /// `--rejects` with a file that is read.
  case rejectsOverInput(path: FilePath?)
  /// Rows beyond the memory budget could not be stored in a temporary file.
  case spill(SystemError)
  /// The output could not be written.
  case output(SystemError)
}

/// The cells of a column that did not convert.
public struct MisfitReport: Sendable {
  /// The column, as addressed.
  public var column: String
  /// How many there are.
  public var count: Int
  /// Where the first of them stands.
  public var first: InputError.Place
  /// What it says.
  public var text: [UInt8]
  /// What it should have been.
  public var wanted: ExpressionError.ValueKind
  /// What reads them.
  public var remedies: [Remedy]
  /// What asks for them.
  public var use: ValueUse
  /// Whether they are values to be put into a column of a declared type.
  public var isPutIn: Bool
}

/// Why a file cannot be written back: `--in-place`.
public enum InPlaceMistake: Equatable, Sendable {
  /// It is a device or a pipe.
  case noFile
  /// It is not UTF-8, and would be when it is written.
  case encoding
  /// It is of another form than its name or `--from` says.
  case otherForm(OutputForm)
}

/// Something worth a warning or a note on stderr; facts only.
public enum Notice: Sendable {
  /// Of the input.
  case input(InputNotice)
  /// Of the drawing.
  case layout(LayoutNotice)
  /// Cells that did not convert and were treated as null; all that ask for them.
  case misfits(
    column: String, count: Int, first: InputError.Place, text: [UInt8], wanted: ExpressionError.ValueKind,
    areLeftOut: Bool, remedies: [Remedy] = [], uses: [ValueUse] = [.expression])
  /// Cells that are dates in another spelling than the date that they were compared with as text; the formats that read
  /// them.
  case datesAsText(column: String, count: Int, first: InputError.Place, text: [UInt8], formats: [String])
  /// Cells that were compared as text though their values have another order.
  case comparedAsText(ComparisonNotice)
  /// Cells such as `512m` that were read as thousandths beside sizes in other units.
  case thousandths(column: String, count: Int, first: InputError.Place, text: [UInt8], use: ValueUse)
  /// Texts that are longer than may be and were treated as null; without a place where they are made of many rows.
  case longTexts(LongTextUse, count: Int, first: InputError.Place?)
  /// Words for nothing that were sorted as text beside numbers.
  case wordsBesideNumbers(word: String, count: Int, areVerified: Bool)
  /// A sort key whose order may not be the one that is meant.
  case doubtfulKey(KeyNotice)
  /// A column that was to select the rows in which it is true, and is in none.
  case nothingSelected(column: String)
  /// A number in an expression that is the name of a column.
  case numberIsName(NumberName)
  /// A pattern over names of columns that none has matched.
  case nothingMatched(option: String, pattern: String)
  /// A name in `--hide` that is a part of the cells of a column, which stays.
  case hiddenPart(name: String, column: String)
  /// A pager that did not show the table, which went to the terminal, and why.
  case pager(name: String, reason: String)
  /// No row fits what is to move, or a range that leaves no row; the move as typed.
  case nothingToMove(move: String)
  /// No row fits the place to move to, and nothing was moved; the move as typed.
  case noPlaceToMove(move: String)
  /// A move names a row beyond the last; the move as typed.
  case noRowToMove(move: String, number: Int, count: Int)
  /// Rows that `--delete` or `--select` names by their numbers, of which the table has none.
  case noRows(option: String, RowRange, count: Int)
  /// Rows that `--can-edit`, `--can-delete` or `--can-move` did not let an operation touch.
  case refused(GuardedOperation, count: Int, first: InputError.Place)
  /// Rows with a cell of their own in a column that `--derive` computes.
  case replacedByDerived(column: String, count: Int, first: InputError.Place)
  /// A column of JSON that `--set` changed though no record had it, with the nearest one.
  case changedUnseen(column: String, suggestion: String?)
  /// Sections whose value an earlier one had; the first value, and the value of `--section-by` as typed.
  case sectionsCameBack(count: Int, first: [UInt8], key: String, isExpression: Bool)
  /// Rows of a `--lookup` table that have the key of an earlier row, which is found; the first such key.
  case repeatedLookupKey(path: FilePath, key: [UInt8], count: Int)
  /// A rule of `--validate` that a row does not keep; the column, of a field rule.
  case finding(InputError.Place, key: [RowKey], field: String?, message: String)
  /// How many findings there are, where not all are told one by one.
  case findings(count: Int, rowCount: Int)
  /// Cells of a file that is written back which `--set` or `--derive` made null though nothing else is said of them.
  case emptied(column: String, count: Int, first: InputError.Place)
  /// Rows, columns and empty lines of a file that is written back which it does not hold any more.
  case leftOut(path: FilePath, rows: LeftOut, columns: LeftOut, emptyLines: Int)
  /// A file was written back with all its cells as they were.
  case unchanged(path: FilePath)
  /// A file was replaced by one of another owner or group, which the program may not give it.
  case changedOwner(path: FilePath)
  /// Cells that `--formula-guard` changed.
  case guardedFormulas(Int)
}

/// How many of something are left out.
public struct LeftOut: Equatable, Sendable {
  /// How many are.
  public var count: Int
  /// How many there were.
  public var total: Int
}

/// How a run ended that did not fail.
public struct Outcome: Sendable {
  /// The number of rows that came out.
  public var rowCount = 0
  /// The number of rows that do not keep a rule of `--validate`.
  public var invalidCount = 0
  /// The number of rows that are selected, where that is more than may be.
  public var selectedCount = 0
  /// Whether the person left the pager before the last row was read.
  public var isCutShort = false
  /// The file that was not written, because rows are not valid.
  public var unwritten: FilePath?
  /// The file that was not written back, because no row of it would be left, and how many it has; `nil` if no column
  /// would.
  public var emptied: (path: FilePath, rowCount: Int?)?
  /// The first row that `--sorted-by` found out of order.
  public var disorder: InputError.Place?
  /// What was noticed on the way, in the order of the stages.
  public var notices: [Notice] = []
}

extension Failure {
  /// The most columns that are told.
  static let mostTold = 200

  /// The failure with the columns that there are, where it is about a missing column that none is near.
  func listing(_ schema: Schema) -> Failure {
    switch self {
    case .column(_, .notFound(_, nil, _)): break
    case .expression(let error):
      guard case .unknownColumn(_, nil, _) = error.kind else { return self }
    default: return self
    }
    return .unknown(self, columns: schema.names(atMost: Self.mostTold))
  }

  /// The failure with a better way to read the input, where it is about a missing column and there is one.
  func hinting(_ hint: InputError.Hint?, path: FilePath?) -> Failure {
    guard let hint else { return self }
    switch self {
    case .unknown, .column: return .misread(self, path: path, hint: hint)
    case .expression(let error):
      switch error.kind {
      case .unknownColumn, .unknownPosition, .nothingToSet: return .misread(self, path: path, hint: hint)
      default: return self
      }
    default: return self
    }
  }
}

extension Failure {
  /// Rows that could not be read a second time.
  init(reading error: SystemError) {
    switch error.operation {
    case .readAgain: self = .input(.changed(path: error.path))
    case .open, .read, .readOutput: self = .input(.system(error))
    case .write, .replace, .writeTemporary, .readTemporary: self = .spill(error)
    }
  }

  /// What `body` yields, or that rows could not be read a second time.
  static func reading<Yield: ~Copyable>(
    _ body: () throws(SystemError) -> Yield
  ) throws(Failure) -> Yield {
    do { return try body() } catch { throw Failure(reading: error) }
  }
}

extension AggregateRoom {
  /// Sees to it, after each batch, that what is kept for an option has room.
  mutating func settle(_ keeper: inout some AggregateKeeper, option: String) throws(Failure) {
    do { try settle(&keeper) } catch {
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
        place: InputError.Place(path: sources[value.source].path, line: value.line))
    }
  }
}

extension Outcome {
  /// What ends the run under `--on-error stop`: a cell that did not convert, or a name that never came.
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
  /// What ends the run if nothing may be lost: a text that is longer than may be.
  var textTooLong: Failure? {
    for case .longTexts(let use, let count, let first) in notices {
      return .textTooLong(use, count: count, first: first)
    }
    return nil
  }
}

extension ConversionTally.Misfit {
  /// Where the cell stands.
  func place(_ sources: [Source]) -> InputError.Place {
    InputError.Place(path: sources[source].path, line: line)
  }
}
