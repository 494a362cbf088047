/// One thing that happens to the rows of a run.
///
/// A step answers for itself: what it asks of the run, what it holds, and what it did not do as asked. `Steps` lists
/// all of them in the order of work.
protocol Step {
  /// What it asks of a run, which is known before it is bound to columns.
  ///
  /// - Parameter isOpen: whether columns may come at any time (JSON).
  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands

  /// The option of a plan that it cannot answer before the last row has come, if there is one.
  static func optionNeedingAllRows(of plan: borrowing Plan) -> PlannedStep.Work?

  /// What `--explain plan` says of it: nothing if there is nothing to do.
  ///
  /// - Parameter schedule: how rows are held for all steps together.
  func planned(_ schedule: Schedule) -> [PlannedStep]

  /// What it did not do as asked, and what it took for something that may be meant otherwise.
  func notices(_ sources: [Source]) -> [Notice]

  /// The cells that did not convert, but for those in `states`.
  var tallies: [ConversionTally] { get }

  /// The evaluation state of its expressions.
  var states: [EvaluationState] { get }

  /// What ends the run before its time.
  func failure(_ sources: [Source]) -> Failure?

  /// What ends the run if a file that is written back would lose cells or rows because cells did not convert.
  func loss(_ sources: [Source]) -> Failure?

  /// The rows that an option names and that do not exist, once all rows came.
  var missingRows: [Notice] { get }

  /// Learns of columns that came with the next batch.
  ///
  /// - Throws: what is wrong with an expression over one of them.
  mutating func know(_ schema: Schema) throws(ExpressionError)
}

extension Step {
  /// Nothing, unless a step looks at more than one batch.
  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands { [] }

  /// None, unless a step waits for the last row.
  static func optionNeedingAllRows(of plan: borrowing Plan) -> PlannedStep.Work? { nil }

  /// Nothing, unless a step may fail to do what was asked.
  func notices(_ sources: [Source]) -> [Notice] { [] }

  /// None, unless a step reads cells without an expression.
  var tallies: [ConversionTally] { [] }

  /// None, unless a step has expressions.
  var states: [EvaluationState] { [] }

  /// What an expression ended the run for.
  func failure(_ sources: [Source]) -> Failure? { evaluationFailure(sources) }

  /// Nothing, unless a step changes cells or takes rows away by their values.
  func loss(_ sources: [Source]) -> Failure? { nil }

  /// None, unless a step takes rows by their numbers.
  var missingRows: [Notice] { [] }

  /// Nothing, unless a step looks at columns that no expression names.
  mutating func know(_ schema: Schema) throws(ExpressionError) {}

  /// What an expression ended the run for.
  func evaluationFailure(_ sources: [Source]) -> Failure? {
    for state in states { if let failure = state.failure { return failure.failure(sources) } }
    return nil
  }
}

/// What a step asks of the run.
struct StepDemands: OptionSet {
  let rawValue: Int

  /// It must see all rows before the first goes on.
  static let allRows = StepDemands(rawValue: 1)

  /// Rows may come out in another order than they came in.
  static let order = StepDemands(rawValue: 2)

  /// It tells where rows stood in the input.
  static let places = StepDemands(rawValue: 4)

  /// It holds several records in memory: it compares them with one another, or holds them back until others have come.
  static let records = StepDemands(rawValue: 8)
}

/// A step that looks at one batch at a time.
protocol RowStep: Step {
  /// Takes rows away, or adds columns.
  ///
  /// Where no row after some of the batch is needed, the step is put back to what it was and asked again for fewer.
  mutating func apply(to rows: inout BatchRows)

  /// Takes note of the rows of that batch that all row steps have left.
  mutating func settle(_ rows: BatchRows)
}

extension RowStep {
  /// Nothing, unless a step counts what becomes of its rows.
  mutating func settle(_ rows: BatchRows) {}
}

/// A step that rows pass as they come: some go on at once, others are held until it is known what becomes of them.
protocol PassingStep: Step {
  /// Whether it holds rows until no others come.
  var holdsRows: Bool { get }

  /// How many times it holds rows, each of which takes its share of the memory for them.
  var storeCount: Int { get }

  /// Whether it hands on rows that it held in another order than they came in.
  var isReordering: Bool { get }

  /// Hands on the next rows, of those that go on at once.
  ///
  /// - Parameter room: the bytes that it may hold at each place before they go to a temporary file.
  mutating func pass(_ rows: Rows, room: Int) throws(Failure) -> Rows

  /// Does the same with rows of one batch, right after the row steps.
  mutating func pass(_ rows: BatchRows, room: Int) throws(Failure) -> Rows

