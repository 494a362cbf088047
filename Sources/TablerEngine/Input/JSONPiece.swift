/// Some records of a block of JSON.
///
/// A block is divided at line ends, or at the commas of an array. A piece keeps its records only if each is an object whose
/// keys are all known: the reader adds columns in the order in which keys first appear.
final class JSONPiece: RecordPiece, @unchecked Sendable {
  // Why it may be shared: one thread cuts it, and its records are taken only after that thread has finished.

  /// What is between two records.
  struct Boundary: Sendable {
    /// The bytes that are looked for, and how many of them belong to the piece before.
    fileprivate let mark: [UInt8]
    fileprivate let leading: Int

    /// What a record ends with besides its brace.
    fileprivate let end: UInt8

    /// The end of a line, which no record of JSON lines has in it.
    static let line = Boundary(mark: [10], leading: 1, end: 10)

    /// The comma between two objects of an array, if the same blanks follow it as here; `nil` if no object follows.
    ///
    /// - Parameter start: the place after a comma between two records.
    init?(inArray text: Span<UInt8>, at start: Int) {
      var index = start
      let limit = min(text.count, start + Self.mostBlanks)
      while index < limit, [32, 9, 10, 13].contains(text[index]) { index += 1 }
      guard index < text.count, text[index] == UInt8(ascii: "{") else { return nil }
      let mark = Array("},".utf8) + Array(copying: text.extracting(start...index))
      self.init(mark: mark, leading: 2, end: UInt8(ascii: ","))
    }

    private init(mark: [UInt8], leading: Int, end: UInt8) {
      self.mark = mark
      self.leading = leading
      self.end = end
    }

    /// The most blanks that are looked for.
    private static let mostBlanks = 64

    /// Whether it is the end of a line.
    var isLineEnd: Bool { end == 10 }

    /// Whether one is at `start`.
    fileprivate func isAt(_ start: Int, of text: Span<UInt8>) -> Bool {
      guard start >= 0, start + mark.count <= text.count else { return false }
      return mark.indices.allSatisfy { text[start + $0] == mark[$0] }
    }
  }

  /// The bytes of the block that it takes.
  private let range: Range<Int>
  private let boundary: Boundary

  /// The records, if they may be taken.
  private var records: JSONRecords?

  init(_ range: Range<Int>, _ boundary: Boundary) {
    self.range = range
    self.boundary = boundary
  }

  /// Where it ends in the block.
  var end: Int { range.upperBound }

  /// Whether its records may be taken.
  var hasRecords: Bool { records != nil }

  /// Divides the whole records of a block, from a place on.
  ///
  /// - Parameter count: the most pieces there may be; they are about equally long.
  static func divide(
    _ block: ByteBlock, from start: Int, into count: Int, at boundary: Boundary
  ) -> [JSONPiece] {
    let text = block.span
    let size = (text.count - start) / count
    var pieces: [JSONPiece] = []
    var begin = start
    for number in 1...count {
      var place = start + number * size - boundary.leading
      // The last one ends with the last record that is whole.
      if number == count {
        place = text.count - 1
        while place >= begin, !boundary.isAt(place, of: text) { place -= 1 }
      } else {
        while place < text.count, !boundary.isAt(place, of: text) { place += 1 }
      }
      let end = place + boundary.leading
      if end <= begin || place < begin { continue }
      guard place < text.count else { break }
      pieces.append(JSONPiece(begin..<end, boundary))
      begin = end
    }
    return pieces
  }

