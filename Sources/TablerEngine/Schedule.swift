/// When rows are taken, held and measured.
///
/// It is made once, when it is known whether the input has a header; from then on nothing asks the plan about it.
struct Schedule: Equatable, Sendable {
  /// How many rows are read before the first is drawn.
  enum Taking: Equatable, Sendable {
    /// So many are looked at; then rows are drawn as they come.
    case asTheyCome(after: Int)

    /// All of them. The columns are known before, so rows can be measured on the way.
    case allForWidths

    /// All of them: for the columns, or because a step must see them.
    case all
  }

  /// What is held of the rows that were read.
  enum Holding: Equatable, Sendable {
    /// One batch.
    case batch

    /// So many rows: the last ones may be left out.
    case delayed(Int)

    /// The last so many.
    case last(Int)

    /// The first so many in the order of keys.
    case first(Int)

    /// All, in the order they came in.
    case all

    /// All, in the order of keys.
    case sorted
  }

  /// What becomes of a column that is met after the first row was drawn: a key of JSON, a longer row.
  enum LateColumns: Equatable, Sendable {
    /// There is none that would be shown.
    case none

    /// It is reported: the header is written.
    case reported

    /// It is drawn: each row says its keys.
    case drawn
  }

  /// How many rows are read before the first is drawn.
  let taking: Taking

  /// What is held of them.
  let holding: Holding

  /// How many rows are measured.
  let measuring: LookAhead

  /// What becomes of columns that come late.
  let lateColumns: LateColumns

  /// Whether the columns shown are known before the first row.
  let knowsColumns: Bool

  /// Whether a step must see all rows before the first goes on: order, moves, the end of the table.
  let needsAllRows: Bool

  /// Whether rows may come out in another order than they came in.
  let changesOrder: Bool

  /// Whether records of JSON are shown with their own keys in their own order: no columns were named.
  let keepsOwnKeys: Bool

  /// Whether rows that are sorted are held with the notes on their keys only, and do not know where they stood in the
  /// input: all are cut alike, and nothing asks later.
  let holdsKeysOnly: Bool

  /// The bytes that the rows looked at before the first is drawn may take in memory: a quarter of the budget.
  let roomForFirst: Int

  /// The bytes that recorded sections may take: an eighth of the budget, at least 1 MiB.
  let roomForSections: Int

  /// The bytes that aggregates of the footer may keep before they spill: a quarter of the budget, at least 24 MiB.
  let roomForFooter: Int

  /// The rows that settle how columns align where widths are not measured.
  static let alignedRows = 100

  /// Works out when rows of a plan are taken, held and measured.
  ///
  /// - Parameters:
  ///   - steps: its steps.
  ///   - isOpen: whether columns may come at any time (JSON).
  init(_ plan: borrowing Plan, _ steps: Steps, isOpen: Bool) {
    let demands = Steps.demands(of: plan, isOpen: isOpen)
    // If all rows are known anyway, all are measured.
    measuring = demands.contains(.allRows) ? plan.lookAhead : plan.measuredRows
    roomForFirst = max(plan.memory / 4, 1 << 24)
    roomForSections = max(plan.memory / 8, 1 << 20)
    roomForFooter = AggregateRoom.room(ofBudget: plan.memory)
    keepsOwnKeys = plan.keepsOwnKeys
    knowsColumns = plan.knowsColumns(isOpen: isOpen)
    needsAllRows = demands.contains(.allRows)
    changesOrder = demands.contains(.order)
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

  /// What laying out and writing hold, beside what the steps before do.
  var writing: PlannedStep.Holding {
    switch taking {
    case .allForWidths: needsAllRows ? .batch : .allForWidths
    case .all: knowsColumns ? .batch : .allForColumns
    case .asTheyCome(let count): count > 1 ? .rows(count) : .batch
    }
  }
}

extension Plan {
  /// Whether rows that are read are not to wait for more: they go out as they come, or the first of them are all.
  ///
  /// - Parameter isOpen: whether columns may come at any time (JSON).
  func isLive(isOpen: Bool) -> Bool {
    if input.footerLines > 0 || grouping != nil { return false }
    if case .first? = head { return true }
    return !gathers(isOpen: isOpen)
  }

  /// How many rows are measured if no step needs all of them: in a pager not more than it takes to see the first.
  fileprivate var measuredRows: LookAhead {
    lookAhead == .all ? output.paging?.measuredRows.map(LookAhead.first) ?? .all : lookAhead
  }

  /// Whether all rows are read before the first is written, for what is written alone.
  fileprivate func gathers(isOpen: Bool) -> Bool {
    // Where records are held back that may bring columns, those of the first rows are not known for sure.
    (measuredRows == .all || isOpen && input.footerLines > 0) && waitsForAll(isOpen: isOpen)
  }

