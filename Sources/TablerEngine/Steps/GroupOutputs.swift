/// The columns that `--aggregate` computes from the rows of each group, in the order typed.
///
/// If they only count rows and add numbers, another thread may add rows while more are grouped (`begin(on:)`). Before the
/// columns are read or changed, `settle` waits for it; only one copy may do that.
struct GroupOutputs: Sendable {
  /// The columns in the order typed; none while another thread adds rows.
  var columns: [GroupOutput] = []

  /// Whether rows may be added while the next ones are grouped: it takes no more memory than expected, and no row ends the run.
  private var mayAddLater = false

  /// The threads that add rows, if there may be any.
  private var crew: Crew?

  /// The columns while another thread adds rows.
  private var adding: Adding?

  /// The bytes that all columns take once the rows that were given last are added.
  private var expectedByteCount = 0

  /// The bytes of the rows that were added without other threads, estimated generously.
  private var addedHere = 0

  /// Columns to which rows are being added.
  private struct Adding {
    let columns: Monitor<[GroupOutput]>

    /// The job that adds them; `nil` if no thread had time, so that they are there.
    let ticket: Crew.Ticket?
  }

  /// Binds a column, and adds it.
  ///
  /// - Parameter row: the keys and the columns before.
  /// - Returns: the program of its value.
  mutating func append(
    _ source: SourceExpression, in row: GroupRow, _ binder: inout Binder
  ) throws(ExpressionError) -> Program {
    let bound = try binder.bind(aggregate: source, in: row)
    var state = bound.value.freshState
    state.notesDropped = bound.aggregates.contains(where: \.dropsCells)
    if state.notesDropped { state.expectsConversions = true }
    columns.append(
      GroupOutput(
        program: bound.value, earlier: bound.earlier,
        adds: bound.aggregates.contains { $0.accumulator.adds },
        aggregators: bound.aggregates.map { GroupAggregator($0, state.tally, binder.context) }, state: state))
    let aggregators = columns.lazy.flatMap(\.aggregators)
    mayAddLater = !aggregators.isEmpty && aggregators.allSatisfy { $0.isFixed && $0.takesNumbersOnly }
    return bound.value
  }

  /// Lets the threads of a crew add rows if they may.
  mutating func begin(on crew: Crew) { if mayAddLater { self.crew = crew } }

  /// Whether an aggregate adds values.
  var addValues: Bool { columns.contains(where: \.adds) }

  /// The bytes that they take, those of new groups among them; it does not depend on when rows are added.
  var memory: Int { mayAddLater ? expectedByteCount : byteCount(ofGroups: 0) }

  /// The bytes that they take once there are `count` groups.
  private func byteCount(ofGroups count: Int) -> Int {
    columns.reduce(0) { sum, column in
      column.aggregators.reduce(sum) { $0 + $1.byteCount(ofGroups: count) }
    }
  }
}

/// A column that `--aggregate` computes.
struct GroupOutput: Sendable {
  /// The program of its value, from keys and aggregates.
  let program: Program

  /// The columns of earlier aggregates that the value also uses, by their indices.
  let earlier: [Int]

  /// Whether one of the aggregates adds values.
  fileprivate let adds: Bool

  /// The aggregates.
  fileprivate var aggregators: [GroupAggregator]

  /// The state of the value, and of the arguments of the aggregates except for misfits.
  fileprivate var state: EvaluationState
}

// MARK: - Adding rows

extension GroupOutputs {
  /// Adds rows whose groups are known, or has them added while the next rows are grouped.
  ///
  /// - Parameter groupCount: the number of groups.
  mutating func add(
    _ grouped: GroupedNumbers, of batch: Batch, groupCount: Int, _ context: EvaluationContext,
    _ tuning: Tuning
  ) {
    settle()
    expectedByteCount = byteCount(ofGroups: groupCount)
    guard grouped.rest.isEmpty, !batch.isLarge, let crew, addedHere > tuning.smallInput else {
      addedHere += batch.rowWeight * grouped.rows.count
      return columns.add(grouped, of: batch, groupCount: groupCount, context)
    }
    let handed = Monitor(columns)
    columns = []
    let job: @Sendable () -> Void = {
      handed.access { $0.add(grouped, of: batch, groupCount: groupCount, context) }
    }
    let ticket = crew.offer(job)
    if ticket == nil { job() }
    adding = Adding(columns: handed, ticket: ticket)
  }

  /// Waits for the thread that adds rows, if one does.
  mutating func settle() {
    guard let adding = adding.take() else { return }
    if let ticket = adding.ticket { crew?.finish(ticket) }
    columns = adding.columns.access { $0.taken() }
  }

