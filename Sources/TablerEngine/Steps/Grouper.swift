/// Combines all rows with the same key into one: `--group-by` and `--aggregate`.
///
/// 1. Rows are divided by their keys (`GroupTable`), and each aggregate adds the rows of each group.
/// 2. If keys and aggregates reach the budget, no new groups are added: rows of other keys wait, beyond the
///    budget in temporary files. They are divided by the hashes of their keys, so that each part may fit at
///    once.
/// 3. Once no more rows come, the groups are returned in batches of computed cells.
/// 4. Then each part of the waiting rows is grouped, and its groups are written. If there is no room for all
///    of them, rows wait again, as often as necessary: all their keys first came after those of the earlier
///    groups.
/// 5. The groups of all parts are merged in order of first appearance of their keys.
///
/// - Complexity: O(*n*) on average for *n* rows that fit; each time that rows wait, they are written and read
///   once more.
struct Grouper: PassingStep {
  /// A part of the key of groups.
  fileprivate struct Key {
    /// The column of the input; `nil` for a value.
    let column: ResolvedColumn?
    /// The programs of the value; empty for a cell of its batch, because there may be very many keys of this kind.
    var computed: [Computed] = []

    /// Whether it is a cell of its batch.
    var isCell: Bool { computed.isEmpty }

    /// A program and its state.
    struct Computed {
      let program: Program
      var state: EvaluationState
    }
  }

  /// The columns of the input.
  let input: Schema

  /// The columns of a group: its keys, then its aggregates.
  let schema: Schema

  private var keys: [Key] = []
  private let hasKeyOption: Bool
  private var outputs = GroupOutputs()
  private var table: GroupTable

  /// Patterns of `--group-by` that match no column.
  private let idlePatterns: [String]

  /// The origin of the first batch: cells of groups get types in the same way.
  private var origin: Batch.Origin?

  /// The rows that seem to be totals of others, if there are no keys.
  private var addedTotals: AddedTotals

  /// Whether rows of unknown keys have to wait.
  private var isFull = false

  /// The rows that wait, in parts; empty if none do.
  private var rest: [StoredRows] = []

  /// The number of parts in which rows wait while the first groups are collected.
  private static let partCount = 16

  /// Whether the rows that come have already waited.
  private var readsAgain = false

  /// The number of groups of the table that were returned.
  private var takenCount = 0

  /// The groups of rows that waited, and the piece of them to be returned next.
  private var merged: (pieces: RowPieces, next: Int)?

  /// Keys of the first groups, before any wait, that differ from others only in blanks at the ends.
  private var paddedKeys: GroupTable.PaddedKeys?

  /// A group whose cells take too much memory.
  private var overflow: RowPlace?

  /// The file for numbers of groups that do not fit into memory.
  private var numbers: SpillFile?

  /// The size of keys and aggregates from which on these numbers are written.
  private var spillSize = 0

  /// Whether the data of the groups take too much memory.
  private var isOverfull = false

  private let context: EvaluationContext
  private let tuning: Tuning

  /// The maximum size of keys and aggregates, in bytes.
  private let room: Int

  /// The maximum size of waiting rows in memory, in bytes.
  private let restRoom: Int

  /// The maximum size of the cells of one group, in bytes.
  private let rowRoom: Int

  /// The bytes that keys and aggregates may take with almost no budget.
  private static let leastRoom = 4 << 20

  /// The approximate bytes that a column of the input takes besides its cells: with very many there is less
  /// room for keys.
  private static let columnSize = 256

  /// The bytes that waiting rows may take in memory with almost no budget.
  private static let leastRestRoom = 4 << 20

  /// The bytes that the cells of one group may take with almost no budget.
  private static let leastRowRoom = 32 << 20

  /// The bytes that the cells of several groups may take together.
  private static let sharedRoom = 4 << 20

  /// The approximate bytes that a cell of a group takes besides its content.
  private static let cellSize = 64

  /// The size of aggregates at which numbers are first spilled; more if keys take some of the room.
  private static func firstSpillSize(_ room: Int, hasKeys: Bool) -> Int { hasKeys ? room + room / 2 : room }

  /// The number of groups that are returned together.
  private static let mostTogether = 4096

  /// The number of groups that are tried together next: as many as there was room for last time.
  private var mostFitting = Grouper.mostTogether

