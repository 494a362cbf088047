/// Makes one row of all rows with the same key: `--group-by` and `--aggregate`.
///
/// 1. Rows are told apart by their keys (`GroupTable`), and each aggregate takes in the rows of each group.
/// 2. Where keys and aggregates reach the budget, no new groups are taken: rows of other keys wait, beyond the budget
///    in a temporary file.
/// 3. Once no rows come, the groups are handed on in batches of computed cells. Then those that wait are grouped in the
///    same way: all their keys came first after those of the groups before, so that the order stays.
struct Grouper: Step {
  /// A column of aggregates.
  fileprivate struct Output {
    /// Its name.
    let name: String
    /// What its value is made of: keys and aggregates.
    let program: Program
    /// The aggregates.
    var aggregators: [GroupAggregator]
    /// What the value left behind, and the arguments of the aggregates but for misfits.
    var state: EvaluationState

    /// The cells that did not convert, each counted once however many aggregates saw it.
    var tally: ConversionTally {
      var tally = state.tally
      for aggregator in aggregators { tally.widen(aggregator.misfitCells) }
      return tally
    }
  }

  /// The columns of the input.
  let input: Schema

  /// The columns of a group: its keys, then its aggregates.
  let schema: Schema

  private let keys: [ResolvedColumn]
  private let hasKeyOption: Bool
  private var outputs: [Output] = []
  private var table: GroupTable

  /// Patterns of `--group-by` that no column fits.
  private let idlePatterns: [String]

  /// The origin of the first batch: how its form types cells is how those of groups are typed.
  private var origin: Batch.Origin?

  /// Whether rows of keys that are not known have to wait.
  private var isFull = false

  /// The rows that wait.
  private var rest: StoredRows?

  /// How many groups of the table were handed on.
  private var takenCount = 0
  private var isFinished = false

  /// A group whose cells take more than there is room for.
  private var overflow: RowPlace?

  /// Where numbers of groups are written for which there is no room.
  private var numbers: SpillFile?

  /// The bytes of keys and aggregates from which on these numbers are written.
  private var spillSize = 0

  /// Whether what is kept of the groups takes more than there is room for.
  private var isOverfull = false

  private let context: EvaluationContext

  /// The bytes that keys and aggregates may take.
  private let room: Int

  /// The bytes that rows which wait may take in memory.
  private let restRoom: Int

  /// The bytes that the cells of one group may take.
  private let rowRoom: Int

  /// The bytes that the cells of one group may take with next to no budget.
  private static let leastRowRoom = 32 << 20

  /// The bytes that the cells of several groups may take together.
  private static let sharedRoom = 4 << 20

  /// The groups that are handed on together.
  private static let mostTogether = 4096

  /// Binds keys and aggregates.
  ///
  /// - Parameter budget: the bytes that rows may take.
  init(
    _ grouping: Grouping, budget: Int, _ tuning: Tuning, _ binder: inout Binder
  ) throws(Failure) {
    context = binder.context
    room = max(budget / 2, tuning.groupRoom)
    restRoom = budget / 4
    spillSize = room + room / 2
    rowRoom = max(budget / 4, Self.leastRowRoom)
    hasKeyOption = grouping.keys != nil
    if binder.schema.isOpen, grouping.keys?.entries.contains(where: \.mayGrow) ?? false {
      throw .lateColumns(option: "--group-by")
    }
    let selected: [SelectedColumn]
    do {
      selected = try Self.select(grouping.keys, &binder.schema)
    } catch { throw .column(option: "--group-by", error) }
    keys = selected.map(\.column)
    table = GroupTable(columnCount: keys.count)
    idlePatterns = Self.idlePatterns(grouping.keys, binder.schema)
    var columns = selected.map { Schema.Column(name: $0.name, title: $0.title) }
    var places: [ResolvedColumn: Int] = [:]
    for (place, key) in keys.enumerated() { places[key] = place }
    var names = Set(columns.map { ExactName($0.name) })
    let keyNames = names
    do throws(ExpressionError) {
      for pair in grouping.aggregates {
        let name = pair.column.trimmingBlanks
        if keyNames.contains(ExactName(name)) {
          throw pair.value.error(.aggregateIsKey(name), at: pair.range)
        }
        guard names.insert(ExactName(name)).inserted else {
          throw pair.value.error(.columnExists(name), at: pair.range)
        }
        let (program, calls) = try binder.bind(aggregate: pair.value, keys: places)
        let state = program.freshState
        outputs.append(
          Output(
            name: name, program: program,
            aggregators: calls.map { GroupAggregator($0, state.tally, binder.context) },
            state: state))
        columns.append(Schema.Column(name: name, title: name))
      }
    } catch { throw .expression(error) }
    input = binder.schema
    schema = Schema(made: columns, header: Self.header(of: selected, input))
  }

