/// All spacing of a text table, in lines and cells, with the layout's defaults filled in.
struct Spacing: Equatable, Sendable {
  /// Around the table.
  var table: Insets
  /// The part of `table.leading` reserved for the marks of rows.
  let markRoom: Int
  /// The cells of `table.leading` and of `table.trailing` that are reserved for boxes around rows.
  let boxRoom: Int
  /// Around rows (Stack, Detail) or cells (Grid).
  var padding: Insets
  /// Above and below the header; negative if it removes padding.
  var header: Int
  /// Above and below the footer.
  var footer: Int
  /// Between rows.
  var rows: Int
  /// Between columns.
  var columns: Int
  /// The least lines of a row.
  var rowHeight: Int
  /// Whether the padding belongs to cells, so that header and footer have it too.
  var padsCells: Bool

  /// Resolves the spacing of `options`.
  init(_ options: LayoutOptions) {
    markRoom = RowSigns.markRoom(options)
    boxRoom = options.drawsBoxes ? RowSigns(options).sideWidth : 0
    table = Insets(options.tablePadding, vertical: 0, horizontal: 0)
    table.leading += markRoom + boxRoom
    table.trailing += boxRoom
    padding =
      options.kind == .list
      ? Insets(Edges(), vertical: 0, horizontal: 0)
      : Insets(options.cellPadding, vertical: 0, horizontal: 1)
    header = options.headerSpacing?.lines ?? 0
    footer = options.footerSpacing?.lines ?? 0
    rows = options.rowSpacing?.lines ?? 0
    columns = options.columnSpacing?.cells ?? (options.kind == .grid ? 0 : 2)
    rowHeight = min(max(1, options.minimumRowHeight), 10_000)
    padsCells = options.kind == .grid
  }

  /// The cells of a line that surround its texts: the space around the table, and the padding.
  var edges: Int { table.leading + table.trailing + padding.leading + padding.trailing }

  /// Blank lines above the header.
  var aboveHeader: Int { max(0, header + (padsCells ? padding.top : 0)) }

  /// Blank lines below the header, before its rule.
  var belowHeader: Int { max(0, header + (padsCells ? padding.bottom : 0)) }

  /// Blank lines above the footer, after its rule.
  var aboveFooter: Int { max(0, footer + (padsCells ? padding.top : 0)) }

  /// Blank lines below the footer.
  var belowFooter: Int { max(0, footer + (padsCells ? padding.bottom : 0)) }

  /// Blank lines between two rows, above and below a rule that may be there.
  var betweenRows: (above: Int, below: Int) {
    let total = max(0, padding.bottom + rows + padding.top)
    let above = min(total, max(0, padding.bottom + rows / 2))
    return (above, total - above)
  }
}

/// The space on the four sides of something, in lines and cells; never negative.
struct Insets: Equatable, Sendable {
  /// Lines above.
  var top: Int
  /// Cells at the trailing side.
  var trailing: Int
  /// Lines below.
  var bottom: Int
  /// Cells at the leading side.
  var leading: Int

  /// The edges as given, otherwise `vertical` lines and `horizontal` cells.
  init(_ edges: Edges, vertical: Int, horizontal: Int) {
    top = max(0, edges.top?.lines ?? vertical)
    trailing = max(0, edges.trailing?.cells ?? horizontal)
    bottom = max(0, edges.bottom?.lines ?? vertical)
    leading = max(0, edges.leading?.cells ?? horizontal)
  }
}

extension Length {
  /// The nearest number of lines; 16 px or 1 em is one.
  var lines: Int { rounded(pixelsPerCell: 16) }

  /// The nearest number of cells; 8 px is one, 1 em is two.
  var cells: Int { rounded(pixelsPerCell: 8) }

  /// A length above the largest that options allow (10 000 em) whose sums do not overflow.
  private static let longest = 20_000.0

  private func rounded(pixelsPerCell: Double) -> Int {
    let exact =
      switch unit {
      case .cells: amount
      case .pixels: amount / pixelsPerCell
      case .ems: amount * 16 / pixelsPerCell
      }
    guard !exact.isNaN else { return 0 }
    return Int(min(max(exact, -Self.longest), Self.longest).rounded())
  }
}
