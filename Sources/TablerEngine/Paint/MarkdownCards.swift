/// Detail as Markdown: a heading and a table of two columns for each record.
struct MarkdownCards: ~Copyable, CardForm {
  private let parts: MarkdownParts
  private var labels: [[UInt8]] = []

  /// The cells of the widest label so far.
  private var labelWidth = 3

  /// The values of a card, spelled, one after the other.
  private var values = ByteBuffer()

  /// The fields of a card: a label, and where its value ends in `values`.
  private var fields: [(label: Int, end: Int)] = []

  /// Prepares cards with fields of `columns`.
  init(_ columns: [ShownColumn], _ options: LayoutOptions, _ styles: RowStyles = RowStyles()) {
    parts = MarkdownParts(options, styles)
    add(columns, [])
    for label in labels { widen(for: label) }
  }

  var text: MarkdownText { parts.text }
  var titleText: MarkdownText { parts.headingText }
  var notices: [LayoutNotice] { parts.notices }
  var closing: [UInt8] { parts.closing }

  var cardSize: Int { labels.reduce(0) { $0 + $1.count + 24 } }

  mutating func add(_ columns: [ShownColumn], _ texts: [CellText]) {
    labels += columns.map { text.escaped(title: $0.title) }
  }

  func appendOpening(to out: inout ByteBuffer) { out.append(parts.opening) }

  func appendHeading(_ text: [UInt8], to out: inout ByteBuffer) {
    out.append("## ")
    titleText.append(text.span.extracting(text.span.trimmingBlankScalars), to: &out)
    out.append("\n\n")
  }

  mutating func beginCard(
    _ look: SharedLook?, _ titles: inout SpelledCells<MarkdownText>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    beginFields()
    out.append("### ")
    parts.marks.appendBeforeTitle(look?.look, to: &out)
    let found = titles.appendTitle(batch, row, number: number, to: &out)
    out.append("\n\n")
    return found
  }

  mutating func appendField(
    _ cell: CellParts, _ cells: inout SpelledCells<MarkdownText>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    let found = cell.append(&cells, batch, row, number: number, to: &values)
    if let messages = cell.messages { values.append(parts.signs.note(messages, blanks: 1)) }
    fields.append((cell.column, values.count))
    widen(for: labels[cell.column])
    return found
  }

  func endCard(_ look: SharedLook?, _ messages: [String], to out: inout ByteBuffer) {
    appendFields(to: &out)
    if messages.isEmpty { return }
    out.append(fields.isEmpty ? "" : "\n")
    out.append(parts.signs.note(messages))
    out.append("\n")
  }

  mutating func appendFoot(
    _ texts: [(column: Int, text: [UInt8])], isFirst: Bool, to out: inout ByteBuffer
  ) {
    beginFields()
    for (column, foot) in texts {
      text.append(bold: foot.span, to: &values)
      fields.append((column, values.count))
    }
    if !isFirst, !fields.isEmpty { out.append("\n") }
    appendFields(to: &out)
  }

  func appendFoot(_ foot: [UInt8], isFirst: Bool, to out: inout ByteBuffer) {
    if !isFirst { out.append("\n") }
    text.append(bold: foot.span, to: &out)
    out.append("\n")
  }
}

extension MarkdownCards {
  private mutating func beginFields() {
    values.removeAll()
    fields.removeAll(keepingCapacity: true)
  }

  private mutating func widen(for label: [UInt8]) {
    labelWidth = max(labelWidth, text.metrics.width(of: label.span))
  }

  /// Appends the current fields as a table with an empty header.
  private func appendFields(to out: inout ByteBuffer) {
    if fields.isEmpty { return }
    var width = 3
    var start = 0
    for field in fields {
      width = max(width, text.metrics.width(of: values.span.extracting(start..<field.end)))
      start = field.end
    }
    out.append("| ")
    out.append(blanks: labelWidth)
    out.append(" | ")
    out.append(blanks: width)
    out.append(" |\n| ")
    out.append(repeating: UInt8(ascii: "-"), count: labelWidth - 1)
    out.append(": | :")
    out.append(repeating: UInt8(ascii: "-"), count: width - 1)
    out.append(" |\n")
    appendLines(width: width, to: &out)
  }

