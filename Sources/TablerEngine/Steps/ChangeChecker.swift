/// Finds the changes of rows in a list, and judges whether they fit: what they expect must be there, and a guard must
/// allow them.
struct ChangeChecker {
  /// What becomes of a change.
  private enum Fate: UInt8 {
    /// Its row has not come.
    case pending
    case fits
    case rejected
    /// A guard left the row as it is.
    case refused
    /// What it does is done already, and changes that do not fit are left out.
    case done
  }

  /// The changes of the rows of a batch, in the order of these.
  struct Found {
    var updates: [(row: UInt32, change: Int)] = []
    var moves: [(row: UInt32, change: Int)] = []
    var deletions: [(row: UInt32, change: Int)] = []

    /// The rows in which a cell that a guard reads does not convert, if such rows are left out.
    var misfits: [UInt32] = []

    /// The rows that do not stay where they are.
    var leaving: [UInt32] { (moves.map(\.row) + deletions.map(\.row) + misfits).sorted() }
  }

  private let list: ChangeList
  private let sources: [Source]

  /// The column in a batch of each column of the list, and the reverse.
  let indices: [Int]
  private let numbers: [Int: Int]

  /// The columns of a row in the file of `--rejects`, if the records do not name their own.
  private let names: [(name: String, index: Int)]

  /// The marks of numbers.
  let marks: NumberMarks

  /// Whether changes that do not fit are left out.
  private let leavesOut: Bool

  /// The conditions for rows that may be changed, moved or dropped.
  private var canEdit: RowGuard?
  private var canMove: RowGuard?
  private var canDelete: RowGuard?

  /// What becomes of each change.
  private var fates: [Fate]

  /// The number of the row that has each id, counted from 1; 0 if none has come.
  private var rowNumbers: [Int]

  /// The number of the empty id among the keys of the list, if it is one.
  private let emptyKey: Int?

  /// Passes over most rows that no change is about.
  private let filter: KeyFilter

  /// The number of changes by position whose rows came.
  private var passed = 0

  /// The columns of the list that the table is to lose, if changes of different tables are brought together: it may hold
  /// what the list does not know.
  private let dropped: [Int]

  /// The rows of the batch that a change is about which does not fit: what they hold is in the file of `--rejects`.
  private var rejectedRows: Set<UInt32> = []

  /// The change that last named each column of the list.
  private var namedIn: [Int]

  /// The changes that do not fit.
  private(set) var misfits: ChangeMisfits

  /// The number of rows that came.
  private(set) var rowCount = 0

  /// Binds a list to the columns of the input, which get those that come.
  init(_ list: ChangeList, _ plan: borrowing Plan, _ binder: inout Binder) throws(Failure) {
    self.list = list
    sources = plan.sources
    marks = plan.marks
    leavesOut = plan.replay?.rejects != nil
    names = binder.schema.shown.map { [columns = binder.schema.columns] in (columns[$0].name, $0) }
    indices = try list.bind(&binder.schema)
    numbers = Dictionary(zip(indices, indices.indices)) { first, _ in first }
    fates = Array(repeating: .pending, count: list.changes.count)
    rowNumbers = Array(repeating: 0, count: list.keys.count)
    emptyKey = list.keys.number(of: ByteBuffer().span)
    filter = KeyFilter(list.keys)
    namedIn = Array(repeating: -1, count: list.columns.count)
    dropped =
      list.newNames == nil || !leavesOut || list.idColumns.isEmpty && !list.changes.isEmpty
      ? [] : list.columns.indices.filter { list.columns[$0].isOld && !list.columns[$0].isNew }
    misfits = ChangeMisfits(total: list.changes.count, keeps: leavesOut, room: max(plan.memory / 4, 16 << 20))
    do {
      let kinds = Set(list.changes.lazy.map(\.kind))
      if kinds.contains(.update) { canEdit = try RowGuard(plan.canEdit, &binder) }
      if kinds.contains(.move) { canMove = try RowGuard(plan.canMove, &binder) }
      if kinds.contains(.delete) { canDelete = try RowGuard(plan.canDelete, &binder) }
    } catch { throw .expression(error) }
  }

  /// The evaluation states of the guards.
  var states: [EvaluationState] { [canEdit, canMove, canDelete].compactMap { $0?.state } }

  /// The notices about changes that do not fit, and rows that a guard left as they are.
  func notices(_ sources: [Source]) -> [Notice] {
    let guards: [(RowGuard?, GuardedOperation)] = [(canEdit, .edit), (canDelete, .delete), (canMove, .move)]
    return misfits.notices(sources)
      + guards.flatMap { $0?.refusals.notices($1, sources) ?? [] }
  }

  /// Whether a change fits, as far as is known.
  func fits(_ change: Int) -> Bool { fates[change] == .fits }

