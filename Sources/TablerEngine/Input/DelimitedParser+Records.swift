extension DelimitedParser {
  /// Forgets a record that goes on in the next block.
  mutating func abandon(_ recordStart: Int) -> Int {
    cells.removeLast(cells.count - recordBase)
    while let last = findings.last, last.offset >= recordStart { findings.removeLast() }
    return recordStart
  }

  /// Goes over lines that begin with the comment mark.
  ///
  /// - Returns: `false` where such a line goes on in the next block.
  mutating func skipComments(
    _ block: ByteBlock, _ comment: UInt8, _ isLast: Bool, _ recordStart: inout Int
  ) -> Bool {
    while recordStart < block.count, block[recordStart] == comment {
      isVerbatim = false
      var end = recordStart
      while end < block.count, block[end] != 10, block[end] != 13 { end += 1 }
      if !isLast, end + 1 >= block.count { return false }
      if end < block.count {
        end += block[end] == 13 && end + 1 < block.count && block[end + 1] == 10 ? 2 : 1
      }
      findings.append(Finding(kind: .leftOutLine, offset: recordStart, row: recordStarts.count))
      recordStart = end
    }
    return true
  }

  /// Counts the fields of the record that ends and makes its cells as many as the others'.
  @inline(__always)
  mutating func finishRecord(_ block: ByteBlock, _ start: Int, lineEnd: Int) throws(Damage) {
    let fields = cells.count &- recordBase
    if start == lineEnd, !rules.emptyLineIsRow {
      cells.removeLast()
      isVerbatim = false
      return
    }
    if fields != fieldCount || fields != columnCount { try makeEven(start, fields) }
    if cells.count > recordBase || columnCount == 0 {
      recordStarts.append(UInt32(truncatingIfNeeded: start))
      recordBase = cells.count
    }
  }

  /// Where the content of a line ends that holds one cell or more; one of blanks is empty where cells are trimmed.
  func contentEnd(_ block: ByteBlock, _ line: Range<Int>) -> Int {
    let isEmpty = rules.isTrimmed && cells.count - recordBase == 1 && line.allSatisfy { block[$0].isBlank }
    return isEmpty ? line.lowerBound : line.upperBound
  }

  @inline(never)
  private mutating func makeEven(_ start: Int, _ fields: Int) throws(Damage) {
    guard let fieldCount else {
      columnCount = fields
      return
    }
    if fields != fieldCount {
      switch ragged {
      case .error: throw .ragged(recordAt: start, fields: fields)
      case .skip:
        findings.append(Finding(kind: .skippedRow, offset: start, row: recordStarts.count))
        cells.removeLast(fields)
        isVerbatim = false
        return
      case .fill: break
      }
      if fields > columnCount {
        guard mayGrow else { throw .ragged(recordAt: start, fields: fields) }
        if !recordStarts.isEmpty, recordStarts.count >= limits.cells / fields { throw .full(recordAt: start) }
        widen(to: fields)
      }
    }
    isVerbatim = false
    for _ in (cells.count - recordBase)..<max(columnCount, cells.count - recordBase) {
      cells.append(.missing)
    }
  }

  /// Gives all records before the current one the same, larger number of cells.
  private mutating func widen(to wider: Int) {
    var wide: [Cell] = []
    wide.reserveCapacity(cells.count / max(columnCount, 1) * wider)
    for record in recordStarts.indices {
      wide.append(contentsOf: cells[record * columnCount..<(record + 1) * columnCount])
      for _ in columnCount..<wider { wide.append(.missing) }
    }
    let base = wide.count
    wide.append(contentsOf: cells[recordBase...])
    cells = wide
    recordBase = base
    columnCount = wider
  }
}
