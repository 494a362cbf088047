/// Copies rows of other batches, in any order, into one new batch.
///
/// Each record's bytes are copied unchanged, along with the notes on its cells, so that the new rows behave
/// exactly as the old ones did; the batch knows where each came from.
struct BatchBuilder: ~Copyable {
  private var origin: Batch.Origin
  private var block: ByteBlock.Builder
  private var decoded = ByteBuffer(capacity: 0)
  private var escapes: [Escape] = []
  private var cells: [Cell] = []
  private var widths = RecordWidths()

  /// The columns of the notes, once a sparse row has been added.
  private var sparse: SparseCells?
  private var recordStarts: [UInt32] = []
  private var places: [RowPlace] = []

  /// The batch of the last row; lines are counted from there.
  private var lastBatch: Batch?
  private var last = (row: 0, line: 0)

  /// The maximum number of bytes a batch may hold.
  private static let largestBlock = Int(UInt32.max)

  /// The missing cells that records may be padded with, unless they are few compared with the others.
  private static let mostMissing = 1 << 16

  /// Begins a batch without rows.
  ///
  /// - Parameters:
  ///   - origin: where the rows come from; all of them share only the dialect.
  ///   - capacity: the room for the bytes of records at first.
  init(origin: Batch.Origin, capacity: Int = 4096) {
    var origin = origin
    (origin.isVerbatim, origin.areLines) = (true, false)
    self.origin = origin
    block = ByteBlock.Builder(capacity: capacity)
  }

  /// The number of rows copied so far.
  var rowCount: Int { recordStarts.count }

  /// The bytes that the batch would hold in memory.
  var byteCount: Int {
    block.count + decoded.count + max(cells.count, rowCount * widths.widest) * MemoryLayout<Cell>.stride
      + (sparse?.memory ?? 0) + escapes.count * MemoryLayout<Escape>.stride + rowCount
      * (4 + MemoryLayout<RowPlace>.stride)
  }

  /// Whether rows of `batch` can be added to those copied so far, and one more fits.
  func accepts(_ batch: Batch) -> Bool {
    batch.origin.dialect.matches(origin.dialect)
      && block.count &+ decoded.count &+ batch.block.count &+ batch.decoded.count < Self.largestBlock
  }

  /// Whether a row can be added to those copied so far without making most cells of the batch missing ones.
  @inline(__always)
  func hasRoom(for batch: Batch, row: Int) -> Bool {
    if batch.columnCount == widths.even || rowCount == 0 || batch.sparse != nil || sparse != nil {
      return true
    }
    let width = max(widths.widest, batch.fieldCount(ofRow: row))
    return rowCount * width <= max(Self.mostMissing, 4 * cells.count)
  }

  /// Copies a row of a batch that is accepted; fast if the rows of a batch come in order.
  mutating func append(_ batch: Batch, row: Int) {
    let isKnown = lastBatch === batch
    let line = isKnown ? batch.line(ofRow: row, from: last) : batch.line(ofRow: row)
    if !isKnown { lastBatch = batch }
    last = (row, line)
    append(batch, row: row, line: line)
  }

  /// Copies a row that begins on `line`, of a batch that is accepted.
  mutating func append(_ batch: Batch, row: Int, line: Int) {
    let start = Int(batch.recordStarts[row])
    let length = Int(batch.recordStarts[row &+ 1]) &- start
    let target = block.count
    recordStarts.append(UInt32(truncatingIfNeeded: target))
    places.append(
      RowPlace(source: batch.source(ofRow: row), line: line, number: batch.rowNumber(ofRow: row)))
    block.reserve(length)
    block.append(batch.block.span(from: start, count: length, heldBy: batch))
    appendCells(of: batch, row: row, record: start, length: length, to: target)
    if origin.isVerbatim { origin.isVerbatim = isVerbatim(batch, from: target) }
  }

  /// The batch.
  consuming func finish() -> Batch {
    recordStarts.append(UInt32(truncatingIfNeeded: block.count))
    origin.line = places.first?.line ?? origin.line
    origin.row = places.first?.number ?? origin.row
    origin.source = places.first?.source ?? origin.source
    if widths.even < 0 { origin.isVerbatim = false }
    return Batch(
      block: block.finish(), decoded: ByteBlock(taking: &decoded), escapes: escapes,
      cells: sparse == nil ? widths.evened(cells) : cells, columnCount: sparse == nil ? widths.widest : 0,
      sparse: sparse, recordStarts: recordStarts, origin: origin, places: places)
  }
}

extension BatchBuilder {
  /// Whether the record just copied could be copied whole from its batch, and has its own record end.
  @inline(__always)
  private func isVerbatim(_ batch: Batch, from start: Int) -> Bool {
    guard batch.origin.isVerbatim, block.count > start else { return false }
    let end = block.span[block.count &- 1]
    return end == 10 || end == 13
  }

