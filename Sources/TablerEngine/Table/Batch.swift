/// A block of complete records that were read together: their bytes, and a note on each cell.
///
/// Every reader makes the same kind of batch; nothing downstream asks which form it came from. A batch does
/// not change once it is made.
final class Batch: Sendable {
  /// The bytes of the records as they were read.
  let block: ByteBlock

  /// The contents of escaped cells, one after the other.
  let decoded: ByteBlock

  /// Where the contents of escaped cells are; `Cell.offset` of such a cell is an index into it.
  let escapes: [Escape]

  /// Whether one of them is computed.
  let hasComputed: Bool

  /// The notes, record after record: `columnCount` for each, or those that `sparse` lists.
  let cells: [Cell]

  /// The number of notes of each record, 0 if they are sparse; a JSON batch read later may have more.
  let columnCount: Int

  /// The columns of the notes, if records have few of them.
  let sparse: SparseCells?

  /// Where each record begins in `block`, in bytes, and the end of the last.
  let recordStarts: [UInt32]

  /// Where the records come from.
  let origin: Origin

  /// Where each record was before it was copied here; empty in a batch as it was read.
  let places: [RowPlace]

  /// How its records were cut, if that can be done again.
  let cutting: Cutting?

  /// The number of cells, from the first, that every record holds in order, with no others, if some cells are
  /// computed; otherwise 0.
  let leadingCells: Int

  /// The columns among `leadingCells`, ascending, in which a record may have a computed cell in place of its own.
  let replacedColumns: [Int]

  /// The batch that this one was made from by computing cells, if any.
  private let predecessor: ObjectIdentifier?

  /// Identifies the batch; batches that differ only in computed cells have the same identity.
  var identity: ObjectIdentifier { predecessor ?? ObjectIdentifier(self) }

  /// The file that a batch comes from, and the position of its first record in it.
  struct Origin: Sendable {
    /// The input, as an index into the plan's sources.
    var source: Int

    /// The number of the line at the block's first byte, counted from 1.
    var line: Int

    /// The number of the first record among all input rows, counted from 1.
    var row: Int

    /// Whether every record holds exactly the batch's cells, in order, so that csv output may copy it whole.
    var isVerbatim: Bool

    /// The marks and line ends that its form was written with; csv output keeps them.
    var dialect: Dialect

    /// Whether its records are known to be one line each; only the last may have no end.
    var areLines = false
  }

  /// How the records of a batch were cut: with it the same batch can be made from the same bytes, whatever
  /// was added to it.
  struct Cutting: Sendable {
    /// Cuts its records.
    var cutter: any BatchCutter

    /// The bytes of the block that the batch was cut from.
    var range: Range<Int>

    /// Where the block begins in the input, if it can be read again.
    var place: StoredPlace?
  }

  init(
    block: ByteBlock, decoded: ByteBlock, escapes: [Escape], cells: [Cell], columnCount: Int,
    sparse: SparseCells? = nil, recordStarts: [UInt32], origin: Origin, places: [RowPlace] = [],
    cutting: Cutting? = nil, leadingCells: Int = 0, replacedColumns: [Int] = [], hasComputed: Bool? = nil,
    predecessor: ObjectIdentifier? = nil
  ) {
    if let sparse {
      precondition(columnCount == 0 && cells.count == sparse.columns.count)
      precondition(recordStarts.count == sparse.starts.count)
    } else {
      precondition(!recordStarts.isEmpty && cells.count == (recordStarts.count - 1) * columnCount)
    }
    precondition(places.isEmpty || places.count == recordStarts.count - 1)
    self.block = block
    self.decoded = decoded
    self.escapes = escapes
    self.cells = cells
    self.columnCount = columnCount
    self.sparse = sparse
    self.recordStarts = recordStarts
    self.origin = origin
    self.places = places
    self.cutting = cutting
    self.leadingCells = leadingCells
    self.replacedColumns = replacedColumns
    self.predecessor = predecessor
    self.hasComputed = hasComputed ?? escapes.contains { $0.isComputed }
  }

