/// A row that shows what became of a row.
struct ChangedRow {
  /// What became of it; `nil` if nothing did.
  var change: RowChange?

  /// The row in each table, or `RowMatcher.none`.
  let from: UInt32
  let to: UInt32

  /// Its number among those of its portion.
  let index: Int

  /// The pairs of columns in which it has changed.
  var changes: [Int] = []
}

/// Makes batches of rows that show changes: copies of rows of the new table, and of deleted ones of the old table, with
/// what became of them.
struct ChangedRowBuilder {
  private let columns: ComparedColumns
  private let rows: TableComparison.MatchedPortion
  private let oldSource: Int

  /// Whether rows that both tables have get the cells of columns that went.
  private let listsLoneColumns: Bool

  /// Prepares to copy the rows of a portion.
  ///
  /// - Parameter oldSource: the number of the old table among the sources.
  init(
    _ columns: ComparedColumns, _ rows: TableComparison.MatchedPortion, oldSource: Int, listsLoneColumns: Bool
  ) {
    self.columns = columns
    self.rows = rows
    self.oldSource = oldSource
    self.listsLoneColumns = listsLoneColumns
  }

  /// The rows that show some changes, in order.
  func rows(_ shown: [ChangedRow]) -> Rows {
    let kept = shown.filter { $0.to != RowMatcher.none }
    let deleted = shown.filter { $0.to == RowMatcher.none }
    var some = Rows()
    some.append(noted(kept, copied(rows.new, kept.map { rows.newPlaces[$0.index] })))
    let count = some.count
    some.append(noted(deleted, moved(copied(rows.old, deleted.map { rows.oldPlaces[$0.index] }))))
    // Both kinds are in order by themselves.
    var (nextKept, nextDeleted) = (0, count)
    var ids: [RowID] = []
    ids.reserveCapacity(shown.count)
    for row in shown {
      if row.to == RowMatcher.none {
        ids.append(some.ids[nextDeleted])
        nextDeleted += 1
      } else {
        ids.append(some.ids[nextKept])
        nextKept += 1
      }
    }
    some.ids = ids
    return some
  }

  private func copied(_ rows: Rows, _ places: [Int]) -> Rows {
    var some = Rows()
    some.batches = rows.batches
    some.ids = places.map { rows.ids[$0] }
    return some.copied()
  }

  /// Rows of the old table with the columns of the new one.
  private func moved(_ rows: Rows) -> Rows {
    var moved = rows
    for index in moved.batches.indices {
      let batch = moved.batches[index]
      var last = (row: 0, line: batch.line(ofRow: 0))
      let places = (0..<batch.rowCount).map { row in
        last = (row, batch.line(ofRow: row, from: last))
        return RowPlace(source: oldSource, line: last.line, number: batch.rowNumber(ofRow: row))
      }
      moved.batches[index] = batch.projected(to: columns.oldIndices, places: columns.placesOfOld).placed(
        at: places)
    }
    return moved
  }

  /// Rows with what became of them.
  private func noted(_ shown: [ChangedRow], _ rows: Rows) -> Rows {
    var noted = rows
    var start = 0
    for index in noted.batches.indices {
      let batch = noted.batches[index]
      // Rows were copied in order, so that each batch has the next of them; one that was not copied has others, too.
      let end = rows.ids[start...].firstIndex { $0.batch != index } ?? rows.count
      noted.batches[index] = self.noted(
        Array(shown[start..<end]), rows.ids[start..<end].map(\.row), of: batch)
      start = end
    }
    return noted
  }

  private func noted(_ shown: [ChangedRow], _ numbers: [Int], of batch: Batch) -> Batch {
    var cells = ComputedColumn(
      at: columns.change.change, of: batch, count: batch.rowCount, room: Int(UInt32.max) / 2)
    for (row, number) in zip(shown, numbers) {
      if let change = row.change { cells.set(row: number, kind: .text) { $0.append(change.rawValue) } }
    }
    func setPlace(_ column: Int, _ place: (ChangedRow) -> UInt32, _ cells: inout ComputedColumn) {
      cells.advance(toColumn: column)
      for (row, number) in zip(shown, numbers) where place(row) != RowMatcher.none {
        cells.set(row: number, kind: kind(.number, in: batch)) { $0.append(decimal: Int(place(row)) + 1) }
      }
    }
    setPlace(columns.change.from, \.from, &cells)
    setPlace(columns.change.to, \.to, &cells)
    cells.advance(toColumn: columns.change.was)
    for (row, number) in zip(shown, numbers) where !row.changes.isEmpty {
      // Escapes make six bytes of one; what would be longer than a cell may be is left out.
      if sizeOfOldValues(of: row) > Cell.longest / 8 { continue }
      cells.set(row: number, kind: kind(.object, in: batch)) { appendOldValues(of: row, to: &$0) }
    }
    var changed: [Int: [(row: ChangedRow, number: Int)]] = [:]
    for (row, number) in zip(shown, numbers) {
      for place in row.changes { changed[place, default: []].append((row, number)) }
    }
    for (place, rows) in changed.sorted(by: { $0.key < $1.key }) {
      cells.advance(toColumn: columns.pairs[place].was)
      for (row, number) in rows { set(columns.pairs[place].old, of: row, number, &cells) }
    }
    if shown.first?.to == RowMatcher.none {
      // The old table had no such column: its cells are blank, not missing. Objects just lack them.
      for column in columns.inserted where column.source.path.isEmpty && batch.sparse == nil {
        cells.advance(toColumn: column.index)
        for number in numbers { cells.set(row: number, kind: .empty) { _ in } }
      }
    } else if listsLoneColumns {
      var kept: [Int: [(row: ChangedRow, number: Int)]] = [:]
      for (row, number) in zip(shown, numbers) where rows.oldPlaces[row.index] >= 0 {
        let id = rows.old.ids[rows.oldPlaces[row.index]]
        for place in columns.presentDeleted.inRow(id.row, of: rows.old.batches[id.batch]) {
          kept[place, default: []].append((row, number))
        }
      }
      for (place, rows) in kept.sorted(by: { $0.key < $1.key }) {
        cells.advance(toColumn: columns.deleted[place].index)
        for (row, number) in rows { set(columns.deleted[place].source, of: row, number, &cells) }
      }
    }
    return cells.finish(cutting: nil)
  }

