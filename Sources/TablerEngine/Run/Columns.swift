/// The columns of a run: those that are known, those that are shown, and those that came too late to be shown.
///
/// There is one value of it, and it only changes between batches. The reader has its own columns on another
/// thread; what it knows comes with each batch.
struct Columns {
  /// A key of JSON for which the table, begun without it, has no column, and the first shown row that has it.
  struct LateKey {
    /// The name of the key.
    var name: String
    /// The input, as an index into the plan's sources.
    var source: Int
    /// The line of the row.
    var line: Int
  }

  /// The columns that are drawn.
  struct ChosenColumns {
    /// The columns in the titles of cards.
    var names: [ShownColumn] = []

    /// All others, which are fields.
    var fields: [ShownColumn] = []
  }

  /// All columns of the rows that were needed so far; for grouped rows their keys and aggregates.
  private(set) var known: Schema

  /// The columns of the input, if rows are grouped.
  private var ungrouped: Schema?

  /// The columns of the rows that were read so far.
  var read: Schema { ungrouped ?? known }

  /// The number of first columns that are keys of groups.
  private let groupKeyCount: Int

  /// The columns with which the table is begun: those of the rows examined.
  private(set) var begun: Schema

  let plan: Plan
  private let schedule: Schedule
  private var templates = TableTemplates()
  private let fieldMarks: FieldMarks?
  private let sortStates: [(column: ResolvedColumn, state: ShownColumn.SortState)]
  private let context: EvaluationContext
  private let variables: NamedTexts

  /// The names of JSON that have not been found yet.
  private var expected = ExpectedNames()

  /// The number of columns shown when the painter was last informed, if records are drawn with their own keys.
  private var toldCount = 0

  /// What became of the columns of an older table, if rows are compared with one.
  private var comparison: (columns: ComparedColumns, changed: Set<String>)?

  /// The columns that are compared and those that identify rows, as options name them.
  private let comparedList: (columns: ColumnList?, hidden: ColumnList, keys: ColumnList?)

  /// What an interactive page must know of the steps.
  let pageTerms: PageTerms?

  /// The columns of groups that are compared, if their changes are only counted.
  private let countedGroups: Schema?

  /// The columns that are drawn, or were reported to be missing.
  private var settled: Set<Int> = []

  /// Begins with what is known before the first row is needed, and rejects options that mean nothing for it.
  init(
    _ plan: borrowing Plan, _ schedule: Schedule, _ steps: borrowing Steps, _ binder: inout Binder
  ) throws(Failure) {
    let counted = steps.comparer?.input
    var plan = copy plan
    comparedList = (plan.columns, plan.hidden, plan.rowKeys)
    // What names columns of the data names none of a table that counts changes.
    if counted != nil { (plan.columns, plan.hidden, plan.rowKeys) = (nil, ColumnList([]), nil) }
    self.plan = plan
    self.schedule = schedule
    sortStates = counted == nil ? steps.sortStates : []
    pageTerms = steps.page
    fieldMarks = counted == nil ? steps.fieldMarks : nil
    countedGroups = steps.input() == nil ? nil : counted
    ungrouped = steps.input() ?? counted
    groupKeyCount = counted == nil ? steps.grouper?.keyCount ?? 0 : 0
    context = binder.context
    variables = binder.variables
    known = binder.schema
    begun = known
    let columns = try selected(from: &binder.schema)
    for (selector, _) in plan.layout.formats {
      _ = try Self.attempt("--format") { () throws(ColumnError) in try binder.schema.resolve(selector) }
    }
    try checkKeys(columns, binder.schema)
    if schedule.knowsColumns {
      // Templates are bound later: one for row names makes a column, too.
      let hasTemplate = if case .template? = plan.layout.rowNames { true } else { false }
      try checkItems(columnCount: columns.count + (hasTemplate ? 1 : 0))
    }
    templates = try TableTemplates(plan.layout, isDrawn: plan.output.form.isDisplay, &binder)
    _ = try RowStyles(plan, columns, &binder)
    known = binder.schema
    begun = known
    expected = ExpectedNames(read.wanted)
  }

  /// Chooses the columns that are compared, if changes are only counted: nothing else names them before they come.
  mutating func chooseCompared() throws(Failure) {
    guard plan.comparison?.countsOnly ?? false else { return }
    let schema = try compared().schema
    if countedGroups == nil { ungrouped = schema }
    expected = ExpectedNames(read.wanted)
  }

  /// Takes over the columns that are known with a batch.
  mutating func adopt(_ schema: Schema) {
    if ungrouped != nil {
      ungrouped = schema
      return
    }
    known = schema
    begun = schema
  }