  /// Binds keys and aggregates.
  ///
  /// - Parameter budget: the bytes that rows may take.
  init(
    _ grouping: Grouping, budget: Int, _ tuning: Tuning, _ binder: inout Binder
  ) throws(Failure) {
    context = binder.context
    self.tuning = tuning
    room = max(
      budget / 2, tuning.groupRoom - binder.schema.columns.count * Self.columnSize,
      min(Self.leastRoom, tuning.groupRoom))
    restRoom = max(budget / 4, min(Self.leastRestRoom, tuning.groupRoom))
    rowRoom = max(budget / 4, Self.leastRowRoom)
    hasKeyOption = grouping.keys != nil || !grouping.values.isEmpty
    spillSize = Self.firstSpillSize(room, hasKeys: hasKeyOption)
    if binder.schema.isOpen, grouping.keys?.entries.contains(where: \.mayGrow) ?? false {
      throw .lateColumns(option: "--group-by")
    }
    let selected: [SelectedColumn]
    do {
      selected = try Self.select(grouping.keys?.entries ?? [], &binder.schema)
    } catch { throw .column(option: "--group-by", error) }
    table = GroupTable(columnCount: selected.count + grouping.values.count, room: room)
    idlePatterns = grouping.keys?.idlePatterns(in: binder.schema) ?? []
    var columns: [Schema.Column]
    do throws(ExpressionError) {
      (keys, columns) = try Self.keys(selected, grouping, &binder)
      columns += try Self.outputs(grouping, keys, columns.map(\.name), &outputs, &binder)
    } catch { throw .expression(error) }
    input = binder.schema
    let header = grouping.values.isEmpty ? Self.header(of: selected, input) : nil
    schema = Schema(made: columns, header: header)
    let addsAll = grouping.keys == nil && grouping.values.isEmpty && outputs.addValues
    addedTotals = addsAll ? AddedTotals(in: input) : AddedTotals()
  }

  /// The columns that make the key.
  private static func select(
    _ entries: [ColumnList.Entry], _ schema: inout Schema
  ) throws(ColumnError) -> [SelectedColumn] {
    if entries.isEmpty { return [] }
    var seen: Set<ResolvedColumn> = []
    return try schema.select(ColumnList(entries)).filter { seen.insert($0.column.identity).inserted }
  }

  /// The parts of the key, in the order typed, and their columns.
  private static func keys(
    _ selected: [SelectedColumn], _ grouping: Grouping, _ binder: inout Binder
  ) throws(ExpressionError) -> ([Key], [Schema.Column]) {
    var keys: [Key] = []
    var columns: [Schema.Column] = []
    var rest = selected[...]
    var names = Set(selected.map { ExactName($0.name) })
    func add(_ column: SelectedColumn) {
      var key = Key(column: column.column)
      if !column.column.path.isEmpty || !column.column.longer.isEmpty {
        let program = binder.program(ofCell: column.column)
        key.computed.append(Key.Computed(program: program, state: program.freshState))
      } else if let program = binder.program(ofTypedCell: column.column) {
        key.computed.append(Key.Computed(program: program, state: program.freshState))
      }
      keys.append(key)
      var made = Schema.Column(name: column.name, title: column.title)
      if column.column.path.isEmpty, column.column.longer.isEmpty {
        let known = binder.schema.columns[column.column.index]
        (made.isInexact, made.areDurations, made.zone) = (known.isInexact, known.areDurations, known.zone)
        // What is not of the type is null in the key.
        (made.type, made.hasSureType) = (known.type, true)
      }
      columns.append(made)
    }
    for value in grouping.values {
      let entries = Array((grouping.keys?.entries ?? []).prefix(value.place))
      let before = Set(((try? select(entries, &binder.schema)) ?? []).map(\.column))
      while let column = rest.first, before.contains(column.column) {
        add(column)
        rest.removeFirst()
      }
      let name = value.name.trimmingBlanks
      guard names.insert(ExactName(name)).inserted else {
        throw value.source.error(.columnExists(name), at: value.source.expression.range)
      }
      let program = try binder.bind(value.source)
      if program.kind == .list {
        throw value.source.error(.listNotAllowed, at: value.source.expression.range)
      }
      keys.append(
        Key(column: nil, computed: [Key.Computed(program: program, state: program.stepState)]))
      columns.append(Self.column(name, of: program))
    }
    for column in rest { add(column) }
    return (keys, columns)
  }

