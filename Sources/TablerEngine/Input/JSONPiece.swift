/// Some lines of a block of JSON lines, which a thread cuts by itself.
///
/// No record holds a line end, so a block may be divided at any of them. A piece keeps its records only if each line is an
/// object whose keys are all known. Otherwise the reader cuts its lines again: it reports damage, and adds columns in the
/// order in which keys first appear.
final class JSONPiece: @unchecked Sendable {
  // Why it may be shared: one thread cuts it, and its records are taken only after that thread has finished.

  /// The bytes of the block that it takes.
  private let range: Range<Int>

  /// The records, if they may be taken.
  private var records: JSONRecords?

  private init(_ range: Range<Int>) { self.range = range }

  /// Where it ends in the block.
  var end: Int { range.upperBound }

  /// Whether it was cut, and its records may be taken.
  var hasRecords: Bool { records != nil }

  /// Divides the whole lines of a block, from a place on.
  ///
  /// - Parameter count: the most pieces there may be; they are about equally long.
  static func divide(_ block: ByteBlock, from start: Int, into count: Int) -> [JSONPiece] {
    let text = block.span
    let size = (text.count - start) / count
    var pieces: [JSONPiece] = []
    var begin = start
    for number in 1...count {
      var end = start + number * size
      // The last one ends with the last line that is whole.
      if number == count {
        while end > begin, text[end - 1] != 10 { end -= 1 }
      } else {
        while end < text.count, end == 0 || text[end - 1] != 10 { end += 1 }
      }
      if end <= begin { continue }
      guard text[end - 1] == 10 else { break }
      pieces.append(JSONPiece(begin..<end))
      begin = end
    }
    return pieces
  }

  /// Makes records of its lines.
  ///
  /// - Parameter schema: the columns that are known.
  func cut(_ block: ByteBlock, _ schema: Schema, _ context: InputContext, nullWords: [[UInt8]]) {
    var schema = schema
    let known = schema.newKeyCount
    var records = JSONRecords(
      columnCount: schema.count, nullWords: nullWords, limits: context.columnLimits,
      isFlattened: context.options.isFlattened)
    let text = block.span.extracting(..<end)
    var scanner = JSONScanner(at: range.lowerBound)
    while true {
      scanner.isLineBound = false
      scanner.skipSpace(text)
      if scanner.offset == end { break }
      scanner.isLineBound = true
      guard text[scanner.offset] == UInt8(ascii: "{"), (try? records.add(text, &scanner, &schema)) != nil,
        records.repeatedKey == nil, schema.newKeyCount == known, records.cellCount <= context.cellLimit
      else { return }
      scanner.skipSpace(text)
      guard scanner.offset < end, text[scanner.offset] == 10 else { return }
    }
    if !records.starts.isEmpty { self.records = consume records }
  }

  /// The records as a batch; `nil` if it was not cut.
  func takeBatch(_ block: ByteBlock, _ origin: Batch.Origin) -> Batch? {
    records.take()?.batch(block, end: end, origin: origin)
  }
}
