/// Merges sorted runs: the rows of all of them, in order, a few thousand at a time.
///
/// The runs play a tournament: the tree remembers who lost where, so that the next row is found by as many
/// comparisons as the tree is high. No row is copied; what is handed on lies in the pieces as they were read.
struct RunMerger: ~Copyable {
  private let spilled: SpilledRows
  private let order: SortOrder
  private var deriver: KeyDeriver
  private var cursors: [RunCursor] = []

  /// The code of each cursor's row.
  private var codes: [UInt64] = []

  /// Who lost at each inner node of the tree; the winner of all at 0.
  private var losers: [Int] = []

  /// The first batch of each cursor's piece among the batches being handed on; -1 where it is not there.
  private var bases: [Int] = []

  /// The most rows handed on together.
  private static let mostRows = 4096

  /// How many pieces may come to their end in rows handed on together.
  private static let mostPieces = 8

  /// Begins to merge runs, each some pieces of `spilled`.
  init(_ spilled: SpilledRows, _ runs: [Range<Int>], _ order: SortOrder) throws(SystemError) {
    self.spilled = spilled
    self.order = order
    deriver = KeyDeriver(order)
    for run in runs {
      let cursor = RunCursor(run)
      try cursor.load(from: spilled, order, &deriver)
      cursors.append(cursor)
    }
    codes = cursors.map(\.code)
    bases = cursors.map { _ in -1 }
    plant()
  }

  /// The next rows; `nil` after the last.
  mutating func next() throws(SystemError) -> Rows? {
    guard let winner = losers.first, !cursors[winner].isDone else { return nil }
    if cursors.count == 1 {
      let rows = cursors[0].rows
      try cursors[0].load(from: spilled, order, &deriver)
      return rows
    }
    var rows = Rows()
    rows.ids.reserveCapacity(Self.mostRows)
    for index in bases.indices { bases[index] = -1 }
    var finished = 0
    while rows.count < Self.mostRows, finished < Self.mostPieces {
      let winner = losers[0]
      if cursors[winner].isDone { break }
      take(winner, &rows)
      if !cursors[winner].advance() {
        try cursors[winner].load(from: spilled, order, &deriver)
        bases[winner] = -1
        finished += 1
      }
      codes[winner] = cursors[winner].code
      replay(winner)
    }
    return rows
  }
}

extension RunMerger {
  /// Hands on the row of a cursor.
  @inline(__always)
  private mutating func take(_ cursor: Int, _ rows: inout Rows) {
    if bases[cursor] < 0 {
      bases[cursor] = rows.batches.count
      rows.batches += cursors[cursor].rows.batches
    }
    let id = cursors[cursor].id
    rows.ids.append(RowID(batch: bases[cursor] &+ id.batch, row: id.row))
  }

  /// Plays all matches.
  private mutating func plant() {
    let count = cursors.count
    losers = [Int](repeating: -1, count: count)
    for contender in (0..<count).reversed() {
      var winner = contender
      var node = (contender + count) / 2
      while node > 0 {
        if losers[node] < 0 {
          losers[node] = winner
          winner = -1
          break
        }
        if precedes(losers[node], winner) { swap(&losers[node], &winner) }
        node /= 2
      }
      if winner >= 0 { losers[0] = winner }
    }
  }

  /// Plays the matches of a cursor that won and has a new row.
  @inline(__always)
  private mutating func replay(_ cursor: Int) {
    var winner = cursor
    var node = (cursor &+ cursors.count) / 2
    while node > 0 {
      let loser = losers[node]
      if precedes(loser, winner) {
        losers[node] = winner
        winner = loser
      }
      node /= 2
    }
    losers[0] = winner
  }

  /// Whether the row of one cursor comes before that of another; equal ones come in the order of the runs.
  @inline(__always)
  private func precedes(_ left: Int, _ right: Int) -> Bool {
    if codes[left] != codes[right] { return codes[left] < codes[right] }
    return tied(left, right)
  }

  @inline(never)
  private func tied(_ left: Int, _ right: Int) -> Bool {
    let order = cursors[left].order(against: cursors[right])
    return order == 0 ? left < right : order < 0
  }
}
