/// A painter of csv or tsv: it copies whole records if it can, and writes the others cell by cell.
protocol DelimitedPainter: Painter, ~Copyable {
  /// The dialect of the output, and which cells are untouched.
  var output: DelimitedOutput { get }

  /// The guard against formulas, with its count.
  var formulas: FormulaGuard { get set }

  /// Writes one record, including its end.
  mutating func paintRecord(_ row: Int, of batch: Batch, into out: inout ByteBuffer)

  /// Writes one cell.
  ///
  /// - Parameter keeps: whether it keeps its bytes if it was read.
  mutating func append(_ cell: Cell, of batch: Batch, keeps: Bool, to out: inout ByteBuffer)
}

extension DelimitedPainter where Self: ~Copyable {
  /// The number of cells that got a leading `'` from `--formula-guard`.
  var guardedCells: Int { formulas.count }

  /// A delimiter for each column.
  var rowSize: Int { output.columns.count }

  var recordEndSize: Int { output.dialect.recordEnd.count }

  mutating func paint(_ rows: Rows, _ range: Range<Int>, into out: inout ByteBuffer) {
    // It is read once: each access is a copy.
    let output = output
    var index = range.lowerBound
    while index < range.upperBound {
      let number = rows.ids[index].batch
      let batch = rows.batches[number]
      let copies = !formulas.isOn && output.copiesRecords(of: batch)
      repeat {
        if copies, !batch.hasReplacedCells(inRow: rows.ids[index].row) {
          index = output.copyRecords(rows, from: index, of: batch, before: range.upperBound, into: &out)
        } else {
          paintRecord(rows.ids[index].row, of: batch, into: &out)
          index &+= 1
        }
      } while index < range.upperBound && rows.ids[index].batch == number
    }
  }

  mutating func end(footers: [FooterLine], into out: inout ByteBuffer) {}

  /// Appends the first cells of a record unchanged, except those that were computed.
  @inline(__always)
  mutating func append(leadingCellsOfRow row: Int, of batch: Batch, to out: inout ByteBuffer) {
    var start = Int(batch.recordStarts[row])
    for column in batch.replacedColumns {
      let cell = batch.cell(row: row, column: column)
      guard batch.isComputed(cell) else { continue }
      let replaced = batch.spellingRange(of: cell)
      out.append(batch.block.span(from: start, count: replaced.lowerBound &- start, heldBy: batch))
      append(cell, of: batch, keeps: true, to: &out)
      start = replaced.upperBound
    }
    out.append(batch.block.span(from: start, count: batch.endOfCells(row) &- start, heldBy: batch))
  }
}

/// What csv and tsv share: which cells are untouched, and records that are copied whole.
///
/// It is a separate copyable value because the optimizer of Swift 6.3 releases parts of a value twice if the
/// initializer of a noncopyable type both stores and destructures it.
struct DelimitedOutput: Sendable {
  /// The columns.
  let columns: [DataColumn]

  /// Whether there is a header line.
  let hasHeader: Bool

  /// The dialect of the output.
  let dialect: Dialect

  /// Whether titles keep the spelling of the input's header.
  private let keepsHeader: Bool

  private let schema: Schema

  /// The number of columns, from the first, that are those of the input, whole and in order.
  private let leadingCount: Int

  /// Determines how csv is written: like the input, if that was csv.
  static func csv(_ shown: [ShownColumn], _ options: OutputOptions, _ profile: InputProfile)
    -> DelimitedOutput
  {
    var dialect = profile.dialect.form == .csv ? profile.dialect : .csv
    if let delimiter = options.delimiter, delimiter != dialect.delimiter {
      dialect.delimiter = delimiter
      dialect.quote = Dialect.csv.quote
      dialect.escape = nil
    }
    return DelimitedOutput(shown, options, profile, dialect)
  }

  /// Determines how tsv is written: like the input, if that was tsv with tabs and without quotes.
  static func tsv(_ shown: [ShownColumn], _ options: OutputOptions, _ profile: InputProfile)
    -> DelimitedOutput
  {
    let isTabbed =
      profile.dialect.form == .tsv && profile.dialect.delimiter == Dialect.tsv.delimiter
      && profile.dialect.quote == nil
    return DelimitedOutput(shown, options, profile, isTabbed ? profile.dialect : .tsv)
  }

