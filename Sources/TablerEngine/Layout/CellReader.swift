/// Brings what columns show into a harmless form, one cell after the other.
struct CellReader: ~Copyable {
  private let context: TextContext
  private var template = ByteBuffer()

  /// The cell read last.
  private(set) var text = ByteBuffer()

  /// Whether the cell read last shows `--missing`.
  private(set) var isAbsent = false

  /// Creates a reader.
  init(_ context: TextContext) { self.context = context }

  /// Reads the cell of a row into `text`, escaped.
  @discardableResult
  mutating func read(
    _ column: inout CellText, _ batch: Batch, _ row: Int, number: Int
  ) -> Escaper.Findings {
    text.removeAll()
    let shown = column.show(batch, row, number: number, into: &template)
    isAbsent = shown == .absent
    // Plain text needs no escaped copy, so it is not cut.
    if shown == .scratch, template.count > DrawnText.longest / 4, template.span.isPlain {
      swap(&text, &template)
      return Escaper.Findings()
    }
    return Self.append(shown, template, batch, context, room: DrawnText.longest, to: &text)
  }

  /// Appends the cell of a row to `output`, escaped.
  ///
  /// - Parameter room: how many bytes of it may be drawn; not exact.
  mutating func append(
    _ column: inout CellText, _ batch: Batch, _ row: Int, number: Int, room: Int = DrawnText.longest,
    to output: inout ByteBuffer
  ) -> Escaper.Findings {
    let shown = column.show(batch, row, number: number, into: &template)
    isAbsent = shown == .absent
    return Self.append(shown, template, batch, context, room: room, to: &output)
  }

  private static func append(
    _ shown: CellText.Shown, _ template: borrowing ByteBuffer, _ batch: Batch, _ context: TextContext,
    room: Int, to output: inout ByteBuffer
  ) -> Escaper.Findings {
    switch shown {
    case .cell(let cell):
      return context.escaper.append(batch.content(cell), room: room, mark: context.cutMark, to: &output)
    case .scratch:
      return context.escaper.append(template.span, room: room, mark: context.cutMark, to: &output)
    case .absent:
      output.append(context.missing)
      return Escaper.Findings()
    }
  }
}
