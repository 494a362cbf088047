/// Adds a column that is computed over the rows in their order: an assignment of `--compute`.
///
/// 1. The arguments of the functions that look at other rows are read in each row, before anything else is computed.
/// 2. If one needs all rows (`share`, `rank`), rows are held, beyond the memory for them in a temporary file, and come
///    again once the last has come.
/// 3. If one looks some rows down (`next`), as many rows wait for those after them.
/// 4. The value of the column is computed from the row and from what these functions found.
///
/// With `--section-by` they begin anew in each section.
///
/// - Complexity: O(*n*) for *n* rows, O(*n* log *n*) with `rank`.
struct SeriesComputer: PassingStep {
  /// The name of the column, and its index in a batch.
  private let name: String
  private let index: Int

  private let program: Program
  private var state: EvaluationState

  /// The rows that get the value, all of them if there is no condition; the others get null.
  private let condition: Program?
  private var conditionState = EvaluationState(slots: [])

  /// The calls that look at other rows.
  private var calls: [SeriesCall]

  /// Where sections begin, if there are any; and the same before the first row.
  private var breaks: SectionBreaks?
  private let freshBreaks: SectionBreaks?

  /// The rows that are held until the last has come, if a call needs all of them.
  private var held = StoredRows()
  private let needsAll: Bool

  /// The number of the section of the last row that came to be held.
  private var heldSection = 0

  /// The rows that wait for those after them.
  private var waiting: [WaitingRun] = []

  /// How many rows wait at most, and how many rows have come.
  private let lookAhead: Int
  private var count = 0

  /// The number of the section of the last row.
  private var section = 0

  /// The rows that had a cell of their own in the column, and the first of them.
  private var replaced = Tally<RowPlace>()

  /// A row whose cell alone takes too much memory.
  private var overflow: RowPlace?

  /// The maximum size of the cell of a row, in bytes.
  private let room: Int

  /// The bytes that the cell of a row may take with almost no budget.
  private static let leastRoom = 32 << 20

  /// The bytes that the cells of several rows may take together.
  private static let sharedRoom = 8 << 20

  /// The rows of one batch that wait, with the values of their calls.
  private struct WaitingRun {
    var batch: Batch
    var rows: [UInt32]
    /// The values of each call; those of `next` are its argument.
    var values: [[Value]]
    /// The number of its first row.
    var start: Int

    /// Drops the first rows.
    mutating func dropFirst(_ count: Int) {
      rows.removeFirst(count)
      for index in values.indices { values[index].removeFirst(count) }
      start += count
    }
  }

  /// Binds an assignment and adds its column, which those after it may use.
  ///
  /// - Parameters:
  ///   - breaks: where sections begin, if there are any.
  ///   - budget: the bytes that rows may take.
  init(
    _ assignment: Assignment, _ breaks: SectionBreaks?, budget: Int, _ binder: inout Binder
  ) throws(ExpressionError) {
    name = assignment.column
    if binder.schema.expects(name) {
      throw assignment.value.error(.computedTooLate(name), at: assignment.range)
    }
    let bound = try binder.bind(series: assignment.value)
    guard assignment.position == nil else {
      throw assignment.value.error(.newColumnNeedsName(assignment.column), at: assignment.range)
    }
    // A member of this name may have been sorted by, so that it is not replaced.
    guard binder.schema.index(of: name) == nil, let index = binder.schema.derive(name: name) else {
      throw assignment.value.error(.derivedColumnExists(assignment.column), at: assignment.range)
    }
    self.index = index
    program = bound.value
    if program.mayBeInexact { binder.schema.recordInexact(index) }
    state = program.freshState
    condition = try assignment.condition.map { (source) throws(ExpressionError) in
      try binder.bind(condition: source)
    }
    if let condition { conditionState = condition.freshState }
    calls = bound.series.map { SeriesCall($0, bound.value.freshState) }
    needsAll = bound.series.contains(where: \.function.needsAll)
    lookAhead = bound.series.filter { $0.function == .next }.map(\.distance).max() ?? 0
    (self.breaks, freshBreaks) = (breaks, breaks)
    room = max(budget / 4, Self.leastRoom)
  }

