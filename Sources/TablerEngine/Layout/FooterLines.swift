/// One line of the footer, with texts in UTF-8.
enum FooterLine: Equatable, Sendable {
  /// The titles again, with their indicators.
  case titles([[UInt8]?])
  /// The text under each shown column; `nil` if there is none.
  case cells([[UInt8]?])
  /// One text across all columns.
  case band([UInt8])

  /// Whether the line repeats the titles.
  var repeatsTitles: Bool {
    if case .titles = self { true } else { false }
  }

  /// Whether the line is one text across all columns.
  var isBand: Bool {
    if case .band = self { true } else { false }
  }
}

/// The footer of a table or section, computed while its rows pass: titles, totals, or templates over them.
struct FooterLines: AggregateKeeper, Sendable {
  /// The content of one column.
  private enum Slot: Sendable {
    case none
    case total(ColumnTotal)
    indirect case template(FooterTemplate)
  }

  /// One line: the titles again, or a slot for each column or for all.
  private enum Line: Sendable {
    case titles([[UInt8]])
    case slots([Slot], isBand: Bool)
  }

  private var made: [Line] = []

  /// The last records of the input, which come last.
  private var records: [FooterLine] = []

  private let context: EvaluationContext

  /// The columns of the lines.
  private let columns: [ShownColumn]

  /// The rows that seem to be totals themselves.
  private var addedTotals: AddedTotals

  /// The formats of totals, if any were given, by the index of the column.
  private var formats: [Int: RowTemplate] = [:]

  /// Whether a line depends on the rows.
  private(set) var needsRows = false

  /// Whether the memory of aggregates may grow with the rows.
  private(set) var keepsMore = false

  /// A footer without lines.
  init() {
    context = EvaluationContext()
    columns = []
    addedTotals = AddedTotals()
  }

  /// Creates the footers of a table.
  init(
    _ footers: [BoundFooter], _ columns: [ShownColumn], _ schema: inout Schema, _ context: EvaluationContext
  ) throws(ColumnError) {
    self.context = context
    // The columns are not held if there is no footer, because there may be many.
    self.columns = footers.isEmpty ? [] : columns
    addedTotals = AddedTotals(in: self.columns)
    for footer in footers {
      switch footer {
      case .titles:
        made.append(
          .titles(
            columns.map { column in
              let title = column.title.utf8.span
              return Array(
                copying: title.extracting(..<DrawnText.end(of: title, room: DrawnText.longestTitle)))
            }))
      case .totals:
        made.append(.slots(columns.map { $0.total(schema).map { .total($0) } ?? .none }, isBand: false))
        for (place, column) in columns.enumerated() {
          if let template = column.format { formats[place] = template }
        }
      case .templates(let templates):
        let slots = try Self.slots(templates, columns, &schema)
        // Templates for hidden columns make no line.
        if slots.contains(where: { if case .template = $0 { true } else { false } }) {
          made.append(.slots(slots, isBand: false))
        }
      case .band(let template): made.append(.slots([.template(template)], isBand: true))
      }
    }
    forEachSlot { slot in
      switch slot {
      case .none: break
      case .total: needsRows = true
      case .template(let template):
        needsRows = needsRows || template.needsRows
        keepsMore = keepsMore || template.keepsMore
      }
    }
  }

  var byteCount: Int {
    var count = 0
    forEachSlot { slot in
      if case .template(let template) = slot { count += template.byteCount }
    }
    return count
  }

  mutating func spill(to file: SpillFile) throws(SystemError) {
    for line in made.indices {
      guard case .slots(var slots, let isBand) = made[line] else { continue }
      made[line] = .titles([])
      defer { made[line] = .slots(slots, isBand: isBand) }
      for index in slots.indices {
        guard case .template(var template) = slots[index] else { continue }
        slots[index] = .none
        defer { slots[index] = .template(template) }
        try template.spill(to: file)
      }
    }
  }

