/// The rows of the sample table, a hundredth of them changed: every thousandth is gone, another is new, and every 125th
/// has another weight.
struct ChangedRows: Sequence, IteratorProtocol {
  /// A line of the changed file, or a row that is gone.
  struct Row {
    /// The line; empty if the row is gone.
    let csv: String

    /// How a line that tells of the change begins; `nil` if nothing has changed.
    let listed: String?
  }

  private var rows: SampleRows.Iterator
  private var ready: [Row] = []

  /// The number of lines so far.
  private var lineCount = 0

  /// The rows of a table of `count` rows.
  init(count: Int) { rows = SampleRows(count: count).makeIterator() }

  mutating func next() -> Row? {
    if let row = ready.popLast() { return row }
    guard var row = rows.next() else { return nil }
    let place = row.position
    if place % 1000 == 1 { return Row(csv: "", listed: "delete,\(place),,\(row.id),") }
    var added: Row?
    if place % 1000 == 2 {
      lineCount += 1
      let id = 1_000_000_000 + place
      added = Row(csv: "\(id),New,1,2025-01-01,alpha,Oslo,,true\n", listed: "insert,,\(lineCount),\(id),")
    }
    lineCount += 1
    var listed: String?
    if place % 125 == 3 {
      row.weight += 10_000
      listed = "update,\(place),\(lineCount),\(row.id),"
    }
    let made = Row(csv: row.csv, listed: listed)
    guard let added else { return made }
    ready.append(made)
    return added
  }
}
