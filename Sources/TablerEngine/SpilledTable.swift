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
  func first(_ count: Int) throws(Failure) -> Rows {
    var cursor = try Cursor(runs, range)
    var rows = Rows()
    while rows.count < count, let more = try cursor.next() { rows.append(more) }
    return rows
  }

  /// Hands on all rows in order, some at a time; it may be asked again.
  func play(_ body: (Rows) throws(Failure) -> Void) throws(Failure) {
    var cursor = try Cursor(runs, range)
    while let rows = try cursor.next() { try body(rows) }
  }
}

/// A place among the rows as they are merged.
private struct Cursor: ~Copyable {
  private var merger: RunMerger
  private let range: Range<Int>
  private var passed = 0

  init(_ runs: SpilledRuns, _ range: Range<Int>) throws(Failure) {
    do { merger = try runs.merged() } catch { throw .spill(error) }
    self.range = range
  }

  /// The next rows of the range; `nil` behind the last.
  mutating func next() throws(Failure) -> Rows? {
    while passed < range.upperBound {
      let more: Rows?
      do { more = try merger.next() } catch { throw .spill(error) }
      guard var rows = more else { return nil }
      let start = passed
      passed += rows.count
      if passed > range.upperBound { rows.ids.removeLast(passed - range.upperBound) }
      if start < range.lowerBound { rows.ids.removeFirst(min(range.lowerBound - start, rows.count)) }
      if rows.count > 0 { return rows }
    }
    return nil
  }
}
