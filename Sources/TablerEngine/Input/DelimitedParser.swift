/// Cuts a block of csv or tsv into records and notes its cells.
///
/// 1. 64 bytes at a time are turned into bits: delimiters and newlines, quotes, bytes that are not plain.
/// 2. The set bits are visited in order by a machine of three states: outside quotes, inside, after a
///    closing quote. A quote opens only at the beginning of a cell (RFC 4180, but lenient).
/// 3. Cells with doubled quotes or escapes get a second spelling in `decoded`.
///
/// Where nothing but cells and their quotes are in 64 bytes, bits alone tell what lies inside quotes, and only the
/// ends of cells are visited.
struct DelimitedParser<Vector: ByteVector>: ~Copyable {
  /// Where the machine stands to the quotes of a cell.
  enum State {
    case outside
    case inside
    case behind
  }

  /// How far the machine has come.
  struct Head {
    /// Where it stands to the quotes of the cell at hand.
    var state = State.outside
    /// Where that cell begins, in bytes.
    var cellStart: Int
    /// Where its record begins.
    var recordStart: Int
    /// Where its closing quote stands.
    var closedAt = 0
    /// Bits for bytes before this one are passed over.
    var ignoredBelow: Int
    /// Whether bytes other than printable ASCII were seen in it, in the windows before.
    var isSpecial = false
    /// Whether it needs a second spelling.
    var isEscaped = false
    /// Whether text stands after its closing quote.
    var isDetached = false
    /// Where the last cell begins that has a quote in unquoted text.
    var quotedText = -1

    /// Stands before the first record.
    init(at start: Int) {
      cellStart = start
      recordStart = start
      ignoredBelow = start
    }
  }

  /// How the form is written.
  let rules: DelimitedRules

  /// The cells cut so far, record by record.
  var cells: [Cell] = []

  /// Where the records begin in the block.
  var recordStarts: [UInt32] = []

  /// Where cells with a second spelling stand in the block and in `decoded`.
  var escapes: [Escape] = []

  /// The second spellings, one after the other.
  var decoded = ByteBuffer(capacity: 0)

  /// How many cells the records have.
  var widths: RecordWidths

  /// Whether records are exactly their cells, with nothing between them.
  var isVerbatim: Bool

  /// What was found on the way, in order.
  var findings: [DelimitedFinding] = []

  /// The number of fields that records must have; `nil` takes the first record's.
  let fieldCount: Int?

  /// The number of columns that are known; short records have fewer cells.
  let columnCount: Int

  /// What to do with records of another length.
  let ragged: InputOptions.Ragged

  /// Whether long records may add columns.
  let mayGrow: Bool

  /// The cells after which the batch ends, unless one record has more, the bytes a record may take with its notes, and
  /// the columns it may make.
  var limits = (cells: Int.max, recordBytes: Int.max, columns: Int.max)

  /// Where the record that goes on in the next block begins, or the quote in it that is not closed yet.
  private(set) var openAt: Int?

  /// Where cutting ends in the block.
  private(set) var end = 0

  /// The number of cells before the record at hand.
  var recordBase = 0

  /// Creates a parser for one block.
  ///
  /// - Parameters:
  ///   - rules: how the form is written.
  ///   - fieldCount: the fields a record must have, or `nil` to take any (headers).
  ///   - columnCount: the columns that are known.
  ///   - ragged: what to do with records of another length.
  ///   - mayGrow: whether long records may add columns.
  init(rules: DelimitedRules, fieldCount: Int?, columnCount: Int, ragged: InputOptions.Ragged, mayGrow: Bool)
  {
    self.rules = rules
    self.fieldCount = fieldCount
    self.columnCount = columnCount
    self.ragged = ragged
    self.mayGrow = mayGrow
    widths = RecordWidths(even: fieldCount ?? -1)
    isVerbatim = !rules.isTrimmed && (fieldCount == nil || fieldCount == columnCount)
  }

