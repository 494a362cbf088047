/// Reads the records of a change list, and refuses what no table could make sense of.
struct ChangeListReader: ~Copyable {
  private let names: [String]

  /// The record that last named each column.
  private var namedIn: [Int] = []
  private var recordCount = 0

  /// The place of each column among those of ids; -1 for others.
  private var idPlaces: [Int] = []

  /// Whether the positions of the list are not those of the tables.
  private var isView = false

  /// The key that was read last.
  private var key = ByteBuffer()

  /// Reads a list with these members.
  init(_ schema: Schema) { names = schema.columns.map(\.name) }

  /// A record, as a row of a batch.
  private struct Record {
    let number: (batch: Int, row: Int)
    let batch: Batch
    let roles: ChangeRoles
    let place: InputError.Location

    /// What it says it is.
    var op = ""

    /// The cell of a role; `nil` if the record has none.
    func cell(_ role: ChangeRole) -> Cell? {
      guard let column = roles.column(of: role) else { return nil }
      let cell = batch.cell(row: number.row, column: column)
      return cell.kind == .missing ? nil : cell
    }

    /// The failure to make sense of it.
    func failure(_ damage: ChangeListDamage) -> Failure { .changes(damage, place) }
  }

  /// Reads all records of a list.
  mutating func read(_ list: inout ChangeList) throws(Failure) {
    for (number, batch) in list.batches.enumerated() {
      var last = (row: 0, line: batch.rowCount > 0 ? batch.line(ofRow: 0) : 0)
      for row in 0..<batch.rowCount {
        last = (row, batch.line(ofRow: row, from: last))
        var record = Record(
          number: (number, row), batch: batch, roles: list.roles,
          place: InputError.Location(path: list.source.path, line: last.line))
        guard let op = record.cell(.op), op.kind == .text else { throw record.failure(.unknownKind(nil)) }
        record.op = batch.text(op)
        recordCount += 1
        try read(record, into: &list)
      }
    }
    if recordCount == 0 {
      throw .changes(.noColumns, InputError.Location(path: list.source.path, line: 1))
    }
    try order(&list)
  }

  private mutating func read(_ record: Record, into list: inout ChangeList) throws(Failure) {
    if recordCount == 1 {
      guard record.op == "columns" else { throw record.failure(.noColumns) }
      return try readColumns(record, &list)
    }
    let kind: ChangeList.Kind
    switch record.op {
    case "move": kind = .move
    case "update": kind = .update
    case "insert": kind = list.isReversed ? .delete : .insert
    case "delete": kind = list.isReversed ? .insert : .delete
    case "columns": throw record.failure(.columnsAgain)
    default: throw record.failure(.unknownKind(record.op))
    }
    try readChange(record, kind, &list)
  }

  /// Refuses members that a record of this kind does not have.
  private func refuse(_ record: Record, besides known: [ChangeRole]) throws(Failure) {
    let (batch, row) = (record.batch, record.number.row)
    for index in batch.cellIndices(ofRow: row) where batch.cells[index].kind != .missing {
      let column = batch.column(ofCell: index, row: row)
      if let role = record.roles.ofColumns[column], known.contains(role) { continue }
      throw record.failure(.unknownMember(names[column], of: record.op))
    }
  }

  /// Reads the names of the columns.
  private mutating func readColumns(_ record: Record, _ list: inout ChangeList) throws(Failure) {
    try refuse(record, besides: [.op, .old, .new, .view])
    if let view = record.cell(.view) {
      guard view.kind == .bool else { throw record.failure(.wrongMember("view", .truth)) }
      isView = record.batch.content(view).equals("true")
    }
    let old = try readNames(record, list.isReversed ? .new : .old)
    let new = try readNames(record, list.isReversed ? .old : .new)
    for name in old {
      _ = list.names.insert(name.utf8.span)
      list.columns.append(ChangeList.ListedColumn(name: name, isOld: true))
    }
    for name in new {
      let (number, isNew) = list.names.insert(name.utf8.span)
      if isNew { list.columns.append(ChangeList.ListedColumn(name: name)) }
      list.columns[number].isNew = true
    }
    if !old.elementsEqual(new, by: { ExactName($0) == ExactName($1) }) { list.newNames = new }
    namedIn = Array(repeating: 0, count: list.columns.count)
    idPlaces = Array(repeating: -1, count: list.columns.count)
  }

