/// The four ways to draw a table.
public enum LayoutKind: String, CaseIterable, Sendable {
  /// Header, rows and footer, with a single rule between them.
  case list
  /// Double rules across the whole table above and below the rows.
  case stack
  /// A frame around every cell, with double rules at the header and the footer.
  case grid
  /// A card for each record: a title, then a line for each field.
  case detail
}

/// The alignment of a cell's text in its column.
public enum Alignment: String, CaseIterable, Sendable {
  /// At the beginning.
  case leading
  /// In the middle.
  case center
  /// At the end.
  case trailing
  /// Decimal points in one line.
  case decimal

  /// The number of the `free` cells that come before the text.
  ///
  /// `free` is not negative.
  @inline(__always)
  func blanksBefore(_ free: Int) -> Int {
    switch self {
    case .leading: 0
    case .center: free &>> 1
    case .trailing, .decimal: free
    }
  }
}

/// The position of a table in a longer line.
public enum TablePlace: String, CaseIterable, Sendable {
  /// At the beginning.
  case leading
  /// In the middle.
  case center
  /// At the end.
  case trailing

  /// The number of the `free` cells beside a table that come before it.
  func blanksBefore(_ free: Int) -> Int {
    switch self {
    case .leading: 0
    case .center: max(free, 0) / 2
    case .trailing: max(free, 0)
    }
  }
}

/// A length as typed; text counts lines or cells, HTML writes CSS units.
public struct Length: Equatable, Sendable {
  /// The unit of the number.
  public enum Unit: Sendable {
    /// Lines (vertical) or character cells (horizontal).
    case cells
    /// CSS pixels: 16 a line, 8 a cell in text.
    case pixels
    /// CSS em: 16 pixels.
    case ems
  }

  /// The number.
  public var amount: Double
  /// The unit.
  public var unit: Unit

  /// Creates a length.
  public init(_ amount: Double, _ unit: Unit = .cells) {
    self.amount = amount
    self.unit = unit
  }
}

/// The space on the four sides of something; `nil` means the layout's default.
public struct Edges: Equatable, Sendable {
  /// Above.
  public var top: Length?
  /// At the trailing side.
  public var trailing: Length?
  /// Below.
  public var bottom: Length?
  /// At the leading side.
  public var leading: Length?

  /// Creates edges.
  public init(top: Length? = nil, trailing: Length? = nil, bottom: Length? = nil, leading: Length? = nil) {
    self.top = top
    self.trailing = trailing
    self.bottom = bottom
    self.leading = leading
  }
}

/// The longest line of a text table.
public enum WidthLimit: Equatable, Sendable {
  /// No limit.
  case unlimited
  /// At most this many display columns.
  case atMost(Int)
}

/// What happens to cells that do not fit.
public enum Overflow: String, CaseIterable, Sendable {
  /// They wrap.
  ///
  /// Columns that still do not fit are left out: those with the least content first, then from the middle.
  case fit
  /// They continue in the next line.
  case wrap
  /// They end in `…`.
  case truncate
  /// They are drawn in full.
  case scroll
}

/// The characters of frames and rules.
public enum Border: String, CaseIterable, Sendable {
  /// No frame.
  case none
  /// `+ - = |`.
  case ascii
  /// Light box drawing.
  case light
  /// Heavy box drawing.
  case heavy
  /// Double box drawing.
  case double
  /// Light with round corners.
  case round
  /// Horizontal lines only.
  case rules
  /// Dots.
  case dots
  /// Heavy outside, light inside.
  case outline
}

/// The separator between columns.
public enum Separator: Equatable, Sendable {
  /// The default of the layout.
  case byLayout
  /// Only space.
  case none
  /// The border's vertical line.
  case line
  /// This text.
  case text(String)
}

/// Whether header and footer are part of the rows or set apart from them.
public enum HeaderPosition: String, CaseIterable, Sendable {
  /// Part of the rows, with a single rule between.
  case inside
  /// Set apart: a double rule, in HTML outside of the region that scrolls.
  case outside
}

/// Headers of rows.
public enum RowNames: Sendable {
  /// Columns shown first, as headers.
  case columns(ColumnList)
  /// A template such as `Row {n}`.
  case template(SourceTemplate)
}

/// The content of the footer.
public enum Footer: Sendable {
  /// The titles, repeated.
  case titles
  /// The sum of each column of numbers.
  case totals
  /// Templates under their columns.
  case templates([(column: ColumnReference, template: SourceTemplate)])
}

/// The colors that may be written; determined by `--color`, the environment and the terminal.
public enum ColorDepth: Sendable {
  /// No escape sequences at all.
  case none
  /// The 16 terminal colors.
  case basic
  /// 256 colors.
  case palette
  /// 24 bits.
  case full
}

/// The dialect of Markdown.
enum MarkdownDialect: Sendable {
  /// GitHub Flavored Markdown.
  case github
  /// Pandoc's, which has more kinds of tables.
  case pandoc
}

