/// The content of a footer, with its templates bound.
enum BoundFooter: Sendable {
  /// The titles again.
  case titles
  /// The sum of each column of numbers.
  case totals
  /// Templates under their columns.
  case templates([(column: ColumnReference, template: FooterTemplate)])
  /// A text across all columns.
  case band(FooterTemplate)

  /// How much its aggregates hold of the rows.
  var holding: AggregateHolding {
    switch self {
    case .titles, .totals: .little
    case .templates(let templates):
      templates.map(\.template.holding).max { $0.rawValue < $1.rawValue } ?? .little
    case .band(let template): template.holding
    }
  }

  /// Binds a footer.
  ///
  /// - Parameters:
  ///   - option: the option that it was given to.
  ///   - name: the name of a value given along with the rows.
  init(
    _ footer: Footer, option: String, given name: String? = nil, _ binder: inout Binder
  ) throws(Failure) {
    switch footer {
    case .titles: self = .titles
    case .totals: self = .totals
    case .templates(let templates):
      var bound: [(column: ColumnReference, template: FooterTemplate)] = []
      for (column, template) in templates {
        do { _ = try binder.schema.resolve(column) } catch { throw .column(option: option, error) }
        do { bound.append((column, try binder.bind(footer: template, given: name))) } catch {
          throw .expression(error)
        }
      }
      self = .templates(bound)
    }
  }
}

/// The templates of a table, bound once, independent of the columns shown.
struct TableTemplates: Sendable {
  /// The formats of columns, in the order given.
  private(set) var formats: [(columns: ColumnSelector, template: RowTemplate)] = []

  /// The names of rows.
  private(set) var rowNames: RowTemplate?

  /// The titles of cards.
  private(set) var cardTitle: RowTemplate?

  /// The content of the footer.
  private(set) var footers: [BoundFooter] = []

  /// Whether templates and totals of a layout read rows: they may use the place of one, or be unable to read one of
  /// its cells.
  static func readsRows(of layout: LayoutOptions) -> Bool {
    if case .template? = layout.rowNames { return true }
    let hasFooters = layout.footers.contains { if case .titles = $0 { false } else { true } }
    return hasFooters || !layout.formats.isEmpty || layout.cardTitle != nil
  }

  /// No templates.
  init() {}

  /// Binds the templates of a layout.
  ///
  /// - Parameter isDrawn: whether rows have names: data forms ignore them.
  init(_ layout: LayoutOptions, isDrawn: Bool, _ binder: inout Binder) throws(Failure) {
    for footer in layout.footers { footers.append(try BoundFooter(footer, option: "--footer", &binder)) }
    binder.selection = layout.selections.known
    defer { binder.selection = nil }
    do {
      if isDrawn, case .template(let template)? = layout.rowNames {
        rowNames = try binder.bind(row: template, hasCell: false, rowNumberName: .always)
      }
      for (columns, template) in layout.formats {
        formats.append((columns, try binder.bind(row: template, hasCell: true)))
      }
      if let title = layout.cardTitle { cardTitle = try binder.bind(row: title, hasCell: false) }
    } catch { throw .expression(error) }
  }

  /// The templates, completed with columns that were unknown when they were bound.
  func settled(_ schema: Schema) -> TableTemplates {
    if formats.isEmpty, rowNames == nil, cardTitle == nil { return self }
    var settled = self
    settled.formats = formats.map { ($0.columns, $0.template.settled(schema)) }
    settled.rowNames = rowNames?.settled(schema)
    settled.cardTitle = cardTitle?.settled(schema)
    return settled
  }
}

extension [RowChoice] {
  /// How a template evaluates `selected()`.
  fileprivate var known: Binder.SelectedAnswer {
    var rows: [Range<Int>] = []
    var conditions: [SourceExpression] = []
    for choice in self {
      if choice.endCount > 0 { return .fromEnd }
      switch choice {
      case .rows(let ranges): rows += ranges.map { $0.indices(count: RowRange.unknownCount) }
      case .matching(let source): conditions.append(source)
      }
    }
    return .chosen(rows: rows, conditions: conditions)
  }
}
