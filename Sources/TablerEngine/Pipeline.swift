/// The whole tool: bytes in, rows kept and ordered, columns chosen, widths worked out, bytes out.
///
///     sources ─► batches ─► filter ─► [gather] ─► sort ─► move ─► window ─► columns ─► layout ─► paint ─► output
///
/// Rows go through batch by batch. Only what must see all of them gathers: sort, moves, the last rows, widths that
/// are exact, and the columns of JSON that nobody named.
public struct Pipeline {
  /// What is asked for.
  let plan: Plan

  /// When rows are taken, held and measured.
  let schedule: Schedule

  /// In what portions the work is done.
  let tuning: Tuning

  /// What reads the input; from its first batch on only through `reading`.
  let input: InputReader

  /// Where the batches come from.
  let reading: ReadAhead

  /// The steps that look at rows.
  var stages: RowStages

  /// What ties names in options to columns.
  var binder: Binder
  private var first: Batch?

  /// The footer lines, which take note of the rows shown.
  var footers = FooterLines()
  private var isDrained = false

  /// Whether records are so long that few of them may be drawn at once.
  private(set) var hasLargeBatches = false

  /// The names of JSON that were not met yet.
  var expected = ExpectedNames()

  /// What there is to say at the end, so far.
  var outcome = Outcome()

  /// The rows that were looked at before the first was drawn.
  var lookAhead = LookAhead.all

  /// The keys that the table may lack, where it was begun before all were known.
  var lateKeys: LateKeys?
  /// How much was said while rows went by.
  var reportCount = 0

  /// The keys that are drawn, where records of JSON keep their own.
  var ownKeys: OwnKeys?

  /// What titles hold that no text should.
  var titleNotices: [LayoutNotice] = []

  /// Whether an interrupt waits until the rows at hand are drawn.
  var holdsInterrupts = false

  /// Hears at once what would be late at the end of a live stream.
  public var listener: ((Notice) -> Void)?

  /// Hears how things stand where rows of a stream are written out and more are waited for: a signal may end the wait.
  public var onPause: ((Outcome) -> Void)?

  /// Opens the input, reads its header and binds what the plan says to its columns.
  ///
  /// Nothing has been written when this fails.
  public init(_ plan: Plan) throws(Failure) {
    try self.init(plan, Tuning()) { (source) throws(SystemError) in
      try source.open()
    }
  }

  /// Opens the input through `supply`: the door for tests.
  init(
    _ plan: Plan, _ tuning: Tuning, supply: @escaping (Source) throws(SystemError) -> ByteSource
  ) throws(Failure) {
    self.plan = plan
    self.tuning = tuning
    input = InputReader(
      plan.sources, options: plan.input, mayGrow: plan.mayGrow, memory: plan.memory, tuning, supply: supply)
    input.isLive = plan.isLive(isOpen: false)
    do {
      try input.open()
      first = try input.schema.isOpen ? input.next() : nil
    } catch { throw .input(error) }
    schedule = Schedule(plan, isOpen: input.schema.isOpen)
    reading = ReadAhead(input, plan.input.isFollowed ? tuning.onOneThread : tuning)
    let context = EvaluationContext(
      marks: plan.marks, sourceNames: plan.sources.map(\.name),
      metrics: TextMetrics(ambiguousWidth: plan.layout.ambiguousWidth))
    binder = Binder(schema: input.schema, arguments: plan.arguments, context: context)
    do {
      stages = try RowStages(plan, schedule, &binder, tuning)
      try check()
    } catch {
      throw error.hinting(input.misreading, path: plan.sources.first?.path)
    }
    reading.schema = binder.schema
    expected = ExpectedNames(binder.schema.wanted)
    if stages.isFull, let first { reading.endInput(after: 0, of: first) }
    input.isLive = plan.isLive(isOpen: schema.isOpen) && !schedule.needsAllRows
  }

  /// Runs the plan and writes the table.
  public mutating func run() throws(Failure) -> Outcome {
    var sink = Sink(try plan.openOutput())
    if input.isEmpty, schema.count == 0 {
      outcome.notices += inputNotices
      try sink.finish()
      return outcome
    }
    try draw(try rowsAtHand(), &sink)
    try sink.finish()
    releaseInterrupts()
    return outcome
  }
}

extension Pipeline {
  /// The columns, as far as they are known.
  var schema: Schema { reading.schema }

  /// What must be known of the rows before columns and painter are chosen.
  ///
  /// Widths are not among it: a painter that needs them gathers the rows itself.
  private mutating func rowsAtHand() throws(Failure) -> Supply {
    switch schedule.taking {
    case .all: try gather()
    case .allForWidths: .open
    case .asTheyCome(let count): .begun(try firstRows(count))
    }
  }

  /// Reads everything and puts it in order.
  ///
  /// - Parameters:
  ///   - admits: whether note is taken of the rows as they come, to be shown in this order.
  ///   - look: called with rows as they come, and the number of those before them.
  mutating func gather(
    admits: Bool = false, _ look: (Rows, Int) -> Void = { _, _ in }
  ) throws(Failure) -> Supply {
    var count = 0
    while let more = try nextRows() {
      look(more, count)
      if admits { admit(more) }
      count += more.count
      try stages.gather(more)
    }
    isDrained = true
    let supply = try stages.finish()
    if let failure = stages.mustFailure { throw failure.failure(plan.sources) }
    return supply
  }

  /// The next rows that the stages keep, in a batch or more; `nil` at the end.
  mutating func nextRows() throws(Failure) -> Rows? {
    guard !isDrained, !stages.isFull else { return nil }
    let batch: Batch?
    if let ready = first {
      batch = ready
      first = nil
    } else {
      do { batch = try reading.next() } catch { throw .input(error) }
    }
    guard let batch else { return reading.isPaused ? nil : try stages.lastKept() }
    if batch.isLarge { hasLargeBatches = true }
    let rows = try stages.kept(batch)
    if let last = stages.lastNeeded { reading.endInput(after: last, of: batch) }
    expected.look(at: batch, count: stages.lastNeeded.map { $0 + 1 } ?? batch.rowCount, schema)
    if let failure = stages.mustFailure { throw failure.failure(plan.sources) }
    return rows
  }
}