  /// Binds the aggregates.
  ///
  /// - Parameters:
  ///   - keyNames: the names of the keys.
  ///   - outputs: receives them.
  /// - Returns: their columns.
  private static func outputs(
    _ grouping: Grouping, _ keys: [Key], _ keyNames: [String], _ outputs: inout GroupOutputs,
    _ binder: inout Binder
  ) throws(ExpressionError) -> [Schema.Column] {
    if grouping.aggregates.isEmpty { return [] }
    var columns: [Schema.Column] = []
    var row = GroupRow()
    for (place, key) in keys.enumerated() {
      if let column = key.column {
        row.columns[column] = place
      } else {
        row.values[ExactName(keyNames[place])] = .key(place)
      }
    }
    let keyNames = Set(keyNames.map { ExactName($0) })
    var names = keyNames
    for pair in grouping.aggregates {
      let name = pair.column.trimmingBlanks
      if keyNames.contains(ExactName(name)) {
        throw pair.value.error(.aggregateIsKey(name), at: pair.range)
      }
      guard names.insert(ExactName(name)).inserted else {
        throw pair.value.error(.aggregateTwice(name), at: pair.range)
      }
      let program = try outputs.append(pair.value, in: row, &binder)
      row.values[ExactName(name)] = .aggregate(outputs.columns.count - 1)
      columns.append(Self.column(name, of: program))
    }
    return columns
  }

  /// The column that a program makes.
  private static func column(_ name: String, of program: Program) -> Schema.Column {
    Schema.Column(
      name: name, title: name, isInexact: program.mayBeInexact, areDurations: program.kind == .duration,
      zone: program.zone)
  }

  /// The record of the header with the titles of the keys, if all of them are spelled there.
  private static func header(of keys: [SelectedColumn], _ schema: Schema) -> Batch? {
    let columns = keys.map(\.column.index)
    guard let last = columns.max(), let header = schema.header(naming: last),
      keys.allSatisfy({ $0.column.path.isEmpty && !$0.hasOwnTitle })
    else { return nil }
    return header.projected(to: columns)
  }
}

extension Grouper {
  /// Messages may name the line of a row, and waiting rows are read again.
  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands {
    plan.grouping == nil ? [] : [.places, .records]
  }

  static func optionNeedingAllRows(of plan: borrowing Plan) -> PlannedStep.Work? {
    plan.grouping.map { $0.keys == nil && $0.values.isEmpty ? .aggregate : .group }
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    [PlannedStep(work: hasKeyOption ? .group : .aggregate, holding: .groups)]
  }

  func notices(_ sources: [Source]) -> [Notice] {
    let padded = paddedKeys.map { found in
      Notice.paddedKeys(
        column: schema.columns[found.column].name, isComputed: keys[found.column].column == nil,
        count: found.count, first: InputError.Location(found.place, sources), text: found.content,
        haveNoBreakSpaces: found.haveNoBreakSpaces)
    }
    return idlePatterns.map { .nothingMatched(option: "--group-by", pattern: $0) }
      + (padded.map { [$0] } ?? []) + addedTotals.notices(sources)
  }

  var tallies: [ConversionTally] { [outputs.tally] }

  func failure(_ sources: [Source]) -> Failure? {
    if let failure = evaluationFailure(sources) { return failure }
    if let failure = outputs.failure { return failure.failure(sources) }
    if isOverfull { return .groupsTooLarge }
    return overflow.map {
      .input(.recordTooLong(InputError.Location($0, sources)))
    }
  }

  var states: [EvaluationState] { keys.lazy.filter { $0.column == nil }.flatMap(\.computed).map(\.state) }

  /// The number of parts of the key.
  var keyCount: Int { keys.count }
}

// MARK: - Taking rows in

extension Grouper {
  var holdsRows: Bool { true }

  mutating func pass(_ rows: BatchRows, room: Int) throws(Failure) -> Rows {
    do { try add(rows.batch, rows.numbersOfRows) } catch { throw Failure(reading: error) }
    return Rows()
  }

  mutating func pass(_ rows: Rows, room: Int) throws(Failure) -> Rows {
    do { try add(rows) } catch { throw Failure(reading: error) }
    return Rows()
  }