  /// Searches the first rows of a batch for names that options use.
  mutating func findNames(in batch: Batch, count: Int) {
    expected.removeNames(foundIn: batch, count: count, read)
  }

  /// Begins the table with fewer columns than are now known: it makes no difference how much was read.
  mutating func begin(with schema: Schema) { begun = schema }
}

extension Columns {
  /// Chooses the columns that are drawn, and creates the footer below them.
  mutating func chooseShownColumns() throws(Failure) -> (ChosenColumns, FooterLines, TableTemplates) {
    let choice = try chosen(from: &begun)
    let footers: FooterLines
    do { footers = try FooterLines(templates.footers, choice.fields, &begun, context) } catch {
      throw .column(option: "--footer", error)
    }
    toldCount = begun.shown.count
    switch schedule.lateColumns {
    case .none: break
    case .drawn:
      for columns in [choice.names, choice.fields] {
        for column in columns { _ = markDrawn(column) }
      }
    case .reported:
      settled = Set(begun.shown)
      for columns in [choice.names, choice.fields] {
        for column in columns {
          guard case .column(let resolved) = column.source else { continue }
          settled.insert(resolved.index)
          for longer in resolved.longer { settled.insert(longer.index) }
        }
      }
    }
    return (choice, footers, templates.settled(begun))
  }

  /// The styles of rows and cells, for the columns that are drawn.
  mutating func styles(of columns: [ShownColumn]) throws(Failure) -> RowStyles {
    var styles = RowStyles()
    if plan.output.form.isDisplay, plan.layout.hasStyles {
      var binder = Binder(schema: begun, variables: variables, context: context)
      styles = try RowStyles(plan, columns, &binder)
    }
    if let change = comparison?.columns.change, plan.output.form == .text, plan.layout.colorDepth != .none {
      styles.addColors(of: change, oldCells: columns.map { $0.earlier?.index })
    }
    if plan.layout.marksRecords, let mark = fieldMarks?.ofRecord { styles.add(mark) }
    return styles
  }

  /// The keys that came with the rows to be drawn next, if records of JSON are drawn with their own.
  mutating func takeGrowth() throws(Failure) -> KeyGrowth? {
    guard schedule.lateColumns == .drawn, known.shown.count > toldCount else { return nil }
    toldCount = known.shown.count
    let new = try chosen(from: &known).fields.filter { markDrawn($0) }
    var growth = KeyGrowth(columns: new, texts: new.map { CellText($0) }, hidden: try hiddenNames(of: known))
    if !plan.layout.cellStyles.isEmpty, plan.output.form.isDisplay {
      var binder = Binder(schema: known, variables: variables, context: context)
      growth.styles = try RowStyles(cells: plan, new, &binder)
    }
    return growth
  }

  /// Records that a column is drawn.
  ///
  /// - Returns: whether it was not drawn before.
  private mutating func markDrawn(_ column: ShownColumn) -> Bool {
    guard case .column(let source) = column.source, source.path.isEmpty else { return false }
    return settled.insert(source.index).inserted
  }

  /// The keys that rows are the first to have, if the table was begun without them and would show them.
  mutating func takeLateKeys(of rows: Rows) -> [LateKey] {
    guard schedule.lateColumns == .reported, case .asTheyCome = schedule.taking else { return [] }
    let late = known.shown.filter { !settled.contains($0) }
    if late.isEmpty { return [] }
    let firsts = rows.firsts(of: Set(late))
    let wanted = firsts.isEmpty ? [] : wantedColumns
    var found: [LateKey] = []
    for column in late {
      guard let first = firsts[column] else { continue }
      settled.insert(column)
      guard wanted.contains(column) else { continue }
      let batch = rows.batches[first.batch]
      found.append(
        LateKey(
          name: known.columns[column].name, source: batch.source(ofRow: first.row),
          line: batch.line(ofRow: first.row)))
    }
    return found
  }

  /// The columns that would be shown if all had been known from the start.
  private var wantedColumns: Set<Int> {
    var schema = known
    guard let shown = try? selected(from: &schema) else { return [] }
    return Set(
      shown.compactMap { column in
        if case .column(let resolved) = column.source { resolved.index } else { nil }
      })
  }

  /// The names that `--hide` and `!` items remove from JSON records that keep their own keys.
  func hiddenNames() throws(Failure) -> [String] { try hiddenNames(of: begun) }

