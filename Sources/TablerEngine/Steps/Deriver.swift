/// Adds columns whose cells are computed from the others of their row: `--derive`.
///
/// A batch that is cut again gets its computed cells again. One whose cells take more than there is room for is taken
/// in parts: what comes out does not depend on how much was read together.
struct Deriver: RowStep {
  /// A column that is computed.
  fileprivate struct Column {
    /// Its name.
    var name: String
    /// Where it stands in a batch.
    var index: Int
    /// Its value.
    var value: Program
    /// The rows that have one; all of them where there is none.
    var condition: Program?
  }

  private var columns: [Column] = []

  /// What the values left behind, then what the conditions did.
  private(set) var states: [EvaluationState] = []

  /// The rows that had a cell of their own in a column, and the first of them.
  private var replaced: [(count: Int, first: RowPlace)?] = []

  /// The bytes that the computed cells of a row may take.
  fileprivate let room: Int

  /// The rows that are tried at once: half as many where there was no room for their cells, then twice as many again.
  private var mostRows = Int.max

  /// A row whose cells alone take more than there is room for.
  private var overflow: RowPlace?

  /// The bytes that the computed cells of a row may take with next to no budget.
  private static let leastRoom = 32 << 20

  /// The bytes that the computed cells of several rows may take together.
  private static let sharedRoom = 8 << 20

  /// Binds the values and adds the columns, each of which may be used by those after it.
  ///
  /// - Parameter budget: the bytes that rows may take.
  init(_ assignments: [Assignment], budget: Int, _ binder: inout Binder) throws(ExpressionError) {
    room = max(budget / 4, Self.leastRoom)
    for assignment in assignments {
      let value = try binder.bind(assignment.value)
      var condition: Program?
      if let source = assignment.condition { condition = try binder.bind(condition: source) }
      guard let index = binder.schema.derive(name: assignment.column) else {
        throw assignment.value.error(.columnExists(assignment.column), at: assignment.range)
      }
      columns.append(Column(name: assignment.column, index: index, value: value, condition: condition))
    }
    states =
      columns.map(\.value.stepState) + columns.map { $0.condition?.stepState ?? EvaluationState(slots: []) }
    replaced = columns.map { _ in nil }
  }

  /// A value may tell where its row stands.
  var demands: StepDemands { columns.isEmpty ? [] : .places }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    columns.isEmpty ? [] : [PlannedStep(work: .derive, holding: .batch)]
  }

  func notices(_ sources: [Source]) -> [Notice] {
    zip(columns, replaced).compactMap { column, replaced in
      replaced.map {
        .replacedByDerived(
          column: column.name, count: $0.count,
          first: InputError.Place(path: sources[$0.first.source].path, line: $0.first.line))
      }
    }
  }

  func failure(_ sources: [Source]) -> Failure? {
    evaluationFailure(sources)
      ?? overflow.map {
        .input(.recordTooLong(InputError.Place(path: sources[$0.source].path, line: $0.line)))
      }
  }

  mutating func apply(to rows: inout BatchRows) {
    if columns.isEmpty { return }
    let before = self
    var count = min(rows.count, mostRows)
    while true {
      rows.takeFirst(count)
      let (batch, left) = derive(rows.batch, count: count, room: count > 1 ? Self.sharedRoom : room)
      if left >= 0 || count <= 1 {
        rows.batch = batch
        if left < 0 { overflow = RowPlace(0, of: batch) }
        if count == mostRows, left > Self.sharedRoom / 2 { mostRows *= 2 }
        for index in states.indices { rows.leaveOut(states[index].tally.takeRows()) }
        return
      }
      self = before
      count /= 2
      mostRows = count
    }
  }
}

extension Deriver {
  /// The batch with the computed cells of its first `count` rows, and how many bytes were left of the room for them;
  /// without some of the cells where these are less than none.
  fileprivate mutating func derive(_ batch: Batch, count: Int, room: Int) -> (batch: Batch, left: Int) {
    var (batch, room) = (batch, room)
    let cutting = batch.cutting
    for place in columns.indices {
      let computed = compute(place, batch, count: count, room: room)
      room = computed.room
      if room < 0 { return (batch, room) }
      let isLast = place == columns.count - 1
      batch = computed.finish(cutting: isLast ? cutting.map { deriving($0, count: count) } : nil)
    }
    return (batch, room)
  }

