/// One operation on the rows of a run.
///
/// A step answers for itself: what it demands of the run, what it holds, and what it could not do as
/// requested. `Steps` lists all of them in order of execution.
protocol Step {
  /// What it demands of a run: this is known before it is bound to columns.
  ///
  /// - Parameter isOpen: whether columns may come at any time (JSON).
  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands

  /// The option of a plan that it cannot answer before the last row has come, if there is one.
  static func optionNeedingAllRows(of plan: borrowing Plan) -> PlannedStep.Work?

  /// Adds to a query what it does, and takes that out of the plan; or says that it does it here.
  ///
  /// - Throws: what neither can do.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure)

  /// Its description in `--explain plan`: empty if it has nothing to do.
  ///
  /// - Parameter schedule: how rows are held for all steps together.
  func planned(_ schedule: Schedule) -> [PlannedStep]

  /// The notices about what it could not do as requested, and what it read in a way that may not be meant.
  func notices(_ sources: [Source]) -> [Notice]

  /// The cells that did not convert, except those in `states`.
  var tallies: [ConversionTally] { get }

  /// The evaluation states of its expressions.
  var states: [EvaluationState] { get }

  /// The failure that ends the run early.
  func failure(_ sources: [Source]) -> Failure?

  /// The failure that ends the run if a file written back would lose cells or rows because cells did not convert.
  func loss(_ sources: [Source]) -> Failure?

  /// The rows that an option names but that do not exist, known once all rows have come.
  var missingRows: [Notice] { get }

  /// Learns of columns that came with the next batch.
  ///
  /// - Throws: the mistake in an expression about one of them.
  mutating func adoptColumns(of schema: Schema) throws(ExpressionError)
}

extension Step {
  /// None, unless a step needs more than one batch.
  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands { [] }

  /// None, unless a step waits for the last row.
  static func optionNeedingAllRows(of plan: borrowing Plan) -> PlannedStep.Work? { nil }

  /// None, unless a step may fail to do what was requested.
  func notices(_ sources: [Source]) -> [Notice] { [] }

  /// None, unless a step reads cells without an expression.
  var tallies: [ConversionTally] { [] }

  /// None, unless a step has expressions.
  var states: [EvaluationState] { [] }

  /// The failure with which an expression ended the run.
  func failure(_ sources: [Source]) -> Failure? { evaluationFailure(sources) }

  /// None, unless a step changes cells or removes rows by their values.
  func loss(_ sources: [Source]) -> Failure? { nil }

  /// None, unless a step selects rows by their numbers.
  var missingRows: [Notice] { [] }

  /// Does nothing, unless a step reads columns that no expression names.
  mutating func adoptColumns(of schema: Schema) throws(ExpressionError) {}

  /// The failure with which an expression ended the run.
  func evaluationFailure(_ sources: [Source]) -> Failure? {
    for state in states { if let failure = state.failure { return failure.failure(sources) } }
    return nil
  }
}

/// What a step demands of the run.
struct StepDemands: OptionSet {
  let rawValue: Int

  /// It must see all rows before it passes the first one on.
  static let allRows = StepDemands(rawValue: 1)

  /// Rows may come out in another order than they came in.
  static let order = StepDemands(rawValue: 2)

  /// It reports where rows were in the input.
  static let places = StepDemands(rawValue: 4)

  /// It holds several records in memory: it compares them, or holds them back until others have come.
  static let records = StepDemands(rawValue: 8)
}

/// What the steps of a plan answer together, before they are bound.
struct StepAnswers {
  /// What they demand of the run.
  private(set) var demands: StepDemands = []

  /// The options that they cannot answer before the last row has come.
  private(set) var optionsNeedingAllRows: [PlannedStep.Work] = []

  /// Asks every type of step, in order of execution.
  ///
  /// - Parameter isOpen: whether columns may come at any time (JSON).
  init(_ plan: borrowing Plan, isOpen: Bool) {
    // Not in a loop over types, which takes longer than all of them.
    ask(Exploder.self, plan, isOpen: isOpen)
    ask(ChangeReplayer.self, plan, isOpen: isOpen)
    ask(Adder.self, plan, isOpen: isOpen)
    ask(Joiner.self, plan, isOpen: isOpen)
    ask(SpilledJoiner.self, plan, isOpen: isOpen)
    ask(IdentityChecker.self, plan, isOpen: isOpen)
    ask(TypeChecker.self, plan, isOpen: isOpen)
    ask(Assigner.self, plan, isOpen: isOpen)
    ask(Filter.self, plan, isOpen: isOpen)
    ask(Deleter.self, plan, isOpen: isOpen)
    ask(Validator.self, plan, isOpen: isOpen)
    ask(Unpivoter.self, plan, isOpen: isOpen)
    ask(Grouper.self, plan, isOpen: isOpen)
    ask(PivotTotals.self, plan, isOpen: isOpen)
    ask(PivotStep.self, plan, isOpen: isOpen)
    ask(GroupFilter.self, plan, isOpen: isOpen)
    ask(Summarizer.self, plan, isOpen: isOpen)
    ask(OrderVerifier.self, plan, isOpen: isOpen)
    ask(KeyChecker.self, plan, isOpen: isOpen)
    ask(BottomMover.self, plan, isOpen: isOpen)
    ask(Gatherer.self, plan, isOpen: isOpen)
    ask(Mover.self, plan, isOpen: isOpen)
    ask(SeriesComputer.self, plan, isOpen: isOpen)
    ask(Comparer.self, plan, isOpen: isOpen)
    ask(Sampler.self, plan, isOpen: isOpen)
    ask(RowWindow.self, plan, isOpen: isOpen)
    ask(BoundSections.self, plan, isOpen: isOpen)
  }

