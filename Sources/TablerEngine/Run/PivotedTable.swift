/// The table of `--pivot`, made of groups before anything is bound to its columns, which depend on all rows.
///
/// 1. Rows take the steps before and are grouped by the keys and by what makes columns.
/// 2. The groups are divided by the keys, which make rows, and by the values, which make columns.
/// 3. What comes after it is bound to these columns, and gets the rows from `PivotStep`.
struct PivotedTable: Sendable {
  /// The columns: the keys, those of each value, and the totals.
  let schema: Schema

  /// The number of keys.
  let keyCount: Int

  /// The rows, in order of first appearance of their keys.
  private(set) var rows = StoredRows()

  /// What is known about the input.
  let beginning: InputReader.Beginning

  /// The notices about the input and the steps before.
  private(set) var notices: [Notice]

  /// Makes titles different from each other and from those that are taken: the second becomes `x_2`.
  ///
  /// - Parameter last: the places of titles that are changed rather than others.
  private static func distinguish(
    _ titles: inout [String], last: [Int], _ taken: Set<ExactName>
  ) -> [Notice] {
    var notices: [Notice] = []
    var known = taken
    for place in titles.indices.filter({ !last.contains($0) }) + last {
      let title = titles[place]
      var number = 1
      while !known.insert(ExactName(titles[place])).inserted {
        number += 1
        titles[place] = "\(title)_\(number)"
      }
      if number > 1 { notices.append(.pivotedTwice(title: title, name: titles[place])) }
    }
    return notices
  }

  /// The approximate number of cells that are made at once.
  private static let cellsAtOnce = 1 << 20

  /// Reads the input of a plan and makes the table.
  init(
    _ pivot: Pivot, _ plan: Plan, _ tuning: Tuning,
    _ open: @escaping (Source) throws(SystemError) -> ByteSource
  ) throws(Failure) {
    let resolution: Resolution
    do { resolution = try Resolution(plan.grouped(for: pivot), tuning, open) } catch {
      throw pivot.isMeant(by: error) ? error.of(option: "--pivot") : error
    }
    let reader = TableReader(resolution)
    let made = try reader.groups()
    beginning = reader.beginning
    notices = reader.notices + reader.stepNotices
    let aggregateCount = plan.grouping?.aggregates.count ?? 0
    keyCount = made.schema.columns.count - 1 - aggregateCount
    guard made.keyCount == keyCount + 1, !pivot.isKey(of: plan.grouping, made.schema) else {
      throw .pivotedKey
    }
    let name = made.schema.columns[keyCount].name
    var groups = PivotedGroups(keyCount: keyCount)
    try made.rows.forEachPiece(failing: Failure.init(reading:)) { (rows, _) throws(Failure) in
      groups.add(rows)
      if groups.values.count > Pivot.mostValues { throw .manyPivotedValues(name) }
    }
    let order = groups.order(plan.valueOrders.last { $0.column.plainName == name }?.values ?? [])
    let outputs = made.schema.columns[(keyCount + 1)...]
    let keys = made.schema.columns[..<keyCount]
    var values = order.map { groups.title(ofValue: $0) ?? plan.layout.missing }
    // Null or the total may be called like a value, which then keeps its name.
    var others = order.indices.filter { groups.title(ofValue: order[$0]) == nil }
    if let total = pivot.total {
      others.append(values.count)
      values.append(total)
    }
    let taken = outputs.count == 1 ? Set(keys.map { ExactName($0.title) }) : []
    notices += Self.distinguish(&values, last: others, taken)
    let titles = values.flatMap { value in
      outputs.map { outputs.count == 1 ? value : "\(value): \($0.name)" }
    }
    var schema = Schema(titles: keys.map(\.title) + titles)
    for index in schema.columns.indices {
      let column = index < keyCount ? keys[index] : outputs[keyCount + 1 + (index - keyCount) % outputs.count]
      if column.isInexact { schema.recordInexact(index) }
      if index < keyCount { schema.declare(as: column, at: index) }
    }
    if outputs.count > 1 {
      // A value is the title over its aggregates, which keep their names.
      let divided = values.flatMap { value in outputs.map { SpannedTitle(above: [value], title: $0.title) } }
      schema.recordSpannedTitles(keys.map { _ in nil } + divided)
    }
    self.schema = schema
    let totals = pivot.total == nil ? nil : made.totals
    // Without a key and a value there is no column.
    if schema.columns.isEmpty { return }
    let most = max(1, Self.cellsAtOnce / schema.columns.count)
    for start in stride(from: 0, to: groups.rowCount, by: most) {
      let range = start..<min(start + most, groups.rowCount)
      let batch = groups.batch(of: range, order, totals: totals, none: made.none, plan.marks)
      rows.append(Rows(batch))
      do { if rows.memory > plan.memory / 4 { try rows.spill() } } catch { throw Failure(reading: error) }
    }
  }
}