  /// Whether the memory that they need for a group may grow with the rows.
  var mayGrow: Bool { columns.contains { $0.aggregators.contains { !$0.isFixed } } }

  /// Writes those aggregates that grow with their rows to a temporary file, as far as they are not needed for now.
  mutating func spill(to file: SpillFile) throws(SystemError) {
    for column in columns.indices {
      for index in columns[column].aggregators.indices {
        try columns[column].aggregators[index].spill(to: file)
      }
    }
  }

  /// Forgets all groups.
  mutating func reset() {
    for column in columns.indices {
      for index in columns[column].aggregators.indices { columns[column].aggregators[index].reset() }
    }
  }
}

extension [GroupOutput] {
  /// Takes the columns out, so that changing them copies nothing.
  fileprivate mutating func taken() -> Self {
    defer { self = [] }
    return self
  }

  /// Adds rows whose groups are known.
  fileprivate mutating func add(
    _ grouped: GroupedNumbers, of batch: Batch, groupCount: Int, _ context: EvaluationContext
  ) {
    var numbers: [Int: NumberColumns] = [:]
    for index in indices { self[index].add(grouped, of: batch, groupCount: groupCount, &numbers, context) }
  }
}

extension GroupOutput {
  /// Adds rows whose groups are known.
  ///
  /// - Parameter known: the numbers in the columns that were already read.
  fileprivate mutating func add(
    _ grouped: GroupedNumbers, of batch: Batch, groupCount: Int, _ known: inout [Int: NumberColumns],
    _ context: EvaluationContext
  ) {
    guard !aggregators.isEmpty, !grouped.rows.isEmpty else { return }
    var evaluator = Evaluator(context, batch: batch, state: state)
    for index in aggregators.indices {
      var numbers: NumberColumns?
      if let term = aggregators[index].term {
        numbers = term.column.flatMap { known[$0] } ?? NumberColumns(term, grouped.rows.span, of: batch)
        if let column = term.column { known[column] = numbers }
      }
      aggregators[index].add(
        grouped.rows.span, of: grouped.groups.span, count: groupCount, numbers, &evaluator)
    }
    state = evaluator.state
  }
}

// MARK: - Values and misfits

extension GroupOutput {
  /// Calls `body` with the value for each of some groups, and the index of the group among them.
  ///
  /// - Parameters:
  ///   - batch: the batch with the keys of these groups.
  ///   - before: the values of earlier aggregates, if others use them.
  mutating func forEachValue(
    of groups: Range<Int>, count: Int, _ batch: Batch, _ before: [[Value]], _ context: EvaluationContext,
    _ body: (Value, Int) -> Void
  ) throws(SystemError) {
    var aggregates: [[Value]] = []
    for index in aggregators.indices {
      aggregates.append(try aggregators[index].values(of: groups, count: count))
    }
    if case .aggregate(let index) = program.node {
      for row in aggregates[index].indices { body(aggregates[index][row], row) }
      return
    }
    var evaluator = Evaluator(context, batch: batch, state: state)
    for row in 0..<groups.count {
      evaluator.row = row
      evaluator.aggregates = aggregates.map { $0[row] }
      if !earlier.isEmpty { evaluator.earlier = before.map { $0.isEmpty ? .null : $0[row] } }
      body(evaluator.value(program.node), row)
    }
    state = evaluator.state
  }

  /// The cells that did not convert, each counted once however many aggregates saw it.
  fileprivate var tally: ConversionTally {
    var tally = state.tally
    for aggregator in aggregators { tally.widen(aggregator.misfitCells) }
    return tally
  }
}

extension GroupOutputs {
  /// The cells that did not convert, each counted once however many aggregates saw it.
  var tally: ConversionTally {
    let tallies = columns.map(\.tally)
    var found: [String: ConversionTally.ColumnMisfits] = [:]
    for entry in tallies.lazy.flatMap(\.entries) where !entry.isEmpty || entry.hasConverted {
      found[entry.column, default: ConversionTally.ColumnMisfits(column: entry.column, use: entry.use)].widen(
        entry)
    }
    let entries = found.values.sorted { ($0.first?.row ?? 0, $0.column) < ($1.first?.row ?? 0, $1.column) }
    var tally = ConversionTally(entries: entries)
    for column in tallies {
      tally.add(longTextsOf: column)
      tally.add(comparedTextsOf: column)
    }
    return tally
  }

  /// What ends the run, if something does.
  var failure: EvaluationFailure? { columns.lazy.compactMap(\.state.failure).first }
}