  /// The number of records.
  var rowCount: Int { recordStarts.count - 1 }

  /// The cell of a record in a column; missing if the batch has no such column.
  @inline(__always)
  func cell(row: Int, column: Int) -> Cell {
    column < columnCount ? cells[row &* columnCount &+ column] : sparseCell(row: row, column: column)
  }

  @inline(never)
  private func sparseCell(row: Int, column: Int) -> Cell {
    sparse?.cellIndex(ofRow: row, column: column).map { cells[$0] } ?? .missing
  }

  /// The number of columns up to the last that a record has.
  var width: Int { sparse?.width ?? columnCount }

  /// The notes of a record, as indices into `cells`.
  @inline(__always)
  func cellIndices(ofRow row: Int) -> Range<Int> {
    sparse == nil ? row &* columnCount..<row &* columnCount &+ columnCount : sparseCellIndices(ofRow: row)
  }

  @inline(never)
  private func sparseCellIndices(ofRow row: Int) -> Range<Int> { sparse?.cellIndices(ofRow: row) ?? 0..<0 }

  /// The column of a note of a record.
  @inline(__always)
  func column(ofCell index: Int, row: Int) -> Int {
    sparse.map { Int(truncatingIfNeeded: $0.columns[index]) } ?? index &- row &* columnCount
  }

  /// Whether a record has a cell that is not of the type declared for its column.
  func hasMisfit(row: Int) -> Bool { cellIndices(ofRow: row).contains { cells[$0].isMisfit } }

  /// The number of cells of a record, up to the last that is not missing.
  @inline(__always)
  func fieldCount(ofRow row: Int) -> Int {
    if sparse != nil {
      return sparseCellIndices(ofRow: row).last.map { column(ofCell: $0, row: row) + 1 } ?? 0
    }
    var count = columnCount
    while count > 0, cells[row &* columnCount &+ count &- 1].kind == .missing { count &-= 1 }
    return count
  }

  /// Whether a cell was computed: it has no spelling in the input.
  @inline(__always)
  func isComputed(_ cell: Cell) -> Bool { cell.isEscaped && escapes[cell.offset].isComputed }

  /// Whether a cell is a text whatever it looks like: its form says so, or a function made it.
  @inline(__always)
  func isText(_ cell: Cell) -> Bool {
    cell.kind == .text && (origin.dialect.form == .json || cell.isEscaped && escapes[cell.offset].isText)
  }

  /// Whether a cell was computed and does not replace one that was read.
  func isAdded(_ cell: Cell) -> Bool {
    cell.isEscaped && escapes[cell.offset].isComputed && !escapes[cell.offset].isReplacing
  }

  /// Where a cell is spelled in the block, including quotes; for a computed cell, the spelling of the one it
  /// replaces.
  @inline(__always)
  func spellingRange(of cell: Cell) -> Range<Int> {
    let raw = cell.isEscaped ? escapes[cell.offset].rawRange : cell.offset..<cell.offset &+ cell.length
    return cell.isQuoted ? raw.lowerBound &- 1..<raw.upperBound &+ 1 : raw
  }

  /// Whether a record has computed cells that replace its own.
  @inline(__always)
  func hasReplacedCells(inRow row: Int) -> Bool {
    for column in replacedColumns where isComputed(cells[row &* columnCount &+ column]) { return true }
    return false
  }

  /// The content of a cell, with quotes and escapes resolved: UTF-8 that may be ill-formed.
  @inline(__always)
  @_lifetime(borrow self)
  func content(_ cell: Cell) -> Span<UInt8> {
    if cell.isEscaped {
      return decoded.span(from: Int(escapes[cell.offset].offset), count: cell.length, heldBy: self)
    }
    return block.span(from: cell.offset, count: cell.length, heldBy: self)
  }

  /// The content of a cell as it is displayed: a computed number has at most 15 digits.
  @inline(__always)
  @_lifetime(borrow self)
  func drawn(_ cell: Cell) -> Span<UInt8> {
    hasComputed ? drawnOfComputed(cell) : content(cell)
  }