  /// The number of columns up to the last one of the list.
  var width: Int { (indices.max() ?? 0) + 1 }
}

extension ChangeList {
  /// The columns in a batch of those of the list.
  fileprivate func bind(_ schema: inout Schema) throws(Failure) -> [Int] {
    var indices: [Int] = []
    for column in columns {
      if schema.isOpen, column.isWritten || newNames != nil,
        let index = schema.markGiven(name: column.name)
      {
        if column.isWritten { _ = schema.change(name: column.name) }
        indices.append(index)
      } else if let position = column.position, schema.shown.indices.contains(position - 1),
        schema.columns[schema.shown[position - 1]].name.isEmpty
      {
        indices.append(schema.shown[position - 1])
      } else if let index = schema.index(of: column.name) {
        if column.isWritten { _ = schema.change(name: column.name) }
        indices.append(index)
      } else if schema.isOpen {
        indices.append(schema.want(name: column.name))
      } else if !column.isOld, let index = schema.derive(name: column.name) {
        indices.append(index)
      } else {
        var suggestion: String?
        if case .notFound(_, let nearest?, _) = schema.notFound(column.name), !nearest.isEmpty {
          suggestion = nearest
        }
        throw .changes(.columnNotThere(column.name, suggestion: suggestion), place(ofRow: 0, of: 0))
      }
    }
    return indices
  }
}

// MARK: - Finding

extension ChangeChecker {
  /// Finds the changes of the rows of a batch, and judges whether they fit.
  mutating func check(_ batch: Batch) throws(Failure) -> Found {
    var found = Found()
    rejectedRows = []
    if list.idColumns.isEmpty {
      checkPositions(batch, &found)
    } else {
      checkIDs(batch, &found)
    }
    judge(&found.updates, \.canEdit, batch, &found.misfits)
    judge(&found.moves, \.canMove, batch, &found.misfits)
    judge(&found.deletions, \.canDelete, batch, &found.misfits)
    try checkDropped(found, batch)
    rowCount += batch.rowCount
    try checkRoom()
    return found
  }

  /// Ends the input: changes whose rows did not come do not fit.
  mutating func finish() throws(Failure) {
    let isKeyedMerge = leavesOut && !list.idColumns.isEmpty
    for change in list.changes.indices where fates[change] == .pending {
      switch list.changes[change].kind {
      case .insert: fates[change] = .fits
      case .delete where isKeyedMerge, .move where isKeyedMerge: fates[change] = .done
      default:
        fates[change] = .rejected
        misfits.add(change, in: list, .gone, ours: Array("null".utf8))
      }
    }
    try checkRoom()
  }

  /// Fails if what is there instead of changes does not fit into memory.
  private func checkRoom() throws(Failure) {
    if misfits.room < 0 { throw .changesTooLarge(path: list.source.path) }
  }

  /// Finds the changes of rows by their ids.
  private mutating func checkIDs(_ batch: Batch, _ found: inout Found) {
    let (keys, columns) = (list.keys, list.idColumns.map { indices[$0] })
    if keys.count == 0 { return }
    if columns.count == 1 {
      for row in 0..<batch.rowCount {
        let cell = batch.cell(row: row, column: columns[0])
        var key = emptyKey
        if !cell.isNull {
          let hash = keys.hash(batch.content(cell))
          // Most rows do not change.
          if !filter.passes(hash) { continue }
          key = keys.number(of: batch.content(cell), hash: hash)
        }
        if let key { meet(key, row, batch, &found) }
      }
      return
    }
    var key = ByteBuffer()
    for row in 0..<batch.rowCount {
      key.removeAll()
      for column in columns {
        let cell = batch.cell(row: row, column: column)
        let start = key.beginPart(ofKey: columns.count)
        if !cell.isNull { key.append(batch.content(cell)) }
        key.endPart(from: start)
      }
      if let key = keys.number(of: key.span) { meet(key, row, batch, &found) }
    }
  }

  /// Judges the changes of a row that has an id of the list.
  private mutating func meet(_ key: Int, _ row: Int, _ batch: Batch, _ found: inout Found) {
    let changes = list.rowChanges[key]
    let number = UInt32(truncatingIfNeeded: row)
    if rowNumbers[key] > 0 {
      // Which of the two was meant is not known.
      for change in [changes.update, changes.move, changes.delete, changes.insert] where change >= 0 {
        if fates[Int(change)] != .rejected {
          reject(Int(change), .repeated(row: rowNumbers[key]), row, of: batch)
        }
      }
      return
    }
    rowNumbers[key] = rowCount + row + 1
    if changes.update >= 0 {
      let change = Int(changes.update)
      if fits(update: change, row, of: batch) { found.updates.append((number, change)) }
    }
    if changes.move >= 0 {
      fates[Int(changes.move)] = .fits
      found.moves.append((number, Int(changes.move)))
    }
    if changes.delete >= 0 {
      let change = Int(changes.delete)
      if fits(wholeRowOf: change, row, of: batch) { found.deletions.append((number, change)) }
    }
    if changes.insert >= 0, changes.delete < 0 || fates[Int(changes.delete)] != .fits {
      let change = Int(changes.insert)
      if leavesOut, changes.delete < 0, difference(wholeRowOf: change, row, of: batch) == nil {
        fates[change] = .done
      } else {
        reject(change, .present, row, of: batch)
      }
    }
  }

