/// Sorted runs of rows in a temporary file, for tables that do not fit into memory.
///
/// 1. The rows that fit are sorted by `Sorter` and added as one run, again and again.
/// 2. If there are more than `fanIn` runs, that many neighbours at a time are merged into one, in a new file.
/// 3. `merged` reads all runs at once and yields the rows in order, as often as it is asked.
///
/// Rows that are equal by all keys come in the order of their runs, so that the whole is as stable as one sort.
/// While they are merged, each run holds one piece in memory: three to four times `SpilledRows.standardPieceSize`.
final class SpilledRuns {
  /// What the rows are sorted by.
  let order: SortOrder

  /// How many runs are merged at once.
  static let standardFanIn = 64

  private let directory: FilePath?
  private let pieceSize: Int
  private let fanIn: Int
  private var rows: SpilledRows

  /// The pieces of each run.
  private var runs: [Range<Int>] = []

  /// Opens a temporary file for runs.
  ///
  /// - Parameter directory: where; by default as the environment says.
  init(
    _ order: SortOrder, in directory: FilePath? = nil, pieceSize: Int = SpilledRows.standardPieceSize,
    fanIn: Int = standardFanIn
  ) throws(SystemError) {
    precondition(fanIn > 1)
    self.order = order
    self.directory = directory
    self.pieceSize = pieceSize
    self.fanIn = fanIn
    rows = SpilledRows(try SpillFile(in: directory), pieceSize: pieceSize)
  }

  /// The number of rows in all runs.
  var rowCount: Int { rows.rowCount }

  /// Writes rows that are sorted already; those of the next run come after them where they are equal.
  ///
  /// - Parameter cutter: what cuts them again, if they were made lean.
  func add(run: Rows, _ cutter: (any BatchCutter)? = nil) throws(SystemError) {
    guard run.count > 0 else { return }
    let first = rows.pieceCount
    if let cutter { try rows.append(run, cutter) } else { try rows.append(run) }
    try rows.finishPiece()
    runs.append(first..<rows.pieceCount)
  }

  /// All rows in order, from the first on.
  func merged() throws(SystemError) -> RunMerger {
    while runs.count > fanIn { try mergeNeighbours() }
    return try RunMerger(rows, runs, order)
  }
}

extension SpilledRuns {
  /// Makes one run of each `fanIn` that follow one another, in a new file.
  private func mergeNeighbours() throws(SystemError) {
    let target = SpilledRows(try SpillFile(in: directory), pieceSize: pieceSize)
    var longer: [Range<Int>] = []
    var start = 0
    while start < runs.count {
      let end = min(start + fanIn, runs.count)
      let first = target.pieceCount
      var merger = try RunMerger(rows, Array(runs[start..<end]), order)
      while let more = try merger.next() { try target.append(more) }
      try target.finishPiece()
      longer.append(first..<target.pieceCount)
      start = end
    }
    rows = target
    runs = longer
  }
}