  @inline(never)
  @_lifetime(borrow self)
  private func drawnOfComputed(_ cell: Cell) -> Span<UInt8> {
    guard isDrawnShorter(cell) else { return content(cell) }
    let end = Int(escapes[cell.offset].offset) &+ cell.length
    return decoded.span(from: end &+ 1, count: Int(decoded[end]), heldBy: self)
  }

  /// The content of a cell followed by the text that is drawn instead, with the length of the content.
  @_lifetime(borrow self)
  func contentAndDrawn(_ cell: Cell) -> Span<UInt8> {
    guard isDrawnShorter(cell) else { return content(cell) }
    let start = Int(escapes[cell.offset].offset)
    return decoded.span(
      from: start, count: cell.length + 1 + Int(decoded[start + cell.length]), heldBy: self)
  }

  /// Whether a cell is a computed number that is drawn with fewer digits than it has.
  ///
  /// Such a cell is not plain, even though all its characters are.
  @inline(never)
  func isDrawnShorter(_ cell: Cell) -> Bool {
    guard cell.isEscaped, !cell.isPlain, !cell.isNull else { return false }
    let escape = escapes[cell.offset]
    return escape.isComputed && !escape.isText && content(cell).isPrintableASCII
  }

  /// A cell as it is spelled in the input, without quote marks; for a computed cell, the spelling of the one
  /// it replaces.
  @inline(__always)
  @_lifetime(borrow self)
  func raw(_ cell: Cell) -> Span<UInt8> {
    if cell.isEscaped {
      let escape = escapes[cell.offset]
      return block.span(from: Int(escape.rawOffset), count: Int(escape.rawLength), heldBy: self)
    }
    return block.span(from: cell.offset, count: cell.length, heldBy: self)
  }

  /// Whether a cell of kind null is the `null` of JSON, and not a word of `--null`, whose bytes are kept.
  func isNullValue(_ cell: Cell) -> Bool { origin.dialect.form == .json && !cell.isQuoted }

  /// The content of a cell as a string; ill-formed UTF-8 is repaired.
  func text(_ cell: Cell) -> String {
    String(decoding: content(cell))
  }
}

extension Batch {
  /// The parts of a batch, to be changed and made into another one.
  struct Parts {
    let block: ByteBlock
    var decoded: ByteBlock
    var escapes: [Escape]
    var hasComputed: Bool
    var cells: [Cell]
    var columnCount: Int
    var sparse: SparseCells?
    let recordStarts: [UInt32]
    var origin: Origin
    let places: [RowPlace]
    var cutting: Cutting?
    var leadingCells: Int
    var replacedColumns: [Int]
    fileprivate let identity: ObjectIdentifier

    /// Takes the parts of a batch and leaves an empty one behind: parts that nothing else holds are changed
    /// in place.
    init(taking batch: inout Batch) {
      (block, decoded, escapes, cells) = (batch.block, batch.decoded, batch.escapes, batch.cells)
      (columnCount, sparse, recordStarts) = (batch.columnCount, batch.sparse, batch.recordStarts)
      (origin, places, cutting) = (batch.origin, batch.places, batch.cutting)
      (leadingCells, replacedColumns) = (batch.leadingCells, batch.replacedColumns)
      (hasComputed, identity) = (batch.hasComputed, batch.identity)
      batch = .empty
    }

    /// The number of records.
    var rowCount: Int { recordStarts.count - 1 }
  }

  /// Makes a batch from parts.
  convenience init(_ parts: Parts) {
    self.init(
      block: parts.block, decoded: parts.decoded, escapes: parts.escapes, cells: parts.cells,
      columnCount: parts.columnCount, sparse: parts.sparse, recordStarts: parts.recordStarts,
      origin: parts.origin, places: parts.places, cutting: parts.cutting, leadingCells: parts.leadingCells,
      replacedColumns: parts.replacedColumns, hasComputed: parts.hasComputed, predecessor: parts.identity)
  }
}

