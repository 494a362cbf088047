/// Computes cells: `--derive` adds columns, `--set` changes cells of existing columns, guarded by `--can-edit`.
///
/// A batch that is cut again gets its computed cells again. One whose cells take more memory than allowed is
/// processed in parts: the result does not depend on how much was read together.
struct Assigner: RowStep {
  /// A column whose cells are computed.
  fileprivate struct AssignedColumn {
    /// Its name.
    var name: String
    /// Its index in a batch.
    var index: Int
    /// Whether it exists, so that its cells stay if no other is computed.
    var isThere: Bool
    /// The type that is declared for it, and the slot that counts its misfits.
    var type: (declared: ValueType, slot: Int)?
    /// The index of its option among all that compute cells.
    var option: Int
    /// Its value.
    var value: Program
    /// Whether it is there, and a function that does not convert its cell makes it null.
    var converts = false
    /// The rows that get the value; all of them if there is no condition.
    var condition: Program?
  }

  private var columns: [AssignedColumn] = []

  /// The rows that may be changed; all if there is no guard.
  private var guarding: RowGuard?

  /// The evaluation states of the values, then those of the conditions.
  private var ownStates: [EvaluationState] = []

  /// Whether `--set` changed a cell.
  private(set) var hasChangedCells = false

  /// The rows that had a cell of their own in a new column, and the first of them.
  private var replaced: [Tally<RowPlace>] = []

  /// The cells of each column that become null because a cell did not convert.
  fileprivate var losses: [Losses] = []

  /// Whether a lost cell ends the run, because the file is written back.
  ///
  /// Otherwise only cells that a function did not convert are counted.
  private let refusesLosses: Bool

  /// The cells of each column that become null, and the first of them, if they are counted.
  private var emptied: [Tally<RowPlace>] = []

  /// The rows of the current batch in which an assignment made a cell null, with the index of the assignment
  /// and the batch that it read.
  private var emptyings: [(place: Int, batch: Batch, rows: [Int])] = []

  /// Whether columns have declared types, so that cells that were read may be misfits.
  fileprivate let hasTypes: Bool

  /// The maximum size of the computed cells of a row, in bytes.
  fileprivate let room: Int

  /// The rows that are tried at once: half as many if there was no room for their cells, then twice as many again.
  private var mostRows = Int.max

  /// A row whose cells alone take too much memory.
  private var overflow: RowPlace?

  /// The bytes that the computed cells of a row may take with almost no budget.
  private static let leastRoom = 32 << 20

  /// The bytes that the computed cells of several rows may take together.
  private static let sharedRoom = 8 << 20

  /// The cells that several rows may have together.
  private static let mostNotes = 1 << 20

  /// Binds the values and adds columns, each of which may be used by what comes after it.
  ///
  /// - Parameters:
  ///   - canEdit: the condition for rows that may be changed, bound to the columns that exist before the
  ///     first change.
  ///   - budget: the bytes that rows may take.
  ///   - refusesLosses: whether no cell may become null because one did not convert.
  ///   - hidesNulls: whether nobody sees the nulls of a derived column, by its name.
  init(
    _ computations: [Computation], canEdit: SourceExpression?, budget: Int, refusesLosses: Bool,
    hidesNulls: (String) -> Bool, _ binder: inout Binder
  ) throws(ExpressionError) {
    self.refusesLosses = refusesLosses
    room = max(budget / 4, Self.leastRoom)
    hasTypes = binder.schema.hasTypes
    for (option, computation) in computations.enumerated() {
      switch computation {
      case .derive(let assignments):
        for assignment in assignments { try derive(assignment, option, hidesNulls, &binder) }
      case .set(let assignments):
        if guarding == nil { guarding = try RowGuard(canEdit, &binder) }
        for assignment in assignments { try change(assignment, option, &binder) }
      }
    }
    if refusesLosses || columns.contains(where: \.converts) { losses = ownStates.map { Losses($0) } }
    if refusesLosses { emptied = columns.map { _ in Tally() } }
    ownStates += columns.map { $0.condition?.stepState ?? EvaluationState(slots: []) }
    replaced = columns.map { _ in Tally() }
  }

