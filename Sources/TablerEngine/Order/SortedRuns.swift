/// Sorted runs of rows in a temporary file, merged when they are read: for a table that does not fit into memory.
///
/// 1. The rows that fit are sorted by `Sorter` and added as one run, again and again.
/// 2. If there are more than `fanIn` runs at the end, that many adjacent ones at a time are merged into one,
///    in a new file; fewer at a time if rows are so large that those of all runs would take too much memory.
/// 3. All runs are then read at once, and merged into the final order, as often as requested.
///
/// Rows that are equal by all keys come in the order of their runs, so that the result is as stable as one
/// sort. During a merge, each run holds one piece in memory: three to four times
/// `StoredRows.standardPieceSize`.
///
/// - Complexity: O(*n* log *n*) comparisons for *n* rows; each pass over the rows reads them once and takes
///   O(*n* log *r*) comparisons for *r* runs.
struct SortedRuns: RowStore {
  /// The order of the rows.
  private let order: SortOrder

  /// The number of runs that are merged at once.
  private static let standardFanIn = 64

  /// The bytes that the pieces of the runs merged at once may take together, including the values of keys.
  private static let mergeRoom = 48 << 20

  private let pieceSize: Int
  private let mostFanIn: Int
  private var rows: StoredRows

  /// The pieces of each run.
  private var runs: [Range<Int>] = []

  /// The rows of the order that are shown, if not all are.
  private var shown: Range<Int>?

  /// Begins without runs.
  init(_ order: SortOrder, pieceSize: Int = StoredRows.standardPieceSize, fanIn: Int = standardFanIn) {
    precondition(fanIn > 1)
    self.order = order
    self.pieceSize = pieceSize
    mostFanIn = fanIn
    rows = StoredRows(pieceSize: pieceSize)
  }

  var count: Int { shown?.count ?? rows.count }

  var isMerged: Bool { true }

  /// Writes rows that are already sorted; those of the next run come after them if they are equal.
  ///
  /// - Parameters:
  ///   - cutter: the cutter of the records of all of them, if they hold only the notes on their keys.
  ///   - goesOn: whether they belong to the run that was added last, and come after its rows.
  mutating func add(
    run: Rows, cutter: (any BatchCutter)? = nil, goesOn: Bool = false
  ) throws(SystemError) {
    guard run.count > 0 else { return }
    let first = rows.pieceCount
    try rows.spill(run, cutter: cutter)
    if goesOn, let last = runs.popLast() {
      runs.append(last.lowerBound..<rows.pieceCount)
    } else {
      runs.append(first..<rows.pieceCount)
    }
  }

  /// The number of runs that are merged at once: as many as there is room for.
  private var fanIn: Int {
    let piece = rows.largestPiece * (order.derivesValues ? 2 : 1)
    // A row of very many cells takes about four times its size once it is read, beside what is merged of it.
    let room = piece > 2 * StoredRows.standardPieceSize ? Self.mergeRoom / 6 : Self.mergeRoom
    return min(mostFanIn, max(2, room / max(piece, 1)))
  }

  /// Merges runs until the rest can be merged at once; to be called after the last was added.
  mutating func finish() throws(SystemError) {
    let fanIn = fanIn
    while runs.count > fanIn { try mergeNeighbours(fanIn) }
  }

  /// Shows only some of the rows.
  mutating func show(_ range: Range<Int>) { shown = range }

  /// The rows in order, merged into another temporary file, so that they can be read in any order.
  func stored() throws(SystemError) -> StoredRows {
    var stored = StoredRows()
    var merge = try merge(runs)
    while let more = try merge.next() { try stored.spill(more) }
    return stored
  }

  func pieces(of size: Int, rowSize: Int) throws(SystemError) -> RowPieces {
    let pass = MergePass(try merge(runs), shown ?? 0..<rows.count, Tuning.pieceSize(rowSize, atMost: size))
    return { (number) throws(SystemError) in try pass.piece(number) }
  }
}

extension SortedRuns {
  private func merge(_ runs: [Range<Int>]) throws(SystemError) -> Merge { try Merge(rows, runs, order) }