extension Batch {
  /// The input that a row comes from, as an index into the plan's sources.
  @inline(__always)
  func source(ofRow row: Int) -> Int { places.isEmpty ? origin.source : places[row].source }

  /// The number of a row among all input rows, counted from 1.
  @inline(__always)
  func rowNumber(ofRow row: Int) -> Int { places.isEmpty ? origin.row &+ row : places[row].number }

  /// The line a record begins on, counted from 1; scans the block up to it, unless it was copied here.
  func line(ofRow row: Int) -> Int {
    if !places.isEmpty { return places[row].line }
    return origin.line + block.span(from: 0, count: Int(recordStarts[row]), heldBy: self).lineEnds
  }

  /// The line a record begins on, counted from 1; scans the records since `last`, if that comes before it and they may be
  /// more lines than records.
  ///
  /// - Parameter last: a row of the batch, and its line.
  func line(ofRow row: Int, from last: (row: Int, line: Int)) -> Int {
    guard places.isEmpty, last.row <= row else { return line(ofRow: row) }
    if origin.areLines { return last.line + row - last.row }
    let start = Int(recordStarts[last.row])
    return last.line + block.span(from: start, count: Int(recordStarts[row]) - start, heldBy: self).lineEnds
  }
}

extension Batch {
  /// Appends a cell as it is spelled in the input, including quotes.
  func append(spellingOfRow row: Int, column: Int, to out: inout ByteBuffer) {
    let cell = cell(row: row, column: column)
    let quote = cell.isQuoted ? origin.dialect.quote : nil
    if let quote { out.append(quote) }
    out.append(raw(cell))
    if let quote { out.append(quote) }
  }

  /// Whether a record has no bytes in the input: it was added.
  func isEmptyRecord(_ row: Int) -> Bool { recordStarts[row] == recordStarts[row &+ 1] }

  /// How a record ends in the input: LF, CRLF or CR after its last cell; empty if it ends with the file.
  @_lifetime(borrow self)
  func recordEnd(ofRow row: Int) -> Span<UInt8> {
    let limit = Int(recordStarts[row &+ 1])
    // A record that was made has its cells anywhere.
    var start = min(endOfCells(row), limit)
    // Skips blanks that were trimmed, and the quote after them.
    while start < limit, block[start] != 10, block[start] != 13 { start &+= 1 }
    var end = start
    if end < limit, block[end] == 13 { end &+= 1 }
    if end < limit, block[end] == 10 { end &+= 1 }
    return block.span(from: start, count: end &- start, heldBy: self)
  }

  /// Whether the bytes before `offset` are the end of a record.
  func hasRecordEnd(before offset: Int) -> Bool {
    offset > 0 && (block[offset &- 1] == 10 || block[offset &- 1] == 13)
  }

  /// The offset after the last cell that the record has.
  func endOfCells(_ row: Int) -> Int {
    let indices = cellIndices(ofRow: row)
    var index = indices.upperBound
    while index > indices.lowerBound {
      index &-= 1
      let cell = cells[index]
      if cell.kind == .missing { continue }
      var end = cell.offset &+ cell.length
      if cell.isEscaped {
        let escape = escapes[cell.offset]
        // A cell without a spelling in the input is not in the record.
        if escape.isComputed, !escape.isReplacing { continue }
        end = escape.rawRange.upperBound
      }
      return cell.isQuoted ? end &+ 1 : end
    }
    return Int(recordStarts[row])
  }
}