  @inline(__always)
  private mutating func ask<Kind: Step>(_ kind: Kind.Type, _ plan: borrowing Plan, isOpen: Bool) {
    demands.formUnion(kind.demands(of: plan, isOpen: isOpen))
    if let option = kind.optionNeedingAllRows(of: plan) { optionsNeedingAllRows.append(option) }
  }
}

extension Query {
  /// The query that asks for the rows that the steps of a plan make, or its first steps, in order of execution; the plan
  /// keeps the others.
  ///
  /// - Parameters:
  ///   - source: the table or the file as it is written.
  ///   - schema: its columns; one without a declared type can only be fetched.
  ///   - isFile: whether it is the file that is read.
  ///   - tellsEmpty: whether an empty text may differ from null there.
  ///   - readings: how its columns are read, in order, and their names there, if that is known.
  init(
    _ dialect: SQLDialect, from source: String, _ schema: Schema, _ plan: inout Plan, isFile: Bool,
    tellsEmpty: Bool, readings: [(name: String, reading: SQLReading)] = []
  ) throws(Failure) {
    let context = EvaluationContext(
      marks: plan.marks, now: Timestamp(instant: Process.now, offset: 0), dateFormat: plan.dateFormat)
    let binder = Binder(schema: schema, variables: plan.variables, context: context)
    self.init(dialect, from: source, binder, tellsEmpty: tellsEmpty, readings: readings)
    try Exploder.ask(&self, of: &plan)
    try ChangeReplayer.ask(&self, of: &plan)
    try Adder.ask(&self, of: &plan)
    try Joiner.ask(&self, of: &plan)
    try SpilledJoiner.ask(&self, of: &plan)
    try IdentityChecker.ask(&self, of: &plan)
    try TypeChecker.ask(&self, of: &plan)
    try Assigner.ask(&self, of: &plan)
    try Filter.ask(&self, of: &plan)
    try Deleter.ask(&self, of: &plan)
    try Validator.ask(&self, of: &plan)
    try Unpivoter.ask(&self, of: &plan)
    try Grouper.ask(&self, of: &plan)
    try PivotTotals.ask(&self, of: &plan)
    try PivotStep.ask(&self, of: &plan)
    try GroupFilter.ask(&self, of: &plan)
    try Summarizer.ask(&self, of: &plan)
    try OrderVerifier.ask(&self, of: &plan)
    try KeyChecker.ask(&self, of: &plan)
    try BottomMover.ask(&self, of: &plan)
    try Gatherer.ask(&self, of: &plan)
    try Mover.ask(&self, of: &plan)
    try SeriesComputer.ask(&self, of: &plan)
    try Comparer.ask(&self, of: &plan)
    try Sampler.ask(&self, of: &plan)
    try RowWindow.ask(&self, of: &plan)
    try BoundSections.ask(&self, of: &plan)
    // The older table of a comparison comes last.
    let others = plan.comparison == nil ? 1 : 2
    if isFile, plan.sources.count > others { throw .query(.severalFiles) }
  }
}

/// A step that processes one batch at a time.
protocol RowStep: Step {
  /// Removes rows, or adds columns.
  ///
  /// If no row after some of the batch is needed, the step is restored to its earlier state and called again
  /// for fewer rows.
  mutating func apply(to rows: inout BatchRows)

  /// Records the rows of that batch that all row steps have left.
  mutating func recordRemaining(_ rows: BatchRows)
}

extension RowStep {
  /// Does nothing, unless a step counts what becomes of its rows.
  mutating func recordRemaining(_ rows: BatchRows) {}
}

/// A step that rows pass as they come: some are passed on at once, others are held until their fate is known.
protocol PassingStep: Step {
  /// Whether it holds rows until no more come.
  var holdsRows: Bool { get }

  /// The number of its stores of rows, each of which takes a share of the memory for held rows.
  var storeCount: Int { get }

  /// Whether it passes on held rows in a different order than they came in.
  var isReordering: Bool { get }

  /// Learns which threads may work for it, before the first row comes.
  ///
  /// It is not called if a cell that does not convert ends the run: that must be known before the next batch is read.
  mutating func begin(on crew: Crew)

  /// Takes the next rows, and returns those that are passed on at once.
  ///
  /// - Parameter room: the bytes that each of its stores may hold before they go to a temporary file.
  mutating func pass(_ rows: Rows, room: Int) throws(Failure) -> Rows

  /// Does the same with the rows of one batch, right after the row steps.
  mutating func pass(_ rows: BatchRows, room: Int) throws(Failure) -> Rows

