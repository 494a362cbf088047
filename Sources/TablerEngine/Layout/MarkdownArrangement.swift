/// The layout of a table whose columns are as wide as their widest text, or bare: Markdown has no lines that could be
/// too long, so nothing gives way.
struct MarkdownArrangement: Sendable {
  /// One column as it is drawn.
  struct MarkdownColumn: Sendable {
    /// The title, spelled.
    let title: [UInt8]
    /// The cells of its texts; 0 if they are not padded.
    var width = 0
    /// The cells of the signs after its texts.
    var gutter = 0
    /// How its texts are aligned.
    let alignment: Alignment
    /// Whether no cell needs escapes.
    var isPlain = false
    /// The mark of its cells that violate a rule, if one is about it.
    let mark: FieldMark?
  }

  /// The cells that a kind of table keeps.
  struct Ruler: Sendable {
    /// The least cells of a column, and of the column of marks.
    let least: Int
    let leastMark: Int
    /// The cells that a column has more than its title.
    let titleRoom: Int
    /// Whether a title may be over several columns.
    let hasSpans: Bool

    /// Three dashes say how a column is aligned.
    static let pipes = Ruler(least: 3, leastMark: 3, titleRoom: 0, hasSpans: false)

    /// Empty cells have an empty span.
    ///
    /// Exactly three dashes would start metadata, and the title's position above
    /// its dashes sets the alignment; two extra cells avoid both.
    static let lines = Ruler(least: 4, leastMark: 6, titleRoom: 2, hasSpans: false)

    /// Rules as those of pipes, with a plus between columns.
    static let grid = Ruler(least: 3, leastMark: 6, titleRoom: 0, hasSpans: true)

    /// The cells between the texts of two columns of a grid.
    static let gridGap = 3
  }

  /// What the form draws beside the cells.
  struct Extras {
    /// The titles, spelled.
    let titles: [[UInt8]]
    /// The titles over several columns, spelled.
    let header: SpannedHeader
    /// Whether there is a header.
    let hasHeader: Bool
    /// The cells of the signs after texts.
    let gutter: Int
    /// The cells of the widest mark before a row; `nil` if no row may have one.
    let markWidth: Int?
  }

  /// The columns, without that of marks.
  let columns: [MarkdownColumn]

  /// The titles over several columns, spelled.
  let header: SpannedHeader

  /// The cells of the column of marks; 0 if they are not padded.
  let markWidth: Int

  /// Whether there is a column of marks.
  let hasMarks: Bool

  /// Whether there is a header.
  let hasHeader: Bool

  /// Whether cells are padded.
  let isPadded: Bool

  /// Arranges what was measured.
  ///
  /// Each column is as wide as its cells, its title, and what footers say in it, all of them with their emphasis.
  ///
  /// - Parameter measurement: the widths of all cells; `nil` for bare cells.
  init<S: MeasuredSpelling>(
    _ shown: [ShownColumn], _ measurement: Measurement<S>?, footers: [FooterLine], _ extras: Extras,
    _ styles: RowStyles, _ ruler: Ruler, _ spelling: S
  ) {
    let metrics = spelling.metrics
    header = extras.header
    var columns = shown.indices.map { index in
      let title = extras.titles[index]
      let mark = shown[index].mark
      guard let measure = measurement?.columns[index] else {
        return MarkdownColumn(title: title, alignment: shown[index].alignment(ColumnMeasure()), mark: mark)
      }
      var width = max(ruler.least, measure.width)
      let titleWidth = metrics.widestLine(of: title.span)
      if extras.hasHeader { width = max(width, titleWidth + ruler.titleRoom) }
      for footer in footers {
        if footer.repeatsTitles {
          width = max(width, title.isEmpty ? 0 : titleWidth + spelling.room(of: [.bold]))
        } else if let text = footer.text(inColumn: index) {
          var spelled = ByteBuffer()
          spelling.spell(footer: text.span, to: &spelled)
          width = max(width, metrics.widestLine(of: spelled.span))
        }
      }
      width += spelling.room(of: styles.styles(ofColumn: index))
      if !extras.hasHeader { width += ruler.titleRoom }
      return MarkdownColumn(
        title: title, width: width, gutter: mark == nil ? 0 : extras.gutter,
        alignment: shown[index].alignment(measure), isPlain: !measure.hasEscapes, mark: mark)
    }
    for line in extras.header.lines.reversed() {
      for segment in line.segments {
        guard let title = segment.title, let last = segment.columns.last else { continue }
        let room = segment.columns.reduce(-Ruler.gridGap) {
          $0 + columns[$1].width + columns[$1].gutter + Ruler.gridGap
        }
        columns[last].width += max(0, metrics.widestLine(of: Array(title.utf8).span) - room)
      }
    }
    self.columns = columns
    isPadded = measurement != nil
    hasHeader = extras.hasHeader
    hasMarks = extras.markWidth != nil
    markWidth = isPadded ? max(ruler.leastMark, extras.markWidth ?? 0) : 0
  }
}

extension FooterLine {
  /// The text in a column of a form that has no texts across all columns: these are in the first.
  func text(inColumn index: Int) -> [UInt8]? {
    switch self {
    case .titles: nil
    case .cells(let texts): index < texts.count ? texts[index] : nil
    case .band(let text): index == 0 ? text : nil
    }
  }
}
