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
  /// The name of the column.
  private let name: String

  /// The values of the column, once it is known what the calls found.
  private var column: SeriesColumn

  /// The calls that look at other rows.
  private var calls: [SeriesCall]

  /// The expression that divides rows into sections, if what it finds is reported here: no section is drawn, and this is
  /// the first column.
  private let undrawnSections: SourceExpression?

  /// Where sections begin, if there are any; and the same before the first row.
  private var breaks: SectionBreaks?
  private let freshBreaks: SectionBreaks?

  /// The rows that are held until the last has come, if a call needs all of them.
  private var held = StoredRows()
  private let needsAll: Bool

  /// The rows that wait for those after them, and the values of each call in them; those of `next` are its argument.
  private var waiting = Rows()
  private var values: [[Value]] = []

  /// How many rows wait at most.
  private let lookAhead: Int

  /// Whether rows have been computed.
  private var hasBegun = false

  /// The number of the section of the last row.
  private var section = 0

  private let tuning: Tuning

  /// Binds an assignment and adds its column, which those after it may use.
  ///
  /// - Parameters:
  ///   - breaks: where sections begin, if there are any.
  ///   - undrawnSections: the expression that divides rows into sections, if no section is drawn.
  ///   - budget: the bytes that rows may take.
  init(
    _ assignment: Assignment, _ breaks: SectionBreaks?, undrawnSections: SourceExpression? = nil, budget: Int,
    _ tuning: Tuning, _ binder: inout Binder
  ) throws(ExpressionError) {
    self.undrawnSections = undrawnSections
    self.tuning = tuning
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
    binder.schema.recordComputed(
      index, mayBeInexact: bound.value.mayBeInexact, zone: bound.value.zone,
      areDurations: bound.value.kind == .duration)
    let condition = try assignment.condition.map { (source) throws(ExpressionError) in
      try binder.bind(condition: source)
    }
    column = SeriesColumn(at: index, bound.value, where: condition, budget: budget)
    calls = bound.series.map { call in
      var state = bound.value.freshState
      state.notesDropped = call.function.sums && assignment.value.expression.expectsConversions
      return SeriesCall(call, state)
    }
    needsAll = bound.series.contains(where: \.function.needsAll)
    lookAhead = bound.series.filter { $0.function == .next }.map(\.distance).max() ?? 0
    (self.breaks, freshBreaks) = (breaks, breaks)
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
    let sections = undrawnSections.flatMap { breaks?.notice($0) }.map { [$0] } ?? []
    guard let first = column.replaced.first else { return sections }
    return sections + [
      .replacedByDerived(
        column: name, option: "--compute", count: column.replaced.count,
        first: InputError.Location(first, sources))
    ]
  }

  /// The cells that did not convert, each counted once, however many calls saw it.
  var tallies: [ConversionTally] {
    var tally = column.state.tally
    for call in calls {
      tally.widen(call.state.tally)
      tally.add(longTextsOf: call.state.tally)
      tally.add(comparedTextsOf: call.state.tally)
    }
    // The condition is a program with columns of its own, and so is the expression of sections.
    return [tally, column.conditionState.tally] + sectionStates.map(\.tally)
  }

  /// The state of the expression that divides rows into sections, if what it finds is reported here.
  private var sectionStates: [EvaluationState] {
    undrawnSections == nil ? [] : breaks.map { [$0.state] } ?? []
  }

  func failure(_ sources: [Source]) -> Failure? {
    for state in [column.state, column.conditionState] + calls.map(\.state) + sectionStates {
      if let failure = state.failure { return failure.failure(sources) }
    }
    return column.overflow.map { .input(.recordTooLong(InputError.Location($0, sources))) }
  }

  var holdsRows: Bool { needsAll }

  var storeCount: Int { needsAll ? 1 : 0 }

  mutating func pass(_ rows: Rows, room: Int) throws(Failure) -> Rows {
    guard needsAll else { return compute(rows) }
    let starts = findStarts(in: rows)
    for index in calls.indices where calls[index].call.function.needsAll {
      calls[index].addTotals(rows, starts, section: section, column.context, tuning)
    }
    section += starts.count
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
    return waiting.count == 0 ? nil : takeWaiting(waiting.count, endingAt: [waiting.count])
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
  /// The positions of the next rows at which sections begin.
  private mutating func findStarts(in rows: Rows) -> [Int] {
    breaks?.findStarts(in: rows, 0..<rows.count).map(\.place) ?? []
  }

  /// The rows, as far as they do not wait, with the column.
  private mutating func compute(_ rows: Rows) -> Rows {
    if !hasBegun {
      hasBegun = true
      (breaks, section) = (freshBreaks, 0)
      for index in calls.indices { calls[index].endTotals() }
      values = calls.map { _ in [] }
    }
    if rows.count == 0 { return Rows() }
    let starts = findStarts(in: rows)
    var found: [[Value]] = []
    for index in calls.indices {
      found.append(calls[index].values(in: rows, starts, section: section, column.context, tuning))
    }
    section += starts.count
    guard lookAhead > 0 else { return column.compute(rows, found, tuning) }
    for index in calls.indices { values[index] += found[index] }
    let before = waiting.count
    waiting.append(rows)
    let ends = starts.map { before + $0 } + [waiting.count]
    // Sections that end are complete.
    return takeWaiting(max(starts.last.map { before + $0 } ?? 0, waiting.count - lookAhead), endingAt: ends)
  }

  /// The first `ready` of the rows that wait, with the column.
  ///
  /// - Parameter ends: where the sections of these rows end.
  private mutating func takeWaiting(_ ready: Int, endingAt ends: [Int]) -> Rows {
    if ready <= 0 { return Rows() }
    let found = calls.indices.map { call in
      guard calls[call].call.function == .next else { return Array(values[call][..<ready]) }
      let distance = calls[call].call.distance
      var taken: [Value] = []
      taken.reserveCapacity(ready)
      for end in ends where end > taken.count {
        for place in taken.count..<min(end, ready) {
          taken.append(place + distance < end ? values[call][place + distance] : .null)
        }
        if end >= ready { break }
      }
      return taken
    }
    for index in values.indices { values[index].removeFirst(ready) }
    let rows = waiting.slice(0..<ready)
    waiting = waiting.slice(ready..<waiting.count)
    return column.compute(rows, found, tuning)
  }
}

