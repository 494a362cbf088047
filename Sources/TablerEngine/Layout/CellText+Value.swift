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
      let cell = batch.cell(row: row, column: resolved.index)
      if resolved.path.isEmpty { return cell.isNull ? .none : .cell(cell) }
      guard let found = JSONText.find(resolved.path, in: batch.content(cell)) else { return .none }
      switch found.kind {
      case .number: return .number
      case .null, .missing, .empty: return .none
      case .text:
        return batch.content(cell).extracting(found.start..<found.end).isNullLike ? .none : .text
      case .bool, .list, .object: return .text
      }
    case .rowNumber: return .number
    case .template: return .text
    }
  }

  /// Whether the row has no such cell at all.
  func isMissing(_ batch: Batch, _ row: Int) -> Bool {
    guard case .column(let resolved) = source else { return false }
    let cell = batch.cell(row: row, column: resolved.index)
    if cell.kind == .missing || resolved.path.isEmpty { return cell.kind == .missing }
    return JSONText.find(resolved.path, in: batch.content(cell)) == nil
  }
}