  /// Makes records of its bytes, unless they have more than `cellLimit` cells: none are too many to be cut again.
  func cut(_ block: ByteBlock, _ cutter: JSONCutter, cellLimit: Int = .max) {
    let context = cutter.context
    var schema = cutter.schema
    let known = schema.newKeyCount
    var records = JSONRecords(
      columnCount: schema.count, nullWords: cutter.nullWords, limits: context.columnLimits,
      isFlattened: context.options.isFlattened)
    let text = block.span.extracting(..<end)
    let isLineBound = boundary.isLineEnd
    var scanner = JSONScanner(at: range.lowerBound)
    while true {
      scanner.isLineBound = false
      // Lines may be empty.
      scanner.skipSpace(text)
      if scanner.offset == end { break }
      scanner.isLineBound = isLineBound
      guard text[scanner.offset] == UInt8(ascii: "{"), (try? records.add(text, &scanner, &schema)) != nil,
        records.repeatedKey == nil, schema.newKeyCount == known, records.cellCount <= cellLimit
      else { return }
      scanner.skipSpace(text)
      guard scanner.offset < end, text[scanner.offset] == boundary.end else { return }
      if !isLineBound { scanner.offset += 1 }
    }
    if !records.starts.isEmpty { self.records = consume records }
  }

  /// The records as a batch; `nil` if it was not cut.
  ///
  /// - Parameter again: what cuts them again and where the block is read again, if it can be.
  func takeBatch(_ block: ByteBlock, _ origin: Batch.Origin, _ again: (JSONCutter, StoredPlace)? = nil)
    -> Batch?
  {
    let cutting = again.map { Batch.Cutting(cutter: $0, range: range, place: $1) }
    return records.take()?.batch(block, end: end, origin: origin, cutting: cutting)
  }
}

/// Cuts records of JSON again as pieces were cut before.
struct JSONCutter: BatchCutter {
  let boundary: JSONPiece.Boundary

  /// The columns that were known.
  let schema: Schema
  let context: InputContext
  let nullWords: [[UInt8]]

  var columnCount: Int { schema.count }

  /// Later records may have keys that were not known yet, and objects of an array are between commas.
  var isOrderFree: Bool { false }

  var isSlow: Bool { true }

  func cut(_ block: ByteBlock, _ range: Range<Int>, origin: Batch.Origin) -> Batch? {
    let piece = JSONPiece(range, boundary)
    piece.cut(block, self)
    return piece.takeBatch(block, origin)
  }
}

/// Cuts the records of a block of JSON on several threads, before their reader comes to them.
struct JSONPieces {
  private let context: InputContext
  private let nullWords: [[UInt8]]
  private var pieces: RecordPieces<JSONPiece>

  /// What cuts the pieces of the block.
  private var cutter: JSONCutter?

  init(_ context: InputContext, _ nullWords: [[UInt8]]) {
    self.context = context
    self.nullWords = nullWords
    pieces = RecordPieces(context.tuning)
  }

  /// Cuts the records of the block, if it has many of them.
  ///
  /// - Returns: whether there are records now.
  mutating func cut(_ feed: BlockFeed, at boundary: JSONPiece.Boundary, _ schema: Schema) -> Bool {
    let start = feed.start
    let cutter = JSONCutter(boundary: boundary, schema: schema, context: context, nullWords: nullWords)
    self.cutter = cutter
    return pieces.cut(feed) { block, count in
      JSONPiece.divide(block, from: start, into: count, at: boundary)
    } _: { piece, block in
      piece.cut(block, cutter, cellLimit: cutter.context.cellLimit)
    }
  }

  /// The next records that were cut.
  ///
  /// - Parameter row: the number of rows before them.
  mutating func next(from feed: BlockFeed, row: Int) -> Batch? {
    guard let piece = pieces.next() else { return nil }
    let origin = Batch.Origin(
      source: context.source, line: feed.line, row: row, isVerbatim: false, dialect: Dialect(form: .json))
    // What comes by a pipe is held anyway.
    let place = context.mayBeReadAgain ? feed.place : nil
    let batch = piece.takeBatch(feed.block, origin, place.flatMap { place in cutter.map { ($0, place) } })
    pieces.consume(feed, to: piece.end)
    return batch
  }

  /// Records that the bytes before `end` are read.
  mutating func consume(_ feed: BlockFeed, to end: Int) { pieces.consume(feed, to: end) }
}
