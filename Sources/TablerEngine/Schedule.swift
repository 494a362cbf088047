/// When rows are taken, held and measured.
///
/// It is made once, when it is known whether the input has a header; after that nothing asks the plan about it.
struct Schedule: Equatable, Sendable {
  /// How many rows are read before the first is drawn.
  enum Taking: Equatable, Sendable {
    /// The first rows are examined; then rows are drawn as they come.
    case asTheyCome(after: Int)

    /// All of them. The columns are known before, so that rows can be measured on the way.
    case allForWidths

    /// All of them, to know the columns or because a step must see them.
    case all
  }

  /// The rows that are held of those that were read.
  enum Holding: Equatable, Sendable {
    /// One batch.
    case batch

    /// This many rows: the last ones may be left out.
    case delayed(Int)

    /// The last rows, this many.
    case last(Int)

    /// The first rows in the order of keys, this many.
    case first(Int)

    /// All, in the order in which they came.
    case all

    /// All, in the order of keys.
    case sorted
  }

  /// What to do with a column that is found after the first row was drawn: a key of JSON, a longer row.
  enum LateColumns: Equatable, Sendable {
    /// No such column would be shown.
    case none

    /// It is reported: the header is already written.
    case reported

    /// It is drawn: each row has its own keys.
    case drawn
  }

  /// How many rows are read before the first is drawn.
  let taking: Taking

  /// The rows that are held of them.
  let holding: Holding

  /// How many rows are measured.
  let measuring: LookAhead

  /// What to do with columns that come late.
  let lateColumns: LateColumns

  /// Whether the shown columns are known before the first row.
  let knowsColumns: Bool

  /// Whether a step must see all rows before it passes the first one on: order, moves, the end of the table.
  let needsAllRows: Bool

  /// Whether rows may come out in another order than they came in.
  let changesOrder: Bool

  /// Whether the columns of the input are still there, in whatever order and with whatever others.
  let keepsColumns: Bool

  /// Whether rows are compared with those of an older table while both are read.
  let mergesChanges: Bool

  /// Whether records of JSON are shown with their own keys in their own order: no columns were named.
  let keepsOwnKeys: Bool

  /// Whether rows that are sorted are held with only the notes on their keys, and without their places in the
  /// input: all are cut alike, and nothing needs the places later.
  let holdsKeysOnly: Bool

  /// The bytes that the rows examined before the first is drawn may take in memory: a quarter of the budget.
  let roomForFirst: Int

  /// The bytes that aggregates of the footer may keep before they spill: a quarter of the budget, at least 24 MiB.
  let roomForFooter: Int

  /// The number of rows that determine how columns are aligned if widths are not measured.
  static let alignedRows = 100

  /// Determines when rows of a plan are taken, held and measured.
  ///
  /// - Parameters:
  ///   - steps: the steps of the plan.
  ///   - isOpen: whether columns may come at any time (JSON).
  init(_ plan: borrowing Plan, _ steps: Steps, isOpen: Bool) {
    let demands = plan.allDemands(isOpen: isOpen)
    // If all rows are known anyway, all are measured.
    measuring = demands.contains(.allRows) ? plan.lookAhead : plan.measuredRows
    roomForFirst = max(plan.memory / 4, 1 << 24)
    roomForFooter = AggregateRoom.room(ofBudget: plan.memory)
    keepsOwnKeys = plan.keepsOwnKeys
    knowsColumns = plan.knowsColumns(isOpen: isOpen)
    needsAllRows = demands.contains(.allRows)
    changesOrder = demands.contains(.order)
    keepsColumns = plan.keepsColumns
    mergesChanges = plan.mergesChanges(isOpen: isOpen)
    holdsKeysOnly = plan.mayHoldKeysOnly && !demands.contains(.places) && !plan.sortKeys.isEmpty
    let gathers = plan.gathers(isOpen: isOpen)
    taking =
      gathers && knowsColumns
      ? .allForWidths : gathers || needsAllRows ? .all : .asTheyCome(after: plan.rowsLookedAt(isOpen: isOpen))
    holding = steps.holding(taking)
    if plan.drawsOwnKeys, isOpen || plan.mayWiden {
      lateColumns = .drawn
    } else {
      lateColumns = isOpen && !knowsColumns && plan.waitsForAll(isOpen: true) ? .reported : .none
    }
  }
}