  /// Fails if a row has something in a column that the table is to lose, and no change is about it.
  private func checkDropped(_ found: Found, _ batch: Batch) throws(Failure) {
    if dropped.isEmpty { return }
    let gone = rejectedRows.union(found.deletions.map(\.row))
    let updates = Dictionary(found.updates.map { ($0.row, $0.change) }) { first, _ in first }
    for row in 0..<batch.rowCount where !gone.contains(UInt32(row)) {
      for number in dropped {
        let cell = batch.cell(row: row, column: indices[number])
        if cell.isNull || cell.length == 0 { continue }
        if let change = updates[UInt32(row)], list.updates(number, in: change) { continue }
        let place = InputError.Location(RowPlace(row, of: batch), sources)
        throw .changes(
          .droppedColumnHolds(list.columns[number].name, batch.content(cell).beginning, place),
          list.place(ofRow: 0, of: 0))
      }
    }
  }

  /// Finds the changes of rows by their positions.
  private mutating func checkPositions(_ batch: Batch, _ found: inout Found) {
    while passed < list.byPosition.count {
      let change = list.byPosition[passed]
      let row = list.changes[change].from - 1 - rowCount
      if row >= batch.rowCount { return }
      passed += 1
      guard fits(wholeRowOf: change, row, of: batch) else { continue }
      if list.changes[change].kind == .move {
        found.moves.append((UInt32(truncatingIfNeeded: row), change))
      } else {
        found.deletions.append((UInt32(truncatingIfNeeded: row), change))
      }
    }
  }

  /// Keeps the changes of rows that a guard allows.
  private mutating func judge(
    _ changes: inout [(row: UInt32, change: Int)], _ guarding: WritableKeyPath<ChangeChecker, RowGuard?>,
    _ batch: Batch,
    _ misfits: inout [UInt32]
  ) {
    if changes.isEmpty || self[keyPath: guarding] == nil { return }
    let rows = changes.map(\.row)
    let allowed = self[keyPath: guarding]?.allowed(rows, of: batch) ?? []
    let left = self[keyPath: guarding]?.takeMisfits() ?? []
    let refused = rows.without(allowed)
    self[keyPath: guarding]?.countRefused(refused, of: batch)
    if refused.isEmpty { return }
    let unwanted = Set(refused)
    for (row, change) in changes where unwanted.contains(row) {
      fates[change] = .refused
      // What was to take its place finds it there.
      let key = list.changes[change].key
      if list.changes[change].kind == .delete, key >= 0, list.rowChanges[key].insert >= 0 {
        reject(Int(list.rowChanges[key].insert), .present, Int(row), of: batch)
      }
    }
    changes.removeAll { unwanted.contains($0.row) }
    misfits += left
  }
}

// MARK: - Comparing

extension ChangeChecker {
  /// Whether a row holds all old values of an update.
  private mutating func fits(update change: Int, _ row: Int, of batch: Batch) -> Bool {
    let (source, cell) = list.cell(of: change, .cells)
    let text = source.content(cell)
    var difference: ChangeMisfit.Cause?
    var ours = ByteBuffer()
    var scratch = ByteBuffer()
    var members = JSONMembers(ofWholeText: text)
    while let (name, value) = members.next(text) {
      guard let number = list.number(ofColumn: name, text) else { continue }
      let cell = batch.cell(row: row, column: indices[number])
      scratch.removeAll()
      let old = list.sides(of: value, text).old
      if let old { scratch.append(textOf: old, text) }
      if says(cell, batch, scratch.span, isNumber: old?.kind == .number) { continue }
      let unexpected = differs(number, cell, batch, expected: scratch.span)
      if leavesOut, let new = list.sides(of: value, text).new {
        scratch.removeAll()
        scratch.append(textOf: new, text)
        // An empty text and null are not told apart here.
        if !scratch.isEmpty, says(cell, batch, scratch.span, isNumber: new.kind == .number) { continue }
      }
      difference = difference ?? unexpected
      guard leavesOut else { break }
      ours.append(ours.isEmpty ? "{" : ",")
      ours.appendJSON(string: list.columns[number].name.utf8.span)
      ours.append(":")
      ours.append(json: cell, of: batch, marks)
    }
    guard let difference else {
      fates[change] = .fits
      return true
    }
    ours.append("}")
    fates[change] = .rejected
    rejectedRows.insert(UInt32(row))
    misfits.add(change, in: list, difference, row, of: batch, ours: ours.array())
    return false
  }