  /// The columns that make the key.
  private static func select(
    _ list: ColumnList?, _ schema: inout Schema
  ) throws(ColumnError) -> [SelectedColumn] {
    guard let list else { return [] }
    var seen: Set<ResolvedColumn> = []
    return try schema.select(list).filter { seen.insert($0.column.identity).inserted }
  }

  private static func idlePatterns(_ list: ColumnList?, _ schema: Schema) -> [String] {
    (list?.entries ?? []).compactMap { entry in
      guard case .glob(let text) = entry.item else { return nil }
      let glob = Glob(text)
      return schema.shown.contains { glob.matches(schema.columns[$0].name) } ? nil : text
    }
  }

  /// The record of the header with the titles of the keys, where they all stand there as they are.
  private static func header(of keys: [SelectedColumn], _ schema: Schema) -> Batch? {
    let columns = keys.map(\.column.index)
    guard let last = columns.max(), let header = schema.header(naming: last),
      keys.allSatisfy({ $0.column.path.isEmpty && !$0.hasOwnTitle })
    else { return nil }
    return header.projected(to: columns)
  }
}

extension Grouper {
  /// Messages may name the line of a row, and rows that wait are read again.
  var demands: StepDemands { .places }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    [PlannedStep(work: hasKeyOption ? .group : .aggregate, holding: .groups)]
  }

  func notices(_ sources: [Source]) -> [Notice] {
    idlePatterns.map { .nothingMatched(option: "--group-by", pattern: $0) }
  }

  /// The cells that did not convert, each counted once however many aggregates saw it.
  var tallies: [ConversionTally] {
    var found: [String: ConversionTally.Entry] = [:]
    for entry in outputs.lazy.flatMap(\.tally.entries) where entry.count > 0 {
      found[entry.column, default: ConversionTally.Entry(column: entry.column)].widen(entry)
    }
    let entries = found.values.sorted { ($0.first?.row ?? 0, $0.column) < ($1.first?.row ?? 0, $1.column) }
    return [ConversionTally(entries: entries)]
  }

  func failure(_ sources: [Source]) -> Failure? {
    for output in outputs {
      if let failure = output.state.failure { return failure.failure(sources) }
    }
    if isOverfull { return .groupsTooLarge }
    return overflow.map {
      .input(.recordTooLong(InputError.Place(path: sources[$0.source].path, line: $0.line)))
    }
  }

  /// How many columns make the key.
  var keyCount: Int { keys.count }
}

// MARK: - Taking rows in

extension Grouper {
  /// Takes rows of a batch in.
  mutating func add(_ some: BatchRows) throws(SystemError) { try add(some.batch, some.numbersOfRows) }

  /// Takes rows in.
  mutating func add(_ rows: Rows) throws(SystemError) {
    var runs: [(Batch, [UInt32])] = []
    rows.forEachRun { runs.append(($0, $1)) }
    for (batch, numbers) in runs { try add(batch, numbers) }
  }

  private mutating func add(_ batch: Batch, _ rows: [UInt32]) throws(SystemError) {
    guard let first = rows.first else { return }
    if origin == nil { origin = batch.origin }
    var grouped = GroupedNumbers()
    if keys.isEmpty {
      if table.count == 0 { table.addOnly(RowPlace(Int(first), of: batch)) }
      grouped.rows = rows
      grouped.groups = [UInt32](repeating: 0, count: rows.count)
    } else {
      let (keyed, columns) = keyed(batch, rows)
      grouped = table.group(rows, of: keyed, by: columns, takesNew: !isFull)
    }
    var numbers: [Int: NumberColumns] = [:]
    for index in outputs.indices {
      outputs[index].take(grouped, of: batch, groupCount: table.count, &numbers, context)
    }
    if !isFull { isFull = !keys.isEmpty && memory >= room }
    if memory >= spillSize { try spill() }
    if !grouped.rest.isEmpty { try wait(Rows(batch, grouped.rest)) }
  }

