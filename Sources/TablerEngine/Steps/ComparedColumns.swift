/// A table that is compared with another one: its rows, its columns, and how its cells are read.
struct ComparedTable {
  /// The rows, in order, once they have been read.
  var rows = StoredRows()

  /// The columns of its batches.
  let schema: Schema

  /// The columns that are shown, without those that are in no data.
  let shown: [ShownColumn]

  /// The columns that identify a row.
  let keys: [SelectedColumn]

  /// How its first input is written.
  let dialect: Dialect

  /// The inputs of its rows.
  let sources: [Source]

  /// Whether `""` is a text in csv.
  let quotedEmptyIsText: Bool

  /// Whether its records are objects.
  var holdsObjects: Bool { dialect.form == .json }

  /// Whether it tells nulls from empty texts.
  var tellsNull: Bool { holdsObjects || quotedEmptyIsText }
}

/// The columns of two tables that are compared, and of the rows that show what became of them.
struct ComparedColumns: Sendable {
  /// A column that both tables have.
  struct CommonColumn: Sendable {
    /// Its name in both.
    let name: String

    /// Where its cells are in batches of the old table, and of the new one.
    let old: ResolvedColumn
    let new: ResolvedColumn

    /// The declared type of the cells.
    let type: ValueType?

    /// Whether its cells are compared.
    var isCompared = true

    /// The index of the column that has its old values.
    var was = 0
  }

  /// A column that only one table has.
  struct LoneColumn: Sendable {
    /// Its name.
    let name: String

    /// Where its cells are in batches of that table.
    let source: ResolvedColumn

    /// The declared type of the cells.
    let type: ValueType?

    /// The index of the column that has its cells in rows of both tables.
    var index = 0
  }

  /// The names of the columns of both tables, in order.
  let oldNames: [String]
  let newNames: [String]

  /// The columns that both have, in the order of the new table.
  private(set) var pairs: [CommonColumn] = []

  /// Whether those that both have stand in another order, and not only as keys of objects.
  private(set) var areReordered = false

  /// The columns that came, and those that went.
  private(set) var inserted: [LoneColumn] = []
  private(set) var deleted: [LoneColumn] = []

  /// Those of the columns that came that a new row has cells in, and of those that went of an old row.
  private(set) var presentInserted = PresentColumns([])
  private(set) var presentDeleted = PresentColumns([])

  /// How records are written that have the same cells if they have the same bytes; `nil` if cells must be compared.
  func dialectOfEqualRecords(_ old: ComparedTable) -> Dialect? {
    let compared = pairs.filter(\.isCompared)
    let isWhole =
      inserted.isEmpty && deleted.isEmpty && compared.count == oldNames.count && oldNames == newNames
      && compared.allSatisfy { $0.old == $0.new && $0.old.path.isEmpty }
    return isWhole && !old.holdsObjects ? old.dialect : nil
  }

  /// The columns of `--id`, in the new table.
  let keys: [(name: String, column: ResolvedColumn, type: ValueType?)]

  /// The columns that say what became of a row.
  let change: ChangeColumns

  /// For each column of a changed row, up to `width`, the column of the old table that a deleted row takes it from.
  private(set) var oldIndices: [Int]

  /// The reverse: for each column of the old table the first of a changed row that is taken from it.
  private(set) var placesOfOld: [Int?] = []

  /// The number of columns of a changed row.
  var width: Int { oldIndices.count }