/// Groups that are divided by keys, which make rows, and by values, which make columns.
private struct PivotedGroups {
  private let keyCount: Int

  /// The different keys and values, each with a number in order of first appearance.
  private var keys: GroupTable
  private(set) var values: GroupTable

  /// The groups, the numbers of their keys and values, and for each key the group that it came with first.
  private var groups = Rows()
  private var rows: [Int] = []
  private var columns: [Int] = []
  private var firsts: [Int] = []

  init(keyCount: Int) {
    self.keyCount = keyCount
    keys = GroupTable(columnCount: keyCount, room: .max)
    values = GroupTable(columnCount: 1, room: .max)
  }

  /// Adds the next groups.
  mutating func add(_ more: Rows) {
    groups.append(more)
    more.forEachRun { batch, run in
      columns += values.group(run, of: batch, by: [keyCount], takesNew: true, partCount: 1).groups.map {
        Int($0)
      }
      var found = [Int](repeating: 0, count: run.count)
      if keyCount > 0 {
        found = keys.group(run, of: batch, by: Array(0..<keyCount), takesNew: true, partCount: 1).groups.map {
          Int($0)
        }
      }
      for row in found {
        if row == firsts.count { firsts.append(rows.count) }
        rows.append(row)
      }
    }
  }

  /// The number of rows of the table: without keys there is one in any case.
  var rowCount: Int { keyCount == 0 ? 1 : firsts.count }

  /// The text of a value; `nil` for null.
  func title(ofValue value: Int) -> String? {
    let cell = values.cell(0, ofGroup: value)
    guard cell.count > 0, cell.kind != .null, cell.kind != .missing else { return nil }
    return String(decoding: Array(copying: values.content(cell)), as: UTF8.self)
  }

  /// The values in order of first appearance, but first those that are listed.
  func order(_ listed: [String]) -> [Int] {
    let titles = (0..<values.count).map { title(ofValue: $0) }
    let first = listed.compactMap { text in titles.firstIndex(of: text) }
    return first + titles.indices.filter { !first.contains($0) }
  }

  /// Some rows of the table.
  ///
  /// - Parameters:
  ///   - order: the values in the order of their columns.
  ///   - totals: the rows of the last columns, if there are any.
  ///   - none: the row of a group without rows.
  ///   - marks: the marks of numbers.
  func batch(of range: Range<Int>, _ order: [Int], totals: Rows?, none: Rows, _ marks: NumberMarks) -> Batch {
    var cells = [RowID?](repeating: nil, count: range.count * order.count)
    var places = [Int](repeating: 0, count: values.count)
    for (place, value) in order.enumerated() { places[value] = place }
    for (index, row) in rows.enumerated() where range.contains(row) {
      cells[(row - range.lowerBound) * order.count + places[columns[index]]] = groups.ids[index]
    }
    let rows = emptyRows(range)
    var computed = ComputedColumn(at: 0, of: rows, count: range.count, room: Int(UInt32.max))
    for key in 0..<keyCount {
      computed.advance(toColumn: key)
      for row in range {
        computed.copy(groups, groups.ids[firsts[row]], key, to: row - range.lowerBound, marks)
      }
    }
    let aggregates = none.batches[0].columnCount
    func column(_ place: Int, _ aggregate: Int) -> Int { keyCount + place * aggregates + aggregate }
    for aggregate in 0..<aggregates {
      for place in order.indices {
        computed.advance(toColumn: column(place, aggregate))
        for row in 0..<range.count {
          if let id = cells[row * order.count + place] {
            computed.copy(groups, id, keyCount + 1 + aggregate, to: row, marks)
          } else {
            computed.copy(none, none.ids[0], aggregate, to: row, marks)
          }
        }
      }
      guard let totals else { continue }
      computed.advance(toColumn: column(order.count, aggregate))
      for row in range where row < totals.count {
        computed.copy(totals, totals.ids[row], keyCount + aggregate, to: row - range.lowerBound, marks)
      }
    }
    return computed.finish(cutting: nil)
  }

  /// A batch of rows without cells, each at the place of its first row; its records are the bytes of the keys, so that
  /// their approximate size is known.
  private func emptyRows(_ range: Range<Int>) -> Batch {
    var starts: [UInt32] = [0]
    var records = ByteBlock.Builder(capacity: 64 * range.count)
    for row in range {
      for key in 0..<keyCount {
        let content = keys.content(keys.cell(key, ofGroup: row))
        records.reserve(content.count)
        records.append(content)
      }
      starts.append(UInt32(truncatingIfNeeded: records.count))
    }
    let known = groups.batches.first?.origin ?? Batch.empty.origin
    let places = range.map { row in
      firsts.indices.contains(row)
        ? groups.place(ofRow: firsts[row]) : RowPlace(source: 0, line: 1, number: 1)
    }
    let origin = Batch.Origin(
      source: places[0].source, line: places[0].line, row: places[0].number, isVerbatim: false,
      dialect: known.dialect)
    return Batch(
      block: records.finish(), decoded: .empty, escapes: [], cells: [], columnCount: 0, recordStarts: starts,
      origin: origin, places: places)
  }
}