  private func readNames(_ record: Record, _ role: ChangeRole) throws(Failure) -> [String] {
    guard let cell = record.cell(role) else {
      throw record.failure(.missingMember(role.name, of: record.op))
    }
    let text = record.batch.content(cell)
    guard cell.kind == .list, let value = JSONText.find([], in: text) else {
      throw record.failure(.wrongMember(role.name, .names))
    }
    var known: Set<ExactName> = []
    var names: [String] = []
    for item in JSONText.items(of: value, text) {
      guard item.kind == .text else { throw record.failure(.wrongMember(role.name, .names)) }
      let name = JSONText.name(item, text)
      guard known.insert(ExactName(name)).inserted else { throw record.failure(.repeatedName(name)) }
      names.append(name)
    }
    return names
  }
}

// MARK: - Changes

extension ChangeListReader {
  /// The members that a record of each kind may have.
  private static let ofMove: [ChangeRole] = [.op, .id, .from, .to, .section, .ours]
  private static let ofUpdate: [ChangeRole] = [.op, .id, .cells, .section, .ours]
  private static let ofInsert: [ChangeRole] = [.op, .id, .to, .row, .section, .ours]
  private static let ofDelete: [ChangeRole] = [.op, .id, .from, .row, .section, .ours]

  private mutating func readChange(
    _ record: Record, _ kind: ChangeList.Kind, _ list: inout ChangeList
  ) throws(Failure) {
    let hasID = record.cell(.id) != nil
    var (from, to) = (0, 0)
    switch record.op {
    case "move":
      try refuse(record, besides: hasID ? Self.ofMove : Self.ofMove + [.row])
      from = try position(record, list.isReversed ? .to : .from)
      to = try position(record, list.isReversed ? .from : .to)
    case "update": try refuse(record, besides: Self.ofUpdate)
    case "insert":
      try refuse(record, besides: Self.ofInsert)
      let place = try position(record, .to)
      if list.isReversed { from = place } else { to = place }
    default:
      try refuse(record, besides: Self.ofDelete)
      let place = try position(record, .from)
      if list.isReversed { to = place } else { from = place }
    }
    if isView, kind == .move || kind == .insert { throw .changesOfView(record.place) }
    let number = list.changes.count
    let key = try readKey(record, hasID, number, &list)
    switch kind {
    case .update: try checkCells(record, &list)
    case .insert: try checkRow(record, hasID, isNew: true, &list)
    case .delete: try checkRow(record, hasID, isNew: false, &list)
    case .move: if !hasID { try checkRow(record, hasID, isNew: false, &list) }
    }
    list.changes.append(
      ChangeList.Change(
        kind: kind, batch: UInt32(truncatingIfNeeded: record.number.batch),
        row: UInt32(truncatingIfNeeded: record.number.row), line: record.place.line, from: from, to: to,
        key: key))
    if key >= 0 { try add(record, kind, number, toKey: key, &list) }
  }

  /// The position of a row, counted from 1.
  private func position(_ record: Record, _ role: ChangeRole) throws(Failure) -> Int {
    guard let cell = record.cell(role) else {
      throw record.failure(.missingMember(role.name, of: record.op))
    }
    guard cell.kind == .number, let number = Int(record.batch.text(cell)), number > 0 else {
      throw record.failure(.wrongMember(role.name, .position))
    }
    return number
  }

