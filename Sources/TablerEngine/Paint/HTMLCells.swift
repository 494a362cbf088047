/// What the cells of a table show, in HTML.
struct HTMLCells: ~Copyable {
  /// How text is escaped.
  let html: HTMLText

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
    html = HTMLText(options)
    self.texts = texts
    var out = ByteBuffer()
    let bytes = Array(options.missing.utf8)
    html.append(bytes.span, to: &out)
    missing = out.array()
  }

  /// Appends what a column shows in a row, after the tag that begins its element.
  ///
  /// - Parameters:
  ///   - tag: what stands before a text.
  ///   - nullTag: what stands before `--missing`.
  mutating func append(
    _ column: Int, _ batch: Batch, _ row: Int, number: Int, tag: [UInt8], nullTag: [UInt8],
    to out: inout ByteBuffer
  ) {
    let shown = texts[column].show(batch, row, number: number, into: &scratch)
    out.append(shown == .absent ? nullTag : tag)
    append(shown, batch, row, to: &out)
  }

  /// Appends what a column shows in a row, after a tag that says whether it is a date or a number.
  mutating func append(
    _ column: Int, _ batch: Batch, _ row: Int, number: Int, tag: [UInt8], unbrokenTag: [UInt8],
    nullTag: [UInt8], to out: inout ByteBuffer
  ) {
    let shown = texts[column].show(batch, row, number: number, into: &scratch)
    switch shown {
    case .cell(let cell): out.append(batch.content(cell).isDateOrTime ? unbrokenTag : tag)
    case .scratch: out.append(scratch.span.isDateOrTime ? unbrokenTag : tag)
    case .absent: out.append(nullTag)
    }
    append(shown, batch, row, to: &out)
  }

  /// Appends a text that is no column.
  mutating func append(
    _ text: inout CellText, _ batch: Batch, _ row: Int, number: Int, to out: inout ByteBuffer
  ) {
    append(text.show(batch, row, number: number, into: &scratch), batch, row, to: &out)
  }

  @inline(__always)
  private mutating func append(_ shown: CellText.Shown, _ batch: Batch, _ row: Int, to out: inout ByteBuffer)
  {
    switch shown {
    case .cell(let cell): rareBytes.note(html.append(batch.content(cell), to: &out), batch, row)
    case .scratch: rareBytes.note(html.append(scratch.span, to: &out), batch, row)
    case .absent: out.append(missing)
    }
  }
}
