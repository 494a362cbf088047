/// Writes the changes between two tables as a list of entries that `--apply` replays, one a line or in one array.
struct ChangeListPainter: ~Copyable, Painter {
  private let columns: ComparedColumns
  private let isArray: Bool

  /// Whether the rows are not those of the files: positions are then those among the rows compared.
  private let isView: Bool

  /// The section of a row, if there are sections.
  private let section: Program?
  private var sectionState: EvaluationState?

  private var isFirst = true

  /// The stretches of bytes that were not UTF-8 and became U+FFFD.
  private var replacedCount = 0
  private var found = FindingsTally()

  /// `"name":` of each column.
  private let pairNames: [[UInt8]]
  private let keyNames: [[UInt8]]
  private let insertedNames: [[UInt8]]
  private let deletedNames: [[UInt8]]

  /// The columns of the new table, and of the old one, in order.
  private let newMembers: [Member]
  private let oldMembers: [Member]

  /// Which of them, and of the columns with old values, a row has cells in.
  private let presentNew: PresentColumns
  private let presentOld: PresentColumns
  private let presentWas: PresentColumns
  private let presentDeleted: PresentColumns

  /// A member of a row.
  private struct Member {
    let name: [UInt8]
    let source: ResolvedColumn
    let type: ValueType?
  }

  /// Creates a painter of changes.
  init(_ columns: ComparedColumns, section: Program?, isArray: Bool, isView: Bool) {
    self.columns = columns
    self.section = section
    sectionState = section?.freshState
    self.isArray = isArray
    self.isView = isView
    pairNames = columns.pairs.map { Self.spelled($0.name) }
    keyNames = columns.keys.map { Self.spelled($0.name) }
    insertedNames = columns.inserted.map { Self.spelled($0.name) }
    deletedNames = columns.deleted.map { Self.spelled($0.name) }
    var members: [ExactName: Member] = [:]
    for pair in columns.pairs {
      members[ExactName(pair.name)] = Member(name: Self.spelled(pair.name), source: pair.new, type: pair.type)
    }
    for lone in columns.inserted {
      members[ExactName(lone.name)] = Member(
        name: Self.spelled(lone.name), source: lone.source, type: lone.type)
    }
    newMembers = columns.newNames.compactMap { members[ExactName($0)] }
    for lone in columns.deleted {
      members[ExactName(lone.name)] = Member(
        name: Self.spelled(lone.name), source: ResolvedColumn(index: lone.index), type: lone.type)
    }
    oldMembers = columns.oldNames.compactMap { members[ExactName($0)] }
    presentNew = PresentColumns(newMembers.map(\.source))
    presentOld = PresentColumns(oldMembers.map(\.source))
    presentWas = PresentColumns(columns.pairs.map { ResolvedColumn(index: $0.was) })
    presentDeleted = PresentColumns(columns.deleted.map { ResolvedColumn(index: $0.index) })
  }

  private static func spelled(_ name: String) -> [UInt8] {
    var out = ByteBuffer()
    out.appendJSON(string: name.utf8.span)
    out.append(":")
    return out.array()
  }

  var notices: [LayoutNotice] { found.notices }

  mutating func begin(into out: inout ByteBuffer) {
    if isArray { out.append("[") }
    beginEntry("columns", to: &out)
    append(names: columns.oldNames, as: "old", to: &out)
    append(names: columns.newNames, as: "new", to: &out)
    if isView { out.append(",\"view\":true") }
    endEntry(to: &out)
  }

  private func append(names: [String], as member: String, to out: inout ByteBuffer) {
    out.append(",\"\(member)\":[")
    for (place, name) in names.enumerated() {
      if place > 0 { out.append(",") }
      out.appendJSON(string: name.utf8.span)
    }
    out.append("]")
  }

  mutating func paint(_ rows: Rows, _ range: Range<Int>, into out: inout ByteBuffer) {
    for id in rows.ids[range] {
      let batch = rows.batches[id.batch]
      guard let change = RowChange(batch, id.row, in: columns.change) else { continue }
      let before = replacedCount
      switch change {
      case .insert:
        beginEntry("insert", batch, id.row, to: &out)
        append(place: columns.change.to, as: "to", batch, id.row, to: &out)
        append(newMembers, presentNew, batch, id.row, to: &out)
        endEntry(to: &out)
      case .delete:
        beginEntry("delete", batch, id.row, to: &out)
        append(place: columns.change.from, as: "from", batch, id.row, to: &out)
        append(oldMembers, presentOld, batch, id.row, to: &out)
        endEntry(to: &out)
      case .update, .move, .moveAndUpdate:
        if change.isMove { appendMove(batch, id.row, to: &out) }
        if change.isUpdate || hasLoneCells(batch, id.row) { appendUpdate(batch, id.row, to: &out) }
      }
      found.recordFindings(CellFindings(illFormed: replacedCount &- before), batch, id.row)
    }
    found.releaseLargeBatches()
  }

  mutating func end(footers: [FooterLine], into out: inout ByteBuffer) {
    if isArray { out.append("\n]\n") }
  }
}