extension Batch {
  /// The batch with notes on only a few columns, in the order given.
  func projected(to columns: [Int]) -> Batch {
    // A copy of the contents of a very long cell would take as much memory again.
    let sharesDecoded = isLarge
    var cells: [Cell] = []
    var escapes: [Escape] = []
    var decoded = ByteBuffer(capacity: 0)
    cells.reserveCapacity(rowCount * columns.count)
    for row in 0..<rowCount {
      for column in columns {
        let cell = cell(row: row, column: column)
        guard cell.isEscaped else {
          cells.append(cell)
          continue
        }
        var escape = self.escapes[cell.offset]
        if !sharesDecoded {
          escape.offset = UInt32(truncatingIfNeeded: decoded.count)
          decoded.append(contentAndDrawn(cell))
        }
        cells.append(cell.moved(by: escapes.count &- cell.offset))
        escapes.append(escape)
      }
    }
    return Batch(
      block: block, decoded: sharesDecoded ? self.decoded : ByteBlock(taking: &decoded), escapes: escapes,
      cells: cells, columnCount: columns.count, recordStarts: recordStarts, origin: origin, places: places)
  }

  /// The batch with notes on only a few columns, in the order given; sparse if it is.
  ///
  /// - Parameter places: for each of its columns, its place in `columns`, if it has one.
  func projected(to columns: [Int], places: [Int?]) -> Batch {
    guard sparse != nil else { return projected(to: columns) }
    var cells: [Cell] = []
    var kept = SparseCells()
    for row in 0..<rowCount {
      for index in cellIndices(ofRow: row) {
        let column = column(ofCell: index, row: row)
        guard column < places.count, let place = places[column] else { continue }
        cells.append(self.cells[index])
        kept.add(column: place)
      }
      _ = kept.endRecord(&cells)
    }
    return Batch(
      block: block, decoded: decoded, escapes: escapes, cells: cells, columnCount: 0, sparse: kept,
      recordStarts: recordStarts, origin: origin, places: self.places)
  }

  /// The batch without its first records.
  func droppingRows(before row: Int) -> Batch { row == 0 ? self : extracting(row..<rowCount) }

  /// The batch with only those of its records that are in a range.
  func extracting(_ rows: Range<Int>) -> Batch {
    var origin = origin
    origin.row += rows.lowerBound
    let end = rows.upperBound == rowCount ? nil : Int(recordStarts[rows.upperBound])
    return Batch(
      block: block, decoded: decoded, escapes: escapes, cells: Array(cells[cellIndices(ofRows: rows)]),
      columnCount: columnCount, sparse: sparse?.extracting(rows),
      recordStarts: Array(recordStarts[rows.lowerBound...rows.upperBound]),
      origin: origin, places: places.isEmpty ? [] : Array(places[rows]),
      cutting: cutting.map {
        var cutting = $0
        let start = rows.lowerBound == 0 ? $0.range.lowerBound : Int(recordStarts[rows.lowerBound])
        cutting.range = start..<(end ?? $0.range.upperBound)
        return cutting
      }, leadingCells: leadingCells, replacedColumns: replacedColumns, hasComputed: hasComputed)
  }

  /// The notes of consecutive records, as indices into `cells`.
  private func cellIndices(ofRows rows: Range<Int>) -> Range<Int> {
    guard let sparse else { return rows.lowerBound * columnCount..<rows.upperBound * columnCount }
    return Int(sparse.starts[rows.lowerBound])..<Int(sparse.starts[rows.upperBound])
  }

  /// The batch with the cutting that can make it again from its bytes.
  func cut(by cutting: Cutting) -> Batch {
    Batch(
      block: block, decoded: decoded, escapes: escapes, cells: cells, columnCount: columnCount,
      sparse: sparse, recordStarts: recordStarts, origin: origin, places: places, cutting: cutting,
      leadingCells: leadingCells,
      replacedColumns: replacedColumns)
  }

  /// The batch with the places its rows were copied from.
  func placed(at places: [RowPlace]) -> Batch {
    Batch(
      block: block, decoded: decoded, escapes: escapes, cells: cells, columnCount: columnCount,
      sparse: sparse, recordStarts: recordStarts, origin: origin, places: places)
  }