  private func hiddenNames(of schema: Schema) throws(Failure) -> [String] {
    var schema = schema
    let excluded = ColumnList((plan.columns?.entries ?? []).map { ColumnList.Entry($0.item) })
    return try Self.attempt("--hide") { () throws(ColumnError) in
      var hidden = try schema.resolveAll(plan.hidden)
      if schedule.keepsOwnKeys { hidden.formUnion(try schema.resolveAll(excluded)) }
      return hidden.compactMap(\.exact).map { schema.columns[$0].name }
        + schema.columns.filter(\.isComputed).map(\.name)
    }
  }
}

extension Columns {
  /// The columns of the data that are shown, and those that identify rows, to be compared with those of another table.
  ///
  /// - Parameter names: the names of those that identify rows in the other table, which they are looked up by.
  /// - Returns: these, and a schema that has them: a column of JSON that is named need not have come.
  func compared(keys names: [String]? = nil) throws(Failure) -> (
    schema: Schema, shown: [ShownColumn], keys: [SelectedColumn]
  ) {
    var schema = comparedSchema
    var selection = try Self.attempt("--columns") { () throws(ColumnError) in
      if let list = comparedList.columns { try schema.select(list) } else { schema.allColumns }
    }
    let hidden = try Self.attempt("--hide") { () throws(ColumnError) in
      try schema.resolveAll(comparedList.hidden)
    }
    selection.removeAll { hidden.contains($0.column.identity) }
    let shown = selection.map { selected in
      var column = ShownColumn(selected, isRowHeader: false)
      if selected.column.path.isEmpty { column.type = schema.columns[selected.column.index].type }
      return column
    }
    guard let list = comparedList.keys else { return (schema, shown, []) }
    if let names {
      let keys = names.compactMap { name in
        schema.index(of: name).map { _ in ColumnReference.name(name, isQuoted: true) }
      }
      if keys.count == names.count {
        let list = ColumnList(keys.map { ColumnList.Entry(.column($0, title: nil)) })
        let found = try Self.attempt("--id") { () throws(ColumnError) in try schema.select(list) }
        return (schema, shown, found)
      }
    }
    let keys = try Self.attempt("--id") { () throws(ColumnError) in try schema.select(list) }
    return (schema, shown, keys)
  }

  /// The columns of the rows that are compared with others.
  var comparedSchema: Schema { countedGroups ?? (plan.comparison?.countsOnly == true ? read : known) }

  /// The columns that are not compared.
  func ignored() throws(Failure) -> Set<ResolvedColumn> {
    var schema = try compared().schema
    return try Self.attempt("--diff-ignore") { () throws(ColumnError) in
      try schema.resolveAll(plan.comparison?.ignored ?? ColumnList([]))
    }
  }

  /// Binds expressions to the columns known.
  var binder: Binder { Binder(schema: comparedSchema, variables: variables, context: context) }

  /// What tells the section of a row, if there are sections.
  func section() throws(Failure) -> Program? {
    guard let options = plan.layout.sections else { return nil }
    var binder = binder
    do { return try binder.bind(options.value) } catch { throw .expression(error) }
  }

  /// Shows what became of the columns of an older table.
  mutating func show(_ columns: ComparedColumns, changed: [String]) { comparison = (columns, Set(changed)) }

  /// What became of the columns of an older table, if rows are compared with one.
  var comparedColumns: ComparedColumns? { comparison?.columns }
}

extension [ShownColumn] {
  /// Shows what became of rows and cells.
  ///
  /// - Parameter changed: the names of the columns with changed cells.
  fileprivate mutating func show(_ columns: ComparedColumns, changed: Set<String>, _ plan: Plan) {
    guard let options = plan.comparison else { return }
    let signs = ChangeSigns(plan.layout, areWords: plan.output.form == .html && plan.layout.kind == .detail)
    let pairs = Dictionary(columns.pairs.map { ($0.new, $0) }) { first, _ in first }
    if options.showsChangedColumnsOnly {
      let keys = Set(columns.keys.map(\.column.identity))
      removeAll { column in
        guard case .column(let source) = column.source, let pair = pairs[source] else { return false }
        return !keys.contains(source.identity) && !changed.contains(pair.name)
      }
    }
    switch plan.output.form {
    case .json, .jsonl: break
    case .csv, .tsv:
      let names = columns.dataNames
      let indices = [columns.change.change, columns.change.from, columns.change.to, columns.change.was]
      let added = zip(names, indices).map { name, index in
        ShownColumn(source: .column(ResolvedColumn(index: index)), title: name, name: name)
      }
      insert(contentsOf: added.dropLast(), at: 0)
      append(contentsOf: added.suffix(1))
    case .text, .markdown, .pandoc, .html:
      for index in indices {
        guard case .column(let source) = self[index].source, let pair = pairs[source] else { continue }
        self[index].earlier = ShownColumn.EarlierCells(
          index: pair.was, signs: signs, deltaMarks: options.showsDelta ? plan.marks : nil,
          differ: changed.contains(pair.name))
      }
      var mark = ShownColumn(
        source: .change(columns.change, signs),
        title: plan.layout.kind == .detail ? ChangeColumns.names[0] : "", name: "", isRowHeader: true)
      mark.alignment = .leading
      insert(mark, at: 0)
    }
  }
}