  mutating func begin(on crew: Crew) {
    if tuning.threadCount > 1 { outputs.begin(on: crew) }
  }

  /// Gives the cells of groups the types that those of other groups of the same input have.
  mutating func takeTypes(of other: Grouper) { origin = other.origin }

  private mutating func add(_ rows: Rows) throws(SystemError) {
    var runs: [(Batch, [UInt32])] = []
    rows.forEachRun { runs.append(($0, $1)) }
    for (batch, numbers) in runs { try add(batch, numbers) }
  }

  private mutating func add(_ batch: Batch, _ rows: [UInt32]) throws(SystemError) {
    if rows.isEmpty { return }
    if origin == nil { origin = batch.origin }
    var rows = rows
    let (keyed, columns) = keyed(batch, &rows)
    guard let first = rows.first else { return }
    var grouped = GroupedNumbers()
    if keys.isEmpty {
      addedTotals.examine(rows, of: batch)
      if table.count == 0 { table.addOnly(RowPlace(Int(first), of: batch)) }
      grouped.rows = rows
      grouped.groups = [UInt32](repeating: 0, count: rows.count)
    } else {
      grouped = table.group(
        rows, of: keyed, by: columns, takesNew: !isFull, partCount: readsAgain ? 1 : Self.partCount)
    }
    outputs.add(grouped, of: batch, groupCount: table.count, context, tuning)
    if !isFull, !keys.isEmpty { isFull = !grouped.rest.isEmpty || !hasRoomForMore(beside: batch) }
    if memory >= spillSize { try spill() }
    if !grouped.rest.isEmpty { try wait(grouped.rest, of: batch) }
  }

  /// Writes those aggregates that grow with their rows and can be written.
  private mutating func spill() throws(SystemError) {
    guard outputs.mayGrow else { return }
    if numbers == nil { numbers = try SpillFile() }
    guard let file = numbers else { return }
    try outputs.spill(to: file)
    isOverfull = memory >= max(2 * room, context.keyRoom)
    spillSize = max(spillSize, memory + room / 4)
  }

  /// Whether there is room for another group of the average size of the known ones; a large batch takes room
  /// too, as the next one will.
  private func hasRoomForMore(beside batch: Batch) -> Bool {
    let memory = memory
    return memory + memory / max(1, table.count) + (batch.isLarge ? batch.memory : 0) < room
  }

  /// The bytes that keys and aggregates take.
  private var memory: Int {
    table.memory + outputs.memory
  }

  /// Stores rows whose keys are not known until there is room for them.
  private mutating func wait(_ parts: [[UInt32]], of batch: Batch) throws(SystemError) {
    if rest.isEmpty { rest = parts.map { _ in StoredRows() } }
    for (part, numbers) in parts.enumerated() where !numbers.isEmpty {
      let rows = Rows(batch, numbers)
      rest[part].append(rows.isSparse() ? rows.copied() : rows)
    }
    guard rest.reduce(0, { $0 + $1.memory }) >= restRoom else { return }
    for part in rest.indices { try rest[part].spill() }
  }

  /// A batch whose keys are cells, and their columns: values in JSON, and computed values, get columns of
  /// their own.
  ///
  /// - Parameter rows: the rows; if such rows are left out, those of which a key did not convert are removed.
  private mutating func keyed(_ batch: Batch, _ rows: inout [UInt32]) -> (Batch, [Int]) {
    if keys.allSatisfy(\.isCell) { return (batch, keys.compactMap(\.column?.index)) }
    var batch = batch
    var columns: [Int] = []
    for index in keys.indices {
      guard let key = keys[index].computed.first else {
        if let column = keys[index].column { columns.append(column.index) }
        continue
      }
      let program = key.program
      var state = readsAgain ? program.freshState : key.state
      var computed = ComputedColumn(at: batch.width, of: batch, count: batch.rowCount, room: .max)
      let types = CellTypes(batch, of: program)
      let marks = context.marks
      program.forEachValue(batch, rows: rows.span, state: &state) { value, evaluator in
        computed.set(value, row: evaluator.row, types, marks)
      }
      let misfits = Set(state.tally.takeRows())
      if !misfits.isEmpty { rows.removeAll { misfits.contains($0) } }
      if !readsAgain { keys[index].computed[0].state = state }
      columns.append(batch.width)
      batch = computed.finish(cutting: nil)
    }
    return (batch, columns)
  }
}

