/// Removes rows: `--delete`, guarded by `--can-delete`.
///
/// Several deletions follow one another, each applied to the rows that the previous one left. Rows that may
/// be counted from the end are held until the number of rows after them is known.
struct Deleter: RowStep, PassingStep {
  /// One deletion.
  private struct Deletion {
    /// The rows to delete.
    let what: BoundRowChoice

    /// The rows by their numbers, counted from 0, if they are known before the last row is.
    var bounds: [Range<Int>]

    /// The number of bounds that no later row is in.
    var passed = 0

    /// The number of rows that have come.
    var count = 0

    /// The last rows, if some are counted from the end.
    var last: StoredRows?

    /// The number of rows left.
    var leftCount = 0

    /// The remaining rows that may not be deleted although this deletion or an earlier one named their
    /// numbers: their positions among the remaining rows.
    ///
    /// Those of one range of numbers are consecutive, because all rows between them were deleted: there are
    /// no more ranges.
    var refused: [Range<Int>] = []

    /// The number of ranges of `refused` that no later row of the next deletion is in.
    var passedRefused = 0

    /// Whether the number of all rows is known.
    private var hasTotal = false

    init(_ what: BoundRowChoice, bounds: [Range<Int>] = [], last: StoredRows? = nil) {
      self.what = what
      self.bounds = bounds
      self.last = last
    }

    /// Records rows that remain, some of which were refused by their numbers.
    mutating func leave(_ rows: [UInt32], refused known: Set<UInt32>) {
      defer { leftCount += rows.count }
      if known.isEmpty { return }
      for (place, row) in zip(leftCount..., rows) where known.contains(row) {
        if let last = refused.last, last.upperBound == place {
          refused[refused.count - 1] = last.lowerBound..<place + 1
        } else {
          refused.append(place..<place + 1)
        }
      }
    }

    /// Sets the number of all rows; only the first call has an effect: before it, as many rows follow as are held.
    mutating func setTotal(_ total: Int) {
      guard !hasTotal, case .rows(let ranges) = what else { return }
      hasTotal = true
      bounds = ranges.bounds(count: total)
      passed = 0
    }
  }

  private var deletions: [Deletion] = []

  /// The rows that may be deleted; all if there is no guard.
  private var guarding: RowGuard?

  /// The evaluation state of the expressions of the deletions.
  private var ownStates: [EvaluationState] = []

  /// The number of rows that are held in order to count from the end.
  private let heldCount: Int

  /// Binds deletions and their guard.
  init(_ deletions: [RowChoice], canDelete: SourceExpression?, _ binder: inout Binder) throws(ExpressionError)
  {
    var heldCount = 0
    for deletion in deletions {
      switch deletion {
      case .matching(let source):
        let program = try binder.bind(condition: source)
        ownStates.append(program.stepState)
        self.deletions.append(Deletion(.matching(program)))
      case .rows(let ranges):
        ownStates.append(EvaluationState(slots: []))
        let endCount = deletion.endCount
        let (sum, isTooLarge) = heldCount.addingReportingOverflow(endCount)
        heldCount = isTooLarge ? .max : sum
        self.deletions.append(
          Deletion(
            .rows(ranges), bounds: ranges.bounds(count: RowRange.unknownCount),
            last: endCount > 0 ? StoredRows(last: endCount) : nil))
      }
    }
    self.heldCount = heldCount
    if !deletions.isEmpty { guarding = try RowGuard(canDelete, &binder) }
  }

  var states: [EvaluationState] { ownStates + (guarding.map { [$0.state] } ?? []) }

  /// The number of deletions that hold rows, each its own.
  var storeCount: Int { deletions.reduce(0) { $0 + ($1.last == nil ? 0 : 1) } }

  /// Whether rows are held in order to count from the end.
  var holdsRows: Bool { heldCount > 0 }

  /// A message may name the line of a row.
  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands {
    if plan.deletions.isEmpty { return [] }
    return plan.deletions.contains { $0.endCount > 0 } ? [.places, .records] : .places
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    deletions.isEmpty ? [] : [PlannedStep(work: .delete, holding: holdsRows ? .rows(heldCount) : .batch)]
  }

  func notices(_ sources: [Source]) -> [Notice] {
    guarding?.refusals.notices(.delete, sources) ?? []
  }

  /// The ranges of rows that matched no row, once all rows have come.
  var missingRows: [Notice] {
    deletions.flatMap { deletion -> [Notice] in
      guard case .rows(let ranges) = deletion.what else { return [] }
      return ranges.missing(among: deletion.count, option: "--delete")
    }
  }

  /// Removes rows of a batch, if none are held.
  mutating func apply(to rows: inout BatchRows) {
    if deletions.isEmpty || holdsRows { return }
    let batch = rows.batch
    for index in deletions.indices {
      rows.keep { numbers in delete(index, from: &numbers, of: batch) }
    }
  }
}

// MARK: - Rows that are held

extension Deleter {
  /// Those of the rows that stay, if that is known.
  mutating func pass(_ rows: Rows, room: Int) throws(Failure) -> Rows {
    do { return try pass(rows, from: 0, room) } catch { throw Failure(reading: error) }
  }

  mutating func release(room: Int) throws(Failure) -> Rows? {
    do { return try release(room) } catch { throw Failure(reading: error) }
  }

