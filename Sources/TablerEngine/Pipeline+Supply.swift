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
    case kept(any RowStore)

    /// All of them, in a temporary file, to be merged.
    case spilled(SpilledTable)
  }
}

extension Pipeline.Supply {
  /// The rows at hand.
  var rows: Rows? {
    switch self {
    case .open, .kept, .spilled: nil
    case .begun(let rows), .held(let rows): rows
    }
  }

  /// The number of rows that are known.
  var rowCount: Int {
    switch self {
    case .open: 0
    case .begun(let rows), .held(let rows): rows.count
    case .kept(let rows): rows.count
    case .spilled(let table): table.rowCount
    }
  }

  /// The first `count` rows, or more of them; `nil` where none was asked for yet.
  func firstRows(_ count: Int) throws(Failure) -> Rows? {
    switch self {
    case .open: return nil
    case .begun(let rows), .held(let rows): return rows
    case .spilled(let table): return try table.first(count)
    case .kept(let kept):
      var rows = Rows()
      for piece in 0..<kept.pieceCount where rows.count < count {
        do { rows.append(try kept.rows(ofPiece: piece)) } catch { throw Failure(reading: error) }
      }
      return rows
    }
  }

  /// Hands on the rows that are known in order, some at a time; it may be asked again.
  func play(_ body: (Rows) throws(Failure) -> Void) throws(Failure) {
    switch self {
    case .open: break
    case .begun(let rows), .held(let rows): try body(rows)
    case .spilled(let table): try table.play(body)
    case .kept(let kept):
      for piece in 0..<kept.pieceCount {
        let rows: Rows
        do { rows = try kept.rows(ofPiece: piece) } catch { throw Failure(reading: error) }
        try body(rows)
      }
    }
  }

  /// The rows in pieces for several threads, where there are at least two pieces of `size` rows.
  func pieces(of size: Int) -> RowPieces? {
    guard rowCount >= 2 * size else { return nil }
    switch self {
    case .held(let rows): return RowPieces(rows, size: size)
    case .kept(let rows): return RowPieces(rows)
    case .open, .begun, .spilled: return nil
    }
  }
}

extension Failure {
  /// Rows that could not be read a second time.
  init(reading error: SystemError) {
    switch error.operation {
    case .readAgain: self = .input(.changed(path: error.path))
    case .open, .read: self = .input(.system(error))
    case .write, .replace, .writeTemporary, .readTemporary: self = .spill(error)
    }
  }
}
