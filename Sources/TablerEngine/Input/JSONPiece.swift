/// Some records of a block of JSON.
///
/// It ends with a line, or with a comma of an array. It keeps its records only if each is an object whose
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
  private let cutter: JSONCutter

  /// The records, if they may be taken.
  private var records: JSONRecords?

  private(set) var lineEnds = 0

  /// Whether each record is one line.
  private(set) var areLines = false

  init(_ range: Range<Int>, _ cutter: JSONCutter) {
    self.range = range
    self.cutter = cutter
  }

  var end: Int { range.upperBound }

  var hasRecords: Bool { records != nil }

  static func end(of block: ByteBlock, from start: Int, _ cutter: JSONCutter) -> Int {
    let (text, boundary) = (block.span, cutter.boundary)
    var place = text.count - 1
    while place >= start, !boundary.isAt(place, of: text) { place -= 1 }
    return place < start ? start : place + boundary.leading
  }

  func cut(_ block: ByteBlock) {
    cut(block, cellLimit: cutter.cellLimit)
    guard let count = records?.starts.count else { return }
    lineEnds = areLines ? count : block.span.extracting(range).lineEnds
    // Each ends with a line end.
    areLines = cutter.boundary.isLineEnd && lineEnds == count
  }

  /// Makes records of its bytes, unless they have more than `cellLimit` cells: none are too many to be cut again.
  fileprivate func cut(_ block: ByteBlock, cellLimit: Int) {
    let boundary = cutter.boundary
    var schema = cutter.schema
    let known = schema.newKeyCount
    var records = JSONRecords(
      columnCount: schema.count, nullWords: cutter.nullWords, limits: cutter.limits,
      isFlattened: cutter.isFlattened)
    let text = block.span.extracting(..<end)
    let isLineBound = boundary.isLineEnd
    var scanner = JSONScanner(at: range.lowerBound)
    var areLines = isLineBound
    while true {
      scanner.isLineBound = false
      let endOfRecord = scanner.offset
      // Lines may be empty.
      scanner.skipSpace(text)
      if scanner.offset &- endOfRecord != (records.starts.isEmpty ? 0 : 1) { areLines = false }
      if scanner.offset == end { break }
      scanner.isLineBound = isLineBound
      guard text[scanner.offset] == UInt8(ascii: "{"), (try? records.add(text, &scanner, &schema)) != nil,
        records.repeatedKey == nil, schema.newKeyCount == known, records.cellCount <= cellLimit
      else { return }
      scanner.skipSpace(text)
      guard scanner.offset < end, text[scanner.offset] == boundary.end else { return }
      if !isLineBound { scanner.offset += 1 }
    }
    if records.starts.isEmpty { return }
    self.areLines = areLines && !scanner.hasSkippedReturn
    self.records = consume records
  }

  /// The records as a batch; `nil` if it was not cut.
  ///
  /// - Parameter place: where the block is read again, if it can be.
  func takeBatch(_ block: ByteBlock, _ origin: Batch.Origin, at place: StoredPlace? = nil) -> Batch? {
    let cutting = place.map { Batch.Cutting(cutter: cutter, range: range, place: $0) }
    return records.take()?.batch(block, end: end, origin: origin, cutting: cutting)
  }
}

/// Cuts records of JSON again as pieces were cut before.
struct JSONCutter: BatchCutter {
  let boundary: JSONPiece.Boundary

  /// The columns that were known.
  let schema: Schema
  let nullWords: [[UInt8]]
  let limits: ColumnLimits

  /// Whether the members of objects become columns.
  let isFlattened: Bool

  /// The cells that a batch may have while it is read.
  let cellLimit: Int

  var columnCount: Int { schema.count }

  /// Later records may have keys that were not known yet, and objects of an array are between commas.
  var isOrderFree: Bool { false }

  var isSlow: Bool { true }

  func cut(_ block: ByteBlock, _ range: Range<Int>, origin: Batch.Origin) -> Batch? {
    let piece = JSONPiece(range, self)
    piece.cut(block, cellLimit: .max)
    return piece.takeBatch(block, origin)
  }
}

/// Cuts the records of an input of JSON on several threads, before their reader comes to them.
struct JSONPieces: ~Copyable {
  private let context: InputContext
  private let nullWords: [[UInt8]]
  private var pieces: RecordPieces<JSONPiece>

  init(_ context: InputContext, _ nullWords: [[UInt8]]) {
    self.context = context
    self.nullWords = nullWords
    pieces = RecordPieces(context)
  }

  /// Begins to cut records ahead, if the input has proved not to be small.
  ///
  /// - Returns: whether some are being cut.
  mutating func begin(_ feed: BlockFeed, at boundary: JSONPiece.Boundary, _ schema: Schema) -> Bool {
    pieces.begin(
      feed,
      JSONCutter(
        boundary: boundary, schema: schema, nullWords: nullWords, limits: context.columnLimits,
        isFlattened: context.options.isFlattened, cellLimit: context.cellLimit))
  }

  /// The next records that were cut.
  ///
  /// - Parameter row: the number of rows before them.
  mutating func next(from feed: BlockFeed, row: Int) throws(InputError) -> Batch? {
    guard let (piece, spot) = try pieces.next(from: feed) else { return nil }
    var origin = Batch.Origin(
      source: context.source, line: spot.line, row: row, isVerbatim: false, dialect: Dialect(form: .json))
    origin.areLines = piece.areLines
    // What comes by a pipe is held anyway.
    return piece.takeBatch(spot.block, origin, at: context.mayBeReadAgain ? spot.place : nil)
  }

  /// Records that the reader has read the bytes before `end`.
  mutating func consume(_ feed: BlockFeed, to end: Int) { pieces.consume(feed, to: end) }
}