  /// Whether a row is the one that a change holds as a whole.
  private mutating func fits(wholeRowOf change: Int, _ row: Int, of batch: Batch) -> Bool {
    if let cause = difference(wholeRowOf: change, row, of: batch) {
      reject(change, cause, row, of: batch)
      return false
    }
    fates[change] = .fits
    return true
  }

  /// The first difference between a row and the one that a change holds as a whole.
  private mutating func difference(
    wholeRowOf change: Int, _ row: Int, of batch: Batch
  ) -> ChangeMisfit.Cause? {
    let (source, cell) = list.cell(of: change, .row)
    let text = source.content(cell)
    var scratch = ByteBuffer()
    var members = JSONMembers(ofWholeText: text)
    while let (name, value) = members.next(text) {
      guard let number = list.number(ofColumn: name, text) else { continue }
      namedIn[number] = change
      let cell = batch.cell(row: row, column: indices[number])
      scratch.removeAll()
      scratch.append(textOf: value, text)
      if says(cell, batch, scratch.span, isNumber: value.kind == .number) { continue }
      return differs(number, cell, batch, expected: scratch.span)
    }
    for index in batch.cellIndices(ofRow: row) where !batch.cells[index].isNull {
      guard let number = numbers[batch.column(ofCell: index, row: row)], list.columns[number].isOld,
        namedIn[number] != change, batch.cells[index].length > 0
      else { continue }
      return differs(number, batch.cells[index], batch, expected: ByteBuffer().span)
    }
    return nil
  }

  /// Whether a cell says a recorded text: null, an empty cell and none are alike.
  private func says(_ cell: Cell, _ batch: Batch, _ text: Span<UInt8>, isNumber: Bool) -> Bool {
    if cell.isNull { return text.isEmpty }
    if batch.content(cell).equals(text) { return true }
    guard isNumber, marks != .standard, batch.origin.dialect.form != .json else { return false }
    var number = ByteBuffer()
    return number.appendJSON(number: batch.content(cell), marks) && number.span.equals(text)
  }

  /// The difference between a cell and a recorded text.
  private func differs(
    _ number: Int, _ cell: Cell, _ batch: Batch, expected: Span<UInt8>
  ) -> ChangeMisfit.Cause {
    .differs(
      column: list.columns[number].name,
      found: cell.isNull ? [] : batch.content(cell).beginning, expected: expected.beginning)
  }

  /// Records that a change does not fit, and the row that is there instead.
  private mutating func reject(_ change: Int, _ cause: ChangeMisfit.Cause, _ row: Int, of batch: Batch) {
    fates[change] = .rejected
    rejectedRows.insert(UInt32(row))
    var ours = ByteBuffer()
    if leavesOut { ours.append(row: row, of: batch, names, marks) }
    misfits.add(change, in: list, cause, row, of: batch, ours: ours.array())
  }
}

extension Span<UInt8> {
  /// As much of a text as a message may quote.
  fileprivate var beginning: [UInt8] { Array(copying: extracting(first: 256)) }
}

extension ByteBuffer {
  /// Appends a row as an object of JSON: its record if that is one, otherwise its cells.
  fileprivate mutating func append(
    row: Int, of batch: Batch, _ names: [(name: String, index: Int)], _ marks: NumberMarks
  ) {
    let start = Int(batch.recordStarts[row])
    if batch.origin.dialect.form == .json, batch.origin.dialect.holdsObjects {
      let text = batch.block.span(from: start, count: Int(batch.recordStarts[row + 1]) - start, heldBy: batch)
      if let object = text.firstObject {
        return JSONText.compact(text.extracting(object.start..<object.end), into: &self)
      }
    }
    append("{")
    var isFirst = true
    for (name, index) in names {
      let cell = batch.cell(row: row, column: index)
      if cell.kind == .missing { continue }
      if !isFirst { append(",") }
      isFirst = false
      appendJSON(string: name.utf8.span)
      append(":")
      append(json: cell, of: batch, marks)
    }
    append("}")
  }

  /// Appends a cell as a value of JSON.
  fileprivate mutating func append(json cell: Cell, of batch: Batch, _ marks: NumberMarks) {
    let content = batch.content(cell)
    switch cell.kind {
    case .missing, .null, .empty: append("null")
    case .number, .bool, .list, .object: append(content)
    case .text:
      let isText = batch.isText(cell)
      if !isText, content.equals("true") || content.equals("false") { return append(content) }
      if !isText, marks == .standard, content.isJSONNumber { return append(content) }
      if !isText, marks != .standard, appendJSON(number: content, marks) { return }
      appendJSON(string: content)
    }
  }
}