  /// Rejects sort keys and sections that name a column which is computed after them.
  static func refuseEarlierUse(of plan: borrowing Plan, _ schema: Schema) throws(Failure) {
    var names = (plan.sortKeys + plan.sortedBy).compactMap { key in
      if case .column(let reference) = key.target { reference.plainName } else { nil }
    }
    if case .column(let name)? = plan.layout.sections?.value.expression.kind { names.append(name) }
    for assignment in plan.computed
    where names.contains(assignment.column) && schema.index(of: assignment.column) == nil {
      throw .expression(assignment.value.error(.computedTooLate(assignment.column), at: assignment.range))
    }
  }

  /// Values may use the place of their row, and rows are held.
  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands {
    plan.computed.isEmpty ? [] : [.places, .records]
  }

  static func optionNeedingAllRows(of plan: borrowing Plan) -> PlannedStep.Work? {
    plan.computesOverAll ? .compute : nil
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    let holding: PlannedStep.HeldAmount =
      needsAll ? .spilled(.computed) : lookAhead > 0 ? .rows(lookAhead) : .batch
    return [PlannedStep(work: .compute, holding: holding)]
  }

  func notices(_ sources: [Source]) -> [Notice] {
    guard let first = replaced.first else { return [] }
    return [
      .replacedByDerived(
        column: name, option: "--compute", count: replaced.count, first: InputError.Location(first, sources))
    ]
  }

  /// The cells that did not convert, each counted once, however many calls saw it.
  var tallies: [ConversionTally] {
    var tally = state.tally
    tally.widen(conditionState.tally)
    for call in calls {
      tally.widen(call.state.tally)
      tally.add(longTextsOf: call.state.tally)
      tally.add(comparedTextsOf: call.state.tally)
    }
    return [tally]
  }

  func failure(_ sources: [Source]) -> Failure? {
    for state in [state, conditionState] + calls.map(\.state) {
      if let failure = state.failure { return failure.failure(sources) }
    }
    return overflow.map { .input(.recordTooLong(InputError.Location($0, sources))) }
  }

  var holdsRows: Bool { needsAll }

  var storeCount: Int { needsAll ? 1 : 0 }

  mutating func pass(_ rows: Rows, room: Int) throws(Failure) -> Rows {
    guard needsAll else { return compute(rows) }
    rows.forEachRun { batch, run in addTotals(run, of: batch) }
    held.append(rows.isSparse() ? rows.copied() : rows)
    if held.memory >= room { try Failure.reading { () throws(SystemError) in try held.spill() } }
    return Rows()
  }

  mutating func release(room: Int) throws(Failure) -> Rows? {
    if needsAll {
      do {
        if let rows = try held.takeFirst() { return compute(rows) }
      } catch { throw Failure(reading: error) }
    }
    if waiting.isEmpty { return nil }
    return takeWaiting(before: count)
  }
}

extension PlannedStep.Work {
  static let compute = Self(rawValue: "--compute")
}

extension Plan {
  /// Whether columns are computed as rows come: no step before changes their order.
  ///
  /// - Parameter isOpen: whether columns may come at any time (JSON).
  func computesEarly(isOpen: Bool) -> Bool {
    sortKeys.isEmpty && (moves.isEmpty || streamsMoves(isOpen: isOpen))
  }

  /// Whether a function of `--compute` needs the values of all rows.
  var computesOverAll: Bool {
    computed.contains { assignment in
      assignment.value.expression.calls { Function.named($0)?.needsAllRows ?? false }
    }
  }
}

extension SeriesComputer {
  /// Columns are computed here, and with them everything after.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    if !plan.computed.isEmpty { query.leave(PlannedStep.Work.compute.rawValue) }
  }
}

// MARK: - Computing

extension SeriesComputer {
  /// Adds the values of the next rows to the totals of their sections.
  private mutating func addTotals(_ rows: [UInt32], of batch: Batch) {
    let starts = breaks?.findStarts(in: Rows(batch, rows), rows.indices).map(\.place) ?? []
    for index in calls.indices where calls[index].call.function.needsAll {
      calls[index].addTotals(rows, of: batch, starts: starts, section: heldSection, program.context)
    }
    heldSection += starts.count
  }

