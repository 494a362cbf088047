/// How many cells each record has while records are gathered: mostly all as many; where they differ, where each begins.
///
/// Records are made equally wide once, when all are there, and no wider than the widest of them: a short record costs
/// what it holds, not what the table is wide, and one column more with each record costs no copy of those before.
struct RecordWidths: Sendable {
  /// The cells of every record so far; -1 where they differ.
  private(set) var even: Int

  /// The most cells of a record, where they differ.
  private var most = 0

  /// Where the cells of each record begin, where they differ.
  private var firstCells: [Int] = []

  /// Expects every record to have so many cells.
  init(even: Int = -1) { self.even = even }

  /// The most cells of a record.
  var widest: Int { even >= 0 ? even : most }

  /// Notes a record of `fields` cells, which begin at `base`, after `count` others.
  ///
  /// May be left out for a record with as many cells as all.
  mutating func add(_ fields: Int, at base: Int, after count: Int) {
    if count == 0 { even = fields }
    if fields == even { return }
    if even >= 0 {
      firstCells = (0..<count).map { $0 &* even }
      most = even
      even = -1
    }
    firstCells.append(base)
    most = max(most, fields)
  }

  /// The cells of all records, to each as many as the widest has.
  func evened(_ cells: [Cell]) -> [Cell] {
    if even >= 0 { return cells }
    var wide: [Cell] = []
    wide.reserveCapacity(firstCells.count * most)
    for record in firstCells.indices {
      let first = firstCells[record]
      let end = record + 1 < firstCells.count ? firstCells[record + 1] : cells.count
      wide.append(contentsOf: cells[first..<end])
      for _ in end - first..<most { wide.append(.missing) }
    }
    return wide
  }
}
