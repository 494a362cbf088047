/// What `--pivot` and `--pivot-total` ask for: a column for each value of a key.
public struct Pivot: Sendable {
  /// The column, if it is one.
  public var columns: ColumnList?

  /// The value that is computed from each row, if it is no column.
  public var values: [Grouping.KeyValue]

  /// The title of the columns over all values, if they are wanted.
  public var total: String?

  /// Creates what was typed.
  public init(by columns: ColumnList?, values: [Grouping.KeyValue], total: String?) {
    (self.columns, self.values, self.total) = (columns, values, total)
  }

  /// The most values that may make columns.
  static let mostValues = 1000
}

extension Grouping {
  /// The same groups, divided by what makes columns.
  func divided(by pivot: Pivot) -> Grouping {
    let own = keys?.entries ?? []
    let entries = own + (pivot.columns?.entries ?? [])
    let last = pivot.values.map { KeyValue($0.source, title: $0.title, after: own.count) }
    return Grouping(
      by: entries.isEmpty ? nil : ColumnList(entries), values: values + last, aggregates: aggregates)
  }
}

/// Lets rows pass and groups them by the keys of a pivoted table alone, for its totals and its empty cells.
struct PivotTotals: PassingStep {
  /// The groups by the keys, if there are totals; they are copied, so that no other thread may have them.
  private(set) var totals: Grouper?

  /// The group without rows.
  let none: Grouper

  /// Binds the groups of a plan that is read for a pivoted table; `nil` for any other.
  init?(_ plan: borrowing Plan, _ tuning: Tuning, _ binder: Binder) throws(Failure) {
    guard let pivot = plan.dividing, let keys = plan.keysOfPivot else { return nil }
    func grouper(_ grouping: Grouping) throws(Failure) -> Grouper {
      var binder = binder
      return try Grouper(grouping, budget: plan.memory / 4, tuning, &binder)
    }
    none = try grouper(Grouping(by: nil, aggregates: keys.aggregates))
    totals = pivot.total == nil ? nil : try grouper(keys)
  }

  mutating func pass(_ rows: Rows, room: Int) throws(Failure) -> Rows {
    _ = try totals?.pass(rows, room: room)
    return rows
  }

  /// What does not convert is counted in the groups that are divided.
  func planned(_ schedule: Schedule) -> [PlannedStep] { [] }

  func failure(_ sources: [Source]) -> Failure? { totals?.failure(sources) }

  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {}
}

/// Hands on the rows of a table that was pivoted before anything else was bound to its columns: `--pivot`.
struct PivotStep: PassingStep {
  private var rows: StoredRows

  init(_ rows: StoredRows) { self.rows = rows }

  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands {
    plan.pivot == nil ? [] : .records
  }

  static func optionNeedingAllRows(of plan: borrowing Plan) -> PlannedStep.Work? {
    plan.pivot == nil ? nil : .pivot
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    [PlannedStep(work: .pivot, holding: .groups)]
  }

  var holdsRows: Bool { true }

  mutating func pass(_ rows: Rows, room: Int) throws(Failure) -> Rows { rows }

  mutating func release(room: Int) throws(Failure) -> Rows? {
    do { return try rows.takeFirst() } catch { throw Failure(reading: error) }
  }

  /// The table is made here, and everything after it.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    if plan.pivot != nil { query.leave(PlannedStep.Work.pivot.rawValue) }
  }
}

extension PlannedStep.Work {
  static let pivot = Self(rawValue: "--pivot")
}
