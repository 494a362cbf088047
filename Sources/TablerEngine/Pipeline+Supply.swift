extension Pipeline {
  /// How far the rows have come when they are drawn.
  enum Supply {
    /// None was asked for yet.
    case open

    /// The first of them.
    case begun(Rows)

    /// All of them, in their order.
    case held(Rows)

    /// All of them, in their order, to be had piece by piece.
    case stored(any RowStore)

    /// All of them, in a temporary file, to be merged.
    case spilled(SpilledTable)
  }
}

extension Pipeline.Supply {
  /// The rows at hand.
  var rows: Rows? {
    switch self {
    case .open, .stored, .spilled: nil
    case .begun(let rows), .held(let rows): rows
    }
  }

  /// The number of rows that are known.
  var rowCount: Int {
    switch self {
    case .open: 0
    case .begun(let rows), .held(let rows): rows.count
    case .stored(let rows): rows.count
    case .spilled(let table): table.rowCount
    }
  }

  /// The first `count` rows, or more of them; `nil` where none was asked for yet.
  func firstRows(_ count: Int) throws(Failure) -> Rows? {
    switch self {
    case .open: return nil
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
  func play(_ body: (Rows) throws(Failure) -> Void) throws(Failure) {
    switch self {
    case .open: break
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
    case .open, .begun: return nil
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
