/// Rows in the order in which they came, either all of them or the last ones, stored with as little as is
/// needed to restore them.
///
/// 1. A few rows are held unchanged.
/// 2. If there are many, only the records are held, if they can be cut again as they were cut before; if the
///    file can be read again, not even those. Records of JSON that will only be drawn are held unchanged up to a size,
///    and packed beyond it (`PackedRecords`).
/// 3. What is left in memory goes to a temporary file when `spill` is called: records that can be cut again
///    without their notes, other rows with the notes on their cells.
///
/// Any thread can restore any piece of them, as often as needed, with all cells, even computed ones: they are
/// cut again by the cutter of their batch, or stored with their notes.
struct StoredRows: RowStore {
  /// Some rows that came together, or that were written together.
  enum StoredPiece: Sendable {
    /// Rows as they came.
    case held(Rows)
    /// Records without the notes on their cells.
    case uncut(UncutRecords)
    /// Batches in a temporary file, each with its bytes.
    case batches(SpillFile, Range<Int>)
    /// One batch in a temporary file: its notes, then `decoded` bytes of its decoded cells and `block` bytes
    /// of its block.
    case batch(SpillFile, Range<Int>, decoded: Int, block: Int)

    /// The approximate memory of its rows, in bytes.
    var size: Int {
      switch self {
      case .held(let rows): rows.memory
      case .uncut(let records): records.byteCount
      case .batches(_, let range), .batch(_, let range, _, _): range.count
      }
    }

    /// The bytes that are held in memory.
    var memory: Int {
      switch self {
      case .held(let rows): rows.memory
      case .uncut(let records): records.memory
      case .batches, .batch: 0
      }
    }
  }

  /// Some rows of a piece.
  private struct Slice: Sendable {
    var piece: Int
    var range: Range<Int>
  }

  /// The bytes that the rows hold in memory.
  private(set) var memory = 0

  /// The approximate memory of a row and the notes on its cells, at its largest.
  private(set) var rowWeight = 0

  private var pieces: [StoredPiece] = []

  /// The number of rows before each piece, and at the end.
  private var starts = [0]

  /// The number of pieces at the front that were dropped.
  private var goneCount = 0

  /// The number of pieces at the front that hold nothing in memory.
  private var spilledCount = 0

  /// The size from which on notes are dropped, and that for records that it takes long to cut again.
  private let mostHeld: Int
  private let mostHeldIfSlow: Int

  /// Whether notes are dropped from now on.
  private var dropsNotes = false

  /// The size from which on further records of JSON are packed.
  private let mostUnpacked: Int

  /// Where the next packed records go.
  private var slab: BlockSlab?

  /// How many pieces were packed, and how many could not be.
  private var packing = (done: 0, refused: 0)

  /// Whether a few rows will be fetched from many places, so that it pays to know where each record begins.
  private let fetchesFew: Bool

  /// The number of rows that are always kept, if not all are.
  private let limit: Int?

  /// The temporary file that rows are written to, and how many it has.
  private var file: SpillFile?
  private var fileRowCount = 0

  private let pieceSize: Int

  /// The size of a piece of a temporary file, including the notes on cells, in bytes.
  static let standardPieceSize = 1 << 18

  /// The bytes of last rows that are held along with their notes.
  private static let mostHeldOfLast = 1 << 23

  /// The number of temporary files that share the last rows; each is deleted with the last of its rows.
  private static let fileCount = 8

  /// Stores all rows.
  ///
  /// - Parameters:
  ///   - mostHeld: the size up to which rows are held unchanged. Beyond it they must come in the order of the input.
  ///   - mostHeldIfSlow: the same for records that it takes long to cut again.
  ///   - fetchesFew: whether a few rows will be fetched from many places: that takes 4 bytes a row more.
  ///   - mostUnpacked: the size from which on further records of JSON are packed, if the rows will only be drawn.
  init(
    mostHeld: Int = .max, mostHeldIfSlow: Int = .max, pieceSize: Int = standardPieceSize,
    fetchesFew: Bool = false, mostUnpacked: Int = .max
  ) {
    self.mostHeld = mostHeld
    self.mostHeldIfSlow = mostHeldIfSlow
    self.fetchesFew = fetchesFew
    self.mostUnpacked = mostUnpacked
    self.pieceSize = pieceSize
    limit = nil
  }

