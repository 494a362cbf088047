extension Columns {
  /// What the script of an interactive page is told of the columns shown; `nil` without `--interactive`.
  ///
  /// - Parameter isJSON: whether cells of the input have values that texts do not say.
  func page(of shown: [ShownColumn], isJSON: Bool) throws(Failure) -> Page? {
    guard let terms = pageTerms, let options = plan.output.page else { return nil }
    var schema = begun
    let keys = try Self.selected(by: plan.rowKeys, of: "--id", &schema).map { selected in
      (name: schema.name(of: selected.column), column: selected.column)
    }
    if options.editable != nil, let part = keys.first(where: { !$0.column.path.isEmpty }) {
      throw .notEditable(part.name, .isPart)
    }
    let editable = try editableColumns(options.editable, shown, keys.map(\.column.identity), &schema)
    let columns = try pageColumns(shown, terms, &schema)
    var places: [ResolvedColumn: Int] = [:]
    for (place, column) in columns.enumerated() {
      if let column, places[column.source.identity] == nil { places[column.source.identity] = place }
    }
    var out = PageDescription()
    if plan.sources.count == 1, let name = plan.sources[0].path?.name.text { out.add("name", name) }
    out.addList("columns") { out in
      for (column, title) in zip(columns, shown.map(\.name)) {
        out.addObject { out in
          guard let column else { return }
          out.add("name", title)
          let spelled = options.spelled(title)
          let flags = column.key.flags(beside: column.usualComparison, terms.surroundings.nulls)
          if spelled.key + flags != title { out.add("key", spelled.key + flags) }
          if spelled.item != title { out.add("part", spelled.item) }
          if spelled.term != title { out.add("term", spelled.term) }
          out.add(column.key, beside: terms.surroundings.nulls)
          if editable.contains(column.source.identity) { out.addTrue("editable") }
        }
      }
    }
    out.addList("sort") { out in
      for key in terms.keys {
        guard let column = key.column, let place = places[column.identity] else {
          out.addItem(key.spelled(in: options.keys, beside: terms.surroundings.nulls))
          continue
        }
        out.addList { out in
          out.addItem(place)
          out.addItem(key.coder.isDescending ? 1 : 0)
        }
      }
    }
    if terms.surroundings.nulls == .first { out.add("nulls", "first") }
    out.add(plan.layout, isJSON: isJSON)
    out.add("command", options.command)
    if plan.output.guardsFormulas { out.addTrue("guard") }
    if isJSON { out.addTrue("json") }
    let mark = plan.marks.decimal
    if !isJSON, mark != UInt8(ascii: ".") { out.add("decimal", String(UnicodeScalar(mark))) }
    let group = plan.marks.thousands
    if !isJSON, !group.isEmpty { out.add("group", String(decoding: group, as: UTF8.self)) }
    let areWhole = columns.allSatisfy { $0?.source.path.isEmpty ?? true }
    if terms.holdsFile, areWhole, options.applyCommand != nil { out.addTrue("moves") }
    if !keys.isEmpty { out.addList("id") { out in for key in keys { out.addItem(key.name) } } }
    if let command = options.applyCommand {
      let sources = columns.compactMap(\.?.source) + keys.map(\.column)
      let inFile = Set(sources.compactMap { $0.path.isEmpty ? $0.index : nil })
      let names = inFile.sorted().filter { !schema.columns[$0].isComputed }.map { schema.columns[$0].name }
      out.addList("old") { out in for name in names { out.addItem(name) } }
      out.add("apply", command)
    }
    let isShown = keys.allSatisfy { places[$0.column.identity] != nil }
    let hidden = keys.map {
      Page.HiddenKey(name: $0.name, source: $0.column, type: schema.columns[$0.column.index].type)
    }
    return Page(
      out.finish(), columns, hiddenKeys: isShown ? [] : hidden, guards: terms.guards, readsValues: isJSON)
  }

  /// The columns of the data among those shown, and how their cells are ordered; `nil` for the others.
  private func pageColumns(
    _ shown: [ShownColumn], _ terms: PageTerms, _ schema: inout Schema
  ) throws(Failure) -> [Page.DescribedColumn?] {
    let sources = shown.map { column in
      if case .column(let source) = column.source { source } else { ResolvedColumn?.none }
    }
    let orders = try terms.orders(of: sources, &schema)
    return zip(sources, orders).map { source, order in
      guard let source, let order else { return nil }
      let type = source.path.isEmpty ? schema.columns[source.index].type : nil
      return Page.DescribedColumn(
        source: source, type: type, key: order.key, usualComparison: order.usual)
    }
  }

  /// The columns of `--editable`: those of the file whose cells are shown under their names.
  private func editableColumns(
    _ list: ColumnList?, _ shown: [ShownColumn], _ keys: [ResolvedColumn], _ schema: inout Schema
  ) throws(Failure) -> Set<ResolvedColumn> {
    guard let list else { return [] }
    var editable: Set<ResolvedColumn> = []
    // Whether a column that is shown has another title somewhere.
    var isRenamed: [ResolvedColumn: Bool] = [:]
    for column in shown {
      guard case .column(let source) = column.source else { continue }
      isRenamed[source.identity] = isRenamed[source.identity] ?? false || column.hasOwnTitle
    }
    let identifying = Set(keys)
    for entry in list.entries {
      let isNamed = if case .column = entry.item, !entry.isExcluded { true } else { false }
      let chosen = try Self.selected(
        by: ColumnList([ColumnList.Entry(entry.item)]), of: "--editable", &schema)
      for selected in chosen {
        let column = selected.column.identity
        guard !entry.isExcluded else {
          editable.remove(column)
          continue
        }
        if let reason = reason(toKeep: selected.column, isRenamed[column], identifying, schema) {
          if isNamed { throw .notEditable(schema.name(of: column), reason) }
        } else {
          editable.insert(column)
        }
      }
    }
    return editable
  }

  /// Why the cells of a column cannot be changed in a page; `nil` if they can.
  ///
  /// - Parameter isRenamed: whether it is shown under another title; `nil` if it is not shown.
  private func reason(
    toKeep column: ResolvedColumn, _ isRenamed: Bool?, _ keys: Set<ResolvedColumn>, _ schema: Schema
  ) -> FixedColumn? {
    if keys.contains(column.identity) { return .identifiesRows }
    guard column.path.isEmpty else { return .isPart }
    if schema.columns[column.index].isComputed { return .isComputed }
    guard let isRenamed else { return .isHidden }
    return isRenamed ? .isRenamed : nil
  }

  private static func selected(
    by list: ColumnList?, of option: String, _ schema: inout Schema
  ) throws(Failure) -> [SelectedColumn] {
    guard let list else { return [] }
    do throws(ColumnError) { return try schema.select(list) } catch { throw .column(option: option, error) }
  }
}

