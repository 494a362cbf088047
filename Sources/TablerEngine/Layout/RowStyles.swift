/// The styles of rows and cells: stripes, backgrounds, overlays, cell styles and selection.
///
/// Each painter has its own copy. Before it paints some rows, it evaluates all rules for them, one rule at a
/// time. Then it asks for the look of each row. Of each kind of rule, the first one whose condition is true
/// applies.
struct RowStyles: Sendable {
  /// A rule, bound to columns.
  private struct Rule: Sendable {
    /// The look that does not depend on the row.
    var look: AppliedStyle

    /// The condition, as an index into `programs`.
    ///
    /// Without one, the rule applies to every row.
    var condition: Int?

    /// The expressions for the colors, as indices into `programs`.
    var foreground: Int?
    var background: Int?

    /// The cells for bars, if it draws them.
    var bar: Int?

    /// The colors between which numbers choose one.
    var heat: HeatColors?

    /// The option of the rule and, for `--cell`, the column if the rule names one.
    var option = "--cell"
    var column: String?

    /// How it draws cells by their numbers, if it does.
    ///
    /// - Parameter index: its index.
    func scale(at index: Int) -> CellScale? {
      guard bar != nil || heat != nil else { return nil }
      return CellScale(
        rule: index, barRoom: bar, hasMiddle: heat?.hasMiddle, isOnlyBar: look.isOnlyBar,
        namesColors: foreground != nil || background != nil)
    }
  }

  /// The rules for the cells of one shown column.
  private struct CellRules: Sendable {
    var place: Int
    var field: FieldColumn
    var rules: [Int]

    /// The numbers of its cells, as an index into `programs`, if bars or heat need them.
    var value: Int?

    /// Whether these are read from the cells of the column without the program: it has no type and no path.
    var readsCells = false

    /// The smallest and the largest of these.
    var extent = NumberExtent()
  }

  /// Distinguishes the findings of a rule's program in the cells of one column from those in other columns.
  ///
  /// They are reported by option, then by column.
  struct Finding: Hashable, Comparable {
    fileprivate var option: Int
    fileprivate var column: Int
    fileprivate var program: Int

    static func < (left: Finding, right: Finding) -> Bool {
      (left.option, left.column, left.program) < (right.option, right.column, right.program)
    }
  }

  /// Whether every second row is shaded.
  private(set) var isStriped = false

  /// How a selected row is marked; `nil` if none can be selected.
  private(set) var selectionStyle: SelectionStyle?

  private var rules: [Rule] = []

  /// For each rule, how it draws cells by their numbers, if it does: to read it from the rule would copy that.
  private var scales: [CellScale?] = []

  private var programs: [FieldProgram] = []

  /// The index of the option of each program, in the order in which they were bound.
  private var optionOf: [Int] = []
  private var optionCount = 0

  private var backgrounds: [Int] = []
  private var overlays: [Int] = []
  private var cells: [CellRules] = []

  /// For each shown column up to the last with rules, the position of its rules in `cells`, from 1; 0 if it
  /// has none.
  private var cellNumbers: [UInt32] = []

  /// The rows selected by number, and the expressions that select rows, as indices into `programs`.
  private var ranges: [RowRange] = []
  private var conditions: [Int] = []
  private var isCounted = false

  /// The mark that tells which records violate a rule of `--validate`, if these are marked.
  private var recordMark: FieldMark?

  /// The columns that tell what became of rows and cells, if that gives them a color.
  private var changeLooks: (columns: ChangeColumns, oldCells: [Int?])?

  /// Whether cells have bars.
  private(set) var drawsBars = false

  /// Whether there are only 16 colors.
  private var isCoarse = false

  /// The marks of numbers in cells.
  private var marks = NumberMarks.standard

  /// Whether a rule tests if a row is selected.
  private var asksSelected = false

  /// The bounds of `ranges`, counted from 0.
  private var bounds: [Range<Int>] = []

  /// What the rules say of the rows that are painted next; `rowLook` is valid only for these.
  private var evaluated = RuleMatches()

  /// What rules say of consecutive rows.
  ///
  /// For each row it is the position of the first rule that applies, from 1, and 0 if none does. A kind without rules
  /// has no positions.
  private struct RuleMatches: Sendable {
    /// The number of the first row among those shown, from 1.
    var firstNumber = 0
    var backgrounds: [UInt32] = []
    var overlays: [UInt32] = []
    var isSelected: [Bool] = []

