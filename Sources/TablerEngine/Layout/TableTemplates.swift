/// What stands in the footer, with its templates bound.
enum BoundFooter: Sendable {
  /// The titles again.
  case titles
  /// The sum of each column of numbers.
  case totals
  /// Templates under their columns.
  case templates([(column: ColumnReference, template: FooterTemplate)])
}

/// The templates of a table, bound once: what they say does not depend on which columns are shown.
struct TableTemplates: Sendable {
  /// The formats of columns, in the order given.
  private(set) var formats: [(column: ColumnReference, template: RowTemplate)] = []

  /// What heads each row.
  private(set) var rowNames: RowTemplate?

  /// What heads each card.
  private(set) var cardTitle: RowTemplate?

  /// What stands in the footer.
  private(set) var footers: [BoundFooter] = []

  /// Binds the templates of a layout.
  init(_ layout: LayoutOptions, _ binder: inout Binder) throws(ExpressionError) {
    for footer in layout.footers {
      switch footer {
      case .titles: footers.append(.titles)
      case .totals: footers.append(.totals)
      case .templates(let templates):
        var bound: [(column: ColumnReference, template: FooterTemplate)] = []
        for (column, template) in templates { bound.append((column, try binder.bind(footer: template))) }
        footers.append(.templates(bound))
      }
    }
    if case .template(let template)? = layout.rowNames {
      rowNames = try binder.bind(row: template, hasCell: false, rowNumberName: .always)
    }
    for (column, template) in layout.formats {
      formats.append((column, try binder.bind(row: template, hasCell: true)))
    }
    if let title = layout.cardTitle { cardTitle = try binder.bind(row: title, hasCell: false) }
  }

  /// The templates for a table of these columns, which need not all have been known when they were bound.
  func settled(_ schema: Schema) -> TableTemplates {
    var settled = self
    settled.formats = formats.map { ($0.column, $0.template.settled(schema)) }
    settled.rowNames = rowNames?.settled(schema)
    settled.cardTitle = cardTitle?.settled(schema)
    return settled
  }
}