extension Rows {
  /// Where a row was in the input.
  fileprivate func place(ofRow index: Int) -> RowPlace {
    RowPlace(ids[index].row, of: batches[ids[index].batch])
  }
}

extension ComputedColumn {
  /// Sets the cell of a row to one of other rows.
  fileprivate mutating func copy(_ rows: Rows, _ id: RowID, _ column: Int, to row: Int, _ marks: NumberMarks)
  {
    let batch = rows.batches[id.batch]
    let cell = batch.cell(row: id.row, column: column)
    if cell.isNull || cell.kind == .missing { return set(row: row, kind: .null) { _ in } }
    let marks = cell.kind == .number ? .standard : marks
    var drawn: (digits: DrawnDigits, marks: NumberMarks)?
    if batch.isDrawnShorter(cell), let number = NumberReader.loose(batch.content(cell), marks: marks) {
      drawn = DrawnDigits(.double(number.doubleValue), mayBeInexact: true).map { (digits: $0, marks: marks) }
    }
    set(row: row, kind: cell.kind, isText: batch.isText(cell), drawn: drawn) {
      $0.append(batch.content(cell))
    }
  }
}

extension Failure {
  /// The same failure about a column of another option.
  fileprivate func of(option: String) -> Failure {
    switch self {
    case .unknown(let failure, let columns): .unknown(failure.of(option: option), columns: columns)
    case .column(_, let problem): .column(option: option, problem)
    default: self
    }
  }
}

extension Pivot {
  /// Whether a failure is about its column.
  fileprivate func isMeant(by failure: Failure) -> Bool {
    switch failure {
    case .unknown(let failure, _): return isMeant(by: failure)
    case .column("--group-by", .notFound(let name, _, _)): return name == columnName
    default: return false
    }
  }

  /// The name of its column, if it is one.
  fileprivate var columnName: String? {
    guard case .column(let reference, _)? = columns?.entries.first?.item else { return nil }
    return reference.plainName
  }

  /// Whether it is one of the keys, too.
  fileprivate func isKey(of grouping: Grouping?, _ schema: Schema) -> Bool {
    guard let own = grouping?.keys?.entries, let column = columns?.entries.first else { return false }
    return own.contains { $0.item == column.item }
  }
}

extension Plan {
  /// The plan that reads the groups of a pivoted table.
  fileprivate func grouped(for pivot: Pivot) -> Plan {
    var plan = withoutViews
    plan.keysOfPivot = grouping
    plan.grouping = grouping?.divided(by: pivot)
    plan.dividing = pivot
    plan.output.form = .csv
    plan.memory /= 2
    return plan
  }

  /// The plan that shows the pivoted table, if there is one.
  func pivoted(
    _ tuning: Tuning, _ open: @escaping (Source) throws(SystemError) -> ByteSource
  ) throws(Failure) -> Plan {
    guard let pivot else { return self }
    // What comes after it is not asked for, and cannot be bound.
    if asksNothing {
      var plan = withoutViews
      plan.pivot = pivot
      return plan
    }
    return showing(try PivotedTable(pivot, self, tuning, open))
  }

  /// The plan that shows a pivoted table.
  private func showing(_ table: PivotedTable) -> Plan {
    var plan = self
    plan.pivoted = table
    plan.grouping = nil
    plan.unpivoting = nil
    plan.explosion = nil
    (plan.joins, plan.joined) = ([], [])
    plan.types = []
    plan.computations = []
    plan.filters = []
    plan.deletions = []
    plan.additions = []
    plan.rules = []
    plan.lookups = []
    plan.answerNames = nil
    // In a grid the keys are the names of rows, unless columns are chosen.
    if plan.layout.kind == .grid, layout.rowNames == nil, columns == nil, hidden.entries.isEmpty,
      table.keyCount > 0
    {
      let keys = table.schema.columns[..<table.keyCount]
      plan.layout.rowNames = .columns(
        ColumnList(keys.map { ColumnList.Entry(.column(.name($0.name, isQuoted: true), title: nil)) }))
    }
    // What it orders has become columns.
    plan.valueOrders.removeAll { order in order.column.plainName == pivot?.columnName }
    plan.memory /= 2
    return plan
  }
}