  /// The batch with the places of its rows: if rows move, finding the line of each would scan the block before it.
  var withPlaces: Batch {
    if !places.isEmpty || rowCount == 0 { return self }
    var places: [RowPlace] = []
    places.reserveCapacity(rowCount)
    var last = (row: 0, line: line(ofRow: 0))
    let areLines = areLines
    for row in 0..<rowCount {
      if row > 0 { last = (row, areLines ? last.line + 1 : line(ofRow: row, from: last)) }
      places.append(RowPlace(source: origin.source, line: last.line, number: origin.row + row))
    }
    return placed(at: places)
  }

  /// Whether each record is one line: all but the last end with a line end, and there are no more line ends.
  var areLines: Bool {
    if origin.areLines { return true }
    for row in 1..<max(rowCount, 1) {
      let end = Int(recordStarts[row])
      guard end > recordStarts[row - 1], block[end - 1] == 10 || block[end - 1] == 13 else { return false }
    }
    let start = Int(recordStarts[0])
    return block.span(from: start, count: Int(recordStarts[rowCount - 1]) - start, heldBy: self).lineEnds
      == rowCount - 1
  }
}

extension Batch {
  /// The bytes that the batch holds in memory.
  var memory: Int {
    block.capacity + decoded.capacity + cells.capacity * MemoryLayout<Cell>.stride
      + recordStarts.capacity * MemoryLayout<UInt32>.stride + escapes.capacity * MemoryLayout<Escape>.stride
      + places.capacity * MemoryLayout<RowPlace>.stride + (sparse?.memory ?? 0)
  }

  /// Whether the bytes are more than 4 MiB, as only very long records or texts make them; few such batches
  /// are held at once.
  var isLarge: Bool { block.count + decoded.count > 1 << 22 }

  /// The memory of a record, its decoded cells and the notes on them, estimated generously.
  var rowWeight: Int {
    let length = Int(recordStarts[rowCount]) - Int(recordStarts[0])
    // The cells of records without bytes of their own are anywhere in the block.
    let bytes = (length == 0 ? block.count : length) + decoded.count
    let cellCount = sparse == nil ? columnCount : min(cells.count, 8 * cells.count / max(rowCount, 1))
    return min(bytes, 4 * bytes / max(rowCount, 1)) + cellCount * MemoryLayout<Cell>.stride
  }
}

extension Batch {
  /// Appends the batch to `buffer`, so that `init(from:)` can restore it.
  func encode(into buffer: inout ByteBuffer) {
    encodeCells(into: &buffer)
    for bytes in [decoded, block] { buffer.append(bytes.span) }
  }

  /// Appends all of the batch but its bytes, so that `init(from:bytes:)` can restore it.
  func encodeCells(into buffer: inout ByteBuffer) {
    let dialect = origin.dialect
    let header: [Int] = [
      rowCount, columnCount, escapes.count, decoded.count, block.count, places.count,
      origin.source, origin.line, origin.row, origin.isVerbatim ? 1 : 0,
      Int(dialect.form.rawValue), Int(dialect.delimiter), dialect.quote.map(Int.init) ?? -1,
      dialect.escape.map(Int.init) ?? -1, dialect.recordEnd.count, dialect.holdsObjects ? 1 : 0,
      sparse?.columns.count ?? -1, sparse?.width ?? 0,
    ]
    buffer.append(raw: header)
    buffer.append(dialect.recordEnd)
    buffer.append(raw: recordStarts)
    if let sparse {
      buffer.append(raw: sparse.starts)
      buffer.append(raw: sparse.columns)
    }
    buffer.append(raw: cells)
    buffer.append(raw: escapes)
    buffer.append(raw: places)
  }