  var states: [EvaluationState] {
    var states = ownStates + (guarding.map { [$0.state] } ?? [])
    if !refusesLosses { for place in losses.indices { states[place].tally.widen(losses[place].tally) } }
    return states
  }

  /// A value may use the place of its row.
  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands {
    plan.computations.isEmpty ? [] : .places
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    var works: [PlannedStep.Work] = []
    for column in columns {
      let work = column.isThere ? PlannedStep.Work.set : .derive
      if works.last != work { works.append(work) }
    }
    return works.map { PlannedStep(work: $0, holding: .batch) }
  }

  func notices(_ sources: [Source]) -> [Notice] {
    let replaced: [Notice] = zip(columns, replaced).compactMap { column, replaced in
      replaced.first.map {
        .replacedByDerived(
          column: column.name, option: "--derive", count: replaced.count,
          first: InputError.Location($0, sources))
      }
    }
    let emptied: [Notice] = zip(columns, emptied).compactMap { column, emptied in
      emptied.first.map {
        .emptied(column: column.name, count: emptied.count, first: InputError.Location($0, sources))
      }
    }
    return replaced + emptied + (guarding?.refusals.notices(.edit, sources) ?? [])
  }

  /// The failure if cells would become null because one did not convert.
  func loss(_ sources: [Source]) -> Failure? {
    if !refusesLosses { return nil }
    return zip(columns, losses).lazy.compactMap { column, losses in
      losses.failure(.cells(isDerived: !column.isThere), putIn: column.type?.slot, sources)
    }.first
  }

  func failure(_ sources: [Source]) -> Failure? {
    evaluationFailure(sources)
      ?? overflow.map {
        .input(.recordTooLong(InputError.Location($0, sources)))
      }
  }

  mutating func apply(to rows: inout BatchRows) {
    if columns.isEmpty { return }
    let before = self
    let writtenCellCount = ComputedBatch.writtenCellCount(in: rows.batch, with: columns.map(\.index))
    var count = min(rows.seenCount, mostRows, max(1, Self.mostNotes / max(1, writtenCellCount)))
    while true {
      rows.takeFirst(count)
      let (batch, left) = compute(
        rows.batch, rows.numbersOfRows, count: count, room: count > 1 ? Self.sharedRoom : room)
      if left >= 0 || count <= 1 {
        rows.batch = batch
        if left < 0 { overflow = RowPlace(0, of: batch) }
        if count == mostRows, left > Self.sharedRoom / 2 { mostRows *= 2 }
        for index in ownStates.indices { rows.leaveOut(ownStates[index].tally.takeRows()) }
        if let misfits = guarding?.takeMisfits() { rows.leaveOut(misfits) }
        return
      }
      self = before
      count /= 2
      mostRows = count
    }
  }
}

// MARK: - Binding

extension Assigner {
  private mutating func derive(
    _ assignment: Assignment, _ option: Int, _ hidesNulls: (String) -> Bool, _ binder: inout Binder
  ) throws(ExpressionError) {
    if assignment.position != nil {
      throw assignment.value.error(.newColumnNeedsName(assignment.column), at: assignment.range)
    }
    let (value, condition) = try bind(assignment, &binder)
    guard let index = binder.schema.derive(name: assignment.column) else {
      throw assignment.value.error(.derivedColumnExists(assignment.column), at: assignment.range)
    }
    binder.schema.recordComputed(
      index, mayBeInexact: value.mayBeInexact, zone: value.zone, areDurations: value.kind == .duration)
    var state = value.stepState
    state.notesDropped = assignment.value.expression.expectsConversions && hidesNulls(assignment.column)
    ownStates.append(state)
    columns.append(
      AssignedColumn(
        name: assignment.column, index: index, isThere: false, option: option, value: value,
        condition: condition))
  }

