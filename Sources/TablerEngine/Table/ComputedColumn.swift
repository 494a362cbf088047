/// A batch on the way to a column whose cells are computed, not read.
///
/// What such a cell says stands with the contents of escaped cells; its spelling in the input is empty.
struct ComputedColumn: ~Copyable {
  /// The batch without the column.
  let batch: Batch

  /// How many rows have a cell of their own in the column, and the first of them.
  private(set) var replaced: (count: Int, firstRow: Int)?

  private let index: Int
  private let width: Int
  private var cells: [Cell]
  private var escapes: [Escape]
  private var decoded: ByteBuffer

  /// How many bytes the contents may still take; below 0 where there was no room for one, which is missing then, as are
  /// those after it.
  private(set) var room: Int

  /// Begins with a missing cell in each row.
  ///
  /// - Parameters:
  ///   - count: how many rows are wanted.
  ///   - room: how many bytes the contents of all cells may take.
  init(at index: Int, of batch: Batch, count: Int, room: Int) {
    self.room = room
    self.batch = batch
    self.index = index
    width = max(batch.columnCount, index + 1)
    cells = batch.cells(widenedTo: width)
    escapes = batch.escapes
    decoded = ByteBuffer(capacity: batch.decoded.count + 8 * batch.rowCount)
    copyDecoded()
    for row in 0..<batch.rowCount where cells[row * width + index].kind != .missing {
      if row < count {
        replaced = (count: (replaced?.count ?? 0) + 1, firstRow: replaced?.firstRow ?? row)
      }
      cells[row * width + index] = .missing
    }
  }

  private mutating func copyDecoded() {
    let known = batch.decoded
    decoded.append(known.span)
  }

  /// Gives a row its cell.
  ///
  /// - Parameters:
  ///   - count: how many bytes it takes at least, as far as that is known before it is spelled.
  ///   - spell: appends what the cell says: at most `Cell.longest` bytes.
  mutating func set(row: Int, kind: Cell.Kind, count: Int = 0, _ spell: (inout ByteBuffer) -> Void) {
    if room >= 0, count > room { room = -1 }
    if room < 0 { return }
    let start = decoded.count
    spell(&decoded)
    let length = decoded.count - start
    room = decoded.count > Int(UInt32.max) ? -1 : room - length
    if room < 0 {
      decoded.truncate(to: start)
      return
    }
    let isPlain = decoded.span.extracting(start...).isPrintableASCII
    let cell = Cell(offset: escapes.count, length: length, kind: kind, isPlain: isPlain, isEscaped: true)
    cells[row * width + index] = cell
    let record = batch.recordStarts[row]
    escapes.append(Escape(rawOffset: record, rawLength: 0, offset: UInt32(truncatingIfNeeded: start)))
  }

  /// The batch with the column.
  ///
  /// - Parameter cutting: what makes it again of its bytes.
  consuming func finish(cutting: Batch.Cutting?) -> Batch {
    var origin = batch.origin
    origin.isVerbatim = false
    return Batch(
      block: batch.block, decoded: ByteBlock(taking: &decoded), escapes: escapes, cells: cells,
      columnCount: width, recordStarts: batch.recordStarts, origin: origin, places: batch.places,
      cutting: cutting)
  }
}

extension Batch {
  /// The notes on the cells, `width` to a record: those that are added are missing.
  fileprivate func cells(widenedTo width: Int) -> [Cell] {
    if width == columnCount { return cells }
    var widened: [Cell] = []
    widened.reserveCapacity(rowCount * width)
    for row in 0..<rowCount {
      widened.append(contentsOf: cells[row * columnCount..<(row + 1) * columnCount])
      for _ in columnCount..<width { widened.append(.missing) }
    }
    return widened
  }

  /// Whether a cell was computed: it has no spelling in the input.
  @inline(__always)
  func isComputed(_ cell: Cell) -> Bool { cell.isEscaped && escapes[cell.offset].rawLength == 0 }
}