    /// The rules of cells, column by column, and whether any cell of a row has one.
    var cellRules: [UInt32] = []
    var hasCells: [Bool] = []
  }

  /// The number of selected rows so far; counted only if the run reports it (`--select-mode single`, or a selection by
  /// one column).
  private(set) var selectedCount = 0

  /// The values that are not colors.
  private var colorless = Tally<ColorlessValue>()

  /// The colors that rows may use.
  ///
  /// HTML must know them before the first row; otherwise `nil`.
  var palette: Set<Style.Color>?

  /// Creates an empty set of rules.
  init() {}

  /// Whether there are no rules.
  private(set) var isEmpty = true
}

extension RowChange {
  /// The color of the row: green if it came, red if it went.
  fileprivate var look: AppliedStyle? {
    switch self {
    case .insert: AppliedStyle(foreground: .terminal(2))
    case .delete: AppliedStyle(foreground: .terminal(1))
    case .update, .move, .moveAndUpdate: nil
    }
  }
}

extension AppliedStyle {
  /// A style that no rule gives.
  fileprivate init(foreground color: Style.Color) {
    var style = Style()
    style.foreground = color
    self.init(number: 0, style: style, isBoxed: false, isSwatch: false, isGradient: false)
  }
}

// MARK: - Binding

extension RowStyles {
  /// Whether rules of a layout read rows: they may use the place of one, or be unable to read one of its cells.
  static func readsRows(of layout: LayoutOptions) -> Bool {
    let rules = layout.rowBackgrounds + layout.rowOverlays + layout.cellStyles.map(\.rule)
    return rules.contains(where: \.readsRow)
      || layout.selections.contains { if case .matching = $0 { true } else { false } }
  }

  /// Binds the rules of a layout.
  ///
  /// - Parameters:
  ///   - columns: the shown columns; cell rules for other columns are only checked for errors.
  ///   - isColored: whether colors can be seen.
  ///   - drawsBars: whether bars are drawn.
  init(
    _ options: LayoutOptions, _ columns: [ShownColumn], isColored: Bool, drawsBars: Bool,
    _ binder: inout Binder
  ) throws(Failure) {
    self.drawsBars = drawsBars
    isCoarse = options.colorDepth == .basic
    marks = binder.context.marks
    isStriped = options.isStriped
    for rule in options.rowBackgrounds {
      let bound = try bind(rule, number: backgrounds.count + 1, isColored: isColored, &binder)
      rules[bound].option = "--row-background"
      backgrounds.append(bound)
      optionCount += 1
    }
    for rule in options.rowOverlays {
      let bound = try bind(rule, number: overlays.count + 1, isColored: isColored, &binder)
      rules[bound].option = "--row-overlay"
      overlays.append(bound)
      optionCount += 1
    }
    for selection in options.selections {
      switch selection {
      case .rows(let ranges): self.ranges += ranges
      case .matching(let source): conditions.append(try add(source, isCondition: true, &binder))
      }
      optionCount += 1
    }
    if !options.selections.isEmpty {
      // Without color, a background is invisible; use a marker.
      let isSeen = options.selectionStyle != .background || isColored
      selectionStyle = isSeen ? options.selectionStyle : .marker
      isCounted = options.selectionMode == .single || options.selectingColumn != nil
    }
    setRowCount(nil)
    var places: [ResolvedColumn: [Int]]?
    for (number, rule) in options.cellStyles.enumerated() {
      try bind(rule, number: number + 1, columns, &places, isColored: isColored, &binder)
      optionCount += 1
    }
    isEmpty =
      !isStriped && selectionStyle == nil && backgrounds.isEmpty && overlays.isEmpty && cells.isEmpty
  }

  /// Adds the marks of records that violate a rule.
  mutating func add(_ mark: FieldMark) {
    recordMark = mark
    isEmpty = false
  }

  /// Gives rows that came and went colors, and cells that have changed, if no rule does.
  ///
  /// - Parameter oldCells: for each shown column, the column of its old values, if it has one.
  mutating func addColors(of changes: ChangeColumns, oldCells: [Int?]) {
    changeLooks = (changes, oldCells)
    isEmpty = false
  }

