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
      findings.append(DelimitedFinding(kind: .leftOutLine, offset: recordStart, row: recordStarts.count))
      recordStart = end
    }
    return true
  }

  /// Counts the fields of the record that ends.
  @inline(__always)
  mutating func finishRecord(_ block: ByteBlock, _ start: Int, lineEnd: Int) throws(DelimitedDamage) {
    let fields = cells.count &- recordBase
    if start == lineEnd, !rules.emptyLineIsRow {
      cells.removeLast()
      isVerbatim = false
      return
    }
    if fields != widths.even, try !keepsUneven(start, fields) { return }
    recordStarts.append(UInt32(truncatingIfNeeded: start))
    recordBase = cells.count
  }

  /// Where the content of a line ends that holds one cell or more; one of blanks is empty where cells are trimmed.
  func contentEnd(_ block: ByteBlock, _ line: Range<Int>) -> Int {
    let isEmpty = rules.isTrimmed && cells.count - recordBase == 1 && line.allSatisfy { block[$0].isBlank }
    return isEmpty ? line.lowerBound : line.upperBound
  }

  /// Whether a record is kept that has not as many fields as the header, or as the records before it.
  @inline(never)
  private mutating func keepsUneven(_ start: Int, _ fields: Int) throws(DelimitedDamage) -> Bool {
    if let fieldCount {
      if fields != fieldCount {
        switch ragged {
        case .error: throw .ragged(recordAt: start, fields: fields)
        case .skip:
          findings.append(DelimitedFinding(kind: .skippedRow, offset: start, row: recordStarts.count))
          cells.removeLast(fields)
          isVerbatim = false
          return false
        case .fill where fields > columnCount && !mayGrow: throw .ragged(recordAt: start, fields: fields)
        case .fill: break
        }
      }
      if !recordStarts.isEmpty, recordStarts.count >= limits.cells / max(fields, widths.widest) {
        throw .full(recordAt: start)
      }
      isVerbatim = false
    }
    if fields > limits.columns { throw .recordTooLong(at: start) }
    widths.add(fields, at: recordBase, after: recordStarts.count)
    return true
  }
}