  /// Whether columns may be added after the first row: no header is written yet, or none at all.
  var mayGrow: Bool {
    // What is computed stands after the columns that the header has.
    !addsColumns
      && (grouping != nil || gathers(isOpen: false) || output.form.isJSON
        || Steps.demands(of: self, isOpen: false).contains(.allRows))
  }

  /// Whether rows may be longer than the header and so make columns if there is no header to write.
  fileprivate var mayWiden: Bool {
    input.ragged == .fill && output.form.isJSON && !addsColumns && grouping == nil
  }

  /// Whether all rows would be read before the first is written if `--lookahead` set no limit.
  fileprivate func waitsForAll(isOpen: Bool) -> Bool {
    if isOpen, drawsOwnKeys { return (columns?.hasRanges ?? false) || hidden.hasRanges }
    return switch output.form {
    case .text where layout.flow != nil: isOpen && (columns?.mayGrow ?? true)
    case .text, .markdown, .pandoc: layout.kind != .detail || (isOpen && (columns?.mayGrow ?? true))
    case .html: layout.namesColors || isOpen && (columns?.mayGrow ?? true)
    case .csv, .tsv: isOpen && (columns?.mayGrow ?? true)
    case .json, .jsonl:
      (isOpen || mayWiden)
        && (columns?.hasPatterns == true || hidden.hasPatterns || hidden.hidesAllOthers)
    }
  }

  /// How many rows are looked at before the first is drawn, where not all are.
  ///
  /// Alignment alone takes 100, and so do labels of records with keys of their own; the columns of JSON at least one.
  fileprivate func rowsLookedAt(isOpen: Bool) -> Int {
    let aligned = Schedule.alignedRows
    if isOpen, drawsOwnKeys, output.form.isDisplay { return max(measuredRows.limit ?? aligned, 1) }
    let count = waitsForAll(isOpen: isOpen) ? measuredRows.limit ?? 0 : 1
    switch output.form {
    case .html where layout.kind != .detail: return max(count, aligned)
    case .markdown where layout.kind != .detail && count == 0,
      .pandoc where layout.kind != .detail && count == 0:
      return aligned
    case .text, .markdown, .pandoc, .html, .csv, .tsv, .json, .jsonl: return isOpen ? max(count, 1) : count
    }
  }

  fileprivate var keepsOwnKeys: Bool {
    grouping == nil && (columns?.entries.allSatisfy(\.isExcluded) ?? true)
  }

  /// Whether all that there is of a JSON record is drawn, whenever its keys turn up.
  fileprivate var drawsOwnKeys: Bool {
    switch output.form {
    case .text, .markdown, .pandoc, .html: keepsOwnKeys && layout.kind == .detail
    case .json, .jsonl: keepsOwnKeys
    case .csv, .tsv: false
    }
  }

  /// Whether rows move to the bottom while the others go on: where all are read before the first is written, they are
  /// put in order then.
  ///
  /// - Parameter isOpen: whether columns may come at any time (JSON).
  func streamsMoves(isOpen: Bool) -> Bool { movesToBottom && !gathers(isOpen: isOpen) }

  fileprivate var mayHoldKeysOnly: Bool {
    // The record that ends with the file is told from others by where it stood.
    sources.count == 1 && input.ragged != .fill && layout.hasNoTemplates && !output.endsOpen
  }

  fileprivate func knowsColumns(isOpen: Bool) -> Bool {
    if !isOpen, input.ragged != .fill || grouping != nil { return true }
    if case .columns(let names)? = layout.rowNames, names.mayGrow { return false }
    return !(columns?.mayGrow ?? true)
  }
}

extension LayoutOptions {
  /// Whether nothing that is shown is made by a template, a total or an expression, which may tell where a row stands, or
  /// be unable to read a cell of it.
  fileprivate var hasNoTemplates: Bool {
    if selections.contains(where: { if case .matching = $0 { true } else { false } }) { return false }
    let rules = rowBackgrounds + rowOverlays + cellStyles.map(\.rule)
    if rules.contains(where: { $0.condition != nil || $0.foreground != nil || $0.background != nil }) {
      return false
    }
    if case .template? = rowNames { return false }
    let asksRows = footers.contains { if case .titles = $0 { false } else { true } }
    return formats.isEmpty && cardTitle == nil && !asksRows
  }
}

extension ColumnList {
  /// Whether ranges or globs are in the list, whose columns are known at the end only.
  fileprivate var hasPatterns: Bool {
    entries.contains { if case .column = $0.item { false } else { true } }
  }

  /// Whether ranges are in the list, whose ends may come late.
  fileprivate var hasRanges: Bool {
    entries.contains { if case .range = $0.item { true } else { false } }
  }

  /// Whether the list is of `!` items only, as in `--hide '!name'`.
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
