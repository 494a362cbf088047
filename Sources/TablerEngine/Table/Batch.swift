/// A block of complete records read together: its bytes, and a note per cell.
///
/// Every reader makes the same batch; nobody downstream asks which form it came from. A
/// batch does not change once it is made.
final class Batch: Sendable {
  /// The bytes of the records as they came.
  let block: ByteBlock

  /// The contents of escaped cells, one after the other.
  let decoded: ByteBlock

  /// Where escaped cells lie; `Cell.offset` of such a cell is an index into it.
  let escapes: [Escape]

  /// The notes, record after record, `columnCount` to each.
  let cells: [Cell]

  /// The number of cells a record has; a JSON batch read later may have more.
  let columnCount: Int

  /// Where each record begins in `block`, in bytes, and the end of the last.
  let recordStarts: [UInt32]

  /// Where the records come from.
  let origin: Origin

  /// Where each record stood before it was copied here; none in a batch as it was read.
  let places: [RowPlace]

  /// How the batch is made again of its bytes, where its reader can do that.
  let recipe: Recipe?

  /// Which file a batch comes from, and where its first record stands there.
  struct Origin: Sendable {
    /// The input, as an index into the plan's sources.
    var source: Int

    /// The number of the line at the block's first byte, counted from 1.
    var line: Int

    /// The number of the first record among all input rows, counted from 1.
    var row: Int

    /// Whether every record holds exactly the batch's cells, in order, so that csv may copy it whole.
    var isVerbatim: Bool

    /// The marks and ends its form was written with; what csv output gives back.
    var dialect: Dialect
  }

  init(
    block: ByteBlock, decoded: ByteBlock, escapes: [Escape], cells: [Cell], columnCount: Int,
    recordStarts: [UInt32], origin: Origin, places: [RowPlace] = [], recipe: Recipe? = nil
  ) {
    precondition(!recordStarts.isEmpty && cells.count == (recordStarts.count - 1) * columnCount)
    precondition(places.isEmpty || places.count == recordStarts.count - 1)
    self.block = block
    self.decoded = decoded
    self.escapes = escapes
    self.cells = cells
    self.columnCount = columnCount
    self.recordStarts = recordStarts
    self.origin = origin
    self.places = places
    self.recipe = recipe
  }

  /// The number of records.
  var rowCount: Int { recordStarts.count - 1 }

  /// The cell of a record in a column; missing where the batch has no such column.
  @inline(__always)
  func cell(row: Int, column: Int) -> Cell {
    column < columnCount ? cells[row &* columnCount &+ column] : .missing
  }

  /// How many cells a record has, up to the last that is not missing.
  @inline(__always)
  func fieldCount(ofRow row: Int) -> Int {
    var count = columnCount
    while count > 0, cells[row &* columnCount &+ count &- 1].kind == .missing { count &-= 1 }
    return count
  }

  /// What a cell says, with quotes and escapes resolved: UTF-8 that may be ill-formed.
  @inline(__always)
  @_lifetime(borrow self)
  func content(_ cell: Cell) -> Span<UInt8> {
    if cell.isEscaped {
      return decoded.span(from: Int(escapes[cell.offset].offset), count: cell.length, heldBy: self)
    }
    return block.span(from: cell.offset, count: cell.length, heldBy: self)
  }

  /// A cell as it stands in the input, without quote marks.
  @inline(__always)
  @_lifetime(borrow self)
  func raw(_ cell: Cell) -> Span<UInt8> {
    if cell.isEscaped {
      let escape = escapes[cell.offset]
      return block.span(from: Int(escape.rawOffset), count: Int(escape.rawLength), heldBy: self)
    }
    return block.span(from: cell.offset, count: cell.length, heldBy: self)
  }

  /// Whether a cell of kind null is the `null` of JSON, not a word of `--null`, whose bytes are kept.
  func isNullValue(_ cell: Cell) -> Bool { origin.dialect.form == .json && !cell.isQuoted }

  /// What a cell says, as text; ill-formed UTF-8 is repaired.
  func text(_ cell: Cell) -> String {
    String(decoding: content(cell))
  }
}