  /// Adds the cell rules of late columns.
  ///
  /// - Parameter start: how many columns were shown before.
  mutating func grow(by other: RowStyles, from start: Int) {
    // `other` was bound separately, so its indices are shifted.
    let (programOffset, ruleOffset) = (programs.count, rules.count)
    programs += other.programs
    optionOf += other.optionOf.map { $0 + optionCount }
    optionCount += other.optionCount
    for var rule in other.rules {
      rule.condition = rule.condition.map { $0 + programOffset }
      rule.foreground = rule.foreground.map { $0 + programOffset }
      rule.background = rule.background.map { $0 + programOffset }
      scales.append(rule.scale(at: rules.count))
      rules.append(rule)
    }
    for cell in other.cells {
      add(
        CellRules(
          place: cell.place + start, field: cell.field, rules: cell.rules.map { $0 + ruleOffset },
          value: cell.value.map { $0 + programOffset }, readsCells: cell.readsCells))
    }
    asksSelected = asksSelected || other.asksSelected
    isEmpty = isEmpty && cells.isEmpty
  }

  private mutating func bind(
    _ rule: StyleRule, number: Int, isColored: Bool, _ binder: inout Binder
  ) throws(Failure) -> Int {
    let look = AppliedStyle(
      number: number, style: rule.style, namesForeground: rule.foreground != nil, isBoxed: rule.isBoxed,
      isSwatch: rule.isSwatch,
      isGradient: rule.isGradient)
    var bound = Rule(look: look)
    (binder.selection, binder.asksSelected) = (.found, false)
    defer {
      binder.selection = nil
      asksSelected = asksSelected || binder.asksSelected
    }
    if let condition = rule.condition { bound.condition = try add(condition, isCondition: true, &binder) }
    if let color = rule.foreground { bound.foreground = try add(color, isCondition: false, &binder) }
    if let color = rule.background { bound.background = try add(color, isCondition: false, &binder) }
    if !isColored { (bound.foreground, bound.background) = (nil, nil) }
    if drawsBars { bound.bar = rule.bar }
    if isColored { bound.heat = isCoarse ? rule.heat?.coarse : rule.heat }
    bound.look.isOnlyBar = bound.bar != nil && rule.isPlain
    rules.append(bound)
    scales.append(nil)
    return rules.count - 1
  }

  private mutating func add(
    _ source: SourceExpression, isCondition: Bool, _ binder: inout Binder
  ) throws(Failure) -> Int {
    let program: Program
    do {
      program = isCondition ? try binder.bind(condition: source) : try binder.bind(source)
    } catch { throw .expression(error) }
    return add(program)
  }

  private mutating func add(_ program: Program) -> Int {
    programs.append(FieldProgram(program, program.passingState))
    optionOf.append(optionCount)
    return programs.count - 1
  }

  /// Binds a cell rule to each of its columns that is shown.
  ///
  /// - Parameter places: the places of each column, once a rule has needed them.
  private mutating func bind(
    _ rule: CellStyleRule, number: Int, _ columns: [ShownColumn], _ places: inout [ResolvedColumn: [Int]]?,
    isColored: Bool, _ binder: inout Binder
  ) throws(Failure) {
    defer { binder.fieldCell = nil }
    let source = rule.rule.condition ?? rule.rule.foreground ?? rule.rule.background
    switch rule.columns {
    case .column(let reference):
      let column: ResolvedColumn
      do { column = try binder.schema.resolve(reference) } catch {
        if let source { throw .expression(source.error(notFound: error, at: rule.range)) }
        throw .column(option: "--cell", error)
      }
      if places == nil { places = columns.placesByColumn }
      binder.fieldCell = .column(column)
      let bound = try bind(
        cell: rule.rule, binder.program(ofCell: column), number: number, isColored: isColored, &binder)
      rules[bound].column = rule.typedColumns
      let value = try valueProgram(of: bound, &binder)
      for place in places?[column.identity] ?? [] { add(bound, at: place, column, binder.schema, value) }
    case .glob(let pattern):
      // Errors in the rule are reported even if no column matches.
      binder.fieldCell = .unknown
      var unseen = RowStyles()
      _ = try unseen.bind(rule.rule, number: number, isColored: isColored, &binder)
      let glob = Glob(pattern)
      // Whole columns of the same type share what is bound.
      var shared: [ValueType?: (rule: Int, value: Int?)] = [:]
      for place in columns.indices {
        guard case .column(let column) = columns[place].source,
          glob.matches(Array(columns[place].name.unicodeScalars))
        else { continue }
        let isWhole = column.path.isEmpty && column.longer.isEmpty
        let type = binder.schema.columns[column.index].valueType
        if isWhole, let bound = shared[type] {
          add(bound.rule, at: place, column, binder.schema, bound.value)
          continue
        }
        binder.fieldCell = isWhole ? .exchanged(type) : .column(column)
        let swatch = isWhole ? binder.programOfField : binder.program(ofCell: column)
        let bound = try bind(cell: rule.rule, swatch, number: number, isColored: isColored, &binder)
        let value = try valueProgram(of: bound, &binder)
        if isWhole { shared[type] = (bound, value) }
        add(bound, at: place, column, binder.schema, value)
      }
    }
  }

