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

  /// What stands for text that was cut.
  private let cutMark: CutMark

  /// What a template says.
  private var scratch = ByteBuffer()

  /// Creates the cells of columns.
  init(_ texts: [CellText], _ options: LayoutOptions) {
    self.texts = texts
    markdown = MarkdownText(options)
    metrics = TextMetrics(ambiguousWidth: options.ambiguousWidth)
    missing = markdown.escaped(options.missing)
    cutMark = CutMark(isASCII: options.isASCII, metrics: metrics)
  }

  /// Appends what a column shows in a row, escaped.
  mutating func append(_ column: Int, _ batch: Batch, _ row: Int, number: Int, to out: inout ByteBuffer) {
    switch texts[column].show(batch, row, number: number, into: &scratch) {
    case .cell(let cell): rareBytes.note(append(batch.content(cell), to: &out), batch, row)
    case .scratch: rareBytes.note(append(scratch.span, to: &out), batch, row)
    case .absent: out.append(missing)
    }
  }

  /// Appends a text, escaped, as far as it is drawn.
  private func append(
    _ text: Span<UInt8>, isHeading: Bool = false, to out: inout ByteBuffer
  ) -> RareBytes {
    // A mark gets a backslash, so printable text may take twice its bytes.
    markdown.append(text, room: DrawnText.longest / 2, mark: cutMark, isHeading: isHeading, to: &out)
  }

  /// A title, escaped; the end of a very long one is left out.
  func escaped(title: String) -> [UInt8] {
    var out = ByteBuffer()
    markdown.append(title.utf8.span, room: DrawnText.longestTitle, mark: cutMark, to: &out)
    return out.array()
  }

  /// Appends a text that is no column, for a heading.
  mutating func append(
    heading text: inout CellText, _ batch: Batch, _ row: Int, number: Int, to out: inout ByteBuffer
  ) {
    switch text.show(batch, row, number: number, into: &scratch) {
    case .cell(let cell):
      rareBytes.note(append(batch.content(cell), isHeading: true, to: &out), batch, row)
    case .scratch: rareBytes.note(append(scratch.span, isHeading: true, to: &out), batch, row)
    case .absent: out.append(missing)
    }
  }
}
