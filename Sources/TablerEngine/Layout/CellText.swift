/// What the cells of one shown column say: the text that text, Markdown and HTML draw.
///
/// Made once per column and run; templates are bound when it is made.
struct CellText: Sendable {
  /// What a cell shows.
  enum Shown: Equatable, Sendable {
    /// A cell of the batch, as its content stands there.
    case cell(Cell)

    /// What was written to the scratch buffer.
    case scratch

    /// Nothing: null or missing, drawn as `--missing`.
    case absent
  }

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

  private let source: ShownColumn.Source

  /// The column of the batch that is shown byte for byte, if it is that simple.
  let verbatimColumn: Int?

  /// Prepares the texts of a column.
  init(_ column: ShownColumn) {
    source = column.source
    if case .column(let resolved) = column.source, resolved.path.isEmpty, column.format == nil {
      verbatimColumn = resolved.index
    } else {
      verbatimColumn = nil
    }
  }

  /// What the column shows in a row.
  ///
  /// - Parameters:
  ///   - batch: where the row lies.
  ///   - row: the row in its batch, from 0.
  ///   - number: the number of the row shown, from 1.
  ///   - scratch: emptied, and filled where the result is `.scratch`.
  mutating func show(_ batch: Batch, _ row: Int, number: Int, into scratch: inout ByteBuffer) -> Shown {
    switch source {
    case .column(let resolved):
      let cell = batch.cell(row: row, column: resolved.index)
      if resolved.path.isEmpty { return cell.isAbsent ? .absent : .cell(cell) }
      scratch.removeAll()
      return Self.append(resolved.path, of: batch.content(cell), to: &scratch) ? .scratch : .absent
    case .rowNumber:
      scratch.removeAll()
      scratch.append(decimal: number)
      return .scratch
    case .template:
      scratch.removeAll()
      return .scratch
    }
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
      case .text, .bool, .list, .object: return .text
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

extension CellText {
  /// Appends the nested value a path leads to; `false` if there is none, or null.
  private static func append(
    _ path: [PathStep], of content: Span<UInt8>, to output: inout ByteBuffer
  ) -> Bool {
    guard let found = JSONText.find(path, in: content) else { return false }
    let spelled = content.extracting(found.start..<found.end)
    switch found.kind {
    case .null, .missing, .empty: return false
    case .text where found.isEscaped: JSONText.decode(spelled, into: &output)
    case .list, .object: JSONText.compact(spelled, into: &output)
    case .text, .number, .bool: output.append(spelled)
    }
    return true
  }
}