/// The signs of sort order in titles.
public struct SortIndicators: Equatable, Sendable {
  /// After an ascending column's title.
  public var forward = "▲"
  /// After a descending column's title.
  public var reverse = "▼"
  /// After every other title; none by default.
  public var neutral = ""
  /// Whether the rank is shown if there are several keys.
  public var showsRank = false
  /// Whether signs are shown.
  public var areShown = true

  /// Creates the defaults.
  public init() {}
}

/// A title over several columns.
public struct ColumnSpan: Equatable, Sendable {
  /// The columns, without titles of their own.
  public var columns: ColumnList

  /// The title.
  public var title: String

  /// Puts a title over columns.
  public init(_ title: String, over columns: ColumnList) {
    self.title = title
    self.columns = columns
  }
}

/// The layout and style of the table: everything that text, Markdown and HTML painters need to know.
public struct LayoutOptions: Sendable {
  /// The layout.
  public var kind = LayoutKind.list
  /// `--width`, resolved: there is no limit for a pipe.
  public var width = WidthLimit.unlimited
  /// `--overflow`.
  public var overflow = Overflow.wrap
  /// `--single-line`.
  public var isSingleLine = false
  /// `--min-width`; `nil` is 0, 38 in Detail.
  public var minimumWidth: Int?
  /// `--grid-alignment`.
  public var place = TablePlace.leading
  /// `--fill`: tables fill the width, if there is one.
  public var fills = false
  /// `--grid-wrap`: columns that do not fit continue on further lines.
  public var wrapsColumns = false
  /// `--header-position`; `nil` by layout.
  public var headerPosition: HeaderPosition?
  /// `--border`.
  public var border = Border.light
  /// `--separator`.
  public var separator = Separator.byLayout
  /// `--row-rules`.
  public var hasRowRules = false
  /// `--page`, resolved: the maximum number of lines in a page of text; `nil` if there are no pages.
  public var pageHeight: Int?
  /// The lines of a screen, on each of which the titles are repeated; `nil` if the pager keeps them in view,
  /// or if they need not stay in view.
  var screenHeight: Int?
  /// `--no-header`.
  public var hasHeader = true
  /// `--footer`, in order.
  public var footers: [Footer] = []
  /// `--section-by`, with the headers and footers of sections.
  public var sections: SectionOptions?
  /// `--ends`: the number of rows drawn at either end, if those between them are left out.
  public var ends: Int?
  /// `--span`, in order.
  public var spans: [ColumnSpan] = []
  /// `--merge-repeats`.
  public var merged: ColumnList?
  /// `--title`.
  public var title: String?
  /// `--caption`.
  public var caption: String?
  /// The records of `--preamble`.
  var preamble: Form?
  /// The records of `--postamble`.
  var postamble: Form?
  /// `--blend`: forms are inside the frame of the table.
  public var blendsForms = false
  /// `--title-of`, for Detail.
  public var cardTitle: SourceTemplate?
  /// `--align`.
  public var alignments: [(column: ColumnSelector, alignment: Alignment)] = []
  /// `--grid-items`, from the first column on.
  public var gridItems: [GridItem] = []
  /// `--grid-items adaptive`: records next to each other, in this width.
  public var flow: FlowWidth?
  /// `--format`.
  public var formats: [(columns: ColumnSelector, template: SourceTemplate)] = []
  /// `--missing`.
  public var missing = "NA"
  /// `--row-names`.
  public var rowNames: RowNames?
  /// `--row-numbers`.
  public var hasRowNumbers = false
  /// `--table-padding`.
  public var tablePadding = Edges()
  /// `--row-padding` (Stack, Detail) or `--item-padding` (Grid).
  public var cellPadding = Edges()
  /// `--header-spacing`.
  public var headerSpacing: Length?
  /// `--footer-spacing`.
  public var footerSpacing: Length?
  /// `--row-spacing`.
  public var rowSpacing: Length?
  /// `--column-spacing`.
  public var columnSpacing: Length?
  /// `--min-row-height`, in lines.
  public var minimumRowHeight = 1
  /// `--header-height`: the maximum number of lines in a title.
  public var headerHeight = 3
  /// `--hover`: HTML highlights the row or card under the pointer.
  public var highlightsHover = false
  /// `--header-style`; `nil` is bold.
  public var headerStyle: Style?
  /// `--zebra`: whether every second row is shaded.
  public var isStriped = false
  /// `--row-background`, in order.
  public var rowBackgrounds: [StyleRule] = []
  /// `--row-overlay`, in order.
  public var rowOverlays: [StyleRule] = []
  /// `--cell`, in order.
  public var cellStyles: [CellStyleRule] = []
  /// `--select`, in order; empty with `--select-mode none`.
  public var selections: [RowChoice] = []