  /// Merges each `fanIn` adjacent runs into one, in a new file.
  private mutating func mergeNeighbours(_ fanIn: Int) throws(SystemError) {
    var target = StoredRows(pieceSize: pieceSize)
    var longer: [Range<Int>] = []
    Progress.enter(.merging, rows: rows.count)
    for start in stride(from: 0, to: runs.count, by: fanIn) {
      let first = target.pieceCount
      var merge = try merge(Array(runs[start..<min(start + fanIn, runs.count)]))
      while let more = try merge.next() {
        try target.spill(more)
        Progress.advance(rows: more.count)
      }
      longer.append(first..<target.pieceCount)
    }
    rows = target
    runs = longer
  }
}

/// One pass over the rows in order: a thread that requests a piece waits until the earlier pieces were delivered.
private final class MergePass: @unchecked Sendable {
  // Why it may be shared: all changes are made in `piece`, by the thread that requests the piece whose turn
  // it is. No two threads request the same piece, and the monitor orders what one writes before what the next
  // reads.

  private let turn = Monitor(0)
  private var merge: Merge
  private let size: Int

  /// The rows that are delivered, and the number of rows merged so far.
  private let shown: Range<Int>
  private var mergedCount = 0

  /// The rows that were merged last, and how many of them were delivered.
  private var rows = Rows()
  private var place = 0
  private var count = 0
  private var isOver = false

  init(_ merge: consuming Merge, _ shown: Range<Int>, _ size: Int) {
    self.merge = merge
    self.shown = shown
    self.size = size
  }

  /// The piece of that number, once the earlier ones were delivered.
  func piece(_ number: Int) throws(SystemError) -> RowPiece? {
    turn.wait { $0 == number ? () : nil }
    defer { turn.access { $0 += 1 } }
    if isOver { return nil }
    isOver = true
    if place == rows.count {
      // The earlier rows are no longer needed; large ones make room for the next.
      rows = Rows()
      guard let more = try next() else { return nil }
      (rows, place) = (more, 0)
    }
    isOver = false
    let range = place..<place + min(size, rows.count - place)
    place = range.upperBound
    count += range.count
    return RowPiece(rows: rows, range: range, start: count - range.count)
  }

  /// The next rows that are shown; `nil` after the last.
  private func next() throws(SystemError) -> Rows? {
    while mergedCount < shown.upperBound {
      guard var rows = try merge.next() else { return nil }
      let start = mergedCount
      mergedCount += rows.count
      if mergedCount > shown.upperBound { rows.ids.removeLast(mergedCount - shown.upperBound) }
      if start < shown.lowerBound { rows.ids.removeFirst(min(shown.lowerBound - start, rows.count)) }
      if rows.count > 0 { return rows }
    }
    return nil
  }
}

/// Merges the rows of sorted runs in order, a few thousand at a time.
///
/// The heads of the runs are the leaves of a tree whose inner nodes remember the loser of each comparison, so
/// that finding the next row takes as many comparisons as the tree is high. No row is copied; the rows
/// delivered are in the pieces as they were read.
///
/// - Complexity: O(log *r*) comparisons for each row of *r* runs.
private struct Merge: ~Copyable {
  private let order: SortOrder
  private var deriver: KeyDeriver
  private var heads: [RunHead] = []

  /// The code of each head's row.
  private var codes: [UInt64] = []

  /// The loser at each inner node of the tree; the overall winner at 0.
  private var losers: [Int] = []

  /// The first batch of each head's piece among the batches being delivered; -1 if they are not among them.
  private var bases: [Int] = []

  /// The maximum number of rows that are delivered together.
  private static let mostRows = 4096

  /// The head whose piece ended in the rows delivered last, if that piece is large: the next one is read when
  /// these rows are no longer needed.
  private var ended: Int?

  /// The number of pieces that may end in rows delivered together.
  private static let mostPieces = 8

  /// Begins to merge runs, each a range of pieces of `stored`.
  init(_ stored: StoredRows, _ runs: [Range<Int>], _ order: SortOrder) throws(SystemError) {
    self.order = order
    deriver = KeyDeriver(order)
    for run in runs {
      let head = RunHead(stored, run)
      try head.load(order, &deriver)
      heads.append(head)
    }
    codes = heads.map(\.code)
    bases = heads.map { _ in -1 }
    build()
  }

