/// A list of changes that is replayed over a table: `--apply`, and the options about it.
public struct ChangeReplay: Equatable, Sendable {
  /// Where the list is.
  public var source: Source
  /// `--reverse`: whether the changes are undone.
  public var isReversed: Bool
  /// `--rejects`: the file for changes that do not fit; without one all must fit.
  public var rejects: FilePath?

  /// Creates a replay.
  public init(_ source: Source, isReversed: Bool, rejects: FilePath?) {
    self.source = source
    self.isReversed = isReversed
    self.rejects = rejects
  }
}

/// The changes between two tables, as `--diff` writes them, in memory; reversed, those back.
///
/// It keeps the records as they were read. Of a change it knows where it is and which row it is about; its values
/// are read when that row comes.
struct ChangeList: Sendable {
  /// What becomes of a row.
  enum Kind: UInt8, Sendable {
    case move
    case update
    case insert
    case delete
  }

  /// One change.
  struct Change: Sendable {
    /// What becomes of the row.
    let kind: Kind

    /// The record, as a row of one of `batches`.
    let batch: UInt32
    let row: UInt32

    /// Its line in the list.
    let line: Int

    /// The position of the row in the table before all changes, and after them; 0 if it has none there.
    let from: Int
    let to: Int

    /// The number of the id of the row among `keys`; -1 if rows have no ids.
    let key: Int
  }

  /// The changes of one row, as indices into `changes`; -1 for none.
  struct RowChanges: Sendable {
    var move: Int32 = -1
    var update: Int32 = -1
    var insert: Int32 = -1
    var delete: Int32 = -1
  }

  /// A column of the table before the changes, or after them.
  struct ListedColumn: Sendable {
    let name: String
    var isOld = false
    var isNew = false

    /// Whether changes give rows cells in it.
    var isWritten = false

    /// The position that its name stands for, if it may have no other: `@2`.
    var position: Int? { name.hasPrefix("@") ? Int(name.dropFirst()) : nil }

    /// The column, as an option names it.
    fileprivate var reference: ColumnReference {
      position.map { .position($0) } ?? .name(name, isQuoted: true)
    }
  }

  /// The columns of both tables.
  var columns: [ListedColumn] = []

  /// The names of the columns; each has the number of its column.
  var names = KeyTable()

  /// The names of the columns after the changes, in order; `nil` if these are the same as before.
  var newNames: [String]?

  /// The columns that identify a row; empty if rows are found by their positions.
  var idColumns: [Int] = []

  /// The changes, in the order of the list.
  var changes: [Change] = []

  /// The ids of rows, and the changes of each.
  var keys = KeyTable()
  var rowChanges: [RowChanges] = []

  /// The changes of rows without ids, in the order of the positions before the changes.
  var byPosition: [Int] = []

  /// The changes that give a row its position, in the order of these.
  var slots: [Int] = []

  /// Whether the changes are undone.
  let isReversed: Bool

  /// Where the list was read.
  let source: Source

  /// What there is to say of it.
  let notices: [InputNotice]

  /// The records.
  let batches: [Batch]

  /// The columns of the records by their roles.
  let roles: ChangeRoles

  /// The approximate bytes of what is known of a change.
  private static let changeSize = 3 * MemoryLayout<Change>.stride + 2 * MemoryLayout<RowChanges>.stride

  /// Reads the list of a replay, which may take half of the budget.
  init(_ replay: ChangeReplay, _ opening: SideFile.Opening) throws(Failure) {
    var room = opening.room(ofBudget: 2)
    var batches: [Batch] = []
    let file: SideFile
    do {
      file = try SideFile(replay.source, opening.ofJSON, room: &room) { batch, _ in
        batches.append(batch)
        return batch.rowCount * Self.changeSize
      }
    } catch { throw .input(error) }
    if room < 0 { throw .changesTooLarge(path: replay.source.path) }
    isReversed = replay.isReversed
    source = replay.source
    notices = file.notices.filter { if case .loneObject = $0 { false } else { true } }
    roles = ChangeRoles(file.schema)
    self.batches = batches
    var reader = ChangeListReader(file.schema)
    try reader.read(&self)
  }

  /// Whether the table gets columns that it was read without.
  var addsColumns: Bool { addedColumnCount > 0 }

  /// The number of columns that the table was read without.
  var addedColumnCount: Int { columns.count { !$0.isOld } }

  /// The columns after the changes, and then those that the list does not name; `nil` if these are the same as before.
  var columnList: ColumnList? {
    guard let newNames else { return nil }
    let gone = columns.filter { !$0.isNew }
    return ColumnList(
      newNames.map { .init(.column(ListedColumn(name: $0).reference, title: nil)) } + [.init(.glob("*"))]
        + gone.map { .init(.column($0.reference, title: nil), isExcluded: true) })
  }

  /// Whether rows get other positions.
  var movesRows: Bool { slots.contains { changes[$0].kind == .move } }

  /// Whether rows are added.
  var insertsRows: Bool { slots.contains { changes[$0].kind == .insert } }

  /// The place of a record of the list.
  func place(ofRow row: Int, of batch: Int) -> InputError.Location {
    InputError.Location(path: source.path, line: batches[batch].line(ofRow: row))
  }

  /// The place of a change in the list.
  func place(of change: Int) -> InputError.Location {
    InputError.Location(path: source.path, line: changes[change].line)
  }

  /// The cell of a change that has its values, and its batch.
  func cell(of change: Int, _ role: ChangeRole) -> (batch: Batch, cell: Cell) {
    let batch = batches[Int(changes[change].batch)]
    guard let column = roles.column(of: role) else { return (batch, .missing) }
    return (batch, batch.cell(row: Int(changes[change].row), column: column))
  }