  /// Stores all rows in a temporary file, which other rows may be in.
  init(in file: SpillFile, pieceSize: Int) {
    self.init(pieceSize: pieceSize)
    self.file = file
  }

  /// Stores the last `limit` rows, and sometimes a few before them, until they are dropped.
  init(last limit: Int, pieceSize: Int = standardPieceSize) {
    mostHeld = Self.mostHeldOfLast
    mostHeldIfSlow = Self.mostHeldOfLast
    fetchesFew = false
    mostUnpacked = .max
    self.pieceSize = pieceSize
    self.limit = limit
  }

  var count: Int { (starts.last ?? 0) - starts[goneCount] }

  /// The number of pieces.
  var pieceCount: Int { pieces.count - goneCount }

  /// The number of rows before a piece, or of all rows.
  func start(ofPiece index: Int) -> Int { starts[goneCount + index] - starts[goneCount] }

  /// The number of rows of a piece.
  func count(ofPiece index: Int) -> Int { start(ofPiece: index + 1) - start(ofPiece: index) }

  /// The approximate size of the largest piece, in bytes.
  var largestPiece: Int { pieces.reduce(0) { max($0, $1.size) } }

  /// The piece that contains a row.
  func piece(ofRow row: Int) -> Int {
    var low = 0
    var high = pieceCount
    while high - low > 1 {
      let middle = (low + high) / 2
      if start(ofPiece: middle) <= row { low = middle } else { high = middle }
    }
    return low
  }

  /// The rows, if all are held unchanged.
  var held: Rows? {
    var all = Rows()
    for piece in pieces {
      guard case .held(let rows) = piece else { return nil }
      all.append(rows)
    }
    return all
  }

  /// The rows of a piece, and no others.
  ///
  /// - Throws: the system's error for a file that cannot be read, `readAgain` if the input has changed.
  func rows(ofPiece index: Int) throws(SystemError) -> Rows {
    switch pieces[goneCount + index] {
    case .held(let rows): return rows
    case .uncut(let records): return try records.cutAgain()
    case .batches(let file, let range):
      var cursor = RawCursor(try file.read(range))
      do {
        var rows = Rows()
        for _ in 0..<(try cursor.values(Int.self, count: 1)[0]) {
          rows.append(Rows(try Batch(from: &cursor)))
        }
        return rows
      } catch { throw file.damage }
    case .batch(let file, let range, let decodedCount, let blockCount):
      let end = range.upperBound - blockCount
      let start = end - decodedCount
      var cursor = RawCursor(try file.read(range.lowerBound..<start))
      let bytes = (decoded: try file.read(start..<end), block: try file.read(end..<range.upperBound))
      do { return Rows(try Batch(from: &cursor, bytes: bytes)) } catch { throw file.damage }
    }
  }

  /// Some rows of a piece; `nil` if they cannot be restored without the others.
  ///
  /// - Parameter positions: the rows, ascending, counted from 0 in the piece.
  /// - Throws: the system's error for a file that cannot be read, `readAgain` if the input has changed.
  func rows(at positions: [Int], ofPiece index: Int) throws(SystemError) -> Rows? {
    guard case .uncut(let records) = pieces[goneCount + index] else { return nil }
    return try records.cutAgain(only: positions)
  }

  /// The pieces as they are stored, with those of more than 2 · `size` rows in slices.
  func pieces(of size: Int, rowSize: Int) -> RowPieces {
    let size = Tuning.pieceSize(rowSize, atMost: size)
    var slices: [Slice] = []
    for piece in 0..<pieceCount {
      let count = count(ofPiece: piece)
      let step = count - size > size ? size : max(count, 1)
      for start in stride(from: 0, to: count, by: step) {
        slices.append(Slice(piece: piece, range: start..<min(start + step, count)))
      }
    }
    let known = Monitor([Int: Rows]())
    return { [slices] (number) throws(SystemError) in
      guard number < slices.count else { return nil }
      let (piece, range) = (slices[number].piece, slices[number].range)
      let isSliced = range.count < count(ofPiece: piece)
      let rows = try isSliced ? rows(ofPiece: piece, known) : rows(ofPiece: piece)
      return RowPiece(rows: rows, range: range, start: start(ofPiece: piece) + range.lowerBound)
    }
  }