  private func appendLines(width: Int, to out: inout ByteBuffer) {
    var start = 0
    for field in fields {
      let label = labels[field.label]
      let value = values.span.extracting(start..<field.end)
      out.append("| ")
      out.append(blanks: labelWidth - text.metrics.width(of: label.span))
      out.append(label)
      out.append(" | ")
      out.append(value)
      out.append(blanks: width - text.metrics.width(of: value))
      out.append(" |\n")
      start = field.end
    }
  }
}

/// Detail as pandoc's Markdown: a heading and a list of definitions for each record.
struct PandocCards: ~Copyable, CardForm {
  private let parts: MarkdownParts
  private var labels: [[UInt8]] = []

  /// Prepares cards with fields of `columns`.
  init(_ columns: [ShownColumn], _ options: LayoutOptions, _ styles: RowStyles = RowStyles()) {
    parts = MarkdownParts(options, styles)
    add(columns, [])
  }

  var text: MarkdownText { parts.text }
  var titleText: MarkdownText { parts.headingText }
  var notices: [LayoutNotice] { parts.notices }
  var closing: [UInt8] { parts.closing }

  var cardSize: Int { labels.reduce(0) { $0 + $1.count + 16 } }

  mutating func add(_ columns: [ShownColumn], _ texts: [CellText]) {
    labels += columns.map { titleText.escaped(title: $0.title) }
  }

  func appendOpening(to out: inout ByteBuffer) { out.append(parts.opening) }

  func appendHeading(_ text: [UInt8], to out: inout ByteBuffer) {
    out.append("## ")
    titleText.append(text.span, to: &out)
    out.append("\n\n")
  }

  func beginCard(
    _ look: SharedLook?, _ titles: inout SpelledCells<MarkdownText>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    out.append("### ")
    parts.marks.appendBeforeTitle(look?.look, to: &out)
    let found = titles.appendTitle(batch, row, number: number, to: &out)
    out.append("\n")
    return found
  }

  func appendField(
    _ cell: CellParts, _ cells: inout SpelledCells<MarkdownText>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    var found = CellFindings()
    appendField(cell.column, isFirst: false, to: &out) { out in
      let start = out.count
      found = cell.append(&cells, batch, row, number: number, to: &out)
      guard let messages = cell.messages else { return }
      out.append(parts.signs.note(messages, blanks: out.count > start ? 1 : 0))
    }
    return found
  }

  func endCard(_ look: SharedLook?, _ messages: [String], to out: inout ByteBuffer) {
    if messages.isEmpty { return }
    out.append("\n")
    out.append(parts.signs.note(messages))
    out.append("\n")
  }

  func appendFoot(_ texts: [(column: Int, text: [UInt8])], isFirst: Bool, to out: inout ByteBuffer) {
    for (number, foot) in texts.enumerated() {
      appendField(foot.column, isFirst: isFirst && number == 0, to: &out) {
        text.append(bold: foot.text.span, to: &$0)
      }
    }
  }

  func appendFoot(_ text: [UInt8], isFirst: Bool, to out: inout ByteBuffer) {
    if !isFirst { out.append("\n") }
    titleText.append(bold: text.span, to: &out)
    out.append("\n")
  }

  /// Appends a label and its definition, which must not be empty.
  ///
  /// - Parameter isFirst: whether nothing is above it.
  private func appendField(
    _ column: Int, isFirst: Bool, to out: inout ByteBuffer, _ value: (inout ByteBuffer) -> Void
  ) {
    if !isFirst { out.append("\n") }
    out.append(labels[column].isEmpty ? PandocEscaper.nothing : labels[column])
    out.append("\n:   ")
    out.pin()
    let start = out.count
    value(&out)
    if out.count == start { out.append(PandocEscaper.nothing) }
    out.unpin()
    out.append("\n")
  }
}