  /// Writes of aggregates that grow with their rows what can be written.
  private mutating func spill() throws(SystemError) {
    guard outputs.contains(where: \.mayGrow) else { return }
    if numbers == nil { numbers = try SpillFile() }
    guard let file = numbers else { return }
    for index in outputs.indices { try outputs[index].spill(to: file) }
    isOverfull = memory >= max(2 * room, context.keyRoom)
    spillSize = max(spillSize, memory + room / 4)
  }

  /// The bytes that keys and aggregates take.
  private var memory: Int {
    outputs.reduce(table.memory) { sum, output in
      output.aggregators.reduce(sum) { $0 + $1.byteCount }
    }
  }

  /// Keeps rows whose keys are not known until there is room for them.
  private mutating func wait(_ rows: Rows) throws(SystemError) {
    if rest == nil { rest = StoredRows() }
    rest?.append(rows.isSparse() ? rows.copied() : rows)
    if rest?.memory ?? 0 >= restRoom { try rest?.spill() }
  }

  /// A batch whose keys are cells, and the columns that these stand in: what lies within JSON gets columns of its own.
  private func keyed(_ batch: Batch, _ rows: [UInt32]) -> (Batch, [Int]) {
    if keys.allSatisfy({ $0.path.isEmpty && $0.longer.isEmpty }) { return (batch, keys.map(\.index)) }
    var batch = batch
    var columns: [Int] = []
    for key in keys {
      let program = Program(node: .way(key, slot: 0), kind: .any, context: context, slots: [])
      var state = program.freshState
      var computed = ComputedColumn(at: batch.columnCount, of: batch, count: batch.rowCount, room: .max)
      let types = CellTypes(batch, of: program)
      program.forEachValue(batch, rows: rows.span, state: &state) { value, evaluator in
        computed.set(value, row: evaluator.row, types, context.marks)
      }
      columns.append(batch.columnCount)
      batch = computed.finish(cutting: nil)
    }
    return (batch, columns)
  }
}

extension Grouper.Output {
  /// Takes in rows that were told apart.
  ///
  /// - Parameter columns: the numbers in the columns that were read already.
  fileprivate mutating func take(
    _ grouped: GroupedNumbers, of batch: Batch, groupCount: Int, _ columns: inout [Int: NumberColumns],
    _ context: EvaluationContext
  ) {
    guard !aggregators.isEmpty, !grouped.rows.isEmpty else { return }
    var evaluator = Evaluator(context, batch: batch, state: state)
    for index in aggregators.indices {
      var numbers: NumberColumns?
      if let term = aggregators[index].term {
        numbers = term.column.flatMap { columns[$0] } ?? NumberColumns(term, grouped.rows.span, of: batch)
        if let column = term.column { columns[column] = numbers }
      }
      aggregators[index].add(
        grouped.rows.span, of: grouped.groups.span, count: groupCount, numbers, &evaluator)
    }
    state = evaluator.state
  }

  /// Calls `body` with the value for each of some groups, and the place of the group among them.
  ///
  /// - Parameter batch: has the keys of these groups.
  fileprivate mutating func forEachValue(
    of groups: Range<Int>, count: Int, _ batch: Batch, _ context: EvaluationContext,
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
      body(evaluator.value(program.node), row)
    }
    state = evaluator.state
  }

  /// Whether what it keeps of a group may grow with the rows.
  fileprivate var mayGrow: Bool { aggregators.contains { !$0.isFixed } }

  /// Writes what it can do without for now to a temporary file.
  fileprivate mutating func spill(to file: SpillFile) throws(SystemError) {
    for index in aggregators.indices { try aggregators[index].spill(to: file) }
  }

  /// Forgets all groups.
  fileprivate mutating func reset() {
    for index in aggregators.indices { aggregators[index].reset() }
  }
}

// MARK: - Handing groups on

