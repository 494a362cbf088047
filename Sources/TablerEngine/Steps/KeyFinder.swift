/// Finds columns that tell all rows of two tables apart, to be named if none was or if those named do not.
struct KeyFinder {
  private let columns: [ComparedColumns.CommonColumn]

  /// The number of first rows of each table that are examined.
  private static let mostRows = 100_000

  /// The number of first columns of which two are tried together.
  private static let mostColumns = 16

  /// The number of columns beyond which none is looked for.
  private static let mostTried = 64

  /// Prepares to find some of the columns that two tables have in common.
  init(_ columns: ComparedColumns) {
    self.columns = columns.pairs.filter { $0.old.path.isEmpty && $0.new.path.isEmpty }
  }

  /// The columns that alone tell all rows apart.
  ///
  /// - Complexity: O(*n*) in the cells of the first rows.
  func keys(of old: ComparedTable, _ new: ComparedTable) throws(SystemError) -> [String] {
    if columns.count > Self.mostTried || old.rows.count < 2 || new.rows.count < 2 { return [] }
    let found = try unique(columns.indices.map { [$0] }, old, new)
    return found.map { columns[$0[0]].name }
  }

  /// The first column that tells all rows apart, or the first two that do together; none if there are none.
  func key(of old: ComparedTable, _ new: ComparedTable) throws(SystemError) -> [String] {
    if let key = try keys(of: old, new).first { return [key] }
    let some = columns.indices.prefix(Self.mostColumns)
    let pairs = some.flatMap { first in some.filter { $0 > first }.map { [first, $0] } }
    return try unique(pairs, old, new).first?.map { columns[$0].name } ?? []
  }

  /// The sets of columns whose cells differ in all rows of both tables, and are never null.
  private func unique(
    _ sets: [[Int]], _ old: ComparedTable, _ new: ComparedTable
  ) throws(SystemError) -> [[Int]] {
    var left = sets
    for (table, isOld) in [(old, true), (new, false)] {
      var seen = [Set<UInt64>](repeating: [], count: left.count)
      var isUnique = [Bool](repeating: true, count: left.count)
      var key = ByteBuffer()
      let pieces = table.rows.pieces(of: .max, rowSize: 0)
      var number = 0
      while isUnique.contains(true), let piece = try pieces(number), piece.start < Self.mostRows {
        number += 1
        let rows = piece.own
        for id in rows.ids.prefix(Self.mostRows - piece.start) {
          let batch = rows.batches[id.batch]
          for index in left.indices where isUnique[index] {
            key.truncate(to: 0)
            let isWhole = left[index].allSatisfy { column in
              let start = key.count
              let source = isOld ? columns[column].old : columns[column].new
              let hasText = batch.append(comparedTextOf: source, row: id.row, to: &key)
              key.append(raw: [key.count - start])
              return hasText
            }
            isUnique[index] = isWhole && seen[index].insert(key.span.hash(seed: 0)).inserted
            if !isUnique[index] { seen[index] = [] }
          }
        }
      }
      left = zip(left, isUnique).filter(\.1).map(\.0)
    }
    return left
  }
}
