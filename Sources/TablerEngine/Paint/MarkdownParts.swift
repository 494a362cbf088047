/// How Markdown spells what all its layouts have.
struct MarkdownParts: Sendable {
  /// How cells are spelled, and what is in headings.
  let text: MarkdownText
  let headingText: MarkdownText

  /// What is above the first row or card, and below the last.
  let opening: [UInt8]
  let closing: [UInt8]

  /// The marks of rows, and the signs of cells that rules are about.
  let marks: MarkdownRowMarks
  let signs: DrawnFieldSigns

  /// Markdown has no lines between rows.
  let notices: [LayoutNotice]

  /// Prepares the parts for `options`.
  ///
  /// - Parameter place: the place of cells in pandoc's Markdown, if not that of the layout.
  init(_ options: LayoutOptions, _ styles: RowStyles, in place: PandocEscaper.Place? = nil) {
    text = MarkdownText(options, in: place)
    headingText = text.inHeading
    opening = MarkdownHeading.paragraphs(options)
    closing = MarkdownHeading.ending(options)
    marks = MarkdownRowMarks(options, styles, text)
    signs = DrawnFieldSigns(options, text.escaped(label:))
    notices = (options.rowSpacing?.lines ?? 0) > 0 ? [.ignoredRowSpacing] : []
  }
}

/// The marks of rows as Markdown spells them.
struct MarkdownRowMarks: Sendable {
  /// What is written for each set of marks, by its number; nothing if no row may have one.
  private let signs: [[UInt8]]

  /// Spells the marks of `options`.
  init(_ options: LayoutOptions, _ styles: RowStyles, _ markdown: MarkdownText) {
    let selects = styles.selectionStyle != nil
    let possible = RowMarks.signs(options, selects: selects, isASCII: options.isASCII).map {
      ($0.mark, markdown.escaped(label: $0.sign))
    }
    signs =
      possible.isEmpty
      ? [] : RowMarks.sets.map { set in possible.flatMap { set.contains($0) ? $1 : [] } }
  }

  /// Whether no row may have a mark.
  var isEmpty: Bool { signs.isEmpty }

  /// The marks of a row that looks so, one after the other.
  subscript(look: RowLook?) -> [UInt8] { isEmpty ? [] : signs[look?.marks.rawValue ?? 0] }

  /// Appends the marks of a row before the title of its card.
  func appendBeforeTitle(_ look: RowLook?, to out: inout ByteBuffer) {
    let marks = self[look]
    out.append(marks)
    out.append(blanks: marks.isEmpty ? 0 : 1)
  }

  /// The cells of the widest.
  func width(_ metrics: TextMetrics) -> Int { signs.reduce(0) { max($0, metrics.width(of: $1.span)) } }
}

/// What Markdown shows of styles: bold, italic and strike.
struct MarkdownEmphasis: Equatable {
  private let isBold: Bool
  private let isItalic: Bool
  private let isStruck: Bool

  /// Combines styles.
  init(_ styles: [Style]) {
    isBold = styles.contains(where: \.isBold)
    isItalic = styles.contains(where: \.isItalic)
    isStruck = styles.contains(where: \.isStruck)
  }

  /// The number of bytes that it adds to a text.
  var room: Int { (isBold ? 4 : 0) + (isItalic ? 2 : 0) + (isStruck ? 4 : 0) }

  /// Emphasizes the escaped text from `start` on.
  ///
  /// Outer blanks stay outside the marks, as Markdown requires.
  func apply(to out: inout ByteBuffer, from start: Int) {
    if room == 0 { return }
    let text = [UInt8](out.text(from: start))
    let inner = text.span.trimmingBlankScalars
    if inner.isEmpty { return }
    // A final backslash would escape the closing mark. Only raw Markdown can end in one.
    let backslashes = text[inner].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
    if backslashes & 1 == 1 { return }
    let before = (isStruck ? "~~" : "") + (isBold ? "**" : "") + (isItalic ? "*" : "")
    out.truncate(to: start + inner.lowerBound)
    out.append(before)
    out.append(text.span.extracting(inner))
    out.append(String(before.reversed()))
    out.append(text.span.extracting(inner.upperBound...))
  }
}

extension CellParts {
  /// Appends the cell, spelled and emphasized.
  ///
  /// - Returns: what it holds that no text should.
  @inline(__always)
  func append(
    _ cells: inout SpelledCells<MarkdownText>, _ batch: Batch, _ row: Int, number: Int,
    to out: inout ByteBuffer
  ) -> CellFindings {
    let start = out.count
    let found = cells.append(column, batch, row, number: number, to: &out).ofCell
    if let look = self.row {
      let styles = [look.background, look.overlay, style].compactMap { $0?.style }
      MarkdownEmphasis(styles).apply(to: &out, from: start)
    }
    return found
  }
}

extension MarkdownArrangement {
  /// Arranges a table of Markdown.
  ///
  /// - Parameters:
  ///   - measurement: the widths of all cells; `nil` for bare cells.
  ///   - footers: the footer lines, if cells are padded.
  init(
    _ shown: [ShownColumn], _ measurement: Measurement<MarkdownText>?, footers: [FooterLine] = [],
    _ options: LayoutOptions, _ styles: RowStyles = RowStyles(), _ ruler: Ruler = .pipes,
    in place: PandocEscaper.Place? = .pipes
  ) {
    let parts = MarkdownParts(options, styles, in: place)
    var shown = shown
    if !ruler.hasSpans { shown.joinTitles() }
    let spans = shown.map { column in
      column.spans.map { title in
        title.map { String(decoding: parts.text.escaped(label: Array($0.utf8)), as: UTF8.self) }
      }
    }
    let extras = Extras(
      titles: MarkdownHeading.titles(shown, options, parts.text), header: SpannedHeader(spans),
      hasHeader: options.hasHeader,
      gutter: parts.signs.gutter, markWidth: parts.marks.isEmpty ? nil : parts.marks.width(parts.text.metrics)
    )
    self.init(shown, measurement, footers: footers, extras, styles, ruler, parts.text)
  }
}