extension Columns {
  /// The description in `--explain plan` of what is drawn besides rows and cells.
  var planned: [PlannedStep] {
    guard plan.output.form.isDisplay else { return [] }
    var steps: [PlannedStep] = []
    if let count = plan.layout.selections.map(\.endCount).max() {
      let holdsRows = count > 0 && !schedule.holdsAllRows
      steps.append(PlannedStep(work: .select, holding: holdsRows ? .rows(count) : .batch))
    }
    let holding = templates.footers.map(\.holding).max { $0.rawValue < $1.rawValue }
    if let holding { steps.append(PlannedStep(work: .footer, holding: holding.planned)) }
    return steps
  }

  /// The columns that were read but are not shown.
  func leftOut() throws(Failure) -> LeftOut {
    var schema = known
    let all = schema.shown.filter { schema.columns[$0].isSeen && !schema.columns[$0].isComputed }
    var shown: Set<Int> = []
    for column in try selected(from: &schema) {
      guard case .column(let source) = column.source, source.path.isEmpty else { continue }
      shown.insert(source.index)
      for longer in source.longer where longer.path.isEmpty { shown.insert(longer.index) }
    }
    return LeftOut(count: all.count { !shown.contains($0) }, total: all.count)
  }

  /// Whether none of the wanted columns comes from the input or an option.
  func areNone() throws(Failure) -> Bool {
    var schema = known
    return try selected(from: &schema).allSatisfy { column in
      guard case .column(let source) = column.source else { return false }
      return !schema.columns[source.index].isSeen && !schema.columns[source.index].isComputed
    }
  }

  /// Chooses columns according to the options.
  private func chosen(from schema: inout Schema) throws(Failure) -> ChosenColumns {
    var columns = try selected(from: &schema)
    try checkKeys(columns, schema)
    if let comparison { columns.show(comparison.columns, changed: comparison.changed, plan) }
    try checkItems(columnCount: columns.count)
    return cardParts(columns)
  }

  /// Rejects columns that would give an object of JSON the same key twice.
  private func checkKeys(_ columns: [ShownColumn], _ schema: Schema) throws(Failure) {
    guard plan.output.form.isJSON else { return }
    var keys: Set<ExactName> = []
    for column in DataColumn.columns(of: columns, schema)
    where !keys.insert(ExactName(column.key)).inserted {
      throw .repeatedKey(column.key)
    }
  }

  /// Rejects items of `--grid-items` for columns that do not exist; nothing is rejected if no column was read.
  private func checkItems(columnCount: Int) throws(Failure) {
    let count = plan.output.form.isDisplay ? plan.layout.gridItems.columnCount : 0
    if count > columnCount, columnCount > 0 {
      throw .tooManyGridItems(count: count, columns: columnCount)
    }
  }

  /// The columns in the titles of cards, and all others.
  ///
  /// Row names are the title unless `--title-of` is given; row numbers precede either. Without both, the
  /// painter numbers the rows.
  private func cardParts(_ columns: [ShownColumn]) -> ChosenColumns {
    guard plan.layout.kind == .detail, plan.output.form.isDisplay else {
      return ChosenColumns(fields: columns)
    }
    let hasTitle = plan.layout.cardTitle != nil
    var choice = ChosenColumns()
    for column in columns {
      if column.isRowHeader, column.isRowNumber || !hasTitle {
        choice.names.append(column)
      } else {
        choice.fields.append(column)
      }
    }
    if !hasTitle, choice.names.allSatisfy(\.isRowNumber) { choice.names = [] }
    return choice
  }