  /// Sets the value of the name that is no column.
  mutating func setGiven(_ value: Value) {
    for line in made.indices {
      guard case .slots(var slots, let isBand) = made[line] else { continue }
      for index in slots.indices {
        guard case .template(var template) = slots[index] else { continue }
        template.given = value
        slots[index] = .template(template)
      }
      made[line] = .slots(slots, isBand: isBand)
    }
  }

  /// The lines so far, without empty ones.
  var lines: [FooterLine] {
    let lines: [FooterLine] = made.compactMap { line in
      switch line {
      case .titles(let titles): return .titles(titles)
      case .slots(let slots, let isBand):
        let cells = slots.indices.map { text(slots[$0], format: formats[$0]) }
        if cells.allSatisfy({ $0?.isEmpty ?? true }) { return nil }
        return isBand ? .band(cells[0] ?? []) : .cells(cells)
      }
    }
    return records.isEmpty ? lines : lines + records
  }

  /// Reserves lines for `count` records.
  mutating func expect(_ count: Int, _ columns: [ShownColumn]) {
    records = [FooterLine](repeating: .cells(columns.map { _ in nil }), count: count)
  }

  /// Shows each record in a line of its own.
  mutating func show(_ rows: [Rows], _ columns: [ShownColumn]) {
    records = []
    for rows in rows {
      for id in rows.ids {
        let batch = rows.batches[id.batch]
        records.append(.cells(columns.map { text($0, of: batch, row: id.row) }))
      }
    }
  }

  /// The cells that did not convert, template by template, and those that totals left out.
  var tallies: [ConversionTally] {
    var tallies: [ConversionTally] = []
    forEachSlot { slot in
      switch slot {
      case .none: break
      case .total(let total): if let tally = total.misfitCells { tallies.append(tally) }
      case .template(let template): tallies.append(template.tally)
      }
    }
    return tallies
  }

  /// The failure with which an expression ended the run.
  var failure: EvaluationFailure? {
    var failure: EvaluationFailure?
    forEachSlot { slot in
      if failure == nil, case .template(let template) = slot { failure = template.failure }
    }
    return failure
  }
}

extension FooterLines {
  /// The text of a column in a record; `nil` if it is empty.
  private func text(_ column: ShownColumn, of batch: Batch, row: Int) -> [UInt8]? {
    guard case .column(let source) = column.source else { return nil }
    let node: Node =
      source.path.isEmpty && source.longer.isEmpty
      ? .cell(column: source.index, slot: -1) : .way(source, slot: -1)
    var evaluator = Evaluator(context, batch: batch, row: row, state: EvaluationState(slots: []))
    guard let text = evaluator.text(node) else { return nil }
    var buffer = ByteBuffer()
    if let format = column.format {
      var state = format.freshState
      let cell = text.bytes(in: batch)
      if format.render(batch, row: row, cell: cell, kind: .text, into: &buffer, state: &state) {
        return buffer.array()
      }
    }
    return Array(copying: text.bytes(in: batch))
  }

  private func forEachSlot(_ body: (Slot) -> Void) {
    for line in made {
      guard case .slots(let slots, _) = line else { continue }
      for slot in slots { body(slot) }
    }
  }

  private static func slots(
    _ templates: [(column: ColumnReference, template: FooterTemplate)], _ columns: [ShownColumn],
    _ schema: inout Schema
  ) throws(ColumnError) -> [Slot] {
    var slots = [Slot](repeating: .none, count: columns.count)
    var places: [ResolvedColumn: [Int]] = [:]
    for (place, shown) in columns.enumerated() {
      if case .column(let source) = shown.source { places[source.identity, default: []].append(place) }
    }
    for (reference, template) in templates {
      let column = try schema.resolve(reference)
      for place in places[column.identity] ?? [] { slots[place] = .template(template) }
    }
    return slots
  }

  /// The notes on rows that seem to be totals themselves.
  func notices(_ sources: [Source]) -> [Notice] { addsRows ? addedTotals.notices(sources) : [] }

