/// Writes rows to a temporary file, in pieces of about one size that hold only these rows.
///
/// A large batch whose rows are all written, in order, is written without a copy, in a piece of its own, and
/// so is a long record: a copy would take as much memory again.
struct PieceWriter: ~Copyable {
  private let file: SpillFile
  private let pieceSize: Int
  private var pieces: [(StoredRows.StoredPiece, count: Int)] = []

  /// What will be written next, kept from piece to piece: fresh pages cost as much as filling them.
  private var buffer = ByteBuffer(capacity: 0)

  /// The piece that is being filled: the batches that are full, or of another dialect, and the current one.
  private var batches: [Batch] = []
  private var builder: BatchBuilder?
  private var filled = 0

  /// The bytes that a row takes besides its record and the notes on its cells: its place, start, number and key.
  private static let rowBytes = 36

  init(_ file: SpillFile, pieceSize: Int) {
    self.file = file
    self.pieceSize = pieceSize
  }

  /// Writes rows along with the notes on their cells.
  mutating func append(_ rows: Rows) throws(SystemError) {
    let lines = RowLines(rows.batches)
    let dialects = rows.dialects
    var dialect = -1
    var index = 0
    while index < rows.count {
      let id = rows.ids[index]
      let batch = rows.batches[id.batch]
      if batch.isLarge, rows.holdsAll(of: batch, from: index) {
        let bytes = (decoded: 0..<batch.decoded.count, block: 0..<batch.block.count)
        try append(batch, bytes, cells: batch)
        dialect = -1
        index += batch.rowCount
        continue
      }
      index += 1
      if batch.isLarge, let (cells, bytes) = batch.longRecord(ofRow: id.row, line: lines[id]) {
        try append(batch, bytes, cells: cells)
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
  }

  /// Writes the records and the places of rows without notes, in pieces of their own.
  ///
  /// - Parameter cutter: the cutter of the records of all of them.
  mutating func append(_ rows: Rows, _ cutter: any BatchCutter) throws(SystemError) {
    try finishPiece()
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
      let place = StoredPlace(store: file, offset: file.count)
      buffer.removeAll()
      buffer.append(raw: places)
      try file.append(buffer.span)
      // Only the last record can be long.
      let isLong = rows.batches[rows.ids[end - 1].batch].isLarge
      let records = rows.packed(start..<(isLong ? end - 1 : end))
      try file.append(records.span)
      if isLong { try rows.write(end - 1, to: file) }
      let origin = rows.batches[rows.ids[start].batch].origin
      let uncut = UncutRecords(
        place, byteCount: file.count - place.offset, recordCount: end - start, cutter, origin)
      pieces.append((.uncut(uncut), count: end - start))
      start = end
    }
  }

  /// Adds a piece, after moving its bytes from memory to the file.
  mutating func append(_ piece: StoredRows.StoredPiece, _ count: Int) throws(SystemError) {
    try finishPiece()
    guard case .uncut(var records) = piece else { return pieces.append((piece, count)) }
    try records.spill(to: file)
    pieces.append((.uncut(records), count))
  }

  /// Writes what was appended.
  ///
  /// - Returns: the pieces made from it.
  mutating func finish() throws(SystemError) -> [(StoredRows.StoredPiece, count: Int)] {
    try finishPiece()
    return pieces
  }

  /// Writes bytes of a batch without copying them, in a piece of its own.
  private mutating func append(
    _ batch: Batch, _ bytes: (decoded: Range<Int>, block: Range<Int>), cells: Batch
  ) throws(SystemError) {
    try finishPiece()
    let start = file.count
    buffer.removeAll()
    cells.encodeCells(into: &buffer)
    try file.append(buffer.span)
    let (decoded, block) = (batch.decoded, batch.block)
    try file.append(decoded.span.extracting(bytes.decoded))
    try file.append(block.span.extracting(bytes.block))
    let piece = StoredRows.StoredPiece.batch(
      file, start..<file.count, decoded: bytes.decoded.count, block: bytes.block.count)
    pieces.append((piece, count: cells.rowCount))
  }

  /// Writes the piece that is being filled.
  private mutating func finishPiece() throws(SystemError) {
    finishBatch()
    guard !batches.isEmpty else { return }
    let start = file.count
    buffer.removeAll()
    buffer.append(raw: [batches.count])
    for batch in batches { batch.encode(into: &buffer) }
    try file.append(buffer.span)
    let count = batches.reduce(0) { $0 + $1.rowCount }
    pieces.append((.batches(file, start..<file.count), count: count))
    batches = []
    filled = 0
  }

  /// Begins a batch for rows like those of `batch`.
  private mutating func begin(_ batch: Batch) {
    finishBatch()
    builder = BatchBuilder(origin: batch.origin, capacity: pieceSize - filled)
  }

  private mutating func finishBatch() {
    guard let full = builder.take() else { return }
    filled += full.byteCount
    if full.rowCount > 0 { batches.append(full.finish()) }
  }
}

extension Rows {
  /// A number for the dialect of each batch; the same for dialects that write cells alike.
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

extension Batch {
  /// The size from which on it is better not to copy a record.
  private static let longRecord = 1 << 22