extension Schedule {
  /// Whether the sections are known before the first row is drawn, however large the table is.
  var recordsSections: Bool { taking == .allForWidths && measuring == .all }

  /// Whether all rows are known before the first is drawn.
  var holdsAllRows: Bool { if case .asTheyCome = taking { false } else { true } }

  /// The rows that layout and output hold, in addition to earlier steps.
  var writing: PlannedStep.HeldAmount {
    switch taking {
    case .allForWidths: needsAllRows ? .batch : .allForWidths
    case .all: knowsColumns ? .batch : .allForColumns
    case .asTheyCome(let count): count > 1 ? .rows(count) : .batch
    }
  }
}

extension Plan {
  /// What the steps and the layout demand of the run.
  fileprivate func allDemands(isOpen: Bool) -> StepDemands {
    let demands = StepAnswers(self, isOpen: isOpen).demands
    let readsRows = TableTemplates.readsRows(of: layout) || RowStyles.readsRows(of: layout)
    return readsRows ? demands.union(.places) : demands
  }

  /// Whether cells are drawn over several rows in HTML, which must know how many before the first.
  public var mergesInHTML: Bool {
    guard case .html = DrawingKind(self) else { return false }
    return layout.merged != nil && layout.flow == nil
  }

  /// Whether rows that are read must not wait for more: they are written as they come, or only the first are
  /// needed.
  ///
  /// - Parameter isOpen: whether columns may come at any time (JSON).
  func isLive(isOpen: Bool) -> Bool {
    if input.footerLines > 0 || makesRows || sample != nil || computesOverAll { return false }
    if comparison != nil, !streamsChanges(isOpen: isOpen) { return false }
    if case .first? = head { return true }
    return !gathers(isOpen: isOpen)
  }

  /// The number of rows that are measured if no step needs all of them: in a pager only as many as a quick
  /// first screen allows.
  fileprivate var measuredRows: LookAhead {
    lookAhead == .all ? output.paging?.measuredRows.map(LookAhead.first) ?? .all : lookAhead
  }

  /// Whether all rows are read before the first is written, only for the sake of the output.
  fileprivate func gathers(isOpen: Bool) -> Bool {
    // If records are held back that may add columns, the columns of the first rows are not certain.
    (measuredRows == .all || mergesInHTML || isOpen && input.footerLines > 0) && waitsForAll(isOpen: isOpen)
  }

  /// Whether columns may be added after the first row: no header is written yet, or none at all.
  var mayGrow: Bool {
    // Computed columns come after those of the header.
    !addsColumns
      && (makesRows || gathers(isOpen: false) || output.form.isJSON
        || allDemands(isOpen: false).contains(.allRows))
  }

  /// Whether rows may be longer than the header, and so add columns, if there is no header to write.
  fileprivate var mayWiden: Bool {
    input.ragged == .fill && output.form.isJSON && !addsColumns && !makesRows
  }

  /// Whether all rows would be read before the first is written if `--lookahead` set no limit.
  fileprivate func waitsForAll(isOpen: Bool) -> Bool {
    if isOpen, drawsOwnKeys { return (columns?.hasRanges ?? false) || hidden.hasRanges || drawsByExtent }
    let mayGrow = isOpen && (columns?.mayGrow ?? true)
    return switch DrawingKind(self) {
    case .text, .markdown: true
    case .html, .htmlCards: layout.namesColors || mayGrow || drawsByExtent || mergesInHTML
    case .flow, .flowingCards, .textCards: mayGrow || drawsByExtent
    case .markdownCards, .pandocCards, .csv, .tsv: mayGrow
    case .json:
      (isOpen || mayWiden)
        && (columns?.hasPatterns == true || hidden.hasPatterns || hidden.hidesAllOthers)
    }
  }