  /// The next of the rows held, once no others come, some at a time; `nil` if none are left.
  mutating func release(room: Int) throws(Failure) -> Rows?
}

extension PassingStep {
  /// No, unless a step must know what comes later.
  var holdsRows: Bool { false }

  /// None, unless a step holds rows as they are.
  var storeCount: Int { 0 }

  /// No, unless a step moves rows.
  var isReordering: Bool { false }

  mutating func pass(_ rows: BatchRows, room: Int) throws(Failure) -> Rows { try pass(rows.rows, room: room) }

  /// None, unless a step holds rows.
  mutating func release(room: Int) throws(Failure) -> Rows? { nil }
}

/// Some rows of one batch, in their order.
struct BatchRows {
  /// Where the rows lie.
  var batch: Batch

  /// The rows, counted from 0; `nil` for the first `count`.
  private var numbers: [UInt32]?

  /// The number of rows.
  private(set) var count: Int

  /// How many of the first rows of the batch were looked at: these rows and those that were taken away.
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

  /// Keeps those rows that `body` leaves in an array of them.
  mutating func keep(_ body: (inout [UInt32]) -> Void) {
    var numbers = numbers.take() ?? (0..<UInt32(truncatingIfNeeded: count)).map { $0 }
    body(&numbers)
    count = numbers.count
    self.numbers = numbers
  }

  /// The numbers of the rows in their batch.
  var numbersOfRows: [UInt32] { numbers ?? (0..<UInt32(truncatingIfNeeded: count)).map { $0 } }

  /// Takes rows away, in any order.
  mutating func leaveOut(_ rows: [UInt32]) {
    if rows.isEmpty { return }
    let unwanted = Set(rows)
    keep { numbers in numbers.removeAll { unwanted.contains($0) } }
  }

  /// The row at a place, counted from 0.
  func row(at place: Int) -> Int { numbers.map { Int($0[place]) } ?? place }

  /// The rows by themselves.
  var rows: Rows {
    if let numbers { return Rows(batch, numbers) }
    return count == batch.rowCount
      ? Rows(batch) : Rows(batch, (0..<UInt32(truncatingIfNeeded: count)).map { $0 })
  }
}

/// A step of a run as `--explain plan` tells of it: what it is, and what it holds.
public struct PlannedStep: Equatable, Sendable {
  /// What a step does; the raw value of what an option asks for is the option.
  public enum Work: String, Sendable {
    case read
    case flatten = "--flatten"
    case lookup = "--lookup"
    case footerLines = "--footer-lines"
    case types = "--types"
    case add = "--add"
    case derive = "--derive"
    case set = "--set"
    case filter = "--filter"
    case delete = "--delete"
    case validate = "--validate"
    case group = "--group-by"
    case aggregate = "--aggregate"
    case verifyOrder = "--sorted-by"
    case sort = "--sort"
    case move = "--move"
    case skip = "--skip"
    case head = "--head"
    case tail = "--tail"
    case sections = "--section-by"
    case sectionHeader = "--section-header"
    case sectionFooter = "--section-footer"
    case footer = "--footer"
    case select = "--select"
    /// Lays the rows out, or writes them in another form.
    case write
  }

  /// What a step holds of the rows.
  public enum Holding: Equatable, Sendable {
    /// One batch: the step streams.
    case batch

    /// So many rows.
    case rows(Int)

    /// Different keys, in memory.
    case keys

    /// Its keys with their aggregates; beyond the budget the rows of the other keys in a temporary file.
    case groups

    /// All rows in the order of keys; beyond the budget as sorted runs in a temporary file.
    case sorted

    /// So much of them; beyond the budget in a temporary file.
    case spilled(Portion)

    /// The headers of all sections, each a short text.
    case headings

    /// All rows of a side table, in memory.
    case table

    /// All rows, to measure them; of a file that is read twice nothing.
    case allForWidths

    /// All rows, to know their columns.
    case allForColumns
  }

  /// How much of the rows is held at once.
  public enum Portion: String, Sendable {
    case all = "all rows"
    case section = "the rows of a section"
    case rejects = "the rows that are not valid"
    case moved = "the moved rows"
    case numbers = "the numbers of median() and percentile()"
    case values = "the different values of distinct()"
  }

  /// What the step does.
  public var work: Work

  /// What it holds.
  public var holding: Holding
}

extension AggregateHolding {
  /// What `--explain plan` says of it.
  var planned: PlannedStep.Holding {
    switch self {
    case .little: .batch
    case .keys: .spilled(.values)
    case .numbers: .spilled(.numbers)
    }
  }
}
