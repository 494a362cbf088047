/// Some of the rows of several batches.
struct RowSet: Sendable {
  private var isMember: [[Bool]] = []

  /// Adds the next batch, with the rows of it that belong to the set.
  mutating func addBatch(rowCount: Int, _ members: [UInt32]) {
    guard !members.isEmpty else { return isMember.append([]) }
    var flags = [Bool](repeating: false, count: rowCount)
    for row in members { flags[Int(row)] = true }
    isMember.append(flags)
  }

  /// Whether a row belongs to the set.
  func contains(_ id: RowID) -> Bool {
    guard id.batch < isMember.count, id.row < isMember[id.batch].count else { return false }
    return isMember[id.batch][id.row]
  }
}