  /// The notes on a single row as a batch that counts bytes from the start of ranges of this one's: of its
  /// decoded cells, and of its block.
  ///
  /// - Returns: `nil` if the record is not long, or does not hold all of its cells.
  fileprivate func longRecord(
    ofRow row: Int, line: Int
  ) -> (cells: Batch, bytes: (decoded: Range<Int>, block: Range<Int>))? {
    let record = Int(recordStarts[row])..<Int(recordStarts[row + 1])
    guard record.count >= Self.longRecord else { return nil }
    var cells: [Cell] = []
    var escapes: [Escape] = []
    var contents: Range<Int>?
    for column in 0..<fieldCount(ofRow: row) {
      let cell = cell(row: row, column: column)
      if cell.kind == .missing {
        cells.append(cell)
      } else if cell.isEscaped {
        var escape = self.escapes[cell.offset]
        let content = Int(escape.offset)..<Int(escape.offset) + contentAndDrawn(cell).count
        contents =
          contents.map { min($0.lowerBound, content.lowerBound)..<max($0.upperBound, content.upperBound) }
          ?? content
        let spelling = escape.rawRange
        if spelling.lowerBound < record.lowerBound || spelling.upperBound > record.upperBound {
          guard spelling.isEmpty else { return nil }
          escape.rawOffset = UInt32(truncatingIfNeeded: record.lowerBound)
        }
        escape.rawOffset -= UInt32(truncatingIfNeeded: record.lowerBound)
        cells.append(cell.moved(by: escapes.count - cell.offset))
        escapes.append(escape)
      } else {
        guard record.lowerBound <= cell.offset, cell.offset + cell.length <= record.upperBound else {
          return nil
        }
        cells.append(cell.moved(by: -record.lowerBound))
      }
    }
    let decoded = contents ?? 0..<0
    for index in escapes.indices {
      escapes[index].offset -= UInt32(truncatingIfNeeded: decoded.lowerBound)
    }
    let place = RowPlace(source: source(ofRow: row), line: line, number: rowNumber(ofRow: row))
    var origin = origin
    (origin.source, origin.line, origin.row) = (place.source, place.line, place.number)
    origin.isVerbatim = origin.isVerbatim && hasRecordEnd(before: record.upperBound)
    let copy = Batch(
      block: .empty, decoded: .empty, escapes: escapes, cells: cells, columnCount: cells.count,
      recordStarts: [0, UInt32(truncatingIfNeeded: record.count)], origin: origin, places: [place])
    return (copy, (decoded, record))
  }
}

/// The lines that the rows of several batches begin on, for rows in any order.
///
/// It scans the batches once, instead of scanning half a block for each row.
struct RowLines: Sendable {
  /// What is known about the lines of one batch.
  private enum Lines {
    /// Every record is one line; the line of the first.
    case single(Int)

    /// The number of lines from the block's first byte to each record.
    case counted([UInt32], from: Int)

    /// The batch knows them.
    case known(Batch)
  }

  private let lines: [Lines]

  /// Counts the lines of all rows of `batches`.
  init(_ batches: [Batch]) {
    lines = batches.map { batch in
      if !batch.places.isEmpty || batch.rowCount == 0 { return .known(batch) }
      if batch.areLines { return .single(batch.line(ofRow: 0)) }
      return .counted(batch.linesFromFirst, from: batch.origin.line)
    }
  }

  /// The line a row begins on, counted from 1.
  @inline(__always)
  subscript(_ id: RowID) -> Int {
    switch lines[id.batch] {
    case .single(let first): first &+ id.row
    case .counted(let lines, let first): first &+ Int(lines[id.row])
    case .known(let batch): batch.line(ofRow: id.row)
    }
  }
}

extension Batch {
  /// The number of lines between the first byte of the block and each record.
  fileprivate var linesFromFirst: [UInt32] {
    var lines: [UInt32] = []
    lines.reserveCapacity(rowCount)
    var line = 0
    var end = 0
    for row in 0..<rowCount {
      let start = Int(recordStarts[row])
      line &+= block.span(from: end, count: start &- end, heldBy: self).lineEnds
      end = start
      lines.append(UInt32(truncatingIfNeeded: line))
    }
    return lines
  }
}