  /// Copies the notes on the cells of a record; most of them only move along with its bytes.
  @inline(__always)
  private mutating func appendCells(of batch: Batch, row: Int, record start: Int, length: Int, to target: Int)
  {
    let count: Int
    if sparse == nil, batch.sparse == nil {
      count = batch.fieldCount(ofRow: row)
      let first = row &* batch.columnCount
      widths.add(count, at: cells.count, after: rowCount &- 1)
      cells.append(contentsOf: batch.cells[first..<first &+ count])
    } else {
      count = addSparse(batch, row: row)
    }
    let base = cells.count &- count
    var hasOthers = false
    var span = cells.mutableSpan
    for place in base..<base &+ count {
      let cell = span[place]
      let offset = cell.offset &- start
      if cell.isInBlock, offset >= 0, offset &+ cell.length <= length {
        span[place] = cell.moved(by: target &- start)
      } else if cell.kind != .missing {
        hasOthers = true
      }
    }
    if hasOthers { moveOthers(of: batch, row: row, record: start, length: length, to: base) }
  }

  /// Adds the notes of a record; from the first sparse one on, all records are sparse.
  ///
  /// - Returns: the number of notes.
  @inline(never)
  private mutating func addSparse(_ batch: Batch, row: Int) -> Int {
    var known =
      sparse.take()
      ?? SparseCells(thinning: &cells, from: widths.firstCells(ofRows: rowCount - 1), isOpen: false)
    let base = cells.count
    for index in batch.cellIndices(ofRow: row) where batch.cells[index].kind != .missing {
      cells.append(batch.cells[index])
      known.add(column: batch.column(ofCell: index, row: row))
    }
    _ = known.endRecord(&cells)
    sparse = known
    return cells.count - base
  }

  /// Copies the notes on the cells of a record that are escaped or outside of it.
  @inline(never)
  private mutating func moveOthers(
    of batch: Batch, row: Int, record start: Int, length: Int, to base: Int
  ) {
    let target = Int(recordStarts[recordStarts.count &- 1])
    var place = base
    for index in batch.cellIndices(ofRow: row) {
      let cell = batch.cells[index]
      let offset = cell.offset &- start
      if cell.kind == .missing {
        // Sparse notes omit it.
        if sparse == nil { place &+= 1 }
        continue
      }
      if cell.isEscaped {
        cells[place] = copyEscaped(cell, of: batch, record: start, length: length, to: target)
      } else if offset < 0 || offset &+ cell.length > length {
        cells[place] = cell.moved(by: appendStray(batch.content(cell)) &- cell.offset)
      }
      place &+= 1
    }
  }

  /// Copies the two spellings of an escaped cell.
  private mutating func copyEscaped(
    _ cell: Cell, of batch: Batch, record start: Int, length: Int, to target: Int
  ) -> Cell {
    var spelling = batch.escapes[cell.offset]
    let offset = Int(spelling.rawOffset) &- start
    let isInside = offset >= 0 && offset &+ Int(spelling.rawLength) <= length
    let place = isInside ? target &+ offset : appendStray(batch.raw(cell))
    spelling.rawOffset = UInt32(truncatingIfNeeded: place)
    spelling.offset = UInt32(truncatingIfNeeded: decoded.count)
    escapes.append(spelling)
    decoded.append(batch.contentAndDrawn(cell))
    return cell.moved(by: escapes.count &- 1 &- cell.offset)
  }

  /// Appends bytes from outside the record after it, and returns where they begin.
  private mutating func appendStray(_ bytes: Span<UInt8>) -> Int {
    origin.isVerbatim = false
    block.reserve(bytes.count)
    let place = block.count
    block.append(bytes)
    return place
  }
}

/// The number of cells of each record while records are gathered: usually the same; if it varies, where the
/// cells of each begin.
///
/// Records are made equally wide once, at the end, and no wider than the widest of them: a short record takes
/// the memory of its own cells, not of the table's width, and if each record has one more column, earlier
/// ones are not copied.
struct RecordWidths: Sendable {
  /// The number of cells of every record so far; -1 if it varies.
  private(set) var even: Int

  /// The maximum number of cells in a record, if it varies.
  private var most = 0

  /// Where the cells of each record begin, if it varies.
  private var firstCells: [Int] = []

  /// Expects every record to have `even` cells.
  init(even: Int = -1) { self.even = even }

  /// The maximum number of cells in a record.
  var widest: Int { even >= 0 ? even : most }

  /// Records the width of a record of `fields` cells, which begin at `base`, after `count` others.
  ///
  /// The call may be omitted for a record with as many cells as all others.
  mutating func add(_ fields: Int, at base: Int, after count: Int) {
    if count == 0 { even = fields }
    if fields == even { return }
    if even >= 0 {
      firstCells = (0..<count).map { $0 &* even }
      most = even
      even = -1
    }
    firstCells.append(base)
    most = max(most, fields)
  }

  /// Where the cells of each of `count` records begin.
  func firstCells(ofRows count: Int) -> [Int] { even >= 0 ? (0..<count).map { $0 &* even } : firstCells }

  /// The cells of all records, each padded to the widest.
  func evened(_ cells: [Cell]) -> [Cell] {
    if even >= 0 { return cells }
    var wide: [Cell] = []
    wide.reserveCapacity(firstCells.count * most)
    for record in firstCells.indices {
      let first = firstCells[record]
      let end = record + 1 < firstCells.count ? firstCells[record + 1] : cells.count
      wide.append(contentsOf: cells[first..<end])
      for _ in end - first..<most { wide.append(.missing) }
    }
    return wide
  }
}
