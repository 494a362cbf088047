extension Pipeline {
  /// How long the input may pause before the rows at hand are drawn, in milliseconds.
  private static let pause = 300

  /// How long the first row may wait at most, however steadily others come, in milliseconds.
  private static let longestWait = 500

  /// The rows that are looked at before the first is drawn, and what came with them.
  ///
  /// Under `--follow` the input need not have them all: from the first row on a pause is enough, or half a second. What
  /// is held is drawn before an interrupt ends the run (R67). Of JSON the columns are those of these rows, however
  /// much was read.
  mutating func firstRows(_ wanted: Int) throws(Failure) -> Rows {
    var rows = Rows()
    var start: Int?
    var isOverdue = false
    while rows.count < wanted {
      if plan.input.isFollowed, rows.count > 0 {
        if start == nil { holdInterrupts() }
        let since = start ?? Process.milliseconds
        start = since
        let left = Self.longestWait - (Process.milliseconds - since)
        isOverdue = left <= 0
        if isOverdue { break }
        reading.patience = min(Self.pause, left)
      }
      guard let more = try nextRows() else { break }
      rows.append(more)
    }
    reading.patience = nil
    let measured = schedule.measuring.count(of: rows.count)
    let isWhole = stages.isFull || rows.count < wanted && !reading.isPaused && !isOverdue
    lookAhead = isWhole && measured == rows.count ? .all : .first(measured)
    guard schema.isOpen, schedule.lateColumns != .none else { return rows }
    let all = schema
    if rows.count >= wanted, let last = rows.ids.prefix(wanted).last {
      reading.dropColumns(behind: last.row, of: rows.batches[last.batch])
    }
    switch schedule.lateColumns {
    case .none: break
    case .drawn: ownKeys = OwnKeys(all: all, count: 0)
    case .reported: lateKeys = LateKeys(drawn: schema, all: all)
    }
    return rows
  }

  /// Makes an interrupt wait until the rows at hand are drawn.
  private mutating func holdInterrupts() {
    holdsInterrupts = true
    Process.holdInterrupts(true)
  }

  /// Lets an interrupt end the run again, once the rows it waited for are drawn.
  mutating func releaseInterrupts() {
    guard holdsInterrupts else { return }
    holdsInterrupts = false
    Process.holdInterrupts(false)
  }

  /// Reports the keys of rows that the table, begun without them, has no column for.
  mutating func reportLateKeys(of rows: Rows) {
    guard var late = lateKeys else { return }
    let found = late.take(rows, schema)
    lateKeys = late
    for key in found where isWanted(key.column, of: late.all) {
      let place = InputError.Place(path: plan.sources[key.source].path, line: key.line)
      report(.input(.lateKey(late.all.columns[key.column].name, place)))
    }
  }

  /// Says something now, where somebody listens, else at the end: a live stream may have none.
  ///
  /// Of very many the first ones are said, and the others counted at the end.
  private mutating func report(_ notice: Notice) {
    guard let listener, reportCount < Self.mostReports else { return outcome.notices.append(notice) }
    reportCount += 1
    listener(notice)
  }

  private static var mostReports: Int { 10 }

  /// Whether a column would be shown if it had been known from the start.
  private func isWanted(_ column: Int, of schema: Schema) -> Bool {
    var schema = schema
    guard let shown = try? ShownColumns(plan, &schema, sortStates: []).columns else { return false }
    return shown.contains {
      if case .column(let resolved) = $0.source { resolved.index == column } else { false }
    }
  }
}

/// The JSON keys that come after the columns of a table were settled.
struct LateKeys {
  /// A key, by the column it would be, and the first row shown that has it.
  struct Found {
    /// The column.
    var column: Int
    /// The input, as an index into the plan's sources.
    var source: Int
    /// The line of the row.
    var line: Int
  }

  /// All columns that are known by now.
  private(set) var all: Schema

  /// The columns that are drawn or were reported.
  private var settled: Set<Int>

  /// Starts with the columns that are drawn, and all that are known already.
  init(drawn: Schema, all: Schema) {
    self.all = all
    settled = Set(drawn.shown)
  }

  /// Takes note of columns that are drawn before they were seen, because an option names them.
  mutating func settle(_ columns: [ShownColumn]) {
    for column in columns {
      guard case .column(let resolved) = column.source else { continue }
      settled.insert(resolved.index)
      for longer in resolved.longer { settled.insert(longer.index) }
    }
  }

  /// The keys that rows are the first to have, in order of their columns.
  mutating func take(_ rows: Rows, _ schema: Schema) -> [Found] {
    if schema.shown.count > all.shown.count { all = schema }
    let new = all.shown.filter { !settled.contains($0) }
    var found: [Found] = []
    for column in new {
      let first = rows.ids.first { id in
        let batch = rows.batches[id.batch]
        return column < batch.columnCount && batch.cell(row: id.row, column: column).kind != .missing
      }
      guard let first else { continue }
      let batch = rows.batches[first.batch]
      settled.insert(column)
      let source = batch.source(ofRow: first.row)
      found.append(Found(column: column, source: source, line: batch.line(ofRow: first.row)))
    }
    return found
  }
}
