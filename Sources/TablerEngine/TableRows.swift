/// How far the rows of a table have come when they are drawn.
enum TableRows {
  /// The first of them; others are still to be read.
  case begun(Rows)

  /// All of them, in their order.
  case held(Rows)

  /// All of them, in their order, to be had piece by piece.
  case stored(any RowStore)

  /// All of them, in a temporary file, to be merged.
  case spilled(SpilledTable)

  /// The rows in memory.
  var inMemory: Rows? {
    switch self {
    case .stored, .spilled: nil
    case .begun(let rows), .held(let rows): rows
    }
  }

  /// The number of rows that are known.
  var count: Int {
    switch self {
    case .begun(let rows), .held(let rows): rows.count
    case .stored(let rows): rows.count
    case .spilled(let table): table.rowCount
    }
  }

  /// The first `count` rows, or more of them.
  func first(_ count: Int) throws(Failure) -> Rows {
    switch self {
    case .begun(let rows), .held(let rows): return rows
    case .spilled(let table): return try Failure.reading { () throws(SystemError) in try table.first(count) }
    case .stored(let stored):
      var rows = Rows()
      for piece in 0..<stored.pieceCount where rows.count < count {
        rows.append(try Failure.reading { () throws(SystemError) in try stored.rows(ofPiece: piece) })
      }
      return rows
    }
  }

  /// Hands on the rows that are known in order, some at a time; it may be asked again.
  func forEachPiece(_ body: (Rows) throws(Failure) -> Void) throws(Failure) {
    switch self {
    case .begun(let rows), .held(let rows): try body(rows)
    case .stored(let stored):
      for piece in 0..<stored.pieceCount {
        try body(try Failure.reading { () throws(SystemError) in try stored.rows(ofPiece: piece) })
      }
    case .spilled(let table):
      var cursor = try Failure.reading { () throws(SystemError) in try table.rows() }
      while let rows = try Failure.reading({ () throws(SystemError) in try cursor.next() }) { try body(rows) }
    }
  }

  /// The rows in pieces for several threads, of about `size` rows each, fewer where they are large; `nil` before all
  /// are known.
  ///
  /// - Parameter rowSize: the bytes that are painted of a row whatever its cells hold.
  func pieces(of size: Int, rowSize: Int) throws(Failure) -> RowPieces? {
    switch self {
    case .begun: return nil
    case .held(let rows):
      return RowPieces(rows, size: Tuning.pieceSize(rows.rowWeight + rowSize, atMost: size))
    case .stored(let rows): return RowPieces(rows, size: Tuning.pieceSize(rowSize, atMost: size))
    case .spilled(let table):
      let size = Tuning.pieceSize(rowSize, atMost: size)
      return try Failure.reading { () throws(SystemError) in try table.pieces(of: size) }
    }
  }
}

extension Failure {
  /// Rows that could not be read a second time.
  init(reading error: SystemError) {
    switch error.operation {
    case .readAgain: self = .input(.changed(path: error.path))
    case .open, .read, .readOutput: self = .input(.system(error))
    case .write, .replace, .writeTemporary, .readTemporary: self = .spill(error)
    }
  }

  /// What `body` yields, or that rows could not be read a second time.
  static func reading<Result: ~Copyable>(
    _ body: () throws(SystemError) -> Result
  ) throws(Failure) -> Result {
    do { return try body() } catch { throw Failure(reading: error) }
  }
}
