/// The cells of one shown column as texts: what text, Markdown and HTML draw.
///
/// It is created once per column and run.
struct CellText: Sendable {
  /// What is shown for a cell.
  enum Shown: Equatable, Sendable {
    /// A cell of the batch, with its content unchanged.
    case cell(Cell)

    /// The text that was written to the scratch buffer.
    case scratch

    /// Nothing: null or missing, drawn as `--missing`.
    case absent

    /// Whether it is drawn dim: it is null in expressions, and not blank.
    var isDim: Bool {
      switch self {
      case .cell(let cell): cell.isMisfit
      case .scratch: false
      case .absent: true
      }
    }
  }

  /// The source of the cells.
  let source: ShownColumn.CellSource

  /// The template of a format, or of a column that consists of one; none or one, in an array so that the many
  /// texts without a template stay small.
  private var fillings: [Filling] = []

  /// The texts of the cells before they were changed; none or one.
  private var changes: [Change] = []

  /// The cells of the column in an older table.
  private struct Change {
    var old: CellText
    let cells: ShownColumn.EarlierCells

    /// The bytes of the old text and of the sign before the new one, in the text shown last; `nil` if the cell has not
    /// changed.
    var lengths: (old: Int, sign: Int)?
  }

  /// A template, and the state of filling it.
  private struct Filling {
    let template: RowTemplate
    var state: EvaluationState
  }

  /// The column of the batch that is shown byte for byte, if this is possible.
  private(set) var verbatimColumn: Int?

  /// Prepares the texts of a column as in the input: formats are not applied.
  init(plain column: ShownColumn) { self.init(column.source, template: nil) }

  /// Prepares the texts of a column.
  init(_ column: ShownColumn) {
    if case .template(let template) = column.source {
      self.init(template)
    } else {
      self.init(column.source, template: column.format)
    }
    guard let earlier = column.earlier else { return }
    let old = CellText(.column(ResolvedColumn(index: earlier.index)), template: column.format)
    changes = [Change(old: old, cells: earlier)]
    verbatimColumn = nil
  }

  /// Prepares the texts of a template filled from rows, such as the title of a card.
  init(_ template: RowTemplate) { self.init(.template(template), template: template) }

  /// Prepares a text that is the same in every row.
  init(constant text: [UInt8]) { self.init(.constant(text), template: nil) }

  private init(_ source: ShownColumn.CellSource, template: RowTemplate?) {
    self.source = source
    if let template { fillings = [Filling(template: template, state: template.freshState)] }
    if case .column(let resolved) = source, resolved.path.isEmpty, template == nil {
      verbatimColumn = resolved.index
    } else {
      verbatimColumn = nil
    }
  }

  /// The evaluation state of filling the template: cells that did not convert, a failed `must()`; `nil`
  /// without one.
  var state: EvaluationState? { fillings.first?.state }

  /// The columns of the marks that say what became of rows, and how these are drawn, if they are shown.
  var changeMarks: (columns: ChangeColumns, signs: ChangeSigns)? {
    if case .change(let columns, let signs) = source { (columns, signs) } else { nil }
  }

  /// Whether the number of the shown row may be part of the text.
  var dependsOnNumber: Bool {
    if case .rowNumber = source { true } else { !fillings.isEmpty }
  }

  /// Whether the text may depend on the numbers of rows.
  var dependsOnOrder: Bool { !fillings.isEmpty }

  /// The cell of the column in a row, if the column shows its cells byte for byte.
  @inline(__always)
  func shownCell(_ batch: Batch, _ row: Int) -> Shown? {
    guard let verbatimColumn else { return nil }
    let cell = batch.cell(row: row, column: verbatimColumn)
    return cell.isAbsent ? .absent : .cell(cell)
  }

  /// The text of the column in a row.
  ///
  /// - Parameters:
  ///   - batch: the batch of the row.
  ///   - row: the row in its batch, from 0.
  ///   - number: the number of the row shown, from 1.
  ///   - scratch: cleared, and filled if the result is `.scratch`.
  mutating func show(_ batch: Batch, _ row: Int, number: Int, into scratch: inout ByteBuffer) -> Shown {
    if let shown = shownCell(batch, row) { return shown }
    if !changes.isEmpty, showChange(batch, row, number: number, into: &scratch) { return .scratch }
    return showValue(batch, row, number: number, into: &scratch)
  }

  /// The text of the column in a row, without the one that it had before.
  private mutating func showValue(
    _ batch: Batch, _ row: Int, number: Int, into scratch: inout ByteBuffer
  ) -> Shown {
    scratch.removeAll()
    switch source {
    case .column(let resolved):
      var cell = batch.cell(row: row, column: resolved.index)
      if !resolved.path.isEmpty {
        let found = batch.value(of: resolved, row: row)
        guard found.isWhole else { return showNested(found, batch, row, number: number, into: &scratch) }
        cell = found.cell
      }
      if cell.isAbsent { return .absent }
      guard !fillings.isEmpty, cell.kind != .empty else { return .cell(cell) }
      let text = fillings[0].template.showsAllDigits ? batch.content(cell) : batch.drawn(cell)
      let isFilled = fill(batch, row, number: number, with: text, cell.kind, into: &scratch)
      return isFilled ? .scratch : .cell(cell)
    case .rowNumber:
      scratch.append(decimal: number)
      return .scratch
    case .constant(let text):
      scratch.append(text)
      return .scratch
    case .change(let columns, let signs):
      signs.append(batch, row, columns, to: &scratch)
      return .scratch
    case .template:
      _ = fill(batch, row, number: number, with: batch.content(.missing), .missing, into: &scratch)
      return .scratch
    }
  }
}