extension BoundKey {
  /// The key as an option has it.
  ///
  /// - Parameters:
  ///   - keys: the text of all keys.
  ///   - nulls: where nulls come otherwise.
  fileprivate func spelled(in keys: String, beside nulls: NullPlacement) -> String {
    let target = String(decoding: Array(keys.utf8)[place], as: UTF8.self)
    return (coder.isDescending ? "-" : "") + target + flags(beside: .auto, nulls)
  }

  /// What follows the name of a column that is otherwise compared in another way.
  fileprivate func flags(beside usual: SortKey.Comparison, _ nulls: NullPlacement) -> String {
    (comparison == usual ? "" : ":" + comparison.rawValue)
      + (coder.nulls == nulls ? "" : ":" + coder.nulls.rawValue)
  }
}

extension PageDescription {
  /// Adds how a column is ordered.
  fileprivate mutating func add(_ key: BoundKey, beside nulls: NullPlacement) {
    if key.comparison != .auto { add("sort", key.comparison.rawValue) }
    if key.coder.nulls != nulls { add("nulls", key.coder.nulls.rawValue) }
    if let ranks = key.coder.ranks {
      addList("order") { out in for value in ranks.listed { out.addItem(value) } }
    }
  }

  /// Adds what new titles, selections and cells look like.
  ///
  /// - Parameter isJSON: whether a cell that was emptied is a null; in other forms it is blank.
  fileprivate mutating func add(_ layout: LayoutOptions, isJSON: Bool) {
    if layout.indicators.areShown {
      let spelled = layout.indicators.spelled(isASCII: layout.isASCII)
      addObject("indicators") { out in
        out.add("up", spelled.forward)
        out.add("down", spelled.reverse)
        out.add("neutral", spelled.neutral)
      }
      if spelled.showsRank { add("ranks", layout.isASCII ? "0123456789" : "⁰¹²³⁴⁵⁶⁷⁸⁹") }
    }
    let titles = layout.footers.firstIndex { if case .titles = $0 { true } else { false } }
    if let titles { add("titles", titles) }
    if layout.selectionMode != .multi { add("select", layout.selectionMode.rawValue) }
    let missing = isJSON ? layout.missing : ""
    if missing != "NA" { add("missing", missing) }
  }
}