  /// Resolves all options about columns, from leading to trailing.
  private func selected(from schema: inout Schema) throws(Failure) -> [ShownColumn] {
    let layout = plan.layout
    let templates = templates.settled(schema)
    var columns: [ShownColumn] = []
    var selection = try Self.attempt("--columns") { () throws(ColumnError) in
      if let list = plan.columns { try schema.select(list) } else { schema.allColumns }
    }
    let hidden = try Self.attempt("--hide") { () throws(ColumnError) in try schema.resolveAll(plan.hidden) }
    selection.removeAll { hidden.contains($0.column.identity) }
    if plan.output.form.isDisplay {
      if layout.hasRowNumbers {
        columns.append(ShownColumn(source: .rowNumber, title: "", name: "", isRowHeader: true))
      }
      if case .columns(let list)? = layout.rowNames {
        let names = try Self.attempt("--row-names") { () throws(ColumnError) in try schema.select(list) }
        let named = Set(names.map(\.column.identity))
        selection.removeAll { named.contains($0.column.identity) }
        columns += names.map { ShownColumn($0, isRowHeader: true) }
      } else if let template = templates.rowNames {
        columns.append(ShownColumn(source: .template(template), title: "", name: "", isRowHeader: true))
      }
    }
    // `+=` would copy all of them: there may be very many.
    columns.reserveCapacity(columns.count + selection.count)
    for column in selection { columns.append(ShownColumn(column, isRowHeader: false)) }
    if groupKeyCount > 0 {
      for place in columns.indices {
        guard case .column(let column) = columns[place].source else { continue }
        columns[place].isGroupKey = column.index < groupKeyCount
      }
    }
    if let keyCount = plan.pivoted?.keyCount {
      for place in columns.indices {
        guard case .column(let column) = columns[place].source else { continue }
        columns[place].isPivotKey = column.index < keyCount
      }
    }
    for index in columns.indices {
      guard case .column(let source) = columns[index].source else { continue }
      columns[index].rank = schema.columns[source.index].rank
      columns[index].mark = fieldMarks?.mark(of: source, schema)
    }
    if let list = plan.rowKeys, ungrouped == nil {
      let keys = try Self.attempt("--id") { () throws(ColumnError) in try schema.select(list) }
      let named = Set(keys.map(\.column.identity))
      for index in columns.indices {
        guard case .column(let source) = columns[index].source else { continue }
        columns[index].isRowKey = named.contains(source.identity)
      }
    }
    try putSpans(over: &columns, &schema)
    if let list = layout.merged, plan.output.form.isDisplay {
      let merged = try Self.attempt("--merge-repeats") { () throws(ColumnError) in try schema.select(list) }
      let places = columns.placesByColumn
      for (rank, column) in merged.enumerated() {
        for index in places[column.column.identity] ?? [] where columns[index].mergeRank == 0 {
          columns[index].mergeRank = rank + 1
        }
      }
    }
    if schema.hasTypes { for index in columns.indices { columns[index].align(by: schema) } }
    if plan.output.form.isDisplay { columns.apply(layout.gridItems) }
    if layout.alignments.isEmpty, templates.formats.isEmpty, sortStates.isEmpty { return columns }
    let places = columns.placesByColumn
    func change(_ chosen: [ResolvedColumn], _ change: (inout ShownColumn) -> Void) {
      for column in Set(chosen.map(\.identity)) {
        for place in places[column] ?? [] { change(&columns[place]) }
      }
    }
    for (selector, alignment) in layout.alignments {
      let chosen = try Self.attempt("--align") { () throws(ColumnError) in try schema.resolve(selector) }
      change(chosen) { $0.alignment = alignment }
    }
    for (selector, template) in templates.formats {
      let chosen = try Self.attempt("--format") { () throws(ColumnError) in try schema.resolve(selector) }
      // A format of many columns need not suit all of them, and one of a declared type may be meant for the footer.
      let format =
        if case .column = selector, let column = chosen.first, schema.columns[column.index].type == nil {
          template.format(of: schema.name(of: column))
        } else { template }
      change(chosen) { $0.format = format }
    }
    for (column, state) in sortStates { change([column]) { $0.sort = $0.sort ?? state } }
    return columns
  }

  /// Puts titles over several columns: those of the header, and those of `--span`, the widest on top.
  private func putSpans(over columns: inout [ShownColumn], _ schema: inout Schema) throws(Failure) {
    if plan.drawsSpans, schema.hasSpannedTitles {
      for index in columns.indices where !columns[index].hasOwnTitle {
        guard case .column(let source) = columns[index].source, source.path.isEmpty,
          let divided = schema.spannedTitle(of: source.index)
        else { continue }
        (columns[index].spans, columns[index].title) = (divided.above, divided.title)
      }
    }
    var spans: [(columns: [Int], title: String)] = []
    let places = plan.layout.spans.isEmpty ? [:] : columns.placesByColumn
    for span in plan.layout.spans {
      let found = try Self.attempt("--span") { () throws(ColumnError) in try schema.resolveAll(span.columns) }
      spans.append((found.flatMap { places[$0] ?? [] }.sorted(), span.title))
    }
    // Of titles over as many columns the one given last is on top.
    let order = spans.indices.sorted { (spans[$0].columns.count, $0) < (spans[$1].columns.count, $1) }
    for index in order { columns.put(spans[index].title, over: spans[index].columns) }
    if !plan.drawsSpans { columns.joinTitles() }
  }

