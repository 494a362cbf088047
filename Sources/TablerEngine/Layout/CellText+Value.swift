extension CellText {
  /// What a column holds before a format is applied.
  enum Value: Equatable, Sendable {
    /// A cell of the batch.
    case cell(Cell)

    /// A number that is no cell.
    case number

    /// A text that is no cell.
    case text

    /// Nothing.
    case none
  }

  /// What the column holds in a row; alignment is decided by it, not by how it is shown.
  func value(_ batch: Batch, _ row: Int) -> Value {
    switch source {
    case .column(let resolved):
      if resolved.path.isEmpty { return Self.value(batch.cell(row: row, column: resolved.index)) }
      let found = batch.value(of: resolved, row: row)
      if found.isWhole { return Self.value(found.cell) }
      switch found.kind {
      case .number: return .number
      case .null, .missing, .empty: return .none
      case .text:
        return batch.content(found.cell).extracting(found.place).isNullLike ? .none : .text
      case .bool, .list, .object: return .text
      }
    case .rowNumber: return .number
    case .template, .constant: return .text
    }
  }

  private static func value(_ cell: Cell) -> Value { cell.isNull ? .none : .cell(cell) }

  /// Whether the row has no such cell at all.
  func isMissing(_ batch: Batch, _ row: Int) -> Bool {
    guard case .column(let resolved) = source else { return false }
    if resolved.path.isEmpty { return batch.cell(row: row, column: resolved.index).kind == .missing }
    return batch.value(of: resolved, row: row).kind == .missing
  }
}