  /// The rows, as far as they do not wait, with the column.
  private mutating func compute(_ rows: Rows) -> Rows {
    if needsAll, count == 0 {
      breaks = freshBreaks
      for index in calls.indices { calls[index].endTotals() }
    }
    // Rows that were sorted are brought together once, or each would be a run of its own.
    let rows = rows.areScattered ? rows.copied() : rows
    var done = Rows()
    rows.forEachRun { batch, run in
      let starts = breaks?.findStarts(in: Rows(batch, run), run.indices).map(\.place) ?? []
      let values = calls.indices.map {
        calls[$0].values(run, of: batch, starts: starts, section: section, program.context)
      }
      section += starts.count
      if lookAhead == 0 {
        count += run.count
        return done.append(compute(run, of: batch, values))
      }
      // A section that ends is complete.
      var from = 0
      for place in starts + [run.count] where place > from || place == 0 {
        if place > from {
          let part = values.map { Array($0[from..<place]) }
          waiting.append(WaitingRun(batch: batch, rows: Array(run[from..<place]), values: part, start: count))
          count += place - from
          from = place
        }
        if place < run.count {
          done.append(takeWaiting(before: count))
        }
      }
      done.append(takeWaiting(before: count - lookAhead))
    }
    return done
  }

  /// The rows that wait and have numbers below `end`, with the column.
  private mutating func takeWaiting(before end: Int) -> Rows {
    var done = Rows()
    var rest = waiting[...]
    while let run = rest.first, run.start < end {
      let ready = min(end - run.start, run.rows.count)
      let values = calls.indices.map { call in
        guard calls[call].call.function == .next else { return Array(run.values[call][..<ready]) }
        return (0..<ready).map { Self.value($0 + calls[call].call.distance, of: call, in: rest) }
      }
      done.append(compute(Array(run.rows[..<ready]), of: run.batch, values))
      if ready == run.rows.count {
        rest.removeFirst()
      } else {
        rest[rest.startIndex].dropFirst(ready)
        break
      }
    }
    waiting = Array(rest)
    return done
  }

  /// The value of a call in the row with this number, counted from the first that waits; null if it did not come.
  private static func value(_ number: Int, of call: Int, in runs: ArraySlice<WaitingRun>) -> Value {
    var number = number
    for run in runs {
      if number < run.rows.count { return run.values[call][number] }
      number -= run.rows.count
    }
    return .null
  }

  /// Some rows of a batch with the column.
  ///
  /// - Parameter values: the values of each call, row by row.
  private mutating func compute(_ rows: [UInt32], of batch: Batch, _ values: [[Value]]) -> Rows {
    if rows.isEmpty { return Rows() }
    let room = rows.count > 1 ? Self.sharedRoom : room
    var column = ComputedColumn(at: index, of: batch, count: batch.rowCount, room: room)
    let types = CellTypes(batch, of: program)
    let marks = program.context.marks
    var evaluator = Evaluator(program.context, batch: batch, state: state)
    evaluator.aggregates = calls.map { _ in .null }
    var chosen = rows
    condition?.filter(batch, rows: &chosen, state: &conditionState)
    var others = chosen.count < rows.count ? rows.without(chosen)[...] : []
    for (place, row) in rows.enumerated() {
      if others.first == row {
        others.removeFirst()
        column.set(.null, row: Int(row), types, marks)
        continue
      }
      evaluator.row = Int(row)
      for call in values.indices { evaluator.aggregates[call] = values[call][place] }
      column.set(evaluator.value(program.node), row: Int(row), types, marks)
    }
    if column.room < 0, rows.count > 1 {
      let middle = rows.count / 2
      var done = compute(Array(rows[..<middle]), of: batch, values.map { Array($0[..<middle]) })
      done.append(compute(Array(rows[middle...]), of: batch, values.map { Array($0[middle...]) }))
      return done
    }
    if column.room < 0 { overflow = overflow ?? RowPlace(Int(rows[0]), of: batch) }
    state = evaluator.state
    if let row = column.replaced.first {
      replaced.record(column.replaced.count, inRow: batch.rowNumber(ofRow: row), RowPlace(row, of: batch))
    }
    return Rows(column.finish(cutting: nil), rows)
  }
}