  /// Cuts records from `start` on.
  ///
  /// - Parameters:
  ///   - block: the block.
  ///   - start: where the first record begins, in bytes.
  ///   - stop: where to end; the end of the block if nothing is said.
  ///   - isLast: whether the input ends there.
  ///   - limit: the most records to cut.
  /// - Returns: where the first record begins that was not cut.
  mutating func parse(
    _ block: ByteBlock, from start: Int, to stop: Int? = nil, isLast: Bool, limit: Int = .max
  ) throws(DelimitedDamage) -> Int {
    let count = min(stop ?? .max, block.count)
    end = count
    if let fieldCount, limit == .max, fieldCount > 0 {
      cells.reserveCapacity(min((count - start) / 8, limits.cells))
    }
    var head = Head(at: start)
    if let comment = rules.comment {
      guard skipComments(block, comment, isLast, &head.recordStart) else { return head.recordStart }
      head = Head(at: head.recordStart)
    }
    let hasPlainWindows =
      limit == .max && rules.comment == nil && rules.nullWords.isEmpty && !rules.isTrimmed
    let hasQuotedWindows = hasPlainWindows && rules.marks.escape == nil && !rules.isLazy
    let marks = rules.marks
    var window = start
    while window < count {
      if cells.count > limits.cells { try checkRoom(at: window, head) }
      let masks = block.masks(at: window, for: marks, Vector.self)
      if hasPlainWindows, window &+ 64 < count {
        if masks.wraps == 0, head.state == .outside, !head.isEscaped {
          try cutPlain(block, masks, at: window, &head)
          window &+= 64
          continue
        }
        if hasQuotedWindows, try cutQuoted(block, masks, at: window, &head) {
          window &+= 64
          continue
        }
      }
      guard try cut(block, masks, at: window, isLast, limit, &head) else { return abandon(head.recordStart) }
      window = max(window &+ 64, head.recordStart)
    }
    guard isLast else { return try leaveOpen(head) }
    try finish(block, &head)
    return count
  }

  /// Ends the batch before the record at hand, where there is one before it; alone a record has all the room there is.
  @inline(never)
  private func checkRoom(at window: Int, _ head: Head) throws(DelimitedDamage) {
    guard recordStarts.isEmpty else { throw .full(recordAt: head.recordStart) }
    let bytes = window - head.recordStart + cells.count * MemoryLayout<Cell>.stride
    if bytes > limits.recordBytes { throw .recordTooLong(at: head.recordStart) }
  }

  /// Forgets the record that goes on in the next block, and remembers where it, or an open quote, begins.
  ///
  /// - Returns: where it begins.
  private mutating func leaveOpen(_ head: Head) throws(DelimitedDamage) -> Int {
    guard end - head.cellStart <= Cell.longest else { throw .cellTooLong(at: head.cellStart) }
    openAt = head.state == .inside ? head.cellStart : head.recordStart
    return abandon(head.recordStart)
  }

  /// Forgets the cells of a record that was not cut to its end.
  ///
  /// - Returns: whether whole records stand before it.
  mutating func forgetOpenRecord() -> Bool {
    cells.removeLast(cells.count - recordBase)
    return !recordStarts.isEmpty
  }

  /// The cells of the records cut so far, as a batch.
  ///
  /// - Parameter cutting: how the records were cut, if that can be done again.
  consuming func batch(
    _ block: ByteBlock, end: Int, origin: Batch.Origin, cutting: Batch.Cutting? = nil
  ) -> Batch {
    var origin = origin
    origin.isVerbatim = isVerbatim
    recordStarts.append(UInt32(truncatingIfNeeded: end))
    return Batch(
      block: block, decoded: ByteBlock(taking: &decoded), escapes: escapes, cells: widths.evened(cells),
      columnCount: widths.widest,
      recordStarts: recordStarts, origin: origin, cutting: cutting)
  }
}