  /// Finds the columns that two tables have in common: those with the same name.
  init(_ old: ComparedTable, _ new: ComparedTable, _ change: ChangeColumns) {
    let (oldColumns, newColumns) = (
      DataColumn.columns(of: old.shown, old.schema), DataColumn.columns(of: new.shown, new.schema)
    )
    self.change = change
    oldNames = oldColumns.map(\.key)
    newNames = newColumns.map(\.key)
    keys = new.keys.map { key in
      let name = key.name.isEmpty ? "@\(key.column.index + 1)" : key.name
      return (name, key.column, key.column.path.isEmpty ? new.schema.columns[key.column.index].type : nil)
    }
    // Of columns with the same name the first is that of the other table's first, and so on.
    var places: [ExactName: [Int]] = [:]
    for (place, column) in oldColumns.enumerated().reversed() {
      places[ExactName(column.key), default: []].append(place)
    }
    var common: Set<Int> = []
    var last = -1
    oldIndices = Array(repeating: .max, count: new.schema.count)
    for column in newColumns {
      if let place = places[ExactName(column.key)]?.popLast() {
        common.insert(place)
        if place < last, !old.holdsObjects, !new.holdsObjects { areReordered = true }
        last = place
        let old = oldColumns[place].source
        pairs.append(CommonColumn(name: column.key, old: old, new: column.source, type: column.type))
      } else {
        inserted.append(
          LoneColumn(name: column.key, source: column.source, type: column.type, index: column.index))
      }
    }
    for (place, column) in oldColumns.enumerated() where !common.contains(place) {
      deleted.append(LoneColumn(name: column.key, source: column.source, type: column.type))
    }
    takeFromOld(old.schema, new.schema)
    presentInserted = PresentColumns(inserted.map(\.source))
    presentDeleted = PresentColumns(deleted.map(\.source))
  }

  /// Chooses where deleted rows have their cells, and reserves columns for old values.
  private mutating func takeFromOld(_ old: Schema, _ new: Schema) {
    // Columns that are not shown may be used by templates, too.
    for index in 0..<new.count where !new.columns[index].name.isEmpty && !new.columns[index].isReserved {
      if let place = old.index(of: new.columns[index].name) { oldIndices[index] = place }
    }
    for pair in pairs where pair.new.path.isEmpty { oldIndices[pair.new.index] = pair.old.index }
    for index in pairs.indices {
      pairs[index].was = oldIndices.count
      oldIndices.append(.max)
    }
    for index in deleted.indices {
      deleted[index].index = oldIndices.count
      oldIndices.append(deleted[index].source.path.isEmpty ? deleted[index].source.index : .max)
    }
    placesOfOld = Array(repeating: nil, count: old.count)
    for (place, column) in oldIndices.enumerated() where column < old.count {
      placesOfOld[column] = placesOfOld[column] ?? place
    }
  }

  /// The titles that data forms give to the columns of a change: none that the table has.
  var dataNames: [String] {
    var known = Set(newNames.map { ExactName($0) })
    return ChangeColumns.names.map { name in
      var title = name
      var number = 2
      while !known.insert(ExactName(title)).inserted {
        title = "\(name)_\(number)"
        number += 1
      }
      return title
    }
  }

  /// Leaves columns out of the comparison.
  mutating func ignore(_ ignored: Set<ResolvedColumn>) {
    for index in pairs.indices where ignored.contains(pairs[index].new.identity) {
      pairs[index].isCompared = false
    }
  }
}

extension ComparedColumns {
  /// Whether a row has something in a column that came or went.
  ///
  /// - Parameter index: the number of the row among those of `rows`.
  func haveLoneCells(_ rows: TableComparison.MatchedPortion, _ index: Int) -> Bool {
    func has(_ columns: [LoneColumn], _ present: PresentColumns, _ rows: Rows, _ place: Int)
      -> Bool
    {
      guard place >= 0 else { return false }
      let (batch, row) = (rows.batches[rows.ids[place].batch], rows.ids[place].row)
      return present.inRow(row, of: batch).contains { column in
        let kind = batch.value(of: columns[column].source, row: row).kind
        return kind != .missing && kind != .null && kind != .empty
      }
    }
    return has(inserted, presentInserted, rows.new, rows.newPlaces[index])
      || has(deleted, presentDeleted, rows.old, rows.oldPlaces[index])
  }
}