  private mutating func change(
    _ assignment: Assignment, _ option: Int, _ binder: inout Binder
  ) throws(ExpressionError) {
    guard let index = binder.schema.change(name: assignment.column, at: assignment.position) else {
      let error = assignment.notFound(in: binder.schema)
      throw assignment.value.error(.nothingToSet(error), at: assignment.range)
    }
    let (value, condition) = try bind(assignment, &binder)
    // Cells that are not changed keep their zone, and stay what they are.
    let known = binder.schema.columns[index]
    let zone = condition == nil || known.zone == value.zone ? value.zone : nil
    binder.schema.recordComputed(
      index, mayBeInexact: value.mayBeInexact, zone: zone,
      areDurations: value.kind == .duration && (condition == nil || known.valueType == .duration)
        || value.kind == .null && known.areDurations)
    var state = value.stepState
    let type = binder.schema.columns[index].type.map { (declared: $0, slot: state.tally.entries.count) }
    if let type {
      let name = binder.schema.columns[index].name
      state.tally.entries.append(
        ConversionTally.ColumnMisfits(
          column: name.isEmpty ? assignment.column : name, marks: binder.context.marks))
      try assignment.refuse(value, as: type.declared, binder.context)
    }
    ownStates.append(state)
    columns.append(
      AssignedColumn(
        name: assignment.column, index: index, isThere: true, type: type, option: option, value: value,
        converts: assignment.value.expression.converts, condition: condition))
  }

  private func bind(
    _ assignment: Assignment, _ binder: inout Binder
  ) throws(ExpressionError) -> (value: Program, condition: Program?) {
    let value = try binder.bind(assignment.value)
    var condition: Program?
    if let source = assignment.condition { condition = try binder.bind(condition: source) }
    return (value, condition)
  }
}

extension Assignment {
  /// The error for a column that does not exist.
  func notFound(in schema: Schema) -> ColumnError {
    position.map { .noPosition($0, count: schema.positions.count) } ?? schema.notFound(column.trimmingBlanks)
  }

  /// Rejects a constant that is not of the type declared for its column.
  func refuse(
    _ program: Program, as type: ValueType, _ context: EvaluationContext
  ) throws(ExpressionError) {
    guard let constant = program.node.constant else { return }
    let evaluator = Evaluator(context, batch: .empty, state: EvaluationState(slots: []))
    if evaluator.fits(constant, type) { return }
    let range = value.expression.range
    throw value.error(.constantOfOtherType(value.text.bytes(range), column: column, type), at: range)
  }
}

extension Evaluator {
  /// Whether a value is allowed in a column of a declared type.
  fileprivate func fits(_ value: Value, _ type: ValueType) -> Bool {
    switch value {
    case .null: return true
    case .text(let text) where text.bytes(in: batch).isEmpty: return true
    default: return !convert(container(value), to: type).isNull
    }
  }
}

// MARK: - Computing

extension Assigner {
  /// The verdict of `--can-edit` on the rows of a batch, as it was before the first assignment of an option.
  private struct Judgement {
    var batch: Batch
    var option: Int
    var asked: RowBits
    var allowed: RowBits
  }

  /// The batch with the computed cells of some of its first `count` rows, and the number of bytes that are
  /// left of the room for them; if it is negative, some of the cells are missing.
  fileprivate mutating func compute(
    _ original: Batch, _ wanted: [UInt32], count: Int, room: Int
  ) -> (batch: Batch, left: Int) {
    var (computed, room) = (ComputedBatch(original, columns: columns.map(\.index)), room)
    var judgement: Judgement?
    for place in columns.indices {
      let column = columns[place]
      var rows = wanted
      column.condition?.filter(computed.batch, rows: &rows, state: &ownStates[columns.count + place])
      if column.isThere {
        if guarding != nil {
          if judgement?.option != column.option {
            let none = RowBits(rowCount: count)
            judgement = Judgement(batch: computed.batch, option: column.option, asked: none, allowed: none)
          }
          judge(&rows, &judgement, original)
          // Nothing else may hold the batch, or the cells would be copied.
          if place + 1 == columns.count || columns[place + 1].option != column.option { judgement = nil }
        }
        if rows.isEmpty { continue }
      }
      let values = compute(place, computed.batch, original, rows, count: count, room: room)
      room = values.room
      if room < 0 { return (computed.batch, room) }
      if column.isThere {
        if values.changesNothing { continue }
        hasChangedCells = true
      }
      computed.put(values.finish())
    }
    guard computed.isChanged else { return (original, room) }
    return (
      computed.finish(cutting: original.cutting.map { assigning($0, wanted, count: count) }), room
    )
  }

