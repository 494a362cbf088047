/// Rows kept in a temporary file, in their order, and read back in pieces as often as need be.
///
/// The rows are copied into batches of about the size of a piece, so that a piece holds nothing but them. A large
/// batch whose rows are all kept, in their order, is written as it lies, in a piece of its own, and so is a long record. One thread appends;
/// then any may read.
final class SpilledRows: @unchecked Sendable {
  // Why it may be shared: it is changed by the one thread that appends, before it hands the rows to others; from then on
  // nobody appends, and `piece` changes nothing.

  /// A piece of the file.
  private struct Piece {
    /// What stands in a piece.
    enum Content {
      /// Batches, each with its bytes.
      case batches
      /// Places and records of lean rows, what cuts them again, and where they come from.
      case records(any BatchCutter, Batch.Origin)
      /// The notes on one batch, then so many bytes of its decoded cells and of its block.
      case batch(decoded: Int, block: Int)
    }

    /// Where it stands in the file, in bytes.
    var range: Range<Int>

    /// What stands in it.
    var content: Content
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
    var index = 0
    while index < rows.count {
      let id = rows.ids[index]
      let batch = rows.batches[id.batch]
      if batch.isLarge, rows.holdsAll(of: batch, from: index) {
        try append(whole: batch)
        dialect = -1
        index += batch.rowCount
        continue
      }
      index += 1
      if batch.isLarge, let lone = LoneRow(batch, row: id.row, line: lines[id]) {
        try append(lone, of: batch)
        dialect = -1
        continue
      }
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
      try write(.records(cutter, origin)) { buffer in
        buffer.append(raw: [places.count])
        buffer.append(raw: places)
      } bytes: { (file) throws(SystemError) in
        // Only the last record can be long.
        let isLong = rows.batches[rows.ids[end - 1].batch].isLarge
        let records = rows.packed(start..<(isLong ? end - 1 : end))
        try file.append(records.span)
        if isLong { try rows.write(end - 1, to: file) }
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
    try write(.batches) { buffer in
      buffer.append(raw: [batches.count])
      for batch in batches { batch.encode(into: &buffer) }
    }
    self.batches = []
    filled = 0
  }

  /// The rows of a piece that was written.
  func piece(_ index: Int) throws(SystemError) -> Rows {
    let range = pieces[index].range
    switch pieces[index].content {
    case .batches:
      var cursor = RawCursor(try file.read(range))
      return try decoded { () throws(RawCursor.ShortBlock) in
        var rows = Rows()
        for _ in 0..<(try cursor.values(Int.self, count: 1)[0]) {
          rows.append(Rows(try Batch(from: &cursor)))
        }
        return rows
      }
    case .records(let cutter, let origin):
      let block = try file.read(range)
      var cursor = RawCursor(block)
      return try decoded { () throws(RawCursor.ShortBlock) in
        let count = try cursor.values(Int.self, count: 1)[0]
        let places = try cursor.values(RowPlace.self, count: count)
        let batch = cutter.cut(block, cursor.offset..<block.count, origin: origin)
        guard let batch, batch.rowCount == count else { throw RawCursor.ShortBlock() }
        return Rows(batch.placed(at: places))
      }
    case .batch(let decodedCount, let blockCount):
      let end = range.upperBound - blockCount
      let start = end - decodedCount
      var cursor = RawCursor(try file.read(range.lowerBound..<start))
      let bytes = (decoded: try file.read(start..<end), block: try file.read(end..<range.upperBound))
      return try decoded { () throws(RawCursor.ShortBlock) in Rows(try Batch(from: &cursor, bytes: bytes)) }
    }
  }

  /// The error for a piece that does not hold what was appended.
  var damage: SystemError { file.damage }
}

extension SpilledRows {
  /// Keeps all rows of a batch, without copying its bytes, in a piece of its own.
  private func append(whole batch: Batch) throws(SystemError) {
    try append(batch, batch.decoded, 0..<batch.decoded.count, batch.block, 0..<batch.block.count)
  }

  /// Keeps a row with a very long record, without copying its bytes, in a piece of its own.
  private func append(_ row: LoneRow, of batch: Batch) throws(SystemError) {
    try append(row.notes, batch.decoded, row.decoded, batch.block, row.block)
  }

  private func append(
    _ notes: Batch, _ decoded: ByteBlock, _ decodedRange: Range<Int>, _ block: ByteBlock, _ range: Range<Int>
  ) throws(SystemError) {
    try finishPiece()
    try write(.batch(decoded: decodedRange.count, block: range.count)) {
      notes.encodeNotes(into: &$0)
    } bytes: { (file) throws(SystemError) in
      try file.append(decoded.span.extracting(decodedRange))
      try file.append(block.span.extracting(range))
    }
  }

  /// Writes a piece: what `fill` puts into a buffer, then what `bytes` writes to the file itself.
  private func write(
    _ content: Piece.Content, _ fill: (inout ByteBuffer) -> Void,
    bytes: (SpillFile) throws(SystemError) -> Void = { _ in }
  ) throws(SystemError) {
    // The buffer is kept from piece to piece: fresh pages cost as much as filling them.
    var buffer = ByteBuffer(capacity: 0)
    swap(&buffer, &self.buffer)
    defer { swap(&buffer, &self.buffer) }
    buffer.removeAll()
    fill(&buffer)
    let start = file.count
    try file.append(buffer.span)
    try bytes(file)
    pieces.append(Piece(range: start..<file.count, content: content))
  }

  /// What `body` makes of bytes that were read; too few of them are damage of the file.
  private func decoded(_ body: () throws(RawCursor.ShortBlock) -> Rows) throws(SystemError) -> Rows {
    do { return try body() } catch { throw file.damage }
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