  /// - Parameter swatch: the color of the cells that are drawn as swatches.
  private mutating func bind(
    cell rule: StyleRule, _ swatch: Program, number: Int, isColored: Bool, _ binder: inout Binder
  ) throws(Failure) -> Int {
    let bound = try bind(rule, number: number, isColored: isColored, &binder)
    if rule.isSwatch, isColored {
      rules[bound].foreground = add(swatch)
    }
    scales[bound] = rules[bound].scale(at: bound)
    return bound
  }

  /// The program that reads the cells that a rule is about, if it draws by their numbers.
  private mutating func valueProgram(of rule: Int, _ binder: inout Binder) throws(Failure) -> Int? {
    if scales[rule] == nil { return nil }
    do { return add(try binder.bind(SourceExpression("value", option: "--cell"))) } catch {
      throw .expression(error)
    }
  }

  /// - Parameter value: the program for its cells, if the rule draws by their numbers.
  private mutating func add(
    _ rule: Int, at place: Int, _ column: ResolvedColumn, _ schema: Schema, _ value: Int?
  ) {
    if let cell = cellIndex(ofColumn: place) {
      cells[cell].rules.append(rule)
      cells[cell].value = cells[cell].value ?? value
    } else {
      let field = FieldColumn(index: column.index, name: schema.name(of: column))
      let readsCells =
        column.path.isEmpty && column.longer.isEmpty && schema.columns[column.index].valueType == nil
      add(CellRules(place: place, field: field, rules: [rule], value: value, readsCells: readsCells))
    }
  }

  private mutating func add(_ new: CellRules) {
    cells.append(new)
    while cellNumbers.count <= new.place { cellNumbers.append(0) }
    cellNumbers[new.place] = UInt32(cells.count)
  }

  /// The index in `cells` of the rules of a shown column.
  private func cellIndex(ofColumn place: Int) -> Int? {
    guard place < cellNumbers.count, cellNumbers[place] > 0 else { return nil }
    return Int(cellNumbers[place]) - 1
  }
}

extension [ShownColumn] {
  /// The places of each column of the input.
  var placesByColumn: [ResolvedColumn: [Int]] {
    var places: [ResolvedColumn: [Int]] = [:]
    for (place, column) in enumerated() {
      if case .column(let source) = column.source { places[source.identity, default: []].append(place) }
    }
    return places
  }
}

// MARK: - Rows

extension RowStyles {
  /// The number of last rows that must be known to tell which rows are selected.
  var endCount: Int { RowChoice.rows(ranges).endCount }

  /// Sets the number of rows; `nil` if it is unknown.
  mutating func setRowCount(_ count: Int?) {
    bounds = ranges.map { $0.indices(count: count ?? RowRange.unknownCount) }.filter { !$0.isEmpty }
  }

  /// Evaluates the rules for the rows that are painted next.
  ///
  /// - Parameter number: the number of the first of them among the rows shown, from 1.
  mutating func evaluateRules(for rows: Rows, _ range: Range<Int>, firstNumber number: Int) {
    evaluated.firstNumber = number
    let count = range.count
    let runs = Run.runs(of: rows, range)
    if selectionStyle != nil { findSelected(runs, count) }
    var numbers = [UInt32](repeating: 0, count: backgrounds.isEmpty ? 0 : count)
    choose(backgrounds, for: runs, into: &numbers)
    evaluated.backgrounds = numbers
    numbers = [UInt32](repeating: 0, count: overlays.isEmpty ? 0 : count)
    choose(overlays, for: runs, into: &numbers)
    evaluated.overlays = numbers
    if cells.isEmpty { return }
    numbers = [UInt32](repeating: 0, count: cells.count * count)
    for (index, cell) in cells.enumerated() {
      choose(cell.rules, about: cell.field, for: runs, into: &numbers, from: index * count)
    }
    evaluated.cellRules = numbers
    evaluated.hasCells = [Bool](repeating: false, count: count)
    for start in stride(from: 0, to: numbers.count, by: max(count, 1)) {
      for row in 0..<count where numbers[start + row] > 0 { evaluated.hasCells[row] = true }
    }
  }