  /// Whether the smallest and the largest number of a column must be known: bars or heat are drawn.
  private var drawsByExtent: Bool { drawsBars || drawsHeat }

  /// The number of rows examined before the first is drawn, if not all are.
  ///
  /// Alignment alone takes 100, and so do labels of records with their own keys; the columns of JSON at least one.
  fileprivate func rowsLookedAt(isOpen: Bool) -> Int {
    let aligned = Schedule.alignedRows
    if isOpen, drawsOwnKeys, output.form.isDisplay { return max(measuredRows.limit ?? aligned, 1) }
    let count = waitsForAll(isOpen: isOpen) ? measuredRows.limit ?? 0 : 1
    switch DrawingKind(self) {
    case .html: return max(count, aligned)
    case .markdown where count == 0: return aligned
    default: return isOpen ? max(count, 1) : count
    }
  }

  fileprivate var keepsOwnKeys: Bool {
    !makesRows && comparison == nil && layout.spans.isEmpty
      && (columns?.entries.allSatisfy(\.isExcluded) ?? true)
  }

  /// Whether gathered rows are only drawn as a table: nothing asks for the bytes of a record or the spelling of a cell.
  var onlyDrawsRows: Bool {
    guard comparison == nil, replay == nil, rules.isEmpty else { return false }
    switch DrawingKind(self) {
    case .text, .flow, .markdown, .html: return true
    case .textCards, .flowingCards, .markdownCards, .pandocCards, .htmlCards, .json, .csv, .tsv: return false
    }
  }

  /// Whether the whole of a JSON record is drawn, whenever its keys turn up.
  fileprivate var drawsOwnKeys: Bool {
    switch DrawingKind(self) {
    case .textCards, .flowingCards, .markdownCards, .pandocCards, .htmlCards, .json: keepsOwnKeys
    case .text, .flow, .markdown, .html, .csv, .tsv: false
    }
  }

  /// Whether rows move to the bottom while the others pass: if all are read before the first is written, they
  /// are moved then.
  ///
  /// - Parameter isOpen: whether columns may come at any time (JSON).
  func streamsMoves(isOpen: Bool) -> Bool { movesToBottom && !gathers(isOpen: isOpen) }

  fileprivate var mayHoldKeysOnly: Bool {
    // The record that ends with the file is recognized by its place.
    sources.count == 1 && input.ragged != .fill && !output.endsOpen && sample == nil
      && unpivoting == nil && !multipliesRows
  }

  fileprivate func knowsColumns(isOpen: Bool) -> Bool {
    // Those of the other table come to them.
    if comparison != nil { return false }
    if !isOpen, input.ragged != .fill || makesRows { return true }
    if case .columns(let names)? = layout.rowNames, names.mayGrow { return false }
    return !(columns?.mayGrow ?? true)
  }
}

extension ColumnList {
  /// Whether the list has ranges or globs, whose columns are known only at the end.
  fileprivate var hasPatterns: Bool {
    entries.contains { if case .column = $0.item { false } else { true } }
  }

  /// Whether the list has ranges, whose ends may come late.
  fileprivate var hasRanges: Bool {
    entries.contains { if case .range = $0.item { true } else { false } }
  }

  /// Whether the list has only `!` items, as in `--hide '!name'`.
  fileprivate var hidesAllOthers: Bool { !entries.isEmpty && entries.allSatisfy(\.isExcluded) }

  /// Whether columns that come later may belong to the list.
  fileprivate var mayGrow: Bool {
    entries.allSatisfy(\.isExcluded)
      || entries.contains { entry in
        if case .column = entry.item { return false }
        return !entry.isExcluded
      }
  }
}

extension Plan {
  /// Whether all moves are to the bottom, of rows that are known when they come.
  public var movesToBottom: Bool {
    if moves.isEmpty || !sortKeys.isEmpty || tail != nil { return false }
    if case .allButLast? = head { return false }
    return moves.allSatisfy { move in
      guard case .bottom = move.place else { return false }
      return move.what.endCount == 0
    }
  }
}