  private static func attempt<Result>(
    _ option: String, _ body: () throws(ColumnError) -> Result
  ) throws(Failure) -> Result {
    do { return try body() } catch { throw .column(option: option, error) }
  }
}

extension RowStyles {
  /// Binds the rules of a plan for rows and cells.
  fileprivate init(
    _ plan: borrowing Plan, _ columns: [ShownColumn], _ binder: inout Binder
  ) throws(Failure) {
    try self.init(plan.layout, columns, isColored: plan.isColored, drawsBars: plan.drawsBars, &binder)
  }

  /// Binds the rules of a plan for the cells of columns that came late.
  fileprivate init(
    cells plan: borrowing Plan, _ columns: [ShownColumn], _ binder: inout Binder
  ) throws(Failure) {
    var plan = copy plan
    plan.layout.rowBackgrounds = []
    plan.layout.rowOverlays = []
    plan.layout.selections = []
    try self.init(plan, columns, &binder)
  }
}

extension Rows {
  /// The first row that has a cell in a column, for each of `columns` that has one.
  fileprivate func firsts(of columns: Set<Int>) -> [Int: RowID] {
    var firsts: [Int: RowID] = [:]
    for id in ids {
      let batch = batches[id.batch]
      for index in batch.cellIndices(ofRow: id.row) where batch.cells[index].kind != .missing {
        let column = batch.column(ofCell: index, row: id.row)
        if columns.contains(column), firsts[column] == nil { firsts[column] = id }
      }
      if firsts.count == columns.count { break }
    }
    return firsts
  }
}

extension Schema {
  /// The columns of a file of removed rows: all columns of the input, and those with the reasons.
  func columns(with reasons: Range<Int>) -> [ShownColumn] {
    shownBeforeTurning().map { ShownColumn(selected($0), isRowHeader: false) }
      + reasons.map { index in
        let title = columns[index].title
        return ShownColumn(source: .column(ResolvedColumn(index: index)), title: title, name: title)
      }
  }
}

extension Plan {
  /// Whether colors of rows and cells can be seen.
  fileprivate var isColored: Bool {
    output.form == .html || output.form == .text && layout.colorDepth != .none
  }

  /// Whether bars are drawn; they have no style of their own in an element.
  var drawsBars: Bool {
    layout.hasBars && (output.form == .text || output.form == .html && output.styleSheet != .inline)
  }

  /// Whether a title may be drawn over several columns.
  fileprivate var drawsSpans: Bool {
    switch DrawingKind(self) {
    case .text: !layout.wrapsColumns
    case .html: layout.flow == nil
    case .markdown: output.form == .pandoc && layout.kind == .grid
    case .flow, .flowingCards, .textCards, .markdownCards, .pandocCards, .htmlCards, .csv, .tsv, .json: false
    }
  }

  /// Whether the numbers of cells decide their colors.
  var drawsHeat: Bool { layout.hasHeat && isColored }

  /// Whether options name columns in which `patterns` may find some: a test without lists.
  fileprivate var hasPatterns: Bool {
    columns != nil || comparison != nil || !hidden.entries.isEmpty || layout.rowNames != nil || !types.isEmpty
      || !rules.isEmpty
      || !layout.cellStyles.isEmpty || !layout.alignments.isEmpty || layout.merged != nil
      || !layout.spans.isEmpty
  }

  /// The patterns for names of columns that have an effect, with their options.
  fileprivate var patterns: [(option: String, text: String)] {
    let types = types.compactMap { if case .glob(let text) = $0.columns { ("--types", text) } else { nil } }
    var lists: [(String, ColumnList?)] = [("--columns", columns), ("--hide", hidden)]
    if output.form.isDisplay, case .columns(let names)? = layout.rowNames {
      lists.append(("--row-names", names))
    }
    if output.form.isDisplay { lists.append(("--merge-repeats", layout.merged)) }
    for span in layout.spans { lists.append(("--span", span.columns)) }
    let rules = rules.compactMap {
      if case .glob(let text)? = $0.columns { ("--validate", text) } else { nil }
    }
    var looks: [(String, String)] = []
    if output.form.isDisplay {
      for style in layout.cellStyles {
        if case .glob(let text) = style.columns { looks.append(("--cell", text)) }
      }
      for (column, _) in layout.alignments {
        if case .glob(let text) = column { looks.append(("--align", text)) }
      }
    }
    return types + rules + looks
      + lists.flatMap { option, list in
        (list?.entries ?? []).compactMap { entry in
          if case .glob(let text) = entry.item { (option, text) } else { nil }
        }
      }
  }
}

