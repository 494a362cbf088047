/// Reads one input of one form into batches.
protocol RecordReader: AnyObject {
  /// The titles of the header, before the first batch; `nil` if records carry their own keys (JSON).
  var titles: [String]? { get }

  /// The titles that are divided, with some over several columns; empty if there are none.
  var spannedTitles: [SpannedTitle?] { get }

  /// The texts of the first row, as much of them as is examined, if there is no header and it might be split
  /// differently.
  var firstRow: [String]? { get }

  /// The header record as spelled in the input, if csv output may copy it.
  var header: Batch? { get }

  /// The marks the input is written with.
  var dialect: Dialect { get }

  /// Whether the input has a header of its own.
  var hasHeader: Bool { get }

  /// Whether its records are in a JSON array, if that is known.
  var isArray: Bool { get }

  /// Where its bytes come from.
  var feed: BlockFeed { get }

  /// The next batch; `nil` at the end, and if the feed has paused.
  ///
  /// - Parameters:
  ///   - schema: the columns; JSON adds the keys it sees.
  ///   - row: the number of the batch's first row among all input rows, from 1.
  func next(_ schema: inout Schema, row: Int) throws(InputError) -> Batch?

  /// The notices about the header, which are known however many rows are read.
  var headerNotices: [InputNotice] { get }

  /// The notices about the whole input, known once it was read to its end.
  var notices: [InputNotice] { get }

  /// The findings of the last batch and, before it, of the header; they are removed by the call.
  func takeFindings() -> InputFindings
}

extension RecordReader {
  /// None, unless a header may have several lines.
  var spannedTitles: [SpannedTitle?] { [] }

  /// None, unless a delimiter separates fields.
  var firstRow: [String]? { nil }

  /// False, unless it reads JSON.
  var isArray: Bool { false }

  /// None, unless a header can be mistaken.
  var headerNotices: [InputNotice] { [] }

  /// None, unless a form needs the end of the input for them.
  var notices: [InputNotice] { [] }

  /// None, unless the form has findings.
  func takeFindings() -> InputFindings { InputFindings() }
}

/// The limits of columns, so that they fit into the memory budget.
struct ColumnLimits {
  /// The number of columns: each takes about a kibibyte, whatever is done with it.
  var count = Int.max

  /// The total size of their names: a name is held several times.
  var nameBytes = Int.max
}

/// What every reader of one input needs to know.
struct InputContext {
  /// How input is read.
  var options: InputOptions
  /// The input, as an index into the plan's sources.
  var source: Int
  /// The file, or `nil` for the standard input.
  var path: FilePath?
  /// Whether columns may be added after the first rows: the header is not written yet.
  var mayGrow: Bool
  /// The portions in which records are cut.
  var tuning: Tuning
  /// The threads that cut some of them.
  var crew: Crew
  /// The limits of columns.
  var columnLimits = ColumnLimits()
  /// The name of the pattern for lines of a log, if these are some and nothing else was asked for.
  var log: String?

  /// The maximum number of cells in a batch, unless a record has more.
  var cellLimit: Int { tuning.cellLimit }

  /// Whether the input may be read again: it stays open until then, which only a few can.
  var mayBeReadAgain: Bool { source < Self.mostOpenFiles }

  /// The maximum number of files that may be open at once.
  private static let mostOpenFiles = 8

  /// Rejects a record that makes more columns than fit into memory.
  ///
  /// - Parameter place: where the record begins.
  func check(columns count: Int, of place: @autoclosure () -> InputError.Location) throws(InputError) {
    if count > columnLimits.count { throw .recordTooLong(place()) }
  }

  /// Rejects a header whose names take too much memory.
  ///
  /// - Parameters:
  ///   - count: the approximate size of all names in bytes.
  ///   - place: where the header begins.
  func check(nameBytes count: Int, of place: @autoclosure () -> InputError.Location) throws(InputError) {
    if count > columnLimits.nameBytes { throw .namesTooLong(place()) }
  }

  /// A place in the current block, as line and display column.
  func place(_ feed: BlockFeed, at offset: Int, withColumn: Bool = false) -> InputError.Location {
    place(feed.spot, at: offset, withColumn: withColumn)
  }

  /// A place in a block, as line and display column.
  func place(_ spot: BlockFeed.Spot, at offset: Int, withColumn: Bool = false) -> InputError.Location {
    let line = spot.line(at: offset)
    guard withColumn else { return InputError.Location(path: path, line: line) }
    return InputError.Location(path: path, line: line, column: spot.width(before: offset).cells + 1)
  }

  /// Moves on to a block with more bytes.
  ///
  /// - Parameters:
  ///   - start: where the record that continues there begins, or its open quote; `nil` if it begins with the
  ///     bytes that are left over.
  ///   - hint: a way to read a record that is too long.
  /// - Returns: `false` after a timeout.
  @discardableResult
  func advance(
    _ feed: BlockFeed, recordAt start: Int? = nil, hint: InputError.Hint? = nil
  ) throws(InputError) -> Bool {
    let hasRoom: Bool
    do { hasRoom = try feed.advance() } catch { throw .system(error) }
    guard hasRoom else { throw .recordTooLong(place(feed, at: start ?? feed.start), hint: hint) }
    return !feed.isPaused
  }

  /// The maximum number of cells in a batch of an input with `columnCount` columns, unless a record has more.
  ///
  /// In a table of more columns, the cells of later inputs may go anywhere, so that each record takes as many.
  func cellLimit(_ columnCount: Int, of tableColumns: Int) -> Int {
    if source == 0 || columnCount >= tableColumns { return cellLimit }
    let rowLimit = max(1, cellLimit / tableColumns)
    return options.ragged == .fill ? rowLimit : rowLimit * max(columnCount, 1)
  }
}
