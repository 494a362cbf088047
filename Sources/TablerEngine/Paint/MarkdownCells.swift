/// What the cells of a table show, in Markdown.
struct MarkdownCells: ~Copyable {
  /// How text is escaped.
  let markdown: MarkdownText

  /// How it is measured.
  let metrics: TextMetrics

  /// The texts of the columns.
  var texts: [CellText]

  /// What a person should hear of so far.
  var notices: [LayoutNotice] { rareBytes.notices }

  private var rareBytes = RareBytesTally()

  private let missing: [UInt8]

  /// What a template says.
  private var scratch = ByteBuffer()

  /// Creates the cells of columns.
  init(_ texts: [CellText], _ options: LayoutOptions) {
    self.texts = texts
    markdown = MarkdownText(options)
    metrics = TextMetrics(ambiguousWidth: options.ambiguousWidth)
    missing = markdown.escaped(options.missing)
  }

  /// Appends what a column shows in a row, escaped.
  mutating func append(_ column: Int, _ batch: Batch, _ row: Int, number: Int, to out: inout ByteBuffer) {
    switch texts[column].show(batch, row, number: number, into: &scratch) {
    case .cell(let cell): rareBytes.note(markdown.append(batch.content(cell), to: &out), batch, row)
    case .scratch: rareBytes.note(markdown.append(scratch.span, to: &out), batch, row)
    case .absent: out.append(missing)
    }
  }

  /// Appends a text that is no column, for a heading.
  mutating func append(
    heading text: inout CellText, _ batch: Batch, _ row: Int, number: Int, to out: inout ByteBuffer
  ) {
    switch text.show(batch, row, number: number, into: &scratch) {
    case .cell(let cell):
      rareBytes.note(markdown.append(batch.content(cell), isHeading: true, to: &out), batch, row)
    case .scratch: rareBytes.note(markdown.append(scratch.span, isHeading: true, to: &out), batch, row)
    case .absent: out.append(missing)
    }
  }
}
