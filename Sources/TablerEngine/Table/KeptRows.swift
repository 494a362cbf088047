/// Rows in the order in which they came, kept until all of them are known, with as little as brings them back.
///
/// Once there are many, the notes on their cells are let go, and the bytes too where the input can be read again.
/// Any thread can have any piece of them back, as often as need be.
struct KeptRows: RowStore {
  /// The rows of a batch, or of some.
  private enum Piece: Sendable {
    case whole(Rows)
    case folded(FoldedBatch, RowBits?)
    case spilled(SpilledRows, pieces: Range<Int>)
  }

  private(set) var count = 0

  /// The bytes that the rows hold in memory.
  private(set) var memory = 0

  /// The bytes that a row and the notes on its cells take, about, where they take most.
  private(set) var rowWeight = 0

  private var pieces: [Piece] = []

  /// The number of rows before each piece.
  private var starts: [Int] = []

  private let foldingSize: Int
  private var isFolding = false

  /// The pieces that are in a file already, at the front.
  private var spilledCount = 0
  private var file: SpillFile?
  private var spilled: SpilledRows?

  /// Keeps rows as they are until they hold `foldingSize` bytes.
  init(foldingSize: Int) { self.foldingSize = foldingSize }

  var pieceCount: Int { pieces.count }

  func start(ofPiece index: Int) -> Int { starts[index] }

  /// The rows, if they are all held as they are.
  var rows: Rows? {
    var all = Rows()
    for piece in pieces {
      guard case .whole(let rows) = piece else { return nil }
      all.append(rows)
    }
    return all
  }

  /// Keeps more rows.
  mutating func append(_ rows: Rows) {
    guard rows.count > 0 else { return }
    starts.append(count)
    count += rows.count
    pieces.append(.whole(rows))
    memory += rows.memory
    rowWeight = max(rowWeight, rows.rowWeight)
    if !isFolding, memory > foldingSize {
      isFolding = true
      for index in pieces.indices.dropLast() { fold(index) }
    }
    if isFolding { fold(pieces.count - 1) }
  }

  /// Keeps what another collection keeps, from a piece of it on.
  mutating func append(_ other: KeptRows, from first: Int) {
    for index in first..<other.pieceCount {
      starts.append(count)
      count += other.count(ofPiece: index)
      pieces.append(other.pieces[index])
    }
    memory += other.memory
    rowWeight = max(rowWeight, other.rowWeight)
  }

  /// The number of rows of a piece.
  func count(ofPiece index: Int) -> Int {
    (index + 1 < starts.count ? starts[index + 1] : count) - starts[index]
  }

  func rows(ofPiece index: Int) throws(SystemError) -> Rows {
    switch pieces[index] {
    case .whole(let rows): return rows
    case .spilled(let spilled, let pieces):
      var rows = Rows()
      for piece in pieces { rows.append(try spilled.piece(piece)) }
      return rows
    case .folded(let folded, let chosen):
      let batch = try folded.unfolded()
      return chosen.map { Rows(batch, $0.rows.map { UInt32(truncatingIfNeeded: $0) }) } ?? Rows(batch)
    }
  }

  /// Puts all that is held in memory into a temporary file.
  ///
  /// - Throws: what the system says of a file that cannot be written.
  mutating func spill() throws(SystemError) {
    for index in spilledCount..<pieces.count {
      switch pieces[index] {
      case .spilled: continue
      case .folded(var folded, let chosen):
        if folded.memory == 0 { continue }
        if file == nil { file = try SpillFile() }
        if let file { try folded.store(in: file) }
        pieces[index] = .folded(folded, chosen)
      case .whole(let rows):
        if self.spilled == nil { self.spilled = SpilledRows(try SpillFile()) }
        guard let spilled = self.spilled else { continue }
        let first = spilled.pieceCount
        try spilled.append(rows)
        try spilled.finishPiece()
        pieces[index] = .spilled(spilled, pieces: first..<spilled.pieceCount)
      }
    }
    spilledCount = pieces.count
    memory = 0
  }
}

extension KeptRows {
  /// Lets go what a piece can be made again without.
  private mutating func fold(_ index: Int) {
    guard case .whole(let rows) = pieces[index], let batch = rows.batches.first, rows.batches.count == 1,
      let folded = FoldedBatch(batch)
    else { return }
    var chosen: RowBits?
    if rows.count < batch.rowCount {
      var bits = RowBits(rowCount: batch.rowCount)
      for id in rows.ids { bits.insert(id.row) }
      chosen = bits
    }
    pieces[index] = .folded(folded, chosen)
    memory += folded.memory - rows.memory
  }
}
