/// Rows kept in a temporary file, in their order, and read back in pieces as often as need be.
///
/// The rows are copied into batches of about the size of a piece, so that a piece holds nothing but them. One
/// thread appends; then any may read.
final class SpilledRows: @unchecked Sendable {
  /// A piece of the file.
  private struct Piece {
    var offset: Int
    var length: Int

    /// What cuts the records of lean rows again, and where they come from.
    var cutter: (any BatchCutter)?
    var origin: Batch.Origin?
  }

  /// The number of rows kept.
  private(set) var rowCount = 0

  /// The bytes of rows, with the notes on their cells, that make a piece.
  static let standardPieceSize = 1 << 18

  private let file: SpillFile
  private let pieceSize: Int
  private var pieces: [Piece] = []
  private var buffer = ByteBuffer(capacity: 0)

  /// The piece that is being filled: the batches that are full, or of another dialect, and the one at hand.
  private var batches: [Batch] = []
  private var builder: BatchBuilder?
  private var filled = 0

  /// Keeps rows in a file that nobody else uses.
  init(_ file: SpillFile, pieceSize: Int = standardPieceSize) {
    self.file = file
    self.pieceSize = pieceSize
  }

  /// The bytes that a row takes beside its record and the notes on its cells: its place, start, number and key.
  private static let rowBytes = 36

  /// The number of pieces written; what was appended since `finishPiece` may not be among them.
  var pieceCount: Int { pieces.count }

  /// Keeps `rows` after those kept before.
  func append(_ rows: Rows) throws(SystemError) {
    guard rows.count > 0 else { return }
    let lines = RowLines(rows.batches)
    let dialects = rows.dialects
    var dialect = -1
    for id in rows.ids {
      let batch = rows.batches[id.batch]
      if dialects[id.batch] != dialect {
        dialect = dialects[id.batch]
        if !(builder?.accepts(batch) ?? false) { begin(batch) }
      }
      if !(builder?.hasRoom(for: batch, row: id.row) ?? false) { begin(batch) }
      builder?.append(batch, row: id.row, line: lines[id])
      if filled + (builder?.byteCount ?? 0) >= pieceSize { try finishPiece() }
    }
    rowCount += rows.count
  }

  /// Keeps rows that were made lean after those kept before, in pieces of their own: their bytes and places.
  func append(_ rows: Rows, _ cutter: any BatchCutter) throws(SystemError) {
    let lines = RowLines(rows.batches)
    var start = 0
    while start < rows.count {
      let end = rows.end(
        ofBytes: pieceSize, from: start, to: rows.count, extra: Self.rowBytes + 8 * cutter.columnCount)
      let places = rows.ids[start..<end].map { id in
        let batch = rows.batches[id.batch]
        return RowPlace(
          source: batch.source(ofRow: id.row), line: lines[id], number: batch.rowNumber(ofRow: id.row))
      }
      let origin = rows.batches[rows.ids[start].batch].origin
      let records = rows.packed(start..<end)
      try write(cutter, origin, records) { buffer in
        buffer.append(raw: [places.count])
        buffer.append(raw: places)
      }
      start = end
    }
    rowCount += rows.count
  }

  /// Writes what was appended; the next rows begin a piece of their own.
  func finishPiece() throws(SystemError) {
    finishBatch()
    guard !batches.isEmpty else { return }
    let batches = batches
    try write { buffer in
      buffer.append(raw: [batches.count])
      for batch in batches { batch.encode(into: &buffer) }
    }
    self.batches = []
    filled = 0
  }

  /// The rows of a piece that was written.
  func piece(_ index: Int) throws(SystemError) -> Rows {
    let piece = pieces[index]
    let block = ByteBlock(capacity: piece.length)
    try file.read(at: piece.offset, count: piece.length, into: block)
    var cursor = RawCursor(block)
    var rows = Rows()
    do throws(RawCursor.ShortBlock) {
      if let cutter = piece.cutter, let origin = piece.origin {
        let count = try cursor.values(Int.self, count: 1)[0]
        let places = try cursor.values(RowPlace.self, count: count)
        block.seal()
        let batch = cutter.cut(block, cursor.offset..<block.count, origin: origin)
        guard let batch, batch.rowCount == count else { throw RawCursor.ShortBlock() }
        return Rows(batch.placed(at: places))
      }
      for _ in 0..<(try cursor.values(Int.self, count: 1)[0]) {
        rows.append(Rows(try Batch(from: &cursor)))
      }
    } catch { throw file.damage }
    return rows
  }

  /// The error for a piece that does not hold what was appended.
  var damage: SystemError { file.damage }
}

extension SpilledRows {
  /// Writes a piece: what `fill` says of it, then its records.
  private func write(
    _ cutter: (any BatchCutter)? = nil, _ origin: Batch.Origin? = nil, _ records: ByteBlock? = nil,
    _ fill: (inout ByteBuffer) -> Void
  ) throws(SystemError) {
    // The buffer is kept from piece to piece: fresh pages cost as much as filling them.
    var buffer = ByteBuffer(capacity: 0)
    swap(&buffer, &self.buffer)
    defer { swap(&buffer, &self.buffer) }
    buffer.removeAll()
    fill(&buffer)
    let offset = file.count
    try file.append(buffer.span)
    if let records { try file.append(records.span) }
    pieces.append(Piece(offset: offset, length: file.count - offset, cutter: cutter, origin: origin))
  }

  /// Begins a batch for rows such as those of `batch`.
  private func begin(_ batch: Batch) {
    finishBatch()
    builder = BatchBuilder(origin: batch.origin, capacity: pieceSize - filled)
  }

  private func finishBatch() {
    guard let full = builder.take() else { return }
    filled += full.byteCount
    if full.rowCount > 0 { batches.append(full.finish()) }
  }
}

extension Rows {
  /// A number for the dialect of each batch; the same for those that write cells alike.
  fileprivate var dialects: [Int] {
    var known: [Dialect] = []
    return batches.map { batch in
      let dialect = batch.origin.dialect
      if let index = known.firstIndex(where: { $0.matches(dialect) }) { return index }
      known.append(dialect)
      return known.count - 1
    }
  }
}
