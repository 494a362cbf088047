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

  /// The titles of these two columns, and the rows that had a cell of their own in them, as a record of JSON may.
  private let titles: [String]
  private var replaced = [Tally<RowPlace>(), Tally<RowPlace>()]

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
    // A column that is listed twice becomes one row.
    var known: [ResolvedColumn: Set<[UInt8]>] = [:]
    columns = selected.compactMap { column in
      let name = column.hasOwnTitle || column.name.isEmpty ? column.title : column.name
      let text = Array((name.isEmpty ? "@\(column.column.index + 1)" : name).utf8.prefix(Cell.longest))
      guard known[column.column.identity, default: []].insert(text).inserted else { return nil }
      return (column.column.path.isEmpty ? column.column.identity : column.column, text)
    }
    let turned = Set(columns.compactMap(\.column.exact))
    var made: [Int] = []
    for title in [unpivoting.name, unpivoting.value] {
      let known = binder.schema.index(of: title)
      guard known.map({ !turned.contains($0) }) ?? true, let index = binder.schema.derive(name: title) else {
        throw .columnExists(option: option, title)
      }
      made.append(index)
    }
    (nameColumn, valueColumn) = (made[0], made[1])
    titles = [unpivoting.name, unpivoting.value]
    let types = columns.map { $0.column.exact.flatMap { binder.schema.columns[$0].type } }
    if let type = types.first, types.allSatisfy({ $0 == type }) {
      binder.schema.declare(type, at: valueColumn)
    }
    if columns.allSatisfy({ $0.column.exact.map { binder.schema.columns[$0].areDurations } ?? false }) {
      binder.schema.recordComputed(valueColumn, mayBeInexact: false, zone: nil, areDurations: true)
    }
    binder.schema.turn(turned, into: made)
    isTurned = binder.schema.columns.map(\.isTurned)
    isSparse = !binder.schema.isOpen && turned.count > binder.schema.shown.count
  }

  func planned(_ schedule: Schedule) -> [PlannedStep] { [PlannedStep(work: .unpivot, holding: .batch)] }

  func notices(_ sources: [Source]) -> [Notice] {
    let option = PlannedStep.Work.unpivot.rawValue
    let idle: [Notice] = idlePatterns.map { .nothingMatched(option: option, pattern: $0) }
    return idle
      + zip(titles, replaced).compactMap { title, replaced in
        replaced.first.map {
          .replacedByDerived(
            column: title, option: option, count: replaced.count, first: InputError.Location($0, sources))
        }
      }
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
  private mutating func turned(_ rows: [UInt32], of batch: Batch) -> Batch {
    var assembler = RowAssembler(batch)
    let names = columns.map { assembler.note($0.name.span, .text, isText: true) }
    let null = assembler.null
    let width = max(batch.columnCount, nameColumn + 1, valueColumn + 1)
    var record = [Cell](repeating: .missing, count: isSparse || batch.sparse != nil ? 0 : width)
    for number in rows {
      let row = Int(number)
      recordReplaced(row, of: batch)
      let others = others(inRow: row, of: batch)
      assembler.begin(row)
      for place in record.indices { record[place] = .missing }
      for other in others where !record.isEmpty { record[other.column] = other.cell }
      for (place, column) in columns.enumerated() {
        let value = assembler.value(of: column.column, row: row) ?? null
        if record.isEmpty {
          assembler.append(others + [(nameColumn, names[place]), (valueColumn, value)])
        } else {
          record[nameColumn] = names[place]
          record[valueColumn] = value
          assembler.append(record)
        }
      }
    }
    return assembler.finish()
  }
}

extension Unpivoter {
  /// Records the cells of a row that are in the columns that are made.
  private mutating func recordReplaced(_ row: Int, of batch: Batch) {
    for (place, column) in [nameColumn, valueColumn].enumerated()
    where batch.cell(row: row, column: column).kind != .missing {
      replaced[place].record(inRow: batch.rowNumber(ofRow: row), RowPlace(row, of: batch))
    }
  }

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
