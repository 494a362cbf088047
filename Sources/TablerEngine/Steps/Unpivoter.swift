/// `--unpivot`: the columns that become rows, and the titles of the two that say so.
public struct Unpivoting: Equatable, Sendable {
  /// The columns that become rows.
  public var columns: ColumnList

  /// The title of the column that names them.
  public var name: String

  /// The title of the column of their cells.
  public var value: String

  /// Creates the value of the option.
  public init(_ columns: ColumnList, name: String, value: String) {
    (self.columns, self.name, self.value) = (columns, name, value)
  }
}

/// Makes of each row one row for each of some columns, with their name and their cell; the other columns are repeated:
/// `--unpivot`.
///
/// The new rows have the cells of the old ones, and no bytes of their own: only the names of columns are written.
struct Unpivoter: PassingStep {
  /// The columns that become rows, and what their rows call them.
  private let columns: [(column: ResolvedColumn, name: [UInt8])]

  /// Whether each column of the schema is among them.
  private let isTurned: [Bool]

  /// The column that names them, and that of their cells.
  private let nameColumn: Int
  private let valueColumn: Int

  /// Whether rows are so much narrower than before that they have notes on only their own cells.
  private let isSparse: Bool

  private let idlePatterns: [String]

  /// The notes that the rows made of one batch may have, unless a single row has more.
  private static let mostCells = 1 << 20

  /// Binds the columns, and takes those that become rows out of the schema.
  init(_ unpivoting: Unpivoting, _ binder: inout Binder) throws(Failure) {
    let option = PlannedStep.Work.unpivot.rawValue
    let list = unpivoting.columns
    if binder.schema.isOpen, list.entries.contains(where: \.mayGrow) { throw .lateColumns(option: option) }
    idlePatterns = list.idlePatterns(in: binder.schema)
    let selected: [SelectedColumn]
    do { selected = try binder.schema.select(list) } catch { throw .column(option: option, error) }
    columns = selected.map { column in
      let name = column.hasOwnTitle || column.name.isEmpty ? column.title : column.name
      let text = name.isEmpty ? "@\(column.column.index + 1)" : name
      return (column.column.whole, Array(text.utf8.prefix(Cell.longest)))
    }
    let turned = Set(columns.map(\.column).filter { $0.path.isEmpty }.map(\.index))
    var made: [Int] = []
    for title in [unpivoting.name, unpivoting.value] {
      let known = binder.schema.index(of: title)
      guard known.map({ !turned.contains($0) }) ?? true, let index = binder.schema.derive(name: title) else {
        throw .columnExists(option: option, title)
      }
      made.append(index)
    }
    (nameColumn, valueColumn) = (made[0], made[1])
    let types = columns.map { $0.column.path.isEmpty ? binder.schema.columns[$0.column.index].type : nil }
    if let type = types.first, types.allSatisfy({ $0 == type }) {
      binder.schema.declare(type, at: valueColumn)
    }
    binder.schema.turn(turned, into: made)
    isTurned = binder.schema.columns.map(\.isTurned)
    isSparse = !binder.schema.isOpen && turned.count > binder.schema.shown.count
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] { [PlannedStep(work: .unpivot, holding: .batch)] }

  func notices(_ sources: [Source]) -> [Notice] {
    idlePatterns.map { .nothingMatched(option: PlannedStep.Work.unpivot.rawValue, pattern: $0) }
  }

  /// How many rows must come, at least, so that `count` rows are made of them.
  func neededCount(for count: Int) -> Int {
    let each = max(columns.count, 1)
    return count / each + (count % each > 0 ? 1 : 0)
  }

  /// How many rows of a batch are turned at once.
  func rowsAtOnce(of batch: Batch) -> Int {
    let width = batch.cells.count / max(batch.rowCount, 1) + 2
    return max(Self.mostCells / max(width.multipliedOrMost(by: columns.count), 1), 1)
  }

  mutating func pass(_ rows: Rows, room: Int) -> Rows {
    var made = Rows()
    if columns.isEmpty { return made }
    rows.forEachRun { batch, run in made.append(Rows(turned(run, of: batch))) }
    return made
  }

  /// The rows that are made of rows of a batch.
  private func turned(_ rows: [UInt32], of batch: Batch) -> Batch {
    var builder = RowTurner(batch, names: columns.map(\.name))
    let width = max(batch.columnCount, nameColumn + 1, valueColumn + 1)
    var record = [Cell](repeating: .missing, count: isSparse || batch.sparse != nil ? 0 : width)
    for number in rows {
      let row = Int(number)
      let others = others(inRow: row, of: batch)
      builder.begin(row)
      for place in record.indices { record[place] = .missing }
      for other in others where !record.isEmpty { record[other.column] = other.cell }
      for (place, column) in columns.enumerated() {
        let name = builder.name(place)
        let value = builder.value(of: column.column, row: row)
        if record.isEmpty {
          builder.append(others + [(nameColumn, name), (valueColumn, value)])
        } else {
          record[nameColumn] = name
          record[valueColumn] = value
          builder.append(record)
        }
      }
    }
    return builder.finish()
  }
}