  private init(_ shown: [ShownColumn], _ options: OutputOptions, _ profile: InputProfile, _ dialect: Dialect)
  {
    columns = DataColumn.columns(of: shown, profile.schema)
    hasHeader = options.hasHeader && (profile.hasTitles || columns.contains(where: \.hasOwnTitle))
    keepsHeader = dialect.matches(profile.dialect)
    schema = profile.schema
    self.dialect = dialect
    leadingCount = columns.leadingCount
  }

  /// Appends a title as spelled in the header of the input; `false` if it must be written otherwise.
  func append(spellingOfTitle column: DataColumn, to out: inout ByteBuffer) -> Bool {
    guard keepsHeader, column.keepsTitle, let header = schema.header(naming: column.index) else {
      return false
    }
    header.append(spellingOfRow: 0, column: column.index, to: &out)
    return true
  }

  /// Whether untouched cells of a batch keep their bytes.
  @inline(__always)
  func keepsBytes(of batch: Batch) -> Bool { dialect.matches(batch.origin.dialect) }

  /// Whether the records of a batch are written unchanged, except those with cells that were replaced,
  /// provided that no cell is guarded.
  @inline(__always)
  func copiesRecords(of batch: Batch) -> Bool {
    let count = batch.origin.isVerbatim ? batch.columnCount : batch.leadingCells
    return count > 0 && leadingCount == columns.count && count == columns.count && copiesCells(of: batch)
  }

  /// Whether cells are in a batch as they are written, including the marks between them.
  @inline(__always)
  private func copiesCells(of batch: Batch) -> Bool {
    keepsBytes(of: batch) && (dialect.form == .tsv || dialect.escape == nil)
  }

  /// The number of cells, from the first, that are in a record of a batch as they are written, except
  /// computed ones.
  @inline(__always)
  func leadingCells(of batch: Batch) -> Int {
    let count = batch.leadingCells
    return count > 0 && count <= leadingCount && copiesCells(of: batch) ? count : 0
  }

  /// Copies the record at `index`, and those that follow it both in the input and the output, up to one with
  /// replaced cells.
  ///
  /// - Returns: the index after them.
  @inline(__always)
  func copyRecords(
    _ rows: Rows, from index: Int, of batch: Batch, before limit: Int, into out: inout ByteBuffer
  ) -> Int {
    let first = rows.ids[index]
    var last = first.row
    var next = index &+ 1
    while next < limit, rows.ids[next] == RowID(batch: first.batch, row: last &+ 1),
      !batch.hasReplacedCells(inRow: last &+ 1)
    {
      last &+= 1
      next &+= 1
    }
    let start = Int(batch.recordStarts[first.row])
    let stop = Int(batch.recordStarts[last &+ 1])
    out.append(batch.block.span(from: start, count: stop &- start, heldBy: batch))
    if !batch.hasRecordEnd(before: stop) { out.append(dialect.recordEnd) }
    return next
  }

  /// Appends the end of a record: its own, if its bytes are kept and it has one, otherwise the header's.
  func appendEnd(ofRow row: Int, of batch: Batch, keeps: Bool, to out: inout ByteBuffer) {
    guard keeps else { return out.append(dialect.recordEnd) }
    let ownEnd = batch.recordEnd(ofRow: row)
    if ownEnd.isEmpty { out.append(dialect.recordEnd) } else { out.append(ownEnd) }
  }
}

/// Guards cells that a spreadsheet would treat as formulas, and counts them (`--formula-guard`).
struct FormulaGuard: Sendable {
  /// Whether cells are examined.
  let isOn: Bool

  /// The decimal and thousands marks of numbers; `-5` is not a formula.
  let marks: NumberMarks

  /// The number of cells that got a leading `'`; the caller that writes it counts it.
  var count = 0

  /// Creates a guard that has found nothing.
  init(isOn: Bool, marks: NumberMarks) {
    self.isOn = isOn
    self.marks = marks
  }

  /// Whether a cell needs the leading `'`.
  @inline(__always)
  func catches(_ content: Span<UInt8>) -> Bool {
    guard isOn, !content.isEmpty else { return false }
    switch content[0] {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 9, 10, 13:
      return !NumberReader.isNumber(content, marks: marks)
    default: return false
    }
  }
}