  /// The rows of a piece that is requested in several slices; those of a few pieces are kept.
  private func rows(ofPiece piece: Int, _ known: Monitor<[Int: Rows]>) throws(SystemError) -> Rows {
    if let rows = known.access({ $0[piece] }) { return rows }
    let rows = try rows(ofPiece: piece)
    known.access { known in
      known[piece] = rows
      if let oldest = known.keys.min(), known.count > 2 { known[oldest] = nil }
    }
    return rows
  }
}

extension StoredRows {
  /// Stores more rows.
  mutating func append(_ rows: Rows) {
    guard rows.count > 0 else { return }
    add(.held(rows), count: rows.count)
    rowWeight = max(rowWeight, rows.rowWeight)
    if !dropsNotes, let cutting = rows.batches[0].cutting,
      memory > (cutting.cutter.isSlow ? mostHeldIfSlow : mostHeld)
    {
      dropsNotes = true
      for index in pieces.indices.dropLast() { dropNotes(index) }
    }
    if dropsNotes { dropNotes(pieces.count - 1) } else if memory > mostUnpacked { packLast(rows) }
  }

  /// Stores more rows, which may come in any order, directly in the temporary file.
  ///
  /// - Parameter cutter: the cutter of the records of all of them, if their notes are not to be written: most
  ///   of them may be missing.
  mutating func spill(_ rows: Rows, cutter: (any BatchCutter)? = nil) throws(SystemError) {
    guard rows.count > 0 else { return }
    try spill()
    rowWeight = max(rowWeight, rows.rowWeight)
    try write { (writer) throws(SystemError) in
      if let cutter { try writer.append(rows, cutter) } else { try writer.append(rows) }
    }
  }

  /// Moves everything that is held in memory to a temporary file.
  ///
  /// - Throws: the system's error for a file that cannot be written.
  mutating func spill() throws(SystemError) {
    guard memory > 0 else { return }
    let first = max(spilledCount, goneCount)
    let unwritten = pieces[first...]
    let counts = (first..<pieces.count).map { starts[$0 + 1] - starts[$0] }
    pieces.removeLast(unwritten.count)
    starts.removeLast(unwritten.count)
    memory = 0
    slab = nil
    try write { (writer) throws(SystemError) in
      for (piece, count) in zip(unwritten, counts) {
        if case .held(let rows) = piece { try writer.append(rows) } else { try writer.append(piece, count) }
      }
    }
  }

  /// The error for a file that does not hold what was stored.
  var damage: SystemError {
    file?.damage ?? SystemError(.readTemporary, path: SpillFile.standardDirectory, code: 0)
  }

  private mutating func write(
    _ body: (inout PieceWriter) throws(SystemError) -> Void
  ) throws(SystemError) {
    if let limit, fileRowCount >= limit / Self.fileCount { file = nil }
    if file == nil { fileRowCount = 0 }
    let file = if let file { file } else { try SpillFile() }
    self.file = file
    var writer = PieceWriter(file, pieceSize: pieceSize)
    try body(&writer)
    for (piece, count) in try writer.finish() {
      add(piece, count: count)
      fileRowCount += count
    }
    spilledCount = pieces.count
  }

  private mutating func add(_ piece: StoredPiece, count: Int) {
    pieces.append(piece)
    starts.append((starts.last ?? 0) + count)
    memory += piece.memory
  }

  /// Drops the notes on the cells of a piece, if its records can be cut again.
  private mutating func dropNotes(_ index: Int) {
    guard case .held(let rows) = pieces[index],
      let records = UncutRecords(rows, keepingStarts: fetchesFew)
    else { return }
    replacePiece(index, by: records)
  }

  /// Packs the last piece, unless too many could not be packed: if some are and some are not, their blocks are mixed in
  /// memory, and take more of it than they would unpacked.
  private mutating func packLast(_ rows: Rows) {
    guard packing.refused <= 2 + packing.done / 8 else { return }
    if let records = UncutRecords(packing: rows, in: &slab) {
      replacePiece(pieces.count - 1, by: records)
      packing.done += 1
    } else {
      packing.refused += 1
    }
  }

  private mutating func replacePiece(_ index: Int, by records: UncutRecords) {
    memory += records.memory - pieces[index].memory
    pieces[index] = .uncut(records)
  }
}

/// Storing the last rows: those before them are dropped as others come.
extension StoredRows {
  /// Whether there are enough rows after the first piece.
  var hasSurplus: Bool {
    guard let limit, pieceCount > 0 else { return false }
    return count - count(ofPiece: 0) >= limit
  }

