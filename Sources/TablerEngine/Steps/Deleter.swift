/// Takes rows away: `--delete`, guarded by `--can-delete`.
///
/// Several deletions come one after the other, each among the rows that the one before left. Rows that may be counted
/// from the end are held until it is known how many come after them.
struct Deleter: RowStep {
  /// One deletion.
  private struct Deletion {
    /// The rows that go.
    enum What {
      case matching(Program)
      case rows([RowRange])
    }

    /// The rows that go.
    let what: What

    /// The rows by their numbers, counted from 0, as far as they are known before the last row is.
    var bounds: [Range<Int>]

    /// The bounds that no later row lies in.
    var passed = 0

    /// How many rows have come.
    var count = 0

    /// The last rows, where some are counted from the end.
    var last: StoredRows?

    /// Whether the number of all rows is known.
    private var isSettled = false

    init(_ what: What, bounds: [Range<Int>] = [], last: StoredRows? = nil) {
      self.what = what
      self.bounds = bounds
      self.last = last
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

  /// Which rows may go; all where there is none.
  private var guarding: RowGuard?

  /// What the expressions of the deletions left behind.
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
  var demands: StepDemands { deletions.isEmpty ? [] : .places }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    deletions.isEmpty ? [] : [PlannedStep(work: .delete, holding: holdsRows ? .rows(heldCount) : .batch)]
  }

  func notices(_ sources: [Source]) -> [Notice] {
    guarding?.refusals.notices(.delete, sources) ?? []
  }

  /// Takes rows of a batch away, where none are held.
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
  /// The rows that stay of those that came, as far as that is known.
  ///
  /// - Parameter budget: the bytes that rows may take in memory before they go to a temporary file.
  /// - Throws: what the system says of that file.
  mutating func pass(_ rows: Rows, budget: Int) throws(SystemError) -> Rows {
    try pass(rows, from: 0, budget)
  }

  /// The next of the rows held that stay, once no others come, some at a time; `nil` where none are left.
  mutating func finish(budget: Int) throws(SystemError) -> Rows? {
    for index in deletions.indices {
      guard var last = deletions[index].last else { continue }
      deletions[index].settle(total: deletions[index].count + last.count)
      deletions[index].last = nil
      guard var rows = try last.takeFirst() else { continue }
      deletions[index].last = last
      delete(index, from: &rows)
      return try pass(rows, from: index + 1, budget)
    }
    return nil
  }

  private mutating func pass(_ rows: Rows, from first: Int, _ budget: Int) throws(SystemError) -> Rows {
    var rows = rows
    for index in deletions.indices.dropFirst(first) {
      if deletions[index].last != nil {
        rows = try deletions[index].last?.exchange(rows, budget: budget) ?? rows
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
    var going: [UInt32] = []
    switch deletions[index].what {
    case .matching(let program):
      going = numbers
      program.filter(batch, rows: &going, state: &ownStates[index])
      let misfits = Set(ownStates[index].tally.takeRows())
      if !misfits.isEmpty { numbers.removeAll { misfits.contains($0) } }
    case .rows:
      let bounds = deletions[index].bounds
      var next = deletions[index].passed
      for (place, number) in zip(deletions[index].count..., numbers) {
        while next < bounds.count, bounds[next].upperBound <= place { next += 1 }
        if next < bounds.count, bounds[next].contains(place) { going.append(number) }
      }
      deletions[index].passed = next
    }
    deletions[index].count += numbers.count
    if going.isEmpty { return }
    if let allowed = guarding?.allowed(going, of: batch, notedIn: batch) { going = allowed }
    numbers = numbers.without(going)
    if let misfits = guarding?.takeMisfits(), !misfits.isEmpty {
      let unwanted = Set(misfits)
      numbers.removeAll { unwanted.contains($0) }
    }
  }

  /// More rows than there can be.
  private static let manyRows = 1 << 60
}

extension [RowRange] {
  /// The rows meant among `count` rows, counted from 0, in their order.
  fileprivate func bounds(count: Int) -> [Range<Int>] {
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

extension RowRange {
  /// How many of the last rows must be known to tell which rows are meant.
  fileprivate var endCount: Int {
    let ends = [first, last].compactMap { $0 }.filter { $0 < 0 }
    return ends.min().map { $0 == .min ? .max : -$0 } ?? 0
  }
}

extension RowChoice {
  /// How many of the last rows must be known to tell which rows are meant.
  var endCount: Int {
    if case .rows(let ranges) = self { ranges.map(\.endCount).max() ?? 0 } else { 0 }
  }
}