extension Unpivoter {
  /// The notes on the cells that are repeated.
  private func others(inRow row: Int, of batch: Batch) -> [(column: Int, cell: Cell)] {
    var others: [(column: Int, cell: Cell)] = []
    for index in batch.cellIndices(ofRow: row) where batch.cells[index].kind != .missing {
      let column = batch.column(ofCell: index, row: row)
      if column < isTurned.count, isTurned[column] || column == nameColumn || column == valueColumn {
        continue
      }
      others.append((column, batch.cells[index]))
    }
    return others
  }
}

/// The rows that are made of those of a batch, while they are put together.
private struct RowTurner: ~Copyable {
  private let batch: Batch
  private var cells: [Cell] = []
  private var columnCount = 0
  private var sparse: SparseCells?
  private var places: [RowPlace] = []
  private var escapes: [Escape]

  /// The contents that the batch does not have: the names, and values inside of cells.
  private var contents = ByteBuffer(capacity: 256)

  /// The notes on the names, and the one on a cell that a row lacks.
  private var names: [Cell] = []
  private var null: Cell { names[names.count - 1] }

  /// The place of the row that is turned, and its line.
  private var place: RowPlace?
  private var last = (row: 0, line: 0)

  /// Begins without rows.
  init(_ batch: Batch, names: [[UInt8]]) {
    self.batch = batch
    escapes = batch.escapes
    last.line = batch.line(ofRow: 0)
    for name in names {
      let start = contents.count
      contents.append(name)
      self.names.append(note(from: start, .text, isText: true))
    }
    self.names.append(note(from: contents.count, .null))
  }

  /// Begins the rows that are made of a row.
  mutating func begin(_ row: Int) {
    last = (row, batch.line(ofRow: row, from: last))
    place = RowPlace(source: batch.source(ofRow: row), line: last.line, number: batch.rowNumber(ofRow: row))
  }

  /// The note on a name.
  func name(_ number: Int) -> Cell { names[number] }

  /// The note on the cell of a column, or on the value inside of it: null if the row has none.
  mutating func value(of column: ResolvedColumn, row: Int) -> Cell {
    let batch = batch
    let cell = batch.cell(row: row, column: column.index)
    if column.path.isEmpty, column.longer.isEmpty { return cell.kind == .missing ? null : cell }
    let found = batch.value(of: column, row: row)
    if found.isWhole { return found.kind == .missing ? null : found.cell }
    let start = contents.count
    found.appendText(of: batch.content(found.cell), to: &contents)
    guard found.kind != .missing, contents.count - start <= Cell.longest else { return null }
    return note(from: start, found.kind, isText: found.kind == .text)
  }

  /// Adds a row with a note on each column.
  mutating func append(_ record: [Cell]) {
    columnCount = record.count
    cells += record
    addPlace()
  }

  /// Adds a row with notes on some columns.
  mutating func append(_ record: [(column: Int, cell: Cell)]) {
    var list = sparse.take() ?? SparseCells()
    for (column, cell) in record {
      cells.append(cell)
      list.add(column: column)
    }
    _ = list.endRecord(&cells)
    sparse = list
    addPlace()
  }

  private mutating func addPlace() { if let place { places.append(place) } }

  /// Notes the content from `start` on.
  private mutating func note(from start: Int, _ kind: Cell.Kind, isText: Bool = false) -> Cell {
    let isPlain = contents.span.extracting(start...).isPrintableASCII
    let cell = Cell(
      offset: escapes.count, length: contents.count - start, kind: kind, isPlain: isPlain, isEscaped: true)
    escapes.append(
      Escape(
        computedAt: batch.decoded.count + start, replacing: nil, inRecordAt: batch.recordStarts[0],
        isText: isText))
    return cell
  }

  /// The batch of the rows.
  consuming func finish() -> Batch {
    var known = batch.decoded
    var decoded = ByteBlock.Builder(continuing: &known, capacity: known.count + contents.count)
    decoded.append(contents.span)
    var origin = batch.origin
    origin.isVerbatim = false
    origin.dialect.holdsObjects = false
    return Batch(
      block: batch.block, decoded: decoded.finish(), escapes: escapes, cells: cells, columnCount: columnCount,
      sparse: sparse, recordStarts: Array(repeating: batch.recordStarts[0], count: places.count + 1),
      origin: origin, places: places)
  }
}

extension ResolvedColumn {
  /// The column without other meanings of its name, if it is a whole one.
  fileprivate var whole: ResolvedColumn { path.isEmpty ? ResolvedColumn(index: index) : self }
}

extension Int {
  /// The product, or the largest number if that is smaller.
  fileprivate func multipliedOrMost(by other: Int) -> Int {
    let (product, isTooLarge) = multipliedReportingOverflow(by: other)
    return isTooLarge ? .max : product
  }
}

extension PlannedStep.Work {
  static let unpivot = Self(rawValue: "--unpivot")
}

extension Unpivoter {
  /// Rows are made here; what comes after that is done here, too.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    if plan.unpivoting != nil { query.leave(PlannedStep.Work.unpivot.rawValue) }
  }
}
