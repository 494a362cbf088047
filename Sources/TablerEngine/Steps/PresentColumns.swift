extension Batch {
  /// Whether its records are as they were read, in a dialect.
  func hasRecords(in dialect: Dialect) -> Bool { origin.isVerbatim && origin.dialect.matches(dialect) }

  /// The bytes of the cells of a row, as they were read.
  @inline(__always)
  @_lifetime(borrow self)
  func record(_ row: Int) -> Span<UInt8> {
    let start = Int(recordStarts[row])
    return block.span(from: start, count: endOfCells(row) - start, heldBy: self)
  }

  /// Appends the text by which a cell is compared with one of another table: its content; nothing for null, and JSON
  /// without white space.
  ///
  /// - Parameter marksEmpty: whether an empty text differs from null.
  /// - Returns: whether there is a text.
  @discardableResult
  func append(
    comparedTextOf column: ResolvedColumn, row: Int, marksEmpty: Bool = false, to out: inout ByteBuffer
  ) -> Bool {
    let start = out.count
    let found = column.path.isEmpty && column.longer.isEmpty ? nil : value(of: column, row: row)
    let cell = found?.cell ?? cell(row: row, column: column.index)
    switch found?.kind ?? cell.kind {
    case .null, .missing: return false
    case .list, .object:
      if let found, !found.isWhole {
        found.appendText(of: content(cell), to: &out)
      } else {
        JSONText.compact(content(cell), into: &out)
      }
    case .text, .number, .bool, .empty:
      if let found, !found.isWhole {
        found.appendText(of: content(cell), to: &out)
      } else {
        out.append(content(cell))
      }
      // A byte that is in no text of UTF-8.
      if marksEmpty, out.count == start, (found?.kind ?? cell.kind) == .text { out.append(0xFF) }
    }
    return out.count > start
  }
}

/// Finds those of some columns that a row has a cell in: in sparse batches without asking for each.
struct PresentColumns: Sendable {
  private let columns: [ResolvedColumn]

  /// The numbers of the columns that are whole, by their indices, and of all others.
  private let numbers: [Int: [Int]]
  private let others: [Int]

  /// Prepares to find some columns.
  init(_ columns: [ResolvedColumn]) {
    self.columns = columns
    let isWhole = columns.map { $0.path.isEmpty && $0.longer.isEmpty }
    numbers = Dictionary(grouping: columns.indices.filter { isWhole[$0] }) { columns[$0].index }
    others = columns.indices.filter { !isWhole[$0] }
  }

  /// The numbers of the columns in which a row may have a cell, in order.
  ///
  /// - Complexity: O(*m* log *m*) for the *m* cells of the row if the batch is sparse, otherwise O(*n*) for *n* columns.
  func inRow(_ row: Int, of batch: Batch) -> [Int] {
    guard batch.sparse != nil else { return Array(columns.indices) }
    var found = others
    for index in batch.cellIndices(ofRow: row) {
      found += numbers[batch.column(ofCell: index, row: row)] ?? []
    }
    return found.sorted()
  }
}
