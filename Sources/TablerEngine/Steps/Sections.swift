/// The sections of a table, which are found as its rows pass, or before if all or the first rows are examined.
///
/// Rows are evaluated once, unless the sections that were found before outgrow their memory: then these are dropped,
/// and found again as the rows pass. If a heading depends on the rows of its section, the rows are held until it is
/// known; beyond the budget they are spilled.
struct Sections: Sendable {
  /// Divides the rows that the list does not have yet; `nil` if all are in one section.
  private var divider: SectionDivider?

  /// `divider` as it was before the first row, to start again.
  private let fresh: SectionDivider?

  private var list = SectionList()

  /// How far rows have passed.
  private var cursor = SectionCursor()

  /// The rows that came but wait for the heading of their section.
  private var held: StoredRows?

  private let budget: Int

  /// The bytes that found sections may still take; `nil` once they have taken too many.
  private var room: Int?

  /// Prepares to divide the rows of a table.
  ///
  /// - Parameter budget: the bytes that rows may take in memory before they go to a temporary file. Sections may
  ///   take an eighth of it, and at least 1 MiB.
  init(_ divider: SectionDivider, budget: Int) {
    self.divider = divider
    fresh = divider
    self.budget = budget
    room = max(budget / 8, 1 << 20)
  }

  /// All rows in one section.
  init() {
    fresh = nil
    list = .undivided
    (budget, room) = (0, 0)
  }

  /// Whether the table is one section without heading and footer.
  var isWhole: Bool { fresh == nil }

  /// The sections of all rows, if they are known before the rows pass.
  ///
  /// - Parameter rowCount: the number of rows.
  func known(ofRows rowCount: Int) -> SectionList? {
    var list = list
    if isWhole { list.end([], rowCount: rowCount) }
    return list.isComplete ? list : nil
  }

  /// The failure with which an expression ended the run.
  var failure: EvaluationFailure? { divider?.failure }

  /// Notices for the user.
  var notices: [Notice] { divider?.notices ?? [] }

  /// The cells that did not convert.
  var tallies: [ConversionTally] { divider?.tallies ?? [] }
}

extension Sections {
  /// Finds the sections of the next rows, which pass later.
  ///
  /// - Parameter found: called with each section that has ended.
  mutating func find(
    in rows: Rows, _ found: (SectionList.Section) -> Void = { _ in }
  ) throws(Failure) {
    try divide(rows, 0..<rows.count) { (sections) throws(Failure) in
      guard let ended = sections.list.lastEnded else { return }
      found(ended)
      sections.countMemory(of: ended)
      if !sections.keepsFound { sections.list.removeFirst(sections.list.count - 1) }
    }
  }

  /// Whether the sections that were found are still kept.
  var keepsFound: Bool { room != nil }

  /// Ends finding the sections of rows that pass later.
  ///
  /// - Parameters:
  ///   - isAll: whether the rows examined were all.
  ///   - found: called with the last section, of which perhaps only the heading is known.
  mutating func endFinding(isAll: Bool, _ found: (SectionList.Section) -> Void = { _ in }) {
    if isAll { complete() }
    if let last = list.last {
      found(last)
      if isAll { countMemory(of: last) }
    }
    if keepsFound { return }
    divider = fresh
    list = SectionList()
  }

  private mutating func countMemory(of section: SectionList.Section) {
    guard let room else { return }
    self.room = section.memory > room ? nil : room - section.memory
  }

  /// Adds rows and passes on what can be painted.
  mutating func addRows(_ rows: Rows, _ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    let before = cursor.rowCount + (held?.count ?? 0)
    let known = min(rows.count, max(0, list.rowCount - before))
    if known > 0 || isWhole { try pass(rows, after: before, body) }
    if known < rows.count {
      try divide(rows, known..<rows.count) { (sections) throws(Failure) in
        try sections.pass(rows, after: before, body)
        sections.list.removeFirst(sections.cursor.index)
        sections.cursor.forgetPassed()
      }
      try pass(rows, after: before, body)
    }
    let waiting = max(0, cursor.rowCount - before)..<rows.count
    try Failure.reading { () throws(SystemError) in try hold(rows, waiting) }
  }

  /// Passes on the rest after the last row.
  mutating func finish(_ body: (SectionPart) throws(Failure) -> Void) throws(Failure) {
    complete()
    try pass(Rows(), after: cursor.rowCount + (held?.count ?? 0), body)
  }
}

extension Sections {
  /// Divides some of the rows, which come after all that the list has.
  ///
  /// - Parameter onStart: called whenever a section has begun, and the one before it has ended.
  private mutating func divide(
    _ rows: Rows, _ range: Range<Int>, _ onStart: (inout Sections) throws(Failure) -> Void
  ) throws(Failure) {
    var start = range.lowerBound
    for next in divider?.findStarts(in: rows, range) ?? [] {
      try addToSection(rows, start..<next.place)
      endSection()
      begin(next.value)
      try onStart(&self)
      start = next.place
    }
    try addToSection(rows, start..<range.upperBound)
  }

  /// Begins a section with a value.
  private mutating func begin(_ value: Value) {
    divider?.begin(value)
    list.begin()
    if !(divider?.headingNeedsRows ?? false) { list.setHeading(divider?.heading) }
  }

  /// Adds rows to the open section.
  private mutating func addToSection(_ rows: Rows, _ range: Range<Int>) throws(Failure) {
    try divider?.addRows(rows, range)
    list.addRows(range.count)
  }

  /// Ends the open section, if there is one.
  private mutating func endSection() {
    guard let last = list.last, !last.isEnded else { return }
    if !last.isHeaded { list.setHeading(divider?.heading) }
    list.end(divider?.end() ?? [])
  }

  /// Ends the list, after all rows were divided; without rows there is one section without heading and footer.
  private mutating func complete() {
    if isWhole { return list.end([], rowCount: cursor.rowCount) }
    if list.count == 0 {
      list.begin()
      list.setHeading(nil)
      list.end([])
    }
    endSection()
  }

  /// Passes on what can be painted: the rows that were held, and of others those that were divided.
  ///
  /// - Parameter before: the number of rows that came before `rows`.
  private mutating func pass(
    _ rows: Rows, after before: Int, _ body: (SectionPart) throws(Failure) -> Void
  ) throws(Failure) {
    try cursor.passBoundary(in: list, body)
    guard cursor.isBegun else { return }
    if let waiting = held.take() {
      try waiting.forEachPiece(failing: Failure.init(reading:)) { (rows, _) throws(Failure) in
        try cursor.advance(over: rows, 0..<rows.count, in: list, body)
      }
    }
    let known = min(rows.count, list.rowCount - before)
    try cursor.advance(over: rows, cursor.rowCount - before..<known, in: list, body)
    try cursor.passBoundary(in: list, body)
  }

  /// Holds rows that wait for the heading of their section.
  private mutating func hold(_ rows: Rows, _ waiting: Range<Int>) throws(SystemError) {
    if waiting.isEmpty { return }
    var own = rows
    own.ids = Array(rows.ids[waiting])
    if held == nil { held = StoredRows() }
    held?.append(own.isSparse() ? own.copied() : own)
    if held?.memory ?? 0 >= budget { try held?.spill() }
  }
}
