/// The first row that is left of a sorted run, with what is needed to compare it.
struct RunCursor {
  /// The rows of the piece at hand.
  private(set) var rows = Rows()

  /// The place of the first row left, in the piece at hand.
  private(set) var place = 0

  /// Whether no row is left.
  private(set) var isDone = false

  private var pieces: Range<Int>
  private var columns: [KeyColumn] = []

  /// Begins at the first row of the run in `pieces`.
  init(_ pieces: Range<Int>) { self.pieces = pieces }

  /// The row.
  @inline(__always)
  var id: RowID { rows.ids[place] }

  /// The code of the row's first key; that of null where no row is left.
  @inline(__always)
  var code: UInt64 { isDone || columns.isEmpty ? .max : columns[0].codes[place] }

  /// Goes on to the next row of the piece at hand; `false` where another one must be read.
  @inline(__always)
  mutating func advance() -> Bool {
    place &+= 1
    return place < rows.count
  }

  /// Reads the next piece, if there is one.
  mutating func load(
    from spilled: SpilledRows, _ order: SortOrder, _ deriver: inout KeyDeriver
  ) throws(SystemError) {
    rows = Rows()
    columns = []
    place = 0
    guard let piece = pieces.first else {
      isDone = true
      return
    }
    pieces.removeFirst()
    rows = try spilled.piece(piece)
    do throws(SortError) {
      columns = try order.columns(of: rows, &deriver)
    } catch {
      // Every row was coded before, when its run was sorted.
      throw spilled.damage
    }
  }

  /// Below 0, 0 or above 0, as the row comes before the other's, ties with it, or comes after.
  func order(against other: RunCursor) -> Int {
    if isDone || other.isDone { return isDone ? (other.isDone ? 0 : 1) : -1 }
    for index in columns.indices {
      let code = columns[index].codes[place]
      let otherCode = other.columns[index].codes[other.place]
      if code != otherCode { return code < otherCode ? -1 : 1 }
      let order = columns[index].order(id, against: other.id, of: other.columns[index], code: code)
      if order != 0 { return order }
    }
    return 0
  }
}

extension KeyColumn {
  /// Below 0, 0 or above 0, as a row comes before another column's, ties with it, or comes after; both of one code.
  func order(_ row: RowID, against otherRow: RowID, of other: KeyColumn, code: UInt64) -> Int {
    let tie = key.coder.tie(code, hasInexact: hasInexact || other.hasInexact)
    if tie == .settled { return 0 }
    return key.coder.order(
      cell(row), in: batches[row.batch], other.cell(otherRow), in: other.batches[otherRow.batch], tie: tie)
  }
}