extension CellText {
  /// Fills the template, if there is one; `false` if the cell is shown unchanged.
  private mutating func fill(
    _ batch: Batch, _ row: Int, number: Int, with cell: Span<UInt8>, _ kind: Cell.Kind,
    into scratch: inout ByteBuffer
  ) -> Bool {
    guard !fillings.isEmpty else { return false }
    fillings[0].state.shownRow = number
    let template = fillings[0].template
    return template.render(
      batch, row: row, cell: cell, kind: kind, into: &scratch, state: &fillings[0].state)
  }

  /// Shows the nested value a path leads to.
  private mutating func showNested(
    _ found: NestedValue, _ batch: Batch, _ row: Int, number: Int, into scratch: inout ByteBuffer
  ) -> Shown {
    switch found.kind {
    case .null, .missing, .empty: return .absent
    case .text, .number, .bool, .list, .object: found.appendText(of: batch.content(found.cell), to: &scratch)
    }
    guard !fillings.isEmpty else { return .scratch }
    let verbatim = scratch.array()
    scratch.removeAll()
    if !fill(batch, row, number: number, with: verbatim.span, found.kind, into: &scratch) {
      scratch.append(verbatim)
    }
    return .scratch
  }
}

extension CellText {
  /// The bytes of the old text and of the sign before the new one, in the text shown last; `nil` if the cell has not
  /// changed.
  var changeLengths: (old: Int, sign: Int)? { changes.first?.lengths }

  /// Shows the old text of a changed cell and the new one; `false` if it has not changed.
  private mutating func showChange(
    _ batch: Batch, _ row: Int, number: Int, into scratch: inout ByteBuffer
  ) -> Bool {
    changes[0].lengths = nil
    let cells = changes[0].cells
    guard batch.cell(row: row, column: cells.index).kind != .missing else { return false }
    var text = ByteBuffer()
    func appendText(_ shown: Shown) {
      switch shown {
      case .cell(let cell): scratch.append(batch.drawn(cell))
      case .scratch: scratch.append(text.span)
      case .absent: break
      }
    }
    let old = changes[0].old.show(batch, row, number: number, into: &text)
    scratch.removeAll()
    appendText(old)
    let oldLength = scratch.count
    if oldLength > 0 { scratch.append(" ") }
    scratch.append(cells.signs.arrow)
    let new = showValue(batch, row, number: number, into: &text)
    if case .cell(let cell) = new, cell.length == 0 {} else if new != .absent { scratch.append(" ") }
    changes[0].lengths = (oldLength, scratch.count - oldLength)
    appendText(new)
    if let marks = cells.deltaMarks { appendDelta(batch, row, marks, to: &scratch) }
    return true
  }

  /// Appends by how much a number has changed.
  private func appendDelta(_ batch: Batch, _ row: Int, _ marks: NumberMarks, to out: inout ByteBuffer) {
    guard case .column(let column) = source else { return }
    let old = batch.content(batch.cell(row: row, column: changes[0].cells.index))
    let found = batch.value(of: column, row: row)
    var new = ByteBuffer()
    if found.isWhole {
      new.append(batch.content(found.cell))
    } else {
      found.appendText(of: batch.content(found.cell), to: &new)
    }
    guard let left = NumberReader.loose(old, marks: marks),
      let right = NumberReader.loose(new.span, marks: marks)
    else {
      return
    }
    ChangeSigns.append(deltaFrom: left, to: right, marks, to: &out)
  }
}

extension CellText {
  /// The value of a column before a format is applied.
  enum ShownValue: Equatable, Sendable {
    /// A cell of the batch.
    case cell(Cell)

    /// A number that is not a cell.
    case number

    /// A text that is not a cell.
    case text

    /// Nothing.
    case none
  }

  /// The value of the column in a row; it determines the alignment, however it is shown.
  func value(_ batch: Batch, _ row: Int) -> ShownValue {
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
    // A mark is not broken either.
    case .rowNumber, .change: return .number
    case .template, .constant: return .text
    }
  }

  private static func value(_ cell: Cell) -> ShownValue { cell.isNull ? .none : .cell(cell) }

  /// Whether the row has no such cell at all.
  func isMissing(_ batch: Batch, _ row: Int) -> Bool {
    guard case .column(let resolved) = source else { return false }
    if resolved.path.isEmpty { return batch.cell(row: row, column: resolved.index).kind == .missing }
    return batch.value(of: resolved, row: row).kind == .missing
  }
}
