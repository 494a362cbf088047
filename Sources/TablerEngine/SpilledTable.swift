/// The rows of a table that lie in a temporary file: those that `--skip`, `--head` and `--tail` leave of them.
struct SpilledTable {
  private let runs: SpilledRuns
  private let range: Range<Int>

  /// Shows `range` of the rows in order.
  init(_ runs: SpilledRuns, _ range: Range<Int>) {
    self.runs = runs
    self.range = range
  }

  /// The number of rows.
  var rowCount: Int { range.count }

  /// The first `count` rows, or some more.
  func first(_ count: Int) throws(SystemError) -> Rows {
    var cursor = try MergeCursor(runs, range)
    var rows = Rows()
    while rows.count < count, let more = try cursor.next() { rows.append(more) }
    return rows
  }

  /// The rows from the first on, to be had once.
  func rows() throws(SystemError) -> MergeCursor { try MergeCursor(runs, range) }

  /// All rows in pieces of at most `size`, merged by whoever asks for the next; to be had once.
  func pieces(of size: Int) throws(SystemError) -> RowPieces { RowPieces(MergedPieces(try rows(), size)) }
}

/// A place among the rows as they are merged.
struct MergeCursor: ~Copyable {
  private var merger: RunMerger
  private let range: Range<Int>
  private var passed = 0

  fileprivate init(_ runs: SpilledRuns, _ range: Range<Int>) throws(SystemError) {
    merger = try runs.merged()
    self.range = range
  }

  /// The next rows of the range; `nil` after the last.
  mutating func next() throws(SystemError) -> Rows? {
    while passed < range.upperBound {
      guard var rows = try merger.next() else { return nil }
      let start = passed
      passed += rows.count
      if passed > range.upperBound { rows.ids.removeLast(passed - range.upperBound) }
      if start < range.lowerBound { rows.ids.removeFirst(min(range.lowerBound - start, rows.count)) }
      if rows.count > 0 { return rows }
    }
    return nil
  }
}

extension KeptRows {
  /// Keeps the rows of all runs, in their order, in another temporary file.
  init(_ runs: SpilledRuns) throws(SystemError) {
    self.init(foldingSize: 0)
    var cursor = try SpilledTable(runs, 0..<runs.rowCount).rows()
    while let rows = try cursor.next() {
      append(rows)
      try spill()
    }
  }
}

/// Rows that are merged piece by piece: a thread that asks for one waits until those before it are there.
private final class MergedPieces: RowStream, @unchecked Sendable {
  // Why it may be shared: what changes is touched in `piece` alone, by the thread that asks for the piece whose turn it
  // is. No two ask for the same, and the monitor orders what one writes before what the next reads.

  private let turn = Monitor(0)
  private var cursor: MergeCursor
  private let size: Int
  private var rows = Rows()
  private var place = 0
  private var count = 0
  private var isOver = false

  init(_ cursor: consuming MergeCursor, _ size: Int) {
    self.cursor = cursor
    self.size = size
  }

  func piece(_ index: Int) throws(SystemError) -> RowPieces.Piece? {
    turn.wait { $0 == index ? () : nil }
    defer { turn.access { $0 += 1 } }
    if isOver { return nil }
    isOver = true
    if place == rows.count {
      guard let more = try cursor.next() else { return nil }
      (rows, place) = (more, 0)
    }
    isOver = false
    let range = place..<min(place + size, rows.count)
    place = range.upperBound
    count += range.count
    return RowPieces.Piece(rows: rows, range: range, start: count - range.count)
  }
}