  /// Consecutive rows of one batch.
  private struct Run {
    var batch: Batch
    /// The position of the first among all that are evaluated.
    var start: Int
    var rows: [UInt32]

    static func runs(of rows: Rows, _ range: Range<Int>) -> [Run] {
      var runs: [Run] = []
      var start = range.lowerBound
      while start < range.upperBound {
        let batch = rows.ids[start].batch
        var run: [UInt32] = []
        for id in rows.ids[start..<range.upperBound] {
          if id.batch != batch { break }
          run.append(UInt32(truncatingIfNeeded: id.row))
        }
        runs.append(Run(batch: rows.batches[batch], start: start - range.lowerBound, rows: run))
        start += run.count
      }
      return runs
    }
  }

  /// Stores for each row the position of the first rule that applies, from 1; it stays 0 if none does.
  ///
  /// - Parameters:
  ///   - field: the column that the rules are about.
  ///   - numbers: receives the positions, from `offset` on.
  private mutating func choose(
    _ rules: [Int], about field: FieldColumn? = nil, for runs: [Run], into numbers: inout [UInt32],
    from offset: Int = 0
  ) {
    if rules.isEmpty { return }
    var matched: [UInt32] = []
    for run in runs {
      let selected = selected(run)
      let start = offset + run.start
      for (index, rule) in rules.enumerated() {
        guard let condition = self.rules[rule].condition else {
          for place in start..<start + run.rows.count where numbers[place] == 0 {
            numbers[place] = UInt32(truncatingIfNeeded: index + 1)
          }
          break
        }
        matched.removeAll(keepingCapacity: true)
        for place in run.rows.indices where numbers[start + place] == 0 { matched.append(run.rows[place]) }
        if matched.isEmpty { break }
        programs[condition].run(field) { program, column, state in
          state.selected = selected
          program.filter(run.batch, rows: &matched, field: column, state: &state)
        }
        var next = 0
        for place in run.rows.indices where next < matched.count {
          guard numbers[start + place] == 0, matched[next] == run.rows[place] else { continue }
          numbers[start + place] = UInt32(truncatingIfNeeded: index + 1)
          next += 1
        }
      }
    }
  }

  /// The selected rows of a run; `nil` if no rule uses `selected()`.
  private func selected(_ run: Run) -> RowBits? {
    guard asksSelected else { return nil }
    var selected = RowBits(rowCount: run.batch.rowCount)
    if selectionStyle != nil {
      for (index, row) in run.rows.enumerated() where evaluated.isSelected[run.start + index] {
        selected.insert(Int(row))
      }
    }
    return selected
  }

  private mutating func findSelected(_ runs: [Run], _ count: Int) {
    evaluated.isSelected = [Bool](repeating: false, count: count)
    let first = evaluated.firstNumber - 1
    let seen = first..<first + count
    for bound in bounds {
      let common = bound.clamped(to: seen)
      for place in common { evaluated.isSelected[place - seen.lowerBound] = true }
    }
    for run in runs {
      for condition in conditions {
        var matched = run.rows
        programs[condition].run(nil) { $0.filter(run.batch, rows: &matched, field: $1, state: &$2) }
        var next = 0
        for (index, row) in run.rows.enumerated() where next < matched.count && matched[next] == row {
          evaluated.isSelected[run.start + index] = true
          next += 1
        }
      }
    }
    if isCounted { selectedCount += evaluated.isSelected.count { $0 } }
  }
}

extension RowStyles {
  /// The look of a row that the rules were evaluated for; `nil` if it has none of its own.
  ///
  /// - Parameters:
  ///   - number: its number among the rows shown, from 1.
  ///   - sectionCount: its number in its section, from 1.
  mutating func rowLook(
    _ number: Int, inSection sectionCount: Int, _ batch: Batch, _ row: Int
  ) -> RowLook? {
    let place = number - evaluated.firstNumber
    let isStriped = isStriped && sectionCount & 1 == 0
    var marks: RowMarks = []
    if selectionStyle != nil, evaluated.isSelected[place] { marks.insert(.selected) }
    if let recordMark, recordMark.isInvalid(inRow: row, of: batch) { marks.insert(.invalid) }
    let background = backgrounds.isEmpty ? 0 : Int(evaluated.backgrounds[place])
    let overlay = overlays.isEmpty ? 0 : Int(evaluated.overlays[place])
    let change = changeLooks.flatMap { RowChange(batch, row, in: $0.columns) }
    // Cells without a bar keep the room for one.
    let hasCells = !cells.isEmpty && (drawsBars || evaluated.hasCells[place]) || change?.isUpdate ?? false
    guard isStriped || !marks.isEmpty || hasCells || background > 0 || overlay > 0 || change != nil else {
      return nil
    }
    return RowLook(
      isStriped: isStriped, marks: marks,
      background: background == 0 ? nil : applied(backgrounds[background - 1], nil, number, batch, row),
      overlay: overlay == 0 ? change?.look : applied(overlays[overlay - 1], nil, number, batch, row),
      hasCells: hasCells)
  }

