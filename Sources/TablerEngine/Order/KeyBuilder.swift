/// Makes a batch of one column: the values of a sort key that are not cells of the input.
///
/// What a key yields - a member of a JSON value, the result of an expression, a date as seconds - becomes
/// a cell again, so that all keys are coded and compared alike. Row N of the batch belongs to row N of the
/// batch it was made of; rows that nobody asked for are missing.
struct KeyBuilder: ~Copyable {
  /// The contents; those after the last cell belong to the next one.
  var bytes = ByteBuffer(capacity: 4096)

  private var start = 0
  private var cells: [Cell]

  /// Begins a column for a batch of `rowCount` records.
  init(rowCount: Int) {
    cells = [Cell](repeating: .missing, count: rowCount)
  }

  /// Makes what was appended to `bytes` since the last cell the value of a row.
  mutating func finish(row: Int, kind: Cell.Kind) {
    guard start <= Int(UInt32.max) else { return bytes.truncate(to: start) }
    if bytes.count - start > Cell.longest { bytes.truncate(to: start + Cell.longest) }
    cells[row] = Cell(offset: start, length: bytes.count - start, kind: kind)
    start = bytes.count
  }

  /// Makes `text` the value of a row.
  mutating func append(_ text: Span<UInt8>, row: Int, kind: Cell.Kind) {
    bytes.append(text)
    finish(row: row, kind: kind)
  }

  /// Makes `number` the value of a row; a double is the decimal that it prints as.
  mutating func append(_ number: Number, row: Int) {
    if case .double(let value) = number, value.isInfinite {
      // No number of an input has a larger exponent.
      bytes.append(value < 0 ? "-1e100000000000000000" : "1e100000000000000000")
    } else {
      NumberWriter.append(number, to: &bytes)
    }
    finish(row: row, kind: .number)
  }

  /// Makes a text that does not convert the value of a row, as much of it as is shown: no number, whatever it looks
  /// like.
  mutating func append(misfit text: Span<UInt8>, row: Int) {
    append(text.extracting(..<min(text.count, KeyColumn.shownMisfit)), row: row, kind: .bool)
  }

  /// The batch; its origin is that of `batch`, its lines are not.
  consuming func batch(of batch: Batch) -> Batch {
    Batch(
      block: ByteBlock(taking: &bytes), decoded: .empty, escapes: [], cells: cells,
      columnCount: 1, recordStarts: [UInt32](repeating: 0, count: cells.count + 1), origin: batch.origin)
  }
}