extension Rows {
  /// Whether few rows at a time are in one batch.
  fileprivate var areScattered: Bool {
    guard batches.count > 1 else { return false }
    var runs = 0
    var last = -1
    for id in ids where id.batch != last {
      last = id.batch
      runs += 1
    }
    return runs * 64 > count
  }
}

// MARK: - What looks at other rows

/// A function that looks at other rows, with what it has found in them.
private struct SeriesCall {
  let call: BoundSeries

  /// The state of its argument.
  private(set) var state: EvaluationState

  /// The sum of the section so far.
  private var sum = ExactSum()

  /// The last values of the section, as many as it looks up; the oldest is at `oldest` once they are all there.
  private var before: [Value] = []
  private var oldest = 0

  /// What is known about each section as a whole.
  private var totals: [Totals] = []

  /// The values of a section.
  private struct Totals {
    var sum = ExactSum()
    /// The numbers, in the end in descending order.
    var numbers: [Number] = []
  }

  init(_ call: BoundSeries, _ state: EvaluationState) {
    self.call = call
    self.state = state
  }

  /// Adds the values of some rows to the totals of their sections.
  ///
  /// - Parameters:
  ///   - starts: the positions among them at which sections begin.
  ///   - section: the number of the section of the row before them.
  mutating func addTotals(
    _ rows: [UInt32], of batch: Batch, starts: [Int], section: Int, _ context: EvaluationContext
  ) {
    var evaluator = Evaluator(context, batch: batch, state: state)
    var section = section
    var starts = starts[...]
    for (place, row) in rows.enumerated() {
      if starts.first == place {
        starts.removeFirst()
        section += 1
      }
      while totals.count <= section { totals.append(Totals()) }
      evaluator.row = Int(row)
      guard let number = evaluator.number(call.argument) else { continue }
      if call.function == .rank {
        totals[section].numbers.append(number)
      } else {
        totals[section].sum.add(number)
      }
    }
    state = evaluator.state
  }

  /// Ends the totals: no more rows come.
  mutating func endTotals() {
    for index in totals.indices { totals[index].numbers.sort(by: >) }
  }

  /// The values in some rows; those of `next` are its argument.
  mutating func values(
    _ rows: [UInt32], of batch: Batch, starts: [Int], section: Int, _ context: EvaluationContext
  ) -> [Value] {
    var evaluator = Evaluator(context, batch: batch, state: state)
    var section = section
    var starts = starts[...]
    var values: [Value] = []
    values.reserveCapacity(rows.count)
    for (place, row) in rows.enumerated() {
      if starts.first == place {
        starts.removeFirst()
        section += 1
        (sum, before, oldest) = (ExactSum(), [], 0)
      }
      evaluator.row = Int(row)
      values.append(value(&evaluator, section))
    }
    // What needs all rows has counted its cells before.
    if !call.function.needsAll { state = evaluator.state }
    return values
  }

  private mutating func value(_ evaluator: inout Evaluator, _ section: Int) -> Value {
    switch call.function {
    case .next: return evaluator.value(call.argument).held(from: evaluator.batch)
    case .prior: return exchange(evaluator.value(call.argument).held(from: evaluator.batch))
    case .running, .share, .rank: break
    }
    guard let number = evaluator.number(call.argument) else { return .null }
    if call.function == .running {
      sum.add(number)
      return .number(sum.total)
    }
    guard totals.indices.contains(section) else { return .null }
    if call.function == .rank { return .int(totals[section].numbers.countLarger(than: number) + 1) }
    return .optional(number.divided(by: totals[section].sum.total))
  }

  /// Keeps the value of a row, and returns the one that is as far above it as the call looks.
  private mutating func exchange(_ value: Value) -> Value {
    if before.count < call.distance {
      before.append(value)
      return .null
    }
    let found = before[oldest]
    before[oldest] = value
    oldest = oldest + 1 == before.count ? 0 : oldest + 1
    return found
  }
}

extension [Number] {
  /// How many of these numbers, which descend, are larger than another.
  fileprivate func countLarger(than number: Number) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] > number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