  /// Whether only cells of a row that the rules were evaluated for have looks of their own.
  ///
  /// Nothing is changed, but otherwise all rules would be copied for the call.
  mutating func hasOnlyCells(_ number: Int) -> Bool {
    !cells.isEmpty && (drawsBars || evaluated.hasCells[number - evaluated.firstNumber]) && !isStriped
      && selectionStyle == nil && recordMark == nil && changeLooks == nil && backgrounds.isEmpty
      && overlays.isEmpty
  }

  /// The messages of the rules that the record of a row violates.
  func messages(_ batch: Batch, _ row: Int) -> [String] {
    recordMark?.messages(inRow: row, of: batch) ?? []
  }

  /// The style of a cell of a row that the rules were evaluated for; `nil` if it is only drawn as its text.
  ///
  /// - Parameter place: the column, as an index into those shown.
  mutating func cellStyle(_ place: Int, _ number: Int, _ batch: Batch, _ row: Int) -> AppliedStyle? {
    style(of: cellLook(place, number, batch, row))
  }

  /// The style of a cell with this look; `nil` if it is only drawn as its text.
  func style(of look: CellLook) -> AppliedStyle? {
    switch look {
    case .usual: nil
    case .scaled(let look): style(of: look)
    case .styled(let style): style
    }
  }

  /// Whether a cell of a row that the rules were evaluated for has a look of its own, which is not worked out.
  ///
  /// - Parameter place: the column, as an index into those shown.
  func hasLook(_ place: Int, _ number: Int, _ batch: Batch, _ row: Int) -> Bool {
    if let cell = cellIndex(ofColumn: place),
      evaluated.cellRules[cell * evaluated.hasCells.count + number - evaluated.firstNumber] > 0
    {
      return true
    }
    if case .usual = changeLook(ofCell: place, batch, row) { return false }
    return true
  }

  /// The look of a cell of a row that the rules were evaluated for.
  ///
  /// - Parameter place: the column, as an index into those shown.
  @inline(__always)
  mutating func cellLook(_ place: Int, _ number: Int, _ batch: Batch, _ row: Int) -> CellLook {
    guard let cell = cellIndex(ofColumn: place) else { return changeLook(ofCell: place, batch, row) }
    let position = Int(evaluated.cellRules[cell * evaluated.hasCells.count + number - evaluated.firstNumber])
    if position == 0 { return changeLook(ofCell: place, batch, row) }
    let rule = cells[cell].rules[position - 1]
    guard let scale = scales[rule] else {
      return .styled(applied(rule, cells[cell].field, number, batch, row))
    }
    let scaled = scale.look(of: self.number(inCell: cell, batch, row), in: cells[cell].extent)
    if !scale.namesColors { return .scaled(scaled) }
    return .styled(add(scaled, to: applied(rule, cells[cell].field, number, batch, row)))
  }

  /// The style of a cell whose look depends on its number.
  func style(of look: ScaledLook) -> AppliedStyle { add(look, to: rules[look.rule].look) }

  private func add(_ scaled: ScaledLook, to style: AppliedStyle) -> AppliedStyle {
    var style = style
    style.bar = scaled.bar
    if let level = scaled.level, let color = rules[scaled.rule].heat?.levels[level] {
      style.namedBackground = color
      style.style.background = color
    }
    return style
  }

  /// The number in a cell of a column with bars or heat; `nil` if it is none.
  @inline(__always)
  private mutating func number(inCell cell: Int, _ batch: Batch, _ row: Int) -> Double? {
    if !cells[cell].readsCells { return evaluatedNumber(inCell: cell, batch, row) }
    let found = batch.cell(row: row, column: cells[cell].field.index)
    return found.isAbsent ? nil : NumberReader.looseDouble(batch.content(found), marks: marks)
  }