  /// The column that selects the rows in which it is true, if rows are selected only by that.
  var selectingColumn: String? {
    guard selections.count == 1, case .matching(let source) = selections[0],
      case .column(let name) = source.expression.kind
    else { return nil }
    return name
  }

  /// `--select-mode`.
  public var selectionMode = SelectionMode.multi
  /// `--selection-style`.
  public var selectionStyle = SelectionStyle.marker
  /// The colors that may be written to stdout.
  public var colorDepth = ColorDepth.none
  /// The sort indicators.
  public var indicators = SortIndicators()
  /// `--invalid-indicator` and `--valid-indicator`.
  public var fieldSigns = FieldSigns()
  /// Whether records that violate a rule of `--validate` are marked.
  var marksRecords = false
  /// `--ascii`: the tool itself adds no character above 127.
  public var isASCII = false
  /// `--ambiguous-width`: the width of ambiguous East Asian characters, 1 or 2.
  public var ambiguousWidth = 1
  /// The dialect of Markdown, given by the output form.
  var markdownDialect = MarkdownDialect.github
  /// `--markdown-raw`: cells are Markdown already.
  public var keepsMarkdown = false
  /// `--raw-control`.
  public var passesControl = false

  /// Creates the defaults.
  public init() {}

  /// Whether rows or cells may be styled.
  var hasStyles: Bool {
    isStriped || !(rowBackgrounds.isEmpty && rowOverlays.isEmpty && cellStyles.isEmpty && selections.isEmpty)
  }

  /// Whether colors depend on rows.
  ///
  /// HTML must know them before the first row.
  var namesColors: Bool {
    (rowBackgrounds + rowOverlays + cellStyles.map(\.rule)).contains {
      $0.foreground != nil || $0.background != nil || $0.isSwatch
    }
  }

  /// Whether cells have bars beside their numbers, and whether their numbers decide their colors.
  ///
  /// Both depend on the smallest and the largest number of a column.
  var hasBars: Bool { cellStyles.contains { $0.rule.bar != nil } }
  var hasHeat: Bool { cellStyles.contains { $0.rule.heat != nil } }

  /// Whether selected rows have a mark.
  ///
  /// Without color, it replaces the background.
  var hasSelectionMarks: Bool {
    if selections.isEmpty || selectionStyle == .overlay { return false }
    return selectionStyle == .marker || colorDepth == .none
  }

  /// Whether rows that violate a rule have a mark beside them; cards have messages below their fields instead.
  var hasRecordMarks: Bool { marksRecords && kind != .detail }

  /// Whether boxes may be drawn around rows.
  var drawsBoxes: Bool {
    !selections.isEmpty && selectionStyle == .overlay
      || (rowBackgrounds + rowOverlays).contains(where: \.isBoxed)
  }

  /// Whether rows are divided into sections, which may have headings and footers.
  var hasSections: Bool { sections != nil }

  /// The forms that are inside the frame of a text table.
  var blendedForms: [Form] {
    blendsForms && kind != .detail ? [preamble?.drawn, postamble?.drawn].compactMap { $0 } : []
  }

  /// Whether header and footer of List, Stack or Grid are set apart from the rows.
  public var hasHeaderOutside: Bool { (headerPosition ?? (kind == .list ? .inside : .outside)) == .outside }

  /// Whether titles are repeated on screens of `lines` lines that cannot keep them in view; a small one has
  /// no room.
  func repeatsTitles(onScreensOf lines: Int) -> Bool {
    (kind == .stack || kind == .grid) && hasHeader && hasHeaderOutside && pageHeight == nil && flow == nil
      && lines >= 10
  }
}

/// The number of rows measured before the first is drawn.
public enum LookAhead: Equatable, Sendable {
  /// Every row: widths and alignment are exact.
  case all

  /// The first rows only; later cells may be wider.
  case first(Int)

  /// The number of rows, if it is bounded.
  var limit: Int? { if case .first(let count) = self { count } else { nil } }

  /// The number of rows that are measured out of `total`.
  func count(of total: Int) -> Int { min(total, limit ?? total) }

  /// Whether a row, numbered from 1, is beyond the look-ahead.
  @inline(__always)
  func isLate(_ number: Int) -> Bool { if case .first(let count) = self { number > count } else { false } }
}

/// How rows are divided into sections, with their headings and footers: `--section-by` and related options.
public struct SectionOptions: Sendable {
  /// The footer below the rows of a section.
  public enum Foot: Sendable {
    /// Texts under their columns, as in the footer of a table.
    case columns(Footer)
    /// A text across all columns.
    case text(SourceTemplate)
  }

  /// A new section begins when this value changes.
  public var value: SourceExpression

  /// The text above the rows of a section, if there is one.
  public var header: SourceTemplate?

  /// The footer below them, if there is one.
  public var footer: Foot?

  /// The name of the value in templates.
  static let name = "section"

  /// Creates sections without headers and footers.
  public init(by value: SourceExpression) { self.value = value }
}
