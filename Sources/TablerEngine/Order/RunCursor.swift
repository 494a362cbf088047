/// The first row that is left of a sorted run, with what is needed to compare it.
final class RunCursor {
  /// The rows of the piece at hand.
  private(set) var rows = Rows()

  /// The place of the first row left, in the piece at hand.
  private(set) var place = 0

  /// Whether no row is left.
  private(set) var isDone = false

  /// The code of the row's first key; the highest where no row is left.
  private(set) var code = UInt64.max

  /// The code of what follows in the row's first key, where that is a text; else 0.
  private(set) var laterCode: UInt64 = 0

  /// The code of the row's second key, where the codes of the first settle that one.
  private var nextCode: UInt64?

  private var pieces: Range<Int>
  private var columns: [KeyColumn] = []

  /// Begins at the first row of the run in `pieces`.
  init(_ pieces: Range<Int>) { self.pieces = pieces }

  /// The row.
  @inline(__always)
  var id: RowID { rows.ids[place] }

  /// Goes on to the next row of the piece at hand; `false` where another one must be read.
  @inline(__always)
  func advance() -> Bool {
    place &+= 1
    guard place < rows.count else { return false }
    takeCodes()
    return true
  }

  /// Reads the next piece, if there is one.
  func load(
    from spilled: SpilledRows, _ order: SortOrder, _ deriver: inout KeyDeriver
  ) throws(SystemError) {
    rows = Rows()
    columns = []
    place = 0
    guard let piece = pieces.first else {
      isDone = true
      (code, laterCode) = (.max, 0)
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
    takeCodes()
  }

  /// Below 0, 0 or above 0, as the row comes before the other's, ties with it, or comes after.
  func order(against other: RunCursor) -> Int {
    if isDone || other.isDone { return isDone ? (other.isDone ? 0 : 1) : -1 }
    if code != other.code { return code < other.code ? -1 : 1 }
    if laterCode != other.laterCode { return laterCode < other.laterCode ? -1 : 1 }
    if let nextCode, let otherCode = other.nextCode, nextCode != otherCode {
      return nextCode < otherCode ? -1 : 1
    }
    let isFirstSettled = laterCode != 0 && columns[0].key.coder.isSettled(later: laterCode)
    for index in (isFirstSettled ? 1 : 0)..<columns.count {
      let code = columns[index].codes[place]
      let otherCode = other.columns[index].codes[other.place]
      if code != otherCode { return code < otherCode ? -1 : 1 }
      let order = columns[index].order(id, against: other.id, of: other.columns[index], code: code)
      if order != 0 { return order }
    }
    return 0
  }

  @inline(__always)
  private func takeCodes() {
    guard !columns.isEmpty else { return }
    code = columns[0].codes[place]
    let tie = columns[0].tie(code)
    laterCode = tie == .texts ? columns[0].laterCode(id) : 0
    let isSettled = tie == .settled || laterCode != 0 && columns[0].key.coder.isSettled(later: laterCode)
    nextCode = isSettled && columns.count > 1 ? columns[1].codes[place] : nil
  }
}

extension KeyColumn {
  /// The code of a row's text after the bytes that its first code holds.
  @inline(__always)
  fileprivate func laterCode(_ id: RowID) -> UInt64 { code(id, from: key.coder.codedBytes) }

  /// Below 0, 0 or above 0, as a row comes before another column's, ties with it, or comes after; both of one code.
  func order(_ row: RowID, against otherRow: RowID, of other: KeyColumn, code: UInt64) -> Int {
    let tie = key.coder.tie(code, hasInexact: hasInexact || other.hasInexact)
    if tie == .settled { return 0 }
    return key.coder.order(
      cell(row), in: batches[row.batch], other.cell(otherRow), in: other.batches[otherRow.batch], tie: tie)
  }
}
