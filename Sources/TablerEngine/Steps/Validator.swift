/// Checks rows by the rules of `--validate`: it reports those that violate them, and leaves, keeps or removes them.
///
/// If the table has marks, a batch with cells that violate a rule gets a column of notes (`FieldMark`). It
/// accompanies the rows wherever they are held, sorted and stored.
struct Validator: PassingStep {
  /// A rule for a record, or for the cells of one column: there may be very many of the latter.
  private struct Check {
    /// The number of the rule.
    var rule: UInt32
    /// The condition, as an index into `conditions`: the columns of one type that match a pattern share it.
    var condition: UInt32
    /// The field, of a field rule.
    var field: Field?
  }

  /// The field that a rule checks.
  fileprivate struct Field {
    /// The column, or the one that a path into JSON begins with.
    var column: FieldColumn
    /// Its number in notes.
    var number: UInt32
    /// Whether only existing cells are checked: a pattern does not mean members that a record of JSON lacks.
    var mustBeThere: Bool

    /// Its name in findings.
    var title: String { column.name.isEmpty ? "@\(column.index + 1)" : column.name }
  }

  /// A check of a row that failed.
  fileprivate struct Failing {
    var row: UInt32
    var check: Int
  }

  private let rules: [ValidationRule]

  /// The rules for columns that match a pattern.
  private let patterns: [(rule: Int, pattern: Glob)]
  private var checks: [Check] = []
  private var conditions: [RowCondition] = []

  /// The conditions that columns share, by rule and type.
  private var shared: [SharedCondition: Int] = [:]

  private struct SharedCondition: Hashable {
    var rule: Int
    var type: ValueType?
  }

  /// The variables for binding rules to columns that come later.
  private let variables: NamedTexts
  private let context: EvaluationContext

  /// The columns that were compared with the patterns.
  private var known: Set<Int> = []

  /// What to do with rows that are not valid.
  private let policy: InvalidRowPolicy

  /// The columns that identify a row in findings.
  private let keys: [(name: String, column: ResolvedColumn)]

  /// The column of notes, if marks are drawn.
  private let noteColumn: Int?

  /// The paths into columns that field rules name.
  private var ways: [ResolvedColumn: UInt32] = [:]

  /// The findings.
  private(set) var findings = ValidationFindings()

  /// The rows that were removed, if they are to be written.
  private(set) var rejects: Rejects?

  /// Binds rules.
  ///
  /// - Parameters:
  ///   - keys: the columns that identify a row in findings instead of its line.
  ///   - sources: the inputs.
  ///   - budget: the bytes that removed rows may take.
  init(
    _ rules: [ValidationRule], _ policy: InvalidRowPolicy, keys: ColumnList?, _ sources: [Source],
    budget: Int, _ binder: inout Binder
  ) throws(Failure) {
    self.rules = rules
    self.policy = policy
    patterns = rules.enumerated().compactMap { rule, source in
      if case .glob(let pattern)? = source.columns { (rule, Glob(pattern)) } else { nil }
    }
    variables = binder.variables
    context = binder.context
    self.keys = try Self.keys(keys, &binder.schema)
    noteColumn = binder.context.noteColumn
    if case .reject = policy {
      let files = sources.count > 1 ? sources.map(\.name) : nil
      rejects = Rejects(&binder.schema, files: files, budget: budget)
    }
    do {
      for rule in rules.indices { try bind(rule, &binder) }
      try adoptColumns(of: binder.schema)
    } catch { throw .expression(error) }
  }

  /// The columns of `--id`.
  private static func keys(
    _ list: ColumnList?, _ schema: inout Schema
  ) throws(Failure) -> [(name: String, column: ResolvedColumn)] {
    guard let list else { return [] }
    do {
      return try schema.select(list).map { key in
        (key.name.isEmpty ? "@\(key.column.index + 1)" : key.name, key.column)
      }
    } catch { throw .column(option: "--id", error) }
  }

  var states: [EvaluationState] {
    conditions.map(\.state)
      + checks.compactMap { check in
        check.field.flatMap { conditions[Int(check.condition)].state(of: $0.column.index) }
      }
  }

  /// Rows with notes are held with them: they are not cut again.
  static func demands(of plan: borrowing Plan, isOpen: Bool) -> StepDemands {
    plan.marksFailures ? .places : []
  }

  private var holdsKeys: Bool { conditions.contains(where: \.holdsKeys) }

  func planned(_ schedule: Schedule) -> [PlannedStep] {
    let holding: PlannedStep.HeldAmount =
      rejects != nil
      ? .spilled(.rejects) : holdsKeys ? .keys : .batch
    return [PlannedStep(work: .validate, holding: holding)]
  }