extension ChangeListPainter {
  private mutating func beginEntry(_ name: String, to out: inout ByteBuffer) {
    if isArray { out.append(isFirst ? "\n" : ",\n") }
    isFirst = false
    out.append("{\"op\":\"\(name)\"")
  }

  /// Begins an entry about a row, which its `--id` tells.
  private mutating func beginEntry(_ name: String, _ batch: Batch, _ row: Int, to out: inout ByteBuffer) {
    beginEntry(name, to: &out)
    appendSection(batch, row, to: &out)
    if columns.keys.isEmpty { return }
    out.append(",\"id\":{")
    for (place, key) in columns.keys.enumerated() {
      if place > 0 { out.append(",") }
      out.append(keyNames[place])
      replacedCount &+= out.append(jsonValueOf: key.column, of: batch, row: row, as: key.type)
    }
    out.append("}")
  }

  /// Appends the section of a row, unless it has none.
  private mutating func appendSection(_ batch: Batch, _ row: Int, to out: inout ByteBuffer) {
    guard let section, let state = sectionState else { return }
    var evaluator = Evaluator(section.context, batch: batch, row: row, state: state)
    let text = evaluator.text(of: evaluator.value(section.node))
    sectionState = evaluator.state
    guard let text else { return }
    out.append(",\"section\":")
    out.appendJSON(string: text.bytes(in: batch))
  }

  private func endEntry(to out: inout ByteBuffer) { out.append(isArray ? "}" : "}\n") }

  private func append(
    place column: Int, as member: String, _ batch: Batch, _ row: Int, to out: inout ByteBuffer
  ) {
    out.append(",\"\(member)\":")
    out.append(batch.content(batch.cell(row: row, column: column)))
  }

  private mutating func appendMove(_ batch: Batch, _ row: Int, to out: inout ByteBuffer) {
    beginEntry("move", batch, row, to: &out)
    append(place: columns.change.from, as: "from", batch, row, to: &out)
    append(place: columns.change.to, as: "to", batch, row, to: &out)
    if columns.keys.isEmpty { append(newMembers, presentNew, batch, row, to: &out) }
    endEntry(to: &out)
  }

  /// Appends a row; records of JSON lack what they lack.
  private mutating func append(
    _ members: [Member], _ present: PresentColumns, _ batch: Batch, _ row: Int, to out: inout ByteBuffer
  ) {
    out.append(",\"row\":{")
    var isFirst = true
    for place in present.inRow(row, of: batch) {
      let member = members[place]
      if batch.value(of: member.source, row: row).kind == .missing { continue }
      if !isFirst { out.append(",") }
      isFirst = false
      out.append(member.name)
      replacedCount &+= out.append(jsonValueOf: member.source, of: batch, row: row, as: member.type)
    }
    out.append("}")
  }

  private func hasLoneCells(_ batch: Batch, _ row: Int) -> Bool {
    columns.presentInserted.inRow(row, of: batch).contains { has(columns.inserted[$0].source, batch, row) }
      || presentDeleted.inRow(row, of: batch).contains {
        has(ResolvedColumn(index: columns.deleted[$0].index), batch, row)
      }
  }

  /// Whether a row has anything in a column.
  private func has(_ column: ResolvedColumn, _ batch: Batch, _ row: Int) -> Bool {
    let kind = batch.value(of: column, row: row).kind
    return kind != .missing && kind != .null && kind != .empty
  }

  private mutating func appendUpdate(_ batch: Batch, _ row: Int, to out: inout ByteBuffer) {
    beginEntry("update", batch, row, to: &out)
    out.append(",\"cells\":{")
    var isFirst = true
    func begin(_ name: [UInt8]) {
      if !isFirst { out.append(",") }
      isFirst = false
      out.append(name)
      out.append("{")
    }
    for place in presentWas.inRow(row, of: batch) {
      let pair = columns.pairs[place]
      guard batch.cell(row: row, column: pair.was).kind != .missing else { continue }
      begin(pairNames[place])
      out.append("\"old\":")
      replacedCount &+= out.append(
        jsonValueOf: ResolvedColumn(index: pair.was), of: batch, row: row, as: pair.type)
      out.append(",\"new\":")
      replacedCount &+= out.append(jsonValueOf: pair.new, of: batch, row: row, as: pair.type)
      out.append("}")
    }
    for place in columns.presentInserted.inRow(row, of: batch)
    where has(columns.inserted[place].source, batch, row) {
      let lone = columns.inserted[place]
      begin(insertedNames[place])
      out.append("\"new\":")
      replacedCount &+= out.append(jsonValueOf: lone.source, of: batch, row: row, as: lone.type)
      out.append("}")
    }
    for place in presentDeleted.inRow(row, of: batch) {
      let lone = columns.deleted[place]
      guard has(ResolvedColumn(index: lone.index), batch, row) else { continue }
      begin(deletedNames[place])
      out.append("\"old\":")
      replacedCount &+= out.append(
        jsonValueOf: ResolvedColumn(index: lone.index), of: batch, row: row, as: lone.type)
      out.append("}")
    }
    out.append("}")
    endEntry(to: &out)
  }
}