  /// Stores more rows, and returns those that are no longer among the last.
  ///
  /// - Parameter budget: the bytes that rows may take in memory before they go to a temporary file.
  mutating func exchange(_ rows: Rows, budget: Int) throws(SystemError) -> Rows {
    append(rows.isSparse() ? rows.copied() : rows)
    if memory >= budget { try spill() }
    var surplus = Rows()
    while hasSurplus, let rows = try takeFirst() { surplus.append(rows) }
    return surplus
  }

  /// Returns the first piece, and drops it; `nil` if there is none.
  mutating func takeFirst() throws(SystemError) -> Rows? {
    guard pieceCount > 0 else { return nil }
    defer { dropFirst() }
    return try rows(ofPiece: 0)
  }

  /// Drops the first piece.
  mutating func dropFirst() {
    guard goneCount < pieces.count else { return }
    memory -= pieces[goneCount].memory
    pieces[goneCount] = .held(Rows())
    goneCount += 1
    guard goneCount > pieces.count / 2 else { return }
    pieces.removeFirst(goneCount)
    starts.removeFirst(goneCount)
    spilledCount = max(0, spilledCount - goneCount)
    goneCount = 0
  }

  /// The rows before the last ones, once no others will come.
  func surplus() throws(SystemError) -> Rows {
    guard let limit, count > limit else { return Rows() }
    var rows = Rows()
    var piece = 0
    while rows.count < count - limit {
      rows.append(try self.rows(ofPiece: piece))
      piece += 1
    }
    rows.ids.removeLast(rows.count - (count - limit))
    return rows
  }
}

/// Records without the notes on their cells: their bytes, or where to read them, and how they were cut.
///
/// For most forms, cutting them again costs less than fresh pages for the notes of all rows would.
struct UncutRecords: Sendable {
  private enum Bytes {
    case held(ByteBlock, Range<Int>)
    case stored(StoredPlace, count: Int)
  }

  private let cutter: any BatchCutter
  private var origin: Batch.Origin
  private var bytes: Bytes

  /// The number of records.
  private let recordCount: Int

  /// The records that are wanted, if not all are.
  private var wanted: RowBits?

  /// Whether they were brought together from several batches: then the places of their rows are stored before them.
  private let hasPlaces: Bool

  /// Where each record begins among the bytes, and the end of the last, so that some of them can be cut without the
  /// others; empty if that is not known or takes memory that is needed.
  private var recordStarts: [UInt32] = []

  /// Takes the records of rows, which are in the order of their batch, if they know how they were cut.
  ///
  /// - Parameter keepingStarts: whether some of them will be cut without the others.
  init?(_ rows: Rows, keepingStarts: Bool) {
    guard rows.batches.count == 1, let batch = rows.batches.first, let cutting = batch.cutting else {
      return nil
    }
    cutter = cutting.cutter
    origin = batch.origin
    recordCount = batch.rowCount
    hasPlaces = false
    bytes = .held(batch.block, cutting.range)
    if rows.count < batch.rowCount {
      var wanted = RowBits(rowCount: batch.rowCount)
      for id in rows.ids { wanted.insert(id.row) }
      self.wanted = wanted
    }
    if keepingStarts, cutter.isOrderFree {
      let start = UInt32(truncatingIfNeeded: cutting.range.lowerBound)
      recordStarts = batch.recordStarts.map { $0 &- start }
    }
    if let place = cutting.place { leaveBytes(at: place.advanced(by: cutting.range.lowerBound)) }
  }

  /// Packs the records of rows that will only be drawn, if they are all those of one batch.
  ///
  /// - Parameter slab: where to take memory from.
  init?(packing rows: Rows, in slab: inout BlockSlab?) {
    guard rows.batches.count == 1, let batch = rows.batches.first, rows.count == batch.rowCount,
      rows.holdsAll(of: batch, from: 0), let packed = PackedRecords(batch, in: &slab)
    else { return nil }
    cutter = packed.cutter
    origin = batch.origin
    recordCount = batch.rowCount
    hasPlaces = false
    origin.line = batch.line(ofRow: 0)
    bytes = .held(packed.block, 0..<packed.block.count)
  }

  /// Creates records that were brought together in a file, after the places of their rows.
  init(
    _ place: StoredPlace, byteCount: Int, recordCount: Int, _ cutter: any BatchCutter, _ origin: Batch.Origin
  ) {
    self.cutter = cutter
    self.origin = origin
    self.recordCount = recordCount
    bytes = .stored(place, count: byteCount)
    hasPlaces = true
  }