  func notices(_ sources: [Source]) -> [Notice] { findings.notices(sources) }

  /// The findings that have not been reported yet; the call marks them as reported.
  mutating func takeFindings(_ sources: [Source]) -> [Notice] { findings.takeNotices(sources) }
}

// MARK: - Binding

extension Validator {
  /// Binds a rule to the columns known so far.
  private mutating func bind(_ rule: Int, _ binder: inout Binder) throws(ExpressionError) {
    let source = rules[rule]
    switch source.columns {
    case nil:
      conditions.append(try RowCondition(source.condition, mayLeaveOut: false, &binder))
      checks.append(Check(rule: UInt32(rule), condition: UInt32(conditions.count - 1)))
    case .glob:
      // A mistake in the rule is reported before any column is known.
      binder.fieldCell = .unknown
      defer { binder.fieldCell = nil }
      _ = try RowCondition(source.condition, mayLeaveOut: false, &binder)
    case .column(let reference)?:
      let column: ResolvedColumn
      do { column = try binder.schema.resolve(reference) } catch {
        throw source.condition.error(notFound: error, at: source.columnsRange)
      }
      checks.append(try check(rule, of: column, isPattern: false, &binder))
    }
  }

  /// A field rule bound to a column.
  private mutating func check(
    _ rule: Int, of column: ResolvedColumn, isPattern: Bool, _ binder: inout Binder
  ) throws(ExpressionError) -> Check {
    let condition = try condition(of: rule, column, isPattern: isPattern, &binder)
    let column = column.identity
    let field = Field(
      column: FieldColumn(index: column.index, name: binder.schema.name(of: column)),
      number: number(of: column), mustBeThere: isPattern && binder.schema.isOpen)
    return Check(rule: UInt32(rule), condition: UInt32(condition), field: field)
  }

  /// The index of the condition for a column; one for all columns of the same type that match a pattern,
  /// unless it holds keys.
  private mutating func condition(
    of rule: Int, _ column: ResolvedColumn, isPattern: Bool, _ binder: inout Binder
  ) throws(ExpressionError) -> Int {
    defer { binder.fieldCell = nil }
    let type = binder.schema.columns[column.index].type
    let key = SharedCondition(rule: rule, type: type)
    if isPattern {
      if let known = shared[key] { return known }
      binder.fieldCell = .exchanged(type)
      let condition = try RowCondition(rules[rule].condition, mayLeaveOut: false, &binder)
      if !condition.holdsKeys {
        conditions.append(condition)
        shared[key] = conditions.count - 1
        return conditions.count - 1
      }
    }
    binder.fieldCell = .column(column)
    conditions.append(try RowCondition(rules[rule].condition, mayLeaveOut: false, &binder))
    return conditions.count - 1
  }

  /// The number of a field in notes: that of its column, or one beyond those of all columns.
  private mutating func number(of column: ResolvedColumn) -> UInt32 {
    if column.path.isEmpty { return UInt32(truncatingIfNeeded: column.index) }
    if let number = ways[column] { return number }
    let number = UInt32.max - UInt32(truncatingIfNeeded: ways.count)
    ways[column] = number
    return number
  }

  /// Records columns that came with the next batch: patterns may match them.
  ///
  /// The checks of a pattern are in the order in which the columns were first seen, which does not depend on
  /// how much was read together.
  ///
  /// - Throws: the mistake in a rule for a column of its declared type.
  mutating func adoptColumns(of schema: Schema) throws(ExpressionError) {
    guard schema.shown.count > known.count, patterns.count > 0 else { return }
    var binder = Binder(schema: schema, variables: variables, context: context)
    checks.reserveCapacity(checks.count + (schema.shown.count - known.count) * patterns.count)
    for index in schema.shown where known.insert(index).inserted {
      let name = Array(schema.columns[index].name.unicodeScalars)
      for (rule, pattern) in patterns where pattern.matches(name) {
        checks.append(try check(rule, of: ResolvedColumn(index: index), isPattern: true, &binder))
      }
    }
    checks.sort { $0.rule < $1.rule }
  }

  /// The columns that show failures, and where to find them; `nil` if none are shown.
  var marks: FieldMarks? {
    guard let noteColumn else { return nil }
    return FieldMarks(
      noteColumn: noteColumn, messages: rules.map(\.message), ways: ways,
      columns: Set(checks.compactMap { $0.field?.column.index }),
      patterns: patterns.map(\.pattern), hasRecordRules: rules.contains { $0.columns == nil })
  }
}