extension Rows {
  /// Some of the rows, with their batches only.
  fileprivate func slice(_ range: Range<Int>) -> Rows {
    if range.count == count { return self }
    var slice = Rows()
    var known: [Int: Int] = [:]
    slice.ids = ids[range].map { id in
      let batch = known[id.batch] ?? slice.batches.count
      if batch == slice.batches.count {
        known[id.batch] = batch
        slice.batches.append(batches[id.batch])
      }
      return RowID(batch: batch, row: id.row)
    }
    return slice
  }
}

// MARK: - What looks at other rows

/// A function that looks at other rows, with what it has found in them.
private struct SeriesCall {
  let call: BoundSeries

  /// The state of its argument, and the same before the first row.
  private(set) var state: EvaluationState
  private let fresh: EvaluationState

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
    (self.state, fresh) = (state, state)
  }

  /// Adds the values of rows to the totals of their sections.
  ///
  /// - Parameters:
  ///   - starts: the positions at which sections begin.
  ///   - section: the number of the section of the row before them.
  mutating func addTotals(
    _ rows: Rows, _ starts: [Int], section: Int, _ context: EvaluationContext, _ tuning: Tuning
  ) {
    let numbers = read(rows, context, tuning)
    while totals.count <= section + starts.count { totals.append(Totals()) }
    let bounds = [0] + starts + [numbers.count]
    for (index, start) in bounds.dropLast().enumerated() {
      for case .number(let number) in numbers[start..<bounds[index + 1]] {
        if call.function == .rank {
          totals[section + index].numbers.append(number)
        } else {
          totals[section + index].sum.add(number)
        }
      }
    }
  }

  /// The row that uses the value at a place, if values are used as they are.
  private func user(of place: Int) -> Int? {
    switch call.function {
    case .prior: place + call.distance
    case .next: place - call.distance
    default: nil
    }
  }

  /// The values of the argument in rows, which are read batch by batch.
  private mutating func read(_ rows: Rows, _ context: EvaluationContext, _ tuning: Tuning) -> [Value] {
    let (call, fresh, user) = (call, fresh, user)
    let parts = rows.mapBatches(tuning) { batches in
      var state = fresh
      var found: [Value] = []
      for (batch, places) in batches {
        var evaluator = Evaluator(context, batch: rows.batches[batch], state: state)
        for place in places {
          evaluator.row = rows.ids[place].row
          guard let user = user(place) else {
            found.append(.optional(evaluator.number(call.argument)))
            continue
          }
          let value = evaluator.value(call.argument)
          let isInBatch = rows.ids.indices.contains(user) && rows.ids[user].batch == batch
          found.append(isInBatch ? value.lasting(in: evaluator.batch) : value.held(from: evaluator.batch))
        }
        state = evaluator.state
      }
      return (batches, found, state)
    }
    var values = [Value](repeating: .null, count: rows.count)
    for (batches, found, state) in parts {
      for (place, value) in zip(batches.lazy.flatMap(\.places), found) { values[place] = value }
      self.state = self.state.merged(with: state)
    }
    return values
  }

  /// Ends the totals: no more rows come.
  mutating func endTotals() {
    for index in totals.indices { totals[index].numbers.sort(by: >) }
  }

  /// The values in rows; those of `next` are its argument.
  mutating func values(
    in rows: Rows, _ starts: [Int], section: Int, _ context: EvaluationContext, _ tuning: Tuning
  ) -> [Value] {
    // What needs all rows has counted its cells before.
    let known = state
    var values = read(rows, context, tuning)
    if call.function.needsAll { state = known }
    if call.function == .next { return values }
    var section = section
    var starts = starts[...]
    for place in values.indices {
      if starts.first == place {
        starts.removeFirst()
        section += 1
        (sum, before, oldest) = (ExactSum(), [], 0)
      }
      values[place] = call.function == .prior ? exchange(values[place]) : result(values[place], section)
    }
    return values
  }

  /// What the function makes of a number.
  private mutating func result(_ value: Value, _ section: Int) -> Value {
    guard case .number(let number) = value else { return .null }
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
