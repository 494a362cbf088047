/// Makes the columns that are shown of what options say about columns.
struct ShownColumns {
  /// The columns, from leading to trailing.
  private(set) var columns: [ShownColumn] = []

  /// Resolves all options about columns.
  init(
    _ plan: Plan, _ schema: inout Schema, sortStates: [(column: ResolvedColumn, state: ShownColumn.SortState)]
  )
    throws(Failure)
  {
    let layout = plan.layout
    var selection = try Self.attempt("--columns") { () throws(ColumnError) in
      if let list = plan.columns { try schema.select(list) } else { schema.allColumns }
    }
    let hidden = try Self.attempt("--hide") { () throws(ColumnError) in try schema.resolveAll(plan.hidden) }
    selection.removeAll { hidden.contains($0.column.identity) }
    if plan.output.form.isDisplay {
      if layout.hasRowNumbers {
        columns.append(ShownColumn(source: .rowNumber, title: "", name: "", isRowHeader: true))
      }
      switch layout.rowNames {
      case .columns(let list)?:
        let names = try Self.attempt("--row-names") { () throws(ColumnError) in try schema.select(list) }
        let named = Set(names.map(\.column.identity))
        selection.removeAll { named.contains($0.column.identity) }
        columns += names.map { Self.shown($0, isRowHeader: true) }
      case .template(let template)?:
        columns.append(ShownColumn(source: .template(template), title: "", name: "", isRowHeader: true))
      case nil: break
      }
    }
    columns += selection.map { Self.shown($0) }
    if layout.alignments.isEmpty, layout.formats.isEmpty, sortStates.isEmpty { return }
    var places: [ResolvedColumn: [Int]] = [:]
    for (place, column) in columns.enumerated() {
      if case .column(let column) = column.source { places[column.identity, default: []].append(place) }
    }
    for (selector, alignment) in layout.alignments {
      let chosen = try Self.attempt("--align") { () throws(ColumnError) in try schema.resolve(selector) }
      change(chosen, at: places) { $0.alignment = alignment }
    }
    for (reference, template) in layout.formats {
      let chosen = try Self.attempt("--format") { () throws(ColumnError) in try schema.resolve(reference) }
      change([chosen], at: places) { $0.format = template }
    }
    for (column, state) in sortStates { change([column], at: places) { $0.sort = $0.sort ?? state } }
  }
}

extension ShownColumns {
  private static func shown(_ column: SelectedColumn, isRowHeader: Bool = false) -> ShownColumn {
    ShownColumn(
      source: .column(column.column), title: column.title, name: column.name, isRowHeader: isRowHeader,
      hasOwnTitle: column.hasOwnTitle, isNamed: column.isNamed)
  }

  private mutating func change(
    _ chosen: [ResolvedColumn], at places: [ResolvedColumn: [Int]], _ change: (inout ShownColumn) -> Void
  ) {
    for column in Set(chosen.map(\.identity)) {
      for place in places[column] ?? [] { change(&columns[place]) }
    }
  }

  private static func attempt<Result>(
    _ option: String, _ body: () throws(ColumnError) -> Result
  ) throws(Failure) -> Result {
    do { return try body() } catch { throw .column(option: option, error) }
  }
}

extension OutputForm {
  /// Whether the form is for people: text, Markdown, HTML.
  var isDisplay: Bool {
    switch self {
    case .text, .markdown, .html: true
    case .csv, .tsv, .json, .jsonl: false
    }
  }

  /// Whether the form is json or jsonl, where each row says its keys.
  var isJSON: Bool {
    switch self {
    case .json, .jsonl: true
    case .text, .markdown, .html, .csv, .tsv: false
    }
  }
}