  private mutating func evaluatedNumber(inCell cell: Int, _ batch: Batch, _ row: Int) -> Double? {
    guard let program = cells[cell].value else { return nil }
    let value = programs[program].run(cells[cell].field) { program, column, state in
      program.value(batch, row: row, field: column, state: &state)
    }
    return switch value {
    case .number(let number): number.doubleValue
    case .text(let text): NumberReader.looseDouble(text.bytes(in: batch), marks: marks)
    case .duration(let duration): duration.seconds.doubleValue
    case .null, .bool, .list, .object, .time: nil
    }
  }

  /// The color of a changed cell, if changes have colors.
  private func changeLook(ofCell place: Int, _ batch: Batch, _ row: Int) -> CellLook {
    guard let index = changeLooks?.oldCells[place], batch.cell(row: row, column: index).kind != .missing
    else {
      return .usual
    }
    return .styled(AppliedStyle(foreground: .terminal(3)))
  }

  private mutating func applied(
    _ rule: Int, _ field: FieldColumn?, _ number: Int, _ batch: Batch, _ row: Int
  ) -> AppliedStyle {
    var look = rules[rule].look
    if let program = rules[rule].foreground, let color = color(program, of: rule, field, number, batch, row) {
      look.namedForeground = color
      if !look.isSwatch { look.style.foreground = color }
    }
    if let program = rules[rule].background, let color = color(program, of: rule, field, number, batch, row) {
      look.namedBackground = color
      look.style.background = color
    }
    return look
  }

  /// The color that an expression yields for a row.
  ///
  /// Values that are not colors are counted.
  private mutating func color(
    _ program: Int, of rule: Int, _ field: FieldColumn?, _ number: Int, _ batch: Batch, _ row: Int
  ) -> Style.Color? {
    let isSelected =
      asksSelected && selectionStyle != nil && evaluated.isSelected[number - evaluated.firstNumber]
    let value = programs[program].run(field) { program, column, state in
      state.isSelected = isSelected
      return program.value(batch, row: row, field: column, state: &state)
    }
    guard case .text(let text) = value else {
      if !value.isNull { recordColorless(nil, of: rule, field, batch, row) }
      return nil
    }
    let name = String(decoding: Array(copying: text.bytes(in: batch)), as: UTF8.self).trimmingBlanks
    if name.isEmpty { return nil }
    guard name.utf8.count <= 32, let color = Style.Color(name: name.lowercased()),
      palette?.contains(color) ?? true
    else {
      recordColorless(text, of: rule, field, batch, row)
      return nil
    }
    return color
  }

  private mutating func recordColorless(
    _ text: TextValue?, of rule: Int, _ field: FieldColumn?, _ batch: Batch, _ row: Int
  ) {
    colorless.record(
      inRow: batch.rowNumber(ofRow: row),
      ColorlessValue(
        place: RowPlace(row, of: batch), text: text?.held(from: batch).held, option: rules[rule].option,
        column: rules[rule].column ?? field?.name))
  }

  /// What the rules found in the rows that they were evaluated for.
  struct Report: Sendable {
    /// The findings of expressions in cells, and their failures.
    var states: [Finding: EvaluationState] = [:]

    /// As `RowStyles.selectedCount`.
    var selectedCount: Int
  }

  /// What the rules found so far.
  var findings: Report {
    var findings = Report(selectedCount: selectedCount)
    for (index, program) in programs.enumerated() {
      for (column, state) in program.findings {
        findings.states[Finding(option: optionOf[index], column: column, program: index)] = state
      }
    }
    return findings
  }

  /// The findings of expressions, by rule and column.
  var states: [EvaluationState] { findings.states.sorted { $0.key < $1.key }.map(\.value) }

  /// Merges the findings of other painters.
  mutating func merge(_ others: [Report]) {
    for other in others {
      selectedCount += other.selectedCount
      for (finding, state) in other.states where finding.program < programs.count {
        programs[finding.program].merge(state, of: finding.column)
      }
    }
  }

  /// Notices for the user.
  var notices: [LayoutNotice] {
    colorless.count > 0 ? [.notColors(colorless.count, first: colorless.first)] : []
  }

  /// Whether bars or heat depend on the smallest and the largest number of a column.
  var drawsByExtent: Bool { cells.contains { $0.value != nil } }

