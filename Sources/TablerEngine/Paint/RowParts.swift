/// What a cell shows beside its text: made once by the painter that walks over the rows, and spelled by each form.
struct CellParts {
  /// The column, as an index into those shown.
  let column: Int

  /// The look of its row, if that has one of its own: one for all cells.
  fileprivate let sharedRow: SharedLook?

  /// The style of its own, if it has one.
  let style: AppliedStyle?

  /// Its mark, which tells whether it violates a rule; `nil` if no rule is about it.
  private let mark: FieldMark?

  /// Whether it violates a rule.
  let isInvalid: Bool

  private let batch: Batch
  private let rowIndex: Int

  /// The parts of a cell that shows nothing but its text.
  ///
  /// - Parameter look: the look of its row, if that has one of its own.
  init(column: Int, in look: SharedLook? = nil) {
    self.init(column: column, sharedRow: look, style: nil, mark: nil, batch: .empty, rowIndex: 0)
  }

  fileprivate init(
    column: Int, sharedRow: SharedLook?, style: AppliedStyle?, mark: FieldMark?, batch: Batch, rowIndex: Int
  ) {
    self.column = column
    self.sharedRow = sharedRow
    self.mark = mark
    self.batch = batch
    self.rowIndex = rowIndex
    isInvalid = mark?.isInvalid(inRow: rowIndex, of: batch) ?? false
    self.style = style
  }

  /// The look of its row, if that has one of its own.
  var row: RowLook? { sharedRow?.look }

  /// Whether rules are about it, so that it may have a sign.
  var hasRules: Bool { mark != nil }

  /// The messages of the rules that it violates; `nil` if no rule is about it.
  var messages: [String]? { mark?.messages(inRow: rowIndex, of: batch) }
}

/// The look of a row, which is copied once for all its cells.
final class SharedLook {
  let look: RowLook

  /// Whether it has neither a mark nor a style: it may be shaded, and its cells may have looks of their own.
  let isUsual: Bool

  /// Shares a look.
  init(_ look: RowLook) {
    self.look = look
    isUsual = look.marks.isEmpty && look.background == nil && look.overlay == nil
  }
}

extension DisplayPainter where Self: ~Copyable {
  /// The look of the row the walk is at; `nil` if it has none of its own.
  @inline(__always)
  mutating func rowLook(of batch: Batch, _ row: Int) -> RowLook? {
    styles.isEmpty ? nil : styles.rowLook(walk.number, inSection: walk.sectionCount, batch, row)
  }

  /// The parts of a cell in the row the walk is at.
  ///
  /// - Parameters:
  ///   - mark: the mark of the cell, if rules are about it.
  ///   - shown: the index of the column among those shown; `nil` if it represents others.
  ///   - look: the look of the row, if it has one of its own.
  @inline(__always)
  mutating func parts(
    of column: Int, shown: Int?, _ mark: FieldMark?, in look: SharedLook?, _ batch: Batch, _ row: Int
  ) -> CellParts {
    var style: AppliedStyle?
    if let shown, look?.look.hasCells ?? false { style = styles.cellStyle(shown, walk.number, batch, row) }
    return CellParts(
      column: column, sharedRow: look, style: style, mark: mark, batch: batch, rowIndex: row)
  }
}
