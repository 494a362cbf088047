/// How HTML spells what its tables and its cards have: marks of rows, swatches, and signs of cells that rules are about.
struct HTMLParts: Sendable {
  /// How texts are spelled.
  let text: HTMLText

  /// What follows the first text of a row with a mark, for screen readers.
  private let marks: [(mark: RowMarks, text: [UInt8])]

  /// The rest of a swatch, from its attributes to its hidden text.
  private let swatch: [UInt8]

  /// The end of what only eyes see, and the beginning of what only screen readers have.
  private let hiddenTag: [UInt8]
  private let styles: HTMLRowStyles

  /// The signs after cells that violate a rule, and after those that violate none.
  private let invalid: [UInt8]
  private let valid: [UInt8]
  private let signTag: [UInt8]

  /// What is before the messages of rules and after them: in tables, only screen readers have them.
  private let messageTags: (start: [UInt8], end: [UInt8])

  /// Prepares the bytes that do not depend on the row.
  init(_ style: HTMLStyle, _ options: LayoutOptions) {
    let html = HTMLText(options)
    text = html
    styles = style.rowStyles
    let hidden = style.attributes(HTMLStyle.Place(element: .hidden), class: "hide")
    marks = [(.selected, Array("<span\(hidden)> (selected)</span>".utf8))]
    hiddenTag = Array("</span><span\(hidden)>".utf8)
    swatch =
      Array(" aria-hidden=\"true\">".utf8) + StyledLines.swatch(options)
      + Array("</span><span\(hidden)>".utf8)
    invalid = html.escaped(DrawnFieldSigns.spelled(options.fieldSigns.invalid, isASCII: options.isASCII))
    valid = html.escaped(options.fieldSigns.valid)
    let sign = style.attributes(HTMLStyle.Place(element: .fieldSign), class: "mark")
    signTag = Array("<span\(sign) aria-hidden=\"true\">".utf8)
    messageTags =
      options.kind == .detail
      ? ([0x20], []) : (Array("<span\(hidden)> ".utf8), Array("</span>".utf8))
  }

  /// Appends the content of a cell.
  ///
  /// - Returns: what it holds that no text should.
  func append(
    _ cell: CellParts, _ shown: CellText.Shown, of cells: borrowing SpelledCells<HTMLText>, _ batch: Batch,
    _ row: Int, to out: inout ByteBuffer
  ) -> CellFindings {
    let color = cell.style?.swatchColor
    if let color {
      out.append("<span\(styles.swatch(color))")
      out.append(swatch)
    }
    let found = append(cell.column, shown, of: cells, batch, row, to: &out)
    if color != nil { out.append("</span>") }
    if cell.hasRules {
      out.append(signTag)
      out.append(cell.isInvalid ? invalid : valid)
      out.append("</span>")
      if cell.isInvalid {
        out.append(messageTags.start)
        append(cell.messages ?? [], to: &out)
        out.append(messageTags.end)
      }
    }
    if let bar = cell.style?.bar { out.append(Self.bar(room: bar.room, bar)) }
    return found
  }

  /// The room for the bars of a column, with the bar of a cell if it has one; screen readers skip it.
  static func bar(room: Int, _ bar: CellBar? = nil) -> String {
    let start = "<span class=\"bar n\(room)\" aria-hidden=\"true\">"
    guard let (before, length) = bar?.percentages else { return start + "</span>" }
    let space = before > 0 ? "<i class=\"l\(before)\"></i>" : ""
    return start + space + (length > 0 ? "<b class=\"l\(length)\"></b>" : "") + "</span>"
  }

  /// Appends a cell that shows nothing but its text: what became of a row in words for screen readers, changed values as
  /// deleted and inserted.
  ///
  /// - Returns: what it holds that no text should.
  @inline(__always)
  func append(
    _ column: Int, _ shown: CellText.Shown, of cells: borrowing SpelledCells<HTMLText>, _ batch: Batch,
    _ row: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    if shown == .scratch, let found = appendChange(of: column, cells, batch, row, to: &out) { return found }
    return cells.append(shown, batch, to: &out).ofCell
  }

  @inline(never)
  private func appendChange(
    of column: Int, _ cells: borrowing SpelledCells<HTMLText>, _ batch: Batch, _ row: Int,
    to out: inout ByteBuffer
  ) -> CellFindings? {
    if let (columns, signs) = cells.texts[column].changeMarks {
      var words = ByteBuffer()
      signs.append(wordsFor: batch, row, columns, to: &words)
      if words.isEmpty { return CellFindings() }
      out.append("<span aria-hidden=\"true\">")
      let found = cells.append(.scratch, batch, to: &out).ofCell
      out.append(hiddenTag)
      out.append(words.span)
      out.append("</span>")
      return found
    }
    let marks: (old: (StaticString, StaticString), new: (StaticString, StaticString)) =
      (("<del>", "</del>"), ("<ins>", "</ins>"))
    return cells.appendChange(of: column, marks: marks, to: &out)
  }

  /// Appends the marks of a row, after its first text.
  func append(_ rowMarks: RowMarks, to out: inout ByteBuffer) {
    for (mark, text) in marks where rowMarks.contains(mark) { out.append(text) }
  }

  /// Appends the sign and the messages of a record that violates rules, all of it to be seen and heard.
  func append(record messages: [String], to out: inout ByteBuffer) {
    if !invalid.isEmpty {
      out.append("<span aria-hidden=\"true\">")
      out.append(invalid)
      out.append("</span> ")
    }
    append(messages, to: &out)
  }

  private func append(_ messages: [String], to out: inout ByteBuffer) {
    text.append(messages.joined(separator: "; ").utf8.span, to: &out)
  }
}