  /// The bytes of the records.
  var byteCount: Int {
    switch bytes {
    case .held(_, let range): range.count
    case .stored(_, let count): count
    }
  }

  /// The bytes that are held in memory.
  var memory: Int {
    let starts = recordStarts.capacity * MemoryLayout<UInt32>.stride
    return if case .held(let block, _) = bytes { block.capacity + starts } else { starts }
  }

  /// Appends the bytes to a file, and no longer holds them in memory.
  ///
  /// - Throws: the system's error for a file that cannot be written.
  mutating func spill(to file: SpillFile) throws(SystemError) {
    recordStarts = []
    guard case .held(let block, let range) = bytes else { return }
    let place = StoredPlace(store: file, offset: file.count)
    try file.append(block.span.extracting(range))
    leaveBytes(at: place)
  }

  /// Replaces the block by the place where the records are stored.
  private mutating func leaveBytes(at place: StoredPlace) {
    guard case .held(let block, let range) = bytes else { return }
    origin.line += block.span.extracting(..<range.lowerBound).lineEnds
    bytes = .stored(place, count: range.count)
  }

  /// The rows, with the same cells as before.
  ///
  /// - Throws: the system's error for the file, `readAgain` if it does not hold the same records.
  func cutAgain() throws(SystemError) -> Rows {
    var (block, range) = try restored()
    var places: [RowPlace]?
    if hasPlaces {
      var cursor = RawCursor(block)
      do { places = try cursor.values(RowPlace.self, count: recordCount) } catch { throw damage }
      range = cursor.offset..<range.upperBound
    }
    guard var batch = cutter.cut(block, range, origin: origin), batch.rowCount == recordCount else {
      throw damage
    }
    if let places { batch = batch.placed(at: places) }
    return wanted.map { Rows(batch, $0.rows.map { UInt32(truncatingIfNeeded: $0) }) } ?? Rows(batch)
  }

  /// A block that contains the bytes, and their range in it.
  private func restored() throws(SystemError) -> (ByteBlock, Range<Int>) {
    switch bytes {
    case .held(let block, let range): (block, range)
    case .stored(let place, let count):
      (try place.store.read(place.offset..<place.offset + count), 0..<count)
    }
  }

  /// The error for bytes that do not hold the same records.
  private var damage: SystemError {
    switch bytes {
    case .held: SystemError(.readAgain, path: nil, code: 0)
    case .stored(let place, _): place.store.damage
    }
  }

  /// Some of the rows, with the same cells as before; `nil` if they cannot be cut without the others.
  ///
  /// - Parameter positions: the rows, ascending, counted from 0 among all that are wanted.
  /// - Throws: the system's error for the file, `readAgain` if it does not hold the same records.
  /// - Complexity: the bytes of all records are read, but only those of these rows are cut.
  func cutAgain(only positions: [Int]) throws(SystemError) -> Rows? {
    guard !recordStarts.isEmpty else { return nil }
    let (block, all) = try restored()
    let start = all.lowerBound
    let known = wanted.map { Array($0.rows) }
    let records = known.map { known in positions.map { known[$0] } } ?? positions
    let ranges = records.map { Int(recordStarts[$0])..<Int(recordStarts[$0 + 1]) }
    let ending = origin.dialect.recordEnd
    var packed = ByteBlock.Builder(capacity: ranges.reduce(0) { $0 + $1.count + ending.count })
    var places: [RowPlace] = []
    places.reserveCapacity(records.count)
    // The line of a place that was counted last.
    var (line, counted) = (origin.line, start)
    if case .held = bytes { line += block.span.extracting(..<start).lineEnds }
    for (record, range) in zip(records, ranges) {
      let range = start + range.lowerBound..<start + range.upperBound
      line += block.span.extracting(counted..<range.lowerBound).lineEnds
      counted = range.lowerBound
      places.append(RowPlace(source: origin.source, line: line, number: origin.row + record))
      packed.append(block.span.extracting(range))
      if range.isEmpty || block[range.upperBound - 1] != 10 && block[range.upperBound - 1] != 13 {
        packed.append(ending.span)
      }
    }
    let some = packed.finish()
    guard let cut = cutter.cut(some, 0..<some.count, origin: origin), cut.rowCount == records.count else {
      throw damage
    }
    return Rows(cut.placed(at: places))
  }
}