/// The columns that show failures, and where to find them.
struct FieldMarks: Sendable {
  fileprivate let noteColumn: Int
  fileprivate let messages: [String]
  fileprivate let ways: [ResolvedColumn: UInt32]
  fileprivate let columns: Set<Int>
  fileprivate let patterns: [Glob]
  fileprivate let hasRecordRules: Bool

  /// The mark of a whole record, if a rule is about it.
  var ofRecord: FieldMark? {
    hasRecordRules ? FieldMark(in: noteColumn, field: FieldMark.record, messages: messages) : nil
  }

  /// The mark of a shown column, if a rule is about it.
  func mark(of column: ResolvedColumn, _ schema: Schema) -> FieldMark? {
    let column = column.identity
    guard column.path.isEmpty else {
      return ways[column].map { FieldMark(in: noteColumn, field: $0, messages: messages) }
    }
    guard columns.contains(column.index) || isMatched(schema.columns[column.index].name) else { return nil }
    let field = UInt32(truncatingIfNeeded: column.index)
    return FieldMark(in: noteColumn, field: field, messages: messages)
  }

  private func isMatched(_ name: String) -> Bool {
    if patterns.isEmpty { return false }
    let scalars = Array(name.unicodeScalars)
    return patterns.contains { $0.matches(scalars) }
  }
}

// MARK: - Checking

extension Validator {
  /// Checks rows, and returns those that stay, with their notes.
  mutating func pass(_ rows: Rows, room: Int) throws(Failure) -> Rows {
    do { return try pass(rows) } catch { throw .spill(error) }
  }

  private mutating func pass(_ rows: Rows) throws(SystemError) -> Rows {
    var runs: [(batch: Batch, rows: [UInt32])] = []
    rows.forEachRun { runs.append(($0, $1)) }
    var isChanged = policy == .keepOnly
    for index in runs.indices {
      let (batch, numbers) = runs[index]
      let failing = check(numbers, of: batch)
      let invalid = failing.rows
      recordFailures(failing, of: batch)
      findings.rowCount += invalid.count
      switch policy {
      case .keep: runs[index].batch = noted(failing, of: batch)
      case .keepOnly: runs[index] = (noted(failing, of: batch), invalid)
      case .reject:
        try reject(failing, invalid, of: batch)
        runs[index].rows = numbers.without(invalid)
      }
      if !invalid.isEmpty { isChanged = true }
    }
    let keys = conditions.reduce(0) { $0 + $1.keyMemory }
    if keys > context.keyRoom { conditions[0].failForKeys() }
    guard isChanged else { return rows }
    var kept = Rows()
    for (batch, numbers) in runs { kept.append(Rows(batch, numbers)) }
    return kept
  }

  /// The checks that fail, row by row; cells that do not convert are null, whatever becomes of their rows
  /// elsewhere.
  private mutating func check(_ numbers: [UInt32], of batch: Batch) -> [Failing] {
    var failing: [Failing] = []
    var left: [UInt32] = []
    let present = batch.sparse == nil || patterns.isEmpty ? nil : batch.rowsByColumn(numbers)
    for (index, check) in checks.enumerated() {
      var asked = numbers
      if let field = check.field, field.mustBeThere {
        if let present {
          asked = present[field.column.index] ?? []
        } else {
          asked.removeAll { batch.cell(row: Int($0), column: field.column.index).kind == .missing }
        }
        if asked.isEmpty { continue }
      }
      left.removeAll(keepingCapacity: true)
      left += asked
      conditions[Int(check.condition)].keep(&left, of: batch, field: check.field?.column)
      guard left.count < asked.count else { continue }
      for row in asked.without(left) { failing.append(Failing(row: row, check: index)) }
    }
    failing.sort { ($0.row, $0.check) < ($1.row, $1.check) }
    return failing
  }

  /// Records the failures in a batch.
  private mutating func recordFailures(_ failing: [Failing], of batch: Batch) {
    var last = (row: 0, line: failing.isEmpty ? 0 : batch.line(ofRow: 0))
    for failure in failing.prefix(findings.room) {
      let row = Int(failure.row)
      last = (row, batch.line(ofRow: row, from: last))
      let check = checks[failure.check]
      findings.name(
        ValidationFindings.Violation(
          source: batch.source(ofRow: row), line: last.line,
          column: check.field.flatMap { batch.displayColumn(ofRow: row, column: $0.column.index) },
          key: key(ofRow: row, of: batch), field: check.field?.title, message: rules[Int(check.rule)].message)
      )
    }
    findings.count += failing.count
  }

  /// The maximum number of bytes in a cell that are kept: more than a message shows.
  private static let longestKey = 1 << 10