  /// The next rows; `nil` after the last.
  mutating func next() throws(SystemError) -> Rows? {
    if let head = ended.take() { try load(head) }
    guard let winner = losers.first, !heads[winner].isDone else { return nil }
    if heads.count == 1 {
      let rows = heads[0].rows
      if heads[0].isLarge {
        heads[0].drop()
        ended = 0
      } else {
        try load(0)
      }
      return rows
    }
    var rows = Rows()
    rows.ids.reserveCapacity(Self.mostRows)
    for index in bases.indices { bases[index] = -1 }
    var finished = 0
    while rows.count < Self.mostRows, finished < Self.mostPieces {
      let winner = losers[0]
      if heads[winner].isDone { break }
      deliverRow(of: winner, to: &rows)
      if heads[winner].advance() {
        codes[winner] = heads[winner].code
        update(winner)
        continue
      }
      if heads[winner].isLarge {
        heads[winner].drop()
        ended = winner
        break
      }
      try load(winner)
      bases[winner] = -1
      finished += 1
    }
    return rows
  }

  /// Moves on to the next piece of a head that won.
  private mutating func load(_ head: Int) throws(SystemError) {
    try heads[head].load(order, &deriver)
    codes[head] = heads[head].code
    update(head)
  }
}

extension Merge {
  /// Delivers the row of a head.
  @inline(__always)
  private mutating func deliverRow(of head: Int, to rows: inout Rows) {
    if bases[head] < 0 {
      bases[head] = rows.batches.count
      rows.batches += heads[head].rows.batches
    }
    let id = heads[head].id
    rows.ids.append(RowID(batch: bases[head] &+ id.batch, row: id.row))
  }

  /// Builds the tree.
  private mutating func build() {
    let count = heads.count
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

  /// Updates the tree after a head that won has moved on to another row.
  @inline(__always)
  private mutating func update(_ head: Int) {
    var winner = head
    var node = (head &+ heads.count) / 2
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

  /// Whether the row of one head comes before that of another; equal ones come in the order of the runs.
  @inline(__always)
  private func precedes(_ left: Int, _ right: Int) -> Bool {
    if codes[left] != codes[right] { return codes[left] < codes[right] }
    return tied(left, right)
  }

  @inline(never)
  private func tied(_ left: Int, _ right: Int) -> Bool {
    let order = heads[left].order(against: heads[right])
    return order == 0 ? left < right : order < 0
  }
}

/// The first remaining row of a sorted run, with what is needed to compare it.
private final class RunHead {
  /// The rows of the current piece.
  private(set) var rows = Rows()

  /// The position of the first remaining row in the current piece.
  private(set) var place = 0

  /// Whether no row is left.
  private(set) var isDone = false

  /// The code of the row's first key; the highest if no row is left.
  private(set) var code = UInt64.max

  /// The code of the bytes that follow in the row's first key, if that is a text; otherwise 0.
  private(set) var laterCode: UInt64 = 0

  /// The code of the row's second key, if the codes of the first key are settled.
  private var nextCode: UInt64?

  private let stored: StoredRows
  private var pieces: Range<Int>
  private var columns: [KeyColumn] = []

  /// Starts before the first row of the run in some pieces of `stored`.
  init(_ stored: StoredRows, _ pieces: Range<Int>) {
    self.stored = stored
    self.pieces = pieces
  }

  /// The row.
  @inline(__always)
  var id: RowID { rows.ids[place] }

  /// Moves to the next row of the current piece; `false` if another piece must be read.
  @inline(__always)
  func advance() -> Bool {
    place &+= 1
    guard place < rows.count else { return false }
    takeCodes()
    return true
  }

  /// Whether the current piece contains a large batch, of which few may be held at once.
  var isLarge: Bool { rows.batches.contains(where: \.isLarge) }

  /// Drops the current piece.
  func drop() { (rows, columns, place) = (Rows(), [], 0) }

  /// Reads the next piece, if there is one.
  func load(_ order: SortOrder, _ deriver: inout KeyDeriver) throws(SystemError) {
    drop()
    guard let piece = pieces.first else {
      isDone = true
      (code, laterCode) = (.max, 0)
      return
    }
    pieces.removeFirst()
    rows = try stored.rows(ofPiece: piece)
    do throws(SortError) {
      columns = try order.columns(of: rows, &deriver)
    } catch {
      // Every row was encoded before, when its run was sorted.
      throw stored.damage
    }
    takeCodes()
  }

  /// Below 0, 0 or above 0, as the row comes before the other's, ties with it, or comes after.
  func order(against other: RunHead) -> Int {
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
  /// The code of a row's text after the bytes that its first code contains.
  @inline(__always)
  fileprivate func laterCode(_ id: RowID) -> UInt64 { code(id, from: key.coder.codedBytes) }
}