  /// The number of the column that a member is named after; `nil` if the list has none of this name.
  func number(ofColumn name: JSONScanner.Value, _ text: Span<UInt8>) -> Int? {
    if !name.isEscaped, let number = names.number(of: text.extracting(name.start..<name.end)) {
      return number
    }
    // Names are kept as texts, in which bytes that are not UTF-8 were replaced.
    return names.number(of: JSONText.name(name, text).utf8.span)
  }

  /// The two sides of a cell of an update: its values before and after the change; `nil` if the row has none there.
  func sides(of cell: JSONScanner.Value, _ text: Span<UInt8>) -> (
    old: JSONScanner.Value?, new: JSONScanner.Value?
  ) {
    var sides: (old: JSONScanner.Value?, new: JSONScanner.Value?) = (nil, nil)
    var members = JSONMembers(of: cell, text)
    while let (name, value) = members.next(text) {
      if JSONText.isNamed(isReversed ? "new" : "old", name, text) {
        sides.old = value
      } else {
        sides.new = value
      }
    }
    return sides
  }

  /// Whether an update names a column.
  func updates(_ column: Int, in change: Int) -> Bool {
    let (source, cell) = cell(of: change, .cells)
    let text = source.content(cell)
    var members = JSONMembers(ofWholeText: text)
    while let (name, _) = members.next(text) {
      if number(ofColumn: name, text) == column { return true }
    }
    return false
  }

  /// The bytes of a change as they came, without the end of their line.
  func record(of change: Int) -> [UInt8] {
    let (batch, row) = (batches[Int(changes[change].batch)], Int(changes[change].row))
    let start = Int(batch.recordStarts[row])
    let text = batch.block.span(from: start, count: Int(batch.recordStarts[row + 1]) - start, heldBy: batch)
    guard let object = text.firstObject else { return [] }
    return Array(copying: text.extracting(object.start..<object.end))
  }

  /// The id of a change as it is spelled in the list: names and values.
  func key(of change: Int) -> [RowKey] {
    let entry = changes[change]
    guard entry.key >= 0, let column = roles.column(of: .id) else { return [] }
    let batch = batches[Int(entry.batch)]
    let text = batch.content(batch.cell(row: Int(entry.row), column: column))
    var members = JSONMembers(ofWholeText: text)
    var key: [RowKey] = []
    while let (name, value) = members.next(text) {
      var buffer = ByteBuffer()
      buffer.append(textOf: value, text)
      key.append(RowKey(column: JSONText.name(name, text), text: buffer.array()))
    }
    return key
  }
}

extension Span<UInt8> {
  /// The first object in a record, which may have the commas and brackets of an array around it.
  var firstObject: JSONScanner.Value? {
    var start = 0
    while start < count, self[start] != UInt8(ascii: "{") { start &+= 1 }
    guard start < count else { return nil }
    var scanner = JSONScanner(at: start)
    return try? scanner.value(self)
  }
}

/// The members of a record of a change list.
enum ChangeRole: Int, CaseIterable, Sendable {
  case op
  case id
  case from
  case to
  case cells
  case row
  case old
  case new
  case view
  /// The section of the row, which is of no use here.
  case section
  /// What was there instead of what the change was about, in a file of `--rejects`.
  case ours

  /// In the order of the cases, whose names the release program does not have.
  private static let names = [
    "op", "id", "from", "to", "cells", "row", "old", "new", "view", "section", "ours",
  ]

  /// The name of the member.
  var name: String { Self.names[rawValue] }
}

/// The columns of a change list that was read, by their roles.
struct ChangeRoles: Sendable {
  /// The column of each role, by its number; -1 if no record has it.
  private var columns = ChangeRole.allCases.map { _ in -1 }

  /// The role of each column; `nil` for other members.
  private(set) var ofColumns: [ChangeRole?]

  /// Finds the columns of a list.
  init(_ schema: Schema) {
    ofColumns = schema.columns.map { column in ChangeRole.allCases.first { $0.name == column.name } }
    for (index, role) in ofColumns.enumerated() {
      if let role { columns[role.rawValue] = index }
    }
  }

  /// The column of a role; `nil` if no record has it.
  func column(of role: ChangeRole) -> Int? {
    let column = columns[role.rawValue]
    return column < 0 ? nil : column
  }
}

/// What makes a list of changes impossible to replay, whatever the table is.
public enum ChangeListDamage: Equatable, Sendable {
  /// What a member must be.
  public enum Wanted: Sendable {
    case position
    case object
    case names
    case truth
  }

  /// The first record does not name the columns.
  case noColumns
  /// A later one does.
  case columnsAgain
  /// A record does not say what it is, or says something unknown.
  case unknownKind(String?)
  /// A member that no record of its kind has.
  case unknownMember(String, of: String)
  /// A member that every record of its kind has.
  case missingMember(String, of: String)
  /// A member of another type.
  case wrongMember(String, Wanted)
  /// A column that the first record does not name for the table that the row is in.
  case unknownColumn(String)
  /// A column that the first record names, and the table does not have.
  case columnNotThere(String, suggestion: String?)
  /// A column that the table is to lose, a text that a row has in it and no change takes away, and where that row is.
  case droppedColumnHolds(String, [UInt8], InputError.Location)
  /// A name that is given twice.
  case repeatedName(String)
  /// An id of other columns than those before.
  case otherID
  /// A row whose cells are not those of its id.
  case idOfOtherRow
  /// A row with two changes of which only one can be; the line of the first.
  case rowAgain(line: Int)
  /// Two rows at the same position; the line of the first.
  case positionAgain(Int, line: Int)
  /// A position beyond the last row.
  case positionTooLarge(Int, rowCount: Int)
}