  /// Restores the batch that was encoded at the cursor, which moves past it.
  ///
  /// - Parameter bytes: its decoded bytes and its block, if only its notes are at the cursor.
  convenience init(
    from cursor: inout RawCursor, bytes: (decoded: ByteBlock, block: ByteBlock)? = nil
  ) throws(RawCursor.ShortBlock) {
    let header = try cursor.values(Int.self, count: 18)
    let (rowCount, columnCount) = (header[0], header[1])
    guard rowCount >= 0, columnCount >= 0, rowCount < Int.max, header[5] == 0 || header[5] == rowCount else {
      throw RawCursor.ShortBlock()
    }
    var (cellCount, isTooLarge) = rowCount.multipliedReportingOverflow(by: columnCount)
    guard !isTooLarge, header[16] < 0 || columnCount == 0 else { throw RawCursor.ShortBlock() }
    let dialect = Dialect(
      form: Dialect.Syntax(rawValue: UInt8(truncatingIfNeeded: header[10])) ?? .csv,
      delimiter: UInt8(truncatingIfNeeded: header[11]), quote: UInt8(exactly: header[12]),
      escape: UInt8(exactly: header[13]), holdsObjects: header[15] == 1,
      recordEnd: try cursor.values(UInt8.self, count: header[14]))
    let recordStarts = try cursor.values(UInt32.self, count: rowCount + 1)
    var sparse: SparseCells?
    if header[16] >= 0 {
      cellCount = header[16]
      sparse = SparseCells(
        starts: try cursor.values(UInt32.self, count: rowCount + 1),
        columns: try cursor.values(UInt32.self, count: cellCount), width: header[17])
      guard sparse != nil else { throw RawCursor.ShortBlock() }
    }
    let cells = try cursor.values(Cell.self, count: cellCount)
    let escapes = try cursor.values(Escape.self, count: header[2])
    let places = try cursor.values(RowPlace.self, count: header[5])
    let decoded = if let bytes { bytes.decoded } else { try cursor.block(count: header[3]) }
    let block = if let bytes { bytes.block } else { try cursor.block(count: header[4]) }
    self.init(
      block: block, decoded: decoded, escapes: escapes, cells: cells, columnCount: columnCount,
      sparse: sparse, recordStarts: recordStarts,
      origin: Origin(
        source: header[6], line: header[7], row: header[8], isVerbatim: header[9] == 1, dialect: dialect),
      places: places)
  }
}

/// Cuts the records of an input, and can do so again.
protocol BatchCutter: Sendable {
  /// The least number of cells of a record.
  var columnCount: Int { get }

  /// Whether each record means the same wherever it is, so that records can be packed in any order.
  var isOrderFree: Bool { get }

  /// Whether cutting takes so long that notes are held as long as there is room.
  var isSlow: Bool { get }

  /// Cuts the records in a range of a block, the last of which ends with it; `nil` if it holds damage or no record.
  func cut(_ block: ByteBlock, _ range: Range<Int>, origin: Batch.Origin) -> Batch?
}

extension BatchCutter {
  var isSlow: Bool { false }
}

/// Where a row that was copied into another batch was in the input; 16 bytes.
public struct RowPlace: Equatable, Sendable, BitwiseCopyable {
  private var sourceAndLine: UInt64

  /// The number of the row among all input rows, counted from 1.
  public var number: Int

  /// Creates a place.
  ///
  /// - Parameters:
  ///   - source: the input, as an index into the plan's sources; below 2^24.
  ///   - line: the line that the record begins on, counted from 1; below 2^40.
  ///   - number: the number of the row among all input rows, counted from 1.
  @inline(__always)
  init(source: Int, line: Int, number: Int) {
    sourceAndLine = UInt64(truncatingIfNeeded: source) &<< 40 | UInt64(truncatingIfNeeded: line) & Self.lines
    self.number = number
  }

  /// The place of a row of a batch.
  init(_ row: Int, of batch: Batch) {
    self.init(
      source: batch.source(ofRow: row), line: batch.line(ofRow: row), number: batch.rowNumber(ofRow: row))
  }

  /// The input, as an index into the plan's sources.
  public var source: Int { Int(truncatingIfNeeded: sourceAndLine &>> 40) }

  /// The line that the record begins on, counted from 1.
  public var line: Int { Int(truncatingIfNeeded: sourceAndLine & Self.lines) }

  private static var lines: UInt64 { 1 &<< 40 &- 1 }
}