  /// The cells that identify a row instead of its line.
  private func key(ofRow row: Int, of batch: Batch) -> [RowKey] {
    keys.map { name, column in
      var text = ByteBuffer()
      let found = batch.value(of: column, row: row)
      if found.kind == .null || found.kind == .missing || found.kind == .empty {
        text.append("NA")
      } else if found.isWhole {
        let content = batch.content(found.cell)
        text.append(content.extracting(..<min(content.count, Self.longestKey)))
      } else {
        found.appendText(of: batch.content(found.cell), to: &text)
      }
      text.truncate(to: min(text.count, Self.longestKey))
      return RowKey(column: name, text: text.array())
    }
  }

  /// The batch with notes on the fields and records that violate a rule, if marks are drawn.
  private func noted(_ failing: [Failing], of batch: Batch) -> Batch {
    guard let noteColumn, !failing.isEmpty else { return batch }
    var notes = FieldNotes()
    for failure in failing {
      let check = checks[failure.check]
      notes.add(row: failure.row, rule: Int(check.rule), field: check.field?.number ?? FieldMark.record)
    }
    return notes.batch(batch, in: noteColumn)
  }

  /// Moves the rows that are not valid to the rejects.
  private mutating func reject(
    _ failing: [Failing], _ rows: [UInt32], of batch: Batch
  ) throws(SystemError) {
    if rows.isEmpty { return }
    var reasons: [Rejects.Reason] = []
    for failure in failing {
      let check = checks[failure.check]
      reasons.append(
        Rejects.Reason(
          row: failure.row, field: check.field?.title ?? "", message: rules[Int(check.rule)].message))
    }
    try rejects?.append(rows, of: batch, reasons)
  }
}

extension Batch {
  /// For each column, those of `rows` that have a cell in it.
  fileprivate func rowsByColumn(_ rows: [UInt32]) -> [Int: [UInt32]] {
    var found: [Int: [UInt32]] = [:]
    for row in rows {
      for index in cellIndices(ofRow: Int(row)) where cells[index].kind != .missing {
        found[column(ofCell: index, row: Int(row)), default: []].append(row)
      }
    }
    return found
  }
}

extension [Validator.Failing] {
  /// The rows, ascending, without duplicates.
  fileprivate var rows: [UInt32] {
    var rows: [UInt32] = []
    for failure in self where rows.last != failure.row { rows.append(failure.row) }
    return rows
  }
}

// MARK: - Notes

/// The notes on the rows of a batch.
private struct FieldNotes {
  private var rows: [UInt32] = []

  /// The notes of all rows, one after another, and where those of each row end.
  private var notes: [(rule: Int, field: UInt32)] = []
  private var ends: [Int] = []

  /// Adds a note; rows must come in order.
  mutating func add(row: UInt32, rule: Int, field: UInt32) {
    notes.append((rule, field))
    if rows.last == row {
      ends[ends.count - 1] = notes.count
    } else {
      rows.append(row)
      ends.append(notes.count)
    }
  }

  /// The batch with a column of the notes; the batch unchanged if there are none.
  func batch(_ batch: Batch, in column: Int) -> Batch {
    if rows.isEmpty { return batch }
    var computed = ComputedColumn(at: column, of: batch, count: batch.rowCount, room: .max)
    var start = 0
    for (row, end) in zip(rows, ends) {
      computed.set(row: Int(row), kind: .text) { text in
        let own = notes[start..<end].sorted { ($0.field, $0.rule) < ($1.field, $1.rule) }
        for note in own { FieldMark.append(rule: note.rule, field: note.field, to: &text) }
      }
      start = end
    }
    return computed.finish(cutting: nil)
  }
}

extension PlannedStep.Work {
  static let validate = Self(rawValue: "--validate")
}

extension Validator {
  /// Rows are checked here.
  static func ask(_ query: inout Query, of plan: inout Plan) throws(Failure) {
    if plan.rules.isEmpty { return }
    if plan.grouping != nil { throw .query(.beforeGroups("--validate")) }
    query.leave(PlannedStep.Work.validate.rawValue)
  }
}

extension Batch {
  /// The display column in which a cell begins, counted from 1; `nil` if it is not in the first line of a record that begins
  /// a line, as those of csv do.
  fileprivate func displayColumn(ofRow row: Int, column: Int) -> Int? {
    let cell = cell(row: row, column: column)
    guard places.isEmpty, origin.dialect.form != .json, rawRange(of: cell) != nil else { return nil }
    let start = Int(recordStarts[row])
    let place = spellingRange(of: cell).lowerBound
    guard place >= start else { return nil }
    let before = block.span(from: start, count: place - start, heldBy: self)
    var width = RunningWidth()
    width.append(before)
    return before.lineEnds == 0 ? width.cells + 1 : nil
  }
}