  /// The cell of an object that a record has.
  private func object(_ record: Record, _ role: ChangeRole) throws(Failure) -> Cell {
    guard let cell = record.cell(role) else {
      throw record.failure(.missingMember(role.name, of: record.op))
    }
    guard cell.kind == .object else { throw record.failure(.wrongMember(role.name, .object)) }
    return cell
  }

  /// The number of the id of a change; -1 if rows have none.
  private mutating func readKey(
    _ record: Record, _ hasID: Bool, _ number: Int, _ list: inout ChangeList
  ) throws(Failure) -> Int {
    // All changes have one, or none has.
    let wantsID = number == 0 ? hasID : !list.idColumns.isEmpty
    guard hasID else {
      if wantsID || record.op == "update" { throw record.failure(.missingMember("id", of: record.op)) }
      return -1
    }
    if !wantsID { throw record.failure(.otherID) }
    let text = record.batch.content(try object(record, .id))
    var members = JSONMembers(ofWholeText: text)
    var values: [JSONScanner.Value?] = list.idColumns.map { _ in nil }
    while let (name, value) = members.next(text) {
      let column = try column(name, text, record, list)
      if number == 0, idPlaces[column] < 0 {
        idPlaces[column] = list.idColumns.count
        list.idColumns.append(column)
        values.append(nil)
      }
      let place = idPlaces[column]
      guard place >= 0, values[place] == nil else { throw record.failure(.otherID) }
      values[place] = value
    }
    if values.isEmpty { throw record.failure(.otherID) }
    key.removeAll()
    for value in values {
      guard let value else { throw record.failure(.otherID) }
      let start = key.beginPart(ofKey: list.idColumns.count)
      key.append(textOf: value, text)
      key.endPart(from: start)
    }
    let (found, isNew) = list.keys.insert(key.span)
    if isNew { list.rowChanges.append(ChangeList.RowChanges()) }
    return found
  }

  /// The number of a column, named once in a record.
  private mutating func column(
    _ name: JSONScanner.Value, _ text: Span<UInt8>, _ record: Record, _ list: ChangeList
  ) throws(Failure) -> Int {
    guard let number = list.number(ofColumn: name, text) else {
      throw record.failure(.unknownColumn(JSONText.name(name, text)))
    }
    return number
  }

  /// Adds a change to those of its row.
  private func add(
    _ record: Record, _ kind: ChangeList.Kind, _ number: Int, toKey key: Int, _ list: inout ChangeList
  ) throws(Failure) {
    let known = list.rowChanges[key]
    // A row may be moved and updated; one may go where another comes.
    let others =
      switch kind {
      case .move: [known.move, known.insert, known.delete]
      case .update: [known.update, known.insert, known.delete]
      case .insert: [known.insert, known.move, known.update]
      case .delete: [known.delete, known.move, known.update]
      }
    if let first = others.first(where: { $0 >= 0 }) {
      throw record.failure(.rowAgain(line: list.place(of: Int(first)).line))
    }
    let number = Int32(truncatingIfNeeded: number)
    switch kind {
    case .move: list.rowChanges[key].move = number
    case .update: list.rowChanges[key].update = number
    case .insert: list.rowChanges[key].insert = number
    case .delete: list.rowChanges[key].delete = number
    }
  }

  /// Checks the names in the row of a change, and that it is the row of its id.
  private mutating func checkRow(
    _ record: Record, _ hasID: Bool, isNew: Bool, _ list: inout ChangeList
  ) throws(Failure) {
    let text = record.batch.content(try object(record, .row))
    var members = JSONMembers(ofWholeText: text)
    var values: [JSONScanner.Value?] = list.idColumns.map { _ in nil }
    while let (name, value) = members.next(text) {
      let number = try column(name, text, record, list)
      guard isNew ? list.columns[number].isNew : list.columns[number].isOld else {
        throw record.failure(.unknownColumn(list.columns[number].name))
      }
      try nameOnce(number, record, list)
      if isNew { list.columns[number].isWritten = true }
      if hasID, idPlaces[number] >= 0 { values[idPlaces[number]] = value }
    }
    guard hasID else { return }
    var own = ByteBuffer()
    for value in values {
      let start = own.beginPart(ofKey: values.count)
      if let value { own.append(textOf: value, text) }
      own.endPart(from: start)
    }
    if !own.span.equals(key.span) { throw record.failure(.idOfOtherRow) }
  }