  /// Whether a line shows what rows add up to.
  private var addsRows: Bool {
    var adds = false
    forEachSlot { slot in
      switch slot {
      case .none: break
      case .total(let total): adds = adds || total.result != nil
      case .template(let template): adds = adds || template.adds
      }
    }
    return adds
  }

  /// Adds shown rows, in order.
  mutating func accumulate(_ batch: Batch, _ rows: [UInt32]) {
    if needsRows { addedTotals.examine(rows, of: batch) }
    for line in made.indices {
      guard case .slots(var slots, let isBand) = made[line] else { continue }
      made[line] = .titles([])
      for index in slots.indices {
        switch slots[index] {
        case .none: continue
        case .template(var template):
          slots[index] = .none
          template.accumulate(batch, rows: rows.span)
          slots[index] = .template(template)
        case .total(var total):
          guard case .column(let source) = columns[index].source else { continue }
          slots[index] = .none
          total.add(batch, rows: rows.span, of: source, name: columns[index].name, context)
          slots[index] = .total(total)
        }
      }
      made[line] = .slots(slots, isBand: isBand)
    }
  }

  private func text(_ slot: Slot, format: RowTemplate?) -> [UInt8]? {
    var buffer = ByteBuffer()
    switch slot {
    case .none: return nil
    case .template(let template):
      template.render(into: &buffer)
    case .total(let total):
      guard let sum = total.result else { return nil }
      if let format {
        var state = format.freshState
        NumberWriter.append(sum, marks: context.marks, to: &buffer)
        var shown = ByteBuffer()
        if format.render(.empty, row: 0, cell: buffer.span, kind: .text, into: &shown, state: &state) {
          return shown.array()
        }
        buffer.removeAll()
      }
      total.append(sum, marks: context.marks, to: &buffer)
    }
    return buffer.array()
  }
}

extension ShownColumn {
  /// The total of the column, if it may have one.
  fileprivate func total(_ schema: Schema) -> ColumnTotal? {
    guard case .column(let column) = source, !isRowHeader, !isGroupKey, !isPivotKey, !isRowKey
    else { return nil }
    let isInexact = schema.columns[column.index].isInexact
    return switch type ?? schema.columns[column.index].valueType {
    case nil, .number, .int, .decimal, .double: ColumnTotal(of: .numbers, mayBeInexact: isInexact)
    case .size: ColumnTotal(of: .sizes, mayBeInexact: isInexact)
    case .duration: ColumnTotal(of: .durations, mayBeInexact: isInexact)
    case .text, .bool, .date, .datetime, .list, .object: nil
    }
  }
}

/// The sum of the numbers, sizes or durations in a column: of `--footer totals`.
///
/// There may be very many columns, so a tally is held only once there is a misfit.
struct ColumnTotal: Sendable {
  /// The kind of a column's cells.
  enum Kind {
    case numbers
    case sizes
    case durations
  }

  private let kind: Kind

  /// Whether the cells may have more digits than are useful.
  private let mayBeInexact: Bool

  private var sum = ExactSum()

  /// The spelling of sizes in the column, and the maximum number of decimals that one of them has.
  private var spelling: Size.UnitSpelling?
  private var decimals = 1

  /// The maximum number of decimals in a total.
  private static let mostDecimals = 6

  /// The number of values that were numbers.
  private var count = 0

  /// The number of other values, without nulls.
  private var misfits = 0

  /// The cells that did not convert; it has no entry while there is none.
  private var tally = ConversionTally(entries: [])

  /// Starts before the first row.
  init(of kind: Kind, mayBeInexact: Bool) {
    self.kind = kind
    self.mayBeInexact = mayBeInexact
  }