  /// Cuts records as before, and computes the cells of the first `count` again.
  private func deriving(_ cutting: Batch.Cutting, count: Int) -> Batch.Cutting {
    var cutting = cutting
    cutting.cutter = DerivingCutter(cutter: cutting.cutter, deriver: self, count: count)
    return cutting
  }

  /// The number of columns in a batch with the computed ones.
  fileprivate var columnCount: Int { (columns.last?.index ?? -1) + 1 }

  /// The cells of a column, in the first `count` rows.
  private mutating func compute(_ place: Int, _ batch: Batch, count: Int, room: Int) -> ComputedColumn {
    let column = columns[place]
    var rows = (0..<UInt32(truncatingIfNeeded: count)).map { $0 }
    column.condition?.filter(batch, rows: &rows, state: &states[columns.count + place])
    var computed = ComputedColumn(at: column.index, of: batch, count: count, room: room)
    let types = CellTypes(batch, of: column.value)
    let marks = column.value.context.marks
    var next = 0
    column.value.forEachValue(batch, rows: rows.span, state: &states[place]) { (value, evaluator) in
      for row in next..<evaluator.row { computed.set(.null, row: row, types, marks) }
      computed.set(value, row: evaluator.row, types, marks)
      next = evaluator.row + 1
    }
    for row in next..<count { computed.set(.null, row: row, types, marks) }
    if let (count, row) = computed.replaced {
      let first = replaced[place]?.first ?? RowPlace(row, of: batch)
      replaced[place] = (count + (replaced[place]?.count ?? 0), first)
    }
    return computed
  }
}

/// What is known of the types of computed cells.
struct CellTypes {
  /// Whether cells say of what type they are (JSON).
  let areKnown: Bool

  /// Whether a text may be a number, true or false that was read from a cell, not made.
  let mayBeRead: Bool

  /// Tells what is known of the values of a program.
  init(_ batch: Batch, of program: Program) {
    areKnown = batch.origin.dialect.form == .json
    if case .any = program.kind { mayBeRead = true } else { mayBeRead = false }
  }

  /// The kind of a text.
  func kind(of text: TextValue, in batch: Batch) -> Cell.Kind {
    guard areKnown, mayBeRead, !text.isString else { return .text }
    return switch JSONText.find([], in: text.bytes(in: batch))?.kind {
    case .number: .number
    case .bool: .bool
    default: .text
    }
  }
}

extension ComputedColumn {
  /// Gives a row its value.
  ///
  /// - Parameter marks: how numbers are written where cells do not say of what type they are.
  mutating func set(_ value: Value, row: Int, _ types: CellTypes, _ marks: NumberMarks) {
    let batch = batch
    switch value {
    case .null: set(row: row, kind: .null) { _ in }
    case .bool(let truth):
      set(row: row, kind: types.areKnown ? .bool : .text) { $0.append(truth ? "true" : "false") }
    case .number(let number):
      // What is no number to JSON is a text.
      let isFinite = if case .double(let value) = number { value.isFinite } else { true }
      set(row: row, kind: types.areKnown && isFinite ? .number : .text) {
        NumberWriter.append(number, marks: types.areKnown ? .standard : marks, to: &$0)
      }
    case .text(let text):
      set(text, row: row, kind: types.kind(of: text, in: batch))
    case .time(let time): set(row: row, kind: .text) { time.append(to: &$0) }
    case .duration(let duration): set(row: row, kind: .text) { duration.append(to: &$0) }
    case .list(let text): set(text, row: row, kind: .list)
    case .object(let text): set(text, row: row, kind: .object)
    }
  }

  private mutating func set(_ text: TextValue, row: Int, kind: Cell.Kind) {
    let batch = batch
    set(row: row, kind: kind, count: text.bytes(in: batch).count) { $0.append(text.bytes(in: batch)) }
  }
}

/// Cuts records and computes their columns again.
private struct DerivingCutter: BatchCutter {
  let cutter: any BatchCutter
  let deriver: Deriver

  /// The rows that have computed cells.
  let count: Int

  var columnCount: Int { max(cutter.columnCount, deriver.columnCount) }

  /// A value may tell where its row stands.
  var isOrderFree: Bool { false }