extension ComparisonOptions {
  /// The patterns for names of columns, with their options.
  fileprivate var patterns: [(option: String, text: String)] {
    let selectors =
      tolerances.map { ("--tolerance", $0.columns) }
      + equalities.compactMap { rule in rule.columns.map { ("--same", $0) } }
    let ignored = ignored.entries.compactMap { entry in
      if case .glob(let text) = entry.item { ("--diff-ignore", text) } else { nil }
    }
    return ignored
      + selectors.compactMap { option, columns in
        if case .glob(let text) = columns { (option, text) } else { nil }
      }
  }
}

extension [ShownColumn] {
  /// Applies items to the first columns; there may be more items than known columns.
  fileprivate mutating func apply(_ items: [GridItem]) {
    var index = 0
    for item in items {
      for _ in 0..<item.count {
        guard index < count else { return }
        self[index].item = item
        if let alignment = item.alignment { self[index].alignment = alignment }
        index += 1
      }
    }
  }
}

extension ShownColumn {
  /// Aligns the column by its declared type, if it has one.
  fileprivate mutating func align(by schema: Schema) {
    guard case .column(let source) = source, source.path.isEmpty else { return }
    guard let type = schema.columns[source.index].type else { return }
    self.type = type
    alignment = type.isNumeric || type == .size || type == .duration ? .trailing : .leading
  }

  fileprivate init(_ column: SelectedColumn, isRowHeader: Bool) {
    self.init(
      source: .column(column.column), title: column.title, name: column.name, isRowHeader: isRowHeader,
      hasOwnTitle: column.hasOwnTitle, isNamed: column.isNamed)
  }
}

extension Columns {
  /// The notices about names that options use: those that never came, patterns that nothing matched, parts of
  /// cells that cannot be hidden.
  ///
  /// - Parameter hasRows: whether a row came that might have had one.
  func notices(hasRows: Bool) -> [Notice] {
    (hasRows ? expected.notices(read) + changedUnseen : []) + idlePatterns(hasRows: hasRows) + hiddenParts
  }

  /// The columns of JSON that were changed though no record had them.
  private var changedUnseen: [Notice] {
    let unseen = read.changedUnseen
    if unseen.isEmpty { return [] }
    let names = read.shown.lazy.map { self.read.columns[$0] }.filter(\.isSeen).map(\.name)
    return unseen.map { .changedUnseen(column: $0, suggestion: $0.nearest(among: Array(names))) }
  }

  /// The patterns for names that none has matched.
  private func idlePatterns(hasRows: Bool) -> [Notice] {
    if !plan.hasPatterns || (known.isOpen && !hasRows) { return [] }
    func names(_ schema: Schema) -> [[Unicode.Scalar]] {
      schema.shown.map { Array(schema.columns[$0].name.unicodeScalars) }
    }
    func unmatched(_ patterns: [(option: String, text: String)], _ names: (String) -> [[Unicode.Scalar]])
      -> [Notice]
    {
      patterns.filter { pattern in
        let glob = Glob(pattern.text)
        return !names(pattern.option).contains { glob.matches($0) }
      }.map { .nothingMatched(option: $0.option, pattern: $0.text) }
    }
    let namesRead = names(read) + read.turnedNames().map { Array($0.unicodeScalars) }
    let names = names(known)
    let compared = comparison.map { comparison in
      (comparison.columns.oldNames + comparison.columns.newNames).map { Array($0.unicodeScalars) }
    }
    return unmatched(plan.patterns) { $0 == "--types" || $0 == "--validate" ? namesRead : names }
      + (compared.map { compared in unmatched(plan.comparison?.patterns ?? []) { _ in compared } } ?? [])
  }