  /// Keeps the rows that may be changed.
  private mutating func judge(_ rows: inout [UInt32], _ judgement: inout Judgement?, _ original: Batch) {
    guard let known = judgement else { return }
    let new = rows.filter { !known.asked.contains(Int($0)) }
    if !new.isEmpty {
      for row in new { judgement?.asked.insert(Int(row)) }
      let allowed = guarding?.allowed(new, of: known.batch) ?? []
      guarding?.countRefused(new.without(allowed), of: original)
      for row in allowed { judgement?.allowed.insert(Int(row)) }
    }
    if let allowed = judgement?.allowed { rows.removeAll { !allowed.contains(Int($0)) } }
  }

  /// Cuts records as before, and again computes the cells of the wanted ones among the first `count`.
  private func assigning(_ cutting: Batch.Cutting, _ wanted: [UInt32], count: Int) -> Batch.Cutting {
    var cutting = cutting
    var assigner = self
    // Losses have already been counted.
    assigner.losses = []
    assigner.emptyings = []
    cutting.cutter = AssigningCutter(
      cutter: cutting.cutter, assigner: assigner, count: count, wanted: wanted.count < count ? wanted : nil)
    return cutting
  }

  /// The number of columns in a batch with the computed ones.
  fileprivate var columnCount: Int { (columns.map(\.index).max() ?? -1) + 1 }

  /// The cells of a column: the value in `rows`, which are among the first `count`.
  private mutating func compute(
    _ place: Int, _ batch: Batch, _ original: Batch, _ rows: [UInt32], count: Int, room: Int
  ) -> ComputedColumn {
    let column = columns[place]
    var computed = ComputedColumn(
      at: column.index, over: column.isThere ? .cells : .nothing, of: batch, count: count, room: room)
    let types = CellTypes(batch, of: column.value, declared: column.type?.declared)
    let marks = column.value.context.marks
    var next = column.isThere ? count : 0
    column.value.forEachValue(batch, rows: rows.span, state: &ownStates[place]) { (value, evaluator) in
      while next < evaluator.row {
        computed.set(.null, row: next, types, marks)
        next += 1
      }
      next = max(next, evaluator.row + 1)
      guard let (type, slot) = column.type, !evaluator.fits(value, type) else {
        return computed.set(value, row: evaluator.row, types, marks)
      }
      evaluator.recordMisfit(value, slot: slot, wanted: type.valueKind)
      computed.set(.null, row: evaluator.row, types, marks)
    }
    for row in next..<count { computed.set(.null, row: row, types, marks) }
    if refusesLosses || column.converts, !losses.isEmpty {
      recordEmpty(place, computed, batch, original, rows)
    }
    if let row = computed.replaced.first {
      replaced[place].record(
        computed.replaced.count, inRow: batch.rowNumber(ofRow: row), RowPlace(row, of: batch))
    }
    return computed
  }
}

extension Assigner {
  /// Records the rows in which an assignment made a cell null although it should not be.
  private mutating func recordEmpty(
    _ place: Int, _ computed: borrowing ComputedColumn, _ batch: Batch, _ original: Batch, _ rows: [UInt32]
  ) {
    if columns[place].value.node.constant?.isNull ?? false { return }
    var empty: [Int] = []
    for row in rows.lazy.map(Int.init) where computed.empties(row) { empty.append(row) }
    if empty.isEmpty { return }
    if columns[place].converts, ownStates[place].tally.leavesOut { leaveOutUnconverted(empty, place, batch) }
    // If no cell can be a misfit, the batch that the assignment read is not needed: holding it would copy all
    // cells.
    emptyings.append((place, mayHaveMisfits(place) ? batch : original, empty))
  }