// MARK: - Handing groups on

extension Grouper {
  /// The next groups, once no more rows come, some at a time; `nil` if none are left.
  mutating func release(room: Int) throws(Failure) -> Rows? {
    do { return try nextGroups() } catch { throw Failure(reading: error) }
  }

  private mutating func nextGroups() throws(SystemError) -> Rows? {
    outputs.settle()
    if keys.isEmpty { table.addOnly(RowPlace(source: 0, line: 1, number: 1)) }
    if takenCount == 0, !readsAgain { paddedKeys = table.paddedKeys }
    if takenCount < table.count { return try takeNext() }
    if !rest.isEmpty { merged = (try groupsOfRest(), 0) }
    guard let (pieces, next) = merged else { return nil }
    let piece = try pieces(next)
    merged = piece == nil ? nil : (pieces, next + 1)
    return piece?.own
  }

  /// The groups of the waiting rows, part by part, in order of first appearance of their keys.
  private mutating func groupsOfRest() throws(SystemError) -> RowPieces {
    readsAgain = true
    var runs = SortedRuns(SortOrder.ofInput(context))
    var parts = rest
    rest = []
    for part in parts.indices {
      var waiting = [parts[part]]
      parts[part] = StoredRows()
      var isFirst = true
      while var rows = waiting.popLast(), !hasFailed {
        forgetGroups()
        while let some = try rows.takeFirst() { try add(some) }
        while takenCount < table.count, !hasFailed {
          try runs.add(run: try takeNext(), goesOn: !isFirst)
          isFirst = false
        }
        swap(&waiting, &rest)
      }
    }
    forgetGroups()
    try runs.finish()
    return try runs.pieces(of: Self.mostTogether, rowSize: 0)
  }

  /// Whether a group does not fit, so that no others are requested.
  private var hasFailed: Bool { isOverfull || overflow != nil }

  private mutating func forgetGroups() {
    outputs.settle()
    table.removeAll()
    outputs.reset()
    (takenCount, isFull, spillSize) = (0, false, Self.firstSpillSize(room, hasKeys: hasKeyOption))
  }

  /// The next groups of the table.
  private mutating func takeNext() throws(SystemError) -> Rows {
    outputs.settle()
    var (count, keyBytes) = (0, 0)
    let most = min(mostFitting, table.count - takenCount)
    repeat {
      keyBytes += table.byteCount(ofGroup: takenCount + count) + schema.columns.count * Self.cellSize
      count += 1
    } while count < most && keyBytes < Self.sharedRoom
    let before = outputs
    while true {
      let groups = takenCount..<takenCount + count
      let (batch, left) = try batch(of: groups, room: count > 1 ? Self.sharedRoom : rowRoom)
      if left >= 0 || count == 1 {
        if left < 0 { overflow = table.places[groups.lowerBound] }
        takenCount += count
        if count == mostFitting, left > Self.sharedRoom / 2 {
          mostFitting = min(2 * count, Self.mostTogether)
        }
        return Rows(batch)
      }
      outputs = before
      count /= 2
      mostFitting = count
    }
  }

  /// A batch of groups, and the number of bytes that are left of the room for their cells; if it is negative,
  /// some of the cells are missing.
  private mutating func batch(
    of groups: Range<Int>, room: Int
  ) throws(SystemError) -> (batch: Batch, left: Int) {
    var (batch, room) = (emptyRows(groups), room)
    if !keys.isEmpty {
      var computed = ComputedColumn(at: 0, of: batch, count: groups.count, room: room)
      for column in keys.indices {
        computed.advance(toColumn: column)
        for (row, group) in groups.enumerated() {
          let cell = table.cell(column, ofGroup: group)
          let drawn = drawnDigits(of: cell, column)
          computed.set(row: row, kind: cell.kind, isText: cell.isText, count: cell.count, drawn: drawn) {
            $0.append(table.content(cell))
          }
        }
      }
      room = computed.room
      if room < 0 { return (batch, room) }
      batch = computed.finish(cutting: nil)
    }
    if outputs.columns.isEmpty { return (batch, room) }
    var computed = ComputedColumn(at: keys.count, of: batch, count: groups.count, room: room)
    let used = Set(outputs.columns.flatMap(\.earlier))
    var values: [[Value]] = []
    for index in outputs.columns.indices where computed.room >= 0 {
      computed.advance(toColumn: keys.count + index)
      let types = CellTypes(batch, of: outputs.columns[index].program)
      let context = context
      var own: [Value] = []
      try outputs.columns[index].forEachValue(of: groups, count: table.count, batch, values, context) {
        value, row in
        computed.set(value, row: row, types, context.marks)
        if used.contains(index) { own.append(value) }
      }
      values.append(own)
    }
    room = computed.room
    return room < 0 ? (batch, room) : (computed.finish(cutting: nil), room)
  }