  func cut(_ block: ByteBlock, _ range: Range<Int>, origin: Batch.Origin) -> Batch? {
    // What is found out was found out before.
    var deriver = deriver
    guard let batch = cutter.cut(block, range, origin: origin), count <= batch.rowCount else { return nil }
    return deriver.derive(batch, count: count, room: deriver.room).batch
  }
}

/// A batch on the way to columns whose cells are computed, not read.
///
/// What such a cell says stands with the contents of escaped cells; its spelling in the input is empty.
struct ComputedColumn: ~Copyable {
  /// The batch without the column.
  let batch: Batch

  /// How many rows have a cell of their own in the column, and the first of them.
  private(set) var replaced: (count: Int, firstRow: Int)?

  private var index: Int
  private let width: Int
  private var cells: [Cell]
  private var escapes: [Escape]
  private var decoded: ByteBuffer

  /// How many bytes the contents may still take; below 0 where there was no room for one, which is missing then, as are
  /// those after it.
  private(set) var room: Int

  /// Begins with a missing cell in each row.
  ///
  /// - Parameters:
  ///   - end: the place after the last column, where more than one is computed.
  ///   - count: how many rows are wanted.
  ///   - room: how many bytes the contents of all cells may take.
  init(at index: Int, upTo end: Int? = nil, of batch: Batch, count: Int, room: Int) {
    self.room = room
    self.batch = batch
    self.index = index
    width = max(batch.columnCount, end ?? index + 1)
    cells = batch.cells(widenedTo: width)
    escapes = batch.escapes
    decoded = ByteBuffer(capacity: batch.decoded.count + 8 * batch.rowCount)
    copyDecoded()
    for row in 0..<batch.rowCount where cells[row * width + index].kind != .missing {
      if row < count {
        replaced = (count: (replaced?.count ?? 0) + 1, firstRow: replaced?.firstRow ?? row)
      }
      cells[row * width + index] = .missing
    }
  }

  /// Goes on to another column, which the batch does not have.
  mutating func goOn(to index: Int) { self.index = index }

  private mutating func copyDecoded() {
    let known = batch.decoded
    decoded.append(known.span)
  }

  /// Gives a row its cell.
  ///
  /// - Parameters:
  ///   - count: how many bytes it takes at least, as far as that is known before it is spelled.
  ///   - spell: appends what the cell says: at most `Cell.longest` bytes.
  mutating func set(row: Int, kind: Cell.Kind, count: Int = 0, _ spell: (inout ByteBuffer) -> Void) {
    if room >= 0, count > room { room = -1 }
    if room < 0 { return }
    let start = decoded.count
    spell(&decoded)
    let length = decoded.count - start
    room = decoded.count > Int(UInt32.max) ? -1 : room - length
    if room < 0 {
      decoded.truncate(to: start)
      return
    }
    let isPlain = decoded.span.extracting(start...).isPrintableASCII
    let cell = Cell(offset: escapes.count, length: length, kind: kind, isPlain: isPlain, isEscaped: true)
    cells[row * width + index] = cell
    let record = batch.recordStarts[row]
    escapes.append(Escape(rawOffset: record, rawLength: 0, offset: UInt32(truncatingIfNeeded: start)))
  }

  /// The batch with the column.
  ///
  /// - Parameter cutting: what makes it again of its bytes.
  consuming func finish(cutting: Batch.Cutting?) -> Batch {
    var origin = batch.origin
    let leading = origin.isVerbatim ? batch.columnCount : batch.leadingCells
    origin.isVerbatim = false
    return Batch(
      block: batch.block, decoded: ByteBlock(taking: &decoded), escapes: escapes, cells: cells,
      columnCount: width, recordStarts: batch.recordStarts, origin: origin, places: batch.places,
      cutting: cutting, leadingCells: index < leading ? 0 : leading)
  }
}

extension Batch {
  /// The notes on the cells, `width` to a record: those that are added are missing.
  fileprivate func cells(widenedTo width: Int) -> [Cell] {
    if width == columnCount { return cells }
    var widened: [Cell] = []
    widened.reserveCapacity(rowCount * width)
    for row in 0..<rowCount {
      widened.append(contentsOf: cells[row * columnCount..<(row + 1) * columnCount])
      for _ in columnCount..<width { widened.append(.missing) }
    }
    return widened
  }
}