  /// Leaves out those of some rows in which a function did not convert a cell.
  private mutating func leaveOutUnconverted(_ rows: [Int], _ place: Int, _ batch: Batch) {
    let program = columns[place].value
    var evaluator = Evaluator(program.context, batch: batch, state: ownStates[place])
    evaluator.state.countsConversions = true
    for row in rows {
      evaluator.row = row
      _ = evaluator.value(program.node)
    }
    ownStates[place] = evaluator.state
    ownStates[place].countsConversions = false
  }

  /// Counts the cells that are null in the remaining rows, and those that are null because a cell did not
  /// convert: a later assignment may have filled a cell again.
  mutating func recordRemaining(_ rows: BatchRows) {
    if emptyings.isEmpty { return }
    var left = RowBits(rowCount: rows.batch.rowCount)
    for row in rows.numbersOfRows { left.insert(Int(row)) }
    for (place, batch, empty) in emptyings {
      let column = columns[place].index
      for row in empty where left.contains(row) && rows.batch.cell(row: row, column: column).isNull {
        recordLoss(place, row, of: batch)
      }
    }
    emptyings = []
  }

  /// Whether a cell that an assignment read may not have converted.
  private func mayHaveMisfits(_ place: Int) -> Bool {
    hasTypes || ownStates[place].tally.hasMisfits || columns[place].converts
  }

  private mutating func recordLoss(_ place: Int, _ row: Int, of batch: Batch) {
    let column = columns[place]
    if refusesLosses { emptied[place].record(inRow: batch.rowNumber(ofRow: row), RowPlace(row, of: batch)) }
    guard mayHaveMisfits(place),
      column.converts || ownStates[place].tally.hasMisfits || batch.hasMisfit(row: row)
    else { return }
    losses[place].countMisfits(ownStates[place]) { state in
      state.countsConversions = column.converts
      var evaluator = Evaluator(column.value.context, batch: batch, row: row, state: state)
      let value = evaluator.value(column.value.node)
      if let (type, slot) = column.type, !evaluator.fits(value, type) {
        evaluator.recordMisfit(value, slot: slot, wanted: type.valueKind)
      }
      state = evaluator.state
      return true
    }
  }
}

/// Cuts records and computes their cells again.
private struct AssigningCutter: BatchCutter {
  let cutter: any BatchCutter
  let assigner: Assigner

  /// The number of rows with computed cells.
  let count: Int

  /// Those of them that get a value, if not all do.
  let wanted: [UInt32]?

  var columnCount: Int { max(cutter.columnCount, assigner.columnCount) }

  /// A value may use the place of its row.
  var isOrderFree: Bool { false }

  var isSlow: Bool { cutter.isSlow }

  func cut(_ block: ByteBlock, _ range: Range<Int>, origin: Batch.Origin) -> Batch? {
    // The counts have already been made.
    var assigner = assigner
    guard let batch = cutter.cut(block, range, origin: origin), count <= batch.rowCount else { return nil }
    let rows = wanted ?? Array(0..<UInt32(truncatingIfNeeded: count))
    return assigner.compute(batch, rows, count: count, room: assigner.room).batch
  }
}

extension PlannedStep.Work {
  static let derive = Self(rawValue: "--derive")
  static let set = Self(rawValue: "--set")
}

extension Assigner {
  /// Each assignment is a column of the query.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    var askedCount = 0
    for computation in plan.computations {
      let (work, isNew) =
        if case .derive = computation { (PlannedStep.Work.derive, true) } else {
          (PlannedStep.Work.set, false)
        }
      if plan.canEdit != nil, !isNew { throw .query(.option("--can-edit")) }
      let isAsked = try query.ask(work.rawValue) { (query) throws(ExpressionError) in
        for assignment in computation.assignments { try query.compute(assignment, isNew: isNew) }
      }
      if isAsked { askedCount += 1 }
    }
    plan.computations.removeFirst(askedCount)
  }
}
