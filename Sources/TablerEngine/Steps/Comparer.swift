/// The step that compares the rows with those of an older table, and shows what became of them: `--diff`.
///
/// Both tables take the steps before it; those after it see the rows that show changes. The comparison itself needs both
/// tables and is made by `TableComparison` or `SortedMerge`; the step adds the columns that rows get.
struct Comparer: Step {
  /// How the tables are compared.
  let options: ComparisonOptions

  /// The bytes that rows may take in memory.
  let budget: Int

  /// The columns that say what became of a row.
  let columns: ChangeColumns

  /// The columns of the rows that are compared, if changes are only counted: the rows shown have others.
  let input: Schema?

  /// The columns of counted changes.
  private static let countNames = ["column", "changed", "share", "first"]

  /// Adds the columns to those of the new table, or replaces these.
  init(_ options: ComparisonOptions, budget: Int, _ schema: inout Schema) {
    self.options = options
    self.budget = budget
    columns = ChangeColumns(&schema)
    guard options.countsOnly else {
      input = nil
      return
    }
    input = schema
    schema = Schema(made: Self.countNames.map { Schema.Column(name: $0, title: $0) }, header: nil)
  }

  /// Rows with the numbers of changes.
  func rows(_ counts: [ComparisonSummary.Count], source: Int) -> Rows {
    let places = counts.indices.map { RowPlace(source: source, line: $0 + 1, number: $0 + 1) }
    let origin = Batch.Origin(source: source, line: 1, row: 1, isVerbatim: false, dialect: .csv)
    let empty = Batch(
      block: .empty, decoded: .empty, escapes: [], cells: [], columnCount: 0,
      recordStarts: Array(repeating: 0, count: counts.count + 1), origin: origin, places: places)
    var cells = ComputedColumn(at: 0, of: empty, count: counts.count, room: .max)
    for (row, count) in counts.enumerated() {
      cells.set(row: row, kind: .text, isText: true) { $0.append(count.name) }
    }
    cells.advance(toColumn: 1)
    for (row, count) in counts.enumerated() {
      cells.set(row: row, kind: .text) { $0.append(decimal: count.count) }
    }
    cells.advance(toColumn: 2)
    for (row, count) in counts.enumerated() {
      let share = Number.int(Int64(count.count)).divided(by: .int(Int64(max(count.total, 1)))) ?? .int(0)
      cells.set(row: row, kind: .text) { NumberWriter.append(share.rounded(to: 4), to: &$0) }
    }
    cells.advance(toColumn: 3)
    for (row, count) in counts.enumerated() {
      guard let first = count.first else { continue }
      cells.set(row: row, kind: .text) { $0.append(first) }
    }
    return Rows(cells.finish(cutting: nil))
  }

  /// Rows of two tables are shown: deleted ones among those that are left.
  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands {
    if plan.comparison == nil { return [] }
    return plan.streamsChanges(isOpen: isOpen)
      ? [.order, .places, .records] : [.allRows, .order, .places, .records]
  }

  static func optionNeedingAllRows(of plan: borrowing Plan) -> PlannedStep.Work? {
    plan.comparison == nil ? nil : .compare
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    let merged: PlannedStep.HeldAmount = schedule.needsAllRows ? .spilled(.changedRows) : .batch
    return [
      PlannedStep(work: .compare, holding: schedule.mergesChanges ? merged : .spilled(.bothTables))
    ]
  }
}

extension Plan {
  /// Whether two tables are merged while they are read, because both are verified to come in the order of `--id`.
  ///
  /// - Parameter isOpen: whether columns may come at any time (JSON): a merge needs to know those of both tables.
  func mergesChanges(isOpen: Bool) -> Bool {
    guard let comparison, !comparison.countsOnly, !isOpen, !comparison.isOldOpen, !makesRows,
      unpivoting == nil, !multipliesRows,
      sortKeys.isEmpty, moves.isEmpty, sample == nil, input.ragged != .fill
    else { return false }
    // These rows are held in memory.
    if case .rows(let count) = comparison.context, count > 1000 { return false }
    let sorted = sortedBy.map(\.tellingName)
    return !sorted.isEmpty && !sorted.contains(nil) && Set(sorted) == Set(keyNames) && keepsKeysApart
  }

  /// The names of the columns of `--id`; `nil` for what may be another column in each table.
  private var keyNames: [String?] {
    (rowKeys?.entries ?? []).map { entry in
      if case .column(let reference, _) = entry.item, !entry.isExcluded { reference.plainName } else { nil }
    }
  }

  /// Whether ids are ordered alike in both tables, and declared types make none of them null: rows that tie are held.
  private var keepsKeysApart: Bool {
    types.allSatisfy { declaration in
      switch declaration.columns {
      case .glob: return declaration.type == .text
      case .column(let reference):
        guard let name = reference.plainName else { return false }
        return declaration.type == .text || !keyNames.contains(name)
      }
    } && valueOrders.allSatisfy { $0.column.plainName != nil }
  }

  /// Whether the changes are shown while the tables are read.
  func streamsChanges(isOpen: Bool) -> Bool {
    guard mergesChanges(isOpen: isOpen), let comparison, skip == 0, head == nil, tail == nil else {
      return false
    }
    // A caption names the totals, which are known only at the end, as the columns that have changed are.
    return !comparison.showsChangedColumnsOnly && layout.sections == nil && output.paging == nil
      && !input.isFollowed && (layout.caption != nil || !output.form.carriesCaption)
  }
}

extension SortKey {
  /// The name of the column, if few of its different values tie; `nil` for others.
  fileprivate var tellingName: String? {
    guard case .column(let reference) = target else { return nil }
    switch comparison {
    case .auto, .text, .natural, .nocase, .version: return reference.plainName
    // What does not convert is null.
    case .number, .date, .duration, .size, .length: return nil
    }
  }
}

extension ColumnReference {
  /// The name that is the same in every table; `nil` for what may be a position.
  var plainName: String? {
    guard case .name(let name, let isQuoted) = self, isQuoted || Int(name) == nil else { return nil }
    return name
  }
}

extension PlannedStep.Work {
  static let compare = Self(rawValue: "--diff")
}

extension Comparer {
  /// Tables are compared here.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    if plan.comparison != nil { query.leave(PlannedStep.Work.compare.rawValue) }
  }
}
