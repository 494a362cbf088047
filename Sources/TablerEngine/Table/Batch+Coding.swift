extension Batch {
  /// Appends the batch to `buffer`, so that `init(from:)` makes the same of it.
  func encode(into buffer: inout ByteBuffer) {
    encodeNotes(into: &buffer)
    for bytes in [decoded, block] { buffer.append(bytes.span) }
  }

  /// Appends all of the batch but its bytes, so that `init(from:bytes:)` makes the same of it.
  func encodeNotes(into buffer: inout ByteBuffer) {
    let dialect = origin.dialect
    let header: [Int] = [
      rowCount, columnCount, escapes.count, decoded.count, block.count, places.count,
      origin.source, origin.line, origin.row, origin.isVerbatim ? 1 : 0,
      Int(dialect.form.rawValue), Int(dialect.delimiter), dialect.quote.map(Int.init) ?? -1,
      dialect.escape.map(Int.init) ?? -1, dialect.recordEnd.count, dialect.holdsObjects ? 1 : 0,
    ]
    buffer.append(raw: header)
    buffer.append(dialect.recordEnd)
    buffer.append(raw: recordStarts)
    buffer.append(raw: cells)
    buffer.append(raw: escapes)
    buffer.append(raw: places)
  }

  /// Makes the batch that was encoded at the cursor, which moves after it.
  ///
  /// - Parameter bytes: its decoded bytes and its block, where only its notes stand at the cursor.
  convenience init(
    from cursor: inout RawCursor, bytes: (decoded: ByteBlock, block: ByteBlock)? = nil
  ) throws(RawCursor.ShortBlock) {
    let header = try cursor.values(Int.self, count: 16)
    let (rowCount, columnCount) = (header[0], header[1])
    guard rowCount >= 0, columnCount >= 0, rowCount < Int.max, header[5] == 0 || header[5] == rowCount else {
      throw RawCursor.ShortBlock()
    }
    let (cellCount, isTooLarge) = rowCount.multipliedReportingOverflow(by: columnCount)
    guard !isTooLarge else { throw RawCursor.ShortBlock() }
    let dialect = Dialect(
      form: Dialect.Form(rawValue: UInt8(truncatingIfNeeded: header[10])) ?? .csv,
      delimiter: UInt8(truncatingIfNeeded: header[11]), quote: UInt8(exactly: header[12]),
      escape: UInt8(exactly: header[13]), holdsObjects: header[15] == 1,
      recordEnd: try cursor.values(UInt8.self, count: header[14]))
    let recordStarts = try cursor.values(UInt32.self, count: rowCount + 1)
    let cells = try cursor.values(Cell.self, count: cellCount)
    let escapes = try cursor.values(Escape.self, count: header[2])
    let places = try cursor.values(RowPlace.self, count: header[5])
    let decoded = if let bytes { bytes.decoded } else { try cursor.block(count: header[3]) }
    let block = if let bytes { bytes.block } else { try cursor.block(count: header[4]) }
    self.init(
      block: block, decoded: decoded, escapes: escapes, cells: cells, columnCount: columnCount,
      recordStarts: recordStarts,
      origin: Origin(
        source: header[6], line: header[7], row: header[8], isVerbatim: header[9] == 1, dialect: dialect),
      places: places)
  }
}