  /// Adds the numbers in some rows to the extents of their columns.
  mutating func measureExtents(of rows: Rows, _ range: Range<Int>) {
    for cell in cells.indices where cells[cell].value != nil {
      var extent = cells[cell].extent
      var index = range.lowerBound
      while index < range.upperBound {
        let place = rows.ids[index].batch
        let batch = rows.batches[place]
        repeat {
          if let number = number(inCell: cell, batch, rows.ids[index].row) { extent.add(number) }
          index &+= 1
        } while index < range.upperBound && rows.ids[index].batch == place
      }
      cells[cell].extent = extent
    }
  }

  /// Adds the extents that a copy has found in other rows.
  mutating func mergeExtents(of other: RowStyles) {
    for cell in cells.indices { cells[cell].extent.merge(other.cells[cell].extent) }
  }

  /// The cells for the bars of a shown column; 0 if it has none, or no numbers.
  func barRoom(ofColumn place: Int) -> Int {
    guard let cell = cellIndex(ofColumn: place), !cells[cell].extent.isEmpty else { return 0 }
    return cells[cell].rules.reduce(0) { max($0, rules[$1].bar ?? 0) }
  }

  /// The rooms for bars, each once, in ascending order.
  var barRooms: [Int] { Set(cells.map { barRoom(ofColumn: $0.place) }).subtracting([0]).sorted() }

  /// All colors that numbers may choose.
  var heatColors: Set<Style.Color> {
    Set(cells.flatMap(\.rules).flatMap { rules[$0].heat?.levels ?? [] })
  }

  /// Whether the cells of a shown column never have a style of their own.
  func areUsual(inColumn place: Int) -> Bool { changeLooks == nil && cellIndex(ofColumn: place) == nil }

  /// Whether any color depends on the row.
  var namesColors: Bool { rules.contains { $0.foreground != nil || $0.background != nil } }

  /// The maximum number of colors that HTML collects in advance.
  static let mostColors = 4096

  /// Adds the colors of some rows, up to `mostColors`.
  mutating func collectColors(of rows: Rows, firstNumber number: Int, into colors: inout Set<Style.Color>) {
    evaluateRules(for: rows, 0..<rows.count, firstNumber: number)
    for (index, id) in rows.ids.enumerated() {
      let batch = rows.batches[id.batch]
      guard let look = rowLook(number + index, inSection: 1, batch, id.row) else { continue }
      var found = [look.background, look.overlay]
      if look.hasCells { found += cells.map { cellStyle($0.place, number + index, batch, id.row) } }
      for style in found {
        for color in [style?.namedForeground, style?.namedBackground] {
          if let color, colors.count < Self.mostColors { colors.insert(color) }
        }
      }
    }
  }

  /// The styles of backgrounds, overlays and cells, each rule once, in the order in which they were given.
  var looks: (backgrounds: [AppliedStyle], overlays: [AppliedStyle], cells: [AppliedStyle]) {
    var cellLooks: [Int: AppliedStyle] = [:]
    for rule in cells.flatMap(\.rules) { cellLooks[rules[rule].look.number] = rules[rule].look }
    return (
      backgrounds.map { rules[$0].look }, overlays.map { rules[$0].look },
      cellLooks.values.sorted { $0.number < $1.number }
    )
  }

  /// Whether cells may show the colors that they name.
  var hasSwatches: Bool { cells.contains { $0.rules.contains { rules[$0].look.isSwatch } } }

  /// The uses that expressions have for colors: HTML has a class for each.
  struct ColorUses {
    var foreground = false
    var background = false
    var gradient = false
    var overlayForeground = false
    var overlayBackground = false
    var overlayGradient = false
  }

  /// The uses of the colors that rows specify.
  var colorUses: ColorUses {
    var uses = ColorUses()
    for rule in (backgrounds + cells.flatMap(\.rules)).map({ rules[$0] }) {
      if rule.foreground != nil { uses.foreground = true }
      if rule.background != nil || rule.heat != nil {
        if rule.look.isGradient { uses.gradient = true } else { uses.background = true }
      }
    }
    for rule in overlays.map({ rules[$0] }) {
      if rule.foreground != nil { uses.overlayForeground = true }
      if rule.background != nil {
        if rule.look.isGradient { uses.overlayGradient = true } else { uses.overlayBackground = true }
      }
    }
    return uses
  }

  /// The styles that cells of a shown column may have: those of its own rules, and those of whole rows.
  func styles(ofColumn place: Int) -> [Style] {
    let own = cellIndex(ofColumn: place).map { cells[$0].rules } ?? []
    return (backgrounds + overlays + own).map { rules[$0].look.style }
  }
}