  /// Adds rows of a batch.
  ///
  /// - Parameter name: the name of the column in warnings.
  mutating func add(
    _ batch: Batch, rows: Span<UInt32>, of column: ResolvedColumn, name: String, _ context: EvaluationContext
  ) {
    let node: Node = column.path.isEmpty ? .cell(column: column.index, slot: 0) : .way(column, slot: 0)
    var evaluator = Evaluator(context, batch: batch, state: EvaluationState(slots: []))
    evaluator.state.tally =
      tally.entries.isEmpty
      ? ConversionTally(entries: [
        ConversionTally.ColumnMisfits(column: name, use: .total(isLeftOut: false), marks: context.marks)
      ]) : tally
    tally.entries = []
    for index in rows.indices {
      evaluator.row = Int(rows[index])
      if let number = number(of: node, &evaluator), !isCode(node, &evaluator) {
        count += 1
        sum.add(number)
      } else if !evaluator.value(node).isNull {
        misfits += 1
      }
    }
    if evaluator.state.tally.entries[0].count > 0 { tally = evaluator.state.tally }
  }

  /// The amount that a cell adds to the sum.
  @inline(__always)
  private mutating func number(of node: Node, _ evaluator: inout Evaluator) -> Number? {
    switch kind {
    case .numbers: return evaluator.number(node)
    case .durations: return evaluator.duration(node).map { .decimal($0.seconds) }
    case .sizes:
      let size = evaluator.size(node)
      if size != nil, let text = evaluator.text(node) {
        recordSpelling(text.bytes(in: evaluator.batch), evaluator)
      }
      return size
    }
  }

  /// Records the spelling of a size.
  private mutating func recordSpelling(_ text: Span<UInt8>, _ evaluator: borrowing Evaluator) {
    let marks = evaluator.context.marks
    if spelling?.isCertain != true { spelling = Size.spelling(of: text, marks: marks) ?? spelling }
    guard decimals < Self.mostDecimals, let mark = text.indices.first(where: { text[$0] == marks.decimal })
    else { return }
    let digits = (mark + 1..<text.count).prefix { text[$0].isDigit }
    decimals = min(max(decimals, digits.count), Self.mostDecimals)
  }

  /// Whether a cell is a text of digits because of its form or a function, although it looks like a number:
  /// `"00501"`.
  @inline(__always)
  private func isCode(_ node: Node, _ evaluator: inout Evaluator) -> Bool {
    guard kind == .numbers else { return false }
    let batch = evaluator.batch
    if case .cell(let column, _) = node, !batch.isText(batch.cell(row: evaluator.row, column: column)) {
      return false
    }
    let value = evaluator.value(node)
    guard case .text(let text) = value, text.isString,
      NumberReader.typed(text.bytes(in: batch), marks: evaluator.context.marks) == nil
    else { return false }
    evaluator.recordMisfit(value, from: node, wanted: .number)
    return true
  }

  /// The sum; `nil` if there are no numbers, or not more of them than other values.
  var result: Number? { count > misfits ? sum.total : nil }

  /// Appends a sum as the column spells its cells.
  func append(_ sum: Number, marks: NumberMarks, to buffer: inout ByteBuffer) {
    if let spelling {
      spelling.append(sum, decimals: decimals, marks: marks, to: &buffer)
    } else if kind == .durations, let duration = Duration(sum) {
      duration.append(to: &buffer)
    } else {
      NumberWriter.append(sum, .drawn(mayBeInexact: mayBeInexact), marks: marks, to: &buffer)
    }
  }

  /// The cells that the sum leaves out.
  ///
  /// If there is no sum these are all, provided that half are numbers or most could be read as what they are;
  /// otherwise `nil`.
  var misfitCells: ConversionTally? {
    if result != nil { return tally }
    guard let entry = tally.entries.first else { return nil }
    let readable = entry.misfits.looks.summableCount
    guard count == misfits || readable > 0 && 2 * (count + readable) >= count + misfits else { return nil }
    var tally = tally
    tally.entries[0].use = .total(isLeftOut: true)
    tally.entries[0].numberCount = count
    return tally
  }
}
