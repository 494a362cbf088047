/// Takes rows away: `--delete`, guarded by `--can-delete`.
///
/// Several deletions come one after the other, each among the rows that the one before left. Rows that may be counted
/// from the end are held until it is known how many come after them.
struct Deleter: RowStep, PassingStep {
  /// One deletion.
  private struct Deletion {
    /// The rows that go.
    enum What {
      case matching(Program)
      case rows([RowRange])
    }

    /// The rows that go.
    let what: What

    /// The rows by their numbers, counted from 0, if they are known before the last row is.
    var bounds: [Range<Int>]

    /// The bounds that no later row lies in.
    var passed = 0

    /// How many rows have come.
    var count = 0

    /// The last rows, where some are counted from the end.
    var last: StoredRows?

    /// How many rows were left.
    var leftCount = 0

    /// The rows left that may not go though this deletion or one before named their numbers: their places among those
    /// left.
    ///
    /// Those of one range of numbers come one after the other, as all between them went: there are no more ranges.
    var refused: [Range<Int>] = []

    /// The ranges of `refused` that no later row of the next deletion lies in.
    var passedRefused = 0

    /// Whether the number of all rows is known.
    private var isSettled = false

    init(_ what: What, bounds: [Range<Int>] = [], last: StoredRows? = nil) {
      self.what = what
      self.bounds = bounds
      self.last = last
    }

    /// Takes note of rows that are left, of which some were refused by their numbers.
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

    /// Takes note of the number of all rows, from the first call on: before it as many follow as are held.
    mutating func settle(total: Int) {
      guard !isSettled, case .rows(let ranges) = what else { return }
      isSettled = true
      bounds = ranges.bounds(count: total)
      passed = 0
    }
  }

  private var deletions: [Deletion] = []

  /// Which rows may go; all if there is none.
  private var guarding: RowGuard?

  /// The evaluation state of the expressions of the deletions.
  private var ownStates: [EvaluationState] = []

  /// How many rows are held to count from the end.
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
            .rows(ranges), bounds: ranges.bounds(count: Self.manyRows),
            last: endCount > 0 ? StoredRows(last: endCount) : nil))
      }
    }
    self.heldCount = heldCount
    if !deletions.isEmpty { guarding = try RowGuard(canDelete, &binder) }
  }

  var states: [EvaluationState] { ownStates + (guarding.map { [$0.state] } ?? []) }

  /// How many deletions hold rows, each its own.
  var storeCount: Int { deletions.reduce(0) { $0 + ($1.last == nil ? 0 : 1) } }

  /// Whether rows are held to count from the end.
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

  /// The ranges of rows that no row was in, once all rows came.
  var missingRows: [Notice] {
    deletions.flatMap { deletion -> [Notice] in
      guard case .rows(let ranges) = deletion.what else { return [] }
      return ranges.missing(among: deletion.count, option: "--delete")
    }
  }

  /// Takes rows of a batch away, if none are held.
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
  /// The rows that stay of those that came, if that is known.
  mutating func pass(_ rows: Rows, room: Int) throws(Failure) -> Rows {
    do { return try pass(rows, from: 0, room) } catch { throw Failure(reading: error) }
  }

  mutating func release(room: Int) throws(Failure) -> Rows? {
    do { return try release(room) } catch { throw Failure(reading: error) }
  }

  private mutating func release(_ room: Int) throws(SystemError) -> Rows? {
    for index in deletions.indices {
      guard var last = deletions[index].last else { continue }
      deletions[index].settle(total: deletions[index].count + last.count)
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

  /// Takes rows of several batches away.
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
  /// Takes the next rows of a deletion away, which lie in one batch.
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
    if guarding != nil { note(refused, by: index, among: came, from: first, left: numbers, of: batch) }
  }

  /// Counts rows that a deletion refused, but for those that one before refused.
  ///
  /// - Parameters:
  ///   - came: the rows that came to it.
  ///   - first: the place of the first of them.
  ///   - left: the rows that it left of them.
  private mutating func note(
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
      // It named them, and did not take them away.
      var state = program.freshState
      var named = new
      program.filter(batch, rows: &named, state: &state)
      new = new.without(named)
    }
    if !new.isEmpty { guarding?.note(refused: new, of: batch) }
    if case .rows = deletions[index].what { known.formUnion(refused) }
    deletions[index].leave(left, refused: known)
  }

  /// More rows than there can be.
  static let manyRows = 1 << 60
}

extension [RowRange] {
  /// The notices about ranges without a row among `count` rows; of no rows at all none is missed.
  func missing(among count: Int, option: String) -> [Notice] {
    if count == 0 { return [] }
    return filter { $0.indices(count: count).isEmpty }.map { .noRows(option: option, $0, count: count) }
  }

  /// The rows meant among `count` rows, counted from 0, in their order.
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
  /// Those of rows that come one after the other, the first of them at a place, which lie in some ranges of places.
  ///
  /// - Parameter passed: how many of the ranges no later row lies in.
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

extension RowRange {
  /// How many of the last rows must be known to tell which rows are meant.
  fileprivate var endCount: Int {
    let ends = [first, last].compactMap { $0 }.filter { $0 < 0 }
    return ends.min().map { $0 == .min ? .max : -$0 } ?? 0
  }
}

extension RowChoice {
  /// How many of the last rows must be known to tell which rows are meant.
  public var endCount: Int {
    if case .rows(let ranges) = self { ranges.map(\.endCount).max() ?? 0 } else { 0 }
  }
}
