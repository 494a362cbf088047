extension Batch {
  /// Appends a cell as it stands in the input, quotes included.
  func append(spellingOfRow row: Int, column: Int, to out: inout ByteBuffer) {
    let cell = cell(row: row, column: column)
    let quote = cell.isQuoted ? origin.dialect.quote : nil
    if let quote { out.append(quote) }
    out.append(raw(cell))
    if let quote { out.append(quote) }
  }

  /// How a record ends in the input: LF, CRLF or CR after its last cell; empty where it ends with the file.
  @_lifetime(borrow self)
  func recordEnd(ofRow row: Int) -> Span<UInt8> {
    var start = endOfCells(row)
    let limit = Int(recordStarts[row &+ 1])
    // Blanks that were trimmed, and the quote after them.
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

  /// The byte after the last cell that the record has.
  private func endOfCells(_ row: Int) -> Int {
    var column = columnCount
    while column > 0 {
      column &-= 1
      let cell = cells[row &* columnCount &+ column]
      if cell.kind == .missing { continue }
      var end = cell.offset &+ cell.length
      if cell.isEscaped {
        let escape = escapes[cell.offset]
        end = Int(escape.rawOffset) &+ Int(escape.rawLength)
      }
      return cell.isQuoted ? end &+ 1 : end
    }
    return Int(recordStarts[row])
  }
}