  /// The next of the held rows, once no more rows come, some at a time; `nil` if none are left.
  mutating func release(room: Int) throws(Failure) -> Rows?
}

extension PassingStep {
  /// False, unless a step must know what comes later.
  var holdsRows: Bool { false }

  /// Zero, unless a step holds rows as they are.
  var storeCount: Int { 0 }

  /// False, unless a step moves rows.
  var isReordering: Bool { false }

  /// Does nothing, unless a step has other threads work.
  mutating func begin(on crew: Crew) {}

  mutating func pass(_ rows: BatchRows, room: Int) throws(Failure) -> Rows { try pass(rows.rows, room: room) }

  /// None, unless a step holds rows.
  mutating func release(room: Int) throws(Failure) -> Rows? { nil }
}

/// Some rows of one batch, in order.
struct BatchRows {
  /// The batch of the rows.
  var batch: Batch

  /// The rows, counted from 0; `nil` for the first `count`.
  private var numbers: [UInt32]?

  /// The number of rows.
  private(set) var count: Int

  /// The number of first rows of the batch that were examined: these rows and those that were removed.
  private(set) var seenCount: Int

  /// The first `count` rows of a batch.
  init(_ batch: Batch, count: Int) {
    self.batch = batch
    self.count = count
    seenCount = count
  }

  /// Leaves the rows of the batch from `count` on to a batch of their own that comes next.
  mutating func takeFirst(_ count: Int) {
    guard count < seenCount else { return }
    batch = batch.extracting(0..<count)
    numbers = numbers.map { $0.filter { $0 < count } }
    self.count = numbers?.count ?? count
    seenCount = count
  }

  /// Keeps the rows that `body` leaves in an array of them.
  mutating func keep(_ body: (inout [UInt32]) -> Void) {
    var numbers = numbers.take() ?? (0..<UInt32(truncatingIfNeeded: count)).map { $0 }
    body(&numbers)
    count = numbers.count
    self.numbers = numbers
  }

  /// The numbers of the rows in their batch.
  var numbersOfRows: [UInt32] { numbers ?? (0..<UInt32(truncatingIfNeeded: count)).map { $0 } }

  /// Removes rows, in any order.
  mutating func leaveOut(_ rows: [UInt32]) {
    if rows.isEmpty { return }
    let unwanted = Set(rows)
    keep { numbers in numbers.removeAll { unwanted.contains($0) } }
  }

  /// The rows as a `Rows` value.
  var rows: Rows {
    if let numbers { return Rows(batch, numbers) }
    return count == batch.rowCount
      ? Rows(batch) : Rows(batch, (0..<UInt32(truncatingIfNeeded: count)).map { $0 })
  }
}

/// A step of a run as described by `--explain plan`: what it is, and what it holds.
public struct PlannedStep: Equatable, Sendable {
  /// The work of a step, which names its own.
  public struct Work: RawRepresentable, Equatable, Sendable {
    /// The option that asks for it, or a word if none does.
    public let rawValue: String

    /// Creates the work of an option.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads records.
    static let read = Work(rawValue: "read")

    /// Lays the rows out, or writes them in another form.
    public static let write = Work(rawValue: "write")

    // Work of options that no step does.
    static let flatten = Work(rawValue: "--flatten")
    static let lookup = Work(rawValue: "--lookup")
    static let footerLines = Work(rawValue: "--footer-lines")
    static let footer = Work(rawValue: "--footer")
    static let select = Work(rawValue: "--select")
  }

  /// The rows that a step holds.
  public enum HeldAmount: Equatable, Sendable {
    /// One batch: the step streams.
    case batch

    /// At most this many rows.
    case rows(Int)

    /// Different keys, in memory.
    case keys

    /// The changes of a list, in memory.
    case changes

    /// Its keys with their aggregates; beyond the budget the rows of the other keys, in a temporary file.
    case groups

    /// All rows in the order of keys; beyond the budget as sorted runs in a temporary file.
    case sorted

    /// This portion of them; beyond the budget in a temporary file.
    case spilled(Portion)

    /// The headers of all sections, each a short text.
    case headings

    /// All rows of a side table, in memory.
    case table

    /// All rows, to measure them; nothing of a file that is read twice.
    case allForWidths

    /// All rows, to know their columns.
    case allForColumns
  }

  /// The portion of the rows that is held at once.
  public enum Portion: String, Sendable {
    case all = "all rows"
    case otherTable = "all rows of its file"
    case bothTables = "all rows of both tables"
    case changedRows = "the rows that show changes"
    case section = "the rows of a section"
    case rejects = "the rows that are not valid"
    case moved = "the moved rows"
    case computed = "the rows"
    case numbers = "the numbers of median() and percentile()"
    case values = "the different values of distinct()"
    case columnValues = "the different values of each column"
  }

  /// The work of the step.
  public var work: Work

  /// The rows that it holds.
  public var holding: HeldAmount
}

extension AggregateHolding {
  /// Its description in `--explain plan`.
  var planned: PlannedStep.HeldAmount {
    switch self {
    case .little: .batch
    case .keys: .spilled(.values)
    case .numbers: .spilled(.numbers)
    }
  }
}