  /// Checks the names in the cells of an update, and that each has an old value, a new one or both.
  private mutating func checkCells(_ record: Record, _ list: inout ChangeList) throws(Failure) {
    let text = record.batch.content(try object(record, .cells))
    var members = JSONMembers(ofWholeText: text)
    while let (name, value) = members.next(text) {
      let number = try column(name, text, record, list)
      try nameOnce(number, record, list)
      guard value.kind == .object else {
        throw record.failure(.wrongMember(list.columns[number].name, .object))
      }
      var sides = JSONMembers(of: value, text)
      var (hasOld, hasNew) = (false, false)
      while let (side, _) = sides.next(text) {
        let isOld = JSONText.isNamed("old", side, text)
        guard isOld || JSONText.isNamed("new", side, text) else {
          throw record.failure(.unknownMember(JSONText.name(side, text), of: list.columns[number].name))
        }
        if isOld ? hasOld : hasNew { throw record.failure(.repeatedName(isOld ? "old" : "new")) }
        if isOld { hasOld = true } else { hasNew = true }
      }
      list.columns[number].isWritten = true
      if !hasOld, !hasNew { throw record.failure(.missingMember("new", of: list.columns[number].name)) }
    }
  }

  private mutating func nameOnce(_ number: Int, _ record: Record, _ list: ChangeList) throws(Failure) {
    if namedIn[number] == recordCount { throw record.failure(.repeatedName(list.columns[number].name)) }
    namedIn[number] = recordCount
  }
}

extension ChangeListReader {
  /// Orders changes by their positions, each of which is that of one row.
  private func order(_ list: inout ChangeList) throws(Failure) {
    var slots: [Int] = []
    var origins: [Int] = []
    for (number, change) in list.changes.enumerated() {
      if change.kind == .insert || change.kind == .move { slots.append(number) }
      if change.key < 0, change.kind != .insert { origins.append(number) }
    }
    slots.sort { (list.changes[$0].to, $0) < (list.changes[$1].to, $1) }
    origins.sort { (list.changes[$0].from, $0) < (list.changes[$1].from, $1) }
    try refuseRepeated(slots, in: list, \.to)
    try refuseRepeated(origins, in: list, \.from)
    (list.slots, list.byPosition) = (slots, origins)
  }

  private func refuseRepeated(
    _ ordered: [Int], in list: ChangeList, _ position: KeyPath<ChangeList.Change, Int>
  ) throws(Failure) {
    for (first, second) in zip(ordered, ordered.dropFirst()) {
      let place = list.changes[first][keyPath: position]
      if place != list.changes[second][keyPath: position] { continue }
      throw .changes(.positionAgain(place, line: list.place(of: first).line), list.place(of: second))
    }
  }
}

extension ByteBuffer {
  /// Begins a part of a key of `count` parts: it comes after its length, unless it is the only one.
  ///
  /// - Returns: where its length is; `nil` if it has none.
  mutating func beginPart(ofKey count: Int) -> Int? {
    guard count > 1 else { return nil }
    let start = self.count
    for _ in 0..<8 { append(0) }
    return start
  }

  /// Ends the part that begins at `start`.
  mutating func endPart(from start: Int?) {
    guard let start else { return }
    var length = count - start - 8
    for index in start..<start + 8 {
      self[index] = UInt8(truncatingIfNeeded: length)
      length >>= 8
    }
  }
}
