/// What reads one input of one form into batches.
protocol RecordReader: AnyObject {
  /// The titles of the header, before the first batch; `nil` if records carry their own keys (JSON).
  var titles: [String]? { get }

  /// The texts of the first row, as much of them as is looked at, if there is no header and they may be parted otherwise.
  var firstRow: [String]? { get }

  /// The header record as it stands in the input, where csv output may copy it.
  var header: Batch? { get }

  /// The marks the input is written with.
  var dialect: Dialect { get }

  /// Whether the input has a header of its own.
  var hasHeader: Bool { get }

  /// Whether its records stand in a JSON array, as far as is known.
  var isArray: Bool { get }

  /// Where its bytes come from.
  var feed: BlockFeed { get }

  /// The next batch; `nil` at the end, and where the feed has paused.
  ///
  /// - Parameters:
  ///   - schema: the columns; JSON adds the keys it sees.
  ///   - row: the number of the batch's first row among all input rows, from 1.
  func next(_ schema: inout Schema, row: Int) throws(InputError) -> Batch?

  /// What was noticed of the header, which is known whatever is read of the rows.
  var headerNotices: [InputNotice] { get }

  /// What was noticed in all of the input, known once it was read to its end.
  var notices: [InputNotice] { get }

  /// What was found in the last batch and, before it, in the header; forgotten once it was taken.
  func takeFindings() -> InputFindings
}

extension RecordReader {
  /// Nothing, unless a delimiter parts it.
  var firstRow: [String]? { nil }

  /// No, unless it reads JSON.
  var isArray: Bool { false }

  /// Nothing, unless a header can be mistaken.
  var headerNotices: [InputNotice] { [] }

  /// Nothing, unless a form is known by its end only.
  var notices: [InputNotice] { [] }

  /// Nothing, unless the form has something to be found.
  func takeFindings() -> InputFindings { InputFindings() }
}

/// The columns that there may be, so that they fit into the memory budget.
struct ColumnLimits {
  /// How many: each takes about a kibibyte, whatever is done with it.
  var count = Int.max

  /// The bytes of all their names: a name is held several times.
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
  /// The cells that a batch has notes on, unless a record has more.
  var cellLimit: Int
  /// The columns that there may be.
  var columnLimits = ColumnLimits()

  /// Whether the input may be read again: it stays open until then, which only so many can.
  var mayBeReadAgain: Bool { source < Self.mostOpenFiles }

  /// The files that may be open at once.
  private static let mostOpenFiles = 8

  /// Refuses a record that makes more columns than there is memory for.
  ///
  /// - Parameter place: where the record begins.
  func check(columns count: Int, of place: @autoclosure () -> InputError.Place) throws(InputError) {
    if count > columnLimits.count { throw .recordTooLong(place()) }
  }

  /// Refuses a header whose names take more memory than there is for them.
  ///
  /// - Parameters:
  ///   - count: the bytes of all names, about.
  ///   - place: where the header begins.
  func check(nameBytes count: Int, of place: @autoclosure () -> InputError.Place) throws(InputError) {
    if count > columnLimits.nameBytes { throw .namesTooLong(place()) }
  }

  /// A place in a block, as line and display column.
  func place(_ feed: BlockFeed, at offset: Int, withColumn: Bool = false) -> InputError.Place {
    let block = feed.block
    let line = feed.line + block.span.extracting(..<offset).lineEnds
    guard withColumn else { return InputError.Place(path: path, line: line) }
    return InputError.Place(path: path, line: line, column: feed.column(at: offset) + 1)
  }

  /// Goes on to a block with more bytes.
  ///
  /// - Parameters:
  ///   - start: where the record begins that goes on there, or the quote that is open; `nil` if the bytes that are
  ///     left over begin.
  ///   - hint: a way to read a record that is too long.
  /// - Returns: `false` after a timeout instead.
  @discardableResult
  func advance(
    _ feed: BlockFeed, recordAt start: Int? = nil, hint: InputError.Hint? = nil
  ) throws(InputError) -> Bool {
    let hasRoom: Bool
    do { hasRoom = try feed.advance() } catch { throw .system(error) }
    guard hasRoom else { throw .recordTooLong(place(feed, at: start ?? feed.start), hint: hint) }
    return !feed.isPaused
  }

  /// The cells that a batch of an input of so many columns may have, unless a record has more.
  ///
  /// In a table of more columns the cells of later inputs may be put anywhere, so that each record takes as many.
  func cellLimit(_ columnCount: Int, of tableColumns: Int) -> Int {
    if source == 0 || columnCount >= tableColumns { return cellLimit }
    let rowLimit = max(1, cellLimit / tableColumns)
    return options.ragged == .fill ? rowLimit : rowLimit * max(columnCount, 1)
  }
}