extension Grouper {
  /// The next groups, once no other rows come, some at a time; `nil` where none are left.
  mutating func finish() throws(SystemError) -> Rows? {
    if isFinished { return nil }
    if keys.isEmpty, table.count == 0 {
      table.addOnly(RowPlace(source: 0, line: 1, number: 1))
    }
    while takenCount == table.count {
      guard var waiting = rest.take() else {
        isFinished = true
        return nil
      }
      table.removeAll()
      for index in outputs.indices { outputs[index].reset() }
      (takenCount, isFull, spillSize) = (0, false, room + room / 2)
      while let rows = try waiting.takeFirst() { try add(rows) }
    }
    return try takeNext()
  }

  /// The next groups of the table.
  private mutating func takeNext() throws(SystemError) -> Rows {
    var (count, keyBytes) = (0, 0)
    let most = min(Self.mostTogether, table.count - takenCount)
    repeat {
      keyBytes += table.byteCount(ofGroup: takenCount + count)
      count += 1
    } while count < most && keyBytes < Self.sharedRoom
    let before = outputs
    while true {
      let groups = takenCount..<takenCount + count
      let (batch, left) = try batch(of: groups, room: count > 1 ? Self.sharedRoom : rowRoom)
      if left >= 0 || count == 1 {
        if left < 0 { overflow = table.places[groups.lowerBound] }
        takenCount += count
        return Rows(batch)
      }
      outputs = before
      count /= 2
    }
  }

  /// A batch of groups, and how many bytes were left of the room for their cells; without some of the cells where these
  /// are less than none.
  private mutating func batch(
    of groups: Range<Int>, room: Int
  ) throws(SystemError) -> (batch: Batch, left: Int) {
    var (batch, room) = (emptyRows(groups), room)
    if !keys.isEmpty {
      var computed = ComputedColumn(at: 0, upTo: keys.count, of: batch, count: groups.count, room: room)
      for column in keys.indices {
        computed.goOn(to: column)
        for (row, group) in groups.enumerated() {
          let cell = table.cell(column, ofGroup: group)
          computed.set(row: row, kind: cell.kind, count: cell.count) { $0.append(table.content(cell)) }
        }
      }
      room = computed.room
      if room < 0 { return (batch, room) }
      batch = computed.finish(cutting: nil)
    }
    var computed = ComputedColumn(
      at: keys.count, upTo: schema.count, of: batch, count: groups.count, room: room)
    for index in outputs.indices {
      computed.goOn(to: keys.count + index)
      let types = CellTypes(batch, of: outputs[index].program)
      let context = context
      try outputs[index].forEachValue(of: groups, count: table.count, batch, context) { value, row in
        computed.set(value, row: row, types, context.marks)
      }
    }
    room = computed.room
    return room < 0 ? (batch, room) : (computed.finish(cutting: nil), room)
  }

  /// A batch of rows without cells, one for each of some groups, each where the first row of its group stood.
  ///
  /// Its records are the bytes of the keys, so that it is known about how large they are.
  private func emptyRows(_ groups: Range<Int>) -> Batch {
    var starts: [UInt32] = [0]
    var length = 0
    for group in groups {
      length += table.byteCount(ofGroup: group)
      starts.append(UInt32(truncatingIfNeeded: length))
    }
    var records = ByteBlock.Builder(capacity: length)
    for group in groups {
      for column in keys.indices { records.append(table.content(table.cell(column, ofGroup: group))) }
    }
    let known = origin ?? Batch.empty.origin
    let first = table.places[groups.lowerBound]
    let origin = Batch.Origin(
      source: first.source, line: first.line, row: first.number, isVerbatim: false, dialect: known.dialect)
    return Batch(
      block: records.finish(), decoded: .empty, escapes: [], cells: [], columnCount: 0, recordStarts: starts,
      origin: origin, places: Array(table.places[groups]))
  }
}

/// What `--group-by` and `--aggregate` ask for.
public struct Grouping: Sendable {
  /// The columns that make the key; all rows are one group where there are none.
  public var keys: ColumnList?

  /// The columns that are made of the rows of each group.
  public var aggregates: [Assignment]

  /// Groups rows.
  public init(by keys: ColumnList?, aggregates: [Assignment]) {
    self.keys = keys
    self.aggregates = aggregates
  }
}