  private mutating func release(_ room: Int) throws(SystemError) -> Rows? {
    for index in deletions.indices {
      guard var last = deletions[index].last else { continue }
      deletions[index].setTotal(deletions[index].count + last.count)
      deletions[index].last = nil
      guard var rows = try last.takeFirst() else { continue }
      deletions[index].last = last
      delete(index, from: &rows)
      return try pass(rows, from: index + 1, room)
    }
    return nil
  }

  private mutating func pass(_ rows: Rows, from first: Int, _ room: Int) throws(SystemError) -> Rows {
    var rows = rows
    for index in deletions.indices.dropFirst(first) {
      if deletions[index].last != nil {
        rows = try deletions[index].last?.exchange(rows, budget: room) ?? rows
      }
      delete(index, from: &rows)
    }
    return rows
  }

  /// Removes rows of several batches.
  private mutating func delete(_ index: Int, from rows: inout Rows) {
    var left = Rows()
    rows.forEachRun { batch, run in
      var numbers = run
      delete(index, from: &numbers, of: batch)
      if !numbers.isEmpty { left.append(Rows(batch, numbers)) }
    }
    rows = left
  }
}

// MARK: - One deletion

extension Deleter {
  /// Removes the next rows of a deletion, which are in one batch.
  private mutating func delete(_ index: Int, from numbers: inout [UInt32], of batch: Batch) {
    let came = numbers
    let first = deletions[index].count
    deletions[index].count += came.count
    var going: [UInt32] = []
    switch deletions[index].what {
    case .matching(let program):
      going = numbers
      program.filter(batch, rows: &going, state: &ownStates[index])
      let misfits = Set(ownStates[index].tally.takeRows())
      if !misfits.isEmpty { numbers.removeAll { misfits.contains($0) } }
    case .rows:
      going = came.lying(in: deletions[index].bounds, from: first, passed: &deletions[index].passed)
    }
    var refused: [UInt32] = []
    if !going.isEmpty, let allowed = guarding?.allowed(going, of: batch) {
      refused = going.without(allowed)
      going = allowed
    }
    if !going.isEmpty { numbers = numbers.without(going) }
    if let misfits = guarding?.takeMisfits(), !misfits.isEmpty {
      let unwanted = Set(misfits)
      numbers.removeAll { unwanted.contains($0) }
    }
    if guarding != nil {
      countRefused(refused, by: index, among: came, from: first, left: numbers, of: batch)
    }
  }

  /// Counts rows that a deletion refused, except those that an earlier one refused.
  ///
  /// - Parameters:
  ///   - came: the rows that it was applied to.
  ///   - first: the position of the first of them.
  ///   - left: the rows that it left.
  private mutating func countRefused(
    _ refused: [UInt32], by index: Int, among came: [UInt32], from first: Int, left: [UInt32], of batch: Batch
  ) {
    var known: Set<UInt32> = []
    if index > 0 {
      let ranges = deletions[index - 1].refused
      known = Set(came.lying(in: ranges, from: first, passed: &deletions[index - 1].passedRefused))
    }
    var new = refused.filter { !known.contains($0) }
    for earlier in deletions.prefix(index) {
      guard case .matching(let program) = earlier.what, !new.isEmpty else { continue }
      // It named them, but did not delete them.
      var state = program.freshState
      var named = new
      program.filter(batch, rows: &named, state: &state)
      new = new.without(named)
    }
    if !new.isEmpty { guarding?.countRefused(new, of: batch) }
    if case .rows = deletions[index].what { known.formUnion(refused) }
    deletions[index].leave(left, refused: known)
  }
}

extension [RowRange] {
  /// The notices about ranges without a row among `count` rows; if there are no rows at all, none is missed.
  func missing(among count: Int, option: String) -> [Notice] {
    if count == 0 { return [] }
    return filter { $0.indices(count: count).isEmpty }.map { .noRows(option: option, $0, count: count) }
  }

  /// The rows meant among `count` rows, counted from 0, in order.
  func bounds(count: Int) -> [Range<Int>] {
    var bounds: [Range<Int>] = []
    for range in map({ $0.indices(count: count) }).sorted(by: { $0.lowerBound < $1.lowerBound })
    where !range.isEmpty {
      if let last = bounds.last, range.lowerBound <= last.upperBound {
        bounds[bounds.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        bounds.append(range)
      }
    }
    return bounds
  }
}

extension [UInt32] {
  /// The rows, from consecutive ones beginning at a position, that are in some ranges of positions.
  ///
  /// - Parameter passed: the number of ranges that no later row is in.
  func lying(in ranges: [Range<Int>], from first: Int, passed: inout Int) -> [UInt32] {
    var found: [UInt32] = []
    for (place, row) in zip(first..., self) {
      while passed < ranges.count, ranges[passed].upperBound <= place { passed += 1 }
      if passed == ranges.count { break }
      if ranges[passed].contains(place) { found.append(row) }
    }
    return found
  }
}

extension PlannedStep.Work {
  static let delete = Self(rawValue: "--delete")
}

extension Deleter {
  /// An expression is a condition of the query; rows of an engine have no numbers.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    if !plan.deletions.isEmpty, plan.canDelete != nil { throw .query(.option("--can-delete")) }
    var askedCount = 0
    for deletion in plan.deletions {
      guard case .matching(let condition) = deletion else { throw .query(.rowNumbers("--delete")) }
      let isAsked = try query.ask(PlannedStep.Work.delete.rawValue) { (query) throws(ExpressionError) in
        try query.filter(condition, deletes: true)
      }
      if isAsked { askedCount += 1 }
    }
    plan.deletions.removeFirst(askedCount)
  }
}