  /// The digits that are drawn of a key, if it is a computed number that has more.
  private func drawnDigits(
    of cell: GroupTable.KeyCell, _ column: Int
  ) -> (digits: DrawnDigits, marks: NumberMarks)? {
    guard schema.columns[column].isInexact, !cell.isText else { return nil }
    let marks = cell.kind == .number ? .standard : context.marks
    let text = table.content(cell)
    guard var number = NumberReader.loose(text, marks: marks) else { return nil }
    // Only doubles are written with an exponent.
    if text.indices.contains(where: { text[$0] == UInt8(ascii: "e") }) {
      number = .double(number.doubleValue)
    }
    return DrawnDigits(number, mayBeInexact: true).map { (digits: $0, marks: marks) }
  }

  /// A batch of rows without cells, one for each of some groups, each at the place of the first row of its group.
  ///
  /// Its records are the bytes of the keys, so that their approximate size is known.
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

/// The groups and columns that `--group-by` and `--aggregate` ask for.
public struct Grouping: Sendable {
  /// A computed part of the key.
  public struct KeyValue: Equatable, Sendable {
    /// The value.
    public var source: SourceExpression

    /// The name of its column; `nil` if it has to be made.
    public var title: String?

    /// The number of columns, patterns or ranges before it.
    public var place: Int

    /// The name of its column.
    var name: String {
      if let title { return title }
      let name = source.madeName
      // The parentheses are those of the option.
      return name.hasPrefix("(") ? String(name.dropFirst().dropLast()) : name
    }

    /// Creates a value that follows `place` other keys.
    public init(_ source: SourceExpression, title: String?, after place: Int) {
      self.source = source
      self.title = title
      self.place = place
    }
  }

  /// The columns that make the key; if there are none, and no values, all rows are one group.
  public var keys: ColumnList?

  /// The computed values of the key, in the order typed.
  public var values: [KeyValue]

  /// The columns that are computed from the rows of each group.
  public var aggregates: [Assignment]

  /// Creates a grouping.
  public init(by keys: ColumnList?, values: [KeyValue] = [], aggregates: [Assignment]) {
    self.keys = keys
    self.values = values
    self.aggregates = aggregates
  }
}

extension PlannedStep.Work {
  static let group = Self(rawValue: "--group-by")
  static let aggregate = Self(rawValue: "--aggregate")
}

extension Grouper {
  /// Keys and aggregates are the columns of the query from then on.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    guard let grouping = plan.grouping, plan.pivot == nil else { return }
    let hasKeys = grouping.keys != nil || !grouping.values.isEmpty
    let work = hasKeys ? PlannedStep.Work.group : PlannedStep.Work.aggregate
    if !query.left.isEmpty { return query.leave(work.rawValue) }
    let grouper = try Grouper(grouping, budget: plan.memory, Tuning(), &query.binder)
    let names = grouper.schema.columns.map(\.name)
    var (row, keys): (GroupRow, [Query.GroupKey]) = (GroupRow(), [])
    var values = grouping.values[...]
    for (place, key) in grouper.keys.enumerated() {
      if let column = key.column {
        if !column.path.isEmpty || !column.longer.isEmpty { throw .query(.partOfCell("--group-by")) }
        row.columns[column] = place
        keys.append(.column(column.index))
      } else if let value = values.popFirst() {
        row.values[ExactName(names[place])] = .key(place)
        keys.append(.value(value.source))
      }
    }
    let schema = grouper.schema
    let isAsked = try query.ask(work.rawValue) { (query) throws(ExpressionError) in
      try query.group(keys, grouping.aggregates, schema, row)
    }
    if isAsked { plan.grouping = nil }
  }
}