  /// The kind of a computed cell: csv has only texts.
  private func kind(_ kind: Cell.Kind, in batch: Batch) -> Cell.Kind {
    batch.origin.dialect.form == .json ? kind : .text
  }

  /// Sets a cell to a value of the old table.
  private func set(_ column: ResolvedColumn, of row: ChangedRow, _ number: Int, _ cells: inout ComputedColumn)
  {
    let id = rows.old.ids[rows.oldPlaces[row.index]]
    let batch = rows.old.batches[id.batch]
    let found = batch.value(of: column, row: id.row)
    if found.kind == .null || found.kind == .missing || found.kind == .empty && !found.cell.isMisfit {
      return cells.set(row: number, kind: .null) { _ in }
    }
    let isObject = cells.batch.origin.dialect.form == .json
    var kind = found.isWhole ? batch.kindAsRead(found.cell) : found.kind
    if isObject, kind == .text, batch.origin.dialect.form != .json {
      // What csv leaves open.
      let content = batch.content(found.cell)
      if content.equals("true") || content.equals("false") {
        kind = .bool
      } else if content.isJSONNumber {
        kind = .number
      }
    }
    let isText = found.kind == .text && (batch.origin.dialect.form == .json || batch.isText(found.cell))
    cells.set(row: number, kind: isObject ? kind : .text, isText: isText) { out in
      if found.isWhole {
        out.append(batch.content(found.cell))
      } else {
        found.appendText(of: batch.content(found.cell), to: &out)
      }
    }
  }

  /// The bytes of the old values of changed cells and of their names.
  private func sizeOfOldValues(of row: ChangedRow) -> Int {
    let id = rows.old.ids[rows.oldPlaces[row.index]]
    let batch = rows.old.batches[id.batch]
    return row.changes.reduce(0) { size, change in
      let pair = columns.pairs[change]
      return size + pair.name.utf8.count + batch.value(of: pair.old, row: id.row).cell.length + 8
    }
  }

  /// Appends the old values of changed cells as an object of JSON.
  private func appendOldValues(of row: ChangedRow, to out: inout ByteBuffer) {
    let id = rows.old.ids[rows.oldPlaces[row.index]]
    let batch = rows.old.batches[id.batch]
    out.append("{")
    for (place, change) in row.changes.enumerated() {
      let pair = columns.pairs[change]
      if place > 0 { out.append(",") }
      out.appendJSON(string: pair.name.utf8.span)
      out.append(":")
      _ = out.append(jsonValueOf: pair.old, of: batch, row: id.row, as: pair.type)
    }
    out.append("}")
  }
}

extension ByteBuffer {
  /// Appends the value of a cell as JSON: a cell of csv as what it looks like, null if there is none.
  ///
  /// - Returns: how many stretches of bytes were not UTF-8 and became U+FFFD.
  mutating func append(
    jsonValueOf column: ResolvedColumn, of batch: Batch, row: Int, as type: ValueType? = nil
  ) -> Int {
    let found = batch.value(of: column, row: row)
    let content = batch.content(found.cell)
    if !found.isWhole {
      if found.kind != .missing { return found.appendJSON(of: content, to: &self) }
      append("null")
      return 0
    }
    switch batch.kindAsRead(found.cell) {
    case .missing, .null, .empty: append("null")
    case .number, .bool: append(content)
    case .list, .object: return append(repairing: content)
    case .text:
      let isText = batch.origin.dialect.form == .json || batch.isText(found.cell) || type == .text
      if isText || !(content.isJSONNumber || content.equals("true") || content.equals("false")) {
        return appendJSON(string: content)
      }
      append(content)
    }
    return 0
  }
}