  /// The names in `--hide`, and after `!` in `--columns`, that are only parts of a column that is shown.
  private var hiddenParts: [Notice] {
    var known = comparedSchema
    func isSeen(_ index: Int) -> Bool { !known.isOpen || known.columns[index].isSeen }
    guard let hidden = try? known.resolveAll(comparedList.hidden) else { return [] }
    let listed = comparedList.columns.flatMap { list in try? known.select(list).map(\.column.identity) }
    let unwanted =
      comparedList.hidden.entries.filter { !$0.isExcluded }.map { ("--hide", $0) }
      + (comparedList.columns?.entries ?? []).filter(\.isExcluded).map { ("--columns", $0) }
    return unwanted.compactMap { option, entry in
      guard case .column(let reference, _) = entry.item,
        case .name(let name, _) = reference,
        let column = try? known.resolve(reference)
      else { return nil }
      if expected.holds(column) { return nil }
      if let exact = column.exact, isSeen(exact) { return nil }
      let ways = [column] + column.longer
      guard let holder = ways.first(where: { !$0.path.isEmpty && isSeen($0.index) }) else { return nil }
      let whole = ResolvedColumn(index: holder.index)
      if hidden.contains(whole) || listed?.contains(whole) == false { return nil }
      return .hiddenPart(option: option, name: name.trimmingBlanks, column: known.columns[holder.index].name)
    }
  }
}

/// The names of JSON that options use, until a row that has them was read.
struct ExpectedNames {
  /// A name, and what was found in its place.
  private struct Name {
    let wanted: WantedName

    /// The members of the first object that should have had the next step of the path, with the steps before it.
    var nearby: (before: ResolvedColumn, members: [String])?
  }

  private var names: [Name]

  /// The maximum number of members in an object that are remembered as suggestions.
  private static let mostMembers = 1000

  /// Expects names.
  init(_ names: [WantedName] = []) { self.names = names.map { Name(wanted: $0) } }

  /// Forgets the names that the first rows of a batch have.
  mutating func removeNames(foundIn batch: Batch, count: Int, _ schema: Schema) {
    for index in names.indices.reversed() {
      let column = names[index].wanted.column
      // One that has become rows may have been seen in later ones.
      let isMet =
        column.path.isEmpty && !schema.columns[column.index].isTurned
        ? schema.columns[column.index].isSeen
        : (0..<count).contains { batch.value(of: column, row: $0).kind != .missing }
      if isMet {
        names.remove(at: index)
      } else if !column.path.isEmpty, names[index].nearby == nil {
        names[index].nearby = Self.nearby(column, batch, count: count)
      }
    }
  }

  /// Whether a column is still expected.
  func holds(_ column: ResolvedColumn) -> Bool { names.contains { $0.wanted.column == column } }

  /// A warning for each name that never came.
  func notices(_ schema: Schema) -> [Notice] {
    names.map { name in
      let suggestion = Self.suggestion(for: name, schema)
      return .input(
        .neverSeen(
          name.wanted.name, suggestion: suggestion,
          suggestion == nil ? Self.namesThere(beside: name, schema) : NamesThere()))
    }
  }

  /// The first object on the path that lacks the next step.
  private static func nearby(
    _ column: ResolvedColumn, _ batch: Batch, count: Int
  ) -> (before: ResolvedColumn, members: [String])? {
    for row in 0..<count {
      for length in column.path.indices.reversed() {
        let before = ResolvedColumn(index: column.index, path: Array(column.path[..<length]))
        let found = batch.value(of: before, row: row)
        let isText = found.isWhole && found.kind == .text
        guard found.kind == .object || isText else { continue }
        let text = batch.content(found.cell).extracting(found.place)
        guard let object = JSONText.find([], in: text), object.kind == .object else { continue }
        let members = JSONText.names(text.extracting(object.start..<object.end), limit: mostMembers)
        return (before, members)
      }
    }
    return nil
  }

  /// The names that did come, next to the missing step.
  private static func namesThere(beside name: Name, _ schema: Schema) -> NamesThere {
    guard let nearby = name.nearby, !nearby.members.isEmpty else {
      return NamesThere(names: schema.names(atMost: Failure.mostTold))
    }
    return NamesThere(
      names: Array(nearby.members.prefix(Failure.mostTold)), holder: schema.name(of: nearby.before))
  }

  /// The nearest name that did come.
  private static func suggestion(for name: Name, _ schema: Schema) -> String? {
    let column = name.wanted.column
    if let nearby = name.nearby, case .member(let missing) = column.path[nearby.before.path.count] {
      guard let member = missing.nearest(among: nearby.members) else { return nil }
      return schema.name(of: nearby.before.following([.member(member)]))
    }
    let names = schema.shown.map { schema.columns[$0].name }
    guard let nearest = name.wanted.name.nearest(among: names) else {
      let base = schema.columns[column.index]
      guard !base.isSeen, !column.path.isEmpty else { return nil }
      return base.name.nearest(among: names).map {
        $0 + schema.name(of: column).dropFirst(base.name.count)
      }
    }
    return nearest
  }
}
